// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {biped: {speed: 0.5}, commands: [{at: 5, walk: false}, ..]}`: planner and stabiliser of footfall/biped.h,
// hosted by the I/O frames of a scene. Sensors it needs: roll, pitch and rates of the torso (`imu`), six components of
// force under each foot (`force` of its leg); switches on the bodies of a foot are used where there are some.
#include "steer/kind.h"

#include "drive/set.h"
#include "gait/items.h"
#include "sense/io_name.h"

#include <footfall/biped.h>
#include <footfall/math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DRIVES = FF_BIPED_DOFS, MOST_PADS = 8 };
enum { POSITION, SPEED, ITEMS };
enum { ROLL, PITCH, SPIN_X, SPIN_Y, SPIN_Z, TORSO_ITEMS };

static const char *const FILTERS[] = {"raw", "low", "notch", "passivity", NULL};
static const char *const BALANCES[] = {"inclination", "dcm", NULL};
static const char *const DISTRIBUTIONS[] = {"heuristic", "quadratic", NULL};

static const char *const FEET[] = {"left", "right", NULL};

typedef struct footsteps {
    ff_biped_step steps[FF_BIPED_STEPS];
    int count;
} footsteps;

/// 0: as the robot suggests, for numbers that depend on it.
typedef struct settings {
    const char *pose;
    ff_biped_command command;
    footsteps list;
    double step_time, double_support, lift, width, height, sweep, hold, longest;
    int filter, balance, distribution;
    double tilt_stiffness, tilt_damping, height_gain, height_damping, force_gain, force_rate_gain, force_plan,
        early_force, friction;
    bool reflex, swing_adaptation, inclination, com_tracking, com_acceleration, late_foot, force_control, lag_reduction,
        common_mode;
    bool correction;
    double comfort, limits, self_collision, angular_momentum;
} settings;

#define OF settings
static const ff_row PARAMETERS[] = {
    FF_ROW_TEXT("pose", pose, "of the robot's file, in which it stands; without it, as `biped` of that file says"),
    FF_ROW_NUMBER("step_time", step_time, "s", FF_BETWEEN(0, 10), "of a step; 0: as the robot suggests"),
    FF_ROW_NUMBER("double_support", double_support, "s", FF_BETWEEN(0, 5),
                  "the part of it in which both feet stand; 0: as the robot suggests"),
    FF_ROW_NUMBER("lift", lift, "m", FF_BETWEEN(0, 1), "of the swing foot; 0: as the robot suggests"),
    FF_ROW_NUMBER("width", width, "m", FF_BETWEEN(0, 2), "between the feet; 0: as the robot suggests"),
    FF_ROW_NUMBER("height", height, "m", FF_BETWEEN(0, 10),
                  "of the centre of mass above the ground; 0: as the robot suggests"),
    FF_ROW_NUMBER("sweep", sweep, "m", FF_BETWEEN(0, 1),
                  "of the ZMP along the sole at the longest step, either way; 0: as the robot suggests"),
    FF_ROW_NUMBER("hold", hold, "s", FF_BETWEEN(0, 10),
                  "before the first and after the last step; 0: as the robot suggests"),
    FF_ROW_NUMBER("longest", longest, "m", FF_BETWEEN(0, 5), "step; 0: as the robot suggests"),
    FF_ROW_NUMBER("comfort", comfort, "1/s", FF_NOT_NEGATIVE, "of free joints: draws them to the standing pose"),
    FF_ROW_NUMBER("limits", limits, "1/s", FF_NOT_NEGATIVE, "of free joints: draws them away from their limits"),
    FF_ROW_NUMBER("self_collision", self_collision, "", FF_NOT_NEGATIVE,
                  "of free joints: draws limbs apart that come near each other"),
    FF_ROW_NUMBER("angular_momentum", angular_momentum, "", FF_NOT_NEGATIVE,
                  "of free joints: arms swing against the legs' momentum about the vertical axis, 1: by some 24 "
                  "degrees"),
    FF_ROW_SWITCH("correction", correction, "correct plans once by the dynamics of the whole body"),
    FF_ROW_CHOICE("filter", filter, FILTERS, "of the rate of inclination"),
    FF_ROW_CHOICE("balance", balance, BALANCES,
                  "law that draws the torso upright: by its lean, or by the divergent component of motion"),
    FF_ROW_CHOICE("distribution", distribution, DISTRIBUTIONS, "of forces to the feet"),
    FF_ROW_NUMBER("tilt_stiffness", tilt_stiffness, "N m/rad", FF_NOT_NEGATIVE,
                  "of inclination control; 0: by weight and height"),
    FF_ROW_NUMBER("tilt_damping", tilt_damping, "N m s/rad", FF_NOT_NEGATIVE,
                  "of inclination control; 0: by weight and height"),
    FF_ROW_NUMBER("height_gain", height_gain, "", FF_NOT_NEGATIVE, "share of missing force that accelerates the body"),
    FF_ROW_NUMBER("height_damping", height_damping, "N s/m", FF_NOT_NEGATIVE,
                  "of the height of the centre of mass; 0: by weight and height"),
    FF_ROW_NUMBER("force_gain", force_gain, "1/s", FF_NOT_NEGATIVE, "of foot forces"),
    FF_ROW_NUMBER("force_rate_gain", force_rate_gain, "", FF_NOT_NEGATIVE, "of their rates"),
    FF_ROW_NUMBER("force_plan", force_plan, "", FF_NOT_NEGATIVE,
                  "of the change of planned forces: 1 compresses soles ahead as they need it"),
    FF_ROW_NUMBER("early_force", early_force, "N", FF_NOT_NEGATIVE,
                  "at which a swing foot has touched early; 0: by weight"),
    FF_ROW_NUMBER("friction", friction, "", FF_POSITIVE, "coefficient that the distribution reckons with"),
    FF_ROW_SWITCH("reflex", reflex, "a foot that touches early stops and takes load"),
    FF_ROW_SWITCH("swing_adaptation", swing_adaptation,
                  "swing feet are led over the ground as the other foot and the lean of the robot tell it"),
    FF_ROW_SWITCH("inclination", inclination, "draw the torso upright"),
    FF_ROW_SWITCH("com_tracking", com_tracking, "the body follows the ground"),
    FF_ROW_SWITCH("com_acceleration", com_acceleration, "the body gives way to forces"),
    FF_ROW_SWITCH("late_foot", late_foot, "a foot that is late is accelerated down"),
    FF_ROW_SWITCH("force_control", force_control, "feet follow wanted forces"),
    FF_ROW_SWITCH("lag_reduction", lag_reduction, "feet are led by the rates of forces, too"),
    FF_ROW_SWITCH("common_mode", common_mode, "motion that both feet make fades"),
    {0},
};
#undef OF

