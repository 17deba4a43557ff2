// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects of the scene file: a shape with a mass that is free, slides along some axes of the world, or is fixed; a
// single one, or a lattice of equal ones. All objects of a scene form one description, as a robot does.
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OBJECTS 20000

/// One entry of the list while it is read.
typedef struct object {
    ff_yaml *node;
    int number; // in the list, from 1
    const char *name;
    const char *moves; // "all", "none", or axes
    double pos[3], quat[4], velocity[3], spin[3];
    int count[3];
    double spacing[3];
    double perturb[3]; // largest shift of each along the axes of the world  [m]
} object;

// ------------------------------------------------------------------------------------------ reading

/// Reads the directions in which it can move: "all", "none" or some of the letters x, y, z, each once.
static bool read_moves(const ff_scene_reader *r, object *o, bool point)
{
    o->moves = ff_yaml_string(o->node, "moves", point ? "xyz" : "all", r->report);
    if (!point || strcmp(o->moves, "all") != 0) return true;
    ff_report_add(r->report, FF_ERROR, ff_yaml_get(o->node, "moves")->place,
                  "a point cannot turn: 'moves' is none, or some of xyz");
    return false;
}

static bool read_lattice(const ff_scene_reader *r, object *o)
{
    double count[3] = {1, 1, 1};
    if (ff_yaml_numbers(o->node, "count", count, 3, 3, r->report) < 0) return false;
    if (count[0] * count[1] * count[2] > MOST_OBJECTS) {
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(o->node, "count")->place,
                      "%g x %g x %g objects: there can be at most %d together", count[0], count[1], count[2],
                      MOST_OBJECTS);
        return false;
    }
    for (int k = 0; k < 3; k++) o->count[k] = (int)count[k];
    bool several = count[0] * count[1] * count[2] > 1;
    if (several && !ff_yaml_need(o->node, "spacing", r->report)) return false;
    return ff_yaml_numbers(o->node, "spacing", o->spacing, 3, 3, r->report) >= 0;
}

/// Reads `perturb`: one number for all axes, or three.
static bool read_perturb(const ff_scene_reader *r, object *o)
{
    ff_yaml *node = ff_yaml_get(o->node, "perturb");
    double most = 0.0;
    if (!node) return true;
    if (node->type == FF_YAML_LIST) return ff_yaml_as_numbers(node, o->perturb, 3, 3, r->report) == 3;
    if (!ff_yaml_as_number(node, &most, r->report)) return false;
    ff_vec3_set(o->perturb, most, most, most);
    return true;
}

/// Shifts an object at random. Each has its own random stream, so that it does not depend on other objects.
static void perturb(uint64_t seed, const object *o, int index, double pos[3])
{
    ff_random random = ff_random_make(seed, 0x6f626a0000000000u + ((uint64_t)o->number << 16) + (uint64_t)index);
    for (int k = 0; k < 3; k++) {
        const double along = ff_random_range(&random, -1.0, 1.0);
        if (o->perturb[k] > 0.0) pos[k] += along * o->perturb[k];
    }
}

static bool read_motion(const ff_scene_reader *r, object *o)
{
    int errors = r->report->errors;
    ff_quat_identity(o->quat);
    ff_yaml_pose(o->node, o->pos, o->quat, r->report);
    ff_yaml_numbers(o->node, "velocity", o->velocity, 3, 3, r->report);
    ff_yaml *spin = ff_yaml_get(o->node, "spin");
    if (spin) ff_yaml_as_numbers(spin, o->spin, 3, 3, r->report);
    if (spin && strcmp(o->moves, "all") != 0)
        ff_report_add(r->report, FF_ERROR, spin->key_place, "an object that moves '%s' has no spin", o->moves);
    return r->report->errors == errors;
}

// ------------------------------------------------------------------------------------------ one body

