// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulations over threads. All threads share one counter, from which a free thread takes the next number, so that long
// and short runs use the processors evenly. The order cannot change a result, since a simulation stays on one thread.
// Each thread keeps its first error, on cache lines of its own, and the caller returns the first of all.
#define _GNU_SOURCE // sched_getaffinity
#include <footfall/team.h>

#include <stdlib.h>

#ifdef FF_WITH_THREADS
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#endif

enum { CACHE_LINE = 64, THREADS_MAX = 1024 };

typedef struct team {
    ff_sim *const *sims; // NULL: made by `maker`
    const ff_team_maker *maker;
    void (*task)(void *context, int index); // in place of both; NULL: none
    void *context;
    int count;
    double until;
    ff_status *each;     // may be NULL
    const ff_stop *stop; // of the caller's thread
#ifdef FF_WITH_THREADS
    _Alignas(CACHE_LINE) atomic_int next;
#else
    int next;
#endif
} team;

/// One thread of the team.
typedef struct worker {
    _Alignas(CACHE_LINE) team *work;
    int failed; // first simulation of its own that failed, -1: none
    ff_status status;
    ff_error err;
} worker;

static ff_status run_made(const team *b, int index, ff_error *err)
{
    const ff_team_maker *maker = b->maker;
    ff_sim *sim = maker->begin(maker->context, index, err);
    if (!sim && err->status) return err->status;
    if (!sim) return ff_error_set(err, FF_BAD_ARGUMENT, "it was not made, and no reason was given");
    const ff_status status = ff_sim_run(sim, b->until, err);
    maker->end(maker->context, index, sim, status, err);
    return status;
}

static void run_one(worker *w, int index)
{
    const team *b = w->work;
    ff_error err = {0};
    if (b->task) {
        b->task(b->context, index);
        return;
    }
    const ff_status status = b->sims ? ff_sim_run(b->sims[index], b->until, &err) : run_made(b, index, &err);
    if (b->each) b->each[index] = status;
    if (w->failed >= 0 || status == FF_OK || status == FF_STOPPED)
        return; // the numbers of a worker rise: its first error has the lowest one
    w->failed = index;
    w->status = status;
    w->err = err;
}

static void *work(void *argument)
{
    worker *w = argument;
    team *b = w->work;
    ff_stop_set(b->stop);
#ifdef FF_WITH_THREADS
    for (int i; (i = atomic_fetch_add_explicit(&b->next, 1, memory_order_relaxed)) < b->count;) run_one(w, i);
#else
    while (b->next < b->count) run_one(w, b->next++);
#endif
    return NULL;
}

/// Runs the team. The caller's thread is the first worker; the others are as many threads as the system gives.
static void work_together(worker *workers, int count)
{
#ifdef FF_WITH_THREADS
    pthread_t threads[THREADS_MAX];
    int started = 1;
    while (started < count && pthread_create(&threads[started], NULL, work, &workers[started]) == 0) started++;
    work(&workers[0]);
    for (int i = 1; i < started; i++) pthread_join(threads[i], NULL);
#else
    (void)count;
    work(&workers[0]);
#endif
}

static ff_status first_error(const worker *workers, int count, ff_error *err)
{
    const worker *first = NULL;
    for (int i = 0; i < count; i++)
        if (workers[i].failed >= 0 && (!first || workers[i].failed < first->failed)) first = &workers[i];
    if (!first) return FF_OK;
    return ff_error_set(err, first->status, "simulation %d: %.440s", first->failed, first->err.text);
}

static ff_status run_team(team *b, int threads, ff_error *err)
{
    if (b->count < 0 || threads < 0 || threads > THREADS_MAX)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d simulations on %d threads: ask for 0 to %d threads", b->count,
                            threads, THREADS_MAX);
    int nworker = threads > 0 ? threads : ff_team_processors();
    if (nworker > b->count) nworker = b->count > 0 ? b->count : 1;
    worker *workers = aligned_alloc(CACHE_LINE, (size_t)nworker * sizeof *workers);
    if (!workers) return ff_error_set(err, FF_NO_MEMORY, "no memory for %d threads", nworker);
    for (int i = 0; i < nworker; i++) workers[i] = (worker){.work = b, .failed = -1};
    b->stop = ff_stop_get();
    work_together(workers, nworker);
    const ff_status status = first_error(workers, nworker, err);
    free(workers);
    return status;
}

ff_status ff_team_run(ff_sim *const *sims, int count, double until, int threads, ff_status *each, ff_error *err)
{
    for (int i = 0; i < count; i++)
        if (!sims || !sims[i]) return ff_error_set(err, FF_BAD_ARGUMENT, "simulation %d is missing", i);
    team b = {.sims = sims, .count = sims ? count : 0, .until = until, .each = each};
    return run_team(&b, threads, err);
}

ff_status ff_team_make(const ff_team_maker *maker, int count, double until, int threads, ff_status *each, ff_error *err)
{
    if (!maker || !maker->begin || !maker->end)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a maker of simulations needs both its functions, begin and end");
    team b = {.maker = maker, .count = count, .until = until, .each = each};
    return run_team(&b, threads, err);
}

ff_status ff_team_each(int count, int threads, void (*task)(void *context, int index), void *context, ff_error *err)
{
    if (!task) return ff_error_set(err, FF_BAD_ARGUMENT, "work on simulations needs its function");
    team b = {.task = task, .context = context, .count = count};
    return run_team(&b, threads, err);
}

int ff_team_processors(void)
{
#ifdef FF_WITH_THREADS
    cpu_set_t allowed; // containers and taskset may allow a program only some of the processors
    const int count = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    return count < THREADS_MAX ? count : THREADS_MAX;
#else
    return 1;
#endif
}
