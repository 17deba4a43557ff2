// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots that walk: simulated over real time, on one thread, by the processor's clock. ANTON in tripod at 0.1 m/s with
// ideal drives, and with full drives (loops of 1 kHz, backlash in the gears), all sensors with their errors and a
// modelled bus; Silva's hexapod on clay. A run is that of `footfall run` without files: controller, drives, sensors,
// ledger, metrics.
//
// Equal accuracy: the error of a method is that of the vertical foot forces (foot_forces.h) against the reference
// solution, `rk4` at 10 us. The references of ANTON's joints are those of one run, replayed to every method: a
// controller that sees a contact a cycle later walks on in another way, and what differs then is not the error of a
// method.
#include "clock.h"
#include "foot_forces.h"
#include "walk_script.h"

#include <footfall/run.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 12, MOST_SETS = 6 };
static walk_script said;
static const double PERCENT = 1.0; // error that counts as equal accuracy

typedef struct problem {
    const char *name, *file;
    const char *sets[MOST_SETS];   // overrides
    bool replay;                   // references of one run are replayed to all
    double from, time;             // errors are taken from .. to  [s]
    const char *reference, *check; // solver of the reference solution; another that should agree
    const struct promise *promises;
} problem;

// ------------------------------------------------------------------------------------------ one run

typedef struct listener {
    foot_forces *forces;
    ff_world *world;
} listener;

static ff_sim_action feel(void *context, ff_sim *sim, double t)
{
    const listener *l = context;
    double vertical[MOST_FORCES];
    int count;
    const ff_foot *feet = ff_world_feet(l->world, sim, &count);
    for (int i = 0; i < l->forces->legs; i++) vertical[i] = feet[i].force[2];
    foot_forces_add(l->forces, t, l->forces->force, vertical);
    memcpy(l->forces->force, vertical, sizeof vertical);
    return FF_SIM_GO;
}

/// Why the last run did not finish: too long a step diverges, which is what is to be found out.
static char conditions[600];

typedef enum driver { OWN, LISTEN, REPLAY } driver; // who gives the references

/// A scene, and a run of it.
typedef struct walk_run {
    const ff_scene_spec *scene;
    ff_run *run; // NULL: there is none
} walk_run;

static void unload(walk_run w)
{
    ff_run_destroy(w.run);
    ff_scene_destroy(w.scene);
}

/// @param controller  of the program, NULL: the scene's own
static walk_run load(const problem *p, const char *solver, const ff_run_controller *controller)
{
    const char *sets[MOST_SETS + 3];
    char method[160];
    int n = 0;
    for (; n < MOST_SETS && p->sets[n]; n++) sets[n] = p->sets[n];
    snprintf(method, sizeof method, "solver={%s, max_steps: 3000000}", solver);
    sets[n++] = method;
    sets[n++] = "expect=[]";
    if (controller) sets[n++] = "control={callback: script}";
    ff_report report = {0};
    walk_run w = {.scene = ff_scene_load(p->file, sets, n, &report)};
    if (w.scene) {
        ff_run_options options = ff_run_options_default(w.scene);
        options.record.nchannel = 0;
        options.controllers = controller;
        options.ncontroller = controller ? 1 : 0;
        w.run = ff_run_create(w.scene, &options, &report);
    }
    if (!w.run) fprintf(stderr, "bench_walk: %s\n", report.count ? report.messages[0].text : "no scene");
    ff_report_clear(&report);
    return w;
}

/// Forces of the feet by one method. False when it did not finish.
static bool solve(const problem *p, const char *solver, driver who, foot_forces *out)
{
    ff_error err = {0};
    walk_listener l = {.out = &said};
    const ff_run_controller c = {.controller = {.context = who == LISTEN ? (void *)&l : (void *)&said,
                                                .bind = who == LISTEN ? walk_listen_bind : NULL,
                                                .cycle = who == LISTEN ? walk_listen : walk_replay}};
    if (who == LISTEN) said.cycles = 0;
    said.at = 0;
    const walk_run w = load(p, solver, who == OWN ? NULL : &c);
    bool fine = w.run != NULL;
    if (fine) {
        *out = foot_forces_begin(w.scene->model->nleg, p->from, p->time);
        listener listens = {.forces = out, .world = ff_run_world(w.run)};
        const ff_listener ear = {.context = &listens, .step = feel};
        fine = ff_sim_add_listener(ff_run_sim(w.run), &ear, &err) == FF_OK &&
               ff_sim_run(ff_run_sim(w.run), p->time, &err) == FF_OK;
    }
    if (!fine) snprintf(conditions, sizeof conditions, "%s", err.text);
    if (l.walker) ff_hexapod_destroy(l.walker);
    unload(w);
    return fine;
}

