// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Dry friction of joints, tendons and drives in an implicit step,  -f v / sqrt(v^2 + s^2). Where s is small, a change
// of the velocity that hardly moves anything reverses it, so that Newton's iteration evaluates it before it ends; and
// its power at the ends of a step says little about its heat in between. Drives with a rotor of their own find its
// speed themselves; there the iteration evaluates the spring behind it.
#include "engine/implicit/implicit.h"

static const double CLOSE = 0.1; // part of its level by which it may change after the last evaluation

/// What has dry friction: an axis of a joint, a tendon, or a drive on one or two joints.
typedef struct carrier {
    double level; // [N, N m]
    double speed; // within which it reverses  [m/s, rad/s]
    int tendon;   // -1: none, it moves with joints
    int ndof, dof[2];
    double lever[2];
    int entry; // of the ledger, where its heat goes
    int rotor; // its speed among the states of parts, where it acts on one of its own behind a spring; -1: none
} carrier;

/// Numbers of all that has some: degrees of freedom first, then tendons, then parts -> dry.carriers.
static void number_carriers(ff_sim *sim)
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
    number_carriers(sim);
    return true;
}

/// Those of joints and tendons act where passive forces do.
static int first_carrier(const ff_sim *sim)
{
    return sim->options.passive ? 0 : sim->implicit->dry.first_part;
}

/// Entry `number` of dry.carriers.
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

/// Speed of the carrier for a generalised velocity.
static double rate_of(const ff_sim *sim, const carrier *c, const double *v)
{
    if (c->tendon >= 0) return ff_dyn_tendon_rate(sim->model, sim->data, c->tendon, v);
    const double rate = c->lever[0] * v[c->dof[0]];
    return c->ndof > 1 ? rate + c->lever[1] * v[c->dof[1]] : rate;
}

/// As part of the level, at the speed v.
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

/// The torque between one rotor and its joints.
static bool spring_holds(const ff_sim *sim, const carrier *c)
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
        if (c.rotor >= 0 && !spring_holds(sim, &c)) return false;
    }
    return true;
}

/// Slope of the force at the speed v.
static double slope_of(const carrier *c, double v)
{
    const double square = v * v + c->speed * c->speed;
    return c->level * c->speed * c->speed / (square * sqrt(square));
}

/// Do other forces than this friction and smooth ones act along the carrier? Then the trapezoid of its powers stays.
static bool has_others(const ff_sim *sim, const carrier *c)
{
    const ff_model *m = sim->model;
    const double *stop = sim->implicit->stops.slope;
    if (c->tendon >= 0) return stop[sim->nv + c->tendon] > 0.0;
    for (int k = 0; k < c->ndof; k++)
        if (stop[c->dof[k]] > 0.0 || !ff_joint_is_scalar(m->joints[m->dof_joint[c->dof[k]]].type)) return true;
    return false;
}

/// Power that the trapezoid has too little, in a step that was corrected: friction had the mean of its force.
static double lacking(const ff_sim *sim, const carrier *c, const double *v0)
{
    const ff_implicit *im = sim->implicit;
    if (has_others(sim, c)) return 0.0;
    const double start = c->tendon < 0 ? rate_of(sim, c, v0) : im->start.tendon_speed[c->tendon];
    const double seen = rate_of(sim, c, im->iterate.evaluated_v), end = rate_of(sim, c, im->iterate.v);
    const double found = rate_of(sim, c, v0) + im->h * rate_of(sim, c, im->history.acceleration);
    const double f0 = c->level * part_of(c, start), f1 = c->level * part_of(c, seen);
    const double mean = 0.5 * (f0 + f1) + slope_of(c, seen) * (found - seen + rate_of(sim, c, im->correction.v));
    return ff_max(0.0, 0.5 * mean * (start + end)) - 0.5 * (f0 * start + f1 * seen);
}

/// The same of a rotor, whose speed is a state of a part.
static double rotor_lacking(const ff_sim *sim, const carrier *c)
{
    const ff_implicit *im = sim->implicit;
    const double start = sim->x[sim->nq + sim->nv + c->rotor], seen = im->iterate.z[c->rotor],
                 shift = im->correction.z[c->rotor];
    const double f0 = c->level * part_of(c, start), f1 = c->level * part_of(c, seen);
    const double mean = 0.5 * (f0 + f1) + slope_of(c, seen) * shift;
    return ff_max(0.0, 0.5 * mean * (start + seen + shift)) - 0.5 * (f0 * start + f1 * seen);
}

/// Power that the trapezoid has too much where the step uses the force at its end alone: for a rotor, which a part
/// moves by itself, or in any step that is not corrected. What friction stops early in a step has its whole level for a
/// part of it, and then the force that holds it.
static double beyond(const ff_sim *sim, const carrier *c, const double *v0)
{
    const ff_implicit *im = sim->implicit;
    const double start = c->rotor < 0 ? rate_of(sim, c, v0) : sim->x[sim->nq + sim->nv + c->rotor];
    const double seen = c->rotor < 0 ? rate_of(sim, c, im->iterate.evaluated_v) : im->iterate.z[c->rotor];
    const double more = fabs(part_of(c, start)) - fabs(part_of(c, seen));
    return more > 0.0 ? 0.5 * c->level * more * fabs(start) : 0.0;
}

void ff_dry_friction_heat(const ff_sim *sim, const double *v0, double *ledger)
{
    const ff_implicit *im = sim->implicit;
    double sum[FF_LEDGER_COUNT] = {0};
    for (int i = first_carrier(sim); i < im->dry.ncarrier; i++) {
        const carrier c = carrier_at(sim, i);
        if (im->correction.applied)
            sum[c.entry] += c.rotor < 0 ? lacking(sim, &c, v0) : rotor_lacking(sim, &c);
        else if (c.entry == FF_LEDGER_PARTS) // that of joints is corrected with their stops
            sum[c.entry] -= beyond(sim, &c, v0);
    }
    ledger[FF_LEDGER_JOINTS] += im->h * sum[FF_LEDGER_JOINTS];
    ledger[FF_LEDGER_PARTS] += im->h * sum[FF_LEDGER_PARTS];
}
