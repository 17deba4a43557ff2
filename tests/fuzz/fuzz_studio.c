// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What reaches the studio's server: any bytes on a connection, as HTTP or, after a proper handshake, as WebSocket
// frames, end in a reply or a closed connection, with nothing left behind. The connection is a pair of sockets, one end
// of which the server takes as if it had accepted it; the simulation is played by tests/studio/fake_bench.c, which
// answers requests with themselves.
//
// The first byte of an input says what it is:
//     'h'  bytes for HTTP        'w'  bytes after the handshake of a WebSocket        'f'  text of one WebSocket
//         message, framed and masked here
//     'r'  host, origin and path, each on its line, for the rules alone
// and the second how many bytes are sent at once (0: all).
#include "studio/http_rules.h"
#include "studio/server.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char handshake[] =
    "GET /socket HTTP/1.1\r\nHost: localhost:1\r\nOrigin: http://localhost:1\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: Zm9vdGZhbGwgZm9vdGZhbA==\r\n"
    "Sec-WebSocket-Protocol: footfall-1\r\n\r\n";

static ff_studio *server;

/// Lets the server do what is due and throws away what it answers.
static void serve_a_while(int fd, int rounds)
{
    char away[65536];
    for (int i = 0; i < rounds && server->connections > 0; i++) {
        lws_service(server->context, -1);
        while (recv(fd, away, sizeof away, MSG_DONTWAIT) > 0) continue;
    }
}

static void send_in_pieces(int fd, const uint8_t *bytes, size_t size, size_t piece)
{
    while (size > 0) {
        const size_t now = piece > 0 && piece < size ? piece : size;
        const ssize_t sent = send(fd, bytes, now, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent <= 0) return;
        bytes += sent;
        size -= (size_t)sent;
        serve_a_while(fd, 2);
    }
}

static void send_message(int fd, const uint8_t *bytes, size_t size)
{
    uint8_t frame[70000] = {0x81, 0x80 | 126, (uint8_t)(size >> 8), (uint8_t)size, 1, 2, 3, 4};
    for (size_t i = 0; i < size; i++) frame[8 + i] = bytes[i] ^ frame[4 + i % 4];
    send_in_pieces(fd, frame, size + 8, 0);
}

static void connect_and_send(const uint8_t *bytes, size_t size, char kind, size_t piece)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) abort();
    ff_server_adopt(server, ends[1]);
    if (kind != 'h') send_in_pieces(ends[0], (const uint8_t *)handshake, sizeof handshake - 1, 0);
    serve_a_while(ends[0], 2);
    if (kind != 'h' && server->npage != 1) abort(); // a proper page is let in
    if (kind == 'f')
        send_message(ends[0], bytes, size);
    else
        send_in_pieces(ends[0], bytes, size, piece);
    serve_a_while(ends[0], 8);
    shutdown(ends[0], SHUT_WR);
    serve_a_while(ends[0], 4);
    close(ends[0]);
    for (int i = 0; i < 1000 && server->connections > 0; i++) lws_service(server->context, -1);
    if (server->connections != 0 || server->npage != 0) abort(); // gone means forgotten
}

/// The rules never let a name of another machine in, however it is spelt, nor a run whose name could climb.
static void check_rules(const char *text)
{
    char copy[4096], *host = copy, *origin, *path;
    snprintf(copy, sizeof copy, "%s", text);
    if (!(origin = strchr(host, '\n'))) return;
    *origin++ = '\0';
    if (!(path = strchr(origin, '\n'))) return;
    *path++ = '\0';
    if (ff_http_host_allowed(host) && strspn(host, "127.0.0.1localhostLOCALHOST[::1]0123456789") != strlen(host))
        abort();
    if (ff_http_origin_allowed(origin, host) && (!ff_http_host_allowed(host) || strncasecmp(origin, "http://", 7) != 0))
        abort();
    const ff_http_route route = ff_http_find(path);
    if (route.place == FF_HTTP_RUN && (route.name[0] == '.' || strchr(route.name, '/') || strlen(route.name) == 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!server) {
        ff_error err = {0};
        server = ff_server_create(&(ff_studio_setup){.port = 0}, &err);
        if (!server) abort();
    }
    if (size < 2 || size > 60000) return 0;
    if (bytes[0] == 'r') {
        char *text = malloc(size);
        if (!text) abort();
        memcpy(text, bytes + 1, size - 1);
        text[size - 1] = '\0';
        check_rules(text);
        free(text);
    } else if (bytes[0] == 'h' || bytes[0] == 'w' || bytes[0] == 'f') {
        connect_and_send(bytes + 2, size - 2, (char)bytes[0], bytes[1]);
    }
    return 0;
}
