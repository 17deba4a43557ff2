// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch on a GPU: rows and inputs of all blocks, each of FF_BATCH_DEVICE_LANES robots, lie there as in batch.c, and
// so do the streams of the robots, what they drew and what is seen of them (life.h). The copies of batch.c are brought
// up to date when somebody asks: steps, new lives and observations alone move nothing. device.cu is compiled where
// FOOTFALL_CUDA is on, device_none.c else.
#ifndef FOOTFALL_BATCH_DEVICE_H
#define FOOTFALL_BATCH_DEVICE_H

#include <footfall/batch.h>

#include "batch/life.h"
#include "batch/specialise.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FF_BATCH_DEVICE_LANES = 32 }; // threads of a warp, so that neighbours read neighbours

typedef struct ff_batch_device ff_batch_device;

/// @param lives  borrowed, with streams and draws of all robots; what is seen of them has its place on the device alone
/// @param x, in  rows and inputs of all blocks, borrowed: what the first step begins with
/// @param rounding  how steps may round
/// @return NULL with FF_NOT_BUILT, FF_NOT_FOUND (no device), FF_LIMIT (a model too large for it) or FF_NO_MEMORY in
///         `err`
ff_batch_device *ff_batch_device_open(const ff_batch_model *model, const ff_batch_rules *rules,
                                      const ff_batch_lives *lives, int blocks, double *x, double *in,
                                      ff_batch_rounding rounding, ff_error *err);
/// NULL is allowed.
void ff_batch_device_close(ff_batch_device *device);

ff_status ff_batch_device_step(ff_batch_device *device, int steps, ff_error *err);

/// Why the general kernel makes the steps; NULL: code that was compiled for the model does. Static memory.
const char *ff_batch_device_general(const ff_batch_device *device);

/// What is observed of all robots is worked out where they are (ff_batch_observe_all).
ff_status ff_batch_device_observe(ff_batch_device *device, ff_error *err);
/// Robots whose life is over begin the next (ff_batch_renew).
ff_status ff_batch_device_renew(ff_batch_device *device, double age, ff_error *err);
/// These robots begin again, those that are named twice twice. @param seeds  NULL: their streams go on  (count)
ff_status ff_batch_device_begin(ff_batch_device *device, const int *robots, const uint64_t *seeds, int count,
                                ff_error *err);

/// Brings x, streams and draws up to date.
/// @return FF_SOLVER where the device failed, now or before: they are what was read last
ff_status ff_batch_device_see(ff_batch_device *device, ff_error *err);
/// Brings `in` up to date, where robots have begun on the device.
ff_status ff_batch_device_see_inputs(ff_batch_device *device, ff_error *err);
/// x, with the streams and draws, or in was written: the next step begins with it.
void ff_batch_device_rows_changed(ff_batch_device *device);
void ff_batch_device_inputs_changed(ff_batch_device *device);
/// Where rows, inputs and what is seen of robots lie on the device, up to date; robots there may be changed by others
/// from now on.
/// @return FF_SOLVER where the device failed
ff_status ff_batch_device_share(ff_batch_device *device, double *places[3], int *number, ff_error *err);
/// Copies some rows of all robots from memory of the device, and changes nothing there or in x and in.
/// @param from    in one of the places that are shared: the rows of the first block
/// @param stride  from block to block there  [doubles]  @param width  of these rows of a block  [doubles]
/// @param to      block behind block  (blocks*width)
/// @return FF_SOLVER where the device failed
ff_status ff_batch_device_fetch(ff_batch_device *device, const double *from, size_t stride, size_t width, double *to,
                                ff_error *err);
/// A row of all robots becomes 0 on the device. The caller clears that of x.
void ff_batch_device_clear_row(ff_batch_device *device, int row);

#ifdef __cplusplus
}
#endif
#endif
