// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Powers: x^y = exp(y log x), with a logarithm and a product of twice the precision, as the exponential magnifies an
// error of its argument up to 745 times. Special values are those of C17, F.10.4.4.
#include <footfall/base.h>

#include "base/elementary.h"

enum { NOT_WHOLE, ODD, EVEN };

/// Is the finite y a whole number, and which kind?
static int parity(double y)
{
    const double size = fabs(y);
    if (size >= 0x1p53) return EVEN;
    if (size != floor(size)) return NOT_WHOLE;
    return (int64_t)size % 2 ? ODD : EVEN;
}

/// x^y from the logarithm of x; 2^-65 <= |y| <= 2^64.
static inline double power_from_log(ff_wide log, double y)
{
    const ff_wide product = ff_wide_product(y, log.high);
    const double low = product.low + y * log.low;
    return fabs(product.high) < FF_EXP_USUAL ? ff_exp_core(product.high, low) : ff_exp_extreme(product.high, low);
}

/// x^y for x > 0, both finite.
static double positive_power(double x, double y)
{
    if (fabs(y) < 0x1p-65) return 1.0;             // log x is at most 745
    if (fabs(y) > 0x1p64) y = copysign(0x1p64, y); // for all x but 1 the result overflows or underflows
    return power_from_log(ff_log_wide(x), y);
}

/// x^y for x = 0 or infinite, y finite and not 0.
static double power_of_extreme(double x, double y)
{
    const double size = (x == 0.0) == (y > 0.0) ? 0.0 : INFINITY;
    return parity(y) == ODD ? copysign(size, x) : size;
}

/// x^y for all x and y, special values included.
static double power_with_special(double x, double y)
{
    if (y == 0.0 || x == 1.0) return 1.0;
    if (isnan(x) || isnan(y)) return NAN;
    if (isinf(y)) {
        if (x == -1.0) return 1.0;
        return (fabs(x) > 1.0) == (y > 0.0) ? INFINITY : 0.0;
    }
    if (x == 0.0 || isinf(x)) return power_of_extreme(x, y);
    if (x > 0.0) return positive_power(x, y);
    const int kind = parity(y);
    if (kind == NOT_WHOLE) return NAN;
    const double size = positive_power(-x, y);
    return kind == ODD ? -size : size;
}

double ff_pow(double x, double y)
{
    const double size = fabs(y);
    if (x >= 0x1p-1022 && x < INFINITY && size >= 0x1p-65 && size <= 0x1p64)
        return power_from_log(ff_log_wide_join(ff_log_split(x, 0.0)), y);
    return power_with_special(x, y);
}
