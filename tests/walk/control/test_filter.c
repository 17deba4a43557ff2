// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sampled filters: their response to sines, measured sample by sample, against the continuous transfer functions at the
// frequency Tustin's rule bends them to; and the numbers the reference prints.
#include <footfall/filter.h>

#include "check.h"

#include <complex.h> // its I would be the inertia of math.h

#define DT 1e-3 // [s]

typedef enum kind { LOWPASS1, LOWPASS2, NOTCH, DERIVATIVE, INTEGRATOR } kind;

typedef struct design {
    kind kind;
    double T, d, Q;
} design;

static ff_filter make(design x)
{
    ff_filter f;
    ff_status status = x.kind == LOWPASS1     ? ff_filter_lowpass1(&f, x.T, DT, NULL)
                       : x.kind == LOWPASS2   ? ff_filter_lowpass2(&f, x.T, x.d, DT, NULL)
                       : x.kind == NOTCH      ? ff_filter_notch(&f, x.T, x.Q, x.d, DT, NULL)
                       : x.kind == DERIVATIVE ? ff_filter_derivative(&f, x.T, DT, NULL)
                                              : ff_filter_integrator(&f, DT, NULL);
    CHECK_INT(status, FF_OK);
    return f;
}

// The continuous filter at s.
static double complex continuous(design x, double complex s)
{
    double complex Ts = x.T * s;
    switch (x.kind) {
    case LOWPASS1:
        return 1.0 / (Ts + 1.0);
    case LOWPASS2:
        return 1.0 / (Ts * Ts + 2.0 * x.d * Ts + 1.0);
    case NOTCH:
        return (Ts * Ts + 2.0 * x.d * Ts + 1.0) / (Ts * Ts + Ts / x.Q + 1.0);
    case DERIVATIVE:
        return s / (Ts + 1.0);
    default:
        return 1.0 / s;
    }
}

// What sampling makes of it: Tustin's low passes and notches are the continuous ones at s = 2i/dt tan(w/2); the
// derivative is such a low pass and a difference, the integrator a sum.
static double complex sampled(design x, double w)
{
    double complex warped = 2.0 * I / DT * tan(0.5 * w), difference = (1.0 - cexp(-I * w)) / DT;
    if (x.kind == INTEGRATOR) return 1.0 / difference;
    if (x.kind == DERIVATIVE) return difference * continuous((design){.kind = LOWPASS1, .T = x.T}, warped);
    return continuous(x, warped);
}

// Gain and phase from samples: the filter is fed a sine until its own motion has died away, then output and sine are
// compared over whole periods. w = 2 pi k / 2000.
static double complex measured(const ff_filter *f, int k)
{
    double memory[FF_FILTER_MEMORY] = {0}, w = 2.0 * FF_PI * k / 2000;
    double complex sum = 0.0;
    for (int n = 0; n < 10000; n++) {
        double y = ff_filter_step(f, memory, sin(w * n));
        if (n < 8000) continue;
        sum += y * cexp(-I * w * n); // over whole periods, so that the constant an integrator keeps drops out
    }
    return sum * I / 1000.0; // sin = (e^iwn - e^-iwn)/2i
}

static const design designs[] = {
    {LOWPASS1, 0.003, 0, 0},
    {LOWPASS1, 1 / (2 * FF_PI * 20), 0, 0},
    {LOWPASS2, 0.003, 1, 0},
    {LOWPASS2, 1 / (2 * FF_PI * 26), 0.65, 0},
    {NOTCH, 1 / (2 * FF_PI * 9.3), 0.1353, 1.17},
    {NOTCH, 1 / (2 * FF_PI * 30), 0.04194, 3.77},
    {DERIVATIVE, 1 / (2 * FF_PI * 20), 0, 0},
    {INTEGRATOR, 0, 0, 0},
};

