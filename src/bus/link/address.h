// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Network addresses.
#ifndef FOOTFALL_LINK_ADDRESS_H
#define FOOTFALL_LINK_ADDRESS_H

#include "link/wire.h"

#include <sys/socket.h>

struct ff_address {
    struct sockaddr_storage bytes;
    socklen_t length;
};
/// Parses "7400" or "HOST:7400"; the default of HOST is 127.0.0.1.
ff_status ff_address_find(const char *text, int type, ff_address *out, ff_error *err);
/// "127.0.0.1:7400".
void ff_address_write(const ff_address *address, char *text, size_t size);
/// The local or remote address of a socket as text.
void ff_address_text(int fd, bool far, char *text, size_t size);

#endif
