// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Length of a plane vector: the root of a sum of squares of twice the precision, and one step of Newton's method.
#include <footfall/base.h>

#include "base/elementary.h"

double ff_hypot(double x, double y)
{
    if (isinf(x) || isinf(y)) return INFINITY;
    if (isnan(x) || isnan(y)) return NAN;
    const double a_side = fabs(x), b_side = fabs(y);
    const double large = a_side > b_side ? a_side : b_side, small = a_side > b_side ? b_side : a_side;
    if (small <= large * 0x1p-60) return large;
    double scale = 1.0;
    if (large > 0x1p400) scale = 0x1p-600;
    if (large < 0x1p-400) scale = 0x1p600;
    const ff_wide a = ff_wide_product(large * scale, large * scale), b = ff_wide_product(small * scale, small * scale);
    const ff_wide sum = ff_wide_sorted_sum(a.high, b.high);
    const double low = sum.low + (a.low + b.low), root = sqrt(sum.high + low);
    const ff_wide back = ff_wide_product(root, root);
    return (root + ((sum.high - back.high) + (low - back.low)) / (2.0 * root)) / scale;
}
