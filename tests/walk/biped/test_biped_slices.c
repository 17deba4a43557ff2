// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans that are handed on in slices: a second planner that has got them all says the same as the first, bit by bit,
// and goes on to the stand at the end of the plan when the first is silent. Slices get lost, and planners are sick.
#include "biped/biped_lab.h"

#include <footfall/base.h>

#include <string.h>

static const ff_biped_command AHEAD = {.speed = 0.5, .walk = true};
#define T 1e-3

static bool same(const ff_biped_target *a, const ff_biped_target *b)
{
    return a->time == b->time && memcmp(&a->task, &b->task, sizeof a->task) == 0 &&
           memcmp(&a->wrench, &b->wrench, sizeof a->wrench) == 0 && memcmp(a->load, b->load, sizeof a->load) == 0 &&
           memcmp(a->zmp, b->zmp, sizeof a->zmp) == 0;
}

// Some slices get lost on the way: they come again.
TEST(a_plan_that_was_handed_on_says_the_same)
{
    lab l = lab_open();
    ff_biped_planner *first = planner_of(&l, NULL, AHEAD), *second = planner_of(&l, NULL, AHEAD);
    ff_biped_target target, other;
    ff_biped_slice slice;
    double plan = -1.0;
    int plans = 0, age = 0, compared = 0;
    ff_random random = ff_random_make(1, 0);
    for (int i = 0; i < 6000; i++) {
        ff_biped_planner_tick(first, i * T, &target);
        ff_biped_planner_slice(first, &slice);
        if (slice.plan != plan) plans++, age = 0;
        plan = slice.plan;
        age++;
        if (ff_random_uniform(&random) > 0.05) ff_biped_planner_adopt(second, &slice);
        if (i % 10 != 0) continue;
        const bool adopted = ff_biped_planner_follow_adopted(second, i * T, &other);
        if (age < 400) continue; // a lost slice costs a round of 40: two are lost in the mean, nine would do
        CHECK(adopted && same(&target, &other));
        compared++;
    }
    CHECK(plans >= 5 && compared > 200);
}

// The first falls silent after 3 s. The second goes on without a jump and comes to a stand, with no speed and the load
// on both feet, whatever it was commanded.
TEST(a_plan_that_was_handed_on_ends_in_a_stand)
{
    lab l = lab_open();
    ff_biped_planner *first = planner_of(&l, NULL, AHEAD), *second = planner_of(&l, NULL, AHEAD);
    ff_biped_target before, now;
    ff_biped_slice slice;
    for (int i = 0; i <= 3000; i++) {
        ff_biped_planner_tick(first, i * T, &before);
        ff_biped_planner_slice(first, &slice);
        ff_biped_planner_adopt(second, &slice);
    }
    for (int i = 3001; i <= 10000; i++, before = now) {
        if (i == 5000) ff_biped_planner_command(second, &AHEAD);
        CHECK(ff_biped_planner_follow_adopted(second, i * T, &now));
        for (int k = 0; k < 3; k++) CHECK_NEAR(now.task.com[k], before.task.com[k] + T * before.task.com_vel[k], 1e-5);
    }
    CHECK(now.load[0] == 0.5 && !now.walking && now.task.com[0] > before.task.com[0] - 1e-9);
    for (int k = 0; k < 3; k++) CHECK_NEAR(now.task.com_vel[k], 0.0, 1e-12);
    CHECK_NEAR(now.task.foot[0].pos[0], now.task.foot[1].pos[0], 1e-9);
}

TEST(who_stands_hands_on_no_plan)
{
    lab l = lab_open();
    ff_biped_planner *first = planner_of(&l, NULL, (ff_biped_command){0}), *second = planner_of(&l, NULL, AHEAD);
    ff_biped_target target;
    ff_biped_slice slice;
    for (int i = 0; i < 100; i++) {
        ff_biped_planner_tick(first, i * T, &target);
        ff_biped_planner_slice(first, &slice);
        ff_biped_planner_adopt(second, &slice);
        CHECK(!ff_biped_planner_follow_adopted(second, i * T, &target));
    }
}

// Numbers that no planner sends: they are not adopted, or lead nowhere beyond memory.
TEST(slices_of_a_sick_planner_do_no_harm)
{
    static const double heads[][2] = {{-1, 10}, {0, 10},    {49, 10}, {1e300, 10}, {3, 0},
                                      {3, 401}, {3, -1e18}, {0.3, 7}, {3, 10}};
    lab l = lab_open();
    ff_biped_planner *p = planner_of(&l, NULL, AHEAD);
    ff_biped_target target;
    ff_random random = ff_random_make(3, 0);
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        ff_biped_slice slice = {.plan = 1.0 + (double)k};
        for (int i = 0; i < 400; i++, slice.first += FF_BIPED_SLICE) {
            for (int n = 0; n < FF_BIPED_SLICE; n++) slice.numbers[n] = 1e3 * (ff_random_uniform(&random) - 0.5);
            if (i == 0) memcpy(slice.numbers, heads[k], sizeof heads[k]);
            ff_biped_planner_adopt(p, &slice);
        }
        CHECK(!ff_biped_planner_follow_adopted(p, 0.5, &target));
    }
}
