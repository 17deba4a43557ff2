// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One step of the implicit method. Backward Euler in the velocity,
//     M (v1 - v0) / h + bias = tau(q1, v1, t + h) + J' F(q1, v1),      q1 = q0 moved by v1 for h,
// by Newton's iteration  A dv = -h r(v),  A = M + h D + h^2 K,  then one more solution with the same factors,
//     (1 - h J) d = h/2 (f(x0) - f(y1)),          x1 = y1 + d,
// which makes the step second order, since y1 + h/2 (f(x0) - f(y1)) is the trapezoidal rule. d is also an estimate of
// the error of y1. For x' = lambda x and w = h lambda the step multiplies x by (1 - w - w^2/2) / (1 - w)^2, whose size
// is below 1 for every w in the left half plane, and 1/2 at infinity. An error of J enters d at third order, so that A
// may leave out slopes that are hard to compute.
#include "dyn/loop_response.h"
#include "dyn/packed.h"
#include "engine/implicit/implicit.h"

enum { ROUNDS_MOST = 20 };
static const double NEGLIGIBLE = 1e-3; // ff_step_record.negligible, unless the accuracy is higher

// ------------------------------------------------------------------------------------------ predict

/// States of parts at the end of the step by their rates at its start.
static void predict_states(ff_implicit *im, const double *z0)
{
    for (int k = 0; k < 2; k++)
        for (int i = im->parts.ranges[k][0]; i < im->parts.ranges[k][1]; i++)
            im->iterate.z[i] = z0[i] + im->h * im->start.zdot[i];
}

/// Forces, acceleration and rates of part states at the start of the step -> start. @return false when these forces
/// have no acceleration
static bool evaluate_start(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const double time = sim->time_origin + im->t, *z0 = sim->x + sim->nq + sim->nv;
    ff_data *d = sim->data;
    if (im->start.ready) { // the last try began at the same state
        predict_states(im, z0);
        return true;
    }
    sim->counts.evaluations++;
    const bool found = ff_sim_reach_at(sim, time, FF_SIM_ACCELERATION);
    memcpy(im->start.zdot, sim->rates + sim->nq + sim->nv, (size_t)(sim->nz + sim->nquad) * sizeof(double));
    predict_states(im, z0);
    if (!d) return true;
    if (im->contacts.slot) ff_contacts_start(sim);
    if (!found) return false;
    memcpy(im->start.acceleration, d->qacc, (size_t)sim->nv * sizeof(double));
    memcpy(im->start.tendon_length, d->tendon_length, (size_t)sim->model->ntendon * sizeof(double));
    memcpy(im->start.tendon_speed, d->tendon_speed, (size_t)sim->model->ntendon * sizeof(double));
    memcpy(im->start.driving, sim->ledger.driving, (size_t)sim->nv * sizeof(double));
    im->start.ready = true;
    return true;
}

/// @return expected mean acceleration of the step: that at its start, with a change as in the last step. Stiff forces
/// may change it much; where it differs much from the last mean acceleration, the smaller of the two is used
static double expected_acceleration(const ff_implicit *im, int i)
{
    const double last = im->history.acceleration[i], now = im->start.acceleration[i] + im->h * im->history.jerk[i];
    const double large = ff_max(fabs(last), fabs(now));
    if (fabs(now - last) <= 0.5 * large) return now;
    return fabs(now) < fabs(last) ? now : last;
}

static bool predict(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const double *v0 = sim->x + sim->nq;
    if (!evaluate_start(sim)) return false;
    for (int i = 0; i < sim->nv; i++) im->iterate.v[i] = v0[i] + im->h * expected_acceleration(im, i);
    return true;
}

// ------------------------------------------------------------------------------------------ correct

/// Adds forces on the joints by corrections of part states to the right-hand side of correction.v, such as those of the
/// stiff spring between a rotor and its joint.
static void push_joints(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (slot->inner.states)
            slot->inner.states->push(slot->part.context, im->h, im->correction.z + slot->offset, im->correction.v);
    }
}

/// Lets part states follow the correction of the joints -> correction.z.
static void follow_joints(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->inner.states) continue;
        const double *x = ff_implicit_part_follow(sim, i, im->correction.q, im->correction.v);
        for (int k = 0; k < slot->part.nstate; k++) im->correction.z[slot->offset + k] += x[k];
    }
}

