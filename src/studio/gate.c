// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The gate before libwebsockets: checks the head of a request while it is still in the buffer of the socket, and passes
// the connection on once the head is complete and valid (http_rules.h). libwebsockets closes the connection on some
// invalid heads and waits endlessly on others; the gate replies to each of them with the reason.
#define _GNU_SOURCE // POLLRDHUP
#include "http_rules.h"
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

/// Sets how many bytes make the socket readable; the end of the connection always does. Unix sockets ignore this.
static void wake_at(int fd, size_t bytes)
{
    const int least = (int)bytes;
    setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least);
}

/// Has the other end finished sending?
static bool has_ended(int fd)
{
    struct pollfd end = {.fd = fd, .events = POLLRDHUP};
    return poll(&end, 1, 0) > 0;
}

/// Discards what a refused connection sends: closing it now would be an error for a client that sends before it reads
/// the reply.
static int drain(ff_studio *server, int fd)
{
    for (int i = 0; i < 16; i++) {
        const ssize_t received = recv(fd, server->scratch, FF_SERVER_CHUNK, 0);
        if (received == 0 || (received < 0 && errno != EAGAIN && errno != EINTR)) return -1;
        if (received < 0) break;
    }
    return 0;
}

static int refuse(ff_studio *server, struct lws *wsi, ff_gate_session *session, ff_http_flaw flaw, bool head_only)
{
    char text[3072];
    const int fd = (int)lws_get_socket_fd(wsi),
              length = ff_http_refusal(flaw.status, flaw.sentence, head_only, text, sizeof text);
    // Does not wait for room in the buffer of the socket.
    if (length < 0 || send(fd, text, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT) != length) return -1;
    shutdown(fd, SHUT_WR);
    session->refused = true;
    wake_at(fd, 1);
    lws_set_timer_usecs(wsi, (lws_usec_t)FF_SERVER_LINGER * LWS_US_PER_SEC);
    return drain(server, fd);
}

/// Passes a copy of the socket to libwebsockets, which reads the head itself. @return -1, which closes the socket here
static int pass_request(ff_studio *server, int fd)
{
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    wake_at(fd, 1);
    if (copy >= 0) ff_server_pass_to_http(server, copy);
    return -1;
}

/// Names known to libwebsockets: headers as "host:", methods as "get ".
static const char *known_name(int number)
{
    return (const char *)lws_token_to_string((enum lws_token_indexes)number);
}

static int check_head(ff_studio *server, struct lws *wsi, ff_gate_session *session)
{
    const int fd = (int)lws_get_socket_fd(wsi);
    const char *head = (const char *)server->scratch;
    if (session->refused) return drain(server, fd);
    const ssize_t received = recv(fd, server->scratch, FF_SERVER_HEAD + 1, MSG_PEEK);
    if (received < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (received <= 0) return -1; // closed without a request
    const size_t size = (size_t)received;
    ff_http_flaw flaw = ff_http_check(head, size);
    const bool whole = ff_http_head_length(head, size) > 0;
    if (!flaw.status && whole) flaw = ff_http_check_names(head, ff_http_head_length(head, size), known_name);
    if (!flaw.status && !whole && size > FF_SERVER_HEAD)
        flaw = (ff_http_flaw){431, "the header of a request is limited to 16 KiB"};
    if (!flaw.status && !whole && has_ended(fd)) flaw = (ff_http_flaw){400, "the header of the request is incomplete"};
    if (flaw.status) return refuse(server, wsi, session, flaw, size >= 5 && memcmp(head, "HEAD ", 5) == 0);
    if (whole) return pass_request(server, fd);
    wake_at(fd, size + 1);
    return 0;
}

int ff_gate_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    ff_studio *server = lws_context_user(lws_get_context(wsi));
    ff_gate_session *session = user;
    (void)in, (void)length;
    switch ((int)reason) {
    case LWS_CALLBACK_RAW_RX_FILE:
        return check_head(server, wsi, session);
    case LWS_CALLBACK_TIMER:
        if (session->refused) return -1;
        return refuse(server, wsi, session, (ff_http_flaw){408, "no request within 10 s"}, false);
    default:
        return 0;
    }
}
