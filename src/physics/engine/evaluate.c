// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluation of a simulation, in stages:
//     position       q        -> poses
//     velocity       q, v     -> velocities of all nodes, passive forces of the joints
//     forces         x, t     -> tau and wrenches of joints, actuators and parts; rates of part states, powers of
//         the ledger
//     acceleration            -> qacc
// ff_sim_reach evaluates `data` up to a stage at the state x. ff_sim.stage is the stage reached: only this file raises
// it, and every write of something that it depends on lowers it (ff_sim_invalidate). Trial states of the methods are
// evaluated in the same memory, at the stage "nothing".
#include "dyn/loop_response.h"
#include "dyn/packed.h"
#include "engine/system.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ forces

void ff_sim_gather_joints(ff_sim *sim)
{
    const ff_model *m = sim->model;
    ff_data *d = sim->data;
    memcpy(d->tau, sim->held, (size_t)sim->nv * sizeof(double));
    ff_dyn_clear_forces(m, d);
    if (sim->nacting > 0) ff_sim_add_actuators(sim, d);
    memcpy(sim->ledger.driving, d->tau, (size_t)sim->nv * sizeof(double));
    if (sim->napplied > 0) ff_sim_add_applied(sim);
    for (int i = 0; sim->options.passive && i < sim->nv; i++) d->tau[i] += d->passive[i];
}

int ff_part_enter(const ff_sim *sim, int part)
{
    const int row = ff_profile_enter(sim, FF_PROFILE_PARTS + part);
    if (sim->parts[part].work) ff_ledger_measure(sim, &sim->parts[part], false);
    return row;
}

void ff_part_leave(const ff_sim *sim, int part, int row)
{
    if (sim->parts[part].work) ff_ledger_measure(sim, &sim->parts[part], true);
    ff_profile_leave(sim, row);
}

/// Held, actuator, passive and part forces -> d->tau, d->wrench; rates of part states and powers of the ledger -> zdot.
static void gather_forces(ff_sim *sim, double t, const double *z, double *zdot)
{
    const ff_model *m = sim->model;
    ff_data *d = sim->data;
    if (d) ff_sim_gather_joints(sim);
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->part.derivative) continue;
        const int row = ff_part_enter(sim, i);
        ff_part_bind_rates(sim, slot, zdot);
        slot->part.derivative(slot->part.context, t, m, d, z + slot->offset, zdot + slot->offset);
        ff_part_leave(sim, i, row);
    }
    if (sim->nledger > 0) ff_ledger_powers(sim, t, z, zdot + sim->nz);
}

/// Lets parts constrain the accelerations, such as contacts without compliance. @return 0: no part does, 1: done, -1: a
/// part could not
static int constrain(ff_sim *sim, double *zdot)
{
    int outcome = 0;
    for (int i = 0; i < sim->npart && sim->nconstrain > 0 && outcome >= 0; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->inner.constrain) continue;
        outcome = slot->inner.constrain(slot->part.context, sim, sim->nledger > 0 ? zdot + sim->nz : NULL) ? 1 : -1;
    }
    return outcome;
}

// ------------------------------------------------------------------------------------------ forward dynamics

/// Forward dynamics of a model without loops. @return false when the mass matrix is not positive
static bool forward(ff_sim *sim)
{
    // The inertias stay where accelerations are computed again at the same state, with other forces.
    const bool again = sim->factored_at == sim->state_number;
    const bool positive = again ? ff_dyn_forward_again(sim->model, sim->data) : ff_dyn_forward(sim->model, sim->data);
    sim->factored_at = positive ? sim->state_number : 0;
    return positive;
}

/// d->tau, d->wrench -> d->qacc, under the loops of the model. @return false when there is no solution
static bool find_acceleration(ff_sim *sim)
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

// ------------------------------------------------------------------------------------------ at a trial state

/// Lets parts write the inertia that depends on them, for the pose and velocity in data.
static void place_parts(ff_sim *sim)
{
    for (int i = 0, left = sim->nplace; left > 0; left -= sim->parts[i++].inner.place != NULL)
        if (sim->parts[i].inner.place) sim->parts[i].inner.place(sim->parts[i].part.context, sim->data);
}

void ff_sim_place_trial(ff_sim *sim, double time, const double *q, const double *v, bool project)
{
    ff_data *d = sim->data;
    ff_sim_invalidate(sim, FF_SIM_NOTHING);
    if (!d) return;
    const int row = ff_profile_enter(sim, FF_PROFILE_KINEMATICS);
    d->time = time;
    memcpy(d->q, q, (size_t)sim->nq * sizeof(double));
    memcpy(d->v, v, (size_t)sim->nv * sizeof(double));
    if (project) ff_dyn_normalise(sim->model, d->q);
    sim->state_number++;
    place_parts(sim);
    ff_dyn_kinematics(sim->model, d);
    ff_dyn_velocity(sim->model, d);
    if (sim->options.passive) ff_dyn_passive(sim->model, d);
    ff_profile_leave(sim, row);
}

static bool derivative_at_trial(ff_sim *sim, double time, const double *x, double *dx)
{
    const double *z = x + sim->nq + sim->nv;
    double *zdot = dx + sim->nq + sim->nv;
    // Quaternions of stages, and of the history of cvode, have not exactly length 1. Forces must not depend on it.
    ff_sim_place_trial(sim, time, x, x + sim->nq, true);
    gather_forces(sim, time, z, zdot);
    return !sim->data || (find_acceleration(sim) && constrain(sim, zdot) >= 0);
}

