// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Results of the robots of a batch (batch.h): numbers of each robot, in columns with name and unit, and their
// statistics over all robots. Tables, pictures and the studio show these. Part of the room batch.
#ifndef FOOTFALL_BATCH_OUTCOME_H
#define FOOTFALL_BATCH_OUTCOME_H

#include <footfall/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A number that each robot has. Texts are static, or belong to the batch.
typedef struct ff_batch_column {
    const char *name, *unit, *help;
} ff_batch_column;

/// Largest number of columns.
enum { FF_BATCH_COLUMNS_MOST = 9 + FF_BATCH_SPREADS_MOST };

/// Columns of a batch, in the order of their values: where there is a free root, `ahead` and `aside` (x and y from
/// where the robot began: after its draws, or in the state of ff_batch_set_state), `distance` (from there), `root.z`
/// (of the world, as in formulas, whose `height` is above the ground), `tilt` (of its z axis), `speed` (now) and
/// `mean_speed` (distance over the time lived); `lived`; `reward`, if the batch has a formula of it; then the number
/// that each robot drew from each entry of the table: factors, of single bodies as `mass.torso`, payloads, tilts and
/// pushes.
/// @return how many there are, 0 for NULL
FF_API int ff_batch_columns(const ff_batch *batch, ff_batch_column out[FF_BATCH_COLUMNS_MOST]);
/// The present values of the columns of one robot.
/// @param out  (ff_batch_columns)
/// @return FF_OK, or FF_BAD_ARGUMENT for a number that is no robot
FF_API ff_status ff_batch_values(const ff_batch *batch, int robot, double *out, ff_error *err);

/// Distribution of a number over robots. A quantile is the value of a robot: of n values in ascending order the one
/// with index floor(p (n - 1) + 1/2), from 0. NaN are left out, also for mean and deviation; without values all are
/// NaN.
typedef struct ff_batch_quantiles {
    double least, low, median, high, most; // 0, 5, 50, 95 and 100 %
    double mean, deviation;                // with n - 1 in the denominator, 0 of a single robot
} ff_batch_quantiles;

/// Quantiles of any values. @param values  they are sorted, NaN are overwritten
FF_API ff_batch_quantiles ff_batch_quantiles_of(double *values, int count);

typedef struct ff_batch_outcome {
    int robots;
    int ended[FF_BATCH_ENDS]; // number of robots that live, diverged, fell, finished
    double lived;             // sum of the times of all robots  [s]
    double fall_rate;         // number of falls over that time  [1/s]
    ff_batch_quantiles falls; // times of falls, NaN if there are none  [s]
    int ncolumn;
    ff_batch_column columns[FF_BATCH_COLUMNS_MOST];
    ff_batch_quantiles quantiles[FF_BATCH_COLUMNS_MOST]; // of the columns
} ff_batch_outcome;

/// Evaluates the present state of all robots, those that ended included.
/// @return FF_OK, FF_BAD_ARGUMENT (no batch), FF_NO_MEMORY or FF_SOLVER (robots cannot be read from the device)
FF_API ff_status ff_batch_get_outcome(const ff_batch *batch, ff_batch_outcome *out, ff_error *err);

#ifdef __cplusplus
}
#endif
#endif
