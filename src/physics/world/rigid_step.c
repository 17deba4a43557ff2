// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A step of contact without compliance at velocity level (D. E. Stewart, J. C. Trinkle, Int. J. Numerical Methods in
// Engineering 39, 1996): u = J (v + h qacc) must not lead into the ground within the step, at points that touch or
// could touch in it. Impacts come first, at the velocities at the start of the step, then lasting contact with the
// forces of the step: in the other order gravity would add energy to every bounce.
#include "world/rigid.h"

#include <footfall/linalg.h>
#include <math.h>
#include <string.h>

static const double OVERLAP_PART = 0.1; // part of an overlap that a step removes
enum { IMPACTS = 20 };                  // rounds of impacts of an island in a step; later ones have no restitution

/// @return speed below which no point bounces  [m/s]
static double floor_of(const ff_world *w, double h)
{
    return 2.0 * h * ff_vec3_norm(w->model->gravity);
}

/// Does a point of an island move faster than that speed?
static bool moves(const ff_world *w, const int *order, int n, double h)
{
    const double floor = floor_of(w, h);
    for (int k = 0; k < n; k++)
        if (ff_vec3_norm(w->rigid->points[order[k]].before) > floor) return true;
    return false;
}

/// @return rule of sweeps for lasting contact. High stacks need many, which small islands may have; a large pile that
/// moves has ten, and the next step removes the overlap that remains. With ten a wall of 48 bricks at rest, whose 330
/// points need 40, gained 0.24 J a second
static ff_sweep_rule lasting_rule(int points, bool moves)
{
    static const double SETTLING = 200.0;
    const double most = 1e5 / ((double)points * points);
    return (ff_sweep_rule){.tolerance = 1e-4, .most = (int)ff_max(moves ? 10.0 : SETTLING, most)};
}

/// Could point i meet within the step, at any direction of the speeds?
static bool is_within_reach(const ff_world *w, int i, double fall)
{
    const ff_touch *t = ff_rigid_touch(w, i);
    const double lookahead = w->items[t->shape1].lookahead + w->items[t->shape2].lookahead;
    return t->point.depth + lookahead + fall + FF_RIGID_REACH >= 0.0;
}

/// Does a point of the island meet within the step, at its velocity at the start or at the end?
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

/// Takes the points of all islands with a point that meets. @return false when out of memory
static bool take_near(ff_world *w, const ff_data *d, double h, const double *end)
{
    ff_rigid *r = w->rigid;
    r->n = 0;
    for (int i = 0; i < w->ntouch; i++) ff_rigid_take(w, i);
    for (int i = 0; i < r->n; i++) r->points[i].awake = is_within_reach(w, i, h * h * ff_vec3_norm(w->model->gravity));
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

/// Velocities of the points by v -> before, or u.
static void set_velocities(ff_rigid *r, const int *order, int n, const double *v, bool before)
{
    for (int k = 0; k < n; k++)
        ff_sweep_velocity(&r->rows[order[k]], v, before ? r->points[order[k]].before : r->points[order[k]].u);
}

/// Adds the forces of the step by slot; `lasts`: the next step starts from them.
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

/// Sets restitutions of the points that meet within the step and are fast enough to bounce, and of points in touch.
/// @return number of points that take part, listed in `hit`; 0: none bounces
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
        p->restitution = reaches ? ff_rigid_restitution(w, order[k], closing, floor) : 0.0;
        hits += p->restitution > 0.0;
    }
    for (int k = 0; k < n && hits > 0; k++) {
        ff_rigid_point *p = &r->points[order[k]];
        const bool touches = ff_rigid_touch(w, order[k])->point.depth >= -FF_RIGID_REACH;
        if (p->restitution == 0.0 && touches) p->restitution = ff_rigid_restitution(w, order[k], speed, floor);
        if (p->restitution > 0.0 || touches) r->hit[taking_part++] = order[k];
    }
    return taking_part;
}

/// Solves impacts at the velocities v until no point bounces within the step any more; `end` changes alike.
static bool impact(ff_world *w, const int *order, int n, double h, double *v, double *end)
{
    ff_rigid *r = w->rigid;
    const double floor = floor_of(w, h);
    for (int round = 0; round < IMPACTS; round++) {
        set_velocities(r, order, n, v, true);
        set_velocities(r, order, n, end, false);
        const int hits = prepare_impact(w, order, n, h, floor);
        if (hits == 0) return true;
        if (!ff_rigid_solve_impact(w, r->hit, hits, floor, v)) return false;
        for (int k = 0; k < hits; k++) ff_sweep_apply(&r->rows[r->hit[k]], r->rows[r->hit[k]].j, end);
        add_forces(w, r->hit, hits, h, false);
        set_velocities(r, r->hit, hits, v, false);
        ff_rigid_book(w, r->hit, hits);
        w->memory->counts.impacts++;
    }
    set_velocities(r, order, n, v, true);
    return true;
}

// ------------------------------------------------------------------------------------------ lasting contact

/// @return approaching speed at which a point reaches the surface at the end of the step; below zero for an overlap,
/// which is removed no faster than gravity returns the point, or it would hop  [m/s]
static double allowance(const ff_world *w, int i, double h)
{
    const double depth = ff_rigid_touch(w, i)->point.depth, fall = h * ff_vec3_norm(w->model->gravity);
    return depth < 0.0 ? -depth / h : -ff_min(OVERLAP_PART * depth / h, 0.5 * fall);
}

/// Starts from the lasting forces of the last step.
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
    set_velocities(r, order, n, end, false);
    ff_rigid_book(w, order, n);
    return true;
}

// ------------------------------------------------------------------------------------------ free bodies

// A semi-implicit step alone removes the power m g^2 h / 2 from a body that falls, and adds the power
// (w x I w)' I^-1 (w x I w) h / 2 to one that does not turn about a principal axis.

enum { ROUNDS = 4 }; // of Newton's method, which reaches 1e-16 for a turn of 0.1 rad in a step

/// Moves bodies in flight by the mean of their velocities before and after gravity, so that they keep their energy.
static void move_in_flight(const ff_world *w, double h, double *q)
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

/// Is the root a free body without joints, with its origin at its centre of mass?
static bool is_single_body(const ff_model *m, const ff_node *root)
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

/// Turns single bodies by the midpoint rule in their axes, I (w1 - w0) + h m x I m = h tau, where only tau does work.
static void turn(const ff_world *w, const double *v0, double h, double *v)
{
    const ff_model *model = w->model;
    for (int k = 0; k < model->ntree; k++) {
        const ff_node *root = &model->nodes[model->tree_root[k]];
        if (!is_single_body(model, root)) continue;
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
            if (!ff_lu_factor(slope, pivot, 3)) break; // does not happen for an inertia and a small turn
            ff_lu_solve(slope, pivot, 3, r);
            ff_vec3_sub(end, end, r);
        }
    }
}

// ------------------------------------------------------------------------------------------ the step

/// Sets Coulomb's coefficients (static for points that stuck at the start of the step) and the lasting forces of the
/// last step, which points that are not taken lose.
static void recall_points(ff_world *w)
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
    recall_points(w);
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
    move_in_flight(w, h, q);
}
