// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A step that ff_stop ends before it is whole leaves no trace: what it changes is kept, list by list, before it does.
#include "engine/archive.h"
#include "engine/system.h"

#include <stdlib.h>
#include <string.h>

/// What the method changes in a step, beside x, which x_last keeps.
static void transfer_undo(ff_archive *c, ff_sim *sim, ff_undo_list list)
{
    if (list == FF_UNDO_WHOLE) {
        ff_sim_transfer(c, sim);
        return;
    }
    if (list == FF_UNDO_TRIES) {
        ff_sim_transfer_counts(c, &sim->counts);
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
