// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What counts as a fall, and what does not, where nothing but feet touches the ground and nothing tilts: legs that give
// way, bodies that are ordered down, robots that are dropped or climb. Falls onto the body and onto the side are in
// test_walk.c. And headings: a turn that was commanded is no error.
#include "scene/scene_helpers.h"

#define ANTON                                                                                                          \
    "robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\nstart: {pose: stand}\n"                                         \
    "effects: {drives: ideal, sensors: perfect}\nsolver: {method: euler, step: 1e-3}\n"
#define FLOOR "terrain: [{plane: {material: lab-floor}}]\n"

static void must_run_file(const char *path, const char *const *overrides, int noverride)
{
    must_load_file(path, overrides, noverride);
    must_go();
}

/// A trunk of 3 kg, 0.5 m above the centre of a foot of 3 cm, which a leg of 1 kg holds on a slide.
static void write_sinking(void)
{
    write_file("sinking.yaml",
               "footfall: 1\nbodies:\n  trunk:\n    pos: [0, 0, 1]\n    joint: {name: lift, type: slide, axis: z}\n"
               "    inertial: {mass: 3, sphere: 0.1}\n    bodies:\n      shin:\n"
               "        joint: {name: knee, type: slide, axis: z}\n        inertial: {mass: 1, sphere: 0.05}\n"
               "        shapes: [{sphere: 0.03, pos: [0, 0, -0.5]}]\n        frames: {foot: {pos: [0, 0, -0.5]}}\n"
               "legs: {L: {joints: [knee], foot: foot}}\n");
}

// ------------------------------------------------------------------------------------------ legs that fail

// The trunk sinks towards a foot that stays, at 0.5 m/s: of 0.53 m half is left after 0.53 s. Where both sink, as in
// free fall, none is a fall.
TEST(a_body_that_sinks_to_half_its_height_above_its_feet_has_fallen)
{
    write_sinking();
    must_run("robot: sinking.yaml\ngravity: [0, 0, 0]\nstart: {speeds: {lift: -0.5, knee: 0.5}}\n" FLOOR
             "solver: {method: rk4, step: 1 ms}\ntime: 0.9\n");
    CHECK_NEAR(metric("walk.falls"), 1, 0);
    CHECK_NEAR(metric("walk.fall.time"), 0.53, 10e-3); // [s] a sample
    must_run("robot: sinking.yaml\ngravity: [0, 0, 0]\nstart: {speeds: {lift: -0.5}}\n" FLOOR
             "solver: {method: rk4, step: 1 ms}\ntime: 0.9\n");
    CHECK_NEAR(metric("walk.falls"), 0, 0);
    finish();
}

// The same in runs that end before a fall has lasted as long as the debounce: 10 ms after it began, and before.
TEST(a_run_that_ends_in_a_fall_counts_it)
{
    static const struct {
        const char *time;
        double falls;
    } ends[] = {{"time: 0.51\n", 0}, {"time: 0.54\n", 1}};
    write_sinking();
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s",
                 "robot: sinking.yaml\ngravity: [0, 0, 0]\nstart: {speeds: {lift: -0.5, knee: 0.5}}\n" FLOOR
                 "solver: {method: rk4, step: 1 ms}\nmetrics: {debounce: 0.1}\n",
                 ends[i].time);
        must_run(text);
        CHECK_NEAR(metric("walk.falls"), ends[i].falls, 0);
        if (ends[i].falls > 0) CHECK_NEAR(metric("walk.fall.time"), 0.53, 10e-3); // [s] a sample
    }
    finish();
}

