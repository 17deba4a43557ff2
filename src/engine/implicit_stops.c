// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Stops of scalar joints in an implicit step: their slopes, whether the step resolves them, and the heat in those that
// it does not. The heat of these is not that of their power at the ends of the step, but the work of the force that
// moved the joint, along the way of the step, less what the stop stores.
#include "engine/implicit.h"

/// A stop that a joint reaches within a step has the force b v at once. Over this part of the gap before it the force
/// is let in along a line instead: otherwise the end of the step may have to lie exactly on the jump, where no force
/// balances.
static const double RAMP = 0.05;
static const double QUIET = 0.1; // part of the force of a stop that the correction may change

/// The stop that a joint at q is beyond, or that is nearest.
typedef struct stop {
    double depth; // pressed in, below 0: gap  [m, rad]
    double sign;  // of the direction that it pushes to
} stop;

static stop stop_at(const ff_joint *joint, double q)
{
    const double low = joint->range[0] - q, high = q - joint->range[1];
    return low > high ? (stop){low, 1.0} : (stop){high, -1.0};
}

/// Force of a stop on its joint, signed; `v` is the speed of the joint.
static double force_of(const ff_joint *joint, stop at, double v)
{
    if (!(at.depth > 0.0)) return 0.0;
    return at.sign * ff_max(0.0, joint->stop_stiffness * at.depth - joint->stop_damping * at.sign * v);
}

static double energy_of(const ff_joint *joint, stop at)
{
    return at.depth > 0.0 ? 0.5 * joint->stop_stiffness * at.depth * at.depth : 0.0;
}

/// Power that ff_dyn_passive books as heat.
static double power_of(const ff_joint *joint, stop at, double v)
{
    if (!(at.depth > 0.0)) return 0.0;
    return (at.sign * joint->stop_stiffness * at.depth - force_of(joint, at, v)) * v;
}

static bool has_stops(const ff_joint *joint)
{
    return joint->limited && ff_joint_is_scalar(joint->type);
}

void ff_stop_slope(const ff_sim *sim, const ff_joint *joint)
{
    ff_implicit *im = sim->implicit;
    const int i = joint->vadr;
    const stop end = stop_at(joint, sim->data->q[joint->qadr]), start = stop_at(joint, sim->x[joint->qadr]);
    im->stops_met = true;
    const double force = fabs(force_of(joint, end, sim->data->v[i]));
    if (!(force > 0.0)) return;
    const double width = -RAMP * start.depth;
    double part = 1.0, let_in = 0.0;
    if (end.depth < width && joint->stop_damping > 0.0) {
        part = end.depth / width;
        sim->data->tau[i] -= end.sign * (1.0 - part) * force;
        let_in = force / width;
    }
    const double stiffness = part * joint->stop_stiffness + let_in, damping = part * joint->stop_damping;
    im->stiffness[i] += stiffness;
    im->damping[i] += damping;
    im->stop_force[i] = end.sign * part * force;
    im->stop_slope[i] = im->h * stiffness + damping;
    im->stops = 31U * im->stops + (unsigned)i + 1U;
}

bool ff_stops_hold(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    if (!im->stops_met) return true;
    for (int j = 0; j < sim->model->njoint; j++) {
        const ff_joint *joint = &sim->model->joints[j];
        if (!has_stops(joint)) continue;
        const int i = joint->vadr;
        const stop end = stop_at(joint, sim->data->q[joint->qadr] + im->h * im->move[i]);
        const bool pushes = force_of(joint, end, sim->data->v[i] + im->move[i]) != 0.0;
        if (pushes != (im->stop_slope[i] > 0.0)) return false;
    }
    return true;
}

/// Ten steps make the half period of a stop, and ten the time in which its damper halts the joint. Else the correction
/// of the step would turn round a speed that should end. The inertia is that at the joint where all others give way,
/// which at the root of a chain is a small part of M_ii.
static bool resolves(const ff_sim *sim, const ff_joint *joint)
{
    const ff_implicit *im = sim->implicit;
    const int i = joint->vadr;
    const double h = im->h, mobility = ff_implicit_mobility(sim, i);
    const double inertia = (1.0 - h * im->stop_slope[i] * mobility) / mobility; // A holds h stop_slope
    return h * h * joint->stop_stiffness <= FF_IMPLICIT_RESOLVED * inertia && 10.0 * h * joint->stop_damping <= inertia;
}

void ff_stops_judge(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    double before = 0.0, after = 0.0;
    im->stops_resolved = im->stops_last = true;
    im->stop_power = 0.0;
    if (!im->stops_met) return;
    for (int j = 0; j < sim->model->njoint; j++) {
        const ff_joint *joint = &sim->model->joints[j];
        if (!has_stops(joint)) continue;
        const int i = joint->vadr;
        const stop end = stop_at(joint, sim->data->q[joint->qadr]), start = stop_at(joint, sim->x[joint->qadr]);
        if (!(end.depth > 0.0) && !(start.depth > 0.0)) continue;
        before += power_of(joint, start, sim->x[sim->nq + i]);
        after += power_of(joint, end, sim->data->v[i]);
        if (resolves(sim, joint)) continue;
        im->stops_resolved = false;
        im->stops_last = im->stops_last && end.depth > 0.0 && start.depth > 0.0;
    }
    if (im->stops_resolved || sim->nledger == 0) return;
    im->stop_power = before;
    im->zdot[sim->nz + FF_LEDGER_JOINTS] -= after;
}

bool ff_stops_quiet(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    if (!im->stops_last) return false;
    for (int i = 0; i < sim->nv; i++)
        if (im->stop_slope[i] * fabs(im->shift[i]) > QUIET * fabs(im->stop_force[i])) return false;
    return true;
}

double ff_stops_loss(const ff_sim *sim, const double *x)
{
    const ff_implicit *im = sim->implicit;
    double sum = 0.0;
    for (int j = 0; j < sim->model->njoint; j++) {
        const ff_joint *joint = &sim->model->joints[j];
        if (!has_stops(joint)) continue;
        const int i = joint->vadr;
        const double v0 = sim->x[sim->nq + i], v1 = x[sim->nq + i];
        const stop start = stop_at(joint, sim->x[joint->qadr]), end = stop_at(joint, x[joint->qadr]);
        double force = 0.0;
        if (im->stop_slope[i] > 0.0) { // the last move of the iteration has changed it, and the correction has
            force = im->stop_force[i] - im->stop_slope[i] * im->move[i];
            if (im->corrected)
                force = 0.5 * (force_of(joint, start, v0) + force) -
                        (joint->stop_stiffness * im->shift_q[i] + joint->stop_damping * im->shift[i]);
        }
        sum -= 0.5 * im->h * force * (v0 + v1) + energy_of(joint, end) - energy_of(joint, start);
    }
    return ff_max(0.0, sum);
}
