// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Control of vertical foot forces at the primitive level, without robot or ground: six feet that stand, forces as a
// sensor would measure them, and
//     y' = -K_f e - y / T_leak,   |y| <= limit
// for the height of each foot, e what its force lacks less what a motion of the whole body would change.
#include "gait/walk.h"

#include "check.h"

enum { LEGS = 6 };
#define DT     1e-3  // [s]
#define WEIGHT 49.05 // [N]

static const ff_leg_place PLACES[LEGS] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};
/// Front left and rear right against front right and rear left: neither sum nor moments, so tension alone.
static const double TWIST[LEGS] = {1.0, -1.0, 0.0, 0.0, -1.0, 1.0};

static ff_walk_robot robot;
static ff_walk_setpoint setpoint;
static ff_walk_memory memory;

/// All feet stand in two rows of three, the centre of mass in their middle.
static void stand(void)
{
    ff_error err = {0};
    robot = (ff_walk_robot){.options = ff_hexapod_options_default(), .n = LEGS, .weight = WEIGHT};
    if (ff_footstep_setup_make(PLACES, LEGS, &robot.options.step, &robot.step, &err) != FF_OK)
        CHECK_FAIL("%s", err.text);
    setpoint = (ff_walk_setpoint){.control_forces = true};
    memory = (ff_walk_memory){0};
    for (int i = 0; i < LEGS; i++) {
        setpoint.centre[i][0] = 0.18 * (1 - PLACES[i].row);
        setpoint.centre[i][1] = PLACES[i].side == 0 ? 0.22 : -0.22;
        memory.seen.contact[i] = true;
    }
    ff_footstep_start(&robot.step, (const double(*)[2])setpoint.centre, &memory.step);
}

/// Feet that lack e times the pattern of what they shall carry, for a time.
static void control(const double pattern[LEGS], double e, double time)
{
    for (int k = 0; k < (int)(time / DT + 0.5); k++) {
        for (int i = 0; i < LEGS; i++) memory.seen.force[i] = WEIGHT / LEGS - e * pattern[i];
        ff_primitive_forces(&robot, &setpoint, DT, &memory);
    }
}

TEST(feet_in_two_rows_under_their_middle_carry_the_same)
{
    stand();
    control(TWIST, 0.0, DT);
    for (int i = 0; i < LEGS; i++) {
        CHECK_NEAR(memory.plan.force[i], WEIGHT / LEGS, 1e-12);
        CHECK_NEAR(memory.lift[i], 0.0, 1e-15);
    }
    CHECK_INT(memory.status & FF_WALK_UNBALANCED, 0);
}

// A force that does not follow, as of a sensor with an offset: y = -K_f e T (1 - exp(-t / T)).
TEST(a_lasting_error_of_force_ends_in_a_bounded_height)
{
    const double e = 0.5; // [N]
    stand();
    const double gain = robot.options.force_gain, leak = robot.options.force_leak;
    for (int second = 1; second <= 40; second++) {
        control(TWIST, e, 1.0);
        const double expected = -gain * e * leak * (1.0 - exp(-second / leak));
        // a step of dt takes dt / (2 T) of the rate too much
        for (int i = 0; i < LEGS; i++) CHECK_NEAR(memory.lift[i], TWIST[i] * expected, DT / leak * fabs(expected));
    }
    CHECK_BELOW(gain * e * leak, 0.9 * robot.options.force_limit); // the leak ends it, not the limit
}

// What was learned fades with the time of the leak: where the errors have gone, where too few feet stand to have
// tension, and where nobody asks for control.
TEST(corrections_of_height_fade)
{
    for (int k = 0; k < 3; k++) {
        stand();
        control(TWIST, 1.0, 2.0);
        const double before = memory.lift[1];
        CHECK(before > 1e-3);
        for (int i = 0; k == 1 && i < 3; i++) memory.seen.contact[2 * i] = false;
        if (k == 2) setpoint.control_forces = false;
        control(TWIST, k == 0 ? 0.0 : 1.0, 3.0);
        CHECK_NEAR(memory.lift[1] / before, exp(-3.0 / robot.options.force_leak), 1e-4); // t dt / (2 T^2)
    }
}

// A broken sensor may report anything: no foot goes farther up or down than the limit, and on its way there no faster
// than K_f e.
TEST(no_error_of_force_moves_a_foot_beyond_the_limit)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        stand();
        const double gain = robot.options.force_gain, limit = robot.options.force_limit;
        control(TWIST, sign * 100.0, 0.01);
        CHECK_NEAR(memory.lift[1], sign * gain * 100.0 * 0.01, 2e-6); // [m] t / (2 T) of it is forgotten
        for (int k = 0; k < 100; k++) {
            control(TWIST, sign * 100.0, 0.1);
            for (int i = 0; i < LEGS; i++) CHECK_BELOW(fabs(memory.lift[i]), limit);
        }
        for (int i = 0; i < LEGS; i++) CHECK_NEAR(memory.lift[i], -sign * TWIST[i] * limit, 1e-12);
    }
}

// Errors that a sinking, rolling or pitching body would have leave the feet where they are.
TEST(errors_of_a_moved_body_move_no_foot)
{
    for (int k = 0; k < 3; k++) {
        double pattern[LEGS];
        stand();
        for (int i = 0; i < LEGS; i++) pattern[i] = k == 0 ? 1.0 : 10.0 * setpoint.centre[i][k - 1];
        control(pattern, 5.0, 1.0);
        for (int i = 0; i < LEGS; i++) CHECK_NEAR(memory.lift[i], 0.0, 1e-15);
    }
}

// A foot that lifts takes its correction along as height of its step.
TEST(a_foot_that_lifts_takes_its_correction_along)
{
    stand();
    control(TWIST, 1.0, 1.0);
    const double lift = memory.lift[0];
    CHECK(lift < -1e-4);
    ff_footstep_leg *leg = &memory.step.legs[0];
    leg->phase = FF_FOOTSTEP_RISE;
    leg->height = leg->aim = 0.01;
    control(TWIST, 0.0, DT);
    CHECK_NEAR(leg->height, 0.01 + lift, 1e-15);
    CHECK_NEAR(leg->aim, 0.01 + lift, 1e-15);
    CHECK_NEAR(memory.lift[0], 0.0, 0.0);
}
