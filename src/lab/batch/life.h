// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How lives of robots begin and what is seen of them, as plain data that a device can have, too. life_core.h does it,
// on a processor (life.c) and on a device (device_life.cu).
#ifndef FOOTFALL_BATCH_LIFE_H
#define FOOTFALL_BATCH_LIFE_H

#include "batch/draw.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where the random numbers of a robot come from: each life has a number of its own, counted from robot * 2^32 with the
/// seed of the batch, from 0 with a seed of the robot's own.
typedef struct ff_batch_stream {
    uint64_t seed, life;
} ff_batch_stream;

/// What is seen of a robot, rows beside those of its state and in the same order of blocks: observations (nobserve),
/// observations before it began anew (nobserve), then these.
enum { FF_SEEN_ENDED, FF_SEEN_REWARD, FF_SEEN_AGE, FF_SEEN_ROWS };

typedef struct ff_batch_lives {
    int robots;
    ff_draw_table draws;
    const ff_formula_step *code; // what is observed
    const int *observe;          // first instruction of each formula in it, and the end of the last  (nobserve + 1)
    int nobserve;
    ff_batch_stream *streams; // (robots)
    double *drawn;            // from each row of the table  (robots*draws.count)
    ff_body_draw *bodies;     // to work in  (nbody; on a device robots*nbody)
    double *seen;
    int nseen; // rows of it
} ff_batch_lives;

/// A robot begins: its state, what it draws, and the next number of its stream.
/// @param x  first row of its state  @param stride  from one row to the next
void ff_life_begin(const ff_batch_lives *lives, const ff_batch_model *model, int robot, double *x, int stride);
/// The next life of a robot, with noise of its own, where it stands: the way it makes is counted from there.
void ff_life_next(const ff_batch_lives *lives, const ff_batch_model *model, int robot, double *x, int stride);
/// What is observed of a robot as it is now.
/// @param out  (nobserve)  @param apart  from one of them to the next
void ff_life_observe(const ff_batch_lives *lives, const ff_batch_model *model, const double *x, const double *in,
                     int stride, double *out, int apart);
/// After steps: keeps end, reward, age and observations of a robot; where it has ended, or has made `age` steps, it
/// begins anew with the targets of the start; then it is observed again.
/// @param seen  first row of what is seen of it
void ff_life_renew(const ff_batch_lives *lives, const ff_batch_model *model, int robot, double *x, double *in,
                   double *seen, int stride, double age);

#ifdef __cplusplus
}
#endif
#endif
