// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Internals of the room. A wire carries whole telegrams in both directions. A kind of wire is a table of functions in
// its own file, and a line of wire_kinds.c. Both ends of a link use port.c: it numbers telegrams, adds their checksums,
// sends them, and checks received ones.
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

/// Time of a monotonic clock, and the same for telegrams.  [s], [ns]
double ff_link_clock(void);
int64_t ff_link_nanoseconds(void);
/// Waits until a file descriptor is readable, or for an event of `events`. @return false: timeout, or a signal
bool ff_link_wait(int fd, short events, double seconds);

/// Is it a valid telegram of that type?
bool ff_link_is(ff_telegram_type type, const unsigned char *bytes, size_t size);

// wire_stream.c: telegrams in a stream of bytes, which has no message boundaries and may have gaps
typedef struct ff_stream ff_stream;
typedef struct ff_address ff_address;
/// Creates the wire of a stream, which is either open (`fd`), or listens, or connects; `fd` is -1 in the latter cases.
/// @param listening  listening socket, whose clients are accepted one after the other until one sends HELLO; -1: none
/// @param to         address to which the wire connects when a telegram is requested; NULL: none
ff_wire *ff_stream_create(const ff_wire_kind *kind, int fd, int listening, const ff_address *to, ff_error *err);
/// Tries to connect. @return FF_OK, connected or not; others: the error that makes further attempts useless
ff_status ff_stream_reach(ff_wire *wire, double seconds, ff_error *err);
ff_status ff_stream_send(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err);
ff_status ff_stream_receive(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size,
                            ff_error *err);
void ff_stream_close(ff_wire *wire);

#ifdef FF_WITH_LINKS
#include <sys/socket.h>

// address.c: network addresses
struct ff_address {
    struct sockaddr_storage bytes;
    socklen_t length;
};
/// Parses "7400" or "HOST:7400"; the default of HOST is 127.0.0.1.
ff_status ff_address_find(const char *text, int type, ff_address *out, ff_error *err);
/// "127.0.0.1:7400".
void ff_address_write(const ff_address *address, char *text, size_t size);
/// The local or remote address of a socket as text.
void ff_address_text(int fd, bool remote, char *text, size_t size);
#endif

// ------------------------------------------------------------------------------------------ ends

/// Bytes of the longest payload.
enum { FF_PORT_PAYLOAD_MAX = FF_TELEGRAM_MOST - FF_TELEGRAM_HEAD_SIZE - FF_TELEGRAM_SUM_SIZE };

/// One end of a link.
typedef struct ff_port {
    ff_wire *wire;
    ff_link_options options;
    uint64_t interface; // hash of the interface; 0: not known
    uint32_t sequence;  // of the next telegram
    ff_link_counts counts;
    unsigned char out[FF_TELEGRAM_MOST], in[FF_TELEGRAM_MOST];
} ff_port;

enum { FF_PORT_REASON_MAX = 300 }; // characters of a reason that are transmitted and reported

/// A received telegram.
typedef struct ff_received {
    bool any; // false: none, or an invalid one
    ff_telegram head;
    const unsigned char *payload;
    size_t size;
} ff_received;

void ff_port_begin(ff_port *port, ff_wire *wire, const ff_link_options *options);
/// Sends a telegram with `payload` bytes, which are at port->out + FF_TELEGRAM_HEAD_SIZE. Type, counter, form, time and
/// `sent` are those of `head`. @return FF_LIMIT: the payload is too long
ff_status ff_port_send(ff_port *port, ff_telegram head, size_t payload, ff_error *err);
/// Sends a telegram whose payload is a text, "" for none.
ff_status ff_port_send_text(ff_port *port, ff_telegram_type type, const char *text, ff_error *err);
/// Ends the link. The message is sent five times, since it is not answered and some telegrams may be lost.
void ff_port_send_bye(ff_port *port, const char *why);
/// Waits for a telegram and checks it. Damaged ones, and those for another interface, are counted and dropped; HELLO
/// and INTERFACE may have any interface. @param seconds  timeout, not negative
/// @return FF_OK; FF_STOPPED: the other end has disconnected, or `stop` returned true
ff_status ff_port_receive(ff_port *port, double seconds, ff_received *out, ff_error *err);

#endif
