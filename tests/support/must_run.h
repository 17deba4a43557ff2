// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of simulations that must not fail.
#ifndef FOOTFALL_TESTS_MUST_RUN_H
#define FOOTFALL_TESTS_MUST_RUN_H

#include "check.h"

#include <footfall/sim.h>

/// Goes on to time `until` [s]; what stops it before fails the test.
static inline void must_run(ff_sim *sim, double until)
{
    ff_error err = {0};
    if (ff_sim_run(sim, until, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

/// Brings a simulation to the state of another one of the same robot.
static inline void must_copy_state(ff_sim *from, ff_sim *to)
{
    ff_error err = {0};
    const size_t size = ff_sim_save_size(from);
    void *state = malloc(size);
    const bool copied = ff_sim_save(from, state, size, &err) == FF_OK && ff_sim_restore(to, state, size, &err) == FF_OK;
    free(state);
    if (!copied) CHECK_FAIL("%s", err.text);
}

#endif
