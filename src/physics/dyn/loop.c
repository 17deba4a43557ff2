// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of loops of a model, and its memory. A loop between two bodies is moved by the degrees of freedom
// from both up to the node that carries both, but not by those beyond: forces in a loop are inner forces.
#include <footfall/loop.h>

#include <stdlib.h>

#include "base/missing.h"
#include "dyn/layout.h"
#include "dyn/loop_response.h"

static const double RATE = 10.0; // slower than any mechanism, faster than the drift of rounding errors  [1/s]

static int row_count(ff_equality_type type, const double *data)
{
    if (type == FF_EQUALITY_WELD) return data[10] != 0.0 ? 6 : 3;
    return type == FF_EQUALITY_CONNECT ? 3 : 1;
}

int ff_loops_count(const ff_model *m)
{
    int count = 0;
    for (int i = 0; i < m->nequality; i++) count += m->equalities[i].active;
    for (int i = 0; i < m->njoint; i++) count += m->joints[i].mimic >= 0;
    return count;
}

// ------------------------------------------------------------------------------------------ what moves a loop

/// Last node that carries both; -1 when there is none.
static int common_node(const ff_model *m, int a, int b)
{
    while (a >= 0 && b >= 0 && a != b) { // parents come before children
        if (a > b)
            a = m->nodes[a].parent;
        else
            b = m->nodes[b].parent;
    }
    return a == b ? a : -1;
}

/// Degrees of freedom from a node up to `end`, which is left out -> `out`, which may be NULL. @return how many
static int dofs_up(const ff_model *m, int node, int end, int *out)
{
    int count = 0;
    if (node < 0 || node == end) return 0;
    for (int i = m->nodes[node].vlast; i >= 0 && m->dof_node[i] != end; i = m->dof_parent[i]) {
        if (out) out[count] = i;
        count++;
    }
    return count;
}

static bool place_bodies(ff_arena *arena, const ff_model *m, ff_loop *loop)
{
    const int a = ff_node_of(m, loop->object1), b = ff_node_of(m, loop->object2);
    loop->common = common_node(m, a, b);
    loop->ndof1 = dofs_up(m, a, loop->common, NULL);
    loop->ndof = loop->ndof1 + dofs_up(m, b, loop->common, NULL);
    int *dofs = FF_ARENA_NEW(arena, int, loop->ndof + 1);
    if (!dofs) return false;
    dofs_up(m, a, loop->common, dofs);
    dofs_up(m, b, loop->common, dofs + loop->ndof1);
    loop->dofs = dofs;
    return true;
}

static bool place_joints(ff_arena *arena, const ff_model *m, ff_loop *loop)
{
    int *dofs = FF_ARENA_NEW(arena, int, 2);
    if (!dofs) return false;
    dofs[0] = m->joints[loop->object1].vadr;
    if (loop->object2 >= 0) dofs[1] = m->joints[loop->object2].vadr;
    loop->common = -1;
    loop->ndof1 = 1;
    loop->ndof = loop->object2 >= 0 ? 2 : 1;
    loop->dofs = dofs;
    return true;
}

// ------------------------------------------------------------------------------------------ making

static ff_loop from_equality(const ff_equality *e)
{
    const double *data = e->data;
    ff_loop loop = {.type = e->type, .name = e->name, .place = e->place, .object1 = e->object1, .object2 = e->object2};
    loop.nrow = row_count(e->type, data);
    switch (e->type) {
    case FF_EQUALITY_ROD:
    case FF_EQUALITY_CONNECT:
        if (e->type == FF_EQUALITY_ROD) loop.length = data[6];
        ff_vec3_copy(loop.point1, data);
        ff_vec3_copy(loop.point2, data + 3);
        break;
    case FF_EQUALITY_WELD:
        ff_quat_to_mat3(loop.turn, data + 3);
        ff_vec3_copy(loop.point2, data + 7);
        ff_mat3_mulv(loop.point1, loop.turn, loop.point2);
        ff_vec3_add(loop.point1, loop.point1, data);
        if (loop.nrow == 3) loop.type = FF_EQUALITY_CONNECT;
        break;
    case FF_EQUALITY_JOINT:
        memcpy(loop.polynomial, data, sizeof loop.polynomial);
        loop.zero1 = data[5];
        loop.zero2 = data[6];
        break;
    }
    return loop;
}

static ff_loop from_mimic(const ff_model *m, int joint)
{
    const ff_joint *j = &m->joints[joint];
    return (ff_loop){.type = FF_EQUALITY_JOINT,
                     .name = j->name,
                     .place = j->place,
                     .object1 = joint,
                     .object2 = j->mimic,
                     .polynomial = {j->mimic_offset, j->mimic_gain},
                     .nrow = 1};
}

