// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// MJCF of a robot, for MuJoCo 2.2.2 and later: the same bodies in the same order under the same names, so that q and v
// mean the same. The pose of a body in the frame of its parent is that with all joints at their reference, as in a
// description. Joints that MJCF lacks are taken apart: planar becomes slide, slide, hinge; free below a moving body
// becomes three slides and a ball.
//
// Masses are always written, as principal moments with a quaternion. The full tensor would be shorter, but MuJoCo's own
// computation of the principal axes has an error of up to 1.4e-6 rad.
#include "mjcf/write.h"

#include <footfall/linalg.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/compile.h"

static const double LEAST = 1e-15; // mass and moments of what moves must be above it in MuJoCo (mjMINVAL)

static void put_pose(ff_writing *w, const double pos[3], const double quat[4])
{
    static const double origin[3] = {0, 0, 0}, upright[4] = {1, 0, 0, 0};
    if (memcmp(pos, origin, sizeof origin) != 0) ff_put_numbers(w, "pos", pos, 3);
    if (memcmp(quat, upright, sizeof upright) != 0) ff_put_numbers(w, "quat", quat, 4);
}

static void indent(ff_writing *w, int depth)
{
    for (int i = 0; i < depth; i++) ff_put_format(w, "  ");
}

// ------------------------------------------------------------------------------------------ masses

