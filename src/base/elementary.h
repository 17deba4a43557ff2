// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the elementary functions share: numbers of twice the precision as unevaluated sums of two doubles (T. J. Dekker,
// "A floating-point technique for extending the available precision", 1971), bits of doubles, tables, and the logarithm
// and exponential from which powers are made.
//
// All of it is + - * / and sqrt in round-to-nearest, which IEEE 754 defines to the bit, so that results are the same
// with every compiler, processor and C library. Where a processor has a fused multiply-add, the error of a product
// takes one instruction instead of sixteen; it is the same number.
//
// Devices compile this, too: a source for devices defines FF_CORE, the qualifiers of functions, before it includes it.
#ifndef FOOTFALL_BASE_ELEMENTARY_H
#define FOOTFALL_BASE_ELEMENTARY_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef FF_CORE
#define FF_CORE static inline
#endif

/// high + low, where low is at most half a unit in the last place of high.
typedef struct ff_wide {
    double high, low;
} ff_wide;

// ------------------------------------------------------------------------------------------ bits

FF_CORE uint64_t ff_bits_of(double x)
{
    uint64_t pattern;
    memcpy(&pattern, &x, sizeof pattern);
    return pattern;
}

FF_CORE double ff_double_of(uint64_t pattern)
{
    double x;
    memcpy(&x, &pattern, sizeof x);
    return x;
}

/// 2^n for -1022 <= n <= 1023.
FF_CORE double ff_power_of_two(int64_t n)
{
    return ff_double_of((uint64_t)(n + 1023) << 52);
}

/// x with the lowest `count` bits of its mantissa cleared.
FF_CORE double ff_without_low_bits(double x, int count)
{
    return ff_double_of(ff_bits_of(x) >> count << count);
}

// ------------------------------------------------------------------------------------------ exact sums and products

/// a + b without error, for |a| >= |b| or a = 0.
FF_CORE ff_wide ff_wide_sorted_sum(double a, double b)
{
    const double sum = a + b;
    return (ff_wide){sum, (a - sum) + b};
}

/// a + b without error (D. E. Knuth, "The Art of Computer Programming", volume 2, 4.2.2).
FF_CORE ff_wide ff_wide_sum(double a, double b)
{
    const double sum = a + b, from_b = sum - a;
    return (ff_wide){sum, (a - (sum - from_b)) + (b - from_b)};
}

