// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall batch`: many robots of a scene in one loop, with what is spread over them, and a table of how they fared.
#include "commands.h"
#include "loading.h"
#include "scenes.h"
#include "terminal.h"

#include <footfall/run.h>
#include <footfall/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct batch_target {
    text_list operands;
    double robots, threads, lanes, seed, time, least_height, most_tilt;
    bool device;
    text_list spread, set;
} batch_target;

static const option batch_options[] = {
    OPTION(batch_target, robots, "robots", OPTION_NUMBER, HINT_NONE, "N", "How many; 1024 without it"),
    OPTION(batch_target, time, "time", OPTION_NUMBER, HINT_NONE, "T",
           "Simulated time of each [s]; without it that of the scene"),
    OPTION(batch_target, spread, "spread", OPTION_TEXTS, HINT_NONE, "NAME=LOW..HIGH",
           "Each robot draws its own value between the two: friction, contact_stiffness, mass and gain are factors; "
           "start_height, start_joints and start_speeds are added"),
    OPTION(batch_target, seed, "seed", OPTION_NUMBER, HINT_NONE, "N", "Of the random numbers; 0 without it"),
    OPTION(batch_target, least_height, "fall-height", OPTION_NUMBER, HINT_NONE, "Z",
           "A root below this has fallen [m]; without it half the height at the start"),
    OPTION(batch_target, most_tilt, "fall-tilt", OPTION_NUMBER, HINT_NONE, "ANGLE",
           "So has one that leans more [rad]; without it 1"),
    OPTION(batch_target, threads, "threads", OPTION_NUMBER, HINT_NONE, "N", "Without it one a processor"),
    OPTION(batch_target, lanes, "lanes", OPTION_NUMBER, HINT_NONE, "N",
           "Robots beside each other in vector instructions: 1, 2, 4 or 8; without it as many as the processor has"),
    OPTION(batch_target, device, "device", OPTION_FLAG, HINT_NONE, NULL,
           "On a GPU, where this build has CUDA: the same bits, and no lanes and threads"),
    OPTION(batch_target, set, "set", OPTION_TEXTS, HINT_NONE, "PATH=VALUE",
           "Override a value of the scene, as for run"),
};

// ------------------------------------------------------------------------------------------ options

static bool read_spread(const char *text, ff_batch_spread *out)
{
    const char *equals = strchr(text, '='), *dots = equals ? strstr(equals, "..") : NULL;
    char *end;
    if (!dots) return false;
    for (int i = 0; i < FF_BATCH_QUANTITIES; i++) {
        const char *name = ff_batch_parameter_name((ff_batch_parameter)i);
        if (strlen(name) != (size_t)(equals - text) || strncmp(name, text, strlen(name)) != 0) continue;
        out->quantity = (ff_batch_parameter)i;
        out->low = strtod(equals + 1, &end);
        if (end == equals + 1 || end > dots + 1) return false; // "0.5..": the number may take the first dot
        out->high = strtod(dots + 2, &end);
        return end != dots + 2 && *end == '\0';
    }
    return false;
}

// ------------------------------------------------------------------------------------------ the table

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_spread(const char *name, double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, ascending);
    printf("%-22s %11.4g %11.4g %11.4g %11.4g %11.4g\n", name, values[0], values[n / 20], values[n / 2],
           values[n - 1 - n / 20], values[n - 1]);
}

