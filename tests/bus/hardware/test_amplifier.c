// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A servo amplifier by CiA 402: every mode, option code and fault against the tables of the standard, with a motor that
// stands at its commanded position, or is blocked.
#include "check.h"

#include "hardware/amplifier.h"

#include <footfall/math.h>

#include <math.h>

#define DT 1e-3
enum { ZERO = 1000, SHUTDOWN = 0x06, SWITCH = 0x07, OPERATE = 0x0F, QUICK = 0x02, RESET = 0x80 };
enum { REACHED = 0x400, LIMIT = 0x800, BIT12 = 0x1000, BIT13 = 0x2000 };
enum { ALL_MODES = 0x3A1 };

static ff_amplifier a;
static ff_ec_drive o;
static ff_amplifier_inputs in;
static bool blocked;

static void step(unsigned control)
{
    o.control = (uint16_t)control;
    ff_amplifier_step(&a, &o, &in);
    if (a.is_driving && !blocked) in.count = ZERO + (int32_t)floor(a.demand.position + 0.5);
    ff_amplifier_measure(&a, &o, in.count, a.demand.velocity);
}

static void steps(unsigned control, int n)
{
    for (int i = 0; i < n; i++) step(control);
}

/// Just switched on, with presets of a drive; mode as given.
static void begin(int mode)
{
    blocked = false;
    a = (ff_amplifier){.modes = ALL_MODES};
    ff_amplifier_reset(&a);
    ff_amplifier_set_zero(&a, ZERO);
    in = (ff_amplifier_inputs){.dt = DT, .known = true, .count = ZERO, .turn = 2000.0, .applied = true};
    o = (ff_ec_drive){.quick_stop_option = 2,
                      .disable_option = 1,
                      .halt_option = 1,
                      .fault_option = 2,
                      .bus_lost_option = 3,
                      .mode = (int8_t)mode,
                      .following_window = 500,
                      .following_time = 10,
                      .limits = {INT32_MIN, INT32_MAX},
                      .max_torque = 3000,
                      .positive_torque = 3000,
                      .negative_torque = 3000,
                      .profile_velocity = 10000,
                      .acceleration = 100000,
                      .deceleration = 50000,
                      .quick_deceleration = 200000,
                      .homing_method = 37,
                      .homing_speed = {10000, 1000},
                      .homing_acceleration = 1000000,
                      .target_position = ZERO};
}

static void enable(int mode)
{
    begin(mode);
    step(0);
    step(SHUTDOWN);
    step(SWITCH);
    step(OPERATE);
    CHECK_INT(o.status & 0x6F, 0x27);
}

static unsigned state(void)
{
    return o.status & (o.status & 0x48 ? 0x4F : 0x6F); // states below fault and switch on disabled have bit 5
}

// ------------------------------------------------------------------------------------------ cyclic synchronous

TEST(the_chain_to_operation_has_the_status_words_of_a_drive)
{
    static const struct {
        unsigned control, status;
    } chain[] = {{0x00, 0x0250}, {0x06, 0x0231}, {0x07, 0x0233}, {0x0F, 0x1237}, {0x00, 0x0250}};
    begin(8);
    for (size_t i = 0; i < sizeof chain / sizeof *chain; i++) {
        step(chain[i].control);
        CHECK_INT(o.status, chain[i].status);
    }
    in.applied = false; // 9: the control word does not count
    step(0x06);
    CHECK_INT(o.status, 0x0050);
}

TEST(cyclic_position_follows_target_and_offsets)
{
    enable(8);
    o.target_position = ZERO + 40;
    o.position_offset = 2;
    o.velocity_offset = 300;
    o.torque_offset = -7;
    step(OPERATE);
    CHECK(a.demand.position == 42.0 && a.velocity_feedforward == 300.0 && a.torque_feedforward == -7.0);
    CHECK_INT(o.position_demand, ZERO + 42);
    CHECK_INT(o.status, 0x1237);
    o.limits[0] = ZERO - 10, o.limits[1] = ZERO + 10; // clipped: bit 11
    step(OPERATE);
    CHECK(a.demand.position == 10.0);
    CHECK_INT(o.status, 0x1237 | LIMIT);
    o.target_position = ZERO - 5;
    step(OPERATE);
    CHECK_INT(o.status, 0x1237);
    o.negative_torque = 5; // a torque is clipped by its own bounds
    step(OPERATE);
    CHECK(a.torque_feedforward == -5.0 && o.status == (0x1237 | LIMIT));
}

