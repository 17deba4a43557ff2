// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A part of what docs/robustness.md shows, short: ANTON in tripod with full drives, real sensors and a bus goes on
// walking when it is pushed, loses a sensor, misses a telegram in twenty, or is dropped askew; what cannot be
// survived ends as a fall that is reported, not as a run that breaks off.
#include "scene_helpers.h"

#define WALK                                                                                                           \
    "robot: " FF_SOURCE_DIR                                                                                            \
    "/robots/anton/anton.yaml\nstart: {pose: stand}\nterrain: [{plane: {material: lab-floor}}]\n"                      \
    "effects: {drives: full, transmission: rigid, sensors: real, bus: {loss: 0.05}}\nsolver: {method: euler, step: "   \
    "1e-3}\n"
#define TRIPOD "control: {gait: tripod, speed: 0.1}\n"

/// It walks on: within a fifth of the ordered speed over the last period, and never fell.
static void must_walk_on(void)
{
    CHECK_NEAR(metric("walk.falls"), 0.0, 0.0);
    CHECK_NEAR(metric("walk.speed.forward"), 0.1, 0.02); // [m/s]
}

TEST(a_push_a_lost_sensor_and_lost_telegrams_do_not_stop_it)
{
    must_run(WALK TRIPOD "place: {settle: true}\ntime: 3.7333\nmetrics: {from: 2.8}\n"
                         "faults: [{sensor: FL_foot_force, from: 1}, {sensor: MR_foot_force, from: 1.5, kind: stuck}]\n"
                         "forces: [{body: middle, impulse: [0, 4, 0], from: 1.6, to: 1.7}]\n");
    must_walk_on();
    finish();
}

TEST(dropped_askew_it_stands_up_and_walks)
{
    must_run(WALK "control: {gait: tripod, walk: false, speed: 0.1, commands: [{at: 1, walk: true}]}\n"
                  "place: {pos: [0, 0, 0.14], rpy: [10 deg, 10 deg, 20 deg]}\ntime: 3.7333\nmetrics: {from: 2.8}\n");
    must_walk_on();
    finish();
}

// A body that bends in the middle is held by its legs: those of the segment that hangs lift it. Both motors of a
// shoulder, so pitch and yaw, are off just before a tripod lifts, and while one is in the air.
TEST(a_joint_of_the_body_without_power_does_not_throw_it)
{
    static const char *const joints[] = {"{drive: \"front_*\", from: 1.4, kind: off}",
                                         "{drive: \"front_*\", from: 1.7, kind: off}",
                                         "{drive: \"rear_*\", from: 1.6, kind: off}"};
    for (int i = 0; i < CHECK_LASTS(3, 1); i++) {
        char text[1024];
        snprintf(text, sizeof text, WALK TRIPOD "place: {settle: true}\ntime: %g\nfaults: [%s]\n",
                 CHECK_LASTS(5.0, 2.4), joints[i]);
        must_run(text);
        CHECK_NEAR(metric("walk.falls"), 0.0, 0.0);
        CHECK_BELOW(metric("walk.tilt.max"), 0.2); // [rad] of the middle segment
        finish();
    }
}

// Six legs without power cannot carry: the body sinks to the ground, and everything stays finite.
TEST(without_power_it_sinks_and_is_reported_to_have_fallen)
{
    must_run(WALK TRIPOD "place: {settle: true}\ntime: 2\nfaults: [{drive: \"*\", from: 0.5, kind: off}]\n");
    CHECK(metric("walk.falls") >= 1.0);
    CHECK(metric("walk.fall.time") > 0.5);
    CHECK(isfinite(metric("com.z")));
    CHECK_BELOW(metric("com.z"), 0.06); // [m] from 0.1: boxes of 0.07 m on the ground, legs beside them
    finish();
}