static bool add_loop(ff_loops *l, const ff_model *m, ff_loop loop)
{
    loop.row = l->nrow;
    const bool placed =
        loop.type == FF_EQUALITY_JOINT ? place_joints(&l->arena, m, &loop) : place_bodies(&l->arena, m, &loop);
    loop.jacobian = FF_ARENA_NEW(&l->arena, double, loop.nrow *loop.ndof + 1);
    l->nrow += loop.nrow;
    l->loops[l->nloop++] = loop;
    return placed && loop.jacobian;
}

static bool allocate(ff_loops *l, const ff_model *m)
{
    const size_t n = (size_t)l->nrow, nv = (size_t)m->nv;
    double **const rows[] = {&l->phi, &l->speed, &l->drift, &l->lambda, &l->scale};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = FF_ARENA_NEW(&l->arena, double, n + 1);
    l->response = FF_ARENA_NEW(&l->arena, double, n *nv + 1);
    l->delassus = FF_ARENA_NEW(&l->arena, double, n *n + 1);
    l->order = FF_ARENA_NEW(&l->arena, int, n + 1);
    l->work = FF_ARENA_NEW(&l->arena, double, 5 * n + n * n + nv + 1);
    return !l->arena.failed;
}

ff_loops *ff_loops_create(const ff_model *m, ff_error *err)
{
    if (!m) return ff_error_missing(err, __func__, "model"), NULL;
    ff_loops *l = calloc(1, sizeof *l);
    if (l) l->rate = RATE;
    bool ok = l && (l->loops = FF_ARENA_NEW(&l->arena, ff_loop, ff_loops_count(m) + 1));
    for (int i = 0; ok && i < m->nequality; i++)
        if (m->equalities[i].active) ok = add_loop(l, m, from_equality(&m->equalities[i]));
    for (int i = 0; ok && i < m->njoint; i++)
        if (m->joints[i].mimic >= 0) ok = add_loop(l, m, from_mimic(m, i));
    if (ok && allocate(l, m)) return l;
    ff_error_set(err, FF_NO_MEMORY, "no memory for the %d loops of the model", ff_loops_count(m));
    ff_loops_destroy(l);
    return NULL;
}

void ff_loops_destroy(ff_loops *l)
{
    if (!l) return;
    ff_arena_clear(&l->arena);
    free(l);
}

// ------------------------------------------------------------------------------------------ reading

/// How far a row is open. That of a rod is (d.d - l^2) / (2 l), which is far more than |d| - l where d is far from l.
static double gap_of(const ff_loops *l, const ff_loop *loop, int row)
{
    const double phi = l->phi[loop->row + row], length = loop->length;
    if (loop->type != FF_EQUALITY_ROD) return fabs(phi);
    return fabs(2.0 * phi / (sqrt(ff_max(1.0 + 2.0 * phi / length, 0.0)) + 1.0));
}

static bool is_on_mocap(const ff_model *m, int body)
{
    return body >= 0 && m->bodies[body].mocap >= 0;
}

/// Does the loop hold a body that callers move?
static bool holds_mocap(const ff_model *m, const ff_loop *loop)
{
    return loop->type != FF_EQUALITY_JOINT && (is_on_mocap(m, loop->object1) || is_on_mocap(m, loop->object2));
}

/// @param m  NULL: all loops; otherwise those that hold mocap bodies are left out
static int widest_of(const ff_model *m, const ff_loops *l, double *open)
{
    int widest = 0;
    *open = 0.0;
    for (int i = 0; i < l->nloop; i++)
        for (int k = 0; k < l->loops[i].nrow && !(m && holds_mocap(m, &l->loops[i])); k++) {
            const double gap = gap_of(l, &l->loops[i], k);
            if (gap <= *open || isnan(*open)) continue; // NaN counts as the widest
            *open = gap;
            widest = i;
        }
    return widest;
}

int ff_loops_widest(const ff_loops *l, double *open)
{
    return widest_of(NULL, l, open);
}

int ff_loops_widest_own(const ff_model *m, const ff_loops *l, double *open)
{
    return widest_of(m, l, open);
}

const char *ff_loops_unit(const ff_model *m, const ff_loop *loop, int row)
{
    if (loop->type == FF_EQUALITY_JOINT) return m->joints[loop->object1].type == FF_JOINT_SLIDE ? "m" : "rad";
    return row < 3 ? "m" : "rad";
}
