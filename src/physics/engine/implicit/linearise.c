// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Linearise: the residual of a trial velocity v over the stage h,
//     r(v) = ID(q1, v, (v - v0) / h) - tau(q1, v, t + h) - J' F,         q1 = q0 moved by v for h,
// and the slopes  K = -dtau/dq  and  D = -dtau/dv  of joints, actuators and parts, which are diagonal. Slopes influence
// only the speed of the iteration: negative ones (an unstable drive, a falling friction curve) are left out, so that
// the matrix stays positive.
#include "engine/implicit/implicit.h"

enum { PART_ROUNDS_MOST = 12 }; // of the iteration for the states of a part

// ------------------------------------------------------------------------------------------ slopes of joints

/// Adds the slopes of passive joint forces, and forces and slopes of stops.
static void passive_slopes(ff_sim *sim)
{
    const ff_model *m = sim->model;
    ff_implicit *im = sim->implicit;
    im->stops.touched = false;
    im->stops.pushing = 0;
    im->stops.ncone = 0;
    memset(im->stops.pushes, 0, (size_t)(m->nv + m->ntendon) * sizeof *im->stops.pushes);
    for (int i = 0; i < m->nv; i++) {
        im->slopes.damping[i] += m->dof_damping[i];
        if (!(m->dof_dry_friction[i] > 0.0)) continue;
        const double v = sim->data->v[i], s = m->dof_dry_speed[i], square = v * v + s * s;
        im->slopes.damping[i] += m->dof_dry_friction[i] * s * s / (square * sqrt(square));
    }
    for (int j = 0; j < m->njoint; j++) {
        const ff_joint *joint = &m->joints[j];
        const int n = ff_joint_nv(joint->type); // springs act on all degrees of freedom of a joint alike
        for (int k = 0; k < n; k++) im->slopes.stiffness[joint->vadr + k] += joint->stiffness;
        if (joint->limited) ff_stops_linearise_joint(sim, joint);
    }
}

void ff_implicit_add_slope(ff_sim *sim, int dof, int tendon, double stiffness, double damping)
{
    ff_implicit *im = sim->implicit;
    if (tendon >= 0) {
        ff_lines_add(sim, tendon, stiffness, damping);
        return;
    }
    im->slopes.stiffness[dof] += stiffness;
    im->slopes.damping[dof] += damping;
}

// ------------------------------------------------------------------------------------------ states of parts

/// Keeps the forces in d, or (`back`) restores them.
static void keep_forces(ff_sim *sim, bool back)
{
    const ff_implicit *im = sim->implicit;
    ff_data *d = sim->data;
    if (!d) return;
    const size_t tau = (size_t)sim->nv * sizeof(double), wrench = 6 * (size_t)sim->model->nnode * sizeof(double);
    memcpy(back ? d->tau : im->iterate.tau, back ? im->iterate.tau : d->tau, tau);
    memcpy(back ? d->wrench : im->iterate.wrench, back ? im->iterate.wrench : d->wrench, wrench);
    memcpy(back ? d->applied : im->iterate.applied, back ? im->iterate.applied : d->applied, wrench);
}

/// Factors I - h dzdot/dz of a part, by one-sided differences, which are accurate enough for the iteration.
static void part_jacobian(ff_sim *sim, int i, double time)
{
    ff_implicit *im = sim->implicit;
    const ff_part_slot *slot = &sim->parts[i];
    const ff_part *part = &slot->part;
    const int n = part->nstate;
    double *z = im->iterate.z + slot->offset, *rate = im->iterate.zdot + slot->offset,
           *moved = im->parts.moved_rate + slot->offset;
    double *J = im->parts.jacobian[i];
    for (int j = 0; j < n; j++) {
        const double keep = z[j], step = 1e-7 * ff_max(fabs(keep), 1e-3);
        z[j] = keep + step;
        part->derivative(part->context, time, sim->model, sim->data, z, moved);
        for (int k = 0; k < n; k++) J[k * n + j] = (k == j) - im->h * (moved[k] - rate[k]) / step;
        z[j] = keep;
    }
    im->parts.ready[i] = ff_lu_factor(J, im->parts.pivot[i], n);
}

void ff_implicit_part_solve(const ff_implicit *im, const ff_part_slot *slot, int part, double *x)
{
    if (im->parts.ready[part]) ff_lu_solve(im->parts.jacobian[part], im->parts.pivot[part], slot->part.nstate, x);
}

const double *ff_implicit_part_follow(ff_sim *sim, int part, const double *moved, const double *faster)
{
    const ff_implicit *im = sim->implicit;
    const ff_part_slot *slot = &sim->parts[part];
    double *change = im->parts.change + slot->offset;
    slot->inner.states->follow(slot->part.context, im->h, moved, faster, change);
    if (!slot->part.settle) ff_implicit_part_solve(im, slot, part, change);
    return change;
}

