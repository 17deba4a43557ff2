// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Positions of hinges and slides: at the end, and their extremes.
#include "measure/measure.h"

#include <math.h>

static const ff_metric_help help[] = {
    {"joints.NAME.final", "rad, m", "position of a hinge or slide at the end"},
    {"joints.NAME.min", "rad, m", "its least value, of all steps"},
    {"joints.NAME.max", "rad, m", "its greatest value, of all steps"},
    {0},
};

typedef struct joints {
    const ff_sim *sim;
    int *qadr, n;       // hinges and slides
    double *low, *high; // (n)
} joints;

static void names(const ff_measure_site *site, ff_measure_names *out)
{
    const ff_model *m = site->model;
    for (int i = 0; i < m->njoint; i++) {
        if (!ff_joint_is_scalar(m->joints[i].type)) continue;
        ff_measure_add_name(out, "joints.%s.final", m->joints[i].name);
        ff_measure_add_name(out, "joints.%s.min", m->joints[i].name);
        ff_measure_add_name(out, "joints.%s.max", m->joints[i].name);
    }
}

static ff_sim_action after_step(void *context, ff_sim *sim, double t)
{
    const joints *s = context;
    const double *position = ff_sim_q(sim);
    (void)t;
    for (int i = 0; i < s->n; i++) {
        const double q = position[s->qadr[i]];
        s->low[i] = ff_min(s->low[i], q);
        s->high[i] = ff_max(s->high[i], q);
    }
    return FF_SIM_GO;
}

static ff_status begin(const ff_measure_site *site, void **context, ff_error *err)
{
    const ff_model *m = site->model;
    joints *s = *context = FF_ARENA_NEW(site->arena, joints, 1);
    if (s) s->qadr = FF_ARENA_NEW(site->arena, int, m->njoint + 1);
    if (s) s->low = FF_ARENA_NEW(site->arena, double, m->njoint + 1);
    if (s) s->high = FF_ARENA_NEW(site->arena, double, m->njoint + 1);
    if (!s || !s->qadr || !s->low || !s->high) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    s->sim = site->sim;
    for (int i = 0; i < m->njoint; i++) {
        if (!ff_joint_is_scalar(m->joints[i].type)) continue;
        s->low[s->n] = INFINITY;
        s->high[s->n] = -INFINITY;
        s->qadr[s->n++] = m->joints[i].qadr;
    }
    return ff_measure_every_step(site, s, after_step, err);
}

static void list(const void *context, double *values)
{
    const joints *s = context;
    const double *q = ff_sim_q(s->sim);
    for (int i = 0; i < s->n; i++) {
        *values++ = q[s->qadr[i]];
        *values++ = s->low[i];
        *values++ = s->high[i];
    }
}

const ff_measure_kind ff_measure_joints = {
    .name = "joints", .help = help, .names = names, .begin = begin, .list = list};
