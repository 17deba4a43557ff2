// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {climb: {height: 0.15, distance: 0.4, ..}}`: onto a ledge by a plan that is made when the scene is read, see footfall/climb.h.
#include "scene/control_kind.h"

#include <footfall/climb.h>

static void *read(ff_scene_reader *r, ff_yaml *node, const ff_scene_robot *robot)
{
    ff_climb_options *o = FF_ARENA_NEW(&r->scene->arena, ff_climb_options, 1);
    (void)robot;
    if (!o || !ff_yaml_expect(node, FF_YAML_MAP, "{height: .., distance: .., ..}", r->report)) return NULL;
    *o = ff_climb_options_default();
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
    return o->pose ? o : NULL;
}

static ff_status begin(void *settings, const ff_control_site *site, ff_scene_controller *out, ff_error *err)
{
    ff_climb *climb = NULL;
    ff_status status = ff_climb_create(site->model, settings, &climb, err);
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
