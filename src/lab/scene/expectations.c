// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The key `expect`: expected values of metrics, and the list of verdicts. The key `compare`: comparisons of several
// runs of one scene, which `footfall experiments run` makes and evaluates.
#include "scene/running.h"

#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool ff_scene_check_metric(const ff_scene_reader *r, const ff_yaml *node, const char *name)
{
    ff_measures *measures = r->measures;
    if (ff_measures_know(measures, name)) return true;
    const bool room = r->report->errors + r->report->warnings < FF_REPORT_MAX; // else the message is not listed
    const char *near = room ? ff_measures_hint(measures, name) : NULL;
    ff_report_add(
        r->report, FF_ERROR, node->place,
        "no metric '%.60s'%s%s%s; known are time, energy.drift, momentum.linear.drift, com.z, joints.NAME.final, "
        "contacts.force.max, bodies.NAME.z.final and others listed in docs/scenes.md",
        name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return false;
}

/// Checks the units of numbers against that of the metric. Units of sensors and signals of controllers are unknown
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

// ------------------------------------------------------------------------------------------ comparisons

/// The scene itself is -1.
static const char *name_of(const ff_scene_spec *scene, int variant)
{
    return variant < 0 ? "" : scene->variants[variant];
}

bool ff_scene_compares(const ff_scene_spec *scene, const ff_comparison *c, const char *run)
{
    for (int i = -1; i < scene->nvariant; i++)
        if (ff_comparison_pairs(c, run, name_of(scene, i)) || ff_comparison_pairs(c, name_of(scene, i), run))
            return true;
    return false;
}

static bool has_pairs(const ff_scene_spec *scene, const ff_comparison *c)
{
    for (int i = -1; i < scene->nvariant; i++)
        for (int k = -1; k < scene->nvariant; k++)
            if (i != k && ff_comparison_pairs(c, name_of(scene, i), name_of(scene, k))) return true;
    return false;
}

/// Name or pattern of variants under a key; "" where it is not given.
static const char *read_variant(const ff_scene_reader *r, ff_yaml *node, const char *key)
{
    const char *name = ff_yaml_string(node, key, "", r->report), *star = strchr(name, '*');
    if (star && strchr(star + 1, '*'))
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, key)->place, "'%.60s' has more than one star", name);
    if (name[0] == '\0' || star) return name;
    for (int i = 0; i < r->scene->nvariant; i++)
        if (strcmp(r->scene->variants[i], name) == 0) return name;
    ff_scene_report_unknown(r, ff_yaml_get(node, key)->place, "variant", name, r->scene->variants, r->scene->nvariant);
    return name;
}

static void read_comparison(const ff_scene_reader *r, ff_yaml *node)
{
    ff_scene_spec *scene = r->scene;
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{metric: .., of: .., to: .., at_least: ..}", r->report)) return;
    ff_comparison *c = &scene->comparisons[scene->ncomparison];
    const int errors = r->report->errors;
    ff_yaml *metric = ff_yaml_need(node, "metric", r->report);
    const char *name = metric ? ff_yaml_as_string(metric, r->report) : NULL;
    *c = (ff_comparison){.ratio = {.place = ff_scene_place(r, node), .got = NAN}};
    c->of = ff_arena_strdup(&scene->arena, read_variant(r, node, "of"));
    c->to = ff_arena_strdup(&scene->arena, read_variant(r, node, "to"));
    c->ratio.source = ff_arena_strdup(&scene->arena, ff_yaml_string(node, "source", "", r->report));
    c->ratio.at_least = ff_yaml_number(node, "at_least", -INFINITY, r->report);
    c->ratio.at_most = ff_yaml_number(node, "at_most", INFINITY, r->report);
    c->ratio.may_miss = 1.0 - ff_yaml_number(node, "rate", 1.0, r->report);
    if (!ff_yaml_get(node, "at_least") && !ff_yaml_get(node, "at_most"))
        ff_report_add(r->report, FF_ERROR, node->place, "nothing is expected here: give 'at_least' or 'at_most'");
    if (!name || !c->of || !c->to || !c->ratio.source || r->report->errors > errors) return;
    if (!has_pairs(scene, c)) {
        ff_report_add(r->report, FF_ERROR, node->place,
                      "no two runs to compare: 'of' and 'to' name different variants");
        return;
    }
    const char *run = scene->variant ? scene->variant : "";
    c->ratio.metric = ff_arena_strdup(&scene->arena, name);
    if (!ff_scene_compares(scene, c, run)) {
        scene->ncomparison++; // what another variant measures need not exist here
        return;
    }
    if (!ff_scene_check_metric(r, metric, name)) return;
    if (c->ratio.metric && ff_measures_ask(r->measures, name)) scene->ncomparison++;
}

void ff_scene_read_comparisons(ff_scene_reader *r)
{
    ff_yaml *list = ff_yaml_get(r->root, "compare");
    const int n = ff_scene_count(list);
    r->scene->comparisons = FF_ARENA_NEW(&r->scene->arena, ff_comparison, n + 1);
    if (n == 0 || !r->scene->comparisons || !r->measures) return;
    for (ff_yaml *node = list->child; node; node = node->next) read_comparison(r, node);
}
