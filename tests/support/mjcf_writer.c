// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A compiled model as MJCF. MJCF wants each body in the frame of its parent with all joints at their reference, which
// is where q0 puts them, so the frames come from the kinematics at q0. Joints are written from the user's view (axis
// and anchor in the body's frame), not from the nodes of the computation, so that a mistake in the nodes shows when
// MuJoCo disagrees. Where MJCF has no word, joints are taken apart: planar becomes slide, slide, hinge; free below a
// moving body becomes three slides and a ball.
//
// Inertia is written as principal moments with a quaternion. The full tensor would be shorter, but MuJoCo's own way to
// the principal axes stops up to 1.4e-6 rad early.
#include "mjcf_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct writer {
    const ff_model *model;
    ff_data *data; // at q0
    double step;   // with shapes that collide; 0: without  [s]
    char *text;
    size_t length, capacity;
    bool short_of_memory;
} writer;

FF_PRINTF(2, 3) static void put(writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int more = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t needed = w->length + (size_t)more + 1;
    if (needed > w->capacity) {
        size_t capacity = 2 * needed;
        char *text = realloc(w->text, capacity);
        w->short_of_memory = w->short_of_memory || !text;
        if (text) {
            w->text = text;
            w->capacity = capacity;
        }
    }
    if (!w->short_of_memory)
        w->length += (size_t)vsnprintf(w->text + w->length, w->capacity - w->length, format, again);
    va_end(again);
}

static void put_numbers(writer *w, const char *name, const double *x, int n)
{
    put(w, " %s=\"", name);
    for (int i = 0; i < n; i++) put(w, i ? " %.17g" : "%.17g", x[i]);
    put(w, "\"");
}

static void put_name(writer *w, const char *name, const char *suffix)
{
    put(w, " name=\"");
    for (; *name; name++) {
        if (strchr("<>&\"'", *name))
            put(w, "&#%d;", *name);
        else
            put(w, "%c", *name);
    }
    put(w, "%s\"", suffix);
}

// ------------------------------------------------------------------------------------------ bodies

// Pose of a body in another's frame, as at q0.
static void relative_pose(const writer *w, int from, int body, double pos[3], double quat[4])
{
    double p[3], q[4], base[3], base_quat[4], inverse[4];
    ff_dyn_body_pose(w->model, w->data, body, p, q);
    ff_dyn_body_pose(w->model, w->data, from, base, base_quat);
    ff_vec3_sub(p, p, base);
    ff_quat_conjugate(inverse, base_quat);
    ff_quat_rotate(pos, inverse, p);
    ff_quat_mul(quat, inverse, q);
}

static void put_frame(writer *w, int body)
{
    double pos[3], quat[4];
    relative_pose(w, w->model->bodies[body].parent, body, pos, quat);
    put_numbers(w, "pos", pos, 3);
    put_numbers(w, "quat", quat, 4);
}

