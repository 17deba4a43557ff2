// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What happened when, in a run that records: touch-downs and lift-offs, falls, pushes and pulls, commands, conditions
// of controllers. Those who meet an event note it, in memory that was taken before the run began; at its end the list
// stands beside the recording. It is no part of the state: a simulation that is put back keeps what was noted.
#ifndef FOOTFALL_SCENE_EVENTS_H
#define FOOTFALL_SCENE_EVENTS_H

#include "scene/running.h"

typedef enum ff_event_kind {
    FF_EVENT_TOUCH_DOWN, // number: leg of the model
    FF_EVENT_LIFT_OFF,
    FF_EVENT_FALL, // text: name of the robot, "" where it is alone
    FF_EVENT_RISE,
    FF_EVENT_PUSH, // number: body
    FF_EVENT_PULL,
    FF_EVENT_COMMAND, // number: robot of the scene, text: what was commanded
    FF_EVENT_STATUS,  // number: robot of the scene, text: the condition
    FF_EVENT_CALM     // it no longer does
} ff_event_kind;

typedef struct ff_run_event {
    ff_event_kind kind;
    int number;
    double t, until;           // until: of pushes and pulls, infinite while they act  [s]
    double point[3], force[3]; // of pushes: where in the frame of the body, world axes  [m], [N]
    const char *text;
    char *owned; // text that ends with the list, NULL: it is another's
} ff_run_event;

/// Makes the list of a run that records, before anyone may note anything.
ff_status ff_run_add_events(ff_run *run, ff_error *err);
void ff_run_drop_events(ff_run *run);
/// @return where it was put, to be ended later; NULL where there is no list or no room. `list` may be NULL.
ff_run_event *ff_event_note(ff_run_events *list, ff_event_kind kind, int number, double t, const char *text);
/// Notes what happens to controllers, where the run has a list. A command given by hand that asks for the same things
/// as the last one, not half a second before, takes its place.
ff_steering_sink ff_run_event_sink(const ff_run *run);
/// Gives them to the recorder, for its file, and to the result.
void ff_run_hand_over_events(ff_run *run);

#endif
