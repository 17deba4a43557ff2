// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Counter-based random numbers (philox.h), for processors and devices: the functions of footfall/base.h from one
// source. The key is the seed; the counter words are (draw, stream), so any draw of any stream can be computed on its
// own. A source that includes this defines FF_CORE, the qualifiers of functions, and includes sincos_core.h for doubles
// before.
#ifndef FOOTFALL_BASE_RANDOM_CORE_H
#define FOOTFALL_BASE_RANDOM_CORE_H

#include <footfall/base.h>
#include <footfall/math.h>

#include "base/elementary.h"
#include "base/philox.h"

FF_CORE ff_random ff_core_random(uint64_t seed, uint64_t stream)
{
    ff_random random;
    random.seed = seed;
    random.stream = stream;
    random.counter = 0;
    return random;
}

/// The words of the current counter value: two 64-bit draws come from each.
FF_CORE void ff_core_random_block(const ff_random *random, uint32_t *words)
{
    const uint64_t draw = random->counter / 2;
    const uint32_t key[2] = {(uint32_t)random->seed, (uint32_t)(random->seed >> 32)};
    words[0] = (uint32_t)draw;
    words[1] = (uint32_t)(draw >> 32);
    words[2] = (uint32_t)random->stream;
    words[3] = (uint32_t)(random->stream >> 32);
    ff_philox(words, key);
}

FF_CORE uint64_t ff_core_random_join(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

FF_CORE uint64_t ff_core_random_bits(ff_random *random)
{
    uint32_t words[4];
    ff_core_random_block(random, words);
    const int half = (int)(random->counter % 2) * 2;
    random->counter++;
    return ff_core_random_join(words[half + 1], words[half]);
}

FF_CORE double ff_core_random_unit(uint64_t pattern)
{
    return (double)(pattern >> 11) * 0x1p-53;
}

FF_CORE double ff_core_random_uniform(ff_random *random)
{
    return ff_core_random_unit(ff_core_random_bits(random));
}

FF_CORE void ff_core_random_uniform_two(ff_random *random, double *out)
{
    uint32_t words[4];
    if (random->counter % 2 != 0) { // the two numbers come from two blocks
        out[0] = ff_core_random_uniform(random);
        out[1] = ff_core_random_uniform(random);
        return;
    }
    ff_core_random_block(random, words);
    random->counter += 2;
    out[0] = ff_core_random_unit(ff_core_random_join(words[1], words[0]));
    out[1] = ff_core_random_unit(ff_core_random_join(words[3], words[2]));
}

FF_CORE double ff_core_random_range(ff_random *random, double low, double high)
{
    double x = low + (high - low) * ff_core_random_uniform(random);
    // the sum may round up to `high`, often so where doubles lie far apart
    return low < high && x >= high ? nextafter(high, low) : x;
}

/// Two independent normal numbers by one Box-Muller transform.
FF_CORE void ff_core_random_normal_two(ff_random *random, double *out)
{
    double u[2], sine, cosine;
    ff_core_random_uniform_two(random, u);
    ff_sincos_core(2.0 * FF_PI * u[1], &sine, &cosine);
    const double radius = sqrt(-2.0 * ff_log_join(ff_log_split(1.0 - u[0], 0.0))); // 1 - u lies in (0, 1]
    out[0] = radius * cosine;
    out[1] = radius * sine;
}

FF_CORE double ff_core_random_normal(ff_random *random)
{
    double normal[2];
    ff_core_random_normal_two(random, normal);
    return normal[0];
}

#endif
