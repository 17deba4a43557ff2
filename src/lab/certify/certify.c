// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The stages of a certificate: `begin` starts the tighter run in a thread. `end` makes the independent run, which may
// cost a multiple of the work of the run itself, and measures distances. If they do not converge, the tighter run is
// repeated from a start changed by 1e-9. If that changes the motion as much, the motion is chaotic, and further runs
// give the spread. Each run has one thread, and each stage depends on results only, so the certificate does not depend
// on the machine or its load.
#include "certify.h"

#include "base/missing.h"

#include <footfall/team.h>

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef FF_WITH_THREADS
#include <pthread.h>
#endif

// Runs converge if the tighter and the independent one are closer than this share of the distance of run and tighter.
static const double CONVERGED = 0.5;
static const double MOST_BAR = 0.05; // a run with a larger bar is unresolved  [share of the distance moved]
// A motion is chaotic if a perturbation of 1e-9 grows to this share of the distances of the other runs.
static const double CHAOTIC = 0.05;
enum { RUNS_MOST = 40, SPREAD_MOST = 32 };

struct ff_certifier {
    ff_run *run;
    ff_certify_options options;     // of the caller
    ff_certify_options run_options; // of repeated runs, which also stop when `quit` is set
    atomic_bool quit;
    int stride;
    ff_trace trace;
    ff_repeat tighter, independent, perturbed;
    ff_repeat spread[SPREAD_MOST];
    int nspread;
    ff_bands bands;
    ff_arena arena;
    ff_certified_run runs[RUNS_MOST];
    ff_certificate certificate;
    bool joined; // no thread is running
#ifdef FF_WITH_THREADS
    pthread_t thread;
#endif
};

ff_certify_options ff_certify_options_default(void)
{
    return (ff_certify_options){.spread = 4, .most_work = 50.0};
}

static bool is_stopped(void *context)
{
    ff_certifier *c = context;
    return atomic_load(&c->quit) || (c->options.stop && c->options.stop(c->options.context));
}

// ------------------------------------------------------------------------------------------ begin

static ff_status check(const ff_run *run, ff_error *err)
{
    const ff_run_options *o = ff_run_get_options(run);
    const char *why = NULL;
    if (ff_sim_time(ff_run_sim(run)) > 0.0 || ff_sim_get_counts(ff_run_sim(run)).steps > 0)
        why = "it has begun, or goes on from a saved state: a certificate needs the whole run";
    else if (o->touchable)
        why = "it can be pushed and pulled by hand, which cannot be repeated";
    else if (o->ncontroller > 0)
        why = "it has controllers of the caller, which cannot be repeated";
    else if (o->permissions != 0)
        why = "its scripts may write files or start programs, and would do so in each of its runs: leave out --allow";
    if (!why) return ff_run_is_ready(run, err);
    return ff_error_set(err, FF_BAD_ARGUMENT, "this run cannot be certified: %s", why);
}

static void *run_tighter(void *context)
{
    ff_certifier *c = context;
    ff_repeat_run(&c->tighter, c->run, c->stride, &c->run_options, NULL, 0);
    return NULL;
}

static void start_tighter(ff_certifier *c)
{
#ifdef FF_WITH_THREADS
    c->joined = pthread_create(&c->thread, NULL, run_tighter, c) != 0;
#else
    c->joined = true; // without threads it runs at the end
#endif
}

static void join_tighter(ff_certifier *c)
{
#ifdef FF_WITH_THREADS
    if (!c->joined) pthread_join(c->thread, NULL);
#endif
    c->joined = true;
}

