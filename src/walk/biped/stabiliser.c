// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One tick of the stabiliser calls its parts (stabiliser.h) one after the other. Defaults are mostly those of the
// source for LOLA (docs/biped.md), scaled by weight and height of the robot.
#include "biped/stabiliser.h"

#include <footfall/math.h>

#include <stdlib.h>
#include <string.h>

/// All that changes.
typedef struct memory {
    double q[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS]; // the last references of the joints
    ff_biped_watch_memory watch;
    ff_biped_sensors sensors; // valid readings
    ff_biped_target target;   // the last valid one
    bool has_target;          // there was one
    double failing;           // time for which targets or ticks have failed  [s]
    bool followed, behind;    // a target was followed; since a tick that failed, references return to the plan
    ff_biped_contact_states contacts;
    ff_biped_adapt_memory adapt;
    ff_biped_incline_memory incline;
    ff_biped_height_memory height;
    ff_biped_foot_memory feet;
    ff_biped_view view;
} memory;

struct ff_biped_stabiliser {
    const ff_biped *robot;
    ff_biped_gains gains;
    ff_biped_filters filters;
    ff_biped_ik ik;
    memory own, *memory;
};

// ------------------------------------------------------------------------------------------ numbers

/// A notch at a frequency [Hz] of some width [rad/s] and depth [1].
static ff_biped_notch notch_at(double frequency, double width, double depth)
{
    const double quality = 2.0 * FF_PI * frequency / width;
    return (ff_biped_notch){frequency, quality, 0.5 * depth / quality};
}

/// Frequency at which the robot bounces on one or two soles.  [Hz]
static double bounce_of(const ff_biped *robot, int feet)
{
    return sqrt(feet * robot->feet[0].stiffness / robot->mass) / (2.0 * FF_PI);
}

ff_biped_gains ff_biped_gains_default(const ff_biped *robot)
{
    const double weight = robot->weight / (67.0 * 9.81); // over LOLA's
    const double lever = weight * robot->com[2] / 0.886; // m g l
    const double pace = sqrt(robot->com[2] / 0.886);     // times grow with the root of lengths
    return (ff_biped_gains){.period = 1e-3,
                            .reflex = true,
                            .swing_adaptation = true,
                            .inclination = true,
                            .distribution = FF_BIPED_QUADRATIC,
                            .com_tracking = true,
                            .com_acceleration = true,
                            .late_foot = true,
                            .force_control = true,
                            .lag_reduction = true,
                            .common_mode = true,
                            .contact_force = 200.0 * weight,
                            .early_force = 350.0 * weight,
                            .early_time = 0.3,
                            .late_time = 0.12,
                            .force_rise = 0.03,
                            .late_fall = 0.1,
                            .early_load = 0.05,
                            .position_gain = 25.0,
                            .tilt_stiffness = 725.0 * lever,
                            .tilt_damping = 400.0 * lever * pace,
                            .dcm_gain = 4.0 / pace,
                            .filter = FF_BIPED_NOTCH,
                            .notch = {{9.3, 1.17, 0.1353}, {17.5, 2.2, 0.0227}, {30.0, 3.77, 0.04194}},
                            .passivity = 0.003 / lever,
                            .friction = 0.8,
                            .least_force = 30.0 * weight,
                            .most_force = 1200.0 * weight,
                            .height_stiffness = 4500.0 * weight / (pace * pace),
                            .height_damping = 800.0 * weight / pace,
                            .height_gain = 0.8,
                            .height_notch = {notch_at(bounce_of(robot, 1), 50.0, 0.056),
                                             notch_at(bounce_of(robot, 2), 80.0, 0.32),
                                             {21.67, 2.72, 0.05806}},
                            .force_gain = 24.0,
                            .force_rate_gain = 0.1,
                            .force_feed = 0.05,
                            .force_plan = 1.0,
                            .force_filter = 20.0,
                            .common_time = 1.0,
                            .swing_time = 0.2,
                            .task_gain = 50.0,
                            .comfort = 1.0,
                            .limits = 50.0,
                            .self_collision = 1000.0,
                            .angular_momentum = 0.0};
}

