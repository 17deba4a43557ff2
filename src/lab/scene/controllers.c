// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers of a scene: the key `control` at the top or inside a robot, the robots and joints with a controller, and
// queries about the controllers of a run.
#include "drive/interface.h"
#include "scene/running.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ reading

static ff_yaml *child_named(const ff_yaml *node, const char *key)
{
    if (!node || node->type != FF_YAML_MAP) return NULL;
    for (ff_yaml *child = node->child; child; child = child->next)
        if (child->key && strcmp(child->key, key) == 0) return child;
    return NULL;
}

/// The first controller of the scene.
static ff_yaml *first_controller(const ff_scene_reader *r)
{
    ff_yaml *found = ff_steering_find_kind(child_named(r->root, "control")), *robots = child_named(r->root, "robots");
    if (!found) found = ff_steering_find_kind(child_named(child_named(r->root, "robot"), "control"));
    for (ff_yaml *robot = robots && !found ? robots->child : NULL; robot && !found; robot = robot->next)
        found = ff_steering_find_kind(child_named(robot, "control"));
    return found;
}

bool ff_scene_names_controller(const ff_scene_reader *r)
{
    return first_controller(r) != NULL;
}

ff_place ff_scene_controller_place(const ff_scene_reader *r)
{
    const ff_yaml *node = first_controller(r);
    if (!node) return (ff_place){r->file, 0, 0};
    ff_place place = ff_scene_place(r, node);
    place.line = node->key_place.line;
    place.column = node->key_place.column;
    return place;
}

/// Reader of the controller of a robot; NULL: for messages only.
static ff_steer_reader steer_reader(const ff_scene_reader *r, const ff_scene_robot *robot)
{
    return (ff_steer_reader){.arena = &r->scene->arena,
                             .report = r->report,
                             .file = r->file,
                             .store = r->store,
                             .robot = robot ? ff_scene_controller_model(robot) : NULL};
}

static void read_controller(const ff_scene_reader *r, ff_yaml *control, int robot)
{
    ff_scene_spec *scene = r->scene;
    const ff_steer_reader reader = steer_reader(r, &scene->robots[robot]);
    ff_steering_read(&reader, control, robot, &scene->controls[scene->ncontrol++]);
}

void ff_scene_report_unknown_control(const ff_scene_reader *r, const ff_yaml *control)
{
    const ff_steer_reader reader = steer_reader(r, NULL);
    ff_steering_report_unknown(&reader, control);
}

/// Reads `control` inside a robot: a controller, not the joint law, which is for all robots.
static void read_of_robot(const ff_scene_reader *r, ff_yaml *robot, int number)
{
    ff_yaml *control = ff_yaml_get(robot, "control");
    if (!control) return;
    if (ff_steering_find_kind(control)) {
        read_controller(r, control, number);
        return;
    }
    if (child_named(control, "hold"))
        ff_report_add(r->report, FF_ERROR, control->key_place,
                      "'hold' is for all robots of a scene: write it in 'control' at the top");
    else
        ff_scene_report_unknown_control(r, control);
    ff_yaml_use(control);
}

/// Reports `references` to drives that a controller commands.
static void check_references(const ff_scene_reader *r)
{
    const ff_scene_spec *scene = r->scene;
    const ff_drive_set *set = scene->plant->drives;
    for (int i = 0; set && scene->ncontrol > 0 && i < scene->nreference; i++) {
        const ff_drive *d = &set->drives[scene->references[i].drive];
        if (!ff_scene_is_steered(scene, d->path.vadr[0])) continue;
        ff_report_add(r->report, FF_ERROR, scene->references[i].place,
                      "drive '%.60s' gets its references from the controller of its robot", d->name);
        break;
    }
}

/// Sets the period of the bus, without a modelled one that of the fastest controller, and checks those of controllers.
static void check_periods(const ff_scene_reader *r)
{
    ff_scene_spec *scene = r->scene;
    ff_bus *bus = &scene->bus;
    if (!bus->modelled && scene->ncontrol > 0) {
        bus->period = INFINITY;
        for (int i = 0; i < scene->ncontrol; i++) bus->period = ff_min(bus->period, scene->controls[i].period);
    }
    for (int i = 0; i < scene->ncontrol; i++) {
        ff_steering_spec *spec = &scene->controls[i];
        if (!ff_steering_fit(spec, bus->period))
            ff_report_add(r->report, FF_ERROR, spec->place, "a period of %g s is no multiple of that of the %s, %g s",
                          spec->period, bus->modelled ? "bus" : "fastest controller", bus->period);
    }
}

bool ff_scene_read_controllers(ff_scene_reader *r)
{
    ff_scene_spec *scene = r->scene;
    ff_yaml *top = ff_yaml_get(r->root, "control"), *one = ff_yaml_get(r->root, "robot"),
            *kind = ff_steering_find_kind(top);
    scene->controls = FF_ARENA_NEW(&scene->arena, ff_steering_spec, scene->nrobot + 1);
    if (!scene->controls) return kind != NULL;
    ff_yaml *robot = one ? one : scene->nrobot > 0 ? ff_yaml_get(r->root, "robots")->child : NULL;
    for (int i = 0; robot && i < scene->nrobot; i++, robot = robot->next)
        if (robot->type == FF_YAML_MAP) read_of_robot(r, robot, i);
    if (kind && scene->nrobot == 1 && scene->ncontrol == 0)
        read_controller(r, top, 0);
    else if (kind) {
        ff_report_add(r->report, FF_ERROR, kind->key_place,
                      scene->nrobot == 1 ? "the robot has its own 'control' already"
                      : scene->nrobot == 0
                          ? "a controller needs a robot"
                          : "there are several robots: write 'control' inside the robot that it steers");
        ff_yaml_use(top);
    }
    check_periods(r);
    check_references(r);
    return kind != NULL;
}

/// A drive of the robot's legs without a position loop; NULL: there is none.
static const ff_drive *find_loose_drive(const ff_scene_spec *scene, const ff_scene_robot *robot)
{
    const ff_model *m = robot->model;
    for (int i = 0; scene->plant->drives && i < scene->plant->drives->n; i++) {
        const ff_drive *d = &scene->plant->drives->drives[i];
        const bool follows = ff_drive_follows_position(d);
        for (int leg = 0; !follows && leg < m->nleg; leg++)
            for (int k = 0; k < m->legs[leg].njoint; k++)
                if (m->joints[m->legs[leg].joints[k]].vadr + robot->vadr == d->path.vadr[0]) return d;
    }
    return NULL;
}

void ff_scene_check_drives(const ff_scene_reader *r)
{
    const ff_scene_spec *scene = r->scene;
    for (int i = 0; i < scene->ncontrol; i++) {
        const ff_steering_spec *spec = &scene->controls[i];
        const ff_drive *loose = spec->kind->positions ? find_loose_drive(scene, &scene->robots[spec->robot]) : NULL;
        if (loose)
            ff_report_add(r->report, FF_ERROR, spec->place,
                          "'%s' gives positions, which drive '%.60s' does not follow: its loop is '%s'; give it one of "
                          "positions, such as pd",
                          spec->kind->name, loose->name, ff_drive_loop_names[loose->loop]);
    }
}

// ------------------------------------------------------------------------------------------ controlled robots

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

// ------------------------------------------------------------------------------------------ controllers of a run

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
