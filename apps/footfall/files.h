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

/// Loads and compiles a robot; `spec` receives the description, which the caller destroys, or is NULL. Prints problems
/// to stderr, but only the first warnings. @return NULL on error: exit with EXIT_INPUT
ff_model *load_model(const char *path, const model_options *options, ff_spec **spec);

/// Number of warnings about files that commands show; `footfall check` lists all of them.
#define WARNINGS_SHOWN 5

/// Prints the messages of a report, errors and warnings coloured, at most `most_warnings` warnings.
void print_report(FILE *out, const ff_report *report, int most_warnings);
/// As print_report, without messages below a severity.
void print_report_from(FILE *out, const ff_report *report, ff_severity least, int most_warnings);

// ------------------------------------------------------------------------------------------ scenes

/// Can the file be read, and does it look like a scene? If not, the readers of robots report what is wrong.
bool scene_file_detect(const char *path);
/// Reports why a file is no scene: it cannot be read, or it contains something else, such as a robot.
void scene_file_refuse(const char *path, ff_report *report);

// ------------------------------------------------------------------------------------------ results

/// Puts the name of a file, without folders and ending, between two texts: "out/", "experiments/tumble.yaml" and ""
/// give "out/tumble". @return a text in the arena; NULL: out of memory
const char *file_name_between(const char *before, const char *path, const char *after, ff_arena *arena);
/// Creates a folder and those that contain it, as far as they are missing. @return false with the reason in `err`
bool make_folder(const char *path, ff_error *err);
/// Writes a malloc'ed text and frees it. NULL for `text` is an error: out of memory.
ff_status write_text(const char *path, char *text, ff_error *err);
/// Does the file exist, with a beginning other than `head`? All files that the command writes begin with `head`, and
/// others must not be overwritten.
bool has_other_content(const char *path, const char *head);
#define PNG_HEAD "\x89PNG\r\n\x1a\n"
/// Are both paths those of the same existing file?
bool is_same_file(const char *one, const char *other);

#endif
