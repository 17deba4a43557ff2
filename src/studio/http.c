// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Replies to HTTP requests: the page with its script and style, reports of saved runs, large meshes. gate.c has checked
// the head. Host and origin of the request are checked first (http_rules.h). Every reply states what a browser may do
// with it. A connection ends with its reply, so that gate.c checks every head.
#include "http_rules.h"
#include "server.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ------------------------------------------------------------------------------------------ headers

// The page runs its own script and connects to its own server; style attributes come from libraries of plots and
// editors.
#define POLICY_PAGE                                                                                                    \
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "            \
    "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
// A report contains its script and style. It is a file of the project, possibly from an unknown source: the sandbox
// gives it an opaque origin, which has no access to the studio.
#define POLICY_REPORT                                                                                                  \
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "                 \
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts allow-downloads"
#define POLICY_NOTHING "default-src 'none'; frame-ancestors 'none'"

typedef struct http_reply {
    int status;
    const char *type, *policy;
    const char *etag;  // NULL: it is not cached
    const char *other; // further header lines with line ends; "" for none
    bool sandboxed;    // by its policy: the cross-origin opener policy would make browsers refuse the page
} http_reply;

static const char *status_words(int status)
{
    static const struct {
        int status;
        const char *words;
    } rows[] = {{200, "OK"},
                {304, "Not Modified"},
                {400, "Bad Request"},
                {403, "Forbidden"},
                {405, "Method Not Allowed"},
                {408, "Request Timeout"},
                {426, "Upgrade Required"},
                {431, "Request Header Fields Too Large"},
                {503, "Service Unavailable"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].status == status) return rows[i].words;
    return "Not Found";
}

/// Writes the head of a reply whose body has `size` bytes. @return its length; -1: `room` is too small
static int format_head(const http_reply *reply, size_t size, char *head, size_t room)
{
    const char *tag = reply->etag ? reply->etag : "";
    const int length = snprintf(head, room,
                                "HTTP/1.1 %d %s\r\n"
                                "content-type: %s\r\n"
                                "content-length: %zu\r\n"
                                "%s%s%scache-control: %s\r\n"
                                "content-security-policy: %s\r\n"
                                "x-content-type-options: nosniff\r\n"
                                "x-frame-options: DENY\r\n"
                                "referrer-policy: no-referrer\r\n"
                                "cross-origin-opener-policy: %s\r\n"
                                "cross-origin-resource-policy: same-origin\r\n"
                                "permissions-policy: camera=(), microphone=(), geolocation=()\r\n"
                                "%sconnection: close\r\n\r\n",
                                reply->status, status_words(reply->status), reply->type, size, *tag ? "etag: " : "",
                                tag, *tag ? "\r\n" : "", *tag ? "no-cache" : "no-store", reply->policy,
                                reply->sandboxed ? "unsafe-none" : "same-origin", reply->other);
    return length >= 0 && (size_t)length < room ? length : -1;
}

static int write_head(struct lws *wsi, const http_reply *reply, size_t size)
{
    unsigned char buffer[LWS_PRE + 2048];
    char *head = (char *)buffer + LWS_PRE;
    const int length = format_head(reply, size, head, sizeof buffer - LWS_PRE);
    if (length < 0) return -1;
    return lws_write(wsi, (unsigned char *)head, (size_t)length, LWS_WRITE_HTTP_HEADERS) < length ? -1 : 0;
}

// ------------------------------------------------------------------------------------------ bodies

static void release(ff_http_session *session)
{
    free(session->owned);
    if (session->file > 0) close(session->file - 1);
    *session = (ff_http_session){0};
}

/// Ends the connection once everything has been sent.
static int finish(ff_http_session *session)
{
    release(session);
    return -1;
}

