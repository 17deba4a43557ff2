// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of `footfall batch`: what is observed, the table and the JSON of the result, and a picture of all robots.
#ifndef FOOTFALL_APPS_BATCH_H
#define FOOTFALL_APPS_BATCH_H

#include "commands.h"

#include <footfall/batch_outcome.h>
#include <footfall/camera.h>
#include <footfall/model.h>

// ------------------------------------------------------------------------------------------ observations

#define BATCH_WATCH_HEAD "time,robot" // the file begins with it

/// Formulas that are evaluated for each robot of a batch: at the end, and, for a CSV file, periodically.
typedef struct batch_watch {
    const text_list *formulas;
    const char *path;  // of the CSV file; NULL: none
    long long every;   // steps between two of its instants, 0: the end alone
    long long written; // steps that were made at the last one
    FILE *file;
    double *values; // (robots * formulas)
    double *ages;   // [steps] (robots)
} batch_watch;

/// Opens the file, if there is one, before the first step. @return FF_OK, FF_NO_MEMORY, or FF_BAD_FILE: it cannot be
/// written
ff_status batch_watch_begin(batch_watch *watch, int robots, ff_error *err);
/// Writes a line for each robot that has moved since the last instant. @param made  steps so far
ff_status batch_watch_write(batch_watch *watch, ff_batch *batch, long long done, ff_error *err);
/// Closes the file. @return FF_BAD_FILE where some of it could not be written
ff_status batch_watch_end(batch_watch *watch, ff_error *err);

/// Quantiles of each formula over all robots. @param out  (formulas)
ff_status batch_watch_quantiles(const batch_watch *watch, const ff_batch *batch, ff_batch_quantiles *out,
                                ff_error *err);

// ------------------------------------------------------------------------------------------ the result

/// Number and duration of the steps of a batch.
typedef struct batch_pace {
    long long requested, done;      // steps of a batch
    double step;                    // [s]
    double elapsed, processor_time; // on the clock, and of all processors together  [s]
} batch_pace;

/// Observed formulas with their quantiles.
typedef struct batch_observed {
    const text_list *formulas;
    const ff_batch_quantiles *quantiles;
} batch_observed;

void print_batch_table(const ff_batch *batch, const ff_batch_outcome *outcome, const batch_observed *observed,
                       const batch_pace *pace);
/// @return EXIT_FINE, or EXIT_INPUT when memory ran out
int print_batch_json(const ff_batch *batch, const ff_batch_outcome *outcome, const batch_observed *observed,
                     const batch_pace *pace);

// ------------------------------------------------------------------------------------------ colours

typedef struct batch_paint {
    const ff_batch *batch;
    const ff_batch_outcome *outcome;
    int column; // of the outcome; -1: by the end
} batch_paint;

/// The column of a name, -1 for NULL and "outcome".
/// @return FF_BAD_ARGUMENT if there is none; `err` lists those that exist
ff_status find_paint_column(const ff_batch *batch, const char *name, int *column, ff_error *err);

ff_status paint_robot(const batch_paint *paint, int robot, float rgb[3], ff_error *err);

/// Size of the legend in dots; a dot is one pixel or more.
int legend_width(const batch_paint *paint);
int legend_height(void);
/// @param y  of its upper edge  [pixel]    @param dot  [pixel]
void draw_legend(const batch_paint *paint, ff_picture *picture, int y, int dot);
/// Describes the colours in words, at the end of a line that has begun on stderr.
void describe_paint(const batch_paint *paint);

// ------------------------------------------------------------------------------------------ drawing

enum { TEXT_WIDTH = 6, TEXT_HEIGHT = 8 }; // of a letter with the gap to the next  [dots]

/// Draws a text, as far as it lies within the picture. Other characters than a-z, 0-9, `.-+[]/_%` are gaps.
/// @param x, y  its upper left corner  [pixel]    @param dot  side of a dot  [pixel]
void draw_text(ff_picture *picture, int x, int y, int dot, const char *text);
/// Fills a rectangle, as far as it lies within the picture.
void draw_block(ff_picture *picture, int x, int y, int width, int height, const float rgb[3]);

// ------------------------------------------------------------------------------------------ the picture

/// Writes a PNG, and one line to stderr that describes it.
/// @return FF_OK; FF_NOT_BUILT (no libpng), FF_BAD_FILE, FF_NO_MEMORY or FF_BAD_ARGUMENT (nothing to be seen) in `err`
ff_status draw_batch(const batch_paint *paint, const ff_model *model, const char *path, ff_error *err);

#endif
