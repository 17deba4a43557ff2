// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {gait: tripod, speed: 0.1, ..}`: the walking controller of footfall/hexapod.h. Keys of a command stand
// beside `gait` and, each command with a time, under `commands`; a key that a command does not have keeps its value.
#include "gait/walk.h"
#include "steer/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(ff_gait) == sizeof(int), "a choice is an int");

// Keys of a command; those of BODY, SCALE and ROTATION are maps.
enum {
    GAIT,
    SPEED,
    DIRECTION,
    TURN,
    TRANSFER,
    LENGTH,
    ZONE,
    HEIGHT,
    ROLL,
    PITCH,
    WALK,
    SHIFT_BODY,
    CONTROL_FORCES,
    HAND_X,
    HAND_Y,
    HAND_Z,
    HAND_SPEED,
    HAND_FORCE,
    HAND,
    PROBE,
    BODY,
    SCALE,
    ROTATION,
    KEYS
};

/// Values of a command as files have them.
typedef struct gait_command {
    ff_walk_command walk;
    const char *hand;                                                            // leg, whose number is walk.hand
    bool body[FF_WALK_BODY_JOINTS], scale[FF_WALK_LEGS], rotation[FF_WALK_LEGS]; // whether the map has that entry
} gait_command;

typedef struct gait_settings {
    ff_hexapod_options options; // first: ff_hexapod_settings fills them
    gait_command start;
    bool given[KEYS]; // of `start`
} gait_settings;

#define OF gait_command
static const ff_row COMMANDS[KEYS + 1] = {
    [GAIT] = FF_COMMAND_CHOICE("gait", walk.gait, ff_gait_names, "order of the legs"),
    [SPEED] = FF_COMMAND_NUMBER("speed", walk.speed, "m/s", FF_BETWEEN(-100, 100), "speed of the body"),
    [DIRECTION] = FF_COMMAND_NUMBER("direction", walk.direction, "rad", FF_BETWEEN(-10, 10),
                                    "direction of the speed, from ahead to the left"),
    [TURN] = FF_COMMAND_NUMBER("turn", walk.turn, "rad/s", FF_BETWEEN(-100, 100), "turn to the left"),
    [TRANSFER] = FF_COMMAND_NUMBER("transfer", walk.transfer, "m/s", FF_BETWEEN(0, 100),
                                   "speed of feet in the air relative to the body, in place of 'speed'"),
    [LENGTH] = FF_COMMAND_NUMBER("length", walk.length, "m", FF_BETWEEN(1e-3, 10), "footstep length"),
    [ZONE] = FF_COMMAND_NUMBER("zone", walk.zone, "m", FF_BETWEEN(1e-4, 10),
                               "height of the zone in which steps find the ground"),
    [HEIGHT] =
        FF_COMMAND_NUMBER("height", walk.height, "m", FF_BETWEEN(0, 10), "height of the root body above the ground"),
    [ROLL] = FF_COMMAND_NUMBER("roll", walk.roll, "rad", FF_BETWEEN(-1.5, 1.5), "roll of the root body"),
    [PITCH] = FF_COMMAND_NUMBER("pitch", walk.pitch, "rad", FF_BETWEEN(-1.5, 1.5), "pitch of the root body"),
    [WALK] = FF_COMMAND_SWITCH("walk", walk.walk, "false: stand"),
    [SHIFT_BODY] = FF_COMMAND_SWITCH("shift_body", walk.shift_body, "correct the centre of mass"),
    [CONTROL_FORCES] =
        FF_COMMAND_SWITCH("control_forces", walk.control_forces, "control the vertical forces of the feet"),
    [HAND_X] = FF_COMMAND_NUMBER("hand_x", walk.reach[0], "m", FF_BETWEEN(-10, 10),
                                 "target of the lowest point of the hand, ahead of the middle of the standing robot"),
    [HAND_Y] = FF_COMMAND_NUMBER("hand_y", walk.reach[1], "m", FF_BETWEEN(-10, 10), "the same, to the left"),
    [HAND_Z] =
        FF_COMMAND_NUMBER("hand_z", walk.reach[2], "m", FF_BETWEEN(-10, 10), "the same, above the ground it stands on"),
    [HAND_SPEED] =
        FF_COMMAND_NUMBER("hand_speed", walk.hand_speed, "m/s", FF_ABOVE_UP_TO(0.0, 10), "speed of the hand"),
    [HAND_FORCE] = FF_COMMAND_NUMBER("hand_force", walk.hand_force, "N", FF_NOT_NEGATIVE,
                                     "force at which the hand stops; 0: none"),
    [HAND] = FF_COMMAND_TEXT(
        "hand", hand,
        "leg that serves as a hand while the others stand, by name or number; none: it steps back to its place"),
    [PROBE] = FF_COMMAND_SWITCH("probe", walk.probe,
                                "at its target the hand presses and drags along the ground to identify it"),
    [BODY] = FF_NAMED("body", "rad", FF_ANY, "{JOINT: angle} for joints between segments of the body"),
    [SCALE] = FF_NAMED("scale", "", FF_ANY, "{LEG: factor} on the footstep length of a leg"),
    [ROTATION] =
        FF_NAMED("rotation", "rad", FF_ANY, "{LEG: angle} by which the steps of a leg are turned about the vertical"),
    [KEYS] = {0},
};
#undef OF

