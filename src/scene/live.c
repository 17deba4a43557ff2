// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The controllers of a scene for those who run it: one of their own in place of another, and what is said to
// controllers while the scene runs.
#include "scene/internal.h"

/// What steers a robot; NULL: nothing.
static ff_steering *find(const ff_scene *scene, int robot)
{
    for (int i = 0; i < scene->nsteering; i++)
        if (scene->steerings[i].spec->robot == robot) return &scene->steerings[i];
    return NULL;
}

/// The script that steers a robot now; NULL: none.
static const ff_script_functions *find_script(const ff_scene *scene, int robot, ff_steering **s)
{
    *s = find(scene, robot);
    return *s && (*s)->controller ? (*s)->kind->script : NULL;
}

/// A place in the list for a controller that the scene does not name; it runs with every cycle of the bus.
static ff_steering *add_steering(ff_scene *scene, int robot)
{
    ff_steering_spec *spec = &scene->controls[scene->nsteering];
    *spec =
        (ff_steering_spec){.robot = robot, .kind = &ff_controller_callback, .period = scene->bus.period, .every = 1};
    ff_steering *s = &scene->steerings[scene->nsteering++];
    ff_steering_init(s, spec);
    return s;
}

ff_status ff_scene_set_controller(ff_scene *scene, int robot, const ff_robot_controller *controller, ff_error *err)
{
    if (robot < 0 || robot >= scene->nrobot)
        return ff_error_set(err, FF_BAD_ARGUMENT, "no robot %d in this scene, which has %d", robot, scene->nrobot);
    if (!controller->cycle) return ff_error_set(err, FF_BAD_ARGUMENT, "a controller without a cycle steers nothing");
    if (scene->sim) return ff_error_set(err, FF_BAD_ARGUMENT, "this scene has begun already");
    if (!scene->driven || !scene->sensed)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "a controller needs drives and sensors: write 'control: {callback: NAME}' in the scene");
    ff_steering *s = find(scene, robot);
    if (!s) s = add_steering(scene, robot);
    ff_steering_bring(s, controller);
    return FF_OK;
}

ff_scene_steering ff_scene_get_steering(const ff_scene *scene, int robot)
{
    ff_steering *s;
    const ff_script_functions *script = find_script(scene, robot, &s);
    ff_scene_steering out = {.kind = s ? s->kind->name : NULL};
    if (script) script->get_text(s->controller, &out.path, &out.text, &out.length);
    return out;
}

// ------------------------------------------------------------------------------------------ commands

ff_body_command ff_scene_body_command(const ff_scene *scene, int robot)
{
    const ff_steering *s = find(scene, robot);
    return s ? ff_steering_body_command(s) : (ff_body_command){0};
}

int ff_scene_command_keys(const ff_scene *scene, int robot, ff_command_key *out, int most)
{
    const ff_steering *s = find(scene, robot);
    return s && s->controller && s->kind->command_keys ? s->kind->command_keys(s->controller, out, most) : 0;
}

ff_status ff_scene_command(ff_scene *scene, int robot, const char *text, size_t length, ff_report *report)
{
    const double t = scene->sim ? ff_sim_time(scene->sim) : 0.0;
    return ff_steering_command(find(scene, robot), t, text, length, report);
}

// ------------------------------------------------------------------------------------------ scripts

int ff_scene_parameters(const ff_scene *scene, int robot, ff_script_parameter *out, int most)
{
    ff_steering *s;
    const ff_script_functions *script = find_script(scene, robot, &s);
    return script ? script->parameters(s->controller, out, most) : 0;
}

ff_status ff_scene_set_parameter(ff_scene *scene, int robot, const char *name, double value, ff_error *err)
{
    ff_steering *s;
    const ff_script_functions *script = find_script(scene, robot, &s);
    if (script) return script->set_parameter(s->controller, name, value, err);
    return ff_error_set(err, FF_NOT_FOUND, "no script steers the robot: it has no parameter '%.60s'", name);
}

ff_status ff_scene_set_script(ff_scene *scene, int robot, const char *text, size_t length, ff_report *report)
{
    return ff_steering_set_script(find(scene, robot), text, length, report);
}

// ------------------------------------------------------------------------------------------ news

void ff_scene_tell_news(ff_scene *scene, ff_report *report)
{
    ff_scene_tell_falls(scene, report);
    for (int i = 0; i < scene->nsteering; i++) ff_steering_report_new(&scene->steerings[i], report);
}
