// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {arm: {law: flatness, from: ready}, commands: [{at: 1, x: 0.4, z: 0.1, duration: 0.8}, ..]}`: an arm moves
// from point to point (control/arm_path.h), and its motors get references that suit elastic joints
// (control/elastic_joint.h). The moves that a file commands are computed while it is read, so that one that is out of
// reach, singular or too fast is refused at its place. Sensors are used for signals alone: errors of joints and tip.
#include "control/arm_path.h"
#include "control/elastic_joint.h"
#include "drive/interface.h"
#include "gait/items.h"
#include "steer/kind.h"

#include <stdlib.h>
#include <string.h>

enum { GRAVITY, FLATNESS };
static const char *const LAWS[] = {"gravity", "flatness", NULL};
enum { JOINT, LINE };
static const char *const PATHS[] = {"joint", "line", NULL};

/// Options of moves, until a command changes them.
typedef struct move_options {
    double duration; // [s]
    int path;        // JOINT or LINE; -1: LINE to points, JOINT to poses and joint positions
} move_options;
static const move_options FIRST_OPTIONS = {.duration = 1.0, .path = -1};

typedef struct arm_settings {
    int law;
    double springs;
    const char *from, *tip;
    // state of the arm while the commands of a file are checked, one after the other
    bool checked;     // the robot is an arm: its commands can be checked
    double last_time; // of the last command  [s]
    move_options options;
    ff_arm_move move;
    ff_arm_point point; // at the last command
} arm_settings;

#define OF arm_settings
static const ff_row PARAMETERS[] = {
    FF_SETTING_CHOICE("law", law, LAWS, "flatness", "references of the motors: exact at rest, or on the whole path"),
    FF_SETTING_NUMBER("springs", springs, "", FF_POSITIVE, "1",
                      "spring stiffness that the controller assumes, over that of the robot's file"),
    FF_SETTING_TEXT("from", from, NULL,
                    "pose in which the arm starts, from the robot's file; otherwise the reference pose"),
    FF_SETTING_TEXT("tip", tip, "tip", "frame of the robot that is moved from point to point"),
    {0},
};
#undef OF

enum { X, Y, Z, DURATION, PATH, POSE, JOINTS, KEYS };

typedef struct arm_command {
    double tip[3], duration;
    int path;
    const char *pose;
    double q[FF_ARM_JOINTS]; // of `joints`
    bool named[FF_ARM_JOINTS];
} arm_command;

#define OF arm_command
static const ff_row COMMANDS[KEYS + 1] = {
    [X] = FF_COMMAND_NUMBER("x", tip[0], "m", FF_ANY,
                            "target of the tip, in the frame of the robot; unchanged unless given"),
    [Y] = FF_COMMAND_NUMBER("y", tip[1], "m", FF_ANY, "the same along y"),
    [Z] = FF_COMMAND_NUMBER("z", tip[2], "m", FF_ANY, "the same along z"),
    [DURATION] = FF_COMMAND_NUMBER("duration", duration, "s", FF_AT_LEAST(1e-3),
                                   "duration of this move and of later ones; 1 s at first"),
    [PATH] = FF_COMMAND_CHOICE("path", path, PATHS,
                               "path of this move and of later ones: each joint by itself, or the tip on a straight "
                               "line; at first lines to points, joint by joint to poses and joints"),
    [POSE] = FF_COMMAND_TEXT("pose", pose, "target pose, from the robot's file"),
    [JOINTS] = FF_NAMED("joints", "rad|m", FF_ANY, "target positions of joints by name; others are unchanged"),
    [KEYS] = {0},
};
#undef OF

/// All that changes in a cycle.
typedef struct memory {
    move_options options;
    ff_arm_move move;
    ff_arm_point now;
    ff_elastic_state twist[FF_ARM_JOINTS];
    bool started;
    ff_arm_fault fault;
} memory;

enum { REFERENCE, MOTOR, ERROR, MOTOR_ERROR, TWIST, ENERGY, SIGNALS }; // of each joint

typedef struct arm_controller {
    ff_arm arm;
    int law;
    double period;
    ff_elastic_joint joints[FF_ARM_JOINTS]; // with the stiffness that the controller assumes
    double stiffness[FF_ARM_JOINTS];        // of the robot  [N m/rad]
    ff_joint_items references[FF_ARM_JOINTS];
    int angle[FF_ARM_JOINTS], deflection[FF_ARM_JOINTS]; // -1: no sensor measures it
    memory memory;
    uint32_t conditions;
    double start[FF_ARM_JOINTS];
    ff_io_name names[FF_ARM_JOINTS * SIGNALS + 1];
    double values[FF_ARM_JOINTS * SIGNALS + 1];
} arm_controller;

