// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Special values of the elementary functions by C17, annex F.10, and properties that follow from their definitions
// without a reference: symmetries, exact values, monotony where a table row ends, and exactness of the products used in
// them.
#include "base/elementary.h"

#include <float.h>
#include <footfall/base.h>

#include "check.h"

#define TINY DBL_TRUE_MIN
#define INF  INFINITY

/// The same number, the sign of a zero included; one NaN is as good as another.
static bool same(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b && signbit(a) == signbit(b);
}

typedef struct value {
    double x, result;
} value;

static void check_values(const char *name, double (*f)(double), const value *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!same(f(values[i].x), values[i].result))
            CHECK_FAIL("%s(%a) = %a, expected %a", name, values[i].x, f(values[i].x), values[i].result);
}

#define HAS(name, ...)                                                                                                 \
    do {                                                                                                               \
        const value values[] = {__VA_ARGS__};                                                                          \
        check_values(#name, ff_##name, values, sizeof values / sizeof values[0]);                                      \
    } while (0)

TEST(functions_of_one_argument_have_the_special_values_of_annex_f)
{
    HAS(exp, {0, 1}, {-0.0, 1}, {INF, INF}, {-INF, 0}, {NAN, NAN}, {710, INF}, {-746, 0}, {TINY, 1}, {DBL_MAX, INF},
        {-DBL_MAX, 0});
    HAS(expm1, {0, 0}, {-0.0, -0.0}, {INF, INF}, {-INF, -1}, {NAN, NAN}, {710, INF}, {TINY, TINY}, {-TINY, -TINY},
        {-DBL_MAX, -1});
    HAS(log, {0, -INF}, {-0.0, -INF}, {1, 0}, {-1, NAN}, {-TINY, NAN}, {INF, INF}, {-INF, NAN}, {NAN, NAN});
    HAS(log1p, {0, 0}, {-0.0, -0.0}, {-1, -INF}, {-2, NAN}, {-DBL_MAX, NAN}, {INF, INF}, {-INF, NAN}, {NAN, NAN},
        {-TINY, -TINY});
    HAS(log10, {0, -INF}, {-0.0, -INF}, {1, 0}, {-1, NAN}, {INF, INF}, {-INF, NAN}, {NAN, NAN});
    HAS(atan, {0, 0}, {-0.0, -0.0}, {INF, FF_PI / 2}, {-INF, -FF_PI / 2}, {NAN, NAN}, {TINY, TINY},
        {DBL_MAX, FF_PI / 2}, {1, FF_PI / 4});
    HAS(asin, {0, 0}, {-0.0, -0.0}, {1, FF_PI / 2}, {-1, -FF_PI / 2}, {1.5, NAN}, {-INF, NAN}, {NAN, NAN},
        {-TINY, -TINY});
    HAS(acos, {1, 0}, {-1, FF_PI}, {0, FF_PI / 2}, {-0.0, FF_PI / 2}, {1 + DBL_EPSILON, NAN}, {INF, NAN}, {-INF, NAN},
        {NAN, NAN});
    HAS(tan, {0, 0}, {-0.0, -0.0}, {INF, NAN}, {-INF, NAN}, {NAN, NAN}, {TINY, TINY}, {-TINY, -TINY});
}

typedef struct value2 {
    double x, y, result;
} value2;

static void check_pairs(const char *name, double (*f)(double, double), const value2 *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!same(f(values[i].x, values[i].y), values[i].result))
            CHECK_FAIL("%s(%a, %a) = %a, expected %a", name, values[i].x, values[i].y, f(values[i].x, values[i].y),
                       values[i].result);
}

