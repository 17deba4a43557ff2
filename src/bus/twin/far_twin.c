// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A twin at the far end of a second wire. The link to the leader runs in the thread of the caller; that to the twin has
// its own thread; each of its frames is answered like that of the leader in the same cycle. In lockstep cycles are
// counted, and the leader waits for a twin that is behind, with a timeout that is shorter than that of its own robot.
// In real time the twin gets the newest answer, and cycles without a new frame of the twin are not compared.
#include "twin/twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct ff_far_twin {
    ff_far_twin_setup setup;
    ff_twin_sync sync;
    ff_interface leader;    // its layouts are those of the setup
    bool connected, failed; // states of the twin; both under the lock `turn`
    atomic_bool quit;       // disconnect the twin
    int64_t cycles;         // of the twin
    ff_status status;
    ff_error err;
    // signals of the twin's controller
    double *signals, *rest_signals; // those of cycles without the twin are discarded
    uint32_t conditions;
    // rows: time, sensors, references, the twin's sensors, differences
    double *row, *sensed, *twin_sensed; // sensed: time and sensors of the leader at the cycle of the twin's frame
    double *leader_sensed;              // present sensors of the leader
    bool fresh;                         // real time: a frame of the twin was received since the last row
    ff_io_frame *references;
    int64_t written, alone;
    double missing; // time of the first row without the twin since the last with it; NAN: the last row has it  [s]
    double *sums;   // (sensors) of squares
    ff_twin_channel *channels;
    ff_far_twin_result result;
    ff_arena arena;
    bool joined;
#ifdef FF_WITH_THREADS
    pthread_t thread;
    pthread_mutex_t turn; // lock of rows and of the connection at the start
    pthread_cond_t changed;
#endif
};

#ifdef FF_WITH_THREADS

// ------------------------------------------------------------------------------------------ rows

static void read_nan(void *context, ff_sim *sim, double *out)
{
    (void)context;
    (void)sim;
    *out = NAN;
}

static ff_status add_channels(const ff_far_twin *t, const char *lead, const ff_io_layout *layout, ff_error *err)
{
    ff_status status = FF_OK;
    for (int i = 0; i < layout->count && status == FF_OK; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s%s", lead, layout->names[i].name);
        status = ff_recorder_add_channel(t->setup.recorder, name, layout->names[i].unit, 1, NULL, read_nan, NULL, err);
    }
    return status;
}

static ff_status make_rows(ff_far_twin *t, ff_error *err)
{
    const ff_io_layout *sensors = &t->setup.sensors;
    const size_t n = (size_t)sensors->count, m = (size_t)t->setup.references.count;
    t->row = FF_ARENA_NEW(&t->arena, double, 1 + 3 * n + m);
    t->sensed = FF_ARENA_NEW(&t->arena, double, 1 + n);
    t->twin_sensed = FF_ARENA_NEW(&t->arena, double, 1 + n);
    t->signals = FF_ARENA_NEW(&t->arena, double, t->setup.signals.count + 1);
    t->rest_signals = FF_ARENA_NEW(&t->arena, double, t->setup.signals.count + 1);
    t->sums = FF_ARENA_NEW(&t->arena, double, n + 1);
    t->channels = FF_ARENA_NEW(&t->arena, ff_twin_channel, n + 1);
    t->references = ff_arena_alloc(&t->arena, 1, ff_io_size((int)m));
    if (t->arena.failed) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        t->twin_sensed[i] = NAN;
        t->channels[i] = (ff_twin_channel){.name = sensors->names[i].name,
                                           .unit = sensors->names[i].unit,
                                           .column = "",
                                           .at = NAN,
                                           .range = NAN,
                                           .parted = NAN};
    }
    if (!t->setup.recorder) return FF_OK;
    ff_status status = add_channels(t, "", sensors, err);
    if (status == FF_OK) status = add_channels(t, "references.", &t->setup.references, err);
    if (status == FF_OK) status = add_channels(t, "twin.", sensors, err);
    return status == FF_OK ? add_channels(t, "difference.", sensors, err) : status;
}

static void copy_items(const ff_io_frame *from, double *to)
{
    const ff_io_item *items = ff_io_items_of(from);
    for (uint32_t i = 0; i < from->count; i++) to[i] = ff_io_known(&items[i]) ? items[i].value : NAN;
}

static void compare_sensor(ff_far_twin *t, int i, double time, double difference)
{
    ff_twin_channel *c = &t->channels[i];
    if (isnan(difference)) return;
    c->samples++;
    t->sums[i] += difference * difference;
    if (c->samples > 1 && fabs(difference) <= c->most) return;
    c->most = fabs(difference);
    c->at = time;
}

