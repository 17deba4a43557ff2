// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The input of a batch that is made from a run: servos in place of the joint law and the drives, forces and sensors,
// and which parts and tasks of the run these replace.
#ifndef FOOTFALL_RUN_BATCH_H
#define FOOTFALL_RUN_BATCH_H

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

/// Number of steps in a time; -1, with an error in the report, if that is not a whole number.
/// @param what  what has that time, such as "the loop of drive", @param name  its name or ""
int ff_batch_plan_steps(const ff_batch_plan *plan, ff_place place, const char *what, const char *name, double time);

/// Turns drives into servos; reports those that a batch cannot have, each with its place (batch_drives.c).
void ff_batch_plan_drives(ff_batch_plan *plan);
/// Adds channels of sensors; warns of those that a batch cannot have (batch_sensors.c).
void ff_batch_plan_sensors(ff_batch_plan *plan);

#endif
