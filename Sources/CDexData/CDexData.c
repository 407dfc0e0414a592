#include "CDexData.h"

static const unsigned char data[] = {
#embed "../../Data/dex.bin"
};

const unsigned char *dex_data_bytes(void) { return data; }
size_t dex_data_byte_count(void) { return sizeof data; }
