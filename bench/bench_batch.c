// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON marching, many at a time: a batch of robots in each width of lanes, beside a team of whole simulations. Euler
// at 1 ms, feet on a plane with all their history. Robots of the batch get new targets every 10 ms, those of the team
// every ms. Processor time, one thread, best of several rounds in which the widths take turns, so that a busy machine
// slows all of them; the hash shows that all widths do the same.
//     bench_batch [ROBOTS]
#include "clock.h"
#include "march.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 10, PERIODS = 50, PERIOD_STEPS = 10, TEAM = 16, WIDTHS = 4 };

static ff_sim_options euler(void)
{
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = 1e-3;
    return o;
}

/// Positions that the servos of all robots follow over a period of the march, kp q of march_add_torque at rest in zero.
static void targets_at(const march *how, const ff_batch_model *model, double t, double *position)
{
    static const double zero[64] = {0};
    double tau[64] = {0};
    march still = *how;
    still.kd = 0.0;
    march_add_torque(&still, t, zero, zero, tau);
    for (int i = 0; i < ff_batch_model_sizes(model).nservo; i++)
        position[i] = tau[how->model->joints[ff_batch_servo_joint(model, i)].vadr] / how->kp;
}

/// Time of a march in one width.  [s]
static double march_batch(const ff_batch_model *model, const double *targets, int robots, int lanes, uint64_t *hash)
{
    const int n = ff_batch_model_sizes(model).nservo;
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = robots, .threads = 1, .lanes = lanes}, NULL);
    if (!b) exit(1);
    const double start = now();
    for (int k = 0; k < PERIODS; k++) {
        for (int i = 0; i < robots; i++) ff_batch_set_targets(b, i, targets + (k * robots + i) * n, NULL, NULL, NULL);
        ff_batch_step(b, PERIOD_STEPS, NULL);
    }
    const double spent = now() - start;
    *hash = ff_batch_hash(b);
    if (ff_batch_count(b, FF_BATCH_LIVES) != robots)
        printf("  %d robots diverged\n", ff_batch_count(b, FF_BATCH_DIVERGED));
    ff_batch_destroy(b);
    return spent;
}

/// All widths in turns; steps of a robot in a second beside `team`.
static void march_batches(const march *how, const ff_batch_model *model, int robots, double team)
{
    const int n = ff_batch_model_sizes(model).nservo;
    double best[WIDTHS], *targets = malloc(sizeof(double) * (size_t)(PERIODS * robots * n));
    uint64_t hash[WIDTHS];
    if (!targets) exit(1);
    for (int k = 0; k < PERIODS * robots; k++) // robots march one after the other
        targets_at(how, model, 1e-3 * PERIOD_STEPS * (k / robots) + how->period * (k % robots) / robots,
                   targets + k * n);
    for (int r = 0; r < REPEATS; r++)
        for (int i = 0, lanes; i < WIDTHS && (lanes = ff_batch_lanes_there(i)) > 0; i++) {
            const double spent = march_batch(model, targets, robots, lanes, &hash[i]);
            if (r == 0 || spent < best[i]) best[i] = spent;
        }
    for (int i = 0, lanes; i < WIDTHS && (lanes = ff_batch_lanes_there(i)) > 0; i++) {
        const double rate = (double)robots * PERIODS * PERIOD_STEPS / best[i];
        printf("batch of %5d, %d lane%-7s %10.0f steps/s, %5.2f of one lane, %5.2f of the team, hash %016" PRIx64 "\n",
               robots, lanes, lanes == 1 ? "" : "s", rate, best[0] / best[i], rate / team, hash[i]);
    }
    free(targets);
}

static double march_team(const march *how)
{
    const ff_sim_options o = euler();
    const double duration = 1e-3 * PERIODS * PERIOD_STEPS;
    double best = 1e30;
    for (int r = 0; r < REPEATS; r++) {
        marcher robots[TEAM];
        ff_sim *sims[TEAM];
        for (int i = 0; i < TEAM; i++) {
            if (!marcher_create(&robots[i], how, &o, MARCH_SAMPLED)) exit(1);
            sims[i] = robots[i].sim;
        }
        const double start = now();
        if (ff_team_run(sims, TEAM, duration, 1, NULL, NULL) != FF_OK) exit(1);
        const double spent = now() - start;
        if (spent < best) best = spent;
        for (int i = 0; i < TEAM; i++) marcher_destroy(&robots[i]);
    }
    return TEAM * (double)PERIODS * PERIOD_STEPS / best;
}

int main(int argc, char **argv)
{
    const int robots = argc > 1 ? atoi(argv[1]) : 64;
    const ff_sim_options o = euler();
    const ff_batch_servo servo = {.joint = -1, .stiffness = 60.0, .damping = 1.0};
    march how;
    ff_model *model = march_load(FF_SOURCE_DIR "/robots/anton/anton.yaml");
    if (robots < 1 || !model || !march_create(&how, model, 0.025)) return 1;
    ff_world *world = ff_world_create(model, NULL, NULL);
    ff_sim *sim = ff_sim_create(model, &o, NULL);
    if (ff_sim_add_world(sim, world, NULL)) return 1;
    ff_sim_set_state(sim, how.stand, NULL);
    ff_batch_model *batch = ff_batch_compile(sim, &servo, 1, NULL);
    if (!batch) return 1;
    const double team = march_team(&how);
    printf("%-28s %10.0f steps/s of one thread\n", "team of simulations", team);
    march_batches(&how, batch, robots, team);
    ff_batch_model_destroy(batch);
    ff_sim_destroy(sim);
    ff_world_destroy(world);
    march_destroy(&how);
    ff_model_destroy(model);
    return 0;
}
