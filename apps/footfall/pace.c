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
