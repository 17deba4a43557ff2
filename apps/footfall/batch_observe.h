// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What `footfall batch --observe` names: formulas of each robot, as rows of the table and of the JSON, and over time in
// a CSV file.
#ifndef FOOTFALL_APPS_BATCH_OBSERVE_H
#define FOOTFALL_APPS_BATCH_OBSERVE_H

#include "commands.h"

#include <footfall/batch_outcome.h>

#define BATCH_WATCH_HEAD "time,robot" // the file begins with it

/// Observations of a batch. Those of the end have quantiles over all robots.
typedef struct batch_watch {
    const text_list *formulas;
    const char *path;  // of the CSV file; NULL: none
    long long every;   // steps between two of its instants, 0: the end alone
    long long written; // steps that were made at the last one
    FILE *file;
    double *values; // (robots * formulas)
    double *ages;   // [steps] (robots)
} batch_watch;

/// Begins the file, where there is one, before the first step. @return FF_OK, FF_NO_MEMORY, or FF_BAD_FILE: it cannot
/// be written
ff_status batch_watch_begin(batch_watch *watch, int robots, ff_error *err);
/// Writes a line for each robot that has moved since the last instant. @param made  steps so far
ff_status batch_watch_write(batch_watch *watch, ff_batch *batch, long long made, ff_error *err);
/// Closes the file. @return FF_BAD_FILE where some of it could not be written
ff_status batch_watch_end(batch_watch *watch, ff_error *err);

/// Quantiles of each formula over all robots. @param out  (formulas)
ff_status batch_watch_quantiles(const batch_watch *watch, const ff_batch *batch, ff_batch_quantiles *out,
                                ff_error *err);

#endif