enum { C_SPEED, C_SIDE, C_TURN, C_WALK, C_FOOTSTEPS, KEYS };

typedef struct command {
    ff_biped_command values;
    footsteps list;
    bool given[KEYS];
} command;

static const ff_row FOOTSTEP_KEYS[] = {
    FF_WORD("foot", FEET, NULL, "that moves; without it, the other one than before, first the left one"),
    FF_NUMBER("x", "m", FF_BETWEEN(-1000, 1000), "0", "ahead of where the middle of the feet was at the start"),
    FF_NUMBER("y", "m", FF_BETWEEN(-1000, 1000), "0", "to the left of it"),
    FF_NUMBER("turn", "rad", FF_BETWEEN(-1000, 1000), "0", "to the left"),
    {0},
};
static const ff_key_group FOOTSTEP = {.name = "footstep", .help = "Where a foot goes.", .keys = FOOTSTEP_KEYS};
static const ff_row FOOTSTEPS_KEYS[] = {FF_MAP("-", &FOOTSTEP, "a footstep"), {0}};
static const ff_key_group FOOTSTEPS = {.name = "footsteps", .help = "A list of footsteps.", .keys = FOOTSTEPS_KEYS};

#define OF ff_biped_command
static const ff_row COMMANDS[KEYS + 1] = {
    [C_SPEED] = FF_ROW_NUMBER("speed", speed, "m/s", FF_BETWEEN(-100, 100), "ahead"),
    [C_SIDE] = FF_ROW_NUMBER("side", side, "m/s", FF_BETWEEN(-100, 100), "to the left"),
    [C_TURN] = FF_ROW_NUMBER("turn", turn, "rad/s", FF_BETWEEN(-100, 100), "to the left"),
    [C_WALK] = FF_ROW_SWITCH("walk", walk, "false: stand; with all speeds zero it steps on the spot"),
    [C_FOOTSTEPS] = FF_LIST("footsteps", &FOOTSTEPS, "in place of speeds; it then stands where they end"),
    [KEYS] = {0},
};
#undef OF

/// Numbers of the whole robot, then of each foot.
enum { TILT_X, TILT_Y, ERROR_X, ERROR_Y, ZMP_X, ZMP_Y, COP_X, COP_Y, COM_X, COM_Y, COM_Z, DCM_X, DCM_Y, EARLY, LATE };
enum { WHOLE = LATE + 1 };
enum { LOAD, WANTED, PLACE_X, PLACE_Y, YAW, OF_FOOT };
enum { SIGNALS = WHOLE + FF_BIPED_FEET * OF_FOOT };

static const ff_io_name NAMES[WHOLE] = {[TILT_X] = {"tilt.x", "rad"},
                                        [TILT_Y] = {"tilt.y", "rad"},
                                        [ERROR_X] = {"torque_error.x", "N m"},
                                        [ERROR_Y] = {"torque_error.y", "N m"},
                                        [ZMP_X] = {"zmp.x", "m"},
                                        [ZMP_Y] = {"zmp.y", "m"},
                                        [COP_X] = {"cop.x", "m"},
                                        [COP_Y] = {"cop.y", "m"},
                                        [COM_X] = {"com.x", "m"},
                                        [COM_Y] = {"com.y", "m"},
                                        [COM_Z] = {"com.z", "m"},
                                        [DCM_X] = {"dcm.x", "m"},
                                        [DCM_Y] = {"dcm.y", "m"},
                                        [EARLY] = {"early", ""},
                                        [LATE] = {"late", ""}};
/// Around the name of the leg.
static const struct {
    const char *before, *after, *unit;
} FOOT_NAMES[OF_FOOT] = {[LOAD] = {"load.", "", ""},
                         [WANTED] = {"wanted.", "", "N"},
                         [PLACE_X] = {"", ".x", "m"},
                         [PLACE_Y] = {"", ".y", "m"},
                         [YAW] = {"", ".yaw", "rad"}};

