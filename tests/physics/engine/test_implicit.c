// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The implicit method without contact: accuracy, order and stability for springs, dampers, stops, dry friction,
// actuators and parts far stiffer than the step, its fallback, its error control, bit-identical after restoring.
#include <math.h>

#include "check.h"
#include "support/must_run.h"
#include "support/robots.h"

static ff_sim_options implicit_options(double step)
{
    return robot_options(FF_METHOD_IMPLICIT, step, 0.0);
}

static ff_sim *slider(ff_spec *spec, ff_sim_options o, double q, double v)
{
    ff_sim *sim = robot_sim(robot_finish(spec), o);
    ff_sim_set_q(sim, 0, q);
    ff_sim_set_v(sim, 0, v);
    return sim;
}

static void drop(ff_sim *sim)
{
    const ff_model *m = ff_sim_model(sim);
    ff_sim_destroy(sim);
    ff_model_destroy((ff_model *)(uintptr_t)m);
}

// ------------------------------------------------------------------------------------------ stiff springs

// A block of 1 kg at 0.1 m on a spring k at 1 ms: the exact motion turns faster than the step sees; the method must
// come to rest, for any k. The damping factor of (1 - w - w^2/2)/(1 - w)^2 at infinity is 1/2, so after 200 steps
// nothing is left.
TEST(any_spring_is_stable_at_one_millisecond)
{
    for (double k = 1e2; k < 2e12; k *= 10.0) {
        ff_spec_joint *joint;
        ff_spec *spec = robot_slider(1.0, &joint);
        joint->stiffness = k;
        ff_sim *sim = slider(spec, implicit_options(1e-3), 0.1, 0.0);
        double most = 0.0;
        for (int i = 1; i <= 2000; i++) {
            must_run(sim, i * 1e-3);
            most = fmax(most, ff_sim_energy(sim).total);
        }
        const double first = 0.5 * k * 0.01;
        printf("  k %.0e: energy at most %.6f of the first, at the end %.1e\n", k, most / first,
               ff_sim_energy(sim).total / first);
        // Energy is a norm in which the step of a lossless oscillation, w = i s, multiplies by
        // (1 + (1 - 2 g)^2 s^2) / (1 + g^2 s^2)^2 <= 1 with g = 1 - 1 / sqrt(2).
        CHECK_BELOW(most, first * (1.0 + 1e-12));
        if (k >= 1e9) CHECK_BELOW(ff_sim_energy(sim).total, 1e-20 * first);
        CHECK_INT(ff_sim_get_counts(sim).fallbacks, 0);
        drop(sim);
    }
}

// x'' = -k x - b x' with k = 1e6, b = 2e3 (critical, rate 1000/s) pushed by gravity along x in a turned world: comes to
// rest at m g / k.
TEST(a_stiff_damped_block_rests_where_forces_balance)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(2.0, &joint);
    ff_vec3_set(spec->gravity, 9.81, 0.0, 0.0);
    joint->stiffness = 1e9;
    joint->damping = 1e5;
    ff_sim *sim = slider(spec, implicit_options(1e-3), 0.0, 0.0);
    must_run(sim, 1.0);
    CHECK_NEAR(ff_sim_q(sim)[0], 2.0 * 9.81 / 1e9, 1e-13);
    CHECK_NEAR(ff_sim_v(sim)[0], 0.0, 1e-9); // [m/s] the iteration ends there
    drop(sim);
}

/// Error at 0.05 s of a block of 1 kg on a spring of 4e4 N/m with a damper of 100 N s/m, against the closed form.
static double damped_error(double h)
{
    const double k = 4e4, rate = 50.0, omega = sqrt(k - rate * rate), t = 0.05;
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(1.0, &joint);
    joint->stiffness = k;
    joint->damping = 2.0 * rate;
    ff_sim *sim = slider(spec, implicit_options(h), 0.01, 0.0);
    must_run(sim, t);
    const double exact = 0.01 * exp(-rate * t) * (cos(omega * t) + rate / omega * sin(omega * t));
    const double error = fabs(ff_sim_q(sim)[0] - exact);
    drop(sim);
    return error;
}