TEST(response_to_sines_is_the_continuous_one_at_the_bent_frequency)
{
    static const int periods[] = {1, 7, 19, 40, 60, 150, 400, 800}; // 0.5 to 400 Hz
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        ff_filter f = make(designs[i]);
        for (size_t k = 0; k < sizeof periods / sizeof *periods; k++) {
            double w = 2.0 * FF_PI * periods[k] / 2000, real, imaginary;
            double complex want = sampled(designs[i], w), got = measured(&f, periods[k]);
            ff_filter_response(&f, w, &real, &imaginary);
            CHECK_NEAR(cabs(got - want), 0.0, 1e-9 * (1.0 + cabs(want))); // what is left of the start after 8 s
            CHECK_NEAR(cabs(real + I * imaginary - want), 0.0, 1e-12 * (1.0 + cabs(want))); // rounding
        }
    }
}

// At a twentieth of the sampling rate the bent frequency is (w^2/12) = 0.8 % too high, the difference and the sum lag
// by half a sample: far below it, the sampled filters are the continuous ones.
TEST(far_below_the_sampling_rate_nothing_is_lost)
{
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        ff_filter f = make(designs[i]);
        for (double hertz = 0.1; hertz < 6.0; hertz *= 2.0) {
            double w = 2.0 * FF_PI * hertz * DT, real, imaginary;
            double complex want = continuous(designs[i], I * 2.0 * FF_PI * hertz);
            ff_filter_response(&f, w, &real, &imaginary);
            bool lags = designs[i].kind == DERIVATIVE || designs[i].kind == INTEGRATOR;
            CHECK_NEAR(cabs(real + I * imaginary - want) / cabs(want), 0.0, lags ? 0.51 * w : 3.0 * w * w);
        }
    }
}

// The reference's test values, dt = 1 ms, T = 3 ms, divided by a0, to the digits printed.
TEST(coefficients_are_those_printed)
{
    ff_filter f;
    CHECK_INT(ff_filter_lowpass1(&f, 0.003, 0.001, NULL), FF_OK);
    CHECK_NEAR(f.b[0], 0.142857, 5e-7);
    CHECK_NEAR(f.b[1], 0.142857, 5e-7);
    CHECK_NEAR(f.a[0], -0.714286, 5e-7);
    CHECK_INT(ff_filter_lowpass2(&f, 0.003, 1.0, 0.001, NULL), FF_OK);
    CHECK_NEAR(f.b[0], 0.0204082, 5e-8);
    CHECK_NEAR(f.a[0], -1.428571, 5e-7);
    CHECK_NEAR(f.a[1], 0.510204, 5e-7);
}

// The notches of the biped's two tables: depth 2 d Q of -10, -20 and -25 dB, and less than 0.3 % off their frequency at
// 1 ms.
TEST(notches_have_their_depth_and_place)
{
    static const double table[6][4] = {{9.3, 1.17, 0.1353, -10},      {17.5, 2.2, 0.0227, -20},
                                       {30.0, 3.77, 0.04194, -10},    {12.7, 1.6, 0.017618, -25},
                                       {15.17, 1.1914, 0.13271, -10}, {21.67, 2.72, 0.05806, -10}};
    for (int i = 0; i < 6; i++) {
        ff_filter f;
        double least = INFINITY, at = 0.0;
        CHECK_INT(ff_filter_notch(&f, 1 / (2 * FF_PI * table[i][0]), table[i][1], table[i][2], DT, NULL), FF_OK);
        for (double hertz = 0.98 * table[i][0]; hertz < 1.02 * table[i][0]; hertz += 1e-4 * table[i][0]) {
            double real, imaginary;
            ff_filter_response(&f, 2 * FF_PI * hertz * DT, &real, &imaginary);
            if (hypot(real, imaginary) < least) {
                least = hypot(real, imaginary);
                at = hertz;
            }
        }
        CHECK_NEAR(20 * log10(least), table[i][3], 0.05); // digits of the table
        CHECK_NEAR(least, 2 * table[i][2] * table[i][1], 1e-5);
        CHECK_NEAR(at / table[i][0], 1.0, 0.003);
    }
}