/// Where a foot is felt.
typedef struct foot_items {
    int force[6];
    double R[9], pos[3]; // of the sensor in the frame of the sole
    double yaw;          // of the foot's frame in that of the sole, about its z axis  [rad]
    int pads[MOST_PADS];
    int npad;
} foot_items;

/// What changes beside planner and stabiliser, whose memories follow it.
typedef struct memory {
    ff_biped_command command;
    ff_biped_sensors sensors;
    double torso_seen, foot_seen[FF_BIPED_FEET]; // when these were measured  [s]
    bool stopped;                                // as sensors failed
    double cop[2];                               // felt last  [m]
} memory;

typedef struct controller {
    ff_biped robot;
    ff_biped_planner *planner;
    ff_biped_stabiliser *stabiliser;
    ff_drive_set *drives;
    ff_biped_command most; // speeds that steps of this robot cover
    ff_error refused;      // footsteps of a command, and why
    bool clipped;          // a command was brought within what the gait allows
    int references[MOST_DRIVES][ITEMS];
    int torso[TORSO_ITEMS];
    double mount[9]; // from the axes of the imu to those of the torso
    bool turned;     // they differ
    foot_items feet[FF_BIPED_FEET];
    unsigned trouble, met; // now, and ever
    ff_io_name names[SIGNALS];
    double values[SIGNALS];
    memory *memory; // and those of planner and stabiliser behind it
} controller;

// ------------------------------------------------------------------------------------------ reading

static void set_defaults(void *all)
{
    settings *s = all;
    *s = (settings){.command = {.walk = true},
                    .filter = FF_BIPED_NOTCH,
                    .distribution = 1,
                    .height_gain = 0.8,
                    .force_gain = 24.0,
                    .force_rate_gain = 0.1,
                    .force_plan = 1.0,
                    .friction = 0.8,
                    .reflex = true,
                    .swing_adaptation = true,
                    .inclination = true,
                    .com_tracking = true,
                    .com_acceleration = true,
                    .late_foot = true,
                    .force_control = true,
                    .lag_reduction = true,
                    .common_mode = true,
                    .correction = true,
                    .comfort = 1.0,
                    .limits = 50.0,
                    .self_collision = 1000.0};
}

static void take(double *to, double given)
{
    if (given > 0.0) *to = given;
}

static ff_biped_gait gait_of(const settings *s, const ff_biped *robot)
{
    ff_biped_gait g = ff_biped_gait_default(robot);
    take(&g.step_time, s->step_time);
    take(&g.double_support, s->double_support);
    take(&g.lift, s->lift);
    take(&g.width, s->width);
    take(&g.height, s->height);
    take(&g.sweep, s->sweep);
    take(&g.hold, s->hold);
    take(&g.longest, s->longest);
    g.corrections = s->correction;
    return g;
}

static void read_footsteps(const ff_steer_reader *r, ff_yaml *node, footsteps *out)
{
    ff_yaml *list = ff_yaml_get(node, "footsteps");
    int foot = 0;
    if (!list) return;
    if (list->nchild < 1 || list->nchild > FF_BIPED_STEPS) {
        ff_report_add(r->report, FF_ERROR, list->place, "%d footsteps: a list has 1 to %d", list->nchild,
                      FF_BIPED_STEPS);
        return;
    }
    for (ff_yaml *item = list->child; item; item = item->next, foot = 1 - foot) {
        foot = ff_yaml_choice(item, "foot", FEET, foot, r->report);
        out->steps[out->count++] = (ff_biped_step){.foot = foot,
                                                   .x = ff_yaml_number(item, "x", 0.0, r->report),
                                                   .y = ff_yaml_number(item, "y", 0.0, r->report),
                                                   .turn = ff_yaml_number(item, "turn", 0.0, r->report)};
    }
}

/// Footsteps from the standing pose that cannot be made are refused at their places.
static void check_footsteps(const ff_steer_reader *r, ff_yaml *node, ff_biped_planner *planner, const footsteps *list)
{
    const ff_yaml *item = list->count > 0 ? ff_yaml_get(node, "footsteps")->child : NULL;
    ff_error err = {0};
    int bad = 0;
    if (!item || ff_biped_planner_footsteps(planner, list->steps, list->count, &bad, &err) == FF_OK) return;
    while (bad-- > 0) item = item->next;
    ff_report_add(r->report, FF_ERROR, item->place, "this footstep cannot be made: %s", err.text);
}

/// Keys that ask for different things: footsteps take the place of speeds, and who stands does not walk.
static void check_conflicts(const ff_steer_reader *r, ff_yaml *node, const bool given[KEYS], bool walk)
{
    static const int speeds[] = {C_SPEED, C_SIDE, C_TURN};
    const ff_yaml *list = ff_yaml_get(node, "footsteps"), *stand = ff_yaml_get(node, "walk");
    if (list && given[C_WALK] && !walk)
        ff_report_add(r->report, FF_ERROR, list->key_place, "'walk: false' and 'footsteps': it stands or walks a list");
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        const char *name = COMMANDS[speeds[i]].name;
        if (!given[speeds[i]]) continue;
        const ff_yaml *speed = ff_yaml_get(node, name);
        if (list)
            ff_report_add(r->report, FF_WARNING, speed->key_place,
                          "'%s' beside 'footsteps': a list takes the place of speeds", name);
        else if (stand && !walk)
            ff_report_add(r->report, FF_WARNING, speed->key_place,
                          "'%s' beside 'walk: false': it stands, and the speed counts when it walks", name);
    }
}

