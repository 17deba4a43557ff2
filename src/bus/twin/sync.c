// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Synchronisation of the threads of two robots (twin.h).
#include "twin/twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void enter(ff_twin_sync *m)
{
#ifdef FF_WITH_THREADS
    pthread_mutex_lock(&m->mutex);
#else
    (void)m;
#endif
}

static void leave(ff_twin_sync *m)
{
#ifdef FF_WITH_THREADS
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->mutex);
#else
    (void)m;
#endif
}

/// Waits for a change. @param seconds  timeout; 0: none. @return false: nothing has changed
static bool await_change(ff_twin_sync *m, double seconds)
{
#ifdef FF_WITH_THREADS
    struct timespec until;
    if (seconds <= 0.0) return pthread_cond_wait(&m->changed, &m->mutex) == 0;
    clock_gettime(CLOCK_REALTIME, &until); // the clock of condition variables
    const double end = (double)until.tv_nsec * 1e-9 + seconds;
    until.tv_sec += (time_t)end;
    until.tv_nsec = (long)(1e9 * (end - floor(end)));
    return pthread_cond_timedwait(&m->changed, &m->mutex, &until) == 0;
#else
    (void)seconds;
    m->leader_over = m->twin_over = true; // there is no other thread
    return false;
#endif
}

bool ff_twin_sync_make(ff_twin_sync *m, int nreference, int nsignal, int nsensed, int columns)
{
    const size_t kept = FF_TWIN_SYNC_ANSWERS;
    *m = (ff_twin_sync){.nreference = nreference, .nsignal = nsignal, .nsensed = nsensed, .columns = columns};
    m->references = malloc((kept * (size_t)nreference + 1) * sizeof *m->references);
    m->signals = malloc((kept * (size_t)nsignal + 1) * sizeof *m->signals);
    m->sensed = malloc((kept * (size_t)nsensed + 1) * sizeof *m->sensed);
    m->conditions = malloc(kept * sizeof *m->conditions);
    m->row = malloc(((size_t)columns + 1) * sizeof *m->row);
#ifdef FF_WITH_THREADS
    pthread_mutex_init(&m->mutex, NULL);
    pthread_cond_init(&m->changed, NULL);
#endif
    m->made = true;
    if (m->references && m->signals && m->sensed && m->conditions && m->row) return true;
    ff_twin_sync_clear(m);
    return false;
}

void ff_twin_sync_clear(ff_twin_sync *m)
{
    if (!m->made) return;
    free(m->references);
    free(m->signals);
    free(m->sensed);
    free(m->conditions);
    free(m->row);
#ifdef FF_WITH_THREADS
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->mutex);
#endif
    m->made = false;
}

// ------------------------------------------------------------------------------------------ answers

static void copy_numbers(double *to, const double *from, int count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

void ff_twin_sync_put_answer(ff_twin_sync *m, const ff_answer *answer)
{
    const size_t n = (size_t)m->nreference;
    enter(m);
    while (!m->newest && !m->twin_over && m->put - m->got >= FF_TWIN_SYNC_ANSWERS)
        if (!await_change(m, m->timeout)) m->twin_over = true;
    const size_t slot = (size_t)(m->put++ % FF_TWIN_SYNC_ANSWERS);
    memcpy(m->references + slot * n, ff_io_items_of(answer->references), n * sizeof *m->references);
    copy_numbers(m->signals + slot * (size_t)m->nsignal, answer->signals, m->nsignal);
    copy_numbers(m->sensed + slot * (size_t)m->nsensed, answer->sensed, m->nsensed);
    m->conditions[slot] = answer->conditions;
    leave(m);
}

static void take_slot(const ff_twin_sync *m, size_t slot, ff_answer *out)
{
    const size_t n = (size_t)m->nreference;
    memcpy(ff_io_items(out->references), m->references + slot * n, n * sizeof *m->references);
    copy_numbers(out->signals, m->signals + slot * (size_t)m->nsignal, m->nsignal);
    copy_numbers(out->sensed, m->sensed + slot * (size_t)m->nsensed, m->nsensed);
    out->conditions = m->conditions[slot];
}

bool ff_twin_sync_get_answer(ff_twin_sync *m, int64_t cycle, ff_answer *answer)
{
    enter(m);
    // While the leader waits for a row of the twin, it answers no cycle. If their bus has jitter, cycles and rows of
    // the two have a different order.
    while (!m->newest && m->put <= cycle && !m->leader_over && !m->twin_over && !(m->leader_waits && !m->row_ready))
        await_change(m, 0.0);
    const int64_t wanted = m->newest ? m->put - 1 : cycle;
    const bool is_available = wanted >= 0 && wanted < m->put && wanted >= m->put - FF_TWIN_SYNC_ANSWERS;
    if (is_available) take_slot(m, (size_t)(wanted % FF_TWIN_SYNC_ANSWERS), answer);
    m->got = wanted + 1;
    leave(m);
    return is_available;
}

// ------------------------------------------------------------------------------------------ rows

void ff_twin_sync_put_row(ff_twin_sync *m, double t, const double *row)
{
    enter(m);
    while (m->row_ready && !m->leader_over && !m->twin_over) await_change(m, 0.0);
    memcpy(m->row, row, (size_t)m->columns * sizeof *row);
    m->row_time = t;
    m->row_ready = true;
    leave(m);
}

bool ff_twin_sync_take_row(ff_twin_sync *m, double t, double *row)
{
    bool fits = false;
    enter(m);
    m->leader_waits = true;
    leave(m);
    enter(m);
    for (;;) {
        while (!m->row_ready && !m->twin_over) await_change(m, 0.0);
        if (!m->row_ready || m->row_time > t) break;
        fits = m->row_time == t;
        if (fits) memcpy(row, m->row, (size_t)m->columns * sizeof *row);
        m->row_ready = false;
        if (fits) break;
        leave(m); // discards an older one
        enter(m);
    }
    m->leader_waits = false;
    leave(m);
    return fits;
}

void ff_twin_sync_finish(ff_twin_sync *m, atomic_bool *over)
{
    enter(m);
    *over = true;
    leave(m);
}
