// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Silva's joint control of a planar walk (Fig. 3): planned angles by inverse kinematics, a fractional-order loop for
// each joint, and optionally an inner loop of the measured foot force F,
//     tau_ref = K_p e + K_alpha s^alpha e,      tau = G_c2 (tau_ref - J' F).
// Angles are those of the plan (from the downward vertical, forward positive): q = q0 + sign (angle - angle0) of each
// joint, by the reference pose.
#include "base/missing.h"
#include "control/setting.h"
#include "gait/items.h"
#include "gait/planar_plan.h"
#include "sense/io_frames.h"

#include <footfall/ik.h>
#include <footfall/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAMPLES = 20.0; // least number of control cycles of a stance, and of a swing

/// Constants of a leg.
typedef struct planar_leg {
    ff_planar_leg links;
    double zero[2];  // angle of the reference pose           [rad]
    double sign[2];  // of the joint against the angle
    double q0[2];    // joint of the reference pose           [rad]
    double foot[9];  // foot frame in the world of the reference pose
    int position[2]; // items of the frames
    ff_joint_items drive[2];
    int force[3];
} planar_leg;

/// Memory of a leg.
typedef struct leg_memory {
    double fade[2], fade_rate[2]; // difference to the plan before, which fades  [m], [m/s]
    double measured[2];           // positions of the joints  [rad]
    double force[3];              // of the ground, in the axes of the foot  [N]
} leg_memory;

typedef struct walk_memory {
    ff_planar_plan plan;
    double time;   // of the last cycle   [s]
    double cycles; // of the plan
    int64_t begun;
    int64_t refused;                    // samples that were not finite
    int64_t refused_leg, refused_joint; // of the first of them; -1: a force
    double refused_at;                  // [s]
    leg_memory legs[FF_PLANAR_LEGS];
    double values[FF_PLANAR_LEGS * FF_PLANAR_SIGNALS];
    double filters[]; // of the fractional derivatives: joints one after the other
} walk_memory;

struct ff_planar_walk {
    const ff_model *model;
    ff_planar_walk_options options;
    int n; // legs
    planar_leg legs[FF_PLANAR_LEGS];
    ff_fractional derivative[2];
    ff_io_name names[FF_PLANAR_LEGS * FF_PLANAR_SIGNALS];
    size_t size; // of memory
    walk_memory *memory;
};

static const char *const STARTS[] = {"plan", "pose", NULL};

#define OF ff_planar_walk_options
const ff_row ff_planar_walk_settings[] = {
    FF_SETTING_EACH("kp", kp, 2, "N m/rad", FF_NOT_NEGATIVE, "[1500, 4000]",
                    "[hip, knee], or one number for both: position gain"),
    FF_SETTING_EACH("kalpha", kalpha, 2, "N m s^alpha/rad", FF_NOT_NEGATIVE, "[300, 10]",
                    "gain of the fractional derivative, in the same form"),
    FF_SETTING_EACH("alpha", alpha, 2, "", FF_ANY, "[0.5, 0.5]",
                    "order of the fractional derivative, in the same form; 1: the first derivative"),
    FF_SETTING_INTEGER("order", order, FF_ANY, "4", "order of the Pade approximant; not together with 'terms'"),
    FF_SETTING_INTEGER("terms", terms, FF_ANY, "100", "terms of the Gruenwald-Letnikov series, in place of 'order'"),
    FF_SETTING_SWITCH("sample_factor", sample_factor, "true", "multiply the gain by (sampling rate)^alpha"),
    FF_SETTING_NUMBER("force_gain", force_gain, "", FF_NOT_NEGATIVE, "0", "gain of the force feedback; 0: none"),
    FF_SETTING_NUMBER("torque", torque, "N m", FF_NOT_NEGATIVE, "400", "largest torque; 0: no bound"),
    FF_SETTING_CHOICE("start", start, STARTS, "plan", "legs start as planned, or in the pose of the scene"),
    {0},
};
#undef OF