static bool read(const ff_steer_reader *r, ff_yaml *node, void *all)
{
    settings *s = all;
    const int errors = r->report->errors;
    ff_error err = {0};
    ff_biped robot;
    bool given[KEYS];
    ff_control_keys_read(r, node, COMMANDS, &s->command, given);
    read_footsteps(r, node, &s->list);
    check_conflicts(r, node, given, s->command.walk);
    if (r->robot && ff_biped_make(r->robot, s->pose, &robot, &err) == FF_OK) {
        const ff_biped_gait gait = gait_of(s, &robot);
        ff_biped_planner *planner = ff_biped_planner_create(&robot, &gait, &err);
        if (planner) check_footsteps(r, node, planner, &s->list);
        ff_biped_planner_destroy(planner);
    }
    if (err.status != FF_OK) ff_report_add(r->report, FF_ERROR, node->place, "%s", err.text);
    return r->report->errors == errors;
}

static void *read_command(const ff_steer_reader *r, ff_yaml *entry, void *all)
{
    (void)all;
    const int errors = r->report->errors;
    command *c = FF_ARENA_NEW(r->arena, command, 1);
    if (!c) return NULL;
    ff_control_keys_read(r, entry, COMMANDS, &c->values, c->given);
    read_footsteps(r, entry, &c->list);
    check_conflicts(r, entry, c->given, c->values.walk);
    return r->report->errors == errors ? c : NULL;
}

// ------------------------------------------------------------------------------------------ making

static ff_biped_gains gains_of(const settings *s, const ff_biped *robot, const ff_biped_gait *gait, double period)
{
    ff_biped_gains g = ff_biped_gains_default(robot);
    g.period = period;
    g.filter = (ff_biped_rate_filter)s->filter;
    g.balance = (ff_biped_balance)s->balance;
    g.quadratic = s->distribution == 1;
    take(&g.tilt_stiffness, s->tilt_stiffness);
    take(&g.tilt_damping, s->tilt_damping);
    g.height_gain = s->height_gain;
    take(&g.height_damping, s->height_damping);
    g.force_gain = s->force_gain;
    g.force_rate_gain = s->force_rate_gain;
    g.force_plan = s->force_plan;
    take(&g.early_force, s->early_force);
    g.early_time *= (gait->step_time - gait->double_support) / 0.64; // swing of the source
    g.friction = s->friction;
    g.reflex = s->reflex;
    g.swing_adaptation = s->swing_adaptation;
    g.inclination = s->inclination;
    g.com_tracking = s->com_tracking;
    g.com_acceleration = s->com_acceleration;
    g.late_foot = s->late_foot;
    g.force_control = s->force_control;
    g.lag_reduction = s->lag_reduction;
    g.common_mode = s->common_mode;
    g.comfort = s->comfort;
    g.limits = s->limits;
    g.self_collision = s->self_collision;
    g.angular_momentum = s->angular_momentum;
    return g;
}

static size_t memory_size(void)
{
    return sizeof(memory) + ff_biped_planner_memory_size() + ff_biped_stabiliser_memory_size();
}

static ff_status create(const void *all, const ff_controller_site *site, void **out, ff_error *err)
{
    const settings *s = all;
    controller *c = calloc(1, sizeof *c);
    *out = c;
    if (!c) return ff_error_set(err, FF_NO_MEMORY, "no memory for a biped");
    const ff_status status = ff_biped_make(site->robot, s->pose, &c->robot, err);
    if (status != FF_OK) return status;
    const ff_biped_gait gait = gait_of(s, &c->robot);
    const ff_biped_gains gains = gains_of(s, &c->robot, &gait, site->period);
    c->most = (ff_biped_command){.speed = gait.longest / gait.step_time,
                                 .side = gait.widest / gait.step_time,
                                 .turn = gait.most_turn / gait.step_time};
    c->planner = ff_biped_planner_create(&c->robot, &gait, err);
    c->stabiliser = c->planner ? ff_biped_stabiliser_create(&c->robot, &gains, err) : NULL;
    if (!c->stabiliser) return err->status;
    c->drives = ff_drive_set_create(site->robot, NULL, NULL);
    if (!c->drives || c->drives->n > MOST_DRIVES)
        return ff_error_set(err, FF_BAD_MODEL, "the drives of the biped cannot be made");
    c->memory = calloc(1, memory_size());
    if (!c->memory) return ff_error_set(err, FF_NO_MEMORY, "no memory for a biped");
    ff_biped_planner_use_memory(c->planner, c->memory + 1);
    ff_biped_stabiliser_use_memory(c->stabiliser, (char *)(c->memory + 1) + ff_biped_planner_memory_size());
    c->memory->command = s->command;
    for (int f = 0; f < FF_BIPED_FEET; f++) c->memory->sensors.foot[f].force[2] = 0.5 * c->robot.weight;
    c->clipped = !ff_biped_planner_command(c->planner, &s->command);
    return s->list.count > 0 ? ff_biped_planner_footsteps(c->planner, s->list.steps, s->list.count, NULL, err) : FF_OK;
}

