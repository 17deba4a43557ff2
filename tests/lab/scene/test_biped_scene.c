// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Bipeds of other makers, and of ours that are described wrongly: a public humanoid walks by a description of twenty
// lines, footsteps are made where they are asked for, and what cannot be walked is refused at its place.
#include "scene_helpers.h"

#include <footfall/world.h>

#define OP3 FF_SOURCE_DIR "/../shared/models/mjcf/robotis_op3/op3_nomesh.xml"

/// What ROBOTIS OP3 needs to walk, beside its MJCF file.
static const char OP3_WALKS[] =
    "footfall: 1\n"
    "import: {file: " OP3 ", floating: true}\n"
    "bodies:\n"
    "  body_link: {frames: {imu: {pos: [0, 0, 0.05], rpy: [0, 0.2, 1.5]}}}\n" // mounted aslant
    "  l_ank_roll_link: {frames: {l_sole: {pos: [0.024, 0.013, -0.0305]}}}\n"
    "  r_ank_roll_link: {frames: {r_sole: {pos: [0.024, -0.013, -0.0305]}}}\n"
    "joints:\n"
    "  \"l_*\": {drive: &servo {kind: ideal, loop: {kind: pd, kp: 80, kd: 2, rate: 1000}}}\n"
    "  \"r_*\": {drive: *servo}\n"
    "  \"head_*\": {drive: *servo}\n"
    "sensors:\n"
    "  imu: {type: imu, frame: imu, rate: 1000}\n"
    "  l_force: {type: force6, frame: l_sole, rate: 1000}\n"
    "  r_force: {type: force6, frame: r_sole, rate: 1000}\n"
    "legs:\n"
    "  left: {joints: [l_hip_yaw, l_hip_roll, l_hip_pitch, l_knee, l_ank_pitch, l_ank_roll], foot: l_sole, force: "
    "l_force}\n"
    "  right: {joints: [r_hip_yaw, r_hip_roll, r_hip_pitch, r_knee, r_ank_pitch, r_ank_roll], foot: r_sole, force: "
    "r_force}\n"
    "poses:\n"
    "  stand: {l_hip_pitch: -0.5, l_knee: 1, l_ank_pitch: 0.5, r_hip_pitch: 0.5, r_knee: -1, r_ank_pitch: -0.5}\n";

#define AROUND                                                                                                         \
    "effects: {drives: ideal, sensors: real, bus: modelled}\nterrain: [{plane: {material: rubber}}]\n"                 \
    "solver: {method: euler, step: 2e-4}\n"

// 3.1 kg and 0.5 m high, of whose gait nothing is given: steps of 0.43 s follow from its height. 0.1 m/s within
// a step of 43 mm over 2.6 s, and upright within 3 degrees.
TEST(a_public_humanoid_walks)
{
    FILE *there = fopen(OP3, "r");
    if (!there) SKIP("%s is not there", OP3);
    fclose(there);
    if (CHECK_LASTS(0, 1)) SKIP("LOLA walks by the same code, below");
    write_file("op3.yaml", OP3_WALKS);
    static const char *const grounds[] = {"terrain.0.plane.material=rubber", "terrain.0.plane.material=rigid"};
    for (int i = 0; i < 2; i++) { // complies by 2 mm under its weight, and by 0.1 mm
        if (!load_with("robot: op3.yaml\ncontrol: {biped: {speed: 0.1}}\n" AROUND
                       "time: 4\nmetrics: {from: 1.4, to: 4}\n",
                       &grounds[i], 1))
            CHECK_FAIL("refused: %s", message(0));
        must_go();
        CHECK_NEAR(metric("walk.falls"), 0.0, 0.0);
        CHECK_NEAR(metric("walk.speed.forward"), 0.1, 0.043 / 2.6);
        CHECK_BELOW(metric("walk.tilt.max"), 3.0 * FF_PI / 180.0);
    }
    finish();
}

#define LOLA                                                                                                           \
    "robot: " FF_SOURCE_DIR "/robots/lola/lola-ideal.yaml\nstart: {pose: stand}\n"                                     \
    "effects: {drives: ideal, sensors: perfect}\nterrain: [{plane: {material: rigid}}]\n"                              \
    "solver: {method: euler, step: 2e-4}\n"

