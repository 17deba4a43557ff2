// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Energy, momentum and centre of mass of a run. The height of the centre of mass is sampled after every step; energy
// and momentum 100 times a second, since the kinetic energy alone would cost 3 % of a step of a robot with 24 joints.
// Its maximum is therefore computed only on request, and then over all steps. Drifts are measured from the end of the
// last scripted force, since forces change energy and momentum.
#include "measure/measure.h"

#include <math.h>
#include <string.h>

/// Name, unit and meaning of each metric. Every run has all but the last, which is computed on request.
#define METRIC_LIST(X)                                                                                                 \
    X(TIME, "time", "s", "time reached")                                                                               \
    X(ENERGY_START, "energy.start", "J", "total energy at the start, or when the last scripted force ends")            \
    X(ENERGY_FINAL, "energy.final", "J", "total energy at the end")                                                    \
    X(ENERGY_DRIFT, "energy.drift", "J", "largest |E - energy.start| since then, 100 times a second")                  \
    X(ENERGY_RELATIVE, "energy.drift.relative", "",                                                                    \
      "energy.drift over the largest kinetic energy since then, 100 times a second")                                   \
    X(ENERGY_MSE, "energy.mse", "J^2", "mean of (E - energy.start)^2 since then, 100 times a second")                  \
    X(KINETIC_FINAL, "energy.kinetic.final", "J", "kinetic energy at the end")                                         \
    X(LINEAR_DRIFT, "momentum.linear.drift", "N s",                                                                    \
      "largest change of linear momentum beyond that of gravity, 100 times a second")                                  \
    X(ANGULAR_DRIFT, "momentum.angular.drift", "N m s",                                                                \
      "largest change of angular momentum about the centre of mass, 100 times a second")                               \
    X(COM_X, "com.x", "m", "centre of mass at the end")                                                                \
    X(COM_Y, "com.y", "m", "centre of mass at the end")                                                                \
    X(COM_Z, "com.z", "m", "centre of mass at the end")                                                                \
    X(COM_LOWEST, "com.lowest", "m", "least height of the centre of mass, of all steps")                               \
    X(COM_HIGHEST, "com.highest", "m", "greatest height of the centre of mass, of all steps")                          \
    X(KINETIC_MAX, "energy.kinetic.max", "J", "largest kinetic energy since energy.start, of all steps")

enum { METRIC_LIST(FF_METRIC_NUMBER) METRICS, LISTED = KINETIC_MAX };
static const ff_metric_help help[] = {METRIC_LIST(FF_METRIC_ROW){0}};

typedef struct run {
    const ff_measure_site *site;
    double begin; // time from which drifts are measured  [s]
    bool begun;
    long long samples; // number of samples since then
    double energy0, momentum0[6];
    double drift, squares, kinetic_sampled, linear_drift, angular_drift;
    double lowest, highest;
    bool requested;     // the scene requests `kinetic_max`
    double kinetic_max; // largest kinetic energy of all steps  [J]
} run;

static void sample_drifts(run *s, const ff_data *d, double t)
{
    const ff_model *m = s->site->model;
    const ff_energy energy = ff_sim_energy(s->site->sim);
    double h[6], change[3], turn[3], gravity[3];
    ff_dyn_momentum(m, d, h);
    if (!s->begun) {
        s->begun = true;
        s->begin = t;
        s->energy0 = energy.total;
        memcpy(s->momentum0, h, sizeof h);
    }
    double error = energy.total - s->energy0;
    s->samples++;
    s->drift = ff_max(s->drift, fabs(error));
    s->squares += error * error;
    s->kinetic_sampled = ff_max(s->kinetic_sampled, energy.kinetic);
    ff_vec3_sub(turn, h, s->momentum0);
    ff_vec3_sub(change, h + 3, s->momentum0 + 3);
    ff_vec3_scale(gravity, m->gravity, (m->mass - m->fixed_mass) * (t - s->begin));
    ff_vec3_sub(change, change, gravity);
    s->linear_drift = ff_max(s->linear_drift, ff_vec3_norm(change));
    s->angular_drift = ff_max(s->angular_drift, ff_vec3_norm(turn));
}

/// Has the last scripted force ended?
static bool is_calm(const run *s, double t)
{
    return s->begun || ff_ticks_from_seconds(t) >= ff_ticks_from_seconds(s->begin);
}

static ff_sim_action sample(void *context, ff_sim *sim, double t)
{
    run *s = context;
    if (is_calm(s, t)) sample_drifts(s, ff_sim_data(sim), t);
    return FF_SIM_GO;
}

