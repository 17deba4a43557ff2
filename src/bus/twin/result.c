// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distance between leader and twin: of each channel from the recorded rows, of the whole motion as in certificates
// (certify/compare.c); as text and as JSON.
#include "text/json_rows.h"
#include "twin/twin.h"

#include <math.h>

static const double PARTED = 0.05; // of the range of a channel

static double value_at(const ff_trace *trace, int row, int column)
{
    return trace->rows[(size_t)row * (size_t)trace->columns + (size_t)column];
}

/// Range of values at times for which the twin has one, too.
static double range_of(const ff_trace *trace, const ff_twin_pair *p, int k)
{
    const int difference = p->difference + (p->kind == FF_TWIN_PLAIN ? k : 0);
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < trace->nrow; i++) {
        const double x = value_at(trace, i, p->leader + k);
        if (!isfinite(x) || isnan(value_at(trace, i, difference))) continue;
        least = ff_min(least, x);
        most = ff_max(most, x);
    }
    return most >= least ? most - least : 0.0;
}

static void add_column(const ff_trace *trace, const ff_twin_pair *p, int k, double limit, ff_twin_channel *out,
                       double *sum)
{
    for (int i = 0; i < trace->nrow; i++) {
        const double d = fabs(value_at(trace, i, p->difference + k));
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

// ------------------------------------------------------------------------------------------ text

static const char *describe_distance(const ff_twin_result *r, ff_arena *arena)
{
    if (r->distance == 0.0) return "Leader and twin are bit-identical.";
    if (!(r->moved > 0.0)) return ff_arena_printf(arena, "Leader and twin lie up to %.3g m apart.", r->distance);
    return ff_arena_printf(arena, "Leader and twin lie up to %.3g mm apart (%.3g %% of the way moved).",
                           1e3 * r->distance, 100.0 * r->distance / r->moved);
}

static const char *describe_alignment(const ff_alignment *a, ff_arena *arena)
{
    if (a->clear)
        return ff_arena_printf(arena,
                               "The recording fits at an offset of %.6f s +- %.2g s, with a correlation of %.3f.",
                               a->offset, a->error, a->correlation);
    if (isfinite(a->period))
        return ff_arena_printf(
            arena,
            "No clear alignment: offsets %.4g s apart fit equally well (correlation %.3f and %.3f); %.6f s "
            "is the nearest to %s. A channel that does not repeat decides it, such as the start "
            "of the motion; or give the offset.",
            a->period, a->correlation, a->second, a->offset, a->near == 0.0 ? "zero" : "that at which both begin");
    return ff_arena_printf(arena,
                           "No clear alignment: the correlation is %.3f at best, at an offset of %.6f s, and %.3f at "
                           "worst: is a column mapped to the wrong channel, or its sign turned?",
                           a->correlation, a->offset, a->most_negative);
}

const char *ff_twin_describe(const ff_twin *twin, ff_arena *arena)
{
    const ff_twin_result *r = &twin->result;
    if (r->alignment) return describe_alignment(r->alignment, arena);
    if (!twin->run) return ff_arena_printf(arena, "The recording was shifted by the given %.6f s.", r->offset);
    const char *lost = isnan(r->lost) ? "" : ff_arena_printf(arena, " The twin was lost at %.4g s.", r->lost);
    return ff_arena_printf(arena, "%s%s%s", describe_distance(r, arena),
                           ff_parting_describe(&r->parting, "the twin", "the leader", arena), lost);
}

const char *ff_far_twin_describe(const ff_far_twin_result *r, ff_arena *arena)
{
    int differ = 0;
    for (int i = 0; i < r->nchannel; i++) differ += r->channels[i].samples > 0 && r->channels[i].most > 0.0;
    const char *lost = "";
    if (isfinite(r->lost))
        lost = ff_arena_printf(arena, " The twin is missing from %.4g s on: %s.", r->lost,
                               r->status == FF_OK ? "it has finished" : r->why);
    if (r->cycles == r->alone) return ff_arena_printf(arena, "There was no cycle with a twin.%s", lost);
    if (differ == 0)
        return ff_arena_printf(arena, "All %d sensors of leader and twin are bit-identical.%s", r->nchannel, lost);
    return ff_arena_printf(arena, "%d of %d sensors of leader and twin differ.%s", differ, r->nchannel, lost);
}

const char *ff_alignment_doubt(double correlation)
{
    if (isnan(correlation) || correlation >= 0.5) return NULL;
    return correlation < -0.5 ? "its sign is inverted" : "is it the right column?";
}

// ------------------------------------------------------------------------------------------ JSON

/// Members of the comparison with a recording.
static void write_recorded(ff_json *json, const void *result)
{
    const ff_twin_result *r = result;
    const ff_alignment *a = r->alignment;
    if (r->map) ff_json_number(json, "offset", r->offset);
    if (!r->map || !a) return;
    ff_json_begin_object(json, "alignment", true);
    ff_json_members(json, &ff_twin_json, "TwinAlignment", a);
    ff_json_begin_array(json, "columns", true);
    for (int i = 0; a->each && i < r->map->count; i++) {
        const ff_mapped *m = &r->map->columns[i];
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "channel", m->channel);
        if (m->name) ff_json_text(json, "column", m->name);
        ff_json_number(json, "correlation", a->each[i]);
        const char *doubt = ff_alignment_doubt(a->each[i]);
        if (doubt) ff_json_text(json, "doubt", doubt);
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
    ff_json_end_object(json);
}

/// Members of the comparison with a second simulation.
static void write_simulated(ff_json *json, const void *result)
{
    const ff_twin_result *r = result;
    if (r->map) return;
    ff_json_integer(json, "late", r->late);
    ff_json_number(json, "moved", r->moved);
    ff_json_number(json, "distance", r->distance);
    ff_parting_to_json(&r->parting, "twin", json);
}

static void write_metrics(ff_json *json, const void *result)
{
    const ff_twin_result *r = result;
    if (r->nmetric > 0) ff_metrics_to_json(r->metrics, r->nmetric, json);
}

#define CHANNEL(...)   FF_JSON_ROW(ff_twin_channel, __VA_ARGS__)
#define ALIGNMENT(...) FF_JSON_ROW(ff_alignment, __VA_ARGS__)
#define TWIN(...)      FF_JSON_ROW(ff_twin_result, __VA_ARGS__)

// One field a line.
// clang-format off
static const ff_json_type TWIN_TYPES[] = {
    {"TwinChannel", "How far a channel of the twin lies from that of the leader.",
     .size = sizeof(ff_twin_channel), FF_JSON_FIELDS(
        CHANNEL(name, "text", ALWAYS, "", "channel of the leader"),
        CHANNEL(unit, "text", ALWAYS, "", "unit of the difference; orientations differ by an angle"),
        CHANNEL(rms, "number|null", ALWAYS, "",
         "root mean square of the difference, over all columns and samples that both have"),
        CHANNEL(most, "number|null", ALWAYS, "", "largest absolute difference"),
        CHANNEL(column, "text", ALWAYS, "", "column with the largest difference"),
        CHANNEL(at, "number|null", ALWAYS, "s", "time of the largest difference"),
        CHANNEL(range, "number|null", ALWAYS, "",
         "greatest less least value of the leader, of the column that moves most; of robots behind wires not known"),
        CHANNEL(parted, "number", OPTIONAL, "s", "first time at which the difference exceeds 5 % of `range`"),
        CHANNEL(samples, "integer", ALWAYS, "", "number of values compared"))},
    {"TwinColumn", "How well a column of a recording fits.", FF_JSON_FIELDS(
        FIELD("channel", "text", ALWAYS, "", "channel of the leader"),
        FIELD("column", "text", OPTIONAL, "", "column of the channel, if it has several"),
        FIELD("correlation", "number|null", ALWAYS, "", "correlation at the offset, -1 to 1"),
        FIELD("doubt", "text", OPTIONAL, "", "possible cause, if it does not fit"))},
    {"TwinAlignment", "How a recording was aligned in time.", FF_JSON_FIELDS(
        ALIGNMENT(clear, "flag", ALWAYS, "", "whether one offset fits clearly better than all others"),
        ALIGNMENT(error, "number|null", ALWAYS, "s", "standard deviation of the offset"),
        ALIGNMENT(correlation, "number", ALWAYS, "", "correlation at the offset, mean of the channels"),
        ALIGNMENT(second, "number|null", ALWAYS, "", "correlation at the next best offset"),
        ALIGNMENT(period, "number", OPTIONAL, "s", "time between offsets that fit equally well"),
        ALIGNMENT(most_negative, "number|null", ALWAYS, "", "lowest correlation at any offset"),
        FIELD("columns", "TwinColumn[]", ALWAYS, "", "columns that are mapped"))},
    {"Twin", "Comparison with a second robot ([twin](twin.md)).", FF_JSON_FIELDS(
        TWIN(text, "text", ALWAYS, "", "result of the comparison in a sentence or two"),
        TWIN(outcome, "text", ALWAYS, "",
         "end of the twin: `finished`, `recorded`, or the reason why it ended early"),
        TWIN(lost, "number", OPTIONAL, "s", "time at which the twin was lost"),
        FIELD("offset", "number", OPTIONAL, "s",
         "clock of the recording minus that of the run", .write = write_recorded),
        FIELD("alignment", "TwinAlignment", OPTIONAL, "", "alignment of a recording whose offset was found"),
        FIELD("late", "integer", OPTIONAL, "",
         "cycles in which the leader had not yet answered", .write = write_simulated),
        FIELD("moved", "number|null", OPTIONAL, "m",
         "distance moved by the degree of freedom that moved most, 1 rad as 0.1 m"),
        FIELD("distance", "number|null", OPTIONAL, "m", "largest distance between the two"),
        FIELD("parting", "Parting", OPTIONAL, "", "where leader and twin separate"),
        FIELD("channels", "TwinChannel[]", ALWAYS, "",
         "channels that both have", FF_JSON_ITEMS(ff_twin_result, channels, nchannel)),
        FIELD("metrics", "Measured{}", OPTIONAL, "", "metrics of the twin, by name", .write = write_metrics))},
};
// clang-format on

const ff_json_subject ff_twin_json = {"twin", "Comparison with a second robot.", FF_JSON_TYPES(TWIN_TYPES)};

char *ff_far_twin_to_json(const ff_far_twin_result *r)
{
    const ff_twin_result both = {.text = r->text,
                                 .outcome = r->status == FF_OK ? "finished" : r->why,
                                 .lost = r->lost,
                                 .moved = NAN,
                                 .distance = NAN,
                                 .channels = r->channels,
                                 .nchannel = r->nchannel};
    return ff_twin_to_json(&both);
}

char *ff_twin_to_json(const ff_twin_result *r)
{
    ff_json json = {0};
    ff_json_begin_object(&json, NULL, false);
    ff_json_members(&json, &ff_twin_json, "Twin", r);
    ff_json_end_object(&json);
    return ff_json_finish(&json);
}
