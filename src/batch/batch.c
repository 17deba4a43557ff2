// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch of robots: blocks of as many as there are lanes, one after the other; row i of lane l of block b is
//     x[(b * nrow + i) * lanes + l]
// A thread takes a chunk of blocks and makes all steps of a block before it looks at the next: what a block works on
// stays in the nearest cache. The last block is filled up with robots that nobody sees.
#include "batch/device.h"
#include "batch/draw.h"
#include "batch/kernel.h"

#include <footfall/team.h>

#include "base/hash.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROBOTS = INT32_MAX / 2, MOST_THREADS = 1024 };
enum { CHUNKS_A_THREAD = 4 };                 // so that threads that are slow leave some to the others
enum { SENSE_DRAWS = 20 };                    // a step may draw so many numbers, as a power of two
static const uint64_t SENSE_STREAM = 0x5e15e; // noise and spreads of one seed have nothing in common
static const uint64_t KEY_STREAM = 0x6b6579;  // nor has that of a scene's sensors

/// Where the random numbers of a robot come from: each life has a number of its own, counted from robot * 2^32 with the
/// seed of the batch, from 0 with a seed of the robot's own.
typedef struct stream {
    uint64_t seed, life;
} stream;

struct ff_batch {
    const ff_batch_model *model;
    ff_batch_options options; // as given, with the copy of the spreads and without the text of formulas
    ff_batch_noise noise;
    const ff_batch_kernel *kernel; // of the processor
    ff_batch_device *device;       // NULL: the processor
    int lanes;
    int robots, threads, blocks, chunks;
    double *x;              // rows of all blocks
    double *in;             // inputs of all blocks
    unsigned char *scratch; // of all chunks
    size_t scratch_size;    // of one  [byte]
    int steps;              // of the call under way
    ff_batch_rules rules;
    ff_formula formulas; // of the rules, then what is observed
    int *observe;        // first instruction of each observation, and the end of the last  (nobserve + 1)
    int nobserve;
    ff_draws draws;
    double *drawn;   // from each row of the table  (robots*nspread)
    double *column;  // rows of one robot, to work in  (nrow)
    stream *streams; // (robots)
};

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

int ff_batch_lanes_there(int i)
{
    for (int k = 0; k < KERNEL_COUNT; k++)
        if (KERNELS[k]->there() && i-- == 0) return KERNELS[k]->lanes;
    return 0;
}

/// The kernel of that many lanes, 0: the widest; NULL: there is none.
static const ff_batch_kernel *find_kernel(int lanes)
{
    const ff_batch_kernel *found = NULL;
    for (int k = 0; k < KERNEL_COUNT; k++)
        if (KERNELS[k]->there() && (lanes == 0 || KERNELS[k]->lanes == lanes)) found = KERNELS[k];
    return found;
}

// ------------------------------------------------------------------------------------------ making

static double *row_at(const ff_batch *b, int robot, int row)
{
    const size_t lanes = (size_t)b->lanes, block = (size_t)robot / lanes, lane = (size_t)robot % lanes;
    return &b->x[(block * (size_t)b->model->nrow + (size_t)row) * lanes + lane];
}

/// A row of a robot, to look at; who writes calls rows_change first, and who can report calls see_robot.
static double *row_of(const ff_batch *b, int robot, int row)
{
    if (b->device) ff_batch_device_see(b->device, NULL);
    return row_at(b, robot, row);
}

/// An input of a robot, to look at; the device never writes them.
static double *input_at(const ff_batch *b, int robot, int row)
{
    const size_t lanes = (size_t)b->lanes, block = (size_t)robot / lanes, lane = (size_t)robot % lanes;
    return &b->in[(block * (size_t)b->model->ninput + (size_t)row) * lanes + lane];
}

/// An input of a robot, to write.
static double *input_of(const ff_batch *b, int robot, int row)
{
    if (b->device) ff_batch_device_inputs_changed(b->device);
    return input_at(b, robot, row);
}

static void *aligned(size_t count, size_t size)
{
    const size_t whole = (count * size + FF_BATCH_ALIGNMENT) / FF_BATCH_ALIGNMENT * FF_BATCH_ALIGNMENT;
    return count < SIZE_MAX / 4 / size ? aligned_alloc(FF_BATCH_ALIGNMENT, whole) : NULL;
}

