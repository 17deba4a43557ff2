// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Stops of joints and tendons in an implicit step: their slopes, whether the step resolves them, and their heat where
// it does not, or where a stop is reached in the step. This heat does not follow from the powers at the ends of the
// step: it is the work of the force that moved the joint, less the energy that the stop stores.
//
// The cone of a ball joint is a stop of the angle p of its rotation vector p n, along n. While it pushes with F, n
// turns with the joint: dn/dt = (cot(p/2) w + n x w) / 2 for w across n. So K has k n n', and across n the turn by p/2
// with the factor F / (2 sin(p/2)). A is symmetric: it has F / sin p across n, with which a round of the iteration
// leaves at most sin(p/2) of an error, the least for any multiple of 1 - n n'.
//
// Where the direction of a stop turns within the step (cones, tendons), the speed at the end may have another sign than
// the mean speed: a joint that leaves its cone may approach it at the end, and no force of a damper would balance. So
// dampers use the mean speed, and the correction of second order the speed at the end.
#include "engine/implicit/implicit.h"

/// The force b v of a stop that a joint reaches within a step jumps, and no end of the step may balance it. Over this
/// part of the gap at the start the force rises linearly instead.
static const double RAMP = 0.05;
static const double WIDEST = 3.0; // angle of a cone for which the stiffness across it is computed  [rad]
static const double QUIET = 0.1;  // part of the force of a stop that the correction may change

/// The stop of a carrier that is nearest, or passed.
typedef struct stop {
    double depth; // by which it is passed, below zero: gap  [m, rad]
    double sign;  // of its force
} stop;

/// A carrier of stops: a scalar joint, a ball joint or a tendon, with its position and speed at the ends of the step.
typedef struct carrier {
    double range[2];
    double stiffness, damping; // of its stops
    double q, v;               // at the end of the step
    double q0, v0;             // at its start
    double mean;               // mean speed over the step
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
                     .q0 = sim->x[joint->qadr],
                     .v0 = sim->x[sim->nq + joint->vadr],
                     .mean = sim->data->v[joint->vadr],
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
    c.q0 = ff_quat_angle(before, sim->x + joint->qadr);
    c.v0 = ff_vec3_dot(before, sim->x + sim->nq + joint->vadr);
    c.mean = (c.q - c.q0) / sim->implicit->h;
    return c;
}

