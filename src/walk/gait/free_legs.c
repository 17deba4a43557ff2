// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Free legs on a robot: contacts are read from touch or force sensors, the plan moves the tips of the legs, and inverse
// kinematics in closed form gives the joint angles.
#include "base/missing.h"
#include "control/setting.h"
#include "gait/free_plan.h"
#include "gait/items.h"

#include <footfall/dyn.h>
#include <footfall/ik.h>
#include <footfall/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LONGEST_PERIOD = 0.1; // a longer time between two cycles counts as this  [s]
static const double STALE = 0.5;          // age from which a sensor value is not used  [s]
static const double TOUCHED = 2.0;        // force of a foot in contact, above weight and inertia of the foot  [N]

enum { JOINTS = 3, RIM = 16, SIGNALS = 8 + 4 * FF_FREE_LEGS_MAX };

/// All that changes.
typedef struct memory {
    ff_free_memory plan;
    double t;                              // of the last cycle  [s]
    double q[FF_FREE_LEGS_MAX][JOINTS];    // last references  [rad]
    double touched[FF_FREE_LEGS_MAX];      // last valid value
    double touched_time[FF_FREE_LEGS_MAX]; // when it was sampled, below zero: never  [s]
    int64_t cycles, unreachable;           // since the start
    double signals[SIGNALS];
} memory;

struct ff_free_legs {
    const ff_model *model;
    ff_free_plan plan;
    ff_leg_ik ik[FF_FREE_LEGS_MAX];
    double R[FF_FREE_LEGS_MAX][9], p[FF_FREE_LEGS_MAX][3]; // segment of each leg in the body, in the pose
    int touch[FF_FREE_LEGS_MAX];                           // item of the sensor frame, -1: none
    int force[FF_FREE_LEGS_MAX][3];                        // items in its place where a leg has a force sensor only
    ff_joint_items drive[FF_FREE_LEGS_MAX][JOINTS];        // items of the reference frame
    ff_io_name names[SIGNALS];
    int nsignal;
    memory memory;
};

// ------------------------------------------------------------------------------------------ checks

/// Angles for a tip of leg i, given in the body.
static ff_reach solve(const ff_free_legs *f, int i, const double tip[3], double *q)
{
    double offset[3], foot[3];
    ff_vec3_sub(offset, tip, f->p[i]);
    ff_mat3_tmulv(foot, f->R[i], offset);
    return ff_leg_ik_solve(&f->ik[i], foot, q, NULL);
}

/// Can leg i reach the rim of a boundary of this radius, on the ground and lifted?
static ff_reach reach_of(const ff_free_legs *f, int i, double radius, double height)
{
    const double *c = f->plan.centre[i];
    for (int k = 0; k < 2 * RIM; k++) {
        double q[JOINTS], sine, cosine;
        const double angle = 2.0 * FF_PI * k / RIM;
        ff_sincos(&angle, &sine, &cosine, 1);
        const double tip[3] = {c[0] + radius * cosine, c[1] + radius * sine,
                               c[2] + f->plan.height - height + (k < RIM ? 0.0 : f->plan.options.lift_height)};
        const ff_reach reach = solve(f, i, tip, q);
        if (reach != FF_REACH_OK) return reach;
    }
    return FF_REACH_OK;
}

/// The largest radius leg i can reach, to a tenth of a millimetre; 0 when not even the centre.
static double most_reach(const ff_free_legs *f, int i, double height)
{
    double within = 0.0, beyond = ff_min(f->plan.options.radius, 100.0);
    if (reach_of(f, i, 0.0, height) != FF_REACH_OK) return 0.0;
    while (beyond - within > 1e-4) {
        const double middle = 0.5 * (within + beyond);
        *(reach_of(f, i, middle, height) == FF_REACH_OK ? &within : &beyond) = middle;
    }
    return within;
}

static ff_status check_reach(const ff_free_legs *f, double height, ff_error *err)
{
    for (int i = 0; i < f->plan.n; i++) {
        const ff_reach reach = reach_of(f, i, f->plan.options.radius, height);
        if (reach == FF_REACH_OK) continue;
        const double most = most_reach(f, i, height);
        if (!(most > 0.0))
            return ff_error_set(err, FF_BAD_ARGUMENT, "leg %.40s cannot step with the body %g m above ground: %s",
                                f->model->legs[i].name, height, ff_reach_text(reach));
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "leg %.40s cannot reach all of a boundary of radius %g m with the body %g m above ground "
                            "(%s): %.4f m at most",
                            f->model->legs[i].name, f->plan.options.radius, height, ff_reach_text(reach), most);
    }
    return FF_OK;
}

