// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The points of contact without compliance as a system. A point acts on two blocks of degrees of freedom at most, with
// six numbers for a free body, so that rows J and X = M^-1 J' have only these, and costs are proportional to the number
// of points. Points that share no block, directly or by other points, belong to different islands.
#include "world/rigid.h"

#include "contact/advance.h"
#include "dyn/packed.h"

#include <footfall/response.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_LOCATED = 128, EXACT_STEP = 8 }; // largest islands that are solved by matrices
enum { POOL_START = 1 << 22 };                // numbers that are reserved at most before the first step

// ------------------------------------------------------------------------------------------ blocks

/// Joins all blocks from that of `low` to that of `high`, two degrees of freedom, into one.
static void join(ff_rigid *r, int low, int high)
{
    const int a = r->block_of[low], b = r->block_of[high];
    ff_rigid_block *to = &r->blocks[a];
    for (int k = a + 1; k <= b; k++) {
        to->count += r->blocks[k].count;
        to->looped = to->looped || r->blocks[k].looped;
    }
    memmove(to + 1, r->blocks + b + 1, sizeof *to * (size_t)(r->nblock - b - 1));
    r->nblock -= b - a;
    for (int k = a; k < r->nblock; k++)
        for (int i = 0; i < r->blocks[k].count; i++) r->block_of[r->blocks[k].first + i] = k;
}

/// Lists the blocks: trees, whose degrees of freedom have consecutive numbers, joined where loops connect them.
static void list_blocks(ff_rigid *r, const ff_model *m, const ff_loops *loops)
{
    for (int i = 0; i < m->nv; i++) {
        if (m->dof_parent[i] < 0) r->blocks[r->nblock++] = (ff_rigid_block){.first = i};
        r->blocks[r->nblock - 1].count++;
        r->block_of[i] = r->nblock - 1;
    }
    for (int k = 0; loops && k < loops->nloop; k++) {
        const ff_loop *loop = &loops->loops[k];
        int low = m->nv, high = -1;
        for (int i = 0; i < loop->ndof; i++) {
            low = loop->dofs[i] < low ? loop->dofs[i] : low;
            high = loop->dofs[i] > high ? loop->dofs[i] : high;
        }
        if (high < 0) continue;
        join(r, low, high);
        r->blocks[r->block_of[low]].looped = true;
    }
}

// ------------------------------------------------------------------------------------------ memory

/// Reserves memory for rows of `size` numbers in all. @return false, with `solve_error`, when out of memory
static bool reserve(ff_rigid *r, size_t size)
{
    r->pool_used = 0;
    if (size <= r->pool_size) return true;
    const size_t bigger = size + size / 2;
    double *pool = realloc(r->pool, bigger * sizeof *pool);
    if (!pool) {
        snprintf(r->solve_error, sizeof r->solve_error, "no memory for %d contact points", r->n);
        return false;
    }
    r->pool = pool;
    r->pool_size = bigger;
    return true;
}

/// Reserves memory for all points of robots and small piles, so that their steps never allocate.
static bool reserve_first(ff_rigid *r)
{
    size_t largest = 0;
    for (int k = 0; k < r->nblock; k++)
        if ((size_t)r->blocks[k].count > largest) largest = (size_t)r->blocks[k].count;
    const size_t all = (size_t)r->most * (r->turns ? 6 : 3) * 4 * largest;
    return reserve(r, all < POOL_START ? all : POOL_START);
}

ff_status ff_rigid_create(ff_world *w, ff_sim *sim, ff_error *err)
{
    ff_arena *arena = &w->arena;
    ff_rigid *r = w->rigid = FF_ARENA_NEW(arena, ff_rigid, 1);
    if (!r) return ff_error_set(err, FF_NO_MEMORY, "no memory for impulses");
    const int nv = w->model->nv, most = w->touch_capacity;
    const int exact = ff_sim_locates_events(sim) ? EXACT_LOCATED : EXACT_STEP, n = exact < most ? exact : most;
    r->simultaneous = w->response == FF_RESPONSE_SIMULTANEOUS;
    for (int i = 0; i < w->nlaw; i++) r->turns = r->turns || (w->law_valid[i] && ff_contact_turns(&w->laws[i]));
    r->exact = n;
    w->lookahead_time = ff_sim_locates_events(sim) ? 0.0 : sim->options.step;
    r->most = most;
    r->blocks = FF_ARENA_NEW(arena, ff_rigid_block, nv + 1);
    r->points = FF_ARENA_NEW(arena, ff_rigid_point, most);
    r->rows = FF_ARENA_NEW(arena, ff_sweep_point, most);
    int **const of_points[] = {&r->order, &r->hit, &r->first}, **const of_nv[] = {&r->block_of, &r->root, &r->island};
    for (int k = 0; k < 3; k++) *of_points[k] = FF_ARENA_NEW(arena, int, most + 1);
    for (int k = 0; k < 3; k++) *of_nv[k] = FF_ARENA_NEW(arena, int, nv + 1);
    r->pushed = FF_ARENA_NEW(arena, bool, nv + 1);
    r->A = FF_ARENA_NEW(arena, double, 9 * n * n);
    double **const of_island[] = {&r->b, &r->slide, &r->f, &r->mu, &r->e};
    for (int k = 0; k < 5; k++) *of_island[k] = FF_ARENA_NEW(arena, double, 3 * n);
    r->work = ff_arena_alloc(arena, ff_impulse_friction_work(n), sizeof(double));
    r->row = FF_ARENA_NEW(arena, double, nv + 1);
    r->q = FF_ARENA_NEW(arena, double, w->model->nq + 1);
    r->by_slot = FF_ARENA_NEW(arena, int, w->most);
    r->force = FF_ARENA_NEW(arena, double, 6 * w->most);
    r->held = FF_ARENA_NEW(arena, double, 6 * w->most);
    if (arena->failed) return ff_error_set(err, FF_NO_MEMORY, "no memory for impulses of %d contacts", most);
    list_blocks(r, w->model, sim->loops);
    return reserve_first(r) ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "no memory for impulses of %d contacts", most);
}

