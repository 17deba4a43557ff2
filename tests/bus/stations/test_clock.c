// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distributed time within a cycle of 1 ms, as a run in real time advances it: it is that of the clock on the
// wall, never goes back, and meets the beginning of the next cycle. A master that sets its clock by it then gets into
// step, where steps of whole cycles would show it the same phase for ever.
#include "stations/standing.h"

#include <math.h>

static int seen;
static uint64_t last;

static uint64_t distributed_time(void)
{
    return master_read(&b.m, b.slaves[0].station, 0x0910, 8);
}

static void goes_on_within_a_cycle(void)
{
    const uint64_t begin = distributed_time();
    if (seen++) CHECK_INT(begin - last, 0); // the end of a cycle is the beginning of the next
    ff_ec_robot_elapse(robot, 250e-6);
    CHECK_INT(distributed_time() - begin, 250000);
    ff_ec_robot_elapse(robot, 100e-6);
    ff_ec_robot_elapse(robot, -1.0);
    ff_ec_robot_elapse(robot, NAN);
    CHECK_INT(distributed_time() - begin, 250000);
    ff_ec_robot_elapse(robot, 999e-6);
    CHECK_INT(ff_ec_robot_time(robot) % 1000000, 999000);
    ff_ec_robot_elapse(robot, 1.0); // a cycle that took longer than it may
    CHECK_INT(distributed_time() - begin, 1000000);
    last = begin + 1000000;
    hold();
}

TEST(distributed_time_advances_within_a_cycle)
{
    stand(goes_on_within_a_cycle, 0.05);
    CHECK(seen >= 10);
}

// As samples of public masters do it: the phase of distributed time against half a cycle, by a proportional and
// integral law, changes the length of the master's next cycle. Its first one begins at 0.85 of a cycle of the robot.
static double wall = -1.0, sum, phase; // of the master: its next cycle; its loop  [ns]

static void gets_into_step(void)
{
    const double cycle = 1e6, begin = cycle * floor((double)ff_ec_robot_time(robot) / cycle + 0.5);
    if (wall < 0.0) wall = begin + 0.85 * cycle;
    while (wall < begin + cycle) {
        ff_ec_robot_elapse(robot, 1e-9 * (wall - begin));
        phase = remainder((double)distributed_time() - 0.5 * cycle, cycle);
        sum += phase;
        wall += cycle - 0.1 * phase - 0.002 * sum;
    }
    hold();
}

TEST(a_master_synchronises_with_distributed_time)
{
    stand(gets_into_step, 0.25);
    CHECK_NEAR(phase, 0.0, 1000.0); // 350 us at first; both modes of the loop decay by more than 0.07 a cycle
}
