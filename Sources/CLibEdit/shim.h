#ifndef CLIBEDIT_SHIM_H
#define CLIBEDIT_SHIM_H

// The line editor. Its calls with a variable number of arguments cannot be imported by Swift, and
// what it calls back must be C: both are here, as functions that are inlined into their callers.
#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { DEX_LINE_READ = 0, DEX_LINE_INTERRUPTED = 1, DEX_LINE_END = 2, DEX_LINE_SIGNAL = 3 };

/// What an editor asks its owner for; each gets the owner's context.
typedef struct dex_editor_calls {
  /// Waits as `dex_wait_for_input` does.
  int (*_Nonnull wait)(int descriptor, int milliseconds);
  void (*_Nonnull watch)(bool is_editing);
  void (*_Nonnull stop)(void);
  /// Completes the line; returns what the editor is to do then (`CC_…`).
  unsigned char (*_Nonnull complete)(void *_Nullable context);
} dex_editor_calls;

/// A line editor on the terminal that is standard input.
typedef struct dex_editor {
  EditLine *_Nullable line;
  History *_Nullable history;
  dex_editor_calls calls;
  void *_Nullable context;
  /// Bytes that were read and not yet understood.
  unsigned char bytes[16];
  int byte_count;
  /// A character that follows the one just given out.
  wchar_t next;
  int outcome;
  bool is_pasting;
  bool knows_paste;
  char prompt[64];
} dex_editor;

static inline void dex_editor_write(const char *_Nonnull text) {
  ssize_t count = write(1, text, strlen(text));
  (void)count;
}

static inline dex_editor *_Nonnull dex_editor_of(EditLine *_Nonnull line) {
  void *owner = NULL;
  el_get(line, EL_CLIENTDATA, &owner);
  return (dex_editor *)owner;
}

static inline void dex_editor_set_raw(dex_editor *_Nonnull editor, bool is_raw) {
  if (!is_raw && editor->knows_paste) dex_editor_write("\x1b[?2004l");
  el_set(editor->line, EL_PREP_TERM, (int)is_raw);
  if (is_raw && editor->knows_paste) dex_editor_write("\x1b[?2004h");
}

/// The next byte, waiting for it no longer than told; -1 where there is none.
static inline int dex_editor_byte(dex_editor *_Nonnull editor, int milliseconds) {
  for (;;) {
    int event = editor->calls.wait(0, milliseconds);
    if (event == 0) return -1;
    if (event < 0 || event & 16) {
      editor->outcome = event < 0 ? DEX_LINE_END : DEX_LINE_SIGNAL;
      return -1;
    }
    if (event & 2) {
      editor->outcome = DEX_LINE_INTERRUPTED;
      return -1;
    }
    if (event & 4) el_resize(editor->line);
    if (event & 8) {
      dex_editor_set_raw(editor, false);
      editor->calls.stop();
      dex_editor_set_raw(editor, true);
      el_set(editor->line, EL_REFRESH);
    }
    if (!(event & 1)) continue;
    unsigned char byte;
    ssize_t count = read(0, &byte, 1);
    if (count == 1) return byte;
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    editor->outcome = DEX_LINE_END;
    return -1;
  }
}

/// True where `mark` comes next; what was read of something else is given out later.
static inline bool dex_editor_takes(dex_editor *_Nonnull editor, const char *_Nonnull mark) {
  int length = (int)strlen(mark);
  int count = 0;
  while (count < length) {
    int byte = dex_editor_byte(editor, 50);
    if (byte < 0) break;
    editor->bytes[count++] = (unsigned char)byte;
    if (byte != (unsigned char)mark[count - 1]) break;
  }
  if (count == length && memcmp(editor->bytes, mark, (size_t)length) == 0) return true;
  editor->byte_count = count;
  return false;
}

/// A character that is pasted: never a command of the editor, and never the end of the line.
static inline int dex_editor_paste(
    dex_editor *_Nonnull editor, wchar_t character, wchar_t *_Nonnull out) {
  if (character == L'\t') character = L' ';
  if (character == L'\r') character = L'\n';
  if (character == L'\n') {
    *out = 22;  // the command that takes the next character as it is
    editor->next = character;
    return 1;
  }
  if (character < 32 || (character >= 127 && character < 160)) return 0;
  *out = character;
  return 1;
}

/// Gives the editor its next character; 1, or -1 where the line ends otherwise.
static inline int dex_editor_character(EditLine *_Nonnull line, wchar_t *_Nonnull out) {
  dex_editor *editor = dex_editor_of(line);
  if (editor->next) {
    *out = editor->next;
    editor->next = 0;
    return 1;
  }
  mbstate_t state;
  memset(&state, 0, sizeof state);
  for (;;) {
    int byte;
    if (editor->byte_count > 0) {
      byte = editor->bytes[0];
      memmove(editor->bytes, editor->bytes + 1, (size_t)--editor->byte_count);
    } else {
      byte = dex_editor_byte(editor, -1);
      if (byte < 0) return -1;
      if (byte == 27) {
        if (dex_editor_takes(editor, editor->is_pasting ? "[201~" : "[200~")) {
          editor->is_pasting = !editor->is_pasting;
          continue;
        }
        if (editor->outcome != DEX_LINE_READ) return -1;
        if (editor->is_pasting) continue;
      }
    }
    char narrow = (char)byte;
    wchar_t character;
    size_t length = mbrtowc(&character, &narrow, 1, &state);
    if (length == (size_t)-2) continue;
    if (length == (size_t)-1) {
      memset(&state, 0, sizeof state);
      continue;
    }
    if (editor->is_pasting) {
      if (dex_editor_paste(editor, character, out)) return 1;
      continue;
    }
    *out = character;
    return 1;
  }
}

