// Calls on files that the Glibc module does not show, or whose errno should not get lost.
#include "CDexShim.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RETRY(type, call)                     \
  type result;                                \
  do result = (call);                         \
  while (result < 0 && errno == EINTR);       \
  return result < 0 ? -(type)errno : result

int dex_stat(int descriptor, dex_status *status) {
  struct stat found;
  if (fstat(descriptor, &found) != 0) return -errno;
  *status = (dex_status){
      .device = found.st_dev,
      .inode = found.st_ino,
      .link_count = found.st_nlink,
      .byte_count = found.st_size,
      .permissions = found.st_mode & 07777,
      .is_directory = S_ISDIR(found.st_mode),
  };
  return 0;
}

int dex_kind(const char *path) {
  struct stat found;
  int result;
  do result = lstat(path, &found);
  while (result < 0 && errno == EINTR);
  if (result != 0) return errno == ENOENT || errno == ENOTDIR ? DEX_KIND_NONE : -errno;
  switch (found.st_mode & S_IFMT) {
    case S_IFREG: return DEX_KIND_FILE;
    case S_IFDIR: return DEX_KIND_FOLDER;
    case S_IFIFO: return DEX_KIND_PIPE;
    case S_IFSOCK: return DEX_KIND_SOCKET;
    case S_IFLNK: return DEX_KIND_LINK;
    default: return DEX_KIND_DEVICE;
  }
}

int64_t dex_byte_count(const char *path) {
  struct stat found;
  int result;
  do result = stat(path, &found);
  while (result < 0 && errno == EINTR);
  return result == 0 && S_ISREG(found.st_mode) ? found.st_size : -1;
}

const char *dex_errno_name(int number) { return strerrorname_np(number); }

const char *dex_errno_text(int number) { return strerrordesc_np(number); }

int dex_exists(const char *path) {
  struct stat found;
  int result;
  do result = stat(path, &found);
  while (result < 0 && errno == EINTR);
  if (result == 0) return 1;
  return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
}

ssize_t dex_pread(int descriptor, void *p, size_t n, int64_t offset) {
  RETRY(ssize_t, pread(descriptor, p, n, offset));
}

ssize_t dex_pwrite(int descriptor, const void *p, size_t n, int64_t offset) {
  RETRY(ssize_t, pwrite(descriptor, p, n, offset));
}

int64_t dex_next_data(int descriptor, int64_t offset) {
  RETRY(int64_t, lseek(descriptor, offset, SEEK_DATA));
}

int dex_fdatasync(int descriptor) { RETRY(int, fdatasync(descriptor)); }

int dex_start_writing(int descriptor, int64_t offset, int64_t byte_count) {
  return sync_file_range(descriptor, offset, byte_count, SYNC_FILE_RANGE_WRITE);
}

int dex_fsync(int descriptor) { RETRY(int, fsync(descriptor)); }

int dex_ftruncate(int descriptor, int64_t byte_count) {
  RETRY(int, ftruncate(descriptor, byte_count));
}

static int write_zeros(int descriptor, int64_t from, int64_t to) {
  static const char zeros[1 << 16];
  while (from < to) {
    size_t n = to - from < (int64_t)sizeof zeros ? (size_t)(to - from) : sizeof zeros;
    ssize_t written = dex_pwrite(descriptor, zeros, n, from);
    if (written < 0) return (int)written;
    if (written == 0) return -ENOSPC;
    from += written;
  }
  return 0;
}

int dex_allocate(int descriptor, int64_t byte_count) {
  struct stat before;
  if (fstat(descriptor, &before) != 0) return -errno;
  if (byte_count <= before.st_size) return 0;
  int result;
  do result = fallocate(descriptor, 0, before.st_size, byte_count - before.st_size);
  while (result < 0 && errno == EINTR);
  if (result == 0) return 0;
  result = -errno;
  if (result == -EOPNOTSUPP || result == -EINVAL || result == -ENOSYS) {
    result = write_zeros(descriptor, before.st_size, byte_count);
    if (result == 0) return 0;
  }
  // Gives back what was had; the error that counts is the first.
  (void)dex_ftruncate(descriptor, before.st_size);
  return result;
}

int dex_discard(int descriptor, int64_t offset, int64_t byte_count) {
  const int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  RETRY(int, fallocate(descriptor, mode, offset, byte_count));
}

int dex_unlink(const char *path) { return unlink(path) == 0 ? 0 : -errno; }