static void destroy(void *all)
{
    controller *c = all;
    ff_biped_planner_destroy(c->planner);
    ff_biped_stabiliser_destroy(c->stabiliser);
    ff_drive_set_destroy(c->drives);
    free(c->memory);
    free(c);
}

static void put_at_start(const void *all, double *q, double *v)
{
    const controller *c = all;
    memcpy(q, c->robot.q, (size_t)c->robot.model->nq * sizeof *q);
    memset(v, 0, (size_t)c->robot.model->nv * sizeof *v);
}

// ------------------------------------------------------------------------------------------ its items

static ff_status bind_drives(controller *c, const ff_controller_site *site, ff_error *err)
{
    static const char *const items[ITEMS] = {"position", "speed"};
    int found = 0;
    for (int i = 0; i < c->drives->n; i++) {
        for (int k = 0; k < ITEMS; k++)
            c->references[i][k] = ff_gait_find_drive(site->references, c->drives->drives[i].name, items[k]);
        found += c->references[i][POSITION] >= 0;
    }
    return found > 0 ? FF_OK : ff_error_set(err, FF_NOT_FOUND, "a biped needs drives that follow positions");
}

/// The body of a frame, or that of the name.
static int body_of(const ff_model *m, const char *name)
{
    const int frame = ff_model_find_frame(m, name);
    return frame >= 0 ? m->frames[frame].body : ff_model_find_body(m, name);
}

/// Where a frame sits in the axes of a body that it moves with. @return false: it moves with another
static bool place_on(const ff_model *m, const char *name, int body, double pos[3], double quat[4])
{
    static const double none[3] = {0.0, 0.0, 0.0}, upright[4] = {1.0, 0.0, 0.0, 0.0};
    const int frame = ff_model_find_frame(m, name), own = body_of(m, name);
    const double *at = frame >= 0 ? m->frames[frame].pos : none, *turn = frame >= 0 ? m->frames[frame].quat : upright;
    if (own < 0 || m->bodies[own].node != m->bodies[body].node) return false;
    ff_vec3_copy(pos, at);
    memcpy(quat, turn, 4 * sizeof *quat);
    if (own == body) return true;
    double back[4], between[4], moved[3]; // both are fixed to one node
    ff_quat_conjugate(back, m->bodies[body].quat);
    ff_quat_mul(between, back, m->bodies[own].quat);
    ff_quat_mul(quat, between, turn);
    ff_quat_rotate(moved, m->bodies[own].quat, at);
    ff_vec3_add(moved, moved, m->bodies[own].pos);
    ff_vec3_sub(moved, moved, m->bodies[body].pos);
    ff_quat_rotate(pos, back, moved);
    return true;
}

/// Refuses a sensor whose readings grow too old before the next one comes.
static ff_status check_age(const ff_controller_site *site, const char *sensor, ff_error *err)
{
    char name[256];
    const ff_sensor_set *set = site->plant ? site->plant->sensors : NULL;
    if (!set || snprintf(name, sizeof name, "%s%s", site->prefix, sensor) >= (int)sizeof name) return FF_OK;
    const int index = ff_sensor_set_find(set, name);
    const ff_chain *chain = index >= 0 ? &set->sensors[index].chain : NULL;
    if (!chain || !(chain->stages & FF_STAGE_SAMPLING)) return FF_OK;
    const double oldest = chain->period * (chain->stages & FF_STAGE_DELAY ? chain->delay + 1 : 1);
    if (oldest < FF_BIPED_OLDEST) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT,
                        "sensor '%.60s' is too slow for a biped: its readings are up to %.3g ms old, and beyond %g ms "
                        "they are of no use",
                        sensor, 1e3 * oldest, 1e3 * FF_BIPED_OLDEST);
}

static ff_status bind_torso(controller *c, const ff_controller_site *site, ff_error *err)
{
    static const char *const items[TORSO_ITEMS] = {"roll", "pitch", "spin.x", "spin.y", "spin.z"};
    const ff_model *m = site->robot;
    const char *elsewhere = NULL, *its_body = "";
    for (int i = 0; i < m->nsensor; i++) {
        double pos[3], quat[4], back[4], mount[4];
        int k = 0;
        for (; k < TORSO_ITEMS; k++) {
            c->torso[k] = ff_gait_find_sensor(site->sensors, m->sensors[i].name, items[k]);
            if (c->torso[k] < 0) break;
        }
        if (k < TORSO_ITEMS) continue;
        if (place_on(m, m->sensors[i].object, c->robot.torso, pos, quat)) {
            ff_quat_conjugate(back, c->robot.torso_quat);
            ff_quat_mul(mount, back, quat);
            ff_quat_to_mat3(c->mount, mount);
            c->turned = fabs(mount[0]) < 1.0 - 1e-12;
            return check_age(site, m->sensors[i].name, err);
        }
        elsewhere = m->sensors[i].name;
        its_body = m->bodies[body_of(m, m->sensors[i].object)].name;
    }
    if (elsewhere)
        return ff_error_set(err, FF_NOT_FOUND,
                            "imu '%.60s' sits on '%.60s' and not on '%.60s', which the biped keeps upright; `torso` of "
                            "`biped` in its file names another body",
                            elsewhere, its_body, m->bodies[c->robot.torso].name);
    return ff_error_set(err, FF_NOT_FOUND,
                        "a biped needs a sensor of type imu on its torso, and effects that have sensors");
}

