// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tendons against closed forms: the way around a drum, springs, friction and stops along a string, their energy, and
// strings that join trees in an implicit step.
#include <math.h>

#include "check.h"
#include "support/must_run.h"
#include "support/robots.h"

static const double PI = 3.141592653589793;

/// Two blocks on rails along z, at x = -a and x = a, of masses m0 and m1; no gravity.
static ff_spec *two_blocks(double a, double m0, double m1)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_vec3_set(spec->gravity, 0, 0, 0);
    for (int k = 0; k < 2; k++) {
        const char *const names[] = {"left", "right"};
        const double pos[3] = {k == 0 ? -a : a, 0, 0}, one[3] = {1, 1, 1}, none[3] = {0, 0, 0};
        const int block = robot_body(spec, names[k], -1, pos, k == 0 ? m0 : m1, none, one);
        robot_joint(spec, names[k], block, FF_JOINT_SLIDE, 0, 0, 1);
        ff_spec_add_frame(spec, names[k], block);
    }
    return spec;
}

/// The sum of both positions, as a tendon.
static ff_spec_tendon *add_sum(ff_spec *spec)
{
    ff_spec_tendon *t = ff_spec_add_tendon(spec, "sum");
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_JOINT, "left", NULL, 1.0);
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_JOINT, "right", NULL, 1.0);
    return t;
}

/// A string between the blocks over a drum across them, its centre at height `up`.
static ff_spec_tendon *add_string(ff_spec *spec, double radius, double up)
{
    ff_spec_geom *drum = ff_spec_add_geom(spec, "drum", -1, FF_SHAPE_CYLINDER);
    ff_vec3_set(drum->size, radius, 0.1, 0);
    ff_vec3_set(drum->pos, 0, 0, up);
    ff_quat_from_axis_angle(drum->quat, (double[3]){1, 0, 0}, 0.5 * PI);
    drum->role = FF_GEOM_VISUAL;
    ff_spec_tendon *t = ff_spec_add_tendon(spec, "string");
    ff_spec_add_frame(spec, "above", -1)->pos[2] = up + 1.0;
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_POINT, "left", NULL, 0.0);
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_WRAP, "drum", "above", 0.0);
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_POINT, "right", NULL, 0.0);
    return t;
}

static const ff_data *at(ff_sim *sim, double q0, double q1)
{
    ff_error err = {0};
    ff_sim_set_q(sim, 0, q0);
    ff_sim_set_q(sim, 1, q1);
    if (ff_sim_evaluate(sim, FF_SIM_ACCELERATION, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return ff_sim_data(sim);
}

// Both ends are straight below the edges of the drum: the string is two lengths and half a turn. Its levers are -1
// there, and elsewhere the derivatives of its length.
TEST(a_string_over_a_drum_is_two_straight_parts_and_half_a_turn)
{
    ff_spec *spec = two_blocks(0.3, 1.0, 2.0);
    add_string(spec, 0.3, 1.0)->stiffness = 1.0;
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 1e-3, 1e-9));
    CHECK_NEAR(m->tendons[0].spring_length[0], 2.0 + 0.3 * PI, 1e-12);
    CHECK_NEAR(at(sim, -0.2, -0.5)->tendon_length[0], 2.7 + 0.3 * PI, 1e-12);
    CHECK_NEAR(ff_sim_data(sim)->tendon_lever[0], -1.0, 1e-12);
    CHECK_NEAR(ff_sim_data(sim)->passive[0], 0.7, 1e-12);
    CHECK_NEAR(ff_sim_data(sim)->qacc[1], 0.7 / 2.0, 1e-12);
    ff_sim_destroy(sim);
    ff_model_destroy(m);

    spec = two_blocks(0.4, 1.0, 2.0);
    add_string(spec, 0.25, 0.3);
    m = robot_finish(spec);
    sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 1e-3, 1e-9));
    for (int k = 0; k < 20; k++) { // past the drum below, around it, straight above it
        const double q = -1.0 + 0.12 * k, h = 1e-5;
        const double lever = at(sim, q, 0.1)->tendon_lever[0], ahead = at(sim, q + h, 0.1)->tendon_length[0];
        CHECK_NEAR(lever, (ahead - at(sim, q - h, 0.1)->tendon_length[0]) / (2.0 * h), 1e-8);
    }
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// A pulley with the divisor 2 halves the length after it, of a string from the world to a block and on to the next.
TEST(what_lies_behind_a_pulley_counts_by_its_divisor)
{
    ff_spec *spec = two_blocks(1.0, 1.0, 1.0);
    ff_spec_add_frame(spec, "roof", -1)->pos[0] = -1.0;
    spec->frames[spec->nframe - 1].pos[2] = 3.0;
    ff_spec_tendon *t = ff_spec_add_tendon(spec, "string");
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_POINT, "roof", NULL, 0.0);
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_POINT, "left", NULL, 0.0);
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_PULLEY, NULL, NULL, 2.0);
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_POINT, "left", NULL, 0.0);
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_POINT, "right", NULL, 0.0);
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 1e-3, 1e-9));
    const ff_data *d = at(sim, 0.5, 0.5);
    CHECK_NEAR(d->tendon_length[0], 2.5 + 0.5 * 2.0, 1e-14);
    CHECK_NEAR(d->tendon_lever[0], -1.0, 1e-14);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// Two masses on a spring swing against each other at sqrt(k (1/m0 + 1/m1)); no force acts on their sum.
