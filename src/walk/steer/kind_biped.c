// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {biped: {speed: 0.5}, commands: [{at: 5, walk: false}, ..]}`: planner and stabiliser of footfall/biped.h
// between the I/O frames of a scene. They are the two halves of this controller; the planner sends targets to the
// stabiliser. The sensors it needs: kind_biped.h.
#include "steer/kind_biped.h"
#include "base/clamp.h"
#include "biped/stabiliser.h"
#include "drive/interface.h"
#include "gait/items.h"

#include <footfall/math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DRIVES = FF_BIPED_DOFS };

static const char *const FILTERS[] = {"raw", "low", "notch", "passivity", NULL};
static const char *const BALANCES[] = {"inclination", "dcm", NULL};
static const char *const DISTRIBUTIONS[] = {"heuristic", "quadratic", NULL};

/// Numbers whose defaults follow from the robot.
typedef struct tuning {
    ff_biped_gait gait;
    ff_biped_gains gains;
} tuning;

typedef struct biped_settings {
    tuning tuning; // 0 where the default is 0: as the robot suggests
    const char *pose;
    ff_biped_command command;
    ff_biped_list list;
} biped_settings;

#define OF biped_settings
static const ff_row PARAMETERS[] = {
    FF_SETTING_TEXT("pose", pose, NULL,
                    "standing pose, from the robot's file; without it, that of `biped` in the file"),
    FF_SETTING_NUMBER("step_time", tuning.gait.step_time, "s", FF_BETWEEN(0, 10), "0",
                      "time of a step; 0: that of the robot"),
    FF_SETTING_NUMBER("double_support", tuning.gait.double_support, "s", FF_BETWEEN(0, 5), "0",
                      "part of the step time in which both feet stand; 0: that of the robot"),
    FF_SETTING_NUMBER("lift", tuning.gait.lift, "m", FF_BETWEEN(0, 1), "0",
                      "height to which the swing foot is lifted; 0: that of the robot"),
    FF_SETTING_NUMBER("width", tuning.gait.width, "m", FF_BETWEEN(0, 2), "0",
                      "distance between the feet; 0: that of the robot"),
    FF_SETTING_NUMBER("height", tuning.gait.height, "m", FF_BETWEEN(0, 10), "0",
                      "height of the centre of mass above the ground; 0: that of the robot"),
    FF_SETTING_NUMBER("sweep", tuning.gait.sweep, "m", FF_BETWEEN(0, 1), "0",
                      "largest shift of the ZMP ahead and back along the sole; 0: that of the robot"),
    FF_SETTING_NUMBER("hold", tuning.gait.hold, "s", FF_BETWEEN(0, 10), "0",
                      "time before the first and after the last step; 0: that of the robot"),
    FF_SETTING_NUMBER("longest", tuning.gait.longest, "m", FF_BETWEEN(0, 5), "0", "longest step; 0: that of the robot"),
    FF_SETTING_NUMBER("comfort", tuning.gains.comfort, "1/s", FF_NOT_NEGATIVE, "1",
                      "null-space gain that draws joints to the standing pose"),
    FF_SETTING_NUMBER("limits", tuning.gains.limits, "1/s", FF_NOT_NEGATIVE, "50",
                      "null-space gain that draws joints away from their limits"),
    FF_SETTING_NUMBER("self_collision", tuning.gains.self_collision, "", FF_NOT_NEGATIVE, "1000",
                      "null-space gain that keeps limbs apart"),
    FF_SETTING_NUMBER(
        "angular_momentum", tuning.gains.angular_momentum, "", FF_NOT_NEGATIVE, "0",
        "gain with which arms swing against the legs' momentum about the vertical axis; 1: by some 24 degrees"),
    FF_SETTING_SWITCH("correction", tuning.gait.correction, "true",
                      "correct plans once by the dynamics of the whole body"),
    FF_SETTING_CHOICE("filter", tuning.gains.filter, FILTERS, "notch", "filter of the rate of inclination"),
    FF_SETTING_CHOICE(
        "balance", tuning.gains.balance, BALANCES, "inclination",
        "law that keeps the torso upright: by its inclination, or by the divergent component of motion (dcm)"),
    FF_SETTING_CHOICE("distribution", tuning.gains.distribution, DISTRIBUTIONS, "quadratic",
                      "how forces are distributed to the feet: by their loads, or by a quadratic program"),
    FF_SETTING_NUMBER("tilt_stiffness", tuning.gains.tilt_stiffness, "N m/rad", FF_NOT_NEGATIVE, "0",
                      "stiffness of inclination control; 0: by weight and height"),
    FF_SETTING_NUMBER("tilt_damping", tuning.gains.tilt_damping, "N m s/rad", FF_NOT_NEGATIVE, "0",
                      "damping of inclination control; 0: by weight and height"),
    FF_SETTING_NUMBER("height_gain", tuning.gains.height_gain, "", FF_NOT_NEGATIVE, "0.8",
                      "share of missing force that accelerates the body"),
    FF_SETTING_NUMBER("height_damping", tuning.gains.height_damping, "N s/m", FF_NOT_NEGATIVE, "0",
                      "damping of the height of the centre of mass; 0: by weight and height"),
    FF_SETTING_NUMBER("force_gain", tuning.gains.force_gain, "1/s", FF_NOT_NEGATIVE, "24",
                      "gain of the control of foot forces"),
    FF_SETTING_NUMBER("force_rate_gain", tuning.gains.force_rate_gain, "", FF_NOT_NEGATIVE, "0.1",
                      "gain of the rates of foot forces"),
    FF_SETTING_NUMBER("force_plan", tuning.gains.force_plan, "", FF_NOT_NEGATIVE, "1",
                      "feed-forward of the change of planned forces; 1: by the compliance of the soles"),
    FF_SETTING_NUMBER("early_force", tuning.gains.early_force, "N", FF_NOT_NEGATIVE, "0",
                      "force at which a swing foot counts as touching early; 0: by weight"),
    FF_SETTING_NUMBER("friction", tuning.gains.friction, "", FF_POSITIVE, "0.8",
                      "coefficient of friction that the distribution assumes"),
    FF_SETTING_SWITCH("reflex", tuning.gains.reflex, "true", "a foot that touches early stops and carries load"),
    FF_SETTING_SWITCH("swing_adaptation", tuning.gains.swing_adaptation, "true",
                      "swing feet follow the ground below the other foot and the inclination of the robot"),
    FF_SETTING_SWITCH("inclination", tuning.gains.inclination, "true", "keep the torso upright"),
    FF_SETTING_SWITCH("com_tracking", tuning.gains.com_tracking, "true",
                      "the centre of mass follows the height of the ground"),
    FF_SETTING_SWITCH("com_acceleration", tuning.gains.com_acceleration, "true",
                      "the centre of mass complies with missing forces"),
    FF_SETTING_SWITCH("late_foot", tuning.gains.late_foot, "true", "a foot that is late is accelerated down"),
    FF_SETTING_SWITCH("force_control", tuning.gains.force_control, "true", "feet follow wanted forces"),
    FF_SETTING_SWITCH("lag_reduction", tuning.gains.lag_reduction, "true",
                      "force control also uses the rates of forces"),
    FF_SETTING_SWITCH("common_mode", tuning.gains.common_mode, "true", "motion common to both feet decays"),
    {0},
};
#undef OF

