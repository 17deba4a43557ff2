// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Cycles in real time, at both ends of a bus. A cycle is late where it is ready to begin only after its own period has
// passed. Lost time is not made up for, since a robot in haste would see old references, and each hurried cycle would
// be late again. Whole periods are left out instead, so that later cycles begin at multiples of the period as before.
#ifndef FOOTFALL_APPS_PACE_H
#define FOOTFALL_APPS_PACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pace {
    double period; // [s]
    bool begun;
    double begin;      // of cycles at time 0, by the clock  [s]
    uint64_t followed; // time of the other clock at the last pace_follow  [ns]
    int64_t late;      // cycles that were ready to begin a period late or more
    int64_t left_out;  // periods without a cycle, as timer_getoverrun counts them
} pace;

/// A cycle is ready to begin. The first one sets the clock.
/// @param t    its time by the clock of cycles     [s]
/// @param now  by the clock                        [s]
/// @return     when it begins by the clock, later than now - period  [s]
double pace_cycle(pace *p, double t, double now);

/// Shifts cycles towards the middle of the periods of another clock, by 1/1024 of a period: where devices begin with
/// their own periods, there is half of one before and behind. Only the direction counts, so that cycles which came late
/// do little harm, and a clock that runs by up to 0.1 % faster or slower is followed.
/// @param time  of that clock, in a cycle; the same as the last one says nothing  [ns]
void pace_follow(pace *p, uint64_t time);

/// Cycles of a run that lasts for a time, for both ends of the bus.  [s]
int64_t pace_cycles(double time, double period);

#endif