/// The next piece of the body, through the scratch memory of the server.
static int write_piece(ff_studio *server, struct lws *wsi, ff_http_session *session)
{
    unsigned char *out = server->scratch + LWS_PRE;
    const size_t left = session->size - session->sent;
    size_t size = left < FF_SERVER_CHUNK ? left : FF_SERVER_CHUNK;
    if (session->bytes) {
        memcpy(out, session->bytes + session->sent, size);
    } else {
        const ssize_t received = pread(session->file - 1, out, size, (off_t)session->sent);
        if (received <= 0)
            return -1; // the file became shorter: the client sees a closed connection and an incomplete body
        size = (size_t)received;
    }
    const bool last = session->sent + size == session->size;
    if (lws_write(wsi, out, size, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)size) return -1;
    session->sent += size;
    if (last) return finish(session);
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, FF_SERVER_STALL);
    lws_callback_on_writable(wsi);
    return 0;
}

/// Sends the header now, and the body when the socket is writable.
static int begin_reply(struct lws *wsi, ff_http_session *session, const http_reply *reply, bool head_only)
{
    if (write_head(wsi, reply, session->size) != 0) return -1;
    if (head_only || session->size == 0) return finish(session);
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, FF_SERVER_STALL);
    lws_callback_on_writable(wsi);
    return 0;
}

/// Headers required by RFC 9110 and RFC 6455 for a status.
static const char *other_lines(int status)
{
    if (status == 405) return "allow: GET, HEAD\r\n";
    return status == 426 ? "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n" : "";
}

int ff_http_refusal(int status, const char *sentence, bool head_only, char *text, size_t room)
{
    const http_reply reply = {
        .status = status, .type = "text/plain; charset=utf-8", .policy = POLICY_NOTHING, .other = other_lines(status)};
    char body[512];
    const int size = snprintf(body, sizeof body, "%d %s: %s\n", status, status_words(status), sentence);
    const int head = format_head(&reply, (size_t)size, text, room);
    if (head < 0 || head_only) return head;
    if ((size_t)(head + size) >= room) return -1;
    memcpy(text + head, body, (size_t)size + 1);
    return head + size;
}

/// Refuses a request with a message; ends the connection (and returns -1).
static int refuse(struct lws *wsi, ff_http_session *session, int status, const char *sentence, bool head_only)
{
    unsigned char buffer[LWS_PRE + 3072];
    char *text = (char *)buffer + LWS_PRE;
    const int length = ff_http_refusal(status, sentence, head_only, text, sizeof buffer - LWS_PRE);
    if (length > 0) lws_write(wsi, (unsigned char *)text, (size_t)length, LWS_WRITE_HTTP_HEADERS);
    return finish(session);
}

// ------------------------------------------------------------------------------------------ requests

/// A header as text. @return false: it is missing, too long, or contains a zero
static bool header(struct lws *wsi, enum lws_token_indexes token, char *text, size_t size)
{
    text[0] = '\0';
    const int length = lws_hdr_copy(wsi, text, (int)size, token);
    return length > 0 && strlen(text) == (size_t)length;
}

static bool host_is_local(struct lws *wsi, char *host, size_t size)
{
    return header(wsi, WSI_TOKEN_HOST, host, size) && ff_http_host_allowed(host);
}

static int give_page(struct lws *wsi, ff_http_session *session, const char *path, bool head_only)
{
    char cached[80];
    for (int i = 0; i < ff_page_asset_count; i++) {
        const ff_page_asset *asset = &ff_page_assets[i];
        if (strcmp(asset->path, path) != 0) continue;
        http_reply reply = {.status = 200,
                            .type = asset->type,
                            .policy = POLICY_PAGE,
                            .etag = asset->etag,
                            .other = asset->gzip ? "content-encoding: gzip\r\nvary: accept-encoding\r\n" : ""};
        if (header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, cached, sizeof cached) && strcmp(cached, asset->etag) == 0) {
            reply.status = 304;
            reply.other = "";
            return begin_reply(wsi, session, &reply, true);
        }
        session->bytes = asset->bytes;
        session->size = asset->size;
        return begin_reply(wsi, session, &reply, head_only);
    }
    return refuse(wsi, session, 404, "this build of Footfall has no pages (FOOTFALL_STUDIO)", head_only);
}

