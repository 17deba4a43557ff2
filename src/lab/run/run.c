// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Creating a run from a scene, with a report of all errors; running it; its result.
#include "base/missing.h"
#include "diagnose/diagnose.h"
#include "run/assembly.h"

#include "measure/measure.h"
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ options

ff_run_options ff_run_options_default(const ff_scene_spec *scene)
{
    if (!scene) return (ff_run_options){0}; // ff_run_create reports that it is missing
    return (ff_run_options){
        .time = scene->time, .sim = scene->options, .record = scene->record, .bus_seed = scene->bus.seed};
}

static double *copy_numbers(ff_arena *arena, const double *from, int n)
{
    double *out = FF_ARENA_NEW(arena, double, n + 1);
    if (out && n > 0) memcpy(out, from, (size_t)n * sizeof *out);
    return out;
}

/// Copies the options with start and channels, which the caller may free.
static void copy_options(ff_run *run, const ff_run_options *from)
{
    const ff_scene_spec *scene = run->scene;
    ff_run_options *o = &run->options;
    *o = *from;
    run->q = copy_numbers(&run->arena, o->q ? o->q : scene->q, scene->model->nq);
    run->v = copy_numbers(&run->arena, o->v ? o->v : scene->v, scene->model->nv);
    if (o->q) o->q = run->q;
    if (o->v) o->v = run->v;
    const char **channels = FF_ARENA_NEW(&run->arena, const char *, o->record.nchannel + 1);
    for (int i = 0; channels && i < o->record.nchannel; i++)
        channels[i] = ff_arena_strdup(&run->arena, from->record.channels[i]);
    o->record.channels = channels;
    o->record.duration = o->time;
}

// ------------------------------------------------------------------------------------------ assembly

ff_status ff_run_set_start(ff_run *run, ff_error *err)
{
    const ff_model *m = run->scene->model;
    const size_t size = (size_t)m->nq * sizeof(double);
    double *q = malloc(size + 1);
    if (!q) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    memcpy(q, run->q, size);
    if (run->law) memcpy(run->law->start, run->q, size);
    ff_dyn_normalise(m, q);
    ff_sim_set_state(run->sim, q, run->v);
    for (int i = 0; i < m->nmocap; i++) {
        const double *to = run->scene->mocap + 7 * i;
        if (!isnan(to[0])) ff_sim_set_mocap(run->sim, (ff_body_id){m->mocaps[i]}, to, to + 3);
    }
    free(q);
    return FF_OK;
}

static ff_status make_sim(ff_run *run, ff_error *err)
{
    run->sim = ff_sim_create(run->scene->model, &run->options.sim, err);
    return run->sim ? ff_run_set_start(run, err) : err->status;
}

static bool is_channel(ff_sim *sim, const char *pattern)
{
    int count = 0;
    const ff_channel *all = ff_channel_catalogue(sim, &count);
    for (int i = 0; all && i < count; i++)
        if (ff_channel_matches(pattern, all[i].name)) return true;
    return false;
}

static bool is_of_control(const char *pattern)
{
    return strncmp(pattern, "control", 7) == 0 && (pattern[7] == '.' || pattern[7] == '\0');
}

/// Place of a channel in the scene file; of the file, if the caller has added the channel.
static ff_place place_of_channel(const ff_run *run, int i)
{
    const ff_scene_spec *scene = run->scene;
    const bool of_scene =
        i < scene->record.nchannel && strcmp(run->options.record.channels[i], scene->record.channels[i]) == 0;
    return of_scene ? scene->channel_places[i] : (ff_place){scene->path, 0, 0};
}

/// Is the channel a signal of the scene's own controller, which another one replaces? Warns then.
static bool is_replaced(const ff_run *run, int i, const char *pattern, ff_report *report)
{
    const char *replaced = ff_run_replaced_controller(run);
    if (!replaced || !is_of_control(pattern) || is_channel(run->sim, pattern)) return false;
    ff_report_add(report, FF_WARNING, place_of_channel(run, i),
                  "\"%.60s\" are signals of the scene's controller (%s), whose place another has taken: they are not "
                  "recorded",
                  pattern, replaced);
    return true;
}