void ff_rigid_destroy(ff_world *w)
{
    if (w->rigid) free(w->rigid->pool);
}

// ------------------------------------------------------------------------------------------ rows

bool ff_rigid_take(ff_world *w, int touch)
{
    ff_rigid *r = w->rigid;
    if (r->n == r->most) return false;
    r->points[r->n++].touch = touch;
    return true;
}

/// axes = the normal and two tangents.
static void axes_of(const double normal[3], double axes[9])
{
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(normal[i]) < fabs(normal[least])) least = i;
    double along[3] = {least == 0, least == 1, least == 2};
    ff_vec3_copy(axes, normal);
    ff_vec3_cross(axes + 3, normal, along);
    ff_vec3_normalise(axes + 3);
    ff_vec3_cross(axes + 6, normal, axes + 3);
}

/// @return block of a node, -1: fixed to the world
static int block_of(const ff_world *w, int node)
{
    return node < 0 ? -1 : w->rigid->block_of[w->model->nodes[node].vadr];
}

/// Adds velocity and spin of the point along the axes, by each generalised velocity, times the sign, to rows of a side.
static void add_rows(const ff_world *w, const ff_data *d, int node, const double place[3], const double axes[9],
                     double sign, int rows, ff_sweep_side *side)
{
    if (node < 0) return;
    const ff_model *m = w->model;
    const ff_node *n = &m->nodes[node];
    double arm[3];
    ff_vec3_sub(arm, place, d->tree_origin + 3 * n->tree);
    for (int i = n->vlast; i >= 0; i = m->dof_parent[i]) {
        const double *S = d->S + 6 * i;
        double v[3], *to = side->J + (i - side->first);
        ff_vec3_cross(v, S, arm);
        ff_vec3_add(v, v, S + 3);
        for (int k = 0; k < 3; k++) to[k * side->count] += sign * ff_vec3_dot(v, axes + 3 * k);
        for (int k = 3; k < rows; k++) to[k * side->count] += sign * ff_vec3_dot(S, axes + 3 * (k - 3));
    }
}

/// @return `count` zeros from the pool
static double *take_zeros(ff_rigid *r, int count)
{
    double *at = r->pool + r->pool_used;
    r->pool_used += (size_t)count;
    memset(at, 0, sizeof *at * (size_t)count);
    return at;
}

static void fill_point(ff_world *w, const ff_data *d, int i)
{
    ff_rigid *r = w->rigid;
    const ff_touch *t = ff_rigid_touch(w, i);
    ff_sweep_point *p = &r->rows[i];
    double *axes = r->points[i].axes;
    const int nodes[2] = {t->node2, t->node1};
    const ff_friction *f = &t->law->friction;
    axes_of(t->point.normal, axes);
    *p = (ff_sweep_point){.rows = f->torsion > 0.0 || f->rolling > 0.0 ? 6 : 3};
    p->torsion = f->torsion;
    p->rolling = f->rolling;
    for (int s = 0; s < 2; s++) {
        const int block = block_of(w, nodes[s]);
        if (block < 0) continue;
        const bool shared = p->nside == 1 && p->side[0].first == r->blocks[block].first;
        ff_sweep_side *side = &p->side[shared ? 0 : p->nside++];
        if (!shared) {
            side->first = r->blocks[block].first;
            side->count = r->blocks[block].count;
            side->J = take_zeros(r, 2 * p->rows * side->count);
            side->X = side->J + p->rows * side->count;
        }
        add_rows(w, d, nodes[s], t->place, axes, s == 0 ? 1.0 : -1.0, p->rows, side);
    }
}

