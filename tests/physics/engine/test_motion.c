// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Motions with a known answer: the pendulum of IFToMM A01, the double pendulum by its textbook equations, the spinning
// top in steady precession, the free symmetric body; and what must be conserved by a floating robot of 24 joints and by
// ANYmal.
#include <math.h>
#include <unistd.h>

#include "check.h"
#include "support/must_run.h"
#include "support/robots.h"

#include <footfall/load.h>

// ------------------------------------------------------------------------------------------ pendulums

// IFToMM benchmark A01: length 1 m, released horizontally. A physical pendulum with c + I / (m c) = 1 m moves alike.
TEST(pendulum_follows_the_iftomm_benchmark)
{
    static const double REFERENCE[3][3] = {{1.0, 0.986291751131875, -0.165010853125541},
                                           {5.0, -0.942305435043757, -0.334754338414001},
                                           {10.0, -0.275087462576117, -0.961419205099125}};
    const ff_method methods[] = {FF_METHOD_RK4, FF_METHOD_ADAPTIVE, FF_METHOD_CVODE, FF_METHOD_CVODE_ADAMS};
    const double tolerances[] = {1e-9, 1e-10, 1e-7, 1e-8}; // [m] error growth over 10 s of each method as set here
    ff_model *m = robot_pendulum(1.0, 0.5, 0.25);
    for (int k = 0; k < 4; k++) {
        if (!ff_method_built(methods[k])) continue;
        ff_sim *sim = robot_sim(m, robot_options(methods[k], 1e-3, 1e-12));
        ff_sim_set_q(sim, 0, 0.5 * FF_PI);
        double worst = 0.0;
        for (int i = 0; i < 3; i++) {
            must_run(sim, REFERENCE[i][0]);
            const double q = ff_sim_q(sim)[0];
            worst = fmax(worst, hypot(-sin(q) - REFERENCE[i][1], -cos(q) - REFERENCE[i][2]));
        }
        printf("  %-12s worst distance %.2e m\n", ff_method_name(methods[k]), worst);
        CHECK_BELOW(worst, tolerances[k]);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

typedef struct links {
    double mass[2], com[2], moment[2], length;
} links;

/// Textbook double pendulum in absolute angles a, b (from the vertical) and their rates.
static void double_pendulum(const links *p, const long double x[4], long double dx[4])
{
    const long double g = 9.81L, c = cosl(x[0] - x[1]), s = sinl(x[0] - x[1]);
    const long double m1 = p->mass[0], m2 = p->mass[1], c1 = p->com[0], c2 = p->com[1], l = p->length;
    const long double A = p->moment[0] + m1 * c1 * c1 + m2 * l * l, B = m2 * l * c2 * c,
                      D = p->moment[1] + m2 * c2 * c2;
    const long double r1 = -m2 * l * c2 * s * x[3] * x[3] - (m1 * c1 + m2 * l) * g * sinl(x[0]);
    const long double r2 = m2 * l * c2 * s * x[2] * x[2] - m2 * c2 * g * sinl(x[1]);
    const long double det = A * D - B * B;
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = (D * r1 - B * r2) / det;
    dx[3] = (A * r2 - B * r1) / det;
}

/// Runge-Kutta of order 4 in extended precision with steps of 0.1 ms: error below 1e-11 over 3 s.
static void integrate_double_pendulum(const links *p, long double x[4], double time)
{
    const int steps = (int)lround(time / 1e-4);
    const long double h = (long double)time / steps;
    for (int n = 0; n < steps; n++) {
        long double k[4][4], y[4];
        for (int stage = 0; stage < 4; stage++) {
            const long double step = stage == 0 ? 0.0L : (stage == 3 ? h : 0.5L * h);
            for (int i = 0; i < 4; i++) y[i] = x[i] + (stage ? step * k[stage - 1][i] : 0.0L);
            double_pendulum(p, y, k[stage]);
        }
        for (int i = 0; i < 4; i++) x[i] += h / 6.0L * (k[0][i] + 2.0L * k[1][i] + 2.0L * k[2][i] + k[3][i]);
    }
}

TEST(double_pendulum_follows_its_textbook_equations)
{
    const links p = {{1.3, 0.8}, {0.4, 0.25}, {0.05, 0.02}, 0.9};
    ff_spec *spec = ff_spec_create(NULL);
    const int upper = robot_body(spec, "upper", -1, (double[]){0, 0, 0}, p.mass[0], (double[]){0, 0, -p.com[0]},
                                 (double[]){p.moment[0], p.moment[0], p.moment[0]});
    const int lower = robot_body(spec, "lower", upper, (double[]){0, 0, -p.length}, p.mass[1],
                                 (double[]){0, 0, -p.com[1]}, (double[]){p.moment[1], p.moment[1], p.moment[1]});
    robot_joint(spec, "shoulder", upper, FF_JOINT_HINGE, 0, 1, 0);
    robot_joint(spec, "elbow", lower, FF_JOINT_HINGE, 0, 1, 0);
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-13));
    ff_sim_set_q(sim, 0, 2.0);
    ff_sim_set_q(sim, 1, -0.7);
    long double x[4] = {2.0L, 2.0L - 0.7L, 0.0L, 0.0L};
    must_run(sim, 3.0);
    integrate_double_pendulum(&p, x, 3.0);
    const ff_data *d = ff_sim_data(sim);
    // The motion is chaotic: a disturbance grows by about e^(5 t), here a thousandfold and more; tolerance 1e-13.
    CHECK_NEAR(d->q[0], (double)x[0], 1e-9);
    CHECK_NEAR(d->q[0] + d->q[1], (double)x[1], 1e-9);
    CHECK_NEAR(d->v[0], (double)x[2], 1e-8);
    printf("  off by %.1e rad after 3 s\n", fabs(d->q[0] - (double)x[0]));
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ tops

// Heavy symmetric top, steady precession at inclination theta: I3 w3 W - I1 W^2 cos(theta) = m g l, and the axis goes
// round at W.
TEST(spinning_top_precesses_steadily)
{
    const double mass = 0.5, l = 0.08, I1 = 2e-4 + mass * l * l, I3 = 3e-4, theta = 0.6, W = 4.0;
    const double w3 = (mass * 9.81 * l + I1 * W * W * cos(theta)) / (I3 * W);
    ff_spec *spec = ff_spec_create(NULL);
    const int top =
        robot_body(spec, "top", -1, (double[]){0, 0, 0}, mass, (double[]){0, 0, l}, (double[]){2e-4, 2e-4, I3});
    robot_joint(spec, "tip", top, FF_JOINT_BALL, 0, 0, 1);
    ff_model *m = robot_finish(spec);
    const ff_method methods[] = {FF_METHOD_RK4, FF_METHOD_ADAPTIVE};
    for (int k = 0; k < 2; k++) {
        ff_sim *sim = robot_sim(m, robot_options(methods[k], 2.5e-5, 1e-12));
        const ff_data *d = ff_sim_data(sim);
        double lean[4];
        ff_quat_from_axis_angle(lean, (double[]){0, 1, 0}, theta); // axis leans towards +x
        // Body axes: the world's vertical is (-sin, 0, cos) there; the spin makes up the rest along z.
        ff_sim_set_state(sim, lean, (double[]){-W * sin(theta), 0.0, w3});
        double worst = 0.0;
        for (int i = 1; i <= CHECK_LASTS(8, 2); i++) {
            double axis[3];
            must_run(sim, 0.5 * i);
            ff_quat_rotate(axis, d->q, (double[]){0, 0, 1});
            worst = fmax(worst, fabs(axis[0] - sin(theta) * cos(W * 0.5 * i)));
            worst = fmax(worst, fabs(axis[1] - sin(theta) * sin(W * 0.5 * i)));
            worst = fmax(worst, fabs(axis[2] - cos(theta)));
            CHECK_NEAR(d->v[2], w3, 1e-9);
            CHECK_NEAR(d->q[0] * d->q[0] + d->q[1] * d->q[1] + d->q[2] * d->q[2] + d->q[3] * d->q[3], 1.0, 1e-15);
        }
        // 4 s are 16 rad of precession and 1400 rad of spin; rk4 turns 0.009 rad a step.
        printf("  %-9s axis off by %.1e\n", ff_method_name(methods[k]), worst);
        CHECK_BELOW(worst, 1e-8);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

// Free symmetric body: in body axes the transverse angular velocity turns at (I3 - I1) / I1 w3.
TEST(free_symmetric_body_nutates_at_the_closed_form_rate)
{
    const double I1 = 0.4, I3 = 0.65, w3 = 3.0, a = 1.2, rate = (I3 - I1) / I1 * w3;
    ff_spec *spec = ff_spec_create(NULL);
    ff_vec3_set(spec->gravity, 0, 0, 0);
    const int body =
        robot_body(spec, "disc", -1, (double[]){0, 0, 0}, 2.0, (double[]){0, 0, 0}, (double[]){I1, I1, I3});
    robot_joint(spec, "free", body, FF_JOINT_FREE, 0, 0, 1);
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-13));
    const ff_data *d = ff_sim_data(sim);
    ff_sim_set_state(sim, NULL, (double[]){0.0, 0.0, 0.0, a, 0.0, w3});
    must_run(sim, 10.0);
    CHECK_NEAR(d->v[3], a * cos(rate * 10.0), 1e-11);
    CHECK_NEAR(d->v[4], a * sin(rate * 10.0), 1e-11);
    CHECK_NEAR(d->v[5], w3, 1e-13);
    // The axis keeps its angle to the angular momentum, which stands still in space.
    double axis[3], h[6];
    ff_sim_evaluate(sim, FF_SIM_VELOCITY, NULL);
    ff_quat_rotate(axis, d->q + 3, (double[]){0, 0, 1});
    ff_dyn_momentum(m, d, h);
    CHECK_NEAR(ff_vec3_dot(axis, h) / ff_vec3_norm(h), I3 * w3 / hypot(I3 * w3, I1 * a), 1e-12);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// CVODE keeps a history that is never normalised; a body turning steadily for 1000 rad must still turn at its own rate.
TEST(attitude_does_not_drift_with_any_method)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_vec3_set(spec->gravity, 0, 0, 0);
    const int body = robot_body(spec, "disc", -1, (double[]){0, 0, 0}, 2.0, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    robot_joint(spec, "free", body, FF_JOINT_FREE, 0, 0, 1);
    ff_model *m = robot_finish(spec);
    // [rad] at 1 ms or tolerance 1e-8: euler and implicit turn exactly, rk2 loses (w h)^2 / 24 of the angle. With
    // cvode, quaternions that turned at w / |q| were off by 0.07.
    const double allowed[FF_METHOD_COUNT] = {1e-9, 4.2e-3, 1e-8, 1e-5, 1e-9, 1e-3, 1e-3};
    for (int k = 0; k < FF_METHOD_COUNT; k++) {
        if (!ff_method_built((ff_method)k)) continue;
        ff_sim *sim = robot_sim(m, robot_options((ff_method)k, 1e-3, 1e-8));
        const ff_data *d = ff_sim_data(sim);
        ff_sim_set_state(sim, NULL, (double[]){0.0, 0.0, 0.0, 6.0, 0.0, 8.0});
        const double time = CHECK_LASTS(100.0, 10.0);
        must_run(sim, time);
        double expected[4], turn[3];
        ff_quat_from_axis_angle(expected, (double[]){0.6, 0.0, 0.8}, 10.0 * time);
        ff_quat_difference(turn, expected, d->q + 3);
        printf("  %-12s attitude off by %.1e rad after %g rad\n", ff_method_name((ff_method)k), ff_vec3_norm(turn),
               10.0 * time);
        CHECK_BELOW(ff_vec3_norm(turn), allowed[k]);
        CHECK_NEAR(d->q[3] * d->q[3] + d->q[4] * d->q[4] + d->q[5] * d->q[5] + d->q[6] * d->q[6], 1.0, 1e-15);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ conservation

/// Linear momentum and angular momentum about the world's origin.
static void spatial_momentum(ff_sim *sim, double h[6])
{
    double com[3], moment[3];
    ff_sim_evaluate(sim, FF_SIM_VELOCITY, NULL);
    ff_dyn_momentum(ff_sim_model(sim), ff_sim_data(sim), h);
    ff_dyn_com(ff_sim_model(sim), ff_sim_data(sim), com);
    ff_vec3_cross(moment, com, h + 3);
    ff_vec3_add(h, h, moment);
}

static double largest(const double *a, const double *b, int n)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

static void check_floating_robot(const ff_model *m, const char *name)
{
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-12));
    double h0[6], h[6], energy_drift = 0.0, momentum_drift = 0.0, spin_drift = 0.0;
    robot_tumble(m, sim, 2.0);
    spatial_momentum(sim, h0);
    const double E0 = ff_sim_energy(sim).total;
    for (int i = 1; i <= 20; i++) {
        must_run(sim, 0.5 * i);
        spatial_momentum(sim, h);
        energy_drift = fmax(energy_drift, fabs(ff_sim_energy(sim).total - E0) / E0);
        momentum_drift = fmax(momentum_drift, largest(h + 3, h0 + 3, 3) / ff_vec3_norm(h0 + 3));
        spin_drift = fmax(spin_drift, largest(h, h0, 3) / ff_vec3_norm(h0));
    }
    printf(
        "  %s: energy %.1f J drifts by %.1e, momentum by %.1e, angular momentum by %.1e (relative, 10 s, %lld steps)\n",
        name, E0, energy_drift, momentum_drift, spin_drift, ff_sim_get_counts(sim).steps);
    CHECK_BELOW(energy_drift, 1e-9);
    CHECK_BELOW(momentum_drift, 1e-10);
    CHECK_BELOW(spin_drift, 1e-10);
    ff_sim_destroy(sim);
}

TEST(floating_robot_of_24_joints_keeps_energy_and_momentum)
{
    ff_model *m = robot_walker(6, false);
    CHECK_INT(m->nv, 30);
    check_floating_robot(m, "walker");
    ff_model_destroy(m);
}

/// ANTON from robots/, with damping, stops and gravity removed.
TEST(anton_keeps_energy_and_momentum)
{
#ifndef FF_WITH_YAML
    SKIP("built without libyaml");
#endif
    const char *path = FF_SOURCE_DIR "/robots/anton/anton.yaml";
    ff_report report = {0};
    ff_load_options load = ff_load_options_default();
    load.floating = true;
    ff_spec *spec = ff_spec_create(NULL);
    if (ff_spec_load(spec, path, &load, &report) != FF_OK)
        CHECK_FAIL("%s", report.count ? report.messages[0].text : "no message");
    ff_vec3_set(spec->gravity, 0, 0, 0);
    bool free_base = false;
    for (int i = 0; i < spec->njoint; i++) {
        ff_spec_joint *joint = &spec->joints[i];
        joint->limited = false;
        joint->stiffness = joint->damping = joint->dry_friction = 0.0;
        free_base = free_base || joint->type == FF_JOINT_FREE;
    }
    ff_report_clear(&report);
    CHECK(free_base);
    ff_model *m = robot_finish(spec);
    check_floating_robot(m, "anton");
    ff_model_destroy(m);
}

// SimBenchmark, ANYmal energy: 2 M g up at the base for 1 s, then 2 s free; mean squared energy error of the free
// phase.
static double anymal_metric(const ff_model *m, ff_sim_options o)
{
    static const double JOINTS[12] = {0.03, 0.4, -0.8, -0.03, 0.4, -0.8, 0.03, -0.4, 0.8, -0.03, -0.4, 0.8};
    o.passive = false; // contact, limits and damping are off
    ff_sim *sim = robot_sim(m, o);
    ff_sim_set_q(sim, 2, 2.0);
    for (int i = 0; i < 12; i++) ff_sim_set_q(sim, 7 + i, JOINTS[i]);
    ff_sim_set_torque(sim, 2, 2.0 * m->mass * 9.81);
    must_run(sim, 1.0);
    ff_sim_set_torque(sim, 2, 0.0);
    const double E0 = ff_sim_energy(sim).total;
    double sum = 0.0, worst = 0.0;
    for (int i = 1; i <= 2000; i++) {
        must_run(sim, 1.0 + 1e-3 * i);
        const double error = ff_sim_energy(sim).total - E0;
        sum += error * error;
        worst = fmax(worst, fabs(error));
    }
    printf("  %-9s metric %.2e J^2, worst error %.1e J of %.0f J\n", ff_method_name(o.method), sum / 2000.0, worst, E0);
    ff_sim_destroy(sim);
    return sum / 2000.0;
}

TEST(anymal_keeps_its_energy)
{
#ifndef FF_WITH_XML
    SKIP("built without libxml2");
#endif
    const char *path =
        FF_SOURCE_DIR "/../shared/models/urdf/example-robot-data/robots/anymal_b_simple_description/robots/anymal.urdf";
    if (access(path, R_OK) != 0) SKIP("no anymal.urdf beside the project");
    ff_report report = {0};
    ff_load_options load = ff_load_options_default();
    load.floating = load.repair = true;
    ff_model *m = ff_model_load(path, &load, &report);
    if (!m) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no message");
    ff_report_clear(&report);
    CHECK_INT(m->nv, 18);
    CHECK_BELOW(anymal_metric(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0)), 1e-15);
    CHECK_BELOW(anymal_metric(m, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-12)), 1e-15);
    ff_model_destroy(m);
}

// A hinge beside a ball turns the body about one axis twice: no acceleration is the only one.
TEST(joints_that_turn_a_body_twice_are_named)
{
    ff_error err = {0};
    ff_spec *spec = ff_spec_create(NULL);
    const int body =
        robot_body(spec, "wrist", -1, (double[]){0, 0, 0}, 1.0, (double[]){0.1, 0, 0}, (double[]){1, 1, 1});
    robot_joint(spec, "hinge", body, FF_JOINT_HINGE, 0, 0, 1);
    robot_joint(spec, "ball", body, FF_JOINT_BALL, 0, 0, 1);
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0));
    CHECK(ff_sim_run(sim, 0.1, &err) != FF_OK);
    CHECK_SAYS(err.text, "\"wrist\" turn it about more than three axes");
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}
