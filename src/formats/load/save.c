// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From a robot to a file: the ending of the path chooses the format.
#include "base/file.h"
#include "base/missing.h"

#include <footfall/model.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef char *formatter(const ff_spec *spec, const ff_load_options *options, ff_report *report);

static formatter *formatter_of(const char *path)
{
    static const struct {
        const char *ending;
        formatter *format;
    } known[] = {{".xml", ff_spec_format_mjcf}, {".mjcf", ff_spec_format_mjcf}, {".urdf", ff_spec_format_urdf}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (strcasecmp(dot, known[i].ending) == 0) return known[i].format;
    return NULL;
}

static bool is_same(const char *real, const char *path)
{
    char *other = path && path[0] ? ff_file_real(path) : NULL;
    const bool same = other && strcmp(real, other) == 0;
    free(other);
    return same;
}

/// Was something of the robot read from this file? Paths that repeat are looked at once.
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

ff_status ff_spec_save(const ff_spec *spec, const char *path, const ff_load_options *options, ff_report *report)
{
    if (!spec || !path) return ff_report_missing(report, __func__, spec ? "path" : "description");
    formatter *format = formatter_of(path);
    if (!format) {
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0},
                      "the ending tells the format, and this one is not known: .xml (MJCF) or .urdf");
        return FF_BAD_ARGUMENT;
    }
    if (is_source(spec, path)) {
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0},
                      "the robot is read from this file, which stays as it is: choose another");
        return FF_BAD_ARGUMENT;
    }
    char *text = format(spec, options, report);
    if (!text) return FF_BAD_MODEL;
    const ff_status status = write_text(path, text, report);
    free(text);
    return status;
}
