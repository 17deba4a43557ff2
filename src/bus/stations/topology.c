// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Order of stations (topology.h): the tree of cables in the order of frames: behind a station its port 3 first, then 1,
// then 2.
#include "stations/topology.h"

#include <stdlib.h>
#include <string.h>

typedef struct walk {
    const ff_cable_place *places;
    int count;
    int *order, n; // stations so far
} walk;

/// Adds the stations at a port of an address; -1: none.
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

/// The positions in the file form a tree (model/cable.c), but not all of its devices need to be on the bus.
static ff_status check_reached(const walk *w, const ff_ec_station *stations, ff_error *err)
{
    for (int i = 0; i < w->count; i++)
        if (w->places[i].address && !is_in(w, i))
            return ff_error_set_at(
                err, FF_BAD_MODEL, w->places[i].said,
                "station '%s' at address %d is connected to address %d, and no device of the bus has "
                "that address, or one on the path to the master",
                stations[i].name, w->places[i].address, w->places[i].behind);
    return FF_OK;
}

/// Number of the station with an address in the new order, from 1 on; 0: none.
static int number_of(const walk *w, uint16_t address)
{
    for (int i = 0; i < w->n; i++)
        if (address && w->places[w->order[i]].address == address) return i + 1;
    return 0;
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