ff_planar_walk_options ff_planar_walk_options_default(void)
{
    ff_planar_walk_options o = {.plan = ff_planar_plan_default(), .rate = 2000.0};
    ff_settings_default(ff_planar_walk_settings, &o);
    return o;
}

static ff_status check_options(const ff_planar_walk_options *o, ff_error *err)
{
    if (ff_settings_check(ff_planar_walk_settings, o, err) != FF_OK) return FF_BAD_ARGUMENT;
    if (o->rate > 0.0 && isfinite(o->rate)) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "a rate of %g Hz: it must be above zero", o->rate);
}

// ------------------------------------------------------------------------------------------ the robot

/// Angle of a vector in the plane, from the downward vertical.
static double angle_of(const double v[3])
{
    return ff_atan2(v[0], -v[2]);
}

/// A hinge that turns across the plane of x and z. @return its sense against angles, 0 for any other
static double sense_of(const ff_model *m, const ff_data *d, int joint)
{
    if (m->joints[joint].type != FF_JOINT_HINGE) return 0.0;
    const double *axis = &d->S[6 * m->joints[joint].vadr];
    return fabs(axis[1]) > 1.0 - 1e-9 ? (axis[1] < 0.0 ? 1.0 : -1.0) : 0.0;
}

static void joint_place(const ff_model *m, const ff_data *d, int joint, double out[3])
{
    ff_dyn_point(m, d, m->joints[joint].body, m->joints[joint].pos, out);
}

static ff_status measure_leg(ff_planar_walk *w, const ff_data *d, int number, ff_error *err)
{
    const ff_model *m = w->model;
    const ff_leg *leg = &m->legs[number];
    const ff_frame *frame = &m->frames[leg->frame];
    planar_leg *out = &w->legs[number];
    double hip[3], knee[3], foot[3], thigh[3], shank[3], pos[3], quat[4], body[9], local[9];
    if (leg->njoint != 2)
        return ff_error_set(err, FF_BAD_MODEL, "leg '%.40s' has %d joints: a planar walk needs two, hip and knee",
                            leg->name, leg->njoint);
    for (int j = 0; j < 2; j++) {
        out->sign[j] = sense_of(m, d, leg->joints[j]);
        if (out->sign[j] == 0.0)
            return ff_error_set(err, FF_BAD_MODEL,
                                "joint '%.40s' is no hinge across the plane of x and z: its axis must be y or -y",
                                m->joints[leg->joints[j]].name);
        out->q0[j] = d->q[m->joints[leg->joints[j]].qadr];
    }
    joint_place(m, d, leg->joints[0], hip);
    joint_place(m, d, leg->joints[1], knee);
    ff_dyn_point(m, d, frame->body, frame->pos, foot);
    ff_vec3_sub(thigh, knee, hip);
    ff_vec3_sub(shank, foot, knee);
    out->links.length[0] = sqrt(thigh[0] * thigh[0] + thigh[2] * thigh[2]);
    out->links.length[1] = sqrt(shank[0] * shank[0] + shank[2] * shank[2]);
    if (!(out->links.length[0] > 0.0) || !(out->links.length[1] > 0.0))
        return ff_error_set(err, FF_BAD_MODEL, "leg '%.40s' has a link without length", leg->name);
    out->zero[0] = angle_of(thigh);
    out->zero[1] = angle_of(shank) - out->zero[0];
    ff_dyn_body_pose(m, d, frame->body, pos, quat);
    ff_quat_to_mat3(body, quat);
    ff_quat_to_mat3(local, frame->quat);
    ff_mat3_mul(out->foot, body, local);
    return FF_OK;
}

static ff_status measure_legs(ff_planar_walk *w, ff_error *err)
{
    ff_data *d = ff_data_create(w->model, err);
    if (!d) return FF_NO_MEMORY;
    ff_status status = FF_OK;
    ff_dyn_kinematics(w->model, d);
    for (int i = 0; i < w->n && status == FF_OK; i++) status = measure_leg(w, d, i, err);
    ff_data_destroy(d);
    return status;
}