enum { C_SPEED, C_SIDE, C_TURN, C_WALK, C_FOOTSTEPS, KEYS };

typedef struct biped_command {
    ff_biped_command values;
    ff_biped_list list;
} biped_command;

#define OF ff_biped_command
static const ff_row COMMANDS[KEYS + 1] = {
    [C_SPEED] = FF_COMMAND_NUMBER("speed", speed, "m/s", FF_BETWEEN(-100, 100), "speed ahead"),
    [C_SIDE] = FF_COMMAND_NUMBER("side", side, "m/s", FF_BETWEEN(-100, 100), "speed to the left"),
    [C_TURN] = FF_COMMAND_NUMBER("turn", turn, "rad/s", FF_BETWEEN(-100, 100), "turn to the left"),
    [C_WALK] = FF_COMMAND_SWITCH("walk", walk, "false: stand; with all speeds zero it steps on the spot"),
    [C_FOOTSTEPS] = FF_LIST("footsteps", &FF_BIPED_LIST, "footsteps in place of speeds; at their end the robot stands"),
    [KEYS] = {0},
};
#undef OF

enum { SIGNALS = 15 + 5 * FF_BIPED_FEET };

/// All that changes but the memories of planner and stabiliser, which follow it.
typedef struct memory {
    ff_biped_command command;
    ff_biped_readings readings;
    bool stopped;                // sensors have failed
    bool wanted;                 // the last command was to walk; the robot stops when sensors fail
    bool listed;                 // the last command is a list of footsteps, which has no speed
    double cop[2];               // last measured centre of pressure  [m]
    ff_biped_watch_memory watch; // for the planner: the stabiliser may be in another process
} memory;

