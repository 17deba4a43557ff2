// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A hash table with open addressing and linear probing, at most half full.
#include "text/names.h"

#include <string.h>

bool ff_names_init(ff_names *names, ff_arena *arena, int most)
{
    size_t size = 16;
    while (size < 2 * (size_t)most) size *= 2;
    names->keys = FF_ARENA_NEW(arena, const char *, size);
    names->values = FF_ARENA_NEW(arena, int, size);
    names->mask = size - 1;
    return names->keys && names->values;
}

/// Slot of the name, or the free slot for it.
static size_t slot_of(const ff_names *names, const char *name)
{
    size_t slot = (size_t)ff_hash(name, strlen(name), FF_HASH_START) & names->mask;
    while (names->keys[slot] && strcmp(names->keys[slot], name) != 0) slot = (slot + 1) & names->mask;
    return slot;
}

int ff_names_put(ff_names *names, const char *name, int index)
{
    size_t slot = slot_of(names, name);
    if (names->keys[slot]) return names->values[slot];
    names->keys[slot] = name;
    names->values[slot] = index;
    return -1;
}

int ff_names_get(const ff_names *names, const char *name)
{
    if (!name) return -1;
    size_t slot = slot_of(names, name);
    return names->keys[slot] ? names->values[slot] : -1;
}

int ff_word_find(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0) return i;
    return -1;
}