/// Adds a point mass: a ball of radius zero for collision, a small one for display.
static bool add_point(const ff_native *n, ff_yaml *node, int body, double mass)
{
    ff_spec_geom *touch = ff_spec_add_geom(n->spec, NULL, body, FF_SHAPE_SPHERE);
    if (!touch) return false;
    ff_native_shape_properties(n, node, touch);
    touch->place = ff_native_place(n, node->place);
    ff_spec_geom look = *touch, *drawn;
    touch->role = FF_GEOM_COLLISION;
    if (!(drawn = ff_spec_add_geom(n->spec, NULL, body, FF_SHAPE_SPHERE))) return false;
    *drawn = look;
    drawn->role = FF_GEOM_VISUAL;
    drawn->size[0] = 0.01;
    n->spec->bodies[body].has_inertial = true;
    n->spec->bodies[body].mass = mass;
    return true;
}

/// Reads the mass, or the density.
static bool read_mass(const ff_native *n, const object *o, double *mass)
{
    ff_yaml *given = ff_yaml_get(o->node, "mass"), *density = ff_yaml_get(o->node, "density");
    ff_yaml *value = given ? given : density;
    *mass = 0.0;
    if (strcmp(o->moves, "none") == 0) return true;
    if (!given == !density) {
        ff_report_add(n->report, FF_ERROR, o->node->place, "an object that moves needs either 'mass' or 'density'");
        return false;
    }
    if (!ff_yaml_as_number(value, mass, n->report)) return false;
    if (*mass > 0.0) return true;
    ff_report_add(n->report, FF_ERROR, value->place, "'%s' is %g: it must be positive", value->key, *mass);
    return false;
}

static bool add_shape(const ff_native *n, const object *o, int body, bool point)
{
    double mass;
    if (!read_mass(n, o, &mass)) return false;
    int errors = n->report->errors;
    if (point) return add_point(n, o->node, body, mass) && n->report->errors == errors;
    ff_spec_geom *geom = ff_native_shape(n, o->node, body);
    if (geom) geom->name = NULL; // the name is that of the body
    if (geom && geom->type == FF_SHAPE_PLANE)
        ff_report_add(n->report, FF_ERROR, o->node->place, "a plane is no object: put it under 'terrain'");
    n->spec->bodies[body].inertia_from_geoms = true;
    return geom && n->report->errors == errors;
}

/// Adds the joints of a body: a free joint, or slides along axes of the world.
static void add_joints(ff_spec *spec, int body, const object *o)
{
    const char *name = spec->bodies[body].name;
    ff_place place = spec->bodies[body].place;
    double R[9];
    if (strcmp(o->moves, "none") == 0) return;
    if (strcmp(o->moves, "all") == 0) {
        ff_spec_joint *joint = ff_spec_add_joint(spec, name, body, FF_JOINT_FREE);
        if (joint) joint->place = place;
        return;
    }
    ff_quat_to_mat3(R, o->quat);
    for (const char *axis = o->moves; *axis; axis++) {
        const char *own = ff_arena_printf(&spec->arena, "%s_%c", name, *axis);
        ff_spec_joint *joint = own ? ff_spec_add_joint(spec, own, body, FF_JOINT_SLIDE) : NULL;
        if (!joint) return;
        joint->place = place;
        for (int k = 0; k < 3; k++)
            joint->axis[k] = R[3 * (*axis - 'x') + k]; // row of R: the world's axis seen from the body
    }
}

// ------------------------------------------------------------------------------------------ all of them

