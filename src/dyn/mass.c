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
#include "dyn/two.h"

void ff_composite_inertias(const ff_model *m, const ff_data *d, ff_inertia *composite)
{
    _Static_assert(sizeof(ff_inertia) == 10 * sizeof(double), "inertias are copied and added as ten numbers");
    _Static_assert(sizeof(ff_inertia_two) == 10 * sizeof(ff_pair), "and so are two of them");
    for (int i = 0; i < m->nnode; i += 2) {
        int j = i + 1 < m->nnode ? i + 1 : i;
        ff_inertia_two in = ff_inertia_place_two(m, d, i, j);
        const ff_pair *from = &in.mass;
        ff_pair *a = (ff_pair *)&composite[i], *b = (ff_pair *)&composite[j];
        for (int k = 0; k < 5;
             k++) { // turn lanes into neighbours: single numbers read back as pairs would wait for memory
            a[k] = (ff_pair){from[2 * k][0], from[2 * k + 1][0]};
            b[k] = (ff_pair){from[2 * k][1], from[2 * k + 1][1]};
        }
    }
    for (int i = m->nnode - 1; i >= 0; i--) {
        int parent = m->nodes[i].parent;
        if (parent < 0) continue;
        const ff_pair *from = (const ff_pair *)&composite[i];
        ff_pair *to = (ff_pair *)&composite[parent];
        for (int k = 0; k < 5; k++) to[k] += from[k];
    }
}

/// Block of a free root, whose origin is the tree's: rows of translations m 1, rows of rotations (R_k x h, R' I R).
static void free_root_block(const ff_model *m, ff_data *d, int node, const ff_inertia *in)
{
    const double *R = d->pose[node].R, *S = d->S + 6 * (m->nodes[node].vadr + 3);
    int i = m->nodes[node].vadr;
    double *M = d->M, armature = m->dof_armature[i];
    for (int k = 0; k < 3; k++) {
        double *row = M + m->M_row[i + k], *turn = M + m->M_row[i + 3 + k], moment[3], entries[3];
        for (int c = 0; c < k; c++) row[c] = 0.0;
        row[k] = in->mass + armature;
        ff_vec3_cross(turn, S + 6 * k, in->h);
        ff_sym3_mulv(moment, in->I, S + 6 * k);
        ff_mat3_tmulv(entries, R, moment);
        for (int c = 0; c <= k; c++) turn[3 + c] = entries[c];
        turn[3 + k] += armature;
    }
}

/// Row of one degree of freedom: the wrench f = Ic S that moves it, felt along the axes of its ancestors. The first six of these may
/// be a free root with attitude `R`, which moves along the world's axes and turns about its own.
static inline void mass_row(const ff_model *m, ff_data *d, int i, const ff_inertia *composite, const double *R)
{
    const int *col = m->M_col + m->M_row[i];
    double *row = d->M + m->M_row[i], f[6];
    int last = m->dof_depth[i], k = 0;
    ff_inertia_mul(f, composite, d->S + 6 * i);
    if (R) {
        ff_vec3_copy(row, f + 3);
        ff_mat3_tmulv(row + 3, R, f);
        k = 6;
    }
    // from registers: pairs read where single numbers were just written would wait for memory
    ff_pair3 wrench = {{f[0], f[1]}, {f[2], f[3]}, {f[4], f[5]}};
    for (; k <= last; k++) row[k] = ff_pair3_dot(ff_pair3_load(d->S + 6 * col[k]), wrench);
    row[last] += m->dof_armature[i];
}

void ff_dyn_mass(const ff_model *m, ff_data *d)
{
    ff_inertia *composite = ff_scratch_body(m, d);
    ff_composite_inertias(m, d, composite);
    for (int n = 0; n < m->nnode; n++) {
        const ff_node *node = &m->nodes[n];
        if (node->type == FF_NODE_FREE) {
            free_root_block(m, d, n, &composite[n]);
            continue;
        }
        int root = m->tree_root[node->tree], last = node->vadr + (node->type == FF_NODE_BALL ? 2 : 0);
        const double *R = m->nodes[root].type == FF_NODE_FREE ? d->pose[root].R : NULL;
        for (int i = node->vadr; i <= last; i++) mass_row(m, d, i, &composite[n], R);
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
