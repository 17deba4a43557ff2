// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of native robot files as a table: under what they stand, what their value is, unit and range. The readers
// (native*.c) hold the ranges too, in their own words; tests/studio/test_outline.c compares the two by what the readers
// say they know.
#include "model/keys.h"

#include <footfall/base.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const NAMES[FF_ROLE_COUNT] = {
    "unknown",  "robot",      "constants", "define",   "import", "parts",    "part", "bodies",  "body",
    "inertial", "round",      "joints",    "joint",    "stop",   "spring",   "dry",  "mimic",   "drives",
    "drive",    "group",      "actuators", "actuator", "shapes", "shape",    "mesh", "frames",  "frame",
    "attach",   "attachment", "sensors",   "sensor",   "loops",  "loop",     "legs", "leg",     "foot",
    "hands",    "hand",       "materials", "material", "normal", "friction", "soil", "contact", "poses",
    "pose",     "position",   "place",     "number",   "word",   "names",    "flag", "text"};

const char *ff_role_name(ff_role role)
{
    return role > 0 && role < FF_ROLE_COUNT ? NAMES[role] : NAMES[0];
}

typedef enum bound { ANY, ABOVE, FROM_ZERO, SHARE, COLOUR, RATE, NONZERO } bound;

typedef struct key_entry {
    ff_role under;
    const char *key; // "*": any name; "-": an item of a list
    ff_role role;
    const char *unit;
    bound bound;
    const char *const *words;
} key_entry;

static const char *const JOINT_TYPES[] = {"hinge", "slide", "ball", "free", "planar", "fixed", NULL};
static const char *const SHAPE_ROLES[] = {"both", "visual", "collision", NULL};
static const char *const MIRRORS[] = {"x", "y", "z", NULL};
static const char *const ACTUATOR_TYPES[] = {"motor", "position", "velocity", "general", NULL};
static const char *const AXES[] = {"x", "y", "z", "-x", "-y", "-z", NULL};
static const char *const PER[] = {"pair", "point", NULL};

#define N(under, key, unit, bound)                                                                                     \
    {                                                                                                                  \
        FF_ROLE_##under, key, FF_ROLE_NUMBER, unit, bound, NULL                                                        \
    }
#define K(under, key, role)                                                                                            \
    {                                                                                                                  \
        FF_ROLE_##under, key, FF_ROLE_##role, NULL, ANY, NULL                                                          \
    }
#define W(under, key, words)                                                                                           \
    {                                                                                                                  \
        FF_ROLE_##under, key, FF_ROLE_WORD, NULL, ANY, words                                                           \
    }
#define POSED(under) N(under, "pos", "m", ANY), N(under, "rpy", "rad", ANY), N(under, "quat", "", ANY)

