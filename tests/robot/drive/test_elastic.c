// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Springs in series: cables that go slack, tables, and the elastic linear drive with its force and position loops (Fig.
// 4.19-4.22 of ROTTO's thesis).
#include "rig.h"

// ------------------------------------------------------------------------------------------ cables

/// BioRob's shoulder: K = 120 N m/rad with a pulley of 25 mm.
static ff_sea shoulder(void)
{
    return (ff_sea){.radius = 0.025, .stretch = 2e-3, .cable = {.stiffness = 120.0 / (2.0 * 0.025 * 0.025)}};
}

TEST(stiffness_of_two_cables_halves_when_one_goes_slack)
{
    const ff_sea s = shoulder();
    const double edge = s.stretch / s.radius, h = 1e-4; // 0.08 rad
    for (double angle = -0.06; angle < 0.07; angle += 0.02)
        CHECK_NEAR((ff_sea_torque(&s, angle + h, 0.0) - ff_sea_torque(&s, angle - h, 0.0)) / (2.0 * h), 120.0, 1e-9);
    for (double angle = edge + 0.01; angle < 0.2; angle += 0.02) {
        CHECK_NEAR((ff_sea_torque(&s, angle + h, 0.0) - ff_sea_torque(&s, angle - h, 0.0)) / (2.0 * h), 60.0, 1e-9);
        CHECK_NEAR(ff_sea_slope(&s, angle), 60.0, 1e-12);
        CHECK_NEAR(ff_sea_torque(&s, angle, 0.0), -ff_sea_torque(&s, -angle, 0.0), 1e-12);
    }
}

TEST(one_cable_pulls_and_never_pushes)
{
    ff_sea s = shoulder();
    s.one = true;
    s.cable.damping = 200.0;
    for (double angle = -0.2; angle < 0.2; angle += 0.01)
        for (double rate = -20.0; rate <= 20.0; rate += 4.0) CHECK(ff_sea_torque(&s, angle, rate) >= 0.0);
    CHECK_NEAR(ff_sea_torque(&s, -0.081, 0.0), 0.0, 0.0);
    CHECK_NEAR(ff_sea_torque(&s, 0.1, 0.0), 60.0 * (0.1 + 0.08), 1e-9);
}

// The derivative of the energy is the torque, tables included.
TEST(energy_of_cables_is_the_integral_of_their_torque)
{
    const double x[] = {0.0, 1e-3, 4e-3, 1e-2}, f[] = {0.0, 50.0, 400.0, 2000.0};
    ff_sea by_table = shoulder();
    by_table.cable.force = (ff_table){x, f, 4};
    const ff_sea all[] = {shoulder(), by_table};
    const double h = 1e-6;
    for (int n = 0; n < 2; n++)
        for (double angle = -0.3; angle < 0.3; angle += 0.0137)
            CHECK_NEAR((ff_sea_energy(&all[n], angle + h) - ff_sea_energy(&all[n], angle - h)) / (2.0 * h),
                       ff_sea_torque(&all[n], angle, 0.0),
                       1e-2); // [N m] a corner of the table lies within h: 1e5 N/m * r^2 h
}

TEST(lever_by_table_is_the_derivative_of_its_travel)
{
    const double q[] = {-1.0, 0.0, 0.5, 2.0}, r[] = {0.02, 0.05, 0.04, 0.01};
    const ff_table t = {q, r, 4};
    CHECK_NEAR(ff_table_integral(&t, 0.0), 0.035, 1e-16);
    CHECK_NEAR(ff_table_integral(&t, 2.0), 0.035 + 0.0225 + 0.0375, 1e-15);
    CHECK_NEAR(ff_table_integral(&t, 3.0) - ff_table_integral(&t, 2.0), 0.01, 1e-15);
    CHECK_NEAR(ff_table_integral(&t, -2.0), -0.02, 1e-15);
    for (double x = -1.9; x < 2.9; x += 0.0731)
        CHECK_NEAR((ff_table_integral(&t, x + 1e-6) - ff_table_integral(&t, x - 1e-6)) / 2e-6, ff_table_value(&t, x),
                   1e-9);
}

// A motor locked by its own friction, the joint free: it swings with sqrt(K / I), and with sqrt(K / 2 I) on one cable.
TEST(joint_on_cables_swings_with_their_stiffness)
{
    rig r = {.d = ff_drive_default(), .step = 1e-5, .inertia = 0.05};
    r.d.transmission = FF_TRANSMISSION_CABLES;
    r.d.sea = shoulder();
    r.d.inertia = 1e9; // stands still
    rig_start(&r, 0.0, 0.0);
    r.x[0] = 0.05; // within the pretension
    const double w = sqrt(120.0 / 0.05), period = 2.0 * FF_PI / w;
    r.step = period / 2000.0;
    rig_run(&r, period);
    CHECK_NEAR(r.x[0], 0.05, 1e-9);
    CHECK_NEAR(rig_balance(&r), 0.5 * 120.0 * 0.05 * 0.05 + 120.0 * 0.08 * 0.08 / 2.0,
               1e-9); // [J] swing and pretension
}

// ------------------------------------------------------------------------------------------ elastic linear drive

/// ROTTO (robots/drives/spindle.yaml): lead 6 mm, belt 2, C_F = 1e5 N/m, 0.03 N m/A, 5e-6 kg m^2. Loops at 10 kHz.
static rig elastic(double step)
{
    rig r = {.d = ff_drive_default(), .step = step};
    const double travel = ff_spindle_travel(6e-3, 2.0);
    r.d.motor = FF_MOTOR_LAG;
    r.d.transmission = FF_TRANSMISSION_FLEXIBLE;
    r.d.dc = (ff_dc_motor){.resistance = 0.5, .constant = 0.03, .rotor = 5e-6, .viscous = 1e-6, .dry_speed = 1.0};
    r.d.ratio = 1.0 / travel;
    r.d.stiffness = 1e5;
    r.d.loop = FF_LOOP_FORCE;
    r.d.rate = 1e4;
    r.d.force_loop = ff_force_loop_design(1e5, travel, 0.03, 5e-6, 50.0, 0.6);
    r.d.force_loop.limit = 20.0;
    return r;
}

