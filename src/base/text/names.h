// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Hash table from names to indices, so that files with ten thousand names load in linear time.
#ifndef FOOTFALL_TEXT_NAMES_H
#define FOOTFALL_TEXT_NAMES_H

#include <footfall/base.h>

typedef struct ff_names {
    const char **keys; // borrowed
    int *values;
    size_t mask; // size - 1, a power of two minus one
} ff_names;

/// Room for `most` names in `arena`; false when out of memory.
bool ff_names_init(ff_names *names, ff_arena *arena, int most);
/// Adds a name; @return the index it already had, or -1 when it was new.
int ff_names_put(ff_names *names, const char *name, int index);
/// Index of a name, -1 when absent. NULL is absent.
int ff_names_get(const ff_names *names, const char *name);

/// Position of a word in a short list, NULL-ended; -1: it is not there.
int ff_word_find(const char *const *words, const char *word);

#endif
