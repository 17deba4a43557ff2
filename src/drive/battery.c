// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A battery as a source of the open-circuit voltage U0 of its charge behind one resistance R. Amplifiers chop: what
// they take at the voltage U of a period is the current I = P / U, and leaves U0 - R I for the next,
//     U -> U + (U0 - R I - U) / 2.
// The half is that of capacitors at the terminals, which hold U for about a millisecond; without them drives that ask
// for all there is would see it swing. At rest U = U0 - R I and P = U I, so that
//     U = U0/2 + sqrt(U0^2/4 - R P),
// and most it can give is U0^2 / (4 R), at half the voltage: whoever asks for more gets that. Power that drives give
// back charges it.
#include <footfall/drive_parts.h>
#include <math.h>

static const double SMOOTH = 0.5;

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

/// A period at this power: its current, and the voltage it leaves.
static void feed(const ff_battery *b, ff_battery_state *s, double power, double period)
{
    const double open = open_voltage(b, s->charge), most = b->resistance > 0.0 ? 0.5 * open / b->resistance : INFINITY;
    s->current = ff_min(power / s->voltage, most);
    s->power = s->voltage * s->current;
    s->given += s->power * period;
    s->lost += b->resistance * s->current * s->current * period;
    s->voltage += SMOOTH * (open - b->resistance * s->current - s->voltage);
    s->charge = ff_min(1.0, s->charge - s->current * period / b->capacity);
}

void ff_battery_update(const ff_battery *battery, ff_battery_state *state, double energy, double period)
{
    ff_battery_state *s = state;
    if (s->off) return;
    feed(battery, s, (energy - s->counted) / period + battery->load, period);
    s->counted = energy;
    if (s->charge > 0.0 && s->voltage > battery->least) return;
    s->charge = ff_max(0.0, s->charge);
    s->off = 1;
    s->voltage = s->current = s->power = 0.0;
}
