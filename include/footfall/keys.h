// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys that robot and scene files may have: what each takes, its unit, range, default and meaning. Part of the
// scene room. The same tables check every file.
#ifndef FOOTFALL_KEYS_H
#define FOOTFALL_KEYS_H

#include <footfall/base.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ff_keys_format {
    FF_KEYS_TEXT,     // a table for people
    FF_KEYS_MARKDOWN, // the group and all groups below it, as a page of the manual
    FF_KEYS_PATHS     // paths for --set, one a line; those of words also with each word: "solver.method=rk4"
} ff_keys_format;

/// Prints what may stand at a path, such as "robot", "scene.solver", "scene.control.gait" or "robot.bodies.NAME.joint":
/// names that the user chooses are written as NAME (or as any name), items of lists as "-", and what stands beside a
/// controller as if it stood below it.
/// @return FF_NOT_FOUND with the nearest name in `err`
FF_API ff_status ff_keys_print(FILE *out, const char *path, ff_keys_format format, ff_error *err);

#ifdef __cplusplus
}
#endif

#endif
