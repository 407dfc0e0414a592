// Sets of the numbers below 8192 in at most 1 KiB: an array of 16-bit numbers, a bitmap, or runs.
//
// The loops over bitmaps are compiled twice: for any machine, and for one with AVX2 and POPCNT.
// Source: Lemire et al., "Roaring bitmaps: implementation of an optimized software library", 2018.
#include "CDexShim.h"
#include <string.h>

#define WORDS 128
#define ARRAY_MAX 512
#define INLINED static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define HAS_WIDE 1
#define WIDE __attribute__((target("avx2,popcnt,bmi,bmi2,lzcnt")))
static bool is_wide;
__attribute__((constructor)) static void find_processor(void) {
  __builtin_cpu_init();
  is_wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
            __builtin_cpu_supports("bmi");
}
#endif

INLINED uint64_t word_at(const uint8_t *p, size_t index) {
  uint64_t word;
  memcpy(&word, p + 8 * index, 8);
  return word;
}

INLINED uint16_t number_at(const uint8_t *p, size_t index) {
  uint16_t number;
  memcpy(&number, p + 2 * index, 2);
  return number;
}

// Bitmaps

INLINED uint32_t combine_words(
    int operation, const uint8_t *a, const uint8_t *b, uint64_t *out) {
  uint64_t count = 0;
  for (size_t i = 0; i < WORDS; i++) {
    uint64_t x = word_at(a, i), y = word_at(b, i);
    uint64_t word = operation == DEX_AND ? x & y : operation == DEX_OR ? x | y : x & ~y;
    if (out) out[i] = word;
    count += (uint64_t)__builtin_popcountll(word);
  }
  return (uint32_t)count;
}

// The operation and whether there is an output are constants in each copy.
#define BODY                                                                         \
  switch (operation) {                                                               \
  case DEX_AND: return out ? combine_words(DEX_AND, a, b, out)                       \
                           : combine_words(DEX_AND, a, b, NULL);                     \
  case DEX_OR: return out ? combine_words(DEX_OR, a, b, out)                         \
                          : combine_words(DEX_OR, a, b, NULL);                       \
  default: return out ? combine_words(DEX_AND_NOT, a, b, out)                        \
                      : combine_words(DEX_AND_NOT, a, b, NULL);                      \
  }

static uint32_t combine_plain(int operation, const uint8_t *a, const uint8_t *b, uint64_t *out) {
  BODY
}
#if HAS_WIDE
WIDE static uint32_t combine_wide(
    int operation, const uint8_t *a, const uint8_t *b, uint64_t *out) {
  BODY
}
WIDE static uint32_t extract_wide(const uint8_t *bitmap, uint16_t *out);
#endif

static uint32_t combine_bitmaps(
    int operation, const uint8_t *a, const uint8_t *b, uint64_t *out) {
#if HAS_WIDE
  if (is_wide) return combine_wide(operation, a, b, out);
#endif
  return combine_plain(operation, a, b, out);
}

INLINED uint32_t extract(const uint8_t *bitmap, uint16_t *out) {
  uint32_t count = 0;
  for (size_t i = 0; i < WORDS; i++) {
    for (uint64_t word = word_at(bitmap, i); word; word &= word - 1) {
      out[count++] = (uint16_t)(64 * i + (size_t)__builtin_ctzll(word));
    }
  }
  return count;
}
#if HAS_WIDE
WIDE static uint32_t extract_wide(const uint8_t *bitmap, uint16_t *out) {
  return extract(bitmap, out);
}
#endif

uint32_t dex_bitmap_extract(const void *bitmap, uint16_t *out) {
#if HAS_WIDE
  if (is_wide) return extract_wide(bitmap, out);
#endif
  return extract(bitmap, out);
}

static void set_range(uint64_t *words, size_t first, size_t last) {
  size_t i = first / 64, end = last / 64;
  uint64_t from = ~(uint64_t)0 << (first % 64), to = ~(uint64_t)0 >> (63 - last % 64);
  if (i == end) {
    words[i] |= from & to;
    return;
  }
  words[i] |= from;
  while (++i < end) words[i] = ~(uint64_t)0;
  words[end] |= to;
}

void dex_container_add(dex_container c, uint64_t *words) {
  const uint8_t *p = c.bytes;
  switch (c.kind) {
  case DEX_ARRAY:
    for (size_t i = 0; i < c.count; i++) {
      size_t number = number_at(p, i) % 8192;
      words[number / 64] |= (uint64_t)1 << (number % 64);
    }
    break;
  case DEX_RUNS:
    for (size_t i = 0; i < c.count; i++) {
      size_t first = number_at(p, 2 * i) % 8192, last = first + number_at(p, 2 * i + 1);
      set_range(words, first, last < 8192 ? last : 8191);
    }
    break;
  default:
    for (size_t i = 0; i < WORDS; i++) words[i] |= word_at(p, i);
  }
}

