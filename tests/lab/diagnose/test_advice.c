// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Advice about the step: the half period pi sqrt(m / k) of the hardest contact, and warnings exactly where the step
// goes beyond it. Advice about the start: springs that are loaded by more than what they carry.
#include "scene/scene_helpers.h"

/// 2 kg on 5e4 N/m: omega = 158.1 1/s, half period 19.87 ms, explicit limit 2 / omega = 12.6 ms without damping.
static const char hard[] =
    "materials: {spring: {normal: {law: linear, stiffness: 5e4}, friction: {mu: 0.3}},\n"
    "  soft: {normal: {law: linear, stiffness: 1e3}, friction: {mu: 0.3}}}\n"
    "objects: [{name: ball, sphere: 0.1, mass: 2, pos: [0, 0, 0.2], material: rigid},\n"
    "  {name: other, sphere: 0.1, mass: 20, pos: [3, 0, 0.2], material: rigid}]\n"
    "terrain: [{plane: {material: spring}}, {box: {size: [1, 1, 1], pos: [0, 9, 0], material: soft}}]\n"
    "pairs: [{of: [rigid, rigid], like: soft}]\n";

static void advise(const char *solver)
{
    char text[900];
    snprintf(text, sizeof text, "%ssolver: %s\ntime: 0.5\n", hard, solver);
    must_load(text);
    ff_report_clear(&report);
    ff_run_advise(run, &report);
}

TEST(the_hardest_contact_is_that_of_the_shortest_half_period)
{
    ff_world_advice a, tight;
    advise("{method: adaptive}");
    CHECK(ff_world_hardest(ff_run_world(run), ff_run_sim(run), &a, &tight));
    CHECK_NEAR(a.mass, 2, 1e-12);
    CHECK_NEAR(a.step.half_period, FF_PI * sqrt(2 / 5e4), 1e-12);
    // Sideways a ball moves by rolling as well: 1/m + r^2/I = 7/2 1/m.
    const ff_friction *f = &ff_world_law(ff_run_world(run), a.shape1, a.shape2)->friction;
    const double m = 2 * 2.0 / 7.0, decay = f->damping / (2 * m);
    CHECK(tight.across);
    CHECK_NEAR(tight.mass, m, 1e-12);
    CHECK_NEAR(tight.step.explicit_limit, 2 / (sqrt(f->stiffness / m + decay * decay) + decay), 1e-12);
    CHECK_INT(report.count, 2);
    CHECK_INT(report.messages[0].severity, FF_NOTE);
    CHECK_SAYS(
        message(0),
        "hardest contact: 'ball' on 'ground', 5e+04 N/m under 2 kg, half period 19.9 ms; steps of 993 us resolve it");
    CHECK_SAYS(message(1), "explicit steps diverge beyond 5.14 ms: 'ball' on 'ground', its friction");
    finish();
}

TEST(steps_beyond_the_limits_are_warned_of)
{
    advise("{method: euler, step: 13 ms}");
    CHECK_INT(report.warnings, 1);
    CHECK_SAYS(message(2), "s.yaml:8:31: warning: the step of 13 ms is too long for euler: on the hardest contact "
                           "explicit methods diverge beyond 5.14 ms");
    advise("{method: rk4, step: 2 ms}");
    CHECK_INT(report.warnings, 1);
    CHECK_SAYS(
        message(2),
        "s.yaml:8:29: warning: the step of 2 ms does not resolve the hardest contact, whose half period is 19.9 ms");
    advise("{method: implicit, step: 2 ms}");
    CHECK_SAYS(message(2), "reported as null, and steps take energy of a bounce, half of it below three to a half "
                           "period; steps of 993 us resolve them");
    advise("{method: rk4, step: 1.9 ms}");
    CHECK_INT(report.warnings, 0);
    CHECK_SAYS(message(2),
               "note: 10.5 steps of 1.9 ms fit into that half period: touches are seen at the ends of steps, "
               "and a bounce is off by up to 1.4 % of its energy");
    advise("{method: rk4, step: 0.49 ms}");
    CHECK_INT(report.count, 2);
    advise("{method: implicit, accuracy: 1e-3}");
    CHECK_INT(report.warnings, 0);
    finish();
}

