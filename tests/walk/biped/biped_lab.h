// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// LOLA, loaded for tests of planner and stabiliser.
#ifndef FOOTFALL_TESTS_BIPED_LAB_H
#define FOOTFALL_TESTS_BIPED_LAB_H

#include "check.h"

#include <footfall/biped.h>
#include <footfall/load.h>
#include <footfall/math.h>

typedef struct lab {
    ff_model *model;
    ff_biped robot;
} lab;

static inline lab lab_open(void)
{
    lab l = {0};
    ff_report report = {0};
    ff_error err = {0};
    l.model = ff_model_load(FF_SOURCE_DIR "/robots/lola/lola.yaml", NULL, &report);
    if (!l.model) CHECK_FAIL("%s", report.count > 0 ? report.messages[0].text : "LOLA was not read");
    ff_report_clear(&report);
    if (ff_biped_make(l.model, "stand", &l.robot, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return l;
}

static inline void lab_close(lab *l)
{
    ff_model_destroy(l->model);
}

/// What its feet feel while it stands.
static inline ff_biped_sensors standing_on(const ff_biped *robot)
{
    ff_biped_sensors s = {0};
    for (int f = 0; f < 2; f++) {
        s.foot[f].force[2] = 0.5 * robot->weight;
        s.foot[f].torque[1] = -robot->com[0] * 0.5 * robot->weight;
    }
    return s;
}

// Stabiliser and planner with their defaults.
static inline ff_biped_stabiliser *stabiliser_of(const lab *l)
{
    ff_error err = {0};
    const ff_biped_gains gains = ff_biped_gains_default(&l->robot);
    ff_biped_stabiliser *s = ff_biped_stabiliser_create(&l->robot, &gains, &err);
    if (!s) CHECK_FAIL("%s", err.text);
    return s;
}

static inline ff_biped_planner *planner_of(const lab *l)
{
    ff_error err = {0};
    const ff_biped_gait gait = ff_biped_gait_default(&l->robot);
    ff_biped_planner *p = ff_biped_planner_create(&l->robot, &gait, &err);
    if (!p) CHECK_FAIL("%s", err.text);
    return p;
}

#endif
