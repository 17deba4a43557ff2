// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A saved state is measured, written and read by the same walk over its fields, so that the three cannot disagree.
#ifndef FOOTFALL_ENGINE_ARCHIVE_H
#define FOOTFALL_ENGINE_ARCHIVE_H

#include "engine/method.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum ff_archive_mode { FF_ARCHIVE_MEASURE, FF_ARCHIVE_WRITE, FF_ARCHIVE_READ } ff_archive_mode;

typedef struct ff_archive {
    ff_archive_mode mode;
    unsigned char *bytes; // only read from in mode READ
    size_t at;
    bool lean; // leaves out unused places of arrays: for the undo buffer
} ff_archive;

static inline void ff_archive_field(ff_archive *a, void *value, size_t size)
{
    if (a->mode == FF_ARCHIVE_WRITE && size > 0) memcpy(a->bytes + a->at, value, size);
    if (a->mode == FF_ARCHIVE_READ && size > 0) memcpy(value, a->bytes + a->at, size);
    a->at += size;
}

static inline void ff_archive_numbers(ff_archive *a, double *values, int count)
{
    ff_archive_field(a, values, (size_t)count * sizeof(double));
}

static inline void ff_archive_int64(ff_archive *a, int64_t *value)
{
    ff_archive_field(a, value, sizeof *value);
}

/// Integers of other widths are stored as 64 bits.
static inline void ff_archive_bool(ff_archive *a, bool *value)
{
    int64_t wide = *value;
    ff_archive_int64(a, &wide);
    *value = wide != 0;
}

static inline void ff_archive_int(ff_archive *a, int *value)
{
    int64_t wide = *value;
    ff_archive_int64(a, &wide);
    *value = (int)wide;
}

// Functions of transfer.c.
/// Walks all fields of a simulation.
void ff_sim_transfer(ff_archive *archive, ff_sim *sim);

// A step that ff_stop ends before it is complete is undone. Without an ff_stop nothing is kept.
/// Allocates the memory of ff_sim.undo, before the first step.
ff_status ff_undo_create(ff_sim *sim, ff_error *err);
/// Begins a step that may be stopped.
void ff_undo_begin(ff_sim *sim);
/// Keeps what is about to change, once a step.
void ff_undo_keep(ff_sim *sim, ff_undo_list list);
/// Restores the start of the step. @return FF_STOPPED
ff_status ff_undo_step(ff_sim *sim);

#endif
