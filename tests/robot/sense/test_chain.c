// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The chain of errors against what its stages promise: statistics of rounding and noise, Allan deviation of a drifting
// bias, the step response of the filter, exact delays, ranges, crosstalk, and each stage off by itself.
#include "check.h"

#include <footfall/footfall.h>
#include <footfall/math.h>

static void *new_memory(const ff_chain *chain, uint64_t seed, const double *truth)
{
    void *memory = malloc(ff_chain_memory_size(chain));
    check_at_end(free, memory);
    ff_chain_start(chain, memory, seed, 0, truth, 0.0);
    return memory;
}

static double sample(const ff_chain *chain, void *memory, int k, double truth)
{
    double out;
    ff_chain_sample(chain, memory, k * chain->period, &truth);
    ff_chain_read(chain, memory, k * chain->period, &out);
    return out;
}

/// A chain of one perfect channel, whose signal the test changes.
static ff_chain make_chain(ff_signal *s)
{
    ff_chain chain = ff_chain_make(1);
    ff_signal_init(s);
    chain.signals = s;
    return chain;
}

enum { MANY = 1000000 };

// Rounding a value that is spread over many steps leaves an error that is uniform in +-LSB/2.
TEST(rounding_errors_are_uniform_over_a_step)
{
    enum { BINS = 20 };
    ff_signal s;
    ff_chain chain = make_chain(&s);
    s.form = FF_FORM_STEPS;
    s.step = 2.0 * 300.0 / 4096.0; // ROTTO, forces across
    const double zero = 0.0;
    void *memory = new_memory(&chain, 1, &zero);
    ff_random random = ff_random_make(7, 7);
    int counts[BINS] = {0};
    double square = 0.0;
    for (int k = 1; k <= MANY; k++) {
        const double y = ff_random_range(&random, -250.0, 250.0), e = (sample(&chain, memory, k, y) - y) / s.step;
        CHECK(fabs(e) <= 0.5 + 1e-9);
        int bin = (int)((e + 0.5) * BINS);
        counts[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]++;
        square += e * e;
    }
    double chi = 0.0;
    for (int i = 0; i < BINS; i++) chi += pow(counts[i] - (double)MANY / BINS, 2) / ((double)MANY / BINS);
    CHECK(chi < 43.8);                             // 19 degrees of freedom: exceeded once in a thousand
    CHECK_NEAR(square / MANY, 1.0 / 12.0, 3.0e-4); // 4 sigma of the mean of e^2, sqrt(1/180) / sqrt(1e6)
}

TEST(noise_is_normal)
{
    enum { BINS = 26 };
    ff_signal s;
    ff_chain chain = make_chain(&s);
    s.noise = 0.05;
    const double truth = 3.0;
    void *memory = new_memory(&chain, 2, &truth);
    int counts[BINS] = {0};
    double sum = 0.0, last = 0.0, product = 0.0;
    for (int k = 1; k <= MANY; k++) {
        const double z = (sample(&chain, memory, k, truth) - truth) / s.noise;
        const int bin = (int)floor((z + 3.0) / 0.25) + 1; // below -3, quarters, above 3
        counts[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]++;
        sum += z;
        product += z * last;
        last = z;
    }
    double chi = 0.0;
    for (int i = 0; i < BINS; i++) {
        const double from = i == 0 ? -40.0 : -3.0 + 0.25 * (i - 1), to = i == BINS - 1 ? 40.0 : -3.0 + 0.25 * i;
        const double expected = MANY * 0.5 * (erf(to / sqrt(2.0)) - erf(from / sqrt(2.0)));
        chi += pow(counts[i] - expected, 2) / expected;
    }
    CHECK(chi < 52.6);                     // 25 degrees of freedom: once in a thousand
    CHECK_NEAR(sum / MANY, 0.0, 4e-3);     // 4 sigma of the mean
    CHECK_NEAR(product / MANY, 0.0, 4e-3); // white: neighbours are not correlated, 4 sigma
}

/// Allan variance of y at m samples, without overlap.
static double allan(const double *y, int n, int m)
{
    double before = 0.0, sum = 0.0;
    int clusters = n / m;
    for (int c = 0; c < clusters; c++) {
        double mean = 0.0;
        for (int i = 0; i < m; i++) mean += y[c * m + i];
        mean /= m;
        if (c > 0) sum += (mean - before) * (mean - before);
        before = mean;
    }
    return sum / (2.0 * (clusters - 1));
}

