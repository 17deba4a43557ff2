// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The experiment book as a table: one line for each experiment and variant, with all its seeds.
#ifndef FOOTFALL_APPS_BOOK_TABLE_H
#define FOOTFALL_APPS_BOOK_TABLE_H

#include <footfall/run.h>

/// One expectation over the seeds.
typedef struct book_tally {
    const char *metric, *wanted;
    double may_miss; // share of the runs
    int met, runs;
} book_tally;

typedef struct book_row {
    const char *experiment;
    const char *variant; // "": the scene itself
    uint64_t seeds[2];   // first and last
    int runs;
    bool any_seed; // seeds make no difference
    int held, missed;
    int allowed;    // missed as often as their rates allow
    int other_seed; // expectations left out because the file gives them for another seed
    double wall;    // all runs [s]
    char *notes;    // lines about how runs ended and what was missed, in the arena of the caller; NULL: nothing was
    char *rates;    // lines about expectations that may be missed in some runs
    book_tally *tallies; // one for each expectation
    int ntally;
} book_row;

/// Adds what came out of a run that has ended.
void book_row_add(book_row *row, uint64_t seed, const ff_result *result, const ff_summary *summary, ff_arena *arena);
/// Adds how a run ended that did not come to its end: the numbers beside it do not say why they are what they are.
/// @param name  of the scene: "tennis-ball/printed"
void book_row_add_end(book_row *row, const char *name, uint64_t seed, const char *outcome, ff_arena *arena);
/// Evaluates what may be missed in some runs, after the last of them. @return whether each was met in as many as wanted
bool book_row_evaluate(book_row *row, int seeds, ff_arena *arena);
/// Prints the row, or the head of the table for NULL, to stdout.
void book_row_print(const book_row *row);

#endif
