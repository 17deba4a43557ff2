// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON marching, many at a time: a batch of robots in each width of lanes, beside a team of whole simulations, beside
// itself with code for the model and on height fields, and beside MuJoCo over threads. Euler at 1 ms, feet on a plane
// with all their history. Robots of the batch and of MuJoCo get new targets every 10 ms (march_script.h), those of the
// team every ms. Processor time of all threads, best of several, in which the widths take turns; the hash shows that
// all widths do the same.
// With --late, and on a device, only what batch_late.c has runs, beside the march on the plane there.
//     bench_batch [ROBOTS] [--late | --device [--fast | --single]]
#include "batch_late.h"
#include "clock.h"
#include "march.h"
#include "march_script.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 10, TEAM = 16, BLOCKS = 15, WIDTHS = 4 };
static const double STEP = 1e-3;  // [s]
static const double APART = 1e-3; // heights of marching robots that count as alike  [m]
static const double WAVE = 5e-3;  // height of hills  [m]
static const double SIDE = 2.0;   // of a field  [m]
enum { CELLS = 100 };             // along it

static ff_sim_options euler(void)
{
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = STEP;
    return o;
}

// ------------------------------------------------------------------------------------------ what robots follow

/// Positions that the servos of a robot follow at a time, kp q of march_add_torque at rest in zero.
static void positions_at(const march *how, const march_script *s, double t, double *position)
{
    static const double zero[SCRIPT_JOINTS] = {0};
    double tau[SCRIPT_JOINTS] = {0};
    march still = *how;
    still.kd = 0.0;
    march_add_torque(&still, t, zero, zero, tau);
    for (int i = 0; i < s->joints; i++) position[i] = tau[s->v[i]] / how->kp;
}

static bool write_script(march_script *s, const march *how, const ff_batch_model *model, int robots)
{
    *s = (march_script){.how = how, .robots = robots, .joints = ff_batch_model_sizes(model).nservo};
    for (int i = 0; i < s->joints; i++) {
        s->q[i] = how->model->joints[ff_batch_servo_joint(model, i)].qadr;
        s->v[i] = how->model->joints[ff_batch_servo_joint(model, i)].vadr;
    }
    s->position = malloc(sizeof(double) * (size_t)SCRIPT_PERIODS * (size_t)robots * (size_t)s->joints);
    for (int k = 0; s->position && k < SCRIPT_PERIODS * robots; k++) // robots march one after the other
        positions_at(how, s, STEP * SCRIPT_STEPS * (k / robots) + how->period * (k % robots) / robots,
                     s->position + (size_t)k * (size_t)s->joints);
    return s->position != NULL;
}

// ------------------------------------------------------------------------------------------ batches and the team

/// One period of the march of all robots.
static void march_batch(ff_batch *b, const march_script *s)
{
    for (int k = 0; k < SCRIPT_PERIODS; k++) {
        for (int i = 0; i < s->robots; i++) ff_batch_set_targets(b, i, script_at(s, k, i), NULL, NULL, NULL);
        ff_batch_step(b, SCRIPT_STEPS, NULL);
    }
}

static ff_batch *make_batch(const ff_batch_model *model, int robots, int threads, int lanes)
{
    ff_error err = {0};
    ff_batch *b =
        ff_batch_create(model, &(ff_batch_options){.robots = robots, .threads = threads, .lanes = lanes}, &err);
    if (!b) fprintf(stderr, "bench_batch: %s\n", err.text), exit(1);
    return b;
}

/// Time of a march in one width of lanes.  [s]
static double time_of_lanes(const march_script *s, const ff_batch_model *model, int lanes, uint64_t *hash)
{
    ff_batch *b = make_batch(model, s->robots, 1, lanes);
    const double start = now();
    march_batch(b, s);
    const double spent = now() - start;
    *hash = ff_batch_hash(b);
    if (ff_batch_count(b, FF_BATCH_LIVES) != s->robots)
        printf("  %d robots diverged\n", ff_batch_count(b, FF_BATCH_DIVERGED));
    ff_batch_destroy(b);
    return spent;
}