typedef struct biped_controller {
    ff_biped *robot;
    ff_biped_planner *planner;
    ff_biped_stabiliser *stabiliser;
    ff_drive_set *drives;
    ff_biped_command most; // greatest speeds of this robot
    ff_error refused;      // why footsteps of a command were refused
    bool clamped;          // a command was, to these speeds
    ff_joint_items references[MOST_DRIVES];
    ff_biped_senses senses;
    double yaw[FF_BIPED_FEET]; // of the foot's frame in that of its sole, about the z axis of the sole  [rad]
    ff_biped_gains gains;
    ff_biped_target target;       // of this cycle
    ff_biped_slice slice;         // of the plan
    ff_io_numbers planner_output; // numbers of these two that the planner sends to the stabiliser
    bool planned;                 // a target was received
    double last_target;           // time of the target before  [s]
    uint32_t conditions, ever;    // of this cycle, and of all
    ff_io_name names[SIGNALS];
    double values[SIGNALS];
    memory *memory; // the memories of planner and stabiliser follow it
} biped_controller;

// ------------------------------------------------------------------------------------------ reading

/// A row whose default follows from the robot, unless the file has a number above zero.
static bool is_suggested(const ff_row *row)
{
    return row->takes == FF_TAKES_NUMBER && strcmp(row->initial, "0") == 0;
}

static double *number_of(const tuning *t, const ff_row *row)
{
    return (double *)(void *)((char *)t + row->offset);
}

static tuning tuning_of(const biped_settings *s, const ff_biped *robot, double period)
{
    tuning t = {.gait = ff_biped_gait_default(robot), .gains = ff_biped_gains_default(robot)};
    for (const ff_row *row = PARAMETERS; row->name; row++)
        if (row->offset < sizeof t && !(is_suggested(row) && !(*number_of(&s->tuning, row) > 0.0)))
            memcpy((char *)&t + row->offset, (const char *)&s->tuning + row->offset, ff_setting_size(row));
    t.gains.period = period;
    t.gains.early_time *= (t.gait.step_time - t.gait.double_support) / 0.64; // swing of LOLA in the source [s]
    return t;
}

/// Reports keys that exclude each other: footsteps and speeds; `walk: false` and either of them.
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

/// A gain of more than this times its default may be unstable, as soles, bus and drives lag.
#define FAR_GAIN 5.0

/// Warns of gains far beyond their defaults, at their places.
static void check_gains(const ff_steer_reader *r, ff_yaml *node, const tuning *t, const tuning *usual)
{
    static const char *const gains[] = {"tilt_stiffness", "tilt_damping",    "height_gain", "height_damping",
                                        "force_gain",     "force_rate_gain", "force_plan",  "comfort",
                                        "limits",         "self_collision"};
    for (const ff_row *row = PARAMETERS; row->name; row++) {
        const ff_yaml *given = ff_yaml_get(node, row->name);
        bool is_gain = false;
        for (size_t i = 0; i < sizeof gains / sizeof *gains; i++) is_gain = is_gain || strcmp(gains[i], row->name) == 0;
        if (!given || !is_gain) continue;
        const double gain = *number_of(t, row), usual_gain = *number_of(usual, row);
        if (gain > FAR_GAIN * usual_gain)
            ff_report_add(r->report, FF_WARNING, given->key_place,
                          "'%s' is %.3g times that of the source for this robot, %.3g: it may fall", row->name,
                          gain / usual_gain, usual_gain);
    }
}

