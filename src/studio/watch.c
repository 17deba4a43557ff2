// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of channels that clients watch. A row is sampled after the first step at or beyond its due time, so that
// watching shortens no step. It waits in memory of the simulation thread until the next frame, and then in a ring of
// limited size, from which the oldest rows are dropped if a client is slow.
#include "workbench_inner.h"

#include "record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 2048, NAMES_MOST = 256, ROW_MOST = 4096 };
static const size_t RING_BYTES = (size_t)512 << 10;
static const double SLACK = 1e-6; // in periods: by rounding, a step may end slightly before the time of a row

/// Discards rows of the old layout.
static void clear_rows(ff_workbench *b, ff_bench_client *client)
{
    ff_bench_watch *w = &client->watch;
    free(w->channels);
    free(w->fresh);
    w->channels = NULL;
    w->fresh = NULL;
    w->nchannel = w->columns = w->nfresh = w->fresh_size = 0;
    w->needs_forces = false;
    w->last_time = NAN;
    pthread_mutex_lock(&b->out_lock);
    free(client->ring);
    client->ring = NULL;
    client->ring_size = client->ring_first = client->ring_count = client->ring_width = 0;
    client->dropped = 0;
    pthread_mutex_unlock(&b->out_lock);
}

void ff_watch_clear(ff_workbench *b, ff_bench_client *client)
{
    clear_rows(b, client);
    ff_bench_free_texts(client->watch.names, client->watch.nname);
    client->watch.names = NULL;
    client->watch.nname = 0;
}

/// Adds the channels of that name to those that are watched. @return their number
static int add_channels(ff_bench_watch *w, const ff_channel *all, int count, const char *name)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(all[i].name, name) != 0) continue;
        found++;
        bool known = false;
        for (int k = 0; k < w->nchannel; k++) known = known || w->channels[k] == i;
        if (known || w->columns + all[i].width > COLUMNS_MOST) continue;
        w->channels[w->nchannel++] = i;
        w->columns += all[i].width;
        w->needs_forces = w->needs_forces || all[i].needs_forces;
    }
    return found;
}

static bool make_rows(ff_workbench *b, ff_bench_client *client)
{
    ff_bench_watch *w = &client->watch;
    const int width = 1 + w->columns;
    int rows = (int)(RING_BYTES / ((size_t)width * sizeof(float)));
    if (rows > ROW_MOST) rows = ROW_MOST;
    float *ring = calloc((size_t)rows * (size_t)width, sizeof *ring);
    w->fresh = calloc((size_t)rows * (size_t)width, sizeof *w->fresh);
    w->fresh_size = rows;
    pthread_mutex_lock(&b->out_lock);
    client->ring = ring;
    client->ring_size = rows;
    client->ring_width = width;
    pthread_mutex_unlock(&b->out_lock);
    return ring && w->fresh;
}

static float as_float(double value)
{
    const float f = (float)value;
    return isfinite(f) ? f : NAN;
}

/// Memory for a new row, of the time t.
static float *begin_row(ff_bench_watch *w, double t)
{
    if (w->nfresh == w->fresh_size) { // no frame has been published for a long time: the older half is dropped
        const int half = w->fresh_size / 2;
        memmove(w->fresh, w->fresh + (size_t)(w->nfresh - half) * (size_t)(1 + w->columns),
                (size_t)half * (size_t)(1 + w->columns) * sizeof *w->fresh);
        w->lost += (uint32_t)(w->nfresh - half);
        w->nfresh = half;
    }
    w->last_time = t;
    w->next = (floor(t / w->period + SLACK) + 1.0 - SLACK) * w->period;
    return w->fresh + (size_t)w->nfresh++ * (size_t)(1 + w->columns);
}

static void take_row(ff_bench_scene *s, ff_bench_watch *w, double t)
{
    double values[COLUMNS_MOST];
    int count = 0, n = 0;
    const ff_channel *all = ff_channel_catalogue(ff_run_sim(s->run), &count);
    float *row = begin_row(w, t);
    row[n++] = (float)t;
    for (int i = 0; i < w->nchannel; i++) {
        const ff_channel *c = &all[w->channels[i]];
        if (c->user_read)
            c->user_read(c->context, ff_run_sim(s->run), values);
        else
            c->read(c, ff_run_sim(s->run), values);
        for (int k = 0; k < c->width; k++) row[n++] = as_float(values[k]);
    }
}

/// Copies the last row of another client if it watches the same channels, as pages often do. @return whether it does
static bool copy_row(ff_bench_watch *w, const ff_bench_watch *source, double t)
{
    if (!source || source->nchannel != w->nchannel ||
        memcmp(source->channels, w->channels, (size_t)w->nchannel * sizeof *w->channels) != 0)
        return false;
    const size_t width = (size_t)(1 + w->columns);
    memcpy(begin_row(w, t), source->fresh + (size_t)(source->nfresh - 1) * width, width * sizeof *w->fresh);
    return true;
}

/// Computes the velocities of the present state or, for `forces`, its accelerations too.
static void evaluate(ff_bench_scene *s, bool forces)
{
    ff_error ignored = {0};
    if (forces)
        ff_sim_evaluate(ff_run_sim(s->run), FF_SIM_ACCELERATION, &ignored);
    else
        ff_sim_evaluate(ff_run_sim(s->run), FF_SIM_VELOCITY, NULL);
}

