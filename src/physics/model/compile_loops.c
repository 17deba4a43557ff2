// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Loop closures and couplings: names resolved to numbers, and data computed from the reference pose (all joints at
// their reference) where a description leaves them open: the place of a point on the second body, the relative pose of
// two bodies, the distance of two points.
#include "model/compile.h"

static const double SHORTEST_ROD = 1e-9; // a rod without length has no direction  [m]

typedef struct pose7 {
    double pos[3], quat[4];
} pose7;

/// Poses of the model's bodies in the world, all joints at their reference.
static pose7 *reference_poses(ff_compiler *c)
{
    const ff_model *m = c->model;
    pose7 *poses = FF_ARENA_NEW(&c->scratch, pose7, m->nbody + 1);
    for (int i = 0; poses && i < m->nbody; i++) {
        const ff_spec_body *from = &c->spec->bodies[c->body_of[i]];
        const int parent = m->bodies[i].parent;
        ff_vec3_copy(poses[i].pos, from->pos);
        ff_quat_copy(poses[i].quat, from->quat);
        ff_quat_normalise(poses[i].quat);
        if (parent >= 0) ff_pose_displace(poses[i].pos, poses[i].quat, poses[parent].pos, poses[parent].quat);
    }
    return poses;
}

static const pose7 *pose_of(const pose7 *poses, int body)
{
    static const pose7 world = {{0, 0, 0}, {1, 0, 0, 0}};
    return body < 0 ? &world : &poses[body];
}

/// out = coordinates in `frame` of a point given in world coordinates.
static void to_frame(double out[3], const pose7 *frame, const double world[3])
{
    double back[4], apart[3];
    ff_quat_conjugate(back, frame->quat);
    ff_vec3_sub(apart, world, frame->pos);
    ff_quat_rotate(out, back, apart);
}

/// out = world coordinates of a point given in `frame`.
static void to_world(double world[3], const pose7 *frame, const double point[3])
{
    ff_quat_rotate(world, frame->quat, point);
    ff_vec3_add(world, world, frame->pos);
}

/// Data that follow from the reference pose.
static void set_rest_data(const pose7 *poses, ff_equality *e)
{
    const pose7 *one = pose_of(poses, e->object1), *two = pose_of(poses, e->object2);
    double world1[3], world2[3], back[4];
    switch (e->type) {
    case FF_EQUALITY_CONNECT:
        to_world(world1, one, e->data);
        to_frame(e->data + 3, two, world1);
        break;
    case FF_EQUALITY_WELD:
        to_frame(e->data, one, two->pos);
        ff_quat_conjugate(back, one->quat);
        ff_quat_mul(e->data + 3, back, two->quat);
        break;
    case FF_EQUALITY_ROD:
        to_world(world1, one, e->data);
        to_world(world2, two, e->data + 3);
        ff_vec3_sub(world1, world2, world1);
        e->data[6] = ff_vec3_norm(world1);
        break;
    case FF_EQUALITY_JOINT:
        break;
    }
}

/// Number of a body or joint of a loop; -1 for the world, or for an unknown name, which is reported.
static int resolve(ff_compiler *c, const ff_spec_equality *from, const char *name, bool joint)
{
    if (!joint && ff_compile_is_world(name)) return -1;
    return ff_compile_find(c, joint ? &c->joint_names : &c->body_names, name, from->place, "equality", from->name,
                           joint ? "joint" : "body");
}

static void report(ff_compiler *c, const ff_spec_equality *from, const char *what)
{
    ff_report_add(c->report, FF_ERROR, from->place, "equality \"%s\" %s", from->name ? from->name : "", what);
}

static void check_joints(ff_compiler *c, const ff_spec_equality *from, const ff_equality *e)
{
    const int both[2] = {e->object1, e->object2};
    for (int k = 0; k < 2; k++) {
        if (both[k] < 0 || ff_joint_is_scalar(c->model->joints[both[k]].type)) continue;
        ff_report_add(c->report, FF_ERROR, from->place,
                      "equality \"%s\" couples hinges and slides; \"%s\" is a %s joint", from->name ? from->name : "",
                      c->model->joints[both[k]].name, ff_joint_name(c->model->joints[both[k]].type));
    }
    if (e->object1 == e->object2 && e->object1 >= 0) report(c, from, "couples a joint to itself");
}

/// False when the names are not known.
static bool resolve_both(ff_compiler *c, const ff_spec_equality *from, ff_equality *e)
{
    const int errors = c->report->errors;
    const bool joint = from->type == FF_EQUALITY_JOINT, single = joint && ff_compile_is_world(from->object2);
    e->object1 = resolve(c, from, from->object1, joint);
    e->object2 = single ? -1 : resolve(c, from, from->object2, joint);
    if (c->report->errors != errors) return false;
    if (joint)
        check_joints(c, from, e);
    else if (e->object1 == e->object2)
        report(c, from, "joins a body to itself");
    return c->report->errors == errors;
}

bool ff_compile_loops(ff_compiler *c)
{
    ff_model *m = c->model;
    m->nequality = c->spec->nequality;
    m->equalities = FF_ARENA_NEW(&m->arena, ff_equality, m->nequality + 1);
    const pose7 *poses = m->nequality > 0 ? reference_poses(c) : NULL;
    if (!m->equalities || (m->nequality > 0 && !poses)) return false;
    for (int i = 0; i < m->nequality; i++) {
        const ff_spec_equality *from = &c->spec->equalities[i];
        ff_equality *e = &m->equalities[i];
        *e = (ff_equality){.name = ff_arena_strdup(&m->arena, from->name ? from->name : ""),
                           .type = from->type,
                           .active = from->active,
                           .place = from->place};
        e->place.file = from->place.file ? ff_arena_strdup(&m->arena, from->place.file) : NULL;
        memcpy(e->data, from->data, sizeof e->data);
        if (!e->name) return false;
        if (!resolve_both(c, from, e)) continue;
        if (from->at_rest) set_rest_data(poses, e);
        if (e->type == FF_EQUALITY_WELD && !(ff_quat_normalise(e->data + 3) > 1e-10))
            report(c, from, "has a pose whose quaternion has no length");
        if (e->type == FF_EQUALITY_ROD && !(e->data[6] > SHORTEST_ROD))
            ff_report_add(
                c->report, FF_ERROR, from->place,
                "equality \"%s\" is a rod of length %g m: it must be longer; connect holds two points together",
                e->name, e->data[6]);
    }
    return true;
}
