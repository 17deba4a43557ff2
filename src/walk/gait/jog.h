// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Running on two legs of hip, knee and ankle in a plane, by three nearly independent laws (M. H. Raibert, Legged Robots
// That Balance, 1986, chapters 2 and 4).
//     posture    hips turn the body towards its lean while a foot stands, and against the legs in flight
//     placement  the foot lands ahead of the centre of mass by v T / 2 + k (v - v_d), at the predicted time
//     energy     knee and ankle of the standing leg extend after the lowest point, more where the flight was too short
//                or the speed too low
// Knees and ankles get positions of their motors, behind which springs bounce. Hips get torques.
#ifndef FOOTFALL_GAIT_JOG_H
#define FOOTFALL_GAIT_JOG_H

#include "text/schema.h"

#include <footfall/base.h>

enum { FF_JOG_HIP, FF_JOG_KNEE, FF_JOG_ANKLE, FF_JOG_JOINTS, FF_JOG_LEGS = 2 };

/// Angles are positive ahead: thigh ahead of the vertical, knee straight, toe up. The commanded speed [m/s], and the
/// settings, which the rows of ff_jog_settings explain.
typedef struct ff_jog_options {
    double speed;
    double lean, posture_stiffness, posture_damping, flight_posture, flight_share, compensation;
    double swing_stiffness, swing_damping, swing_inertia, retraction, follow_through, flexed, flex_end, toe_up;
    double stance_time, speed_gain, offset, knee, ankle;
    double thrust_knee, thrust_ankle, thrust_time, flight, flight_gain, thrust_gain;
} ff_jog_options;

/// Measured values. Places and speeds are relative to the hips, in world axes x (ahead) and z (up).
typedef struct ff_jog_sight {
    double pitch, rate; // of the body, positive back  [rad, rad/s]
    double q[FF_JOG_LEGS][FF_JOG_JOINTS], v[FF_JOG_LEGS][FF_JOG_JOINTS];
    bool touch[FF_JOG_LEGS];
    double load[FF_JOG_LEGS]; // on the foot  [weights]
    double com[2], com_speed[2];
    double toe[FF_JOG_LEGS][2], toe_speed[FF_JOG_LEGS][2];
    double length, angle; // of the line from hip to toe of a leg that lands; its angle is ahead of the thigh  [m, rad]
} ff_jog_sight;

/// What changes from cycle to cycle.
typedef struct ff_jog_state {
    double speed;  // commanded  [m/s]
    int stance;    // leg that stands, -1: flight
    int next;      // leg that lands next
    double since;  // time of the last touch-down or lift-off  [s]
    double thrust; // time of its begin, negative: not yet  [s]
    double lift[FF_JOG_LEGS], from[FF_JOG_LEGS], from_speed[FF_JOG_LEGS]; // of the swing: time, thigh
    double v[2];                                                          // speed of the centre of mass  [m/s]
    double stance_time;                                                   // mean of the last ones  [s]
    double land;                                                          // predicted time of the next touch-down  [s]
    double flight_time;                                                   // of the last flight  [s]
    double more;                                                          // additional extension of the ankle  [rad]
    double aim; // wanted angle of the thigh at touch-down  [rad]
    int steps;
} ff_jog_state;

/// References: torques of hips, positions of knees and ankles.
typedef struct ff_jog_reference {
    double torque, knee, ankle;
} ff_jog_reference;

/// Settings, about ff_jog_options; the speed is a command.
extern const ff_row ff_jog_settings[];
ff_jog_state ff_jog_begin(const ff_jog_options *o);
/// One cycle.
void ff_jog_cycle(const ff_jog_options *o, ff_jog_state *s, double t, const ff_jog_sight *sight,
                  ff_jog_reference out[FF_JOG_LEGS]);

#endif
