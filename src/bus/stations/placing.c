// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which devices share a slave, and the order of stations on the cable: the tree of cables in the order of frames,
// behind a station its port 3 first, then 1, then 2.
#include "stations/robot.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ slaves

enum { NO_ADDRESS = 0 };
_Static_assert((int)FF_CABLE_DEVICES == (int)FF_EC_MODULES, "the limit of files is that of a slave");

/// Arguments and result of the construction.
typedef struct grouper {
    ff_ec_grouping *g;
    const ff_ec_module *devices;
    const ff_spec_setting *const *settings;
    int count;
    uint16_t *addresses;   // of each device; 0: none
    ff_ec_module *members; // of all slaves with several devices, one after the other
    int nmember;
    ff_arena *arena;
    ff_error *err;
} grouper;

static int count_members(const grouper *m, uint16_t address)
{
    int n = 0;
    for (int i = 0; i < m->count; i++) n += m->addresses[i] == address;
    return n;
}

/// The first address that several devices have; 0: none.
static uint16_t find_shared(const grouper *m)
{
    for (int i = 0; i < m->count; i++)
        if (m->addresses[i] && count_members(m, m->addresses[i]) > 1) return m->addresses[i];
    return NO_ADDRESS;
}

static void share(const grouper *m, int shared)
{
    const uint16_t address = find_shared(m);
    for (int i = m->count - shared; i < m->count && address; i++)
        if (count_members(m, address) < FF_EC_MODULES) m->addresses[i] = address;
}

static ff_ec_station *add_station(grouper *m, ff_cable_place place)
{
    m->g->places[m->g->nstation] = place;
    return &m->g->stations[m->g->nstation++];
}

static void add_single(grouper *m, int i)
{
    const ff_ec_module *d = &m->devices[i];
    m->g->station_of[i] = m->g->nstation;
    *add_station(m, ff_cable_at(m->settings[i], 0)) =
        (ff_ec_station){.device = d->device, .data = d->data, .behaviour = d->behaviour, .name = d->name};
}

/// Adds a slave with all devices of an address. Its position is that of the first device that has one.
static ff_status add_shared(grouper *m, uint16_t address)
{
    ff_ec_module *first = &m->members[m->nmember];
    ff_cable_place place = {.address = address, .port = 1};
    bool drives = false;
    int n = 0;
    for (int i = 0; i < m->count; i++) {
        if (m->addresses[i] != address) continue;
        const ff_cable_place place_of_device = ff_cable_at(m->settings[i], 0);
        if (place_of_device.behind && !place.behind) place = place_of_device;
        drives = drives || m->devices[i].device == &ff_ec_drive_device;
        first[n++] = m->devices[i];
        m->g->station_of[i] = m->g->nstation;
    }
    m->nmember += n;
    const char *name = ff_arena_printf(m->arena, "%s_%d", drives ? "axes" : "gateway", address);
    *add_station(m, place) = (ff_ec_station){
        .device = drives ? &ff_ec_axes_device : &ff_ec_modules_device, .name = name, .modules = first, .nmodule = n};
    return name ? FF_OK : ff_error_set(m->err, FF_NO_MEMORY, "no memory for the stations");
}

/// The station with an address; -1: none.
static int find_station(const grouper *m, uint16_t address)
{
    for (int i = 0; i < m->g->nstation; i++)
        if (m->g->places[i].address == address) return i;
    return -1;
}

/// Adds couplers: stations on the path to a device that are not devices themselves, with their positions.
static ff_status add_couplers(grouper *m, const ff_spec_setting *setting)
{
    for (int k = 1; setting && k < ff_cable_hops(setting); k++) {
        const ff_cable_place place = ff_cable_at(setting, k);
        const int known = find_station(m, place.address);
        if (known >= 0 && !m->g->places[known].behind) m->g->places[known] = place; // its device has none
        if (known >= 0) continue;
        const char *name = ff_arena_printf(m->arena, "coupler_%d", place.address);
        if (!name) return ff_error_set(m->err, FF_NO_MEMORY, "no memory for the stations");
        *add_station(m, place) = (ff_ec_station){.device = &ff_ec_coupler_device, .name = name};
    }
    return FF_OK;
}

static int count_hops(const grouper *m)
{
    int n = 0;
    for (int i = 0; i < m->count; i++)
        if (m->settings[i]) n += ff_cable_hops(m->settings[i]);
    return n;
}