TEST(what_a_run_could_not_show_is_reported_after_it)
{
    char text[900];
    ff_error err = {0};
    snprintf(text, sizeof text, "%ssolver: {method: implicit, step: 5 ms}\ntime: 0.5\n", hard);
    must_run(text);
    ff_run_report_limits(run, &report);
    CHECK_INT(report.warnings, 2);
    CHECK_SAYS(message(0), "s.yaml:8:34: warning: contacts with less than ten steps to a half period");
    CHECK_SAYS(message(1), "s.yaml:8:34: warning: the balance of energy lacks");
    CHECK_SAYS(message(1), "give 'accuracy: 1e-4' in place of 'step'");
    must_load("objects: [{box: [0.2, 0.2, 0.2], mass: 1, pos: [0, 0, 0.1]}]\nterrain: [{plane: }]\ncontacts: {most: "
              "2}\ntime: 0.2\n"
              "solver: {method: rk4, step: 0.1 ms}\n");
    CHECK_INT(ff_run_go(run, &err), FF_OK);
    ff_run_report_limits(run, &report);
    CHECK_SAYS(message(0), "raise contacts.most");
    must_load("objects: [{sphere: 0.1, mass: 1}]\n");
    ff_run_advise(run, &report);
    ff_run_report_limits(run, &report);
    CHECK_INT(report.count, 0);
    finish();
}

/// Most and least energy that a ball of 2 kg loses in a bounce on a spring without a damper, in steps of which `steps`
/// are a half period, at sixteen phases of the touch-down.
static void bounce(double steps, double loss[2])
{
    const double step = FF_PI * sqrt(2 / 5e4) / steps;
    loss[0] = INFINITY;
    loss[1] = -INFINITY;
    for (int i = 0; i < 16; i++) {
        const double fall = 0.1 + 1.4 * step * i / 16; // the phase moves by a step at 1.4 m/s
        char text[900];
        snprintf(text, sizeof text,
                 "materials: {spring: {normal: {law: linear, stiffness: 5e4}, friction: {law: none}}}\n"
                 "objects: [{name: ball, sphere: 0.1, mass: 2, pos: [0, 0, %.12g], material: rigid}]\n"
                 "terrain: [{plane: {material: spring}}]\nsolver: {method: implicit, step: %.12g}\ntime: 0.4\n",
                 0.1 + fall, step);
        must_run(text);
        const double part = 1.0 - (metric("bodies.ball.bounce.1.apex") - 0.1) / fall;
        loss[0] = fmin(loss[0], part);
        loss[1] = fmax(loss[1], part);
        CHECK_BELOW(metric("ledger.lost.normal"), 1e-9); // the spring takes nothing
    }
}

// What the warning says of a bounce is true: half of the energy below three steps to a half period; and from ten on,
// where there is no warning, hardly any.
TEST(short_bounces_lose_energy_to_implicit_steps)
{
    double loss[2];
    bounce(2.0, loss);
    CHECK(loss[0] > 0.4 && loss[1] < 0.6);
    bounce(10.5, loss);
    CHECK(loss[0] > -0.02 && loss[1] < 0.02);
    finish();
}

