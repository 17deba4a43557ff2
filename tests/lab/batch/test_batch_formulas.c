// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Conditions of the end and rewards by formulas: their values beside the same quantities computed here from the state,
// the step in which a condition holds first, bit-identical results for any number of lanes and threads, and mistakes in
// texts.
#include "check.h"
#include "one_body.h"
#include "support/allocations.h"

#include <footfall/footfall.h>

/// ANTON on its feet, with servos, at 0.5 ms.
static ff_batch_model *anton(void)
{
    const char *set[] = {"solver={method: euler, step: 5e-4}", "record.channels=[]"};
    ff_report report = {0};
    const ff_scene_spec *file = ff_scene_load(FF_SOURCE_DIR "/experiments/anton-march.yaml", set, 2, &report);
    ff_run *run = file ? ff_run_create(file, NULL, &report) : NULL;
    ff_batch_model *model = run ? ff_run_compile_batch(run, &report) : NULL;
    if (!model) CHECK_FAIL("%s", report.count > 0 ? report.messages[0].text : "no scene");
    ff_run_destroy(run);
    ff_scene_destroy(file);
    ff_report_clear(&report);
    return model;
}

/// Robots that lean, turn and move, each in its own way.
static ff_batch *unlike(const ff_batch_model *model, ff_batch_options o)
{
    ff_error err = {0};
    ff_batch *b = ff_batch_create(model, &o, &err);
    if (!b) CHECK_FAIL("%s", err.text);
    for (int i = 0; i < o.robots; i++) {
        ff_random random = ff_random_make(3, (uint64_t)i);
        double q[64], v[64];
        ff_batch_get_state(b, i, q, v, NULL);
        for (int k = 3; k < 7; k++) q[k] += ff_random_range(&random, -0.4, 0.4);
        for (int k = 0; k < 30; k++) v[k] += ff_random_range(&random, -0.5, 0.5);
        q[2] += ff_random_range(&random, 0.0, 0.05);
        CHECK_INT(ff_batch_set_state(b, i, q, v, NULL), FF_OK);
    }
    return b;
}

// ------------------------------------------------------------------------------------------ values

/// What a robot is known by: its state, rotation and clean sensors.
typedef struct seen {
    double q[64], v[64], R[9], sensors[200];
    double t;
} seen;

enum { SERVOS = 24, GYRO = 2 * SERVOS, FORCE = GYRO + 6 }; // columns of the sensors; FL_coxa is joint 14 of q and v

static double height(const seen *s)
{
    return s->q[2];
}
static double speed(const seen *s)
{
    return ff_vec3_norm(s->v);
}
static double upright(const seen *s)
{
    return s->R[8];
}
static double tilt(const seen *s)
{
    return acos(s->R[8]);
}
static double yaw(const seen *s)
{
    return atan2(s->R[3], s->R[0]);
}
static double forward(const seen *s) // along the body's x axis, seen from above
{
    return (s->v[0] * s->R[0] + s->v[1] * s->R[3]) / hypot(s->R[0], s->R[3]);
}
static double sideways(const seen *s)
{
    return (s->v[1] * s->R[0] - s->v[0] * s->R[3]) / hypot(s->R[0], s->R[3]);
}
static double specific(const seen *s)
{
    return s->sensors[GYRO + 3] + 10.0 * s->sensors[GYRO + 4] + 100.0 * s->sensors[GYRO + 5];
}
static double gyro(const seen *s)
{
    return s->sensors[GYRO] + 10.0 * s->sensors[GYRO + 1] + 100.0 * s->sensors[GYRO + 2];
}
static double joint(const seen *s)
{
    return s->q[15] + 10.0 * s->v[14];
}
static double feet(const seen *s)
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++) sum += s->sensors[FORCE + 3 * i + 2];
    return sum;
}
static double at(const seen *s)
{
    return s->q[0] - 2.0 * s->q[1] + s->t;
}
static double functions(const seen *s)
{
    return exp(-50.0 * s->q[2]) + exp(3.0 * s->v[0]) + sin(7.0 * s->v[1]) * cos(s->v[2]) + fabs(s->v[3]) -
           fmin(s->v[4], fmax(s->v[5], 0.1)) / (2.0 + s->v[0] * s->v[0] * s->v[0]);
}
static double truths(const seen *s)
{
    return (s->v[0] > 0.1) + 2.0 * (s->v[1] <= 0.0 || (s->v[2] < 0.2 && !(s->v[3] >= 0.1)));
}

