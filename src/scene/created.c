// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run that ends with all numbers finite may still have blown up: its energy came from nowhere. The ledger shows it.
// Created energy R is among the energy turned over at least once, as motion or as heat, beside what was there or put
// in, P. So
//     residual over turnover  > 1/2      means      R > P:
// more came from the error of the integration than from everything else. That is judged as divergence where it shows in
// the state, as energy stored beyond what was put in. Energy that an explicit method makes in drives or contacts which
// chatter, and which turns to heat in the same place, leaves the motion right.
#include "scene/running.h"

#include <stdio.h>

static const double SHARE = 0.5;         // of the turnover
static const double SHOWN = 0.5;         // part of what was created that must show
static const double LIFT = 1e-3;         // less than what lifts everything by this is no blow-up  [m]
static const double LEAST_ENERGY = 1e-9; // nor is this, without gravity  [J]

static const char *advise(const ff_sim_options *o, char *text, size_t size)
{
    if (!ff_sim_options_fixed_step(o))
        snprintf(text, size, "tighten the accuracy (solver.accuracy)");
    else if (ff_method_get_traits(o->method).fixed)
        snprintf(text, size, "shorten the step of %g s, or use implicit", o->step);
    else
        snprintf(text, size, "shorten the step of %g s, or give 'accuracy' in its place", o->step);
    return text;
}

double ff_run_least_energy(const ff_run *run)
{
    const ff_model *m = run->scene->model;
    return LEAST_ENERGY + LIFT * (m->mass - m->fixed_mass) * ff_vec3_norm(m->gravity);
}

ff_status ff_run_judge_energy(const ff_run *run, ff_error *err)
{
    const ff_ledger l = ff_sim_ledger(run->sim);
    double share = 0.0;
    char advice[120];
    ff_run_metric(run, "ledger.residual.relative", &share);
    const double put_in = ff_max(l.work, 0.0) + ff_max(l.outside, 0.0) + ff_max(l.loops, 0.0);
    const double shown = l.stored.total - l.start - put_in;
    if (!(l.residual > ff_run_least_energy(run)) || !(share > SHARE) || !(shown > SHOWN * l.residual)) return FF_OK;
    return ff_error_set(
        err, FF_DIVERGED,
        "energy came from nowhere: by %.9g s the error of the integration has made %.3g J, more than all "
        "there was and was put in; %s",
        ff_sim_time(run->sim), l.residual, advise(&run->options.sim, advice, sizeof advice));
}
