// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The measures of runs of a scene: the key `metrics`, and the site of the measures.
//     metrics: {from: 2, to: 10, debounce: 20 ms, tilt: 60 deg, windows: {fast: {from: 6, to: 9}},
//               report: ["drives.*.current.max"]}
#include "scene/reader.h"

#include "measure/measure.h"

#include <math.h>
#include <string.h>

static const double DEBOUNCE = 20e-3; // [s], see measure/walk.h
static const double REBOUND = 50e-3;  // [s], the same
static const double TILT = FF_PI / 3; // [rad]
enum { MOST_WINDOWS = 100, MOST_REPORTED = 1000 };

// ------------------------------------------------------------------------------------------ the site

static bool describe_robots(ff_scene_spec *scene, ff_measure_site *site)
{
    ff_measure_robot *robots = FF_ARENA_NEW(&scene->arena, ff_measure_robot, scene->nrobot + 1);
    const char **fields = FF_ARENA_NEW(&scene->arena, const char *, scene->nfield + 1);
    if (!robots || !fields) return false;
    for (int i = 0; i < scene->nrobot; i++) {
        const ff_scene_robot *from = &scene->robots[i];
        robots[i] = (ff_measure_robot){from->name, from->prefix, from->vadr, from->nv};
    }
    for (int i = 0; i < scene->nfield; i++) fields[i] = scene->fields[i].name;
    site->robots = robots;
    site->nrobot = scene->nrobot;
    site->fields = fields;
    site->nfield = scene->nfield;
    return true;
}

void ff_scene_set_measured_time(const ff_scene_spec *scene, double time, ff_measure_site *site)
{
    site->time = time;
    site->calm = 0.0;
    for (int i = 0; i < scene->nforce; i++)
        if (scene->forces[i].to < time) site->calm = ff_max(site->calm, scene->forces[i].to);
}

// ------------------------------------------------------------------------------------------ the key `metrics`

static void read_window(const ff_scene_reader *r, ff_yaml *node, ff_measure_window *window)
{
    window->from = ff_yaml_number(node, "from", 0.0, r->report);
    window->to = ff_yaml_number(node, "to", INFINITY, r->report);
    const ff_yaml *place = ff_yaml_get(node, "to");
    if (!place) place = node;
    if (!(window->to > window->from))
        ff_report_add(r->report, FF_ERROR, place->place, "the window '%s' ends at %g s, but begins at %g s",
                      window->name, window->to, window->from);
    else if (window->from >= r->scene->time)
        ff_report_add(r->report, FF_WARNING, node->place,
                      "the window '%s' begins at %g s, but the run ends at %g s: its metrics are null", window->name,
                      window->from, r->scene->time);
}

/// Checks the name of a window: metrics are called WINDOW.WHAT, so it must not be the begin of other metrics.
static bool check_name(const ff_scene_reader *r, const ff_yaml *node)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (ff_measures_begin_with(node->key))
        ff_report_add(r->report, FF_ERROR, node->key_place, "'%s' begins the names of other metrics; take another name",
                      node->key);
    else if (!node->key[0] || node->key[strspn(node->key, allowed)])
        ff_report_add(r->report, FF_ERROR, node->key_place,
                      "'%.40s': the name of a window is made of letters, digits, _ and -", node->key);
    else
        return true;
    return false;
}

static void read_windows(const ff_scene_reader *r, ff_yaml *map, ff_measure_window *windows, int *count)
{
    if (!ff_yaml_expect(map, FF_YAML_MAP, "windows as 'name: {from: .., to: ..}'", r->report)) return;
    for (ff_yaml *node = map->child; node; node = node->next) {
        node->used = true;
        if (*count > MOST_WINDOWS) {
            ff_report_add(r->report, FF_ERROR, node->key_place, "more than %d windows", MOST_WINDOWS);
            return;
        }
        if (!check_name(r, node) || !ff_yaml_expect(node, FF_YAML_MAP, "{from: .., to: ..}", r->report)) continue;
        ff_measure_window *window = &windows[(*count)++];
        window->name = ff_arena_strdup(&r->scene->arena, node->key);
        if (window->name) read_window(r, node, window);
    }
}

static void read_walking(const ff_scene_reader *r, ff_yaml *node, ff_measure_site *site, ff_measure_window *windows)
{
    read_window(r, node, &windows[0]);
    site->debounce = ff_yaml_number(node, "debounce", DEBOUNCE, r->report);
    site->rebound = ff_yaml_number(node, "rebound", REBOUND, r->report);
    site->tilt = ff_yaml_number(node, "tilt", TILT, r->report);
    ff_yaml *all = ff_yaml_get(node, "windows");
    if (all) read_windows(r, all, windows, &site->nwindow);
}

/// Reports keys of walking in a scene without legs.
static void refuse_walking(const ff_scene_reader *r, ff_yaml *node)
{
    static const char *const keys[] = {"from", "to", "debounce", "rebound", "tilt", "windows"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        ff_yaml *child = ff_yaml_get(node, keys[i]);
        if (!child) continue;
        ff_report_add(r->report, FF_ERROR, child->key_place,
                      "'%s' of 'metrics' is about walking, and no robot here has legs: describe them in its file, see "
                      "docs/model-files.md",
                      keys[i]);
        ff_yaml_use(child);
    }
}