#define HAS2(name, ...)                                                                                                \
    do {                                                                                                               \
        const value2 values[] = {__VA_ARGS__};                                                                         \
        check_pairs(#name, ff_##name, values, sizeof values / sizeof values[0]);                                       \
    } while (0)

TEST(powers_have_the_special_values_of_annex_f)
{
    HAS2(pow, {0, -3, INF}, {-0.0, -3, -INF}, {0, -2, INF}, {-0.0, -2, INF}, {0, -0.5, INF}, {-0.0, -0.5, INF},
         {0, -INF, INF});
    HAS2(pow, {-0.0, -INF, INF}, {0, 3, 0}, {-0.0, 3, -0.0}, {0, 2, 0}, {-0.0, 2, 0}, {-0.0, 2.5, 0}, {-0.0, INF, 0});
    HAS2(pow, {-1, INF, 1}, {-1, -INF, 1}, {1, NAN, 1}, {1, INF, 1}, {1, -DBL_MAX, 1}, {NAN, 0, 1}, {NAN, -0.0, 1},
         {INF, 0, 1});
    HAS2(pow, {-8, 1.0 / 3, NAN}, {-DBL_MAX, 0.5, NAN}, {NAN, 1, NAN}, {2, NAN, NAN}, {NAN, NAN, NAN}, {-INF, 0.0, 1});
    HAS2(pow, {0.5, -INF, INF}, {-0.5, -INF, INF}, {1.5, -INF, 0}, {-1.5, -INF, 0}, {0.5, INF, 0}, {1.5, INF, INF},
         {-1.5, INF, INF});
    HAS2(pow, {-INF, -3, -0.0}, {-INF, -2, 0}, {-INF, -0.5, 0}, {-INF, 3, -INF}, {-INF, 2, INF}, {-INF, 0.5, INF});
    HAS2(pow, {INF, -3, 0}, {INF, 0.5, INF}, {INF, INF, INF}, {INF, -INF, 0}, {-INF, INF, INF}, {-INF, -INF, 0});
    HAS2(pow, {-1, 0x1p53 + 2, 1}, {-1, 0x1p53 - 1, -1}, {-1, DBL_MAX, 1}, {-2, 3, -8}, {-2, -3, -0.125},
         {-2, 1e9, INF}, {-2, 1e9 + 1, -INF});
    HAS2(pow, {2, 1024, INF}, {2, 1023, 0x1p1023}, {2, -1074, TINY}, {2, -1076, 0}, {-2, -1077, -0.0},
         {1 + DBL_EPSILON, DBL_MAX, INF});
    HAS2(pow, {1 - DBL_EPSILON, DBL_MAX, 0}, {10, 2, 100}, {10, 22, 1e22}, {7, TINY, 1}, {TINY, 1, TINY},
         {DBL_MAX, 1, DBL_MAX}, {TINY, -1, INF});
}

TEST(angles_of_points_have_the_special_values_of_annex_f)
{
    HAS2(atan2, {0, 1, 0}, {-0.0, 1, -0.0}, {0, 0, 0}, {-0.0, 0, -0.0}, {0, -0.0, FF_PI}, {-0.0, -0.0, -FF_PI},
         {0, -1, FF_PI}, {-0.0, -1, -FF_PI});
    HAS2(atan2, {1, 0, FF_PI / 2}, {-1, 0, -FF_PI / 2}, {1, -0.0, FF_PI / 2}, {-TINY, -0.0, -FF_PI / 2},
         {INF, 7, FF_PI / 2}, {-INF, -7, -FF_PI / 2});
    HAS2(atan2, {1, INF, 0}, {-1, INF, -0.0}, {1, -INF, FF_PI}, {-1, -INF, -FF_PI}, {0, -INF, FF_PI},
         {-0.0, INF, -0.0});
    HAS2(atan2, {INF, INF, FF_PI / 4}, {-INF, INF, -FF_PI / 4}, {INF, -INF, 3 * (FF_PI / 4)},
         {-INF, -INF, -3 * (FF_PI / 4)});
    HAS2(atan2, {NAN, 1, NAN}, {1, NAN, NAN}, {NAN, INF, NAN}, {TINY, 1, TINY}, {TINY, 2, 0}, {-TINY, DBL_MAX, -0.0},
         {TINY, -DBL_MAX, FF_PI});
    HAS2(atan2, {1, 1, FF_PI / 4}, {-1, 1, -FF_PI / 4}, {TINY, TINY, FF_PI / 4}, {DBL_MAX, DBL_MAX, FF_PI / 4},
         {DBL_MAX, -TINY, FF_PI / 2});
}

TEST(lengths_have_the_special_values_of_annex_f)
{
    HAS2(hypot, {0, 0, 0}, {-0.0, -0.0, 0}, {INF, NAN, INF}, {NAN, -INF, INF}, {NAN, 1, NAN}, {1, NAN, NAN},
         {-INF, 3, INF}, {0, -5, 5}, {-5, -0.0, 5});
    HAS2(hypot, {3, 4, 5}, {-5 * 0x1p1000, 12 * 0x1p1000, 13 * 0x1p1000}, {DBL_MAX, DBL_MAX, INF},
         {DBL_MAX, 1, DBL_MAX}, {3 * TINY, 4 * TINY, 5 * TINY}, {TINY, 0, TINY});
}

TEST(smaller_and_larger_are_the_same_on_every_processor)
{
    static const double rising[] = {-INFINITY, -1.0, -DBL_TRUE_MIN, -0.0, 0.0, DBL_TRUE_MIN, 1.0, INFINITY};
    enum { COUNT = sizeof rising / sizeof *rising };
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < COUNT; k++) {
            const double low = rising[i < k ? i : k], high = rising[i < k ? k : i];
            CHECK(same(ff_min(rising[i], rising[k]), low));
            CHECK(same(ff_max(rising[i], rising[k]), high));
            CHECK(same(ff_min_compared(rising[i], rising[k]), low));
            CHECK(same(ff_max_compared(rising[i], rising[k]), high));
        }
        double (*const all[])(double, double) = {ff_min, ff_max, ff_min_compared, ff_max_compared};
        for (int k = 0; k < 4; k++) {
            CHECK(same(all[k](rising[i], NAN), rising[i]));
            CHECK(same(all[k](NAN, rising[i]), rising[i]));
            CHECK(isnan(all[k](NAN, NAN)));
        }
    }
}

