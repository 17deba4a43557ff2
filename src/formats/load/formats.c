// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The formats of robot files, one a line, and how a text is told to be of one.
#include "files/format.h"
#include "text/xml_source.h"

#include <stdio.h>
#include <string.h>

static const ff_robot_format URDF = {"URDF", "robot", ff_spec_parse_urdf};
static const ff_robot_format MJCF = {"MJCF", "mujoco", ff_spec_parse_mjcf};
static const ff_robot_format NATIVE = {"native", NULL, ff_spec_parse_yaml};

const ff_robot_format *const ff_robot_formats[] = {&URDF, &MJCF, &NATIVE, NULL};

/// First character that is neither blank nor part of a byte order mark; '\0' for none. Zero bytes count as blank:
/// UTF-16.
static char first_character(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r\n\xEF\xBB\xBF\xFF\xFE", text[i])) return text[i];
    return '\0';
}

/// UTF-16, told by its byte order mark or by the '<' it starts with.
static bool is_wide(const char *text, size_t length)
{
    return length >= 4 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0 ||
                           memcmp(text, "<\0", 2) == 0 || memcmp(text, "\0<", 2) == 0);
}

/// Bytes that no text has, near the start of the file; `*first` is the first of them.
static size_t count_controls(const char *text, size_t length, size_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 32 || c == '\t' || c == '\n' || c == '\r' || c == '\f') continue;
        if (count++ == 0) *first = i;
    }
    return count;
}

/// A text with a stray control character has a place where it stands; a file full of them is no text. False when
/// reported.
static bool check_bytes(const char *text, size_t length, const char *file, ff_report *report)
{
    const size_t looked = length < 4096 ? length : 4096;
    size_t first = 0;
    const size_t count = count_controls(text, looked, &first);
    ff_place place = {file, 1, 1};
    if (count == 0) return true;
    if (count > looked / 16) {
        ff_report_add(report, FF_ERROR, place,
                      "this is a binary file, not a robot in URDF, MJCF or YAML (a mesh is named inside a robot file)");
        return false;
    }
    for (size_t i = 0; i < first; i++) {
        place.line += text[i] == '\n';
        place.column = text[i] == '\n' ? 1 : place.column + 1;
    }
    ff_report_add(report, FF_ERROR, place, "the control character \\x%02x has no place in a text: take it out",
                  (unsigned char)text[first]);
    return false;
}

/// Name of the first element; false when reported.
static bool read_element(const char *text, size_t length, const char *file, char name[64], ff_place *place,
                         ff_report *report)
{
    const int errors = report ? report->errors : 0;
    if (xml_source_root(text, length, file, name, place, report)) return true;
    if (report && report->errors == errors)
        ff_report_add(report, FF_ERROR, (ff_place){file, 1, 1}, "the file has no XML element: is it cut short?");
    return false;
}

static void report_element(const ff_robot_format *const *formats, const char *name, ff_place place, ff_report *report)
{
    char known[200] = "";
    for (int i = 0; formats[i]; i++) {
        const size_t used = strlen(known);
        if (formats[i]->element)
            snprintf(known + used, sizeof known - used, "%s<%s> (%s)", used > 0 ? " or " : "", formats[i]->element,
                     formats[i]->name);
    }
    ff_report_add(report, FF_ERROR, place, "the first element is <%s>: a robot file starts with %s%s", name, known,
                  strcmp(name, "sdf") == 0 ? " (SDF is not read: convert the model to URDF)" : "");
}

const ff_robot_format *ff_robot_format_of(const ff_robot_format *const *formats, const char *text, size_t length,
                                          const char *file, ff_report *report)
{
    ff_place place = {file, 1, 1};
    const char first = first_character(text, length);
    char name[64] = "";
    if (!(is_wide(text, length) && first == '<') && !check_bytes(text, length, file, report)) return NULL;
    if (!first) {
        ff_report_add(report, FF_ERROR, place, "the file is empty");
        return NULL;
    }
    if (first == '<' && !read_element(text, length, file, name, &place, report)) return NULL;
    for (int i = 0; formats[i]; i++)
        if (formats[i]->element ? strcmp(formats[i]->element, name) == 0 : first != '<') return formats[i];
    report_element(formats, name, place, report);
    return NULL;
}