static bool size_batch(ff_batch *b)
{
    const size_t robots = (size_t)b->blocks * (size_t)b->lanes;
    b->x = aligned(robots, (size_t)b->model->nrow * sizeof(double));
    b->in = aligned(robots, (size_t)b->model->ninput * sizeof(double) + 1);
    b->scratch_size = b->kernel->scratch(b->model);
    b->scratch = aligned((size_t)b->chunks, b->scratch_size);
    b->streams = calloc((size_t)b->robots, sizeof *b->streams);
    b->observe = calloc((size_t)b->nobserve + 1, sizeof *b->observe);
    b->drawn = calloc((size_t)b->robots * (size_t)b->draws.count + 1, sizeof *b->drawn);
    b->column = calloc((size_t)b->model->nrow, sizeof *b->column);
    return b->x && b->in && b->scratch && b->streams && b->observe && b->drawn && b->column;
}

/// The next life of a robot, with noise of its own.
static void begin_life(ff_batch *b, int robot)
{
    stream *s = &b->streams[robot];
    s->life++;
    if (b->model->nchannel == 0) return;
    ff_random random = ff_random_make(s->seed ^ KEY_STREAM, s->life);
    *row_of(b, robot, b->model->key) = (double)(ff_random_bits(&random) >> 11); // as many bits as a double has
}

/// A robot begins where it stands: the way it makes is counted from there.
static void keep_start(const ff_batch *b, int robot)
{
    const ff_batch_model *m = b->model;
    for (int k = 0; k < 2 && m->root >= 0; k++)
        *row_of(b, robot, m->robot + FF_ROBOT_START + k) = *row_of(b, robot, m->root + k);
}

static void begin_robot(ff_batch *b, int robot)
{
    const ff_batch_model *m = b->model;
    ff_random random = ff_random_make(b->streams[robot].seed, b->streams[robot].life);
    const int kept = m->delay_row + (m->delay > 0 ? 1 : 0); // factors and delay stay, where nothing is drawn
    for (int k = 0; k < m->nrow; k++) b->column[k] = k < m->parameter || k >= kept ? m->start[k] : *row_of(b, robot, k);
    ff_draws_robot(&b->draws, &random, b->column, b->drawn + (size_t)robot * (size_t)b->draws.count);
    for (int k = 0; k < m->nrow; k++) *row_of(b, robot, k) = b->column[k];
    keep_start(b, robot);
    begin_life(b, robot);
}

/// Does some formula read a force sensor?
static int reads_cuts(const ff_batch_model *m, const ff_formula *f)
{
    for (int i = 0; i < f->count; i++) {
        const ff_formula_step *step = &f->code[i];
        if (step->op == FF_FORMULA_ROW && step->row >= m->cut && step->row < m->cut + 3 * m->ncut) return 1;
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
                                  "on a device, 'end' and 'reward' cannot read sensors, and they read '%s': observe it",
                                  b->model->channels[b->formulas.code[i].row].name);
    for (int i = 0; !status && i < b->nobserve; i++) {
        b->observe[i] = b->formulas.count;
        status = ff_formula_compile(b->model, "observe", o->observe[i], false, &b->formulas, err);
    }
    b->observe[b->nobserve] = b->formulas.count;
    r->code = b->formulas.code;
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
    if (o->fast && !o->device) return ff_error_set(err, FF_BAD_ARGUMENT, "ff_batch_options.fast needs .device");
    if (find_kernel(o->lanes)) return FF_OK;
    char there[64] = "";
    for (int i = 0, n = 0; ff_batch_lanes_there(i) > 0; i++)
        n += snprintf(there + n, sizeof there - (size_t)n, "%s%d", i > 0 ? ", " : "", ff_batch_lanes_there(i));
    return ff_error_set(err, FF_BAD_ARGUMENT, "%d lanes are not there: this processor has %s, and 0 takes the most",
                        o->lanes, there);
}

/// Lengths, angles and deviations are sound numbers.
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

