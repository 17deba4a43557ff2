// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Dry friction of motors that reverses within a speed which hardly moves anything, and decides the motion: it stops
// what there was and heats by it, whatever accuracy is asked for, and a step finds the speed of a rotor that it holds.
#include "support/arm.h"

static ff_sim_options within(ff_method method, double accuracy)
{
    ff_sim_options o = with(method, 1e-3);
    o.relative = accuracy;
    o.absolute = 1e-3 * accuracy;
    if (method == FF_METHOD_IMPLICIT) o.accuracy = accuracy;
    return o;
}

static void set_speeds(arm *a, const double *v)
{
    static const double zero[2] = {0};
    ff_sim_set_state(a->sim, zero, v);
    ff_sim_start_drives(a->sim);
}

// 2 N m behind a gear of 10 stop a wheel of 1 kg m^2 after w^2 / (2 * 20 N m). Newton's iteration once ended before it
// had asked friction: at 1e-3 and 0.11 rad/s the wheel chattered and made 0.31 J of 6 mJ.
TEST(stiff_dry_friction_of_a_motor_heats_by_what_there_was)
{
    static const double accuracies[] = {1e-2, 1e-3, 1e-4}, speeds[] = {1.0, 0.11}, widths[] = {1e-4, 1e-2};
    for (int k = 0; k < 3 * 2 * 2; k++) {
        const double accuracy = accuracies[k % 3], w = speeds[k / 3 % 2], had = 0.5 * w * w;
        char text[500];
        snprintf(text, sizeof text,
                 "footfall: 1\ngravity: [0, 0, 0]\nbodies:\n"
                 "  wheel: {inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}, joint: {name: axle, axis: z, drive:\n"
                 "    {kind: dc, gear: 10, motor: {constant: 1e-5, resistance: 1, voltage: 24, dry: 2, dry_speed: "
                 "%g}}}}\n",
                 widths[k / 6]);
        const ff_sim_options o = within(FF_METHOD_IMPLICIT, accuracy);
        arm a = start_text(text, &o);
        set_speeds(&a, &w);
        run(&a, 1.0);
        CHECK_NEAR(ff_sim_q(a.sim)[0], had / 20.0, 0.1 * accuracy); // as much as one step may be off
        CHECK_NEAR(ff_sim_v(a.sim)[0], 0.0, 1e-3 * widths[k / 6]);
        const ff_ledger l = ff_sim_ledger(a.sim);
        CHECK_NEAR(l.lost_parts, had, (0.01 + accuracy) * had);
        CHECK(l.residual < (0.01 + accuracy) * had);
    }
}

// A block of 1 kg on a rail, another on a rail of the first, and a motor that turns by u = 2 x - y: friction of 5 N
// takes 5 N * 10 /kg from u', since (2, -1) M^-1 (2, -1)' = 10 /kg, until that stands, with the heat u'^2 / 20 /kg;
// then the blocks go on.
TEST(stiff_dry_friction_of_a_motor_on_two_joints_stops_their_sum)
{
    static const char text[] =
        "footfall: 1\ngravity: [0, 0, 0]\nbodies:\n"
        "  first: {inertial: {mass: 1, box: [1, 1, 1]}, joint: {name: x, type: slide, axis: x}, bodies:\n"
        "    {second: {inertial: {mass: 1, box: [1, 1, 1]}, joint: {name: y, type: slide, axis: x}}}}\n"
        "drives:\n"
        "  it: {joints: [x, y], kind: dc, motor: {constant: 1e-6, resistance: 1, voltage: 24, dry: 5, dry_speed: "
        "1e-5},\n"
        "    path: {kind: levers, levers: [2, -1]}}\n";
    static const ff_method methods[] = {FF_METHOD_IMPLICIT, FF_METHOD_ADAPTIVE, FF_METHOD_CVODE};
    static const double v[2] = {1.0, 0.3};
    const double u = 2.0 * v[0] - v[1], stop = u / 50.0, end = 0.1;
    const double x1 = v[0] - 3.0 * u / 10.0, y1 = v[1] + 4.0 * u / 10.0; // M^-1 (2, -1)' = (3, -4)' /kg
    for (int k = 0; k < 6; k++) {
        const ff_method method = methods[k % 3];
        const double accuracy = k / 3 ? 1e-3 : 1e-2;
        if (!ff_method_built(method)) continue;
        const ff_sim_options o = within(method, accuracy);
        arm a = start_text(text, &o);
        set_speeds(&a, v);
        run(&a, end);
        CHECK_NEAR(ff_sim_v(a.sim)[0], x1, 1e-3);
        CHECK_NEAR(ff_sim_v(a.sim)[1], y1, 1e-3);
        CHECK_NEAR(ff_sim_q(a.sim)[0], 0.5 * (v[0] + x1) * stop + x1 * (end - stop), 0.1 * accuracy);
        CHECK_NEAR(ff_sim_ledger(a.sim).lost_parts, u * u / 20.0, (0.01 + accuracy) * u * u / 20.0);
    }
}

