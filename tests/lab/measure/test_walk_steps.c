// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps from touches that are made up: duty factors, phases, support and margins of gaits whose numbers are known by
// their making.
#include "check.h"
#include "measure/walk.h"

enum { LEGS = 6, MOST = 60 };
static const double STEP = 1e-3; // between two looks  [s]

static const ff_measure_site site;
static ff_walk walk;
static ff_walker robot;
static ff_measure_window windows[2];
static ff_walk_leg legs[LEGS];
static ff_walk_sum sums[2];
static ff_walk_leg_sum leg_sums[2][LEGS];
static double few[LEGS + 1], places[LEGS][1][2];
static double queue_time[MOST], queue_span[MOST], queue_com[MOST][2], queue_points[MOST * LEGS][2];
static int queue_npoint[MOST * LEGS];

/// ANTON's feet: 0.18 m apart along the body, 0.22 m beside it.
static void start(double debounce, double from, double to)
{
    windows[0] = (ff_measure_window){"walk", 0.0, INFINITY};
    windows[1] = (ff_measure_window){"part", from, to};
    walk =
        (ff_walk){.site = &site, .windows = windows, .nwindow = 2, .debounce = debounce, .robots = &robot, .nrobot = 1};
    robot = (ff_walker){.legs = legs, .nleg = LEGS, .most_points = 1, .few = few, .sums = sums};
    robot.queue = (ff_walk_queue){.time = queue_time,
                                  .span = queue_span,
                                  .com = queue_com,
                                  .npoint = queue_npoint,
                                  .points = queue_points,
                                  .size = MOST};
    for (int w = 0; w < 2; w++) {
        sums[w] = (ff_walk_sum){.legs = leg_sums[w], .support_least = INFINITY, .margin_least = INFINITY};
        for (int i = 0; i < LEGS; i++) leg_sums[w][i] = (ff_walk_leg_sum){0};
    }
    for (int i = 0; i < LEGS; i++) {
        places[i][0][0] = 0.18 * (1 - i / 2);
        places[i][0][1] = i % 2 ? -0.22 : 0.22;
        legs[i] = (ff_walk_leg){.leg = i, .points = places[i], .npoint = 1, .neighbour = i + 2 < LEGS ? i + 2 : -1};
    }
}

typedef bool touches(int leg, double t);

/// Evaluates the touches for some time, with samples every 4 evaluations, the centre of mass at `com`.
static void follow(touches *touch, double time, const double com[2])
{
    for (int k = 0; k * STEP <= time; k++) {
        const double t = k * STEP;
        for (int i = 0; i < LEGS; i++) {
            legs[i].touching = touch(i, t);
            if (legs[i].touching) legs[i].slid += 0.01 * STEP; // creeps by 1 cm/s
        }
        if (k == 0) ff_walk_start_steps(&walk, &robot);
        ff_walk_step(&walk, &robot, t);
        if (k % 4) continue;
        ff_walk_queue_take(&walk, &robot, t);
        ff_walk_queue_put(&robot, t, k ? 4 * STEP : 0.0, com);
    }
    ff_walk_queue_take(&walk, &robot, INFINITY);
}

static double duty(int w, int i)
{
    return sums[w].legs[i].stance_time / sums[w].legs[i].cycle_time;
}

static double phase(int w, int i)
{
    return atan2(sums[w].legs[i].phase_sin, sums[w].legs[i].phase_cos) / (2 * FF_PI);
}

// ------------------------------------------------------------------------------------------ gaits

static const double wave_phase[LEGS] = {0, 0.5, 1.0 / 3, 5.0 / 6, 2.0 / 3, 1.0 / 6};
static const double PERIOD = 0.6, DUTY = 5.0 / 6; // [s]

/// Whole numbers of looks, so that the times come out exactly.
static bool wave(int leg, double t)
{
    const double since = fmod(t - wave_phase[leg] * PERIOD + 100 * PERIOD + 1e-9, PERIOD);
    return since < DUTY * PERIOD - 1e-9;
}

