// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Location of events within a step, for methods with a continuous extension (locate.c).
#ifndef FOOTFALL_ENGINE_LOCATE_H
#define FOOTFALL_ENGINE_LOCATE_H

#include "engine/system.h"

/// The state within the step from local time t over h, at its fraction theta, into sim->in.probe.
typedef void ff_dense(ff_sim *sim, double t, double h, double theta);

/// Fraction of the step just after the earliest crossing of an event; 2 when there is none.
double ff_locate_earliest(ff_sim *sim, ff_dense *dense, double t, double h, int *which);
/// Slope of event i about its crossing at theta, and what of its value counts as zero there.  [1/s]
double ff_locate_slope(ff_sim *sim, ff_dense *dense, int i, double t, double h, double theta);
/// Does the motion cross event i at theta in the direction in which the continuous extension crosses it? An extension
/// that is off by more than the motion there has it touch ground from which it rises.
bool ff_locate_agrees(ff_sim *sim, ff_dense *dense, int i, double t, double h, double theta);
/// Values at the new state: events whose sign differs crossed, `which` in any case.
void ff_locate_mark(ff_sim *sim, double t, int which);
/// Complains about steps to crossings that hardly moved the time, too many in a row.
ff_status ff_locate_watch(ff_sim *sim, const ff_step *step, ff_error *err);

#endif
