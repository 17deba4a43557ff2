// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotors behind stiff springs in implicit steps, which solve for rotor and joint together: the motion is that of both,
// and the ledger closes the better the higher the accuracy.
#include "support/arm.h"

static const double STIFF[] = {1e3, 1e4, 1e5, 1e6}; // of the transmission  [N m/rad]

static ff_sim_options within(double accuracy)
{
    ff_sim_options o = with(FF_METHOD_IMPLICIT, 1e-3);
    o.accuracy = accuracy;
    return o;
}

/// A wheel of 1 kg m^2 that an ideal motor of 0.1 kg m^2 turns with 2 N m.
static arm start_wheel(double stiffness, double damping, const ff_sim_options *o)
{
    char text[500];
    snprintf(text, sizeof text,
             "footfall: 1\ngravity: [0, 0, 0]\nbodies:\n"
             "  wheel: {inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}, joint: {name: axle, axis: z, drive:\n"
             "    {kind: ideal, transmission: {kind: flexible, stiffness: %g, damping: %g, motor_inertia: 0.1}}}}\n",
             stiffness, damping);
    arm a = start_text(text, o);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.0, 0.0, 2.0);
    return a;
}

// Without a damper, I x'' = K s and s'' = T/J - K (1/I + 1/J) s: with r^2 = K (1/I + 1/J) the wheel is at
// T/(I + J) (t^2/2 - (1 - cos rt) / r^2), and with a damper within twice that swing. The motor does T times the way of
// the rotor, the energy is that of both.
TEST(a_torque_turns_rotor_and_wheel_as_one)
{
    static const double accuracies[] = {1e-3, 1e-4, 1e-5}, dampings[] = {0.0, 30.0};
    const double I = 1.0, J = 0.1, T = 2.0, end = 0.5;
    for (int k = 0; k < 4 * 2 * 3; k += CHECK_LASTS(1, 7)) {
        const double K = STIFF[k / 6], accuracy = accuracies[k % 3], swing = T / (I + J) * 2.0 * I * J / (I + J) / K;
        const double x = 0.5 * T / (I + J) * end * end;
        const ff_sim_options o = within(accuracy);
        arm a = start_wheel(K, dampings[k / 3 % 2], &o);
        run(&a, end);
        const ff_ledger l = ff_sim_ledger(a.sim);
        CHECK_NEAR(ff_sim_q(a.sim)[0], x, swing + 0.1 * accuracy);
        CHECK_NEAR(l.work, T * x, T * (2.0 * T / K + swing + 0.1 * accuracy)); // the rotor is ahead by the spring
        CHECK_NEAR(l.residual, 0.0, T * (T / K + 0.1 * accuracy));             // the swing may be lost unseen
    }
}

/// A rotor that turns at 1 rad/s before a wheel at rest.
static ff_ledger twist(double stiffness, double damping, const ff_sim_options *o, double end)
{
    arm a = start_wheel(stiffness, damping, o);
    const double q = 0.0, still = 0.0, turns = 1.0;
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.0, 0.0, 0.0);
    ff_sim_set_state(a.sim, &q, &turns);
    ff_sim_start_drives(a.sim); // the rotor goes with the wheel
    ff_sim_set_state(a.sim, &q, &still);
    run(&a, end);
    return ff_sim_ledger(a.sim);
}

// Both end with the speed that keeps their momentum, and the damper has all the rest: I J / (I + J) w^2 / 2, however
// much of the ringing between them the steps resolve. By the powers at the ends of steps of 1 ms it was 18 to 49 mJ of
// 45 mJ, and of what the method damps by itself nothing was seen.
TEST(a_damper_gets_what_momentum_does_not_keep)
{
    static const double accuracies[] = {0.0, 1e-3, 1e-4, 1e-5}; // 0: steps of 1 ms
    const double I = 1.0, J = 0.1, heat = 0.5 * I * J / (I + J);
    for (int k = 0; k < 4 * 4; k += CHECK_LASTS(1, 3)) {
        const ff_sim_options o = within(accuracies[k % 4]);
        const ff_ledger l = twist(STIFF[k / 4], 30.0, &o, 0.1);   // the damper takes e-fold every 3 ms
        CHECK_NEAR(l.lost_parts - l.residual, heat, 0.01 * heat); // fixed steps take a part of it by themselves
        if (k % 4) CHECK_NEAR(l.lost_parts, heat, 0.01 * heat);
    }
}

