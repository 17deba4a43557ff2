// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forward dynamics by the articulated-body method (R. Featherstone, 2008, chapter 7), in world axes about one point a
// tree, where inertias and wrenches add without transforms. Velocity-product accelerations are not carried through the
// articulated inertias, as in the textbook, but put into each node's own bias wrench beforehand:
//     p_i = I_i (drift_i - g) + V_i x* I_i V_i - external wrench
//     U = IA S,  D = S' U + armature,  u = tau - S' pA
//     IA_parent += IA - U U'/D,        pA_parent += pA + U u/D
//     qacc = (u - U' a_parent)/D,      a = a_parent + S qacc          (a counts beyond drift and gravity)
// A ball joint is eliminated one axis after the other, which is exact, since the pose does not change between them.
#include <footfall/dyn.h>

#include "base/pair.h"
#include "dyn/layout.h"
#include "dyn/two.h"

/// 6 x 6 matrix [I, h x; -h x, m 1] of the rigid inertia in one lane.
static inline void rigid_matrix(double *A, const ff_inertia_two *in, int lane)
{
    double m = in->mass[lane], x = in->h[0][lane], y = in->h[1][lane], z = in->h[2][lane];
    double xx = in->I[0][lane], yy = in->I[1][lane], zz = in->I[2][lane];
    double xy = in->I[3][lane], xz = in->I[4][lane], yz = in->I[5][lane];
    ff_pair *row = (ff_pair *)A;
    row[0] = (ff_pair){xx, xy}, row[1] = (ff_pair){xz, 0.0}, row[2] = (ff_pair){-z, y};
    row[3] = (ff_pair){xy, yy}, row[4] = (ff_pair){yz, z}, row[5] = (ff_pair){0.0, -x};
    row[6] = (ff_pair){xz, yz}, row[7] = (ff_pair){zz, -y}, row[8] = (ff_pair){x, 0.0};
    row[9] = (ff_pair){0.0, z}, row[10] = (ff_pair){-y, m}, row[11] = (ff_pair){0.0, 0.0};
    row[12] = (ff_pair){-z, 0.0}, row[13] = (ff_pair){x, 0.0}, row[14] = (ff_pair){m, 0.0};
    row[15] = (ff_pair){y, -x}, row[16] = (ff_pair){0.0, 0.0}, row[17] = (ff_pair){0.0, m};
}

/// Sets articulated inertias and biases to those of the lumps alone, before their children are added.
static void start_lumps(const ff_model *m, const ff_data *d, ff_articulated *lumps)
{
    for (int n = 0; n < m->nlump; n += 2) {
        int next = n + 1 < m->nlump ? n + 1 : n, i = m->lump_node[n], j = m->lump_node[next];
        ff_pair p[6];
        ff_inertia_two in = ff_inertia_place_two(m, d, n / 2, i, j);
        ff_bias_two(m, d, i, j, d->drift + 6 * i, d->drift + 6 * j, &in, p);
        rigid_matrix(lumps[n].I, &in, 0);
        rigid_matrix(lumps[next].I, &in, 1);
        for (int k = 0; k < 6; k++) ff_two_store(lumps[n].own, lumps[next].own, k, p[k]);
    }
}

/// Biases of the lumps with the external wrenches.
static void add_wrenches(const ff_model *m, const ff_data *d, ff_articulated *lumps)
{
    for (int n = 0; n < m->nlump; n++) {
        const double *wrench = d->wrench + 6 * m->lump_node[n];
        for (int k = 0; k < 6; k++) lumps[n].p[k] = lumps[n].own[k] - wrench[k];
    }
}

/// Eliminates one degree of freedom from the articulated body (A, p) and adds what is left to (A_out, p_out), or,
/// without these, leaves it in place. @return false when nothing moves
static inline bool eliminate(double *A, double *p, const double *S, double armature, double tau,
                             ff_articulated_dof *dof, double *A_out, double *p_out)
{
    ff_pair3 axis = ff_pair3_load(S), bias = ff_pair3_load(p);
    ff_pair3 U = {{0, 0}, {0, 0}, {0, 0}}, V = U;
    // two sums of three rows each: the chain of additions is half as long
    U = ff_pair3_axpy(U, ff_pair3_load(A), S[0]);
    V = ff_pair3_axpy(V, ff_pair3_load(A + 6), S[1]);
    U = ff_pair3_axpy(U, ff_pair3_load(A + 12), S[2]);
    V = ff_pair3_axpy(V, ff_pair3_load(A + 18), S[3]);
    U = ff_pair3_axpy(U, ff_pair3_load(A + 24), S[4]);
    V = ff_pair3_axpy(V, ff_pair3_load(A + 30), S[5]);
    U = ff_pair3_add(U, V);
    double D = ff_pair3_dot(axis, U) + armature, inverse = 1.0 / D, u = tau - ff_pair3_dot(axis, bias);
    ff_pair3_store(dof->U, U);
    dof->inverse_D = inverse;
    dof->u = u;
    bias = ff_pair3_axpy(bias, U, inverse * u);
    if (!p_out) {
        ff_pair3_store(p, bias);
        for (int r = 0; r < 6; r++)
            ff_pair3_store(A + 6 * r, ff_pair3_axpy(ff_pair3_load(A + 6 * r), U, -inverse * dof->U[r]));
        return D > 0;
    }
    ff_pair3_store(p_out, ff_pair3_add(ff_pair3_load(p_out), bias));
    for (int r = 0; r < 6; r++) {
        ff_pair3 left = ff_pair3_axpy(ff_pair3_load(A + 6 * r), U, -inverse * dof->U[r]);
        ff_pair3_store(A_out + 6 * r, ff_pair3_add(ff_pair3_load(A_out + 6 * r), left));
    }
    return D > 0;
}

