// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The state x = (q, v, z, integrals). The step writes it (advance.c), and so do callers by the setters below, from
// callbacks and between runs. `due` lists what such a write requires before the state is read again.
#include "engine/system.h"

#include <math.h>
#include <string.h>

/// Before a write from outside: keeps the stored energy for the ledger, invalidates the stages beyond `kept`, and drops
/// what the method remembers of the past.
static void begin_change(ff_sim *sim, int due, ff_sim_stage kept)
{
    if (!(sim->due & FF_DUE_COMMIT) && sim->begun) sim->ledger.before_write = ff_ledger_before_change(sim);
    sim->due |= due;
    if (!sim->loops) sim->due &= ~FF_DUE_LOOPS;
    ff_sim_invalidate(sim, kept);
    if (sim->begun) ff_sim_forget(sim, true);
}

void ff_sim_begin_change(ff_sim *sim)
{
    begin_change(sim, FF_DUE_COMMIT | FF_DUE_EVENTS | FF_DUE_LOOPS, FF_SIM_NOTHING);
}

/// Before values of the state are written, on which the stages up to `kept` do not depend.
static void begin_write(ff_sim *sim, ff_sim_stage kept)
{
    sim->writes++;
    begin_change(sim, FF_DUE_ALL, kept);
}

/// After they are written: data gets them, and results cached for the old ones become invalid.
static void end_write(ff_sim *sim)
{
    ff_sim_copy_to_data(sim);
    sim->state_number++;
    if (sim->data) memcpy(sim->data->v, sim->x + sim->nq, (size_t)sim->nv * sizeof(double));
}

void ff_sim_commit_writes(ff_sim *sim)
{
    if (!(sim->due & FF_DUE_COMMIT) || !sim->begun) return;
    sim->due &= ~FF_DUE_COMMIT;
    if (sim->model) ff_dyn_normalise(sim->model, sim->x);
    ff_sim_invalidate(sim, FF_SIM_NOTHING);
    ff_sim_copy_to_data(sim);
    ff_ledger_after_change(sim, sim->ledger.before_write);
}

/// Is there a coordinate number i among `count`? If not, the mistake is noted.
static bool has_coordinate(const ff_sim *sim, const char *what, int i, int count)
{
    if (i >= 0 && i < count) return true;
    ff_sim_note_mistake(sim, FF_BAD_ARGUMENT, "coordinate %d of the %s is set, and there are %d", i, what, count);
    return false;
}

void ff_sim_set_q(ff_sim *sim, int i, double value)
{
    if (!has_coordinate(sim, "position", i, sim->nq)) return;
    begin_write(sim, FF_SIM_NOTHING);
    sim->x[i] = value;
    end_write(sim);
}

void ff_sim_set_v(ff_sim *sim, int i, double value)
{
    if (!has_coordinate(sim, "velocity", i, sim->nv)) return;
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

/// After an input has changed, on which only forces depend.
static void end_input(ff_sim *sim)
{
    ff_sim_invalidate(sim, FF_SIM_VELOCITY);
    if (sim->begun) ff_sim_forget(sim, false);
}

void ff_sim_set_input(ff_sim *sim, double *place, double value)
{
    if (*place == value) return;
    *place = value;
    end_input(sim);
}

void ff_sim_set_torque(ff_sim *sim, int i, double value)
{
    if (has_coordinate(sim, "held torques", i, sim->nv)) ff_sim_set_input(sim, &sim->held[i], value);
}

void ff_sim_set_torques(ff_sim *sim, const double *values)
{
    const size_t size = (size_t)sim->nv * sizeof *values;
    if (memcmp(sim->held, values, size) == 0) return;
    memcpy(sim->held, values, size);
    end_input(sim);
}

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
