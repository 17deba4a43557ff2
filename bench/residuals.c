// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the balance of energy lacks in every experiment of the book and its variants, with their own step and with a
// quarter of it (a tenth of the accuracy, and steps of at most a third of the longest one: error control leaves alone
// those that end at a task long before their error asks for it): it must fall at least as the mean step does. A first
// number is the longest time of a run [s] (2); names of scenes follow. Prints one row a run, and what does not fall at
// the end; `make residuals` runs all of it.
#include <footfall/run.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PART = 0.25, ACCURACY_PART = 0.1, LONGEST_PART = 0.33;
// A residual is a sum over touch-downs, each with its own place in a step: linear is a mean.
static const double SLACK = 1.5;
// Of what was turned over: below that, sums of some 1e5 steps round, and nothing is asked. So do stored energies, of
// which that is the least part that they can differ by, some bits of a number.
static const double ROUNDING = 1e-7, ROUNDING_STORED = 1e-14;

typedef struct outcome {
    bool ran;
    double residual; // over the energy turned over
    double rounding; // the same, of stored energies
    double step;     // mean  [s]
    double longest;  // step  [s]
    double heat;     // least of the two losses of contacts  [J]
    char why[200];
} outcome;

static double metric(const ff_run *run, const char *name)
{
    double value;
    return ff_run_metric(run, name, &value) ? value : NAN;
}

static void tighten(ff_sim_options *o, double longest)
{
    if (ff_sim_options_fixed_step(o)) {
        o->step *= PART;
        return;
    }
    o->accuracy *= ACCURACY_PART;
    o->relative *= ACCURACY_PART;
    o->absolute *= ACCURACY_PART;
    o->max_step = LONGEST_PART * longest;
}

/// @param loose  the run to be tighter than; NULL: that of the scene
static outcome run(const ff_scene_spec *scene, double longest, const outcome *loose)
{
    ff_report report = {0};
    ff_error err = {0};
    outcome o = {0};
    ff_run_options options = ff_run_options_default(scene);
    options.time = ff_min(options.time, longest);
    options.record.nchannel = 0;
    if (loose) tighten(&options.sim, loose->longest);
    ff_run *going = ff_run_create(scene, &options, &report);
    if (going) {
        o.ran = ff_run_go(going, &err) == FF_OK;
        const ff_ledger ledger = ff_sim_ledger(ff_run_sim(going));
        const ff_sim_counts counts = ff_sim_get_counts(ff_run_sim(going));
        o.residual = fabs(metric(going, "ledger.residual.relative"));
        o.rounding = ROUNDING_STORED * (fabs(ledger.stored.kinetic) + fabs(ledger.stored.potential)) * o.residual /
                     fabs(ledger.residual);
        o.step = ff_sim_time(ff_run_sim(going)) / (double)counts.steps;
        o.longest = counts.longest_step;
        o.heat = ff_min(metric(going, "ledger.lost.normal"), metric(going, "ledger.lost.friction"));
    }
    if (!o.ran)
        snprintf(o.why, sizeof o.why, "%.190s", going ? err.text : report.count > 0 ? report.messages[0].text : "");
    ff_run_destroy(going);
    ff_report_clear(&report);
    return o;
}

/// @return false when it does not fall as it must
static bool compare(const char *name, const ff_scene_spec *scene, double longest)
{
    const outcome a = run(scene, longest, NULL), b = a.ran ? run(scene, longest, &a) : a;
    if (!b.ran) {
        printf("%-44s not run: %s\n", name, b.why);
        return false;
    }
    const bool rounds = b.residual <= ROUNDING || b.residual <= b.rounding;
    const bool falls = rounds || b.residual <= SLACK * a.residual * b.step / a.step || isnan(a.residual);
    const bool cold = a.heat < 0.0 || b.heat < 0.0;
    printf("%-44s %9.2g us %9.2g %%   %9.2g us %9.2g %%%s%s\n", name, 1e6 * a.step, 1e2 * a.residual, 1e6 * b.step,
           1e2 * b.residual, falls ? "" : "   does not fall", cold ? "   negative heat" : "");
    fflush(stdout);
    return falls && !cold;
}

int main(int argc, char **argv)
{
    int first = 1, missed = 0, all = 0;
    char *end = argv[0];
    double longest = argc > 1 ? strtod(argv[1], &end) : 2.0;
    if (argc > 1 && *end == '\0')
        first = 2;
    else
        longest = 2.0;
    printf("%-44s %12s %11s   %12s %11s\n", "experiment", "mean step", "residual", "tighter", "residual");
    for (int i = first; i < argc; i++) {
        int variants = 0;
        for (int v = -1; v < variants; v++) {
            ff_report report = {0};
            char set[200] = "", name[260];
            const char *sets[] = {set};
            static char variant[64][128];
            if (v >= 0) snprintf(set, sizeof set, "variant=%s", variant[v]);
            const ff_scene_spec *scene = ff_scene_load(argv[i], sets, v >= 0, &report);
            for (int k = 0; scene && v < 0 && k < scene->nvariant && variants < 64; k++)
                if (!scene->long_variants[k]) snprintf(variant[variants++], 128, "%s", scene->variants[k]);
            const char *slash = strrchr(argv[i], '/');
            snprintf(name, sizeof name, "%.100s %s", slash ? slash + 1 : argv[i], v >= 0 ? variant[v] : "");
            all++;
            if (!scene)
                printf("%-44s not read\n", name);
            else
                missed += !compare(name, scene, longest);
            ff_scene_destroy(scene);
            ff_report_clear(&report);
        }
    }
    printf("%d of %d fall at least linearly with the step\n", all - missed, all);
    return 0;
}
