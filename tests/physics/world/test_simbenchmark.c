// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes of SimBenchmark (leggedrobotics/SimBenchmark) with their metrics: rolling, bouncing, ANYmal's momentum.
// References are closed forms.
#include "support/lab.h"

// ------------------------------------------------------------------------------------------ rolling

enum { BALLS = 25 };

/// A plate of 10 kg under 25 balls of 1 kg is pushed with 150 N. The stiffness is the one for which the overlaps
/// printed by the benchmark (20 um at the plate, 40 um at the balls) are rest depths: 4.29e6 N/m for each corner,
/// 2.45e5 N/m for each ball.
static lab rolling_scene(ff_method method)
{
    lab x = lab_open(method);
    x.options.step = 1e-3;
    x.options.relative = 1e-6, x.options.absolute = 1e-9;
    const double plate = 35.0 * 9.81 / 2e-5, ball = 9.81 / 4e-5;
    ff_material *on_ground = lab_material(&x, "plate", plate, 0.1 * plate, 0.4);
    on_ground->friction.damping = 1e3;
    ff_material *on_plate = lab_material(&x, "ball", ball, 0.1 * ball, 0.8);
    on_plate->friction.damping = 100.0;
    static ff_world_pair pair; // what the two make of each other is given, not combined
    pair = (ff_world_pair){"plate", "ball", *on_plate};
    x.contacts.pairs = &pair;
    x.contacts.npair = 1;
    lab_box(&x, "plate", 10.0, (double[]){20, 20, 1}, (double[]){0, 0, 0.5 - 2e-5}, "plate");
    for (int i = 0; i < BALLS; i++) {
        char name[16];
        snprintf(name, sizeof name, "ball%d", i);
        lab_ball(&x, name, 1.0, 0.5, (double[]){-4.0 + 2.0 * (i / 5), -4.0 + 2.0 * (i % 5), 1.5 - 6e-5}, "ball");
    }
    lab_floor(&x, "rigid");
    lab_start(&x);
    return x;
}

/// Starts the contacts in the state that balances the loads: the plate at the limit of sliding, each ball held by the
/// friction that accelerates it.
static void hold_rolling(lab *x, const double push[2], double plate_grip, double ball_grip)
{
    int count;
    double force[3 * 64] = {0};
    const ff_world_contact *c = ff_world_contacts(x->world, x->sim, &count);
    CHECK_INT(count, 4 + BALLS);
    const int plate = ff_model_find_body(x->model, "plate");
    for (int i = 0; i < count; i++) {
        const bool ground = c[i].body1 < 0 || c[i].body2 < 0;
        // On the plate backwards by the ground, on a ball forwards by the plate; `force` is that on body 2.
        double on_plate = ground ? -plate_grip / 4.0 : -ball_grip;
        double on_second = c[i].body2 == plate ? on_plate : -on_plate;
        force[3 * i] = on_second * push[0];
        force[3 * i + 1] = on_second * push[1];
    }
    lab_hold(x, force);
}

static double rolling_error(ff_method method, const double push[2], double time)
{
    const double M = 10.0, m = 1.0, F = 150.0, mu = 0.4;
    const double f1 = mu * (M + BALLS * m) * 9.81;
    const double f2 = (F - f1) / M / (3.5 / m + BALLS / M); // ball: a + alpha r = a_plate, alpha r = 2.5 f2/m
    const double a_plate = (F - f1 - BALLS * f2) / M, a_ball = f2 / m;
    CHECK_NEAR(f1, 137.34, 1e-9);
    CHECK_NEAR(f2, 0.211, 5e-4);
    CHECK_NEAR(a_plate, 0.7385, 5e-5);
    lab x = rolling_scene(method);
    hold_rolling(&x, push, f1 * (1.0 - 1e-9), f2);
    ff_sim_set_torque(x.sim, 0, F * push[0]);
    ff_sim_set_torque(x.sim, 1, F * push[1]);
    double sum = 0.0;
    const int steps = (int)(1e3 * time);
    for (int i = 1; i <= steps; i++) {
        const double t = 1e-3 * i;
        lab_run(&x, t);
        const double *v = lab_v(&x);
        for (int k = 0; k < 3; k++) {
            const double along = k < 2 ? push[k] : 0.0;
            const double plate = v[k] - a_plate * t * along, ball = v[6 + k] - a_ball * t * along;
            sum += plate * plate + ball * ball;
        }
    }
    lab_close(&x);
    return sum / steps;
}

// The benchmark lasts 4 s; speeds grow linearly, so that an error shows early.
TEST(rolling_along_an_axis_and_across_meets_the_reference)
{
    double y = rolling_error(FF_METHOD_ADAPTIVE, (double[]){0, 1}, 0.5),
           xy = rolling_error(FF_METHOD_ADAPTIVE, (double[]){0.5, 0.866025}, 1.5);
    printf("  adaptive: y %.2e, xy %.2e m^2/s^2\n", y, xy);
    CHECK_BELOW(y, 1e-6);
    CHECK_BELOW(xy, 1e-6);
}

