// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Dry friction of joints, tendons and drives in an implicit step,  -f v / sqrt(v^2 + s^2). Where s is small, a small
// change of the velocity reverses it: Newton's iteration ends only when friction is nearly the same before and after
// its last change, and heat does not follow from the powers at the ends of a step. Drives solve for the speed of their
// rotor themselves; there the iteration checks the torque of the spring between rotor and joint.
#include "engine/implicit/implicit.h"

static const double CLOSE = 0.1; // part of the level by which friction may change after the last evaluation

/// A carrier of dry friction: an axis of a joint, a tendon, or a drive of one or two joints.
typedef struct carrier {
    double level; // [N, N m]
    double speed; // within which it reverses  [m/s, rad/s]
    int tendon;   // number of the tendon, -1: none
    int ndof, dof[2];
    double lever[2];
    int entry; // entry of the ledger for its heat
    int rotor; // number of the speed of its rotor among the states of parts, -1: no rotor
} carrier;

/// Lists all carriers: degrees of freedom first, then tendons, then parts -> dry.carriers.
static void list_carriers(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const ff_model *m = sim->model;
    for (int i = 0; m && i < m->nv; i++)
        if (m->dof_dry_friction[i] > 0.0) im->dry.carriers[im->dry.ncarrier++] = i;
    for (int i = 0; m && i < m->ntendon; i++)
        if (m->tendons[i].dry_friction > 0.0) im->dry.carriers[im->dry.ncarrier++] = m->nv + i;
    im->dry.first_part = im->dry.ncarrier;
    for (int i = 0; m && i < im->dry.npart; i++) im->dry.carriers[im->dry.ncarrier++] = m->nv + m->ntendon + i;
}

bool ff_dry_friction_create(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    int most = 0;
    for (int i = 0; i < sim->npart; i++) most += sim->parts[i].inner.nfriction;
    im->dry.parts = FF_ARENA_NEW(&sim->arena, ff_part_friction, most > 0 ? most : 1);
    for (int i = 0; im->dry.parts && i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        for (int k = 0; k < slot->inner.nfriction; k++) {
            const ff_dry_friction f = slot->inner.friction(slot->part.context, k, sim->x, sim->x + sim->nq);
            if (f.level > 0.0) im->dry.parts[im->dry.npart++] = (ff_part_friction){slot, k};
        }
    }
    im->dry.carriers =
        FF_ARENA_NEW(&sim->arena, int, sim->nv + (sim->model ? sim->model->ntendon : 0) + im->dry.npart + 1);
    if (!im->dry.parts || !im->dry.carriers) return false;
    list_carriers(sim);
    return true;
}

/// @return first carrier that acts: friction of joints and tendons acts only with options.passive
static int first_carrier(const ff_sim *sim)
{
    return sim->options.passive ? 0 : sim->implicit->dry.first_part;
}

/// @return carrier of entry `number` of dry.carriers
static carrier carrier_at(const ff_sim *sim, int number)
{
    const ff_model *m = sim->model;
    const int i = sim->implicit->dry.carriers[number], tendon = i - sim->nv, part = tendon - m->ntendon;
    if (tendon < 0)
        return (carrier){m->dof_dry_friction[i], m->dof_dry_speed[i], -1, 1, {i}, {1.0}, FF_LEDGER_JOINTS, -1};
    if (part < 0) {
        const ff_tendon *t = &m->tendons[tendon];
        return (carrier){t->dry_friction, t->dry_speed, tendon, .entry = FF_LEDGER_JOINTS, .rotor = -1};
    }
    const ff_part_friction *of = &sim->implicit->dry.parts[part];
    const ff_dry_friction f = of->slot->inner.friction(of->slot->part.context, of->k, sim->data->q, sim->data->v);
    return (carrier){f.level,
                     f.speed,
                     -1,
                     f.ndof,
                     {f.dof[0], f.dof[1]},
                     {f.lever[0], f.lever[1]},
                     FF_LEDGER_PARTS,
                     f.state < 0 ? -1 : of->slot->offset + f.state};
}

/// @return speed of the carrier for a generalised velocity
static double rate_of(const ff_sim *sim, const carrier *c, const double *v)
{
    if (c->tendon >= 0) return ff_dyn_tendon_rate(sim->model, sim->data, c->tendon, v);
    const double rate = c->lever[0] * v[c->dof[0]];
    return c->ndof > 1 ? rate + c->lever[1] * v[c->dof[1]] : rate;
}

/// @return friction at the speed v, relative to its level
static double part_of(const carrier *c, double v)
{
    return v / sqrt(v * v + c->speed * c->speed);
}

bool ff_dry_friction_converged(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int i = first_carrier(sim); i < im->dry.ncarrier; i++) {
        const carrier c = carrier_at(sim, i);
        if (c.rotor >= 0) continue;
        const double v = rate_of(sim, &c, im->iterate.v), move = rate_of(sim, &c, im->iterate.change);
        if (fabs(part_of(&c, v + move) - part_of(&c, v)) > CLOSE) return false;
    }
    return true;
}

