// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch of robots (robots.h). A thread takes a chunk of blocks and makes all steps of a block before the next one, so
// that the data of a block stay in the L1 cache. The last block is filled up with unused robots (FF_NOBODY).
#include "batch/robots.h"

#include <footfall/team.h>

#include "base/hash.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROBOTS = INT32_MAX / 2, MOST_THREADS = 1024 };
enum { CHUNKS_A_THREAD = 4 }; // several, so that faster threads can do more

// ------------------------------------------------------------------------------------------ lanes

static const ff_batch_kernel *const KERNELS[] = {
    &ff_batch_kernel_1,
    &ff_batch_kernel_2,
#ifdef FF_BATCH_X86
    &ff_batch_kernel_4,
    &ff_batch_kernel_8,
#endif
};
enum { KERNEL_COUNT = sizeof KERNELS / sizeof *KERNELS };

/// Has this processor the instructions of a kernel?
static bool is_supported(const ff_batch_kernel *kernel)
{
#ifdef FF_BATCH_X86
    if (kernel->lanes == 2) return __builtin_cpu_supports("sse4.2");
    if (kernel->lanes == 4) return __builtin_cpu_supports("avx2");
    if (kernel->lanes == 8)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    return kernel->lanes <= 2;
}

int ff_batch_lanes_there(int i)
{
    for (int k = 0; k < KERNEL_COUNT; k++)
        if (is_supported(KERNELS[k]) && i-- == 0) return KERNELS[k]->lanes;
    return 0;
}

/// The kernel of that many lanes, 0: the widest; NULL: there is none.
static const ff_batch_kernel *find_kernel(int lanes)
{
    const ff_batch_kernel *found = NULL;
    for (int k = 0; k < KERNEL_COUNT; k++)
        if (is_supported(KERNELS[k]) && (lanes == 0 || KERNELS[k]->lanes == lanes)) found = KERNELS[k];
    return found;
}

// ------------------------------------------------------------------------------------------ making

/// A row of a robot's state, to read. Before writing, rows_change must be called; ff_robot_see reports errors of a
/// device.
static double *row_of(const ff_batch *b, int robot, int row)
{
    if (b->device) ff_batch_device_see(b->device, NULL);
    return ff_robot_row(b, robot, row);
}

/// An input of a robot, to write.
static double *input_of(const ff_batch *b, int robot, int row)
{
    if (b->device) {
        ff_batch_device_see_inputs(b->device, NULL);
        ff_batch_device_inputs_changed(b->device);
    }
    return ff_robot_input(b, robot, row);
}

static void *aligned(size_t count, size_t size)
{
    const size_t whole = (count * size + FF_BATCH_ALIGNMENT) / FF_BATCH_ALIGNMENT * FF_BATCH_ALIGNMENT;
    return count < SIZE_MAX / 4 / size ? aligned_alloc(FF_BATCH_ALIGNMENT, whole) : NULL;
}

/// Largest number of rows of an array of ff_batch_read.
static size_t rows_of_an_array(const ff_batch *b)
{
    int most = b->model->nq > b->model->nv ? b->model->nq : b->model->nv;
    if (most < b->model->ninput) most = b->model->ninput;
    if (most < b->lives.nobserve) most = b->lives.nobserve;
    return (size_t)most + 1;
}

static bool size_batch(ff_batch *b)
{
    const size_t robots = (size_t)b->blocks * (size_t)b->lanes;
    b->x = aligned(robots, (size_t)b->model->nrow * sizeof(double));
    b->in = aligned(robots, (size_t)b->model->ninput * sizeof(double) + 1);
    b->scratch_size = b->kernel->scratch(b->model);
    b->scratch = aligned((size_t)b->chunks, b->scratch_size);
    b->observe = calloc((size_t)b->lives.nobserve + 1, sizeof *b->observe);
    ff_batch_lives *l = &b->lives;
    l->observe = b->observe;
    l->streams = calloc((size_t)b->robots, sizeof *l->streams);
    l->drawn = calloc((size_t)b->robots * (size_t)b->draws.count + 1, sizeof *l->drawn);
    l->seen = b->options.device ? NULL : calloc(robots * (size_t)l->nseen, sizeof *l->seen); // a device has its own
    b->fetched = b->options.device ? aligned(robots, rows_of_an_array(b) * sizeof *b->fetched) : NULL;
    return b->x && b->in && b->scratch && b->observe && l->streams && l->drawn &&
           (b->options.device ? b->fetched : l->seen);
}

