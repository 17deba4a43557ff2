// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins two descriptions: a robot into a scene, an imported file into a native one.
#include <footfall/model.h>

#include "model/attach.h"
#include "model/compile.h"
#include "model/coordinates.h"
#include "model/settings.h"

#include <stddef.h>
#include <stdio.h>

typedef struct attachment {
    ff_spec *to;
    const char *prefix, *suffix;
    int body0, mesh0; // where the items of the other description begin
    int parent;       // body that its world becomes
    const double *pos, *quat;
} attachment;

static const char *renamed(const attachment *a, const char *name)
{
    if (!name) return NULL;
    const bool same = !name[0] || (!a->prefix[0] && !a->suffix[0]);
    return same ? ff_spec_text(a->to, name) : ff_arena_printf(&a->to->arena, "%s%s%s", a->prefix, name, a->suffix);
}

/// Name of a body, "" or "world" for the world, which no prefix changes.
static const char *renamed_body(const attachment *a, const char *name)
{
    return name && strcmp(name, "world") == 0 ? ff_spec_text(a->to, name) : renamed(a, name);
}

static ff_place moved_place(const attachment *a, ff_place place)
{
    place.file = ff_spec_text(a->to, place.file);
    return place;
}

static bool has_free_joint(const ff_spec *spec, int body)
{
    for (int j = 0; j < spec->njoint; j++)
        if (spec->joints[j].body == body && spec->joints[j].type == FF_JOINT_FREE) return true;
    return false;
}

// ------------------------------------------------------------------------------------------ items of any kind

/// How pointers of an item that another description brings are copied.
typedef enum link_kind {
    LINK_END,
    LINK_NAME,  // of this or another item: renamed
    LINK_BODY,  // the same, where "world" stays
    LINK_TEXT,  // copied
    LINK_PLACE, // copied
} link_kind;

typedef struct link {
    link_kind kind;
    size_t offset;
    int count; // of pointers; 0: one
} link;

#define AT(kind, type, field)                                                                                          \
    {                                                                                                                  \
        LINK_##kind, offsetof(ff_spec_##type, field), 0                                                                \
    }
#define ALL(kind, type, field, count)                                                                                  \
    {                                                                                                                  \
        LINK_##kind, offsetof(ff_spec_##type, field), count                                                            \
    }

static void follow(const attachment *a, const link *l, unsigned char *item)
{
    if (l->kind == LINK_PLACE) {
        ff_place *place = (ff_place *)(void *)(item + l->offset);
        place->file = ff_spec_text(a->to, place->file);
        return;
    }
    const char **text = (const char **)(void *)(item + l->offset);
    for (int i = 0; i < (l->count ? l->count : 1); i++)
        text[i] = l->kind == LINK_NAME   ? renamed(a, text[i])
                  : l->kind == LINK_BODY ? renamed_body(a, text[i])
                                         : ff_spec_text(a->to, text[i]);
}

/// Copies `n` items to the end of an array. False: out of memory.
static bool append(const attachment *a, void *items, int *count, int *capacity, size_t size, const void *from, int n,
                   const link *links)
{
    for (int i = 0; i < n; i++) {
        unsigned char *all;
        if (!ff_array_grow(items, *count, capacity, size)) return false;
        memcpy(&all, items, sizeof all);
        unsigned char *item = all + (size_t)(*count)++ * size;
        memcpy(item, (const unsigned char *)from + (size_t)i * size, size);
        for (const link *l = links; l->kind != LINK_END; l++) follow(a, l, item);
    }
    return true;
}

#define APPEND(a, other, items, n, capacity, ...)                                                                      \
    append(a, &(a)->to->items, &(a)->to->n, &(a)->to->capacity, sizeof *(a)->to->items, (other)->items, (other)->n,    \
           (const link[]){__VA_ARGS__, {LINK_END, 0, 0}})

