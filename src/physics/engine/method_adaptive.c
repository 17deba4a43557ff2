// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One accepted step of the adaptive method within an interval. Events in it are located on the continuous extension
// (locate.c), then polished by retaking the step to the crossing itself, so that the state there has the accuracy of a
// step (order 5) and not that of the extension (order 4).
#include "engine/system.h"

#include <math.h>
#include <string.h>

enum { POLISH_MOST = 4 };             // corrections of the length of a step to an event
static const double SHORTEST = 1e-13; // below this a step makes no progress beside rounding of the forces  [s]

static void dense(ff_sim *sim, double t, double h, double theta)
{
    (void)t, (void)h; // as prepared
    ff_dopri_dense(&sim->ode, &sim->in, theta, sim->in.probe);
}

/// Retakes the step to the crossing of event i near theta.
/// @return its scaled error, or -1; step->h is its length
static double polish(ff_sim *sim, int i, ff_step *step, double theta)
{
    const ff_tolerance tol = {sim->options.relative, sim->options.absolute};
    const double t = step->from, h = step->h, slope = ff_locate_slope(sim, dense, i, t, h, theta);
    step->h = ff_min(theta * h, step->left);
    for (int round = 0;; round++) {
        const double error = ff_dopri_try(&sim->ode, &sim->in, tol, t, step->h, sim->x);
        if (error < 0.0 || round == POLISH_MOST) return error;
        memcpy(sim->in.probe, sim->in.trial, (size_t)sim->n * sizeof(double));
        sim->ode.normalise(sim->ode.context, sim->in.probe);
        const double value = ff_sim_event_value(sim, i, t + step->h, sim->in.probe);
        const double move = -value / slope;
        // A little past the crossing rather than before it, but no farther than the tolerance.
        if (!isfinite(move) || fabs(move) > 0.1 * h || fabs(move) <= 0.5 * sim->options.event_tolerance) return error;
        if (!(step->h + move > 0.0 && step->h + move <= step->left)) return error;
        step->h += move;
    }
}

/// The trial state becomes the state, its derivative the first stage of the next step.
static void commit(ff_sim *sim)
{
    ff_integrator *in = &sim->in;
    if (sim->nledger > 0) {
        const int friction = sim->n - sim->nquad + FF_LEDGER_FRICTION, joints = sim->n - sim->nquad + FF_LEDGER_JOINTS;
        ff_ledger_keep_losses(sim, in->trial);
        in->trial[friction] = ff_ledger_friction(sim, sim->x, in->trial, in->trial[friction] - sim->x[friction]);
        in->trial[joints] =
            ff_ledger_joints(sim, sim->x, in->trial, in->trial[joints], in->trial[joints] - sim->x[joints]);
    }
    memcpy(sim->x, in->trial, (size_t)sim->n * sizeof(double));
    sim->ode.normalise(sim->ode.context, sim->x);
    double *first = in->k[0];
    in->k[0] = in->k[6];
    in->k[6] = first;
    in->first_ready = true;
}

// ------------------------------------------------------------------------------------------ rough forces

/// The error of a try goes with the fifth power of its length where forces are smooth. One that is SURPRISE times more
/// or less is unexpected. Where most are, steps cannot follow the forces: these are noisy, or lead back to a jump from
/// both of its sides.
static const double SURPRISE = 2.5;
static const double ROUGH_BELOW = 1e-4; // longer steps cost little, and may have kinks between them  [s]
static const double LOOSEST = 1e-4;     // largest relative error with slack
enum { ROUGH_AFTER = 200 };             // surprises count 2, others -1
enum { JUMPS_MOST = 100 };              // in a row, before the force is too stiff rather than one that jumps

