// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From joints to counts of motors and back: LOLA's knee against the geometry of its screw, its ankle against the two
// levers, ANTON's shoulders against sum and difference; every drive there and back; counts that wrap.
#include "scene/scene_helpers.h"

#include "hardware/wiring.h"

#include <math.h>

// ------------------------------------------------------------------------------------------ the wiring of a robot

static ff_wiring wiring;
static ff_arena arena;

static ff_status take_site(void *context, const ff_relay_site *site, ff_error *err)
{
    (void)context;
    return ff_wiring_make(&wiring, site, &arena, err);
}

static void do_nothing(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    (void)context, (void)t, (void)sensors, (void)references;
}

static void wire(const char *file)
{
    char path[1024];
    const ff_run_relay relay = {0, {.bind = take_site, .cycle = do_nothing}};
    snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, file);
    must_load_file(path, NULL, 0);
    ff_run_options options = ff_run_options_default(scene);
    options.relays = &relay;
    options.nrelay = 1;
    if (!begin_with(&options)) CHECK_FAIL("%s", message(0));
}

static void unwire(void)
{
    ff_wiring_clear(&wiring);
    ff_arena_clear(&arena);
    finish();
}

static int drive_of(const char *name)
{
    for (int i = 0; i < wiring.ndrive; i++)
        if (strcmp(wiring.drives[i].name, name) == 0) return i;
    CHECK_FAIL("no drive %s", name);
    return -1;
}

static double locate(int drive, const double *q)
{
    return ff_drive_path_locate(&wiring.drives[drive].drive->path, q, q).x;
}

static int qadr_of(const char *joint)
{
    const int i = ff_model_find_joint(wiring.model, joint);
    CHECK(i >= 0);
    return wiring.model->joints[i].qadr;
}

enum { MOST = 128 };

// ------------------------------------------------------------------------------------------ LOLA

/// Length of the screw between a on the thigh and b on the shank, by the law of cosines. Table of lola.yaml.
static double screw(double q)
{
    const double a = 0.057, b = 0.30, angle = 0.57;
    return sqrt(a * a + b * b - 2.0 * a * b * cos(q + angle));
}

TEST(knee_counts_are_turns_of_its_screw)
{
    wire("experiments/lola-walk.yaml");
    const int knee = drive_of("left_knee_flexion"), adr = qadr_of("left_knee_flexion");
    const double counts = 11520.0, lead = 0.005, begin = 0.02;
    double q[MOST] = {0}, steepest = 0.0;
    ff_counting counting = {.scale = wiring.drives[knee].scale};
    q[adr] = begin;
    ff_counting_set_home(&counting, 0.0, locate(knee, q));
    for (int k = 0; k <= 218; k++) {
        const double angle = begin + 0.01 * k, turns = (screw(angle) - screw(begin)) / lead;
        q[adr] = angle;
        CHECK_NEAR(ff_counting_target(&counting, locate(knee, q)), turns * counts, 0.5 + 1e-6); // rounded to one count
        const double ratio = 2.0 * FF_PI * (screw(angle + 1e-6) - screw(angle - 1e-6)) / 2e-6 / lead;
        CHECK_NEAR(ff_drive_path_locate(&wiring.drives[knee].drive->path, q, q).lever[0] * counting.scale,
                   ratio * counts / (2.0 * FF_PI), 1e-3 * counts); // slope of counts over angle
        steepest = ff_max(steepest, ratio);
    }
    CHECK(steepest > 71.0 && steepest <= 72.0); // tab. B.1: at most 72 turns of the motor for one of the knee
    unwire();
}

TEST(ankle_screws_are_sum_and_difference)
{
    wire("experiments/lola-walk.yaml");
    const int out = drive_of("left_ankle_out"), in = drive_of("left_ankle_in");
    const int flexion = qadr_of("left_ankle_flexion"), adduction = qadr_of("left_ankle_adduction");
    double q[MOST] = {0};
    const double rest[2] = {locate(out, q), locate(in, q)};
    for (int k = 0; k < 50; k++) {
        q[flexion] = -1.0 + 0.034 * k;
        q[adduction] = 0.45 * sin(k);
        CHECK_NEAR(locate(out, q) - rest[0], 0.056 * q[flexion] + 0.045 * q[adduction], 1e-15);
        CHECK_NEAR(locate(in, q) - rest[1], 0.056 * q[flexion] - 0.045 * q[adduction], 1e-15);
    }
    CHECK(wiring.drives[out].other == in && wiring.drives[in].other == out);
    unwire();
}

