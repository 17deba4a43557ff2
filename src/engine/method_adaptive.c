// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One accepted step of the adaptive method within an interval, and the location of events in it: bracketed and narrowed
// on the continuous extension, then polished by retaking the step to the crossing itself, so that the state there has
// the accuracy of a step (order 5) and not that of the extension (order 4).
#include "engine/system.h"

#include <math.h>
#include <string.h>

static const double SHORTEST = 1e-13; // below this a step makes no progress beside rounding of the forces  [s]
enum { STUCK_MOST = 10 }; // located events in a row, each within 1000 event tolerances of the last; more for many

static int sign_of(double value)
{
    return (value > 0.0) - (value < 0.0);
}

static double value_at(ff_sim *sim, int i, double t, double h, double theta)
{
    ff_dopri_dense(&sim->ode, &sim->in, theta, sim->in.probe);
    return ff_sim_event_value(sim, i, t + theta * h, sim->in.probe);
}

/// Fraction of the step just after the crossing of event i, by the Illinois variant of false position (M. Dowell, P.
/// Jarratt, BIT 11, 1971), with bisection when it dawdles.
static double narrow(ff_sim *sim, int i, double t, double h, double low, double value_low, double value_high)
{
    double high = 1.0;
    const int sign_low = sign_of(value_low);
    for (int round = 0; round < 200 && (high - low) * h > 0.25 * sim->options.event_tolerance; round++) {
        double theta = low + (high - low) * (value_low / (value_low - value_high));
        if (!(theta > low && theta < high) || round % 8 == 7) theta = 0.5 * (low + high);
        if (!(theta > low && theta < high)) break;
        const double value = value_at(sim, i, t, h, theta);
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

/// Just left a crossing: the side shows a little later. Looked for from close by, since a ball may be on its last tiny
/// hops. Returns the fraction of the step at which it shows.
static double find_side(ff_sim *sim, int i, double t, double h, double *value)
{
    ff_event_slot *slot = &sim->events[i];
    double theta = 1e-10;
    for (; theta < 0.02; theta *= 100.0) {
        *value = value_at(sim, i, t, h, theta);
        if (fabs(*value) > slot->slack) break;
    }
    slot->sign = sign_of(*value);
    slot->slack = 0.0;
    return ff_min(theta, 0.01);
}

/// Earliest crossing in the step proposed from x over h; 2 when there is none. The extension is prepared.
static double earliest_crossing(ff_sim *sim, double t, double h, int *which)
{
    double earliest = 2.0, *at_end = sim->event_values + sim->nevent;
    ff_dopri_dense(&sim->ode, &sim->in, 1.0, sim->in.probe);
    ff_sim_event_values(sim, t + h, sim->in.probe, at_end);
    for (int i = 0; i < sim->nevent; i++) {
        ff_event_slot *slot = &sim->events[i];
        double low = 0.0, value_low = slot->value;
        if (slot->sign == 0) low = find_side(sim, i, t, h, &value_low);
        const double value_high = at_end[i];
        const int sign = sign_of(value_high);
        if (sign * slot->sign >= 0 || slot->event.direction * sign < 0) continue;
        if (sign_of(value_low) != slot->sign) value_low = -value_high;
        const double theta = narrow(sim, i, t, h, low, value_low, value_high);
        if (theta < earliest) {
            earliest = theta;
            *which = i;
        }
    }
    return earliest;
}

/// Retakes the step to the crossing of event i near theta; returns its length.
static double polish(ff_sim *sim, int i, double t, double h, double theta)
{
    const ff_tolerance tol = {sim->options.relative, sim->options.absolute};
    const double low = ff_max(0.0, theta - 1e-3), high = ff_min(1.0, theta + 1e-3);
    const double slope = (value_at(sim, i, t, h, high) - value_at(sim, i, t, h, low)) / ((high - low) * h);
    double length = theta * h;
    for (int round = 0; round < 5; round++) {
        if (ff_dopri_try(&sim->ode, &sim->in, tol, t, length, sim->x) < 0.0) break;
        memcpy(sim->in.probe, sim->in.trial, (size_t)sim->n * sizeof(double));
        sim->ode.normalise(sim->ode.context, sim->in.probe);
        const double value = ff_sim_event_value(sim, i, t + length, sim->in.probe);
        const double move = -value / slope;
        // A little past the crossing rather than before it, but no farther than the tolerance.
        if (!isfinite(move) || fabs(move) > 0.1 * h || fabs(move) <= 0.5 * sim->options.event_tolerance) break;
        if (!(length + move > 0.0)) break;
        length += move;
    }
    sim->events[i].slack = 10.0 * fabs(slope) * sim->options.event_tolerance;
    return length;
}

/// Values at the new state: events whose sign differs crossed, `which` in any case.
static void mark_crossings(ff_sim *sim, double t, int which)
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

/// The trial state becomes the state, its derivative the first stage of the next step.
static void commit(ff_sim *sim)
{
    ff_integrator *in = &sim->in;
    memcpy(sim->x, in->trial, (size_t)sim->n * sizeof(double));
    sim->ode.normalise(sim->ode.context, sim->x);
    double *first = in->k[0];
    in->k[0] = in->k[6];
    in->k[6] = first;
    in->first_ready = true;
}

/// Finds a length that the error control accepts; the proposal is in in->trial.
static ff_status accepted_length(ff_sim *sim, ff_step *step, ff_error *err)
{
    ff_integrator *in = &sim->in;
    const ff_tolerance tol = {sim->options.relative, sim->options.absolute};
    const double wanted = in->step;
    bool refused = false;
    double h = ff_min(in->step, ff_step_longest(sim));
    for (;;) {
        const bool last = h > 0.99 * step->left;
        if (last) h = step->left;
        const double error = ff_dopri_try(&sim->ode, in, tol, step->from, h, sim->x);
        if (error >= 0.0 && error <= 1.0) {
            const double next = h * ff_dopri_factor(in, error);
            in->step =
                last && !refused ? ff_max(next, wanted) : next; // a step cut by a task says nothing about the next
            in->error_old = error;
            in->refused_last = false;
            step->h = h;
            return FF_OK;
        }
        sim->counts.refused++;
        refused = in->refused_last = true;
        h *= error < 0.0 ? 0.1 : ff_dopri_factor(in, error);
        if (h >= SHORTEST) continue;
        in->step = h;
        if (error < 0.0) return ff_sim_derivative_failed(sim, err);
        return ff_error_set(
            err, FF_SOLVER,
            "the error control asks for steps below %.0e s at %.9g s: forces jump there or are too stiff "
            "for method adaptive; try cvode, a looser tolerance, or a fixed step",
            SHORTEST, ff_sim_time(sim));
    }
}

static ff_status first_stage(ff_sim *sim, double t, double left, ff_error *err)
{
    ff_integrator *in = &sim->in;
    const ff_tolerance tol = {sim->options.relative, sim->options.absolute};
    if (!in->first_ready) {
        if (!sim->ode.derivative(sim->ode.context, t, sim->x, in->k[0])) return ff_sim_derivative_failed(sim, err);
        in->first_ready = true;
    }
    for (int i = 0; i < sim->n; i++)
        if (!isfinite(in->k[0][i])) return ff_sim_derivative_failed(sim, err);
    if (in->step <= 0.0)
        in->step = sim->options.first_step > 0.0 ? sim->options.first_step
                                                 : ff_dopri_first_step(&sim->ode, in, tol, t, sim->x, left);
    return FF_OK;
}

/// A step to a crossing that hardly moved the time, too many in a row.
static ff_status watch(ff_sim *sim, const ff_step *step, ff_error *err)
{
    sim->stuck = step->h <= 1000.0 * sim->options.event_tolerance ? sim->stuck + 1 : 0;
    if (sim->stuck < STUCK_MOST + sim->nevent - sim->nevent_user) return FF_OK;
    return ff_error_set(err, FF_SOLVER,
                        "event \"%s\" happens without end near %.9g s: its handler must lead away from the crossing",
                        sim->events[step->located].event.name, ff_sim_time(sim));
}

// ------------------------------------------------------------------------------------------ the method

static ff_status propose(ff_sim *sim, ff_step *step, ff_error *err)
{
    const double t = step->from;
    ff_status status = first_stage(sim, t, step->left, err);
    if (status) return status;
    status = accepted_length(sim, step, err);
    if (status) return status;
    if (sim->nevent > 0) {
        int which = -1;
        ff_dopri_dense_prepare(&sim->ode, &sim->in, step->h, sim->x);
        const double theta = earliest_crossing(sim, t, step->h, &which);
        if (theta <= 1.0) {
            step->located = which;
            step->h = ff_min(polish(sim, which, t, step->h, theta), step->left);
        }
    }
    commit(sim);
    ff_step_arrive(sim, step);
    return FF_OK;
}

static void finish(ff_sim *sim, const ff_step *step)
{
    if (sim->nevent > 0) mark_crossings(sim, step->from + step->h, step->located);
}

static void forget(ff_sim *sim, bool state)
{
    sim->in.first_ready = false;
    sim->in.refused_last = false;
    sim->in.error_old = 0.0;
    if (state) sim->in.step = 0.0;
}

const ff_method_ops ff_method_adaptive = {.name = "adaptive",
                                          .built = true,
                                          .traits = {.locates = true, .impulses = true},
                                          .propose = propose,
                                          .finish = finish,
                                          .forget = forget,
                                          .watch = watch};
