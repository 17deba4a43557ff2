// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The equations of loops: the opening phi, its rate G v (`speed`), and dG/dt v (`drift`), the acceleration of the
// opening when all accelerations of joints are 0. With points p1, p2, their velocities v1, v2 and accelerations a1, a2,
// angular velocities w1, w2 of the bodies and w of the node that carries both:
//     connect   phi = p2 - p1              G v = v2 - v1 - w x phi         dG/dt v = a2 - a1 - w' x phi - w x (v2 - v1)
//     weld      the same, then 2 sin(angle/2) axis;   w2 - w1;   w2' - w1'
//     rod       phi = (d.d - L^2)/(2 L)    G v = d.(v2 - v1)/L             dG/dt v = (d.(a2 - a1) + |v2 - v1|^2)/L
//               with d = p2 - p1 and the length L
//     joint     phi = q1 - f(q2)           G v = v1 - f'(q2) v2            dG/dt v = -f''(q2) v2 v2
// The terms with w refer phi of connect to axes that turn with the common node. So its equations do not contain the
// joints below that node, also where the loop is a little open. The error of a weld's attitude is exact where the weld
// is closed, and right to second order in the opening angle elsewhere.
#include <footfall/loop.h>

#include "dyn/layout.h"
#include "dyn/packed.h"

/// An end of a loop, world axes.
typedef struct end {
    int node;         // -1: fixed to the world
    double arm[3];    // from the tree's origin, or from the world's
    double origin[3]; // of the tree
    double R[9];      // of the body; filled for welds
} end;

static end find_end(const ff_model *m, const ff_data *d, int body, const double local[3], bool attitude)
{
    end e = {.node = ff_node_of(m, body)};
    double pos[3];
    if (e.node >= 0) {
        ff_body_arm(m, d, body, local, e.arm);
        ff_vec3_copy(e.origin, d->tree_origin + 3 * m->nodes[e.node].tree);
        if (attitude) ff_mat3_mul(e.R, d->pose[e.node].R, m->bodies[body].R);
        return e;
    }
    ff_dyn_body_axes(m, d, body, pos, e.R);
    ff_mat3_mulv(e.arm, e.R, local);
    ff_vec3_add(e.arm, e.arm, pos);
    return e;
}

/// Finds the vector from point 1 to point 2.
static void vector_between(const ff_model *m, const end *one, const end *two, double out[3])
{
    ff_vec3_sub(out, two->arm, one->arm);
    if (one->node >= 0 && two->node >= 0 && m->nodes[one->node].tree == m->nodes[two->node].tree) return;
    double origins[3];
    ff_vec3_sub(origins, two->origin, one->origin);
    ff_vec3_add(out, out, origins);
}

/// Column of one degree of freedom: (angular, linear at the point).
static inline void column(const ff_data *d, int dof, const double arm[3], double out[6])
{
    memcpy(out, d->S + 6 * dof, 6 * sizeof *out);
    ff_vec3_cross_add(out + 3, out, arm);
}

// ------------------------------------------------------------------------------------------ positions

/// 2 sin(angle/2) axis of the rotation from the required attitude of body 2 to the present one.
static void turn_apart(const ff_loop *loop, const end *one, const end *two, double out[3])
{
    double wanted[9], back[9], R[9], q[4];
    ff_mat3_mul(wanted, one->R, loop->turn);
    ff_mat3_transpose(back, wanted);
    ff_mat3_mul(R, two->R, back);
    ff_quat_from_mat3(q, R);
    ff_vec3_scale(out, q + 1, q[0] < 0.0 ? -2.0 : 2.0);
}

/// Rows from columns: linear, for welds also angular, for rods along d.
static void body_rows(const ff_data *d, ff_loop *loop, const end *one, const end *two, const double between[3])
{
    const int n = loop->ndof;
    double size[3] = {0}, c[6];
    for (int k = 0; k < n; k++) {
        const bool first = k < loop->ndof1;
        column(d, loop->dofs[k], first ? one->arm : two->arm, c);
        const double sign = first ? -1.0 : 1.0;
        for (int r = 0; r < 6; r++) c[r] *= sign;
        for (int r = 0; r < 3; r++) size[r] += c[3 + r] * c[3 + r];
        if (loop->type == FF_EQUALITY_ROD) {
            loop->jacobian[k] = ff_vec3_dot(between, c + 3) / loop->length;
            continue;
        }
        for (int r = 0; r < 3; r++) loop->jacobian[r * n + k] = c[3 + r];
        for (int r = 3; r < loop->nrow; r++) loop->jacobian[r * n + k] = c[r - 3];
    }
    loop->reach = sqrt(ff_max(size[0], ff_max(size[1], size[2])));
}

static void body_loop_opening(const ff_model *m, const ff_data *d, ff_loop *loop, double *phi)
{
    const bool weld = loop->type == FF_EQUALITY_WELD;
    const end one = find_end(m, d, loop->object1, loop->point1, weld);
    const end two = find_end(m, d, loop->object2, loop->point2, weld);
    double between[3];
    vector_between(m, &one, &two, between);
    body_rows(d, loop, &one, &two, between);
    if (loop->type == FF_EQUALITY_ROD) {
        // (|d| - L)(|d| + L) / (2 L): the difference of squares would lose digits
        const double distance = ff_vec3_norm(between);
        phi[0] = (distance - loop->length) * (distance + loop->length) / (2.0 * loop->length);
        return;
    }
    ff_vec3_copy(phi, between);
    if (weld) turn_apart(loop, &one, &two, phi + 3);
}

