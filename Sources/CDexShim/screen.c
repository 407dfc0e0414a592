#include "CDexShim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// What ends the program: asked for by a user, or found to be wrong by the processor.
static const int ends[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGILL,
                           SIGTRAP, SIGABRT, SIGBUS, SIGFPE,  SIGSEGV};
// What the loop of a screen is told of.
static const int news[] = {SIGWINCH, SIGTSTP, SIGCONT};

// How long after a signal the same one may be its echo, in nanoseconds.
static const uint64_t echo = 500000000;

enum { END_COUNT = sizeof ends / sizeof *ends, NEWS_COUNT = sizeof news / sizeof *news };

static struct {
  int terminal;
  struct termios modes;
  char restore[512];
  size_t restore_count;
  dex_events events;
  struct sigaction end_actions[END_COUNT], news_actions[NEWS_COUNT];
  // When the program was told of each of them, or 0.
  volatile uint64_t told[END_COUNT];
  // True while the terminal shows the screen, and so has to be put back.
  volatile sig_atomic_t is_shown;
  // The program that has the terminal meanwhile, or 0.
  volatile pid_t child;
  bool is_begun, marks_pastes;
} guard = {.terminal = -1, .events.pipe = {-1, -1}};

/// Has the terminal say where what is pasted begins and ends, or not any more.
static void mark_pastes(bool is_on) {
  if (!guard.marks_pastes) return;
  ssize_t count = write(guard.terminal, is_on ? "\x1b[?2004h" : "\x1b[?2004l", 8);
  (void)count;
}

static void put_back(void) {
  if (!guard.is_shown) return;
  guard.is_shown = 0;
  // A process in the background has no say in what the terminal shows.
  if (tcgetpgrp(guard.terminal) != getpgrp()) return;
  ssize_t count = write(guard.terminal, guard.restore, guard.restore_count);
  (void)count;
  mark_pastes(false);
  tcsetattr(guard.terminal, TCSANOW, &guard.modes);
}

/// Tells a program that wants to end in its own time; it closes the screen itself.
static bool is_told(int place, int number) {
  struct sigaction action = guard.end_actions[place];
  if (action.sa_flags & SA_SIGINFO) return false;
  if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return false;
  uint64_t now = dex_nanoseconds();
  if (guard.told[place] != 0) {
    // A parent that is killed says so once for each of its threads.
    if ((number == SIGTERM || number == SIGHUP) && now - guard.told[place] < echo) return true;
    // The next one ends it, and puts the terminal back.
    guard.end_actions[place] = (struct sigaction){.sa_handler = SIG_DFL};
    return false;
  }
  guard.told[place] = now;
  action.sa_handler(number);
  dex_events_post(&guard.events, DEX_SCREEN_WOKEN);
  return true;
}

/// Ends the program that has the terminal, and gives it the time to put that back.
static void end_child(int number) {
  pid_t child = guard.child;
  if (child <= 0 || kill(child, number) != 0) return;
  kill(child, SIGCONT);
  for (int i = 0; i < 200 && waitpid(child, NULL, WNOHANG) == 0; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  guard.child = 0;
}

static void on_end(int number) {
  int code = errno;
  end_child(number);
  for (int i = 0; i < END_COUNT; i++) {
    if (ends[i] != number) continue;
    if (is_told(i, number)) {
      errno = code;
      return;
    }
    put_back();
    sigaction(number, &guard.end_actions[i], NULL);
  }
  raise(number);
  errno = code;
}

static void on_news(int number) {
  dex_events_post(
      &guard.events, number == SIGWINCH  ? DEX_SCREEN_RESIZED
                     : number == SIGTSTP ? DEX_SCREEN_STOPPED
                                         : DEX_SCREEN_CONTINUED);
}

static void set(int number, void (*handler)(int), struct sigaction *before) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, before);
}

int dex_screen_begin(int terminal) {
  if (tcgetattr(terminal, &guard.modes) != 0) return -errno;
  int result = dex_events_open(&guard.events);
  if (result != 0) return result;
  guard.terminal = terminal;
  for (int i = 0; i < END_COUNT; i++) {
    guard.told[i] = 0;
    sigaction(ends[i], NULL, &guard.end_actions[i]);
  }
  for (int i = 0; i < NEWS_COUNT; i++) sigaction(news[i], NULL, &guard.news_actions[i]);
  return 0;
}