int dex_rename(const char *from, const char *to, bool replacing) {
  if (replacing) return rename(from, to) == 0 ? 0 : -errno;
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -errno;
  // File systems without it: the new name first, so that the file is never without one.
  if (link(from, to) != 0) return -errno;
  return unlink(from) == 0 ? 0 : -errno;
}

ssize_t dex_readlink(const char *path, char *p, size_t n) {
  ssize_t count = readlink(path, p, n);
  if (count < 0) return -errno;
  return (size_t)count < n ? count : -ENAMETOOLONG;
}

int dex_realpath(const char *path, char *p) {
  _Static_assert(PATH_MAX <= 4096, "the caller's buffer holds any path");
  return realpath(path, p) ? 0 : -errno;
}

static short lock_type(int kind) {
  return kind == 0 ? F_UNLCK : kind == 1 ? F_RDLCK : F_WRLCK;
}

int dex_lock(int descriptor, int kind, int64_t offset) {
  struct flock range = {
      .l_type = lock_type(kind), .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  int result;
  do result = fcntl(descriptor, F_OFD_SETLK, &range);
  while (result < 0 && errno == EINTR);
  if (result == 0) return 0;
  return errno == EAGAIN || errno == EACCES ? 1 : -errno;
}

int dex_lock_conflicts(int descriptor, int kind, int64_t offset) {
  struct flock range = {
      .l_type = lock_type(kind), .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  int result;
  do result = fcntl(descriptor, F_OFD_GETLK, &range);
  while (result < 0 && errno == EINTR);
  if (result < 0) return -errno;
  return range.l_type != F_UNLCK;
}

#define PAGE ((size_t)4096)
#define HUGE_PAGE ((size_t)2 << 20)

static size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

// Addresses for `byte_count` bytes that nothing else uses; aligned where it is long.
static int reserve(size_t byte_count, char **base) {
  if (byte_count == 0 || byte_count > SIZE_MAX / 4) return -EINVAL;
  size_t rounded = round_up(byte_count, PAGE);
  size_t spare = byte_count < HUGE_PAGE ? 0 : HUGE_PAGE;
  char *start = mmap(
      NULL, rounded + spare, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return -errno;
  if (spare) {
    size_t before = round_up((uintptr_t)start, HUGE_PAGE) - (uintptr_t)start;
    if (before) munmap(start, before);
    if (before < spare) munmap(start + before + rounded, spare - before);
    start += before;
  }
  *base = start;
  return 0;
}

int dex_map(int descriptor, size_t byte_count, bool writable, void **base) {
  char *start = NULL;
  int result = reserve(byte_count, &start);
  if (result != 0) return result;
  int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  // A mapping keeps its open file, and so the locks of that, until it goes, in forked children too.
  // It gets an open file of its own, so that locks go when the descriptor is closed. What is mapped
  // for writing has no locks.
  int own = writable ? -1 : dex_reopen(descriptor, false);
  void *mapped = mmap(
      start, byte_count, protection, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
      own >= 0 ? own : descriptor, 0);
  result = -errno;
  if (own >= 0) dex_close(own);
  if (mapped == MAP_FAILED) {
    munmap(start, byte_count);
    return result;
  }
  if (byte_count >= HUGE_PAGE && !writable) madvise(start, byte_count, MADV_HUGEPAGE);
  *base = start;
  return 0;
}

int dex_map_private(size_t byte_count, void **base) {
  void *p = mmap(
      NULL, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return -errno;
  *base = p;
  return 0;
}

int dex_map_memory(size_t byte_count, void **base) {
  void *p = mmap(
      NULL, byte_count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return -errno;
  *base = p;
  return 0;
}

int dex_map_again(
    void *memory, size_t memory_byte_count, size_t byte_count, bool writable, void **base) {
  char *start = NULL;
  int result = reserve(byte_count, &start);
  if (result != 0) return result;
  size_t shared = byte_count < memory_byte_count ? byte_count : memory_byte_count;
  // An old length of zero leaves a shared mapping where it is and makes another of it.
  if (mremap(memory, 0, shared, MREMAP_MAYMOVE | MREMAP_FIXED, start) == MAP_FAILED ||
      (!writable && mprotect(start, shared, PROT_READ) != 0)) {
    result = -errno;
    munmap(start, byte_count);
    return result;
  }
  *base = start;
  return 0;
}

int dex_map_over(void *base, size_t byte_count) {
  void *p = mmap(
      base, byte_count, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return p == MAP_FAILED ? -errno : 0;
}

void dex_unmap(void *base, size_t byte_count) { munmap(base, byte_count); }
