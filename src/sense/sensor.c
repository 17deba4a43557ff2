// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What perfect sensors give, type by type. Force sensors are in cut.c, rays in ray.c, tactile arrays in tactile.c,
// cameras in camera.c.
#include "dyn/packed.h"
#include "sense/at_work.h"
#include "sense/private.h"

#include "model/keys.h"

#include <footfall/fusion.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ names

_Static_assert(sizeof ff_sensor_type_names / sizeof *ff_sensor_type_names == FF_SENSOR_COUNT + 1, "a name a type");

const char *ff_sensor_type_name(ff_sensor_type type)
{
    return type < FF_SENSOR_COUNT ? ff_sensor_type_names[type] : "";
}

/// Names and units of the channels of a type; tactile arrays count theirs.
static const char *const *words(ff_sensor_type type, bool units)
{
    static const char *const names[FF_SENSOR_COUNT][8] = {
        {"position"},
        {"speed"},
        {"count", "index", "index_seen"},
        {"position"},
        {"current"},
        {"deflection"},
        {"torque"},
        {"x", "y", "z"},
        {"x", "y", "z"},
        {"roll", "pitch"},
        {"spin.x", "spin.y", "spin.z", "acceleration.x", "acceleration.y", "acceleration.z", "roll", "pitch"},
        {"fx", "fy", "fz"},
        {"fx", "fy", "fz", "mx", "my", "mz"},
        {"closed"},
        {"touched", "force"},
        {"distance", "hit"},
        {"fx", "fy", "fz", "mx", "my", "mz"},
        {"pressure", "touched"},
        {NULL},
        {"fx", "fy", "fz"},
        {"mx", "my", "mz"}};
    static const char *const unit[FF_SENSOR_COUNT][8] = {
        {"rad"},
        {"rad/s"},
        {"count", "count", "1"},
        {"rad"},
        {"A"},
        {"rad, m"},
        {"N m"},
        {"rad/s", "rad/s", "rad/s"},
        {"m/s^2", "m/s^2", "m/s^2"},
        {"rad", "rad"},
        {"rad/s", "rad/s", "rad/s", "m/s^2", "m/s^2", "m/s^2", "rad", "rad"},
        {"N", "N", "N"},
        {"N", "N", "N", "N m", "N m", "N m"},
        {"1"},
        {"1", "N"},
        {"m", "1"},
        {"N", "N", "N", "N m", "N m", "N m"},
        {"kPa", "1"},
        {NULL},
        {"N", "N", "N"},
        {"N m", "N m", "N m"}};
    return units ? unit[type] : names[type];
}

static int word_number(const ff_sensor *s, int i)
{
    return s->type == FF_SENSOR_TACTILE ? i >= s->chain.n / 2 : i;
}

const char *ff_sensor_channel(const ff_sensor *s, int i)
{
    return i >= 0 && i < s->chain.n ? words(s->type, false)[word_number(s, i)] : "";
}

const char *ff_sensor_unit(const ff_sensor *s, int i)
{
    return i >= 0 && i < s->chain.n ? words(s->type, true)[word_number(s, i)] : "";
}

int ff_sensor_width(ff_sensor_type type)
{
    int n = 0;
    while (n < 8 && words(type, false)[n]) n++;
    return n;
}

/// Does it measure through a cut?
static bool cuts(ff_sensor_type type)
{
    return type == FF_SENSOR_FORCE || type == FF_SENSOR_FORCE6 || type == FF_SENSOR_REACTION ||
           type == FF_SENSOR_REACTION_MOMENT;
}

bool ff_sensor_needs_forces(ff_sensor_type type)
{
    return type == FF_SENSOR_TORQUE || type == FF_SENSOR_ACCELEROMETER || type == FF_SENSOR_IMU || cuts(type);
}

bool ff_sensor_needs_contacts(ff_sensor_type type)
{
    return cuts(type) || type == FF_SENSOR_SWITCH || type == FF_SENSOR_TOUCH || type == FF_SENSOR_PLATE ||
           type == FF_SENSOR_TACTILE || type == FF_SENSOR_TORQUE;
}

bool ff_sensor_needs_shapes(ff_sensor_type type)
{
    return type == FF_SENSOR_DISTANCE || type == FF_SENSOR_CAMERA;
}

// ------------------------------------------------------------------------------------------ places

