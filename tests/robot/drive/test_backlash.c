// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Backlash: momentum and restitution of impacts, the stiff-spring form as its limit, lock and release, the
// energy balance, and independence of the step. Parameters of Silva's hip and knee (robots/silva/silva.yaml).
#include "rig.h"

static ff_backlash hip(void)
{
    return (ff_backlash){.motor = 0.00375, .transmission = 0.001875, .gap = 1e-3, .restitution = 0.8, .floor = 1e-4};
}

/// The hip's drive, moved by a direct torque, on a load that is held or free.
static rig silva(double step)
{
    rig r = {.d = ff_drive_default(), .step = step};
    r.d.transmission = FF_TRANSMISSION_BACKLASH;
    r.d.inertia = 0.00375;
    r.d.inertia_behind = 0.001875;
    r.d.motor_damping = r.d.damping_behind = 10.0;
    r.d.stiffness = 1e5;
    r.d.stall = 400.0;
    r.d.backlash = hip();
    return r;
}

TEST(impact_keeps_momentum_and_turns_the_closing_speed_round)
{
    ff_random random = ff_random_make(3, 0);
    for (int n = 0; n < 10000; n++) {
        ff_backlash b = hip();
        b.motor = ff_random_range(&random, 1e-5, 1e-1);
        b.transmission = ff_random_range(&random, 1e-5, 1e-1);
        b.restitution = ff_random_uniform(&random);
        const double m0 = ff_random_range(&random, -5.0, 5.0), t0 = ff_random_range(&random, -5.0, 5.0);
        double m = m0, t = t0;
        ff_backlash_impact(&b, &m, &t);
        const double scale = b.motor * fabs(m0) + b.transmission * fabs(t0);
        CHECK_NEAR(b.motor * m + b.transmission * t, b.motor * m0 + b.transmission * t0, 1e-12 * scale);
        CHECK_NEAR(t - m, -b.restitution * (t0 - m0), 1e-12 * 10.0);
        const double before = 0.5 * (b.motor * m0 * m0 + b.transmission * t0 * t0);
        const double after = 0.5 * (b.motor * m * m + b.transmission * t * t);
        CHECK_NEAR(before - after, ff_backlash_loss(&b, m0 - t0), 1e-12 * before + 1e-15);
    }
}

/// Two inertias alone in the gap: no torque, no damping, next to no spring. Motor at 1 rad/s, transmission at rest.
static rig loose_pair(double step)
{
    rig r = silva(step);
    r.d.motor_damping = r.d.damping_behind = 0.0;
    r.d.stiffness = 1e-12;
    return r;
}

// After n impacts the closing speed is eps^n, and momentum is what it was.
TEST(flight_between_the_faces_loses_speed_by_eps_at_each_impact)
{
    rig r = loose_pair(1e-5);
    rig_start(&r, 0.0, 0.0);
    r.x[3] = 1.0;
    rig_run(&r, 0.01);
    CHECK(r.m.impacts >= 5);
    double expected = 1.0;
    for (int i = 0; i < r.m.impacts; i++) expected *= -0.8;
    CHECK_NEAR(r.x[3] - r.x[5], expected, 1e-12);
    CHECK_NEAR(0.00375 * r.x[3] + 0.001875 * r.x[5], 0.00375, 1e-12 * 0.00375);
    CHECK_NEAR(rig_balance(&r), 0.5 * 0.00375, 1e-14);
    CHECK_BELOW(fabs(r.x[2] - r.x[4]), 0.5e-3 * (1.0 + 1e-9));
}

static double pair_after(double step, double teeth)
{
    rig r = loose_pair(step);
    if (teeth > 0.0) {
        r.d.transmission = FF_TRANSMISSION_TEETH;
        r.d.backlash.stiffness = teeth;
    }
    rig_start(&r, 0.0, 0.0);
    r.x[3] = 1.0;
    rig_run(&r, 0.004); // three impacts
    return r.x[2] - r.x[4];
}

