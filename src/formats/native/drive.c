// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives of native robots. Each number and word of a description is kept with its place, under a dotted name
// ("transmission.stiffness"); the drive room reads them when a drive is made.
#include "model/edit.h"
#include "native/native.h"
#include "text/names.h"
#include "text/schema.h"

#include <string.h>

// ------------------------------------------------------------------------------------------ settings

/// Collects the leaves of a map, those of inner maps under a dotted name. @param out  room for FF_NATIVE_MAX_SETTINGS
static void collect(const ff_native *n, ff_yaml *map, const char *prefix, ff_spec_setting *out, int *count)
{
    static const char *const other_keys[] = {"name", "joint", "joints", NULL};
    for (ff_yaml *node = map->child; node; node = node->next) {
        if (!prefix[0] && ff_word_find(other_keys, node->key) >= 0) continue;
        const char *name = ff_arena_printf(&n->spec->arena, "%s%s", prefix, node->key);
        node->used = true;
        if (!name) return;
        if (*count >= FF_NATIVE_MAX_SETTINGS) {
            ff_report_add(n->report, FF_ERROR, node->key_place, "a drive has at most %d settings",
                          FF_NATIVE_MAX_SETTINGS);
            return;
        }
        if (node->group) {
            const char *inner = ff_arena_printf(&n->spec->arena, "%s.", name);
            if (inner) collect(n, node, inner, out, count);
            continue;
        }
        ff_spec_setting *to = &out[(*count)++];
        *to = (ff_spec_setting){.name = name, .place = ff_native_place(n, node->place)};
        if (node->row && node->row->takes == FF_TAKES_WORD)
            to->word = ff_spec_text(n->spec, ff_yaml_as_string(node, n->report));
        else
            ff_native_setting_values(n, node, to);
    }
}

// ------------------------------------------------------------------------------------------ new and changed drives

/// A setting of numbers by its dotted name, NULL: not given.
static const ff_spec_setting *numbers_of(const ff_spec_drive *drive, const char *name)
{
    const ff_spec_setting *found = ff_settings_find(drive->settings, drive->nsetting, name);
    return found && found->count > 0 ? found : NULL;
}

ff_spec_drive *ff_native_drive(const ff_native *n, ff_yaml *node, const char *name, const char *joint, bool *is_new)
{
    ff_spec_setting given[FF_NATIVE_MAX_SETTINGS];
    const ff_place place = node->key_place.line ? node->key_place : node->place;
    if (n->spec->ndrive >= FF_NATIVE_MAX_ITEMS) {
        ff_report_add(n->report, FF_ERROR, node->place, "more than %d drives", FF_NATIVE_MAX_ITEMS);
        return NULL;
    }
    const int known = ff_spec_find_drive(n->spec, name);
    if (is_new) *is_new = known < 0 || ff_yaml_get(node, "kind");
    ff_spec_drive *drive = known < 0 ? ff_spec_add_drive(n->spec, name) : &n->spec->drives[known];
    if (!drive) return NULL;
    if (drive->joint[0] && strcmp(drive->joint[0], joint) != 0) {
        ff_report_add(n->report, FF_ERROR, place,
                      "drive '%.60s' is that of joint '%.60s' already: give it another name", name, drive->joint[0]);
        return NULL;
    }
    int count = 0;
    collect(n, node, "", given, &count);
    drive->joint[0] = ff_spec_text(n->spec, joint);
    ff_native_merge_settings(n, "drive", &drive->settings, &drive->nsetting, given, count, place);
    drive->place = ff_native_place(n, place);
    return drive;
}

// ------------------------------------------------------------------------------------------ drives of one joint

/// The actuator of a name, NULL: there is none.
static ff_spec_actuator *actuator_named(const ff_spec *spec, const char *name)
{
    const int i = ff_spec_find_actuator(spec, name);
    return i < 0 ? NULL : &spec->actuators[i];
}

/// A motor of the drive's name that takes a torque at the joint as its command.
static ff_spec_actuator *make_motor(const ff_native *n, ff_yaml *drive, const char *name, const char *joint)
{
    ff_spec_actuator *motor = actuator_named(n->spec, name);
    if (!motor) motor = ff_spec_add_actuator(n->spec, name, FF_ACTUATOR_MOTOR);
    if (!motor) return NULL;
    motor->type = FF_ACTUATOR_MOTOR;
    motor->joint = ff_spec_text(n->spec, joint);
    motor->gear = motor->gain = 1.0;
    memset(motor->bias, 0, sizeof motor->bias);
    motor->place = ff_native_place(n, drive->place);
    return motor;
}

/// The largest torque bounds the force, and the command of a motor.
static void bound_motor(ff_spec_actuator *motor, double torque)
{
    motor->force_limited = torque > 0.0;
    motor->force_range[0] = -torque;
    motor->force_range[1] = torque;
    if (motor->type != FF_ACTUATOR_MOTOR) return;
    motor->command_limited = torque > 0.0;
    motor->command_range[0] = -torque;
    motor->command_range[1] = torque;
}

