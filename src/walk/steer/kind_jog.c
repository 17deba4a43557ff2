// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {jog: {speed: 1.8}, commands: [{at: 5, speed: 1.5}]}`: a robot with two legs of hip, knee and ankle runs in
// the plane of x and z by the laws of gait/jog.h. The controller reads positions and speeds of the joints, an inertial
// unit on the body and touch sensors under the feet; its model of the robot gives the centre of mass. The body moves on
// slides along x and z and a hinge about y, and starts in flight, shortly before it lands.
#include "drive/interface.h"
#include "gait/items.h"
#include "gait/jog.h"
#include "steer/kind.h"

#include <footfall/dyn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LANDING = 0.02; // height of the foot at the start  [m]

typedef struct jog_command {
    double speed;
} jog_command;

#define OF jog_command
static const ff_row COMMANDS[] = {
    FF_SETTING_NUMBER("speed", speed, "m/s", FF_BETWEEN(-1, 4), "1.8", "speed ahead"),
    {0},
};
#undef OF

typedef struct limb_joint {
    int qadr, vadr;
    double sign; // 1 where the coordinate of the joint is positive when its link swings ahead, else -1
    const ff_drive *drive;
    double lever, offset; // of the drive: x = offset + lever q
    int position, speed;  // items of sensors
    ff_joint_items reference;
} limb_joint;

/// The joints that guide the body in its plane, -1: there is none.
typedef struct guide {
    int ahead, up, pitch;
    double pitch_sign; // 1 where the coordinate of that joint is positive when the body leans back, else -1
} guide;

/// All that changes in a cycle.
typedef struct memory {
    ff_jog_state state;
    ff_jog_sight sight;
} memory;

enum { VX, VZ, PITCH, STANCE, FLIGHT_TIME, STANCE_TIME, STEPS, COMMANDED, SIGNALS };

typedef struct jog_controller {
    const ff_model *model;
    ff_jog_options options;
    ff_drive_set *drives;
    ff_data *data;
    double mass, weight;
    guide guide;
    limb_joint joints[FF_JOG_LEGS][FF_JOG_JOINTS];
    int touch[FF_JOG_LEGS], load[FF_JOG_LEGS], pitch, rate;
    memory memory;
    double values[SIGNALS];
} jog_controller;

// ------------------------------------------------------------------------------------------ the robot

static bool is_along(const double axis[3], int k)
{
    return fabs(fabs(axis[k]) - 1.0) < 1e-6;
}

/// Joints between the world and the legs.
static guide find_guide(const ff_model *m)
{
    guide g = {-1, -1, -1, 1.0};
    int body = m->bodies[m->joints[m->legs[0].joints[0]].body].parent;
    for (; body >= 0; body = m->bodies[body].parent)
        for (int j = 0; j < m->njoint; j++) {
            const ff_joint *joint = &m->joints[j];
            if (joint->body != body) continue;
            if (joint->type == FF_JOINT_SLIDE && is_along(joint->axis, 0)) g.ahead = j;
            if (joint->type == FF_JOINT_SLIDE && is_along(joint->axis, 2)) g.up = j;
            if (joint->type == FF_JOINT_HINGE && is_along(joint->axis, 1)) {
                g.pitch = j;
                g.pitch_sign = -joint->axis[1];
            }
        }
    return g;
}

static ff_status take_joint(jog_controller *c, int leg, int k, ff_error *err)
{
    const ff_model *m = c->model;
    const int number = m->legs[leg].joints[k];
    const ff_joint *joint = &m->joints[number];
    limb_joint *out = &c->joints[leg][k];
    if (joint->type != FF_JOINT_HINGE || !is_along(joint->axis, 1))
        return ff_error_set(err, FF_BAD_MODEL, "running needs joints about y, and '%.60s' is none", joint->name);
    *out = (limb_joint){.qadr = joint->qadr, .vadr = joint->vadr, .sign = -joint->axis[1], .lever = 1.0};
    for (int i = 0; i < c->drives->n; i++) {
        const ff_drive *d = &c->drives->drives[i];
        if (d->path.joint[0] != number || d->path.njoint != 1 || d->motor == FF_MOTOR_NONE) continue;
        if (d->path.kind != FF_PATH_JOINT && d->path.kind != FF_PATH_LEVERS) continue;
        out->drive = d;
        if (d->path.kind == FF_PATH_LEVERS) out->lever = d->path.lever[0];
        if (d->path.kind == FF_PATH_LEVERS) out->offset = d->path.offset;
    }
    if (out->drive) return FF_OK;
    return ff_error_set(err, FF_NOT_FOUND, "running needs a drive on each joint of the legs, and '%.60s' has none",
                        joint->name);
}

