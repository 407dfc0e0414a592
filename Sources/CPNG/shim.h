#ifndef CPNG_SHIM_H
#define CPNG_SHIM_H
#include <png.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// libpng reports errors by a long jump, which must not cross frames of Swift. So reading stands
// here in one piece. The simplified interface, which catches its own jumps, would do but for
// interlaced files of 16 bits: libpng 1.6.39 of Debian 12 mixes up their rows.

/// What is left of a file in memory, and what libpng says when it fails.
struct cpng_source {
  const unsigned char *next;
  size_t length;
  /// The most bytes of chunks that may still be taken for the row at hand.
  size_t allowance;
  char message[64];
};

// Longer takes than this are of what is in chunks, and not of their frames.
enum { cpng_frame_length = 12 };

static inline void cpng_take(png_structp png, png_bytep target, size_t length) {
  struct cpng_source *source = (struct cpng_source *)png_get_io_ptr(png);
  if (length > source->length) png_error(png, "the file ends too early");
  if (length > cpng_frame_length) {
    // libpng inflates whatever follows the last pixel, only to forget it.
    if (length > source->allowance) png_error(png, "more data than pixels");
    source->allowance -= length;
  }
  memcpy(target, source->next, length);
  source->next += length;
  source->length -= length;
}

static inline void cpng_fail(png_structp png, png_const_charp message) {
  struct cpng_source *source = (struct cpng_source *)png_get_error_ptr(png);
  strncpy(source->message, message, sizeof source->message - 1);
  png_longjmp(png, 1);
}

static inline void cpng_ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

/// Has libpng turn whatever comes into rows of red, green, blue and alpha, a byte each.
static inline void cpng_ask_for_rgba(png_structp png, png_infop info) {
  png_set_gamma(png, PNG_DEFAULT_sRGB, PNG_DEFAULT_sRGB);
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

/// Reads a PNG of `width` by `height` pixels into `width * height * 4` bytes at `pixels`.
///
/// Returns 1, or 0 and the reason in `source->message`.
static inline int cpng_read(
    struct cpng_source *source, png_uint_32 width, png_uint_32 height, unsigned char *pixels) {
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, source, cpng_fail, cpng_ignore);
  if (png == NULL) return 0;
  png_infop info = png_create_info_struct(png);
  if (info == NULL || setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    return 0;
  }
  source->allowance = SIZE_MAX;
  png_set_user_limits(png, width, height);
  png_set_read_fn(png, source, cpng_take);
  png_read_info(png, info);
  if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height)
    png_error(png, "the size is another");
  int pass_count = png_get_interlace_type(png, info) == PNG_INTERLACE_ADAM7 ? 7 : 1;
  cpng_ask_for_rgba(png, info);
  size_t row_length = (size_t)width * 4;
  if (png_get_rowbytes(png, info) != row_length) png_error(png, "the rows are of another length");
  for (int pass = 0; pass < pass_count; pass++)
    for (png_uint_32 row = 0; row < height; row++) {
      // Twice for 16 bits; libpng reads ahead by less than the rest.
      source->allowance = row_length * 2 + 65536;
      png_read_row(png, pixels + row_length * row, NULL);
    }
  source->allowance = SIZE_MAX;
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  return 1;
}
#endif
