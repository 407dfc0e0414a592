#ifndef CDEXSHIM_H
#define CDEXSHIM_H
#include <stddef.h>
#include <stdint.h>

static inline __attribute__((always_inline)) void dex_prefetch(const void *_Nonnull p) {
  __builtin_prefetch(p, 0, 3);
}

/// CRC-32C of `n` bytes, going on from `crc` (0 at the start).
uint32_t dex_crc32c(uint32_t crc, const void *_Nonnull p, size_t n);
#endif