static void bind_pads(const ff_model *m, const ff_io_layout *sensors, const ff_biped_foot *foot, foot_items *out)
{
    for (int i = 0; i < m->nsensor && out->npad < MOST_PADS; i++) {
        const ff_spec_sensor *s = &m->sensors[i];
        const int item = ff_gait_find_sensor(sensors, s->name, "closed"), frame = ff_model_find_frame(m, s->object);
        const int body = frame >= 0 ? m->frames[frame].body : ff_model_find_body(m, s->object);
        if (item >= 0 && body >= 0 && ff_model_is_below(m, body, foot->body)) out->pads[out->npad++] = item;
    }
}

/// The force sensor in the frame of a sole.
static ff_status place_force(const ff_model *m, const ff_biped_foot *foot, const char *sensor, foot_items *out,
                             ff_error *err)
{
    for (int i = 0; i < m->nsensor; i++) {
        if (strcmp(m->sensors[i].name, sensor) != 0) continue;
        double pos[3], quat[4], sole[9], own[9], away[3];
        if (!place_on(m, m->sensors[i].object, foot->body, pos, quat))
            return ff_error_set(err, FF_NOT_FOUND,
                                "force sensor '%.60s' does not sit on '%.60s', the foot of leg '%.60s'", sensor,
                                m->bodies[foot->body].name, foot->name);
        ff_quat_to_mat3(sole, foot->quat);
        ff_quat_to_mat3(own, quat);
        ff_mat3_tmul(out->R, sole, own);
        ff_vec3_sub(away, pos, foot->pos);
        ff_mat3_tmulv(out->pos, sole, away);
    }
    return FF_OK;
}

static ff_status bind_foot(controller *c, int f, const ff_controller_site *site, ff_error *err)
{
    static const char *const items[6] = {"fx", "fy", "fz", "mx", "my", "mz"};
    const ff_model *m = site->robot;
    const ff_biped_foot *foot = &c->robot.feet[f];
    const ff_leg *leg = &m->legs[ff_model_find_leg(m, foot->name)];
    for (int k = 0; k < 6; k++) {
        c->feet[f].force[k] = leg->force ? ff_gait_find_sensor(site->sensors, leg->force, items[k]) : -1;
        if (c->feet[f].force[k] < 0)
            return ff_error_set(err, FF_NOT_FOUND,
                                "leg '%s' needs a sensor of six components (`force` of the leg, of type force6), and "
                                "effects that have sensors",
                                foot->name);
    }
    bind_pads(m, site->sensors, foot, &c->feet[f]);
    const ff_status status = check_age(site, leg->force, err);
    return status != FF_OK ? status : place_force(m, foot, leg->force, &c->feet[f], err);
}

/// Turn of the frame that the robot's file gives a foot against that of its sole, seen from above.
static double turn_of_frame(const ff_model *m, const ff_biped_foot *foot)
{
    const ff_frame *frame = &m->frames[m->legs[ff_model_find_leg(m, foot->name)].frame];
    static const double ahead[3] = {1.0, 0.0, 0.0};
    double back[4], turn[4], axis[3];
    ff_quat_conjugate(back, foot->quat);
    ff_quat_mul(turn, back, frame->quat);
    ff_quat_rotate(axis, turn, ahead);
    return ff_atan2(axis[1], axis[0]);
}

static ff_status name_signals(controller *c, ff_error *err)
{
    ff_status status = FF_OK;
    memcpy(c->names, NAMES, sizeof NAMES);
    for (int i = 0; i < FF_BIPED_FEET * OF_FOOT && status == FF_OK; i++) {
        const int k = i % OF_FOOT;
        status = ff_io_name_set(&c->names[WHOLE + i], FOOT_NAMES[k].unit, err, "%s%s%s", FOOT_NAMES[k].before,
                                c->robot.feet[i / OF_FOOT].name, FOOT_NAMES[k].after);
    }
    return status;
}

static ff_status bind(void *all, const ff_controller_site *site, ff_controller_ports *ports, ff_error *err)
{
    controller *c = all;
    ff_status status = bind_drives(c, site, err);
    if (status == FF_OK) status = bind_torso(c, site, err);
    for (int f = 0; f < FF_BIPED_FEET && status == FF_OK; f++) {
        status = bind_foot(c, f, site, err);
        c->feet[f].yaw = turn_of_frame(site->robot, &c->robot.feet[f]);
    }
    if (status == FF_OK) status = name_signals(c, err);
    *ports = (ff_controller_ports){c->memory, memory_size(), c->names, c->values, SIGNALS};
    return status;
}

// ------------------------------------------------------------------------------------------ a cycle

static void sense(const ff_io_item *items, int item, double *to)
{
    if (ff_io_known(&items[item])) *to = items[item].value;
}

