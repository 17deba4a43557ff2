// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Histograms of durations in fixed memory (footfall/link.h): 64 bins an octave of nanoseconds, below 64 ns one per ns.
// The width of a bin is 1/64 of its lower edge, and its index follows from the highest seven bits of the duration.
#include <footfall/link.h>
#include <footfall/math.h>

#include <math.h>

enum { BINS_PER_OCTAVE = 64 };

static int bin_of(int64_t ns)
{
    int octave = 0;
    while (ns >> octave >= 2 * BINS_PER_OCTAVE) octave++;
    const int bin = octave * BINS_PER_OCTAVE + (int)(ns >> octave);
    return bin < FF_HISTOGRAM_BINS ? bin : FF_HISTOGRAM_BINS - 1;
}

/// Lower edge of a bin.  [ns]
static int64_t edge_of(int bin)
{
    const int octave = bin < 2 * BINS_PER_OCTAVE ? 0 : bin / BINS_PER_OCTAVE - 1;
    return (int64_t)(bin - octave * BINS_PER_OCTAVE) << octave;
}

/// A negative duration or NaN counts as 0, one beyond the last bin as the longest.
static int64_t nanoseconds_of(double seconds)
{
    const double longest = (double)edge_of(FF_HISTOGRAM_BINS - 1);
    return (int64_t)ff_min(longest, ff_max(0.0, floor(1e9 * seconds)));
}

void ff_histogram_add(ff_histogram *h, double seconds)
{
    h->bins[bin_of(nanoseconds_of(seconds))]++;
    h->count++;
    if (seconds > h->largest) h->largest = seconds;
}

double ff_histogram_quantile(const ff_histogram *h, double share)
{
    const double rank = ff_max(1.0, ceil(share * (double)h->count - 1e-6)); // 0.007 of 20000 is 140, not 141
    int64_t below = 0;
    for (int i = 0; i < FF_HISTOGRAM_BINS - 1; i++) {
        below += h->bins[i];
        if ((double)below >= rank) return ff_min(h->largest, 1e-9 * (double)edge_of(i + 1));
    }
    return h->largest; // the last bin has no upper edge
}

double ff_histogram_above(const ff_histogram *h, double seconds)
{
    int64_t above = 0;
    for (int i = bin_of(nanoseconds_of(seconds)); i < FF_HISTOGRAM_BINS; i++) above += h->bins[i];
    return h->count > 0 ? (double)above / (double)h->count : 0.0;
}
