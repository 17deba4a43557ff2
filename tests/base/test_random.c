// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The random generator against the published answers of Philox-4x32-10, and its statistics. Every statistical bound is
// five standard errors: with fixed seeds the outcome is fixed too, and a sound generator has one chance in 1.7 million
// to miss one.
#include <footfall/base.h>

#include "base/philox.h"
#include "check.h"

enum { DRAWS = 200000 };

// Known answers of the Random123 distribution (kat_vectors, philox4x32 10).
static const struct {
    uint32_t counter[4], key[2], answer[4];
} known[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

TEST(philox_gives_its_published_answers)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t words[4];
        memcpy(words, known[i].counter, sizeof words);
        ff_philox(words, known[i].key);
        for (int k = 0; k < 4; k++) CHECK_INT(words[k], known[i].answer[k]);
    }
}

static uint64_t join(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

// Draw 2 d and 2 d + 1 of a stream are the two halves of block d, low word first; seed and stream fill key and upper
// counter.
TEST(draws_are_the_halves_of_philox_blocks)
{
    ff_random zero = ff_random_make(0, 0);
    CHECK(ff_random_bits(&zero) == join(known[0].answer[0], known[0].answer[1]));
    CHECK(ff_random_bits(&zero) == join(known[0].answer[2], known[0].answer[3]));
    CHECK_INT(zero.counter, 2);
    const uint32_t key[2] = {0xa4093822, 0x299f31d0};
    ff_random random = ff_random_make(join(key[0], key[1]), join(0x13198a2e, 0x03707344));
    random.counter = 2 * join(0x243f6a88, 0x05a308d3);
    uint32_t block[4] = {0x243f6a88, 0x05a308d3, 0x13198a2e, 0x03707344};
    ff_philox(block, key);
    CHECK(ff_random_bits(&random) == join(block[0], block[1]));
    CHECK(ff_random_bits(&random) == join(block[2], block[3]));
}

TEST(a_copied_state_gives_the_same_draws)
{
    ff_random random = ff_random_make(5, 6);
    for (int i = 0; i < 7; i++) ff_random_uniform(&random);
    ff_random saved = random;
    for (int i = 0; i < 100; i++) CHECK(ff_random_bits(&random) == ff_random_bits(&saved));
}

TEST(two_at_once_are_two_one_by_one)
{
    for (int skipped = 0; skipped < 4; skipped++) { // within a block, and across two
        ff_random one = ff_random_make(5, 6), two = one;
        for (int i = 0; i < skipped; i++) CHECK(ff_random_bits(&one) == ff_random_bits(&two));
        for (int i = 0; i < 10; i++) {
            double both[2];
            ff_random_uniform_two(&two, both);
            CHECK(ff_random_uniform(&one) == both[0]);
            CHECK(ff_random_uniform(&one) == both[1]);
            CHECK(one.counter == two.counter);
        }
    }
}

static double mean_of(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum / n;
}

/// Mean of x^power.
static double moment(const double *x, int n, int power)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += pow(x[i], power);
    return sum / n;
}

TEST(uniform_has_the_moments_of_its_law)
{
    static double x[DRAWS];
    ff_random random = ff_random_make(11, 0);
    int bins[16] = {0};
    for (int i = 0; i < DRAWS; i++) {
        x[i] = ff_random_uniform(&random);
        CHECK(x[i] >= 0 && x[i] < 1);
        bins[(int)(16 * x[i])]++;
    }
    // E u^k = 1/(k+1), Var u^k = 1/(2k+1) - 1/(k+1)^2
    for (int k = 1; k <= 4; k++) {
        double expected = 1.0 / (k + 1), error = sqrt((1.0 / (2 * k + 1) - expected * expected) / DRAWS);
        CHECK_NEAR(moment(x, DRAWS, k), expected, 5 * error);
    }
    double chi = 0, each = DRAWS / 16.0;
    for (int b = 0; b < 16; b++) chi += (bins[b] - each) * (bins[b] - each) / each;
    CHECK_NEAR(chi, 15, 5 * sqrt(2 * 15.0)); // chi squared of 15 degrees of freedom
}

