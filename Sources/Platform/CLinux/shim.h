// Macros and variadic functions of Linux that Swift cannot import, as plain functions.
#pragma once
/* _GNU_SOURCE is not defined, because it changes structures that other modules use too. */
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

extern int pipe2(int ends[2], int flags);
static inline int fp_pipe(int *ends) { return pipe2(ends, O_NONBLOCK | 02000000 /* O_CLOEXEC */); }
static inline int fp_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
static inline int fp_accept(int fd, struct sockaddr *address, socklen_t *length) {
  return accept4(fd, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
static inline int fp_listener(int family) {
  return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}
static inline long fp_send(int fd, const void *bytes, size_t count) {
  return send(fd, bytes, count, MSG_NOSIGNAL);
}

/* A closed socket and a file size limit must not end the process; the limit is handled like a full
   disk. Each connection needs a descriptor, so that their limit is raised to its maximum. */
static inline void fp_prepare_process(void) {
  struct rlimit limit;
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}
static inline long fp_monotonic_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec;
}
static inline int fp_watch(int poll, int operation, int fd, uint32_t events, uint64_t tag) {
  struct epoll_event event;
  event.events = events;
  event.data.u64 = tag;
  return epoll_ctl(poll, operation, fd, &event);
}
