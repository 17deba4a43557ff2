// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `effects` and `references` of scenes: what they switch on, what the summary says of it, and what is refused.
#include "check.h"
#include "support/folder.h"

#include <footfall/run.h>

static const char ANTON[] = "footfall: 1\n"
                            "robot: %s/robots/anton/anton.yaml\n"
                            "start: {pose: stand}\n"
                            "place: {settle: true}\n"
                            "terrain: [{plane: {material: lab-floor}}]\n"
                            "control: {hold: {stiffness: 60, damping: 1}}\n"
                            "%s%s";

static ff_report report;

/// A scene, and a run of it.
typedef struct robot {
    const ff_scene_spec *scene;
    ff_run *run; // NULL: something was reported
} robot;

static robot parse(const char *text)
{
    robot out = {.scene = ff_scene_parse(text, strlen(text), "effects.yaml", NULL, 0, &report)};
    if (out.scene) out.run = ff_run_create(out.scene, NULL, &report);
    return out;
}

static void finish(robot r)
{
    ff_run_destroy(r.run);
    ff_scene_destroy(r.scene);
}

static robot load(const char *more)
{
    static char text[3000];
    ff_report_clear(&report);
    const char *usual = strstr(more, "solver:") ? "" : "solver: {method: implicit, step: 1e-3}\ntime: 0.3\n";
    snprintf(text, sizeof text, ANTON, FF_SOURCE_DIR, usual, more);
    return parse(text);
}