void ff_sensor_pose(const ff_sensor *s, const ff_sense_view *view, double pos[3], double R[9])
{
    double p[3], body[9], arm[3];
    ff_dyn_body_axes(view->model, view->data, s->body, p, body);
    ff_mat3_mulv(arm, body, s->pos);
    ff_vec3_add(pos, p, arm);
    ff_mat3_mul(R, body, s->R);
}

bool ff_sensor_meets(const ff_sensor *s, const ff_sense_view *view, const ff_sense_contact *c, double *sign)
{
    const bool *named = s->named >= 0 ? view->named + (size_t)s->named * (size_t)view->nshape : NULL;
    const bool one = named ? named[c->shape1] : c->body1 == s->body;
    const bool two = named ? named[c->shape2] : c->body2 == s->body;
    if (one == two) return false; // neither, or a touch within the body
    *sign = two ? 1.0 : -1.0;
    return true;
}

// ------------------------------------------------------------------------------------------ joints

static double joint_position(const ff_sensor *s, const ff_sense_view *view)
{
    return view->data->q[view->model->joints[s->joint].qadr];
}

double ff_sensor_motor_angle(const ff_sensor *s, const ff_sense_view *view)
{
    return view->motor && !isnan(view->motor[s->joint]) ? view->motor[s->joint] : s->gear * joint_position(s, view);
}

/// memory: angle at the start, last angle, angle of the last index mark, mark seen. The counter starts at zero wherever
/// the motor stands; the index mark, once a turn of the motor, marks where that was.
static void encoder_truth(const ff_sensor *s, const ff_sense_view *view, double *memory, double *out)
{
    const double turn = 2.0 * FF_PI, angle = ff_sensor_motor_angle(s, view);
    const double before = floor(memory[1] / turn), now = floor(angle / turn);
    if (now != before) {
        memory[2] = turn * (now > before ? now : now + 1.0);
        memory[3] = 1.0;
    }
    memory[1] = angle;
    out[0] = angle - memory[0];
    // half a count in, so that the count at the mark itself is meant on both sides of it
    out[1] = memory[3] > 0.0 ? memory[2] - memory[0] + 0.5 * s->signals[1].step : 0.0;
    out[2] = memory[3];
}

// ------------------------------------------------------------------------------------------ inertia

static void gyro_truth(const ff_sensor *s, const ff_sense_view *view, const double R[9], double out[3])
{
    double motion[6];
    ff_dyn_point_velocity(view->model, view->data, s->body, s->pos, motion);
    ff_mat3_tmulv(out, R, motion);
}

static void accelerometer_truth(const ff_sensor *s, const ff_sense_view *view, const double R[9], double out[3])
{
    double a[6];
    ff_dyn_point_acceleration(view->model, view->data, s->body, s->pos, view->data->qacc, a);
    ff_vec3_sub(a + 3, a + 3, view->model->gravity);
    ff_mat3_tmulv(out, R, a + 3);
}

void ff_inertial_truth(const ff_sensor *s, const ff_sense_view *view, double out[8])
{
    double pos[3], R[9];
    ff_sensor_pose(s, view, pos, R);
    gyro_truth(s, view, R, out);
    accelerometer_truth(s, view, R, out + 3);
    ff_fusion_angles(R + 6, out + 6);
}

static void inertial_truth(const ff_sensor *s, const ff_sense_view *view, double *out)
{
    double pos[3], R[9], three[3];
    ff_sensor_pose(s, view, pos, R);
    switch (s->type) {
    case FF_SENSOR_GYRO:
        gyro_truth(s, view, R, three);
        memcpy(out, three, (size_t)s->axes * sizeof *out);
        break;
    case FF_SENSOR_ACCELEROMETER:
        accelerometer_truth(s, view, R, three);
        memcpy(out, three, (size_t)s->axes * sizeof *out);
        break;
    case FF_SENSOR_ATTITUDE:
        ff_fusion_angles(R + 6, out);
        break;
    default:
        ff_inertial_truth(s, view, out);
    }
}

// ------------------------------------------------------------------------------------------ contact

static void touch_force(const ff_sensor *s, const ff_sense_view *view, double force[3])
{
    double sign;
    ff_vec3_set(force, 0, 0, 0);
    for (int i = 0; i < view->ncontact; i++)
        if (ff_sensor_meets(s, view, &view->contacts[i], &sign)) ff_vec3_axpy(force, sign, view->contacts[i].force);
}

