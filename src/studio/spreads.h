// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distributions of quantities that differ between the robots of a batch, in messages (type BatchSpread):
// {"friction": [0.6, 1.2], "mass.torso": {"kind": "normal", "numbers": [1, 0.1, 0.7, 1.3]}}.
#ifndef FOOTFALL_STUDIO_SPREADS_H
#define FOOTFALL_STUDIO_SPREADS_H

#include "text/yaml.h"

#include <footfall/batch.h>
#include <footfall/json.h>

/// Rows of a batch from a message, in memory of the arena.
/// @param node  map from names to distributions, whose types are checked; NULL or null: no rows
ff_status ff_spreads_read(const ff_yaml *node, ff_arena *arena, ff_batch_spread **rows, int *count, ff_error *err);
/// Writes the member "spread" of an object.
void ff_spreads_write(const ff_batch_spread *rows, int count, ff_json *json);

#endif
