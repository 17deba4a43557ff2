// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps of the implicit method: of fixed length, cut into pieces of a half, a quarter, ... where the iteration does not
// converge; or with error control: the error of a step in proportion to its way goes with the square of its length.
#include "engine/archive.h"
#include "engine/implicit/implicit.h"

#include <stdio.h>

enum { PIECES_MOST = 1024 };               // of a fixed step
static const double SHORTEST_STEP = 1e-12; // with error control  [s]
/// Shorter steps than this times the accuracy are accepted whatever their error.  [s]
static const double UNCHECKED_STEP = 1e-3;
/// Part of that length below which no step is proposed.
static const double MIN_STEP_FRACTION = 1e-2;
/// A step may be longer than proposed by this factor where that saves a step; the proposal aims at an error of 0.81.
static const double STRETCH = 1.05;
static const double RETRY_OVERSHOOT = 0.1; // part of the time since an impact that the repeated step still covers
/// An impact a time t ago with the angular frequency w is not located for (w t)^2 up to this: a tenth of its half
/// period; less for accuracies below 1e-3.
static const double UNNOTICED_PHASE = 0.1;
enum { RETRIES_MOST = 6 };               // of one step, to end it at an impact
static const double LONGEST_STEP = 0.05; // by default: without motion there is no error to limit it  [s]

/// Likely cause of an iteration that does not converge: a part, whose forces may be anything, else the hardest contact.
static void likely_cause(const ff_sim *sim, char *text, size_t size)
{
    const ff_implicit *im = sim->implicit;
    const ff_step_point *hardest = NULL;
    for (int k = 0; k < im->contacts.count; k++)
        if (!hardest || im->contacts.points[k].by_depth > hardest->by_depth) hardest = &im->contacts.points[k];
    int others = 0;
    for (int i = 0; i < sim->npart; i++) others += sim->parts[i].part.derivative && &sim->parts[i] != im->contacts.slot;
    if (others > 0 || !hardest) {
        snprintf(text, size,
                 "a part or controller whose force jumps, or grows with the motion instead of opposing it; stiff parts "
                 "need a slope");
        return;
    }
    snprintf(
        text, size,
        "%d points in touch, the hardest between \"%.60s\" and \"%.60s\" with %.3g N/m: soften it or shorten the step",
        im->contacts.count, hardest->touch->names[0], hardest->touch->names[1], hardest->by_depth);
}

/// @return FF_SOLVER, or FF_DIVERGED for forces that are not finite, where no step is short enough to converge
static ff_status no_solution(ff_sim *sim, double h, ff_try outcome, ff_error *err)
{
    if (outcome == FF_TRY_BAD) {
        const ff_status status = ff_sim_derivative_failed(sim, err);
        if (status) return status;
    }
    if (sim->implicit->iterate.slow_part >= 0)
        return ff_error_set(
            err, FF_SOLVER,
            "the implicit method finds no balance at %.9g s, not even over %.3g s: the states of part \"%s\" do "
            "not settle; likely cause: their rates jump",
            ff_sim_time(sim), h, sim->parts[sim->implicit->iterate.slow_part].part.name);
    const ff_model *m = sim->model;
    const ff_joint *joint = &m->joints[m->dof_joint[sim->implicit->iterate.worst]];
    char cause[256];
    likely_cause(sim, cause, sizeof cause);
    return ff_error_set(
        err, FF_SOLVER,
        "the implicit method finds no balance at %.9g s, not even over %.3g s: body \"%s\", joint \"%s\" moves "
        "by %.3g at every round; likely cause: %s",
        ff_sim_time(sim), h, m->bodies[joint->body].name, joint->name,
        sim->implicit->iterate.change[sim->implicit->iterate.worst], cause);
}

// ------------------------------------------------------------------------------------------ fixed length

