// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// First stage of the compiler: is every number finite and in its range, every name present and unique, every reference
// inside its array? Later stages rely on it. All problems are reported, not only the first.
#include "model/compile.h"

#include <stdio.h>

// A coordinate or size beyond this comes from a wrong unit or a hostile file; squares of it still fit a double.
#define LARGEST_NUMBER 1e12
#define MOST_BODIES    100000

static void report(ff_compiler *c, ff_place place, const char *format, ...) FF_PRINTF(3, 4);
static void report(ff_compiler *c, ff_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ff_report_addv(c->report, FF_ERROR, place, format, args);
    va_end(args);
}

/// Are all numbers finite and within bounds? Reports the first that is not.
static bool check_numbers(ff_compiler *c, ff_place place, const char *owner, const char *what, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (fabs(x[i]) <= LARGEST_NUMBER) continue;
        report(c, place, "%s: %s has the value %g; finite numbers up to %g are allowed", owner, what, x[i],
               LARGEST_NUMBER);
        return false;
    }
    return true;
}

static bool check_quat(ff_compiler *c, ff_place place, const char *owner, const char *what, const double q[4])
{
    if (!check_numbers(c, place, owner, what, q, 4)) return false;
    double length = ff_quat_norm(q);
    if (fabs(length - 1) < 1e-6) return true;
    report(c, place, "%s: %s is a quaternion of length %g; it must have length 1", owner, what, length);
    return false;
}

static bool check_not_negative(ff_compiler *c, ff_place place, const char *owner, const char *what, double x)
{
    if (x >= 0 && x <= LARGEST_NUMBER) return true;
    report(c, place, "%s: %s is %g; it must be zero or positive", owner, what, x);
    return false;
}

/// Reports two items of one name, with the line of the earlier one if it came from a file.
static void report_duplicate(ff_compiler *c, ff_place place, const char *owner, ff_place earlier)
{
    if (earlier.line > 0)
        report(c, place, "%s: the name is taken already (line %d)", owner, earlier.line);
    else
        report(c, place, "%s: the name is taken already", owner);
}

static void check_body(ff_compiler *c, int index, ff_names *names)
{
    const ff_spec_body *body = &c->spec->bodies[index];
    if (!body->name || !body->name[0]) {
        report(c, body->place, "a body has no name");
        return;
    }
    char owner[160];
    snprintf(owner, sizeof owner, "body \"%.120s\"", body->name);
    int earlier = ff_names_put(names, body->name, index);
    if (earlier >= 0) report_duplicate(c, body->place, owner, c->spec->bodies[earlier].place);
    if (body->parent < -1 || body->parent >= index)
        report(c, body->place, "%s: its parent (number %d) does not come before it", owner, body->parent);
    check_numbers(c, body->place, owner, "position", body->pos, 3);
    check_quat(c, body->place, owner, "orientation", body->quat);
    check_numbers(c, body->place, owner, "gravcomp", &body->gravcomp, 1);
    if (!body->has_inertial) return;
    check_numbers(c, body->place, owner, "centre of mass", body->com, 3);
    check_quat(c, body->place, owner, "orientation of the inertia", body->inertia_quat);
    check_numbers(c, body->place, owner, "inertia", body->inertia, 6);
    if (!(fabs(body->mass) <= LARGEST_NUMBER)) check_numbers(c, body->place, owner, "mass", &body->mass, 1);
    if (!(body->mass < 0)) return;
    if (c->options->repair)
        ff_report_add(c->report, FF_WARNING, body->place, "%s: the mass is %g kg: repaired to 0", owner, body->mass);
    else
        report(c, body->place, "%s: the mass is %g kg; it must not be negative: correct the file or use --repair",
               owner, body->mass);
}

/// A rotation differs from the rest by half a turn at most, so that the stop of a larger cone never acts.
static void check_cone(ff_compiler *c, const ff_spec_joint *joint, const char *owner)
{
    const double largest = joint->range[1], half_turn = FF_PI * (1.0 + 1e-9); // 180 degrees are not above it
    if (largest < 0)
        report(c, joint->place, "%s: the largest angle is %g rad; it must be zero or positive", owner, largest);
    if (largest > half_turn && largest <= LARGEST_NUMBER)
        ff_report_add(
            c->report, FF_WARNING, joint->place,
            "%s: its range ends at %g rad, and no turn of a ball joint is larger than half a turn (%.5g rad): "
            "the limit never acts; give a smaller angle, or no range",
            owner, largest, FF_PI);
}