// ------------------------------------------------------------------------------------------ real time

/// Simulated over real time with the scene's own controller: the best of some pieces of time while it walks. NAN when
/// it failed.
static double times_real_time(const problem *p, const char *solver)
{
    ff_error err = {0};
    const walk_run w = load(p, solver, NULL);
    double best = INFINITY;
    const double piece = (p->time - p->from) / 2.0; // a period of the gait, so that each piece has the same to do
    bool fine = w.run && ff_sim_run(ff_run_sim(w.run), p->from, &err) == FF_OK;
    for (int i = 1; fine && i <= BLOCKS; i++) {
        const double start = now();
        fine = ff_sim_run(ff_run_sim(w.run), p->from + i * piece, &err) == FF_OK;
        best = fmin(best, now() - start);
        if (i >= 2 && i * best > 2.0) break; // slow enough to be sure
    }
    if (!fine) fprintf(stderr, "bench_walk: %s: %s\n", solver, err.text);
    unload(w);
    return fine ? piece / best : NAN;
}

/// Settings of a method from coarse to fine.
typedef struct family {
    const char *name, *form, *unit;
    double first, last, factor, scale;
} family;

static const family FAMILIES[] = {
    {"euler", "method: euler, step: %g", "ms", 1e-3, 2e-5, 0.5, 1e3},
    {"rk2", "method: rk2, step: %g", "ms", 1e-3, 5e-5, 0.5, 1e3},
    {"rk4", "method: rk4, step: %g", "ms", 1e-3, 1e-4, 0.5, 1e3},
    {"adaptive", "method: adaptive, accuracy: %g", "accuracy", 1e-2, 1e-6, 0.1, 1.0},
    {"implicit, fixed step", "method: implicit, step: %g", "ms", 1e-3, 5e-5, 0.5, 1e3},
    {"implicit, by error", "method: implicit, accuracy: %g", "accuracy", 1e-2, 1e-6, 0.1, 1.0},
};

/// The coarsest setting of each method that keeps the error, and how fast it walks then.
static void show_methods(const problem *p, const foot_forces *reference)
{
    static foot_forces f;
    const driver who = p->replay ? REPLAY : OWN;
    printf("  the coarsest setting of each method with an error below %g %%:\n", PERCENT);
    printf("  %-24s %-20s %-12s %s\n", "method", "step or accuracy", "error", "times real time");
    for (size_t k = 0; k < sizeof FAMILIES / sizeof *FAMILIES; k++) {
        const family *a = &FAMILIES[k];
        double error = NAN, x = a->first;
        char solver[100], setting[40], shown[40];
        for (;; x *= a->factor) {
            snprintf(solver, sizeof solver, a->form, x);
            const double start = now();
            error = solve(p, solver, who, &f) ? foot_forces_apart(&f, reference) : NAN;
            if (error < PERCENT || x * a->factor < 0.99 * a->last || now() - start > 10.0) break;
        }
        snprintf(setting, sizeof setting, "%g %s", a->scale * x, a->unit);
        snprintf(shown, sizeof shown, isnan(error) ? "none" : "%.2f %%", error);
        printf("  %-24s %-20s %-12s %.1f%s\n", a->name, setting, shown, times_real_time(p, solver),
               error < PERCENT ? "" : "   NOT THAT ACCURATE");
        fflush(stdout);
    }
}

/// A number that is promised, in the setting it is promised for.
typedef struct promise {
    const char *what, *solver;
    double wanted;
} promise;

static void show_promise(const problem *p, const foot_forces *reference, const promise *t)
{
    static foot_forces f;
    const double factor = times_real_time(p, t->solver);
    const double error = solve(p, t->solver, p->replay ? REPLAY : OWN, &f) ? foot_forces_apart(&f, reference) : NAN;
    printf("  %-50s %6.1f times real time, wanted %g: %s (error %.2f %%)\n", t->what, factor, t->wanted,
           isnan(factor)         ? "not measured"
           : factor >= t->wanted ? "met"
                                 : "MISSED",
           error);
    fflush(stdout);
}

