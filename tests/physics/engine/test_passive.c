// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Springs, dampers, dry friction and stops of joints against their closed forms, integrated.
#include <math.h>

#include "check.h"
#include "support/must_run.h"
#include "support/robots.h"

static ff_sim *start(const ff_model *m, ff_method method, double q, double v)
{
    ff_sim *sim = robot_sim(m, robot_options(method, 1e-4, 1e-11));
    ff_sim_set_q(sim, 0, q);
    ff_sim_set_v(sim, 0, v);
    return sim;
}

TEST(mass_on_a_spring_swings_at_sqrt_k_over_m)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(2.0, &joint);
    joint->stiffness = 50.0;
    joint->spring_ref = 0.1;
    ff_model *m = robot_finish(spec);
    ff_sim *sim = start(m, FF_METHOD_ADAPTIVE, 0.3, 0.0);
    const double E0 = ff_sim_energy(sim).total, w = sqrt(50.0 / 2.0);
    CHECK_NEAR(E0, 0.5 * 50.0 * 0.04, 1e-14);
    must_run(sim, 10.0);
    CHECK_NEAR(ff_sim_q(sim)[0], 0.1 + 0.2 * cos(w * 10.0), 1e-8);
    CHECK_NEAR(ff_sim_energy(sim).total, E0, 1e-8);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// A cube of 0.2 m and 3 kg falls through air of 1.2 kg/m^3 as v = v_e tanh(g t / v_e), v_e = sqrt(2 m g / (rho A)), in
// every method; what weight gave and motion has not is heat.
TEST(a_cube_falls_at_the_speed_at_which_drag_is_its_weight)
{
    const double m0 = 3.0, side = 0.2, I = m0 * side * side / 6.0, rho = 1.2, g = 9.81, end = 5.0;
    for (int k = 0; k < 2; k++) {
        ff_spec *spec = ff_spec_create(NULL);
        spec->density = rho;
        const int cube =
            robot_body(spec, "cube", -1, (double[]){0, 0, 0}, m0, (double[]){0, 0, 0}, (double[]){I, I, I});
        robot_joint(spec, "fall", cube, FF_JOINT_SLIDE, 0, 0, 1);
        ff_model *m = robot_finish(spec);
        ff_sim_options o = robot_options(k == 0 ? FF_METHOD_ADAPTIVE : FF_METHOD_IMPLICIT, 1e-3, 1e-10);
        o.ledger = true;
        ff_sim *sim = robot_sim(m, o);
        must_run(sim, end);
        const double limit = sqrt(2.0 * m0 * g / (rho * side * side)), v = limit * tanh(g * end / limit);
        CHECK_NEAR(ff_sim_v(sim)[0], -v, k == 0 ? 1e-7 : 1e-4);
        const ff_ledger l = ff_sim_ledger(sim);
        CHECK_NEAR(l.residual, 0.0, k == 0 ? 1e-6 : 1e-2); // [J], of 2500
        CHECK(l.lost_joints > 100.0);
        ff_sim_destroy(sim);
        ff_model_destroy(m);
    }
}

// A pendulum of which 3/4 of the weight are compensated swings as with a quarter of gravity; its energy is kept, and
// with full compensation it does not move.
TEST(a_pendulum_with_its_weight_carried_swings_slowly)
{
    double q[2];
    for (int k = 0; k < 2; k++) {
        ff_spec_joint *joint;
        ff_spec *spec = robot_slider(2.0, &joint);
        joint->type = FF_JOINT_HINGE;
        ff_vec3_set(joint->axis, 0, 1, 0);
        spec->bodies[0].com[0] = 0.4;
        ff_vec3_set(spec->gravity, 0, 0, k == 0 ? -9.81 : -9.81 / 4);
        spec->bodies[0].gravcomp = k == 0 ? 0.75 : 0.0;
        ff_model *m = robot_finish(spec);
        ff_sim *sim = start(m, FF_METHOD_ADAPTIVE, 0.3, 0.0);
        const double E0 = ff_sim_energy(sim).total;
        must_run(sim, 2.0);
        CHECK_NEAR(ff_sim_energy(sim).total, E0, 1e-8);
        CHECK_NEAR(E0, -0.25 * 2.0 * 9.81 * 0.4 * sin(0.3), 1e-13);
        q[k] = ff_sim_q(sim)[0];
        ff_sim_destroy(sim);
        ff_model_destroy(m);
    }
    CHECK_NEAR(q[0], q[1], 1e-8);
    CHECK(fabs(q[0] - 0.3) > 0.1);
}