static bool read(const ff_steer_reader *r, ff_yaml *node, void *settings)
{
    biped_settings *s = settings;
    const int errors = r->report->errors;
    ff_error err = {0};
    bool given[KEYS];
    s->command.walk = true;
    ff_control_keys_read(r, node, COMMANDS, &s->command, given);
    ff_biped_list_read(r, node, &s->list);
    check_conflicts(r, node, given, s->command.walk);
    ff_biped *robot = r->robot ? ff_biped_create(r->robot, s->pose, &err) : NULL;
    if (robot) {
        const tuning usual = {.gains = ff_biped_gains_default(robot)};
        const tuning t = tuning_of(s, robot, usual.gains.period);
        ff_biped_planner *planner = ff_biped_planner_create(robot, &t.gait, &err);
        if (planner) ff_biped_list_check(r, node, planner, &s->list);
        check_gains(r, node, &t, &usual);
        ff_biped_planner_destroy(planner);
    }
    ff_biped_destroy(robot);
    if (err.status != FF_OK) ff_report_add(r->report, FF_ERROR, node->place, "%s", err.text);
    return r->report->errors == errors;
}

static void read_command(const ff_steer_reader *r, ff_yaml *entry, void *settings, const ff_command *command)
{
    const biped_settings *s = settings;
    biped_command *c = command->values;
    ff_biped_list_read(r, entry, &c->list);
    check_conflicts(r, entry, command->given, c->values.walk);
    // a live command is checked by the controller, which stops the robot when it refuses one
    ff_biped *robot = c->list.count > 0 && !r->live && r->robot ? ff_biped_create(r->robot, s->pose, NULL) : NULL;
    if (robot) {
        const tuning t = tuning_of(s, robot, 0.0);
        ff_biped_list_check_command(r, entry, robot, &t.gait, &c->list);
    }
    ff_biped_destroy(robot);
}

// ------------------------------------------------------------------------------------------ making

static size_t memory_size(void)
{
    return sizeof(memory) + ff_biped_planner_memory_size() + ff_biped_stabiliser_memory_size();
}

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    const biped_settings *s = settings;
    biped_controller *c = calloc(1, sizeof *c);
    *out = c;
    if (!c) return ff_error_set(err, FF_NO_MEMORY, "no memory for a biped");
    c->robot = ff_biped_create(site->robot, s->pose, err);
    if (!c->robot) return err->status;
    const tuning t = tuning_of(s, c->robot, site->period);
    const ff_biped_gait gait = t.gait;
    c->gains = t.gains;
    c->most = (ff_biped_command){.speed = gait.longest / gait.step_time,
                                 .side = gait.widest / gait.step_time,
                                 .turn = gait.most_turn / gait.step_time};
    c->planner = ff_biped_planner_create(c->robot, &gait, err);
    c->stabiliser = c->planner ? ff_biped_stabiliser_create(c->robot, &c->gains, err) : NULL;
    if (!c->stabiliser) return err->status;
    c->drives = ff_drive_set_create(site->robot, NULL, NULL);
    if (!c->drives || c->drives->n > MOST_DRIVES)
        return ff_error_set(err, FF_BAD_MODEL, "the drives of the biped cannot be made");
    c->memory = calloc(1, memory_size());
    if (!c->memory) return ff_error_set(err, FF_NO_MEMORY, "no memory for a biped");
    ff_biped_planner_use_memory(c->planner, c->memory + 1);
    ff_biped_stabiliser_use_memory(c->stabiliser, (char *)(c->memory + 1) + ff_biped_planner_memory_size());
    c->memory->command = s->command;
    c->memory->wanted = s->command.walk;
    c->memory->listed = s->list.count > 0;
    ff_biped_readings_start(c->robot, &c->memory->readings);
    c->memory->watch.last = c->memory->readings.sensors;
    c->clamped = !ff_biped_planner_command(c->planner, &s->command);
    return s->list.count > 0 ? ff_biped_planner_footsteps(c->planner, s->list.steps, s->list.count, NULL, err) : FF_OK;
}

