// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A step of contact without compliance at velocity level (D. E. Stewart, J. C. Trinkle, Int. J. Numerical Methods in
// Engineering 39, 1996): u = J (v + h qacc) must not lead into the ground within the step, whatever touches or could
// touch in it. Impacts come first, at the velocities the step starts with, then what the forces of the step add: the
// other way round gravity would feed every bounce.
#include "world/rigid.h"

#include <footfall/linalg.h>
#include <math.h>
#include <string.h>

static const double OUT = 0.1; // part of an overlap that a step takes away
enum { IMPACTS = 20 };         // of an island in a step, one thrown off by the other; the rest is stopped

/// Speed below which nothing bounces.  [m/s]
static double floor_of(const ff_world *w, double h)
{
    return 2.0 * h * ff_vec3_norm(w->model->gravity);
}

/// Does a point of an island move faster than that?
static bool moves(const ff_world *w, const int *order, int n, double h)
{
    const double floor = floor_of(w, h);
    for (int k = 0; k < n; k++)
        if (ff_vec3_norm(w->rigid->points[order[k]].before) > floor) return true;
    return false;
}

// Sweeps for lasting contact end when one changes no velocity by more than a part in 1e4 of the fastest that has to be
// stopped: at rest that is g h, so 1e-6 m/s at 1 ms. A high stack needs many, so small islands may have them; a pile of
// hundreds that moves has ten, and the next step removes the overlap that is left. Where a pile comes to rest, more are
// allowed: with ten a wall of 48 bricks, whose 330 points need 40, gained 0.24 J a second.
static ff_sweep_rule lasting_rule(int points, bool moves)
{
    static const double SETTLING = 200.0;
    const double most = 1e5 / ((double)points * points);
    return (ff_sweep_rule){.tolerance = 1e-4, .most = (int)ff_max(moves ? 10.0 : SETTLING, most)};
}

/// Points that could meet within the step, whatever the bodies do to each other with the speeds they have.
static bool within(const ff_world *w, int i, double fall)
{
    const ff_touch *t = ff_rigid_touch(w, i);
    const double sight = w->items[t->shape1].sight + w->items[t->shape2].sight;
    return t->point.depth + sight + fall + FF_RIGID_REACH >= 0.0;
}

/// Does a point of the island meet within the step, moving as now or as at its end?
static bool meets(const ff_world *w, const int *order, int n, double h, const double *end)
{
    for (int k = 0; k < n; k++) {
        const ff_contact_point *p = &ff_rigid_touch(w, order[k])->point;
        double u[6];
        ff_sweep_velocity(&w->rigid->rows[order[k]], end, u);
        if (p->depth + h * ff_max(p->closing, -u[0]) > 0.0) return true;
    }
    return false;
}

/// Takes the points of all islands in which something meets. False when memory is short.
static bool take_near(ff_world *w, const ff_data *d, double h, const double *end)
{
    ff_rigid *r = w->rigid;
    r->n = 0;
    for (int i = 0; i < w->ntouch; i++) ff_rigid_take(w, i);
    for (int i = 0; i < r->n; i++) r->points[i].awake = within(w, i, h * h * ff_vec3_norm(w->model->gravity));
    ff_rigid_keep_awake(w);
    if (!ff_rigid_fill_rows(w, d)) return false;
    ff_rigid_find_islands(w);
    for (int k = 0; k < r->nisland; k++) {
        int n;
        const int *order = ff_rigid_island(r, k, &n);
        const bool awake = meets(w, order, n, h, end);
        for (int i = 0; i < n; i++) r->points[order[i]].awake = awake;
    }
    ff_rigid_keep_awake(w);
    ff_rigid_find_islands(w);
    return true;
}

static void velocities(ff_rigid *r, const int *order, int n, const double *v, bool before)
{
    for (int k = 0; k < n; k++)
        ff_sweep_velocity(&r->rows[order[k]], v, before ? r->points[order[k]].before : r->points[order[k]].u);
}

/// Forces of the step by slot; `lasts`: those that are kept as a start of the next.
static void add_forces(ff_world *w, const int *order, int n, double h, bool lasts)
{
    ff_rigid *r = w->rigid;
    for (int k = 0; k < n; k++) {
        const int i = order[k], slot = ff_rigid_touch(w, i)->slot;
        double force[6];
        if (slot < 0) continue;
        ff_rigid_to_world(w, i, r->rows[i].j, 1.0 / h, force);
        for (int c = 0; c < 6; c++) r->force[6 * slot + c] += force[c];
        if (lasts) memcpy(r->held + 6 * slot, force, sizeof force);
    }
}