/// Lists the channels that exist or are required. Signals of a controller that has not begun are unknown and left out,
/// so that a scene whose controller is missing can be inspected, though not run.
/// @param number  index of each channel in the options
/// @return how many there are
static int choose_channels(const ff_run *run, const char **channels, int *number, ff_report *report)
{
    const ff_record_options *options = &run->options.record;
    const bool lacking = !run->steered || ff_run_is_ready(run, NULL) != FF_OK;
    int count = 0;
    for (int i = 0; i < options->nchannel; i++) {
        const char *pattern = options->channels[i];
        const bool optional = pattern[0] == '?';
        if (optional) pattern++;
        if (optional ? !is_channel(run->sim, pattern) : lacking && is_of_control(pattern)) continue;
        if (is_replaced(run, i, pattern, report)) continue;
        number[count] = i;
        channels[count++] = pattern;
    }
    return count;
}

/// Reports the channels that cannot be recorded, found by a recorder for each. The run cannot be used afterwards.
static void report_channels(ff_run *run, const ff_record_options *all, const int *number, const ff_error *whole,
                            ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    const int before = report->errors;
    for (int i = 0; i < all->nchannel; i++) {
        ff_record_options one = *all;
        ff_error err = {0};
        one.channels = &all->channels[i];
        one.nchannel = 1;
        one.duration = 0.0;
        one.block_bytes = 1024;
        if (ff_recorder_create(run->sim, &one, &err)) continue;
        ff_report_add(report, FF_ERROR, place_of_channel(run, number[i]), "%s", err.text);
    }
    if (report->errors == before) ff_report_add(report, FF_ERROR, (ff_place){scene->path, 0, 0}, "%s", whole->text);
}

static void add_recorder(ff_run *run, ff_report *report)
{
    ff_record_options o = run->options.record;
    ff_error err = {0};
    if (o.nchannel == 0) return;
    const char **channels = FF_ARENA_NEW(&run->arena, const char *, o.nchannel + 1);
    int *number = FF_ARENA_NEW(&run->arena, int, o.nchannel + 1);
    if (!channels || !number) return; // arena.failed is set
    o.channels = channels;
    o.nchannel = choose_channels(run, channels, number, report);
    if (o.nchannel == 0) return;
    run->recorder = ff_recorder_create(run->sim, &o, &err);
    if (!run->recorder) report_channels(run, &o, number, &err, report);
}

/// A stage of the assembly on which later ones depend.
typedef struct stage {
    ff_status (*add)(ff_run *run, ff_error *err);
    size_t place; // offset of the place of its errors in ff_scene_spec; 0: the file
} stage;

/// @return false if a stage failed, which is reported
static bool add_stages(ff_run *run, const stage *stages, int count, ff_report *report)
{
    for (int i = 0; i < count; i++) {
        ff_error err = {0};
        if (stages[i].add(run, &err) == FF_OK) continue;
        ff_place place = {run->scene->path, 0, 0};
        if (stages[i].place) memcpy(&place, (const char *)run->scene + stages[i].place, sizeof place);
        ff_report_add(report, FF_ERROR, place, "%s", err.text);
        return false;
    }
    return true;
}