/// From the sensor to the frame of the sole, the foot's own weight taken off.
static bool feel_foot(const controller *c, int f, const ff_io_item *items, ff_biped_wrench *out, bool *pad)
{
    const foot_items *at = &c->feet[f];
    const ff_biped_foot *foot = &c->robot.feet[f];
    const double weight[3] = {0.0, 0.0, foot->mass * c->robot.weight / c->robot.mass};
    double own[6], moment[3];
    bool known = true;
    for (int k = 0; k < 6; k++) {
        known = known && ff_io_known(&items[at->force[k]]);
        own[k] = items[at->force[k]].value;
    }
    if (known) {
        ff_mat3_mulv(out->force, at->R, own);
        ff_mat3_mulv(out->torque, at->R, own + 3);
        ff_vec3_cross(moment, at->pos, out->force);
        ff_vec3_add(out->torque, out->torque, moment);
        ff_vec3_cross(moment, foot->mass_pos, weight);
        ff_vec3_add(out->torque, out->torque, moment);
        ff_vec3_add(out->force, out->force, weight);
    }
    *pad = false;
    for (int k = 0; k < at->npad; k++)
        *pad = *pad || (ff_io_known(&items[at->pads[k]]) && items[at->pads[k]].value > 0.5);
    return known;
}

static bool feel_torso(const controller *c, const ff_io_item *items, ff_biped_sensors *out)
{
    double *const to[TORSO_ITEMS] = {&out->roll, &out->pitch, &out->gyro[0], &out->gyro[1], &out->gyro[2]};
    bool known = true;
    for (int k = 0; k < TORSO_ITEMS; k++) {
        known = known && ff_io_known(&items[c->torso[k]]);
        sense(items, c->torso[k], to[k]);
    }
    return known;
}

/// When an item was measured that is there, and for how long none has been.  [s]
static double age_of(const ff_io_item *item, bool known, double t, double *seen)
{
    if (known) *seen = 1e-9 * (double)item->time_ns;
    return t - *seen;
}

static void send(const controller *c, const double *q, const double *v, ff_io_frame *references)
{
    ff_io_item *items = ff_io_items(references);
    for (int i = 0; i < c->drives->n; i++) {
        if (c->references[i][POSITION] < 0) continue;
        const ff_drive_position at = ff_drive_path_locate(&c->drives->drives[i].path, q, v);
        const double values[ITEMS] = {at.x, at.speed};
        for (int k = 0; k < ITEMS; k++)
            if (c->references[i][k] >= 0) items[c->references[i][k]] = (ff_io_item){.value = values[k], .valid = 1};
    }
}

/// Centre of pressure as the feet feel it, in the world of the plan; while nothing presses it stays.
static void show_pressure(const ff_biped_sensors *felt, const ff_biped_task *task, double *out)
{
    double sum = 0.0, moment[2] = {0.0, 0.0};
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const ff_biped_wrench *w = &felt->foot[f];
        const double c = ff_cos(task->foot[f].rot[2]), s = ff_sin(task->foot[f].rot[2]);
        if (!(w->force[2] > 0.0)) continue;
        sum += w->force[2];
        moment[0] += w->force[2] * task->foot[f].pos[0] - c * w->torque[1] - s * w->torque[0];
        moment[1] += w->force[2] * task->foot[f].pos[1] - s * w->torque[1] + c * w->torque[0];
    }
    for (int k = 0; k < 2 && sum > 0.0; k++) out[k] = moment[k] / sum;
}

/// What a foot shall carry, and where its frame shall stand in the world of the plan.
static void show_foot(controller *c, const ff_biped_view *view, int f)
{
    double *to = c->values + WHOLE + f * OF_FOOT;
    const ff_biped_motion *foot = &view->task.foot[f];
    to[LOAD] = view->load[f];
    to[WANTED] = view->wanted[f][2];
    to[PLACE_X] = foot->pos[0];
    to[PLACE_Y] = foot->pos[1];
    to[YAW] = foot->rot[2] + c->feet[f].yaw;
}

static void show(controller *c, const ff_biped_target *target)
{
    const ff_biped_view *view = ff_biped_stabiliser_view(c->stabiliser);
    const ff_biped_task *plan = &target->task;
    const double gravity = c->robot.weight / c->robot.mass, time = sqrt(ff_max(plan->com[2], 0.0) / gravity);
    c->trouble = view->trouble;
    c->met |= view->trouble;
    for (int k = 0; k < 2; k++) {
        c->values[TILT_X + k] = view->tilt[k];
        c->values[ERROR_X + k] = view->torque_error[k];
        c->values[ZMP_X + k] = target->zmp[k];
        c->values[DCM_X + k] = plan->com[k] + time * plan->com_vel[k];
    }
    show_pressure(&c->memory->sensors, &view->task, c->memory->cop);
    memcpy(&c->values[COP_X], c->memory->cop, sizeof c->memory->cop);
    memcpy(&c->values[COM_X], plan->com, sizeof plan->com);
    c->values[EARLY] = view->early[0] || view->early[1];
    c->values[LATE] = view->late[0] || view->late[1];
    for (int f = 0; f < FF_BIPED_FEET; f++) show_foot(c, view, f);
}

/// A robot that lacks sensors comes to rest on two feet, once; who knows better may command it to walk on.
static void stop_blind(controller *c)
{
    const bool blind = c->trouble & FF_BIPED_MUST_STOP;
    if (blind && !c->memory->stopped) {
        c->memory->command.walk = false;
        ff_biped_planner_command(c->planner, &c->memory->command);
    }
    c->memory->stopped = blind;
}

