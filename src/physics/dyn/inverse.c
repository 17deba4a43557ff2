// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics by the recursive Newton-Euler method (J. Y. S. Luh, M. W. Walker, R. P. C. Paul, 1980), in node
// frames, where joint axes are z. The matrix W below serves a node's own force and the motion of all its
// children:
//     a_child = R' (a + W p)
// which saves about a third of the arithmetic of the textbook form with I alpha + w x I w. Where poses and velocities
// are known already, the same in world axes about one point a tree, as forward dynamics does it.
#include <footfall/dyn.h>

#include "base/pair.h"
#include "dyn/layout.h"
#include "dyn/two.h"

// Newton's and Euler's laws for one rigid body in the form that needs the least arithmetic. With W = alpha x + w x w x
// a point x of the body accelerates by a + W x, where a is the acceleration of the origin, so
//     f = int (a + W x) dm = m a + W h        n = int x x (a + W x) dm = h x a + vee(W E - E W')
// where h = int x dm and E = int x x' dm.

/// W = alpha x + w x w x.
static inline void acceleration_matrix(double W[9], const double w[3], const double alpha[3])
{
    double xx = w[0] * w[0], yy = w[1] * w[1], zz = w[2] * w[2];
    double xy = w[0] * w[1], xz = w[0] * w[2], yz = w[1] * w[2];
    W[0] = -yy - zz;
    W[1] = xy - alpha[2];
    W[2] = xz + alpha[1];
    W[3] = xy + alpha[2];
    W[4] = -xx - zz;
    W[5] = yz - alpha[0];
    W[6] = xz - alpha[1];
    W[7] = yz + alpha[0];
    W[8] = -xx - yy;
}

static inline void newton_force(double f[3], const double W[9], const double a[3], double mass, const double h[3])
{
    ff_mat3_mulv(f, W, h);
    ff_vec3_axpy(f, mass, a);
}

/// E as xx, yy, zz, xy, xz, yz.
static inline void newton_moment(double n[3], const double W[9], const double a[3], const double h[3],
                                 const double E[6])
{
    // n_x = (W E)_zy - (W E)_yz and so on
    n[0] = (W[6] * E[3] + W[7] * E[1] + W[8] * E[5]) - (W[3] * E[4] + W[4] * E[5] + W[5] * E[2]);
    n[1] = (W[0] * E[4] + W[1] * E[5] + W[2] * E[2]) - (W[6] * E[0] + W[7] * E[3] + W[8] * E[4]);
    n[2] = (W[3] * E[0] + W[4] * E[3] + W[5] * E[4]) - (W[0] * E[3] + W[1] * E[1] + W[2] * E[5]);
    ff_vec3_cross_add(n, h, a);
}

/// Motion of a free root: a is R' (vdot - g).
static void move_free(ff_newton_euler *s, const double *q, const double *v, const double *vdot, const double gravity[3])
{
    double linear[3];
    ff_quat_to_mat3(s->R, q + 3);
    ff_vec3_copy(s->w, v + 3);
    ff_vec3_copy(s->alpha, vdot + 3);
    ff_vec3_sub(linear, vdot, gravity);
    ff_mat3_tmulv(s->a, s->R, linear);
}

/// Motion of a frame fixed to the parent at s->R, s->p.
static inline void carry(ff_newton_euler *s, const ff_newton_euler *up)
{
    double point[3];
    ff_mat3_tmulv(s->w, s->R, up->w);
    ff_mat3_tmulv(s->alpha, s->R, up->alpha);
    ff_mat3_mulv(point, up->W, s->p);
    ff_vec3_add(point, point, up->a);
    ff_mat3_tmulv(s->a, s->R, point);
}

static inline void move_hinge(ff_newton_euler *s, const ff_newton_euler *up, const ff_node *node, double sine,
                              double cosine, double v, double vdot)
{
    ff_turn_z(s->R, node->rest.R, sine, cosine);
    ff_vec3_copy(s->p, node->rest.p);
    carry(s, up);
    s->alpha[0] += s->w[1] * v; // w x z v
    s->alpha[1] -= s->w[0] * v;
    s->alpha[2] += vdot;
    s->w[2] += v;
}

static inline void move_slide(ff_newton_euler *s, const ff_newton_euler *up, const ff_node *node, double q, double v,
                              double vdot)
{
    double shift = q - node->ref;
    memcpy(s->R, node->rest.R, sizeof s->R);
    for (int k = 0; k < 3; k++) s->p[k] = node->rest.p[k] + shift * s->R[3 * k + 2];
    carry(s, up);
    s->a[0] += 2.0 * s->w[1] * v; // Coriolis 2 w x z v
    s->a[1] -= 2.0 * s->w[0] * v;
    s->a[2] += vdot;
}

static void move_ball(ff_newton_euler *s, const ff_newton_euler *up, const ff_node *node, const double *q,
                      const double *v, const double *vdot)
{
    double turn[9];
    ff_quat_to_mat3(turn, q);
    ff_mat3_mul(s->R, node->rest.R, turn);
    ff_vec3_copy(s->p, node->rest.p);
    carry(s, up);
    ff_vec3_cross_add(s->alpha, s->w, v);
    ff_vec3_add(s->alpha, s->alpha, vdot);
    ff_vec3_add(s->w, s->w, v);
}

/// Joint forces of one node from the wrench through it.
static inline void joint_force(const ff_newton_euler *s, ff_node_type type, double *tau)
{
    switch (type) {
    case FF_NODE_HINGE:
        tau[0] = s->n[2];
        break;
    case FF_NODE_SLIDE:
        tau[0] = s->f[2];
        break;
    case FF_NODE_BALL:
        ff_vec3_copy(tau, s->n);
        break;
    case FF_NODE_FREE:
        ff_mat3_mulv(tau, s->R, s->f);
        ff_vec3_copy(tau + 3, s->n);
        break;
    }
}

