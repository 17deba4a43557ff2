// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A wire carries whole telegrams in both directions. A kind of wire is a table of functions in a file of its own, and a
// line of wire_kinds.c.
#ifndef FOOTFALL_LINK_WIRE_H
#define FOOTFALL_LINK_WIRE_H

#include <footfall/link.h>

typedef struct ff_wire_kind {
    const char *scheme; // "udp", before the colon of an address; NULL: it cannot be opened by an address
    /// Opens an end. @param rest  of the address, behind the colon
    ff_wire *(*open)(const char *rest, ff_end end, ff_error *err);
    ff_status (*send)(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err);
    ff_status (*receive)(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size, ff_error *err);
    void (*close)(ff_wire *wire);
} ff_wire_kind;

/// The first member of every wire.
struct ff_wire {
    const ff_wire_kind *kind;
    char where[128];
};

extern const ff_wire_kind ff_wire_udp, ff_wire_tcp, ff_wire_serial, ff_wire_shared;

/// Time of a monotonic clock.  [s]
double ff_link_clock(void);
/// Waits until a file descriptor is readable, or for an event of `events`. @return false: timeout, or a signal
bool ff_link_wait(int fd, short events, double seconds);

/// Is it a valid telegram of that type?
bool ff_link_is(ff_telegram_type type, const unsigned char *bytes, size_t size);

// wire_stream.c: telegrams in a stream of bytes, which has no message boundaries and may have gaps
typedef struct ff_stream ff_stream;
typedef struct ff_address ff_address; // address.h
/// The wire of a stream. @param listening  -1, or a listening socket, whose clients are accepted one after the other
/// until one sends HELLO; `fd` is -1 then. @param to  address of a wire that connects when telegrams are requested, as
/// long as it is not connected; `fd` is -1 then. NULL: it does not connect
ff_wire *ff_stream_create(const ff_wire_kind *kind, int fd, int listening, const ff_address *to, ff_error *err);
/// Tries to connect. @return FF_OK, connected or not yet; else the error that prevents it
ff_status ff_stream_reach(ff_wire *wire, double seconds, ff_error *err);
ff_status ff_stream_send(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err);
ff_status ff_stream_receive(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size,
                            ff_error *err);
void ff_stream_close(ff_wire *wire);

#endif
