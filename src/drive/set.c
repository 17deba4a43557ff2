// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// All drives of a model: those its file describes, then an ideal one for every actuator whose joint has none. The rotors of rigid drives are
// armature of their joints; those that move on their own must not be counted there as well.
#include "drive/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ff_drive_options ff_drive_options_default(void)
{
    return (ff_drive_options){.transmission = FF_TRANSMISSION_BACKLASH};
}

// ------------------------------------------------------------------------------------------ rotors

/// Reflected rotor at the reference pose: ratio^2 J r_k^2 on each of its joints. Two equal drives on a differential couple the joints by nothing;
/// other pairs lose that coupling.
static void add_rotor(ff_spec *spec, const ff_spec_drive *from, const int joint[2])
{
    ff_drive d = ff_drive_default();
    ff_arena arena = {0};
    ff_report unheard = {0};
    double q[2] = {0, 0};
    const ff_drive_options options = {.transmission = FF_TRANSMISSION_RIGID};
    d.path.njoint = joint[1] >= 0 ? 2 : 1;
    d.path.qadr[1] = d.path.vadr[1] = 1;
    for (int k = 0; k < d.path.njoint; k++) q[k] = spec->joints[joint[k]].ref;
    ff_drive_describe(&d, from, &options, &arena, &unheard);
    const ff_drive_position at = ff_drive_path_locate(&d.path, q, (double[2]){0, 0});
    if (unheard.errors == 0 && d.motor != FF_MOTOR_NONE)
        for (int k = 0; k < d.path.njoint; k++)
            spec->joints[joint[k]].armature += d.ratio * d.ratio * d.dc.rotor * at.lever[k] * at.lever[k];
    ff_report_clear(&unheard);
    ff_arena_clear(&arena);
}

void ff_drive_prepare(ff_spec *spec, const ff_drive_options *options)
{
    ff_report unheard = {0}; // mistakes are told by ff_drive_set_create
    for (int i = 0; i < spec->ndrive; i++) {
        ff_spec_drive *from = &spec->drives[i];
        int joint[2] = {-1, -1};
        for (int k = 0; k < 2; k++)
            if (from->joint[k]) joint[k] = ff_spec_find_joint(spec, from->joint[k]);
        if (joint[0] < 0 || (from->joint[1] && joint[1] < 0)) continue;
        const bool rigid = ff_drive_chosen(from, options, &unheard) == FF_TRANSMISSION_RIGID;
        if (!rigid) spec->joints[joint[0]].armature -= from->armature;
        if (!rigid) from->armature = 0.0;
        if (rigid && from->armature == 0.0 && ff_drive_setting(from, "rotor")) add_rotor(spec, from, joint);
    }
    ff_report_clear(&unheard);
}

// ------------------------------------------------------------------------------------------ making

static void make_described(ff_drive_set *set, const ff_spec_drive *from, const ff_drive_options *options,
                           ff_report *report)
{
    ff_drive *d = &set->drives[set->n];
    ff_error err = {0};
    const int errors = report->errors;
    *d = ff_drive_default();
    d->name = from->name;
    d->place = from->place;
    const int first = ff_model_find_joint(set->model, from->joint[0]);
    const int second = from->joint[1] ? ff_model_find_joint(set->model, from->joint[1]) : -1;
    ff_status status = ff_drive_join(d, set->model, first, second, &err);
    if (status == FF_OK) ff_drive_describe(d, from, options, &set->arena, report);
    if (options->ideal && d->motor != FF_MOTOR_NONE) {
        d->motor = FF_MOTOR_IDEAL;
        if (!(d->stall > 0.0))
            d->stall = d->dc.voltage * d->dc.constant * d->ratio / (d->dc.resistance > 0.0 ? d->dc.resistance : 1.0);
    }
    if (report->errors > errors) return;
    if (status == FF_OK) status = ff_drive_finish(d, options->step, &err);
    if (status != FF_OK) ff_report_add(report, FF_ERROR, from->place, "%s", err.text);
    set->n++;
}