static void go_there_and_back(const char *file)
{
    wire(file);
    const ff_model *m = wiring.model;
    ff_random random = ff_random_make(7, 1);
    double q[MOST] = {0}, found[MOST], x[MOST], moved[MOST], error[MOST], joint_error[MOST];
    CHECK(m->nq <= MOST && wiring.ndrive <= MOST && wiring.ndrive > 20);
    for (int trial = 0; trial < 20; trial++) {
        for (int i = 0; i < m->njoint; i++)
            if (m->joints[i].limited)
                q[m->joints[i].qadr] = ff_random_range(&random, m->joints[i].range[0], m->joints[i].range[1]);
        for (int i = 0; i < wiring.ndrive; i++) x[i] = locate(i, q);
        memcpy(found, m->q0, (size_t)m->nq * sizeof *found); // far away
        ff_joints_from_drives(&wiring, x, found);
        for (int i = 0; i < wiring.ndrive; i++) {
            const ff_drive_path *path = &wiring.drives[i].drive->path;
            for (int k = 0; k < path->njoint; k++) CHECK_NEAR(found[path->qadr[k]], q[path->qadr[k]], 1e-12);
        }
        memcpy(moved, q, sizeof moved); // small errors of joints, by the levers
        for (int i = 0; i < m->nv; i++) joint_error[i] = NAN;
        for (int i = 0; i < m->njoint; i++)
            if (m->joints[i].limited) moved[m->joints[i].qadr] += 1e-7;
        for (int i = 0; i < wiring.ndrive; i++) error[i] = locate(i, moved) - x[i];
        ff_joint_errors(&wiring, error, q, joint_error);
        for (int i = 0; i < wiring.ndrive; i++)
            for (int k = 0; k < wiring.drives[i].drive->path.njoint; k++)
                CHECK_NEAR(joint_error[wiring.drives[i].drive->path.vadr[k]], 1e-7, 1e-11); // curvature of the knee
    }
    unwire();
}

TEST(joints_come_back_from_their_motors)
{
    go_there_and_back("experiments/lola-walk.yaml");
    go_there_and_back("experiments/anton-tripod.yaml");
}

// ------------------------------------------------------------------------------------------ ANTON

TEST(shoulder_motors_turn_by_sum_and_difference)
{
    wire("experiments/anton-tripod.yaml");
    double references[MOST][3] = {{0}}, drives[MOST][3], back[MOST][3];
    int pairs = 0;
    for (int i = 0; i < wiring.ndrive; i++)
        for (int k = 0; k < 3; k++) references[i][k] = sin(3 * i + k);
    ff_drives_from_references(&wiring, (const double(*)[3])references, drives);
    ff_references_from_drives(&wiring, (const double(*)[3])drives, back);
    for (int i = 0; i < wiring.ndrive; i++) {
        const int other = wiring.drives[i].partner;
        for (int k = 0; k < 3; k++) CHECK_NEAR(back[i][k], references[i][k], 1e-15);
        if (other <= i) continue;
        pairs++;
        for (int k = 0; k < 2; k++) { // pitch and yaw: the left motor turns against yaw, the right one with it
            CHECK_NEAR(drives[i][k], references[i][k] - references[other][k], 1e-15);
            CHECK_NEAR(drives[other][k], references[i][k] + references[other][k], 1e-15);
        }
    }
    CHECK(pairs == 3); // front, rear, head
    unwire();
}

// ------------------------------------------------------------------------------------------ counts

TEST(counts_wrap_and_positions_go_on)
{
    ff_counting c = {.scale = 1000.0};
    int64_t true_count = INT64_C(2147483647) - 20;
    for (int k = 0; k < 100; k++, true_count += 7) {
        ff_counting_read(&c, (int32_t)(uint32_t)(uint64_t)true_count);
        if (k == 0) ff_counting_set_home(&c, (double)c.total, 0.5);
        CHECK_NEAR(ff_counting_position(&c), 0.5 + 7e-3 * k, 1e-12);
        CHECK(ff_counting_target(&c, ff_counting_position(&c)) == (int32_t)(uint32_t)(uint64_t)true_count);
    }
    CHECK(c.last < 0);                                                                    // it wrapped
    for (int k = 0; k < 200; k++) ff_counting_read(&c, (int32_t)((uint32_t)c.last - 11)); // back over the same edge
    CHECK_NEAR(ff_counting_position(&c), 0.5 + 7e-3 * 99 - 11e-3 * 200, 1e-12);
    CHECK(ff_counting_target(&c, NAN) == c.last && ff_counting_target(&c, 1e300) == c.last);
}

TEST(an_angle_within_a_turn_lies_in_the_range_of_its_joint)
{
    const ff_joint knee = {.limited = true, .range = {0.02, 2.2}}, hip = {.limited = true, .range = {-1.9, 0.6}},
                   free = {.limited = false};
    for (double q = -1.9; q < 0.6; q += 0.01) {
        const double read = q < 0.0 ? q + 2.0 * FF_PI : q; // [0, 2 pi)
        CHECK_NEAR(ff_unwrap_to_range(read, &hip), q, 1e-14);
    }
    CHECK_NEAR(ff_unwrap_to_range(2.2, &knee), 2.2, 1e-14);
    CHECK_NEAR(ff_unwrap_to_range(2.0 * FF_PI - 0.01, &knee), -0.01, 1e-14); // a little beyond its stop
    CHECK_NEAR(ff_unwrap_to_range(2.0 * FF_PI - 3.0, &free), -3.0, 1e-14);
}