TEST(second_order_on_a_damped_spring)
{
    double before = 0.0, order = 0.0;
    for (double h = 1e-3; h > 1e-4; h *= 0.5) {
        const double error = damped_error(h);
        order = before > 0.0 ? log2(before / error) : 0.0;
        printf("  step %.2e error %.3e order %.3f\n", h, error, order);
        before = error;
    }
    CHECK_NEAR(order, 2.0, 0.15);
}

// ------------------------------------------------------------------------------------------ friction, stops, actuators

// Coulomb friction of 5 N regularised below 1e-6 m/s stops a block of 1 kg from 1 m/s in 0.2 s after 0.1 m. The damper
// that stands for it near rest has the rate 5e6/s: 5000 times the step.
TEST(dry_friction_stops_a_block_and_holds_it)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(1.0, &joint);
    joint->dry_friction = 5.0;
    joint->dry_speed = 1e-6;
    ff_sim *sim = slider(spec, implicit_options(1e-3), 0.0, 1.0);
    must_run(sim, 1.0);
    const ff_sim_counts c = ff_sim_get_counts(sim);
    printf("  stops at %.9f m, speed %.1e, %lld evaluations and %lld fallbacks in %lld steps\n", ff_sim_q(sim)[0],
           ff_sim_v(sim)[0], c.evaluations, c.fallbacks, c.steps);
    CHECK_NEAR(ff_sim_q(sim)[0], 0.1, 1e-5); // the last step ends somewhere within the standstill: h^2 f / 2 m
    CHECK_NEAR(ff_sim_v(sim)[0], 0.0, 1e-9);
    CHECK_INT(c.fallbacks, 0);
    drop(sim);
}

// Friction takes energy in every step, also in one that reverses a block on a spring.
TEST(heat_of_dry_friction_never_falls)
{
    static const double steps[] = {1e-2, 5e-3, 1e-3}, speeds[] = {1e-2, 1e-3, 1e-5};
    for (int i = 0; i < 9; i++) {
        ff_spec_joint *joint;
        ff_spec *spec = robot_slider(1.0, &joint);
        joint->stiffness = 400.0;
        joint->dry_friction = 2.0;
        joint->dry_speed = speeds[i % 3];
        ff_sim_options o = implicit_options(steps[i / 3]);
        o.ledger = true;
        ff_sim *sim = slider(spec, o, 0.1, 0.0);
        double heat = 0.0, worst = 0.0;
        for (int k = 1; k * o.step < 2.0; k++) {
            must_run(sim, k * o.step);
            const double now = ff_sim_ledger(sim).lost_joints;
            worst = fmin(worst, now - heat);
            heat = now;
        }
        printf("  step %g s, speed %g m/s: %.6f J, at least %.1e J a step\n", o.step, speeds[i % 3], heat, worst);
        CHECK_BELOW(-worst, 1e-15); // rounding of some 2 J
        drop(sim);
    }
}

// With error control steps are long compared with the stop of a block: 5 N stop 1 kg after v^2 / (2 * 5 m/s^2), and its
// energy becomes heat, whatever the powers at the ends of the last step are.
TEST(dry_friction_that_stops_a_block_heats_by_what_there_was)
{
    static const double accuracies[] = {1e-2, 1e-3, 1e-4}, speeds[] = {1.0, 0.11}, widths[] = {1e-4, 1e-3};
    for (int k = 0; k < 3 * 2 * 2; k++) {
        const double accuracy = accuracies[k % 3], v = speeds[k / 3 % 2], had = 0.5 * v * v;
        ff_spec_joint *joint;
        ff_spec *spec = robot_slider(1.0, &joint);
        joint->dry_friction = 5.0;
        joint->dry_speed = widths[k / 6];
        ff_sim_options o = implicit_options(1e-2);
        o.accuracy = accuracy;
        o.ledger = true;
        ff_sim *sim = slider(spec, o, 0.0, v);
        must_run(sim, 1.0);
        const ff_ledger l = ff_sim_ledger(sim);
        CHECK_NEAR(ff_sim_q(sim)[0], had / 5.0, 0.1 * accuracy); // as much as one step may be off
        CHECK_NEAR(ff_sim_v(sim)[0], 0.0, 1e-3 * widths[k / 6]);
        CHECK_NEAR(l.lost_joints, had, (0.01 + accuracy) * had);
        CHECK_NEAR(l.residual, 0.0, (0.01 + accuracy) * had);
        drop(sim);
    }
}

