// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tangent. After the reduction to |r| <= pi/4, with c = j/64 nearest to |r| and u = tan(|r| - c),
//     tan |r| = T + u (1 + T^2) / (1 - u T) = T + u + u T (T + u) / (1 - u T),    T = tan(c),
// the first term from a table as a sum of two doubles, u by its series. In the last form the quotient is small where T
// is, and so is its error. Below 1/8 the series alone is used. Near odd multiples of pi/2 the tangent is minus the
// reciprocal of this, computed from both doubles.
#include <footfall/base.h>

#include "base/elementary.h"

/// tan(x) - x for 0 <= x < 1/8: the series to x^17, whose next term is below 2^-65 of x.
static double series(double x)
{
    const double z = x * x, z2 = z * z, z4 = z2 * z2;
    const double a = (1.0 / 3 + z * (2.0 / 15)) + z2 * (17.0 / 315 + z * (62.0 / 2835));
    const double b =
        (1382.0 / 155925 + z * (21844.0 / 6081075)) + z2 * (929569.0 / 638512875 + z * (6404582.0 / 10854718875));
    return x * z * (a + z4 * b);
}

/// tan of an angle from 0 to pi/4.
static ff_wide tan_reduced(ff_wide angle)
{
    if (angle.high < 0.125)
        return ff_wide_sorted_sum(angle.high, series(angle.high) + angle.low * (1.0 + angle.high * angle.high));
    const int j = (int)(angle.high * 64.0 + 0.5);
    const double t = (angle.high - j / 64.0) + angle.low, z = t * t;
    const double u = t + t * z * (1.0 / 3 + z * (2.0 / 15 + z * (17.0 / 315)));
    const ff_wide c = ff_tan_table[j];
    return ff_wide_sorted_sum(c.high, c.low + (u + u * c.high * (c.high + u) / (1.0 - u * c.high)));
}

double ff_tan(double x)
{
    if (fabs(x) < 0x1p-27) return x;
    if (isnan(x) || isinf(x)) return NAN;
    ff_wide r;
    const int quadrant = ff_reduce_angle(x, &r);
    const double sign = r.high < 0.0 ? -1.0 : 1.0;
    const ff_wide value = tan_reduced((ff_wide){sign * r.high, sign * r.low});
    if (quadrant % 2 == 0) return sign * (value.high + value.low);
    const double q = 1.0 / value.high;
    const ff_wide back = ff_wide_product(q, value.high);
    return -sign * (q + q * (((1.0 - back.high) - back.low) - q * value.low));
}
