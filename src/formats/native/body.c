// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies of native robots: place in the tree, mass and inertia from numbers or from simple solids, shapes and frames.
#include "native/native.h"

#include <footfall/text.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ inertia

// Moments of inertia xx, yy, zz of uniform solids of mass m about their centre, in axes of the solid.  [kg m^2]

static void box_inertia(double I[6], double m, const double length[3])
{
    for (int i = 0; i < 3; i++) {
        double b = length[(i + 1) % 3], c = length[(i + 2) % 3];
        I[i] = m * (b * b + c * c) / 12.0;
    }
}

static void sphere_inertia(double I[6], double m, double radius)
{
    I[0] = I[1] = I[2] = 0.4 * m * radius * radius;
}

static void cylinder_inertia(double I[6], double m, double radius, double length)
{
    I[0] = I[1] = m * (3.0 * radius * radius + length * length) / 12.0;
    I[2] = 0.5 * m * radius * radius;
}

/// A thin rod: its thickness counts for the long axis only.
static void rod_inertia(double I[6], double m, double radius, double length)
{
    I[0] = I[1] = m * length * length / 12.0;
    I[2] = 0.5 * m * radius * radius;
}

/// A uniform solid: pose of its centre of mass in the body, and inertia about it.
typedef struct solid {
    double mass, com[3], quat[4], I[6];
} solid;

/// Reads the segment from `from` to `to` of a map: its length, its centre, and the turn of the z axis to it.
/// @return false: it has no length or is not complete, which is reported
static bool read_segment(const ff_native *n, ff_yaml *node, double *length, double centre[3], double quat[4])
{
    double from[3] = {0}, to[3] = {0}, along[3];
    ff_yaml *end = ff_yaml_need(node, "to", n->report);
    if (!end || ff_yaml_as_numbers(end, to, 3, 3, n->report) != 3) return false;
    if (ff_yaml_numbers(node, "from", from, 3, 3, n->report) < 0) return false;
    ff_vec3_sub(along, to, from);
    *length = ff_vec3_norm(along);
    for (int i = 0; i < 3; i++) centre[i] = 0.5 * (from[i] + to[i]);
    if (*length > 0.0) {
        ff_quat_from_z_to(quat, along);
        return true;
    }
    ff_report_add(n->report, FF_ERROR, end->place, "'from' and 'to' are the same point");
    return false;
}

static bool read_rod(const ff_native *n, ff_yaml *rod, solid *s)
{
    double length;
    if (!ff_yaml_expect(rod, FF_YAML_MAP, "{from: .., to: .., radius: ..}", n->report) ||
        !read_segment(n, rod, &length, s->com, s->quat))
        return false;
    rod_inertia(s->I, s->mass, ff_yaml_number(rod, "radius", 0.0, n->report), length);
    return true;
}

static bool read_solid_shape(const ff_native *n, ff_yaml *node, solid *s)
{
    ff_yaml *box = ff_yaml_get(node, "box"), *sphere = ff_yaml_get(node, "sphere");
    ff_yaml *cylinder = ff_yaml_get(node, "cylinder"), *rod = ff_yaml_get(node, "rod");
    ff_yaml *inertia = ff_yaml_get(node, "inertia");
    int given = !!box + !!sphere + !!cylinder + !!rod + !!inertia;
    if (given != 1) {
        ff_report_add(n->report, FF_ERROR, node->place,
                      "give exactly one of box, sphere, cylinder, rod and inertia (a point mass: inertia: [0, 0, 0])");
        return false;
    }
    double x[3];
    if (box) {
        if (ff_yaml_as_numbers(box, x, 3, 3, n->report) != 3) return false;
        box_inertia(s->I, s->mass, x);
    } else if (sphere) {
        if (!ff_yaml_as_number(sphere, x, n->report)) return false;
        sphere_inertia(s->I, s->mass, x[0]);
    } else if (cylinder) {
        if (!ff_yaml_expect(cylinder, FF_YAML_MAP, "{radius: .., length: ..}", n->report)) return false;
        x[0] = ff_yaml_number(cylinder, "radius", 0.0, n->report);
        x[1] = ff_yaml_number(cylinder, "length", 0.0, n->report);
        cylinder_inertia(s->I, s->mass, x[0], x[1]);
    } else if (rod) {
        return read_rod(n, rod, s);
    } else {
        int count = ff_yaml_as_numbers(inertia, s->I, 3, 6, n->report);
        if (count == 3 || count == 6) return true;
        if (count > 0) ff_report_add(n->report, FF_ERROR, inertia->place, "give xx, yy, zz or xx, yy, zz, xy, xz, yz");
        return false;
    }
    return true;
}

