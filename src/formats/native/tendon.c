// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tendons of a native robot:
//     tendons:
//       flexor: {path: [palm, {around: knuckle, side: above}, tip], spring: {stiffness: 800, length: 0.1}, damping: 2}
//       hoist: {path: [winch, hook, {pulley: 2}, hook, crane], range: [0, 3]}
//       jet: {thrust: {frame: nozzle, force: [0, 0, 1]}}
//       coupling: {joints: {middle: 1, distal: 1}, dry_friction: 0.1}
#include "model/fields.h"
#include "native/keys.h"
#include "native/native.h"

#include <string.h>

// ------------------------------------------------------------------------------------------ keys

// clang-format off
static const ff_key_group PIECE = FF_GROUP(
    "tendon piece", "A point or shape on the path of a tendon: one of frame, around, pulley.",
    FF_TEXT("frame", NULL, "the tendon runs through the origin of this frame"),
    FF_TEXT("around", NULL, "the tendon runs around this shape, a sphere or a cylinder"),
    FF_TEXT("side", NULL,
        "around: a frame on the side on which the tendon passes; inside the shape: the tendon stays inside it"),
    FF_NUMBER("pulley", "", FF_POSITIVE, NULL, "a pulley: the length of the path behind it is divided by this number"));
static const ff_key_group PATH = FF_GROUP("tendon path", "Places that a string passes.",
    FF_TEXT_OR_MAP("-", &PIECE, NULL, "a frame, or a shape or pulley"));

static const ff_key_group SPRING = FF_GROUP("tendon spring", "A spring along a tendon.",
    FF_NUMBER("stiffness", "N/m|N m/rad", FF_NOT_NEGATIVE, "0", "stiffness of the spring"),
    FF_NUMBER_OR_LIST("length", 2, 2, "m|rad", FF_ANY, NULL,
        "length without force, or two between which it is slack; default: with joints at their spring references"));

static const ff_key_group STOP = FF_GROUP("tendon stop", "Spring and damper at the ends of the range of a tendon.",
    FF_NUMBER("stiffness", "N/m|N m/rad", FF_POSITIVE, NULL,
        "stiffness of the stop; default 10000, for fixed tendons 1000"),
    FF_NUMBER("damping", "N s/m|N m s/rad", FF_NOT_NEGATIVE, NULL,
        "damping of the stop; default 100, for fixed tendons 10; 0: no energy is dissipated"));

static const ff_key_group DRY_FRICTION = FF_GROUP("tendon friction", "Coulomb friction along a tendon.",
    FF_NUMBER("level", "N|N m", FF_NOT_NEGATIVE, "0", "largest friction"),
    FF_NUMBER("speed", "m/s|rad/s", FF_NOT_NEGATIVE, NULL,
        "speed at which friction has 71 % of its level; default 0.001, for fixed tendons 0.01"));

static const ff_key_group THRUST = FF_GROUP("thrust", "A force and a moment at a frame, as of a jet or a propeller.",
    FF_TEXT("frame", FF_NEEDED, "frame at whose origin the force acts"),
    FF_TEXT("from", NULL,
        "frame on which the reaction acts and whose axes the force has; default: no reaction, axes of `frame`"),
    FF_NUMBERS("force", 3, 3, "", FF_ANY, "[0, 0, 0]", "force per unit of tendon force"),
    FF_NUMBERS("moment", 3, 3, "m", FF_ANY, "[0, 0, 0]", "moment per unit of tendon force"));

static const ff_key_group TENDON = FF_GROUP(
    "tendon", "A spatial tendon (a string), or a fixed one (a sum of joint coordinates), with forces along it.",
    FF_LIST("path", &PATH, "a spatial tendon: the points and shapes that it passes"),
    FF_NAMED("joints", FF_ANY_UNIT, FF_ANY, "a fixed tendon, a sum of joint coordinates: {JOINT: factor}"),
    FF_MAP("thrust", &THRUST, "an external force at a frame, for an actuator"),
    FF_MAP("spring", &SPRING, "a spring along the tendon"),
    FF_NUMBER("damping", "N s/m|N m s/rad", FF_NOT_NEGATIVE, "0", "viscous damping"),
    FF_NUMBER_OR_MAP("dry_friction", &DRY_FRICTION, "N|N m", FF_NOT_NEGATIVE, "0",
        "largest Coulomb friction, or a map"),
    FF_NUMBERS("range", 2, 2, "m|rad", FF_ANY, NULL, "shortest and longest length; default: no limit"),
    FF_MAP("stop", &STOP, "spring and damper at the ends of its range"));
