// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots that walk: simulated over real time, on one thread, by the processor's clock. ANTON in tripod at 0.1 m/s with ideal drives, and with full drives (loops of 1 kHz, play in the gears),
// all sensors with their errors and a modelled bus; Silva's hexapod on clay. A run is that of `footfall run` without files: controller, drives, sensors, ledger, metrics.
//
// Equal accuracy: the error of a method is that of the vertical foot forces, means over 10 ms, root mean square over all feet and windows, over that of the reference solution (`rk4` at
// 10 us). The references of the joints are those of one run and told again to every method: a controller that sees a contact a cycle later walks on in
// another way, and what differs then is not the error of a method.
#include "clock.h"
#include "walk_script.h"

#include <footfall/scene.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WINDOWS = 400, MOST_LEGS = 8, BLOCKS = 12, MOST_SETS = 6 };
static walk_script said;
static const double WINDOW = 0.01; // [s]
static const double PERCENT = 1.0; // error that counts as equal accuracy

typedef struct problem {
    const char *name, *file;
    const char *sets[MOST_SETS];   // overrides
    bool replay;                   // references of one run are told to all
    double from, time;             // errors are taken from .. to  [s]
    const char *reference, *check; // solver of the reference solution; another that should agree
} problem;

// ------------------------------------------------------------------------------------------ one run

/// Means of the vertical force of each foot over windows of time.
typedef struct forces {
    double impulse[MOST_WINDOWS][MOST_LEGS]; // [N s]
    int legs, windows;
    double from, last, force[MOST_LEGS]; // forces at `last`
    ff_world *world;
} forces;

/// A step from `last` to t, over which forces are taken as straight lines, comes to the windows it lies in, each with its own part: counted as a whole in one of them, steps
/// of various lengths would leave windows with 9.5 and 10.5 ms in them, which reads as an error of 5 %.
static ff_sim_action feel(void *context, ff_sim *sim, double t)
{
    forces *f = context;
    double force[3 * MOST_LEGS];
    const double span = t - f->last;
    ff_world_feet(f->world, sim, force, NULL);
    for (double a = fmax(f->last, f->from), b; span > 0.0 && a < t; a = b) {
        const int window = (int)floor((a - f->from) / WINDOW + 1e-9);
        if (window >= f->windows) break;
        b = fmin(t, f->from + (window + 1) * WINDOW);
        const double middle = (0.5 * (a + b) - f->last) / span;
        for (int i = 0; i < f->legs; i++)
            f->impulse[window][i] += (b - a) * (f->force[i] + middle * (force[3 * i + 2] - f->force[i]));
        if (!(b > a)) break;
    }
    for (int i = 0; i < f->legs; i++) f->force[i] = force[3 * i + 2];
    f->last = t;
    return FF_SIM_GO;
}

static double difference(const forces *a, const forces *b)
{
    double apart = 0.0, whole = 0.0;
    for (int w = 0; w < b->windows; w++)
        for (int i = 0; i < b->legs; i++) {
            const double d = a->impulse[w][i] - b->impulse[w][i];
            apart += d * d;
            whole += b->impulse[w][i] * b->impulse[w][i];
        }
    return 100.0 * sqrt(apart / whole);
}

/// Why the last run did not get through: too long a step diverges, which is what is to be found out.
static char trouble[600];

typedef enum pilot { OWN, LISTEN, REPLAY } pilot;

static ff_scene *load(const problem *p, const char *solver, pilot who)
{
    const char *sets[MOST_SETS + 3];
    char method[160];
    int n = 0;
    for (; n < MOST_SETS && p->sets[n]; n++) sets[n] = p->sets[n];
    snprintf(method, sizeof method, "solver={%s, max_steps: 3000000}", solver);
    sets[n++] = method;
    sets[n++] = "expect=[]";
    if (who != OWN) sets[n++] = "control={callback: script}";
    ff_report report = {0};
    ff_scene *scene = ff_scene_load(p->file, sets, n, &report);
    if (!scene) fprintf(stderr, "bench_walk: %s\n", report.count ? report.messages[0].text : "no scene");
    if (scene) scene->record.nchannel = 0;
    ff_report_clear(&report);
    return scene;
}

/// Forces of the feet by one method. False when it did not get through.
static bool solve(const problem *p, const char *solver, pilot who, forces *out)
{
    ff_error err = {0};
    walk_listener l = {.out = &said};
    ff_scene_controller c = {.context = who == LISTEN ? (void *)&l : (void *)&said,
                             .bind = who == LISTEN ? walk_listen_bind : NULL,
                             .cycle = who == LISTEN ? walk_listen : walk_tell_again};
    ff_scene *scene = load(p, solver, who);
    bool fine = scene != NULL;
    if (who == LISTEN) said.cycles = 0;
    said.at = 0;
    if (fine && who != OWN) fine = ff_scene_set_controller(scene, 0, &c, &err) == FF_OK;
    fine = fine && ff_scene_begin(scene, &err) == FF_OK;
    if (fine) {
        memset(out, 0, sizeof *out);
        *out = (forces){.legs = scene->model->nleg,
                        .windows = (int)floor((p->time - p->from) / WINDOW + 0.5),
                        .from = p->from,
                        .world = scene->world};
        const ff_listener ear = {.context = out, .step = feel};
        fine = ff_sim_add_listener(scene->sim, &ear, &err) == FF_OK && ff_sim_run(scene->sim, p->time, &err) == FF_OK;
    }
    if (!fine) snprintf(trouble, sizeof trouble, "%s", err.text);
    if (l.walker) ff_hexapod_destroy(l.walker);
    ff_scene_destroy(scene);
    return fine;
}

