#ifndef CDIGEST_H
#define CDIGEST_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DIGEST_INLINE static inline __attribute__((always_inline))

// Both forms fold words of 8 bytes by running sums, as Fletcher's checksum does: the second sum
// makes it matter where a word stands. They find differences, and withstand no attacker.

// The last word of `count` bytes, or all of them where they are fewer than a word.
DIGEST_INLINE uint64_t digest_end(const unsigned char *_Nonnull bytes, size_t count) {
  uint64_t word = 0;
  if (count >= 8) {
    memcpy(&word, bytes + count - 8, 8);
  } else {
    memcpy(&word, bytes, count);
  }
  return word;
}

// Folds every byte.
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
    sum += digest_end(bytes, count);
    sums += sum;
  }
  return sum ^ (sums * 0x9E3779B97F4A7C15u);
}

// Folds the length, the first word, one more of each 64 bytes that follow, and the last. No cache
// line between the ends is left out, so that whoever hands out bytes also pays for bringing them in.
DIGEST_INLINE uint64_t digest_lines(const void *_Nonnull start, size_t count) {
  const unsigned char *bytes = (const unsigned char *)start;
  uint64_t sum = count, sums = 0, word;
  for (size_t place = 0; place + 8 < count; place += 64) {
    memcpy(&word, bytes + place, 8);
    sum += word;
    sums += sum;
  }
  sum += digest_end(bytes, count);
  sums += sum;
  return sum ^ (sums * 0x9E3779B97F4A7C15u);
}

DIGEST_INLINE uint64_t digest_join(uint64_t key, uint64_t value) {
  uint64_t folded = key * 0xC2B2AE3D27D4EB4Fu;
  return (folded ^ (folded >> 29)) + value;
}

DIGEST_INLINE uint64_t digest_row(const void *_Nonnull key, size_t key_count,
                                  const void *_Nonnull value, size_t value_count) {
  return digest_join(digest_bytes(key, key_count), digest_bytes(value, value_count));
}

DIGEST_INLINE uint64_t digest_row_lines(const void *_Nonnull key, size_t key_count,
                                        const void *_Nonnull value, size_t value_count) {
  return digest_join(digest_lines(key, key_count), digest_lines(value, value_count));
}
#endif
