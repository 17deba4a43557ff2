// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// An angle minus the nearest multiple of pi/2, to twice the precision: by four parts of pi/2 up to 1e5 rad (W. J. Cody,
// W. Waite, "Software Manual for the Elementary Functions", 1980), beyond by whole numbers and those bits of 2/pi that
// matter (M. H. Payne, R. N. Hanek, "Radian reduction for trigonometric functions", 1983).
#include "base/elementary.h"

#define LARGEST_BY_PARTS 1e5 // [rad] 17 bits of quarter turns times 33 bits are exact
#define ROUND_MAGIC      0x1.8p52

/// pi/2 as a sum: three parts of 33 bits, and the rest rounded to a double.
static const double PARTS[4] = {0x1.921fb544p0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69, 0x1.b839a252049c1p-104};
static const ff_wide RIGHT_ANGLE = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};

static int reduce_by_parts(double x, ff_wide *r)
{
    const double shifted = x * 0x1.45f306dc9c883p-1 + ROUND_MAGIC, n = shifted - ROUND_MAGIC;
    const ff_wide second = ff_wide_sum(x - n * PARTS[0], -(n * PARTS[1]));
    const ff_wide third = ff_wide_sum(second.high, -(n * PARTS[2]));
    *r = ff_wide_sum(third.high, (second.low + third.low) - n * PARTS[3]);
    return (int)(ff_bits_of(shifted) & 3);
}

enum { WINDOW = 8, PRODUCT = WINDOW + 2 }; // numbers of 32-bit words: of 2/pi, of its product with a mantissa

/// product = mantissa * (words of 2/pi from `first`), most significant word first.
static void multiply(uint64_t mantissa, int first, uint32_t product[PRODUCT])
{
    const uint64_t m[2] = {mantissa & 0xffffffffu, mantissa >> 32};
    memset(product, 0, PRODUCT * sizeof product[0]);
    for (int i = 0; i < 2; i++) {
        uint64_t carry = 0;
        for (int k = WINDOW - 1; k >= 0; k--) {
            uint32_t *at = &product[k + 2 - i];
            carry += m[i] * ff_two_over_pi[first + k] + *at;
            *at = (uint32_t)carry;
            carry >>= 32;
        }
        product[1 - i] = (uint32_t)carry;
    }
}

/// 32 bits of a product from bit `at` on, counted from its most significant one.
static uint32_t bits_from(const uint32_t product[PRODUCT], int at)
{
    const int word = at / 32, shift = at % 32;
    const uint64_t two = (uint64_t)product[word] << 32 | (word + 1 < PRODUCT ? product[word + 1] : 0);
    return (uint32_t)(two >> (32 - shift));
}

/// x = mantissa 2^exponent. Bits of 2/pi above the window are left out: their products with x are multiples of 4. 160
/// bits behind the binary point are exact, 98 more than the closest approach of a double to a multiple of pi/2, 2^-62,
/// needs.
static int reduce_by_bits(double x, ff_wide *r)
{
    const uint64_t bits = ff_bits_of(x);
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1075;
    const uint64_t mantissa = (bits & 0xfffffffffffffu) | 1ull << 52;
    const int first = exponent > 2 ? (exponent - 2) / 32 : 0;
    uint32_t product[PRODUCT];
    multiply(mantissa, first, product);
    const int point = 32 * (PRODUCT - WINDOW - first) + exponent; // bits of the product before the binary point
    int n = (int)(bits_from(product, point - 2) >> 30);
    const bool over = bits_from(product, point) >> 31; // more than half: the next multiple is nearer
    ff_wide sum = {0.0, 0.0};
    double weight = 0x1p-160;
    for (int i = 4; i >= 0; i--, weight *= 0x1p32) {
        const uint32_t word = bits_from(product, point + 32 * i);
        // the bits of ~word give 1 - fraction, but for 2^-160
        const ff_wide next = ff_wide_sum((double)(over ? ~word : word) * weight, sum.high);
        sum = (ff_wide){next.high, sum.low + next.low};
    }
    const double sign = (over ? -1.0 : 1.0) * (x < 0.0 ? -1.0 : 1.0);
    const ff_wide angle = ff_wide_product(sum.high, RIGHT_ANGLE.high);
    const double low = angle.low + (sum.high * RIGHT_ANGLE.low + sum.low * RIGHT_ANGLE.high);
    const ff_wide rounded = ff_wide_sorted_sum(angle.high, low);
    *r = (ff_wide){sign * rounded.high, sign * rounded.low};
    n += over;
    return (x < 0.0 ? -n : n) & 3;
}

int ff_reduce_angle(double x, ff_wide *r)
{
    if (fabs(x) <= LARGEST_BY_PARTS) return reduce_by_parts(x, r);
    return reduce_by_bits(x, r);
}
