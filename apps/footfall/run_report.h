// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run leaves behind: the table at its end, summary.json, the certificate and the page of its recording.
#ifndef FOOTFALL_APPS_RUN_REPORT_H
#define FOOTFALL_APPS_RUN_REPORT_H

#include <footfall/json.h>
#include <footfall/run.h>
#include <footfall/studio.h>
#include <footfall/twin.h>

// ------------------------------------------------------------------------------------------ the whole

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
    double certified;                  // time of the additional runs  [s]
    const ff_twin_result *twin;        // NULL: none
} ended_run;

ff_status run_write_summary(const ended_run *result, const char *path, ff_error *err);
/// Outcome, time, steps, real-time factor, energy, walking, expectations and files, to stdout.
void run_print_result(const ended_run *result, const run_files *files);
/// Where the time went, the largest share first, to stdout; what took less than a thousandth is summed up. Then the
/// work of the method: steps, tries, evaluations.
void run_print_profile(ff_sim *sim);

// ------------------------------------------------------------------------------------------ expectations

/// Width of a column that also holds a text of that length.
static inline int wider(int width, int length)
{
    return length > width ? length : width;
}
/// What is expected, in short: "0.1 +- 0.01", ">= 3", "1 .. 2". @return its length
int describe_expectation(const ff_expectation *e, char *out, size_t size);
/// Table of metric, expected, got, verdict and source to stdout; nothing when nothing is expected.
/// @param ended  the run came to its end; else the verdict is one so far
void print_expectations(const ff_result *result, bool ended);
/// The same as the array `expectations` of an object: metric, what was wanted (is and within, at_least, at_most: those
/// given), got, met, source, and other_seed where it does not count.
void write_expectations(const ff_result *result, ff_json *json);
/// Table of the metrics that the scene reports and what they came out as; nothing when it reports none. After
/// ff_run_go.
void print_reported(const ff_run *run);

// ------------------------------------------------------------------------------------------ walking

/// For each robot that stepped or fell: speed, body, support, forces, energy, and a line for each leg. After
/// ff_run_go.
void print_walking(const ff_run *run);

// ------------------------------------------------------------------------------------------ the certificate

/// Prints the verdict, and the expected and reported numbers with their error bars.
/// @param took  time of the additional runs  [s]
void print_certificate(const ff_certificate *certificate, const ff_scene_spec *scene, double took);
/// Writes the summary with the certificate in place of the one without, and the bands. Where a file cannot be written,
/// the older one stays. False with the reason in `err`.
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

/// Reads a run (its folder or run.h5) and writes the page; remarks on what it lacks go to stderr.
bool report_write(const char *run, const char *path, ff_error *err);

#endif
