// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A simulated run as the command line requests it, for `footfall run`, `serve`, `ethercat` and `twin`. The last three
// add to it by hooks.
#ifndef FOOTFALL_APPS_RUN_H
#define FOOTFALL_APPS_RUN_H

#include "controllers.h"
#include "files.h"
#include "run_report.h"

/// The options struct of a command that runs a scene begins with this.
typedef struct run_target {
    text_list operands;
    model_options model;
    double time; // NAN: as the scene says  [s]
    const char *out;
    text_list set;
    bool realtime;
    bool quiet;
    bool report;
    bool profile;
    bool certify;
    const char *allow, *plugin;
    ff_run_controller plugin_controller;
    unsigned permissions;
} run_target;

/// Functions by which a command adds to a run, in the order of their calls; NULL: none.
typedef struct run_hooks {
    bool paced_externally; // another process sets the pace: the user is not warned that the run is slow

    /// @return what is wrong with the command line; NULL: nothing
    const char *(*mistake)(const run_target *target);
    /// Called before the run is created; may replace a controller by a relay.
    bool (*prepare)(run_target *target, const ff_scene_spec *scene, ff_run_options *options, ff_error *err);
    /// Called when the run is created, but its files are not; may add channels to its recording.
    bool (*attach)(run_target *target, ff_run *run, ff_report *report);
    /// Called before the first step. @return EXIT_FINE, or the exit code of the program with the reason in `err`
    int (*start)(run_target *target, ff_error *err);
    /// Called after the last step, before the summary is written.
    void (*finish)(run_target *target, ended_run *result);
    /// Prints results to stdout.
    void (*print)(const run_target *target);
    /// Frees what the other hooks have opened; called even if they were not.
    void (*close)(run_target *target);
} run_hooks;

/// Options that all these commands have.
#define RUN_OPTIONS                                                                                                    \
    OPTION(run_target, time, "time", NUMBER, "T", "Simulate T seconds instead of what the scene says"),                \
        OPTION(run_target, out, "out", TEXT, "DIR",                                                                    \
               "Folder for the results, created if it is missing; without it out/NAME of the scene"),                  \
        SET_OPTION(run_target, set),                                                                                   \
        FLAG(run_target, quiet, "quiet", "No progress bar, no notes and no table at the end; warnings stay"),          \
        FLAG(run_target, report, "report",                                                                             \
             "Record what a report shows as well, and write report.html beside the recording"),                        \
        FLAG(run_target, profile, "profile",                                                                           \
             "Print at the end how long stages of the steps, parts and tasks took, and the work of the method")

/// Defaults of `run_target`.
#define RUN_PRESET .time = NAN

/// Runs the scene, and returns the exit code of the program.
int run_with_hooks(const command *self, run_target *target, const run_hooks *hooks, ff_arena *arena);

#endif
