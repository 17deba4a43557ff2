// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The step of one model on a processor: written out (specialise.h), compiled by the C compiler that is there at run
// time, kept by the hash of its source, and loaded. The bits are those of the general loop, unless fused operations
// were asked for.
#ifndef FOOTFALL_BATCH_HOST_SPECIAL_H
#define FOOTFALL_BATCH_HOST_SPECIAL_H

#include "batch/kernel.h"
#include "batch/specialise.h"

typedef struct ff_host_special {
    void *library;
    ff_batch_kernel kernel;
    const char *compiler; // that made it, with its version; in the library
} ff_host_special;

enum { FF_HOST_WHY = 400 };

/// @param model    borrowed; must outlive it
/// @param general  of as many lanes, whose place such a kernel takes  @param rounding  exact or fused
/// @param why      what went wrong, where there is none; else empty
/// @return NULL: the general loop has to do
ff_host_special *ff_host_special_open(const ff_batch_model *model, const ff_batch_kernel *general,
                                      ff_batch_rounding rounding, char why[FF_HOST_WHY]);
void ff_host_special_close(ff_host_special *special);

#endif