static double period_of(double frequency)
{
    return 1.0 / (2.0 * FF_PI * frequency);
}

static ff_status make_rate_filters(const ff_biped_gains *g, ff_biped_filters *out, ff_error *err)
{
    ff_status status = FF_OK;
    out->nrate = 0;
    for (int i = 0; i < 3 && g->filter == FF_BIPED_NOTCH && status == FF_OK; i++)
        status = ff_filter_notch(&out->rate[out->nrate++], period_of(g->notch[i].frequency), g->notch[i].quality,
                                 g->notch[i].damping, g->period, err);
    if (status == FF_OK)
        status = ff_filter_lowpass2(&out->rate[out->nrate++], period_of(g->filter == FF_BIPED_LOW ? 7.0 : 26.0), 0.65,
                                    g->period, err);
    return status;
}

ff_status ff_biped_filters_make(const ff_biped_gains *g, ff_biped_filters *out, ff_error *err)
{
    ff_status status = ff_filter_lowpass1(&out->contact, 0.003, g->period, err);
    if (status == FF_OK) status = ff_filter_lowpass2(&out->reflex, 0.003, 1.0, g->period, err);
    if (status == FF_OK) status = ff_filter_lowpass1(&out->force, period_of(g->force_filter), g->period, err);
    if (status == FF_OK) status = ff_filter_derivative(&out->slope, period_of(g->force_filter), g->period, err);
    for (int i = 0; i < 3 && status == FF_OK; i++)
        status = ff_filter_notch(&out->height[i], period_of(g->height_notch[i].frequency), g->height_notch[i].quality,
                                 g->height_notch[i].damping, g->period, err);
    return status == FF_OK ? make_rate_filters(g, out, err) : status;
}

// ------------------------------------------------------------------------------------------ making

ff_biped_stabiliser *ff_biped_stabiliser_create(const ff_biped *robot, const ff_biped_gains *gains, ff_error *err)
{
    if (ff_biped_guard_gains(gains, err) != FF_OK) return NULL;
    ff_biped_stabiliser *s = calloc(1, sizeof *s);
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "no memory for the stabiliser"), NULL;
    s->memory = &s->own;
    s->robot = robot;
    s->gains = *gains;
    s->ik.robot = robot;
    s->ik.data = ff_data_create(robot->model, err);
    if (!s->ik.data || ff_biped_filters_make(gains, &s->filters, err) != FF_OK)
        return ff_biped_stabiliser_destroy(s), NULL;
    memcpy(s->memory->q, robot->q, sizeof s->memory->q);
    for (int f = 0; f < FF_BIPED_FEET; f++) { // it stands, both feet loaded
        ff_biped_contact_memory *c = &s->memory->contacts.foot[f];
        c->closed = c->mode = 1.0;
        ff_filter_start(&s->filters.contact, c->closed_filter, 1.0);
        ff_filter_start(&s->filters.contact, c->mode_filter, 1.0);
        c->since_early = INFINITY;
        s->memory->watch.last.foot[f].force[2] = 0.5 * robot->weight;
        const double standing[3] = {0.0, -0.5 * robot->com[0] * robot->weight, 0.5 * robot->weight}; // Tx, Ty, Fz
        for (int k = 0; k < 3; k++) {
            ff_filter_start(&s->filters.slope, s->memory->feet.planned_slope[f][k], standing[k]);
            ff_filter_start(&s->filters.slope, s->memory->feet.wanted_slope[f][k], standing[k]);
        }
    }
    return s;
}

void ff_biped_stabiliser_destroy(ff_biped_stabiliser *s)
{
    if (!s) return;
    ff_data_destroy(s->ik.data);
    free(s);
}

size_t ff_biped_stabiliser_memory_size(void)
{
    return sizeof(memory);
}

