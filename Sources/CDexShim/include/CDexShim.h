#ifndef CDEXSHIM_H
#define CDEXSHIM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What Swift cannot say, or the Glibc module does not show. Calls to the system answer with a
// number that is not negative, or with the negated `errno`; they go on after EINTR.

// Memory (memory.c)

static inline __attribute__((always_inline)) void dex_prefetch(const void *_Nonnull p) {
  __builtin_prefetch(p, 0, 3);
}

/// The index of the first of `count` little-endian words of 8 bytes at `p` that lies in
/// `least`...`most`, where 0 < `least`; `count` where there is none.
size_t dex_find_word(const void *_Nonnull p, size_t count, uint64_t least, uint64_t most);

/// Memory of `byte_count` bytes, from 2 MiB on in huge pages where the system has them; aborts where
/// there is none.
void *_Nonnull dex_slab_allocate(size_t byte_count);
void dex_slab_free(void *_Nonnull slab);

// Checksums (crc32c.c)

/// CRC-32C of `n` bytes, going on from `crc` (0 at the start).
uint32_t dex_crc32c(uint32_t crc, const void *_Nonnull p, size_t n);

/// The same by tables, on any machine; for tests.
uint32_t dex_crc32c_portable(uint32_t crc, const void *_Nonnull p, size_t n);

// Containers (containers.c)

/// A set of numbers below 8192.
///
/// An array has `count` numbers, ascending; runs are `count` pairs of a first number and how many
/// follow it; a bitmap has 1024 bytes. Numbers have 16 bits, little-endian, at any address.
typedef struct dex_container {
  const void *_Nonnull bytes;
  uint32_t count;
  uint8_t kind;
} dex_container;

enum { DEX_ARRAY = 1, DEX_BITMAP = 2, DEX_RUNS = 3 };
enum { DEX_AND = 0, DEX_OR = 1, DEX_AND_NOT = 2 };

/// Combines two sound containers; `out`, of 128 words, gets an array or a bitmap, as `kind` says.
///
/// Returns how many numbers the result has; without `out`, only that.
uint32_t dex_container_combine(
    int operation, dex_container a, dex_container b, uint64_t *_Nullable out,
    uint8_t *_Nonnull kind);
/// How many numbers the container has.
uint32_t dex_container_count(dex_container c);
/// True where the numbers of the container ascend and are below 8192, and where there are any.
bool dex_container_is_sound(dex_container c);
/// Sets the bits of the container's numbers in a bitmap of 128 words.
void dex_container_add(dex_container c, uint64_t *_Nonnull words);
/// One step of comparing numbers in slices of bits with two bounds, from the lowest slice up.
///
/// `at_least` and `at_most` are bitmaps of 128 words: the rows whose lower bits pass each bound.
void dex_container_compare_slice(
    dex_container c, bool lower_bit, bool upper_bit, uint64_t *_Nonnull at_least,
    uint64_t *_Nonnull at_most);
/// The numbers of a bitmap, at most 8192; returns how many.
uint32_t dex_bitmap_extract(const void *_Nonnull bitmap, uint16_t *_Nonnull out);
/// How many runs a bitmap has; up to 256 of them go to `out`, as pairs.
uint32_t dex_bitmap_runs(const uint64_t *_Nonnull words, uint16_t *_Nullable out);

// Descriptors and fork (descriptors.c)

/// How many forks lie between this process and the one that was started as a program.
///
/// A descriptor from an earlier generation is closed, and its number may be another file's.
static inline __attribute__((always_inline)) uint32_t dex_fork_generation(void) {
  extern uint32_t dex_fork_generation_word;
  return __atomic_load_n(&dex_fork_generation_word, __ATOMIC_RELAXED);
}

typedef enum dex_open_mode {
  DEX_OPEN_READ_ONLY = 0,
  DEX_OPEN_READ_WRITE = 1,
  DEX_OPEN_CREATE_NEW = 2,
  DEX_OPEN_OR_CREATE = 3,
  DEX_OPEN_DIRECTORY = 4,
} dex_open_mode;

