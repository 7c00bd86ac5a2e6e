// Macros and variadic functions of Linux that Swift cannot import, as plain functions.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

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