static ff_status step_in_pieces(ff_sim *sim, double h, ff_error *err)
{
    static const double SMALLEST = 1.0 / PIECES_MOST;
    ff_implicit *im = sim->implicit;
    for (double at = 0.0, piece = 1.0; at < 1.0;) {
        const double length = ff_min(piece, 1.0 - at);
        im->shortest = !(piece > SMALLEST);
        const ff_try outcome = ff_implicit_try(sim, h * at, h * length);
        if (outcome == FF_TRY_STOPPED) return ff_undo_step(sim);
        if (outcome == FF_TRY_OK) {
            ff_implicit_commit(sim);
            at = im->length < h * length ? at + im->length / h : at + length;
            if (1.0 - at < 0.1 * SMALLEST) at = 1.0;
            if (at < 1.0) {
                ff_undo_keep(sim, FF_UNDO_WHOLE);
                ff_sim_accept_parts(sim, FF_ACCEPT_PIECE); // contacts change at the end of each piece
            }
            piece = ff_min(1.0, 2.0 * piece); // back to longer pieces where they fit
            continue;
        }
        sim->counts.fallbacks++;
        ff_implicit_forget(sim);
        if (im->shortest) return no_solution(sim, h * length, outcome, err);
        piece = 0.5 * length;
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ error control

static double within(double low, double x, double high)
{
    return ff_min(ff_max(x, low), high);
}

/// @return longest time from an impact in the proposed step to its end, 0 below the tolerance  [s]
static double time_since_impact(const ff_sim *sim, double tolerance)
{
    const double *z = sim->integrator.trial + sim->nq + sim->nv;
    double longest = 0.0;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (slot->inner.time_since_impact)
            longest = ff_max(longest, slot->inner.time_since_impact(slot->part.context, z + slot->offset, tolerance));
    }
    return longest;
}

/// Finds a length that the error control accepts -> step->h; the new state is in integrator.trial.
static ff_status accepted_length(ff_sim *sim, ff_step *step, ff_error *err)
{
    ff_integrator *in = &sim->integrator;
    ff_implicit *im = sim->implicit;
    const ff_sim_options *o = &sim->options;
    if (!(in->step > 0.0)) in->step = o->first_step > 0.0 ? o->first_step : o->step;
    const double wanted = in->step;
    const double longest = o->max_step > 0.0 ? o->max_step : LONGEST_STEP;
    const double bound = ff_min(longest, ff_step_longest(sim));
    double h = ff_min(wanted, bound);
    const double least = UNCHECKED_STEP * o->accuracy,
                 tolerated = UNNOTICED_PHASE * ff_min(1.0, sqrt(1e3 * o->accuracy));
    bool refused = false;
    int retries = 0;
    for (;;) {
        const double pieces =
            ceil(step->left / ff_min(STRETCH * h, bound)); // equal steps up to the end of the interval
        if (retries == 0) h = step->left / pieces;
        const ff_try outcome = ff_implicit_try(sim, step->from, h);
        if (outcome == FF_TRY_STOPPED) return ff_undo_step(sim);
        const bool good = outcome == FF_TRY_OK && (im->error <= 1.0 || h <= least);
        const double since =
            good && retries < RETRIES_MOST ? time_since_impact(sim, retries > 0 ? o->accuracy : tolerated) : 0.0;
        if (since > 0.0) { // repeated until it ends shortly after the impact, or before it
            h -= (1.0 - RETRY_OVERSHOOT) * ff_min(since, h);
            retries++;
            continue;
        }
        if (good) {
            const double next = h * within(0.3, 0.9 / sqrt(ff_max(im->error, 1e-6)), refused ? 1.0 : 2.0);
            h = im->length; // less where the step ended with its first stage
            const bool cut = pieces <= 2.0 && !refused;
            const double then =
                cut ? ff_max(next, wanted) : next; // a step that a task cut short says nothing about the next
            in->step = within(MIN_STEP_FRACTION * least, then, longest);
            step->h = h;
            return FF_OK;
        }
        refused = true;
        retries = 0;
        sim->counts.refused++;
        if (outcome != FF_TRY_OK) {
            sim->counts.fallbacks++;
            ff_implicit_forget(sim);
        }
        h *= outcome == FF_TRY_OK ? within(0.1, 0.9 / sqrt(im->error), 0.7) : 0.25;
        if (h >= SHORTEST_STEP) continue;
        if (outcome != FF_TRY_OK) return no_solution(sim, h, outcome, err);
        return ff_error_set(
            err, FF_SOLVER,
            "the error control asks for steps below %.0e s at %.9g s: a position jumps there; use a looser "
            "accuracy or a fixed step",
            SHORTEST_STEP, ff_sim_time(sim));
    }
}

// ------------------------------------------------------------------------------------------ the method

static ff_status make_fixed_step(ff_sim *sim, ff_step *step, ff_error *err)
{
    const ff_ticks length = ff_step_fixed(sim, step);
    const ff_status status = step_in_pieces(sim, step->h, err);
    step->ticks = sim->ticks + length;
    return status;
}

static ff_status make_step(ff_sim *sim, ff_step *step, ff_error *err)
{
    ff_undo_begin(sim);
    if (!(sim->options.accuracy > 0.0)) return make_fixed_step(sim, step, err);
    const ff_status status = accepted_length(sim, step, err);
    if (status) return status;
    ff_implicit_commit(sim);
    ff_step_arrive(sim, step);
    return FF_OK;
}

static void forget(ff_sim *sim, bool state)
{
    sim->implicit->start.ready = false;
    if (!state) return;
    sim->integrator.step = 0.0;
    sim->implicit->speed = 0.0;
    ff_implicit_forget(sim);
}

const ff_method_ops ff_method_implicit = {.built = true,
                                          .traits = {.implicit = true, .accuracy = true},
                                          .create = ff_implicit_create,
                                          .step = make_step,
                                          .forget = forget,
                                          .transfer = ff_implicit_transfer,
                                          .add_slope = ff_implicit_add_slope};
