// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Expectations of a scene as a table and as JSON, and the metrics it reports.
#include "run_report.h"

#include "terminal.h"

#include <math.h>
#include <string.h>

int describe_expectation(const ff_expectation *e, char *out, size_t size)
{
    if (e->has_is) return snprintf(out, size, "%.9g +- %.2g", e->is, e->within);
    if (isfinite(e->at_least) && isfinite(e->at_most))
        return snprintf(out, size, "%.6g .. %.6g", e->at_least, e->at_most);
    if (isfinite(e->at_least)) return snprintf(out, size, ">= %.6g", e->at_least);
    return snprintf(out, size, "<= %.6g", e->at_most);
}

static const char *verdict(const ff_expectation *e)
{
    if (e->other_seed) return "not for this seed";
    return e->met ? "met" : e->may_miss > 0.0 ? "missed" : "MISSED";
}

/// Describes how often the expectation may be missed, which a single run cannot show; "" if never.
static const char *allowance(const ff_expectation *e, char *out, size_t size)
{
    out[0] = '\0';
    if (e->may_miss > 0.0 && !e->other_seed)
        snprintf(out, size, "(may be missed in %.3g %% of runs) ", 100.0 * e->may_miss);
    return out;
}

void print_expectations(const ff_result *result, bool ended)
{
    char wanted[80], allowed[60];
    int metric = 12, expected = 8;
    if (result->nexpectation == 0) return;
    for (int i = 0; i < result->nexpectation; i++) {
        metric = wider(metric, (int)strlen(result->expectations[i].metric));
        expected = wider(expected, describe_expectation(&result->expectations[i], wanted, sizeof wanted));
    }
    printf("  %-*s  %-*s  %-14s  %-7s  %s\n", metric, "metric", expected, "expected", "got",
           ended ? "verdict" : "so far", "source");
    for (int i = 0; i < result->nexpectation; i++) {
        const ff_expectation *e = &result->expectations[i];
        describe_expectation(e, wanted, sizeof wanted);
        const style look = e->met || e->other_seed ? STYLE_GOOD : e->may_miss > 0.0 ? STYLE_WARN : STYLE_BAD;
        printf("  %-*s  %-*s  %-14.9g  %s%-7s%s  %s%s\n", metric, e->metric, expected, wanted, e->got,
               paint(stdout, look), verdict(e), paint(stdout, STYLE_PLAIN), allowance(e, allowed, sizeof allowed),
               e->source);
    }
}

void print_reported(const ff_run *run)
{
    const ff_scene_spec *scene = ff_run_scene(run);
    int width = 12;
    for (int i = 0; i < scene->nreported; i++) width = wider(width, (int)strlen(scene->reported[i].metric));
    if (scene->nreported > 0) printf("  %-*s  %s\n", width, "metric", "got");
    for (int i = 0; i < scene->nreported; i++) {
        double value;
        if (ff_run_metric(run, scene->reported[i].metric, &value))
            printf("  %-*s  %.9g\n", width, scene->reported[i].metric, value);
    }
}

void write_expectations(const ff_result *result, ff_json *json)
{
    ff_json_begin_array(json, "expectations", false);
    for (int i = 0; i < result->nexpectation; i++) {
        const ff_expectation *e = &result->expectations[i];
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "metric", e->metric);
        if (e->has_is) ff_json_number(json, "is", e->is);
        if (e->has_is) ff_json_number(json, "within", e->within);
        if (isfinite(e->at_least)) ff_json_number(json, "at_least", e->at_least);
        if (isfinite(e->at_most)) ff_json_number(json, "at_most", e->at_most);
        ff_json_number(json, "got", e->got);
        ff_json_bool(json, "met", e->met);
        if (e->may_miss > 0.0) ff_json_number(json, "rate", 1.0 - e->may_miss);
        if (e->other_seed) ff_json_bool(json, "other_seed", true);
        ff_json_text(json, "source", e->source);
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
}
