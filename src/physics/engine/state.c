// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The state x = (q, v, z, integrals). The step writes it (advance.c), and so do callers by the setters below, from
// callbacks and between runs. `due` lists what such a write requires before the state is read again.
#include "engine/system.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ writes from outside

/// Before the first of several writes: the stored energy they start from.
static void begin_write(ff_sim *sim)
{
    if (!(sim->due & FF_DUE_COMMIT) && sim->begun) sim->written_from = ff_ledger_before_change(sim);
    sim->writes++;
    sim->due = FF_DUE_ALL;
    if (!sim->loops) sim->due &= ~FF_DUE_LOOPS;
    if (sim->begun) ff_sim_forget(sim, true);
}

void ff_sim_begin_change(ff_sim *sim)
{
    if (!(sim->due & FF_DUE_COMMIT) && sim->begun) sim->written_from = ff_ledger_before_change(sim);
    sim->due |= FF_DUE_COMMIT | FF_DUE_EVENTS | (sim->loops ? FF_DUE_LOOPS : 0);
    ff_sim_lower(sim, FF_SIM_NOTHING);
    if (sim->begun) ff_sim_forget(sim, true);
}

void ff_sim_commit_writes(ff_sim *sim)
{
    if (!(sim->due & FF_DUE_COMMIT) || !sim->begun) return;
    sim->due &= ~FF_DUE_COMMIT;
    if (sim->model) ff_dyn_normalise(sim->model, sim->x);
    ff_sim_lower(sim, FF_SIM_NOTHING);
    ff_sim_show(sim);
    ff_ledger_after_change(sim, sim->written_from);
}

/// Is there a coordinate of that number? If not, the mistake is noted.
static bool has(const ff_sim *sim, const char *what, int i, int count)
{
    if (i >= 0 && i < count) return true;
    ff_sim_mistake(sim, FF_BAD_ARGUMENT, "coordinate %d of the %s is set, and there are %d", i, what, count);
    return false;
}

void ff_sim_set_q(ff_sim *sim, int i, double value)
{
    if (!has(sim, "position", i, sim->nq)) return;
    begin_write(sim);
    ff_sim_lower(sim, FF_SIM_NOTHING);
    sim->x[i] = value;
    ff_sim_show(sim);
}

void ff_sim_set_v(ff_sim *sim, int i, double value)
{
    if (!has(sim, "velocity", i, sim->nv)) return;
    begin_write(sim);
    ff_sim_lower(sim, FF_SIM_POSITION);
    sim->x[sim->nq + i] = value;
    ff_sim_show(sim);
    sim->state_number++;
    if (sim->data) sim->data->v[i] = value;
}

void ff_sim_set_state(ff_sim *sim, const double *q, const double *v)
{
    begin_write(sim);
    ff_sim_lower(sim, FF_SIM_NOTHING);
    if (q) memcpy(sim->x, q, (size_t)sim->nq * sizeof(double));
    if (v) memcpy(sim->x + sim->nq, v, (size_t)sim->nv * sizeof(double));
    ff_sim_show(sim);
}

void ff_sim_set_part_state(ff_sim *sim, int part, int i, double value)
{
    if (part < 0 || part >= sim->npart || i < 0 || i >= sim->parts[part].part.nstate) return;
    begin_write(sim);
    ff_sim_lower(sim, FF_SIM_VELOCITY);
    ff_sim_part_place(sim, part)[i] = value;
    sim->state_number++; // what was computed of the old value is not valid any more
}

void ff_sim_forces_jumped(ff_sim *sim)
{
    begin_write(sim);
    ff_sim_lower(sim, FF_SIM_VELOCITY);
}

void ff_sim_hold(ff_sim *sim, double *place, double value)
{
    if (*place == value) return; // one that is not a number is always new
    *place = value;
    ff_sim_lower(sim, FF_SIM_VELOCITY);
    if (sim->begun) ff_sim_forget(sim, false);
}

void ff_sim_set_torque(ff_sim *sim, int i, double value)
{
    if (has(sim, "held torques", i, sim->nv)) ff_sim_hold(sim, &sim->held[i], value);
}

void ff_sim_set_torques(ff_sim *sim, const double *values)
{
    const size_t size = (size_t)sim->nv * sizeof *values;
    if (memcmp(sim->held, values, size) == 0) return;
    memcpy(sim->held, values, size);
    ff_sim_lower(sim, FF_SIM_VELOCITY);
    if (sim->begun) ff_sim_forget(sim, false);
}

// ------------------------------------------------------------------------------------------ reading

const double *ff_sim_q(const ff_sim *sim)
{
    return sim->data ? sim->data->q : NULL; // not x, which moves when the first run sizes it
}

const double *ff_sim_v(const ff_sim *sim)
{
    return sim->data ? sim->data->v : NULL;
}

const double *ff_sim_torques(const ff_sim *sim)
{
    return sim->held;
}

double *ff_sim_part_place(ff_sim *sim, int part)
{
    double *z = sim->begun ? sim->x + sim->nq + sim->nv : sim->part_start;
    return z ? z + sim->parts[part].offset : NULL;
}

const double *ff_sim_part_state(ff_sim *sim, int part)
{
    return part >= 0 && part < sim->npart ? ff_sim_part_place(sim, part) : NULL;
}
