// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `contacts: {response: ..}` of a scene: billiard balls by propagation and all at once, and what is refused.
#include "scene_helpers.h"

#define BALLS                                                                                                          \
    "gravity: [0, 0, 0]\nmaterials: {ivory: {normal: {law: restitution, stiffness: 1e6, restitution: 1}, friction: "   \
    "{law: none}}}\n"                                                                                                  \
    "objects:\n"                                                                                                       \
    "  - {name: one, sphere: 0.0285, mass: 0.17, pos: [-0.2, 0, 0], velocity: [1, 0, 0], material: ivory}\n"           \
    "  - {name: two, sphere: 0.0285, mass: 0.17, pos: [0, 0, 0], material: ivory}\n"                                   \
    "  - {name: three, sphere: 0.0285, mass: 0.17, pos: [0.057, 0, 0], material: ivory}\n"

static void check_speeds(double one, double two, double three)
{
    const double *v = ff_sim_v(ff_run_sim(run)), want[3] = {one, two, three};
    for (int i = 0; i < 3; i++) CHECK_NEAR(v[6 * i], want[i], 1e-14);
}

TEST(balls_propagate_a_blow_or_share_it_as_the_scene_says)
{
    static const char *const solvers[] = {"solver: {method: adaptive, accuracy: 1e-6}\n",
                                          "solver: {method: euler, step: 1 ms}\n"};
    for (int k = 0; k < 2; k++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%scontacts: {response: propagation}\ntime: 0.5\n", BALLS, solvers[k]);
        must_run(text);
        check_speeds(0, 0, 1);
        snprintf(text, sizeof text, "%s%scontacts: {response: simultaneous}\ntime: 0.5\n", BALLS, solvers[k]);
        must_run(text);
        check_speeds(-1.0 / 3, 2.0 / 3, 2.0 / 3);
    }
    finish();
}

// Two balls of clay go on together with v m1 / (m1 + m2). Forces leave the floor of 0.01 m/s between them.
TEST(plastic_balls_go_on_together)
{
    static const char *const ways[] = {
        "solver: {method: adaptive, accuracy: 1e-6}\ncontacts: {response: propagation}\n",
        "solver: {method: adaptive, accuracy: 1e-6}\ncontacts: {response: simultaneous}\n",
        "solver: {method: euler, step: 1 ms}\ncontacts: {response: simultaneous}\n",
        "solver: {method: adaptive, accuracy: 1e-6}\n", "solver: {method: implicit, step: 0.1 ms}\n"};
    for (int k = 0; k < 5; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "gravity: [0, 0, 0]\ntime: 0.6\n%smaterials: {clay: {normal: {law: restitution, stiffness: 1e5, "
                 "restitution: 0}, friction: {law: none}}}\n"
                 "objects:\n  - {name: one, sphere: 0.03, mass: 0.2, pos: [-0.2, 0, 0], velocity: [1, 0, 0], material: "
                 "clay}\n  - {name: two, sphere: 0.03, mass: 0.6, pos: [0, 0, 0], material: clay}\n",
                 ways[k]);
        must_run(text);
        const double *v = ff_sim_v(ff_run_sim(run)), tolerance = k < 3 ? 1e-14 : FF_IMPACT_FLOOR;
        CHECK_NEAR(v[0], 0.25, tolerance);
        CHECK_NEAR(v[6], 0.25, tolerance);
        CHECK_NEAR(0.2 * v[0] + 0.6 * v[6], 0.2, 1e-9); // momentum  [N s]
    }
    finish();
}

TEST(a_response_that_is_none_or_does_not_fit_the_method_is_reported)
{
    CHECK(!load(BALLS "contacts: {response: springy}\n"));
    CHECK_SAYS(message(0), "allowed: force, propagation, simultaneous");
    CHECK(!load(BALLS "solver: {method: rk4, step: 1 ms}\ncontacts: {response: propagation}\n"));
    CHECK_SAYS(message(0), "'propagation' needs the method euler, adaptive or cvode, not rk4");
    finish();
}

TEST(mean_forces_that_impulses_do_not_have_are_refused_with_the_reason)
{
    const bad_scene bad[] = {{"objects: [{name: b, sphere: 0.1, mass: 1}]\nterrain: [{plane: {}}]\n"
                              "contacts: {response: simultaneous}\nrecord: {channels: [contacts.force.mean]}\n",
                              "5:21", "are kept where contacts act by forces (contacts: {response: force})"},
                             {"objects: [{name: b, sphere: 0.1, mass: 1}]\nterrain: [{plane: {}}]\n"
                              "record: {channels: [contacts.force.meen]}\n",
                              "4:21", "no channel fits \"contacts.force.meen\"; there are"}};
    must_refuse(bad, 2);
}

TEST(rolling_resistance_acts_with_impulses)
{
    // a ball that rolls at 1 m/s is slowed by M / r = rolling m g / r, which its spin makes 7/5 as heavy
    must_run("contacts: {response: propagation}\nsolver: {method: euler, step: 1 ms}\n"
             "materials: {felt: {normal: {law: restitution, stiffness: 1e6, restitution: 0.5}, friction: {mu: 0.3, "
             "stiffness: 1e5, rolling: 1 mm}}}\n"
             "terrain: [{plane: {material: felt}}]\nobjects: [{name: ball, sphere: 0.1, mass: 1, pos: [0, 0, 0.1], "
             "velocity: [1, 0, 0], spin: [0, 10, 0], material: felt}]\ntime: 0.5\n");
    CHECK_INT(report.warnings, 0);
    CHECK_NEAR(ff_sim_v(ff_run_sim(run))[0], 1.0 - 0.5 * 5.0 / 7.0 * 9.81 * 1e-3 / 0.1, 1e-6);
    finish();
}

