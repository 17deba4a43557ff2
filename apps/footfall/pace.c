// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "pace.h"

#include <math.h>

double pace_cycle(pace *p, double t, double now)
{
    if (!p->begun) p->begin = now - t;
    p->begun = true;
    const double periods = floor((now - p->begin - t) / p->period);
    if (periods >= 1.0) {
        p->late++;
        p->left_out += (int64_t)periods;
        p->begin += periods * p->period;
    }
    return p->begin + t;
}

void pace_follow(pace *p, uint64_t time)
{
    const uint64_t period = (uint64_t)floor(1e9 * p->period + 0.5); // as devices know it  [ns]
    if (period == 0 || time == p->followed) return;
    const double step = p->period / 1024.0, behind = 1e-9 * (double)(time % period) - 0.5 * p->period;
    p->followed = time;
    if (fabs(behind) > step) p->begin -= copysign(step, behind);
}

int64_t pace_cycles(double time, double period)
{
    return (int64_t)ceil(time / period - 0.5 - 1e-6);
}