/// Can all feet follow the plan? A cycle is evaluated in steps of 1/400.
static ff_status check_reach(const ff_planar_walk *w, const ff_planar_plan *plan, ff_error *err)
{
    for (int i = 0; i < w->n; i++)
        for (int k = 0; k < 400; k++) {
            const ff_planar_foot foot = ff_planar_foot_at(plan, i, k / 400.0);
            double angle[2];
            if (ff_ik_planar(w->legs[i].links.length, -1, foot.pos, angle) == FF_REACH_OK) continue;
            return ff_error_set(err, FF_BAD_ARGUMENT,
                                "the plan moves foot '%.40s' %.4g m from its hip, which reaches from %.4g to %.4g m: "
                                "take shorter steps, a lower body, or centred feet",
                                w->model->legs[i].name, sqrt(foot.pos[0] * foot.pos[0] + foot.pos[1] * foot.pos[1]),
                                fabs(w->legs[i].links.length[0] - w->legs[i].links.length[1]),
                                w->legs[i].links.length[0] + w->legs[i].links.length[1]);
        }
    return FF_OK;
}

/// Refuses steps that are too short for the control cycle.
static ff_status check_pace(const ff_planar_walk *w, const ff_planar_plan *plan, ff_error *err)
{
    const double shortest = SAMPLES / w->options.rate, share = ff_min(plan->duty, 1.0 - plan->duty);
    if (share * plan->step >= shortest * plan->speed) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT,
                        "at %g m/s with steps of %g m a foot is %.3g ms on the ground or in the air, and %g cycles of "
                        "the control take %.3g ms: walk slower, %.3g m/s at most",
                        plan->speed, plan->step, 1e3 * share * plan->step / plan->speed, SAMPLES, 1e3 * shortest,
                        share * plan->step / shortest);
}

static ff_status check_plan(const ff_planar_walk *w, const ff_planar_plan *plan, ff_error *err)
{
    ff_status status = ff_planar_plan_check(plan, err);
    if (status == FF_OK) status = check_pace(w, plan, err);
    return status == FF_OK ? check_reach(w, plan, err) : status;
}

// ------------------------------------------------------------------------------------------ making

static ff_status make_filters(ff_planar_walk *w, ff_error *err)
{
    const ff_planar_walk_options *o = &w->options;
    const double rate = o->sample_factor ? o->rate : 0.0;
    ff_status status = FF_OK;
    for (int j = 0; j < 2 && status == FF_OK; j++)
        status = o->order > 0 ? ff_fractional_pade(&w->derivative[j], o->alpha[j], o->order, rate, err)
                              : ff_fractional_series(&w->derivative[j], o->alpha[j], o->terms, rate, err);
    return status;
}

static ff_status name_signals(ff_planar_walk *w, ff_error *err)
{
    static const char *const places[3][2] = {{"support", "1"}, {"x", "m"}, {"y", "m"}};
    static const char *const words[FF_PLANAR_JOINT_SIGNALS][2] = {
        {"reference", "rad"}, {"rate", "rad/s"}, {"error", "rad"}, {"torque", "N m"}};
    ff_io_name *at = w->names;
    ff_status status = FF_OK;
    for (int i = 0; i < w->n; i++) {
        const ff_leg *leg = &w->model->legs[i];
        for (int k = 0; k < 3 && status == FF_OK; k++)
            status = ff_io_name_set(at++, places[k][1], err, "%s.%s", leg->name, places[k][0]);
        for (int k = 0; k < 2 * FF_PLANAR_JOINT_SIGNALS && status == FF_OK; k++) {
            const char *joint = w->model->joints[leg->joints[k / FF_PLANAR_JOINT_SIGNALS]].name;
            const char *const *word = words[k % FF_PLANAR_JOINT_SIGNALS];
            status = ff_io_name_set(at++, word[1], err, "%s.%s", joint, word[0]);
        }
    }
    return status;
}