/// Height of the centre of mass, in a quarter of the time of ff_dyn_com.  [m]
static double height(const ff_model *m, const ff_data *d)
{
    double sum = m->fixed_moment[2];
    for (int k = 0; k < m->nlump; k++) { // other nodes have no mass
        const ff_node *node = &m->nodes[m->lump_node[k]];
        const ff_pose *pose = &d->pose[m->lump_node[k]];
        const double *h = node->inertia.h, *up = pose->R + 6;
        sum += up[0] * h[0] + up[1] * h[1] + up[2] * h[2] +
               node->inertia.mass * (pose->p[2] + d->tree_origin[3 * node->tree + 2]);
    }
    return m->mass > 0.0 ? sum / m->mass : sum;
}

static ff_sim_action after_step(void *context, ff_sim *sim, double t)
{
    run *s = context;
    (void)t;
    if (ff_sim_evaluate(sim, FF_SIM_POSITION, NULL) != FF_OK) return FF_SIM_GO; // the step reports it
    const double z = height(s->site->model, ff_sim_data(sim));
    s->lowest = ff_min(s->lowest, z);
    s->highest = ff_max(s->highest, z);
    return FF_SIM_GO;
}

static ff_sim_action watch_kinetic(void *context, ff_sim *sim, double t)
{
    run *s = context;
    if (!is_calm(s, t) || ff_sim_evaluate(sim, FF_SIM_VELOCITY, NULL) != FF_OK) return FF_SIM_GO;
    s->kinetic_max = ff_max(s->kinetic_max, ff_dyn_kinetic_energy(s->site->model, ff_sim_data(sim)));
    return FF_SIM_GO;
}

static bool knows(const ff_measure_site *site, const char *name)
{
    (void)site;
    return strcmp(name, help[KINETIC_MAX].name) == 0;
}

// ------------------------------------------------------------------------------------------ a run

static ff_status begin(const ff_measure_site *site, void **context, ff_error *err)
{
    run *s = *context = FF_ARENA_NEW(site->arena, run, 1);
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    *s = (run){.site = site, .begin = site->calm, .lowest = INFINITY, .highest = -INFINITY};
    ff_status status = ff_measure_sampled(site, "measure run", s, sample, err);
    if (status == FF_OK) status = ff_measure_every_step(site, s, after_step, err);
    s->requested = ff_measure_is_requested(site, knows);
    if (status == FF_OK && s->requested) status = ff_measure_every_step(site, s, watch_kinetic, err);
    return status;
}

static void list(const void *context, double *values)
{
    const run *s = context;
    const ff_energy energy = ff_sim_energy(s->site->sim);
    double com[3];
    ff_dyn_com(s->site->model, ff_sim_data(s->site->sim), com);
    values[TIME] = ff_sim_time(s->site->sim);
    values[ENERGY_START] = s->energy0;
    values[ENERGY_FINAL] = energy.total;
    values[ENERGY_DRIFT] = s->drift;
    values[ENERGY_RELATIVE] = s->kinetic_sampled > 0.0 ? s->drift / s->kinetic_sampled : 0.0;
    values[ENERGY_MSE] = s->samples > 0 ? s->squares / (double)s->samples : 0.0;
    values[KINETIC_FINAL] = energy.kinetic;
    values[LINEAR_DRIFT] = s->linear_drift;
    values[ANGULAR_DRIFT] = s->angular_drift;
    values[COM_X] = com[0];
    values[COM_Y] = com[1];
    values[COM_Z] = com[2];
    values[COM_LOWEST] = s->lowest;
    values[COM_HIGHEST] = s->highest;
}

static bool value(const void *context, const char *name, double *out)
{
    const run *s = context;
    if (!s->requested || !knows(s->site, name)) return false;
    *out = s->kinetic_max;
    return true;
}

static size_t save(const void *context, void *block)
{
    if (block) memcpy(block, context, sizeof(run));
    return sizeof(run);
}

/// Removes the last sample, so that a run that continues counts it only once.
static void restore(void *context, const void *block)
{
    memcpy(context, block, sizeof(run));
}

const ff_measure_kind ff_measure_run = {.name = "run",
                                        .help = help,
                                        .listed = LISTED,
                                        .knows = knows,
                                        .begin = begin,
                                        .end = sample,
                                        .list = list,
                                        .value = value,
                                        .save = save,
                                        .restore = restore};
