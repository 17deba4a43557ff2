// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors that estimate roll and pitch from their own gyroscope and accelerometer, with the errors of these: on a
// turntable and at rest, saved and restored, perfect, and mistakes.
#include "plant/sensors.h"
#include "support/sensor_lab.h"

static const char TABLE[] =
    "footfall: 1\n"
    "name: table\n"
    "bodies:\n"
    "  disk:\n"
    "    joint: {name: axle, axis: z}\n"
    "    inertial: {mass: 1.0, box: [0.2, 0.2, 0.1]}\n"
    "    frames: {rim: {pos: [0.05, 0, 0]}, middle: {}}\n"
    "sensors:\n"
    "  rim: {type: imu, frame: rim, fusion: 2}\n"
    "  angles: {type: attitude, frame: rim, fusion: 2}\n"
    "  true: {type: attitude, frame: rim}\n"
    "  biased: {type: imu, frame: middle, fusion: 2, bias: [0.01, 0, 0, 0, 0, 0, 0, 0.001]}\n"
    "  tilted: {type: imu, frame: middle, fusion: 2, bias: [0, 0, 0, 0, 0.1, 0, 0, 0]}\n"
    "  learned: {type: attitude, frame: middle, fusion: [2, 1], bias: [0.01, 0, 0], delay: 3}\n"
    "  noisy: {preset: rotto-imu, frame: middle, fusion: [1, 0.2], bits: 12, range: [5, 30, 0.2]}\n";

static lab spin(unsigned stages, double speed)
{
    lab l = start(TABLE, stages, 1e-3, false);
    ff_sim_set_v(l.sim, 0, speed);
    return l;
}

TEST(turn_tilts_the_estimate_and_not_the_truth)
{
    lab l = spin(FF_STAGES_ALL, 1.5);
    run(&l, 10.0);
    // tests/robot/sense/test_fusion.c has the closed form: x and y of the upward direction
    const double inward = -1.5 * 1.5 * 0.05, a = inward / sqrt(9.81 * 9.81 + inward * inward), square = 4.0 + 1.5 * 1.5;
    CHECK_NEAR(value(&l, "rim", 7), -a * 4.0 / square, 4e-3 * fabs(a)); // [rad] pitch is -x
    CHECK_NEAR(value(&l, "rim", 6), -a * 2.0 * 1.5 / square, 4e-3 * fabs(a));
    CHECK_NEAR(value(&l, "rim", 2), 1.5, 1e-12);
    CHECK_NEAR(value(&l, "rim", 3), inward, 1e-10);
    CHECK(value(&l, "angles", 0) == value(&l, "rim", 6) && value(&l, "angles", 1) == value(&l, "rim", 7));
    CHECK_NEAR(value(&l, "true", 0), 0.0, 1e-15);
}

TEST(errors_of_gyroscope_and_accelerometer_reach_the_estimate)
{
    lab l = spin(FF_STAGES_ALL, 0.0);
    run(&l, 20.0);
    CHECK_NEAR(value(&l, "biased", 0), 0.01, 1e-15);
    CHECK_NEAR(value(&l, "biased", 6), asin(0.01 / 2.0) - 0.01 * 1e-3, 1e-9);
    CHECK_NEAR(value(&l, "biased", 7), 0.001, 1e-9);            // a bias of the angle itself comes behind the estimate
    CHECK_NEAR(value(&l, "tilted", 6), atan2(0.1, 9.81), 1e-9); // the estimate follows the accelerometer
    CHECK_NEAR(value(&l, "learned", 0), 0.0, 1e-7);             // exp(-20) of b / k and some
    CHECK_NEAR(value(&l, "noisy", 6), 0.0, 2e-3); // noise of 1 mrad/s and 20 mm/s^2, and of 0.1 mrad behind
    CHECK(value(&l, "noisy", 6) != 0.0 || value(&l, "noisy", 7) != 0.0);
}

TEST(perfect_sensors_need_no_estimate)
{
    lab l = spin(FF_STAGES_NONE, 1.5);
    run(&l, 1.0);
    CHECK_NEAR(value(&l, "rim", 6), 0.0, 1e-15);
    CHECK_NEAR(value(&l, "rim", 7), 0.0, 1e-15);
    CHECK_NEAR(value(&l, "angles", 0), 0.0, 1e-15);
    CHECK_NEAR(value(&l, "learned", 0), 0.0, 1e-15);
}

TEST(saved_estimates_go_on_with_the_same_bits)
{
    lab one = spin(FF_STAGES_ALL, 1.0), two = spin(FF_STAGES_ALL, 0.3);
    run(&one, 0.5);
    must_copy_state(one.sim, two.sim);
    run(&one, 1.0);
    run(&two, 1.0);
    CHECK(memcmp(ff_sensors_find(one.sim)->memory, ff_sensors_find(two.sim)->memory, one.set->memory_size) == 0);
    CHECK(value(&one, "noisy", 6) == value(&two, "noisy", 6));
}

/// A robot whose sensor stands in line 8.
static const char PROBE[] =
    "footfall: 1\nname: a\nbodies:\n  b:\n    joint: {name: j, axis: y}\n    inertial: {mass: 1, box: [1, 1, 1]}\n"
    "sensors:\n  x: {body: b, %s}\n";

TEST(mistakes_are_reported_with_their_place)
{
    expect_error(PROBE, "type: gyro, fusion: 1", "only an imu or an attitude", 8);
    expect_error(PROBE, "type: imu, fusion: [1, 2, 3]", "expected 1 to 2 numbers for 'fusion', got 3", 8);
    expect_error(PROBE, "type: imu, fusion: mahony", "not a number", 8);
    expect_error(PROBE, "type: imu, fusion: 0", "fusion with a gain of 0 1/s", 8);
    expect_error(PROBE, "type: imu, fusion: -1", "'fusion' is -1: it must be zero or more", 8);
    expect_error(PROBE, "type: imu, fusion: 1000", "fusion with a gain of 1000 1/s", 8);
    expect_error(PROBE, "type: attitude, fusion: [1, -1]", "'fusion' is -1: it must be zero or more", 8);
    expect_error(PROBE, "type: attitude, fusion: 1, noise: [1, 2]", "one for each channel", 8);
    expect_error(PROBE, "type: attitude, fusion: 1, noise: -1", "'noise' is -1: it must be zero or more", 8);
}
