// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Hashes of numbers; ff_hash of footfall/base.h is that of bytes.
#ifndef FOOTFALL_BASE_HASH_H
#define FOOTFALL_BASE_HASH_H

#include <footfall/base.h>

/// Hash of numbers, all NaN as the same: the sign of a NaN depends on the processor (amd64 sets it, arm64 does not).
uint64_t ff_hash_numbers(uint64_t start, const double *values, int count);

#endif
