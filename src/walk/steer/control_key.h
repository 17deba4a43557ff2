// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings and commands of controllers (control/setting.h) as files give them.
#ifndef FOOTFALL_STEER_CONTROL_KEY_H
#define FOOTFALL_STEER_CONTROL_KEY_H

#include "control/setting.h"
#include "image/store.h"
#include "text/yaml.h"

#include <footfall/model.h>

/// What readers of settings and commands need.
typedef struct ff_steer_reader {
    ff_arena *arena; // takes what is read
    ff_report *report;
    const char *file;      // relative paths start beside it; lives as long as the arena
    ff_store *store;       // other files are read through it; NULL: from disk
    const ff_model *robot; // of the robot alone, as its file describes it
    bool live;             // a command is read while the controller runs: what is read lives no longer than the command
} ff_steer_reader;

/// Reads the keys of a table, but those that the kind reads, from a map into `values`; what is absent stays. The
/// schema has checked them.
/// @param given  which were there and sound, in the order of the table; may be NULL
void ff_control_keys_read(const ff_steer_reader *r, ff_yaml *map, const ff_row *table, void *values, bool *given);

#endif