static void check_joint_ranges(ff_compiler *c, const ff_spec_joint *joint, const char *owner)
{
    const char *unit = joint->type == FF_JOINT_SLIDE ? "m" : "rad";
    if (joint->limited && check_numbers(c, joint->place, owner, "range", joint->range, 2) &&
        joint->range[0] > joint->range[1])
        report(c, joint->place, "%s: lower limit %g %s lies above upper limit %g %s", owner, joint->range[0], unit,
               joint->range[1], unit);
    if (joint->limited && joint->type == FF_JOINT_BALL) check_cone(c, joint, owner);
    if (joint->limited && joint->stop_stiffness == 0.0)
        report(c, joint->place,
               "%s: the stops of its range have the stiffness 0 and hold nothing: give one, or no range", owner);
    const struct {
        const char *what;
        double value;
    } positive[] = {
        {"stiffness of the stops", ff_compile_given(joint->stop_stiffness, 1.0)},
        {"damping of the stops", ff_compile_given(joint->stop_damping, 0.0)},
        {"stiffness", joint->stiffness},
        {"damping", joint->damping},
        {"time constant of the spring", joint->spring_time},
        {"damping ratio of the spring", joint->spring_ratio},
        {"dry friction", joint->dry_friction},
        {"speed of dry friction", joint->dry_speed},
        {"armature", joint->armature},
        {"effort", joint->effort},
        {"speed", joint->speed},
    };
    for (size_t i = 0; i < sizeof positive / sizeof positive[0]; i++)
        check_not_negative(c, joint->place, owner, positive[i].what, positive[i].value);
}

static void check_joint(ff_compiler *c, int index, ff_names *names)
{
    const ff_spec_joint *joint = &c->spec->joints[index];
    if (!joint->name || !joint->name[0]) {
        report(c, joint->place, "a joint has no name");
        return;
    }
    char owner[160];
    snprintf(owner, sizeof owner, "joint \"%.120s\"", joint->name);
    int earlier = ff_names_put(names, joint->name, index);
    if (earlier >= 0) report_duplicate(c, joint->place, owner, c->spec->joints[earlier].place);
    if (joint->body < 0 || joint->body >= c->spec->nbody) report(c, joint->place, "%s: it belongs to no body", owner);
    if ((unsigned)joint->type >= FF_JOINT_COUNT) report(c, joint->place, "%s: unknown type", owner);
    check_numbers(c, joint->place, owner, "anchor", joint->pos, 3);
    check_numbers(c, joint->place, owner, "reference", &joint->ref, 1);
    check_numbers(c, joint->place, owner, "spring reference", &joint->spring_ref, 1);
    bool has_axis = joint->type == FF_JOINT_HINGE || joint->type == FF_JOINT_SLIDE || joint->type == FF_JOINT_PLANAR;
    if (has_axis && check_numbers(c, joint->place, owner, "axis", joint->axis, 3) && ff_vec3_norm(joint->axis) < 1e-10)
        report(c, joint->place, "%s: the axis has no length", owner);
    check_joint_ranges(c, joint, owner);
    double mimic[2] = {joint->mimic_gain, joint->mimic_offset};
    check_numbers(c, joint->place, owner, "mimic", mimic, 2);
}

static void check_friction(ff_compiler *c, ff_place place, const char *owner, const double friction[3], int condim)
{
    for (int i = 0; i < 3; i++) check_not_negative(c, place, owner, "friction", friction[i]);
    if (condim != 1 && condim != 3 && condim != 4 && condim != 6)
        report(c, place, "%s: condim is %d: allowed are 1 (no friction), 3, 4 (torsion) and 6 (rolling too)", owner,
               condim);
}

static void check_pair(ff_compiler *c, const ff_spec_pair *pair)
{
    char owner[160];
    snprintf(owner, sizeof owner, "pair of \"%.60s\" and \"%.60s\"", pair->geom1 ? pair->geom1 : "",
             pair->geom2 ? pair->geom2 : "");
    check_friction(c, pair->place, owner, pair->friction, pair->condim);
    check_numbers(c, pair->place, owner, "solref", pair->numbers.solref, 2);
    check_numbers(c, pair->place, owner, "impedance", &pair->numbers.impedance, 1);
}

