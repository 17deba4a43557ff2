// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The step of one model on a GPU, compiled when it is first needed by NVRTC, the compiler that CUDA has as a library,
// and kept in the user's cache under the hash of its source. Without that library, or for models that are too large,
// there is none, and the general kernel of device.cu makes the steps.
#ifndef FOOTFALL_BATCH_DEVICE_SPECIAL_H
#define FOOTFALL_BATCH_DEVICE_SPECIAL_H

#include <footfall/batch.h>

#include "batch/model.h"
#include "batch/specialise.h"

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