static const key_entry KEYS[] = {
    K(ROBOT, "footfall", TEXT),
    K(ROBOT, "name", TEXT),
    K(ROBOT, "description", TEXT),
    K(ROBOT, "constants", CONSTANTS),
    K(ROBOT, "define", DEFINE),
    N(ROBOT, "gravity", "m/s^2", ANY),
    K(ROBOT, "import", IMPORT),
    K(ROBOT, "parts", PARTS),
    K(ROBOT, "bodies", BODIES),
    K(ROBOT, "joints", JOINTS),
    K(ROBOT, "shapes", SHAPES),
    K(ROBOT, "frames", FRAMES),
    K(ROBOT, "materials", MATERIALS),
    K(ROBOT, "loops", LOOPS),
    K(ROBOT, "legs", LEGS),
    K(ROBOT, "leg", LEG),
    K(ROBOT, "hands", HANDS),
    K(ROBOT, "actuators", ACTUATORS),
    K(ROBOT, "drives", DRIVES),
    K(ROBOT, "sensors", SENSORS),
    K(ROBOT, "contact", CONTACT),
    K(ROBOT, "poses", POSES),
    N(ROBOT, "total_mass", "kg", ABOVE),
    N(CONSTANTS, "*", "", ANY),
    K(DEFINE, "*", UNKNOWN),
    K(IMPORT, "file", TEXT),
    K(IMPORT, "prefix", TEXT),
    K(IMPORT, "floating", FLAG),
    POSED(IMPORT),
    K(PARTS, "*", PART),
    K(PART, "bodies", BODIES),
    K(PART, "shapes", SHAPES),
    K(PART, "frames", FRAMES),
    K(PART, "loops", LOOPS),
    K(PART, "joints", JOINTS),
    K(PART, "actuators", ACTUATORS),
    K(PART, "drives", DRIVES),
    K(PART, "sensors", SENSORS),
    K(PART, "contact", CONTACT),
    K(PART, "leg", LEG),
    K(PART, "legs", LEGS),
    K(PART, "hands", HANDS),

    K(BODIES, "*", BODY),
    POSED(BODY),
    K(BODY, "parent", TEXT),
    K(BODY, "inertial", INERTIAL),
    K(BODY, "joint", JOINT),
    K(BODY, "joints", JOINTS),
    K(BODY, "shapes", SHAPES),
    K(BODY, "frames", FRAMES),
    K(BODY, "attach", ATTACH),
    K(BODY, "bodies", BODIES),
    K(INERTIAL, "-", INERTIAL),
    N(INERTIAL, "mass", "kg", FROM_ZERO),
    N(INERTIAL, "com", "m", ANY),
    POSED(INERTIAL),
    N(INERTIAL, "box", "m", FROM_ZERO),
    N(INERTIAL, "sphere", "m", FROM_ZERO),
    K(INERTIAL, "cylinder", ROUND),
    K(INERTIAL, "rod", ROUND),
    N(INERTIAL, "inertia", "kg m^2", ANY),
    N(ROUND, "radius", "m", FROM_ZERO),
    N(ROUND, "length", "m", ABOVE),
    N(ROUND, "from", "m", ANY),
    N(ROUND, "to", "m", ANY),

    K(JOINTS, "*", JOINT),
    K(JOINT, "name", TEXT),
    W(JOINT, "type", JOINT_TYPES),
    N(JOINT, "axis", "", ANY),
    N(JOINT, "pos", "m", ANY),
    N(JOINT, "ref", "rad|m", ANY),
    N(JOINT, "range", "rad|m", ANY),
    K(JOINT, "stop", STOP),
    K(JOINT, "spring", SPRING),
    N(JOINT, "damping", "N m s/rad|N s/m", FROM_ZERO),
    K(JOINT, "dry_friction", DRY_FRICTION),
    N(JOINT, "armature", "kg m^2|kg", FROM_ZERO),
    N(JOINT, "effort", "N m|N", FROM_ZERO),
    N(JOINT, "speed", "rad/s|m/s", FROM_ZERO),
    K(JOINT, "drive", DRIVE),
    K(JOINT, "mimic", MIMIC),
    N(STOP, "stiffness", "N m/rad|N/m", FROM_ZERO),
    N(STOP, "damping", "N m s/rad|N s/m", FROM_ZERO),
    N(SPRING, "stiffness", "N m/rad|N/m", FROM_ZERO),
    N(SPRING, "rest", "rad|m", ANY),
    N(DRY_FRICTION, "level", "N m|N", FROM_ZERO),
    N(DRY_FRICTION, "speed", "rad/s|m/s", ABOVE),
    K(MIMIC, "joint", TEXT),
    N(MIMIC, "gain", "", ANY),
    N(MIMIC, "offset", "rad|m", ANY),

    K(DRIVES, "*", DRIVE),
    K(DRIVE, "name", TEXT),
    K(DRIVE, "joint", TEXT),
    K(DRIVE, "joints", NAMES),
    K(ACTUATORS, "*", ACTUATOR),
    K(ACTUATOR, "joint", TEXT),
    W(ACTUATOR, "type", ACTUATOR_TYPES),
    N(ACTUATOR, "gear", "", ANY),
    N(ACTUATOR, "gain", "", ANY),
    N(ACTUATOR, "bias", "", ANY),
    N(ACTUATOR, "kp", "N m/rad|N/m", ANY),
    N(ACTUATOR, "kd", "N m s/rad|N s/m", ANY),
    N(ACTUATOR, "command", "", ANY),
    N(ACTUATOR, "force", "N m|N", ANY),

    K(SHAPES, "-", SHAPE),
    K(SHAPES, "*", SHAPE), // changes of those there are
    K(SHAPE, "name", TEXT),
    N(SHAPE, "sphere", "m", ABOVE),
    K(SHAPE, "capsule", ROUND),
    N(SHAPE, "box", "m", ABOVE),
    K(SHAPE, "cylinder", ROUND),
    N(SHAPE, "ellipsoid", "m", ABOVE),
    N(SHAPE, "plane", "m", FROM_ZERO),
    K(SHAPE, "mesh", MESH),
    POSED(SHAPE),
    W(SHAPE, "role", SHAPE_ROLES),
    N(SHAPE, "color", "", COLOUR),
    N(SHAPE, "group", "", ANY),
    N(SHAPE, "friction", "", FROM_ZERO),
    K(SHAPE, "material", TEXT),
    N(SHAPE, "density", "kg/m^3", FROM_ZERO),
    N(SHAPE, "mass", "kg", FROM_ZERO),
    K(MESH, "file", TEXT),
    N(MESH, "scale", "", ANY),
    K(FRAMES, "*", FRAME),
    POSED(FRAME),
    K(ATTACH, "-", ATTACHMENT),
    K(ATTACHMENT, "part", TEXT),
    K(ATTACHMENT, "file", TEXT),
    K(ATTACHMENT, "prefix", TEXT),
    W(ATTACHMENT, "mirror", MIRRORS),
    POSED(ATTACHMENT),

    K(SENSORS, "*", SENSOR),
    K(SENSOR, "type", TEXT),
    K(SENSOR, "preset", TEXT),
    K(SENSOR, "joint", TEXT),
    K(SENSOR, "frame", TEXT),
    K(SENSOR, "body", TEXT),
    K(SENSOR, "actuator", TEXT),
    K(SENSOR, "joints", TEXT),
    K(SENSOR, "frames", TEXT),
    K(SENSOR, "bodies", TEXT),
    K(SENSOR, "shape", TEXT),
    K(SENSOR, "centred", FLAG),
    K(SENSOR, "single", FLAG),
    N(SENSOR, "rate", "Hz", RATE),
    N(SENSOR, "phase", "s", ANY),
    N(SENSOR, "latency", "s", FROM_ZERO),
    N(SENSOR, "jitter", "s", FROM_ZERO),
    N(SENSOR, "delay", "samples", FROM_ZERO),
    N(SENSOR, "bandwidth", "Hz", FROM_ZERO),
    N(SENSOR, "bits", "", ABOVE),
    N(SENSOR, "counts", "per turn", ABOVE),
    N(SENSOR, "crosstalk", "", ANY),
    N(SENSOR, "mass", "kg", FROM_ZERO),
    N(SENSOR, "com", "m", ANY),
    N(SENSOR, "pos", "m", ANY),
    N(SENSOR, "threshold", "N", FROM_ZERO),
    N(SENSOR, "inclination", "rad", FROM_ZERO),
    N(SENSOR, "reach", "m", FROM_ZERO),
    N(SENSOR, "cone", "rad", FROM_ZERO),
    N(SENSOR, "rays", "", FROM_ZERO),
    N(SENSOR, "field", "rad", ABOVE),
    N(SENSOR, "far", "m", ABOVE),
    N(SENSOR, "pitch", "m", ABOVE),
    N(SENSOR, "width", "px", ABOVE),
    N(SENSOR, "height", "px", ABOVE),
    N(SENSOR, "*", "", ANY), // noise, range and the like are in the unit of what is measured

    K(LOOPS, "*", LOOP),
    K(LOOP, "connect", NAMES),
    K(LOOP, "weld", NAMES),
    K(LOOP, "couple", NAMES),
    K(LOOP, "rod", NAMES),
    N(LOOP, "at", "m", ANY),
    K(LOOP, "pose", PLACE),
    N(LOOP, "length", "m", ABOVE),
    N(LOOP, "gain", "", ANY),
    N(LOOP, "offset", "rad|m", ANY),
    N(LOOP, "polynomial", "", ANY),
    K(LOOP, "active", FLAG),
    POSED(PLACE),
    K(LEGS, "-", TEXT),
    K(LEGS, "*", LEG),
    K(LEG, "joints", NAMES),
    K(LEG, "foot", FOOT),
    K(FOOT, "frame", TEXT),
    K(FOOT, "bodies", NAMES),
    K(LEG, "force", TEXT),
    K(LEG, "touch", TEXT),
    N(LEG, "radius", "m", FROM_ZERO),
    K(HANDS, "*", HAND),
    K(HAND, "frame", TEXT),
    K(HAND, "bodies", NAMES),
    K(CONTACT, "exclude", NAMES),
    K(POSES, "*", POSE),
    K(POSE, "*", JOINT_VALUE),
    N(JOINT_VALUE, "-", "", ANY),
    POSED(JOINT_VALUE),

    K(MATERIALS, "*", MATERIAL),
    K(MATERIAL, "like", TEXT),
    K(MATERIAL, "soil", SOIL),
    K(MATERIAL, "normal", NORMAL),
    K(MATERIAL, "friction", FRICTION),
    W(MATERIAL, "per", PER),
    K(MATERIAL, "source", TEXT),
    K(SOIL, "name", TEXT),
    N(SOIL, "modulus", "N/m^2", ABOVE),
    K(SOIL, "non_linear", FLAG),
    N(SOIL, "mu", "", FROM_ZERO),
    K(NORMAL, "law", TEXT),
    K(NORMAL, "calibration", TEXT),
    K(NORMAL, "pulls", FLAG),
    N(NORMAL, "*", NULL, ANY), // by ff_material_range
    K(FRICTION, "law", TEXT),
    K(FRICTION, "stick", TEXT),
    N(FRICTION, "*", NULL, ANY),
};

