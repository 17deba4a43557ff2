// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of the table of distributions: what is wrong with one.
#ifndef FOOTFALL_BATCH_SPREAD_H
#define FOOTFALL_BATCH_SPREAD_H

#include <footfall/batch.h>

/// What a quantity can be of: the robot alone, or single things of it.
typedef enum ff_spread_scope {
    FF_SPREAD_OF_ALL,
    FF_SPREAD_OF_BODIES,
    FF_SPREAD_OF_JOINTS,
    FF_SPREAD_OF_SERVOS,
    FF_SPREAD_OF_POINTS
} ff_spread_scope;
ff_spread_scope ff_spread_of(ff_batch_parameter quantity);
const char *ff_spread_unit(ff_batch_parameter quantity);
/// Least and most that a row which was checked draws; of a normal one without bounds as far as four deviations.
void ff_spread_ends(const ff_batch_spread *spread, double ends[2]);

enum { FF_BATCH_DELAY_MOST = 1000 }; // of servos  [steps]

/// @return FF_BAD_ARGUMENT with why the row cannot be drawn from
/// @param delay  longest delay of a servo, 0: there are no servos  [steps]
ff_status ff_spread_check(const ff_batch_spread *spread, int delay, ff_error *err);

#endif
