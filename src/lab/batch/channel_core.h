// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Readings of sensors (channel.h). The walk of a bias is found at any step without those before it, by the construction
// of Levy and Ciesielski: W at powers of two by one increment each, between them by halving,
//     W(2 n) = W(n) + sqrt(n) xi(2 n),     W((a + b) / 2) = (W(a) + W(b)) / 2 + sqrt(b - a) / 2 xi((a + b) / 2)
// where xi(n) is the normal number of step n. It has the variances and covariances of the sum of n steps.
// One source for processors and devices.
#ifndef FOOTFALL_BATCH_CHANNEL_CORE_H
#define FOOTFALL_BATCH_CHANNEL_CORE_H

#include "batch/lanes.h" // first: it defines FF_CORE

#include "base/random_core.h"
#include "batch/channel.h"
#include "sense/round_core.h"

enum { CHANNEL_NOISE, CHANNEL_WALK, CHANNEL_KINDS }; // of normal numbers of a step

FF_CORE double channel_normal(const ff_batch_channel *c, double key, int64_t step, int kind)
{
    ff_random random = ff_core_random((uint64_t)key, c->stream);
    random.counter = 2 * (CHANNEL_KINDS * (uint64_t)step + (uint64_t)kind); // each takes a pair of draws
    return ff_core_random_normal(&random);
}

/// A sum of `n` normal numbers.
APART double walk_at(const ff_batch_channel *c, double key, int64_t n)
{
    int64_t from = 0, to = 1;
    double low = 0.0, high = n > 0 ? channel_normal(c, key, 1, CHANNEL_WALK) : 0.0;
    while (to < n) {
        from = to;
        low = high;
        to *= 2;
        high = low + sqrt((double)from) * channel_normal(c, key, to, CHANNEL_WALK);
    }
    while (n > 0 && n != to) {
        const int64_t middle = (from + to) / 2;
        const double between =
            0.5 * (low + high) + 0.5 * sqrt((double)(to - from)) * channel_normal(c, key, middle, CHANNEL_WALK);
        if (n > middle)
            from = middle, low = between;
        else
            to = middle, high = between;
    }
    return high;
}

FF_CORE double ff_core_channel_read(const ff_batch_channel *c, double truth, double key, double loud, double age)
{
    const ff_signal *s = &c->signal;
    double y = truth;
    if (c->stages & FF_STAGE_OFFSET) {
        y = (1.0 + s->scale) * y + s->bias + s->bias_slope * (age * c->step);
        if (s->bias_walk > 0.0) y += s->bias_walk * sqrt(c->step) * walk_at(c, key, (int64_t)age);
    }
    if ((c->stages & FF_STAGE_NOISE) && s->noise > 0.0)
        y += loud * s->noise * channel_normal(c, key, (int64_t)age, CHANNEL_NOISE);
    return c->stages & FF_STAGE_READING ? ff_core_signal_round(s, y) : y;
}

#endif
