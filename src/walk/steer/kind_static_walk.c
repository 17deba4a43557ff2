// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {static_walk: {trunk: torso_roll, input: zmp}, commands: [{at: 0, walk: true, forward: 0.1}]}`: static
// walking on two legs, see footfall/static_walk.h. A command changes what it names.
#include "gait/static_walk.h"
#include "steer/kind.h"

enum { WALK, FORWARD, SIDEWAYS, TURN, HEIGHT, KEYS };

// ------------------------------------------------------------------------------------------ reading

#define OF ff_static_walk_command
static const ff_row COMMANDS[KEYS + 1] = {
    [WALK] = FF_COMMAND_SWITCH("walk", walk, "false: stop with feet side by side"),
    [FORWARD] = FF_COMMAND_NUMBER("forward", forward, "m", FF_ANY, "length of a step, ahead"),
    [SIDEWAYS] =
        FF_COMMAND_NUMBER("sideways", sideways, "m", FF_ANY, "length of a step, to the left; the other foot follows"),
    [TURN] = FF_COMMAND_NUMBER("turn", turn, "rad", FF_ANY, "turn of a step, to the left; the other foot follows"),
    [HEIGHT] = FF_COMMAND_NUMBER("height", height, "m", FF_NOT_NEGATIVE,
                                 "height of the pelvis above the lower sole; 0: as in the pose"),
    [KEYS] = {0},
};
#undef OF

static bool read(const ff_steer_reader *r, ff_yaml *node, void *settings)
{
    const ff_static_walk_options *options = settings;
    const int errors = r->report->errors;
    int key;
    ff_error err = {0};
    const ff_yaml *pose = ff_yaml_get(node, "pose"), *trunk = ff_yaml_get(node, "trunk");
    if (pose && ff_model_need_key(r->robot, options->pose, &key, &err) != FF_OK)
        ff_report_add(r->report, FF_ERROR, pose->place, "%s", err.text);
    if (trunk && ff_model_find_joint(r->robot, options->trunk) < 0)
        ff_report_add(r->report, FF_ERROR, trunk->place, "the robot has no joint '%.60s'", options->trunk);
    return r->report->errors == errors;
}

// ------------------------------------------------------------------------------------------ at work

static ff_status give_command(void *biped, double t, const ff_command *command, ff_error *err)
{
    ff_static_walk_command next = ff_static_walk_command_get(biped);
    (void)t;
    ff_settings_merge(COMMANDS, command->given, command->values, &next);
    return ff_static_walk_command_set(biped, &next, err);
}

static int list_keys(const void *biped, ff_command_key *out, int most)
{
    const ff_static_walk_command now = ff_static_walk_command_get(biped);
    const double stand = ff_static_walk_stand_height(biped);
    double heights[2];
    ff_static_walk_heights(biped, heights);
    const ff_command_range ranges[] = {{.row = WALK},
                                       {FORWARD, -0.2 * stand, 0.2 * stand},
                                       {SIDEWAYS, -0.15 * stand, 0.15 * stand},
                                       {TURN, -0.5, 0.5},
                                       {HEIGHT, heights[0], heights[1]}};
    return FF_COMMAND_KEYS(COMMANDS, &now, ranges, out, most);
}

/// Commands are those of a single step, not speeds: the robot stands still in between.
static ff_body_command get_body_command(const void *biped)
{
    return (ff_body_command){.height = ff_static_walk_command_get(biped).height};
}

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    *out = ff_static_walk_create(site->robot, settings, err);
    return *out ? FF_OK : err->status;
}

FF_KIND_BIND(ff_static_walk)

static void report_warnings(const void *biped, ff_place place, ff_report *report)
{
    unsigned ever = 0;
    ff_static_walk_status(biped, &ever);
    const char *leg = ff_static_walk_short_leg(biped), *drive = ff_static_walk_short_drive(biped);
    for (int bit = 0; bit < FF_STATIC_WALK_STATUS_BITS; bit++) {
        if (!(ever >> bit & 1U) || (1U << bit) == FF_STATIC_WALK_WAITING) continue;
        const bool reach = (1U << bit) == FF_STATIC_WALK_OUT_OF_REACH;
        ff_report_add(report, FF_WARNING, place, "while walking, first at %.2f s: %s%s%s%s%s%s%s",
                      ff_static_walk_first(biped, bit), ff_static_walk_status_text(bit), reach && leg ? ": leg '" : "",
                      reach && leg ? leg : "", reach && leg ? "'" : "", reach && drive ? ": drive '" : "",
                      reach && drive ? drive : "", reach && drive ? "'" : "");
    }
}

const ff_controller_kind ff_controller_static_walk = {.name = "static_walk",
                                                      .help = "walks statically on two legs with soles",
                                                      .longest = 0.02, // it takes a longer gap between cycles for this
                                                      .positions = true,
                                                      .parameters = ff_static_walk_settings,
                                                      .settings_size = sizeof(ff_static_walk_options),
                                                      .read = read,
                                                      .create = create,
                                                      .bind = bind,
                                                      .destroy = destroy,
                                                      .commands = COMMANDS,
                                                      .command_size = sizeof(ff_static_walk_command),
                                                      .command = give_command,
                                                      .command_keys = list_keys,
                                                      .body_command = get_body_command,
                                                      .status_text = ff_static_walk_status_text,
                                                      .report = report_warnings};
