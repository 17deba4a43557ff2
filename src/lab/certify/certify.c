// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of a certificate: `begin` starts the tighter run in a thread. `end` makes the independent run, which may
// cost a multiple of the work of the run itself, and measures distances; where they do not close in, the tighter run is
// repeated from a start changed by 1e-9, and where that leads as far away, the motion is chaotic and further runs give
// the spread. Each run stays on one thread, and what is done next depends on results alone: the certificate does not
// depend on the machine or its load.
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

// A distance below this share of the way moved needs no explanation: three runs that scatter by so little, such as by
// the moments at which feet touch down, give bars as they are.
static const double SMALL = FF_CERTIFY_SMALL;
static const double CLOSES_IN = 0.5; // the tighter run is so much nearer to the independent one than the run itself is
static const double FAR = 0.05;      // a run whose bar is more than this share of the way moved is not resolved
static const double AS_FAR = 0.05; // a perturbation of 1e-9 that grows to this share of other differences explains them
enum { RUNS_MOST = 40, SPREAD_MOST = 32 };

struct ff_certifier {
    ff_run *run;
    ff_certify_options asked; // by the caller
    ff_certify_options own;   // handed to runs
    atomic_bool quit;
    int stride;
    ff_trace trace;
    ff_again tighter, independent, twin;
    ff_again spread[SPREAD_MOST];
    int nspread;
    ff_bands bands;
    ff_arena arena;
    ff_certified_run runs[RUNS_MOST];
    ff_certificate certificate;
    bool joined; // no thread is at work
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
    return atomic_load(&c->quit) || (c->asked.stop && c->asked.stop(c->asked.context));
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

static void *go_tighter(void *context)
{
    ff_certifier *c = context;
    ff_again_go(&c->tighter, c->run, c->stride, &c->own, NULL, 0);
    return NULL;
}

static bool start_tighter(ff_certifier *c)
{
#ifdef FF_WITH_THREADS
    c->joined = pthread_create(&c->thread, NULL, go_tighter, c) != 0;
#else
    c->joined = true; // without threads it is made at the end
#endif
    return !c->joined;
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
    c->asked = options ? *options : ff_certify_options_default();
    c->own = c->asked;
    c->own.stop = is_stopped;
    c->own.context = c;
    c->nspread = c->asked.spread < SPREAD_MOST ? c->asked.spread : SPREAD_MOST;
    c->stride = ff_trace_choose_stride(run);
    c->joined = true;
    c->tighter = (ff_again){.role = FF_ROLE_TIGHTER, .sim = ff_again_tighter(&ff_run_get_options(run)->sim)};
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
    ff_again_clear(&c->tighter);
    ff_again_clear(&c->independent);
    ff_again_clear(&c->twin);
    for (int i = 0; i < c->nspread; i++) ff_again_clear(&c->spread[i]);
    ff_bands_clear(&c->bands);
    ff_trace_clear(&c->trace);
    ff_arena_clear(&c->arena);
    free(c);
}

// ------------------------------------------------------------------------------------------ the other runs

static ff_certified_run describe_run(ff_certifier *c, const ff_again *again)
{
    ff_sim *sim = again->run ? ff_run_sim(again->run) : NULL;
    return (ff_certified_run){
        .role = ff_role_name(again->role),
        .method = ff_method_name(again->sim.method),
        .setting = ff_again_describe(&again->sim, &c->arena),
        .outcome = again->status == FF_OK ? "finished"
                   : again->trace.gave_up
                       ? ff_arena_printf(&c->arena, "given up: more than %g times the work", c->asked.most_work)
                   : again->err.text[0] != '\0' ? ff_arena_strdup(&c->arena, again->err.text)
                                                : ff_status_text(again->status),
        .time = sim ? ff_sim_time(sim) : 0.0,
        .evaluations = sim ? ff_sim_get_counts(sim).evaluations : 0,
        .ended = ff_again_ended(again),
    };
}

static void list_run(ff_certifier *c, const ff_again *again)
{
    ff_certificate *out = &c->certificate;
    if (again->possible && out->nrun < RUNS_MOST) c->runs[out->nrun++] = describe_run(c, again);
}

/// The first choice that succeeds.
static void go_independent(ff_certifier *c)
{
    for (int choice = 0; !is_stopped(c); choice++) {
        ff_again again = {.role = FF_ROLE_INDEPENDENT};
        if (!ff_again_independent(&ff_run_get_options(c->run)->sim, choice, &again.sim)) return;
        c->independent = again;
        ff_again_go(&c->independent, c->run, c->stride, &c->own, &c->trace, 0);
        list_run(c, &c->independent);
        if (ff_again_ended(&c->independent)) return;
        ff_again_clear(&c->independent);
    }
}

/// Runs of the spread, taken one by one by each thread.
typedef struct crowd {
    ff_certifier *certifier;
    atomic_int next;
} crowd;

static void *go_some(void *context)
{
    crowd *all = context;
    ff_certifier *c = all->certifier;
    for (int i; (i = atomic_fetch_add(&all->next, 1)) < c->nspread;) {
        if (is_stopped(c)) return NULL;
        c->spread[i] = (ff_again){.role = FF_ROLE_PERTURBED, .sim = ff_run_get_options(c->run)->sim};
        ff_again_go(&c->spread[i], c->run, c->stride, &c->own, NULL, 2 + i); // 1 is the twin's
    }
    return NULL;
}

static void go_spread(ff_certifier *c)
{
    crowd all = {.certifier = c};
#ifdef FF_WITH_THREADS
    pthread_t threads[SPREAD_MOST];
    int n = 0, wanted = ff_team_processors() - 1;
    if (wanted > c->nspread - 1) wanted = c->nspread - 1;
    while (n < wanted && pthread_create(&threads[n], NULL, go_some, &all) == 0) n++;
    go_some(&all);
    for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
#else
    go_some(&all);
#endif
    for (int i = 0; i < c->nspread; i++) list_run(c, &c->spread[i]);
}

// ------------------------------------------------------------------------------------------ what they say

static double largest(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : ff_max(a, b);
}

bool ff_certificate_closes_in(const ff_certificate *c)
{
    return c->between <= CLOSES_IN * c->tighter;
}

/// What distances are compared to.  [m]
static double way_moved(const ff_certificate *out)
{
    return ff_max(out->moved, FF_CERTIFY_AT_REST);
}

static bool is_resolved(const ff_certificate *out)
{
    if (isnan(out->independent)) return false; // one method alone may be wrong at any step
    const double from_run = largest(out->tighter, out->independent), most = largest(from_run, out->between);
    const double way = way_moved(out), bar = ff_bar(0.0, from_run, from_run - out->between);
    return most <= SMALL * way || (ff_certificate_closes_in(out) && bar <= FAR * way);
}

/// The tighter run once more, from a start changed by 1e-9.
static bool is_chaotic(ff_certifier *c)
{
    ff_certificate *out = &c->certificate;
    if (!ff_again_ended(&c->tighter)) return false;
    c->twin = (ff_again){.role = FF_ROLE_PERTURBED, .sim = c->tighter.sim};
    ff_again_go(&c->twin, c->run, c->stride, &c->own, NULL, 1);
    list_run(c, &c->twin);
    const ff_distance apart = ff_trace_distance(&c->tighter.trace, &c->twin.trace, &c->arena);
    const double most = largest(out->tighter, out->between);
    out->perturbed = apart.most;
    if (!(apart.most > SMALL * way_moved(out) && apart.most >= AS_FAR * most)) return false;
    out->doubling = ff_distance_doubling(&apart);
    return true;
}

static void measure_distances(ff_certifier *c)
{
    ff_certificate *out = &c->certificate;
    const bool b = ff_again_ended(&c->tighter), other = ff_again_ended(&c->independent);
    const ff_trace none = {0};
    const ff_trace *tighter = b ? &c->tighter.trace : &none, *independent = other ? &c->independent.trace : &none;
    const ff_distance from_tighter = ff_trace_distance(&c->trace, tighter, &c->arena);
    out->moved = ff_trace_moved(&c->trace, &c->arena);
    out->tighter = from_tighter.most;
    out->independent = ff_trace_distance(&c->trace, independent, &c->arena).most;
    out->between = ff_trace_distance(tighter, independent, &c->arena).most;
    out->parting = ff_trace_part(&c->trace, tighter, &from_tighter, way_moved(out), &c->arena);
}

/// All runs that came to their end beside the run itself. @return how many
static int list_others(const ff_certifier *c, const ff_again *others[SPREAD_MOST + 3])
{
    const ff_again *const first[] = {&c->tighter, &c->independent, &c->twin};
    int n = 0;
    for (int i = 0; i < 3; i++)
        if (ff_again_ended(first[i])) others[n++] = first[i];
    for (int i = 0; i < c->nspread; i++)
        if (ff_again_ended(&c->spread[i])) others[n++] = &c->spread[i];
    return n;
}

static bool certify_numbers(ff_certifier *c)
{
    ff_values tighter, independent, spread[SPREAD_MOST + 3];
    const ff_again *others[SPREAD_MOST + 3];
    const bool chaotic = c->certificate.certainty == FF_CERTAINTY_CHAOTIC;
    const int nother = chaotic ? list_others(c, others) : 0;
    int n = 0;
    const ff_run *b = ff_again_ended(&c->tighter) ? c->tighter.run : NULL;
    const ff_run *other = ff_again_ended(&c->independent) ? c->independent.run : NULL;
    bool ok = ff_values_take(&tighter, c->run, b, &c->arena) && ff_values_take(&independent, c->run, other, &c->arena);
    for (; ok && n < nother; n++) ok = ff_values_take(&spread[n], c->run, others[n]->run, &c->arena);
    if (ok) ff_certify_numbers(&c->certificate, c->run, &tighter, &independent, spread, n, &c->arena);
    return ok;
}

static bool make_bands(ff_certifier *c)
{
    const ff_trace *b = ff_again_ended(&c->tighter) ? &c->tighter.trace : NULL;
    const ff_trace *other = ff_again_ended(&c->independent) ? &c->independent.trace : NULL;
    if (!ff_bands_begin(&c->bands, &c->trace)) return false;
    if (c->certificate.certainty != FF_CERTAINTY_CHAOTIC) {
        ff_bands_add_bars(&c->bands, b, other);
        return true;
    }
    const ff_again *others[SPREAD_MOST + 3];
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
    if (out->certainty == FF_CERTAINTY_CHAOTIC && c->nspread > 0) go_spread(c);
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
    const ff_again itself = {.possible = true, .run = c->run, .sim = ff_run_get_options(c->run)->sim, .status = FF_OK};
    list_run(c, &itself);
    out->nrun++;                                          // the tighter one, once it is done
    if (c->joined && !c->tighter.possible) go_tighter(c); // there was no thread
    go_independent(c);
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
