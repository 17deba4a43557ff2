// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a batch does with a device: this file is the device (device.h), in memory of its own, and the linker takes it in
// place of the library's. A step adds its number to the first number of each robot. It can be unplugged: then nothing
// is read from it any more, and the caller who asks for a robot gets an error.
#include "check.h"
#include "one_body.h"

#include <footfall/batch_outcome.h>
#include <footfall/footfall.h>

#include "batch/device.h"

#include <stdlib.h>
#include <string.h>

struct ff_batch_device {
    const ff_batch_model *model;
    const ff_batch_lives *host; // of the batch
    ff_batch_lives lives;       // of the device: streams, draws and what is seen of robots
    double *x, *in;             // of the batch
    double *own, *own_in;       // of the device
    size_t count, inputs;       // of both
    size_t stride;              // from block to block
    bool ahead, lives_ahead, inputs_ahead, changed, inputs_changed;
};

static bool unplugged;
static size_t moved;        // numbers that were read from the device
static const char *general; // why there is no code for the model

// ------------------------------------------------------------------------------------------ the device

const char *ff_batch_device_missing(void)
{
    return NULL;
}

ff_batch_device *ff_batch_device_open(const ff_batch_model *model, const ff_batch_rules *rules,
                                      const ff_batch_lives *lives, int blocks, double *x, double *in,
                                      ff_batch_rounding rounding, ff_error *err)
{
    (void)rules, (void)rounding, (void)err;
    const size_t robots = (size_t)blocks * FF_BATCH_DEVICE_LANES, draws = (size_t)(lives->robots * lives->draws.count);
    ff_batch_device *d = calloc(1, sizeof *d);
    CHECK(d);
    d->model = model;
    d->x = x;
    d->in = in;
    d->stride = (size_t)model->nrow * FF_BATCH_DEVICE_LANES;
    d->count = (size_t)blocks * d->stride;
    d->inputs = robots * (size_t)model->ninput;
    d->own = malloc(d->count * sizeof *d->own);
    d->own_in = malloc((d->inputs + 1) * sizeof *d->own_in);
    d->host = lives;
    d->lives = *lives;
    d->lives.streams = calloc((size_t)lives->robots, sizeof *lives->streams);
    d->lives.drawn = calloc(draws + 1, sizeof(double));
    d->lives.seen = calloc(robots * (size_t)lives->nseen, sizeof(double));
    CHECK(d->own && d->own_in && d->lives.streams && d->lives.drawn && d->lives.seen);
    d->changed = d->inputs_changed = true;
    return d;
}

void ff_batch_device_close(ff_batch_device *d)
{
    if (!d) return;
    free(d->own);
    free(d->own_in);
    free(d->lives.streams);
    free(d->lives.drawn);
    free(d->lives.seen);
    free(d);
}

static void copy_lives(const ff_batch_lives *to, const ff_batch_lives *from)
{
    memcpy(to->streams, from->streams, (size_t)from->robots * sizeof *from->streams);
    memcpy(to->drawn, from->drawn, (size_t)(from->robots * from->draws.count) * sizeof *from->drawn);
}

static void put(ff_batch_device *d)
{
    if (d->changed) memcpy(d->own, d->x, d->count * sizeof *d->own);
    if (d->changed) copy_lives(&d->lives, d->host);
    if (d->inputs_changed) memcpy(d->own_in, d->in, d->inputs * sizeof *d->own_in);
    d->changed = d->inputs_changed = false;
}

static double *row(double *first, int rows, int robot)
{
    return first + (size_t)(robot / FF_BATCH_DEVICE_LANES * rows) * FF_BATCH_DEVICE_LANES +
           robot % FF_BATCH_DEVICE_LANES;
}

const char *ff_batch_device_general(const ff_batch_device *d)
{
    (void)d;
    return general;
}

static ff_status fate(ff_error *err)
{
    return unplugged ? ff_error_set(err, FF_SOLVER, "the device failed: unplugged") : FF_OK;
}

ff_status ff_batch_device_step(ff_batch_device *d, int steps, ff_error *err)
{
    put(d);
    for (size_t i = 0; i < d->count; i += d->stride)
        for (size_t lane = 0; lane < FF_BATCH_DEVICE_LANES; lane++) d->own[i + lane] += steps;
    d->ahead = true;
    return fate(err);
}

