// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Elementary functions of one argument against MPFR. The limits are what math.h promises.
#ifdef FF_WITH_MPFR
#include "base/elementary.h"
#include "exact.h"

#define WITHIN(limit, name, ...)                                                                                       \
    do {                                                                                                               \
        const regime regimes[] = {__VA_ARGS__};                                                                        \
        for (size_t i = 0; i < sizeof regimes / sizeof regimes[0]; i++)                                                \
            CHECK_BELOW(worst_of_one(#name, ff_##name, mpfr_##name, &regimes[i]), limit);                              \
    } while (0)

TEST(exp_rounds_nearly_as_it_should)
{
    WITHIN(0.52, exp, {EVEN, -2, 2}, {EVEN, -708, 709.7}, {SIZES, -60, 9}, {SIZES, -1074, 1023});
    WITHIN(0.76, exp, {EVEN, -745.2, -708}); // subnormal results are rounded twice
}

TEST(expm1_keeps_its_digits_near_zero)
{
    WITHIN(0.56, expm1, {EVEN, -0.35, 0.35}, {EVEN, -2, 2}, {EVEN, -50, 709.7}, {SIZES, -60, 0}, {SIZES, -1074, 1023});
}

TEST(log_rounds_nearly_as_it_should)
{
    WITHIN(0.51, log, {EVEN, 0.5, 2}, {BESIDE, 1, -53}, {EVEN, 0, 1000}, {SIZES, -1022, 1023}, {SIZES, -1074, -1022});
}

TEST(log1p_keeps_its_digits_near_zero)
{
    WITHIN(0.51, log1p, {EVEN, -0.5, 1}, {BESIDE, -1, -53}, {EVEN, -1, 100}, {SIZES, -60, 60}, {SIZES, -1074, 1023});
}

TEST(log10_rounds_nearly_as_it_should)
{
    WITHIN(0.51, log10, {EVEN, 0.5, 2}, {BESIDE, 1, -53}, {SIZES, -1022, 1023}, {SIZES, -1074, -1022});
}

TEST(atan_rounds_nearly_as_it_should)
{
    WITHIN(0.55, atan, {EVEN, -0.2, 0.2}, {EVEN, -2, 2}, {BESIDE, 1, -53}, {SIZES, -30, 65}, {SIZES, -1074, 1023});
}

TEST(asin_rounds_nearly_as_it_should)
{
    WITHIN(0.55, asin, {EVEN, -0.2, 0.2}, {EVEN, -1, 1}, {BESIDE, 1, -53}, {BESIDE, -1, -53}, {SIZES, -1074, 0});
}

TEST(acos_keeps_its_digits_near_one)
{
    WITHIN(0.55, acos, {EVEN, -0.2, 0.2}, {EVEN, -1, 1}, {BESIDE, 1, -53}, {BESIDE, -1, -53}, {SIZES, -1074, 0});
}

TEST(tan_rounds_nearly_as_it_should)
{
    WITHIN(0.6, tan, {EVEN, -0.8, 0.8}, {EVEN, -10, 10}, {EVEN, -1e5, 1e5}, {BESIDE, FF_PI / 2, -53}, {SIZES, -30, 17});
    WITHIN(0.6, tan, {SIZES, 16, 1023}, {SIZES, -1074, 0});
}

// The double that comes closest to a multiple of pi/2, of all there are (6381956970095103 2^797; J.-M. Muller,
// "Elementary Functions", 11.3.2): a reduction with fewer bits loses all of them there.
TEST(tan_and_sine_are_accurate_at_the_worst_angle)
{
    const double worst = 6381956970095103.0 * 0x1p797;
    double sine, cosine;
    ff_sincos(&worst, &sine, &cosine, 1);
    referee r;
    referee_begin(&r);
    mpfr_set_d(r.x, worst, MPFR_RNDN);
    mpfr_tan(r.fine, r.x, MPFR_RNDN);
    const double of_tan = ulps(ff_tan(worst), r.fine, r.work);
    mpfr_cos(r.fine, r.x, MPFR_RNDN);
    const double of_cosine = ulps(cosine, r.fine, r.work);
    referee_end(&r);
    CHECK_BELOW(of_tan, 0.6);
    CHECK_BELOW(of_cosine, 0.6);
    CHECK_BELOW(fabs(cosine), 1e-18);
}
#else
#include "check.h"

TEST(elementary_functions_agree_with_mpfr)
{
    SKIP("built without MPFR (libmpfr-dev)");
}
#endif
