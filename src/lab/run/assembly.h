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
