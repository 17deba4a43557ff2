// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots with loops in scenes: what the start gives stays, the rest follows; poses that cannot close are reported with
// the place of the loop.
#include "scene_helpers.h"

#include <footfall/drive_parts.h>

/// Two cranks of 1 m, 1 m apart, and a coupler of 1 m between their tips; the loop stands on line 6 of the file.
static void write_window(void)
{
    write_file("window.yaml",
               "footfall: 1\nbodies:\n"
               "  left: {joint: {name: left, axis: y}, inertial: {mass: 1, rod: {to: [0, 0, 1]}}, bodies: {bar: {pos: "
               "[0, 0, 1], joint: {axis: y}, inertial: {mass: 1, rod: {to: [1, 0, 0]}}}}}\n"
               "  right: {pos: [1, 0, 0], joint: {axis: y}, inertial: {mass: 1, rod: {to: [0, 0, 1]}}}\n"
               "loops:\n  pin: {connect: [bar, right], at: [[1, 0, 0], [0, 0, 1]]}\n");
}

static void refuse(const char *text, const char *words)
{
    if (load(text)) CHECK_FAIL("accepted: %s", text);
    for (int i = 0; i < report.count; i++)
        if (strstr(message(i), words)) return;
    CHECK_FAIL("no message \"%s\", but %s", words, message(0));
}

TEST(joints_that_are_given_stay_and_the_others_follow)
{
    write_window();
    must_load("robot: window.yaml\nstart: {joints: {left: 0.5}, speeds: {right: 2}}\n");
    const double expected[3] = {0.5, -0.5, 0.5};
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(scene->q[i], expected[i], 1e-12);
        CHECK_NEAR(scene->v[i], i == 1 ? -2.0 : 2.0, 1e-12);
    }
    CHECK(scene->q[0] == 0.5 && scene->v[2] == 2.0); // to the last bit
    finish();
}

// Led past the position in which all rods lie in one line, the window stays a parallelogram and does not cross its
// cranks.
TEST(a_mechanism_stays_on_its_branch_on_the_way_to_its_start)
{
    write_window();
    must_load("robot: window.yaml\nstart: {joints: {left: 200 deg}}\n");
    CHECK_NEAR(scene->q[1], -scene->q[0], 1e-9);
    CHECK_NEAR(scene->q[2], scene->q[0], 1e-9);
    must_load("robot: window.yaml\nstart: {joints: {right: -90 deg}}\n"); // the singular position itself
    CHECK_NEAR(scene->q[0], scene->q[2], 1e-4); // there gaps grow with the square of the angle
    finish();
}

TEST(small_gaps_are_closed_without_asking)
{
    write_window();
    must_load("robot: window.yaml\nstart: {q: [0.004, 0, 0]}\n");
    CHECK_NEAR(scene->q[0], scene->q[2], 1e-12);
    CHECK_NEAR(scene->q[0], -scene->q[1], 1e-12);
    finish();
}

TEST(what_cannot_close_is_reported_with_its_place_and_size)
{
    write_window();
    refuse("robot: window.yaml\nstart: {q: [0.4, 0, 0]}\n",
           "window.yaml:6:3: error: loop 'pin' is open by 0.4684 m"); // 1 - cos(0.4) + sin(0.4), down
    refuse("robot: window.yaml\nstart: {joints: {left: 0, bar: 30 deg}}\n",
           "window.yaml:6:3: error: loop 'pin' cannot close");
    refuse("robot: window.yaml\nstart: {speeds: {left: 1, right: 2}}\n", "open the loops of the robot at 1 m/s");
    finish();
}

/// The window with a bar whose end lies off the plane in which all joints move.
static void write_misfit(const char *gap)
{
    char text[600];
    snprintf(text, sizeof text,
             "footfall: 1\nbodies:\n"
             "  left: {joint: {name: left, axis: y}, inertial: {mass: 1, rod: {to: [0, 0, 1]}}, bodies: {bar: {pos: "
             "[0, 0, 1], joint: {axis: y}, inertial: {mass: 1, rod: {to: [1, 0, 0]}}}}}\n"
             "  right: {pos: [1, 0, 0], joint: {axis: y}, inertial: {mass: 1, rod: {to: [0, 0, 1]}}}\n"
             "loops:\n  pin: {connect: [bar, right], at: [[1, %s, 0], [0, 0, 1]]}\n",
             gap);
    write_file("misfit.yaml", text);
}