const ff_key_group ff_keys_tendons = FF_GROUP("tendons", "Tendons by name.",
    FF_MAP("*", &TENDON, "a tendon"));
// clang-format on

// ------------------------------------------------------------------------------------------ reader

/// One of frame, around and pulley.
static void read_piece(const ff_native *n, ff_yaml *node, ff_spec_tendon *t)
{
    if (node->type == FF_YAML_SCALAR) {
        ff_spec_add_tendon_piece(n->spec, t, FF_TENDON_POINT, node->text, NULL, 0.0);
        return;
    }
    if (!ff_yaml_expect(node, FF_YAML_MAP, "a frame, {around: shape, side: frame} or {pulley: number}", n->report))
        return;
    const char *frame = ff_yaml_string(node, "frame", NULL, n->report);
    const char *around = ff_yaml_string(node, "around", NULL, n->report);
    const char *side = ff_yaml_string(node, "side", NULL, n->report);
    const double divisor = ff_yaml_number(node, "pulley", 0.0, n->report);
    const bool pulley = ff_yaml_get(node, "pulley") != NULL;
    if ((frame != NULL) + (around != NULL) + pulley != 1 || (side && !around)) {
        ff_report_add(
            n->report, FF_ERROR, node->place,
            "a place of a tendon needs exactly one of frame, around and pulley, and a side only around a shape");
        return;
    }
    if (frame) ff_spec_add_tendon_piece(n->spec, t, FF_TENDON_POINT, frame, NULL, 0.0);
    if (around) ff_spec_add_tendon_piece(n->spec, t, FF_TENDON_WRAP, around, side, 0.0);
    if (pulley) ff_spec_add_tendon_piece(n->spec, t, FF_TENDON_PULLEY, NULL, NULL, divisor);
}

static void read_thrust(const ff_native *n, ff_yaml *thrust, ff_spec_tendon *t)
{
    if (!ff_yaml_expect(thrust, FF_YAML_MAP, "{frame: .., force: ..}", n->report)) return;
    const ff_yaml *frame = ff_yaml_need(thrust, "frame", n->report);
    ff_spec_tendon_piece *piece =
        !frame ? NULL
               : ff_spec_add_tendon_piece(n->spec, t, FF_TENDON_THRUST, ff_yaml_string(thrust, "frame", "", n->report),
                                          ff_yaml_string(thrust, "from", NULL, n->report), 0.0);
    if (!piece) return;
    ff_yaml_numbers(thrust, "force", piece->wrench, 3, 3, n->report);
    ff_yaml_numbers(thrust, "moment", piece->wrench + 3, 3, 3, n->report);
}

static void read_path(const ff_native *n, ff_yaml *node, ff_spec_tendon *t)
{
    ff_yaml *path = ff_yaml_get(node, "path"), *joints = ff_yaml_get(node, "joints");
    ff_yaml *thrust = ff_yaml_get(node, "thrust");
    if ((path != NULL) + (joints != NULL) + (thrust != NULL) != 1) {
        ff_report_add(n->report, FF_ERROR, node->place,
                      "a tendon that is new needs exactly one of path, joints and thrust");
        return;
    }
    if (thrust) read_thrust(n, thrust, t);
    if (path && ff_yaml_expect(path, FF_YAML_LIST, "[frame, frame, ..]", n->report))
        for (ff_yaml *place = path->child; place; place = place->next) read_piece(n, place, t);
    if (!joints || !ff_yaml_expect(joints, FF_YAML_MAP, "{joint: factor, ..}", n->report)) return;
    for (ff_yaml *joint = joints->child; joint; joint = joint->next) {
        double factor = 0.0;
        joint->used = true;
        ff_yaml_as_number(joint, &factor, n->report);
        ff_spec_add_tendon_piece(n->spec, t, FF_TENDON_JOINT, joint->key, NULL, factor);
    }
}

static void read_spring(const ff_native *n, ff_yaml *spring, ff_spec_tendon *t)
{
    if (!spring || !ff_yaml_expect(spring, FF_YAML_MAP, "{stiffness: .., length: ..}", n->report)) return;
    t->stiffness = ff_yaml_number(spring, "stiffness", t->stiffness, n->report);
    ff_yaml *length = ff_yaml_get(spring, "length");
    if (!length) return;
    t->spring_at_rest = false;
    if (length->type == FF_YAML_LIST) {
        ff_yaml_as_numbers(length, t->spring_length, 2, 2, n->report);
        return;
    }
    ff_yaml_as_number(length, &t->spring_length[0], n->report);
    t->spring_length[1] = t->spring_length[0];
}

