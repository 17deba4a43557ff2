// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The offset between two recordings of the same motion, by normalised cross-correlation (Knapp and Carter, "The
// generalized correlation method for estimation of time delay", IEEE Trans. ASSP 24, 1976). Both are brought onto one
// grid. At each lag Pearson's coefficient is taken over the samples that both have, and averaged over the pairs of
// signals: neither the scale nor the zero of a channel matters. Every lag of a coarse grid is tried, then those of
// the fine grid around the best peaks, and a parabola gives the position between the samples.
#include "twin/twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ interpolation

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

// ------------------------------------------------------------------------------------------ grids

enum { COARSE_MOST = 2048, FEWEST = 16, PEAKS = 256 };
static const double OVERLAP = 0.5; // share of the shorter recording that must be covered
static const double LEAST = 0.5;   // correlations below are not significant
// Two offsets fit equally well if the misfit 1 - r of one is less than this many times that of the other: as in an
// F-test of two residual variances, whose ratio exceeds 1.5 by chance in one of 50 cases with 100 independent samples.
static const double ALIKE = 1.5;
static const double NO_MISFIT = 1e-3; // misfits below are equal
static const double DIP = 0.05;       // depth of the minimum between two peaks: smaller ripples do not separate peaks

/// Two sets of signals on one grid.
typedef struct grid {
    double step;        // [s]
    double start[2];    // time of the first sample of each  [s]
    long long count[2]; // samples of each
    double *values[2];  // (pairs * count), signal after signal; NaN: missing
    int pairs, used;    // the first `used` of them decide
    double independent; // samples of the recording per sample of the grid, at most 1: others are interpolated
} grid;

static void clear_grid(grid *g)
{
    free(g->values[0]);
    free(g->values[1]);
}

