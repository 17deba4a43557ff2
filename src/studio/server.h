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

#define FF_SERVER_PAGES       (FF_WORKBENCH_CLIENTS - 1) // pages at once
#define FF_SERVER_PROGRAM     FF_SERVER_PAGES            // number of the program itself among the clients
#define FF_SERVER_CONNECTIONS (FF_SERVER_PAGES + 32)     // sockets at once: those of pages, and of what they fetch
#define FF_SERVER_HEAD        16384                      // head of a request  [byte]
#define FF_SERVER_MESSAGE     FF_WORKBENCH_REQUEST       // message of a page  [byte]
#define FF_SERVER_CHUNK       65536                      // written at once  [byte]
#define FF_SERVER_WAITING     ((size_t)8 << 20)          // texts that may wait for a page  [byte]
#define FF_SERVER_MAILBOX     ((size_t)64 << 20)         // texts that may wait for the network thread  [byte]
#define FF_SERVER_SENDING     (512 << 10)                // buffer of a socket in the kernel  [byte]
#define FF_SERVER_STALL       5                          // who fetches a file and reads nothing so long is dropped  [s]
#define FF_SERVER_HEAD_TIME   10                         // for a request to arrive whole  [s]
#define FF_SERVER_LINGER      2                          // what a refused one still sends is read so long  [s]

// Connections that do not become WebSockets end after this time whatever they do: the library forgets some odd ones
// (CONNECT).  [s]
#define FF_SERVER_LIFE 120

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
    long long lost; // texts that found the box full
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
    bool frame;     // one may lie ready
    bool dropped;   // its socket is about to be closed
    char *received; // the message that is arriving, or that waits because the queue was full
    size_t received_length, received_room;
    bool received_whole;
} ff_server_client;

/// A reply of HTTP that goes out piece by piece; memory of one connection.
typedef struct ff_http_session {
    const unsigned char *bytes; // or else, with NULL, from `file`
    unsigned char *owned;       // free this at the end
    int file;                   // + 1; 0: none
    size_t size, sent;
} ff_http_session;

/// A connection whose head has not come whole.
typedef struct ff_gate_session {
    bool refused; // answered; what it still sends is thrown away
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
    int npage, next;              // pages, and where to look for a free number first
    lws_sorted_usec_list_t again; // hands on messages for which the queue was full
    char *greeting;               // a notice for pages that come: why the first scene could not be loaded; NULL: none
    unsigned char *scratch;       // LWS_PRE and FF_WORKBENCH_FRAME_MAX bytes: what is written goes through here
};

/// As ff_studio_open, but serves without pages where the build has none. For tests.
ff_studio *ff_server_create(const ff_studio_setup *setup, ff_error *err);
/// Takes a connected socket as if it had been accepted; closed on failure. Before ff_studio_serve or in its thread.
void ff_server_adopt(ff_studio *server, int socket);
/// Hands a connected socket, whose head waits to be read, to libwebsockets; closed on failure.
void ff_server_hand_on(ff_studio *server, int socket);

// ------------------------------------------------------------------------------------------ gate.c

/// Callback of libwebsockets for connections of which no request is known yet.
int ff_gate_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length);

// ------------------------------------------------------------------------------------------ http.c

/// Callback of libwebsockets for everything that is not a WebSocket yet.
int ff_http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length);

/// A refusal with a sentence for people, head and body. @return its length; -1: no room
int ff_http_refusal(int status, const char *sentence, bool head_only, char *text, size_t room);

// ------------------------------------------------------------------------------------------ clients.c

/// Callback of libwebsockets for WebSockets.
int ff_clients_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length);
/// Empties the mailbox into the lines of the pages, and asks to write where there is something.
void ff_clients_deliver(ff_studio *server);
/// What the workbench says, from its thread; `context` is the ff_studio.
void ff_clients_send(void *context, int client, char *text, size_t length);
void ff_clients_frame(void *context);
/// Frees what is left in mailbox and lines.
void ff_clients_clear(ff_studio *server);

#endif