// ANTON's gyro: 0.005 rad/s of noise, a bias that walks 0.001 rad/s in a minute. White noise gives sigma^2 / m, a walk
// of sigma_b gives sigma_b^2 tau (1/3 + 1/(6 m^2)) (IEEE Std 952, annex C, for sums in place of integrals).
TEST(allan_deviation_shows_noise_and_walk_of_a_gyro)
{
    const int sizes[] = {1, 10, 100, 1000, 10000};
    const double slack[] = {0.01, 0.02, 0.06, 0.2, 0.6}; // 4 sqrt(1.5 / clusters), at least 1 %
    ff_signal s;
    ff_chain chain = make_chain(&s);
    s.noise = 0.005;
    s.bias_walk = 0.001 / sqrt(60.0) * 20.0; // twenty times the walk: both ends of the curve show within 1000 s
    const double zero = 0.0;
    void *memory = new_memory(&chain, 3, &zero);
    double *y = malloc(MANY * sizeof *y);
    for (int k = 1; k <= MANY; k++) y[k - 1] = sample(&chain, memory, k, 0.0);
    for (int i = 0; i < 5; i++) {
        const double m = sizes[i], tau = m * chain.period;
        const double expected =
            s.noise * s.noise / m + s.bias_walk * s.bias_walk * tau * (1.0 / 3.0 + 1.0 / (6.0 * m * m));
        CHECK_NEAR(allan(y, MANY, sizes[i]) / expected, 1.0, slack[i]);
    }
    CHECK_NEAR(ff_chain_bias(&chain, memory, 0), 0.0, 4.0 * s.bias_walk * sqrt(1000.0)); // 4 sigma after 1000 s
    free(y);
}

TEST(filter_follows_a_step_and_a_ramp_by_its_time_constant)
{
    ff_signal s;
    ff_chain chain = make_chain(&s);
    s.bandwidth = 2.0 * FF_PI * 100.0;
    const double zero = 0.0;
    void *memory = new_memory(&chain, 4, &zero);
    // a ramp of 1/s from t = 0: y_f = t - tau (1 - exp(-t / tau)), exact as the ramp is straight between samples
    for (int k = 1; k <= 20; k++) {
        const double t = k * chain.period, a = s.bandwidth * t;
        CHECK_NEAR(sample(&chain, memory, k, t), t - (1.0 - exp(-a)) / s.bandwidth, 1e-15);
    }
}

TEST(values_come_after_exactly_the_delay)
{
    ff_signal s;
    ff_chain chain = make_chain(&s);
    chain.delay = 10; // the touch sensor: 10 ms at 1 kHz
    const double first = -7.0;
    void *memory = new_memory(&chain, 5, &first);
    for (int k = 1; k <= 5000; k++) {
        double out, truth = k, t = k * chain.period;
        ff_chain_sample(&chain, memory, t, &truth);
        const double stamp = ff_chain_read(&chain, memory, t, &out);
        CHECK(out == (k > 10 ? k - 10 : first));
        if (k > 10) CHECK_NEAR(t - stamp, 0.010, 1e-12);
        ff_chain_read(&chain, memory, t + 0.9 * chain.period, &out);
        CHECK(out == (k > 10 ? k - 10 : first)); // and stays until the next
    }
}

TEST(jitter_stays_within_its_bounds_and_fills_them)
{
    ff_signal s;
    ff_chain chain = make_chain(&s);
    chain.delay = 2;
    chain.jitter = 0.3e-3;
    const double zero = 0.0;
    void *memory = new_memory(&chain, 6, &zero);
    double least = 1.0, most = 0.0;
    for (int k = 1; k <= 2000; k++) {
        double truth = k, out;
        ff_chain_sample(&chain, memory, k * chain.period, &truth);
        for (int part = 0; part < 100; part++) {
            const double t = (k + part / 100.0) * chain.period, stamp = ff_chain_read(&chain, memory, t, &out);
            if (k < 5) continue;
            if (t - stamp < 1.05e-3 + 1e-3) least = fmin(least, t - stamp);
            most = fmax(most, t - stamp);
        }
    }
    // the youngest value handed out is 2 T - jitter old, the oldest one 3 T + jitter, seen in steps of 10 us
    CHECK_NEAR(least, 1.7e-3, 0.011e-3);
    CHECK_NEAR(most, 3.3e-3, 0.011e-3);
}

