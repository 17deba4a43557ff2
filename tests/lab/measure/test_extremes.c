// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Least and greatest values count at the start and after every step, not only 100 times a second.
#include "scene/scene_helpers.h"

/// A ball of 1 kg on a vertical rail.
static void write_robot(void)
{
    write_file("ball.yaml", "footfall: 1\n"
                            "name: ball\n"
                            "gravity: [0, 0, -10]\n"
                            "bodies:\n"
                            "  ball:\n"
                            "    joint: {name: rail, type: slide, axis: z}\n"
                            "    inertial: {mass: 1.0, box: [0.2, 0.2, 0.1]}\n");
}

// Thrown up with 0.55 m/s the ball turns after 55 ms, half way between two samples, at v^2 / (2 g) = 15.125 mm; samples
// would miss g (5 ms)^2 / 2 = 0.125 mm.
TEST(a_peak_between_samples_is_seen)
{
    write_robot();
    must_run("robot: ball.yaml\nstart: {speeds: {rail: 0.55}}\nsolver: {method: rk4, step: 1e-3}\ntime: 0.1\n");
    CHECK_NEAR(metric("joints.rail.max"), 0.015125, 1e-12); // [m] a parabola is exact for rk4
    CHECK_NEAR(metric("com.highest"), 0.015125, 1e-12);
    finish();
}

TEST(the_start_and_the_end_count)
{
    write_robot();
    must_run("robot: ball.yaml\nstart: {joints: {rail: 0.3}}\nsolver: {method: rk4, step: 3e-3}\ntime: 0.1\n");
    CHECK_NEAR(metric("joints.rail.max"), 0.3, 1e-15);
    CHECK_NEAR(metric("com.highest"), 0.3, 1e-15);
    CHECK_NEAR(metric("joints.rail.min"), 0.25, 1e-12); // [m] g t^2 / 2 lower
    CHECK_NEAR(metric("com.lowest"), 0.25, 1e-12);
    CHECK_NEAR(metric("joints.rail.min"), metric("joints.rail.final"), 0);
    finish();
}

// ------------------------------------------------------------------------------------------ oscillators
//
// Without gravity a spring of stiffness I w^2 brings the start back as A cos(w t). Half a period of 105 ms ends half
// way between two samples: they would miss 1 - cos(w 5 ms) = 1.1 % of A. rk4 with 0.5 ms errs by
// (w h)^4 / 120 = 4e-10 a radian.

#define HALF_PERIOD 0.105 // [s]
#define AMPLITUDE   0.02  // [rad, m]
#define RUN                                                                                                            \
    "terrain: [{plane: {}}]\nsolver: {method: rk4, step: 0.5 ms}\n"                                                    \
    "time: 0.15\nmetrics: {report: [energy.kinetic.max]}\n"

/// A trunk of 2 kg, 0.3 kg m^2 about z, 1 m above the ground, with a leg of 1 kg whose foot stands on the trunk's axis.
static void write_walker(const char *trunk, const char *knee)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "footfall: 1\ngravity: [0, 0, 0]\nbodies:\n  trunk:\n    pos: [0, 0, 1]\n%s"
        "    inertial: {mass: 2, inertia: [0.2, 0.2, 0.3]}\n    bodies:\n      shin:\n        joint: {name: knee, %s}\n"
        "        inertial: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n        shapes: [{sphere: 0.03, pos: [0, 0, "
        "-0.5]}]\n"
        "        frames: {foot: {pos: [0, 0, -0.5]}}\nlegs: {L: {joints: [knee], foot: foot}}\n",
        trunk, knee);
    write_file("walker.yaml", text);
}

static double stiffness(double inertia)
{
    return inertia * (FF_PI / HALF_PERIOD) * (FF_PI / HALF_PERIOD);
}

// The trunk turns on a spring, the shin about its own axis does not follow: the heading strays by 2 A at most.
TEST(a_heading_error_between_samples_is_seen)
{
    char trunk[100];
    snprintf(trunk, sizeof trunk, "    joint: {name: yaw, axis: z, spring: {stiffness: %.17g}}\n", stiffness(0.3));
    write_walker(trunk, "axis: z");
    must_run("robot: walker.yaml\nstart: {joints: {yaw: 0.02}}\n" RUN);
    CHECK_NEAR(metric("walk.heading.max"), 2.0 * AMPLITUDE, 1e-7 * AMPLITUDE);
    finish();
}

// The leg slides along the body on a spring; the trunk could move up and down alone.
TEST(a_foot_farthest_behind_between_samples_is_seen)
{
    char knee[100];
    snprintf(knee, sizeof knee, "type: slide, axis: x, spring: {stiffness: %.17g}", stiffness(1.0));
    write_walker("    joint: {name: lift, type: slide, axis: z}\n", knee);
    must_run("robot: walker.yaml\nstart: {joints: {knee: 0.02}}\n" RUN);
    CHECK_NEAR(metric("walk.L.x.min"), -AMPLITUDE, 1e-7 * AMPLITUDE);
    CHECK_NEAR(metric("walk.L.x.max"), AMPLITUDE, 0);
    finish();
}

// All energy of the spring has become kinetic after 52.5 ms; samples would miss (w 2.5 ms)^2 = 0.6 % of it.
TEST(a_peak_of_kinetic_energy_between_samples_is_seen_by_who_asks)
{
    char knee[100];
    const double most = 0.5 * stiffness(1.0) * AMPLITUDE * AMPLITUDE; // [J]
    snprintf(knee, sizeof knee, "type: slide, axis: x, spring: {stiffness: %.17g}", stiffness(1.0));
    write_walker("    joint: {name: lift, type: slide, axis: z}\n", knee);
    must_run("robot: walker.yaml\nstart: {joints: {knee: 0.02}}\n" RUN);
    CHECK_NEAR(metric("energy.kinetic.max"), most, 1e-7 * most);
    finish();
}
