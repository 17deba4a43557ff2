// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch on a GPU. Its memory has rows and inputs of all blocks, each of FF_BATCH_DEVICE_LANES robots, in the layout
// of batch.c, and the random streams, draws and observations of the robots (life.h). The copies of batch.c are updated
// on demand: steps, resets and observations copy nothing. device.cu is compiled if FOOTFALL_CUDA is on, else
// device_none.c.
#ifndef FOOTFALL_BATCH_DEVICE_H
#define FOOTFALL_BATCH_DEVICE_H

#include <footfall/batch.h>

#include "batch/life.h"
#include "batch/specialise.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FF_BATCH_DEVICE_LANES = 32 }; // threads of a warp, which then read consecutive addresses

typedef struct ff_batch_device ff_batch_device;

/// Creates the device's side of a batch.
/// @param lives  borrowed, with streams and draws of all robots; their observations exist only on the device
/// @param x, in  rows and inputs of all blocks at the first step, borrowed
/// @param rounding  how steps may round
/// @return NULL with FF_NOT_BUILT, FF_NOT_FOUND (no device), FF_LIMIT (a model too large for it) or FF_NO_MEMORY in
///         `err`
ff_batch_device *ff_batch_device_open(const ff_batch_model *model, const ff_batch_rules *rules,
                                      const ff_batch_lives *lives, int blocks, double *x, double *in,
                                      ff_batch_rounding rounding, ff_error *err);
/// NULL is allowed.
void ff_batch_device_close(ff_batch_device *device);

ff_status ff_batch_device_step(ff_batch_device *device, int steps, ff_error *err);

/// Reason why the general kernel makes the steps; NULL: code compiled for the model does. Static memory.
const char *ff_batch_device_general(const ff_batch_device *device);

/// Computes the observations of all robots on the device (ff_batch_observe_all).
ff_status ff_batch_device_observe(ff_batch_device *device, ff_error *err);
/// Resets robots that have ended, or are `age` steps old (ff_batch_renew).
ff_status ff_batch_device_renew(ff_batch_device *device, double age, ff_error *err);
/// Resets these robots, those that are listed twice twice. @param seeds  NULL: their streams continue  (count)
ff_status ff_batch_device_begin(ff_batch_device *device, const int *robots, const uint64_t *seeds, int count,
                                ff_error *err);

/// Updates the copies of x, streams and draws.
/// @return FF_SOLVER if the device has failed: the copies are those of the last successful call
ff_status ff_batch_device_see(ff_batch_device *device, ff_error *err);
/// Updates the copy of `in`, if robots were reset on the device.
ff_status ff_batch_device_see_inputs(ff_batch_device *device, ff_error *err);
/// x, with streams and draws, or `in` was written: it is copied to the device before the next step.
void ff_batch_device_rows_changed(ff_batch_device *device);
void ff_batch_device_inputs_changed(ff_batch_device *device);
/// Addresses of rows, inputs and observations on the device, up to date. From now on callers may write there.
/// @return FF_SOLVER if the device has failed
ff_status ff_batch_device_share(ff_batch_device *device, double *places[3], int *number, ff_error *err);
/// Copies some rows of all robots from memory of the device.
/// @param from    address of the rows of the first block on the device, in a shared array
/// @param stride  from block to block there  [doubles]  @param width  of these rows of a block  [doubles]
/// @param to      block behind block  (blocks*width)
/// @return FF_SOLVER if the device has failed
ff_status ff_batch_device_fetch(ff_batch_device *device, const double *from, size_t stride, size_t width, double *to,
                                ff_error *err);
/// Sets a row of all robots to 0 on the device, not in x.
void ff_batch_device_clear_row(ff_batch_device *device, int row);

#ifdef __cplusplus
}
#endif
#endif