TEST(stiff_teeth_tend_to_the_impact_form)
{
    const double hard = pair_after(1e-6, 0.0);
    double before = INFINITY;
    for (double k = 1e6; k <= 1e10; k *= 100.0) {
        const double contact = FF_PI * sqrt(0.00125 / k); // half a swing
        const double error = fabs(pair_after(fmin(1e-6, contact / 100.0), k) - hard);
        printf("  teeth of %.0e N m/rad: off by %.2e rad\n", k, error);
        CHECK_BELOW(error, 0.2 * before);  // first order in the time of contact: a tenth each time
        CHECK_BELOW(error, 4.0 * contact); // three contacts at up to 1 rad/s
        before = error;
    }
}

// The impact is put where the faces met inside the step, so that steps of any length give one motion.
TEST(impacts_do_not_depend_on_the_step)
{
    const double fine = pair_after(1e-7, 0.0);
    CHECK_NEAR(pair_after(1e-5, 0.0), fine, 1e-12);
    CHECK_NEAR(pair_after(1e-4, 0.0), fine, 1e-12);
}

// ------------------------------------------------------------------------------------------ lock and release

TEST(constant_torque_bounces_then_locks_once_and_holds)
{
    for (double step = 5e-5; step > 5e-6; step *= 0.5) {
        rig r = silva(step);
        rig_start_force(&r, 50.0);
        rig_run(&r, 0.2);
        CHECK_INT(r.m.mode, FF_BACKLASH_UP);
        CHECK_INT(r.m.locks, 1);
        CHECK_BELOW(r.m.impacts, 60.0);
        CHECK_NEAR(r.x[4], 50.0 / 1e5, 1e-9);       // the spring carries the torque
        CHECK_NEAR(r.x[2] - r.x[4], 0.5e-3, 1e-15); // face to face
        CHECK_NEAR(r.x[3], r.x[5], 0.0);            // one body
        CHECK_NEAR(rig_flow(&r).force, 50.0, 1e-4); // [N m] settled
    }
}

// Silva's knee: friction takes 40 % of a speed within a step of 12.5 us, so accelerations before and after a meeting
// differ by as much. With those at the end of the step the faces made an impact every other step, at any step.
TEST(faces_that_viscous_friction_brakes_within_a_step_come_to_rest)
{
    static const double torques[2] = {50.0, -36.0};
    for (double step = 2.5e-5; step > 5e-6; step *= 0.5)
        for (int n = 0; n < 2; n++) {
            rig r = silva(step);
            r.d.inertia = r.d.backlash.motor = 0.000625;
            r.d.inertia_behind = r.d.backlash.transmission = 0.0003125;
            rig_start_force(&r, torques[n]);
            rig_run(&r, 0.2);
            CHECK_INT(r.m.mode, torques[n] > 0.0 ? FF_BACKLASH_UP : FF_BACKLASH_DOWN);
            CHECK_INT(r.m.locks, 1);
            CHECK_BELOW(r.m.impacts, 60.0);
            CHECK_NEAR(r.x[4], torques[n] / 1e5, 1e-9); // the spring carries the torque
        }
}

TEST(reversal_releases_once_crosses_the_gap_and_locks_on_the_other_side)
{
    double angle[3];
    for (int n = 0; n < 3; n++) {
        rig r = silva(2e-5 / (1 << n));
        rig_start_force(&r, 50.0);
        rig_run(&r, 0.2);
        const int impacts = r.m.impacts;
        ff_drive_command(&r.d, &r.m, 0.0, 0.0, -50.0);
        rig_run(&r, 0.4);
        CHECK_INT(r.m.mode, FF_BACKLASH_DOWN);
        CHECK_INT(r.m.locks, 2);
        CHECK(r.m.impacts > impacts);
        CHECK_NEAR(r.x[2] - r.x[4], -0.5e-3, 1e-15);
        angle[n] = r.x[2];
    }
    CHECK_NEAR(angle[0], angle[2], 1e-9);
    CHECK_NEAR(angle[1], angle[2], 1e-9);
}

static double push(const rig *r, double t, double q, double v)
{
    (void)t;
    return -r->value[0] * q - r->value[1] * v;
}

