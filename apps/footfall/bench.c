// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall bench`: what the dynamics cost on this machine, one thread. Kernels start from q (and v, a or tau) at
// random states; a robot on its feet is in bench_feet.c; the comparison with another simulator is `make bench`.
#include "bench.h"
#include "commands.h"
#include "files.h"
#include "terminal.h"

#include <footfall/load.h>
#include <footfall/sim.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __clang__
#define COMPILER __VERSION__ // begins with its name
#else
#define COMPILER "gcc " __VERSION__
#endif

typedef struct bench_target {
    text_list operands;
    model_options model;
    bool json;
    bool quick;
} bench_target;

// ------------------------------------------------------------------------------------------ kernels

// The n-th random state; copying q and v is part of the time, as in a simulation.
static void set_state(subject *s, int n)
{
    size_t k = (size_t)n % MEASURE_STATES, nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
    memcpy(s->d->q, s->q + k * nq, nq * sizeof(double));
    memcpy(s->d->v, s->v + k * nv, nv * sizeof(double));
    memcpy(s->d->tau, s->a + k * nv, nv * sizeof(double));
}

static void run_kinematics(void *context, int n)
{
    subject *s = context;
    set_state(s, n);
    ff_dyn_kinematics(s->m, s->d);
}

static void run_inverse(void *context, int n)
{
    subject *s = context;
    size_t k = (size_t)n % MEASURE_STATES, nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
    ff_dyn_inverse(s->m, s->d, s->q + k * nq, s->v + k * nv, s->a + k * nv, s->out);
}

static void run_mass(void *context, int n)
{
    run_kinematics(context, n);
    subject *s = context;
    ff_dyn_mass(s->m, s->d);
}

static void run_forward(void *context, int n)
{
    run_kinematics(context, n);
    subject *s = context;
    ff_dyn_velocity(s->m, s->d);
    ff_dyn_forward(s->m, s->d);
}

static void run_solve(void *context, int n)
{
    subject *s = context;
    ff_dyn_factor(s->m, s->d);
    memcpy(s->out, s->a + (size_t)n % MEASURE_STATES * (size_t)s->m->nv, (size_t)s->m->nv * sizeof(double));
    ff_dyn_solve(s->m, s->d, s->out);
}

typedef struct kernel {
    const char *key;
    const char *what;
    void (*work)(void *context, int n);
} kernel;

