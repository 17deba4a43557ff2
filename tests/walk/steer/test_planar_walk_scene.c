// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Planar walks in scenes: what is refused and where, the start as planned, commands, torques at their bounds, saving in
// the middle of a walk with backlash.
#include "scene/scene_helpers.h"

#define SILVA                                                                                                          \
    "robot: " FF_SOURCE_DIR "/robots/silva/silva.yaml\nstart: {speeds: {body_x: 1}}\n"                                 \
    "terrain: [{plane: {material: compact-clay}}]\nsolver: {method: rk2, step: 50 us}\n"                               \
    "effects: {drives: full, transmission: backlash, sensors: perfect}\n"
#define WALK SILVA "time: 0.3\ncontrol: {planar_walk: {gait: wave, duty: 0.5}"

TEST(what_a_planar_walk_cannot_do_is_reported_with_its_place)
{
    static const bad_scene bad[] = {
        {SILVA "control: {planar_walk: {duty: 1.2}}\n", "7:31", "'duty' is 1.2: it must be strictly between 0 and 1"},
        {SILVA "control: {planar_walk: {gait: trot}}\n", "7:31", "wave"},
        {SILVA "control: {planar_walk: {heigth: 0.8}}\n", "7:25", "did you mean 'height'"},
        {SILVA "control: {planar_walk: {height: 1.5}}\n", "7:24", "take shorter steps"},
        {SILVA "control: {planar_walk: {centred: false}}\n", "7:24", "centred feet"},
        {SILVA "control: {planar_walk: {order: 11}}\n", "7:24", "order 11"},
        {SILVA "control: {planar_walk: {order: 0}}\n", "7:32", "from 1 to 10"},
        {SILVA "control: {planar_walk: {order: 4, terms: 50}}\n", "7:35", "either 'order'"},
        {SILVA "control: {planar_walk: {kp: [1, 2, 3]}}\n", "7:29", "2"},
        {SILVA "control: {planar_walk: {alpha: -1}}\n", "7:24", "alpha is -1"},
        {SILVA "control: {planar_walk: wave}\n", "7:24",
         "expected {kp: .., kalpha: .., alpha: .., order: .., ..} for 'planar_walk', got 'wave'"},
        {SILVA "control: {planar_walk: {}, commands: [{at: 1, speed: 0}]}\n", "7:54", "'speed' is 0"},
        {"robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\ncontrol: {planar_walk: {}}\n", "3:24", "has 3 joints"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}

// As planned the feet are on the ground at their places, 0.25 m ahead of the hips or behind; as the pose says, all
// joints are at zero.
TEST(legs_start_as_planned_unless_the_pose_is_kept)
{
    must_load(WALK "}\n");
    const int hip = scene->model->joints[ff_model_find_joint(scene->model, "FL_hip")].qadr;
    const int other = scene->model->joints[ff_model_find_joint(scene->model, "FR_hip")].qadr;
    CHECK_NEAR(ff_sim_q(ff_run_sim(run))[hip], 36.4 * 3.14159265358979 / 180.0, 1e-3); // [rad] 0.05 degrees
    CHECK_NEAR(ff_sim_q(ff_run_sim(run))[other] - ff_sim_q(ff_run_sim(run))[hip], -2.0 * atan2(0.25, 0.9),
               1e-9); // the mirror of it
    must_load(SILVA "control: {planar_walk: {start: pose}}\n");
    CHECK_NEAR(ff_sim_q(ff_run_sim(run))[hip], 0.0, 0.0);
    finish();
}

// Commands add up, and one that a leg cannot follow is left out and told.
TEST(commands_change_the_plan_and_what_cannot_be_is_reported)
{
    must_run(WALK ", commands: [{at: 0.05, speed: 0.8}, {at: 0.1, height: 1.2}, {at: 0.15, clearance: 0.08}]}\n"
                  "record: {rate: 1000, channels: [control.FL]}\n");
    ff_run_report_limits(run, &report);
    int told = 0;
    for (int i = 0; i < report.count; i++) told += strstr(message(i), "the command at 0.1 s was refused: ") != NULL;
    CHECK_INT(told, 1); // once
    int width;
    const int at = ff_recorder_find(ff_run_recorder(run), "control.FL.x", &width);
    CHECK(at >= 0);
    const double *before = ff_recorder_row(ff_run_recorder(run), 40),
                 *late = ff_recorder_row(ff_run_recorder(run), 250);
    const double *later = ff_recorder_row(ff_run_recorder(run), 290);
    CHECK_NEAR((before[at] - ff_recorder_row(ff_run_recorder(run), 20)[at]) / 0.02, -1.0,
               1e-9); // [m/s] of a foot in support
    // the difference of -0.2 m/s fades, critically damped with w = 16 / T, 0.22 s after the command
    const double wt = 16.0 * 0.8 * 0.22;
    CHECK_NEAR((later[at] - late[at]) / 0.04, -0.8 - 0.2 * (1.0 - wt) * exp(-wt), 1e-3); // implicit steps of 0.5 ms
    finish();
}

TEST(a_planar_walk_saved_in_the_middle_goes_on_with_the_same_bits)
{
    must_load(WALK ", commands: [{at: 0.1, speed: 0.8, gait: full-cycle}]}\n");
    must_resume(0.1203, 0.2);
    finish();
}

/// Warning about torques, or NULL.
static const char *told_torque(void)
{
    ff_report_clear(&report);
    ff_run_report_limits(run, &report);
    for (int i = 0; i < report.count; i++)
        if (strstr(message(i), "while walking: torque at its bound")) return message(i);
    return NULL;
}

/// When any recorded torque first came to a bound; infinite: never.
static double first_time(double bound)
{
    static const char *const legs[] = {"FL", "FR", "ML", "MR", "RL", "RR"}, *const joints[] = {"hip", "knee"};
    for (int row = 0; row < 600; row++)
        for (int i = 0; i < 12; i++) {
            char name[60];
            int width;
            snprintf(name, sizeof name, "control.%s_%s.torque", legs[i / 2], joints[i % 2]);
            const int at = ff_recorder_find(ff_run_recorder(run), name, &width);
            if (at < 0) CHECK_FAIL("no channel %s", name);
            if (fabs(ff_recorder_row(ff_run_recorder(run), row)[at]) >= bound) return 0.5e-3 * row;
        }
    return INFINITY;
}

// The largest torque of a walk says where a bound would act: told if and only if the bound lies below it, be it that of
// the control or that of the drives.
TEST(torques_at_their_bound_are_reported_and_listed)
{
    must_run(WALK "}\nrecord: {rate: 2000, channels: [control]}\n");
    CHECK(first_time(60.0) < 0.25 && first_time(400.0) > 1.0);
    CHECK(told_torque() == NULL);
    char *events = ff_run_list_events(run);
    CHECK(events && !strstr(events, "torque at its bound"));
    free(events);
    write_file("weak.yaml", "footfall: 1\nname: weak\nimport: " FF_SOURCE_DIR "/robots/silva/silva.yaml\njoints:\n"
                            "  '*_hip': {drive: {torque: 60}}\n  '*_knee': {drive: {torque: 60}}\n");
    static const char *const robots[] = {FF_SOURCE_DIR "/robots/silva/silva.yaml", "weak.yaml"};
    static const char *const torques[] = {"torque: 60", ""};
    for (int i = 0; i < 2; i++) {
        char text[900], expected[80];
        snprintf(text, sizeof text,
                 "robot: %s\n%stime: 0.3\ncontrol: {planar_walk: {%s}}\nrecord: {rate: 2000, channels: [control]}\n",
                 robots[i], strchr(SILVA, '\n') + 1, torques[i]);
        must_run(text);
        const char *told = told_torque();
        snprintf(expected, sizeof expected, "at %.6g s, 60 N m", first_time(60.0));
        if (!told || !strstr(told, expected)) CHECK_FAIL("'%s' and not '%s'", told ? told : "", expected);
        events = ff_run_list_events(run);
        CHECK(events && strstr(events, "controller: torque at its bound"));
        free(events);
    }
    finish();
}
