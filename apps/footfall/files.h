// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that commands read and write: robots, scenes, folders for results; and how the problems of a file are printed.
#ifndef FOOTFALL_APPS_FILES_H
#define FOOTFALL_APPS_FILES_H

#include "commands.h"

#include <footfall/load.h>
#include <footfall/scene.h>

// ------------------------------------------------------------------------------------------ robots

typedef struct model_options {
    bool floating;
    bool repair;
    text_list package_paths;
} model_options;

/// Rows of an option table for a struct whose field `field` is a model_options.
#define MODEL_OPTIONS(type, field)                                                                                     \
    FLAG(type, field.floating, "floating", "Let the root of a URDF float: it gets a free joint"),                      \
        FLAG(type, field.repair, "repair",                                                                             \
             "Replace inertia that no real body could have and say so, instead of refusing it"),                       \
        OPTION(type, field.package_paths, "package-path", TEXTS, "DIR", "Folder in which package://NAME is looked up")

ff_load_options loading_options(const model_options *options);

/// Loads and compiles a robot; `spec` receives the description (destroy it) where it is not NULL. Problems go to
/// stderr, warnings shortened. @return NULL on error: exit with EXIT_INPUT
ff_model *load_model(const char *path, const model_options *options, ff_spec **spec);

/// Number of warnings about files that commands show; `footfall check` lists all of them.
#define WARNINGS_SHOWN 5

/// Prints the messages of a report, errors and warnings coloured, at most `most_warnings` warnings.
void print_report(FILE *out, const ff_report *report, int most_warnings);
/// The same without messages below a severity.
void print_report_from(FILE *out, const ff_report *report, ff_severity least, int most_warnings);

// ------------------------------------------------------------------------------------------ scenes

/// True when the file can be read and looks like a scene. On false, the robot loaders report what is wrong.
bool scene_file_detect(const char *path);
/// Reports why a file is no scene: it cannot be read, or it contains something else, such as a robot.
void scene_file_refuse(const char *path, ff_report *report);

// ------------------------------------------------------------------------------------------ results

/// Makes a folder and those above it where they are missing. @return false with the reason in `err`
bool make_folder(const char *path, ff_error *err);
/// Writes a text, which is malloc'ed and freed here; NULL is reported as missing memory.
ff_status write_text(const char *path, char *text, ff_error *err);
/// Is there a file that does not begin with `head`, unlike all that the command writes? It must not be overwritten.
bool holds_something_else(const char *path, const char *head);
#define PNG_HEAD "\x89PNG\r\n\x1a\n"
/// Do both names lead to the same existing file?
bool is_same_file(const char *one, const char *other);

#endif
