// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The key `compare`: how runs of one scene compare. A run alone cannot decide it; `footfall experiments run` makes all
// of them and does.
#include "measure/measure.h"
#include "scene/reader.h"

#include <math.h>
#include <string.h>

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
    const char *near = ff_yaml_hint(name, r->scene->variants, r->scene->nvariant, r->report);
    ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, key)->place, "no variant '%.60s' in this scene%s%s%s", name,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
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
