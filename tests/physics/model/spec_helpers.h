// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Small descriptions for the tests of the compiler, and the pose of a body by an independent route: quaternions applied
// joint by joint to the description, where the library multiplies matrices along the nodes of the model.
#ifndef FOOTFALL_TESTS_SPEC_HELPERS_H
#define FOOTFALL_TESTS_SPEC_HELPERS_H

#include <footfall/dyn.h>
#include <stdio.h>

/// A ball of 1 kg with moments 0.1, 0.2, 0.25 kg m^2 and its centre of mass off the axes; line = 10 + its number.
static inline int solid_body(ff_spec *spec, const char *name, int parent)
{
    ff_spec_body *body = ff_spec_add_body(spec, name, parent);
    body->has_inertial = true;
    body->mass = 1;
    ff_vec3_set(body->com, 0.1, 0.2, 0.3);
    ff_vec3_set(body->inertia, 0.1, 0.2, 0.25);
    body->place = (ff_place){"robot.test", 9 + spec->nbody, 5};
    return spec->nbody - 1;
}

static inline ff_spec_joint *joint_of(ff_spec *spec, const char *name, int body, ff_joint_type type)
{
    ff_spec_joint *joint = ff_spec_add_joint(spec, name, body, type);
    joint->place = (ff_place){"robot.test", 19 + spec->njoint, 7};
    return joint;
}

/// Compiles; prints what is wrong when it cannot.
static inline ff_model *compiled(const ff_spec *spec)
{
    ff_report report = {0};
    ff_model *m = ff_model_compile(spec, NULL, &report);
    for (int i = 0; !m && i < report.count; i++) printf("  %s\n", report.messages[i].text);
    ff_report_clear(&report);
    return m;
}

typedef struct route {
    double p[3], q[4];
} route;

/// The frame at (pos, quat) inside frame `at`.
static inline route route_step(route at, const double pos[3], const double quat[4])
{
    route out;
    ff_quat_rotate(out.p, at.q, pos);
    ff_vec3_add(out.p, out.p, at.p);
    ff_quat_mul(out.q, at.q, quat);
    return out;
}

/// Turns `at` by `quat` about the point `anchor` of its own.
static inline route route_turn(route at, const double anchor[3], const double quat[4])
{
    static const double none[4] = {1, 0, 0, 0}, here[3] = {0, 0, 0};
    double back[3];
    ff_vec3_scale(back, anchor, -1);
    at = route_step(at, anchor, none);
    at = route_step(at, here, quat);
    return route_step(at, back, none);
}

static inline route route_joint(route at, const ff_spec_joint *joint, const double *q, bool on_world)
{
    static const double none[4] = {1, 0, 0, 0};
    double axis[3], turn[4], along[4], slide[3];
    ff_vec3_copy(axis, joint->axis);
    ff_vec3_normalise(axis);
    switch (joint->type) {
    case FF_JOINT_HINGE:
        ff_quat_from_axis_angle(turn, axis, q[0] - joint->ref);
        return route_turn(at, joint->pos, turn);
    case FF_JOINT_SLIDE:
        ff_vec3_scale(slide, axis, q[0] - joint->ref);
        return route_step(at, slide, none);
    case FF_JOINT_BALL:
        return route_turn(at, joint->pos, q);
    case FF_JOINT_PLANAR: // x and y of the plane: where the shortest turn from z to the axis takes x and y
        ff_quat_from_z_to(along, axis);
        ff_quat_rotate(slide, along, (const double[3]){q[0], q[1], 0});
        ff_quat_from_axis_angle(turn, axis, q[2]);
        return route_turn(route_step(at, slide, none), joint->pos, turn);
    default:
        if (on_world) {
            route out;
            ff_vec3_copy(out.p, q);
            ff_quat_copy(out.q, q + 3);
            return out;
        }
        return route_step(at, q, q + 3);
    }
}

/// Pose in the world of body `index` of the description, for the positions q of the model made from it.
static inline route route_body(const ff_spec *spec, int index, const ff_model *m, const double *q)
{
    route at = {{0, 0, 0}, {1, 0, 0, 0}};
    if (index < 0) return at;
    const ff_spec_body *body = &spec->bodies[index];
    bool on_world = true;
    for (int b = body->parent; b >= 0; b = spec->bodies[b].parent)
        for (int j = 0; j < spec->njoint; j++) on_world = on_world && spec->joints[j].body != b;
    at = route_step(route_body(spec, body->parent, m, q), body->pos, body->quat);
    for (int j = 0; j < spec->njoint; j++) {
        const ff_spec_joint *joint = &spec->joints[j];
        if (joint->body != index) continue;
        at = route_joint(at, joint, q + m->joints[ff_model_find_joint(m, joint->name)].qadr, on_world);
    }
    return at;
}

#endif
