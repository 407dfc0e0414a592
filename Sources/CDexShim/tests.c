// What tests need of the system and Swift may not call.
#include "CDexShim.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

pid_t dex_fork_for_tests(void) { return fork(); }

int dex_mount_memory_for_tests(const char *path, size_t byte_count) {
  char options[64];
  snprintf(options, sizeof options, "size=%zu", byte_count);
  if (unshare(CLONE_NEWNS) != 0) return -errno;
  if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return -errno;
  return mount("none", path, "tmpfs", 0, options) == 0 ? 0 : -errno;
}

int dex_open_terminal_for_tests(char *path, size_t n) {
  int descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  if (grantpt(descriptor) == 0 && unlockpt(descriptor) == 0
      && ptsname_r(descriptor, path, n) == 0) {
    return descriptor;
  }
  int code = errno;
  close(descriptor);
  return -code;
}

int dex_spawn_on_terminal_for_tests(
    const char *program, char *const arguments[], char *const environment[], const char *folder,
    int columns, int rows, pid_t *child) {
  struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
  char name[128];
  int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) return -errno;
  if (grantpt(terminal) != 0 || unlockpt(terminal) != 0 ||
      ptsname_r(terminal, name, sizeof name) != 0 || ioctl(terminal, TIOCSWINSZ, &size) != 0) {
    int error = errno;
    close(terminal);
    return -error;
  }
  *child = fork();
  if (*child < 0) return -errno;
  if (*child > 0) return terminal;
  // The threads of a test may hold signals back, and whoever started it in the background lets some
  // be ignored; a program inherits both.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  setsid();
  int own = open(name, O_RDWR);
  if (own < 0 || chdir(folder) != 0) _exit(126);
  for (int i = 0; i < 3; i++) dup2(own, i);
  if (own > 2) close(own);
  execve(program, arguments, environment);
  _exit(127);
}

int dex_resize_terminal_for_tests(int terminal, int columns, int rows) {
  struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
  return ioctl(terminal, TIOCSWINSZ, &size) == 0 ? 0 : -errno;
}