static double swing(ff_method method, double *energy)
{
    ff_spec *spec = two_blocks(0.3, 1.0, 3.0);
    ff_spec_tendon *t = add_sum(spec);
    t->stiffness = 200.0;
    t->spring_at_rest = false;
    t->spring_length[0] = t->spring_length[1] = 0.1;
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(method, 1e-4, 1e-11));
    ff_sim_set_q(sim, 0, 0.3);
    const double before = ff_sim_energy(sim).total;
    CHECK_NEAR(before, 0.5 * 200.0 * 0.2 * 0.2, 1e-13);
    must_run(sim, 1.0);
    *energy = ff_sim_energy(sim).total - before;
    const double sum = ff_sim_q(sim)[0] + ff_sim_q(sim)[1];
    ff_sim_destroy(sim);
    ff_model_destroy(m);
    return sum;
}

TEST(masses_on_a_tendon_swing_by_the_sum_of_their_mobilities)
{
    const double w = sqrt(200.0 * (1.0 + 1.0 / 3.0)), exact = 0.1 + 0.2 * cos(w);
    double energy;
    CHECK_NEAR(swing(FF_METHOD_ADAPTIVE, &energy), exact, 1e-8);
    CHECK_NEAR(energy, 0.0, 1e-8);
    CHECK_NEAR(swing(FF_METHOD_IMPLICIT, &energy), exact, 2e-5); // (h w)^2 / 12 of w t, with h w = 1.6e-3
    CHECK_NEAR(energy, 0.0, 1e-4);
}

// Between two lengths the spring is slack.
TEST(a_spring_of_two_lengths_is_slack_between_them)
{
    ff_spec *spec = two_blocks(0.3, 1.0, 1.0);
    ff_spec_tendon *t = add_sum(spec);
    t->stiffness = 100.0;
    t->spring_at_rest = false;
    t->spring_length[0] = -0.1;
    t->spring_length[1] = 0.2;
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 1e-3, 1e-9));
    CHECK_NEAR(at(sim, 0.3, 0.0)->passive[1], -10.0, 1e-12);
    CHECK_NEAR(at(sim, 0.15, 0.0)->passive[1], 0.0, 0.0);
    CHECK_NEAR(at(sim, -0.05, 0.0)->passive[1], 0.0, 0.0);
    CHECK_NEAR(at(sim, -0.3, 0.0)->passive[1], 20.0, 1e-12);
    CHECK_NEAR(ff_sim_energy(sim).elastic, 0.5 * 100.0 * 0.04, 1e-12);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

/// Runs the blocks from a speed of the left one, and checks that the ledger closes.
static ff_ledger run_from(const ff_model *m, ff_method method, double step, double speed, double until, double v[2])
{
    ff_sim_options o = robot_options(method, step, 1e-10);
    o.ledger = true;
    ff_sim *sim = robot_sim(m, o);
    ff_sim_set_v(sim, 0, speed);
    must_run(sim, until);
    const ff_ledger l = ff_sim_ledger(sim);
    for (int k = 0; k < 2; k++) v[k] = ff_sim_v(sim)[k];
    ff_sim_destroy(sim);
    return l;
}