#define HUMANOID FF_SOURCE_DIR "/robots/humanoid/humanoid-walk.yaml\n"

// A step to each side, turned, and it stands there; soles comply by some mm.
TEST(feet_go_where_a_list_says)
{
    ff_error err = {0};
    if (CHECK_LASTS(0, 1)) SKIP("places are compared without sanitizers; the next test walks by a list");
    must_load(LOLA "control: {biped: {footsteps: [{foot: right, x: 0.2, y: -0.14, turn: -0.1}, {x: 0.1, y: 0.13}]}}\n"
                   "time: 5\n");
    if (ff_sim_run(ff_run_sim(run), 4.4, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    const ff_model *m = ff_sim_model(ff_run_sim(run));
    const double wanted[2][2] = {{0.1, 0.13}, {0.2, -0.14}};
    for (int leg = 0; leg < 2; leg++) {
        const ff_frame *frame = &m->frames[m->legs[leg].frame];
        double at[3];
        ff_dyn_point(m, ff_sim_data(ff_run_sim(run)), frame->body, frame->pos, at);
        for (int k = 0; k < 2; k++) CHECK_NEAR(at[k], wanted[leg][k], 0.005);
    }
    finish();
}

// What is saved in the midst of a list goes on bit-identically.
TEST(a_walk_by_a_list_resumes)
{
    static const char *const soon[] = {"control.biped.hold=0.2"};
    CHECK(load_with(LOLA "control: {biped: {footsteps: [{foot: right, x: 0.2, y: -0.14}, {x: 0.1, y: 0.13}]}}\n"
                         "time: 5\n",
                    soon, CHECK_LASTS(0, 1)));
    must_resume(CHECK_LASTS(1.9, 1.0), CHECK_LASTS(2.7, 1.1));
    finish();
}

// Turned and far from the origin, a list can be made as well as ahead of it; the same foot may begin twice.
TEST(footsteps_of_a_command_are_checked_against_each_other)
{
    must_load(LOLA
              "control: {biped: {speed: 0.5}, commands: [{at: 20, footsteps: [{x: 3, y: 4}, {foot: left, x: 5, y: 4, "
              "turn: 1.5}, {x: 5.26, y: 4.3, turn: 1.5}, {x: 5, y: 4.6, turn: 1.6}]}]}\ntime: 1\n");
    finish();
}

TEST(what_cannot_be_walked_is_refused_at_its_place)
{
    static const bad_scene bad[] = {
        {LOLA "control: {biped: {footsteps: [{foot: right, x: 0.2, y: -0.14}, {x: 0.8, y: 0.13}]}}\n", "7:64",
         "0.600 m ahead of the other foot: steps are 0.482 m long"},
        {LOLA "control: {biped: {footsteps: [{foot: right, y: -0.5}]}}\n", "7:31", "beside the other foot"},
        {LOLA "control: {biped: {footsteps: [{foot: right, y: -0.14, turn: 1}]}}\n", "7:31", "turned by 1.000 rad"},
        {LOLA "control: {biped: {footsteps: [{foot: right, y: 0.0}]}}\n", "7:31", "touch or cross"},
        {LOLA "control: {biped: {footsteps: []}}\n", "7:30", "1 to 64"},
        {LOLA "control: {biped: {sweep: 0.2}}\n", "7:18", "off the sole"},
        {LOLA "control: {biped: {width: 0.2}}\n", "7:18", "feet would touch"},
        {LOLA "control: {biped: {height: 0.97}}\n", "7:18", "not long enough"},
        {LOLA "control: {biped: {step_time: 0.3}}\n", "7:18", "accelerated by more than 4 g"},
        {LOLA "control: {biped: {pose: sitting}}\n", "7:18", "sitting"},
        {"robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\ncontrol: {biped: {speed: 0.1}}\n", "3:18", "two legs"},
        {"robot: elsewhere.yaml\n" AROUND "control: {biped: {speed: 0.1}}\n", "6:18", "does not sit on"},
        {"robot: slow.yaml\n" AROUND "control: {biped: {speed: 0.1}}\n", "6:18", "up to 80 ms old"},
        {"robot: twice.yaml\n" AROUND "control: {biped: {speed: 0.1}}\n", "6:18", "are the same leg"},
        {"robot: uneven.yaml\n" AROUND "control: {biped: {speed: 0.1}}\n", "6:18", "have 4 and 6 joints"},
        {LOLA "control: {biped: {}, commands: [{walk: false, footsteps: [{y: 0.14}]}]}\n", "7:47", "stands or walks"},
        // of a command: farther than it walks until then; out of reach of, or across, the step before, wherever that is
        {LOLA "control: {biped: {speed: 0.3}, commands: [{at: 2.6, footsteps: [{x: 9}]}]}\n", "7:65",
         "in 2.6 s it gets"},
        {LOLA "control: {biped: {speed: 0.3}, commands: [{at: 5, footsteps: [{x: 1, y: 0.1, turn: 1.5}, "
              "{x: 1.13, y: 0.8, turn: 1.5}]}]}\n",
         "7:90", "ahead of the other foot: steps are 0.482 m long"},
        {LOLA "control: {biped: {speed: 0.3}, commands: [{at: 5, footsteps: [{x: 1, y: 0.1}, {foot: left, x: 1.2, "
              "y: 0.1}, {x: 1.2, y: 0.2}]}]}\n",
         "7:109", "touch or cross"}};
    write_file("elsewhere.yaml", "footfall: 1\nimport: " FF_SOURCE_DIR "/robots/lola/lola-ideal.yaml\n"
                                 "bodies: {head: {frames: {eyes: {pos: [0, 0, 0]}}}}\nsensors: {imu: {frame: eyes}}\n");
    write_file("elsewhere.yaml",
               "footfall: 1\nimport: " FF_SOURCE_DIR "/robots/lola/lola-ideal.yaml\n"
               "legs: {left: {joints: [left_hip_rotation, left_hip_adduction, left_hip_flexion, "
               "left_knee_flexion, left_ankle_flexion, left_ankle_adduction], foot: {frame: left_sole, "
               "bodies: [left_foot, left_toe]}, force: right_foot_force}}\n");
    write_file("slow.yaml", "footfall: 1\nimport: " FF_SOURCE_DIR "/robots/lola/lola-ideal.yaml\n"
                            "sensors: {imu: {rate: 25}}\n"); // and a sample late
    write_file("twice.yaml", "footfall: 1\nimport: " HUMANOID "legs: {right: {joints: [left_hip_yaw, left_hip_roll, "
                             "left_hip_pitch, left_knee, left_ankle_pitch, left_ankle_roll], foot: left_sole, force: "
                             "left_sole_force}}\n");
    write_file("uneven.yaml", "footfall: 1\nimport: " HUMANOID "legs: {left: {joints: [left_hip_pitch, left_knee, "
                              "left_ankle_pitch, left_ankle_roll], foot: left_sole, force: left_sole_force}}\n");
    must_refuse(bad, sizeof bad / sizeof *bad);
}

static bool is_said(const char *what)
{
    for (int i = 0; i < report.count; i++)
        if (strstr(message(i), what)) return true;
    return false;
}

TEST(what_has_no_effect_is_warned_of)
{
    must_load("robot: " FF_SOURCE_DIR "/robots/lola/lola-ideal.yaml\nstart: {pose: straight}\n" AROUND
              "control: {biped: {walk: false, speed: 0.3}, commands: [{at: 0.8, walk: true}]}\ntime: 1\n");
    CHECK(is_said("s.yaml:3:8: warning: the robot begins as its controller 'biped' does"));
    CHECK(is_said("s.yaml:7:32: warning: 'speed' beside 'walk: false'"));
    CHECK(!is_said("after the end of the run"));
    ff_run_options options = ff_run_options_default(scene);
    options.time = 0.5; // as by --time
    CHECK(begin_with(&options));
    CHECK(is_said("s.yaml:7:61: warning: this command comes at 0.8 s, after the end of the run at 0.5 s"));
    must_load(LOLA "control: {biped: {speed: 0.3, footsteps: [{foot: right, y: -0.14}]}}\n");
    CHECK(is_said("s.yaml:7:19: warning: 'speed' beside 'footsteps': a list takes the place of speeds"));
    CHECK(!is_said("begins as its controller"));
    must_load(LOLA "control: {biped: {tilt_stiffness: 2e4, comfort: 5}}\n");
    CHECK(is_said("s.yaml:7:19: warning: 'tilt_stiffness' is 27"));
    CHECK(!is_said("'comfort'"));
    finish();
}

// The step under way ends at 3.2 s at the latest, one more closes the feet, and it has stood for 0.4 s.
TEST(a_robot_whose_footsteps_cannot_be_made_stops_on_two_feet)
{
    static const char *const brief[] = {"time=1.6"};
    CHECK(load_with(LOLA "control: {biped: {speed: 0.3, hold: 0.2}, commands: [{at: 1.2, footsteps: [{x: 2}]}]}\n"
                         "time: 3\n",
                    brief, CHECK_LASTS(0, 1)));
    must_go();
    if (CHECK_LASTS(1, 0)) CHECK_BELOW(fabs(ff_sim_data(ff_run_sim(run))->v[0]), 0.05); // [m/s]
    CHECK_NEAR(metric("walk.falls"), 0.0, 0.0);
    ff_run_report_limits(run, &report);
    CHECK(is_said("footstep 1 of a command cannot be made, and the robot stops on two feet"));
    const double time = CHECK_LASTS(3.0, 1.6);                                       // [s]
    CHECK_NEAR(metric("walk.command.forward"), 0.3 * 1.2 / time, 0.3 * 0.01 / time); // a sample of 10 ms more or less
    finish();
}

// While it walks by a list no speed is commanded: the mean is that of 0.3 m/s and 0.1 m/s, 0.1 s each. Of a speed that
// no step covers the planner takes the longest step, which is 0.482 m, in a second.
TEST(the_command_is_the_one_that_is_followed)
{
    must_run(LOLA "control: {biped: {speed: 0.3}, commands: [{at: 0.1, footsteps: [{foot: right, x: 0.2, y: -0.14}]}, "
                  "{at: 0.2, speed: 0.1}]}\ntime: 0.3\n");
    CHECK_NEAR(metric("walk.command.forward"), 0.2, 0.3 * 0.01 / 0.2);
    must_run(LOLA "control: {biped: {footsteps: [{foot: right, x: 0.2, y: -0.14}]}}\ntime: 0.1\n");
    CHECK(isnan(metric("walk.command.forward")));
    must_run(LOLA "control: {biped: {speed: 100, step_time: 1}}\ntime: 0.1\n");
    CHECK_NEAR(metric("walk.command.forward"), 0.482, 0.0005);
    finish();
}

// It stands before its first step for `hold`: a sensor that fails by then, or a stop when it is about to, leaves it
// standing. Soles that take its weight move it by some mm; it would have walked 0.41 m.
TEST(a_robot_that_is_stopped_or_blind_before_its_first_step_does_not_set_out)
{
    static const char *const why[] = {"faults=[{sensor: imu, from: 0.2}]",
                                      "faults=[{sensor: left_foot_force, kind: stuck, from: 0.2}]",
                                      "control.commands=[{at: 0.5, walk: false}]"};
    for (int i = 0; i < CHECK_LASTS(3, 1); i++) {
        if (!load_with("robot: " FF_SOURCE_DIR "/robots/lola/lola-ideal.yaml\nstart: {pose: stand}\n" AROUND
                       "control: {biped: {speed: 0.5, hold: 0.4}}\ntime: 1.7\n",
                       &why[i], 1))
            CHECK_FAIL("refused: %s", message(0));
        must_go();
        CHECK_NEAR(metric("walk.falls"), 0.0, 0.0);
        CHECK_BELOW(fabs(metric("walk.distance")), 0.02);
    }
    finish();
}
