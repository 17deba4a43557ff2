// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Entries of the energy ledger at the end of a run, and its residual in proportion to the energy turned over.
#include "measure/measure.h"

#include <math.h>
#include <string.h>

/// Name, unit and meaning of each metric. Every run has those before AVAILABLE, the others are computed on request.
#define METRIC_LIST(X)                                                                                                 \
    X(LOST_NORMAL, "ledger.lost.normal", "J", "energy lost in contacts along the normal")                              \
    X(LOST_FRICTION, "ledger.lost.friction", "J", "energy lost in contacts by friction")                               \
    X(LOST_JOINTS, "ledger.lost.joints", "J", "energy lost in dampers, dry friction and stops of joints")              \
    X(LOST_PARTS, "ledger.lost.parts", "J", "energy lost in springs and other parts")                                  \
    X(WORK, "ledger.work", "J", "work of drives and scripted forces")                                                  \
    X(RESIDUAL, "ledger.residual", "J", "what the method itself made (above zero) or took: the imbalance of energy")   \
    X(RESIDUAL_RELATIVE, "ledger.residual.relative", "",                                                               \
      "the same over the energy turned over: all that was lost, put in, and the largest kinetic energy, at least 1 "   \
      "nJ")                                                                                                            \
    X(AVAILABLE, "ledger.available", "J",                                                                              \
      "energy that could become motion or heat: what was there at the start above the lowest potential energy that "   \
      "was reached, and what was put in")                                                                              \
    X(KINETIC, "ledger.kinetic.max", "J", "largest kinetic energy, sampled 100 times a second")

enum { METRIC_LIST(FF_METRIC_NUMBER) METRICS };
static const ff_metric_help help[] = {METRIC_LIST(FF_METRIC_ROW){0}};

static const double LEAST = 1e-9; // least energy turned over, so that rounding at rest is no large residual  [J]

typedef struct ledger {
    const ff_measure_site *site;
    double kinetic; // largest kinetic energy  [J]
    double lowest;  // least potential energy of the weight  [J]
    double put_in;  // largest sum of energies put in, since drives also return energy  [J]
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
    // Other stored energies are not negative, so all of them may have become motion at the lowest position.
    *out = l.start - s->lowest + s->put_in;
    return true;
}

static void list(const void *context, double *values)
{
    const ledger *s = context;
    const ff_ledger l = ff_sim_ledger(s->site->sim);
    // A faulty entry may be negative; it must not hide the residual.
    const double turned_over = ff_max(l.lost_normal, 0.0) + ff_max(l.lost_friction, 0.0) + ff_max(l.lost_joints, 0.0) +
                               ff_max(l.lost_parts, 0.0) + fabs(l.work) + s->kinetic;
    values[LOST_NORMAL] = l.lost_normal;
    values[LOST_FRICTION] = l.lost_friction;
    values[LOST_JOINTS] = l.lost_joints;
    values[LOST_PARTS] = l.lost_parts;
    values[WORK] = l.work;
    values[RESIDUAL] = l.residual;
    values[RESIDUAL_RELATIVE] = fabs(l.residual) / ff_max(turned_over, LEAST);
}

const ff_measure_kind ff_measure_ledger = {.name = "ledger",
                                           .help = help,
                                           .listed = AVAILABLE,
                                           .knows = knows,
                                           .begin = begin,
                                           .end = sample,
                                           .list = list,
                                           .value = value};
