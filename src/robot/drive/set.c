// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// All drives of a model: those its file describes, then an ideal one for every actuator whose joint has none. The
// rotors of rigid drives are armature of their joints; those that move on their own must not be counted there as well.
#include "drive/private.h"
#include "dyn/packed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ff_drive_options ff_drive_options_default(void)
{
    return (ff_drive_options){.transmission = FF_TRANSMISSION_BACKLASH, .battery = true};
}

// ------------------------------------------------------------------------------------------ rotors

/// The rotor behind a constant lever is armature of its joint: ratio^2 J r^2. The simulation adds others
/// (ff_drive_couples).
static void add_rotor(ff_spec *spec, ff_spec_drive *from, const int joint[2])
{
    ff_drive d = ff_drive_default();
    ff_arena arena = {0};
    ff_report ignored = {0};
    const ff_drive_options options = {.transmission = FF_TRANSMISSION_RIGID};
    d.path.njoint = joint[1] >= 0 ? 2 : 1;
    d.path.qadr[1] = d.path.vadr[1] = 1;
    ff_drive_describe(&d, from, &options, &arena, &ignored);
    if (ignored.errors == 0 && ff_drive_finish(&d, 0.0, NULL) == FF_OK && d.motor != FF_MOTOR_NONE &&
        !ff_drive_couples(&d)) {
        const double lever = ff_drive_path_locate(&d.path, (double[2]){0, 0}, (double[2]){0, 0}).lever[0];
        from->armature = d.inertia * lever * lever;
        spec->joints[joint[0]].armature += from->armature;
    }
    ff_report_clear(&ignored);
    ff_arena_clear(&arena);
}

void ff_drive_prepare(ff_spec *spec, const ff_drive_options *options)
{
    ff_report ignored = {0}; // mistakes are reported by ff_drive_set_create
    for (int i = 0; i < spec->ndrive; i++) {
        ff_spec_drive *from = &spec->drives[i];
        int joint[2] = {-1, -1};
        for (int k = 0; k < 2; k++)
            if (from->joint[k]) joint[k] = ff_spec_find_joint(spec, from->joint[k]);
        if (joint[0] < 0 || (from->joint[1] && joint[1] < 0)) continue;
        const bool acts = ff_drive_acts(spec->drives, spec->ndrive, from, options);
        const bool rigid = acts && ff_drive_modelled_transmission(from, options, &ignored) == FF_TRANSMISSION_RIGID;
        // the reader of the file did not consider spindle and path
        spec->joints[joint[0]].armature -= from->armature;
        from->armature = 0.0;
        if (rigid) add_rotor(spec, from, joint);
    }
    ff_report_clear(&ignored);
}

// ------------------------------------------------------------------------------------------ making

/// Torque without delay, bounded by that of the motor at rest. A servo keeps its controller without frame, steps and
/// torque-speed line.
static void make_ideal(ff_drive *d)
{
    if (d->motor == FF_MOTOR_NONE || d->motor == FF_MOTOR_IDEAL) return;
    if (d->motor == FF_MOTOR_SERVO) {
        d->servo.frame = 1e-3;
        d->servo.bits = 0;
        d->servo.no_load = 0.0;
        return;
    }
    double current = d->dc.resistance > 0.0 ? d->dc.voltage / d->dc.resistance : 0.0;
    if (d->peak > 0.0 && !(current > 0.0 && current < d->peak)) current = d->peak;
    const double most = fabs(d->ratio) * d->dc.constant * current;
    if (most > 0.0 && !(d->stall > 0.0 && d->stall < most)) d->stall = most;
    d->motor = FF_MOTOR_IDEAL;
    d->thermal = (ff_thermal){.ambient = d->thermal.ambient};
}

/// The current loop of a synchronous motor in closed form. Three phases of amplitude i lose 3/2 R i^2.
static void make_lag(ff_drive *d)
{
    if (d->motor != FF_MOTOR_PMSM) return;
    d->motor = FF_MOTOR_LAG;
    d->dc.constant = ff_pmsm_constant(&d->pmsm);
    d->dc.resistance = 1.5 * d->pmsm.resistance;
    d->lag = d->foc.d.kp / d->pmsm.inductance_d;
}

