#ifndef CDIGEST_H
#define CDIGEST_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Folds bytes to 64 bits: each 16 bytes take one wide multiplication that waits for no other, so
// the whole costs a few nanoseconds for a row. Finds differences; withstands no attacker.

static inline uint64_t digest_multiply(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t digest_pair(const unsigned char *_Nonnull bytes, uint64_t place) {
  uint64_t a, b;
  memcpy(&a, bytes, 8);
  memcpy(&b, bytes + 8, 8);
  return digest_multiply(a ^ (0x9E3779B97F4A7C15u + place), b ^ 0xC2B2AE3D27D4EB4Fu);
}

static inline uint64_t digest_bytes(const void *_Nonnull start, size_t count) {
  const unsigned char *bytes = (const unsigned char *)start;
  uint64_t sum = count;
  size_t place = 0;
  for (; place + 16 <= count; place += 16) sum += digest_pair(bytes + place, place);
  if (place == count) return sum;
  if (count >= 16) return sum + digest_pair(bytes + count - 16, count);
  unsigned char padded[16] = {0};
  memcpy(padded, bytes, count);
  return sum + digest_pair(padded, count);
}

static inline uint64_t digest_row(const void *_Nonnull key, size_t key_count,
                                  const void *_Nonnull value, size_t value_count) {
  return digest_multiply(digest_bytes(key, key_count) ^ 0x165667B19E3779F9u,
                         digest_bytes(value, value_count) ^ 0x27D4EB2F165667C5u);
}
#endif
