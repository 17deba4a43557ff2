// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats of robot files. A format is a folder of src/formats and a row of load/formats.c.
#ifndef FOOTFALL_FILES_FORMAT_H
#define FOOTFALL_FILES_FORMAT_H

#include <footfall/spec.h>

/// A robot file being read.
typedef struct ff_robot_text {
    const char *text;
    size_t length;                                // [byte]
    const char *file;                             // for messages, and where paths in the file start
    const ff_load_options *options;               // complete
    const struct ff_robot_format *const *formats; // of files that it imports, NULL-ended
    const struct ff_robot_text *importer;         // the file that imports this one; NULL: none
} ff_robot_text;

typedef struct ff_robot_format {
    const char *name;       // "urdf", for programs
    const char *title;      // "URDF", for messages
    const char *element;    // the first element of its files where these are XML; NULL: they are not
    const char *beginning;  // the first characters of its files where these are not XML; NULL: any that no other has
    const char *endings[3]; // of its files, NULL-ended
    bool has_legs;          // its files describe legs; ff_find_legs searches for those of other robots
    /// Fills the description; every mistake is reported with its place.
    ff_status (*read)(ff_spec *spec, const ff_robot_text *from, ff_report *report);
    /// The robot as a text to free; NULL (reported) where the format cannot hold it. NULL: the format is read only.
    char *(*write)(const ff_spec *spec, const ff_load_options *options, ff_report *report);
} ff_robot_format;

/// The format of a text, recognised by its content; NULL (reported) where the text is no robot.
const ff_robot_format *ff_robot_format_of(const ff_robot_format *const *formats, const char *text, size_t length,
                                          const char *file, ff_report *report);
/// The format of a name or of a file ending, "urdf" or "xml", whatever the case of its letters; NULL: there is none.
const ff_robot_format *ff_robot_format_named(const ff_robot_format *const *formats, const char *word);

/// "urdf (URDF), xml (MJCF)", for messages. @param written  only those that are written
void ff_robot_format_list(const ff_robot_format *const *formats, bool written, char *out, size_t size);

/// Reads a text of any of its formats, and finds the legs of a robot whose format does not describe them.
/// @param report  not NULL
ff_status ff_robot_read(ff_spec *spec, const ff_robot_text *from, ff_report *report);
/// Is the file of that path being read, as `from` or as a file that imports it?
bool ff_robot_is_open(const ff_robot_text *from, const char *path);

#endif
