// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A test bench for drives in a simulation: an arm of two links whose drives are lines of text, or a whole robot of
// text.
#ifndef FOOTFALL_TESTS_ARM_H
#define FOOTFALL_TESTS_ARM_H

#include "check.h"
#include "support/must_run.h"
#include "support/owned.h"

/// An arm of two links that hangs from the world, 1 kg and 0.5 kg at 0.3 m; `drives` completes the joints' lines.
static const char ARM[] = "footfall: 1\n"
                          "name: arm\n"
                          "bodies:\n"
                          "  upper:\n"
                          "    joint: {name: shoulder, axis: y, drive: %s}\n"
                          "    inertial: {mass: 1.0, rod: {to: [0, 0, -0.3], radius: 0.02}}\n"
                          "    bodies:\n"
                          "      lower:\n"
                          "        pos: [0, 0, -0.3]\n"
                          "        joint: {name: elbow, axis: y, drive: %s}\n"
                          "        inertial: {mass: 0.5, rod: {to: [0, 0, -0.3], radius: 0.02}}\n"
                          "%s";

typedef struct arm {
    ff_plant *plant;
    const ff_model *model;   // of the plant
    const ff_drive_set *set; // of the plant
    ff_sim *sim;
} arm;

static inline ff_spec *parse(const char *text, ff_report *report)
{
    ff_spec *spec = ff_spec_create(NULL);
    const ff_load_options load = ff_load_options_default();
    ff_spec_parse(spec, "yaml", text, strlen(text), "arm.yaml", &load, report);
    return spec;
}

/// Robot and drives of a text. @return NULL where the report has errors
static inline ff_plant *make_plant(const char *text, const ff_drive_options *drives, ff_report *report)
{
    ff_spec *spec = parse(text, report);
    ff_plant_options o = ff_plant_options_default();
    o.drive = *drives;
    o.sensed = false;
    ff_plant *plant = report->errors ? NULL : ff_plant_compile(spec, &o, report);
    ff_spec_destroy(spec);
    return plant;
}

/// Simulates a robot with its drives.
static inline arm start_with(const char *text, const ff_drive_options *drives, const ff_sim_options *options)
{
    arm a = {0};
    ff_report report = {0};
    ff_error err = {0};
    a.plant = owned_plant(make_plant(text, drives, &report));
    if (!a.plant) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no drives");
    ff_report_clear(&report);
    a.model = a.plant->model;
    a.set = a.plant->drives;
    a.sim = owned_sim(ff_sim_create(a.model, options, &err));
    if (!a.sim) CHECK_FAIL("%s", err.text);
    if (ff_sim_add_plant(a.sim, a.plant, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return a;
}

/// The same with drives as files have them, for steps of this length.
static inline arm start_text(const char *text, const ff_sim_options *options)
{
    ff_drive_options o = ff_drive_options_default();
    if (options->method < FF_METHOD_ADAPTIVE) o.step = options->step;
    return start_with(text, &o, options);
}

/// The arm with such drives.
static inline arm start(const char *shoulder, const char *elbow, const char *more, const ff_sim_options *options)
{
    char text[4000];
    snprintf(text, sizeof text, ARM, shoulder, elbow, more);
    return start_text(text, options);
}

static inline void run(arm *a, double until)
{
    must_run(a->sim, until);
}

static inline ff_sim_options with(ff_method method, double step)
{
    ff_sim_options o = ff_sim_options_default();
    o.method = method;
    o.accuracy = 0.0;
    o.step = step;
    o.ledger = true;
    o.relative = 1e-9;
    o.absolute = 1e-12;
    return o;
}

#endif
