// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A client of the workbench for tests: asks in JSON, waits for the answer or for an event, fetches frames. All that it
// gets is checked against the table of messages.
#ifndef FOOTFALL_TESTS_BENCH_CLIENT_H
#define FOOTFALL_TESTS_BENCH_CLIENT_H

#include "check.h"
#include "protocol_check.h"
#include "support/folder.h"

#include "studio/workbench.h"
#include "text/yaml.h"

#include <pthread.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <time.h>

typedef struct bench_text {
    struct bench_text *next;
    int client;
    char *text;
} bench_text;

typedef struct bench_client {
    ff_workbench *bench;
    pthread_mutex_t lock;
    pthread_cond_t news;
    bench_text *first, *last;
    int frames;
    int id; // of the last request
    unsigned char *frame;
    size_t frame_size;
} bench_client;

static inline void receive_text(void *context, int client, char *text, size_t length)
{
    bench_client *c = context;
    bench_text *h = calloc(1, sizeof *h);
    (void)length;
    h->client = client;
    h->text = text;
    pthread_mutex_lock(&c->lock);
    if (c->last)
        c->last->next = h;
    else
        c->first = h;
    c->last = h;
    pthread_cond_broadcast(&c->news);
    pthread_mutex_unlock(&c->lock);
}

static inline void receive_frame(void *context)
{
    bench_client *c = context;
    pthread_mutex_lock(&c->lock);
    c->frames++;
    pthread_cond_broadcast(&c->news);
    pthread_mutex_unlock(&c->lock);
}

static inline void bench_open(bench_client *c, const char *root)
{
    const ff_workbench_sink sink = {c, receive_text, receive_frame};
    ff_error err = {0};
    *c = (bench_client){0};
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->news, NULL);
    c->frame = malloc(FF_WORKBENCH_FRAME_MAX);
    c->bench = ff_workbench_create(root, &sink, &err);
    if (!c->bench) CHECK_FAIL("%s", err.text);
    CHECK_INT(ff_workbench_joined(c->bench, 0, &err), FF_OK);
}

/// Checks what nobody waited for, and frees it.
static inline void bench_drop(bench_text *list)
{
    for (bench_text *h = list, *next; h; h = next) {
        next = h->next;
        protocol_check(h->text, NULL, NULL);
        free(h->text);
        free(h);
    }
}

static inline void bench_close(bench_client *c)
{
    ff_workbench_destroy(c->bench);
    bench_drop(c->first);
    free(c->frame);
    pthread_cond_destroy(&c->news);
    pthread_mutex_destroy(&c->lock);
}

/// Waits for a text that holds both parts (the second may be NULL) and is for that client (-1: all; -2: anyone), an
/// event or the answer to `request` (NULL: not known). Malloc'ed.
static inline char *bench_wait(bench_client *c, int client, const char *part1, const char *part2, const char *request)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 120; // an end for tests that hang, no measure
    pthread_mutex_lock(&c->lock);
    for (;;) {
        bench_text *before = NULL;
        for (bench_text *h = c->first; h; before = h, h = h->next) {
            if (client != -2 && h->client != client) continue;
            if (!strstr(h->text, part1) || (part2 && !strstr(h->text, part2))) continue;
            char *text = h->text;
            if (before)
                before->next = h->next;
            else
                c->first = h->next;
            if (c->last == h) c->last = before;
            free(h);
            pthread_mutex_unlock(&c->lock);
            protocol_check(text, request, NULL);
            return text;
        }
        if (pthread_cond_timedwait(&c->news, &c->lock, &until) != 0) break;
    }
    pthread_mutex_unlock(&c->lock);
    CHECK_FAIL("nothing was said with '%s' and '%s'", part1, part2 ? part2 : "");
    return NULL;
}

static inline char *bench_wait_for(bench_client *c, int client, const char *part1, const char *part2)
{
    return bench_wait(c, client, part1, part2, NULL);
}

/// Asks and waits for the answer, malloc'ed. The text lacks its braces and the id.
static inline char *bench_ask_of(bench_client *c, int client, const char *format, va_list args)
{
    static char text[1 << 20];
    char id[32], request[32] = "";
    ff_error err = {0};
    const int head = snprintf(text, sizeof text, "{\"id\": %d, ", ++c->id);
    const int body = vsnprintf(text + head, sizeof text - (size_t)head - 2, format, args);
    strcat(text, "}");
    if (ff_workbench_request(c->bench, client, text, (size_t)(head + body) + 1, &err) != FF_OK)
        CHECK_FAIL("%s", err.text);
    snprintf(id, sizeof id, "{\"id\": %d,", c->id);
    const char *verb = strstr(text, "\"do\": \"");
    if (verb) sscanf(verb, "\"do\": \"%31[a-z]", request);
    return bench_wait(c, client, id, NULL, request);
}

