// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Hashes of numbers, beside ff_hash of bytes (footfall/base.h).
#ifndef FOOTFALL_BASE_HASH_H
#define FOOTFALL_BASE_HASH_H

#include <footfall/base.h>

/// All NaN count as one: which bits an operation without a result leaves depends on the processor (amd64 sets the sign,
/// arm64 does not).
uint64_t ff_hash_numbers(uint64_t start, const double *values, int count);

#endif