TEST(a_wave_gait_shows_its_duty_factor_phases_and_support)
{
    const double middle[2] = {0, 0};
    start(20e-3, 1.0, 4.0);
    follow(wave, 5.0, middle);
    for (int w = 0; w < 2; w++) {
        for (int i = 0; i < LEGS; i++) {
            CHECK_NEAR(duty(w, i), DUTY, 1e-9);
            CHECK_NEAR(remainder(phase(w, i) - wave_phase[i], 1.0), 0.0, 1e-9);
            // slides only while it stands: 1 cm/s for 0.5 s, the evaluation at lift-off included or not
            CHECK_NEAR(sums[w].legs[i].stance_slip / sums[w].legs[i].stances, 0.01 * DUTY * PERIOD, 0.01 * STEP * 1.5);
        }
        CHECK_NEAR(sums[w].support_least, 5, 0);
        CHECK_NEAR(sums[w].neighbours, 0.0, 0.0);
        CHECK_NEAR(sums[w].support / sums[w].support_time, 5.0, 0.02); // a sample in 25 falls on an exchange
    }
    // touch-downs of the first leg in [1, 4] s: at 1.2, 1.8, .. 3.6
    CHECK_INT(sums[1].legs[0].steps, 5);
    CHECK_INT(sums[1].legs[0].cycles, 4);
    CHECK_NEAR(sums[1].legs[0].cycle_time, 4 * PERIOD, 1e-9);
}

/// The wave with feet that leave the ground again for 5 ms, twice after each touch-down, and stumble for 8 ms in their
/// swing.
static bool chatter(int leg, double t)
{
    const double since = fmod(t - wave_phase[leg] * PERIOD + 100 * PERIOD + 1e-9, PERIOD);
    if ((since > 30e-3 && since < 35e-3) || (since > 41e-3 && since < 46e-3)) return false;
    if (since > DUTY * PERIOD + 40e-3 && since < DUTY * PERIOD + 48e-3) return true;
    return wave(leg, t);
}

TEST(chatter_shorter_than_the_debounce_changes_nothing)
{
    const double middle[2] = {0, 0};
    start(20e-3, 1.0, 4.0);
    follow(chatter, 5.0, middle);
    for (int i = 0; i < LEGS; i++) {
        CHECK_NEAR(duty(1, i), DUTY, 1e-9);
        CHECK_NEAR(remainder(phase(1, i) - wave_phase[i], 1.0), 0.0, 1e-9);
    }
    CHECK_INT(sums[1].legs[0].steps, 5);
    CHECK_NEAR(sums[1].support_least, 5, 0);
    start(0.0, 1.0, 4.0); // without debounce each of them is a step: three more in each swing and stance
    follow(chatter, 5.0, middle);
    CHECK_INT(sums[1].legs[0].steps, 4 * 5);
}

/// The wave with feet that leave the ground again for 40 ms, 60 ms after each touch-down.
static bool bounce(int leg, double t)
{
    const double since = fmod(t - wave_phase[leg] * PERIOD + 100 * PERIOD + 1e-9, PERIOD);
    return wave(leg, t) && !(since > 60e-3 && since < 100e-3);
}

TEST(a_foot_that_comes_back_too_soon_for_a_step_goes_on_standing)
{
    const double middle[2] = {0, 0};
    start(20e-3, 1.0, 4.0);
    walk.rebound = 50e-3;
    follow(bounce, 5.0, middle);
    for (int i = 0; i < LEGS; i++) {
        CHECK_NEAR(duty(1, i), DUTY, 1e-9);
        // it slides while it touches: all of its stance but the bounce
        CHECK_NEAR(sums[1].legs[i].stance_slip / sums[1].legs[i].stances, 0.01 * (DUTY * PERIOD - 40e-3),
                   0.01 * STEP * 1.5);
    }
    CHECK_INT(sums[1].legs[0].steps, 5);
    CHECK(sums[1].support_least < 5); // it does not carry meanwhile
    start(20e-3, 1.0, 4.0);
    walk.rebound = 30e-3; // the bounce is a step, and the touch before it the step before
    follow(bounce, 5.0, middle);
    CHECK_INT(sums[1].legs[0].steps, 2 * 5);
}