TEST(ranges_cut_and_forms_round)
{
    ff_signal s;
    ff_signal_init(&s);
    s.low = -50.0;
    s.high = 50.0;
    CHECK(ff_signal_round(&s, 51.0) == 50.0 && ff_signal_round(&s, -1e9) == -50.0);
    s.form = FF_FORM_STEPS;
    s.step = 0.25;
    CHECK(ff_signal_round(&s, 0.375) == 0.5 && ff_signal_round(&s, -0.375) == -0.5);
    s.form = FF_FORM_FIXED; // Q3.4
    s.whole = 3;
    s.fraction = 4;
    CHECK(ff_signal_round(&s, 1.03) == 1.0 && ff_signal_round(&s, 1.04) == 1.0625);
    CHECK(ff_signal_round(&s, 20.0) == 8.0 - 1.0 / 16.0 && ff_signal_round(&s, -20.0) == -8.0);
    s.form = FF_FORM_SINGLE;
    CHECK(ff_signal_round(&s, 0.1) == (double)0.1F);
}

TEST(counts_wrap_at_32_bits_and_turns_at_their_end)
{
    ff_signal s;
    ff_signal_init(&s);
    s.form = FF_FORM_COUNT;
    s.step = 2.0 * FF_PI / 2048.0;
    CHECK(ff_signal_round(&s, 10.5 * s.step) == 10.0 && ff_signal_round(&s, -0.5 * s.step) == -1.0);
    CHECK(ff_signal_round(&s, 2147483647.5 * s.step) == 2147483647.0);
    CHECK(ff_signal_round(&s, 2147483648.5 * s.step) == -2147483648.0);
    s.form = FF_FORM_TURN;
    s.step = 2.0 * FF_PI / 4096.0;
    CHECK(ff_signal_round(&s, 4095.5 * s.step) == 4095.0 * s.step);
    CHECK(ff_signal_round(&s, 4096.5 * s.step) == 0.0);
    CHECK(ff_signal_round(&s, -0.5 * s.step) == 4095.0 * s.step);
}

TEST(crosstalk_mixes_the_channels_by_its_matrix)
{
    ff_signal s[3];
    for (int i = 0; i < 3; i++) ff_signal_init(&s[i]);
    const double X[9] = {0.002, 0.01, -0.01, 0.003, 0.0, 0.007, -0.004, 0.01, 0.001}, truth[3] = {10, -20, 40};
    ff_chain chain = ff_chain_make(3);
    chain.signals = s;
    chain.crosstalk = X;
    void *memory = new_memory(&chain, 8, truth);
    double out[3];
    ff_chain_sample(&chain, memory, chain.period, truth);
    ff_chain_read(&chain, memory, chain.period, out);
    CHECK_NEAR(out[0], 10.0 + 0.02 - 0.2 - 0.4, 1e-14);
    CHECK_NEAR(out[1], -20.0 + 0.03 + 0.28, 1e-14);
    CHECK_NEAR(out[2], 40.0 - 0.04 - 0.2 + 0.04, 1e-14);
}

// Crosstalk 1 %, bias 2, scale 10 %, noise 0: (y + X y) 1.1 + 2, then the range. Any other order gives another number.
TEST(stages_come_in_the_order_of_the_reference)
{
    ff_signal s[2];
    for (int i = 0; i < 2; i++) ff_signal_init(&s[i]);
    s[0].scale = 0.1;
    s[0].bias = 2.0;
    s[0].high = 100.0;
    s[0].form = FF_FORM_STEPS;
    s[0].step = 0.5;
    const double X[4] = {0.0, 0.01, 0.0, 0.0}, truth[2] = {50.0, 100.0}, large[2] = {95.0, 0.0};
    ff_chain chain = ff_chain_make(2);
    chain.signals = s;
    chain.crosstalk = X;
    void *memory = new_memory(&chain, 9, truth);
    double out[2];
    ff_chain_read(&chain, memory, 0.0, out);
    CHECK_NEAR(out[0], 58.0, 1e-12); // 51 * 1.1 + 2 = 58.1, in halves
    ff_chain_sample(&chain, memory, chain.period, large);
    ff_chain_read(&chain, memory, chain.period, out);
    CHECK_NEAR(out[0], 100.0, 1e-12);
}

