// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Where in a step an event crosses zero: signs at its two ends, bracketed and narrowed on the continuous extension of
// the method. The sign after a crossing follows from the crossing, not from the value there, which may be rounding.
#include "engine/system.h"

#include <math.h>
#include <string.h>

enum { STUCK_MOST = 10 };          // located events in a row, each near the last; more for many
static const double NEAR = 1000.0; // what is near in time, in event tolerances

static int sign_of(double value)
{
    return (value > 0.0) - (value < 0.0);
}

static double value_at(ff_sim *sim, ff_dense *dense, int i, double t, double h, double theta)
{
    dense(sim, t, h, theta);
    return ff_sim_event_value(sim, i, t + theta * h, sim->in.probe);
}

/// Fraction of the step just after the crossing of event i, by the Illinois variant of false position (M. Dowell, P.
/// Jarratt, BIT 11, 1971), with bisection when it is slow.
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

/// The sign of an event just behind a crossing, found a little later in the step; first close by, since a ball may be
/// on its last tiny hops. @return the fraction of the step
static double find_side(ff_sim *sim, ff_dense *dense, int i, double t, double h, double *value)
{
    ff_event_slot *slot = &sim->events[i];
    double theta = 1e-10;
    for (; theta < 0.02; theta *= 100.0) {
        *value = value_at(sim, dense, i, t, h, theta);
        if (fabs(*value) > slot->slack) break;
    }
    slot->sign = sign_of(*value);
    slot->slack = 0.0;
    return ff_min(theta, 0.01);
}

/// Most located events in a row that hardly move the time.
static int stuck_most(const ff_sim *sim)
{
    return STUCK_MOST + sim->nevent - sim->nevent_user;
}

double ff_locate_earliest(ff_sim *sim, ff_dense *dense, double t, double h, int *which)
{
    double earliest = 2.0, *at_end = sim->event_values + sim->nevent;
    // Where the forces on both sides of an event lead back to it (a foot between two facets of rough ground) the motion
    // slides along it. The events of parts are then left to the end of this one step, whose length the error bounds.
    const bool slides = sim->stuck >= stuck_most(sim);
    const int count = slides ? sim->nevent_user : sim->nevent;
    if (slides) sim->stuck -= 2; // looked for again soon
    dense(sim, t, h, 1.0);
    ff_sim_event_values(sim, t + h, sim->in.probe, at_end);
    for (int i = 0; i < count; i++) {
        ff_event_slot *slot = &sim->events[i];
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
    sim->events[i].slack = 10.0 * fabs(slope) * sim->options.event_tolerance;
    return slope;
}

bool ff_locate_agrees(ff_sim *sim, ff_dense *dense, int i, double t, double h, double theta)
{
    static const double LOOK = 0.01; // part of the step
    const int direction = -sim->events[i].sign;
    double *there = sim->in.trial, *rate = sim->in.k[0];
    if (h <= NEAR * sim->options.event_tolerance) return true; // nothing but rounding
    const double before = value_at(sim, dense, i, t, h, theta), at = t + theta * h;
    memcpy(there, sim->in.probe, (size_t)sim->n * sizeof(double));
    if (!sim->ode.derivative(sim->ode.context, at, there, rate)) return true;
    for (int k = 0; k < sim->n; k++) there[k] += LOOK * h * rate[k];
    sim->ode.normalise(sim->ode.context, there);
    const double change = ff_sim_event_value(sim, i, at + LOOK * h, there) - before;
    return !(direction * change < -sim->events[i].slack);
}

void ff_locate_mark(ff_sim *sim, double t, int which)
{
    ff_sim_event_values(sim, t, sim->x, sim->event_values);
    for (int i = 0; i < sim->nevent; i++) {
        ff_event_slot *slot = &sim->events[i];
        const double value = sim->event_values[i];
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

ff_status ff_locate_watch(ff_sim *sim, const ff_step *step, ff_error *err)
{
    const bool near = step->h <= NEAR * sim->options.event_tolerance;
    sim->stuck = near ? sim->stuck + 1 : sim->stuck > 3 ? sim->stuck - 3 : 0; // one that slides comes back soon
    if (sim->stuck < stuck_most(sim) || step->located >= sim->nevent_user) return FF_OK;
    return ff_error_set(err, FF_SOLVER,
                        "event \"%s\" happens without end near %.9g s: its handler must lead away from the crossing",
                        sim->events[step->located].event.name, ff_sim_time(sim));
}
