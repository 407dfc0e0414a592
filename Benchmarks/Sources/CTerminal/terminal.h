#ifndef CTERMINAL_H
#define CTERMINAL_H
#include <pty.h>
#include <stdlib.h>
#include <unistd.h>

// Starts a program on a terminal of its own, which has all colours. Gives the other end of the
// terminal, or a negative number.
static inline int terminal_start(const char *_Nonnull program,
                                 char *_Nullable const *_Nonnull arguments, int columns, int rows,
                                 pid_t *_Nonnull child) {
  struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
  char *environment[] = {"TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8",
                         "PATH=/usr/bin:/bin", NULL};
  int terminal = -1;
  *child = forkpty(&terminal, NULL, NULL, &size);
  if (*child == 0) {
    execve(program, (char **)arguments, environment);
    _exit(127);
  }
  return *child < 0 ? -1 : terminal;
}
#endif
