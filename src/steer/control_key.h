// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of controllers as tables: name, unit, range, default and help of each parameter and of each key of a command.
// One table describes the keys, reads them into a struct and merges those that were given into another.
#ifndef FOOTFALL_STEER_CONTROL_KEY_H
#define FOOTFALL_STEER_CONTROL_KEY_H

#include "model/store.h"
#include "model/yaml.h"

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

typedef enum ff_control_key_type {
    FF_KEY_NUMBER,  // double
    FF_KEY_INTEGER, // int
    FF_KEY_SWITCH,  // bool
    FF_KEY_CHOICE,  // int or enum, number of a word
    FF_KEY_TEXT,    // const char *
    FF_KEY_MAP,     // with `keys`: those, in the same struct; without: read by the kind
    FF_KEY_LIST,    // read by the kind
} ff_control_key_type;

/// Numbers that are accepted.
typedef struct ff_range {
    double low, high;
    bool open; // the bounds themselves are refused
} ff_range;
#define FF_ANY                                                                                                         \
    {                                                                                                                  \
        -INFINITY, INFINITY, false                                                                                     \
    }
#define FF_POSITIVE                                                                                                    \
    {                                                                                                                  \
        0.0, INFINITY, true                                                                                            \
    }
#define FF_NOT_NEGATIVE                                                                                                \
    {                                                                                                                  \
        0.0, INFINITY, false                                                                                           \
    }
#define FF_AT_LEAST(low)                                                                                               \
    {                                                                                                                  \
        low, INFINITY, false                                                                                           \
    }
#define FF_BETWEEN(low, high)                                                                                          \
    {                                                                                                                  \
        low, high, false                                                                                               \
    }
#define FF_STRICTLY_BETWEEN(low, high)                                                                                 \
    {                                                                                                                  \
        low, high, true                                                                                                \
    }

typedef struct ff_control_key {
    const char *name; // NULL: behind the last of a table
    ff_control_key_type type;
    const char *unit; // "": none
    ff_range range;   // of numbers
    size_t offset;    // of the value in the struct the table is about; its default stands there before it is read
    const char *help;
    const char *const *choices;        // of a choice, NULL-ended
    const struct ff_control_key *keys; // of a map
} ff_control_key;

// Rows, in tables about a struct that the file names by `#define OF struct_type`.
#define FF_ROW_NUMBER(name, field, unit, range, help)                                                                  \
    {                                                                                                                  \
        name, FF_KEY_NUMBER, unit, range, offsetof(OF, field), help, 0, 0                                              \
    }
#define FF_ROW_INTEGER(name, field, range, help)                                                                       \
    {                                                                                                                  \
        name, FF_KEY_INTEGER, "", range, offsetof(OF, field), help, 0, 0                                               \
    }
#define FF_ROW_SWITCH(name, field, help)                                                                               \
    {                                                                                                                  \
        name, FF_KEY_SWITCH, "", FF_ANY, offsetof(OF, field), help, 0, 0                                               \
    }
#define FF_ROW_CHOICE(name, field, words, help)                                                                        \
    {                                                                                                                  \
        name, FF_KEY_CHOICE, "", FF_ANY, offsetof(OF, field), help, words, 0                                           \
    }
#define FF_ROW_TEXT(name, field, help)                                                                                 \
    {                                                                                                                  \
        name, FF_KEY_TEXT, "", FF_ANY, offsetof(OF, field), help, 0, 0                                                 \
    }
#define FF_ROW_KEYS(name, table, help)                                                                                 \
    {                                                                                                                  \
        name, FF_KEY_MAP, "", FF_ANY, 0, help, 0, table                                                                \
    }
#define FF_ROW_MAP(name, unit, help)                                                                                   \
    {                                                                                                                  \
        name, FF_KEY_MAP, unit, FF_ANY, 0, help, 0, 0                                                                  \
    }
#define FF_ROW_LIST(name, unit, help)                                                                                  \
    {                                                                                                                  \
        name, FF_KEY_LIST, unit, FF_ANY, 0, help, 0, 0                                                                 \
    }

/// Reads the keys of a table, but those that the kind reads, from a map into `values`; what is absent or wrong stays,
/// and what is wrong is reported.
/// @param given  which were there and sound, in the order of the table; NULL: nobody asks
void ff_control_keys_read(const ff_steer_reader *r, ff_yaml *map, const ff_control_key *table, void *values,
                          bool *given);
/// Copies the values that were given. Texts are not copied, only the pointers to them.
void ff_control_keys_copy(const ff_control_key *table, const bool *given, const void *from, void *to);
/// The value of a key as a file would give it, such as a default: "0.02", "true", "wave"; "" for maps and lists.
void ff_control_key_format(const ff_control_key *setting, const void *values, char *out, size_t size);

#endif
