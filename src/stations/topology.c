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
                                .port = behind + 1 < s->count ? (int)s->values[behind + 1] : 1,
                                .said = s->place};
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

/// What is wrong with the place of a station by itself.
static ff_status check_one(const walk *w, const ff_ec_station *stations, int i, ff_error *err)
{
    const ff_ec_place_on_bus *p = &w->places[i];
    const char *name = stations[i].name;
    if (p->port < 1 || p->port > 3)
        return ff_error_set_at(err, FF_BAD_MODEL, p->said,
                               "station '%s' at address %d hangs at port %d of address %d: ports are 1 to 3", name,
                               p->address, p->port, p->behind);
    if (p->behind == p->address)
        return ff_error_set_at(err, FF_BAD_MODEL, p->said, "station '%s' at address %d hangs behind itself", name,
                               p->address);
    if (p->behind && !has_address(w, p->behind))
        return ff_error_set_at(err, FF_BAD_MODEL, p->said,
                               "station '%s' at address %d hangs at port %d of address %d: no station has that address",
                               name, p->address, p->port, p->behind);
    return FF_OK;
}

/// What is wrong with the places of two stations together.
static ff_status check_two(const walk *w, const ff_ec_station *stations, int k, int i, ff_error *err)
{
    const ff_ec_place_on_bus *one = &w->places[k], *two = &w->places[i];
    if (one->address == two->address)
        return ff_error_set_at(err, FF_BAD_MODEL, two->said, "stations '%s' and '%s' have the same address %d",
                               stations[k].name, stations[i].name, two->address);
    if (one->behind != two->behind) return FF_OK;
    if (!one->behind)
        return ff_error_set_at(
            err, FF_BAD_MODEL, two->said,
            "stations '%s' at address %d and '%s' at address %d both hang behind no other station: one "
            "only is next to the master",
            stations[k].name, one->address, stations[i].name, two->address);
    if (one->port == two->port)
        return ff_error_set_at(err, FF_BAD_MODEL, two->said,
                               "stations '%s' and '%s' both hang at port %d of address %d", stations[k].name,
                               stations[i].name, two->port, two->behind);
    return FF_OK;
}

/// What is left where each place is possible: stations that hang behind one another in a circle.
static ff_status check_reached(const walk *w, const ff_ec_station *stations, ff_error *err)
{
    for (int i = 0; i < w->count; i++)
        if (w->places[i].address && !is_in(w, i))
            return ff_error_set_at(
                err, FF_BAD_MODEL, w->places[i].said,
                "station '%s' at address %d hangs behind address %d, and the way on never comes to the "
                "master: it is a circle",
                stations[i].name, w->places[i].address, w->places[i].behind);
    return FF_OK;
}

static ff_status check(const walk *w, const ff_ec_station *stations, ff_error *err)
{
    ff_status status = FF_OK;
    for (int i = 0; i < w->count && status == FF_OK; i++)
        if (w->places[i].address) status = check_one(w, stations, i, err);
    for (int i = 0; i < w->count; i++)
        for (int k = 0; k < i && status == FF_OK; k++)
            if (w->places[i].address && w->places[k].address) status = check_two(w, stations, k, i, err);
    return status == FF_OK ? check_reached(w, stations, err) : status;
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
