// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "batch.h"

#include "commands.h"

#include <math.h>

static double robot_steps(const ff_batch_outcome *outcome, const batch_pace *pace)
{
    return round(outcome->lived / pace->step);
}

// ------------------------------------------------------------------------------------------ for people

static void print_end(const char *name, const ff_batch_outcome *outcome, ff_batch_end end)
{
    const int count = outcome->ended[end];
    printf("%-22s %11d  %5.1f %%", name, count, 100.0 * count / outcome->robots);
    if (end == FF_BATCH_FELL && count > 0)
        printf(", after %.3g to %.3g s, half of them by %.3g s: %.3g falls a minute of a robot", outcome->falls.least,
               outcome->falls.most, outcome->falls.median, 60.0 * outcome->fall_rate);
    printf("\n");
}

static void print_quantiles(const char *name, const ff_batch_quantiles *q)
{
    printf("%-22s %11.4g %11.4g %11.4g %11.4g %11.4g %11.4g\n", name, q->least, q->low, q->median, q->high, q->most,
           q->mean);
}

static void print_column(const ff_batch_column *column, const ff_batch_quantiles *q)
{
    char name[64];
    snprintf(name, sizeof name, "%s [%s]", column->name, column->unit);
    print_quantiles(name, q);
}

/// Code that makes the steps on a processor.
static void print_lanes(const ff_batch *batch)
{
    const ff_batch_options *o = ff_batch_get_options(batch);
    const char *reason = ff_batch_kernel_reason(batch);
    const int lanes = ff_batch_lanes(batch);
    if (lanes == 1)
        printf("of the processor, 1 robot at a time");
    else
        printf("of the processor, %d robots side by side", lanes);
    if (reason)
        printf(", without code for the model%s: %s\n", o->fast ? " and fused operations" : "", reason);
    else if (o->specialise)
        printf(", compiled for the model by %s%s\n", ff_batch_kernel_compiler(batch),
               o->fast ? ", with fused operations" : "");
    else
        printf("\n");
}

/// Prints which code makes the steps. A device without code for the model is slower, which the table must show.
static void print_kernel(const ff_batch *batch)
{
    const ff_batch_options *o = ff_batch_get_options(batch);
    const char *reason = ff_batch_kernel_reason(batch);
    printf("%-22s %11s  ", "kernel", ff_batch_kernel_name(batch));
    if (!o->device)
        print_lanes(batch);
    else if (reason)
        printf("of the device, slower than one compiled for the model: %s\n", reason);
    else
        printf("of the device, compiled for the model%s\n", o->single ? ", in single precision"
                                                            : o->fast ? ", with fused operations"
                                                                      : "");
}

void print_batch_table(const ff_batch *batch, const ff_batch_outcome *outcome, const batch_observed *observed,
                       const batch_pace *pace)
{
    const ff_batch_options *o = ff_batch_get_options(batch);
    const double steps = robot_steps(outcome, pace);
    const int lanes = ff_batch_lanes(batch);
    const bool falls = o->least_height > 0.0 || o->most_tilt > 0.0; // otherwise falls are not detected
    printf("%d robot%s, %.9g s in %lld step%s of %g s, ", outcome->robots, outcome->robots == 1 ? "" : "s",
           (double)pace->done * pace->step, pace->done, pace->done == 1 ? "" : "s", pace->step);
    if (o->device)
        printf("on a device\n%-22s %11.0f: %.0f a second\n", "robot-steps", steps, steps / pace->elapsed);
    else
        printf("%d lane%s\n%-22s %11.0f: %.0f a second, %.0f a second of one processor\n", lanes, lanes == 1 ? "" : "s",
               "robot-steps", steps, steps / pace->elapsed, steps / pace->processor_time);
    print_kernel(batch);
    print_end(falls ? "upright at the end" : "not ended", outcome, FF_BATCH_LIVES);
    print_end("fell", outcome, FF_BATCH_FELL);
    print_end("diverged", outcome, FF_BATCH_DIVERGED);
    if (o->end) print_end("ended by --end", outcome, FF_BATCH_FINISHED);
    printf("%-22s %11s %11s %11s %11s %11s %11s\n", "", "least", "5 %", "median", "95 %", "most", "mean");
    for (int i = 0; i < outcome->ncolumn; i++) print_column(&outcome->columns[i], &outcome->quantiles[i]);
    for (int i = 0; i < observed->formulas->count; i++)
        print_quantiles(observed->formulas->items[i], &observed->quantiles[i]);
}

