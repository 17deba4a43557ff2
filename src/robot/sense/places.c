// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Pose and motion of a frame in the world, or relative to another frame r that moves itself, as frame sensors of MJCF
// measure them:
//     p = R_r' (x - x_r)        R = R_r' R_s
//     v = R_r' (x' - x_r' - w_r x (x - x_r))        w = R_r' (w_s - w_r)
// and in its own axes the velocity and the magnetic field. Accelerations are those in the world; as in MuJoCo, that of
// a point is less gravity.
#include "dyn/packed.h"
#include "sense/kinds.h"
#include "sense/private.h"

/// Pose and velocities of a frame.
typedef struct motion {
    double pos[3], R[9], spin[3], speed[3]; // world axes
} motion;

static motion motion_of(const ff_sense_view *view, int body, const double pos[3], const double R[9])
{
    motion m;
    double origin[3], axes[9], arm[3], rates[6];
    ff_dyn_body_axes(view->model, view->data, body, origin, axes);
    ff_mat3_mulv(arm, axes, pos);
    ff_vec3_add(m.pos, origin, arm);
    ff_mat3_mul(m.R, axes, R);
    ff_dyn_point_velocity(view->model, view->data, body, pos, rates);
    ff_vec3_copy(m.spin, rates);
    ff_vec3_copy(m.speed, rates + 3);
    return m;
}

static motion sensor_motion(const ff_sensed *at)
{
    return motion_of(at->view, at->sensor->body, at->sensor->pos, at->sensor->R);
}

/// Motion of the reference frame of a sensor, which is the world where it names none.
static motion reference_motion(const ff_sensed *at)
{
    const ff_sensor_reference *r = at->sensor->reference;
    if (r) return motion_of(at->view, r->body, r->pos, r->R);
    motion world = {0};
    ff_mat3_identity(world.R);
    return world;
}

void ff_truth_framepos(const ff_sensed *at, double *out)
{
    const motion own = sensor_motion(at), from = reference_motion(at);
    double relative[3];
    ff_vec3_sub(relative, own.pos, from.pos);
    ff_mat3_tmulv(out, from.R, relative);
}

void ff_truth_framequat(const ff_sensed *at, double *out)
{
    const motion own = sensor_motion(at), from = reference_motion(at);
    double R[9];
    ff_mat3_tmul(R, from.R, own.R);
    ff_quat_from_mat3(out, R);
}

/// The x, y and z axis, in this order.
void ff_truth_frameaxes(const ff_sensed *at, double *out)
{
    const motion own = sensor_motion(at), from = reference_motion(at);
    for (int k = 0; k < 3; k++) {
        const double column[3] = {own.R[k], own.R[3 + k], own.R[6 + k]};
        ff_mat3_tmulv(out + 3 * k, from.R, column);
    }
}

/// Angular velocity, then that of its origin.
void ff_truth_framevelocity(const ff_sensed *at, double *out)
{
    const motion own = sensor_motion(at), from = reference_motion(at);
    double relative[3], carried[3], spin[3], speed[3];
    ff_vec3_sub(spin, own.spin, from.spin);
    ff_mat3_tmulv(out, from.R, spin);
    ff_vec3_sub(relative, own.pos, from.pos);
    ff_vec3_cross(carried, from.spin, relative);
    ff_vec3_sub(speed, own.speed, from.speed);
    ff_vec3_sub(speed, speed, carried);
    ff_mat3_tmulv(out + 3, from.R, speed);
}

/// Angular acceleration, then that of its origin.
void ff_truth_frameacceleration(const ff_sensed *at, double *out)
{
    const ff_sense_view *view = at->view;
    ff_dyn_point_acceleration(view->model, view->data, at->sensor->body, at->sensor->pos, view->data->qacc, out);
    ff_vec3_sub(out + 3, out + 3, view->model->gravity);
}

void ff_truth_velocimeter(const ff_sensed *at, double *out)
{
    const motion own = sensor_motion(at);
    ff_mat3_tmulv(out, own.R, own.speed);
}

void ff_truth_magnetometer(const ff_sensed *at, double *out)
{
    const motion own = sensor_motion(at);
    ff_mat3_tmulv(out, own.R, at->sensor->flux);
}

// ------------------------------------------------------------------------------------------ subtrees
//
// A body with all its descendants: the centre of mass c, its velocity, and the angular momentum
//     L = sum over bodies of  R I R' w + m (x - c) x (v - v_c)
// about it, in world axes. Of the world: all bodies.

typedef struct subtree {
    double mass, com[3], speed[3];
} subtree;

static subtree sum_subtree(const ff_sensed *at)
{
    const ff_sense_view *view = at->view;
    const ff_sensor *s = at->sensor;
    subtree sum = {0};
    for (int i = 0; i < s->nbelow; i++) {
        const ff_body *body = &view->model->bodies[s->below[i]];
        double place[3], rates[6];
        ff_dyn_point(view->model, view->data, s->below[i], body->com, place);
        ff_dyn_point_velocity(view->model, view->data, s->below[i], body->com, rates);
        sum.mass += body->mass;
        ff_vec3_axpy(sum.com, body->mass, place);
        ff_vec3_axpy(sum.speed, body->mass, rates + 3);
    }
    if (!(sum.mass > 0.0)) return sum;
    ff_vec3_scale(sum.com, sum.com, 1.0 / sum.mass);
    ff_vec3_scale(sum.speed, sum.speed, 1.0 / sum.mass);
    return sum;
}

/// Centre of mass, and its velocity.
void ff_truth_subtreecentre(const ff_sensed *at, double *out)
{
    const subtree sum = sum_subtree(at);
    ff_vec3_copy(out, sum.com);
    ff_vec3_copy(out + 3, sum.speed);
}

/// R I R' w, with I = (xx, yy, zz, xy, xz, yz) in body axes.
static void spin_momentum(const double R[9], const double I[6], const double w[3], double out[3])
{
    const double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    double own[3], turned[3];
    ff_mat3_tmulv(own, R, w);
    ff_mat3_mulv(turned, full, own);
    ff_mat3_mulv(out, R, turned);
}

void ff_truth_subtreeangmom(const ff_sensed *at, double *out)
{
    const ff_sense_view *view = at->view;
    const ff_sensor *s = at->sensor;
    const subtree sum = sum_subtree(at);
    ff_vec3_set(out, 0, 0, 0);
    for (int i = 0; i < s->nbelow; i++) {
        const ff_body *body = &view->model->bodies[s->below[i]];
        double place[3], rates[6], origin[3], R[9], part[3];
        ff_dyn_body_axes(view->model, view->data, s->below[i], origin, R);
        ff_dyn_point(view->model, view->data, s->below[i], body->com, place);
        ff_dyn_point_velocity(view->model, view->data, s->below[i], body->com, rates);
        spin_momentum(R, body->inertia, rates, part);
        ff_vec3_add(out, out, part);
        ff_vec3_sub(place, place, sum.com);
        ff_vec3_sub(rates + 3, rates + 3, sum.speed);
        ff_vec3_cross(part, place, rates + 3);
        ff_vec3_axpy(out, body->mass, part);
    }
}
