// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of sensors against closed forms: a wheel that turns at a steady speed, seen by a potentiometer, and balls and
// a wall before a camera.
#include "scene/scene_helpers.h"

#include <footfall/math.h>

static void write_robot(void)
{
    write_file("wheel.yaml", "footfall: 1\n"
                             "name: wheel\n"
                             "gravity: [0, 0, 0]\n"
                             "bodies:\n"
                             "  wall: {pos: [2, 0, 0], shapes: [{name: wall, box: [0.2, 2, 1]}]}\n"
                             "  eye: {pos: [0, 0.5, 0], frames: {eye: {}}}\n"
                             "  rotor:\n"
                             "    pos: [0, 0, 2]\n"
                             "    joint: {name: axle, axis: x}\n"
                             "    inertial: {mass: 1.0, box: [0.2, 0.2, 0.1]}\n"
                             "sensors:\n"
                             "  turn: {type: potentiometer, joint: axle, rate: 100, delay: 2, range: 4, bits: 10}\n"
                             "  exact: {type: potentiometer, joint: axle, rate: 100}\n"
                             "  film: {type: camera, frame: eye, width: 100, height: 80, field: 90 deg, rate: 10}\n"
                             "  pad: {type: tactile, frame: eye, rows: 2, columns: 3}\n");
}

static const char SCENE[] = "robot: wheel.yaml\n"
                            "start: {speeds: {axle: 2}}\n"
                            "effects: {sensors: real, cameras: true}\n"
                            "solver: {method: rk4, step: 1e-3}\n"
                            "time: 1\n"
                            "expect:\n";

static void run_with(const char *const *metrics, int n)
{
    char text[4000];
    size_t at = (size_t)snprintf(text, sizeof text, "%s", SCENE);
    for (int i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "  - {metric: %s, at_least: -1e9}\n", metrics[i]);
    write_robot();
    must_run(text);
}

// Samples at 0.01, 0.02, .. 1.00 s of q = 2 t, and for the delayed one those up to 0.98.
TEST(statistics_are_those_of_the_samples)
{
    static const char *const names[] = {
        "sensors.exact.position.mean",    "sensors.exact.position.std",  "sensors.exact.position.final",
        "sensors.exact.position.min",     "sensors.exact.position.max",  "sensors.exact.position.slope",
        "sensors.exact.position.samples", "sensors.exact.position.step", "sensors.exact.position.allan.10",
        "sensors.turn.position.final",    "sensors.turn.position.step",  "sensors.turn.position.samples",
        "sensors.pad.touched.final",      "sensors.pad.pressure.1.2.max"};
    run_with(names, 14);
    CHECK_NEAR(metric(names[0]), 1.01, 1e-12);                              // 2 (0.01 + 1) / 2
    CHECK_NEAR(metric(names[1]), 0.02 * sqrt(100.0 * 101.0 / 12.0), 1e-12); // of 100 even steps of 0.02
    CHECK_NEAR(metric(names[2]), 2.0, 1e-12);
    CHECK_NEAR(metric(names[3]), 0.02, 1e-12);
    CHECK_NEAR(metric(names[4]), 2.0, 1e-12);
    CHECK_NEAR(metric(names[5]), 2.0, 1e-12);
    CHECK(metric(names[6]) == 100.0);
    CHECK_NEAR(metric(names[7]), 0.02, 1e-12);
    CHECK_NEAR(metric(names[8]), 0.2 / sqrt(2.0), 1e-12);           // means of ten are 0.2 apart
    CHECK_NEAR(metric(names[9]), 1.96, 0.5 * 8.0 / 1024.0 + 1e-12); // two samples late, rounded
    CHECK_NEAR(metric(names[10]), 2.0 * 8.0 / 1024.0, 1e-12);       // 0.02 is two or three of its 1/128
    CHECK(metric(names[11]) == 98.0);
    CHECK(metric(names[12]) == 0.0 && metric(names[13]) == 0.0);
    finish();
}

// The face of the wall, 1.9 m before the eye, reaches from y = -1 to 1 and z = -0.5 to 0.5; the eye is at y = 0.5; f =
// 40 pixels.
TEST(shapes_are_where_a_pinhole_shows_them)
{
    static const char *const names[] = {"sensors.film.sees.wall.left",  "sensors.film.sees.wall.right",
                                        "sensors.film.sees.wall.top",   "sensors.film.sees.wall.bottom",
                                        "sensors.film.sees.wall.depth", "sensors.film.sees.wall.pixels"};
    run_with(names, 6);
    const double left = 50.0 - 40.0 * 0.5 / 1.9, right = 50.0 + 40.0 * 1.5 / 1.9, high = 40.0 * 0.5 / 1.9;
    CHECK_NEAR(metric(names[0]), left, 0.5); // [pixel] a pixel shows what its middle sees
    CHECK_NEAR(metric(names[1]), right, 0.5);
    CHECK_NEAR(metric(names[2]), 40.0 - high, 0.5);
    CHECK_NEAR(metric(names[3]), 40.0 + high, 0.5);
    CHECK_NEAR(metric(names[4]), 1.9, 1e-6);
    CHECK(metric(names[5]) == (metric(names[1]) - metric(names[0])) * (metric(names[3]) - metric(names[2])));
    finish();
}

TEST(names_that_mean_nothing_are_refused)
{
    static const char *const wrong[] = {
        "sensors.exact.speed.mean",     "sensors.exac.position.mean",      "sensors.exact.position.median",
        "sensors.exact.position",       "sensors.exact.position.allan.0",  "sensors.exact.position.allan.x",
        "sensors.exact.position.allan", "sensors.film.sees.nothing.left",  "sensors.film.sees.wall.middle",
        "sensors.film.sees.wall",       "sensors.pad.pressure.2.0.final",  "sensors.pad.pressure.0.3.final",
        "sensors.pad.pressure.1.final", "sensors.exact.position.allan.-3", "sensors."};
    write_robot();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s  - {metric: %s, at_least: 0}\n", SCENE, wrong[i]);
        const bad_scene bad = {text, "8:14", "no metric"};
        must_refuse(&bad, 1);
    }
}

TEST(without_sensors_there_are_no_metrics_of_them)
{
    write_robot();
    const bad_scene bad = {"robot: wheel.yaml\nexpect: [{metric: sensors.exact.position.mean, at_least: 0}]\n", "3:19",
                           "no metric"};
    must_refuse(&bad, 1);
}
