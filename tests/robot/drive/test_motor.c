// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Motors, gears, servos and temperature against closed forms.
#include "rig.h"

TEST(line_bounds_driving_torque_and_leaves_braking_torque)
{
    CHECK_NEAR(ff_motor_line(2.0, 4.0, 1.0, 5.0), 1.5, 0.0);   // 2 (1 - 1/4)
    CHECK_NEAR(ff_motor_line(2.0, 4.0, 1.0, -5.0), -2.0, 0.0); // braking
    CHECK_NEAR(ff_motor_line(2.0, 4.0, 9.0, 5.0), 0.0, 0.0);
    CHECK_NEAR(ff_motor_line(2.0, 0.0, 9.0, 5.0), 2.0, 0.0);
    CHECK_NEAR(ff_motor_line(2.0, 4.0, -1.0, -1.2), -1.2, 0.0);
}

/// ANTON's knee motor: 2.8 W, 1200 rad/s (robots/anton/anton.yaml); 12 V assumed.
static ff_dc_motor knee_motor(void)
{
    return ff_dc_motor_from_power(2.8, 1200.0, 12.0);
}

TEST(motor_from_power_has_that_power_and_no_load_speed)
{
    const ff_dc_motor m = knee_motor();
    double most = 0.0;
    for (int i = 0; i <= 1200; i++) most = fmax(most, m.constant * ff_dc_motor_current(&m, 12.0, i) * i);
    CHECK_NEAR(most, 2.8, 1e-12);
    CHECK_NEAR(ff_dc_motor_current(&m, 12.0, 1200.0), 0.0, 1e-15);
}

// i(t) = U/R (1 - exp(-R t / L)) with the rotor held; after the step L / (5 R) the pole is dropped.
TEST(current_of_a_held_motor_rises_with_the_electrical_time_constant)
{
    rig r = {.d = ff_drive_default(), .step = 1e-6};
    r.d.motor = FF_MOTOR_DC;
    r.d.dc = knee_motor();
    r.d.dc.inductance = 1e-3;
    rig_start(&r, 0.0, 0.0);
    CHECK(r.d.pole);
    ff_drive_command(&r.d, &r.m, 0.0, 0.0, 6.0);
    rig_run(&r, 1e-4);
    const double R = r.d.dc.resistance;
    CHECK_NEAR(r.x[2], 6.0 / R * (1.0 - exp(-R * 1e-4 / 1e-3)), 1e-10); // [A] error of Runge-Kutta, (h R / L)^4 / 120
    CHECK(ff_dc_motor_drops_pole(&r.d.dc, 1.01e-3 / (5.0 * R)));
    CHECK(!ff_dc_motor_drops_pole(&r.d.dc, 0.99e-3 / (5.0 * R)));
}

// w(t) = w_0 (1 - exp(-t / tau)), tau = J R / k^2; the gear multiplies the inertia by N^2.
TEST(unloaded_geared_motor_runs_up_with_the_mechanical_time_constant)
{
    rig r = {.d = ff_drive_default(), .step = 1e-5};
    r.d.motor = FF_MOTOR_DC;
    r.d.dc = knee_motor();
    r.d.dc.rotor = 1e-7;
    r.d.ratio = 390.0;
    r.inertia = 390.0 * 390.0 * 1e-7;
    rig_start_force(&r, 12.0);
    rig_run(&r, 0.01);
    const double tau = 1e-7 * r.d.dc.resistance / (r.d.dc.constant * r.d.dc.constant);
    CHECK_NEAR(r.x[1], 1200.0 / 390.0 * (1.0 - exp(-0.01 / tau)), 1e-9);
    CHECK_NEAR(rig_balance(&r), 0.0, 1e-10); // [J] what the supply gave is motion and heat
}

TEST(gear_of_efficiency_eta_passes_eta_driving_and_two_minus_eta_braking)
{
    CHECK_NEAR(2.0 - ff_gear_loss(0.6, 2.0, 100.0, 1e-6, NULL), 1.2, 1e-12);
    CHECK_NEAR(2.0 - ff_gear_loss(0.6, 2.0, -100.0, 1e-6, NULL), 2.8, 1e-12);
    CHECK_NEAR(ff_gear_loss(1.0, 2.0, 100.0, 1e-6, NULL), 0.0, 0.0);
    for (double w = -3.0; w <= 3.0; w += 0.25)
        for (double tau = -2.0; tau <= 2.0; tau += 0.5) CHECK(ff_gear_loss(0.6, tau, w, 1.0, NULL) * w >= 0.0);
}

