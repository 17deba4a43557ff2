// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The time at which an event crosses zero within a step: where its signs at the two ends differ, the crossing is
// bracketed on the continuous extension of the method. The sign after a crossing follows from the direction of the
// crossing, not from the value there, which may be rounding.
#include "engine/system.h"

#include <math.h>
#include <string.h>

enum { STUCK_MOST = 10 };          // located events in a row, each near the last; and one more for each event of a part
static const double NEAR = 1000.0; // events within this time of each other are near  [event tolerances]

static int sign_of(double value)
{
    return (value > 0.0) - (value < 0.0);
}

/// Value of event i at the fraction theta of the step.
static double value_at(ff_sim *sim, ff_dense *dense, int i, double t, double h, double theta)
{
    dense(sim, t, h, theta);
    return ff_events_value(sim, i, t + theta * h, sim->integrator.probe);
}

/// Fraction of the step just after the crossing of event i, by the Illinois variant of false position (M. Dowell, P.
/// Jarratt, BIT 11, 1971), with bisection in every eighth round.
static double narrow(ff_sim *sim, ff_dense *dense, int i, double t, double h, double low, double value_low,
                     double value_high)
{
    double high = 1.0;
    const int sign_low = sign_of(value_low);
    for (int round = 0; round < 200 && (high - low) * h > 0.25 * sim->options.event_tolerance; round++) {
        double theta = low + (high - low) * (value_low / (value_low - value_high));
        if (!(theta > low && theta < high) || round % 8 == 7) theta = 0.5 * (low + high);
        if (!(theta > low && theta < high)) break;
        const double value = value_at(sim, dense, i, t, h, theta);
        if (sign_of(value) == sign_low) {
            low = theta;
            value_low = value;
            value_high *= 0.5;
        } else {
            high = theta;
            value_high = value;
            value_low *= 0.5;
        }
    }
    return high;
}

/// Finds the sign of an event just after a crossing, from its value a little later in the step. It begins close to the
/// crossing, since the last hops of a ball are short. @return the fraction of the step
static double find_side(ff_sim *sim, ff_dense *dense, int i, double t, double h, double *value)
{
    ff_event_slot *slot = &sim->events.slots[i];
    double theta = 1e-10;
    for (; theta < 0.02; theta *= 100.0) {
        *value = value_at(sim, dense, i, t, h, theta);
        if (fabs(*value) > slot->slack) break;
    }
    slot->sign = sign_of(*value);
    slot->slack = 0.0;
    return ff_min(theta, 0.01);
}

/// Largest number of located events in a row that hardly move the time.
static int stuck_most(const ff_sim *sim)
{
    return STUCK_MOST + sim->events.count - sim->events.ncaller;
}

double ff_locate_earliest(ff_sim *sim, ff_dense *dense, double t, double h, int *which)
{
    double earliest = 2.0, *at_end = sim->events.values + sim->events.count;
    // Where the forces on both sides of an event push back to it (a foot between two facets of rough ground), the
    // motion slides along it. This one step then ignores the events of parts; error control still bounds its length.
    const bool slides = sim->events.stuck >= stuck_most(sim);
    const int count = slides ? sim->events.ncaller : sim->events.count;
    if (slides) sim->events.stuck -= 2; // they are located again soon
    dense(sim, t, h, 1.0);
    ff_events_evaluate(sim, t + h, sim->integrator.probe, at_end);
    for (int i = 0; i < count; i++) {
        ff_event_slot *slot = &sim->events.slots[i];
        double low = 0.0, value_low = slot->value;
        if (slot->sign == 0) low = find_side(sim, dense, i, t, h, &value_low);
        const double value_high = at_end[i];
        const int sign = sign_of(value_high);
        if (sign * slot->sign >= 0 || slot->event.direction * sign < 0) continue;
        if (sign_of(value_low) != slot->sign) value_low = -value_high;
        const double theta = narrow(sim, dense, i, t, h, low, value_low, value_high);
        if (theta < earliest) {
            earliest = theta;
            *which = i;
        }
    }
    return earliest;
}

double ff_locate_slope(ff_sim *sim, ff_dense *dense, int i, double t, double h, double theta)
{
    const double low = ff_max(0.0, theta - 1e-3), high = ff_min(1.0, theta + 1e-3);
    const double slope =
        (value_at(sim, dense, i, t, h, high) - value_at(sim, dense, i, t, h, low)) / ((high - low) * h);
    sim->events.slots[i].slack = 10.0 * fabs(slope) * sim->options.event_tolerance;
    return slope;
}

bool ff_locate_agrees(ff_sim *sim, ff_dense *dense, int i, double t, double h, double theta)
{
    static const double PROBE = 0.01; // part of the step
    const int direction = -sim->events.slots[i].sign;
    double *there = sim->integrator.trial, *rate = sim->integrator.k[0];
    if (h <= NEAR * sim->options.event_tolerance) return true; // its values are rounding
    const double before = value_at(sim, dense, i, t, h, theta), at = t + theta * h;
    memcpy(there, sim->integrator.probe, (size_t)sim->n * sizeof(double));
    if (!sim->ode.derivative(sim->ode.context, at, there, rate)) return true;
    for (int k = 0; k < sim->n; k++) there[k] += PROBE * h * rate[k];
    sim->ode.normalise(sim->ode.context, there);
    const double change = ff_events_value(sim, i, at + PROBE * h, there) - before;
    return !(direction * change < -sim->events.slots[i].slack);
}

void ff_locate_mark(ff_sim *sim, double t, int which)
{
    ff_events_evaluate(sim, t, sim->x, sim->events.values);
    for (int i = 0; i < sim->events.count; i++) {
        ff_event_slot *slot = &sim->events.slots[i];
        const double value = sim->events.values[i];
        const int sign = sign_of(value);
        if (i == which) {
            slot->crossing = slot->sign > 0 ? -1 : 1;
            slot->sign = slot->crossing;
        } else if (sign != 0) {
            if (sign * slot->sign < 0 && slot->event.direction * sign >= 0) slot->crossing = sign;
            slot->sign = sign;
        }
        slot->value = value;
    }
}

ff_status ff_locate_check_progress(ff_sim *sim, const ff_step *step, ff_error *err)
{
    const bool near = step->h <= NEAR * sim->options.event_tolerance;
    sim->events.stuck = near                    ? sim->events.stuck + 1
                        : sim->events.stuck > 3 ? sim->events.stuck - 3
                                                : 0; // a motion that slides returns soon
    if (sim->events.stuck < stuck_most(sim) || step->located >= sim->events.ncaller) return FF_OK;
    return ff_error_set(err, FF_SOLVER,
                        "event \"%s\" happens without end near %.9g s: its handler must lead away from the crossing",
                        sim->events.slots[step->located].event.name, ff_sim_time(sim));
}
