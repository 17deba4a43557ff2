// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of `footfall experiments`: the experiment book as files, its table, and comparisons between runs.
#ifndef FOOTFALL_APPS_EXPERIMENTS_H
#define FOOTFALL_APPS_EXPERIMENTS_H

#include <footfall/base.h>
#include <footfall/json.h>
#include <footfall/run.h>

// ------------------------------------------------------------------------------------------ files

typedef struct experiments_entry {
    const char *name; // of the file, without ".yaml"
    const char *path;
} experiments_entry;

typedef struct experiments_list {
    const char *folder;
    experiments_entry *entries; // by name, numbers inside names by value: e2 before e10
    int count;
} experiments_list;

/// Reads the folder, or for NULL that of this program: of its installation, or of the source tree from which it was
/// built. The result is in `arena`. @return false with the reason in `err`
bool experiments_list_open(experiments_list *out, const char *folder, ff_arena *arena, ff_error *err);

/// Does a name select this experiment? It may be the start of the full name up to a dash: "e1" selects
/// "e1-rubber-bounce" but not "e10-rest".
bool experiments_entry_matches(const experiments_entry *entry, const char *name, size_t length);

// ------------------------------------------------------------------------------------------ the table

/// One expectation over the seeds.
typedef struct experiments_tally {
    const char *metric, *wanted;
    double may_miss; // share of the runs
    int met, runs;
} experiments_tally;

typedef struct experiments_row {
    const char *experiment;
    const char *variant; // "": the scene itself
    uint64_t seeds[2];   // first and last
    int runs;
    bool any_seed; // seeds make no difference
    int met, missed;
    int allowed;    // missed as often as their rates allow
    int other_seed; // expectations left out because the file gives them for another seed
    double wall;    // all runs [s]
    char *notes;    // lines about how runs ended and what was missed, in the arena of the caller; NULL: nothing was
    char *rates;    // lines about expectations that may be missed in some runs
    experiments_tally *tallies; // one for each expectation
    int ntally;
} experiments_row;

/// Adds the result of a run.
void experiments_row_add(experiments_row *row, uint64_t seed, const ff_result *result, const ff_summary *summary,
                         ff_arena *arena);
/// Adds the reason why a run did not finish, which explains its numbers.
/// @param name  of the scene: "tennis-ball/printed"
void experiments_row_add_end(experiments_row *row, const char *name, uint64_t seed, const char *outcome,
                             ff_arena *arena);
/// Evaluates the expectations that may be missed in some runs, after the last run.
/// @return whether each was met in enough runs
bool experiments_row_evaluate(experiments_row *row, int seeds, ff_arena *arena);
/// Prints the row, or the head of the table for NULL, to stdout.
void experiments_row_print(const experiments_row *row);

// ------------------------------------------------------------------------------------------ comparisons

/// Data of a run for the comparisons.
typedef struct run_values {
    const char *variant; // "": the scene itself
    uint64_t seed;
    bool any_seed;        // seeds make no difference
    const double *values; // of the metrics of all comparisons; NaN where it has none or did not finish
    struct run_values *next;
} run_values;

/// One comparison over all its pairs.
typedef struct comparison_result {
    const char *experiment;
    ff_comparison comparison;
    int pairs, met, wanted;
    double least, most; // of the ratios
    struct comparison_result *next;
} comparison_result;

/// Puts the data of a run that has ended in front of the list. @return the list; unchanged when memory is short
run_values *comparisons_add_run(const ff_run *run, bool finished, run_values *list, ff_arena *arena);
/// Evaluates a comparison over its pairs: runs with the same seed. NULL when memory is short.
comparison_result *compare_runs(const ff_comparison *c, int index, const run_values *runs, ff_arena *arena);
/// Does the comparison hold in as many pairs as required?
bool comparison_holds(const comparison_result *c);
/// Table of metric, which runs, expected, got, verdict and source to stdout.
void print_comparisons(const comparison_result *list);
/// One line about a comparison that fails, or that has several pairs; NULL: none is needed.
char *describe_comparison(const comparison_result *c, ff_arena *arena);
/// Writes them as the array `comparisons` of an object.
void write_comparisons(const comparison_result *list, ff_json *json);

#endif
