// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// See client.h.
#include "client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

// ------------------------------------------------------------------------------------------ bytes

int client_connect(int port)
{
    const struct sockaddr_in there = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    // What the server does not take for so long it will not take at all.
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){.tv_sec = 10}, sizeof(struct timeval));
    if (connect(fd, (const struct sockaddr *)&there, sizeof there) == 0) return fd;
    close(fd);
    return -1;
}

bool client_send(int fd, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        const ssize_t sent = send(fd, from, size, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        from += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool client_send_text(int fd, const char *text)
{
    return client_send(fd, text, strlen(text));
}

size_t client_read(int fd, void *bytes, size_t size, double seconds)
{
    size_t done = 0;
    while (done < size) {
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        if (poll(&waiting, 1, (int)(seconds * 1000.0)) <= 0) break;
        const ssize_t got = recv(fd, (char *)bytes + done, size - done, 0);
        if (got <= 0) break;
        done += (size_t)got;
    }
    return done;
}

bool client_closed(int fd, double seconds)
{
    for (;;) {
        char away[4096];
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        if (poll(&waiting, 1, (int)(seconds * 1000.0)) <= 0) return false;
        if (recv(fd, away, sizeof away, 0) <= 0) return true;
    }
}

// ------------------------------------------------------------------------------------------ HTTP

static int status_of(const char *reply)
{
    int status = 0;
    return sscanf(reply, "HTTP/1.1 %d ", &status) == 1 ? status : 0;
}

int client_raw(int port, const char *request, size_t length, char *reply, size_t room)
{
    const int fd = client_connect(port);
    if (fd < 0) return 0;
    client_send(fd, request, length); // what is refused early may not be read to its end
    const size_t size = client_read(fd, reply, room - 1, 5.0);
    reply[size] = '\0';
    close(fd);
    return status_of(reply);
}

int client_request(int port, const char *what, const char *lines, char *reply, size_t room)
{
    char request[4096];
    const int length =
        snprintf(request, sizeof request, "%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n%s\r\n", what,
                 port, lines ? lines : "");
    return client_raw(port, request, (size_t)length, reply, room);
}

// ------------------------------------------------------------------------------------------ WebSockets

static void add_line(char *request, size_t room, const char *name, const char *value)
{
    const size_t length = strlen(request);
    if (*value) snprintf(request + length, room - length, "%s: %s\r\n", name, value);
}

/// Reads up to the end of the head, and not a byte further.
static void read_head(int fd, char *head, size_t room)
{
    size_t length = 0;
    while (length + 1 < room && client_read(fd, head + length, 1, 5.0) == 1) {
        length++;
        if (length >= 4 && memcmp(head + length - 4, "\r\n\r\n", 4) == 0) break;
    }
    head[length] = '\0';
}

int client_open(int port, const client_options *options, int *fd)
{
    char host[64], origin[80], request[2048], head[4096];
    snprintf(host, sizeof host, "127.0.0.1:%d", port);
    snprintf(origin, sizeof origin, "http://127.0.0.1:%d", port);
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
             options && options->path ? options->path : "/socket");
    add_line(request, sizeof request, "Host", options && options->host ? options->host : host);
    add_line(request, sizeof request, "Origin", options && options->origin ? options->origin : origin);
    add_line(request, sizeof request, "Sec-WebSocket-Version", "13");
    add_line(request, sizeof request, "Sec-WebSocket-Key", "Zm9vdGZhbGwgZm9vdGZhbA==");
    add_line(request, sizeof request, "Sec-WebSocket-Protocol",
             options && options->protocol ? options->protocol : "footfall-1");
    strcat(request, "\r\n");
    *fd = client_connect(port);
    if (*fd < 0) return 0;
    client_send_text(*fd, request);
    read_head(*fd, head, sizeof head);
    const int status = status_of(head);
    if (status == 101) return status;
    close(*fd);
    *fd = -1;
    return status;
}

bool client_frame(int fd, int kind, const void *bytes, size_t size)
{
    static const unsigned char mask[4] = {0x12, 0x34, 0x56, 0x78};
    unsigned char *frame = malloc(size + 14), *at = frame;
    if (!frame) abort();
    *at++ = (unsigned char)kind;
    if (size < 126) {
        *at++ = (unsigned char)(0x80 | size);
    } else if (size < 65536) {
        *at++ = 0x80 | 126;
        *at++ = (unsigned char)(size >> 8);
        *at++ = (unsigned char)size;
    } else {
        *at++ = 0x80 | 127;
        for (int shift = 56; shift >= 0; shift -= 8) *at++ = (unsigned char)((uint64_t)size >> shift);
    }
    memcpy(at, mask, 4);
    at += 4;
    for (size_t i = 0; i < size; i++) at[i] = ((const unsigned char *)bytes)[i] ^ mask[i % 4];
    const bool ok = client_send(fd, frame, (size_t)(at - frame) + size);
    free(frame);
    return ok;
}

/// A server asks those who were silent for long whether they are there. @return false: the ping is cut off
static bool answer_ping(int fd, size_t length, double seconds)
{
    unsigned char data[125]; // no ping has more
    return length <= sizeof data && client_read(fd, data, length, seconds) == length &&
           client_frame(fd, CLIENT_PONG, data, length);
}

int client_message(int fd, unsigned char *bytes, size_t room, size_t *size, double seconds)
{
    int kind = 0;
    *size = 0;
    for (;;) {
        unsigned char head[10];
        if (client_read(fd, head, 2, seconds) != 2) return 0;
        uint64_t length = head[1] & 127u;
        const size_t more = length == 126 ? 2 : length == 127 ? 8 : 0;
        if (client_read(fd, head + 2, more, seconds) != more) return 0;
        if (more) length = 0;
        for (size_t i = 0; i < more; i++) length = length << 8 | head[2 + i];
        if ((head[0] & 15) == 9) {
            if (!answer_ping(fd, length, seconds)) return 0;
            continue;
        }
        if (length > room - *size || client_read(fd, bytes + *size, length, seconds) != length) return 0;
        *size += length;
        if ((head[0] & 15) != 0) kind = head[0] & 15;
        if (head[0] & 128) return kind;
    }
}

int client_close_code(int fd, double seconds)
{
    unsigned char *bytes = malloc(1 << 20);
    size_t size;
    int kind, code = 0;
    if (!bytes) abort();
    do kind = client_message(fd, bytes, 1 << 20, &size, seconds);
    while (kind != 0 && kind != 8);
    if (kind == 8 && size >= 2) code = bytes[0] << 8 | bytes[1];
    free(bytes);
    return code;
}