static ff_status prepare(ff_planar_walk *w, ff_error *err)
{
    w->options.plan.legs = w->n;
    ff_status status = check_options(&w->options, err);
    if (status == FF_OK) status = make_filters(w, err);
    if (status == FF_OK) status = measure_legs(w, err);
    if (status == FF_OK) status = check_plan(w, &w->options.plan, err);
    if (status != FF_OK) return status;
    const size_t filters = (size_t)w->n * (size_t)(w->derivative[0].terms + w->derivative[1].terms);
    w->size = sizeof(walk_memory) + filters * sizeof(double);
    w->memory = calloc(1, w->size);
    if (!w->memory) return ff_error_set(err, FF_NO_MEMORY, "no memory for a planar walk");
    w->memory->plan = w->options.plan;
    for (int i = 0; i < w->n; i++) memcpy(w->memory->legs[i].measured, w->legs[i].q0, sizeof w->legs[i].q0);
    return name_signals(w, err);
}

ff_planar_walk *ff_planar_walk_create(const ff_model *model, const ff_planar_walk_options *options, ff_error *err)
{
    if (!model) return ff_error_missing(err, __func__, "model"), NULL;
    if (model->nleg < 2 || model->nleg > FF_PLANAR_LEGS || model->nleg % 2) {
        ff_error_set(err, FF_BAD_MODEL,
                     "the robot has %d legs: a planar walk needs pairs, 2 to %d legs; a robot file says under 'legs' "
                     "which joints are one",
                     model->nleg, FF_PLANAR_LEGS);
        return NULL;
    }
    ff_planar_walk *w = calloc(1, sizeof *w);
    if (!w) return ff_error_set(err, FF_NO_MEMORY, "no memory for a planar walk"), NULL;
    w->model = model;
    w->options = options ? *options : ff_planar_walk_options_default();
    w->n = model->nleg;
    if (prepare(w, err) == FF_OK) return w;
    ff_planar_walk_destroy(w);
    return NULL;
}

void ff_planar_walk_destroy(ff_planar_walk *walk)
{
    if (!walk) return;
    free(walk->memory);
    free(walk);
}

// ------------------------------------------------------------------------------------------ binding

static ff_status bind_leg(ff_planar_walk *w, int number, const ff_io_layout *sensors, const ff_io_layout *references,
                          ff_error *err)
{
    const ff_leg *leg = &w->model->legs[number];
    planar_leg *out = &w->legs[number];
    for (int j = 0; j < 2; j++) {
        const char *joint = w->model->joints[leg->joints[j]].name;
        out->position[j] = ff_gait_find_on_joint(w->model, sensors, leg->joints[j], "position");
        if (out->position[j] < 0)
            return ff_error_set(err, FF_NOT_FOUND,
                                "no sensor measures the position of joint '%.40s': give it a potentiometer", joint);
        const ff_status status = ff_gait_bind_joint(w->model, leg->joints[j], references, &out->drive[j], err);
        if (status != FF_OK) return status;
    }
    const bool fed_back = w->options.force_gain > 0.0;
    if (!ff_gait_find_forces(sensors, fed_back ? leg->force : NULL, out->force) && fed_back)
        return ff_error_set(err, FF_NOT_FOUND, "force feedback needs a force sensor in the foot of leg '%.40s'",
                            leg->name);
    return FF_OK;
}

ff_status ff_planar_walk_bind(ff_planar_walk *walk, const ff_io_layout *sensors, const ff_io_layout *references,
                              ff_error *err)
{
    ff_status status = FF_OK;
    for (int i = 0; i < walk->n && status == FF_OK; i++) status = bind_leg(walk, i, sensors, references, err);
    return status;
}

// ------------------------------------------------------------------------------------------ a cycle

/// The planned foot, with the fading difference to the plan before.
static ff_planar_foot wanted_foot(const walk_memory *memory, int leg)
{
    const leg_memory *l = &memory->legs[leg];
    ff_planar_foot foot = ff_planar_foot_at(&memory->plan, leg, memory->cycles);
    for (int k = 0; k < 2; k++) {
        foot.pos[k] += l->fade[k];
        foot.rate[k] += l->fade_rate[k];
    }
    return foot;
}

