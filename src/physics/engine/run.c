// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The run loop: tasks due now, then the interval to the next task or the end, step by step (advance.c).
#include "engine/archive.h"
#include "engine/system.h"

#include <math.h>
#include <string.h>

static const char INTERRUPTED[] = "interrupted";

static ff_status loop(ff_sim *sim, ff_ticks until, long long most, ff_error *err)
{
    const long long bound = sim->options.max_steps;
    const long long tried = sim->counts.steps + sim->counts.refused;
    ff_sim_run_tasks(sim);
    for (long long made = 0;
         !sim->stop && !sim->mistake->status && made < most && (sim->ticks < until || sim->offset > 0.0); made++) {
        if (sim->nasynchronous > 0) ff_sim_run_asynchronous(sim, until);
        if (ff_stop_asked()) ff_sim_stop(sim, INTERRUPTED);
        if (sim->stop) break;
        const ff_ticks next = ff_sim_next_task(sim);
        bool arrived = false;
        const ff_status status = ff_sim_advance(sim, next < until ? next : until, &arrived, err);
        if (status == FF_STOPPED) { // during a step, which was undone
            ff_sim_stop(sim, INTERRUPTED);
            break;
        }
        if (status) return status;
        if (arrived) ff_sim_run_tasks(sim);
        if (bound > 0 && sim->counts.steps + sim->counts.refused - tried >= bound && sim->ticks < until)
            return ff_error_set(err, FF_SOLVER,
                                "%lld steps were not enough: the run stands at %.9g s, the last steps at %.3g s", bound,
                                ff_sim_time(sim), sim->integrator.step);
    }
    if (sim->mistake->status)
        return ff_error_set(err, sim->mistake->status, "at %.9g s: %.400s", ff_sim_time(sim), sim->mistake->text);
    return sim->stop ? ff_error_set(err, FF_STOPPED, "stopped at %.9g s%s%s", ff_sim_time(sim),
                                    sim->reason[0] ? ": " : "", sim->reason)
                     : FF_OK;
}

/// For assertions: callers must write the state by the setters, and not ff_sim_data.
__attribute__((unused)) static bool is_untouched(const ff_sim *sim)
{
    const ff_data *d = sim->data;
    return !d || (memcmp(d->q, sim->x, (size_t)sim->nq * sizeof(double)) == 0 &&
                  memcmp(d->v, sim->x + sim->nq, (size_t)sim->nv * sizeof(double)) == 0);
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
    ff_sim_commit_writes(sim);
    if (sim->mistake->status) return ff_error_set(err, sim->mistake->status, "%s", sim->mistake->text);
    status = ff_sim_save_start(sim, err);
    if (!status) status = ff_undo_create(sim, err);
    if (status) return status;
    FF_ASSERT(is_untouched(sim));
    ff_sim_invalidate(sim, FF_SIM_VELOCITY); // forces may depend on more than the state
    status = ff_sim_state_sound(sim, sim->x, err) ? ff_sim_settle(sim, err) : FF_DIVERGED; // before tasks read sensors
    if (!status) status = loop(sim, end, most, err);
    if (status) ff_sim_copy_to_data(sim); // in place of the trial state that failed
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
