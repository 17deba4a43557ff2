// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A leader and its twin: the leader runs in the thread of the caller; the twin in its own thread, synchronised by the
// answers of the controller and the rows of the recording (sync.c).
#include "twin/twin.h"

#include "base/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ one controller

/// The cycle of the leader is complete: its twin may follow.
static void pass_answer_on(void *context, double t, const ff_io_frame *sensors, const ff_io_frame *references,
                           uint32_t conditions)
{
    ff_twin *twin = context;
    (void)t;
    (void)sensors;
    const ff_answer answer = {
        .references = (ff_io_frame *)references, .signals = (double *)twin->signals, .conditions = conditions};
    ff_twin_sync_put_answer(&twin->sync, &answer);
}

static ff_status bind(void *context, const ff_relay_site *site, ff_error *err)
{
    ff_twin *twin = context;
    twin->site = *site;
    if (site->references->hash != twin->references)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "the twin has different drives than the leader: one controller cannot "
                            "serve both");
    if (site->period != twin->period)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "the controller of the leader has a period of %g s, that of the twin %g s: they must agree",
                            twin->period, site->period);
    return FF_OK;
}

/// Until the leader has answered, references keep their values.
static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_twin *twin = context;
    (void)t;
    (void)sensors;
    ff_answer answer = {.references = references, .signals = twin->site.values};
    if (ff_twin_sync_get_answer(&twin->sync, twin->cycles++, &answer))
        *twin->site.conditions = answer.conditions;
    else
        twin->late++;
}

static bool must_stop(void *context)
{
    const ff_twin *twin = context;
    return atomic_load(&twin->quit);
}

// ------------------------------------------------------------------------------------------ rows

static void post_row(void *context, ff_sim *sim, const double *row)
{
    ff_twin *twin = context;
    ff_twin_sync_put_row(&twin->sync, ff_sim_time(sim), row);
}

static bool read_recording(ff_twin *twin, double t)
{
    const ff_map *map = twin->map;
    const double *all = twin->sheet->values;
    const long long n = twin->sheet->nrow;
    for (int i = 0; i < map->count; i++) {
        const ff_mapped *m = &map->columns[i];
        const ff_series s = {twin->times, all + m->column * n, n};
        const double value = ff_series_value(&s, FF_SERIES_GAP * twin->spacing[i], t + twin->offset, &twin->at[i]);
        twin->row[twin->places[i]] = m->scale * value + m->offset;
    }
    return true;
}

bool ff_twin_fetch(ff_twin *twin, double t)
{
    if (twin->row_time == t) return true;
    if (!isnan(twin->lost)) return false;
    if (twin->run ? ff_twin_sync_take_row(&twin->sync, t, twin->row) : read_recording(twin, t)) {
        twin->row_time = t;
        return true;
    }
    twin->lost = t;
    for (int i = 0; i < twin->columns; i++) twin->row[i] = NAN;
    return false;
}

// ------------------------------------------------------------------------------------------ begin

static ff_twin *make_twin(ff_run *leader, ff_error *err)
{
    ff_twin *twin = calloc(1, sizeof *twin);
    if (!twin) return ff_error_set(err, FF_NO_MEMORY, "out of memory"), NULL;
    twin->leader = leader;
    twin->row_time = twin->lost = NAN;
    twin->joined = true;
    twin->watch = ff_certify_options_default();
    twin->watch.stop = must_stop;
    twin->watch.context = twin;
    return twin;
}

static ff_status check_leader(const ff_run *leader, ff_error *err)
{
    const ff_run_options *o = ff_run_get_options(leader);
    const char *why = NULL;
    if (!ff_run_recorder(leader))
        why = "it records no channels: list them under record";
    else if (ff_sim_get_counts(ff_run_sim(leader)).steps > 0)
        why = "it has already begun";
    else if (o->ncontroller > 0 || o->nrelay > 0)
        why = "its controller is external";
    if (!why) return ff_run_is_ready(leader, err);
    return ff_error_set(err, FF_BAD_ARGUMENT, "this run cannot have a twin: %s", why);
}

static ff_status check_joints(const ff_model *a, const ff_model *b, ff_error *err)
{
    if (a->nq != b->nq || a->nv != b->nv || a->njoint != b->njoint)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "the leader has %d joints of %d degrees of freedom, the twin %d of %d: they must be equal",
                            a->njoint, a->nv, b->njoint, b->nv);
    for (int i = 0; i < a->njoint; i++)
        if (a->joints[i].type != b->joints[i].type || strcmp(a->joints[i].name, b->joints[i].name) != 0)
            return ff_error_set(err, FF_BAD_ARGUMENT, "joint %d of the leader is \"%.60s\", of the twin \"%.60s\"", i,
                                a->joints[i].name, b->joints[i].name);
    return FF_OK;
}