static void check_geom(ff_compiler *c, const ff_spec_geom *geom)
{
    char owner[160];
    snprintf(owner, sizeof owner, "geom \"%.120s\"", geom->name ? geom->name : "");
    if (geom->body < -1 || geom->body >= c->spec->nbody) report(c, geom->place, "%s: it belongs to no body", owner);
    if ((unsigned)geom->type >= FF_SHAPE_COUNT) report(c, geom->place, "%s: unknown shape", owner);
    if (geom->mesh < -1 || geom->mesh >= c->spec->nmesh) report(c, geom->place, "%s: no such mesh", owner);
    check_numbers(c, geom->place, owner, "size", geom->size, 3);
    check_numbers(c, geom->place, owner, "position", geom->pos, 3);
    check_quat(c, geom->place, owner, "orientation", geom->quat);
    if (geom->has_mass) check_not_negative(c, geom->place, owner, "mass", geom->mass);
    check_not_negative(c, geom->place, owner, "density", geom->density);
    check_friction(c, geom->place, owner, geom->friction, geom->condim);
    check_numbers(c, geom->place, owner, "fluid coefficients", geom->fluid, 5);
    check_numbers(c, geom->place, owner, "colour", geom->rgba, 4);
}

static void check_mesh(ff_compiler *c, const ff_spec_mesh *mesh)
{
    char owner[160];
    snprintf(owner, sizeof owner, "mesh \"%.120s\"", mesh->name ? mesh->name : "");
    check_numbers(c, mesh->place, owner, "position", mesh->pos, 3);
    check_quat(c, mesh->place, owner, "orientation", mesh->quat);
}

static void check_frame(ff_compiler *c, int index, ff_names *names)
{
    const ff_spec_frame *frame = &c->spec->frames[index];
    char owner[160];
    snprintf(owner, sizeof owner, "frame \"%.120s\"", frame->name ? frame->name : "");
    if (!frame->name) {
        report(c, frame->place, "a frame has no name");
        return;
    }
    int earlier = ff_names_put(names, frame->name, index);
    if (earlier >= 0) report_duplicate(c, frame->place, owner, c->spec->frames[earlier].place);
    if (frame->body < -1 || frame->body >= c->spec->nbody) report(c, frame->place, "%s: it belongs to no body", owner);
    check_numbers(c, frame->place, owner, "position", frame->pos, 3);
    check_quat(c, frame->place, owner, "orientation", frame->quat);
}

static void check_activation(ff_compiler *c, const ff_spec_actuator *actuator, const char *owner)
{
    const ff_activation *a = &actuator->activation;
    if (a->type == FF_ACTIVATION_NONE) return;
    check_numbers(c, actuator->place, owner, "time constants", a->time, 2);
    check_not_negative(c, actuator->place, owner, "smoothing of the time constant", a->smooth);
    if (a->limited) check_numbers(c, actuator->place, owner, "activation range", a->range, 2);
    if (a->limited && a->range[0] > a->range[1])
        report(c, actuator->place, "%s: activation range %g to %g is reversed", owner, a->range[0], a->range[1]);
    for (int i = 0; i < (a->type == FF_ACTIVATION_MUSCLE ? 2 : a->type == FF_ACTIVATION_FILTER ? 1 : 0); i++)
        if (!(a->time[i] > 0.0))
            report(c, actuator->place, "%s: the time constant of its activation is %g s; it must be positive", owner,
                   a->time[i]);
}

static void check_muscle(ff_compiler *c, const ff_spec_actuator *actuator, const char *owner, const ff_muscle *m)
{
    const double numbers[] = {m->operating[0], m->operating[1], m->force,   m->scale,      m->shortest,
                              m->longest,      m->speed,        m->passive, m->lengthening};
    check_numbers(c, actuator->place, owner, "muscle", numbers, (int)(sizeof numbers / sizeof *numbers));
    if (!(m->operating[0] < m->operating[1]))
        report(c, actuator->place, "%s: the muscle works from L = %g to %g; the second must be larger", owner,
               m->operating[0], m->operating[1]);
    if (!(m->shortest < 1.0 && m->longest > 1.0))
        report(c, actuator->place, "%s: lmin %g and lmax %g of the muscle must lie on both sides of 1", owner,
               m->shortest, m->longest);
    if (!(m->speed > 0.0))
        report(c, actuator->place, "%s: vmax of the muscle is %g; it must be positive", owner, m->speed);
}

