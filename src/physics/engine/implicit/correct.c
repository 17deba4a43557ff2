// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Correct: half the difference of the rates at the two ends of the step, solved with the factors of the iteration,
// makes the step second order, and is the estimate of its error.
#include "dyn/loop_response.h"
#include "engine/implicit/implicit.h"

/// A correction of states that the joints do not move with pushes these -> correction.v. Without it that of a stiff
/// spring between a rotor and its joint would be wrong by the whole of it.
static void push_joints(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (slot->inner.states)
            slot->inner.states->push(slot->part.context, im->h, im->correction.z + slot->offset, im->correction.v);
    }
}

/// States follow the correction of the joints -> correction.z.
static void follow_joints(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->inner.states) continue;
        const double *x = ff_implicit_part_follow(sim, i, im->correction.q, im->correction.v);
        for (int k = 0; k < slot->part.nstate; k++) im->correction.z[slot->offset + k] += x[k];
    }
}

/// The correction of y1 -> correction; with error control velocities of the points by it.
static void solve(ff_sim *sim)
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
    ff_factors_multiply_mass(sim, im->work, im->correction.v);
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
    if (sim->options.accuracy > 0.0) ff_implicit_point_velocities(sim, im->correction.v); // for the error at contacts
}

/// Size of the correction in units of what the accuracy allows. Velocities are left out but for those at contacts: a
/// body that lands on something hard is in the right place at the end of any step, whether it bounces there or not. So
/// are the speeds of rotors, as those of the joints behind them, and springs of contacts, which follow the positions.
static double error_of(const ff_sim *sim)
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

void ff_implicit_correct(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    ff_stops_classify(sim);
    solve(sim);
    im->correction.error = sim->options.accuracy > 0.0 ? error_of(sim) : 0.0;
    im->correction.applied = ff_contacts_resolved(sim) && !im->fallback;
}