/// Puts what is fixed to the world of the other description to where that is attached.
static void settle(const attachment *a, int *body, double pos[3], double quat[4])
{
    if (*body >= 0) {
        *body += a->body0;
        return;
    }
    *body = a->parent;
    ff_pose_displace(pos, quat, a->pos, a->quat);
}

// ------------------------------------------------------------------------------------------ kinds of items

static bool attach_bodies(const attachment *a, const ff_spec *other)
{
    ff_spec *to = a->to;
    const int joint0 = to->njoint;
    if (!APPEND(a, other, bodies, nbody, body_capacity, AT(NAME, body, name), AT(PLACE, body, place))) return false;
    for (int i = 0; i < other->nbody; i++) {
        ff_spec_body *body = &to->bodies[a->body0 + i];
        const bool flies = body->parent < 0 && has_free_joint(other, i);
        settle(a, &body->parent, body->pos, body->quat);
        if (flies) body->parent = -1;
    }
    if (!APPEND(a, other, joints, njoint, joint_capacity, AT(NAME, joint, name), AT(NAME, joint, mimic),
                AT(PLACE, joint, place)))
        return false;
    for (int i = joint0; i < to->njoint; i++) to->joints[i].body += a->body0;
    return true;
}

static bool attach_meshes(const attachment *a, const ff_spec *other)
{
    ff_spec *to = a->to;
    const bool done = APPEND(a, other, meshes, nmesh, mesh_capacity, AT(NAME, mesh, name), AT(TEXT, mesh, path),
                             AT(TEXT, mesh, problem), AT(PLACE, mesh, place));
    for (int i = a->mesh0; i < to->nmesh; i++) to->meshes[i].data = NULL; // still that of the other description
    for (int i = 0; done && i < other->nmesh; i++) {
        const ff_mesh *data = other->meshes[i].data;
        if (!data) continue;
        ff_mesh *copy = ff_mesh_create(data->vertices, data->nvertex, data->triangles, data->ntriangle, NULL);
        if (!copy) return false;
        to->meshes[a->mesh0 + i].data = copy;
    }
    return done;
}

static bool attach_shapes(const attachment *a, const ff_spec *other)
{
    ff_spec *to = a->to;
    const int geom0 = to->ngeom, frame0 = to->nframe;
    if (!attach_meshes(a, other) ||
        !APPEND(a, other, geoms, ngeom, geom_capacity, AT(NAME, geom, name), AT(TEXT, geom, material),
                AT(PLACE, geom, place), AT(PLACE, geom, material_place)) ||
        !APPEND(a, other, frames, nframe, frame_capacity, AT(NAME, frame, name), AT(PLACE, frame, place)))
        return false;
    for (int i = geom0; i < to->ngeom; i++) {
        if (to->geoms[i].mesh >= 0) to->geoms[i].mesh += a->mesh0;
        settle(a, &to->geoms[i].body, to->geoms[i].pos, to->geoms[i].quat);
    }
    for (int i = frame0; i < to->nframe; i++) settle(a, &to->frames[i].body, to->frames[i].pos, to->frames[i].quat);
    return true;
}

static bool is_world(const char *name)
{
    return !name || !name[0] || strcmp(name, "world") == 0;
}

static void displace_point(double point[3], const double pos[3], const double quat[4])
{
    double quat_unused[4] = {1, 0, 0, 0};
    ff_pose_displace(point, quat_unused, pos, quat);
}

/// What a loop says in coordinates of the other description's world, in those of where this world is put.
static void displace_loop(ff_spec_equality *e, bool one, bool two, const double pos[3], const double quat[4])
{
    if (e->type != FF_EQUALITY_WELD) {
        if (one) displace_point(e->data, pos, quat);
        if (two) displace_point(e->data + 3, pos, quat);
        return;
    }
    if (one) ff_pose_displace(e->data, e->data + 3, pos, quat);
    if (!two) return;
    // the pose of the old world in body 1, times that of the new one in the old
    double back[4], away[3], moved[4];
    ff_quat_conjugate(back, quat);
    ff_quat_rotate(away, back, pos);
    ff_vec3_scale(away, away, -1.0);
    ff_quat_copy(moved, back);
    ff_pose_displace(away, moved, e->data, e->data + 3);
    ff_vec3_copy(e->data, away);
    ff_quat_copy(e->data + 3, moved);
    displace_point(e->data + 7, pos, quat);
}