// Without a damper there is no heat: what fixed steps that do not resolve the ringing damp is an error, and is
// reported. A damper that would need a second for it does not explain what is gone in 20 ms. Error control keeps the
// ringing.
TEST(what_no_damper_takes_stays_in_the_residual)
{
    const double I = 1.0, J = 0.1, ringing = 0.5 * I * J / (I + J);
    for (int k = 0; k < 4; k++) {
        const ff_sim_options o = within(k % 2 ? 1e-3 : 0.0);
        const ff_ledger none = twist(1e6, 0.0, &o, 0.02), weak = twist(1e6, 0.05, &o, 0.02);
        CHECK(none.lost_parts == 0.0);
        const double gone = k % 2 ? 0.0 : ringing,
                     weak_heat = ringing * (1.0 - exp(-0.05 * (1.0 / I + 1.0 / J) * 0.02));
        CHECK_NEAR(none.residual, -gone, 0.01 * ringing);
        CHECK_NEAR(weak.residual, -gone, 0.02 * ringing);
        if (k % 2)
            CHECK_NEAR(weak.lost_parts, weak_heat, 0.02 * weak_heat);
        else
            CHECK_BELOW(weak.lost_parts, 0.1 * ringing);
    }
}

/// Where an arm of 1 kg, 0.3 m stands 0.5 s after its motor was commanded to lift it, and the residual.
static double lift(const char *drive, const ff_sim_options *o, double *residual, int64_t *evaluations)
{
    char text[1000];
    snprintf(text, sizeof text,
             "footfall: 1\nbodies:\n  link: {inertial: {mass: 1, rod: {to: [0, 0, -0.3], radius: 0.02}},\n"
             "    joint: {name: axle, axis: y, drive: %s}}\n",
             drive);
    arm a = start_text(text, o);
    const double q = 0.6, v = 0.0;
    ff_sim_set_state(a.sim, &q, &v);
    ff_sim_start_drives(a.sim);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, -0.3, 0.0, 0.0);
    run(&a, 0.5);
    const ff_ledger l = ff_sim_ledger(a.sim);
    *residual = fabs(l.residual) / (fabs(l.work) + l.lost_parts);
    *evaluations = ff_sim_get_counts(a.sim).evaluations;
    return ff_sim_q(a.sim)[0];
}

/// The drive by its number and the stiffness of its transmission.
static void describe(int kind, double stiffness, char *text, size_t size)
{
    static const char *const motors[] = {
        "{kind: dc, gear: 100, rotor: 2e-6, motor: {resistance: 2, constant: 0.05, voltage: 24}, loop: {kp: 30, kd: 1}",
        "{kind: lag, gear: 100, rotor: 2e-6, motor: {resistance: 2, constant: 0.05, current: 8}, loop: {kp: 20, kd: "
        "0.5}",
        "{kind: pmsm, gear: 100, rotor: 2e-6, motor: {resistance: 2, inductance: 1e-3, constant: 0.05, voltage: 48, "
        "current: 8, pairs: 4, align_time: 0}, loop: {kp: 20, kd: 0.5}"};
    snprintf(text, size, "%s, transmission: {kind: flexible, stiffness: %g, damping: 1}}", motors[kind], stiffness);
}

/// Where rk4 lifts the arm to in steps of 10 us: by motor k / 4, spring k % 4.
static double by_explicit_steps(int k, const char *drive)
{
    static double found[2 * 4];
    static bool known[2 * 4];
    const ff_sim_options o = with(FF_METHOD_RK4, 1e-5);
    double residual;
    int64_t evaluations;
    if (known[k]) return found[k];
    found[k] = lift(drive, &o, &residual, &evaluations);
    known[k] = true;
    CHECK_BELOW(residual, 1e-9);
    return found[k];
}

