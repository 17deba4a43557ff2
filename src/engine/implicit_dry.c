// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Dry friction of joints and tendons in an implicit step,  -f v / sqrt(v^2 + s^2). Where s is small it turns round
// within a velocity that hardly moves anything, so that Newton's iteration asks it before a velocity counts as found;
// and its power at the ends of a step says little about its heat in between.
#include "engine/implicit.h"

static const double CLOSE = 0.1; // part of its level by which it may change unseen

/// What has dry friction: an axis of a joint or a tendon.
typedef struct carrier {
    double level; // [N, N m]
    double speed; // within which it turns round  [m/s, rad/s]
    int tendon;   // -1: an axis of a joint
    int slot;     // of its numbers: degree of freedom of the joint, or behind them
} carrier;

static int carriers(const ff_sim *sim)
{
    return sim->nv + sim->model->ntendon;
}

/// Degrees of freedom first, then tendons. @return false: it has no dry friction
static bool carrier_at(const ff_sim *sim, int i, carrier *c)
{
    const ff_model *m = sim->model;
    if (i < sim->nv) {
        *c = (carrier){m->dof_dry_friction[i], m->dof_dry_speed[i], -1, i};
    } else {
        const ff_tendon *t = &m->tendons[i - sim->nv];
        *c = (carrier){t->dry_friction, t->dry_speed, i - sim->nv, i};
    }
    return c->level > 0.0;
}

/// Speed of the carrier for a generalised velocity.
static double rate_of(const ff_sim *sim, const carrier *c, const double *v)
{
    return c->tendon < 0 ? v[c->slot] : ff_dyn_tendon_rate(sim->model, sim->data, c->tendon, v);
}

/// As part of the level, at the speed v.
static double part_of(const carrier *c, double v)
{
    return v / sqrt(v * v + c->speed * c->speed);
}

bool ff_dry_friction_holds(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    if (!sim->options.passive) return true;
    for (int i = 0; i < carriers(sim); i++) {
        carrier c;
        if (!carrier_at(sim, i, &c)) continue;
        const double v = rate_of(sim, &c, im->v), move = rate_of(sim, &c, im->move);
        if (fabs(part_of(&c, v + move) - part_of(&c, v)) > CLOSE) return false;
    }
    return true;
}

/// Slope of the force at the speed v.
static double slope_of(const carrier *c, double v)
{
    const double square = v * v + c->speed * c->speed;
    return c->level * c->speed * c->speed / (square * sqrt(square));
}

/// Is the force along the carrier, as the step has it, more than this friction and what is smooth? Then the trapezoid
/// of its powers stays.
static bool has_others(const ff_sim *sim, const carrier *c)
{
    const ff_model *m = sim->model;
    return sim->implicit->stop_slope[c->slot] > 0.0 ||
           (c->tendon < 0 && !ff_joint_is_scalar(m->joints[m->dof_joint[c->slot]].type));
}

double ff_dry_friction_heat(const ff_sim *sim, const double *v0)
{
    const ff_implicit *im = sim->implicit;
    double sum = 0.0;
    for (int i = 0; i < carriers(sim); i++) {
        carrier c;
        if (!carrier_at(sim, i, &c) || has_others(sim, &c)) continue;
        const double start = c.tendon < 0 ? v0[i] : ff_strings_start_speed(sim, c.tendon);
        const double seen = rate_of(sim, &c, im->seen), end = rate_of(sim, &c, im->v);
        const double found = rate_of(sim, &c, v0) + im->h * rate_of(sim, &c, im->mean);
        const double f0 = c.level * part_of(&c, start), f1 = c.level * part_of(&c, seen);
        const double mean = 0.5 * (f0 + f1) + slope_of(&c, seen) * (found - seen + rate_of(sim, &c, im->shift));
        sum += ff_max(0.0, 0.5 * mean * (start + end)) - 0.5 * (f0 * start + f1 * seen);
    }
    return im->h * sum;
}