/// Fades the differences to the plan before, critically damped, by implicit steps, which are stable at any period.
static void fade(walk_memory *memory, int legs, double span)
{
    const double w = 16.0 * memory->plan.speed / memory->plan.step; // 16 / T: 9 % are left after a quarter of a cycle
    for (int i = 0; i < legs; i++)
        for (int k = 0; k < 2; k++) {
            leg_memory *l = &memory->legs[i];
            l->fade_rate[k] = (l->fade_rate[k] - span * w * w * l->fade[k]) / ((1.0 + span * w) * (1.0 + span * w));
            l->fade[k] += span * l->fade_rate[k];
        }
}

/// Reads a sample. One that is not finite would stay in the derivative of its joint: the last valid one is used
/// instead, and the first such sample is stored for a report.
static void take_sample(walk_memory *memory, int leg, int joint, const ff_io_item *item, double *value)
{
    if (ff_io_known(item)) *value = item->value;
    if (!item->valid || isfinite(item->value) || memory->refused++ > 0) return;
    memory->refused_leg = leg;
    memory->refused_joint = joint;
    memory->refused_at = memory->time;
}

static void read_leg(const planar_leg *leg, int number, walk_memory *memory, const ff_io_item *items)
{
    leg_memory *l = &memory->legs[number];
    for (int j = 0; j < 2; j++) take_sample(memory, number, j, &items[leg->position[j]], &l->measured[j]);
    for (int k = 0; k < 3; k++)
        if (leg->force[k] >= 0) take_sample(memory, number, -1, &items[leg->force[k]], &l->force[k]);
}

/// J' F of the measured force, from the axes of the foot to those of the plane.
static void load_of(const planar_leg *leg, const leg_memory *memory, const double angle[2], double load[2])
{
    const double absolute = angle[0] + angle[1] - leg->zero[0] - leg->zero[1];
    double world[3], J[4], s, c;
    ff_mat3_mulv(world, leg->foot, memory->force);
    ff_sincos(&absolute, &s, &c, 1);
    const double F[2] = {c * world[0] - s * world[2], s * world[0] + c * world[2]};
    ff_planar_leg_jacobian(&leg->links, angle, J);
    load[0] = J[0] * F[0] + J[2] * F[1];
    load[1] = J[1] * F[0] + J[3] * F[1];
}

static double clamp_torque(double value, double bound)
{
    return bound > 0.0 ? ff_min(ff_max(value, -bound), bound) : value;
}

static void steer_leg(ff_planar_walk *w, int number, double *filters, double *values, ff_io_item *items)
{
    const planar_leg *leg = &w->legs[number];
    const ff_planar_walk_options *o = &w->options;
    const leg_memory *memory = &w->memory->legs[number];
    const ff_planar_foot foot = wanted_foot(w->memory, number);
    double wanted[2], rate[2], unused[2], angle[2], load[2] = {0.0, 0.0};
    ff_ik_planar(leg->links.length, -1, foot.pos, wanted);
    ff_planar_leg_rates(&leg->links, wanted, foot.rate, foot.acceleration, rate, unused);
    for (int j = 0; j < 2; j++) angle[j] = leg->zero[j] + leg->sign[j] * (memory->measured[j] - leg->q0[j]);
    if (o->force_gain > 0.0) load_of(leg, memory, angle, load);
    values[0] = foot.support;
    values[1] = foot.pos[0];
    values[2] = foot.pos[1];
    values += FF_PLANAR_LEG_SIGNALS;
    for (int j = 0; j < 2; j++, values += FF_PLANAR_JOINT_SIGNALS) {
        const double e = wanted[j] - angle[j];
        double torque = o->kp[j] * e + o->kalpha[j] * ff_fractional_step(&w->derivative[j], filters, e);
        if (o->force_gain > 0.0) torque = o->force_gain * (torque - load[j]);
        torque = leg->sign[j] * clamp_torque(torque, o->torque);
        values[0] = leg->q0[j] + leg->sign[j] * (wanted[j] - leg->zero[j]);
        values[1] = leg->sign[j] * rate[j];
        values[2] = leg->sign[j] * e;
        values[3] = torque;
        // a drive without a loop follows the force alone; position and speed say where the joint should be
        ff_gait_put_drive(items, &leg->drive[j], values[0], values[1], torque, 0);
        filters += w->derivative[j].terms;
    }
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_planar_walk *w = context;
    walk_memory *memory = w->memory;
    const double span = memory->begun ? ff_max(t - memory->time, 0.0) : 0.0;
    const size_t terms = (size_t)(w->derivative[0].terms + w->derivative[1].terms);
    memory->cycles += span * memory->plan.speed / memory->plan.step;
    memory->time = t;
    memory->begun = 1;
    fade(memory, w->n, span);
    for (int i = 0; i < w->n; i++) {
        read_leg(&w->legs[i], i, memory, ff_io_items_of(sensors));
        steer_leg(w, i, memory->filters + (size_t)i * terms, memory->values + i * FF_PLANAR_SIGNALS,
                  ff_io_items(references));
    }
}