/// A pad that is inclined to the surface does not close its switch: only contacts within the angle count.
static void switch_truth(const ff_sensor *s, const ff_sense_view *view, double *out)
{
    double pos[3], R[9], total = 0.0, sign;
    ff_sensor_pose(s, view, pos, R);
    const double axis[3] = {R[2], R[5], R[8]};
    const double angle[1] = {s->inclination};
    double sine[1], cosine[1];
    ff_sincos(angle, sine, cosine, 1);
    for (int i = 0; i < view->ncontact; i++) {
        const ff_sense_contact *c = &view->contacts[i];
        if (ff_sensor_meets(s, view, c, &sign) && fabs(ff_vec3_dot(axis, c->normal)) >= cosine[0])
            total += sign * ff_vec3_dot(c->force, c->normal);
    }
    out[0] = fabs(total) > s->threshold;
}

static void plate_truth(const ff_sensor *s, const ff_sense_view *view, double *out)
{
    double pos[3], R[9], force[3] = {0}, moment[3] = {0}, arm[3], turning[3], sign;
    ff_sensor_pose(s, view, pos, R);
    for (int i = 0; i < view->ncontact; i++) {
        const ff_sense_contact *c = &view->contacts[i];
        if (!ff_sensor_meets(s, view, c, &sign)) continue;
        ff_vec3_sub(arm, c->place, pos);
        ff_vec3_cross(turning, arm, c->force);
        ff_vec3_axpy(force, sign, c->force);
        ff_vec3_axpy(moment, sign, turning);
        ff_vec3_axpy(moment, sign, c->moment);
    }
    ff_mat3_tmulv(out, R, force);
    ff_mat3_tmulv(out + 3, R, moment);
}

/// What carries a body acts on it against what it exerts.
static void reaction_truth(const ff_sensor *s, const ff_sense_view *view, double out[3])
{
    double wrench[6];
    ff_sensor_cut(s, view, wrench);
    ff_vec3_scale(out, wrench + (s->type == FF_SENSOR_REACTION ? 0 : 3), -1.0);
}

// ------------------------------------------------------------------------------------------ all types

void ff_sensor_truth(const ff_sensor *s, const ff_sense_view *view, double *memory, double t, double *out)
{
    double force[3];
    switch (s->type) {
    case FF_SENSOR_POTENTIOMETER:
    case FF_SENSOR_ABSOLUTE:
        out[0] = joint_position(s, view);
        break;
    case FF_SENSOR_TACHOMETER:
        out[0] = view->data->v[view->model->joints[s->joint].vadr];
        break;
    case FF_SENSOR_ENCODER:
        encoder_truth(s, view, memory, out);
        break;
    case FF_SENSOR_CURRENT:
        out[0] = view->current ? view->current[s->joint] : 0.0;
        break;
    case FF_SENSOR_DEFLECTION:
        out[0] = view->deflection ? view->deflection[s->joint] : 0.0;
        break;
    case FF_SENSOR_TORQUE:
        out[0] = ff_sensor_joint_torque(s, view);
        break;
    case FF_SENSOR_GYRO:
    case FF_SENSOR_ACCELEROMETER:
    case FF_SENSOR_ATTITUDE:
    case FF_SENSOR_IMU:
        inertial_truth(s, view, out);
        break;
    case FF_SENSOR_FORCE:
        ff_sensor_cut_force(s, view, out);
        break;
    case FF_SENSOR_FORCE6:
        ff_sensor_cut(s, view, out);
        break;
    case FF_SENSOR_REACTION:
    case FF_SENSOR_REACTION_MOMENT:
        reaction_truth(s, view, out);
        break;
    case FF_SENSOR_SWITCH:
        switch_truth(s, view, out);
        break;
    case FF_SENSOR_TOUCH:
        touch_force(s, view, force);
        out[1] = ff_vec3_norm(force);
        out[0] = out[1] > s->threshold;
        break;
    case FF_SENSOR_DISTANCE:
        ff_distance_truth(s, view, out);
        break;
    case FF_SENSOR_PLATE:
        plate_truth(s, view, out);
        break;
    case FF_SENSOR_TACTILE:
        ff_tactile_truth(s, view, memory, t, out);
        break;
    case FF_SENSOR_CAMERA:
    case FF_SENSOR_COUNT:
        break;
    }
}