ff_batch *ff_batch_create(const ff_batch_model *model, const ff_batch_options *options, ff_error *err)
{
    if (!model || !options) {
        ff_error_set(err, FF_BAD_ARGUMENT, "a batch needs a model and options");
        return NULL;
    }
    ff_draws draws = {0};
    if (check_options(model, options, err) || ff_draws_make(&draws, model, options->spreads, options->nspread, err)) {
        ff_draws_clear(&draws);
        return NULL;
    }
    const ff_batch_kernel *kernel = find_kernel(options->lanes);
    ff_batch *b = calloc(1, sizeof *b);
    if (b) {
        b->draws = draws;
        if (draws.model == &draws.varied) b->draws.model = &b->draws.varied;
        b->model = model = b->draws.model;
        b->kernel = kernel;
        b->lanes = options->device ? FF_BATCH_DEVICE_LANES : kernel->lanes;
        b->robots = options->robots;
        b->noise = options->noise;
        b->nobserve = options->nobserve;
        b->threads = options->threads > 0 ? options->threads : ff_team_processors();
        if (b->threads > MOST_THREADS) b->threads = MOST_THREADS;
        b->blocks = (b->robots + b->lanes - 1) / b->lanes;
        b->chunks = b->threads == 1 ? 1 : b->threads * CHUNKS_A_THREAD;
        if (b->chunks > b->blocks) b->chunks = b->blocks;
    }
    if (!b || !size_batch(b)) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for a batch of %d robots", options->robots);
        if (!b) ff_draws_clear(&draws);
        ff_batch_destroy(b);
        return NULL;
    }
    if (make_rules(b, options, err)) {
        ff_batch_destroy(b);
        return NULL;
    }
    b->options = *options;
    b->options.spreads = b->draws.rows;
    b->options.end = options->end ? "" : NULL;
    b->options.reward = options->reward ? "" : NULL;
    b->options.observe = NULL;
    for (int i = 0; i < b->blocks * b->lanes && !ff_stop_asked(); i++) {
        for (int k = 0; k < model->nrow; k++) *row_of(b, i, k) = model->start[k];
        for (int k = 0; k < model->ninput; k++) *input_of(b, i, k) = model->start_input[k];
        if (i >= b->robots) {
            *row_of(b, i, model->robot + FF_ROBOT_END) = FF_NOBODY;
            continue;
        }
        b->streams[i] = (stream){options->seed, (uint64_t)i << 32};
        begin_robot(b, i);
    }
    if (ff_stop_asked()) {
        ff_error_set(err, FF_STOPPED, "a batch of %d robots was stopped while it was made", options->robots);
        ff_batch_destroy(b);
        return NULL;
    }
    if (options->device &&
        !(b->device = ff_batch_device_open(model, &b->rules, b->blocks, b->x, b->in, options->fast, err))) {
        ff_batch_destroy(b);
        return NULL;
    }
    return b;
}

void ff_batch_destroy(ff_batch *b)
{
    if (!b) return;
    ff_batch_device_close(b->device);
    free(b->x);
    free(b->in);
    free(b->scratch);
    free(b->formulas.code);
    free(b->observe);
    free(b->drawn);
    free(b->column);
    ff_draws_clear(&b->draws);
    free(b->streams);
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
    return !b->device ? "lanes" : ff_batch_device_general(b->device) ? "general" : "specialised";
}

const char *ff_batch_kernel_reason(const ff_batch *b)
{
    return b && b->device ? ff_batch_device_general(b->device) : NULL;
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

/// Rows of a robot, which were seen, are about to be written.
static void rows_change(const ff_batch *b)
{
    if (b->device) ff_batch_device_rows_changed(b->device);
}

static ff_status check_robot(const ff_batch *b, int robot, ff_error *err)
{
    if (b && robot >= 0 && robot < b->robots) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "robot %d of a batch of %d", robot, b ? b->robots : 0);
}

/// A robot whose rows are to be read or written: brings them up to date.
/// @return FF_BAD_ARGUMENT, or FF_SOLVER where they cannot be read from the device
static ff_status see_robot(const ff_batch *b, int robot, ff_error *err)
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
    for (int i = 0; i < b->robots; i++) *row_at(b, i, row) = 0.0;
}

ff_status ff_batch_reset(ff_batch *b, int robot, ff_error *err)
{
    const ff_status status = see_robot(b, robot, err);
    if (status) return status;
    rows_change(b);
    begin_robot(b, robot);
    return FF_OK;
}

ff_status ff_batch_reset_seeded(ff_batch *b, int robot, uint64_t seed, ff_error *err)
{
    const ff_status status = see_robot(b, robot, err);
    if (status) return status;
    b->streams[robot] = (stream){.seed = seed};
    return ff_batch_reset(b, robot, err);
}

ff_status ff_batch_get_state(const ff_batch *b, int robot, double *q, double *v, ff_error *err)
{
    const ff_status status = see_robot(b, robot, err);
    if (status) return status;
    for (int k = 0; q && k < b->model->nq; k++) q[k] = *row_of(b, robot, k);
    for (int k = 0; v && k < b->model->nv; k++) v[k] = *row_of(b, robot, b->model->nq + k);
    return FF_OK;
}

ff_status ff_batch_get_root(const ff_batch *b, int robot, double pose[7], double velocity[3], double start[2],
                            ff_error *err)
{
    const ff_status status = see_robot(b, robot, err);
    if (status || b->model->root < 0) return status;
    for (int k = 0; k < 7; k++) pose[k] = *row_of(b, robot, b->model->root + k);
    for (int k = 0; k < 3; k++) velocity[k] = *row_of(b, robot, b->model->nq + b->model->root_v + k);
    for (int k = 0; k < 2; k++) start[k] = *row_of(b, robot, b->model->robot + FF_ROBOT_START + k);
    return FF_OK;
}

