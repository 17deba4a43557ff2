// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One step of a simulation, whatever the method: ff_sim_advance is its table of contents.
#include "engine/system.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ for the methods

ff_ticks ff_step_fixed(const ff_sim *sim, ff_step *step)
{
    const ff_ticks left = step->end - sim->ticks, length = left < sim->step_ticks ? left : sim->step_ticks;
    step->h = ff_ticks_to_seconds(length);
    return length;
}

double ff_step_longest(const ff_sim *sim)
{
    double most = sim->options.max_step > 0.0 ? sim->options.max_step : INFINITY;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part *part = &sim->parts[i].part;
        const double bound = part->longest_step ? part->longest_step(part->context) : 0.0;
        if (bound > 0.0) most = ff_min(most, bound);
    }
    return most;
}

void ff_step_arrive(const ff_sim *sim, ff_step *step)
{
    const bool arrived = step->h >= step->left;
    step->ticks = arrived ? step->end : sim->ticks;
    step->offset = arrived ? 0.0 : step->from + step->h;
}

// ------------------------------------------------------------------------------------------ before the step

ff_status ff_sim_settle(ff_sim *sim, ff_error *err)
{
    const ff_status status = ff_sim_settle_loops(sim, err);
    if (!status && (sim->due & FF_DUE_PARTS)) ff_sim_accept_parts(sim, FF_ACCEPT_WRITTEN);
    return status;
}

static ff_status prepare(ff_sim *sim, ff_error *err)
{
    const ff_status status = ff_sim_settle(sim, err);
    if (status) return status;
    ff_ledger_begin(sim);
    ff_events_prepare(sim);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ after the step

void ff_sim_accept_parts(ff_sim *sim, ff_accept_reason reason)
{
    bool changed = false;
    if (sim->due & FF_DUE_PARTS) reason = FF_ACCEPT_WRITTEN;
    sim->due &= ~FF_DUE_PARTS;
    sim->forces_number++; // parts may change what is not in the state
    for (int i = 0; i < sim->npart; i++) {
        const ff_part *part = &sim->parts[i].part;
        if (!part->accept) continue;
        ff_sim_reach(sim, FF_SIM_VELOCITY);
        const int row = ff_profile_enter(sim, FF_PROFILE_PARTS + i);
        changed = part->accept(part->context, sim, reason) || changed;
        ff_profile_leave(sim, row);
    }
    if (!changed) return;
    ff_sim_forget(sim, false);
    if (ff_sim_locates_events(sim)) sim->due |= FF_DUE_EVENTS; // for other methods the ends of steps are compared
}

static void update_time(ff_sim *sim, const ff_step *step)
{
    ff_sim_counts *c = &sim->counts;
    sim->ticks = step->ticks;
    sim->offset = step->offset;
    sim->last_step = step->h;
    if (c->steps == 0 || step->h < c->shortest_step) c->shortest_step = step->h;
    if (c->steps == 0 || step->h > c->longest_step) c->longest_step = step->h;
    c->steps++;
}

/// Marks events that crossed, by the two ends of the step; methods that locate events have done so.
static void mark_events(ff_sim *sim, const ff_step *step)
{
    if (sim->events.count == 0 || sim->method->traits.locates) return;
    const int row = ff_profile_enter(sim, FF_PROFILE_EVENTS);
    ff_events_compare(sim, step);
    ff_profile_leave(sim, row);
}

static ff_status serve_events(ff_sim *sim, const ff_step *step, ff_error *err)
{
    if (sim->events.count == 0) return FF_OK;
    const int row = ff_profile_enter(sim, FF_PROFILE_EVENTS);
    ff_events_handle(sim);
    ff_profile_leave(sim, row);
    return step->located >= 0 && sim->method->check_progress ? sim->method->check_progress(sim, step, err) : FF_OK;
}

/// Reports a part that could not be solved for in the step. @return `status` where there is none
static ff_status report_solve_error(ff_sim *sim, ff_status status, ff_error *err)
{
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        bool ends = false;
        const char *text = slot->inner.solve_error ? slot->inner.solve_error(slot->part.context, &ends) : "";
        if (text[0] && status != FF_STOPPED && (status != FF_OK || ends)) // a part may have ended by ff_stop, too
            return ff_error_set(err, ff_stop_asked() ? FF_STOPPED : FF_SOLVER, "%s cannot be solved for at %.9g s: %s",
                                slot->part.name, ff_sim_time(sim), text);
    }
    return status;
}

// ------------------------------------------------------------------------------------------ the step

/// The method moves x over at most step->left; x_last keeps the state before.
static ff_status move_state(ff_sim *sim, ff_step *step, ff_error *err)
{
    const int row = ff_profile_enter(sim, FF_PROFILE_METHOD);
    memcpy(sim->x_last, sim->x, (size_t)sim->n * sizeof(double));
    sim->time_origin = ff_ticks_to_seconds(sim->ticks);
    step->start = sim->time_origin + step->from;
    const ff_status status = sim->method->step(sim, step, err);
    ff_sim_invalidate(sim, FF_SIM_NOTHING);
    ff_profile_leave(sim, row);
    return status;
}

/// Checks that the new state is finite and within bounds, and puts it onto the loops of the model.
static ff_status check_state(ff_sim *sim, ff_step *step, ff_error *err)
{
    const int row = ff_profile_enter(sim, FF_PROFILE_SOUND);
    const ff_status status = ff_sim_state_sound(sim, sim->x, err) ? ff_sim_close_loops(sim, step, err) : FF_DIVERGED;
    ff_profile_leave(sim, row);
    return status;
}

static ff_status make_step(ff_sim *sim, ff_step *step, ff_error *err)
{
    ff_status status = move_state(sim, step, err);
    if (status) return status;
    update_time(sim, step);
    status = check_state(sim, step, err);
    if (status) return status;
    if (sim->method->finish) sim->method->finish(sim, step); // marks events that crossed
    ff_sim_accept_parts(sim, FF_ACCEPT_STEP);                // parts change their modes
    ff_sim_copy_to_data(sim);                                // q, v and time for readers
    mark_events(sim, step);                                  // before a listener writes another state
    ff_sim_call_listeners(sim);                              // measures, progress
    return serve_events(sim, step, err);                     // handlers
}

ff_status ff_sim_advance(ff_sim *sim, ff_ticks end, bool *arrived, ff_error *err)
{
    ff_status status = prepare(sim, err);
    if (status) return status;
    ff_step step = {.end = end, .from = sim->offset, .located = -1};
    step.left = ff_ticks_to_seconds(end - sim->ticks) - step.from;
    if (step.left > 0.0) {
        status = report_solve_error(sim, make_step(sim, &step, err), err);
    } else { // an event was located exactly at the end
        sim->ticks = end;
        sim->offset = 0.0;
        ff_sim_invalidate(sim, FF_SIM_VELOCITY);
    }
    *arrived = sim->ticks >= end;
    return status;
}
