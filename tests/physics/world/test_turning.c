// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Torsion and rolling of balls: what stops them, the springs they stop in, and the heat of both. With k_t of the
// tangential spring and a patch of radius r the springs are k = k_t r^2/2 and k_t r^2/4. A ball turns on the point that
// this spring holds: I = 2/5 m R^2 about the normal, 7/5 m R^2 across it. Damped critically, w0 = sqrt(k/I), the angle
// of the spring is
//     x0 (1 + w0 t) exp(-w0 t)  from an angle x0,      v0 t exp(-w0 t)  from a speed v0.
#include "support/lab.h"

#include <math.h>

static const double G = 9.81;

/// A ball that turns on one point.
typedef struct turner {
    double mass, radius;
    double patch, arm; // [m]
    double spring;     // [N/m]
    bool rolls;        // otherwise it spins about the normal
} turner;

static double inertia(const turner *b)
{
    return (b->rolls ? 1.4 : 0.4) * b->mass * b->radius * b->radius;
}

static double spring(const turner *b)
{
    const double r = fmax(b->patch, b->arm); // the pressure of a moment lies within the patch
    return (b->rolls ? 0.25 : 0.5) * b->spring * r * r;
}

static double frequency(const turner *b)
{
    return sqrt(spring(b) / inertia(b));
}

static int turning(const turner *b)
{
    return b->rolls ? 4 : 5;
}

/// The ball is at rest in its dent, with the angular velocity `speed`.
static lab lab_turner(const turner *b, ff_method method, double step, double speed)
{
    lab x = lab_open(method);
    x.options.step = step;
    if (method == FF_METHOD_ADAPTIVE) x.options.relative = 1e-6, x.options.absolute = 1e-9;
    x.options.ledger = true;
    const double k = 4.0 * b->spring;
    ff_material *m = lab_material(&x, "it", k, k, 0.8);
    m->friction.stiffness = b->spring;
    m->friction.damping = 1e-4 * b->spring; // next to nothing for these slow springs
    m->friction.torsion = b->rolls ? 0.0 : b->arm;
    m->friction.rolling = b->rolls ? b->arm : 0.0;
    m->friction.patch_radius = b->patch;
    lab_ball(&x, "ball", b->mass, b->radius, (double[]){0, 0, b->radius - b->mass * G / k}, "it");
    lab_floor(&x, "rigid");
    lab_start(&x);
    if (b->rolls) ff_sim_set_v(x.sim, 0, b->radius * speed);
    ff_sim_set_v(x.sim, turning(b), speed);
    return x;
}

static const ff_method METHODS[] = {FF_METHOD_EULER, FF_METHOD_RK4, FF_METHOD_IMPLICIT, FF_METHOD_ADAPTIVE};
static const turner BALLS[] = {{0.01, 0.01, 1e-3, 5e-4, 1e4, true},
                               {0.01, 0.01, 1e-3, 5e-4, 1e4, false},
                               {5.0, 0.1, 5e-3, 2e-3, 5e5, true},
                               {5.0, 0.1, 5e-3, 2e-3, 5e5, false}};

// The start is within the limit of the springs: half of the moment at which they slip.
TEST(a_ball_nudged_in_its_dent_swings_back_once_however_heavy_it_is)
{
    for (int k = 0; k < 16; k++) {
        const turner *b = &BALLS[k / 4];
        const double w0 = frequency(b), speed = 0.5 * b->arm * b->mass * G / (2.0 * inertia(b) * w0);
        lab x = lab_turner(b, METHODS[k % 4], 2e-3 / w0, speed);
        double heat = 0.0, error = 0.0, angle = 0.0;
        for (int i = 1; i <= 400; i++) {
            const double t = 0.02 * i / w0, before = lab_v(&x)[turning(b)];
            lab_run(&x, t);
            const double now = lab_v(&x)[turning(b)], lost = ff_sim_ledger(x.sim).lost_friction;
            angle += 0.5 * (before + now) * 0.02 / w0;
            error = fmax(error, fabs(angle - speed * t * exp(-w0 * t)));
            CHECK(lost >= heat);
            heat = lost;
        }
        const ff_ledger l = ff_sim_ledger(x.sim);
        const double energy = 0.5 * inertia(b) * speed * speed, peak = speed / w0 * exp(-1.0);
        printf("  %5.2f kg %s, %-8s: %.1e of the peak off, %.1e of the speed left after 8/w0, heat %.4f\n", b->mass,
               b->rolls ? "rolls" : "spins", ff_method_name(METHODS[k % 4]), error / peak,
               fabs(lab_v(&x)[turning(b)]) / speed, heat / energy);
        CHECK_BELOW(error, 0.02 * peak);
        CHECK_BELOW(fabs(lab_v(&x)[turning(b)]), 4e-3 * speed); // 7 exp(-8) = 2.3e-3
        CHECK_NEAR(heat, energy, 0.01 * energy);
        CHECK_BELOW(fabs(l.residual), 0.01 * energy);
        lab_close(&x);
    }
}

