// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A step of contact without compliance at velocity level (D. E. Stewart, J. C. Trinkle, Int. J. Numerical Methods in
// Engineering 39, 1996): u = J (v + h qacc) must not lead into the ground within the step, whatever touches or could
// touch in it. Impacts come first, at the velocities the step starts with, then what the forces of the step add: the
// other way round gravity would feed every bounce.
#include "world/rigid.h"

#include <math.h>
#include <string.h>

static const double OUT = 0.1; // part of an overlap that a step takes away

// Sweeps for lasting contact end when a sweep changes no velocity by more than a part in 1e4 of the fastest approach:
// at rest that is g h, so 1e-6 m/s at 1 ms. A pile that moves gets a bounded number; what is left is overlap of the
// next step, which takes it out.
static ff_sweep_rule lasting_rule(int points)
{
    const int most = 4000 / (points + 1);
    return (ff_sweep_rule){.tolerance = 1e-3, .most = most < 10 ? 10 : most};
}

/// Points that could meet within the step.
static bool within(const ff_world *w, int i, double reach)
{
    return ff_rigid_touch(w, i)->contact.point.depth >= -reach;
}

/// The points that could meet, the fastest of them moving as now or as at the end. False when memory is short.
static bool take_near(ff_world *w, const ff_data *d, double h, const double *end)
{
    ff_rigid *r = w->rigid;
    double speed = 0.0;
    bool any = false;
    r->n = 0;
    for (int i = 0; i < w->ntouch; i++)
        if (!ff_rigid_take(w, i)) break;
    if (!ff_rigid_fill_rows(w, d)) return false;
    for (int i = 0; i < r->n; i++) {
        const ff_contact_point *p = &ff_rigid_touch(w, i)->contact.point;
        double u[6];
        ff_sweep_velocity(&r->rows[i], end, u);
        const double closing = ff_max(p->closing, -u[0]);
        speed = ff_max(speed, fabs(closing));
        any = any || p->depth + h * closing > 0.0;
    }
    ff_rigid_keep(w, within, any ? h * speed + FF_RIGID_REACH : -INFINITY);
    return true;
}

// ------------------------------------------------------------------------------------------ impacts

static void velocities(ff_rigid *r, int island, const double *v, bool before)
{
    for (int i = r->first[island]; i < r->first[island + 1]; i++) {
        ff_rigid_point *point = &r->points[r->order[i]];
        ff_sweep_velocity(&r->rows[r->order[i]], v, before ? point->before : point->u);
    }
}

/// Approach that a point may have until the surface is reached. An overlap is taken away no faster than gravity brings
/// back within a step, or the point would hop.
static double allowance(const ff_world *w, int i, double h)
{
    const double depth = ff_rigid_touch(w, i)->contact.point.depth, fall = h * ff_vec3_norm(w->model->gravity);
    return depth < 0.0 ? -depth / h : -ff_min(OUT * depth / h, 0.5 * fall);
}

/// Restitution and allowance of the points: those bounce that are fast and would meet, and those they touch. False:
/// nothing bounces.
static bool prepare_impact(ff_world *w, int island, double h)
{
    ff_rigid *r = w->rigid;
    const double floor = 2.0 * h * ff_vec3_norm(w->model->gravity);
    double speed = 0.0;
    bool hit = false;
    for (int k = r->first[island]; k < r->first[island + 1]; k++) {
        ff_rigid_point *p = &r->points[r->order[k]];
        const double depth = ff_rigid_touch(w, r->order[k])->contact.point.depth;
        const bool reaches = depth - h * p->before[0] > 0.0;
        speed = ff_max(speed, -p->before[0]);
        p->e = reaches ? ff_rigid_restitution(w, r->order[k], -p->before[0], floor) : 0.0;
        hit = hit || p->e > 0.0;
    }
    for (int k = r->first[island]; hit && k < r->first[island + 1]; k++) {
        const int i = r->order[k];
        ff_rigid_point *p = &r->points[i];
        const bool touches = ff_rigid_touch(w, i)->contact.point.depth >= -FF_RIGID_REACH;
        if (p->e == 0.0 && touches) p->e = ff_rigid_restitution(w, i, speed, floor);
        r->rows[i].shift[0] = p->e > 0.0 || touches ? 0.0 : allowance(w, i, h);
    }
    return hit;
}

/// Forces of the step by slot; `held`: those that last.
static void add_forces(ff_world *w, int island, double h, bool held)
{
    ff_rigid *r = w->rigid;
    for (int k = r->first[island]; k < r->first[island + 1]; k++) {
        const int i = r->order[k], slot = ff_rigid_touch(w, i)->slot;
        double force[6];
        r->rows[i].shift[0] = 0.0;
        if (slot < 0) continue;
        ff_rigid_to_world(w, i, r->rows[i].j, 1.0 / h, force);
        for (int c = 0; c < 6; c++) r->force[6 * slot + c] += force[c];
        if (held) memcpy(r->held + 6 * slot, force, sizeof force);
    }
}

