// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {gait: tripod, speed: 0.1, ..}`: the walking controller of footfall/hexapod.h. Its wishes stand beside `gait` and, each with a time, under
// `commands`; what a command does not mention stays as it was.
#include "scene/control_kind.h"

#include <footfall/hexapod.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/// Wishes that are one number.
static const struct wish_number {
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

/// A part of a wish: what is given, and its value.
typedef struct wish_part {
    ff_walk_wish wish;
    bool gait, walk, shift, forces;
    bool number[NNUMBER];
    bool body[FF_WALK_BODY_JOINTS], scale[FF_WALK_LEGS], rotation[FF_WALK_LEGS];
} wish_part;

typedef struct gait_settings {
    ff_hexapod_options options;
    wish_part start;
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
static void read_named(const ff_scene_reader *r, ff_yaml *map, const ff_model *m,
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

static void read_numbers(const ff_scene_reader *r, ff_yaml *map, wish_part *part)
{
    for (int i = 0; i < NNUMBER; i++) {
        ff_yaml *node = ff_yaml_get(map, NUMBERS[i].key);
        double *value = (double *)(void *)((char *)&part->wish + NUMBERS[i].offset);
        if (!node || !ff_yaml_as_number(node, value, r->report)) continue;
        part->number[i] = *value >= NUMBERS[i].low && *value <= NUMBERS[i].high;
        if (!part->number[i])
            ff_report_add(r->report, FF_ERROR, node->place, "'%s' is %g: it must lie between %g and %g", NUMBERS[i].key,
                          *value, NUMBERS[i].low, NUMBERS[i].high);
    }
}

static bool read_switch(const ff_scene_reader *r, ff_yaml *map, const char *key, bool *value)
{
    if (!ff_yaml_get(map, key)) return false;
    *value = ff_yaml_boolean(map, key, false, r->report);
    return true;
}

/// A gait by name, one that as many legs as the robot has can walk.
static void read_gait(const ff_scene_reader *r, ff_yaml *map, const ff_model *m, wish_part *part)
{
    ff_yaml *node = ff_yaml_get(map, "gait");
    const int choice = node ? ff_yaml_choice(map, "gait", GAITS, -1, r->report) : -1;
    if (choice < 0) return;
    ff_leg_place places[FF_WALK_LEGS];
    ff_gait_table table;
    ff_error err = {0};
    for (int i = 0; i < FF_WALK_LEGS; i++) places[i] = (ff_leg_place){i / 2, i % 2};
    part->gait = true;
    part->wish.gait = (ff_gait)choice;
    // what is wrong with the legs themselves is told when the controller begins
    if (m->nleg >= 4 && m->nleg <= FF_WALK_LEGS && m->nleg % 2 == 0 &&
        ff_gait_table_make(part->wish.gait, places, m->nleg, &table, &err) != FF_OK)
        ff_report_add(r->report, FF_ERROR, node->place, "%s", err.text);
}

static void read_part(const ff_scene_reader *r, ff_yaml *map, const ff_scene_robot *robot, wish_part *part)
{
    const ff_model *m = robot->model;
    read_gait(r, map, m, part);
    read_numbers(r, map, part);
    part->walk = read_switch(r, map, "walk", &part->wish.walk);
    part->shift = read_switch(r, map, "shift_body", &part->wish.shift_body);
    part->forces = read_switch(r, map, "control_forces", &part->wish.control_forces);
    read_named(r, ff_yaml_get(map, "body"), m, find_body_joint, "driven joint between its segments", part->wish.body,
               part->body);
    read_named(r, ff_yaml_get(map, "scale"), m, find_leg, "leg", part->wish.scale, part->scale);
    read_named(r, ff_yaml_get(map, "rotation"), m, find_leg, "leg", part->wish.rotation, part->rotation);
}

static void read_stance(const ff_scene_reader *r, ff_yaml *map, ff_hexapod_options *o)
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

static void read_options(const ff_scene_reader *r, ff_yaml *map, const ff_model *m, ff_hexapod_options *o)
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
    if (pose) o->pose = ff_arena_strdup(&r->scene->arena, pose);
    if (pose && ff_model_find_key(m, pose) < 0)
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(map, "pose")->place, "the robot has no pose '%.60s'", pose);
    o->feedforward = ff_yaml_boolean(map, "feedforward", o->feedforward, r->report);
    read_stance(r, map, o);
}

static void *read(ff_scene_reader *r, ff_yaml *node, const ff_scene_robot *robot)
{
    ff_yaml *map = node->parent;
    const int errors = r->report->errors;
    gait_settings *settings = FF_ARENA_NEW(&r->scene->arena, gait_settings, 1);
    if (!settings) return NULL;
    settings->options = ff_hexapod_options_default();
    read_options(r, map, robot->model, &settings->options);
    read_part(r, map, robot, &settings->start);
    if (!settings->start.walk) settings->start.walk = settings->start.wish.walk = true;
    ff_yaml *period = ff_yaml_get(map, "period");
    double seconds = 0.0;
    if (period && ff_yaml_as_number(period, &seconds, r->report) && seconds > LONGEST_PERIOD)
        ff_report_add(r->report, FF_ERROR, period->place,
                      "'period' is %g s: a walking robot needs a cycle every %g s at least", seconds, LONGEST_PERIOD);
    return r->report->errors == errors ? settings : NULL;
}

static void *read_command(ff_scene_reader *r, ff_yaml *entry, const ff_scene_robot *robot, void *settings)
{
    const int errors = r->report->errors;
    wish_part *part = FF_ARENA_NEW(&r->scene->arena, wish_part, 1);
    (void)settings;
    if (part) read_part(r, entry, robot, part);
    return r->report->errors == errors ? part : NULL;
}

// ------------------------------------------------------------------------------------------ at work

static void put_named(const double *from, const bool *given, int n, double *to)
{
    for (int i = 0; i < n; i++)
        if (given[i]) to[i] = from[i];
}

static ff_status command(ff_hexapod *hexapod, const wish_part *part, ff_error *err)
{
    ff_walk_wish wish = ff_hexapod_wish(hexapod);
    if (part->gait) wish.gait = part->wish.gait;
    if (part->walk) wish.walk = part->wish.walk;
    if (part->shift) wish.shift_body = part->wish.shift_body;
    if (part->forces) wish.control_forces = part->wish.control_forces;
    for (int i = 0; i < NNUMBER; i++)
        if (part->number[i])
            memcpy((char *)&wish + NUMBERS[i].offset, (const char *)&part->wish + NUMBERS[i].offset, sizeof(double));
    // the later of two ways to say how fast holds
    if (part->number[SPEED] && !part->number[TRANSFER]) wish.transfer = 0.0;
    put_named(part->wish.body, part->body, FF_WALK_BODY_JOINTS, wish.body);
    put_named(part->wish.scale, part->scale, FF_WALK_LEGS, wish.scale);
    put_named(part->wish.rotation, part->rotation, FF_WALK_LEGS, wish.rotation);
    return ff_hexapod_command(hexapod, &wish, err);
}

static ff_status begin(void *context, const ff_control_site *site, ff_scene_controller *out, ff_error *err)
{
    const gait_settings *settings = context;
    ff_hexapod *hexapod = NULL;
    ff_status status = ff_hexapod_create(site->model, &settings->options, &hexapod, err);
    if (status == FF_OK) status = ff_hexapod_bind(hexapod, site->sensors, site->references, err);
    if (status == FF_OK) status = command(hexapod, &settings->start, err);
    if (status != FF_OK) {
        ff_hexapod_destroy(hexapod);
        return status;
    }
    const ff_controller controller = ff_hexapod_controller(hexapod);
    out->context = controller.context;
    out->cycle = controller.cycle;
    out->memory = ff_hexapod_memory(hexapod, &out->memory_size);
    ff_hexapod_signals(hexapod, &out->nsignal, &out->signals, &out->values);
    return FF_OK;
}

static ff_status give(void *context, double t, const void *wish, ff_error *err)
{
    (void)t;
    return command(context, wish, err);
}

/// Ranges of sliders: what a robot of that size can do in this gait, not what a scene may ask for. They do not follow the values, or a slider would
/// run away from its knob.
static int list_wishes(const void *context, ff_scene_wish *out, int most)
{
    static const char *const switches[] = {"false", "true", NULL};
    const ff_walk_wish w = ff_hexapod_wish(context), first = ff_hexapod_first_wish(context);
    const double fastest = ff_hexapod_top_speed(context);
    const ff_scene_wish all[] = {
        {"gait", "", 0, FF_GAIT_COUNT - 1, w.gait, GAITS},
        {"walk", "", 0, 1, w.walk, switches},
        {"speed", "m/s", 0, fastest, w.speed, NULL},
        {"direction", "rad", -FF_PI, FF_PI, w.direction, NULL},
        {"turn", "rad/s", -4.0 * fastest, 4.0 * fastest, w.turn, NULL},
        {"height", "m", 0.6 * first.height, 1.4 * first.height, w.height, NULL},
        {"roll", "rad", -0.25, 0.25, w.roll, NULL},
        {"pitch", "rad", -0.25, 0.25, w.pitch, NULL},
        {"length", "m", 0.2 * first.length, ff_max(1.5 * first.length, w.length), w.length, NULL},
        {"zone", "m", 0.2 * first.zone, ff_max(2.0 * first.zone, w.zone), w.zone, NULL},
        {"shift_body", "", 0, 1, w.shift_body, switches},
        {"control_forces", "", 0, 1, w.control_forces, switches}};
    const int count = sizeof all / sizeof *all < (size_t)most ? (int)(sizeof all / sizeof *all) : most;
    memcpy(out, all, (size_t)count * sizeof *out);
    return count;
}

static ff_control_order order_of(const void *context)
{
    const ff_walk_wish w = ff_hexapod_wish(context);
    return (ff_control_order){.turn = w.walk ? w.turn : 0.0, .height = w.height};
}

static void tell(const void *context, ff_place place, ff_report *report)
{
    unsigned ever = 0;
    ff_hexapod_status(context, &ever);
    for (int bit = 0; bit < FF_WALK_STATUS_BITS; bit++)
        if ((ever >> bit & 1U) && (1U << bit) == FF_WALK_SPEED_CLAMPED)
            ff_report_add(report, FF_WARNING, place,
                          "while walking: %s: with the last wishes feet move at most %.3g m/s against the body",
                          ff_walk_status_text(bit), ff_hexapod_fastest(context));
        else if ((ever >> bit & 1U) && (1U << bit) != FF_WALK_WAITING)
            ff_report_add(report, FF_WARNING, place, "while walking: %s", ff_walk_status_text(bit));
}

static unsigned get_status(const void *context)
{
    return ff_hexapod_status(context, NULL);
}

static void end(void *context)
{
    ff_hexapod_destroy(context);
}

const ff_control_kind ff_control_gait = {.key = "gait",
                                         .positions = true,
                                         .read = read,
                                         .read_command = read_command,
                                         .begin = begin,
                                         .command = give,
                                         .wishes = list_wishes,
                                         .order = order_of,
                                         .tell = tell,
                                         .status = get_status,
                                         .status_text = ff_walk_status_text,
                                         .end = end};