static carrier carrier_tendon(const ff_sim *sim, int i)
{
    const ff_tendon *t = &sim->model->tendons[i];
    const double length = sim->data->tendon_length[i], before = sim->implicit->start.tendon_length[i];
    return (carrier){.range = {t->range[0], t->range[1]},
                     .stiffness = t->stop_stiffness,
                     .damping = t->stop_damping,
                     .q = length,
                     .v = sim->data->tendon_speed[i],
                     .q0 = before,
                     .v0 = sim->implicit->start.tendon_speed[i],
                     .mean = (length - before) / sim->implicit->h,
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

static double energy_of(const carrier *c, stop at)
{
    return at.depth > 0.0 ? 0.5 * c->stiffness * at.depth * at.depth : 0.0;
}

/// Power of heat, as in ff_dyn_passive.
static double power_of(const carrier *c, stop at, double v)
{
    if (!(at.depth > 0.0)) return 0.0;
    return (at.sign * c->stiffness * at.depth - force_of(c, at, v)) * v;
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
        ff_lines_add(sim, c->tendon, false, stiffness, damping);
    }
}

/// Adds force and slopes of the stop of a carrier.
static void linearise_stop(ff_sim *sim, const carrier *c)
{
    ff_implicit *im = sim->implicit;
    const int i = c->slot;
    const stop end = stop_at(c, c->q), start = stop_at(c, c->q0);
    im->stops.touched = true;
    const double force = fabs(force_of(c, end, c->mean));
    const double width = -RAMP * start.depth;
    double part = 1.0, ramp_slope = 0.0;
    if (force > 0.0 && end.depth < width && c->damping > 0.0) {
        part = end.depth / width;
        ramp_slope = force / width;
    }
    const double change = end.sign * part * force - force_of(c, end, c->v);
    if (change != 0.0) push(sim, c, change, sim->data->tau);
    if (!(force > 0.0)) return;
    const double stiffness = part * c->stiffness + ramp_slope, damping = part * c->damping;
    add_slopes(sim, c, stiffness, damping, part * force);
    im->stops.force[i] = end.sign * part * force;
    im->stops.stiffness[i] = stiffness;
    im->stops.slope[i] = im->h * stiffness + damping;
    im->stops.pushing = 31U * im->stops.pushing + (unsigned)i + 1U;
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

void ff_stops_correct(const ff_sim *sim, const double *v, double factor, double *tau)
{
    const ff_implicit *im = sim->implicit;
    for (int k = 0; k < im->stops.ncone; k++) {
        const ff_cone_slope *cone = &im->stops.cones[k];
        const double *turn = v + cone->vadr;
        const double along = (cone->stiffness - cone->across) * ff_vec3_dot(cone->axis, turn);
        ff_vec3_axpy(tau + cone->vadr, -factor * along, cone->axis);
        ff_vec3_axpy(tau + cone->vadr, -factor * cone->across, turn);
    }
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
        const bool pushes = force_of(&c, stop_at(&c, c.q + im->h * move), c.mean + move) != 0.0;
        if (pushes != (im->stops.slope[c.slot] > 0.0)) return false;
    }
    return true;
}

/// @return inertia of the carrier with all other joints free, which at the root of a chain is a small part of M_ii
static double inertia_at(ff_sim *sim, const carrier *c)
{
    const ff_implicit *im = sim->implicit;
    const double mobility = c->cone         ? ff_factors_turning_mobility(sim, c->slot, c->axis)
                            : c->tendon < 0 ? ff_factors_mobility(sim, c->slot)
                                            : ff_lines_mobility(sim, c->tendon);
    return (1.0 - im->h * im->stops.slope[c->slot] * mobility) / mobility; // A holds h stop_slope
}

/// Does the step resolve a stop: are its half period, and the time in which its damper stops the joint, at least ten
/// steps? Otherwise the correction of the step would reverse a speed that should end.
static bool resolves(double h, const carrier *c, double inertia)
{
    return h * h * c->stiffness <= FF_IMPLICIT_RESOLVED * inertia && 10.0 * h * c->damping <= inertia;
}

/// @return force of a stop, or of its spring alone where the damper reduces it
static double load_of(const carrier *c, stop at, double v)
{
    return ff_max(fabs(force_of(c, at, v)), c->stiffness * at.depth);
}

void ff_stops_classify(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    double before = 0.0, after = 0.0;
    im->stops.resolved = im->stops.lasting = true;
    im->stops.by_work = false;
    im->stops.start_power = im->stops.end_power = 0.0;
    if (!im->stops.touched) return;
    const double close = ff_implicit_tolerance(sim);
    for (int j = 0; j < count_carriers(sim); j++) {
        carrier c;
        if (!carrier_at(sim, j, &c)) continue;
        const stop end = stop_at(&c, c.q), start = stop_at(&c, c.q0);
        if (!(end.depth > 0.0) && !(start.depth > 0.0)) continue;
        before += power_of(&c, start, c.v0);
        after += power_of(&c, end, c.v);
        // Where a stop is reached, the power jumps to b v^2. Where it is left, the power of its spring ends within the
        // step, for which error control does not shorten the step.
        im->stops.by_work =
            im->stops.by_work || !(start.depth > 0.0) || (sim->options.accuracy > 0.0 && !(end.depth > 0.0));
        const double inertia = inertia_at(sim, &c);
        // A joint may be beyond its range by rounding. Such a stop changes the velocity by less than the tolerance of
        // the iteration.
        im->stops.tolerance[c.slot] = close * inertia / im->h;
        if (resolves(im->h, &c, inertia)) continue;
        im->stops.resolved = false;
        im->stops.by_work = true;
        const bool acts = ff_max(load_of(&c, start, c.v0), load_of(&c, end, c.mean)) > im->stops.tolerance[c.slot];
        // The force of a cone turns with the joint, of which the slope has only the symmetric part: a correction by it
        // may add energy to a thin rod.
        const bool lasts = end.depth > 0.0 && start.depth > 0.0 && !c.cone;
        im->stops.lasting = im->stops.lasting && (lasts || !acts);
    }
    if (!im->stops.by_work) return;
    im->stops.start_power = before;
    im->stops.end_power = after;
}

/// @return force of a stop by the speed at the end of the step, less that by the mean speed
static double late_force(const carrier *c)
{
    const stop end = stop_at(c, c->q);
    return force_of(c, end, c->v) - force_of(c, end, c->mean);
}

bool ff_stops_steady(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    if (!im->stops.lasting) return false;
    for (int j = 0; im->stops.touched && j < count_carriers(sim); j++) {
        carrier c;
        if (!carrier_at(sim, j, &c)) continue;
        // the correction of its speed must leave the force of the stop nearly as it is
        const double most = ff_max(QUIET * fabs(im->stops.force[c.slot]), im->stops.tolerance[c.slot]);
        if (im->stops.slope[c.slot] * fabs(rate_of(sim, &c, im->correction.v)) > most) return false;
    }
    return true;
}

void ff_stops_add_late(const ff_sim *sim, double factor, double *tau)
{
    for (int j = 0; sim->implicit->stops.touched && j < count_carriers(sim); j++) {
        carrier c;
        if (!carrier_at(sim, j, &c)) continue;
        const double force = late_force(&c);
        if (force != 0.0) push(sim, &c, factor * force, tau);
    }
}

/// @return position of a carrier in the accepted state x, which was not evaluated; of a tendon by its levers
static double final_position(const ff_sim *sim, const carrier *c, int index, const double *x)
{
    const ff_implicit *im = sim->implicit;
    double axis[3];
    if (c->cone) return ff_quat_angle(axis, x + sim->model->joints[index].qadr);
    if (c->tendon < 0) return x[sim->model->joints[index].qadr];
    return c->q + im->h * (rate_of(sim, c, im->iterate.motion) - c->v);
}

double ff_stops_heat(const ff_sim *sim, const double *x)
{
    const ff_implicit *im = sim->implicit;
    double sum = 0.0;
    for (int j = 0; j < count_carriers(sim); j++) {
        carrier c;
        if (!carrier_at(sim, j, &c)) continue;
        const double v1 = rate_of(sim, &c, x + sim->nq),
                     v0 = im->correction.applied ? c.v0 : rate_of(sim, &c, sim->x + sim->nq);
        const stop start = stop_at(&c, c.q0), end = stop_at(&c, final_position(sim, &c, j, x));
        double force = 0.0;
        const double stiffness = im->stops.stiffness[c.slot], damping = im->stops.slope[c.slot] - im->h * stiffness;
        if (im->stops.slope[c.slot] > 0.0) { // the force after the last change of the iteration, and the correction
            force = im->stops.force[c.slot] - im->stops.slope[c.slot] * rate_of(sim, &c, im->iterate.change);
            if (im->correction.applied)
                force = 0.5 * (force_of(&c, start, c.v0) + force + late_force(&c)) -
                        (stiffness * rate_of(sim, &c, im->correction.q) + damping * rate_of(sim, &c, im->correction.v));
        } else if (im->correction.applied) {
            force = 0.5 * force_of(&c, start, c.v0);
        }
        sum -= 0.5 * im->h * force * (v0 + v1) + energy_of(&c, end) - energy_of(&c, start);
    }
    return ff_max(0.0, sum);
}
