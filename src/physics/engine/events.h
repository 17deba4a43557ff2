// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of callers and parts (events.c), and where in a step they happen (locate.c).
#ifndef FOOTFALL_ENGINE_EVENTS_H
#define FOOTFALL_ENGINE_EVENTS_H

#include "engine/method.h"

typedef struct ff_event_slot {
    ff_event event;
    double value; // at the start of the step
    int sign;     // of value; 0: not known (just after a crossing)
    int crossing; // +1 or -1 when it crossed in the last step
    double when;  // estimated time of that crossing, for methods that do not locate events  [s]
    double slack; // just after a crossing: size of values whose sign says nothing
} ff_event_slot;

/// Events of a simulation: those of callers, then those of the parts.
typedef struct ff_events {
    ff_event_slot *slots; // (count)
    int count, ncaller, capacity;
    double *values;  // scratch: two sets  (2*count)
    int *part_signs; // scratch  (count)
    int stuck;       // located events in a row that hardly moved the time
} ff_events;

/// Adds the events of the parts, where the method locates events. @return false when out of memory
bool ff_events_add_parts(ff_sim *sim);
/// Values of all events at x, which is the state, or a trial state at the local time t.
void ff_events_evaluate(ff_sim *sim, double t, const double *x, double *values);
/// @return value of event i alone
double ff_events_value(ff_sim *sim, int i, double t, const double *x);
/// Finds the signs of all events at the current state, where they are not known.
void ff_events_prepare(ff_sim *sim);
/// Marks the events whose sign changed over the last step, for methods that do not locate them.
void ff_events_compare(ff_sim *sim, const ff_step *step);
/// Calls the handlers of the events that are marked as crossed.
void ff_events_handle(ff_sim *sim);

// Location within a step, for methods with a continuous extension.
/// Computes the state at the fraction theta of the step that begins at the local time t and has the length h -> probe.
typedef void ff_dense(ff_sim *sim, double t, double h, double theta);
/// @return fraction of the step just after the earliest crossing, of event *which; 2 when there is none
double ff_locate_earliest(ff_sim *sim, ff_dense *dense, double t, double h, int *which);
/// Finds the slope of event i about its crossing at theta, and what of its value counts as zero there.
/// @return the slope  [1/s]
double ff_locate_slope(ff_sim *sim, ff_dense *dense, int i, double t, double h, double theta);
/// Does the motion cross event i at theta in the same direction as the continuous extension? An extension whose error
/// is larger than the motion may touch ground from which the motion rises.
bool ff_locate_agrees(ff_sim *sim, ff_dense *dense, int i, double t, double h, double theta);
/// Marks at the new state the events whose sign differs, and event `which` in any case.
void ff_locate_mark(ff_sim *sim, double t, int which);
/// @return FF_SOLVER where too many steps to crossings in a row hardly moved the time
ff_status ff_locate_check_progress(ff_sim *sim, const ff_step *step, ff_error *err);

#endif
