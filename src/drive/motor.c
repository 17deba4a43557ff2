// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Direct-current motor and gear. The standard form
//     L di/dt = u - R i - k w,     J dw/dt = k i - b w - c sgn(w) - tau_load / (N eta),     q' = w / N
// has the static line tau = tau_stall (1 - w / w_0) and the greatest mechanical power tau_stall w_0 / 4. The sign function is
// w / sqrt(w^2 + s^2), so that the equations have a derivative everywhere.
#include <footfall/drive_parts.h>

double ff_motor_line(double stall, double no_load, double speed, double wish)
{
    const bool driving = wish * speed > 0.0;
    double most = stall;
    if (driving && no_load > 0.0) most = stall * fmax(0.0, 1.0 - fabs(speed) / no_load);
    return wish > most ? most : wish < -most ? -most : wish;
}

ff_dc_motor ff_dc_motor_from_power(double power, double no_load, double voltage)
{
    const double constant = voltage / no_load, stall = 4.0 * power / no_load;
    return (ff_dc_motor){
        .constant = constant, .resistance = voltage * constant / stall, .dry_speed = 1.0, .voltage = voltage};
}

double ff_dc_motor_rate(const ff_dc_motor *motor, double voltage, double current, double speed)
{
    return (voltage - motor->resistance * current - motor->constant * speed) / motor->inductance;
}

double ff_dc_motor_current(const ff_dc_motor *motor, double voltage, double speed)
{
    return (voltage - motor->constant * speed) / motor->resistance;
}

double ff_dc_motor_friction(const ff_dc_motor *motor, double speed, double *slope)
{
    const double s = motor->dry_speed, square = speed * speed + s * s, root = sqrt(square);
    if (!(motor->dry > 0.0) || !(root > 0.0)) {
        if (slope) *slope = motor->viscous;
        return motor->viscous * speed;
    }
    if (slope) *slope = motor->viscous + motor->dry * s * s / (square * root);
    return motor->viscous * speed + motor->dry * speed / root;
}

bool ff_dc_motor_drops_pole(const ff_dc_motor *motor, double step)
{
    return !(motor->inductance > 0.0) || step * 5.0 * motor->resistance > motor->inductance;
}

double ff_gear_loss(double efficiency, double torque, double speed, double dry_speed)
{
    if (!(efficiency < 1.0) || !(efficiency > 0.0)) return 0.0;
    const double root = sqrt(speed * speed + dry_speed * dry_speed);
    return root > 0.0 ? (1.0 - efficiency) * fabs(torque) * speed / root : 0.0;
}
