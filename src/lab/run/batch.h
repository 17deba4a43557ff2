// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a batch is given of a run: servos in place of the joint law and the drives, forces,
// sensors, and whose work that does.
#ifndef FOOTFALL_SCENE_BATCH_H
#define FOOTFALL_SCENE_BATCH_H

#include "batch/compile.h"
#include "scene/running.h"

typedef struct ff_batch_plan {
    ff_run *run;
    ff_report *report;
    ff_arena arena; // owns the arrays below
    ff_batch_servo *servos;
    double *targets; // (3*nservo)
    int nservo;
    ff_batch_pair *pairs;
    ff_batch_force *forces;
    ff_batch_sensed *sensed;
    ff_batch_cut_given *cuts;
    bool *parts, *tasks;
    ff_batch_given given;
} ff_batch_plan;

/// Whole steps in a time; -1, where there are none. What it is said of is reported.
/// @param what  such as "the loop of drive", @param name  of it
int ff_batch_plan_steps(const ff_batch_plan *plan, ff_place place, const char *what, const char *name, double time);

/// Drives become servos; those that cannot are reported, each with its place (batch_drives.c).
void ff_batch_plan_drives(ff_batch_plan *plan);
/// Channels of sensors; those that a batch does not have are a warning (batch_sensors.c).
void ff_batch_plan_sensors(ff_batch_plan *plan);

#endif
