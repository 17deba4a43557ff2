// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps of the adaptive method. Events in a step are located on the continuous extension (locate.c). The step is then
// repeated up to the crossing, so that the state there has the accuracy of a step (order 5) and not that of the
// extension (order 4).
#include "engine/system.h"

#include <math.h>
#include <string.h>

enum { POLISH_MOST = 4 };             // corrections of the length of a step that ends at an event
static const double SHORTEST = 1e-13; // a step below this is lost in the rounding of the forces  [s]

static void dense(ff_sim *sim, double t, double h, double theta)
{
    (void)t, (void)h; // ff_dopri_dense_prepare knows them
    ff_dopri_dense(&sim->ode, &sim->integrator, theta, sim->integrator.probe);
}

/// Repeats the step up to the crossing of event i near theta -> step->h.
/// @return scaled error of that step, or -1 where it failed
static double polish(ff_sim *sim, int i, ff_step *step, double theta)
{
    const ff_tolerance tol = {sim->options.relative, sim->options.absolute};
    const double t = step->from, h = step->h, slope = ff_locate_slope(sim, dense, i, t, h, theta);
    step->h = ff_min(theta * h, step->left);
    for (int round = 0;; round++) {
        const double error = ff_dopri_try(&sim->ode, &sim->integrator, tol, t, step->h, sim->x);
        if (error < 0.0 || round == POLISH_MOST) return error;
        memcpy(sim->integrator.probe, sim->integrator.trial, (size_t)sim->n * sizeof(double));
        sim->ode.normalise(sim->ode.context, sim->integrator.probe);
        const double value = ff_events_value(sim, i, t + step->h, sim->integrator.probe);
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
    ff_integrator *in = &sim->integrator;
    if (sim->nledger > 0) {
        const int friction = sim->nstate + FF_LEDGER_FRICTION, joints = sim->nstate + FF_LEDGER_JOINTS;
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

/// Where forces are smooth, the error of a try is proportional to the fifth power of its length. An error that is
/// SURPRISE times larger or smaller is unexpected. Where most errors are, steps cannot follow the forces: these are
/// noisy, or push the motion back to a jump from both sides.
static const double SURPRISE = 2.5;
static const double ROUGH_BELOW = 1e-4; // longer steps cost little, and forces may have kinks between them  [s]
static const double LOOSEST = 1e-4;     // largest relative error with slack
enum { ROUGH_AFTER = 200 };             // score of unexpected errors, which count 2, others -1
enum { JUMPS_MOST = 100 };              // shortest steps in a row; after more of them the force counts as too stiff

/// At the limit of stability errors are unexpected, too, since a stiff mode grows and is damped again. But there the
/// error of a shorter try from the same state falls as expected. The tolerance is exceeded only where it does not.
/// @return factor by which the error of a try may exceed the tolerance
static double slack_of(ff_integrator *in, double relative, double h, double error)
{
    const double ratio = h / in->tried_step, square = ratio * ratio;
    const double expected = in->tried_error * square * square * ratio;
    const bool surprise = h < ROUGH_BELOW && in->tried_error > 0.0 &&
                          (error > SURPRISE * expected || SURPRISE * error < expected) &&
                          ff_max(error, in->tried_error) > 0.1; // smaller errors are rounding
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

/// The error of a step across a jump of a force is proportional to the length of the step. For a thin rod at its stop
/// and a tight tolerance the step would be below rounding: there the shortest step is accepted with its error.
static bool accept_at_jump(ff_integrator *in, double relative, double shorter, double error)
{
    if (shorter >= SHORTEST) return false;
    return error >= 0.0 && error <= LOOSEST / relative && ++in->jumps < JUMPS_MOST;
}

/// Finds a length that the error control accepts -> step->h; the new state is in in->trial.
static ff_status accepted_length(ff_sim *sim, ff_step *step, ff_error *err)
{
    ff_integrator *in = &sim->integrator;
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
        if (error >= 0.0 && (error <= slack || accept_at_jump(in, tol.relative, shorter, error))) {
            const double next = h * ff_dopri_factor(in, error / slack);
            if (error > 1.0 && sim->counts.rough++ == 0) sim->counts.rough_from = ff_sim_time(sim);
            in->step = last && !refused ? ff_max(next, wanted)
                                        : next; // a step that a task cut short says nothing about the next
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

/// The derivative at the start of the step, and the length of a first step, unless they are known.
static ff_status first_stage(ff_sim *sim, double t, double left, ff_error *err)
{
    ff_integrator *in = &sim->integrator;
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

/// Ends an accepted step at its earliest event, and checks the error of that shorter step again. It may be the larger
/// one: a spring of friction with a time constant far below the step rests in stages after a lift-off, and diverges
/// where all stages are on the ground.
/// @return whether the error is acceptable; if not, in->step is a shorter length
static bool end_at_event(ff_sim *sim, ff_step *step)
{
    ff_integrator *in = &sim->integrator;
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
    } while (sim->events.count > 0 && !end_at_event(sim, step));
    commit(sim);
    ff_step_arrive(sim, step);
    return FF_OK;
}

static void finish(ff_sim *sim, const ff_step *step)
{
    if (step->closed) sim->integrator.first_ready = false;
    if (sim->events.count > 0) ff_locate_mark(sim, step->from + step->h, step->located);
}

static void forget(ff_sim *sim, bool state)
{
    sim->integrator.first_ready = false;
    sim->integrator.refused_last = false;
    sim->integrator.error_old = 0.0;
    sim->integrator.tried_error = 0.0;
    if (!state) return;
    sim->integrator.step = 0.0;
    sim->integrator.slack = 1.0;
    sim->integrator.rough = 0;
}

// A step multiplies the solution of x' = lambda x by R(z) = 1 + z + z^2/2 + z^3/6 + z^4/24 + z^5/120 + z^6/600 with
// z = h lambda, which leaves the unit circle at z = -3.31.
const ff_method_ops ff_method_adaptive = {.built = true,
                                          .traits = {.locates = true, .impulses = true, .stable = 3.31},
                                          .step = make_step,
                                          .finish = finish,
                                          .forget = forget,
                                          .check_progress = ff_locate_check_progress};