/// Checks that tips of two legs cannot meet.
static ff_status check_overlap(const ff_free_legs *f, ff_error *err)
{
    for (int i = 0; i < f->plan.n; i++)
        for (int k = 0; k < i; k++) {
            const double *a = f->plan.centre[i], *b = f->plan.centre[k];
            const double apart = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
            if (apart < 2.0 * f->plan.options.radius)
                return ff_error_set(
                    err, FF_BAD_ARGUMENT,
                    "boundaries of legs %.40s and %.40s overlap: their centres are %.4f m apart and radius is %g m",
                    f->model->legs[k].name, f->model->legs[i].name, apart, f->plan.options.radius);
        }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ making

static ff_status check_model(const ff_model *m, const ff_free_legs_options *o, int *key, ff_error *err)
{
    if (m->nleg < 6 || m->nleg > FF_FREE_LEGS_MAX)
        return ff_error_set(err, FF_BAD_MODEL,
                            "free legs need 6 to %d legs; the robot describes %d (see 'legs' of robot files)",
                            FF_FREE_LEGS_MAX, m->nleg);
    if (o->least_down >= m->nleg)
        return ff_error_set(err, FF_BAD_ARGUMENT, "least_down is %d of %d legs: none could ever lift", o->least_down,
                            m->nleg);
    if (ff_model_need_key(m, o->pose ? o->pose : "stand", key, err) != FF_OK) return FF_NOT_FOUND;
    for (int i = 0; i < m->nleg; i++)
        if (m->legs[i].njoint != JOINTS)
            return ff_error_set(err, FF_BAD_MODEL, "leg %.40s has %d joints; free legs have 3", m->legs[i].name,
                                m->legs[i].njoint);
    return FF_OK;
}

/// Converts a point of the world into the frame of body 0.
static void into_body(const double pos[3], const double R[9], const double world[3], double out[3])
{
    double offset[3];
    ff_vec3_sub(offset, world, pos);
    ff_mat3_tmulv(out, R, offset);
}

/// Boundaries, segments and centre of mass from the pose.
static void take_pose(ff_free_legs *f, const ff_data *d)
{
    const ff_model *m = f->model;
    double pos[3], quat[4], R[9], com[3], at[3];
    ff_dyn_body_pose(m, d, 0, pos, quat);
    ff_quat_to_mat3(R, quat);
    ff_dyn_com(m, d, com);
    into_body(pos, R, com, at);
    f->plan.com[0] = at[0];
    f->plan.com[1] = at[1];
    f->plan.height = 0.0;
    for (int i = 0; i < f->plan.n; i++) {
        const ff_frame *frame = &m->frames[m->legs[i].frame];
        double world[3], segment[4], turn[9], back[9];
        ff_dyn_point(m, d, frame->body, frame->pos, world);
        into_body(pos, R, world, f->plan.centre[i]);
        f->plan.height += (m->legs[i].radius - f->plan.centre[i][2]) / f->plan.n;
        ff_dyn_body_pose(m, d, f->ik[i].body, world, segment);
        into_body(pos, R, world, f->p[i]);
        ff_quat_to_mat3(turn, segment);
        ff_mat3_transpose(back, R);
        ff_mat3_mul(f->R[i], back, turn);
    }
    ff_free_plan_order(&f->plan);
}

static void list_signals(const ff_free_legs *f, ff_gait_signals *s)
{
    const memory *m = &f->memory;
    ff_gait_signal(s, "down", "1", m->plan.down);
    ff_gait_signal(s, "stopped", "1", m->plan.stopped);
    ff_gait_signal(s, "stopped.time", "s", m->plan.stopped_time);
    ff_gait_signal(s, "refused", "1", (double)m->plan.refused);
    ff_gait_signal(s, "lifts", "1", (double)m->plan.lifts);
    ff_gait_signal(s, "unreachable", "1", (double)m->unreachable);
    ff_gait_signal(s, "scale", "1", m->plan.scale);
    ff_gait_signal(s, "margin", "m", ff_free_plan_margin(&f->plan, &m->plan, -1));
    for (int i = 0; i < f->plan.n; i++) {
        const ff_free_leg *leg = &m->plan.legs[i];
        const char *name = f->model->legs[i].name;
        ff_gait_signal_of(s, "state", name, "1", leg->state);
        for (int k = 0; k < 3; k++)
            if (!ff_gait_signal_value(s, leg->tip[k])) ff_gait_signal_name(s, "m", "tip.%s.%c", name, "xyz"[k]);
    }
}

static ff_status fill_free_legs(ff_free_legs *f, const ff_data *d, ff_error *err)
{
    for (int i = 0; i < f->plan.n; i++) {
        const ff_status status = ff_leg_ik_make(f->model, &f->model->legs[i], d->q, &f->ik[i], err);
        if (status != FF_OK) return status;
    }
    take_pose(f, d);
    ff_status status = check_reach(f, f->plan.height, err);
    if (status == FF_OK) status = check_overlap(f, err);
    if (status != FF_OK) return status;
    ff_free_plan_start(&f->plan, &f->memory.plan);
    for (int i = 0; i < f->plan.n; i++) {
        solve(f, i, f->plan.centre[i], f->memory.q[i]);
        f->memory.touched_time[i] = -1.0;
        f->touch[i] = f->force[i][0] = -1;
        for (int k = 0; k < JOINTS; k++) f->drive[i][k] = (ff_joint_items){-1, -1, -1};
    }
    ff_gait_signals signals = {.names = f->names, .most = SIGNALS, .err = err};
    list_signals(f, &signals);
    f->nsignal = signals.count;
    return signals.status;
}

ff_free_legs *ff_free_legs_create(const ff_model *model, const ff_free_legs_options *options, ff_error *err)
{
    const ff_free_legs_options o = options ? *options : ff_free_legs_options_default();
    if (!model) return ff_error_missing(err, __func__, "model"), NULL;
    int key = -1;
    ff_status status = ff_settings_check(ff_free_legs_settings, &o, err);
    if (status == FF_OK) status = check_model(model, &o, &key, err);
    if (status != FF_OK) return NULL;
    ff_free_legs *f = calloc(1, sizeof *f);
    ff_data *d = ff_data_create(model, NULL);
    if (f && d) {
        f->model = model;
        f->plan.options = o;
        f->plan.options.pose = NULL; // the text belongs to the caller
        f->plan.n = model->nleg;
        memcpy(d->q, model->keys[key].q, (size_t)model->nq * sizeof *d->q);
        ff_dyn_kinematics(model, d);
        status = fill_free_legs(f, d, err);
    } else
        status = ff_error_set(err, FF_NO_MEMORY, "no memory for the free legs");
    ff_data_destroy(d);
    if (status == FF_OK) return f;
    free(f);
    return NULL;
}

void ff_free_legs_destroy(ff_free_legs *legs)
{
    free(legs);
}

// ------------------------------------------------------------------------------------------ binding

/// The touch sensor of a leg, or else its force sensor.
static void find_touch(ff_free_legs *f, int i, const ff_io_layout *sensors)
{
    const ff_leg *leg = &f->model->legs[i];
    f->touch[i] = leg->touch ? ff_gait_find_sensor(sensors, leg->touch, "touched") : -1;
    ff_gait_find_forces(sensors, f->touch[i] < 0 ? leg->force : NULL, f->force[i]);
}

ff_status ff_free_legs_bind(ff_free_legs *legs, const ff_io_layout *sensors, const ff_io_layout *references,
                            ff_error *err)
{
    ff_free_legs *f = legs;
    for (int i = 0; i < f->plan.n; i++) {
        const ff_leg *leg = &f->model->legs[i];
        if (f->plan.options.touch && sensors) find_touch(f, i, sensors);
        for (int k = 0; k < JOINTS; k++) {
            const ff_status status = ff_gait_bind_joint(f->model, leg->joints[k], references, &f->drive[i][k], err);
            if (status != FF_OK) return status;
        }
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ commands

ff_status ff_free_legs_command_set(ff_free_legs *legs, const ff_free_legs_command *command, ff_error *err)
{
    const double numbers[4] = {command->velocity[0], command->velocity[1], command->turn, command->height};
    static const char *const names[4] = {"speed ahead", "speed to the left", "turn", "height"};
    for (int k = 0; k < 4; k++)
        if (!isfinite(numbers[k])) return ff_error_set(err, FF_BAD_ARGUMENT, "%s is not a number", names[k]);
    if (command->height < 0.0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a height of %g m is below ground", command->height);
    const ff_status status = command->height > 0.0 ? check_reach(legs, command->height, err) : FF_OK;
    if (status == FF_OK) legs->memory.plan.command = *command;
    return status;
}

ff_free_legs_command ff_free_legs_command_get(const ff_free_legs *legs)
{
    return legs->memory.plan.command;
}

double ff_free_legs_slowed(const ff_free_legs *legs)
{
    return legs->memory.plan.scale > 0.0 ? legs->memory.plan.scale : 1.0; // 0 before the first cycle
}

const ff_free_legs_options *ff_free_legs_get_options(const ff_free_legs *legs, double *height)
{
    *height = legs->plan.height;
    return &legs->plan.options;
}

int64_t ff_free_legs_unreachable(const ff_free_legs *legs)
{
    return legs->memory.unreachable;
}

// ------------------------------------------------------------------------------------------ cycle

/// Reads whether leg i has contact (1 or 0), and when. @return false: its sensor has no valid value
static bool read_contact(const ff_free_legs *f, int i, const ff_io_item *items, double *touched, double *time)
{
    const int first = f->touch[i] >= 0 ? f->touch[i] : f->force[i][0];
    if (first < 0 || !ff_io_known(&items[first])) return false;
    *touched = items[first].value > 0.5;
    *time = 1e-9 * (double)items[first].time_ns;
    if (f->touch[i] >= 0) return true;
    const ff_io_item *y = &items[f->force[i][1]], *z = &items[f->force[i][2]];
    const double x = items[first].value;
    *touched = x * x + y->value * y->value + z->value * z->value > TOUCHED * TOUCHED;
    return ff_io_known(y) && ff_io_known(z);
}

static void read_touch(ff_free_legs *f, double t, const ff_io_frame *sensors, ff_free_touch *touch)
{
    memory *m = &f->memory;
    for (int i = 0; i < f->plan.n; i++) {
        double touched, time;
        if (read_contact(f, i, ff_io_items_of(sensors), &touched, &time)) {
            m->touched[i] = touched;
            m->touched_time[i] = time;
        }
        const bool known = m->touched_time[i] >= 0.0 && t - m->touched_time[i] <= STALE;
        touch[i] = !known ? FF_FREE_TOUCH_UNKNOWN : m->touched[i] > 0.5 ? FF_FREE_TOUCH_GROUND : FF_FREE_TOUCH_NONE;
    }
}

static void write_references(ff_free_legs *f, double t, double dt, ff_io_frame *references)
{
    ff_io_item *items = ff_io_items(references);
    const int64_t stamp = ff_gait_stamp(t);
    memory *m = &f->memory;
    for (int i = 0; i < f->plan.n; i++) {
        double q[JOINTS];
        if (solve(f, i, m->plan.legs[i].tip, q) != FF_REACH_OK) m->unreachable++;
        for (int k = 0; k < JOINTS; k++) {
            ff_gait_put(items, f->drive[i][k].position, q[k], stamp);
            ff_gait_put(items, f->drive[i][k].speed, dt > 0.0 ? (q[k] - m->q[i][k]) / dt : 0.0, stamp);
            m->q[i][k] = q[k];
        }
    }
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_free_legs *f = context;
    memory *m = &f->memory;
    ff_free_touch touch[FF_FREE_LEGS_MAX] = {0};
    const double dt = m->cycles > 0 ? ff_min(ff_max(t - m->t, 0.0), LONGEST_PERIOD) : 0.0;
    read_touch(f, t, sensors, touch);
    if (dt > 0.0) ff_free_plan_tick(&f->plan, &m->plan, dt, touch);
    write_references(f, t, dt, references);
    list_signals(f, &(ff_gait_signals){.values = m->signals});
    m->t = t;
    m->cycles++;
}

ff_controller ff_free_legs_controller(ff_free_legs *legs)
{
    return (ff_controller){.context = legs,
                           .cycle = cycle,
                           .memory = &legs->memory,
                           .memory_size = sizeof legs->memory,
                           .signals = legs->names,
                           .values = legs->memory.signals,
                           .nsignal = legs->nsignal};
}