static bool read_solid(const ff_native *n, ff_yaml *node, ff_inertia *out)
{
    static const double origin[3] = {0, 0, 0};
    solid s = {.quat = {1, 0, 0, 0}};
    double R[9], turn[4] = {1, 0, 0, 0}, quat[4], moved[3] = {0};
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{mass: .., com: .., box: ..}", n->report)) return false;
    ff_yaml *mass = ff_yaml_need(node, "mass", n->report);
    if (!mass || !ff_yaml_as_number(mass, &s.mass, n->report)) return false;
    if (!read_solid_shape(n, node, &s)) return false;
    if (ff_yaml_get(node, "rod") && ff_yaml_get(node, "com")) {
        ff_report_add(n->report, FF_ERROR, node->place, "a rod has its centre of mass half-way: leave 'com' out");
        return false;
    }
    ff_yaml_numbers(node, "com", s.com, 3, 3, n->report);
    ff_yaml_pose(node, moved, turn, n->report); // `pos` is added to `com`
    ff_quat_mul(quat, turn, s.quat);
    ff_quat_to_mat3(R, quat);
    ff_vec3_add(s.com, s.com, moved);
    *out = ff_inertia_from_com(s.mass, origin, s.I);
    *out = ff_inertia_transform(out, s.com, R);
    return true;
}

/// Reads `inertial`: one solid, a list of solids that add up, or the word "shapes".
static void read_inertial(const ff_native *n, ff_yaml *node, ff_spec_body *body)
{
    if (node->type == FF_YAML_SCALAR) {
        const char *word = ff_yaml_as_string(node, n->report);
        if (word && strcmp(word, "shapes") == 0) {
            body->inertia_from_geoms = true;
            body->has_inertial = false;
        } else if (word) {
            ff_report_add(n->report, FF_ERROR, node->place, "inertial is '%.40s'; write a map, a list, or 'shapes'",
                          word);
        }
        return;
    }
    ff_inertia total = {0};
    ff_yaml *first = node->type == FF_YAML_LIST ? node->child : node;
    for (ff_yaml *item = first; item; item = node->type == FF_YAML_LIST ? item->next : NULL) {
        ff_inertia part;
        if (!read_solid(n, item, &part)) return;
        total = ff_inertia_add(&total, &part);
    }
    body->has_inertial = true;
    body->inertia_from_geoms = false;
    body->mass = total.mass;
    ff_inertia_to_com(&total, body->com, body->inertia);
    ff_quat_identity(body->inertia_quat);
}

// ------------------------------------------------------------------------------------------ shapes

