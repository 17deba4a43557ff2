// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Queries about the loaded scene and interactions with its run; the clock of the workbench, and how other threads wake
// the simulation thread.
#define _GNU_SOURCE // asprintf
#include "workbench_inner.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

ff_status ff_bench_require_scene(const ff_workbench *b, ff_error *err)
{
    return b->scene.spec ? FF_OK : ff_error_set(err, FF_NOT_FOUND, "no scene is loaded");
}

int ff_bench_find_robot(const ff_workbench *b, ff_yaml *node, ff_error *err)
{
    const ff_scene_spec *scene = b->scene.spec;
    const char *names[16];
    int count = 0;
    if (!node && scene->nrobot == 1) return 0;
    const char *name = node && node->type == FF_YAML_SCALAR ? node->text : "";
    for (int i = 0; i < scene->nrobot; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        if (strcmp(scene->robots[i].name, name) == 0 || (node && !node->quoted && strcmp(number, name) == 0)) return i;
        if (count < 16) names[count++] = scene->robots[i].name;
    }
    char list[300] = "";
    for (int i = 0; i < count && strlen(list) < 200; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s'%.60s'", i > 0 ? ", " : ": ", names[i]);
    ff_error_set(err, FF_NOT_FOUND, "no robot '%.60s' in this scene, which has %d%s", name, scene->nrobot, list);
    return -1;
}

double ff_bench_recorded_time(const ff_bench_scene *s)
{
    const ff_recorder *rec = s->run ? ff_run_recorder(s->run) : NULL;
    const long long rows = rec ? ff_recorder_rows(rec) : 0;
    return rows > 0 ? ff_recorder_row(rec, rows - 1)[0] : 0.0;
}

void ff_bench_log_event(ff_workbench *b, const char *format, ...)
{
    enum { MOST = 200 };
    ff_bench_scene *s = &b->scene;
    char event[300], *all = NULL;
    va_list args;
    if (s->nevent++ >= MOST) return;
    va_start(args, format);
    vsnprintf(event, sizeof event, format, args);
    va_end(args);
    if (asprintf(&all, "%s%sat %.4g s %s", s->event_log ? s->event_log : "", s->event_log ? "; " : "",
                 ff_sim_time(ff_run_sim(s->run)), s->nevent == MOST ? "and later: further interactions" : event) < 0)
        return;
    free(s->event_log);
    s->event_log = all;
}

void ff_bench_free_texts(char **texts, int count)
{
    for (int i = 0; texts && i < count; i++) free(texts[i]);
    free(texts);
}

void ff_bench_mark_changed(ff_workbench *b)
{
    b->changed = b->moved = true;
}

// ------------------------------------------------------------------------------------------ time and wake-ups

double ff_bench_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void ff_bench_wake(ff_workbench *b, atomic_bool *flag)
{
    pthread_mutex_lock(&b->lock);
    atomic_store(flag, true);
    pthread_cond_signal(&b->wake);
    pthread_mutex_unlock(&b->lock);
}