// ------------------------------------------------------------------------------------------ bouncing

TEST(balls_bounce_for_twenty_seconds_without_loss)
{
    enum { SIDE = 7 };
    lab x = lab_open(FF_METHOD_ADAPTIVE);
    x.options.relative = 1e-10, x.options.absolute = 1e-12;
    lab_material(&x, "ball", 1e6, 0.0, 0.0);
    for (int i = 0; i < SIDE * SIDE; i++) {
        char name[16];
        snprintf(name, sizeof name, "ball%d", i);
        lab_ball(&x, name, 10.0, 0.1, (double[]){2.0 * (i / SIDE), 2.0 * (i % SIDE), 5.0}, "ball");
    }
    lab_floor(&x, "rigid");
    lab_start(&x);
    const double start = 49.0 * 10.0 * 9.81 * 5.0;
    CHECK_NEAR(start, 24034.5, 1e-9);
    double worst = 0.0, without = 0.0;
    const int samples = 2000;
    for (int i = 1; i <= samples; i++) {
        lab_run(&x, 20.0 * i / samples);
        ff_energy e = ff_sim_energy(x.sim);
        worst = fmax(worst, fabs(e.total - start) / start);
        without += (e.kinetic + e.potential - start) * (e.kinetic + e.potential - start) / samples;
    }
    printf("  energy off by at most %.1e; mean square without elastic energy %.3g J^2; %lld evaluations\n", worst,
           without, ff_sim_get_counts(x.sim).evaluations);
    CHECK_BELOW(worst, 1e-6);
    CHECK(ff_world_get_counts(x.world).lifts >= 49 * 9);
    lab_close(&x);
}

// ------------------------------------------------------------------------------------------ momentum

static const char *const anymal_file =
    FF_SOURCE_DIR "/../shared/models/urdf/example-robot-data/robots/anymal_b_simple_description/robots/anymal.urdf";

/// A ball of 10 kg hits ANYmal, both floating. @return mean of |p - (0, 50, 0)|^2 over 10 s
static double momentum_error(ff_method method)
{
    static const double pose[12] = {0.03, 0.4, -0.8, -0.03, 0.4, -0.8, 0.03, -0.4, 0.8, -0.03, -0.4, 0.8};
    lab x = lab_open(method);
    x.options.step = 1e-3;
    x.options.relative = 1e-10, x.options.absolute = 1e-13;
    x.options.passive = false; // stops and damping of the joints are off in the benchmark
    ff_load_options load = ff_load_options_default();
    ff_report report = {0};
    load.floating = true;
    load.repair = true; // one inertia of the file breaks A + B >= C
    if (ff_spec_load(x.spec, anymal_file, &load, &report) != FF_OK) CHECK_FAIL("%s", report.messages[0].text);
    ff_report_clear(&report);
    lab_material(&x, "lead", 1e5, 1e6, 0.0); // gives back a tenth of 5 m/s: a = 50
    lab_ball(&x, "ball", 10.0, 0.2, (double[]){0, -5, 2}, "lead");
    for (int i = 0; i < x.spec->ngeom; i++) x.spec->geoms[i].material = ff_spec_text(x.spec, "lead");
    ff_vec3_set(x.spec->gravity, 0, 0, 0);
    lab_start_with(&x, &load);
    ff_sim_set_q(x.sim, 2, 2.0);
    for (size_t i = 0; i < sizeof pose / sizeof *pose; i++) ff_sim_set_q(x.sim, 7 + (int)i, pose[i]);
    const int ball = x.model->joints[ff_model_find_joint(x.model, "ball")].vadr;
    ff_sim_set_v(x.sim, ball + 1, 5.0);
    double sum = 0.0;
    const int samples = 1000;
    for (int i = 1; i <= samples; i++) {
        double h[6];
        lab_run(&x, 10.0 * i / samples);
        ff_sim_evaluate(x.sim, FF_SIM_VELOCITY, NULL);
        ff_dyn_momentum(x.model, ff_sim_data(x.sim), h);
        const double off[3] = {h[3], h[4] - 50.0, h[5]};
        sum += ff_vec3_dot(off, off);
    }
    CHECK(ff_world_get_counts(x.world).touches > 0);
    lab_close(&x);
    return sum / samples;
}

TEST(a_ball_that_hits_anymal_keeps_the_momentum)
{
#ifndef FF_WITH_XML
    SKIP("built without libxml2");
#endif
    if (access(anymal_file, R_OK) != 0) SKIP("no ../shared/models here");
    double adaptive = momentum_error(FF_METHOD_ADAPTIVE);
    printf("  mean |p - p0|^2: adaptive %.1e N^2 s^2\n", adaptive);
    CHECK_BELOW(adaptive, 1e-16);
}