// ------------------------------------------------------------------------------------------ impacts

/// Restitutions of the points that bounce, being fast and bound to meet within the step as they move now or at its end,
/// and of those they touch. @return how many take part, listed in `hit`
static int prepare_impact(ff_world *w, const int *order, int n, double h, double floor)
{
    ff_rigid *r = w->rigid;
    double speed = 0.0;
    int hits = 0, taking_part = 0;
    for (int k = 0; k < n; k++) {
        ff_rigid_point *p = &r->points[order[k]];
        const double closing = -p->before[0], depth = ff_rigid_touch(w, order[k])->point.depth;
        const bool reaches = depth + h * ff_max(closing, -p->u[0]) > 0.0;
        speed = ff_max(speed, closing);
        p->e = reaches ? ff_rigid_restitution(w, order[k], closing, floor) : 0.0;
        hits += p->e > 0.0;
    }
    for (int k = 0; k < n && hits > 0; k++) {
        ff_rigid_point *p = &r->points[order[k]];
        const bool touches = ff_rigid_touch(w, order[k])->point.depth >= -FF_RIGID_REACH;
        if (p->e == 0.0 && touches) p->e = ff_rigid_restitution(w, order[k], speed, floor);
        if (p->e > 0.0 || touches) r->hit[taking_part++] = order[k];
    }
    return taking_part;
}

/// Impacts at the velocities v, until what they throw about meets nothing more within the step; `end` goes along.
static bool impact(ff_world *w, const int *order, int n, double h, double *v, double *end)
{
    ff_rigid *r = w->rigid;
    const double floor = floor_of(w, h);
    for (int round = 0; round < IMPACTS; round++) {
        velocities(r, order, n, v, true);
        velocities(r, order, n, end, false);
        const int hits = prepare_impact(w, order, n, h, floor);
        if (hits == 0) return true;
        if (!ff_rigid_solve_impact(w, r->hit, hits, floor, v)) return false;
        for (int k = 0; k < hits; k++) ff_sweep_apply(&r->rows[r->hit[k]], r->rows[r->hit[k]].j, end);
        add_forces(w, r->hit, hits, h, false);
        velocities(r, r->hit, hits, v, false);
        ff_rigid_book(w, r->hit, hits);
        w->memory->counts.impacts++;
    }
    velocities(r, order, n, v, true);
    return true;
}

// ------------------------------------------------------------------------------------------ lasting contact

/// Approach that a point may have until the surface is reached. An overlap is taken away no faster than gravity brings
/// back within a step, or the point would hop.
static double allowance(const ff_world *w, int i, double h)
{
    const double depth = ff_rigid_touch(w, i)->point.depth, fall = h * ff_vec3_norm(w->model->gravity);
    return depth < 0.0 ? -depth / h : -ff_min(OUT * depth / h, 0.5 * fall);
}

/// Starts from what held in the last step.
static void prepare_lasting(ff_world *w, const int *order, int n, double h)
{
    ff_rigid *r = w->rigid;
    for (int k = 0; k < n; k++) {
        ff_sweep_point *p = &r->rows[order[k]];
        const double *held = r->points[order[k]].held, *axes = r->points[order[k]].axes;
        p->shift[0] = allowance(w, order[k], h);
        for (int c = 0; c < p->rows; c++) p->j[c] = h * ff_vec3_dot(held + (c < 3 ? 0 : 3), axes + 3 * (c % 3));
        p->j[0] = ff_max(0.0, p->j[0]);
    }
}

static void finish_lasting(ff_rigid *r, const int *order, int n)
{
    for (int k = 0; k < n; k++) {
        ff_sweep_point *p = &r->rows[order[k]];
        p->shift[0] = 0.0;
        for (int s = 0; s < p->nside && p->j[0] > 0.0; s++) r->pushed[r->block_of[p->side[s].first]] = true;
    }
}

static bool lasting(ff_world *w, const int *order, int n, double h, double *end)
{
    ff_rigid *r = w->rigid;
    prepare_lasting(w, order, n, h);
    if (!ff_rigid_solve_lasting(w, order, n, lasting_rule(n, moves(w, order, n, h)), end)) return false;
    finish_lasting(r, order, n);
    add_forces(w, order, n, h, true);
    velocities(r, order, n, end, false);
    ff_rigid_book(w, order,
                  n); // what gravity adds within a step and the ground takes at once was never there to be lost
    return true;
}

// ------------------------------------------------------------------------------------------ free bodies