/// 100 kg, let go `height` above where it touches a slope, at thirty times the default accuracy.
/// Lifting it by 1 mm takes 0.98 J.
static void let_go(double height)
{
    char text[900];
    snprintf(text, sizeof text,
             "materials: {thing: {normal: {law: hunt-crossley, stiffness: 1e6, damping: 1e4}, friction: {law: "
             "stick-slip,\n  mu: 0.8, stiffness: 1e6, damping: 50, patch_radius: 0.002, rolling: 0.002}}}\n"
             "objects: [{sphere: 0.3, mass: 100, pos: [0, 0, %g], material: thing}]\n"
             "terrain: [{plane: {material: rigid, rpy: [0, 0.0033, 0]}}]\ntime: 1\nsolver: {accuracy: 3e-2}\n",
             0.3 + height);
    must_run(text);
    ff_report_clear(&report);
    ff_run_report_limits(run, &report);
}

// The error is compared with what was turned over. That itself may be smaller than any error that matters: a body that
// settles.
TEST(a_balance_that_is_off_is_reported_where_something_moved)
{
    const double lift = 100 * 9.81 * 1e-3;
    let_go(1e-3);
    CHECK(fabs(metric("ledger.residual")) < lift);
    CHECK(fabs(metric("ledger.residual")) > lift * metric("ledger.residual.relative"));
    CHECK(metric("ledger.residual.relative") > 0.01);
    CHECK_INT(report.warnings, 2);
    CHECK_SAYS(message(1), "the balance of energy lacks");
    let_go(-0.1e-3);
    CHECK(metric("ledger.residual.relative") > 0.01);
    CHECK(fabs(metric("ledger.residual")) < lift * metric("ledger.residual.relative"));
    CHECK_INT(report.count, 0);
    finish();
}

// An arm that swings on a loose gear, whose faces meet before 1e5 N m/rad: the default accuracy keeps what rings behind
// them, with a damper and without. By the powers at the ends of the steps the damper had 0.47 J of 0.02 J.
TEST(what_rings_behind_a_loose_gear_is_kept_or_heat)
{
    for (int k = 0; k < 2; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "footfall: 1\nbodies:\n  link: {inertial: {mass: 1, rod: {to: [0, 0, -0.3], radius: 0.02}},\n"
                 "    joint: {name: axle, axis: y, drive: {kind: ideal, transmission: {kind: backlash, gap: 0.0175,\n"
                 "      stiffness: 1e5, damping: %g, inertia: 2.5e-3, motor_inertia: 0.02}}}}\n",
                 k == 0 ? 10.0 : 0.0);
        write_file("loose.yaml", text);
        must_run("robot: loose.yaml\nstart: {joints: {axle: 1.5}}\ntime: 2\n"
                 "effects: {drives: full, transmission: backlash}\n");
        ff_report_clear(&report);
        ff_run_report_limits(run, &report);
        CHECK_INT(report.warnings, 0);
        CHECK_BELOW(metric("ledger.residual.relative"), 0.01);
    }
    finish();
}

// Three by three by three balls that touch have 54 contacts with each other and 9 with the ground.
TEST(balls_in_a_heap_have_room_for_their_contacts)
{
    char text[4000] = "terrain: [{plane: }]\ntime: 0.02\nobjects:\n";
    ff_error err = {0};
    for (int i = 0; i < 27; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "  - {sphere: 0.1, mass: 1, pos: [%g, %g, %g]}\n",
                 0.1999 * (i % 3), 0.1999 * (i / 3 % 3), 0.0999 + 0.1999 * (i / 9));
    must_load(text);
    CHECK_INT(ff_run_go(run, &err), FF_OK);
    const ff_world_counts counts = ff_world_get_counts(ff_run_world(run));
    CHECK(counts.most > 2 * 27);
    CHECK_INT(counts.overflow, 0);
    finish();
}

// ------------------------------------------------------------------------------------------ order

/// Everything `check` says of a scene.
static void check_file(const char *text)
{
    write_file("checked.yaml", text);
    finish();
    ff_scene_check_file(in_folder("checked.yaml"), NULL, NULL, 0, &report);
}