void ff_biped_stabiliser_use_memory(ff_biped_stabiliser *s, void *to)
{
    memcpy(to, s->memory, sizeof *s->memory);
    s->memory = to;
}

const ff_biped_view *ff_biped_stabiliser_view(const ff_biped_stabiliser *s)
{
    return &s->memory->view;
}

// ------------------------------------------------------------------------------------------ a tick

/// 5 / (kg m^2)^2 for LOLA, by which its arms swing by 24 degrees at 0.5 m/s; others by the square of m l^2.
static double swing_unit(const ff_biped *robot)
{
    const double turning = robot->mass / 67.0 * (robot->com[2] / 0.886) * (robot->com[2] / 0.886);
    return 5.0 / (turning * turning);
}

/// Brings joints within their limits. @return whether one was beyond
static bool bound_joints(const ff_model *m, double *q)
{
    bool beyond = false;
    for (int j = 0; j < m->njoint; j++) {
        const ff_joint *joint = &m->joints[j];
        if (!joint->limited) continue;
        const double within = ff_min(ff_max(q[joint->qadr], joint->range[0]), joint->range[1]);
        beyond = beyond || within != q[joint->qadr];
        q[joint->qadr] = within;
    }
    return beyond;
}

/// Torque about the centre of mass: wanted less measured.
static void compare_torques(const ff_biped_task *now, const ff_biped_sensors *sensors,
                            const ff_biped_distribution *wanted, double out[2])
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        double R[9], force[3], torque[3], arm[3], off[3], moment[3];
        ff_biped_foot_axes(&now->foot[f], R);
        ff_vec3_sub(off, wanted->foot[f].force, sensors->foot[f].force);
        ff_mat3_mulv(force, R, off);
        ff_vec3_sub(off, wanted->foot[f].torque, sensors->foot[f].torque);
        ff_mat3_mulv(torque, R, off);
        ff_vec3_sub(arm, now->foot[f].pos, now->com);
        ff_vec3_cross(moment, arm, force);
        ff_vec3_add(sum, sum, torque);
        ff_vec3_add(sum, sum, moment);
    }
    out[0] = sum[0];
    out[1] = sum[1];
}

static void fill_view(memory *m, const ff_biped_contact_view *contact, const double tilt[3],
                      const ff_biped_distribution *wanted, const ff_biped_task *now, const ff_biped_task *task)
{
    ff_biped_view *v = &m->view;
    for (int k = 0; k < 2; k++) {
        v->tilt[k] = tilt[k];
        v->tilt_rate[k] = m->incline.rate[k];
    }
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        memcpy(v->wanted[f], wanted->foot[f].force, 3 * sizeof(double));
        memcpy(v->wanted[f] + 3, wanted->foot[f].torque, 3 * sizeof(double));
        v->contact[f] = contact->closed[f];
        v->force_mode[f] = contact->mode[f];
        v->load[f] = contact->load[f];
        v->early[f] = contact->early[f];
        v->late[f] = contact->late[f];
    }
    compare_torques(now, &m->sensors, wanted, v->torque_error);
    v->task = *task;
}

/// Used when the lean is not known: on flat ground two stiff soles keep the robot upright.
static void control_by_position(ff_biped_contact_view *contact)
{
    for (int f = 0; f < FF_BIPED_FEET; f++) contact->mode[f] = 0.0;
}