bool ff_native_mesh(const ff_native *n, ff_yaml *node, ff_spec_geom *geom, ff_severity missing)
{
    double scale[3] = {1, 1, 1};
    bool map = node->type == FF_YAML_MAP;
    ff_yaml *file = map ? ff_yaml_need(node, "file", n->report) : node;
    const char *name = file ? ff_yaml_as_string(file, n->report) : NULL;
    ff_yaml *size = map ? ff_yaml_get(node, "scale") : NULL;
    if (size && size->type == FF_YAML_LIST)
        ff_yaml_as_numbers(size, scale, 3, 3, n->report);
    else if (size && ff_yaml_as_number(size, scale, n->report))
        scale[1] = scale[2] = scale[0];
    ff_spec_mesh *mesh = name ? ff_spec_add_mesh(n->spec, name) : NULL;
    if (!mesh) return false;
    geom->mesh = n->spec->nmesh - 1;
    mesh->path = ff_text_beside(&n->spec->arena, n->file, name);
    mesh->place = ff_native_place(n, node->place);
    ff_vec3_copy(mesh->scale, scale);
    ff_error err = {0};
    if (mesh->path && (mesh->data = ff_store_mesh(n->store, mesh->path, scale, &err))) return true;
    mesh->data = NULL;
    mesh->problem = ff_spec_text(n->spec, err.text);
    ff_report_add(n->report, missing, node->place, "%s%s", missing == FF_WARNING ? "shape left empty: " : "", err.text);
    return false;
}

/// Reads the size of a capsule or cylinder: {radius, length} along z, or {radius, from, to}.
static bool read_round(const ff_native *n, ff_yaml *node, ff_spec_geom *geom)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{radius: .., length: ..} or {radius: .., from: .., to: ..}", n->report))
        return false;
    double length;
    ff_yaml *radius = ff_yaml_need(node, "radius", n->report);
    if (!radius || !ff_yaml_as_number(radius, &geom->size[0], n->report)) return false;
    if (ff_yaml_get(node, "length")) {
        geom->size[1] = 0.5 * ff_yaml_number(node, "length", 0.0, n->report);
        return true;
    }
    if (!read_segment(n, node, &length, geom->pos, geom->quat)) return false;
    geom->size[1] = 0.5 * length;
    return true;
}

static bool read_size(const ff_native *n, ff_yaml *node, ff_spec_geom *geom)
{
    switch (geom->type) {
    case FF_SHAPE_SPHERE:
        return ff_yaml_as_number(node, geom->size, n->report);
    case FF_SHAPE_CAPSULE:
    case FF_SHAPE_CYLINDER:
        return read_round(n, node, geom);
    case FF_SHAPE_BOX:
    case FF_SHAPE_ELLIPSOID:
        if (ff_yaml_as_numbers(node, geom->size, 3, 3, n->report) != 3) return false;
        ff_vec3_scale(geom->size, geom->size, 0.5); // files give full lengths
        return true;
    case FF_SHAPE_PLANE:
        if (ff_yaml_as_numbers(node, geom->size, 2, 2, n->report) != 2) return false;
        ff_vec3_scale(geom->size, geom->size, 0.5);
        return true;
    default:
        ff_native_mesh(n, node, geom, FF_WARNING);
        return true;
    }
}

/// Reads role, colour, group, friction, material and mass as far as they are given; the others keep their values.
static void change_properties(const ff_native *n, ff_yaml *node, ff_spec_geom *geom)
{
    static const char *const roles[] = {"both", "visual", "collision", NULL};
    geom->role = (ff_geom_role)ff_yaml_choice(node, "role", roles, (int)geom->role, n->report);
    if (ff_yaml_numbers(node, "color", geom->rgba, 3, 4, n->report) == 3) geom->rgba[3] = 1.0;
    geom->group = ff_yaml_integer(node, "group", geom->group, n->report);
    ff_yaml *friction = ff_yaml_get(node, "friction");
    if (friction) geom->has_friction = true;
    if (friction && friction->type == FF_YAML_LIST) {
        const int count = ff_yaml_as_numbers(friction, geom->friction, 1, 3, n->report);
        geom->condim = count == 3 ? 6 : count == 2 ? 4 : 3; // as in MJCF: 4 adds torsion to sliding, 6 rolling too
    } else if (friction) {
        ff_yaml_as_number(friction, geom->friction, n->report);
    }
    ff_yaml *material = ff_yaml_get(node, "material");
    if (friction && material)
        ff_report_add(n->report, FF_WARNING, friction->key_place,
                      "'friction' has no effect beside 'material', which has its own");
    if (material) {
        geom->material = ff_spec_text(n->spec, ff_yaml_as_string(material, n->report));
        geom->material_place = ff_native_place(n, material->place);
    }
    if (ff_yaml_get(node, "density")) geom->has_mass = false;
    geom->density = ff_yaml_number(node, "density", geom->density, n->report);
    if (ff_yaml_get(node, "mass")) geom->has_mass = true;
    geom->mass = ff_yaml_number(node, "mass", geom->mass, n->report);
}

