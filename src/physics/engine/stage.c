// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How far the evaluation of the state has come (evaluate.c): everyone who writes something that it depends on lowers
// the stage here.
#include "engine/system.h"

#include <string.h>

void ff_sim_lower(ff_sim *sim, ff_sim_stage stage)
{
    if (sim->stage > stage) sim->stage = stage;
}

void ff_sim_show(ff_sim *sim)
{
    ff_data *d = sim->data;
    if (!d || sim->stage > FF_SIM_NOTHING) return;
    sim->state_number++;
    d->time = ff_sim_time(sim);
    memcpy(d->q, sim->x, (size_t)sim->nq * sizeof(double));
    memcpy(d->v, sim->x + sim->nq, (size_t)sim->nv * sizeof(double));
}

void ff_sim_forget(ff_sim *sim, bool state)
{
    ff_sim_lower(sim, FF_SIM_VELOCITY);
    if (sim->method->forget) sim->method->forget(sim, state);
}