static void move(ff_biped_stabiliser *s, const ff_biped_target *target)
{
    const ff_biped *robot = s->robot;
    const ff_biped_gains *g = &s->gains;
    const ff_biped_filters *filters = &s->filters;
    const ff_biped_ik_gains ik_gains = {g->task_gain, g->comfort, g->limits, g->self_collision,
                                        g->angular_momentum * swing_unit(robot)};
    memory *m = s->memory;
    ff_biped_task now, task = target->task;
    ff_biped_wrench wrench = target->wrench;
    ff_biped_contact_view contact;
    ff_biped_distribution planned, wanted;
    double tilt[3], rate[3];

    ff_biped_ik_place(&s->ik, m->q);
    ff_biped_ik_read(&s->ik, m->v, &now);
    ff_biped_incline_measure(&m->sensors, &target->task, tilt, rate);
    if (m->view.conditions & FF_BIPED_NO_TORSO) memset(tilt, 0, sizeof tilt), memset(rate, 0, sizeof rate);
    ff_biped_contact_step(g, filters, &m->sensors, target->load, &m->contacts, &contact);
    if (m->view.conditions & FF_BIPED_NO_TORSO) control_by_position(&contact);
    ff_biped_adapt_step(robot, g, filters, &m->contacts, &contact, &m->sensors, tilt, &now, &m->adapt, &task);
    ff_biped_distribute(robot, g, &now, contact.load, &wrench, &planned);
    ff_biped_incline_step(robot, g, filters, target, tilt, rate, &m->incline, &wrench);
    if (g->distribution == FF_BIPED_HEURISTIC)
        ff_biped_distribute(robot, g, &now, contact.load, &wrench, &wanted);
    else if (!ff_biped_distribute_quadratic(robot, g, &now, contact.load, &wrench, &wanted))
        m->view.conditions |= FF_BIPED_NO_DISTRIBUTION;
    ff_biped_height_step(robot, g, filters, target, &contact, &now, &wanted, &m->sensors, &m->height, &task);
    ff_biped_foot_force_step(robot, g, filters, &contact, &planned, &wanted, &m->sensors, &m->feet, &task);
    if (m->behind) m->behind = ff_biped_guard_approach(robot, g->task_gain, &now, &task);
    if (!ff_biped_ik_velocity(&s->ik, &task, &ik_gains, m->v)) m->view.conditions |= FF_BIPED_SINGULAR;
    ff_biped_ik_advance(&s->ik, m->v, g->period);
    memcpy(m->q, s->ik.data->q, (size_t)robot->model->nq * sizeof *m->q);
    if (bound_joints(robot->model, m->q)) m->view.conditions |= FF_BIPED_AT_LIMIT;
    fill_view(m, &contact, tilt, &wanted, &now, &task);
}

bool ff_biped_stabiliser_would_take(const ff_biped_stabiliser *s, const ff_biped_target *target)
{
    return ff_biped_guard_target(s->robot, s->gains.period, target, s->memory->has_target ? &s->memory->target : NULL);
}

/// Takes a valid target. @return FF_BIPED_BAD_TARGET where the last one stays
static unsigned take_target(ff_biped_stabiliser *s, const ff_biped_target *target)
{
    memory *m = s->memory;
    if (!ff_biped_stabiliser_would_take(s, target)) return FF_BIPED_BAD_TARGET;
    m->target = *target;
    m->has_target = true;
    return 0;
}

void ff_biped_stabiliser_tick(ff_biped_stabiliser *s, const ff_biped_sensors *sensors, const ff_biped_target *target,
                              double *q, double *v)
{
    const ff_biped *robot = s->robot;
    memory *m = s->memory;
    const unsigned refused = take_target(s, target);
    m->view.conditions = refused | ff_biped_watch_step(robot, &s->gains, sensors, m->target.load, m->view.wanted,
                                                       &m->watch, &m->sensors);
    const memory before = *m;
    if (m->has_target) move(s, &m->target);
    const bool moved = m->has_target && ff_biped_guard_joints(robot, m->q, m->v);
    if (!moved) {
        *m = before;
        m->behind = m->followed;
        m->view.conditions |= FF_BIPED_HELD;
    }
    m->followed |= moved;
    m->failing = moved && !refused ? 0.0 : m->failing + s->gains.period;
    if (m->failing > FF_BIPED_OLDEST) m->view.conditions |= FF_BIPED_FAILING;
    memcpy(q, m->q, (size_t)robot->model->nq * sizeof *q);
    for (int k = 0; k < robot->model->nv; k++) v[k] = moved ? m->v[k] : 0.0;
}
