// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of all wires, which call those of their kind; the clock of links, and waiting for a file descriptor.
#define _GNU_SOURCE // ppoll
#include "link/wire.h"

#include <time.h>

#ifdef FF_WITH_LINKS
#include <poll.h>
#endif

void ff_wire_close(ff_wire *wire)
{
    if (wire) wire->kind->close(wire);
}

ff_status ff_wire_send(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    return wire->kind->send(wire, bytes, size, err);
}

ff_status ff_wire_receive(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size, ff_error *err)
{
    *size = 0;
    return wire->kind->receive(wire, bytes, most, seconds, size, err);
}

const char *ff_wire_where(const ff_wire *wire)
{
    return wire->where;
}

bool ff_link_is(ff_telegram_type type, const unsigned char *bytes, size_t size)
{
    ff_telegram head;
    const unsigned char *payload;
    size_t n;
    return ff_telegram_open(bytes, size, &head, &payload, &n, NULL) == FF_OK && head.type == type;
}

double ff_link_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#ifdef FF_WITH_LINKS
bool ff_link_wait(int fd, short events, double seconds)
{
    struct pollfd one = {.fd = fd, .events = events};
    const double whole = seconds > 1e9 ? 1e9 : seconds;
    const struct timespec span = {(time_t)whole, (long)(1e9 * (whole - (double)(time_t)whole))};
    return ppoll(&one, 1, seconds < 0.0 ? NULL : &span, NULL) > 0;
}
#else
bool ff_link_wait(int fd, short events, double seconds)
{
    (void)fd, (void)events, (void)seconds;
    return false;
}
#endif
