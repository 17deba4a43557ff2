// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "workload.h"

#include <stdio.h>
#include <time.h>

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
