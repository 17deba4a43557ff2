// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Vertical forces of feet as means over windows of 10 ms, and how far two runs are apart in them: root mean square of
// the difference over all feet and windows, over that of the forces themselves.
#ifndef FOOTFALL_BENCH_FOOT_FORCES_H
#define FOOTFALL_BENCH_FOOT_FORCES_H

#include <math.h>

enum { MOST_WINDOWS = 400, MOST_FORCES = 32 };
static const double WINDOW = 0.01; // [s]

typedef struct foot_forces {
    double impulse[MOST_WINDOWS][MOST_FORCES]; // [N s]
    int legs, windows;
    double from, last;         // [s]
    double force[MOST_FORCES]; // at `last`  [N]
} foot_forces;

static inline foot_forces foot_forces_begin(int legs, double from, double to)
{
    return (foot_forces){.legs = legs, .windows = (int)floor((to - from) / WINDOW + 0.5), .from = from};
}

/// Forces that go from `first` to `end` along straight lines while the time goes from f->last to t. A step comes to the
/// windows it lies in, each with its own part: counted as a whole in one of them, steps of various lengths would leave
/// windows with 9.5 and 10.5 ms in them, which reads as an error of 5 %.
static inline void foot_forces_add(foot_forces *f, double t, const double *first, const double *end)
{
    const double span = t - f->last;
    for (double a = fmax(f->last, f->from), b = a; span > 0.0 && a < t; a = b) {
        const int window = (int)floor((a - f->from) / WINDOW + 1e-9);
        if (window >= f->windows) break;
        b = fmin(t, f->from + (window + 1) * WINDOW);
        if (!(b > a)) break;
        const double middle = (0.5 * (a + b) - f->last) / span;
        for (int i = 0; i < f->legs; i++) f->impulse[window][i] += (b - a) * (first[i] + middle * (end[i] - first[i]));
    }
    f->last = t;
}

/// @return how far `a` is from `b`  [%]
static inline double foot_forces_apart(const foot_forces *a, const foot_forces *b)
{
    double apart = 0.0, whole = 0.0;
    for (int w = 0; w < b->windows; w++)
        for (int i = 0; i < b->legs; i++) {
            const double d = a->impulse[w][i] - b->impulse[w][i];
            apart += d * d;
            whole += b->impulse[w][i] * b->impulse[w][i];
        }
    return 100.0 * sqrt(apart / whole);
}

#endif
