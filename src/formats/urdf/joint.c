// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Joints of a URDF, with limits, dynamics and mimic, and the transmissions that drive them.
#include <footfall/text.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "urdf/urdf.h"

#define FARTHEST 1e12 // stands for a bound at infinity when the other bound is finite

enum { REVOLUTE, CONTINUOUS, PRISMATIC, FIXED, FLOATING, PLANAR, NONE };
static const char *const kinds[] = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar", NULL};
static const ff_joint_type types[] = {
    [REVOLUTE] = FF_JOINT_HINGE, [CONTINUOUS] = FF_JOINT_HINGE, [PRISMATIC] = FF_JOINT_SLIDE,
    [FLOATING] = FF_JOINT_FREE,  [PLANAR] = FF_JOINT_PLANAR,
};

/// A number that must not be negative; 0 when absent or bad.
static double read_magnitude(urdf_reader *r, ff_xml *node, const char *joint, const char *name)
{
    double value = ff_xml_number(node, name, 0.0, r->report);
    if (value >= 0.0) return value;
    ff_report_add(r->report, FF_ERROR, node->place, "joint \"%s\": %s is %g: it must be zero or more", joint, name,
                  value);
    return 0.0;
}

/// Does a file mean no limit: an infinity by name, or a number that no machine reaches, such as the 1e16 of converters?
static bool means_no_limit(const char *text)
{
    const char *at = text;
    size_t length = ff_xml_next_word(&at);
    double value;
    if (ff_text_number(at, length, &value)) return fabs(value) >= 1e12 && fabs(value) <= 1e20;
    if (length > 0 && (at[0] == '-' || at[0] == '+')) {
        at++;
        length--;
    }
    return (length == 3 && strncasecmp(at, "inf", 3) == 0) || (length == 8 && strncasecmp(at, "infinity", 8) == 0);
}

/// A bound of the range: a number, or an infinity of its sign.
static double read_bound(urdf_reader *r, ff_xml *limit, const char *name)
{
    const char *text = ff_xml_peek(limit, name);
    if (!text || !means_no_limit(text)) return ff_xml_number(limit, name, 0.0, r->report);
    ff_xml_get(limit, name);
    ff_xml_next_word(&text);
    return text[0] == '-' ? -INFINITY : INFINITY;
}

/// Effort or speed: 0 where there is no limit, for which converters write -1 too, and where none is given.
static double read_capacity(urdf_reader *r, ff_xml *limit, const char *joint, const char *name, bool *boundless)
{
    const char *text = ff_xml_peek(limit, name);
    *boundless = text && (means_no_limit(text) || strcmp(text, "-1") == 0);
    if (!*boundless) return read_magnitude(r, limit, joint, name);
    ff_xml_get(limit, name);
    return 0.0;
}

static void read_axis(urdf_reader *r, const urdf_joint *joint, ff_spec_joint *out)
{
    ff_vec3_set(out->axis, 1, 0, 0); // URDF's default; ours is z
    ff_xml *axis = urdf_take(joint->node, "axis");
    if (!axis) return;
    double xyz[3];
    if (ff_xml_numbers(axis, "xyz", xyz, 3, 3, r->report) != 3) return;
    if (ff_vec3_norm(xyz) < 1e-6)
        ff_report_add(r->report, FF_ERROR, axis->place,
                      "joint \"%s\": axis (%g, %g, %g) has no length: give a direction", joint->name, xyz[0], xyz[1],
                      xyz[2]);
    else
        ff_vec3_copy(out->axis, xyz);
}

