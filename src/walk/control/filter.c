// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Coefficients of sampled filters. Tustin's rule turns 1/(T s + 1) into
//     y[n] = (dt (u[n] + u[n-1]) - (dt - 2 T) y[n-1]) / (dt + 2 T)
// and the second-order filters likewise; each function below has the polynomials in 1/z before division by a0.
#include <footfall/filter.h>

static ff_filter normalised(const double b[3], const double a[3], double steady)
{
    return (ff_filter){.b = {b[0] / a[0], b[1] / a[0], b[2] / a[0]}, .a = {a[1] / a[0], a[2] / a[0]}, .steady = steady};
}

// A filter that changes nothing, for those who go on after a refusal.
static void let_pass(ff_filter *out)
{
    *out = (ff_filter){.b = {1.0}, .steady = 1.0};
}

static bool positive(double x)
{
    return x > 0.0 && isfinite(x);
}

static ff_status check(ff_filter *out, const char *what, double value, ff_error *err)
{
    let_pass(out);
    if (positive(value)) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "%s of a filter is %g: it must be positive", what, value);
}

static ff_status check_times(ff_filter *out, double T, double dt, ff_error *err)
{
    ff_status status = check(out, "the time constant [s]", T, err);
    return status == FF_OK ? check(out, "the sampling period [s]", dt, err) : status;
}

ff_status ff_filter_lowpass1(ff_filter *out, double T, double dt, ff_error *err)
{
    ff_status status = check_times(out, T, dt, err);
    if (status != FF_OK) return status;
    *out = normalised((double[3]){dt, dt, 0.0}, (double[3]){dt + 2.0 * T, dt - 2.0 * T, 0.0}, 1.0);
    return FF_OK;
}

ff_status ff_filter_lowpass2(ff_filter *out, double T, double d, double dt, ff_error *err)
{
    ff_status status = check_times(out, T, dt, err);
    if (status == FF_OK) status = check(out, "the damping ratio", d, err);
    if (status != FF_OK) return status;
    double square = dt * dt, slow = 4.0 * T * T, damped = 4.0 * d * T * dt;
    *out = normalised((double[3]){square, 2.0 * square, square},
                      (double[3]){slow + damped + square, 2.0 * square - 2.0 * slow, slow - damped + square}, 1.0);
    return FF_OK;
}

ff_status ff_filter_notch(ff_filter *out, double T, double Q, double d, double dt, ff_error *err)
{
    ff_status status = check_times(out, T, dt, err);
    if (status == FF_OK) status = check(out, "the quality Q", Q, err);
    if (status == FF_OK && d != 0.0) status = check(out, "the damping ratio of the zeros", d, err);
    if (status != FF_OK) return status;
    double square = dt * dt, slow = 4.0 * T * T, zeros = 4.0 * d * T * dt, poles = 2.0 * T * dt / Q;
    double middle = 2.0 * square - 2.0 * slow;
    *out = normalised((double[3]){slow + zeros + square, middle, slow - zeros + square},
                      (double[3]){slow + poles + square, middle, slow - poles + square}, 1.0);
    return FF_OK;
}

ff_status ff_filter_derivative(ff_filter *out, double T, double dt, ff_error *err)
{
    ff_status status = check_times(out, T, dt, err);
    if (status != FF_OK) return status;
    *out = normalised((double[3]){1.0, 0.0, -1.0}, (double[3]){dt + 2.0 * T, dt - 2.0 * T, 0.0}, 0.0);
    return FF_OK;
}

ff_status ff_filter_integrator(ff_filter *out, double dt, ff_error *err)
{
    ff_status status = check(out, "the sampling period [s]", dt, err);
    if (status != FF_OK) return status;
    *out = normalised((double[3]){dt, 0.0, 0.0}, (double[3]){1.0, -1.0, 0.0}, 0.0);
    return FF_OK;
}

void ff_filter_start(const ff_filter *f, double memory[FF_FILTER_MEMORY], double u)
{
    memory[0] = memory[1] = u;
    memory[2] = memory[3] = f->steady * u;
}

void ff_filter_response(const ff_filter *f, double w, double *real, double *imaginary)
{
    double angle[2] = {w, 2.0 * w}, sine[2], cosine[2]; // 1/z = cos w - i sin w
    ff_sincos(angle, sine, cosine, 2);
    double up[2] = {f->b[0] + f->b[1] * cosine[0] + f->b[2] * cosine[1], -f->b[1] * sine[0] - f->b[2] * sine[1]};
    double down[2] = {1.0 + f->a[0] * cosine[0] + f->a[1] * cosine[1], -f->a[0] * sine[0] - f->a[1] * sine[1]};
    double square = down[0] * down[0] + down[1] * down[1];
    *real = (up[0] * down[0] + up[1] * down[1]) / square;
    *imaginary = (up[1] * down[0] - up[0] * down[1]) / square;
}