// A block meets a stop of 1e9 N/m with damping 1e5 N s/m in steps of 1 ms, whose force b v jumps. The block never
// leaves faster than it arrived, and is held against a steady push at depth F / k.
TEST(stops_take_a_block_and_hold_it)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(1.0, &joint);
    joint->limited = true;
    joint->range[0] = -10.0;
    joint->range[1] = 0.1004;
    joint->stop_stiffness = 1e9;
    joint->stop_damping = 1e5;
    ff_sim *sim = slider(spec, implicit_options(1e-3), 0.0, 1.0);
    ff_sim_set_torque(sim, 0, 10.0);
    double rebound = 0.0, deepest = 0.0;
    for (int i = 1; i <= 1000; i++) {
        must_run(sim, i * 1e-3);
        rebound = fmin(rebound, ff_sim_v(sim)[0]);
        deepest = fmax(deepest, ff_sim_q(sim)[0]);
    }
    printf("  rebound %.2e m/s, deepest %.2e m, fallbacks %lld\n", rebound, deepest - 0.1004,
           ff_sim_get_counts(sim).fallbacks);
    CHECK_BELOW(-rebound, 1.0);
    CHECK_NEAR(ff_sim_q(sim)[0], 0.1004 + 10.0 / 1e9, 1e-12);
    drop(sim);
}

// A block of 1.2 kg and 0.8 m/s meets a stop in steps that resolve it, at any part of a step. The force b v jumps, so
// that heat does not follow from powers at the ends of that step, but from the work of the force.
TEST(the_balance_of_energy_closes_where_a_stop_is_met)
{
    static const double h = 1e-3, E = 0.5 * 1.2 * 0.8 * 0.8;
    for (int i = 0; i < 8; i++) {
        ff_spec_joint *joint;
        ff_spec *spec = robot_slider(1.2, &joint);
        joint->limited = true;
        joint->range[0] = -10.0;
        joint->range[1] = 0.05 + 0.8 * h * i / 8.0;
        joint->stop_stiffness = 9000.0;
        joint->stop_damping = 100.0;
        ff_sim_options o = implicit_options(h);
        o.ledger = true;
        ff_sim *sim = slider(spec, o, 0.0, 0.8);
        must_run(sim, 0.2);
        const ff_ledger l = ff_sim_ledger(sim);
        printf("  met %g into a step: heat %.6f J, residual %.1e J\n", i / 8.0, l.lost_joints, l.residual);
        CHECK_NEAR(l.residual, 0.0, 2e-3 * E);
        drop(sim);
    }
}

/// Energy missing in the ledger, relative to the loss of a pendulum in 2 s, mean of five phases of the step at the
/// stop. It swings from 1.2 rad to its lower stop with dry friction in the same hinge. 1 kg at 0.3 m: I = 0.1 kg m^2.
static double unknown_loss(double stiffness, double damping, double friction, double h)
{
    double sum = 0.0;
    for (int i = 0; i < 5; i++) {
        ff_spec *spec = ff_spec_create(NULL);
        const int arm = robot_body(spec, "arm", -1, (double[]){0, 0, 0}, 1.0, (double[]){0, 0, -0.3},
                                   (double[]){0.01, 0.01, 0.001});
        ff_spec_joint *joint = robot_joint(spec, "hinge", arm, FF_JOINT_HINGE, 0, 1, 0);
        joint->dry_friction = friction;
        joint->limited = true;
        joint->range[0] = -0.1 - 0.0007 * i;
        joint->range[1] = 10.0;
        joint->stop_stiffness = stiffness;
        joint->stop_damping = damping;
        ff_sim_options o = implicit_options(h);
        o.ledger = true;
        ff_sim *sim = slider(spec, o, 1.2, 0.0);
        must_run(sim, 2.0);
        const ff_ledger l = ff_sim_ledger(sim);
        sum += fabs(l.residual) / (l.start - l.stored.total);
        drop(sim);
    }
    return sum / 5.0;
}

