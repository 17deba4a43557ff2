// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {free_legs: {radius: 0.04, ..}, commands: [{at: 0, speed: 0.1, direction: 90 deg}, ..]}`: legs under a central control, see
// footfall/free_legs.h. A command changes what it names; `direction` without `speed` keeps the speed, `speed` without `direction` goes ahead.
#include "scene/control_kind.h"

#include <footfall/free_legs.h>
#include <footfall/math.h>
#include <math.h>
#include <string.h>

static const double LONGEST_PERIOD = 0.1; // the controller takes a longer gap between cycles for this [s]

/// A command of the schedule.
typedef struct wish {
    bool has_speed, has_direction, has_turn, has_height, has_gather;
    double speed, direction, turn, height;
    bool gather;
    struct wish *next;
} wish;

typedef struct settings {
    ff_free_legs_options options;
    wish *wishes; // all of them, in any order, to be tried when the controller is made
} settings;

// ------------------------------------------------------------------------------------------ reading

static void *read(ff_scene_reader *r, ff_yaml *node, const ff_scene_robot *robot)
{
    settings *s = FF_ARENA_NEW(&r->scene->arena, settings, 1);
    (void)robot;
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
    o->pose = ff_arena_strdup(&r->scene->arena, ff_yaml_string(node, "pose", o->pose, r->report));
    ff_yaml *period = ff_yaml_get(node->parent, "period");
    double seconds = 0.0;
    if (period && ff_yaml_as_number(period, &seconds, r->report) && seconds > LONGEST_PERIOD) {
        ff_report_add(r->report, FF_ERROR, period->place,
                      "'period' is %g s: free legs need a cycle every %g s at least", seconds, LONGEST_PERIOD);
        return NULL;
    }
    return o->pose ? s : NULL;
}

static bool read_wish(ff_scene_reader *r, ff_yaml *entry, const char *key, double *value)
{
    const bool given = ff_yaml_get(entry, key) != NULL;
    *value = ff_yaml_number(entry, key, 0.0, r->report);
    return given;
}

static void *read_command(ff_scene_reader *r, ff_yaml *entry, const ff_scene_robot *robot, void *context)
{
    settings *s = context;
    wish *w = FF_ARENA_NEW(&r->scene->arena, wish, 1);
    (void)robot;
    if (!w) return NULL;
    w->has_speed = read_wish(r, entry, "speed", &w->speed);
    if (fabs(w->speed) > s->options.ground_speed)
        ff_report_add(
            r->report, FF_WARNING, ff_yaml_get(entry, "speed")->place,
            "'speed' is %g m/s, but feet on the ground move at most %g m/s ('ground_speed'): it is scaled down",
            w->speed, s->options.ground_speed);
    w->has_direction = read_wish(r, entry, "direction", &w->direction);
    w->has_turn = read_wish(r, entry, "turn", &w->turn);
    w->has_height = read_wish(r, entry, "height", &w->height);
    w->has_gather = ff_yaml_get(entry, "gather") != NULL;
    w->gather = ff_yaml_boolean(entry, "gather", false, r->report);
    if (r->live) return w;
    w->next = s->wishes;
    s->wishes = w;
    return w;
}

// ------------------------------------------------------------------------------------------ acting

static ff_free_legs_command changed_by(ff_free_legs_command c, const wish *w)
{
    const double was = sqrt(c.velocity[0] * c.velocity[0] + c.velocity[1] * c.velocity[1]);
    if (w->has_speed || w->has_direction) {
        const double speed = w->has_speed ? w->speed : was;
        double sine, cosine;
        ff_sincos(&w->direction, &sine, &cosine, 1);
        c.velocity[0] = speed * cosine;
        c.velocity[1] = speed * sine;
    }
    if (w->has_turn) c.turn = w->turn;
    if (w->has_height) c.height = w->height;
    if (w->has_gather) c.gather = w->gather;
    return c;
}