static void destroy(void *controller)
{
    biped_controller *c = controller;
    ff_biped_planner_destroy(c->planner);
    ff_biped_stabiliser_destroy(c->stabiliser);
    ff_biped_destroy(c->robot);
    ff_drive_set_destroy(c->drives);
    free(c->memory);
    free(c);
}

static void put_at_start(const void *controller, double *q, double *v)
{
    const biped_controller *c = controller;
    memcpy(q, ff_biped_standing_pose(c->robot), (size_t)c->robot->model->nq * sizeof *q);
    memset(v, 0, (size_t)c->robot->model->nv * sizeof *v);
}

// ------------------------------------------------------------------------------------------ its items

static ff_status bind_drives(biped_controller *c, const ff_controller_site *site, ff_error *err)
{
    int found = 0;
    for (int i = 0; i < c->drives->n; i++) {
        c->references[i] = ff_gait_drive_items(site->references, c->drives->drives[i].name);
        found += c->references[i].position >= 0;
    }
    return found > 0 ? FF_OK : ff_error_set(err, FF_NOT_FOUND, "a biped needs drives that follow positions");
}

/// Yaw of the foot frame of the robot's file against that of the sole  [rad].
static double yaw_of_frame(const ff_model *m, const ff_biped_foot *foot)
{
    const ff_frame *frame = &m->frames[m->legs[ff_model_find_leg(m, foot->name)].frame];
    static const double ahead[3] = {1.0, 0.0, 0.0};
    double back[4], turn[4], axis[3];
    ff_quat_conjugate(back, foot->quat);
    ff_quat_mul(turn, back, frame->quat);
    ff_quat_rotate(axis, turn, ahead);
    return ff_atan2(axis[1], axis[0]);
}

/// Signals of the controller. Those of a foot are its share of the load, the wanted force, and the pose that its frame
/// should have in the world of the plan.
static void list_signals(const biped_controller *c, ff_gait_signals *s)
{
    static const char *const axes[3] = {"x", "y", "z"};
    const ff_biped_view *view = ff_biped_stabiliser_view(c->stabiliser);
    const ff_biped_task *plan = &c->target.task;
    const double gravity = c->robot->weight / c->robot->mass, time = sqrt(ff_max(plan->com[2], 0.0) / gravity);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(s, "tilt", axes[k], "rad", view->tilt[k]);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(s, "torque_error", axes[k], "N m", view->torque_error[k]);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(s, "zmp", axes[k], "m", c->target.zmp[k]);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(s, "cop", axes[k], "m", c->memory->cop[k]);
    for (int k = 0; k < 3; k++) ff_gait_signal_of(s, "com", axes[k], "m", plan->com[k]);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(s, "dcm", axes[k], "m", plan->com[k] + time * plan->com_vel[k]);
    ff_gait_signal(s, "early", "", view->early[0] || view->early[1]);
    ff_gait_signal(s, "late", "", view->late[0] || view->late[1]);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const char *leg = c->robot->feet[f].name;
        const ff_biped_motion *foot = &view->task.foot[f];
        ff_gait_signal_of(s, "load", leg, "", view->load[f]);
        ff_gait_signal_of(s, "wanted", leg, "N", view->wanted[f][2]);
        ff_gait_signal_of(s, leg, "x", "m", foot->pos[0]);
        ff_gait_signal_of(s, leg, "y", "m", foot->pos[1]);
        ff_gait_signal_of(s, leg, "yaw", "rad", foot->rot[2] + c->yaw[f]);
    }
}