// Whether MuJoCo takes the body's own inertia: principal moments with A + B >= C but for rounding.
static bool possible(const ff_body *body)
{
    const double *I = body->inertia, tensor[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    double moments[3], axes[9];
    ff_eigen_sym3(tensor, moments, axes);
    double rounding = 1e-14 * moments[2];
    if (!(body->mass > 0.0)) return moments[2] == 0.0;
    return moments[0] >= -rounding && moments[0] + moments[1] >= moments[2] - rounding;
}

// The body that carries this one rigidly: itself, or the nearest above that has a joint. -1 for the world.
static int carrier_of(const ff_model *m, int body)
{
    while (body >= 0 && m->bodies[body].parent >= 0 && m->bodies[m->bodies[body].parent].node == m->bodies[body].node)
        body = m->bodies[body].parent;
    return body >= 0 && m->bodies[body].node >= 0 ? body : -1;
}

// URDF files give frames a made-up inertia that no body can have, which Footfall allows where the sum with the bodies
// they are fixed to is possible. MuJoCo judges each body alone, so it gets the sum then.
static bool group_is_possible(const writer *w, int carrier)
{
    for (int b = carrier; b < w->model->nbody; b++)
        if (carrier_of(w->model, b) == carrier && !possible(&w->model->bodies[b])) return false;
    return true;
}

static ff_body with_group(const writer *w, int carrier)
{
    ff_inertia sum = {0};
    ff_body out = w->model->bodies[carrier];
    for (int b = carrier; b < w->model->nbody; b++) {
        const ff_body *part = &w->model->bodies[b];
        if (carrier_of(w->model, b) != carrier) continue;
        double pos[3], quat[4], R[9];
        relative_pose(w, carrier, b, pos, quat);
        ff_quat_to_mat3(R, quat);
        ff_inertia own = ff_inertia_from_com(part->mass, part->com, part->inertia);
        ff_inertia moved = ff_inertia_transform(&own, pos, R);
        sum = ff_inertia_add(&sum, &moved);
    }
    out.mass = sum.mass;
    ff_inertia_to_com(&sum, out.com, out.inertia);
    return out;
}

static void put_inertia(writer *w, const ff_body *body)
{
    if (!(body->mass > 0.0)) return;
    const double *I = body->inertia, tensor[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    double moments[3], axes[9], quat[4], side[3];
    ff_eigen_sym3(tensor, moments, axes);
    // z from x and y: the three may come as a left-handed set
    const double x[3] = {axes[0], axes[3], axes[6]}, y[3] = {axes[1], axes[4], axes[7]};
    ff_vec3_cross(side, x, y);
    for (int k = 0; k < 3; k++) axes[3 * k + 2] = side[k];
    ff_quat_from_mat3(quat, axes);
    // MuJoCo has no tolerance for points and thin plates, where rounding passes the limits
    for (int k = 0; k < 3; k++) moments[k] = fmax(moments[k], 0.0);
    moments[2] = fmin(moments[2], moments[0] + moments[1]);
    put(w, "<inertial");
    put_numbers(w, "pos", body->com, 3);
    put_numbers(w, "quat", quat, 4);
    put_numbers(w, "mass", &body->mass, 1);
    put_numbers(w, "diaginertia", moments, 3);
    put(w, "/>\n");
}

static void put_inertial(writer *w, int body)
{
    int carrier = carrier_of(w->model, body);
    if (carrier < 0) return; // what stands still needs no mass
    if (group_is_possible(w, carrier)) {
        put_inertia(w, &w->model->bodies[body]);
    } else if (carrier == body) {
        ff_body sum = with_group(w, carrier);
        put_inertia(w, &sum);
    }
}

// ------------------------------------------------------------------------------------------ joints

// One elementary joint: `axis` is NULL for ball and free.
static void put_joint(writer *w, const ff_joint *joint, const char *suffix, const char *type, const double *axis,
                      double ref)
{
    put(w, "<joint");
    put_name(w, joint->name, suffix);
    put(w, " type=\"%s\"", type);
    if (strcmp(type, "free") != 0) put_numbers(w, "pos", joint->pos, 3);
    if (axis) put_numbers(w, "axis", axis, 3);
    if (axis) put_numbers(w, "ref", &ref, 1);
    put_numbers(w, "armature", &joint->armature, 1);
    put_numbers(w, "damping", &joint->damping, 1);
    put_numbers(w, "frictionloss", &joint->dry_friction, 1);
    bool whole = joint->type == FF_JOINT_HINGE || joint->type == FF_JOINT_SLIDE || joint->type == FF_JOINT_BALL;
    if (whole) put_numbers(w, "stiffness", &joint->stiffness, 1);
    if (whole && axis) put_numbers(w, "springref", &joint->spring_ref, 1);
    if (whole && joint->limited) put_numbers(w, "range", joint->range, 2);
    put(w, " limited=\"%s\"/>\n", whole && joint->limited ? "true" : "false");
}

// Slides of a joint that MJCF does not have, each along the z axis of its node as it stands at q0.
static void put_slides(writer *w, const ff_joint *joint, int count)
{
    static const char *const suffix[3] = {".x", ".y", ".z"};
    double pos[3], quat[4], R[9], axis[3];
    ff_dyn_body_pose(w->model, w->data, joint->body, pos, quat);
    ff_quat_to_mat3(R, quat);
    for (int k = 0; k < count; k++) {
        const double *N = w->data->pose[w->model->dof_node[joint->vadr + k]].R;
        const double world[3] = {N[2], N[5], N[8]};
        ff_mat3_tmulv(axis, R, world);
        put_joint(w, joint, suffix[k], "slide", axis, 0.0);
    }
}

static void put_user_joint(writer *w, const ff_joint *joint)
{
    double ref = w->model->nodes[joint->node].ref;
    switch (joint->type) {
    case FF_JOINT_HINGE:
        put_joint(w, joint, "", "hinge", joint->axis, ref);
        break;
    case FF_JOINT_SLIDE:
        put_joint(w, joint, "", "slide", joint->axis, ref);
        break;
    case FF_JOINT_BALL:
        put_joint(w, joint, "", "ball", NULL, 0.0);
        break;
    case FF_JOINT_PLANAR:
        put_slides(w, joint, 2);
        put_joint(w, joint, ".angle", "hinge", joint->axis, 0.0);
        break;
    default:
        if (w->model->nodes[joint->node].type == FF_NODE_FREE) {
            put_joint(w, joint, "", "free", NULL, 0.0);
        } else {
            ff_joint centred = *joint; // a free joint turns about the body's origin
            ff_vec3_set(centred.pos, 0.0, 0.0, 0.0);
            put_slides(w, &centred, 3);
            put_joint(w, &centred, ".ball", "ball", NULL, 0.0);
        }
        break;
    }
}

// ------------------------------------------------------------------------------------------ shapes

static void put_shapes(writer *w, int body)
{
    for (int i = 0; i < w->model->ngeom; i++) {
        const ff_geom *g = &w->model->geoms[i];
        if (g->body != body || g->role == FF_GEOM_VISUAL || g->shape.type == FF_SHAPE_MESH) continue;
        put(w, "<geom type=\"%s\"", ff_shape_name(g->shape.type));
        const double plane[3] = {1.0, 1.0, 1.0}; // for drawing
        put_numbers(w, "size", g->shape.type == FF_SHAPE_PLANE ? plane : g->shape.size, 3);
        put_numbers(w, "pos", g->pos, 3);
        put_numbers(w, "quat", g->quat, 4);
        put_numbers(w, "friction", g->friction, 3);
        put(w, " contype=\"%d\" conaffinity=\"%d\"/>\n", g->contype, g->conaffinity);
    }
}

// ------------------------------------------------------------------------------------------ the whole

static const char *obstacle(const ff_model *m)
{
    for (int j = 0; j < m->njoint; j++)
        if (m->nodes[m->joints[j].node].type == FF_NODE_FREE && m->bodies[m->joints[j].body].parent >= 0)
            return "a free joint on a child of a body fixed to the world";
    return NULL;
}

static void put_bodies(writer *w)
{
    const ff_model *m = w->model;
    int joint = 0;
    for (int b = 0; b < m->nbody; b++) {
        put(w, "<body");
        put_name(w, m->bodies[b].name, "");
        put_frame(w, b);
        put(w, ">\n");
        put_inertial(w, b);
        for (; joint < m->njoint && m->joints[joint].body == b; joint++) put_user_joint(w, &m->joints[joint]);
        if (w->step > 0.0) put_shapes(w, b);
        // depth-first order: close every body that is not the parent of the next one
        int next_parent = b + 1 < m->nbody ? m->bodies[b + 1].parent : -1;
        for (int open = b; open != next_parent && open >= 0; open = m->bodies[open].parent) put(w, "</body>\n");
    }
}

static char *write_model(const ff_model *model, double step, char *trouble, size_t size)
{
    const char *reason = obstacle(model);
    if (reason) {
        snprintf(trouble, size, "%s: MuJoCo has no such thing", reason);
        return NULL;
    }
    writer w = {.model = model, .data = ff_data_create(model, NULL), .step = step};
    if (w.data) {
        ff_dyn_kinematics(model, w.data);
        put(&w, "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n<option");
        put_numbers(&w, "gravity", model->gravity, 3);
        if (step > 0.0) put_numbers(&w, "timestep", &step, 1);
        put(&w, "/>\n<worldbody>\n");
        if (step > 0.0) put_shapes(&w, -1);
        put_bodies(&w);
        put(&w, "</worldbody>\n</mujoco>\n");
    }
    bool failed = !w.data || w.short_of_memory;
    ff_data_destroy(w.data);
    if (!failed) return w.text;
    free(w.text);
    snprintf(trouble, size, "out of memory");
    return NULL;
}

char *mjcf_write(const ff_model *model, char *trouble, size_t size)
{
    return write_model(model, 0.0, trouble, size);
}

char *mjcf_write_contacts(const ff_model *model, double step, char *trouble, size_t size)
{
    return write_model(model, step, trouble, size);
}