TEST(damped_spring_decays_as_its_closed_form)
{
    const double mass = 1.5, k = 40.0, b = 2.0, delta = b / (2 * mass), w = sqrt(k / mass - delta * delta);
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(mass, &joint);
    joint->stiffness = k;
    joint->damping = b;
    ff_model *m = robot_finish(spec);
    ff_sim *sim = start(m, FF_METHOD_RK4, 0.2, 0.0);
    must_run(sim, 2.0);
    CHECK_NEAR(ff_sim_q(sim)[0], 0.2 * exp(-2.0 * delta) * (cos(2 * w) + delta / w * sin(2 * w)), 1e-11);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// m v' = -f v / sqrt(v^2 + s^2):  time from  u - s asinh(s / v),  way from  (v u + s^2 asinh(v / s)) / 2,  u = sqrt(v^2
// + s^2).
TEST(dry_friction_stops_a_block_as_its_closed_form)
{
    const double mass = 3.0, f = 6.0, s = 1e-2, v0 = 1.5;
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(mass, &joint);
    joint->dry_friction = f;
    joint->dry_speed = s;
    ff_model *m = robot_finish(spec);
    ff_sim *sim = start(m, FF_METHOD_ADAPTIVE, 0.0, v0);
    const double u0 = sqrt(v0 * v0 + s * s), start_time = u0 - s * asinh(s / v0);
    for (int i = 1; i <= 7; i++) {
        must_run(sim, 0.1 * i); // Coulomb's own law stops it after m v0 / f = 0.75 s
        const double v = ff_sim_v(sim)[0], u = sqrt(v * v + s * s);
        CHECK_NEAR(mass / f * (start_time - (u - s * asinh(s / v))), 0.1 * i, 1e-8);
        CHECK_NEAR(mass / f * 0.5 * (v0 * u0 + s * s * asinh(v0 / s) - v * u - s * s * asinh(v / s)), ff_sim_q(sim)[0],
                   1e-8);
    }
    // Beyond the stop it creeps: v falls as exp(-f t / (m s)), way within a regularisation length of Coulomb's m v0^2 /
    // 2 f.
    must_run(sim, 1.5);
    CHECK_NEAR(ff_sim_q(sim)[0], 0.5 * mass * v0 * v0 / f, 5e-4);
    CHECK_BELOW(fabs(ff_sim_v(sim)[0]), 1e-11); // the tolerance of the run
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// Against a one-sided spring-damper: x = v0/w e^(-dt) sin(wt) until the force k x + b x' would pull.
TEST(block_rebounds_from_a_stop_as_its_closed_form)
{
    const double mass = 1.2, k = 9000.0, b = 40.0, v0 = 0.8, limit = 0.5;
    const double delta = b / (2 * mass), w0 = sqrt(k / mass), w = sqrt(w0 * w0 - delta * delta);
    const double leave = (FF_PI - atan2(2 * delta * w, w0 * w0 - 2 * delta * delta)) / w, turn = atan2(w, delta) / w;
    const double back = v0 * exp(-delta * leave) * (cos(w * leave) - delta / w * sin(w * leave));
    const double deepest = v0 / w * exp(-delta * turn) * sin(w * turn);
    for (int side = -1; side <= 1; side += 2) {
        ff_spec_joint *joint;
        ff_spec *spec = robot_slider(mass, &joint);
        joint->limited = true;
        joint->range[0] = -limit;
        joint->range[1] = limit;
        joint->stop_stiffness = k;
        joint->stop_damping = b;
        ff_model *m = robot_finish(spec);
        ff_sim *sim = start(m, FF_METHOD_ADAPTIVE, 0.4 * side, v0 * side);
        must_run(sim, 0.125 + turn);
        CHECK_NEAR(side * ff_sim_q(sim)[0] - limit, deepest, 1e-8);
        must_run(sim, 0.3);
        CHECK_NEAR(side * ff_sim_v(sim)[0], back, 1e-8);
        CHECK_NEAR(side * ff_sim_q(sim)[0],
                   limit + v0 / w * exp(-delta * leave) * sin(w * leave) + back * (0.3 - 0.125 - leave), 1e-8);
        ff_sim_destroy(sim);
        ff_model_destroy(m);
    }
}

/// Ledger of a block of 1.2 kg that meets its stop with 0.8 m/s and leaves it before the end of the run.
static ff_ledger rebound(double k, double b, ff_sim_options o, long long *steps)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(1.2, &joint);
    joint->limited = true;
    joint->range[0] = -10.0;
    joint->range[1] = 0.5;
    joint->stop_stiffness = k;
    joint->stop_damping = b;
    ff_model *m = robot_finish(spec);
    o.ledger = true;
    ff_sim *sim = robot_sim(m, o);
    ff_sim_set_q(sim, 0, 0.4);
    ff_sim_set_v(sim, 0, 0.8);
    must_run(sim, 0.6);
    CHECK(ff_sim_v(sim)[0] < 0.0 && ff_sim_q(sim)[0] < 0.5);
    const ff_ledger l = ff_sim_ledger(sim);
    *steps = ff_sim_get_counts(sim).steps;
    ff_sim_destroy(sim);
    ff_model_destroy(m);
    return l;
}

/// Heat in such a stop: the speed at which the block leaves it, where its force is zero, is that of the closed form
/// above.
static double heat_of_rebound(double k, double b)
{
    const double mass = 1.2, v0 = 0.8, delta = b / (2 * mass), w0 = sqrt(k / mass), w = sqrt(w0 * w0 - delta * delta);
    const double leave = (FF_PI - atan2(2 * delta * w, w0 * w0 - 2 * delta * delta)) / w;
    const double back = v0 * exp(-delta * leave) * (cos(w * leave) - delta / w * sin(w * leave));
    return 0.5 * mass * (v0 * v0 - back * back);
}

static const double rebound_stops[][2] = {{9000.0, 40.0}, {9000.0, 150.0}, {1e5, 100.0}, {600.0, 10.0}};

// The stop recovers by itself after a block that leaves it, and the energy stored in it becomes heat. The block moves
// freely then, and error control does not limit the step. Heat must be as accurate as the motion: with powers it was
// off by up to 2 % at any tolerance.
TEST(heat_of_a_stop_that_is_left_is_as_good_as_the_motion)
{
    const ff_method methods[] = {FF_METHOD_ADAPTIVE, FF_METHOD_CVODE, FF_METHOD_CVODE_ADAMS};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            const double heat = heat_of_rebound(rebound_stops[i][0], rebound_stops[i][1]), E = 0.5 * 1.2 * 0.64;
            if (!ff_method_built(methods[k])) continue;
            for (double tolerance = 1e-5; tolerance > 0.9e-9; tolerance *= 0.1) {
                long long steps;
                const ff_ledger l = rebound(rebound_stops[i][0], rebound_stops[i][1],
                                            robot_options(methods[k], 0.0, tolerance), &steps);
                printf("  k %g, b %g, %s at %.0e: heat off by %.1e, residual %.1e of the energy, %lld steps\n",
                       rebound_stops[i][0], rebound_stops[i][1], ff_method_name(methods[k]), tolerance,
                       (l.lost_joints - heat) / E, l.residual / E, steps);
                CHECK_NEAR(l.lost_joints, heat, 200.0 * tolerance * E);
                CHECK_NEAR(l.residual, 0.0, 100.0 * tolerance * E);
            }
        }
}

