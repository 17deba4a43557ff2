// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The estimate of roll and pitch against its closed forms: what a bias, a vibration and a steady turn do to it, and how
// it learns a bias.
#include "check.h"

#include <footfall/footfall.h>
#include <footfall/fusion.h>
#include <footfall/math.h>

static const double G = 9.81, T = 1e-3;

static void update(const ff_fusion *f, ff_fusion_state *s, double wx, double wy, double wz, double ax, double ay,
                   double az)
{
    ff_fusion_update(f, s, T, (double[]){wx, wy, wz}, (double[]){ax, ay, az});
}

TEST(angles_and_direction_belong_together)
{
    ff_fusion_state s;
    double angles[2];
    for (double roll = -3.0; roll < 3.1; roll += 0.5)
        for (double pitch = -1.5; pitch < 1.6; pitch += 0.5) {
            ff_fusion_start(&s, roll, pitch);
            ff_fusion_angles(s.up, angles);
            CHECK_NEAR(angles[0], roll, 1e-14);
            CHECK_NEAR(angles[1], pitch, 1e-14);
            CHECK_NEAR(ff_vec3_norm(s.up), 1.0, 1e-15);
        }
}

// Each sample turns the estimate by b T, and the accelerometer turns it back by as much: k sin(error) = b before it
// does.
TEST(bias_tilts_the_estimate_by_bias_over_gain)
{
    const ff_fusion f = {.gain = 2.0};
    ff_fusion_state s;
    double angles[2];
    const double bx = 0.02, by = -0.05;
    ff_fusion_start(&s, 0.0, 0.0);
    for (int k = 0; k < 20000; k++) update(&f, &s, bx, 0.0, 0.0, 0.0, 0.0, G);
    ff_fusion_angles(s.up, angles);
    CHECK_NEAR(angles[0], asin(bx / f.gain) - bx * T, 1e-10); // [rad] exp(-40) is gone
    CHECK_NEAR(angles[1], 0.0, 1e-12);
    ff_fusion_start(&s, 0.0, 0.0);
    for (int k = 0; k < 20000; k++) update(&f, &s, 0.0, by, 0.0, 0.0, 0.0, G);
    ff_fusion_angles(s.up, angles);
    CHECK_NEAR(angles[1], asin(by / f.gain) - by * T, 1e-10);
}

// With k^2 = 4 k_b the error of a bias that begins at t = 0 is b t exp(-k t / 2): it comes and goes, and the bias is
// known.
TEST(bias_is_learned)
{
    const ff_fusion f = {.gain = 2.0, .bias_gain = 1.0};
    ff_fusion_state s;
    double angles[2];
    const double b = 1e-3;
    ff_fusion_start(&s, 0.0, 0.0);
    s.spin[0] = b;
    for (int k = 1; k <= 30000; k++) {
        update(&f, &s, b, 0.0, 0.0, 0.0, 0.0, G);
        ff_fusion_angles(s.up, angles);
        if (k % 500 != 0) continue;
        const double t = k * T;
        CHECK_NEAR(angles[0], b * t * exp(-t), 2.0 * b * T); // [rad] of first order in the period
    }
    CHECK_NEAR(angles[0], 0.0, 1e-12);
    CHECK_NEAR(s.bias[0], b, 1e-12);
}

// Swings of +-0.5 rad about an axis through the unit: the accelerometer feels no more than gravity and both agree. What
// is left is the mean of two samples in place of the integral between them, (omega T)^2 / 12 of the amplitude.
TEST(fast_swings_are_followed)
{
    const ff_fusion f = {.gain = 0.5};
    ff_fusion_state s;
    double angles[2];
    const double omega = 2.0 * FF_PI * 3.0, amplitude = 0.5;
    ff_fusion_start(&s, 0.0, 0.0);
    s.spin[0] = amplitude * omega;
    for (int k = 1; k <= 3000; k++) {
        const double t = k * T, roll = amplitude * sin(omega * t);
        update(&f, &s, amplitude * omega * cos(omega * t), 0.0, 0.0, 0.0, G * sin(roll), G * cos(roll));
        ff_fusion_angles(s.up, angles);
        CHECK_NEAR(angles[0], roll, 1.1 * amplitude * omega * omega * T * T / 12.0); // 1.1: k shifts the phase a little
    }
}

// A unit that is shaken along x without turning: the estimate is a low-pass of first order, (a/g) k / sqrt(k^2 +
// omega^2).
TEST(vibration_passes_a_low_pass_of_first_order)
{
    const ff_fusion f = {.gain = 2.0};
    const double tilt = 0.01;
    for (double omega = 0.5; omega < 100.0; omega *= 4.0) {
        ff_fusion_state s;
        double angles[2], most = 0.0;
        ff_fusion_start(&s, 0.0, 0.0);
        for (int k = 1; k <= 60000; k++) {
            update(&f, &s, 0.0, 0.0, 0.0, tilt * G * cos(omega * k * T), 0.0, G);
            ff_fusion_angles(s.up, angles);
            if (k > 20000) most = fmax(most, fabs(angles[1]));
        }
        const double expected = tilt * f.gain / sqrt(f.gain * f.gain + omega * omega);
        CHECK_NEAR(most / expected, 1.0, 2e-3); // first order in the period, k T, and the cube of the tilt
    }
}

// On a turntable, r from its middle, the accelerometer feels omega^2 r inward for ever, while the axes turn: x = a k^2
// / (k^2 + omega^2), y = -a omega k / (k^2 + omega^2).
TEST(steady_turn_tilts_the_estimate_as_the_closed_form_says)
{
    const ff_fusion f = {.gain = 2.0};
    const double radius = 0.05;
    for (double omega = 0.5; omega < 3.0; omega += 0.5) {
        ff_fusion_state s;
        const double inward = -omega * omega * radius, a = inward / sqrt(G * G + inward * inward);
        ff_fusion_start(&s, 0.0, 0.0);
        s.spin[2] = omega;
        for (int k = 0; k < 20000; k++) update(&f, &s, 0.0, 0.0, omega, inward, 0.0, G);
        const double square = f.gain * f.gain + omega * omega;
        CHECK_NEAR(s.up[0], a * f.gain * f.gain / square, 4e-3 * fabs(a)); // first order in the period, (k + omega) T
        CHECK_NEAR(s.up[1], -a * f.gain * omega / square, 4e-3 * fabs(a));
    }
}

TEST(free_fall_leaves_the_gyroscope_alone)
{
    const ff_fusion f = {.gain = 2.0, .bias_gain = 1.0};
    ff_fusion_state s;
    double angles[2];
    ff_fusion_start(&s, 0.3, 0.0);
    s.spin[0] = 0.1;
    for (int k = 0; k < 1000; k++) update(&f, &s, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0);
    ff_fusion_angles(s.up, angles);
    CHECK_NEAR(angles[0], 0.4, 1e-12);
    CHECK(s.bias[0] == 0.0);
}

// Hanging upside down is a balance of the estimate that nothing holds: it falls to the right side as soon as noise
// moves it, and stays finite on the way.
TEST(wrong_side_is_left)
{
    const ff_fusion f = {.gain = 5.0};
    ff_fusion_state s;
    ff_fusion_start(&s, FF_PI - 1e-6, 0.0);
    for (int k = 0; k < 10000; k++) update(&f, &s, 0.0, 0.0, 0.0, 0.0, 0.0, G);
    CHECK_NEAR(s.up[2], 1.0, 1e-12);
}
