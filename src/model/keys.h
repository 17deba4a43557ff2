// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What may stand under each key of a native robot file, with its unit and the range it may have: for editors. Whoever
// adds a key to a reader adds it to the table of native_keys.c (keys of materials and drives: to the tables of their
// readers, yaml_material.c and drive/describe.c, which the readers use themselves).
#ifndef FOOTFALL_MODEL_KEYS_H
#define FOOTFALL_MODEL_KEYS_H

#include "model/yaml.h"

/// What a value is. Those of a map or list say what may stand inside.
typedef enum ff_role {
    FF_ROLE_UNKNOWN,
    FF_ROLE_ROBOT,
    FF_ROLE_CONSTANTS,
    FF_ROLE_DEFINE,
    FF_ROLE_IMPORT,
    FF_ROLE_PARTS,
    FF_ROLE_PART,
    FF_ROLE_BODIES,
    FF_ROLE_BODY,
    FF_ROLE_INERTIAL,
    FF_ROLE_ROUND, // {radius, length} or {radius, from, to}
    FF_ROLE_JOINTS,
    FF_ROLE_JOINT,
    FF_ROLE_STOP,
    FF_ROLE_SPRING,
    FF_ROLE_DRY_FRICTION,
    FF_ROLE_MIMIC,
    FF_ROLE_DRIVES,
    FF_ROLE_DRIVE,
    FF_ROLE_DRIVE_GROUP,
    FF_ROLE_ACTUATORS,
    FF_ROLE_ACTUATOR,
    FF_ROLE_SHAPES,
    FF_ROLE_SHAPE,
    FF_ROLE_MESH,
    FF_ROLE_FRAMES,
    FF_ROLE_FRAME,
    FF_ROLE_ATTACH,
    FF_ROLE_ATTACHMENT,
    FF_ROLE_SENSORS,
    FF_ROLE_SENSOR,
    FF_ROLE_LOOPS,
    FF_ROLE_LOOP,
    FF_ROLE_LEGS,
    FF_ROLE_LEG,
    FF_ROLE_FOOT,
    FF_ROLE_HANDS,
    FF_ROLE_HAND,
    FF_ROLE_MATERIALS,
    FF_ROLE_MATERIAL,
    FF_ROLE_NORMAL,
    FF_ROLE_FRICTION,
    FF_ROLE_SOIL,
    FF_ROLE_CONTACT,
    FF_ROLE_POSES,
    FF_ROLE_POSE,
    FF_ROLE_JOINT_VALUE, // of a pose
    FF_ROLE_PLACE,       // {pos, rpy or quat}
    // leaves
    FF_ROLE_NUMBER, // one, or a list of them
    FF_ROLE_WORD,   // one of a few, or a name
    FF_ROLE_NAMES,  // a list of names
    FF_ROLE_FLAG,
    FF_ROLE_TEXT,
    FF_ROLE_COUNT
} ff_role;

/// "body", "joint", .. as pages know them.
const char *ff_role_name(ff_role role);

/// Range of a number. `unit` has a second one behind a '|' where sliding joints have another.
typedef struct ff_key_range {
    const char *unit;
    double low, high; // infinite where there is no bound
    bool above;       // `low` itself is too low
    bool nonzero;
} ff_key_range;

/// Gives every node of a native file its role, also under `define` as far as aliases show what it is for.
void ff_native_mark(ff_yaml *root);
/// Is the key of a node known to the table, below a parent that is marked?
bool ff_native_knows(const ff_yaml *node);
/// Words allowed in the place of a node, NULL-ended; NULL where any will do.
const char *const *ff_native_words(const ff_yaml *node);
/// Unit and range of a number of a native file that is marked. Keys of drives are known to the drive room: `dotted`
/// then has their name ("motor.power"), which is otherwise empty. @return false where nothing is known
bool ff_native_range(const ff_yaml *node, ff_key_range *range, char dotted[64]);
/// The same for a key under `normal` or `friction` of a material.
bool ff_material_range(bool friction, const char *key, ff_key_range *range);

#endif
