#ifndef CNCURSESW_SHIM_H
#define CNCURSESW_SHIM_H

// The wide-character screen library, with functions where it has macros.
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#define NCURSES_NOMACROS 1
#define NCURSES_OPAQUE 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

// From term.h, whose many macros have the names of ordinary things.
extern NCURSES_EXPORT(int) setupterm(const char *, int, int *);
extern NCURSES_EXPORT(char *) tigetstr(const char *);

/// True where the terminal called `name` can do all that a screen needs.
static inline bool nc_can_show_screens(const char *name, int descriptor) {
  int error = 0;
  if (setupterm(name, descriptor, &error) != OK) return false;
  char *place = tigetstr("cup"), *clear = tigetstr("clear");
  return place != NULL && place != (char *)-1 && clear != NULL && clear != (char *)-1;
}

/// A string by which the present terminal does something, or NULL.
static inline const char *nc_capability(const char *name) {
  const char *text = tigetstr((char *)name);
  return text == (const char *)-1 ? NULL : text;
}

/// Chooses how characters are written; true where that is UTF-8.
static inline bool nc_use_characters(void) {
  const char *name = setlocale(LC_CTYPE, "");
  // A locale that nobody chose says nothing of the terminal.
  bool is_plain = name == NULL || (name[0] == 'C' && name[1] == 0)
      || (name[0] == 'P' && name[1] == 'O');
  if (is_plain) setlocale(LC_CTYPE, "C.UTF-8");
  const char *codes = nl_langinfo(CODESET);
  return codes[0] == 'U' && codes[1] == 'T' && codes[2] == 'F';
}

// Numbers of keys that the library does not use itself: what is pasted stands between them.
enum { NC_PASTE_BEGIN = 0x1000, NC_PASTE_END };

/// Takes the keys in both of the ways in which terminals send them, whatever they were told.
static inline void nc_know_keys(void) {
  static const struct { char letter; int code; } keys[] = {
      {'A', KEY_UP},   {'B', KEY_DOWN}, {'C', KEY_RIGHT},
      {'D', KEY_LEFT}, {'H', KEY_HOME}, {'F', KEY_END}};
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
    char text[] = {27, '[', keys[i].letter, 0};
    define_key(text, keys[i].code);
    text[1] = 'O';
    define_key(text, keys[i].code);
  }
  define_key("\033[200~", NC_PASTE_BEGIN);
  define_key("\033[201~", NC_PASTE_END);
}

static inline void nc_take_stop(int number) { (void)number; }

/// A screen of the library, which leaves it to the program to handle a stop.
///
/// Where nobody handles one yet, the library does, and ignores it while it draws.
static inline SCREEN *nc_new_screen(const char *terminal, FILE *output, FILE *input) {
  struct sigaction own = {.sa_handler = nc_take_stop, .sa_flags = SA_RESTART}, before;
  sigemptyset(&own.sa_mask);
  sigaction(SIGTSTP, &own, &before);
  SCREEN *screen = newterm(terminal, output, input);
  sigaction(SIGTSTP, &before, NULL);
  return screen;
}

static inline bool nc_open(const char *terminal, FILE *output, FILE *input) {
  if (nc_new_screen(terminal, output, input) == NULL) return false;
  cbreak();
  noecho();
  nonl();
  intrflush(stdscr, FALSE);
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  // Terminals send a key's bytes at once, and Esc, which is one of them, is to answer at once too.
  set_escdelay(5);
  nc_know_keys();
  curs_set(0);
  return true;
}

/// How many colours there are, from now on beside the terminal's own; 0 where there are none.
static inline int nc_start_colors(void) {
  if (!has_colors() || start_color() != OK) return 0;
  return use_default_colors() == OK ? COLORS : 0;
}

extern int wcwidth(wchar_t);
/// The columns that the library counts for a character; -1 where it does not know it.
static inline int nc_width(uint32_t character) { return wcwidth((wchar_t)character); }

/// Puts a character of one or two columns, with its marks, in colours; -1 is the terminal's own.
static inline void nc_put(
    int row, int column, const wchar_t *text, uint32_t attributes, int front, int back) {
  int pair = front == -1 && back == -1 ? 0 : alloc_pair(front, back);
  if (pair < 0) pair = 0;
  cchar_t cell;
  if (setcchar(&cell, text, attributes, 0, &pair) == OK) mvadd_wch(row, column, &cell);
}

static inline uint32_t nc_bold(void) { return A_BOLD; }
static inline uint32_t nc_faint(void) { return A_DIM; }
static inline uint32_t nc_reverse(void) { return A_REVERSE; }
static inline uint32_t nc_underline(void) { return A_UNDERLINE; }

/// Shows what was put; with the cursor at a place, or hidden where the row is negative.
static inline void nc_show(int row, int column) {
  curs_set(row >= 0);
  if (row >= 0) move(row, column);
  refresh();
}

/// What was typed: -1 for nothing, a character, or a key's number with its highest bit but one set.
///
/// The bytes of a character may come one by one: those that came are kept in `partial`.
static inline int64_t nc_key(mbstate_t *partial) {
  for (;;) {
    int code = getch();
    if (code == ERR) return -1;
    if (code > 0xFF) {
      memset(partial, 0, sizeof *partial);
      return (int64_t)code | 0x40000000;
    }
    char byte = (char)code;
    bool is_first = mbsinit(partial);
    wchar_t character = 0;
    size_t length = mbrtowc(&character, &byte, 1, partial);
    if (length == (size_t)-1) {
      memset(partial, 0, sizeof *partial);
      // It may begin a character, where it does not go on with one.
      if (!is_first) length = mbrtowc(&character, &byte, 1, partial);
      if (length == (size_t)-1) memset(partial, 0, sizeof *partial);
    }
    if (length < (size_t)-2) return (int64_t)character;
  }
}

static inline void nc_resize(int rows, int columns) { resizeterm(rows, columns); }
static inline void nc_redraw(void) { clearok(curscr, TRUE); }
static inline void nc_end(void) { endwin(); }

#endif