/// Once for all of them: a robot has many drives of a kind.
static void tell_dropped_poles(const ff_drive_set *set, const ff_drive_options *options, ff_report *report)
{
    int count = 0;
    const ff_drive *first = NULL;
    for (int i = 0; i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        if (d->motor != FF_MOTOR_DC || !(d->dc.inductance > 0.0) || d->pole) continue;
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

static bool has_drive(const ff_drive_set *set, int joint)
{
    for (int i = 0; i < set->n; i++)
        for (int k = 0; k < set->drives[i].path.njoint; k++)
            if (set->drives[i].path.joint[k] == joint && set->drives[i].motor != FF_MOTOR_NONE) return true;
    return false;
}

/// motor: direct torque through the gear; position and velocity: PD at 1 kHz with the gains seen at the joint.
static void make_from_actuator(ff_drive_set *set, const ff_actuator *a, ff_report *report)
{
    const ff_joint *joint = a->joint >= 0 ? &set->model->joints[a->joint] : NULL;
    if (!joint || !ff_joint_is_scalar(joint->type) || has_drive(set, a->joint)) return;
    if (a->type == FF_ACTUATOR_GENERAL && (a->bias[0] != 0.0 || a->bias[1] != 0.0 || a->bias[2] != 0.0)) {
        ff_report_add(report, FF_WARNING, joint->place, "actuator '%.60s' has a general bias: it becomes no drive",
                      a->name);
        return;
    }
    ff_drive *d = &set->drives[set->n];
    ff_error err = {0};
    *d = ff_drive_default();
    d->name = a->name[0] ? a->name : joint->name;
    d->place = joint->place;
    const double gear = fabs(a->gear);
    if (a->force_limited) d->stall = gear * fmax(fabs(a->force_range[0]), fabs(a->force_range[1]));
    if (joint->effort > 0.0 && !(d->stall > 0.0)) d->stall = joint->effort;
    if (a->type == FF_ACTUATOR_POSITION || a->type == FF_ACTUATOR_VELOCITY) {
        d->loop = FF_LOOP_PD;
        d->rate = 1000.0;
        d->kp = -a->bias[1] * gear * gear;
        d->kd = -a->bias[2] * gear * gear;
    }
    if (ff_drive_join(d, set->model, a->joint, -1, &err) != FF_OK || ff_drive_finish(d, 0.0, &err) != FF_OK)
        ff_report_add(report, FF_ERROR, joint->place, "%s", err.text);
    else
        set->n++;
}

static bool allocate(ff_drive_set *set, int most)
{
    set->drives = FF_ARENA_NEW(&set->arena, ff_drive, most + 1);
    set->memory = FF_ARENA_NEW(&set->arena, ff_drive_memory, most + 1);
    set->offset = FF_ARENA_NEW(&set->arena, int, most + 2);
    return set->drives && set->memory && set->offset;
}

ff_drive_set *ff_drive_set_create(const ff_model *model, const ff_drive_options *options, ff_report *report)
{
    const ff_drive_options o = options ? *options : ff_drive_options_default();
    ff_drive_set *set = calloc(1, sizeof *set);
    ff_report own = {0};
    if (!report) report = &own;
    const int errors = report->errors;
    if (!set || !allocate(set, model->ndrive + model->nactuator)) {
        ff_report_add(report, FF_ERROR, (ff_place){0}, "no memory for the drives");
    } else {
        set->model = model;
        for (int i = 0; i < model->ndrive; i++) make_described(set, &model->drives[i], &o, report);
        for (int i = 0; i < model->nactuator; i++) make_from_actuator(set, &model->actuators[i], report);
        for (int i = 0; i < set->n; i++) set->offset[i + 1] = set->offset[i] + set->drives[i].nstate;
        set->nstate = set->offset[set->n];
        tell_dropped_poles(set, &o, report);
    }
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
