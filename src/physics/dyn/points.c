// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Poses, velocities, accelerations and Jacobians of points on bodies, and forces acting there. With x the point and o
// the origin of the body's tree:  v_x = V_lin + w x (x - o),   a_x = A_lin + alpha x (x - o) + w x v_x.
#include <footfall/dyn.h>

#include "base/pair.h"
#include "dyn/layout.h"
#include "dyn/packed.h"

#include <string.h>

static const ff_pose WORLD = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

/// Pose of the carrier of a body: its node, the mocap body it is fixed to, or the world.
static inline const ff_pose *carrier_of(const ff_data *d, const ff_body *b)
{
    return b->node >= 0 ? &d->pose[b->node] : b->mocap >= 0 ? &d->mocap[b->mocap] : &WORLD;
}

void ff_dyn_body_rotation(const ff_model *m, const ff_data *d, int body, double R[9])
{
    if (body < 0)
        memcpy(R, WORLD.R, sizeof WORLD.R);
    else
        ff_mat3_mul(R, carrier_of(d, &m->bodies[body])->R, m->bodies[body].R);
}

void ff_dyn_body_axes(const ff_model *m, const ff_data *d, int body, double p[3], double R[9])
{
    if (body < 0) {
        memcpy(R, WORLD.R, sizeof WORLD.R);
        ff_vec3_copy(p, WORLD.p);
        return;
    }
    const ff_body *b = &m->bodies[body];
    const ff_pose *carrier = carrier_of(d, b);
    const double *origin = b->node < 0 ? WORLD.p : d->tree_origin + 3 * m->nodes[b->node].tree;
    ff_mat3_mul(R, carrier->R, b->R);
    ff_mat3_mulv(p, carrier->R, b->pos);
    ff_vec3_add(p, p, carrier->p);
    ff_vec3_add(p, p, origin);
}

void ff_dyn_place_mocap(const ff_model *m, ff_data *d, int mocap, const double pos[3], const double quat[4])
{
    const ff_body *b = &m->bodies[m->mocaps[mocap]];
    ff_pose *moved = &d->mocap[mocap]; // D = T T0^-1
    double R[9], back[9], at[3];
    ff_quat_to_mat3(R, quat);
    ff_mat3_transpose(back, b->R);
    ff_mat3_mul(moved->R, R, back);
    ff_mat3_mulv(at, moved->R, b->pos);
    ff_vec3_sub(moved->p, pos, at);
}

void ff_dyn_body_pose(const ff_model *m, const ff_data *d, int body, double pos[3], double quat[4])
{
    double R[9];
    ff_dyn_body_axes(m, d, body, pos, R);
    ff_quat_from_mat3(quat, R);
}

void ff_dyn_point(const ff_model *m, const ff_data *d, int body, const double local[3], double world[3])
{
    const int node = ff_node_of(m, body);
    double R[9], p[3];
    if (node >= 0) {
        ff_body_arm(m, d, body, local, world);
        ff_vec3_add(world, world, d->tree_origin + 3 * m->nodes[node].tree);
        return;
    }
    ff_dyn_body_axes(m, d, body, p, R);
    ff_mat3_mulv(world, R, local);
    ff_vec3_add(world, world, p);
}

/// Motion vector about the tree's origin -> (angular, linear at the point).
static void move_to_point(const double V[6], const double arm[3], double out[6])
{
    memcpy(out, V, 6 * sizeof *out);
    ff_vec3_cross_add(out + 3, V, arm);
}

void ff_dyn_point_velocity(const ff_model *m, const ff_data *d, int body, const double local[3], double out[6])
{
    int node = ff_node_of(m, body);
    memset(out, 0, 6 * sizeof *out);
    if (node < 0) return;
    double arm[3];
    ff_body_arm(m, d, body, local, arm);
    move_to_point(d->velocity + 6 * node, arm, out);
}

