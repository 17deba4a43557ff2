// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From a robot to a file: the ending of the path chooses the format.
#include "base/file.h"
#include "base/missing.h"
#include "load/formats.h"

#include <footfall/load.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_same(const char *real, const char *path)
{
    char *other = path && path[0] ? ff_file_real(path) : NULL;
    const bool same = other && strcmp(real, other) == 0;
    free(other);
    return same;
}

/// Was a part of the robot read from this file? Runs of equal paths are checked once.
static bool is_source(const ff_spec *spec, const char *path)
{
    char *real = ff_file_real(path); // NULL: a new file
    const char *last = NULL;
    bool found = false;
    for (int i = 0; real && !found && i < spec->nbody; i++) {
        const char *file = spec->bodies[i].place.file;
        if (file != last) found = is_same(real, file);
        last = file;
    }
    for (int i = 0; real && !found && i < spec->nmesh; i++)
        found = is_same(real, spec->meshes[i].path) || is_same(real, spec->meshes[i].place.file);
    free(real);
    return found;
}

static ff_status write_text(const char *path, const char *text, ff_report *report)
{
    if (ff_file_put(path, text, strlen(text))) return FF_OK;
    ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "cannot be written: %s", strerror(errno));
    return FF_NOT_WRITTEN;
}

char *ff_spec_format(const ff_spec *spec, const char *format, const ff_load_options *options, ff_report *report)
{
    const ff_robot_format *chosen = ff_robot_format_named(ff_robot_formats, format);
    if (chosen && chosen->write) return chosen->write(spec, options, report);
    char known[200];
    ff_robot_format_list(ff_robot_formats, true, known, sizeof known);
    ff_report_add(report, FF_ERROR, (ff_place){0}, "format is '%.40s': it must be one of %s", format, known);
    return NULL;
}

ff_status ff_spec_save(const ff_spec *spec, const char *path, const ff_load_options *options, ff_report *report)
{
    if (!spec || !path) return ff_report_missing(report, __func__, spec ? "path" : "description");
    const char *dot = strrchr(path, '.');
    const ff_robot_format *format = dot ? ff_robot_format_named(ff_robot_formats, dot + 1) : NULL;
    if (!format || !format->write) {
        char known[200];
        ff_robot_format_list(ff_robot_formats, true, known, sizeof known);
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "the ending chooses the format, which is one of %s",
                      known);
        return FF_BAD_ARGUMENT;
    }
    if (is_source(spec, path)) {
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0},
                      "the robot is read from this file, which stays as it is: choose another");
        return FF_BAD_ARGUMENT;
    }
    char *text = format->write(spec, options, report);
    if (!text) return FF_BAD_MODEL;
    const ff_status status = write_text(path, text, report);
    free(text);
    return status;
}
