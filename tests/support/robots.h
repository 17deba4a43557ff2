// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Small machines built through the editable description, shared by the tests of engine, world, plant and record.
#ifndef FOOTFALL_TESTS_ROBOTS_H
#define FOOTFALL_TESTS_ROBOTS_H

#include <footfall/sim.h>

#include <stdio.h>
#include <stdlib.h>

/// Compiles and frees a description; ends the program with the messages when it cannot.
static inline ff_model *robot_finish(ff_spec *spec)
{
    ff_report report = {0};
    const ff_load_options options = ff_load_options_default();
    ff_model *model = ff_model_compile(spec, &options, &report);
    for (int i = 0; !model && i < report.count; i++) fprintf(stderr, "%s\n", report.messages[i].text);
    if (!model) exit(1);
    ff_report_clear(&report);
    ff_spec_destroy(spec);
    return model;
}

/// A body of the given mass and principal moments; returns its index.
static inline int robot_body(ff_spec *spec, const char *name, int parent, const double pos[3], double mass,
                             const double com[3], const double moments[3])
{
    ff_spec_body *body = ff_spec_add_body(spec, name, parent);
    body->has_inertial = true;
    body->mass = mass;
    ff_vec3_copy(body->pos, pos);
    ff_vec3_copy(body->com, com);
    ff_vec3_copy(body->inertia, moments);
    return spec->nbody - 1;
}

static inline ff_spec_joint *robot_joint(ff_spec *spec, const char *name, int body, ff_joint_type type, double x,
                                         double y, double z)
{
    ff_spec_joint *joint = ff_spec_add_joint(spec, name, body, type);
    ff_vec3_set(joint->axis, x, y, z);
    return joint;
}

/// A bob of mass m at the end of a light bar of length l, swinging about y; hangs down at q = 0. `I` is the bob's own
/// inertia.
static inline ff_model *robot_pendulum(double m, double l, double I)
{
    ff_spec *spec = ff_spec_create(NULL);
    const int bob = robot_body(spec, "bob", -1, (double[]){0, 0, 0}, m, (double[]){0, 0, -l}, (double[]){I, I, I});
    robot_joint(spec, "pivot", bob, FF_JOINT_HINGE, 0, 1, 0);
    return robot_finish(spec);
}

/// A block of mass m sliding along x; `joint` of the description may be edited before robot_finish.
static inline ff_spec *robot_slider(double m, ff_spec_joint **joint)
{
    ff_spec *spec = ff_spec_create(NULL);
    const int block = robot_body(spec, "block", -1, (double[]){0, 0, 0}, m, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    *joint = robot_joint(spec, "rail", block, FF_JOINT_SLIDE, 1, 0, 0);
    return spec;
}

/// A free base of 10 kg with `legs` legs of four hinges each, no two alike: 6 legs have 24 joints and 30 degrees of
/// freedom.
static inline ff_model *robot_walker(int legs, bool gravity)
{
    ff_spec *spec = ff_spec_create(NULL);
    if (!gravity) ff_vec3_set(spec->gravity, 0, 0, 0);
    const int base = robot_body(spec, "base", -1, (double[]){0, 0, 1}, 10.0, (double[]){0.02, -0.01, 0.03},
                                (double[]){0.31, 0.42, 0.55});
    robot_joint(spec, "free", base, FF_JOINT_FREE, 0, 0, 1);
    for (int leg = 0; leg < legs; leg++) {
        int parent = base;
        for (int k = 0; k < 4; k++) {
            char name[32];
            const double side = leg % 2 ? -1.0 : 1.0, mass = 0.9 - 0.17 * k + 0.03 * leg;
            const double hip[3] = {0.25 - 0.2 * (leg / 2), 0.18 * side, -0.02},
                         link[3] = {0.02 * k, 0.03 * side, -0.15};
            const double axes[4][3] = {{0, 0, 1}, {1, 0.1 * leg, 0}, {0, 1, 0}, {0.2, 1, 0.1}};
            snprintf(name, sizeof name, "leg%d_link%d", leg, k);
            parent = robot_body(spec, name, parent, k == 0 ? hip : link, mass, (double[]){0.01, 0.02 * side, -0.07},
                                (double[]){0.004 + 0.001 * k, 0.005, 0.002 + 0.0005 * leg});
            snprintf(name, sizeof name, "leg%d_joint%d", leg, k);
            robot_joint(spec, name, parent, FF_JOINT_HINGE, axes[k][0], axes[k][1], axes[k][2]);
        }
    }
    return robot_finish(spec);
}

/// A tumbling start, the same for every run: joints bent, base and joints turning at about `speed` rad/s.
static inline void robot_tumble(const ff_model *m, ff_sim *sim, double speed)
{
    ff_random random = ff_random_make(7, 0);
    for (int i = 7; i < m->nq; i++) ff_sim_set_q(sim, i, ff_random_range(&random, -0.6, 0.6));
    for (int i = 0; i < m->nv; i++) ff_sim_set_v(sim, i, speed * ff_random_range(&random, -1.0, 1.0));
}

/// Options of one method; the steps of implicit are fixed.
static inline ff_sim_options robot_options(ff_method method, double step, double tolerance)
{
    ff_sim_options o = ff_sim_options_default();
    o.method = method;
    o.accuracy = 0.0;
    if (step > 0.0) o.step = step;
    if (tolerance > 0.0) o.relative = o.absolute = tolerance;
    return o;
}

/// A simulation or the end of the program.
static inline ff_sim *robot_sim(const ff_model *m, ff_sim_options o)
{
    ff_error err = {0};
    ff_sim *sim = ff_sim_create(m, &o, &err);
    if (!sim) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return sim;
}

#endif
