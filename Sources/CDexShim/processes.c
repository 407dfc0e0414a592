// Sleeping, waking, time, chance, and other processes.
#include "CDexShim.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Not FUTEX_PRIVATE_FLAG: the word may lie in a file that several processes have mapped.
void dex_futex_wait(void *word, uint32_t expected, uint64_t nanoseconds) {
  uint64_t seconds = nanoseconds / 1000000000;
  struct timespec timeout = {
      .tv_sec = seconds > INT_MAX ? INT_MAX : (time_t)seconds,
      .tv_nsec = (long)(nanoseconds % 1000000000),
  };
  syscall(SYS_futex, word, FUTEX_WAIT, expected, &timeout, NULL, 0);
}

void dex_futex_wake(void *word) { syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0); }

uint64_t dex_random(void) {
  uint64_t bits;
  ssize_t count;
  do count = getrandom(&bits, sizeof bits, 0);
  while (count < 0 && errno == EINTR);
  if (count != sizeof bits) abort();  // the kernel promises it for so few bytes
  return bits;
}

uint64_t dex_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int dex_core_count(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int count = CPU_COUNT(&set);
  return count < 1 ? 1 : count;
}

int32_t dex_getpid(void) { return getpid(); }

int32_t dex_gettid(void) { return (int32_t)syscall(SYS_gettid); }

int dex_is_responding(int32_t process) {
  if (process <= 0) return 0;
  // EPERM says that it exists and is another user's.
  if (kill(process, 0) != 0 && errno == ESRCH) return 0;
  char text[512];
  snprintf(text, sizeof text, "/proc/%d/stat", process);
  int fd = open(text, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 1;
  ssize_t count = read(fd, text, sizeof text - 1);
  close(fd);
  if (count <= 0) return 1;
  text[count] = 0;
  // The state follows the program's name, which stands in parentheses and may hold any.
  const char *name_end = strrchr(text, ')');
  if (!name_end || name_end[1] != ' ' || !name_end[2]) return 1;
  return !strchr("TtZX", name_end[2]);
}