static bool tripod(int leg, double t)
{
    const bool one = leg == 0 || leg == 3 || leg == 4; // FL, MR, RL
    const double since = fmod(t + (one ? 0.0 : 0.5) + 1e-9, 1.0);
    return since < 0.5;
}

// On FL, MR, RL the edges are x = -0.18 .. 0.18 at y = 0.22 and two lines to (0, -0.22): a point on the x axis has the
// distance (0.09 - x) 0.44 / hypot(0.44, 0.18) from the front one, and the other tripod is its mirror image.
TEST(the_margin_of_a_tripod_is_that_of_its_triangle)
{
    const double com[2] = {0.02, 0.0}, expected = (0.09 - 0.02) * 0.44 / hypot(0.44, 0.18);
    start(20e-3, 2.0, 8.0);
    follow(tripod, 10.0, com);
    CHECK_NEAR(sums[1].margin_least, expected, 1e-12);
    CHECK_NEAR(sums[1].margin / sums[1].margin_time, expected, 1e-12);
    CHECK_NEAR(sums[1].negative, 0.0, 0.0);
    CHECK_NEAR(sums[1].support_least, 3, 0);
    const double ahead[2] = {0.1, 0.0}; // one centimetre beyond the edge
    start(20e-3, 2.0, 8.0);
    follow(tripod, 10.0, ahead);
    CHECK_NEAR(sums[1].margin_least, (0.09 - 0.1) * 0.44 / hypot(0.44, 0.18), 1e-12);
    CHECK_NEAR(sums[1].negative, 6.0, 1e-9);
}

/// Feet change over at once, but the tripod that comes is 10 ms late.
static bool late_tripod(int leg, double t)
{
    const bool one = leg == 0 || leg == 3 || leg == 4;
    const double since = fmod(t + (one ? 0.0 : 0.5) + 1e-9, 1.0);
    return since >= 10e-3 && since < 0.5;
}

static bool jump(int leg, double t)
{
    (void)leg;
    return fmod(t + 1e-9, 1.0) < 0.7;
}

TEST(support_counts_what_lasts_longer_than_the_debounce)
{
    const double middle[2] = {0, 0};
    start(20e-3, 0.0, 5.0);
    follow(late_tripod, 5.0, middle);
    CHECK_NEAR(sums[1].support_least, 3, 0);
    start(2e-3, 0.0, 5.0);
    follow(late_tripod, 5.0, middle);
    CHECK_NEAR(sums[1].support_least, 0, 0);
    start(20e-3, 0.0, 5.0);
    follow(jump, 5.0, middle);
    CHECK_NEAR(sums[1].support_least, 0, 0);
    CHECK_NEAR(sums[1].support / sums[1].support_time, 0.7 * 6, 6 * 5 * 4e-3 / 5.0); // [feet] a sample a second
    for (int i = 0; i < LEGS; i++) CHECK_NEAR(duty(1, i), 0.7, 1e-9);
    CHECK_NEAR(sums[1].neighbours, 5 * 0.3, 5 * 4e-3); // [s] a sample a jump
}

static bool stand(int leg, double t)
{
    (void)leg, (void)t;
    return true;
}

TEST(who_stands_makes_no_steps)
{
    const double middle[2] = {0, 0};
    start(20e-3, 0.0, 5.0);
    follow(stand, 5.0, middle);
    CHECK_INT(sums[0].legs[0].steps + sums[0].legs[0].cycles + sums[0].legs[0].stances, 0);
    CHECK_NEAR(sums[0].support_least, 6, 0);
    CHECK_NEAR(sums[0].margin_least, 0.18, 1e-15);
}