/// Relative energy missing in the ledger of a pendulum that is thrown between two stops for 1 s, and its number of
/// steps.
static double thrown(double mass, double k, double b, double accuracy, long long *steps)
{
    ff_spec *spec = ff_spec_create(NULL);
    const double I = mass * 0.01 / 6.0;
    const int arm =
        robot_body(spec, "arm", -1, (double[]){0, 0, 0}, mass, (double[]){0, 0, -0.25}, (double[]){I, I, I});
    ff_spec_joint *joint = robot_joint(spec, "hinge", arm, FF_JOINT_HINGE, 0, 1, 0);
    joint->limited = true;
    joint->range[0] = -0.4;
    joint->range[1] = 0.6;
    joint->stop_stiffness = k;
    joint->stop_damping = b;
    ff_model *m = robot_finish(spec);
    ff_sim_options o = robot_options(FF_METHOD_IMPLICIT, 0.0, 0.0);
    o.accuracy = accuracy;
    o.ledger = true;
    ff_sim *sim = robot_sim(m, o);
    ff_sim_set_q(sim, 0, 0.1);
    ff_sim_set_v(sim, 0, 9.0);
    must_run(sim, 1.0);
    *steps = ff_sim_get_counts(sim).steps;
    const double off = fabs(ff_sim_ledger(sim).residual) / (0.5 * (I + mass * 0.0625) * 81.0);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
    return off;
}

