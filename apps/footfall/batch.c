// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall batch`: many robots of a scene in one loop, with what is spread over them, and a table of how they fared.
#include "commands.h"
#include "interrupt.h"
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
    bool device, fast;
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
    OPTION(
        batch_target, least_height, "fall-height", OPTION_NUMBER, HINT_NONE, "Z",
        "A root less than this above the ground has fallen [m], 0: none; without it half the height at the start. The "
        "ground is the plane under the start"),
    OPTION(batch_target, most_tilt, "fall-tilt", OPTION_NUMBER, HINT_NONE, "ANGLE",
           "So has one that leans more [rad], up to pi, 0: none; without it 1"),
    OPTION(batch_target, threads, "threads", OPTION_NUMBER, HINT_NONE, "N", "Without it one a processor"),
    OPTION(batch_target, lanes, "lanes", OPTION_NUMBER, HINT_NONE, "N",
           "Robots beside each other in vector instructions: 1, 2, 4 or 8; without it as many as the processor has"),
    OPTION(batch_target, device, "device", OPTION_FLAG, HINT_NONE, NULL,
           "On a GPU, where this build has CUDA: the same bits, and no lanes and threads"),
    OPTION(batch_target, fast, "fast", OPTION_FLAG, HINT_NONE, NULL,
           "With --device: multiplications and additions may be fused, so that bits differ by rounding"),
    OPTION(batch_target, set, "set", OPTION_TEXTS, HINT_NONE, "PATH=VALUE",
           "Override a value of the scene, as for run"),
};

// ------------------------------------------------------------------------------------------ options

/// The quantity of a name that ends before `end`; FF_BATCH_QUANTITIES: none.
static ff_batch_parameter quantity_of(const char *text, const char *end)
{
    int i = 0;
    for (; i < FF_BATCH_QUANTITIES; i++) {
        const char *name = ff_batch_parameter_name((ff_batch_parameter)i);
        if (strlen(name) == (size_t)(end - text) && strncmp(name, text, strlen(name)) == 0) break;
    }
    return (ff_batch_parameter)i;
}

static bool read_range(const char *text, ff_batch_spread *out)
{
    const char *dots = strstr(text, "..");
    char *end;
    if (!dots) return false;
    out->low = strtod(text, &end);
    if (end == text || end > dots + 1) return false; // "0.5..": the number may take the first dot
    out->high = strtod(dots + 2, &end);
    return end != dots + 2 && *end == '\0';
}

/// @return EXIT_FINE, or EXIT_USAGE after a complaint
static int read_spread(const command *self, const char *text, ff_batch_spread *out)
{
    const char *equals = strchr(text, '=');
    if (!equals || !read_range(equals + 1, out))
        return usage_error(self, "--spread %s: write NAME=LOW..HIGH, such as friction=0.6..1.2", text);
    out->quantity = quantity_of(text, equals);
    if (out->quantity < FF_BATCH_QUANTITIES) return EXIT_FINE;
    char names[256] = "";
    for (int i = 0, n = 0; i < FF_BATCH_QUANTITIES; i++)
        n += snprintf(names + n, sizeof names - (size_t)n, "%s%s", i > 0 ? ", " : "",
                      ff_batch_parameter_name((ff_batch_parameter)i));
    return usage_error(self, "--spread %s: what can be spread is %s", text, names);
}

