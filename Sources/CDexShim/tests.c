// What tests need of the system and Swift may not call.
#include "CDexShim.h"
#include <sys/ioctl.h>
#include <stdlib.h>
#include <fcntl.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
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

int dex_resize_terminal_for_tests(int descriptor, int columns, int rows) {
  struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
  return ioctl(descriptor, TIOCSWINSZ, &size);
}
