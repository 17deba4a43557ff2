// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The cycles of one controller: commands that are due are given, sensor values of the robot are copied from the I/O
// frames of all robots, the controller is called, and its references are copied back.
#include "steer/steering.h"

#include <string.h>

void ff_steering_init(ff_steering *s, const ff_steering_spec *spec)
{
    *s = (ff_steering){.spec = spec, .kind = spec->kind, .settings = spec->settings};
}

void ff_steering_bring(ff_steering *s, const ff_robot_controller *controller)
{
    s->brought = (ff_callback_settings){.controller = *controller};
    s->kind = &ff_controller_callback;
    s->settings = &s->brought;
}

bool ff_steering_is_lacking(const ff_steering *s)
{
    return !s->relay.cycle && s->kind == &ff_controller_callback &&
           !((const ff_callback_settings *)s->settings)->controller.cycle;
}

const char *const ff_permission_names[] = {"io", "os", "require", "debug", "python", NULL};

unsigned ff_steering_missing_permissions(const ff_steering *s)
{
    const char *script;
    return s->kind->permissions ? s->kind->permissions(s->settings, &script) & ~s->site.permissions : 0;
}

// ------------------------------------------------------------------------------------------ cycles

static void give_commands(ff_steering *s, double t)
{
    for (; s->progress.next < s->spec->ncommand; s->progress.next++) {
        const ff_timed_command *c = &s->spec->commands[s->progress.next];
        if (c->at > t + 1e-9) return;
        ff_error refused = {0};
        if (!s->kind->command || s->kind->command(s->controller, t, c->command, &refused) != FF_OK) {
            if (s->refused.command)
                s->refused.more++;
            else
                s->refused = (ff_refused_command){c, refused, 0};
            continue;
        }
        if (s->site.sink.command)
            s->site.sink.command(s->site.sink.context, s->spec->robot, t, c->text ? c->text : "", false);
    }
}

static void step(ff_steering *s, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    if (s->relay.cycle)
        s->relay.cycle(s->relay.context, t, sensors, references);
    else if (s->kind->step)
        s->kind->step(s->controller, t, sensors, references);
    else
        s->bound.cycle(s->bound.context, t, sensors, references);
    if (s->kind->unchecked || s->relay.cycle) ff_steering_sanitise(s, t, references);
    ff_steering_count_ignored(s, t, references);
    if (s->tap.see) s->tap.see(s->tap.context, t, sensors, references, ff_steering_conditions(s));
}

/// Copies the robot's own items into its frame, and its references back.
static void step_own(ff_steering *s, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_io_frame *in = s->frames[FF_IO_SENSORS], *out = s->frames[FF_IO_REFERENCES];
    in->sequence = sensors->sequence;
    in->time_ns = sensors->time_ns;
    for (uint32_t i = 0; i < in->count; i++) ff_io_items(in)[i] = ff_io_items_of(sensors)[s->items[FF_IO_SENSORS][i]];
    out->sequence = references->sequence;
    out->time_ns = references->time_ns;
    memset(ff_io_items(out), 0, out->count * sizeof(ff_io_item));
    step(s, t, in, out);
    for (uint32_t i = 0; i < out->count; i++)
        ff_io_items(references)[s->items[FF_IO_REFERENCES][i]] = ff_io_items(out)[i];
}

void ff_steering_cycle(ff_steering *s, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    if (!s->controller) return; // it lacks permissions: the robot gets no references
    if (s->progress.cycles++ % s->spec->every == 0 || (s->relay.cycle && s->relay.every_bus_cycle)) {
        give_commands(s, t);
        if (s->frames[FF_IO_SENSORS])
            step_own(s, t, sensors, references);
        else
            step(s, t, sensors, references);
    }
    ff_steering_watch_status(s, t);
}

void ff_steering_answer(ff_steering *s, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    if (!s->controller) return;
    give_commands(s, t);
    step(s, t, sensors, references);
    ff_steering_watch_status(s, t);
}

// ------------------------------------------------------------------------------------------ halves

ff_status ff_steering_plan_layout(const ff_steering *s, ff_io_layout *out, ff_error *err)
{
    if (!s->kind->halves)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "controller '%s' is one piece: only 'gait' and 'biped' are planner and stabiliser",
                            s->kind->name);
    const ff_io_numbers *n = s->kind->halves->planner_output(s->controller);
    if (n->err.status != FF_OK) return ff_error_set(err, n->err.status, "%s", n->err.text);
    *out = (ff_io_layout){FF_IO_REFERENCES, n->count, n->names, ff_io_layout_hash(n->names, n->count)};
    return FF_OK;
}

void ff_steering_plan(ff_steering *s, double t, const ff_io_frame *sensors, ff_io_frame *plan)
{
    give_commands(s, t);
    s->kind->halves->plan(s->controller, t, sensors, plan);
    ff_steering_watch_status(s, t);
}