// The scene cannot use its robot because of a number in the file that the robot imports.
TEST(causes_come_before_consequences)
{
    write_file("leg.urdf", "<robot name=\"leg\"><link name=\"a\">\n<inertial><mass value=\"heavy\"/></inertial>"
                           "</link></robot>\n");
    write_file("legged.yaml", "footfall: 1\nimport: {file: leg.urdf}\n");
    check_file("footfall: 1\nrobot: legged.yaml\ntime: 2 kg\n");
    CHECK_INT(report.count, 3);
    CHECK_SAYS(message(0), "leg.urdf:2:11: error: <mass>");
    CHECK_SAYS(message(1), "checked.yaml:2:8: error: robot \"legged.yaml\" cannot be used: its errors are above");
    CHECK_SAYS(message(2), "checked.yaml:3:7: error: '2 kg' has the wrong unit");
    // no word of the key that is missing because it is misspelt
    write_file("legged.yaml", "footfall: 1\nimport: {fil: leg.urdf}\n");
    check_file("footfall: 1\nrobot: legged.yaml\n");
    CHECK_INT(report.count, 2);
    CHECK_SAYS(message(0), "legged.yaml:2:10: error: unknown key 'fil'");
    CHECK_SAYS(message(1), "checked.yaml:2:8: error: robot");
    finish();
}

// ------------------------------------------------------------------------------------------ start

/// The warnings about the start of a scene.
static int start_warnings(const char *text)
{
    must_load(text);
    ff_report_clear(&report);
    ff_run_advise(run, &report);
    return report.warnings;
}

TEST(gravity_that_no_run_ends_with_is_reported_before_it)
{
    must_load("gravity: [0, 0, -1e12]\nobjects: [{name: ball, sphere: 0.1, mass: 1, pos: [0, 0, 1]}]\ntime: 1\n");
    ff_report_clear(&report);
    ff_run_advise(run, &report);
    CHECK_INT(report.warnings, 1);
    CHECK_SAYS(report.messages[0].text, "gravity is 1e+12 m/s^2, 1e+11 times that of the Earth");
    must_load("gravity: [0, 0, -274]\nobjects: [{name: ball, sphere: 0.1, mass: 1, pos: [0, 0, 1]}]\ntime: 1\n"); // Sun
    ff_report_clear(&report);
    ff_run_advise(run, &report);
    CHECK_INT(report.warnings, 0);
}

TEST(a_start_beyond_the_stroke_of_a_drive_is_reported_at_the_place_of_the_drive)
{
    write_file("slider.yaml", "footfall: 1\nbodies:\n  car:\n    joint: {name: travel, type: slide, axis: x}\n"
                              "    inertial: {mass: 1, sphere: 0.1}\ndrives:\n  screw:\n    joint: travel\n"
                              "    spindle: {lead: 6 mm, stroke: [-0.01, 0.05]}\n");
#define AT(x) "robot: slider.yaml\neffects: {drives: ideal}\ncontacts: off\nstart: {joints: {travel: " x "}}\n"
    CHECK_INT(start_warnings(AT("0.06")), 1);
    CHECK_SAYS(message(0), "slider.yaml:7:3: warning: drive 'screw' starts at 0.06 m, beyond its stroke of -0.01 to "
                           "0.05");
    CHECK_INT(start_warnings(AT("-0.011")), 1);
    CHECK_INT(start_warnings(AT("0.05")), 0);
    finish();
#undef AT
}

