// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Windows of time.
#ifndef FOOTFALL_MEASURE_WINDOW_H
#define FOOTFALL_MEASURE_WINDOW_H

#include "measure/measure.h"

/// Part of the time from `t - span` to `t` that lies in the window.
static inline double ff_window_overlap(const ff_measure_window *w, double t, double span)
{
    const double from = t - span > w->from ? t - span : w->from, to = t < w->to ? t : w->to;
    return to > from ? to - from : 0.0;
}

static inline bool ff_window_holds(const ff_measure_window *w, double t)
{
    return t >= w->from && t <= w->to;
}

#endif
