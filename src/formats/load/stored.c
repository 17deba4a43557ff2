// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots from disk or from the image of a scene.
#include "load/stored.h"

#include <footfall/load.h>

typedef struct robot {
    ff_spec *spec;
    ff_report *messages; // of the reader of the file
} robot;

static void transfer_message(ff_image *image, ff_report *messages, int i)
{
    ff_message empty = {0}, *m = image->mode == FF_IMAGE_READ ? &empty : &messages->messages[i];
    ff_place place = {m->file, m->line, m->column};
    const char *text = m->text;
    FF_IMAGE_ENUM(image, ff_severity, m->severity, FF_WARNING);
    ff_image_place(image, &place);
    ff_image_word(image, &text);
    if (ff_image_reads(image)) ff_report_add(messages, m->severity, place, "%s", text);
}

static void transfer_robot(ff_image *image, void *what)
{
    enum { LEAST_BYTES = 5 * 8 };
    const robot *r = what;
    int count = r->messages->count;
    ff_image_spec(image, r->spec);
    ff_image_count(image, &count, LEAST_BYTES);
    for (int i = 0; i < count && !image->failure; i++) transfer_message(image, r->messages, i);
}

ff_status ff_store_spec(ff_store *store, ff_spec *spec, const char *path, const ff_load_options *options,
                        ff_report *report)
{
    if (!store) return ff_spec_load(spec, path, options, report);
    ff_report messages = {0};
    ff_error err = {0};
    robot r = {spec, &messages};
    const ff_place place = {path, 0, 0};
    const char *key = ff_arena_printf(&store->arena, "robot %s%s%s", path, options->floating ? ", floating" : "",
                                      options->without_legs ? ", without legs" : "");
    ff_status status = store->closed ? FF_OK : ff_spec_load(spec, path, options, &messages);
    if (status == FF_OK) {
        status = ff_store_transfer(store, key, transfer_robot, &r, &spec->arena, &err);
        if (status != FF_OK) ff_report_add(&messages, FF_ERROR, place, "%s", err.text);
    }
    if (status != FF_OK && messages.errors == 0)
        ff_report_add(&messages, FF_ERROR, place, "%s", ff_status_text(status));
    ff_yaml_hand_over(&messages, report);
    return status;
}
