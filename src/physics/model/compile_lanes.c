// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The layouts of lanes.h, from a model whose nodes, masses and packed mass matrix are final.
#include "model/compile.h"
#include "model/lanes.h"

#include <string.h>

static bool is_child_hinge(const ff_node *node)
{
    return node->type == FF_NODE_HINGE && node->parent >= 0;
}

/// Two arrays of n numbers in alternate places.
static void interleave(double *two, const double *a, const double *b, int n)
{
    for (int k = 0; k < n; k++) {
        two[2 * k] = a[k];
        two[2 * k + 1] = b[k];
    }
}

/// Pairs neighbouring hinges that do not depend on each other.
static bool pair_nodes(ff_model *m, ff_lanes *lanes)
{
    lanes->with_next = FF_ARENA_NEW(&m->arena, bool, m->nnode + 1);
    lanes->rest = FF_ARENA_NEW(&m->arena, double, 24 * (size_t)m->nnode + 1);
    if (!lanes->with_next || !lanes->rest) return false;
    for (int i = 0; i + 1 < m->nnode; i++) {
        const ff_node *a = &m->nodes[i], *b = a + 1;
        lanes->with_next[i] = is_child_hinge(a) && is_child_hinge(b) && b->parent < i;
        if (!lanes->with_next[i]) continue;
        double *two = lanes->rest + 24 * i++;
        interleave(two, a->rest.R, b->rest.R, 9);
        interleave(two + 18, a->rest.p, b->rest.p, 3);
    }
    return true;
}

/// The rows of the mass matrix two by two, in the order of nodes, in which neighbours have similar chains.
static bool pair_rows(ff_model *m, ff_lanes *lanes)
{
    lanes->row = FF_ARENA_NEW(&m->arena, int, m->nv + 2);
    if (!lanes->row) return false;
    for (int n = 0; n < m->nnode; n++) {
        const ff_node *node = &m->nodes[n];
        if (node->type == FF_NODE_FREE) continue;
        for (int k = 0; k < ff_node_nv(node->type); k++) lanes->row[lanes->nrow++] = node->vadr + k;
    }
    if (lanes->nrow % 2) {
        lanes->row[lanes->nrow] = lanes->row[lanes->nrow - 1];
        lanes->nrow++;
    }
    return true;
}

static bool pair_inertias(ff_model *m, ff_lanes *lanes)
{
    _Static_assert(sizeof(ff_inertia) == 10 * sizeof(double), "an inertia is copied as ten numbers");
    lanes->inertia = FF_ARENA_NEW(&m->arena, double, 10 * ((size_t)m->nlump + 2));
    if (!lanes->inertia) return false;
    for (int k = 0; k < m->nlump + m->nlump % 2; k++) {
        double from[10];
        memcpy(from, &m->nodes[m->lump_node[k < m->nlump ? k : k - 1]].inertia, sizeof from);
        for (int n = 0; n < 10; n++) lanes->inertia[20 * (k / 2) + 2 * n + k % 2] = from[n];
    }
    return true;
}

static bool find_axes(ff_model *m, ff_lanes *lanes)
{
    lanes->axis = FF_ARENA_NEW(&m->arena, int, m->nM + 1);
    for (int i = 0; lanes->axis && i < m->nM; i++) lanes->axis[i] = 6 * m->M_col[i];
    return lanes->axis != NULL;
}

bool ff_compile_lanes(ff_compiler *c)
{
    ff_model *m = c->model;
    ff_lanes *lanes = FF_ARENA_NEW(&m->arena, ff_lanes, 1);
    m->lanes = lanes;
    return lanes && pair_nodes(m, lanes) && pair_rows(m, lanes) && pair_inertias(m, lanes) && find_axes(m, lanes);
}
