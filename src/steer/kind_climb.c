// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {climb: {height: 0.15, distance: 0.4, ..}}`: onto a ledge by a plan that is made when the settings are read, see footfall/climb.h. A plan may take
// seconds: simulations share it.
#include "steer/kind.h"

#include <footfall/climb.h>
#include <string.h>

typedef struct climb_plan {
    ff_arena *arena;    // of the settings
    ff_climb_key *keys; // NULL: not made yet
    int count;
} climb_plan;

typedef struct climb_settings {
    ff_climb_options options;
    climb_plan *plan;
} climb_settings;

static void *read(const ff_steer_reader *r, ff_yaml *node)
{
    climb_settings *settings = FF_ARENA_NEW(r->arena, climb_settings, 1);
    climb_plan *plan = FF_ARENA_NEW(r->arena, climb_plan, 1);
    if (!settings || !plan || !ff_yaml_expect(node, FF_YAML_MAP, "{height: .., distance: .., ..}", r->report))
        return NULL;
    *settings = (climb_settings){.options = ff_climb_options_default(), .plan = plan};
    plan->arena = r->arena;
    ff_climb_options *o = &settings->options;
    const struct {
        const char *key;
        double *value;
    } numbers[] = {{"height", &o->height},
                   {"distance", &o->distance},
                   {"margin", &o->margin},
                   {"clearance", &o->clearance},
                   {"edge", &o->edge},
                   {"gap", &o->gap},
                   {"lift", &o->lift},
                   {"limit", &o->limit},
                   {"torque", &o->torque},
                   {"joint_speed", &o->joint_speed},
                   {"foot_speed", &o->foot_speed},
                   {"body_speed", &o->body_speed}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i].value = ff_yaml_number(node, numbers[i].key, *numbers[i].value, r->report);
    o->rigid = ff_yaml_boolean(node, "rigid", o->rigid, r->report);
    o->pose = ff_arena_strdup(r->arena, ff_yaml_string(node, "pose", o->pose, r->report));
    return o->pose ? settings : NULL;
}

static ff_status create(const void *all, const ff_controller_site *site, void **out, ff_error *err)
{
    const climb_settings *settings = all;
    const ff_climb_options *o = &settings->options;
    climb_plan *plan = settings->plan;
    ff_climb *climb = NULL;
    ff_status status;
    if (plan->keys)
        status = ff_climb_create_planned(site->robot, o, plan->keys, plan->count, &climb, err);
    else
        status = ff_climb_create(site->robot, o, &climb, err);
    *out = climb;
    if (status != FF_OK || plan->keys) return status;
    const ff_climb_key *keys = ff_climb_keys(climb, &plan->count);
    plan->keys = FF_ARENA_NEW(plan->arena, ff_climb_key, plan->count);
    if (plan->keys) memcpy(plan->keys, keys, (size_t)plan->count * sizeof *keys);
    return FF_OK;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller_ports *ports, ff_error *err)
{
    const ff_status status = ff_climb_bind(controller, site->sensors, site->references, err);
    ports->memory = ff_climb_memory(controller, &ports->memory_size);
    ff_climb_signals(controller, &ports->nsignal, &ports->signals, &ports->values);
    return status;
}

static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const ff_controller c = ff_climb_controller(controller);
    c.cycle(c.context, t, sensors, references);
}

static void destroy(void *controller)
{
    ff_climb_destroy(controller);
}

const ff_controller_kind ff_controller_climb = {
    .name = "climb", .positions = true, .read = read, .create = create, .bind = bind, .step = step, .destroy = destroy};