static bool attach_loops(const attachment *a, const ff_spec *other)
{
    const int first = a->to->nequality;
    if (!APPEND(a, other, equalities, nequality, equality_capacity, AT(NAME, equality, name),
                AT(PLACE, equality, place)))
        return false;
    for (int i = first; i < a->to->nequality; i++) {
        ff_spec_equality *e = &a->to->equalities[i];
        const bool joints = e->type == FF_EQUALITY_JOINT;
        const bool one = !joints && is_world(e->object1), two = !joints && is_world(e->object2);
        const char *home = a->parent < 0 ? "" : a->to->bodies[a->parent].name;
        e->object1 = one ? ff_spec_text(a->to, home) : renamed(a, e->object1);
        e->object2 = two ? ff_spec_text(a->to, home) : renamed(a, e->object2);
        displace_loop(e, one, two, a->pos, a->quat);
    }
    return true;
}

static bool attach_tendons(const attachment *a, const ff_spec *other)
{
    const int first = a->to->ntendon;
    if (!APPEND(a, other, tendons, ntendon, tendon_capacity, AT(NAME, tendon, name), AT(PLACE, tendon, place)))
        return false;
    for (int i = 0; i < other->ntendon; i++) {
        const ff_spec_tendon *from = &other->tendons[i];
        ff_spec_tendon *tendon = &a->to->tendons[first + i];
        tendon->pieces = NULL;
        tendon->npiece = 0;
        for (int k = 0; k < from->npiece; k++) {
            const ff_spec_tendon_piece *p = &from->pieces[k];
            ff_spec_tendon_piece *piece =
                ff_spec_add_tendon_piece(a->to, tendon, p->type, renamed(a, p->name), renamed(a, p->side), p->factor);
            if (!piece) return false;
            memcpy(piece->wrench, p->wrench, sizeof piece->wrench);
        }
    }
    return true;
}

static bool copy_settings(const attachment *a, ff_spec_setting **settings, int count)
{
    *settings = ff_settings_copy(&a->to->arena, *settings, count);
    return *settings != NULL;
}

static bool attach_drives(const attachment *a, const ff_spec *other)
{
    ff_spec *to = a->to;
    const int drive0 = to->ndrive, battery0 = to->nbattery;
    if (!APPEND(a, other, drives, ndrive, drive_capacity, AT(NAME, drive, name), ALL(NAME, drive, joint, 2),
                AT(NAME, drive, battery), AT(PLACE, drive, place)) ||
        !APPEND(a, other, batteries, nbattery, battery_capacity, AT(NAME, battery, name), AT(PLACE, battery, place)))
        return false;
    bool done = true;
    for (int i = drive0; i < to->ndrive; i++)
        done = copy_settings(a, &to->drives[i].settings, to->drives[i].nsetting) && done;
    for (int i = battery0; i < to->nbattery; i++) {
        to->batteries[i].curve = ff_battery_curve_copy(&to->arena, &to->batteries[i]);
        done = done && to->batteries[i].curve;
    }
    return done;
}

static bool attach_sensors(const attachment *a, const ff_spec *other)
{
    const int first = a->to->nsensor;
    if (!APPEND(a, other, sensors, nsensor, sensor_capacity, AT(NAME, sensor, name), AT(TEXT, sensor, type),
                AT(TEXT, sensor, object_type), AT(PLACE, sensor, place)))
        return false;
    for (int i = first; i < a->to->nsensor; i++) {
        ff_spec_sensor *sensor = &a->to->sensors[i];
        const bool body = sensor->object_type && strcmp(sensor->object_type, "body") == 0;
        sensor->object = body ? renamed_body(a, sensor->object) : renamed(a, sensor->object);
        if (!copy_settings(a, &sensor->settings, sensor->nsetting)) return false;
        for (int k = 0; k < sensor->nsetting; k++)
            if (strcmp(sensor->settings[k].name, "shape") == 0 || strcmp(sensor->settings[k].name, "reference") == 0)
                sensor->settings[k].word = renamed(a, sensor->settings[k].word);
    }
    return true;
}

