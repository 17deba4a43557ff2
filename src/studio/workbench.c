// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The two threads of the workbench and what lies between them: a queue of letters (requests, clients that come and go)
// and the newest frame. Both locks are held for a copy of some kilobytes at most, so that neither thread ever waits for
// the work of the other.
//
//     requests -> a slice of the simulation (1/60 s of the clock) -> a frame -> sleep until the next is due, or a
//         letter comes
#include "workbench_inner.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef enum letter_kind { REQUEST, JOINED, LEFT } letter_kind;

struct ff_bench_letter {
    ff_bench_letter *next;
    letter_kind kind;
    int client;
    unsigned epoch; // of the client
    size_t length;
    char text[]; // zero-terminated
};

double ff_bench_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ------------------------------------------------------------------------------------------ the queue

static ff_status post(ff_workbench *b, letter_kind kind, int client, const char *text, size_t length, ff_error *err)
{
    if (client < 0 || client >= FF_WORKBENCH_CLIENTS)
        return ff_error_set(err, FF_BAD_ARGUMENT, "no client %d: they go from 0 to %d", client,
                            FF_WORKBENCH_CLIENTS - 1);
    if (length > FF_WORKBENCH_REQUEST)
        return ff_error_set(err, FF_LIMIT, "a request of %zu bytes: at most %zu", length, FF_WORKBENCH_REQUEST);
    ff_bench_letter *letter = malloc(sizeof *letter + length + 1);
    if (!letter) return ff_error_set(err, FF_NO_MEMORY, "no memory for a request");
    letter->next = NULL;
    letter->kind = kind;
    letter->client = client;
    letter->length = length;
    if (length > 0) memcpy(letter->text, text, length);
    letter->text[length] = 0;
    pthread_mutex_lock(&b->lock);
    letter->epoch = kind == LEFT ? ++b->epochs[client] : b->epochs[client];
    const bool full = kind == REQUEST && b->waiting >= FF_WORKBENCH_QUEUE;
    if (!full) {
        if (b->last)
            b->last->next = letter;
        else
            b->first = letter;
        b->last = letter;
        b->waiting += kind == REQUEST;
        atomic_store(&b->pending, true);
        pthread_cond_signal(&b->wake);
    }
    pthread_mutex_unlock(&b->lock);
    if (!full) return FF_OK;
    free(letter);
    return ff_error_set(err, FF_LIMIT, "%d requests wait already: the simulation is busy", FF_WORKBENCH_QUEUE);
}

ff_status ff_workbench_ask(ff_workbench *b, int client, const char *json, size_t length, ff_error *err)
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

void ff_bench_wake(ff_workbench *b)
{
    pthread_mutex_lock(&b->lock);
    atomic_store(&b->saved, true);
    pthread_cond_signal(&b->wake);
    pthread_mutex_unlock(&b->lock);
}

static ff_bench_letter *take_letter(ff_workbench *b)
{
    pthread_mutex_lock(&b->lock);
    ff_bench_letter *letter = b->first;
    if (letter) {
        b->first = letter->next;
        if (!b->first) b->last = NULL;
        b->waiting -= letter->kind == REQUEST;
    }
    if (!b->first) atomic_store(&b->pending, false);
    pthread_mutex_unlock(&b->lock);
    return letter;
}

// ------------------------------------------------------------------------------------------ clients

static void leave(ff_workbench *b, int number)
{
    ff_bench_client *client = &b->clients[number];
    if (!client->here) return;
    client->here = false;
    b->nclient--;
    ff_watch_clear(b, client);
    ff_bench_end_pull(b, number);
    ff_bench_show_camera(b, client, -1, NULL);
    ff_bench_tell_state(b);
}

static void join(ff_workbench *b, int number, unsigned epoch)
{
    ff_bench_client *client = &b->clients[number];
    leave(b, number); // of a server that lost count
    client->here = true;
    client->camera = -1;
    pthread_mutex_lock(&b->out);
    client->sent = client->picture = 0;
    client->shown = -1;
    pthread_mutex_unlock(&b->out);
    b->nclient++;
    b->changed = true;
    if (b->stage.scene) ff_bench_say(b, number, epoch, ff_bench_scene_event(b));
    ff_bench_tell_state(b);
}

/// All that wait, but for no longer than a frame: a page that asks without end must not stop the simulation.
static void read_letters(ff_workbench *b)
{
    const double until = ff_bench_clock() + 1.0 / FF_BENCH_FRAME_HZ;
    ff_bench_letter *letter;
    while (!atomic_load(&b->quit) && ff_bench_clock() < until && (letter = take_letter(b))) {
        if (letter->kind == LEFT)
            leave(b, letter->client);
        else if (letter->kind == JOINED)
            join(b, letter->client, letter->epoch);
        else
            ff_bench_serve(b, letter->client, letter->epoch, letter->text, letter->length);
        free(letter);
    }
}

// ------------------------------------------------------------------------------------------ the thread

/// Sleeps until the next slice or frame is due; without either until a letter comes.
static void wait_for_work(ff_workbench *b)
{
    const double until = ff_stage_next(b);
    pthread_mutex_lock(&b->lock);
    if (!b->first && !atomic_load(&b->quit) && !atomic_load(&b->saved)) {
        if (isfinite(until)) {
            const struct timespec at = {(time_t)floor(until), (long)(1e9 * (until - floor(until)))};
            if (until > ff_bench_clock()) pthread_cond_timedwait(&b->wake, &b->lock, &at);
        } else {
            pthread_cond_wait(&b->wake, &b->lock);
        }
    }
    pthread_mutex_unlock(&b->lock);
}

static void *work(void *context)
{
    ff_workbench *b = context;
    ff_text_set_fence(&b->fence);
    while (!atomic_load(&b->quit)) {
        read_letters(b);
        if (atomic_exchange(&b->saved, false)) ff_keep_answer(b);
        ff_stage_slice(b);
        ff_bench_publish(b);
        if (!ff_keep_copy(b)) wait_for_work(b);
    }
    ff_text_set_fence(NULL);
    return NULL;
}

// ------------------------------------------------------------------------------------------ beginning and end

static bool make_clock(pthread_cond_t *wake)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) return false;
    const bool made =
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 && pthread_cond_init(wake, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return made;
}

static void free_bench(ff_workbench *b)
{
    ff_bench_letter *letter;
    while ((letter = take_letter(b))) free(letter);
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) {
        ff_watch_clear(b, &b->clients[i]);
        free(b->clients[i].camera_name);
    }
    ff_bench_drop_meshes(b);
    ff_stage_clear(&b->stage);
    ff_bench_drop_stand_ins(&b->stand_ins);
    free(b->frame);
    free(b->draft);
    for (int i = 0; i < FF_BENCH_CAMERAS; i++) free(b->pictures[i].bytes);
    pthread_cond_destroy(&b->wake);
    pthread_mutex_destroy(&b->lock);
    pthread_mutex_destroy(&b->out);
    free(b->root);
    free(b);
}

ff_workbench *ff_workbench_create(const char *root, const ff_workbench_ear *ear, ff_error *err)
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
    b->fence.root = real;
    b->ear = *ear;
    pthread_mutex_init(&b->lock, NULL);
    pthread_mutex_init(&b->out, NULL);
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) b->clients[i].camera = b->clients[i].shown = -1;
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
    ff_keep_end(b);
    free_bench(b);
}