// Stall torque at ANTON's knee: 4 eta P / w_0 N = 2.2 N m (robots/anton/anton.yaml).
TEST(anton_knee_stalls_at_the_torque_of_the_model_file)
{
    rig r = {.d = ff_drive_default(), .step = 1e-5};
    r.d.motor = FF_MOTOR_DC;
    r.d.dc = knee_motor();
    r.d.ratio = 390.0;
    r.d.efficiency = 0.6;
    r.d.dc.dry_speed = 1.0;
    r.inertia = 0.0;
    rig_start(&r, 0.0, 1e3); // the regularised loss is whole only in motion: a held load, as if just moving
    ff_drive_command(&r.d, &r.m, 0.0, 0.0, 12.0);
    ff_drive_flow f;
    ff_drive_evaluate(&r.d, &r.m, (double[]){0}, (double[]){1e-1}, NULL, NULL, &f);
    const double line = 1.0 - 0.1 * 390.0 / 1200.0;
    CHECK_NEAR(f.force / line, 4.0 * 0.6 * 2.8 / 1200.0 * 390.0, 1e-3); // [N m] loss regularised below 1 rad/s of 39
    CHECK_NEAR(f.force / line, 2.2, 0.03);
}

// ------------------------------------------------------------------------------------------ servo

TEST(servo_command_comes_in_steps_of_a_thousandth_of_half_a_turn)
{
    const ff_servo s = ff_servo_default();
    const double step = FF_PI / 1024.0; // 3.07 mrad
    CHECK_NEAR(ff_servo_quantise(&s, 0.4 * step), 0.0, 0.0);
    CHECK_NEAR(ff_servo_quantise(&s, 0.6 * step), step, 1e-16);
    CHECK_NEAR(ff_servo_quantise(&s, 3.0), 0.5 * FF_PI, 1e-15); // end of the range
}

TEST(servo_holds_its_reference_for_a_frame)
{
    rig r = {.d = ff_drive_default(), .step = 1e-3, .inertia = 0.0};
    r.d.motor = FF_MOTOR_SERVO;
    rig_start(&r, 0.0, 0.0);
    rig_run(&r, 0.001);
    ff_drive_command(&r.d, &r.m, 0.04, 0.0, 0.0); // 20 N m/rad: 0.8 N m, below the stall torque
    for (int i = 0; i < 18; i++) {
        rig_run(&r, 0.002 + 0.001 * i);
        CHECK_NEAR(rig_flow(&r).force, 0.0, 0.0);
    }
    rig_run(&r, 0.021);
    CHECK_NEAR(rig_flow(&r).force, 20.0 * ff_servo_quantise(&r.d.servo, 0.04), 1e-12);
}

/// Weight on a horizontal arm: what the leg of the hexapod carries.
static double weight(const rig *r, double t, double q, double v)
{
    (void)t;
    (void)q;
    (void)v;
    return -r->value[0];
}

/// Each 10 ms the controller gets the position of the leg at the last report (late touch,
/// robots/servo-hexapod/late.yaml) and lifts or lowers at 2 rad/s.
static void correct_height(rig *r, double t)
{
    if ((r->n % 500) == 0) {
        const double lift = r->value[3] < 0.0 ? 0.02 : -0.02;
        ff_drive_command(&r->d, &r->m, r->m.reference[0] + lift, 0.0, 0.0);
        r->value[3] = r->x[0];
    }
    if (t < 1.0) return;
    r->value[1] = fmin(r->value[1], r->x[0]);
    r->value[2] = fmax(r->value[2], r->x[0]);
}

/// Height of the bobbing of a leg under a third of the robot's weight.
static double bobbing(double frame, double strength)
{
    rig r = {.d = ff_drive_default(), .step = 2e-5, .inertia = 7.3e-3, .load = weight, .watch = correct_height};
    r.d.motor = FF_MOTOR_SERVO;
    r.d.servo.frame = frame;
    r.d.servo.stall *= strength;
    r.value[0] = 0.72; // 2.2 kg / 3 on a lever of 0.1 m  [N m]
    r.value[1] = 1.0;
    r.value[2] = -1.0;
    rig_start(&r, 0.0, 0.0);
    rig_run(&r, 3.0);
    return r.value[2] - r.value[1];
}

// A late report alone makes a ripple; servos that hardly carry the weight and get a reference every 20 ms bob.
TEST(weak_servos_with_late_touch_bob)
{
    const double weak = bobbing(0.02, 1.0), strong = bobbing(0.001, 5.0);
    printf("  bobbing of weak servos %.3f rad, of quick ones of five times the torque %.3f rad\n", weak, strong);
    CHECK(weak > 0.1); // [rad] a centimetre at the end of the 0.1 m lever: visible
    CHECK(weak > 1.5 * strong);
}

