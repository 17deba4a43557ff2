// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Springs of a scene under the implicit method, however stiff: they couple bodies that no joint and no contact does, so
// that their slopes must be in its matrix. Without them steps of 1 ms diverged from 1e6 N/m on, and the default run
// made energy out of nothing from 1e5 N/m on.
#include "scene_helpers.h"

#define DEFAULT_RUN "{method: implicit}"
#define FIXED       "{method: implicit, step: 1 ms}"

static const char *const SOLVERS[] = {DEFAULT_RUN, FIXED, "{method: implicit, step: 5 ms}"};
static const double SECONDS[] = {0.0, 1e-3, 5e-3}; // their steps, 0: by error control

/// Runs a text with a solver, and wants it to end well.
static void run_by(const char *text, const char *solver)
{
    char all[1200];
    snprintf(all, sizeof all, "%ssolver: %s\n", text, solver);
    must_run(all);
}

// 1 kg hangs at m g / k below where it starts. What swings too fast for a fixed step comes to rest there (the method
// damps it); a damper does the same for all of them; without one error control lets it swing by m g / k. h omega is 300
// for the stiffest at 1 ms.
TEST(a_mass_hangs_still_on_a_spring_however_stiff)
{
    static const double stiffness[] = {1e5, 1e6, 1e7, 1e9}, damping[] = {0.0, 10.0, 1000.0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                char text[400];
                snprintf(
                    text, sizeof text,
                    "objects: [{name: ball, sphere: 0.05, mass: 1, pos: [0, 0, 1]}]\ntime: 2\n"
                    "springs: [{between: [ball, world], at: [[0, 0, 0], [0, 0, 2]], stiffness: %g, damping: %g}]\n",
                    stiffness[i], damping[j]);
                run_by(text, SOLVERS[k]);
                const double swing = 9.81 / stiffness[i];
                const bool rests = damping[j] > 0.0 || (k > 0 && stiffness[i] * SECONDS[k] * SECONDS[k] > 10.0);
                CHECK_NEAR(metric("com.z"), 1.0 - swing, (rests ? 0.01 : 1.01) * swing); // a hundredth may be left
                if (rests) CHECK(metric("energy.kinetic.final") <= 1e-4 * 0.5 * 9.81 * swing);
                CHECK(metric("energy.final") <= metric("energy.start"));
            }
    finish();
}

// Two balls of 0.2 and 0.3 kg, pushed 0.1 mm into a spring of 4e6 N/m: no matrix of one ball alone knows how hard they
// push each other. They stay as far apart as the spring is long, and where their centre of mass was.
TEST(balls_on_a_stiff_spring_stay_as_far_apart_as_it_is_long)
{
    for (int k = 0; k < 3; k++) {
        run_by(
            "gravity: [0, 0, 0]\ntime: 1\nsprings: [{between: [a, b], stiffness: 4e6, damping: 100, rest: 0.1001}]\n"
            "objects: [{name: a, sphere: 0.01, mass: 0.2}, {name: b, sphere: 0.01, mass: 0.3, pos: [0.06, 0.08, 0]}]\n"
            "metrics: {report: [bodies.a.x.final, bodies.b.x.final, bodies.a.y.final, bodies.b.y.final]}\n",
            SOLVERS[k]);
        const double x = metric("bodies.b.x.final") - metric("bodies.a.x.final"),
                     y = metric("bodies.b.y.final") - metric("bodies.a.y.final");
        CHECK_NEAR(hypot(x, y), 0.1001, 1e-7);
        CHECK_NEAR(metric("com.x"), 0.6 * 0.06, 1e-12); // 0.3 of 0.5 kg
        CHECK_NEAR(metric("com.y"), 0.6 * 0.08, 1e-12);
        CHECK(metric("energy.final") <= metric("energy.start"));
    }
    finish();
}

// A bead of 10 g between two springs that pull with 9e4 N each, 1 mm beside their line: across it they hold it with
// 2 T / L = 1.8e5 N/m, which is no stiffness of theirs. Fixed steps do not resolve how it swings there, and damp it;
// error control keeps it within its 1 mm.
TEST(a_taut_string_swings_back_across_its_line)
{
    for (int k = 0; k < 3; k++) {
        run_by("gravity: [0, 0, 0]\ntime: 1\nobjects: [{name: bead, point: true, mass: 0.01, pos: [0, 6e-4, 8e-4]}]\n"
               "springs: [{between: [world, bead], at: [[-1, 0, 0], [0, 0, 0]], stiffness: 1e5, rest: 0.1},\n"
               "  {between: [bead, world], at: [[0, 0, 0], [1, 0, 0]], stiffness: 1e5, rest: 0.1}]\n"
               "metrics: {report: [bodies.bead.y.final, bodies.bead.z.final]}\n",
               SOLVERS[k]);
        const double aside = hypot(metric("bodies.bead.y.final"), metric("bodies.bead.z.final"));
        CHECK_BELOW(aside, SECONDS[k] > 0.0 ? 1e-6 : 1.001e-3);
        CHECK(metric("energy.final") <= metric("energy.start"));
    }
    finish();
}

// Three springs side by side on one degree of freedom, of which more are than it has: 6e6 N/m together. A robot of two
// bodies, whose joint is a way between the ends of one of them.
TEST(more_springs_than_degrees_of_freedom_hold_together)
{
    write_file("lift.yaml", "footfall: 1\nname: lift\nbodies:\n"
                            "  block: {inertial: {mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0]},\n"
                            "    joint: {name: up, type: slide, axis: [0, 0, 1]}}\n");
    for (int k = 0; k < 3; k++) {
        run_by(
            "robot: lift.yaml\ntime: 2\nsprings: [{between: [world, block], stiffness: [0, 0, 1e6]},\n"
            "  {between: [world, block], stiffness: [0, 0, 2e6]}, {between: [block, world], stiffness: [0, 0, 3e6]}]\n",
            SOLVERS[k]);
        const double sag = 2.0 * 9.81 / 6e6;
        CHECK_NEAR(metric("joints.up.final"), -sag, SECONDS[k] > 0.0 ? 1e-9 : 1.001 * sag); // else it swings about it
    }
    finish();
}

// What a step resolves has second order: half of it makes a quarter of the error of m z'' = -k z - m g.
TEST(a_spring_that_steps_resolve_swings_with_second_order)
{
    static const char *const steps[] = {"{method: implicit, step: 0.5 ms}", "{method: implicit, step: 0.25 ms}"};
    const double exact = 1.0 - 9.81 / 2e4 * (1.0 - cos(sqrt(2e4) * 0.1));
    double error[2];
    for (int k = 0; k < 2; k++) {
        run_by("objects: [{name: ball, sphere: 0.05, mass: 1, pos: [0, 0, 1]}]\ntime: 0.1\n"
               "springs: [{between: [ball, world], at: [[0, 0, 0], [0, 0, 2]], stiffness: 2e4}]\n",
               steps[k]);
        error[k] = fabs(metric("com.z") - exact);
    }
    CHECK(error[1] < 2e-6);
    CHECK(error[0] / error[1] > 3.5 && error[0] / error[1] < 4.5);
    finish();
}
