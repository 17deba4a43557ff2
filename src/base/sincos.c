// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sine and cosine of many angles at once, in plain arithmetic: the same bits with every compiler and C library, and in
// a form that compilers turn into vector code. A step of a robot needs one pair a joint, so this loop is felt in every
// kernel.
//
// Reduction (W. J. Cody, W. Waite, 1980): n = round(x 2/pi), r = x - n (P1 + P2 + P3), the parts of pi/2 with 33, 33
// and 53 bits, so that n P1 and n P2 are exact for |n| < 2^20. Then sin r and cos r on [-pi/4, pi/4] by the minimax
// polynomials of degree 13 and 14 whose coefficients fdlibm uses (Sun Microsystems, 1993; errors below 2^-58), and a
// choice by n mod 4.
#include <footfall/base.h>

#include "base/elementary.h"
#include "base/pair.h"

#define LARGEST_ANGLE 1e5 // [rad] beyond it reduce.c reduces

/// Sines and cosines of two angles. @return all bits set in the lanes whose angle is too large or not a number
static inline ff_pair_bits sincos_two(ff_pair x, ff_pair *sine, ff_pair *cosine)
{
    const ff_pair round_magic = ff_pair_both(0x1.8p52);
    ff_pair shifted = x * 0.636619772367581343076 + round_magic; // x 2/pi: the low bits of the sum are n
    ff_pair n = shifted - round_magic;
    ff_pair r = ((x - n * 0x1.921fb544p0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
    ff_pair z = r * r, s, c;
    s = z * 1.58969099521155010221e-10 - 2.50507602534068634195e-08;
    s = s * z + 2.75573137070700676789e-06;
    s = s * z - 1.98412698298579493134e-04;
    s = s * z + 8.33333333332248946124e-03;
    s = s * z - 1.66666666666666324348e-01;
    s = r + r * (z * s);
    c = z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09;
    c = c * z - 2.75573143513906633035e-07;
    c = c * z + 2.48015872894767294178e-05;
    c = c * z - 1.38888888888741095749e-03;
    c = c * z + 4.16666666666666019037e-02;
    c = (1.0 - 0.5 * z) + z * z * c;
    // n odd swaps the two; then sine is negated for n = 2, 3 and cosine for n = 1, 2 (mod 4)
    ff_pair_bits bits = (ff_pair_bits)shifted, sine_bits = (ff_pair_bits)s, cosine_bits = (ff_pair_bits)c;
    ff_pair_bits exchange = (sine_bits ^ cosine_bits) & -(bits & 1);
    *sine = (ff_pair)(sine_bits ^ exchange ^ ((bits & 2) << 62));
    *cosine = (ff_pair)(cosine_bits ^ exchange ^ (((bits + 1) & 2) << 62));
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