ff_controller ff_planar_walk_controller(ff_planar_walk *walk)
{
    return (ff_controller){.context = walk,
                           .cycle = cycle,
                           .memory = walk->memory,
                           .memory_size = walk->size,
                           .signals = walk->names,
                           .values = walk->memory->values,
                           .nsignal = walk->n * FF_PLANAR_SIGNALS};
}

// ------------------------------------------------------------------------------------------ commands and readings

ff_status ff_planar_walk_command(ff_planar_walk *walk, const ff_planar_plan *plan, ff_error *err)
{
    ff_planar_plan next = *plan;
    next.legs = walk->n;
    const ff_status status = check_plan(walk, &next, err);
    if (status != FF_OK) return status;
    walk_memory *memory = walk->memory;
    for (int i = 0; i < walk->n; i++) {
        const ff_planar_foot before = wanted_foot(memory, i), after = ff_planar_foot_at(&next, i, memory->cycles);
        for (int k = 0; k < 2; k++) {
            memory->legs[i].fade[k] = before.pos[k] - after.pos[k];
            memory->legs[i].fade_rate[k] = before.rate[k] - after.rate[k];
        }
    }
    memory->plan = next;
    return FF_OK;
}

const ff_planar_plan *ff_planar_walk_plan(const ff_planar_walk *walk)
{
    return &walk->memory->plan;
}

void ff_planar_walk_start(const ff_planar_walk *walk, double *q, double *v)
{
    if (walk->options.start == FF_PLANAR_START_POSE) return;
    for (int i = 0; i < walk->n; i++) {
        const planar_leg *leg = &walk->legs[i];
        const ff_planar_foot foot = ff_planar_foot_at(&walk->options.plan, i, 0.0);
        double angle[2], rate[2], unused[2];
        ff_ik_planar(leg->links.length, -1, foot.pos, angle);
        ff_planar_leg_rates(&leg->links, angle, foot.rate, foot.acceleration, rate, unused);
        for (int j = 0; j < 2; j++) {
            const ff_joint *joint = &walk->model->joints[walk->model->legs[i].joints[j]];
            q[joint->qadr] = leg->q0[j] + leg->sign[j] * (angle[j] - leg->zero[j]);
            v[joint->vadr] = leg->sign[j] * rate[j];
        }
    }
}

int64_t ff_planar_walk_refused(const ff_planar_walk *walk, double *time, const char **name)
{
    const walk_memory *memory = walk->memory;
    const ff_leg *leg = &walk->model->legs[memory->refused_leg];
    if (memory->refused == 0) return 0;
    *time = memory->refused_at;
    *name = memory->refused_joint >= 0 ? walk->model->joints[leg->joints[memory->refused_joint]].name : leg->name;
    return memory->refused;
}
