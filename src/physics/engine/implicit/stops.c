// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Stops of joints and tendons in a stage: their forces and slopes.
//
// The cone of a ball joint is a stop of the angle p of its rotation vector p n, along n. While it pushes with F, n
// turns with the joint: dn/dt = (cot(p/2) w + n x w) / 2 for w across n. So K has k n n', and across n the turn by p/2
// with the factor F / (2 sin(p/2)). A is symmetric: it has F / sin p across n, with which a round of the iteration
// leaves at most sin(p/2) of an error, the least for any multiple of 1 - n n'.
#include "engine/implicit/implicit.h"

/// The force b v of a stop that a joint reaches within a step jumps, and no end of the step may balance it. Over this
/// part of the gap at the start the force rises linearly instead.
static const double RAMP = 0.05;
static const double WIDEST = 3.0; // angle of a cone for which the stiffness across it is computed  [rad]

/// The stop of a carrier that is nearest, or passed.
typedef struct stop {
    double depth; // by which it is passed, below zero: gap  [m, rad]
    double sign;  // of its force
} stop;

/// A carrier of stops: a scalar joint, a ball joint or a tendon, with its position and speed.
typedef struct carrier {
    double range[2];
    double stiffness, damping; // of its stops
    double q, v;               // at the end of the stage
    double q0;                 // position at its start
    bool cone;                 // a ball joint
    double axis[3];            // axis of its rotation vector
    int tendon;                // number of the tendon, -1: a joint
    int slot; // place in the arrays of ff_stops: first degree of freedom of the joint, or that of the tendon
} carrier;

static carrier carrier_joint(const ff_sim *sim, const ff_joint *joint)
{
    return (carrier){.range = {joint->range[0], joint->range[1]},
                     .stiffness = joint->stop_stiffness,
                     .damping = joint->stop_damping,
                     .q = sim->data->q[joint->qadr],
                     .v = sim->data->v[joint->vadr],
                     .q0 = sim->implicit->base[joint->qadr],
                     .tendon = -1,
                     .slot = joint->vadr};
}

static carrier carrier_cone(const ff_sim *sim, const ff_joint *joint)
{
    carrier c = {.range = {-INFINITY, joint->range[1]},
                 .stiffness = joint->stop_stiffness,
                 .damping = joint->stop_damping,
                 .cone = true,
                 .tendon = -1,
                 .slot = joint->vadr};
    double before[3];
    c.q = ff_quat_angle(c.axis, sim->data->q + joint->qadr);
    c.v = ff_vec3_dot(c.axis, sim->data->v + joint->vadr);
    c.q0 = ff_quat_angle(before, sim->implicit->base + joint->qadr);
    return c;
}

static carrier carrier_tendon(const ff_sim *sim, int i)
{
    const ff_tendon *t = &sim->model->tendons[i];
    const double length = sim->data->tendon_length[i], before = sim->implicit->base_tendon_length[i];
    return (carrier){.range = {t->range[0], t->range[1]},
                     .stiffness = t->stop_stiffness,
                     .damping = t->stop_damping,
                     .q = length,
                     .v = sim->data->tendon_speed[i],
                     .q0 = before,
                     .tendon = i,
                     .slot = sim->nv + i};
}

/// Fills the carrier of a joint. @return false: the joint has no stops
static bool find_joint(const ff_sim *sim, const ff_joint *joint, carrier *c)
{
    const bool cone = joint->type == FF_JOINT_BALL;
    if (!joint->limited || !(cone || ff_joint_is_scalar(joint->type))) return false;
    *c = cone ? carrier_cone(sim, joint) : carrier_joint(sim, joint);
    return true;
}

/// Fills carrier number i: joints first, then tendons. @return false: it has no stops
static bool carrier_at(const ff_sim *sim, int i, carrier *c)
{
    const ff_model *m = sim->model;
    if (i < m->njoint) return find_joint(sim, &m->joints[i], c);
    if (!m->tendons[i - m->njoint].limited) return false;
    *c = carrier_tendon(sim, i - m->njoint);
    return true;
}

static int count_carriers(const ff_sim *sim)
{
    return sim->model->njoint + sim->model->ntendon;
}

