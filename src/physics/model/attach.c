// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins two descriptions: a robot into a scene, an imported file into a native one.
#include <footfall/model.h>

#include "model/compile.h"
#include "model/coordinates.h"
#include "model/edit.h"
#include "model/fields.h"

#include <stdio.h>

typedef struct attachment {
    ff_spec *to;
    const ff_spec *from;
    const char *prefix, *suffix;
    int body0, mesh0; // where the items of the other description begin
    int parent;       // body that replaces its world, -1: the world
    const double *pos, *quat;
} attachment;

/// A name with prefix and suffix; NULL for NULL, "" for "".
static const char *prefixed(const attachment *a, const char *name)
{
    if (!name) return NULL;
    const bool same = !name[0] || (!a->prefix[0] && !a->suffix[0]);
    return same ? ff_spec_text(a->to, name) : ff_arena_printf(&a->to->arena, "%s%s%s", a->prefix, name, a->suffix);
}

/// Name of a body, "" or "world" for the world, which no prefix changes.
static const char *prefixed_body(const attachment *a, const char *name)
{
    return name && strcmp(name, "world") == 0 ? ff_spec_text(a->to, name) : prefixed(a, name);
}

static bool has_free_joint(const ff_spec *spec, int body)
{
    for (int j = 0; j < spec->njoint; j++)
        if (spec->joints[j].body == body && spec->joints[j].type == FF_JOINT_FREE) return true;
    return false;
}

// ------------------------------------------------------------------------------------------ items of any kind

/// Names get the prefix and the suffix.
static const char *copy_text(const void *attached, ff_field_kind kind, const char *text)
{
    const attachment *a = attached;
    if (kind == FF_FIELD_NAME) return prefixed(a, text);
    return kind == FF_FIELD_BODY_NAME ? prefixed_body(a, text) : ff_spec_text(a->to, text);
}

/// Adds a copy of an item. @return NULL when memory is short
static void *append_one(const attachment *a, ff_spec_item kind, int index)
{
    void *item = ff_item_add(a->to, kind);
    if (!item) return NULL;
    memcpy(item, ff_item_at(a->from, kind, index), ff_item_kinds[kind].size);
    return ff_fields_copy(ff_item_kinds[kind].fields, item, &a->to->arena, copy_text, a) ? item : NULL;
}

/// Adds copies of all items of a kind.
static bool append(const attachment *a, ff_spec_item kind)
{
    for (int i = 0; i < ff_item_count(a->from, kind); i++)
        if (!append_one(a, kind, i)) return false;
    return true;
}

/// The body of an item in the joined description. An item on the world of the other description gets the body, and the
/// pose in it, to which that world is attached.
static void move_to_parent(const attachment *a, int *body, double pos[3], double quat[4])
{
    if (*body >= 0) {
        *body += a->body0;
        return;
    }
    *body = a->parent;
    ff_pose_displace(pos, quat, a->pos, a->quat);
}

// ------------------------------------------------------------------------------------------ kinds of items

static bool attach_bodies(const attachment *a)
{
    ff_spec *to = a->to;
    const int joint0 = to->njoint;
    if (!append(a, FF_ITEM_BODY)) return false;
    for (int i = 0; i < a->from->nbody; i++) {
        ff_spec_body *body = &to->bodies[a->body0 + i];
        const bool floats = body->parent < 0 && has_free_joint(a->from, i);
        move_to_parent(a, &body->parent, body->pos, body->quat);
        if (floats) body->parent = -1;
    }
    if (!append(a, FF_ITEM_JOINT)) return false;
    for (int i = joint0; i < to->njoint; i++) to->joints[i].body += a->body0;
    return true;
}

static bool attach_shapes(const attachment *a)
{
    ff_spec *to = a->to;
    const int geom0 = to->ngeom, frame0 = to->nframe;
    if (!append(a, FF_ITEM_MESH) || !append(a, FF_ITEM_GEOM) || !append(a, FF_ITEM_FRAME)) return false;
    for (int i = geom0; i < to->ngeom; i++) {
        if (to->geoms[i].mesh >= 0) to->geoms[i].mesh += a->mesh0;
        move_to_parent(a, &to->geoms[i].body, to->geoms[i].pos, to->geoms[i].quat);
    }
    for (int i = frame0; i < to->nframe; i++)
        move_to_parent(a, &to->frames[i].body, to->frames[i].pos, to->frames[i].quat);
    return true;
}

static void displace_point(double point[3], const double pos[3], const double quat[4])
{
    double quat_unused[4] = {1, 0, 0, 0};
    ff_pose_displace(point, quat_unused, pos, quat);
}

