// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The list that channels are added to.
#include "engine/channel.h"

#include <string.h>

const char *const ff_channel_xyz[3] = {"x", "y", "z"};

/// Doubles the capacity, in the arena of the simulation.
static bool grow(ff_channel_list *l)
{
    const int capacity = l->capacity > 0 ? 2 * l->capacity : 128;
    ff_channel *more = FF_ARENA_NEW(&l->sim->arena, ff_channel, capacity);
    if (!more) return false;
    if (l->count > 0) memcpy(more, l->channels, (size_t)l->count * sizeof *more);
    l->channels = more;
    l->capacity = capacity;
    return true;
}

ff_channel *ff_channel_add(ff_channel_list *l, const char *name, const char *units, int width, const char *const *names,
                           ff_channel_reader *read, int index)
{
    if (!name || (l->count == l->capacity && !grow(l))) {
        l->failed = true;
        return NULL;
    }
    ff_channel *c = &l->channels[l->count++];
    *c =
        (ff_channel){.name = name, .units = units, .width = width, .read = read, .index = index, .context = l->context};
    c->names = (const char **)(uintptr_t)names; // column names are never written to
    return c;
}
