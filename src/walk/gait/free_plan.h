// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan of free legs: places of the tips in the frame of the body. It has no joints, so that it can be tested
// without a robot; free_legs.c adds the robot.
#ifndef FOOTFALL_GAIT_FREE_PLAN_H
#define FOOTFALL_GAIT_FREE_PLAN_H

#include "text/schema.h"

#include <footfall/free_legs.h>

/// Settings, about ff_free_legs_options.
extern const ff_row ff_free_legs_settings[];

/// Constants: options and geometry.
typedef struct ff_free_plan {
    ff_free_legs_options options;
    int n;                              // legs
    double centre[FF_FREE_LEGS_MAX][3]; // of the boundaries; tips on flat ground at the height of the pose  [m]
    int neighbour[FF_FREE_LEGS_MAX][2]; // around the body
    int group[FF_FREE_LEGS_MAX];        // 0 for every second leg around the body, else 1
    double com[2];                      // of the robot in its pose  [m]
    double height;                      // of the body's origin above ground in the pose  [m]
} ff_free_plan;

typedef struct ff_free_leg {
    double tip[3];   // [m]
    double top;      // height in UP  [m]
    double hanging;  // time in DOWN without contact  [s]
    int32_t state;   // ff_free_leg_state
    int32_t cleared; // the sensor has measured no contact since the leg lifted
} ff_free_leg;

/// What changes: plain data.
typedef struct ff_free_memory {
    ff_free_leg legs[FF_FREE_LEGS_MAX];
    ff_free_legs_command command;
    double motion[3];    // of the body in the last tick: ahead, left, turn  [m/s, rad/s]
    double scale;        // of the command, so that no tip on the ground is too fast
    double stopped_time; // since the start  [s]
    int32_t stopped;     // the body stands although it should move
    int32_t down;        // legs DOWN
    int64_t refused;     // requests
    int64_t lifts;
} ff_free_memory;

typedef enum ff_free_touch { FF_FREE_TOUCH_NONE, FF_FREE_TOUCH_GROUND, FF_FREE_TOUCH_UNKNOWN } ff_free_touch;

/// Finds the neighbours around the body, from the centres.
void ff_free_plan_order(ff_free_plan *plan);
/// All legs DOWN in the middle of their boundaries, nothing commanded.
void ff_free_plan_start(const ff_free_plan *plan, ff_free_memory *memory);
/// One period.
void ff_free_plan_tick(const ff_free_plan *plan, ff_free_memory *memory, double dt, const ff_free_touch *touch);
/// How far the centre of mass lies within the feet of all legs DOWN but one (-1: all).  [m]
double ff_free_plan_margin(const ff_free_plan *plan, const ff_free_memory *memory, int but);

/// The options it was made with, and the height of the body's origin that it keeps while no command gives one  [m].
const ff_free_legs_options *ff_free_legs_get_options(const ff_free_legs *legs, double *height);
/// How often a tip was out of reach since the start.
int64_t ff_free_legs_unreachable(const ff_free_legs *legs);

#endif