static bool attach_named(const attachment *a, const ff_spec *other)
{
    for (int i = 0; i < other->nignored; i++) {
        const ff_spec_ignored *from = &other->ignored[i];
        ff_spec_ignore(a->to, from->place, "%s", from->what);
        for (int k = 0; k < a->to->nignored; k++)
            if (strcmp(a->to->ignored[k].what, from->what) == 0) a->to->ignored[k].count += from->count - 1;
    }
    return APPEND(a, other, actuators, nactuator, actuator_capacity, AT(NAME, actuator, name),
                  AT(NAME, actuator, joint), AT(NAME, actuator, tendon), AT(NAME, actuator, body),
                  AT(PLACE, actuator, place)) &&
           APPEND(a, other, excludes, nexclude, exclude_capacity, AT(BODY, exclude, body1), AT(BODY, exclude, body2),
                  AT(PLACE, exclude, place)) &&
           APPEND(a, other, pairs, npair, pair_capacity, AT(NAME, pair, geom1), AT(NAME, pair, geom2),
                  AT(PLACE, pair, place)) &&
           APPEND(a, other, hands, nhand, hand_capacity, AT(NAME, hand, name), AT(NAME, hand, frame),
                  ALL(NAME, hand, bodies, FF_LIMB_BODIES), AT(PLACE, hand, place)) &&
           APPEND(a, other, bipeds, nbiped, biped_capacity, AT(NAME, biped, pose), AT(NAME, biped, torso),
                  AT(PLACE, biped, place));
}

/// A leg without a name of its own, in a part, is called after the prefix: FL_ makes it FL.
static const char *renamed_leg(const attachment *a, const char *name)
{
    size_t length = strlen(a->prefix);
    if (!name || name[0] || length == 0) return renamed(a, name);
    while (length > 1 && strchr("_-./", a->prefix[length - 1])) length--;
    return ff_arena_printf(&a->to->arena, "%.*s", (int)length, a->prefix);
}

static bool attach_legs(const attachment *a, const ff_spec *other)
{
    const int first = a->to->nleg;
    const bool done = APPEND(a, other, legs, nleg, leg_capacity, ALL(NAME, leg, joints, FF_LEG_JOINTS),
                             AT(NAME, leg, foot), ALL(NAME, leg, soles, FF_LIMB_BODIES), AT(NAME, leg, force),
                             AT(NAME, leg, touch), AT(PLACE, leg, place));
    for (int i = first; i < a->to->nleg; i++) a->to->legs[i].name = renamed_leg(a, a->to->legs[i].name);
    return done;
}