TEST(formulas_give_what_the_state_says)
{
    static const struct {
        const char *text;
        double (*value)(const seen *s);
    } rows[] = {
        {"height", height},
        {"speed", speed},
        {"upright", upright},
        {"tilt", tilt},
        {"yaw", yaw},
        {"forward", forward},
        {"sideways", sideways},
        {"root.specific_force.x + 10 * root.specific_force.y + 100*root.specific_force.z", specific},
        {"root.gyro.x + 10*root.gyro.y + 100*root.gyro.z", gyro},
        {"FL_coxa.position + 10 * 'FL_coxa.speed'", joint},
        {"FL.force.z + FR.force.z + ML.force.z + MR.force.z + RL.force.z + RR.force.z", feet},
        {"root.x - 2 * root.y + time", at},
        {"exp(-50 * root.z) + exp(3*root.vx) + sin(7 * root.vy) * cos(root.vz) + abs(root.gyro.x)"
         " - min(root.gyro.y, max(root.gyro.z, 0.1)) / (2 + root.vx^3)",
         functions},
        {"(root.vx > 0.1) + 2 * (root.vy <= 0 or root.vz < 0.2 and not root.gyro.x >= 0.1)", truths},
    };
    enum { ROBOTS = 11 };
    ff_batch_model *model = anton();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ff_batch *b = unlike(model, (ff_batch_options){.robots = ROBOTS, .reward = rows[k].text});
        for (int step = 1; step <= 3; step++) {
            ff_batch_clear_rewards(b);
            ff_batch_step(b, 1, NULL);
            for (int i = 0; i < ROBOTS; i++) {
                seen s = {.t = step * 5e-4};
                ff_batch_get_state(b, i, s.q, s.v, NULL);
                ff_batch_sense(b, i, s.sensors, NULL);
                ff_quat_to_mat3(s.R, s.q + 3);
                const double wanted = rows[k].value(&s), size = 1.0 + fabs(wanted);
                if (fabs(ff_batch_reward(b, i) - wanted) > 1e-14 * size) // rounding of some twenty operations
                    CHECK_FAIL("%s of robot %d: %.17g, expected %.17g", rows[k].text, i, ff_batch_reward(b, i), wanted);
            }
        }
        ff_batch_destroy(b);
    }
    ff_batch_model_destroy(model);
}

// atan2 and exp are series of our own: all quadrants and axes, small and large. Three units of the last digit: a sum, a
// product or two behind it, and what the library rounds.
TEST(functions_are_those_of_the_library)
{
    static const double arguments[][2] = {
        {0, 0},     {0, 1},        {0, -1},  {1, 0},  {-1, 0},  {1, 1},   {-1, -1}, {3, -4},  {-0.3, 0.1}, {1e-9, 1},
        {1, -1e-9}, {1e-200, 2e9}, {-5, 12}, {7, -7}, {2.1, 2}, {-1, -3}, {20, 0},  {-30, 1}, {700, 1},    {-700, 2}};
    ff_batch_model *model = anton();
    for (size_t k = 0; k < sizeof arguments / sizeof *arguments; k++) {
        const double y = arguments[k][0], x = arguments[k][1];
        char text[2][100];
        snprintf(text[0], sizeof text[0], "atan2(%.17g, %.17g)", y, x);
        snprintf(text[1], sizeof text[1], "exp(%.17g)", y);
        const double wanted[2] = {atan2(y, x), exp(y)};
        for (int i = 0; i < 2; i++) {
            ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 1, .reward = text[i]}, NULL);
            ff_batch_step(b, 1, NULL);
            CHECK_NEAR(ff_batch_reward(b, 0) / (wanted[i] == 0.0 ? 1.0 : wanted[i]), wanted[i] == 0.0 ? 0.0 : 1.0,
                       6e-16);
            ff_batch_destroy(b);
        }
    }
    ff_batch_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ the end

