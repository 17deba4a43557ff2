// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of whole stances, by a robot whose stances are known: four feet on ground without friction and damping hop
// for ever, x'' = g - w^2 x while they are x deep. Landing with the speed u they stay for
//     T = 2 (pi - atan(w u / g)) / w      and are in the air for     2 u / g.
// Meanwhile the robot glides at a constant speed, and a ballast goes ahead through it at another: nothing couples the
// three motions.
#include "scene/scene_helpers.h"

static const double G = 9.81, OMEGA = 40.0, LANDING = 1.0; // [m/s^2], [rad/s], [m/s]
static const double GLIDE = 0.25, MASS = 4.0;              // [m/s], [kg]
enum { HOPS = 10, CROSSING = 3 };                          // the centre of mass leaves the feet after so many hops

/// Feet 0.4 m apart along the robot and 0.3 m across; a quarter of its mass is ballast.
static void write_hopper(void)
{
    char text[3000];
    int n = snprintf(text, sizeof text,
                     "footfall: 1\nbodies:\n  trunk:\n    joints: {ahead: {type: slide, axis: x}, up: {type: slide, "
                     "axis: z}}\n    inertial: {mass: 2, sphere: 0.1}\n    bodies:\n      ballast:\n"
                     "        joint: {name: shift, type: slide, axis: x}\n        inertial: {mass: 1, sphere: 0.1}\n");
    for (int i = 0; i < 4; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "      shin%d:\n        pos: [%g, %g, -0.5]\n        joint: {name: knee%d, axis: z}\n"
                      "        inertial: {mass: 0.25, sphere: 0.05}\n"
                      "        shapes: [{sphere: 0.1, material: rigid}]\n        frames: {foot%d: {}}\n",
                      i, i < 2 ? 0.2 : -0.2, i % 2 ? -0.15 : 0.15, i, i);
    snprintf(text + n, sizeof text - (size_t)n,
             "legs: {FL: {joints: [knee0], foot: foot0}, FR: {joints: [knee1], foot: foot1}, "
             "RL: {joints: [knee2], foot: foot2}, RR: {joints: [knee3], foot: foot3}}\n");
    write_file("hopper.yaml", text);
}

/// From the top of a hop to the top of the last; the ballast starts 0.4 m behind the middle and is 0.8 m ahead of it,
/// which puts the centre of mass onto the line between the front feet, at the top after CROSSING hops.
static void hop(double stance, double flight)
{
    const double period = stance + flight, height = LANDING * LANDING / (2.0 * G);
    char text[1500];
    write_hopper();
    snprintf(text, sizeof text,
             "robot: hopper.yaml\nstart: {joints: {up: %.15g, shift: -0.4}, speeds: {ahead: %g, shift: %.15g}}\n"
             "terrain: [{plane: {material: springy}}]\ngravity: [0, 0, -9.81]\ntime: %.15g\n"
             "solver: {method: rk4, step: 0.1 ms}\nmaterials: {springy: {normal: {law: linear, stiffness: %.15g}, "
             "friction: {law: none}}}\n",
             0.6 + height, GLIDE, 1.2 / (CROSSING * period), HOPS * period, 0.25 * MASS * OMEGA * OMEGA);
    must_run(text);
}

TEST(stances_of_a_hopping_robot_show_their_slip_margin_and_neighbours)
{
    const double stance = 2.0 * (FF_PI - atan(OMEGA * LANDING / G)) / OMEGA, flight = 2.0 * LANDING / G;
    hop(stance, flight);
    // a step of 0.1 ms at either end
    const double slip = GLIDE * stance, step = GLIDE * 0.1e-3;
    CHECK_NEAR(metric("walk.steps"), 4 * HOPS, 0);
    CHECK_NEAR(metric("walk.slip.step"), slip, step);
    CHECK_NEAR(metric("walk.slip.max"), slip, 2.0 * step);
    CHECK_NEAR(metric("walk.RR.slip.step"), slip, step);
    CHECK_NEAR(metric("walk.RR.slip.max"), slip, 2.0 * step);
    CHECK_NEAR(metric("walk.RR.slip"), HOPS * slip, HOPS * step);
    // samples are 10 ms apart, and each stands for the time since the one before: one of them more or less a hop
    CHECK_NEAR(metric("walk.neighbours"), HOPS * flight, HOPS * 10e-3);
    CHECK_NEAR(metric("walk.margin.negative"), (HOPS - CROSSING) / (double)HOPS, 10e-3 / stance);
    finish();
}

// Each foot comes down once a hop and carries a quarter of what falls meanwhile: the weight times the period in the
// time of a stance.
TEST(cycles_and_forces_of_a_hopping_robot_are_those_of_its_hops)
{
    const double stance = 2.0 * (FF_PI - atan(OMEGA * LANDING / G)) / OMEGA, flight = 2.0 * LANDING / G;
    const double period = stance + flight, step = 0.1e-3;
    hop(stance, flight);
    CHECK_NEAR(metric("walk.RL.period"), period, 2.0 * step / (HOPS - 1));
    CHECK_NEAR(metric("walk.period"), period, 2.0 * step / (HOPS - 1));
    CHECK_NEAR(metric("walk.RL.duty"), stance / period, step / period);
    CHECK_NEAR(metric("walk.RL.contact"), stance / period, step / period);
    CHECK_NEAR(metric("walk.RL.force.mean"), 0.25 * MASS * G, 1e-4 * MASS * G);
    CHECK_NEAR(metric("walk.RL.force.stance"), 0.25 * MASS * G * period / stance, 2.0 * step / stance * MASS * G);
    // what is not leg weighs 3 kg, one of which is the ballast that goes 1.2 m ahead in CROSSING hops
    const double stride = GLIDE * period + 1.2 / CROSSING / 3.0;
    CHECK_NEAR(metric("walk.stride"), stride, stride * 2.0 * step / period);
    finish();
}

// Ground without compliance has no forces that a method could integrate slip with: it is the sum over the ends of
// steps.
TEST(feet_that_glide_on_ground_without_compliance_slide_as_far_as_they_go)
{
    const double time = 0.4;
    char text[600];
    write_hopper();
    snprintf(
        text, sizeof text,
        "robot: hopper.yaml\nstart: {joints: {up: 0.6}, speeds: {ahead: %g}}\nterrain: [{plane: {material: smooth}}]\n"
        "gravity: [0, 0, -9.81]\ntime: %g\nsolver: {method: euler, step: 1 ms}\ncontacts: {response: simultaneous}\n"
        "materials: {smooth: {normal: {law: linear, stiffness: 1e5}, friction: {law: none}}}\n",
        GLIDE, time);
    must_run(text);
    CHECK_NEAR(metric("walk.RR.slip"), GLIDE * time, GLIDE * 1e-3); // a step at the start
    // the robot cannot tilt: which feet carry it is open, and those that do not carry do not slide
    const double all =
        metric("walk.FL.slip") + metric("walk.FR.slip") + metric("walk.RL.slip") + metric("walk.RR.slip");
    CHECK_NEAR(metric("contacts.slip"), all, 1e-9 * all);
    CHECK_NEAR(metric("walk.force.sum"), 1.0, 1e-3 / time);
    finish();
}
