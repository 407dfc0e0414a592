// Ending by a signal, but in one's own time.
#include "CDexShim.h"
#include <signal.h>
#include <time.h>

static volatile sig_atomic_t seen;

// When each signal came first, and how long the same one again may be its echo: a parent that is
// killed says so once for each of its threads.
static volatile uint64_t came[65];
static const uint64_t echo = 500000000;

static void remember(int number) {
  uint64_t now = dex_nanoseconds();
  if (came[number] == 0) {
    came[number] = now;
    seen = number;
    return;
  }
  if ((number == SIGTERM || number == SIGHUP) && now - came[number] < echo) return;
  // The next one does what it always does.
  signal(number, SIG_DFL);
  raise(number);
}

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void dex_interrupt_catch(void) {
  struct sigaction action = {.sa_handler = remember, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
    struct sigaction before;
    // What was ignored when the program was started stays so, as nohup wants it.
    if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    came[caught[i]] = 0;
    sigaction(caught[i], &action, NULL);
  }
}

int dex_interrupt_seen(void) { return seen; }

void dex_interrupt_end(void) {
  if (seen == 0) return;
  signal(seen, SIG_DFL);
  raise(seen);
}

void dex_quit_plainly(void) {
  struct sigaction before;
  if (sigaction(SIGQUIT, NULL, &before) == 0 && before.sa_handler == SIG_IGN) return;
  signal(SIGQUIT, SIG_DFL);
}

void dex_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

void dex_sleep(uint64_t nanoseconds) {
  struct timespec time = {
      .tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)};
  nanosleep(&time, NULL);
}
