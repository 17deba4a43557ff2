// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors of coordinates and of what acts along them: ball joints, tendons, actuators, limits, time. An actuator moves
// along l = gear x, x the position of its joint or the length of its tendon, and pushes with gear times its force. A
// limit is read while it is pressed: its distance is then below zero, its force the push of the stop (dyn/passive.c,
// dyn/tendon.c); otherwise all three are 0.
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

void ff_truth_tendonpos(const ff_sensed *at, double *out)
{
    out[0] = at->view->data->tendon_length[at->sensor->tendon];
}

void ff_truth_tendonvel(const ff_sensed *at, double *out)
{
    out[0] = at->view->data->tendon_speed[at->sensor->tendon];
}

void ff_truth_clock(const ff_sensed *at, double *out)
{
    out[0] = at->t;
}

// ------------------------------------------------------------------------------------------ actuators

void ff_truth_actuatorpos(const ff_sensed *at, double *out)
{
    double speed;
    ff_actuator_travel(at->view->model, at->view->data, &at->view->model->actuators[at->sensor->actuator], out, &speed);
}

void ff_truth_actuatorvel(const ff_sensed *at, double *out)
{
    double length;
    ff_actuator_travel(at->view->model, at->view->data, &at->view->model->actuators[at->sensor->actuator], &length,
                       out);
}

void ff_truth_actuatorfrc(const ff_sensed *at, double *out)
{
    out[0] = at->view->actuator ? at->view->actuator[at->sensor->actuator] : 0.0;
}

static double sum_of_actuators(const ff_sensed *at, int joint, int tendon)
{
    const ff_model *m = at->view->model;
    double sum = 0.0;
    for (int i = 0; at->view->actuator && i < m->nactuator; i++)
        if ((joint >= 0 && m->actuators[i].joint == joint) || (tendon >= 0 && m->actuators[i].tendon == tendon))
            sum += m->actuators[i].gear * at->view->actuator[i];
    return sum;
}

void ff_truth_jointactuatorfrc(const ff_sensed *at, double *out)
{
    out[0] = sum_of_actuators(at, at->sensor->joint, -1);
}

void ff_truth_tendonactuatorfrc(const ff_sensed *at, double *out)
{
    out[0] = sum_of_actuators(at, -1, at->sensor->tendon);
}

// ------------------------------------------------------------------------------------------ limits

typedef struct pressed {
    double distance, speed, force; // distance below 0, and its rate; all 0 while nothing presses
} pressed;

/// @param distance  to the stop, below 0 inside it  @param speed  of the distance
static pressed press(double distance, double speed, double stiffness, double damping)
{
    if (!(distance < 0.0)) return (pressed){0};
    return (pressed){distance, speed, ff_max(0.0, -stiffness * distance - damping * speed)};
}

/// The stop that is pressed of the two ends of a range.
static pressed at_range(const double range[2], double x, double v, double stiffness, double damping)
{
    return x < range[0] ? press(x - range[0], v, stiffness, damping) : press(range[1] - x, -v, stiffness, damping);
}

static pressed joint_limit(const ff_sensed *at)
{
    static const double straight[4] = {1, 0, 0, 0};
    const ff_joint *joint = &at->view->model->joints[at->sensor->joint];
    const double *q = at->view->data->q + joint->qadr, *v = at->view->data->v + joint->vadr;
    if (!joint->limited) return (pressed){0};
    if (joint->type != FF_JOINT_BALL)
        return at_range(joint->range, q[0], v[0], joint->stop_stiffness, joint->stop_damping);
    double turn[3];
    ff_quat_difference(turn, straight, q);
    const double angle = ff_vec3_norm(turn), rate = angle > 0.0 ? ff_vec3_dot(turn, v) / angle : 0.0;
    return press(joint->range[1] - angle, -rate, joint->stop_stiffness, joint->stop_damping);
}

static pressed tendon_limit(const ff_sensed *at)
{
    const int i = at->sensor->tendon;
    const ff_tendon *t = &at->view->model->tendons[i];
    if (!t->limited) return (pressed){0};
    return at_range(t->range, at->view->data->tendon_length[i], at->view->data->tendon_speed[i], t->stop_stiffness,
                    t->stop_damping);
}

void ff_truth_jointlimitpos(const ff_sensed *at, double *out)
{
    out[0] = joint_limit(at).distance;
}

void ff_truth_jointlimitvel(const ff_sensed *at, double *out)
{
    out[0] = joint_limit(at).speed;
}

void ff_truth_jointlimitfrc(const ff_sensed *at, double *out)
{
    out[0] = joint_limit(at).force;
}

void ff_truth_tendonlimitpos(const ff_sensed *at, double *out)
{
    out[0] = tendon_limit(at).distance;
}

void ff_truth_tendonlimitvel(const ff_sensed *at, double *out)
{
    out[0] = tendon_limit(at).speed;
}

void ff_truth_tendonlimitfrc(const ff_sensed *at, double *out)
{
    out[0] = tendon_limit(at).force;
}
