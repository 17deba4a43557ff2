// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of a batch on a GPU (device.cu): lives of robots, and the step of one model.
#ifndef FOOTFALL_BATCH_DEVICE_PARTS_H
#define FOOTFALL_BATCH_DEVICE_PARTS_H

#include "batch/life.h"
#include "batch/specialise.h"

// ------------------------------------------------------------------------------------------ device_life.cu

// Lives of robots (life.h): how they begin, what they draw and what is observed of them, where they are.
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

// ------------------------------------------------------------------------------------------ device_special.cu

// The step of one model, compiled when it is first needed by NVRTC, the compiler that CUDA has as a library, and kept
// in the user's cache under the hash of its source. Without that library, or for models that are too large, there is
// none, and the general kernel of device.cu makes the steps.
struct ff_batch_special;

/// @param there  the model with arrays on the device
/// @param why    why there is none; static memory
/// @return NULL: there is none
ff_batch_special *ff_batch_special_open(const ff_batch_model *model, const ff_batch_model *there, int robots,
                                        ff_batch_rounding rounding, const char **why);
/// NULL is allowed.
void ff_batch_special_close(ff_batch_special *special);

/// Begins the steps of all robots, whose rows and inputs lie on the device; cudaGetLastError says whether they could.
void ff_batch_special_step(const ff_batch_special *special, const ff_batch_rules *rules, double *x, const double *in,
                           int robots, int steps);

#endif
