// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forward dynamics of a simulation, under the loops of its model.
#include "dyn/loop_response.h"
#include "engine/system.h"

/// Without loops.
static bool forward(ff_sim *sim)
{
    // where sensors have looked at the accelerations of this state, only forces can have changed since
    const bool again = sim->factored_at == sim->state_number;
    const bool positive = again ? ff_dyn_forward_again(sim->model, sim->data) : ff_dyn_forward(sim->model, sim->data);
    sim->factored_at = positive ? sim->state_number : 0;
    return positive;
}

bool ff_sim_forward(ff_sim *sim)
{
    const int row = ff_profile_enter(sim, FF_PROFILE_DYNAMICS);
    const bool found = sim->loops ? ff_loops_forward(sim->model, sim->data, sim->loops) : forward(sim);
    ff_profile_leave(sim, row);
    return found;
}

static void solve_mass(void *context, double *x)
{
    const ff_sim *sim = context;
    ff_dyn_solve(sim->model, sim->data, x);
}

void ff_sim_prepare_response(ff_sim *sim)
{
    if (!sim->loops) return;
    ff_loops_position(sim->model, sim->data, sim->loops);
    ff_loops_factor(sim->model, sim->loops, solve_mass, sim);
}

void ff_sim_response(ff_sim *sim, double *x)
{
    ff_dyn_solve(sim->model, sim->data, x);
    if (sim->loops) ff_loops_solve(sim->model, sim->loops, sim->no_motion, x, NULL);
}
