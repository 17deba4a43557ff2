// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse kinematics by damped least squares. Round trips: frames are put where a random position within limits has
// them, and the solver starts from another position; whatever it says about its error must be true by the kinematics of
// the model. Known answers: the closed forms of legs, arms stretched towards points out of reach, the conditions of a
// minimum under limits.
#include <footfall/ik.h>
#include <glob.h>

#include "check.h"
#include "leg_robot.h"
#include "support/allocations.h"
#include "support/random_robot.h"

#define TARGETS 6

typedef struct rig {
    ff_model *m;
    ff_data *d;
    double *q, *goal, *work;
} rig;

static void rig_end(void *object)
{
    rig *r = object;
    free(r->q);
    free(r->goal);
    free(r->work);
    ff_data_destroy(r->d);
    ff_model_destroy(r->m);
    free(r);
}

static rig rig_make(ff_model *m)
{
    rig *r = calloc(1, sizeof *r);
    *r = (rig){.m = m, .d = ff_data_create(m, NULL)};
    r->q = calloc((size_t)m->nq, sizeof *r->q);
    r->goal = calloc((size_t)m->nq, sizeof *r->goal);
    r->work = calloc(ff_ik_work_size(m, TARGETS), sizeof *r->work);
    memcpy(r->q, m->q0, (size_t)m->nq * sizeof *r->q);
    check_at_end(rig_end, r);
    return *r;
}

/// Solves from r->q on. @param options  NULL: the defaults
static ff_ik_result rig_solve(const rig *r, const ff_ik_target *targets, int n, const ff_ik_options *options)
{
    const ff_ik_options usual = ff_ik_options_default();
    ff_ik_result result;
    CHECK_INT(ff_ik_solve(r->m, r->d, r->q, targets, n, options ? options : &usual, r->work, &result), FF_OK);
    return result;
}

// The last bodies of branches, with a point off their origin, where the position r->goal has them.
static int targets_at_goal(const rig *r, bool attitude, ff_ik_target *targets)
{
    int n = 0;
    memcpy(r->d->q, r->goal, (size_t)r->m->nq * sizeof *r->goal);
    ff_dyn_kinematics(r->m, r->d);
    for (int b = r->m->nbody - 1; b >= 0 && n < TARGETS; b--) {
        int node = r->m->bodies[b].node;
        if (node < 0 || joint_below(r->m, node)) continue;
        ff_ik_target t = {.body = b,
                          .local = {0.03, -0.02, -0.1},
                          .local_quat = {0.5, 0.5, -0.5, 0.5},
                          .position = true,
                          .attitude = attitude};
        double pos[3], quat[4];
        ff_dyn_point(r->m, r->d, b, t.local, t.pos);
        ff_dyn_body_pose(r->m, r->d, b, pos, quat);
        ff_quat_mul(t.quat, quat, t.local_quat);
        targets[n++] = t;
    }
    return n;
}

// A start some way from the goal, within limits as far as solve puts it there.
static void start_near_goal(const rig *r, ff_random *random, double size)
{
    double v[512] = {0};
    for (int i = 0; i < r->m->nv; i++) {
        bool slide = r->m->joints[r->m->dof_joint[i]].type == FF_JOINT_SLIDE;
        v[i] = ff_random_range(random, -size, size) * (slide ? 0.2 : 1.0);
    }
    ff_dyn_advance(r->m, r->goal, v, 1.0, r->q);
}

static void check_limits(const rig *r)
{
    for (int i = 0; i < r->m->njoint; i++) {
        const ff_joint *joint = &r->m->joints[i];
        if (!ff_joint_is_scalar(joint->type) || !joint->limited || joint->mimic >= 0) continue;
        double q = r->q[joint->qadr];
        CHECK(q >= joint->range[0] && q <= joint->range[1]);
    }
}

