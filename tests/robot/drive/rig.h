// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A test rig for one drive: a load of one degree of freedom, classic Runge-Kutta with a fixed step, loops sampled at
// whole numbers of steps. It knows nothing of the simulation room, so that what it measures is the drive alone.
#ifndef FOOTFALL_TESTS_DRIVE_RIG_H
#define FOOTFALL_TESTS_DRIVE_RIG_H

#include "check.h"
#include "drive/interface.h"

#include <footfall/drive.h>

enum { RIG_STATES = 13 };

typedef struct rig {
    ff_drive d;
    ff_drive_memory m;
    double x[RIG_STATES]; // q, v, z, then energy from the supply, energy lost, that in copper
    double step;
    double inertia;                                                    // of the load; 0: it is held
    double (*load)(const struct rig *r, double t, double q, double v); // force on it besides the drive; may be NULL
    void (*watch)(struct rig *r, double t);                            // after each step; may be NULL
    double value[4];                                                   // for load and watch
    long long n;
    double impact_loss;
} rig;

static inline double rig_time(const rig *r)
{
    return (double)r->n * r->step;
}

static inline void rig_start(rig *r, double q, double v)
{
    ff_error err = {0};
    r->d.path.njoint = 1;
    r->d.path.qadr[0] = r->d.path.vadr[0] = 0;
    if (ff_drive_finish(&r->d, 0.0, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    memset(r->x, 0, sizeof r->x);
    r->x[0] = q;
    r->x[1] = v;
    r->n = 0;
    r->impact_loss = 0.0;
    ff_drive_start(&r->d, &r->m, &r->x[0], &r->x[1], r->x + 2);
}

/// Starts at rest in 0 with a command of force, or of position.
static inline void rig_start_force(rig *r, double force)
{
    rig_start(r, 0.0, 0.0);
    ff_drive_command(&r->d, &r->m, 0.0, 0.0, force);
}

static inline void rig_start_position(rig *r, double position)
{
    rig_start(r, 0.0, 0.0);
    ff_drive_command(&r->d, &r->m, position, 0.0, 0.0);
}

static inline ff_drive_flow rig_flow(const rig *r)
{
    ff_drive_flow flow;
    ff_drive_evaluate(&r->d, &r->m, &r->x[0], &r->x[1], r->x + 2, NULL, &flow);
    return flow;
}

static inline void rig_rates(const rig *r, double t, const double *x, double *dx)
{
    ff_drive_flow flow;
    ff_drive_evaluate(&r->d, &r->m, &x[0], &x[1], x + 2, dx + 2, &flow);
    dx[0] = r->inertia > 0.0 ? x[1] : 0.0;
    dx[1] = r->inertia > 0.0
                ? (flow.at.lever[0] * flow.force + (r->load ? r->load(r, t, x[0], x[1]) : 0.0)) / r->inertia
                : 0.0;
    dx[RIG_STATES - 3] = flow.electrical;
    dx[RIG_STATES - 2] = flow.loss;
    dx[RIG_STATES - 1] = flow.copper;
}

static inline void rig_sample(rig *r)
{
    for (int level = 0; level < FF_LEVEL_COUNT; level++) {
        const double rate = ff_drive_rate(&r->d, (ff_drive_level)level);
        if (!(rate > 0.0)) continue;
        const long long every = llround(1.0 / (rate * r->step));
        if (r->n % every == 0) ff_drive_sample(&r->d, &r->m, (ff_drive_level)level, &r->x[0], &r->x[1], r->x + 2);
    }
}

static inline void rig_run(rig *r, double until)
{
    while (rig_time(r) < until - 0.5 * r->step) {
        double k[4][RIG_STATES] = {{0}}, y[RIG_STATES];
        const double t = rig_time(r), h = r->step;
        rig_sample(r);
        rig_rates(r, t, r->x, k[0]);
        for (int i = 0; i < RIG_STATES; i++) y[i] = r->x[i] + 0.5 * h * k[0][i];
        rig_rates(r, t + 0.5 * h, y, k[1]);
        for (int i = 0; i < RIG_STATES; i++) y[i] = r->x[i] + 0.5 * h * k[1][i];
        rig_rates(r, t + 0.5 * h, y, k[2]);
        for (int i = 0; i < RIG_STATES; i++) y[i] = r->x[i] + h * k[2][i];
        rig_rates(r, t + h, y, k[3]);
        for (int i = 0; i < RIG_STATES; i++) r->x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        r->n++;
        ff_drive_update_backlash(&r->d, &r->m, &r->x[0], &r->x[1], r->x + 2, h, 0.0, &r->impact_loss);
        r->m.electrical = r->x[RIG_STATES - 3];
        r->m.copper = r->x[RIG_STATES - 1];
        ff_drive_update_temperature(&r->d, &r->m, h);
        if (r->watch) r->watch(r, rig_time(r));
    }
}

/// Energy of drive and load, less what came in, plus what was lost: constant where no other force works on the load.
static inline double rig_balance(const rig *r)
{
    const double load = 0.5 * r->inertia * r->x[1] * r->x[1];
    return rig_flow(r).stored + load - r->x[RIG_STATES - 3] + r->x[RIG_STATES - 2] + r->impact_loss;
}

#endif
