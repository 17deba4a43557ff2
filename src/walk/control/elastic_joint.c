// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The twist of a spring with a damper, T e' + e = C tau, exact for a torque that goes straight from sample to sample.
#include "control/elastic_joint.h"

#include <footfall/math.h>

ff_motor_reference ff_elastic_gravity(const ff_elastic_joint *joint, const double q[2], double gravity)
{
    return (ff_motor_reference){q[0] + joint->compliance * gravity, q[1], gravity};
}

ff_elastic_state ff_elastic_rest(const ff_elastic_joint *joint, double torque)
{
    return (ff_elastic_state){.twist = joint->compliance * torque, .torque = torque};
}

/// e(t + dt): the particular solution C tau - C T tau', and the decayed difference from it.
static double move_twist(const ff_elastic_joint *joint, const ff_elastic_state *state, double torque, double dt)
{
    const double C = joint->compliance, T = joint->time;
    if (!(T > 0.0) || !(dt > 0.0)) return T > 0.0 ? state->twist : C * torque;
    const double lag = C * T * (torque - state->torque) / dt, left = state->twist - (C * state->torque - lag);
    return C * torque - lag + left * ff_exp(-dt / T);
}

ff_motor_reference ff_elastic_flatness(const ff_elastic_joint *joint, ff_elastic_state *state, const double q[3],
                                       const ff_path_torque *torque, double dt)
{
    const double C = joint->compliance, T = joint->time, h = torque->h;
    const double slope = (torque->after - torque->before) / (2.0 * h);
    const double bend = (torque->after - 2.0 * torque->now + torque->before) / (h * h);
    state->twist = move_twist(joint, state, torque->now, dt);
    state->torque = torque->now;
    const double rate = T > 0.0 ? (C * torque->now - state->twist) / T : C * slope;
    const double acceleration = T > 0.0 ? (C * slope - rate) / T : C * bend;
    return (ff_motor_reference){.position = q[0] + state->twist,
                                .speed = q[1] + rate,
                                .torque = joint->inertia * (q[2] + acceleration) + torque->now};
}
