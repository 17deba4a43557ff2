// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Fractional differences: the printed table, the series they agree with, poles, frequency responses and closed forms.
#include "check.h"

#include <footfall/fractional.h>
#include <footfall/math.h>

static const double RATE = 2000.0; // of Silva's controller  [Hz]

static ff_fractional pade(double alpha, int order, double rate)
{
    ff_fractional f;
    ff_error err = {0};
    if (ff_fractional_pade(&f, alpha, order, rate, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return f;
}

static double size_at(const ff_fractional *f, double hertz)
{
    double re, im;
    ff_fractional_response(f, 2.0 * FF_PI * hertz / RATE, &re, &im);
    return sqrt(re * re + im * im);
}

// M. F. Silva et al. (2005), Table III, nine decimals printed; the numbers are exact in binary.
TEST(order_four_of_one_half_is_the_printed_table)
{
    static const double a[5] = {1.000000000, -2.250000000, 1.687500000, -0.468750000, 0.035156250};
    static const double b[5] = {1.000000000, -1.750000000, 0.937500000, -0.156250000, 0.003906250};
    const ff_fractional f = pade(0.5, 4, 0.0);
    CHECK(f.terms == 4);
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(f.a[i], a[i], 1e-15);
        CHECK_NEAR(f.b[i], b[i], 1e-15);
    }
}

// What defines a Pade approximant: the filter's answer to one impulse is the series of (1 - x)^alpha up to the sum of
// the orders.
TEST(the_impulse_response_is_the_series_up_to_twice_the_order)
{
    for (double alpha = -0.9; alpha < 0.95; alpha += 0.2)
        for (int n = 1; n <= FF_FRACTIONAL_ORDER_MAX; n++) {
            const ff_fractional f = pade(alpha, n, 0.0);
            double memory[FF_FRACTIONAL_TERMS_MAX] = {0}, w = 1.0;
            for (int k = 0; k <= 2 * n; k++) {
                const double y = ff_fractional_step(&f, memory, k == 0 ? 1.0 : 0.0);
                CHECK_NEAR(y, w, 1e-9); // coefficients of 1e5 cancel, and the recursion carries their rounding on
                w *= (k - alpha) / (k + 1.0);
            }
        }
}

// The reference says 8 %: it is 8.02 % at 20 Hz and less above.
TEST(order_four_is_the_true_power_from_20_to_300_hertz_within_8_percent)
{
    const ff_fractional f = pade(0.5, 4, RATE);
    double worst = 0.0;
    for (double hertz = 20.0; hertz <= 300.0; hertz += 1.0)
        worst = fmax(worst, fabs(size_at(&f, hertz) / sqrt(2.0 * FF_PI * hertz) - 1.0));
    printf("  largest deviation from |w|^0.5 between 20 and 300 Hz: %.2f %%\n", 100.0 * worst);
    CHECK(worst < 0.085);
}

// prod (j - alpha)/(j + alpha): 1/9 for order 4 and one half.
TEST(at_rest_it_is_a_plain_gain)
{
    ff_fractional f = pade(0.5, 4, 0.0);
    CHECK_NEAR(size_at(&f, 0.0), 1.0 / 9.0, 1e-14);
    f = pade(0.5, 4, RATE);
    CHECK_NEAR(size_at(&f, 0.0), sqrt(2000.0) / 9.0, 1e-12);
    for (int n = 1; n <= 6; n++) {
        double product = 1.0;
        for (int j = 1; j <= n; j++) product *= (j - 0.3) / (j + 0.3);
        f = pade(0.3, n, 0.0);
        CHECK_NEAR(size_at(&f, 0.0), product, 1e-11); // sums of 2^n cancel
    }
}

/// Sign changes of the denominator over z in (0, 1), in steps that crowd at the ends as the poles do.
static int real_poles(const ff_fractional *f, double *largest)
{
    int found = 0;
    double before = 0.0;
    for (int i = 1; i < 20000; i++) {
        const double z = 0.5 - 0.5 * cos(FF_PI * i / 20000.0);
        double value = 0.0;
        for (int k = 0; k <= f->terms; k++) value = value * z + f->b[k];
        if (before * value < 0.0) {
            found++;
            *largest = z;
        }
        before = value;
    }
    return found;
}

// Two routes: as many real poles between 0 and 1 as the order, and the recursion of Schur and Cohn.
TEST(all_poles_lie_between_zero_and_one_for_every_order_offered)
{
    double largest = 0.0;
    for (double alpha = -0.95; alpha < 0.96; alpha += 0.1)
        for (int n = 1; n <= FF_FRACTIONAL_ORDER_MAX; n++) {
            const ff_fractional f = pade(alpha, n, 0.0);
            if (real_poles(&f, &largest) != n) CHECK_FAIL("alpha %g, order %d: poles are missing", alpha, n);
            CHECK(ff_fractional_is_stable(&f));
        }
}

// For one half poles and zeros are squared cosines of evenly spaced angles: poles at cos^2(2 j pi/(4n + 2)), zeros at
// cos^2((2 j - 1) pi/(4n + 2)), j = 1..n. Largest zero 0.970 for n = 4.
TEST(poles_and_zeros_of_one_half_are_known_in_closed_form)
{
    for (int n = 1; n <= 6; n++) {
        const ff_fractional f = pade(0.5, n, 0.0);
        for (double x = -1.0; x <= 1.0; x += 0.25) {
            double top = 0.0, bottom = 0.0, zeros = 1.0, poles = 1.0;
            for (int k = n; k >= 0; k--) {
                top = top * x + f.a[k];
                bottom = bottom * x + f.b[k];
            }
            for (int j = 1; j <= n; j++) {
                zeros *= 1.0 - x * pow(cos((2 * j - 1) * FF_PI / (4 * n + 2)), 2.0);
                poles *= 1.0 - x * pow(cos(2 * j * FF_PI / (4 * n + 2)), 2.0);
            }
            CHECK_NEAR(top, zeros, 1e-12); // coefficients up to 100
            CHECK_NEAR(bottom, poles, 1e-12);
        }
    }
    CHECK_NEAR(pow(cos(FF_PI / 18.0), 2.0), 0.970, 5e-4);
}

TEST(a_pole_outside_is_noticed)
{
    ff_fractional f = pade(0.5, 2, 0.0);
    f.b[1] = -2.2; // (1 - 0.2/z)(1 - 2/z) and the like
    f.b[2] = 0.4;
    CHECK(!ff_fractional_is_stable(&f));
}

// The series of (1 - x)^a (1 - x)^b is that of (1 - x)^(a + b): half a difference taken twice is a difference.
TEST(two_half_differences_are_one)
{
    ff_fractional half;
    ff_error err = {0};
    CHECK(ff_fractional_series(&half, 0.5, 200, 0.0, &err) == FF_OK);
    double one[FF_FRACTIONAL_TERMS_MAX] = {0}, two[FF_FRACTIONAL_TERMS_MAX] = {0}, before = 0.0;
    for (int k = 0; k < 200; k++) { // as long as nothing has left the memory it is exact
        const double x = sin(0.1 * k) + 0.01 * k * k;
        const double y = ff_fractional_step(&half, two, ff_fractional_step(&half, one, x));
        CHECK_NEAR(y, x - before, 1e-11);
        before = x;
    }
}

// Weights of the series in closed form: sum of the first n is prod (j - alpha)/j, so a constant decays as n^-alpha; w_0
// counts.
TEST(the_series_answers_a_step_by_its_closed_form)
{
    ff_fractional f;
    ff_error err = {0};
    CHECK(ff_fractional_series(&f, 0.5, 100, RATE, &err) == FF_OK);
    double memory[FF_FRACTIONAL_TERMS_MAX] = {0}, sum = 1.0;
    for (int k = 0; k < 100; k++) {
        const double y = ff_fractional_step(&f, memory, 1.0);
        CHECK_NEAR(y, sum * sqrt(RATE), 1e-11);
        sum *= (k + 0.5) / (k + 1.0);
    }
    // half a derivative of a ramp is 2 sqrt(t / pi); the series is first order in the step
    memset(memory, 0, sizeof memory);
    double y = 0.0;
    for (int k = 0; k < 100; k++) y = ff_fractional_step(&f, memory, k / RATE);
    CHECK_NEAR(y / (2.0 * sqrt(99.0 / RATE / FF_PI)), 1.0, 0.01);
}

TEST(order_one_of_a_derivative_is_the_backward_difference)
{
    const ff_fractional f = pade(1.0, 4, RATE);
    double memory[FF_FRACTIONAL_TERMS_MAX] = {0}, before = 0.0;
    for (int k = 0; k < 1000; k++) {
        const double x = cos(0.05 * k);
        CHECK_NEAR(ff_fractional_step(&f, memory, x), RATE * (x - before), 1e-8); // rounding times the rate
        before = x;
    }
}

// One bad sample must not be remembered: the derivative goes on as if it had not been there.
TEST(samples_without_sense_are_left_out)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e308};
    ff_error err = {0};
    ff_fractional f;
    for (int kind = 0; kind < 2; kind++) {
        CHECK_INT(kind ? ff_fractional_series(&f, 0.5, 20, 2000.0, &err) : ff_fractional_pade(&f, 0.5, 4, 2000.0, &err),
                  FF_OK);
        double memory[2][FF_FRACTIONAL_TERMS_MAX] = {{0}};
        for (int n = 0; n < 50; n++) {
            CHECK(isfinite(ff_fractional_step(&f, memory[1], bad[n % 4])));
            CHECK_NEAR(ff_fractional_step(&f, memory[0], sin(n)), ff_fractional_step(&f, memory[1], sin(n)), 0.0);
        }
    }
}

TEST(numbers_out_of_range_are_reported)
{
    ff_fractional f;
    ff_error err = {0};
    CHECK(ff_fractional_pade(&f, -1.0, 4, RATE, &err) == FF_BAD_ARGUMENT && strstr(err.text, "-1"));
    CHECK(ff_fractional_pade(&f, NAN, 4, RATE, &err) == FF_BAD_ARGUMENT);
    CHECK(ff_fractional_pade(&f, 0.5, 0, RATE, &err) == FF_BAD_ARGUMENT);
    CHECK(ff_fractional_pade(&f, 0.5, 11, RATE, &err) == FF_BAD_ARGUMENT && strstr(err.text, "11"));
    CHECK(ff_fractional_pade(&f, 0.5, 4, -1.0, &err) == FF_BAD_ARGUMENT);
    CHECK(ff_fractional_series(&f, 3.0, 10, RATE, &err) == FF_BAD_ARGUMENT);
    CHECK(ff_fractional_series(&f, 0.5, 1000, RATE, &err) == FF_BAD_ARGUMENT);
    CHECK(ff_fractional_series(&f, 0.5, 10, INFINITY, &err) == FF_BAD_ARGUMENT);
}