static inline char *bench_ask(bench_client *c, const char *format, ...) FF_PRINTF(2, 3);
static inline char *bench_ask(bench_client *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *answer = bench_ask_of(c, 0, format, args);
    va_end(args);
    return answer;
}

/// Asks, and the answer must be ok.
static inline void bench_do(bench_client *c, const char *format, ...) FF_PRINTF(2, 3);
static inline void bench_do(bench_client *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *answer = bench_ask_of(c, 0, format, args);
    va_end(args);
    if (!strstr(answer, "\"ok\": true")) CHECK_FAIL("%s", answer);
    free(answer);
}

/// Asks, and must be refused with a message that holds `why`.
static inline void bench_refused(bench_client *c, const char *why, const char *format, ...) FF_PRINTF(3, 4);
static inline void bench_refused(bench_client *c, const char *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *answer = bench_ask_of(c, 0, format, args);
    va_end(args);
    if (!strstr(answer, "\"ok\": false") || !strstr(answer, why)) CHECK_FAIL("no '%s' in %s", why, answer);
    free(answer);
}

/// Forgets what was said so far.
static inline void bench_forget(bench_client *c)
{
    pthread_mutex_lock(&c->lock);
    bench_text *list = c->first;
    c->first = c->last = NULL;
    pthread_mutex_unlock(&c->lock);
    bench_drop(list);
}

/// Number behind a key in a text that is JSON.
static inline double bench_number(const char *text, const char *key)
{
    char name[64];
    snprintf(name, sizeof name, "\"%s\": ", key);
    const char *at = strstr(text, name);
    if (!at) CHECK_FAIL("no %s in %.300s", key, text);
    return strtod(at + strlen(name), NULL);
}

/// Waits for a state in which it does not run. @return its time
static inline double bench_wait_until_paused(bench_client *c)
{
    char *state = bench_wait_for(c, -1, "\"event\": \"state\"", "\"running\": false");
    const double t = bench_number(state, "t");
    free(state);
    return t;
}

/// The next frame for a client that is not older than the call before; waits for it.
static inline void bench_next_frame(bench_client *c, int client)
{
    for (int i = 0; i < 20000; i++) {
        c->frame_size = ff_workbench_frame(c->bench, client, c->frame, FF_WORKBENCH_FRAME_MAX, NULL);
        if (c->frame_size > 0) {
            protocol_check_bytes(c->frame, c->frame_size);
            return;
        }
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    CHECK_FAIL("no frame came");
}

static inline double frame_time(const bench_client *c)
{
    double t;
    memcpy(&t, c->frame + 16, sizeof t);
    return t;
}

/// Section with that tag; NULL: the frame has none.
static inline const float *frame_section(const bench_client *c, int tag, int *width, int *count)
{
    static float numbers[1 << 18];
    const unsigned char *p = c->frame + 40, *end = c->frame + c->frame_size;
    for (uint32_t i = 0; i < protocol_u32(c->frame + 32); i++) {
        CHECK(end - p >= 8);
        const int t = p[0] | p[1] << 8;
        *width = p[2] | p[3] << 8;
        *count = (int)protocol_u32(p + 4);
        const size_t size = 4 * (size_t)*width * (size_t)*count;
        CHECK((size_t)(end - p - 8) >= size);
        if (t == tag) {
            memcpy(numbers, p + 8, size);
            return numbers;
        }
        p += 8 + size;
    }
    CHECK(p == end);
    return NULL;
}

// ------------------------------------------------------------------------------------------ projects of a test's own

/// A new folder, empty; it goes with the program. The path stays until the next one.
static inline char *bench_folder(void)
{
    static char path[400];
    snprintf(path, sizeof path, "%s", in_folder("bench-XXXXXX"));
    if (!mkdtemp(path)) CHECK_FAIL("no folder");
    return path;
}

static inline void bench_file(const char *root, const char *name, const char *text)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", root, name);
    write_to(path, text, strlen(text));
}

#endif