/// Finds the channels of the names that a client watches. Missing ones are named in `err` and omitted.
static ff_status bind(ff_workbench *b, ff_bench_client *client, ff_error *err)
{
    ff_bench_watch *w = &client->watch;
    ff_status status = FF_OK;
    int count = 0;
    clear_rows(b, client);
    if (!b->scene.spec || w->nname == 0) return FF_OK;
    const ff_channel *all = ff_channel_catalogue(ff_run_sim(b->scene.run), &count);
    w->channels = calloc((size_t)count + 1, sizeof *w->channels);
    if (!all || !w->channels) return ff_error_set(err, FF_NO_MEMORY, "no memory for the channels");
    for (int i = 0; i < w->nname; i++)
        if (add_channels(w, all, count, w->names[i]) == 0)
            status = ff_error_set(err, FF_NOT_FOUND, "no channel '%.100s' in this scene", w->names[i]);
    if (w->nchannel > 0 && !make_rows(b, client)) {
        clear_rows(b, client);
        return ff_error_set(err, FF_NO_MEMORY, "no memory for the rows");
    }
    const double t = ff_sim_time(ff_run_sim(b->scene.run));
    w->period = 1.0 / w->rate;
    w->next = t;
    if (w->nchannel > 0) { // the first row is at the present time
        evaluate(&b->scene, w->needs_forces);
        take_row(&b->scene, w, t);
    }
    b->scene.next_row = t;
    b->changed = true;
    return status;
}

ff_status ff_watch_set(ff_workbench *b, ff_bench_client *client, char **names, int nname, double rate, ff_error *err)
{
    if (nname > NAMES_MOST) {
        ff_bench_free_texts(names, nname);
        return ff_error_set(err, FF_LIMIT, "%d channels: at most %d can be watched", nname, NAMES_MOST);
    }
    ff_bench_watch before = client->watch;
    client->watch.names = names;
    client->watch.nname = nname;
    client->watch.rate = rate;
    const ff_status status = bind(b, client, err);
    if (status == FF_OK) {
        ff_bench_free_texts(before.names, before.nname);
        return FF_OK;
    }
    ff_error ignored = {0}; // an invalid name changes nothing
    ff_bench_free_texts(names, nname);
    client->watch.names = before.names;
    client->watch.nname = before.nname;
    client->watch.rate = before.rate;
    bind(b, client, &ignored);
    return status;
}

void ff_watch_rebind(ff_workbench *b, ff_bench_client *client)
{
    ff_error ignored = {0};
    bind(b, client, &ignored);
}

// ------------------------------------------------------------------------------------------ rows

double ff_watch_sample(ff_workbench *b, double t)
{
    double next = INFINITY;
    bool forces = false, is_due = false;
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) {
        const ff_bench_watch *w = &b->clients[i].watch;
        if (w->nchannel == 0 || t < w->next) continue;
        is_due = true;
        forces = forces || w->needs_forces;
    }
    if (is_due) evaluate(&b->scene, forces);
    const ff_bench_watch *last_read = NULL; // the last one read from the model at this time
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) {
        ff_bench_watch *w = &b->clients[i].watch;
        if (w->nchannel == 0) continue;
        if (t >= w->next && !copy_row(w, last_read, t)) {
            take_row(&b->scene, w, t);
            last_read = w;
        }
        next = ff_min(next, w->next);
    }
    return next;
}

void ff_watch_sample_now(ff_workbench *b)
{
    const double t = ff_sim_time(ff_run_sim(b->scene.run));
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) {
        ff_bench_watch *w = &b->clients[i].watch;
        if (w->nchannel == 0 || (w->last_time == t && !b->moved)) continue;
        evaluate(&b->scene, w->needs_forces);
        take_row(&b->scene, w, t);
    }
}

void ff_watch_publish(ff_bench_client *client)
{
    ff_bench_watch *w = &client->watch;
    const size_t width = (size_t)client->ring_width;
    for (int i = 0; client->ring && i < w->nfresh; i++) {
        const int at = (client->ring_first + client->ring_count) % client->ring_size;
        memcpy(client->ring + (size_t)at * width, w->fresh + (size_t)i * width, width * sizeof *client->ring);
        if (client->ring_count < client->ring_size) {
            client->ring_count++;
        } else {
            client->ring_first = (client->ring_first + 1) % client->ring_size;
            client->dropped++;
        }
    }
    client->dropped += w->lost;
    w->lost = 0;
    w->nfresh = 0;
}

/// Names and units of the columns.
void ff_watch_write(const ff_workbench *b, const ff_bench_client *client, ff_json *json)
{
    const ff_bench_watch *w = &client->watch;
    int count = 0;
    const ff_channel *all = ff_channel_catalogue(ff_run_sim(b->scene.run), &count);
    ff_json_begin_array(json, "columns", true);
    for (int i = 0; i < w->nchannel; i++) {
        const ff_channel *c = &all[w->channels[i]];
        for (int k = 0; k < c->width; k++) {
            char name[300];
            if (c->width == 1)
                snprintf(name, sizeof name, "%s", c->name);
            else if (c->names)
                snprintf(name, sizeof name, "%.150s.%.100s", c->name, c->names[k]);
            else
                snprintf(name, sizeof name, "%.150s.%d", c->name, k);
            ff_json_text(json, NULL, name);
        }
    }
    ff_json_end_array(json);
    ff_json_begin_array(json, "units", true);
    for (int i = 0; i < w->nchannel; i++)
        for (int k = 0; k < all[w->channels[i]].width; k++) ff_json_text(json, NULL, all[w->channels[i]].units);
    ff_json_end_array(json);
}