/// Reads times and limits of walking. @return false without memory
static bool read_site(const ff_scene_reader *r, ff_yaml *node, ff_measure_site *site)
{
    ff_scene_spec *scene = r->scene;
    ff_measure_window *windows = FF_ARENA_NEW(&scene->arena, ff_measure_window, MOST_WINDOWS + 1);
    if (!windows) return false;
    windows[0] = (ff_measure_window){"walk", 0.0, INFINITY};
    site->windows = windows;
    site->nwindow = 1;
    site->debounce = DEBOUNCE;
    site->rebound = REBOUND;
    site->tilt = TILT;
    if (!node || !ff_yaml_expect(node, FF_YAML_MAP, "{from: .., to: .., windows: .., report: ..}", r->report))
        return true;
    if (scene->model->nleg > 0 && scene->nrobot > 0)
        read_walking(r, node, site, windows);
    else
        refuse_walking(r, node);
    return true;
}

// ------------------------------------------------------------------------------------------ metrics that are reported

static bool has_room(const ff_scene_reader *r, const ff_yaml *node, int count)
{
    if (r->scene->nreported + count <= MOST_REPORTED) return true;
    ff_report_add(r->report, FF_ERROR, node->place, "%d metrics are reported: more than the limit of %d",
                  r->scene->nreported + count, MOST_REPORTED);
    return false;
}

static void report_metric(const ff_scene_reader *r, const ff_yaml *node, const char *name)
{
    ff_scene_spec *scene = r->scene;
    for (int i = 0; i < scene->nreported; i++)
        if (strcmp(scene->reported[i].metric, name) == 0) return;
    const ff_scene_reported one = {ff_arena_strdup(&scene->arena, name), ff_scene_place(r, node)};
    if (one.metric && ff_measures_report(r->measures, name)) scene->reported[scene->nreported++] = one;
}

/// Adds all metrics that fit a pattern to those that are reported.
static void report_pattern(const ff_scene_reader *r, const ff_yaml *node, const char *pattern)
{
    ff_arena scratch = {0};
    ff_measure_names found = {.arena = &scratch};
    ff_measures_find(r->measures, pattern, &found);
    if (has_room(r, node, found.count))
        for (int i = 0; i < found.count; i++) report_metric(r, node, found.names[i]);
    if (found.count == 0)
        ff_report_add(
            r->report, FF_ERROR, node->place,
            "no metric fits '%.60s'; bounces, taxels, Allan deviations, pictures and signals of controllers are "
            "reported by name",
            pattern);
    if (scratch.failed) r->scene->arena.failed = true;
    ff_arena_clear(&scratch);
}

static void read_report(const ff_scene_reader *r, ff_yaml *metrics)
{
    ff_scene_spec *scene = r->scene;
    ff_yaml *list = metrics && metrics->type == FF_YAML_MAP ? ff_yaml_get(metrics, "report") : NULL;
    if (ff_scene_count(list) == 0) return;
    scene->reported = FF_ARENA_NEW(&scene->arena, ff_scene_reported, MOST_REPORTED);
    for (ff_yaml *node = list->child; scene->reported && node; node = node->next) {
        const char *name = ff_yaml_as_string(node, r->report);
        if (name && strchr(name, '*'))
            report_pattern(r, node, name);
        else if (name && ff_scene_check_metric(r, node, name) && has_room(r, node, 1))
            report_metric(r, node, name);
    }
}

// ------------------------------------------------------------------------------------------ all of it

/// Signals are unknown before the controllers of a run have begun.
static const double *unknown_signal(void *context, const char *name, size_t length)
{
    (void)context, (void)name, (void)length;
    return NULL;
}

void ff_scene_read_metrics(ff_scene_reader *r)
{
    ff_scene_spec *scene = r->scene;
    ff_measure_site *site = FF_ARENA_NEW(&scene->arena, ff_measure_site, 1);
    if (!site) return;
    *site = (ff_measure_site){.model = scene->model,
                              .plant = scene->plant,
                              .sensed = scene->sensed,
                              .signal = scene->ncontrol > 0 ? unknown_signal : NULL};
    ff_scene_set_measured_time(scene, scene->time, site);
    ff_yaml *node = ff_yaml_get(r->root, "metrics");
    if (describe_robots(scene, site) && read_site(r, node, site)) r->measures = ff_measures_create(NULL, site);
    scene->site = site;
    if (r->measures)
        read_report(r, node);
    else
        scene->arena.failed = true; // which the reader reports
}

const char *ff_scene_metric_help(int i, const char **unit, const char **meaning)
{
    const ff_metric_help *row = ff_measures_help(i);
    if (!row) return NULL;
    if (unit) *unit = row->unit;
    if (meaning) *meaning = row->meaning;
    return row->name;
}
