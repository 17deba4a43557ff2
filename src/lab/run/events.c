// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of events of a run, and its JSON. Memory for FF_EVENTS_MOST, some six minutes of a robot that walks, is
// allocated at the start. Later events are only counted, and the list ends with their number.
#include "run/assembly.h"

#include <footfall/json.h>
#include <footfall/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FF_EVENTS_MOST = 4096 };
// Live commands with the same keys within this time count as one, since a slider sends ten a second.  [s]
static const double GESTURE = 0.5;

struct ff_run_events {
    ff_run_event *items; // (FF_EVENTS_MOST)
    int count;
    long long lost;
    double lost_from; // time of the first event that was not stored  [s]
};

ff_status ff_run_add_events(ff_run *run, ff_error *err)
{
    if (run->options.record.nchannel == 0) return FF_OK;
    ff_run_events *list = calloc(1, sizeof *list);
    if (list) list->items = calloc(FF_EVENTS_MOST, sizeof *list->items);
    if (!list || !list->items) {
        free(list);
        return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    }
    run->events = list;
    return FF_OK;
}

void ff_run_drop_events(ff_run *run)
{
    ff_run_events *list = run->events;
    if (!list) return;
    for (int i = 0; i < list->count; i++) free(list->items[i].owned);
    free(list->items);
    free(list);
    run->events = NULL;
}

// ------------------------------------------------------------------------------------------ adding

ff_run_event *ff_event_note(ff_run_events *list, ff_event_kind kind, int number, double t, const char *text)
{
    if (!list) return NULL;
    if (list->count == FF_EVENTS_MOST) {
        if (list->lost++ == 0) list->lost_from = t;
        return NULL;
    }
    ff_run_event *event = &list->items[list->count++];
    *event = (ff_run_event){.kind = kind, .number = number, .t = t, .until = INFINITY, .text = text};
    return event;
}

/// Do two commands differ only in their numbers?
static bool is_same_gesture(const char *a, const char *b)
{
    static const char digits[] = "0123456789.+-";
    for (;; a++, b++) {
        a += strspn(a, digits);
        b += strspn(b, digits);
        if (*a != *b) return false;
        if (*a == 0) return true;
    }
}

/// The last command of a robot among the latest events.
static ff_run_event *last_command(ff_run_events *list, int robot)
{
    enum { LATEST = 100 };
    for (int i = list->count - 1; i >= 0 && i >= list->count - LATEST; i--)
        if (list->items[i].kind == FF_EVENT_COMMAND && list->items[i].number == robot) return &list->items[i];
    return NULL;
}

/// Adds a command that a user gives while the run goes on. Its text is copied.
static void note_live_command(ff_run_events *list, int robot, double t, const char *text)
{
    char *own = strdup(text);
    if (!own) return;
    ff_run_event *event = last_command(list, robot);
    if (event && event->owned && t - event->t < GESTURE && is_same_gesture(event->owned, own))
        free(event->owned);
    else
        event = ff_event_note(list, FF_EVENT_COMMAND, robot, t, NULL);
    if (!event) {
        free(own);
        return;
    }
    event->t = t;
    event->text = event->owned = own;
}

static void note_command(void *list, int robot, double t, const char *text, bool live)
{
    if (live)
        note_live_command(list, robot, t, text);
    else
        ff_event_note(list, FF_EVENT_COMMAND, robot, t, text);
}

static void note_status(void *list, int robot, double t, const char *text, bool met)
{
    ff_event_note(list, met ? FF_EVENT_STATUS : FF_EVENT_CALM, robot, t, text);
}

ff_steering_sink ff_run_event_sink(const ff_run *run)
{
    if (!run->events) return (ff_steering_sink){0};
    return (ff_steering_sink){.context = run->events, .command = note_command, .status = note_status};
}

// ------------------------------------------------------------------------------------------ reporting

static const char *const KINDS[] = {"touchdown", "liftoff", "fall",   "rise", "push",
                                    "pull",      "command", "status", "calm"};

/// "NAME: " where a scene has several robots.
static const char *of_robot(const ff_scene_spec *scene, int robot, char out[80])
{
    out[0] = 0;
    if (scene->nrobot > 1) snprintf(out, 80, "%.70s: ", scene->robots[robot].name);
    return out;
}

static void write_force(ff_json *json, int body, const double point[3], const double force[3])
{
    ff_json_integer(json, "body", body);
    ff_json_numbers(json, "point", point, 3);
    if (force) ff_json_numbers(json, "force", force, 3);
}

