// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// URDF of a robot: a tree of links, each connected to its parent by one joint whose frame is the link's. A body with
// several joints, or with one whose anchor is not its origin, is connected through links without mass; a reference that
// is not zero turns or moves the joint's frame instead, so that q means the same. Frames become links, too. A robot
// that is not one link fixed at the origin of the world becomes the child of a link "world".
#include "files/writing.h"
#include "text/names.h"
#include "urdf/urdf.h"

#include <footfall/math.h>

#include <stdlib.h>
#include <string.h>

#define NO_LIMIT 1e16 // what converters write, and our reader understands, where a limit is needed and there is none

typedef struct urdf_writing {
    ff_writing w;
    ff_names names;   // of links and joints
    const char *root; // link of the world, NULL: the root body itself
} urdf_writing;

// ------------------------------------------------------------------------------------------ names

/// Registers the names of the robot, with room for those that the writer adds: a fixed joint for each body and frame, a
/// link for each frame and joint, a motor for each joint, and the world.
static bool begin_names(urdf_writing *u)
{
    const ff_model *m = u->w.model;
    if (!ff_names_init(&u->names, &u->w.arena, 2 * m->nbody + 3 * m->njoint + 2 * m->nframe + 1)) return false;
    for (int i = 0; i < m->nbody; i++) ff_names_put(&u->names, m->bodies[i].name, 0);
    for (int i = 0; i < m->njoint; i++) ff_names_put(&u->names, m->joints[i].name, 0);
    return true;
}

/// A name for a link or joint that the writer adds; "" when out of memory.
static const char *free_name(urdf_writing *u, const char *one, const char *two)
{
    const char *name = ff_arena_printf(&u->w.arena, "%s%s", one, two);
    while (name && ff_names_get(&u->names, name) >= 0) name = ff_arena_printf(&u->w.arena, "%s_", name);
    if (!name) return "";
    ff_names_put(&u->names, name, 0);
    return name;
}

// ------------------------------------------------------------------------------------------ poses

/// Turns about the fixed axes x, y, z in this order. Roll is computed after yaw is removed, so that near a pitch of 90
/// degrees, where both have nearly the same axis, their sum is exact.
static void roll_pitch_yaw(const double quat[4], double rpy[3])
{
    double q[4], R[9];
    ff_quat_copy(q, quat);
    ff_quat_normalise(q);
    ff_quat_to_mat3(R, q);
    const double yaw = ff_atan2(R[3], R[0]), c = ff_cos(yaw), s = ff_sin(yaw);
    rpy[0] = ff_atan2(s * R[2] - c * R[5], c * R[4] - s * R[1]);
    rpy[1] = ff_atan2(-R[6], c * R[0] + s * R[3]);
    rpy[2] = yaw;
}

static void put_origin(ff_writing *w, const double pos[3], const double quat[4])
{
    static const double origin[3] = {0, 0, 0};
    double rpy[3];
    roll_pitch_yaw(quat, rpy);
    const bool moved = memcmp(pos, origin, sizeof origin) != 0,
               turned = rpy[0] != 0.0 || rpy[1] != 0.0 || rpy[2] != 0.0;
    if (!moved && !turned) return;
    ff_put_format(w, "    <origin");
    if (moved) ff_put_numbers(w, "xyz", pos, 3);
    if (turned) ff_put_numbers(w, "rpy", rpy, 3);
    ff_put_format(w, "/>\n");
}

// ------------------------------------------------------------------------------------------ joints

static void begin_joint(ff_writing *w, const char *name, const char *type, const char *parent, const char *child,
                        const double pos[3], const double quat[4])
{
    ff_put_format(w, "  <joint");
    ff_put_text(w, "name", name);
    ff_put_format(w, " type=\"%s\">\n    <parent", type);
    ff_put_text(w, "link", parent);
    ff_put_format(w, "/>\n    <child");
    ff_put_text(w, "link", child);
    ff_put_format(w, "/>\n");
    put_origin(w, pos, quat);
}

static void put_fixed(urdf_writing *u, const char *parent, const char *child, const double pos[3], const double quat[4])
{
    begin_joint(&u->w, free_name(u, child, "_fixed"), "fixed", parent, child, pos, quat);
    ff_put_format(&u->w, "  </joint>\n");
}

