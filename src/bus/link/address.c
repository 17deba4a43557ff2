// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Network addresses. Without a host an address is local to the machine: listening elsewhere must be requested.
#include "link/wire.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

ff_status ff_address_find(const char *text, int type, ff_address *out, ff_error *err)
{
    const char *colon = strrchr(text, ':'), *port = colon ? colon + 1 : text;
    char host[128] = "127.0.0.1";
    if (colon && snprintf(host, sizeof host, "%.*s", (int)(colon - text), text) >= (int)sizeof host)
        return ff_error_set(err, FF_BAD_ARGUMENT, "the name of the host in '%.60s...' is too long", text);
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = type, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *addresses = NULL;
    char *end = NULL;
    const long number = strtol(port, &end, 10);
    if (end == port || *end != '\0' || !host[0])
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%.100s' is not an address: expected PORT or HOST:PORT", text);
    if (number < 0 || number > 65535)
        return ff_error_set(err, FF_BAD_ARGUMENT, "port %.20s is invalid: expected a number from 0 to 65535", port);
    const int problem = getaddrinfo(host, port, &hints, &addresses);
    if (problem != 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "cannot resolve host '%.100s': %s", host, gai_strerror(problem));
    *out = (ff_address){.length = addresses->ai_addrlen};
    memcpy(&out->bytes, addresses->ai_addr, addresses->ai_addrlen);
    freeaddrinfo(addresses);
    return FF_OK;
}

void ff_address_write(const ff_address *address, char *text, size_t size)
{
    char host[NI_MAXHOST], port[NI_MAXSERV];
    text[0] = '\0';
    if (getnameinfo((const struct sockaddr *)&address->bytes, address->length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) == 0)
        snprintf(text, size, "%s:%s", host, port);
}

void ff_address_text(int fd, bool remote, char *text, size_t size)
{
    ff_address address = {.length = sizeof address.bytes};
    struct sockaddr *bytes = (struct sockaddr *)&address.bytes;
    const int result = remote ? getpeername(fd, bytes, &address.length) : getsockname(fd, bytes, &address.length);
    text[0] = '\0';
    if (result == 0) ff_address_write(&address, text, size);
}
