// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A gateway to other buses (device.h): values in SI units with their times, of items that have no device of their own,
// such as potentiometers, switches and tactile arrays.
#include "hardware/device.h"

#include <stdio.h>

ff_status ff_device_gateway_make(ff_device_gateway *g, const ff_wiring *wiring, const ff_io_layout *sensors,
                                 ff_bus_image *image, ff_arena *arena, ff_error *err)
{
    *g = (ff_device_gateway){.items = wiring->gateway,
                             .n = wiring->ngateway,
                             .values = FF_ARENA_NEW(arena, ff_bus_variable, wiring->ngateway + 1),
                             .times = FF_ARENA_NEW(arena, ff_bus_variable, wiring->ngateway + 1)};
    if (!g->values || !g->times) return ff_error_set(err, FF_NO_MEMORY, "no memory for the gateway");
    ff_status status = FF_OK;
    for (int i = 0; i < g->n && status == FF_OK; i++) {
        const char *name = sensors->names[g->items[i]].name;
        char time[80];
        snprintf(time, sizeof time, "%s.time", name);
        status = ff_bus_variable_link(image, &g->values[i], FF_GATEWAY_SLAVE, name, FF_BUS_F64, false, err);
        if (status == FF_OK)
            status = ff_bus_variable_link(image, &g->times[i], FF_GATEWAY_SLAVE, time, FF_BUS_I64, false, err);
    }
    return status;
}

void ff_device_gateway_publish(const ff_device_gateway *g, ff_io_item *items)
{
    for (int i = 0; i < g->n; i++) {
        const int64_t time = ff_bus_get_integer(&g->times[i]);
        if (time < 0) continue;
        items[g->items[i]] = (ff_io_item){.value = ff_bus_get(&g->values[i]), .time_ns = time, .valid = 1};
    }
}