/// Lists position and speed along three axes. A link recognises them by the endings of their names, and extrapolates
/// positions when a plan is late.
static void list_motion(biped_controller *c, const char *of, const char *const axes[3], const char *const units[2],
                        double position[3], double speed[3])
{
    for (int k = 0; k < 3; k++) {
        ff_io_numbers_add(&c->planner_output, &position[k], units[0], "%s.%s.position", of, axes[k]);
        ff_io_numbers_add(&c->planner_output, &speed[k], units[1], "%s.%s.speed", of, axes[k]);
    }
}

/// Lists numbers from planner to stabiliser: the target of eq. 3.16 of the thesis, for feet, and a slice of the plan.
static void list_planner_output(biped_controller *c)
{
    static const char *const lengths[2] = {"m", "m/s"}, *const angles[2] = {"rad", "rad/s"};
    static const char *const axes[3] = {"x", "y", "z"}, *const turns[3] = {"rx", "ry", "rz"};
    ff_biped_target *target = &c->target;
    ff_biped_task *task = &target->task;
    ff_io_numbers_add(&c->planner_output, &target->time, "s", "time");
    list_motion(c, "com", axes, lengths, task->com, task->com_vel);
    list_motion(c, "torso", turns, angles, task->torso, task->torso_omega);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        ff_biped_motion *foot = &task->foot[f];
        list_motion(c, c->robot->feet[f].name, axes, lengths, foot->pos, foot->vel);
        list_motion(c, c->robot->feet[f].name, turns, angles, foot->rot, foot->omega);
        ff_io_numbers_add(&c->planner_output, &target->load[f], "", "%s.load", c->robot->feet[f].name);
    }
    for (int k = 0; k < 3; k++) {
        ff_io_numbers_add(&c->planner_output, &target->wrench.force[k], "N", "wrench.force.%s", axes[k]);
        ff_io_numbers_add(&c->planner_output, &target->wrench.torque[k], "N m", "wrench.torque.%s", axes[k]);
    }
    for (int k = 0; k < 2; k++) ff_io_numbers_add(&c->planner_output, &target->zmp[k], "m", "zmp.%s", axes[k]);
    ff_io_numbers_add(&c->planner_output, &c->slice.plan, "s", "rest.plan");
    ff_io_numbers_add(&c->planner_output, &c->slice.first, "", "rest.first");
    for (int k = 0; k < FF_BIPED_SLICE; k++)
        ff_io_numbers_add(&c->planner_output, &c->slice.numbers[k], "", "rest.%d", k);
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller *bound, ff_error *err)
{
    biped_controller *c = controller;
    ff_status status = bind_drives(c, site, err);
    if (status == FF_OK) status = ff_biped_senses_bind(c->robot, site, &c->senses, err);
    for (int f = 0; f < FF_BIPED_FEET; f++) c->yaw[f] = yaw_of_frame(site->robot, &c->robot->feet[f]);
    ff_gait_signals signals = {.names = c->names, .most = SIGNALS, .err = err};
    list_signals(c, &signals);
    if (status == FF_OK) status = signals.status;
    list_planner_output(c);
    *bound = (ff_controller){.memory = c->memory,
                             .memory_size = memory_size(),
                             .signals = c->names,
                             .values = c->values,
                             .nsignal = SIGNALS,
                             .conditions = &c->conditions};
    return status;
}

// ------------------------------------------------------------------------------------------ a cycle

static void write_references(const biped_controller *c, const double *q, const double *v, ff_io_frame *references)
{
    ff_io_item *items = ff_io_items(references);
    for (int i = 0; i < c->drives->n; i++) {
        if (c->references[i].position < 0) continue;
        const ff_drive_position at = ff_drive_path_locate(&c->drives->drives[i].path, q, v);
        ff_gait_put(items, c->references[i].position, at.x, 0);
        ff_gait_put(items, c->references[i].speed, at.speed, 0);
    }
}