ff_status ff_batch_device_observe(ff_batch_device *d, ff_error *err)
{
    put(d);
    for (int i = 0; i < d->lives.robots; i++)
        ff_life_observe(&d->lives, d->model, row(d->own, d->model->nrow, i), row(d->own_in, d->model->ninput, i),
                        FF_BATCH_DEVICE_LANES, row(d->lives.seen, d->lives.nseen, i), FF_BATCH_DEVICE_LANES);
    return fate(err);
}

ff_status ff_batch_device_renew(ff_batch_device *d, double age, ff_error *err)
{
    put(d);
    for (int i = 0; i < d->lives.robots; i++)
        ff_life_renew(&d->lives, d->model, i, row(d->own, d->model->nrow, i), row(d->own_in, d->model->ninput, i),
                      row(d->lives.seen, d->lives.nseen, i), FF_BATCH_DEVICE_LANES, age);
    d->ahead = d->lives_ahead = d->inputs_ahead = true;
    return fate(err);
}

ff_status ff_batch_device_begin(ff_batch_device *d, const int *robots, const uint64_t *seeds, int count, ff_error *err)
{
    put(d);
    for (int i = 0; i < count; i++) {
        if (seeds) d->lives.streams[robots[i]] = (ff_batch_stream){.seed = seeds[i]};
        ff_life_begin(&d->lives, d->model, robots[i], row(d->own, d->model->nrow, robots[i]), FF_BATCH_DEVICE_LANES);
    }
    d->ahead = d->lives_ahead = true;
    return fate(err);
}

ff_status ff_batch_device_see(ff_batch_device *d, ff_error *err)
{
    if (d->ahead && !unplugged) memcpy(d->x, d->own, d->count * sizeof *d->own);
    if (d->ahead) moved += d->count;
    if (d->lives_ahead && !unplugged) copy_lives(d->host, &d->lives);
    d->ahead = d->lives_ahead = false;
    return fate(err);
}

ff_status ff_batch_device_see_inputs(ff_batch_device *d, ff_error *err)
{
    if (d->inputs_ahead && !unplugged) memcpy(d->in, d->own_in, d->inputs * sizeof *d->own_in);
    d->inputs_ahead = false;
    return fate(err);
}

void ff_batch_device_rows_changed(ff_batch_device *d)
{
    d->changed = true;
}

void ff_batch_device_inputs_changed(ff_batch_device *d)
{
    d->inputs_changed = true;
}

ff_status ff_batch_device_share(ff_batch_device *d, double *places[3], int *number, ff_error *err)
{
    put(d);
    places[0] = d->own;
    places[1] = d->own_in;
    places[2] = d->lives.seen;
    *number = 0;
    return fate(err);
}

void ff_batch_device_clear_row(ff_batch_device *d, int row)
{
    (void)d, (void)row;
}

ff_status ff_batch_device_fetch(ff_batch_device *d, const double *from, size_t stride, size_t width, double *to,
                                ff_error *err)
{
    const size_t blocks = d->count / d->stride;
    for (size_t i = 0; i < blocks && !unplugged; i++) memcpy(to + i * width, from + i * stride, width * sizeof *to);
    moved += blocks * width;
    return fate(err);
}

// ------------------------------------------------------------------------------------------ the batch

static ff_batch *forty_robots(const ff_batch_model *model)
{
    static const char *const observe[] = {"height"};
    ff_error err = {0};
    unplugged = false;
    ff_batch *b =
        ff_batch_create(model, &(ff_batch_options){.robots = 40, .device = 1, .observe = observe, .nobserve = 1}, &err);
    if (!b) CHECK_FAIL("%s", err.text);
    return b;
}