// ------------------------------------------------------------------------------------------ temperature

TEST(winding_warms_with_the_thermal_time_constant_and_bounds_the_current)
{
    const ff_thermal t = ff_thermal_from_current(4.67, 1.0, 10.0, 25.0, 125.0);
    const double heat = 4.67 * 4.67 * 1.0;
    double T = 25.0;
    for (int i = 0; i < 1000; i++) T = ff_thermal_update(&t, T, heat, 0.01);
    CHECK_NEAR(T, 25.0 + 100.0 * (1.0 - exp(-1.0)), 1e-4); // [K] second order at 1/1000 of the time constant
    for (int i = 0; i < 20000; i++) T = ff_thermal_update(&t, T, heat, 0.01);
    CHECK_NEAR(T, 125.0, 1e-6);
    CHECK_NEAR(ff_thermal_current(&t, 60.0, 14.0), 14.0, 0.0);
    CHECK_NEAR(ff_thermal_current(&t, 125.0, 14.0), 4.67, 1e-12);
    CHECK_NEAR(ff_thermal_current(&t, 122.5, 14.0), 0.5 * (4.67 + 14.0), 1e-9);
}

// Full load for ever: the drive cuts back by itself and stays at the limit.
TEST(overloaded_drive_settles_at_the_limit_temperature)
{
    rig r = {.d = ff_drive_default(), .step = 1e-3};
    r.d.motor = FF_MOTOR_LAG;
    r.d.loop = FF_LOOP_PD;
    r.d.rate = 100.0;
    r.d.lag = 500.0;
    r.d.dc = (ff_dc_motor){.constant = 0.133, .resistance = 1.0, .dry_speed = 1.0};
    r.d.ratio = 100.0;
    r.d.kp = 1e4;
    r.d.peak = 12.0;
    r.d.thermal = ff_thermal_from_current(4.67, 1.0, 10.0, 25.0, 125.0);
    rig_start_position(&r, 1.0);
    rig_run(&r, 0.5);
    CHECK_NEAR(rig_flow(&r).current, 12.0, 1e-9);
    rig_run(&r, 60.0);
    CHECK_BELOW(r.m.temperature, 125.0 + 1e-9);
    CHECK_NEAR(rig_flow(&r).current, 4.67, 0.3);               // [A] on the slope between 95 % and 100 % of the rise
    CHECK_NEAR(r.m.electrical, r.m.copper, 1e-6 * r.m.copper); // a held load: all of it heat
}

// Without power a motor brings nothing but its friction, takes nothing from the supply, and its current dies with L /
// R.
TEST(a_drive_without_power_turns_freely)
{
    static const ff_drive_motor kinds[] = {FF_MOTOR_IDEAL, FF_MOTOR_SERVO, FF_MOTOR_DC, FF_MOTOR_LAG, FF_MOTOR_PMSM};
    for (int i = 0; i < 5; i++) {
        ff_drive d = ff_drive_default();
        ff_error err = {0};
        d.motor = kinds[i];
        d.ratio = 20.0;
        d.dc = (ff_dc_motor){
            .constant = 0.05, .resistance = 2.0, .inductance = 1e-3, .viscous = 1e-5, .dry_speed = 1.0, .voltage = 24};
        d.pmsm = (ff_pmsm){.resistance = 2.0, .inductance_d = 1e-3, .inductance_q = 2e-3, .flux = 0.01, .pairs = 4};
        d.foc.period = 1e-4;
        CHECK(ff_drive_finish(&d, 0.0, &err) == FF_OK);
        ff_drive_memory memory = {.force = 3.0, .current = 2.0, .voltage = 12.0, .target = 1.0, .off = 1};
        memory.foc.plane[0] = 5.0;
        const double q[1] = {0.3}, v[1] = {2.0}, none[2] = {0, 0}, current[2] = {0.7, -0.4};
        double zdot[2] = {0, 0};
        ff_drive_flow flow;
        ff_drive_evaluate(&d, &memory, q, v, none, zdot, &flow);
        const double friction = i < 2 ? 0.0 : 20.0 * 1e-5 * 40.0; // ratio, viscous friction, speed of the motor  [N m]
        CHECK_NEAR(flow.force, -friction, 1e-15);
        CHECK_NEAR(flow.electrical, 0.0, 1e-12);
        if (i < 2 || i == 3) continue;
        ff_drive_evaluate(&d, &memory, q, v, current, zdot, &flow);
        CHECK_NEAR(zdot[0], -2.0 / 1e-3 * current[0], 1e-9);
        if (i == 4) CHECK_NEAR(zdot[1], -2.0 / 2e-3 * current[1], 1e-9);
    }
}
