// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Motion profiles of a drive: from any position and velocity to rest at a target with limited velocity, acceleration
// and deceleration (trapezoidal velocity), and to rest as soon as possible. Each step plans the remaining motion in
// closed form and follows it for the length of the step, so that targets and limits may change at any step, and the
// only state is position and velocity.
#ifndef FOOTFALL_HARDWARE_PROFILE_H
#define FOOTFALL_HARDWARE_PROFILE_H

#include <stdbool.h>

/// A motion. Any unit of length, such as counts.
typedef struct ff_motion {
    double position, velocity; // [1, 1/s]
} ff_motion;

/// Limits; 0: none.
typedef struct ff_motion_bounds {
    double velocity;                   // [1/s]
    double acceleration, deceleration; // [1/s^2]
} ff_motion_bounds;

/// Moves to rest at the target. @return whether the target is reached
bool ff_motion_approach(ff_motion *motion, double target, const ff_motion_bounds *bounds, double dt);
/// Accelerates to a velocity.
void ff_motion_accelerate(ff_motion *motion, double velocity, const ff_motion_bounds *bounds, double dt);
/// Decelerates to rest. @param deceleration  0: immediately  [1/s^2]
void ff_motion_brake(ff_motion *motion, double deceleration, double dt);

#endif
