// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands of an operator by time: "0.5 fault left_knee; 1 acknowledge".
#ifndef FOOTFALL_HARDWARE_SCHEDULE_H
#define FOOTFALL_HARDWARE_SCHEDULE_H

#include <footfall/base.h>

typedef struct ff_scheduled {
    double at; // [s]
    char text[96];
} ff_scheduled;

typedef struct ff_schedule {
    ff_scheduled *commands;
    int n;
    int next; // index of the next one that is not yet due
} ff_schedule;

/// @param text  NULL: no commands. Their meaning is defined by the caller
ff_status ff_schedule_read(ff_schedule *schedule, const char *text, ff_arena *arena, ff_error *err);
/// The next command that is due at `t` [s]; NULL: none.
const char *ff_schedule_due(ff_schedule *schedule, double t);

#endif
