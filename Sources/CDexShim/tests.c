// What tests need of the system and Swift may not call.
#include "CDexShim.h"
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