static bool impact(ff_world *w, int island, double h, double *v, double *end)
{
    ff_rigid *r = w->rigid;
    velocities(r, island, v, true);
    if (!prepare_impact(w, island, h)) return true;
    if (!ff_rigid_solve_impact(w, island, v)) return false;
    for (int k = r->first[island]; k < r->first[island + 1]; k++)
        ff_sweep_apply(&r->rows[r->order[k]], r->rows[r->order[k]].j, end);
    add_forces(w, island, h, false);
    velocities(r, island, v, false);
    ff_rigid_book(w, island);
    velocities(r, island, v, true);
    w->memory->counts.impacts++;
    return true;
}

// ------------------------------------------------------------------------------------------ lasting contact

/// Starts from what held in the last step.
static void prepare_lasting(ff_world *w, int island, double h)
{
    ff_rigid *r = w->rigid;
    for (int k = r->first[island]; k < r->first[island + 1]; k++) {
        const int i = r->order[k];
        ff_sweep_point *p = &r->rows[i];
        const double *held = r->points[i].held, *axes = r->points[i].axes;
        p->shift[0] = allowance(w, i, h);
        for (int c = 0; c < p->rows; c++) p->j[c] = h * ff_vec3_dot(held + (c < 3 ? 0 : 3), axes + 3 * (c % 3));
        p->j[0] = ff_max(0.0, p->j[0]);
    }
}

static void mark_pushed(ff_rigid *r, int island)
{
    for (int k = r->first[island]; k < r->first[island + 1]; k++) {
        const ff_sweep_point *p = &r->rows[r->order[k]];
        for (int s = 0; s < p->nside && p->j[0] > 0.0; s++) r->pushed[r->block_of[p->side[s].first]] = true;
    }
}

static bool lasting(ff_world *w, int island, double h, double *end)
{
    ff_rigid *r = w->rigid;
    prepare_lasting(w, island, h);
    if (!ff_rigid_solve_lasting(w, island, lasting_rule(r->first[island + 1] - r->first[island]), end)) return false;
    add_forces(w, island, h, true);
    velocities(r, island, end, false);
    ff_rigid_book(w, island); // what gravity adds within a step and the ground takes at once was never there to be lost
    mark_pushed(r, island);
    return true;
}

// ------------------------------------------------------------------------------------------ the step

/// Coulomb's coefficient (points slide or stick as the step finds out), and what held in the step before; of points
/// that are not taken nothing is kept.
static void recall(ff_world *w)
{
    ff_rigid *r = w->rigid;
    for (int i = 0; i < r->n; i++) {
        const ff_touch *t = ff_rigid_touch(w, i);
        const ff_friction *f = &t->law->friction;
        r->rows[i].mu = f->law == FF_FRICTION_NONE ? 0.0 : f->mu_kinetic;
        memset(r->points[i].held, 0, sizeof r->points[i].held);
        if (t->slot >= 0) memcpy(r->points[i].held, r->held + 6 * t->slot, sizeof r->points[i].held);
    }
    memset(r->held, 0, sizeof(double) * 6 * (size_t)w->most);
}

static bool try_step(ff_world *w, ff_data *d, double h, double *end)
{
    ff_rigid *r = w->rigid;
    if (!take_near(w, d, h, end)) return false;
    recall(w);
    if (r->n == 0) return true;
    if (!ff_rigid_fill_response(w, d)) return false;
    ff_rigid_find_islands(w);
    for (int k = 0; k < r->nisland; k++)
        if (!impact(w, k, h, d->v, end) || !lasting(w, k, h, end)) return false;
    return true;
}

/// A body in flight moves by the mean of its velocities before and after, where gravity is what changes them: then it
/// keeps its energy, as an elastic bounce does. (The new velocity alone would lose m g^2 h / 2 a second.)
static void fly(const ff_world *w, double h, double *q)
{
    const ff_model *m = w->model;
    for (int k = 0; k < m->ntree; k++) {
        const ff_node *root = &m->nodes[m->tree_root[k]];
        if (root->type != FF_NODE_FREE) continue;
        const int block = w->rigid->block_of[root->vadr];
        if (w->rigid->pushed[block] || w->rigid->blocks[block].looped) continue;
        ff_vec3_axpy(q + root->qadr, -0.5 * h * h, m->gravity);
    }
}

void ff_rigid_step(ff_world *w, ff_sim *sim, double h, double *q, double *v)
{
    ff_rigid *r = w->rigid;
    memset(r->force, 0, sizeof(double) * 6 * (size_t)w->most);
    memset(r->pushed, 0, sizeof(bool) * (size_t)r->nblock);
    if (!try_step(w, sim->data, h, v)) r->failed = 1;
    fly(w, h, q);
}
