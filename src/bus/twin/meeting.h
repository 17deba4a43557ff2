// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Synchronisation of the threads of two robots: answers of the controller to the leader go to the twin, rows recorded
// of the twin go to the leader. Neither can block the other for ever, and the results depend on simulated time only,
// not on which thread is faster.
#ifndef FOOTFALL_TWIN_MEETING_H
#define FOOTFALL_TWIN_MEETING_H

#include <footfall/run.h>

#include <stdatomic.h>

#ifdef FF_WITH_THREADS
#include <pthread.h>
#endif

/// Answers that are buffered for a twin that is behind.
enum { FF_MEETING_KEPT = 1024 };

typedef struct ff_meeting {
#ifdef FF_WITH_THREADS
    pthread_mutex_t mutex;
    pthread_cond_t changed;
#endif
    bool made;
    // answers of the controller, a ring
    int nreference, nsignal, nsensed;
    ff_io_item *references; // (FF_MEETING_KEPT * nreference)
    double *signals;        // (FF_MEETING_KEPT * nsignal)
    double *sensed;         // (FF_MEETING_KEPT * nsensed) sensors of the leader at its answer
    uint32_t *conditions;   // (FF_MEETING_KEPT)
    int64_t put, got;       // answers given, answers taken
    bool newest;            // wall clock: the twin takes the newest answer, and nobody waits
    double patience;        // timeout of the leader for a twin that is behind; 0: none  [s]
    // one row of the twin
    double *row; // (columns)
    int columns;
    double row_time; // [s]
    bool row_there;
    bool leader_waits; // for a row
    atomic_bool leader_over, twin_over;
} ff_meeting;

/// @return false without memory
bool ff_meeting_make(ff_meeting *m, int nreference, int nsignal, int nsensed, int columns);
void ff_meeting_clear(ff_meeting *m);

/// An answer of the controller in a cycle of the leader. The receiver provides the memory.
typedef struct ff_answer {
    ff_io_frame *references;
    double *signals, *sensed;
    uint32_t conditions;
} ff_answer;

/// Called by the leader: adds an answer; if the twin is FF_MEETING_KEPT cycles behind, it waits for it.
void ff_meeting_put(ff_meeting *m, const ff_answer *answer);
/// Called by the twin: waits for the answer to cycle number `cycle`, from 0. @return false: the leader has finished, or
/// waits for a row of the twin and will not answer before; nothing is changed
bool ff_meeting_get(ff_meeting *m, int64_t cycle, ff_answer *answer);

/// Called by the twin: adds a row; waits until the previous one was taken.
void ff_meeting_post(ff_meeting *m, double t, const double *row);
/// Called by the leader: waits for the row of that time. @return false: the twin has none
bool ff_meeting_take(ff_meeting *m, double t, double *row);

/// No more answers, or no more rows, will be added.
void ff_meeting_leave(ff_meeting *m, atomic_bool *over);

#endif
