// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From a path to a robot: read the file (never more than the limit), recognise its format by its content, call the
// reader.
#include <footfall/model.h>
#include <footfall/text.h>

#include <stdlib.h>
#include <string.h>

#include "model/xml_source.h"

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

/// Bytes that no text has, near the start of the file.
static bool is_binary(const char *text, size_t length)
{
    for (size_t i = 0; i < length && i < 4096; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 32 && c != '\t' && c != '\n' && c != '\r' && c != '\f') return true;
    }
    return false;
}

static ff_status parse_xml(ff_spec *spec, const char *text, size_t length, const char *path,
                           const ff_load_options *options, ff_report *report)
{
    char name[64];
    ff_place place = {path, 1, 1};
    int errors = report->errors;
    if (!xml_source_root(text, length, path, name, &place, report)) {
        if (report->errors == errors)
            ff_report_add(report, FF_ERROR, (ff_place){path, 1, 1}, "the file has no XML element: is it cut short?");
        return FF_BAD_FILE;
    }
    if (strcmp(name, "robot") == 0) return ff_spec_parse_urdf(spec, text, length, path, options, report);
    if (strcmp(name, "mujoco") == 0) return ff_spec_parse_mjcf(spec, text, length, path, options, report);
    const char *hint = strcmp(name, "sdf") == 0 ? " (SDF is not read: convert the model to URDF)" : "";
    ff_report_add(report, FF_ERROR, place,
                  "the first element is <%s>: a robot file starts with <robot> (URDF) or <mujoco> (MJCF)%s", name,
                  hint);
    return FF_BAD_FILE;
}

static ff_status parse(ff_spec *spec, const char *text, size_t length, const char *path, const ff_load_options *options,
                       ff_report *report)
{
    ff_place start = {path, 1, 1};
    char first = first_character(text, length);
    if (is_binary(text, length) && !(is_wide(text, length) && first == '<')) {
        ff_report_add(report, FF_ERROR, start,
                      "this is a binary file, not a robot in URDF, MJCF or YAML (a mesh is named inside a robot file)");
        return FF_BAD_FILE;
    }
    if (!first) {
        ff_report_add(report, FF_ERROR, start, "the file is empty");
        return FF_BAD_FILE;
    }
    if (first == '<') return parse_xml(spec, text, length, path, options, report);
    return ff_spec_parse_yaml(spec, text, length, path, options, report);
}

ff_status ff_spec_load(ff_spec *spec, const char *path, const ff_load_options *options, ff_report *report)
{
    ff_load_options chosen = options ? *options : ff_load_options_default();
    if (chosen.max_bytes == 0) chosen.max_bytes = ff_load_options_default().max_bytes;
    ff_report own = {0};
    ff_report *said = report ? report : &own;
    size_t length;
    if (!spec || !path) {
        ff_report_add(report, FF_ERROR, (ff_place){0}, "ff_spec_load needs a description and a path");
        return FF_BAD_ARGUMENT;
    }
    int errors = said->errors;
    char *text = ff_text_load(path, chosen.max_bytes, &length, (ff_place){path, 0, 0}, said);
    ff_status status = text ? parse(spec, text, length, path, &chosen, said) : FF_BAD_FILE;
    free(text);
    if (status == FF_OK && spec->arena.failed) status = FF_NO_MEMORY;
    if (status != FF_OK && said->errors == errors)
        ff_report_add(said, FF_ERROR, (ff_place){path, 0, 0}, "%s", ff_status_text(status));
    ff_report_clear(&own);
    return status;
}

ff_model *ff_model_load(const char *path, const ff_load_options *options, ff_report *report)
{
    ff_spec *spec = ff_spec_create(NULL);
    if (!spec) {
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "out of memory");
        return NULL;
    }
    ff_model *model = NULL;
    if (ff_spec_load(spec, path, options, report) == FF_OK) model = ff_model_compile(spec, options, report);
    ff_spec_destroy(spec);
    return model;
}
