// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans of controllers for the feet of their robots, found by the names of signals: set points of forces and loads,
// planned footholds, and the planned zero moment point. Kinds of controllers name these signals differently.
#include "workbench_inner.h"

#include "scene/running.h"

#include <stdlib.h>
#include <string.h>

enum { ALTERNATIVES = 2 };

/// Names of signals; `#` stands for the name of the leg. The first one that the controller has is used.
static const char *const LEG_NAMES[FF_PLAN_LEG_COUNT][ALTERNATIVES] = {[FF_PLAN_FORCE] = {"#.force.wanted", "wanted.#"},
                                                                       [FF_PLAN_LOAD] = {"load.#"},
                                                                       [FF_PLAN_X] = {"#.x"},
                                                                       [FF_PLAN_Y] = {"#.y"},
                                                                       [FF_PLAN_YAW] = {"#.yaw"}};
/// `zmp` is the planned point, unless the controller has `zmp.plan` too.
static const char *const ROBOT_NAMES[FF_PLAN_ROBOT_COUNT][ALTERNATIVES] = {
    [FF_PLAN_ZMP_X] = {"zmp.plan.x", "zmp.x"}, [FF_PLAN_ZMP_Y] = {"zmp.plan.y", "zmp.y"}};

static const double *find(const ff_run *run, const char *prefix, const char *leg, const char *const names[ALTERNATIVES])
{
    const double *found = NULL;
    for (int i = 0; i < ALTERNATIVES && names[i] && !found; i++) {
        char name[300];
        const char *mark = strchr(names[i], '#');
        if (mark)
            snprintf(name, sizeof name, "%.100s%.*s%.100s%s", prefix, (int)(mark - names[i]), names[i], leg, mark + 1);
        else
            snprintf(name, sizeof name, "%.100s%s", prefix, names[i]);
        found = ff_run_find_signal(run, name, strlen(name));
    }
    return found;
}

bool ff_bench_plan_find(ff_bench_scene *s)
{
    const ff_scene_spec *scene = s->spec;
    const ff_model *m = scene->model;
    s->plan.legs = calloc((size_t)m->nleg + 1, sizeof *s->plan.legs);
    s->plan.robots = calloc((size_t)scene->nrobot + 1, sizeof *s->plan.robots);
    if (!s->plan.legs || !s->plan.robots) return false;
    for (int i = 0; i < scene->nrobot; i++)
        for (int k = 0; k < FF_PLAN_ROBOT_COUNT; k++)
            s->plan.robots[i][k] = find(s->run, scene->robots[i].prefix, "", ROBOT_NAMES[k]);
    for (int i = 0; i < m->nleg; i++) {
        const int robot = s->robot_of_body[m->limbs[i].body];
        const char *prefix = robot >= 0 ? scene->robots[robot].prefix : "", *name = m->legs[i].name;
        if (strncmp(name, prefix, strlen(prefix)) == 0) name += strlen(prefix);
        for (int k = 0; k < FF_PLAN_LEG_COUNT; k++) s->plan.legs[i][k] = find(s->run, prefix, name, LEG_NAMES[k]);
    }
    return true;
}

void ff_bench_plan_clear(ff_bench_plan *plan)
{
    free(plan->legs);
    free(plan->robots);
    *plan = (ff_bench_plan){0};
}
