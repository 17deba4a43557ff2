// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Temperature of the winding as one node, C T' = P - (T - T_a) / R, and what it leaves of the peak current. Chosen by
// the continuous current and a time constant it is the I^2 t rule of servo amplifiers.
#include <footfall/drive_parts.h>

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