void dex_screen_guard(const char *restore, size_t n, bool marks_pastes) {
  guard.restore_count = n < sizeof guard.restore ? n : sizeof guard.restore;
  memcpy(guard.restore, restore, guard.restore_count);
  guard.marks_pastes = marks_pastes;
  guard.is_shown = 1;
  guard.is_begun = true;
  mark_pastes(true);
  // What was ignored when the program began, such as by nohup, stays so.
  for (int i = 0; i < END_COUNT; i++) {
    if (guard.end_actions[i].sa_handler != SIG_IGN) set(ends[i], on_end, NULL);
    else set(ends[i], SIG_IGN, NULL);
  }
  for (int i = 0; i < NEWS_COUNT; i++) set(news[i], on_news, NULL);
  // Who started the program may have had signals blocked, and passed that on.
  sigset_t wanted;
  sigemptyset(&wanted);
  for (int i = 0; i < END_COUNT; i++) sigaddset(&wanted, ends[i]);
  for (int i = 0; i < NEWS_COUNT; i++) sigaddset(&wanted, news[i]);
  pthread_sigmask(SIG_UNBLOCK, &wanted, NULL);
}

void dex_screen_hide(void) {
  mark_pastes(false);
  guard.is_shown = 0;
}

void dex_screen_show(void) {
  guard.is_shown = 1;
  mark_pastes(true);
}

void dex_screen_end(void) {
  guard.is_shown = 0;
  if (!guard.is_begun) return;
  guard.is_begun = false;
  mark_pastes(false);
  for (int i = 0; i < END_COUNT; i++) sigaction(ends[i], &guard.end_actions[i], NULL);
  for (int i = 0; i < NEWS_COUNT; i++) sigaction(news[i], &guard.news_actions[i], NULL);
  tcsetattr(guard.terminal, TCSANOW, &guard.modes);
}

void dex_screen_stop(void) {
  sigset_t set_of_stop, before;
  set(SIGTSTP, SIG_DFL, NULL);
  raise(SIGTSTP);
  // It may have come while it was blocked.
  sigemptyset(&set_of_stop);
  sigaddset(&set_of_stop, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &set_of_stop, &before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  set(SIGTSTP, on_news, NULL);
}

void dex_screen_wake(void) { dex_events_post(&guard.events, DEX_SCREEN_WOKEN); }

bool dex_screen_is_asked(int input) {
  struct pollfd polled = {.fd = input, .events = POLLIN};
  return (dex_events_seen(&guard.events) & ~DEX_SCREEN_WOKEN) != 0 || poll(&polled, 1, 0) > 0;
}

int dex_screen_wait(int input, int milliseconds) {
  struct pollfd polled[2] = {
      {.fd = input, .events = POLLIN}, {.fd = guard.events.pipe[0], .events = POLLIN}};
  int result = poll(polled, 2, milliseconds);
  if (result < 0 && errno != EINTR) return DEX_SCREEN_ENDED;
  int bits = 0;
  // A terminal that is gone has an end to read, and goes on having it.
  if (result > 0 && polled[0].revents & POLLIN) bits |= DEX_SCREEN_INPUT;
  if (result > 0 && polled[0].revents & ~POLLIN) bits |= DEX_SCREEN_ENDED;
  return bits | (int)dex_events_take(&guard.events);
}

/// Begins a program, which ends with this one, however that ends; 0 or an errno.
static int start(const char *path, char *const *arguments, pid_t *child) {
  int report[2], code = 0;
  if (pipe2(report, O_CLOEXEC) != 0) return errno;
  pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  // What comes before the new program is there must not be handled by this one's copy.
  pthread_sigmask(SIG_BLOCK, &all, &before);
  *child = fork();
  if (*child < 0) code = errno;
  if (*child == 0) {
    for (int i = 0; i < END_COUNT; i++) set(ends[i], SIG_DFL, NULL);
    for (int i = 0; i < NEWS_COUNT; i++) set(news[i], SIG_DFL, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    // It may have ended just before that.
    if (getppid() != parent) _exit(0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    execv(path, arguments);
    code = errno;
    ssize_t count = write(report[1], &code, sizeof code);
    (void)count;
    _exit(127);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(report[1]);
  if (*child > 0 && read(report[0], &code, sizeof code) == sizeof code) {
    waitpid(*child, NULL, 0);
  }
  close(report[0]);
  return code;
}

int dex_run_program(const char *path, const char *const *arguments) {
  // What is typed while it runs is meant for it; how it stops is seen below.
  static const int its[] = {SIGINT, SIGQUIT, SIGTSTP};
  enum { ITS_COUNT = sizeof its / sizeof *its };
  struct sigaction before[ITS_COUNT];
  for (int i = 0; i < ITS_COUNT; i++) set(its[i], SIG_IGN, &before[i]);
  pid_t child = 0;
  int code = start(path, (char *const *)arguments, &child);
  if (code == 0) guard.child = child;
  int status = 0;
  while (code == 0) {
    if (waitpid(child, &status, WUNTRACED) < 0) {
      if (errno == EINTR) continue;
      code = errno;
    } else if (WIFSTOPPED(status)) {
      // The shell waits for this process, so it has to stop as the other one did.
      raise(SIGSTOP);
      kill(child, SIGCONT);
    } else {
      break;
    }
  }
  guard.child = 0;
  for (int i = 0; i < ITS_COUNT; i++) sigaction(its[i], &before[i], NULL);
  if (code != 0) return -code;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
