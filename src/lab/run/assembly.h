// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What makes up a run of a scene, in the order in which run.c puts it together (scene/running.h has what scenes add).
#ifndef FOOTFALL_RUN_ASSEMBLY_H
#define FOOTFALL_RUN_ASSEMBLY_H

#include "scene/running.h"

// run.c
/// Puts the simulation, and the joint law where there is one, at the start of the run.
ff_status ff_run_set_start(ff_run *run, ff_error *err);

// world.c
/// Makes the world of contacts and joins it to the simulation, where anything can meet. @return false when what cannot
/// touch was reported
bool ff_run_add_world(ff_run *run, ff_report *report);

// controllers.c
/// A steering for each controller of the scene and of the options. Before everything that asks who is steered.
ff_status ff_run_list_controllers(ff_run *run, ff_error *err);
/// The bus that carries frames, where there is need for one, and what speaks on it. After drives and sensors.
ff_status ff_run_add_bus(ff_run *run, ff_error *err);
/// Begins the controllers and lets them move the start of their robots. Each that cannot begin is reported with its
/// place.
void ff_run_begin_controllers(ff_run *run, ff_report *report);
/// Warns of scripts that were not started as they lack permissions.
void ff_run_report_unstarted(const ff_run *run, ff_report *report);
/// Has one of them failed? @return FF_OK, or FF_CONTROL with the first in `err`
ff_status ff_run_check_controllers(const ff_run *run, ff_error *err);
void ff_run_end_controllers(ff_run *run);

// events.c: what happened when, in a run that records: touch-downs and lift-offs, falls, pushes and pulls, commands,
// conditions of controllers. Who meets an event notes it, in memory that was taken before the run began; at the end of
// the run the list stands beside the recording. It is no part of the state: a simulation that is restored keeps what
// was noted.
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
/// The functions that write commands and states of controllers into the run's list of events; all NULL where it has no
/// list. A command given by hand that sets the same keys as the last one, at most half a second before, replaces it.
ff_steering_sink ff_run_event_sink(const ff_run *run);
/// Gives them to the recorder, for its file, and to the result.
void ff_run_hand_over_events(ff_run *run);

// interaction.c
/// Pushes and pulls by the user, in touchable runs.
ff_status ff_run_add_interactions(ff_run *run, ff_error *err);

// settle.c
/// Moves robots that settle into balance and lets their contacts hold it; those that cannot are reported. Last of all:
/// it evaluates the simulation.
void ff_run_settle(ff_run *run, ff_report *report);

// measuring.c
/// Starts measuring; before the recorder, which may keep what is measured. After drives and controllers.
ff_status ff_run_add_measures(ff_run *run, ff_error *err);
/// Reports expectations and reported metrics whose signal no controller has. While controllers are at work. Those of a
/// controller whose place another has taken are left out, with a warning.
void ff_run_check_signal_metrics(ff_run *run, ff_report *report);
/// Robots that have fallen since the last call.
void ff_run_report_falls(const ff_run *run, ff_report *report);
/// Takes the last sample and fills the result.
/// @param status  with which the run ended
/// @return the same; FF_DIVERGED with the reason in `err` where it was FF_OK and energy came from nowhere
ff_status ff_run_evaluate(ff_run *run, ff_status status, ff_error *err);

#endif
