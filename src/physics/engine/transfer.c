// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The one list of fields that a saved state has, walked to measure, to write and to read it (archive.h); a method adds
// its own.
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

/// What the engine itself holds.
static void transfer_engine(ff_archive *c, ff_sim *sim)
{
    ff_archive_int64(c, &sim->ticks);
    ff_archive_numbers(c, &sim->offset, 1);
    ff_archive_numbers(c, &sim->last_step, 1);
    transfer_counts(c, &sim->counts);
    ff_archive_numbers(c, sim->x, sim->n);
    ff_archive_bool(c, &sim->ledger_begun);
    ff_archive_numbers(c, &sim->ledger_start, 1);
    ff_archive_numbers(c, &sim->outside, 1);
    ff_archive_numbers(c, &sim->cooled, 1);
    ff_archive_numbers(c, &sim->cooled_stops, 1);
    if (sim->loops) {
        ff_archive_numbers(c, &sim->closing, 1);
        ff_archive_numbers(c, &sim->closing_last, 1);
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
    for (int i = 0; i < sim->nevent; i++) {
        ff_archive_numbers(c, &sim->events[i].value, 1);
        ff_archive_numbers(c, &sim->events[i].slack, 1);
        ff_archive_int(c, &sim->events[i].sign);
    }
    ff_archive_int(c, &sim->stuck);
    for (int i = 0; i < sim->nrandom; i++) ff_archive_field(c, sim->randoms[i], sizeof *sim->randoms[i]);
    ff_archive_numbers(c, &sim->in.step, 1);
    ff_archive_numbers(c, &sim->in.error_old, 1);
    ff_archive_numbers(c, &sim->in.tried_step, 1);
    ff_archive_numbers(c, &sim->in.tried_error, 1);
    ff_archive_numbers(c, &sim->in.slack, 1);
    ff_archive_int(c, &sim->in.rough);
    ff_archive_int(c, &sim->in.jumps);
    ff_archive_bool(c, &sim->in.first_ready);
    ff_archive_bool(c, &sim->in.refused_last);
    ff_archive_numbers(c, sim->in.k[0], sim->n);
    if (sim->method->transfer) sim->method->transfer(sim, c, FF_UNDO_WHOLE);
}

void ff_sim_transfer(ff_archive *c, ff_sim *sim)
{
    transfer_engine(c, sim);
    for (int i = 0; i < sim->nmemory; i++) ff_archive_field(c, sim->memories[i].address, sim->memories[i].size);
}

// ------------------------------------------------------------------------------------------ undo

// A step that ff_stop ends before it is whole leaves no trace: what it changes is kept, list by list, before it does.

/// What the method changes in a step, besides x, which x_last keeps.
static void transfer_undo(ff_archive *c, ff_sim *sim, ff_undo_list list)
{
    if (list == FF_UNDO_WHOLE) {
        ff_sim_transfer(c, sim);
        return;
    }
    if (list == FF_UNDO_TRIES) {
        transfer_counts(c, &sim->counts);
        ff_archive_numbers(c, &sim->in.step, 1);
    }
    sim->method->transfer(sim, c, list);
}

ff_status ff_undo_create(ff_sim *sim, ff_error *err)
{
    if (sim->undo || !sim->method->transfer || !ff_stop_get()) return FF_OK;
    ff_archive c = {.mode = FF_ARCHIVE_MEASURE};
    for (int i = 0; i < FF_UNDO_COUNT; i++) {
        sim->undo_at[i] = c.at;
        transfer_undo(&c, sim, (ff_undo_list)i);
    }
    sim->undo = malloc(c.at);
    return sim->undo ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "no memory for the state before a step");
}

void ff_undo_begin(ff_sim *sim)
{
    sim->undoable = sim->undo && ff_stop_get();
    for (int i = 0; i < FF_UNDO_COUNT; i++) sim->undo_kept[i] = false;
    ff_undo_keep(sim, FF_UNDO_TRIES);
}

void ff_undo_keep(ff_sim *sim, ff_undo_list list)
{
    if (!sim->undoable || sim->undo_kept[list]) return;
    ff_archive c = {.mode = FF_ARCHIVE_WRITE, .bytes = sim->undo, .at = sim->undo_at[list], .lean = true};
    transfer_undo(&c, sim, list);
    sim->undo_kept[list] = true;
}

ff_status ff_undo_step(ff_sim *sim)
{
    for (int i = FF_UNDO_COUNT - 1; i >= 0; i--) { // the last one was kept after the others had begun to change
        if (!sim->undo_kept[i]) continue;
        ff_archive c = {.mode = FF_ARCHIVE_READ, .bytes = sim->undo, .at = sim->undo_at[i], .lean = true};
        transfer_undo(&c, sim, (ff_undo_list)i);
    }
    memcpy(sim->x, sim->x_last, (size_t)sim->n * sizeof(double));
    return FF_STOPPED;
}
