// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// LOLA, loaded once for all tests of a program, and planners and stabilisers of it. What a test makes is freed when the
// next one opens its lab.
#ifndef FOOTFALL_TESTS_BIPED_LAB_H
#define FOOTFALL_TESTS_BIPED_LAB_H

#include "biped/robot.h"
#include "check.h"

#include <footfall/load.h>
#include <footfall/math.h>

typedef struct lab {
    const ff_model *model;
    const ff_biped *robot;
} lab;

/// What the test at work has made.
static struct {
    ff_biped_planner *planners[4];
    ff_biped_stabiliser *stabilisers[4];
    int nplanner, nstabiliser;
} lab_made;

static inline void lab_free_made(void)
{
    while (lab_made.nplanner > 0) ff_biped_planner_destroy(lab_made.planners[--lab_made.nplanner]);
    while (lab_made.nstabiliser > 0) ff_biped_stabiliser_destroy(lab_made.stabilisers[--lab_made.nstabiliser]);
}

static inline lab lab_open(void)
{
    static lab l;
    lab_free_made();
    if (l.robot) return l;
    ff_report report = {0};
    ff_error err = {0};
    l.model = ff_model_load(FF_SOURCE_DIR "/robots/lola/lola.yaml", NULL, &report);
    if (!l.model) CHECK_FAIL("%s", report.count > 0 ? report.messages[0].text : "LOLA was not read");
    ff_report_clear(&report);
    l.robot = ff_biped_create(l.model, "stand", &err);
    if (!l.robot) CHECK_FAIL("%s", err.text);
    return l;
}

/// Readings of its feet while it stands.
static inline ff_biped_sensors standing_on(const ff_biped *robot)
{
    ff_biped_sensors s = {0};
    for (int f = 0; f < 2; f++) {
        s.foot[f].force[2] = 0.5 * robot->weight;
        s.foot[f].torque[1] = -robot->com[0] * 0.5 * robot->weight;
    }
    return s;
}

/// A stabiliser with its defaults.
static inline ff_biped_stabiliser *stabiliser_of(const lab *l)
{
    ff_error err = {0};
    const ff_biped_gains gains = ff_biped_gains_default(l->robot);
    ff_biped_stabiliser *s = ff_biped_stabiliser_create(l->robot, &gains, &err);
    if (!s) CHECK_FAIL("%s", err.text);
    return lab_made.stabilisers[lab_made.nstabiliser++] = s;
}

/// A planner with a command. @param gait  NULL: the default
static inline ff_biped_planner *planner_of(const lab *l, const ff_biped_gait *gait, ff_biped_command command)
{
    ff_error err = {0};
    const ff_biped_gait usual = ff_biped_gait_default(l->robot);
    ff_biped_planner *p = ff_biped_planner_create(l->robot, gait ? gait : &usual, &err);
    if (!p) CHECK_FAIL("%s", err.text);
    ff_biped_planner_command(p, &command);
    return lab_made.planners[lab_made.nplanner++] = p;
}

#endif