// Damper b and dry friction f on the sum s: s' decays as exp(-b t (1/m0 + 1/m1)), or falls at f (1/m0 + 1/m1); the
// kinetic energy lost becomes heat.
TEST(damping_and_dry_friction_along_a_tendon_heat)
{
    const double mobility = 1.0 + 1.0 / 3.0;
    for (int dry = 0; dry < 2; dry++)
        for (int k = 0; k < 2; k++) {
            const ff_method method = k == 0 ? FF_METHOD_ADAPTIVE : FF_METHOD_IMPLICIT;
            ff_spec *spec = two_blocks(0.3, 1.0, 3.0);
            ff_spec_tendon *t = add_sum(spec);
            if (dry) t->dry_friction = 0.5;
            if (dry) t->dry_speed = 1e-4;
            if (!dry) t->damping = 0.9;
            ff_model *m = robot_finish(spec);
            double v[2];
            const ff_ledger l = run_from(m, method, 1e-4, 1.0, 0.7, v);
            const double left = dry ? 1.0 - 0.5 * mobility * 0.7 : exp(-0.9 * mobility * 0.7);
            CHECK_NEAR(v[0] + v[1], left, k == 0 ? 1e-6 : 1e-5);
            CHECK_NEAR(1.0 * v[0] - 3.0 * v[1], 1.0, 1e-9); // the other combination feels nothing
            CHECK_NEAR(l.lost_joints, 0.5 * (1.0 - left * left) / mobility, 1e-5);
            CHECK_NEAR(l.residual, 0.0, 1e-5);
            ff_model_destroy(m);
        }
}

// Dry friction of f = 5 N on s = 2 x - y of two blocks of 1 kg, reached at 10 um/s: s' falls at f (4 + 1) until it is
// zero, with the heat s'^2 / (2 (4 + 1)), and the blocks move on together. With a tolerance of velocities 1000 times
// the speed within which friction reverses, cvode threw them to 31 m/s, and adaptive booked three times the heat.
TEST(stiff_dry_friction_stops_a_sum_at_coarse_tolerances)
{
    const double start = 2.0 * 1.0 - 0.3, stop = start / (5.0 * 5.0), end = 0.1;
    const double v = 1.0 - 2.0 * start / 5.0, x = 0.5 * (1.0 + v) * stop + v * (end - stop);
    const ff_method methods[] = {FF_METHOD_ADAPTIVE, FF_METHOD_CVODE};
    const double tolerances[] = {1e-2, 2e-3, 1e-3};
    for (int k = 0; k < 6; k++) {
        if (!ff_method_built(methods[k / 3])) continue;
        ff_spec *spec = two_blocks(0.3, 1.0, 1.0);
        ff_spec_tendon *t = ff_spec_add_tendon(spec, "sum");
        ff_spec_add_tendon_piece(spec, t, FF_TENDON_JOINT, "left", NULL, 2.0);
        ff_spec_add_tendon_piece(spec, t, FF_TENDON_JOINT, "right", NULL, -1.0);
        t->dry_friction = 5.0;
        t->dry_speed = 1e-5;
        ff_model *m = robot_finish(spec);
        ff_sim_options o = robot_options(methods[k / 3], 1e-3, tolerances[k % 3]);
        o.absolute = 1e-3 * o.relative;
        o.ledger = true;
        ff_sim *sim = robot_sim(m, o);
        ff_sim_set_v(sim, 0, 1.0);
        ff_sim_set_v(sim, 1, 0.3);
        must_run(sim, end);
        CHECK_NEAR(ff_sim_q(sim)[0], x, 1e-5);
        CHECK_NEAR(ff_sim_v(sim)[0], v, 1e-4);
        CHECK_NEAR(ff_sim_ledger(sim).lost_joints, 0.5 * start * start / 5.0, 1e-4);
        ff_sim_destroy(sim);
        ff_model_destroy(m);
    }
}

// The same by implicit steps with error control.
TEST(stiff_dry_friction_stops_a_sum_in_long_steps)
{
    static const double accuracies[] = {1e-2, 1e-3, 1e-4};
    const double start = 2.0 * 1.0 - 0.3, had = 0.5 * start * start / 5.0;
    for (int k = 0; k < 3; k++) {
        ff_spec *spec = two_blocks(0.3, 1.0, 1.0);
        ff_spec_tendon *t = ff_spec_add_tendon(spec, "sum");
        ff_spec_add_tendon_piece(spec, t, FF_TENDON_JOINT, "left", NULL, 2.0);
        ff_spec_add_tendon_piece(spec, t, FF_TENDON_JOINT, "right", NULL, -1.0);
        t->dry_friction = 5.0;
        t->dry_speed = 1e-4;
        ff_model *m = robot_finish(spec);
        ff_sim_options o = robot_options(FF_METHOD_IMPLICIT, 1e-2, 1e-3);
        o.accuracy = accuracies[k];
        o.ledger = true;
        ff_sim *sim = robot_sim(m, o);
        ff_sim_set_v(sim, 0, 1.0);
        ff_sim_set_v(sim, 1, 0.3);
        must_run(sim, 0.5);
        const ff_ledger l = ff_sim_ledger(sim);
        CHECK_NEAR(2.0 * ff_sim_v(sim)[0] - ff_sim_v(sim)[1], 0.0, 1e-6);
        CHECK_NEAR(l.lost_joints, had, (0.01 + accuracies[k]) * had);
        CHECK_NEAR(l.residual, 0.0, (0.01 + accuracies[k]) * had);
        ff_sim_destroy(sim);
        ff_model_destroy(m);
    }
}

