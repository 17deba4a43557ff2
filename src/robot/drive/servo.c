// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Hobby servo: a wanted angle as the length of a pulse, once a frame, and an analogue regulator that turns the horn.
// What walking robots feel of it are the frame (20 ms of delay), the steps of the command, and a torque that falls with
// speed: the body bobs.
#include "drive/private.h"

#include <footfall/drive_parts.h>

ff_servo ff_servo_default(void)
{
    return (ff_servo){
        .stiffness = 20.0, .damping = 0.25, .stall = 1.0, .no_load = 7.5, .frame = 0.02, .range = FF_PI, .bits = 10};
}

double ff_servo_quantise(const ff_servo *servo, double angle)
{
    const double reach = 0.5 * servo->range;
    angle = ff_drive_clamp(angle, reach);
    if (servo->bits <= 0 || !(servo->range > 0.0)) return angle;
    const double step = servo->range / (double)(1L << (servo->bits < 31 ? servo->bits : 31));
    return floor(angle / step + 0.5) * step;
}

double ff_servo_demand(const ff_servo *servo, double reference, double angle, double speed)
{
    return servo->stiffness * (reference - angle) - servo->damping * speed;
}

double ff_servo_torque(const ff_servo *servo, double reference, double angle, double speed)
{
    return ff_motor_line(servo->stall, servo->no_load, speed, ff_servo_demand(servo, reference, angle, speed));
}
