// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Images of scenes. A run is created from each image before it is written, so that all written images can be run.
#include "base/file.h"
#include "scene/reader.h"

#include <footfall/run.h>
#include <footfall/text.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

unsigned char *ff_scene_make_image(const char *text, size_t length, const char *file, const char *const *overrides,
                                   int noverride, size_t *size, ff_report *report)
{
    unsigned char *image;
    const ff_scene_spec *scene =
        ff_scene_parse_to_image(text, length, file, overrides, noverride, &image, size, report);
    ff_run_options options = ff_run_options_default(scene);
    options.limited = true;
    ff_run *run = scene ? ff_run_create(scene, &options, report) : NULL;
    const bool runs = run != NULL;
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    if (runs) return image;
    free(image);
    return NULL;
}

ff_status ff_scene_write_image(const char *path, const char *const *overrides, int noverride, const char *out,
                               ff_report *report)
{
    size_t length, size;
    char *text = ff_text_load(path, FF_SCENE_IMAGE_MAX, &length, (ff_place){path, 0, 0}, report);
    if (!text) return FF_BAD_FILE;
    unsigned char *bytes = ff_scene_make_image(text, length, path, overrides, noverride, &size, report);
    free(text);
    if (!bytes) return FF_BAD_FILE;
    const bool written = ff_file_put(out, bytes, size);
    free(bytes);
    if (written) return FF_OK;
    ff_report_add(report, FF_ERROR, (ff_place){out, 0, 0}, "cannot be written: %s", strerror(errno));
    return FF_NOT_WRITTEN;
}