TEST(a_loop_that_does_not_quite_fit_is_closed_as_far_as_it_goes)
{
    write_misfit("5e-7");
    must_load("robot: misfit.yaml\nstart: {q: [0.004, 0, 0]}\n");
    CHECK_NEAR(scene->q[0], scene->q[2], 1e-12);
    CHECK_INT(report.count, 1);
    CHECK_SAYS(message(0), "note: loop 'pin' closes up to 5e-07 m");
    must_run("robot: misfit.yaml\ntime: 0.05\n");
    write_misfit("5e-6");
    refuse("robot: misfit.yaml\n", "cannot close");
    finish();
}

// A placed robot carries loops to the world along.
TEST(loops_to_the_world_move_with_their_robot)
{
    write_file("post.yaml",
               "footfall: 1\nbodies: {ball: {pos: [0, 0, 1], joint: free, inertial: {mass: 2, sphere: 0.1}}}\n"
               "loops: {stay: {rod: [world, ball], at: [[0, 0, 3], [0, 0, 0]]}, hook: {connect: [ball, world], at: "
               "[[0, 0, 0.1], [0, 0, 1.1]]}}\n");
    must_load(
        "robot: post.yaml\nplace: {pos: [4, 5, 6], rpy: [0.3, 0, 1]}\nsolver: {method: rk4, step: 1e-3}\ntime: 0.5\n");
    ff_error err = {0};
    if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    finish();
}

// Two drives push an ankle about; at every look their travel and speed are those of the exact rods of the drive room,
// which knows nothing of loops.
TEST(parallel_drives_travel_as_their_rods_say)
{
    const ff_rod rods[2] = {{{-0.05, 0.04, 0.3}, {-0.06, 0.04, 0}, {{0, 1, 0}, {1, 0, 0}}, sqrt(1e-4 + 0.09)},
                            {{-0.05, -0.04, 0.3}, {-0.06, -0.04, 0}, {{0, 1, 0}, {1, 0, 0}}, sqrt(1e-4 + 0.09)}};
    must_load("robot: " FF_SOURCE_DIR "/robots/ankle/ankle.yaml\nsolver: {method: rk4, step: 1e-3}\ntime: 1\n"
              "forces: [{joint: left_drive, value: 9}, {joint: right_drive, value: -2, from: 0.1}, {joint: "
              "left_drive, value: -20, from: 0.2}]\n");
    const ff_model *m = scene->model;
    const ff_joint *pitch = &m->joints[ff_model_find_joint(m, "pitch")], *roll = pitch + 1;
    const ff_joint *drives[2] = {&m->joints[ff_model_find_joint(m, "left_drive")],
                                 &m->joints[ff_model_find_joint(m, "right_drive")]};
    double widest = 0.0;
    for (int k = 1; k <= 20; k++) {
        ff_error err = {0};
        if (ff_sim_run(ff_run_sim(run), 0.02 * k, &err) != FF_OK) CHECK_FAIL("%s", err.text);
        const ff_data *d = ff_sim_data(ff_run_sim(run));
        const double q[2] = {d->q[pitch->qadr], d->q[roll->qadr]}, v[2] = {d->v[pitch->vadr], d->v[roll->vadr]};
        for (int i = 0; i < 2; i++) {
            double lever[2];
            CHECK_NEAR(d->q[drives[i]->qadr], ff_rod_travel(&rods[i], q, lever), 1e-13);
            CHECK_NEAR(d->v[drives[i]->vadr], lever[0] * v[0] + lever[1] * v[1], 1e-11);
        }
        widest = fmax(widest, fmax(fabs(q[0]), fabs(q[1])));
    }
    CHECK(widest > 0.1);
    finish();
}

// Published accelerations at the start (IVP test set): the whole path from the file to the multipliers, without
// integration.
TEST(andrews_mechanism_starts_with_the_published_acceleration)
{
    must_load("robot: " FF_SOURCE_DIR "/robots/andrews/andrews.yaml\nstart: {pose: start}\ncontacts: off\n"
              "forces: [{joint: beta, value: 0.033}]\nsprings: [{between: [world, k3], at: [[0.014, 0.072, 0], [0.02, "
              "-0.018, 0]], stiffness: 4530, rest: 0.07785}]\n");
    ff_error err = {0};
    CHECK_INT(ff_sim_run(ff_run_sim(run), 0.0, &err), FF_OK); // the torque begins
    CHECK_INT(ff_sim_evaluate(ff_run_sim(run), FF_SIM_ACCELERATION, &err), FF_OK);
    const double *a = ff_sim_data(ff_run_sim(run))->qacc;
    CHECK_NEAR(a[0], 14222.4439199541, 1e-9 * 14222.0); // pivots down to 0.01, start given to 15 digits
    CHECK_NEAR(a[1], -10666.8329399655, 1e-9 * 14222.0);
    finish();
}
