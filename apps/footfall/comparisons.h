// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How the runs of one experiment compare: metrics are kept as runs end, pairs are evaluated after the last of them.
#ifndef FOOTFALL_APPS_COMPARISONS_H
#define FOOTFALL_APPS_COMPARISONS_H

#include <footfall/json.h>
#include <footfall/run.h>

/// What a run brings to the comparisons.
typedef struct compared_run {
    const char *variant; // "": the scene itself
    uint64_t seed;
    bool any_seed;        // seeds make no difference
    const double *values; // of the metrics of all comparisons; NaN where it has none or did not finish
    struct compared_run *next;
} compared_run;

/// One comparison over all its pairs.
typedef struct compared {
    const char *experiment;
    ff_comparison asked;
    int pairs, met, wanted;
    double least, most; // of the ratios
    struct compared *next;
} compared;

/// Keeps what comparisons need of a run that has ended, in front of the list. NULL when memory is short.
compared_run *compared_keep(const ff_run *run, bool finished, compared_run *before, ff_arena *arena);
/// Evaluates a comparison over its pairs: runs with the same seed. NULL when memory is short.
compared *compare_runs(const ff_comparison *c, int index, const compared_run *runs, ff_arena *arena);
/// Whether it holds in as many pairs as wanted.
bool compared_holds(const compared *c);
/// Table of metric, which runs, expected, got, verdict and source to stdout.
void print_compared(const compared *list);
/// One line about a comparison that fails, or that has several pairs; NULL: none is needed.
char *describe_compared(const compared *c, ff_arena *arena);
/// The same as the array `comparisons` of an object.
void write_compared(const compared *list, ff_json *json);

#endif