/// Begins the life of a robot on the processor.
static void begin_robot(ff_batch *b, int robot)
{
    ff_life_begin(&b->lives, b->model, robot, row_of(b, robot, 0), b->lanes);
}

/// Does some formula read a force sensor?
static int reads_cuts(const ff_batch_model *m, const ff_formula *f)
{
    for (int i = 0; i < f->count; i++) {
        const ff_formula_step *step = &f->code[i];
        if (step->op == FF_FORMULA_ROW && step->row >= m->cut && step->row < m->cut + FF_CUT_ROWS * m->ncut) return 1;
    }
    return 0;
}

static ff_status make_rules(ff_batch *b, const ff_batch_options *o, ff_error *err)
{
    ff_batch_rules *r = &b->rules;
    const double ground = b->model->ground >= 0 ? 0.0 : ff_batch_ground(b->model); // heights over a field follow it
    *r = (ff_batch_rules){.watched = o->least_height > 0.0 || o->most_tilt > 0.0,
                          .least_height = o->least_height > 0.0 ? ground + o->least_height : -INFINITY,
                          .least_upright = o->most_tilt > 0.0 ? ff_cos(o->most_tilt) : -2.0};
    ff_status status = FF_OK;
    if (o->end) status = ff_formula_compile(b->model, "end", o->end, true, &b->formulas, err);
    r->nend = b->formulas.count;
    if (!status && o->reward) status = ff_formula_compile(b->model, "reward", o->reward, false, &b->formulas, err);
    r->nreward = b->formulas.count - r->nend;
    for (int i = 0; !status && o->device && i < b->formulas.count; i++)
        if (b->formulas.code[i].op == FF_FORMULA_SENSE)
            status = ff_error_set(err, FF_BAD_ARGUMENT,
                                  "on a device, 'end' and 'reward' cannot read sensors, and they read '%s': observe "
                                  "it, and decide between steps, or take the processor",
                                  b->model->channels[b->formulas.code[i].row].name);
    for (int i = 0; !status && i < b->lives.nobserve; i++) {
        b->observe[i] = b->formulas.count;
        status = ff_formula_compile(b->model, "observe", o->observe[i], false, &b->formulas, err);
    }
    b->observe[b->lives.nobserve] = b->formulas.count;
    r->code = b->lives.code = b->formulas.code;
    r->feels = reads_cuts(b->model, &b->formulas);
    return status;
}

static ff_status check_counts(const ff_batch_options *o, ff_error *err)
{
    if (o->robots < 1 || o->robots > MOST_ROBOTS)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d robots: a batch has 1 to %d", o->robots, MOST_ROBOTS);
    if (o->threads < 0 || o->threads > MOST_THREADS)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d threads: a batch takes 1 to %d, and 0 is one a processor",
                            o->threads, MOST_THREADS);
    if (o->nspread < 0 || (o->nspread > 0 && !o->spreads))
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d spreads%s", o->nspread,
                            o->nspread > 0 ? ", and no table of them" : ": 0 or more");
    if (o->nobserve < 0 || (o->nobserve > 0 && !o->observe))
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d observations%s", o->nobserve,
                            o->nobserve > 0 ? ", and no formulas of them" : ": 0 or more");
    if (o->fast && !o->device && !o->specialise)
        return ff_error_set(err, FF_BAD_ARGUMENT, "ff_batch_options.fast needs .device or .specialise");
    if (o->single && !o->device) return ff_error_set(err, FF_BAD_ARGUMENT, "ff_batch_options.single needs .device");
    if (find_kernel(o->lanes)) return FF_OK;
    char there[64] = "";
    for (int i = 0, n = 0; ff_batch_lanes_there(i) > 0; i++)
        n += snprintf(there + n, sizeof there - (size_t)n, "%s%d", i > 0 ? ", " : "", ff_batch_lanes_there(i));
    return ff_error_set(err, FF_BAD_ARGUMENT, "%d lanes are not there: this processor has %s, and 0 takes the most",
                        o->lanes, there);
}

