// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The clock of the measurements: processor time of the thread, which is real time less the share of other programs
// away meanwhile. Two programs that are compared take turns in short blocks, so that a busy machine slows both; a speed
// is the ratio of the best blocks, and the median ratio of neighbouring blocks says how far to trust it.
#ifndef FOOTFALL_BENCH_CLOCK_H
#define FOOTFALL_BENCH_CLOCK_H

#include <math.h>
#include <stdlib.h>
#include <time.h>

static inline double clock_read(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Processor time of this thread.  [s]
static inline double now(void)
{
    return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

static inline int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Sorts `times` and gives the one in the middle.
static inline double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, ascending);
    return times[count / 2];
}

typedef struct duel {
    double theirs, ours; // best block  [s]
    double median_ratio; // theirs over ours, of neighbouring blocks
} duel;

enum { DUEL_BLOCKS = 2000 };

/// Runs both in turns, at most DUEL_BLOCKS times. A function returns the seconds its block took.
static inline duel duel_run(double (*theirs)(void *context), void *their_context, double (*ours)(void *context),
                            void *our_context, int blocks)
{
    static double ratios[DUEL_BLOCKS];
    duel out = {INFINITY, INFINITY, 0};
    if (blocks > DUEL_BLOCKS) blocks = DUEL_BLOCKS;
    for (int i = 0; i < blocks; i++) {
        double t = theirs(their_context), o = ours(our_context);
        out.theirs = fmin(out.theirs, t);
        out.ours = fmin(out.ours, o);
        ratios[i] = t / o;
    }
    out.median_ratio = median(ratios, blocks);
    return out;
}

#endif