static void put_limit(ff_writing *w, const ff_joint *joint)
{
    const bool slide = joint->type == FF_JOINT_SLIDE;
    const double open[2] = {-NO_LIMIT, NO_LIMIT}, *range = joint->limited ? joint->range : open;
    if (!joint->limited && !slide && !(joint->effort > 0.0 || joint->speed > 0.0)) return;
    ff_put_format(w, "    <limit");
    if (joint->limited || slide) {
        ff_put_number(w, "lower", range[0]);
        ff_put_number(w, "upper", range[1]);
    }
    ff_put_number(w, "effort", joint->effort > 0.0 ? joint->effort : NO_LIMIT);
    ff_put_number(w, "velocity", joint->speed > 0.0 ? joint->speed : NO_LIMIT);
    ff_put_format(w, "/>\n");
    if (joint->limited && range[0] == 0.0 && range[1] == 0.0)
        ff_report_omission(w, "both limits are 0, which readers of URDF take for none", joint->name, joint->place);
}

/// The first coupling of a joint to another, NULL for none.
static const ff_equality *coupling_of(const ff_model *m, int joint)
{
    for (int i = 0; i < m->nequality; i++) {
        const ff_equality *e = &m->equalities[i];
        if (e->type == FF_EQUALITY_JOINT && e->object1 == joint) return e;
    }
    return NULL;
}

/// Can URDF describe the coupling: does a single joint follow one that follows none, along a line?
static bool is_mimic(const ff_model *m, const ff_equality *e)
{
    const bool line = e->data[2] == 0.0 && e->data[3] == 0.0 && e->data[4] == 0.0;
    return e->type == FF_EQUALITY_JOINT && e->active && line && e->object2 >= 0 && m->joints[e->object1].mimic < 0 &&
           m->joints[e->object2].mimic < 0 && coupling_of(m, e->object1) == e && !coupling_of(m, e->object2);
}

static void put_mimic(ff_writing *w, const ff_joint *joint)
{
    const ff_model *m = w->model;
    const ff_equality *e = coupling_of(m, (int)(joint - m->joints));
    int leader = joint->mimic;
    double gain = joint->mimic_gain, offset = joint->mimic_offset;
    if (leader < 0 && e && is_mimic(m, e)) {
        leader = e->object2;
        gain = e->data[1];
        offset = e->data[5] + e->data[0] - gain * e->data[6];
    }
    if (leader < 0) return;
    ff_put_format(w, "    <mimic");
    ff_put_text(w, "joint", m->joints[leader].name);
    ff_put_number(w, "multiplier", gain);
    ff_put_number(w, "offset", offset);
    ff_put_format(w, "/>\n");
}

static void put_joint(ff_writing *w, const ff_joint *joint, const char *parent, const char *child, const double pos[3],
                      const double quat[4])
{
    static const char *const types[FF_JOINT_COUNT] = {[FF_JOINT_HINGE] = "continuous",
                                                      [FF_JOINT_SLIDE] = "prismatic",
                                                      [FF_JOINT_FREE] = "floating",
                                                      [FF_JOINT_PLANAR] = "planar"};
    const bool scalar = ff_joint_is_scalar(joint->type);
    const bool revolute = joint->type == FF_JOINT_HINGE && joint->limited;
    begin_joint(w, joint->name, revolute ? "revolute" : types[joint->type], parent, child, pos, quat);
    if (joint->type != FF_JOINT_FREE) {
        ff_put_format(w, "    <axis");
        ff_put_numbers(w, "xyz", joint->axis, 3);
        ff_put_format(w, "/>\n");
    }
    if (scalar) put_limit(w, joint);
    if (joint->damping > 0.0 || joint->dry_friction > 0.0) {
        ff_put_format(w, "    <dynamics");
        ff_put_unless(w, "damping", joint->damping, 0.0);
        ff_put_unless(w, "friction", joint->dry_friction, 0.0);
        ff_put_format(w, "/>\n");
    }
    put_mimic(w, joint);
    ff_put_format(w, "  </joint>\n");
    if (joint->stiffness > 0.0) ff_report_omission(w, "URDF has no joint springs", joint->name, joint->place);
    if (!scalar && joint->armature > 0.0)
        ff_report_omission(w, "rotors are written for hinges and slides alone", joint->name, joint->place);
    if (!scalar && joint->limited)
        ff_report_omission(w, "limits are written for hinges and slides alone", joint->name, joint->place);
}