/// Records one cycle of both. `twin`: its sensors; NULL: there is no new frame of it.
static void write_row(ff_far_twin *t, const double *sensed, const ff_io_frame *references, const double *twin)
{
    const int n = t->setup.sensors.count, m = t->setup.references.count;
    double *row = t->row, *of_twin = row + 1 + n + m, *difference = of_twin + n;
    memcpy(row, sensed, ((size_t)n + 1) * sizeof *row);
    copy_items(references, row + 1 + n);
    for (int i = 0; i < n; i++) {
        of_twin[i] = twin ? twin[i] : NAN;
        difference[i] = of_twin[i] - row[1 + i];
        compare_sensor(t, i, sensed[0], difference[i]);
    }
    t->written++;
    t->alone += !twin;
    t->fresh = false;
    t->missing = twin ? NAN : isnan(t->missing) ? sensed[0] : t->missing;
    if (t->setup.recorder) ff_recorder_put(t->setup.recorder, row, NULL); // errors are reported when it is closed
}

/// Records the remaining cycles of the leader after the twin was lost. In the leader's thread, under the lock.
static void write_remaining(ff_far_twin *t)
{
    while (t->written < t->sync.put) {
        ff_answer answer = {.references = t->references, .signals = t->rest_signals, .sensed = t->leader_sensed};
        if (!ff_twin_sync_get_answer(&t->sync, t->written, &answer)) return;
        write_row(t, answer.sensed, answer.references, NULL);
    }
}

// ------------------------------------------------------------------------------------------ the twin's thread

static void set_flag(ff_far_twin *t, bool *flag)
{
    pthread_mutex_lock(&t->turn);
    *flag = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->turn);
}

static ff_status bind_twin(void *context, const ff_interface *robot, ff_error *err)
{
    ff_far_twin *t = context;
    if (robot->lockstep != t->leader.lockstep)
        return ff_error_set(err, FF_BAD_ARGUMENT, "one of the robots runs in real time, the other in lockstep");
    if (robot->period != t->leader.period)
        return ff_error_set(err, FF_BAD_ARGUMENT, "the leader has a period of %g s, the twin one of %g s",
                            t->leader.period, robot->period);
    set_flag(t, &t->connected);
    return FF_OK;
}

static void follow(void *context, double time, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_far_twin *t = context;
    (void)time;
    const int64_t number = t->cycles++;
    ff_answer answer = {.references = references, .signals = t->signals, .sensed = t->sensed};
    if (!ff_twin_sync_get_answer(&t->sync, number, &answer)) {
        if (t->leader.lockstep) atomic_store(&t->quit, true); // the leader has finished before
        return;
    }
    t->conditions = answer.conditions;
    pthread_mutex_lock(&t->turn);
    copy_items(sensors, t->twin_sensed);
    t->fresh = true;
    if (t->leader.lockstep && t->written == number) write_row(t, answer.sensed, references, t->twin_sensed);
    pthread_mutex_unlock(&t->turn);
}

static bool must_stop(void *context)
{
    const ff_far_twin *t = context;
    const ff_link_options *o = &t->setup.options;
    return atomic_load(&t->quit) || atomic_load(&t->sync.twin_over) || (o->stop && o->stop(o->context));
}

/// Why the twin was disconnected, if neither wire nor user ended the link.
static void set_reason(ff_far_twin *t, bool given_up)
{
    const ff_link_options *o = &t->setup.options;
    if (t->status != FF_STOPPED || (o->stop && o->stop(o->context))) return;
    if (given_up)
        ff_error_set(&t->err, FF_STOPPED, "no progress for %g s", t->sync.timeout);
    else if (atomic_load(&t->quit))
        ff_error_set(&t->err, FF_STOPPED, "the leader finished first");
}

static void *run_twin(void *context)
{
    ff_far_twin *t = context;
    const ff_interface interface = {
        .sensors = t->setup.sensors, .references = t->setup.references, .signals = t->setup.signals};
    const ff_link_controller controller = {.context = t,
                                           .bind = bind_twin,
                                           .cycle = follow,
                                           .signals = t->signals,
                                           .nsignal = t->setup.signals.count,
                                           .conditions = &t->conditions};
    ff_link_options options = t->setup.options;
    options.stop = must_stop;
    options.context = t;
    options.timing = NULL; // that of the leader counts
    t->status = ff_link_control(t->setup.wire, &interface, &options, &controller, &t->result.counts, &t->err);
    set_reason(t, atomic_load(&t->sync.twin_over));
    ff_twin_sync_finish(&t->sync, &t->sync.twin_over);
    set_flag(t, &t->failed);
    return NULL;
}

// ------------------------------------------------------------------------------------------ the leader's thread

static ff_status bind_leader(void *context, const ff_interface *robot, ff_error *err)
{
    ff_far_twin *t = context;
    const ff_link_controller *own = &t->setup.controller;
    const ff_status status = own->bind ? own->bind(own->context, robot, err) : FF_OK;
    if (status != FF_OK) return status;
    t->leader = (ff_interface){.period = robot->period, .lockstep = robot->lockstep};
    t->sync.newest = !robot->lockstep;
    t->joined = pthread_create(&t->thread, NULL, run_twin, t) != 0;
    if (t->joined) return ff_error_set(err, FF_LIMIT, "cannot create the thread of the twin");
    pthread_mutex_lock(&t->turn);
    while (!t->connected && !t->failed) pthread_cond_wait(&t->changed, &t->turn);
    const bool connected = t->connected;
    pthread_mutex_unlock(&t->turn);
    return connected ? FF_OK : ff_error_set(err, t->status, "the twin: %.200s", t->err.text);
}

