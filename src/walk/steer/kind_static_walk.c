// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {static_walk: {trunk: torso_roll, input: zmp}, commands: [{at: 0, walk: true, forward: 0.1}]}`: static
// walking on two legs, see footfall/static_walk.h. A command changes what it names.
#include "steer/commands.h"
#include "steer/kind.h"

#include <footfall/math.h>
#include <footfall/static_walk.h>

enum { NCOMMAND = 5 };

typedef struct command {
    bool given[NCOMMAND];
    ff_static_walk_command values;
} command;

typedef struct settings {
    ff_static_walk_options options;
} settings;

// ------------------------------------------------------------------------------------------ reading

static const char *const INPUTS[] = {"com", "zmp", "capture", "none", NULL};

#define OF settings
static const ff_row PARAMETERS[] = {
    FF_ROW_TEXT("pose", options.pose, "of the robot's file, in which it stands"),
    FF_ROW_TEXT("trunk", options.trunk, "joint that leans the trunk to the side of the foot that carries"),
    FF_ROW_NUMBER("lean", options.lean, "rad", FF_BETWEEN(-0.9, 0.9), "by which the trunk leans"),
    FF_ROW_NUMBER("shift_time", options.shift_time, "s", FF_POSITIVE, "of the centre of mass from foot to foot"),
    FF_ROW_NUMBER("swing_time", options.swing_time, "s", FF_POSITIVE, "of a foot"),
    FF_ROW_NUMBER("lift", options.lift, "m", FF_POSITIVE, "of a foot above the ground"),
    FF_ROW_NUMBER("inward", options.inward, "m", FF_BETWEEN(-0.9, 0.9),
                  "centre of mass on one foot: from its middle towards the other foot"),
    FF_ROW_NUMBER("ahead", options.ahead, "m", FF_BETWEEN(-0.9, 0.9), "and ahead of its middle"),
    FF_ROW_CHOICE("input", options.input, INPUTS,
                  "what the balance is corrected by: centre of mass, zero moment point of the foot sensors, or both as "
                  "the capture point, which alone damps sway"),
    FF_ROW_NUMBER("balance", options.balance, "s", FF_POSITIVE, "time in which an error of balance is corrected"),
    FF_ROW_NUMBER("yield", options.yield, "rad/(N m s)", FF_NOT_NEGATIVE, "of feet to moments that are not planned"),
    FF_ROW_NUMBER("yield_time", options.yield_time, "s", FF_POSITIVE, "in which they come back"),
    FF_ROW_NUMBER("shift_limit", options.shift_limit, "m", FF_NOT_NEGATIVE, "greatest correction"),
    FF_ROW_NUMBER("tolerance", options.tolerance, "m", FF_POSITIVE, "error of balance with which a foot may lift"),
    FF_ROW_NUMBER("patience", options.patience, "s", FF_NOT_NEGATIVE, "but it waits no longer than this"),
    FF_ROW_NUMBER("level", options.level, "s", FF_POSITIVE, "in which feet follow the ground they stand on"),
    FF_ROW_NUMBER("contact", options.contact_on, "N", FF_POSITIVE, "vertical force of a foot that has landed"),
    FF_ROW_NUMBER("press", options.press, "N", FF_POSITIVE, "with which it is pressed while it turns onto the ground"),
    FF_ROW_NUMBER("comply", options.comply, "rad/(N m s)", FF_NOT_NEGATIVE, "how fast it turns"),
    FF_ROW_NUMBER("land_time", options.land_time, "s", FF_NOT_NEGATIVE, "longest time for that"),
    FF_ROW_NUMBER("search", options.search, "m", FF_NOT_NEGATIVE, "depth of the search for ground"),
    FF_ROW_NUMBER("stale", options.stale, "s", FF_POSITIVE, "age beyond which a sensor value is not used"),
    FF_ROW_SWITCH("feedforward", options.feedforward, "send the torques that carry the weight along"),
    {0},
};
#undef OF

#define OF ff_static_walk_command
static const ff_row COMMANDS[] = {
    FF_ROW_SWITCH("walk", walk, "false: it comes to a stand with its feet side by side"),
    FF_ROW_NUMBER("forward", forward, "m", FF_ANY, "advance of a step"),
    FF_ROW_NUMBER("sideways", sideways, "m", FF_ANY, "of a step, to the left; the other foot follows"),
    FF_ROW_NUMBER("turn", turn, "rad", FF_ANY, "of a step, to the left; the other foot follows"),
    FF_ROW_NUMBER("height", height, "m", FF_NOT_NEGATIVE, "of the pelvis above the lower sole; 0: as in the pose"),
    {0},
};
#undef OF

