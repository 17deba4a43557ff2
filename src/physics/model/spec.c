// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The editable description: adding items with sensible defaults, finding them by name; options of loading.
#include "model/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name;
    int nq, nv;
} joint_facts[FF_JOINT_COUNT] = {
    [FF_JOINT_HINGE] = {"hinge", 1, 1}, [FF_JOINT_SLIDE] = {"slide", 1, 1},   [FF_JOINT_BALL] = {"ball", 4, 3},
    [FF_JOINT_FREE] = {"free", 7, 6},   [FF_JOINT_PLANAR] = {"planar", 3, 3},
};

const char *ff_joint_name(ff_joint_type type)
{
    return joint_facts[type].name;
}

int ff_joint_nq(ff_joint_type type)
{
    return joint_facts[type].nq;
}

int ff_joint_nv(ff_joint_type type)
{
    return joint_facts[type].nv;
}

bool ff_joint_is_scalar(ff_joint_type type)
{
    return type == FF_JOINT_HINGE || type == FF_JOINT_SLIDE;
}

ff_spec *ff_spec_create(ff_error *err)
{
    ff_spec *spec = calloc(1, sizeof *spec);
    if (!spec) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for the description of a robot");
        return NULL;
    }
    spec->name = "";
    ff_vec3_set(spec->gravity, 0, 0, -9.81);
    spec->inertia_group[1] = 1000; // every group a file may use
    return spec;
}

void ff_spec_destroy(ff_spec *spec)
{
    if (!spec) return;
    for (int i = 0; i < spec->nmesh; i++) ff_mesh_destroy(spec->meshes[i].data);
    for (int kind = 0; kind < FF_ITEM_COUNT; kind++) free(ff_item_at(spec, (ff_spec_item)kind, 0));
    ff_arena_clear(&spec->arena);
    free(spec);
}

const char *ff_spec_text(ff_spec *spec, const char *text)
{
    return text ? ff_arena_strdup(&spec->arena, text) : NULL;
}

// ------------------------------------------------------------------------------------------ adding

/// Adds an item of a kind that begins with its name.
static void *add_named(ff_spec *spec, ff_spec_item kind, const char *name)
{
    const char **item = ff_item_add(spec, kind);
    if (item) *item = ff_spec_text(spec, name);
    return item;
}

ff_spec_body *ff_spec_add_body(ff_spec *spec, const char *name, int parent)
{
    ff_spec_body *body = add_named(spec, FF_ITEM_BODY, name);
    if (!body) return NULL;
    body->parent = parent;
    ff_quat_identity(body->quat);
    ff_quat_identity(body->inertia_quat);
    ff_quat_identity(body->coarse_quat);
    return body;
}

ff_spec_joint *ff_spec_add_joint(ff_spec *spec, const char *name, int body, ff_joint_type type)
{
    ff_spec_joint *joint = add_named(spec, FF_ITEM_JOINT, name);
    if (!joint) return NULL;
    joint->body = body;
    joint->type = type;
    joint->axis[2] = 1.0;
    joint->mimic_gain = 1.0;
    joint->stop_stiffness = joint->stop_damping = NAN;
    return joint;
}

ff_spec_geom *ff_spec_add_geom(ff_spec *spec, const char *name, int body, ff_shape_type type)
{
    ff_spec_geom *geom = add_named(spec, FF_ITEM_GEOM, name);
    if (!geom) return NULL;
    geom->body = body;
    geom->type = type;
    geom->mesh = -1;
    ff_quat_identity(geom->quat);
    for (int i = 0; i < 4; i++) geom->rgba[i] = i < 3 ? 0.5 : 1.0;
    geom->gives_mass = true;
    geom->density = 1000.0; // water, MJCF's default
    geom->contype = geom->conaffinity = 1;
    geom->condim = 3;
    ff_vec3_set(geom->friction, 1.0, 0.005, 0.0001); // MJCF's defaults
    return geom;
}

