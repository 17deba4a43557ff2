// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a library of one model has (host_run.h), and the program that loads it asks for (host_special.c).
#ifndef FOOTFALL_BATCH_HOST_ENTRY_H
#define FOOTFALL_BATCH_HOST_ENTRY_H

#include "batch/channel.h"
#include "batch/model.h"

#include <stddef.h>

#define FF_HOST_ENTRY ff_batch_step_of_a_model

typedef double ff_host_reader(const ff_batch_channel *channel, double truth, double key, double loud, double age);

typedef struct ff_host_entry {
    size_t model, rules; // sizes of both, which must be those of the program  [byte]
    int lanes;
    const char *compiler; // that made it, with its version
    /// Takes the numbers of a model, before any run. @param read  ff_channel_read
    void (*begin)(const ff_batch_model *model, ff_host_reader *read);
    /// As ff_batch_kernel.run.
    void (*run)(const ff_batch_model *model, const ff_batch_rules *rules, double *x, const double *in, void *scratch,
                int steps);
} ff_host_entry;

#endif