// An inertia of 2/5 m r^2 = 3.6e-4 kg m^2 under a loop of 1 kHz: kd T / I = 2 at kd = 0.72. Below it the speed falls
// from sample to sample by |1 - kd T / I|, above it grows, whatever the steps of the integration.
TEST(damping_that_samples_cannot_hold_is_reported_before_the_run_and_where_it_diverges)
{
    static const struct {
        const char *kd;
        bool unstable;
    } loops[] = {{"0.70", false}, {"0.74", true}, {"1.2", true}};
    for (int i = 0; i < 3; i++) {
        char robot[300];
        ff_error err = {0};
        snprintf(robot, sizeof robot,
                 "footfall: 1\nbodies:\n  rotor:\n    joint: {name: axle, drive: {kind: ideal, loop: {kp: 0, kd: %s, "
                 "rate: 1000}}}\n    inertial: {mass: 1, sphere: 0.03}\n",
                 loops[i].kd);
        write_file("rotor.yaml", robot);
        must_load("robot: rotor.yaml\neffects: {drives: ideal}\ncontacts: off\nstart: {speeds: {axle: 0.1}}\n"
                  "solver: {method: rk4, step: 0.1 ms}\ntime: 0.05\n");
        ff_report_clear(&report);
        ff_run_advise(run, &report);
        CHECK_INT(report.warnings, loops[i].unstable);
        const ff_status status = ff_run_go(run, &err);
        const double speed = fabs(ff_sim_v(ff_run_sim(run))[0]);
        if (!loops[i].unstable) CHECK_BELOW(speed, 0.1);
        if (loops[i].unstable) {
            CHECK_SAYS(message(0), "the sampled loop of drive 'axle' is unstable: kd T / I is ");
            CHECK(speed > 0.1);
        }
        if (i < 2) continue;
        CHECK_SAYS(message(0), "lower kd = 1.2 below 0.72, or raise its rate of 1000 Hz above 1.67e+03 Hz");
        CHECK_INT(status, FF_DIVERGED);
        CHECK_SAYS(err.text, "; the sampled loop of drive 'axle' is unstable");
    }
    finish();
}

// A wheel of 1 kg m^2 at 1 rad/s stands after 50 ms under 20 N m, and is held for the other 50 ms of the run: the
// steps that adaptive takes are those that were reported before it. Along twice the joint it is 10 N m within twice the
// speed. A rotor of its own is held nearly from the start, by a friction that falls short of its slope at rest where
// the spring behind it pulls.
TEST(dry_friction_that_explicit_steps_follow_is_reported_with_their_length)
{
    static const struct {
        const char *joint, *tendon, *said;
        double held; // [s]
    } places[] = {{"dry_friction: {level: 20, speed: 1e-3}", "", NULL, 0.0},
                  {"dry_friction: {level: 20, speed: 1e-4}", "", "joint 'axle', 20 within a speed of 0.0001", 0.05},
                  {"damping: 0", "tendons: {it: {joints: {axle: 2}, dry_friction: {level: 10, speed: 2e-4}}}\n",
                   "tendon 'it', 10 within a speed of 0.0002", 0.05},
                  {"drive: {kind: dc, gear: 10, motor: {constant: 1e-5, resistance: 1, voltage: 9, dry: 2, "
                   "dry_speed: 1e-3}}",
                   "", "drive 'axle', 20 within a speed of 0.0001", 0.05},
                  {"drive: {kind: dc, motor: {constant: 1e-5, resistance: 1, voltage: 9, dry: 60, dry_speed: 6e-3}, "
                   "transmission: {kind: flexible, stiffness: 500, damping: 1, motor_inertia: 0.05}}",
                   "", "drive 'axle', 60 within a speed of 0.006", 0.1}};
    for (int i = 0; i < 5; i++) {
        char robot[600];
        double us = 0.0;
        ff_error err = {0};
        snprintf(robot, sizeof robot,
                 "footfall: 1\ngravity: [0, 0, 0]\nbodies:\n  wheel: {inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, "
                 "0]},\n    joint: {name: axle, axis: z, %s}}\n%s",
                 places[i].joint, places[i].tendon);
        write_file("wheel.yaml", robot);
        must_load("robot: wheel.yaml\nstart: {speeds: {axle: 1}}\ncontacts: off\ntime: 0.1\n"
                  "effects: {drives: full, transmission: flexible}\nsolver: {method: adaptive, accuracy: 1e-3}\n");
        ff_report_clear(&report);
        ff_run_advise(run, &report);
        CHECK_INT(report.warnings, places[i].said != NULL);
        if (!places[i].said) continue;
        CHECK_SAYS(message(0), places[i].said);
        CHECK_SAYS(message(0), "take the method implicit or cvode");
        const char *steps = strstr(message(0), "in steps of");
        CHECK(steps && sscanf(steps, "in steps of %lf us", &us) == 1);
        CHECK_INT(ff_run_go(run, &err), FF_OK);
        const double followed = 1e-6 * us * (double)ff_sim_get_counts(ff_run_sim(run)).steps;
        CHECK(followed > 0.7 * places[i].held && followed < 1.15 * places[i].held);
    }
    must_load("robot: wheel.yaml\nstart: {speeds: {axle: 1}}\ncontacts: off\ntime: 0.1\n");
    ff_report_clear(&report);
    ff_run_advise(run, &report);
    CHECK_INT(report.warnings, 0); // implicit makes no such steps
    finish();
}

