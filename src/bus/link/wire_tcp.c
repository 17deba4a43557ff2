// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Telegrams over TCP. The robot listens, and accepts the first client that sends HELLO.
#include "link/wire.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/// @return -1 with errno
static int open_listening(const ff_address *address)
{
    enum { WAITING = 8 }; // pending clients
    const int on = 1, fd = socket(address->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (const struct sockaddr *)&address->bytes, address->length) == 0 && listen(fd, WAITING) == 0) return fd;
    const int why = errno;
    close(fd);
    errno = why;
    return -1;
}

static ff_wire *open_robot(const char *rest, const ff_address *address, ff_error *err)
{
    const int fd = open_listening(address);
    if (fd < 0) {
        ff_error_set(err, FF_BAD_ARGUMENT, "tcp:%.100s cannot be opened: %s", rest, strerror(errno));
        return NULL;
    }
    ff_wire *wire = ff_stream_create(&ff_wire_tcp, -1, fd, NULL, err);
    if (wire)
        ff_address_text(fd, false, wire->where, sizeof wire->where);
    else
        close(fd);
    return wire;
}

/// Opens the end of the controller. The robot may start later, and the caller decides how long to wait; a running robot
/// on the same machine answers at once.
static ff_wire *open_control(const ff_address *address, ff_error *err)
{
    static const double AT_ONCE = 0.1; // [s]
    ff_wire *wire = ff_stream_create(&ff_wire_tcp, -1, -1, address, err);
    if (!wire) return NULL;
    ff_address_write(address, wire->where, sizeof wire->where);
    if (ff_stream_reach(wire, AT_ONCE, err) == FF_OK) return wire;
    ff_stream_close(wire);
    return NULL;
}

static ff_wire *open_wire(const char *rest, ff_end end, ff_error *err)
{
    ff_address address;
    if (ff_address_find(rest, SOCK_STREAM, &address, err) != FF_OK) return NULL;
    return end == FF_END_ROBOT ? open_robot(rest, &address, err) : open_control(&address, err);
}

const ff_wire_kind ff_wire_tcp = {"tcp", open_wire, ff_stream_send, ff_stream_receive, ff_stream_close};