// The energy missing where a stop and dry friction act in one joint is the error of the steps, and falls with their
// square: a stop with a half period of 31 ms takes at most 0.1 % too much in steps of 1 ms, with friction and without.
TEST(the_balance_of_stop_and_dry_friction_in_one_joint_closes_by_the_square_of_the_step)
{
    static const double stops[2][2] = {{1000.0, 1.0}, {100.0, 10.0}}, frictions[] = {0.0, 0.05, 0.3};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            for (double h = 1e-3; h > CHECK_LASTS(1e-4, 4e-4); h *= 0.5) {
                const double off = unknown_loss(stops[i][0], stops[i][1], frictions[k], h);
                printf("  k %g, b %g, friction %g, step %g: %.1e\n", stops[i][0], stops[i][1], frictions[k], h, off);
                CHECK_BELOW(off, 1e-3 * (h / 1e-3) * (h / 1e-3));
            }
        }
}

// A thigh and a shank that hangs straight below it fall freely. The knee is at the end of its range, and beyond it by
// rounding: its stop, with a negligible force, leaves the fall of second order, which for z = -g t^2 / 2 is exact.
TEST(a_joint_at_the_end_of_its_range_lets_a_robot_fall_freely)
{
    static const double steps[] = {0.0, 5e-3, 1e-3}, bends[] = {1e-17, -1e-17, -1e-15}; // step 0: by accuracy
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const double I[3] = {1e-3, 1e-3, 1e-3};
            ff_spec *spec = ff_spec_create(NULL);
            const int thigh = robot_body(spec, "thigh", -1, (double[]){0, 0, 0}, 1.0, (double[]){0, 0, 0}, I);
            robot_joint(spec, "free", thigh, FF_JOINT_FREE, 0, 0, 1);
            const int shank = robot_body(spec, "shank", thigh, (double[]){0, 0, -0.3}, 1.0, (double[]){0, 0, -0.2}, I);
            ff_spec_joint *knee = robot_joint(spec, "knee", shank, FF_JOINT_HINGE, 0, 1, 0);
            knee->limited = true;
            knee->range[1] = 2.0;
            ff_sim_options o = implicit_options(steps[i]);
            if (steps[i] == 0.0) o.accuracy = 1e-3;
            ff_sim *sim = robot_sim(robot_finish(spec), o);
            ff_sim_set_q(sim, 7, bends[k]);
            must_run(sim, 1.0);
            CHECK_NEAR(ff_sim_q(sim)[2], -0.5 * 9.81, 1e-11);
            drop(sim);
        }
    }
}

static ff_model *driven(void)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(1.0, &joint);
    ff_spec_actuator *a = ff_spec_add_actuator(spec, "servo", FF_ACTUATOR_POSITION);
    a->joint = ff_spec_text(spec, "rail");
    a->gear = 2.0;
    a->gain = 1e8;
    a->bias[1] = -1e8;
    a->bias[2] = -1e5;
    a->force_limited = true;
    a->force_range[0] = -50.0;
    a->force_range[1] = 50.0;
    return robot_finish(spec);
}

// A servo of 1e8 N/m with at most 50 N: first saturated, then stiff. gear q = u at the goal.
TEST(a_stiff_servo_reaches_its_goal_from_saturation)
{
    ff_model *m = driven();
    ff_sim_options o = implicit_options(1e-3);
    o.actuators = true;
    ff_sim *sim = robot_sim(m, o);
    ff_sim_set_command(sim, (ff_actuator_id){0}, 0.02);
    must_run(sim, 2.0);
    printf("  q %.12f, fallbacks %lld\n", ff_sim_q(sim)[0], ff_sim_get_counts(sim).fallbacks);
    CHECK_NEAR(ff_sim_q(sim)[0], 0.01, 1e-9);
    drop(sim);
}

// ------------------------------------------------------------------------------------------ parts

