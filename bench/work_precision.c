// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Work against precision: the rubber bounce, ANTON dropped onto its feet, and the same with hard feet on concrete, by
// every method over a range of steps or tolerances. The error is the largest distance, over twenty instants and all
// bodies, from the same run by cvode at 1e-10; the work is the number of evaluations of the derivative (implicit: of
// its residual) and processor time. Prints CSV; scripts/work-precision draws it.
#include "clock.h"

#include <footfall/run.h>
#include <stdio.h>
#include <string.h>

enum { INSTANTS = 20, MOST_BODIES = 64, REPEATS = 2 };

typedef struct problem {
    const char *name, *file;
    const char *variant; // NULL: the scene itself
    double time;         // [s]
} problem;

typedef struct path {
    double pos[INSTANTS][MOST_BODIES][3];
    int instants, bodies;
} path;

typedef struct result {
    bool finished;
    long long steps, evaluations;
    double seconds;
} result;

static ff_sim_action take(void *context, ff_sim *sim, double t)
{
    path *p = context;
    const ff_model *m = ff_sim_model(sim);
    (void)t;
    if (p->instants >= INSTANTS) return FF_SIM_GO;
    p->bodies = m->nbody < MOST_BODIES ? m->nbody : MOST_BODIES;
    for (int i = 0; i < p->bodies; i++)
        ff_dyn_point(m, ff_sim_data(sim), i, (double[]){0, 0, 0}, p->pos[p->instants][i]);
    p->instants++;
    return FF_SIM_GO;
}

/// The problem by a method ("method: rk4, step: 1e-4"). What the program does beside it (metrics, recording) is left
/// out.
static result run(const problem *what, const char *method, path *out)
{
    char solver[120], time[40], variant[40];
    snprintf(solver, sizeof solver, "solver={%s, max_steps: 3000000}", method);
    snprintf(time, sizeof time, "time=%g", what->time);
    snprintf(variant, sizeof variant, "variant=%s", what->variant ? what->variant : "");
    const char *overrides[] = {solver, time, "expect=[]", variant};
    ff_report report = {0};
    ff_error err = {0};
    result r = {0};
    const ff_scene_spec *scene = ff_scene_load(what->file, overrides, what->variant ? 4 : 3, &report);
    ff_run *run = NULL;
    if (scene) {
        ff_run_options options = ff_run_options_default(scene);
        options.record.nchannel = 0;
        options.sim.ledger = false;
        run = ff_run_create(scene, &options, &report);
    }
    if (!run) fprintf(stderr, "%s\n", report.count ? report.messages[0].text : "no scene");
    out->instants = 0;
    ff_ticks period = ff_ticks_from_seconds(what->time / INSTANTS);
    ff_task task = {
        .name = "take", .period = period, .offset = period, .reads_only = true, .context = out, .run = take};
    if (run && ff_sim_add_task(ff_run_sim(run), &task, &err) >= 0) {
        double start = now();
        r.finished = ff_sim_run(ff_run_sim(run), what->time, &err) == FF_OK;
        r.seconds = now() - start;
        ff_sim_counts counts = ff_sim_get_counts(ff_run_sim(run));
        r.steps = counts.steps;
        r.evaluations = counts.evaluations;
    }
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return r;
}

static double distance(const path *a, const path *b)
{
    double worst = 0.0;
    for (int k = 0; k < a->instants && k < b->instants; k++)
        for (int i = 0; i < a->bodies; i++) {
            double d[3];
            ff_vec3_sub(d, a->pos[k][i], b->pos[k][i]);
            worst = fmax(worst, ff_vec3_norm(d));
        }
    return a->instants == b->instants ? worst : NAN;
}

typedef struct family {
    const char *name, *form;    // how the solver is written, with one number
    double first, last, factor; // the numbers
} family;

static const family families[] = {
    {"euler", "method: euler, step: %g", 2e-3, 1e-6, 0.5},
    {"rk2", "method: rk2, step: %g", 2e-3, 1e-6, 0.5},
    {"rk4", "method: rk4, step: %g", 2e-3, 1e-6, 0.5},
    {"adaptive", "method: adaptive, accuracy: %g", 1e-2, 1e-9, 0.1},
    {"implicit", "method: implicit, step: %g", 4e-3, 5e-6, 0.5},
    {"implicit by error", "method: implicit, accuracy: %g", 1e-1, 1e-6, 0.1},
    {"cvode", "method: cvode, accuracy: %g", 1e-3, 1e-8, 0.1},
};

static void measure(const problem *what, const family *f, const path *reference)
{
    static path p;
    for (double x = f->first; x >= 0.99 * f->last; x *= f->factor) {
        char method[100];
        snprintf(method, sizeof method, f->form, x);
        result best = run(what, method, &p);
        for (int i = 1; i < REPEATS && best.finished && best.seconds < 0.3; i++)
            best.seconds = fmin(best.seconds, run(what, method, &p).seconds);
        double error = best.finished ? distance(&p, reference) : NAN;
        printf("%s,%s,%g,%.4g,%lld,%lld,%.5f\n", what->name, f->name, x, error, best.steps, best.evaluations,
               best.seconds);
        fflush(stdout);
        if (best.seconds > 1.0) return; // the next would take longer still
    }
}

int main(void)
{
    static const problem problems[] = {{"rubber bounce", "experiments/e1-rubber-bounce.yaml", NULL, 2.0},
                                       {"ANTON on rubber", "experiments/anton-drop.yaml", NULL, 0.4},
                                       {"ANTON on concrete", "experiments/anton-drop.yaml", "concrete", 0.047}};
    static path reference, check;
    printf("problem,method,parameter,error,steps,evaluations,seconds\n");
    for (int i = 0; i < 3; i++) {
        if (!run(&problems[i], "method: cvode, accuracy: 1e-10", &reference).finished) {
            fprintf(stderr, "%s: no reference (this build may lack SUNDIALS)\n", problems[i].name);
            return 1;
        }
        run(&problems[i], "method: adaptive, accuracy: 1e-11", &check);
        fprintf(stderr, "%s: adaptive at 1e-11 is %.1e m away from cvode at 1e-10\n", problems[i].name,
                distance(&check, &reference));
        for (size_t k = 0; k < sizeof families / sizeof *families; k++) measure(&problems[i], &families[k], &reference);
    }
    return 0;
}
