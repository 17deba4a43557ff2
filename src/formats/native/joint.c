// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Joints of native robots: type and axis, limits with their stops, springs, damping, dry friction, and the drive as far
// as the mechanics need it: rotor inertia seen through the gear, largest torque and speed, and a motor to command. The
// rest of a drive's description is kept as settings for the drive room (drive.c).
#include "native/native.h"

#include <footfall/text.h>
#include <string.h>

static const char *const type_words[] = {"hinge", "slide", "ball", "free", "planar", "fixed", NULL};
enum { TYPE_FIXED = FF_JOINT_COUNT };

/// x, -y, z ... or three numbers.
static void read_axis(const ff_native *n, ff_yaml *node, double axis[3])
{
    ff_yaml *value = ff_yaml_get(node, "axis");
    if (!value) return;
    if (value->type != FF_YAML_SCALAR) {
        ff_yaml_as_numbers(value, axis, 3, 3, n->report);
        return;
    }
    const char *word = value->text;
    bool negative = word[0] == '-';
    if (negative) word++;
    if (word[0] < 'x' || word[0] > 'z' || word[1]) {
        ff_report_add(n->report, FF_ERROR, value->place, "axis '%.40s': write x, y, z, -x, -y, -z or three numbers",
                      value->text);
        return;
    }
    ff_vec3_set(axis, 0, 0, 0);
    axis[word[0] - 'x'] = negative ? -1.0 : 1.0;
}

static void read_passive(const ff_native *n, ff_yaml *node, ff_spec_joint *joint)
{
    ff_yaml *spring = ff_yaml_get(node, "spring");
    if (spring && ff_yaml_expect(spring, FF_YAML_MAP, "{stiffness: .., rest: ..}", n->report)) {
        const bool is_new = joint->stiffness == 0.0; // the spring of an imported joint may be removed
        joint->stiffness = ff_yaml_number(spring, "stiffness", joint->stiffness, n->report);
        if (is_new && joint->stiffness == 0.0)
            ff_report_add(n->report, FF_WARNING, spring->place,
                          "a spring without stiffness does nothing; give its 'stiffness', or leave it out");
        joint->spring_ref = ff_yaml_number(spring, "rest", joint->spring_ref, n->report);
    }
    joint->damping = ff_yaml_number(node, "damping", joint->damping, n->report);
    if (spring || ff_yaml_get(node, "damping")) joint->spring_time = 0.0; // of an imported joint
    ff_yaml *friction = ff_yaml_get(node, "dry_friction");
    if (friction && friction->type == FF_YAML_MAP && ff_yaml_get(friction, "level")) {
        joint->dry_friction = ff_yaml_number(friction, "level", 0.0, n->report);
        joint->dry_speed = ff_yaml_number(friction, "speed", joint->dry_speed, n->report);
    } else if (friction) {
        ff_yaml_as_number(friction, &joint->dry_friction, n->report);
    }
}

static void read_drive(ff_native *n, ff_yaml *node, ff_spec_joint *joint)
{
    joint->armature = ff_yaml_number(node, "armature", joint->armature, n->report);
    joint->effort = ff_yaml_number(node, "effort", joint->effort, n->report);
    joint->speed = ff_yaml_number(node, "speed", joint->speed, n->report);
    ff_yaml *drive = ff_yaml_get(node, "drive");
    if (!drive || !ff_yaml_expect(drive, FF_YAML_MAP, "{gear: .., rotor: .., torque: .., speed: ..}", n->report))
        return;
    const ff_spec_drive *known = ff_native_drive_of(n->spec, joint->name);
    const char *name = ff_yaml_string(drive, "name", known ? known->name : joint->name, n->report);
    const ff_yaml *rotor = ff_yaml_get(drive, "rotor");
    if (rotor && ff_yaml_get(node, "armature"))
        ff_report_add(n->report, FF_ERROR, rotor->place, "joint '%.60s' has both an armature and a rotor; give one",
                      joint->name);
    else if (name)
        ff_native_joint_drive(n, drive, name, joint);
}

static void read_mimic(const ff_native *n, ff_yaml *node, ff_spec_joint *joint)
{
    ff_yaml *mimic = ff_yaml_get(node, "mimic");
    if (!mimic || !ff_yaml_expect(mimic, FF_YAML_MAP, "{joint: .., gain: .., offset: ..}", n->report)) return;
    ff_yaml *other = ff_yaml_need(mimic, "joint", n->report);
    const char *name = other ? ff_yaml_as_string(other, n->report) : NULL;
    if (name) joint->mimic = ff_spec_text(n->spec, name);
    joint->mimic_gain = ff_yaml_number(mimic, "gain", joint->mimic_gain, n->report);
    joint->mimic_offset = ff_yaml_number(mimic, "offset", joint->mimic_offset, n->report);
}

/// Reads all but type and name; a file may change these properties of an imported joint, too.
static void read_properties(ff_native *n, ff_yaml *node, ff_spec_joint *joint)
{
    read_axis(n, node, joint->axis);
    ff_yaml_numbers(node, "pos", joint->pos, 3, 3, n->report);
    joint->ref = ff_yaml_number(node, "ref", joint->ref, n->report);
    ff_native_range(n, node, "range", joint->range, &joint->limited);
    ff_native_stop(n, node, &joint->stop_stiffness, &joint->stop_damping);
    read_passive(n, node, joint);
    read_drive(n, node, joint);
    read_mimic(n, node, joint);
}