/// The same stop at a joint of the mass that two blocks have along their sum: the motion and its ledger are known.
static ff_ledger run_joint(ff_method method, double step, double damping, double *v)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(0.75, &joint);
    joint->limited = true;
    joint->range[0] = -1.0;
    joint->range[1] = 0.2;
    joint->stop_stiffness = 1e3;
    joint->stop_damping = damping;
    ff_model *m = robot_finish(spec);
    ff_sim_options o = robot_options(method, step, 1e-10);
    o.ledger = true;
    ff_sim *sim = robot_sim(m, o);
    ff_sim_set_v(sim, 0, 1.0);
    must_run(sim, 0.6);
    const ff_ledger l = ff_sim_ledger(sim);
    *v = ff_sim_v(sim)[0];
    ff_sim_destroy(sim);
    ff_model_destroy(m);
    return l;
}

// A tendon at its end is stopped like a joint: without damping the sum reverses with its speed; with damping, in steps
// that resolve the stop and in those that do not, speed and heat are those of a joint with the same stop.
TEST(a_tendon_ends_at_its_limits)
{
    const struct {
        double damping, step;
        ff_method method;
    } tries[] = {{1e-9, 1e-4, FF_METHOD_ADAPTIVE},
                 {1e-9, 1e-4, FF_METHOD_IMPLICIT},
                 {20.0, 1e-4, FF_METHOD_ADAPTIVE},
                 {20.0, 1e-3, FF_METHOD_IMPLICIT},
                 {20.0, 2e-2, FF_METHOD_IMPLICIT}}; // not resolved: the heat is the work of the stop
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        ff_spec *spec = two_blocks(0.3, 1.0, 3.0);
        ff_spec_tendon *t = add_sum(spec);
        t->limited = true;
        t->range[0] = -1.0;
        t->range[1] = 0.2;
        t->stop_stiffness = 1e3;
        t->stop_damping = tries[k].damping;
        ff_model *m = robot_finish(spec);
        double v[2], alone;
        const ff_ledger l = run_from(m, tries[k].method, tries[k].step, 1.0, 0.6, v);
        const ff_ledger joint = run_joint(tries[k].method, tries[k].step, tries[k].damping, &alone);
        const double close = tries[k].method == FF_METHOD_ADAPTIVE ? 1e-7 : 1e-9; // adaptive steps follow the errors
        CHECK_NEAR(v[0] + v[1], alone, close);
        if (tries[k].damping < 1.0) CHECK_NEAR(alone, -1.0, 2e-3);
        CHECK_NEAR(1.0 * v[0] - 3.0 * v[1], 1.0, 1e-8);
        CHECK_NEAR(l.lost_joints, joint.lost_joints,
                   tries[k].method == FF_METHOD_ADAPTIVE ? 1e-3 : 1.0 * tries[k].step);
        // of 0.375 J: the power b v^2 of the damper jumps within a step, 0.41 of it too early or too late
        CHECK_NEAR(l.residual, 0.0, fmax(2e-3, 0.4143 * tries[k].damping * 1.0 * tries[k].step));
        ff_model_destroy(m);
    }
}

