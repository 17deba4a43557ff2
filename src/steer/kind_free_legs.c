// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {free_legs: {radius: 0.04, ..}, commands: [{at: 0, speed: 0.1, direction: 90 deg}, ..]}`: legs under a central control, see
// footfall/free_legs.h. A command changes what it names; `direction` without `speed` keeps the speed, `speed` without `direction` goes ahead.
#include "steer/kind.h"

#include <footfall/free_legs.h>
#include <footfall/math.h>
#include <math.h>
#include <string.h>

static const double LONGEST_PERIOD = 0.1; // the controller takes a longer gap between cycles for this [s]

/// A command: what is given, and its value.
typedef struct command {
    bool has_speed, has_direction, has_turn, has_height, has_gather;
    double speed, direction, turn, height;
    bool gather;
    struct command *next;
} command;

typedef struct settings {
    ff_free_legs_options options;
    command *commands; // all of them, in any order, to be tried when the controller is made
} settings;

// ------------------------------------------------------------------------------------------ reading

static void *read(const ff_steer_reader *r, ff_yaml *node)
{
    settings *s = FF_ARENA_NEW(r->arena, settings, 1);
    if (!s ||
        !ff_yaml_expect(node, FF_YAML_MAP, "{radius: .., ground_speed: .., ..}, or {} for the defaults", r->report))
        return NULL;
    ff_free_legs_options *o = &s->options;
    *o = ff_free_legs_options_default();
    const struct {
        const char *key;
        double *value;
    } numbers[] = {{"radius", &o->radius},
                   {"ground_speed", &o->ground_speed},
                   {"air_speed", &o->air_speed},
                   {"lift_speed", &o->lift_speed},
                   {"lay_speed", &o->lay_speed},
                   {"lift_height", &o->lift_height},
                   {"search_depth", &o->search_depth},
                   {"body_speed", &o->body_speed},
                   {"acceleration", &o->acceleration},
                   {"height_time", &o->height_time},
                   {"level_time", &o->level_time},
                   {"margin", &o->margin}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i].value = ff_yaml_number(node, numbers[i].key, *numbers[i].value, r->report);
    o->least_down = ff_yaml_integer(node, "least_down", o->least_down, r->report);
    o->touch = ff_yaml_boolean(node, "touch", o->touch, r->report);
    o->waits = ff_yaml_boolean(node, "waits", o->waits, r->report);
    o->pose = ff_arena_strdup(r->arena, ff_yaml_string(node, "pose", o->pose, r->report));
    ff_yaml *period = ff_yaml_get(node->parent, "period");
    double seconds = 0.0;
    if (period && ff_yaml_as_number(period, &seconds, r->report) && seconds > LONGEST_PERIOD) {
        ff_report_add(r->report, FF_ERROR, period->place,
                      "'period' is %g s: free legs need a cycle every %g s at least", seconds, LONGEST_PERIOD);
        return NULL;
    }
    return o->pose ? s : NULL;
}

static bool read_number(const ff_steer_reader *r, ff_yaml *entry, const char *key, double *value)
{
    const bool given = ff_yaml_get(entry, key) != NULL;
    *value = ff_yaml_number(entry, key, 0.0, r->report);
    return given;
}

static void *read_command(const ff_steer_reader *r, ff_yaml *entry, void *all)
{
    settings *s = all;
    command *c = FF_ARENA_NEW(r->arena, command, 1);
    if (!c) return NULL;
    c->has_speed = read_number(r, entry, "speed", &c->speed);
    if (fabs(c->speed) > s->options.ground_speed)
        ff_report_add(
            r->report, FF_WARNING, ff_yaml_get(entry, "speed")->place,
            "'speed' is %g m/s, but feet on the ground move at most %g m/s ('ground_speed'): it is scaled down",
            c->speed, s->options.ground_speed);
    c->has_direction = read_number(r, entry, "direction", &c->direction);
    c->has_turn = read_number(r, entry, "turn", &c->turn);
    c->has_height = read_number(r, entry, "height", &c->height);
    c->has_gather = ff_yaml_get(entry, "gather") != NULL;
    c->gather = ff_yaml_boolean(entry, "gather", false, r->report);
    if (r->live) return c;
    c->next = s->commands;
    s->commands = c;
    return c;
}

// ------------------------------------------------------------------------------------------ at work

static double speed_of(const ff_free_legs_command *c)
{
    return sqrt(c->velocity[0] * c->velocity[0] + c->velocity[1] * c->velocity[1]);
}