// The ball rolls or spins until it stops with a spring at its limit, x0 = arm m g / k. From there it turns back, v = x0
// w0^2 t exp(-w0 t), and is at rest a second later. For a ball whose arm is ten times its patch the larger of the two
// counts; with the smaller one x0 would be 7.8 rad, and w0 a tenth.
TEST(a_ball_that_stops_lies_still_a_second_later)
{
    const turner balls[] = {{0.01, 0.01, 1e-3, 5e-4, 1e4, true},
                            {0.01, 0.01, 1e-3, 5e-4, 1e4, false},
                            {5.0, 0.1, 5e-3, 5e-3, 1e6, true},
                            {5.0, 0.1, 5e-3, 5e-3, 1e6, false},
                            {1.0, 0.1, 1e-3, 1e-2, 5e4, true}};
    for (int k = 0; k < 20; k++) {
        const turner *b = &balls[k / 4];
        const double w0 = frequency(b), x0 = b->arm * b->mass * G / spring(b), stops = 0.5;
        const double speed = stops * b->arm * b->mass * G / inertia(b);
        lab x = lab_turner(b, METHODS[k % 4], fmin(5e-4, 5e-3 / w0), speed);
        double heat = 0.0, forward = 0.0, most = 0.0;
        for (int i = 1; i <= 160; i++) {
            lab_run(&x, 0.01 * i);
            const double t = 0.01 * i - stops, v = lab_v(&x)[turning(b)], lost = ff_sim_ledger(x.sim).lost_friction;
            CHECK(lost >= heat);
            heat = lost;
            if (t > 0.1) forward = fmax(forward, v);
            if (t > 1.0) most = fmax(most, fabs(v));
        }
        const ff_ledger l = ff_sim_ledger(x.sim);
        const double energy = 0.5 * inertia(b) * speed * speed, back = x0 * w0 * exp(-1.0);
        printf("  %5.2f kg %s, %-8s: %.1e rad/s a second later of %.1e rad/s, heat %.4f, residual %.1e\n", b->mass,
               b->rolls ? "rolls" : "spins", ff_method_name(METHODS[k % 4]), most, back, heat / energy,
               l.residual / energy);
        CHECK_BELOW(most, 1.3 * x0 * w0 * w0 * exp(-w0) + 1e-6 * speed);
        CHECK_BELOW(most, 1e-2 * speed);
        CHECK_BELOW(forward, 1e-3 * back + 1e-6 * speed); // it does not swing through
        CHECK_NEAR(heat, energy, 0.02 * energy);
        CHECK_BELOW(fabs(l.residual), 0.01 * energy);
        lab_close(&x);
    }
}

