// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests that only read files (lists, checks of scenes with all their variants) take from milliseconds to minutes.
// They have threads of their own, one for a client at a time and READERS together, so that neither the simulation nor
// another client waits for them. Checks, which take longest, leave one of these threads to lists and outlines:
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
    ff_bench_stand_ins stand_ins; // unsaved texts of the loaded scene and of the request
    ff_text_fence fence;
    bool begun; // its thread has started
    atomic_bool ended;
    pthread_t thread;
    ff_status status;
    ff_error err;
};

static bool is_over(void *context)
{
    ff_bench_reading *r = context;
    return atomic_load(&r->bench->quit) || ff_bench_is_gone(r->bench, &r->request);
}

static void *read_files(void *context)
{
    ff_bench_reading *r = context;
    const ff_stop stop = {is_over, r};
    ff_text_set_fence(&r->fence);
    ff_stop_set(&stop);
    if (!is_over(r)) r->status = r->request.later(r->bench, &r->request, &r->err);
    ff_text_set_fence(NULL);
    ff_stop_set(NULL);
    atomic_store(&r->ended, true);
    ff_bench_wake(r->bench, &r->bench->read);
    return NULL;
}

static void drop(ff_workbench *b, int client)
{
    ff_bench_reading *r = b->clients[client].reading;
    b->clients[client].reading = NULL;
    ff_bench_drop_stand_ins(&r->stand_ins);
    free(r);
}

static void answer(ff_workbench *b, int client)
{
    ff_bench_reading *r = b->clients[client].reading;
    ff_bench_answer(b, &r->request, r->status, &r->err);
    drop(b, client);
}

/// Starts threads for waiting requests, clients in turn.
static void begin_some(ff_workbench *b)
{
    for (int i = 0; i < FF_WORKBENCH_CLIENTS && b->nreading < READERS; i++) {
        const int client = (b->reading_turn + i) % FF_WORKBENCH_CLIENTS;
        ff_bench_reading *r = b->clients[client].reading;
        if (!r || r->begun || (r->request.checks && b->nchecking == CHECKERS)) continue;
        r->begun = pthread_create(&r->thread, NULL, read_files, r) == 0;
        if (r->begun) {
            b->nreading++;
            b->nchecking += r->request.checks;
            b->reading_turn = client + 1;
        } else {
            r->status = ff_error_set(&r->err, FF_NO_MEMORY, "no thread to read files: %s", strerror(errno));
            answer(b, client);
        }
    }
}

static bool copy_stand_ins(const ff_bench_stand_ins *from, ff_bench_stand_ins *to)
{
    for (int i = 0; i < from->count; i++)
        if (!ff_stand_ins_add(to, from->items[i].path, from->items[i].text, from->items[i].length)) return false;
    return true;
}

ff_status ff_reading_begin(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    ff_bench_reading *r = calloc(1, sizeof *r);
    if (!r || !copy_stand_ins(&b->stand_ins, &r->stand_ins) || !copy_stand_ins(&q->unsaved, &r->stand_ins)) {
        if (r) ff_bench_drop_stand_ins(&r->stand_ins);
        free(r);
        return ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
    }
    r->bench = b;
    r->request = *q;
    r->fence = (ff_text_fence){.root = b->root};
    ff_stand_ins_join(&r->stand_ins, &r->fence);
    q->taken = true;
    b->clients[q->client].reading = r;
    begin_some(b);
    return FF_OK;
}

void ff_reading_answer(ff_workbench *b)
{
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) {
        ff_bench_reading *r = b->clients[i].reading;
        if (!r || !r->begun || !atomic_load(&r->ended)) continue;
        pthread_join(r->thread, NULL);
        b->nreading--;
        b->nchecking -= r->request.checks;
        answer(b, i);
    }
    begin_some(b);
}

void ff_reading_end(ff_workbench *b)
{
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) {
        ff_bench_reading *r = b->clients[i].reading;
        if (!r) continue;
        if (r->begun) pthread_join(r->thread, NULL);
        ff_bench_request_drop(&r->request);
        drop(b, i);
    }
}