/// a b without error by halves of 26 bits, for |a|, |b| < 2^990 and |a b| > 2^-960.
FF_CORE ff_wide ff_wide_product_by_halves(double a, double b)
{
    const double split = 134217729.0; // 2^27 + 1
    const double a_big = split * a, b_big = split * b;
    const double a_high = a_big - (a_big - a), b_high = b_big - (b_big - b);
    const double a_low = a - a_high, b_low = b - b_high, product = a * b;
    return (ff_wide){product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

/// a b without error, in the bounds of ff_wide_product_by_halves.
FF_CORE ff_wide ff_wide_product(double a, double b)
{
#if defined(__ARM_FEATURE_FMA) || defined(__FMA__)
    const double product = a * b;
    return (ff_wide){product, __builtin_fma(a, b, -product)};
#else
    return ff_wide_product_by_halves(a, b);
#endif
}

// ------------------------------------------------------------------------------------------ tables

enum { FF_EXP2_STEPS = 128, FF_LOG_STEPS = 128, FF_ATAN_STEPS = 128, FF_TAN_STEPS = 52, FF_TWO_OVER_PI_WORDS = 40 };

typedef struct ff_log_row {
    double reciprocal, high, low;
} ff_log_row;

/// Constants of exponential and logarithm, side by side in memory, where two are loaded at once. As constants in the
/// code each would take two instructions on arm64: a fifth of the time of an exponential.
typedef struct ff_exp_constants {
    double per_unit;  // 128 / ln 2
    double magic;     // added and taken away again it rounds to whole numbers, which its low bits hold
    double high, low; // ln 2 / 128: to 2^-42, such that 18 bits times it are exact, and the rest
    double c[4];      // 1/2!, 1/3!, ...
} ff_exp_constants;

typedef struct ff_log_constants {
    double ln2_high, ln2_low; // a multiple of 2^-42, and the rest
    double c[8];              // -1/2, 1/3, -1/4, ...
} ff_log_constants;

#if defined(__CUDACC__)
#define FF_TABLE static __device__ const
#include "base/exp_log_tables.h"
#else
extern const ff_wide ff_exp2_table[FF_EXP2_STEPS];
extern const ff_log_row ff_log_table[FF_LOG_STEPS];
extern const ff_wide ff_atan_table[FF_ATAN_STEPS + 1];
extern const ff_wide ff_tan_table[FF_TAN_STEPS];
extern const uint32_t ff_two_over_pi[FF_TWO_OVER_PI_WORDS];

extern const ff_exp_constants ff_exp_c;
extern const ff_log_constants ff_log_c;
#endif

#define FF_LOG_FIRST_EDGE 0x3fe68aab00000000u // bits of 0.7044...: 1 lies in the middle of a row

/// Lower edge of a row of ff_log_table; the last row ends at twice the first edge.
FF_CORE double ff_log_edge(int row)
{
    return ff_double_of(FF_LOG_FIRST_EDGE + ((uint64_t)row << 45));
}

// ------------------------------------------------------------------------------------------ exponential
//
// P. T. P. Tang, "Table-driven implementation of the exponential function in IEEE floating-point arithmetic", 1989:
//     x = (128 m + j) ln2/128 + r,   |r| <= ln2/256,   exp(x) = 2^m 2^(j/128) exp(r),
// the second factor from a table, the third by its Taylor series, whose first omitted term r^6/720 is below 6e-19.

/// exp(high + low) = 2^exponent scale (1 + rest); |high| < 800, |low| is small compared with 1.
typedef struct ff_exp_parts {
    int64_t exponent;
    double scale, rest;
} ff_exp_parts;

FF_CORE ff_exp_parts ff_exp_split(double high, double low)
{
    const ff_exp_constants *k = &ff_exp_c;
    const double shifted = high * k->per_unit + k->magic, steps = shifted - k->magic;
    const int64_t count = (int64_t)(ff_bits_of(shifted) - 0x4338000000000000u); // `steps` as an integer: less magic
    const double r = (high - steps * k->high) - (steps * k->low - low), square = r * r;
    const double p = (k->c[0] + r * k->c[1]) + square * (k->c[2] + r * k->c[3]);
    const ff_wide step = ff_exp2_table[count & (FF_EXP2_STEPS - 1)];
    return (ff_exp_parts){count >> 7, step.high, step.low + (r + square * p)};
}

#define FF_EXP_USUAL 670.0 // to here a rest of 2^-8 of the result is a normal number with all its digits

/// exp(high + low), error below 0.52 ulp; |high| < FF_EXP_USUAL.
FF_CORE double ff_exp_core(double high, double low)
{
    const ff_exp_parts e = ff_exp_split(high, low);
    const double scale = ff_double_of(ff_bits_of(e.scale) + ((uint64_t)e.exponent << 52));
    return scale + scale * e.rest;
}

/// The same where the result may be infinite, subnormal or zero; high is not NaN.
FF_CORE double ff_exp_extreme(double high, double low)
{
    if (high > 709.8) return INFINITY;
    if (high < -745.2) return 0.0;
    const ff_exp_parts e = ff_exp_split(high, low);
    // Two powers, since 2^1024 is not a double. Only the last product rounds a subnormal result.
    const int64_t half = e.exponent / 2;
    return (e.scale + e.scale * e.rest) * ff_power_of_two(half) * ff_power_of_two(e.exponent - half);
}

// ------------------------------------------------------------------------------------------ logarithm
//
// P. T. P. Tang, "Table-driven implementation of the logarithm function in IEEE floating-point arithmetic", 1990:
//     x = 2^k z,   log x = k ln2 - log(c) + log(1 + r),   1 + r = z c,
// where c, of 13 bits, is near 1/z and so |r| < 0.0041. The upper 32 bits of z times c, less one, and the lower bits
// times c are exact, so that r is known without error as a sum of two doubles. k ln2 and -log(c) have high parts that
// are multiples of 2^-42, whose sum is exact as well.

/// log x = whole + rest + log(1 + r + r_low)
typedef struct ff_log_parts {
    double whole, rest, r, r_low;
} ff_log_parts;

/// For normal, positive, finite x = high + low, where low is used below 2^60 only.
FF_CORE ff_log_parts ff_log_split(double high, double low)
{
    const uint64_t pattern = ff_bits_of(high), above = pattern - FF_LOG_FIRST_EDGE;
    const int64_t k = (int64_t)above >> 52;
    const ff_log_row *row = &ff_log_table[(above >> 45) & (FF_LOG_STEPS - 1)];
    const double z = ff_double_of(pattern - (above & 0xfff0000000000000u)), z_top = ff_without_low_bits(z, 21);
    const double top = z_top * row->reciprocal - 1.0, bottom = (z - z_top) * row->reciprocal;
    ff_wide r = ff_wide_sorted_sum(top, bottom); // of exact multiples: if top is not zero, it is larger
    if (low != 0.0) {
        const ff_wide sum = ff_wide_sum(r.high, low * ff_power_of_two(-k) * row->reciprocal);
        r = (ff_wide){sum.high, sum.low + r.low};
    }
    return (ff_log_parts){(double)k * ff_log_c.ln2_high + row->high, (double)k * ff_log_c.ln2_low + row->low, r.high,
                          r.low};
}

/// Rounded logarithm: the series of log(1 + r) to r^8, whose next term is below 4e-23.
FF_CORE double ff_log_join(ff_log_parts x)
{
    const double r = x.r, z = r * r, *c = ff_log_c.c;
    const double p = (c[0] + r * c[1]) + z * ((c[2] + r * c[3]) + z * ((c[4] + r * c[5]) + z * c[6]));
    const ff_wide sum = ff_wide_sorted_sum(x.whole, r); // whole is zero, or larger than r
    return sum.high + (sum.low + (x.rest + (x.r_low + z * p)));
}

/// Logarithm with an error below 2^-66 of it: the series of log(1 + r) to r^9.
FF_CORE ff_wide ff_log_wide_join(ff_log_parts x)
{
    // The square needs more than 53 bits: that of the upper 26 bits is exact, the rest is small.
    const double r = x.r, r_top = ff_without_low_bits(r, 27), z = r * r, *c = ff_log_c.c;
    const double p = (c[1] + r * c[2]) + z * ((c[3] + r * c[4]) + z * ((c[5] + r * c[6]) + z * c[7]));
    const double square_low = c[0] * ((r + r_top) * (r - r_top));
    const ff_wide first = ff_wide_sorted_sum(x.whole, r); // whole is zero, or larger than r
    const ff_wide second = ff_wide_sorted_sum(first.high, c[0] * (r_top * r_top));
    const double low = (x.rest + (first.low + second.low)) + ((x.r_low - r * x.r_low) + square_low) + r * z * p;
    return ff_wide_sorted_sum(second.high, low);
}

/// Natural logarithm of a positive, finite number, subnormal ones included; error below 2^-66 of it.
ff_wide ff_log_wide(double x);

// ------------------------------------------------------------------------------------------ angles

/// x = n pi/2 + r with |r| <= pi/4 (a few ulp more at the edge), for finite x. @return n mod 4
int ff_reduce_angle(double x, ff_wide *r);

#endif
