// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The run loop: tasks due now, then the longest stretch to the next task or the end, step by step (advance.c).
#include "sim/system.h"

#include <math.h>
#include <string.h>

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
