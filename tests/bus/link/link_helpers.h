// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run left behind, to compare runs bit by bit, and wires for tests of links.
#ifndef FOOTFALL_TESTS_LINK_HELPERS_H
#define FOOTFALL_TESTS_LINK_HELPERS_H

#include "scene/scene_helpers.h"

#include <footfall/link.h>
#include <footfall/sim.h>

static inline const char *path_of(const char *file)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, file);
    return path;
}

/// What a run left: its state and its metrics.
typedef struct outcome {
    double numbers[4000];
    int count;
    char events[20000];
} outcome;

static inline outcome look(void)
{
    outcome out = {0};
    int n;
    const double *x = ff_sim_state(ff_run_sim(run), &n);
    const ff_result *result = ff_run_result(run);
    for (int i = 0; i < n; i++) out.numbers[out.count++] = x[i];
    for (int i = 0; i < result->nmetric; i++) out.numbers[out.count++] = result->metrics[i].value;
    snprintf(out.events, sizeof out.events, "%s", result->events ? result->events : "");
    return out;
}

static inline bool same(const outcome *a, const outcome *b)
{
    return a->count == b->count && memcmp(a->numbers, b->numbers, (size_t)a->count * sizeof(double)) == 0 &&
           strcmp(a->events, b->events) == 0;
}

static inline ff_wire *must_open(const char *address)
{
    ff_error err = {0};
    ff_wire *wire = ff_wire_open(address, FF_END_ROBOT, &err);
    if (!wire) CHECK_FAIL("%s", err.text);
    return wire;
}

/// Adds faults to a wire. Both may be NULL.
static inline ff_wire *add_faults(ff_wire *wire, const char *faults, ff_error *err)
{
    if (!wire || !faults) return wire;
    ff_wire *faulty = ff_wire_with_faults(wire, faults, err);
    if (!faulty) ff_wire_close(wire);
    return faulty;
}

#endif
