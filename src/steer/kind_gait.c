// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {gait: tripod, speed: 0.1, ..}`: the walking controller of footfall/hexapod.h. Its commands stand beside `gait` and, each with a time, under
// `commands`; what a command does not mention stays as it was.
#include "steer/kind.h"

#include <footfall/hexapod.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/// Commands that are one number.
static const struct command_number {
    const char *key;
    size_t offset;
    double low, high;
} NUMBERS[] = {{"speed", offsetof(ff_walk_wish, speed), -100.0, 100.0},
               {"direction", offsetof(ff_walk_wish, direction), -10.0, 10.0},
               {"turn", offsetof(ff_walk_wish, turn), -100.0, 100.0},
               {"transfer", offsetof(ff_walk_wish, transfer), 0.0, 100.0},
               {"length", offsetof(ff_walk_wish, length), 1e-3, 10.0},
               {"zone", offsetof(ff_walk_wish, zone), 1e-4, 10.0},
               {"height", offsetof(ff_walk_wish, height), 0.0, 10.0},
               {"roll", offsetof(ff_walk_wish, roll), -1.5, 1.5},
               {"pitch", offsetof(ff_walk_wish, pitch), -1.5, 1.5}};
enum { NNUMBER = sizeof NUMBERS / sizeof *NUMBERS, SPEED = 0, TRANSFER = 3 };

static const char *const GAITS[FF_GAIT_COUNT + 1] = {
    [FF_GAIT_WAVE] = "wave", [FF_GAIT_GALLOP] = "gallop", [FF_GAIT_TRIPOD] = "tripod"};

static const double LONGEST_PERIOD = 0.02; // the controller takes a longer gap between cycles for this [s]

/// A command: what is given, and its value.
typedef struct command {
    ff_walk_wish values;
    bool gait, walk, shift, forces;
    bool number[NNUMBER];
    bool body[FF_WALK_BODY_JOINTS], scale[FF_WALK_LEGS], rotation[FF_WALK_LEGS];
} command;

typedef struct gait_settings {
    ff_hexapod_options options;
    command start;
} gait_settings;

// ------------------------------------------------------------------------------------------ reading

static int find_leg(const ff_model *m, const char *name)
{
    for (int i = 0; i < m->nleg && i < FF_WALK_LEGS; i++)
        if (strcmp(m->legs[i].name, name) == 0) return i;
    return -1;
}

static int find_body_joint(const ff_model *m, const char *name)
{
    const int place = ff_hexapod_body_joint(m, name);
    return place < FF_WALK_BODY_JOINTS ? place : -1;
}

/// {NAME: number, ..}
static void read_named(const ff_steer_reader *r, ff_yaml *map, const ff_model *m,
                       int (*find)(const ff_model *, const char *), const char *what, double *values, bool *given)
{
    if (!map || !ff_yaml_expect(map, FF_YAML_MAP, "{NAME: number, ..}", r->report)) return;
    for (ff_yaml *item = map->child; item; item = item->next) {
        const int i = find(m, item->key);
        ff_yaml_use(item);
        if (i < 0) {
            ff_report_add(r->report, FF_ERROR, item->key_place, "the robot has no %s '%.60s'", what, item->key);
            continue;
        }
        given[i] = ff_yaml_as_number(item, &values[i], r->report);
    }
}

static void read_numbers(const ff_steer_reader *r, ff_yaml *map, command *c)
{
    for (int i = 0; i < NNUMBER; i++) {
        ff_yaml *node = ff_yaml_get(map, NUMBERS[i].key);
        double *value = (double *)(void *)((char *)&c->values + NUMBERS[i].offset);
        if (!node || !ff_yaml_as_number(node, value, r->report)) continue;
        c->number[i] = *value >= NUMBERS[i].low && *value <= NUMBERS[i].high;
        if (!c->number[i])
            ff_report_add(r->report, FF_ERROR, node->place, "'%s' is %g: it must lie between %g and %g", NUMBERS[i].key,
                          *value, NUMBERS[i].low, NUMBERS[i].high);
    }
}

static bool read_switch(const ff_steer_reader *r, ff_yaml *map, const char *key, bool *value)
{
    if (!ff_yaml_get(map, key)) return false;
    *value = ff_yaml_boolean(map, key, false, r->report);
    return true;
}

/// A gait by name, one that as many legs as the robot has can walk.
static void read_gait(const ff_steer_reader *r, ff_yaml *map, command *c)
{
    const ff_model *m = r->robot;
    ff_yaml *node = ff_yaml_get(map, "gait");
    const int choice = node ? ff_yaml_choice(map, "gait", GAITS, -1, r->report) : -1;
    if (choice < 0) return;
    ff_leg_place places[FF_WALK_LEGS];
    ff_gait_table table;
    ff_error err = {0};
    for (int i = 0; i < FF_WALK_LEGS; i++) places[i] = (ff_leg_place){i / 2, i % 2};
    c->gait = true;
    c->values.gait = (ff_gait)choice;
    // what is wrong with the legs themselves is reported when the controller is made
    if (m->nleg >= 4 && m->nleg <= FF_WALK_LEGS && m->nleg % 2 == 0 &&
        ff_gait_table_make(c->values.gait, places, m->nleg, &table, &err) != FF_OK)
        ff_report_add(r->report, FF_ERROR, node->place, "%s", err.text);
}

