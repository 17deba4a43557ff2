// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Counter-based random numbers (philox.h). The key is the seed; the counter words are (draw, stream), so any draw of
// any stream can be computed on its own.
#include <footfall/base.h>

#include <math.h>

#include "base/philox.h"

ff_random ff_random_make(uint64_t seed, uint64_t stream)
{
    return (ff_random){.seed = seed, .stream = stream};
}

/// The words of the current counter value: two 64-bit draws come from each.
static void block(const ff_random *random, uint32_t words[4])
{
    const uint64_t draw = random->counter / 2;
    const uint32_t key[2] = {(uint32_t)random->seed, (uint32_t)(random->seed >> 32)};
    words[0] = (uint32_t)draw;
    words[1] = (uint32_t)(draw >> 32);
    words[2] = (uint32_t)random->stream;
    words[3] = (uint32_t)(random->stream >> 32);
    ff_philox(words, key);
}

static uint64_t joined(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

uint64_t ff_random_bits(ff_random *random)
{
    uint32_t words[4];
    block(random, words);
    const int half = (int)(random->counter % 2) * 2;
    random->counter++;
    return joined(words[half + 1], words[half]);
}

static double uniform(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

double ff_random_uniform(ff_random *random)
{
    return uniform(ff_random_bits(random));
}

void ff_random_uniform_two(ff_random *random, double out[2])
{
    uint32_t words[4];
    if (random->counter % 2 != 0) { // they lie in two blocks
        out[0] = ff_random_uniform(random);
        out[1] = ff_random_uniform(random);
        return;
    }
    block(random, words);
    random->counter += 2;
    out[0] = uniform(joined(words[1], words[0]));
    out[1] = uniform(joined(words[3], words[2]));
}

double ff_random_range(ff_random *random, double low, double high)
{
    double x = low + (high - low) * ff_random_uniform(random);
    // the sum may round up to `high`, often so where doubles lie far apart
    return low < high && x >= high ? nextafter(high, low) : x;
}

double ff_random_normal(ff_random *random)
{
    double u[2];
    ff_random_uniform_two(random, u);
    return sqrt(-2.0 * ff_log(1.0 - u[0])) * ff_cos(2.0 * FF_PI * u[1]); // 1 - u lies in (0, 1]
}
