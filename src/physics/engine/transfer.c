// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of fields of a saved state (archive.h), to which the method adds its own; and steps that are undone.
#include "engine/archive.h"
#include "engine/system.h"

#include <stdlib.h>

static void transfer_counts(ff_archive *c, ff_sim_counts *counts)
{
    long long *const all[] = {&counts->steps,          &counts->refused,   &counts->evaluations, &counts->iterations,
                              &counts->factorisations, &counts->fallbacks, &counts->edges,       &counts->rough,
                              &counts->events,         &counts->tasks};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        int64_t wide = *all[i];
        ff_archive_int64(c, &wide);
        *all[i] = wide;
    }
    ff_archive_numbers(c, &counts->shortest_step, 1);
    ff_archive_numbers(c, &counts->longest_step, 1);
    ff_archive_numbers(c, &counts->rough_from, 1);
}

/// Fields of the engine.
static void transfer_engine(ff_archive *c, ff_sim *sim)
{
    ff_archive_int64(c, &sim->ticks);
    ff_archive_numbers(c, &sim->offset, 1);
    ff_archive_numbers(c, &sim->last_step, 1);
    transfer_counts(c, &sim->counts);
    ff_archive_numbers(c, sim->x, sim->n);
    ff_archive_bool(c, &sim->ledger.begun);
    ff_archive_numbers(c, &sim->ledger.start, 1);
    ff_archive_numbers(c, &sim->ledger.outside, 1);
    ff_archive_numbers(c, &sim->ledger.friction_debt, 1);
    ff_archive_numbers(c, &sim->ledger.stops_debt, 1);
    if (sim->loops) {
        ff_archive_numbers(c, &sim->ledger.loops, 1);
        ff_archive_numbers(c, &sim->ledger.loops_last, 1);
    }
    ff_archive_numbers(c, sim->held, sim->nv);
    ff_archive_numbers(c, sim->command, sim->model ? sim->model->nactuator : 0);
    ff_archive_field(c, sim->applied, (size_t)(sim->model ? sim->model->nbody : 0) * sizeof *sim->applied);
    if (sim->data) ff_archive_field(c, sim->data->mocap, (size_t)sim->model->nmocap * sizeof *sim->data->mocap);
    for (int i = 0; i < sim->ntask; i++) {
        ff_archive_int64(c, &sim->tasks[i].next);
        ff_archive_int64(c, &sim->tasks[i].calls);
    }
    ff_archive_int(c, &sim->due);
    for (int i = 0; i < sim->events.count; i++) {
        ff_archive_numbers(c, &sim->events.slots[i].value, 1);
        ff_archive_numbers(c, &sim->events.slots[i].slack, 1);
        ff_archive_int(c, &sim->events.slots[i].sign);
    }
    ff_archive_int(c, &sim->events.stuck);
    for (int i = 0; i < sim->nrandom; i++) ff_archive_field(c, sim->randoms[i], sizeof *sim->randoms[i]);
    ff_archive_numbers(c, &sim->integrator.step, 1);
    ff_archive_numbers(c, &sim->integrator.error_old, 1);
    ff_archive_numbers(c, &sim->integrator.tried_step, 1);
    ff_archive_numbers(c, &sim->integrator.tried_error, 1);
    ff_archive_numbers(c, &sim->integrator.slack, 1);
    ff_archive_int(c, &sim->integrator.rough);
    ff_archive_int(c, &sim->integrator.jumps);
    ff_archive_bool(c, &sim->integrator.first_ready);
    ff_archive_bool(c, &sim->integrator.refused_last);
    ff_archive_numbers(c, sim->integrator.k[0], sim->n);
    if (sim->method->transfer) sim->method->transfer(sim, c, FF_UNDO_WHOLE);
}

void ff_sim_transfer(ff_archive *c, ff_sim *sim)
{
    transfer_engine(c, sim);
    for (int i = 0; i < sim->nmemory; i++) ff_archive_field(c, sim->memories[i].address, sim->memories[i].size);
}

// ------------------------------------------------------------------------------------------ undo

/// Walks a list of what the method changes in a step, besides x, which x_last keeps.
static void transfer_undo(ff_archive *c, ff_sim *sim, ff_undo_list list)
{
    if (list == FF_UNDO_WHOLE) {
        ff_sim_transfer(c, sim);
        return;
    }
    if (list == FF_UNDO_TRIES) {
        transfer_counts(c, &sim->counts);
        ff_archive_numbers(c, &sim->integrator.step, 1);
    }
    sim->method->transfer(sim, c, list);
}

ff_status ff_undo_create(ff_sim *sim, ff_error *err)
{
    if (sim->undo.bytes || !sim->method->transfer || !ff_stop_get()) return FF_OK;
    ff_archive c = {.mode = FF_ARCHIVE_MEASURE};
    for (int i = 0; i < FF_UNDO_COUNT; i++) {
        sim->undo.at[i] = c.at;
        transfer_undo(&c, sim, (ff_undo_list)i);
    }
    sim->undo.bytes = malloc(c.at);
    return sim->undo.bytes ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "no memory for the state before a step");
}

void ff_undo_begin(ff_sim *sim)
{
    sim->undo.possible = sim->undo.bytes && ff_stop_get();
    for (int i = 0; i < FF_UNDO_COUNT; i++) sim->undo.kept[i] = false;
    ff_undo_keep(sim, FF_UNDO_TRIES);
}

void ff_undo_keep(ff_sim *sim, ff_undo_list list)
{
    if (!sim->undo.possible || sim->undo.kept[list]) return;
    ff_archive c = {.mode = FF_ARCHIVE_WRITE, .bytes = sim->undo.bytes, .at = sim->undo.at[list], .lean = true};
    transfer_undo(&c, sim, list);
    sim->undo.kept[list] = true;
}

ff_status ff_undo_step(ff_sim *sim)
{
    for (int i = FF_UNDO_COUNT - 1; i >= 0; i--) { // later lists were kept after earlier ones had begun to change
        if (!sim->undo.kept[i]) continue;
        ff_archive c = {.mode = FF_ARCHIVE_READ, .bytes = sim->undo.bytes, .at = sim->undo.at[i], .lean = true};
        transfer_undo(&c, sim, (ff_undo_list)i);
    }
    memcpy(sim->x, sim->x_last, (size_t)sim->n * sizeof(double));
    return FF_STOPPED;
}
