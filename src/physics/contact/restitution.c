// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How much of its speed a body keeps after an impact on F = k x^n (1 + d v).  Separating v dv / (1 + d v) =
// -(k/m) x^n dx and integrating from touch-down to lift-off, where x is zero both times, leaves one equation without k,
// m and n:
//     a (1 + e) = ln((1 + a) / (1 - e a)),      a = d v0,                                                        (X1)
// which is solved for e and for a below. e a < 1 always, so the force never pulls in a free impact.
#include "contact/private.h"

/// f(a, e) = ln(1 + a) - ln(1 - e a) - a (1 + e) or, for small a, f / a^2 by its series  sum a^(m-2) (e^m - (-1)^m) /
/// m:  the logarithms would cancel to nothing there, and so would e^m - 1 for e near 1. Only the sign is used.
static double x1_residual(double a, double e)
{
    if (a > 0.05) return ff_log1p(a) - ff_log1p(-e * a) - a * (1.0 + e);
    double sum = 0.0, power = 1.0, log_e = ff_log1p(e - 1.0);
    for (int m = 2; m < 20; m++) { // 0.05^18 < 1e-23
        double lost = ff_expm1(m * log_e);
        sum += power * (m % 2 ? lost + 2.0 : lost) / m;
        power *= a;
    }
    return sum;
}

/// Halves the interval in which x1_residual rises through zero, in a or in e, down to neighbouring numbers.
static void bisect(bool in_a, double other, double *low, double *high)
{
    for (int i = 0; i < 1100; i++) { // enough to reach the smallest double
        const double middle = 0.5 * (*low + *high);
        if (middle <= *low || middle >= *high) return;
        *(x1_residual(in_a ? middle : other, in_a ? other : middle) < 0.0 ? low : high) = middle;
    }
}

double ff_restitution_of_group(double a)
{
    if (!(a >= 0.0)) return NAN;
    if (a == 0.0) return 1.0;
    double low = 0.0, high = a > 1.0 ? 1.0 / a : 1.0; // the residual rises with e, from below zero to above
    bisect(false, a, &low, &high);
    return 0.5 * (low + high);
}

double ff_group_of_restitution(double e)
{
    if (!(e > 0.0 && e <= 1.0)) return NAN;
    if (e == 1.0) return 0.0;
    double low = 0.0, high = 1.0 / e; // below zero just above a = 0, infinite at 1/e, one root between
    bisect(true, e, &low, &high);
    return low;
}

double ff_group_calibrated(ff_calibration calibration, double e)
{
    if (!(e > 0.0 && e <= 1.0)) return NAN;
    switch (calibration) {
    case FF_CALIBRATION_SEED:
        return (1.0 - e) / e;
    case FF_CALIBRATION_THREE_HALVES:
        return 1.5 * (1.0 - e) / e;
    default:
        return ff_group_of_restitution(e);
    }
}

double ff_stiffness_of_layer(double modulus, double area, double thickness)
{
    return modulus > 0.0 && area > 0.0 && thickness > 0.0 ? modulus * area / thickness : NAN;
}

double ff_damping_for_restitution(double stiffness, double restitution, double speed)
{
    if (!(stiffness > 0.0 && speed > 0.0)) return NAN;
    if (restitution == 0.0) return stiffness / FF_IMPACT_FLOOR;
    return stiffness * ff_group_of_restitution(restitution) / speed;
}

/// Acceleration of the impact in units of its own: length v0 sqrt(m/k), time sqrt(m/k).
static double impact_acceleration(double beta, double power, double x, double v)
{
    if (!(x > 0.0)) return 0.0;
    double force = x + beta * ff_power(x, power) * v;
    return force > 0.0 ? -force : 0.0;
}

/// Integrates x'' = -max(0, x + beta x^power x') from x = 0, x' = 1 to x = 0 by the method of Kutta. @return speed
/// there
static double impact_through(double beta, double power)
{
    const double h = FF_PI / 1000.0;
    double x = 0.0, v = 1.0;
    for (int step = 0; step < 50000; step++) { // fifty half periods: with a damper that strong there is no bounce
        double a1 = impact_acceleration(beta, power, x > 0.0 ? x : 1e-300, v);
        double x2 = x + 0.5 * h * v, v2 = v + 0.5 * h * a1, a2 = impact_acceleration(beta, power, x2, v2);
        double x3 = x + 0.5 * h * v2, v3 = v + 0.5 * h * a2, a3 = impact_acceleration(beta, power, x3, v3);
        double x4 = x + h * v3, v4 = v + h * a3, a4 = impact_acceleration(beta, power, x4, v4);
        double next = x + h / 6.0 * (v + 2.0 * (v2 + v3) + v4), speed = v + h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
        if (next <= 0.0 && v < 0.0) return -(v + (speed - v) * x / (x - next));
        x = next;
        v = speed;
    }
    return 0.0;
}

double ff_contact_restitution(const ff_contact_pair *pair, double speed, double mass)
{
    double k = pair->stiffness, m = pair->damping_exponent, time = sqrt(mass / k);
    double beta = pair->damping * ff_power(speed * time, m) / (k * time); // of a linear spring
    const ff_normal_law_row *law = &ff_normal_laws[pair->law];
    if (!law->damper) return 1.0;
    if (law->uses & FF_USES_IMPACT_SPEED) return pair->restitution;
    if (m == pair->exponent) { // neither mass nor exponent count (X1)
        beta = pair->damping * speed / k;
        m = 1.0;
    }
    if (beta > 100.0) return m > 0.0 ? 1.0 / beta : 0.0; // X1 for large groups; the steps below could not follow
    return impact_through(beta, m);
}