// What the solver reports, computed again from the position it returns.
static void check_report(const rig *r, const ff_ik_target *targets, int n, const ff_ik_result *result)
{
    double position = 0.0, attitude = 0.0;
    memcpy(r->d->q, r->q, (size_t)r->m->nq * sizeof *r->q);
    ff_dyn_kinematics(r->m, r->d);
    for (int i = 0; i < n; i++) {
        double at[3], pos[3], quat[4], now[4], turn[3];
        ff_dyn_point(r->m, r->d, targets[i].body, targets[i].local, at);
        ff_vec3_sub(at, at, targets[i].pos);
        position = fmax(position, ff_vec3_norm(at));
        if (!targets[i].attitude) continue;
        ff_dyn_body_pose(r->m, r->d, targets[i].body, pos, quat);
        ff_quat_mul(now, quat, targets[i].local_quat);
        ff_quat_difference(turn, now, targets[i].quat);
        attitude = fmax(attitude, ff_vec3_norm(turn));
    }
    CHECK_NEAR(result->position_error, position, 1e-14); // rounding of a metre
    CHECK_NEAR(result->attitude_error, attitude, 1e-14);
    bool close = position <= 1e-9 && attitude <= 1e-9;
    CHECK((result->outcome == FF_IK_CONVERGED) == close);
}

typedef struct tally {
    int trials, converged, iterations;
} tally;

static void round_trips(const char *label, rig *r, int trials, double away, tally *all)
{
    ff_random random = ff_random_make(31, 0);
    ff_ik_target targets[TARGETS];
    tally t = {0};
    for (int k = 0; k < trials; k++) {
        random_position(r->m, &random, r->goal);
        int n = targets_at_goal(r, k % 2 == 1, targets);
        start_near_goal(r, &random, away);
        const ff_ik_result result = rig_solve(r, targets, n, NULL);
        check_limits(r);
        check_report(r, targets, n, &result);
        t.trials++;
        t.converged += result.outcome == FF_IK_CONVERGED;
        t.iterations += result.iterations;
    }
    printf("  %-60s %d of %d, %.1f iterations\n", label, t.converged, t.trials, (double)t.iterations / t.trials);
    all->trials += t.trials;
    all->converged += t.converged;
    all->iterations += t.iterations;
}

TEST(every_robot_of_ours_comes_back_to_where_it_was)
{
    glob_t files;
    tally all = {0};
    CHECK_INT(glob(ROBOTS "/*/*.yaml", 0, NULL, &files), 0);
    CHECK(files.gl_pathc >= 8);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        rig r = rig_make(load_robot(files.gl_pathv[i]));
        round_trips(strstr(files.gl_pathv[i], "/robots/"), &r, 40, 0.3, &all);
    }
    globfree(&files);
    CHECK(all.converged >= all.trials * 99 / 100); // local minima exist; they are said (check_report)
}

TEST(public_robots_come_back_to_where_they_were)
{
    static const char *const files[] = {
        SHARED "/mjcf/unitree_a1/a1_nomesh.xml", SHARED "/mjcf/robotis_op3/op3_nomesh.xml",
        SHARED "/urdf/example-robot-data/robots/solo_description/robots/solo12.urdf",
        SHARED "/urdf/example-robot-data/robots/hyq_description/robots/hyq_no_sensors.urdf",
        SHARED "/urdf/example-robot-data/robots/anymal_b_simple_description/robots/anymal.urdf"};
    tally all = {0};
    for (int i = 0; i < 5; i++) {
        rig r = rig_make(load_robot(files[i]));
        round_trips(strrchr(files[i], '/'), &r, 40, 0.3, &all);
    }
    CHECK(all.converged >= all.trials * 99 / 100);
}

