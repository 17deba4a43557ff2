// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {hill: {start: 0.4, length: 1.2, height: 0.1, ..}}`: over a smooth hill with a body that bends, see footfall/climb.h.
#include "scene/control_kind.h"

#include <footfall/climb.h>

static void *read(ff_scene_reader *r, ff_yaml *node, const ff_scene_robot *robot)
{
    ff_hill_options *o = FF_ARENA_NEW(&r->scene->arena, ff_hill_options, 1);
    (void)robot;
    if (!o || !ff_yaml_expect(node, FF_YAML_MAP, "{start: .., length: .., height: .., ..}", r->report)) return NULL;
    *o = ff_hill_options_default();
    const struct {
        const char *key;
        double *value;
    } numbers[] = {{"start", &o->start}, {"length", &o->length}, {"height", &o->height},
                   {"speed", &o->speed}, {"zone", &o->zone},     {"way", &o->way}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i].value = ff_yaml_number(node, numbers[i].key, *numbers[i].value, r->report);
    o->rigid = ff_yaml_boolean(node, "rigid", o->rigid, r->report);
    ff_yaml *gait = ff_yaml_get(node, "gait");
    const char *name = ff_yaml_string(node, "gait", ff_gait_name(o->gait), r->report);
    const int found = ff_gait_find(name);
    if (found < 0) {
        ff_report_add(r->report, FF_ERROR, gait->place, "no gait '%.40s': wave, gallop or tripod", name);
        return NULL;
    }
    o->gait = (ff_gait)found;
    return o;
}

static ff_status begin(void *settings, const ff_control_site *site, ff_scene_controller *out, ff_error *err)
{
    ff_hill *hill = NULL;
    ff_status status = ff_hill_create(site->model, settings, &hill, err);
    if (status == FF_OK) status = ff_hill_bind(hill, site->sensors, site->references, err);
    if (status != FF_OK) {
        ff_hill_destroy(hill);
        return status;
    }
    const ff_controller controller = ff_hill_controller(hill);
    out->context = controller.context;
    out->cycle = controller.cycle;
    out->memory = ff_hill_memory(hill, &out->memory_size);
    ff_hill_signals(hill, &out->nsignal, &out->signals, &out->values);
    return FF_OK;
}

static void tell(const void *context, ff_place place, ff_report *report)
{
    unsigned ever = 0;
    ff_hill_status(context, &ever);
    for (int bit = 0; bit < FF_WALK_STATUS_BITS; bit++)
        if ((ever >> bit & 1U) && (1U << bit) != FF_WALK_WAITING)
            ff_report_add(report, FF_WARNING, place, "on the hill: %s", ff_walk_status_text(bit));
}

static unsigned get_status(const void *context)
{
    return ff_hill_status(context, NULL);
}

static void end(void *context)
{
    ff_hill_destroy(context);
}

const ff_control_kind ff_control_hill = {.key = "hill",
                                         .positions = true,
                                         .read = read,
                                         .begin = begin,
                                         .tell = tell,
                                         .status = get_status,
                                         .status_text = ff_walk_status_text,
                                         .end = end};