static double wall(void *context)
{
    (void)context;
    return clock_read(CLOCK_MONOTONIC);
}

/// Where the time of a walk goes, by stages of the steps, parts and tasks: what takes 2 % and more.
static void show_profile(const problem *p, const char *solver)
{
    ff_error err = {0};
    ff_profile_row row;
    const walk_run w = load(p, solver, NULL);
    double all = 0.0;
    if (w.run && ff_sim_run(ff_run_sim(w.run), p->from, &err) == FF_OK &&
        ff_sim_start_profile(ff_run_sim(w.run), wall, NULL, &err) == FF_OK &&
        ff_sim_run(ff_run_sim(w.run), p->time, &err) == FF_OK) {
        for (int i = 0; ff_sim_profile_row(ff_run_sim(w.run), i, &row); i++) all += row.seconds;
        printf("  profile of %s:", solver);
        for (int i = 0; ff_sim_profile_row(ff_run_sim(w.run), i, &row); i++)
            if (row.seconds > 0.02 * all) printf(" %s %.0f %%,", row.name, 100.0 * row.seconds / all);
        printf(" the rest is less than 2 %% each\n");
    } else {
        fprintf(stderr, "bench_walk: no profile: %s\n", err.text);
    }
    unload(w);
}

static bool show(const problem *p)
{
    static foot_forces reference, check;
    const driver who = p->replay ? REPLAY : OWN;
    printf("\n%s\n", p->name);
    bool fine = !p->replay || solve(p, "method: euler, step: 1e-3", LISTEN, &reference);
    fine = fine && solve(p, p->reference, who, &reference) && solve(p, p->check, who, &check);
    if (!fine) {
        fprintf(stderr, "bench_walk: %s\n", conditions);
        return false;
    }
    printf("  reference solution: %s; %s is %.2f %% away from it\n", p->reference, p->check,
           foot_forces_apart(&check, &reference));
    show_methods(p, &reference);
    for (const promise *t = p->promises; t->what; t++) show_promise(p, &reference, t);
    show_profile(p, "method: implicit, accuracy: 1e-3");
    return true;
}

static const promise IDEAL[] = {
    {"euler at 1 ms, default of the library", "method: euler, step: 1e-3", 40.0},
    {"implicit at accuracy 1e-3, default of scenes", "method: implicit, accuracy: 1e-3", 20.0},
    {NULL, NULL, 0.0}};
static const promise FULL[] = {
    {"euler at 1 ms, default of the library", "method: euler, step: 1e-3", 15.0},
    {"implicit at accuracy 1e-3, default of scenes", "method: implicit, accuracy: 1e-3", 15.0},
    {NULL, NULL, 0.0}};
static const promise NONE[] = {{NULL, NULL, 0.0}};

/// @param argv  numbers of problems, such as "13"; all without
int main(int argc, char **argv)
{
    static const char reference[] = "method: rk4, step: 1e-5", check[] = "method: rk2, step: 2e-5";
    static const problem problems[] = {
        {"ANTON in tripod at 0.1 m/s, ideal drives, perfect sensors",
         FF_SOURCE_DIR "/experiments/anton-tripod.yaml",
         {"effects={drives: ideal, sensors: perfect, bus: none}"},
         true,
         0.93333,
         2.8,
         reference,
         check,
         IDEAL},
        {"ANTON in tripod at 0.1 m/s, full drives with loops of 1 kHz and play, 55 sensors with errors, a bus with "
         "jitter",
         FF_SOURCE_DIR "/experiments/anton-tripod.yaml",
         {NULL},
         true,
         0.93333,
         2.8,
         reference,
         check,
         FULL},
        {"Silva's hexapod at 1 m/s on compact clay",
         FF_SOURCE_DIR "/experiments/silva-soils.yaml",
         {"materials.ground.soil.name=compact-clay"},
         false,
         1.0,
         3.0,
         reference,
         check,
         NONE},
    };
    printf("Robots that walk: simulated time over processor time of one thread, with controller, drives, sensors and "
           "metrics, as `footfall run` does it.\n"
           "Error: vertical foot forces as means over 10 ms, root mean square of their difference from a reference "
           "solution, over that of the forces.\n");
    for (int i = 0; i < 3; i++)
        if ((argc < 2 || strchr(argv[1], '1' + i)) && !show(&problems[i])) return 1;
    return 0;
}