// Blocks of 1 g on rails and a motor that turns by u = 2 x - y: the mobility (2, -1) M^-1 (2, -1)' = 1e4 /kg of the
// blocks becomes 1e4 / (1 + 1e4) /kg by the rotor of 1 kg. Friction of 5 N within 10 um/s then holds in steps of
// 3.31 * 1e-5 / 5 = 6.6 us, and within 10 mm/s in steps that are worth no word. By the blocks alone they were 0.66 us.
TEST(a_rotor_on_two_joints_counts_where_explicit_steps_follow_its_friction)
{
    static const char *const speeds[] = {"1e-2", "1e-5"};
    for (int i = 0; i < 2; i++) {
        char robot[700];
        snprintf(robot, sizeof robot,
                 "footfall: 1\ngravity: [0, 0, 0]\nbodies:\n"
                 "  first: {inertial: {mass: 1e-3, box: [1, 1, 1]}, joint: {name: x, type: slide, axis: x}, bodies:\n"
                 "    {second: {inertial: {mass: 1e-3, box: [1, 1, 1]}, joint: {name: y, type: slide, axis: x}}}}\n"
                 "drives:\n  it: {joints: [x, y], kind: dc, rotor: 1, path: {kind: levers, levers: [2, -1]},\n"
                 "    motor: {constant: 1e-6, resistance: 1, voltage: 24, dry: 5, dry_speed: %s}}\n",
                 speeds[i]);
        write_file("blocks.yaml", robot);
        must_load("robot: blocks.yaml\ncontacts: off\neffects: {drives: full}\ntime: 0.1\n"
                  "solver: {method: adaptive, accuracy: 1e-3}\n");
        ff_report_clear(&report);
        ff_run_advise(run, &report);
        CHECK_INT(report.warnings, i);
        if (i == 1) CHECK_SAYS(message(0), "in steps of 6.6 us");
    }
    finish();
}

// A block of 1 g, which friction of 5 N within 10 mm/s would hold in steps of 6.6 us, is tied by a loop to one of
// 100 kg: no step of adaptive is short for it.
TEST(friction_within_loops_is_no_reason_to_warn)
{
    write_file("tied.yaml", "footfall: 1\ngravity: [0, 0, 0]\nbodies:\n"
                            "  light: {inertial: {mass: 1e-3, box: [1, 1, 1]},\n"
                            "    joint: {name: x, type: slide, axis: x, dry_friction: {level: 5, speed: 1e-2}}}\n"
                            "  heavy: {inertial: {mass: 100, box: [1, 1, 1]}, joint: {name: y, type: slide, axis: x}}\n"
                            "loops: {tie: {connect: [light, heavy], at: [[0, 0, 0], [0, 0, 0]]}}\n");
    must_load("robot: tied.yaml\nstart: {speeds: {x: 1, y: 1}}\ncontacts: off\ntime: 0.1\n"
              "solver: {method: adaptive, accuracy: 1e-3}\n");
    ff_report_clear(&report);
    ff_run_advise(run, &report);
    CHECK_INT(report.warnings, 0);
    must_go();
    CHECK(ff_sim_get_counts(ff_run_sim(run)).steps < 100);
    finish();
}