// Servos with kp = 1e5 on a tendon across two trees: steps of 1 ms need few iterations, since the matrix has their
// slopes.
TEST(stiff_servos_on_tendons_take_long_implicit_steps)
{
    ff_spec *spec = two_blocks(0.3, 1.0, 3.0);
    add_sum(spec);
    ff_spec_actuator *a = ff_spec_add_actuator(spec, "servo", FF_ACTUATOR_POSITION);
    a->tendon = "sum";
    a->gear = 2.0;
    a->gain = 1e5;
    a->bias[1] = -1e5;
    a->bias[2] = -1e3;
    ff_model *m = robot_finish(spec);
    ff_sim_options o = robot_options(FF_METHOD_IMPLICIT, 1e-3, 1e-9);
    o.actuators = o.ledger = true;
    ff_sim *sim = robot_sim(m, o);
    ff_sim_set_command(sim, (ff_actuator_id){0}, 0.4);
    must_run(sim, 0.2);
    const ff_sim_counts counts = ff_sim_get_counts(sim);
    CHECK_NEAR(ff_sim_q(sim)[0] + ff_sim_q(sim)[1], 0.2, 1e-6);
    CHECK_NEAR(ff_sim_q(sim)[0], 3.0 * ff_sim_q(sim)[1], 1e-9); // by their mobilities
    CHECK_INT(counts.steps, 200);
    CHECK(counts.iterations <= 2 * 2 * counts.steps && counts.fallbacks == 0); // of two stages a step
    const ff_ledger l = ff_sim_ledger(sim);
    CHECK_NEAR(l.residual, 0.0, 1e-6);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// A thrust between two frames does not act on the body that carries both; a thrust from one frame alone does.
TEST(a_thrust_acts_between_its_frames)
{
    for (int from = 0; from < 2; from++) {
        const double none[3] = {0, 0, 0}, one[3] = {1, 1, 1};
        ff_spec *spec = ff_spec_create(NULL);
        ff_vec3_set(spec->gravity, 0, 0, 0);
        const int base = robot_body(spec, "base", -1, none, 1.0, none, one);
        robot_joint(spec, "base", base, FF_JOINT_HINGE, 0, 0, 1);
        const int arm = robot_body(spec, "arm", base, (double[]){0.5, 0, 0}, 1.0, none, one);
        robot_joint(spec, "arm", arm, FF_JOINT_SLIDE, 1, 0, 0);
        ff_spec_add_frame(spec, "root", base);
        ff_spec_add_frame(spec, "tip", arm)->pos[1] = 0.2;
        ff_spec_tendon *t = ff_spec_add_tendon(spec, "jet");
        ff_spec_tendon_piece *piece =
            ff_spec_add_tendon_piece(spec, t, FF_TENDON_THRUST, "tip", from ? "root" : NULL, 0.0);
        piece->wrench[0] = 2.0;
        piece->wrench[1] = 3.0;
        piece->wrench[5] = 0.7;
        ff_spec_add_actuator(spec, "push", FF_ACTUATOR_MOTOR)->tendon = "jet";
        ff_model *m = robot_finish(spec);
        ff_sim_options o = robot_options(FF_METHOD_ADAPTIVE, 1e-3, 1e-9);
        o.actuators = true;
        ff_sim *sim = robot_sim(m, o);
        ff_sim_set_command(sim, (ff_actuator_id){0}, 10.0);
        const ff_data *d = at(sim, 0.9, 0.1);
        CHECK_NEAR(d->tau[1], 20.0, 1e-12);
        // about the axis of the base: 0.6 by 3, less 0.2 by 2, and the moment
        CHECK_NEAR(d->tau[0], from ? 0.0 : 10.0 * (0.6 * 3.0 - 0.2 * 2.0 + 0.7), 1e-12);
        CHECK_NEAR(d->tendon_length[0], from ? 2.0 * 0.6 + 3.0 * 0.2 : 0.0, 1e-12);
        ff_sim_destroy(sim);
        ff_model_destroy(m);
    }
}

static void must_refuse(ff_spec *spec, const char *words)
{
    ff_report report = {0};
    ff_model *m = ff_model_compile(spec, NULL, &report);
    if (m) CHECK_FAIL("it compiles; \"%s\" was expected", words);
    bool said = false;
    for (int i = 0; i < report.count; i++) said = said || strstr(report.messages[i].text, words);
    if (!said) CHECK_FAIL("\"%s\" was not said, but: %s", words, report.count ? report.messages[0].text : "nothing");
    ff_report_clear(&report);
    ff_spec_destroy(spec);
}

TEST(tendons_without_a_meaning_are_refused)
{
    ff_spec *spec = two_blocks(0.3, 1.0, 1.0);
    ff_spec_add_tendon(spec, "empty");
    must_refuse(spec, "it has no pieces");

    spec = two_blocks(0.3, 1.0, 1.0);
    ff_spec_add_tendon_piece(spec, add_sum(spec), FF_TENDON_JOINT, "knee", NULL, 1.0);
    must_refuse(spec, "joint \"knee\", which does not exist");

    spec = two_blocks(0.3, 1.0, 1.0);
    ff_spec_add_tendon_piece(spec, add_sum(spec), FF_TENDON_POINT, "left", NULL, 1.0);
    must_refuse(spec, "cannot be mixed");

    spec = two_blocks(0.3, 1.0, 1.0);
    ff_spec_tendon *t = ff_spec_add_tendon(spec, "one");
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_POINT, "left", NULL, 1.0);
    must_refuse(spec, "at least two points");

    spec = two_blocks(0.3, 1.0, 1.0);
    ff_spec_add_tendon_piece(spec, add_string(spec, 0.1, 1.0), FF_TENDON_WRAP, "drum", NULL, 1.0);
    must_refuse(spec, "right before and right after");

    spec = two_blocks(0.3, 1.0, 1.0);
    t = add_string(spec, 0.1, 1.0);
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_PULLEY, NULL, NULL, 0.0);
    must_refuse(spec, "divisor of a pulley is 0");

    spec = two_blocks(0.3, 1.0, 1.0);
    t = add_string(spec, 0.1, 1.0);
    spec->geoms[0].type = FF_SHAPE_BOX;
    must_refuse(spec, "it must be a sphere or a cylinder");

    spec = two_blocks(0.3, 1.0, 1.0);
    t = add_sum(spec);
    t->stiffness = -1.0;
    t->limited = true;
    t->range[0] = 2.0;
    must_refuse(spec, "its range is 2 to 0");

    spec = two_blocks(0.3, 1.0, 1.0);
    add_sum(spec);
    add_sum(spec);
    must_refuse(spec, "the name is taken already");

    spec = two_blocks(0.3, 1.0, 1.0);
    ff_spec_add_actuator(spec, "a", FF_ACTUATOR_MOTOR)->tendon = "sum";
    must_refuse(spec, "tendon \"sum\", which does not exist");
}