/// The force part of `eliminate` alone, with the inertias that it has stored.
static inline void eliminate_force(double *p, const double *S, double tau, ff_articulated_dof *dof, double *p_out)
{
    ff_pair3 bias = ff_pair3_load(p);
    double u = tau - ff_pair3_dot(ff_pair3_load(S), bias);
    dof->u = u;
    bias = ff_pair3_axpy(bias, ff_pair3_load(dof->U), dof->inverse_D * u);
    ff_pair3_store(p_out ? p_out : p, p_out ? ff_pair3_add(ff_pair3_load(p_out), bias) : bias);
}

/// Acceleration of a free root: IA a = f - pA, with joint forces along world axes and body axes. IA is factored in
/// place, once.
static bool solve_free(const ff_model *m, ff_data *d, int i, ff_articulated *s, bool again)
{
    int vadr = m->nodes[i].vadr;
    const double *R = d->pose[i].R, *tau = d->tau + vadr;
    double *qacc = d->qacc + vadr, *a = s->a;
    bool positive = true;
    ff_mat3_mulv(a, R, tau + 3);
    ff_vec3_copy(a + 3, tau);
    for (int k = 0; k < 6; k++) a[k] -= s->p[k];
    for (int k = 0; k < 6 && !again; k++) s->I[7 * k] += m->dof_armature[vadr];
    if (!again) positive = ff_cholesky_factor(s->I, 6);
    ff_cholesky_solve(s->I, 6, a);
    ff_vec3_copy(qacc, a + 3);
    ff_mat3_tmulv(qacc + 3, R, a);
    return positive;
}

/// From the leaves to the roots. @param again  uses the inertias of the last call
static inline bool sweep_inwards(const ff_model *m, ff_data *d, ff_articulated *lumps, ff_articulated_dof *dofs,
                                 bool again)
{
    bool positive = true;
    for (int i = m->nnode - 1; i >= 0; i--) {
        const ff_node *node = &m->nodes[i];
        ff_articulated *s = &lumps[node->lump], *up = node->parent < 0 ? NULL : &lumps[m->nodes[node->parent].lump];
        if (node->type == FF_NODE_FREE) {
            positive = solve_free(m, d, i, s, again) && positive;
            continue;
        }
        if (m->lump_node[node->lump] != i) // massless: a force on it has not been counted yet
            for (int k = 0; k < 6; k++) s->p[k] -= d->wrench[6 * i + k];
        bool in_place = !up || up == s;
        int first = node->vadr, j = first + (node->type == FF_NODE_BALL ? 2 : 0);
        for (; j >= first; j--) {
            bool stays = in_place || j > first;
            if (again)
                eliminate_force(s->p, d->S + 6 * j, d->tau[j], &dofs[j], stays ? NULL : up->p);
            else
                positive = eliminate(s->I, s->p, d->S + 6 * j, m->dof_armature[j], d->tau[j], &dofs[j],
                                     stays ? NULL : up->I, stays ? NULL : up->p) &&
                           positive;
        }
    }
    return positive;
}

/// Accelerations from the roots to the leaves.
static void sweep_outwards(const ff_model *m, ff_data *d, ff_articulated *lumps, const ff_articulated_dof *dofs)
{
    static const ff_pair3 rest = {{0, 0}, {0, 0}, {0, 0}};
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        if (node->type == FF_NODE_FREE) continue;
        // a massless node leaves its acceleration in the lump for its only child
        ff_pair3 a = node->parent < 0 ? rest : ff_pair3_load(lumps[m->nodes[node->parent].lump].a);
        int last = node->vadr + (node->type == FF_NODE_BALL ? 2 : 0);
        for (int j = node->vadr; j <= last; j++) {
            double qacc = (dofs[j].u - ff_pair3_dot(ff_pair3_load(dofs[j].U), a)) * dofs[j].inverse_D;
            d->qacc[j] = qacc;
            a = ff_pair3_axpy(a, ff_pair3_load(d->S + 6 * j), qacc);
        }
        ff_pair3_store(lumps[node->lump].a, a);
    }
}

/// @param again  uses the inertias of the last call
static inline bool forward(const ff_model *m, ff_data *d, bool again)
{
    if (d->nrotor > 0) return ff_rotors_forward(m, d);
    ff_articulated *lumps = (ff_articulated *)d->articulated;
    ff_articulated_dof *dofs = (ff_articulated_dof *)(lumps + m->nlump);
    if (!again) start_lumps(m, d, lumps);
    add_wrenches(m, d, lumps);
    const bool positive = sweep_inwards(m, d, lumps, dofs, again);
    sweep_outwards(m, d, lumps, dofs);
    return positive;
}

bool ff_dyn_forward(const ff_model *m, ff_data *d)
{
    return forward(m, d, false);
}

bool ff_dyn_forward_again(const ff_model *m, ff_data *d)
{
    return forward(m, d, true);
}