// ------------------------------------------------------------------------------------------ reading

static int find_leg(const ff_model *m, const char *name)
{
    const int leg = ff_model_find_leg(m, name);
    return leg < FF_WALK_LEGS ? leg : -1;
}

static int find_body_joint(const ff_model *m, const char *name)
{
    const int place = ff_hexapod_body_joint(m, name);
    return place < FF_WALK_BODY_JOINTS ? place : -1;
}

/// Reads a map {NAME: number, ..}. `find` gives the place of a name in `values`, -1: it is unknown.
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

/// Finds the leg that serves as a hand, by its name or number.
static void find_hand(const ff_steer_reader *r, ff_yaml *map, gait_command *c)
{
    const char *name = c->hand;
    const int leg = find_leg(r->robot, name), digits = (int)strspn(name, "0123456789");
    const bool none = strcmp(name, "none") == 0 || strcmp(name, "0") == 0;
    const int number = leg < 0 && digits > 0 && digits < 4 && !name[digits] ? atoi(name) : leg + 1;
    c->walk.hand = none ? 0 : number;
    if (!none && (number < 1 || number > r->robot->nleg))
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(map, "hand")->place,
                      "the robot has no leg '%.60s' to serve as a hand", name);
}

/// Reports a gait that the legs of the robot cannot walk.
static void check_gait(const ff_steer_reader *r, ff_yaml *map, ff_gait gait)
{
    const ff_model *m = r->robot;
    ff_leg_place places[FF_WALK_LEGS];
    ff_gait_table table;
    ff_error err = {0};
    for (int i = 0; i < FF_WALK_LEGS; i++) places[i] = (ff_leg_place){i / 2, i % 2};
    // a wrong number of legs is reported when the controller is made
    if (m->nleg >= 4 && m->nleg <= FF_WALK_LEGS && m->nleg % 2 == 0 &&
        ff_gait_table_make(gait, places, m->nleg, &table, &err) != FF_OK)
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(map, "gait")->place, "%s", err.text);
}

static void read_command(const ff_steer_reader *r, ff_yaml *map, void *settings, const ff_command *command)
{
    const ff_model *m = r->robot;
    gait_command *c = command->values;
    (void)settings;
    if (command->given[GAIT]) check_gait(r, map, c->walk.gait);
    if (command->given[HAND]) find_hand(r, map, c);
    read_named(r, ff_yaml_get(map, "body"), m, find_body_joint, "driven joint between its segments", c->walk.body,
               c->body);
    read_named(r, ff_yaml_get(map, "scale"), m, find_leg, "leg", c->walk.scale, c->scale);
    read_named(r, ff_yaml_get(map, "rotation"), m, find_leg, "leg", c->walk.rotation, c->rotation);
}