// ------------------------------------------------------------------------------------------ at the state

static void reach_position(ff_sim *sim)
{
    const int row = ff_profile_enter(sim, FF_PROFILE_KINEMATICS);
    ff_sim_copy_to_data(sim);
    place_parts(sim);
    ff_dyn_kinematics(sim->model, sim->data);
    ff_profile_leave(sim, row);
}

static void reach_velocity(ff_sim *sim)
{
    const int row = ff_profile_enter(sim, FF_PROFILE_KINEMATICS);
    if (sim->stage == FF_SIM_POSITION) { // otherwise v has been copied along with q
        memcpy(sim->data->v, sim->x + sim->nq, (size_t)sim->nv * sizeof(double));
        sim->state_number++;
    }
    place_parts(sim);
    ff_dyn_velocity(sim->model, sim->data);
    ff_dyn_passive(sim->model, sim->data);
    ff_profile_leave(sim, row);
}

bool ff_sim_reach_at(ff_sim *sim, double time, ff_sim_stage stage)
{
    double *rates = sim->begun ? sim->rates + sim->nq + sim->nv : NULL; // before the first run there are no forces
    if (sim->data && stage >= FF_SIM_POSITION && sim->stage < FF_SIM_POSITION) reach_position(sim);
    if (sim->data && stage >= FF_SIM_VELOCITY && sim->stage < FF_SIM_VELOCITY) reach_velocity(sim);
    if (stage >= FF_SIM_FORCES && sim->stage < FF_SIM_FORCES)
        gather_forces(sim, time, sim->x + sim->nq + sim->nv, rates);
    if (sim->stage < stage) sim->stage = stage < FF_SIM_ACCELERATION ? stage : FF_SIM_FORCES;
    if (stage < FF_SIM_ACCELERATION || sim->stage == FF_SIM_ACCELERATION) return true;
    const int found = !sim->data ? 1 : !find_acceleration(sim) ? -1 : constrain(sim, rates);
    // Forces of constraints, and those of a simulation without a model, are not kept.
    sim->stage = found != 0 ? FF_SIM_VELOCITY : FF_SIM_ACCELERATION;
    return found >= 0;
}

bool ff_sim_reach(ff_sim *sim, ff_sim_stage stage)
{
    if (sim->due & FF_DUE_COMMIT) ff_sim_commit_writes(sim);
    if (sim->stage >= stage) return true;
    return ff_sim_reach_at(sim, stage > FF_SIM_VELOCITY ? ff_sim_time(sim) : 0.0, stage); // poses do not depend on time
}

static bool derivative_at_state(ff_sim *sim, double *dx)
{
    if (!ff_sim_reach(sim, FF_SIM_ACCELERATION)) return false;
    memcpy(dx + sim->nq + sim->nv, sim->rates + sim->nq + sim->nv, (size_t)(sim->nz + sim->nquad) * sizeof(double));
    return true;
}

// ------------------------------------------------------------------------------------- the system that integrators see

static bool derivative(void *context, double t, const double *x, double *dx)
{
    ff_sim *sim = context;
    sim->counts.evaluations++;
    if (!(x == sim->x ? derivative_at_state(sim, dx) : derivative_at_trial(sim, sim->time_origin + t, x, dx)))
        return false;
    if (!sim->data) return true;
    // The rate of a quaternion grows with its length, so that it turns at the angular velocity whatever its length.
    ff_dyn_qdot(sim->model, x, x + sim->nq, dx);
    memcpy(dx + sim->nq, sim->data->qacc, (size_t)sim->nv * sizeof(double));
    return true;
}

static void normalise(void *context, double *x)
{
    const ff_sim *sim = context;
    if (sim->model) ff_dyn_normalise(sim->model, x);
}

/// Work of the drives over a step, less their power at its start times h: h f (v1 - v0) / 2.  [J]
static double work_of_step(const ff_sim *sim, double h, const double *acceleration)
{
    double sum = 0.0;
    for (int i = 0; i < sim->nv; i++) sum += sim->ledger.driving[i] * acceleration[i];
    return 0.5 * h * h * sum;
}

static void euler(void *context, double h, double *x, const double *dx)
{
    ff_sim *sim = context;
    if (sim->nledger > 0 && sim->data) ff_ledger_book(sim, FF_LEDGER_WORK, work_of_step(sim, h, dx + sim->nq));
    for (int i = sim->nq; i < sim->n; i++) x[i] += h * dx[i];
    for (int i = 0; i < sim->npart; i++) {
        const ff_part *part = &sim->parts[i].part;
        const int at = sim->nq + sim->nv + sim->parts[i].offset;
        for (int k = 0; part->rate_of && k < part->nstate; k++)
            if (part->rate_of[k] >= 0) x[at + k] += h * (x[at + part->rate_of[k]] - dx[at + k]);
    }
    for (int i = 0; i < sim->npart; i++)
        if (sim->parts[i].inner.impulse)
            sim->parts[i].inner.impulse(sim->parts[i].part.context, sim, h, x, x + sim->nq);
    if (sim->model) ff_dyn_advance(sim->model, x, x + sim->nq, h, x);
}

ff_ode ff_sim_make_ode(ff_sim *sim)
{
    return (ff_ode){.n = sim->n,
                    .ncontrol = sim->nstate,
                    .context = sim,
                    .derivative = derivative,
                    .normalise = normalise,
                    .euler = euler};
}
