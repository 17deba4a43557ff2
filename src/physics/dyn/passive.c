// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Passive forces of joints, with the energy they store and the power they dissipate:
//     spring   -k (q - q_ref)                         stores k (q - q_ref)^2 / 2
//     damper   -b v                                   dissipates b v^2
//     dry      -f v / sqrt(v^2 + v_s^2)               Coulomb friction, regularised below v_s
//     stop     max(0, k x - b v_out), x = depth       a one-sided spring-damper: it pushes, it never pulls
//     tendon   the same four along its length         (tendon.c)
//     drag     of the air or liquid around            (drag.c)
//     lift     -g m at the centre of mass of a body   balances all or part of its weight; stores g . x m
// The algebraic regularisation needs no library function, so its bits do not depend on one.
#include <footfall/dyn.h>
#include <footfall/spatial.h>

#include "dyn/layout.h"

static double stop_force(const ff_joint *joint, double depth, double speed, ff_data *d)
{
    return ff_stop_force(joint->stop_stiffness, joint->stop_damping, depth, speed, d);
}

static void scalar_joint(const ff_joint *joint, ff_data *d)
{
    const double q = d->q[joint->qadr];
    const int i = joint->vadr;
    if (joint->stiffness != 0) {
        double stretch = q - joint->spring_ref;
        d->passive[i] -= joint->stiffness * stretch;
        d->passive_energy += 0.5 * joint->stiffness * stretch * stretch;
    }
    if (!joint->limited) return;
    if (q < joint->range[0]) d->passive[i] += stop_force(joint, joint->range[0] - q, d->v[i], d);
    if (q > joint->range[1]) d->passive[i] -= stop_force(joint, q - joint->range[1], -d->v[i], d);
}

/// Spring towards a rest attitude, and for ball joints the stop of a cone: both act along the rotation vector, which
/// is the same in both frames.
static void rotation_spring(const ff_joint *joint, const double rest[4], const double *quat, const double *w,
                            double *force, bool limited, ff_data *d)
{
    double turn[3];
    ff_quat_difference(turn, rest, quat);
    double angle = ff_vec3_norm(turn);
    ff_vec3_axpy(force, -joint->stiffness, turn);
    d->passive_energy += 0.5 * joint->stiffness * angle * angle;
    if (!limited || angle <= joint->range[1]) return;
    double axis[3];
    ff_vec3_scale(axis, turn, 1.0 / angle);
    double push = stop_force(joint, angle - joint->range[1], -ff_vec3_dot(axis, w), d);
    ff_vec3_axpy(force, -push, axis);
}

static void other_joint(const ff_model *m, const ff_joint *joint, ff_data *d)
{
    static const double identity[4] = {1, 0, 0, 0};
    const double *q = d->q + joint->qadr, *v = d->v + joint->vadr, *q0 = m->q0 + joint->qadr;
    double *force = d->passive + joint->vadr;
    if (joint->type == FF_JOINT_BALL) {
        if (joint->stiffness > 0 || joint->limited) rotation_spring(joint, identity, q, v, force, joint->limited, d);
        return;
    }
    if (!(joint->stiffness > 0)) return;
    for (int k = 0; k < 3; k++) { // free: position; planar: x, y, angle
        double stretch = q[k] - q0[k];
        force[k] -= joint->stiffness * stretch;
        d->passive_energy += 0.5 * joint->stiffness * stretch * stretch;
    }
    if (joint->type == FF_JOINT_FREE) rotation_spring(joint, q0 + 3, q + 3, v + 3, force + 3, false, d);
}

/// Wrenches of lifts and drag about the origins of their trees, summed towards the roots; they load the joints on
/// their way.
static void add_body_forces(const ff_model *m, ff_data *d)
{
    double *carried = ff_scratch_body(m, d);
    memset(carried, 0, 6 * (size_t)m->nnode * sizeof *carried);
    for (int k = 0; k < m->nlift; k++) {
        const ff_lift *lift = &m->lifts[k];
        double at[3], force[3], *wrench = carried + 6 * lift->node;
        ff_mat3_mulv(at, d->pose[lift->node].R, lift->at);
        ff_vec3_add(at, at, d->pose[lift->node].p);
        ff_vec3_scale(force, m->gravity, -lift->mass);
        ff_vec3_cross_add(wrench, at, force);
        ff_vec3_add(wrench + 3, wrench + 3, force);
        ff_vec3_add(at, at, d->tree_origin + 3 * m->nodes[lift->node].tree);
        d->lift_energy -= ff_vec3_dot(force, at);
    }
    ff_drags_add(m, d, carried);
    for (int i = m->nnode - 1; i >= 0; i--) {
        const ff_node *node = &m->nodes[i];
        const double *wrench = carried + 6 * i;
        for (int k = node->vadr; k <= node->vlast; k++) d->passive[k] += ff_dot6(d->S + 6 * k, wrench);
        for (int k = 0; node->parent >= 0 && k < 6; k++) carried[6 * node->parent + k] += wrench[k];
    }
}

void ff_dyn_take_lifts(const ff_model *m, const ff_data *d, double *torque)
{
    for (int k = 0; k < m->nlift; k++) {
        const ff_lift *lift = &m->lifts[k];
        const ff_node *node = &m->nodes[lift->node];
        double at[3], wrench[6];
        ff_mat3_mulv(at, d->pose[lift->node].R, lift->at);
        ff_vec3_add(at, at, d->pose[lift->node].p);
        ff_vec3_scale(wrench + 3, m->gravity, -lift->mass);
        ff_vec3_cross(wrench, at, wrench + 3);
        for (int i = node->vlast; i >= 0; i = m->dof_parent[i]) torque[i] -= ff_dot6(d->S + 6 * i, wrench);
    }
}

double ff_dyn_lifted_mass(const ff_model *m)
{
    double mass = 0.0;
    for (int k = 0; k < m->nlift; k++) mass += m->lifts[k].mass;
    return mass;
}

void ff_dyn_passive(const ff_model *m, ff_data *d)
{
    double power = 0;
    for (int i = 0; i < m->nv; i++) {
        double v = d->v[i], speed = m->dof_dry_speed[i];
        double force = -m->dof_damping[i] * v;
        if (m->dof_dry_friction[i] > 0) force -= m->dof_dry_friction[i] * v / sqrt(v * v + speed * speed);
        d->passive[i] = force;
        power -= force * v;
    }
    d->passive_energy = 0;
    d->passive_power = power;
    d->lift_energy = 0;
    for (int j = 0; j < m->njoint; j++) {
        const ff_joint *joint = &m->joints[j];
        if (joint->type == FF_JOINT_HINGE || joint->type == FF_JOINT_SLIDE)
            scalar_joint(joint, d);
        else
            other_joint(m, joint, d);
    }
    if (m->nlift > 0 || m->ndrag > 0) add_body_forces(m, d);
    if (m->ntendon > 0) ff_tendons_passive(m, d);
}
