// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {callback: NAME}`: a program that uses the library brings the controller by ff_scene_set_controller. The scene only says that there is
// one, so that drives and sensors are there; NAME is for people. `footfall run` cannot run such a scene, and says so.
#include "scene/control_kind.h"

static void *read(ff_scene_reader *r, ff_yaml *node, const ff_scene_robot *robot)
{
    const char *name = ff_yaml_as_string(node, r->report);
    (void)robot;
    return name ? ff_arena_strdup(&r->scene->arena, name) : NULL;
}

/// Stands in while the scene is read, before the program could bring anything: says nothing, so that the robot stays as it is.
static void stand_in(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    (void)context, (void)t, (void)sensors, (void)references;
}

static ff_status begin(void *settings, const ff_control_site *site, ff_scene_controller *out, ff_error *err)
{
    (void)site, (void)err;
    *out = (ff_scene_controller){.context = settings, .cycle = stand_in};
    return FF_OK;
}

static void end(void *context)
{
    (void)context;
}

const ff_control_kind ff_control_callback = {.key = "callback", .read = read, .begin = begin, .end = end};