// 607E, bit 7: positions count the other way; bit 6: velocities.
TEST(polarity_turns_positions_and_velocities)
{
    enable(8);
    o.polarity = 0xC0;
    in.count = ZERO;
    step(OPERATE);
    CHECK_INT(o.position, -(ZERO + (int32_t)a.demand.position));
    o.target_position = -ZERO - 25;
    o.velocity_offset = -80;
    step(OPERATE);
    CHECK(a.demand.position == 25.0 && a.velocity_feedforward == 80.0);
    CHECK_INT(o.position, -ZERO - 25);
}

TEST(positions_wrap_at_32_bits)
{
    enable(8);
    a.zero = in.count = INT32_MAX - 10;
    o.target_position = INT32_MIN + 9; // 20 counts on
    step(OPERATE);
    CHECK(a.demand.position == 20.0);
    CHECK_INT(o.position_demand, INT32_MIN + 9);
}

TEST(cyclic_velocity_is_integrated)
{
    enable(9);
    o.target_velocity = 5000;
    o.velocity_offset = 1000;
    steps(OPERATE, 100);
    CHECK_NEAR(a.demand.position, 600.0, 1e-9);
    CHECK(a.velocity_feedforward == 6000.0);
    CHECK_INT(o.status, 0x1237);
    o.max_velocity = 2000;
    step(OPERATE);
    CHECK(a.velocity_feedforward == 2000.0 && o.status == (0x1237 | LIMIT));
    // a blocked motor: the integral stays within the window, and no following error
    o.max_velocity = 0;
    blocked = true;
    const double stands = a.demand.position;
    steps(OPERATE, 1000);
    CHECK(fabs(a.demand.position - stands) <= 500.5 && state() == 0x27); // half a count of rounding
}

TEST(cyclic_torque_is_the_sum_within_its_bounds)
{
    enable(10);
    o.target_torque = 700;
    o.torque_offset = 50;
    step(OPERATE);
    CHECK(a.torque_feedforward == 750.0 && o.torque_demand == 750 && o.status == 0x1237);
    o.positive_torque = 600;
    step(OPERATE);
    CHECK(a.torque_feedforward == 600.0 && o.status == (0x1237 | LIMIT));
    o.max_torque = 400;
    o.target_torque = -32768; // the greatest of its type
    step(OPERATE);
    CHECK(a.torque_feedforward == -400.0);
    step(0);
    CHECK(!a.is_driving && o.torque_demand == 0);
}

TEST(modes_that_a_drive_lacks_are_refused)
{
    enable(8);
    static const int others[] = {0, 2, 3, 4, 5, 7, 11, -1, 127, -128};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK_INT(ff_amplifier_check(&a, &in, 0x6060, others[i]), 0x06090030);
        o.mode = (int8_t)others[i]; // by process data: the mode stays, and is shown
        step(OPERATE);
        CHECK_INT(o.mode_shown, 8);
    }
    static const int own[] = {1, 6, 8, 9, 10};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        CHECK_INT(ff_amplifier_check(&a, &in, 0x6060, own[i]), 0);
        o.mode = (int8_t)own[i];
        step(OPERATE);
        CHECK_INT(o.mode_shown, own[i]);
        CHECK_INT(o.supported_modes, ALL_MODES);
    }
    a = (ff_amplifier){.modes = 1 << 9}; // a drive that takes torques alone begins in its only mode
    ff_amplifier_reset(&a);
    CHECK_INT(a.mode, 10);
    CHECK_INT(ff_amplifier_check(&a, &in, 0x6060, 8), 0x06090030);
}

// ------------------------------------------------------------------------------------------ profile position

/// Steps until the motion is over. @return how many
static int run(unsigned control)
{
    int n = 0;
    do step(control);
    while (++n < 10000 && !(o.status & REACHED));
    return n;
}

