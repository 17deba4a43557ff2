// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The studio's server: a socket on the loopback address, the loop of libwebsockets, creation and destruction.
//
// The server itself listens and accepts, and passes connected sockets to libwebsockets. So the address is certainly the
// loopback one, a port in use is detected first, and the number of connections is limited in one place.
#define _GNU_SOURCE // accept4
#include "server.h"
#include "spreads.h"

#include <footfall/json.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// ------------------------------------------------------------------------------------------ listening

/// Binds a socket to a port of 127.0.0.1. @return -1 with errno
static int listen_at(int port)
{
    const int yes = 1;
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    // A port whose last user has just disconnected may be reused at once; one with a listener may not.
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 64) == 0) return fd;
    const int why = errno;
    close(fd);
    errno = why;
    return -1;
}

static int port_of(int fd)
{
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    return getsockname(fd, (struct sockaddr *)&address, &size) == 0 ? ntohs(address.sin_port) : -1;
}

static bool begin_listening(ff_studio *server, const ff_studio_setup *setup, ff_error *err)
{
    const int tries = setup->port == 0 || setup->tries < 1 ? 1 : setup->tries;
    if (setup->port < 0 || setup->port > 65535)
        return !ff_error_set(err, FF_BAD_ARGUMENT, "port %d: expected 1 to 65535, or 0 for any free port", setup->port);
    for (int i = 0; i < tries && setup->port + i <= 65535; i++) {
        server->listener = listen_at(setup->port + i);
        if (server->listener >= 0 || errno != EADDRINUSE) break;
    }
    if (server->listener < 0 && errno == EADDRINUSE)
        return !ff_error_set(err, FF_LIMIT,
                             "port %d of 127.0.0.1%s is in use, possibly by another studio; choose another port",
                             setup->port, tries > 1 ? " and the following ones" : "");
    if (server->listener < 0)
        return !ff_error_set(err, FF_LIMIT, "cannot listen at port %d of 127.0.0.1: %s", setup->port, strerror(errno));
    server->port = port_of(server->listener);
    snprintf(server->address, sizeof server->address, "http://127.0.0.1:%d/", server->port);
    return true;
}

/// Passes a socket to libwebsockets, which closes it on failure, and after `seconds`.
static void adopt(ff_studio *server, const lws_adopt_desc_t *what, int seconds)
{
    const int before = server->connections++;
    struct lws *wsi = lws_adopt_descriptor_vhost_via_info(what);
    if (wsi)
        lws_set_timer_usecs(wsi, (lws_usec_t)seconds * LWS_US_PER_SEC);
    else
        server->connections = before;
}

void ff_server_adopt(ff_studio *server, int socket)
{
    static const char busy[] = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    const int yes = 1, room = FF_SERVER_SENDING;
    if (server->connections >= FF_SERVER_CONNECTIONS) {
        const ssize_t ignored = send(socket, busy, sizeof busy - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        (void)ignored; // a refused client may have disconnected already
        close(socket);
        return;
    }
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, sizeof room); // small: frames that wait in the kernel are outdated
    const lws_adopt_desc_t gate = {.vh = server->vhost,
                                   .type = LWS_ADOPT_RAW_FILE_DESC,
                                   .fd = {.filefd = socket},
                                   .vh_prot_name = "gate",
                                   .opaque = server};
    adopt(server, &gate, FF_SERVER_HEAD_TIME);
}

void ff_server_pass_to_http(ff_studio *server, int socket)
{
    const lws_adopt_desc_t http = {
        .vh = server->vhost, .type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP, .fd = {.sockfd = socket}, .opaque = server};
    adopt(server, &http, FF_SERVER_LIFE);
}

static int listener_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    ff_studio *server = lws_context_user(lws_get_context(wsi));
    (void)user, (void)in, (void)length;
    if (reason != LWS_CALLBACK_RAW_RX_FILE) return 0;
    for (int i = 0; i < 16; i++) {
        const int fd = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return 0;
        ff_server_adopt(server, fd);
    }
    return 0;
}

// ------------------------------------------------------------------------------------------ the context

static const struct lws_protocols protocols[] = {
    {.name = "http",
     .callback = ff_http_callback,
     .per_session_data_size = sizeof(ff_http_session),
     .rx_buffer_size = 4096},
    {.name = "footfall-1",
     .callback = ff_clients_callback,
     .per_session_data_size = sizeof(int),
     .rx_buffer_size = 65536},
    {.name = "listener", .callback = listener_callback},
    {.name = "gate", .callback = ff_gate_callback, .per_session_data_size = sizeof(ff_gate_session)},
    {.name = NULL},
};

// A browser answers a ping only while the page reads. On a busy machine, a page that compiles its shaders does not read
// for a long time: it is disconnected only after minutes.
static const lws_retry_bo_t idle_policy = {.secs_since_valid_ping = 30, .secs_since_valid_hangup = 300}; // [s]

static bool begin_context(ff_studio *server, ff_error *err)
{
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                   LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME,
        .max_http_header_data = FF_SERVER_HEAD,
        .max_http_header_pool = FF_SERVER_CONNECTIONS,
        .fd_limit_per_thread = FF_SERVER_CONNECTIONS + 8,
        .timeout_secs = FF_SERVER_HEAD_TIME,
        .timeout_secs_ah_idle = FF_SERVER_HEAD_TIME,
        .keepalive_timeout = 30,
        .retry_and_idle_policy = &idle_policy,
        .user = server,
    };
    lws_set_log_level(0, NULL); // a library does not print
    server->context = lws_create_context(&info);
    if (!server->context) return !ff_error_set(err, FF_NO_MEMORY, "libwebsockets could not be initialised");
    server->vhost = lws_get_vhost_by_name(server->context, "default");
    const lws_sock_file_fd_type listener = {.filefd = server->listener};
    if (!server->vhost ||
        !lws_adopt_descriptor_vhost(server->vhost, LWS_ADOPT_RAW_FILE_DESC, listener, "listener", NULL)) {
        server->listener = -1; // closed by the library
        return !ff_error_set(err, FF_NO_MEMORY, "libwebsockets could not take the listening socket");
    }
    return true;
}