ff_certifier *ff_certify_begin(ff_run *run, const ff_certify_options *options, ff_error *err)
{
    ff_error unread = {0};
    if (!err) err = &unread;
    if (!run) return ff_error_missing(err, __func__, "run"), NULL;
    if (check(run, err) != FF_OK) return NULL;
    ff_certifier *c = calloc(1, sizeof *c);
    if (!c) {
        ff_error_set(err, FF_NO_MEMORY, "out of memory");
        return NULL;
    }
    c->run = run;
    c->options = options ? *options : ff_certify_options_default();
    c->run_options = c->options;
    c->run_options.stop = is_stopped;
    c->run_options.context = c;
    c->nspread = c->options.spread < SPREAD_MOST ? c->options.spread : SPREAD_MOST;
    c->stride = ff_trace_choose_stride(run);
    c->joined = true;
    c->tighter = (ff_repeat){.role = FF_ROLE_TIGHTER, .sim = ff_repeat_tighter(&ff_run_get_options(run)->sim)};
    if (ff_trace_begin(&c->trace, run, c->stride, err) != FF_OK) {
        ff_certifier_destroy(c);
        return NULL;
    }
    start_tighter(c);
    return c;
}

void ff_certifier_destroy(ff_certifier *c)
{
    if (!c) return;
    atomic_store(&c->quit, true);
    join_tighter(c);
    ff_repeat_clear(&c->tighter);
    ff_repeat_clear(&c->independent);
    ff_repeat_clear(&c->perturbed);
    for (int i = 0; i < c->nspread; i++) ff_repeat_clear(&c->spread[i]);
    ff_bands_clear(&c->bands);
    ff_trace_clear(&c->trace);
    ff_arena_clear(&c->arena);
    free(c);
}

// ------------------------------------------------------------------------------------------ the other runs

static ff_certified_run describe_run(ff_certifier *c, const ff_repeat *repeat)
{
    ff_sim *sim = repeat->run ? ff_run_sim(repeat->run) : NULL;
    return (ff_certified_run){
        .role = ff_role_name(repeat->role),
        .method = ff_method_name(repeat->sim.method),
        .setting = ff_repeat_describe(&repeat->sim, &c->arena),
        .outcome = repeat->status == FF_OK ? "finished"
                   : repeat->trace.gave_up
                       ? ff_arena_printf(&c->arena, "given up: more than %g times the work", c->options.most_work)
                   : repeat->err.text[0] != '\0' ? ff_arena_strdup(&c->arena, repeat->err.text)
                                                 : ff_status_text(repeat->status),
        .time = sim ? ff_sim_time(sim) : 0.0,
        .evaluations = sim ? ff_sim_get_counts(sim).evaluations : 0,
        .ended = ff_repeat_ended(repeat),
    };
}

static void list_run(ff_certifier *c, const ff_repeat *repeat)
{
    ff_certificate *out = &c->certificate;
    if (repeat->possible && out->nrun < RUNS_MOST) c->runs[out->nrun++] = describe_run(c, repeat);
}

/// The first choice that succeeds.
static void run_independent(ff_certifier *c)
{
    for (int choice = 0; !is_stopped(c); choice++) {
        ff_repeat repeat = {.role = FF_ROLE_INDEPENDENT};
        if (!ff_repeat_independent(&ff_run_get_options(c->run)->sim, choice, &repeat.sim)) return;
        c->independent = repeat;
        ff_repeat_run(&c->independent, c->run, c->stride, &c->run_options, &c->trace, 0);
        list_run(c, &c->independent);
        if (ff_repeat_ended(&c->independent)) return;
        ff_repeat_clear(&c->independent);
    }
}

/// Runs of the spread; each thread does the next one that is left.
typedef struct spread_runs {
    ff_certifier *certifier;
    atomic_int next;
} spread_runs;

static void *run_next(void *context)
{
    spread_runs *all = context;
    ff_certifier *c = all->certifier;
    for (int i; (i = atomic_fetch_add(&all->next, 1)) < c->nspread;) {
        if (is_stopped(c)) return NULL;
        c->spread[i] = (ff_repeat){.role = FF_ROLE_PERTURBED, .sim = ff_run_get_options(c->run)->sim};
        ff_repeat_run(&c->spread[i], c->run, c->stride, &c->run_options, NULL, 2 + i); // number 1 is `perturbed`
    }
    return NULL;
}

