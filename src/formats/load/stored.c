// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots from disk or from the image of a scene.
#include "load/stored.h"

#include <footfall/load.h>

typedef struct robot {
    ff_spec *spec;
    ff_report *said; // what was said while the file was read
} robot;

static void transfer_message(ff_image *image, ff_report *said, int i)
{
    ff_message empty = {0}, *m = image->mode == FF_IMAGE_READ ? &empty : &said->messages[i];
    ff_place place = {m->file, m->line, m->column};
    const char *text = m->text;
    FF_IMAGE_ENUM(image, ff_severity, m->severity, FF_WARNING);
    ff_image_place(image, &place);
    ff_image_word(image, &text);
    if (ff_image_reads(image)) ff_report_add(said, m->severity, place, "%s", text);
}

static void transfer_robot(ff_image *image, void *what)
{
    enum { LEAST_BYTES = 5 * 8 };
    const robot *r = what;
    int count = r->said->count;
    ff_image_spec(image, r->spec);
    ff_image_count(image, &count, LEAST_BYTES);
    for (int i = 0; i < count && !image->failure; i++) transfer_message(image, r->said, i);
}

ff_status ff_store_spec(ff_store *store, ff_spec *spec, const char *path, const ff_load_options *options,
                        ff_report *report)
{
    if (!store) return ff_spec_load(spec, path, options, report);
    ff_report said = {0};
    ff_error err = {0};
    robot r = {spec, &said};
    const ff_place place = {path, 0, 0};
    const char *key = ff_arena_printf(&store->arena, "robot %s%s%s", path, options->floating ? ", floating" : "",
                                      options->without_legs ? ", without legs" : "");
    ff_status status = FF_NO_MEMORY;
    if (key && store->closed) {
        status = ff_store_take(store, key, transfer_robot, &r, &spec->arena, &err);
        if (status != FF_OK) ff_report_add(&said, FF_ERROR, place, "%s", err.text);
    } else if (key) {
        status = ff_spec_load(spec, path, options, &said);
        if (status == FF_OK && !ff_store_keep(store, key, transfer_robot, &r)) status = FF_NO_MEMORY;
    }
    if (status != FF_OK && said.errors == 0) ff_report_add(&said, FF_ERROR, place, "%s", ff_status_text(status));
    ff_yaml_hand_over(&said, report);
    return status;
}