// ------------------------------------------------------------------------------------------ from commands to moves

/// Copies the joint positions of a pose; NULL: of the reference pose.
static ff_status get_pose(const ff_model *m, const char *name, double *q, ff_error *err)
{
    int key = -1;
    const ff_status status = name ? ff_model_need_key(m, name, &key, err) : FF_OK;
    if (status == FF_OK) memcpy(q, name ? m->keys[key].q : m->q0, (size_t)m->nq * sizeof *q);
    return status;
}

static bool has_point(const bool *given)
{
    return given[X] || given[Y] || given[Z];
}

/// Plans the move that a command asks for, and checks it. A command without a target sets the options of later moves.
/// Nothing changes when the command is refused.
static ff_status plan(const ff_arm *arm, const ff_command *command, const ff_arm_point *from, double t,
                      move_options *options, ff_arm_move *move, ff_error *err)
{
    const arm_command *c = command->values;
    const bool *given = command->given;
    ff_arm_target target = {.at_tip = has_point(given)};
    ff_arm_move next;
    ff_arm_point end;
    const move_options changed = {.duration = given[DURATION] ? c->duration : options->duration,
                                  .path = given[PATH] ? c->path : options->path};
    if (!target.at_tip && !given[POSE] && !given[JOINTS]) {
        *options = changed;
        return FF_OK;
    }
    memcpy(target.q, from->q, sizeof target.q);
    if (c->pose && get_pose(arm->model, c->pose, target.q, err) != FF_OK) return err->status;
    for (int i = 0; i < arm->n; i++)
        if (c->named[i]) target.q[i] = c->q[i];
    ff_arm_tip(arm, from->q, target.tip);
    for (int k = 0; k < 3; k++)
        if (given[X + k]) target.tip[k] = c->tip[k];
    target.line = changed.path < 0 ? target.at_tip : changed.path == LINE;
    ff_status status = ff_arm_plan(arm, from, &target, t, changed.duration, &next, err);
    if (status == FF_OK) status = ff_arm_check(arm, &next, from, &end, err);
    if (status != FF_OK) return status;
    *options = changed;
    *move = next;
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ reading

static bool read(const ff_steer_reader *r, ff_yaml *node, void *settings)
{
    arm_settings *s = settings;
    ff_error err = {0};
    ff_arm arm = {0};
    s->options = FIRST_OPTIONS;
    if (!r->robot) return true;
    ff_status status = ff_arm_init(&arm, r->robot, s->tip, &err);
    if (status == FF_OK) status = get_pose(r->robot, s->from, s->point.q, &err);
    if (status == FF_OK) s->move = ff_arm_stand(&arm, s->point.q);
    s->checked = status == FF_OK;
    if (status != FF_OK) ff_report_add(r->report, FF_ERROR, node->place, "%s", err.text);
    ff_arm_clear(&arm);
    return status == FF_OK;
}

static void read_joints(const ff_steer_reader *r, ff_yaml *entry, const ff_command *command)
{
    arm_command *c = command->values;
    ff_yaml *map = ff_yaml_get(entry, "joints");
    command->given[JOINTS] = map != NULL;
    if (map) ff_yaml_use(map);
    for (ff_yaml *node = map ? map->child : NULL; node; node = node->next) {
        const int joint = r->robot ? ff_model_find_joint(r->robot, node->key) : -1;
        const int dof = joint >= 0 ? r->robot->joints[joint].vadr : -1;
        if (dof < 0 || dof >= FF_ARM_JOINTS) {
            ff_report_add(r->report, FF_ERROR, node->key_place, "the robot has no joint '%.60s'", node->key);
            continue;
        }
        c->named[dof] = ff_yaml_as_number(node, &c->q[dof], r->report);
    }
}

/// Checks the next command of a file. Its move starts from where the moves before bring the arm by then.
static void check_next(const ff_steer_reader *r, ff_yaml *entry, const ff_command *command, arm_settings *s)
{
    ff_error err = {0};
    ff_arm arm = {0};
    const double at = ff_yaml_number(entry, "at", 0.0, r->report);
    if (at < s->last_time) {
        const ff_yaml *time = ff_yaml_get(entry, "at"); // NULL: that it is absent was reported, and `at` is 0
        ff_report_add(r->report, FF_ERROR, time ? time->place : entry->place,
                      "this command comes at %g s, before the one above at %g s: an arm takes them in order", at,
                      s->last_time);
        return;
    }
    s->last_time = at;
    ff_status status = ff_arm_init(&arm, r->robot, s->tip, &err);
    if (status == FF_OK) ff_arm_locate(&arm, &s->move, at, &s->point);
    if (status == FF_OK) status = plan(&arm, command, &s->point, at, &s->options, &s->move, &err);
    if (status != FF_OK) ff_report_add(r->report, FF_ERROR, entry->place, "%s", err.text);
    ff_arm_clear(&arm);
}

static void read_command(const ff_steer_reader *r, ff_yaml *entry, void *settings, const ff_command *command)
{
    arm_settings *s = settings;
    const int errors = r->report->errors;
    read_joints(r, entry, command);
    if (has_point(command->given) && command->given[POSE])
        ff_report_add(r->report, FF_ERROR, entry->place, "give either a point x, y, z or a pose");
    if (command->valid && r->report->errors == errors && s->checked && !r->live) check_next(r, entry, command, s);
}

// ------------------------------------------------------------------------------------------ the joints

/// Sets spring and rotor of a joint by its drive, as the file describes it. Joints without a drive are rigid.
static void take_drive(arm_controller *c, const ff_drive *d, int dof, double springs)
{
    double stiffness = d->stiffness, damping = d->damping;
    if (d->transmission == FF_TRANSMISSION_CABLES) {
        stiffness = ff_sea_slope(&d->sea, 0.0);
        damping = ff_sea_torque(&d->sea, 0.0, 1.0) - ff_sea_torque(&d->sea, 0.0, 0.0);
    }
    const bool rigid = d->transmission == FF_TRANSMISSION_RIGID || !(stiffness > 0.0);
    c->stiffness[dof] = rigid ? 0.0 : stiffness;
    c->joints[dof] = (ff_elastic_joint){.compliance = rigid ? 0.0 : 1.0 / (springs * stiffness),
                                        .time = rigid ? 0.0 : damping / stiffness,
                                        .inertia = d->inertia};
}

static ff_status take_drives(arm_controller *c, const ff_model *m, double springs, ff_error *err)
{
    ff_drive_set *set = ff_drive_set_create(m, NULL, NULL);
    if (!set) return ff_error_set(err, FF_BAD_MODEL, "the drives of the arm cannot be made");
    for (int i = 0; i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        const int dof = d->path.vadr[0];
        if (d->path.njoint != 1 || d->path.kind != FF_PATH_JOINT || d->motor == FF_MOTOR_NONE) continue;
        take_drive(c, d, dof, springs);
        // of a rigid drive the rotor is part of the model, as its armature
        if (d->transmission == FF_TRANSMISSION_RIGID) c->joints[dof].inertia = 0.0;
    }
    for (int i = 0; i < m->ndrive; i++) {
        const int joint = ff_model_find_joint(m, m->drives[i].joint[0]);
        const int dof = joint >= 0 ? m->joints[joint].vadr : -1;
        if (dof >= 0 && c->joints[dof].compliance > 0.0) c->arm.rotor[dof] += m->drives[i].armature;
    }
    ff_drive_set_destroy(set);
    return FF_OK;
}

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    const arm_settings *s = settings;
    arm_controller *c = calloc(1, sizeof *c);
    *out = c;
    if (!c) return ff_error_set(err, FF_NO_MEMORY, "no memory for an arm");
    c->law = s->law;
    c->period = site->period;
    ff_status status = ff_arm_init(&c->arm, site->robot, s->tip, err);
    if (status == FF_OK) status = get_pose(site->robot, s->from, c->start, err);
    if (status == FF_OK) status = take_drives(c, site->robot, s->springs, err);
    if (status != FF_OK) return status;
    memcpy(c->memory.now.q, c->start, sizeof c->start);
    c->memory.move = ff_arm_stand(&c->arm, c->start);
    c->memory.options = FIRST_OPTIONS;
    return FF_OK;
}

