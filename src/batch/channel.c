// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Readings of sensors (channel.h). The walk of a bias is found at any step without those before it, by the construction
// of Levy and Ciesielski: W at powers of two by one increment each, between them by halving,
//     W(2 n) = W(n) + sqrt(n) xi(2 n),     W((a + b) / 2) = (W(a) + W(b)) / 2 + sqrt(b - a) / 2 xi((a + b) / 2)
// where xi(n) is the normal number of step n. It has the variances and covariances of the sum of n steps.
#include "batch/compile.h"

#include <math.h>

enum { NOISE, WALK, KINDS }; // of normal numbers of a step

static double normal(const ff_batch_channel *c, double key, int64_t step, int kind)
{
    ff_random random = ff_random_make((uint64_t)key, c->stream);
    random.counter = 2 * (KINDS * (uint64_t)step + (uint64_t)kind); // each takes a pair of draws
    return ff_random_normal(&random);
}

/// A sum of `n` normal numbers.
static double walk_at(const ff_batch_channel *c, double key, int64_t n)
{
    int64_t from = 0, to = 1;
    double low = 0.0, high = n > 0 ? normal(c, key, 1, WALK) : 0.0;
    while (to < n) {
        from = to;
        low = high;
        to *= 2;
        high = low + sqrt((double)from) * normal(c, key, to, WALK);
    }
    while (n > 0 && n != to) {
        const int64_t middle = (from + to) / 2;
        const double between = 0.5 * (low + high) + 0.5 * sqrt((double)(to - from)) * normal(c, key, middle, WALK);
        if (n > middle)
            from = middle, low = between;
        else
            to = middle, high = between;
    }
    return high;
}

double ff_channel_read(const ff_batch_channel *c, double truth, double key, double loud, double age)
{
    const ff_signal *s = &c->signal;
    double y = truth;
    if (c->stages & FF_STAGE_OFFSET) {
        y = (1.0 + s->scale) * y + s->bias + s->bias_slope * (age * c->step);
        if (s->bias_walk > 0.0) y += s->bias_walk * sqrt(c->step) * walk_at(c, key, (int64_t)age);
    }
    if ((c->stages & FF_STAGE_NOISE) && s->noise > 0.0) y += loud * s->noise * normal(c, key, (int64_t)age, NOISE);
    return c->stages & FF_STAGE_READING ? ff_signal_round(s, y) : y;
}

bool ff_batch_add_channels(ff_batch_making *making, const ff_batch_given *given)
{
    ff_batch_model *m = &making->model;
    m->channels = FF_ARENA_NEW(&making->arena, ff_batch_channel, m->nchannel + 1);
    for (int i = 0; m->channels && i < m->nchannel; i++) {
        const ff_batch_sensed *from = &given->sensed[i];
        m->channels[i] =
            (ff_batch_channel){.name = ff_arena_strdup(&making->arena, from->name),
                               .truth = from->truth ? ff_arena_strdup(&making->arena, from->truth) : NULL,
                               .missing = from->missing ? ff_arena_strdup(&making->arena, from->missing) : NULL,
                               .signal = from->signal,
                               .stages = from->stages,
                               .stream = from->stream,
                               .key = m->key,
                               .loud = m->loud,
                               .age = m->robot + FF_ROBOT_AGE,
                               .step = m->step};
    }
    return !making->arena.failed;
}

// ------------------------------------------------------------------------------------------ their names

static const ff_batch_channel *next_there(const ff_batch_model *m, int *i)
{
    for (; m && *i < m->nchannel; (*i)++)
        if (!m->channels[*i].missing) return &m->channels[(*i)++];
    return NULL;
}

int ff_batch_channel_count(const ff_batch_model *model)
{
    int count = 0;
    for (int i = 0; next_there(model, &i);) count++;
    return count;
}

const char *ff_batch_channel_name(const ff_batch_model *model, int i)
{
    const ff_batch_channel *channel = NULL;
    for (int at = 0; i >= 0 && (channel = next_there(model, &at)) && i > 0;) i--;
    return channel ? channel->name : NULL;
}