static int give_run(ff_studio *server, struct lws *wsi, ff_http_session *session, const char *name, bool head_only)
{
    struct stat facts;
    const http_reply reply = {
        .status = 200, .type = "text/html; charset=utf-8", .policy = POLICY_REPORT, .other = "", .sandboxed = true};
    const int fd = ff_workbench_open_run(server->bench, name, "report.html");
    if (fd < 0) return refuse(wsi, session, 404, "no run of that name has a report", head_only);
    session->file = fd + 1;
    if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
        return refuse(wsi, session, 404, "no run of that name has a report", head_only);
    session->size = (size_t)facts.st_size;
    return begin_reply(wsi, session, &reply, head_only);
}

static int give_mesh(ff_studio *server, struct lws *wsi, ff_http_session *session, const ff_http_route *route,
                     bool head_only)
{
    const http_reply reply = {.status = 200, .type = "application/octet-stream", .policy = POLICY_NOTHING, .other = ""};
    session->owned = ff_workbench_mesh(server->bench, route->generation, route->mesh, &session->size);
    session->bytes = session->owned;
    if (!session->owned) return refuse(wsi, session, 404, "the loaded scene has no such mesh", head_only);
    return begin_reply(wsi, session, &reply, head_only);
}

static int answer(ff_studio *server, struct lws *wsi, ff_http_session *session, const char *path)
{
    char host[80];
    const bool head_only = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    release(session);
    if (!host_is_local(wsi, host, sizeof host))
        return refuse(wsi, session, 403, "the studio answers to 127.0.0.1 and localhost only", head_only);
    const ff_http_route route = ff_http_find(path);
    switch (route.place) {
    case FF_HTTP_PAGE:
        return give_page(wsi, session, path, head_only);
    case FF_HTTP_RUN:
        return give_run(server, wsi, session, route.name, head_only);
    case FF_HTTP_MESH:
        return give_mesh(server, wsi, session, &route, head_only);
    case FF_HTTP_SOCKET:
        return refuse(wsi, session, 426, "this is the address of the WebSocket", head_only);
    case FF_HTTP_NONE:
        break;
    }
    return refuse(wsi, session, 404, "not found; the studio is at /", head_only);
}

/// Handles a request for a WebSocket; other protocols are refused. @return 0: continue
static int check_upgrade(ff_studio *server, struct lws *wsi, const char *protocol)
{
    ff_http_session memory = {0}, *session = &memory; // the connection has no session yet
    char host[80], origin[96], path[32], wanted[128];
    if (strcasecmp(protocol, "websocket") != 0) return refuse(wsi, session, 400, "unsupported protocol", false);
    if (!host_is_local(wsi, host, sizeof host))
        return refuse(wsi, session, 403, "the studio answers to 127.0.0.1 and localhost only", false);
    if (!header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) || !ff_http_origin_allowed(origin, host))
        return refuse(wsi, session, 403, "only pages of the studio itself may connect (Origin)", false);
    if (!header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) || ff_http_find(path).place != FF_HTTP_SOCKET)
        return refuse(wsi, session, 400, "the WebSocket is at /socket", false);
    if (!header(wsi, WSI_TOKEN_PROTOCOL, wanted, sizeof wanted) || strcmp(wanted, "footfall-1") != 0)
        return refuse(wsi, session, 400, "the subprotocol is footfall-1", false);
    if (server->npage >= FF_SERVER_PAGES) return refuse(wsi, session, 503, "the limit of 64 pages is reached", false);
    return 0;
}

int ff_http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    ff_studio *server = lws_context_user(lws_get_context(wsi));
    ff_http_session *session = user;
    (void)length;
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return check_upgrade(server, wsi, in);
    case LWS_CALLBACK_HTTP:
        return session ? answer(server, wsi, session, in) : -1;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return session && session->size > session->sent ? write_piece(server, wsi, session) : 0;
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (session) release(session);
        return 0;
    case LWS_CALLBACK_TIMER:
        return -1; // FF_SERVER_LIFE is over
    case LWS_CALLBACK_WSI_DESTROY:
        if (lws_get_opaque_user_data(wsi) == server) server->connections--;
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        ff_clients_deliver(server);
        return 0;
    default:
        return 0;
    }
}
