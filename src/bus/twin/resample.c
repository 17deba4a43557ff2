// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Interpolation of signals with irregular times and gaps at given times.
#include "twin/twin.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/// The next sample that is not missing, from `i` on; count: none. Of samples at the same time the first is used.
static long long next_known(const ff_series *s, long long i)
{
    while (i < s->count && (isnan(s->value[i]) || (i > 0 && s->t[i] == s->t[i - 1]))) i++;
    return i;
}

double ff_series_spacing(const ff_series *s)
{
    double *spans = malloc(((size_t)s->count + 1) * sizeof *spans);
    long long n = 0;
    if (!spans) return 0.0;
    for (long long i = next_known(s, 0), k; i < s->count && (k = next_known(s, i + 1)) < s->count; i = k)
        spans[n++] = s->t[k] - s->t[i];
    if (n > 0) qsort(spans, (size_t)n, sizeof *spans, compare);
    const double median = n > 0 ? spans[n / 2] : 0.0;
    free(spans);
    return median;
}

double ff_series_value(const ff_series *s, double longest, double t, long long *at)
{
    long long i = *at;
    if (i >= s->count || s->t[i] > t) i = 0;
    i = next_known(s, i);
    for (long long k; (k = next_known(s, i + 1)) < s->count && s->t[k] <= t; i = k) {
    }
    if (i >= s->count) return NAN;
    *at = i;
    if (s->t[i] == t) return s->value[i];
    const long long k = next_known(s, i + 1);
    if (t < s->t[i] || k >= s->count || s->t[k] - s->t[i] > longest) return NAN;
    return s->value[i] + (s->value[k] - s->value[i]) * ((t - s->t[i]) / (s->t[k] - s->t[i]));
}
