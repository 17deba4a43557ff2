// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Entries of the energy ledger at the end of a run, and what it lacks in proportion to the energy turned over.
#include "measure/kinds.h"

#include <math.h>
#include <string.h>

// Those before AVAILABLE every run has; the others by name.
enum {
    LOST_NORMAL,
    LOST_FRICTION,
    LOST_JOINTS,
    LOST_PARTS,
    WORK,
    RESIDUAL,
    RESIDUAL_RELATIVE,
    AVAILABLE,
    KINETIC,
    METRICS
};

static const ff_metric_help help[METRICS + 1] = {
    [LOST_NORMAL] = {"ledger.lost.normal", "J", "energy lost in contacts along the normal"},
    [LOST_FRICTION] = {"ledger.lost.friction", "J", "energy lost in contacts by friction"},
    [LOST_JOINTS] = {"ledger.lost.joints", "J", "energy lost in dampers, dry friction and stops of joints"},
    [LOST_PARTS] = {"ledger.lost.parts", "J", "energy lost in springs and other parts"},
    [WORK] = {"ledger.work", "J", "work of drives and scripted forces"},
    [RESIDUAL] = {"ledger.residual", "J", "what the balance of energy lacks at the end: the error of the integration"},
    [RESIDUAL_RELATIVE] = {"ledger.residual.relative", "",
                           "the same over the energy turned over: all that was lost, put in, and the largest kinetic "
                           "energy, at least 1 nJ"},
    [AVAILABLE] = {"ledger.available", "J",
                   "energy that could become motion or heat: what was there at the start above the lowest potential "
                   "energy that was reached, and what was put in"},
    [KINETIC] = {"ledger.kinetic.max", "J", "largest kinetic energy, sampled 100 times a second"},
};

static const double LEAST = 1e-9; // rounding of a robot at rest is no residual  [J]

typedef struct ledger {
    const ff_measure_site *site;
    double kinetic; // largest  [J]
    double lowest;  // potential energy of the weight  [J]
    double put_in;  // the most that had been, since drives also return energy  [J]
} ledger;

static ff_sim_action sample(void *context, ff_sim *sim, double t)
{
    ledger *s = context;
    (void)t;
    const ff_ledger l = ff_sim_ledger(sim);
    s->kinetic = ff_max(s->kinetic, l.stored.kinetic);
    s->lowest = ff_min(s->lowest, l.stored.potential);
    s->put_in = ff_max(s->put_in, ff_max(l.work, 0.0) + ff_max(l.outside, 0.0) + ff_max(l.loops, 0.0));
    return FF_SIM_GO;
}

static ff_status begin(const ff_measure_site *site, void **context, ff_error *err)
{
    ledger *s = *context = FF_ARENA_NEW(site->arena, ledger, 1);
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    s->site = site;
    s->lowest = INFINITY;
    return ff_measure_sampled(site, "measure ledger", s, sample, err);
}

static void end(void *context)
{
    const ledger *s = context;
    sample(context, s->site->sim, ff_sim_time(s->site->sim));
}

static void names(const ff_measure_site *site, ff_measure_names *out)
{
    (void)site;
    for (int i = 0; i < AVAILABLE; i++) ff_measure_add_name(out, "%s", help[i].name);
}

static void offers(const ff_measure_site *site, ff_measure_names *out)
{
    (void)site;
    for (int i = AVAILABLE; i < METRICS; i++) ff_measure_add_name(out, "%s", help[i].name);
}

static bool knows(const ff_measure_site *site, const char *name)
{
    (void)site;
    return strcmp(name, help[AVAILABLE].name) == 0 || strcmp(name, help[KINETIC].name) == 0;
}

static bool value(const void *context, const char *name, double *out)
{
    const ledger *s = context;
    if (!knows(s->site, name)) return false;
    *out = s->kinetic;
    if (strcmp(name, help[KINETIC].name) == 0) return true;
    const ff_ledger l = ff_sim_ledger(s->site->sim);
    // other stored energy is zero or more: at the lowest place all of it may have been turned over
    *out = l.start - s->lowest + s->put_in;
    return true;
}

static void list(const void *context, double *values)
{
    const ledger *s = context;
    const ff_ledger l = ff_sim_ledger(s->site->sim);
    // A wrong entry may be negative: it must not hide the residual.
    const double turned = ff_max(l.lost_normal, 0.0) + ff_max(l.lost_friction, 0.0) + ff_max(l.lost_joints, 0.0) +
                          ff_max(l.lost_parts, 0.0) + fabs(l.work) + s->kinetic;
    values[LOST_NORMAL] = l.lost_normal;
    values[LOST_FRICTION] = l.lost_friction;
    values[LOST_JOINTS] = l.lost_joints;
    values[LOST_PARTS] = l.lost_parts;
    values[WORK] = l.work;
    values[RESIDUAL] = l.residual;
    values[RESIDUAL_RELATIVE] = fabs(l.residual) / ff_max(turned, LEAST);
}

const ff_measure_kind ff_measure_ledger = {.name = "ledger",
                                           .help = help,
                                           .names = names,
                                           .offers = offers,
                                           .knows = knows,
                                           .begin = begin,
                                           .end = end,
                                           .list = list,
                                           .value = value};