/// A drive is groups of numbers and words; the drive room knows which (drive/describe.c).
static ff_role role_in_drive(const ff_yaml *node)
{
    if (node->type == FF_YAML_MAP) return FF_ROLE_DRIVE_GROUP;
    if (node->key && (strcmp(node->key, "kind") == 0 || strcmp(node->key, "feedback") == 0)) return FF_ROLE_TEXT;
    if (node->type == FF_YAML_SCALAR && (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0))
        return FF_ROLE_FLAG;
    return FF_ROLE_NUMBER;
}

static const key_entry *find(ff_role under, const char *key)
{
    const key_entry *any = NULL;
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        if (KEYS[i].under != under) continue;
        if (strcmp(KEYS[i].key, key) == 0) return &KEYS[i];
        if (KEYS[i].key[0] == '*' && key[0] != '-') any = &KEYS[i];
    }
    return any;
}

static bool is_measured(const ff_yaml *map)
{
    for (const ff_yaml *child = map->child; map->type == FF_YAML_MAP && child; child = child->next)
        if (strcmp(child->key, "value") == 0) return true;
    return false;
}

/// Role of a node below one of a known role.
static ff_role role_of(const ff_yaml *node, ff_role under)
{
    if (under == FF_ROLE_NUMBER && node->key)
        return strcmp(node->key, "origin") == 0 ? FF_ROLE_TEXT : FF_ROLE_NUMBER; // {value, origin}
    if (under == FF_ROLE_NUMBER || under == FF_ROLE_NAMES) return under;         // of lists, in lists too
    const key_entry *entry = find(under, node->key ? node->key : "-");
    ff_role role = entry ? entry->role : FF_ROLE_UNKNOWN;
    if (!entry && (under == FF_ROLE_DRIVE || under == FF_ROLE_DRIVE_GROUP)) role = role_in_drive(node);
    const bool group = role != FF_ROLE_UNKNOWN && role < FF_ROLE_NUMBER;
    if (!group || node->type == FF_YAML_LIST) return role;
    // Some groups have a short form: joint: free, dry_friction: 0.1, soil: gravel, inertial: shapes.
    if (role == FF_ROLE_DRY_FRICTION && (node->type == FF_YAML_SCALAR || is_measured(node))) return FF_ROLE_NUMBER;
    if (role == FF_ROLE_JOINT_VALUE && (node->type == FF_YAML_SCALAR || is_measured(node))) return FF_ROLE_NUMBER;
    if (role == FF_ROLE_JOINT && node->type == FF_YAML_SCALAR) return FF_ROLE_WORD;
    return node->type == FF_YAML_SCALAR && role != FF_ROLE_BODY && node->text[0] ? FF_ROLE_TEXT : role;
}

