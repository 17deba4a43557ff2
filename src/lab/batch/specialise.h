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

/// How a step that is written out may round: as step.h does, with fused multiplications and additions, or all of it in
/// single precision.
typedef enum ff_batch_rounding { FF_BATCH_EXACT, FF_BATCH_FUSED, FF_BATCH_SINGLE } ff_batch_rounding;

/// How large a model is that can be written out.
typedef struct ff_batch_special_size {
    int limbs;    // branches without branches
    int near;     // numbers of a robot that are best kept in fast memory (`NEAR_ROWS` of the text)
    int stations; // more that a crew shares (`STATION_ROWS`)
    int own;      // numbers that a thread may store in fast memory, `OWN_STRIDE` apart, where that is not 0
} ff_batch_special_size;

/// @return false: it is too large to be written out
bool ff_batch_look_special(const struct ff_batch_model *model, ff_batch_rounding rounding, ff_batch_special_size *size);

/// @param crew  threads that share a robot
/// @return false: the model is too large to be written out, or the file cannot be written
bool ff_batch_write_special(const struct ff_batch_model *model, int crew, ff_batch_rounding rounding, FILE *file);

// Tables of a model that the text reads, as they are, or with their numbers rounded to single precision.

/// Entries are `whole` integers, then doubles.
typedef struct ff_batch_table {
    const char *name; // in the text; static memory
    const void *from; // of the model
    size_t count, size, whole;
} ff_batch_table;

enum { FF_BATCH_TABLES = 10 };

/// All of them; a table that the model has no entries of is there, too.
void ff_batch_list_tables(const ff_batch_model *model, ff_batch_table tables[FF_BATCH_TABLES]);

/// The table as code in single precision has it (number.h).
/// @param size  of what is returned  [byte]
/// @return to be freed; NULL: no memory
void *ff_batch_round_table(const ff_batch_table *table, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
