// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Bipeds that walk, simulated over real time on one thread, by the processor's clock: LOLA at 0.5 m/s and ROTTO's
// static walk, with ideal drives and with motors, whose current loops sample at 20 and 28 kHz. Sensors have all their
// errors, the bus is modelled; controller, ledger and metrics run, as in `footfall run` without files.
//
// What loops that run ahead of the mechanics cost in accuracy (effects.loop_span): vertical foot forces and forces of
// the drives as means over 10 ms, root mean square of the difference from a run in which every sample of every loop
// ends a step. LOLA's controller walks in each run: without it a biped falls, and with it small differences die away.
// ROTTO walks statically, and its controller waits for contacts: the references of one run are replayed to the others,
// as a step that begins a cycle later is no error of a method.
#include "clock.h"
#include "foot_forces.h"
#include "walk_script.h"

#include <footfall/run.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SETS = 6, BLOCKS = 6 };

typedef struct setting {
    const char *solver;
    double span;   // effects.loop_span  [s]
    double wanted; // times real time; 0: nothing is promised
} setting;

static walk_script said;

typedef enum driver { OWN, LISTEN, REPLAY } driver; // who gives the references

typedef struct problem {
    const char *name, *file;
    const char *sets[MOST_SETS]; // overrides
    bool replay;                 // references of one run are replayed to all
    double from, time, piece;    // errors are taken from .. to; a piece of time is measured  [s]
    const char *reference;       // solver of the reference solution, with all samples
    const setting *settings;     // ended by one without a solver
} problem;

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

static walk_run load(const problem *p, const char *solver, double span, const ff_run_controller *controller)
{
    const char *sets[MOST_SETS + 4];
    char method[160], ahead[80];
    int n = 0;
    for (; n < MOST_SETS && p->sets[n]; n++) sets[n] = p->sets[n];
    snprintf(method, sizeof method, "solver={%s, max_steps: 30000000}", solver);
    snprintf(ahead, sizeof ahead, "effects.loop_span=%g", span);
    sets[n++] = method;
    sets[n++] = "expect=[]";
    if (span > 0.0) sets[n++] = ahead;
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
    if (!w.run) fprintf(stderr, "bench_bipeds: %s\n", report.count ? report.messages[0].text : "no scene");
    ff_report_clear(&report);
    return w;
}

// ------------------------------------------------------------------------------------------ accuracy

typedef struct forces {
    foot_forces feet, drives;
} forces;

typedef struct listener {
    forces *out;
    ff_world *world;
} listener;

/// Feet along straight lines from step to step; drives as they end a step: mean torques jump between them.
static ff_sim_action feel(void *context, ff_sim *sim, double t)
{
    const listener *l = context;
    foot_forces *f = &l->out->feet;
    double acting[MOST_FORCES] = {0};
    int count;
    const ff_foot *feet = ff_world_feet(l->world, sim, &count);
    for (int i = 0; i < f->legs; i++) acting[i] = feet[i].force[2];
    foot_forces_add(f, t, f->force, acting);
    memcpy(f->force, acting, sizeof acting);
    f = &l->out->drives;
    for (int i = 0; i < f->legs; i++) acting[i] = ff_sim_drive_flow(sim, (ff_drive_id){i}).force;
    foot_forces_add(f, t, acting, acting);
    return FF_SIM_GO;
}

/// References as the drives have them after each millisecond, in the order of a frame of the bus.
static ff_sim_action read_report(void *context, ff_sim *sim, double t)
{
    walk_script *s = context;
    if (s->cycles == WALK_CYCLES || t < 1e-3 * (s->cycles + 1) - 1e-9) return FF_SIM_GO;
    ff_io_item *items = s->items[s->cycles++];
    for (int i = 0; i < s->n; i++)
        items[i] = (ff_io_item){.value = ff_sim_drive_memory(sim, (ff_drive_id){i / 3})->reference[i % 3], .valid = 1};
    return FF_SIM_GO;
}

