// Signals as events that a program looks at when it can, beside what is typed.
#include "CDexShim.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

static dex_events events = {.pipe = {-1, -1}};
static int fatal_signal;

static void note(int signal_number) {
  int event = DEX_EVENT_END;
  switch (signal_number) {
    case SIGINT: event = DEX_EVENT_INTERRUPT; break;
    case SIGWINCH: event = DEX_EVENT_RESIZE; break;
    case SIGTSTP: event = DEX_EVENT_STOP; break;
    default: __atomic_store_n(&fatal_signal, signal_number, __ATOMIC_RELAXED);
  }
  dex_events_post(&events, event);
}

static void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, NULL);
}

int dex_watch_interrupts(void) {
  int result = dex_events_open(&events);
  if (result == 0) handle(SIGINT, note);
  return result;
}

void dex_watch_editing(bool is_editing) {
  static const int all[] = {SIGWINCH, SIGTSTP, SIGTERM, SIGHUP, SIGQUIT};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct sigaction now;
    sigaction(all[i], NULL, &now);
    // What whoever started the program wants ignored stays so.
    if (now.sa_handler != SIG_IGN) handle(all[i], is_editing ? note : SIG_DFL);
  }
}

bool dex_is_interrupted(void) {
  return dex_events_seen(&events) & DEX_EVENT_INTERRUPT;
}

int dex_take_events(void) { return (int)dex_events_take(&events); }

int dex_wait_for_input(int descriptor, int milliseconds) {
  for (;;) {
    int found = dex_take_events();
    if (found) return found;
    struct pollfd both[2] = {
        {.fd = descriptor, .events = POLLIN}, {.fd = events.pipe[0], .events = POLLIN}};
    int count = poll(both, 2, milliseconds);
    if (count < 0 && errno != EINTR) return -errno;
    if (count == 0) return 0;
    if (count > 0 && both[0].revents && !both[1].revents) return DEX_EVENT_INPUT;
  }
}

bool dex_has_input(int descriptor) {
  while (!dex_is_interrupted() && dex_interrupt_seen() == 0) {
    struct pollfd both[2] = {
        {.fd = descriptor, .events = POLLIN}, {.fd = events.pipe[0], .events = POLLIN}};
    // Outside the shell a signal wakes nobody who is about to wait, so no wait is a long one.
    int count = poll(both, 2, 200);
    if (count < 0 && errno != EINTR) return true;
    if (count > 0 && both[0].revents) return true;
    dex_events_quiet(&events);
  }
  return false;
}

void dex_stop_here(void) {
  handle(SIGTSTP, SIG_DFL);
  raise(SIGTSTP);
  handle(SIGTSTP, note);
}

void dex_end_by_signal(void) {
  int number = __atomic_load_n(&fatal_signal, __ATOMIC_RELAXED);
  if (number == 0) return;
  handle(number, SIG_DFL);
  raise(number);
}