/// Checks the ranges of lengths, angles and deviations.
static ff_status check_numbers(const ff_batch_options *o, ff_error *err)
{
    const struct {
        const char *name;
        double value, most;
    } rows[] = {
        {"least_height", o->least_height, DBL_MAX},     {"most_tilt", o->most_tilt, FF_PI},
        {"noise.position", o->noise.position, DBL_MAX}, {"noise.speed", o->noise.speed, DBL_MAX},
        {"noise.gyro", o->noise.gyro, DBL_MAX},         {"noise.accelerometer", o->noise.accelerometer, DBL_MAX},
        {"noise.force", o->noise.force, DBL_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!(rows[i].value >= 0.0 && rows[i].value <= rows[i].most))
            return ff_error_set(err, FF_BAD_ARGUMENT, "%s is %g: it must be 0 (none) or more, and %s", rows[i].name,
                                rows[i].value, rows[i].most < DBL_MAX ? "at most pi" : "finite");
    return FF_OK;
}

static ff_status check_options(const ff_batch_model *model, const ff_batch_options *o, ff_error *err)
{
    if (check_counts(o, err) || check_numbers(o, err)) return FF_BAD_ARGUMENT;
    if ((o->least_height > 0.0 || o->most_tilt > 0.0) && model->root < 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a robot without a free root cannot fall");
    return FF_OK;
}

/// Makes a batch with its counts, without memory for robots.
static ff_batch *begin_batch(const ff_draws *draws, const ff_batch_options *options)
{
    ff_batch *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->draws = *draws;
    if (draws->model == &draws->varied) b->draws.model = &b->draws.varied;
    b->model = b->draws.model;
    b->kernel = find_kernel(options->lanes);
    b->lanes = options->device ? FF_BATCH_DEVICE_LANES : b->kernel->lanes;
    b->robots = options->robots;
    b->noise = options->noise;
    b->options = *options;
    b->lives = (ff_batch_lives){.robots = options->robots,
                                .draws = b->draws.table,
                                .nobserve = options->nobserve,
                                .bodies = b->draws.bodies,
                                .nseen = 2 * options->nobserve + FF_SEEN_ROWS};
    b->threads = options->threads > 0 ? options->threads : ff_team_processors();
    if (b->threads > MOST_THREADS) b->threads = MOST_THREADS;
    b->blocks = (b->robots + b->lanes - 1) / b->lanes;
    b->chunks = b->threads == 1 ? 1 : b->threads * CHUNKS_A_THREAD;
    if (b->chunks > b->blocks) b->chunks = b->blocks;
    return b;
}

/// Puts all robots at the start, and those that fill up the last block.
static ff_status place_robots(ff_batch *b, ff_error *err)
{
    const ff_batch_model *m = b->model;
    for (int i = 0; i < b->blocks * b->lanes && !ff_stop_asked(); i++) {
        for (int k = 0; k < m->nrow; k++) *row_of(b, i, k) = m->start[k];
        for (int k = 0; k < m->ninput; k++) *input_of(b, i, k) = m->start_input[k];
        if (i >= b->robots) {
            *row_of(b, i, m->robot + FF_ROBOT_END) = FF_NOBODY;
            continue;
        }
        b->lives.streams[i] = (ff_batch_stream){b->options.seed, (uint64_t)i << 32};
        begin_robot(b, i);
    }
    if (!ff_stop_asked()) return FF_OK;
    return ff_error_set(err, FF_STOPPED, "a batch of %d robots was stopped while it was made", b->robots);
}

/// Chooses what makes the steps: a device, code for the model, or the general loop.
static ff_status choose_steps(ff_batch *b, ff_error *err)
{
    const ff_batch_options *o = &b->options;
    const ff_batch_rounding rounding = o->single ? FF_BATCH_SINGLE : o->fast ? FF_BATCH_FUSED : FF_BATCH_EXACT;
    if (o->device)
        b->device = ff_batch_device_open(b->model, &b->rules, &b->lives, b->blocks, b->x, b->in, rounding, err);
    else if (o->specialise && (b->special = ff_host_special_open(b->model, b->kernel, rounding, b->general)))
        b->kernel = &b->special->kernel;
    return o->device && !b->device ? err->status : FF_OK;
}

ff_batch *ff_batch_create(const ff_batch_model *model, const ff_batch_options *options, ff_error *err)
{
    ff_error unread = {0};
    if (!err) err = &unread;
    if (!model || !options) {
        ff_error_set(err, FF_BAD_ARGUMENT, "a batch needs a model and options");
        return NULL;
    }
    ff_draws draws = {0};
    if (check_options(model, options, err) || ff_draws_make(&draws, model, options->spreads, options->nspread, err)) {
        ff_draws_clear(&draws);
        return NULL;
    }
    ff_batch *b = begin_batch(&draws, options);
    if (!b) ff_draws_clear(&draws);
    if (!b || !size_batch(b)) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for a batch of %d robots", options->robots);
    } else if (!make_rules(b, options, err)) {
        b->options.spreads = b->draws.rows;
        b->options.end = options->end ? "" : NULL;
        b->options.reward = options->reward ? "" : NULL;
        b->options.observe = NULL;
        if (!place_robots(b, err) && !choose_steps(b, err)) return b;
    }
    ff_batch_destroy(b);
    return NULL;
}

void ff_batch_destroy(ff_batch *b)
{
    if (!b) return;
    ff_batch_device_close(b->device);
    ff_host_special_close(b->special);
    free(b->x);
    free(b->in);
    free(b->fetched);
    free(b->scratch);
    free(b->formulas.code);
    free(b->observe);
    free(b->lives.drawn);
    free(b->lives.streams);
    free(b->lives.seen);
    ff_draws_clear(&b->draws);
    free(b);
}

const ff_batch_model *ff_batch_get_model(const ff_batch *b)
{
    return b ? b->model : NULL;
}

const ff_batch_options *ff_batch_get_options(const ff_batch *b)
{
    return b ? &b->options : NULL;
}

void ff_batch_default_falls(const ff_batch_model *model, double *least_height, double *most_tilt)
{
    *least_height = ff_max(0.5 * ff_batch_model_sizes(model).height, 0.0);
    *most_tilt = model->root >= 0 ? 1.0 : 0.0;
}

int ff_batch_lanes(const ff_batch *b)
{
    return b ? b->lanes : 0;
}

const char *ff_batch_kernel_name(const ff_batch *b)
{
    if (!b) return NULL;
    if (!b->device) return b->special ? "specialised" : "lanes";
    return ff_batch_device_general(b->device) ? "general" : "specialised";
}

const char *ff_batch_kernel_reason(const ff_batch *b)
{
    if (!b) return NULL;
    if (b->device) return ff_batch_device_general(b->device);
    return b->general[0] ? b->general : NULL;
}

const char *ff_batch_kernel_compiler(const ff_batch *b)
{
    return b && b->special ? b->special->compiler : NULL;
}

// ------------------------------------------------------------------------------------------ stepping

static void run_chunk(void *context, int chunk)
{
    const ff_batch *b = context;
    const int64_t blocks = b->blocks, first = chunk * blocks / b->chunks, end = (chunk + 1) * blocks / b->chunks;
    const size_t lanes = (size_t)b->kernel->lanes;
    const size_t state = (size_t)b->model->nrow * lanes, input = (size_t)b->model->ninput * lanes;
    for (int64_t i = first; i < end; i++)
        b->kernel->run(b->model, &b->rules, b->x + (size_t)i * state, b->in + (size_t)i * input,
                       b->scratch + (size_t)chunk * b->scratch_size, b->steps);
}

ff_status ff_batch_step(ff_batch *b, int steps, ff_error *err)
{
    if (!b || steps < 0) return ff_error_set(err, FF_BAD_ARGUMENT, "a batch cannot make %d steps", steps);
    if (b->device) return ff_batch_device_step(b->device, steps, err);
    b->steps = steps;
    if (b->chunks > 1) return ff_team_each(b->chunks, b->threads, run_chunk, b, err);
    run_chunk(b, 0);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ robots

/// Must be called before rows of a robot are written.
static void rows_change(const ff_batch *b)
{
    if (b->device) ff_batch_device_rows_changed(b->device);
}

static ff_status check_robot(const ff_batch *b, int robot, ff_error *err)
{
    if (b && robot >= 0 && robot < b->robots) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "robot %d of a batch of %d", robot, b ? b->robots : 0);
}

ff_status ff_robot_see(const ff_batch *b, int robot, ff_error *err)
{
    const ff_status status = check_robot(b, robot, err);
    return status || !b->device ? status : ff_batch_device_see(b->device, err);
}

static ff_batch_end end_of(const ff_batch *b, int robot)
{
    return (ff_batch_end)(int)*row_of(b, robot, b->model->robot + FF_ROBOT_END);
}

int ff_batch_count(const ff_batch *b, ff_batch_end end)
{
    int count = 0;
    for (int i = 0; b && i < b->robots; i++) count += end_of(b, i) == end;
    return count;
}

ff_batch_end ff_batch_end_of(const ff_batch *b, int robot)
{
    return check_robot(b, robot, NULL) ? FF_BATCH_DIVERGED : end_of(b, robot);
}

int64_t ff_batch_age(const ff_batch *b, int robot)
{
    return check_robot(b, robot, NULL) ? 0 : (int64_t)*row_of(b, robot, b->model->robot + FF_ROBOT_AGE);
}

double ff_batch_reward(const ff_batch *b, int robot)
{
    return check_robot(b, robot, NULL) ? 0.0 : *row_of(b, robot, b->model->robot + FF_ROBOT_REWARD);
}

void ff_batch_clear_rewards(ff_batch *b)
{
    if (!b || b->rules.nreward == 0) return;
    const int row = b->model->robot + FF_ROBOT_REWARD;
    if (b->device) ff_batch_device_clear_row(b->device, row);
    for (int i = 0; i < b->robots; i++) *ff_robot_row(b, i, row) = 0.0;
}

ff_status ff_batch_reset_some(ff_batch *b, const int *robots, const uint64_t *seeds, int count, ff_error *err)
{
    if (!b || count < 0 || (count > 0 && !robots))
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d robots are to begin again: a batch and their numbers are needed",
                            count);
    for (int i = 0; i < count; i++)
        if (check_robot(b, robots[i], err)) return FF_BAD_ARGUMENT;
    if (b->device) return ff_batch_device_begin(b->device, robots, seeds, count, err);
    for (int i = 0; i < count; i++) {
        if (seeds) b->lives.streams[robots[i]] = (ff_batch_stream){.seed = seeds[i]};
        begin_robot(b, robots[i]);
    }
    return FF_OK;
}