TEST(spindle_moves_as_the_data_sheet_says)
{
    CHECK_NEAR(ff_spindle_travel(6e-3, 2.0), 4.775e-4, 5e-8);
    CHECK_NEAR(0.64 / ff_spindle_travel(6e-3, 2.0) * 60.0 / (2.0 * FF_PI), 12800.0, 1e-9); // [rpm]
    const double v[] = {0.2, 0.64, 0.72}, f[] = {400.0, 128.0, 0.0};
    const ff_table bound = {v, f, 3};
    CHECK_NEAR(ff_spindle_force(&bound, 0.1, 1000.0), 400.0, 0.0);
    CHECK_NEAR(ff_spindle_force(&bound, 0.64, 1000.0), 128.0, 1e-12);
    CHECK_NEAR(ff_spindle_force(&bound, 0.8, 1000.0), 0.0, 1e-12);
    CHECK_NEAR(ff_spindle_force(&bound, 0.42, 1000.0), 264.0, 1e-9);  // half-way
    CHECK_NEAR(ff_spindle_force(&bound, 0.64, -1000.0), -400.0, 0.0); // braking
}

TEST(force_step_peaks_between_10_and_17_ms_and_leaves_no_error)
{
    rig r = elastic(2.5e-5);
    rig_start_force(&r, 50.0);
    double peak = 0.0, when = 0.0;
    while (rig_time(&r) < 0.05) {
        rig_run(&r, rig_time(&r) + r.step);
        const double f = rig_flow(&r).force;
        if (f > peak) when = rig_time(&r);
        peak = fmax(peak, f);
    }
    printf("  first peak after %.1f ms, %.1f %% over\n", 1e3 * when, 2.0 * peak - 100.0);
    CHECK(when > 0.010 && when < 0.017);
    rig_run(&r, 0.3);
    CHECK_NEAR(rig_flow(&r).force, 50.0, 0.05);
}

/// Gain of the closed force loop at a frequency, locked output.
static double gain(double hz)
{
    rig r = elastic(2.5e-5);
    rig_start(&r, 0.0, 0.0);
    const double w = 2.0 * FF_PI * hz;
    double s = 0.0, c = 0.0;
    const double from = 10.0 / hz, to = 15.0 / hz;
    while (rig_time(&r) < to) {
        const double t = rig_time(&r);
        ff_drive_command(&r.d, &r.m, 0.0, 0.0, 20.0 * sin(w * t));
        rig_run(&r, t + r.step);
        if (rig_time(&r) <= from) continue;
        const double f = rig_flow(&r).force;
        s += f * sin(w * rig_time(&r)) * r.step;
        c += f * cos(w * rig_time(&r)) * r.step;
    }
    return 2.0 * hypot(s, c) / (to - from) / 20.0;
}

TEST(force_loop_has_50_hz_of_bandwidth)
{
    CHECK_NEAR(gain(2.0), 1.0, 0.02);
    double low = 20.0, high = 120.0; // the -3 dB point by bisection
    while (high - low > 0.5) {
        const double middle = 0.5 * (low + high);
        if (gain(middle) > sqrt(0.5))
            low = middle;
        else
            high = middle;
    }
    printf("  bandwidth %.1f Hz\n", low);
    CHECK_NEAR(low, 50.0, 5.0);
}

static double external(const rig *r, double t, double q, double v)
{
    const double wall = r->value[1] > 0.0 && q > r->value[1] ? -1e6 * (q - r->value[1]) - 2e3 * v : 0.0;
    return (t > 0.2 ? r->value[0] : 0.0) + wall - r->value[2] * v;
}

TEST(artificial_spring_deflects_by_force_over_stiffness)
{
    for (double kp = 2000.0; kp <= 8000.0; kp *= 2.0) {
        rig r = elastic(2.5e-5);
        r.d.loop = FF_LOOP_COMPLIANT;
        r.d.compliance = (ff_compliance){.kp = kp, .kd = 150.0, .limit = 200.0};
        r.inertia = 5.0;
        r.load = external;
        r.value[0] = -60.0;
        rig_start_force(&r, 0.0);
        rig_run(&r, 1.5);
        CHECK_NEAR(r.x[0], -60.0 / kp, 0.05 * 60.0 / kp);
    }
}

TEST(obstacle_stops_the_drive_with_the_set_force)
{
    rig r = elastic(2.5e-5);
    r.d.loop = FF_LOOP_COMPLIANT;
    r.d.compliance = (ff_compliance){.kp = 2e4, .kd = 400.0, .limit = 80.0};
    r.inertia = 5.0;
    r.load = external;
    r.value[1] = 0.02; // wall before the target
    r.value[2] = 20.0;
    rig_start_position(&r, 0.04);
    rig_run(&r, 2.0);
    CHECK_NEAR(rig_flow(&r).force, 80.0, 0.5); // flat at F_G
    CHECK_NEAR(r.x[0], 0.02, 1e-3);            // off the target
    CHECK_NEAR(r.x[1], 0.0, 1e-3);
    r.value[1] = 0.0; // the obstacle goes: the drive arrives
    rig_run(&r, 4.0);
    CHECK_NEAR(r.x[0], 0.04, 1e-4);
}