// Implicit steps with error control that meet and leave stops: the energy missing is within ten times the accuracy.
TEST(what_implicit_steps_lack_at_stops_falls_with_the_accuracy)
{
    static const double stops[][3] = {{2.0, 5000.0, 2.0}, {0.5, 300.0, 1.0}, {3.0, 2e4, 20.0}, {1.0, 1e5, 5.0}};
    for (int i = 0; i < 4; i++) {
        long long coarse, fine;
        const double before = thrown(stops[i][0], stops[i][1], stops[i][2], 1e-4, &coarse);
        const double after = thrown(stops[i][0], stops[i][1], stops[i][2], 1e-5, &fine);
        printf("  k %g, b %g: %.1e in %lld steps, %.1e in %lld\n", stops[i][1], stops[i][2], before, coarse, after,
               fine);
        CHECK_BELOW(before, 10.0 * 1e-4);
        CHECK_BELOW(after, 10.0 * 1e-5);
    }
}

// Energy lost by dampers, friction and stops is the integral of passive_power.
static void burn(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)t, (void)m, (void)z;
    zdot[0] = d->passive_power;
}

TEST(lost_energy_is_the_integral_of_passive_power)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(1.0, &joint);
    joint->stiffness = 30.0;
    joint->damping = 0.4;
    joint->dry_friction = 0.5;
    joint->dry_speed = 0.05;
    joint->limited = true;
    joint->range[0] = -0.2;
    joint->range[1] = 0.2;
    joint->stop_stiffness = 3000.0;
    joint->stop_damping = 10.0;
    ff_model *m = robot_finish(spec);
    ff_sim *sim = start(m, FF_METHOD_ADAPTIVE, 0.0, 3.0);
    const ff_part meter = {.name = "meter", .nstate = 1, .derivative = burn};
    const int part = ff_sim_add_part(sim, &meter, NULL);
    must_run(sim, 2.0);
    CHECK_NEAR(ff_sim_energy(sim).total + ff_sim_part_state(sim, part)[0], 0.5 * 9.0, 1e-7);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// With options.passive off these forces do not act.
TEST(passive_forces_can_be_switched_off)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(1.0, &joint);
    joint->stiffness = 1000.0;
    joint->damping = 5.0;
    ff_model *m = robot_finish(spec);
    ff_sim_options o = robot_options(FF_METHOD_RK4, 1e-3, 0.0);
    o.passive = false;
    ff_sim *sim = robot_sim(m, o);
    ff_sim_set_v(sim, 0, 2.0);
    must_run(sim, 1.0);
    CHECK_NEAR(ff_sim_q(sim)[0], 2.0, 1e-13);
    CHECK_NEAR(ff_sim_energy(sim).total, 2.0, 1e-13);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}
