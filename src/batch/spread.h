// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of the table of distributions: what is wrong with one, and a draw from it.
#ifndef FOOTFALL_BATCH_SPREAD_H
#define FOOTFALL_BATCH_SPREAD_H

#include <footfall/batch.h>

/// @return FF_BAD_ARGUMENT with why the row cannot be drawn from
ff_status ff_spread_check(const ff_batch_spread *spread, ff_error *err);
/// A draw from a row that was checked.
double ff_spread_draw(const ff_batch_spread *spread, ff_random *random);

#endif
