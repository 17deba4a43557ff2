// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps of a block, once for each width of lanes. A block is as many robots as there are lanes; its rows lie one
// after the other, the lanes of a row side by side.
#ifndef FOOTFALL_BATCH_KERNEL_H
#define FOOTFALL_BATCH_KERNEL_H

#include <footfall/batch.h>

#include "batch/model.h"

#include <stddef.h>

enum { FF_BATCH_LANES_MAX = 8, FF_BATCH_ALIGNMENT = 64 };

typedef struct ff_batch_kernel {
    int lanes;
    /// Bytes that a block needs to work in; a multiple of FF_BATCH_ALIGNMENT.
    size_t (*scratch)(const ff_batch_model *model);
    /// @param x  rows of the block  @param in  its inputs  @param scratch  aligned to FF_BATCH_ALIGNMENT
    void (*run)(const ff_batch_model *model, const ff_batch_rules *rules, double *x, const double *in, void *scratch,
                int steps);
} ff_batch_kernel;

extern const ff_batch_kernel ff_batch_kernel_1, ff_batch_kernel_2, ff_batch_kernel_4, ff_batch_kernel_8;

/// Pose (position, quaternion) and velocity (world axes) of the first free root of a robot and where it began (x, y),
/// left as they are where there is none (batch.c). @return FF_OK, or FF_BAD_ARGUMENT for a number that is no robot
ff_status ff_batch_get_root(const ff_batch *batch, int robot, double pose[7], double velocity[3], double start[2],
                            ff_error *err);

#endif