/// Pose at q = 0, as URDF needs it, of the frame of a joint that is at (pos, quat) with q at its reference.
static void undo_reference(const ff_writing *w, const ff_joint *joint, double pos[3], double quat[4])
{
    const double ref = w->model->nodes[joint->node].ref;
    double turn[4], away[3], out[4];
    if (!ff_joint_is_scalar(joint->type) || ref == 0.0) return;
    if (joint->type == FF_JOINT_SLIDE) {
        ff_quat_rotate(away, quat, joint->axis);
        ff_vec3_axpy(pos, -ref, away);
        return;
    }
    ff_quat_from_axis_angle(turn, joint->axis, -ref);
    ff_quat_mul(out, quat, turn);
    ff_quat_copy(quat, out);
}

static void put_empty_link(ff_writing *w, const char *name)
{
    ff_put_format(w, "  <link");
    ff_put_text(w, "name", name);
    ff_put_format(w, "/>\n");
}

/// The joints of a body, and links between them; `first` is its first joint. @return the joint behind its last
static int put_body_joints(urdf_writing *u, int body, int first)
{
    static const double none[3] = {0, 0, 0};
    ff_writing *w = &u->w;
    const ff_model *m = w->model;
    const ff_spec_body *from = &w->spec->bodies[w->spec_body[body]];
    const char *parent = m->bodies[body].parent < 0 ? u->root : m->bodies[m->bodies[body].parent].name;
    double pos[3], quat[4]; // of the body, seen from the link above it
    bool placed = parent == NULL;
    int j = first;
    ff_vec3_copy(pos, from->pos);
    ff_quat_copy(quat, from->quat);
    ff_quat_normalise(quat);
    for (; j < m->njoint && m->joints[j].body == body; j++) {
        const ff_joint *joint = &m->joints[j];
        const bool turns = joint->type == FF_JOINT_HINGE || joint->type == FF_JOINT_PLANAR;
        const double *anchor = turns ? joint->pos : none;
        const bool last = j + 1 == m->njoint || m->joints[j + 1].body != body;
        double away[3];
        placed = last && memcmp(anchor, none, sizeof none) == 0;
        const char *child = placed ? m->bodies[body].name : free_name(u, joint->name, "_link");
        ff_quat_rotate(away, quat, anchor);
        ff_vec3_add(pos, pos, away);
        undo_reference(w, joint, pos, quat);
        put_joint(w, joint, parent, child, pos, quat);
        if (!placed) put_empty_link(w, child);
        parent = child;
        ff_vec3_scale(pos, anchor, -1.0);
        ff_quat_identity(quat);
    }
    if (!placed) put_fixed(u, parent, m->bodies[body].name, pos, quat);
    return j;
}

// ------------------------------------------------------------------------------------------ links

static void put_inertial(ff_writing *w, const ff_body *body)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    static const double upright[4] = {1, 0, 0, 0};
    bool heavy = body->mass != 0.0;
    for (int k = 0; k < 6; k++) heavy = heavy || body->inertia[k] != 0.0;
    if (!heavy) return;
    ff_put_format(w, "    <inertial>\n");
    put_origin(w, body->com, upright);
    ff_put_format(w, "    <mass");
    ff_put_number(w, "value", body->mass);
    ff_put_format(w, "/>\n    <inertia");
    for (int k = 0; k < 6; k++) ff_put_number(w, names[k], body->inertia[k]);
    ff_put_format(w, "/>\n    </inertial>\n");
}

/// @param file  of a mesh
static void put_geometry(ff_writing *w, const ff_spec_geom *g, const char *file)
{
    const double *s = g->size;
    ff_put_format(w, "    <geometry><");
    switch (g->type) {
    case FF_SHAPE_SPHERE:
        ff_put_format(w, "sphere");
        ff_put_number(w, "radius", s[0]);
        break;
    case FF_SHAPE_CAPSULE:
    case FF_SHAPE_CYLINDER:
        ff_put_format(w, "%s", ff_shape_name(g->type));
        ff_put_number(w, "radius", s[0]);
        ff_put_number(w, "length", 2.0 * s[1]);
        break;
    case FF_SHAPE_ELLIPSOID:
        ff_put_format(w, "drake:ellipsoid");
        ff_put_number(w, "a", s[0]);
        ff_put_number(w, "b", s[1]);
        ff_put_number(w, "c", s[2]);
        break;
    case FF_SHAPE_BOX:
        ff_put_format(w, "box");
        ff_put_numbers(w, "size", (const double[3]){2.0 * s[0], 2.0 * s[1], 2.0 * s[2]}, 3);
        break;
    default:
        ff_put_format(w, "mesh");
        ff_put_text(w, "filename", file);
        ff_put_numbers(w, "scale", w->spec->meshes[g->mesh].scale, 3);
    }
    ff_put_format(w, "/></geometry>\n");
}

