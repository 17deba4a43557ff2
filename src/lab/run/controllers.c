// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers of a run (steer/steering.h): each reads and writes frames of the bus, modelled or without timing.
#include "drive/interface.h"
#include "run/assembly.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Starts that differ by less are the same.  [rad, m]
static const double SAME_START = 1e-3;

// ------------------------------------------------------------------------------------------ controllers of a program

/// Adds a controller that the scene does not name; it is called in each cycle of the bus.
static ff_steering *add_steering(ff_run *run, int robot)
{
    ff_steering_spec *spec = FF_ARENA_NEW(&run->arena, ff_steering_spec, 1);
    if (!spec) return NULL;
    *spec = (ff_steering_spec){
        .robot = robot, .kind = &ff_controller_callback, .period = run->scene->bus.period, .every = 1};
    ff_steering *s = &run->steerings[run->nsteering++];
    ff_steering_init(s, spec);
    return s;
}

/// The steering of a robot, a new one where the scene names no controller.
static ff_status find_steering(ff_run *run, int robot, ff_steering **out, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    if (robot < 0 || robot >= scene->nrobot)
        return ff_error_set(err, FF_BAD_ARGUMENT, "no robot %d in this scene, which has %d", robot, scene->nrobot);
    if (!scene->driven || !scene->sensed)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "a controller needs drives and sensors: write 'control: {callback: NAME}' in the scene");
    *out = ff_run_find_steering(run, robot);
    if (!*out) *out = add_steering(run, robot);
    return *out ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "out of memory");
}

static ff_status add_controller(ff_run *run, const ff_run_controller *given, ff_error *err)
{
    ff_steering *s;
    if (!given->controller.cycle && !given->plugin)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a controller without a cycle steers nothing");
    const ff_status status = find_steering(run, given->robot, &s, err);
    if (status == FF_OK && given->plugin)
        s->kind = &ff_controller_plugin, s->settings = given->plugin;
    else if (status == FF_OK)
        ff_steering_bring(s, &given->controller);
    return status;
}

static ff_status add_relay(ff_run *run, const ff_run_relay *given, ff_error *err)
{
    ff_steering *s;
    if (!given->relay.cycle) return ff_error_set(err, FF_BAD_ARGUMENT, "a relay without a cycle steers nothing");
    const ff_status status = find_steering(run, given->robot, &s, err);
    if (status == FF_OK) s->relay = given->relay;
    return status;
}

ff_status ff_run_list_controllers(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    run->steerings = FF_ARENA_NEW(&run->arena, ff_steering, scene->nrobot + 1);
    if (!run->steerings) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (; run->nsteering < scene->ncontrol; run->nsteering++)
        ff_steering_init(&run->steerings[run->nsteering], &scene->controls[run->nsteering]);
    ff_status status = FF_OK;
    for (int i = 0; i < run->options.ncontroller && status == FF_OK; i++)
        status = add_controller(run, &run->options.controllers[i], err);
    for (int i = 0; i < run->options.nrelay && status == FF_OK; i++)
        status = add_relay(run, &run->options.relays[i], err);
    return status;
}

// ------------------------------------------------------------------------------------------ beginning and end

/// A cycle of the bus: the joint law, if the bus is modelled, and the controllers.
static void host(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_run *run = context;
    const ff_scene_spec *scene = run->scene;
    const ff_io_frame *received = ff_run_lose_sensors(run, t, sensors);
    if (scene->bus.modelled) ff_run_host_cycle(run, t, received, references);
    for (int i = 0; i < run->nsteering; i++) ff_steering_cycle(&run->steerings[i], t, received, references);
    ff_run_lose_references(run, t, references);
}

static ff_status begin(ff_run *run, ff_steering *s, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    const int number = s->spec->robot;
    const ff_scene_robot *robot = &scene->robots[number];
    const ff_steering_site site = {
        .plant = scene->plant,
        .layouts = {ff_sim_layout(run->sim, FF_IO_REFERENCES), ff_sim_layout(run->sim, FF_IO_SENSORS)},
        .robot = ff_scene_controller_model(robot),
        .prefix = robot->prefix,
        .vadr = robot->vadr,
        .nv = robot->nv,
        .alone = scene->nrobot == 1 && robot->prefix[0] == '\0',
        .bus_period = scene->bus.period,
        .seed = run->options.sim.seed + (uint64_t)number,
        .permissions = run->options.permissions,
        .python = run->options.python,
        .limited = run->options.limited,
        .arena = &run->arena,
        .sink = ff_run_event_sink(run)};
    const char *name = ff_arena_printf(&run->arena, "control %d", number);
    if (!name) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    const ff_status status = ff_steering_begin(s, &site, err);
    return status == FF_OK ? ff_steering_join(s, run->sim, name, err) : status;
}

ff_status ff_run_add_bus(ff_run *run, ff_error *err)
{
    const ff_controller controller = {.context = run, .cycle = host};
    if (run->nsteering == 0 && !run->scene->bus.modelled) return FF_OK;
    ff_bus bus = run->scene->bus;
    bus.seed = run->options.bus_seed;
    ff_status status = ff_sim_add_bus(run->sim, &bus, &controller, err);
    if (status == FF_OK) status = ff_run_add_host(run, err);
    return status == FF_OK ? ff_run_add_faults(run, err) : status;
}

