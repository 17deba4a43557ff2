// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The wrench through a cut, as a force sensor built into a limb measures it. Everything below the cut exerts on its
// support
//     f = sum of external forces + m g - m a_c
//     n = sum of their moments + c x (m g - m a_c) - (I alpha + w x I w)            about the sensor's origin
// summed over the bodies below (Newton and Euler), so that weight and inertia of a swinging foot are measured, too.
// Forces of joints below the cut cancel. Loop closures across the cut are external forces.
#include "dyn/packed.h"
#include "sense/kinds.h"
#include "sense/private.h"

#include <string.h>

/// Adds sign * (force, moment) that acts at `place`. Where `origin` is NULL, here and below, only forces are computed.
static void add_wrench(double sum[6], const double *origin, const double place[3], double sign, const double force[3],
                       const double moment[3])
{
    double arm[3], turning[3];
    ff_vec3_axpy(sum, sign, force);
    if (!origin) return;
    ff_vec3_sub(arm, place, origin);
    ff_vec3_cross(turning, arm, force);
    ff_vec3_axpy(sum + 3, sign, turning);
    ff_vec3_axpy(sum + 3, sign, moment);
}

/// out = I a for I = (xx, yy, zz, xy, xz, yz).
static void multiply_inertia(double out[3], const double I[6], const double a[3])
{
    out[0] = I[0] * a[0] + I[3] * a[1] + I[4] * a[2];
    out[1] = I[3] * a[0] + I[1] * a[1] + I[5] * a[2];
    out[2] = I[4] * a[0] + I[5] * a[1] + I[2] * a[2];
}

/// Weight and inertia of a mass with centre `com` and inertia I (about it, axes of the body) on a body.
static void add_inertia(double sum[6], const double *origin, const ff_sense_view *view, int body, double mass,
                        const double com[3], const double I[6])
{
    double a[6], v[6], place[3], p[3], R[9], force[3], moment[3], w[3], alpha[3], L[3], change[3], gyroscopic[3];
    ff_dyn_point_acceleration(view->model, view->data, body, com, view->data->qacc, a);
    ff_vec3_sub(force, view->model->gravity, a + 3);
    ff_vec3_scale(force, force, mass);
    if (!origin) {
        ff_vec3_add(sum, sum, force);
        return;
    }
    ff_dyn_point(view->model, view->data, body, com, place);
    ff_vec3_set(moment, 0, 0, 0);
    if (I) {
        ff_dyn_point_velocity(view->model, view->data, body, com, v);
        ff_dyn_body_axes(view->model, view->data, body, p, R);
        ff_mat3_tmulv(w, R, v);
        ff_mat3_tmulv(alpha, R, a);
        multiply_inertia(L, I, w);
        multiply_inertia(change, I, alpha);
        ff_vec3_cross(gyroscopic, w, L);
        ff_vec3_add(change, change, gyroscopic);
        ff_mat3_mulv(moment, R, change);
        ff_vec3_scale(moment, moment, -1.0);
    }
    add_wrench(sum, origin, place, 1.0, force, moment);
}

static bool is_below(const ff_sensor *s, int body)
{
    for (int i = 0; i < s->nbelow; i++)
        if (s->below[i] == body) return true;
    return false;
}

static void add_contacts(double sum[6], const double *origin, const ff_sensor *s, const ff_sense_view *view)
{
    for (int i = 0; i < view->ncontact; i++) {
        const ff_sense_contact *c = &view->contacts[i];
        const bool one = is_below(s, c->body1), two = is_below(s, c->body2);
        if (one != two) add_wrench(sum, origin, c->place, two ? 1.0 : -1.0, c->force, c->moment);
    }
}

/// Is the body below the cut? A loop on the body of a cut inside a body counts as above it.
static bool loop_is_below(const ff_sensor *s, int body)
{
    return is_below(s, body) && !(s->part && body == s->body);
}

