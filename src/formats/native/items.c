// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Actuators of a native robot, pairs of bodies that never collide, and locked joints.
#include "model/fields.h"
#include "native/native.h"

#include <string.h>

// ------------------------------------------------------------------------------------------ actuators

static const char *const TYPES[] = {"motor", "position", "velocity", "general", NULL};

/// Which gains a type has.
static bool has_gain(ff_actuator_type type, const char *key)
{
    if (strcmp(key, "kp") == 0) return type == FF_ACTUATOR_POSITION;
    if (strcmp(key, "kd") == 0) return type == FF_ACTUATOR_POSITION || type == FF_ACTUATOR_VELOCITY;
    if (strcmp(key, "gain") == 0) return type == FF_ACTUATOR_MOTOR || type == FF_ACTUATOR_GENERAL;
    return type == FF_ACTUATOR_GENERAL; // bias
}

/// A gain that the type does not have would be without effect.
static bool gains_fit(const ff_native *n, ff_yaml *node, const ff_spec_actuator *actuator)
{
    static const char *const gains[] = {"kp", "kd", "gain", "bias"};
    for (int i = 0; i < 4; i++) {
        ff_yaml *gain = ff_yaml_get(node, gains[i]);
        if (!gain || has_gain(actuator->type, gains[i])) continue;
        ff_report_add(n->report, FF_ERROR, gain->key_place,
                      "actuator '%.60s' is of type %s, which has no '%s': give the type as well, such as 'type: %s'",
                      actuator->name, TYPES[actuator->type], gains[i], i < 2 ? "position" : "general");
        return false;
    }
    return true;
}

static void read_gains(const ff_native *n, ff_yaml *node, ff_spec_actuator *actuator)
{
    double *bias = actuator->bias;
    switch (actuator->type) {
    case FF_ACTUATOR_POSITION:
        actuator->gain = ff_yaml_number(node, "kp", actuator->gain, n->report);
        bias[1] = -actuator->gain;
        bias[2] = -ff_yaml_number(node, "kd", -bias[2], n->report);
        if (ff_yaml_get(node, "kd")) actuator->damping_ratio = 0.0;
        return;
    case FF_ACTUATOR_VELOCITY:
        actuator->gain = ff_yaml_number(node, "kd", actuator->gain, n->report);
        bias[2] = -actuator->gain;
        return;
    default:
        actuator->gain = ff_yaml_number(node, "gain", actuator->gain, n->report);
        ff_yaml_numbers(node, "bias", bias, 3, 3, n->report);
    }
}

/// An actuator of a new type starts with the default gains, without activation and muscle, and without bounds of the
/// command, which had another meaning. The greatest force of a motor stays: where only its command was bounded, the
/// bound becomes that of its force.
static void set_type(ff_spec_actuator *a, ff_actuator_type type)
{
    if (a->type == FF_ACTUATOR_MOTOR && a->command_limited && !a->force_limited) {
        for (int i = 0; i < 2; i++) a->force_range[i] = a->gain * a->command_range[a->gain < 0.0 ? 1 - i : i];
        a->force_limited = true;
    }
    a->type = type;
    a->gain = 1.0;
    memset(a->gain_by, 0, sizeof a->gain_by);
    memset(a->bias, 0, sizeof a->bias);
    a->damping_ratio = 0.0;
    a->command_limited = false;
    a->activation = (ff_activation){0};
    a->active = a->passive = (ff_muscle){0};
}