void ff_steering_stabilise(ff_steering *s, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                           ff_io_frame *references)
{
    s->kind->halves->stabilise(s->controller, t, sensors, plan, references);
    ff_steering_watch_status(s, t);
}

// ------------------------------------------------------------------------------------------ beginning and end

ff_controller_site ff_steering_controller_site(const ff_steering *s)
{
    return (ff_controller_site){.robot = s->site.robot,
                                .plant = s->site.plant,
                                .prefix = s->site.prefix,
                                .sensors = &s->layouts[FF_IO_SENSORS],
                                .references = &s->layouts[FF_IO_REFERENCES],
                                .limits = s->limits,
                                .period = (double)s->spec->every * s->site.bus_period,
                                .seed = s->site.seed,
                                .permissions = s->site.permissions,
                                .python = s->site.python,
                                .limited = s->site.limited};
}

ff_relay_site ff_steering_relay_site(ff_steering *s)
{
    return (ff_relay_site){.robot = s->site.robot,
                           .sensors = &s->layouts[FF_IO_SENSORS],
                           .references = &s->layouts[FF_IO_REFERENCES],
                           .period = (double)s->spec->every * s->site.bus_period,
                           .bus_period = s->site.bus_period,
                           .signals = s->bound.signals,
                           .values = (double *)s->bound.values,
                           .nsignal = s->bound.nsignal,
                           .conditions = &s->relayed};
}

uint32_t ff_steering_conditions(const ff_steering *s)
{
    if (s->relay.cycle) return s->relayed;
    return s->bound.conditions ? *s->bound.conditions : 0;
}

/// Binds the relay. Signals keep their names, and get an array of values that the relay writes.
static ff_status bind_relay(ff_steering *s, ff_error *err)
{
    ff_controller *p = &s->bound;
    double *values = FF_ARENA_NEW(s->site.arena, double, p->nsignal + 1);
    if (!values) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    if (p->nsignal > 0) memcpy(values, p->values, (size_t)p->nsignal * sizeof *values);
    p->values = values;
    const ff_relay_site site = ff_steering_relay_site(s);
    return s->relay.bind ? s->relay.bind(s->relay.context, &site, err) : FF_OK;
}

ff_status ff_steering_begin(ff_steering *s, const ff_steering_site *site, ff_error *err)
{
    // clears the state of an earlier run
    *s = (ff_steering){.spec = s->spec,
                       .kind = s->kind,
                       .settings = s->settings,
                       .brought = s->brought,
                       .relay = s->relay,
                       .site = *site};
    if (!ff_steering_make_frames(s) || !ff_steering_make_limits(s))
        return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    if (ff_steering_missing_permissions(s)) return FF_OK;
    const ff_controller_site where = ff_steering_controller_site(s);
    ff_status status = s->kind->create(s->settings, &where, &s->controller, err);
    if (status == FF_OK) status = s->kind->bind(s->controller, &where, &s->bound, err);
    if (status == FF_OK && s->relay.cycle) status = bind_relay(s, err);
    if (status != FF_OK) ff_steering_end(s);
    return status;
}

ff_status ff_steering_join(ff_steering *s, ff_sim *sim, const char *name, ff_error *err)
{
    const ff_controller *p = &s->bound;
    const char *lead = ff_arena_printf(s->site.arena, "control.%s", s->site.prefix);
    if (!lead) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    ff_status status = ff_sim_add_memory(sim, name, &s->progress, sizeof s->progress, err);
    if (status == FF_OK && p->memory_size > 0) status = ff_sim_add_memory(sim, name, p->memory, p->memory_size, err);
    if (status == FF_OK && p->nsignal > 0)
        status = ff_sim_add_signals(sim, lead, p->signals, p->values, p->nsignal, err);
    return status;
}

void ff_steering_end(ff_steering *s)
{
    if (s->controller) s->kind->destroy(s->controller);
    s->controller = NULL;
}

// ------------------------------------------------------------------------------------------ results of cycles

const double *ff_steering_find_signal(const ff_steering *s, const char *name, size_t length)
{
    const size_t lead = s->controller ? strlen(s->site.prefix) : 0;
    if (!s->controller || length < lead || strncmp(name, s->site.prefix, lead) != 0) return NULL;
    for (int k = 0; k < s->bound.nsignal; k++) {
        const char *signal = s->bound.signals[k].name;
        if (strlen(signal) == length - lead && strncmp(signal, name + lead, length - lead) == 0)
            return &s->bound.values[k];
    }
    return NULL;
}

ff_status ff_steering_check(const ff_steering *s, ff_error *err)
{
    if (!s->controller) return FF_OK;
    if (s->relay.cycle) return s->relay.check ? s->relay.check(s->relay.context, err) : FF_OK;
    return s->kind->check ? s->kind->check(s->controller, err) : FF_OK;
}

ff_body_command ff_steering_body_command(const ff_steering *s)
{
    return s->controller && s->kind->body_command ? s->kind->body_command(s->controller) : (ff_body_command){0};
}
