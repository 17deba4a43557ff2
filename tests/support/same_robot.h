// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two models that must be one robot: the same q and v, and at random states the same place of every body, mass matrix
// and bias, to 1e-12 of the largest number. Formats may have more bodies than the robot (frames as links).
#ifndef FOOTFALL_TESTS_SAME_ROBOT_H
#define FOOTFALL_TESTS_SAME_ROBOT_H

#include "check.h"
#include "support/random_robot.h"

#define SAME_TOLERANCE 1e-12 // numbers are written with 17 digits; inertia goes to principal axes and back

static inline void same_numbers(const char *label, const char *what, const double *got, const double *expected, int n,
                                double least)
{
    double size = least, worst = 0.0;
    int at = 0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(expected[i]));
        const double off = fabs(got[i] - expected[i]);
        if (!(off <= worst)) worst = off, at = i;
    }
    if (!(worst <= SAME_TOLERANCE * size))
        CHECK_FAIL("%s: %s[%d] = %.17g, expected %.17g", label, what, at, got[at], expected[at]);
}

static inline void same_poses(const char *label, const ff_model *a, const ff_data *x, const ff_model *b,
                              const ff_data *y)
{
    for (int i = 0; i < a->nbody; i++) {
        double pos[2][3], quat[2][4], R[2][9];
        int other = ff_model_find_body(b, a->bodies[i].name);
        if (other < 0 && strcmp(a->bodies[i].name, "world") == 0) other = ff_model_find_body(b, "world_body");
        if (other < 0) CHECK_FAIL("%s: body \"%s\" is missing", label, a->bodies[i].name);
        ff_dyn_body_pose(a, x, i, pos[0], quat[0]);
        ff_dyn_body_pose(b, y, other, pos[1], quat[1]);
        for (int k = 0; k < 2; k++) ff_quat_to_mat3(R[k], quat[k]);
        same_numbers(label, a->bodies[i].name, pos[1], pos[0], 3, 1.0);
        same_numbers(label, a->bodies[i].name, R[1], R[0], 9, 1.0);
    }
}

/// Joints that both have under one name and as one type: limits and springs.
static inline void same_joints(const char *label, const ff_model *a, const ff_model *b)
{
    for (int j = 0; j < a->njoint; j++) {
        const ff_joint *one = &a->joints[j];
        const int other = ff_model_find_joint(b, one->name);
        const ff_joint *two = other >= 0 ? &b->joints[other] : NULL;
        if (!ff_joint_is_scalar(one->type)) continue;
        if (!two) CHECK_FAIL("%s: joint \"%s\" is missing", label, one->name);
        CHECK_INT(two->type, one->type);
        CHECK_INT(two->qadr, one->qadr);
        CHECK_INT(two->limited, one->limited);
        if (one->limited) same_numbers(label, one->name, two->range, one->range, 2, 0.0);
    }
    same_numbers(label, "armature", b->dof_armature, a->dof_armature, a->nv, 0.0);
    same_numbers(label, "damping", b->dof_damping, a->dof_damping, a->nv, 0.0);
    same_numbers(label, "dry friction", b->dof_dry_friction, a->dof_dry_friction, a->nv, 0.0);
}

static inline void same_motion(const char *label, const ff_model *a, const ff_model *b, int states)
{
    ff_data *x = ff_data_create(a, NULL), *y = ff_data_create(b, NULL);
    ff_random random = ff_random_make(17, 0);
    const size_t nv = (size_t)a->nv;
    double *bias = malloc((2 * nv + 2 * nv * nv + 1) * sizeof(double)), *M = bias + 2 * nv;
    for (int state = 0; state < states; state++) {
        random_state(a, x, &random);
        memcpy(y->q, x->q, (size_t)a->nq * sizeof(double));
        memcpy(y->v, x->v, nv * sizeof(double));
        ff_dyn_kinematics(a, x);
        ff_dyn_kinematics(b, y);
        ff_dyn_velocity(a, x);
        ff_dyn_velocity(b, y);
        ff_dyn_mass(a, x);
        ff_dyn_mass(b, y);
        ff_dyn_mass_expand(a, x, M);
        ff_dyn_mass_expand(b, y, M + nv * nv);
        ff_dyn_inverse(a, x, x->q, x->v, NULL, bias);
        ff_dyn_inverse(b, y, y->q, y->v, NULL, bias + nv);
        same_poses(label, a, x, b, y);
        same_numbers(label, "M", M + nv * nv, M, a->nv * a->nv, 0.0);
        same_numbers(label, "bias", bias + nv, bias, a->nv, 0.0);
    }
    free(bias);
    ff_data_destroy(x);
    ff_data_destroy(y);
}

/// The robot `b` that a format gave back for `a`.
static inline void same_robot(const char *label, const ff_model *a, const ff_model *b, int states)
{
    if (a->nq != b->nq || a->nv != b->nv)
        CHECK_FAIL("%s: nq %d and nv %d, expected %d and %d", label, b->nq, b->nv, a->nq, a->nv);
    same_numbers(label, "mass", &b->mass, &a->mass, 1, 0.0);
    same_joints(label, a, b);
    same_motion(label, a, b, states);
}

#endif
