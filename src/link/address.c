// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Addresses of networks. Without a host it is this machine alone: a robot that listens to a whole network must be told
// to.
#include "link/wire.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

ff_status ff_address_find(const char *text, int type, struct sockaddr_storage *out, unsigned *length, ff_error *err)
{
    const char *colon = strrchr(text, ':'), *port = colon ? colon + 1 : text;
    char host[128] = "127.0.0.1";
    if (colon && snprintf(host, sizeof host, "%.*s", (int)(colon - text), text) >= (int)sizeof host)
        return ff_error_set(err, FF_BAD_ARGUMENT, "the name of the host in '%.60s...' is too long", text);
    const struct addrinfo want = {.ai_family = AF_UNSPEC, .ai_socktype = type, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    char *end = NULL;
    const long number = strtol(port, &end, 10);
    const bool sound = end != port && *end == '\0' && number >= 0 && number <= 65535 && host[0];
    const int trouble = sound ? getaddrinfo(host, port, &want, &found) : EAI_NONAME;
    if (trouble != 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%.100s' is no address: write PORT, or HOST:PORT (%s)", text,
                            gai_strerror(trouble));
    memcpy(out, found->ai_addr, found->ai_addrlen);
    *length = (unsigned)found->ai_addrlen;
    freeaddrinfo(found);
    return FF_OK;
}

void ff_address_text(int fd, bool far, char *text, size_t size)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    char host[NI_MAXHOST], port[NI_MAXSERV];
    const int got = far ? getpeername(fd, (struct sockaddr *)&address, &length)
                        : getsockname(fd, (struct sockaddr *)&address, &length);
    text[0] = '\0';
    if (got == 0 && getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                                NI_NUMERICHOST | NI_NUMERICSERV) == 0)
        snprintf(text, size, "%s:%s", host, port);
}
