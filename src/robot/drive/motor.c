// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Motors: direct current with a gear, hobby servos, and the temperature of a winding. The standard form
//     L di/dt = u - R i - k w,     J dw/dt = k i - b w - c sgn(w) - tau_load / (N eta),     q' = w / N
// has the static line tau = tau_stall (1 - w / w_0) and the greatest mechanical power tau_stall w_0 / 4. The sign
// function is w / sqrt(w^2 + s^2), so that the equations have a derivative everywhere.
#include "drive/private.h"

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

// ------------------------------------------------------------------------------------------ servos
//
// Hobby servo: a wanted angle as the length of a pulse, once a frame, and an analogue regulator that turns the horn.
// Its frame delays commands by 20 ms and rounds them to steps, and its torque falls with speed: the body of a walking
// robot bobs.

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

// ------------------------------------------------------------------------------------------ temperature
//
// Temperature of the winding as one node, C T' = P - (T - T_a) / R, and what it leaves of the peak current. Chosen by
// the continuous current and a time constant it is the I^2 t rule of servo amplifiers.

ff_thermal ff_thermal_from_current(double continuous, double winding, double time_constant, double ambient,
                                   double limit)
{
    const double resistance = (limit - ambient) / (winding * continuous * continuous);
    return (ff_thermal){.resistance = resistance,
                        .capacity = time_constant / resistance,
                        .ambient = ambient,
                        .limit = limit,
                        .continuous = continuous};
}

double ff_thermal_update(const ff_thermal *thermal, double temperature, double power, double period)
{
    if (!(thermal->capacity > 0.0)) return temperature;
    const double leak = thermal->resistance > 0.0 ? 1.0 / thermal->resistance : 0.0;
    // trapezoid, solved for the end
    const double rate = power - (temperature - thermal->ambient) * leak;
    return temperature + period * rate / (thermal->capacity + 0.5 * period * leak);
}

double ff_thermal_current(const ff_thermal *thermal, double temperature, double peak)
{
    if (!(thermal->limit > thermal->ambient) || !(peak > thermal->continuous)) return peak;
    const double part = (temperature - thermal->ambient) / (thermal->limit - thermal->ambient);
    if (part <= 0.95) return peak;
    return thermal->continuous + (peak - thermal->continuous) * ff_max(0.0, (1.0 - part) / 0.05);
}