// Arrays

INLINED bool has_bit(const uint8_t *bitmap, size_t number) {
  return bitmap[number % 8192 / 8] >> (number % 8) & 1;
}

// The numbers of the array that are in the bitmap, or those that are not.
static uint32_t filter(
    const uint8_t *a, size_t count, const uint8_t *bitmap, bool isIn, uint16_t *out) {
  uint32_t found = 0;
  for (size_t i = 0; i < count; i++) {
    uint16_t number = number_at(a, i);
    out[found] = number;
    found += has_bit(bitmap, number) == isIn;
  }
  return found;
}

// The first index from `from` on whose number is not below `number`, by doubling steps.
static size_t gallop(const uint8_t *a, size_t count, size_t from, uint16_t number) {
  size_t step = 1, low = from, high = from;
  while (high < count && number_at(a, high) < number) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  if (high > count) high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (number_at(a, middle) < number) low = middle + 1; else high = middle;
  }
  return low;
}

static uint32_t intersect_arrays(
    const uint8_t *a, size_t an, const uint8_t *b, size_t bn, uint16_t *out) {
  if (an > bn) {
    const uint8_t *other = a;
    size_t count = an;
    a = b, an = bn, b = other, bn = count;
  }
  uint32_t found = 0;
  size_t j = 0;
  if (32 * an < bn) {
    for (size_t i = 0; i < an && j < bn; i++) {
      uint16_t number = number_at(a, i);
      j = gallop(b, bn, j, number);
      if (j < bn && number_at(b, j) == number) out[found++] = number;
    }
    return found;
  }
  for (size_t i = 0; i < an && j < bn;) {
    uint16_t x = number_at(a, i), y = number_at(b, j);
    out[found] = x;
    found += x == y;
    i += x <= y;
    j += y <= x;
  }
  return found;
}

static uint32_t unite_arrays(
    const uint8_t *a, size_t an, const uint8_t *b, size_t bn, uint16_t *out) {
  uint32_t found = 0;
  size_t i = 0, j = 0;
  while (i < an && j < bn) {
    uint16_t x = number_at(a, i), y = number_at(b, j);
    out[found++] = x < y ? x : y;
    i += x <= y;
    j += y <= x;
  }
  for (; i < an; i++) out[found++] = number_at(a, i);
  for (; j < bn; j++) out[found++] = number_at(b, j);
  return found;
}

static uint32_t subtract_arrays(
    const uint8_t *a, size_t an, const uint8_t *b, size_t bn, uint16_t *out) {
  uint32_t found = 0;
  size_t j = 0;
  for (size_t i = 0; i < an; i++) {
    uint16_t number = number_at(a, i);
    while (j < bn && number_at(b, j) < number) j++;
    if (j == bn || number_at(b, j) != number) out[found++] = number;
  }
  return found;
}

// Containers

uint32_t dex_container_combine(
    int operation, dex_container a, dex_container b, uint64_t *out, uint8_t *kind) {
  uint64_t room[WORDS], left[WORDS], right[WORDS];
  uint16_t *numbers = (uint16_t *)(out ? out : room);
  if (a.kind == DEX_ARRAY && b.kind == DEX_ARRAY &&
      (operation != DEX_OR || a.count + b.count <= ARRAY_MAX)) {
    *kind = DEX_ARRAY;
    switch (operation) {
    case DEX_AND: return intersect_arrays(a.bytes, a.count, b.bytes, b.count, numbers);
    case DEX_OR: return unite_arrays(a.bytes, a.count, b.bytes, b.count, numbers);
    default: return subtract_arrays(a.bytes, a.count, b.bytes, b.count, numbers);
    }
  }
  const void *x = a.bytes, *y = b.bytes;
  if (b.kind == DEX_ARRAY && a.kind == DEX_BITMAP && operation == DEX_AND) {
    *kind = DEX_ARRAY;
    return filter(y, b.count, x, true, numbers);
  }
  if (b.kind != DEX_BITMAP) {
    memset(right, 0, sizeof right);
    dex_container_add(b, right);
    y = right;
  }
  if (a.kind == DEX_ARRAY && operation != DEX_OR) {
    *kind = DEX_ARRAY;
    return filter(x, a.count, y, operation == DEX_AND, numbers);
  }
  if (a.kind != DEX_BITMAP) {
    memset(left, 0, sizeof left);
    dex_container_add(a, left);
    x = left;
  }
  *kind = DEX_BITMAP;
  return combine_bitmaps(operation, x, y, out);
}

