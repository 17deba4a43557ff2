// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// See fake_bench.h.
#include "fake_bench.h"

#include "studio/workbench.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct ff_workbench {
    ff_workbench_sink sink;
    pthread_mutex_t lock;
    unsigned number; // of the newest frame
    size_t size;     // [byte]
    unsigned seen[FF_WORKBENCH_CLIENTS];
};

static ff_workbench *bench;
atomic_int fake_asked, fake_joined, fake_left, fake_full;
atomic_size_t fake_longest;
_Atomic(const char *) fake_report;

void fake_say(int client, size_t length)
{
    char *text = malloc(length + 1);
    if (!text) abort();
    memset(text, 'x', length);
    text[length] = '\0';
    bench->sink.send(bench->sink.context, client, text, length);
}

void fake_frame(size_t size)
{
    pthread_mutex_lock(&bench->lock);
    bench->number++;
    bench->size = size;
    pthread_mutex_unlock(&bench->lock);
    bench->sink.frame(bench->sink.context);
}

ff_workbench *ff_workbench_create(const char *root, const ff_workbench_sink *sink, ff_error *err)
{
    (void)root, (void)err;
    bench = calloc(1, sizeof *bench);
    if (!bench) abort();
    bench->sink = *sink;
    pthread_mutex_init(&bench->lock, NULL);
    fake_asked = fake_joined = fake_left = fake_full = 0;
    fake_longest = 0;
    return bench;
}

void ff_workbench_destroy(ff_workbench *self)
{
    if (!self) return;
    pthread_mutex_destroy(&self->lock);
    free(self);
    bench = NULL;
}

ff_status ff_workbench_joined(ff_workbench *self, int client, ff_error *err)
{
    (void)err;
    pthread_mutex_lock(&self->lock);
    self->seen[client] = self->number;
    pthread_mutex_unlock(&self->lock);
    fake_joined++;
    return FF_OK;
}

void ff_workbench_left(ff_workbench *self, int client)
{
    (void)self, (void)client;
    fake_left++;
}

ff_status ff_workbench_request(ff_workbench *self, int client, const char *json, size_t length, ff_error *err)
{
    if (fake_full) return ff_error_set(err, FF_LIMIT, "the queue is full");
    char *text = malloc(length + 1);
    if (!text) abort();
    memcpy(text, json, length);
    text[length] = '\0';
    fake_asked++;
    if (length > fake_longest) fake_longest = length;
    self->sink.send(self->sink.context, client, text, length);
    return FF_OK;
}

size_t ff_workbench_frame(ff_workbench *self, int client, unsigned char *bytes, size_t size, uint32_t *number)
{
    pthread_mutex_lock(&self->lock);
    const bool fresh = self->seen[client] != self->number && self->size <= size;
    const size_t written = fresh ? self->size : 0;
    if (fresh) {
        self->seen[client] = self->number;
        memset(bytes, 0, written);
        memcpy(bytes, &self->number, sizeof self->number);
        if (number) *number = self->number;
    }
    pthread_mutex_unlock(&self->lock);
    return written;
}

unsigned char *ff_workbench_mesh(ff_workbench *self, uint32_t generation, int mesh, size_t *size)
{
    (void)self;
    if (generation != 3 || mesh != 1) return NULL;
    *size = 200000; // more than one piece
    unsigned char *bytes = malloc(*size);
    for (size_t i = 0; bytes && i < *size; i++) bytes[i] = (unsigned char)(i % 251);
    return bytes;
}

int ff_workbench_open_run(const ff_workbench *self, const char *name, const char *file)
{
    const char *path = fake_report;
    (void)self;
    return path && strcmp(name, "walk") == 0 && strcmp(file, "report.html") == 0 ? open(path, O_RDONLY | O_CLOEXEC)
                                                                                 : -1;
}