/// Opens `path`: a descriptor of 3 or more, closed by exec, and closed in a forked child.
int dex_open(const char *_Nonnull path, int mode, uint32_t permissions);

/// Opens a file without a name in the file system of `folder`, which goes when it is closed.
int dex_open_nameless(const char *_Nonnull folder, uint32_t permissions);
/// Gives a file without a name the name `path`; -EEXIST where that is taken. Needs /proc.
int dex_give_name(int descriptor, const char *_Nonnull path);
/// A nameless file in memory; the descriptor is as from `dex_open`.
int dex_open_memory(const char *_Nonnull name, uint32_t permissions);

/// A second open file on the file of `descriptor`, as by another `open`; needs /proc.
int dex_reopen(int descriptor, bool writable);

/// A second descriptor of the same open file.
int dex_duplicate(int descriptor);

/// Closes a descriptor that came from one of the above.
int dex_close(int descriptor);

/// How many descriptors are open now that came from the above; for tests.
size_t dex_open_count(void);

// Pictures (chafa.c)

typedef enum dex_chafa_style {
  DEX_CHAFA_SIXELS,
  DEX_CHAFA_HALVES,
  DEX_CHAFA_HALVES_240,
} dex_chafa_style;

/// True where libchafa is installed, with all that is needed of it; looks once.
bool dex_chafa_is_found(void);
/// What shows a picture of `columns` by `rows` cells of as many pixels each, four bytes to a pixel.
///
/// The bytes are to be freed; NULL without the library, or without memory.
char *_Nullable dex_chafa_draw(
    const uint8_t *_Nonnull pixels, int width, int height, int columns, int rows, int style,
    size_t *_Nonnull count);

// Files (files.c)

typedef struct dex_status {
  uint64_t device, inode, link_count;
  int64_t byte_count;
  uint32_t permissions;
  bool is_directory;
} dex_status;

int dex_stat(int descriptor, dex_status *_Nonnull status);
/// How long the plain file is that `path` leads to; negative where there is none.
int64_t dex_byte_count(const char *_Nonnull path);
/// 1 where `path` leads to something, 0 where it does not.
int dex_exists(const char *_Nonnull path);

// What has the name `path`, without following a link; or a negated errno.
typedef enum dex_kind {
  DEX_KIND_NONE,
  DEX_KIND_FILE,
  DEX_KIND_FOLDER,
  DEX_KIND_PIPE,
  DEX_KIND_SOCKET,
  DEX_KIND_LINK,
  DEX_KIND_DEVICE,
} dex_kind_number;
int dex_kind(const char *_Nonnull path);

// An errno's name and what it says in English; NULL for a number that is none.
const char *_Nullable dex_errno_name(int number);
const char *_Nullable dex_errno_text(int number);
ssize_t dex_pread(int descriptor, void *_Nonnull p, size_t n, int64_t offset);
ssize_t dex_pwrite(int descriptor, const void *_Nonnull p, size_t n, int64_t offset);
// The first offset from `offset` on where the file has data, or -ENXIO where there is only a hole.
int64_t dex_next_data(int descriptor, int64_t offset);
int dex_fdatasync(int descriptor);
/// Begins to write the file's dirty pages of that range to the disk, and does not wait for it.
int dex_start_writing(int descriptor, int64_t offset, int64_t byte_count);
int dex_fsync(int descriptor);
int dex_ftruncate(int descriptor, int64_t byte_count);
/// Makes the file `byte_count` long, with blocks for all that is added, or leaves it as it was.
int dex_allocate(int descriptor, int64_t byte_count);
/// Gives the blocks of that range back; it reads as zeros then, and the file stays as long as it is.
int dex_discard(int descriptor, int64_t offset, int64_t byte_count);
int dex_unlink(const char *_Nonnull path);
int dex_rename(const char *_Nonnull from, const char *_Nonnull to, bool replacing);
/// The target of a symbolic link, not terminated; its length, which is below `n`.
ssize_t dex_readlink(const char *_Nonnull path, char *_Nonnull p, size_t n);
/// The path without links, terminated, in `p` of at least 4096 bytes.
int dex_realpath(const char *_Nonnull path, char *_Nonnull p);