ff_status ff_batch_reset(ff_batch *b, int robot, ff_error *err)
{
    return ff_batch_reset_some(b, &robot, NULL, 1, err);
}

ff_status ff_batch_reset_seeded(ff_batch *b, int robot, uint64_t seed, ff_error *err)
{
    return ff_batch_reset_some(b, &robot, &seed, 1, err);
}

ff_status ff_batch_renew(ff_batch *b, int64_t age, ff_error *err)
{
    if (!b || age < 1)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a life of %lld steps: it has 1 or more", (long long)age);
    if (b->device) return ff_batch_device_renew(b->device, (double)age, err);
    for (int i = 0; i < b->robots; i++)
        ff_life_renew(&b->lives, b->model, i, ff_robot_row(b, i, 0), ff_robot_input(b, i, 0), ff_robot_seen(b, i, 0),
                      b->lanes, (double)age);
    return FF_OK;
}

ff_status ff_batch_get_state(const ff_batch *b, int robot, double *q, double *v, ff_error *err)
{
    const ff_status status = ff_robot_see(b, robot, err);
    if (status) return status;
    for (int k = 0; q && k < b->model->nq; k++) q[k] = *row_of(b, robot, k);
    for (int k = 0; v && k < b->model->nv; k++) v[k] = *row_of(b, robot, b->model->nq + k);
    return FF_OK;
}

