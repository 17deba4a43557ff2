// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which requests the studio accepts: checks that need no network, so that they can be tested and fuzzed alone.
//
// Any page on the web can make the browser of the user send requests to the loopback address. Two headers show where
// such a request comes from, and the page can forge neither: Host, the name that the browser connects to (a foreign
// name that was rebound to 127.0.0.1 remains foreign), and Origin, which browsers add to every WebSocket.
#ifndef FOOTFALL_STUDIO_HTTP_RULES_H
#define FOOTFALL_STUDIO_HTTP_RULES_H

#include <footfall/base.h>

/// Is the Host one of this machine's own names: 127.0.0.1, localhost or [::1], with any port? A port other than ours is
/// a tunnel (ssh -L) and harmless: a foreign page cannot have the name.
bool ff_http_host_allowed(const char *host);
/// Is the Origin of a WebSocket the page that this very host served: "http://" and the Host, letter for letter but for
/// case?
bool ff_http_origin_allowed(const char *origin, const char *host);
/// Is it a valid name of a run: letters, digits, '.', '_', '-' and blanks, beginning with neither dot nor blank, at
/// most 128 of them?
bool ff_http_name_allowed(const char *name, size_t length);

typedef enum ff_http_place { FF_HTTP_NOWHERE, FF_HTTP_PAGE, FF_HTTP_SOCKET, FF_HTTP_RUN, FF_HTTP_MESH } ff_http_place;

/// Target of a path.
typedef struct ff_http_route {
    ff_http_place place;
    char name[129];      // FF_HTTP_RUN: of the run
    uint32_t generation; // FF_HTTP_MESH
    int mesh;
} ff_http_route;

/// @param path  decoded, without the part behind '?'
ff_http_route ff_http_find(const char *path);

// ------------------------------------------------------------------------------------------ heads

/// Why a request is refused.
typedef struct ff_http_flaw {
    int status;           // of HTTP; 0: none
    const char *sentence; // for people
} ff_http_flaw;

/// Bytes of a head up to and with its empty line; 0: it is not whole.
size_t ff_http_head_length(const char *bytes, size_t size);
/// Checks the bytes and the lines of a head that have arrived. libwebsockets (4.1) would close the connection without a
/// reply, or wait for ever, on some invalid lines: it never gets them.
ff_http_flaw ff_http_check(const char *bytes, size_t size);
/// Checks the names of headers: libwebsockets waits for ever on "Hos:", the beginning of a name that it knows.
/// @param known  gives the names that it knows, such as "host:", by numbers from 0; NULL behind the last
ff_http_flaw ff_http_check_names(const char *bytes, size_t size, const char *(*known)(int number));

#endif
