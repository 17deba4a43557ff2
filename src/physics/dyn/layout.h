// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How the functions of this room share ff_data.scratch. One function uses it at a time, and nothing in it is kept
// between calls. Inertias of forward dynamics have memory of their own (ff_data.articulated), so that they can be used
// again.
#ifndef FOOTFALL_DYN_LAYOUT_H
#define FOOTFALL_DYN_LAYOUT_H

#include <footfall/loop.h>

/// Data of a node between the two passes of inverse dynamics.
typedef struct ff_newton_euler {
    double R[9]; // node axes in the parent's
    double p[3]; // node origin in the parent's frame  [m]
    double w[3]; // angular velocity and acceleration, node axes
    double alpha[3];
    double a[3]; // acceleration of the origin, node axes, gravity included as -g
    double W[9]; // alpha x + w x w x: takes a point to its acceleration relative to the origin
    double f[3]; // force and moment about the origin through the joint, node axes
    double n[3];
} ff_newton_euler;

/// Data of a lump in forward dynamics: articulated inertia and bias wrench, world axes about the tree's origin.
typedef struct ff_articulated {
    double I[36]; // row-major, (angular, linear)
    double p[6];
    double a[6];   // acceleration beyond drift and gravity
    double own[6]; // p of the lump alone, without external wrenches
} ff_articulated;

/// Data of a degree of freedom in forward dynamics (forward.c).
typedef struct ff_articulated_dof {
    double U[6];
    double inverse_D;
    double u;
} ff_articulated_dof;

/// Doubles of scratch for angles and their sines and cosines.
static inline size_t ff_scratch_angles(const ff_model *m)
{
    return 3 * ((size_t)m->nnode + 8);
}

/// Doubles of scratch: angles and their sines and cosines, then the largest of what the functions above need.
static inline size_t ff_scratch_size(const ff_model *m)
{
    size_t nnode = (size_t)m->nnode;
    size_t inverse = nnode * (sizeof(ff_newton_euler) / sizeof(double));
    size_t composite = nnode * (sizeof(ff_inertia) / sizeof(double));
    return ff_scratch_angles(m) + 8 + (inverse > composite ? inverse : composite);
}

/// Doubles of ff_data.articulated: lumps, then degrees of freedom.
static inline size_t ff_articulated_size(const ff_model *m)
{
    return (size_t)m->nnode * (sizeof(ff_articulated) / sizeof(double)) +
           (size_t)m->nv * (sizeof(ff_articulated_dof) / sizeof(double));
}

/// Scratch behind the angles, aligned to 64 bytes.
static inline void *ff_scratch_body(const ff_model *m, const ff_data *d)
{
    return d->scratch + (ff_scratch_angles(m) + 7) / 8 * 8;
}

/// Sines and cosines of the hinges among the first `n` nodes, by node. Other nodes get those of 0, but those before the
/// first hinge get none.
static inline void ff_hinge_sincos(const ff_model *m, ff_data *d, const double *q, int n, const double **sine,
                                   const double **cosine)
{
    double *angle = d->scratch, *s = angle + n + 8, *c = s + n + 8;
    int first = 0;
    while (first < n && m->nodes[first].type != FF_NODE_HINGE) first++;
    for (int i = first; i < n; i++) {
        const ff_node *node = &m->nodes[i];
        angle[i] = node->type == FF_NODE_HINGE ? q[node->qadr] - node->ref : 0.0;
    }
    if (first < n) ff_sincos(angle + first, s + first, c + first, n - first);
    *sine = s;
    *cosine = c;
}

/// Vector from the origin of the node's tree to a point of a body that moves. The difference of world positions would
/// lose digits far from the world's origin.
static inline void ff_body_arm(const ff_model *m, const ff_data *d, int body, const double local[3], double arm[3])
{
    const ff_body *b = &m->bodies[body];
    double in_node[3], turned[3];
    ff_mat3_mulv(in_node, b->R, local);
    ff_vec3_add(in_node, in_node, b->pos);
    ff_mat3_mulv(turned, d->pose[b->node].R, in_node);
    ff_vec3_add(arm, d->pose[b->node].p, turned);
}

/// M and its factors at the pose in d, and the factors of the loops' rows. `held`: degrees of freedom that take no
/// part, or NULL. (loop_solve.c)
bool ff_loops_factor_mass(const ff_model *m, ff_data *d, ff_loops *l, const bool *held);

/// Inertia of each lump with all lumps it carries, world axes about the tree's origin (nlump). Needs ff_dyn_kinematics.
/// (mass.c)
void ff_composite_inertias(const ff_model *m, const ff_data *d, ff_inertia *composite);

/// Rotors beyond armature: what they add to d->M, to the torque of inverse dynamics, to twice the kinetic energy;
/// forward dynamics with them. (rotor.c)
void ff_rotors_add_mass(const ff_model *m, ff_data *d);
void ff_rotors_add_torque(const ff_data *d, const double *a, double *tau);
double ff_rotors_twice_energy(const ff_data *d);
bool ff_rotors_forward(const ff_model *m, ff_data *d);

/// Adds the wrenches of drag to those that nodes carry, and its heat to passive_power. (drag.c)
void ff_drags_add(const ff_model *m, ff_data *d, double *carried);

/// Lengths and levers of the tendons, and their speeds. (tendon.c)
void ff_tendons_position(const ff_model *m, ff_data *d);
void ff_tendons_velocity(const ff_model *m, ff_data *d);
/// Adds the passive forces along the tendons to d->passive, with their energy and losses.
void ff_tendons_passive(const ff_model *m, ff_data *d);

/// Pushing force of a stop pressed in by `depth` [m, rad], retreating at `speed` (positive while leaving), with its
/// energy and losses.
static inline double ff_stop_force(double stiffness, double damping, double depth, double speed, ff_data *d)
{
    if (!(depth > 0.0)) return 0.0;
    const double elastic = stiffness * depth, force = ff_max(0.0, elastic - damping * speed);
    d->passive_energy += 0.5 * elastic * depth;
    d->passive_power += (elastic - force) * speed;
    return force;
}

/// Node that carries a body; -1: the body is the world or fixed to it.
static inline int ff_node_of(const ff_model *m, int body)
{
    return body < 0 ? -1 : m->bodies[body].node;
}

/// R = A turned about its own z axis.
static inline void ff_turn_z(double R[9], const double A[9], double s, double c)
{
    for (int k = 0; k < 9; k += 3) {
        double x = A[k], y = A[k + 1];
        R[k] = c * x + s * y;
        R[k + 1] = c * y - s * x;
        R[k + 2] = A[k + 2];
    }
}

#endif
