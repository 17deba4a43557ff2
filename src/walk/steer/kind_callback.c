// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {callback: NAME}`: a program that uses the library gives the controller (ff_robot_controller). With this
// key the scene has drives and sensors; NAME is for messages. `footfall run` refuses such a scene. A controller that a
// program puts in the place of another kind is of this kind too.
#include "steer/kind.h"

#include <stdlib.h>

static bool read(const ff_steer_reader *r, ff_yaml *node, void *settings)
{
    const char *name = ff_yaml_as_string(node, r->report), *copy = name ? ff_arena_strdup(r->arena, name) : NULL;
    ((ff_callback_settings *)settings)->name = copy;
    return copy != NULL;
}

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    ff_robot_controller *c = malloc(sizeof *c);
    (void)site;
    if (!c) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    *c = ((const ff_callback_settings *)settings)->controller;
    *out = c;
    return FF_OK;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller *bound, ff_error *err)
{
    const ff_robot_controller *c = controller;
    *bound = (ff_controller){.memory = c->memory,
                             .memory_size = c->memory_size,
                             .signals = c->signals,
                             .values = c->values,
                             .nsignal = c->nsignal};
    return c->bind ? c->bind(c->context, site->robot, site->sensors, site->references, err) : FF_OK;
}

/// Calls the controller of the program. While a file is checked there is none, and the robot gets no references.
static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const ff_robot_controller *c = controller;
    if (c->cycle) c->cycle(c->context, t, sensors, references);
}

const ff_controller_kind ff_controller_callback = {.name = "callback",
                                                   .help = "C code of the calling program; the value is its name",
                                                   .unchecked = true,
                                                   .beside = true,
                                                   .settings_size = sizeof(ff_callback_settings),
                                                   .read = read,
                                                   .create = create,
                                                   .bind = bind,
                                                   .step = step,
                                                   .destroy = free};
