/* LD_PRELOAD library: syncs of a file whose name ends in $FAIL_SUFFIX fail with EIO without being carried out, starting
 * with number $FAIL_FROM, $FAIL_TIMES times (default: once). With $SLOW_MS they are delayed by that time instead.
 * Not counted: the syncs of a server that is still starting (before its first `server.json`, which a stopping server
 * removes again), and those of a log that contains only its header, since that has no commit. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOG_HEADER = 32 };
static int calls, failures, started;

static int number(const char *name, int otherwise) {
  const char *value = getenv(name);
  return value ? atoi(value) : otherwise;
}

static int counts(int fd) {
  const char *suffix = getenv("FAIL_SUFFIX");
  char link[64], path[4096], beside[4096 + sizeof "/server.json"];
  struct stat found;
  if (!suffix || fstat(fd, &found) || found.st_size <= LOG_HEADER) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < (ssize_t)strlen(suffix) || path[0] != '/') return 0;
  path[length] = 0;
  snprintf(beside, sizeof beside, "%.*s/server.json", (int)(strrchr(path, '/') - path), path);
  if (!started && !access(beside, F_OK)) started = 1;
  return started && !strcmp(path + length - strlen(suffix), suffix);
}

static int sync_by(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (!counts(fd) || __sync_add_and_fetch(&calls, 1) < number("FAIL_FROM", 1)) return real(fd);
  if (getenv("SLOW_MS")) {
    usleep(1000 * number("SLOW_MS", 0));
    return real(fd);
  }
  if (__sync_add_and_fetch(&failures, 1) > number("FAIL_TIMES", 1)) return real(fd);
  fprintf(stderr, "failsync: EIO\n");
  errno = EIO;
  return -1;
}

int fsync(int fd) { return sync_by("fsync", fd); }
int fdatasync(int fd) { return sync_by("fdatasync", fd); }