TEST(a_set_point_is_acknowledged_and_reached)
{
    enable(1);
    CHECK_INT(o.status & (REACHED | BIT12), REACHED);
    o.target_position = ZERO + 3005;
    step(OPERATE | 0x10);
    CHECK_INT(o.status & (REACHED | BIT12), BIT12); // taken, on its way
    o.target_position = ZERO - 9999;                // no edge: it does not count
    step(OPERATE | 0x10);
    CHECK_INT(o.status & (REACHED | BIT12), BIT12);
    step(OPERATE);
    CHECK_INT(o.status & (REACHED | BIT12), 0); // the next may come
    // 0.3005 s at 10000 counts/s, and half the time to speed up (0.1 s) and slow down (0.2 s): 450.5 steps
    CHECK_INT(run(OPERATE) + 3, 451);
    CHECK_INT(o.position, ZERO + 3005);
    // relative to the last target
    o.target_position = -500;
    step(OPERATE | 0x50);
    step(OPERATE);
    run(OPERATE);
    CHECK_INT(o.position, ZERO + 2505);
    // beyond the limits: to the limit, with bit 11
    o.limits[1] = ZERO + 2600, o.limits[0] = 0;
    o.target_position = ZERO + 5000;
    step(OPERATE | 0x10);
    CHECK(o.status & LIMIT);
    run(OPERATE);
    CHECK_INT(o.position, ZERO + 2600);
}

TEST(set_points_queue_or_change_at_once)
{
    enable(1);
    o.target_position = ZERO + 1000;
    step(OPERATE | 0x10);
    step(OPERATE);
    o.target_position = ZERO + 200; // waits
    step(OPERATE | 0x10);
    step(OPERATE);
    CHECK_INT(o.status & (REACHED | BIT12), BIT12); // no third: the acknowledgement stays
    o.target_position = ZERO + 7777;
    step(OPERATE | 0x10);
    step(OPERATE);
    double most = 0.0;
    for (int i = 0; i < 2000 && !(o.status & REACHED); i++) {
        step(OPERATE);
        most = ff_max(most, a.demand.position);
    }
    CHECK(most == 1000.0 && o.position == ZERO + 200); // first the one, then the other
    o.target_position = ZERO + 1000;
    step(OPERATE | 0x10);
    steps(OPERATE, 50);
    o.target_position = ZERO + 400;
    step(OPERATE | 0x30); // at once
    for (most = 0.0; !(o.status & REACHED);) {
        step(OPERATE);
        most = ff_max(most, a.demand.position);
    }
    CHECK(most < 1000.0 && o.position == ZERO + 400);
}

/// Two set points in a row, the second while the first is on its way. @return the least velocity between them, and the
/// time until both are over in `lasted`
static double pass_two(unsigned bits, int32_t second, double *lasted)
{
    double least = INFINITY;
    enable(1);
    o.target_position = ZERO + 2000;
    step(OPERATE | 0x10 | bits);
    step(OPERATE | bits);
    o.target_position = second;
    step(OPERATE | 0x10 | bits);
    int n = 3;
    for (; n < 5000 && !(o.status & REACHED); n++) {
        step(OPERATE | 0x10 | bits);
        if (a.demand.position > 1600.0 && a.demand.position < 2400.0) least = fmin(least, fabs(a.demand.velocity));
    }
    CHECK_INT(o.position, second);
    *lasted = n * DT;
    return least;
}

// Two trapezoids last v / 2a + v / 2d longer than one that is as long: v = 10000, a = 100000, d = 50000.
TEST(a_set_point_is_passed_where_control_bit_9_says_so)
{
    enum { PASS = 0x200 };
    double stopping, passing, back;
    CHECK(pass_two(0, ZERO + 4000, &stopping) < 100.0);
    CHECK_NEAR(pass_two(PASS, ZERO + 4000, &passing), 10000.0, 1e-6);
    CHECK_NEAR(stopping - passing, 10000.0 / 200000.0 + 10000.0 / 100000.0, 5 * DT);
    CHECK(pass_two(PASS, ZERO, &back) < 100.0); // back again: it has to stop
}