/// Puts the model into the measured pose, with the body at the origin.
static void set_pose(jog_controller *c, const ff_jog_sight *s)
{
    ff_data *d = c->data;
    memcpy(d->q, c->model->q0, (size_t)c->model->nq * sizeof *d->q);
    memset(d->v, 0, (size_t)c->model->nv * sizeof *d->v);
    const ff_joint *pitch = &c->model->joints[c->guide.pitch];
    d->q[pitch->qadr] = c->guide.pitch_sign * s->pitch;
    d->v[pitch->vadr] = c->guide.pitch_sign * s->rate;
    for (int i = 0; i < FF_JOG_LEGS; i++)
        for (int k = 0; k < FF_JOG_JOINTS; k++) {
            const limb_joint *j = &c->joints[i][k];
            d->q[j->qadr] = j->sign * s->q[i][k];
            d->v[j->vadr] = j->sign * s->v[i][k];
        }
    ff_dyn_kinematics(c->model, d);
    ff_dyn_velocity(c->model, d);
}

static void locate_toe(const jog_controller *c, int leg, const double hip[3], const double hip_speed[3], double at[2],
                       double speed[2])
{
    const ff_frame *foot = &c->model->frames[c->model->legs[leg].frame];
    double place[3], motion[6];
    ff_dyn_point(c->model, c->data, foot->body, foot->pos, place);
    ff_dyn_point_velocity(c->model, c->data, foot->body, foot->pos, motion);
    for (int k = 0; k < 2; k++) {
        at[k] = place[2 * k] - hip[2 * k];
        speed[k] = motion[3 + 2 * k] - hip_speed[2 * k];
    }
}

/// Locates centre of mass and feet relative to the hips.
static void locate_feet(jog_controller *c, ff_jog_sight *s)
{
    const ff_joint *joint = &c->model->joints[c->model->legs[0].joints[0]];
    double hip[3], hip_motion[6], com[3], momentum[6];
    set_pose(c, s);
    ff_dyn_point(c->model, c->data, joint->body, joint->pos, hip);
    ff_dyn_point_velocity(c->model, c->data, joint->body, joint->pos, hip_motion);
    ff_dyn_com(c->model, c->data, com);
    ff_dyn_momentum(c->model, c->data, momentum);
    for (int k = 0; k < 2; k++) {
        s->com[k] = com[2 * k] - hip[2 * k];
        s->com_speed[k] = momentum[3 + 2 * k] / c->mass - hip_motion[3 + 2 * k];
    }
    for (int i = 0; i < FF_JOG_LEGS; i++) locate_toe(c, i, hip, hip_motion + 3, s->toe[i], s->toe_speed[i]);
}

/// Measures length and angle of a leg that lands.
static void measure_leg(jog_controller *c)
{
    ff_jog_sight s = {0};
    for (int i = 0; i < FF_JOG_LEGS; i++) {
        s.q[i][FF_JOG_KNEE] = c->options.knee;
        s.q[i][FF_JOG_ANKLE] = c->options.ankle;
    }
    locate_feet(c, &s);
    c->memory.sight.length = ff_hypot(s.toe[0][0], s.toe[0][1]);
    c->memory.sight.angle = ff_atan2(s.toe[0][0], -s.toe[0][1]);
}

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    const ff_model *m = site->robot;
    jog_controller *c = calloc(1, sizeof *c);
    *out = c;
    if (!c) return ff_error_set(err, FF_NO_MEMORY, "no memory for running");
    c->model = m;
    c->options = *(const ff_jog_options *)settings;
    if (m->nleg != FF_JOG_LEGS) return ff_error_set(err, FF_BAD_MODEL, "running needs two legs, not %d", m->nleg);
    for (int i = 0; i < m->nleg; i++)
        if (m->legs[i].njoint != FF_JOG_JOINTS)
            return ff_error_set(err, FF_BAD_MODEL, "leg '%.60s' has %d joints: running needs hip, knee and ankle",
                                m->legs[i].name, m->legs[i].njoint);
    c->drives = ff_drive_set_create(m, NULL, NULL);
    c->data = ff_data_create(m, err);
    if (!c->drives || !c->data) return ff_error_set(err, FF_BAD_MODEL, "the drives of the robot cannot be made");
    for (int i = 0; i < m->nbody; i++) c->mass += m->bodies[i].mass;
    c->weight = c->mass * ff_vec3_norm(m->gravity);
    c->guide = find_guide(m);
    if (c->guide.ahead < 0 || c->guide.up < 0 || c->guide.pitch < 0)
        return ff_error_set(err, FF_BAD_MODEL,
                            "running is in a plane: it needs a body on slides along x and z and a hinge about y");
    ff_status status = FF_OK;
    for (int i = 0; i < FF_JOG_LEGS && status == FF_OK; i++)
        for (int k = 0; k < FF_JOG_JOINTS && status == FF_OK; k++) status = take_joint(c, i, k, err);
    if (status != FF_OK) return status;
    c->memory.state = ff_jog_begin(&c->options);
    measure_leg(c);
    return FF_OK;
}

