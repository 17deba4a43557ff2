// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How the life of a robot begins and what is observed of it (life.h): one source for processors and devices, whose
// results are bit-identical. Row k of a robot is x[k * stride], and its inputs and what is seen of it lie likewise.
#ifndef FOOTFALL_BATCH_LIFE_CORE_H
#define FOOTFALL_BATCH_LIFE_CORE_H

#include "batch/channel_core.h"
#include "batch/draw_core.h"
#include "batch/evaluate.h"
#include "batch/life.h"

#define KEY_STREAM 0x6b6579 // noise of a scene's sensors has nothing in common with what is drawn by the same seed

/// ff_life_next
FF_CORE void begin_next_life(const ff_batch_lives *l, const ff_batch_model *m, int robot, double *x, int stride)
{
    ff_batch_stream *s = &l->streams[robot];
    for (int k = 0; k < 2 && m->root >= 0; k++) DRAWN_ROW(x, m->robot + FF_ROBOT_START + k) = DRAWN_ROW(x, m->root + k);
    s->life++;
    if (m->nchannel == 0) return;
    ff_random random = ff_core_random(s->seed ^ KEY_STREAM, s->life);
    DRAWN_ROW(x, m->key) = (double)(ff_core_random_bits(&random) >> 11); // as many bits as a double has
}

/// ff_life_begin
FF_CORE void begin_life(const ff_batch_lives *l, const ff_batch_model *m, int robot, double *x, int stride)
{
    const ff_batch_stream *s = &l->streams[robot];
    const int kept = m->delay_row + (m->delay > 0 ? 1 : 0); // factors and delay stay, where nothing is drawn
    for (int k = 0; k < m->nrow; k++)
        if (k < m->parameter || k >= kept) DRAWN_ROW(x, k) = m->start[k];
    drawing d;
    d.model = m;
    d.table = &l->draws;
    d.bodies = l->bodies;
    d.random = ff_core_random(s->seed, s->life);
    draw_robot(&d, x, stride, l->drawn + (size_t)robot * (size_t)l->draws.count);
    begin_next_life(l, m, robot, x, stride);
}

/// Value of the i-th formula of what is observed.
FF_CORE double observe_one(const ff_batch_lives *l, const ff_batch_model *m, int i, const double *x, const double *in,
                           int stride)
{
    const double below =
        m->ground < 0 ? 0.0 : ff_core_field_height(m, m->ground, DRAWN_ROW(x, m->root), DRAWN_ROW(x, m->root + 1));
    return formula_value(l->code + l->observe[i], l->observe[i + 1] - l->observe[i], m->channels, x, in, stride, below);
}

/// Stores end, reward and age of a robot; where its life is over the next begins, with the targets of the start.
FF_CORE void begin_if_over(const ff_batch_lives *l, const ff_batch_model *m, int robot, double *x, double *in,
                           double *seen, int stride, double age)
{
    const double ended = DRAWN_ROW(x, m->robot + FF_ROBOT_END), old = DRAWN_ROW(x, m->robot + FF_ROBOT_AGE);
    double *kept = &DRAWN_ROW(seen, 2 * l->nobserve);
    DRAWN_ROW(kept, FF_SEEN_ENDED) = ended;
    DRAWN_ROW(kept, FF_SEEN_REWARD) = DRAWN_ROW(x, m->robot + FF_ROBOT_REWARD);
    DRAWN_ROW(kept, FF_SEEN_AGE) = old;
    if (ended == 0.0 && old < age) return;
    begin_life(l, m, robot, x, stride);
    for (int k = 0; k < 3 * m->nservo; k++) DRAWN_ROW(in, k) = m->start_input[k];
}

#endif
