// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Colours of the robots of a batch in a picture, by how they ended or by one of their numbers, and the legend that says
// what they mean. The studio has the same ones.
#ifndef FOOTFALL_APPS_BATCH_PAINT_H
#define FOOTFALL_APPS_BATCH_PAINT_H

#include <footfall/batch_outcome.h>
#include <footfall/camera.h>

typedef struct batch_paint {
    const ff_batch *batch;
    const ff_batch_outcome *outcome;
    int column; // of the outcome; -1: by the end
} batch_paint;

/// The column of a name, -1 for NULL and "outcome".
/// @return FF_BAD_ARGUMENT where there is none, with those there are in `err`
ff_status find_paint_column(const ff_batch *batch, const char *name, int *column, ff_error *err);

ff_status paint_robot(const batch_paint *paint, int robot, float rgb[3], ff_error *err);

/// Size of the legend in dots; a dot is one pixel or more.
int legend_width(const batch_paint *paint);
int legend_height(void);
/// @param y  of its upper edge  [pixel]    @param dot  [pixel]
void draw_legend(const batch_paint *paint, ff_picture *picture, int y, int dot);
/// The same in words, on one line of stderr that has begun.
void describe_paint(const batch_paint *paint);

#endif