/// Principal moments, the least first, and the rotation to their axes.
static void principal(const ff_body *body, double moments[3], double quat[4])
{
    const double *I = body->inertia, tensor[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    double axes[9], side[3];
    ff_eigen_sym3(tensor, moments, axes);
    // z from x and y: the three may come as a left-handed set
    const double x[3] = {axes[0], axes[3], axes[6]}, y[3] = {axes[1], axes[4], axes[7]};
    ff_vec3_cross(side, x, y);
    for (int k = 0; k < 3; k++) axes[3 * k + 2] = side[k];
    ff_quat_from_mat3(quat, axes);
}

/// Does MuJoCo accept the body's own inertia, with principal moments A + B >= C up to rounding?
static bool is_possible(const ff_body *body)
{
    double moments[3], quat[4];
    principal(body, moments, quat);
    const double rounding = 1e-14 * moments[2];
    if (!(body->mass > 0.0)) return moments[2] == 0.0;
    return moments[0] >= -rounding && moments[0] + moments[1] >= moments[2] - rounding;
}

/// Bodies that are fixed to each other. Their carrier is the one with the joints, or the nearest to the world.
typedef struct mass_group {
    int carrier;
    ff_inertia sum;   // in the frame of the carrier
    bool is_possible; // the inertia of each body alone is; stored with the carrier
} mass_group;

/// One for each body. NULL: no memory.
static const mass_group *find_groups(ff_writing *w)
{
    const ff_model *m = w->model;
    mass_group *groups = FF_ARENA_NEW(&w->arena, mass_group, m->nbody + 1);
    for (int b = 0; groups && b < m->nbody; b++) {
        const ff_body *body = &m->bodies[b];
        const bool rigid = body->parent >= 0 && m->bodies[body->parent].node == body->node;
        groups[b] = (mass_group){.carrier = rigid ? groups[body->parent].carrier : b, .is_possible = true};
        mass_group *group = &groups[groups[b].carrier];
        const ff_body *base = &m->bodies[groups[b].carrier];
        double pos[3], R[9], away[3];
        ff_vec3_sub(away, body->pos, base->pos);
        ff_mat3_tmulv(pos, base->R, away);
        ff_mat3_tmul(R, base->R, body->R);
        const ff_inertia own = ff_inertia_from_com(body->mass, body->com, body->inertia);
        const ff_inertia moved = ff_inertia_transform(&own, pos, R);
        group->sum = ff_inertia_add(&group->sum, &moved);
        group->is_possible = group->is_possible && is_possible(body);
    }
    return groups;
}

static void put_inertia(ff_writing *w, const ff_body *body, int depth)
{
    double moments[3], quat[4];
    if (!(body->mass > 0.0)) return;
    principal(body, moments, quat);
    // MuJoCo has no tolerance for points and thin plates, whose rounding errors exceed its limits
    for (int k = 0; k < 3; k++) moments[k] = ff_max(moments[k], 0.0);
    moments[2] = ff_min(moments[2], moments[0] + moments[1]);
    indent(w, depth);
    ff_put_format(w, "<inertial");
    ff_put_numbers(w, "pos", body->com, 3);
    ff_put_numbers(w, "quat", quat, 4);
    ff_put_number(w, "mass", body->mass);
    ff_put_numbers(w, "diaginertia", moments, 3);
    ff_put_format(w, "/>\n");
}

/// URDF files give frames a made-up inertia that no body can have, which Footfall allows where the sum with the bodies
/// they are fixed to is possible. MuJoCo checks each body alone, so the carrier gets the sum then.
static void put_mass(ff_writing *w, const mass_group *groups, int body, int depth)
{
    const ff_body *own = &w->model->bodies[body];
    const mass_group *group = &groups[groups[body].carrier];
    const bool moves = own->node >= 0, carries = groups[body].carrier == body;
    ff_body all = *own;
    double moments[3], quat[4];
    all.mass = group->sum.mass;
    ff_inertia_to_com(&group->sum, all.com, all.inertia);
    principal(&all, moments, quat);
    if (!moves || group->is_possible) {
        put_inertia(w, own, depth);
    } else if (carries) {
        put_inertia(w, &all, depth);
        ff_report_omission(
            w,
            "MuJoCo checks each body alone, and one fixed to this has an impossible inertia: this one has the "
            "mass of all that are fixed to it",
            own->name, own->place);
    }
    if (w->spec->bodies[w->spec_body[body]].gravcomp != 0.0)
        ff_report_omission(w, "MuJoCo 2.2.2 has no gravity compensation", own->name, own->place);
    if (moves && carries && !(all.mass > LEAST && moments[0] > LEAST))
        ff_report_omission(w, "it moves without mass or without inertia about some axis, which MuJoCo refuses",
                           own->name, own->place);
}

// ------------------------------------------------------------------------------------------ joints

/// One joint of MJCF: `axis` is NULL for ball and free. Only joints that are not divided have springs and limits.
static void put_joint(ff_writing *w, const ff_joint *joint, const char *suffix, const char *type, const double *axis,
                      int depth)
{
    const char *name = ff_arena_printf(&w->arena, "%s%s", joint->name, suffix);
    const bool undivided = !suffix[0] && joint->type != FF_JOINT_FREE;
    static const double origin[3] = {0, 0, 0};
    indent(w, depth);
    ff_put_format(w, "<joint");
    ff_put_text(w, "name", name ? name : "");
    ff_put_format(w, " type=\"%s\"", type);
    const bool centred = joint->type == FF_JOINT_FREE || memcmp(joint->pos, origin, sizeof origin) == 0;
    if (!centred) ff_put_numbers(w, "pos", joint->pos, 3);
    if (axis) ff_put_numbers(w, "axis", axis, 3);
    if (undivided && axis) ff_put_unless(w, "ref", w->model->nodes[joint->node].ref, 0.0);
    ff_put_unless(w, "armature", joint->armature, 0.0);
    ff_put_unless(w, "damping", joint->damping, 0.0);
    ff_put_unless(w, "frictionloss", joint->dry_friction, 0.0);
    if (undivided) ff_put_unless(w, "stiffness", joint->stiffness, 0.0);
    if (undivided && axis) ff_put_unless(w, "springref", joint->spring_ref, 0.0);
    if (undivided && joint->limited) ff_put_numbers(w, "range", joint->range, 2);
    // MuJoCo 2.2.2 does not infer it from a range
    if (strcmp(type, "free") != 0) ff_put_format(w, " limited=\"%s\"", undivided && joint->limited ? "true" : "false");
    ff_put_format(w, "/>\n");
}

static void put_slides(ff_writing *w, const ff_joint *joint, int count, int depth)
{
    static const char *const suffix[3] = {".x", ".y", ".z"};
    double R[9];
    ff_mat3_identity(R);
    if (joint->type == FF_JOINT_PLANAR) ff_compile_frame_along(R, joint->axis);
    for (int k = 0; k < count; k++)
        put_joint(w, joint, suffix[k], "slide", (const double[3]){R[k], R[3 + k], R[6 + k]}, depth);
}

static void report_joint(ff_writing *w, const ff_joint *joint)
{
    const ff_spec_joint *from = &w->spec->joints[w->spec_joint[joint - w->model->joints]];
    if (!isnan(from->stop_stiffness) || !isnan(from->stop_damping))
        ff_report_omission(
            w, "stiffness and damping of its stops are left to MuJoCo, which holds limits by its own solver",
            joint->name, joint->place);
    if (from->dry_speed > 0.0)
        ff_report_omission(w, "its dry friction acts at once, whatever the speed", joint->name, joint->place);
    const bool driven = from->effort > 0.0 || from->speed > 0.0;
    if (driven)
        ff_report_omission(w, "MJCF has no effort and speed limits of joints: forces of actuators are limited",
                           joint->name, joint->place);
    if (joint->type != FF_JOINT_HINGE && joint->type != FF_JOINT_SLIDE && joint->type != FF_JOINT_BALL &&
        (joint->stiffness > 0.0 || joint->limited))
        ff_report_omission(w, "springs and limits are written for hinges, slides and balls alone", joint->name,
                           joint->place);
}

static void put_user_joint(ff_writing *w, const ff_joint *joint, int depth)
{
    const ff_model *m = w->model;
    report_joint(w, joint);
    switch (joint->type) {
    case FF_JOINT_HINGE:
        put_joint(w, joint, "", "hinge", joint->axis, depth);
        break;
    case FF_JOINT_SLIDE:
        put_joint(w, joint, "", "slide", joint->axis, depth);
        break;
    case FF_JOINT_BALL:
        put_joint(w, joint, "", "ball", NULL, depth);
        break;
    case FF_JOINT_PLANAR:
        put_slides(w, joint, 2, depth);
        put_joint(w, joint, ".angle", "hinge", joint->axis, depth);
        break;
    default:
        if (m->nodes[joint->node].type == FF_NODE_FREE) {
            put_joint(w, joint, "", "free", NULL, depth);
            break;
        }
        put_slides(w, joint, 3, depth);
        put_joint(w, joint, ".ball", "ball", NULL, depth);
    }
}

// ------------------------------------------------------------------------------------------ shapes and sites

/// Each material is reported once.
static bool is_first_of_material(const ff_spec *spec, const ff_spec_geom *g)
{
    for (const ff_spec_geom *other = spec->geoms; other < g; other++)
        if (other->material && strcmp(other->material, g->material) == 0) return false;
    return true;
}

static void put_friction(ff_writing *w, const ff_spec_geom *g)
{
    ff_material material;
    if (g->material && ff_writing_material(w, g->material, &material)) {
        const ff_friction *f = &material.friction;
        const double numbers[3] = {f->law == FF_FRICTION_NONE ? 0.0 : f->mu_kinetic, f->torsion, f->rolling};
        ff_put_numbers(w, "friction", numbers, 3);
        ff_put_format(w, " condim=\"%d\"", f->rolling > 0.0 ? 6 : f->torsion > 0.0 ? 4 : numbers[0] > 0.0 ? 3 : 1);
        if (is_first_of_material(w->spec, g))
            ff_report_omission(
                w,
                "of the material the friction is written: MuJoCo's solref is no stiffness in N/m, but relative "
                "to the inertia at the contact",
                g->material, g->place);
    } else if (g->has_friction) {
        ff_put_numbers(w, "friction", g->friction, 3);
        ff_put_format(w, " condim=\"%d\"", g->condim);
    }
}

/// Contact parameters of a geom that was read from MJCF.
static void put_contact(ff_writing *w, const ff_spec_geom *g)
{
    const ff_mjcf_contact *c = &g->mjcf;
    if (!c->given || g->material) return;
    ff_put_unless(w, "priority", c->priority, 0.0);
    ff_put_unless(w, "solmix", c->solmix, 1.0);
    const char *owner = g->name && g->name[0] ? g->name : mjcf_body_name(w, ff_writing_body(w, g->body));
    mjcf_put_hardness(w, c, owner, g->place);
}

/// A capsule without length is a sphere, and MJCF requires that type.
static ff_shape_type type_of(const ff_spec_geom *g)
{
    return g->type == FF_SHAPE_CAPSULE && g->size[1] == 0.0 ? FF_SHAPE_SPHERE : g->type;
}

static void put_size(ff_writing *w, const ff_spec_geom *g)
{
    const ff_shape_type type = type_of(g);
    static const int count[FF_SHAPE_COUNT] = {
        [FF_SHAPE_SPHERE] = 1,    [FF_SHAPE_CAPSULE] = 2, [FF_SHAPE_BOX] = 3, [FF_SHAPE_CYLINDER] = 2,
        [FF_SHAPE_ELLIPSOID] = 3, [FF_SHAPE_PLANE] = 3,   [FF_SHAPE_MESH] = 0};
    const double plane[3] = {g->size[0], g->size[1], 1.0}; // the third: spacing of a grid
    if (count[type] > 0) ff_put_numbers(w, "size", type == FF_SHAPE_PLANE ? plane : g->size, count[type]);
}

static void put_shape(ff_writing *w, const ff_spec_geom *g, int depth)
{
    static const double grey[4] = {0.5, 0.5, 0.5, 1.0};
    const bool visual = g->role == FF_GEOM_VISUAL;
    const char *owner = g->name && g->name[0] ? g->name : mjcf_body_name(w, ff_writing_body(w, g->body));
    const char *problem = mjcf_shape_obstacle(w, g);
    if (problem) {
        ff_report_omission(w, problem, owner, g->place);
        return;
    }
    if (!visual && g->type == FF_SHAPE_MESH && mjcf_is_fixed(w, g))
        ff_report_omission(w,
                           "a standing mesh or height field is met by its triangles here, in MuJoCo by its convex hull",
                           owner, g->place);
    indent(w, depth);
    ff_put_format(w, "<geom");
    if (g->name && g->name[0]) ff_put_text(w, "name", g->name);
    ff_put_format(w, " type=\"%s\"", ff_shape_name(type_of(g)));
    if (g->type == FF_SHAPE_MESH) ff_put_text(w, "mesh", w->spec->meshes[g->mesh].name);
    put_size(w, g);
    put_pose(w, g->pos, g->quat);
    if (memcmp(g->rgba, grey, sizeof grey) != 0) ff_put_numbers(w, "rgba", g->rgba, 4);
    ff_put_unless(w, "group", g->group, 0.0);
    ff_put_unless(w, "contype", visual ? 0 : g->contype, 1.0);
    ff_put_unless(w, "conaffinity", visual ? 0 : g->conaffinity, 1.0);
    if (!visual) put_friction(w, g);
    if (!visual) put_contact(w, g);
    if (g->ellipsoid) {
        ff_put_text(w, "fluidshape", "ellipsoid");
        ff_put_numbers(w, "fluidcoef", g->fluid, 5);
    }
    ff_put_format(w, "/>\n");
}

static void put_site(ff_writing *w, const char *name, const double pos[3], const double quat[4], int depth)
{
    indent(w, depth);
    ff_put_format(w, "<site");
    ff_put_text(w, "name", name);
    put_pose(w, pos, quat);
    mjcf_put_zone(w, name);
    ff_put_format(w, "/>\n");
}

/// What is fixed to a body of the model, -1: to the world.
static void put_fixed(ff_writing *w, int body, int depth)
{
    const ff_model *m = w->model;
    for (int i = w->first[body + 1]; i < w->first[body + 2]; i++) put_shape(w, &w->spec->geoms[w->geoms[i]], depth);
    for (int i = 0; i < m->nframe; i++)
        if (m->frames[i].body == body) put_site(w, m->frames[i].name, m->frames[i].pos, m->frames[i].quat, depth);
    for (int i = 0; i < w->nextra; i++)
        if (w->extra[i].body == body) put_site(w, w->extra[i].name, w->extra[i].pos, w->extra[i].quat, depth);
}

// ------------------------------------------------------------------------------------------ the whole

/// MJCF allows free joints only on children of the world. Where another fixed body has a child with a free joint, all
/// children of fixed bodies become children of the world: in the same order, at the same places.
static bool is_flattened(const ff_model *m)
{
    for (int j = 0; j < m->njoint; j++)
        if (m->nodes[m->joints[j].node].type == FF_NODE_FREE && m->bodies[m->joints[j].body].parent >= 0) return true;
    return false;
}

static int parent_of(const ff_model *m, int body, bool flattened)
{
    const int parent = m->bodies[body].parent;
    return flattened && parent >= 0 && m->bodies[parent].node < 0 ? -1 : parent;
}

static void begin_body(ff_writing *w, int body, int parent)
{
    const ff_spec_body *from = &w->spec->bodies[w->spec_body[body]];
    double pos[3], quat[4];
    ff_vec3_copy(pos, from->pos);
    ff_quat_copy(quat, from->quat);
    if (parent != w->model->bodies[body].parent) ff_writing_rest(w, body, pos, quat);
    ff_put_format(w, "<body");
    ff_put_text(w, "name", mjcf_body_name(w, body));
    put_pose(w, pos, quat);
    if (from->mocap) ff_put_text(w, "mocap", "true");
    ff_put_format(w, ">\n");
}

static void put_tree(ff_writing *w)
{
    const ff_model *m = w->model;
    const bool flattened = is_flattened(m);
    const mass_group *groups = find_groups(w);
    int joint = 0, depth = 2;
    if (!groups) return;
    ff_put_format(w, "  <worldbody>\n");
    put_fixed(w, -1, depth);
    for (int b = 0; b < m->nbody; b++) {
        indent(w, depth++);
        begin_body(w, b, parent_of(m, b, flattened));
        put_mass(w, groups, b, depth);
        for (; joint < m->njoint && m->joints[joint].body == b; joint++) put_user_joint(w, &m->joints[joint], depth);
        put_fixed(w, b, depth);
        // depth-first order: close every body that is not the parent of the next one
        const int next_parent = b + 1 < m->nbody ? parent_of(m, b + 1, flattened) : -1;
        for (int open = b; open != next_parent && open >= 0; open = parent_of(m, open, flattened)) {
            indent(w, --depth);
            ff_put_format(w, "</body>\n");
        }
    }
    ff_put_format(w, "  </worldbody>\n");
}

char *mjcf_write(const ff_spec *spec, const ff_load_options *options, ff_report *report)
{
    ff_writing w;
    if (!ff_writing_begin(&w, spec, options, report)) return ff_writing_end(&w);
    // the tree, which precedes drives, loops and sensors, needs their sites, which are known when these are written
    mjcf_put_tendons(&w);
    const int nactuator = mjcf_put_drives(&w);
    mjcf_put_loops(&w);
    mjcf_put_contacts(&w);
    mjcf_put_sensors(&w);
    mjcf_put_keys(&w, nactuator);
    mjcf_report_rest(&w);
    char *others = w.text;
    w.text = NULL;
    w.length = w.capacity = 0;
    ff_put_format(&w, "<mujoco");
    if (spec->name && spec->name[0]) ff_put_text(&w, "model", spec->name);
    ff_put_format(&w, ">\n  <compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n  <option");
    ff_put_numbers(&w, "gravity", spec->gravity, 3);
    ff_put_unless(&w, "density", spec->density, 0.0);
    ff_put_unless(&w, "viscosity", spec->viscosity, 0.0);
    if (spec->wind[0] != 0.0 || spec->wind[1] != 0.0 || spec->wind[2] != 0.0) ff_put_numbers(&w, "wind", spec->wind, 3);
    mjcf_put_magnetic(&w);
    ff_put_format(&w, "/>\n");
    mjcf_put_meshes(&w);
    put_tree(&w);
    ff_put_raw(&w, others ? others : "");
    ff_put_format(&w, "</mujoco>\n");
    free(others);
    return ff_writing_end(&w);
}