/// Adds the wrench through a node to that of its parent.
static inline void add_to_parent(ff_newton_euler *up, const ff_newton_euler *s)
{
    double f[3], n[3];
    ff_mat3_mulv(f, s->R, s->f);
    ff_mat3_mulv(n, s->R, s->n);
    ff_vec3_cross_add(n, s->p, f);
    ff_vec3_add(up->f, up->f, f);
    ff_vec3_add(up->n, up->n, n);
}

/// Motion of the ground of a root: gravity as an acceleration upwards, in the axes of the mocap body that carries it.
static ff_newton_euler ground_of(const ff_model *m, const ff_data *d, const ff_node *node)
{
    const double up[3] = {-m->gravity[0], -m->gravity[1], -m->gravity[2]};
    ff_newton_euler ground = {.a = {up[0], up[1], up[2]}};
    if (node->mocap >= 0) ff_mat3_tmulv(ground.a, d->mocap[node->mocap].R, up);
    return ground;
}

void ff_dyn_inverse(const ff_model *m, ff_data *d, const double *q, const double *v, const double *a, double *tau)
{
    static const double zero[6] = {0};
    const double *sine, *cosine;
    ff_newton_euler *nodes = ff_scratch_body(m, d);
    ff_newton_euler ground;
    ff_hinge_sincos(m, d, q, m->nnode, &sine, &cosine);
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        if (node->parent < 0) ground = ground_of(m, d, node);
        const ff_newton_euler *up = node->parent < 0 ? &ground : &nodes[node->parent];
        const double *qi = q + node->qadr, *vi = v + node->vadr, *ai = a ? a + node->vadr : zero;
        ff_newton_euler *s = &nodes[i];
        switch (node->type) {
        case FF_NODE_HINGE:
            move_hinge(s, up, node, sine[i], cosine[i], vi[0], ai[0]);
            break;
        case FF_NODE_SLIDE:
            move_slide(s, up, node, qi[0], vi[0], ai[0]);
            break;
        case FF_NODE_BALL:
            move_ball(s, up, node, qi, vi, ai);
            break;
        case FF_NODE_FREE:
            move_free(s, qi, vi, ai, m->gravity);
            break;
        }
        acceleration_matrix(s->W, s->w, s->alpha);
        if (m->lump_node[node->lump] == i) {
            newton_force(s->f, s->W, s->a, node->inertia.mass, node->inertia.h);
            newton_moment(s->n, s->W, s->a, node->inertia.h, node->second);
        } else {
            ff_vec3_set(s->f, 0, 0, 0);
            ff_vec3_set(s->n, 0, 0, 0);
        }
    }
    for (int i = m->nnode - 1; i >= 0; i--) {
        const ff_node *node = &m->nodes[i];
        joint_force(&nodes[i], node->type, tau + node->vadr);
        if (node->parent >= 0) add_to_parent(&nodes[node->parent], &nodes[i]);
    }
    for (int i = 0; a && i < m->nv; i++) tau[i] += m->dof_armature[i] * a[i];
    if (d->nrotor > 0) ff_rotors_add_torque(d, a, tau);
}

// ------------------------------------------------------------------------------------------ at the state in d

/// Accelerations of all nodes by the joint accelerations a -> `added`; with the drifts, without gravity ->
/// `acceleration`.
static void accelerate(const ff_model *m, const ff_data *d, const double *a, double *added, double *acceleration)
{
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        ff_pair3 A = {{0, 0}, {0, 0}, {0, 0}};
        if (node->parent >= 0) A = ff_pair3_load(added + 6 * node->parent);
        for (int j = node->vadr; j <= node->vlast; j++) A = ff_pair3_axpy(A, ff_pair3_load(d->S + 6 * j), a[j]);
        ff_pair3_store(added + 6 * i, A);
        ff_pair3_store(acceleration + 6 * i, ff_pair3_add(A, ff_pair3_load(d->drift + 6 * i)));
    }
}

void ff_dyn_inverse_here(const ff_model *m, ff_data *d, const double *a, double *tau)
{
    const size_t n6 = 6 * (size_t)m->nnode;
    double *added = ff_scratch_body(m, d), *acceleration = added + n6, *wrench = acceleration + n6;
    accelerate(m, d, a, added, acceleration);
    memset(wrench, 0, n6 * sizeof *wrench);
    for (int n = 0; n < m->nlump; n += 2) {
        int next = n + 1 < m->nlump ? n + 1 : n, i = m->lump_node[n], j = m->lump_node[next];
        ff_pair p[6];
        ff_inertia_two in = ff_inertia_place_two(m, d, n / 2, i, j);
        ff_bias_two(m, d, i, j, acceleration + 6 * i, acceleration + 6 * j, &in, p);
        for (int k = 0; k < 6; k++) ff_two_store(wrench + 6 * i, wrench + 6 * j, k, p[k]);
    }
    for (int i = m->nnode - 1; i >= 0; i--) {
        const ff_node *node = &m->nodes[i];
        const ff_pair3 through = ff_pair3_axpy(ff_pair3_load(wrench + 6 * i), ff_pair3_load(d->wrench + 6 * i), -1.0);
        for (int j = node->vadr; j <= node->vlast; j++)
            tau[j] = ff_pair3_dot(ff_pair3_load(d->S + 6 * j), through) + m->dof_armature[j] * a[j];
        if (node->parent < 0) continue;
        double *up = wrench + 6 * node->parent;
        ff_pair3_store(up, ff_pair3_add(ff_pair3_load(up), through));
    }
    if (d->nrotor > 0) ff_rotors_add_torque(d, a, tau);
}
