// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Exponential function and logarithm by series, in plain arithmetic with one rounding an operation: results are
// bit-identical on every processor and device.
#ifndef FOOTFALL_BATCH_SERIES_H
#define FOOTFALL_BATCH_SERIES_H

#include "batch/lanes.h"

#ifndef FF_SINGLE // which has its own

/// e^x = 2^n e^r, |r| <= log(2)/2, by its Taylor series up to r^13, whose rest is below 1e-17. 2^n in two factors, so
/// that each is a normal number where the result is not.
FN real exp_of(real x)
{
    const num round_magic = 0x1.8p52;
    const real inside = smaller(larger(x, each(-750.0)), each(710.0)); // beyond: 0 and infinity
    const real shifted = inside * 1.44269504088896340736 + round_magic, n = shifted - round_magic;
    const real r = (inside - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
    real sum = each(1.0);
    UNROLL for (int k = 13; k > 0; k--) sum = 1.0 + sum * r / (num)k;
    const real half = (n * 0.5 + round_magic) - round_magic, rest = n - half;
    const real low = as_real((as_bits(half + round_magic) + 1023) << 52);
    const real high = as_real((as_bits(rest + round_magic) + 1023) << 52);
    return choose(x == x, sum * low * high, x);
}

/// log x = n log 2 + log m of a normal number x > 0, m from 1/sqrt(2) to sqrt(2), by log m = 2 artanh t, t = (m - 1) /
/// (m + 1): |t| < 0.172, so that the rest of the series behind t^23 is below 1e-19.
FN real log_of(real x)
{
    const bits all = as_bits(x);
    real n = as_real((all >> 52) | 0x4330000000000000) - 0x1p52 - 1023.0; // the exponent as the last bits of 2^52 + n
    real m = as_real((all & 0x000fffffffffffff) | 0x3ff0000000000000);
    const mask large = m > 1.4142135623730951;
    n = choose(large, n + 1.0, n);
    m = choose(large, 0.5 * m, m);
    const real t = (m - 1.0) / (m + 1.0), z = t * t;
    real sum = each(0.0);
    UNROLL for (int k = 23; k > 0; k -= 2) sum = 1.0 / (num)k + z * sum;
    return n * 0x1.62e42feep-1 + (2.0 * (t * sum) + n * 0x1.a39ef35793c76p-33);
}

#endif
#endif