/// f, f' and f'' of the polynomial at q2.
static void evaluate_polynomial(const ff_model *m, const double *q, const ff_loop *loop, double f[3])
{
    const double *p = loop->polynomial;
    const double u = loop->object2 >= 0 ? q[m->joints[loop->object2].qadr] - loop->zero2 : 0.0;
    f[0] = p[0] + u * (p[1] + u * (p[2] + u * (p[3] + u * p[4])));
    f[1] = p[1] + u * (2.0 * p[2] + u * (3.0 * p[3] + u * (4.0 * p[4])));
    f[2] = 2.0 * p[2] + u * (6.0 * p[3] + u * (12.0 * p[4]));
}

static void joint_loop_opening(const ff_model *m, const ff_data *d, ff_loop *loop, double *phi)
{
    double f[3];
    evaluate_polynomial(m, d->q, loop, f);
    phi[0] = d->q[m->joints[loop->object1].qadr] - loop->zero1 - f[0];
    loop->jacobian[0] = 1.0;
    if (loop->object2 >= 0) loop->jacobian[1] = -f[1];
    loop->reach = 1.0;
}

void ff_loops_position(const ff_model *m, const ff_data *d, ff_loops *l)
{
    for (int i = 0; i < l->nloop; i++) {
        ff_loop *loop = &l->loops[i];
        if (loop->type == FF_EQUALITY_JOINT)
            joint_loop_opening(m, d, loop, l->phi + loop->row);
        else
            body_loop_opening(m, d, loop, l->phi + loop->row);
    }
}

// ------------------------------------------------------------------------------------------ velocities

/// Velocity of an end, and its acceleration for qacc = 0, (angular, linear).
static void end_motion(const ff_data *d, const end *e, double V[6], double A[6])
{
    memset(V, 0, 6 * sizeof *V);
    memset(A, 0, 6 * sizeof *A);
    if (e->node < 0) return;
    memcpy(V, d->velocity + 6 * e->node, 6 * sizeof *V);
    memcpy(A, d->drift + 6 * e->node, 6 * sizeof *A);
    ff_vec3_cross_add(V + 3, V, e->arm);
    ff_vec3_cross_add(A + 3, A, e->arm);
    ff_vec3_cross_add(A + 3, V, V + 3);
}

/// Converts velocity and acceleration to those relative to the common node.
static void refer_to_common(const ff_data *d, int common, const double between[3], double V[6], double A[6])
{
    if (common < 0) return;
    const double *w = d->velocity + 6 * common, *alpha = d->drift + 6 * common;
    double turn[3];
    ff_vec3_cross(turn, w, V + 3);
    ff_vec3_cross_add(turn, alpha, between);
    ff_vec3_sub(A + 3, A + 3, turn);
    ff_vec3_cross(turn, w, between);
    ff_vec3_sub(V + 3, V + 3, turn);
}

static void body_loop_rates(const ff_model *m, const ff_data *d, const ff_loop *loop, double *speed, double *drift)
{
    const end one = find_end(m, d, loop->object1, loop->point1, false);
    const end two = find_end(m, d, loop->object2, loop->point2, false);
    double between[3], V[6], A[6], V1[6], A1[6];
    vector_between(m, &one, &two, between);
    end_motion(d, &two, V, A);
    end_motion(d, &one, V1, A1);
    for (int k = 0; k < 6; k++) V[k] -= V1[k], A[k] -= A1[k];
    if (loop->type == FF_EQUALITY_ROD) {
        speed[0] = ff_vec3_dot(between, V + 3) / loop->length;
        drift[0] = (ff_vec3_dot(between, A + 3) + ff_vec3_dot(V + 3, V + 3)) / loop->length;
        return;
    }
    refer_to_common(d, loop->common, between, V, A);
    ff_vec3_copy(speed, V + 3);
    ff_vec3_copy(drift, A + 3);
    if (loop->type != FF_EQUALITY_WELD) return;
    ff_vec3_copy(speed + 3, V);
    ff_vec3_copy(drift + 3, A);
}

static void joint_loop_rates(const ff_model *m, const ff_data *d, const ff_loop *loop, double *speed, double *drift)
{
    double f[3];
    evaluate_polynomial(m, d->q, loop, f);
    const double v2 = loop->object2 >= 0 ? d->v[m->joints[loop->object2].vadr] : 0.0;
    speed[0] = d->v[m->joints[loop->object1].vadr] - f[1] * v2;
    drift[0] = -f[2] * v2 * v2;
}

void ff_loops_velocity(const ff_model *m, const ff_data *d, ff_loops *l)
{
    for (int i = 0; i < l->nloop; i++) {
        const ff_loop *loop = &l->loops[i];
        double *speed = l->speed + loop->row, *drift = l->drift + loop->row;
        if (loop->type == FF_EQUALITY_JOINT)
            joint_loop_rates(m, d, loop, speed, drift);
        else
            body_loop_rates(m, d, loop, speed, drift);
    }
}

// ------------------------------------------------------------------------------------------ forces

void ff_loops_force(const ff_model *m, const ff_data *d, const ff_loops *l, int number, double force[3],
                    double moment[3])
{
    const ff_loop *loop = &l->loops[number];
    const double *lambda = l->lambda + loop->row;
    ff_vec3_set(force, 0.0, 0.0, 0.0);
    ff_vec3_set(moment, 0.0, 0.0, 0.0);
    if (loop->type == FF_EQUALITY_JOINT) return;
    if (loop->type == FF_EQUALITY_ROD) {
        const end one = find_end(m, d, loop->object1, loop->point1, false);
        const end two = find_end(m, d, loop->object2, loop->point2, false);
        double between[3];
        vector_between(m, &one, &two, between);
        ff_vec3_scale(force, between, lambda[0] / loop->length);
        return;
    }
    ff_vec3_copy(force, lambda);
    if (loop->type == FF_EQUALITY_WELD) ff_vec3_copy(moment, lambda + 3);
}
