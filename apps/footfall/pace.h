// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Cycles in real time, at both ends of a bus, and their processor time. A cycle is late if it is ready to begin only
// after its own period has passed. Later cycles are not shortened to catch up, since a robot would then get outdated
// references. Whole periods are left out instead, so that later cycles begin at multiples of the period as before.
#ifndef FOOTFALL_APPS_PACE_H
#define FOOTFALL_APPS_PACE_H

#include <footfall/link.h>

#include <stdint.h>

typedef struct pace {
    double period;     // [s]
    bool begun;        // the first cycle has begun
    double begin;      // clock at which the cycle of time 0 begins  [s]
    uint64_t followed; // time of the other clock at the last pace_follow  [ns]
    int64_t late;      // cycles that were ready to begin a period late or more
    int64_t left_out;  // periods without a cycle, as timer_getoverrun counts them
} pace;

/// Begins a cycle. The first one relates the two clocks.
/// @param t    time of the cycle, a multiple of the period  [s]
/// @param now  clock of the machine                         [s]
/// @return     when the cycle begins by that clock, later than now - period  [s]
double pace_cycle(pace *p, double t, double now);

/// Shifts cycles by 1/1024 of a period towards the middle of the periods of the clock of the devices, so that a cycle
/// begins half a period before and after theirs. The shift does not depend on the distance, so that a late cycle has
/// little effect. A clock that is up to 0.1 % faster or slower can be followed.
/// @param time  reading of that clock in this cycle; ignored if it has not changed  [ns]
void pace_follow(pace *p, uint64_t time);

/// Number of cycles in a run of that length; both ends of the bus count alike. @param time, period  [s]
int64_t pace_cycles(double time, double period);

/// Processor time of the cycles of a bus.
typedef struct workload {
    double begin; // of the present cycle, by the clock of this thread; 0: no cycle has begun  [s]
    ff_histogram cycles;
} workload;

/// Ends the present cycle, if any, and begins the next one.
void workload_begin_cycle(workload *w);
/// Prints the distribution as a line to stdout. @param period  longest time that a cycle may take  [s]
void workload_print(const workload *w, double period);

#endif