/// Adds body number `index` of the lattice. Bodies after the first copy its shapes.
static bool add_body(const ff_native *n, uint64_t seed, const object *o, int first_geom, int geoms, int index)
{
    ff_spec *spec = n->spec;
    bool several = o->count[0] * o->count[1] * o->count[2] > 1;
    const char *name = several ? ff_arena_printf(&spec->arena, "%s%d", o->name, index + 1) : o->name;
    ff_spec_body *body = name ? ff_spec_add_body(spec, name, -1) : NULL;
    if (!body) return false;
    const int at[3] = {index % o->count[0], index / o->count[0] % o->count[1], index / o->count[0] / o->count[1]};
    for (int k = 0; k < 3; k++) body->pos[k] = o->pos[k] + at[k] * o->spacing[k];
    perturb(seed, o, index, body->pos);
    ff_quat_copy(body->quat, o->quat);
    body->place = ff_native_place(n, o->node->place);
    int number = spec->nbody - 1;
    if (index > 0) {
        const ff_spec_body *model = &spec->bodies[number - index];
        spec->bodies[number].has_inertial = model->has_inertial;
        spec->bodies[number].inertia_from_geoms = model->inertia_from_geoms;
        spec->bodies[number].mass = model->mass;
    }
    for (int k = 0; index > 0 && k < geoms; k++) {
        ff_spec_geom *geom = ff_spec_add_geom(spec, NULL, number, FF_SHAPE_SPHERE);
        if (!geom) return false;
        *geom = spec->geoms[first_geom + k];
        geom->body = number;
        geom->name = NULL;
    }
    add_joints(spec, number, o);
    return true;
}

static bool read_object(const ff_scene_reader *r, ff_spec *spec, ff_yaml *node, int number, ff_scene_motion *motion)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "an object such as {sphere: 0.1, mass: 1, pos: [0, 0, 1]}", r->report))
        return false;
    ff_native n = {.spec = spec, .report = r->report, .store = r->store, .file = r->file, .root = r->root};
    object o = {.node = node, .number = number};
    const uint64_t seed = r->scene->options.seed;
    bool point = ff_yaml_boolean(node, "point", false, r->report);
    o.name = ff_yaml_string(node, "name", ff_arena_printf(&spec->arena, "object%d", number), r->report);
    if (!read_moves(r, &o, point) || !read_lattice(r, &o) || !read_perturb(r, &o) || !read_motion(r, &o)) return false;
    int count = o.count[0] * o.count[1] * o.count[2];
    if (spec->nbody + count > MOST_OBJECTS) {
        ff_report_add(r->report, FF_ERROR, node->place, "more than %d objects", MOST_OBJECTS);
        return false;
    }
    int first = spec->nbody, first_geom = spec->ngeom;
    if (!add_body(&n, seed, &o, 0, 0, 0) || !add_shape(&n, &o, first, point)) return false;
    int geoms = spec->ngeom - first_geom;
    for (int i = 1; i < count; i++)
        if (!add_body(&n, seed, &o, first_geom, geoms, i)) return false;
    for (int i = first; i < first + count; i++) {
        ff_vec3_copy(motion[i].velocity, o.velocity);
        ff_vec3_copy(motion[i].spin, o.spin);
        ff_quat_copy(motion[i].quat, o.quat);
    }
    return true;
}

ff_spec *ff_scene_read_objects(ff_scene_reader *r, ff_scene_motion **motion)
{
    ff_yaml *list = ff_yaml_get(r->root, "objects");
    int number = 0;
    *motion = NULL;
    ff_spec *spec = ff_spec_create(NULL);
    *motion = calloc(MOST_OBJECTS, sizeof **motion);
    if (!spec || !*motion) {
        ff_spec_destroy(spec);
        return NULL;
    }
    for (ff_yaml *node = list->child; node; node = node->next)
        if (!read_object(r, spec, node, ++number, *motion) && r->report->errors == 0) spec->arena.failed = true;
    return spec;
}

void ff_scene_set_motion(const ff_model *m, const ff_scene_motion *motion, double *v)
{
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *joint = &m->joints[i];
        const ff_scene_motion *own = &motion[joint->body]; // objects keep their order: each is a root of its own
        double R[9], along[3];
        ff_quat_to_mat3(R, own->quat);
        if (joint->type == FF_JOINT_FREE) {
            ff_vec3_copy(v + joint->vadr, own->velocity);
            ff_mat3_tmulv(v + joint->vadr + 3, R, own->spin); // the joint's spin is in the axes of the body
        } else {
            ff_mat3_mulv(along, R, joint->axis);
            v[joint->vadr] = ff_vec3_dot(along, own->velocity);
        }
    }
}
