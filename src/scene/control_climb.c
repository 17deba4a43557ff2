// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {climb: {height: 0.15, distance: 0.4, ..}}`: onto a ledge by a plan that is made when the scene is read, see footfall/climb.h. A plan may take
// seconds: the simulations of the scene share it.
#include "scene/control_kind.h"

#include <footfall/climb.h>
#include <string.h>

typedef struct climb_settings {
    ff_climb_options options;
    ff_arena *arena;    // of the scene
    ff_climb_key *keys; // the plan, NULL: not made yet
    int count;
} climb_settings;

static void *read(ff_scene_reader *r, ff_yaml *node, const ff_scene_robot *robot)
{
    climb_settings *settings = FF_ARENA_NEW(&r->scene->arena, climb_settings, 1);
    (void)robot;
    if (!settings || !ff_yaml_expect(node, FF_YAML_MAP, "{height: .., distance: .., ..}", r->report)) return NULL;
    *settings = (climb_settings){.options = ff_climb_options_default(), .arena = &r->scene->arena};
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
    o->pose = ff_arena_strdup(&r->scene->arena, ff_yaml_string(node, "pose", o->pose, r->report));
    return o->pose ? settings : NULL;
}

static ff_status make(climb_settings *settings, const ff_model *model, ff_climb **out, ff_error *err)
{
    const ff_climb_options *o = &settings->options;
    if (settings->keys) return ff_climb_create_planned(model, o, settings->keys, settings->count, out, err);
    const ff_status status = ff_climb_create(model, o, out, err);
    if (status != FF_OK) return status;
    const ff_climb_key *keys = ff_climb_keys(*out, &settings->count);
    settings->keys = FF_ARENA_NEW(settings->arena, ff_climb_key, settings->count);
    if (settings->keys) memcpy(settings->keys, keys, (size_t)settings->count * sizeof *keys);
    return FF_OK;
}

static ff_status begin(void *settings, const ff_control_site *site, ff_scene_controller *out, ff_error *err)
{
    ff_climb *climb = NULL;
    ff_status status = make(settings, site->model, &climb, err);
    if (status == FF_OK) status = ff_climb_bind(climb, site->sensors, site->references, err);
    if (status != FF_OK) {
        ff_climb_destroy(climb);
        return status;
    }
    const ff_controller controller = ff_climb_controller(climb);
    out->context = controller.context;
    out->cycle = controller.cycle;
    out->memory = ff_climb_memory(climb, &out->memory_size);
    ff_climb_signals(climb, &out->nsignal, &out->signals, &out->values);
    return FF_OK;
}

static void end(void *context)
{
    ff_climb_destroy(context);
}

const ff_control_kind ff_control_climb = {.key = "climb", .positions = true, .read = read, .begin = begin, .end = end};