void ff_dyn_point_motion(const ff_model *m, const ff_data *d, int body, const double local[3], double world[3],
                         double velocity[6])
{
    const int node = ff_node_of(m, body);
    if (node < 0) {
        ff_dyn_point(m, d, body, local, world);
        memset(velocity, 0, 6 * sizeof *velocity);
        return;
    }
    double arm[3];
    ff_body_arm(m, d, body, local, arm);
    ff_vec3_add(world, arm, d->tree_origin + 3 * m->nodes[node].tree);
    move_to_point(d->velocity + 6 * node, arm, velocity);
}

void ff_dyn_point_acceleration(const ff_model *m, const ff_data *d, int body, const double local[3], const double *qacc,
                               double out[6])
{
    int node = ff_node_of(m, body);
    memset(out, 0, 6 * sizeof *out);
    if (node < 0) return;
    _Alignas(16) double A[6];
    double V[6], arm[3];
    ff_pair3 sum = ff_pair3_load(d->drift + 6 * node);
    for (int i = m->nodes[node].vlast; qacc && i >= 0; i = m->dof_parent[i])
        sum = ff_pair3_axpy(sum, ff_pair3_load(d->S + 6 * i), qacc[i]);
    ff_pair3_store(A, sum);
    ff_body_arm(m, d, body, local, arm);
    move_to_point(d->velocity + 6 * node, arm, V);
    move_to_point(A, arm, out);
    ff_vec3_cross_add(out + 3, V, V + 3);
}

void ff_dyn_jacobian_drift(const ff_model *m, const ff_data *d, int body, const double local[3], double out[6])
{
    ff_dyn_point_acceleration(m, d, body, local, NULL, out);
}

void ff_dyn_jacobian(const ff_model *m, const ff_data *d, int body, const double local[3], double *J)
{
    int node = ff_node_of(m, body), nv = m->nv;
    memset(J, 0, 6 * (size_t)nv * sizeof *J);
    if (node < 0) return;
    double arm[3], column[6];
    ff_body_arm(m, d, body, local, arm);
    for (int i = m->nodes[node].vlast; i >= 0; i = m->dof_parent[i]) {
        move_to_point(d->S + 6 * i, arm, column);
        for (int k = 0; k < 6; k++) J[k * nv + i] = column[k];
    }
}

void ff_dyn_apply_force(const ff_model *m, ff_data *d, int body, const double point[3], const double force[3],
                        const double moment[3])
{
    int node = ff_node_of(m, body);
    if (node < 0) return;
    // both sums run in the order of the calls: their difference would not, to the last bit
    double *const sums[2] = {d->wrench + 6 * node, d->applied + 6 * node}, arm[3], turning[3];
    d->applies = true;
    ff_vec3_sub(arm, point, d->tree_origin + 3 * m->nodes[node].tree);
    ff_vec3_cross(turning, arm, force);
    for (int i = 0; i < 2; i++) {
        ff_vec3_add(sums[i], sums[i], turning);
        ff_vec3_add(sums[i], sums[i], moment);
        ff_vec3_add(sums[i] + 3, sums[i] + 3, force);
    }
}

void ff_dyn_clear_forces(const ff_model *m, ff_data *d)
{
    const size_t size = 6 * (size_t)m->nnode * sizeof *d->wrench;
    memset(d->wrench, 0, size);
    if (d->applies) memset(d->applied, 0, size); // mostly all forces are those of contacts
    d->applies = false;
}

void ff_dyn_add_wrench_torque(const ff_model *m, const ff_data *d, double *tau_out)
{
    for (int node = 0; node < m->nnode; node++) {
        const double *wrench = d->wrench + 6 * node;
        const ff_pair3 pairs = ff_pair3_load(wrench);
        if (ff_pair3_dot(pairs, pairs) == 0) continue;
        for (int i = m->nodes[node].vlast; i >= 0; i = m->dof_parent[i]) tau_out[i] += ff_dot6(d->S + 6 * i, wrench);
    }
}
