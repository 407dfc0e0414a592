// CRC-32C (Castagnoli), reflected: by slicing in eight tables on any machine, and by the
// processor's instruction where it has one.
//
// The instruction takes three cycles but one can start in each, so a long run is cut into three
// equal parts whose checksums are computed side by side. To append n bytes to a message multiplies
// its checksum by x^8n modulo the polynomial; that is how the three are joined.
#include "CDexShim.h"
#include <string.h>
#if defined(__x86_64__)
#include <nmmintrin.h>
#include <wmmintrin.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

#define POLYNOMIAL 0x82F63B78u
#define WORDS_MAX 512  // words of 8 bytes in one part of three

static uint32_t tables[8][256];
// shifts[n]: what joins parts across n words; see `join`.
static uint32_t shifts[WORDS_MAX + 1];

// a × b modulo the polynomial; bit 31 is x^0.
static uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (int i = 0; i < 32; i++) {
    product ^= b & (0u - (a >> 31));
    a <<= 1;
    b = (b >> 1) ^ (POLYNOMIAL & (0u - (b & 1)));
  }
  return product;
}

static uint32_t update_by_tables(uint32_t crc, const uint8_t *p, size_t n) {
  for (; n >= 8; p += 8, n -= 8) {
    uint32_t low = crc ^ ((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
                          (uint32_t)p[3] << 24);
    crc = tables[7][low & 0xFF] ^ tables[6][low >> 8 & 0xFF] ^ tables[5][low >> 16 & 0xFF] ^
          tables[4][low >> 24] ^ tables[3][p[4]] ^ tables[2][p[5]] ^ tables[1][p[6]] ^
          tables[0][p[7]];
  }
  while (n--) crc = tables[0][(crc ^ *p++) & 0xFF] ^ (crc >> 8);
  return crc;
}

static inline uint64_t word_at(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, 8);
  return word;
}

#if defined(__x86_64__)
#define PARTS_FROM 192  // bytes from which three parts pay
#define SHIFT_BIAS 33   // `join` itself multiplies by x^33
#define HARDWARE __attribute__((target("sse4.2,pclmul")))
#define STEP8(crc, word) _mm_crc32_u64(crc, word)
#define STEP1(crc, byte) _mm_crc32_u8((uint32_t)(crc), byte)

// The checksum `crc` once as many zero bytes follow as `shift` stands for: a product without carry,
// which the instruction reduces. The product of two reflected numbers lacks a factor x, and the
// instruction brings x^32.
HARDWARE static inline uint64_t join(uint64_t crc, uint32_t shift) {
  __m128i product = _mm_clmulepi64_si128(
      _mm_cvtsi64_si128((long long)crc), _mm_cvtsi64_si128((long long)(uint64_t)shift), 0);
  return _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}
static bool has_hardware(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
}
#elif defined(__aarch64__) && defined(__linux__)
#define PARTS_FROM 1024
#define SHIFT_BIAS 0
#define HARDWARE __attribute__((target("crc")))
#define STEP8(crc, word) __builtin_arm_crc32cd((uint32_t)(crc), word)
#define STEP1(crc, byte) __builtin_arm_crc32cb((uint32_t)(crc), byte)

static inline uint64_t join(uint64_t crc, uint32_t shift) {
  return multiply((uint32_t)crc, shift);
}
static bool has_hardware(void) { return getauxval(AT_HWCAP) & (1 << 7); }
#endif

#if defined(HARDWARE)
HARDWARE static uint32_t update_by_instruction(uint32_t start, const uint8_t *p, size_t n) {
  uint64_t crc = start;
  while (n >= PARTS_FROM) {
    size_t words = n / 24 < WORDS_MAX ? n / 24 : WORDS_MAX;
    const uint8_t *second = p + words * 8, *third = second + words * 8;
    uint64_t crc2 = 0, crc3 = 0;
    for (size_t i = 0; i < words * 8; i += 8) {
      crc = STEP8(crc, word_at(p + i));
      crc2 = STEP8(crc2, word_at(second + i));
      crc3 = STEP8(crc3, word_at(third + i));
    }
    crc = join(crc, shifts[words]) ^ crc2;
    crc = join(crc, shifts[words]) ^ crc3;
    p += words * 24;
    n -= words * 24;
  }
  for (; n >= 8; p += 8, n -= 8) crc = STEP8(crc, word_at(p));
  while (n--) crc = STEP1(crc, *p++);
  return (uint32_t)crc;
}
#endif

static uint32_t (*update)(uint32_t, const uint8_t *, size_t) = update_by_tables;

// Runs before any code of the program or its libraries that has no priority, on one thread.
__attribute__((constructor(101))) static void prepare_checksums(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int k = 0; k < 8; k++) crc = (crc >> 1) ^ (POLYNOMIAL & (0u - (crc & 1)));
    tables[0][i] = crc;
  }
  for (int t = 1; t < 8; t++) {
    for (int i = 0; i < 256; i++) {
      tables[t][i] = tables[0][tables[t - 1][i] & 0xFF] ^ (tables[t - 1][i] >> 8);
    }
  }
#if defined(HARDWARE)
  // x^(64 n - SHIFT_BIAS), from n = 1.
  uint32_t word_shift = 1u << 31, shift = 1u << 31;
  for (int k = 0; k < 64; k++) word_shift = multiply(word_shift, 1u << 30);
  for (int k = 0; k < 64 - SHIFT_BIAS; k++) shift = multiply(shift, 1u << 30);
  for (int n = 1; n <= WORDS_MAX; n++) {
    shifts[n] = shift;
    shift = multiply(shift, word_shift);
  }
  if (has_hardware()) update = update_by_instruction;
#else
  (void)multiply;
  (void)shifts;
#endif
}

uint32_t dex_crc32c(uint32_t crc, const void *p, size_t n) { return ~update(~crc, p, n); }

uint32_t dex_crc32c_portable(uint32_t crc, const void *p, size_t n) {
  return ~update_by_tables(~crc, p, n);
}