// ------------------------------------------------------------------------------------------ for programs

/// @param unit  NULL: none is known
static void write_quantiles(ff_json *json, const char *key, const char *unit, const ff_batch_quantiles *q)
{
    ff_json_begin_object(json, key, true);
    if (unit) ff_json_text(json, "unit", unit);
    ff_json_number(json, "least", q->least);
    ff_json_number(json, "low", q->low);
    ff_json_number(json, "median", q->median);
    ff_json_number(json, "high", q->high);
    ff_json_number(json, "most", q->most);
    ff_json_number(json, "mean", q->mean);
    ff_json_number(json, "deviation", q->deviation);
    ff_json_end_object(json);
}

/// A distribution with its numbers; a uniform one is its two ends.
static void write_distribution(ff_json *json, const char *name, const ff_batch_spread *s)
{
    const bool bounded = s->kind != FF_BATCH_NORMAL || s->low != 0.0 || s->high != 0.0;
    if (s->kind == FF_BATCH_UNIFORM) {
        ff_json_numbers(json, name, (const double[]){s->low, s->high}, 2);
        return;
    }
    ff_json_begin_object(json, name, true);
    ff_json_text(json, "kind", ff_batch_distribution_name(s->kind));
    if (s->kind == FF_BATCH_CHOICE) {
        ff_json_numbers(json, "values", s->values, s->nvalue);
    } else {
        if (s->kind == FF_BATCH_NORMAL) ff_json_number(json, "mean", s->mean);
        if (s->kind == FF_BATCH_NORMAL) ff_json_number(json, "deviation", s->deviation);
        if (bounded) ff_json_number(json, "low", s->low);
        if (bounded) ff_json_number(json, "high", s->high);
    }
    ff_json_end_object(json);
}

static void write_drawn(ff_json *json, const ff_batch *batch)
{
    const ff_batch_options *o = ff_batch_get_options(batch);
    ff_json_begin_object(json, "spread", true);
    for (int i = 0; i < o->nspread; i++) write_distribution(json, ff_batch_spread_name(batch, i), &o->spreads[i]);
    ff_json_end_object(json);
}

int print_batch_json(const ff_batch *batch, const ff_batch_outcome *outcome, const batch_observed *observed,
                     const batch_pace *pace)
{
    const ff_batch_options *o = ff_batch_get_options(batch);
    ff_json json = {0};
    ff_json_begin_object(&json, NULL, false);
    ff_json_integer(&json, "robots", outcome->robots);
    ff_json_integer(&json, "seed", (long long)o->seed);
    write_drawn(&json, batch);
    ff_json_number(&json, "step", pace->step);
    ff_json_integer(&json, "steps", pace->done);
    ff_json_bool(&json, "finished", pace->done == pace->requested);
    ff_json_bool(&json, "device", o->device);
    ff_json_integer(&json, "lanes", o->device ? 0 : ff_batch_lanes(batch));
    ff_json_text(&json, "kernel", ff_batch_kernel_name(batch));
    ff_json_text(&json, "kernel_reason", ff_batch_kernel_reason(batch));
    ff_json_text(&json, "kernel_compiler", ff_batch_kernel_compiler(batch));
    ff_json_number(&json, "robot_steps", robot_steps(outcome, pace));
    ff_json_number(&json, "wall", pace->elapsed);
    ff_json_number(&json, "busy", pace->processor_time);
    ff_json_integer(&json, "upright", outcome->ended[FF_BATCH_LIVES]);
    ff_json_integer(&json, "fell", outcome->ended[FF_BATCH_FELL]);
    ff_json_integer(&json, "diverged", outcome->ended[FF_BATCH_DIVERGED]);
    ff_json_integer(&json, "ended", outcome->ended[FF_BATCH_FINISHED]);
    ff_json_number(&json, "fall_rate", outcome->fall_rate);
    write_quantiles(&json, "falls", "s", &outcome->falls);
    ff_json_begin_object(&json, "columns", false);
    for (int i = 0; i < outcome->ncolumn; i++)
        write_quantiles(&json, outcome->columns[i].name, outcome->columns[i].unit, &outcome->quantiles[i]);
    ff_json_end_object(&json);
    ff_json_begin_object(&json, "observed", false);
    for (int i = 0; i < observed->formulas->count; i++)
        write_quantiles(&json, observed->formulas->items[i], NULL, &observed->quantiles[i]);
    ff_json_end_object(&json);
    ff_json_end_object(&json);
    return print_json_text(&json);
}