// A robot stops in the step in which the condition holds first, with the state it has without a condition; its reward
// is the sum over its steps. Robots whose condition never holds go on.
TEST(a_robot_ends_in_the_step_in_which_its_condition_holds_first)
{
    enum { ROBOTS = 9, STEPS = 60 };
    ff_batch_model *model = anton();
    ff_batch *free_ones = unlike(model, (ff_batch_options){.robots = ROBOTS});
    double sums[ROBOTS] = {0}, q[ROBOTS][64];
    int ages[ROBOTS] = {0}, finished = 0;
    for (int k = 1; k <= STEPS; k++) {
        ff_batch_step(free_ones, 1, NULL);
        for (int i = 0; i < ROBOTS; i++) {
            double v[64];
            if (ages[i] > 0) continue;
            ff_batch_get_state(free_ones, i, q[i], v, NULL);
            sums[i] += v[0];
            if (!(v[0] < 0.0) || k <= 20 + i) continue;
            ages[i] = k;
            finished++;
        }
    }
    CHECK(finished > 1 && finished < ROBOTS);
    for (int calls = 1; calls <= STEPS; calls += STEPS - 1) { // in one call and step by step
        for (int i = 0; i < ROBOTS; i += CHECK_LASTS(1, 4)) {
            char end[60];
            snprintf(end, sizeof end, "root.vx < 0 and age > %d", 20 + i);
            ff_batch *b = unlike(model, (ff_batch_options){.robots = ROBOTS, .end = end, .reward = "root.vx"});
            for (int k = 0; k < calls; k++) ff_batch_step(b, STEPS / calls, NULL);
            double state[64];
            ff_batch_get_state(b, i, state, NULL, NULL);
            CHECK_INT(ff_batch_end_of(b, i), ages[i] > 0 ? FF_BATCH_FINISHED : FF_BATCH_LIVES);
            CHECK_INT((int)ff_batch_age(b, i), ages[i] > 0 ? ages[i] : STEPS);
            CHECK(memcmp(state, q[i], 31 * sizeof(double)) == 0);
            CHECK(ff_batch_reward(b, i) == sums[i]);
            int count = 0;
            for (int k = 0; k < ROBOTS; k++) count += ff_batch_end_of(b, k) == FF_BATCH_FINISHED;
            CHECK_INT(ff_batch_count(b, FF_BATCH_FINISHED), count);
            CHECK_INT(ff_batch_reset(b, i, NULL), FF_OK);
            CHECK_INT(ff_batch_end_of(b, i), FF_BATCH_LIVES);
            CHECK(ff_batch_reward(b, i) == 0.0);
            ff_batch_destroy(b);
        }
    }
    ff_batch_destroy(free_ones);
    ff_batch_model_destroy(model);
}

// An observation is the formula at the state the robot has now, with the bits of a reward over one step.
TEST(observations_have_the_bits_of_rewards)
{
    const char *const observe[] = {"tilt + FL.force.z", "exp(-speed) * RR_tibia.target", "age"};
    ff_batch_model *model = anton();
    for (int k = 0; k < 3; k++) {
        ff_batch *b =
            unlike(model, (ff_batch_options){.robots = 11, .reward = observe[k], .observe = observe, .nobserve = 3});
        ff_batch_step(b, 7, NULL);
        ff_batch_clear_rewards(b);
        ff_batch_step(b, 1, NULL);
        for (int i = 0; i < 11; i++) {
            double out[3];
            CHECK_INT(ff_batch_observe(b, i, out, NULL), FF_OK);
            CHECK(out[k] == ff_batch_reward(b, i) && out[2] == 8.0);
        }
        CHECK_INT(ff_batch_observe(b, 11, (double[3]){0}, NULL), FF_BAD_ARGUMENT);
        CHECK_INT(ff_batch_observe(b, 0, NULL, NULL), FF_BAD_ARGUMENT);
        ff_batch_destroy(b);
    }
    ff_error err = {0};
    CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .nobserve = 2}, &err));
    CHECK_SAYS(err.text, "2 observations, and no formulas");
    ff_batch_model_destroy(model);
}