void ff_native_shape_properties(const ff_native *n, ff_yaml *node, ff_spec_geom *geom)
{
    geom->density = 0.0; // shapes have mass only where the file gives it
    change_properties(n, node, geom);
}

/// The entry whose key is a type of shape; NULL: there is none, or several. @param given  out: their number
static ff_yaml *find_solid(ff_yaml *node, int *type, int *given)
{
    ff_yaml *value = NULL;
    *given = 0;
    for (int t = 0; t < FF_SHAPE_COUNT; t++) {
        ff_yaml *found = ff_yaml_get(node, ff_shape_name((ff_shape_type)t));
        if (!found) continue;
        *type = t;
        value = found;
        ++*given;
    }
    return *given == 1 ? value : NULL;
}

ff_spec_geom *ff_native_shape(const ff_native *n, ff_yaml *node, int body)
{
    int type = -1, given;
    ff_yaml *value = find_solid(node, &type, &given);
    if (!value) {
        ff_report_add(n->report, FF_ERROR, node->place,
                      "a shape needs exactly one of sphere, capsule, box, cylinder, ellipsoid, plane and mesh");
        return NULL;
    }
    ff_spec_geom *geom =
        ff_spec_add_geom(n->spec, ff_yaml_string(node, "name", NULL, n->report), body, (ff_shape_type)type);
    if (!geom) return NULL;
    geom->place = ff_native_place(n, node->place);
    read_size(n, value, geom);
    ff_native_shape_properties(n, node, geom);
    return geom;
}

/// Does a list add a shape whose name an imported body has already? That is reported: most likely a change was meant.
static bool reuses_name(const ff_native *n, ff_yaml *node, const ff_native_map *map)
{
    const char *name = ff_yaml_string(node, "name", NULL, n->report);
    const int known = name && map->body < n->nimported ? ff_native_find(n, node, map, name) : -1;
    if (known < 0) return false;
    const ff_place *place = &n->spec->geoms[known].place;
    ff_report_add(n->report, FF_ERROR, ff_yaml_get(node, "name")->place,
                  "shape '%.60s' exists already (%s:%d): a list adds shapes, a map '%.60s: {..}' changes them", name,
                  place->file ? place->file : "", place->line, name);
    return true;
}

static void add_shape(const ff_native *n, ff_yaml *node, int body)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "a shape such as {box: [1, 1, 1], pos: [0, 0, 0]}", n->report)) return;
    ff_spec_geom *geom = ff_native_shape(n, node, body);
    if (!geom) return;
    double moved[3] = {0}, turn[4] = {1, 0, 0, 0};
    ff_yaml_pose(node, moved, turn, n->report); // in addition to `from` and `to`
    ff_pose_displace(geom->pos, geom->quat, moved, turn);
}

