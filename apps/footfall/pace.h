// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Cycles by the clock on the wall, at both ends of a bus. One that has no time left of its own is late: what it waited
// for took a period too long. Time that is lost is not made up for, since a robot in haste would see old references,
// and each cycle that it hurries through would be late again. Whole periods are left out, so that the cycles after
// them begin where they would have begun on the wall.
#ifndef FOOTFALL_APPS_PACE_H
#define FOOTFALL_APPS_PACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pace {
    double period; // [s]
    bool begun;
    double begin;      // of cycles at time 0, on the wall  [s]
    uint64_t followed; // time of another clock that was followed last  [ns]
    int64_t late;      // cycles that were ready to begin a period late or more
    int64_t left_out;  // periods of the wall without a cycle, as timer_getoverrun counts them
} pace;

/// A cycle is ready to begin. The first one sets the clock.
/// @param t    its time by the clock of cycles     [s]
/// @param now  on the wall                         [s]
/// @return     when it begins on the wall, later than now - period  [s]
double pace_cycle(pace *p, double t, double now);

/// Shifts cycles towards the middle of the periods of another clock, by 1/1024 of a period: where devices begin with
/// their own periods, there is half of one before and behind. Only the direction counts, so that cycles which came late
/// do little harm, and a clock that runs by up to 0.1 % faster or slower is followed.
/// @param time  of that clock, in a cycle; the same as the last one says nothing  [ns]
void pace_follow(pace *p, uint64_t time);

#endif
