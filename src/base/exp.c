// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Exponential, and exponential less one; the method is in elementary.h.
#include <footfall/base.h>

#include "base/elementary.h"

double ff_exp(double x)
{
    if (fabs(x) < FF_EXP_USUAL) return ff_exp_core(x, 0.0);
    return isnan(x) ? NAN : ff_exp_extreme(x, 0.0);
}

/// x + x^2/2 + x^3/6 + ... to x^14 for |x| < 0.35: x^15/15! is below 1e-19 of x. The first two terms are summed without
/// error.
static double expm1_near_zero(double x)
{
    const ff_wide square = ff_wide_product(x, x), sum = ff_wide_sorted_sum(x, 0.5 * square.high);
    const double z = square.high, z2 = z * z;
    const double a = (1.0 / 6 + x * (1.0 / 24)) + z * (1.0 / 120 + x * (1.0 / 720));
    const double b = (1.0 / 5040 + x * (1.0 / 40320)) + z * (1.0 / 362880 + x * (1.0 / 3628800));
    const double c = (1.0 / 39916800 + x * (1.0 / 479001600)) + z * (1.0 / 6227020800 + x * (1.0 / 87178291200));
    return sum.high + (sum.low + (0.5 * square.low + z * x * (a + z2 * (b + z2 * c))));
}

double ff_expm1(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-54) return x;
    if (size < 0.35) return expm1_near_zero(x);
    if (isnan(x)) return NAN;
    if (x > 40.0) return ff_exp(x); // one is less than a thousandth of its last place
    if (x < -40.0) return -1.0;
    const ff_exp_parts e = ff_exp_split(x, 0.0);
    const double scale = e.scale * ff_power_of_two(e.exponent);
    const ff_wide less_one = ff_wide_sum(scale, -1.0);
    return less_one.high + (less_one.low + scale * e.rest);
}