/// Computes the centre of pressure from the foot sensors, in the world of the plan. Without contact `out` stays.
static void find_pressure(const ff_biped_sensors *readings, const ff_biped_task *task, double out[2])
{
    double sum = 0.0, moment[2] = {0.0, 0.0};
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const ff_biped_wrench *w = &readings->foot[f];
        const double c = ff_cos(task->foot[f].rot[2]), s = ff_sin(task->foot[f].rot[2]);
        if (!(w->force[2] > 0.0)) continue;
        sum += w->force[2];
        moment[0] += w->force[2] * task->foot[f].pos[0] - c * w->torque[1] - s * w->torque[0];
        moment[1] += w->force[2] * task->foot[f].pos[1] - s * w->torque[1] + c * w->torque[0];
    }
    for (int k = 0; k < 2 && sum > 0.0; k++) out[k] = moment[k] / sum;
}

static void update_signals(biped_controller *c)
{
    const ff_biped_view *view = ff_biped_stabiliser_view(c->stabiliser);
    c->conditions = view->conditions;
    c->ever |= view->conditions;
    find_pressure(&c->memory->readings.sensors, &view->task, c->memory->cop);
    list_signals(c, &(ff_gait_signals){.values = c->values});
}

/// Stops the robot on two feet when sensors have failed, once: a later command may let it walk on.
static void stop_without_sensors(biped_controller *c, const ff_biped_sensors *sensors)
{
    double nothing[FF_BIPED_FEET][6] = {{0}};
    ff_biped_sensors valid;
    const unsigned conditions =
        ff_biped_watch_step(c->robot, &c->gains, sensors, c->target.load, nothing, &c->memory->watch, &valid);
    const unsigned failing = ff_biped_stabiliser_view(c->stabiliser)->conditions & FF_BIPED_FAILING;
    const bool lost = (conditions | failing) & FF_BIPED_MUST_STOP;
    if (lost && !c->memory->stopped) {
        c->memory->command.walk = false;
        ff_biped_planner_command(c->planner, &c->memory->command);
    }
    c->memory->stopped = lost;
}

static void make_target(biped_controller *c, double t, const ff_biped_sensors *sensors)
{
    ff_biped_planner_tick(c->planner, t, &c->target);
    stop_without_sensors(c, sensors);
}