// Trees with every type of joint, several on one body, floating or not.
TEST(random_robots_come_back_to_where_they_were)
{
    ff_random random = ff_random_make(32, 0);
    tally all = {0};
    for (int i = 0; i < 30; i++) {
        ff_spec *spec = random_robot(&random, 4 + i % 8, i % 2 == 0, i % 3 == 0);
        ff_load_options options = ff_load_options_default();
        ff_report report = {0};
        ff_model *m = ff_model_compile(spec, &options, &report);
        CHECK(m != NULL);
        ff_spec_destroy(spec);
        ff_report_clear(&report);
        rig r = rig_make(m);
        round_trips("random robot", &r, 10, 0.3, &all);
    }
    CHECK(all.converged >= all.trials * 97 / 100); // limits of 0.4 rad and few joints: some starts are shut off
}

// From a position that has nothing to do with the goal, a first attempt may end in a local minimum or at limits; it is
// then said, and further attempts from other starts get there.
TEST(few_starts_find_the_feet_of_a_robot_from_anywhere)
{
    static const char *const files[] = {ROBOTS "/anton/anton.yaml", ROBOTS "/humanoid/humanoid.yaml"};
    ff_random random = ff_random_make(33, 0);
    for (int f = 0; f < 2; f++) {
        rig r = rig_make(load_robot(files[f]));
        ff_ik_target targets[TARGETS];
        int attempts = 0, first = 0;
        for (int k = 0; k < 40; k++) {
            ff_ik_result result = {.outcome = FF_IK_STUCK};
            random_position(r.m, &random, r.goal);
            int n = targets_at_goal(&r, false, targets);
            for (int a = 0; a < 10 && result.outcome != FF_IK_CONVERGED; a++) {
                random_position(r.m, &random, r.q);
                result = rig_solve(&r, targets, n, NULL);
                check_limits(&r);
                check_report(&r, targets, n, &result);
                attempts++;
                if (a == 0) first += result.outcome == FF_IK_CONVERGED;
            }
            CHECK_INT(result.outcome, FF_IK_CONVERGED);
        }
        printf("  %s: %d of 40 at once, %.1f starts on average\n", files[f] + strlen(ROBOTS), first, attempts / 40.0);
    }
}

// ------------------------------------------------------------------------------------------ known answers

// ANTON's six feet at once with the base held: the knees' limits leave one solution, which the closed forms know.
TEST(six_feet_of_anton_agree_with_the_closed_forms)
{
    rig r = rig_make(load_robot(ROBOTS "/anton/anton.yaml"));
    ff_random random = ff_random_make(34, 0);
    bool *held = calloc((size_t)r.m->nv, sizeof *held);
    for (int i = 0; i < r.m->nv; i++) held[i] = true;
    for (int l = 0; l < 6; l++)
        for (int k = 0; k < 3; k++) held[r.m->joints[r.m->legs[l].joints[k]].vadr] = false;
    for (int trial = 0; trial < 30; trial++) {
        ff_ik_target targets[6];
        ff_ik_options options = ff_ik_options_default();
        options.held = held;
        random_position(r.m, &random, r.goal);
        start_near_goal(&r, &random, 0.2);
        for (int i = 0; i < r.m->njoint; i++) // the same base and body in start and goal
            if (held[r.m->joints[i].vadr])
                for (int k = 0; k < ff_joint_nq(r.m->joints[i].type); k++)
                    r.q[r.m->joints[i].qadr + k] = r.goal[r.m->joints[i].qadr + k];
        memcpy(r.d->q, r.goal, (size_t)r.m->nq * sizeof *r.goal);
        ff_dyn_kinematics(r.m, r.d);
        for (int l = 0; l < 6; l++) {
            double pos[3];
            const ff_frame *frame = &r.m->frames[r.m->legs[l].frame];
            ff_dyn_point(r.m, r.d, frame->body, frame->pos, pos);
            targets[l] = ff_ik_target_frame(r.m, r.m->legs[l].frame, pos, NULL);
        }
        const ff_ik_result result = rig_solve(&r, targets, 6, &options);
        if (result.outcome != FF_IK_CONVERGED) continue; // a knee may hide behind its limit at 0
        for (int l = 0; l < 6; l++) {
            ff_leg_ik ik;
            double foot[3], q[3], error;
            CHECK_INT(ff_leg_ik_make(r.m, &r.m->legs[l], NULL, &ik, NULL), FF_OK);
            point_in_body(r.m, r.d, targets[l].body, targets[l].local, ik.body, foot);
            CHECK_INT(ff_leg_ik_solve(&ik, foot, q, &error), FF_REACH_OK);
            for (int k = 0; k < 3; k++) CHECK_NEAR(r.q[ik.qadr[k]], q[k], 1e-10); // both from the same foot
        }
    }
    free(held);
}

