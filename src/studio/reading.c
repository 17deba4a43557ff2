// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests that only read files (lists, checks of scenes with all their variants) take from milliseconds to minutes.
// They are executed in separate threads, at most one for each client and READERS in all, so that neither the simulation
// nor another client waits for them. One of these threads is reserved for lists and outlines, as checks take longest:
//
//     request -> waits for a free thread, clients in turn -> a thread reads -> answer
//
// A thread shares no data with others except its own copies. It stops (ff_stop) once its client has disconnected or the
// workbench quits.
#include "workbench_inner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { READERS = 4, CHECKERS = 3 }; // each may need memory for a scene and a run of it

struct ff_bench_reading {
    ff_workbench *bench; // to check whether it quits, and to wake it
    ff_bench_request request;
    ff_unsaved_texts unsaved; // unsaved texts of the loaded scene and of the request
    ff_text_fence fence;
    bool started; // its thread has started
    atomic_bool ended;
    pthread_t thread;
    ff_status status;
    ff_error err;
};

static bool is_cancelled(void *context)
{
    ff_bench_reading *r = context;
    return atomic_load(&r->bench->quit) || ff_bench_client_has_left(r->bench, &r->request);
}

static void *read_files(void *context)
{
    ff_bench_reading *r = context;
    const ff_stop stop = {is_cancelled, r};
    ff_text_set_fence(&r->fence);
    ff_stop_set(&stop);
    if (!is_cancelled(r)) r->status = r->request.reader(r->bench, &r->request, &r->err);
    ff_text_set_fence(NULL);
    ff_stop_set(NULL);
    atomic_store(&r->ended, true);
    ff_bench_wake(r->bench, &r->bench->reading_done);
    return NULL;
}

static void drop(ff_workbench *b, int client)
{
    ff_bench_reading *r = b->clients[client].reading;
    b->clients[client].reading = NULL;
    ff_unsaved_clear(&r->unsaved);
    free(r);
}

static void answer(ff_workbench *b, int client)
{
    ff_bench_reading *r = b->clients[client].reading;
    ff_bench_answer(b, &r->request, r->status, &r->err);
    drop(b, client);
}

/// Starts threads for waiting requests; the clients take turns.
static void start_waiting(ff_workbench *b)
{
    for (int i = 0; i < FF_WORKBENCH_CLIENTS && b->nreading < READERS; i++) {
        const int client = (b->reading_turn + i) % FF_WORKBENCH_CLIENTS;
        ff_bench_reading *r = b->clients[client].reading;
        if (!r || r->started || (r->request.checks && b->nchecking == CHECKERS)) continue;
        r->started = pthread_create(&r->thread, NULL, read_files, r) == 0;
        if (r->started) {
            b->nreading++;
            b->nchecking += r->request.checks;
            b->reading_turn = client + 1;
        } else {
            r->status = ff_error_set(&r->err, FF_NO_MEMORY, "no thread to read files: %s", strerror(errno));
            answer(b, client);
        }
    }
}

static bool copy_unsaved(const ff_unsaved_texts *from, ff_unsaved_texts *to)
{
    for (int i = 0; i < from->count; i++)
        if (!ff_unsaved_add(to, from->items[i].path, from->items[i].text, from->items[i].length)) return false;
    return true;
}

ff_status ff_reading_begin(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    ff_bench_reading *r = calloc(1, sizeof *r);
    if (!r || !copy_unsaved(&b->unsaved, &r->unsaved) || !copy_unsaved(&q->unsaved, &r->unsaved)) {
        if (r) ff_unsaved_clear(&r->unsaved);
        free(r);
        return ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
    }
    r->bench = b;
    r->request = *q;
    r->fence = (ff_text_fence){.root = b->root};
    ff_unsaved_set_fence(&r->unsaved, &r->fence);
    q->deferred = true;
    b->clients[q->client].reading = r;
    start_waiting(b);
    return FF_OK;
}

void ff_reading_answer(ff_workbench *b)
{
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) {
        ff_bench_reading *r = b->clients[i].reading;
        if (!r || !r->started || !atomic_load(&r->ended)) continue;
        pthread_join(r->thread, NULL);
        b->nreading--;
        b->nchecking -= r->request.checks;
        answer(b, i);
    }
    start_waiting(b);
}

void ff_reading_end(ff_workbench *b)
{
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) {
        ff_bench_reading *r = b->clients[i].reading;
        if (!r) continue;
        if (r->started) pthread_join(r->thread, NULL);
        ff_bench_request_drop(&r->request);
        drop(b, i);
    }
}
