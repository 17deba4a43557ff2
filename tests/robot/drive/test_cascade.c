// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Loops: anti-windup, slope of the current, the shaper, and the position step of ROTTO's drive (Fig. 4.18 of its
// thesis).
#include "rig.h"

TEST(pi_clamps_and_comes_back_without_delay)
{
    for (int back = 0; back < 2; back++) {
        const ff_pi pi = {.kp = 1.0, .ki = 10.0, .limit = 2.0, .windup = back ? FF_WINDUP_BACK : FF_WINDUP_STOP};
        double sum = 0.0;
        for (int i = 0; i < 10000; i++) CHECK_NEAR(ff_pi_update(&pi, &sum, 5.0, 0.0, 1e-3), 2.0, 0.0);
        CHECK_BELOW(fabs(sum), 5.0); // ten seconds of error would be 500
        int waited = 0;
        while (ff_pi_update(&pi, &sum, -0.5, 0.0, 1e-3) >= 2.0) waited++;
        CHECK_BELOW(waited, 1.0);
    }
    const ff_pi free = {.kp = 2.0, .ki = 10.0};
    double sum = 0.0;
    for (int i = 0; i < 100; i++) ff_pi_update(&free, &sum, 1.0, 0.0, 1e-3);
    CHECK_NEAR(sum, 1.0, 1e-12); // ki times 0.1 s
    CHECK_NEAR(ff_pi_update(&free, &sum, 0.0, 3.0, 1e-3), 4.0, 1e-12);
}

TEST(current_reference_rises_no_faster_than_its_slope)
{
    const ff_dc_motor motor = {.resistance = 1.0, .inductance = 1e-3, .constant = 0.133, .voltage = 80.0};
    ff_cascade c = ff_cascade_design(&motor, 3.5e-5, 100.0, 60.0, 2.0 * FF_PI * 100.0, 2.0 * FF_PI * 1000.0);
    c.velocity.limit = 12.0;
    c.slope = 12.0 / 1e-3; // the peak in a millisecond (assumed: the source names such a limit)
    ff_cascade_state s = {.speed = 8.0};
    double before = 0.0;
    for (int i = 0; i < 30; i++) {
        ff_cascade_velocity(&c, &s, 0.0, 0.0);
        CHECK_BELOW(s.current - before, 12.0 / 1e-3 * 1e-4 * (1.0 + 1e-12));
        before = s.current;
    }
    CHECK_NEAR(s.current, 12.0, 0.0); // at the peak after 10 samples
}

// ------------------------------------------------------------------------------------------ shaper

TEST(shaped_step_keeps_its_bounds_and_never_overshoots)
{
    const double period = 1e-3;
    for (int n = 0; n < 40; n++) {
        const ff_shaper shaper = {.most_speed = 3.0 + n, .most_acceleration = 50.0 + 13.0 * n};
        const double target = n % 2 ? 2.0 : -0.37 * n;
        ff_shaper_state s = {0};
        double most = 0.0;
        int rounds = 0;
        while (s.position != target && rounds < 100000) {
            ff_shaper_update(&shaper, &s, target, period);
            CHECK_BELOW(fabs(s.speed), shaper.most_speed * (1.0 + 1e-12));
            CHECK_BELOW(fabs(s.acceleration), shaper.most_acceleration * (1.0 + 1e-9));
            most = fmax(most, fabs(s.position));
            rounds++;
        }
        CHECK_NEAR(s.position, target, 0.0);
        CHECK_BELOW(most, fabs(target) * (1.0 + 1e-12));
        // trapezoid: at least |e| / v, and at least 2 sqrt(|e| / a); within a few samples of the ideal time
        const double v = shaper.most_speed, a = shaper.most_acceleration, e = fabs(target);
        const double ideal = e > v * v / a ? e / v + v / a : 2.0 * sqrt(e / a);
        CHECK_BELOW(ideal - 2.0 * period, rounds * period);
        CHECK_BELOW(rounds * period, ideal * 1.02 + 8.0 * period);
    }
}

// ------------------------------------------------------------------------------------------ ROTTO, ten revolutions

enum { FARTHEST, FASTEST, CURRENT, ARRIVED };

static void watch_step(rig *r, double t)
{
    if (t < 0.1) return;
    const double target = 20.0 * FF_PI;
    r->value[FARTHEST] = fmax(r->value[FARTHEST], r->x[0]);
    r->value[FASTEST] = fmax(r->value[FASTEST], fabs(r->x[1]));
    r->value[CURRENT] = fmax(r->value[CURRENT], fabs(r->x[3]));
    if (r->value[ARRIVED] == 0.0 && fabs(r->x[0] - target) < 0.02 * 40.0 * FF_PI) r->value[ARRIVED] = t - 0.1;
}

