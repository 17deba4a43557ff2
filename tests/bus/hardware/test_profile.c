// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Motion profiles against the closed form of a trapezoid, and their promises when targets change on the way.
#include "check.h"

#include "hardware/amplifier.h"

#include <footfall/math.h>

#include <math.h>
#include <stdint.h>

/// Position on a trapezoid of velocity from rest, `t` after its beginning: written down from its three parts.
static double trapezoid(double length, double v, double a, double d, double t)
{
    const double whole = 0.5 * v * v * (1.0 / a + 1.0 / d); // shorter ones never reach v
    const double peak = length < whole ? sqrt(2.0 * length * a * d / (a + d)) : v;
    const double t1 = peak / a, t3 = peak / d, t2 = (length - 0.5 * peak * (t1 + t3)) / peak;
    if (t < t1) return 0.5 * a * t * t;
    if (t < t1 + t2) return 0.5 * peak * t1 + peak * (t - t1);
    if (t > t1 + t2 + t3) return length;
    return length - 0.5 * d * (t1 + t2 + t3 - t) * (t1 + t2 + t3 - t);
}

TEST(a_motion_from_rest_to_rest_is_a_trapezoid)
{
    static const struct {
        double length, v, a, d;
    } cases[] = {{1000, 500, 2000, 1000},
                 {100, 500, 2000, 1000},
                 {-1000, 500, 700, 9000},
                 {1e6, 3e5, 1e6, 2e6},
                 {1, 500, 2000, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double length = fabs(cases[i].length), side = copysign(1.0, cases[i].length), from = 12345.0;
        const ff_motion_bounds bounds = {cases[i].v, cases[i].a, cases[i].d};
        ff_motion m = {.position = from};
        bool there = false;
        int steps = 0;
        for (; !there && steps < 100000; steps++) {
            there = ff_motion_approach(&m, from + cases[i].length, &bounds, 1e-3);
            const double wanted =
                from + side * trapezoid(length, cases[i].v, cases[i].a, cases[i].d, 1e-3 * (steps + 1));
            CHECK_NEAR(m.position, wanted, 1e-7 * (length + from)); // rounding of some thousand steps
        }
        CHECK(there && m.velocity == 0.0 && m.position == from + cases[i].length);
    }
}

// Speed and acceleration stay within their bounds from step to step, whatever the target does, and the motion ends at
// the last target.
TEST(targets_may_change_on_the_way)
{
    const ff_motion_bounds bounds = {300.0, 1000.0, 1500.0};
    const double dt = 1e-3;
    ff_motion m = {0};
    uint64_t random = 1;
    double target = 0.0;
    for (int i = 0; i < 20000; i++) {
        if (i % 137 == 0) {
            random = random * 6364136223846793005U + 1442695040888963407U;
            target = (double)(random >> 40) / 16777216.0 * 400.0 - 200.0;
        }
        const double before = m.velocity, at = m.position;
        ff_motion_approach(&m, target, &bounds, dt);
        CHECK(fabs(m.velocity) <= 300.0 + 1e-6);
        CHECK(fabs(m.velocity - before) <= 1500.0 * dt + 1e-6);
        CHECK(fabs(m.position - at) <= 300.0 * dt + 1e-6);
    }
    for (int i = 0; i < 3000; i++) ff_motion_approach(&m, target, &bounds, dt);
    CHECK(m.position == target && m.velocity == 0.0);
}

// A bound of the velocity that is lowered on the way is reached by the deceleration, and kept.
TEST(a_motion_that_is_too_fast_slows_down_first)
{
    ff_motion m = {.velocity = 400.0};
    for (int i = 0; i < 100; i++) ff_motion_approach(&m, 1000.0, &(ff_motion_bounds){100.0, 5000.0, 3000.0}, 1e-3);
    CHECK_NEAR(m.velocity, 100.0, 1e-9);
    CHECK_NEAR(m.position, 25.0, 1e-9); // 0.1 s at 250 on average
}

TEST(braking_takes_the_distance_of_constant_deceleration)
{
    ff_motion m = {.position = 10.0, .velocity = -200.0};
    int steps = 0;
    for (; m.velocity != 0.0 && steps < 1000; steps++) ff_motion_brake(&m, 1000.0, 1e-3);
    CHECK_INT(steps, 200);                                               // v / a
    CHECK_NEAR(m.position, 10.0 - 200.0 * 200.0 / (2.0 * 1000.0), 1e-9); // v^2 / (2 a)
    m.velocity = 50.0;
    ff_motion_brake(&m, 0.0, 1e-3); // without bound: at once
    CHECK(m.velocity == 0.0);
}

TEST(a_velocity_is_reached_by_the_bounds_of_each_side)
{
    const ff_motion_bounds bounds = {.acceleration = 1000.0, .deceleration = 500.0};
    ff_motion m = {0};
    for (int i = 0; i < 100; i++) ff_motion_accelerate(&m, 100.0, &bounds, 1e-3);
    CHECK_NEAR(m.velocity, 100.0, 1e-12);
    CHECK_NEAR(m.position, 5.0, 1e-9); // v^2 / (2 a)
    for (int i = 0; i < 300; i++) ff_motion_accelerate(&m, -100.0, &bounds, 1e-3);
    CHECK_NEAR(m.velocity, -100.0, 1e-12);
    CHECK_NEAR(m.position, 5.0 + 10.0 - 5.0, 1e-9); // slows down at 500, speeds up at 1000
}
