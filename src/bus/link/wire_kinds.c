// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of wires, and opening a wire by its address.
#include "link/wire.h"

#include <string.h>

static const ff_wire_kind *const kinds[] = {&ff_wire_udp, &ff_wire_tcp, &ff_wire_serial, &ff_wire_shared};

ff_wire *ff_wire_open(const char *address, ff_end end, ff_error *err)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t length = strlen(kinds[i]->scheme);
        if (strncmp(address, kinds[i]->scheme, length) == 0 && address[length] == ':')
            return kinds[i]->open(address + length + 1, end, err);
    }
    ff_error_set(
        err, FF_BAD_ARGUMENT,
        "'%.100s' is not a wire: expected udp:PORT, udp:HOST:PORT, tcp:PORT, tcp:HOST:PORT, serial:DEVICE:BAUD or "
        "shm:NAME",
        address);
    return NULL;
}
