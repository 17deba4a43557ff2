// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A client of the studio's server, as small and as rude as tests want it: bytes over a socket, WebSocket frames (RFC
// 6455) made by hand.
#ifndef FOOTFALL_TESTS_CLIENT_H
#define FOOTFALL_TESTS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

/// Connects to 127.0.0.1. @return the socket, -1 on failure
int client_connect(int port);
/// Sends all of it, or as much as the other end takes. @return false when it takes no more
bool client_send(int fd, const void *bytes, size_t size);
bool client_send_text(int fd, const char *text);
/// Reads until `size` bytes have come, the other end closes, or nothing comes for `seconds`. @return bytes read
size_t client_read(int fd, void *bytes, size_t size, double seconds);
/// Has the other end closed (what it sent before is thrown away)?
bool client_closed(int fd, double seconds);

/// One request on a connection of its own, "METHOD PATH" and further header lines (or NULL), with the right Host.
/// @return the status, 0 where no reply came; head and body, cut to the room, in `reply`
int client_request(int port, const char *what, const char *lines, char *reply, size_t room);
/// The same with every byte of the request given.
int client_raw(int port, const char *request, size_t length, char *reply, size_t room);

typedef struct client_options {
    const char *host, *origin, *path, *protocol; // NULL: the right ones; "": none
} client_options;

/// Connects and asks for a WebSocket. @return the status of the reply; 101: *fd is open, otherwise -1
int client_open(int port, const client_options *options, int *fd);
/// A frame with mask. @param kind  1 text, 2 binary, 8 close, 9 ping, 10 pong; +128: last of its message
bool client_frame(int fd, int kind, const void *bytes, size_t size);
#define CLIENT_TEXT   (128 + 1)
#define CLIENT_BINARY (128 + 2)
#define CLIENT_PING   (128 + 9)
#define CLIENT_PONG   (128 + 10)
/// The next whole message (fragments put together); pings are answered. @return its kind (1, 2, 8, 10), 0 when nothing
/// came or it did not fit
int client_message(int fd, unsigned char *bytes, size_t room, size_t *size, double seconds);
/// The code of the close frame that comes next, other messages passed over; 0: none came.
int client_close_code(int fd, double seconds);

#endif
