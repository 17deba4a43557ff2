// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of signals of controllers, computed by name and only where somebody asks for them: control.SIGNAL.mean and
// the like, over the time of the first window. A signal holds its value from one cycle to the next, and cycles come
// after what listeners see at their instant: what a step finds at its end held all through it.
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

/// One signal that is followed.
typedef struct track {
    const char *metric;
    int what;
    const double *value; // where the controller keeps it
    double time, sum, squares, low, high, last;
} track;

typedef struct signals {
    ff_measure_window window;
    track *tracks;
    int n;
    double looked; // [s]
} signals;

// ------------------------------------------------------------------------------------------ names

/// Which of `ends` a name has, and how long the name of the signal before it is; -1: it is no such metric.
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

/// Does a name look like one? Whether the signal exists is known when controllers have begun.
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

// ------------------------------------------------------------------------------------------ following

static ff_sim_action look(void *context, ff_sim *sim, double t)
{
    signals *s = context;
    const double span = ff_window_overlap(&s->window, t, t - s->looked);
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
    s->looked = t;
    return FF_SIM_GO;
}

static ff_status begin(const ff_measure_site *site, void **context, ff_error *err)
{
    signals *s = FF_ARENA_NEW(site->arena, signals, 1);
    if (s) s->tracks = FF_ARENA_NEW(site->arena, track, site->nasked + 1);
    if (!s || !s->tracks) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    s->window = site->nwindow > 0 ? site->windows[0] : (ff_measure_window){.from = 0.0, .to = INFINITY};
    for (int i = 0; site->signal && i < site->nasked; i++) {
        const char *name = site->asked[i];
        size_t length;
        const int what = split(name, &length);
        const double *at = what >= 0 ? site->signal(site->context, name + sizeof start - 1, length) : NULL;
        if (at)
            s->tracks[s->n++] =
                (track){.metric = name, .what = what, .value = at, .low = INFINITY, .high = -INFINITY, .last = NAN};
    }
    if (s->n == 0) return FF_OK;
    *context = s;
    const ff_listener listener = {.context = s, .step = look};
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