static bool request(ff_studio *server, ff_json *json, ff_error *err)
{
    ff_json_end_object(json);
    char *text = ff_json_finish(json);
    if (!text) return !ff_error_set(err, FF_NO_MEMORY, "no memory for the first scene");
    const ff_status status = ff_workbench_request(server->bench, FF_SERVER_PROGRAM, text, strlen(text), err);
    free(text);
    return status == FF_OK;
}

/// Requests the scene that is loaded at the start.
static bool request_scene(ff_studio *server, const ff_studio_setup *setup, ff_error *err)
{
    ff_json json = {0};
    if (!setup->scene) return true;
    ff_json_begin_object(&json, NULL, true);
    ff_json_text(&json, "do", "load");
    ff_json_text(&json, "scene", setup->scene);
    ff_json_texts(&json, "set", setup->set, setup->nset);
    return request(server, &json, err);
}

/// Requests a batch of that scene; numbers that are not finite are omitted, so that the defaults are used.
static bool request_batch(ff_studio *server, const ff_studio_setup *setup, ff_error *err)
{
    const ff_batch_options *o = setup->batch;
    ff_json json = {0};
    if (!setup->scene || !o) return true;
    ff_json_begin_object(&json, NULL, true);
    ff_json_text(&json, "do", "batch");
    ff_json_integer(&json, "robots", o->robots);
    ff_json_integer(&json, "seed", (long long)o->seed);
    if (setup->batch_time > 0.0) ff_json_number(&json, "time", setup->batch_time);
    if (isfinite(o->least_height)) ff_json_number(&json, "fall_height", o->least_height);
    if (isfinite(o->most_tilt)) ff_json_number(&json, "fall_tilt", o->most_tilt);
    if (o->end) ff_json_text(&json, "end", o->end);
    if (o->reward) ff_json_text(&json, "reward", o->reward);
    ff_spreads_write(o->spreads, o->nspread, &json);
    return request(server, &json, err);
}

// ------------------------------------------------------------------------------------------ public functions

ff_studio *ff_server_create(const ff_studio_setup *setup, ff_error *err)
{
    ff_studio *server = calloc(1, sizeof *server);
    if (server) server->scratch = malloc(LWS_PRE + FF_WORKBENCH_FRAME_MAX);
    if (!server || !server->scratch) {
        free(server);
        ff_error_set(err, FF_NO_MEMORY, "no memory for the studio");
        return NULL;
    }
    server->listener = -1;
    server->mailbox.last = &server->mailbox.first;
    pthread_mutex_init(&server->mailbox.lock, NULL);
    const ff_workbench_sink sink = {.context = server, .send = ff_clients_send, .frame = ff_clients_frame};
    const bool ok = begin_listening(server, setup, err) && begin_context(server, err) &&
                    (server->bench = ff_workbench_create(setup->root ? setup->root : ".", &sink, err)) &&
                    request_scene(server, setup, err) && request_batch(server, setup, err);
    if (ok) return server;
    ff_studio_close(server);
    return NULL;
}

ff_studio_setup ff_studio_setup_default(void)
{
    return (ff_studio_setup){.port = FF_STUDIO_PORT, .tries = 20};
}

bool ff_studio_has_server(void)
{
    return true;
}

ff_studio *ff_studio_open(const ff_studio_setup *setup, ff_error *err)
{
    const ff_studio_setup chosen = setup ? *setup : ff_studio_setup_default();
    if (ff_page_asset_count > 0) return ff_server_create(&chosen, err);
    ff_error_set(err, FF_NOT_BUILT, "this build has no studio page: build it with Node 18, npm and FOOTFALL_STUDIO=ON");
    return NULL;
}

const char *ff_studio_address(const ff_studio *server)
{
    return server->address;
}

int ff_studio_port(const ff_studio *server)
{
    return server->port;
}

ff_status ff_studio_serve(ff_studio *server, ff_error *err)
{
    while (!atomic_load(&server->stopping))
        if (lws_service(server->context, 0) < 0 && !atomic_load(&server->stopping))
            return ff_error_set(err, FF_LIMIT, "the event loop of libwebsockets has ended unexpectedly");
    return FF_OK;
}

void ff_studio_stop(ff_studio *server)
{
    atomic_store(&server->stopping, true);
    lws_cancel_service(server->context); // writes to a pipe: allowed in signal handlers
}

void ff_studio_close(ff_studio *server)
{
    if (!server) return;
    // Destroys the simulation first, which sends messages and wakes the loop; then the connections.
    ff_workbench_destroy(server->bench);
    server->bench = NULL;
    if (server->context) {
        lws_sul_schedule(server->context, 0, &server->again, NULL, LWS_SET_TIMER_USEC_CANCEL);
        lws_context_destroy(server->context); // which also closes the listening socket
    } else if (server->listener >= 0) {
        close(server->listener);
    }
    ff_clients_clear(server);
    pthread_mutex_destroy(&server->mailbox.lock);
    free(server->greeting);
    free(server->scratch);
    free(server);
}
