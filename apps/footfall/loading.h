// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What every command that reads a robot shares: the options of loading, and how the problems of a file are printed.
#ifndef FOOTFALL_APPS_LOADING_H
#define FOOTFALL_APPS_LOADING_H

#include "options.h"

#include <footfall/load.h>

typedef struct model_options {
    bool floating;
    bool repair;
    text_list package_paths;
} model_options;

/// Rows of an option table for a struct whose field `field` is a model_options.
#define MODEL_OPTIONS(type, field)                                                                                     \
    OPTION(type, field.floating, "floating", OPTION_FLAG, HINT_NONE, NULL,                                             \
           "Let the root of a URDF float: it gets a free joint"),                                                      \
        OPTION(type, field.repair, "repair", OPTION_FLAG, HINT_NONE, NULL,                                             \
               "Replace inertia that no real body could have and say so, instead of refusing it"),                     \
        OPTION(type, field.package_paths, "package-path", OPTION_TEXTS, HINT_FOLDER, "DIR",                            \
               "Folder in which package://NAME is looked up")

ff_load_options loading_options(const model_options *options);

/// Loads and compiles a robot; `spec` receives the description (destroy it) where it is not NULL. Problems go to
/// stderr, warnings shortened. @return NULL on error: exit with EXIT_INPUT
ff_model *load_model(const char *path, const model_options *options, ff_spec **spec);

/// Warnings that commands show which are about something else: `footfall check` lists all.
#define WARNINGS_SHOWN 5

/// Prints the messages of a report, errors and warnings coloured, at most `most_warnings` warnings.
void print_report(FILE *out, const ff_report *report, int most_warnings);
/// The same without messages below a severity.
void print_report_from(FILE *out, const ff_report *report, ff_severity least, int most_warnings);

#endif
