// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// bench_pace [PERIOD WORK SECONDS] [us, us, s]: cycles of PERIOD (250) in real time that do nothing but arithmetic
// for WORK (80), with real-time priority where it is allowed, for SECONDS (10), counted as `footfall ethercat` and
// `footfall hardware` count theirs. So many cycles of this length are late on this machine, whatever the program does
// in them.
#include "clock.h"
#include "pace.h"
#include "terminal.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

enum { ROUND = 100 }; // operations

static void work(int rounds)
{
    volatile double x = 1.0;
    for (int i = 0; i < ROUND * rounds; i++) x = x * 1.0000001 + 1e-9;
}

/// Rounds that take so long at the usual speed of this machine: the median of blocks over a second, by the clock of
/// this thread. The best of a short burst is a speed that the machine does not keep.  [s]
static int calibrate(double lasts)
{
    enum { BLOCKS_MOST = 20000 };
    static double blocks[BLOCKS_MOST];
    int n = 0;
    for (const double begin = now(); n < BLOCKS_MOST && now() - begin < 1.0; n++) {
        const double start = now();
        work(ROUND);
        blocks[n] = now() - start;
    }
    return (int)(lasts / median(blocks, n) * ROUND);
}

/// A whole argument that is a number between two bounds.
static bool read_number(const char *text, double least, double most, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value >= least && *value <= most;
}

int main(int argc, char **argv)
{
    const struct sched_param priority = {.sched_priority = 40}; // as the program's
    double period = 250.0, lasts = 80.0, seconds = 10.0;
    if (argc != 1 && (argc != 4 || !read_number(argv[1], 1.0, 1e6, &period) ||
                      !read_number(argv[2], 0.0, 1e6, &lasts) || !read_number(argv[3], 1e-3, 1e5, &seconds))) {
        fprintf(stderr, "Use: bench_pace [PERIOD WORK SECONDS], of 1 to 1e6 us, 0 to 1e6 us and 0.001 to 1e5 s\n");
        return 1;
    }
    period *= 1e-6;
    static workload load;
    pace p = {.period = period};
    int64_t cycles = 0;
    const int rounds = calibrate(1e-6 * lasts); // without priority: a second of it would use up what the kernel grants
    sched_setscheduler(0, SCHED_FIFO, &priority);
    const double begin = clock_seconds();
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
