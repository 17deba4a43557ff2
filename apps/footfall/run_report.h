// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Results of a run: the table at its end, summary.json, the certificate and the page of its recording.
#ifndef FOOTFALL_APPS_RUN_REPORT_H
#define FOOTFALL_APPS_RUN_REPORT_H

#include <footfall/json.h>
#include <footfall/run.h>
#include <footfall/studio.h>
#include <footfall/twin.h>

// ------------------------------------------------------------------------------------------ all results

/// Paths of the files of a run.
typedef struct run_files {
    const char *folder;
    const char *hdf5; // NULL: not written; likewise the following
    const char *csv;
    const char *summary;
    const char *report;
    const char *bands;
} run_files;

typedef struct ended_run {
    ff_run *run; // after ff_run_go
    ff_status status;
    const ff_error *err;
    double elapsed;                    // [s]
    const ff_report *report;           // warnings of loading
    const ff_certificate *certificate; // NULL: none
    double certify_time;               // time of the additional runs  [s]
    const ff_twin_result *twin;        // NULL: none
} ended_run;

ff_status run_write_summary(const ended_run *result, const char *path, ff_error *err);
/// Outcome, time, steps, real-time factor, energy, walking, expectations and files, to stdout.
void run_print_result(const ended_run *result, const run_files *files);
/// Prints how long each part of the steps took to stdout, the largest share first, with shares below a thousandth
/// summed up. Then the work of the method: steps, tries, evaluations.
void run_print_profile(ff_sim *sim);

// ------------------------------------------------------------------------------------------ expectations

/// Width of a column that has room for a text of that length, too.
static inline int wider(int width, int length)
{
    return length > width ? length : width;
}
/// Writes an expectation in short: "0.1 +- 0.01", ">= 3", "1 .. 2". @return length of the text
int describe_expectation(const ff_expectation *e, char *out, size_t size);
/// Prints a table of metric, expected, got, verdict and source to stdout; nothing if the scene has no expectations.
/// @param ended  the run has reached its end; otherwise the verdicts are preliminary
void print_expectations(const ff_result *result, bool ended);
/// Writes them as the array `expectations` of an object: metric, those of `is`, `within`, `at_least` and `at_most` that
/// are given, got, met, source, and other_seed if the expectation is for another seed.
void write_expectations(const ff_result *result, ff_json *json);
/// Prints a table of the metrics that the scene reports, after ff_run_go; nothing if it reports none.
void print_reported(const ff_run *run);

// ------------------------------------------------------------------------------------------ walking

/// Prints for each robot that made footsteps or fell: speed, body, support, forces, energy, and a line for each leg.
/// After ff_run_go.
void print_walking(const ff_run *run);

// ------------------------------------------------------------------------------------------ the certificate

/// Prints the verdict, and the expected and reported numbers with their error bars.
/// @param seconds  real time of the additional runs  [s]
void print_certificate(const ff_certificate *certificate, const ff_scene_spec *scene, double seconds);
/// Replaces the summary by one with the certificate, and writes the bands. If a file cannot be written, the older one
/// is kept. @return false with the reason in `err`
bool write_certificate(const ended_run *result, const ff_certifier *certifier, run_files *files, ff_arena *arena,
                       ff_error *err);

// ------------------------------------------------------------------------------------------ the twin

/// Prints the differences of two robots to stdout.
void print_twin(const ff_twin_result *result);

// ------------------------------------------------------------------------------------------ the page

/// Adds the channels of a report to those that a scene records: poses, centre of mass, energy, and feet of robots with
/// legs. @return false: the build has no pages
bool report_widen(const ff_scene_spec *scene, ff_record_options *record, ff_arena *arena, ff_error *err);

/// Warns on stderr if a recording or its run is incomplete.
void report_cut_short(const ff_recording *recording);

/// Reads a run (its folder or run.h5) and writes the page; prints what the page lacks to stderr.
bool report_write(const char *run, const char *path, ff_error *err);

#endif
