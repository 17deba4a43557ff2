// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Fractional differences of sampled signals. The Pade approximants of (1 - x)^alpha are ratios of hypergeometric
// polynomials,
//     2F1(-n, -n - alpha; -2n; x) / 2F1(-n, -n + alpha; -2n; x),
// whose zeros lie on the real axis beyond 1 for |alpha| < 1: they sample the branch cut of the power. With x = 1/z all
// poles and zeros of the filter are between 0 and 1. The filter is kept in the transposed form, which needs one number
// of memory an order.
#include <footfall/fractional.h>

#include <footfall/math.h>
#include <math.h>
#include <string.h>

static ff_status check_rate(double rate, ff_error *err)
{
    if (rate >= 0.0 && isfinite(rate)) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "a rate of %g Hz: it must be above zero, or 0 for no factor", rate);
}

/// Terms of 2F1(-n, -n - alpha; -2n; x).
static void polynomial(double *c, int n, double alpha)
{
    c[0] = 1.0;
    for (int k = 0; k < n; k++) c[k + 1] = c[k] * (k - n) * (k - n - alpha) / ((k - 2.0 * n) * (k + 1.0));
}

ff_status ff_fractional_pade(ff_fractional *out, double alpha, int order, double rate, ff_error *err)
{
    if (!(alpha > -1.0 && alpha <= 1.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "alpha is %g: it must be above -1 and at most 1", alpha);
    if (order < 1 || order > FF_FRACTIONAL_ORDER_MAX)
        return ff_error_set(err, FF_BAD_ARGUMENT, "order %d: it must be from 1 to %d", order, FF_FRACTIONAL_ORDER_MAX);
    const ff_status status = check_rate(rate, err);
    if (status != FF_OK) return status;
    *out = (ff_fractional){.alpha = alpha, .gain = rate > 0.0 ? ff_pow(rate, alpha) : 1.0, .terms = order};
    polynomial(out->a, order, alpha);
    polynomial(out->b, order, -alpha);
    if (ff_fractional_is_stable(out)) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "alpha %g of order %d: rounding brings a pole out of the unit circle",
                        alpha, order);
}

ff_status ff_fractional_series(ff_fractional *out, double alpha, int terms, double rate, ff_error *err)
{
    if (!(fabs(alpha) <= 2.0)) return ff_error_set(err, FF_BAD_ARGUMENT, "alpha is %g: it must be from -2 to 2", alpha);
    if (terms < 2 || terms > FF_FRACTIONAL_TERMS_MAX)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d terms: they must be from 2 to %d", terms,
                            FF_FRACTIONAL_TERMS_MAX);
    const ff_status status = check_rate(rate, err);
    if (status != FF_OK) return status;
    *out = (ff_fractional){.alpha = alpha, .gain = rate > 0.0 ? ff_pow(rate, alpha) : 1.0, .terms = terms - 1};
    out->a[0] = out->b[0] = 1.0;
    for (int k = 1; k < terms; k++) out->a[k] = out->a[k - 1] * (k - 1.0 - alpha) / k;
    return FF_OK;
}

double ff_fractional_step(const ff_fractional *f, double *memory, double x)
{
    if (!(fabs(x) <= 1e100)) return f->gain * memory[0];
    const double y = x + memory[0];
    for (int i = 1; i <= f->terms; i++) memory[i - 1] = (i < f->terms ? memory[i] : 0.0) + f->a[i] * x - f->b[i] * y;
    return f->gain * y;
}

void ff_fractional_response(const ff_fractional *f, double w, double *real, double *imaginary)
{
    double top[2] = {0.0, 0.0}, bottom[2] = {0.0, 0.0};
    for (int i = 0; i <= f->terms; i++) {
        const double angle = w * i;
        double s, c;
        ff_sincos(&angle, &s, &c, 1);
        top[0] += f->a[i] * c;
        top[1] -= f->a[i] * s;
        bottom[0] += f->b[i] * c;
        bottom[1] -= f->b[i] * s;
    }
    const double scale = f->gain / (bottom[0] * bottom[0] + bottom[1] * bottom[1]);
    *real = scale * (top[0] * bottom[0] + top[1] * bottom[1]);
    *imaginary = scale * (top[1] * bottom[0] - top[0] * bottom[1]);
}

bool ff_fractional_is_stable(const ff_fractional *f)
{
    double p[FF_FRACTIONAL_TERMS_MAX], next[FF_FRACTIONAL_TERMS_MAX];
    int n = f->terms;
    memcpy(p, f->b, sizeof p);
    while (n > 0 && p[n] == 0.0) n--;
    for (; n > 0; n--) { // the polynomial of one order less has its zeros inside as long as |k| < 1
        const double k = p[n] / p[0];
        if (!(fabs(k) < 1.0)) return false;
        for (int i = 0; i < n; i++) next[i] = p[i] - k * p[n - i];
        memcpy(p, next, (size_t)n * sizeof *p);
    }
    return true;
}