static void destroy(void *controller)
{
    jog_controller *c = controller;
    ff_drive_set_destroy(c->drives);
    ff_data_destroy(c->data);
    free(c);
}

// ------------------------------------------------------------------------------------------ its items

static ff_status bind_joint(jog_controller *c, int leg, int k, const ff_controller_site *site, ff_error *err)
{
    const ff_model *m = site->robot;
    const int joint = m->legs[leg].joints[k];
    limb_joint *j = &c->joints[leg][k];
    j->position = ff_gait_find_on_joint(m, site->sensors, joint, "position");
    j->speed = ff_gait_find_on_joint(m, site->sensors, joint, "speed");
    j->reference = ff_gait_drive_items(site->references, j->drive->name);
    if (j->position >= 0 && j->speed >= 0 && j->reference.position >= 0) return FF_OK;
    return ff_error_set(err, FF_NOT_FOUND, "running needs sensors of position and speed on joint '%.60s'",
                        m->joints[joint].name);
}

/// Finds the inertial unit: the first sensor that measures pitch and its rate.
static bool find_attitude(jog_controller *c, const ff_controller_site *site)
{
    const ff_model *m = site->robot;
    c->pitch = c->rate = -1;
    for (int i = 0; i < m->nsensor && (c->pitch < 0 || c->rate < 0); i++) {
        c->pitch = ff_gait_find_sensor(site->sensors, m->sensors[i].name, "pitch");
        c->rate = ff_gait_find_sensor(site->sensors, m->sensors[i].name, "spin.y");
    }
    return c->pitch >= 0 && c->rate >= 0;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller *bound, ff_error *err)
{
    static const ff_io_name signals[SIGNALS] = {[VX] = {"speed", "m/s"},         [VZ] = {"rise", "m/s"},
                                                [PITCH] = {"pitch", "rad"},      [STANCE] = {"stance", "1"},
                                                [FLIGHT_TIME] = {"flight", "s"}, [STANCE_TIME] = {"stance_time", "s"},
                                                [STEPS] = {"steps", "1"},        [COMMANDED] = {"commanded", "m/s"}};
    jog_controller *c = controller;
    ff_status status = FF_OK;
    for (int i = 0; i < FF_JOG_LEGS && status == FF_OK; i++) {
        const ff_leg *leg = &site->robot->legs[i];
        for (int k = 0; k < FF_JOG_JOINTS && status == FF_OK; k++) status = bind_joint(c, i, k, site, err);
        c->touch[i] = leg->touch ? ff_gait_find_sensor(site->sensors, leg->touch, "touched") : -1;
        c->load[i] = leg->touch ? ff_gait_find_sensor(site->sensors, leg->touch, "force") : -1;
        if (status == FF_OK && (c->touch[i] < 0 || c->load[i] < 0))
            return ff_error_set(err, FF_NOT_FOUND, "running needs a touch sensor on leg '%.60s'", leg->name);
    }
    if (status == FF_OK && !find_attitude(c, site))
        return ff_error_set(err, FF_NOT_FOUND, "running needs an inertial unit (a sensor of type imu) on the body");
    *bound = (ff_controller){.memory = &c->memory,
                             .memory_size = sizeof c->memory,
                             .signals = signals,
                             .values = c->values,
                             .nsignal = SIGNALS};
    return status;
}

// ------------------------------------------------------------------------------------------ a cycle

/// An item that has no valid value leaves `out` as it was.
static void read_item(const ff_io_frame *sensors, int item, double factor, double *out)
{
    const ff_io_item *from = &ff_io_items_of(sensors)[item];
    if (ff_io_known(from)) *out = factor * from->value;
}

static void read_sensors(jog_controller *c, const ff_io_frame *sensors)
{
    ff_jog_sight *s = &c->memory.sight;
    read_item(sensors, c->pitch, -1.0, &s->pitch);
    read_item(sensors, c->rate, -1.0, &s->rate);
    for (int i = 0; i < FF_JOG_LEGS; i++) {
        double touched = s->touch[i];
        read_item(sensors, c->touch[i], 1.0, &touched);
        s->touch[i] = touched > 0.5;
        read_item(sensors, c->load[i], 1.0 / c->weight, &s->load[i]);
        for (int k = 0; k < FF_JOG_JOINTS; k++) {
            read_item(sensors, c->joints[i][k].position, c->joints[i][k].sign, &s->q[i][k]);
            read_item(sensors, c->joints[i][k].speed, c->joints[i][k].sign, &s->v[i][k]);
        }
    }
    locate_feet(c, s);
}

