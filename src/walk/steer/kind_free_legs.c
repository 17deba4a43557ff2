// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {free_legs: {radius: 0.04, ..}, commands: [{at: 0, speed: 0.1, direction: 90 deg}, ..]}`: legs under a
// central control, see footfall/free_legs.h. A command changes the keys that it names; `direction` without `speed`
// keeps the speed, `speed` without `direction` means straight ahead.
#include "gait/free_plan.h"
#include "steer/kind.h"

#include <footfall/math.h>
#include <math.h>

typedef struct legs_command {
    double speed, direction, turn, height;
    bool gather;
    const bool *given; // whether the command has each of these, in the order of the table
    struct legs_command *next;
} legs_command;
enum { SPEED, DIRECTION, TURN, HEIGHT, GATHER };

typedef struct legs_settings {
    ff_free_legs_options options; // first: ff_free_legs_settings fills them
    legs_command *commands;       // all of the file, in any order, to be tried when the controller is made
} legs_settings;

// ------------------------------------------------------------------------------------------ reading

#define OF legs_command
static const ff_row COMMANDS[] = {
    [SPEED] = FF_COMMAND_NUMBER("speed", speed, "m/s", FF_ANY, "speed of the body; scaled down beyond 'ground_speed'"),
    [DIRECTION] =
        FF_COMMAND_NUMBER("direction", direction, "rad", FF_ANY, "direction of the speed, from ahead to the left"),
    [TURN] = FF_COMMAND_NUMBER("turn", turn, "rad/s", FF_ANY, "turn to the left"),
    [HEIGHT] = FF_COMMAND_NUMBER("height", height, "m", FF_ANY, "height of the body above ground; 0: that of the pose"),
    [GATHER] = FF_COMMAND_SWITCH("gather", gather, "legs that are not at the centres of their boundaries step there"),
    {0},
};
#undef OF

static void read_command(const ff_steer_reader *r, ff_yaml *entry, void *settings, const ff_command *command)
{
    legs_settings *s = settings;
    legs_command *c = command->values;
    c->given = command->given;
    if (fabs(c->speed) > s->options.ground_speed)
        ff_report_add(
            r->report, FF_WARNING, ff_yaml_get(entry, "speed")->place,
            "'speed' is %g m/s, but feet on the ground move at most %g m/s ('ground_speed'): it is scaled down",
            c->speed, s->options.ground_speed);
    if (r->live) return;
    c->next = s->commands;
    s->commands = c;
}

// ------------------------------------------------------------------------------------------ at work

static double speed_of(const ff_free_legs_command *c)
{
    return sqrt(c->velocity[0] * c->velocity[0] + c->velocity[1] * c->velocity[1]);
}

/// The command `now` with the changes of `c`.
static ff_free_legs_command change(ff_free_legs_command now, const legs_command *c)
{
    if (c->given[SPEED] || c->given[DIRECTION]) {
        const double speed = c->given[SPEED] ? c->speed : speed_of(&now);
        double sine, cosine;
        ff_sincos(&c->direction, &sine, &cosine, 1);
        now.velocity[0] = speed * cosine;
        now.velocity[1] = speed * sine;
    }
    if (c->given[TURN]) now.turn = c->turn;
    if (c->given[HEIGHT]) now.height = c->height;
    if (c->given[GATHER]) now.gather = c->gather;
    return now;
}

static ff_status give_command(void *legs, double t, const ff_command *command, ff_error *err)
{
    const ff_free_legs_command changed = change(ff_free_legs_command_get(legs), command->values);
    (void)t;
    return ff_free_legs_command_set(legs, &changed, err);
}

static int list_keys(const void *legs, ff_command_key *out, int most)
{
    const ff_free_legs_command c = ff_free_legs_command_get(legs);
    double stand;
    const double fastest = ff_free_legs_get_options(legs, &stand)->ground_speed;
    const legs_command now = {.speed = speed_of(&c),
                              .direction = ff_atan2(c.velocity[1], c.velocity[0]),
                              .turn = c.turn,
                              .height = c.height > 0.0 ? c.height : stand,
                              .gather = c.gather};
    const ff_command_range ranges[] = {{SPEED, 0, fastest},
                                       {DIRECTION, -FF_PI, FF_PI},
                                       {TURN, -4.0 * fastest, 4.0 * fastest},
                                       {HEIGHT, 0.6 * stand, 1.4 * stand},
                                       {.row = GATHER}};
    return FF_COMMAND_KEYS(COMMANDS, &now, ranges, out, most);
}

static ff_body_command get_body_command(const void *legs)
{
    const ff_free_legs_command c = ff_free_legs_command_get(legs);
    const double slowed = ff_free_legs_slowed(legs); // speeds are limited: those that the controller follows
    double stand;
    ff_free_legs_get_options(legs, &stand);
    return (ff_body_command){.moves = true,
                             .ahead = slowed * c.velocity[0],
                             .left = slowed * c.velocity[1],
                             .turn = slowed * c.turn,
                             .height = c.height > 0.0 ? c.height : stand};
}

/// Tries each command, so that one out of reach is reported before the run.
static ff_status try_commands(const legs_settings *s, ff_free_legs *legs, ff_error *err)
{
    const ff_free_legs_command before = ff_free_legs_command_get(legs);
    ff_status status = FF_OK;
    for (const legs_command *c = s->commands; c && status == FF_OK; c = c->next) {
        const ff_free_legs_command changed = change(before, c);
        status = ff_free_legs_command_set(legs, &changed, err);
    }
    ff_error unused = {0};
    ff_free_legs_command_set(legs, &before, &unused);
    return status;
}

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    const legs_settings *s = settings;
    ff_free_legs *legs = ff_free_legs_create(site->robot, &s->options, err);
    *out = legs;
    return legs ? try_commands(s, legs, err) : err->status;
}

FF_KIND_BIND(ff_free_legs)

static void report_warnings(const void *legs, ff_place place, ff_report *report)
{
    const int64_t times = ff_free_legs_unreachable(legs);
    if (times > 0)
        ff_report_add(report, FF_WARNING, place,
                      "%lld times a tip was out of reach and the leg stayed as near as it could: ground too uneven, or "
                      "height too great",
                      (long long)times);
}

const ff_controller_kind ff_controller_free_legs = {.name = "free_legs",
                                                    .help = "legs request steps that a central control permits",
                                                    .longest = 0.1, // it takes a longer gap between cycles for this
                                                    .positions = true,
                                                    .parameters = ff_free_legs_settings,
                                                    .settings_size = sizeof(legs_settings),
                                                    .create = create,
                                                    .bind = bind,
                                                    .destroy = destroy,
                                                    .commands = COMMANDS,
                                                    .command_size = sizeof(legs_command),
                                                    .read_command = read_command,
                                                    .command = give_command,
                                                    .command_keys = list_keys,
                                                    .body_command = get_body_command,
                                                    .report = report_warnings};