static void check_actuator(ff_compiler *c, const ff_spec_actuator *actuator)
{
    char owner[160];
    snprintf(owner, sizeof owner, "actuator \"%.120s\"", actuator->name ? actuator->name : "");
    check_numbers(c, actuator->place, owner, "gear", &actuator->gear, 1);
    check_numbers(c, actuator->place, owner, "gain", &actuator->gain, 1);
    check_numbers(c, actuator->place, owner, "bias", actuator->bias, 3);
    check_not_negative(c, actuator->place, owner, "damping ratio", actuator->damping_ratio);
    if (actuator->damping_ratio > 0.0 && actuator->gain < 0.0)
        report(c, actuator->place, "%s: a damping ratio needs a gain of zero or more, not %g", owner, actuator->gain);
    if (actuator->command_limited)
        check_numbers(c, actuator->place, owner, "command range", actuator->command_range, 2);
    if (actuator->force_limited) check_numbers(c, actuator->place, owner, "force range", actuator->force_range, 2);
    check_numbers(c, actuator->place, owner, "gain by length and speed", actuator->gain_by, 2);
    check_numbers(c, actuator->place, owner, "length range", actuator->length_range, 2);
    if (actuator->length_range[0] > actuator->length_range[1])
        report(c, actuator->place, "%s: length range %g to %g is reversed", owner, actuator->length_range[0],
               actuator->length_range[1]);
    check_activation(c, actuator, owner);
    const int errors = c->report->errors; // both curves mostly have the same numbers: an error is reported once
    if (actuator->active.acts) check_muscle(c, actuator, owner, &actuator->active);
    if (actuator->passive.acts && c->report->errors == errors) check_muscle(c, actuator, owner, &actuator->passive);
}

static void check_equality(ff_compiler *c, const ff_spec_equality *equality)
{
    char owner[160];
    snprintf(owner, sizeof owner, "equality \"%.120s\"", equality->name ? equality->name : "");
    check_numbers(c, equality->place, owner, "data", equality->data, 11);
}

static void check_model(ff_compiler *c)
{
    const double rules[3] = {c->spec->total_mass, c->spec->bound_mass, c->spec->bound_inertia};
    check_numbers(c, (ff_place){0}, "model", "gravity", c->spec->gravity, 3);
    check_numbers(c, (ff_place){0}, "model", "rule for masses", rules, 3);
}

bool ff_compile_is_mjcf(ff_place place)
{
    const char *end = place.file ? strrchr(place.file, '.') : NULL;
    return end && (strcmp(end, ".xml") == 0 || strcmp(end, ".mjcf") == 0);
}

int ff_compile_find(ff_compiler *c, const ff_names *names, const char *name, ff_place place, const char *user,
                    const char *user_name, const char *kind)
{
    int index = ff_names_get(names, name);
    if (index < 0)
        ff_report_add(c->report, FF_ERROR, place, "%s \"%s\" refers to %s \"%s\", which does not exist", user,
                      user_name ? user_name : "", kind, name ? name : "");
    return index;
}

bool ff_compile_check(ff_compiler *c)
{
    const ff_spec *spec = c->spec;
    int errors = c->report->errors;
    ff_names names;
    if (spec->nbody > MOST_BODIES || spec->njoint > MOST_BODIES) {
        report(c, (ff_place){0}, "%d bodies and %d joints: at most %d of each are allowed", spec->nbody, spec->njoint,
               MOST_BODIES);
        return false;
    }
    check_model(c);
    if (!ff_names_init(&names, &c->scratch, spec->nbody)) return false;
    for (int i = 0; i < spec->nbody; i++) check_body(c, i, &names);
    if (!ff_names_init(&names, &c->scratch, spec->njoint)) return false;
    for (int i = 0; i < spec->njoint; i++) check_joint(c, i, &names);
    for (int i = 0; i < spec->ngeom; i++) check_geom(c, &spec->geoms[i]);
    for (int i = 0; i < spec->npair; i++) check_pair(c, &spec->pairs[i]);
    for (int i = 0; i < spec->nmesh; i++) check_mesh(c, &spec->meshes[i]);
    for (int i = 0; i < spec->nactuator; i++) check_actuator(c, &spec->actuators[i]);
    for (int i = 0; i < spec->nequality; i++) check_equality(c, &spec->equalities[i]);
    if (!ff_names_init(&names, &c->scratch, spec->nframe)) return false;
    for (int i = 0; i < spec->nframe; i++) check_frame(c, i, &names);
    return c->report->errors == errors;
}
