// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run leaves behind: summary.json and the table at its end.
#ifndef FOOTFALL_APPS_RUN_REPORT_H
#define FOOTFALL_APPS_RUN_REPORT_H

#include <footfall/twin.h>

typedef struct run_files {
    const char *folder;
    const char *hdf5; // NULL when not written, as the others
    const char *csv;
    const char *summary;
    const char *report;
    const char *bands;
} run_files;

typedef struct ended_run {
    ff_run *run; // after ff_run_go
    ff_status status;
    const ff_error *err;
    double wall;                       // [s]
    const ff_report *report;           // warnings of loading
    const ff_certificate *certificate; // NULL: none
    double certified;                  // what it took beside the run itself  [s]
    const ff_twin_result *twin;        // NULL: none
} ended_run;

ff_status run_write_summary(const ended_run *result, const char *path, ff_error *err);
/// Outcome, time, steps, real-time factor, energy, walking, expectations and files, to stdout.
void run_print_result(const ended_run *result, const run_files *files);
/// Where the time went, the largest share first, to stdout; what took less than a thousandth is summed up. Then the
/// work of the method: steps, tries, evaluations.
void run_print_profile(ff_sim *sim);

#endif
