// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From a path to a robot: read the file (never more than the limit), tell its format from its content, call the reader.
#include "base/missing.h"
#include "files/format.h"
#include "model/find_legs.h"

#include <footfall/text.h>

#include <stdlib.h>

static ff_status parse(ff_spec *spec, const char *text, size_t length, const char *path, const ff_load_options *options,
                       ff_report *report)
{
    const ff_robot_format *format = ff_robot_format_of(ff_robot_formats, text, length, path, report);
    const ff_status status = format ? format->parse(spec, text, length, path, options, report) : FF_BAD_FILE;
    if (status == FF_OK && format->element && !options->without_legs) ff_find_legs(spec, path, report);
    return status;
}

ff_status ff_spec_load(ff_spec *spec, const char *path, const ff_load_options *options, ff_report *report)
{
    ff_load_options chosen = options ? *options : ff_load_options_default();
    if (chosen.max_bytes == 0) chosen.max_bytes = ff_load_options_default().max_bytes;
    ff_report own = {0};
    ff_report *said = report ? report : &own;
    size_t length;
    if (!spec || !path) return ff_report_missing(report, __func__, spec ? "path" : "description");
    int errors = said->errors;
    char *text = ff_text_load(path, chosen.max_bytes, &length, (ff_place){path, 0, 0}, said);
    ff_status status = text ? parse(spec, text, length, path, &chosen, said) : FF_BAD_FILE;
    free(text);
    if (status == FF_OK && spec->arena.failed) status = FF_NO_MEMORY;
    if (status == FF_OK && ff_stop_asked()) status = FF_STOPPED; // meshes may be missing from what was read
    if (status != FF_OK && said->errors == errors)
        ff_report_add(said, FF_ERROR, (ff_place){path, 0, 0}, "%s", ff_status_text(status));
    ff_report_clear(&own);
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
