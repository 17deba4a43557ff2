// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The state and its evaluation: stages rise on request and fall by every write, nothing is computed twice, and what
// callers write is committed as one change.
#include <math.h>

#include "check.h"
#include "engine/system.h"
#include "support/must_run.h"
#include "support/robots.h"

typedef struct counter {
    int calls;
    double force;
} counter;

static void push(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    counter *c = context;
    (void)t, (void)m;
    c->calls++;
    d->tau[0] += c->force;
    zdot[0] = -z[0];
}

/// A block of 2 kg on a rail, with a part that pushes it and counts how often it is asked.
static ff_sim *block(ff_model **m, counter *c)
{
    ff_spec_joint *joint;
    *m = robot_finish(robot_slider(2.0, &joint));
    ff_sim *sim = robot_sim(*m, robot_options(FF_METHOD_RK4, 1e-3, 0));
    const ff_part part = {.name = "push", .nstate = 1, .context = c, .derivative = push};
    CHECK_INT(ff_sim_add_part(sim, &part, NULL), 0);
    return sim;
}

static void end(ff_sim *sim, ff_model *m)
{
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

static void evaluate(ff_sim *sim, ff_sim_stage stage)
{
    CHECK_INT(ff_sim_evaluate(sim, stage, NULL), FF_OK);
    CHECK(sim->stage >= stage);
}

TEST(stages_rise_on_request_and_never_by_less)
{
    ff_model *m;
    counter c = {.force = 6.0};
    ff_sim *sim = block(&m, &c);
    for (int stage = FF_SIM_POSITION; stage <= FF_SIM_ACCELERATION; stage++) {
        evaluate(sim, (ff_sim_stage)stage);
        CHECK_INT(sim->stage, stage);
    }
    CHECK_NEAR(ff_sim_data(sim)->qacc[0], 3.0, 1e-15);
    evaluate(sim, FF_SIM_POSITION);
    CHECK_INT(sim->stage, FF_SIM_ACCELERATION);
    end(sim, m);
}

TEST(a_write_lowers_the_stage_to_what_does_not_depend_on_it)
{
    ff_model *m;
    counter c = {.force = 6.0};
    ff_sim *sim = block(&m, &c);
    evaluate(sim, FF_SIM_ACCELERATION);
    ff_sim_set_torque(sim, 0, 4.0);
    CHECK_INT(sim->stage, FF_SIM_VELOCITY);
    evaluate(sim, FF_SIM_ACCELERATION);
    CHECK_NEAR(ff_sim_data(sim)->qacc[0], 5.0, 1e-15);
    ff_sim_set_torque(sim, 0, 4.0); // no news
    CHECK_INT(sim->stage, FF_SIM_ACCELERATION);
    ff_sim_set_part_state(sim, 0, 0, 1.0);
    CHECK_INT(sim->stage, FF_SIM_VELOCITY);
    evaluate(sim, FF_SIM_ACCELERATION);
    ff_sim_set_v(sim, 0, 0.5);
    CHECK_INT(sim->stage, FF_SIM_POSITION);
    evaluate(sim, FF_SIM_ACCELERATION);
    ff_sim_set_q(sim, 0, 0.5);
    CHECK_INT(sim->stage, FF_SIM_NOTHING);
    evaluate(sim, FF_SIM_ACCELERATION);
    must_run(sim, 0.01);
    CHECK(sim->stage < FF_SIM_ACCELERATION);
    end(sim, m);
}

TEST(nothing_is_computed_twice)
{
    ff_model *m;
    counter c = {0};
    ff_sim *sim = block(&m, &c);
    evaluate(sim, FF_SIM_ACCELERATION);
    evaluate(sim, FF_SIM_FORCES);
    evaluate(sim, FF_SIM_ACCELERATION);
    CHECK_INT(c.calls, 1);
    c.calls = 0;
    must_run(sim, 0.001); // one step of four evaluations
    CHECK_INT(c.calls, 4);
    end(sim, m);
}

// Pointers that were returned before the first run, which allocates the state, stay valid.
TEST(views_follow_the_state)
{
    ff_model *m;
    counter c = {0};
    ff_sim *sim = block(&m, &c);
    const double *q = ff_sim_q(sim), *v = ff_sim_v(sim);
    ff_sim_set_v(sim, 0, 2.0);
    CHECK_NEAR(v[0], 2.0, 0.0);
    must_run(sim, 0.5);
    CHECK_NEAR(q[0], 1.0, 1e-12);
    ff_sim_set_q(sim, 0, -3.0);
    CHECK_NEAR(q[0], -3.0, 0.0);
    CHECK_NEAR(ff_sim_state(sim, NULL)[0], -3.0, 0.0);
    end(sim, m);
}

// A quaternion that is set by coordinates has any length in between; only the last one counts.
TEST(quaternions_may_be_written_piece_by_piece)
{
    ff_model *m = robot_walker(1, false);
    for (int begun = 0; begun < 2; begun++) {
        ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0));
        if (begun) must_run(sim, 0.0);
        const double turn[4] = {0.5, 0.5, -0.5, 0.5};
        for (int i = 0; i < 4; i++) ff_sim_set_q(sim, 3 + i, 7.0 * turn[i]);
        must_run(sim, ff_sim_time(sim));
        for (int i = 0; i < 4; i++) CHECK_NEAR(ff_sim_q(sim)[3 + i], turn[i], 1e-15);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

// Energy of a write of the state is `outside` in the ledger: m v^2 / 2 for all writes together.
TEST(the_ledger_counts_what_writes_bring)
{
    ff_spec_joint *joint;
    ff_model *m = robot_finish(robot_slider(2.0, &joint));
    ff_sim_options o = robot_options(FF_METHOD_RK4, 1e-3, 0);
    o.ledger = true;
    ff_sim *sim = robot_sim(m, o);
    must_run(sim, 0.1);
    ff_sim_set_v(sim, 0, 100.0); // overwritten before anybody looks
    ff_sim_set_v(sim, 0, 3.0);
    const ff_ledger l = ff_sim_ledger(sim);
    CHECK_NEAR(l.outside, 9.0, 1e-14);
    CHECK_NEAR(l.residual, 0.0, 1e-14);
    end(sim, m);
}

static double ticking(void *context)
{
    double *now = context;
    return *now += 1.0; // each look takes a second
}

// Every reading of the clock is charged to exactly one row.
TEST(times_of_a_profile_add_up)
{
    ff_model *m;
    counter c = {0};
    double now = 0.0, sum = 0.0;
    ff_profile_row row;
    ff_sim *sim = block(&m, &c);
    CHECK(!ff_sim_profile_row(sim, 0, &row));
    CHECK_INT(ff_sim_start_profile(sim, ticking, &now, NULL), FF_OK);
    const double start = now;
    must_run(sim, 0.01);
    long long part = 0;
    int rows = 0;
    for (; ff_sim_profile_row(sim, rows, &row); rows++) {
        sum += row.seconds;
        if (row.kind == FF_PROFILE_OF_PART) part += row.calls;
    }
    CHECK_INT(part, 40); // ten steps of four evaluations
    // reading a row takes a second as well, charged to the first row, which had been read before
    CHECK_NEAR(sum, now - start - (rows - 1), 0.0);
    CHECK(rows == FF_PROFILE_PARTS + 1);
    end(sim, m);
}
