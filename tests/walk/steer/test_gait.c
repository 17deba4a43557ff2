// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {gait: ..}` in scenes: what is refused and where, that commands arrive in time, and that a robot which is
// asked too much says so.
#include "scene/scene_helpers.h"

#define ANTON                                                                                                          \
    "robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\nstart: {pose: stand}\nplace: {settle: true}\n"                  \
    "terrain: [{plane: {material: lab-floor}}]\nsolver: {method: implicit, step: 1e-3}\n"

TEST(bad_commands_are_reported_with_their_place)
{
    static const bad_scene bad[] = {
        {ANTON "control: {gait: amble}\n", "7:17", "amble"},
        {ANTON "control: {gait: tripod, speed: fast}\n", "7:32", "fast"},
        {ANTON "control: {gait: tripod, length: 0}\n", "7:33", "'length' is 0 m: it must be between 0.001 and 10 m"},
        {ANTON "control: {gait: tripod, sped: 0.1}\n", "7:25", "unknown key 'sped'"},
        {ANTON "control: {gait: tripod, body: {FL_coxa: 0.1}}\n", "7:32",
         "no driven joint between its segments 'FL_coxa'"},
        {ANTON "control: {gait: tripod, scale: {XX: 2}}\n", "7:33", "no leg 'XX'"},
        {ANTON "control: {gait: tripod, contact: [1, 2]}\n", "7:17", "contact_off 2 N lies above contact_on 1 N"},
        {ANTON "control: {gait: tripod, stance: {rectangle: [0.18, 0.9]}}\n", "7:17", "cannot stand"},
        {ANTON "control: {gait: tripod, pose: crouch}\n", "7:31", "no pose 'crouch'"},
        {ANTON "control: {gait: tripod, stance: {}}\n", "7:33", "feet stand on a 'rectangle: [ahead, sideways]' or"},
        {ANTON "control: {gait: tripod, catch_up: 0.5}\n", "7:35", "'catch_up' is 0.5: it must be 1 or more"},
        {ANTON "control: {gait: tripod, commands: [{at: 1, zone: -1}]}\n", "7:50", "'zone' is -1"},
        {ANTON "control: {gait: tripod, margin: -1}\n", "7:33", "'margin' is -1 m: it must be zero or more"},
        {ANTON "control: {gait: tripod, stance: {rectangle: [0.2, 0.2], ellipse: [0.2, 0.2]}}\n", "7:33",
         "not on both"},
        // the controller would take each cycle for 20 ms, and walk slower than it is told
        {ANTON "control: {gait: tripod, period: 0.05}\n", "7:33", "'period' is 0.05 s"},
        {ANTON "control: tripod\n", "7:10", "expected {arm: .., biped: .., callback: .., climb: .., "},
        {ANTON "control: {speed: 1}\n", "7:11", "unknown key 'speed'; known here: arm, biped, callback, climb"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}

TEST(robots_without_legs_are_reported)
{
    write_file("rod.yaml",
               "footfall: 1\nname: rod\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}},\n"
               "  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n");
    static const bad_scene bad[] = {{"robot: rod.yaml\ncontrol: {gait: tripod}\n", "3:17", "describes 0 legs"},
                                    // Silva's drives have no loops: they would let the robot fall without a word
                                    {"robot: " FF_SOURCE_DIR "/robots/silva/ideal.yaml\ncontrol: {gait: tripod}\n",
                                     "3:17", "which drive 'FL_hip' does not follow: its loop is 'direct'"}};
    must_refuse(bad, sizeof bad / sizeof *bad);
}

TEST(commands_start_turn_and_stop_the_walk)
{
    must_run(
        ANTON
        "control: {gait: tripod, walk: false, speed: 0.1, commands: [{at: 0.5, walk: true}, {at: 1.5, walk: false}]}\n"
        "time: 3\nmetrics: {from: 0.5, windows: {before: {to: 0.45}, after: {from: 2.8}}}\n");
    CHECK_BELOW(metric("before.distance"), 1e-3); // [m] it stands, within the creep of rubber
    // a second of walking, less the start: the tripod that waits halves the speed of the first half step
    CHECK_NEAR(metric("walk.distance"), 0.1, 0.025);
    CHECK_BELOW(metric("after.speed.mean"), 2e-3);
    CHECK_NEAR(metric("walk.falls"), 0.0, 0.0);
    finish();
}

TEST(the_later_of_speed_and_transfer_holds)
{
    // V_tr 0.3 m/s is 0.1 m/s of the body in tripod; then a speed is commanded, and last a stand; it stops after three
    // steps at most, 2.8 s
    static const char *const brief[] = {"control.commands=[{at: 0.6, speed: 0.05}, {at: 1.2, speed: 0}]", "time=1.8",
                                        "metrics={}"};
    CHECK(load_with(ANTON
                    "control: {gait: tripod, transfer: 0.3, commands: [{at: 1.5, speed: 0.05}, {at: 4, speed: 0}]}\n"
                    "time: 7.2\nmetrics: {windows: {slow: {from: 2, to: 3.8667}, still: {from: 6.8}}}\n",
                    brief, CHECK_LASTS(0, 3)));
    must_go();
    CHECK_NEAR(metric("walk.falls"), 0.0, 0.0);
    if (CHECK_LASTS(1, 0)) { // else too brief for speeds
        CHECK_NEAR(metric("slow.speed.mean"), 0.05,
                   0.0025); // over a period of 2 L / (tau V_tr) = 1.867 s; 5 %, as the book asks
        CHECK_BELOW(metric("still.speed.mean"), 2e-3);
    }
    finish();
}

TEST(a_command_after_the_end_is_warned_of)
{
    must_load(ANTON "control: {gait: tripod, commands: [{at: 3, speed: 0}]}\ntime: 2\n");
    bool told = false;
    for (int i = 0; i < report.count; i++) told = told || strstr(message(i), "comes at 3 s, after the end") != NULL;
    CHECK(told);
    finish();
}

TEST(a_command_that_asks_for_nothing_is_warned_of)
{
    must_load(ANTON "control: {gait: tripod, commands: [{at: 1}, {at: 1.5, walk: false}]}\ntime: 2\n");
    int told = 0;
    for (int i = 0; i < report.count; i++) told += strstr(message(i), "this command asks for nothing") != NULL;
    CHECK_INT(told, 1);
    finish();
}

TEST(a_walk_saved_in_the_middle_goes_on_with_the_same_bits)
{
    must_load(ANTON "effects: {drives: full, transmission: backlash, sensors: real, bus: modelled}\ntime: 3\n"
                    "control: {gait: tripod, speed: 0.1, commands: [{at: 0.8, gait: wave, speed: 0.03}]}\n");
    must_resume(0.7134, CHECK_LASTS(1.3, 0.9)); // feet in the air, between two ticks
    finish();
}

TEST(two_robots_walk_each_by_its_own_commands)
{
    static const char *const brief[] = {"time=1", "metrics={}"};
    CHECK(load_with("robots:\n"
                    "  - {file: " FF_SOURCE_DIR "/robots/anton/anton.yaml, name: left, start: {pose: stand},\n"
                    "     place: {pos: [0, 1, 0], settle: true}, control: {gait: tripod, speed: 0.1}}\n"
                    "  - {file: " FF_SOURCE_DIR "/robots/anton/anton.yaml, name: right, start: {pose: stand},\n"
                    "     place: {pos: [0, -1, 0], settle: true}, control: {gait: tripod, speed: -0.05}}\n"
                    "terrain: [{plane: {material: lab-floor}}]\nsolver: {method: implicit, step: 1e-3}\n"
                    "time: 3.3667\nmetrics: {from: 1.5}\n", // two periods of the left one, one of the right one
                    brief, CHECK_LASTS(0, 2)));
    must_go();
    CHECK_NEAR(metric("walk.left.falls") + metric("walk.right.falls"), 0.0, 0.0);
    if (CHECK_LASTS(1, 0)) {                                       // else too brief for speeds
        CHECK_NEAR(metric("walk.left.speed.forward"), 0.1, 0.005); // 5 %, as the book asks
        CHECK_NEAR(metric("walk.right.speed.forward"), -0.05, 0.0025);
    }
    finish();
}

TEST(another_robot_walks_with_the_same_controller)
{
    // 18 hobby servos, touch sensors, one body, no sensors of joints
    must_run(
        "robot: " FF_SOURCE_DIR "/robots/servo-hexapod/servo-hexapod.yaml\nstart: {pose: stand}\n"
        "effects: {drives: full, sensors: real}\nplace: {settle: true}\nterrain: [{plane: {material: lab-floor}}]\n"
        "solver: {method: implicit, step: 1e-3}\ncontrol: {gait: tripod, speed: 0.06, length: 0.05, zone: 0.02}\n"
        "time: 3.3\nmetrics: {from: 1.06, to: 3.3}\n"); // two periods of 2 L / (tau V_tr) = 1.11 s
    CHECK_NEAR(metric("walk.speed.mean"), 0.06, 0.006); // a tenth: nothing measures what the servos give way
    CHECK_NEAR(metric("walk.duty"), 0.5, 0.05);
    CHECK_NEAR(metric("walk.falls"), 0.0, 0.0);
    finish();
}

TEST(speed_beyond_reach_is_reported_after_the_run)
{
    must_run(ANTON "control: {gait: wave, speed: 3}\ntime: 0.1\n");
    ff_run_report_limits(run, &report);
    bool told = false;
    for (int i = 0; i < report.count; i++) told = told || strstr(message(i), "speed beyond the limit") != NULL;
    CHECK(told);
    finish();
}