// A rod lies on two blocks, a rounding above them or below: every row of the recording has its points and their forces.
TEST(a_rod_that_is_carried_is_recorded_as_a_contact)
{
    static const char *const solvers[] = {"solver: {method: adaptive, accuracy: 1e-6}\n",
                                          "solver: {method: euler, step: 1 ms}\n"};
    for (int k = 0; k < 2; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "%scontacts: {response: simultaneous}\ntime: 0.5\nrecord: {rate: 100, channels: [contacts, "
                 "bodies.rod.contact.force]}\n"
                 "materials: {wood: {normal: {law: restitution, stiffness: 1e6, restitution: 0}, friction: {mu: 0.5, "
                 "stiffness: 1e6}}}\nterrain: [{plane: {material: wood}}]\nobjects:\n"
                 "  - {name: left, box: [0.1, 0.1, 0.1], mass: 1, pos: [-0.2, 0, 0.05], material: wood}\n"
                 "  - {name: right, box: [0.1, 0.1, 0.1], mass: 1, pos: [0.2, 0, 0.05], material: wood}\n"
                 "  - {name: rod, box: [0.6, 0.04, 0.04], mass: 0.6, pos: [0, 0, 0.12], material: wood}\n",
                 solvers[k]);
        must_run(text);
        const ff_recorder *recorder = ff_run_recorder(run);
        int width;
        const int number = ff_recorder_find(recorder, "contacts.count", NULL);
        const int points = ff_recorder_find(recorder, "contacts.points", &width);
        const int force = ff_recorder_find(recorder, "bodies.rod.contact.force", NULL);
        for (long long i = 1; i < ff_recorder_rows(recorder); i++) {
            const double *row = ff_recorder_row(recorder, i);
            CHECK(row[number] >= 10); // three corners of each block at least, and four of the rod
            for (int c = 0; c < 7 * (int)row[number]; c++) CHECK(isfinite(row[points + c]));
            CHECK_NEAR(row[force + 2], 0.6 * 9.81, 1e-3);
        }
        CHECK(metric("contacts.touches") >= 10);
        CHECK_NEAR(metric("contacts.lifts"), 0, 0);
    }
    finish();
}

// A box of 3 kg, pushed for 2 s by a part of its weight: it stays below static friction (0.37), and slides against
// kinetic friction (0.23) above it. It counts as sliding from 2 mm/s on, which it has after 2.5 ms: 0.25 % of the way.
TEST(static_friction_holds_a_box_and_kinetic_friction_brakes_it)
{
    static const char *const solvers[] = {"{method: adaptive, accuracy: 1e-6}", "{method: euler, step: 1 ms}"};
    static const char *const responses[] = {"propagation", "simultaneous"};
    static const double weight = 3.0 * 9.81, parts[] = {0.235, 0.36, 0.45};
    for (int i = 0; i < 12; i++) {
        const double part = parts[i % 3], way = part < 0.37 ? 0.0 : 0.5 * (part - 0.23) * 9.81 * 2.0 * 2.0;
        char text[2000];
        snprintf(text, sizeof text,
                 "solver: %s\ncontacts: {response: %s}\ntime: 3\nterrain: [{plane: {material: m}}]\n"
                 "materials: {m: {normal: {law: restitution, stiffness: 1e6, restitution: 0}, friction: {law: "
                 "stick-slip, static: 0.37, kinetic: 0.23, stiffness: 1e6}}}\n"
                 "objects: [{name: box, box: [0.2, 0.2, 0.05], mass: 3, pos: [0, 0, 0.025], material: m}]\n"
                 "forces: [{body: box, force: [%.9g, 0, 0], from: 1, to: 3}]\n",
                 solvers[i / 3 % 2], responses[i / 6], part * weight);
        must_run(text);
        CHECK_NEAR(ff_sim_q(ff_run_sim(run))[0], way, way > 0.0 ? 5e-3 * way : 1e-12);
    }
    finish();
}

// A semi-implicit step alone gives energy to a body that turns about no principal axis: 8 % in 10 s here. By the
// midpoint rule there is no term that could. Elastic boxes on the ground, whose corners turn about while they bounce,
// keep theirs to the first order of the step; 32 % of that of a pile came from nowhere.
TEST(boxes_that_turn_keep_their_energy)
{
    static const struct {
        const char *rest;
        double within;
    } cases[] = {{"gravity: [0, 0, 0]\nobjects: [{name: box, box: [0.12, 0.096, 0.108], mass: 2, pos: [0, 0, 1], spin: "
                  "[10, 80, 3], material: m}]\n",
                  1e-12},
                 {"objects: [{name: box, box: [0.12, 0.096, 0.108], mass: 2, pos: [0, 0, 1], spin: [0.3, 0.4, 0], "
                  "material: m}]\n",
                  0.01}};
    for (int i = 0; i < 2; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "solver: {method: euler, step: 1 ms}\ncontacts: {response: propagation}\ntime: 10\n"
                 "terrain: [{plane: {material: m}}]\nmaterials: {m: {normal: {law: restitution, stiffness: 1e6, "
                 "restitution: 1}, friction: {law: none}}}\n%s",
                 cases[i].rest);
        must_run(text);
        const ff_ledger l = ff_sim_ledger(ff_run_sim(run));
        CHECK_NEAR(l.stored.total, l.start, cases[i].within * l.start);
    }
    finish();
}
