// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The PID controller: each part against its sum, no windup at limits, no bumps when it takes over or is retuned.
#include <footfall/filter.h>

#include "check.h"

static const ff_pid plain = {
    .kp = 2.0, .ki = 5.0, .kd = 0.1, .dt = 1e-3, .derivative_time = 0.01, .low = -INFINITY, .high = INFINITY};

// A different route: sums over the whole past.
TEST(output_is_the_sum_of_its_three_parts)
{
    ff_random random = ff_random_make(51, 0);
    ff_pid_memory memory = {0};
    ff_filter low;
    double filtered[FF_FILTER_MEMORY] = {0}, sum = 0.0, before = 0.0;
    CHECK_INT(ff_pid_check(&plain, NULL), FF_OK);
    CHECK_INT(ff_filter_lowpass1(&low, plain.derivative_time, plain.dt, NULL), FF_OK);
    for (int n = 0; n < 3000; n++) {
        double r = ff_random_normal(&random), y = ff_random_normal(&random), e = r - y;
        double smooth = ff_filter_step(&low, filtered, e);
        sum += e * plain.dt;
        double want = plain.kp * e + plain.ki * sum + plain.kd * (smooth - before) / plain.dt;
        before = smooth;
        CHECK_NEAR(ff_pid_step(&plain, &memory, r, y), want, 1e-11); // rounding of differences over 1 ms
    }
}

TEST(derivative_of_the_measurement_ignores_jumps_of_the_reference)
{
    ff_pid pid = plain;
    ff_pid_memory memory;
    pid.kp = pid.ki = 0.0;
    pid.derivative_of_measured = true;
    ff_pid_start(&pid, &memory, 0.0, 0.3, 0.0);
    for (int n = 0; n < 100; n++) CHECK_NEAR(ff_pid_step(&pid, &memory, n % 2, 0.3), 0.0, 1e-15);
    // a ramp of 2/s, after the filter has settled, e^-40
    double u = 0.0;
    for (int n = 1; n <= 400; n++) u = ff_pid_step(&pid, &memory, 0.0, 0.3 + 0.002 * n);
    CHECK_NEAR(u, -0.1 * 2.0, 1e-12);
    pid.derivative_time = 0.0;
    ff_pid_start(&pid, &memory, 0.0, 1.0, 0.0);
    CHECK_NEAR(ff_pid_step(&pid, &memory, 0.0, 1.004), -0.1 * 4.0, 1e-12); // the plain difference
}

// With a constant error at a limit the output before limiting settles ki e tracking_time beyond it.
TEST(integral_at_a_limit_settles_where_back_calculation_says)
{
    ff_pid pid = plain;
    pid.kd = 0.0;
    pid.high = 1.0;
    pid.low = -1.0;
    pid.tracking_time = 0.2;
    ff_pid_memory memory = {0};
    const double e = 0.8;
    for (int n = 0; n < 5000; n++) ff_pid_step(&pid, &memory, e, 0.0); // 25 time constants
    CHECK_NEAR(memory.output, 1.0, 0.0);
    // I settles between two samples: u = kp e + I + dt ki e, of which the tracking share is given back
    double beyond = pid.kp * e + memory.integral + pid.dt * pid.ki * e - pid.high;
    CHECK_NEAR(beyond, pid.ki * e * pid.tracking_time, 1e-9);
}

// A mass that slides with friction, x'' = u - 3 x', with a limited drive.
static double overshoot(double tracking_time, double *settled)
{
    ff_pid pid = {.kp = 8.0,
                  .ki = 6.0,
                  .kd = 2.0,
                  .dt = 1e-3,
                  .derivative_time = 0.005,
                  .low = -1.0,
                  .high = 1.0,
                  .tracking_time = tracking_time};
    ff_pid_memory memory = {0};
    double x = 0.0, v = 0.0, most = 0.0;
    for (int n = 0; n < 60000; n++) {
        double u = ff_pid_step(&pid, &memory, 3.0, x);
        CHECK(u >= -1.0 && u <= 1.0);
        v += pid.dt * (u - 3.0 * v);
        x += pid.dt * v;
        most = fmax(most, x - 3.0);
    }
    *settled = x - 3.0;
    return most;
}

