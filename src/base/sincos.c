// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sine and cosine of many angles at once, in plain arithmetic: bit-identical with every compiler and C library, in a
// form that compilers turn into vector code. A step of a robot needs one pair per joint, so this loop takes a
// measurable part of every kernel.
//
// Reduction (W. J. Cody, W. Waite, 1980): n = round(x 2/pi), r = x - n (P1 + P2 + P3), the parts of pi/2 with 33, 33
// and 53 bits, so that n P1 and n P2 are exact for |n| < 2^20. Then sin r and cos r on [-pi/4, pi/4] by the minimax
// polynomials of degree 13 and 14 whose coefficients fdlibm uses (Sun Microsystems, 1993; errors below 2^-58), and a
// choice by n mod 4.
#include <footfall/base.h>

#include "base/elementary.h"
#include "base/pair.h"

#define LARGEST_ANGLE 1e5 // [rad] beyond it reduce.c reduces

#define FF_CORE       static inline
#define FF_REAL       ff_pair
#define FF_BITS       ff_pair_bits
#define FF_AS_BITS(x) ((ff_pair_bits)(x))
#define FF_AS_REAL(x) ((ff_pair)(x))
#include "base/sincos_core.h"

/// Sines and cosines of two angles. @return all bits set in the lanes whose angle is too large or not a number
static inline ff_pair_bits sincos_two(ff_pair x, ff_pair *sine, ff_pair *cosine)
{
    ff_sincos_core(x, sine, cosine);
    return ~((x <= LARGEST_ANGLE) & (x >= -LARGEST_ANGLE));
}

/// Sine and cosine of an angle beyond LARGEST_ANGLE, infinity or NaN.
static void sincos_large(double angle, double *sine, double *cosine)
{
    *sine = *cosine = NAN;
    if (!isfinite(angle)) return;
    ff_wide r;
    ff_pair s, c;
    const int quadrant = ff_reduce_angle(angle, &r);
    sincos_two(ff_pair_both(r.high), &s, &c);
    const double of_r[2] = {s[0] + r.low * c[0], c[0] - r.low * s[0]};
    const double size[2] = {of_r[quadrant % 2], of_r[1 - quadrant % 2]};
    *sine = quadrant >= 2 ? -size[0] : size[0];
    *cosine = quadrant == 1 || quadrant == 2 ? -size[1] : size[1];
}

void ff_sincos(const double *restrict angle, double *restrict sine, double *restrict cosine, int n)
{
    ff_pair_bits large = {0, 0};
    ff_pair x, s, c;
    for (int i = 0; i + 1 < n; i += 2) {
        memcpy(&x, angle + i, sizeof x);
        large |= sincos_two(x, &s, &c);
        memcpy(sine + i, &s, sizeof s);
        memcpy(cosine + i, &c, sizeof c);
    }
    if (n % 2) {
        large |= sincos_two(ff_pair_both(angle[n - 1]), &s, &c);
        sine[n - 1] = s[0];
        cosine[n - 1] = c[0];
    }
    if (!(large[0] | large[1])) return;
    for (int i = 0; i < n; i++) {
        if (fabs(angle[i]) <= LARGEST_ANGLE) continue;
        sincos_large(angle[i], &sine[i], &cosine[i]);
    }
}

double ff_sin(double angle)
{
    double sine, cosine;
    ff_sincos(&angle, &sine, &cosine, 1);
    return sine;
}

double ff_cos(double angle)
{
    double sine, cosine;
    ff_sincos(&angle, &sine, &cosine, 1);
    return cosine;
}
