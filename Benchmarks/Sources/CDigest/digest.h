#ifndef CDIGEST_H
#define CDIGEST_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DIGEST_INLINE static inline __attribute__((always_inline))

// Folds bytes to 64 bits by running sums, as Fletcher's checksum does, of words of 8 bytes: the
// second sum makes it matter where a word stands. It costs a few nanoseconds for a row, so that a
// scan measures the scan. Finds differences; withstands no attacker.
DIGEST_INLINE uint64_t digest_bytes(const void *_Nonnull start, size_t count) {
  const unsigned char *bytes = (const unsigned char *)start;
  uint64_t sum = count, sums = 0, word;
  size_t place = 0;
  for (; place + 8 <= count; place += 8) {
    memcpy(&word, bytes + place, 8);
    sum += word;
    sums += sum;
  }
  if (place < count) {
    word = 0;
    if (count >= 8) {
      memcpy(&word, bytes + count - 8, 8);
    } else {
      memcpy(&word, bytes, count);
    }
    sum += word;
    sums += sum;
  }
  return sum ^ (sums * 0x9E3779B97F4A7C15u);
}

DIGEST_INLINE uint64_t digest_row(const void *_Nonnull key, size_t key_count,
                                  const void *_Nonnull value, size_t value_count) {
  uint64_t folded = digest_bytes(key, key_count) * 0xC2B2AE3D27D4EB4Fu;
  return (folded ^ (folded >> 29)) + digest_bytes(value, value_count);
}
#endif