bool ff_rigid_fill_rows(ff_world *w, const ff_data *d)
{
    ff_rigid *r = w->rigid;
    size_t size = 0;
    for (int i = 0; i < r->n; i++) {
        const ff_touch *t = ff_rigid_touch(w, i);
        const int nodes[2] = {t->node1, t->node2}, rows = r->turns ? 6 : 3;
        for (int s = 0; s < 2; s++)
            if (nodes[s] >= 0) size += 2 * (size_t)rows * (size_t)r->blocks[block_of(w, nodes[s])].count;
    }
    if (!reserve(r, size)) return false;
    for (int i = 0; i < r->n; i++) fill_point(w, d, i);
    return true;
}

void ff_rigid_keep_awake(ff_world *w)
{
    ff_rigid *r = w->rigid;
    int kept = 0;
    for (int i = 0; i < r->n; i++) {
        if (!r->points[i].awake) continue;
        if (kept < i) {
            r->points[kept] = r->points[i];
            r->rows[kept] = r->rows[i];
        }
        kept++;
    }
    r->n = kept;
}

/// x = M^-1 x for a block, under its loops.
static void respond(ff_world *w, const ff_data *d, const ff_rigid_block *block, double *x)
{
    ff_rigid *r = w->rigid;
    if (!block->looped) {
        ff_dyn_solve_stretch(w->model, d->LD, block->first, block->count, x);
        return;
    }
    memset(r->row, 0, sizeof(double) * (size_t)w->model->nv);
    memcpy(r->row + block->first, x, sizeof(double) * (size_t)block->count);
    ff_sim_response(w->sim, r->row);
    memcpy(x, r->row + block->first, sizeof(double) * (size_t)block->count);
}

bool ff_rigid_fill_response(ff_world *w, ff_data *d)
{
    ff_rigid *r = w->rigid;
    ff_dyn_mass(w->model, d);
    if (!ff_dyn_factor(w->model, d)) {
        snprintf(r->solve_error, sizeof r->solve_error,
                 "the mass matrix is singular, so that impulses have no measure");
        return false;
    }
    ff_sim_prepare_response(w->sim);
    for (int i = 0; i < r->n; i++) {
        ff_sweep_point *p = &r->rows[i];
        for (int s = 0; s < p->nside; s++) {
            const ff_sweep_side *side = &p->side[s];
            const ff_rigid_block *block = &r->blocks[r->block_of[side->first]];
            memcpy(side->X, side->J, sizeof(double) * (size_t)(p->rows * side->count));
            for (int k = 0; k < p->rows; k++) respond(w, d, block, side->X + k * side->count);
        }
        ff_sweep_prepare(p);
    }
    return true;
}

// ------------------------------------------------------------------------------------------ islands

/// @return root of the tree of a block (union-find)
static int root_of(ff_rigid *r, int block)
{
    while (r->root[block] != block) block = r->root[block] = r->root[r->root[block]];
    return block;
}

void ff_rigid_find_islands(ff_world *w)
{
    ff_rigid *r = w->rigid;
    for (int k = 0; k < r->nblock; k++) r->root[k] = k, r->island[k] = -1;
    for (int i = 0; i < r->n; i++) { // the lower number is the root, so that the order of the points does not matter
        const ff_sweep_point *p = &r->rows[i];
        if (p->nside < 2) continue;
        const int a = root_of(r, r->block_of[p->side[0].first]), b = root_of(r, r->block_of[p->side[1].first]);
        r->root[a < b ? b : a] = a < b ? a : b;
    }
    r->nisland = 0;
    memset(r->first, 0, sizeof(int) * (size_t)(r->n + 1));
    for (int i = 0; i < r->n; i++) { // islands are numbered in order of their points, and their sizes counted
        const int root = root_of(r, r->block_of[r->rows[i].side[0].first]);
        if (r->island[root] < 0) r->island[root] = r->nisland++;
        r->first[r->island[root] + 1]++;
    }
    for (int k = 0; k < r->nisland; k++) r->first[k + 1] += r->first[k];
    for (int i = r->n - 1; i >= 0; i--) { // in reverse, so that the ends of the islands become their starts
        const int island = r->island[root_of(r, r->block_of[r->rows[i].side[0].first])];
        r->order[--r->first[island + 1]] = i;
    }
    for (int k = 0; k < r->nisland; k++) r->first[k] = r->first[k + 1];
    r->first[r->nisland] = r->n;
}

// ------------------------------------------------------------------------------------------ reading

void ff_rigid_to_world(const ff_world *w, int i, const double j[6], double scale, double out[6])
{
    const double *axes = w->rigid->points[i].axes;
    memset(out, 0, 6 * sizeof *out);
    for (int k = 0; k < 3; k++) ff_vec3_axpy(out, scale * j[k], axes + 3 * k);
    for (int k = 3; k < w->rigid->rows[i].rows; k++) ff_vec3_axpy(out + 3, scale * j[k], axes + 3 * (k - 3));
}