static bool solve(const problem *p, const char *solver, double span, driver who, forces *out)
{
    ff_error err = {0};
    const ff_run_controller c = {.controller = {.context = &said, .cycle = walk_replay}};
    const walk_run w = load(p, solver, span, who == REPLAY ? &c : NULL);
    bool fine = w.run != NULL;
    said.at = 0;
    if (fine) {
        const int drives = ff_sim_drives(ff_run_sim(w.run))->n;
        const ff_listener script = {.context = &said, .step = read_report};
        if (who == LISTEN) {
            said.cycles = 0;
            said.n = 3 * drives < WALK_ITEMS ? 3 * drives : WALK_ITEMS;
            fine = ff_sim_add_listener(ff_run_sim(w.run), &script, &err) == FF_OK;
        }
        out->feet = foot_forces_begin(w.scene->model->nleg, p->from, p->time);
        out->drives = foot_forces_begin(drives < MOST_FORCES ? drives : MOST_FORCES, p->from, p->time);
        listener listens = {.out = out, .world = ff_run_world(w.run)};
        const ff_listener ear = {.context = &listens, .step = feel};
        fine = fine && ff_sim_add_listener(ff_run_sim(w.run), &ear, &err) == FF_OK &&
               ff_sim_run(ff_run_sim(w.run), p->time, &err) == FF_OK;
    }
    if (!fine) fprintf(stderr, "bench_bipeds: %s: %s\n", solver, err.text);
    unload(w);
    return fine;
}

// ------------------------------------------------------------------------------------------ real time

/// The best of some pieces of time while it walks. NAN when it failed.
static double times_real_time(const problem *p, const char *solver, double span)
{
    ff_error err = {0};
    const walk_run w = load(p, solver, span, NULL);
    double best = INFINITY;
    bool fine = w.run && ff_sim_run(ff_run_sim(w.run), p->from, &err) == FF_OK;
    for (int i = 1; fine && i <= BLOCKS; i++) {
        const double start = now();
        fine = ff_sim_run(ff_run_sim(w.run), p->from + i * p->piece, &err) == FF_OK;
        best = fmin(best, now() - start);
        if (i >= 2 && i * best > 4.0) break; // slow enough to be sure
    }
    if (!fine) fprintf(stderr, "bench_bipeds: %s: %s\n", solver, err.text);
    unload(w);
    return fine ? p->piece / best : NAN;
}

static bool show(const problem *p)
{
    static forces reference, f;
    printf("\n%s\n  reference solution: %s\n", p->name, p->reference);
    printf("  %-36s %10s %10s %10s %16s\n", "solver", "loop_span", "feet", "drives", "times real time");
    const driver who = p->replay ? REPLAY : OWN;
    if (p->replay && !solve(p, p->settings[0].solver, p->settings[0].span, LISTEN, &reference)) return false;
    if (!solve(p, p->reference, 0.0, who, &reference)) return false;
    for (const setting *s = p->settings; s->solver; s++) {
        const bool fine = solve(p, s->solver, s->span, who, &f);
        const double factor = times_real_time(p, s->solver, s->span);
        printf("  %-36s %7g ms %8.2f %% %8.2f %% %16.1f", s->solver, 1e3 * s->span,
               fine ? foot_forces_apart(&f.feet, &reference.feet) : NAN,
               fine ? foot_forces_apart(&f.drives, &reference.drives) : NAN, factor);
        if (s->wanted > 0.0) printf(", wanted %g: %s", s->wanted, factor >= s->wanted ? "met" : "MISSED");
        printf("\n");
        fflush(stdout);
    }
    return true;
}