/// Where the quaternion of a node lies in the state, -1: it has none.
static int quaternion_of(const ff_batch_node *node)
{
    return node->type == FF_LINK_BALL ? node->q : node->type == FF_LINK_FREE ? node->q + 3 : -1;
}

/// Size of the largest component of a quaternion.
static double largest_of(const double q[4])
{
    return ff_max(ff_max(fabs(q[0]), fabs(q[1])), ff_max(fabs(q[2]), fabs(q[3])));
}

/// Writes a quaternion, scaled to length 1. Its largest component becomes 1 first: no square is too large or too small.
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
    const ff_status status = see_robot(b, robot, err);
    if (status) return status;
    const ff_batch_model *m = b->model;
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
    keep_start(b, robot);
    for (int k = 0; k < 3 * m->nservo * m->delay; k++) // the targets it has are those that were on their way
        *row_of(b, robot, m->delay_row + 1 + k) = *input_at(b, robot, k % (3 * m->nservo));
    begin_life(b, robot);
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
    const ff_status status = check_robot(b, robot, err);
    for (int i = 0; !status && i < b->model->nservo; i++)
        for (int k = 0; k < 3; k++)
            if (asked[k]) asked[k][i] = *input_at(b, robot, 3 * i + k);
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
    const ff_status status = see_robot(b, robot, err);
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
    const ff_status status = see_robot(b, robot, err);
    if (status) return status;
    if (!out || (int)parameter < 0 || parameter >= FF_BATCH_PARAMETERS)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%s of robot %d is no factor that could be read",
                            ff_batch_parameter_name(parameter) ? ff_batch_parameter_name(parameter) : "a parameter",
                            robot);
    *out = *row_of(b, robot, b->model->parameter + (int)parameter);
    return FF_OK;
}

ff_status ff_batch_get_draw(const ff_batch *b, int robot, int row, double *out, ff_error *err)
{
    const ff_status status = check_robot(b, robot, err);
    if (status) return status;
    if (!out || row < 0 || row >= b->draws.count)
        return ff_error_set(err, FF_BAD_ARGUMENT, "row %d of a table of %d distributions", row, b->draws.count);
    *out = b->drawn[(size_t)robot * (size_t)b->draws.count + (size_t)row];
    return FF_OK;
}

const char *ff_batch_spread_name(const ff_batch *b, int row)
{
    return b && row >= 0 && row < b->draws.count ? b->draws.names[row] : NULL;
}

