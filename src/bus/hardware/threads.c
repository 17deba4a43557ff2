// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One cycle in two threads: the caller's, which serves the bus (EC in the source), and the main thread, which serves
// devices and controller.
//
//     EC    1 2 3 . . 5 |  7 8 9 12        1: the caller's timing event
//     main      4 ----- | 6 . . 10 11 13 14
//
// They synchronise twice: targets (4) are in their variables before the outputs are copied (7), and inputs before they
// are processed (10). EC waits for the main thread for `main_timeout` at most: a late frame is worse than one with the
// outputs of the previous cycle. If the main thread is still busy with the previous cycle, EC goes on without it.
#define _GNU_SOURCE // pthread_condattr_setclock
#include "hardware/layer.h"

#ifdef FF_WITH_THREADS

#include <footfall/math.h>

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { MARGINS = 4096 };

/// Numbers of completed cycles, from 1.
struct ff_hardware_threads {
    pthread_t main;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t started, targets, ready, done;
    bool quit;
    double targets_at; // end of section 4  [s]
    double margins[MARGINS], least;
    int nmargin;
};
typedef struct ff_hardware_threads threads;

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ------------------------------------------------------------------------------------------ the main thread

static bool wait_for(threads *s, const int64_t *counter, int64_t number)
{
    while (*counter < number && !s->quit) pthread_cond_wait(&s->changed, &s->lock);
    return !s->quit;
}

static void set_counter(threads *s, int64_t *counter, int64_t number)
{
    *counter = number;
    pthread_cond_broadcast(&s->changed);
}

static void *work(void *context)
{
    ff_hardware *h = context;
    threads *s = h->threads;
    pthread_mutex_lock(&s->lock);
    while (wait_for(s, &s->started, s->done + 1)) { // 14
        const int64_t number = s->started;
        pthread_mutex_unlock(&s->lock);
        ff_section_targets(h);
        const double now = clock_now();
        pthread_mutex_lock(&s->lock);
        s->targets_at = now;
        set_counter(s, &s->targets, number);
        if (!wait_for(s, &s->ready, number)) break; // 6
        pthread_mutex_unlock(&s->lock);
        ff_section_process(h);
        ff_section_publish(h);
        ff_section_state(h);
        pthread_mutex_lock(&s->lock);
        set_counter(s, &s->done, number);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

ff_status ff_hardware_threads_start(ff_hardware *h, ff_error *err)
{
    threads *s = calloc(1, sizeof *s);
    pthread_condattr_t monotonic;
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    s->least = INFINITY;
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    h->threads = s;
    if (pthread_create(&s->main, NULL, work, h) == 0) return FF_OK;
    h->threads = NULL;
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
    return ff_error_set(err, FF_LIMIT, "no thread for the hardware layer");
}

void ff_hardware_threads_stop(ff_hardware *h)
{
    threads *s = h->threads;
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    s->quit = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->main, NULL);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
    h->threads = NULL;
}

// ------------------------------------------------------------------------------------------ the thread of the bus

/// @return false: timeout
static bool wait_until(threads *s, const int64_t *counter, int64_t number, double timeout)
{
    struct timespec end;
    if (timeout == INFINITY) return wait_for(s, counter, number);
    clock_gettime(CLOCK_MONOTONIC, &end);
    const int64_t nanoseconds = end.tv_nsec + (int64_t)(1e9 * timeout);
    end.tv_sec += (time_t)(nanoseconds / 1000000000);
    end.tv_nsec = (long)(nanoseconds % 1000000000);
    while (*counter < number)
        if (pthread_cond_timedwait(&s->changed, &s->lock, &end) == ETIMEDOUT) return *counter >= number;
    return true;
}

void ff_hardware_threads_cycle(ff_hardware *h)
{
    threads *s = h->threads;
    pthread_mutex_lock(&s->lock);
    const int64_t number = s->started + 1;
    bool main_joins = wait_until(s, &s->done, s->started, h->options.main_timeout);
    if (main_joins) {
        ff_section_begin(h);
        set_counter(s, &s->started, number);
    }
    pthread_mutex_unlock(&s->lock);
    ff_section_receive(h);
    if (main_joins) {
        ff_bus_image_read(&h->image); // 5
        const double now = clock_now();
        pthread_mutex_lock(&s->lock);
        const bool in_time = wait_until(s, &s->targets, number, h->options.main_timeout);
        if (in_time) s->margins[s->nmargin++ % MARGINS] = now - s->targets_at;
        if (in_time) s->least = ff_min(s->least, now - s->targets_at);
        h->late += !in_time;
        pthread_mutex_unlock(&s->lock);
    } else
        h->late++;
    ff_bus_image_write(&h->image); // 7
    if (main_joins) {
        pthread_mutex_lock(&s->lock);
        ff_section_exchange(h);
        set_counter(s, &s->ready, number);
        pthread_mutex_unlock(&s->lock);
    }
    ff_section_send(h);
    ff_section_acyclic(h);
}

void ff_hardware_threads_wait(const ff_hardware *h)
{
    threads *s = h->threads;
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    wait_for(s, &s->done, s->started);
    pthread_mutex_unlock(&s->lock);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void ff_hardware_threads_margins(const ff_hardware *h, double *least, double *median)
{
    threads *s = h->threads;
    const int n = s ? s->nmargin < MARGINS ? s->nmargin : MARGINS : 0;
    *least = *median = 0.0;
    if (n == 0) return;
    qsort(s->margins, (size_t)n, sizeof *s->margins, compare);
    *least = s->least;
    *median = s->margins[n / 2];
}

#else

ff_status ff_hardware_threads_start(ff_hardware *h, ff_error *err)
{
    (void)h;
    return ff_error_set(err, FF_NOT_BUILT,
                        "this library was built without threads: the hardware layer supports one thread only");
}

void ff_hardware_threads_stop(ff_hardware *h)
{
    (void)h;
}

void ff_hardware_threads_cycle(ff_hardware *h)
{
    (void)h;
}

void ff_hardware_threads_wait(const ff_hardware *h)
{
    (void)h;
}

void ff_hardware_threads_margins(const ff_hardware *h, double *least, double *median)
{
    (void)h;
    *least = *median = 0.0;
}

#endif