static void read_range(urdf_reader *r, const urdf_joint *joint, ff_xml *limit, ff_spec_joint *out)
{
    const char *unit = out->type == FF_JOINT_SLIDE ? "m" : "rad";
    if (!ff_xml_peek(limit, "lower") && !ff_xml_peek(limit, "upper")) {
        ff_report_add(r->report, FF_WARNING, limit->place,
                      "joint \"%s\": <limit> has neither lower nor upper: the joint is left unlimited", joint->name);
        return;
    }
    int errors = r->report->errors;
    double lower = read_bound(r, limit, "lower"), upper = read_bound(r, limit, "upper");
    if (r->report->errors != errors || (isinf(lower) && isinf(upper) && lower < upper)) return;
    if (lower > upper) {
        // two decimals, unless the difference needs more
        const char *format = lower - upper >= 0.01 ? "joint \"%s\": lower limit %.2f %s lies above upper limit %.2f %s"
                                                   : "joint \"%s\": lower limit %.9g %s lies above upper limit %.9g %s";
        ff_report_add(r->report, FF_ERROR, limit->place, format, joint->name, lower, unit, upper, unit);
        return;
    }
    // A bound that is left out is 0 (URDF), so that "0 to 0" says no more than two bounds left out; exporters of CAD
    // programs write it for fields that are empty. MuJoCo, too, takes it for no limit.
    if (lower == 0.0 && upper == 0.0) {
        ff_report_add(
            r->report, FF_WARNING, limit->place,
            "joint \"%s\": both limits are 0, as exporters write them where none was given: the joint is left "
            "unlimited; make it fixed if it must not move",
            joint->name);
        return;
    }
    if (lower == upper)
        ff_report_add(r->report, FF_WARNING, limit->place,
                      "joint \"%s\": both limits are %g %s, so that it cannot move; a fixed joint would say so",
                      joint->name, lower, unit);
    out->limited = true;
    out->range[0] = ff_max(lower, -FARTHEST);
    out->range[1] = ff_min(upper, FARTHEST);
}

static void read_limit(urdf_reader *r, urdf_joint *joint, int kind, ff_spec_joint *out)
{
    bool any_speed;
    ff_xml *limit = urdf_take(joint->node, "limit");
    if (!limit) {
        if (kind == REVOLUTE || kind == PRISMATIC)
            ff_report_add(r->report, FF_WARNING, joint->node->place,
                          "joint \"%s\": a %s joint needs a <limit>; it is left unlimited", joint->name, kinds[kind]);
        return;
    }
    if (kind == REVOLUTE || kind == PRISMATIC) read_range(r, joint, limit, out);
    out->effort = read_capacity(r, limit, joint->name, "effort", &joint->any_effort);
    out->speed = read_capacity(r, limit, joint->name, "velocity", &any_speed);
}

static void read_dynamics(urdf_reader *r, const urdf_joint *joint, ff_spec_joint *out)
{
    ff_xml *dynamics = urdf_take(joint->node, "dynamics");
    if (!dynamics) return;
    out->damping = read_magnitude(r, dynamics, joint->name, "damping");
    out->dry_friction = read_magnitude(r, dynamics, joint->name, "friction");
}

/// Ignores axis, limit and dynamics of a fixed joint, which many files have without a meaning.
static void ignore_idle(const urdf_joint *joint)
{
    static const char *const idle[] = {"axis", "limit", "dynamics", NULL};
    for (int i = 0; idle[i]; i++) {
        ff_xml *node = urdf_take(joint->node, idle[i]);
        for (int j = 0; node && j < node->nattribute; j++) node->attributes[j].used = true;
    }
}

void urdf_read_joint(urdf_reader *r, int index, int body)
{
    urdf_joint *joint = &r->joints[index];
    if (!ff_xml_need(joint->node, "type", r->report)) return;
    int kind = ff_xml_choice(joint->node, "type", kinds, NONE, r->report);
    if (kind == NONE) return;
    if (kind == FIXED) {
        ignore_idle(joint);
        return;
    }
    int number = r->spec->njoint;
    ff_spec_joint *out = ff_spec_add_joint(r->spec, joint->name, body, types[kind]);
    if (!urdf_has_memory(r, out) || !urdf_has_memory(r, out->name)) return;
    joint->spec_joint = number;
    out->place = joint->node->place;
    if (kind != FLOATING) read_axis(r, joint, out);
    read_limit(r, joint, kind, out);
    read_dynamics(r, joint, out);
}

// ------------------------------------------------------------------------------------------ mimic

