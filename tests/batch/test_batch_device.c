// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a batch does with a device: this file is the device (device.h), in memory of its own, and the linker takes it in
// place of the library's. A step adds its number to the first number of each robot. It can be unplugged: then nothing
// is read from it any more, and whoever asks for a robot is to hear of it.
#include "check.h"
#include "one_body.h"

#include <footfall/footfall.h>

#include "batch/device.h"

#include <stdlib.h>
#include <string.h>

struct ff_batch_device {
    double *x;     // of the batch
    double *own;   // of the device
    size_t count;  // of both
    size_t stride; // from block to block
    bool ahead, changed;
};

static bool unplugged;
static const char *general; // why there is no code for the model

// ------------------------------------------------------------------------------------------ the device

const char *ff_batch_device_missing(void)
{
    return NULL;
}

ff_batch_device *ff_batch_device_open(const ff_batch_model *model, const ff_batch_rules *rules, int blocks, double *x,
                                      double *in, ff_batch_rounding rounding, ff_error *err)
{
    (void)rules, (void)in, (void)rounding, (void)err;
    ff_batch_device *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->x = x;
    d->stride = (size_t)model->nrow * FF_BATCH_DEVICE_LANES;
    d->count = (size_t)blocks * d->stride;
    d->own = malloc(d->count * sizeof *d->own);
    d->changed = true;
    return d;
}

void ff_batch_device_close(ff_batch_device *d)
{
    if (d) free(d->own);
    free(d);
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
    if (d->changed) memcpy(d->own, d->x, d->count * sizeof *d->own);
    d->changed = false;
    for (size_t i = 0; i < d->count; i += d->stride)
        for (size_t lane = 0; lane < FF_BATCH_DEVICE_LANES; lane++) d->own[i + lane] += steps;
    d->ahead = true;
    return fate(err);
}

ff_status ff_batch_device_see(ff_batch_device *d, ff_error *err)
{
    if (d->ahead && !unplugged) memcpy(d->x, d->own, d->count * sizeof *d->own);
    d->ahead = false;
    return fate(err);
}

void ff_batch_device_rows_changed(ff_batch_device *d)
{
    d->changed = true;
}

void ff_batch_device_inputs_changed(ff_batch_device *d)
{
    (void)d;
}

ff_status ff_batch_device_share(ff_batch_device *d, double **x, double **in, int *number, ff_error *err)
{
    (void)d, (void)x, (void)in, (void)number;
    return fate(err);
}

void ff_batch_device_clear_row(ff_batch_device *d, int row)
{
    (void)d, (void)row;
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

// Each call that reads or changes a robot, on a device that failed in the step before.
enum { CALLS = 11 };
static ff_status call(ff_batch *b, int which, double *out, ff_error *err)
{
    static const double force[3] = {1, 0, 0};
    static ff_batch_outcome outcome;
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