// Unloaded drive, PMSM with its 28 kHz loop, position and velocity loops at 1 ms on a 2048-count encoder: from -10 to
// +10 turns.
TEST(step_of_ten_revolutions_each_way_stays_inside_the_figure)
{
    rig r = {.d = ff_drive_default(), .step = 1.0 / 56000.0, .inertia = 5e-6, .watch = watch_step};
    ff_drive *d = &r.d;
    d->motor = FF_MOTOR_PMSM;
    d->pmsm = (ff_pmsm){.resistance = 0.5, .inductance_d = 2e-4, .inductance_q = 2e-4, .flux = 0.02, .pairs = 1};
    d->foc = ff_pmsm_control_design(&d->pmsm, 0.0, 100.0);
    d->foc.align_time = 0.0;
    d->dc = (ff_dc_motor){.rotor = 5e-6, .constant = 0.03, .viscous = 1e-5, .dry = 4e-4, .dry_speed = 1.0};
    d->loop = FF_LOOP_CASCADE;
    d->cascade = ff_cascade_design(&d->dc, 5e-6, 1.0, 60.0, 125.0, 0.0); // 1 / (8 T_d), 1 / (4 T_d) with T_d = 2 ms
    d->cascade.rate = d->cascade.rate_speed = 1000.0;
    d->cascade.velocity.ki = 0.0; // an integral would have to unwind at the end, beyond the target
    d->peak = 3.6;
    d->counts = 2048;
    d->shaper = (ff_shaper){.most_speed = 13000.0 * 2.0 * FF_PI / 60.0, .most_acceleration = 12000.0};
    rig_start(&r, -20.0 * FF_PI, 0.0);
    ff_drive_command(d, &r.m, -20.0 * FF_PI, 0.0, 0.0);
    rig_run(&r, 0.1);
    ff_drive_command(d, &r.m, 20.0 * FF_PI, 0.0, 0.0);
    rig_run(&r, 0.6);
    const double rpm = 60.0 / (2.0 * FF_PI), turn = 2.0 * FF_PI;
    printf("  20 turns in %.0f ms, at most %.0f rpm and %.2f A, %.4f turns beyond\n", 1e3 * r.value[ARRIVED],
           r.value[FASTEST] * rpm, r.value[CURRENT], (r.value[FARTHEST] - 20.0 * FF_PI) / turn);
    CHECK_BELOW(r.value[FARTHEST],
                20.0 * FF_PI + 4.0 * turn / 2048.0); // no overshoot: four counts of the encoder are noise of the loop
    CHECK_BELOW(r.value[FASTEST] * rpm, 13000.0);
    CHECK_BELOW(r.value[CURRENT], 3.6);
    CHECK(r.value[CURRENT] > 2.0); // and it uses the current
    CHECK(r.value[ARRIVED] > 0.092);
    CHECK_NEAR(r.x[0], 20.0 * FF_PI, 2.0 * turn / 2048.0);
}

// The cascade of LOLA, its gains in standard form: hip adduction, 20 kHz current, 10 kHz velocity and position;
// tracking bandwidth at least 15 Hz.
TEST(lola_cascade_tracks_beyond_15_hz)
{
    rig r = {.d = ff_drive_default(), .step = 2.5e-5, .inertia = 0.64 + 1.0};
    ff_drive *d = &r.d;
    d->motor = FF_MOTOR_DC;
    d->dc = (ff_dc_motor){
        .resistance = 1.0, .inductance = 1e-3, .constant = 0.159, .rotor = 6.4e-5, .dry_speed = 1.0, .voltage = 80.0};
    d->ratio = 100.0;
    d->peak = 16.48;
    d->loop = FF_LOOP_CASCADE;
    d->cascade = ff_cascade_design(&d->dc, (0.64 + 1.0) / 1e4, 100.0, 60.0, 2.0 * FF_PI * 100.0, 2.0 * FF_PI * 1000.0);
    d->cascade.most_speed = 8.4;
    d->cascade.slope = 16.48 / 1e-3;
    rig_start(&r, 0.0, 0.0);
    const double w = 2.0 * FF_PI * 15.0, size = 0.004;
    double in = 0.0, out = 0.0;
    while (rig_time(&r) < 1.0) {
        const double t = rig_time(&r);
        ff_drive_command(d, &r.m, size * sin(w * t), size * w * cos(w * t), 0.0);
        rig_run(&r, t + r.step);
        if (t < 0.4 - 1e-9) continue; // nine whole periods in the rest
        in += r.x[0] * sin(w * t);
        out += r.x[0] * cos(w * t);
    }
    const double gain = 2.0 * hypot(in, out) / (0.6 / r.step) / size;
    printf("  gain at 15 Hz: %.3f\n", gain);
    CHECK(gain > sqrt(0.5));
    CHECK_BELOW(gain, sqrt(2.0));
}
