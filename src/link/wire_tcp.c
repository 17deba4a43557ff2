// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Telegrams over TCP. The robot listens and takes the first who connects and greets.
#include "link/wire.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// Listens, or connects: the robot may come a little later than its controller. @return -1 with errno
static int open_socket(const struct sockaddr_storage *address, unsigned length, ff_end end)
{
    enum { TRIES = 50, WAITING = 8 };             // those who connect while another is looked at
    const struct timespec pause = {0, 100000000}; // 0.1 s
    const int on = 1;
    for (int i = 0; i < TRIES; i++) {
        const int fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0) return -1;
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (end == FF_END_ROBOT) {
            if (bind(fd, (const struct sockaddr *)address, length) == 0 && listen(fd, WAITING) == 0) return fd;
        } else if (connect(fd, (const struct sockaddr *)address, length) == 0) {
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            return fd;
        }
        const int why = errno;
        close(fd);
        errno = why;
        if (end == FF_END_ROBOT || why != ECONNREFUSED) return -1;
        nanosleep(&pause, NULL);
    }
    return -1;
}

static ff_wire *open_wire(const char *rest, ff_end end, ff_error *err)
{
    struct sockaddr_storage address;
    unsigned length;
    if (ff_address_find(rest, SOCK_STREAM, &address, &length, err) != FF_OK) return NULL;
    const int fd = open_socket(&address, length, end);
    if (fd < 0) {
        ff_error_set(err, FF_BAD_ARGUMENT, "tcp:%.100s cannot be opened: %s", rest, strerror(errno));
        return NULL;
    }
    const bool robot = end == FF_END_ROBOT;
    ff_wire *wire = ff_stream_create(&ff_wire_tcp, robot ? -1 : fd, robot ? fd : -1, err);
    if (!wire) {
        close(fd);
        return NULL;
    }
    ff_address_text(fd, !robot, wire->where, sizeof wire->where);
    return wire;
}

const ff_wire_kind ff_wire_tcp = {"tcp", open_wire, ff_stream_send, ff_stream_receive, ff_stream_close};
