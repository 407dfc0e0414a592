#include "CDexShim.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

int dex_terminal_size(int descriptor) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -errno;
  return (int)(size.ws_col & 0x7fff) << 16 | size.ws_row;
}

int dex_page(const char *command, const void *p, size_t n) {
  // The pager may end before it has read everything, which is no reason to die.
  void (*before)(int) = signal(SIGPIPE, SIG_IGN);
  FILE *pager = popen(command, "w");
  int result = -1;
  if (pager != NULL) {
    fwrite(p, 1, n, pager);
    int status = pclose(pager);
    // A shell that does not find the pager ends with 127.
    result = status == -1 || WIFSIGNALED(status) || WEXITSTATUS(status) == 127 ? -1 : 0;
  }
  signal(SIGPIPE, before);
  return result;
}

char *dex_list(const char *path, size_t *n) {
  *n = 0;
  DIR *directory = opendir(path);
  if (directory == NULL) return NULL;
  size_t capacity = 4096;
  char *names = malloc(capacity);
  struct dirent *entry;
  while (names != NULL && (entry = readdir(directory)) != NULL) {
    size_t length = strlen(entry->d_name) + 1;
    if (*n + length > capacity) {
      capacity = 2 * capacity + length;
      char *larger = realloc(names, capacity);
      if (larger == NULL) free(names);
      names = larger;
      if (names == NULL) break;
    }
    memcpy(names + *n, entry->d_name, length);
    *n += length;
  }
  closedir(directory);
  if (names == NULL) errno = ENOMEM;
  return names;
}