static void read_values(const ff_steer_reader *r, ff_yaml *map, command *c)
{
    const ff_model *m = r->robot;
    read_gait(r, map, c);
    read_numbers(r, map, c);
    c->walk = read_switch(r, map, "walk", &c->values.walk);
    c->shift = read_switch(r, map, "shift_body", &c->values.shift_body);
    c->forces = read_switch(r, map, "control_forces", &c->values.control_forces);
    read_named(r, ff_yaml_get(map, "body"), m, find_body_joint, "driven joint between its segments", c->values.body,
               c->body);
    read_named(r, ff_yaml_get(map, "scale"), m, find_leg, "leg", c->values.scale, c->scale);
    read_named(r, ff_yaml_get(map, "rotation"), m, find_leg, "leg", c->values.rotation, c->rotation);
}

static void read_stance(const ff_steer_reader *r, ff_yaml *map, ff_hexapod_options *o)
{
    ff_yaml *stance = ff_yaml_get(map, "stance");
    if (!stance || !ff_yaml_expect(stance, FF_YAML_MAP, "{rectangle: [ahead, aside]} or {ellipse: [..]}", r->report))
        return;
    const bool round = ff_yaml_get(stance, "ellipse") != NULL;
    if ((ff_yaml_get(stance, "rectangle") != NULL) == round)
        ff_report_add(r->report, FF_ERROR, stance->place,
                      "feet stand on a 'rectangle: [ahead, aside]' or on an 'ellipse: [..]'%s",
                      round ? ", not on both" : "");
    if (ff_yaml_numbers(stance, round ? "ellipse" : "rectangle", o->half, 2, 2, r->report) == 2)
        o->stance = round ? FF_STANCE_ELLIPSE : FF_STANCE_RECTANGLE;
}

static void read_options(const ff_steer_reader *r, ff_yaml *map, ff_hexapod_options *o)
{
    const struct {
        const char *key;
        double *value;
    } numbers[] = {{"transfer_limit", &o->transfer_limit},
                   {"margin", &o->margin},
                   {"shift_speed", &o->shift_speed},
                   {"shift_rate", &o->shift_rate},
                   {"shift_limit", &o->shift_limit},
                   {"force_gain", &o->force_gain},
                   {"force_leak", &o->force_leak},
                   {"force_limit", &o->force_limit},
                   {"stale", &o->stale},
                   {"acceleration", &o->step.acceleration},
                   {"behind", &o->step.behind},
                   {"catch_up", &o->step.catch_up},
                   {"adapt", &o->step.adapt},
                   {"level", &o->step.level},
                   {"parallel", &o->step.parallel},
                   {"posture", &o->posture},
                   {"most_speed", &o->step.most_speed}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i].value = ff_yaml_number(map, numbers[i].key, *numbers[i].value, r->report);
    double contact[2];
    if (ff_yaml_numbers(map, "contact", contact, 2, 2, r->report) == 2) {
        o->contact_on = contact[0];
        o->contact_off = contact[1];
    }
    const char *pose = ff_yaml_string(map, "pose", NULL, r->report);
    if (pose) o->pose = ff_arena_strdup(r->arena, pose);
    if (pose && ff_model_find_key(r->robot, pose) < 0)
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(map, "pose")->place, "the robot has no pose '%.60s'", pose);
    o->feedforward = ff_yaml_boolean(map, "feedforward", o->feedforward, r->report);
    read_stance(r, map, o);
}

static void *read(const ff_steer_reader *r, ff_yaml *node)
{
    ff_yaml *map = node->parent;
    const int errors = r->report->errors;
    gait_settings *settings = FF_ARENA_NEW(r->arena, gait_settings, 1);
    if (!settings) return NULL;
    settings->options = ff_hexapod_options_default();
    read_options(r, map, &settings->options);
    read_values(r, map, &settings->start);
    if (!settings->start.walk) settings->start.walk = settings->start.values.walk = true;
    ff_yaml *period = ff_yaml_get(map, "period");
    double seconds = 0.0;
    if (period && ff_yaml_as_number(period, &seconds, r->report) && seconds > LONGEST_PERIOD)
        ff_report_add(r->report, FF_ERROR, period->place,
                      "'period' is %g s: a walking robot needs a cycle every %g s at least", seconds, LONGEST_PERIOD);
    return r->report->errors == errors ? settings : NULL;
}

static void *read_command(const ff_steer_reader *r, ff_yaml *entry, void *settings)
{
    const int errors = r->report->errors;
    command *c = FF_ARENA_NEW(r->arena, command, 1);
    (void)settings;
    if (c) read_values(r, entry, c);
    return r->report->errors == errors ? c : NULL;
}

// ------------------------------------------------------------------------------------------ at work

static void put_named(const double *from, const bool *given, int n, double *to)
{
    for (int i = 0; i < n; i++)
        if (given[i]) to[i] = from[i];
}