static void run_spread(ff_certifier *c)
{
    spread_runs all = {.certifier = c};
#ifdef FF_WITH_THREADS
    pthread_t threads[SPREAD_MOST];
    int n = 0, wanted = ff_team_processors() - 1;
    if (wanted > c->nspread - 1) wanted = c->nspread - 1;
    while (n < wanted && pthread_create(&threads[n], NULL, run_next, &all) == 0) n++;
    run_next(&all);
    for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
#else
    run_next(&all);
#endif
    for (int i = 0; i < c->nspread; i++) list_run(c, &c->spread[i]);
}

// ------------------------------------------------------------------------------------------ conclusions

static double largest(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : ff_max(a, b);
}

bool ff_certificate_converges(const ff_certificate *c)
{
    return c->between <= CONVERGED * c->tighter;
}

/// Distance moved, at least FF_CERTIFY_AT_REST, to which distances of runs are compared.  [m]
static double distance_moved(const ff_certificate *out)
{
    return ff_max(out->moved, FF_CERTIFY_AT_REST);
}

static bool is_resolved(const ff_certificate *out)
{
    if (isnan(out->independent)) return false; // one method alone may be wrong at any step
    const double from_run = largest(out->tighter, out->independent), most = largest(from_run, out->between);
    const double moved = distance_moved(out), bar = ff_bar(0.0, from_run, from_run - out->between);
    return most <= FF_CERTIFY_SMALL * moved || (ff_certificate_converges(out) && bar <= MOST_BAR * moved);
}

/// Repeats the tighter run from a start changed by 1e-9. @return whether that changes the motion
static bool is_chaotic(ff_certifier *c)
{
    ff_certificate *out = &c->certificate;
    if (!ff_repeat_ended(&c->tighter)) return false;
    c->perturbed = (ff_repeat){.role = FF_ROLE_PERTURBED, .sim = c->tighter.sim};
    ff_repeat_run(&c->perturbed, c->run, c->stride, &c->run_options, NULL, 1);
    list_run(c, &c->perturbed);
    const ff_distance d = ff_trace_distance(&c->tighter.trace, &c->perturbed.trace, &c->arena);
    const double most = largest(out->tighter, out->between);
    out->perturbed = d.most;
    if (!(d.most > FF_CERTIFY_SMALL * distance_moved(out) && d.most >= CHAOTIC * most)) return false;
    out->doubling = ff_distance_doubling(&d);
    return true;
}

static void measure_distances(ff_certifier *c)
{
    ff_certificate *out = &c->certificate;
    const bool b = ff_repeat_ended(&c->tighter), other = ff_repeat_ended(&c->independent);
    const ff_trace none = {0};
    const ff_trace *tighter = b ? &c->tighter.trace : &none, *independent = other ? &c->independent.trace : &none;
    const ff_distance from_tighter = ff_trace_distance(&c->trace, tighter, &c->arena);
    out->moved = ff_trace_moved(&c->trace, &c->arena);
    out->tighter = from_tighter.most;
    out->independent = ff_trace_distance(&c->trace, independent, &c->arena).most;
    out->between = ff_trace_distance(tighter, independent, &c->arena).most;
    out->parting = ff_trace_part(&c->trace, tighter, &from_tighter, distance_moved(out), &c->arena);
}

/// Lists all repeated runs that reached their end. @return how many there are
static int list_others(const ff_certifier *c, const ff_repeat *others[SPREAD_MOST + 3])
{
    const ff_repeat *const first[] = {&c->tighter, &c->independent, &c->perturbed};
    int n = 0;
    for (int i = 0; i < 3; i++)
        if (ff_repeat_ended(first[i])) others[n++] = first[i];
    for (int i = 0; i < c->nspread; i++)
        if (ff_repeat_ended(&c->spread[i])) others[n++] = &c->spread[i];
    return n;
}

