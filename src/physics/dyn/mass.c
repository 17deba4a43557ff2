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
#include "dyn/packed.h"
#include "dyn/two.h"

void ff_composite_inertias(const ff_model *m, const ff_data *d, ff_inertia *composite)
{
    _Static_assert(sizeof(ff_inertia) == 10 * sizeof(double), "inertias are copied and added as ten numbers");
    _Static_assert(sizeof(ff_inertia_two) == 10 * sizeof(ff_pair), "and so are two of them");
    for (int k = 0; k < m->nlump; k += 2) {
        int next = k + 1 < m->nlump ? k + 1 : k;
        ff_inertia_two in = ff_inertia_place_two(m, d, k / 2, m->lump_node[k], m->lump_node[next]);
        const ff_pair *from = (const ff_pair *)&in;
        ff_pair *a = (ff_pair *)&composite[k], *b = (ff_pair *)&composite[next];
        // lanes become neighbours; storing single numbers and loading them as pairs would stall
        for (int c = 0; c < 5; c++) {
            a[c] = (ff_pair){from[2 * c][0], from[2 * c + 1][0]};
            b[c] = (ff_pair){from[2 * c][1], from[2 * c + 1][1]};
        }
    }
    for (int k = m->nlump - 1; k >= 0; k--) {
        int carrier = m->lump_carrier[k];
        if (carrier < 0) continue;
        const ff_pair *from = (const ff_pair *)&composite[k];
        ff_pair *to = (ff_pair *)&composite[carrier];
        for (int c = 0; c < 5; c++) to[c] += from[c];
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

/// Wrenches f = Ic S that accelerate two degrees of freedom with all they carry, one in each lane.
static inline void moving_wrenches(const ff_inertia *a, const ff_inertia *b, const double *Sa, const double *Sb,
                                   ff_pair f[6])
{
    ff_pair w[3], v[3], h[3], I[6], mass = {a->mass, b->mass};
    for (int k = 0; k < 3; k++) {
        w[k] = ff_two(Sa, Sb, k);
        v[k] = ff_two(Sa, Sb, k + 3);
        h[k] = ff_two(a->h, b->h, k);
    }
    for (int k = 0; k < 6; k++) I[k] = ff_two(a->I, b->I, k);
    f[0] = I[0] * w[0] + I[3] * w[1] + I[4] * w[2] + (h[1] * v[2] - h[2] * v[1]);
    f[1] = I[3] * w[0] + I[1] * w[1] + I[5] * w[2] + (h[2] * v[0] - h[0] * v[2]);
    f[2] = I[4] * w[0] + I[5] * w[1] + I[2] * w[2] + (h[0] * v[1] - h[1] * v[0]);
    f[3] = mass * v[0] + (w[1] * h[2] - w[2] * h[1]);
    f[4] = mass * v[1] + (w[2] * h[0] - w[0] * h[2]);
    f[5] = mass * v[2] + (w[0] * h[1] - w[1] * h[0]);
}

/// Entries `k` and on of row i: the wrench along the axes of the ancestors.
static inline void rest_of_row(const ff_model *m, ff_data *d, int i, int k, ff_pair3 wrench)
{
    const int *axis = m->lanes->axis + m->M_row[i];
    const double *S = d->S;
    double *row = d->M + m->M_row[i];
    int last = m->dof_depth[i];
    for (; k < last; k += 2) {
        ff_pair both = ff_pair3_two_dots(ff_pair3_load(S + axis[k]), ff_pair3_load(S + axis[k + 1]), wrench);
        memcpy(row + k, &both, sizeof both);
    }
    if (k == last) row[k] = ff_pair3_dot(ff_pair3_load(S + axis[k]), wrench);
    row[last] += m->dof_armature[i];
}

/// Attitudes of two roots, one in each lane; kept while the rows belong to the same trees.
typedef struct two_roots {
    int a, b; // nodes
    bool free;
    ff_pair R[9];
} two_roots;

static inline void find_roots(const ff_model *m, const ff_data *d, int a, int b, two_roots *roots)
{
    int root_a = m->tree_root[m->nodes[a].tree], root_b = m->tree_root[m->nodes[b].tree];
    if (roots->a == root_a && roots->b == root_b) return;
    roots->a = root_a;
    roots->b = root_b;
    roots->free = m->nodes[root_a].type == FF_NODE_FREE && m->nodes[root_b].type == FF_NODE_FREE;
    for (int k = 0; k < 9; k++) roots->R[k] = ff_two(d->pose[root_a].R, d->pose[root_b].R, k);
}

/// Rows of two degrees of freedom. The first six entries of each are those of its tree's root when this is free, which
/// moves along the world's axes and turns about its own.
static inline void two_rows(const ff_model *m, ff_data *d, int i, int j, const ff_inertia *composite, two_roots *roots)
{
    int a = m->dof_node[i], b = m->dof_node[j], done = 0;
    const ff_pair *R = roots->R;
    ff_pair f[6];
    find_roots(m, d, a, b, roots);
    moving_wrenches(&composite[m->nodes[a].lump], &composite[m->nodes[b].lump], d->S + 6 * i, d->S + 6 * j, f);
    if (roots->free) {
        double *row_i = d->M + m->M_row[i], *row_j = d->M + m->M_row[j];
        for (int k = 0; k < 3; k++) {
            ff_two_store(row_i, row_j, k, f[k + 3]);
            ff_two_store(row_i, row_j, k + 3, R[k] * f[0] + R[k + 3] * f[1] + R[k + 6] * f[2]);
        }
        done = 6;
    }
    rest_of_row(m, d, i, done, (ff_pair3){{f[0][0], f[1][0]}, {f[2][0], f[3][0]}, {f[4][0], f[5][0]}});
    if (j != i) rest_of_row(m, d, j, done, (ff_pair3){{f[0][1], f[1][1]}, {f[2][1], f[3][1]}, {f[4][1], f[5][1]}});
}

void ff_dyn_mass(const ff_model *m, ff_data *d)
{
    ff_inertia *composite = ff_scratch_body(m, d);
    two_roots roots = {.a = -1};
    ff_composite_inertias(m, d, composite);
    for (int t = 0; t < m->ntree; t++) {
        const ff_node *root = &m->nodes[m->tree_root[t]];
        if (root->type == FF_NODE_FREE) free_root_block(m, d, m->tree_root[t], &composite[root->lump]);
    }
    const int *row = m->lanes->row;
    for (int k = 0; k < m->lanes->nrow; k += 2) two_rows(m, d, row[k], row[k + 1], composite, &roots);
    if (d->nrotor > 0) ff_rotors_add_mass(m, d);
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
    return ff_dyn_factor_packed(m, d->M, d->LD);
}

bool ff_dyn_factor_packed(const ff_model *m, const double *A, double *L)
{
    bool positive = true;
    memcpy(L, A, (size_t)m->nM * sizeof *L);
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
    ff_dyn_solve_packed(m, d->LD, x);
}

/// The first six columns of a row lie side by side where the root of its tree is free: most rows of robots that walk.
static inline bool begins_with_six(const int *col, int last)
{
    return last >= 6 && col[5] == col[0] + 5;
}

/// to -= row * factor, six numbers.
static inline void subtract_six(double *to, const double *row, double factor)
{
    for (int k = 0; k < 6; k += 2) {
        ff_pair a, b;
        memcpy(&a, to + k, sizeof a);
        memcpy(&b, row + k, sizeof b);
        a -= b * ff_pair_both(factor);
        memcpy(to + k, &a, sizeof a);
    }
}

/// Is a row the last of six that follow each other from their root on, as those of a free root do? They are a triangle
/// then, whose size is known to the compiler.
static inline bool ends_six(const int *col, int i, int last)
{
    return last == 5 && col[0] == i - 5;
}

/// Back substitution: subtracts the rows of such a triangle from x, from the last row to the first.
static inline void subtract_triangle(double *restrict x, const double *restrict rows)
{
    for (int i = 5; i > 0; i--) {
        const double *row = rows + i * (i + 1) / 2, xi = x[i];
        if (xi == 0.0) continue;
        for (int k = 0; k < i; k++) x[k] -= row[k] * xi;
    }
}

/// Forward substitution: solves for x with the rows of such a triangle, from the first row to the last.
static inline void solve_triangle(double *restrict x, const double *restrict rows)
{
    for (int i = 0; i < 6; i++) {
        const double *row = rows + i * (i + 1) / 2;
        double sum = x[i] * row[i];
        for (int k = 0; k < i; k++) sum -= row[k] * x[k];
        x[i] = sum;
    }
}

/// Solves for the degrees of freedom from `first` on, with which x begins. Inlined, since `first` is mostly 0.
static inline __attribute__((always_inline)) void solve(const ff_model *m, const double *L, int first, int count,
                                                        double *x)
{
    const int *rows = m->M_row, *cols = m->M_col, *depth = m->dof_depth;
    for (int i = first + count - 1; i >= first; i--) {
        const int *col = cols + rows[i];
        const double *row = L + rows[i];
        const double xi = x[i - first];
        int k = 0, last = depth[i];
        if (ends_six(col, i, last)) {
            i -= 5;
            subtract_triangle(x + (i - first), L + rows[i]);
            continue;
        }
        if (xi == 0.0) continue; // rows of loops and contacts have few joints
        if (begins_with_six(col, last)) {
            subtract_six(x + (col[0] - first), row, xi);
            k = 6;
        }
        for (; k < last; k++) x[col[k] - first] -= row[k] * xi;
    }
    for (int i = first; i < first + count; i++) {
        const int *col = cols + rows[i];
        const double *row = L + rows[i];
        int k = 0, last = depth[i];
        if (last == 0 && i + 5 < first + count && ends_six(cols + rows[i + 5], i + 5, depth[i + 5])) {
            solve_triangle(x + (i - first), row);
            i += 5;
            continue;
        }
        double sum = x[i - first] * row[last];
        if (begins_with_six(col, last)) {
            const double *from = x + (col[0] - first); // in the order of the columns, so that no bit depends on it
            sum = sum - row[0] * from[0] - row[1] * from[1] - row[2] * from[2] - row[3] * from[3] - row[4] * from[4] -
                  row[5] * from[5];
            k = 6;
        }
        for (; k < last; k++) sum -= row[k] * x[col[k] - first];
        x[i - first] = sum;
    }
}

void ff_dyn_solve_packed(const ff_model *m, const double *L, double *x)
{
    solve(m, L, 0, m->nv, x);
}

void ff_dyn_solve_stretch(const ff_model *m, const double *L, int first, int count, double *x)
{
    solve(m, L, first, count, x);
}

/// y = A x of six that follow each other from their root on.
static inline void multiply_triangle(const double *restrict rows, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < 6; i++) {
        const double *row = rows + i * (i + 1) / 2;
        double sum = row[i] * x[i];
        for (int k = 0; k < i; k++) {
            sum += row[k] * x[k];
            y[k] += row[k] * x[i];
        }
        y[i] = sum;
    }
}

void ff_dyn_multiply_packed(const ff_model *m, const double *A, const double *x, double *y)
{
    const int nv = m->nv, *rows = m->M_row, *cols = m->M_col, *depth = m->dof_depth;
    for (int i = 0; i < nv; i++) {
        const double *row = A + rows[i];
        const int *col = cols + rows[i], last = depth[i];
        if (last == 0 && i + 5 < nv && ends_six(cols + rows[i + 5], i + 5, depth[i + 5])) {
            multiply_triangle(row, x + i, y + i);
            i += 5;
            continue;
        }
        const double xi = x[i];
        double sum = row[last] * xi;
        int k = 0;
        if (begins_with_six(col, last)) {
            const double *from = x + col[0];
            sum = sum + row[0] * from[0] + row[1] * from[1] + row[2] * from[2] + row[3] * from[3] + row[4] * from[4] +
                  row[5] * from[5];
            subtract_six(y + col[0], row, -xi);
            k = 6;
        }
        for (; k < last; k++) {
            sum += row[k] * x[col[k]];
            y[col[k]] += row[k] * xi;
        }
        y[i] = sum;
    }
}

void ff_dyn_mass_mul(const ff_model *m, const ff_data *d, const double *x, double *y)
{
    ff_dyn_multiply_packed(m, d->M, x, y);
}