/// Wheel x, v and rotor angle, speed, by the law in two pieces: friction of 20 N m brakes the rotor, then holds it.
static void by_hand(double w, double end, double state[4])
{
    const double K = 500.0, D = 1.0, J = 0.05, h = 1e-6;
    double x = 0.0, v = w, angle = 0.0, speed = w;
    for (int i = 0; i < (int)(end / h + 0.5); i++) { // the midpoint rule: 1e-12 a step
        const double F = K * (x - angle) + D * (v - speed), braking = speed > 0.0 ? (F - 20.0) / J : 0.0;
        const double xm = x + 0.5 * h * v, vm = v - 0.5 * h * F, am = angle + 0.5 * h * speed;
        const double sm = ff_max(0.0, speed + 0.5 * h * braking), Fm = K * (xm - am) + D * (vm - sm);
        x += h * vm;
        v -= h * Fm;
        angle += h * sm;
        speed = speed > 0.0 ? ff_max(0.0, speed + h * (Fm - 20.0) / J) : 0.0;
    }
    const double out[4] = {x, v, angle, speed};
    memcpy(state, out, sizeof out);
}

// The rotor stands after 1.3 ms, and the wheel swings on the spring between them, which never pulls with 20 N m.
// Newton's iteration for the rotor once went to and fro across its standstill: it took 84 000 steps at 1e-3 or found no
// end.
TEST(a_rotor_that_dry_friction_holds_is_found)
{
    static const double widths[] = {1e-6, 1e-5}, w = 0.5, end = 0.5; // it creeps within them
    double want[4];
    by_hand(w, end, want);
    CHECK_NEAR(want[3], 0.0, 0.0);
    const double turned = want[0] - want[2], left = 0.5 * want[1] * want[1] + 0.5 * 500.0 * turned * turned;
    const double heat = 0.5 * 1.05 * w * w - left;
    for (int k = 0; k < 4; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "footfall: 1\ngravity: [0, 0, 0]\nbodies:\n"
                 "  wheel: {inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}, joint: {name: axle, axis: z, drive:\n"
                 "    {kind: dc, motor: {constant: 1e-6, resistance: 1, voltage: 24, dry: 20, dry_speed: %g},\n"
                 "    transmission: {kind: flexible, stiffness: 500, damping: 1, motor_inertia: 0.05}}}}\n",
                 widths[k / 2]);
        ff_sim_options o = within(FF_METHOD_IMPLICIT, 1e-4);
        if (k % 2) o.accuracy = 0.0; // steps of 1 ms
        arm a = start_text(text, &o);
        set_speeds(&a, &w);
        run(&a, end);
        CHECK_NEAR(ff_sim_q(a.sim)[0], want[0], 1e-4);
        // the rotor stands after one and a third step of 1 ms, the heat of the last uncertain by half of what it had
        CHECK_NEAR(ff_sim_ledger(a.sim).lost_parts, heat, k % 2 ? 0.5 * 0.5 * 0.05 * w * w : 0.01 * heat);
        CHECK(ff_sim_get_counts(a.sim).evaluations < 2500);
    }
}