static inline char *_Nonnull dex_editor_prompt(EditLine *_Nonnull line) {
  return dex_editor_of(line)->prompt;
}

static inline unsigned char dex_editor_complete(EditLine *_Nonnull line, int key) {
  (void)key;
  dex_editor *editor = dex_editor_of(line);
  return editor->calls.complete(editor->context);
}

/// An editor, or NULL where the terminal allows none.
static inline dex_editor *_Nullable dex_editor_make(
    const char *_Nonnull program, const char *_Nonnull prompt, int history_count,
    bool knows_paste, dex_editor_calls calls, void *_Nullable context) {
  setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
  dex_editor *editor = (dex_editor *)calloc(1, sizeof *editor);
  if (editor == NULL) return NULL;
  editor->calls = calls;
  editor->context = context;
  editor->knows_paste = knows_paste;
  snprintf(editor->prompt, sizeof editor->prompt, "%s", prompt);
  editor->line = el_init(program, stdin, stdout, stderr);
  if (editor->line == NULL) {
    free(editor);
    return NULL;
  }
  HistEvent event;
  editor->history = history_init();
  if (editor->history != NULL) {
    history(editor->history, &event, H_SETSIZE, history_count);
    el_set(editor->line, EL_HIST, history, editor->history);
  }
  el_set(editor->line, EL_CLIENTDATA, editor);
  el_set(editor->line, EL_PROMPT, dex_editor_prompt);
  el_set(editor->line, EL_EDITOR, "emacs");
  el_set(editor->line, EL_SIGNAL, 0);
  el_set(editor->line, EL_GETCFN, dex_editor_character);
  el_set(editor->line, EL_ADDFN, "dex-complete", "complete the word", dex_editor_complete);
  el_set(editor->line, EL_BIND, "^I", "dex-complete", NULL);
  el_set(editor->line, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_set(editor->line, EL_BIND, "\\e[1~", "ed-move-to-beg", NULL);
  el_set(editor->line, EL_BIND, "\\e[4~", "ed-move-to-end", NULL);
  el_set(editor->line, EL_BIND, "\\e[3~", "ed-delete-next-char", NULL);
  el_set(editor->line, EL_BIND, "\\e[1;5C", "em-next-word", NULL);
  el_set(editor->line, EL_BIND, "\\e[1;5D", "ed-prev-word", NULL);
  return editor;
}

static inline void dex_editor_free(dex_editor *_Nonnull editor) {
  el_end(editor->line);
  if (editor->history != NULL) history_end(editor->history);
  free(editor);
}

/// Reads a line; NULL where there is none, and then `outcome` says why.
static inline const char *_Nullable dex_editor_read(
    dex_editor *_Nonnull editor, int *_Nonnull outcome) {
  editor->outcome = DEX_LINE_READ;
  editor->byte_count = 0;
  editor->next = 0;
  editor->is_pasting = false;
  editor->calls.watch(true);
  // Before the prompt, so that what is typed at once is not echoed by the terminal as well.
  dex_editor_set_raw(editor, true);
  int count = 0;
  const char *text = el_gets(editor->line, &count);
  if (editor->knows_paste) dex_editor_write("\x1b[?2004l");
  if (editor->outcome != DEX_LINE_READ) el_set(editor->line, EL_PREP_TERM, 0);
  editor->calls.watch(false);
  if (editor->outcome == DEX_LINE_READ && (text == NULL || count <= 0)) {
    editor->outcome = DEX_LINE_END;
  }
  *outcome = editor->outcome;
  return editor->outcome == DEX_LINE_READ ? text : NULL;
}

static inline void dex_editor_remember(dex_editor *_Nonnull editor, const char *_Nonnull line) {
  HistEvent event;
  if (editor->history != NULL) history(editor->history, &event, H_ENTER, line);
}

static inline void dex_editor_forget(dex_editor *_Nonnull editor) {
  HistEvent event;
  if (editor->history != NULL) history(editor->history, &event, H_CLEAR);
}

/// The text of the line, not terminated; and how many of its bytes lie before the cursor.
static inline const char *_Nonnull dex_editor_text(
    dex_editor *_Nonnull editor, size_t *_Nonnull byte_count, size_t *_Nonnull cursor) {
  const LineInfo *info = el_line(editor->line);
  *byte_count = (size_t)(info->lastchar - info->buffer);
  *cursor = (size_t)(info->cursor - info->buffer);
  return info->buffer;
}

/// Puts `text` in the place of the `count` characters before the cursor.
static inline void dex_editor_replace(
    dex_editor *_Nonnull editor, int count, const char *_Nonnull text) {
  if (count > 0) el_deletestr(editor->line, count);
  el_insertstr(editor->line, text);
}

#endif
