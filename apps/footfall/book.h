// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The experiment book as files: a folder of scenes, each an experiment named after its file.
#ifndef FOOTFALL_APPS_BOOK_H
#define FOOTFALL_APPS_BOOK_H

#include <footfall/base.h>

typedef struct book_entry {
    const char *name; // of the file, without ".yaml"
    const char *path;
} book_entry;

typedef struct book {
    const char *folder;
    book_entry *entries; // by name, numbers inside names by value: e2 before e10
    int count;
} book;

/// Reads the folder, or where it is NULL the one that belongs to this program: beside its installed data, or in the
/// source tree it was built from. What is kept lives in `arena`. @return false with the reason in `err`
bool book_open(book *out, const char *folder, ff_arena *arena, ff_error *err);

/// Is this experiment meant? By its name, or by the start of it up to a dash: "e1" means "e1-rubber-bounce" but not
/// "e10-rest".
bool book_is_meant(const book_entry *entry, const char *name, size_t length);

#endif