/// A set under construction.
typedef struct maker {
    ff_drive_set *set;
    ff_drive *drives; // of the set
    const ff_drive_options *options;
    ff_report *report;
    int described;  // number of drives that the file describes
    int *actuators; // of the set
} maker;

static void check_name(const ff_drive_set *set, const ff_drive *d, ff_report *report)
{
    const int other = ff_drive_set_find(set, d->name);
    if (other < 0) return;
    char where[40] = "";
    if (set->drives[other].place.line > 0) snprintf(where, sizeof where, " in line %d", set->drives[other].place.line);
    ff_report_add(report, FF_ERROR, d->place, "drive '%.60s' is there already%s: give it another name", d->name, where);
}

/// A rigid rotor turns with both its joints only where one carries the other: elsewhere the mass matrix has no place
/// for it.
static void check_rotor(const ff_drive_set *set, const ff_drive *d, ff_report *report)
{
    const ff_drive_path *path = &d->path;
    if (!ff_drive_couples(d) || path->njoint < 2 || ff_dyn_mass_entry(set->model, path->vadr[0], path->vadr[1]) >= 0)
        return;
    ff_report_add(report, FF_ERROR, d->place,
                  "drive '%.60s': neither of its joints '%.60s' and '%.60s' carries the other, so that its rotor "
                  "cannot turn with both: give it a flexible transmission",
                  d->name, set->model->joints[path->joint[0]].name, set->model->joints[path->joint[1]].name);
}

/// Number of a battery by its name, -1 for none.
static int find_battery(const ff_model *m, const char *name)
{
    for (int i = 0; name && i < m->nbattery; i++)
        if (strcmp(m->batteries[i].name, name) == 0) return i;
    return -1;
}

static void make_described(const maker *k, const ff_spec_drive *from)
{
    ff_drive_set *set = k->set;
    const ff_drive_options *options = k->options;
    ff_report *report = k->report;
    ff_drive *d = &k->drives[set->n];
    ff_error err = {0};
    const int errors = report->errors;
    *d = ff_drive_default();
    d->name = from->name;
    d->place = from->place;
    if (options->battery) d->battery = find_battery(set->model, from->battery);
    const int first = ff_model_find_joint(set->model, from->joint[0]);
    const int second = from->joint[1] ? ff_model_find_joint(set->model, from->joint[1]) : -1;
    ff_status status = ff_drive_join(d, set->model, first, second, &err);
    if (status == FF_OK) ff_drive_describe(d, from, options, &set->arena, report);
    if (options->ideal) make_ideal(d);
    if (options->lag) make_lag(d);
    if (report->errors > errors) return;
    d->span = options->loop_span;
    if (status == FF_OK) status = ff_drive_finish(d, options->step, &err);
    if (status != FF_OK)
        ff_report_add(report, FF_ERROR, from->place, "%s", err.text);
    else
        check_rotor(set, d, report);
    check_name(set, d, report);
    set->n++;
}

/// Reports electrical poles that are left out, in one note for all drives.
static void report_dropped_poles(const ff_drive_set *set, const ff_drive_options *options, ff_report *report)
{
    int count = 0;
    const ff_drive *first = NULL;
    for (int i = 0; i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        if (d->motor != FF_MOTOR_DC || !(d->dc.inductance > 0.0) || d->pole || d->span > 0.0) continue;
        if (count++ == 0) first = d;
    }
    if (count == 0) return;
    char others[40] = "";
    if (count > 1) snprintf(others, sizeof others, " and %d more", count - 1);
    ff_report_add(
        report, FF_NOTE, first->place,
        "drive '%.60s'%s: the electrical pole L / R = %.3g s is left out, as the step of %g s exceeds a fifth of it",
        first->name, others, first->dc.inductance / first->dc.resistance, options->step);
}

