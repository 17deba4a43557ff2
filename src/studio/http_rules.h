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

/// Is the header Host one of 127.0.0.1, localhost and [::1], with any port? Another port than that of the studio comes
/// from a tunnel (ssh -L) and is harmless, because a foreign page cannot have one of these names.
bool ff_http_host_allowed(const char *host);
/// Is the header Origin of a WebSocket "http://" and the Host, whatever the case of letters? Then this server has sent
/// the page.
bool ff_http_origin_allowed(const char *origin, const char *host);
/// Is it a valid name of a run: at most 128 letters, digits, '.', '_', '-' and blanks, the first neither dot nor blank?
bool ff_http_name_allowed(const char *name, size_t length);

typedef enum ff_http_place { FF_HTTP_NONE, FF_HTTP_PAGE, FF_HTTP_SOCKET, FF_HTTP_RUN, FF_HTTP_MESH } ff_http_place;

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
    int status;           // status code of HTTP; 0: the request is valid
    const char *sentence; // for the reader of the reply
} ff_http_flaw;

/// Length of the head of a request with the empty line at its end  [byte]; 0: it is incomplete
size_t ff_http_head_length(const char *bytes, size_t size);
/// Checks the bytes of a head that have arrived, and its complete lines. libwebsockets (4.1) would close the connection
/// without a reply, or wait endlessly, on some invalid lines.
ff_http_flaw ff_http_check(const char *bytes, size_t size);
/// Checks the names of headers: libwebsockets waits endlessly on "Hos:", the beginning of a name that it knows.
/// @param known  returns the names that libwebsockets knows, such as "host:", by numbers from 0; NULL after the last
ff_http_flaw ff_http_check_names(const char *bytes, size_t size, const char *(*known)(int number));

#endif
