// Every descriptor that the store holds, so that a forked child can close them all: its copies
// would keep the parent's locks alive after the parent has died.
//
// Invariant: a descriptor is in `held` from before the lock is freed after opening it until it is
// closed under the lock. `fork` takes the lock too, so a child finds the list whole, and may walk
// it: its handler calls nothing but close.
#include "CDexShim.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

uint32_t dex_fork_generation_word;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *held;
static size_t held_count, held_capacity;

static void before_fork(void) { pthread_mutex_lock(&lock); }

static void after_fork_in_parent(void) { pthread_mutex_unlock(&lock); }

static void after_fork_in_child(void) {
  for (size_t i = 0; i < held_count; i++) close(held[i]);
  held_count = 0;
  __atomic_fetch_add(&dex_fork_generation_word, 1, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
}

static void ignore_signal(int signal) { (void)signal; }

// Lets a write beyond the limit of file sizes fail with EFBIG, where nobody has said otherwise.
// A handler that does nothing, since programs that this one starts would inherit an ignored signal.
static void prepare_signals(void) {
  struct sigaction action;
  if (sigaction(SIGXFSZ, NULL, &action) != 0) return;
  if ((action.sa_flags & SA_SIGINFO) || action.sa_handler != SIG_DFL) return;
  action = (struct sigaction){.sa_handler = ignore_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGXFSZ, &action, NULL);
}

__attribute__((constructor)) static void prepare_fork(void) {
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

// Takes `fd`, fresh from a call that set errno if it is -1, into the list; under the lock.
static int hold(int fd) {
  if (fd < 0) return -errno;
  if (fd < 3) {
    // Someone closed the standard streams: what they print must not land in the database.
    int higher = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    int error = errno;
    close(fd);
    if (higher < 0) return -error;
    fd = higher;
  }
  if (held_count == held_capacity) {
    size_t capacity = held_capacity ? held_capacity * 2 : 64;
    int *grown = realloc(held, capacity * sizeof *grown);
    if (!grown) {
      close(fd);
      return -ENOMEM;
    }
    held = grown;
    held_capacity = capacity;
  }
  held[held_count++] = fd;
  return fd;
}

static int open_and_hold(const char *path, int flags, uint32_t permissions) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare_signals);
  pthread_mutex_lock(&lock);
  int fd;
  // O_NONBLOCK means nothing for files; it keeps a pipe of that name from blocking us here.
  do fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, permissions);
  while (fd < 0 && errno == EINTR);
  int result = hold(fd);
  pthread_mutex_unlock(&lock);
  return result;
}

int dex_open(const char *path, int mode, uint32_t permissions) {
  int flags = O_RDWR;
  switch (mode) {
    case DEX_OPEN_READ_ONLY: flags = O_RDONLY; break;
    case DEX_OPEN_READ_WRITE: break;
    case DEX_OPEN_CREATE_NEW: flags |= O_CREAT | O_EXCL; break;
    case DEX_OPEN_OR_CREATE: flags |= O_CREAT; break;
    case DEX_OPEN_DIRECTORY: flags = O_RDONLY | O_DIRECTORY; break;
    default: return -EINVAL;
  }
  int fd = open_and_hold(path, flags, permissions);
  if (fd < 0 || mode == DEX_OPEN_DIRECTORY) return fd;
  struct stat status;
  if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
    dex_close(fd);
    return -EISDIR;
  }
  return fd;
}

int dex_open_memory(const char *name, uint32_t permissions) {
  pthread_mutex_lock(&lock);
  int fd = hold(memfd_create(name, MFD_CLOEXEC));
  pthread_mutex_unlock(&lock);
  if (fd >= 0) fchmod(fd, permissions & 07777);
  return fd;
}

int dex_open_nameless(const char *folder, uint32_t permissions) {
  return open_and_hold(folder, O_TMPFILE | O_RDWR, permissions);
}

int dex_give_name(int descriptor, const char *path) {
  char own[64];
  snprintf(own, sizeof own, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : -errno;
}

int dex_reopen(int descriptor, bool writable) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return open_and_hold(path, writable ? O_RDWR : O_RDONLY, 0);
}

int dex_duplicate(int descriptor) {
  pthread_mutex_lock(&lock);
  int fd = hold(fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
  pthread_mutex_unlock(&lock);
  return fd;
}

int dex_close(int descriptor) {
  pthread_mutex_lock(&lock);
  int result = -EBADF;
  for (size_t i = held_count; i-- > 0;) {
    if (held[i] != descriptor) continue;
    held[i] = held[--held_count];
    // Never twice, also after EINTR: Linux frees the number first.
    result = close(descriptor) == 0 ? 0 : -errno;
    break;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

size_t dex_open_count(void) {
  pthread_mutex_lock(&lock);
  size_t count = held_count;
  pthread_mutex_unlock(&lock);
  return count;
}

