// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON on its feet, standing and marching: what a step with contacts costs, how many times real time the implicit
// method with error control runs, and what a batch on all processors gives. The targets are those of the project; `make
// bench` adds the values of MuJoCo.
#include "bench.h"

#include "commands.h"
#include "terminal.h"

#define PIECE      0.5 // one period of the march: every piece does the same work  [s]
#define PIECES_MAX 24
#define BATCH      64

static const double STEP = 1e-3;

// ------------------------------------------------------------------------------------------ one simulation

/// Real over simulated time.
static timing measure_run(const march *how, ff_method method, double accuracy, march_law law, int pieces)
{
    ff_sim_options options = ff_sim_options_default();
    options.method = method;
    options.step = STEP;
    options.accuracy = accuracy;
    marcher r;
    if (!marcher_create(&r, how, &options, law)) return (timing){0, 0};
    double times[PIECES_MAX];
    bool good = ff_sim_run(r.sim, 2 * PIECE, NULL) == FF_OK;
    for (int i = 0; good && i < pieces; i++) {
        double start = clock_seconds();
        good = ff_sim_run(r.sim, ff_sim_time(r.sim) + PIECE, NULL) == FF_OK;
        times[i] = (clock_seconds() - start) / PIECE;
    }
    marcher_destroy(&r);
    return good ? timing_of(times, pieces) : (timing){0, 0};
}

static timing scaled(timing t, double factor)
{
    return (timing){factor * t.best, factor * t.median};
}

static void measure_gait(feet *out, const march *how, int gait, int pieces)
{
    out->euler[gait] = scaled(measure_run(how, FF_METHOD_EULER, 0, MARCH_SAMPLED, pieces), STEP);
    out->implicit[gait] = scaled(measure_run(how, FF_METHOD_IMPLICIT, 0, MARCH_SAMPLED, pieces), STEP);
    out->continuous[gait] = measure_run(how, FF_METHOD_IMPLICIT, 1e-3, MARCH_CONTINUOUS, pieces);
    out->sampled[gait] = measure_run(how, FF_METHOD_IMPLICIT, 1e-3, MARCH_SAMPLED, pieces);
}

// ------------------------------------------------------------------------------------------ batch

static bool run_batch(marcher *robots, double duration, int threads)
{
    ff_sim *sims[BATCH];
    for (int i = 0; i < BATCH; i++) sims[i] = robots[i].sim;
    return ff_team_run(sims, BATCH, ff_sim_time(sims[0]) + duration, threads, NULL, NULL) == FF_OK;
}

// Runs on one thread and on all threads alternate, so that a busy machine slows both.
static bool measure_batch(feet *out, const march *how, int pieces)
{
    static marcher robots[BATCH];
    double alone[PIECES_MAX], together[PIECES_MAX];
    const double duration = 0.1;
    bool good = true;
    ff_sim_options options = ff_sim_options_default();
    options.method = FF_METHOD_EULER;
    out->threads = ff_team_processors();
    for (int i = 0; i < BATCH; i++) good = good && marcher_create(&robots[i], how, &options, MARCH_SAMPLED);
    good = good && run_batch(robots, duration, 0);
    for (int i = 0; good && i < pieces; i++) {
        double start = clock_seconds();
        good = run_batch(robots, duration, 1);
        double middle = clock_seconds();
        good = good && run_batch(robots, duration, 0);
        alone[i] = (middle - start) * STEP / (BATCH * duration);
        together[i] = (clock_seconds() - middle) * STEP / (BATCH * duration);
    }
    for (int i = 0; i < BATCH; i++) marcher_destroy(&robots[i]);
    if (!good) return false;
    out->alone = timing_of(alone, pieces);
    out->together = timing_of(together, pieces);
    return true;
}

bool feet_measure(feet *out, const char *path, bool quick)
{
    *out = (feet){0};
    int pieces = quick ? 3 : PIECES_MAX;
    march how[2] = {0};
    ff_model *model = march_load(path);
    out->measured = model && march_create(&how[0], model, 0) && march_create(&how[1], model, 0.025);
    for (int gait = 0; out->measured && gait < 2; gait++) measure_gait(out, &how[gait], gait, pieces);
    out->measured = out->measured && measure_batch(out, &how[1], pieces);
    march_destroy(&how[0]);
    march_destroy(&how[1]);
    ff_model_destroy(model);
    return out->measured;
}

// ------------------------------------------------------------------------------------------ output

static void print_line(const char *what, const char *unit, const double value[2], double wanted)
{
    printf("  %-46s", what);
    for (int i = 0; i < 2; i++) {
        if (value[i] > 0)
            printf(" %10.*f", value[i] < 100 ? 1 : 0, value[i]);
        else
            printf(" %10s", "failed");
    }
    printf("  %s", unit);
    if (wanted > 0) printf(", wanted: %g or more", wanted);
    printf("\n");
}

static void print_pair(const char *what, const char *unit, const timing t[2], bool inverse, double factor,
                       double wanted)
{
    double value[2] = {0};
    for (int i = 0; i < 2; i++)
        if (t[i].best > 0) value[i] = inverse ? factor / t[i].best : factor * t[i].best;
    print_line(what, unit, value, wanted);
}

void feet_print(const feet *f)
{
    if (!f->measured) return;
    printf("\n%sANTON on six feet%s, joints held at 1 kHz; best of pieces of 0.5 s\n  %-46s %10s %10s\n",
           paint(stdout, STYLE_STRONG), paint(stdout, STYLE_PLAIN), "", "standing", "marching");
    print_pair("one step of euler, 1 ms", "us", f->euler, false, 1e6, 0);
    print_pair("one step of implicit, 1 ms", "us", f->implicit, false, 1e6, 0);
    print_pair("implicit, accuracy 1e-3, joint law continuous", "times real time", f->continuous, true, 1, 40);
    print_pair("implicit, accuracy 1e-3, joint law at 1 kHz", "times real time", f->sampled, true, 1, 20);
    printf("  batch of %d robots marching, euler 1 ms: %.0f steps/s on %d thread%s (wanted on 2: 300000), %.2f times "
           "one thread (wanted on 2: 1.9)\n",
           BATCH, 1 / f->together.best, f->threads, f->threads == 1 ? "" : "s", f->alone.best / f->together.best);
}

static void json_gaits(ff_json *w, const char *key, const timing t[2])
{
    static const char *const gaits[2] = {"standing", "marching"};
    ff_json_begin_object(w, key, false);
    for (int i = 0; i < 2; i++) {
        ff_json_begin_object(w, gaits[i], true);
        ff_json_number(w, "best", t[i].best);
        ff_json_number(w, "median", t[i].median);
        ff_json_end_object(w);
    }
    ff_json_end_object(w);
}

void feet_json(ff_json *w, const feet *f)
{
    if (!f->measured) {
        ff_json_null(w, "feet");
        return;
    }
    ff_json_begin_object(w, "feet", false);
    json_gaits(w, "euler_step", f->euler);
    json_gaits(w, "implicit_step", f->implicit);
    json_gaits(w, "real_over_simulated_continuous", f->continuous);
    json_gaits(w, "real_over_simulated_sampled", f->sampled);
    ff_json_integer(w, "batch_threads", f->threads);
    ff_json_number(w, "batch_step_one_thread", f->alone.best);
    ff_json_number(w, "batch_step_all_threads", f->together.best);
    ff_json_end_object(w);
}
