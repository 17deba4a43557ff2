// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distributions of spans of time: their quantiles are those of the sorted spans, to the width of a bin. Spans are
// given, no clock is asked.
#include "check.h"

#include <footfall/link.h>

static ff_histogram h;

/// A quantile is never below that of the sorted spans, and above by 1/64 and 1 ns at most.
static void must_bound(double got, double exact)
{
    CHECK(got >= exact * (1.0 - 1e-12));
    CHECK(got <= exact * (1.0 + 1.0 / 64.0) + 1.001e-9);
}

TEST(quantiles_of_evenly_spaced_durations_are_right)
{
    h = (ff_histogram){0};
    for (int i = 1000; i >= 1; i--) ff_histogram_add(&h, 1e-6 * i);
    CHECK(h.count == 1000 && h.largest == 1e-6 * 1000);
    must_bound(ff_histogram_quantile(&h, 0.5), 500e-6);
    must_bound(ff_histogram_quantile(&h, 0.99), 990e-6);
    must_bound(ff_histogram_quantile(&h, 0.999), 999e-6);
    CHECK(ff_histogram_quantile(&h, 1.0) == h.largest);
    must_bound(ff_histogram_quantile(&h, 0.0), 1e-6);
    CHECK_NEAR(ff_histogram_above(&h, 750e-6), 0.25, 0.75 / 64.0 + 0.001); // a bin, and one span
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// From 1 ns to 1000 s, twelve decades, against sorting.
TEST(quantiles_are_those_of_the_sorted_spans)
{
    enum { N = 20000 };
    static double spans[N];
    ff_random random = ff_random_make(19, 0);
    h = (ff_histogram){0};
    for (int i = 0; i < N; i++) {
        spans[i] = 1e-9 * pow(10.0, 12.0 * ff_random_uniform(&random));
        ff_histogram_add(&h, spans[i]);
    }
    qsort(spans, N, sizeof *spans, compare);
    CHECK(h.largest == spans[N - 1]);
    for (int i = 1; i <= 1000; i++) must_bound(ff_histogram_quantile(&h, 1e-3 * i), spans[N / 1000 * i - 1]);
    for (int i = 0; i < N; i += 97) {
        int above = 0;
        for (int k = 0; k < N; k++) above += spans[k] > spans[i];
        CHECK(ff_histogram_above(&h, spans[i]) >= (double)above / N);
        above = 0;
        for (int k = 0; k < N; k++) above += spans[k] > spans[i] * (1.0 - 1.0 / 64.0) - 1e-9;
        CHECK(ff_histogram_above(&h, spans[i]) <= (double)above / N);
    }
}

TEST(spans_beyond_every_bin_are_counted)
{
    h = (ff_histogram){0};
    CHECK(ff_histogram_quantile(&h, 0.5) == 0.0 && ff_histogram_above(&h, 0.0) == 0.0);
    ff_histogram_add(&h, -1.0);
    ff_histogram_add(&h, NAN);
    ff_histogram_add(&h, 0.0);
    CHECK(h.count == 3 && h.bins[0] == 3 && h.largest == 0.0);
    ff_histogram_add(&h, 1e12);
    ff_histogram_add(&h, INFINITY);
    CHECK(h.count == 5 && h.bins[FF_HISTOGRAM_BINS - 1] == 2);
    CHECK(ff_histogram_quantile(&h, 0.6) <= 1.001e-9 && ff_histogram_quantile(&h, 0.61) == INFINITY);
    CHECK(ff_histogram_above(&h, 1e11) == 0.4);
}
