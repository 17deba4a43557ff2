// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Single steps of ANTON as it walks, by a loop in C: what bench/python.py compares its own loop with.
#include "clock.h"

#include <footfall/run.h>
#include <stdio.h>

static const double SIMULATED = 2.0; // [s]

/// Time of a step  [us]; below zero: it failed.
static double time_steps(const ff_scene_spec *scene)
{
    ff_error err = {0};
    ff_run *run = ff_run_create(scene, NULL, NULL);
    ff_sim *sim = run ? ff_run_sim(run) : NULL;
    double elapsed = -1.0;
    if (sim && ff_sim_step(sim, 1.0, &err) == FF_OK) {
        const double start = now();
        long steps = 0;
        for (; ff_sim_time(sim) < SIMULATED; steps++)
            if (ff_sim_step(sim, ff_sim_time(sim) + 1.0, &err) != FF_OK) break;
        elapsed = err.status ? -1.0 : 1e6 * (now() - start) / (double)steps;
    }
    ff_run_destroy(run);
    return elapsed;
}

int main(int argc, char **argv)
{
    const char *const overrides[] = {"record={channels: []}"};
    const ff_scene_spec *scene =
        ff_scene_load(argc > 1 ? argv[1] : "experiments/anton-tripod.yaml", overrides, 1, NULL);
    double best = -1.0;
    for (int i = 0; scene && i < 5; i++) {
        const double one = time_steps(scene);
        if (one > 0.0 && (best < 0.0 || one < best)) best = one;
    }
    ff_scene_destroy(scene);
    printf("ANTON walking, single steps by C: %.3f us\n", best);
    return best > 0.0 ? 0 : 1;
}