/// Transforms data of a loop from the other description's world to the body to which it is attached.
/// @param one, two  object 1, object 2 of the loop is that world
static void displace_loop(ff_spec_equality *e, bool one, bool two, const double pos[3], const double quat[4])
{
    if (e->type != FF_EQUALITY_WELD) {
        if (one) displace_point(e->data, pos, quat);
        if (two) displace_point(e->data + 3, pos, quat);
        return;
    }
    if (one) ff_pose_displace(e->data, e->data + 3, pos, quat);
    if (!two) return;
    // pose of the old world in body 1, times pose of the new one in the old
    double back[4], origin[3], moved[4];
    ff_quat_conjugate(back, quat);
    ff_quat_rotate(origin, back, pos);
    ff_vec3_scale(origin, origin, -1.0);
    ff_quat_copy(moved, back);
    ff_pose_displace(origin, moved, e->data, e->data + 3);
    ff_vec3_copy(e->data, origin);
    ff_quat_copy(e->data + 3, moved);
    displace_point(e->data + 7, pos, quat);
}

static bool attach_loops(const attachment *a)
{
    const int first = a->to->nequality;
    if (!append(a, FF_ITEM_EQUALITY)) return false;
    for (int i = first; i < a->to->nequality; i++) {
        ff_spec_equality *e = &a->to->equalities[i];
        const bool joints = e->type == FF_EQUALITY_JOINT;
        const bool one = !joints && ff_compile_is_world(e->object1), two = !joints && ff_compile_is_world(e->object2);
        const char *base = a->parent < 0 ? "" : a->to->bodies[a->parent].name;
        e->object1 = one ? ff_spec_text(a->to, base) : prefixed(a, e->object1);
        e->object2 = two ? ff_spec_text(a->to, base) : prefixed(a, e->object2);
        displace_loop(e, one, two, a->pos, a->quat);
    }
    return true;
}

static bool attach_sensors(const attachment *a)
{
    const int first = a->to->nsensor;
    if (!append(a, FF_ITEM_SENSOR)) return false;
    for (int i = first; i < a->to->nsensor; i++) {
        ff_spec_sensor *sensor = &a->to->sensors[i];
        const bool body = strcmp(sensor->object_type, "body") == 0;
        sensor->object = body ? prefixed_body(a, sensor->object) : prefixed(a, sensor->object);
        for (int k = 0; k < sensor->nsetting; k++)
            if (strcmp(sensor->settings[k].name, "shape") == 0 || strcmp(sensor->settings[k].name, "reference") == 0)
                sensor->settings[k].word = prefixed(a, sensor->settings[k].word);
    }
    return true;
}

/// Items that refer to others by name alone.
static bool attach_named(const attachment *a)
{
    static const ff_spec_item kinds[] = {FF_ITEM_ACTUATOR, FF_ITEM_EXCLUDE, FF_ITEM_PAIR,  FF_ITEM_HAND,
                                         FF_ITEM_BIPED,    FF_ITEM_TENDON,  FF_ITEM_DRIVE, FF_ITEM_BATTERY};
    for (int i = 0; i < a->from->nignored; i++) {
        const ff_spec_ignored *from = &a->from->ignored[i];
        ff_spec_ignore(a->to, from->place, "%s", from->what);
        for (int k = 0; k < a->to->nignored; k++)
            if (strcmp(a->to->ignored[k].what, from->what) == 0) a->to->ignored[k].count += from->count - 1;
    }
    bool done = true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) done = done && append(a, kinds[i]);
    return done;
}

/// Name of a leg. One without a name, in a part, gets the prefix: FL for FL_.
static const char *name_leg(const attachment *a, const char *name)
{
    size_t length = strlen(a->prefix);
    if (!name || name[0] || length == 0) return prefixed(a, name);
    while (length > 1 && strchr("_-./", a->prefix[length - 1])) length--;
    return ff_arena_printf(&a->to->arena, "%.*s", (int)length, a->prefix);
}

static bool attach_legs(const attachment *a)
{
    const int first = a->to->nleg;
    const bool done = append(a, FF_ITEM_LEG);
    for (int i = first; i < a->to->nleg; i++) a->to->legs[i].name = name_leg(a, a->to->legs[i].name);
    return done;
}