static void write_event(ff_json *json, const ff_scene_spec *scene, const ff_run_event *e)
{
    const ff_model *m = scene->model;
    const double seconds = e->until - e->t;
    char what[400], robot[80];
    ff_json_begin_object(json, NULL, true);
    ff_json_number(json, "t", e->t);
    ff_json_text(json, "kind", KINDS[e->kind]);
    switch (e->kind) {
    case FF_EVENT_TOUCH_DOWN:
    case FF_EVENT_LIFT_OFF:
        snprintf(what, sizeof what, "%.60s %s", m->legs[e->number].name,
                 e->kind == FF_EVENT_LIFT_OFF ? "lifts off" : "touches down");
        ff_json_integer(json, "leg", e->number);
        break;
    case FF_EVENT_FALL:
    case FF_EVENT_RISE:
        snprintf(what, sizeof what, "%.*s %s", e->text[0] ? (int)strcspn(e->text, ".") : 9,
                 e->text[0] ? e->text : "the robot", e->kind == FF_EVENT_FALL ? "has fallen" : "is on its feet again");
        break;
    case FF_EVENT_PUSH:
        snprintf(what, sizeof what, "'%.60s' is pushed with %.3g N for %.3g s", m->bodies[e->number].name,
                 ff_vec3_norm(e->force), seconds);
        write_force(json, e->number, e->point, e->force);
        break;
    case FF_EVENT_PULL:
        snprintf(what, sizeof what, "'%.60s' is pulled by hand", m->bodies[e->number].name);
        write_force(json, e->number, e->point, NULL);
        break;
    case FF_EVENT_COMMAND:
        snprintf(what, sizeof what, "%scommand: %.300s", of_robot(scene, e->number, robot), e->text);
        break;
    default:
        snprintf(what, sizeof what, "%scontroller: %s%.200s", of_robot(scene, e->number, robot),
                 e->kind == FF_EVENT_CALM ? "no longer: " : "", e->text);
    }
    if (e->kind == FF_EVENT_PUSH || e->kind == FF_EVENT_PULL) {
        if (isfinite(seconds))
            ff_json_number(json, "seconds", seconds);
        else
            ff_json_null(json, "seconds");
    }
    ff_json_text(json, "what", what);
    ff_json_end_object(json);
}

/// Writes the event of a force of the scene file.
static void write_scene_force(ff_json *json, const ff_scene_spec *scene, const ff_scene_force *f)
{
    char what[200];
    ff_json_begin_object(json, NULL, true);
    ff_json_number(json, "t", f->from);
    ff_json_text(json, "kind", "force");
    if (f->body >= 0) {
        snprintf(what, sizeof what, "a force of %.3g N acts on '%.60s' for %.3g s", ff_vec3_norm(f->push),
                 scene->model->bodies[f->body].name, f->to - f->from);
        write_force(json, f->body, f->at, f->push);
    } else {
        int joint = 0;
        while (joint + 1 < scene->model->njoint && scene->model->joints[joint + 1].vadr <= f->dof) joint++;
        snprintf(what, sizeof what, "%.3g N or N m act on joint '%.60s' for %.3g s", f->value,
                 scene->model->joints[joint].name, f->to - f->from);
    }
    ff_json_number(json, "seconds", f->to - f->from);
    ff_json_text(json, "what", what);
    ff_json_end_object(json);
}

typedef struct entry {
    double t;
    int order;
    const ff_run_event *event; // NULL: `force`
    const ff_scene_force *force;
} entry;

static int by_time(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return x->order - y->order;
}

char *ff_run_list_events(const ff_run *run)
{
    const ff_scene_spec *scene = run->scene;
    const ff_run_events *list = run->events;
    const double now = ff_sim_time(run->sim);
    const int count = list ? list->count : 0;
    entry *all = calloc((size_t)count + (size_t)scene->nforce + 1, sizeof *all);
    ff_json json = {0};
    int n = 0;
    if (!all) return NULL;
    for (int i = 0; i < scene->nforce; i++) {
        if (scene->forces[i].from >= now) continue;
        all[n] = (entry){scene->forces[i].from, n, NULL, &scene->forces[i]};
        n++;
    }
    for (int i = 0; i < count; i++, n++) all[n] = (entry){list->items[i].t, n, &list->items[i], NULL};
    qsort(all, (size_t)n, sizeof *all, by_time);
    ff_json_begin_array(&json, NULL, false);
    for (int i = 0; i < n; i++)
        if (all[i].event)
            write_event(&json, scene, all[i].event);
        else
            write_scene_force(&json, scene, all[i].force);
    if (list && list->lost > 0) {
        char what[80];
        snprintf(what, sizeof what, "and %lld events more, which are not listed", list->lost);
        ff_json_begin_object(&json, NULL, true);
        ff_json_number(&json, "t", list->lost_from);
        ff_json_text(&json, "kind", "more");
        ff_json_text(&json, "what", what);
        ff_json_end_object(&json);
    }
    ff_json_end_array(&json);
    free(all);
    return ff_json_finish(&json);
}

void ff_run_hand_over_events(ff_run *run)
{
    char *text = ff_run_list_events(run);
    ff_recorder_set_events(run->recorder, text);
    run->result.events = text ? ff_arena_strdup(&run->arena, text) : NULL;
    free(text);
}