static void destroy(void *controller)
{
    arm_controller *c = controller;
    ff_arm_clear(&c->arm);
    free(c);
}

static void put_at_start(const void *controller, double *q, double *v)
{
    const arm_controller *c = controller;
    memcpy(q, c->start, (size_t)c->arm.n * sizeof *q);
    memset(v, 0, (size_t)c->arm.n * sizeof *v);
}

// ------------------------------------------------------------------------------------------ its items

static ff_status bind_joint(arm_controller *c, int dof, const ff_controller_site *site, ff_error *err)
{
    static const ff_io_name signals[SIGNALS] = {
        [REFERENCE] = {"reference", "rad"},     [MOTOR] = {"motor", "rad"}, [ERROR] = {"error", "rad"},
        [MOTOR_ERROR] = {"motor_error", "rad"}, [TWIST] = {"twist", "rad"}, [ENERGY] = {"energy", "J"}};
    const ff_model *m = site->robot;
    const int joint = m->dof_joint[dof];
    const char *name = m->joints[joint].name;
    const ff_joint_items *drive = &c->references[dof];
    c->references[dof] = ff_gait_drive_items(site->references, ff_gait_drive_of(m, joint));
    if (drive->position < 0 || drive->speed < 0 || drive->force < 0)
        return ff_error_set(err, FF_NOT_FOUND, "an arm needs a drive on each joint, and '%.60s' has none", name);
    c->angle[dof] = ff_gait_find_on_joint(m, site->sensors, joint, "position");
    c->deflection[dof] = ff_gait_find_on_joint(m, site->sensors, joint, "deflection");
    ff_status status = FF_OK;
    for (int k = 0; k < SIGNALS && status == FF_OK; k++)
        status = ff_io_name_set(&c->names[SIGNALS * dof + k], signals[k].unit, err, "%s.%s", name, signals[k].name);
    return status;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller *bound, ff_error *err)
{
    arm_controller *c = controller;
    ff_status status = FF_OK;
    const int n = c->arm.n;
    for (int i = 0; i < n && status == FF_OK; i++) status = bind_joint(c, i, site, err);
    if (status == FF_OK) status = ff_io_name_set(&c->names[SIGNALS * n], "m", err, "tip.error");
    *bound = (ff_controller){.memory = &c->memory,
                             .memory_size = sizeof c->memory,
                             .signals = c->names,
                             .values = c->values,
                             .nsignal = SIGNALS * n + 1,
                             .conditions = &c->conditions};
    return status;
}