static void read_activation(const ff_native *n, ff_yaml *node, ff_activation *activation)
{
    static const char *const types[] = {"none", "integrator", "filter", "muscle", NULL};
    const int before = activation->type == FF_ACTIVATION_NONE ? FF_ACTIVATION_FILTER : (int)activation->type;
    activation->type = (ff_activation_type)ff_yaml_choice(node, "type", types, before, n->report);
    ff_yaml *time = ff_yaml_get(node, "time");
    if (time && time->type == FF_YAML_SCALAR && ff_yaml_as_number(time, &activation->time[0], n->report))
        activation->time[1] = activation->time[0];
    else if (time)
        ff_yaml_as_numbers(time, activation->time, 2, 2, n->report);
    activation->smooth = ff_yaml_number(node, "smooth", activation->smooth, n->report);
    if (ff_yaml_numbers(node, "range", activation->range, 2, 2, n->report) == 2) activation->limited = true;
    const bool needs_time = activation->type == FF_ACTIVATION_FILTER || activation->type == FF_ACTIVATION_MUSCLE;
    if (needs_time && !(activation->time[0] > 0.0))
        ff_report_add(n->report, FF_ERROR, node->key_place, "an activation of type %s needs its 'time'",
                      types[activation->type]);
}

/// MuJoCo's numbers where none are given, also of its activation. A muscle of MJCF may be without its passive force,
/// and stays so unless `passive` is given.
static void read_muscle(const ff_native *n, ff_yaml *node, ff_spec_actuator *actuator)
{
    static const ff_muscle standard = {.acts = true,
                                       .operating = {0.75, 1.05},
                                       .shortest = 0.5,
                                       .longest = 1.6,
                                       .speed = 1.5,
                                       .passive = 1.3,
                                       .lengthening = 1.2};
    ff_muscle *m = &actuator->active;
    const bool has_passive = !m->acts || actuator->passive.acts || ff_yaml_get(node, "passive");
    if (!m->acts) *m = standard;
    if (actuator->activation.type == FF_ACTIVATION_NONE)
        actuator->activation = (ff_activation){.type = FF_ACTIVATION_MUSCLE, .time = {0.01, 0.04}};
    m->force = ff_yaml_number(node, "force", m->force, n->report);
    ff_yaml_numbers(node, "operating", m->operating, 2, 2, n->report);
    ff_yaml_numbers(node, "lengths", actuator->length_range, 2, 2, n->report);
    m->shortest = ff_yaml_number(node, "shortest", m->shortest, n->report);
    m->longest = ff_yaml_number(node, "longest", m->longest, n->report);
    m->speed = ff_yaml_number(node, "speed", m->speed, n->report);
    m->passive = ff_yaml_number(node, "passive", m->passive, n->report);
    m->lengthening = ff_yaml_number(node, "lengthening", m->lengthening, n->report);
    if (!(m->force > 0.0)) ff_report_add(n->report, FF_ERROR, node->key_place, "a muscle needs its 'force'");
    if (has_passive) actuator->passive = *m;
    actuator->type = FF_ACTUATOR_GENERAL;
}

/// Numbers that are not given stay as they are.
static void read_actuator(const ff_native *n, ff_yaml *node, ff_spec_actuator *actuator)
{
    const char *joint = ff_yaml_string(node, "joint", NULL, n->report);
    const char *tendon = ff_yaml_string(node, "tendon", NULL, n->report);
    const char *body = ff_yaml_string(node, "body", NULL, n->report);
    ff_yaml *activation = ff_yaml_get(node, "activation"), *muscle = ff_yaml_get(node, "muscle");
    if (joint || tendon || body) {
        actuator->joint = ff_spec_text(n->spec, joint);
        actuator->tendon = ff_spec_text(n->spec, tendon);
        actuator->body = ff_spec_text(n->spec, body);
    }
    if (!gains_fit(n, node, actuator)) return;
    actuator->gear = ff_yaml_number(node, "gear", actuator->gear, n->report);
    read_gains(n, node, actuator);
    ff_native_range(n, node, "command", actuator->command_range, &actuator->command_limited);
    ff_native_range(n, node, "force", actuator->force_range, &actuator->force_limited);
    if (activation) read_activation(n, activation, &actuator->activation);
    if (muscle) read_muscle(n, muscle, actuator);
}

static void change_actuator(ff_native *n, ff_yaml *node, int index)
{
    ff_spec_actuator *actuator = &n->spec->actuators[index];
    const ff_actuator_type type = (ff_actuator_type)ff_yaml_choice(node, "type", TYPES, (int)actuator->type, n->report);
    if (type != actuator->type) set_type(actuator, type);
    ff_native_mark_changed(n, &actuator->place, node->key_place);
    read_actuator(n, node, actuator);
}