// ------------------------------------------------------------------------------------------ real time

/// Simulated over real time with the scene's own controller: the best of some pieces of time while it walks. NAN when it failed.
static double times_real_time(const problem *p, const char *solver)
{
    ff_error err = {0};
    ff_scene *scene = load(p, solver, OWN);
    double best = INFINITY;
    const double piece = (p->time - p->from) / 2.0; // a period of the gait, so that each piece has the same to do
    bool fine = scene && ff_scene_begin(scene, &err) == FF_OK && ff_sim_run(scene->sim, p->from, &err) == FF_OK;
    for (int i = 1; fine && i <= BLOCKS; i++) {
        const double start = now();
        fine = ff_sim_run(scene->sim, p->from + i * piece, &err) == FF_OK;
        best = fmin(best, now() - start);
        if (i >= 2 && i * best > 2.0) break; // slow enough to be sure
    }
    if (!fine) fprintf(stderr, "bench_walk: %s: %s\n", solver, err.text);
    ff_scene_destroy(scene);
    return fine ? piece / best : NAN;
}

typedef struct family {
    const char *name, *form;
    double first, last, factor;
} family;

static const family FAMILIES[] = {
    {"euler", "method: euler, step: %g", 1e-3, 2e-5, 0.5},
    {"rk2", "method: rk2, step: %g", 1e-3, 5e-5, 0.5},
    {"rk4", "method: rk4, step: %g", 1e-3, 1e-4, 0.5},
    {"adaptive", "method: adaptive, accuracy: %g", 1e-2, 1e-6, 0.1},
    {"implicit", "method: implicit, step: %g", 1e-3, 5e-5, 0.5},
    {"implicit by error", "method: implicit, accuracy: %g", 1e-2, 1e-6, 0.1},
};

/// Coarsest setting of each method that keeps the error, and how fast it walks then.
static void show_methods(const problem *p, const forces *reference)
{
    static forces f;
    const pilot who = p->replay ? REPLAY : OWN;
    printf("  %-20s %-12s %12s %16s\n", "method", "setting", "error [%]", "times real time");
    for (size_t k = 0; k < sizeof FAMILIES / sizeof *FAMILIES; k++) {
        const family *a = &FAMILIES[k];
        double error = NAN, x = a->first;
        char solver[100];
        for (;; x *= a->factor) {
            snprintf(solver, sizeof solver, a->form, x);
            const double start = now();
            error = solve(p, solver, who, &f) ? difference(&f, reference) : NAN;
            if (error < PERCENT || x * a->factor < 0.99 * a->last || now() - start > 10.0) break;
        }
        printf("  %-20s %-12g %12.2f %16.1f%s\n", a->name, x, error, times_real_time(p, solver),
               error < PERCENT ? "" : "   not that accurate");
        fflush(stdout);
    }
}

static void show_target(const problem *p, const forces *reference, const char *solver, double wanted)
{
    static forces f;
    const double factor = times_real_time(p, solver);
    const double error = solve(p, solver, p->replay ? REPLAY : OWN, &f) ? difference(&f, reference) : NAN;
    printf("  %-72s %-34.1f >= %-7g %s (error %.2f %%)\n", solver, factor, wanted,
           isnan(factor)      ? "not measured"
           : factor >= wanted ? "met"
                              : "MISSED",
           error);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const problem problems[] = {
        {"ANTON, ideal drives",
         FF_SOURCE_DIR "/experiments/anton-tripod.yaml",
         {"effects={drives: ideal, sensors: perfect, bus: none}"},
         true,
         0.93333,
         2.8,
         "method: rk4, step: 1e-5",
         "method: rk2, step: 2e-5"},
        {"ANTON, full drives, sensors, bus",
         FF_SOURCE_DIR "/experiments/anton-tripod.yaml",
         {NULL},
         true,
         0.93333,
         2.8,
         "method: rk4, step: 1e-5",
         "method: rk2, step: 2e-5"},
        {"Silva's hexapod on clay",
         FF_SOURCE_DIR "/experiments/silva-soils.yaml",
         {"materials.ground.soil.name=compact-clay"},
         false,
         1.0,
         3.0,
         "method: rk4, step: 1e-5",
         "method: rk2, step: 2e-5"},
    };
    static forces reference, check;
    for (int i = 0; i < 3; i++) {
        const problem *p = &problems[i];
        if (argc > 1 && !strchr(argv[1], '1' + i)) continue;
        printf("%s\n", p->name);
        const pilot who = p->replay ? REPLAY : OWN;
        bool fine = !p->replay || solve(p, "method: euler, step: 1e-3", LISTEN, &reference);
        const double start = now();
        fine = fine && solve(p, p->reference, who, &reference);
        const double seconds = now() - start;
        if (!fine || !solve(p, p->check, who, &check)) {
            fprintf(stderr, "bench_walk: %s\n", trouble);
            return 1;
        }
        printf("  reference: %s (%.1f s); %s is %.2f %% away\n", p->reference, seconds, p->check,
               difference(&check, &reference));
        show_methods(p, &reference);
        if (i == 0) show_target(p, &reference, "method: euler, step: 1e-3", 40.0);
        if (i == 0) show_target(p, &reference, "method: implicit, accuracy: 1e-3", 20.0);
        if (i == 1) show_target(p, &reference, "method: euler, step: 1e-3", 15.0);
        if (i == 1) show_target(p, &reference, "method: implicit, accuracy: 1e-3", 15.0);
    }
    return 0;
}