// By itself a semi-implicit step takes m g^2 h / 2 a second from a body that falls, and gives energy to one that turns
// about no principal axis: (w x I w)' I^-1 (w x I w) h / 2.

enum { ROUNDS = 4 }; // of Newton's method, which starts within h w of the solution: 1e-16 for a turn of a tenth

// A body in flight moves by the mean of its velocities before and after, where gravity is what changes them: then it
// keeps its energy, as an elastic bounce does.
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

/// Is the root all there is of its tree, and its origin the centre of mass? Others keep the term of the step.
static bool is_body(const ff_model *m, const ff_node *root)
{
    const int next = root->vadr + 6;
    const bool alone = next == m->nv || m->dof_parent[next] < 0;
    return root->type == FF_NODE_FREE && alone && ff_vec3_norm(root->inertia.h) == 0.0;
}

/// r = I (w - w0) - h tau + h m x I m for the mean m of w0 and w, and its slope on w.
static void turning(const double I[6], const double w0[3], const double w[3], const double impulse[3], double h,
                    double r[3], double slope[9])
{
    double mean[3], change[3], L[3];
    for (int i = 0; i < 3; i++) mean[i] = 0.5 * (w0[i] + w[i]), change[i] = w[i] - w0[i];
    ff_sym3_mulv(L, I, mean);
    ff_sym3_mulv(r, I, change);
    for (int k = 0; k < 3; k++) { // columns
        double unit[3] = {0}, column[3], turned[3];
        unit[k] = 1.0;
        ff_sym3_mulv(column, I, unit);
        ff_vec3_cross(turned, mean, column);
        ff_vec3_cross_add(turned, unit, L);
        for (int i = 0; i < 3; i++) slope[3 * i + k] = column[i] + 0.5 * h * turned[i];
    }
    double gyroscopic[3];
    ff_vec3_cross(gyroscopic, mean, L);
    for (int i = 0; i < 3; i++) r[i] += h * gyroscopic[i] - impulse[i];
}

// By the midpoint rule in the axes of the body, I (w1 - w0) + h m x I m = h tau, whose work is that of tau alone.
static void turn(const ff_world *w, const double *v0, double h, double *v)
{
    const ff_model *model = w->model;
    for (int k = 0; k < model->ntree; k++) {
        const ff_node *root = &model->nodes[model->tree_root[k]];
        if (!is_body(model, root)) continue;
        const double *I = root->inertia.I, *start = v0 + root->vadr + 3;
        double *end = v + root->vadr + 3, change[3], L[3], impulse[3];
        ff_vec3_sub(change, end, start);
        ff_sym3_mulv(impulse, I, change);
        ff_sym3_mulv(L, I, start);
        double gyroscopic[3];
        ff_vec3_cross(gyroscopic, start, L);
        if (ff_vec3_norm(gyroscopic) == 0.0) continue;
        ff_vec3_axpy(impulse, h, gyroscopic); // h tau
        for (int round = 0; round < ROUNDS; round++) {
            double r[3], slope[9];
            int pivot[3];
            turning(I, start, end, impulse, h, r, slope);
            if (!ff_lu_factor(slope, pivot, 3)) break; // never: an inertia and a small turn
            ff_lu_solve(slope, pivot, 3, r);
            ff_vec3_sub(end, end, r);
        }
    }
}

// ------------------------------------------------------------------------------------------ the step

/// Coulomb's coefficient (static of points that stuck as the step began, which begin to slide or not as the step finds
/// out), and what held in the step before; of points that are not taken nothing is kept.
static void recall(ff_world *w)
{
    ff_rigid *r = w->rigid;
    for (int i = 0; i < r->n; i++) {
        const ff_touch *t = ff_rigid_touch(w, i);
        r->rows[i].mu = ff_rigid_friction(t);
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
    for (int k = 0; k < r->nisland; k++) {
        int n;
        const int *order = ff_rigid_island(r, k, &n);
        if (!impact(w, order, n, h, d->v, end) || !lasting(w, order, n, h, end)) return false;
    }
    return true;
}

void ff_rigid_step(void *context, ff_sim *sim, double h, double *q, double *v)
{
    ff_world *w = context;
    ff_rigid *r = w->rigid;
    memset(r->force, 0, sizeof(double) * 6 * (size_t)w->most);
    memset(r->pushed, 0, sizeof(bool) * (size_t)r->nblock);
    turn(w, sim->data->v, h, v);
    if (!try_step(w, sim->data, h, v)) r->failed = 1;
    fly(w, h, q);
}