/// A drive: current with the rate R/L = 1e5/s, torque k i, back electromotive force k v, position control of the
/// voltage.
static void motor(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)t, (void)m;
    const double voltage = 500.0 * (0.05 - d->q[0]);
    d->tau[0] += 2.0 * z[0];
    zdot[0] = (voltage - 1.0 * z[0] - 2.0 * d->v[0]) / 1e-5;
}

static void motor_slope(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *stiffness,
                        double *damping)
{
    (void)context, (void)t, (void)m, (void)d, (void)z;
    stiffness[0] += 2.0 * 500.0; // as if the current followed at once
    damping[0] += 2.0 * 2.0;
}

// The time constant of the current is a hundredth of the step: simple iteration for z = z0 + h zdot does not converge.
TEST(stiff_states_of_parts_are_solved_for)
{
    const ff_part part = {.name = "motor", .nstate = 1, .derivative = motor, .slope = motor_slope};
    double q[2];
    for (int k = 0; k < 2; k++) {
        ff_spec_joint *joint;
        ff_spec *spec = robot_slider(1.0, &joint);
        ff_sim *sim = slider(
            spec, k ? robot_options(FF_METHOD_RK4, CHECK_LASTS(1e-6, 4e-6), 0.0) : implicit_options(1e-3), 0.0, 0.0);
        // the motor must be added before the first run
        CHECK(ff_sim_add_part(sim, &part, NULL) == 0);
        must_run(sim, 0.3);
        q[k] = ff_sim_q(sim)[0];
        printf("  q %.9f z %.6f fallbacks %lld\n", q[k], ff_sim_part_state(sim, 0)[0],
               ff_sim_get_counts(sim).fallbacks);
        drop(sim);
    }
    CHECK_NEAR(q[0], q[1], 1e-4); // [m] of 0.05: order 2 with omega h = 0.03
}

static void relax(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)m, (void)d;
    zdot[0] = -1e6 * (z[0] - cos(t)) - sin(t); // cos t is the solution
    zdot[1] = 3.0 * (z[0] - z[1]);             // 0.9 cos t + 0.3 sin t + 0.1 exp(-3 t) for z(0) = 1
}

// Without a model the method serves plain stiff equations: A. Prothero and A. Robinson's, rate 1e6/s at 1 ms.
TEST(plain_stiff_equations_are_followed)
{
    const ff_part part = {.name = "relax", .nstate = 2, .derivative = relax};
    for (int k = 0; k < 2; k++) {
        ff_sim_options o = implicit_options(1e-3);
        o.accuracy = k ? 1e-4 : 0.0;
        ff_sim *sim = robot_sim(NULL, o);
        CHECK(ff_sim_add_part(sim, &part, NULL) == 0);
        ff_sim_set_part_state(sim, 0, 0, 1.0);
        ff_sim_set_part_state(sim, 0, 1, 1.0);
        must_run(sim, 1.0);
        const double *z = ff_sim_part_state(sim, 0), slow = 0.9 * cos(1.0) + 0.3 * sin(1.0) + 0.1 * exp(-3.0);
        printf("  off by %.1e and %.1e in %lld steps\n", fabs(z[0] - cos(1.0)), fabs(z[1] - slow),
               ff_sim_get_counts(sim).steps);
        CHECK_NEAR(z[0], cos(1.0), 1e-8);
        CHECK_NEAR(z[1], slow, k ? 1e-4 : 1e-6);
        ff_sim_destroy(sim);
    }
}

