// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Our sine and cosine against the C library's in long double (64 bits of mantissa on x86, 113 on arm64): errors below
// one unit in the last place of 1, which is 2^-52; where |x| is small, relative to the result.
#include <float.h>
#include <footfall/base.h>

#include "check.h"

enum { MANY = 100001 };

static double worst_error(const double *x, int n)
{
    static double s[MANY], c[MANY];
    double worst = 0;
    ff_sincos(x, s, c, n);
    for (int i = 0; i < n; i++) {
        long double es = fabsl(s[i] - sinl(x[i])), ec = fabsl(c[i] - cosl(x[i]));
        worst = fmax(worst, (double)fmaxl(es, ec));
    }
    return worst / DBL_EPSILON;
}

static double sweep(double low, double high)
{
    static double x[MANY];
    for (int i = 0; i < MANY; i++) x[i] = low + (high - low) * i / (MANY - 1);
    return worst_error(x, MANY);
}

TEST(error_stays_below_one_unit_of_the_last_place_of_one)
{
    // measured: 0.75 in one turn, 0.75 to 100 rad, 0.85 to 1e5 rad
    CHECK_BELOW(sweep(-FF_PI, FF_PI), 1.0);
    CHECK_BELOW(sweep(-100, 100), 1.0);
    CHECK_BELOW(sweep(-1e5, 1e5), 1.0);
}

TEST(error_stays_below_one_unit_at_random_angles_of_every_size)
{
    static double x[MANY];
    ff_random random = ff_random_make(1, 0);
    for (int i = 0; i < MANY; i++)
        x[i] = copysign(pow(10, ff_random_range(&random, -10, 5)), ff_random_range(&random, -1, 1));
    CHECK_BELOW(worst_error(x, MANY), 1.0);
}

// Next to multiples of pi/2 one of the two results is tiny: 1e-16 comes from the third part of the reduction.
TEST(multiples_of_a_right_angle_keep_their_tiny_results)
{
    double s, c;
    for (int k = -63661; k <= 63661; k += k > -50 && k < 50 ? 1 : 97) {
        double x = k * (FF_PI / 2);
        ff_sincos(&x, &s, &c, 1);
        CHECK_NEAR(s, (double)sinl(x), DBL_EPSILON);
        CHECK_NEAR(c, (double)cosl(x), DBL_EPSILON);
        double tiny = k % 2 ? c : s, exact = (double)(k % 2 ? cosl(x) : sinl(x));
        CHECK_NEAR(tiny, exact, 1e-6 * fabs(exact));
    }
}

TEST(quadrants_have_their_signs_and_eighths_their_values)
{
    const double root = sqrt(0.5);
    for (int turn = -3; turn <= 3; turn++)
        for (int k = 0; k < 8; k++) {
            const double sine[8] = {0, root, 1, root, 0, -root, -1, -root};
            double x = 2 * FF_PI * turn + k * FF_PI / 4, s, c;
            ff_sincos(&x, &s, &c, 1);
            CHECK_NEAR(s, sine[k], 4e-15); // x itself is rounded: half an ulp of 20 is 1.8e-15
            CHECK_NEAR(c, sine[(k + 2) % 8], 4e-15);
        }
}

TEST(small_angles_are_right_to_their_own_last_place)
{
    double s, c;
    for (double x = 0.5; x > 1e-300; x *= 0.37) {
        ff_sincos(&x, &s, &c, 1);
        CHECK_NEAR(s, (double)sinl(x), DBL_EPSILON * x);
        double minus = -x, sm, cm;
        ff_sincos(&minus, &sm, &cm, 1);
        CHECK(sm == -s && cm == c);
    }
}

TEST(beyond_1e5_error_stays_below_one_unit_of_one_as_well)
{
    const double x[7] = {1e5 + 1, -123456.789, 1e10, 0.3, -1e22, 1e300, 1.0};
    double s[7], c[7];
    ff_sincos(x, s, c, 7);
    for (int i = 0; i < 7; i++) {
        CHECK_NEAR(s[i], (double)sinl(x[i]), DBL_EPSILON);
        CHECK_NEAR(c[i], (double)cosl(x[i]), DBL_EPSILON);
        CHECK(s[i] == ff_sin(x[i]) && c[i] == ff_cos(x[i]));
    }
    static double many[MANY];
    ff_random random = ff_random_make(3, 0);
    for (int i = 0; i < MANY; i++)
        many[i] = copysign(pow(10, ff_random_range(&random, 5, 308)), ff_random_range(&random, -1, 1));
    CHECK_BELOW(worst_error(many, MANY), 1.0);
    double edge = 1e5, below = nextafter(1e5, 0), above = nextafter(1e5, 1e6), se, sb, sa, unused;
    ff_sincos(&edge, &se, &unused, 1);
    ff_sincos(&below, &sb, &unused, 1);
    ff_sincos(&above, &sa, &unused, 1);
    CHECK_NEAR(sb, se, 2e-11); // one step of x is 1.5e-11
    CHECK_NEAR(sa, se, 2e-11);
}

TEST(nan_and_infinity_give_nan_and_change_no_neighbour)
{
    const double x[5] = {NAN, 1.0, INFINITY, -INFINITY, 2.0};
    double s[5], c[5];
    ff_sincos(x, s, c, 5);
    CHECK(isnan(s[0]) && isnan(c[0]) && isnan(s[2]) && isnan(c[2]) && isnan(s[3]) && isnan(c[3]));
    CHECK_NEAR(s[1], sin(1.0), DBL_EPSILON);
    CHECK_NEAR(c[4], cos(2.0), DBL_EPSILON);
}

TEST(any_count_is_bit_identical_and_writes_nothing_else)
{
    double x[9], s[10], c[10], one_s, one_c;
    for (int i = 0; i < 9; i++) x[i] = 0.7 * i * i - 3;
    for (int n = 0; n <= 9; n++) {
        for (int i = 0; i < 10; i++) s[i] = c[i] = 99;
        ff_sincos(x, s, c, n);
        for (int i = 0; i < n; i++) {
            ff_sincos(&x[i], &one_s, &one_c, 1);
            CHECK(s[i] == one_s && c[i] == one_c);
        }
        for (int i = n; i < 10; i++) CHECK(s[i] == 99 && c[i] == 99);
    }
}
