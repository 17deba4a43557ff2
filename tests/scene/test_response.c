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
        "solver: {method: adaptive, accuracy: 1e-6}\n", "solver: {method: implicit, step: 1 ms}\n"};
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