/// Takes (1 shared, 2 exclusive) or frees (0) an open-file-description lock; 1 where held by another.
int dex_lock(int descriptor, int kind, int64_t offset);
/// 1 where another open file holds a lock that conflicts with `kind`.
int dex_lock_conflicts(int descriptor, int kind, int64_t offset);

/// Maps a file from its start, shared; at an address aligned to 2 MiB where it is that long.
int dex_map(
    int descriptor, size_t byte_count, bool writable, void *_Nullable *_Nonnull base);
/// Reserves zeroed memory that costs nothing until it is touched, and that `dex_map_again` shares.
int dex_map_memory(size_t byte_count, void *_Nullable *_Nonnull base);
/// Maps the same memory a second time, at an address as `dex_map` chooses it.
///
/// Of the mapping's `byte_count`, no more than the first `memory_byte_count` may be touched.
int dex_map_again(
    void *_Nonnull memory, size_t memory_byte_count, size_t byte_count, bool writable,
    void *_Nullable *_Nonnull base);
/// The same, which a forked child gets a copy of.
int dex_map_private(size_t byte_count, void *_Nullable *_Nonnull base);
/// Lays private zeroed memory over mapped pages.
int dex_map_over(void *_Nonnull base, size_t byte_count);
void dex_unmap(void *_Nonnull base, size_t byte_count);

// Processes and time (processes.c)

/// How many processors this process may use.
int dex_core_count(void);

/// Sleeps while `*word == expected`, for at most `nanoseconds`, or until woken; also by others.
void dex_futex_wait(void *_Nonnull word, uint32_t expected, uint64_t nanoseconds);
/// Wakes all who sleep on `word`, in every process.
void dex_futex_wake(void *_Nonnull word);
uint64_t dex_random(void);
uint64_t dex_nanoseconds(void);
int32_t dex_getpid(void);
int32_t dex_gettid(void);
/// 1 where the process exists and is not stopped, as far as one can see.
int dex_is_responding(int32_t process);

// Terminals (terminal.c)

/// The columns of the terminal, shifted left by 16, and its rows.
int dex_terminal_size(int descriptor);
/// Runs a command of the shell with these bytes as its input; -1 where it could not be run.
int dex_page(const char *_Nonnull command, const void *_Nonnull p, size_t n);
/// The names in a folder, each with a zero behind it, and their length; to be freed.
char *_Nullable dex_list(const char *_Nonnull path, size_t *_Nonnull n);

// Events (events.c)

/// Bits that signal handlers and threads post, and that a loop takes; a byte in a pipe wakes it.
typedef struct dex_events {
  unsigned bits;
  int pipe[2];
} dex_events;

/// Makes the pipe, where there is none yet (-1); 0 or a negated errno.
int dex_events_open(dex_events *_Nonnull events);
/// Adds a bit; may be called by any thread and by a handler of signals.
void dex_events_post(dex_events *_Nonnull events, unsigned bit);
/// The bits that were posted and not taken yet.
unsigned dex_events_seen(const dex_events *_Nonnull events);
/// Lets what was posted wake nobody any more, and leaves it to be taken.
void dex_events_quiet(dex_events *_Nonnull events);
/// Takes them: what is posted meanwhile is found by the next call, for which its byte waits.
unsigned dex_events_take(dex_events *_Nonnull events);

// Screens (screen.c)

// What a wait may find; any of them at once.
typedef enum dex_screen_news {
  DEX_SCREEN_INPUT = 1,
  DEX_SCREEN_RESIZED = 2,
  DEX_SCREEN_STOPPED = 4,
  DEX_SCREEN_CONTINUED = 8,
  DEX_SCREEN_WOKEN = 16,
  DEX_SCREEN_ENDED = 32,
} dex_screen_news;

