// What signals and threads tell a loop that waits for input too.
#include "CDexShim.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int dex_events_open(dex_events *events) {
  if (events->pipe[0] >= 0) return 0;
  return pipe2(events->pipe, O_NONBLOCK | O_CLOEXEC) == 0 ? 0 : -errno;
}

void dex_events_post(dex_events *events, unsigned bit) {
  int code = errno;
  // A signal is handled by any thread, beside others that post.
  __atomic_fetch_or(&events->bits, bit, __ATOMIC_RELEASE);
  ssize_t count = write(events->pipe[1], "", 1);
  (void)count;  // a full pipe wakes as well
  errno = code;
}

unsigned dex_events_seen(const dex_events *events) {
  return __atomic_load_n(&events->bits, __ATOMIC_ACQUIRE);
}

void dex_events_quiet(dex_events *events) {
  char bytes[64];
  while (events->pipe[0] >= 0 && read(events->pipe[0], bytes, sizeof bytes) > 0) {
  }
}

unsigned dex_events_take(dex_events *events) {
  dex_events_quiet(events);
  return __atomic_exchange_n(&events->bits, 0, __ATOMIC_ACQ_REL);
}
