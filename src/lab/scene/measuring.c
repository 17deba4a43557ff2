// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a scene has its run measured by: the key `metrics`, what the measures know of the scene (their site), and
// the verdict at the end.
//     metrics: {from: 2, to: 10, debounce: 20 ms, tilt: 60 deg, windows: {fast: {from: 6, to: 9}},
//               report: ["drives.*.current.max"]}
#include "scene/events.h"

#include "measure/measure.h"

#include <math.h>
#include <string.h>

static const double DEBOUNCE = 20e-3; // [s], see measure/walk.h
static const double REBOUND = 50e-3;  // [s], the same
static const double TILT = FF_PI / 3; // [rad]
enum { MOST_WINDOWS = 100, MOST_REPORTED = 1000 };

// ------------------------------------------------------------------------------------------ answers to measures

static ff_measure_command command_of(void *context, int robot)
{
    const ff_body_command command = ff_run_body_command(context, robot);
    return (ff_measure_command){.moves = command.moves,
                                .ahead = command.ahead,
                                .left = command.left,
                                .turn = command.turn,
                                .height = command.height};
}

static bool target_of(void *context, int joint, double t, double *position)
{
    const ff_run *run = context;
    const ff_scene_spec *scene = run->scene;
    const ff_run_law *law = run->law;
    double rate;
    if (!law || ff_run_is_steered(run, scene->model->joints[joint].vadr)) return false;
    ff_law_target(law, scene->model->nq, scene->model->joints[joint].qadr, t, position, &rate);
    return true;
}

static bool is_led(void *context, int dof)
{
    return ff_run_is_led(context, dof);
}

static const double *signal_of(void *context, const char *name, size_t length)
{
    return ff_run_find_signal(context, name, length);
}

static void note(void *context, ff_measure_event event, int number, double t)
{
    static const ff_event_kind kinds[] = {[FF_MEASURE_TOUCH_DOWN] = FF_EVENT_TOUCH_DOWN,
                                          [FF_MEASURE_LIFT_OFF] = FF_EVENT_LIFT_OFF,
                                          [FF_MEASURE_FALL] = FF_EVENT_FALL,
                                          [FF_MEASURE_RISE] = FF_EVENT_RISE};
    const ff_run *run = context;
    const ff_scene_spec *scene = run->scene;
    const bool of_robot = event == FF_MEASURE_FALL || event == FF_MEASURE_RISE;
    const char *name = of_robot && scene->nrobot > 1 ? scene->robots[number].name : "";
    ff_event_note(run->events, kinds[event], of_robot ? 0 : number, t, name);
}

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

/// What may be otherwise in a run.
static void set_time(const ff_scene_spec *scene, double time, ff_measure_site *site)
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

/// Metrics are called WINDOW.WHAT, so a window must not be called as other metrics begin.
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

/// Only what is reported can be chosen where nobody walks.
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

/// Times and limits of walking. False when memory is short.
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

/// All metrics that fit a pattern.
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

void ff_scene_read_metrics(ff_scene_reader *r)
{
    ff_scene_spec *scene = r->scene;
    ff_measure_site *site = FF_ARENA_NEW(&scene->arena, ff_measure_site, 1);
    if (!site) return;
    *site = (ff_measure_site){.model = scene->model,
                              .plant = scene->plant,
                              .sensed = scene->sensed,
                              .command = command_of,
                              .target = target_of,
                              .is_led = is_led,
                              .signal = scene->ncontrol > 0 ? signal_of : NULL,
                              .note = note};
    set_time(scene, scene->time, site);
    ff_yaml *node = ff_yaml_get(r->root, "metrics");
    if (describe_robots(scene, site) && read_site(r, node, site)) r->measures = ff_measures_create(NULL, site);
    scene->site = site;
    if (r->measures)
        read_report(r, node);
    else
        scene->arena.failed = true; // which the reader reports
}