/// @return speed of the carrier for a generalised velocity
static double rate_of(const ff_sim *sim, const carrier *c, const double *v)
{
    if (c->cone) return ff_vec3_dot(c->axis, v + c->slot);
    return c->tendon < 0 ? v[c->slot] : ff_dyn_tendon_rate(sim->model, sim->data, c->tendon, v);
}

/// Adds a force along the carrier.
static void push(const ff_sim *sim, const carrier *c, double force, double *tau)
{
    if (c->cone)
        ff_vec3_axpy(tau + c->slot, force, c->axis);
    else if (c->tendon < 0)
        tau[c->slot] += force;
    else
        ff_dyn_tendon_apply(sim->model, sim->data, c->tendon, force, tau);
}

static stop stop_at(const carrier *c, double q)
{
    const double low = c->range[0] - q, high = q - c->range[1];
    return low > high ? (stop){low, 1.0} : (stop){high, -1.0};
}

/// @return signed force of a stop on its carrier, which has the speed v
static double force_of(const carrier *c, stop at, double v)
{
    if (!(at.depth > 0.0)) return 0.0;
    return at.sign * ff_max(0.0, c->stiffness * at.depth - c->damping * at.sign * v);
}

/// Adds the slopes of a stop that pushes.
static void add_slopes(ff_sim *sim, const carrier *c, double stiffness, double damping, double force)
{
    ff_implicit *im = sim->implicit;
    if (c->cone) {
        ff_cone_slope *cone = &im->stops.cones[im->stops.ncone++];
        *cone = (ff_cone_slope){.vadr = c->slot, .stiffness = stiffness, .damping = damping};
        cone->across = force / ff_sin(ff_min(c->q, WIDEST));
        ff_vec3_copy(cone->axis, c->axis);
    } else if (c->tendon < 0) {
        im->slopes.stiffness[c->slot] += stiffness;
        im->slopes.damping[c->slot] += damping;
    } else {
        ff_lines_add(sim, c->tendon, stiffness, damping);
    }
}

/// Adds force and slopes of the stop of a carrier.
static void linearise_stop(ff_sim *sim, const carrier *c)
{
    ff_implicit *im = sim->implicit;
    const stop end = stop_at(c, c->q), start = stop_at(c, c->q0);
    im->stops.touched = true;
    const double force = fabs(force_of(c, end, c->v));
    const double width = -RAMP * start.depth;
    double part = 1.0, ramp_slope = 0.0;
    if (force > 0.0 && end.depth < width && c->damping > 0.0) {
        part = end.depth / width;
        ramp_slope = force / width;
    }
    if (part < 1.0) {
        const double less = end.sign * (1.0 - part) * force;
        push(sim, c, -less, sim->data->tau);
        sim->data->passive_power += less * c->v;
    }
    if (!(force > 0.0)) return;
    const double stiffness = part * c->stiffness + ramp_slope, damping = part * c->damping;
    add_slopes(sim, c, stiffness, damping, part * force);
    im->stops.pushes[c->slot] =
        (ff_stop_push){im->h * stiffness + damping, force, part * (force - c->stiffness * end.depth)};
    im->stops.pushing = 31U * im->stops.pushing + (unsigned)c->slot + 1U;
}

/// Does so where the carrier has passed a stop at the start or at the end of the step.
static void linearise(ff_sim *sim, const carrier *c)
{
    if (stop_at(c, c->q).depth > 0.0 || stop_at(c, c->q0).depth > 0.0) linearise_stop(sim, c);
}

void ff_stops_linearise_joint(ff_sim *sim, const ff_joint *joint)
{
    carrier c;
    if (find_joint(sim, joint, &c)) linearise(sim, &c);
}

void ff_stops_linearise_tendon(ff_sim *sim, int tendon)
{
    const carrier c = carrier_tendon(sim, tendon);
    linearise(sim, &c);
}

// ------------------------------------------------------------------------------------------ cones in the matrix

void ff_stops_assemble(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->h;
    for (int k = 0; k < im->stops.ncone; k++) {
        const ff_cone_slope *cone = &im->stops.cones[k];
        const double across = h * h * cone->across, along = h * (cone->damping + h * cone->stiffness) - across;
        for (int a = 0; a < 3; a++) {
            double *end = im->factors.A + sim->model->M_row[cone->vadr + a + 1] - 1; // A_aa, A_ab before it
            for (int b = 0; b <= a; b++) end[b - a] += along * cone->axis[a] * cone->axis[b] + (a == b ? across : 0.0);
        }
    }
}