// Friction of 20 N m stops a rotor of 0.05 kg m^2 within 25 us, and the wheel behind it swings on the spring until all
// is heat. The powers at the ends of a step of 10 ms made 20 times of that what there was.
TEST(a_rotor_that_stops_early_in_a_step_heats_by_what_there_was)
{
    static const double steps[] = {1e-2, 1e-3}, speeds[] = {0.01, 0.02, 0.05, 0.11};
    for (int k = 0; k < 8; k++) {
        const double w = speeds[k / 2], had = 0.5 * 1.05 * w * w;
        const ff_sim_options o = with(FF_METHOD_IMPLICIT, steps[k % 2]);
        arm a = start_text("footfall: 1\ngravity: [0, 0, 0]\nbodies:\n"
                           "  wheel: {inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}, joint: {name: axle, axis: z, "
                           "drive: {kind: dc, motor: {constant: 1e-6, resistance: 1, voltage: 24, dry: 20, dry_speed: "
                           "1e-3},\n    transmission: {kind: flexible, stiffness: 5e4, damping: 30, motor_inertia: "
                           "0.05}}}}\n",
                           &o);
        set_speeds(&a, &w);
        run(&a, 0.5);
        const ff_ledger l = ff_sim_ledger(a.sim);
        CHECK_BELOW(l.stored.kinetic, 1e-3 * had);
        CHECK_NEAR(l.lost_parts, 0.9 * had, 0.1 * had); // three steps a swing, whose energy they lose in part
    }
}

// Behind a stiff spring, a change of speed of 1 mrad/s in a step of 25 ms is 2.5 N m. Friction of 20 N m only brakes:
// the wheel stands after (J + I) w^2 / 2 / 20 N m, but for the turn of the spring, and all there was is heat, but for
// what the spring swings with, and for friction along what a step may be off. Newton's iteration once ended where
// positions were known: at 1e-2 the wheel turned backwards at 1.3 rad/s after 0.5 s, with 12 times the heat.
TEST(dry_friction_of_a_rotor_on_a_stiff_spring_only_brakes)
{
    static const double accuracies[] = {1e-2, 1e-3}, widths[] = {1e-6, 1e-3}, dampings[] = {30.0, 1.0}, w = 1.0;
    const double had = 0.5 * 1.1 * w * w;
    for (int k = 0; k < 8; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "footfall: 1\ngravity: [0, 0, 0]\nbodies:\n"
                 "  wheel: {inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}, joint: {name: axle, axis: z, drive:\n"
                 "    {kind: dc, motor: {constant: 1e-6, resistance: 1, voltage: 24, dry: 20, dry_speed: %g},\n"
                 "    transmission: {kind: flexible, stiffness: 1e5, damping: %g, motor_inertia: 0.1}}}}\n",
                 widths[k % 2], dampings[k / 2 % 2]);
        const ff_sim_options o = within(FF_METHOD_IMPLICIT, accuracies[k / 4]);
        arm a = start_text(text, &o);
        set_speeds(&a, &w);
        run(&a, 0.5);
        const double off = 0.1 * accuracies[k / 4];
        CHECK_NEAR(ff_sim_q(a.sim)[0], had / 20.0, off + 20.0 / 1e5);
        // friction leaves the spring stretched by 20 N m, on which the wheel swings as long as the damper lets it
        const double damping = dampings[k / 2 % 2], stood = had / 20.0 / w * 2.0;
        CHECK_NEAR(ff_sim_v(a.sim)[0], 0.0, 20.0 / sqrt(1e5) * exp(-0.5 * damping * (0.5 - stood)));
        CHECK_NEAR(ff_sim_ledger(a.sim).lost_parts, had, 20.0 * off + 20.0 * 20.0 / 1e5);
    }
}