// ------------------------------------------------------------------------------------------ a cycle

/// Torques along the path at t and half a period before and after. At the start of a move the torques before it are
/// extrapolated from the other two.
static void find_torques(const arm_controller *c, double t, const ff_arm_point *now, ff_path_torque *out)
{
    const double h = 0.5 * c->period;
    double torque[FF_ARM_JOINTS], after[FF_ARM_JOINTS], before[FF_ARM_JOINTS];
    ff_arm_point other = *now;
    ff_arm_torque(&c->arm, now, torque);
    ff_arm_locate(&c->arm, &c->memory.move, t + h, &other);
    ff_arm_torque(&c->arm, &other, after);
    ff_arm_locate(&c->arm, &c->memory.move, t - h, &other);
    ff_arm_torque(&c->arm, &other, before);
    const bool begins = t - h < c->memory.move.start;
    for (int i = 0; i < c->arm.n; i++)
        out[i] = (ff_path_torque){begins ? 2.0 * torque[i] - after[i] : before[i], torque[i], after[i], h};
}

static void refer_gravity(const arm_controller *c, const ff_arm_point *now, ff_motor_reference *out)
{
    double gravity[FF_ARM_JOINTS];
    ff_arm_gravity(&c->arm, now->q, gravity);
    for (int i = 0; i < c->arm.n; i++)
        out[i] = ff_elastic_gravity(&c->joints[i], (const double[2]){now->q[i], now->v[i]}, gravity[i]);
}

static void refer_flatness(arm_controller *c, double t, const ff_arm_point *now, ff_motor_reference *out)
{
    memory *m = &c->memory;
    ff_path_torque torque[FF_ARM_JOINTS];
    find_torques(c, t, now, torque);
    for (int i = 0; i < c->arm.n; i++) {
        if (!m->started) m->twist[i] = ff_elastic_rest(&c->joints[i], torque[i].now);
        out[i] = ff_elastic_flatness(&c->joints[i], &m->twist[i], (const double[3]){now->q[i], now->v[i], now->a[i]},
                                     &torque[i], m->started ? c->period : 0.0);
    }
}