/// Adds everything to the run; what is due at the same time is called in this order. A stage that fails ends the
/// assembly, but controllers, channels and robots that fail do not, since nothing else depends on them.
static void assemble(ff_run *run, ff_report *report)
{
    static const stage first[] = {
        {make_sim, offsetof(ff_scene_spec, solver_place)}, {ff_run_list_controllers, 0}, {ff_run_add_events, 0}};
    static const stage driven[] = {{ff_run_add_law, 0},
                                   {ff_run_add_plant, offsetof(ff_scene_spec, plant_place)},
                                   {ff_run_add_bus, offsetof(ff_scene_spec, plant_place)}};
    static const stage outside[] = {{ff_run_add_springs, 0}, {ff_run_add_forces, 0},  {ff_run_add_interactions, 0},
                                    {ff_run_watch_slack, 0}, {ff_run_watch_wraps, 0}, {ff_run_add_measures, 0}};
    if (!add_stages(run, first, sizeof first / sizeof *first, report)) return;
    if (!ff_run_add_world(run, report)) return;
    if (!add_stages(run, driven, sizeof driven / sizeof *driven, report)) return;
    ff_run_begin_controllers(run, report);
    if (!add_stages(run, outside, sizeof outside / sizeof *outside, report)) return;
    if (run->steered && ff_run_is_ready(run, NULL) == FF_OK) ff_run_check_signal_metrics(run, report);
    add_recorder(run, report);
    ff_run_settle(run, report);
    if (report->errors == 0) ff_run_start_drives(run, report);
}

ff_run *ff_run_create(const ff_scene_spec *scene, const ff_run_options *options, ff_report *report)
{
    if (!scene) return ff_report_missing(report, __func__, "scene"), NULL;
    const ff_run_options standard = ff_run_options_default(scene);
    ff_report own = {0};
    ff_run *run = calloc(1, sizeof *run);
    if (run) {
        run->scene = scene;
        copy_options(run, options ? options : &standard);
        if (!run->arena.failed) assemble(run, &own);
    }
    if (own.errors == 0 && (!run || run->arena.failed))
        ff_report_add(&own, FF_ERROR, (ff_place){scene->path, 0, 0}, "%s", ff_status_text(FF_NO_MEMORY));
    const bool failed = own.errors > 0;
    ff_yaml_hand_over(&own, report);
    if (!failed) return run;
    ff_run_destroy(run);
    return NULL;
}

void ff_run_destroy(ff_run *run)
{
    ff_error ignored = {0};
    if (!run) return;
    ff_run_close_pictures(run, &ignored); // of a run that never ended
    ff_run_end_controllers(run);
    ff_sim_destroy(run->sim);
    ff_world_destroy(run->world);
    ff_measures_destroy(run->measures);
    ff_run_drop_events(run);
    ff_arena_clear(&run->arena);
    free(run);
}

// ------------------------------------------------------------------------------------------ queries

const ff_scene_spec *ff_run_scene(const ff_run *run)
{
    return run->scene;
}

const ff_run_options *ff_run_get_options(const ff_run *run)
{
    return &run->options;
}

ff_sim *ff_run_sim(const ff_run *run)
{
    return run->sim;
}

ff_world *ff_run_world(const ff_run *run)
{
    return run->world;
}

ff_recorder *ff_run_recorder(const ff_run *run)
{
    return run->recorder;
}

const ff_result *ff_run_result(const ff_run *run)
{
    return &run->result;
}

// ------------------------------------------------------------------------------------------ the run

ff_status ff_run_go(ff_run *run, ff_error *err)
{
    ff_error own = {0}, closing = {0};
    if (!err) err = &own;
    ff_status status = ff_run_is_ready(run, err);
    if (status != FF_OK) return status;
    const ff_status reached = ff_sim_run(run->sim, run->options.time, err);
    status = ff_run_evaluate(run, reached, err);
    if (status == FF_OK) status = ff_run_check_controllers(run, err);
    ff_status files = ff_run_close_pictures(run, &closing);
    if (run->recorder) ff_run_hand_over_events(run);
    if (run->recorder && reached != FF_OK && (reached != FF_STOPPED || ff_stop_asked()))
        ff_recorder_set_stopped(run->recorder);
    if (run->recorder && ff_recorder_close(run->recorder, &closing) != FF_OK) files = closing.status;
    if (files == FF_OK || (status != FF_OK && status != FF_STOPPED && status != FF_CONTROL)) return status;
    *err = closing; // the failed file is the cause if it stopped the run
    return files;
}
