/* Preloaded by tests: makes syncing of files under a path fail, and moves the clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int synced = 0;

/* FAIL_SYNC_OF is part of the paths that fail, FAIL_SYNC_AFTER the number of calls that still succeed. */
static int must_fail(int fd) {
  const char *wanted = getenv("FAIL_SYNC_OF");
  const char *after = getenv("FAIL_SYNC_AFTER");
  char link[64], path[4096];
  if (wanted == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (strstr(path, wanted) == NULL) return 0;
  return synced++ >= (after == NULL ? 0 : atoi(after));
}

int fsync(int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  if (!must_fail(fd)) return real(fd);
  errno = EIO;
  return -1;
}

int fdatasync(int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  if (!must_fail(fd)) return real(fd);
  errno = EIO;
  return -1;
}

static long back_seconds(void) {
  const char *seconds = getenv("CLOCK_BACK_SECONDS");
  return seconds == NULL ? 0 : atol(seconds);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int (*real)(clockid_t, struct timespec *) = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, now);
  if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec -= back_seconds();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int (*real)(struct timeval *, void *) = (int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday");
  int result = real(now, zone);
  if (result == 0) now->tv_sec -= back_seconds();
  return result;
}
