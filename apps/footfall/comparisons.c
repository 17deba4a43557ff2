// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of the runs of an experiment: the metrics kept of each run, the verdict over all pairs, as a table and as
// JSON.
#include "experiments.h"

#include "run_report.h"
#include "terminal.h"

#include <math.h>
#include <string.h>

run_values *comparisons_add_run(const ff_run *run, bool finished, run_values *list, ff_arena *arena)
{
    const ff_scene_spec *scene = ff_run_scene(run);
    run_values *added = FF_ARENA_NEW(arena, run_values, 1);
    double *values = FF_ARENA_NEW(arena, double, scene->ncomparison + 1);
    if (!added || !values) return list;
    for (int i = 0; i < scene->ncomparison; i++) {
        values[i] = NAN;
        if (finished) ff_run_metric(run, scene->comparisons[i].ratio.metric, &values[i]);
    }
    *added = (run_values){.variant = ff_arena_strdup(arena, scene->variant ? scene->variant : ""),
                          .seed = scene->options.seed,
                          .values = values,
                          .next = list};
    return added->variant ? added : list;
}

static bool is_pair(const ff_comparison *c, const run_values *of, const run_values *to)
{
    return of != to && (of->seed == to->seed || of->any_seed || to->any_seed) &&
           ff_comparison_pairs(c, of->variant, to->variant);
}

/// A copy that outlives the scene.
static ff_comparison copy_comparison(const ff_comparison *c, ff_arena *arena)
{
    ff_comparison copy = *c;
    copy.of = ff_arena_strdup(arena, c->of);
    copy.to = ff_arena_strdup(arena, c->to);
    copy.ratio.metric = ff_arena_strdup(arena, c->ratio.metric);
    copy.ratio.source = ff_arena_strdup(arena, c->ratio.source);
    return copy;
}

comparison_result *compare_runs(const ff_comparison *c, int index, const run_values *runs, ff_arena *arena)
{
    comparison_result *out = FF_ARENA_NEW(arena, comparison_result, 1);
    if (!out) return NULL;
    *out = (comparison_result){.comparison = copy_comparison(c, arena), .least = NAN, .most = NAN};
    for (const run_values *of = runs; of; of = of->next)
        for (const run_values *to = runs; to; to = to->next) {
            if (!is_pair(c, of, to)) continue;
            const double ratio = of->values[index] / to->values[index];
            out->pairs++;
            out->met += ratio >= c->ratio.at_least && ratio <= c->ratio.at_most;
            out->least = ff_min(out->least, ratio);
            out->most = ff_max(out->most, ratio);
        }
    out->wanted = ff_expectation_wanted(c->ratio.may_miss, out->pairs);
    return arena->failed ? NULL : out;
}

bool comparison_holds(const comparison_result *c)
{
    return c->pairs > 0 && c->met >= c->wanted;
}

/// "force / level-2"
static int describe_pair(const comparison_result *c, char *out, size_t size)
{
    static const char itself[] = "the scene";
    return snprintf(out, size, "%s / %s", c->comparison.of[0] ? c->comparison.of : itself,
                    c->comparison.to[0] ? c->comparison.to : itself);
}

static int describe_ratio(const comparison_result *c, char *out, size_t size)
{
    if (isnan(c->least)) return snprintf(out, size, "no value"); // no pair has values of both runs
    if (c->pairs < 2) return snprintf(out, size, "%.6g", c->least);
    return snprintf(out, size, "%.4g .. %.4g", c->least, c->most);
}

static int describe_verdict(const comparison_result *c, char *out, size_t size)
{
    const char *word = comparison_holds(c) ? "met" : "MISSED";
    if (c->pairs < 2) return snprintf(out, size, "%s", word);
    return snprintf(out, size, "%s in %d of %d, wanted %d", word, c->met, c->pairs, c->wanted);
}

void print_comparisons(const comparison_result *list)
{
    char pair[160], wanted[80], got[60], verdict[80];
    int widths[5] = {6, 9, 8, 3, 7};
    for (const comparison_result *c = list; c; c = c->next) {
        widths[0] = wider(widths[0], (int)strlen(c->comparison.ratio.metric));
        widths[1] = wider(widths[1], describe_pair(c, pair, sizeof pair));
        widths[2] = wider(widths[2], describe_expectation(&c->comparison.ratio, wanted, sizeof wanted));
        widths[3] = wider(widths[3], describe_ratio(c, got, sizeof got));
        widths[4] = wider(widths[4], describe_verdict(c, verdict, sizeof verdict));
    }
    printf("  %-*s  %-*s  %-*s  %-*s  %-*s  %s\n", widths[0], "metric", widths[1], "ratio", widths[2], "expected",
           widths[3], "got", widths[4], "verdict", "source");
    for (const comparison_result *c = list; c; c = c->next) {
        describe_pair(c, pair, sizeof pair);
        describe_expectation(&c->comparison.ratio, wanted, sizeof wanted);
        describe_ratio(c, got, sizeof got);
        describe_verdict(c, verdict, sizeof verdict);
        printf("  %-*s  %-*s  %-*s  %-*s  %s%-*s%s  %s\n", widths[0], c->comparison.ratio.metric, widths[1], pair,
               widths[2], wanted, widths[3], got, paint(stdout, comparison_holds(c) ? STYLE_GOOD : STYLE_BAD),
               widths[4], verdict, paint(stdout, STYLE_PLAIN), c->comparison.ratio.source);
    }
}

char *describe_comparison(const comparison_result *c, ff_arena *arena)
{
    char pair[160], wanted[80], got[60], verdict[80];
    if (comparison_holds(c) && c->pairs < 2) return NULL;
    describe_pair(c, pair, sizeof pair);
    describe_expectation(&c->comparison.ratio, wanted, sizeof wanted);
    describe_ratio(c, got, sizeof got);
    describe_verdict(c, verdict, sizeof verdict);
    if (isnan(c->least))
        return ff_arena_printf(arena, "    %s of %s: no two runs had values to compare, expected %s: %s\n",
                               c->comparison.ratio.metric, pair, wanted, verdict);
    return ff_arena_printf(arena, "    %s of %s is %s, expected %s: %s\n", c->comparison.ratio.metric, pair, got,
                           wanted, verdict);
}

void write_comparisons(const comparison_result *list, ff_json *json)
{
    ff_json_begin_array(json, "comparisons", false);
    for (const comparison_result *c = list; c; c = c->next) {
        const ff_expectation *e = &c->comparison.ratio;
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "name", c->experiment);
        ff_json_text(json, "metric", e->metric);
        ff_json_text(json, "of", c->comparison.of);
        ff_json_text(json, "to", c->comparison.to);
        if (isfinite(e->at_least)) ff_json_number(json, "at_least", e->at_least);
        if (isfinite(e->at_most)) ff_json_number(json, "at_most", e->at_most);
        ff_json_number(json, "least", c->least);
        ff_json_number(json, "most", c->most);
        ff_json_integer(json, "pairs", c->pairs);
        ff_json_integer(json, "met", c->met);
        ff_json_integer(json, "wanted", c->wanted);
        ff_json_text(json, "source", e->source);
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
}