static void warn_of_late_commands(const ff_run *run, const ff_steering_spec *spec, ff_report *report)
{
    for (int i = 0; i < spec->ncommand; i++)
        if (spec->commands[i].at > run->options.time)
            ff_report_add(report, FF_WARNING, spec->commands[i].place,
                          "this command comes at %g s, after the end of the run at %g s", spec->commands[i].at,
                          run->options.time);
}

/// Does the scene start a joint elsewhere than its controller does? False for free bases.
static bool starts_elsewhere(const ff_joint *joint, const double *given, const double *begun)
{
    return joint->type != FF_JOINT_FREE && fabs(given[joint->qadr] - begun[joint->qadr]) > SAME_START;
}

/// Moves a robot to the start that its controller demands, with a warning if the scene gives another one.
static void start_as_controlled(ff_run *run, const ff_steering *s, ff_report *report)
{
    const ff_scene_robot *robot = &run->scene->robots[s->spec->robot];
    const double *given = run->scene->q + robot->qadr;
    double *q = run->q + robot->qadr, *v = run->v + robot->vadr;
    s->kind->start(s->controller, q, v);
    ff_scene_displace(robot->model, robot->pos, robot->quat, q, v);
    for (int j = 0; j < robot->model->njoint && robot->start_place.line > 0; j++) {
        const ff_joint *joint = &robot->model->joints[j];
        if (!starts_elsewhere(joint, given, q)) continue;
        ff_report_add(report, FF_WARNING, robot->start_place,
                      "the robot begins as its controller '%s' does and not as 'start' says: joint '%s' at %.4g and "
                      "not at %.4g",
                      s->kind->name, joint->name, q[joint->qadr], given[joint->qadr]);
        return;
    }
}

void ff_run_begin_controllers(ff_run *run, ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    bool moved = false;
    run->steered = true;
    for (int i = 0; i < run->nsteering; i++) {
        ff_steering *s = &run->steerings[i];
        ff_error err = {0};
        warn_of_late_commands(run, s->spec, report);
        if (begin(run, s, &err) != FF_OK) {
            ff_report_add(report, FF_ERROR, s->spec->place.file ? s->spec->place : (ff_place){scene->path, 0, 0}, "%s",
                          err.text);
            run->steered = false;
        } else if (s->controller && s->kind->start && !run->options.q) {
            start_as_controlled(run, s, report);
            moved = true;
        }
    }
    ff_error err = {0};
    if (moved && ff_run_set_start(run, &err) != FF_OK)
        ff_report_add(report, FF_ERROR, (ff_place){scene->path, 0, 0}, "%s", err.text);
}

void ff_run_end_controllers(ff_run *run)
{
    for (int i = 0; i < run->nsteering; i++) ff_steering_end(&run->steerings[i]);
}

ff_status ff_run_check_controllers(const ff_run *run, ff_error *err)
{
    for (int i = 0; i < run->nsteering; i++) {
        const ff_status status = ff_steering_check(&run->steerings[i], err);
        if (status != FF_OK) return status;
    }
    return FF_OK;
}

/// "io,os": names of permissions.
static void list_permissions(unsigned permissions, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; ff_permission_names[i] && used < size; i++)
        if (permissions & (1U << i))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? "," : "", ff_permission_names[i]);
}

void ff_run_report_unstarted(const ff_run *run, ff_report *report)
{
    for (int i = 0; i < run->nsteering; i++) {
        const ff_steering *s = &run->steerings[i];
        const unsigned missing = ff_steering_missing_permissions(s);
        char permissions[40];
        if (missing == 0) continue;
        list_permissions(missing, permissions, sizeof permissions);
        ff_report_add(report, FF_WARNING, s->spec->place,
                      "the script was not started, and what it does is not checked: it asks for %s, which only "
                      "`footfall run --allow %s` grants",
                      permissions, permissions);
    }
}

/// Refuses a script with the list of all permissions it needs, also granted ones, so that the advice is a whole
/// command.
static ff_status refuse_script(const ff_steering *s, ff_error *err)
{
    const ff_place place = s->spec->place;
    const char *script = NULL;
    char permissions[40];
    list_permissions(s->kind->permissions(s->settings, &script), permissions, sizeof permissions);
    return ff_error_set(err, FF_BAD_ARGUMENT,
                        "%s:%d:%d: the script %.150s asks for %s: what it can reach then is not bounded; if you trust "
                        "it, run it with --allow %s (ff_run_options.permissions)",
                        place.file, place.line, place.column, script, permissions, permissions);
}