/// An imu that is mounted aslant: its up in the axes of the torso tells roll and pitch of that.
static void turn_torso(const controller *c, ff_biped_sensors *felt)
{
    const double own[3] = {-ff_sin(felt->pitch), ff_cos(felt->pitch) * ff_sin(felt->roll),
                           ff_cos(felt->pitch) * ff_cos(felt->roll)};
    const double spin[3] = {felt->gyro[0], felt->gyro[1], felt->gyro[2]};
    double up[3];
    ff_mat3_mulv(up, c->mount, own);
    ff_mat3_mulv(felt->gyro, c->mount, spin);
    felt->roll = ff_atan2(up[1], up[2]);
    felt->pitch = ff_atan2(-up[0], ff_hypot(up[1], up[2]));
}

static void step(void *all, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    controller *c = all;
    const ff_io_item *items = ff_io_items_of(sensors);
    ff_biped_sensors *felt = &c->memory->sensors;
    ff_biped_target target;
    double q[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    felt->torso_age = age_of(&items[c->torso[ROLL]], feel_torso(c, items, felt), t, &c->memory->torso_seen);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const bool known = feel_foot(c, f, items, &felt->foot[f], &felt->pad[f]);
        felt->foot_age[f] = age_of(&items[c->feet[f].force[2]], known, t, &c->memory->foot_seen[f]);
    }
    ff_biped_sensors upright = *felt;
    if (c->turned) turn_torso(c, &upright);
    ff_biped_planner_tick(c->planner, t, &target);
    ff_biped_stabiliser_tick(c->stabiliser, &upright, &target, q, v);
    send(c, q, v, references);
    show(c, &target);
    stop_blind(c);
}

// ------------------------------------------------------------------------------------------ commands at work

static ff_status give_command(void *all, double t, const void *given, ff_error *err)
{
    (void)t;
    controller *c = all;
    const command *new = given;
    ff_biped_command *now = &c->memory->command;
    if (new->list.count > 0) {
        int bad = 0;
        const ff_status status = ff_biped_planner_footsteps(c->planner, new->list.steps, new->list.count, &bad, err);
        if (status == FF_OK) return status;
        ff_error_set(&c->refused, status,
                     "footstep %d of a command cannot be made, and the robot stops on two feet: %.300s", bad + 1,
                     err->text);
        now->walk = false; // on from where nobody meant it to go it might walk into what the list goes round
        ff_biped_planner_command(c->planner, now);
        return status;
    }
    if (new->given[C_SPEED]) now->speed = new->values.speed;
    if (new->given[C_SIDE]) now->side = new->values.side;
    if (new->given[C_TURN]) now->turn = new->values.turn;
    now->walk = new->given[C_WALK] ? new->values.walk : true;
    c->clipped = !ff_biped_planner_command(c->planner, now) || c->clipped;
    return FF_OK;
}

static int list_keys(const void *all, ff_command_key *out, int most)
{
    static const char *const switches[] = {"false", "true", NULL};
    const controller *c = all;
    const ff_biped_command *now = &c->memory->command, *limit = &c->most;
    const ff_command_key list[] = {{"walk", "", 0, 1, now->walk, switches},
                                   {"speed", "m/s", -0.5 * limit->speed, limit->speed, now->speed, NULL},
                                   {"side", "m/s", -limit->side, limit->side, now->side, NULL},
                                   {"turn", "rad/s", -limit->turn, limit->turn, now->turn, NULL}};
    const int count = (int)(sizeof list / sizeof *list) < most ? (int)(sizeof list / sizeof *list) : most;
    memcpy(out, list, (size_t)count * sizeof *out);
    return count;
}

static ff_body_command get_body_command(const void *all)
{
    const ff_biped_command *c = &((const controller *)all)->memory->command;
    return (ff_body_command){.turn = c->walk ? c->turn : 0.0};
}

static unsigned get_status(const void *all)
{
    return ((const controller *)all)->trouble;
}

static const char *status_text(int bit)
{
    static const char *const text[] = {"sensors that make no sense",
                                       "forces that the feet cannot give",
                                       "legs nearly stretched",
                                       "joints at their limits",
                                       "no reading of the torso: it stops",
                                       "no reading of a foot's force: it stops",
                                       "a force sensor of the wrong sign: it stops"};
    return bit < (int)(sizeof text / sizeof *text) ? text[bit] : "";
}

static void report_warnings(const void *all, ff_place place, ff_report *report)
{
    const controller *c = all;
    for (int bit = 0; c->met >> bit; bit++)
        if (c->met & FF_BIPED_MUST_STOP & (1u << bit))
            ff_report_add(report, FF_WARNING, place, "the biped met %s", status_text(bit));
    if (c->refused.status != FF_OK) ff_report_add(report, FF_WARNING, place, "%s", c->refused.text);
    if (c->clipped)
        ff_report_add(report, FF_WARNING, place,
                      "a command asked for more than steps of this robot cover (%.3g m/s ahead, %.3g m/s to the side, "
                      "%.3g rad/s), and was brought within that",
                      c->most.speed, c->most.side, c->most.turn);
}

const ff_controller_kind ff_controller_biped = {.name = "biped",
                                                .help = "walks on two legs with flat feet",
                                                .longest = 0.005,
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
                                                .begins_commanded = true,
                                                .read_command = read_command,
                                                .command = give_command,
                                                .command_keys = list_keys,
                                                .body_command = get_body_command,
                                                .start = put_at_start,
                                                .status = get_status,
                                                .status_text = status_text,
                                                .report = report_warnings};
