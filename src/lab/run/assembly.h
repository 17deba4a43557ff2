// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The stages in which run.c assembles a run of a scene, in their order (scene/running.h declares those of scenes).
#ifndef FOOTFALL_RUN_ASSEMBLY_H
#define FOOTFALL_RUN_ASSEMBLY_H

#include "scene/running.h"

// run.c
/// Sets the state of the simulation, and the start of the joint law if there is one, to the start of the run.
ff_status ff_run_set_start(ff_run *run, ff_error *err);

// world.c
/// Creates the world of contacts and adds it to the simulation, if any shapes can meet. @return false after an error,
/// which is in the report
bool ff_run_add_world(ff_run *run, ff_report *report);

// controllers.c
/// Makes a steering for each controller of the scene and of the options. Before all stages that ask for controllers.
ff_status ff_run_list_controllers(ff_run *run, ff_error *err);
/// Adds the bus with the controllers on it, if there are any or the bus is modelled. After drives and sensors.
ff_status ff_run_add_bus(ff_run *run, ff_error *err);
/// Begins the controllers and lets them move the start of their robots. Each that cannot begin is reported with its
/// place.
void ff_run_begin_controllers(ff_run *run, ff_report *report);
/// Warns of scripts that were not started as they lack permissions.
void ff_run_report_unstarted(const ff_run *run, ff_report *report);
/// Has a controller failed? @return FF_OK, or FF_CONTROL with the first failure in `err`
ff_status ff_run_check_controllers(const ff_run *run, ff_error *err);
void ff_run_end_controllers(ff_run *run);

// events.c: the list of events of a run that records: touch-downs and lift-offs, falls, pushes and pulls, commands,
// conditions of controllers. Its memory is allocated before the run begins. At the end of the run the list is stored
// with the recording. It is not part of the state: restoring a simulation leaves the list as it is.
typedef enum ff_event_kind {
    FF_EVENT_TOUCH_DOWN, // number: leg of the model
    FF_EVENT_LIFT_OFF,
    FF_EVENT_FALL, // text: name of the robot, "" where it is alone
    FF_EVENT_RISE,
    FF_EVENT_PUSH, // number: body
    FF_EVENT_PULL,
    FF_EVENT_COMMAND, // number: robot of the scene, text: what was commanded
    FF_EVENT_STATUS,  // number: robot of the scene, text: the condition
    FF_EVENT_CALM     // the condition of an earlier FF_EVENT_STATUS has ended
} ff_event_kind;

typedef struct ff_run_event {
    ff_event_kind kind;
    int number;
    double t, until; // until: end of a push or pull, infinite while it acts  [s]
    double point[3]; // of pushes and pulls: in the frame of the body  [m]
    double force[3]; // of pushes: world axes  [N]
    const char *text;
    char *owned; // the same text if the list must free it, else NULL
} ff_run_event;

/// Makes the list of a run that records; before the stages that add events.
ff_status ff_run_add_events(ff_run *run, ff_error *err);
void ff_run_drop_events(ff_run *run);
/// Adds an event. @return the event, whose end can be set later; NULL without a list (`list` may be NULL) or room
ff_run_event *ff_event_note(ff_run_events *list, ff_event_kind kind, int number, double t, const char *text);
/// The functions that write commands and states of controllers into the run's list of events; all NULL where it has no
/// list. A live command that sets the same keys as the last one, at most half a second before, replaces it.
ff_steering_sink ff_run_event_sink(const ff_run *run);
/// Gives the list to the recorder, for its file, and to the result.
void ff_run_hand_over_events(ff_run *run);

// interaction.c
/// Pushes and pulls by the user, in touchable runs.
ff_status ff_run_add_interactions(ff_run *run, ff_error *err);

// settle.c
/// Moves robots that settle into static equilibrium and sets the friction of their contacts; reports robots that cannot
/// settle. The last stage, since it evaluates the simulation.
void ff_run_settle(ff_run *run, ff_report *report);

// measuring.c
/// Starts measures; after drives and controllers, and before the recorder, which may record their signals.
ff_status ff_run_add_measures(ff_run *run, ff_error *err);
/// Reports expectations and metrics of signals that no controller has; after controllers have begun. Signals of a
/// controller that another one replaces are left out, with a warning.
void ff_run_check_signal_metrics(ff_run *run, ff_report *report);
/// Reports robots that have fallen since the last call.
void ff_run_report_falls(const ff_run *run, ff_report *report);
/// Takes the last sample and fills the result.
/// @param status  status with which the run ended
/// @return `status`; FF_DIVERGED with the reason in `err` if it was FF_OK and the integration error created energy
ff_status ff_run_evaluate(ff_run *run, ff_status status, ff_error *err);

#endif