static bool add_actuator(const ff_native *n, ff_yaml *node)
{
    const int type = ff_yaml_choice(node, "type", TYPES, FF_ACTUATOR_MOTOR, n->report);
    ff_spec_actuator *actuator = ff_spec_add_actuator(n->spec, node->key, (ff_actuator_type)type);
    if (!actuator) return false;
    actuator->place = ff_native_place(n, node->key_place);
    read_actuator(n, node, actuator);
    return true;
}

void ff_native_actuators(ff_native *n, ff_yaml *actuators)
{
    if (!ff_yaml_expect(actuators, FF_YAML_MAP, "actuators as 'name: {joint: ..}'", n->report)) return;
    const ff_native_map map = ff_native_map_of(n, FF_NATIVE_ACTUATOR, FF_NATIVE_ANYWHERE,
                                               "a new one needs a 'joint', a 'tendon' or a 'body'");
    for (ff_yaml *node = actuators->child; node; node = node->next) {
        node->used = true;
        if (!ff_yaml_expect(node, FF_YAML_MAP, "{joint: .., type: ..}", n->report)) continue;
        if (ff_native_change(n, node, &map, change_actuator)) continue;
        if (!ff_yaml_get(node, "joint") && !ff_yaml_get(node, "tendon") && !ff_yaml_get(node, "body"))
            ff_native_report_missing(n, node, &map);
        else if (ff_native_too_large(n, node->key_place) || !add_actuator(n, node))
            return;
    }
}

// ------------------------------------------------------------------------------------------ contact

void ff_native_contact(ff_native *n, ff_yaml *contact)
{
    if (!ff_yaml_expect(contact, FF_YAML_MAP, "{exclude: [[body, body], ..]}", n->report)) return;
    ff_yaml *pairs = ff_yaml_get(contact, "exclude");
    if (!pairs || !ff_yaml_expect(pairs, FF_YAML_LIST, "a list of pairs of bodies", n->report)) return;
    for (ff_yaml *pair = pairs->child; pair; pair = pair->next) {
        if (pair->type != FF_YAML_LIST || pair->nchild != 2) {
            ff_report_add(n->report, FF_ERROR, pair->place, "expected a pair of bodies: [one, other]");
            continue;
        }
        const char *one = ff_yaml_as_string(pair->child, n->report);
        const char *two = ff_yaml_as_string(pair->child->next, n->report);
        ff_spec_exclude *exclude = one && two ? ff_spec_add_exclude(n->spec, one, two) : NULL;
        if (exclude) exclude->place = ff_native_place(n, pair->place);
    }
}

// ------------------------------------------------------------------------------------------ locking

static bool acts_on(const ff_spec_drive *drive, const char *joint)
{
    for (int k = 0; k < 2; k++)
        if (drive->joint[k] && strcmp(drive->joint[k], joint) == 0) return true;
    return false;
}

bool ff_native_lock_joint(ff_native *n, int index)
{
    ff_spec *spec = n->spec;
    const ff_spec_joint joint = spec->joints[index];
    spec->njoint--;
    memmove(&spec->joints[index], &spec->joints[index + 1], (size_t)(spec->njoint - index) * sizeof *spec->joints);
    FF_KEEP_ITEMS(spec->actuators, spec->nactuator,
                  !spec->actuators[i].joint || strcmp(spec->actuators[i].joint, joint.name) != 0);
    FF_KEEP_ITEMS(spec->drives, spec->ndrive, !acts_on(&spec->drives[i], joint.name));
    FF_KEEP_ITEMS(spec->sensors, spec->nsensor,
                  strcmp(spec->sensors[i].object_type, "joint") != 0 ||
                      strcmp(spec->sensors[i].object, joint.name) != 0);
    ff_native_remove_from_legs(spec, joint.name);
    ff_native_remove_from_tendons(spec, &joint);
    return ff_native_remove_from_loops(spec, &joint);
}