TEST(loops_move_an_arm_behind_a_stiff_spring_as_explicit_steps_do)
{
    for (int k = 0; k < 2 * 4; k += CHECK_LASTS(1, 5)) {
        char text[400];
        double residual[3];
        int64_t evaluations;
        describe(k / 4, STIFF[k % 4], text, sizeof text);
        const double want = by_explicit_steps(k, text);
        for (int n = 0; n < 3; n++) {
            static const double accuracies[] = {1e-3, 1e-4, 1e-5};
            const ff_sim_options o = within(accuracies[n]);
            CHECK_NEAR(lift(text, &o, &residual[n], &evaluations), want, 2e-4); // [rad] 0.5 s of steps off by 1e-4
        }
        printf("  %s, %.0e N m/rad: residual %.1e, %.1e, %.1e at 1e-3, 1e-4, 1e-5\n", k / 4 ? "lag" : "dc",
               STIFF[k % 4], residual[0], residual[1], residual[2]);
        CHECK_BELOW(residual[0], 0.01);
        CHECK_BELOW(residual[2], ff_max(0.1 * residual[0], 1e-4)); // a step a tenth as long
    }
}

// The two currents of a pmsm are solved for with its rotor as one system, by differences: there the rotor follows the
// joint by that system. They take steps of some 5 us, in which little else can go wrong; with a rotor that does not
// follow, the arm is 4.8e-4 rad off.
TEST(a_rotor_with_two_currents_follows_its_joint)
{
    char text[400];
    double residual;
    int64_t evaluations;
    describe(2, STIFF[3], text, sizeof text);
    const ff_sim_options explicit_steps = with(FF_METHOD_RK4, 5e-6), o = within(1e-2);
    const double want = lift(text, &explicit_steps, &residual, &evaluations);
    CHECK_NEAR(lift(text, &o, &residual, &evaluations), want, 1e-4);
    CHECK_BELOW(residual, 3e-4);
}

// The matrix knows that the rotor follows: with the stiffness of a rotor that is held Newton's iteration crept, in up
// to 100 evaluations a step, most of them in pieces of a step.
TEST(fixed_steps_find_a_stiff_rotor_at_once)
{
    for (int k = 0; k < 2 * 4; k += CHECK_LASTS(1, 5)) {
        char text[400];
        double residual;
        int64_t evaluations;
        describe(k / 4, STIFF[k % 4], text, sizeof text);
        const ff_sim_options o = with(FF_METHOD_IMPLICIT, 1e-3);
        const double want = by_explicit_steps(k, text);
        CHECK_NEAR(lift(text, &o, &residual, &evaluations), want, 2e-4);
        CHECK(evaluations < 3 * 2 * 500); // of two stages
    }
}

// Play before a stiff spring: in steps of up to 1 ms, which do not resolve the spring, the arm still is where explicit
// steps have it, to within what it may lie anywhere in its play, and the ledger closes to 1 %, the better the shorter
// the steps: at 1e-5 they are a quarter as long as the samples of the loop, which bound them at 1e-3. Faces that had
// met within such a step were once put apart as if nothing held the gear behind them: at 1e5 N m/rad the arm was up to
// 0.5 rad off, with 0.9 to 7 kJ of heat in place of 0.5 J.
TEST(faces_of_a_gear_on_a_stiff_spring_meet_without_energy_from_nowhere)
{
    static const double accuracies[] = {1e-3, 1e-4, 1e-5}, gap = 0.0175;       // [rad] 1 degree
    static const double dampings[] = {1.0, 10.0}, inertias[] = {2.5e-3, 3e-3}; // [N m s/rad], [kg m^2]
    double sum[3] = {0};
    for (int k = 0; k < 3 * 2 * 2; k += CHECK_LASTS(1, 5)) {
        char text[400];
        double residual[3];
        int64_t evaluations;
        snprintf(text, sizeof text,
                 "{kind: dc, gear: 100, rotor: 2e-6, motor: {resistance: 2, constant: 0.05, voltage: 24}, loop: {kp: "
                 "30, kd: 1}, transmission: {kind: backlash, gap: %g, stiffness: %g, damping: %g, inertia: %g}}",
                 gap, STIFF[k / 4], dampings[k / 2 % 2], inertias[k % 2]);
        const ff_sim_options explicit_steps = with(FF_METHOD_RK4, 1e-5); // by 5e-6, 0.14 mrad beside it
        const double want = lift(text, &explicit_steps, &residual[0], &evaluations);
        for (int n = 0; n < 3; n++) {
            const ff_sim_options o = within(accuracies[n]);
            CHECK_NEAR(lift(text, &o, &residual[n], &evaluations), want, 0.5 * gap);
            CHECK_BELOW(residual[n], 0.01);
            sum[n] += residual[n];
        }
        printf("  play, %.0e N m/rad, %g N m s/rad: residual %.1e, %.1e, %.1e at 1e-3, 1e-4, 1e-5\n", STIFF[k / 4],
               dampings[k / 2 % 2], residual[0], residual[1], residual[2]);
    }
    CHECK_BELOW(sum[2], 0.25 * sum[0]);
}

