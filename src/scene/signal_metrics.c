// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of what controllers tell, computed by name and only where an expectation asks for them: control.SIGNAL.mean and the like, over the time that
// `metrics: {from, to}` bounds. A signal holds its value from one cycle to the next, and cycles come after what listeners see at their instant: what
// a step finds at its end held all through it.
#include "scene/walk.h"

#include <math.h>
#include <string.h>

enum { FINAL, MEAN, RMS, MIN, MAX, ENDS };
static const char *const ends[ENDS] = {".final", ".mean", ".rms", ".min", ".max"};
static const char start[] = "control.";

static const char *const help[ENDS][2] = {
    [FINAL] = {"control.SIGNAL.final", "what a controller told last; of these metrics.from and .to bound the time"},
    [MEAN] = {"control.SIGNAL.mean", "mean over time"},
    [RMS] = {"control.SIGNAL.rms", "root mean square over time"},
    [MIN] = {"control.SIGNAL.min", "least value of it"},
    [MAX] = {"control.SIGNAL.max", "greatest value of it"},
};

/// One signal that is followed.
typedef struct ff_scene_signal_track {
    const char *metric;
    int what;
    const double *value; // where the controller keeps it
    double time, sum, squares, low, high, last;
} track;

const char *ff_scene_signal_metric_name(int i, const char **meaning)
{
    if (i < 0 || i >= ENDS) return NULL;
    if (meaning) *meaning = help[i][1];
    return help[i][0];
}

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

bool ff_scene_is_signal_metric(const ff_scene *scene, const char *name)
{
    size_t length;
    return scene->nsteering > 0 && split(name, &length) >= 0;
}

void ff_scene_check_signal_metrics(const ff_scene *scene, ff_report *report)
{
    size_t length;
    for (int i = 0; i < scene->nexpectation; i++) {
        const ff_expectation *e = &scene->expectations[i];
        if (split(e->metric, &length) < 0 || ff_scene_find_signal(scene, e->metric + sizeof start - 1, length))
            continue;
        ff_report_add(report, FF_ERROR, e->place, "no controller has a signal '%.*s'", (int)length,
                      e->metric + sizeof start - 1);
    }
}

// ------------------------------------------------------------------------------------------ following

static ff_sim_action look(void *context, ff_sim *sim, double t)
{
    const ff_scene *scene = context;
    struct ff_scene_signals *s = scene->signals;
    const ff_walk_window all = {.from = 0.0, .to = INFINITY}, *window = scene->walk ? scene->walk->windows : &all;
    const double span = ff_walk_overlap(window, t, t - s->looked);
    (void)sim;
    for (int i = 0; i < s->n; i++) {
        track *at = &s->tracks[i];
        if (!(span > 0.0)) continue;
        at->last = *at->value;
        at->time += span;
        at->sum += span * at->last;
        at->squares += span * at->last * at->last;
        at->low = fmin(at->low, at->last);
        at->high = fmax(at->high, at->last);
    }
    s->looked = t;
    return FF_SIM_GO;
}

ff_status ff_scene_add_signal_tracks(ff_scene *scene, ff_error *err)
{
    struct ff_scene_signals *s = scene->signals = FF_ARENA_NEW(&scene->arena, struct ff_scene_signals, 1);
    if (s) s->tracks = FF_ARENA_NEW(&scene->arena, track, scene->nexpectation + 1);
    if (!s || !s->tracks) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (int i = 0; i < scene->nexpectation; i++) {
        const char *name = scene->expectations[i].metric;
        size_t length;
        const int what = split(name, &length);
        const double *value = what >= 0 ? ff_scene_find_signal(scene, name + sizeof start - 1, length) : NULL;
        if (value)
            s->tracks[s->n++] =
                (track){.metric = name, .what = what, .value = value, .low = INFINITY, .high = -INFINITY, .last = NAN};
    }
    const ff_listener listener = {.context = scene, .step = look};
    return s->n > 0 ? ff_sim_add_listener(scene->sim, &listener, err) : FF_OK;
}

bool ff_scene_signal_metric(const ff_scene *scene, const char *name, double *value)
{
    for (int i = 0; scene->signals && i < scene->signals->n; i++) {
        const track *at = &scene->signals->tracks[i];
        if (strcmp(at->metric, name) != 0) continue;
        const double values[ENDS] = {at->last, at->sum / at->time, sqrt(at->squares / at->time), at->low, at->high};
        *value = at->time > 0.0 ? values[at->what] : NAN;
        return true;
    }
    return false;
}
