// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The key `expect`: what metrics should come out as, and the list of verdicts.
#include "scene/running.h"

#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool ff_scene_check_metric(const ff_scene_reader *r, const ff_yaml *node, const char *name)
{
    ff_measures *measures = r->measures;
    if (ff_measures_know(measures, name)) return true;
    const bool room = r->report->errors + r->report->warnings < FF_REPORT_MAX; // else nobody reads the hint
    const char *near = room ? ff_measures_hint(measures, name) : NULL;
    ff_report_add(
        r->report, FF_ERROR, node->place,
        "no metric '%.60s'%s%s%s; known are time, energy.drift, momentum.linear.drift, com.z, joints.NAME.final, "
        "contacts.force.max, bodies.NAME.z.final and others listed in docs/scenes.md",
        name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return false;
}

/// Numbers with units must have that of the metric. Those of sensors and of signals of controllers are known to nobody
/// here.
static void check_units(const ff_scene_reader *r, ff_yaml *node, const char *metric)
{
    static const char *const keys[] = {"is", "within", "at_least", "at_most"};
    static const char *const open[] = {"sensors.", "control."};
    const char *unit = ff_measures_unit(metric);
    char either[32]; // "rad, m" -> "rad|m"
    if (!unit) return;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (strncmp(metric, open[i], strlen(open[i])) == 0) return;
    snprintf(either, sizeof either, "%s", unit);
    char *comma = strstr(either, ", ");
    if (comma) {
        *comma = '|';
        memmove(comma + 1, comma + 2, strlen(comma + 2) + 1);
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        ff_yaml *value = ff_yaml_get(node, keys[i]);
        if (value) ff_yaml_in_unit(value, either, r->report);
    }
}

static void read_expectation(const ff_scene_reader *r, ff_yaml *node)
{
    ff_scene_spec *scene = r->scene;
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{metric: .., is: .., within: ..}", r->report)) return;
    ff_yaml *metric = ff_yaml_need(node, "metric", r->report);
    const char *name = metric ? ff_yaml_as_string(metric, r->report) : NULL;
    if (!name || !ff_scene_check_metric(r, metric, name)) return;
    check_units(r, node, name);
    ff_expectation *e = &scene->expectations[scene->nexpectation];
    *e = (ff_expectation){.place = node->place, .at_least = -INFINITY, .at_most = INFINITY, .got = NAN};
    e->place.file = r->file;
    e->metric = ff_arena_strdup(&scene->arena, name);
    e->source = ff_arena_strdup(&scene->arena, ff_yaml_string(node, "source", "", r->report));
    e->has_is = ff_yaml_get(node, "is") != NULL;
    e->is = ff_yaml_number(node, "is", 0.0, r->report);
    e->within = ff_yaml_number(node, "within", 0.0, r->report);
    e->at_least = ff_yaml_number(node, "at_least", -INFINITY, r->report);
    e->at_most = ff_yaml_number(node, "at_most", INFINITY, r->report);
    e->may_miss = 1.0 - ff_yaml_number(node, "rate", 1.0, r->report);
    uint64_t seed = scene->options.seed;
    ff_scene_seed(r, node, &seed);
    e->other_seed = seed != scene->options.seed;
    bool bounded = ff_yaml_get(node, "at_least") || ff_yaml_get(node, "at_most");
    if (e->has_is != (ff_yaml_get(node, "within") != NULL))
        ff_report_add(r->report, FF_ERROR, node->place, "'is' and 'within' go together");
    else if (!e->has_is && !bounded)
        ff_report_add(r->report, FF_ERROR, node->place,
                      "nothing is expected here: give 'is' and 'within', 'at_least' or "
                      "'at_most'");
    if (e->metric && e->source && ff_measures_ask(r->measures, e->metric)) scene->nexpectation++;
}

void ff_scene_read_expectations(ff_scene_reader *r)
{
    ff_yaml *list = ff_yaml_get(r->root, "expect");
    const int n = ff_scene_count(list);
    r->scene->expectations = FF_ARENA_NEW(&r->scene->arena, ff_expectation, n + 1);
    if (n == 0 || !r->scene->expectations || !r->measures) return;
    for (ff_yaml *node = list->child; node; node = node->next) read_expectation(r, node);
}

const ff_verdict *ff_run_verdicts(const ff_run *run, ff_arena *arena, int *count)
{
    ff_verdict *all = FF_ARENA_NEW(arena, ff_verdict, run->result.nexpectation + 1);
    *count = 0;
    for (int i = 0; all && i < run->result.nexpectation; i++) {
        const ff_expectation *e = &run->result.expectations[i];
        if (e->other_seed) continue;
        all[(*count)++] = (ff_verdict){.metric = e->metric,
                                       .has_is = e->has_is,
                                       .is = e->is,
                                       .within = e->within,
                                       .at_least = e->at_least,
                                       .at_most = e->at_most,
                                       .got = e->got,
                                       .met = e->met,
                                       .may_miss = e->may_miss,
                                       .source = e->source};
    }
    return all;
}