/// Does a motor that the file describes move the joint?
static bool has_drive(const maker *k, int joint)
{
    for (int i = 0; i < k->described; i++)
        for (int j = 0; j < k->drives[i].path.njoint; j++)
            if (k->drives[i].path.joint[j] == joint && k->drives[i].motor != FF_MOTOR_NONE) return true;
    return false;
}

/// Does the law gain u + b0 + b1 l + b2 l' follow a position or a speed u?
static bool is_loop(const ff_actuator *a)
{
    if (a->bias[0] != 0.0 || a->bias[1] > 0.0 || a->bias[2] > 0.0) return false;
    return a->bias[1] < 0.0 ? a->gain == -a->bias[1] : a->bias[2] < 0.0 && a->gain == -a->bias[2];
}

/// Greatest force at the joint by the actuator's own bounds; 0: none.
static double bound_of(const ff_actuator *a, const ff_joint *joint, ff_report *report)
{
    const double *range = a->force_limited ? a->force_range : a->command_range;
    const bool by_command = !a->force_limited && a->command_limited && !is_loop(a);
    if (!a->force_limited && !by_command) return 0.0;
    if (range[0] != -range[1])
        ff_report_add(report, FF_WARNING, joint->place,
                      "actuator '%.60s' is bound by %g and %g: as a drive it is bound by the larger size both ways",
                      a->name, range[0], range[1]);
    return fabs(a->gear * (by_command ? a->gain : 1.0)) * ff_max(fabs(range[0]), fabs(range[1]));
}

/// The path of an actuator's drive: its joint, or the sum of one or two joints that its tendon is. @return the first
/// joint, -1: none that a drive has
static int find_path(const ff_model *m, const ff_actuator *a, ff_drive_path *path)
{
    *path = ff_drive_default().path;
    path->njoint = 1;
    path->joint[0] = a->joint;
    if (a->tendon < 0) return a->joint;
    const ff_tendon *t = &m->tendons[a->tendon];
    if (!t->fixed || t->npiece > 2 || t->ndof != t->npiece) return -1;
    path->kind = FF_PATH_LEVERS;
    path->njoint = t->npiece;
    for (int k = 0; k < t->npiece; k++) {
        path->joint[k] = t->pieces[k].index;
        path->lever[k] = t->pieces[k].factor;
    }
    return path->joint[0];
}

/// Can the actuator become a drive: is its law a torque or a loop? Others (activations, muscles) stay actuators.
static bool is_drive(const ff_actuator *a)
{
    const bool plain =
        a->state < 0 && !a->active.acts && !a->passive.acts && a->gain_by[0] == 0.0 && a->gain_by[1] == 0.0;
    return plain && (is_loop(a) || (a->bias[0] == 0.0 && a->bias[1] == 0.0 && a->bias[2] == 0.0));
}

/// motor: direct torque through the gear; position and velocity, also written as general: PD at 1 kHz with the gains
/// seen at the joint.
static void make_from_actuator(const maker *k, const ff_actuator *a)
{
    ff_drive_set *set = k->set;
    ff_report *report = k->report;
    ff_drive_path path;
    const int number = find_path(set->model, a, &path);
    const ff_joint *joint = number >= 0 ? &set->model->joints[number] : NULL;
    if (joint && (!ff_joint_is_scalar(joint->type) || has_drive(k, number))) return;
    if (!joint || !is_drive(a)) {
        k->actuators[set->nactuator++] = (int)(a - set->model->actuators);
        return;
    }
    ff_drive *d = &k->drives[set->n];
    ff_error err = {0};
    *d = ff_drive_default();
    d->name = a->name[0] ? a->name : joint->name;
    d->place = joint->place;
    d->path = path;
    const double gear = fabs(a->gear);
    d->stall = bound_of(a, joint, report);
    const bool bound = d->stall > 0.0 && d->stall <= joint->effort;
    if (joint->effort > 0.0 && !bound && a->tendon < 0) d->stall = joint->effort;
    if (d->stall > 0.0 && a->tendon < 0) d->no_load = joint->speed;
    if (is_loop(a)) {
        d->loop = FF_LOOP_PD;
        d->rate = 1000.0;
        d->kp = -a->bias[1] * gear * gear;
        d->kd = -a->bias[2] * gear * gear;
        if (a->command_limited && a->bias[1] < 0.0) { // u stands for gear q
            d->reach[0] = ff_min(a->command_range[0] / a->gear, a->command_range[1] / a->gear);
            d->reach[1] = ff_max(a->command_range[0] / a->gear, a->command_range[1] / a->gear);
        }
    }
    if (ff_drive_join(d, set->model, path.joint[0], path.njoint > 1 ? path.joint[1] : -1, &err) != FF_OK ||
        ff_drive_finish(d, 0.0, &err) != FF_OK)
        ff_report_add(report, FF_ERROR, joint->place, "%s", err.text);
    else
        set->n++;
}