TEST(each_stage_can_be_off)
{
    const double truth[2] = {1.0, 2.0}, X[4] = {0.0, 0.1, 0.0, 0.0};
    for (int bit = 0; bit < 8; bit++) {
        ff_signal s[2];
        for (int i = 0; i < 2; i++) ff_signal_init(&s[i]);
        s[0] =
            (ff_signal){.bandwidth = 1.0, .bias = 0.5, .noise = 0.01, .low = -1.0, .high = 1.6, .form = FF_FORM_SINGLE};
        ff_chain chain = ff_chain_make(2);
        chain.signals = s;
        chain.crosstalk = X;
        chain.delay = 1;
        chain.stages = bit < 7 ? 1U << bit : (unsigned)FF_STAGES_NONE;
        double zero[2] = {0.0, 0.0}, out[2];
        void *memory = new_memory(&chain, 10, zero);
        ff_chain_sample(&chain, memory, chain.period, truth);
        ff_chain_read(&chain, memory, chain.period, out);
        const double expected[8] = {1.2, -1, 1.5, -1, 1.0, 1.0, 0.0, 1.0};
        if (bit == 1)
            CHECK(out[0] > 0.0 && out[0] < 1e-3); // 1 s of time constant after 1 ms
        else if (bit == 3)
            CHECK(out[0] != 1.0 && fabs(out[0] - 1.0) < 0.06);
        else
            CHECK_NEAR(out[0], expected[bit], 1e-15);
    }
}

TEST(channels_have_their_own_streams_and_repeat_by_seed)
{
    ff_signal s[2];
    for (int i = 0; i < 2; i++) {
        ff_signal_init(&s[i]);
        s[i].noise = 1.0;
    }
    ff_chain chain = ff_chain_make(2);
    chain.signals = s;
    const double zero[2] = {0.0, 0.0};
    void *one = new_memory(&chain, 11, zero), *two = new_memory(&chain, 11, zero),
         *other = new_memory(&chain, 12, zero);
    double a[2], b[2], c[2];
    for (int k = 1; k < 100; k++) {
        ff_chain_sample(&chain, one, k * chain.period, zero);
        ff_chain_sample(&chain, two, k * chain.period, zero);
        ff_chain_sample(&chain, other, k * chain.period, zero);
        ff_chain_read(&chain, one, 1.0, a);
        ff_chain_read(&chain, two, 1.0, b);
        ff_chain_read(&chain, other, 1.0, c);
        CHECK(a[0] == b[0] && a[1] == b[1] && a[0] != c[0] && a[0] != a[1]);
    }
    // a copied memory goes on alike
    memcpy(other, one, ff_chain_memory_size(&chain));
    ff_chain_sample(&chain, one, 1.0, zero);
    ff_chain_sample(&chain, other, 1.0, zero);
    ff_chain_read(&chain, one, 1.0, a);
    ff_chain_read(&chain, other, 1.0, b);
    CHECK(a[0] == b[0] && a[1] == b[1]);
}

TEST(numbers_that_make_no_sense_are_named)
{
    ff_signal s;
    ff_chain chain = make_chain(&s);
    ff_error err = {0};
    CHECK(ff_chain_check(&chain, &err) == FF_OK);
    s.noise = -1.0;
    CHECK(ff_chain_check(&chain, &err) == FF_BAD_ARGUMENT && strstr(err.text, "noise is -1"));
    s.noise = 0.0;
    s.low = 2.0, s.high = 1.0;
    CHECK(ff_chain_check(&chain, &err) == FF_BAD_ARGUMENT && strstr(err.text, "from 2 to 1"));
    s.high = 3.0;
    chain.jitter = 0.6e-3;
    CHECK(ff_chain_check(&chain, &err) == FF_BAD_ARGUMENT && strstr(err.text, "0.0006"));
    chain.jitter = 0.0;
    chain.period = 0.0;
    CHECK(ff_chain_check(&chain, &err) == FF_BAD_ARGUMENT);
}