ff_status ff_batch_get_contact(const ff_batch *b, int robot, int point, ff_batch_contact_state *out, ff_error *err)
{
    const ff_status status = see_robot(b, robot, err);
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
    const ff_status status = see_robot(b, robot, err);
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

// ------------------------------------------------------------------------------------------ sensors

int ff_batch_sense_count(const ff_batch_model *m)
{
    return m ? 2 * m->nservo + (m->root >= 0 ? 6 : 0) + 3 * m->nfoot : 0;
}

/// Angular velocity and specific force of the root, body axes.
static void sense_root(const ff_batch *b, int robot, double gyro[3], double accelerometer[3])
{
    const ff_batch_model *m = b->model;
    double quat[4], R[9], force[3];
    for (int k = 0; k < 4; k++) quat[k] = *row_of(b, robot, m->root + 3 + k);
    ff_quat_to_mat3(R, quat);
    for (int k = 0; k < 3; k++) {
        gyro[k] = *row_of(b, robot, m->nq + m->root_v + 3 + k);
        force[k] = *row_of(b, robot, m->robot + FF_ROBOT_ACCELERATION + k) - m->gravity[k];
    }
    ff_mat3_tmulv(accelerometer, R, force);
}

static void sense_feet(const ff_batch *b, int robot, double *out)
{
    const ff_batch_model *m = b->model;
    memset(out, 0, 3 * (size_t)m->nfoot * sizeof *out);
    for (int i = 0; i < m->npoint; i++)
        for (int k = 0; k < 3 && m->points[i].foot >= 0; k++)
            out[3 * m->points[i].foot + k] += *row_of(b, robot, m->points[i].row + FF_POINT_FORCE + k);
}

static void add_noise(ff_random *random, double deviation, double *values, int count)
{
    for (int i = 0; i < count && deviation > 0.0; i++) values[i] += deviation * ff_random_normal(random);
}

ff_status ff_batch_sense(const ff_batch *b, int robot, double *out, ff_error *err)
{
    const ff_status status = see_robot(b, robot, err);
    if (status) return status;
    if (!out) return ff_error_set(err, FF_BAD_ARGUMENT, "no place for what the sensors read is given");
    const ff_batch_model *m = b->model;
    const int n = m->nservo, root = m->root >= 0 ? 6 : 0;
    for (int i = 0; i < m->nv; i++) {
        const int servo = m->dofs[i].servo;
        if (servo < 0) continue;
        out[servo] = *row_of(b, robot, m->dofs[i].q);
        out[n + servo] = *row_of(b, robot, m->nq + i);
    }
    if (root > 0) sense_root(b, robot, out + 2 * n, out + 2 * n + 3);
    sense_feet(b, robot, out + 2 * n + root);
    ff_random random = ff_random_make(b->streams[robot].seed ^ SENSE_STREAM, b->streams[robot].life);
    random.counter = (uint64_t)ff_batch_age(b, robot) << SENSE_DRAWS; // each step has numbers of its own
    double loud = 1.0;                                                // factor of its noise
    if (b->draws.noise >= 0) ff_batch_get_draw(b, robot, b->draws.noise, &loud, NULL);
    add_noise(&random, loud * b->noise.position, out, n);
    add_noise(&random, loud * b->noise.speed, out + n, n);
    add_noise(&random, loud * b->noise.gyro, out + 2 * n, root / 2);
    add_noise(&random, loud * b->noise.accelerometer, out + 2 * n + root / 2, root / 2);
    add_noise(&random, loud * b->noise.force, out + 2 * n + root, 3 * m->nfoot);
    return FF_OK;
}

ff_status ff_batch_observe(const ff_batch *b, int robot, double *out, ff_error *err)
{
    const ff_status status = see_robot(b, robot, err);
    if (status) return status;
    if (!out && b->nobserve > 0) return ff_error_set(err, FF_BAD_ARGUMENT, "no place for observations is given");
    const ff_batch_model *m = b->model;
    const double *x = row_of(b, robot, 0), *in = input_at(b, robot, 0);
    const double ground =
        m->ground < 0 ? 0.0
                      : ff_batch_field_height(m, m->ground, *row_of(b, robot, m->root), *row_of(b, robot, m->root + 1));
    for (int i = 0; i < b->nobserve; i++)
        out[i] = ff_formula_value(b->formulas.code + b->observe[i], b->observe[i + 1] - b->observe[i], m->channels, x,
                                  in, b->lanes, ground);
    return FF_OK;
}

uint64_t ff_batch_hash(const ff_batch *b)
{
    uint64_t hash = 0;
    for (int i = 0; b && i < b->robots; i++)
        for (int k = 0; k < b->model->nrow; k++) hash = ff_hash_numbers(hash, row_of(b, i, k), 1);
    return hash;
}

// ------------------------------------------------------------------------------------------ views

const char *ff_batch_array_name(ff_batch_array array)
{
    static const char *const names[FF_BATCH_ARRAYS] = {"q",      "v",      "position", "speed",
                                                       "torque", "reward", "ended",    "age"};
    return (int)array >= 0 && array < FF_BATCH_ARRAYS ? names[array] : NULL;
}

ff_status ff_batch_view_of(ff_batch *b, ff_batch_array array, ff_batch_view *out, ff_error *err)
{
    if (!b || !out || !ff_batch_array_name(array))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a view needs a batch, one of its arrays and a place");
    const ff_batch_model *m = b->model;
    const struct {
        int input, first, count, every;
    } rows[FF_BATCH_ARRAYS] = {{0, 0, m->nq, 1},
                               {0, m->nq, m->nv, 1},
                               {1, 0, m->nservo, 3},
                               {1, 1, m->nservo, 3},
                               {1, 2, m->nservo, 3},
                               {0, m->robot + FF_ROBOT_REWARD, 1, 1},
                               {0, m->robot + FF_ROBOT_END, 1, 1},
                               {0, m->robot + FF_ROBOT_AGE, 1, 1}};
    double *x = b->x, *in = b->in;
    int device = -1;
    if (b->device && ff_batch_device_share(b->device, &x, &in, &device, err)) return FF_SOLVER;
    const int input = rows[array].input;
    *out = (ff_batch_view){.data = (input ? in : x) + (long long)rows[array].first * b->lanes,
                           .device = device,
                           .blocks = b->blocks,
                           .lanes = b->lanes,
                           .count = rows[array].count,
                           .block_stride = (long long)(input ? m->ninput : m->nrow) * b->lanes,
                           .row_stride = (long long)rows[array].every * b->lanes};
    return FF_OK;
}
