// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A table of distributions made ready for the robots of a model: what each row is about, and where a robot keeps what
// it drew. draw_core.h draws, on a processor and on a device.
#ifndef FOOTFALL_BATCH_DRAW_H
#define FOOTFALL_BATCH_DRAW_H

#include <footfall/batch.h>

#include "batch/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a robot changes of a body.
typedef struct ff_body_draw {
    double mass, inertia; // factors
    double shift[3];      // of the centre of mass, body axes  [m]
    double payload;       // [kg]
} ff_body_draw;

/// A row of the table as numbers and indices, which a device can have, too.
typedef struct ff_draw_row {
    ff_batch_parameter quantity;
    ff_batch_distribution kind;
    double low, high;         // as in ff_batch_spread
    double log_low, log_high; // of a log-uniform one
    double mean, deviation;   // of a normal one ...
    int bounded;              // ... which has bounds
    const double *values;     // of a choice  (nvalue)
    int nvalue;
    int single;                // it is about one thing by its name
    int body;                  // that it is about, -1: all
    int dof;                   // likewise
    int factor;                // row of the state of a single servo's factor
    const unsigned char *hits; // contact points that it is about  (npoint), NULL: all
} ff_draw_row;

typedef struct ff_draw_table {
    ff_draw_row *rows; // (count)
    int count;
    int force, direction, time, duration; // rows of a push, -1: none
} ff_draw_table;

typedef struct ff_draws {
    ff_batch_spread *rows; // with values and names of their own  (count)
    const char **names;    // "mass", "mass.torso"  (count)
    int *target;           // body or joint of a row, -1: all  (count)
    unsigned char **hits;  // contact points of a row that is about some  (npoint), NULL: all
    int count;
    int noise;                   // row of the factor of noise, -1: none
    ff_draw_table table;         // the same rows, to draw from
    ff_body_draw *bodies;        // to work in  (nbody)
    ff_batch_model varied;       // the model with rows for what robots draw of single bodies, points and servos
    const ff_batch_model *model; // it, or the model that was given where no robot needs such rows
    ff_arena arena;
} ff_draws;

/// Checks and copies a table. @return FF_OK, FF_BAD_ARGUMENT with the row that is wrong, or FF_NO_MEMORY
ff_status ff_draws_make(ff_draws *out, const ff_batch_model *model, const ff_batch_spread *rows, int count,
                        ff_error *err);
void ff_draws_clear(ff_draws *draws);
/// Draws a robot that stands at the start (life.c).
/// @param rows   of its state, changed   (nrow of draws->model)
/// @param drawn  number of each row of the table; of one that draws several the last  (count)
void ff_draws_robot(const ff_draws *draws, ff_random *random, double *rows, double *drawn);

/// The model with rows of their own for what the rows of the table are about (vary.c). @return false without memory
bool ff_batch_vary(ff_draws *draws, const ff_batch_model *from);

#ifdef __cplusplus
}
#endif
#endif