/// What is known of each robot at its end: how far its root came, how high it is, how fast, how long it lived.
static bool print_outcome(const ff_batch *batch, const ff_model *model, const double *start, int robots, double step)
{
    static const char *const names[] = {"ahead, x [m]", "aside, y [m]", "height, z [m]", "speed [m/s]", "lived [s]"};
    enum { COLUMNS = sizeof names / sizeof *names };
    double *values = malloc(sizeof(double) * (size_t)robots * COLUMNS),
           *q = malloc(sizeof(double) * (size_t)(model->nq + model->nv));
    if (!values || !q) return free(values), free(q), false;
    const bool free_root = model->njoint > 0 && model->joints[0].type == FF_JOINT_FREE;
    for (int i = 0; i < robots; i++) {
        double *v = q + model->nq;
        ff_batch_get_state(batch, i, q, v, NULL);
        for (int k = 0; k < 3 && free_root; k++) values[k * robots + i] = q[k] - (k < 2 ? start[k] : 0.0);
        if (free_root) values[3 * robots + i] = ff_vec3_norm(v);
        values[4 * robots + i] = (double)ff_batch_age(batch, i) * step;
    }
    printf("%-22s %11s %11s %11s %11s %11s\n", "", "least", "5 %", "median", "95 %", "most");
    for (int k = free_root ? 0 : 4; k < COLUMNS; k++) print_spread(names[k], values + k * robots, robots);
    free(values);
    free(q);
    return true;
}

// ------------------------------------------------------------------------------------------ the run

static double wall_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int step_all(const batch_target *target, ff_batch *batch, const ff_run *run, double step)
{
    const double time = isnan(target->time) ? ff_run_get_options(run)->time : target->time;
    const int robots = (int)target->robots;
    const long long steps = llround(time / step);
    long long made = 0;
    ff_error err = {0};
    const double start = wall_clock();
    const clock_t before = clock();
    for (long long left = steps; left > 0 && !err.status; left -= 1000)
        ff_batch_step(batch, left < 1000 ? (int)left : 1000, &err);
    const double spent = wall_clock() - start, busy = (double)(clock() - before) / CLOCKS_PER_SEC;
    if (err.status) return fprintf(stderr, "footfall batch: %s\n", err.text), EXIT_SIMULATION;
    for (int i = 0; i < robots; i++) made += ff_batch_age(batch, i);
    printf("%d robots, %g s in %lld steps of %g s, ", robots, time, steps, step);
    if (target->device)
        printf("on a device\n%-22s %11lld: %.0f a second\n", "robot-steps", made, (double)made / spent);
    else
        printf("%d lanes\n%-22s %11lld: %.0f a second, %.0f a second of one processor\n", ff_batch_lanes(batch),
               "robot-steps", made, (double)made / spent, (double)made / busy);
    printf("%-22s %11d\n%-22s %11d\n%-22s %11d\n", "upright at the end", ff_batch_count(batch, FF_BATCH_LIVES), "fell",
           ff_batch_count(batch, FF_BATCH_FELL), "diverged", ff_batch_count(batch, FF_BATCH_DIVERGED));
    const ff_sim *sim = ff_run_sim(run);
    return print_outcome(batch, ff_sim_model(sim), ff_sim_q(sim), robots, step) ? EXIT_FINE : EXIT_SIMULATION;
}

static int simulate(const batch_target *target, ff_run *run, const ff_batch_spread *spreads, ff_report *report)
{
    ff_batch_model *model = ff_run_compile_batch(run, report);
    if (!model) return EXIT_INPUT;
    const ff_model *robot = ff_sim_model(ff_run_sim(run));
    const bool can_fall = robot->joints[0].type == FF_JOINT_FREE;
    const double height =
        isnan(target->least_height) && can_fall ? 0.5 * ff_sim_q(ff_run_sim(run))[2] : target->least_height;
    const ff_batch_options o = {.robots = (int)target->robots,
                                .threads = (int)target->threads,
                                .lanes = (int)target->lanes,
                                .device = target->device,
                                .seed = (uint64_t)target->seed,
                                .spreads = spreads,
                                .nspread = target->spread.count,
                                .least_height = isnan(height) ? 0.0 : height,
                                .most_tilt = isnan(target->most_tilt) ? (can_fall ? 1.0 : 0.0) : target->most_tilt};
    ff_error err = {0};
    ff_batch *batch = ff_batch_create(model, &o, &err);
    if (!batch) ff_report_add_error(report, &err, (ff_place){0});
    const int code = batch ? step_all(target, batch, run, ff_batch_model_sizes(model).step) : EXIT_INPUT;
    ff_batch_destroy(batch);
    ff_batch_model_destroy(model);
    return code;
}