ff_spec_mesh *ff_spec_add_mesh(ff_spec *spec, const char *name)
{
    ff_spec_mesh *mesh = add_named(spec, FF_ITEM_MESH, name);
    if (!mesh) return NULL;
    ff_vec3_set(mesh->scale, 1, 1, 1);
    ff_quat_identity(mesh->quat);
    return mesh;
}

ff_spec_frame *ff_spec_add_frame(ff_spec *spec, const char *name, int body)
{
    ff_spec_frame *frame = add_named(spec, FF_ITEM_FRAME, name);
    if (!frame) return NULL;
    frame->body = body;
    ff_quat_identity(frame->quat);
    return frame;
}

ff_spec_tendon *ff_spec_add_tendon(ff_spec *spec, const char *name)
{
    ff_spec_tendon *tendon = add_named(spec, FF_ITEM_TENDON, name);
    if (!tendon) return NULL;
    tendon->spring_at_rest = true;
    tendon->stop_stiffness = tendon->stop_damping = NAN;
    return tendon;
}

ff_spec_tendon_piece *ff_spec_add_tendon_piece(ff_spec *spec, ff_spec_tendon *tendon, ff_tendon_piece_type type,
                                               const char *name, const char *side, double factor)
{
    const int n = tendon->npiece;
    if ((n & (n - 1)) == 0) { // full: a copy, since the few pieces of a string waste little of the arena
        ff_spec_tendon_piece *more = FF_ARENA_NEW(&spec->arena, ff_spec_tendon_piece, 2 * n + 1);
        if (!more) return NULL;
        if (n > 0) memcpy(more, tendon->pieces, (size_t)n * sizeof *more);
        tendon->pieces = more;
    }
    ff_spec_tendon_piece *piece = &tendon->pieces[tendon->npiece++];
    piece->type = type;
    piece->name = ff_spec_text(spec, name);
    piece->side = ff_spec_text(spec, side);
    piece->factor = factor;
    return piece;
}

ff_spec_actuator *ff_spec_add_actuator(ff_spec *spec, const char *name, ff_actuator_type type)
{
    ff_spec_actuator *actuator = add_named(spec, FF_ITEM_ACTUATOR, name);
    if (!actuator) return NULL;
    actuator->type = type;
    actuator->gear = actuator->gain = 1.0;
    return actuator;
}

ff_spec_drive *ff_spec_add_drive(ff_spec *spec, const char *name)
{
    return add_named(spec, FF_ITEM_DRIVE, name);
}

ff_spec_battery *ff_spec_add_battery(ff_spec *spec, const char *name)
{
    ff_spec_battery *battery = add_named(spec, FF_ITEM_BATTERY, name);
    if (!battery) return NULL;
    battery->charge = 1.0;
    return battery;
}

ff_spec_sensor *ff_spec_add_sensor(ff_spec *spec, const char *name, const char *type)
{
    ff_spec_sensor *sensor = add_named(spec, FF_ITEM_SENSOR, name);
    if (!sensor) return NULL;
    sensor->type = ff_spec_text(spec, type);
    sensor->object_type = sensor->object = "";
    return sensor;
}

ff_spec_equality *ff_spec_add_equality(ff_spec *spec, const char *name, ff_equality_type type)
{
    ff_spec_equality *equality = add_named(spec, FF_ITEM_EQUALITY, name);
    if (!equality) return NULL;
    equality->type = type;
    equality->object1 = equality->object2 = "";
    equality->active = true;
    equality->at_rest = true;
    if (type == FF_EQUALITY_WELD) equality->data[10] = 1.0;
    return equality;
}

ff_spec_exclude *ff_spec_add_exclude(ff_spec *spec, const char *body1, const char *body2)
{
    ff_spec_exclude *exclude = add_named(spec, FF_ITEM_EXCLUDE, body1);
    if (!exclude) return NULL;
    exclude->body2 = ff_spec_text(spec, body2);
    return exclude;
}

ff_spec_pair *ff_spec_add_pair(ff_spec *spec, const char *geom1, const char *geom2)
{
    ff_spec_pair *pair = add_named(spec, FF_ITEM_PAIR, geom1);
    if (!pair) return NULL;
    pair->geom2 = ff_spec_text(spec, geom2);
    ff_vec3_set(pair->friction, 1.0, 0.005, 0.0001); // MJCF's defaults
    pair->condim = 3;
    pair->numbers = (ff_mjcf_contact){.given = true, .solmix = 1.0, .solref = {0.02, 1.0}, .impedance = 0.95};
    return pair;
}