static void mark(ff_yaml *node, ff_role role)
{
    node->role = (int)role;
    if (node->source && node->source->role == FF_ROLE_UNKNOWN) node->source->role = (int)role;
    for (ff_yaml *child = node->child; child; child = child->next) mark(child, role_of(child, role));
}

/// What stands under `define` got its role from the aliases that repeat it; what stands inside, from there.
static void mark_defined(ff_yaml *node)
{
    for (ff_yaml *child = node->child; child; child = child->next) {
        if (child->role == FF_ROLE_UNKNOWN && node->role != FF_ROLE_UNKNOWN)
            child->role = (int)role_of(child, (ff_role)node->role);
        mark_defined(child);
    }
    for (ff_yaml *merge = node->merges; merge; merge = merge->next)
        if (merge->source && merge->source->role == FF_ROLE_UNKNOWN) merge->source->role = node->role;
}

void ff_native_mark(ff_yaml *root)
{
    root->role = FF_ROLE_ROBOT;
    for (ff_yaml *child = root->child; child; child = child->next) // in the order of the file: definitions come first
        if (child->key && strcmp(child->key, "define") != 0) mark(child, role_of(child, FF_ROLE_ROBOT));
    for (ff_yaml *child = root->child; child; child = child->next) {
        if (!child->key || strcmp(child->key, "define") != 0) continue;
        child->role = FF_ROLE_DEFINE;
        for (int i = 0; i < 2; i++) mark_defined(child); // twice: a merge may name what stands above it
    }
}

