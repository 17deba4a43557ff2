// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Free legs in scenes: what is refused and where, saving in the middle of a walk, and the twin test: two robots that
// are nearly alike stay together for a while and then do not; a cut servo of one changes nothing for the other.
#include "scene/scene_helpers.h"

#include <footfall/dyn.h>

#define HEXAPOD                                                                                                        \
    "robot: " FF_SOURCE_DIR "/robots/servo-hexapod/servo-hexapod.yaml\n"                                               \
    "effects: {drives: full, sensors: real}\nstart: {pose: stand}\nplace: {settle: true}\n"                            \
    "terrain: [{plane: {material: lab-floor}}]\nsolver: {method: euler, step: 5e-4}\ntime: 3\n"

TEST(what_free_legs_cannot_do_is_reported_with_its_place)
{
    static const bad_scene bad[] = {
        {HEXAPOD "control: {free_legs: {radius: 0.2}}\n", "9:22", "cannot reach all of a boundary of radius 0.2 m"},
        {HEXAPOD "control: {free_legs: {lay_speed: -1}}\n", "9:34", "'lay_speed' is -1 m/s: it must be positive"},
        {HEXAPOD "control: {free_legs: {pose: dance}}\n", "9:22", "no pose 'dance'"},
        {HEXAPOD "control: {free_legs: {}, period: 1}\n", "9:34",
         "'period' is 1 s: it must be between 1e-05 and 0.1 s"},
        {HEXAPOD "control: {free_legs: {least_down: 6}}\n", "9:22", "6 of 6 legs: none could ever lift"},
        {HEXAPOD "control: {free_legs: {ground_sped: 1}}\n", "9:23", "did you mean 'ground_speed'"},
        {HEXAPOD "control: {free_legs: {}, commands: [{at: 1, sped: 1}]}\n", "9:45", "did you mean 'speed'"},
        {HEXAPOD "control: {free_legs: {}, commands: [{at: 1, height: 0.3}]}\n", "9:22", "0.3 m above ground"},
        {HEXAPOD "control: {free_legs: 3}\n", "9:22", "for 'free_legs', got '3'"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}

TEST(a_walk_saved_in_the_middle_goes_on_with_the_same_bits)
{
    must_load(HEXAPOD "control: {free_legs: {}, period: 20 ms, commands: [{at: 0.2, speed: 0.2, turn: 0.3}, {at: 1.1, "
                      "direction: 90 deg}]}\n");
    must_resume(1.013, 1.9);
    finish();
}

/// Where both robots of the twin test are; the second 4 m to the right of the first at the beginning.
typedef struct twins {
    double first[3], second[3];
} twins;

static void begin_twins(const char *second)
{
    char file[300];
    const char *overrides[1] = {file};
    snprintf(file, sizeof file, "robots.1.file=%s/robots/servo-hexapod/%s.yaml", FF_SOURCE_DIR, second);
    must_load_file(FF_SOURCE_DIR "/experiments/servo-hexapod-twin.yaml", overrides, 1);
}

static twins run_twins(double until)
{
    const double middle[3] = {0};
    ff_error err = {0};
    twins t;
    if (ff_sim_run(ff_run_sim(run), until, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    const ff_data *d = ff_sim_data(ff_run_sim(run));
    ff_sim_evaluate(ff_run_sim(run), FF_SIM_POSITION, NULL);
    ff_dyn_point(scene->model, d, ff_model_find_body(scene->model, "virtual_body"), middle, t.first);
    ff_dyn_point(scene->model, d, ff_model_find_body(scene->model, "real_body"), middle, t.second);
    return t;
}

static double apart(const twins *t)
{
    return hypot(t->second[0] - t->first[0], t->second[1] + 4.0 - t->first[1]);
}

// The paper: "difference between positions of their bodies became visually recognizable after 20-25 seconds", taken
// here as 1 cm of a robot 26 cm long; with the differences assumed for the second robot it takes 35 s. When they are
// that far apart first depends less on friction, mass and step than where they are at a given time, as they come
// together again. And: with one servo cut, only one of them changes.
TEST(twins_part_visibly_after_tens_of_seconds_and_a_cut_servo_changes_one_only)
{
    begin_twins("twin");
    const twins early = run_twins(4.0), soon = run_twins(12.0);
    double when = 12.0;
    for (twins now = soon; when < 60.0 && apart(&now) <= 0.01; now = run_twins(when)) when += 0.25;
    begin_twins("twin-cut");
    const twins cut = run_twins(4.0);
    finish();
    printf("  apart by %.1f mm after 12 s, 10 mm after %.2f s; by %.2f m after 4 s where a servo is cut\n",
           1e3 * apart(&soon), when, apart(&cut));
    CHECK(apart(&soon) > 1e-4 && apart(&soon) < 0.01);
    CHECK(when > 15.0 && when < 60.0);
    CHECK(apart(&cut) > 0.1);
    for (int k = 0; k < 3; k++) CHECK(early.first[k] == cut.first[k]); // to the last bit
}
