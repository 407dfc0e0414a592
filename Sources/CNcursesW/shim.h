#ifndef CNCURSESW_SHIM_H
#define CNCURSESW_SHIM_H

// The wide-character screen library, with functions where it has macros.
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#define NCURSES_NOMACROS 1
#define NCURSES_OPAQUE 1
#include <curses.h>

#endif