// Its segments cannot turn, and nothing of it but its feet meets the ground.
TEST(silvas_hexapod_falls_where_its_drives_cannot_hold_it)
{
    static const char *const torques[] = {"10", "60", "62", "400"};
    for (int i = 0; i < 4; i += CHECK_LASTS(1, 3)) {
        char torque[60];
        snprintf(torque, sizeof torque, "control.planar_walk.torque=%s", torques[i]);
        const char *const changes[] = {"variant=rigid", torque, "solver={method: implicit, accuracy: 1e-3}",
                                       i == 0 ? "time=0.6" : "time=2.2"};
        must_run_file(FF_SOURCE_DIR "/experiments/silva-control.yaml", changes, 4);
        CHECK_NEAR(metric("walk.tilt.max"), 0.0, 1e-9);
        CHECK_NEAR(metric("walk.falls") > 0, i < 3, 0);
    }
    finish();
}

// ------------------------------------------------------------------------------------------ no falls

// Ordered to 0.42 m the body passes below half of the 0.9 m it began with, and is ordered up again while it is there.
TEST(a_body_that_is_ordered_down_has_not_fallen)
{
    static const char orders[] = "control.commands=[{at: 0.1, height: 0.7}, {at: 0.5, height: 0.55}, "
                                 "{at: 0.9, height: 0.42}, {at: 1.15, height: 0.6}]";
    const char *const changes[] = {"variant=compact-clay",
                                   "solver={method: implicit, accuracy: 1e-3}",
                                   "time=1.6",
                                   "control.planar_walk={gait: wave, duty: 0.5, step: 0.3, speed: 0.5}",
                                   orders,
                                   "start={speeds: {body_x: 0.5}}",
                                   "metrics={windows: {low: {from: 1.05, to: 1.15}}}"};
    must_run_file(FF_SOURCE_DIR "/experiments/silva-soils.yaml", changes, 7);
    CHECK_BELOW(metric("low.height.mean"), 0.45);
    CHECK_NEAR(metric("walk.falls"), 0, 0);
    finish();
}

TEST(anton_bows_and_is_dropped_without_a_fall)
{
    must_run(ANTON FLOOR "place: {settle: true}\ntime: 2.5\n"
                         "control: {gait: tripod, walk: false, commands: [{at: 0.2, height: 0.075}]}\n");
    CHECK_NEAR(metric("walk.falls"), 0, 0);
    must_run(ANTON FLOOR "place: {pos: [0, 0, 0.2]}\ntime: 1\ncontrol: {gait: tripod, walk: false}\n");
    CHECK_NEAR(metric("walk.falls"), 0, 0);
    finish();
}

// Feet of one row stand 6 cm higher than those of the other, more than half of the height of the body: what counts is
// the lowest.
TEST(feet_that_stand_higher_make_no_fall)
{
    must_run(ANTON "terrain:\n  - plane: {material: lab-floor}\n"
                   "  - box: {size: [0.3, 1, 0.06], pos: [0.33, 0, 0.03], material: lab-floor}\n"
                   "place: {pos: [0, 0, 0.06], settle: false}\ntime: 1\ncontrol: {gait: tripod, walk: false}\n");
    CHECK_NEAR(metric("walk.falls"), 0, 0);
    finish();
}

// ------------------------------------------------------------------------------------------ headings

// 0.2 rad/s until 1.5 s: what is ordered from 1 to 2 s is 0.1 rad, what is turned less that the error.
TEST(a_turn_that_was_ordered_is_no_error_of_the_heading)
{
    must_run(ANTON FLOOR "place: {settle: true}\ntime: 4\nmetrics: {windows: {middle: {from: 1, to: 2}}}\n"
                         "control: {gait: tripod, speed: 0, turn: 0.2, commands: [{at: 1.5, walk: false}]}\n");
    CHECK_NEAR(metric("middle.turned") - metric("middle.heading.error"), 0.1, 2e-3 + 1e-9); // [rad] a sample
    CHECK_NEAR(metric("walk.turned") - metric("walk.heading.error"), 0.3, 2e-3 + 1e-9);
    CHECK_NEAR(metric("walk.heading.error"), 0.0, 0.06); // [rad] a fifth: it starts and stops gently
    CHECK(metric("walk.heading.max") >= fabs(metric("walk.heading.error")));
    CHECK_NEAR(metric("walk.turned"), 0.3, 0.06);
    finish();
}
