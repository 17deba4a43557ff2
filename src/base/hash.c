// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), to compare states and models bit for bit.
#include "base/hash.h"

#include <math.h>

uint64_t ff_hash(const void *bytes, size_t size, uint64_t start)
{
    const unsigned char *byte = bytes;
    uint64_t hash = start;
    for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * 1099511628211ULL;
    return hash;
}

uint64_t ff_hash_numbers(uint64_t start, const double *values, int count)
{
    const uint64_t any_nan = 0x7ff8000000000000u;
    uint64_t hash = start;
    for (int i = 0; i < count; i++)
        hash = isnan(values[i]) ? ff_hash(&any_nan, sizeof any_nan, hash) : ff_hash(&values[i], sizeof values[i], hash);
    return hash;
}
