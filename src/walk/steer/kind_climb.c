// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {climb: {height: 0.15, distance: 0.4, ..}}`: onto a ledge by a plan that is made when the settings are
// read, see footfall/climb.h. A plan may take seconds: simulations share it.
#include "steer/commands.h"
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

#define OF climb_settings
static const ff_row PARAMETERS[] = {
    FF_ROW_NUMBER("height", options.height, "m", FF_BETWEEN(0, 10), "of the ledge"),
    FF_ROW_NUMBER("distance", options.distance, "m", FF_BETWEEN(0, 10), "from the root body's origin to the wall"),
    FF_ROW_NUMBER("margin", options.margin, "m", FF_BETWEEN(0, 1), "least stability margin of the centre of mass"),
    FF_ROW_NUMBER("clearance", options.clearance, "m", FF_BETWEEN(0, 1), "of bodies and limbs from the ground"),
    FF_ROW_NUMBER("edge", options.edge, "m", FF_BETWEEN(0, 1), "of the middle of a foot from edge and wall"),
    FF_ROW_NUMBER("gap", options.gap, "m", FF_BETWEEN(0, 1), "between neighbouring feet of one side"),
    FF_ROW_NUMBER("lift", options.lift, "m", FF_BETWEEN(0, 1), "of a foot above what it steps over"),
    FF_ROW_NUMBER("limit", options.limit, "rad", FF_BETWEEN(0, 1), "of joints from their limits"),
    FF_ROW_NUMBER("torque", options.torque, "", FF_BETWEEN(0, 1), "share of a drive's torque that weight may need"),
    FF_ROW_NUMBER("joint_speed", options.joint_speed, "rad/s", FF_BETWEEN(1e-3, 100), "greatest speed of a joint"),
    FF_ROW_NUMBER("foot_speed", options.foot_speed, "m/s", FF_BETWEEN(1e-4, 10), "of a foot in the air"),
    FF_ROW_NUMBER("body_speed", options.body_speed, "m/s", FF_BETWEEN(1e-4, 10), "of the body"),
    FF_ROW_SWITCH("look", options.look, "measure height and distance by a distance sensor in the head, then plan"),
    FF_ROW_SWITCH("rigid", options.rigid, "joints between the segments of the body are held"),
    FF_ROW_TEXT("pose", options.pose, "of the robot's file, in which it stands"),
    {0},
};
#undef OF

static void set_defaults(void *all)
{
    climb_settings *settings = all;
    settings->options = ff_climb_options_default();
}

static bool read(const ff_steer_reader *r, ff_yaml *node, void *all)
{
    climb_settings *settings = all;
    (void)node;
    settings->plan = FF_ARENA_NEW(r->arena, climb_plan, 1);
    if (settings->plan) settings->plan->arena = r->arena;
    return settings->plan != NULL;
}

static ff_status create(const void *all, const ff_controller_site *site, void **out, ff_error *err)
{
    const climb_settings *settings = all;
    const ff_climb_options *o = &settings->options;
    climb_plan *plan = settings->plan;
    ff_climb *climb = plan->keys ? ff_climb_create_planned(site->robot, o, plan->keys, plan->count, err)
                                 : ff_climb_create(site->robot, o, err);
    *out = climb;
    if (!climb) return err->status;
    if (plan->keys || o->look) return FF_OK;
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

static ff_status check(const void *controller, ff_error *err)
{
    return ff_climb_check(controller, err);
}

static ff_status give_command(void *controller, double t, const void *given, ff_error *err)
{
    const ff_plan_command *c = given;
    (void)t, (void)err;
    if (c->given[0]) ff_climb_set_walking(controller, c->walk);
    return FF_OK;
}

static int list_keys(const void *controller, ff_command_key *out, int most)
{
    return ff_plan_command_list(ff_climb_is_walking(controller), out, most);
}

static void destroy(void *controller)
{
    ff_climb_destroy(controller);
}

const ff_controller_kind ff_controller_climb = {.name = "climb",
                                                .help = "onto a ledge, by a plan made before the first step",
                                                .positions = true,
                                                .parameters = PARAMETERS,
                                                .settings_size = sizeof(climb_settings),
                                                .set_defaults = set_defaults,
                                                .read = read,
                                                .create = create,
                                                .bind = bind,
                                                .step = step,
                                                .destroy = destroy,
                                                .commands = ff_plan_command_rows,
                                                .read_command = ff_plan_command_read,
                                                .command = give_command,
                                                .command_keys = list_keys,
                                                .check = check};