static ff_status command(void *context, double t, const void *given, ff_error *err)
{
    const ff_free_legs_command wished = changed_by(ff_free_legs_command_get(context), given);
    (void)t;
    return ff_free_legs_command_set(context, &wished, err);
}

static int list_wishes(const void *context, ff_scene_wish *out, int most)
{
    static const char *const switches[] = {"false", "true", NULL};
    const ff_free_legs_command c = ff_free_legs_command_get(context);
    const double speed = sqrt(c.velocity[0] * c.velocity[0] + c.velocity[1] * c.velocity[1]);
    double stand;
    const double fastest = ff_free_legs_get_options(context, &stand)->ground_speed;
    const ff_scene_wish all[] = {{"speed", "m/s", 0, fastest, speed, NULL},
                                 {"direction", "rad", -FF_PI, FF_PI, ff_atan2(c.velocity[1], c.velocity[0]), NULL},
                                 {"turn", "rad/s", -4.0 * fastest, 4.0 * fastest, c.turn, NULL},
                                 {"height", "m", 0.6 * stand, 1.4 * stand, c.height > 0.0 ? c.height : stand, NULL},
                                 {"gather", "", 0, 1, c.gather, switches}};
    const int count = sizeof all / sizeof *all < (size_t)most ? (int)(sizeof all / sizeof *all) : most;
    memcpy(out, all, (size_t)count * sizeof *out);
    return count;
}

static ff_control_order order_of(const void *context)
{
    const ff_free_legs_command c = ff_free_legs_command_get(context);
    double stand;
    ff_free_legs_get_options(context, &stand);
    return (ff_control_order){.turn = c.turn, .height = c.height > 0.0 ? c.height : stand};
}

/// Each command by itself, so that one out of reach is told before the run.
static ff_status try_wishes(const settings *s, ff_free_legs *legs, ff_error *err)
{
    const ff_free_legs_command before = ff_free_legs_command_get(legs);
    ff_status status = FF_OK;
    for (const wish *w = s->wishes; w && status == FF_OK; w = w->next) {
        const ff_free_legs_command wished = changed_by(before, w);
        status = ff_free_legs_command_set(legs, &wished, err);
    }
    ff_error unused = {0};
    ff_free_legs_command_set(legs, &before, &unused);
    return status;
}

static ff_status begin(void *context, const ff_control_site *site, ff_scene_controller *out, ff_error *err)
{
    const settings *s = context;
    ff_free_legs *legs = NULL;
    ff_status status = ff_free_legs_create(site->model, &s->options, &legs, err);
    if (status == FF_OK) status = ff_free_legs_bind(legs, site->sensors, site->references, err);
    if (status == FF_OK) status = try_wishes(s, legs, err);
    if (status != FF_OK) {
        ff_free_legs_destroy(legs);
        return status;
    }
    const ff_controller controller = ff_free_legs_controller(legs);
    out->context = controller.context;
    out->cycle = controller.cycle;
    out->memory = ff_free_legs_memory(legs, &out->memory_size);
    ff_free_legs_signals(legs, &out->nsignal, &out->signals, &out->values);
    return FF_OK;
}

static void tell(const void *context, ff_place place, ff_report *report)
{
    int count;
    const ff_io_name *names;
    const double *values;
    ff_free_legs_signals(context, &count, &names, &values);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i].name, "unreachable") == 0 && values[i] > 0.0)
            ff_report_add(report, FF_WARNING, place,
                          "%.0f times a tip was out of reach and the leg stayed as near as it could: ground too "
                          "uneven, or height too great",
                          values[i]);
}

static void end(void *context)
{
    ff_free_legs_destroy(context);
}

const ff_control_kind ff_control_free_legs = {.key = "free_legs",
                                              .positions = true,
                                              .read = read,
                                              .read_command = read_command,
                                              .begin = begin,
                                              .command = command,
                                              .wishes = list_wishes,
                                              .order = order_of,
                                              .tell = tell,
                                              .end = end};