/// Steps at the bound of stability have unexpected errors, too: a mode that is too stiff grows and is damped again. But
/// for one and the same state the error of a shorter try falls there as it should. Slack is given only where it does
/// not.
/// @return how many times the tolerance the error of a try may be
static double slack_of(ff_integrator *in, double relative, double h, double error)
{
    const double ratio = h / in->tried_step, square = ratio * ratio;
    const double expected = in->tried_error * square * square * ratio;
    const bool surprise = h < ROUGH_BELOW && in->tried_error > 0.0 &&
                          (error > SURPRISE * expected || SURPRISE * error < expected) &&
                          ff_max(error, in->tried_error) > 0.1; // below, it is rounding
    in->tried_step = h;
    in->tried_error = error;
    in->rough += surprise ? 2 : in->rough > 0 ? -1 : 0;
    if (in->rough > 2 * ROUGH_AFTER) in->rough = 2 * ROUGH_AFTER;
    if (in->rough < ROUGH_AFTER)
        in->slack = ff_max(1.0, 0.98 * in->slack);
    else if (surprise && in->refused_last && error > ff_max(in->slack, SURPRISE * expected))
        in->slack = ff_min(2.0 * in->slack, ff_max(1.0, LOOSEST / relative));
    return in->slack;
}

/// The error of a step across a jump of a force is proportional to its length. For a thin rod at its stop and a tight
/// tolerance the step would be below rounding. The shortest step is accepted with its error.
static bool is_jump(ff_integrator *in, double relative, double shorter, double error)
{
    if (shorter >= SHORTEST) return false;
    return error >= 0.0 && error <= LOOSEST / relative && ++in->jumps < JUMPS_MOST;
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
        const double slack = error >= 0.0 ? slack_of(in, tol.relative, h, error) : 1.0;
        const double shorter = h * (error < 0.0 ? 0.1 : ff_dopri_factor(in, error / slack));
        if (error >= 0.0 && (error <= slack || is_jump(in, tol.relative, shorter, error))) {
            const double next = h * ff_dopri_factor(in, error / slack);
            if (error > 1.0 && sim->counts.rough++ == 0) sim->counts.rough_from = ff_sim_time(sim);
            in->step =
                last && !refused ? ff_max(next, wanted) : next; // a step cut by a task says nothing about the next
            in->error_old = error / slack;
            if (error <= slack) in->jumps = 0;
            in->refused_last = false;
            step->h = h;
            return FF_OK;
        }
        sim->counts.refused++;
        refused = in->refused_last = true;
        h = shorter;
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

// ------------------------------------------------------------------------------------------ the method

/// Ends an accepted step at its earliest event. That shorter step has an error of its own: the spring of a contact at
/// its limit, whose time d/k is far below the step, does not move in stages behind a lift-off, and diverges in a step
/// whose stages are all on the ground.
/// @return whether its error is acceptable; if not, a shorter length is proposed
static bool end_at_event(ff_sim *sim, ff_step *step)
{
    ff_integrator *in = &sim->in;
    int which = -1;
    ff_dopri_dense_prepare(&sim->ode, in, step->h, sim->x);
    const double theta = ff_locate_earliest(sim, dense, step->from, step->h, &which);
    if (theta > 1.0) return true;
    const double error = polish(sim, which, step, theta);
    if (error >= 0.0 && error <= in->slack) {
        step->located = which;
        return true;
    }
    sim->counts.refused++;
    in->refused_last = true;
    in->step = step->h * (error < 0.0 ? 0.1 : ff_dopri_factor(in, error / in->slack));
    return false;
}

static ff_status make_step(ff_sim *sim, ff_step *step, ff_error *err)
{
    ff_status status = first_stage(sim, step->from, step->left, err);
    do {
        if (!status) status = accepted_length(sim, step, err);
        if (status) return status;
    } while (sim->nevent > 0 && !end_at_event(sim, step));
    commit(sim);
    ff_step_arrive(sim, step);
    return FF_OK;
}

static void finish(ff_sim *sim, const ff_step *step)
{
    if (step->closed) sim->in.first_ready = false;
    if (sim->nevent > 0) ff_locate_mark(sim, step->from + step->h, step->located);
}

static void forget(ff_sim *sim, bool state)
{
    sim->in.first_ready = false;
    sim->in.refused_last = false;
    sim->in.error_old = 0.0;
    sim->in.tried_error = 0.0;
    if (!state) return;
    sim->in.step = 0.0;
    sim->in.slack = 1.0;
    sim->in.rough = 0;
}

const ff_method_ops ff_method_adaptive = {.built = true,
                                          .traits = {.locates = true, .impulses = true},
                                          .step = make_step,
                                          .finish = finish,
                                          .forget = forget,
                                          .watch = ff_locate_watch};
