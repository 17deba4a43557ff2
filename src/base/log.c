// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Logarithms; the method is in elementary.h.
#include <footfall/base.h>

#include "base/elementary.h"

#define ONE_OVER_LN10_HIGH 0x1.bcb7b1526e50ep-2
#define ONE_OVER_LN10_LOW  0x1.95355baaafad3p-57

ff_wide ff_log_wide(double x)
{
    if (x >= 0x1p-1022) return ff_log_wide_join(ff_log_split(x, 0.0));
    ff_log_parts parts = ff_log_split(x * 0x1p54, 0.0);
    parts.whole -= 54.0 * ff_log_c.ln2_high;
    parts.rest -= 54.0 * ff_log_c.ln2_low;
    return ff_log_wide_join(parts);
}

/// log of zero, a negative number, infinity or NaN.
static double log_of_special(double x)
{
    if (x == 0.0) return -INFINITY;
    if (x < 0.0 || isnan(x)) return NAN;
    return x; // infinity
}

double ff_log(double x)
{
    if (x >= 0x1p-1022 && x < INFINITY) return ff_log_join(ff_log_split(x, 0.0));
    if (!(x > 0.0 && x < INFINITY)) return log_of_special(x);
    const ff_wide log = ff_log_wide(x);
    return log.high + log.low;
}

double ff_log1p(double x)
{
    if (fabs(x) < 0x1p-54) return x;
    if (!(x > -1.0 && x < INFINITY)) return log_of_special(1.0 + x);
    const ff_wide sum = ff_wide_sum(1.0, x);
    return ff_log_join(ff_log_split(sum.high, x < 0x1p60 ? sum.low : 0.0));
}

double ff_log10(double x)
{
    if (!(x > 0.0 && x < INFINITY)) return log_of_special(x);
    const ff_wide log = ff_log_wide(x), product = ff_wide_product(log.high, ONE_OVER_LN10_HIGH);
    return product.high + (product.low + (log.high * ONE_OVER_LN10_LOW + log.low * ONE_OVER_LN10_HIGH));
}
