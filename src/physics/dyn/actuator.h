// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws of the model's own actuators, pure functions.
#ifndef FOOTFALL_DYN_ACTUATOR_H
#define FOOTFALL_DYN_ACTUATOR_H

#include <footfall/dyn.h>

/// Length l = gear q of the hinge, slide or tendon of an actuator, and its rate. Zero for other actuators.
void ff_actuator_travel(const ff_model *m, const ff_data *d, const ff_actuator *actuator, double *length,
                        double *speed);
/// Force before the gear and within the actuator's bounds, at the length l = gear q and its rate. @param a  command or
/// activation
double ff_actuator_force(const ff_actuator *actuator, double length, double speed, double a);
/// -dF/dl and -dF/dl', zero where the force is at a bound.
void ff_actuator_slope(const ff_actuator *actuator, double length, double speed, double a, double *stiffness,
                       double *damping);
/// The command within its bounds.
double ff_actuator_command(const ff_actuator *actuator, double command);
/// Rate of the activation `a` for a command, which is clamped; zero where it would lead out of the range.
double ff_actuator_rate(const ff_actuator *actuator, double command, double a);
/// The activation after an implicit step of length h from a0, within its range: a = a0 + h rate(a).
/// @param slope  d rate / d a there  [1/s]
double ff_actuator_settle(const ff_actuator *actuator, double command, double a0, double h, double *slope);

#endif