static bool make_memory(grouper *m)
{
    const int most = m->count + count_hops(m) + 1;
    ff_ec_grouping *g = m->g;
    g->stations = FF_ARENA_NEW(m->arena, ff_ec_station, most);
    g->places = FF_ARENA_NEW(m->arena, ff_cable_place, most);
    g->station_of = FF_ARENA_NEW(m->arena, int, most);
    m->addresses = FF_ARENA_NEW(m->arena, uint16_t, most);
    m->members = FF_ARENA_NEW(m->arena, ff_ec_module, most);
    return g->stations && g->places && g->station_of && m->addresses && m->members;
}

/// Slaves in the order of their first devices.
static ff_status add_all(grouper *m)
{
    ff_status status = FF_OK;
    for (int i = 0; i < m->count && status == FF_OK; i++) {
        const uint16_t address = m->addresses[i];
        if (!address || count_members(m, address) == 1)
            add_single(m, i);
        else if (find_station(m, address) < 0)
            status = add_shared(m, address);
    }
    for (int i = 0; i < m->count && status == FF_OK; i++) status = add_couplers(m, m->settings[i]);
    return status;
}

ff_status ff_ec_group(ff_ec_grouping *g, const ff_ec_module *devices, const ff_spec_setting *const *settings, int count,
                      int shared, ff_arena *arena, ff_error *err)
{
    grouper m = {.g = g, .devices = devices, .settings = settings, .count = count, .arena = arena, .err = err};
    *g = (ff_ec_grouping){0};
    if (!make_memory(&m)) return ff_error_set(err, FF_NO_MEMORY, "no memory for the stations");
    for (int i = 0; i < count; i++) m.addresses[i] = ff_cable_at(settings[i], 0).address;
    share(&m, shared);
    return add_all(&m);
}

// ------------------------------------------------------------------------------------------ their order

typedef struct walk {
    const ff_cable_place *places;
    int count;
    int *order, n; // stations so far
} walk;

/// The station at a port of an address; -1: none.
static int find_at(const walk *w, uint16_t address, int port)
{
    for (int i = 0; i < w->count; i++)
        if (w->places[i].address && w->places[i].behind == address && w->places[i].port == port) return i;
    return -1;
}

static void visit(walk *w, int station)
{
    static const int ports[] = {3, 1, 2};
    w->order[w->n++] = station;
    for (int i = 0; i < 3; i++) {
        const int next = find_at(w, w->places[station].address, ports[i]);
        if (next >= 0 && w->n < w->count) visit(w, next);
    }
}

static int find_first(const walk *w)
{
    for (int i = 0; i < w->count; i++)
        if (w->places[i].address && !w->places[i].behind) return i;
    return -1;
}

/// Number of the station with an address in the new order, from 1 on; 0: none.
static int number_of(const walk *w, uint16_t address)
{
    for (int i = 0; i < w->n; i++)
        if (address && w->places[w->order[i]].address == address) return i + 1;
    return 0;
}

/// Are all stations connected? Positions in the file form a tree (model/cable.c), but some devices may be missing.
static ff_status check_reached(const walk *w, const ff_ec_station *stations, ff_error *err)
{
    for (int i = 0; i < w->count; i++)
        if (w->places[i].address && !number_of(w, w->places[i].address))
            return ff_error_set_at(
                err, FF_BAD_MODEL, w->places[i].source,
                "station '%s' at address %d is connected to address %d, and no device of the bus has "
                "that address, or one on the path to the master",
                stations[i].name, w->places[i].address, w->places[i].behind);
    return FF_OK;
}

ff_status ff_ec_stations_sort(ff_ec_station *stations, const ff_cable_place *places, int count, int *order,
                              ff_error *err)
{
    walk w = {.places = places, .count = count, .order = order};
    const int first = find_first(&w);
    if (first >= 0) visit(&w, first);
    const ff_status status = check_reached(&w, stations, err);
    if (status != FF_OK) return status;
    for (int i = 0; i < count; i++)
        if (!places[i].address) order[w.n++] = i; // in a line, behind the last one
    ff_ec_station *sorted = malloc((size_t)(count + 1) * sizeof *sorted);
    if (!sorted) return ff_error_set(err, FF_NO_MEMORY, "no memory for the stations");
    for (int i = 0; i < count; i++) {
        const ff_cable_place *p = &places[order[i]];
        sorted[i] = stations[order[i]];
        sorted[i].serial = (uint32_t)i + 1;
        sorted[i].variant = (uint16_t)i;
        sorted[i].alias = p->address;
        sorted[i].behind = number_of(&w, p->behind);
        sorted[i].port = p->port;
    }
    memcpy(stations, sorted, (size_t)count * sizeof *stations);
    free(sorted);
    return FF_OK;
}