static int run_batch(const command *self, const batch_target *target, ff_arena *arena)
{
    const char *path = target->operands.items[0];
    ff_batch_spread *spreads = FF_ARENA_NEW(arena, ff_batch_spread, target->spread.count + 1);
    for (int i = 0; spreads && i < target->spread.count; i++)
        if (!read_spread(target->spread.items[i], &spreads[i]))
            return usage_error(self, "--spread %s: write NAME=LOW..HIGH, such as friction=0.6..1.2",
                               target->spread.items[i]);
    if (!(target->robots >= 1 && target->robots <= 1e8))
        return usage_error(self, "--robots is %g: 1 to 1e8", target->robots);
    if (!(target->threads >= 0 && target->threads <= 1024 && target->lanes >= 0 && target->lanes <= 8 &&
          target->seed >= 0))
        return usage_error(self, "--threads are 0 to 1024, --lanes 0 to 8, --seed is 0 or more");
    if (target->time <= 0 || target->time > 1e9)
        return usage_error(self, "--time is %g s: it must be positive", target->time);
    ff_report report = {0};
    const ff_scene_spec *scene = NULL;
    if (scene_file_detect(path))
        scene = ff_scene_load(path, target->set.items, target->set.count, &report);
    else
        ff_report_add(&report, FF_ERROR, (ff_place){path, 0, 0}, "this is no scene that can be read");
    ff_run_options options = ff_run_options_default(scene);
    options.record.nchannel = 0;
    ff_run *run = scene && spreads ? ff_run_create(scene, &options, &report) : NULL;
    const int code = run ? simulate(target, run, spreads, &report) : EXIT_INPUT;
    print_report(stderr, &report, WARNINGS_SHOWN);
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return code;
}

static int batch_main(const command *self, int argc, char **argv)
{
    batch_target target = {.robots = 1024, .time = NAN, .least_height = NAN, .most_tilt = NAN};
    ff_arena arena = {0};
    const parse_result parsed = options_parse(self, argc, argv, &target, &arena);
    int code = parsed == PARSE_BAD ? EXIT_USAGE : EXIT_FINE;
    if (parsed == PARSE_OK) code = run_batch(self, &target, &arena);
    ff_arena_clear(&arena);
    return code;
}

const command batch_command = {
    .name = "batch",
    .synopsis = "SCENE [--robots N] [--time T] [--spread NAME=LOW..HIGH]... [--seed N] [--fall-height Z] [--fall-tilt "
                "ANGLE] [--threads N] [--lanes N] [--device] [--set PATH=VALUE]...",
    .summary = "simulate a scene a thousand times at once, with what differs; prints a table",
    .description = "Compiles the scene to a batch and steps many of its robots in one loop, each with its own draw of "
                   "what --spread "
                   "names. The scene must be one that a batch can do (method euler, contacts with planes, the joint "
                   "law of `control: "
                   "{hold, cycle}`); everything else is refused by name. Bits depend on neither threads nor lanes. A "
                   "robot that falls "
                   "or diverges stands still from then on and is counted. The table on stdout has the robot-steps a "
                   "second, how many "
                   "fell, and how far, high and long the robots came.",
    .examples = "  footfall batch experiments/anton-batch.yaml --robots 4096 --spread friction=0.5..1.2 --spread "
                "mass=0.8..1.2\n"
                "      marching robots, heavier and lighter, on floors between ice and rubber\n",
    .options = batch_options,
    .noption = (int)(sizeof batch_options / sizeof batch_options[0]),
    .min_operands = 1,
    .max_operands = 1,
    .operand = "SCENE",
    .run = batch_main,
};