/// Due to different clocks of two machines the twin finishes some time after the leader: until then it gets the last
/// answer.
static void await_twin(ff_far_twin *t)
{
    const struct timespec span = {0, 10000000}; // 10 ms
    for (double waited = 0.0; waited < t->setup.options.timeout; waited += 0.01) {
        if (t->joined || atomic_load(&t->sync.twin_over)) return;
        nanosleep(&span, NULL);
    }
}

static void cycle(void *context, double time, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_far_twin *t = context;
    const ff_link_controller *own = &t->setup.controller;
    double *sensed = t->leader_sensed;
    own->cycle(own->context, time, sensors, references);
    sensed[0] = time;
    copy_items(sensors, sensed + 1);
    const ff_answer answer = {.references = references,
                              .signals = (double *)own->signals,
                              .sensed = sensed,
                              .conditions = own->conditions ? *own->conditions : 0};
    t->result.cycles++;
    const bool over = atomic_load(&t->sync.twin_over);
    ff_twin_sync_put_answer(&t->sync, &answer);
    pthread_mutex_lock(&t->turn);
    if (t->leader.lockstep && over)
        write_remaining(t);
    else if (!t->leader.lockstep)
        write_row(t, sensed, references, t->fresh ? t->twin_sensed : NULL);
    pthread_mutex_unlock(&t->turn);
}

#endif

// ------------------------------------------------------------------------------------------ begin and end

ff_far_twin *ff_far_twin_create(const ff_far_twin_setup *setup, ff_error *err)
{
#ifdef FF_WITH_THREADS
    ff_far_twin *t = calloc(1, sizeof *t);
    if (!t) return ff_error_set(err, FF_NO_MEMORY, "out of memory"), NULL;
    t->setup = *setup;
    t->joined = true;
    t->missing = NAN;
    pthread_mutex_init(&t->turn, NULL);
    pthread_cond_init(&t->changed, NULL);
    t->leader_sensed = FF_ARENA_NEW(&t->arena, double, setup->sensors.count + 2);
    ff_status status = make_rows(t, err);
    if (status == FF_OK &&
        !ff_twin_sync_make(&t->sync, setup->references.count, setup->signals.count, setup->sensors.count + 1, 0))
        status = ff_error_set(err, FF_NO_MEMORY, "out of memory");
    t->sync.timeout = 0.5 * setup->options.timeout; // less than that of the leader's robot
    if (status == FF_OK) {
        ff_io_init(t->references, &setup->references);
        return t;
    }
    ff_far_twin_destroy(t);
    return NULL;
#else
    (void)setup;
    return ff_error_set(err, FF_NOT_BUILT, "a twin needs threads: this library was built without"), NULL;
#endif
}

ff_link_controller ff_far_twin_controller(ff_far_twin *t)
{
#ifdef FF_WITH_THREADS
    ff_link_controller out = t->setup.controller;
    out.context = t;
    out.bind = bind_leader;
    out.cycle = cycle;
    return out;
#else
    return t->setup.controller;
#endif
}

const ff_far_twin_result *ff_far_twin_end(ff_far_twin *t, ff_status leader)
{
    ff_far_twin_result *r = &t->result;
#ifdef FF_WITH_THREADS
    const bool over = atomic_load(&t->sync.twin_over);
    if (leader == FF_OK && !t->leader.lockstep) await_twin(t);
    if (leader != FF_OK || !t->leader.lockstep) atomic_store(&t->quit, true);
    ff_twin_sync_finish(&t->sync, &t->sync.leader_over);
    if (!t->joined) pthread_join(t->thread, NULL);
    t->joined = true;
    if (t->leader.lockstep) write_remaining(t);
    // in real time the twin's last frame may arrive shortly after the leader's last cycle, which is not a loss
    r->lost = t->leader.lockstep || over || t->status != FF_OK ? t->missing : NAN;
#else
    (void)leader;
#endif
    r->status = t->status;
    r->why = t->err.text;
    r->time = t->leader_sensed[0];
    r->alone = t->alone;
    r->channels = t->channels;
    r->nchannel = t->setup.sensors.count;
    for (int i = 0; i < r->nchannel; i++) {
        ff_twin_channel *c = &t->channels[i];
        c->rms = c->samples > 0 ? sqrt(t->sums[i] / (double)c->samples) : NAN;
    }
    const char *text = ff_far_twin_describe(r, &t->arena);
    r->text = text ? text : "";
    return r;
}

void ff_far_twin_destroy(ff_far_twin *t)
{
    if (!t) return;
    if (t->sync.made) ff_far_twin_end(t, FF_STOPPED);
    ff_twin_sync_clear(&t->sync);
#ifdef FF_WITH_THREADS
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->turn);
#endif
    ff_arena_clear(&t->arena);
    free(t);
}
