// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The robots of a batch in one picture: a cell each, row by row, seen from above with x up, over a legend of
// their colours.
#ifndef FOOTFALL_APPS_BATCH_PICTURE_H
#define FOOTFALL_APPS_BATCH_PICTURE_H

#include "batch_paint.h"

#include <footfall/model.h>

/// Writes a PNG, and one line to stderr that says what is where.
/// @return FF_OK; FF_NOT_BUILT (no libpng), FF_BAD_FILE, FF_NO_MEMORY or FF_BAD_ARGUMENT (nothing to be seen) in `err`
ff_status draw_batch(const batch_paint *paint, const ff_model *model, const char *path, ff_error *err);

#endif
