// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats of robot files. A format is a function that fills a description from a text, and a line of formats.c.
#ifndef FOOTFALL_FILES_FORMAT_H
#define FOOTFALL_FILES_FORMAT_H

#include <footfall/model.h>

typedef struct ff_robot_format {
    const char *name;    // "URDF", for messages and pages
    const char *element; // the first element of its files; NULL: they are YAML
    /// Fills the description; every mistake is reported with its place.
    ff_status (*parse)(ff_spec *spec, const char *text, size_t length, const char *file, const ff_load_options *options,
                       ff_report *report);
} ff_robot_format;

/// All formats, NULL-ended.
extern const ff_robot_format *const ff_robot_formats[];

/// The format of a text, told by its content; NULL (reported) for what is no robot.
const ff_robot_format *ff_robot_format_of(const ff_robot_format *const *formats, const char *text, size_t length,
                                          const char *file, ff_report *report);

#endif