// The noise of Newton's iteration is no error: taken for one, steps of a double pendulum at 1e-8 shrank to 1e-13 s.
TEST(steps_at_a_tight_accuracy_do_not_shrink_for_ever)
{
    ff_spec *spec = ff_spec_create(NULL);
    int link = -1;
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "upper" : "lower";
        link = robot_body(spec, name, link, (double[]){0, 0, -0.5 * i}, 1.0, (double[]){0, 0, -0.5},
                          (double[]){1e-6, 1e-6, 1e-6});
        robot_joint(spec, name, link, FF_JOINT_HINGE, 0, 1, 0);
    }
    ff_sim_options o = implicit_options(0.0);
    o.accuracy = 1e-8;
    ff_sim *sim = robot_sim(robot_finish(spec), o);
    ff_sim_set_q(sim, 0, 0.6);
    ff_sim_set_q(sim, 1, 0.9);
    const double energy = ff_sim_energy(sim).total;
    for (double t = 0.1; t < CHECK_LASTS(10.0, 1.0); t += 0.1) {
        must_run(sim, t);
        CHECK_BELOW((double)ff_sim_get_counts(sim).steps, 1e5 * t + 1e4);
    }
    CHECK_NEAR(ff_sim_energy(sim).total, energy, 1e-7 * fabs(energy));
    drop(sim);
}

static void flip(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)t, (void)m, (void)d;
    zdot[0] = z[0] > 0.0 ? -1.0 : 1.0;
}

// A relay without hysteresis: no end of a step is consistent, and the message names the part.
TEST(states_that_do_not_settle_are_reported_by_name)
{
    const ff_part part = {.name = "relay", .nstate = 1, .derivative = flip};
    ff_sim *sim = robot_sim(NULL, implicit_options(1e-3));
    CHECK(ff_sim_add_part(sim, &part, NULL) == 0);
    ff_sim_set_part_state(sim, 0, 0, 0.0102);
    ff_error err = {0};
    CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_SOLVER);
    printf("  %s\n", err.text);
    CHECK_SAYS(err.text, "at 0.01 s");
    CHECK_SAYS(err.text, "part \"relay\"");
    ff_sim_destroy(sim);
}

TEST(accuracy_counts_for_the_implicit_method_alone)
{
    ff_error err = {0};
    ff_sim_options o = robot_options(FF_METHOD_RK4, 1e-3, 0.0);
    o.accuracy = 1e-3;
    ff_sim *sim = ff_sim_create(NULL, &o, &err);
    CHECK(sim && ff_sim_get_options(sim)->accuracy == 0.0);
    ff_sim_destroy(sim);
    o = implicit_options(1e-3);
    o.accuracy = -1.0;
    CHECK(!ff_sim_create(NULL, &o, &err));
    CHECK_SAYS(err.text, "accuracy is -1");
}

static void hard_friction(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)t, (void)m, (void)z, (void)zdot;
    d->tau[0] -= d->v[0] > 0.0 ? 5.0 : -5.0;
}

// Friction by the sign of the velocity: at rest no velocity balances it, however short the step. The message has the
// place.
TEST(a_force_without_balance_is_reported_with_time_and_body)
{
    const ff_part part = {.name = "brake", .derivative = hard_friction};
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(1.0, &joint);
    ff_sim *sim = slider(spec, implicit_options(1e-3), 0.0, 1.0);
    CHECK(ff_sim_add_part(sim, &part, NULL) == 0);
    ff_error err = {0};
    CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_SOLVER);
    printf("  %s\n", err.text);
    CHECK_SAYS(err.text, "at 0.2 s"); // v0 m / F
    CHECK_SAYS(err.text, "body \"block\"");
    CHECK_SAYS(err.text, "jumps");
    CHECK_NEAR(ff_sim_q(sim)[0], 0.1, 1e-6);
    drop(sim);
}

// ------------------------------------------------------------------------------------------ error control