/// Changes a shape. Another solid keeps the pose of the old one, unless `from` and `to` place it; `pos`, `rpy` and
/// `quat` are the new pose.
static void change_shape(ff_native *n, ff_yaml *node, int index)
{
    int type = -1, given;
    ff_spec_geom *geom = &n->spec->geoms[index];
    ff_yaml *value = find_solid(node, &type, &given);
    if (given > 1) {
        ff_report_add(n->report, FF_ERROR, node->place,
                      "a shape is one of sphere, capsule, box, cylinder, ellipsoid, plane and mesh, not %d of them",
                      given);
        return;
    }
    ff_native_mark_changed(n, &geom->place, node->place);
    double moved[3] = {0}, turn[4] = {1, 0, 0, 0};
    const bool has_ends = value && value->type == FF_YAML_MAP && ff_yaml_get(value, "to");
    if (value) {
        geom->type = (ff_shape_type)type;
        geom->mesh = -1;
        memset(geom->size, 0, sizeof geom->size);
        read_size(n, value, geom);
    }
    if (has_ends) {
        ff_yaml_pose(node, moved, turn, n->report);
        ff_pose_displace(geom->pos, geom->quat, moved, turn);
    } else {
        ff_yaml_pose(node, geom->pos, geom->quat, n->report);
    }
    change_properties(n, node, geom);
}

static void change_shapes(ff_native *n, ff_yaml *shapes, int body)
{
    const ff_native_map map = ff_native_map_of(n, FF_NATIVE_SHAPE, body < 0 ? FF_NATIVE_ANYWHERE : body,
                                               "new ones are items of a list: [{name: .., sphere: ..}]");
    for (ff_yaml *node = shapes->child; node; node = node->next) {
        node->used = true;
        if (!ff_yaml_expect(node, FF_YAML_MAP, "changes of a shape, such as {material: ..}", n->report)) continue;
        if (!ff_native_change(n, node, &map, change_shape)) ff_native_report_missing(n, node, &map);
    }
}

void ff_native_shapes(ff_native *n, ff_yaml *shapes, int body)
{
    if (shapes->type == FF_YAML_MAP) {
        change_shapes(n, shapes, body);
        return;
    }
    if (!ff_yaml_expect(shapes, FF_YAML_LIST, "a list of new shapes, or a map that changes some", n->report)) return;
    const ff_native_map map = ff_native_map_of(n, FF_NATIVE_SHAPE, body, "");
    for (ff_yaml *node = shapes->child; node; node = node->next)
        if (!reuses_name(n, node, &map)) add_shape(n, node, body);
}

static void change_frame(ff_native *n, ff_yaml *node, int index)
{
    ff_spec_frame *frame = &n->spec->frames[index];
    ff_native_mark_changed(n, &frame->place, node->key_place);
    ff_yaml_pose(node, frame->pos, frame->quat, n->report);
}

void ff_native_frames(ff_native *n, ff_yaml *frames, int body)
{
    if (!ff_yaml_expect(frames, FF_YAML_MAP, "frames as 'name: {pos: ..}'", n->report)) return;
    const ff_native_map map = ff_native_map_of(n, FF_NATIVE_FRAME, body < 0 ? FF_NATIVE_ANYWHERE : body, "");
    for (ff_yaml *node = frames->child; node; node = node->next) {
        node->used = true;
        if (!ff_yaml_expect(node, FF_YAML_MAP, "{pos: .., rpy: ..}", n->report)) continue;
        if (ff_native_change(n, node, &map, change_frame)) continue;
        ff_spec_frame *frame = ff_spec_add_frame(n->spec, node->key, body);
        if (!frame) return;
        frame->place = ff_native_place(n, node->key_place);
        ff_yaml_pose(node, frame->pos, frame->quat, n->report);
    }
}

// ------------------------------------------------------------------------------------------ bodies

/// Number of the parent that a body names, or of that under which it is written (`parent`); -1: the world.
static int read_parent(const ff_native *n, ff_yaml *node, int parent)
{
    ff_yaml *value = ff_yaml_get(node, "parent");
    const char *name = value ? ff_yaml_as_string(value, n->report) : NULL;
    if (!name || strcmp(name, "world") == 0) return name ? -1 : parent;
    int found = ff_spec_find_body(n->spec, name);
    if (found < 0)
        ff_report_add(n->report, FF_ERROR, value->place,
                      "no body '%.60s' above this one; a parent comes before its children", name);
    return found;
}