// A motor that stays 5 counts behind.
TEST(a_target_is_reached_within_window_and_time)
{
    static const struct {
        uint32_t window;
        uint16_t time; // [ms]
        int after;     // steps since it came there; 100: never
    } cases[] = {{5, 0, 1}, {5, 10, 11}, {4, 0, 100}, {UINT32_MAX, 10, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enable(1);
        o.position_window = cases[i].window;
        o.position_window_time = cases[i].time;
        o.following_window = UINT32_MAX;
        blocked = true;
        o.target_position = ZERO + 1000;
        step(OPERATE | 0x10);
        for (int k = 0; k < 1000 && a.profile.moves; k++) step(OPERATE);
        CHECK(!a.profile.moves && (!!(o.status & REACHED) == (cases[i].window == UINT32_MAX)));
        in.count = ZERO + 995;
        int n = 1;
        for (step(OPERATE); n < 100 && !(o.status & REACHED); n++) step(OPERATE);
        CHECK_INT(n, cases[i].after);
    }
}

TEST(set_points_are_interpolated_over_their_period)
{
    enable(8);
    o.period = 4;
    o.period_exponent = -3;
    o.target_position = ZERO + 40;
    for (int i = 1; i <= 6; i++) {
        step(OPERATE);
        CHECK_NEAR(a.demand.position, i < 4 ? 10.0 * i : 40.0, 1e-9);
        CHECK_NEAR(a.demand.velocity, i <= 4 ? 10.0 / DT : 0.0, 1e-6);
    }
    o.period_exponent = -4; // shorter than a step: at once
    o.target_position = ZERO;
    step(OPERATE);
    CHECK(a.demand.position == 0.0);
}

// 60B8: enable, index mark, positive edge; once, or each.
TEST(a_touch_probe_stores_index_marks)
{
    enum { ONCE = 0x15, EACH = 0x17 };
    enable(8);
    in.has_indices = true;
    o.probe = ONCE;
    step(OPERATE);
    CHECK_INT(o.probe_status, 1);
    in.indexed = true;
    in.mark = ZERO + 77;
    step(OPERATE);
    CHECK_INT(o.probe_status, 3);
    CHECK_INT(o.probe_position, ZERO + 77);
    in.mark = ZERO + 2077;
    step(OPERATE);
    CHECK_INT(o.probe_position, ZERO + 77); // the first
    o.probe = EACH;
    step(OPERATE);
    CHECK_INT(o.probe_position, ZERO + 2077);
    o.probe = 0;
    step(OPERATE);
    CHECK_INT(o.probe_status, 0);
    in.has_indices = false; // none to see
    o.probe = ONCE;
    step(OPERATE);
    CHECK_INT(o.probe_status, 0);
}

TEST(a_halted_motion_goes_on)
{
    for (int option = 1; option <= 4; option++) {
        enable(1);
        o.halt_option = (int16_t)option;
        o.target_position = ZERO + 5000;
        step(OPERATE | 0x10);
        steps(OPERATE, 200);
        const double v = a.demand.velocity, at = a.demand.position, ramp = option == 1 ? 50000 : 200000;
        CHECK(v == 10000.0);
        step(OPERATE | 0x100);
        CHECK(option > 2 || !(o.status & REACHED)); // 3 and 4 stop as hard as they can
        steps(OPERATE | 0x100, 300);
        CHECK_INT(o.status & (REACHED | 0x6F), REACHED | 0x27); // at rest, in operation
        CHECK_NEAR(a.demand.position - at, option > 2 ? 0.0 : v * v / (2.0 * ramp), 1e-6);
        run(OPERATE);
        CHECK_INT(o.position, ZERO + 5000);
    }
}

// ------------------------------------------------------------------------------------------ option codes

/// In cyclic velocity, at 10000 counts/s.
static double at_speed(void)
{
    enable(9);
    o.following_window = 100000;
    o.target_velocity = 10000;
    steps(OPERATE, 20);
    CHECK(a.demand.velocity == 10000.0);
    return a.demand.position;
}

TEST(quick_stop_has_eight_options)
{
    for (int option = 0; option <= 8; option++) {
        const double from = at_speed();
        const int kind = option > 4 ? option - 4 : option;
        const double ramp = kind == 1 ? 50000 : kind == 2 ? 200000 : 0;
        o.quick_stop_option = (int16_t)option;
        step(QUICK);
        CHECK_INT(state(), 0x07);
        steps(QUICK, 1);
        if (ramp > 0) CHECK_INT(state(), 0x07); // still braking
        steps(QUICK, 300);
        CHECK_NEAR(a.demand.position - from, ramp > 0 ? 1e8 / (2.0 * ramp) : 0.0, 1e-6);
        CHECK_INT(state(), option <= 4 ? 0x40 : 0x07);
        o.target_velocity = 0;
        step(OPERATE);
        CHECK_INT(state(), option <= 4 ? 0x40 : 0x27);
    }
    at_speed();
    o.quick_stop_option = 6;
    steps(QUICK, 300);
    step(0); // voltage off
    CHECK_INT(state(), 0x40);
}

TEST(shutdown_and_disable_brake_first_where_they_should)
{
    for (int option = 0; option <= 1; option++)
        for (int disable = 0; disable <= 1; disable++) {
            const double from = at_speed();
            o.shutdown_option = (int16_t)(disable ? !option : option);
            o.disable_option = (int16_t)(disable ? option : !option);
            step(disable ? SWITCH : SHUTDOWN);
            const unsigned end = disable ? 0x23 : 0x21;
            CHECK_INT(state(), option ? 0x27 : end);
            steps(disable ? SWITCH : SHUTDOWN, 300);
            CHECK_INT(state(), end);
            CHECK_NEAR(a.demand.position - from, option ? 1e8 / (2.0 * 50000) : 0.0, 1e-6);
        }
    const double from = at_speed(); // without voltage there is no ramp
    step(0);
    CHECK(state() == 0x40 && a.demand.position == from && !a.is_driving);
}

TEST(faults_react_by_their_option)
{
    for (int option = 0; option <= 2; option++) {
        const double from = at_speed(), ramp = option == 1 ? 50000 : 200000;
        o.fault_option = (int16_t)option;
        in.broken = true;
        step(OPERATE);
        CHECK_INT(state(), 0x0F);
        CHECK_INT(o.error_code, 0xFF01);
        steps(OPERATE, 300);
        CHECK_INT(state(), 0x08);
        CHECK_NEAR(a.demand.position - from, option ? 1e8 / (2.0 * ramp) : 0.0, 1e-6);
        step(RESET); // its cause is still there
        CHECK_INT(state(), 0x08);
        in.broken = false;
        step(RESET); // no edge
        CHECK_INT(state(), 0x08);
        step(0);
        step(RESET);
        CHECK_INT(state(), 0x40);
        CHECK_INT(o.error_code, 0);
    }
}

TEST(a_lost_bus_reacts_by_its_option)
{
    for (int option = 0; option <= 3; option++) {
        const double from = at_speed();
        o.bus_lost_option = (int16_t)option;
        o.fault_option = 1;
        in.applied = false, in.lost = true;
        step(OPERATE);
        CHECK_INT(state(), option ? 0x0F : 0x27);
        steps(OPERATE, 300);
        CHECK_INT(state(), option ? 0x08 : 0x27);
        CHECK_INT(o.error_code, option ? 0x8130 : 0);
        const double ramp = option == 1 ? 50000 : option == 3 ? 200000 : 0;
        CHECK_NEAR(a.demand.position - from, ramp > 0 ? 1e8 / (2.0 * ramp) : 0.0, 1e-6);
        CHECK(!(o.status & 0x0200)); // no control word applies
        in.applied = true, in.lost = false;
        o.target_velocity = 0;
        step(option ? RESET : OPERATE);
        CHECK_INT(state(), option ? 0x40 : 0x27);
    }
    begin(8); // a drive that was not in operation has nothing to stop
    step(0);
    in.applied = false, in.lost = true;
    steps(0, 3);
    CHECK(state() == 0x40 && o.error_code == 0);
}

// ------------------------------------------------------------------------------------------ following error

TEST(a_following_error_beyond_window_and_time_is_a_fault)
{
    enable(8);
    blocked = true;
    o.target_position = ZERO + 500; // at the window
    steps(OPERATE, 100);
    CHECK_INT(o.status, 0x1237);
    CHECK_INT(o.following_error, 500);
    o.target_position = ZERO + 501;
    steps(OPERATE, 11); // 10 ms after the first
    CHECK_INT(o.status, 0x1237);
    step(OPERATE); // longer than 10 ms
    CHECK_INT(o.status & BIT13, BIT13);
    CHECK_INT(o.error_code, 0x8611);
    steps(OPERATE, 100);
    CHECK_INT(state(), 0x08);
    o.target_position = ZERO;
    step(RESET);
    CHECK_INT(state(), 0x40);
    CHECK_INT(o.status & BIT13, 0);
    // time begins again where the error was within the window once
    enable(8);
    blocked = true;
    for (int i = 0; i < 50; i++) {
        o.target_position = ZERO + (i % 10 ? 600 : 0);
        step(OPERATE);
    }
    CHECK_INT(o.error_code, 0);
    o.following_window = UINT32_MAX; // off
    o.target_position = ZERO + 100000;
    steps(OPERATE, 100);
    CHECK_INT(o.error_code, 0);
    // torque and velocity are not watched; a profile is
    static const struct {
        int mode;
        unsigned error;
    } modes[] = {{9, 0}, {10, 0}, {1, 0x8611}};
    for (size_t i = 0; i < 3; i++) {
        enable(modes[i].mode);
        blocked = true;
        o.target_velocity = 100000;
        o.target_torque = 1000;
        o.target_position = ZERO + 100000;
        step(OPERATE | 0x10);
        steps(OPERATE, 300);
        CHECK_INT(o.error_code, modes[i].error);
    }
}

// ------------------------------------------------------------------------------------------ homing

/// Limit switches at these counts; index marks every 2000 counts from `marks` on, seen when they are passed.
static int32_t switches[2], marks;
static bool has_marks;

static void feel(int32_t before)
{
    o.digital_inputs = (in.count <= switches[0] ? 1U : 0) | (in.count >= switches[1] ? 2U : 0);
    const double turn = 2000.0, b = floor((before - marks) / turn), n = floor((in.count - marks) / turn);
    if (!has_marks || b == n) return;
    in.indexed = true;
    in.mark = marks + (int32_t)(turn * ff_max(b, n));
}

/// Homes by a method. @return status bits 10, 12, 13 at the end
static unsigned home(int method)
{
    enable(6);
    in.limits = 3;
    in.has_indices = has_marks = true;
    switches[0] = ZERO - 3300, switches[1] = ZERO + 4700, marks = ZERO + 150;
    o.homing_method = (int8_t)method;
    o.home_offset = 70;
    CHECK_INT(o.status & (REACHED | BIT12 | BIT13), REACHED); // not begun
    for (int i = 0; i < 20000; i++) {
        const int32_t before = in.count;
        step(OPERATE | 0x10);
        feel(before);
        if (o.status & (REACHED | BIT12 | BIT13)) break;
    }
    return o.status & (REACHED | BIT12 | BIT13);
}

TEST(homing_finds_home_by_every_method)
{
    static const struct {
        int method, home, slack;
    } cases[] = {{1, ZERO + 150 - 2000, 0}, // leaves the negative switch at -3300: the mark above it
                 {2, ZERO + 150 + 4000, 0}, // the mark below the positive switch
                 {17, ZERO - 3299, 2},      // the edge of the switch, a step at 1000 counts/s late
                 {18, ZERO + 4699, 2},      {33, ZERO + 150 - 2000, 0}, {34, ZERO + 150, 0}, {37, ZERO, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const unsigned end = home(cases[i].method);
        CHECK_INT(end, REACHED | BIT12);
        // a position object shows 607C at home
        const int32_t home_count = in.count - (o.position - 70);
        if (abs(home_count - cases[i].home) > cases[i].slack)
            CHECK_FAIL("method %d: home at %d, expected %d", cases[i].method, home_count, cases[i].home);
        CHECK(abs(o.following_error) <= 1); // demand and position have shifted together; a step of 1000 counts/s late
        const int32_t at = o.position;      // the shift stays in other modes
        o.mode = 8;
        o.target_position = at + 10;
        step(OPERATE);
        CHECK_INT(o.position, at + 10);
        CHECK_INT(o.status, 0x1237);
    }
}

TEST(a_second_homing_takes_the_next_mark)
{
    CHECK_INT(home(34), REACHED | BIT12);
    const int32_t first = in.count;
    step(OPERATE);
    for (int i = 0; i < 5000; i++) {
        const int32_t before = in.count;
        step(OPERATE | 0x10);
        feel(before);
        if (i > 0 && o.status & BIT12) break;
    }
    CHECK_INT(in.count - (o.position - 70), ZERO + 150 + 2000);
    CHECK(in.count > first);
}

TEST(homing_that_cannot_succeed_is_an_error)
{
    enable(6);
    o.homing_method = 17; // without a switch
    step(OPERATE | 0x10);
    CHECK_INT(o.status & (REACHED | BIT12 | BIT13), REACHED | BIT13);
    static const int none[] = {0, 3, 16, 19, 35, 36, 38, -1};
    in.limits = 3, in.has_indices = true;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK_INT(ff_amplifier_check(&a, &in, 0x6098, none[i]), 0x06090030);
    static const int ours[] = {1, 2, 17, 18, 33, 34, 37};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        in.limits = 3, in.has_indices = true;
        CHECK_INT(ff_amplifier_check(&a, &in, 0x6098, ours[i]), 0);
        in.limits = 0, in.has_indices = false; // what needs something the drive lacks
        CHECK_INT(ff_amplifier_check(&a, &in, 0x6098, ours[i]), ours[i] == 37 ? 0 : 0x06090030);
    }
    // an encoder whose mark never comes: two turns, then an error at rest
    enable(6);
    in.has_indices = true;
    o.homing_method = 34;
    for (int i = 0; i < 20000 && !(o.status & BIT13); i++) step(OPERATE | 0x10);
    steps(OPERATE | 0x10, 10);
    CHECK_INT(o.status & (REACHED | BIT12 | BIT13), REACHED | BIT13);
    CHECK(fabs(a.demand.position) >= 2 * 2000 && fabs(a.demand.position) < 2.1 * 2000);
    // bit 4 cleared: interrupted
    enable(6);
    in.limits = 3;
    o.homing_method = 17;
    steps(OPERATE | 0x10, 50);
    CHECK_INT(o.status & (REACHED | BIT12 | BIT13), 0); // runs
    steps(OPERATE, 50);
    CHECK_INT(o.status & (REACHED | BIT12 | BIT13), REACHED);
    // a blocked motor: the following error ends it
    enable(6);
    in.limits = 3;
    o.homing_method = 17;
    blocked = true;
    steps(OPERATE | 0x10, 300);
    CHECK_INT(o.error_code, 0x8611);
}

// ------------------------------------------------------------------------------------------ anything

static uint64_t seed;

static uint32_t draw(void)
{
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(seed >> 32);
}

/// A number of 32 bits, often at an end of its range or near 0.
static int32_t any(void)
{
    static const int32_t ends[] = {0, 1, -1, INT32_MAX, INT32_MIN, 1000, -1000};
    return draw() % 3 ? ends[draw() % 7] : (int32_t)draw();
}

// Whatever a master writes, demands stay finite, and what sanitizers look for does not happen.
TEST(any_objects_make_finite_demands)
{
    static const int8_t modes[] = {1, 6, 8, 9, 10, 0, -1};
    static const int8_t methods[] = {1, 2, 17, 18, 33, 34, 37};
    int enabled = 0;
    for (int round = 0; round < 300; round++) {
        seed = (uint64_t)round;
        enable(8);
        for (int i = 0; i < 100; i++) {
            o.mode = modes[draw() % 7];
            o.quick_stop_option = (int16_t)(draw() % 9);
            o.fault_option = o.disable_option = (int16_t)(draw() % 2);
            o.following_window = draw() % 4 ? UINT32_MAX : (uint32_t)any();
            o.polarity = (uint8_t)draw();
            o.target_position = any(), o.position_offset = any(), o.target_velocity = any();
            o.velocity_offset = any(), o.home_offset = any();
            o.target_torque = (int16_t)any(), o.torque_offset = (int16_t)any();
            o.max_torque = o.positive_torque = o.negative_torque = (uint16_t)any();
            o.limits[0] = any(), o.limits[1] = any();
            o.max_velocity = (uint32_t)any(), o.profile_velocity = (uint32_t)any();
            o.acceleration = (uint32_t)any(), o.deceleration = (uint32_t)any();
            o.homing_method = methods[draw() % 7];
            o.homing_speed[0] = o.homing_speed[1] = (uint32_t)any();
            o.homing_acceleration = (uint32_t)any();
            o.digital_inputs = draw();
            in.count = any();
            in.indexed = in.has_indices = draw() % 2;
            in.limits = draw() % 4;
            in.lost = draw() % 50 == 0;
            blocked = true;
            step(draw() % 4 ? OPERATE | (draw() & 0x170) : draw() & 0xFFFF);
            CHECK(isfinite(a.demand.position) && isfinite(a.demand.velocity) && isfinite(a.torque_feedforward));
            enabled += state() == 0x27;
        }
    }
    CHECK(enabled > 3000); // a tenth of the steps: most of it was tried in operation
}
