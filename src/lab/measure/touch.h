// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What is noted about contacts during a run: touch.c fills it, touch_metrics.c reads it.
#ifndef FOOTFALL_MEASURE_TOUCH_H
#define FOOTFALL_MEASURE_TOUCH_H

#include "measure/measure.h"

enum { FF_MOST_BOUNCES = 16 };

/// Largest value of a series, refined by a parabola around it.
typedef struct ff_peak {
    double t[3], y[3]; // the last samples, newest first
    int count;
    double most;
} ff_peak;

typedef struct ff_bounce {
    double touch, lift;   // [s]; lift NaN while it lasts
    double speed;         // closing at touch-down  [m/s]
    ff_peak force, depth; // [N], [m]
    double velocity[3];   // of the body at lift-off  [m/s]
    double apex;          // greatest height of the body's frame until the next touch  [m]
} ff_bounce;

/// One body.
typedef struct ff_track {
    ff_bounce bounces[FF_MOST_BOUNCES];
    int nbounce;
    bool touching;
    long long seen;             // step in which a point of it touched
    double force, depth;        // of this step, all its points: sum of normal forces, deepest
    double closing;             // of the fastest of them  [m/s]
    double up, up_before;       // vertical force of this step and the last  [N]
    double z, vz;               // of the last step
    double lift, velocity[3];   // at the last lift of a point  [s], [m/s]
    double sum, span, low, top; // reaction over the last second: integral [N s], time [s], extremes [N]
} ff_track;

typedef struct ff_touches {
    const ff_measure_site *site;
    ff_track *tracks; // (nbody), NULL for scenes with many bodies
    double time;      // of the last look  [s]
    long long step;
    double first;     // time of the first touch  [s]
    double stick;     // time of the last stick  [s]
    double slid;      // at the last look  [m]
    double slip_rate; // of the last look  [m/s]
    ff_peak force, depth;
} ff_touches;

/// Starts to measure contacts. (touch.c)
ff_status ff_touches_begin(const ff_measure_site *site, void **context, ff_error *err);

#endif
