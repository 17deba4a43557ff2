// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Direct-current motor and gear. The standard form
//     L di/dt = u - R i - k w,     J dw/dt = k i - b w - c sgn(w) - tau_load / (N eta),     q' = w / N
// has the static line tau = tau_stall (1 - w / w_0) and the greatest mechanical power tau_stall w_0 / 4. The sign
// function is w / sqrt(w^2 + s^2), so that the equations have a derivative everywhere.
#include "drive/private.h"

double ff_motor_line(double stall, double no_load, double speed, double demand)
{
    return ff_motor_bound(stall, no_load, speed, demand);
}

ff_dc_motor ff_dc_motor_from_power(double power, double no_load, double voltage)
{
    const double constant = voltage / no_load, stall = 4.0 * power / no_load;
    return (ff_dc_motor){.constant = constant,
                         .resistance = voltage * constant / stall,
                         .dry_speed = 0.01 * no_load,
                         .voltage = voltage};
}

bool ff_dc_motor_drops_pole(const ff_dc_motor *motor, double step)
{
    return !(motor->inductance > 0.0) || step * 5.0 * motor->resistance > motor->inductance;
}