TEST(normal_has_the_moments_of_its_law)
{
    static double x[DRAWS];
    ff_random random = ff_random_make(12, 0);
    for (int i = 0; i < DRAWS; i++) x[i] = ff_random_normal(&random);
    // E x^2k = (2k - 1)!!: 1, 3, 15, 105, 945, 10395
    const double even[7] = {1, 1, 3, 15, 105, 945, 10395};
    for (int k = 1; k <= 6; k++) {
        double expected = k % 2 ? 0 : even[k / 2], variance = even[k] - expected * expected;
        CHECK_NEAR(moment(x, DRAWS, k), expected, 5 * sqrt(variance / DRAWS));
    }
    int inside = 0;
    for (int i = 0; i < DRAWS; i++) inside += fabs(x[i]) < 1;
    const double p = 0.682689492137086; // erf(1 / sqrt 2)
    CHECK_NEAR((double)inside / DRAWS, p, 5 * sqrt(p * (1 - p) / DRAWS));
}

/// Correlation of two series.
static double correlation(const double *x, const double *y, int n)
{
    double mx = mean_of(x, n), my = mean_of(y, n), xy = 0, xx = 0, yy = 0;
    for (int i = 0; i < n; i++) {
        xy += (x[i] - mx) * (y[i] - my);
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
    }
    return xy / sqrt(xx * yy);
}

// The correlation of n independent pairs is normal with standard error 1/sqrt(n).
TEST(streams_seeds_and_later_draws_do_not_resemble_each_other)
{
    static double x[4][DRAWS + 8];
    ff_random r[4] = {ff_random_make(21, 0), ff_random_make(21, 1), ff_random_make(22, 0),
                      ff_random_make(21, 1ULL << 32)};
    for (int s = 0; s < 4; s++)
        for (int i = 0; i < DRAWS + 8; i++) x[s][i] = ff_random_uniform(&r[s]);
    const double bound = 5 / sqrt(DRAWS);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            for (int lag = 0; lag < 3; lag++) CHECK_NEAR(correlation(x[a], x[b] + lag, DRAWS), 0, bound);
    for (int lag = 1; lag <= 8; lag++) CHECK_NEAR(correlation(x[0], x[0] + lag, DRAWS), 0, bound);
}

TEST(range_stays_below_its_upper_end)
{
    ff_random random = ff_random_make(31, 0);
    double low = 1, high = 0;
    for (int i = 0; i < 10000; i++) {
        double x = ff_random_range(&random, -3, 5);
        low = fmin(low, x);
        high = fmax(high, x);
        // doubles near 1e16 are 2 apart: half of all sums round to the upper end
        CHECK_NEAR(ff_random_range(&random, 1e16, 1e16 + 2), 1e16, 0);
    }
    CHECK(low >= -3 && high < 5);
    // the extremes of 10000 draws lie within ln(1e6)/10000 of the ends, but for one chance in a million
    CHECK_NEAR(low, -3, 8 * 1.4e-3);
    CHECK_NEAR(high, 5, 8 * 1.4e-3);
    CHECK_NEAR(ff_random_range(&random, 2, 2), 2, 0);
}

// The answers of Fowler, Noll and Vo.
TEST(hash_is_fnv_1a)
{
    CHECK(ff_hash("", 0, FF_HASH_START) == 0xcbf29ce484222325ULL);
    CHECK(ff_hash("a", 1, FF_HASH_START) == 0xaf63dc4c8601ec8cULL);
    CHECK(ff_hash("foobar", 6, FF_HASH_START) == 0x85944171f73967e8ULL);
    CHECK(ff_hash("bar", 3, ff_hash("foo", 3, FF_HASH_START)) == 0x85944171f73967e8ULL);
}