static bool make_batteries(ff_drive_set *set, const ff_drive_options *options)
{
    const ff_model *m = set->model;
    ff_battery *batteries = FF_ARENA_NEW(&set->arena, ff_battery, m->nbattery + 1);
    set->batteries = batteries;
    set->nbattery = options->battery ? m->nbattery : 0;
    for (int i = 0; batteries && i < set->nbattery; i++) {
        const ff_spec_battery *b = &m->batteries[i];
        batteries[i] = (ff_battery){.name = b->name,
                                    .voltage = b->voltage,
                                    .capacity = b->capacity,
                                    .resistance = b->resistance,
                                    .charge = b->charge,
                                    .load = b->load,
                                    .least = b->least};
        if (!ff_drive_make_table(&set->arena, b->curve, b->ncurve, &batteries[i].curve)) return false;
    }
    return batteries != NULL;
}

/// Makes the drives of the model, and finds where the states of each begin. @return false without memory
static bool fill(ff_drive_set *set, const ff_drive_options *options, ff_report *report)
{
    const ff_model *m = set->model;
    const int most = m->ndrive + m->nactuator;
    int *offset = FF_ARENA_NEW(&set->arena, int, most + 2);
    maker k = {set, FF_ARENA_NEW(&set->arena, ff_drive, most + 1),   options, report,
               0,   FF_ARENA_NEW(&set->arena, int, m->nactuator + 1)};
    set->drives = k.drives;
    set->actuators = k.actuators;
    set->offset = offset;
    if (!offset || !k.drives || !k.actuators || !make_batteries(set, options)) return false;
    for (int i = 0; i < m->ndrive; i++)
        if (ff_drive_acts(m->drives, m->ndrive, &m->drives[i], options)) make_described(&k, &m->drives[i]);
    k.described = set->n;
    ff_differential_join(m, k.drives, set->n, options, report);
    for (int i = 0; i < m->nactuator; i++) make_from_actuator(&k, &m->actuators[i]);
    for (int i = 0; i < set->n; i++) offset[i + 1] = offset[i] + set->drives[i].nstate;
    set->nstate = offset[set->n];
    report_dropped_poles(set, options, report);
    return true;
}

ff_drive_set *ff_drive_set_create(const ff_model *model, const ff_drive_options *options, ff_report *report)
{
    const ff_drive_options o = options ? *options : ff_drive_options_default();
    ff_drive_set *set = calloc(1, sizeof *set);
    ff_report own = {0};
    if (!report) report = &own;
    const int errors = report->errors;
    if (set) set->model = model;
    if (!set || !fill(set, &o, report)) ff_report_add(report, FF_ERROR, (ff_place){0}, "no memory for the drives");
    const bool failed = report->errors > errors;
    ff_report_clear(&own);
    if (!failed) return set;
    ff_drive_set_destroy(set);
    return NULL;
}

void ff_drive_set_destroy(ff_drive_set *set)
{
    if (!set) return;
    ff_arena_clear(&set->arena);
    free(set);
}

int ff_drive_set_find(const ff_drive_set *set, const char *name)
{
    for (int i = 0; i < set->n; i++)
        if (strcmp(set->drives[i].name, name) == 0) return i;
    return -1;
}