// A planar arm of n links of 0.3 m along x, hinges about z, with the given limits.
static ff_model *planar_arm(int n, double limit, const char *mimic)
{
    ff_spec *spec = ff_spec_create(NULL);
    for (int i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "link%d", i);
        ff_spec_body *body = ff_spec_add_body(spec, name, i - 1);
        body->has_inertial = true;
        body->mass = 1.0;
        body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.1;
        body->pos[0] = i > 0 ? 0.3 : 0.0;
        ff_spec_joint *joint = ff_spec_add_joint(spec, name, i, FF_JOINT_HINGE);
        ff_vec3_set(joint->axis, 0, 0, 1);
        joint->limited = limit > 0.0;
        joint->range[0] = -limit;
        joint->range[1] = limit;
        if (mimic && i == n - 1) {
            joint->mimic = ff_spec_text(spec, mimic);
            joint->mimic_gain = -0.5;
            joint->mimic_offset = 0.1;
        }
    }
    ff_load_options options = ff_load_options_default();
    ff_report report = {0};
    ff_model *m = ff_model_compile(spec, &options, &report);
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    return m;
}

static ff_ik_target tip_at(const ff_model *m, double x, double y)
{
    return (ff_ik_target){.body = m->nbody - 1, .local = {0.3, 0, 0}, .position = true, .pos = {x, y, 0}};
}

TEST(arm_stretches_towards_a_point_out_of_reach)
{
    rig r = rig_make(planar_arm(3, 0.0, NULL));
    ff_ik_target target = tip_at(r.m, 0.9, 1.2); // 1.5 m away, the arm has 0.9 m
    r.q[0] = 0.3, r.q[1] = 0.4, r.q[2] = -0.2;
    const ff_ik_result result = rig_solve(&r, &target, 1, NULL);
    CHECK_INT(result.outcome, FF_IK_STUCK);
    CHECK_NEAR(result.position_error, 0.6, 1e-6); // a flat minimum: the squared angle
    CHECK_NEAR(r.q[0], atan2(1.2, 0.9), 1e-3);
    CHECK_NEAR(r.q[1], 0.0, 1e-3);
}

// A straight arm whose tip is to come nearer along it: no joint can lower the error to first order, and it must bend.
TEST(straight_arm_bends_to_become_shorter)
{
    for (int links = 2; links <= 4; links++)
        for (int k = 1; k < 10; k++) {
            rig r = rig_make(planar_arm(links, 3.0, NULL));
            const double reach = 0.3 * links;
            ff_ik_target target = tip_at(r.m, 0.1 * k * reach, 0.0);
            const ff_ik_result result = rig_solve(&r, &target, 1, NULL);
            if (result.outcome != FF_IK_CONVERGED)
                CHECK_FAIL("%d links to %g m: stuck %.3g m off after %d", links, target.pos[0], result.position_error,
                           result.iterations);
        }
}