// Without compliance an overlap stores nothing, but it is taken out, which lifts: 2 kg by 17 mm, 0.334 J that nobody
// put in. The run said nothing before it, and failed at its end: "energy came from nowhere".
TEST(a_start_in_overlap_without_compliance_is_reported_and_is_no_divergence)
{
    static const char *const solvers[] = {"{method: euler, step: 1 ms}", "{method: adaptive}"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "contacts: {response: propagation}\nsolver: %s\ntime: 2\nterrain: [{plane: }]\n"
                 "objects: [{name: ball, sphere: 0.1, mass: 2, pos: [0, 0, 0.083]}]\n",
                 solvers[i]);
        CHECK_INT(start_warnings(text), 1);
        CHECK_SAYS(message(0), "\"ball\" starts in overlap: 'ball' is 17 mm deep in 'ground'");
        CHECK_SAYS(message(0), "energy from nowhere, up to 0.334 J");
        CHECK_SAYS(message(0), "raise it by 0.017 m");
        must_go();
        CHECK(ff_sim_ledger(ff_run_sim(run)).residual > 0.1);
        CHECK(ff_sim_ledger(ff_run_sim(run)).residual < 0.3336);
    }
    CHECK_INT(start_warnings("contacts: {response: propagation}\nterrain: [{plane: }]\n"
                             "objects: [{name: ball, sphere: 0.1, mass: 2, pos: [0, 0, 0.1]}]\n"),
              0);
    finish();
}

// A ball of 2 kg on a spring of 5e4 N/m rests at 19.62 / 5e4 = 0.39 mm.
TEST(a_start_in_overlap_is_reported_with_depth_force_energy_and_what_to_do)
{
#define BALL(z) ON("5e4", z)
#define ON(k, z)                                                                                                       \
    "materials: {spring: {normal: {law: linear, stiffness: " k "}, friction: {mu: 0.3}}}\n"                            \
    "objects: [{name: ball, sphere: 0.1, mass: 2, pos: [0, 0, " z "], material: rigid}]\n"                             \
    "terrain: [{plane: {material: spring}}]\n"
    CHECK_INT(start_warnings(BALL("0.083")), 1); // 17 mm: 850 N, k p^2 / 2 = 7.225 J
    CHECK_SAYS(message(0), "warning: \"ball\" starts in overlap: 'ball' is 17 mm deep in 'ground'");
    CHECK_SAYS(message(0), "1 point presses with 850 N (its weight is 19.6 N) and 7.23 J are stored");
    CHECK_SAYS(message(0), "raise it by 0.017 m, or let a robot settle on its feet (place: {settle: true})");
    CHECK_INT(start_warnings(BALL("0.0996076")), 0); // at rest
    CHECK_INT(start_warnings(BALL("0.1")), 0);
    CHECK_INT(start_warnings(ON("1e3", "0.08038")), 0); // at rest on something soft, which stores much
    // without weight every overlap throws
    CHECK_INT(start_warnings(BALL("0.0996076") "gravity: [0, 0, 0]\n"), 1);
    // but rounding of places is no overlap: these balls touch
    CHECK_INT(start_warnings("gravity: [0, 0, 0]\nobjects: [{name: a, sphere: 0.1, mass: 2, pos: [0, 0, 0.3]},\n"
                             "  {name: b, sphere: 0.1, mass: 2, pos: [0, 0, 0.49999999999999994]}]\n"),
              0);
    // two balls in each other: both are thrown, and raising helps neither
    CHECK_INT(start_warnings("objects: [{name: a, sphere: 0.1, mass: 2, pos: [0, 0, 1]},\n"
                             "  {name: b, sphere: 0.1, mass: 2, pos: [0.15, 0, 1]}]\n"),
              1);
    CHECK_SAYS(message(0), "so do 1 more. Advice: change its start so that nothing overlaps");
    finish();
#undef BALL
#undef ON
}

