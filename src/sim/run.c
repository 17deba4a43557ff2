// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The run loop: tasks due now, then the longest stretch to the next task or the end, step by step. A fixed step that
// would pass the end of a stretch is shortened to land on it; the grid of steps starts anew there.
#include "sim/implicit.h"

#include <math.h>
#include <string.h>

void ff_sim_count_step(ff_sim *sim, double h)
{
    ff_sim_counts *c = &sim->counts;
    if (c->steps == 0 || h < c->shortest_step) c->shortest_step = h;
    if (c->steps == 0 || h > c->longest_step) c->longest_step = h;
    c->steps++;
    sim->last_step = h;
}

// ------------------------------------------------------------------------------------------ fixed steps

/// Sign changes over the step just made; the handler hears of them at its end, with a linear estimate of the time.
int ff_sim_serve_events(ff_sim *sim, double t0, double h)
{
    int all = 0;
    for (int i = 0; i < sim->nevent_user; i++) {
        ff_event_slot *slot = &sim->events[i];
        const double before = slot->value;
        const double after = ff_sim_event_value(sim, i, ff_sim_time(sim) - sim->base, sim->x);
        const int sign = (after > 0.0) - (after < 0.0);
        const bool crossed = sign * slot->sign < 0 && slot->event.direction * sign >= 0;
        slot->value = after;
        if (sign != 0) slot->sign = sign;
        if (!crossed) continue;
        slot->crossing = sign;
        ff_sim_publish(sim);
        all |= ff_sim_handle_events(sim, t0 + h * before / (before - after));
        if (!sim->events_ready) break; // the handler changed the state: the other values are of the past
    }
    if (sim->nevent > 0) ff_sim_publish(sim);
    return all;
}

