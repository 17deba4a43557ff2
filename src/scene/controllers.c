// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers of a scene: `control` at the top or inside a robot is read, and each controller (steer/steering.h) speaks
// on the bus, modelled or without timing.
#include "drive/set.h"
#include "scene/events.h"

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
    return node ? node->key_place : (ff_place){r->file, 0, 0};
}

/// @param robot  NULL: of no robot
static ff_steer_reader steer_reader(const ff_scene_reader *r, const ff_scene_robot *robot)
{
    return (ff_steer_reader){.arena = &r->scene->arena,
                             .report = r->report,
                             .file = r->file,
                             .store = r->store,
                             .robot = robot ? robot->model : NULL};
}

static void read_controller(const ff_scene_reader *r, ff_yaml *control, int robot)
{
    ff_scene *scene = r->scene;
    const ff_steer_reader reader = steer_reader(r, &scene->robots[robot]);
    ff_steering_spec *spec = &scene->controls[scene->nsteering];
    ff_steering_read(&reader, control, robot, scene->time, spec);
    ff_steering_init(&scene->steerings[scene->nsteering++], spec);
}

void ff_scene_report_unknown_control(const ff_scene_reader *r, const ff_yaml *control)
{
    const ff_steer_reader reader = steer_reader(r, NULL);
    ff_steering_report_unknown(&reader, control);
}

/// `control` inside a robot: a controller, never the joint law, which is for all robots.
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

/// References of a controller and of `references` would overwrite each other.
static void check_references(const ff_scene_reader *r)
{
    const ff_scene *scene = r->scene;
    const ff_drive_set *set = scene->plant->drives;
    for (int i = 0; set && scene->nsteering > 0 && i < scene->nreference; i++) {
        const ff_drive *d = &set->drives[scene->references[i].drive];
        if (!ff_scene_is_steered(scene, d->path.vadr[0])) continue;
        ff_report_add(r->report, FF_ERROR, scene->references[i].place,
                      "drive '%.60s' gets its references from the controller of its robot", d->name);
        break;
    }
}

/// Without a modelled bus frames go at the period of the fastest controller.
static void check_periods(const ff_scene_reader *r)
{
    ff_scene *scene = r->scene;
    ff_bus *bus = &scene->bus;
    if (!bus->modelled && scene->nsteering > 0) {
        bus->period = INFINITY;
        for (int i = 0; i < scene->nsteering; i++) bus->period = ff_min(bus->period, scene->controls[i].period);
    }
    for (int i = 0; i < scene->nsteering; i++) {
        ff_steering_spec *spec = &scene->controls[i];
        if (!ff_steering_fit(spec, bus->period))
            ff_report_add(r->report, FF_ERROR, spec->place, "a period of %g s is no multiple of that of the %s, %g s",
                          spec->period, bus->modelled ? "bus" : "fastest controller", bus->period);
    }
}

