// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulation thread of the workbench and the data that it shares with the network thread: for each client a queue
// of entries (requests, connecting, disconnecting), and the newest frame. Locks are held only while some kilobytes are
// copied, so that neither thread waits for the work of the other. Clients are served in turn, one entry each, so that
// a client with many requests delays only itself. Requests that only read files have separate threads (reading.c).
//
//     requests -> a slice of the simulation (1/60 s of the clock) -> a frame -> sleep until the next slice or entry
#include "workbench_inner.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef enum entry_kind { REQUEST, JOINED, LEFT } entry_kind;

struct ff_bench_entry {
    ff_bench_entry *next;
    entry_kind kind;
    int client;
    unsigned epoch; // of the client
    size_t length;
    char text[]; // zero-terminated
};

// ------------------------------------------------------------------------------------------ the queue

static ff_status post(ff_workbench *b, entry_kind kind, int client, const char *text, size_t length, ff_error *err)
{
    if (client < 0 || client >= FF_WORKBENCH_CLIENTS)
        return ff_error_set(err, FF_BAD_ARGUMENT, "no client %d: expected 0 to %d", client, FF_WORKBENCH_CLIENTS - 1);
    if (length > FF_WORKBENCH_REQUEST)
        return ff_error_set(err, FF_LIMIT, "a request of %zu bytes: the limit is %zu", length, FF_WORKBENCH_REQUEST);
    ff_bench_entry *entry = malloc(sizeof *entry + length + 1);
    if (!entry) return ff_error_set(err, FF_NO_MEMORY, "no memory for a request");
    entry->next = NULL;
    entry->kind = kind;
    entry->client = client;
    entry->length = length;
    if (length > 0) memcpy(entry->text, text, length);
    entry->text[length] = 0;
    ff_bench_queue *queue = &b->queues[client];
    pthread_mutex_lock(&b->lock);
    entry->epoch = kind == LEFT ? ++queue->epoch : queue->epoch;
    const int waiting = queue->waiting;
    const bool full = kind == REQUEST &&
                      (waiting >= FF_WORKBENCH_QUEUE || (waiting > 0 && queue->bytes + length > FF_WORKBENCH_WAITING));
    if (!full) {
        if (queue->last)
            queue->last->next = entry;
        else
            queue->first = entry;
        queue->last = entry;
        queue->waiting += kind == REQUEST;
        queue->bytes += length;
        atomic_store(&b->pending, true);
        pthread_cond_signal(&b->wake);
    }
    pthread_mutex_unlock(&b->lock);
    if (!full) return FF_OK;
    free(entry);
    return ff_error_set(err, FF_LIMIT, "%d pending requests of this page: the simulation is busy", waiting);
}

ff_status ff_workbench_request(ff_workbench *b, int client, const char *json, size_t length, ff_error *err)
{
    return post(b, REQUEST, client, json, length, err);
}

ff_status ff_workbench_joined(ff_workbench *b, int client, ff_error *err)
{
    return post(b, JOINED, client, NULL, 0, err);
}

void ff_workbench_left(ff_workbench *b, int client)
{
    post(b, LEFT, client, NULL, 0, NULL);
}

/// The next client in turn with an entry in its queue and without a reading in progress; -1: none.
static int next_client(const ff_workbench *b)
{
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) {
        const int client = (b->turn + i) % FF_WORKBENCH_CLIENTS;
        if (b->queues[client].first && !b->clients[client].reading) return client;
    }
    return -1;
}

static ff_bench_entry *take_entry(ff_workbench *b)
{
    pthread_mutex_lock(&b->lock);
    const int client = next_client(b);
    ff_bench_queue *queue = client >= 0 ? &b->queues[client] : NULL;
    ff_bench_entry *entry = queue ? queue->first : NULL;
    if (entry) {
        queue->first = entry->next;
        if (!queue->first) queue->last = NULL;
        queue->waiting -= entry->kind == REQUEST;
        queue->bytes -= entry->length;
        b->turn = (client + 1) % FF_WORKBENCH_CLIENTS;
    }
    if (next_client(b) < 0) atomic_store(&b->pending, false);
    pthread_mutex_unlock(&b->lock);
    return entry;
}

// ------------------------------------------------------------------------------------------ clients

static void remove_client(ff_workbench *b, int number)
{
    ff_bench_client *client = &b->clients[number];
    if (!client->connected) return;
    client->connected = false;
    b->nclient--;
    ff_watch_clear(b, client);
    ff_bench_end_pull(b, number);
    ff_certifying_cancel(b, number);
    ff_bench_show_camera(b, client, -1, NULL);
    ff_bench_send_state(b);
}

static void add_client(ff_workbench *b, int number, unsigned epoch)
{
    ff_bench_client *client = &b->clients[number];
    remove_client(b, number); // if the server did not report that it had disconnected
    client->connected = true;
    client->camera = -1;
    pthread_mutex_lock(&b->out_lock);
    client->sent = client->picture = client->batch = 0;
    client->sent_camera = -1;
    client->wants_batch = false;
    pthread_mutex_unlock(&b->out_lock);
    b->nclient++;
    b->changed = true;
    if (b->scene.spec) ff_bench_send(b, number, epoch, ff_bench_scene_event(b));
    if (b->batch_state) ff_bench_send(b, number, epoch, strdup(b->batch_state));
    ff_bench_send_state(b);
}