static void read_stance(const ff_steer_reader *r, ff_yaml *map, ff_hexapod_options *o)
{
    ff_yaml *stance = ff_yaml_get(map, "stance");
    if (!stance || !ff_yaml_expect(stance, FF_YAML_MAP, "{rectangle: [ahead, sideways]} or {ellipse: [..]}", r->report))
        return;
    const bool round = ff_yaml_get(stance, "ellipse") != NULL;
    if ((ff_yaml_get(stance, "rectangle") != NULL) == round)
        ff_report_add(r->report, FF_ERROR, stance->place,
                      "feet stand on a 'rectangle: [ahead, sideways]' or on an 'ellipse: [..]'%s",
                      round ? ", not on both" : "");
    if (ff_yaml_numbers(stance, round ? "ellipse" : "rectangle", o->half, 2, 2, r->report) == 2)
        o->stance = round ? FF_STANCE_ELLIPSE : FF_STANCE_RECTANGLE;
}

static void set_defaults(void *settings)
{
    // among them options that have no key
    ((gait_settings *)settings)->options = ff_hexapod_options_default();
}

static bool read(const ff_steer_reader *r, ff_yaml *node, void *settings)
{
    ff_yaml *map = node->parent, *pose = ff_yaml_get(map, "pose");
    gait_settings *s = settings;
    ff_hexapod_options *o = &s->options;
    const int errors = r->report->errors;
    int key;
    ff_error err = {0};
    if (pose && ff_model_need_key(r->robot, o->pose, &key, &err) != FF_OK)
        ff_report_add(r->report, FF_ERROR, pose->place, "%s", err.text);
    read_stance(r, map, o);
    ff_control_keys_read(r, map, COMMANDS, &s->start, s->given);
    read_command(r, map, s, &(ff_command){&s->start, s->given, true});
    if (!s->given[WALK]) s->given[WALK] = s->start.walk.walk = true;
    return r->report->errors == errors;
}

// ------------------------------------------------------------------------------------------ at work

static void put_named(const double *from, const bool *given, int n, double *to)
{
    for (int i = 0; i < n; i++)
        if (given[i]) to[i] = from[i];
}

static ff_status give_command(void *hexapod, double t, const ff_command *command, ff_error *err)
{
    const gait_command *c = command->values;
    gait_command next = {.walk = ff_hexapod_command_get(hexapod)};
    (void)t;
    ff_settings_merge(COMMANDS, command->given, c, &next);
    // a new speed takes the place of an earlier speed of transfer
    if (command->given[SPEED] && !command->given[TRANSFER]) next.walk.transfer = 0.0;
    if (command->given[HAND]) next.walk.hand = c->walk.hand;
    put_named(c->walk.body, c->body, FF_WALK_BODY_JOINTS, next.walk.body);
    put_named(c->walk.scale, c->scale, FF_WALK_LEGS, next.walk.scale);
    put_named(c->walk.rotation, c->rotation, FF_WALK_LEGS, next.walk.rotation);
    return ff_hexapod_command_set(hexapod, &next.walk, err);
}

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    gait_settings s = *(const gait_settings *)settings;
    *out = ff_hexapod_create(site->robot, &s.options, err);
    return *out ? give_command(*out, 0.0, &(ff_command){&s.start, s.given, true}, err) : err->status;
}

FF_KIND_BIND(ff_hexapod)

static const ff_io_numbers *get_planner_output(const void *hexapod)
{
    return &((const ff_hexapod *)hexapod)->planner_output;
}

