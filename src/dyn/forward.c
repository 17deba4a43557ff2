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
#include "dyn/newton.h"
#include "dyn/pair.h"

/// 6 x 6 matrix of a rigid inertia: [I, h x; -h x, m 1].
static inline void rigid_matrix(double *A, const ff_inertia *in)
{
    const double *I = in->I, *h = in->h, m = in->mass;
    ff_pair *row = (ff_pair *)A;
    row[0] = (ff_pair){I[0], I[3]}, row[1] = (ff_pair){I[4], 0.0}, row[2] = (ff_pair){-h[2], h[1]};
    row[3] = (ff_pair){I[3], I[1]}, row[4] = (ff_pair){I[5], h[2]}, row[5] = (ff_pair){0.0, -h[0]};
    row[6] = (ff_pair){I[4], I[5]}, row[7] = (ff_pair){I[2], -h[1]}, row[8] = (ff_pair){h[0], 0.0};
    row[9] = (ff_pair){0.0, h[2]}, row[10] = (ff_pair){-h[1], m}, row[11] = (ff_pair){0.0, 0.0};
    row[12] = (ff_pair){-h[2], 0.0}, row[13] = (ff_pair){h[0], 0.0}, row[14] = (ff_pair){m, 0.0};
    row[15] = (ff_pair){h[1], -h[0]}, row[16] = (ff_pair){0.0, 0.0}, row[17] = (ff_pair){0.0, m};
}

/// Wrench that the node's own mass asks for at qacc = 0, about the tree's origin, less the external one.
static inline void own_bias(const ff_model *m, const ff_data *d, int i, const ff_inertia *in, double p[6])
{
    const double *w = d->velocity + 6 * i, *alpha = d->drift + 6 * i, *external = d->wrench + 6 * i;
    double W[9], E[6], a[3], half_trace = 0.5 * (in->I[0] + in->I[1] + in->I[2]);
    ff_vec3_sub(a, alpha + 3, m->gravity);
    ff_vec3_cross_add(a, w, w + 3); // of the body's point at the origin, as an observer at rest sees it
    for (int k = 0; k < 6; k++) E[k] = (k < 3 ? half_trace : 0.0) - in->I[k];
    ff_acceleration_matrix(W, w, alpha);
    ff_newton_force(p + 3, W, a, in->mass, in->h);
    ff_newton_moment(p, W, a, in->h, E);
    for (int k = 0; k < 6; k++) p[k] -= external[k];
}

/// Articulated inertias and biases of the bare nodes.
static void start(const ff_model *m, const ff_data *d, ff_articulated *nodes)
{
    for (int i = 0; i < m->nnode; i++) {
        ff_articulated *s = &nodes[i];
        if (m->nodes[i].inertia.mass == 0) { // between two joints of one body
            memset(s->I, 0, sizeof s->I);
            for (int k = 0; k < 6; k++) s->p[k] = -d->wrench[6 * i + k];
            continue;
        }
        ff_inertia own;
        ff_inertia_place(&own, &m->nodes[i].inertia, d->pose[i].R, d->offset + 3 * i);
        rigid_matrix(s->I, &own);
        own_bias(m, d, i, &own, s->p);
    }
}

/// Eliminates one degree of freedom from the articulated body (A, p) and adds what is left to (A_out, p_out), or, without these,
/// leaves it in place. @return false when nothing moves
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
        ff_articulated *s = &nodes[i], *up = node->parent < 0 ? NULL : &nodes[node->parent];
        if (node->type == FF_NODE_FREE) {
            positive = solve_free(m, d, i, s) && positive;
            continue;
        }
        int first = node->vadr;
        if (node->type == FF_NODE_BALL)
            for (int j = first + 2; j > first; j--)
                positive = eliminate(s->I, s->p, d->S + 6 * j, m->dof_armature[j], d->tau[j], &dofs[j], NULL, NULL) &&
                           positive;
        positive = eliminate(s->I, s->p, d->S + 6 * first, m->dof_armature[first], d->tau[first], &dofs[first],
                             up ? up->I : NULL, up ? up->p : NULL) &&
                   positive;
    }
    return positive;
}

static void sweep_outwards(const ff_model *m, ff_data *d, ff_articulated *nodes, const ff_articulated_dof *dofs)
{
    static const ff_pair3 rest = {{0, 0}, {0, 0}, {0, 0}};
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        if (node->type == FF_NODE_FREE) continue;
        ff_pair3 a = node->parent < 0 ? rest : ff_pair3_load(nodes[node->parent].a);
        int last = node->vadr + (node->type == FF_NODE_BALL ? 2 : 0);
        for (int j = node->vadr; j <= last; j++) {
            double qacc = (dofs[j].u - ff_pair3_dot(ff_pair3_load(dofs[j].U), a)) * dofs[j].inverse_D;
            d->qacc[j] = qacc;
            a = ff_pair3_axpy(a, ff_pair3_load(d->S + 6 * j), qacc);
        }
        ff_pair3_store(nodes[i].a, a);
    }
}

bool ff_dyn_forward(const ff_model *m, ff_data *d)
{
    ff_articulated *nodes = ff_scratch_body(m, d);
    ff_articulated_dof *dofs = (ff_articulated_dof *)(nodes + m->nnode);
    start(m, d, nodes);
    bool positive = sweep_inwards(m, d, nodes, dofs);
    sweep_outwards(m, d, nodes, dofs);
    return positive;
}
