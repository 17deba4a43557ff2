// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distance between leader and twin: of each channel from the recorded rows, of the whole motion as in certificates
// (certify/compare.c).
#include "twin/twin.h"

#include <math.h>

static const double PARTED = 0.05; // of the range of a channel

/// One column of a channel over all rows of the leader.
typedef struct column {
    const double *values; // of the first row
    int stride, rows;
} column;

static column column_of(const ff_trace *trace, int number)
{
    return (column){trace->rows + number, trace->columns, trace->nrow};
}

static double value_of(const column *c, int row)
{
    return c->values[(size_t)row * (size_t)c->stride];
}

/// Range of values at times for which the twin has one, too.
static double range_of(const ff_trace *trace, const ff_twin_pair *p, int k)
{
    const column leader = column_of(trace, p->leader + k);
    const column apart = column_of(trace, p->difference + (p->kind == FF_TWIN_PLAIN ? k : 0));
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < leader.rows; i++) {
        const double x = value_of(&leader, i);
        if (!isfinite(x) || isnan(value_of(&apart, i))) continue;
        least = ff_min(least, x);
        most = ff_max(most, x);
    }
    return most >= least ? most - least : 0.0;
}

static void add_column(const ff_trace *trace, const ff_twin_pair *p, int k, double limit, ff_twin_channel *out,
                       double *sum)
{
    const column apart = column_of(trace, p->difference + k);
    for (int i = 0; i < apart.rows; i++) {
        const double d = fabs(value_of(&apart, i));
        if (!isfinite(d)) continue;
        out->samples++;
        *sum += d * d;
        if (d > limit && !(trace->t[i] >= out->parted)) out->parted = trace->t[i];
        if (out->samples > 1 && !(d > out->most)) continue;
        out->most = d;
        out->at = trace->t[i];
        out->column = p->columns ? p->columns[k] : "";
    }
}

static ff_twin_channel compare_channel(const ff_trace *trace, const ff_twin_pair *p)
{
    ff_twin_channel out = {.name = p->name, .unit = p->unit, .column = "", .at = NAN, .parted = NAN};
    double sum = 0.0;
    for (int k = 0; k < p->own_width; k++) out.range = ff_max(out.range, range_of(trace, p, k));
    for (int k = 0; k < p->width; k++) add_column(trace, p, k, PARTED * out.range, &out, &sum);
    out.rms = out.samples > 0 ? sqrt(sum / (double)out.samples) : NAN;
    if (out.samples == 0) out.most = NAN;
    return out;
}

static void compare_motion(ff_twin *twin)
{
    ff_twin_result *r = &twin->result;
    const ff_distance apart = ff_trace_distance(&twin->trace, &twin->own, &twin->arena);
    r->moved = ff_trace_moved(&twin->trace, &twin->arena);
    r->distance = apart.most;
    r->parting = ff_trace_part(&twin->trace, &twin->own, &apart, r->moved, &twin->arena);
}

static const char *outcome_of(const ff_twin *twin)
{
    if (!twin->run) return "recorded";
    if (twin->status == FF_OK) return "finished";
    return twin->err.text[0] ? twin->err.text : ff_status_text(twin->status);
}

bool ff_twin_compare(ff_twin *twin)
{
    ff_twin_result *r = &twin->result;
    ff_twin_channel *channels = FF_ARENA_NEW(&twin->arena, ff_twin_channel, twin->npair + 1);
    if (!channels) return false;
    *r = (ff_twin_result){.outcome = outcome_of(twin),
                          .lost = twin->lost,
                          .late = twin->late,
                          .moved = NAN,
                          .distance = NAN,
                          .channels = channels,
                          .nchannel = twin->npair,
                          .alignment = twin->alignment,
                          .map = twin->map,
                          .offset = twin->offset};
    for (int i = 0; i < twin->npair; i++) channels[i] = compare_channel(&twin->trace, &twin->pairs[i]);
    if (twin->run) {
        compare_motion(twin);
        r->metrics = ff_run_result(twin->run)->metrics;
        r->nmetric = ff_run_result(twin->run)->nmetric;
    }
    r->text = ff_twin_describe(twin, &twin->arena);
    return r->text && !twin->arena.failed && !twin->trace.lacks_memory && !twin->own.lacks_memory;
}