// ------------------------------------------------------------------------------------------ words and ranges

bool ff_native_knows(const ff_yaml *node)
{
    ff_key_range range;
    if (!node->parent || !node->key) return false;
    const int under = node->parent->role;
    const key_entry *entry = find((ff_role)under, node->key);
    if (under != FF_ROLE_NORMAL && under != FF_ROLE_FRICTION) return entry != NULL;
    return (entry && entry->key[0] != '*') || ff_material_range(under == FF_ROLE_FRICTION, node->key, &range);
}

const char *const *ff_native_words(const ff_yaml *node)
{
    if (!node->parent || !node->key) return NULL;
    if (node->role == FF_ROLE_WORD && strcmp(node->key, "joint") == 0) return JOINT_TYPES;
    if (node->parent->role == FF_ROLE_JOINT && node->type == FF_YAML_SCALAR && strcmp(node->key, "axis") == 0)
        return AXES;
    const key_entry *entry = find((ff_role)node->parent->role, node->key);
    return entry ? entry->words : NULL;
}

static void set_bound(ff_key_range *range, bound b)
{
    range->low = b == ANY || b == NONZERO ? -INFINITY : 0.0;
    range->high = b == SHARE || b == COLOUR ? 1.0 : b == RATE ? 1e6 : INFINITY;
    range->above = b == ABOVE || b == SHARE || b == RATE;
    range->nonzero = b == NONZERO;
}

/// The node whose key names the number: lists and {value, origin} stand between.
static const ff_yaml *named(const ff_yaml *node)
{
    while (node->parent && node->parent->role == FF_ROLE_NUMBER) node = node->parent;
    return node;
}

bool ff_native_range(const ff_yaml *node, ff_key_range *range, char dotted[64])
{
    const ff_yaml *at = named(node), *group = at->parent;
    dotted[0] = 0;
    if (!group || !at->key || at->role != FF_ROLE_NUMBER) return false;
    if (group->role == FF_ROLE_NORMAL || group->role == FF_ROLE_FRICTION)
        return ff_material_range(group->role == FF_ROLE_FRICTION, at->key, range);
    if (group->role == FF_ROLE_DRIVE || group->role == FF_ROLE_DRIVE_GROUP) {
        if (group->role == FF_ROLE_DRIVE)
            snprintf(dotted, 64, "%.60s", at->key);
        else
            snprintf(dotted, 64, "%.30s.%.30s", group->key ? group->key : "", at->key);
        return false;
    }
    if (group->role == FF_ROLE_JOINT && strcmp(at->key, "dry_friction") == 0) {
        *range = (ff_key_range){.unit = "N m|N"};
        set_bound(range, FROM_ZERO);
        return true;
    }
    if (group->role == FF_ROLE_POSE) {
        *range = (ff_key_range){.unit = "rad or m"};
        set_bound(range, ANY);
        return true;
    }
    const key_entry *entry = find((ff_role)group->role, at->key);
    if (!entry || !entry->unit) return false;
    range->unit = entry->unit;
    set_bound(range, entry->bound);
    return true;
}