INLINED void compare_words(
    const uint8_t *slice, bool lower_bit, bool upper_bit, uint64_t *at_least, uint64_t *at_most) {
  for (size_t i = 0; i < WORDS; i++) {
    uint64_t word = word_at(slice, i);
    at_least[i] = lower_bit ? at_least[i] & word : at_least[i] | word;
    at_most[i] = upper_bit ? at_most[i] | ~word : at_most[i] & ~word;
  }
}

#define COMPARE_BODY                                                                 \
  if (lower_bit) {                                                                   \
    if (upper_bit) compare_words(slice, true, true, at_least, at_most);              \
    else compare_words(slice, true, false, at_least, at_most);                       \
  } else {                                                                           \
    if (upper_bit) compare_words(slice, false, true, at_least, at_most);             \
    else compare_words(slice, false, false, at_least, at_most);                      \
  }

static void compare_plain(
    const uint8_t *slice, bool lower_bit, bool upper_bit, uint64_t *at_least, uint64_t *at_most) {
  COMPARE_BODY
}
#if HAS_WIDE
WIDE static void compare_wide(
    const uint8_t *slice, bool lower_bit, bool upper_bit, uint64_t *at_least, uint64_t *at_most) {
  COMPARE_BODY
}
#endif

void dex_container_compare_slice(
    dex_container c, bool lower_bit, bool upper_bit, uint64_t *at_least, uint64_t *at_most) {
  uint64_t room[WORDS];
  const void *slice = c.bytes;
  if (c.kind != DEX_BITMAP) {
    memset(room, 0, sizeof room);
    dex_container_add(c, room);
    slice = room;
  }
#if HAS_WIDE
  if (is_wide) return compare_wide(slice, lower_bit, upper_bit, at_least, at_most);
#endif
  compare_plain(slice, lower_bit, upper_bit, at_least, at_most);
}

uint32_t dex_container_count(dex_container c) {
  if (c.kind == DEX_ARRAY) return c.count;
  if (c.kind == DEX_BITMAP) return combine_bitmaps(DEX_AND, c.bytes, c.bytes, NULL);
  uint32_t count = 0;
  for (size_t i = 0; i < c.count; i++) count += 1u + number_at(c.bytes, 2 * i + 1);
  return count;
}

bool dex_container_is_sound(dex_container c) {
  const uint8_t *p = c.bytes;
  uint32_t faults = 0;
  switch (c.kind) {
  case DEX_ARRAY:
    if (c.count == 0 || c.count > ARRAY_MAX) return false;
    for (size_t i = 1; i < c.count; i++) faults |= number_at(p, i - 1) >= number_at(p, i);
    return !faults && number_at(p, c.count - 1) < 8192;
  case DEX_RUNS: {
    if (c.count == 0 || c.count > ARRAY_MAX / 2) return false;
    uint32_t least = 0;
    for (size_t i = 0; i < c.count; i++) {
      uint32_t first = number_at(p, 2 * i), last = first + number_at(p, 2 * i + 1);
      faults |= first < least || last >= 8192;
      least = last + 2;
    }
    return !faults;
  }
  case DEX_BITMAP: return true;
  default: return false;
  }
}

uint32_t dex_bitmap_runs(const uint64_t *words, uint16_t *out) {
  uint32_t found = 0;
  for (size_t i = 0; i < WORDS; i++) {
    uint64_t before = i == 0 ? 0 : words[i - 1] >> 63;
    found += (uint32_t)__builtin_popcountll(words[i] & ~(words[i] << 1 | before));
  }
  if (!out || found > ARRAY_MAX / 2) return found;
  size_t number = 0;
  for (uint32_t run = 0; run < found; run++) {
    while (!(words[number / 64] >> (number % 64))) number = (number / 64 + 1) * 64;
    number += (size_t)__builtin_ctzll(words[number / 64] >> (number % 64));
    size_t first = number;
    while (number < 8192) {
      uint64_t rest = ~words[number / 64] >> (number % 64);
      if (rest) {
        number += (size_t)__builtin_ctzll(rest);
        break;
      }
      number = (number / 64 + 1) * 64;
    }
    out[2 * run] = (uint16_t)first;
    out[2 * run + 1] = (uint16_t)(number - 1 - first);
  }
  return found;
}