ff_status ff_batch_get_root(const ff_batch *b, int robot, double pose[7], double velocity[3], double start[2],
                            ff_error *err)
{
    const ff_status status = ff_robot_see(b, robot, err);
    if (status || b->model->root < 0) return status;
    for (int k = 0; k < 7; k++) pose[k] = *row_of(b, robot, b->model->root + k);
    for (int k = 0; k < 3; k++) velocity[k] = *row_of(b, robot, b->model->nq + b->model->root_v + k);
    for (int k = 0; k < 2; k++) start[k] = *row_of(b, robot, b->model->robot + FF_ROBOT_START + k);
    return FF_OK;
}

/// First row of the quaternion of a node in the state, -1: it has none.
static int quaternion_of(const ff_batch_node *node)
{
    return node->type == FF_LINK_BALL ? node->q : node->type == FF_LINK_FREE ? node->q + 3 : -1;
}

/// Largest magnitude of the components of a quaternion.
static double largest_of(const double q[4])
{
    return ff_max(ff_max(fabs(q[0]), fabs(q[1])), ff_max(fabs(q[2]), fabs(q[3])));
}

/// Writes a normalised quaternion. It is first divided by its largest component, so that no square over- or underflows.
static void write_quaternion(const ff_batch *b, int robot, int row, const double given[4])
{
    const double largest = largest_of(given);
    double quat[4];
    for (int k = 0; k < 4; k++) quat[k] = given[k] / largest;
    ff_quat_normalise(quat);
    for (int k = 0; k < 4; k++) *row_of(b, robot, row + k) = quat[k];
}