/// @param argv  numbers of problems, such as "13"; all without
int main(int argc, char **argv)
{
    static const setting LOLA_IDEAL[] = {{"method: euler, step: 2e-4", 0.0, 0.0},
                                         {"method: euler, step: 5e-4", 0.0, 0.0},
                                         {"method: euler, step: 1e-3", 0.0, 10.0},
                                         {"method: implicit, accuracy: 1e-3", 0.0, 0.0},
                                         {NULL, 0.0, 0.0}};
    static const setting LOLA[] = {{"method: euler, step: 5e-5", 0.0, 0.0},
                                   {"method: euler, step: 1e-4", 1e-4, 0.0},
                                   {"method: euler, step: 2.5e-4", 2.5e-4, 4.0},
                                   {"method: euler, step: 5e-4", 5e-4, 4.0},
                                   {"method: euler, step: 1e-3", 1e-3, 0.0},
                                   {"method: implicit, accuracy: 1e-3", 5e-4, 0.0},
                                   {NULL, 0.0, 0.0}};
    static const setting ROTTO_IDEAL[] = {{"method: euler, step: 5e-4", 0.0, 0.0},
                                          {"method: euler, step: 1e-3", 0.0, 15.0},
                                          {"method: implicit, accuracy: 1e-3", 0.0, 0.0},
                                          {NULL, 0.0, 0.0}};
    static const setting ROTTO_LAG[] = {{"method: euler, step: 2e-4", 0.0, 4.0},
                                        {"method: euler, step: 1e-3", 1e-3, 4.0},
                                        {"method: implicit, accuracy: 1e-3", 1e-3, 4.0},
                                        {NULL, 0.0, 0.0}};
    static const setting ROTTO[] = {{"method: euler, step: 1 / 28000", 0.0, 0.0},
                                    {"method: euler, step: 1e-4", 1e-4, 0.0},
                                    {"method: euler, step: 2.5e-4", 2.5e-4, 2.0},
                                    {"method: euler, step: 5e-4", 5e-4, 4.0},
                                    {"method: euler, step: 1e-3", 1e-3, 0.0},
                                    {"method: implicit, accuracy: 1e-3", 1e-3, 0.0},
                                    {NULL, 0.0, 0.0}};
    static const problem problems[] = {
        {"LOLA at 0.5 m/s, ideal drives, sensors with errors, bus",
         FF_SOURCE_DIR "/experiments/lola-walk.yaml",
         {NULL},
         false,
         1.6,
         4.8,
         0.8,
         "method: rk4, step: 5e-5",
         LOLA_IDEAL},
        {"LOLA at 0.5 m/s, motors with cascades at 10 and 20 kHz, sensors with errors, bus",
         FF_SOURCE_DIR "/experiments/lola-walk.yaml",
         {"robot=../robots/lola/lola.yaml", "effects.drives=full"},
         false,
         1.6,
         4.8,
         0.8,
         "method: rk4, step: 2.5e-5",
         LOLA},
        {"ROTTO's static walk, ideal drives, sensors with errors, bus",
         FF_SOURCE_DIR "/experiments/rotto-walk.yaml",
         {"metrics={from: 1.5}"},
         true,
         1.5,
         5.5,
         1.5,
         "method: rk4, step: 1e-4",
         ROTTO_IDEAL},
        {"ROTTO's static walk, motors whose current follows with a lag, sensors with errors, bus",
         FF_SOURCE_DIR "/experiments/rotto-walk.yaml",
         {"effects.drives=lag", "metrics={from: 1.5}"},
         true,
         1.5,
         5.5,
         1.5,
         "method: rk4, step: 5e-5",
         ROTTO_LAG},
        {"ROTTO's static walk, motors with field-oriented control at 28 kHz, sensors with errors, bus",
         FF_SOURCE_DIR "/experiments/rotto-walk.yaml",
         {"effects.drives=full", "metrics={from: 1.5}"},
         true,
         1.5,
         5.5,
         1.5,
         "method: rk2, step: 1 / 56000",
         ROTTO},
    };
    printf("Bipeds that walk: simulated time over processor time of one thread.\n"
           "Error: forces of feet and drives as means over 10 ms, root mean square of their difference from the "
           "reference solution, over that of the forces.\n");
    for (int i = 0; i < 5; i++)
        if ((argc < 2 || strchr(argv[1], '1' + i)) && !show(&problems[i])) return 1;
    return 0;
}
