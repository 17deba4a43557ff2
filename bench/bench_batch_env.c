// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// bench_batch_env SCENE [ROBOTS] [device [fast|single]]: what a vector environment costs beside the steps of its
// robots.
// An environment's step sets random targets of all servos, makes the steps of 20 ms, works out observations and
// rewards, and restarts robots whose episode is over, after 10 s at most. The table of random targets lies where
// the robots are: on a device nothing is moved.
#include <footfall/footfall.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "device_memory.h"

enum { TABLE = 16, CALLS = 100, MOST_FORMULAS = 600 };
static const double PERIOD = 0.02, EPISODE = 10.0; // [s]

static void give_up(const char *text)
{
    fprintf(stderr, "bench_batch_env: %s\n", text);
    exit(1);
}

// ------------------------------------------------------------------------------------------ the robots

/// Formulas of what is observed: the root, and the joints of the servos.
static int list_formulas(const ff_batch_model *model, const ff_model *robot, char *const *out)
{
    static const char *const root[] = {"z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "gyro.x", "gyro.y", "gyro.z"};
    int n = 0;
    for (size_t i = 0; i < sizeof root / sizeof *root; i++) snprintf(out[n++], 100, "root.%s", root[i]);
    for (int i = 0; i < ff_batch_model_sizes(model).nservo && n + 2 <= MOST_FORMULAS; i++) {
        const char *joint = robot->joints[ff_batch_servo_joint(model, i)].name;
        snprintf(out[n++], 100, "%.80s.position", joint);
        snprintf(out[n++], 100, "%.80s.speed", joint);
    }
    return n;
}

static ff_batch *make(const ff_batch_model *model, const ff_model *robot, int robots, bool device, const char *mode)
{
    static char texts[MOST_FORMULAS][100];
    static char *formulas[MOST_FORMULAS];
    for (int i = 0; i < MOST_FORMULAS; i++) formulas[i] = texts[i];
    const ff_batch_spread start = {.quantity = FF_BATCH_START_SPEEDS, .kind = FF_BATCH_NORMAL, .deviation = 0.01};
    const ff_batch_options options = {.robots = robots,
                                      .device = device,
                                      .fast = strcmp(mode, "fast") == 0,
                                      .single = strcmp(mode, "single") == 0,
                                      .seed = 1,
                                      .spreads = &start,
                                      .nspread = 1,
                                      .end = "root.z < 0.06 or upright < 0.7",
                                      .reward = "root.vx * step",
                                      .nobserve = list_formulas(model, robot, formulas),
                                      .observe = (const char *const *)formulas};
    ff_error err = {0};
    ff_batch *b = ff_batch_create(model, &options, &err);
    if (!b) give_up(err.text);
    return b;
}

/// Random targets around those of the scene, 0.3 rad to each side, in the order of the batch.
static double *draw_table(const ff_batch *b, const ff_batch_view *view, int robots)
{
    const size_t count = (size_t)(view->block_stride * view->blocks);
    double *table = calloc(TABLE * count, sizeof *table), first[3][1000];
    ff_random random = ff_random_make(1, 0);
    if (!table || view->count > 1000) give_up("no memory, or more than 1000 servos");
    for (int t = 0; t < TABLE; t++)
        for (int i = 0; i < robots; i++) {
            ff_batch_get_targets(b, i, first[0], first[1], first[2], NULL);
            double *to = table + (size_t)t * count + i / view->lanes * view->block_stride + i % view->lanes;
            for (int k = 0; k < view->count; k++, to += view->row_stride) {
                to[0] = first[0][k] + ff_random_range(&random, -0.3, 0.3);
                to[view->lanes] = first[1][k];
                to[2 * view->lanes] = first[2][k];
            }
        }
    return table;
}

// ------------------------------------------------------------------------------------------ measuring

typedef struct bench {
    ff_batch *batch;
    double *targets;     // of all robots
    const double *table; // random ones, where the robots are
    size_t count;        // of either
    bool device;
    int steps; // of a period
    int life;  // steps of an episode
} bench;

static void act(const bench *b, int call)
{
    const double *from = b->table + (size_t)(call % TABLE) * b->count;
    memory_copy(b->targets, from, b->count, b->device);
}

/// All robots restart, then go through CALLS periods.
/// @param whole  with all that an environment does; else robots that end stand still
/// @return seconds by the wall
static double run(const bench *b, bool whole)
{
    ff_error err = {0};
    if (ff_batch_step(b->batch, 1, &err) || ff_batch_renew(b->batch, 1, &err)) give_up(err.text);
    const double start = clock_read(CLOCK_MONOTONIC);
    for (int call = 0; call < CALLS; call++) {
        act(b, call);
        if (whole) ff_batch_clear_rewards(b->batch);
        if (ff_batch_step(b->batch, b->steps, &err)) give_up(err.text);
        if (whole && ff_batch_renew(b->batch, b->life, &err)) give_up(err.text);
    }
    return clock_read(CLOCK_MONOTONIC) - start;
}

static void measure(const ff_batch_model *model, const ff_model *robot, int robots, bool device, const char *mode)
{
    const double step = ff_batch_model_sizes(model).step;
    bench b = {.batch = make(model, robot, robots, device, mode),
               .device = device,
               .steps = (int)(PERIOD / step + 0.5),
               .life = (int)(EPISODE / step + 0.5)};
    ff_batch_view view;
    if (device) memory_find_driver();
    if (ff_batch_view_of(b.batch, FF_BATCH_ARRAY_POSITION, &view, NULL)) give_up("there are no targets");
    b.targets = view.data;
    b.count = (size_t)(view.block_stride * view.blocks);
    double *table = draw_table(b.batch, &view, robots);
    double *there = memory_take(TABLE * b.count, device);
    memory_send(there, table, TABLE * b.count, device);
    b.table = there;
    run(&b, true); // warm
    const double whole = run(&b, true), alone = run(&b, false), work = 1e-6 * CALLS * b.steps * (double)robots;
    printf("%d robots, kernel %s, %d calls of %d steps, %d observations: %.1f million steps/s as an environment, %.1f "
           "million by steps alone, at whose end %d robots stood still: %.0f %%\n",
           robots, ff_batch_kernel_name(b.batch), (int)CALLS, b.steps, ff_batch_get_options(b.batch)->nobserve,
           work / whole, work / alone, ff_batch_count(b.batch, FF_BATCH_FINISHED), 100.0 * alone / whole);
    free(table);
    memory_release(there, device);
    ff_batch_destroy(b.batch);
}

int main(int argc, char **argv)
{
    if (argc < 2) give_up("which scene? bench_batch_env SCENE [ROBOTS] [device [fast|single]]");
    const int robots = argc > 2 ? atoi(argv[2]) : 16384;
    const bool device = argc > 3 && strcmp(argv[3], "device") == 0;
    const char *mode = argc > 4 ? argv[4] : "";
    if (*mode && strcmp(mode, "fast") != 0 && strcmp(mode, "single") != 0) give_up("modes are fast and single");
    ff_report report = {0};
    const ff_scene_spec *scene = ff_scene_load(argv[1], NULL, 0, &report);
    ff_run_options options = scene ? ff_run_options_default(scene) : (ff_run_options){0};
    options.record.nchannel = 0;
    ff_run *run_of = scene ? ff_run_create(scene, &options, &report) : NULL;
    ff_batch_model *model = run_of ? ff_run_compile_batch(run_of, &report) : NULL;
    ff_error err = {0};
    if (!model) {
        ff_report_to_error(&report, FF_BAD_FILE, &err);
        give_up(err.text);
    }
    measure(model, scene->model, robots, device, mode);
    ff_batch_model_destroy(model);
    ff_run_destroy(run_of);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return 0;
}