/// Properties of Drake: friction, and the stiffness where they can describe the law.
static void put_contact(ff_writing *w, const ff_spec_geom *g)
{
    ff_material material;
    double mu[2] = {g->friction[0], g->friction[0]};
    const bool known = g->material && ff_writing_material(w, g->material, &material);
    if (!known && !g->has_friction) return;
    if (known) {
        const bool slips = material.friction.law == FF_FRICTION_NONE;
        mu[0] = slips ? 0.0 : material.friction.mu_static;
        mu[1] = slips ? 0.0 : material.friction.mu_kinetic;
    }
    ff_put_format(w, "    <drake:proximity_properties><drake:mu_static");
    ff_put_number(w, "value", mu[0]);
    ff_put_format(w, "/><drake:mu_dynamic");
    ff_put_number(w, "value", mu[1]);
    ff_put_format(w, "/>");
    const ff_normal *n = &material.normal;
    if (known && n->law == FF_NORMAL_HUNT_CROSSLEY && n->exponent == 1.0 && isfinite(n->stiffness)) {
        ff_put_format(w, "<drake:point_contact_stiffness");
        ff_put_number(w, "value", n->stiffness);
        ff_put_format(w, "/><drake:hunt_crossley_dissipation");
        ff_put_number(w, "value", n->damping / n->stiffness);
        ff_put_format(w, "/>");
    } else if (known) {
        ff_report_omission(w, "of its material the friction is written: URDF has no such normal law", g->material,
                           g->place);
    }
    ff_put_format(w, "</drake:proximity_properties>\n");
}

static void put_shape_as(ff_writing *w, const ff_spec_geom *g, const char *file, bool visual)
{
    const char *element = visual ? "visual" : "collision";
    ff_put_format(w, "    <%s", element);
    if (g->name && g->name[0]) ff_put_text(w, "name", g->name);
    ff_put_format(w, ">\n");
    put_origin(w, g->pos, g->quat);
    put_geometry(w, g, file);
    if (visual) {
        ff_put_format(w, "    <material name=\"colour_%d\"><color", (int)(g - w->spec->geoms));
        ff_put_numbers(w, "rgba", g->rgba, 4);
        ff_put_format(w, "/></material>\n");
    } else {
        put_contact(w, g);
    }
    ff_put_format(w, "    </%s>\n", element);
}

static void put_shape(ff_writing *w, const ff_spec_geom *g, const char *link)
{
    const char *name = g->name && g->name[0] ? g->name : link;
    const bool meets = g->role != FF_GEOM_VISUAL && (g->contype != 0 || g->conaffinity != 0);
    const bool has_mesh = g->type == FF_SHAPE_MESH;
    char *file = has_mesh && g->mesh >= 0 ? ff_writing_mesh_file(&w->spec->meshes[g->mesh]) : NULL;
    if (g->type == FF_SHAPE_PLANE) {
        ff_report_omission(w, "the plane is left out: URDF has none", name, g->place);
        return;
    }
    if (has_mesh && !file) {
        ff_report_omission(w, "the shape is left out: its mesh is not that of a file, but for its scale", name,
                           g->place);
        return;
    }
    if (g->role != FF_GEOM_COLLISION) put_shape_as(w, g, file, true);
    if (meets) put_shape_as(w, g, file, false);
    free(file);
    if (meets && (g->contype != 1 || g->conaffinity != 1))
        ff_report_omission(w, "URDF has no types and affinities of collision", name, g->place);
}

/// A link of the model's body; -1: the world.
static void put_link(ff_writing *w, const char *name, int body)
{
    ff_put_format(w, "  <link");
    ff_put_text(w, "name", name);
    ff_put_format(w, ">\n");
    if (body >= 0) put_inertial(w, &w->model->bodies[body]);
    for (int i = w->first[body + 1]; i < w->first[body + 2]; i++) put_shape(w, &w->spec->geoms[w->geoms[i]], name);
    ff_put_format(w, "  </link>\n");
}