double ff_stops_slope_sum(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double sum = 0.0;
    for (int k = 0; k < im->stops.ncone; k++)
        sum += im->stops.cones[k].damping + im->h * (im->stops.cones[k].stiffness + 2.0 * im->stops.cones[k].across);
    return sum;
}

// ------------------------------------------------------------------------------------------ after the iteration

bool ff_stops_converged(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    if (!im->stops.touched) return true;
    for (int j = 0; j < count_carriers(sim); j++) {
        carrier c;
        if (!carrier_at(sim, j, &c)) continue;
        const double move = rate_of(sim, &c, im->iterate.change);
        const bool pushes = force_of(&c, stop_at(&c, c.q + im->h * move), c.v + move) != 0.0;
        if (pushes != (im->stops.pushes[c.slot].slope > 0.0)) return false;
    }
    return true;
}

void ff_stops_keep_pushing(ff_sim *sim)
{
    ff_stops *stops = &sim->implicit->stops;
    if (sim->model) memcpy(stops->first, stops->pushes, (size_t)(sim->nv + sim->model->ntendon) * sizeof *stops->first);
}

/// Is a stop too stiff for this stage, and strong enough to matter?
static bool is_unresolved(ff_sim *sim, const carrier *c, ff_stop_push pushes)
{
    const double h = sim->implicit->h;
    double *x = sim->implicit->work;
    memset(x, 0, (size_t)sim->nv * sizeof(double));
    push(sim, c, 1.0, x);
    ff_factors_solve(sim, x);
    double mobility = h * rate_of(sim, c, x);
    if (mobility * pushes.slope < 1.0) mobility /= 1.0 - mobility * pushes.slope; // where A has the slope of the stop
    return ff_implicit_unresolved(sim, mobility * pushes.slope, mobility * pushes.force, c->v);
}

bool ff_stops_reached(ff_sim *sim)
{
    const ff_stops *stops = &sim->implicit->stops;
    for (int i = 0; stops->touched && i < count_carriers(sim); i++) {
        carrier c;
        if (!carrier_at(sim, i, &c) || !(stops->pushes[c.slot].slope > 0.0) || stop_at(&c, c.q0).depth > 0.0) continue;
        if (is_unresolved(sim, &c, stops->pushes[c.slot])) return true;
    }
    return false;
}

bool ff_stops_changed(ff_sim *sim)
{
    const ff_stops *stops = &sim->implicit->stops;
    for (int i = 0; sim->model && i < count_carriers(sim); i++) {
        carrier c;
        if (!carrier_at(sim, i, &c)) continue;
        const ff_stop_push before = stops->first[c.slot], now = stops->pushes[c.slot];
        if ((before.slope > 0.0) == (now.slope > 0.0)) continue;
        if (is_unresolved(sim, &c, now.slope > 0.0 ? now : before)) return true;
    }
    return false;
}

/// @return energy of the stop of a carrier at the position q  [J]
static double stored(const carrier *c, double q)
{
    const double depth = ff_max(0.0, stop_at(c, q).depth);
    return 0.5 * c->stiffness * depth * depth;
}

double ff_stops_heat_by_mean(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    const double *v0 = im->base + sim->nq;
    double heat = 0.0;
    for (int i = 0; im->stops.touched && i < count_carriers(sim); i++) {
        carrier c;
        if (!carrier_at(sim, i, &c) || !(c.damping > 0.0)) continue;
        const stop at = stop_at(&c, c.q);
        const double mean = 0.5 * (rate_of(sim, &c, v0) + rate_of(sim, &c, im->iterate.v));
        heat -= at.sign * im->stops.pushes[c.slot].damper * (mean - c.v);
        if (c.tendon >= 0) continue; // their losses are integrated alone (ff_ledger_joints)
        heat += (stored(&c, c.q) - stored(&c, c.q0)) / im->h + at.sign * c.stiffness * ff_max(0.0, at.depth) * c.v;
    }
    return heat;
}