TEST(error_follows_the_accuracy)
{
    ff_model *m = robot_walker(2, true);
    double q[32], v[32], difference[32], before = INFINITY;
    for (int k = 0; k < 5; k++) {
        const double accuracy = k == 0 ? 0.0 : pow(10.0, -1.0 - k);
        ff_sim_options o = k == 0 ? robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-12) : implicit_options(1e-3);
        o.accuracy = accuracy;
        ff_sim *sim = robot_sim(m, o);
        robot_tumble(m, sim, 3.0);
        must_run(sim, 0.5);
        if (k == 0) {
            memcpy(q, ff_sim_q(sim), (size_t)m->nq * sizeof(double));
            memcpy(v, ff_sim_v(sim), (size_t)m->nv * sizeof(double));
        } else {
            double error = 0.0;
            ff_dyn_difference(m, q, ff_sim_q(sim), difference);
            for (int i = 0; i < m->nv; i++) error = fmax(error, fabs(difference[i]));
            const ff_sim_counts c = ff_sim_get_counts(sim);
            printf("  accuracy %.0e: error %.2e, %lld steps, %lld refused, %lld evaluations\n", accuracy, error,
                   c.steps, c.refused, c.evaluations);
            CHECK_BELOW(error, 30.0 * accuracy); // [m, rad] errors of steps add up and the joints whip
            CHECK_BELOW(error, before);
            before = error;
        }
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ loops

/// Two bars of 0.5 m on hinges 0.6 m apart, tied by a coupler on the first whose end meets the end of the second: a
/// four-bar linkage.
static ff_model *four_bar(double stiffness)
{
    ff_spec *spec = ff_spec_create(NULL);
    const double bar[3] = {0, 0, -0.25}, thin[3] = {0.02, 0.02, 1e-3};
    const int crank = robot_body(spec, "crank", -1, (double[]){0, 0, 0}, 1.0, bar, thin);
    robot_joint(spec, "crank", crank, FF_JOINT_HINGE, 0, 1, 0);
    const int coupler = robot_body(spec, "coupler", crank, (double[]){0, 0, -0.5}, 0.8, (double[]){0.3, 0, 0},
                                   (double[]){1e-3, 0.03, 0.03});
    ff_spec_joint *joint = robot_joint(spec, "coupler", coupler, FF_JOINT_HINGE, 0, 1, 0);
    joint->stiffness = stiffness;
    joint->damping = 1e-3 * stiffness;
    const int rocker = robot_body(spec, "rocker", -1, (double[]){0.6, 0, 0}, 1.2, bar, thin);
    robot_joint(spec, "rocker", rocker, FF_JOINT_HINGE, 0, 1, 0);
    ff_spec_equality *loop = ff_spec_add_equality(spec, "loop", FF_EQUALITY_CONNECT);
    loop->object1 = ff_spec_text(spec, "coupler");
    loop->object2 = ff_spec_text(spec, "rocker");
    ff_vec3_set(loop->data, 0.6, 0, 0);
    return robot_finish(spec);
}

static double crank_after(double stiffness, ff_sim_options o, double *energy)
{
    ff_model *m = four_bar(stiffness);
    ff_sim *sim = robot_sim(m, o);
    ff_sim_set_v(sim, 0, 2.0); // the rest of the velocities follow from the loop
    ff_sim_set_v(sim, 1, -2.0);
    ff_sim_set_v(sim, 2, 2.0);
    must_run(sim, 0.5);
    const double q = ff_sim_q(sim)[0];
    if (energy) *energy = ff_sim_energy(sim).total;
    ff_sim_destroy(sim);
    ff_model_destroy(m);
    return q;
}

TEST(loops_are_held_to_second_order)
{
    double before = 0.0, order = 0.0, energy;
    const double exact = crank_after(0.0, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-12), &energy);
    for (double h = 4e-3; h > 4e-4; h *= 0.5) {
        double now;
        const double error = fabs(crank_after(0.0, implicit_options(h), &now) - exact);
        order = before > 0.0 ? log2(before / error) : 0.0;
        printf("  step %.2e: error %.3e rad, order %.3f, energy off by %.1e J\n", h, error, order, now - energy);
        before = error;
    }
    CHECK_NEAR(order, 2.0, 0.2);
}

// A joint of the loop so stiff that it should not move: the linkage stands still, at any step.
TEST(loops_and_stiff_joints_go_together)
{
    const double exact = crank_after(1e4, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-10), NULL);
    const double coarse = crank_after(1e4, implicit_options(1e-3), NULL);
    double energy;
    const double hard = crank_after(1e9, implicit_options(5e-3), &energy);
    printf("  %.6f at 1 ms, %.6f exact; %.2e at 1e9 N m/rad and 5 ms\n", coarse, exact, hard);
    CHECK_NEAR(coarse, exact, 1e-5);
    CHECK_NEAR(hard, 0.0, 1e-6);
}
