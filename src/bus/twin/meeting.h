// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the threads of two robots meet: what the controller answers to the leader goes to the twin, what is recorded of
// the twin goes to the leader. Neither can make the other wait for ever, and what each gets depends on simulated time
// alone, not on which thread is faster.
#ifndef FOOTFALL_TWIN_MEETING_H
#define FOOTFALL_TWIN_MEETING_H

#include <footfall/run.h>

#include <stdatomic.h>

#ifdef FF_WITH_THREADS
#include <pthread.h>
#endif

/// Answers that are kept for a twin that is behind.
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
    double *sensed;         // (FF_MEETING_KEPT * nsensed) what the leader sensed when it was answered
    uint32_t *conditions;   // (FF_MEETING_KEPT)
    int64_t put, got;       // so many have been given, so many taken
    bool newest;            // the twin takes the newest answer there is, and nobody waits: wall clock
    double patience;        // the leader waits so long for a twin that is behind, then it is lost; 0: for ever  [s]
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

/// What the controller said in a cycle of the leader. Whoever takes it brings the memory.
typedef struct ff_answer {
    ff_io_frame *references;
    double *signals, *sensed;
    uint32_t conditions;
} ff_answer;

/// The leader's: gives an answer; where the twin is FF_MEETING_KEPT cycles behind, it waits for it.
void ff_meeting_put(ff_meeting *m, const ff_answer *answer);
/// The twin's: takes the answer to cycle number `cycle`, from 0; waits for it.
/// @return false: the leader has ended, or waits for a row of the twin and will not answer before; nothing is changed
bool ff_meeting_get(ff_meeting *m, int64_t cycle, ff_answer *answer);

/// The twin's: hands over a row; waits until the one before was taken.
void ff_meeting_post(ff_meeting *m, double t, const double *row);
/// The leader's: waits for the row of that time. @return false: the twin has none
bool ff_meeting_take(ff_meeting *m, double t, double *row);

/// No more answers, or no more rows, will come.
void ff_meeting_leave(ff_meeting *m, atomic_bool *over);

#endif
