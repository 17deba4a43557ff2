// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A repeated run: by its own method with a tighter accuracy, by a method of another family, or from a start that
// differs in the last digits.
#include "certify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A quarter of the step shows first order by a factor of 4; a tenth of an accuracy shows second order with error
// control, whose error goes with its 2/3 power, by a factor of 4.6, at 2.2 times the work.
static const double STEP_PART = 0.25, ACCURACY_PART = 0.1;
static const double PERTURBATION = 1e-9; // of each speed at the start  [m/s, rad/s]

ff_sim_options ff_again_tighter(const ff_sim_options *options)
{
    ff_sim_options o = *options;
    if (ff_sim_options_fixed_step(options)) {
        o.step *= STEP_PART;
        return o;
    }
    o.accuracy *= ACCURACY_PART;
    o.relative *= ACCURACY_PART;
    o.absolute *= ACCURACY_PART;
    return o;
}

/// How close the independent method is kept, such that its own error is small beside that of the run: explicit steps
/// with error control cost little more at 1e-6 than at 1e-3, and errors of cvode are some 30 times its tolerance.
static double tolerance_of(const ff_sim_options *options, ff_method method)
{
    const ff_method_traits traits = ff_method_get_traits(options->method);
    if (ff_sim_options_fixed_step(options)) return 1e-8; // nobody has asked for anything: rk4 may be as good as this
    const double asked = traits.accuracy ? 1e-2 * options->accuracy : options->relative;
    return ff_max(1e-12, ff_min(1e-6, (method == FF_METHOD_ADAPTIVE ? 1e-1 : 1e-3) * asked));
}

static ff_sim_options by_tolerance(const ff_sim_options *options, ff_method method)
{
    ff_sim_options o = *options;
    o.method = method;
    o.relative = tolerance_of(options, method);
    o.absolute = 1e-3 * o.relative;
    o.accuracy = 0.0; // of implicit alone
    o.max_step = 0.0;
    return o;
}

static ff_sim_options by_accuracy(const ff_sim_options *options)
{
    ff_sim_options o = *options;
    o.method = FF_METHOD_IMPLICIT;
    o.accuracy = 1e-4;
    o.max_step = 0.0;
    return o;
}

static ff_sim_options by_step(const ff_sim_options *options)
{
    ff_sim_options o = ff_again_tighter(options);
    o.method = FF_METHOD_IMPLICIT;
    o.accuracy = 0.0;
    return o;
}

/// Families: explicit with error control and located events; implicit of low order; implicit with many steps (BDF).
/// The first that is possible and succeeds is taken. Error control comes first, but where many light bodies rattle
/// its steps are so short that only fixed ones succeed. cvode comes last but for a run that is explicit with error
/// control itself: with contacts it is by far the slowest.
bool ff_again_independent(const ff_sim_options *options, int choice, ff_sim_options *out)
{
    const ff_method_traits traits = ff_method_get_traits(options->method);
    const bool is_adaptive = options->method == FF_METHOD_ADAPTIVE;
    const bool is_cvode = options->method == FF_METHOD_CVODE || options->method == FF_METHOD_CVODE_ADAMS;
    ff_sim_options list[4];
    int count = 0;
    if (!is_adaptive) list[count++] = by_tolerance(options, FF_METHOD_ADAPTIVE);
    if (is_adaptive && ff_method_built(FF_METHOD_CVODE)) list[count++] = by_tolerance(options, FF_METHOD_CVODE);
    if (!traits.implicit) list[count++] = by_accuracy(options);
    if (traits.fixed) list[count++] = by_step(options);
    if (!is_adaptive && !is_cvode && ff_method_built(FF_METHOD_CVODE))
        list[count++] = by_tolerance(options, FF_METHOD_CVODE);
    if (choice >= count) return false;
    *out = list[choice];
    return true;
}

/// Speeds at the start, changed in their last digits, as the perturbation has it.
static void perturb(ff_run *run, int perturbation)
{
    ff_sim *sim = ff_run_sim(run);
    ff_random random = ff_random_make((uint64_t)perturbation, 0);
    const double *v = ff_sim_v(sim);
    for (int i = 0; i < ff_sim_model(sim)->nv; i++)
        ff_sim_set_v(sim, i, v[i] + PERTURBATION * ff_random_range(&random, -1.0, 1.0));
}

static ff_run *create(ff_again *again, const ff_run *original, int perturbation)
{
    ff_run_options o = *ff_run_get_options(original);
    ff_report report = {0};
    o.sim = again->sim;
    o.touchable = false;
    o.record.most_bytes = 0;
    o.sim.seed += again->role == FF_ROLE_PERTURBED && perturbation > 1 ? (uint64_t)perturbation - 1 : 0;
    ff_run *run = ff_run_create(ff_run_scene(original), &o, &report);
    if (!run) again->status = ff_report_to_error(&report, FF_BAD_ARGUMENT, &again->err);
    ff_report_clear(&report);
    return run;
}

void ff_again_go(ff_again *again, const ff_run *original, int stride, const ff_certify_options *options,
                 const ff_trace *measure, int perturbation)
{
    again->possible = true;
    again->trace.options = options;
    again->trace.measure = measure;
    again->run = create(again, original, perturbation);
    if (!again->run) return;
    if (perturbation > 0) perturb(again->run, perturbation);
    again->status = ff_trace_begin(&again->trace, again->run, stride, &again->err);
    if (again->status != FF_OK) return;
    again->status = ff_run_go(again->run, &again->err);
    ff_trace_end(&again->trace);
}

bool ff_again_ended(const ff_again *again)
{
    return again->run &&
           (again->status == FF_OK || (again->status == FF_STOPPED && !again->trace.gave_up && !again->trace.stopped));
}

void ff_again_clear(ff_again *again)
{
    ff_run_destroy(again->run); // whose listeners know the trace
    ff_trace_clear(&again->trace);
    *again = (ff_again){0};
}