/// Handles all entries, but for no longer than a frame: a page with many requests must not stop the simulation.
static void read_queue(ff_workbench *b)
{
    const double until = ff_bench_clock() + 1.0 / FF_BENCH_FRAME_HZ;
    ff_bench_entry *entry;
    while (!atomic_load(&b->quit) && ff_bench_clock() < until && (entry = take_entry(b))) {
        if (entry->kind == LEFT)
            remove_client(b, entry->client);
        else if (entry->kind == JOINED)
            add_client(b, entry->client, entry->epoch);
        else
            ff_bench_serve(b, entry->client, entry->epoch, entry->text, entry->length);
        free(entry);
    }
}

// ------------------------------------------------------------------------------------------ the thread

/// Sleeps until the next slice or frame is due; without either until there is an entry.
static void wait_for_work(ff_workbench *b)
{
    const double until = ff_bench_next_due(b);
    pthread_mutex_lock(&b->lock);
    if (next_client(b) < 0 && !atomic_load(&b->quit) && !atomic_load(&b->saving_done) &&
        !atomic_load(&b->reading_done) && !atomic_load(&b->certifying_done) && !atomic_load(&b->batch_event_due)) {
        if (isfinite(until)) {
            const struct timespec at = {(time_t)floor(until), (long)(1e9 * (until - floor(until)))};
            if (until > ff_bench_clock()) pthread_cond_timedwait(&b->wake, &b->lock, &at);
        } else {
            pthread_cond_wait(&b->wake, &b->lock);
        }
    }
    pthread_mutex_unlock(&b->lock);
}

/// Work in the simulation thread is interrupted when its client has left or the workbench quits.
static bool is_cancelled(void *context)
{
    ff_workbench *b = context;
    return atomic_load(&b->quit) || (b->current_request && ff_bench_client_has_left(b, b->current_request));
}

static void *work(void *context)
{
    ff_workbench *b = context;
    const ff_stop stop = {is_cancelled, b};
    ff_text_set_fence(&b->fence);
    ff_stop_set(&stop);
    while (!atomic_load(&b->quit)) {
        read_queue(b);
        if (atomic_exchange(&b->saving_done, false)) ff_saving_answer(b);
        if (atomic_exchange(&b->reading_done, false)) ff_reading_answer(b);
        if (atomic_exchange(&b->certifying_done, false)) ff_certifying_answer(b);
        if (atomic_exchange(&b->batch_event_due, false)) ff_batching_answer(b);
        ff_bench_run_slice(b);
        ff_bench_publish(b);
        if (!ff_saving_copy(b)) wait_for_work(b);
    }
    ff_text_set_fence(NULL);
    ff_stop_set(NULL);
    return NULL;
}

// ------------------------------------------------------------------------------------------ beginning and end

static bool make_clock(pthread_cond_t *wake)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) return false;
    const bool created =
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 && pthread_cond_init(wake, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return created;
}

static void free_bench(ff_workbench *b)
{
    ff_bench_entry *entry;
    while ((entry = take_entry(b))) free(entry);
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) {
        ff_watch_clear(b, &b->clients[i]);
        free(b->clients[i].camera_name);
    }
    ff_bench_drop_meshes(b);
    ff_bench_unload(&b->scene);
    ff_unsaved_clear(&b->unsaved);
    free(b->frame);
    free(b->draft);
    free(b->batch_frame);
    for (int i = 0; i < FF_BENCH_CAMERAS; i++) free(b->pictures[i].bytes);
    pthread_cond_destroy(&b->wake);
    pthread_mutex_destroy(&b->lock);
    pthread_mutex_destroy(&b->out_lock);
    free(b->root);
    free(b);
}

ff_workbench *ff_workbench_create(const char *root, const ff_workbench_sink *sink, ff_error *err)
{
    struct stat info;
    char *real = realpath(root, NULL);
    if (!real || stat(real, &info) != 0 || !S_ISDIR(info.st_mode)) {
        ff_error_set(err, FF_NOT_FOUND, "%s: %s", root, real ? "not a folder" : strerror(errno));
        free(real);
        return NULL;
    }
    ff_workbench *b = calloc(1, sizeof *b);
    if (!b || !make_clock(&b->wake)) {
        free(b);
        free(real);
        ff_error_set(err, FF_NO_MEMORY, "no memory for a workbench");
        return NULL;
    }
    b->root = real;
    b->fence = (ff_text_fence){.root = real};
    b->sink = *sink;
    pthread_mutex_init(&b->lock, NULL);
    pthread_mutex_init(&b->out_lock, NULL);
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) b->clients[i].camera = b->clients[i].sent_camera = -1;
    if (pthread_create(&b->thread, NULL, work, b) == 0) return b;
    atomic_store(&b->quit, true);
    ff_error_set(err, FF_NO_MEMORY, "no thread for the simulation: %s", strerror(errno));
    free_bench(b);
    return NULL;
}

void ff_workbench_destroy(ff_workbench *b)
{
    if (!b) return;
    atomic_store(&b->quit, true);
    pthread_mutex_lock(&b->lock);
    pthread_cond_signal(&b->wake);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->thread, NULL);
    ff_reading_end(b);
    ff_saving_end(b);
    ff_certifying_end(b);
    ff_batching_end(b);
    free_bench(b);
}