static ff_free_legs_command changed_by(ff_free_legs_command now, const command *c)
{
    if (c->has_speed || c->has_direction) {
        const double speed = c->has_speed ? c->speed : speed_of(&now);
        double sine, cosine;
        ff_sincos(&c->direction, &sine, &cosine, 1);
        now.velocity[0] = speed * cosine;
        now.velocity[1] = speed * sine;
    }
    if (c->has_turn) now.turn = c->turn;
    if (c->has_height) now.height = c->height;
    if (c->has_gather) now.gather = c->gather;
    return now;
}

static ff_status give_command(void *legs, double t, const void *given, ff_error *err)
{
    const ff_free_legs_command changed = changed_by(ff_free_legs_command_get(legs), given);
    (void)t;
    return ff_free_legs_command_set(legs, &changed, err);
}

static int list_keys(const void *legs, ff_command_key *out, int most)
{
    static const char *const switches[] = {"false", "true", NULL};
    const ff_free_legs_command c = ff_free_legs_command_get(legs);
    double stand;
    const double fastest = ff_free_legs_get_options(legs, &stand)->ground_speed;
    const ff_command_key all[] = {{"speed", "m/s", 0, fastest, speed_of(&c), NULL},
                                  {"direction", "rad", -FF_PI, FF_PI, ff_atan2(c.velocity[1], c.velocity[0]), NULL},
                                  {"turn", "rad/s", -4.0 * fastest, 4.0 * fastest, c.turn, NULL},
                                  {"height", "m", 0.6 * stand, 1.4 * stand, c.height > 0.0 ? c.height : stand, NULL},
                                  {"gather", "", 0, 1, c.gather, switches}};
    const int count = sizeof all / sizeof *all < (size_t)most ? (int)(sizeof all / sizeof *all) : most;
    memcpy(out, all, (size_t)count * sizeof *out);
    return count;
}

static ff_body_command get_body_command(const void *legs)
{
    const ff_free_legs_command c = ff_free_legs_command_get(legs);
    double stand;
    ff_free_legs_get_options(legs, &stand);
    return (ff_body_command){.turn = c.turn, .height = c.height > 0.0 ? c.height : stand};
}

/// Each command by itself, so that one out of reach is reported before the run.
static ff_status try_commands(const settings *s, ff_free_legs *legs, ff_error *err)
{
    const ff_free_legs_command before = ff_free_legs_command_get(legs);
    ff_status status = FF_OK;
    for (const command *c = s->commands; c && status == FF_OK; c = c->next) {
        const ff_free_legs_command changed = changed_by(before, c);
        status = ff_free_legs_command_set(legs, &changed, err);
    }
    ff_error unused = {0};
    ff_free_legs_command_set(legs, &before, &unused);
    return status;
}

static ff_status create(const void *all, const ff_controller_site *site, void **out, ff_error *err)
{
    const settings *s = all;
    ff_free_legs *legs = NULL;
    ff_status status = ff_free_legs_create(site->robot, &s->options, &legs, err);
    if (status == FF_OK) status = try_commands(s, legs, err);
    *out = legs;
    return status;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller_ports *ports, ff_error *err)
{
    const ff_status status = ff_free_legs_bind(controller, site->sensors, site->references, err);
    ports->memory = ff_free_legs_memory(controller, &ports->memory_size);
    ff_free_legs_signals(controller, &ports->nsignal, &ports->signals, &ports->values);
    return status;
}

static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const ff_controller c = ff_free_legs_controller(controller);
    c.cycle(c.context, t, sensors, references);
}

static void report_warnings(const void *legs, ff_place place, ff_report *report)
{
    int count;
    const ff_io_name *names;
    const double *values;
    ff_free_legs_signals(legs, &count, &names, &values);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i].name, "unreachable") == 0 && values[i] > 0.0)
            ff_report_add(report, FF_WARNING, place,
                          "%.0f times a tip was out of reach and the leg stayed as near as it could: ground too "
                          "uneven, or height too great",
                          values[i]);
}

static void destroy(void *legs)
{
    ff_free_legs_destroy(legs);
}

const ff_controller_kind ff_controller_free_legs = {.name = "free_legs",
                                                    .positions = true,
                                                    .read = read,
                                                    .create = create,
                                                    .bind = bind,
                                                    .step = step,
                                                    .destroy = destroy,
                                                    .read_command = read_command,
                                                    .command = give_command,
                                                    .command_keys = list_keys,
                                                    .body_command = get_body_command,
                                                    .report = report_warnings};
