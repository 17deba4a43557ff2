// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes as the program meets them on the command line.
#include "scenes.h"

#include <footfall/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// A YAML string in single quotes, in which only the quote itself is special.
static const char *quote(const char *text, ff_arena *arena)
{
    char *out = ff_arena_alloc(arena, 2 * strlen(text) + 3, 1);
    if (!out) return NULL;
    char *p = out;
    *p++ = '\'';
    for (; *text; text++) {
        if (*text == '\'') *p++ = '\'';
        *p++ = *text;
    }
    *p++ = '\'';
    return out;
}

// A robot that cannot be loaded is reported as a robot, before a scene is made of it: the messages then name the user's
// file.
static bool robot_loads(const char *path, const ff_load_options *load, ff_report *report)
{
    ff_model *model = ff_model_load(path, load, report);
    bool moves = model && model->nv > 0;
    if (model && !moves)
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0},
                      "there is no joint, so nothing would move; --floating frees the root of a URDF");
    ff_model_destroy(model);
    return moves;
}

void scene_of_robot_errors(const char *path, const ff_report *found, ff_report *report)
{
    for (int i = 0; i < found->count; i++) {
        const ff_message *message = &found->messages[i];
        const bool in_override = strncmp(message->file, "--set", 5) == 0;
        const ff_place place = {in_override ? message->file : path, 0, 0};
        if (message->severity == FF_ERROR) ff_report_add(report, FF_ERROR, place, "%s", message->text);
    }
}

const ff_scene_spec *scene_of_robot(const char *path, const model_options *options, const char *const *overrides,
                                    int noverride, ff_report *report)
{
    ff_load_options load = loading_options(options);
    if (!robot_loads(path, &load, report)) return NULL;
    ff_arena arena = {0};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *quoted = quote(name, &arena);
    const char *text =
        quoted ? ff_arena_printf(&arena,
                                 "footfall: 1\n"
                                 "robot: {file: %s, floating: %s, repair: %s}\n"
                                 "solver: {method: rk4}\n"
                                 "time: 5\n"
                                 "record: {rate: 200, channels: [q, v, com.pos, energy]}\n",
                                 quoted, options->floating ? "true" : "false", options->repair ? "true" : "false")
               : NULL;
    ff_report again = {0}; // the robot's own warnings are in `report` already
    const ff_scene_spec *scene = text ? ff_scene_parse(text, strlen(text), path, overrides, noverride, &again) : NULL;
    if (!scene) scene_of_robot_errors(path, &again, report);
    ff_report_clear(&again);
    ff_arena_clear(&arena);
    return scene;
}
