// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors of our elementary functions in units in the last place (ulp), against MPFR with 120 bits, and points at which
// to look for large ones. A test measures a function regime by regime, prints the largest error with its place, and
// checks it.
#ifndef FOOTFALL_TESTS_BASE_EXACT_H
#define FOOTFALL_TESTS_BASE_EXACT_H

#include <footfall/base.h>
#include <mpfr.h>

#include "check.h"

/// Points of a regime. FOOTFALL_POINTS=1000000 looks longer; the limits of the tests held for 400000 and more.
static inline int points(void)
{
    const char *wanted = getenv("FOOTFALL_POINTS");
    return wanted ? atoi(wanted) : CHECK_LASTS(8000, 500);
}

typedef enum scatter {
    EVEN,   // evenly between a and b
    SIZES,  // 2^e with e evenly between a and b, of both signs
    BESIDE, // a, plus and minus 2^e with e evenly between b and -2
} scatter;

typedef struct regime {
    scatter kind;
    double a, b;
} regime;

/// A point of a regime. Mantissas are drawn by the random stream and two multiplications by powers of two, hence the C
/// library has no part in it.
static inline double point_of(const regime *r, ff_random *random)
{
    if (r->kind == EVEN) return ff_random_range(random, r->a, r->b);
    const double low = r->kind == SIZES ? r->a : r->b, high = r->kind == SIZES ? r->b : -2.0;
    const int e = (int)floor(ff_random_range(random, low, high));
    const double side = ff_random_uniform(random) < 0.5 ? -1.0 : 1.0;
    const double size = ldexp(side * ff_random_range(random, 1.0, 2.0), e);
    return r->kind == SIZES ? size : r->a + size;
}

/// |got - exact| in units in the last place that doubles have at `exact`. Infinite where one is infinite or NaN and the
/// other is not; what rounds to infinity counts as infinite. `work` is of 160 bits.
static inline double ulps(double got, const mpfr_t exact, mpfr_t work)
{
    const double rounded = mpfr_get_d(exact, MPFR_RNDN);
    if (isnan(got) || isnan(rounded)) return isnan(got) && isnan(rounded) ? 0.0 : INFINITY;
    if (isinf(got) || isinf(rounded)) return got == rounded ? 0.0 : INFINITY;
    if (mpfr_zero_p(exact)) return got == 0.0 ? 0.0 : INFINITY;
    mpfr_sub_d(work, exact, got, MPFR_RNDN);
    long last = (long)mpfr_get_exp(exact) - 53; // exact = m 2^exp with 1/2 <= m < 1
    if (last < -1074) last = -1074;
    mpfr_mul_2si(work, work, -last, MPFR_RNDN);
    return fabs(mpfr_get_d(work, MPFR_RNDN));
}

/// The arguments and results of a measurement. MPFR takes twice as long for 120 bits as for 64, which give an error to
/// 1/2048 ulp: the latter find candidates for the largest error, the former measure them.
typedef struct referee {
    mpfr_t x, y, coarse, fine, work;
} referee;

static inline void referee_begin(referee *r)
{
    mpfr_init2(r->x, 53);
    mpfr_init2(r->y, 53);
    mpfr_init2(r->coarse, 64);
    mpfr_init2(r->fine, 120);
    mpfr_init2(r->work, 160);
}

static inline void referee_end(referee *r)
{
    mpfr_clears(r->x, r->y, r->coarse, r->fine, r->work, (mpfr_ptr)NULL);
    mpfr_free_cache();
}

typedef int (*exact_one)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*exact_two)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

/// Largest error of a function of one argument at the points of a regime.
static inline double worst_of_one(const char *name, double (*ours)(double), exact_one exact, const regime *at)
{
    const int n = points();
    double worst = 0.0, where = NAN;
    ff_random random = ff_random_make(13, 0);
    referee r;
    referee_begin(&r);
    for (int i = 0; i < n; i++) {
        const double x = point_of(at, &random), got = ours(x);
        mpfr_set_d(r.x, x, MPFR_RNDN);
        exact(r.coarse, r.x, MPFR_RNDN);
        if (ulps(got, r.coarse, r.work) + 0.001 < worst) continue;
        exact(r.fine, r.x, MPFR_RNDN);
        const double error = ulps(got, r.fine, r.work);
        if (error > worst) worst = error, where = x;
    }
    referee_end(&r);
    printf("  %-6s %-6s %8g %8g: %.4f ulp at %a\n", name, (const char *[]){"even", "sizes", "beside"}[at->kind], at->a,
           at->b, worst, where);
    return worst;
}

/// The same for two arguments.
static inline double worst_of_two(const char *name, double (*ours)(double, double), exact_two exact, const regime at[2])
{
    const int n = points();
    double worst = 0.0, where[2] = {NAN, NAN};
    ff_random random = ff_random_make(17, 0);
    referee r;
    referee_begin(&r);
    for (int i = 0; i < n; i++) {
        const double x = point_of(&at[0], &random), y = point_of(&at[1], &random), got = ours(x, y);
        mpfr_set_d(r.x, x, MPFR_RNDN);
        mpfr_set_d(r.y, y, MPFR_RNDN);
        exact(r.coarse, r.x, r.y, MPFR_RNDN);
        if (ulps(got, r.coarse, r.work) + 0.001 < worst) continue;
        exact(r.fine, r.x, r.y, MPFR_RNDN);
        const double error = ulps(got, r.fine, r.work);
        if (error > worst) worst = error, where[0] = x, where[1] = y;
    }
    referee_end(&r);
    printf("  %-6s %8g %8g, %8g %8g: %.4f ulp at %a, %a\n", name, at[0].a, at[0].b, at[1].a, at[1].b, worst, where[0],
           where[1]);
    return worst;
}

#endif
