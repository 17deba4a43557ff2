// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Least and greatest values count at the start and after every step, not only 100 times a second.
#include "scene/scene_helpers.h"

/// A ball of 1 kg on a vertical rail.
static void write_robot(void)
{
    write_file("ball.yaml", "footfall: 1\n"
                            "name: ball\n"
                            "gravity: [0, 0, -10]\n"
                            "bodies:\n"
                            "  ball:\n"
                            "    joint: {name: rail, type: slide, axis: z}\n"
                            "    inertial: {mass: 1.0, box: [0.2, 0.2, 0.1]}\n");
}

// Thrown up with 0.55 m/s the ball turns after 55 ms, half way between two samples, at v^2 / (2 g) = 15.125 mm; samples
// would miss g (5 ms)^2 / 2 = 0.125 mm.
TEST(a_peak_between_samples_is_seen)
{
    write_robot();
    must_run("robot: ball.yaml\nstart: {speeds: {rail: 0.55}}\nsolver: {method: rk4, step: 1e-3}\ntime: 0.1\n");
    CHECK_NEAR(metric("joints.rail.max"), 0.015125, 1e-12); // [m] a parabola is exact for rk4
    CHECK_NEAR(metric("com.highest"), 0.015125, 1e-12);
    finish();
}

TEST(the_start_and_the_end_count)
{
    write_robot();
    must_run("robot: ball.yaml\nstart: {joints: {rail: 0.3}}\nsolver: {method: rk4, step: 3e-3}\ntime: 0.1\n");
    CHECK_NEAR(metric("joints.rail.max"), 0.3, 1e-15);
    CHECK_NEAR(metric("com.highest"), 0.3, 1e-15);
    CHECK_NEAR(metric("joints.rail.min"), 0.25, 1e-12); // [m] g t^2 / 2 lower
    CHECK_NEAR(metric("com.lowest"), 0.25, 1e-12);
    CHECK_NEAR(metric("joints.rail.min"), metric("joints.rail.final"), 0);
    finish();
}
