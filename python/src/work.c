// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Long calls that Ctrl-C interrupts. They run in a separate thread, so that the Python thread, which alone can handle
// signals, can check for them meanwhile.
#include "core.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static const long LOOK_NANOSECONDS = 50000000; // how often signals are looked for

typedef struct job {
    void (*work)(void *context);
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool done;
    atomic_bool *over;
} job;

static bool is_over(void *context)
{
    return atomic_load_explicit(((job *)context)->over, memory_order_relaxed);
}

static void *do_job(void *argument)
{
    job *j = argument;
    const ff_stop stop = {is_over, j};
    ff_stop_set(&stop);
    j->work(j->context);
    ff_stop_set(NULL);
    pthread_mutex_lock(&j->lock);
    j->done = true;
    pthread_cond_signal(&j->change);
    pthread_mutex_unlock(&j->lock);
    return NULL;
}

/// @return whether the work is finished
static bool wait_a_while(job *j)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&j->lock);
    int timed_out = 0;
    while (!j->done && timed_out != ETIMEDOUT) timed_out = pthread_cond_timedwait(&j->change, &j->lock, &until);
    const bool done = j->done;
    pthread_mutex_unlock(&j->lock);
    return done;
}

bool guard_work(void (*work)(void *context), void *context, atomic_bool *over)
{
    job j = {work, context, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, over};
    pthread_t thread;
    bool calm = true;
    if (pthread_create(&thread, NULL, do_job, &j) != 0)
        return raise_status(FF_NO_MEMORY, "the system gives no thread to work in");
    PyThreadState *parked = PyEval_SaveThread();
    while (!wait_a_while(&j)) {
        PyEval_RestoreThread(parked);
        if (calm && PyErr_CheckSignals() < 0) {
            calm = false;
            atomic_store(over, true);
        }
        parked = PyEval_SaveThread();
    }
    pthread_join(thread, NULL);
    PyEval_RestoreThread(parked);
    return calm;
}
