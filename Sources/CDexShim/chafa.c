#include "CDexShim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Libchafa is not needed to build or to run: its functions are looked up once, when the first picture
// is drawn. What is declared here is of its interface 0, as of version 1.6.

typedef struct {
  char *text;
  size_t count, room;
} chafa_string;

enum {
  PIXELS_RGBA_UNASSOCIATED = 4,
  MODE_TRUE_COLOR = 0,
  MODE_240_COLORS = 2,
  DRAW_SYMBOLS = 0,
  DRAW_SIXELS = 1,
  // Colours are said where they change, and every cell is written.
  REUSE_ATTRIBUTES = 1,
  // Spaces, full blocks, and halves of all four sides.
  SYMBOLS = 1 << 0 | 1 << 1 | 1 << 8 | 1 << 9,
};

#define FUNCTIONS(of)                                                                              \
  of(void *, chafa_symbol_map_new, (void))                                                         \
  of(void, chafa_symbol_map_unref, (void *))                                                       \
  of(void, chafa_symbol_map_add_by_tags, (void *, int))                                            \
  of(void *, chafa_canvas_config_new, (void))                                                      \
  of(void, chafa_canvas_config_unref, (void *))                                                    \
  of(void, chafa_canvas_config_set_geometry, (void *, int, int))                                   \
  of(void, chafa_canvas_config_set_cell_geometry, (void *, int, int))                              \
  of(void, chafa_canvas_config_set_canvas_mode, (void *, int))                                     \
  of(void, chafa_canvas_config_set_pixel_mode, (void *, int))                                      \
  of(void, chafa_canvas_config_set_symbol_map, (void *, void *))                                   \
  of(void, chafa_canvas_config_set_optimizations, (void *, int))                                   \
  of(void *, chafa_canvas_new, (void *))                                                           \
  of(void, chafa_canvas_unref, (void *))                                                           \
  of(void, chafa_canvas_draw_all_pixels, (void *, int, const uint8_t *, int, int, int))            \
  of(chafa_string *, chafa_canvas_print, (void *, void *))                                         \
  of(void *, chafa_term_db_get_default, (void))                                                    \
  of(void *, chafa_term_db_get_fallback_info, (void *))                                            \
  of(void, chafa_term_info_unref, (void *))                                                        \
  of(char *, g_string_free, (chafa_string *, int))

#define MEMBER(result, name, parameters) result(*name) parameters;
static struct {
  FUNCTIONS(MEMBER)
} library;
static bool is_found;

static void look(void) {
  void *handle = dlopen("libchafa.so.0", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
  // A function of one of the libraries that it needs is found by its handle as well.
#define LOOK(result, name, parameters)                                                             \
  *(void **)&library.name = dlsym(handle, #name);                                                  \
  if (library.name == NULL) return;
  FUNCTIONS(LOOK)
  is_found = true;
}

bool dex_chafa_is_found(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, look);
  return is_found;
}

char *dex_chafa_draw(
    const uint8_t *pixels, int width, int height, int columns, int rows, int style, size_t *count) {
  if (!dex_chafa_is_found()) return NULL;
  void *symbols = library.chafa_symbol_map_new();
  library.chafa_symbol_map_add_by_tags(symbols, SYMBOLS);
  void *config = library.chafa_canvas_config_new();
  library.chafa_canvas_config_set_geometry(config, columns, rows);
  library.chafa_canvas_config_set_cell_geometry(config, width / columns, height / rows);
  library.chafa_canvas_config_set_optimizations(config, REUSE_ATTRIBUTES);
  library.chafa_canvas_config_set_canvas_mode(
      config, style == DEX_CHAFA_HALVES_240 ? MODE_240_COLORS : MODE_TRUE_COLOR);
  library.chafa_canvas_config_set_pixel_mode(
      config, style == DEX_CHAFA_SIXELS ? DRAW_SIXELS : DRAW_SYMBOLS);
  library.chafa_canvas_config_set_symbol_map(config, symbols);
  void *canvas = library.chafa_canvas_new(config);
  library.chafa_canvas_draw_all_pixels(
      canvas, PIXELS_RGBA_UNASSOCIATED, pixels, width, height, 4 * width);
  void *terminal = library.chafa_term_db_get_fallback_info(library.chafa_term_db_get_default());
  chafa_string *string = library.chafa_canvas_print(canvas, terminal);
  char *copy = NULL;
  *count = 0;
  if (string != NULL) {
    // The library frees with its own allocator, and so its bytes are copied.
    copy = malloc(string->count + 1);
    if (copy != NULL) {
      memcpy(copy, string->text, string->count);
      *count = string->count;
    }
    library.g_string_free(string, 1);
  }
  library.chafa_term_info_unref(terminal);
  library.chafa_canvas_unref(canvas);
  library.chafa_canvas_config_unref(config);
  library.chafa_symbol_map_unref(symbols);
  return copy;
}
