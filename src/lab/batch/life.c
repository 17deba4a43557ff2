// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Beginnings, observations and readings of sensors of one robot on a processor, whatever the number of lanes of its
// block.
#define FF_LANES 1

#include "batch/life_core.h"

void ff_draws_robot(const ff_draws *draws, ff_random *random, double *rows, double *drawn)
{
    drawing d = {.model = draws->model, .table = &draws->table, .bodies = draws->bodies, .random = *random};
    draw_robot(&d, rows, 1, drawn);
    *random = d.random;
}

void ff_life_begin(const ff_batch_lives *l, const ff_batch_model *m, int robot, double *x, int stride)
{
    begin_life(l, m, robot, x, stride);
}

void ff_life_next(const ff_batch_lives *l, const ff_batch_model *m, int robot, double *x, int stride)
{
    begin_next_life(l, m, robot, x, stride);
}

void ff_life_observe(const ff_batch_lives *l, const ff_batch_model *m, const double *x, const double *in, int stride,
                     double *out, int apart)
{
    for (int i = 0; i < l->nobserve; i++) out[(size_t)i * (size_t)apart] = observe_one(l, m, i, x, in, stride);
}

void ff_life_renew(const ff_batch_lives *l, const ff_batch_model *m, int robot, double *x, double *in, double *seen,
                   int stride, double age)
{
    double *last = &DRAWN_ROW(seen, l->nobserve);
    ff_life_observe(l, m, x, in, stride, last, stride);
    begin_if_over(l, m, robot, x, in, seen, stride, age);
    ff_life_observe(l, m, x, in, stride, seen, stride);
}

double ff_channel_read(const ff_batch_channel *channel, double truth, double key, double loud, double age)
{
    return ff_core_channel_read(channel, truth, key, loud, age);
}