static void set_defaults(void *all)
{
    settings *s = all;
    s->options = ff_static_walk_options_default();
}

static bool read(const ff_steer_reader *r, ff_yaml *node, void *all)
{
    const settings *s = all;
    const int errors = r->report->errors;
    int key;
    ff_error err = {0};
    const ff_yaml *pose = ff_yaml_get(node, "pose"), *trunk = ff_yaml_get(node, "trunk");
    if (pose && ff_model_need_key(r->robot, s->options.pose, &key, &err) != FF_OK)
        ff_report_add(r->report, FF_ERROR, pose->place, "%s", err.text);
    if (trunk && ff_model_find_joint(r->robot, s->options.trunk) < 0)
        ff_report_add(r->report, FF_ERROR, trunk->place, "the robot has no joint '%.60s'", s->options.trunk);
    return r->report->errors == errors;
}

static void *read_command(const ff_steer_reader *r, ff_yaml *entry, void *all)
{
    command *c = FF_ARENA_NEW(r->arena, command, 1);
    (void)all;
    if (c) ff_control_keys_read(r, entry, COMMANDS, &c->values, c->given);
    return c;
}

// ------------------------------------------------------------------------------------------ at work

static ff_status give_command(void *biped, double t, const void *given, ff_error *err)
{
    const command *c = given;
    ff_static_walk_command next = ff_static_walk_command_get(biped);
    (void)t;
    ff_control_keys_copy(COMMANDS, c->given, &c->values, &next);
    return ff_static_walk_command_set(biped, &next, err);
}

static int list_keys(const void *biped, ff_command_key *out, int most)
{
    const ff_static_walk_command c = ff_static_walk_command_get(biped);
    const double stand = ff_static_walk_stand_height(biped);
    double heights[2];
    ff_static_walk_heights(biped, heights);
    const ff_command_key all[] = {{"walk", "", 0, 1, c.walk, ff_command_switch},
                                  {"forward", "m", -0.2 * stand, 0.2 * stand, c.forward, NULL},
                                  {"sideways", "m", -0.15 * stand, 0.15 * stand, c.sideways, NULL},
                                  {"turn", "rad", -0.5, 0.5, c.turn, NULL},
                                  {"height", "m", heights[0], heights[1], c.height, NULL}};
    return FF_COMMAND_LIST(all, out, most);
}

/// Turns of steps are not turns at a rate: they go through a standstill.
static ff_body_command get_body_command(const void *biped)
{
    return (ff_body_command){.height = ff_static_walk_command_get(biped).height};
}

static ff_status create(const void *all, const ff_controller_site *site, void **out, ff_error *err)
{
    const settings *s = all;
    *out = ff_static_walk_create(site->robot, &s->options, err);
    return *out ? FF_OK : err->status;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller_ports *ports, ff_error *err)
{
    const ff_status status = ff_static_walk_bind(controller, site->sensors, site->references, err);
    ports->memory = ff_static_walk_memory(controller, &ports->memory_size);
    ff_static_walk_signals(controller, &ports->nsignal, &ports->signals, &ports->values);
    return status;
}

static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const ff_controller c = ff_static_walk_controller(controller);
    c.cycle(c.context, t, sensors, references);
}

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

static unsigned get_status(const void *biped)
{
    return ff_static_walk_status(biped, NULL);
}

static void destroy(void *biped)
{
    ff_static_walk_destroy(biped);
}

const ff_controller_kind ff_controller_static_walk = {.name = "static_walk",
                                                      .help = "static walking on two legs with soles",
                                                      .longest = 0.02, // it takes a longer gap between cycles for this
                                                      .positions = true,
                                                      .parameters = PARAMETERS,
                                                      .settings_size = sizeof(settings),
                                                      .set_defaults = set_defaults,
                                                      .read = read,
                                                      .create = create,
                                                      .bind = bind,
                                                      .step = step,
                                                      .destroy = destroy,
                                                      .commands = COMMANDS,
                                                      .read_command = read_command,
                                                      .command = give_command,
                                                      .command_keys = list_keys,
                                                      .body_command = get_body_command,
                                                      .status = get_status,
                                                      .status_text = ff_static_walk_status_text,
                                                      .report = report_warnings};
