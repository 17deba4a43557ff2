// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run whose numbers are all finite may still have diverged: then its ledger contains energy without a source. All
// energy that can become motion or heat is
//     available = stored at the start - lowest potential energy that was reached + put in
// A run has diverged if the integration error exceeds that and the kinetic energy once exceeded it. If the kinetic
// energy never did, the error is heat of chattering forces, mostly in explicit steps: the motion may be right, but not
// its heat, and advice.c warns. The residual alone is no criterion: that of a robot that stands for long grows without
// bound.
#include "diagnose/diagnose.h"
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>

static const double LIFT = 1e-3;         // a residual that lifts everything by less is ignored  [m]
static const double LEAST_ENERGY = 1e-9; // a smaller residual is ignored, also without gravity  [J]

static const char *advise(const ff_run *run, char *text, size_t size)
{
    const ff_sim_options *o = &run->options.sim;
    const bool rigid = ff_run_is_rigid(run); // the method implicit has no contacts without compliance
    if (!ff_sim_options_fixed_step(o))
        snprintf(text, size, "tighten the accuracy (solver.accuracy)");
    else if (ff_method_get_traits(o->method).fixed)
        snprintf(text, size, "shorten the step of %g s, or use %s", o->step, rigid ? "adaptive" : "implicit");
    else
        snprintf(text, size, "shorten the step of %g s, or give 'accuracy' in its place", o->step);
    return text;
}

/// Height by which an error may lift everything: contacts without compliance lift by the overlap they correct.  [m]
static double lift_of(const ff_run *run)
{
    double deepest = 0.0;
    if (ff_run_is_rigid(run)) ff_measures_value(run->measures, "contacts.penetration.max", &deepest);
    return deepest > LIFT ? deepest : LIFT;
}

double ff_run_least_energy(const ff_run *run)
{
    const ff_model *m = run->scene->model;
    return LEAST_ENERGY + lift_of(run) * (m->mass - m->fixed_mass) * ff_vec3_norm(m->gravity);
}

ff_status ff_run_check_energy(const ff_run *run, ff_error *err)
{
    const ff_ledger l = ff_sim_ledger(run->sim);
    double available = INFINITY, kinetic = 0.0;
    char advice[120];
    ff_measures_value(run->measures, "ledger.available", &available);
    ff_measures_value(run->measures, "ledger.kinetic.max", &kinetic);
    if (!(l.residual > ff_run_least_energy(run)) || !(ff_min(l.residual, kinetic) > available)) return FF_OK;
    return ff_error_set(
        err, FF_DIVERGED,
        "energy came from nowhere: by %.9g s the error of the integration has made %.3g J, more than all "
        "there was and was put in; %s",
        ff_sim_time(run->sim), l.residual, advise(run, advice, sizeof advice));
}
