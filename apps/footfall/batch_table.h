// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The result of a batch, as a table for people or as JSON for programs.
#ifndef FOOTFALL_APPS_BATCH_TABLE_H
#define FOOTFALL_APPS_BATCH_TABLE_H

#include "batch_observe.h"

/// How the steps of a batch were made.
typedef struct batch_pace {
    long long asked, made; // steps of a batch
    double step;           // [s]
    double spent, busy;    // on the clock, and of all processors together  [s]
} batch_pace;

/// What is observed, with its quantiles.
typedef struct batch_observed {
    const text_list *formulas;
    const ff_batch_quantiles *quantiles;
} batch_observed;

void print_batch_table(const ff_batch *batch, const ff_batch_outcome *outcome, const batch_observed *observed,
                       const batch_pace *pace);
/// @return EXIT_FINE, or EXIT_INPUT when memory ran out
int print_batch_json(const ff_batch *batch, const ff_batch_outcome *outcome, const batch_observed *observed,
                     const batch_pace *pace);

#endif