static void write_references(const limb_joint *j, ff_io_frame *references, double q, double v, double torque)
{
    const double force = torque * j->sign / j->lever;
    const double position = j->offset + j->lever * j->sign * q + ff_drive_reference_offset(j->drive, force);
    ff_gait_put_drive(ff_io_items(references), &j->reference, position, j->lever * j->sign * v, force, 0);
}

static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    jog_controller *c = controller;
    const ff_jog_sight *sight = &c->memory.sight;
    const ff_jog_state *s = &c->memory.state;
    ff_jog_reference out[FF_JOG_LEGS];
    read_sensors(c, sensors);
    ff_jog_cycle(&c->options, &c->memory.state, t, sight, out);
    for (int i = 0; i < FF_JOG_LEGS; i++) {
        const limb_joint *j = c->joints[i];
        write_references(&j[FF_JOG_HIP], references, sight->q[i][FF_JOG_HIP], sight->v[i][FF_JOG_HIP], out[i].torque);
        write_references(&j[FF_JOG_KNEE], references, out[i].knee, 0.0, 0.0);
        write_references(&j[FF_JOG_ANKLE], references, out[i].ankle, 0.0, 0.0);
    }
    const double values[SIGNALS] = {s->v[0],        s->v[1],        sight->pitch,     s->stance + 1,
                                    s->flight_time, s->stance_time, (double)s->steps, s->speed};
    memcpy(c->values, values, sizeof values);
}

// ------------------------------------------------------------------------------------------ start and commands

/// The robot starts in flight, the first leg about to land.
static void put_at_start(const void *controller, double *q, double *v)
{
    jog_controller c = *(const jog_controller *)controller;
    const ff_jog_options *o = &c.options;
    const guide *g = &c.guide;
    ff_jog_sight *s = &c.memory.sight;
    const double thigh = ff_asin(0.5 * o->speed * o->stance_time / s->length) - s->angle;
    s->pitch = -o->lean;
    const double first[FF_JOG_JOINTS] = {thigh + o->lean, o->knee, o->ankle};
    const double second[FF_JOG_JOINTS] = {o->lean - 0.25, o->flexed, o->ankle};
    memcpy(s->q[0], first, sizeof first);
    memcpy(s->q[1], second, sizeof second);
    locate_feet(&c, s);
    memcpy(q, c.data->q, (size_t)c.model->nq * sizeof *q);
    for (int j = 0; j < c.model->njoint; j++) {
        const ff_joint *joint = &c.model->joints[j];
        if (joint->limited) q[joint->qadr] = ff_max(joint->range[0], ff_min(joint->range[1], q[joint->qadr]));
    }
    memset(v, 0, (size_t)c.model->nv * sizeof *v);
    const ff_joint *ahead = &c.model->joints[g->ahead], *up = &c.model->joints[g->up];
    q[up->qadr] = up->axis[2] * (LANDING - s->toe[0][1]);
    v[ahead->vadr] = ahead->axis[0] * o->speed;
    v[up->vadr] = up->axis[2] * -0.4;
}

static bool read(const ff_steer_reader *r, ff_yaml *node, void *settings)
{
    jog_command first = {0};
    ff_settings_default(COMMANDS, &first);
    ff_control_keys_read(r, node, COMMANDS, &first, NULL);
    ((ff_jog_options *)settings)->speed = first.speed;
    return true;
}

static ff_status give_command(void *controller, double t, const ff_command *command, ff_error *err)
{
    (void)t, (void)err;
    if (command->given[0])
        ((jog_controller *)controller)->memory.state.speed = ((const jog_command *)command->values)->speed;
    return FF_OK;
}

static ff_body_command get_body_command(const void *controller)
{
    return (ff_body_command){.moves = true, .ahead = ((const jog_controller *)controller)->memory.state.speed};
}

static int list_keys(const void *controller, ff_command_key *out, int most)
{
    const jog_command now = {.speed = ((const jog_controller *)controller)->memory.state.speed};
    const ff_command_range ranges[] = {{0, 0, 2.5}};
    return FF_COMMAND_KEYS(COMMANDS, &now, ranges, out, most);
}

const ff_controller_kind ff_controller_jog = {.name = "jog",
                                              .help = "runs in a plane on two legs with elastic joints",
                                              .longest = 0.005,
                                              .parameters = ff_jog_settings,
                                              .settings_size = sizeof(ff_jog_options),
                                              .read = read,
                                              .create = create,
                                              .bind = bind,
                                              .step = step,
                                              .destroy = destroy,
                                              .commands = COMMANDS,
                                              .begins_commanded = true,
                                              .command_size = sizeof(jog_command),
                                              .command = give_command,
                                              .command_keys = list_keys,
                                              .body_command = get_body_command,
                                              .start = put_at_start};