// Robots are read when somebody asks, and what is written is there before the next step.
TEST(what_a_device_made_is_read_back)
{
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    ff_batch *b = forty_robots(model);
    double q[7] = {0};
    CHECK_INT(ff_batch_step(b, 3, NULL), FF_OK);
    CHECK_INT(ff_batch_get_state(b, 39, q, NULL, NULL), FF_OK);
    CHECK_NEAR(q[0], 3.0, 0.0);
    q[0] = 10.0;
    CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
    CHECK_INT(ff_batch_set_state(b, 39, q, NULL, NULL), FF_OK);
    CHECK_INT(ff_batch_step(b, 2, NULL), FF_OK);
    CHECK_INT(ff_batch_get_state(b, 39, q, NULL, NULL), FF_OK);
    CHECK_NEAR(q[0], 12.0, 0.0);
    CHECK_INT(ff_batch_get_state(b, 38, q, NULL, NULL), FF_OK); // a neighbour lost nothing
    CHECK_NEAR(q[0], 6.0, 0.0);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// Numbers of all robots are read without the rest of their rows; what single robots were given is in them.
TEST(one_array_is_read_without_the_others)
{
    enum { BLOCK = FF_BATCH_DEVICE_LANES, BLOCKS = 2 }; // of forty robots
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    ff_batch *b = forty_robots(model);
    const double start[7] = {5, 0, 4, 1, 0, 0, 0}, speed[6] = {0, 0, 0, 0, 0, 8};
    double q[40 * 7], v[40 * 6], seen[40], targets = -1.0;
    CHECK_INT(ff_batch_set_state(b, 39, start, speed, NULL), FF_OK);
    CHECK_INT(ff_batch_step(b, 3, NULL), FF_OK);
    CHECK_INT(ff_batch_observe_all(b, NULL), FF_OK);
    moved = 0;
    CHECK_INT(ff_batch_read(b, FF_BATCH_ARRAY_OBSERVATION, seen, NULL), FF_OK);
    CHECK_INT((int)moved, BLOCKS * BLOCK);
    CHECK_INT(ff_batch_read(b, FF_BATCH_ARRAY_Q, q, NULL), FF_OK);
    CHECK_INT(ff_batch_read(b, FF_BATCH_ARRAY_V, v, NULL), FF_OK);
    CHECK_INT((int)moved, (1 + 7 + 6) * BLOCKS * BLOCK);
    CHECK_NEAR(q[0], 3.0, 0.0);
    CHECK_NEAR(q[39 * 7], 8.0, 0.0);
    CHECK_NEAR(q[39 * 7 + 2], 4.0, 0.0);
    CHECK_NEAR(v[39 * 6 + 5], 8.0, 0.0);
    CHECK_NEAR(v[38 * 6 + 5], 0.0, 0.0);
    for (int i = 0; i < 40; i++) CHECK_NEAR(seen[i], q[i * 7 + 2], 0.0);         // height above z = 0
    CHECK_INT(ff_batch_read(b, FF_BATCH_ARRAY_POSITION, &targets, NULL), FF_OK); // a body without servos has none
    CHECK_NEAR(targets, -1.0, 0.0);
    CHECK_INT(ff_batch_read(b, FF_BATCH_ARRAYS, q, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_read(b, FF_BATCH_ARRAY_Q, NULL, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_read(NULL, FF_BATCH_ARRAY_Q, q, NULL), FF_BAD_ARGUMENT);
    CHECK_INT((int)moved, (1 + 7 + 6) * BLOCKS * BLOCK);
    CHECK_INT(ff_batch_get_state(b, 0, q, NULL, NULL), FF_OK); // a single robot: all rows
    CHECK((int)moved > 2 * (1 + 7 + 6) * BLOCKS * BLOCK);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// Each call that reads or changes a robot, on a device that failed in the step before.
enum { CALLS = 15 };
static ff_status call(ff_batch *b, int which, double *out, ff_error *err)
{
    static const double force[3] = {1, 0, 0};
    static ff_batch_outcome outcome;
    static ff_batch_view view;
    switch (which) {
    case 0:
        return ff_batch_get_state(b, 0, out, NULL, err);
    case 1:
        return ff_batch_sense(b, 0, out, err);
    case 2:
        return ff_batch_observe(b, 0, out, err);
    case 3:
        return ff_batch_get_parameter(b, 0, FF_BATCH_MASS, out, err);
    case 4:
        return ff_batch_values(b, 0, out, err);
    case 5:
        return ff_batch_get_outcome(b, &outcome, err);
    case 6:
        return ff_batch_reset(b, 0, err);
    case 7:
        return ff_batch_reset_seeded(b, 0, 5, err);
    case 8:
        return ff_batch_set_state(b, 0, NULL, NULL, err);
    case 9:
        return ff_batch_set_parameter(b, 0, FF_BATCH_MASS, 2.0, err);
    case 10:
        return ff_batch_renew(b, 5, err);
    case 11:
        return ff_batch_observe_all(b, err);
    case 12:
        return ff_batch_view_of(b, FF_BATCH_ARRAY_Q, &view, err);
    case 13:
        return ff_batch_read(b, FF_BATCH_ARRAY_REWARD, out, err);
    default:
        return ff_batch_push(b, 0, force, 1, err);
    }
}

TEST(a_device_that_fails_is_reported_by_every_call)
{
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    double out[64];
    for (int i = 0; i < CALLS; i++) {
        ff_batch *b = forty_robots(model);
        ff_error err = {0};
        CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
        unplugged = true;
        for (int k = 0; k < 64; k++) out[k] = -7.0;
        if (call(b, i, out, &err) != FF_SOLVER) CHECK_FAIL("call %d has the status %d", i, (int)err.status);
        CHECK(strstr(err.text, "unplugged"));
        for (int k = 0; k < 64; k++) CHECK_NEAR(out[k], -7.0, 0.0); // old numbers would pass for new ones
        CHECK_INT(call(b, i, out, NULL), FF_SOLVER);                // it does not come back
        CHECK_INT(ff_batch_step(b, 1, &err), FF_SOLVER);
        CHECK_INT(ff_batch_set_targets(b, 0, NULL, NULL, NULL, &err), FF_OK); // which is not read from there
        ff_batch_destroy(b);
    }
    ff_batch_model_destroy(model);
}

// Robots that begin on the device are those that begin on the processor, with what they drew and the targets they have.
TEST(robots_begin_on_the_device)
{
    static const char *const observe[] = {"root.z + 2 * age"};
    const ff_batch_spread table[] = {{.quantity = FF_BATCH_START_HEIGHT, .low = 0.0, .high = 1.0},
                                     {.quantity = FF_BATCH_MASS, .low = 0.5, .high = 1.5, .which = "body"}};
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    ff_batch_options options = {
        .robots = 40, .device = 1, .spreads = table, .nspread = 2, .observe = observe, .nobserve = 1};
    ff_batch *there = ff_batch_create(model, &options, NULL);
    options.device = 0;
    ff_batch *here = ff_batch_create(model, &options, NULL);
    CHECK(there && here);
    unplugged = false;
    const uint64_t seed = 9;
    const int robots[] = {39, 4};
    ff_batch *const both[] = {here, there};
    for (int k = 0; k < 2; k++) {
        CHECK_INT(ff_batch_reset_some(both[k], robots, NULL, 2, NULL), FF_OK);
        CHECK_INT(ff_batch_reset_seeded(both[k], 17, seed, NULL), FF_OK);
        CHECK_INT(ff_batch_set_state(both[k], 8, NULL, NULL, NULL), FF_OK); // written by the processor
        CHECK_INT(ff_batch_renew(both[k], 1, NULL), FF_OK);                 // all live, none is old
        CHECK_INT(ff_batch_reset(both[k], 8, NULL), FF_OK);
        CHECK_INT(ff_batch_observe_all(both[k], NULL), FF_OK);
    }
    CHECK(ff_batch_hash(here) == ff_batch_hash(there));
    ff_batch_view views[2];
    for (int k = 0; k < 2; k++)
        CHECK_INT(ff_batch_view_of(both[k], FF_BATCH_ARRAY_OBSERVATION, &views[k], NULL), FF_OK);
    CHECK(views[0].device == -1 && views[1].device == 0 && views[1].lanes == FF_BATCH_DEVICE_LANES);
    for (int i = 0; i < 40; i++) {
        double a = 0.0, b = 1.0, seen[2];
        CHECK(!ff_batch_get_draw(here, i, 1, &a, NULL) && !ff_batch_get_draw(there, i, 1, &b, NULL) && a == b);
        for (int k = 0; k < 2; k++)
            seen[k] = views[k].data[i / views[k].lanes * views[k].block_stride + i % views[k].lanes];
        CHECK_NEAR(seen[0], seen[1], 0.0);
    }
    ff_batch_destroy(here);
    ff_batch_destroy(there);
    ff_batch_model_destroy(model);
}

TEST(a_batch_says_which_kernel_steps)
{
    ff_batch_model *model = one_body("free", FF_JOINT_FREE);
    ff_batch *b = forty_robots(model), *near = ff_batch_create(model, &(ff_batch_options){.robots = 2}, NULL);
    CHECK_TEXT(ff_batch_kernel_name(b), "specialised");
    CHECK(!ff_batch_kernel_reason(b));
    general = "there is no compiler";
    CHECK_TEXT(ff_batch_kernel_name(b), "general");
    CHECK_TEXT(ff_batch_kernel_reason(b), "there is no compiler");
    CHECK_TEXT(ff_batch_kernel_name(near), "lanes"); // whatever a device has
    CHECK(!ff_batch_kernel_reason(near) && !ff_batch_kernel_name(NULL) && !ff_batch_kernel_reason(NULL));
    general = NULL;
    ff_batch_destroy(near);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}