/// The drive that `drive` of a joint made, with a motor of its name; NULL: none.
const ff_spec_drive *ff_native_drive_of(const ff_spec *spec, const char *joint)
{
    for (int i = 0; i < spec->ndrive; i++) {
        const ff_spec_drive *drive = &spec->drives[i];
        if (!drive->name || !drive->joint[0] || drive->joint[1] || strcmp(drive->joint[0], joint) != 0) continue;
        const ff_spec_actuator *motor = actuator_named(spec, drive->name);
        if (motor && motor->joint && strcmp(motor->joint, joint) == 0) return drive;
    }
    return NULL;
}

/// The rotor counts as rotor * gear^2 at the joint.
static void set_rotor(ff_spec_drive *drive, ff_spec_joint *joint)
{
    const ff_spec_setting *gears = numbers_of(drive, "gear"), *rotor = numbers_of(drive, "rotor");
    const double gear = gears ? gears->values[0] : 1.0;
    if (joint->armature == drive->armature) joint->armature = 0.0; // remove the rotor from before the change
    drive->armature = 0.0;
    if (rotor) joint->armature = drive->armature = rotor->values[0] * gear * gear;
}

void ff_native_joint_drive(ff_native *n, ff_yaml *node, const char *name, ff_spec_joint *joint)
{
    bool is_new;
    ff_spec_drive *drive = ff_native_drive(n, node, name, joint->name, &is_new);
    if (!drive) return;
    set_rotor(drive, joint);
    joint->effort = ff_yaml_number(node, "torque", joint->effort, n->report);
    joint->speed = ff_yaml_number(node, "speed", joint->speed, n->report);
    ff_spec_actuator *motor = is_new ? make_motor(n, node, name, joint->name)
                                     : actuator_named(n->spec, name); // which the file may have changed
    if (motor && (is_new || ff_yaml_get(node, "torque"))) bound_motor(motor, joint->effort);
}

// ------------------------------------------------------------------------------------------ drives of several joints

/// joint: name, or joints: [name, name].
static bool read_joints(const ff_native *n, ff_yaml *node, const char *names[2])
{
    ff_yaml *one = ff_yaml_get(node, "joint"), *several = ff_yaml_get(node, "joints");
    names[0] = names[1] = NULL;
    if (!one == !several) {
        ff_report_add(n->report, FF_ERROR, node->place, "a drive needs either 'joint' or 'joints'");
        return false;
    }
    if (one) return (names[0] = ff_yaml_as_string(one, n->report)) != NULL;
    names[0] = several->child->text;
    if (several->child->next) names[1] = several->child->next->text;
    return true;
}

/// Was the drive written as `drive` of its joint? Such a drive has an actuator of its name, and its rotor counts as
/// armature of the joint.
static bool is_of_joint(const ff_spec *spec, const ff_spec_drive *drive)
{
    if (drive->joint[1] || (numbers_of(drive, "rotor") && drive->armature == 0.0)) return false;
    const ff_spec_actuator *motor = actuator_named(spec, drive->name);
    return motor && motor->joint && strcmp(motor->joint, drive->joint[0]) == 0;
}

static void change_drive(ff_native *n, ff_yaml *node, int index)
{
    const ff_spec_drive *drive = &n->spec->drives[index];
    const char *names[2] = {drive->joint[0], drive->joint[1]};
    if ((ff_yaml_get(node, "joint") || ff_yaml_get(node, "joints")) && !read_joints(n, node, names)) return;
    const int joint = ff_spec_find_joint(n->spec, drive->joint[0]);
    if (joint >= 0 && strcmp(names[0], drive->joint[0]) == 0 && !names[1] && is_of_joint(n->spec, drive)) {
        ff_native_joint_drive(n, node, drive->name, &n->spec->joints[joint]);
        return;
    }
    ff_spec_drive *changed = ff_native_drive(n, node, drive->name, names[0], NULL);
    if (changed) changed->joint[1] = ff_spec_text(n->spec, names[1]);
}

static void add_drive(ff_native *n, ff_yaml *node)
{
    const char *names[2];
    if (!read_joints(n, node, names)) return;
    ff_spec_drive *drive = ff_native_drive(n, node, node->key, names[0], NULL);
    if (drive) drive->joint[1] = ff_spec_text(n->spec, names[1]);
}

void ff_native_drives(ff_native *n, ff_yaml *drives)
{
    if (!ff_yaml_expect(drives, FF_YAML_MAP, "drives as 'name: {joints: [..], kind: ..}'", n->report)) return;
    const ff_native_map map =
        ff_native_map_of(n, FF_NATIVE_DRIVE, FF_NATIVE_ANYWHERE, "a new one needs either 'joint' or 'joints'");
    for (ff_yaml *node = drives->child; node; node = node->next) {
        node->used = true;
        if (ff_native_too_large(n, node->key_place)) return;
        if (!ff_yaml_expect(node, FF_YAML_MAP, "{joints: [..], kind: ..}", n->report)) continue;
        if (ff_native_change(n, node, &map, change_drive)) continue;
        if (ff_yaml_get(node, "joint") || ff_yaml_get(node, "joints"))
            add_drive(n, node);
        else
            ff_native_report_missing(n, node, &map);
    }
}