/// The simulation of the twin: recorded like the leader, with the same sampling, and with an external controller.
static ff_run *create_twin(ff_twin *twin, const ff_scene_spec *scene, const ff_run_relay *relay, ff_report *report)
{
    const ff_run_options *of = ff_run_get_options(twin->leader);
    ff_run_options o = ff_run_options_default(scene);
    o.time = of->time;
    o.bus_seed = of->bus_seed; // the controller has one clock
    o.record = of->record;
    o.record.most_bytes = 0;
    if (twin->period > 0.0) {
        o.relays = relay;
        o.nrelay = 1;
    }
    return ff_run_create(scene, &o, report);
}

/// The controller of the leader; `period` is 0 without one.
static ff_relay_site find_controller(ff_twin *twin, int robot)
{
    ff_relay_site site = {0};
    if (ff_run_controller_site(twin->leader, robot, &site, NULL) != FF_OK) return site;
    twin->period = site.period;
    twin->signals = site.values;
    twin->references = site.references->hash;
    return site;
}

static int find_in_twin(const ff_twin *twin, const char *channel, int width)
{
    int own = 0;
    const int column = ff_recorder_find(ff_run_recorder(twin->run), channel, &own);
    return own == width ? column : -1;
}

static void *run_twin(void *context)
{
    ff_twin *twin = context;
    twin->status = ff_run_go(twin->run, &twin->err);
    ff_trace_end(&twin->own);
    ff_twin_sync_finish(&twin->sync, &twin->sync.twin_over);
    return NULL;
}

static ff_status start(ff_twin *twin, ff_error *err)
{
#ifdef FF_WITH_THREADS
    twin->joined = pthread_create(&twin->thread, NULL, run_twin, twin) != 0;
    return twin->joined ? ff_error_set(err, FF_LIMIT, "cannot create the thread of the twin") : FF_OK;
#else
    (void)twin;
    (void)run_twin;
    return ff_error_set(err, FF_NOT_BUILT, "a twin needs threads: this library was built without");
#endif
}

static ff_status make_row(ff_twin *twin, int columns, ff_error *err)
{
    twin->columns = columns;
    twin->row = FF_ARENA_NEW(&twin->arena, double, columns + 1);
    if (!twin->row) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (int i = 0; i < columns; i++) twin->row[i] = NAN;
    return FF_OK;
}

static ff_status connect_twin(ff_twin *twin, int robot, const ff_relay_site *site, ff_error *err)
{
    ff_recorder *own = ff_run_recorder(twin->run);
    const int nreference = site->references ? site->references->count : 0;
    ff_status status = check_joints(ff_run_scene(twin->leader)->model, ff_run_scene(twin->run)->model, err);
    if (status == FF_OK) status = ff_run_is_ready(twin->run, err);
    if (status == FF_OK) status = make_row(twin, ff_recorder_columns(own), err);
    if (status == FF_OK && !ff_twin_sync_make(&twin->sync, nreference, site->nsignal, 0, twin->columns))
        status = ff_error_set(err, FF_NO_MEMORY, "out of memory");
    const ff_cycle_tap tap = {twin, pass_answer_on};
    if (status == FF_OK && twin->period > 0.0) status = ff_run_tap_controller(twin->leader, robot, &tap, err);
    if (status == FF_OK) status = ff_pairs_record(twin, find_in_twin, err);
    if (status == FF_OK) status = ff_pairs_show(twin, err);
    const int stride = ff_trace_choose_stride(twin->leader);
    if (status == FF_OK) status = ff_trace_begin(&twin->trace, twin->leader, stride, err);
    twin->own.options = &twin->watch;
    twin->own.tap = post_row;
    twin->own.tap_context = twin;
    if (status == FF_OK) status = ff_trace_begin(&twin->own, twin->run, stride, err);
    return status == FF_OK ? start(twin, err) : status;
}

static void complain(ff_report *report, const ff_scene_spec *scene, const ff_error *err)
{
    ff_report_add(report, FF_ERROR, (ff_place){scene->path ? scene->path : "twin", 0, 0}, "%s", err->text);
}

