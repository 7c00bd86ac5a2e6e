// Macros and variadic functions of Linux that Swift cannot import, as plain functions.
#pragma once
/* _GNU_SOURCE is not defined, because it changes structures that other modules use too. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
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
/* The memory of this process has keys, so it is never written into a core dump, and no other process
   of the same user may read it. The kernel forgets the second setting when the user changes. */
static inline int fp_protect_memory(void) {
  struct rlimit none = {0, 0};
  return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : -1;
}
static inline int fp_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }
/* A process that keeps the rights of this one, for a single act: it gives the file `draft` in `folder`
   the name `name` when it receives a byte, and answers with the reason if that fails. It removes the
   draft if the other end closes first. It never replaces a file and follows no link. Returns the
   descriptor for `fp_publish`, or -1. Call it before there is a second thread. */
extern int renameat2(int from, const char *old, int to, const char *name, unsigned int flags);
static inline int fp_publisher(int folder, const char *draft, const char *name) {
  int ends[2];
  char order;
  if (socketpair(AF_UNIX, SOCK_STREAM | 02000000 /* SOCK_CLOEXEC */, 0, ends) != 0) return -1;
  switch (fork()) {
  case -1:
    close(ends[0]);
    close(ends[1]);
    return -1;
  case 0: break;
  default: close(ends[1]); return ends[0];
  }
  close(ends[0]);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  if (read(ends[1], &order, 1) == 1) {
    int reason = 0;
    if (renameat2(folder, draft, folder, name, 1 /* RENAME_NOREPLACE */) != 0 || fsync(folder) != 0)
      reason = errno;
    if (write(ends[1], &reason, sizeof reason) != sizeof reason) _exit(1);
    if (reason == 0) _exit(0);
  }
  unlinkat(folder, draft, 0);
  _exit(0);
}
/* The reason why the file did not get its name; 0 if it has it. */
static inline int fp_publish(int publisher) {
  char order = 1;
  int reason = 0;
  if (write(publisher, &order, 1) != 1) return errno;
  return read(publisher, &reason, sizeof reason) == sizeof reason ? reason : EIO;
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