/// All widths in turns, so that a busy machine slows all of them; steps of a robot in a second beside `team`.
static void in_all_lanes(const march_script *s, const ff_batch_model *model, double team)
{
    double best[WIDTHS];
    uint64_t hash[WIDTHS];
    for (int r = 0; r < REPEATS; r++)
        for (int i = 0, lanes; i < WIDTHS && (lanes = ff_batch_lanes_there(i)) > 0; i++) {
            const double spent = time_of_lanes(s, model, lanes, &hash[i]);
            best[i] = r == 0 ? spent : fmin(best[i], spent);
        }
    for (int i = 0, lanes; i < WIDTHS && (lanes = ff_batch_lanes_there(i)) > 0; i++) {
        const double rate = (double)s->robots * SCRIPT_PERIODS * SCRIPT_STEPS / best[i];
        printf("batch of %5d, %d lane%-7s %10.0f steps/s, %5.2f of one lane, %5.2f of the team, hash %016" PRIx64 "\n",
               s->robots, lanes, lanes == 1 ? "" : "s", rate, best[0] / best[i], rate / team, hash[i]);
    }
}

static double rate_of_team(const march *how)
{
    const ff_sim_options o = euler();
    const double duration = STEP * SCRIPT_PERIODS * SCRIPT_STEPS;
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
        best = fmin(best, now() - start);
        for (int i = 0; i < TEAM; i++) marcher_destroy(&robots[i]);
    }
    return TEAM * (double)SCRIPT_PERIODS * SCRIPT_STEPS / best;
}

// ------------------------------------------------------------------------------------------ beside others

/// A batch that marches on, block by block.
typedef struct runner {
    const march_script *script;
    ff_batch *batch;
} runner;