/// Remembers how the terminal and the handling of signals are now; 0 or a negated errno.
int dex_screen_begin(int terminal);
/// From now on, what ends the program first writes these bytes and puts the terminal back; until
/// then, one that knows how marks what is pasted by `ESC[200~` and `ESC[201~`.
void dex_screen_guard(const char *_Nonnull restore, size_t n, bool marks_pastes);
/// The terminal does not show the screen for a while, and has been put back.
void dex_screen_hide(void);
/// It does again.
void dex_screen_show(void);
/// Handles signals, and sets the terminal, as before the screen.
void dex_screen_end(void);
/// Stops the process as a key that suspends does; returns when it goes on.
void dex_screen_stop(void);
/// Ends a wait; may be called by any thread.
void dex_screen_wake(void);
/// True where the next wait would find input, an end, or a signal for the screen; a wake does not
/// count, since nobody who commits asks for anything.
bool dex_screen_is_asked(int input);
/// Waits for input or news; -1 milliseconds is for ever. A set of `dex_screen_news`.
int dex_screen_wait(int input, int milliseconds);
/// Runs a program on the terminal; its exit code, 128 and the signal that ended it, or a negated
/// errno where it could not be run. The last argument is followed by NULL.
int dex_run_program(
    const char *_Nonnull path, const char *_Nullable const *_Nonnull arguments);

// Signals (signals.c)

enum {
  DEX_EVENT_INPUT = 1,
  DEX_EVENT_INTERRUPT = 2,
  DEX_EVENT_RESIZE = 4,
  DEX_EVENT_STOP = 8,
  DEX_EVENT_END = 16,
};

/// From now on SIGINT ends nothing, and is an event.
int dex_watch_interrupts(void);
/// While a line is edited, a new size of the terminal, a stop and an end are events too.
void dex_watch_editing(bool is_editing);
/// True from an interrupt on until the events are taken.
bool dex_is_interrupted(void);
/// The events since they were last taken.
int dex_take_events(void);
/// Waits for input or events; the events, DEX_EVENT_INPUT, or 0 once the time is over (-1: never).
int dex_wait_for_input(int descriptor, int milliseconds);
/// Waits for input; false where an interrupt came before it, which stays an event.
bool dex_has_input(int descriptor);
/// Stops the process as SIGTSTP does, and returns when it goes on.
void dex_stop_here(void);
/// Ends the process by the signal that was an event.
void dex_end_by_signal(void);

// For tests (tests.c)

/// `fork`, which Swift may not call.
pid_t dex_fork_for_tests(void);
/// Opens a new terminal's other side; the terminal's path is in `path`.
int dex_open_terminal_for_tests(char *_Nonnull path, size_t n);
/// Mounts an empty file system of that size in memory at `path`, for the calling thread alone.
int dex_mount_memory_for_tests(const char *_Nonnull path, size_t byte_count);
/// Runs a program on a terminal of its own; a descriptor of the terminal's other side.
int dex_spawn_on_terminal_for_tests(
    const char *_Nonnull program, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment, const char *_Nonnull folder, int columns, int rows,
    pid_t *_Nonnull child);
/// Gives the terminal another size, of which its programs are told.
int dex_resize_terminal_for_tests(int terminal, int columns, int rows);

// Interrupts (interrupts.c)

/// From now on the first SIGINT, SIGTERM, SIGHUP or SIGQUIT is only remembered, and the next one ends
/// the process at once.
void dex_interrupt_catch(void);

/// The signal that came; 0 where none did.
int dex_interrupt_seen(void);

/// Ends the process by the signal that came.
void dex_interrupt_end(void);

/// From now on SIGQUIT ends the process as it always does, and is not taken for a crash.
void dex_quit_plainly(void);

/// From now on, writing to a pipe that nobody reads fails, and does not end the process.
void dex_ignore_broken_pipes(void);

/// Waits for so long, or until a signal comes.
void dex_sleep(uint64_t nanoseconds);

#endif