// ------------------------------------------------------------------------------------------ a run

/// Everything that the scene wants to know by name.
static bool ask(const ff_scene_spec *scene, ff_measures *measures)
{
    bool asked = true;
    for (int i = 0; i < scene->nreported; i++) asked = asked && ff_measures_report(measures, scene->reported[i].metric);
    for (int i = 0; i < scene->nexpectation; i++)
        asked = asked && ff_measures_ask(measures, scene->expectations[i].metric);
    for (int i = 0; i < scene->ncomparison; i++)
        asked = asked && ff_measures_ask(measures, scene->comparisons[i].ratio.metric);
    return asked;
}

ff_status ff_run_add_measures(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    ff_measure_site site = *scene->site;
    site.context = run;
    site.sim = run->sim;
    site.world = run->world;
    site.signal = run->nsteering > 0 ? signal_of : NULL;
    set_time(scene, run->options.time, &site);
    run->measures = ff_measures_create(NULL, &site);
    run->expectations = FF_ARENA_NEW(&run->arena, ff_expectation, scene->nexpectation + 1);
    if (!run->measures || !run->expectations || !ask(scene, run->measures))
        return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    if (scene->nexpectation > 0)
        memcpy(run->expectations, scene->expectations, (size_t)scene->nexpectation * sizeof *run->expectations);
    run->result.expectations = run->expectations;
    run->result.nexpectation = scene->nexpectation;
    return ff_measures_begin(run->measures, err);
}

/// Is it about a signal that only the controller of the scene has, whose place another has taken? Any other signal that
/// is not there is a mistake.
static bool is_left_out(const ff_run *run, const char *metric, ff_place place, ff_report *report)
{
    const char *replaced = ff_run_replaced_controller(run);
    ff_report found = {0};
    ff_measures_check(run->measures, metric, place, replaced ? &found : report);
    const bool lacks = found.errors > 0;
    ff_report_clear(&found);
    if (lacks)
        ff_report_add(report, FF_WARNING, place,
                      "'%.60s' is about a signal of the scene's controller (%s), whose place another has taken: it is "
                      "left out",
                      metric, replaced);
    return lacks;
}

void ff_run_check_signal_metrics(ff_run *run, ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    int kept = 0;
    for (int i = 0; i < run->result.nexpectation; i++)
        if (!is_left_out(run, run->expectations[i].metric, run->expectations[i].place, report))
            run->expectations[kept++] = run->expectations[i];
    run->result.nexpectation = kept;
    for (int i = 0; i < scene->nreported; i++)
        is_left_out(run, scene->reported[i].metric, scene->reported[i].place, report);
}

void ff_run_report_falls(const ff_run *run, ff_report *report)
{
    ff_measures_report_events(run->measures, report);
}

ff_status ff_run_judge(ff_run *run, ff_status status, ff_error *err)
{
    ff_result *result = &run->result;
    ff_measures_take(run->measures, status != FF_OK);
    result->metrics = ff_measures_list(run->measures, &result->nmetric);
    if (status == FF_OK) status = ff_run_judge_energy(run, err);
    if (status == FF_DIVERGED) ff_run_add_sampling(run, err);
    // a run that somebody ended is judged by what there is, but it does not pass; one that failed has no sound numbers
    const bool sound = status == FF_OK || status == FF_STOPPED;
    const bool met = ff_measures_judge(run->measures, run->expectations, result->nexpectation, sound);
    result->passed = met && status == FF_OK;
    return status;
}

bool ff_run_metric(const ff_run *run, const char *name, double *value)
{
    return ff_measures_value(run->measures, name, value);
}

const char *ff_scene_metric_help(int i, const char **unit, const char **meaning)
{
    const ff_metric_help *row = ff_measures_help(i);
    if (!row) return NULL;
    if (unit) *unit = row->unit;
    if (meaning) *meaning = row->meaning;
    return row->name;
}