// A condition that is no number does not hold; a reward that is none stays with its robot.
TEST(what_is_no_number_ends_nobody)
{
    ff_batch_model *model = anton();
    ff_batch *b =
        unlike(model, (ff_batch_options){.robots = 3, .end = "sqrt(-1 - age) < 1", .reward = "sqrt(root.vx - 1e9)"});
    ff_batch_step(b, 5, NULL);
    CHECK_INT(ff_batch_count(b, FF_BATCH_LIVES), 3);
    CHECK(isnan(ff_batch_reward(b, 1)));
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

static const char *const LONG_END = "tilt > 0.9 or height < 0.03 or exp(-abs(FL_coxa.speed)) < 1e-3";
static const char *const LONG_REWARD =
    "forward - 0.01 * (FL_coxa.speed^2 + yaw^2) + 1e-3 * FL.force.z + sin(RR_tibia.target)";

TEST(any_number_of_lanes_and_threads_gives_identical_results)
{
    enum { ROBOTS = 29 };
    ff_batch_model *model = anton();
    uint64_t first = 0;
    for (int l = 0; ff_batch_lanes_there(l) > 0; l++)
        for (int threads = 1; threads <= 2; threads++) {
            ff_batch *b = unlike(model, (ff_batch_options){.robots = ROBOTS,
                                                           .lanes = ff_batch_lanes_there(l),
                                                           .threads = threads,
                                                           .end = LONG_END,
                                                           .reward = LONG_REWARD});
            ff_batch_step(b, 60, NULL);
            CHECK(ff_batch_count(b, FF_BATCH_FINISHED) > 0 && ff_batch_count(b, FF_BATCH_LIVES) > 0);
            const uint64_t hash = ff_batch_hash(b); // rewards are rows of the state
            if (first == 0) first = hash;
            CHECK(hash == first);
            ff_batch_destroy(b);
        }
    ff_batch_model_destroy(model);
}

TEST(steps_with_formulas_allocate_nothing)
{
    ff_batch_model *model = anton();
    const ff_batch_options o = {.robots = 5, .threads = 1, .end = LONG_END, .reward = LONG_REWARD};
    ff_batch *b = unlike(model, o);
    const long long before = allocation_calls;
    CHECK_INT(ff_batch_step(b, 20, NULL), FF_OK);
    CHECK_INT((int)(allocation_calls - before), 0);
    ff_batch_destroy(b);
    for (int k = 0; k < 8; k++) {
        ff_error err = {0};
        allocations_left = k;
        CHECK(!ff_batch_create(model, &o, &err));
        allocations_left = -1;
        CHECK_INT(err.status, FF_NO_MEMORY);
    }
    ff_batch_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ mistakes

TEST(mistakes_in_a_text_are_named_with_their_place)
{
    char deep[300], wide[300];
    memset(deep, '(', 100);
    snprintf(deep + 100, sizeof deep - 100, "1");
    int n = 0;
    for (int i = 0; i < 20; i++) n += snprintf(wide + n, sizeof wide - (size_t)n, "1+(");
    const struct {
        const char *end, *reward, *says;
    } rows[] = {
        {"heigt < 1", NULL, "end, column 1 of 'heigt < 1': there is no quantity 'heigt'; did you mean 'height'?"},
        {"height", NULL, "compare it"},
        {"height < 0.1 or tilt", NULL, "take comparisons"},
        {"height == 1", NULL, "compared by <"},
        {"height < ", NULL, "ends too early"},
        {"height < 1 2", NULL, "column 12 of 'height < 1 2': nothing is expected"},
        {"", NULL, "ends too early"},
        {NULL, "", "reward, column 1"},
        {NULL, "(height", "')' is missing"},
        {NULL, "min(1)", "two numbers"},
        {NULL, "foo(1)", "unknown function"},
        {NULL, "height^-1", "whole number from 0 to 16"},
        {NULL, "height^1.5", "whole number from 0 to 16"},
        {NULL, "height^17", "whole number from 0 to 16"},
        {NULL, "1e999", "too large"},
        {NULL, "'FL_coxa.speed", "missing behind a name"},
        {NULL, "FL_coxa.colour", "there is no quantity"},
        {NULL, "base.position", "there is no quantity"},
        {NULL, "FL.force.w", "there is no quantity"},
        {NULL, deep, "nested too deeply"},
        {NULL, wide, "wait for each other"},
        {NULL, "#", "expected a number"}};
    ff_batch_model *model = anton();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ff_error err = {0};
        const ff_batch_options o = {.robots = 2, .end = rows[i].end, .reward = rows[i].reward};
        CHECK(!ff_batch_create(model, &o, &err));
        CHECK_INT(err.status, FF_BAD_ARGUMENT);
        CHECK_SAYS(err.text, rows[i].says);
    }
    ff_batch_model_destroy(model);
}

// 4096 instructions for all formulas: of 1366 with three each, the last has no room for its sum.
TEST(formulas_beyond_the_room_for_them_are_named)
{
    static const char *all[1366];
    for (int i = 0; i < 1366; i++) all[i] = "age + 1";
    ff_batch_model *model = one_body("swing", FF_JOINT_HINGE);
    ff_error err = {0};
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 1, .observe = all, .nobserve = 1365}, &err);
    CHECK(b);
    ff_batch_destroy(b);
    CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .observe = all, .nobserve = 1366}, &err));
    CHECK_INT(err.status, FF_LIMIT);
    CHECK_SAYS(err.text,
               "observe, column 8 of 'age + 1': the formulas of a batch together have up to 4096 instructions");
    ff_batch_model_destroy(model);
}

/// A pendulum: no free root.
TEST(a_robot_without_a_free_root_has_no_height)
{
    ff_batch_model *model = one_body("swing", FF_JOINT_HINGE);
    ff_error err = {0};
    CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .end = "1 > 2 or height < 1"}, &err));
    CHECK_SAYS(err.text, "column 10 of '1 > 2 or height < 1': this robot has no free root");
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 1, .end = "swing.position > 10"}, &err);
    CHECK(b && ff_batch_step(b, 3, NULL) == FF_OK && ff_batch_count(b, FF_BATCH_LIVES) == 1);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}