static const kernel kernels[] = {
    {"kinematics", "poses of all bodies from q", run_kinematics},
    {"rnea", "inverse dynamics from q, v, a", run_inverse},
    {"crba", "mass matrix from q", run_mass},
    {"aba", "forward dynamics from q, v, tau", run_forward},
    {"solve", "factorise M and solve once", run_solve},
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

// ------------------------------------------------------------------------------------------ one robot

#define METHOD_PIECES 9
#define LOAD_REPEATS  9

typedef struct bench_robot {
    const char *path;
    char name[64];
    int nv, nbody;
    timing kernel[KERNELS];
    timing load;                    // file to first step
    timing method[FF_METHOD_COUNT]; // one accepted step; zero where it is not built or failed
} bench_robot;

static timing measure_method(const ff_model *m, ff_method method, double piece)
{
    ff_sim_options options = ff_sim_options_default();
    options.method = method;
    options.accuracy = 0.0;
    ff_sim *sim = ff_method_built(method) ? ff_sim_create(m, &options, NULL) : NULL;
    double times[METHOD_PIECES];
    int count = 0;
    bool good = sim && ff_sim_run(sim, piece, NULL) == FF_OK;
    for (; good && count < METHOD_PIECES; count++) {
        long long before = ff_sim_get_counts(sim).steps;
        double start = clock_seconds();
        good = ff_sim_run(sim, ff_sim_time(sim) + piece, NULL) == FF_OK;
        double wall = clock_seconds() - start;
        long long steps = ff_sim_get_counts(sim).steps - before;
        times[count] = steps > 0 ? wall / (double)steps : 0;
    }
    ff_sim_destroy(sim);
    return good ? timing_of(times, count) : (timing){0, 0};
}

static timing measure_load(const char *path, const ff_load_options *load)
{
    double times[LOAD_REPEATS];
    ff_sim_options options = ff_sim_options_default();
    options.method = FF_METHOD_EULER;
    for (int r = 0; r < LOAD_REPEATS; r++) {
        double start = clock_seconds();
        ff_model *model = ff_model_load(path, load, NULL);
        ff_sim *sim = model ? ff_sim_create(model, &options, NULL) : NULL;
        bool good = sim && ff_sim_step(sim, 1.0, NULL) == FF_OK;
        times[r] = clock_seconds() - start;
        ff_sim_destroy(sim);
        ff_model_destroy(model);
        if (!good) return (timing){0, 0};
    }
    return timing_of(times, LOAD_REPEATS);
}

static bool measure_kernels(const ff_model *m, const bench_target *target, timing out[KERNELS])
{
    subject s;
    if (!subject_create(&s, m)) return false;
    for (int k = 0; k < KERNELS; k++)
        out[k] = measure(kernels[k].work, &s, target->quick ? 5e-4 : 4e-3, target->quick ? 5 : 31);
    subject_destroy(&s);
    return true;
}

static bool measure_robot(const char *path, const bench_target *target, bench_robot *out)
{
    ff_model *model = load_model(path, &target->model, NULL);
    if (!model) return false;
    ff_load_options load = loading_options(&target->model);
    out->path = path;
    snprintf(out->name, sizeof out->name, "%s", model->name && model->name[0] ? model->name : path);
    out->nv = model->nv;
    out->nbody = model->nbody;
    bool good = measure_kernels(model, target, out->kernel);
    out->load = measure_load(path, &load);
    for (int i = 0; i < FF_METHOD_COUNT; i++)
        out->method[i] = measure_method(model, (ff_method)i, target->quick ? 0.02 : 0.1);
    ff_model_destroy(model);
    return good;
}

// ------------------------------------------------------------------------------------------ chains

static const int chain_lengths[] = {10, 20, 50, 100, 200, 500};
enum { CHAINS = sizeof chain_lengths / sizeof chain_lengths[0] };

typedef struct bench_chain {
    int bodies;
    timing kernel[KERNELS];
} bench_chain;

static bool measure_chains(const bench_target *target, bench_chain *out)
{
    for (int i = 0; i < CHAINS; i++) {
        ff_model *model = measure_chain(chain_lengths[i]);
        out[i].bodies = chain_lengths[i];
        bool good = model && measure_kernels(model, target, out[i].kernel);
        ff_model_destroy(model);
        if (!good) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------ output

static void json_timing(ff_json *w, const char *key, timing t)
{
    if (t.best <= 0) {
        ff_json_null(w, key);
        return;
    }
    ff_json_begin_object(w, key, true);
    ff_json_number(w, "best", t.best);
    ff_json_number(w, "median", t.median);
    ff_json_end_object(w);
}

static void json_kernels(ff_json *w, const timing t[KERNELS])
{
    ff_json_begin_object(w, "kernels", false);
    for (int k = 0; k < KERNELS; k++) json_timing(w, kernels[k].key, t[k]);
    ff_json_end_object(w);
}

static int print_json(const char *machine, const bench_robot *robots, int nrobot, const feet *on_feet,
                      const bench_chain *chains)
{
    ff_json w = {0};
    ff_json_begin_object(&w, NULL, false);
    ff_json_text(&w, "machine", machine);
    ff_json_text(&w, "compiler", COMPILER);
    ff_json_text(&w, "unit", "s");
    ff_json_begin_array(&w, "robots", false);
    for (int i = 0; i < nrobot; i++) {
        const bench_robot *r = &robots[i];
        ff_json_begin_object(&w, NULL, false);
        ff_json_text(&w, "name", r->name);
        ff_json_text(&w, "file", r->path);
        ff_json_integer(&w, "nv", r->nv);
        ff_json_integer(&w, "bodies", r->nbody);
        json_kernels(&w, r->kernel);
        json_timing(&w, "load_to_first_step", r->load);
        ff_json_begin_object(&w, "step", false);
        for (int k = 0; k < FF_METHOD_COUNT; k++) json_timing(&w, ff_method_name((ff_method)k), r->method[k]);
        ff_json_end_object(&w);
        ff_json_end_object(&w);
    }
    ff_json_end_array(&w);
    feet_json(&w, on_feet);
    ff_json_begin_array(&w, "chains", false);
    for (int i = 0; i < CHAINS; i++) {
        ff_json_begin_object(&w, NULL, false);
        ff_json_integer(&w, "bodies", chains[i].bodies);
        json_kernels(&w, chains[i].kernel);
        ff_json_end_object(&w);
    }
    ff_json_end_array(&w);
    ff_json_end_object(&w);
    return print_json_text(&w);
}

static void print_robot(const bench_robot *r)
{
    printf("\n%s%s%s, %d degrees of freedom, %d bodies\n", paint(stdout, STYLE_STRONG), r->name,
           paint(stdout, STYLE_PLAIN), r->nv, r->nbody);
    printf("  %-12s %10s %10s\n", "kernel", "best [ns]", "median");
    for (int k = 0; k < KERNELS; k++)
        printf("  %-12s %10.0f %10.0f   %s\n", kernels[k].key, 1e9 * r->kernel[k].best, 1e9 * r->kernel[k].median,
               kernels[k].what);
    if (r->load.best > 0)
        printf("  load to first step %.2f ms (median %.2f ms)\n", 1e3 * r->load.best, 1e3 * r->load.median);
    printf("  %-12s %12s %12s   in free fall, default settings\n", "method", "best [steps/s]", "median");
    for (int k = 0; k < FF_METHOD_COUNT; k++) {
        if (r->method[k].best > 0)
            printf("  %-12s %14.0f %12.0f\n", ff_method_name((ff_method)k), 1 / r->method[k].best,
                   1 / r->method[k].median);
        else
            printf("  %-12s %14s\n", ff_method_name((ff_method)k),
                   ff_method_built((ff_method)k) ? "failed" : "not built");
    }
}

static void print_text(const char *machine, const bench_robot *robots, int nrobot, const feet *on_feet,
                       const bench_chain *chains)
{
    printf("%s, one thread, %s\n", machine, COMPILER);
    for (int i = 0; i < nrobot; i++) print_robot(&robots[i]);
    feet_print(on_feet);
    printf(
        "\n%sChains of hinges%s, best time per body [ns]; the same down a column means that cost grows linearly\n  %6s",
        paint(stdout, STYLE_STRONG), paint(stdout, STYLE_PLAIN), "bodies");
    for (int k = 0; k < KERNELS; k++) printf(" %11s", kernels[k].key);
    printf("\n");
    for (int i = 0; i < CHAINS; i++) {
        printf("  %6d", chains[i].bodies);
        for (int k = 0; k < KERNELS; k++) printf(" %11.1f", 1e9 * chains[i].kernel[k].best / chains[i].bodies);
        printf("\n");
    }
    printf("  (M of a chain has no zeros: per body, crba grows with its length n, factorising with n^2)\n");
}

// ------------------------------------------------------------------------------------------ command

static void describe_machine(char *out, size_t size)
{
    char model[128] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && !model[0] && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        snprintf(model, sizeof model, "%s", colon + 2);
        model[strcspn(model, "\n")] = '\0';
    }
    if (file) fclose(file);
    struct utsname name;
    bool known = uname(&name) == 0;
    snprintf(out, size, "%s%s%s", known ? name.machine : "unknown machine", model[0] ? ", " : "", model);
}

#define ROBOTS_MAX 16

static int bench(const bench_target *target, const char *const *paths, int count)
{
    static bench_robot robots[ROBOTS_MAX];
    static bench_chain chains[CHAINS];
    for (int i = 0; i < count; i++) {
        print_escaped(stderr, "measuring %s ...\n", paths[i]);
        if (!measure_robot(paths[i], target, &robots[i])) return EXIT_INPUT;
    }
    feet on_feet = {0};
    for (int i = 0; i < count; i++) {
        if (strcmp(robots[i].name, "anton") != 0 || on_feet.measured) continue;
        fprintf(stderr, "measuring anton on its feet ...\n");
        if (!feet_measure(&on_feet, paths[i], target->quick)) return EXIT_SIMULATION;
    }
    fprintf(stderr, "measuring chains ...\n");
    if (!measure_chains(target, chains)) {
        fprintf(stderr, "footfall bench: out of memory for the chains\n");
        return EXIT_INPUT;
    }
    char machine[256];
    describe_machine(machine, sizeof machine);
    if (target->json) return print_json(machine, robots, count, &on_feet, chains);
    print_text(machine, robots, count, &on_feet, chains);
    return EXIT_FINE;
}

// Without names: the robots that come with Footfall, from the current folder or from where they were installed.
static int default_robots(const char *paths[ROBOTS_MAX])
{
    static const char *const places[][2] = {
        {"robots/anton/anton.yaml", FF_DATA_DIR "/robots/anton/anton.yaml"},
        {"robots/humanoid/humanoid.yaml", FF_DATA_DIR "/robots/humanoid/humanoid.yaml"},
    };
    int count = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int found = access(places[i][0], R_OK) == 0 ? 0 : access(places[i][1], R_OK) == 0 ? 1 : -1;
        if (found >= 0)
            paths[count++] = places[i][found];
        else
            fprintf(stderr, "footfall bench: %s is not here; start it in the folder of Footfall, or name robots\n",
                    places[i][0]);
    }
    return count;
}

static int bench_main(const command *self, void *options, ff_arena *arena)
{
    const bench_target *target = options;
    (void)self, (void)arena;
    const char *paths[ROBOTS_MAX];
    if (target->operands.count > 0) return bench(target, target->operands.items, target->operands.count);
    return bench(target, paths, default_robots(paths));
}

const command bench_command = {
    .name = "bench",
    .synopsis = "[MODEL...] [--json] [--quick] [OPTION]...",
    .summary = "measure the dynamics kernels and methods on this machine",
    .description =
        "Times kinematics, inverse dynamics (rnea), mass matrix (crba), forward dynamics (aba) and the factorised "
        "solve at random states; the load of the file up to the first step; steps per second of each integration "
        "method; ANTON, where it is among the robots, standing and marching on its feet, alone and in a batch over all "
        "processors; and how the cost grows along chains of 10 to 500 bodies. Without a MODEL it takes the robots that "
        "come with Footfall. Best and median of repeated batches: where they lie far apart, the machine was busy. "
        "`make bench` compares with MuJoCo.",
    .examples = "  footfall bench\n"
                "  footfall bench my-robot.urdf --floating --json > bench.json\n",
    OPTIONS(FLAG(bench_target, json, "json", "Print one JSON object, times in seconds"),
            FLAG(bench_target, quick, "quick", "Fewer and shorter repeats: a look, not a measurement"),
            MODEL_OPTIONS(bench_target, model)),
    .operands = {0, ROBOTS_MAX, "MODEL"},
    ZERO_PRESET(bench_target),
    .run = bench_main,
};