ff_spec_leg *ff_spec_add_leg(ff_spec *spec, const char *name)
{
    ff_spec_leg *leg = add_named(spec, FF_ITEM_LEG, name);
    if (!leg) return NULL;
    leg->radius = -1.0;
    return leg;
}

ff_spec_hand *ff_spec_add_hand(ff_spec *spec, const char *name)
{
    return add_named(spec, FF_ITEM_HAND, name);
}

ff_spec_biped *ff_spec_add_biped(ff_spec *spec)
{
    ff_spec_biped *biped = ff_item_add(spec, FF_ITEM_BIPED);
    if (!biped) return NULL;
    for (int k = 0; k < 2; k++) biped->ahead[k] = biped->aside[k] = NAN;
    for (int k = 0; k < 3; k++) biped->leg_com[k] = NAN;
    for (int k = 0; k < FF_BIPED_NUMBERS; k++) biped->numbers[k] = NAN;
    return biped;
}

ff_spec_key *ff_spec_add_key(ff_spec *spec, const char *name)
{
    return add_named(spec, FF_ITEM_KEY, name);
}

ff_spec_material *ff_spec_add_material(ff_spec *spec, const char *name, ff_error *err)
{
    const size_t length = strlen(name);
    if (length >= FF_MATERIAL_NAME_MAX) {
        ff_error_set(err, FF_LIMIT, "the name of a material has at most %d characters, not %zu: '%.100s'",
                     FF_MATERIAL_NAME_MAX - 1, length, name);
        return NULL;
    }
    ff_spec_material *material = ff_item_add(spec, FF_ITEM_MATERIAL);
    if (!material) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for the material '%s'", name);
        return NULL;
    }
    material->material = ff_material_default();
    material->material.source = NULL;
    memcpy(material->material.name, name, length + 1);
    return material;
}

void ff_spec_ignore(ff_spec *spec, ff_place place, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (int i = 0; i < spec->nignored; i++) {
        if (strcmp(spec->ignored[i].what, text) != 0) continue;
        spec->ignored[i].count++;
        return;
    }
    if (spec->nignored >= FF_REPORT_MAX) return;
    const char *what = ff_spec_text(spec, text), *file = ff_spec_text(spec, place.file);
    if (!what) return;
    ff_spec_ignored *ignored = ff_item_add(spec, FF_ITEM_IGNORED);
    if (!ignored) return;
    ignored->what = what; // one by one, so that padding stays zero, as in every item
    ignored->count = 1;
    ignored->place = (ff_place){file, place.line, place.column};
}

// ------------------------------------------------------------------------------------------ finding

#define DEFINE_FIND(kind, item)                                                                                        \
    int ff_spec_find_##kind(const ff_spec *spec, const char *name)                                                     \
    {                                                                                                                  \
        return ff_item_find(spec, FF_ITEM_##item, name);                                                               \
    }

DEFINE_FIND(body, BODY)
DEFINE_FIND(joint, JOINT)
DEFINE_FIND(geom, GEOM)
DEFINE_FIND(mesh, MESH)
DEFINE_FIND(frame, FRAME)
DEFINE_FIND(tendon, TENDON)
DEFINE_FIND(actuator, ACTUATOR)
DEFINE_FIND(drive, DRIVE)
DEFINE_FIND(battery, BATTERY)
DEFINE_FIND(sensor, SENSOR)
DEFINE_FIND(leg, LEG)
DEFINE_FIND(hand, HAND)

int ff_spec_find_material(const ff_spec *spec, const char *name)
{
    for (int i = 0; spec && name && i < spec->nmaterial; i++)
        if (strcmp(spec->materials[i].material.name, name) == 0) return i;
    return -1;
}

ff_load_options ff_load_options_default(void)
{
    return (ff_load_options){.max_bytes = (size_t)64 << 20};
}
