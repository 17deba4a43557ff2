// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors of coordinates and of forces along them: ball joints, tendons, actuators, limits, time. An actuator has the
// length l = gear x, x the position of its joint or the length of its tendon, and exerts gear times its force. A limit
// is measured while its stop is penetrated (dyn/passive.c, dyn/tendon.c).
#include "dyn/actuator.h"
#include "sense/kinds.h"
#include "sense/private.h"

void ff_truth_ballquat(const ff_sensed *at, double *out)
{
    ff_quat_copy(out, at->view->data->q + at->view->model->joints[at->sensor->joint].qadr);
}

void ff_truth_ballangvel(const ff_sensed *at, double *out)
{
    ff_vec3_copy(out, at->view->data->v + at->view->model->joints[at->sensor->joint].vadr);
}

/// Length and its rate.
void ff_truth_tendon(const ff_sensed *at, double *out)
{
    out[0] = at->view->data->tendon_length[at->sensor->tendon];
    out[1] = at->view->data->tendon_speed[at->sensor->tendon];
}

void ff_truth_clock(const ff_sensed *at, double *out)
{
    out[0] = at->t;
}

// ------------------------------------------------------------------------------------------ actuators

/// Position or length times the gear, and its rate.
void ff_truth_actuator(const ff_sensed *at, double *out)
{
    ff_actuator_travel(at->view->model, at->view->data, &at->view->model->actuators[at->sensor->actuator], &out[0],
                       &out[1]);
}

void ff_truth_actuatorfrc(const ff_sensed *at, double *out)
{
    out[0] = at->view->actuator ? at->view->actuator[at->sensor->actuator] : 0.0;
}

/// Of all actuators of the joint or the tendon that the sensor sits on.
void ff_truth_actuatorsum(const ff_sensed *at, double *out)
{
    const ff_model *m = at->view->model;
    const int joint = at->sensor->joint, tendon = at->sensor->tendon;
    out[0] = 0.0;
    for (int i = 0; at->view->actuator && i < m->nactuator; i++)
        if ((joint >= 0 && m->actuators[i].joint == joint) || (tendon >= 0 && m->actuators[i].tendon == tendon))
            out[0] += m->actuators[i].gear * at->view->actuator[i];
}

// ------------------------------------------------------------------------------------------ limits

/// Distance to the stop, below zero inside it, its rate, and the force of the stop; all 0 while nothing presses.
static void press(double distance, double speed, double stiffness, double damping, double out[3])
{
    const bool pressed = distance < 0.0;
    out[0] = pressed ? distance : 0.0;
    out[1] = pressed ? speed : 0.0;
    out[2] = pressed ? ff_max(0.0, -stiffness * distance - damping * speed) : 0.0;
}

/// The stop that is pressed of the two ends of a range.
static void press_range(const double range[2], double x, double v, double stiffness, double damping, double out[3])
{
    if (x < range[0])
        press(x - range[0], v, stiffness, damping, out);
    else
        press(range[1] - x, -v, stiffness, damping, out);
}

void ff_truth_jointlimit(const ff_sensed *at, double *out)
{
    static const double straight[4] = {1, 0, 0, 0};
    const ff_joint *joint = &at->view->model->joints[at->sensor->joint];
    const double *q = at->view->data->q + joint->qadr, *v = at->view->data->v + joint->vadr;
    double turn[3];
    ff_vec3_set(out, 0, 0, 0);
    if (!joint->limited) return;
    if (joint->type != FF_JOINT_BALL) {
        press_range(joint->range, q[0], v[0], joint->stop_stiffness, joint->stop_damping, out);
        return;
    }
    ff_quat_difference(turn, straight, q);
    const double angle = ff_vec3_norm(turn), rate = angle > 0.0 ? ff_vec3_dot(turn, v) / angle : 0.0;
    press(joint->range[1] - angle, -rate, joint->stop_stiffness, joint->stop_damping, out);
}

void ff_truth_tendonlimit(const ff_sensed *at, double *out)
{
    const int i = at->sensor->tendon;
    const ff_tendon *t = &at->view->model->tendons[i];
    ff_vec3_set(out, 0, 0, 0);
    if (t->limited)
        press_range(t->range, at->view->data->tendon_length[i], at->view->data->tendon_speed[i], t->stop_stiffness,
                    t->stop_damping, out);
}
