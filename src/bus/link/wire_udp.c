// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Telegrams as UDP datagrams, one each. The robot's end answers the last sender of HELLO, and is connected to the
// receiver of the first sensors: datagrams from other addresses are dropped from then on.
#include "link/wire.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct udp_wire {
    ff_wire wire;
    int fd;
    bool is_connected;              // it is connected to the other end
    struct sockaddr_storage client; // before: the last sender of HELLO
    socklen_t length;               // of that address; 0: none
} udp_wire;

static void close_wire(ff_wire *wire)
{
    udp_wire *w = (udp_wire *)wire;
    close(w->fd);
    free(w);
}

static ff_wire *open_wire(const char *rest, ff_end end, ff_error *err)
{
    ff_address address;
    if (ff_address_find(rest, SOCK_DGRAM, &address, err) != FF_OK) return NULL;
    udp_wire *w = calloc(1, sizeof *w);
    const int fd = w ? socket(address.bytes.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;
    const int done = fd < 0                  ? -1
                     : end == FF_END_CONTROL ? connect(fd, (struct sockaddr *)&address.bytes, address.length)
                                             : bind(fd, (struct sockaddr *)&address.bytes, address.length);
    if (done != 0) {
        ff_error_set(err, FF_BAD_ARGUMENT, "udp:%.100s cannot be opened: %s", rest, strerror(errno));
        if (fd >= 0) close(fd);
        free(w);
        return NULL;
    }
    *w = (udp_wire){.wire.kind = &ff_wire_udp, .fd = fd, .is_connected = end == FF_END_CONTROL};
    ff_address_text(fd, end == FF_END_CONTROL, w->wire.where, sizeof w->wire.where);
    return &w->wire;
}

static ssize_t send_datagram(udp_wire *w, const unsigned char *bytes, size_t size)
{
    if (!w->is_connected && ff_link_is(FF_TELEGRAM_SENSORS, bytes, size))
        w->is_connected = connect(w->fd, (struct sockaddr *)&w->client, w->length) ==
                          0; // datagrams from other addresses are dropped from now on
    if (w->is_connected) return send(w->fd, bytes, size, MSG_NOSIGNAL);
    return sendto(w->fd, bytes, size, MSG_NOSIGNAL, (struct sockaddr *)&w->client, w->length);
}

static ff_status send_one(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    udp_wire *w = (udp_wire *)wire;
    if (!w->is_connected && w->length == 0) return FF_OK; // there is no receiver
    if (send_datagram(w, bytes, size) == (ssize_t)size) return FF_OK;
    if (errno == EAGAIN || errno == ENOBUFS || errno == EINTR) return FF_OK; // lost, as datagrams may be
    return ff_error_set(err, FF_STOPPED, "%s: %s", w->wire.where, strerror(errno));
}

static ff_status receive_one(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size,
                             ff_error *err)
{
    udp_wire *w = (udp_wire *)wire;
    struct sockaddr_storage from;
    socklen_t length = sizeof from;
    if (seconds != 0.0 && !ff_link_wait(w->fd, POLLIN, seconds)) return FF_OK;
    const ssize_t got = recvfrom(w->fd, bytes, most, 0, (struct sockaddr *)&from, &length);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return FF_OK;
    if (got < 0) return ff_error_set(err, FF_STOPPED, "%s: %s", w->wire.where, strerror(errno));
    if (!w->is_connected && ff_link_is(FF_TELEGRAM_HELLO, bytes, (size_t)got)) {
        w->client = from;
        w->length = length;
    }
    *size = (size_t)got;
    return FF_OK;
}

const ff_wire_kind ff_wire_udp = {"udp", open_wire, send_one, receive_one, close_wire};