/// Materials of one name must be one material: their names get no prefix, since a robot's "rubber" is the scene's.
static bool attach_materials(const attachment *a, ff_report *report)
{
    for (int i = 0; i < a->from->nmaterial; i++) {
        const ff_spec_material *from = &a->from->materials[i];
        int known = ff_spec_find_material(a->to, from->material.name);
        if (known < 0) {
            if (!append_one(a, FF_ITEM_MATERIAL, i)) return false;
            continue;
        }
        const ff_spec_material *there = &a->to->materials[known];
        if (ff_material_same(&there->material, &from->material)) continue;
        char where[256] = "another description";
        if (there->place.file && there->place.line > 0)
            snprintf(where, sizeof where, "%.200s:%d", there->place.file, there->place.line);
        ff_report_add(report, FF_ERROR, from->place,
                      "material '%s' is defined differently in %s; rename one, or define it in the scene",
                      from->material.name, where);
    }
    return true;
}

/// Named states of the other description are copied only into an empty one: they do not contain the coordinates of
/// bodies that exist already.
static bool attach_keys(const attachment *a, ff_report *report)
{
    if (a->body0 == 0) return append(a, FF_ITEM_KEY);
    for (int i = 0; i < a->from->nkey; i++)
        ff_report_add(report, FF_NOTE, a->from->keys[i].place,
                      "keyframe \"%s\" is left out: it does not span the whole scene",
                      a->from->keys[i].name ? a->from->keys[i].name : "");
    return true;
}

/// Has the other description rules for masses that the joined one does not have?
static bool has_other_rules(const ff_spec *other, const ff_spec *spec)
{
    return other->total_mass > 0 || other->bound_mass > 0 || other->bound_inertia > 0 || other->balance_inertia ||
           memcmp(other->inertia_group, spec->inertia_group, sizeof spec->inertia_group) != 0;
}

static bool same_medium(const ff_spec *a, const ff_spec *b)
{
    return a->density == b->density && a->viscosity == b->viscosity && memcmp(a->wind, b->wind, sizeof a->wind) == 0;
}

ff_status ff_spec_join(ff_spec *spec, const ff_spec *other, const char *prefix, const char *suffix, int parent,
                       const double pos[3], const double quat[4], ff_report *report)
{
    if (spec == other) {
        ff_report_add(report, FF_ERROR, (ff_place){0}, "cannot attach a description to itself");
        return FF_BAD_ARGUMENT;
    }
    if (parent < -1 || parent >= spec->nbody) {
        ff_report_add(report, FF_ERROR, (ff_place){0}, "cannot attach to body number %d of %d", parent, spec->nbody);
        return FF_BAD_ARGUMENT;
    }
    if (!(spec->density > 0.0) && !(spec->viscosity > 0.0)) { // the first robot that has a medium defines it
        spec->density = other->density;
        spec->viscosity = other->viscosity;
        ff_vec3_copy(spec->wind, other->wind);
    } else if ((other->density > 0.0 || other->viscosity > 0.0) && !same_medium(spec, other)) {
        ff_report_add(report, FF_WARNING, (ff_place){0},
                      "the medium is that of the first file that names one, density %g kg/m^3 and viscosity %g Pa s: "
                      "another one, %g and %g, is ignored",
                      spec->density, spec->viscosity, other->density, other->viscosity);
    }
    const attachment a = {spec, other, prefix ? prefix : "", suffix ? suffix : "", spec->nbody, spec->nmesh, parent,
                          pos,  quat};
    bool done = attach_bodies(&a);
    // rules for masses hold for a whole description: they are applied before bodies join others
    if (done && has_other_rules(other, spec) && !ff_compile_weigh(other, spec->bodies + a.body0, report))
        return FF_BAD_MODEL;
    done = done && attach_shapes(&a) && attach_named(&a) && attach_sensors(&a) && attach_legs(&a) && attach_loops(&a) &&
           attach_materials(&a, report) && attach_keys(&a, report);
    if (!done || other->arena.failed) spec->arena.failed = true;
    return spec->arena.failed ? FF_NO_MEMORY : FF_OK;
}

static bool is_displaced(const double pos[3], const double quat[4])
{
    return ff_vec3_norm(pos) > 0.0 || ff_vec3_norm(quat + 1) > 0.0;
}

ff_status ff_spec_attach(ff_spec *spec, const ff_spec *other, const char *prefix, int parent, const double pos[3],
                         const double quat[4], ff_report *report)
{
    const int own = spec->nkey;
    const ff_coordinates *before = own > 0 ? ff_coordinates_note(spec) : NULL;
    const ff_status status = ff_spec_join(spec, other, prefix, NULL, parent, pos, quat, report);
    if (status != FF_OK) return status;
    if (before) ff_coordinates_fit(spec, before);
    if (spec->nkey > own && is_displaced(pos, quat)) {
        const ff_coordinates *now = ff_coordinates_note(spec);
        if (now) ff_coordinates_move(spec, now, pos, quat);
    }
    return spec->arena.failed ? FF_NO_MEMORY : FF_OK;
}
