// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Counter-based random numbers (philox.h). The key is the seed; the counter words are (draw, stream), so any draw of any
// stream can be computed on its own. And FNV-1a, the hash used to compare states.
#include <footfall/base.h>

#include <math.h>

#include "base/philox.h"

ff_random ff_random_make(uint64_t seed, uint64_t stream)
{
    return (ff_random){.seed = seed, .stream = stream};
}

uint64_t ff_random_bits(ff_random *random)
{
    // Two 64-bit draws come from each counter value.
    uint64_t draw = random->counter / 2;
    const uint32_t key[2] = {(uint32_t)random->seed, (uint32_t)(random->seed >> 32)};
    uint32_t words[4] = {(uint32_t)draw, (uint32_t)(draw >> 32), (uint32_t)random->stream,
                         (uint32_t)(random->stream >> 32)};
    ff_philox(words, key);
    int half = (int)(random->counter % 2) * 2;
    random->counter++;
    return (uint64_t)words[half + 1] << 32 | words[half];
}

double ff_random_uniform(ff_random *random)
{
    return (double)(ff_random_bits(random) >> 11) * 0x1p-53;
}

double ff_random_range(ff_random *random, double low, double high)
{
    double x = low + (high - low) * ff_random_uniform(random);
    // the sum may round up to `high`, often so where doubles lie far apart
    return low < high && x >= high ? nextafter(high, low) : x;
}

double ff_random_normal(ff_random *random)
{
    double radius = sqrt(-2.0 * log(1.0 - ff_random_uniform(random))); // 1 - u lies in (0, 1]
    return radius * cos(2.0 * FF_PI * ff_random_uniform(random));
}

uint64_t ff_hash(const void *bytes, size_t size, uint64_t start)
{
    const unsigned char *byte = bytes;
    uint64_t hash = start;
    for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * 1099511628211ULL;
    return hash;
}
