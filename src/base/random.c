// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Philox-4x32-10 counter-based random numbers: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random
// numbers: as easy as 1, 2, 3, SC11. The key is the seed; the counter words are (draw, stream), so any draw of any
// stream can be computed on its own. And FNV-1a, the hash used to compare states.
#include <footfall/base.h>

#include <math.h>

static void philox_round(uint32_t counter[4], const uint32_t key[2])
{
    uint64_t product0 = (uint64_t)0xD2511F53u * counter[0];
    uint64_t product1 = (uint64_t)0xCD9E8D57u * counter[2];
    uint32_t next[4] = {(uint32_t)(product1 >> 32) ^ counter[1] ^ key[0], (uint32_t)product1,
                        (uint32_t)(product0 >> 32) ^ counter[3] ^ key[1], (uint32_t)product0};
    for (int i = 0; i < 4; i++) counter[i] = next[i];
}

static void philox(uint64_t seed, uint64_t stream, uint64_t draw, uint32_t out[4])
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    out[0] = (uint32_t)draw;
    out[1] = (uint32_t)(draw >> 32);
    out[2] = (uint32_t)stream;
    out[3] = (uint32_t)(stream >> 32);
    for (int round = 0; round < 10; round++) {
        philox_round(out, key);
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
}

ff_random ff_random_make(uint64_t seed, uint64_t stream)
{
    return (ff_random){.seed = seed, .stream = stream};
}

uint64_t ff_random_bits(ff_random *random)
{
    // Two 64-bit draws come from each counter value.
    uint32_t words[4];
    philox(random->seed, random->stream, random->counter / 2, words);
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
    return low + (high - low) * ff_random_uniform(random);
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