// Energy from the motor ends in springs, motion and heat, impacts and locks included.
TEST(energy_balance_closes_over_impacts)
{
    double residual[2];
    for (int n = 0; n < 2; n++) {
        rig r = silva(2e-5 / (1 << (2 * n)));
        r.inertia = 0.5;
        r.load = push;
        rig_start_force(&r, 20.0);
        double given = 0.0;
        rig_run(&r, 0.05);
        given = r.x[RIG_STATES - 3];
        ff_drive_command(&r.d, &r.m, 0.0, 0.0, -20.0);
        rig_run(&r, 0.1);
        CHECK(r.m.impacts > 3);
        residual[n] = fabs(rig_balance(&r)) / fabs(given);
    }
    printf("  relative residual of the balance: %.1e at 20 us, %.1e at 5 us\n", residual[0], residual[1]);
    CHECK_BELOW(residual[0], 3e-3);
    CHECK_BELOW(residual[1], 0.25 * residual[0]); // impacts inside a step are placed to second order
}

// ------------------------------------------------------------------------------------------ levels 1, 2 and 3

/// Swing of one link as in the leg: a hip drive of level 1, 2 or 3 moves it along a sine with PD control at 2 kHz.
/// Weight of the leg 2.1 kg at 0.5 m.
static double leg(const rig *r, double t, double q, double v)
{
    (void)t;
    (void)v;
    return -r->value[0] * sin(q);
}

static void follow(rig *r, double t)
{
    ff_drive_command(&r->d, &r->m, 0.3 * sin(2.0 * FF_PI * t), 0.3 * 2.0 * FF_PI * cos(2.0 * FF_PI * t), 0.0);
    const double a = (rig_flow(r).force + leg(r, t, r->x[0], r->x[1])) / r->inertia;
    if (t > 0.5 && r->n % 20 == 1) { // every half millisecond
        r->value[1] = fmax(r->value[1], fabs(a - r->value[2]));
        r->value[2] = a;
    } else if (t <= 0.5) {
        r->value[2] = a;
    }
}

/// @param jump  largest change of the link's acceleration within half a millisecond [rad/s^2]
static double swing(ff_drive_transmission level, double *jump, int *impacts)
{
    rig r = silva(2.5e-5);
    r.d.transmission = level;
    r.d.loop = FF_LOOP_PD;
    r.d.rate = 2000.0;
    r.d.kp = 1500.0;
    r.d.kd = 30.0;
    r.d.at_joint = true;
    r.inertia = 0.525; // 2.1 kg at 0.5 m
    if (level == FF_TRANSMISSION_RIGID) r.inertia += 0.00375;
    r.load = leg;
    r.watch = follow;
    r.value[0] = 2.1 * 9.81 * 0.5;
    rig_start(&r, 0.0, 0.3 * 2.0 * FF_PI);
    rig_run(&r, 1.5);
    *jump = r.value[1];
    *impacts = r.m.impacts;
    return r.x[0];
}

TEST(level_two_is_close_to_level_one_and_level_three_chatters)
{
    double jump[3];
    int impacts[3];
    const double q1 = swing(FF_TRANSMISSION_RIGID, &jump[0], &impacts[0]);
    const double q2 = swing(FF_TRANSMISSION_FLEXIBLE, &jump[1], &impacts[1]);
    const double q3 = swing(FF_TRANSMISSION_BACKLASH, &jump[2], &impacts[2]);
    printf(
        "  angle after 1.5 s: %.5f, %.5f, %.5f rad; jumps of the acceleration %.2f, %.2f, %.2f rad/s^2; %d impacts\n",
        q1, q2, q3, jump[0], jump[1], jump[2], impacts[2]);
    // what parts level 2 from level 1 is the friction of the motor: B_m w / K_p = 10 * 1.885 / 1500 rad at the fastest
    // point
    CHECK_NEAR(q2 - q1, 10.0 * 0.3 * 2.0 * FF_PI / 1500.0, 1e-3);
    CHECK_NEAR(q3 - q1, 20.0 * 0.3 * 2.0 * FF_PI / 1500.0, 2e-3);
    CHECK_BELOW(jump[1], 1.5 * jump[0]);
    CHECK(jump[2] > 4.0 * jump[1]);
    CHECK(impacts[2] > 10);
}
