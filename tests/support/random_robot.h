// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Random robots and random states, for laws that must hold for every robot in every state.
#ifndef FOOTFALL_TESTS_RANDOM_ROBOT_H
#define FOOTFALL_TESTS_RANDOM_ROBOT_H

#include <footfall/dyn.h>

/// A tree of `nbody` bodies with random joints of every type (some bodies fixed, some with several joints), random
/// frames, anchors and possible inertias, some armature, springs and stops. Joints are smooth when `smooth`: no stops,
/// damping or dry friction.
static inline ff_spec *random_robot(ff_random *random, int nbody, bool floating, bool smooth);
/// Random position (unit quaternions), velocity and force in d.
static inline void random_state(const ff_model *m, ff_data *d, ff_random *random);

static inline void random_vector(ff_random *random, double *out, int n, double size)
{
    for (int i = 0; i < n; i++) out[i] = ff_random_range(random, -size, size);
}

static inline void random_quat(ff_random *random, double q[4])
{
    for (int i = 0; i < 4; i++) q[i] = ff_random_normal(random);
    ff_quat_normalise(q);
}

/// A possible inertia: that of a few point masses on a cloud.
static inline void random_inertia(ff_random *random, ff_spec_body *body)
{
    ff_inertia sum = {0};
    for (int i = 0; i < 6; i++) {
        double at[3];
        const double point[6] = {0};
        random_vector(random, at, 3, 0.2);
        ff_inertia part = ff_inertia_from_com(ff_random_range(random, 0.05, 0.5), at, point);
        sum = ff_inertia_add(&sum, &part);
    }
    body->has_inertial = true;
    body->mass = sum.mass;
    ff_inertia_to_com(&sum, body->com, body->inertia);
}

static inline ff_spec *random_robot(ff_random *random, int nbody, bool floating, bool smooth)
{
    ff_spec *spec = ff_spec_create(NULL);
    char name[32];
    for (int i = 0; i < nbody; i++) {
        snprintf(name, sizeof name, "body%d", i);
        // mostly chains, with branches now and then
        int parent = i == 0 ? -1 : ff_random_uniform(random) < 0.7 ? i - 1 : (int)ff_random_range(random, 0, i);
        ff_spec_body *body = ff_spec_add_body(spec, name, parent);
        random_vector(random, body->pos, 3, 0.3);
        random_quat(random, body->quat);
        random_inertia(random, body);
        int njoint = i == 0 ? 1 : (int)ff_random_range(random, 0, 3);
        for (int k = 0; k < njoint; k++) {
            ff_joint_type type = (ff_joint_type)ff_random_range(random, 0, FF_JOINT_COUNT);
            if (i == 0) type = floating ? FF_JOINT_FREE : FF_JOINT_HINGE;
            if (type == FF_JOINT_FREE && (i > 0 && njoint > 1)) type = FF_JOINT_BALL;
            snprintf(name, sizeof name, "joint%d_%d", i, k);
            ff_spec_joint *joint = ff_spec_add_joint(spec, name, i, type);
            random_vector(random, joint->pos, 3, 0.1);
            random_vector(random, joint->axis, 3, 1.0);
            joint->ref = type == FF_JOINT_FREE ? 0 : ff_random_range(random, -0.5, 0.5);
            // several joints on one body may share a motion (two balls turn about their common line): rotors keep M
            // regular
            bool alone = njoint == 1 && ff_random_uniform(random) < 0.5;
            joint->armature = alone ? 0 : ff_random_range(random, 0.01, 0.05);
            joint->stiffness = type == FF_JOINT_FREE ? 0 : ff_random_range(random, 0, 5);
            joint->spring_ref = ff_random_range(random, -0.5, 0.5);
            if (smooth) continue;
            joint->damping = ff_random_range(random, 0, 1);
            joint->dry_friction = ff_random_range(random, 0, 0.5);
            joint->limited = type == FF_JOINT_HINGE || type == FF_JOINT_SLIDE;
            joint->range[0] = -0.4;
            joint->range[1] = 0.4;
        }
    }
    return spec;
}

static inline void random_state(const ff_model *m, ff_data *d, ff_random *random)
{
    random_vector(random, d->q, m->nq, 2.0);
    random_vector(random, d->v, m->nv, 3.0);
    random_vector(random, d->tau, m->nv, 5.0);
    ff_dyn_normalise(m, d->q);
}

#endif
