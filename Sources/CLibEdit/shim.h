#ifndef CLIBEDIT_SHIM_H
#define CLIBEDIT_SHIM_H

// The line editor, whose calls with a variable number of arguments Swift cannot import.
#include <histedit.h>

#endif
