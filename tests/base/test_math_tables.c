// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables of the elementary functions against their equations, evaluated by MPFR.
#ifdef FF_WITH_MPFR
#include "base/elementary.h"
#include "exact.h"

enum { BITS = 400 };

/// Is `got` the nearest double to x? x -= got.
static bool takes_nearest(mpfr_t x, double got)
{
    const bool same = mpfr_get_d(x, MPFR_RNDN) == got;
    mpfr_sub_d(x, x, got, MPFR_RNDN);
    return same;
}

/// Is every row f(j / steps) in two parts?
static bool holds(const ff_wide *table, int rows, int steps, exact_one f)
{
    bool all = true;
    mpfr_t x;
    mpfr_init2(x, BITS);
    for (int j = 0; j < rows; j++) {
        mpfr_set_d(x, j / (double)steps, MPFR_RNDN); // exact: steps are powers of two
        f(x, x, MPFR_RNDN);
        all = takes_nearest(x, table[j].high) && takes_nearest(x, table[j].low) && all;
    }
    mpfr_clear(x);
    mpfr_free_cache();
    return all;
}

TEST(values_are_the_nearest_doubles_and_the_nearest_to_the_rest)
{
    CHECK(holds(ff_atan_table, FF_ATAN_STEPS + 1, FF_ATAN_STEPS, mpfr_atan));
    CHECK(holds(ff_tan_table, FF_TAN_STEPS, 64, mpfr_tan));
}

TEST(powers_of_two_have_a_relative_rest)
{
    bool all = true;
    mpfr_t x;
    mpfr_init2(x, BITS);
    for (int j = 0; j < FF_EXP2_STEPS; j++) {
        mpfr_set_d(x, j / (double)FF_EXP2_STEPS, MPFR_RNDN);
        mpfr_exp2(x, x, MPFR_RNDN);
        all = takes_nearest(x, ff_exp2_table[j].high) && all;
        mpfr_div_d(x, x, ff_exp2_table[j].high, MPFR_RNDN);
        all = takes_nearest(x, ff_exp2_table[j].low) && all;
    }
    mpfr_clear(x);
    mpfr_free_cache();
    CHECK(all);
}

TEST(rows_of_the_logarithm_are_short_reciprocals_with_their_logarithms)
{
    int wrong = 0, ones = 0;
    double largest = 0.0;
    mpfr_t x;
    mpfr_init2(x, BITS);
    for (int i = 0; i < FF_LOG_STEPS; i++) {
        const ff_log_row row = ff_log_table[i];
        const double from = ff_log_edge(i), to = ff_log_edge(i + 1);
        ones += row.reciprocal == 1.0;
        wrong += row.reciprocal == 1.0 && !(from < 1.0 && to > 1.0);
        wrong += row.reciprocal * 4096.0 != floor(row.reciprocal * 4096.0);
        wrong += row.high * 0x1p42 != floor(row.high * 0x1p42);
        largest = fmax(largest, fmax(fabs(from * row.reciprocal - 1.0), fabs(to * row.reciprocal - 1.0)));
        mpfr_set_d(x, row.reciprocal, MPFR_RNDN);
        mpfr_log(x, x, MPFR_RNDN);
        mpfr_neg(x, x, MPFR_RNDN);
        mpfr_sub_d(x, x, row.high, MPFR_RNDN);
        wrong += fabs(mpfr_get_d(x, MPFR_RNDN)) > 0x1p-43 || !takes_nearest(x, row.low);
    }
    mpfr_clear(x);
    mpfr_free_cache();
    CHECK_INT(wrong, 0);
    CHECK_INT(ones, 1);
    CHECK_BELOW(largest, 0.0041); // what the series of log.c count on
    CHECK(ff_log_edge(FF_LOG_STEPS) == 2.0 * ff_log_edge(0));
}

TEST(bits_of_two_over_pi_are_right)
{
    int wrong = 0;
    mpfr_t x;
    mpfr_init2(x, 32 * FF_TWO_OVER_PI_WORDS + 64);
    mpfr_const_pi(x, MPFR_RNDN);
    mpfr_ui_div(x, 2, x, MPFR_RNDN);
    for (int i = 0; i < FF_TWO_OVER_PI_WORDS; i++) {
        mpfr_mul_2si(x, x, 32, MPFR_RNDN);
        const unsigned long word = mpfr_get_ui(x, MPFR_RNDZ);
        wrong += word != ff_two_over_pi[i];
        mpfr_sub_ui(x, x, word, MPFR_RNDN);
    }
    mpfr_clear(x);
    mpfr_free_cache();
    CHECK_INT(wrong, 0);
}

// Powers are computed from a logarithm of 66 bits: 745 times its error must be far below the last place of 1.
TEST(the_wide_logarithm_has_66_bits)
{
    const int n = points();
    double worst = 0.0;
    ff_random random = ff_random_make(1, 0);
    mpfr_t x, off;
    mpfr_init2(x, 160);
    mpfr_init2(off, 160);
    for (int i = 0; i < n; i++) {
        const regime around[3] = {{EVEN, 0.5, 2}, {BESIDE, 1, -53}, {EVEN, 0, 1e6}};
        const double at = point_of(&around[i % 3], &random);
        const ff_wide got = ff_log_wide(at);
        mpfr_set_d(x, at, MPFR_RNDN);
        mpfr_log(x, x, MPFR_RNDN);
        mpfr_sub_d(off, x, got.high, MPFR_RNDN);
        mpfr_sub_d(off, off, got.low, MPFR_RNDN);
        if (!mpfr_zero_p(x)) mpfr_div(off, off, x, MPFR_RNDN);
        worst = fmax(worst, fabs(mpfr_get_d(off, MPFR_RNDN)));
    }
    mpfr_clears(x, off, (mpfr_ptr)NULL);
    mpfr_free_cache();
    printf("  relative error 2^%.1f\n", log2(worst));
    CHECK_BELOW(worst, 0x1p-66);
}
#else
#include "check.h"

TEST(tables_agree_with_mpfr)
{
    SKIP("built without MPFR (libmpfr-dev)");
}
#endif
