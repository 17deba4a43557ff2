// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of items and their fields, in the order of spec.h, and functions for items of any kind.
#include "model/fields.h"
#include "model/edit.h"

#include <limits.h>
#include <stdint.h>

// A field that is added to an item changes its size: it belongs into the table below, too. Sizes are those of
// processors with 64 bits.
#if UINTPTR_MAX == UINT64_MAX
#define COVERS(type, bytes)                                                                                            \
    _Static_assert(sizeof(type) == (bytes), #type " has changed: its table of fields must follow")
#else
#define COVERS(type, bytes) _Static_assert(sizeof(type) > 0, "")
#endif

/// A run of fields of one type, from `first` to `last`.
#define RUN(field_kind, type, first, last, unit)                                                                       \
    .kind = FF_FIELD_##field_kind, .at = offsetof(type, first),                                                        \
    .count = (int)((offsetof(type, last) + sizeof(((type *)0)->last) - offsetof(type, first)) / sizeof(unit))
#define ONE(field_kind, type, field) .kind = FF_FIELD_##field_kind, .at = offsetof(type, field), .count = 1

// clang-format off
#define NUMBERS(type, first, last)      {RUN(NUMBERS, type, first, last, double)}
#define FLAGS(type, first, last)        {RUN(FLAGS, type, first, last, bool)}
#define INTS(type, first, last)         {RUN(INTS, type, first, last, int), .low = INT_MIN, .high = INT_MAX}
#define ENUM(type, field, last)         {ONE(INTS, type, field), .high = (int)(last)}
#define NAMES(type, first, last)        {RUN(NAME, type, first, last, char *)}
#define TEXT(type, field)               {ONE(TEXT, type, field)}
#define WORD(type, field)               {ONE(WORD, type, field)}
#define PLACE(type, field)              {ONE(PLACE, type, field)}
#define STRUCT(type, field, table)      {ONE(STRUCT, type, field), .of = (table)}
#define ARRAY(type, field, counter)     {ONE(ARRAY, type, field), .count_at = offsetof(type, counter)}
#define SOME(kind, type, field, counter, most)                                                                         \
    {ONE(kind, type, field), .count_at = offsetof(type, counter), .high = (most)}
#define ITEMS(type, field, counter, table, item) \
    {ONE(ITEMS, type, field), .count_at = offsetof(type, counter), .of = (table), .size = sizeof(item)}
#define OF(field_kind, type, field)     {ONE(field_kind, type, field)}
#define END                             {.kind = FF_FIELD_END}
// clang-format on

// ------------------------------------------------------------------------------------------ bodies, joints, shapes

COVERS(ff_spec_body, 256);
static const ff_field BODY[] = {NAMES(ff_spec_body, name, name),
                                OF(PARENT, ff_spec_body, parent),
                                NUMBERS(ff_spec_body, pos, quat),
                                FLAGS(ff_spec_body, has_inertial, coarse_axes),
                                NUMBERS(ff_spec_body, coarse_quat, gravcomp),
                                FLAGS(ff_spec_body, mocap, mocap),
                                PLACE(ff_spec_body, place),
                                END};

COVERS(ff_spec_joint, 232);
static const ff_field JOINT[] = {NAMES(ff_spec_joint, name, name),
                                 OF(BODY, ff_spec_joint, body),
                                 ENUM(ff_spec_joint, type, FF_JOINT_COUNT - 1),
                                 NUMBERS(ff_spec_joint, pos, ref),
                                 FLAGS(ff_spec_joint, limited, limited),
                                 NUMBERS(ff_spec_joint, range, speed),
                                 NAMES(ff_spec_joint, mimic, mimic),
                                 NUMBERS(ff_spec_joint, mimic_gain, mimic_offset),
                                 PLACE(ff_spec_joint, place),
                                 END};

COVERS(ff_spec_mesh, 136);
static const ff_field MESH[] = {NAMES(ff_spec_mesh, name, name),
                                TEXT(ff_spec_mesh, path),
                                NUMBERS(ff_spec_mesh, scale, quat),
                                ENUM(ff_spec_mesh, filling, FF_FILL_SHELL),
                                FLAGS(ff_spec_mesh, coarse_axes, coarse_axes),
                                OF(MESH, ff_spec_mesh, data),
                                TEXT(ff_spec_mesh, problem),
                                PLACE(ff_spec_mesh, place),
                                END};

COVERS(ff_mjcf_contact, 48);
static const ff_field MJCF_CONTACT[] = {
    FLAGS(ff_mjcf_contact, given, given),        INTS(ff_mjcf_contact, priority, priority),
    NUMBERS(ff_mjcf_contact, solmix, solmix),    FLAGS(ff_mjcf_contact, has_solref, has_solref),
    NUMBERS(ff_mjcf_contact, solref, impedance), END};

COVERS(ff_spec_geom, 344);
static const ff_field GEOM[] = {NAMES(ff_spec_geom, name, name),
                                OF(BODY, ff_spec_geom, body),
                                ENUM(ff_spec_geom, type, FF_SHAPE_COUNT - 1),
                                NUMBERS(ff_spec_geom, size, size),
                                OF(MESH_NUMBER, ff_spec_geom, mesh),
                                NUMBERS(ff_spec_geom, pos, rgba),
                                ENUM(ff_spec_geom, role, FF_GEOM_COLLISION),
                                FLAGS(ff_spec_geom, gives_mass, has_mass),
                                NUMBERS(ff_spec_geom, mass, density),
                                INTS(ff_spec_geom, group, condim),
                                NUMBERS(ff_spec_geom, friction, friction),
                                FLAGS(ff_spec_geom, has_friction, has_friction),
                                STRUCT(ff_spec_geom, mjcf, MJCF_CONTACT),
                                FLAGS(ff_spec_geom, ellipsoid, ellipsoid),
                                NUMBERS(ff_spec_geom, fluid, fluid),
                                TEXT(ff_spec_geom, material),
                                PLACE(ff_spec_geom, place),
                                PLACE(ff_spec_geom, material_place),
                                END};

COVERS(ff_spec_frame, 88);
static const ff_field FRAME[] = {NAMES(ff_spec_frame, name, name), OF(BODY, ff_spec_frame, body),
                                 NUMBERS(ff_spec_frame, pos, quat), PLACE(ff_spec_frame, place), END};

// ------------------------------------------------------------------------------------------ actuators, drives, sensors

COVERS(ff_spec_tendon_piece, 80);
static const ff_field PIECE[] = {ENUM(ff_spec_tendon_piece, type, FF_TENDON_THRUST),
                                 NAMES(ff_spec_tendon_piece, name, side), NUMBERS(ff_spec_tendon_piece, factor, wrench),
                                 END};

COVERS(ff_spec_tendon, 136);
static const ff_field TENDON[] = {NAMES(ff_spec_tendon, name, name),
                                  ITEMS(ff_spec_tendon, pieces, npiece, PIECE, ff_spec_tendon_piece),
                                  NUMBERS(ff_spec_tendon, stiffness, damping),
                                  FLAGS(ff_spec_tendon, spring_at_rest, spring_at_rest),
                                  NUMBERS(ff_spec_tendon, spring_length, dry_speed),
                                  FLAGS(ff_spec_tendon, limited, limited),
                                  NUMBERS(ff_spec_tendon, range, stop_damping),
                                  PLACE(ff_spec_tendon, place),
                                  END};

COVERS(ff_activation, 56);
static const ff_field ACTIVATION[] = {ENUM(ff_activation, type, FF_ACTIVATION_COUNT - 1),
                                      NUMBERS(ff_activation, time, smooth), FLAGS(ff_activation, limited, limited),
                                      NUMBERS(ff_activation, range, range), END};

COVERS(ff_muscle, 80);
static const ff_field MUSCLE[] = {FLAGS(ff_muscle, acts, acts), NUMBERS(ff_muscle, operating, lengthening), END};

COVERS(ff_spec_actuator, 400);
static const ff_field ACTUATOR[] = {NAMES(ff_spec_actuator, name, name),
                                    ENUM(ff_spec_actuator, type, FF_ACTUATOR_GENERAL),
                                    NAMES(ff_spec_actuator, joint, body),
                                    NUMBERS(ff_spec_actuator, gear, damping_ratio),
                                    FLAGS(ff_spec_actuator, command_limited, command_limited),
                                    NUMBERS(ff_spec_actuator, command_range, command_range),
                                    FLAGS(ff_spec_actuator, force_limited, force_limited),
                                    NUMBERS(ff_spec_actuator, force_range, force_range),
                                    STRUCT(ff_spec_actuator, activation, ACTIVATION),
                                    STRUCT(ff_spec_actuator, active, MUSCLE),
                                    STRUCT(ff_spec_actuator, passive, MUSCLE),
                                    NUMBERS(ff_spec_actuator, length_range, length_range),
                                    PLACE(ff_spec_actuator, place),
                                    END};

COVERS(ff_spec_setting, 48);
static const ff_field SETTING[] = {WORD(ff_spec_setting, name), TEXT(ff_spec_setting, word),
                                   SOME(FULL_ARRAY, ff_spec_setting, values, count, 0), PLACE(ff_spec_setting, place),
                                   END};

COVERS(ff_spec_drive, 72);
static const ff_field DRIVE[] = {NAMES(ff_spec_drive, name, joint),
                                 ITEMS(ff_spec_drive, settings, nsetting, SETTING, ff_spec_setting),
                                 NUMBERS(ff_spec_drive, armature, armature),
                                 NAMES(ff_spec_drive, battery, battery),
                                 PLACE(ff_spec_drive, place),
                                 END};

COVERS(ff_spec_battery, 88);
static const ff_field BATTERY[] = {NAMES(ff_spec_battery, name, name), NUMBERS(ff_spec_battery, voltage, least),
                                   ARRAY(ff_spec_battery, curve, ncurve), PLACE(ff_spec_battery, place), END};

COVERS(ff_spec_sensor, 80);
static const ff_field SENSOR[] = {
    NAMES(ff_spec_sensor, name, name),      WORD(ff_spec_sensor, type),
    WORD(ff_spec_sensor, object_type),      WORD(ff_spec_sensor, object),
    NUMBERS(ff_spec_sensor, noise, cutoff), ITEMS(ff_spec_sensor, settings, nsetting, SETTING, ff_spec_setting),
    PLACE(ff_spec_sensor, place),           END};

// ------------------------------------------------------------------------------------------ loops, legs, states

COVERS(ff_spec_equality, 144);
static const ff_field EQUALITY[] = {
    NAMES(ff_spec_equality, name, name),      ENUM(ff_spec_equality, type, FF_EQUALITY_ROD),
    WORD(ff_spec_equality, object1),          WORD(ff_spec_equality, object2),
    FLAGS(ff_spec_equality, active, at_rest), NUMBERS(ff_spec_equality, data, data),
    PLACE(ff_spec_equality, place),           END};

COVERS(ff_spec_exclude, 32);
static const ff_field EXCLUDE[] = {OF(BODY_NAME, ff_spec_exclude, body1), OF(BODY_NAME, ff_spec_exclude, body2),
                                   PLACE(ff_spec_exclude, place), END};

COVERS(ff_spec_pair, 112);
static const ff_field PAIR[] = {NAMES(ff_spec_pair, geom1, geom2),  NUMBERS(ff_spec_pair, friction, friction),
                                INTS(ff_spec_pair, condim, condim), STRUCT(ff_spec_pair, numbers, MJCF_CONTACT),
                                PLACE(ff_spec_pair, place),         END};

COVERS(ff_spec_leg, 200);
static const ff_field LEG[] = {TEXT(ff_spec_leg, name), // attach.c makes it
                               SOME(NAMES, ff_spec_leg, joints, njoint, FF_LEG_JOINTS),
                               NAMES(ff_spec_leg, foot, foot),
                               SOME(NAMES, ff_spec_leg, soles, nsole, FF_LIMB_BODIES),
                               NUMBERS(ff_spec_leg, radius, radius),
                               NAMES(ff_spec_leg, force, touch),
                               PLACE(ff_spec_leg, place),
                               END};

COVERS(ff_spec_hand, 104);
static const ff_field HAND[] = {NAMES(ff_spec_hand, name, frame),
                                SOME(NAMES, ff_spec_hand, bodies, nbody, FF_LIMB_BODIES), PLACE(ff_spec_hand, place),
                                END};

COVERS(ff_spec_biped, 720);
static const ff_field BIPED[] = {NAMES(ff_spec_biped, pose, torso),
                                 SOME(PAIRS, ff_spec_biped, sole, nsole, FF_BIPED_SOLE),
                                 NUMBERS(ff_spec_biped, ahead, numbers), PLACE(ff_spec_biped, place), END};

COVERS(ff_spec_key, 112);
static const ff_field KEY[] = {NAMES(ff_spec_key, name, name),
                               NUMBERS(ff_spec_key, time, time),
                               ARRAY(ff_spec_key, q, nq),
                               ARRAY(ff_spec_key, v, nv),
                               ARRAY(ff_spec_key, command, ncommand),
                               ARRAY(ff_spec_key, activation, nactivation),
                               ARRAY(ff_spec_key, mocap, nmocap),
                               PLACE(ff_spec_key, place),
                               END};

// ------------------------------------------------------------------------------------------ materials, what is ignored

COVERS(ff_normal, 72);
static const ff_field NORMAL[] = {ENUM(ff_normal, law, FF_NORMAL_LAW_COUNT - 1),
                                  NUMBERS(ff_normal, stiffness, restitution),
                                  ENUM(ff_normal, calibration, FF_CALIBRATION_COUNT - 1),
                                  NUMBERS(ff_normal, impact_floor, impact_floor),
                                  FLAGS(ff_normal, pulls, pulls),
                                  END};

COVERS(ff_friction, 136);
static const ff_field FRICTION[] = {
    ENUM(ff_friction, law, FF_FRICTION_LAW_COUNT - 1), NUMBERS(ff_friction, mu_static, stick_speed),
    ENUM(ff_friction, stick, FF_STICK_RULE_COUNT - 1), NUMBERS(ff_friction, breakaway, patch_radius), END};

COVERS(ff_spec_material, 288);
static const ff_field MATERIAL[] = {{RUN(LETTERS, ff_spec_material, material.name, material.name, char)},
                                    STRUCT(ff_spec_material, material.normal, NORMAL),
                                    STRUCT(ff_spec_material, material.friction, FRICTION),
                                    FLAGS(ff_spec_material, material.per_point, material.per_point),
                                    TEXT(ff_spec_material, material.source),
                                    PLACE(ff_spec_material, place),
                                    END};

COVERS(ff_spec_ignored, 32);
static const ff_field IGNORED[] = {WORD(ff_spec_ignored, what), INTS(ff_spec_ignored, count, count),
                                   PLACE(ff_spec_ignored, place), END};

COVERS(ff_spec, 448);
const ff_field ff_spec_fields[] = {WORD(ff_spec, name),
                                   NUMBERS(ff_spec, gravity, wind),
                                   INTS(ff_spec, inertia_group, inertia_group),
                                   NUMBERS(ff_spec, total_mass, bound_inertia),
                                   FLAGS(ff_spec, balance_inertia, balance_inertia),
                                   END};

#define KIND(item, array, count, capacity, table)                                                                      \
    {                                                                                                                  \
        sizeof(item), offsetof(ff_spec, array), offsetof(ff_spec, count), offsetof(ff_spec, capacity), table           \
    }
const ff_item_kind ff_item_kinds[FF_ITEM_COUNT] = {
    [FF_ITEM_BODY] = KIND(ff_spec_body, bodies, nbody, body_capacity, BODY),
    [FF_ITEM_JOINT] = KIND(ff_spec_joint, joints, njoint, joint_capacity, JOINT),
    [FF_ITEM_MESH] = KIND(ff_spec_mesh, meshes, nmesh, mesh_capacity, MESH),
    [FF_ITEM_GEOM] = KIND(ff_spec_geom, geoms, ngeom, geom_capacity, GEOM),
    [FF_ITEM_FRAME] = KIND(ff_spec_frame, frames, nframe, frame_capacity, FRAME),
    [FF_ITEM_TENDON] = KIND(ff_spec_tendon, tendons, ntendon, tendon_capacity, TENDON),
    [FF_ITEM_ACTUATOR] = KIND(ff_spec_actuator, actuators, nactuator, actuator_capacity, ACTUATOR),
    [FF_ITEM_DRIVE] = KIND(ff_spec_drive, drives, ndrive, drive_capacity, DRIVE),
    [FF_ITEM_BATTERY] = KIND(ff_spec_battery, batteries, nbattery, battery_capacity, BATTERY),
    [FF_ITEM_SENSOR] = KIND(ff_spec_sensor, sensors, nsensor, sensor_capacity, SENSOR),
    [FF_ITEM_EQUALITY] = KIND(ff_spec_equality, equalities, nequality, equality_capacity, EQUALITY),
    [FF_ITEM_EXCLUDE] = KIND(ff_spec_exclude, excludes, nexclude, exclude_capacity, EXCLUDE),
    [FF_ITEM_PAIR] = KIND(ff_spec_pair, pairs, npair, pair_capacity, PAIR),
    [FF_ITEM_LEG] = KIND(ff_spec_leg, legs, nleg, leg_capacity, LEG),
    [FF_ITEM_HAND] = KIND(ff_spec_hand, hands, nhand, hand_capacity, HAND),
    [FF_ITEM_BIPED] = KIND(ff_spec_biped, bipeds, nbiped, biped_capacity, BIPED),
    [FF_ITEM_KEY] = KIND(ff_spec_key, keys, nkey, key_capacity, KEY),
    [FF_ITEM_MATERIAL] = KIND(ff_spec_material, materials, nmaterial, material_capacity, MATERIAL),
    [FF_ITEM_IGNORED] = KIND(ff_spec_ignored, ignored, nignored, ignored_capacity, IGNORED),
};

// ------------------------------------------------------------------------------------------ items of any kind

int ff_item_count(const ff_spec *spec, ff_spec_item kind)
{
    return *(const int *)(const void *)((const char *)spec + ff_item_kinds[kind].count_at);
}

void *ff_item_at(const ff_spec *spec, ff_spec_item kind, int index)
{
    char *first;
    memcpy(&first, (const char *)spec + ff_item_kinds[kind].array_at, sizeof first);
    return first + (size_t)index * ff_item_kinds[kind].size;
}

void *ff_item_add(ff_spec *spec, ff_spec_item kind)
{
    const ff_item_kind *k = &ff_item_kinds[kind];
    int *count = (int *)(void *)((char *)spec + k->count_at),
        *capacity = (int *)(void *)((char *)spec + k->capacity_at);
    if (!ff_array_grow((char *)spec + k->array_at, *count, capacity, k->size)) {
        spec->arena.failed = true;
        return NULL;
    }
    return ff_item_at(spec, kind, (*count)++);
}

const char *ff_item_name(const ff_spec *spec, ff_spec_item kind, int index)
{
    const char *name;
    memcpy(&name, ff_item_at(spec, kind, index), sizeof name);
    return name;
}

ff_place ff_item_place(const ff_spec *spec, ff_spec_item kind, int index)
{
    const ff_field *f = ff_item_kinds[kind].fields;
    while (f->kind != FF_FIELD_PLACE) f++;
    return *(const ff_place *)(const void *)((const char *)ff_item_at(spec, kind, index) + f->at);
}

int ff_item_find(const ff_spec *spec, ff_spec_item kind, const char *name)
{
    for (int i = 0; spec && name && i < ff_item_count(spec, kind); i++) {
        const char *own = ff_item_name(spec, kind, i);
        if (own && strcmp(own, name) == 0) return i;
    }
    return -1;
}

// ------------------------------------------------------------------------------------------ copies

typedef struct copier {
    ff_arena *arena;
    ff_copy_text *text;
    const void *context;
} copier;

static bool copy_texts(const copier *c, ff_field_kind kind, const char **texts, int count)
{
    bool done = true;
    for (int i = 0; i < count; i++) {
        if (kind == FF_FIELD_WORD && !texts[i]) texts[i] = "";
        if (!texts[i]) continue;
        texts[i] = c->text ? c->text(c->context, kind, texts[i]) : ff_arena_strdup(c->arena, texts[i]);
        done = done && texts[i];
    }
    return done;
}

/// Copies the array of `count` items of `size` bytes that `at` points to. @return the copies; NULL when out of memory
static void *copy_array(const copier *c, void *at, int count, size_t size)
{
    void *from, *to = ff_arena_alloc(c->arena, 2 * (size_t)count + 1, size); // pieces of a tendon are added in place
    memcpy(&from, at, sizeof from);
    if (to && count > 0) memcpy(to, from, (size_t)count * size);
    memcpy(at, &to, sizeof to);
    return to;
}

static bool copy_mesh(ff_mesh **mesh)
{
    const ff_mesh *from = *mesh;
    *mesh = from ? ff_mesh_create(from->vertices, from->nvertex, from->triangles, from->ntriangle, NULL) : NULL;
    return *mesh || !from;
}

static bool copy_fields(const copier *c, const ff_field *fields, char *item);

static bool copy_field(const copier *c, const ff_field *f, char *item)
{
    void *at = item + f->at;
    const int count = f->count_at ? *(const int *)(void *)(item + f->count_at) : f->count;
    char *inner;
    bool done = true;
    switch (f->kind) {
    case FF_FIELD_TEXT:
    case FF_FIELD_WORD:
    case FF_FIELD_NAME:
    case FF_FIELD_BODY_NAME:
        return copy_texts(c, f->kind, at, count);
    case FF_FIELD_NAMES: // unused names behind them would point to those of the original
        memset((const char **)at + count, 0, (size_t)(f->high - count) * sizeof(char *));
        return copy_texts(c, FF_FIELD_NAME, at, count);
    case FF_FIELD_PLACE:
        return copy_texts(c, FF_FIELD_TEXT, &((ff_place *)at)->file, 1);
    case FF_FIELD_ARRAY:
        return !*(double **)at || copy_array(c, at, count, sizeof(double));
    case FF_FIELD_FULL_ARRAY:
        return copy_array(c, at, count, sizeof(double)) != NULL;
    case FF_FIELD_ITEMS:
        inner = copy_array(c, at, count, f->size);
        for (int i = 0; inner && i < count; i++) done = copy_fields(c, f->of, inner + (size_t)i * f->size) && done;
        return inner && done;
    case FF_FIELD_STRUCT:
        return copy_fields(c, f->of, at);
    case FF_FIELD_MESH:
        return copy_mesh(at);
    default:
        return true; // lies within the item
    }
}

/// Copies all fields, even after a failure, so that no pointer to the original remains.
static bool copy_fields(const copier *c, const ff_field *fields, char *item)
{
    bool done = true;
    for (const ff_field *f = fields; f->kind != FF_FIELD_END; f++) done = copy_field(c, f, item) && done;
    return done;
}

bool ff_fields_copy(const ff_field *fields, void *item, ff_arena *arena, ff_copy_text *copy, const void *context)
{
    return copy_fields(&(copier){arena, copy, context}, fields, item);
}

const ff_spec_setting *ff_settings_find(const ff_spec_setting *settings, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(settings[i].name, name) == 0) return &settings[i];
    return NULL;
}

ff_spec_setting *ff_settings_copy(ff_arena *arena, const ff_spec_setting *from, int n)
{
    ff_spec_sensor owner = {.settings = (ff_spec_setting *)(uintptr_t)from, .nsetting = n};
    return ff_fields_copy(SENSOR, &owner, arena, NULL, NULL) ? owner.settings : NULL;
}
