// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Dormand-Prince 5(4): six new stages a step, of which the last is the first of the next step. The difference from the
// embedded solution of fourth order estimates the error. A polynomial of fourth order in theta gives the state within
// the step at no further cost.
//     J. R. Dormand, P. J. Prince, J. Comp. Appl. Math. 6(1), 1980.
//     E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I (Springer, 1993), sec. II.4 to
//     II.6.
// Only + - * / and sqrt are used, which IEEE 754 defines to the last bit: results do not depend on the C library.
#include "engine/system.h"

#include <math.h>

static const double C[FF_STAGES] = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0};

static const double A[FF_STAGES][6] = {
    {0.0},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
};

// Fifth-order minus fourth-order weights.
static const double E[FF_STAGES] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                    -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

// Weights of the highest term of the continuous extension (Hairer et al., sec. II.6).
static const double D[FF_STAGES] = {-12715105075.0 / 11282082432.0,  0.0,
                                    87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                    701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                    69997945.0 / 29380423.0};

/// Fifth root of x >= 0, without the C library.
static double fifth_root(double x)
{
    if (!(x > 0.0)) return 0.0;
    if (!isfinite(x)) return x;
    int exponent;
    double m = frexp(x, &exponent); // exact: x = m 2^exponent, 0.5 <= m < 1
    int shift = exponent % 5;
    if (shift < 0) shift += 5;
    m = ldexp(m, shift); // 0.5 <= m < 16; the rest of the exponent is a multiple of five
    double r = m < 2.0 ? 1.0 : 1.5;
    // Newton from above after the first step; 12 rounds reach the last bit from the farthest start (m = 0.5 or 16).
    for (int i = 0; i < 12; i++) r = r - (r - m / (r * r * r * r)) / 5.0;
    return ldexp(r, (exponent - shift) / 5);
}

/// Largest ratio of a value to the tolerance of its component. A mean would be too small where many components have no
/// error, such as springs of open contacts.
static double scaled_norm(const ff_ode *ode, const double *values, const double *x, const double *y, ff_tolerance tol)
{
    double most = 0.0;
    for (int i = 0; i < ode->ncontrol; i++) {
        const double size = ff_max(fabs(x[i]), fabs(y[i]));
        const double absolute = ode->absolute_limit ? ff_min(tol.absolute, ode->absolute_limit[i]) : tol.absolute;
        double allowed = absolute + tol.relative * size;
        if (ode->error_limit) allowed = ff_min(allowed, ode->error_limit[i]);
        const double part = fabs(values[i]) / allowed;
        if (part > most || isnan(part)) most = part; // keeps NaN
    }
    return most;
}

double ff_dopri_try(const ff_ode *ode, ff_integrator *in, ff_tolerance tol, double t, double h, const double *x)
{
    const int n = ode->n;
    for (int stage = 1; stage < FF_STAGES; stage++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = 0; j < stage; j++) sum += A[stage][j] * in->k[j][i];
            in->trial[i] = x[i] + h * sum;
        }
        if (!ode->derivative(ode->context, t + C[stage] * h, in->trial, in->k[stage])) return -1.0;
    }
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < FF_STAGES; j++) sum += E[j] * in->k[j][i];
        in->probe[i] = h * sum;
    }
    const double error = scaled_norm(ode, in->probe, x, in->trial, tol);
    return isfinite(error) ? error : -1.0;
}

void ff_dopri_dense_prepare(const ff_ode *ode, ff_integrator *in, double h, const double *x)
{
    for (int i = 0; i < ode->n; i++) {
        const double rise = in->trial[i] - x[i];
        const double start = h * in->k[0][i] - rise;
        double sum = 0.0;
        for (int j = 0; j < FF_STAGES; j++) sum += D[j] * in->k[j][i];
        in->dense[0][i] = x[i];
        in->dense[1][i] = rise;
        in->dense[2][i] = start;
        in->dense[3][i] = rise - h * in->k[6][i] - start;
        in->dense[4][i] = h * sum;
    }
}

void ff_dopri_dense(const ff_ode *ode, const ff_integrator *in, double theta, double *out)
{
    const double rest = 1.0 - theta;
    double *const *c = in->dense;
    for (int i = 0; i < ode->n; i++)
        out[i] = c[0][i] + theta * (c[1][i] + rest * (c[2][i] + theta * (c[3][i] + rest * c[4][i])));
    ode->normalise(ode->context, out);
}

double ff_dopri_first_step(const ff_ode *ode, ff_integrator *in, ff_tolerance tol, double t, const double *x,
                           double bound)
{
    const int n = ode->n;
    const double size = scaled_norm(ode, x, x, x, tol);
    const double slope = scaled_norm(ode, in->k[0], x, x, tol);
    double h = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;
    h = ff_min(h, bound);
    for (int i = 0; i < n; i++) in->trial[i] = x[i] + h * in->k[0][i];
    if (!ode->derivative(ode->context, t + h, in->trial, in->k[1])) return h;
    for (int i = 0; i < n; i++) in->probe[i] = in->k[1][i] - in->k[0][i];
    const double bend = scaled_norm(ode, in->probe, x, x, tol) / h;
    const double largest = ff_max(slope, bend);
    const double by_order = largest <= 1e-15 ? ff_max(1e-6, 1e-3 * h) : fifth_root(0.01 / largest);
    const double first = ff_min(100.0 * h, by_order);
    return isfinite(first) && first > 0.0 ? ff_min(first, bound) : h;
}

double ff_dopri_factor(const ff_integrator *in, double error)
{
    // PI control h *= 0.9 e^-0.15 e_old^0.05, after K. Gustafsson, ACM Trans. Math. Softw. 17(4), 1991: between the
    // pure controller (0.2, 0), which chatters at the stability bound, and Hairer's (0.17, 0.04); the exponents are 3/4
    // and 1/4 of 1/5 so that a fifth root and square roots do.
    const double e = fifth_root(ff_max(error, 1e-10));
    const double e_old = fifth_root(ff_max(in->error_old, 1e-4));
    const double root = sqrt(e);
    const double factor = 0.9 * sqrt(sqrt(e_old)) / (root * sqrt(root));
    const double most = in->refused_last ? 1.0 : 5.0;
    return ff_min(most, ff_max(0.2, factor));
}
