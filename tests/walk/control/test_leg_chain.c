// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Legs of six hinges: kinematics against those of the model, round trips, and points out of reach.
#include "check.h"
#include "control/leg_chain.h"

#include <footfall/load.h>
#include <footfall/math.h>

static ff_model *model;
static ff_data *data;

static void finish(void)
{
    ff_data_destroy(data);
    ff_model_destroy(model);
}

static void load(const char *path)
{
    ff_report report = {0};
    if (model) return;
    model = ff_model_load(path, NULL, &report);
    if (!model) CHECK_FAIL("cannot load %s", path);
    ff_report_clear(&report);
    data = ff_data_create(model, NULL);
    atexit(finish);
}

static ff_leg_chain chain_of(int leg)
{
    ff_leg_chain chain;
    ff_error err = {0};
    load(FF_SOURCE_DIR "/robots/rotto/rotto.yaml");
    memcpy(data->q, model->keys[ff_model_find_key(model, "stand")].q, (size_t)model->nq * sizeof *data->q);
    ff_dyn_kinematics(model, data);
    if (ff_leg_chain_make(model, data, &model->legs[leg], ff_model_find_body(model, "pelvis"), &chain, &err) != FF_OK)
        CHECK_FAIL("%s", err.text);
    return chain;
}

/// Random angles within the limits, away from the straight knee.
static void draw(const ff_leg_chain *chain, ff_random *random, double share, double *q)
{
    for (int k = 0; k < chain->njoint; k++) {
        const double middle = 0.5 * (chain->low[k] + chain->high[k]), half = 0.5 * (chain->high[k] - chain->low[k]);
        q[k] = middle + share * ff_random_range(random, -half, half);
    }
}

TEST(kinematics_are_those_of_the_model)
{
    ff_random random = ff_random_make(3, 0);
    for (int leg = 0; leg < 2; leg++) {
        const ff_leg_chain chain = chain_of(leg);
        const ff_frame *frame = &model->frames[model->legs[leg].frame];
        for (int n = 0; n < 200; n++) {
            double q[FF_CHAIN_JOINTS], pos[3], pelvis[3], quat[4], R[9], local[3], foot[9], turned[9];
            draw(&chain, &random, 1.0, q);
            for (int k = 0; k < chain.njoint; k++) data->q[chain.qadr[k]] = q[k];
            ff_dyn_kinematics(model, data);
            const ff_pose end = ff_leg_chain_forward(&chain, q);
            ff_dyn_body_pose(model, data, chain.body, pelvis, quat);
            ff_quat_to_mat3(R, quat);
            ff_dyn_point(model, data, frame->body, frame->pos, pos);
            ff_vec3_sub(pos, pos, pelvis);
            ff_mat3_tmulv(local, R, pos);
            for (int k = 0; k < 3; k++) CHECK_NEAR(end.p[k], local[k], 1e-13);
            ff_dyn_body_pose(model, data, frame->body, pos, quat);
            ff_quat_to_mat3(foot, quat);
            ff_mat3_tmul(turned, R, foot);
            for (int k = 0; k < 9; k++) CHECK_NEAR(end.R[k], turned[k], 1e-13);
        }
    }
}

TEST(angles_bring_the_foot_where_it_should_be)
{
    ff_random random = ff_random_make(4, 0);
    int reached = 0;
    const ff_leg_chain chain = chain_of(0);
    for (int n = 0; n < 300; n++) {
        double goal[FF_CHAIN_JOINTS], q[FF_CHAIN_JOINTS], error;
        draw(&chain, &random, 0.7, goal);
        // from within 0.3 rad, as a controller that follows a path does
        for (int k = 0; k < chain.njoint; k++) q[k] = goal[k] + ff_random_range(&random, -0.3, 0.3);
        const ff_pose end = ff_leg_chain_forward(&chain, goal);
        const bool there = ff_leg_chain_solve(&chain, &end, q, &error);
        const ff_pose got = ff_leg_chain_forward(&chain, q);
        reached += there;
        if (!there) continue;
        for (int k = 0; k < 3; k++) CHECK_NEAR(got.p[k], end.p[k], 1e-6);
        for (int k = 0; k < 9; k++) CHECK_NEAR(got.R[k], end.R[k], 1e-5);
    }
    CHECK(reached >= 290); // a few start beyond a singular position
}

TEST(what_is_out_of_reach_is_said_and_angles_stay_within_limits)
{
    const ff_leg_chain chain = chain_of(1);
    for (int n = 0; n < 20; n++) {
        ff_pose end = chain.end;
        double q[FF_CHAIN_JOINTS], error;
        for (int k = 0; k < chain.njoint; k++) q[k] = chain.reference[k];
        end.p[2] -= 0.1 + 0.05 * n; // longer than the leg, which has 26 mm left
        CHECK(!ff_leg_chain_solve(&chain, &end, q, &error));
        CHECK(error > 0.05 && error < 2.0);
        for (int k = 0; k < chain.njoint; k++) CHECK(q[k] >= chain.low[k] && q[k] <= chain.high[k]);
    }
}