ff_status ff_sim_advance_fixed(ff_sim *sim, ff_ticks end, bool *arrived, ff_error *err)
{
    const ff_ticks left = end - sim->ticks;
    const ff_ticks length = left < sim->step_ticks ? left : sim->step_ticks;
    const double h = ff_ticks_to_seconds(length), t0 = ff_ticks_to_seconds(sim->ticks);
    sim->base = t0;
    memcpy(sim->x_last, sim->x, (size_t)sim->n * sizeof(double));
    bool ok = false;
    if (sim->options.method == FF_METHOD_IMPLICIT) {
        const ff_status status = ff_implicit_step(sim, h, err);
        if (status) return status;
        ok = true;
    }
    if (sim->options.method == FF_METHOD_EULER) ok = ff_step_euler(&sim->ode, &sim->in, 0.0, h, sim->x);
    if (sim->options.method == FF_METHOD_RK2) ok = ff_step_rk2(&sim->ode, &sim->in, 0.0, h, sim->x);
    if (sim->options.method == FF_METHOD_RK4) ok = ff_step_rk4(&sim->ode, &sim->in, 0.0, h, sim->x);
    if (!ok) return ff_sim_derivative_failed(sim, err);
    sim->ticks += length;
    ff_sim_count_step(sim, h);
    if (!ff_sim_state_sound(sim, sim->x, err)) return FF_DIVERGED;
    const ff_status closed = ff_sim_close_loops(sim, err);
    if (closed) return closed;
    ff_sim_publish(sim);
    ff_sim_accept(sim);
    ff_sim_tell_listeners(sim);
    if (sim->nevent > 0 && sim->events_ready) ff_sim_serve_events(sim, t0, h);
    *arrived = sim->ticks >= end;
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ the loop

static ff_status advance_by_method(ff_sim *sim, ff_ticks end, bool *arrived, ff_error *err)
{
    const bool implicit = sim->options.method == FF_METHOD_IMPLICIT;
    if (implicit && sim->options.accuracy > 0.0) return ff_sim_advance_implicit(sim, end, arrived, err);
    if (implicit || sim->options.method <= FF_METHOD_RK4) return ff_sim_advance_fixed(sim, end, arrived, err);
    if (sim->options.method == FF_METHOD_ADAPTIVE) return ff_sim_advance_adaptive(sim, end, arrived, err);
    return ff_sim_advance_cvode(sim, end, arrived, err);
}

ff_status ff_sim_advance(ff_sim *sim, ff_ticks end, bool *arrived, ff_error *err)
{
    ff_status status = ff_sim_settle_loops(sim, err);
    if (status) return status;
    if (sim->world && sim->world->stale) ff_sim_accept(sim);
    ff_ledger_begin(sim);
    ff_sim_prepare_events(sim);
    status = advance_by_method(sim, end, arrived, err);
    const ff_rigid *rigid = sim->world ? sim->world->rigid : NULL;
    if (!rigid || !rigid->trouble[0] || (status == FF_OK && !rigid->failed)) return status;
    return ff_error_set(err, FF_SOLVER, "contacts cannot be solved for at %.9g s: %s", ff_sim_time(sim),
                        rigid->trouble);
}

/// What callers may have written between runs is taken over: q, v (also without ff_sim_changed) and held forces.
static void take_over_changes(ff_sim *sim)
{
    const ff_data *d = sim->data;
    if (d && (memcmp(d->q, sim->x, (size_t)sim->nq * sizeof(double)) != 0 ||
              memcmp(d->v, sim->x + sim->nq, (size_t)sim->nv * sizeof(double)) != 0))
        ff_sim_adopt(sim);
    const int ncommand = sim->model ? sim->model->nactuator : 0;
    if (memcmp(sim->held, sim->held_known, (size_t)sim->nv * sizeof(double)) != 0 ||
        memcmp(sim->command, sim->command_known, (size_t)ncommand * sizeof(double)) != 0)
        ff_sim_forget(sim, false);
}

void ff_sim_know_held(ff_sim *sim)
{
    const int ncommand = sim->model ? sim->model->nactuator : 0;
    memcpy(sim->held_known, sim->held, (size_t)sim->nv * sizeof(double));
    memcpy(sim->command_known, sim->command, (size_t)ncommand * sizeof(double));
}

static ff_status loop(ff_sim *sim, ff_ticks until, long long most, ff_error *err)
{
    const long long bound = sim->options.max_steps;
    const long long tried = sim->counts.steps + sim->counts.refused;
    ff_sim_run_tasks(sim);
    for (long long made = 0; !sim->stop && made < most && (sim->ticks < until || sim->offset > 0.0); made++) {
        ff_sim_run_aside(sim, until);
        const ff_ticks next = ff_sim_next_task(sim);
        bool arrived = false;
        const ff_status status = ff_sim_advance(sim, next < until ? next : until, &arrived, err);
        if (status) return status;
        if (arrived) ff_sim_run_tasks(sim);
        if (bound > 0 && sim->counts.steps + sim->counts.refused - tried >= bound && sim->ticks < until)
            return ff_error_set(err, FF_SOLVER,
                                "%lld steps were not enough: the run stands at %.9g s, the last steps at %.3g s", bound,
                                ff_sim_time(sim), sim->in.step);
    }
    return sim->stop ? ff_error_set(err, FF_STOPPED, "stopped at %.9g s%s%s", ff_sim_time(sim),
                                    sim->reason[0] ? ": " : "", sim->reason)
                     : FF_OK;
}

static ff_status run(ff_sim *sim, double until, long long most, ff_error *err)
{
    ff_status status = ff_sim_begin(sim, err);
    if (status) return status;
    const ff_ticks end = ff_ticks_from_seconds(until);
    if (!isfinite(until) || end == INT64_MAX || end < sim->ticks || ff_ticks_to_seconds(end - sim->ticks) < sim->offset)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "cannot run from %.9g s to %g s: time goes forward and ends before %.0f s",
                            ff_sim_time(sim), until, ff_ticks_to_seconds(INT64_MAX));
    sim->stop = false;
    sim->reason[0] = 0;
    sim->forces_ready = false;
    take_over_changes(sim);
    if (!ff_sim_state_sound(sim, sim->x, err)) return FF_DIVERGED;
    status = ff_sim_settle_loops(sim, err);
    if (!status) status = loop(sim, end, most, err);
    if (status) ff_sim_publish(sim); // trial states must not pass for a state the caller wrote
    ff_sim_know_held(sim);
    return status;
}

ff_status ff_sim_run(ff_sim *sim, double until, ff_error *err)
{
    return run(sim, until, INT64_MAX, err);
}

ff_status ff_sim_step(ff_sim *sim, double until, ff_error *err)
{
    return run(sim, until, 1, err);
}
