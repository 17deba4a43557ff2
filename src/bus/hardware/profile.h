// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Motion profiles of a drive: from any position and velocity to rest at a target with bounded velocity, acceleration
// and deceleration (a trapezoid of velocity), and to rest as soon as possible. Each step plans the whole rest of the
// motion in closed form and goes along it for the length of the step, so that targets and bounds may change at any step
// and nothing but position and velocity has to be remembered.
#ifndef FOOTFALL_HARDWARE_PROFILE_H
#define FOOTFALL_HARDWARE_PROFILE_H

#include <stdbool.h>

/// A motion. Any unit of length, such as counts.
typedef struct ff_motion {
    double position, velocity; // [1, 1/s]
} ff_motion;

/// Bounds; 0: none.
typedef struct ff_motion_bounds {
    double velocity;                   // [1/s]
    double acceleration, deceleration; // [1/s^2]
} ff_motion_bounds;

/// Towards rest at the target. @return whether it is there
bool ff_motion_approach(ff_motion *motion, double target, const ff_motion_bounds *bounds, double dt);
/// Towards a velocity.
void ff_motion_accelerate(ff_motion *motion, double velocity, const ff_motion_bounds *bounds, double dt);
/// Towards rest. @param deceleration  0: at once  [1/s^2]
void ff_motion_brake(ff_motion *motion, double deceleration, double dt);

#endif
