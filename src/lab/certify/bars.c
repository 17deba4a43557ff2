// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Bars and verdicts. With A the run itself, B the tighter and C the independent one, each with its error e:
//     |e_A| <= |A - B| + |e_B|,   |e_A| <= |A - C| + |e_C|,   |e_B|, |e_C| <= |e_A| / 5, and they differ by |B - C|
//     bar = 1.25 max(|A - B|, |A - C|) + |B - C|
// Why a fifth: a quarter of the step leaves a quarter of an error of first order, a tenth of the accuracy a tenth of an
// error of smooth motion. If B and C have larger errors, |B - C| is large, too.
// Without C the error of B is assumed to be as large as its distance from A: bar = 2 |A - B|.
#include "certify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double ff_bar(double value, double tighter, double independent)
{
    const double rounding = 4.0 * DBL_EPSILON * fabs(value);
    if (isnan(value) || (isnan(tighter) && isnan(independent))) return NAN;
    if (isnan(tighter)) return 2.0 * fabs(value - independent) + rounding;
    if (isnan(independent)) return 2.0 * fabs(value - tighter) + rounding;
    const double largest = ff_max(fabs(value - tighter), fabs(value - independent));
    return largest == 0.0 ? 0.0 : 1.25 * largest + fabs(tighter - independent) + rounding;
}

static double metric_of(const ff_result *result, const char *name)
{
    for (int i = 0; i < result->nmetric; i++)
        if (strcmp(result->metrics[i].name, name) == 0) return result->metrics[i].value;
    return NAN;
}

bool ff_values_take(ff_values *out, const ff_run *original, const ff_run *run, ff_arena *arena)
{
    const ff_result *of = ff_run_result(original), *from = run ? ff_run_result(run) : NULL;
    out->metrics = FF_ARENA_NEW(arena, double, of->nmetric + 1);
    out->expectations = FF_ARENA_NEW(arena, double, of->nexpectation + 1);
    out->met = FF_ARENA_NEW(arena, bool, of->nexpectation + 1);
    if (!out->metrics || !out->expectations || !out->met) return false;
    for (int i = 0; i < of->nmetric; i++) {
        const char *name = of->metrics[i].name;
        const bool in_place = from && i < from->nmetric && strcmp(from->metrics[i].name, name) == 0;
        out->metrics[i] = !from ? NAN : in_place ? from->metrics[i].value : metric_of(from, name);
    }
    for (int i = 0; i < of->nexpectation; i++) {
        out->expectations[i] = from ? from->expectations[i].got : NAN;
        out->met[i] = from && from->expectations[i].met;
    }
    return true;
}

// ------------------------------------------------------------------------------------------ spread

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/// Fills lowest, median and highest value.
/// @param values  of all runs; NaN are left out, the order changes
static void set_spread(ff_certified_number *number, double *values, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++)
        if (!isnan(values[i])) values[n++] = values[i];
    if (n == 0) return;
    qsort(values, (size_t)n, sizeof *values, by_size);
    number->low = values[0];
    number->high = values[n - 1];
    number->median = 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

static ff_certified_number certify_number(const char *metric, double value, double tighter, double independent)
{
    return (ff_certified_number){.metric = metric,
                                 .value = value,
                                 .tighter = tighter,
                                 .independent = independent,
                                 .bar = ff_bar(value, tighter, independent),
                                 .low = NAN,
                                 .median = NAN,
                                 .high = NAN};
}

// ------------------------------------------------------------------------------------------ expectations

/// Distance of the measured value from the nearest bound of an expectation, positive if it is met.
static double margin_of(const ff_expectation *e)
{
    double margin = ff_min(e->got - e->at_least, e->at_most - e->got);
    if (e->has_is) margin = ff_min(margin, e->within - fabs(e->got - e->is));
    return margin;
}

static ff_standing evaluate(const ff_expectation *e, double bar)
{
    if (e->other_seed) return FF_STANDING_OF_OTHER_SEED;
    const bool open = !(fabs(margin_of(e)) >= bar); // also if the bar is not known (NaN)
    if (e->met) return open ? FF_STANDING_MET_OPEN : FF_STANDING_MET;
    return open && !isnan(e->got) ? FF_STANDING_MISSED_OPEN : FF_STANDING_MISSED;
}

const char *ff_standing_name(ff_standing standing)
{
    static const char *const names[] = {"met", "met, undecided", "missed, undecided", "missed", "not for this seed"};
    return names[standing];
}

static bool certify_metrics(ff_certificate *c, const ff_result *of, const ff_values *tighter,
                            const ff_values *independent, const ff_values *spread, int nspread, ff_arena *arena)
{
    double *values = FF_ARENA_NEW(arena, double, nspread + 1);
    ff_certified_number *metrics = FF_ARENA_NEW(arena, ff_certified_number, of->nmetric + 1);
    if (!values || !metrics) return false;
    for (int i = 0; i < of->nmetric; i++) {
        const ff_metric *m = &of->metrics[i];
        metrics[i] = certify_number(m->name, m->value, tighter->metrics[i], independent->metrics[i]);
        values[0] = m->value;
        for (int k = 0; k < nspread; k++) values[1 + k] = spread[k].metrics[i];
        if (nspread > 0) set_spread(&metrics[i], values, nspread + 1);
    }
    c->metrics = metrics;
    c->nmetric = of->nmetric;
    return true;
}

void ff_certify_numbers(ff_certificate *c, const ff_run *original, const ff_values *tighter,
                        const ff_values *independent, const ff_values *spread, int nspread, ff_arena *arena)
{
    const ff_result *of = ff_run_result(original);
    double *values = FF_ARENA_NEW(arena, double, nspread + 1);
    ff_certified_expectation *all = FF_ARENA_NEW(arena, ff_certified_expectation, of->nexpectation + 1);
    if (!values || !all || !certify_metrics(c, of, tighter, independent, spread, nspread, arena)) return;
    for (int i = 0; i < of->nexpectation; i++) {
        const ff_expectation *e = &of->expectations[i];
        ff_certified_expectation *out = &all[i];
        out->number = certify_number(e->metric, e->got, tighter->expectations[i], independent->expectations[i]);
        out->standing = evaluate(e, out->number.bar);
        values[0] = e->got;
        for (int k = 0; k < nspread; k++) values[1 + k] = spread[k].expectations[i];
        if (nspread == 0) continue;
        set_spread(&out->number, values, nspread + 1);
        out->of = nspread + 1;
        out->met = e->met;
        for (int k = 0; k < nspread; k++) out->met += spread[k].met[i];
        if (e->other_seed) continue;
        // In a chaotic motion the verdict is undecided unless all runs agree.
        const bool all_agree = out->met == 0 || out->met == out->of;
        out->standing = e->met      ? all_agree ? FF_STANDING_MET : FF_STANDING_MET_OPEN
                        : all_agree ? FF_STANDING_MISSED
                                    : FF_STANDING_MISSED_OPEN;
    }
    c->expectations = all;
    c->nexpectation = of->nexpectation;
}
