// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Positions of a servo drive (amplifier.h): counts of its motor, and the values of its objects.
#include "hardware/amplifier.h"

#include <footfall/math.h>

#include <math.h>

enum { POLARITY_VELOCITY = 6, POLARITY_POSITION = 7 };

double ff_amplifier_sign(const ff_ec_drive *o, int bit)
{
    return o->polarity >> bit & 1 ? -1.0 : 1.0;
}

static uint32_t turned(const ff_ec_drive *o, uint32_t count)
{
    return o->polarity >> POLARITY_POSITION & 1 ? 0U - count : count;
}

double ff_amplifier_counts(const ff_amplifier *s, const ff_ec_drive *o, int32_t position)
{
    const uint32_t count = turned(o, (uint32_t)position - (uint32_t)s->shift);
    return (int32_t)(count - (uint32_t)s->zero);
}

int32_t ff_amplifier_object(const ff_amplifier *s, const ff_ec_drive *o, double counts)
{
    const uint32_t count = (uint32_t)(int64_t)floor(counts + 0.5) + (uint32_t)s->zero;
    return (int32_t)(turned(o, count) + (uint32_t)s->shift);
}

double ff_amplifier_measured(const ff_amplifier *s, const ff_amplifier_inputs *in)
{
    return (int32_t)((uint32_t)in->count - (uint32_t)s->zero);
}

void ff_amplifier_measure(const ff_amplifier *s, ff_ec_drive *o, int32_t count, double velocity)
{
    o->position = (int32_t)(turned(o, (uint32_t)count) + (uint32_t)s->shift);
    o->velocity =
        (int32_t)ff_max(ff_min(floor(ff_amplifier_sign(o, POLARITY_VELOCITY) * velocity + 0.5), INT32_MAX), INT32_MIN);
}
