// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens a wire by its address. A build without FOOTFALL_WITH_LINKS has no kind of wire.
#include "link/wire.h"

#include <string.h>

#ifdef FF_WITH_LINKS
static const ff_wire_kind *const kinds[] = {&ff_wire_udp, &ff_wire_tcp, &ff_wire_serial, &ff_wire_shared, NULL};
#else
static const ff_wire_kind *const kinds[] = {NULL};
#endif

ff_wire *ff_wire_open(const char *address, ff_end end, ff_error *err)
{
    for (int i = 0; kinds[i]; i++) {
        const size_t length = strlen(kinds[i]->scheme);
        if (strncmp(address, kinds[i]->scheme, length) == 0 && address[length] == ':')
            return kinds[i]->open(address + length + 1, end, err);
    }
    if (!kinds[0])
        ff_error_set(err, FF_NOT_BUILT, "this build has no links over wires (FOOTFALL_WITH_LINKS)");
    else
        ff_error_set(
            err, FF_BAD_ARGUMENT,
            "'%.100s' is not a wire: expected udp:PORT, udp:HOST:PORT, tcp:PORT, tcp:HOST:PORT, serial:DEVICE:BAUD or "
            "shm:NAME",
            address);
    return NULL;
}
