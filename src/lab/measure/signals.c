// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of signals of controllers, computed on request: control.SIGNAL.mean and others, over the time of the first
// window. A signal keeps its value from one cycle to the next, and listeners are called before the cycle that is due at
// the same time. So the value at the end of a step is that of the whole step.
#include "measure/measure.h"

#include <math.h>
#include <string.h>

enum { FINAL, MEAN, RMS, MIN, MAX, ENDS };
static const char *const ends[ENDS] = {".final", ".mean", ".rms", ".min", ".max"};
static const char start[] = "control.";

static const ff_metric_help help[ENDS + 1] = {
    [FINAL] = {"control.SIGNAL.final", "",
               "last value of a signal, in its unit; of these metrics.from and .to bound the time"},
    [MEAN] = {"control.SIGNAL.mean", "", "mean over time"},
    [RMS] = {"control.SIGNAL.rms", "", "root mean square over time"},
    [MIN] = {"control.SIGNAL.min", "", "least value of it"},
    [MAX] = {"control.SIGNAL.max", "", "greatest value of it"},
};

/// A requested metric of a signal.
typedef struct track {
    const char *metric;
    int what;            // index in `ends`
    const double *value; // the signal, in memory of the controller
    double time, sum, squares, low, high, last;
} track;

typedef struct signals {
    ff_measure_window window;
    track *tracks;
    int n;
    double last_step; // time of its end  [s]
} signals;

// ------------------------------------------------------------------------------------------ names

/// Index in `ends` of the end of a name, with the length of the signal's name before it; -1: it is no such metric.
static int split(const char *name, size_t *length)
{
    const size_t whole = strlen(name), lead = sizeof start - 1;
    if (strncmp(name, start, lead) != 0) return -1;
    for (int k = 0; k < ENDS; k++) {
        const size_t tail = strlen(ends[k]);
        if (whole <= lead + tail || strcmp(name + whole - tail, ends[k]) != 0) continue;
        *length = whole - lead - tail;
        return k;
    }
    return -1;
}

/// Has a name the form of a metric of signals? Whether the signal exists is known after controllers have begun.
static bool knows(const ff_measure_site *site, const char *name)
{
    size_t length;
    return site->signal && split(name, &length) >= 0;
}

static void check(const ff_measure_site *site, const char *name, ff_place place, ff_report *report)
{
    size_t length;
    if (split(name, &length) < 0 || site->signal(site->context, name + sizeof start - 1, length)) return;
    ff_report_add(report, FF_ERROR, place, "no controller has a signal '%.*s'", (int)length, name + sizeof start - 1);
}

// ------------------------------------------------------------------------------------------ measuring

static ff_sim_action after_step(void *context, ff_sim *sim, double t)
{
    signals *s = context;
    const double span = ff_window_overlap(&s->window, t, t - s->last_step);
    (void)sim;
    for (int i = 0; i < s->n; i++) {
        track *at = &s->tracks[i];
        if (!(span > 0.0)) continue;
        at->last = *at->value;
        at->time += span;
        at->sum += span * at->last;
        at->squares += span * at->last * at->last;
        at->low = ff_min(at->low, at->last);
        at->high = ff_max(at->high, at->last);
    }
    s->last_step = t;
    return FF_SIM_GO;
}

static ff_status begin(const ff_measure_site *site, void **context, ff_error *err)
{
    signals *s = FF_ARENA_NEW(site->arena, signals, 1);
    if (s) s->tracks = FF_ARENA_NEW(site->arena, track, site->nrequested + 1);
    if (!s || !s->tracks) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    s->window = site->nwindow > 0 ? site->windows[0] : (ff_measure_window){.from = 0.0, .to = INFINITY};
    for (int i = 0; site->signal && i < site->nrequested; i++) {
        const char *name = site->requested[i];
        size_t length;
        const int what = split(name, &length);
        const double *at = what >= 0 ? site->signal(site->context, name + sizeof start - 1, length) : NULL;
        if (at)
            s->tracks[s->n++] =
                (track){.metric = name, .what = what, .value = at, .low = INFINITY, .high = -INFINITY, .last = NAN};
    }
    if (s->n == 0) return FF_OK;
    *context = s;
    const ff_listener listener = {.context = s, .step = after_step};
    return ff_sim_add_listener(site->sim, &listener, err);
}

static bool value(const void *context, const char *name, double *out)
{
    const signals *s = context;
    for (int i = 0; i < s->n; i++) {
        const track *at = &s->tracks[i];
        if (strcmp(at->metric, name) != 0) continue;
        const double values[ENDS] = {at->last, at->sum / at->time, sqrt(at->squares / at->time), at->low, at->high};
        *out = at->time > 0.0 ? values[at->what] : NAN;
        return true;
    }
    return false;
}

const ff_measure_kind ff_measure_signals = {
    .name = "signals", .help = help, .knows = knows, .check = check, .begin = begin, .value = value};
