#ifndef CDEXDATA_H
#define CDEXDATA_H
#include <stddef.h>

/// The facts of the Pokédex, packed into one file and embedded in the program.
const unsigned char *_Nonnull dex_data_bytes(void);

/// The number of those bytes.
size_t dex_data_byte_count(void);
#endif
