#include "CDexShim.h"

uint32_t dex_crc32c(uint32_t crc, const void *p, size_t n) {
  const unsigned char *b = p;
  uint32_t c = ~crc;
  while (n--) {
    c ^= *b++;
    for (int k = 0; k < 8; k++) c = (c >> 1) ^ (0x82F63B78u & (0u - (c & 1)));
  }
  return ~c;
}
