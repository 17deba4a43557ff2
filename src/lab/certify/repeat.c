// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A repeated run: by its own method with a tighter accuracy, by a method of another family, or from a start that
// differs in the last digits.
#include "certify.h"
#include "engine/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A quarter of the step reduces an error of first order by a factor of 4. A tenth of the accuracy reduces that of the
// method implicit, which is proportional to the accuracy in smooth motion, by a factor of 10, at 3.2 times the steps.
static const double STEP_PART = 0.25, ACCURACY_PART = 0.1;
static const double PERTURBATION = 1e-9; // largest change of each speed at the start  [m/s, rad/s]

ff_sim_options ff_repeat_tighter(const ff_sim_options *options)
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

/// Relative tolerance of the independent method, such that its own error is small compared with that of the run.
/// Explicit steps with error control cost little more at 1e-6 than at 1e-3; errors of cvode are some 30 times its
/// tolerance.
static double tolerance_of(const ff_sim_options *options, ff_method method)
{
    const ff_method_traits traits = ff_method_get_traits(options->method);
    if (ff_sim_options_fixed_step(options)) return 1e-8; // a run by rk4 with a fixed step may be as accurate as this
    const double requested = traits.accuracy ? 1e-2 * options->accuracy : options->relative;
    return ff_max(1e-12, ff_min(1e-6, (method == FF_METHOD_ADAPTIVE ? 1e-1 : 1e-3) * requested));
}

static ff_sim_options by_tolerance(const ff_sim_options *options, ff_method method)
{
    ff_sim_options o = *options;
    o.method = method;
    o.relative = tolerance_of(options, method);
    o.absolute = 1e-3 * o.relative;
    o.accuracy = 0.0; // only the method implicit has it
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
    ff_sim_options o = ff_repeat_tighter(options);
    o.method = FF_METHOD_IMPLICIT;
    o.accuracy = 0.0;
    return o;
}

/// Families of methods: explicit with error control and located events; implicit of low order; linear multistep (BDF).
/// The caller uses the first that exists and finishes. Error control comes first, but where many light bodies rattle
/// its steps become so short that only a fixed step finishes. cvode is by far the slowest with contacts, so it comes
/// last, except for a run that has used adaptive itself.
bool ff_repeat_independent(const ff_sim_options *options, int choice, ff_sim_options *out)
{
    const ff_method_traits traits = ff_method_get_traits(options->method);
    const bool is_adaptive = options->method == FF_METHOD_ADAPTIVE;
    const bool is_multistep = ff_methods[options->method]->own_history;
    ff_sim_options list[4];
    int count = 0;
    if (!is_adaptive) list[count++] = by_tolerance(options, FF_METHOD_ADAPTIVE);
    if (is_adaptive && ff_method_built(FF_METHOD_CVODE)) list[count++] = by_tolerance(options, FF_METHOD_CVODE);
    if (!traits.implicit) list[count++] = by_accuracy(options);
    if (traits.fixed) list[count++] = by_step(options);
    if (!is_adaptive && !is_multistep && ff_method_built(FF_METHOD_CVODE))
        list[count++] = by_tolerance(options, FF_METHOD_CVODE);
    if (choice >= count) return false;
    *out = list[choice];
    return true;
}

/// Changes the speeds at the start in their last digits, by random numbers of the given perturbation.
static void perturb(ff_run *run, int perturbation)
{
    ff_sim *sim = ff_run_sim(run);
    ff_random random = ff_random_make((uint64_t)perturbation, 0);
    const double *v = ff_sim_v(sim);
    for (int i = 0; i < ff_sim_model(sim)->nv; i++)
        ff_sim_set_v(sim, i, v[i] + PERTURBATION * ff_random_range(&random, -1.0, 1.0));
}

static ff_run *create(ff_repeat *repeat, const ff_run *original, int perturbation)
{
    ff_run_options o = *ff_run_get_options(original);
    ff_report report = {0};
    o.sim = repeat->sim;
    o.touchable = false;
    o.record.most_bytes = 0;
    o.sim.seed += repeat->role == FF_ROLE_PERTURBED && perturbation > 1 ? (uint64_t)perturbation - 1 : 0;
    ff_run *run = ff_run_create(ff_run_scene(original), &o, &report);
    if (!run) repeat->status = ff_report_to_error(&report, FF_BAD_ARGUMENT, &repeat->err);
    ff_report_clear(&report);
    return run;
}

void ff_repeat_run(ff_repeat *repeat, const ff_run *original, int stride, const ff_certify_options *options,
                   const ff_trace *bound, int perturbation)
{
    repeat->possible = true;
    repeat->trace.options = options;
    repeat->trace.original = bound;
    repeat->run = create(repeat, original, perturbation);
    if (!repeat->run) return;
    if (perturbation > 0) perturb(repeat->run, perturbation);
    repeat->status = ff_trace_begin(&repeat->trace, repeat->run, stride, &repeat->err);
    if (repeat->status != FF_OK) return;
    repeat->status = ff_run_go(repeat->run, &repeat->err);
    ff_trace_end(&repeat->trace);
}

bool ff_repeat_ended(const ff_repeat *repeat)
{
    return repeat->run && (repeat->status == FF_OK ||
                           (repeat->status == FF_STOPPED && !repeat->trace.gave_up && !repeat->trace.stopped));
}

void ff_repeat_clear(ff_repeat *repeat)
{
    ff_run_destroy(repeat->run); // before the trace, which its listeners use
    ff_trace_clear(&repeat->trace);
    *repeat = (ff_repeat){0};
}
