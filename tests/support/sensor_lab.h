// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot written down in a test, with its sensors, in a simulation with rk4.
#ifndef FOOTFALL_TESTS_SENSOR_LAB_H
#define FOOTFALL_TESTS_SENSOR_LAB_H

#include "check.h"
#include "support/must_run.h"
#include "support/owned.h"

#include <footfall/math.h>

typedef struct lab {
    ff_plant *plant;
    const ff_model *model;    // of the plant
    const ff_sensor_set *set; // of the plant
    ff_world *world;
    ff_sim *sim;
} lab;

/// Robot and sensors of a text, and its drives, rigid. @return NULL where the report has errors
static inline ff_plant *make_plant(const char *text, const ff_sensor_options *sensors, bool drives, ff_report *report)
{
    ff_plant_options o = ff_plant_options_default();
    ff_spec *spec = ff_spec_create(NULL);
    o.driven = drives;
    o.drive.transmission = FF_TRANSMISSION_RIGID;
    o.sensor = *sensors;
    ff_spec_parse(spec, "yaml", text, strlen(text), "robot.yaml", &o.load, report);
    ff_plant *plant = report->errors ? NULL : ff_plant_compile(spec, &o, report);
    ff_spec_destroy(spec);
    return plant;
}

/// Simulates robot and sensors of a plant, in a world of its shapes where there are some. @param floor  add a level one
static inline lab start_plant(ff_plant *plant, const ff_sim_options *options, bool floor)
{
    lab l = {.plant = owned_plant(plant), .model = plant->model, .set = plant->sensors};
    ff_report report = {0};
    ff_error err = {0};
    const ff_world_options w = ff_world_options_default();
    if (l.model->ngeom > 0) l.world = owned_world(ff_world_create(l.model, &w, &report));
    const ff_collider plane = {.type = FF_COLLIDER_PLANE};
    const ff_pose level = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (floor) CHECK(ff_world_add_ground(l.world, "floor", &plane, &level, NULL, &err) >= 0);
    l.sim = owned_sim(ff_sim_create(l.model, options, &err));
    if (l.world && ff_sim_add_world(l.sim, l.world, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    ff_report_clear(&report);
    if (ff_sim_add_plant(l.sim, l.plant, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return l;
}

static inline lab start(const char *text, unsigned stages, double step, bool drives)
{
    ff_report report = {0};
    ff_sensor_options o = ff_sensor_options_default();
    o.stages = stages;
    ff_plant *plant = make_plant(text, &o, drives, &report);
    if (!plant) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no sensors");
    ff_report_clear(&report);
    ff_sim_options options = ff_sim_options_default();
    options.method = FF_METHOD_RK4;
    options.step = step;
    return start_plant(plant, &options, false);
}

/// Does the robot with this line of sensors give a message with these words at that line, and no plant?
static inline void expect_error(const char *robot, const char *sensor, const char *words, int line)
{
    char text[2000];
    ff_report report = {0};
    const ff_sensor_options o = ff_sensor_options_default();
    snprintf(text, sizeof text, robot, sensor);
    ff_plant *plant = owned_plant(make_plant(text, &o, false, &report));
    bool found = false;
    for (int i = 0; i < report.count; i++)
        found = found || (strstr(report.messages[i].text, words) && report.messages[i].line == line);
    if (!found) printf("  %s: %s\n", sensor, report.count ? report.messages[0].text : "no message");
    ff_report_clear(&report);
    CHECK(found && !plant);
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
    ff_sim_sensor(l->sim, (ff_sensor_id){i}, out);
    return out[channel];
}

#endif
