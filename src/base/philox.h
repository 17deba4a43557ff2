// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The block function of Philox-4x32-10: four words from a counter of four words and a key of two. J. K. Salmon, M. A.
// Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11.
#ifndef FOOTFALL_BASE_PHILOX_H
#define FOOTFALL_BASE_PHILOX_H

#include <stdint.h>

#ifndef FF_CORE
#define FF_CORE static inline
#endif

FF_CORE void ff_philox_round(uint32_t counter[4], const uint32_t key[2])
{
    uint64_t product0 = (uint64_t)0xD2511F53u * counter[0];
    uint64_t product1 = (uint64_t)0xCD9E8D57u * counter[2];
    uint32_t next[4] = {(uint32_t)(product1 >> 32) ^ counter[1] ^ key[0], (uint32_t)product1,
                        (uint32_t)(product0 >> 32) ^ counter[3] ^ key[1], (uint32_t)product0};
    for (int i = 0; i < 4; i++) counter[i] = next[i];
}

/// Replaces the counter by its four random words.
FF_CORE void ff_philox(uint32_t counter[4], const uint32_t seed[2])
{
    uint32_t key[2] = {seed[0], seed[1]};
    for (int round = 0; round < 10; round++) {
        ff_philox_round(counter, key);
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
}

#endif
