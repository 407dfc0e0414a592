#include "CDexShim.h"
#include <stdlib.h>
#include <sys/mman.h>

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