static bool certify_numbers(ff_certifier *c)
{
    ff_values tighter, independent, spread[SPREAD_MOST + 3];
    const ff_repeat *others[SPREAD_MOST + 3];
    const bool chaotic = c->certificate.certainty == FF_CERTAINTY_CHAOTIC;
    const int nother = chaotic ? list_others(c, others) : 0;
    int n = 0;
    const ff_run *b = ff_repeat_ended(&c->tighter) ? c->tighter.run : NULL;
    const ff_run *other = ff_repeat_ended(&c->independent) ? c->independent.run : NULL;
    bool ok = ff_values_take(&tighter, c->run, b, &c->arena) && ff_values_take(&independent, c->run, other, &c->arena);
    for (; ok && n < nother; n++) ok = ff_values_take(&spread[n], c->run, others[n]->run, &c->arena);
    if (ok) ff_certify_numbers(&c->certificate, c->run, &tighter, &independent, spread, n, &c->arena);
    return ok;
}

static bool make_bands(ff_certifier *c)
{
    const ff_trace *b = ff_repeat_ended(&c->tighter) ? &c->tighter.trace : NULL;
    const ff_trace *other = ff_repeat_ended(&c->independent) ? &c->independent.trace : NULL;
    if (!ff_bands_begin(&c->bands, &c->trace)) return false;
    if (c->certificate.certainty != FF_CERTAINTY_CHAOTIC) {
        ff_bands_add_bars(&c->bands, b, other);
        return true;
    }
    const ff_repeat *others[SPREAD_MOST + 3];
    const int nother = list_others(c, others);
    for (int i = 0; i < nother; i++) ff_bands_reach(&c->bands, &others[i]->trace);
    return true;
}

static void evaluate(ff_certifier *c)
{
    ff_certificate *out = &c->certificate;
    measure_distances(c);
    out->certainty = FF_CERTAINTY_RESOLVED;
    if (is_resolved(out)) return;
    out->certainty = is_chaotic(c) ? FF_CERTAINTY_CHAOTIC : FF_CERTAINTY_UNRESOLVED;
    if (out->certainty == FF_CERTAINTY_CHAOTIC && c->nspread > 0) run_spread(c);
}

const ff_certificate *ff_certify_end(ff_certifier *c, ff_status status, ff_error *err)
{
    ff_certificate *out = &c->certificate;
    if (status != FF_OK && status != FF_STOPPED) {
        ff_error_set(err, status, "no certificate: the run itself did not come to its end");
        return NULL;
    }
    *out = (ff_certificate){.runs = c->runs, .doubling = NAN, .perturbed = NAN};
    ff_trace_end(&c->trace);
    const ff_repeat itself = {.possible = true, .run = c->run, .sim = ff_run_get_options(c->run)->sim, .status = FF_OK};
    list_run(c, &itself);
    out->nrun++;                                           // runs[1] is the tighter one, filled when it is done
    if (c->joined && !c->tighter.possible) run_tighter(c); // there was no thread
    run_independent(c);
    join_tighter(c);
    c->runs[1] = describe_run(c, &c->tighter);
    if (!is_stopped(c)) evaluate(c);
    if (is_stopped(c)) {
        ff_error_set(err, FF_STOPPED, "no certificate: its runs were interrupted");
        return NULL;
    }
    bool ok = certify_numbers(c) && make_bands(c) && !c->trace.lacks_memory && !c->tighter.trace.lacks_memory;
    out->text = ok ? ff_certificate_describe(out, ff_run_scene(c->run), &c->arena) : NULL;
    if (out->text && !c->arena.failed) return out;
    ff_error_set(err, FF_NO_MEMORY, "no certificate: out of memory");
    return NULL;
}

char *ff_certifier_bands(const ff_certifier *c)
{
    return ff_bands_to_json(&c->bands);
}