/// @return EXIT_FINE, or EXIT_USAGE after a complaint
static int check_numbers(const command *self, const batch_target *target)
{
    static const double most_seed = 9007199254740992.0; // 2^53: whole numbers are exact up to here
    const struct {
        const char *name;
        double value, least, most;
    } counts[] = {{"robots", target->robots, 1, 1e8},
                  {"threads", target->threads, 0, 1024},
                  {"lanes", target->lanes, 0, 1024},
                  {"seed", target->seed, 0, most_seed}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!is_whole(counts[i].value, counts[i].least, counts[i].most))
            return usage_error(self, "--%s is %.16g: it is a whole number from %g to %.16g", counts[i].name,
                               counts[i].value, counts[i].least, counts[i].most);
    if (target->time <= 0 || target->time > 1e9)
        return usage_error(self, "--time is %g s: it must be positive, and at most 1e9", target->time);
    if (target->least_height < 0.0 || isinf(target->least_height))
        return usage_error(self, "--fall-height is %g m above the ground: it must be 0 (none) or more",
                           target->least_height);
    if (target->most_tilt < 0.0 || target->most_tilt > FF_PI)
        return usage_error(self, "--fall-tilt is %g rad: it must be from 0 (none) to pi", target->most_tilt);
    return EXIT_FINE;
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

/// Makes that many steps, or fewer where the user wants to end. @return steps made
static long long step_on(const batch_target *target, ff_batch *batch, long long steps, ff_error *err)
{
    // Ctrl-C is looked at between calls: a million robot-steps take a processor about a second, a device far less.
    const double a_call = target->device ? 1000 : floor(1e6 / target->robots);
    const int most = a_call > 1000 ? 1000 : a_call < 1 ? 1 : (int)a_call;
    long long made = 0;
    while (made < steps && !is_interrupted(NULL)) {
        const int now = steps - made < most ? (int)(steps - made) : most;
        if (ff_batch_step(batch, now, err)) break;
        made += now;
    }
    return made;
}

static int step_all(const batch_target *target, ff_batch *batch, const ff_run *run, long long steps, double step)
{
    const int robots = (int)target->robots;
    long long made = 0;
    ff_error err = {0};
    watch_interrupts();
    const double start = wall_clock();
    const clock_t before = clock();
    const long long done = step_on(target, batch, steps, &err);
    const double spent = wall_clock() - start, busy = (double)(clock() - before) / CLOCKS_PER_SEC;
    if (err.status) return fprintf(stderr, "footfall batch: %s\n", err.text), EXIT_SIMULATION;
    for (int i = 0; i < robots; i++) made += ff_batch_age(batch, i);
    if (done < steps)
        fprintf(stderr, "footfall batch: stopped after %g s of %g s\n", (double)done * step, (double)steps * step);
    printf("%d robot%s, %.9g s in %lld step%s of %g s, ", robots, robots == 1 ? "" : "s", (double)done * step, done,
           done == 1 ? "" : "s", step);
    if (target->device)
        printf("on a device\n%-22s %11lld: %.0f a second\n", "robot-steps", made, (double)made / spent);
    else
        printf("%d lane%s\n%-22s %11lld: %.0f a second, %.0f a second of one processor\n", ff_batch_lanes(batch),
               ff_batch_lanes(batch) == 1 ? "" : "s", "robot-steps", made, (double)made / spent, (double)made / busy);
    printf("%-22s %11d\n%-22s %11d\n%-22s %11d\n", "upright at the end", ff_batch_count(batch, FF_BATCH_LIVES), "fell",
           ff_batch_count(batch, FF_BATCH_FELL), "diverged", ff_batch_count(batch, FF_BATCH_DIVERGED));
    const ff_sim *sim = ff_run_sim(run);
    const bool printed = print_outcome(batch, ff_sim_model(sim), ff_sim_q(sim), robots, step);
    return printed && done == steps ? EXIT_FINE : EXIT_SIMULATION;
}

/// Steps of the time asked for, rounded; 0 after an error.
static long long count_steps(const batch_target *target, const ff_run *run, double step, ff_report *report)
{
    const double time = isnan(target->time) ? ff_run_get_options(run)->time : target->time;
    const long long steps = time < step ? 0 : llround(time / step);
    if (steps < 1)
        ff_report_add(report, FF_ERROR, (ff_place){0}, "a time of %g s is less than one step, which is %g s", time,
                      step);
    return steps;
}

/// What a run of the scene is warned of before it starts, such as a step too long for a contact.
static void warn(ff_run *run)
{
    ff_report advice = {0};
    ff_run_advise(run, &advice);
    print_report_from(stderr, &advice, FF_WARNING, WARNINGS_SHOWN);
    ff_report_clear(&advice);
}

static int simulate(const batch_target *target, ff_run *run, const ff_batch_spread *spreads, ff_report *report)
{
    ff_batch_model *model = ff_run_compile_batch(run, report);
    if (!model) return EXIT_INPUT;
    const ff_model *robot = ff_sim_model(ff_run_sim(run));
    const bool can_fall = robot->joints[0].type == FF_JOINT_FREE;
    const ff_batch_sizes sizes = ff_batch_model_sizes(model);
    const double height = isnan(target->least_height) ? ff_max(0.5 * sizes.height, 0.0) : target->least_height;
    const ff_batch_options o = {.robots = (int)target->robots,
                                .threads = (int)target->threads,
                                .lanes = (int)target->lanes,
                                .device = target->device,
                                .fast = target->fast,
                                .seed = (uint64_t)target->seed,
                                .spreads = spreads,
                                .nspread = target->spread.count,
                                .least_height = height,
                                .most_tilt = isnan(target->most_tilt) ? (can_fall ? 1.0 : 0.0) : target->most_tilt};
    ff_error err = {0};
    const long long steps = count_steps(target, run, sizes.step, report);
    ff_batch *batch = steps > 0 ? ff_batch_create(model, &o, &err) : NULL;
    if (err.status) ff_report_add_error(report, &err, (ff_place){0});
    if (batch) warn(run);
    const int code = batch ? step_all(target, batch, run, steps, sizes.step) : EXIT_INPUT;
    ff_batch_destroy(batch);
    ff_batch_model_destroy(model);
    return code;
}

static int run_batch(const command *self, const batch_target *target, ff_arena *arena)
{
    const char *path = target->operands.items[0];
    ff_batch_spread *spreads = FF_ARENA_NEW(arena, ff_batch_spread, target->spread.count + 1);
    for (int i = 0; spreads && i < target->spread.count; i++)
        if (read_spread(self, target->spread.items[i], &spreads[i])) return EXIT_USAGE;
    if (check_numbers(self, target)) return EXIT_USAGE;
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
                "ANGLE] [--threads N] [--lanes N] [--device [--fast]] [--set PATH=VALUE]...",
    .summary = "simulate a scene a thousand times at once, with what differs; prints a table",
    .description =
        "Compiles the scene to a batch and steps many of its robots in one loop, each with its own draw of "
        "what --spread "
        "names. The scene must be one that a batch can do (method euler, contacts with planes, the joint "
        "law of `control: "
        "{hold, cycle}`); everything else is refused by name. Bits depend on neither threads nor lanes. A "
        "robot that falls "
        "or diverges stands still from then on and is counted. Ctrl-C ends early, with the table so far and exit "
        "code 3. The table on stdout has the robot-steps a "
        "second, how many "
        "fell, and how far, high and long the robots came.",
    .examples =
        "  footfall batch experiments/anton-march.yaml --set solver.method=euler --set solver.step=1e-4 --time 1 "
        "--spread friction=0.5..1.2 --spread mass=0.8..1.2\n"
        "      marching robots, heavier and lighter, on floors between ice and rubber\n",
    .options = batch_options,
    .noption = (int)(sizeof batch_options / sizeof batch_options[0]),
    .min_operands = 1,
    .max_operands = 1,
    .operand = "SCENE",
    .run = batch_main,
};
