// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// bench_pace [PERIOD WORK SECONDS] [us, us, s]: cycles of PERIOD (250) by the wall clock that do nothing but arithmetic
// for WORK (80), with real-time priority where it is allowed, for SECONDS (10), counted as `footfall ethercat` and
// `footfall hardware` count theirs. So many cycles of this length are late on this machine, whatever the program does
// in them.
#include "clock.h"
#include "pace.h"
#include "terminal.h"
#include "workload.h"

#include <sched.h>
#include <stdio.h>

enum { ROUND = 100 }; // operations

static void work(int rounds)
{
    volatile double x = 1.0;
    for (int i = 0; i < ROUND * rounds; i++) x = x * 1.0000001 + 1e-9;
}

/// Rounds that take so long at the best speed of this machine.  [s]
static int calibrate(double lasts)
{
    double best = INFINITY;
    for (int i = 0; i < 200; i++) {
        const double begin = now();
        work(ROUND);
        best = fmin(best, now() - begin);
    }
    return (int)(lasts / best * ROUND);
}

int main(int argc, char **argv)
{
    const struct sched_param priority = {.sched_priority = 40}; // as the program's
    const double period = argc == 4 ? 1e-6 * strtod(argv[1], NULL) : 250e-6;
    const double seconds = argc == 4 ? strtod(argv[3], NULL) : 10.0, begin = clock_seconds();
    const int rounds = calibrate(argc == 4 ? 1e-6 * strtod(argv[2], NULL) : 80e-6);
    if (!(period > 0.0)) {
        fprintf(stderr, "a period is above 0 us\n");
        return 1;
    }
    static workload load;
    pace p = {.period = period};
    int64_t cycles = 0;
    sched_setscheduler(0, SCHED_FIFO, &priority);
    for (double at = begin; at - begin < seconds; cycles++) {
        workload_begin_cycle(&load);
        at = clock_seconds();
        sleep_seconds(pace_cycle(&p, (double)cycles * period, at) - at);
        work(rounds);
    }
    printf("%lld cycles, %lld late, %lld left out\n", (long long)cycles, (long long)p.late, (long long)p.left_out);
    workload_print(&load, period);
    return 0;
}
