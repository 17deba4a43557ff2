// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Perfect readings of sensors on joints and bodies, type by type (kinds.c lists all types). Force sensors are in
// cut.c, rays in ray.c, tactile arrays in tactile.c, cameras in camera.c, frames and subtrees in places.c,
// tendons, actuators and limits in coordinates.c.
#include "dyn/packed.h"
#include "sense/kinds.h"
#include "sense/private.h"

#include <footfall/fusion.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ places

void ff_sensor_pose(const ff_sensor *s, const ff_sense_view *view, double pos[3], double R[9])
{
    double p[3], body[9], arm[3];
    ff_dyn_body_axes(view->model, view->data, s->body, p, body);
    ff_mat3_mulv(arm, body, s->pos);
    ff_vec3_add(pos, p, arm);
    ff_mat3_mul(R, body, s->R);
}

void ff_sensor_axes(const ff_sensor *s, const ff_sense_view *view, double R[9])
{
    double body[9];
    ff_dyn_body_rotation(view->model, view->data, s->body, body);
    ff_mat3_mul(R, body, s->R);
}

bool ff_sensor_is_touched(const ff_sensor *s, const ff_sense_view *view, const ff_sense_contact *c, double *sign)
{
    const bool *named = s->named >= 0 ? view->named + (size_t)s->named * (size_t)view->nshape : NULL;
    const bool one = named ? named[c->shape1] : c->body1 == s->body;
    const bool two = named ? named[c->shape2] : c->body2 == s->body;
    if (one == two) return false; // neither, or a contact within the body
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

void ff_truth_position(const ff_sensed *at, double *out)
{
    out[0] = joint_position(at->sensor, at->view);
}

void ff_truth_speed(const ff_sensed *at, double *out)
{
    out[0] = at->view->data->v[at->view->model->joints[at->sensor->joint].vadr];
}

void ff_truth_current(const ff_sensed *at, double *out)
{
    out[0] = at->view->current ? at->view->current[at->sensor->joint] : 0.0;
}

void ff_truth_deflection(const ff_sensed *at, double *out)
{
    out[0] = at->view->deflection ? at->view->deflection[at->sensor->joint] : 0.0;
}

/// memory: angle at the start, number of the last turn, angle of the last index mark, mark seen. The counter starts at
/// zero in any position of the motor, which the index mark, once a turn of the motor, then shows.
void ff_truth_encoder(const ff_sensed *at, double *out)
{
    const ff_sensor *s = at->sensor;
    const ff_sense_view *view = at->view;
    double *memory = at->memory;
    const double turn = 2.0 * FF_PI, angle = ff_sensor_motor_angle(s, view);
    const double before = memory[1], now = floor(angle / turn);
    if (now != before) {
        memory[2] = turn * (now > before ? now : now + 1.0);
        memory[3] = 1.0;
    }
    memory[1] = now;
    out[0] = angle - memory[0];
    // half a count more, so that rounding gives the count of the mark from both sides
    out[1] = memory[3] > 0.0 ? memory[2] - memory[0] + 0.5 * s->signals[1].step : 0.0;
    out[2] = memory[3];
}

// ------------------------------------------------------------------------------------------ inertia

void ff_inertial_truth(const ff_sensor *s, const ff_sense_view *view, double out[8])
{
    double R[9], v[6], a[6];
    ff_sensor_axes(s, view, R);
    ff_dyn_point_velocity(view->model, view->data, s->body, s->pos, v);
    ff_mat3_tmulv(out, R, v);
    ff_dyn_point_acceleration(view->model, view->data, s->body, s->pos, view->data->qacc, a);
    ff_vec3_sub(a + 3, a + 3, view->model->gravity);
    ff_mat3_tmulv(out + 3, R, a + 3);
    ff_fusion_angles(R + 6, out + 6);
}

/// Kinds that do not need the acceleration ignore it: without forces it is not current.
void ff_truth_inertial(const ff_sensed *at, double *out)
{
    ff_inertial_truth(at->sensor, at->view, out);
}

// ------------------------------------------------------------------------------------------ contact

static double touch_force(const ff_sensor *s, const ff_sense_view *view)
{
    double sign, force[3] = {0};
    for (int i = 0; i < view->ncontact; i++)
        if (ff_sensor_is_touched(s, view, &view->contacts[i], &sign))
            ff_vec3_axpy(force, sign, view->contacts[i].force);
    return ff_vec3_norm(force);
}

/// Normal forces of the contacts that lie in the zone, or whose normal out of the body meets it, as MuJoCo counts them:
/// a zone may stand off the surface.
static double zone_force(const ff_sensor *s, const ff_sense_view *view)
{
    ff_pose pose;
    double sum = 0.0, sign, outward[3];
    ff_ray_hit hit;
    ff_sensor_pose(s, view, pose.p, pose.R);
    for (int i = 0; i < view->ncontact; i++) {
        const ff_sense_contact *c = &view->contacts[i];
        if (!ff_sensor_is_touched(s, view, c, &sign)) continue;
        ff_vec3_scale(outward, c->normal, -sign); // the normal leads from 1 to 2
        if (ff_collide_ray(s->zone, &pose, c->place, outward, FF_SENSOR_FAR, &hit))
            sum += ff_vec3_dot(c->force, c->normal);
    }
    return sum;
}

void ff_truth_touch(const ff_sensed *at, double *out)
{
    out[1] = at->sensor->zone ? zone_force(at->sensor, at->view) : touch_force(at->sensor, at->view);
    out[0] = out[1] > at->sensor->threshold;
}

/// Only contacts within the angle count: a pad that is inclined more does not close its switch.
void ff_truth_switch(const ff_sensed *at, double *out)
{
    const ff_sensor *s = at->sensor;
    const ff_sense_view *view = at->view;
    double pos[3], R[9], total = 0.0, sign;
    ff_sensor_pose(s, view, pos, R);
    const double axis[3] = {R[2], R[5], R[8]};
    double sine, cosine;
    ff_sincos(&s->inclination, &sine, &cosine, 1);
    for (int i = 0; i < view->ncontact; i++) {
        const ff_sense_contact *c = &view->contacts[i];
        if (ff_sensor_is_touched(s, view, c, &sign) && fabs(ff_vec3_dot(axis, c->normal)) >= cosine)
            total += sign * ff_vec3_dot(c->force, c->normal);
    }
    out[0] = fabs(total) > s->threshold;
}

void ff_truth_plate(const ff_sensed *at, double *out)
{
    const ff_sensor *s = at->sensor;
    const ff_sense_view *view = at->view;
    double pos[3], R[9], force[3] = {0}, moment[3] = {0}, arm[3], turning[3], sign;
    ff_sensor_pose(s, view, pos, R);
    for (int i = 0; i < view->ncontact; i++) {
        const ff_sense_contact *c = &view->contacts[i];
        if (!ff_sensor_is_touched(s, view, c, &sign)) continue;
        ff_vec3_sub(arm, c->place, pos);
        ff_vec3_cross(turning, arm, c->force);
        ff_vec3_axpy(force, sign, c->force);
        ff_vec3_axpy(moment, sign, turning);
        ff_vec3_axpy(moment, sign, c->moment);
    }
    ff_mat3_tmulv(out, R, force);
    ff_mat3_tmulv(out + 3, R, moment);
}