static bool reserve(grid *g)
{
    for (int k = 0; k < 2; k++) {
        g->values[k] = malloc(((size_t)g->count[k] * (size_t)g->pairs + 1) * sizeof(double));
        if (!g->values[k]) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------ resampling

static void find_span(const ff_series *s, int count, double *first, double *last)
{
    *first = INFINITY;
    *last = -INFINITY;
    for (int i = 0; i < count; i++) {
        if (s[i].count == 0) continue;
        *first = ff_min(*first, s[i].t[0]);
        *last = ff_max(*last, s[i].t[s[i].count - 1]);
    }
}

/// The grid begins at a sample of each signal, so that recordings of the same rate are not interpolated.
static ff_status make_fine(grid *g, const ff_series *sets[2], int pairs, int used, double step, ff_error *err)
{
    *g = (grid){.step = step, .pairs = pairs, .used = used, .independent = 1.0};
    for (int k = 0; k < 2; k++) {
        double last;
        find_span(sets[k], pairs, &g->start[k], &last);
        const double count = floor((last - g->start[k]) / step + 1e-6) + 1.0;
        if (!(count >= FEWEST) || count * pairs > 2e8)
            return ff_error_set(
                err, FF_BAD_ARGUMENT, "%s has %.4g samples on a grid of %.3g s: %d to %.0g are supported",
                k == 0 ? "the leader" : "the recording", isfinite(count) ? count : 0.0, step, FEWEST, 2e8);
        g->count[k] = (long long)count;
    }
    if (!reserve(g)) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (int k = 0; k < 2; k++)
        for (int p = 0; p < pairs; p++) {
            const double longest = ff_max(FF_SERIES_GAP * ff_series_spacing(&sets[k][p]), 1.5 * step);
            long long at = 0;
            if (k == 1) g->independent = ff_min(g->independent, step / ff_series_spacing(&sets[k][p]));
            for (long long i = 0; i < g->count[k]; i++)
                g->values[k][p * g->count[k] + i] =
                    ff_series_value(&sets[k][p], longest, g->start[k] + (double)i * step, &at);
        }
    return FF_OK;
}

/// Averages over blocks of `times` samples; a block with more than half of its samples missing is missing.
static bool make_coarse(grid *out, const grid *fine, int times)
{
    *out = (grid){.step = fine->step * times, .pairs = fine->pairs, .used = fine->used};
    for (int k = 0; k < 2; k++) {
        out->start[k] = fine->start[k] + 0.5 * (times - 1) * fine->step;
        out->count[k] = fine->count[k] / times;
    }
    if (!reserve(out)) return false;
    for (int k = 0; k < 2; k++)
        for (int p = 0; p < fine->pairs; p++)
            for (long long i = 0; i < out->count[k]; i++) {
                const double *block = fine->values[k] + p * fine->count[k] + i * times;
                double sum = 0.0;
                int n = 0;
                for (int j = 0; j < times; j++)
                    if (!isnan(block[j])) sum += block[j], n++;
                out->values[k][p * out->count[k] + i] = 2 * n > times ? sum / n : NAN;
            }
    return true;
}

// ------------------------------------------------------------------------------------------ correlation

/// Pearson's coefficient of pair p if the other set begins `lag` samples later; NaN: too few common samples, or a
/// constant signal.
static double correlate_pair(const grid *g, int p, long long lag, long long *common)
{
    const long long from = lag < 0 ? -lag : 0;
    const long long end = g->count[1] - lag < g->count[0] ? g->count[1] - lag : g->count[0];
    const double *x = g->values[0] + p * g->count[0], *y = g->values[1] + p * g->count[1] + lag;
    double sx = 0.0, sy = 0.0, sxx = 0.0, syy = 0.0, sxy = 0.0, x0 = NAN, y0 = NAN;
    long long n = 0;
    for (long long i = from; i < end; i++) {
        if (isnan(x[i]) || isnan(y[i])) continue;
        if (n++ == 0) x0 = x[i], y0 = y[i]; // sums relative to the first values, to avoid cancellation
        const double a = x[i] - x0, b = y[i] - y0;
        sx += a;
        sy += b;
        sxx += a * a;
        syy += b * b;
        sxy += a * b;
    }
    *common = n;
    if (n < FEWEST) return NAN;
    const double nn = (double)n, vx = sxx - sx * sx / nn, vy = syy - sy * sy / nn;
    if (!(vx > 1e-12 * sxx) || !(vy > 1e-12 * syy)) return NAN;
    return (sxy - sx * sy / nn) / sqrt(vx * vy);
}

/// Mean over the pairs that decide.
static double correlate(const grid *g, long long lag, long long *samples)
{
    double sum = 0.0;
    int n = 0;
    *samples = 0;
    for (int p = 0; p < g->used; p++) {
        long long common;
        const double r = correlate_pair(g, p, lag, &common);
        if (isnan(r)) continue;
        sum += r;
        n++;
        *samples += common;
    }
    return n > 0 ? sum / n : NAN;
}

/// Lags at which enough of the shorter recording is covered.
static void find_lags(const grid *g, long long *first, long long *last)
{
    const long long shorter = g->count[0] < g->count[1] ? g->count[0] : g->count[1];
    const long long least = (long long)ceil(OVERLAP * (double)shorter);
    *first = least - g->count[0];
    *last = g->count[1] - least;
}

// ------------------------------------------------------------------------------------------ peaks

/// A local maximum of the correlation.
typedef struct peak {
    double offset, r; // [s]
    double curvature; // -r'' there  [1/s^2]
    long long lag, samples;
} peak;

static double offset_of(const grid *g, double lag)
{
    return g->start[1] - g->start[0] + lag * g->step;
}

static int by_height(const void *a, const void *b)
{
    const peak *x = a, *y = b;
    if (x->r != y->r) return x->r > y->r ? -1 : 1;
    return fabs(x->offset) < fabs(y->offset) ? -1 : 1;
}

/// Keeps the PEAKS highest.
static void keep_peak(peak *out, int *n, const peak *p)
{
    if (*n < PEAKS) {
        out[(*n)++] = *p;
        return;
    }
    qsort(out, PEAKS, sizeof *out, by_height);
    if (p->r > out[PEAKS - 1].r) out[PEAKS - 1] = *p;
}

/// Peaks of the coarse correlation, the highest first: maxima from which it falls by DIP on both sides, or which are at
/// an edge. @return their number
static int find_peaks(const grid *g, peak *out, double *lowest)
{
    long long first, last, samples;
    int n = 0;
    bool climbs = true;
    peak top = {.r = NAN};
    double low = NAN; // minimum since the last peak
    find_lags(g, &first, &last);
    *lowest = NAN;
    for (long long lag = first; lag <= last; lag++) {
        const double r = correlate(g, lag, &samples);
        if (isnan(r)) continue;
        if (!(r >= *lowest)) *lowest = r;
        if (!(r >= low)) low = r;
        if (!climbs && r > low + DIP) {
            climbs = true;
            top = (peak){.r = NAN};
        }
        if (climbs && !(r <= top.r)) top = (peak){.offset = offset_of(g, (double)lag), .r = r, .lag = lag};
        if (climbs && r < top.r - DIP) {
            keep_peak(out, &n, &top);
            climbs = false;
            low = r;
        }
    }
    if (climbs && !isnan(top.r)) keep_peak(out, &n, &top);
    qsort(out, (size_t)n, sizeof *out, by_height);
    return n;
}

/// Climbs to the maximum on the fine grid near the coarse peak; a parabola through three samples gives the position
/// between them.
static peak refine(const grid *g, const peak *coarse, long long reach)
{
    const long long middle = llround((coarse->offset - offset_of(g, 0.0)) / g->step);
    long long first, last, best = middle, samples;
    double most = NAN;
    find_lags(g, &first, &last);
    for (long long lag = middle - reach; lag <= middle + reach; lag++) {
        if (lag < first || lag > last) continue;
        const double r = correlate(g, lag, &samples);
        if (isnan(r) || (!isnan(most) && !(r > most))) continue;
        most = r;
        best = lag;
    }
    peak p = {.offset = offset_of(g, (double)best), .r = most, .lag = best};
    const double here = correlate(g, best, &p.samples);
    const double before = correlate(g, best - 1, &samples), after = correlate(g, best + 1, &samples);
    const double bend = 2.0 * here - before - after;
    if (!(bend > 0.0)) return p; // at an edge, or flat
    const double shift = ff_max(-0.5, ff_min(0.5, 0.5 * (after - before) / bend));
    p.offset = offset_of(g, (double)best + shift);
    p.r = ff_min(1.0, here + 0.25 * (after - before) * shift);
    p.curvature = bend / (g->step * g->step);
    return p;
}

/// White noise that leaves a correlation r shifts the peak by sqrt((1 - r^2) / (n r c)) with the curvature c:
/// the slope of r at the true offset has the variance c (1 - r^2) / (n r), and is divided by c.
static double error_of(const peak *p, double independent)
{
    if (!(p->curvature > 0.0) || !(p->r > 0.0) || p->samples == 0) return NAN;
    return sqrt((1.0 - p->r * p->r) / (independent * (double)p->samples * p->r * p->curvature));
}

static bool is_alike(const peak *best, const peak *other)
{
    return 1.0 - other->r < ff_max(ALIKE * (1.0 - best->r), NO_MISFIT);
}

/// Prior offset: zero, or if the times of both do not overlap (one counts from 1970, say) the difference of their
/// beginnings.
static double likeliest(const grid *g)
{
    long long first, last;
    find_lags(g, &first, &last);
    return offset_of(g, (double)first) <= 0.0 && offset_of(g, (double)last) >= 0.0 ? 0.0 : offset_of(g, 0.0);
}

/// Chooses, of peaks that fit equally well, the one nearest to out->near; `second` is the highest of the rest.
static void choose_peak(const peak *peaks, int n, double independent, ff_alignment *out)
{
    int chosen = 0, alike = 1;
    for (int i = 1; i < n; i++) {
        if (!is_alike(&peaks[0], &peaks[i])) continue;
        alike++;
        if (fabs(peaks[i].offset - out->near) < fabs(peaks[chosen].offset - out->near)) chosen = i;
    }
    out->second = out->period = NAN;
    for (int i = 0; i < n; i++) {
        if (i == chosen) continue;
        if (isnan(out->second) || peaks[i].r > out->second) out->second = peaks[i].r;
        const double apart = fabs(peaks[i].offset - peaks[chosen].offset);
        if (is_alike(&peaks[0], &peaks[i]) && !(apart >= out->period)) out->period = apart;
    }
    out->clear = alike == 1 && peaks[chosen].r >= LEAST;
    out->offset = peaks[chosen].offset;
    out->correlation = peaks[chosen].r;
    out->error = error_of(&peaks[chosen], independent);
}

static double mean_spacing(const ff_series *s, int count)
{
    double first, last;
    long long most = 0;
    find_span(s, count, &first, &last);
    for (int i = 0; i < count; i++) most = s[i].count > most ? s[i].count : most;
    return most > 1 ? (last - first) / (double)(most - 1) : 0.0;
}

static ff_status align(const grid *fine, const grid *coarse, int times, ff_alignment *out, ff_error *err)
{
    peak peaks[PEAKS];
    long long samples;
    int n = find_peaks(coarse, peaks, &out->most_negative);
    if (n == 0)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "no signal changes where both have samples: the recordings cannot be aligned");
    // peaks that cannot become the best are dropped: the coarse grid lowers them only a little
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (peaks[i].r > peaks[0].r - 0.2 || i < 2) peaks[kept++] = refine(fine, &peaks[i], times);
    qsort(peaks, (size_t)kept, sizeof *peaks, by_height);
    out->near = likeliest(fine);
    choose_peak(peaks, kept, fine->independent, out);
    const long long lag = llround((out->offset - offset_of(fine, 0.0)) / fine->step);
    for (int p = 0; out->each && p < fine->pairs; p++) out->each[p] = correlate_pair(fine, p, lag, &samples);
    return FF_OK;
}

ff_status ff_align(const ff_series *leader, const ff_series *other, int count, int used, double step, ff_alignment *out,
                   ff_error *err)
{
    const ff_series *sets[2] = {leader, other};
    double *each = out->each;
    grid fine = {0}, coarse = {0};
    *out = (ff_alignment){.each = each, .step = step > 0.0 ? step : mean_spacing(leader, count)};
    if (used < 1 || used > count || !(out->step > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "nothing to align: no channel is mapped, or it has a single sample");
    ff_status status = make_fine(&fine, sets, count, used, out->step, err);
    // The work is the product of both counts: a limit for the longer one alone would blur a short run in a log of
    // hours.
    const int times = (int)ceil(sqrt((double)fine.count[0] * (double)fine.count[1]) / COARSE_MOST);
    if (status == FF_OK && !make_coarse(&coarse, &fine, times))
        status = ff_error_set(err, FF_NO_MEMORY, "out of memory");
    if (status == FF_OK) status = align(&fine, &coarse, times, out, err);
    clear_grid(&fine);
    clear_grid(&coarse);
    return status;
}

// ------------------------------------------------------------------------------------------ a run and a recording

/// Signals of both in pairs, in the memory of an arena.
typedef struct pairing {
    ff_series *leader, *other;
    int *of;         // index of the mapped column
    int count, used; // those that decide come first
} pairing;

/// One column of the rows in memory.
static double *take_column(const ff_recorder *rec, int column, ff_arena *arena)
{
    const long long n = ff_recorder_rows(rec);
    double *out = FF_ARENA_NEW(arena, double, n + 1);
    for (long long i = 0; out && i < n; i++) out[i] = ff_recorder_row(rec, i)[column];
    return out;
}

static bool pair_up(pairing *p, const ff_recorder *rec, const ff_sheet *sheet, const ff_map *map, ff_arena *arena)
{
    double *times = FF_ARENA_NEW(arena, double, sheet->nrow + 1), *t = take_column(rec, 0, arena);
    p->leader = FF_ARENA_NEW(arena, ff_series, map->count + 1);
    p->other = FF_ARENA_NEW(arena, ff_series, map->count + 1);
    p->of = FF_ARENA_NEW(arena, int, map->count + 1);
    if (!times || !t || !p->leader || !p->other || !p->of) return false;
    ff_map_times(map, sheet, times);
    for (int i = 0; i < map->count; i++) {
        const ff_mapped *m = &map->columns[i];
        double *own = take_column(rec, ff_recorder_find(rec, m->channel, NULL) + m->index, arena);
        double *value = FF_ARENA_NEW(arena, double, sheet->nrow + 1);
        if (!own || !value) return false;
        for (long long k = 0; k < sheet->nrow; k++)
            value[k] = m->scale * sheet->values[m->column * sheet->nrow + k] + m->offset;
        const bool decides = !map->align || ff_mapped_fits(m, map->align);
        const int at = decides ? p->used++ : p->count;
        p->leader[p->count] = p->leader[at]; // replaced by the next one
        p->other[p->count] = p->other[at];
        p->of[p->count++] = p->of[at];
        p->leader[at] = (ff_series){t, own, ff_recorder_rows(rec)};
        p->other[at] = (ff_series){times, value, sheet->nrow};
        p->of[at] = i;
    }
    return true;
}

ff_status ff_twin_align(const ff_run *leader, const ff_sheet *sheet, const ff_map *map, ff_alignment *out,
                        ff_error *err)
{
    const ff_recorder *rec = ff_run_recorder(leader);
    ff_arena arena = {0};
    pairing p = {0};
    double *each = out->each, *found = FF_ARENA_NEW(&arena, double, map->count + 1);
    ff_status status = FF_OK;
    if (!rec || ff_recorder_rows(rec) < 2 || !ff_recorder_row(rec, 0))
        status = ff_error_set(err, FF_BAD_ARGUMENT, "the rows of the leader are not in memory: record it in memory");
    else if (!found || !pair_up(&p, rec, sheet, map, &arena))
        status = ff_error_set(err, FF_NO_MEMORY, "out of memory");
    out->each = found;
    if (status == FF_OK) status = ff_align(p.leader, p.other, p.count, p.used, 0.0, out, err);
    for (int i = 0; each && i < map->count; i++) each[i] = NAN;
    for (int i = 0; each && status == FF_OK && i < p.count; i++) each[p.of[i]] = found[i];
    out->each = each;
    ff_arena_clear(&arena);
    return status;
}
