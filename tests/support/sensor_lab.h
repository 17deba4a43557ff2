// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot written down in a test, with its sensors, in a simulation with rk4.
#ifndef FOOTFALL_TESTS_SENSOR_LAB_H
#define FOOTFALL_TESTS_SENSOR_LAB_H

#include "check.h"
#include "support/must_run.h"

#include <footfall/footfall.h>
#include <footfall/math.h>

typedef struct lab {
    ff_model *model;
    ff_world *world;
    ff_drive_set *drives;
    ff_sensor_set *set;
    ff_sim *sim;
} lab;

static inline ff_sensor_set *make_set(const char *text, const ff_sensor_options *o, ff_model **model, ff_report *report)
{
    const ff_load_options load = ff_load_options_default();
    ff_spec *spec = ff_spec_create();
    ff_spec_parse_yaml(spec, text, strlen(text), "robot.yaml", &load, report);
    const ff_drive_options drive = {.transmission = FF_TRANSMISSION_RIGID};
    ff_drive_prepare(spec, &drive);
    *model = report->errors ? NULL : ff_model_compile(spec, &load, report);
    ff_spec_destroy(spec);
    return *model ? ff_sensor_set_create(*model, o, report) : NULL;
}

static inline lab start(const char *text, unsigned stages, double step, bool drives)
{
    lab l = {0};
    ff_report report = {0};
    ff_error err = {0};
    ff_sensor_options o = ff_sensor_options_default();
    o.stages = stages;
    l.set = make_set(text, &o, &l.model, &report);
    if (!l.set) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no sensors");
    ff_sim_options options = ff_sim_options_default();
    options.method = FF_METHOD_RK4;
    options.step = step;
    l.sim = ff_sim_create(l.model, &options, &err);
    const ff_world_options w = ff_world_options_default();
    if (l.model->ngeom > 0) l.world = ff_world_create(l.model, &w, &report);
    if (l.world && ff_sim_add_world(l.sim, l.world, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    const ff_drive_options drive = {.transmission = FF_TRANSMISSION_RIGID};
    if (drives) l.drives = ff_drive_set_create(l.model, &drive, &report);
    if (drives && (!l.drives || ff_sim_add_drives(l.sim, l.drives, &err) != FF_OK))
        CHECK_FAIL("no drives: %s", err.text);
    ff_report_clear(&report);
    if (ff_sim_add_sensors(l.sim, l.set, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return l;
}

static inline void finish(lab *l)
{
    ff_sim_destroy(l->sim);
    ff_world_destroy(l->world);
    ff_sensor_set_destroy(l->set);
    ff_drive_set_destroy(l->drives);
    ff_model_destroy(l->model);
}

static inline void run(lab *l, double until)
{
    must_run(l->sim, until);
}

static inline double value(const lab *l, const char *name, int channel)
{
    double out[FF_SENSOR_CHANNELS_MAX];
    const int i = ff_sensor_set_find(l->set, name);
    if (i < 0) CHECK_FAIL("no sensor %s", name);
    ff_sim_sensor(l->sim, i, out);
    return out[channel];
}

#endif
