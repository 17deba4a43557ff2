// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of a model that a step written out for it reads (specialise.c), as they are, or with their numbers rounded
// to single precision.
#ifndef FOOTFALL_BATCH_TABLES_H
#define FOOTFALL_BATCH_TABLES_H

#include "batch/model.h"

#ifdef __cplusplus
extern "C" {
#endif

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