TEST(long_way_at_the_limit_is_not_remembered)
{
    double settled;
    double wound = overshoot(1e6, &settled); // as good as none: the integral grows all the way
    double at_once = overshoot(0.0, &settled);
    CHECK_NEAR(settled, 0.0, 1e-6);
    double tracked = overshoot(0.5, &settled);
    CHECK_NEAR(settled, 0.0, 1e-6);
    printf("  overshoot of 3 m: %.3f m wound up, %.3f m at once, %.3f m tracked in 0.5 s\n", wound, at_once, tracked);
    CHECK(wound > 0.5);
    CHECK(at_once < 0.1 * wound && tracked < 0.2 * wound);
}

TEST(output_leaves_the_limit_with_the_sign_of_the_error)
{
    ff_pid pid = plain;
    pid.kd = 0.0;
    pid.low = -1.0;
    pid.high = 1.0;
    ff_pid_memory memory = {0};
    for (int n = 0; n < 100000; n++) ff_pid_step(&pid, &memory, 10.0, 0.0); // 100 s out of reach
    CHECK_NEAR(memory.output, 1.0, 0.0);
    CHECK(ff_pid_step(&pid, &memory, -0.05, 0.0) < 1.0); // the very next sample
}

TEST(taking_over_and_retuning_make_no_bump)
{
    ff_random random = ff_random_make(52, 0);
    for (int trial = 0; trial < 500; trial++) {
        ff_pid pid = plain, other = plain;
        ff_pid_memory memory;
        double r = ff_random_normal(&random), y = ff_random_normal(&random), u = ff_random_normal(&random);
        ff_pid_start(&pid, &memory, r, y, u);
        CHECK_NEAR(memory.output, u, 0.0);
        CHECK_NEAR(ff_pid_step(&pid, &memory, r, y), u, 1e-12);
        for (int n = 0; n < 50; n++) u = ff_pid_step(&pid, &memory, r, y += 0.01);
        other.kp = ff_random_range(&random, 0.0, 20.0);
        other.ki = ff_random_range(&random, 0.0, 20.0);
        other.kd = ff_random_range(&random, 0.0, 2.0);
        double e = memory.error, slope = memory.slope;
        ff_pid_change(&pid, &other, &memory);
        CHECK_NEAR(other.kp * e + other.kd * slope + memory.integral, u, 1e-11);
    }
    ff_pid bounded = plain;
    bounded.high = 0.5;
    ff_pid_memory memory;
    ff_pid_start(&bounded, &memory, 1.0, 1.0, 7.0);
    CHECK_NEAR(ff_pid_step(&bounded, &memory, 1.0, 1.0), 0.5, 1e-15);
}

TEST(constant_load_is_balanced_and_nonsense_is_ignored)
{
    ff_pid pid = plain;
    ff_pid_memory memory = {0};
    double x = 0.0, u = 0.0;
    for (int n = 0; n < 20000; n++) { // x' = u - 0.7 - x
        u = ff_pid_step(&pid, &memory, 0.2, x);
        x += pid.dt * (u - 0.7 - x);
    }
    CHECK_NEAR(x, 0.2, 1e-9);
    CHECK_NEAR(u, 0.9, 1e-9);
    ff_pid_memory kept = memory;
    CHECK_NEAR(ff_pid_step(&pid, &memory, NAN, x), u, 0.0);
    CHECK_NEAR(ff_pid_step(&pid, &memory, 0.2, -INFINITY), u, 0.0);
    CHECK(memcmp(&kept, &memory, sizeof kept) == 0);
}

TEST(impossible_settings_are_named)
{
    ff_error err = {0};
    ff_pid pid = plain;
    pid.ki = NAN;
    CHECK_INT(ff_pid_check(&pid, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "ki nan");
    pid = plain;
    pid.dt = 0.0;
    CHECK_INT(ff_pid_check(&pid, &err), FF_BAD_ARGUMENT);
    pid = plain;
    pid.low = 2.0, pid.high = 1.0;
    CHECK_INT(ff_pid_check(&pid, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "lower limit 2 lies above the upper limit 1");
    pid = plain;
    pid.tracking_time = -1.0;
    CHECK_INT(ff_pid_check(&pid, &err), FF_BAD_ARGUMENT);
}
