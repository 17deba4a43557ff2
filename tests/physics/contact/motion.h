// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A small integrator of the tests' own, so that the contact room is tested without the simulation: Dormand and Prince
// 5(4) with step control and events located by bisection.
#ifndef FOOTFALL_TESTS_MOTION_H
#define FOOTFALL_TESTS_MOTION_H

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOTION_MAX = 24, MOTION_EVENTS = 4 };

typedef struct motion {
    int n;      // states
    int events; // event functions, at most MOTION_EVENTS
    double t, x[MOTION_MAX];
    double tolerance;     // relative and absolute, of each step
    double step, longest; // next step to try, longest allowed
    void *context;
    void (*rate)(void *context, double t, const double *x, double *dx);
    void (*event)(void *context, double t, const double *x, double *values);
    long accepted;
} motion;

static inline double motion_try(const motion *m, double h, double *next)
{
    static const double a[7][6] = {
        {0},
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
    };
    static const double c[7] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    static const double e[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    double k[7][MOTION_MAX];
    for (int s = 0; s < 7; s++) {
        for (int i = 0; i < m->n; i++) {
            next[i] = m->x[i];
            for (int j = 0; j < s; j++) next[i] += h * a[s][j] * k[j][i];
        }
        m->rate(m->context, m->t + c[s] * h, next, k[s]);
    }
    double worst = 0.0;
    for (int i = 0; i < m->n; i++) {
        double error = 0.0;
        for (int s = 0; s < 7; s++) error += h * e[s] * k[s][i];
        double size = fabs(error) / (m->tolerance * (1.0 + fmax(fabs(m->x[i]), fabs(next[i]))));
        if (!(size <= worst)) worst = size;
    }
    return worst;
}

static inline int motion_crossed(const motion *m, const double *before, const double *after)
{
    for (int i = 0; i < m->events; i++)
        if ((before[i] > 0.0) != (after[i] > 0.0)) return i;
    return -1;
}

/// One accepted step, or less when an event function changes sign: then up to just behind that sign change.
/// @return which event, or -1
static inline int motion_step(motion *m, double t_end)
{
    double next[MOTION_MAX], before[MOTION_EVENTS] = {0}, after[MOTION_EVENTS] = {0}, h, error;
    if (!(m->step > 0.0)) m->step = 1e-4;
    for (;;) {
        h = fmin(fmin(m->step, m->longest > 0.0 ? m->longest : DBL_MAX), t_end - m->t);
        error = motion_try(m, h, next);
        if (error <= 1.0 || h < 1e-13) break;
        m->step = h * fmax(0.2, 0.9 * pow(error, -0.2));
    }
    int which = -1;
    if (m->events) {
        m->event(m->context, m->t, m->x, before);
        m->event(m->context, m->t + h, next, after);
        which = motion_crossed(m, before, after);
    }
    if (which >= 0) {
        double low = 0.0, high = h;
        while (high - low > 1e-16 * (1.0 + m->t)) {
            double middle = 0.5 * (low + high);
            if (middle <= low || middle >= high) break;
            motion_try(m, middle, next);
            m->event(m->context, m->t + middle, next, after);
            int crossed = motion_crossed(m, before, after);
            if (crossed >= 0) {
                high = middle;
                which = crossed;
            } else {
                low = middle;
            }
        }
        h = high;
        motion_try(m, h, next);
    } else {
        m->step = h * fmin(5.0, 0.9 * pow(fmax(error, 1e-4), -0.2));
    }
    memcpy(m->x, next, sizeof(double) * (size_t)m->n);
    m->t += h;
    m->accepted++;
    return which;
}

#endif
