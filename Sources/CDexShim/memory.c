#include "CDexShim.h"
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { words_per_block = 512 };

/// True where `count` words are all zero; the library's comparison is fast in any build.
static bool is_zero(const unsigned char *p, size_t count) {
  uint64_t first;
  memcpy(&first, p, 8);
  return first == 0 && memcmp(p, p + 8, 8 * (count - 1)) == 0;
}

size_t dex_find_word(const void *p, size_t count, uint64_t least, uint64_t most) {
  const unsigned char *bytes = p;
  for (size_t block = 0; block < count; block += words_per_block) {
    size_t end = count - block < words_per_block ? count : block + words_per_block;
    if (is_zero(bytes + 8 * block, end - block)) continue;
    for (size_t index = block; index < end; index++) {
      uint64_t word;
      memcpy(&word, bytes + 8 * index, 8);
      if (le64toh(word) - least <= most - least) return index;
    }
  }
  return count;
}

void *dex_slab_allocate(size_t byte_count) {
  const size_t huge = (size_t)2 << 20;
  int is_huge = byte_count >= huge;
  void *slab = NULL;
  if (posix_memalign(&slab, is_huge ? huge : 64, byte_count) != 0) abort();
  // Only advice: without huge pages the memory is as good, and slower to come.
  if (is_huge) madvise(slab, byte_count, MADV_HUGEPAGE);
  return slab;
}

void dex_slab_free(void *slab) { free(slab); }
