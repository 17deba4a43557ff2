// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The studio's server, inside: one thread with the loop of libwebsockets (server.c), heads of requests before the
// library sees them (gate.c), what HTTP asks for (http.c), the pages at the other end of the WebSockets (clients.c).
// The simulation has its own thread behind workbench.h; the two meet in the mailbox below, where the simulation leaves
// a text under a lock that is only ever held for a few instructions, and in a flag that says that a frame lies ready.
#ifndef FOOTFALL_STUDIO_SERVER_H
#define FOOTFALL_STUDIO_SERVER_H

#include "page.h"
#include "workbench.h"

#include <footfall/studio.h>

#include <libwebsockets.h>
#include <pthread.h>
#include <stdatomic.h>

#define FF_SERVER_PAGES       (FF_WORKBENCH_CLIENTS - 1) // connected pages at most
#define FF_SERVER_PROGRAM     FF_SERVER_PAGES            // number of the program itself among the clients
#define FF_SERVER_CONNECTIONS (FF_SERVER_PAGES + 32)     // sockets at most: of pages, and for files that they fetch
#define FF_SERVER_HEAD        16384                      // head of a request at most  [byte]
#define FF_SERVER_MESSAGE     FF_WORKBENCH_REQUEST       // message of a page at most  [byte]
#define FF_SERVER_CHUNK       65536                      // written in one call at most  [byte]
#define FF_SERVER_WAITING     ((size_t)8 << 20)          // texts that wait for a page at most  [byte]
#define FF_SERVER_MAILBOX     ((size_t)64 << 20)         // texts that wait for the network thread at most  [byte]
#define FF_SERVER_SENDING     (512 << 10)                // send buffer of a socket in the kernel  [byte]
#define FF_SERVER_STALL       5   // timeout of a client that fetches a file but does not read  [s]
#define FF_SERVER_HEAD_TIME   10  // timeout of the head of a request  [s]
#define FF_SERVER_LINGER      2   // time for which a refused connection is still read  [s]
#define FF_SERVER_LIFE        120 // connections other than WebSockets are closed after this time  [s]

/// A text on its way from the simulation to the network thread.
typedef struct ff_server_message {
    struct ff_server_message *next;
    int client; // -1: all
    char *text;
    size_t length;
} ff_server_message;

typedef struct ff_server_mailbox {
    pthread_mutex_t lock;
    ff_server_message *first, **last;
    size_t bytes;
    long long lost; // texts that were dropped since the mailbox was full
} ff_server_mailbox;

/// A text that waits for one page or several; belongs to the network thread alone.
typedef struct ff_server_text {
    int users;
    char *text;
    size_t length;
} ff_server_text;

typedef struct ff_server_line {
    struct ff_server_line *next;
    ff_server_text *text;
} ff_server_line;

/// One page.
typedef struct ff_server_client {
    struct lws *wsi; // NULL: the number is free
    ff_server_line *first, **last;
    size_t waiting; // of those texts  [byte]
    size_t sent;    // of the first  [byte]
    bool frame;     // a new frame may be ready
    bool dropped;   // its socket is about to be closed
    char *received; // the message that is arriving, or that waits because the queue of the workbench was full
    size_t received_length, received_room;
    bool received_complete;
} ff_server_client;

/// An HTTP reply that is sent piece by piece; data of one connection.
typedef struct ff_http_session {
    const unsigned char *bytes; // body of the reply; NULL: it is read from `file`
    unsigned char *owned;       // the same memory if it is to be freed at the end; NULL otherwise
    int file;                   // descriptor + 1; 0: none
    size_t size, sent;          // of the body  [byte]
} ff_http_session;

/// A connection whose head is incomplete.
typedef struct ff_gate_session {
    bool refused; // the refusal is sent; further bytes of the request are discarded
} ff_gate_session;

struct ff_studio {
    struct lws_context *context;
    struct lws_vhost *vhost;
    ff_workbench *bench;
    int listener, port;
    int connections; // sockets adopted and alive
    char address[64];
    atomic_bool stopping, frame, messages;
    ff_server_mailbox mailbox;
    ff_server_client clients[FF_SERVER_PAGES];
    int npage, next;              // number of pages; client number that is tried first for the next page
    lws_sorted_usec_list_t again; // timer that passes on messages for which the queue was full
    char *greeting;               // notice for new pages that the first scene could not be loaded; NULL: none
    unsigned char *scratch;       // buffer for writing, LWS_PRE + FF_WORKBENCH_FRAME_MAX bytes
};

/// As ff_studio_open, but also in a build without pages. For tests.
ff_studio *ff_server_create(const ff_studio_setup *setup, ff_error *err);
/// Takes ownership of a connected socket as if it had been accepted. Call it before ff_studio_serve or in its thread.
void ff_server_adopt(ff_studio *server, int socket);
/// Gives a connected socket, whose head is not read yet, to libwebsockets, which closes it on failure.
void ff_server_pass_to_http(ff_studio *server, int socket);

// ------------------------------------------------------------------------------------------ gate.c

/// Callback of libwebsockets for connections whose request has not been checked yet.
int ff_gate_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length);

// ------------------------------------------------------------------------------------------ http.c

/// Callback of libwebsockets for everything that is not a WebSocket yet.
int ff_http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length);

/// Writes the head and the body of a refusal with its reason. @return its length; -1: `room` is too small
int ff_http_refusal(int status, const char *sentence, bool head_only, char *text, size_t room);

// ------------------------------------------------------------------------------------------ clients.c

/// Callback of libwebsockets for WebSockets.
int ff_clients_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length);
/// Moves all texts from the mailbox to the queues of their pages, and requests a callback when they can be written.
void ff_clients_deliver(ff_studio *server);
/// Functions of the sink of the workbench, called in its thread; `context` is the ff_studio.
void ff_clients_send(void *context, int client, char *text, size_t length);
void ff_clients_frame(void *context);
/// Frees the texts in the mailbox and in all queues.
void ff_clients_clear(ff_studio *server);

#endif