TEST(powers_of_ten_and_whole_powers_are_exact)
{
    double power = 1.0;
    for (int n = 0; n <= 22; n++, power *= 10.0) {
        CHECK(ff_log10(power) == n);
        CHECK(ff_pow(10.0, n) == power);
    }
    for (int n = -1074; n < 1024; n++) CHECK(ff_pow(2.0, n) == ldexp(1.0, n));
    for (int base = -9; base <= 9; base++)
        for (int n = 0; n <= 12; n++) {
            double product = 1.0;
            for (int i = 0; i < n; i++) product *= base;
            CHECK(ff_pow(base, n) == product);
        }
}

// Arguments of any bits: results keep their symmetry and their range, also under sanitizers.
TEST(any_bits_give_results_in_range_with_their_symmetry)
{
    ff_random random = ff_random_make(5, 0);
    for (int i = 0; i < CHECK_LASTS(100000, 5000); i++) {
        const double x = ff_double_of(ff_random_bits(&random)), y = ff_double_of(ff_random_bits(&random));
        CHECK(same(ff_atan(-x), -ff_atan(x)) && same(ff_tan(-x), -ff_tan(x)) && same(ff_asin(-x), -ff_asin(x)));
        CHECK(isnan(x) || fabs(ff_atan(x)) <= FF_PI / 2);
        CHECK(same(ff_atan2(-y, x), -ff_atan2(y, x)) && (isnan(x) || isnan(y) || fabs(ff_atan2(y, x)) <= FF_PI));
        CHECK(same(ff_hypot(x, y), ff_hypot(-y, x)) &&
              (isnan(x) || isnan(y) || ff_hypot(x, y) >= fmax(fabs(x), fabs(y))));
        CHECK(isnan(x) || (ff_exp(x) >= 0.0 && ff_expm1(x) >= -1.0));
        CHECK(isnan(x) || same(ff_pow(x, 1.0), x) || fabs(x) < DBL_MIN);
        CHECK(same(ff_pow(fabs(x), y), ff_pow(-fabs(x), y)) || isnan(ff_pow(-fabs(x), y)) ||
              ff_pow(-fabs(x), y) <= 0.0);
        CHECK(!(x > 0.0) || same(ff_log(x), ff_pow(x, 0.5) > 1.0 ? fabs(ff_log(x)) : -fabs(ff_log(x))) || x == 1.0);
        CHECK(!(fabs(x) <= 1.0) || (ff_acos(x) >= 0.0 && ff_acos(x) <= FF_PI));
        CHECK(!(x > -1.0) || !isnan(ff_log1p(x)));
    }
}

/// Is f rising over each of the n neighbours of x, up and down?
static bool rises_at(double (*f)(double), double x)
{
    const double below = nextafter(x, -INF), above = nextafter(x, INF);
    return f(below) <= f(x) && f(x) <= f(above);
}

static double rising_acos(double x)
{
    return -ff_acos(x);
}

// Errors beyond half a unit could let a function fall where it should rise; one row of a table must join the next.
TEST(functions_rise_where_rows_of_tables_meet)
{
    for (int j = -300; j <= 300; j++) {
        const double middle = (j + 0.5) / 128.0;
        CHECK(rises_at(ff_exp, middle * log(2.0)) && rises_at(ff_expm1, middle * log(2.0)));
        CHECK(rises_at(ff_atan, middle) && rises_at(ff_atan, 1.0 / middle) && rises_at(ff_tan, (j + 0.5) / 512.0));
        if (fabs(middle) < 1.0) CHECK(rises_at(ff_asin, middle) && rises_at(rising_acos, middle));
    }
    for (int i = 0; i <= FF_LOG_STEPS; i++) {
        CHECK(rises_at(ff_log, ff_log_edge(i)) && rises_at(ff_log10, ff_log_edge(i)));
        CHECK(rises_at(ff_log1p, ff_log_edge(i) - 1.0));
    }
    CHECK(rises_at(ff_expm1, 0.35) && rises_at(ff_expm1, -0.35) && rises_at(ff_asin, 0.125) &&
          rises_at(ff_atan, 0.125));
}

// Processors with and without fused multiply-add must find the same error of a product.
TEST(the_error_of_a_product_is_the_same_by_halves_and_fused)
{
    ff_random random = ff_random_make(9, 0);
    for (int i = 0; i < CHECK_LASTS(100000, 5000); i++) {
        const double a = ldexp(ff_random_range(&random, -2.0, 2.0), (int)ff_random_range(&random, -300.0, 300.0));
        const double b = ldexp(ff_random_range(&random, -2.0, 2.0), (int)ff_random_range(&random, -300.0, 300.0));
        const ff_wide halves = ff_wide_product_by_halves(a, b), ours = ff_wide_product(a, b);
        CHECK(halves.high == a * b && halves.low == fma(a, b, -(a * b)));
        CHECK(ours.high == halves.high && ours.low == halves.low);
    }
}