// A step into 1/(T s + 1) gives 1 - exp(-t/T); Tustin's rule follows it to (dt/T)^2/12 per time constant, half a sample
// early.
TEST(step_into_a_low_pass_is_an_exponential)
{
    ff_filter f;
    double memory[FF_FILTER_MEMORY] = {0}, T = 0.05;
    CHECK_INT(ff_filter_lowpass1(&f, T, DT, NULL), FF_OK);
    for (int n = 0; n < 500; n++) {
        double y = ff_filter_step(&f, memory, 1.0);
        CHECK_NEAR(y, 1.0 - exp(-(n + 0.5) * DT / T), 1e-4);
    }
}

TEST(filters_start_where_the_signal_is)
{
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        ff_filter f = make(designs[i]);
        double memory[FF_FILTER_MEMORY];
        bool passes = designs[i].kind <= NOTCH;
        ff_filter_start(&f, memory, 3.5);
        if (designs[i].kind == INTEGRATOR) {
            CHECK_NEAR(ff_filter_step(&f, memory, 3.5), 3.5 * DT, 1e-18);
            continue;
        }
        for (int n = 0; n < 1000; n++) CHECK_NEAR(ff_filter_step(&f, memory, 3.5), passes ? 3.5 : 0.0, 1e-11);
    }
}

TEST(integral_of_a_derivative_is_the_signal)
{
    ff_filter derivative, integrator, low;
    double a[FF_FILTER_MEMORY] = {0}, b[FF_FILTER_MEMORY] = {0}, c[FF_FILTER_MEMORY] = {0};
    ff_random random = ff_random_make(41, 0);
    CHECK_INT(ff_filter_derivative(&derivative, 0.01, DT, NULL), FF_OK);
    CHECK_INT(ff_filter_lowpass1(&low, 0.01, DT, NULL), FF_OK);
    CHECK_INT(ff_filter_integrator(&integrator, DT, NULL), FF_OK);
    for (int n = 0; n < 2000; n++) {
        double u = ff_random_normal(&random);
        double y = ff_filter_step(&integrator, b, ff_filter_step(&derivative, a, u));
        CHECK_NEAR(y, ff_filter_step(&low, c, u), 1e-12); // both are the low pass
    }
}

// One bad sample must not be remembered: filters go on as if it had not been there.
TEST(filters_forget_what_is_not_finite)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    ff_error err = {0};
    ff_filter f;
    CHECK_INT(ff_filter_lowpass2(&f, 0.01, 0.7, 1e-3, &err), FF_OK);
    double memory[2][FF_FILTER_MEMORY] = {{0}};
    for (int n = 0; n < 50; n++) {
        const double y = ff_filter_step(&f, memory[0], sin(0.1 * n));
        CHECK_NEAR(ff_filter_step(&f, memory[1], sin(0.1 * n)), y, 0.0);
        CHECK_NEAR(ff_filter_step(&f, memory[1], bad[n % 3]), y, 0.0);
    }
}

TEST(impossible_filters_are_refused_and_let_pass)
{
    ff_filter f;
    ff_error err = {0};
    CHECK_INT(ff_filter_lowpass1(&f, 0.0, DT, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "time constant");
    CHECK_INT(ff_filter_lowpass1(&f, 0.1, NAN, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "sampling period");
    CHECK_INT(ff_filter_lowpass2(&f, 0.1, -1.0, DT, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_filter_notch(&f, 0.1, 0.0, 0.1, DT, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_filter_notch(&f, 0.1, 1.0, -0.1, DT, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_filter_derivative(&f, INFINITY, DT, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_filter_integrator(&f, -DT, &err), FF_BAD_ARGUMENT);
    double memory[FF_FILTER_MEMORY] = {0};
    CHECK_NEAR(ff_filter_step(&f, memory, 0.7), 0.7, 0.0);
    CHECK_INT(ff_filter_notch(&f, 0.1, 1.0, 0.0, DT, &err), FF_OK); // zeros on the axis are allowed
}
