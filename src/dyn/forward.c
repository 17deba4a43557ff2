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
// A ball joint is eliminated one axis after the other, which is exact: no geometry happens between them.
#include <footfall/dyn.h>

#include "dyn/layout.h"

/// Wrench that the node's own mass asks for at qacc = 0, less the external one.
static inline void own_bias(const ff_model *m, const ff_data *d, int i, const ff_inertia *in, double p[6])
{
    const double *V = d->velocity + 6 * i, *drift = d->drift + 6 * i, *external = d->wrench + 6 * i;
    double a[6] = {
        drift[0], drift[1], drift[2], drift[3] - m->gravity[0], drift[4] - m->gravity[1], drift[5] - m->gravity[2]};
    double momentum[6], rate[6];
    ff_inertia_mul(p, in, a);
    ff_inertia_mul(momentum, in, V);
    ff_wrench_cross(rate, V, momentum);
    for (int k = 0; k < 6; k++) p[k] += rate[k] - external[k];
}

/// 6 x 6 matrix of a rigid inertia: [I, h x; -h x, m 1].
static inline void rigid_matrix(double A[36], const ff_inertia *in)
{
    const double *I = in->I, *h = in->h, m = in->mass;
    const double full[36] = {I[0],  I[3], I[4], 0.0,   -h[2], h[1], I[3], I[1],  I[5],  h[2], 0.0, -h[0],
                             I[4],  I[5], I[2], -h[1], h[0],  0.0,  0.0,  h[2],  -h[1], m,    0.0, 0.0,
                             -h[2], 0.0,  h[0], 0.0,   m,     0.0,  h[1], -h[0], 0.0,   0.0,  0.0, m};
    memcpy(A, full, sizeof full);
}

static inline void add36(double *restrict out, const double *restrict a)
{
    for (int k = 0; k < 36; k++) out[k] += a[k];
}

/// Eliminates one degree of freedom from (A, p): U, D, u as above; false when nothing moves.
static inline bool eliminate(double A[restrict 36], double p[restrict 6], const double S[restrict 6], double armature,
                             double tau, ff_articulated_dof *restrict dof)
{
    double U[6] = {0}, scaled[6];
    for (int r = 0; r < 6; r++)
        for (int k = 0; k < 6; k++) U[k] += A[6 * r + k] * S[r];
    double D = ff_dot6(S, U) + armature, inverse = 1.0 / D, u = tau - ff_dot6(S, p);
    for (int k = 0; k < 6; k++) scaled[k] = U[k] * inverse;
    for (int r = 0; r < 6; r++)
        for (int k = 0; k < 6; k++) A[6 * r + k] -= scaled[r] * U[k];
    for (int k = 0; k < 6; k++) {
        p[k] += scaled[k] * u;
        dof->U[k] = U[k];
    }
    dof->inverse_D = inverse;
    dof->u = u;
    return D > 0;
}

/// Acceleration of a free root: IA a = f - pA, with joint forces along world axes and body axes.
static bool solve_free(const ff_model *m, ff_data *d, int i, ff_articulated *s)
{
    int vadr = m->nodes[i].vadr;
    const double *R = d->pose[i].R, *tau = d->tau + vadr;
    double *qacc = d->qacc + vadr, *a = s->a;
    ff_mat3_mulv(a, R, tau + 3);
    ff_vec3_copy(a + 3, tau);
    for (int k = 0; k < 6; k++) {
        a[k] -= s->p[k];
        s->I[7 * k] += m->dof_armature[vadr];
    }
    bool positive = ff_cholesky_factor(s->I, 6);
    ff_cholesky_solve(s->I, 6, a);
    ff_vec3_copy(qacc, a + 3);
    ff_mat3_tmulv(qacc + 3, R, a);
    return positive;
}

static bool sweep_inwards(const ff_model *m, ff_data *d, ff_articulated *nodes, ff_articulated_dof *dofs)
{
    bool positive = true;
    for (int i = m->nnode - 1; i >= 0; i--) {
        const ff_node *node = &m->nodes[i];
        ff_articulated *s = &nodes[i];
        ff_inertia own;
        double A[36], p[6];
        ff_inertia_place(&own, &node->inertia, d->pose[i].R, d->offset + 3 * i);
        rigid_matrix(A, &own);
        own_bias(m, d, i, &own, p);
        if (!node->leaf) {
            add36(A, s->I);
            for (int k = 0; k < 6; k++) p[k] += s->p[k];
        }
        if (node->type == FF_NODE_FREE) {
            memcpy(s->I, A, sizeof A);
            memcpy(s->p, p, sizeof p);
            positive = solve_free(m, d, i, s) && positive;
            continue;
        }
        int first = node->vadr, last = first + (node->type == FF_NODE_BALL ? 2 : 0);
        for (int j = last; j >= first; j--)
            positive = eliminate(A, p, d->S + 6 * j, m->dof_armature[j], d->tau[j], &dofs[j]) && positive;
        if (node->parent < 0) continue;
        ff_articulated *up = &nodes[node->parent];
        if (node->last_child) { // the first to arrive here: nothing to add to yet
            memcpy(up->I, A, sizeof A);
            memcpy(up->p, p, sizeof p);
        } else {
            add36(up->I, A);
            for (int k = 0; k < 6; k++) up->p[k] += p[k];
        }
    }
    return positive;
}

static void sweep_outwards(const ff_model *m, ff_data *d, ff_articulated *nodes, const ff_articulated_dof *dofs)
{
    static const double rest[6] = {0};
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        if (node->type == FF_NODE_FREE) continue;
        const double *from = node->parent < 0 ? rest : nodes[node->parent].a;
        double *a = nodes[i].a;
        memcpy(a, from, 6 * sizeof *a);
        int first = node->vadr, last = first + (node->type == FF_NODE_BALL ? 2 : 0);
        for (int j = first; j <= last; j++) {
            double qacc = (dofs[j].u - ff_dot6(dofs[j].U, a)) * dofs[j].inverse_D;
            d->qacc[j] = qacc;
            for (int k = 0; k < 6; k++) a[k] += d->S[6 * j + k] * qacc;
        }
    }
}

bool ff_dyn_forward(const ff_model *m, ff_data *d)
{
    ff_articulated *nodes = ff_scratch_body(m, d);
    ff_articulated_dof *dofs = (ff_articulated_dof *)(nodes + m->nnode);
    bool positive = sweep_inwards(m, d, nodes, dofs);
    sweep_outwards(m, d, nodes, dofs);
    return positive;
}