static void read_friction(const ff_native *n, ff_yaml *friction, ff_spec_tendon *t)
{
    if (friction && friction->type == FF_YAML_MAP) {
        t->dry_friction = ff_yaml_number(friction, "level", t->dry_friction, n->report);
        t->dry_speed = ff_yaml_number(friction, "speed", t->dry_speed, n->report);
    } else if (friction) {
        ff_yaml_as_number(friction, &t->dry_friction, n->report);
    }
}

static bool has_path(ff_yaml *node)
{
    return ff_yaml_get(node, "path") || ff_yaml_get(node, "joints") || ff_yaml_get(node, "thrust");
}

void ff_native_tendons(ff_native *n, ff_yaml *tendons)
{
    if (!ff_yaml_expect(tendons, FF_YAML_MAP, "tendons as 'name: {path: [..]}'", n->report)) return;
    for (ff_yaml *node = tendons->child; node; node = node->next) {
        node->used = true;
        if (ff_native_too_large(n, node->key_place)) return;
        if (!ff_yaml_expect(node, FF_YAML_MAP, "{path: [..], spring: ..}", n->report)) continue;
        const int known =
            has_path(node) ? -1 : ff_spec_find_tendon(n->spec, node->key); // one that was imported changes
        ff_spec_tendon *t = known < 0 ? ff_spec_add_tendon(n->spec, node->key) : &n->spec->tendons[known];
        if (!t) return;
        if (known < 0) {
            t->place = ff_native_place(n, node->key_place);
            read_path(n, node, t);
        }
        read_spring(n, ff_yaml_get(node, "spring"), t);
        t->damping = ff_yaml_number(node, "damping", t->damping, n->report);
        read_friction(n, ff_yaml_get(node, "dry_friction"), t);
        if (ff_yaml_numbers(node, "range", t->range, 2, 2, n->report) == 2) t->limited = true;
        ff_native_stop(n, node, &t->stop_stiffness, &t->stop_damping);
    }
}

// ------------------------------------------------------------------------------------------ locked joints

/// Removes a joint from a sum, to which it adds a constant from now on. @return that constant
static double remove_joint(ff_spec_tendon *t, const ff_spec_joint *locked)
{
    double constant = 0.0;
    int kept = 0;
    for (int k = 0; k < t->npiece; k++) {
        const ff_spec_tendon_piece piece = t->pieces[k];
        if (piece.type == FF_TENDON_JOINT && strcmp(piece.name, locked->name) == 0)
            constant += piece.factor * locked->ref;
        else
            t->pieces[kept++] = piece;
    }
    t->npiece = kept;
    for (int k = 0; k < 2; k++) {
        t->spring_length[k] -= constant;
        t->range[k] -= constant;
    }
    return constant;
}

/// Removes the sensors of an item that is removed.
static void drop_sensors(ff_spec *spec, const char *type, const char *name)
{
    const ff_spec_sensor *s = spec->sensors;
    FF_KEEP_ITEMS(spec->sensors, spec->nsensor,
                  !(name && s[i].object_type && s[i].object && strcmp(s[i].object_type, type) == 0 &&
                    strcmp(s[i].object, name) == 0));
}

static bool pulls(const ff_spec_actuator *a, const char *tendon)
{
    return a->tendon && strcmp(a->tendon, tendon) == 0;
}

/// Removes the actuators and sensors of a tendon that is removed, and the sensors of these actuators.
static void remove_users(ff_spec *spec, const char *tendon)
{
    for (int i = 0; i < spec->nactuator; i++)
        if (pulls(&spec->actuators[i], tendon)) drop_sensors(spec, "actuator", spec->actuators[i].name);
    FF_KEEP_ITEMS(spec->actuators, spec->nactuator, !pulls(&spec->actuators[i], tendon));
    drop_sensors(spec, "tendon", tendon);
}

void ff_native_remove_from_tendons(ff_spec *spec, const ff_spec_joint *locked)
{
    int kept = 0;
    for (int i = 0; i < spec->ntendon; i++) {
        ff_spec_tendon t = spec->tendons[i];
        const double constant = remove_joint(&t, locked);
        for (int k = 0; k < spec->nactuator; k++) {
            ff_spec_actuator *a = &spec->actuators[k];
            if (a->tendon && strcmp(a->tendon, t.name) == 0) a->bias[0] += a->bias[1] * a->gear * constant;
        }
        if (t.npiece > 0)
            spec->tendons[kept++] = t;
        else
            remove_users(spec, t.name);
    }
    spec->ntendon = kept;
}