static void plan(void *hexapod, double t, const ff_io_frame *sensors, ff_io_frame *out)
{
    ff_hexapod_plan_cycle(hexapod, t, sensors, out);
}

static void stabilise(void *hexapod, double t, const ff_io_frame *sensors, const ff_io_frame *planned,
                      ff_io_frame *references)
{
    ff_hexapod_servo_cycle(hexapod, t, sensors, planned, references);
}

static const ff_controller_halves HALVES = {get_planner_output, plan, stabilise};

/// Ranges of sliders: what a robot of that size can do in this gait. Scenes may command more. Ranges do not depend on
/// present values, so that a slider does not change while it is moved.
static int list_keys(const void *hexapod, ff_command_key *out, int most)
{
    const gait_command now = {.walk = ff_hexapod_command_get(hexapod)};
    const ff_walk_command *w = &now.walk, first = ff_hexapod_first_command(hexapod);
    const double fastest = ff_hexapod_top_speed(hexapod);
    const ff_command_range ranges[] = {{GAIT, 0, FF_GAIT_COUNT - 1},
                                       {.row = WALK},
                                       {SPEED, 0, fastest},
                                       {DIRECTION, -FF_PI, FF_PI},
                                       {TURN, -4.0 * fastest, 4.0 * fastest},
                                       {HEIGHT, 0.6 * first.height, 1.4 * first.height},
                                       {ROLL, -0.25, 0.25},
                                       {PITCH, -0.25, 0.25},
                                       {LENGTH, 0.2 * first.length, ff_max(1.5 * first.length, w->length)},
                                       {ZONE, 0.2 * first.zone, ff_max(2.0 * first.zone, w->zone)},
                                       {.row = SHIFT_BODY},
                                       {.row = CONTROL_FORCES},
                                       {HAND, 0, FF_WALK_LEGS},
                                       {HAND_X, -0.4, 0.4},
                                       {HAND_Y, -0.4, 0.4},
                                       {HAND_Z, -0.1, 0.3},
                                       {HAND_SPEED, 0.005, 0.2},
                                       {HAND_FORCE, 0, 30},
                                       {.row = PROBE}};
    const int count = FF_COMMAND_KEYS(COMMANDS, &now, ranges, out, most);
    for (int i = 0; i < count; i++)
        if (ranges[i].row == HAND) out[i].value = w->hand, out[i].choices = ((const ff_hexapod *)hexapod)->hands;
    return count;
}

static ff_body_command get_body_command(const void *hexapod)
{
    const ff_walk_command w = ff_hexapod_command_get(hexapod);
    const double slowed = w.walk ? ff_hexapod_slowed(hexapod) : 0.0, speed = slowed * w.speed;
    double sine, cosine;
    ff_sincos(&w.direction, &sine, &cosine, 1);
    return (ff_body_command){.moves = !(w.transfer > 0.0), // a speed of transfer commands no speed of the body
                             .ahead = speed * cosine,
                             .left = speed * sine,
                             .turn = slowed * w.turn,
                             .height = w.height};
}

/// Reports each condition but that the body waited for a foot, which is usual.
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

const ff_controller_kind ff_controller_gait = {.name = "gait",
                                               .help = "walks in a gait, on legs in rows of two",
                                               .longest = 0.02, // it takes a longer gap between cycles for this
                                               .positions = true,
                                               .parameters = ff_hexapod_settings,
                                               .beside = true,
                                               .settings_size = sizeof(gait_settings),
                                               .set_defaults = set_defaults,
                                               .read = read,
                                               .create = create,
                                               .bind = bind,
                                               .destroy = destroy,
                                               .commands = COMMANDS,
                                               .begins_commanded = true,
                                               .command_size = sizeof(gait_command),
                                               .read_command = read_command,
                                               .command = give_command,
                                               .command_keys = list_keys,
                                               .body_command = get_body_command,
                                               .status_text = ff_walk_status_text,
                                               .report = report_warnings,
                                               .halves = &HALVES};