static void follow_target(biped_controller *c, const ff_biped_sensors *sensors, ff_io_frame *references)
{
    double q[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    ff_biped_stabiliser_tick(c->stabiliser, sensors, &c->target, q, v);
    write_references(c, q, v, references);
    update_signals(c);
}

static void step(void *controller, double t, const ff_io_frame *frame, ff_io_frame *references)
{
    biped_controller *c = controller;
    const ff_biped_sensors sensors = ff_biped_read_senses(&c->senses, t, frame, &c->memory->readings);
    make_target(c, t, &sensors);
    follow_target(c, &sensors, references);
}

// ------------------------------------------------------------------------------------------ halves

static const ff_io_numbers *get_planner_output(const void *controller)
{
    return &((const biped_controller *)controller)->planner_output;
}

static void plan(void *controller, double t, const ff_io_frame *frame, ff_io_frame *out)
{
    biped_controller *c = controller;
    const ff_biped_sensors sensors = ff_biped_read_senses(&c->senses, t, frame, &c->memory->readings);
    make_target(c, t, &sensors);
    ff_biped_planner_slice(c->planner, &c->slice);
    ff_io_numbers_put(&c->planner_output, t, out);
}

static void stabilise(void *controller, double t, const ff_io_frame *frame, const ff_io_frame *planned,
                      ff_io_frame *references)
{
    biped_controller *c = controller;
    const ff_biped_sensors sensors = ff_biped_read_senses(&c->senses, t, frame, &c->memory->readings);
    if (ff_io_numbers_take(&c->planner_output, planned)) {
        c->planned = true;
        c->last_target = c->target.time;
        ff_biped_planner_adopt(c->planner, &c->slice);
    }
    if (!c->planned) return;
    // when targets are late, absent or invalid, the last plan is followed to its end
    const bool invalid = !ff_biped_stabiliser_would_take(c->stabiliser, &c->target);
    if (invalid || t - c->last_target > 1.5 * c->gains.period)
        ff_biped_planner_follow_adopted(c->planner, t, &c->target);
    follow_target(c, &sensors, references);
    if (invalid) c->conditions |= FF_BIPED_BAD_TARGET;
}

static const ff_controller_halves HALVES = {get_planner_output, plan, stabilise};

// ------------------------------------------------------------------------------------------ commands at work

static ff_status give_command(void *controller, double t, const ff_command *command, ff_error *err)
{
    (void)t;
    biped_controller *c = controller;
    const biped_command *new = command->values;
    ff_biped_command *now = &c->memory->command;
    if (new->list.count > 0) {
        int bad = 0;
        const ff_status status = ff_biped_planner_footsteps(c->planner, new->list.steps, new->list.count, &bad, err);
        c->memory->listed = status == FF_OK;
        if (status == FF_OK) return status;
        ff_error_set(&c->refused, status,
                     "footstep %d of a command cannot be made, and the robot stops on two feet: %.300s", bad + 1,
                     err->text);
        // to walk on by the last speeds could lead into obstacles that the list avoids
        now->walk = c->memory->wanted = false;
        ff_biped_planner_command(c->planner, now);
        return status;
    }
    now->walk = true; // unless the command says otherwise
    ff_settings_merge(COMMANDS, command->given, &new->values, now);
    c->memory->wanted = now->walk;
    c->memory->listed = false;
    c->clamped = !ff_biped_planner_command(c->planner, now) || c->clamped;
    return FF_OK;
}

static int list_keys(const void *controller, ff_command_key *out, int most)
{
    const biped_controller *c = controller;
    const ff_biped_command *limit = &c->most;
    const ff_command_range ranges[] = {{.row = C_WALK},
                                       {C_SPEED, -0.5 * limit->speed, limit->speed},
                                       {C_SIDE, -limit->side, limit->side},
                                       {C_TURN, -limit->turn, limit->turn}};
    return FF_COMMAND_KEYS(COMMANDS, &c->memory->command, ranges, out, most);
}

/// The command, within the limits of the planner.
static ff_body_command get_body_command(const void *controller)
{
    const biped_controller *biped = controller;
    const memory *now = biped->memory;
    const ff_biped_command *c = &now->command, *most = &biped->most;
    if (now->listed) return (ff_body_command){0};
    return (ff_body_command){.moves = true,
                             .ahead = now->wanted ? ff_clamp(c->speed, -most->speed, most->speed) : 0.0,
                             .left = now->wanted ? ff_clamp(c->side, -most->side, most->side) : 0.0,
                             .turn = c->walk ? ff_clamp(c->turn, -most->turn, most->turn) : 0.0};
}

static const char *status_text(int bit)
{
    static const char *const text[] = {"sensors that make no sense",
                                       "forces that the feet cannot give",
                                       "legs nearly stretched",
                                       "joints at their limits",
                                       "no reading of the torso: it stops",
                                       "no reading of a foot's force: it stops",
                                       "a force sensor of the wrong sign: it stops",
                                       "a target that cannot be followed",
                                       "a tick that failed",
                                       "ticks that fail: it stops"};
    return bit < (int)(sizeof text / sizeof *text) ? text[bit] : "";
}

static void report_warnings(const void *controller, ff_place place, ff_report *report)
{
    const biped_controller *c = controller;
    for (int bit = 0; c->ever >> bit; bit++)
        if (c->ever & FF_BIPED_MUST_STOP & (1u << bit))
            ff_report_add(report, FF_WARNING, place, "the biped met %s", status_text(bit));
    if (c->refused.status != FF_OK) ff_report_add(report, FF_WARNING, place, "%s", c->refused.text);
    if (c->clamped)
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
                                                .settings_size = sizeof(biped_settings),
                                                .read = read,
                                                .create = create,
                                                .bind = bind,
                                                .step = step,
                                                .destroy = destroy,
                                                .commands = COMMANDS,
                                                .begins_commanded = true,
                                                .command_size = sizeof(biped_command),
                                                .read_command = read_command,
                                                .command = give_command,
                                                .command_keys = list_keys,
                                                .body_command = get_body_command,
                                                .start = put_at_start,
                                                .status_text = status_text,
                                                .report = report_warnings,
                                                .halves = &HALVES};