/// Solves for the correction of y1 -> correction.
static void solve_correction(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const double h = im->h, *v0 = sim->x + sim->nq;
    for (int k = 0; k < 2; k++)
        for (int i = im->parts.ranges[k][0]; i < im->parts.ranges[k][1]; i++)
            im->correction.z[i] = 0.5 * h * (im->start.zdot[i] - im->iterate.zdot[i]);
    for (int i = 0; i < sim->npart; i++)
        ff_implicit_part_solve(im, &sim->parts[i], i, im->correction.z + sim->parts[i].offset);
    if (!sim->model) return;
    for (int i = 0; i < sim->nv; i++)
        im->work[i] = 0.5 * h * (im->start.acceleration[i] - (im->iterate.v[i] - v0[i]) / h);
    ff_dyn_multiply_packed(sim->model, im->factors.M, im->work, im->correction.v);
    for (int i = 0; i < sim->nv; i++) {
        im->work[i] = v0[i] - im->iterate.v[i];
        im->correction.v[i] -= 0.5 * h * h * im->slopes.stiffness[i] * im->work[i];
    }
    ff_stops_add_late(sim, 0.5 * h, im->correction.v);
    ff_stops_correct(sim, im->work, 0.5 * h * h, im->correction.v);
    ff_lines_correct(sim, im->work, 0.5 * h * h, im->correction.v);
    ff_contacts_correct(sim, im->work, 0.5 * h * h, im->correction.v);
    push_joints(sim);
    ff_factors_solve(sim, im->correction.v);
    if (sim->loops) ff_loops_solve(sim->model, sim->loops, sim->no_motion, im->correction.v, NULL);
    for (int i = 0; i < sim->nv; i++)
        im->correction.q[i] = h * im->correction.v[i] + 0.5 * h * (v0[i] - im->iterate.v[i]);
    follow_joints(sim);
}

/// @return size of the correction, divided by the error that the accuracy allows. Of velocities only those at contacts
/// count: a body that lands on hard ground is in the right place at the end of any step, whether it bounces or not.
/// Speeds of rotors and springs of contacts, which follow the positions, do not count either
static double error_of(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double most = 0.0;
    for (int i = 0; i < sim->nv; i++) most = ff_max(most, fabs(im->correction.q[i]));
    most /= FF_IMPLICIT_LENGTH;
    for (int k = 0; k < im->parts.nmeasured; k++) {
        const int i = im->parts.measured[k];
        most = ff_max(most, fabs(im->correction.z[i]) / (FF_IMPLICIT_LENGTH + fabs(im->iterate.z[i])));
    }
    return ff_max(most, ff_contacts_error(sim)) / sim->options.accuracy;
}

static void correct(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    ff_stops_classify(sim);
    solve_correction(sim);
    if (im->contacts.slot) ff_contacts_move(sim);
    im->correction.error = sim->options.accuracy > 0.0 ? error_of(sim) : 0.0;
    im->correction.applied = ff_contacts_resolved(sim) && !im->fallback;
}

// ------------------------------------------------------------------------------------------ propose and commit

/// The velocity of the iteration and its correction make the proposed state -> integrator.trial; the motion -> history.
static void propose(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    double *x = sim->integrator.trial, *z = x + sim->nq + sim->nv;
    const double *v0 = sim->x + sim->nq;
    const bool corrected = im->correction.applied;
    for (int i = 0; i < sim->nv; i++) {
        im->history.acceleration[i] = (im->iterate.v[i] - v0[i]) / im->h;
        im->history.jerk[i] = (im->history.acceleration[i] - im->start.acceleration[i]) / im->h;
        im->iterate.motion[i] = im->iterate.v[i];
        if (corrected) {
            im->iterate.motion[i] += im->correction.q[i] / im->h;
            im->iterate.v[i] += im->correction.v[i];
        }
        x[sim->nq + i] = im->iterate.v[i];
    }
    if (sim->model) ff_dyn_advance(sim->model, sim->x, im->iterate.motion, im->h, x);
    for (int k = 0; k < 2; k++)
        for (int i = im->parts.ranges[k][0]; i < im->parts.ranges[k][1]; i++)
            z[i] = im->iterate.z[i] + (corrected ? im->correction.z[i] : 0.0);
}