/// Materials of one name must be one material: their names get no prefix, since a robot's "rubber" is the scene's.
static bool attach_materials(const attachment *a, const ff_spec *other, ff_report *report)
{
    for (int i = 0; i < other->nmaterial; i++) {
        const ff_spec_material *from = &other->materials[i];
        int known = ff_spec_find_material(a->to, from->material.name);
        if (known < 0) {
            ff_spec_material *material = ff_spec_add_material(a->to, from->material.name, NULL);
            if (!material) return false;
            material->material = from->material;
            material->material.source = ff_spec_text(a->to, from->material.source);
            material->place = moved_place(a, from->place);
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

static double *copied(ff_spec *spec, const double *numbers, int n)
{
    double *out = numbers ? FF_ARENA_NEW(&spec->arena, double, n + 1) : NULL;
    if (out) memcpy(out, numbers, (size_t)n * sizeof *out);
    return out;
}

/// Named states of the other description come along only into an empty one: where there are bodies already, nothing
/// says how these stand in them.
static bool attach_keys(const attachment *a, const ff_spec *other, ff_report *report)
{
    for (int i = 0; i < other->nkey; i++) {
        const ff_spec_key *from = &other->keys[i];
        if (a->body0 > 0) {
            ff_report_add(report, FF_NOTE, from->place, "keyframe \"%s\" is left out: it does not span the whole scene",
                          from->name ? from->name : "");
            continue;
        }
        ff_spec_key *key = ff_spec_add_key(a->to, NULL);
        if (!key) return false;
        *key = *from;
        key->name = renamed(a, from->name);
        key->q = copied(a->to, from->q, from->nq);
        key->v = copied(a->to, from->v, from->nv);
        key->command = copied(a->to, from->command, from->ncommand);
        key->activation = copied(a->to, from->activation, from->nactivation);
        key->mocap = copied(a->to, from->mocap, from->nmocap);
        key->place = moved_place(a, from->place);
    }
    return true;
}

/// The other description weighs its bodies by rules that the joined one does not have.
static bool has_own_rules(const ff_spec *other, const ff_spec *spec)
{
    return other->total_mass > 0 || other->bound_mass > 0 || other->bound_inertia > 0 || other->balance_inertia ||
           memcmp(other->inertia_group, spec->inertia_group, sizeof spec->inertia_group) != 0;
}

static bool same_medium(const ff_spec *a, const ff_spec *b)
{
    return a->density == b->density && a->viscosity == b->viscosity && memcmp(a->wind, b->wind, sizeof a->wind) == 0;
}

ff_status ff_spec_join(ff_spec *spec, const ff_spec *other, const char *prefix, int parent, const double pos[3],
                       const double quat[4], ff_report *report)
{
    return ff_spec_join_as(spec, other, prefix ? prefix : "", "", parent, pos, quat, report);
}

ff_status ff_spec_join_as(ff_spec *spec, const ff_spec *other, const char *prefix, const char *suffix, int parent,
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
    if (!(spec->density > 0.0) && !(spec->viscosity > 0.0)) { // what is around: that of the first robot that says it
        spec->density = other->density;
        spec->viscosity = other->viscosity;
        ff_vec3_copy(spec->wind, other->wind);
    } else if ((other->density > 0.0 || other->viscosity > 0.0) && !same_medium(spec, other)) {
        ff_report_add(
            report, FF_WARNING, (ff_place){0},
            "the medium around is that of the first file that names one, density %g kg/m^3 and viscosity %g Pa s: "
            "another one, %g and %g, is ignored",
            spec->density, spec->viscosity, other->density, other->viscosity);
    }
    const attachment a = {spec, prefix, suffix, spec->nbody, spec->nmesh, parent, pos, quat};
    bool done = attach_bodies(&a, other);
    // rules for masses hold for a whole description: settled before the bodies join others
    if (done && has_own_rules(other, spec) && !ff_compile_weigh(other, spec->bodies + a.body0, report))
        return FF_BAD_MODEL;
    done = done && attach_shapes(&a, other) && attach_named(&a, other) && attach_sensors(&a, other) &&
           attach_tendons(&a, other) && attach_drives(&a, other) && attach_legs(&a, other) && attach_loops(&a, other) &&
           attach_materials(&a, other, report) && attach_keys(&a, other, report);
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
    const ff_status status = ff_spec_join(spec, other, prefix, parent, pos, quat, report);
    if (status != FF_OK) return status;
    if (before) ff_coordinates_fit(spec, before);
    if (spec->nkey > own && is_displaced(pos, quat)) {
        const ff_coordinates *now = ff_coordinates_note(spec);
        if (now) ff_coordinates_move(spec, now, pos, quat);
    }
    return spec->arena.failed ? FF_NO_MEMORY : FF_OK;
}