ff_status ff_batch_set_state(ff_batch *b, int robot, const double *q, const double *v, ff_error *err)
{
    const ff_status status = ff_robot_see(b, robot, err);
    if (status) return status;
    const ff_batch_model *m = b->model;
    if (b->device) ff_batch_device_see_inputs(b->device, NULL);
    if ((q && !ff_all_finite(q, m->nq)) || (v && !ff_all_finite(v, m->nv)))
        return ff_error_set(err, FF_BAD_ARGUMENT, "the state of robot %d is not finite", robot);
    for (int i = 0; q && i < m->nnode; i++) {
        const int row = quaternion_of(&m->nodes[i]);
        if (row >= 0 && largest_of(q + row) == 0.0)
            return ff_error_set(err, FF_BAD_ARGUMENT, "robot %d: the quaternion at q[%d] has the length 0", robot, row);
    }
    rows_change(b);
    for (int k = 0; q && k < m->nq; k++) *row_of(b, robot, k) = q[k];
    for (int k = 0; v && k < m->nv; k++) *row_of(b, robot, m->nq + k) = v[k];
    for (int k = m->nq + m->nv; k < m->key; k++) *row_of(b, robot, k) = 0.0;
    for (int i = 0; q && i < m->nnode; i++) {
        const int row = quaternion_of(&m->nodes[i]);
        if (row >= 0) write_quaternion(b, robot, row, q + row);
    }
    for (int k = 0; k < 3 * m->nservo * m->delay; k++) // delayed targets become the present ones
        *row_of(b, robot, m->sets + k) = *ff_robot_input(b, robot, k % (3 * m->nservo));
    ff_life_next(&b->lives, m, robot, row_of(b, robot, 0), b->lanes);
    return FF_OK;
}

ff_status ff_batch_set_targets(ff_batch *b, int robot, const double *position, const double *speed,
                               const double *torque, ff_error *err)
{
    const double *const given[3] = {position, speed, torque};
    const ff_status status = check_robot(b, robot, err);
    for (int i = 0; !status && i < b->model->nservo; i++)
        for (int k = 0; k < 3; k++)
            if (given[k]) *input_of(b, robot, 3 * i + k) = given[k][i];
    return status;
}

ff_status ff_batch_get_targets(const ff_batch *b, int robot, double *position, double *speed, double *torque,
                               ff_error *err)
{
    double *const asked[3] = {position, speed, torque};
    ff_status status = check_robot(b, robot, err);
    if (!status && b->device) status = ff_batch_device_see_inputs(b->device, err);
    for (int i = 0; !status && i < b->model->nservo; i++)
        for (int k = 0; k < 3; k++)
            if (asked[k]) asked[k][i] = *ff_robot_input(b, robot, 3 * i + k);
    return status;
}

ff_status ff_batch_set_commands(ff_batch *b, int robot, const double *command, ff_error *err)
{
    const ff_status status = check_robot(b, robot, err);
    if (!status && !command) return ff_error_set(err, FF_BAD_ARGUMENT, "robot %d: no commands are given", robot);
    for (int i = 0; !status && i < b->model->nactuator; i++) *input_of(b, robot, 3 * b->model->nservo + i) = command[i];
    return status;
}

ff_status ff_batch_set_parameter(ff_batch *b, int robot, ff_batch_parameter parameter, double value, ff_error *err)
{
    const ff_status status = ff_robot_see(b, robot, err);
    if (status) return status;
    const char *name = ff_batch_parameter_name(parameter);
    if (!name || parameter >= FF_BATCH_PARAMETERS || !isfinite(value) ||
        !(parameter == FF_BATCH_FRICTION ? value >= 0.0 : value > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "%s of robot %d cannot be %g: it is a factor, finite and %s",
                            name ? name : "an unknown parameter", robot, value,
                            parameter == FF_BATCH_FRICTION ? "0 or more" : "above 0");
    rows_change(b);
    *row_of(b, robot, b->model->parameter + (int)parameter) = value;
    return FF_OK;
}

ff_status ff_batch_get_parameter(const ff_batch *b, int robot, ff_batch_parameter parameter, double *out, ff_error *err)
{
    const ff_status status = ff_robot_see(b, robot, err);
    if (status) return status;
    if (!out || (int)parameter < 0 || parameter >= FF_BATCH_PARAMETERS)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%s of robot %d is no factor that could be read",
                            ff_batch_parameter_name(parameter) ? ff_batch_parameter_name(parameter) : "a parameter",
                            robot);
    *out = *row_of(b, robot, b->model->parameter + (int)parameter);
    return FF_OK;
}