/// Joint that `index` mimics: its number, or -1 with an error or a warning where the attributes do not fit.
static int mimic_target(urdf_reader *r, int index, ff_xml *mimic)
{
    const urdf_joint *joint = &r->joints[index];
    const char *name = ff_xml_need(mimic, "joint", r->report);
    if (!name) return -1;
    int other = ff_names_get(&r->joint_names, name);
    if (other < 0)
        ff_report_add(r->report, FF_ERROR, mimic->place, "joint \"%s\" mimics joint \"%s\", which is not in the file",
                      joint->name, name);
    else if (other == index)
        ff_report_add(r->report, FF_ERROR, mimic->place, "joint \"%s\" mimics itself", joint->name);
    else if (joint->spec_joint < 0 || !ff_joint_is_scalar(r->spec->joints[joint->spec_joint].type))
        ff_report_add(r->report, FF_WARNING, mimic->place,
                      "joint \"%s\" does not have exactly one coordinate: <mimic> is ignored", joint->name);
    else if (r->joints[other].spec_joint < 0 || !ff_joint_is_scalar(r->spec->joints[r->joints[other].spec_joint].type))
        ff_report_add(
            r->report, FF_WARNING, mimic->place,
            "joint \"%s\" mimics joint \"%s\", which does not have exactly one coordinate: <mimic> is ignored",
            joint->name, name);
    else
        return other;
    return -1;
}

static int mimicked(const urdf_reader *r, int index)
{
    int number = r->joints[index].spec_joint;
    const char *name = number >= 0 ? r->spec->joints[number].mimic : NULL;
    return name ? ff_names_get(&r->joint_names, name) : -1;
}

/// Like the loops of links: a joint that is visited twice on one walk along mimics would follow itself.
static void find_mimic_loops(urdf_reader *r)
{
    for (int start = 0; start < r->njoint; start++) {
        int walk = start + 1, at = start;
        while (at >= 0 && r->joints[at].mark == 0) {
            r->joints[at].mark = walk;
            at = mimicked(r, at);
        }
        if (at < 0 || r->joints[at].mark != walk) continue;
        ff_report_add(r->report, FF_ERROR, r->joints[at].node->place,
                      "joint \"%s\" mimics \"%s\", which leads back to it: a mimic must end at a free joint",
                      r->joints[at].name, r->joints[mimicked(r, at)].name);
    }
}

void urdf_read_mimics(urdf_reader *r)
{
    for (int i = 0; i < r->njoint; i++) {
        ff_xml *mimic = urdf_take(r->joints[i].node, "mimic");
        if (!mimic) continue;
        double gain = ff_xml_number(mimic, "multiplier", 1.0, r->report);
        double offset = ff_xml_number(mimic, "offset", 0.0, r->report);
        int other = mimic_target(r, i, mimic);
        if (other < 0) continue;
        ff_spec_joint *joint = &r->spec->joints[r->joints[i].spec_joint];
        joint->mimic = ff_spec_text(r->spec, r->joints[other].name);
        if (!urdf_has_memory(r, joint->mimic)) return;
        joint->mimic_gain = gain;
        joint->mimic_offset = offset;
    }
    find_mimic_loops(r);
}

// ------------------------------------------------------------------------------------------ transmissions

/// "transmission_interface/SimpleTransmission" in an element, or the older attribute "SimpleTransmission".
static bool is_simple(ff_xml *node)
{
    const ff_xml *type = urdf_take(node, "type");
    const char *word = type ? type->text : ff_xml_get(node, "type");
    const char *slash = word ? strrchr(word, '/') : NULL;
    return word && strcmp(slash ? slash + 1 : word, "SimpleTransmission") == 0;
}

static void use_hardware_interface(ff_xml *node)
{
    for (ff_xml *child = node ? node->child : NULL; child; child = child->next)
        if (strcmp(child->name, "hardwareInterface") == 0) child->used = true; // a matter of ROS: names no physics
}

