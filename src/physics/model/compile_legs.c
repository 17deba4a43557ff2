// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Legs of the compiled model: names become numbers, and the joints are checked to be a chain from hip to foot, so that
// inverse kinematics and gaits need not check it again.
#include "model/compile.h"

#define SAME_POINT 1e-6 // a shape whose centre lies within this of the frame is the foot  [m]

/// Does joint `lower` come after joint `upper` on the chain from the trunk to the foot?
static bool comes_after(const ff_model *m, int upper, int lower)
{
    const int one = m->joints[upper].body, two = m->joints[lower].body;
    if (one == two) return upper < lower; // joints of one body are numbered from the parent on
    return ff_model_is_below(m, two, one);
}

static bool resolve_joints(const ff_compiler *c, const ff_spec_leg *from, ff_leg *leg)
{
    const ff_model *m = c->model;
    if (from->njoint < 1 || from->njoint > FF_LEG_JOINTS) {
        ff_report_add(c->report, FF_ERROR, from->place, "leg \"%s\" has %d joints; it needs 1 to %d", from->name,
                      from->njoint, FF_LEG_JOINTS);
        return false;
    }
    for (leg->njoint = 0; leg->njoint < from->njoint; leg->njoint++) {
        const char *name = from->joints[leg->njoint];
        const int joint = ff_names_get(&c->joint_names, name);
        const int before = leg->njoint > 0 ? leg->joints[leg->njoint - 1] : -1;
        if (joint < 0)
            ff_report_add(c->report, FF_ERROR, from->place,
                          "leg \"%s\" refers to joint \"%s\", which does not exist; joints are named from hip to foot",
                          from->name, name ? name : "");
        else if (!ff_joint_is_scalar(m->joints[joint].type))
            ff_report_add(c->report, FF_ERROR, from->place,
                          "leg \"%s\": joint \"%s\" is %s; legs have hinges and slides", from->name, name,
                          ff_joint_name(m->joints[joint].type));
        else if (before >= 0 && !comes_after(m, before, joint))
            ff_report_add(c->report, FF_ERROR, from->place,
                          "leg \"%s\": joint \"%s\" does not hang below joint \"%s\"; name the joints from hip to foot",
                          from->name, name, m->joints[before].name);
        else {
            leg->joints[leg->njoint] = joint;
            continue;
        }
        return false;
    }
    return true;
}

static bool resolve_foot(const ff_compiler *c, const ff_spec_leg *from, ff_leg *leg)
{
    const ff_model *m = c->model;
    leg->frame = ff_names_get(&c->frame_names, from->foot);
    if (leg->frame < 0) {
        ff_report_add(c->report, FF_ERROR, from->place,
                      "leg \"%s\": the foot refers to \"%s\", which is neither a frame nor a body", from->name,
                      from->foot ? from->foot : "");
        return false;
    }
    const int last = leg->joints[leg->njoint - 1];
    if (ff_model_is_below(m, m->frames[leg->frame].body, m->joints[last].body)) return true;
    ff_report_add(c->report, FF_ERROR, from->place, "leg \"%s\": foot \"%s\" does not hang below joint \"%s\"",
                  from->name, from->foot, m->joints[last].name);
    return false;
}

/// A point of a body in the frame of the node that carries the body.
static void in_node(const ff_model *m, int body, const double point[3], double out[3])
{
    ff_quat_rotate(out, m->bodies[body].quat, point);
    ff_vec3_add(out, out, m->bodies[body].pos);
}

/// Is one of the spheres of a shape (its own, or an end of a capsule) centred at `foot`, in the frame of the node?
static bool is_around(const ff_model *m, const ff_geom *geom, const double foot[3])
{
    const double half = geom->shape.type == FF_SHAPE_CAPSULE ? geom->shape.size[1] : 0.0;
    for (int end = -1; end <= 1; end += 2) {
        const double along[3] = {0, 0, end * half};
        double point[3], apart[3];
        ff_quat_rotate(point, geom->quat, along);
        ff_vec3_add(point, point, geom->pos);
        in_node(m, geom->body, point, apart);
        ff_vec3_sub(apart, apart, foot);
        if (ff_vec3_dot(apart, apart) <= SAME_POINT * SAME_POINT) return true;
    }
    return false;
}

/// Radius of the largest sphere around the foot among the shapes that touch, 0 where there is none.
static double radius_of(const ff_model *m, const ff_frame *frame)
{
    double foot[3], radius = 0.0;
    in_node(m, frame->body, frame->pos, foot);
    for (int i = 0; i < m->ngeom; i++) {
        const ff_geom *geom = &m->geoms[i];
        const bool round = geom->shape.type == FF_SHAPE_SPHERE || geom->shape.type == FF_SHAPE_CAPSULE;
        if (!round || geom->role == FF_GEOM_VISUAL || geom->body < 0) continue;
        if (m->bodies[geom->body].node != m->bodies[frame->body].node || geom->shape.size[0] <= radius) continue;
        if (is_around(m, geom, foot)) radius = geom->shape.size[0];
    }
    return radius;
}

/// A sensor by name, kept in the model; NULL where none is named or (reported) none is found.
static const char *resolve_sensor(const ff_compiler *c, const ff_spec_leg *from, const char *what, const char *name)
{
    const ff_model *m = c->model;
    if (!name) return NULL;
    for (int i = 0; i < m->nsensor; i++)
        if (strcmp(m->sensors[i].name, name) == 0) return m->sensors[i].name;
    ff_report_add(c->report, FF_ERROR, from->place, "leg \"%s\": %s refers to sensor \"%s\", which does not exist",
                  from->name, what, name);
    return NULL;
}

static void resolve_leg(const ff_compiler *c, const ff_spec_leg *from, ff_leg *leg)
{
    leg->force = resolve_sensor(c, from, "force", from->force);
    leg->touch = resolve_sensor(c, from, "touch", from->touch);
    if (!resolve_joints(c, from, leg) || !resolve_foot(c, from, leg)) return;
    leg->radius = from->radius >= 0 ? from->radius : radius_of(c->model, &c->model->frames[leg->frame]);
    if (!(leg->radius < 1e3)) // not finite included
        ff_report_add(c->report, FF_ERROR, from->place, "leg \"%s\": radius of the foot: %g m", from->name,
                      leg->radius);
}

bool ff_compile_legs(ff_compiler *c)
{
    ff_model *m = c->model;
    ff_names names;
    m->nleg = c->spec->nleg;
    m->legs = FF_ARENA_NEW(&m->arena, ff_leg, m->nleg + 1);
    if (!m->legs || !ff_names_init(&names, &c->scratch, m->nleg)) return false;
    for (int i = 0; i < m->nleg; i++) {
        const ff_spec_leg *from = &c->spec->legs[i];
        m->legs[i].name = ff_arena_strdup(&m->arena, from->name ? from->name : "");
        if (!m->legs[i].name) return false;
        if (!m->legs[i].name[0])
            ff_report_add(c->report, FF_ERROR, from->place,
                          "this leg has no name; attach the part with a prefix, or write 'legs: {name: {..}}'");
        else if (ff_names_put(&names, m->legs[i].name, i) >= 0)
            ff_report_add(c->report, FF_ERROR, from->place, "leg \"%s\": the name is taken already", from->name);
        else
            resolve_leg(c, from, &m->legs[i]);
    }
    return true;
}
