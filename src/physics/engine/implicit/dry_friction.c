// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Dry friction of joints, tendons and drives in an implicit step,  -f v / sqrt(v^2 + s^2). Where s is small, a small
// change of the velocity reverses it: Newton's iteration ends only when friction is nearly the same before and after
// its last change. Drives solve for the speed of their rotor themselves; there the iteration checks the torque of the
// spring between rotor and joint.
#include "engine/implicit/implicit.h"

static const double CLOSE = 0.1; // part of the level by which friction may change after the last evaluation

/// A carrier of dry friction: an axis of a joint, a tendon, or a drive of one or two joints.
typedef struct carrier {
    double level; // [N, N m]
    double speed; // within which it reverses  [m/s, rad/s]
    int tendon;   // number of the tendon, -1: none
    int ndof, dof[2];
    double lever[2];
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
    if (tendon < 0) return (carrier){m->dof_dry_friction[i], m->dof_dry_speed[i], -1, 1, {i}, {1.0}, -1};
    if (part < 0) {
        const ff_tendon *t = &m->tendons[tendon];
        return (carrier){t->dry_friction, t->dry_speed, tendon, .rotor = -1};
    }
    const ff_part_friction *of = &sim->implicit->dry.parts[part];
    const ff_dry_friction f = of->slot->inner.friction(of->slot->part.context, of->k, sim->data->q, sim->data->v);
    return (carrier){f.level,
                     f.speed,
                     -1,
                     f.ndof,
                     {f.dof[0], f.dof[1]},
                     {f.lever[0], f.lever[1]},
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
