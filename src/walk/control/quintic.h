// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A quintic in time: from a value with its rate and acceleration to rest at another value. From rest it is
//     p(s) = p0 + (p1 - p0) (10 s^3 - 15 s^4 + 6 s^5),   s = t / T,
// with a greatest rate of 15/8 (p1 - p0) / T at half time and greatest accelerations of 10/sqrt(3) (p1 - p0) / T^2.
#ifndef FOOTFALL_CONTROL_QUINTIC_H
#define FOOTFALL_CONTROL_QUINTIC_H

/// u^3 (10 - 15 u + 6 u^2), from rest at 0 to rest at 1, and its first and second derivative; u is clamped.
void ff_quintic_blend(double u, double out[3]);

typedef struct ff_quintic {
    double c[6];     // of the powers of s
    double duration; // T  [s]
} ff_quintic;

/// @param from      value, rate and acceleration at the start
/// @param duration  above zero  [s]
ff_quintic ff_quintic_make(const double from[3], double to, double duration);
/// Value, rate and acceleration at the time t since the start; before and after the quintic the ends are at rest.
void ff_quintic_at(const ff_quintic *quintic, double t, double out[3]);

#endif