static void put_frames(urdf_writing *u)
{
    const ff_model *m = u->w.model;
    for (int i = 0; i < m->nframe; i++) {
        const ff_frame *f = &m->frames[i];
        const char *link = free_name(u, f->name, "");
        put_empty_link(&u->w, link);
        put_fixed(u, f->body < 0 ? u->root : m->bodies[f->body].name, link, f->pos, f->quat);
    }
}

// ------------------------------------------------------------------------------------------ drives

static void put_transmission(ff_writing *w, const char *name, const ff_joint *joint, double gear, double armature)
{
    ff_put_format(w, "  <transmission");
    ff_put_text(w, "name", name);
    ff_put_format(w, ">\n    <type>transmission_interface/SimpleTransmission</type>\n    <joint");
    ff_put_text(w, "name", joint->name);
    ff_put_format(
        w, "><hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface></joint>\n    <actuator");
    ff_put_text(w, "name", name);
    ff_put_format(w, ">");
    ff_put_element(w, "mechanicalReduction", gear);
    if (armature > 0.0) ff_put_element(w, "motorInertia", armature / (gear * gear));
    ff_put_format(w, "</actuator>\n  </transmission>\n");
}

static void put_drives(urdf_writing *u)
{
    ff_writing *w = &u->w;
    const ff_model *m = w->model;
    bool *has_rotor = FF_ARENA_NEW(&w->arena, bool, m->njoint + 1);
    if (!has_rotor) return;
    for (int i = 0; i < m->nactuator; i++) {
        const ff_actuator *a = &m->actuators[i];
        const ff_spec_actuator *from = &w->spec->actuators[i];
        if (a->joint < 0 || !ff_joint_is_scalar(m->joints[a->joint].type)) {
            ff_report_omission(w, "the actuator is left out: transmissions of URDF are for hinges and slides", a->name,
                               from->place);
            continue;
        }
        const ff_joint *joint = &m->joints[a->joint];
        put_transmission(w, a->name, joint, a->gear != 0.0 ? a->gear : 1.0,
                         has_rotor[a->joint] ? 0.0 : joint->armature);
        has_rotor[a->joint] = true;
        const bool muscle = a->active.acts || a->passive.acts;
        if (muscle) ff_report_omission(w, "URDF has no muscles: it is written as a motor", a->name, from->place);
        const bool law = a->bias[0] != 0.0 || a->bias[1] != 0.0 || a->bias[2] != 0.0 || a->gain != 1.0 || a->state >= 0;
        if (law && !muscle)
            ff_report_omission(w, "URDF has no actuator laws: it is written as a motor", a->name, from->place);
        if (a->force_limited || a->command_limited)
            ff_report_omission(w, "URDF has no actuator limits: the effort limit of the joint is written", a->name,
                               from->place);
    }
    for (int j = 0; j < m->njoint; j++) {
        const ff_joint *joint = &m->joints[j];
        if (has_rotor[j] || !(joint->armature > 0.0) || !ff_joint_is_scalar(joint->type)) continue;
        put_transmission(w, free_name(u, joint->name, "_rotor"), joint, 1.0, joint->armature);
        ff_report_omission(w, "armature is that of a motor in URDF: the joint gets one", joint->name, joint->place);
    }
    for (int i = 0; i < w->spec->ndrive; i++)
        ff_report_omission(w, "of the drive a motor is written at most: URDF has no loops, losses, levers and cranks",
                           w->spec->drives[i].name, w->spec->drives[i].place);
}

// ------------------------------------------------------------------------------------------ the whole

/// Reports as errors what a URDF could only describe as a different robot.
static bool check(ff_writing *w)
{
    bool good = true;
    for (int j = 0; j < w->model->njoint; j++) {
        const ff_joint *joint = &w->model->joints[j];
        if (joint->type != FF_JOINT_BALL) continue;
        ff_report_add(w->report, FF_ERROR, joint->place,
                      "joint \"%.100s\" is a ball, which URDF cannot say: make it three hinges, or write MJCF",
                      joint->name);
        good = false;
    }
    return good;
}