/// Reads an item of the sensors. @return false where there is none (-1), or it has no valid value
static bool get_sample(const ff_io_frame *sensors, int item, double *out)
{
    if (item < 0 || !ff_io_known(&ff_io_items_of(sensors)[item])) return false;
    *out = ff_io_items_of(sensors)[item].value;
    return true;
}

/// Fills the signals: references, and errors of joints, motors and tip as far as they are measured.
static void fill_signals(arm_controller *c, const ff_io_frame *sensors, const ff_arm_point *now,
                         const ff_motor_reference *motor)
{
    double q[FF_ARM_JOINTS], measured[3], planned[3], error[3];
    bool all_known = true;
    for (int i = 0; i < c->arm.n; i++) {
        double *values = &c->values[SIGNALS * i], twist = 0.0;
        const bool angle_known = get_sample(sensors, c->angle[i], &q[i]);
        const bool twist_known = get_sample(sensors, c->deflection[i], &twist);
        all_known = all_known && angle_known;
        values[REFERENCE] = now->q[i];
        values[MOTOR] = motor[i].position;
        values[ERROR] = angle_known ? q[i] - now->q[i] : 0.0;
        values[MOTOR_ERROR] = angle_known && twist_known ? q[i] + twist - motor[i].position : 0.0;
        values[TWIST] = twist_known ? twist : 0.0;
        values[ENERGY] = 0.5 * c->stiffness[i] * values[TWIST] * values[TWIST];
    }
    c->values[SIGNALS * c->arm.n] = 0.0;
    if (!all_known) return;
    ff_arm_tip(&c->arm, q, measured);
    ff_arm_tip(&c->arm, now->q, planned);
    ff_vec3_sub(error, measured, planned);
    c->values[SIGNALS * c->arm.n] = ff_vec3_norm(error);
}

static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    arm_controller *c = controller;
    memory *m = &c->memory;
    ff_motor_reference motor[FF_ARM_JOINTS];
    m->fault = ff_arm_locate(&c->arm, &m->move, t, &m->now);
    c->conditions = m->fault != FF_ARM_FINE;
    const ff_arm_point now = m->now;
    if (c->law == GRAVITY)
        refer_gravity(c, &now, motor);
    else
        refer_flatness(c, t, &now, motor);
    m->started = true;
    for (int i = 0; i < c->arm.n; i++)
        ff_gait_put_drive(ff_io_items(references), &c->references[i], motor[i].position, motor[i].speed,
                          motor[i].torque, 0);
    fill_signals(c, sensors, &now, motor);
}

// ------------------------------------------------------------------------------------------ commands at work

static ff_status give_command(void *controller, double t, const ff_command *command, ff_error *err)
{
    arm_controller *c = controller;
    ff_arm_point from = c->memory.now;
    ff_arm_locate(&c->arm, &c->memory.move, t, &from);
    return plan(&c->arm, command, &from, t, &c->memory.options, &c->memory.move, err);
}

static int list_keys(const void *controller, ff_command_key *out, int most)
{
    const arm_controller *c = controller;
    const move_options *options = &c->memory.options;
    arm_command now = {.duration = options->duration, .path = options->path == JOINT ? JOINT : LINE};
    double low[3], high[3];
    ff_arm_box(&c->arm, low, high);
    ff_arm_tip(&c->arm, c->memory.now.q, now.tip);
    for (int k = 0; k < 3; k++)
        if (fabs(now.tip[k]) < 1e-9) now.tip[k] = 0.0; // rounding
    const ff_command_range ranges[] = {
        {X, low[0], high[0]}, {Y, low[1], high[1]}, {Z, low[2], high[2]}, {DURATION, 0.1, 5}, {.row = PATH}};
    return FF_COMMAND_KEYS(COMMANDS, &now, ranges, out, most);
}

static const char *status_text(int bit)
{
    return bit == 0 ? "tip out of reach or arm singular" : "";
}

const ff_controller_kind ff_controller_arm = {.name = "arm",
                                              .help = "moves an arm with elastic joints from point to point",
                                              .longest = 0.02, // references are held for a period
                                              .parameters = PARAMETERS,
                                              .settings_size = sizeof(arm_settings),
                                              .read = read,
                                              .create = create,
                                              .bind = bind,
                                              .step = step,
                                              .destroy = destroy,
                                              .commands = COMMANDS,
                                              .command_size = sizeof(arm_command),
                                              .read_command = read_command,
                                              .command = give_command,
                                              .command_keys = list_keys,
                                              .start = put_at_start,
                                              .status_text = status_text};
