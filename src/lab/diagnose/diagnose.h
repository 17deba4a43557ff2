// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Warnings about the causes of wrong or slow runs. Checked before the first step: advice.c (contacts and the length of
// steps), start.c, stiff_friction.c, sampled_loops.c; during the run: slack_cables.c, tendon_jumps.c; at its end:
// energy_gain.c.
#ifndef FOOTFALL_DIAGNOSE_H
#define FOOTFALL_DIAGNOSE_H

#include "scene/running.h"

// start.c
/// Warns of a start in which shapes overlap, or joints or tendons are beyond stops, or drives beyond their strokes.
void ff_run_check_start(ff_run *run, ff_report *report);

// stiff_friction.c
/// Warns of dry friction that forces an explicit method with error control to very short steps.
void ff_run_check_friction(const ff_run *run, ff_report *report);

// sampled_loops.c
/// Warns of a drive whose sampled loop is unstable because of its damping.
void ff_run_check_sampling(const ff_run *run, ff_report *report);
/// Appends that cause to the error of a run that has diverged.
void ff_run_add_sampling(const ff_run *run, ff_error *err);

// slack_cables.c
/// Begins to watch pairs of cables for slack; the report says which went slack, when and why.
ff_status ff_run_watch_slack(ff_run *run, ff_error *err);
void ff_run_report_slack(const ff_run *run, ff_report *report);

// tendon_jumps.c
/// Begins to watch tendons whose length may jump because an end enters the shape that they wrap around; the report says
/// which jumped, when and where.
ff_status ff_run_watch_wraps(ff_run *run, ff_error *err);
void ff_run_report_wraps(const ff_run *run, ff_report *report);

// energy_gain.c
/// Has the integration error created more energy than was available? After the last sample. @return FF_OK or
/// FF_DIVERGED
ff_status ff_run_check_energy(const ff_run *run, ff_error *err);
/// Bound below which a residual of the ledger is ignored: energy that lifts all moving bodies by a millimetre, or by
/// the deepest overlap that contacts without compliance correct.  [J]
double ff_run_least_energy(const ff_run *run);

#endif
