// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Order of stations (topology.h): the tree of cables, walked as frames do, behind a station its port 3 first, then 1,
// then 2.
#include "stations/topology.h"

#include <stdlib.h>
#include <string.h>

const ff_spec_setting *ff_ec_find_place(const ff_spec_setting *settings, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(settings[i].name, "station") == 0 && settings[i].count > 0) return &settings[i];
    return NULL;
}

ff_ec_place_on_bus ff_ec_place_at(const ff_spec_setting *s, int hop)
{
    if (!s) return (ff_ec_place_on_bus){0};
    const int behind = 2 * hop + 1; // where its number is in the list
    return (ff_ec_place_on_bus){.address = (uint16_t)s->values[hop ? behind - 2 : 0],
                                .behind = behind < s->count ? (uint16_t)s->values[behind] : 0,
                                .port = behind + 1 < s->count ? (int)s->values[behind + 1] : 1};
}

typedef struct walk {
    const ff_ec_place_on_bus *places;
    int count;
    int *order, n; // stations so far
} walk;

/// Hangs at a port of an address; -1: nobody.
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

static bool is_in(const walk *w, int station)
{
    for (int i = 0; i < w->n; i++)
        if (w->order[i] == station) return true;
    return false;
}

static bool has_address(const walk *w, uint16_t address)
{
    for (int i = 0; i < w->count; i++)
        if (w->places[i].address == address) return true;
    return false;
}

/// A station with a place that was not reached, best one that hangs behind nobody; -1: none.
static int find_lost(const walk *w)
{
    int lost = -1;
    for (int i = 0; i < w->count; i++) {
        if (!w->places[i].address || is_in(w, i)) continue;
        if (!has_address(w, w->places[i].behind)) return i;
        if (lost < 0) lost = i;
    }
    return lost;
}

/// Who was not reached is said, with what it hangs behind.
static ff_status check(const walk *w, const ff_ec_station *stations, ff_error *err)
{
    const int lost = find_lost(w);
    for (int i = 0; i < w->count; i++)
        for (int k = 0; k < i; k++)
            if (w->places[i].address && w->places[k].address == w->places[i].address)
                return ff_error_set(err, FF_BAD_MODEL, "stations '%s' and '%s' have the same address %d",
                                    stations[k].name, stations[i].name, w->places[i].address);
    if (lost < 0) return FF_OK;
    const ff_ec_place_on_bus *p = &w->places[lost];
    return ff_error_set(err, FF_BAD_MODEL,
                        "station '%s' at address %d hangs at port %d of address %d: no station that frames reach is "
                        "there, or another one hangs at that port",
                        stations[lost].name, p->address, p->port, p->behind);
}

/// Number of a station in the new order, from 1 on; 0: there is none of that address.
static int number_of(const walk *w, uint16_t address)
{
    for (int i = 0; i < w->n; i++)
        if (address && w->places[w->order[i]].address == address) return i + 1;
    return 0;
}

ff_status ff_ec_stations_sort(ff_ec_station *stations, const ff_ec_place_on_bus *places, int count, int *order,
                              ff_error *err)
{
    walk w = {.places = places, .count = count, .order = order};
    const int first = find_first(&w);
    if (first >= 0) visit(&w, first);
    const ff_status status = check(&w, stations, err);
    if (status != FF_OK) return status;
    for (int i = 0; i < count; i++)
        if (!places[i].address) order[w.n++] = i; // in a line, behind the last
    ff_ec_station *sorted = malloc((size_t)(count + 1) * sizeof *sorted);
    if (!sorted) return ff_error_set(err, FF_NO_MEMORY, "no memory for the stations");
    for (int i = 0; i < count; i++) {
        const ff_ec_place_on_bus *p = &places[order[i]];
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