// At the nearest approach under limits no free joint can lower the error, and those at a limit push against it (the
// conditions of Kuhn and Tucker for bounds).
TEST(nearest_approach_under_limits_is_a_minimum)
{
    ff_random random = ff_random_make(35, 0);
    rig r = rig_make(planar_arm(4, 0.5, NULL));
    int at_limit = 0;
    for (int trial = 0; trial < 200; trial++) {
        ff_ik_target target = tip_at(r.m, ff_random_range(&random, -1.2, 1.2), ff_random_range(&random, -1.2, 1.2));
        for (int i = 0; i < 4; i++) r.q[i] = ff_random_range(&random, -0.5, 0.5);
        const ff_ik_result result = rig_solve(&r, &target, 1, NULL);
        check_limits(&r);
        if (result.outcome == FF_IK_CONVERGED) continue;
        CHECK_INT(result.outcome, FF_IK_STUCK);
        double J[24], tip[3];
        ff_dyn_jacobian(r.m, r.d, 3, target.local, J);
        ff_dyn_point(r.m, r.d, 3, target.local, tip);
        for (int i = 0; i < 4; i++) {
            double down = J[12 + i] * (target.pos[0] - tip[0]) + J[16 + i] * (target.pos[1] - tip[1]);
            // the slope that is left where steps remove less than 1e-6 of the squared error
            bool top = r.q[i] >= 0.5, bottom = r.q[i] <= -0.5;
            at_limit += top || bottom;
            if (!bottom) CHECK(down >= -2e-3);
            if (!top) CHECK(down <= 2e-3);
        }
    }
    CHECK(at_limit > 100);
}

// To first order the step is the shortest: it has no part along the motion of the joints that leaves the tip in place.
TEST(redundant_joints_move_no_more_than_needed)
{
    rig r = rig_make(planar_arm(3, 0.0, NULL));
    const double start[3] = {0.4, 0.7, -0.3};
    double J[18], tip[3], null[3];
    memcpy(r.q, start, sizeof start);
    memcpy(r.d->q, start, sizeof start);
    ff_dyn_kinematics(r.m, r.d);
    ff_ik_target target = tip_at(r.m, 0, 0);
    ff_dyn_point(r.m, r.d, 2, target.local, tip);
    ff_dyn_jacobian(r.m, r.d, 2, target.local, J);
    ff_vec3_cross(null, J + 9, J + 12); // across the rows of x and y
    ff_vec3_normalise(null);
    const double h = 1e-4;
    target = tip_at(r.m, tip[0] + h, tip[1] - h);
    const ff_ik_result result = rig_solve(&r, &target, 1, NULL);
    CHECK_INT(result.outcome, FF_IK_CONVERGED);
    double moved[3];
    ff_vec3_sub(moved, r.q, start);
    CHECK(ff_vec3_norm(moved) > h);
    CHECK_NEAR(ff_vec3_dot(moved, null), 0.0, 100 * h * h); // second order in the step
}

TEST(joints_that_mimic_follow_and_carry_their_limits)
{
    rig r = rig_make(planar_arm(4, 1.0, "link1")); // joint 3 = 0.1 - 0.5 joint 1
    ff_random random = ff_random_make(36, 0);
    int converged = 0;
    for (int trial = 0; trial < 50; trial++) {
        for (int i = 0; i < 3; i++) r.q[i] = r.d->q[i] = ff_random_range(&random, -0.9, 0.9);
        r.d->q[3] = 0.1 - 0.5 * r.d->q[1];
        ff_dyn_kinematics(r.m, r.d);
        ff_ik_target target = tip_at(r.m, 0, 0);
        ff_dyn_point(r.m, r.d, 3, target.local, target.pos);
        for (int i = 0; i < 3; i++) r.q[i] += ff_random_range(&random, -0.2, 0.2);
        r.q[3] = 0.7; // wrong
        const ff_ik_result result = rig_solve(&r, &target, 1, NULL);
        CHECK_NEAR(r.q[3], 0.1 - 0.5 * r.q[1], 1e-16);
        for (int i = 0; i < 4; i++) CHECK(fabs(r.q[i]) <= 1.0);
        converged += result.outcome == FF_IK_CONVERGED;
    }
    CHECK(converged >= 49);
}

