// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From a path or a text to a robot.
#include "base/missing.h"
#include "load/formats.h"

#include <footfall/load.h>
#include <footfall/text.h>

#include <stdlib.h>

static ff_load_options complete(const ff_load_options *options)
{
    ff_load_options chosen = options ? *options : ff_load_options_default();
    if (chosen.max_bytes == 0) chosen.max_bytes = ff_load_options_default().max_bytes;
    return chosen;
}

ff_status ff_spec_load(ff_spec *spec, const char *path, const ff_load_options *options, ff_report *report)
{
    const ff_load_options chosen = complete(options);
    ff_report ignored = {0};
    ff_report *messages = report ? report : &ignored;
    if (!spec || !path) return ff_report_missing(report, __func__, spec ? "path" : "description");
    ff_robot_text from = {.file = path, .options = &chosen, .formats = ff_robot_formats};
    char *text = ff_text_load(path, chosen.max_bytes, &from.length, (ff_place){path, 0, 0}, messages);
    from.text = text;
    const ff_status status = text ? ff_robot_read(spec, &from, messages) : FF_BAD_FILE;
    free(text);
    ff_report_clear(&ignored);
    return status;
}

ff_status ff_spec_parse(ff_spec *spec, const char *format, const char *text, size_t length, const char *file,
                        const ff_load_options *options, ff_report *report)
{
    const ff_load_options chosen = complete(options);
    const ff_robot_format *chosen_format = ff_robot_format_named(ff_robot_formats, format);
    ff_report ignored = {0};
    if (!chosen_format) {
        char known[200];
        ff_robot_format_list(ff_robot_formats, false, known, sizeof known);
        ff_report_add(report, FF_ERROR, (ff_place){file, 0, 0}, "format is '%.40s': it must be one of %s", format,
                      known);
        return FF_BAD_ARGUMENT;
    }
    const ff_robot_text from = {text, length, file ? file : "", &chosen, ff_robot_formats, NULL};
    const ff_status status = chosen_format->read(spec, &from, report ? report : &ignored);
    ff_report_clear(&ignored);
    return status;
}

ff_model *ff_model_load(const char *path, const ff_load_options *options, ff_report *report)
{
    if (!path) return ff_report_missing(report, __func__, "path"), NULL;
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
