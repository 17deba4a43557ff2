// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Loop closures in a simulation: the state is put back onto them at the start, after changes from outside and after
// every accepted step. A step leaves a gap of the size of its error; closing it moves the state by as little, so that
// the order of the method does not change (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, section
// IV.4). The energy that this adds is booked under `loops`.
#include "dyn/loop_response.h"
#include "engine/system.h"

#include <stdio.h>

static const double GAP_MOST = 1e-2; // a wider gap at the start is a mistake in the pose        [m, rad]
static const double GAP_LEFT = 1e-6; // a gap below this comes from the digits of a file         [m, rad]
static const double GAP_TORN = 1e-3; // a wider gap after a step and its closing is an error     [m, rad]
static const int ROUNDS_START = 50, ROUNDS_STEP = 4;

ff_status ff_sim_create_loops(ff_sim *sim, ff_error *err)
{
    if (!sim->model || ff_loops_count(sim->model) == 0) return FF_OK;
    sim->loops = ff_loops_create(sim->model, err);
    if (!sim->loops) return FF_NO_MEMORY;
    sim->no_motion = FF_ARENA_NEW(&sim->arena, double, sim->loops->nrow);
    return sim->no_motion ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "no memory for the loops of the model");
}

/// @return loop number `number`, with its place ("robot.yaml:12:3: ") and the unit of its gap, for messages
static const ff_loop *describe(const ff_sim *sim, int number, const double *gap, const char **unit, char *where,
                               size_t size)
{
    const ff_loop *loop = &sim->loops->loops[number];
    int row = 0;
    for (int k = 1; k < loop->nrow; k++)
        if (fabs(sim->loops->phi[loop->row + k]) == *gap) row = k;
    *unit = ff_loops_unit(sim->model, loop, row);
    where[0] = 0;
    if (loop->place.file)
        snprintf(where, size, "%.200s:%d:%d: ", loop->place.file, loop->place.line, loop->place.column);
    return loop;
}

/// @return the loop with the widest gap, described likewise
static const ff_loop *widest(const ff_sim *sim, double *gap, const char **unit, char *where, size_t size)
{
    const int number = ff_loops_widest(sim->loops, gap);
    return describe(sim, number, gap, unit, where, size);
}

static void copy_closed_state(ff_sim *sim)
{
    const ff_data *d = sim->data;
    ff_dyn_normalise(sim->model, sim->data->q);
    memcpy(sim->x, d->q, (size_t)sim->nq * sizeof(double));
    memcpy(sim->x + sim->nq, d->v, (size_t)sim->nv * sizeof(double));
    ff_sim_invalidate(sim, FF_SIM_NOTHING);
}

/// Copies the state to data, where closing the loops changes it.
static void copy_to_data(ff_sim *sim)
{
    ff_sim_invalidate(sim, FF_SIM_NOTHING);
    ff_sim_copy_to_data(sim);
}

static double stored(ff_sim *sim)
{
    return sim->nledger > 0 ? ff_energy_now(sim).total : 0.0;
}

ff_status ff_sim_settle_loops(ff_sim *sim, ff_error *err)
{
    ff_loops *l = sim->loops;
    const char *unit;
    char where[256];
    double gap;
    if (!l || !(sim->due & FF_DUE_LOOPS)) return FF_OK;
    ff_sim_commit_writes(sim);
    copy_to_data(sim);
    if (ff_loops_closed(sim->model, sim->data, l)) {
        sim->due &= ~FF_DUE_LOOPS;
        return FF_OK;
    }
    const int own = ff_loops_widest_own(sim->model, l, &gap);
    const ff_loop *loop = describe(sim, own, &gap, &unit, where, sizeof where);
    if (!(gap <= GAP_MOST))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "%sloop \"%s\" is open by %.4g %s at %.9g s: gaps up to %g %s are closed, a wider one is a "
                            "mistake in the pose or in the loop",
                            where, loop->name, gap, unit, ff_sim_time(sim), GAP_MOST, unit);
    ff_loops_widest(l, &gap);
    const double before = sim->ledger.begun ? stored(sim) : 0.0, first = gap;
    const double left = ff_loops_close(sim->model, sim->data, l, ROUNDS_START);
    ff_sim_invalidate(sim, FF_SIM_NOTHING); // data differs from the state
    if (!(left <= GAP_LEFT)) {
        loop = widest(sim, &gap, &unit, where, sizeof where);
        return ff_error_set(
            err, FF_BAD_ARGUMENT,
            "%sloop \"%s\" cannot close at %.9g s: of a gap of %.4g %s, %.4g %s are left in the nearest pose", where,
            loop->name, ff_sim_time(sim), first, unit, gap, unit);
    }
    copy_closed_state(sim);
    sim->due &= ~FF_DUE_LOOPS;
    if (sim->ledger.begun) sim->ledger.outside += stored(sim) - before;
    ff_sim_copy_to_data(sim);
    return FF_OK;
}

ff_status ff_sim_close_loops(ff_sim *sim, ff_step *step, ff_error *err)
{
    ff_loops *l = sim->loops;
    if (!l) return FF_OK;
    if (sim->method->own_history) sim->ledger.loops -= sim->ledger.loops_last; // its history lacks the last closing
    sim->ledger.loops_last = 0.0;
    copy_to_data(sim);
    if (ff_loops_closed(sim->model, sim->data, l)) return FF_OK;
    const double before = stored(sim);
    const double left = ff_loops_close(sim->model, sim->data, l, ROUNDS_STEP);
    ff_sim_invalidate(sim, FF_SIM_NOTHING); // data differs from the state
    if (!(left <= GAP_TORN)) {
        double gap;
        const char *unit;
        char where[256];
        const ff_loop *loop = widest(sim, &gap, &unit, where, sizeof where);
        return ff_error_set(
            err, FF_SOLVER,
            "%sloop \"%s\" is torn open by %.3g %s at %.9g s: the step of %.3g s is too long for the motion", where,
            loop->name, gap, unit, ff_sim_time(sim), sim->last_step);
    }
    copy_closed_state(sim);
    step->closed = true;
    sim->ledger.loops_last = stored(sim) - before;
    sim->ledger.loops += sim->ledger.loops_last;
    return FF_OK;
}