static void go(robot r)
{
    ff_error err = {0};
    if (!r.run) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no scene");
    if (ff_run_go(r.run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static double height(robot r)
{
    double value = NAN;
    ff_run_metric(r.run, "com.z", &value);
    return value;
}

// Robots that settled stay where they are, whatever lies between reference and joint: the first sample carries the
// weight.
TEST(anton_stands_with_every_choice_of_effects)
{
    static const char *const choices[] = {"", "effects: {drives: ideal}\n", "effects: {drives: full}\n",
                                          "effects: {drives: full, transmission: flexible}\n",
                                          "effects: {drives: full, transmission: backlash}\n"};
    static const int states[] = {0, 0, 0, 48, 96};
    double still = 0.0;
    for (int n = 0; n < 5; n++) {
        const robot r = load(choices[n]);
        go(r);
        if (n == 0) still = height(r);
        CHECK_INT(r.scene->neffect, 5);
        CHECK_INT(r.scene->plant->drives ? r.scene->plant->drives->n : 0, n == 0 ? 0 : 24);
        if (n > 0) CHECK_INT(r.scene->plant->drives->nstate, states[n]);
        // gears give by their stiffness, 2 N m / 300 N m/rad, and by 0.15 deg of play on each side, on levers of 0.1 m
        CHECK_NEAR(height(r), still, n < 3 ? 2e-5 : 2e-3); // [m]
        finish(r);
    }
}

/// Largest acceleration of a joint at the start, and after each step since  [rad/s^2, m/s^2].
typedef struct jerk {
    double start, later;
} jerk;

static double most_acceleration(ff_sim *sim, int nv)
{
    ff_error err = {0};
    double most = 0.0;
    if (ff_sim_evaluate(sim, FF_SIM_ACCELERATION, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    for (int i = 0; i < nv; i++) most = fmax(most, fabs(ff_sim_data(sim)->qacc[i]));
    return most;
}

static ff_sim_action watch(void *context, ff_sim *sim, double t)
{
    jerk *j = context;
    (void)t;
    j->later = fmax(j->later, most_acceleration(sim, 30)); // a base and 24 joints
    return FF_SIM_GO;
}

// Gears start wound up by what they carry, with faces of play pressed together: nothing moves, neither at once nor when
// the loops begin to sample. What is left at once is what settling leaves of 49 N. Later it is a step of the encoders,
// 2 pi / (2048 * 251) rad, times 60 N m/rad: 0.7 mN m in 24 drives, on inertias of 8e-4 kg m^2 (a shank) and more.
TEST(anton_starts_without_a_jerk_whatever_its_gears_are)
{
    static const char *const choices[] = {"rigid", "flexible", "backlash"};
    for (int n = 0; n < 3; n++) {
        char more[200];
        ff_error err = {0};
        jerk j = {0};
        snprintf(more, sizeof more,
                 "effects: {drives: full, transmission: %s}\nsolver: {method: rk2, step: 1e-4}\ntime: 0.05\n",
                 choices[n]);
        const robot r = load(more);
        if (!r.run) CHECK_FAIL("%s", report.messages[0].text);
        const ff_listener listener = {&j, watch};
        CHECK_INT(r.scene->model->nv, 30);
        if (n > 0) j.start = most_acceleration(ff_run_sim(r.run), 30);
        CHECK(ff_sim_add_listener(ff_run_sim(r.run), &listener, &err) == FF_OK);
        go(r);
        printf("  %-9s at once %.3g, later %.3g rad/s^2\n", choices[n], j.start, j.later);
        CHECK_BELOW(j.start, 1e-6);
        CHECK_BELOW(j.later, 1.0);
        finish(r);
    }
}

TEST(summary_names_the_effects)
{
    const robot r = load("effects: {drives: full, transmission: flexible}\n");
    go(r);
    char words[200];
    ff_summary summary = ff_summary_make(ff_run_sim(r.run), FF_OK, NULL, 1.0, words, sizeof words);
    summary.effects = r.scene->effects;
    summary.neffect = r.scene->neffect;
    char *json = ff_summary_to_json(&summary);
    CHECK_SAYS(json, "\"effects\": {\"drives\": \"full\", \"transmission\": \"flexible\", \"battery\": \"none\", "
                     "\"sensors\": \"none\", \"bus\": \"none\"}");
    free(json);
    finish(r);
}

// Without a joint law nobody else sends references. Both motors of the head's differential in the same sense: it
// pitches by as much, and does not yaw.
TEST(references_move_drives_at_their_time)
{
    static const char alone[] = "footfall: 1\n"
                                "robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\n"
                                "gravity: [0, 0, 0]\n"
                                "effects: {drives: full}\n"
                                "solver: {method: euler, step: 1e-4}\n"
                                "time: 0.6\n"
                                "record: {rate: 1000, channels: [\"joints.head_*.position\", drives.head_left]}\n"
                                "references:\n"
                                "  - {drive: \"head_*\", at: 0.1, position: 0.2}\n";
    ff_report_clear(&report);
    const robot r = parse(alone);
    go(r);
    const int column = ff_recorder_find(ff_run_recorder(r.run), "joints.head_pitch.position", NULL);
    const int yaw = ff_recorder_find(ff_run_recorder(r.run), "joints.head_yaw.position", NULL);
    CHECK_NEAR(ff_recorder_row(ff_run_recorder(r.run), 100)[column], 0.0, 1e-6);
    CHECK_NEAR(ff_recorder_row(ff_run_recorder(r.run), 600)[column], 0.2, 2e-3);
    CHECK_NEAR(ff_recorder_row(ff_run_recorder(r.run), 600)[yaw], 0.0, 2e-3);
    finish(r);
}

TEST(effects_that_are_off_are_named_too)
{
    const robot r = load("");
    CHECK(r.run);
    CHECK_INT(r.scene->neffect, 5);
    CHECK_TEXT(r.scene->effects[0].name, "drives");
    CHECK_TEXT(r.scene->effects[0].value, "none");
    CHECK_TEXT(r.scene->effects[4].name, "bus");
    CHECK_TEXT(r.scene->effects[4].value, "none");
    finish(r);
    const robot rigid = load("effects: {drives: none, transmission: rigid}\n"); // nothing there to be rigid: no mistake
    CHECK(rigid.run);
    finish(rigid);
}

// ANTON's battery, as its file has it and so low that a stand empties it.
TEST(batteries_act_where_they_are_asked_for)
{
    static const char scene[] = "footfall: 1\n"
                                "robot: %s\n"
                                "start: {pose: stand}\n"
                                "place: {settle: true}\n"
                                "terrain: [{plane: {material: lab-floor}}]\n"
                                "control: {hold: {stiffness: 60, damping: 1}}\n"
                                "effects: {drives: full, battery: %s}\n"
                                "solver: {method: implicit, step: 1e-3}\n"
                                "time: 1\n";
    static const char *const choices[][2] = {{"4.4", "modelled"}, {"1e-4", "none"}, {"1e-4", "modelled"}};
    for (int n = 0; n < 3; n++) {
        char text[1000];
        ff_report_clear(&report);
        snprintf(text, sizeof text, "footfall: 1\nimport: %s/robots/anton/anton.yaml\nbattery: {capacity: %s}\n",
                 FF_SOURCE_DIR, choices[n][0]);
        write_file("fed.yaml", text);
        snprintf(text, sizeof text, scene, in_folder("fed.yaml"), choices[n][1]);
        const robot r = parse(text);
        go(r);
        ff_report said = {0};
        ff_run_report_limits(r.run, &said);
        bool reported = false;
        for (int i = 0; i < said.count; i++) reported = reported || strstr(said.messages[i].text, "has switched off");
        CHECK_INT(reported, n == 2);
        const ff_battery_state *s = ff_sim_battery(ff_run_sim(r.run), 0);
        CHECK_INT(s != NULL, n != 1);
        if (n == 0) CHECK(s->charge < 1.0 && s->charge > 0.99 && s->current > 10.0 / 12.6); // its load, and the stand
        if (n == 2) CHECK(height(r) < 0.06);                                                // it has sunk down
        ff_report_clear(&said);
        finish(r);
    }
}

TEST(mistakes_are_reported_with_their_place)
{
    static const struct {
        const char *more, *words;
        int line;
    } cases[] = {
        {"effects: {drives: perfect}\n", "perfect", 9},
        {"effects: {drives: full, transmision: rigid}\n", "unknown key 'transmision'", 9},
        {"effects: {transmission: backlash}\n", "a transmission needs drives", 9},
        {"effects: {battery: modelled}\n", "a battery needs drives", 9},
        {"references: [{drive: head_yaw, position: 1}]\n", "references need drives", 9},
        {"effects: {drives: full}\nreferences: [{drive: ML_koxa, position: 1}]\n", "did you mean 'ML_coxa'?", 10},
        {"effects: {drives: full}\nreferences: [{drive: ML_coxa}]\n", "a reference is a 'position'", 10},
        {"effects: {drives: full}\nreferences: [{drive: ML_coxa, position: 1, at: -1}]\n", "'at' is -1 s", 10},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const robot r = load(cases[n].more);
        if (r.run) CHECK_FAIL("accepted: %s", cases[n].more);
        const ff_message *error = NULL;
        for (int i = 0; i < report.count && !error; i++)
            if (report.messages[i].severity == FF_ERROR) error = &report.messages[i];
        CHECK_SAYS(error->text, cases[n].words);
        CHECK_INT(error->line, cases[n].line);
    }
    ff_report_clear(&report);
}

// ANTON's loops sample each millisecond: none of them could run ahead.
TEST(a_span_that_no_loop_needs_is_reported)
{
    const robot r = load("effects: {drives: full, loop_span: 0.5 ms}\n");
    CHECK(r.run);
    CHECK_INT(report.count, 1);
    CHECK_SAYS(report.messages[0].text, "'loop_span' changes nothing");
    CHECK_INT(report.messages[0].line, 9);
    ff_report_clear(&report);
    finish(r);
}

// LOLA's loops of 10 and 20 kHz, encoders of 10 kHz and switches of 4 kHz cut each millisecond into 20 steps and more.
// With spans of half a millisecond two steps are left, and one for the samples of the bus in its middle; the robot
// stands as high.
TEST(loops_that_run_ahead_and_fast_sensors_end_no_step)
{
    static const char scene[] =
        "footfall: 1\nrobot: %s/robots/lola/lola.yaml\nstart: {pose: stand}\nterrain: [{plane: {material: rigid}}]\n"
        "control: {biped: {walk: false}}\neffects: {drives: full, loop_span: %s, sensors: real, bus: modelled}\n"
        "solver: {method: euler, step: 5e-4}\ntime: 0.04\n";
    long long steps[2];
    double high[2];
    for (int n = 0; n < 2; n++) {
        char text[1000];
        snprintf(text, sizeof text, scene, FF_SOURCE_DIR, n ? "0.5 ms" : "0");
        ff_report_clear(&report);
        const robot r = parse(text);
        go(r);
        steps[n] = ff_sim_get_counts(ff_run_sim(r.run)).steps;
        high[n] = height(r);
        CHECK_INT(r.scene->neffect, n ? 6 : 5);
        finish(r);
    }
    CHECK(steps[0] >= 20 * 40);
    CHECK(steps[1] <= 3 * 40);
    CHECK_NEAR(high[1], high[0], 1e-4); // its soles comply by 1 mm, a tenth of it by the length of the steps
    ff_report_clear(&report);
}