// A ball that spins with 20 rad/s, and one that rolls with 0.3 m/s, on a floor that resists both. Torsion 5 mm and
// rolling 2 mm bring them to rest after w I / (arm m g) = 1.63 s and 1.4 v r / (arm g) = 2.14 s. The springs in which
// they stop must not ring: that of rolling would swing with 6.7 rad/s, and with only the time constant of the
// tangential spring, 4 ms, it would lose a sixth of its 0.2 rad/s in two seconds.
TEST(a_ball_that_stops_does_not_ring)
{
    for (int rolls = 0; rolls < 2; rolls++) {
        lab x = lab_open(FF_METHOD_IMPLICIT);
        x.options.step = 5e-4;
        x.options.ledger = true;
        ff_material *m = lab_material(&x, "it", 2e5, 1.5e5, 0.5);
        m->friction.stiffness = 1e5;
        m->friction.damping = 400.0;
        m->friction.torsion = rolls ? 0.0 : 5e-3;
        m->friction.rolling = rolls ? 2e-3 : 0.0;
        m->friction.patch_radius = 5e-3;
        lab_ball(&x, "ball", 1.0, 0.1, (double[]){0, 0, 0.1 - 9.81 / 2e5}, "it");
        lab_floor(&x, "rigid");
        lab_start(&x);
        ff_sim_set_v(x.sim, 0, rolls ? 0.3 : 0.0);
        ff_sim_set_v(x.sim, 4, rolls ? 3.0 : 0.0);
        ff_sim_set_v(x.sim, 5, rolls ? 0.0 : 20.0);
        const double stop = rolls ? 1.4 * 0.3 * 0.1 / (2e-3 * 9.81) : 20.0 * 0.4 * 0.01 / (5e-3 * 9.81);
        lab_run(&x, 0.98 * stop);
        const int turning = rolls ? 4 : 5;
        const double late = lab_v(&x)[turning];
        CHECK_NEAR(late, 0.02 * (rolls ? 3.0 : 20.0), 0.01 * (rolls ? 3.0 : 20.0)); // it slows down evenly
        lab_run(&x, stop + 2.0);
        double most = 0.0;
        for (int k = 0; k < 500; k++) {
            lab_run(&x, stop + 2.0 + 1e-3 * k);
            most = fmax(most, fabs(lab_v(&x)[turning]));
        }
        const double heat = ff_sim_ledger(x.sim).lost_friction, energy = rolls ? 0.7 * 0.3 * 0.3 : 0.2 * 0.01 * 400.0;
        printf("  %s: %.1e rad/s two seconds after it has stopped, heat %.4f J of %.4f J\n", rolls ? "rolls" : "spins",
               most, heat, energy);
        CHECK_BELOW(most, 1e-3);
        CHECK_NEAR(heat, energy, 0.01 * energy);
        lab_close(&x);
    }
}

// A ball rolls at 1 m/s and spins at 20 rad/s on a floor that resists both: moments of constant size, 3 mm and 5 mm
// times its weight, along the angles  w t - a t^2 / 2. In the last round of an implicit step the slip of a rolling ball
// changes by a factor of a thousand; heat of rolling that depends on it was 11 J in four seconds of this motion, which
// had 1.5 J.
TEST(rolling_and_torsion_heat_by_their_moments_at_any_accuracy)
{
    const double weight = 9.81, r = 0.1, inertia = 0.4 * r * r, time = 1.0;
    const double slows[2] = {5e-3 * weight / inertia, 3e-3 * weight / (inertia + r * r)}; // [rad/s^2] spin, rolling
    const double heat = 5e-3 * weight * (20.0 - 0.5 * slows[0]) + 3e-3 * weight * (10.0 - 0.5 * slows[1]);
    for (double accuracy = 1e-2; accuracy > 5e-6; accuracy *= 0.1) {
        lab x = lab_open(FF_METHOD_IMPLICIT);
        x.options.accuracy = accuracy;
        x.options.ledger = true;
        ff_material *m = lab_material(&x, "it", 1e5, 1e5, 0.5);
        m->friction.torsion = 5e-3;
        m->friction.rolling = 3e-3;
        m->friction.patch_radius = 5e-3;
        lab_ball(&x, "ball", 1.0, r, (double[]){0, 0, r - weight / 1e5}, "it");
        lab_floor(&x, "rigid");
        lab_start(&x);
        const double start[] = {1, 0, 0, 0, 10, 20};
        for (int i = 0; i < 6; i++) ff_sim_set_v(x.sim, i, start[i]);
        lab_run(&x, time);
        const ff_ledger l = ff_sim_ledger(x.sim);
        printf("  accuracy %.0e: heat %.5f J of %.5f J, residual %.1e J\n", accuracy, l.lost_friction, heat,
               l.residual);
        CHECK_NEAR(l.lost_friction, heat, 0.01 * heat);
        CHECK_BELOW(fabs(l.residual), 1e-3 * heat);
        lab_close(&x);
    }
}
