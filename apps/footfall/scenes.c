// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes as the program meets them on the command line.
#include "scenes.h"

#include <footfall/text.h>
#include <stdio.h>
#include <stdlib.h>

#define SCENE_BYTES_MAX ((size_t)4 << 20) // a scene is a page of text; anything larger is something else

// An image may be larger than any text.
static bool starts_as_image(const char *path)
{
    char first[8];
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(first, 1, sizeof first, file) : 0;
    if (file) fclose(file);
    return ff_scene_is_image(first, got);
}

bool scene_file_detect(const char *path)
{
    char *text;
    size_t length = 0;
    const ff_status status = ff_text_read(path, SCENE_BYTES_MAX, &text, &length, NULL);
    bool found = status == FF_OK && ff_scene_detect(text, length);
    free(text);
    return found || (status == FF_LIMIT && starts_as_image(path));
}

void scene_file_refuse(const char *path, ff_report *report)
{
    char *text;
    size_t length = 0;
    ff_error err = {0};
    const ff_place place = {path, 0, 0};
    if (ff_text_read(path, SCENE_BYTES_MAX, &text, &length, &err))
        ff_report_add(report, FF_ERROR, place, "it cannot be read as a scene: %s", err.text);
    else
        ff_report_add(report, FF_ERROR, place,
                      "this is no scene; one of a robot has the lines 'footfall: 1' and 'robot: FILE', and what it "
                      "stands on: 'terrain: [{plane: {}}]'");
    free(text);
}