/// Position of the arm after 0.5 s of a torque that reverses every 50 ms, its gear with a degree of backlash before
/// 1e5 N m/rad, and the residual over what was turned over.
static double shake(double torque, double damping, const ff_sim_options *o, double *residual)
{
    char text[600];
    snprintf(text, sizeof text,
             "footfall: 1\nbodies:\n  link: {inertial: {mass: 1, rod: {to: [0, 0, -0.3], radius: 0.02}},\n"
             "    joint: {name: axle, axis: y, drive: {kind: ideal, transmission: {kind: backlash, gap: 0.0175,\n"
             "      stiffness: 1e5, damping: %g, inertia: 2.5e-3, motor_inertia: 0.02}}}}\n",
             damping);
    arm a = start_text(text, o);
    const double q = 0.6, v = 0.0;
    ff_sim_set_state(a.sim, &q, &v);
    ff_sim_start_drives(a.sim);
    for (int i = 0; i < 10; i++) {
        ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.0, 0.0, i % 2 ? -torque : torque);
        run(&a, 0.05 * (i + 1));
    }
    const ff_ledger l = ff_sim_ledger(a.sim);
    CHECK_NEAR(ff_sim_drive_memory(a.sim, (ff_drive_id){0})->electrical, l.work, 1e-9); // [J] its own account
    *residual = fabs(l.residual) / (fabs(l.work) + l.lost_parts);
    return ff_sim_q(a.sim)[0];
}

// A step that has gone on behind the meeting of two faces has pressed the spring together without anything that slowed
// down for it: at 1e-5 one such step brought 6.8 mJ of 0.5 J. Where the spring would have measured it the step is made
// again, to end close behind the meeting, and the heat of the meeting is what it took. Error control resolves what
// rings behind it. Then the residual is below 1 % at every accuracy, and falls at least as the steps do.
TEST(the_ledger_closes_where_faces_meet_under_a_torque_that_turns_round)
{
    static const double accuracies[] = {1e-3, 1e-4, 1e-5, 1e-6}, torques[] = {0.5, 2.0, 5.0}, dampings[] = {1.0, 10.0};
    double sum[4] = {0};
    for (int k = 0; k < 3 * 2; k += CHECK_LASTS(1, 3)) {
        double residual[4];
        const double torque = torques[k / 2], damping = dampings[k % 2];
        const ff_sim_options explicit_steps = with(FF_METHOD_RK4, 5e-6);
        const double want = shake(torque, damping, &explicit_steps, &residual[0]);
        CHECK_BELOW(residual[0], 1e-4); // of the explicit steps, 200 000 in a second
        for (int n = 0; n < 4; n++) {
            const ff_sim_options o = within(accuracies[n]);
            CHECK_NEAR(shake(torque, damping, &o, &residual[n]), want, 0.5 * 0.0175); // anywhere in its play
            CHECK_BELOW(residual[n], 0.01);
            sum[n] += residual[n];
        }
        printf("  %g N m, %g N m s/rad: residual %.1e, %.1e, %.1e, %.1e at 1e-3, 1e-4, 1e-5, 1e-6\n", torque, damping,
               residual[0], residual[1], residual[2], residual[3]);
    }
    CHECK_BELOW(sum[2], 0.1 * sum[0]); // steps a tenth as long
    CHECK_BELOW(sum[3], 0.1 * sum[1]);
}
