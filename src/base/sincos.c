// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sine and cosine of many angles at once, in plain arithmetic: the same bits with every compiler and C library, and in
// a form that compilers turn into vector code. A step of a robot needs one pair a joint, so this loop is felt in every
// kernel.
//
// Reduction (W. J. Cody, W. Waite, 1980): n = round(x 2/pi), r = x - n (P1 + P2 + P3), the parts of pi/2 with 33, 33
// and 53 bits, so that n P1 and n P2 are exact for |n| < 2^20. Then sin r and cos r on [-pi/4, pi/4] by their Taylor
// series to degree 17 and 16, whose first omitted terms are below 1e-19, and a choice by n mod 4.
#include <footfall/base.h>

#define LARGEST_ANGLE 1e5 // [rad] beyond it the C library reduces

static inline void sincos_one(double x, double *sine, double *cosine)
{
    const double two_over_pi = 0.636619772367581343076, round_magic = 0x1.8p52;
    const double p1 = 0x1.921fb544p0, p2 = 0x1.0b4611a6p-34, p3 = 0x1.3198a2e037073p-69;
    double shifted = x * two_over_pi + round_magic; // its low bits are n
    double n = shifted - round_magic;
    double r = ((x - n * p1) - n * p2) - n * p3;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    double z = r * r;
    double s = 1.0 / 355687428096000.0;
    s = s * z - 1.0 / 1307674368000.0;
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    s = r + r * (z * s);
    double c = 1.0 / 20922789888000.0;
    c = c * z - 1.0 / 87178291200.0;
    c = c * z + 1.0 / 479001600.0;
    c = c * z - 1.0 / 3628800.0;
    c = c * z + 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    c = (1.0 - 0.5 * z) + z * z * c;
    // n odd swaps the two; then sine is negated for n = 2, 3 and cosine for n = 1, 2 (mod 4)
    uint64_t sine_bits, cosine_bits, swap = 0 - (bits & 1);
    memcpy(&sine_bits, &s, sizeof s);
    memcpy(&cosine_bits, &c, sizeof c);
    uint64_t exchange = (sine_bits ^ cosine_bits) & swap;
    sine_bits ^= exchange ^ ((bits & 2) << 62);
    cosine_bits ^= exchange ^ (((bits + 1) & 2) << 62);
    memcpy(sine, &sine_bits, sizeof s);
    memcpy(cosine, &cosine_bits, sizeof c);
}

void ff_sincos(const double *restrict angle, double *restrict sine, double *restrict cosine, int n)
{
    for (int i = 0; i < n; i++) sincos_one(angle[i], &sine[i], &cosine[i]);
    for (int i = 0; i < n; i++) {
        if (fabs(angle[i]) <= LARGEST_ANGLE) continue;
        sine[i] = sin(angle[i]);
        cosine[i] = cos(angle[i]);
    }
}