static ff_status give_command(void *hexapod, double t, const void *given, ff_error *err)
{
    const command *c = given;
    ff_walk_wish next = ff_hexapod_wish(hexapod);
    (void)t;
    if (c->gait) next.gait = c->values.gait;
    if (c->walk) next.walk = c->values.walk;
    if (c->shift) next.shift_body = c->values.shift_body;
    if (c->forces) next.control_forces = c->values.control_forces;
    for (int i = 0; i < NNUMBER; i++)
        if (c->number[i])
            memcpy((char *)&next + NUMBERS[i].offset, (const char *)&c->values + NUMBERS[i].offset, sizeof(double));
    // the later of two ways to say how fast holds
    if (c->number[SPEED] && !c->number[TRANSFER]) next.transfer = 0.0;
    put_named(c->values.body, c->body, FF_WALK_BODY_JOINTS, next.body);
    put_named(c->values.scale, c->scale, FF_WALK_LEGS, next.scale);
    put_named(c->values.rotation, c->rotation, FF_WALK_LEGS, next.rotation);
    return ff_hexapod_command(hexapod, &next, err);
}

static ff_status create(const void *all, const ff_controller_site *site, void **out, ff_error *err)
{
    const gait_settings *settings = all;
    ff_hexapod *hexapod = NULL;
    ff_status status = ff_hexapod_create(site->robot, &settings->options, &hexapod, err);
    if (status == FF_OK) status = give_command(hexapod, 0.0, &settings->start, err);
    *out = hexapod;
    return status;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller_ports *ports, ff_error *err)
{
    const ff_status status = ff_hexapod_bind(controller, site->sensors, site->references, err);
    ports->memory = ff_hexapod_memory(controller, &ports->memory_size);
    ff_hexapod_signals(controller, &ports->nsignal, &ports->signals, &ports->values);
    return status;
}

static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const ff_controller c = ff_hexapod_controller(controller);
    c.cycle(c.context, t, sensors, references);
}

/// Ranges of sliders: what a robot of that size can do in this gait, not what a scene may ask for. They do not follow the values, or a slider would
/// run away from its knob.
static int list_keys(const void *hexapod, ff_command_key *out, int most)
{
    static const char *const switches[] = {"false", "true", NULL};
    const ff_walk_wish w = ff_hexapod_wish(hexapod), first = ff_hexapod_first_wish(hexapod);
    const double fastest = ff_hexapod_top_speed(hexapod);
    const ff_command_key all[] = {
        {"gait", "", 0, FF_GAIT_COUNT - 1, w.gait, GAITS},
        {"walk", "", 0, 1, w.walk, switches},
        {"speed", "m/s", 0, fastest, w.speed, NULL},
        {"direction", "rad", -FF_PI, FF_PI, w.direction, NULL},
        {"turn", "rad/s", -4.0 * fastest, 4.0 * fastest, w.turn, NULL},
        {"height", "m", 0.6 * first.height, 1.4 * first.height, w.height, NULL},
        {"roll", "rad", -0.25, 0.25, w.roll, NULL},
        {"pitch", "rad", -0.25, 0.25, w.pitch, NULL},
        {"length", "m", 0.2 * first.length, fmax(1.5 * first.length, w.length), w.length, NULL},
        {"zone", "m", 0.2 * first.zone, fmax(2.0 * first.zone, w.zone), w.zone, NULL},
        {"shift_body", "", 0, 1, w.shift_body, switches},
        {"control_forces", "", 0, 1, w.control_forces, switches}};
    const int count = sizeof all / sizeof *all < (size_t)most ? (int)(sizeof all / sizeof *all) : most;
    memcpy(out, all, (size_t)count * sizeof *out);
    return count;
}

static ff_body_command get_body_command(const void *hexapod)
{
    const ff_walk_wish w = ff_hexapod_wish(hexapod);
    return (ff_body_command){.turn = w.walk ? w.turn : 0.0, .height = w.height};
}

static void report_warnings(const void *hexapod, ff_place place, ff_report *report)
{
    unsigned ever = 0;
    ff_hexapod_status(hexapod, &ever);
    for (int bit = 0; bit < FF_WALK_STATUS_BITS; bit++)
        if ((ever >> bit & 1U) && (1U << bit) == FF_WALK_SPEED_CLAMPED)
            ff_report_add(report, FF_WARNING, place,
                          "while walking: %s: with the last commands feet move at most %.3g m/s against the body",
                          ff_walk_status_text(bit), ff_hexapod_fastest(hexapod));
        else if ((ever >> bit & 1U) && (1U << bit) != FF_WALK_WAITING)
            ff_report_add(report, FF_WARNING, place, "while walking: %s", ff_walk_status_text(bit));
}

static unsigned get_status(const void *hexapod)
{
    return ff_hexapod_status(hexapod, NULL);
}

static void destroy(void *hexapod)
{
    ff_hexapod_destroy(hexapod);
}

const ff_controller_kind ff_controller_gait = {.name = "gait",
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
                                               .status = get_status,
                                               .status_text = ff_walk_status_text,
                                               .report = report_warnings};
