// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Cycles in real time: each delay is counted once, and nothing else is counted. Times are given instead of read from a
// clock; they are sums of powers of two, hence exact.
#include "check.h"

#include "pace.h"

#include <math.h>

#define PERIOD (1.0 / 4096.0)

static pace p;

/// Cycles k .. k + n - 1 are ready `late` periods after they are due. @return when the last begins  [periods]
static double run(int k, int n, double late)
{
    double begins = 0.0;
    for (int i = k; i < k + n; i++) begins = pace_cycle(&p, i * PERIOD, (16.0 + i + late) * PERIOD) / PERIOD;
    return begins;
}

TEST(cycles_that_are_ready_within_their_period_are_not_late)
{
    p = (pace){.period = PERIOD};
    CHECK(run(0, 1, 0.0) == 16.0); // the first sets the clock
    CHECK(run(1, 100, -0.5) == 116.0);
    CHECK(run(101, 100, 0.5) == 216.0);
    CHECK(run(201, 100, 1.0 - 1.0 / 1024.0) == 316.0); // behind its time, but there is some left
    CHECK_INT(p.late, 0);
    CHECK_INT(p.left_out, 0);
}

// One delay of 40 periods and a half is one late cycle and 40 that are not there. Cycles after it are due where they
// would have been, counted from the first, and none of them is late by it.
TEST(a_delay_is_one_late_cycle_and_leaves_out_what_it_lasted)
{
    p = (pace){.period = PERIOD};
    run(0, 10, 0.25);
    CHECK_INT(p.late, 0);
    CHECK(run(10, 1, 40.75) == 16.25 + 50.0);
    CHECK_INT(p.late, 1);
    CHECK_INT(p.left_out, 40);
    CHECK(run(11, 100, 40.75) == 16.25 + 150.0);
    CHECK_INT(p.late, 1);
    CHECK_INT(p.left_out, 40);
}

// Cycles that take 5/4 of a period each: of 400 every fourth is late by one more period, and the cycles together with
// the periods left out are the real time. Those that take three periods are all late.
TEST(a_robot_that_is_always_too_slow_is_late_by_what_it_lacks)
{
    p = (pace){.period = PERIOD};
    for (int i = 0; i <= 400; i++) pace_cycle(&p, i * PERIOD, 1.25 * i * PERIOD);
    CHECK_INT(p.late, 100);
    CHECK_INT(p.left_out, 100);
    p = (pace){.period = PERIOD};
    for (int i = 0; i <= 400; i++) pace_cycle(&p, i * PERIOD, 3.0 * i * PERIOD);
    CHECK_INT(p.late, 400);
    CHECK_INT(p.left_out, 800);
}

/// Phase of another clock in a cycle, 0 .. 1 of a period of 1 ms, after some cycles. That clock runs by `drift` faster
/// and shows `ahead` periods at first; every tenth cycle is half a period late.
static double phase_after(int cycles, double drift, double ahead)
{
    const double period = 1e-3;
    double phase = 0.0;
    p = (pace){.period = period};
    for (int i = 0; i < cycles; i++) {
        const double wall = pace_cycle(&p, i * period, i * period) + (i % 10 == 9 ? 0.5 * period : 0.0);
        const double other = 1000.0 + ahead * period + (1.0 + drift) * wall;
        if (i % 10 != 9) phase = fmod(other, period) / period;
        pace_follow(&p, (uint64_t)(1e9 * other));
        pace_follow(&p, (uint64_t)(1e9 * other)); // nothing new
    }
    return phase;
}

// From any phase to the middle within 512 steps of 1/1024, a tenth of which may have the wrong direction where a cycle
// is late; and there it stays, by a step and what the clock drifts.
TEST(cycles_get_into_the_middle_of_the_periods_of_another_clock)
{
    for (int i = 0; i < 16; i++)
        for (int k = -1; k <= 1; k++) {
            const double ahead = (i + 0.37) / 16.0, drift = 100e-6 * k;
            CHECK_NEAR(phase_after(900, drift, ahead), 0.5, 3.0 / 1024.0);
            CHECK_NEAR(phase_after(5000, drift, ahead), 0.5, 3.0 / 1024.0);
        }
    CHECK(fabs(phase_after(50, 0.0, 0.1) - 0.5) > 0.3); // not at once: a cycle of the master hardly changes
    CHECK_INT(p.late, 0);
    CHECK_INT(p.left_out, 0);
}

// A cycle at 0.75 ms of 1 ms is late, one at 0.25 ms early, one in the middle neither; a time that was seen counts
// once.
TEST(a_cycle_is_shifted_by_one_step_or_none)
{
    p = (pace){.period = 1e-3, .begun = true};
    pace_follow(&p, 7750000);
    pace_follow(&p, 8750000);
    pace_follow(&p, 8750000);
    CHECK_NEAR(p.begin, -2e-3 / 1024.0, 1e-12);
    pace_follow(&p, 9250000);
    pace_follow(&p, 10500000);
    pace_follow(&p, 11500500);
    CHECK_NEAR(p.begin, -1e-3 / 1024.0, 1e-12);
}

// Simulated time does not begin with 0 where a run is resumed.
TEST(the_first_cycle_may_have_any_time)
{
    p = (pace){.period = PERIOD};
    CHECK(pace_cycle(&p, 8.0, 2.0) == 2.0);
    CHECK(pace_cycle(&p, 8.0 + PERIOD, 2.0) == 2.0 + PERIOD);
    CHECK_INT(p.late, 0);
}
