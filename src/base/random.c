// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Random numbers of footfall/base.h, by the functions of random_core.h.
#include <footfall/base.h>

#include "base/elementary.h"

#define FF_CORE       static inline
#define FF_REAL       double
#define FF_BITS       uint64_t
#define FF_AS_BITS(x) ff_bits_of(x)
#define FF_AS_REAL(x) ff_double_of(x)
#include "base/sincos_core.h"

#include "base/random_core.h"

ff_random ff_random_make(uint64_t seed, uint64_t stream)
{
    return ff_core_random(seed, stream);
}

uint64_t ff_random_bits(ff_random *random)
{
    return ff_core_random_bits(random);
}

double ff_random_uniform(ff_random *random)
{
    return ff_core_random_uniform(random);
}

void ff_random_uniform_two(ff_random *random, double out[2])
{
    ff_core_random_uniform_two(random, out);
}

double ff_random_range(ff_random *random, double low, double high)
{
    return ff_core_random_range(random, low, high);
}

double ff_random_normal(ff_random *random)
{
    return ff_core_random_normal(random);
}
