// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of a simulation: adding and finding them.
#include "base/missing.h"
#include "engine/system.h"

#include <string.h>

static bool grow_start(ff_sim *sim, int count)
{
    while (sim->nz + count > sim->start_capacity) {
        int capacity = sim->start_capacity;
        if (!ff_array_grow(&sim->part_start, capacity, &sim->start_capacity, sizeof(double))) return false;
    }
    if (count > 0) memset(sim->part_start + sim->nz, 0, (size_t)count * sizeof(double));
    return true;
}

static ff_status check_part(const ff_sim *sim, const ff_part *part, ff_error *err)
{
    if (!part) return ff_error_missing(err, "ff_sim_add_part", "part");
    const char *name = part->name ? part->name : "";
    if (sim->begun) return ff_error_set(err, FF_BAD_ARGUMENT, "a part must be added before the first run");
    if (part->nstate < 0 || part->nstate > 1000000 || (!part->derivative && part->nstate > 0))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "part \"%s\" needs a derivative and between 0 and 1000000 states, not %d", name,
                            part->nstate);
    if (part->nevent > 0 && (!part->event_values || !part->event))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "part \"%s\" has %d events and lacks their values or what happens at them", name,
                            part->nevent);
    for (int i = 0; i < sim->npart; i++)
        if (strcmp(sim->parts[i].part.name, name) == 0)
            return ff_error_set(err, FF_BAD_ARGUMENT, "two parts are called \"%s\"", name);
    return FF_OK;
}

int ff_sim_add_inner_part(ff_sim *sim, const ff_part *part, const ff_part_inner *inner, ff_error *err)
{
    if (check_part(sim, part, err)) return -1;
    const char *name = ff_arena_strdup(&sim->arena, part->name ? part->name : "");
    if (!name || !ff_array_grow(&sim->parts, sim->npart, &sim->part_capacity, sizeof *sim->parts) ||
        !grow_start(sim, part->nstate)) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for one more part");
        return -1;
    }
    for (int i = 0; i < part->nmemory; i++)
        if (ff_sim_add_memory(sim, name, part->memory[i].address, part->memory[i].size, err)) return -1;
    sim->parts[sim->npart] =
        (ff_part_slot){.part = *part, .inner = *inner, .offset = sim->nz, .integral = sim->nintegral};
    sim->parts[sim->npart].part.name = name;
    sim->parts[sim->npart].part.memory = NULL; // registered above, and the caller's
    sim->nz += part->nstate;
    sim->nintegral += inner->nintegral;
    sim->nplace += inner->place != NULL;
    sim->nconstrain += inner->constrain != NULL;
    return sim->npart++;
}

int ff_sim_add_part(ff_sim *sim, const ff_part *part, ff_error *err)
{
    return ff_sim_add_inner_part(sim, part, &(ff_part_inner){0}, err);
}

void *ff_sim_find_inner(const ff_sim *sim, const void *kind)
{
    for (int i = 0; i < sim->npart; i++)
        if (sim->parts[i].inner.kind == kind) return sim->parts[i].part.context;
    return NULL;
}

double *ff_sim_part_integrals(ff_sim *sim, int part)
{
    return sim->x + sim->n - sim->nintegral + sim->parts[part].integral;
}
