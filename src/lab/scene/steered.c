// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which robots and joints controllers steer, and what is asked of the controllers of a run.
#include "scene/running.h"

#include <string.h>

// ------------------------------------------------------------------------------------------ of a scene

const ff_model *ff_scene_controller_model(const ff_scene_robot *robot)
{
    return robot->assumed_model ? robot->assumed_model : robot->model;
}

bool ff_scene_owns(const ff_scene_robot *robot, int dof)
{
    return dof >= robot->vadr && dof < robot->vadr + robot->nv;
}

int ff_scene_first_steered(const ff_scene_spec *scene)
{
    return scene->ncontrol > 0 ? scene->controls[0].robot : 0;
}

bool ff_scene_is_steered(const ff_scene_spec *scene, int dof)
{
    for (int i = 0; i < scene->ncontrol; i++)
        if (ff_scene_owns(&scene->robots[scene->controls[i].robot], dof)) return true;
    return false;
}

// ------------------------------------------------------------------------------------------ of a run

ff_steering *ff_run_find_steering(const ff_run *run, int robot)
{
    for (int i = 0; i < run->nsteering; i++)
        if (run->steerings[i].spec->robot == robot) return &run->steerings[i];
    return NULL;
}

bool ff_run_is_steered(const ff_run *run, int dof)
{
    for (int i = 0; i < run->nsteering; i++)
        if (ff_scene_owns(&run->scene->robots[run->steerings[i].spec->robot], dof)) return true;
    return false;
}

bool ff_run_is_led(const ff_run *run, int dof)
{
    for (int i = 0; i < run->nsteering; i++) {
        const ff_steering *s = &run->steerings[i];
        if (s->kind->gives_positions && ff_scene_owns(&run->scene->robots[s->spec->robot], dof)) return true;
    }
    return false;
}

const char *ff_run_replaced_controller(const ff_run *run)
{
    for (int i = 0; i < run->nsteering; i++) {
        const ff_controller_kind *named = run->steerings[i].spec->kind;
        if (named != run->steerings[i].kind && named != &ff_controller_callback) return named->name;
    }
    return NULL;
}

const double *ff_run_find_signal(const ff_run *run, const char *name, size_t length)
{
    const double *found = NULL;
    for (int i = 0; i < run->nsteering && !found; i++)
        found = ff_steering_find_signal(&run->steerings[i], name, length);
    return found;
}

ff_body_command ff_run_body_command(const ff_run *run, int robot)
{
    const ff_steering *s = ff_run_find_steering(run, robot);
    return s ? ff_steering_body_command(s) : (ff_body_command){0};
}

void ff_run_report_controllers(const ff_run *run, ff_report *report)
{
    for (int i = 0; i < run->nsteering; i++) ff_steering_report(&run->steerings[i], report);
}