ff_twin *ff_twin_begin(ff_run *leader, const ff_scene_spec *scene, ff_report *report)
{
    ff_error err = {0};
    if (!leader || !scene) {
        ff_error_missing(&err, __func__, leader ? "scene" : "leader");
        ff_report_add(report, FF_ERROR, (ff_place){"twin", 0, 0}, "%s", err.text);
        return NULL;
    }
    ff_twin *twin = check_leader(leader, &err) == FF_OK ? make_twin(leader, &err) : NULL;
    if (!twin) return complain(report, scene, &err), NULL;
    const int robot = ff_scene_first_steered(scene);
    const ff_relay_site site = find_controller(twin, robot);
    const ff_run_relay relay = {robot, {.context = twin, .bind = bind, .cycle = cycle}};
    twin->run = create_twin(twin, scene, &relay, report);
    if (twin->run && connect_twin(twin, robot, &site, &err) == FF_OK) return twin;
    if (twin->run) complain(report, scene, &err);
    ff_twin_destroy(twin);
    return NULL;
}

// ------------------------------------------------------------------------------------------ a recording

/// Channels have their full width in the row; unmapped columns are NaN.
static ff_status lay_out(ff_twin *twin, ff_error *err)
{
    const ff_map *map = twin->map;
    const ff_recorder *rec = ff_run_recorder(twin->leader);
    const ff_status status = make_row(twin, ff_recorder_columns(rec), err);
    if (status != FF_OK) return status;
    twin->times = FF_ARENA_NEW(&twin->arena, double, twin->sheet->nrow + 1);
    twin->at = FF_ARENA_NEW(&twin->arena, long long, map->count + 1);
    twin->places = FF_ARENA_NEW(&twin->arena, int, map->count + 1);
    twin->spacing = FF_ARENA_NEW(&twin->arena, double, map->count + 1);
    if (!twin->times || !twin->at || !twin->places || !twin->spacing)
        return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    ff_map_times(map, twin->sheet, twin->times);
    for (int i = 0; i < map->count; i++) {
        const ff_mapped *m = &map->columns[i];
        const ff_series s = {twin->times, twin->sheet->values + m->column * twin->sheet->nrow, twin->sheet->nrow};
        twin->places[i] = ff_recorder_find(rec, m->channel, NULL) + m->index;
        twin->spacing[i] = ff_series_spacing(&s);
    }
    return FF_OK;
}

/// The row of a recording has the layout of the leader's.
static int find_in_map(const ff_twin *twin, const char *channel, int width)
{
    (void)width;
    for (int i = 0; i < twin->map->count; i++)
        if (strcmp(twin->map->columns[i].channel, channel) == 0)
            return ff_recorder_find(ff_run_recorder(twin->leader), channel, NULL);
    return -1;
}

ff_twin *ff_twin_begin_recorded(ff_run *leader, const ff_sheet *sheet, const ff_map *map, double offset,
                                const ff_alignment *alignment, ff_error *err)
{
    if (!leader || !sheet || !map)
        return ff_error_missing(err, __func__, leader ? sheet ? "map" : "sheet" : "leader"), NULL;
    ff_twin *twin = check_leader(leader, err) == FF_OK ? make_twin(leader, err) : NULL;
    if (!twin) return NULL;
    twin->sheet = sheet;
    twin->map = map;
    twin->offset = offset;
    twin->alignment = alignment;
    ff_status status = lay_out(twin, err);
    if (status == FF_OK) status = ff_pairs_record(twin, find_in_map, err);
    if (status == FF_OK) status = ff_trace_begin(&twin->trace, leader, ff_trace_choose_stride(leader), err);
    if (status == FF_OK) return twin;
    ff_twin_destroy(twin);
    return NULL;
}

// ------------------------------------------------------------------------------------------ end

static void join(ff_twin *twin)
{
#ifdef FF_WITH_THREADS
    if (!twin->joined) pthread_join(twin->thread, NULL);
#endif
    twin->joined = true;
}

const ff_twin_result *ff_twin_end(ff_twin *twin, ff_status status, ff_error *err)
{
    if (status != FF_OK && status != FF_CONTROL) atomic_store(&twin->quit, true);
    if (twin->run) ff_twin_sync_finish(&twin->sync, &twin->sync.leader_over);
    join(twin);
    ff_trace_end(&twin->trace);
    if (ff_twin_compare(twin)) return &twin->result;
    ff_error_set(err, FF_NO_MEMORY, "comparison with the twin: out of memory");
    return NULL;
}

void ff_twin_destroy(ff_twin *twin)
{
    if (!twin) return;
    atomic_store(&twin->quit, true);
    if (twin->run && twin->sync.made) ff_twin_sync_finish(&twin->sync, &twin->sync.leader_over);
    join(twin);
    ff_run_destroy(twin->run);
    ff_twin_sync_clear(&twin->sync);
    ff_trace_clear(&twin->trace);
    ff_trace_clear(&twin->own);
    ff_arena_clear(&twin->arena);
    free(twin);
}