/// Solves for the states of a part at the end of the step, z = z0 + h zdot(z), for the motion in d, and adds its
/// forces: by fixed-point iteration, or Newton's where that does not converge fast.
static void iterate_part(ff_sim *sim, int i, double time)
{
    ff_implicit *im = sim->implicit;
    const ff_part_slot *slot = &sim->parts[i];
    const ff_part *part = &slot->part;
    const int n = part->nstate;
    const double *z0 = im->base + sim->nq + sim->nv + slot->offset;
    double *z = im->iterate.z + slot->offset, *rate = im->iterate.zdot + slot->offset,
           *change = im->parts.change + slot->offset;
    double before = INFINITY;
    if (n > 0) keep_forces(sim, false);
    for (int round = 0;; round++) {
        part->derivative(part->context, time, sim->model, sim->data, z, rate);
        if (n == 0) return;
        if (im->parts.stiff[i] && !im->parts.ready[i]) {
            part_jacobian(sim, i, time);
            keep_forces(sim, true);
            part->derivative(part->context, time, sim->model, sim->data, z, rate);
        }
        for (int k = 0; k < n; k++) change[k] = z0[k] + im->h * rate[k] - z[k];
        ff_implicit_part_solve(im, slot, i, change);
        double size = 0.0; // of the largest change, in units of its tolerance
        for (int k = 0; k < n; k++) size = ff_max(size, fabs(change[k]) / (1e-9 + 1e-9 * fabs(z[k])));
        for (int k = 0; k < n; k++) z[k] += change[k];
        if (size > 1.0 && round == PART_ROUNDS_MOST) im->iterate.slow_part = i;
        if (!(size > 1.0) || round == PART_ROUNDS_MOST) return;
        if (round > 0 && size > 0.3 * before && im->parts.jacobian[i]) im->parts.stiff[i] = true;
        before = size;
        keep_forces(sim, true);
    }
}

/// The same by a function of the part, to a tenth of the tolerance of the velocities.
static void settle_part(ff_sim *sim, int i)
{
    ff_implicit *im = sim->implicit;
    const ff_part_slot *slot = &sim->parts[i];
    const int at = slot->offset;
    if (!slot->part.settle(slot->part.context, sim->data, im->base + sim->nq + sim->nv + at, im->h,
                           0.1 * ff_implicit_tolerance(sim), im->iterate.z + at, im->iterate.zdot + at))
        im->iterate.slow_part = i;
}

/// @return hash of the stops and contacts that push at the trial velocity. Their number is not enough: it stays the
/// same when a box rocks from one corner to another
static int active_set(const ff_implicit *im)
{
    unsigned hash = 4099U * im->stops.pushing + (unsigned)im->contacts.count;
    for (int k = 0; k < im->contacts.count; k++) hash = 31U * hash + im->contacts.points[k].touch->key;
    return (int)(hash & 0x7fffffffU);
}

/// Adds forces and slopes of all parts, with their states at the end of the step.
static void settle_parts(ff_sim *sim, double time)
{
    ff_implicit *im = sim->implicit;
    im->iterate.slow_part = -1;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->part.derivative) continue;
        const int row = ff_part_enter(sim, i);
        if (slot != im->contacts.slot)
            ff_part_bind_rates(sim, slot, im->iterate.zdot); // its integrals come once a step, from `finish`
        if (slot == im->contacts.slot)
            ff_contacts_linearise(sim);
        else if (slot->part.settle)
            settle_part(sim, i);
        else
            iterate_part(sim, i, time);
        if (slot->inner.states)
            slot->inner.states->slope(slot->part.context, im->h, im->slopes.stiffness, im->slopes.damping);
        else if (slot->part.slope)
            slot->part.slope(slot->part.context, time, sim->model, sim->data, im->iterate.z + slot->offset,
                             im->slopes.stiffness, im->slopes.damping);
        ff_part_leave(sim, i, row);
    }
}

// ------------------------------------------------------------------------------------------ trial

bool ff_implicit_evaluate(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const ff_model *m = sim->model;
    ff_data *d = sim->data;
    const double time = sim->time_origin + im->t + im->h;
    sim->counts.evaluations++;
    if (!d) {
        settle_parts(sim, time);
        return true;
    }
    const double *v0 = im->base + sim->nq;
    ff_dyn_advance(m, im->base, im->iterate.v, im->h, im->iterate.q);
    ff_sim_place_trial(sim, time, im->iterate.q, im->iterate.v, false);
    memcpy(im->iterate.evaluated_v, im->iterate.v, (size_t)sim->nv * sizeof(double));
    ff_sim_gather_joints(sim);
    memset(im->slopes.stiffness, 0, (size_t)sim->nv * sizeof(double));
    memset(im->slopes.damping, 0, (size_t)sim->nv * sizeof(double));
    if (sim->options.passive) passive_slopes(sim);
    if (im->lines) ff_lines_linearise(sim);
    memcpy(im->slopes.passive_stiffness, im->slopes.stiffness, (size_t)sim->nv * sizeof(double));
    memcpy(im->slopes.passive_damping, im->slopes.damping, (size_t)sim->nv * sizeof(double));
    if (sim->nacting > 0) ff_sim_actuator_slopes(sim);
    settle_parts(sim, time);
    if (im->lines) ff_lines_linearise_parts(sim);
    im->iterate.active = active_set(im);
    for (int i = 0; i < sim->nv; i++) {
        im->slopes.stiffness[i] = ff_max(0.0, im->slopes.stiffness[i]);
        im->slopes.damping[i] = ff_max(0.0, im->slopes.damping[i]);
        im->work[i] = (im->iterate.v[i] - v0[i]) / im->h;
    }
    const int row = ff_profile_enter(sim, FF_PROFILE_DYNAMICS);
    ff_dyn_inverse_here(m, d, im->work, im->iterate.residual);
    ff_profile_leave(sim, row);
    double sum = 0.0;
    for (int i = 0; i < sim->nv; i++) {
        im->iterate.residual[i] -= d->tau[i];
        sum += fabs(im->iterate.residual[i]);
    }
    return isfinite(sum);
}
