// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Why a run went wrong, or is about to. Before the first step: advice.c (contacts and the length of steps), start.c,
// stiff_friction.c, sampled_loops.c. While it runs: slack_cables.c, tendon_jumps.c. At its end: energy_gain.c.
#ifndef FOOTFALL_DIAGNOSE_H
#define FOOTFALL_DIAGNOSE_H

#include "scene/running.h"

// start.c
/// Warns of a start in overlap or beyond stops, with depth, force, energy and what to do, and of one beyond strokes.
void ff_run_check_start(ff_run *run, ff_report *report);

// stiff_friction.c
/// Warns of dry friction that an explicit method with error control follows in very short steps.
void ff_run_check_friction(const ff_run *run, ff_report *report);

// sampled_loops.c
/// Warns of a drive whose loop has more damping than its samples can hold.
void ff_run_check_sampling(const ff_run *run, ff_report *report);
/// Adds it to the reason why a run has diverged.
void ff_run_add_sampling(const ff_run *run, ff_error *err);

// slack_cables.c
/// Looks for pairs of cables that go slack, and says which did, when and why.
ff_status ff_run_watch_slack(ff_run *run, ff_error *err);
void ff_run_report_slack(const ff_run *run, ff_report *report);

// tendon_jumps.c
/// Looks for strings whose length jumps, since an end enters the shape they run around, and says which did, when and
/// where.
ff_status ff_run_watch_wraps(ff_run *run, ff_error *err);
void ff_run_report_wraps(const ff_run *run, ff_report *report);

// energy_gain.c
/// Has the error of the integration made more energy than there was? Needs the last sample.
ff_status ff_run_check_energy(const ff_run *run, ff_error *err);
/// A residual of the ledger below this is no matter: what lifts everything that moves by a millimetre, or by the
/// deepest overlap that contacts without compliance take out.  [J]
double ff_run_least_energy(const ff_run *run);

#endif