ff_status ff_batch_get_draw(const ff_batch *b, int robot, int entry, double *out, ff_error *err)
{
    const ff_status status = ff_robot_see(b, robot, err);
    if (status) return status;
    if (!out || entry < 0 || entry >= b->draws.count)
        return ff_error_set(err, FF_BAD_ARGUMENT, "row %d of a table of %d distributions", entry, b->draws.count);
    *out = b->lives.drawn[(size_t)robot * (size_t)b->draws.count + (size_t)entry];
    return FF_OK;
}

const char *ff_batch_spread_name(const ff_batch *b, int entry)
{
    return b && entry >= 0 && entry < b->draws.count ? b->draws.names[entry] : NULL;
}

ff_status ff_batch_get_contact(const ff_batch *b, int robot, int point, ff_batch_contact_state *out, ff_error *err)
{
    const ff_status status = ff_robot_see(b, robot, err);
    if (status) return status;
    if (!out) return ff_error_set(err, FF_BAD_ARGUMENT, "no place for a contact point is given");
    if (point < 0 || point >= b->model->npoint)
        return ff_error_set(err, FF_BAD_ARGUMENT, "contact point %d, and there are %d", point, b->model->npoint);
    const int row = b->model->points[point].row;
    out->mode = (int)*row_of(b, robot, row + FF_POINT_MODE);
    for (int k = 0; k < 3; k++) {
        out->spring[k] = *row_of(b, robot, row + FF_POINT_SPRING + k);
        out->force[k] = *row_of(b, robot, row + FF_POINT_FORCE + k);
    }
    return FF_OK;
}

ff_status ff_batch_push(ff_batch *b, int robot, const double force[3], int steps, ff_error *err)
{
    const ff_status status = ff_robot_see(b, robot, err);
    if (status) return status;
    if (!force || !ff_all_finite(force, 3) || steps < 0 || !b->model->nodes[0].massive)
        return ff_error_set(
            err, FF_BAD_ARGUMENT,
            "robot %d cannot be pushed: the force is finite, steps are 0 or more, and its root has mass", robot);
    const int row = b->model->robot;
    rows_change(b);
    for (int k = 0; k < 3; k++) *row_of(b, robot, row + FF_ROBOT_PUSH + k) = force[k];
    *row_of(b, robot, row + FF_ROBOT_PUSH_FROM) = *row_of(b, robot, row + FF_ROBOT_AGE);
    *row_of(b, robot, row + FF_ROBOT_PUSHED) = *row_of(b, robot, row + FF_ROBOT_AGE) + steps;
    return FF_OK;
}

static uint64_t hash_rows(const ff_batch *b, int robot, int from, int to, uint64_t hash)
{
    for (int k = from; k < to; k++) hash = ff_hash_numbers(hash, row_of(b, robot, k), 1);
    return hash;
}

/// Hash of a robot's state. Delayed targets are taken in the order in which they act, since the rows where they are
/// stored depend on how its steps were divided into calls (place.h).
static uint64_t hash_robot(const ff_batch *b, int robot, uint64_t hash)
{
    const ff_batch_model *m = b->model;
    const int targets = 3 * m->nservo;
    if (m->delay == 0) return hash_rows(b, robot, 0, m->nrow, hash);
    hash = hash_rows(b, robot, 0, m->delay_row + 1, hash);
    for (int slot = 0; slot < m->delay; slot++) {
        const int set = m->sets + targets * (int)*row_of(b, robot, m->delay_row + 1 + slot);
        hash = hash_rows(b, robot, set, set + targets, hash);
    }
    return hash_rows(b, robot, m->sets + targets * m->delay, m->nrow, hash);
}

uint64_t ff_batch_hash(const ff_batch *b)
{
    uint64_t hash = 0;
    for (int i = 0; b && i < b->robots; i++) hash = hash_robot(b, i, hash);
    return hash;
}