/// Integrals of parts, such as energies of drives: by the trapezoidal rule where the step is corrected.
static void add_integrals(const ff_sim *sim, double *x)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->h, *from = sim->x + sim->nstate;
    const double *rate = im->iterate.zdot + sim->nz, *rate0 = im->start.zdot + sim->nz;
    double *to = x + sim->nstate;
    if (im->correction.applied)
        for (int i = sim->nledger; i < sim->nquad; i++) to[i] = from[i] + h * rate[i] + 0.5 * h * (rate0[i] - rate[i]);
    else
        for (int i = sim->nledger; i < sim->nquad; i++) to[i] = from[i] + h * rate[i];
}

/// @return the step to the state x, for a part
static ff_step_record record_for(const ff_sim *sim, const ff_part_slot *slot, const double *x)
{
    const ff_implicit *im = sim->implicit;
    const int nq = sim->nq, z = nq + sim->nv + slot->offset;
    ff_step_record record = {.h = im->h,
                             .negligible =
                                 sim->options.accuracy > 0.0 ? ff_min(sim->options.accuracy, NEGLIGIBLE) : NEGLIGIBLE,
                             .q0 = sim->x,
                             .v0 = sim->x + nq,
                             .z0 = sim->x + z,
                             .q1 = x,
                             .v1 = x + nq,
                             .z1 = x + z,
                             .integrals = sim->x + sim->n - sim->nintegral + slot->integral};
    if (im->correction.applied) {
        record.shift_q = im->correction.q;
        record.shift_v = im->correction.v;
        record.shift_z = im->correction.z + slot->offset;
    }
    return record;
}

/// States and integrals of the part that has contacts -> x.
static void finish_contacts(ff_sim *sim, double *x)
{
    const ff_step_contacts *all = &sim->implicit->contacts;
    const ff_step_record record = record_for(sim, all->slot, x);
    ff_contacts_finish(sim);
    all->interface->finish(all->slot->part.context, &record, x + sim->nq + sim->nv + all->slot->offset,
                           x + sim->n - sim->nintegral + all->slot->integral);
}

/// Lets parts other than contacts correct the ledger and their integrals.
static void account_parts(const ff_sim *sim, double *x)
{
    double none[FF_LEDGER_COUNT] = {0.0};
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->inner.account || slot->inner.contacts) continue;
        const ff_step_record record = record_for(sim, slot, x);
        slot->inner.account(slot->part.context, &record, sim->nledger > 0 ? x + sim->nstate : none,
                            x + sim->n - sim->nintegral + slot->integral);
    }
}

void ff_implicit_commit(ff_sim *sim)
{
    double *x = sim->integrator.trial;
    add_integrals(sim, x);
    if (sim->implicit->contacts.slot) finish_contacts(sim, x);
    if (sim->nledger > 0) ff_implicit_account(sim, x);
    sim->ode.normalise(sim->ode.context, x);
    account_parts(sim, x);
    memcpy(sim->x, x, (size_t)sim->n * sizeof(double));
    ff_sim_invalidate(sim, FF_SIM_NOTHING);
    sim->implicit->start.ready = false;
}

// ------------------------------------------------------------------------------------------ the step

/// Newton's iteration for the velocity at the end of the step.
static ff_try iterate(ff_sim *sim)
{
    ff_try outcome = ff_newton_begin(sim); // velocity -> residual, slopes, factors
    for (int round = 0; outcome == FF_TRY_MORE && round < ROUNDS_MOST; round++) {
        outcome = ff_newton_solve(sim, round);                      // residual, factors -> change of the velocity
        if (outcome == FF_TRY_MORE) outcome = ff_newton_limit(sim); // change            -> velocity, residual, slopes
        if (outcome == FF_TRY_MORE) outcome = ff_newton_linearise(sim); // slopes            -> factors
    }
    return outcome == FF_TRY_MORE ? ff_newton_end(sim) : outcome;
}

ff_try ff_implicit_try(ff_sim *sim, double t, double h)
{
    ff_implicit *im = sim->implicit;
    im->t = t;
    im->h = h;
    for (int i = 0; i < sim->npart; i++) im->parts.ready[i] = false;
    if (!predict(sim)) return FF_TRY_BAD; // state, history -> forces at the start, velocity
    const ff_try outcome = iterate(sim);  // velocity       -> velocity at the end
    if (outcome != FF_TRY_OK) return outcome;
    correct(sim); // both ends      -> correction, error
    propose(sim); // all of it      -> state proposed
    return FF_TRY_OK;
}