static void add_joint(ff_native *n, ff_yaml *node, const char *name, int body)
{
    int type = FF_JOINT_HINGE;
    ff_place place = node->key_place.line ? node->key_place : node->place;
    if (node->type == FF_YAML_SCALAR) { // joint: free
        for (type = 0; type_words[type] && strcmp(type_words[type], node->text) != 0;) type++;
        if (!type_words[type]) {
            ff_report_add(n->report, FF_ERROR, node->place,
                          "joint '%.40s': write hinge, slide, ball, free, planar, fixed, or a map", node->text);
            return;
        }
    } else if (!ff_yaml_expect(node, FF_YAML_MAP, "a joint as a map", n->report)) {
        return;
    } else {
        name = ff_yaml_string(node, "name", name, n->report);
        type = ff_yaml_choice(node, "type", type_words, FF_JOINT_HINGE, n->report);
    }
    if (type == TYPE_FIXED) return;
    ff_spec_joint *joint = ff_spec_add_joint(n->spec, name, body, (ff_joint_type)type);
    if (!joint || !joint->name) return;
    joint->place = ff_native_place(n, place);
    if (node->type == FF_YAML_MAP) read_properties(n, node, joint);
}

// ------------------------------------------------------------------------------------------ changes

/// Does a change make the joint `fixed`? Any other new type is reported, since it would need another tree.
static bool becomes_fixed(const ff_native *n, ff_yaml *node, ff_joint_type type)
{
    ff_yaml *given = node->type == FF_YAML_SCALAR ? node : ff_yaml_get(node, "type");
    if (!given) return false;
    if (given->type == FF_YAML_SCALAR && strcmp(given->text, "fixed") == 0) return true;
    if (given->type == FF_YAML_SCALAR && strcmp(given->text, type_words[type]) == 0) return false;
    ff_report_add(n->report, FF_ERROR, given->place, "the type of a joint cannot be changed, except to 'fixed'");
    return false;
}

static void change_joint(ff_native *n, ff_yaml *node, int index)
{
    ff_spec_joint *joint = &n->spec->joints[index];
    if (node->type != FF_YAML_SCALAR && !ff_yaml_expect(node, FF_YAML_MAP, "changes of a joint as a map", n->report))
        return;
    if (becomes_fixed(n, node, joint->type)) {
        ff_native_lock_joint(n, index);
        return;
    }
    ff_native_mark_changed(n, &joint->place, node->key_place);
    if (node->type == FF_YAML_MAP) read_properties(n, node, joint);
}

/// The only joint of a body; -1: it has none or several. @param count  out: their number
static int only_joint(const ff_spec *spec, int body, int *count)
{
    int found = -1;
    *count = 0;
    for (int i = 0; i < spec->njoint; i++)
        if (spec->joints[i].body == body && ++*count == 1) found = i;
    return *count == 1 ? found : -1;
}

/// `joint` of a body that an import brought: changes the one it has, or adds the first.
static void change_only_joint(ff_native *n, ff_yaml *node, int body)
{
    int count;
    const int known = only_joint(n->spec, body, &count);
    const char *name = ff_yaml_string(node, "name", NULL, n->report);
    if (count == 0)
        add_joint(n, node, n->spec->bodies[body].name, body);
    else if (known >= 0 && (!name || strcmp(name, n->spec->joints[known].name) == 0))
        change_joint(n, node, known);
    else
        ff_report_add(
            n->report, FF_ERROR, node->key_place,
            "body '%.60s' has %d joint%s already, such as '%.60s': change or add joints by name, under 'joints'",
            n->spec->bodies[body].name, count, count > 1 ? "s" : "", known >= 0 ? n->spec->joints[known].name : "");
}

void ff_native_body_joints(ff_native *n, ff_yaml *body_node, int body)
{
    ff_yaml *one = ff_yaml_get(body_node, "joint"), *several = ff_yaml_get(body_node, "joints");
    if (one && several) {
        ff_report_add(n->report, FF_ERROR, several->key_place, "give either 'joint' or 'joints'");
        return;
    }
    if (one && body < n->nimported)
        change_only_joint(n, one, body);
    else if (one)
        add_joint(n, one, n->spec->bodies[body].name, body);
    if (!several || !ff_yaml_expect(several, FF_YAML_MAP, "joints as 'name: {..}'", n->report)) return;
    const ff_native_map map = ff_native_map_of(n, FF_NATIVE_JOINT, body, "");
    for (ff_yaml *node = several->child; node; node = node->next) {
        node->used = true;
        if (!ff_native_change(n, node, &map, change_joint)) add_joint(n, node, node->key, body);
    }
}

void ff_native_joint_changes(ff_native *n, ff_yaml *joints)
{
    if (!ff_yaml_expect(joints, FF_YAML_MAP, "changes of joints as 'name: {..}'", n->report)) return;
    const ff_native_map map =
        ff_native_map_of(n, FF_NATIVE_JOINT, FF_NATIVE_ANYWHERE, "new joints are written under their body");
    for (ff_yaml *node = joints->child; node; node = node->next) {
        node->used = true;
        if (!ff_native_change(n, node, &map, change_joint)) ff_native_report_missing(n, node, &map);
    }
}