bool ff_scene_read_controllers(ff_scene_reader *r)
{
    ff_scene *scene = r->scene;
    ff_yaml *top = ff_yaml_get(r->root, "control"), *one = ff_yaml_get(r->root, "robot"),
            *kind = ff_steering_find_kind(top);
    scene->controls = FF_ARENA_NEW(&scene->arena, ff_steering_spec, scene->nrobot + 1);
    scene->steerings = FF_ARENA_NEW(&scene->arena, ff_steering, scene->nrobot + 1);
    if (!scene->controls || !scene->steerings) return kind != NULL;
    ff_yaml *robot = one ? one : scene->nrobot > 0 ? ff_yaml_get(r->root, "robots")->child : NULL;
    for (int i = 0; robot && i < scene->nrobot; i++, robot = robot->next)
        if (robot->type == FF_YAML_MAP) read_of_robot(r, robot, i);
    if (kind && scene->nrobot == 1 && scene->nsteering == 0)
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

// ------------------------------------------------------------------------------------------ who steers what

static bool is_of(const ff_scene_robot *robot, int dof)
{
    return dof >= robot->vadr && dof < robot->vadr + robot->nv;
}

bool ff_scene_is_steered(const ff_scene *scene, int dof)
{
    for (int i = 0; i < scene->nsteering; i++)
        if (is_of(&scene->robots[scene->steerings[i].spec->robot], dof)) return true;
    return false;
}

bool ff_scene_is_led(const ff_scene *scene, int dof)
{
    for (int i = 0; i < scene->nsteering; i++) {
        const ff_steering *s = &scene->steerings[i];
        if (s->kind->leads && is_of(&scene->robots[s->spec->robot], dof)) return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------ beginning and end

/// All that speaks on the bus: the joint law, where the bus is modelled, and the controllers.
static void host(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_scene *scene = context;
    const ff_io_frame *heard = ff_scene_lose_sensors(scene, t, sensors);
    if (scene->bus.modelled) ff_scene_host_cycle(scene, t, heard, references);
    for (int i = 0; i < scene->nsteering; i++) ff_steering_cycle(&scene->steerings[i], t, heard, references);
    ff_scene_lose_references(scene, t, references);
}

static ff_status begin(ff_scene *scene, ff_steering *s, ff_error *err)
{
    const int number = s->spec->robot;
    const ff_scene_robot *robot = &scene->robots[number];
    const ff_steering_site site = {
        .plant = scene->plant,
        .layouts = {ff_sim_layout(scene->sim, FF_IO_REFERENCES), ff_sim_layout(scene->sim, FF_IO_SENSORS)},
        .robot = robot->model,
        .prefix = robot->prefix,
        .vadr = robot->vadr,
        .nv = robot->nv,
        .alone = scene->nrobot == 1 && robot->prefix[0] == '\0',
        .bus_period = scene->bus.period,
        .seed = scene->options.seed + (uint64_t)number,
        .arena = &scene->arena,
        .sink = ff_scene_event_sink(scene)};
    const char *name = ff_arena_printf(&scene->arena, "control %d", number);
    if (!name) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    const ff_status status = ff_steering_begin(s, &site, err);
    return status == FF_OK ? ff_steering_join(s, scene->sim, name, err) : status;
}

static void add_place(ff_place place, ff_error *err)
{
    const ff_error inner = *err;
    if (place.file)
        ff_error_set(err, inner.status, "%s:%d:%d: %.400s", place.file, place.line, place.column, inner.text);
}

ff_status ff_scene_add_controllers(ff_scene *scene, ff_error *err)
{
    const ff_controller controller = {scene, host};
    if (scene->nsteering == 0 && !scene->bus.modelled) return FF_OK;
    ff_status status = ff_sim_add_bus(scene->sim, &scene->bus, &controller, err);
    if (status == FF_OK) status = ff_scene_add_host(scene, err);
    if (status == FF_OK) status = ff_scene_add_faults(scene, err);
    for (int i = 0; i < scene->nsteering && status == FF_OK; i++) {
        status = begin(scene, &scene->steerings[i], err);
        if (status != FF_OK) add_place(scene->steerings[i].spec->place, err);
    }
    return status;
}

void ff_scene_end_controllers(ff_scene *scene)
{
    for (int i = 0; i < scene->nsteering; i++) ff_steering_end(&scene->steerings[i]);
}

void ff_scene_report_controllers(const ff_scene *scene, ff_report *report)
{
    for (int i = 0; i < scene->nsteering; i++) ff_steering_report(&scene->steerings[i], report);
}

// ------------------------------------------------------------------------------------------ checks

/// A drive of the robot's legs that does not follow positions; NULL where there is none.
static const ff_drive *find_loose_drive(const ff_scene *scene, const ff_scene_robot *robot)
{
    const ff_model *m = robot->model;
    for (int i = 0; scene->plant->drives && i < scene->plant->drives->n; i++) {
        const ff_drive *d = &scene->plant->drives->drives[i];
        const bool follows = d->motor == FF_MOTOR_SERVO || (d->loop != FF_LOOP_DIRECT && d->loop != FF_LOOP_FORCE);
        for (int leg = 0; !follows && leg < m->nleg; leg++)
            for (int k = 0; k < m->legs[leg].njoint; k++)
                if (m->joints[m->legs[leg].joints[k]].vadr + robot->vadr == d->path.vadr[0]) return d;
    }
    return NULL;
}

static void check_drives(const ff_scene_reader *r, const ff_steering_spec *spec)
{
    const ff_drive *loose = spec->kind->positions ? find_loose_drive(r->scene, &r->scene->robots[spec->robot]) : NULL;
    if (loose)
        ff_report_add(r->report, FF_ERROR, spec->place,
                      "'%s' gives positions, which drive '%.60s' does not follow: its loop is '%s'; give it one of "
                      "positions, such as pd",
                      spec->kind->name, loose->name, ff_drive_loop_names[loose->loop]);
}

void ff_scene_check_controllers(ff_scene_reader *r)
{
    ff_scene *scene = r->scene;
    ff_error err = {0};
    if (scene->nsteering == 0) return;
    scene->sim = ff_sim_create(scene->model, &scene->options, &err);
    ff_status status = scene->sim ? ff_scene_add_world(scene, &err) : err.status;
    if (status == FF_OK) status = ff_sim_add_plant(scene->sim, scene->plant, &err);
    const ff_controller controller = {scene, host};
    if (status == FF_OK) status = ff_sim_add_bus(scene->sim, &scene->bus, &controller, &err);
    if (status != FF_OK) ff_report_add(r->report, FF_ERROR, ff_scene_controller_place(r), "%s", err.text);
    for (int i = 0; i < scene->nsteering && status == FF_OK; i++) {
        ff_steering *s = &scene->steerings[i];
        const ff_scene_robot *robot = &scene->robots[s->spec->robot];
        check_drives(r, s->spec);
        if (begin(scene, s, &err) != FF_OK)
            ff_report_add(r->report, FF_ERROR, s->spec->place, "%s", err.text);
        else if (s->kind->start)
            s->kind->start(s->controller, scene->q + robot->qadr, scene->v + robot->vadr);
    }
    if (r->report->errors == 0 && ff_scene_need_controllers(scene, NULL) == FF_OK)
        ff_scene_check_signal_metrics(scene, r->report);
    ff_scene_end(scene);
}

ff_status ff_scene_need_controllers(const ff_scene *scene, ff_error *err)
{
    for (int i = 0; i < scene->nsteering; i++) {
        const ff_steering *s = &scene->steerings[i];
        if (!ff_steering_is_lacking(s)) continue;
        const ff_place place = s->spec->place;
        const ff_callback_settings *settings = s->settings;
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "%s:%d:%d: a program that uses the library brings the controller '%.60s' "
                            "(ff_scene_set_controller); nobody did",
                            place.file, place.line, place.column, settings->name);
    }
    return FF_OK;
}

const double *ff_scene_find_signal(const ff_scene *scene, const char *name, size_t length)
{
    const double *found = NULL;
    for (int i = 0; i < scene->nsteering && !found; i++)
        found = ff_steering_find_signal(&scene->steerings[i], name, length);
    return found;
}