static void add_loops(double sum[6], const double *origin, const ff_sensor *s, const ff_sense_view *view)
{
    for (int i = 0; i < view->nloop_force; i++) {
        const ff_sense_loop_force *p = &view->loop_forces[i];
        if (loop_is_below(s, p->body1)) add_wrench(sum, origin, p->place1, -1.0, p->force, p->moment);
        if (loop_is_below(s, p->body2)) add_wrench(sum, origin, p->place2, 1.0, p->force, p->moment);
    }
}

/// Adds external wrenches other than contacts on nodes below the cut. Those on the node of a cut inside a body count as
/// above it.
static void add_others(double sum[6], const double *origin, const ff_sensor *s, const ff_sense_view *view)
{
    const ff_model *m = view->model;
    for (int i = 0; view->other && i < s->nbelow; i++) {
        const ff_body *body = &m->bodies[s->below[i]];
        const bool first_of_node = body->node >= 0 && (body->parent < 0 || m->bodies[body->parent].node != body->node);
        if (!first_of_node || (i == 0 && s->part)) continue;
        const double *wrench = view->other + 6 * body->node; // moment first, about the tree's origin
        add_wrench(sum, origin, view->data->tree_origin + 3 * m->nodes[body->node].tree, 1.0, wrench + 3, wrench);
    }
}

/// The wrench through the cut in world axes, about `origin`.
static void sum_wrench(const ff_sensor *s, const ff_sense_view *view, const double *origin, double sum[6])
{
    const ff_model *m = view->model;
    memset(sum, 0, 6 * sizeof *sum);
    for (int i = 0; i < s->nbelow; i++) {
        const ff_body *body = &m->bodies[s->below[i]];
        if (i > 0 || !s->part) add_inertia(sum, origin, view, s->below[i], body->mass, body->com, body->inertia);
    }
    if (s->part && s->mass > 0.0) {
        double com[3];
        ff_mat3_mulv(com, s->R, s->com);
        ff_vec3_add(com, com, s->pos);
        add_inertia(sum, origin, view, s->body, s->mass, com, NULL);
    }
    add_contacts(sum, origin, s, view);
    add_loops(sum, origin, s, view);
    add_others(sum, origin, s, view);
}

void ff_sensor_cut(const ff_sensor *s, const ff_sense_view *view, double out[6])
{
    double pos[3], R[9], sum[6];
    ff_sensor_pose(s, view, pos, R);
    sum_wrench(s, view, pos, sum);
    ff_mat3_tmulv(out, R, sum);
    ff_mat3_tmulv(out + 3, R, sum + 3);
}

void ff_truth_force(const ff_sensed *at, double *out)
{
    double R[9], sum[6];
    ff_sensor_axes(at->sensor, at->view, R);
    sum_wrench(at->sensor, at->view, NULL, sum);
    ff_mat3_tmulv(out, R, sum);
}

void ff_truth_force6(const ff_sensed *at, double *out)
{
    ff_sensor_cut(at->sensor, at->view, out);
}

/// Reaction of the support: opposite to the wrench that the body exerts.
void ff_truth_reaction(const ff_sensed *at, double *out)
{
    ff_sensor_cut(at->sensor, at->view, out);
    for (int i = 0; i < 6; i++) out[i] *= -1.0;
}

/// The part of the wrench along the joint's motion axis S, opposite in sign: torque of drives, springs, dampers and
/// friction of the joint, less that which accelerates its rotor (armature).
void ff_truth_torque(const ff_sensed *at, double *out)
{
    const ff_model *m = at->view->model;
    const int dof = m->joints[at->sensor->joint].vadr;
    const double *S = at->view->data->S + 6 * dof;
    double sum[6];
    sum_wrench(at->sensor, at->view, at->view->data->tree_origin + 3 * m->nodes[m->dof_node[dof]].tree, sum);
    out[0] = -(ff_vec3_dot(S, sum + 3) + ff_vec3_dot(S + 3, sum));
}
