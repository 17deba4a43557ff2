// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The clock of the workbench, and how its other threads wake the simulation thread.
#include "workbench_inner.h"

#include <time.h>

double ff_bench_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void ff_bench_wake(ff_workbench *b, atomic_bool *flag)
{
    pthread_mutex_lock(&b->lock);
    atomic_store(flag, true);
    pthread_cond_signal(&b->wake);
    pthread_mutex_unlock(&b->lock);
}
