// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Links values of the simulated bus to objects of stations (robot.h).
#include "stations/robot.h"

#include "base/bytes.h"

// ------------------------------------------------------------------------------------------ values

void ff_ec_joins_show(const ff_ec_joins *j, const unsigned char *inputs)
{
    for (int i = 0; i < j->ninput; i++)
        ff_store(j->inputs[i].field, j->inputs[i].size, ff_get(inputs + j->inputs[i].offset, j->inputs[i].bytes));
    for (int i = 0; i < j->nknown; i++) {
        const ff_ec_known *k = &j->known[i];
        *k->flags = ff_get_i64(inputs + k->offset) < 0 ? *k->flags & ~k->bit : *k->flags | k->bit;
    }
}

// ------------------------------------------------------------------------------------------ linking

/// Sample times: index on the bus, object of the device.
static const struct {
    const ff_ec_device *device;
    uint16_t from, index;
    uint8_t sub;
} TIMES[] = {{&ff_ec_force_device, 0x2001, 0x6000, 9}, {&ff_ec_imu_device, 0x2001, 0x6010, 13}};

static void add(ff_ec_joins *j, const ff_bus_object *o, void *field, size_t size)
{
    j->inputs[j->ninput++] = (ff_ec_join){o->offset, (int)ff_bus_type_size(o->type), field, size};
}

static void add_gateway(ff_ec_joins *j, const ff_bus_object *o, const ff_ec_lineup *lineup)
{
    const int number = lineup->channels[o->index - FF_GATEWAY_INDEX];
    if (number < 0) return;
    ff_ec_gateway *g = &lineup->gateways[number / FF_EC_GATEWAY_CHANNELS];
    const int channel = number % FF_EC_GATEWAY_CHANNELS;
    if (o->sub == 1) {
        add(j, o, &g->value[channel], sizeof g->value[channel]);
    } else {
        add(j, o, &g->time[channel], sizeof g->time[channel]);
        j->known[j->nknown++] = (ff_ec_known){o->offset, &g->valid, UINT32_C(1) << channel};
    }
}

static bool add_object(ff_ec_joins *j, const ff_bus_object *o, const ff_ec_module *device)
{
    uint16_t index = o->index;
    uint8_t sub = o->sub;
    for (size_t i = 0; i < sizeof TIMES / sizeof *TIMES; i++) {
        if (TIMES[i].device != device->device || TIMES[i].from != o->index) continue;
        index = TIMES[i].index;
        sub = TIMES[i].sub;
    }
    for (int i = 0; i < device->device->nentry; i++) {
        const ff_ec_entry *row = &device->device->entries[i];
        if (row->index != index || row->sub != sub) continue;
        add(j, o, (uint8_t *)device->data + row->offset, row->size);
        return true;
    }
    return false;
}

static const ff_ec_module *find(const ff_ec_lineup *lineup, const char *name)
{
    for (int i = 0; i < lineup->count; i++)
        if (strcmp(lineup->devices[i].name, name) == 0) return &lineup->devices[i];
    return NULL;
}

ff_status ff_ec_joins_make(ff_ec_joins *j, const ff_field_bus *bus, const ff_ec_lineup *lineup, ff_arena *arena,
                           ff_error *err)
{
    *j = (ff_ec_joins){.inputs = FF_ARENA_NEW(arena, ff_ec_join, bus->nobject + 1),
                       .known = FF_ARENA_NEW(arena, ff_ec_known, bus->nobject + 1)};
    if (!j->inputs || !j->known) return ff_error_set(err, FF_NO_MEMORY, "no memory for the stations");
    for (int i = 0; i < bus->nobject; i++) {
        const ff_bus_object *o = &bus->objects[i];
        const ff_ec_module *device = find(lineup, o->slave);
        if (device && device->device == &ff_ec_drive_device) continue; // it uses the objects of the drive directly
        if (!device && strcmp(o->slave, FF_GATEWAY_SLAVE) == 0)
            add_gateway(j, o, lineup);
        else if (!device || !add_object(j, o, device))
            return ff_error_set(err, FF_NOT_FOUND, "device '%s' has no object %04X:%02X for '%s'", o->slave, o->index,
                                o->sub, o->name);
    }
    return FF_OK;
}
