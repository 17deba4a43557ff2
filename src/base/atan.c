// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Arc tangent, and what follows from it: the angle of a point (atan2), arc sine and arc cosine. With c = j/128 nearest
// to q = y/x,
//     atan(y/x) = atan(c) + atan(t),   t = (y - c x) / (x + c y),   |t| <= 1/256,
// where a table has the first as a sum of two doubles, and a series gives the second. Below q = 1/8 the series alone is
// used. Arc sine and arc cosine are angles of the point (sqrt(1 - x^2), x), with a root of twice the precision.
#include <footfall/base.h>

#include "base/elementary.h"

static const ff_wide ZERO = {0.0, 0.0};
static const ff_wide RIGHT_ANGLE = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};
static const ff_wide HALF_TURN = {0x1.921fb54442d18p1, 0x1.1a62633145c07p-53};

/// base + sign (main + rest), where |main| <= |base| or base is zero.
static inline double add_small(ff_wide base, double sign, double main, double rest)
{
    const ff_wide sum = ff_wide_sorted_sum(base.high, sign * main);
    return sum.high + (sum.low + (base.low + sign * rest));
}

/// atan(q) - q for |q| < 1/8: the series to q^19, whose next term is below 2^-64 of q.
static inline double series(double q)
{
    const double z = q * q, z2 = z * z, z4 = z2 * z2;
    const double a = (-1.0 / 3 + z * (1.0 / 5)) + z2 * (-1.0 / 7 + z * (1.0 / 9));
    const double b = (-1.0 / 11 + z * (1.0 / 13)) + z2 * (-1.0 / 15 + z * (1.0 / 17));
    return q * z * (a + z4 * (b + z4 * (-1.0 / 19)));
}

/// base + sign atan(y / x) for 0 <= y <= x, x > 0.
static inline double add_atan(ff_wide y, ff_wide x, ff_wide base, double sign)
{
    const double q = y.high / x.high;
    if (q < 0.125) {
        const ff_wide product = ff_wide_product(q, x.high);
        const double rest = (y.high - product.high) - product.low;
        return add_small(base, sign, q, (rest + (y.low - q * x.low)) / x.high + series(q));
    }
    const int j = (int)(q * FF_ATAN_STEPS + 0.5);
    const double c = j / (double)FF_ATAN_STEPS, top = ff_without_low_bits(x.high, 21); // c * top is exact
    const double n = ((y.high - c * top) - c * (x.high - top)) + (y.low - c * x.low);
    const double t = n / (x.high + c * y.high), z = t * t;
    const ff_wide main = ff_atan_table[j];
    return add_small(base, sign, main.high, main.low + (t + t * z * (-1.0 / 3 + z * (1.0 / 5 - z * (1.0 / 7)))));
}

double ff_atan(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-27) return x;
    if (size < 0.125) return x + series(x);
    if (isnan(x)) return NAN;
    if (size > 0x1p60) return copysign(RIGHT_ANGLE.high, x);
    const ff_wide point = {size, 0.0}, one = {1.0, 0.0};
    return copysign(size <= 1.0 ? add_atan(point, one, ZERO, 1.0) : add_atan(one, point, RIGHT_ANGLE, -1.0), x);
}

/// Angle of the point (x, y), y >= 0, both finite, not zero, and of similar size.
static double angle_of(ff_wide y, ff_wide x)
{
    if (x.high < 0.0) {
        const ff_wide size = {-x.high, -x.low};
        return y.high <= size.high ? add_atan(y, size, HALF_TURN, -1.0) : add_atan(size, y, RIGHT_ANGLE, 1.0);
    }
    return y.high <= x.high ? add_atan(y, x, ZERO, 1.0) : add_atan(x, y, RIGHT_ANGLE, -1.0);
}

/// Angle of a point with a coordinate that is zero or infinite, as in C17, F.10.1.4.
static double angle_of_extreme(double y, double x)
{
    double angle;
    if (isinf(x) && isinf(y))
        angle = x > 0.0 ? 0.5 * RIGHT_ANGLE.high : 0x1.2d97c7f3321d2p1; // pi/4, 3 pi/4
    else if (y == 0.0 || isinf(x))
        angle = signbit(x) ? HALF_TURN.high : 0.0;
    else
        angle = RIGHT_ANGLE.high;
    return copysign(angle, y);
}

double ff_atan2(double y, double x)
{
    if (isnan(y) || isnan(x)) return NAN;
    if (y == 0.0 || x == 0.0 || isinf(y) || isinf(x)) return angle_of_extreme(y, x);
    const int exponent = (int)(ff_bits_of(x) >> 52 & 0x7ff), difference = (int)(ff_bits_of(y) >> 52 & 0x7ff) - exponent;
    if (difference > 60) return copysign(RIGHT_ANGLE.high, y);
    if (difference < -60) return x > 0.0 ? y / x : copysign(HALF_TURN.high, y);
    double scale = 1.0;
    if (exponent > 1500) scale = 0x1p-600;
    if (exponent < 500) scale = 0x1p600;
    return copysign(angle_of((ff_wide){fabs(y) * scale, 0.0}, (ff_wide){x * scale, 0.0}), y);
}

/// sqrt(1 - x^2) for 2^-27 <= x < 1: a root in double precision and one step of Newton's method.
static ff_wide wide_cosine(double x)
{
    const ff_wide square = ff_wide_product(x, x), left = ff_wide_sum(1.0, -square.high);
    const double low = left.low - square.low, root = sqrt(left.high + low);
    const ff_wide back = ff_wide_product(root, root);
    return (ff_wide){root, ((left.high - back.high) + (low - back.low)) / (2.0 * root)};
}

/// asin(x) - x for |x| < 1/8: its series to x^19, whose next term is below 2^-65 of x.
static double asin_series(double x)
{
    const double z = x * x, z2 = z * z, z4 = z2 * z2;
    const double a = (1.0 / 6 + z * (3.0 / 40)) + z2 * (5.0 / 112 + z * (35.0 / 1152));
    const double b = (63.0 / 2816 + z * (231.0 / 13312)) + z2 * (143.0 / 10240 + z * (6435.0 / 557056));
    return x * z * (a + z4 * (b + z4 * (12155.0 / 1245184)));
}

double ff_asin(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-27) return x;
    if (size < 0.125) return x + asin_series(x);
    if (!(size <= 1.0)) return NAN;
    if (size == 1.0) return copysign(RIGHT_ANGLE.high, x);
    return copysign(angle_of((ff_wide){size, 0.0}, wide_cosine(size)), x);
}

double ff_acos(double x)
{
    const double size = fabs(x);
    if (size < 0x1p-60) return RIGHT_ANGLE.high;
    if (size < 0.125) return add_small(RIGHT_ANGLE, -1.0, x, asin_series(x));
    if (!(size <= 1.0)) return NAN;
    if (size == 1.0) return x > 0.0 ? 0.0 : HALF_TURN.high;
    return angle_of(wide_cosine(size), (ff_wide){x, 0.0});
}