TEST(free_body_takes_any_pose_and_what_is_held_does_not_move)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *body = ff_spec_add_body(spec, "box", -1);
    body->has_inertial = true;
    body->mass = 1.0;
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.1;
    ff_spec_add_joint(spec, "free", 0, FF_JOINT_FREE);
    ff_load_options load = ff_load_options_default();
    ff_report report = {0};
    rig r = rig_make(ff_model_compile(spec, &load, &report));
    ff_spec_destroy(spec);
    ff_random random = ff_random_make(37, 0);
    bool held[6] = {false, false, true, false, false, false};
    for (int trial = 0; trial < 100; trial++) {
        ff_ik_target target = {
            .body = 0, .local = {0.1, 0.2, 0.3}, .local_quat = {1, 0, 0, 0}, .position = true, .attitude = true};
        ff_ik_options options = ff_ik_options_default();
        ff_ik_result result;
        for (int i = 0; i < 3; i++) target.pos[i] = ff_random_range(&random, -1, 1);
        for (int i = 0; i < 4; i++) target.quat[i] = ff_random_normal(&random);
        ff_quat_normalise(target.quat);
        memcpy(r.q, r.m->q0, 7 * sizeof *r.q);
        result = rig_solve(&r, &target, 1, &options);
        CHECK_INT(result.outcome, FF_IK_CONVERGED);
        for (int k = 0; k < 4; k++) CHECK_NEAR(fabs(r.q[3 + k]), fabs(target.quat[k]), 1e-9);
        target.attitude = false;
        target.pos[2] += 1.0;
        options.held = held;
        double height = r.q[2];
        result = rig_solve(&r, &target, 1, &options);
        CHECK(r.q[2] == height);
    }
}

TEST(bad_targets_are_refused)
{
    rig r = rig_make(planar_arm(2, 0.0, NULL));
    ff_ik_options options = ff_ik_options_default();
    ff_ik_result result;
    ff_ik_target target = tip_at(r.m, NAN, 0);
    CHECK_INT(ff_ik_solve(r.m, r.d, r.q, &target, 1, &options, r.work, &result), FF_BAD_ARGUMENT);
    target = tip_at(r.m, 0.1, 0);
    target.body = 2;
    CHECK_INT(ff_ik_solve(r.m, r.d, r.q, &target, 1, &options, r.work, &result), FF_BAD_ARGUMENT);
    target.body = 1;
    r.q[0] = INFINITY;
    CHECK_INT(ff_ik_solve(r.m, r.d, r.q, &target, 1, &options, r.work, &result), FF_BAD_ARGUMENT);
    r.q[0] = 0.1;
    options.step = 0.0;
    CHECK_INT(ff_ik_solve(r.m, r.d, r.q, &target, 1, &options, r.work, &result), FF_BAD_ARGUMENT);
    options = ff_ik_options_default();
    options.iterations = 1;
    r.q[1] = 1.0;
    CHECK_INT(ff_ik_solve(r.m, r.d, r.q, &target, 1, &options, r.work, &result), FF_OK);
    CHECK_INT(result.outcome, FF_IK_ITERATIONS);
    CHECK_INT(result.iterations, 1);
    CHECK_INT(ff_ik_solve(r.m, r.d, r.q, &target, 0, &options, r.work, &result), FF_OK);
    CHECK_INT(result.outcome, FF_IK_CONVERGED);
}

TEST(solving_allocates_nothing)
{
    rig r = rig_make(load_robot(ROBOTS "/anton/anton.yaml"));
    if (allocation_calls == 0) SKIP("a shared library is out of the reach of --wrap");
    ff_random random = ff_random_make(38, 0);
    ff_ik_target targets[TARGETS];
    ff_ik_options options = ff_ik_options_default();
    ff_ik_result result;
    random_position(r.m, &random, r.goal);
    int n = targets_at_goal(&r, true, targets);
    start_near_goal(&r, &random, 0.3);
    const long long before = allocation_calls;
    CHECK_INT(ff_ik_solve(r.m, r.d, r.q, targets, n, &options, r.work, &result), FF_OK);
    CHECK_INT(allocation_calls - before, 0);
}
