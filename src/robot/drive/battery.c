// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A battery as a source of the open-circuit voltage U0 of its charge behind one resistance R, with a capacitor C at its
// terminals, from which amplifiers take the power P:
//     C dU/dt = I - P / U,     I = (U0 - U) / R.
// Without the capacitor the voltage would oscillate under the largest load. A period h is one step of the implicit
// midpoint rule, U_m = (U + U') / 2,
//     (a + 1) U_m^2 - (a U + U0) U_m + R P = 0,     a = 2 C R / h,
// by which no energy is lost: U0 I h = P h + R I^2 h + C (U'^2 - U^2) / 2. C is such that the voltage goes half of its
// way in a period, a = 3. At rest U = U0 - R I and P = U I, so that
//     U = U0/2 + sqrt(U0^2/4 - R P),
// and the most power is U0^2 / (4 R), at half the voltage. Energy that drives took beyond it is owed, and supplied in
// later periods. Power that drives return charges it.
#include <footfall/drive_parts.h>
#include <math.h>

static const double A = 3.0; // a of these equations

static double open_voltage(const ff_battery *b, double charge)
{
    return b->curve.n > 0 ? ff_table_value(&b->curve, charge) : b->voltage;
}

ff_battery_state ff_battery_start(const ff_battery *battery)
{
    const double open = open_voltage(battery, battery->charge);
    const double square = 0.25 * open * open - battery->resistance * battery->load;
    ff_battery_state s = {.charge = battery->charge, .voltage = 0.5 * open + sqrt(ff_max(square, 0.0))};
    s.current = battery->load / s.voltage;
    s.power = battery->load;
    return s;
}

/// Advances a period at this power, or at the most that the battery can supply. @return false: that is less
static bool feed(const ff_battery *b, ff_battery_state *s, double power, double period)
{
    const double open = open_voltage(b, s->charge), R = b->resistance;
    const double half = 0.5 * (A * s->voltage + open) / (A + 1.0);
    const double square = half * half - R * power / (A + 1.0);
    const double wanted = half + sqrt(ff_max(square, 0.0)), least = 0.5 * (s->voltage + 0.5 * open); // U' = U0 / 2
    const double middle = ff_max(wanted, least);
    if (R > 0.0) {
        s->current = (open - middle) / R;
        s->power = middle * (s->current - A * (middle - s->voltage) / R); // `power`, or the most that is possible
        s->voltage = 2.0 * middle - s->voltage;
    } else {
        s->current = power / open;
        s->power = power;
        s->voltage = open;
    }
    s->given += s->power * period;
    s->lost += R * s->current * s->current * period;
    s->charge = ff_min(1.0, s->charge - s->current * period / b->capacity);
    return R == 0.0 || (square >= 0.0 && wanted >= least);
}

void ff_battery_update(const ff_battery *battery, ff_battery_state *state, double energy, double period)
{
    ff_battery_state *s = state;
    if (s->off) return;
    const double demand = (energy - s->counted) / period + battery->load, power = demand + s->owed / period;
    s->owed = feed(battery, s, power, period) ? 0.0 : (power - s->power) * period;
    if (s->owed > 0.0 && s->asked == 0.0) s->short_from = s->time;
    if (s->owed > 0.0) s->asked = ff_max(s->asked, demand);
    s->time += period;
    s->counted = energy;
    if (s->charge > 0.0 && s->voltage > battery->least) return;
    s->charge = ff_max(0.0, s->charge);
    s->off = 1;
    s->voltage = s->current = s->power = 0.0;
}