/// Has the world other children than one body fixed at its origin?
static bool needs_world(const ff_writing *w)
{
    static const double origin[3] = {0, 0, 0}, upright[4] = {1, 0, 0, 0};
    const ff_model *m = w->model;
    int roots = 0;
    for (int b = 0; b < m->nbody; b++) roots += m->bodies[b].parent < 0;
    for (int i = 0; i < w->spec->ngeom; i++) roots += w->spec->geoms[i].body < 0;
    for (int i = 0; i < m->nframe; i++) roots += m->frames[i].body < 0;
    if (roots != 1) return true;
    const ff_spec_body *root = &w->spec->bodies[w->spec_body[0]];
    return m->bodies[0].node >= 0 || memcmp(root->pos, origin, sizeof origin) != 0 ||
           memcmp(root->quat, upright, sizeof upright) != 0;
}

static void report_rest(ff_writing *w)
{
    static const double standard[3] = {0, 0, -9.81};
    const ff_spec *s = w->spec;
    if (memcmp(s->gravity, standard, sizeof standard) != 0)
        ff_report_omission(w, "URDF has no gravity: readers assume (0, 0, -9.81) m/s^2", s->name, (ff_place){0});
    for (int i = 0; i < s->nbody; i++)
        if (s->bodies[i].gravcomp != 0.0)
            ff_report_omission(w, "URDF has no gravity compensation", s->bodies[i].name, s->bodies[i].place);
    for (int i = 0; i < w->model->nequality; i++)
        if (!is_mimic(w->model, &w->model->equalities[i]))
            ff_report_omission(w, "the loop or coupling is left out: URDF is a tree", s->equalities[i].name,
                               s->equalities[i].place);
    if (s->density > 0.0 || s->viscosity > 0.0)
        ff_report_omission(w, "URDF has no surrounding air or liquid", s->name, (ff_place){0});
    for (int i = 0; i < s->ntendon; i++)
        ff_report_omission(w, "URDF has no tendons", s->tendons[i].name, s->tendons[i].place);
    for (int i = 0; i < s->npair; i++)
        ff_report_omission(w, "URDF has no pairs of shapes that always meet", s->pairs[i].geom1, s->pairs[i].place);
    for (int i = 0; i < w->model->nsensor; i++)
        ff_report_omission(w, "URDF has no such sensor", s->sensors[i].name, s->sensors[i].place);
    for (int i = 0; i < s->nkey; i++) ff_report_omission(w, "URDF has no poses", s->keys[i].name, s->keys[i].place);
    for (int i = 0; i < s->nleg; i++) ff_report_omission(w, "URDF has no legs", s->legs[i].name, s->legs[i].place);
    for (int i = 0; i < s->nhand; i++) ff_report_omission(w, "URDF has no hands", s->hands[i].name, s->hands[i].place);
    for (int i = 0; i < s->nbattery; i++)
        ff_report_omission(w, "URDF has no batteries", s->batteries[i].name, s->batteries[i].place);
}

static void put_robot(urdf_writing *u)
{
    ff_writing *w = &u->w;
    const ff_model *m = w->model;
    ff_put_format(w, "<robot");
    ff_put_text(w, "name", w->spec->name && w->spec->name[0] ? w->spec->name : "robot"); // ROS needs one
    ff_put_format(w, " xmlns:drake=\"http://drake.mit.edu\">\n");
    if (needs_world(w)) u->root = free_name(u, "world", "");
    if (u->root) put_link(w, u->root, -1);
    for (int b = 0, joint = 0; b < m->nbody; b++) {
        put_link(w, m->bodies[b].name, b);
        joint = put_body_joints(u, b, joint);
    }
    put_frames(u);
    put_drives(u);
    for (int i = 0; i < m->nexclude; i++) {
        const int *pair = &m->excludes[2 * i];
        if (!u->root && (pair[0] < 0 || pair[1] < 0)) continue; // nothing stands at the world
        ff_put_format(w, "  <disable_collisions");
        ff_put_text(w, "link1", pair[0] < 0 ? u->root : m->bodies[pair[0]].name);
        ff_put_text(w, "link2", pair[1] < 0 ? u->root : m->bodies[pair[1]].name);
        ff_put_format(w, "/>\n");
    }
    ff_put_format(w, "</robot>\n");
    report_rest(w);
}

char *urdf_write(const ff_spec *spec, const ff_load_options *options, ff_report *report)
{
    urdf_writing u = {0};
    if (!ff_writing_begin(&u.w, spec, options, report)) return ff_writing_end(&u.w);
    const bool good = check(&u.w) && begin_names(&u);
    if (good) put_robot(&u);
    char *text = ff_writing_end(&u.w);
    if (good) return text;
    free(text);
    return NULL;
}
