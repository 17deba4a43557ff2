// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How the format of a robot file is recognised: by its first element, or as YAML.
#include "files/format.h"
#include "base/file.h"
#include "model/edit.h"
#include "text/xml_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/// First character that is neither blank nor part of a byte order mark; '\0' for none. Zero bytes count as blank:
/// UTF-16.
static char first_character(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r\n\xEF\xBB\xBF\xFF\xFE", text[i])) return text[i];
    return '\0';
}

/// UTF-16, recognised by its byte order mark or by the '<' it starts with.
static bool is_wide(const char *text, size_t length)
{
    return length >= 4 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0 ||
                           memcmp(text, "<\0", 2) == 0 || memcmp(text, "\0<", 2) == 0);
}

/// Number of control characters that no text has; `*first` is the first of them.
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

/// Reports the place of a stray control character in a text, or that a file full of them is binary; then false.
static bool check_bytes(const char *text, size_t length, const char *file, ff_report *report)
{
    const size_t inspected = length < 4096 ? length : 4096;
    size_t first = 0;
    const size_t count = count_controls(text, inspected, &first);
    ff_place place = {file, 1, 1};
    if (count == 0) return true;
    if (count > inspected / 16) {
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
                     formats[i]->title);
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
    const ff_robot_format *fallback = NULL;
    for (int i = 0; formats[i]; i++) {
        const ff_robot_format *format = formats[i];
        const size_t size = format->beginning ? strlen(format->beginning) : 0;
        if (format->element ? strcmp(format->element, name) == 0
                            : size > 0 && size <= length && memcmp(format->beginning, text, size) == 0)
            return format;
        if (!format->element && !format->beginning && first != '<') fallback = format;
    }
    if (!fallback) report_element(formats, name, place, report);
    return fallback;
}

const ff_robot_format *ff_robot_format_named(const ff_robot_format *const *formats, const char *word)
{
    for (int i = 0; formats[i]; i++) {
        if (strcasecmp(formats[i]->name, word) == 0) return formats[i];
        for (int k = 0; formats[i]->endings[k]; k++)
            if (strcasecmp(formats[i]->endings[k], word) == 0) return formats[i];
    }
    return NULL;
}

void ff_robot_format_list(const ff_robot_format *const *formats, bool written, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; formats[i] && used < size; i++)
        if (formats[i]->write || !written)
            used += (size_t)snprintf(out + used, size - used, "%s%s (%s)", used > 0 ? ", " : "", formats[i]->endings[0],
                                     formats[i]->title);
}

ff_status ff_robot_read(ff_spec *spec, const ff_robot_text *from, ff_report *report)
{
    const int errors = report->errors;
    const ff_robot_format *format = ff_robot_format_of(from->formats, from->text, from->length, from->file, report);
    ff_status status = format ? format->read(spec, from, report) : FF_BAD_FILE;
    if (status == FF_OK && !format->has_legs && !from->options->without_legs) ff_find_legs(spec, from->file, report);
    if (status == FF_OK && spec->arena.failed) status = FF_NO_MEMORY;
    if (status == FF_OK && ff_stop_asked()) status = FF_STOPPED; // meshes may be missing from what was read
    if (status != FF_OK && report->errors == errors)
        ff_report_add(report, FF_ERROR, (ff_place){from->file, 0, 0}, "%s", ff_status_text(status));
    return status;
}

bool ff_robot_is_open(const ff_robot_text *from, const char *path)
{
    char *real = ff_file_real(path);
    bool found = false;
    for (; real && from && !found; from = from->importer) {
        char *other = ff_file_real(from->file);
        found = other && strcmp(real, other) == 0;
        free(other);
    }
    free(real);
    return found;
}
