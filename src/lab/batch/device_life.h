// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Lives of robots on a GPU (life.h): how they begin, what they draw and what is seen of them, where they are.
#ifndef FOOTFALL_BATCH_DEVICE_LIFE_H
#define FOOTFALL_BATCH_DEVICE_LIFE_H

#include "batch/life.h"

struct ff_batch_device_lives;

/// @param lives  borrowed, with the streams and draws of the processor
/// @param model  of the processor  @param there  the model with arrays on the device
/// @param robots  of all blocks
/// @return NULL: no memory on the device, or it failed
ff_batch_device_lives *ff_device_lives_open(const ff_batch_lives *lives, const ff_batch_model *model,
                                            const ff_batch_model *there, int robots);
/// NULL is allowed.
void ff_device_lives_close(ff_batch_device_lives *lives);

/// Streams and draws go to the device, or come from there.
cudaError_t ff_device_lives_put(ff_batch_device_lives *lives);
cudaError_t ff_device_lives_get(ff_batch_device_lives *lives);
/// What is seen of robots, in the order of blocks.
double *ff_device_lives_seen(const ff_batch_device_lives *lives);

/// Each begins its work; cudaGetLastError says whether it could. Rows and inputs lie on the device.
void ff_device_lives_observe(const ff_batch_device_lives *lives, const double *x, const double *in);
void ff_device_lives_renew(const ff_batch_device_lives *lives, double *x, double *in, double age);
/// @param robots  each of them once  @return as of copying the list to the device
cudaError_t ff_device_lives_begin(const ff_batch_device_lives *lives, double *x, const int *robots,
                                  const uint64_t *seeds, int count);

#endif
