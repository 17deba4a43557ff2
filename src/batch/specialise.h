// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The step of a batch written out for one model, as text that a compiler for C or CUDA reads with the headers of this
// room.
#ifndef FOOTFALL_BATCH_SPECIALISE_H
#define FOOTFALL_BATCH_SPECIALISE_H

#include <footfall/batch.h>

#include "batch/model.h"

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// @param rows  how many numbers of a robot are best kept in fast memory (`NEAR_ROWS` of the text)
/// @return false: the model is too large to be written out, or the file cannot be written
bool ff_batch_write_special(const struct ff_batch_model *model, FILE *file, int *rows);

#ifdef __cplusplus
}
#endif
#endif
