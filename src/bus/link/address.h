// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Addresses of networks.
#ifndef FOOTFALL_LINK_ADDRESS_H
#define FOOTFALL_LINK_ADDRESS_H

#include "link/wire.h"

#include <sys/socket.h>

struct ff_address {
    struct sockaddr_storage bytes;
    socklen_t length;
};
/// "7400" or "HOST:7400"; HOST without a word is 127.0.0.1.
ff_status ff_address_find(const char *text, int type, ff_address *out, ff_error *err);
/// "127.0.0.1:7400".
void ff_address_write(const ff_address *address, char *text, size_t size);
/// The same of a socket's own end or of the far one.
void ff_address_text(int fd, bool far, char *text, size_t size);

#endif