/// An element below the actuator, the joint or the transmission itself; NULL: there is none.
static const ff_xml *find_below(ff_xml *transmission, ff_xml *actuator, ff_xml *joint, const char *name)
{
    const ff_xml *node = actuator ? urdf_take(actuator, name) : NULL;
    if (!node) node = urdf_take(joint, name);
    return node ? node : urdf_take(transmission, name);
}

/// Gear ratio from <mechanicalReduction>.
static double read_reduction(urdf_reader *r, const ff_xml *node)
{
    double gear;
    if (!node) return 1.0;
    if (ff_text_number(node->text, strlen(node->text), &gear) && gear != 0.0 && gear > -1e12 && gear < 1e12)
        return gear;
    ff_report_add(r->report, FF_ERROR, node->place,
                  "mechanicalReduction is \"%.40s\": it must be a number other than zero", node->text);
    return 1.0;
}

/// Adds the rotor of <motorInertia> behind the gear to the armature of the joint.
static void read_rotor(urdf_reader *r, const ff_xml *node, double gear, ff_spec_joint *to)
{
    double inertia;
    if (!node) return;
    if (ff_text_number(node->text, strlen(node->text), &inertia) && inertia >= 0.0 && inertia < 1e12)
        to->armature += inertia * gear * gear;
    else
        ff_report_add(r->report, FF_ERROR, node->place,
                      "motorInertia is \"%.40s\": it must be a number from zero on [kg m^2]", node->text);
}

static void read_transmission(urdf_reader *r, ff_xml *node, ff_names *names)
{
    if (!is_simple(node)) return; // listed as ignored, since it is not marked as read
    node->used = true;
    ff_xml *joint = urdf_take(node, "joint"), *actuator = urdf_take(node, "actuator");
    const char *name = ff_xml_get(node, "name"), *joint_name = joint ? ff_xml_get(joint, "name") : NULL;
    const char *own = actuator ? ff_xml_get(actuator, "name") : NULL;
    if (own && *own) name = own;
    int index = joint_name ? ff_names_get(&r->joint_names, joint_name) : -1;
    int number = index >= 0 ? r->joints[index].spec_joint : -1;
    if (number < 0 || !name || !*name) {
        ff_report_add(r->report, FF_WARNING, node->place, "<transmission>: %s \"%s\": no actuator is made of it",
                      number < 0 ? "there is no moving joint" : "there is no name for joint",
                      joint_name ? joint_name : "");
        return;
    }
    if (ff_names_put(names, name, 1) >= 0) {
        ff_report_add(r->report, FF_WARNING, node->place, "actuator \"%s\" is defined twice: the second is ignored",
                      name);
        return;
    }
    use_hardware_interface(joint);
    use_hardware_interface(actuator);
    double gear = read_reduction(r, find_below(node, actuator, joint, "mechanicalReduction"));
    double effort = r->spec->joints[number].effort;
    read_rotor(r, find_below(node, actuator, joint, "motorInertia"), gear, &r->spec->joints[number]);
    ff_spec_actuator *out = ff_spec_add_actuator(r->spec, name, FF_ACTUATOR_MOTOR);
    if (!urdf_has_memory(r, out) || !urdf_has_memory(r, out->name)) return;
    out->joint = ff_spec_text(r->spec, joint_name);
    out->place = node->place;
    out->gear = gear;
    if (!urdf_has_memory(r, out->joint) || effort <= 0.0) return;
    // <limit effort> holds at the joint, force_range at the motor
    double most = effort / (gear < 0.0 ? -gear : gear);
    out->force_limited = true;
    out->force_range[0] = -most;
    out->force_range[1] = most;
}

void urdf_read_transmissions(urdf_reader *r)
{
    int count = 0;
    for (ff_xml *node = r->root->child; node; node = node->next) count += strcmp(node->name, "transmission") == 0;
    ff_names names;
    if (count == 0 || !urdf_has_memory(r, ff_names_init(&names, &r->arena, count) ? r : NULL)) return;
    for (ff_xml *node = r->root->child; node && !r->out_of_memory; node = node->next)
        if (strcmp(node->name, "transmission") == 0) read_transmission(r, node, &names);
}
