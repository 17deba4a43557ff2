// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Joint-space inertia matrix by the composite-rigid-body method, and its factorisation along the branches:
//     M[i][j] = S_j' Ic(i) S_i      for j an ancestor of i;  zero across branches
//     M = L' D L, L[i][j] nonzero only for ancestors j of i: no fill-in
// R. Featherstone, Rigid Body Dynamics Algorithms (2008), sections 6.2 and 8.5. Row i is stored root first: the row of
// an ancestor covers the same columns as the start of row i, so every inner loop runs over contiguous numbers.
#include <footfall/dyn.h>

#include "dyn/layout.h"

void ff_composite_inertias(const ff_model *m, const ff_data *d, ff_inertia *composite)
{
    for (int i = 0; i < m->nnode; i++) {
        if (m->nodes[i].inertia.mass == 0) // between two joints of one body
            composite[i] = (ff_inertia){0};
        else
            ff_inertia_place(&composite[i], &m->nodes[i].inertia, d->pose[i].R, d->offset + 3 * i);
    }
    for (int i = m->nnode - 1; i >= 0; i--) {
        int parent = m->nodes[i].parent;
        if (parent < 0) continue;
        const double *from = &composite[i].mass;
        double *to = &composite[parent].mass;
        for (int k = 0; k < 10; k++) to[k] += from[k];
    }
}

/// First entries of a row: the six degrees of freedom of a free root, which move along the world's axes and turn about body axes.
static inline void free_root_entries(double *row, const double R[9], const double f[6])
{
    ff_vec3_copy(row, f + 3);
    ff_mat3_tmulv(row + 3, R, f);
}

/// Block of a free root itself; its origin is the tree's: M = [m 1, -h x R; ., R' I R].
static void free_root_block(const ff_model *m, ff_data *d, int i, const ff_inertia *in)
{
    const double *R = d->pose[m->dof_node[i]].R;
    for (int k = 0; k < 6; k++) {
        double f[6], row[6];
        ff_inertia_mul(f, in, d->S + 6 * (i + k));
        free_root_entries(row, R, f);
        row[k] += m->dof_armature[i];
        memcpy(d->M + m->M_row[i + k], row, (size_t)(k + 1) * sizeof *row);
    }
}

void ff_dyn_mass(const ff_model *m, ff_data *d)
{
    _Static_assert(sizeof(ff_inertia) == 10 * sizeof(double), "composite inertias are added as ten numbers");
    ff_inertia *composite = ff_scratch_body(m, d);
    ff_composite_inertias(m, d, composite);
    const double *R = NULL; // attitude of the free root of the current tree
    for (int i = 0; i < m->nv; i++) {
        const ff_node *node = &m->nodes[m->dof_node[i]];
        const int *col = m->M_col + m->M_row[i];
        double *row = d->M + m->M_row[i], f[6];
        int last = m->dof_depth[i], k = 0;
        if (node->type == FF_NODE_FREE) {
            R = d->pose[m->dof_node[i]].R;
            free_root_block(m, d, i, &composite[m->dof_node[i]]);
            i += 5;
            continue;
        }
        if (last == 0) R = NULL;
        ff_inertia_mul(f, &composite[m->dof_node[i]], d->S + 6 * i);
        if (R) {
            free_root_entries(row, R, f);
            k = 6;
        }
        for (; k <= last; k++) row[k] = ff_dot6(d->S + 6 * col[k], f);
        row[last] += m->dof_armature[i];
    }
}

void ff_dyn_mass_expand(const ff_model *m, const ff_data *d, double *full)
{
    size_t n = (size_t)m->nv;
    memset(full, 0, n * n * sizeof *full);
    for (int i = 0; i < m->nv; i++)
        for (int k = m->M_row[i]; k < m->M_row[i + 1]; k++) {
            size_t j = (size_t)m->M_col[k];
            full[(size_t)i * n + j] = full[j * n + (size_t)i] = d->M[k];
        }
}

bool ff_dyn_factor(const ff_model *m, ff_data *d)
{
    double *L = d->LD;
    bool positive = true;
    memcpy(L, d->M, (size_t)m->nM * sizeof *L);
    for (int i = m->nv - 1; i >= 0; i--) {
        double *row = L + m->M_row[i];
        const int *col = m->M_col + m->M_row[i];
        int last = m->dof_depth[i];
        positive = positive && row[last] > 0;
        double inverse = 1.0 / row[last];
        for (int k = last - 1; k >= 0; k--) {
            double *above = L + m->M_row[col[k]], factor = row[k] * inverse;
            for (int c = 0; c <= k; c++) above[c] -= factor * row[c];
        }
        for (int k = 0; k < last; k++) row[k] *= inverse;
        row[last] = inverse;
    }
    return positive;
}

void ff_dyn_solve(const ff_model *m, const ff_data *d, double *x)
{
    const double *L = d->LD;
    for (int i = m->nv - 1; i >= 0; i--) {
        const int *col = m->M_col + m->M_row[i];
        for (int k = 0; k < m->dof_depth[i]; k++) x[col[k]] -= L[m->M_row[i] + k] * x[i];
    }
    for (int i = 0; i < m->nv; i++) {
        const int *col = m->M_col + m->M_row[i];
        const double *row = L + m->M_row[i];
        int last = m->dof_depth[i];
        double sum = x[i] * row[last];
        for (int k = 0; k < last; k++) sum -= row[k] * x[col[k]];
        x[i] = sum;
    }
}

void ff_dyn_mass_mul(const ff_model *m, const ff_data *d, const double *x, double *y)
{
    for (int i = 0; i < m->nv; i++) {
        const int *col = m->M_col + m->M_row[i];
        const double *row = d->M + m->M_row[i];
        int last = m->dof_depth[i];
        double sum = row[last] * x[i];
        for (int k = 0; k < last; k++) {
            sum += row[k] * x[col[k]];
            y[col[k]] += row[k] * x[i];
        }
        y[i] = sum;
    }
}
