// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics that a scene reports without expecting anything of them: `metrics: {report: [..]}`.
#include "scene/scene_helpers.h"

#include <footfall/math.h>

/// A wheel that turns at 2 rad/s, seen by a potentiometer, and a bob that falls.
static void write_robot(void)
{
    write_file("wheel.yaml", "footfall: 1\n"
                             "name: wheel\n"
                             "bodies:\n"
                             "  rotor:\n"
                             "    joint: {name: axle, axis: z}\n"
                             "    inertial: {mass: 1.0, box: [0.2, 0.2, 0.1]}\n"
                             "  bob:\n"
                             "    joint: {name: fall, type: slide, axis: z}\n"
                             "    inertial: {mass: 1.0, box: [0.2, 0.2, 0.1]}\n"
                             "sensors:\n"
                             "  exact: {type: potentiometer, joint: axle, rate: 100}\n");
}

static const char SCENE[] = "robot: wheel.yaml\n"
                            "start: {speeds: {axle: 2}}\n"
                            "effects: {sensors: real}\n"
                            "solver: {method: rk4, step: 1e-3}\n"
                            "time: 1\n"
                            "%s\n";

static const char *scene_with(const char *more)
{
    static char text[2000];
    snprintf(text, sizeof text, SCENE, more);
    return text;
}

/// How often a metric is in the list that becomes summary.json.
static int times_listed(const char *name)
{
    int n = 0;
    for (int i = 0; i < ff_run_result(run)->nmetric; i++) n += strcmp(ff_run_result(run)->metrics[i].name, name) == 0;
    return n;
}

// Samples at 0.01, 0.02, .. 1.00 s of q = 2 t.
TEST(a_metric_is_reported_without_an_expectation)
{
    write_robot();
    must_run(scene_with("metrics: {report: [sensors.exact.position.mean, com.z, bodies.bob.vz.final]}"));
    CHECK_INT(scene->nreported, 3);
    CHECK_INT(scene->nexpectation, 0);
    CHECK(ff_run_result(run)->passed);
    CHECK_NEAR(metric("sensors.exact.position.mean"), 1.01, 1e-12);
    CHECK_NEAR(metric("bodies.bob.vz.final"), -9.81, 1e-2); // [m/s] g t, whatever g of the standard is to two places
    CHECK_INT(times_listed("sensors.exact.position.mean"), 1);
    CHECK_INT(times_listed("bodies.bob.vz.final"), 1);
    CHECK_INT(times_listed("com.z"), 1); // which every run has
    finish();
}

TEST(nobody_follows_what_is_not_asked_for)
{
    double value;
    write_robot();
    must_run(scene_with(""));
    CHECK(!ff_run_metric(run, "sensors.exact.position.mean", &value));
    CHECK_INT(times_listed("bodies.bob.vz.final"), 0);
    finish();
}

TEST(a_pattern_reports_all_that_fit_once)
{
    write_robot();
    must_run(scene_with("metrics: {report: ['bodies.*.z.final', 'sensors.*.m*', bodies.bob.z.final]}"));
    CHECK_INT(scene->nreported, 2 + 3); // mean, min, max
    CHECK_INT(times_listed("bodies.rotor.z.final"), 1);
    CHECK_INT(times_listed("bodies.bob.z.final"), 1);
    CHECK_NEAR(metric("sensors.exact.position.max"), 2.0, 1e-12);
    CHECK_NEAR(metric("sensors.exact.position.min"), 0.02, 1e-12);
    finish();
}

TEST(what_is_expected_can_be_reported_too)
{
    write_robot();
    must_run(scene_with("metrics: {report: [sensors.exact.position.mean]}\n"
                        "expect: [{metric: sensors.exact.position.mean, is: 1.01, within: 1e-9}]"));
    CHECK(ff_run_result(run)->passed);
    CHECK_INT(times_listed("sensors.exact.position.mean"), 1);
    finish();
}

TEST(wrong_names_are_refused_with_their_place_and_a_hint)
{
    write_robot();
#define BEFORE "robot: wheel.yaml\neffects: {sensors: real}\nmetrics: "
    static const bad_scene bad[] = {
        {BEFORE "{report: [com.z, com.hihgest]}\n", "4:27", "no metric 'com.hihgest'; did you mean 'com.highest'?"},
        {BEFORE "{report: [bodies.bop.z.final]}\n", "4:20", "did you mean 'bodies.bob.z.final'?"},
        {BEFORE "{report: [sensors.exact.position.maen]}\n", "4:20", "did you mean 'sensors.exact.position.mean'?"},
        {BEFORE "{report: ['nothing.*']}\n", "4:20", "no metric fits 'nothing.*'"},
        {BEFORE "{report: [control.x.mean]}\n", "4:20", "no metric 'control.x.mean'"}, // no controller
        {BEFORE "{report: com.z}\n", "4:19", "a list of words for 'report', got 'com.z': metrics to report"},
        {BEFORE "{report: [{}]}\n", "4:20", ""},
        {BEFORE "{from: 1, report: [com.z]}\n", "4:11", "'from' of 'metrics' is about walking"},
        {BEFORE "{reprot: [com.z]}\n", "4:11", "unknown key 'reprot'; did you mean 'report'?"},
        {BEFORE "[com.z]\n", "4:10", ""},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}