// An arm of 1 kg at 0.5 m, level: its joint carries 4.9 N m, its stops have 1000 N m/rad.
TEST(a_start_beyond_stops_is_reported_with_depth_force_energy_and_what_to_do)
{
    write_file("arm.yaml", "footfall: 1\nbodies: {arm: {inertial: {mass: 1, sphere: 0.05, pos: [0.5, 0, 0]},\n"
                           "  joint: {name: hinge, type: hinge, axis: [0, 1, 0], range: [-1, 0]}}}\n");
    CHECK_INT(start_warnings("robot: arm.yaml\nstart: {joints: {hinge: 0.1}}\n"), 1);
    CHECK_SAYS(message(0), "s.yaml:3:8: warning: joint \"hinge\" starts 0.1 rad beyond its limits of -1 to 0 rad");
    CHECK_SAYS(message(0), "pushes with 100 N m and stores 5 J");
    CHECK_SAYS(message(0), "start within the limits (start.joints)");
    CHECK_INT(start_warnings("robot: arm.yaml\nstart: {joints: {hinge: 0.0049}}\n"), 0); // rests on its stop
    CHECK_INT(start_warnings("robot: arm.yaml\nstart: {joints: {hinge: -0.5}}\n"), 0);
    CHECK_INT(start_warnings("robot: arm.yaml\nstart: {joints: {hinge: 0.1}}\npassive: false\n"), 0); // no stops act
    finish();
}

// A box of 1 kg hangs from 1 m by a string of at most 0.3 m, whose stop has 10 kN/m: at rest 0.98 mm beyond it.
/// Writes the robot; the text of the scene, as it is given.
static const char *hanging(const char *tendon, const char *of)
{
    char text[400];
    snprintf(
        text, sizeof text,
        "footfall: 1\nframes: {wall: {pos: [0, 0, 1]}}\ntendons: {t: {%s}}\n"
        "bodies: {a: {joint: free, inertial: {mass: 1, box: [0.1, 0.1, 0.1]}, frames: {eye: {pos: [0, 0, 0.05]}}}}\n",
        tendon);
    write_file("box.yaml", text);
    return of;
}

TEST(a_start_beyond_the_limits_of_a_tendon_is_reported_with_depth_force_energy_and_what_to_do)
{
#define SCENE(z)       "robot: box.yaml\nstart: {q: [0, 0, " z ", 1, 0, 0, 0]}\n"
#define BOX(z, tendon) hanging(tendon, SCENE(z))
#define STRING         "path: [wall, eye], range: [0, 0.3]"
    CHECK_INT(start_warnings(BOX("0.41", STRING)), 1);
    CHECK_SAYS(message(0), "warning: tendon \"t\" starts 0.24 m beyond its limits of 0 to 0.3 m");
    CHECK_SAYS(message(0), "its stop pulls with 2.4e+03 N and stores 288 J");
    CHECK_SAYS(message(0), "start within the limits");
    CHECK_INT(start_warnings(BOX("0.64902", STRING)), 0); // at rest
    CHECK_INT(start_warnings(BOX("0.7", STRING)), 0);
    CHECK_INT(start_warnings(hanging(STRING, SCENE("0.41") "passive: false\n")), 0);
    CHECK_INT(start_warnings(BOX("0.41", "path: [wall, eye]")), 0);
    CHECK_INT(start_warnings(BOX("0.41", "path: [wall, eye], range: [0.74, 1]")), 1); // too short
    CHECK_SAYS(message(0), "its stop pushes with 2e+03 N and stores 200 J");
    finish();
#undef SCENE
#undef BOX
#undef STRING
}