// A saved state continues bit-identical to the run that was not interrupted.
TEST(a_saved_run_with_tendons_goes_on_bit_for_bit)
{
    ff_spec *spec = two_blocks(0.4, 1.0, 2.0);
    ff_spec_tendon *t = add_string(spec, 0.25, 0.3);
    t->stiffness = 300.0;
    t->damping = 1.0;
    ff_model *m = robot_finish(spec);
    ff_sim *one = robot_sim(m, robot_options(FF_METHOD_IMPLICIT, 1e-3, 1e-9));
    ff_sim *two = robot_sim(m, robot_options(FF_METHOD_IMPLICIT, 1e-3, 1e-9));
    ff_sim_set_v(one, 0, -1.0);
    must_run(one, 0.1);
    must_run(two, 0.0);
    const size_t size = ff_sim_save_size(one);
    void *state = malloc(size);
    CHECK_INT(ff_sim_save(one, state, size, NULL), FF_OK);
    CHECK_INT(ff_sim_restore(two, state, size, NULL), FF_OK);
    must_run(one, 0.3);
    must_run(two, 0.3);
    CHECK(ff_sim_hash(one) == ff_sim_hash(two));
    free(state);
    ff_sim_destroy(one);
    ff_sim_destroy(two);
    ff_model_destroy(m);
}

/// Positions after 0.1 s of two blocks that are connected by `count` tendons of stiffness k / count, with stiff
/// damping.
static ff_sim_counts shake(int count, double q[2])
{
    ff_spec *spec = two_blocks(0.3, 1.0, 2.0);
    for (int i = 0; i < count; i++) {
        ff_spec_tendon *t = add_sum(spec);
        t->name = ff_arena_printf(&spec->arena, "sum%d", i);
        t->stiffness = 1e7 / count;
        t->damping = 1e4 / count;
    }
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_IMPLICIT, 1e-3, 1e-9));
    ff_sim_set_v(sim, 0, 1.0);
    must_run(sim, 0.1);
    memcpy(q, ff_sim_q(sim), 2 * sizeof *q);
    const ff_sim_counts counts = ff_sim_get_counts(sim);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
    return counts;
}

// With more strings than degrees of freedom the matrix has all of them; otherwise the iteration would need more rounds.
TEST(many_strings_act_like_one)
{
    double one[2], many[2];
    const ff_sim_counts a = shake(1, one), b = shake(50, many);
    for (int i = 0; i < 2; i++) CHECK_NEAR(many[i], one[i], 1e-9);
    CHECK_INT((int)b.iterations, (int)a.iterations);
    CHECK_INT((int)b.fallbacks, 0);
}
