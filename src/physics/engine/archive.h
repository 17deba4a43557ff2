// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One list of fields walked to measure, to write and to read a saved state, so that the three cannot disagree (save.c).
#ifndef FOOTFALL_ENGINE_ARCHIVE_H
#define FOOTFALL_ENGINE_ARCHIVE_H

#include <footfall/sim.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum ff_archive_mode { FF_ARCHIVE_MEASURE, FF_ARCHIVE_WRITE, FF_ARCHIVE_READ } ff_archive_mode;

typedef struct ff_archive {
    ff_archive_mode mode;
    unsigned char *bytes; // only read from in mode READ
    size_t at;
    bool lean; // leaves out what nothing reads: for buffers of our own
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

/// Integers of other widths travel as 64 bits.
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

/// All fields of a simulation. (transfer.c)
void ff_sim_transfer(ff_archive *archive, ff_sim *sim);

#endif