ff_status ff_run_is_ready(const ff_run *run, ff_error *err)
{
    for (int i = 0; i < run->nsteering; i++) {
        const ff_steering *s = &run->steerings[i];
        if (ff_steering_missing_permissions(s)) return refuse_script(s, err);
        if (!ff_steering_is_lacking(s)) continue;
        const ff_place place = s->spec->place;
        const ff_callback_settings *settings = s->settings;
        return ff_error_set(
            err, FF_BAD_ARGUMENT,
            "%s:%d:%d: a program that uses the library brings the controller '%.60s' "
            "(ff_run_options.controllers), or a plug-in does (--plugin FILE of `footfall run`, `control` and "
            "`serve`); nobody did",
            place.file, place.line, place.column, settings->name);
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ without a simulation

/// The steering of a robot whose controller has begun; NULL: there is none.
static ff_steering *begun_steering(const ff_run *run, int robot)
{
    ff_steering *s = ff_run_find_steering(run, robot);
    return s && s->controller ? s : NULL;
}

static ff_status need_steering(const ff_run *run, int robot, ff_steering **s, ff_error *err)
{
    *s = begun_steering(run, robot);
    return *s ? FF_OK : ff_error_set(err, FF_NOT_FOUND, "no controller of this scene steers robot %d", robot);
}

ff_status ff_run_controller_site(const ff_run *run, int robot, ff_relay_site *out, ff_error *err)
{
    ff_steering *s;
    const ff_status status = need_steering(run, robot, &s, err);
    if (status == FF_OK) *out = ff_steering_relay_site(s);
    return status;
}

ff_status ff_run_tap_controller(ff_run *run, int robot, const ff_cycle_tap *tap, ff_error *err)
{
    ff_steering *s;
    const ff_status status = need_steering(run, robot, &s, err);
    if (status == FF_OK) s->tap = *tap;
    return status;
}

uint32_t ff_run_answer(ff_run *run, int robot, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_steering *s = begun_steering(run, robot);
    if (!s) return 0;
    ff_steering_answer(s, t, sensors, references);
    return ff_steering_conditions(s);
}

ff_status ff_run_check_controller(const ff_run *run, int robot, ff_error *err)
{
    const ff_steering *s = begun_steering(run, robot);
    return s ? ff_steering_check(s, err) : FF_OK;
}

ff_status ff_run_plan_layout(const ff_run *run, int robot, ff_io_layout *out, ff_error *err)
{
    ff_steering *s;
    const ff_status status = need_steering(run, robot, &s, err);
    return status == FF_OK ? ff_steering_plan_layout(s, out, err) : status;
}

uint32_t ff_run_plan(ff_run *run, int robot, double t, const ff_io_frame *sensors, ff_io_frame *plan)
{
    ff_steering *s = begun_steering(run, robot);
    if (!s) return 0;
    ff_steering_plan(s, t, sensors, plan);
    return ff_steering_conditions(s);
}

uint32_t ff_run_stabilise(ff_run *run, int robot, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                          ff_io_frame *references)
{
    ff_steering *s = begun_steering(run, robot);
    if (!s) return 0;
    ff_steering_stabilise(s, t, sensors, plan, references);
    return ff_steering_conditions(s);
}

// ------------------------------------------------------------------------------------------ while the run goes on

/// The script that steers a robot now; NULL: none.
static const ff_script_functions *find_script(const ff_run *run, int robot, ff_steering **s)
{
    *s = begun_steering(run, robot);
    return *s ? (*s)->kind->script : NULL;
}

ff_run_steering ff_run_get_steering(const ff_run *run, int robot)
{
    ff_steering *s;
    const ff_script_functions *script = find_script(run, robot, &s);
    s = ff_run_find_steering(run, robot);
    ff_run_steering out = {.kind = s ? s->kind->name : run->scene->law ? "hold" : NULL};
    if (script) script->get_text(s->controller, &out.path, &out.text, &out.length);
    return out;
}

int ff_run_command_keys(const ff_run *run, int robot, ff_command_key *out, int most)
{
    const ff_steering *s = begun_steering(run, robot);
    return s && s->kind->command_keys ? s->kind->command_keys(s->controller, out, most) : 0;
}

ff_status ff_run_command(ff_run *run, int robot, const char *text, size_t length, ff_report *report)
{
    const double t = ff_sim_time(run->sim);
    return ff_steering_command(ff_run_find_steering(run, robot), t, text, length, report);
}

int ff_run_parameters(const ff_run *run, int robot, ff_script_parameter *out, int most)
{
    ff_steering *s;
    const ff_script_functions *script = find_script(run, robot, &s);
    return script ? script->parameters(s->controller, out, most) : 0;
}

ff_status ff_run_set_parameter(ff_run *run, int robot, const char *name, double value, ff_error *err)
{
    ff_steering *s;
    const ff_script_functions *script = find_script(run, robot, &s);
    if (script) return script->set_parameter(s->controller, name, value, err);
    return ff_error_set(err, FF_NOT_FOUND, "no script steers the robot: it has no parameter '%.60s'", name);
}

ff_status ff_run_set_script(ff_run *run, int robot, const char *text, size_t length, ff_report *report)
{
    return ff_steering_set_script(ff_run_find_steering(run, robot), text, length, report);
}

void ff_run_report_news(ff_run *run, ff_report *report)
{
    ff_run_report_falls(run, report);
    for (int i = 0; i < run->nsteering; i++) ff_steering_report_new(&run->steerings[i], report);
}