/// Reads the contents of a body, or changes of them.
static void read_contents(ff_native *n, ff_yaml *node, int index)
{
    ff_yaml_pose(node, n->spec->bodies[index].pos, n->spec->bodies[index].quat, n->report);
    ff_yaml *inertial = ff_yaml_get(node, "inertial"), *part;
    if (inertial) read_inertial(n, inertial, &n->spec->bodies[index]);
    ff_native_body_joints(n, node, index);
    ff_native_dh(n, node, index);
    if ((part = ff_yaml_get(node, "shapes"))) ff_native_shapes(n, part, index);
    if ((part = ff_yaml_get(node, "frames"))) ff_native_frames(n, part, index);
    if ((part = ff_yaml_get(node, "attach"))) ff_native_attach(n, part, index);
    if ((part = ff_yaml_get(node, "bodies"))) ff_native_bodies(n, part, index);
}

/// Can a pattern of bodies have these entries? Items with a name would be added several times under the same name.
static bool fits_pattern(const ff_native *n, ff_yaml *node)
{
    static const char *const named[] = {"joints", "frames", "attach", "bodies", "parent"};
    for (int i = 0; ff_native_is_pattern(node->key) && i < 5; i++) {
        const ff_yaml *given = ff_yaml_get(node, named[i]);
        if (!given) continue;
        ff_report_add(n->report, FF_ERROR, given->key_place,
                      "'%s' does not go with a pattern of bodies: give it to each body by its name", named[i]);
        return false;
    }
    return true;
}

static void change_body(ff_native *n, ff_yaml *node, int index)
{
    ff_yaml *parent = ff_yaml_get(node, "parent");
    if (!fits_pattern(n, node)) return;
    if (parent) {
        ff_report_add(n->report, FF_ERROR, parent->key_place,
                      "body '%.60s' comes from the import and keeps its parent: leave 'parent' out", node->key);
        return;
    }
    ff_native_mark_changed(n, &n->spec->bodies[index].place, node->key_place);
    read_contents(n, node, index);
}

static void add_body(ff_native *n, ff_yaml *node, int parent)
{
    const int known = ff_spec_find_body(n->spec, node->key);
    if (known >= 0) {
        const ff_place *place = &n->spec->bodies[known].place;
        ff_report_add(n->report, FF_ERROR, node->key_place, "body '%.60s' exists already (line %d)%s", node->key,
                      place->line, known < n->nimported ? "; bodies of an import are changed at the top" : "");
        return;
    }
    parent = read_parent(n, node, parent);
    if (!ff_spec_add_body(n->spec, node->key, parent)) return;
    const int index = n->spec->nbody - 1;
    n->spec->bodies[index].place = ff_native_place(n, node->key_place);
    read_contents(n, node, index);
}

void ff_native_bodies(ff_native *n, ff_yaml *bodies, int parent)
{
    if (!ff_yaml_expect(bodies, FF_YAML_MAP, "bodies as 'name: {..}'", n->report)) return;
    const ff_native_map map = ff_native_map_of(n, FF_NATIVE_BODY, FF_NATIVE_ANYWHERE,
                                               "a new one beside an import names its 'parent', which may be 'world'");
    for (ff_yaml *node = bodies->child; node; node = node->next) {
        node->used = true;
        if (ff_native_too_large(n, node->key_place)) return;
        if (ff_yaml_is_null(node)) node->type = FF_YAML_MAP; // "name:" alone is a body without anything
        if (!ff_yaml_expect(node, FF_YAML_MAP, "a body as a map", n->report)) continue;
        const bool top = parent < 0, pattern = ff_native_is_pattern(node->key);
        if (top && (pattern || n->nimported > 0) && ff_native_change(n, node, &map, change_body)) continue;
        if (pattern)
            ff_report_add(n->report, FF_ERROR, node->key_place, "patterns of bodies stand at the top of 'bodies'");
        else if (top && n->nimported > 0 && !ff_yaml_get(node, "parent"))
            ff_native_report_missing(n, node, &map);
        else
            add_body(n, node, parent);
    }
}