/// Does Newton's change leave the torque between a rotor and its joints nearly the same?
static bool is_torque_kept(const ff_sim *sim, const carrier *c)
{
    const ff_implicit *im = sim->implicit;
    for (int k = 0; k < c->ndof; k++) {
        const int i = c->dof[k];
        const double slope = im->slopes.damping[i] - im->slopes.passive_damping[i] +
                             im->h * (im->slopes.stiffness[i] - im->slopes.passive_stiffness[i]);
        if (fabs(slope * im->iterate.change[i]) > CLOSE * c->level * fabs(c->lever[k])) return false;
    }
    return true;
}

bool ff_dry_springs_converged(const ff_sim *sim)
{
    for (int i = sim->implicit->dry.first_part; i < sim->implicit->dry.ncarrier; i++) {
        const carrier c = carrier_at(sim, i);
        if (c.rotor >= 0 && !is_torque_kept(sim, &c)) return false;
    }
    return true;
}

/// @return slope of the friction at the speed v
static double slope_of(const carrier *c, double v)
{
    const double square = v * v + c->speed * c->speed;
    return c->level * c->speed * c->speed / (square * sqrt(square));
}

/// Do forces along the carrier jump that are not its friction? Then heat follows from the trapezoid of the powers.
static bool has_other_jumps(const ff_sim *sim, const carrier *c)
{
    const ff_model *m = sim->model;
    const double *stop = sim->implicit->stops.slope;
    if (c->tendon >= 0) return stop[sim->nv + c->tendon] > 0.0;
    for (int k = 0; k < c->ndof; k++)
        if (stop[c->dof[k]] > 0.0 || !ff_joint_is_scalar(m->joints[m->dof_joint[c->dof[k]]].type)) return true;
    return false;
}

/// @return power to add to the trapezoid in a corrected step, in which friction had the mean of its force  [W]
static double corrected_power(const ff_sim *sim, const carrier *c, const double *v0)
{
    const ff_implicit *im = sim->implicit;
    if (has_other_jumps(sim, c)) return 0.0;
    const double start = c->tendon < 0 ? rate_of(sim, c, v0) : im->start.tendon_speed[c->tendon];
    const double evaluated = rate_of(sim, c, im->iterate.evaluated_v), end = rate_of(sim, c, im->iterate.v);
    const double iterated = rate_of(sim, c, v0) + im->h * rate_of(sim, c, im->history.acceleration);
    const double f0 = c->level * part_of(c, start), f1 = c->level * part_of(c, evaluated);
    const double mean =
        0.5 * (f0 + f1) + slope_of(c, evaluated) * (iterated - evaluated + rate_of(sim, c, im->correction.v));
    return ff_max(0.0, 0.5 * mean * (start + end)) - 0.5 * (f0 * start + f1 * evaluated);
}

/// @return the same of a rotor, whose speed is a state of a part  [W]
static double corrected_rotor_power(const ff_sim *sim, const carrier *c)
{
    const ff_implicit *im = sim->implicit;
    const double start = sim->x[sim->nq + sim->nv + c->rotor], evaluated = im->iterate.z[c->rotor],
                 shift = im->correction.z[c->rotor];
    const double f0 = c->level * part_of(c, start), f1 = c->level * part_of(c, evaluated);
    const double mean = 0.5 * (f0 + f1) + slope_of(c, evaluated) * shift;
    return ff_max(0.0, 0.5 * mean * (start + evaluated + shift)) - 0.5 * (f0 * start + f1 * evaluated);
}

/// @return power to subtract from the trapezoid of a carrier in a step without correction, which uses the force at its
/// end alone. Friction that stops a carrier early in a step has its whole level for a part of the step, and then the
/// force that holds the carrier  [W]
static double excess_power(const ff_sim *sim, const carrier *c, const double *v0)
{
    const ff_implicit *im = sim->implicit;
    const double start = c->rotor < 0 ? rate_of(sim, c, v0) : sim->x[sim->nq + sim->nv + c->rotor];
    const double evaluated = c->rotor < 0 ? rate_of(sim, c, im->iterate.evaluated_v) : im->iterate.z[c->rotor];
    const double more = fabs(part_of(c, start)) - fabs(part_of(c, evaluated));
    return more > 0.0 ? 0.5 * c->level * more * fabs(start) : 0.0;
}

void ff_dry_friction_heat(const ff_sim *sim, const double *v0, double *ledger)
{
    const ff_implicit *im = sim->implicit;
    double sum[FF_LEDGER_COUNT] = {0};
    for (int i = first_carrier(sim); i < im->dry.ncarrier; i++) {
        const carrier c = carrier_at(sim, i);
        if (im->correction.applied)
            sum[c.entry] += c.rotor < 0 ? corrected_power(sim, &c, v0) : corrected_rotor_power(sim, &c);
        else if (c.entry == FF_LEDGER_PARTS) // that of joints is corrected with their stops
            sum[c.entry] -= excess_power(sim, &c, v0);
    }
    ledger[FF_LEDGER_JOINTS] += im->h * sum[FF_LEDGER_JOINTS];
    ledger[FF_LEDGER_PARTS] += im->h * sum[FF_LEDGER_PARTS];
}