/// Processor time of all threads.  [s]
static double process_now(void)
{
    return clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

static double batch_block(void *context)
{
    const runner *r = context;
    const double start = process_now();
    march_batch(r->batch, r->script);
    return process_now() - start;
}

static double mujoco_block(void *context)
{
    const double start = process_now();
    mujoco_crowd_march(context);
    return process_now() - start;
}

static double batch_height(const runner *r)
{
    double sum = 0.0, q[SCRIPT_JOINTS];
    for (int i = 0; i < r->script->robots; i++) {
        ff_batch_get_state(r->batch, i, q, NULL, NULL);
        sum += q[2];
    }
    return sum / r->script->robots;
}

/// Steps of all robots in a block.
static double work_of(const march_script *s)
{
    return (double)s->robots * SCRIPT_PERIODS * SCRIPT_STEPS;
}

static void beside_mujoco(const march_script *s, const ff_batch_model *model, int threads)
{
    mujoco_crowd *theirs = mujoco_crowd_open(s, threads);
    if (!theirs) {
        printf("MuJoCo over %d thread%s: skipped, the bench was built without it (libmujoco-dev)\n", threads,
               threads == 1 ? "" : "s");
        return;
    }
    runner ours = {s, make_batch(model, s->robots, threads, 0)};
    mujoco_block(theirs);
    batch_block(&ours);
    const double apart = mujoco_crowd_height(theirs) - batch_height(&ours);
    if (fabs(apart) > APART) printf("  heights are %g mm apart: not the same march\n", 1e3 * apart);
    const duel d = duel_run(mujoco_block, theirs, batch_block, &ours, BLOCKS);
    printf("%d robots, %d thread%s: %10.0f steps/s of a processor, MuJoCo %8.0f: %5.1f times as fast, median %.1f\n",
           s->robots, threads, threads == 1 ? " " : "s", work_of(s) / d.ours, work_of(s) / d.theirs, d.theirs / d.ours,
           d.median_ratio);
    ff_batch_destroy(ours.batch);
    mujoco_crowd_close(theirs);
}

// ------------------------------------------------------------------------------------------ code for the model

/// Robots whose steps are made by code for the model, in the widest lanes, beside those of the general loop.
static void by_own_code(const march_script *s, const ff_batch_model *model, int threads, int fast)
{
    const ff_batch_options options = {.robots = s->robots, .threads = threads, .specialise = 1, .fast = fast};
    runner theirs = {s, make_batch(model, s->robots, threads, 0)}, ours = {s, ff_batch_create(model, &options, NULL)};
    if (!ours.batch) exit(1);
    const char *name = fast ? "specialised, fused operations" : "specialised", *reason;
    if ((reason = ff_batch_kernel_reason(ours.batch))) {
        printf("%s: skipped, %s\n", name, reason);
    } else {
        batch_block(&theirs);
        batch_block(&ours);
        const char *bits = ff_batch_hash(theirs.batch) == ff_batch_hash(ours.batch) ? "the same" : "other";
        const duel d = duel_run(batch_block, &theirs, batch_block, &ours, BLOCKS);
        printf("%-29s, %d thread%s %9.0f steps/s of a processor, %5.2f of the general loop, median %.2f, %s bits\n",
               name, threads, threads == 1 ? " " : "s", work_of(s) / d.ours, d.theirs / d.ours, d.median_ratio, bits);
    }
    ff_batch_destroy(theirs.batch);
    ff_batch_destroy(ours.batch);
}

// ------------------------------------------------------------------------------------------ grounds

static double flat(void *context, double x, double y)
{
    (void)context, (void)x, (void)y;
    return 0.0;
}

static double hills(void *context, double x, double y)
{
    (void)context;
    return WAVE * ff_sin(5.0 * x) * ff_cos(4.0 * y);
}

/// The robot on its plane or, where a field is given, on that; the batch needs neither afterwards. NULL: after a word
/// @param delay  of its servos  [steps]
static ff_batch_model *compile_on(const march *how, ff_field *field, int delay)
{
    const ff_sim_options o = euler();
    const ff_batch_servo servo = {.joint = -1, .stiffness = how->kp, .damping = how->kd, .delay = delay};
    const ff_pose place = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const ff_collider ground = {.type = FF_COLLIDER_FIELD, .field = field};
    ff_report report = {0};
    ff_spec *spec = march_describe(FF_SOURCE_DIR "/robots/anton/anton.yaml");
    for (int i = 0; spec && i < spec->ngeom; i++)
        if (field && spec->geoms[i].type == FF_SHAPE_PLANE) spec->geoms[i].conaffinity = 0; // feet do not meet it
    ff_model *model = spec ? ff_model_compile(spec, NULL, &report) : NULL;
    ff_world *world = model ? ff_world_create(model, NULL, &report) : NULL;
    if (world && field) ff_world_add_ground(world, "field", &ground, &place, "lab-floor", NULL);
    ff_sim *sim = world ? ff_sim_create(model, &o, NULL) : NULL;
    ff_batch_model *batch = NULL;
    if (sim && ff_sim_add_world(sim, world, NULL) == FF_OK) {
        ff_sim_set_state(sim, how->stand, NULL);
        batch = ff_batch_compile(sim, &servo, 1, &report);
    }
    if (!batch) fprintf(stderr, "bench_batch: %s\n", report.count > 0 ? report.messages[0].text : "no model");
    ff_sim_destroy(sim);
    ff_world_destroy(world);
    ff_model_destroy(model);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    return batch;
}

static ff_field *make_field(double (*height)(void *context, double x, double y))
{
    const double size[2] = {SIDE, SIDE};
    return ff_field_create_from(height, NULL, CELLS + 1, CELLS + 1, size, NULL);
}

static void on_field(const march_script *s, const ff_batch_model *plane, const char *name,
                     double (*height)(void *context, double x, double y))
{
    ff_field *field = make_field(height);
    ff_batch_model *model = field ? compile_on(s->how, field, 0) : NULL;
    if (!model) exit(1);
    runner theirs = {s, make_batch(plane, s->robots, 1, 0)}, ours = {s, make_batch(model, s->robots, 1, 0)};
    batch_block(&theirs);
    batch_block(&ours);
    const duel d = duel_run(batch_block, &theirs, batch_block, &ours, 2 * BLOCKS);
    if (ff_batch_count(ours.batch, FF_BATCH_LIVES) != s->robots) printf("  robots ended on %s\n", name);
    printf("%-32s %10.0f steps/s, %5.2f of the plane, median %.2f, height %.2f mm apart\n", name, work_of(s) / d.ours,
           d.theirs / d.ours, d.median_ratio, 1e3 * fabs(batch_height(&ours) - batch_height(&theirs)));
    ff_batch_destroy(theirs.batch);
    ff_batch_destroy(ours.batch);
    ff_batch_model_destroy(model);
    ff_field_destroy(field);
}

/// Servos with a delay on hills, beside the plane (batch_late.h).
static bool late_on_hills(const march_script *s, const ff_batch_model *plane, const late_options *options)
{
    ff_field *field = make_field(hills);
    ff_batch_model *prompt = field ? compile_on(s->how, field, 0) : NULL;
    ff_batch_model *late = field ? compile_on(s->how, field, LATE_MOST) : NULL;
    if (!prompt || !late) exit(1);
    const late_models models = {.plane = plane, .hills = prompt, .late = late, .half = 0.5 * SIDE};
    const bool fine = late_measure(s, &models, options);
    ff_batch_model_destroy(late);
    ff_batch_model_destroy(prompt);
    ff_field_destroy(field);
    return fine;
}

static void on_processor(const march_script *s, const ff_batch_model *batch)
{
    const double team = rate_of_team(s->how);
    printf("%-28s %10.0f steps/s of one thread\n", "team of simulations", team);
    in_all_lanes(s, batch, team);
    for (int fast = 0; fast <= 1; fast++) {
        by_own_code(s, batch, 1, fast);
        if (ff_team_processors() > 1) by_own_code(s, batch, ff_team_processors(), fast);
    }
    on_field(s, batch, "on a level height field", flat);
    on_field(s, batch, "on hills of 5 mm", hills);
    beside_mujoco(s, batch, 1);
    if (ff_team_processors() > 1) beside_mujoco(s, batch, ff_team_processors());
}

/// @return how many robots, 0 after a word
static int read_arguments(int argc, char **argv, late_options *options)
{
    int robots = 64;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--device") == 0)
            options->device = true;
        else if (strcmp(argv[i], "--fast") == 0)
            options->fast = true;
        else if (strcmp(argv[i], "--single") == 0)
            options->single = true;
        else if (strcmp(argv[i], "--late") == 0)
            options->alone = true;
        else
            robots = atoi(argv[i]);
    }
    if (robots >= 1 && (options->device || !(options->fast || options->single))) return robots;
    fprintf(stderr, "bench_batch [ROBOTS] [--late | --device [--fast | --single]]\n");
    return 0;
}

int main(int argc, char **argv)
{
    late_options options = {0};
    const int robots = read_arguments(argc, argv, &options);
    march how;
    march_script script;
    ff_model *model = march_load(FF_SOURCE_DIR "/robots/anton/anton.yaml");
    if (robots < 1 || !model || !march_create(&how, model, 0.025)) return 1;
    ff_batch_model *batch = compile_on(&how, NULL, 0);
    if (!batch || !write_script(&script, &how, batch, robots)) return 1;
    if (!options.device && !options.alone) on_processor(&script, batch);
    const bool fine = late_on_hills(&script, batch, &options);
    free(script.position);
    ff_batch_model_destroy(batch);
    march_destroy(&how);
    ff_model_destroy(model);
    return fine ? 0 : 1;
}
