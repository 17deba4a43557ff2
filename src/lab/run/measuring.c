// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures of a run: the functions by which they query it, and the evaluation at the end.
#include "diagnose/diagnose.h"
#include "measure/measure.h"
#include "run/assembly.h"

#include <string.h>

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

// ------------------------------------------------------------------------------------------ beginning and verdict

/// Requests all metrics that the scene names. @return false without memory
static bool request_metrics(const ff_scene_spec *scene, ff_measures *measures)
{
    bool ok = true;
    for (int i = 0; i < scene->nreported; i++) ok = ok && ff_measures_report(measures, scene->reported[i].metric);
    for (int i = 0; i < scene->nexpectation; i++) ok = ok && ff_measures_ask(measures, scene->expectations[i].metric);
    for (int i = 0; i < scene->ncomparison; i++)
        ok = ok && ff_measures_ask(measures, scene->comparisons[i].ratio.metric);
    return ok;
}

ff_status ff_run_add_measures(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    ff_measure_site site = *scene->site;
    site.context = run;
    site.command = command_of;
    site.target = target_of;
    site.is_led = is_led;
    site.note = note;
    site.sim = run->sim;
    site.world = run->world;
    site.signal = run->nsteering > 0 ? signal_of : NULL;
    ff_scene_set_measured_time(scene, run->options.time, &site);
    run->measures = ff_measures_create(NULL, &site);
    run->expectations = FF_ARENA_NEW(&run->arena, ff_expectation, scene->nexpectation + 1);
    if (!run->measures || !run->expectations || !request_metrics(scene, run->measures))
        return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    if (scene->nexpectation > 0)
        memcpy(run->expectations, scene->expectations, (size_t)scene->nexpectation * sizeof *run->expectations);
    run->result.expectations = run->expectations;
    run->result.nexpectation = scene->nexpectation;
    return ff_measures_begin(run->measures, err);
}

/// Is the metric about a signal of the scene's own controller, which another one replaces? Warns then; any other signal
/// that does not exist is an error.
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

ff_status ff_run_evaluate(ff_run *run, ff_status status, ff_error *err)
{
    ff_result *result = &run->result;
    ff_measures_take(run->measures, status != FF_OK);
    result->metrics = ff_measures_list(run->measures, &result->nmetric);
    if (status == FF_OK) status = ff_run_check_energy(run, err);
    if (status == FF_DIVERGED) ff_run_add_sampling(run, err);
    // A run that was stopped is evaluated, but does not pass. The numbers of a run that failed are not evaluated.
    const bool sound = status == FF_OK || status == FF_STOPPED;
    const bool met = ff_measures_evaluate(run->measures, run->expectations, result->nexpectation, sound);
    result->passed = met && status == FF_OK;
    return status;
}

bool ff_run_metric(const ff_run *run, const char *name, double *value)
{
    return ff_measures_value(run->measures, name, value);
}
