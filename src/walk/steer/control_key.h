// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of controllers as tables (text/schema.h) that also say where in a struct a value goes: they are read into the
// struct, and those that were given are merged into another. Defaults are what stands in the struct.
#ifndef FOOTFALL_STEER_CONTROL_KEY_H
#define FOOTFALL_STEER_CONTROL_KEY_H

#include "image/store.h"
#include "text/schema.h"
#include "text/yaml.h"

#include <footfall/model.h>

#include <math.h>
#include <stddef.h>

/// What readers of settings and commands need.
typedef struct ff_steer_reader {
    ff_arena *arena; // takes what is read
    ff_report *report;
    const char *file;      // relative paths start beside it; lives as long as the arena
    ff_store *store;       // other files are read through it; NULL: from disk
    const ff_model *robot; // of the robot alone, as its file describes it
    bool live;             // a command is read while the controller runs: what is read lives no longer than the command
} ff_steer_reader;

// Rows about a struct that the file names by `#define OF struct_type`: double, int, bool, int or enum, const char *.
// Other rows, of lists and maps, are read by the kind.
// clang-format off
#define FF_ROW_NUMBER(name, field, unit, range, help)                                                                  \
    {name, FF_TAKES_NUMBER, unit, range, 1, 1, 0, help, 0, 0, offsetof(OF, field)}
#define FF_ROW_INTEGER(name, field, range, help)                                                                       \
    {name, FF_TAKES_NUMBER | FF_TAKES_WHOLE, "", range, 1, 1, 0, help, 0, 0, offsetof(OF, field)}
#define FF_ROW_SWITCH(name, field, help)                                                                               \
    {name, FF_TAKES_SWITCH, "", FF_ANY, 0, 0, 0, help, 0, 0, offsetof(OF, field)}
#define FF_ROW_CHOICE(name, field, words, help)                                                                        \
    {name, FF_TAKES_WORD, "", FF_ANY, 0, 0, 0, help, words, 0, offsetof(OF, field)}
#define FF_ROW_TEXT(name, field, help)                                                                                 \
    {name, FF_TAKES_TEXT, "", FF_ANY, 0, 0, 0, help, 0, 0, offsetof(OF, field)}
// clang-format on

/// Reads the keys of a table, but those that the kind reads, from a map into `values`; what is absent stays. The
/// schema has checked them.
/// @param given  which were there and sound, in the order of the table; NULL: nobody asks
void ff_control_keys_read(const ff_steer_reader *r, ff_yaml *map, const ff_row *table, void *values, bool *given);
/// Copies the values that were given. Texts are not copied, only the pointers to them.
void ff_control_keys_copy(const ff_row *table, const bool *given, const void *from, void *to);
/// The value of a key as a file would give it, such as a default: "0.02", "true", "wave"; "" for maps and lists.
void ff_control_key_format(const ff_row *setting, const void *values, char *out, size_t size);

#endif
