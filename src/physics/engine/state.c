// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The state x = (q, v, z, integrals). The step writes it (advance.c), and so do callers by the setters below, from
// callbacks and between runs. `due` lists what such a write requires before the state is read again.
#include "engine/system.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ writes from outside

/// Before a value from outside is written that the stored energy depends on: that energy, for the ledger. What was
/// computed in the stages beyond `kept`, and what the method remembers of the past, is not valid afterwards.
static void begin_change(ff_sim *sim, int due, ff_sim_stage kept)
{
    if (!(sim->due & FF_DUE_COMMIT) && sim->begun) sim->written_from = ff_ledger_before_change(sim);
    sim->due |= due;
    if (!sim->loops) sim->due &= ~FF_DUE_LOOPS;
    ff_sim_lower(sim, kept);
    if (sim->begun) ff_sim_forget(sim, true);
}

void ff_sim_begin_change(ff_sim *sim)
{
    begin_change(sim, FF_DUE_COMMIT | FF_DUE_EVENTS | FF_DUE_LOOPS, FF_SIM_NOTHING);
}

/// Before values of the state are written that the stages up to `kept` do not depend on.
static void begin_write(ff_sim *sim, ff_sim_stage kept)
{
    sim->writes++;
    begin_change(sim, FF_DUE_ALL, kept);
}

/// After they are written: readers of data see them, and results stored for the old ones do not count any more.
static void end_write(ff_sim *sim)
{
    ff_sim_show(sim);
    sim->state_number++;
    if (sim->data) memcpy(sim->data->v, sim->x + sim->nq, (size_t)sim->nv * sizeof(double));
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
    begin_write(sim, FF_SIM_NOTHING);
    sim->x[i] = value;
    end_write(sim);
}

void ff_sim_set_v(ff_sim *sim, int i, double value)
{
    if (!has(sim, "velocity", i, sim->nv)) return;
    begin_write(sim, FF_SIM_POSITION);
    sim->x[sim->nq + i] = value;
    end_write(sim);
}

void ff_sim_set_state(ff_sim *sim, const double *q, const double *v)
{
    begin_write(sim, FF_SIM_NOTHING);
    if (q) memcpy(sim->x, q, (size_t)sim->nq * sizeof(double));
    if (v) memcpy(sim->x + sim->nq, v, (size_t)sim->nv * sizeof(double));
    end_write(sim);
}

void ff_sim_set_part_state(ff_sim *sim, int part, int i, double value)
{
    if (part < 0 || part >= sim->npart || i < 0 || i >= sim->parts[part].part.nstate) return;
    begin_write(sim, FF_SIM_VELOCITY);
    ff_sim_part_place(sim, part)[i] = value;
    end_write(sim);
}

void ff_sim_forces_jumped(ff_sim *sim)
{
    begin_write(sim, FF_SIM_VELOCITY);
}

/// After a held input has changed, on which forces alone depend.
static void end_hold(ff_sim *sim)
{
    ff_sim_lower(sim, FF_SIM_VELOCITY);
    if (sim->begun) ff_sim_forget(sim, false);
}

void ff_sim_hold(ff_sim *sim, double *place, double value)
{
    if (*place == value) return; // one that is not a number is always new
    *place = value;
    end_hold(sim);
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
    end_hold(sim);
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
