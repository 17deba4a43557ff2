// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {hill: {start: 0.4, length: 1.2, height: 0.1, ..}}`: over a smooth hill with a body that bends, see footfall/climb.h.
#include "steer/kind.h"

#include <footfall/climb.h>

static void *read(const ff_steer_reader *r, ff_yaml *node)
{
    ff_hill_options *o = FF_ARENA_NEW(r->arena, ff_hill_options, 1);
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

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    ff_hill *hill = NULL;
    const ff_status status = ff_hill_create(site->robot, settings, &hill, err);
    *out = hill;
    return status;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller_ports *ports, ff_error *err)
{
    const ff_status status = ff_hill_bind(controller, site->sensors, site->references, err);
    ports->memory = ff_hill_memory(controller, &ports->memory_size);
    ff_hill_signals(controller, &ports->nsignal, &ports->signals, &ports->values);
    return status;
}

static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const ff_controller c = ff_hill_controller(controller);
    c.cycle(c.context, t, sensors, references);
}

static void report_warnings(const void *controller, ff_place place, ff_report *report)
{
    unsigned ever = 0;
    ff_hill_status(controller, &ever);
    for (int bit = 0; bit < FF_WALK_STATUS_BITS; bit++)
        if ((ever >> bit & 1U) && (1U << bit) != FF_WALK_WAITING)
            ff_report_add(report, FF_WARNING, place, "on the hill: %s", ff_walk_status_text(bit));
}

static unsigned get_status(const void *controller)
{
    return ff_hill_status(controller, NULL);
}

static void destroy(void *controller)
{
    ff_hill_destroy(controller);
}

const ff_controller_kind ff_controller_hill = {.name = "hill",
                                               .positions = true,
                                               .read = read,
                                               .create = create,
                                               .bind = bind,
                                               .step = step,
                                               .destroy = destroy,
                                               .status = get_status,
                                               .status_text = ff_walk_status_text,
                                               .report = report_warnings};
