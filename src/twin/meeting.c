// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the threads of two robots meet (meeting.h).
#include "twin/meeting.h"

#include <stdlib.h>
#include <string.h>

static void enter(ff_meeting *m)
{
#ifdef FF_WITH_THREADS
    pthread_mutex_lock(&m->mutex);
#else
    (void)m;
#endif
}

static void leave(ff_meeting *m)
{
#ifdef FF_WITH_THREADS
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->mutex);
#else
    (void)m;
#endif
}

static void await_change(ff_meeting *m)
{
#ifdef FF_WITH_THREADS
    pthread_cond_wait(&m->changed, &m->mutex);
#else
    m->leader_over = m->twin_over = true; // there is no other thread
#endif
}

bool ff_meeting_make(ff_meeting *m, int nreference, int nsignal, int columns)
{
    const size_t kept = FF_MEETING_KEPT;
    *m = (ff_meeting){.nreference = nreference, .nsignal = nsignal, .columns = columns};
    m->references = malloc((kept * (size_t)nreference + 1) * sizeof *m->references);
    m->signals = malloc((kept * (size_t)nsignal + 1) * sizeof *m->signals);
    m->conditions = malloc(kept * sizeof *m->conditions);
    m->row = malloc(((size_t)columns + 1) * sizeof *m->row);
#ifdef FF_WITH_THREADS
    pthread_mutex_init(&m->mutex, NULL);
    pthread_cond_init(&m->changed, NULL);
#endif
    m->made = true;
    if (m->references && m->signals && m->conditions && m->row) return true;
    ff_meeting_clear(m);
    return false;
}

void ff_meeting_clear(ff_meeting *m)
{
    if (!m->made) return;
    free(m->references);
    free(m->signals);
    free(m->conditions);
    free(m->row);
#ifdef FF_WITH_THREADS
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->mutex);
#endif
    m->made = false;
}

// ------------------------------------------------------------------------------------------ answers

static void keep(ff_meeting *m, size_t slot, const ff_io_frame *references, const double *signals, uint32_t conditions)
{
    const size_t n = (size_t)m->nreference, s = (size_t)m->nsignal;
    memcpy(m->references + slot * n, ff_io_items_of(references), n * sizeof *m->references);
    if (s > 0) memcpy(m->signals + slot * s, signals, s * sizeof *signals);
    m->conditions[slot] = conditions;
}

void ff_meeting_put(ff_meeting *m, const ff_io_frame *references, const double *signals, uint32_t conditions)
{
    enter(m);
    while (!m->newest && !m->twin_over && m->put - m->got >= FF_MEETING_KEPT) await_change(m);
    keep(m, (size_t)(m->put++ % FF_MEETING_KEPT), references, signals, conditions);
    leave(m);
}

static void copy_answer(const ff_meeting *m, size_t slot, ff_io_frame *references, double *signals,
                        uint32_t *conditions)
{
    const size_t n = (size_t)m->nreference, s = (size_t)m->nsignal;
    memcpy(ff_io_items(references), m->references + slot * n, n * sizeof *m->references);
    if (s > 0) memcpy(signals, m->signals + slot * s, s * sizeof *signals);
    *conditions = m->conditions[slot];
}

bool ff_meeting_get(ff_meeting *m, int64_t cycle, ff_io_frame *references, double *signals, uint32_t *conditions)
{
    enter(m);
    // The leader at a row waits for the twin's: it answers no cycle before. The two order a cycle and a row otherwise
    // where their bus has jitter.
    while (!m->newest && m->put <= cycle && !m->leader_over && !m->twin_over && !(m->leader_waits && !m->row_there))
        await_change(m);
    const int64_t wanted = m->newest ? m->put - 1 : cycle;
    const bool there = wanted >= 0 && wanted < m->put && wanted >= m->put - FF_MEETING_KEPT;
    if (there) copy_answer(m, (size_t)(wanted % FF_MEETING_KEPT), references, signals, conditions);
    m->got = wanted + 1;
    leave(m);
    return there;
}

// ------------------------------------------------------------------------------------------ rows

void ff_meeting_post(ff_meeting *m, double t, const double *row)
{
    enter(m);
    while (m->row_there && !m->leader_over && !m->twin_over) await_change(m);
    memcpy(m->row, row, (size_t)m->columns * sizeof *row);
    m->row_time = t;
    m->row_there = true;
    leave(m);
}

bool ff_meeting_take(ff_meeting *m, double t, double *row)
{
    bool fits = false;
    enter(m);
    m->leader_waits = true;
    leave(m);
    enter(m);
    for (;;) {
        while (!m->row_there && !m->twin_over) await_change(m);
        if (!m->row_there || m->row_time > t) break;
        fits = m->row_time == t;
        if (fits) memcpy(row, m->row, (size_t)m->columns * sizeof *row);
        m->row_there = false;
        if (fits) break;
        leave(m); // an older one
        enter(m);
    }
    m->leader_waits = false;
    leave(m);
    return fits;
}

void ff_meeting_leave(ff_meeting *m, atomic_bool *over)
{
    enter(m);
    *over = true;
    leave(m);
}
