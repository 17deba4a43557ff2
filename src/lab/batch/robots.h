// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch inside, and where its robots lie: blocks of as many as there are lanes, one after the other; row i of lane l
// of block b is
//     x[(b * nrow + i) * lanes + l]
// and inputs and what is seen of robots (life.h) lie likewise.
#ifndef FOOTFALL_BATCH_ROBOTS_H
#define FOOTFALL_BATCH_ROBOTS_H

#include "batch/device.h"
#include "batch/host_special.h"
#include "batch/kernel.h"
#include "batch/life.h"

struct ff_batch {
    const ff_batch_model *model;
    ff_batch_options options; // as given, with the copy of the spreads and without the text of formulas
    ff_batch_noise noise;
    const ff_batch_kernel *kernel; // of the processor
    ff_batch_device *device;       // NULL: the processor
    ff_host_special *special;      // NULL: the general loop
    char general[FF_HOST_WHY];     // why it is that, where the other was asked for; else empty
    int lanes;
    int robots, threads, blocks, chunks;
    double *x;              // rows of all blocks
    double *in;             // inputs of all blocks
    double *fetched;        // numbers on their way from a device, where there is one (ff_batch_read)
    unsigned char *scratch; // of all chunks
    size_t scratch_size;    // of one  [byte]
    int steps;              // of the call under way
    ff_batch_rules rules;
    ff_formula formulas; // of the rules, then what is observed
    int *observe;        // first instruction of each observation, and the end of the last  (nobserve + 1)
    ff_draws draws;
    ff_batch_lives lives; // of them streams, what was drawn and what is seen belong to the batch
};

/// Where row `row` of `rows` of a robot lies.
static inline size_t ff_robot_place(const ff_batch *b, int robot, int rows, int row)
{
    const size_t lanes = (size_t)b->lanes, block = (size_t)robot / lanes, lane = (size_t)robot % lanes;
    return (block * (size_t)rows + (size_t)row) * lanes + lane;
}

/// A row of its state, on the processor.
static inline double *ff_robot_row(const ff_batch *b, int robot, int row)
{
    return &b->x[ff_robot_place(b, robot, b->model->nrow, row)];
}

/// A row of its inputs, likewise.
static inline double *ff_robot_input(const ff_batch *b, int robot, int row)
{
    return &b->in[ff_robot_place(b, robot, b->model->ninput, row)];
}

/// A row of what is seen of it, likewise.
static inline double *ff_robot_seen(const ff_batch *b, int robot, int row)
{
    return &b->lives.seen[ff_robot_place(b, robot, b->lives.nseen, row)];
}

/// A robot whose rows are to be read or written: brings them up to date.
/// @return FF_BAD_ARGUMENT, or FF_SOLVER where they cannot be read from the device
ff_status ff_robot_see(const ff_batch *batch, int robot, ff_error *err);

#endif
