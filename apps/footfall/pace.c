// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Cycles in real time and their processor time (pace.h).
#include "pace.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

double pace_cycle(pace *p, double t, double now)
{
    if (!p->begun) p->begin = now - t;
    p->begun = true;
    const double periods = floor((now - p->begin - t) / p->period);
    if (periods >= 1.0) {
        p->late++;
        p->left_out += (int64_t)periods;
        p->begin += periods * p->period;
    }
    return p->begin + t;
}

void pace_follow(pace *p, uint64_t time)
{
    const uint64_t period = (uint64_t)floor(1e9 * p->period + 0.5); // as devices know it  [ns]
    if (period == 0 || time == p->followed) return;
    const double step = p->period / 1024.0, behind = 1e-9 * (double)(time % period) - 0.5 * p->period;
    p->followed = time;
    if (fabs(behind) > step) p->begin -= copysign(step, behind);
}

int64_t pace_cycles(double time, double period)
{
    return (int64_t)ceil(time / period - 0.5 - 1e-6);
}

// ------------------------------------------------------------------------------------------ the workload

static double clock_of_thread(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void workload_begin_cycle(workload *w)
{
    const double now = clock_of_thread();
    if (w->begin > 0.0) ff_histogram_add(&w->cycles, now - w->begin);
    w->begin = now;
}

void workload_print(const workload *w, double period)
{
    const ff_histogram *h = &w->cycles;
    if (h->count == 0) return;
    printf("      processor time of a cycle: %.0f us median, %.0f us 99 %%, %.0f us 99.9 %%, %.0f us largest; "
           "%.3g %% over %.0f us\n",
           1e6 * ff_histogram_quantile(h, 0.5), 1e6 * ff_histogram_quantile(h, 0.99),
           1e6 * ff_histogram_quantile(h, 0.999), 1e6 * h->largest, 100.0 * ff_histogram_above(h, period),
           1e6 * period);
}
