// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins two descriptions: a robot into a scene, an imported file into a native one.
#include <footfall/model.h>

#include "model/attach.h"
#include "model/compile.h"
#include "model/coordinates.h"
#include "model/settings.h"

#include <stdio.h>

typedef struct attachment {
    ff_spec *to;
    const char *prefix, *suffix;
    int body0, mesh0; // where the items of the other description begin
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

static bool attach_bodies(const attachment *a, const ff_spec *other, int parent, const double pos[3],
                          const double quat[4])
{
    for (int i = 0; i < other->nbody; i++) {
        const ff_spec_body *from = &other->bodies[i];
        ff_spec_body *body = ff_spec_add_body(a->to, NULL, -1);
        if (!body) return false;
        *body = *from;
        body->name = renamed(a, from->name);
        body->place = moved_place(a, from->place);
        if (from->parent >= 0) {
            body->parent = from->parent + a->body0;
        } else {
            body->parent = has_free_joint(other, i) ? -1 : parent;
            ff_pose_displace(body->pos, body->quat, pos, quat);
        }
    }
    for (int i = 0; i < other->njoint; i++) {
        ff_spec_joint *joint = ff_spec_add_joint(a->to, NULL, 0, FF_JOINT_HINGE);
        if (!joint) return false;
        *joint = other->joints[i];
        joint->name = renamed(a, joint->name);
        joint->mimic = renamed(a, joint->mimic);
        joint->body += a->body0;
        joint->place = moved_place(a, joint->place);
    }
    return true;
}

static bool attach_shapes(const attachment *a, const ff_spec *other, int parent, const double pos[3],
                          const double quat[4])
{
    for (int i = 0; i < other->nmesh; i++) {
        const ff_mesh *data = other->meshes[i].data;
        ff_spec_mesh *mesh = ff_spec_add_mesh(a->to, NULL);
        if (!mesh) return false;
        *mesh = other->meshes[i];
        mesh->data = NULL;
        mesh->name = renamed(a, mesh->name);
        mesh->path = ff_spec_text(a->to, mesh->path);
        mesh->trouble = ff_spec_text(a->to, mesh->trouble);
        mesh->place = moved_place(a, mesh->place);
        if (!data) continue;
        mesh->data = ff_mesh_create(data->vertices, data->nvertex, data->triangles, data->ntriangle, NULL);
        if (!mesh->data) return false;
    }
    for (int i = 0; i < other->ngeom; i++) {
        ff_spec_geom *geom = ff_spec_add_geom(a->to, NULL, -1, FF_SHAPE_SPHERE);
        if (!geom) return false;
        *geom = other->geoms[i];
        geom->name = renamed(a, geom->name);
        geom->material = ff_spec_text(a->to, geom->material);
        geom->place = moved_place(a, geom->place);
        geom->material_place = moved_place(a, geom->material_place);
        if (geom->mesh >= 0) geom->mesh += a->mesh0;
        if (geom->body >= 0) {
            geom->body += a->body0;
        } else {
            geom->body = parent;
            ff_pose_displace(geom->pos, geom->quat, pos, quat);
        }
    }
    for (int i = 0; i < other->nframe; i++) {
        ff_spec_frame *frame = ff_spec_add_frame(a->to, NULL, -1);
        if (!frame) return false;
        *frame = other->frames[i];
        frame->name = renamed(a, frame->name);
        frame->place = moved_place(a, frame->place);
        if (frame->body >= 0) {
            frame->body += a->body0;
        } else {
            frame->body = parent;
            ff_pose_displace(frame->pos, frame->quat, pos, quat);
        }
    }
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

static bool attach_loops(const attachment *a, const ff_spec *other, int parent, const double pos[3],
                         const double quat[4])
{
    for (int i = 0; i < other->nequality; i++) {
        ff_spec_equality *e = ff_spec_add_equality(a->to, NULL, FF_EQUALITY_WELD);
        if (!e) return false;
        *e = other->equalities[i];
        e->name = renamed(a, e->name);
        e->place = moved_place(a, e->place);
        const bool joints = e->type == FF_EQUALITY_JOINT;
        const bool one = !joints && is_world(e->object1), two = !joints && is_world(e->object2);
        const char *home = parent < 0 ? "" : a->to->bodies[parent].name;
        e->object1 = one ? ff_spec_text(a->to, home) : renamed(a, e->object1);
        e->object2 = two ? ff_spec_text(a->to, home) : renamed(a, e->object2);
        displace_loop(e, one, two, pos, quat);
    }
    return true;
}

static bool attach_tendons(const attachment *a, const ff_spec *other)
{
    for (int i = 0; i < other->ntendon; i++) {
        const ff_spec_tendon *from = &other->tendons[i];
        ff_spec_tendon *tendon = ff_spec_add_tendon(a->to, NULL);
        if (!tendon) return false;
        *tendon = *from;
        tendon->name = renamed(a, from->name);
        tendon->place = moved_place(a, from->place);
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

static bool attach_drives(const attachment *a, const ff_spec *other)
{
    for (int i = 0; i < other->ndrive; i++) {
        const ff_spec_drive *from = &other->drives[i];
        ff_spec_drive *drive = ff_spec_add_drive(a->to, NULL);
        if (!drive) return false;
        *drive = *from;
        drive->name = renamed(a, from->name);
        for (int k = 0; k < 2; k++) drive->joint[k] = renamed(a, from->joint[k]);
        drive->battery = renamed(a, from->battery);
        drive->settings = ff_settings_copy(&a->to->arena, from->settings, from->nsetting);
        if (!drive->settings) return false;
        drive->place = moved_place(a, from->place);
    }
    return true;
}

static bool attach_batteries(const attachment *a, const ff_spec *other)
{
    for (int i = 0; i < other->nbattery; i++) {
        const ff_spec_battery *from = &other->batteries[i];
        ff_spec_battery *battery = ff_spec_add_battery(a->to, NULL);
        if (!battery) return false;
        *battery = *from;
        battery->name = renamed(a, from->name);
        battery->curve = ff_battery_curve_copy(&a->to->arena, from);
        if (!battery->curve) return false;
        battery->place = moved_place(a, from->place);
    }
    return true;
}

static bool attach_named(const attachment *a, const ff_spec *other)
{
    for (int i = 0; i < other->nactuator; i++) {
        ff_spec_actuator *actuator = ff_spec_add_actuator(a->to, NULL, FF_ACTUATOR_MOTOR);
        if (!actuator) return false;
        *actuator = other->actuators[i];
        actuator->name = renamed(a, actuator->name);
        actuator->joint = renamed(a, actuator->joint);
        actuator->tendon = renamed(a, actuator->tendon);
        actuator->body = renamed(a, actuator->body);
        actuator->place = moved_place(a, actuator->place);
    }
    for (int i = 0; i < other->nsensor; i++) {
        ff_spec_sensor *sensor = ff_spec_add_sensor(a->to, NULL, NULL);
        if (!sensor) return false;
        *sensor = other->sensors[i];
        sensor->name = renamed(a, sensor->name);
        sensor->type = ff_spec_text(a->to, sensor->type);
        sensor->object_type = ff_spec_text(a->to, sensor->object_type);
        bool body = sensor->object_type && strcmp(sensor->object_type, "body") == 0;
        sensor->object = body ? renamed_body(a, sensor->object) : renamed(a, sensor->object);
        sensor->place = moved_place(a, sensor->place);
        sensor->settings = ff_settings_copy(&a->to->arena, other->sensors[i].settings, other->sensors[i].nsetting);
        if (!sensor->settings) return false;
        for (int k = 0; k < sensor->nsetting; k++)
            if (strcmp(sensor->settings[k].name, "shape") == 0 || strcmp(sensor->settings[k].name, "reference") == 0)
                sensor->settings[k].word = renamed(a, sensor->settings[k].word);
    }
    for (int i = 0; i < other->nexclude; i++) {
        const ff_spec_exclude *from = &other->excludes[i];
        ff_spec_exclude *exclude = ff_spec_add_exclude(a->to, NULL, NULL);
        if (!exclude) return false;
        exclude->body1 = renamed_body(a, from->body1);
        exclude->body2 = renamed_body(a, from->body2);
        exclude->place = moved_place(a, from->place);
    }
    for (int i = 0; i < other->npair; i++) {
        ff_spec_pair *pair = ff_spec_add_pair(a->to, NULL, NULL);
        if (!pair) return false;
        *pair = other->pairs[i];
        pair->geom1 = renamed(a, pair->geom1);
        pair->geom2 = renamed(a, pair->geom2);
        pair->place = moved_place(a, pair->place);
    }
    for (int i = 0; i < other->nignored; i++) {
        const ff_spec_ignored *from = &other->ignored[i];
        ff_spec_ignore(a->to, from->place, "%s", from->what);
        for (int k = 0; k < a->to->nignored; k++)
            if (strcmp(a->to->ignored[k].what, from->what) == 0) a->to->ignored[k].count += from->count - 1;
    }
    return true;
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
    for (int i = 0; i < other->nleg; i++) {
        ff_spec_leg *leg = ff_spec_add_leg(a->to, NULL);
        if (!leg) return false;
        *leg = other->legs[i];
        leg->name = renamed_leg(a, leg->name);
        for (int k = 0; k < leg->njoint; k++) leg->joints[k] = renamed(a, leg->joints[k]);
        leg->foot = renamed(a, leg->foot);
        for (int k = 0; k < leg->nsole; k++) leg->soles[k] = renamed(a, leg->soles[k]);
        leg->force = renamed(a, leg->force);
        leg->touch = renamed(a, leg->touch);
        leg->place = moved_place(a, leg->place);
    }
    return true;
}

static bool attach_bipeds(const attachment *a, const ff_spec *other)
{
    for (int i = 0; i < other->nbiped; i++) {
        ff_spec_biped *biped = ff_spec_add_biped(a->to);
        if (!biped) return false;
        *biped = other->bipeds[i];
        biped->pose = renamed(a, biped->pose);
        biped->torso = renamed(a, biped->torso);
        biped->place = moved_place(a, biped->place);
    }
    return true;
}

static bool attach_hands(const attachment *a, const ff_spec *other)
{
    for (int i = 0; i < other->nhand; i++) {
        ff_spec_hand *hand = ff_spec_add_hand(a->to, NULL);
        if (!hand) return false;
        *hand = other->hands[i];
        hand->name = renamed(a, hand->name);
        hand->frame = renamed(a, hand->frame);
        for (int k = 0; k < hand->nbody; k++) hand->bodies[k] = renamed(a, hand->bodies[k]);
        hand->place = moved_place(a, hand->place);
    }
    return true;
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
            "another one, %g and %g, is passed over",
            spec->density, spec->viscosity, other->density, other->viscosity);
    }
    attachment a = {spec, prefix, suffix, spec->nbody, spec->nmesh};
    bool done = attach_bodies(&a, other, parent, pos, quat);
    // rules for masses hold for a whole description: settled before the bodies join others
    if (done && has_own_rules(other, spec) && !ff_compile_weigh(other, spec->bodies + a.body0, report))
        return FF_BAD_MODEL;
    done = done && attach_shapes(&a, other, parent, pos, quat) && attach_named(&a, other) &&
           attach_tendons(&a, other) && attach_drives(&a, other) && attach_batteries(&a, other) &&
           attach_legs(&a, other) && attach_hands(&a, other) && attach_bipeds(&a, other) &&
           attach_loops(&a, other, parent, pos, quat) && attach_materials(&a, other, report) &&
           attach_keys(&a, other, report);
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
