// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What is hung onto a simulation: parts, sampled tasks, listeners, events, random streams and memory of callers; when
// each is called, and what is done about its wishes. Task times are whole ticks: the k-th call comes at offset + k *
// period, without rounding.
#include "system.h"
#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ff_status refuse_late(const ff_sim *sim, const char *what, ff_error *err)
{
    if (!sim->begun) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "a %s must be added before the first run", what);
}

static ff_status no_memory(const char *what, ff_error *err)
{
    return ff_error_set(err, FF_NO_MEMORY, "no memory for one more %s", what);
}

static const char *keep_name(ff_sim *sim, const char *name)
{
    return ff_arena_strdup(&sim->arena, name ? name : "");
}

// ------------------------------------------------------------------------------------------ adding

static bool grow_start(ff_sim *sim, int count)
{
    while (sim->nz + count > sim->start_capacity) {
        int capacity = sim->start_capacity;
        if (!ff_array_grow(&sim->part_start, capacity, &sim->start_capacity, sizeof(double))) return false;
    }
    if (count > 0) memset(sim->part_start + sim->nz, 0, (size_t)count * sizeof(double));
    return true;
}

int ff_sim_add_part(ff_sim *sim, const ff_part *part, ff_error *err)
{
    if (refuse_late(sim, "part", err)) return -1;
    if (!part->derivative || part->nstate < 0 || part->nstate > 1000000) {
        ff_error_set(err, FF_BAD_ARGUMENT, "part \"%s\" needs a derivative and between 0 and 1000000 states, not %d",
                     part->name ? part->name : "", part->nstate);
        return -1;
    }
    for (int i = 0; i < sim->npart; i++) {
        if (strcmp(sim->parts[i].part.name, part->name ? part->name : "") != 0) continue;
        ff_error_set(err, FF_BAD_ARGUMENT, "two parts are called \"%s\"", sim->parts[i].part.name);
        return -1;
    }
    const char *name = keep_name(sim, part->name);
    if (!name || !ff_array_grow(&sim->parts, sim->npart, &sim->part_capacity, sizeof *sim->parts) ||
        !grow_start(sim, part->nstate)) {
        no_memory("part", err);
        return -1;
    }
    sim->parts[sim->npart] = (ff_part_slot){.part = *part, .offset = sim->nz};
    sim->parts[sim->npart].part.name = name;
    sim->nz += part->nstate;
    return sim->npart++;
}

int ff_sim_add_task(ff_sim *sim, const ff_task *task, ff_error *err)
{
    if (refuse_late(sim, "task", err)) return -1;
    if (!task->run || task->period < 0 || task->offset < 0) {
        ff_error_set(err, FF_BAD_ARGUMENT,
                     "task \"%s\": period %g s and offset %g s must not be negative, and it must do something",
                     task->name ? task->name : "", ff_ticks_to_seconds(task->period),
                     ff_ticks_to_seconds(task->offset));
        return -1;
    }
    const char *name = keep_name(sim, task->name);
    if (!name || !ff_array_grow(&sim->tasks, sim->ntask, &sim->task_capacity, sizeof *sim->tasks) ||
        !ff_array_grow(&sim->order, sim->ntask, &sim->order_capacity, sizeof *sim->order)) {
        no_memory("task", err);
        return -1;
    }
    sim->tasks[sim->ntask] = (ff_task_slot){.task = *task, .next = task->offset};
    sim->tasks[sim->ntask].task.name = name;
    sim->order[sim->ntask] = sim->ntask;
    return sim->ntask++;
}

void ff_sim_task_last(ff_sim *sim, int task)
{
    int k = 0;
    while (sim->order[k] != task) k++;
    for (; k + 1 < sim->ntask; k++) sim->order[k] = sim->order[k + 1];
    sim->order[k] = task;
}

ff_status ff_sim_add_listener(ff_sim *sim, const ff_listener *listener, ff_error *err)
{
    if (!listener->step) return ff_error_set(err, FF_BAD_ARGUMENT, "a listener without a function hears nothing");
    if (!ff_array_grow(&sim->listeners, sim->nlistener, &sim->listener_capacity, sizeof *sim->listeners))
        return no_memory("listener", err);
    sim->listeners[sim->nlistener++] = *listener;
    return FF_OK;
}

int ff_sim_add_event(ff_sim *sim, const ff_event *event, ff_error *err)
{
    if (refuse_late(sim, "event", err)) return -1;
    if (!event->value || event->direction < -1 || event->direction > 1) {
        ff_error_set(err, FF_BAD_ARGUMENT, "event \"%s\" needs a function, and a direction of -1, 0 or +1, not %d",
                     event->name ? event->name : "", event->direction);
        return -1;
    }
    const char *name = keep_name(sim, event->name);
    if (!name || !ff_array_grow(&sim->events, sim->nevent, &sim->event_capacity, sizeof *sim->events)) {
        no_memory("event", err);
        return -1;
    }
    sim->events[sim->nevent] = (ff_event_slot){.event = *event};
    sim->events[sim->nevent].event.name = name;
    return sim->nevent++;
}

ff_random *ff_sim_add_random(ff_sim *sim)
{
    if (sim->begun) return NULL;
    ff_random *stream = FF_ARENA_NEW(&sim->arena, ff_random, 1);
    if (!stream || !ff_array_grow(&sim->randoms, sim->nrandom, &sim->random_capacity, sizeof *sim->randoms))
        return NULL;
    *stream = ff_random_make(sim->options.seed, (uint64_t)sim->nrandom);
    sim->randoms[sim->nrandom++] = stream;
    return stream;
}

ff_status ff_sim_add_memory(ff_sim *sim, const char *name, void *address, size_t size, ff_error *err)
{
    const ff_status status = refuse_late(sim, "memory", err);
    if (status) return status;
    if (!address && size > 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "memory \"%s\" has no address", name ? name : "");
    const char *kept = keep_name(sim, name);
    if (!kept || !ff_array_grow(&sim->memories, sim->nmemory, &sim->memory_capacity, sizeof *sim->memories))
        return no_memory("memory", err);
    sim->memories[sim->nmemory++] = (ff_memory_slot){.name = kept, .address = address, .size = size};
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ calling

void ff_sim_obey(ff_sim *sim, int wishes)
{
    ff_sim_take_up(sim);
    if (wishes & FF_SIM_STOP) sim->stop = true;
}

void ff_sim_stop(ff_sim *sim, const char *reason)
{
    sim->stop = true;
    strncpy(sim->reason, reason ? reason : "", sizeof sim->reason - 1);
}

ff_ticks ff_sim_next_task(const ff_sim *sim)
{
    ff_ticks next = INT64_MAX;
    for (int i = 0; i < sim->ntask; i++)
        if (sim->tasks[i].next < next) next = sim->tasks[i].next;
    return next;
}

static int call(ff_sim *sim, ff_task_slot *slot)
{
    // Counted and forgotten before the call: a state saved inside the task then neither runs it twice nor keeps a
    // first stage that the running simulation drops.
    const ff_ticks period = slot->task.period;
    sim->called = slot->next;
    slot->next = period > 0 && period < INT64_MAX - slot->next ? slot->next + period : INT64_MAX;
    slot->calls++;
    sim->counts.tasks++;
    const bool writes = !slot->task.reads_only, now = !slot->task.aside; // what one aside writes acts later
    if (writes && sim->method->forget) sim->method->forget(sim, false);
    if (writes && now) ff_sim_lower(sim, FF_SIM_VELOCITY);
    if (now) ff_sim_reach(sim, FF_SIM_VELOCITY);
    const int wishes = (int)slot->task.run(slot->task.context, sim, ff_ticks_to_seconds(sim->called));
    if (writes && now && !(wishes & FF_SIM_LOOKED)) ff_sim_lower(sim, FF_SIM_VELOCITY);
    ff_sim_obey(sim, wishes);
    return wishes;
}

int ff_sim_run_tasks(ff_sim *sim)
{
    int all = 0;
    if (sim->offset != 0.0) return all; // tasks fall on whole ticks only
    for (int i = 0; i < sim->ntask; i++) {
        ff_task_slot *slot = &sim->tasks[sim->order[i]];
        if (slot->next <= sim->ticks) all |= call(sim, slot);
    }
    return all;
}

void ff_sim_run_aside(ff_sim *sim, ff_ticks until)
{
    while (!sim->stop) { // a call may bring the next other task nearer
        ff_task_slot *first = NULL;
        ff_ticks bound = until;
        for (int i = 0; i < sim->ntask; i++) {
            ff_task_slot *slot = &sim->tasks[sim->order[i]];
            if (!slot->task.aside)
                bound = slot->next < bound ? slot->next : bound;
            else if (!first || slot->next < first->next)
                first = slot;
        }
        if (!first || first->next >= bound) return;
        call(sim, first);
    }
}

int ff_sim_tell_listeners(ff_sim *sim)
{
    int all = 0;
    const double now = ff_sim_time(sim);
    for (int i = 0; i < sim->nlistener; i++) {
        const int wishes = (int)sim->listeners[i].step(sim->listeners[i].context, sim, now);
        ff_sim_obey(sim, wishes);
        all |= wishes;
    }
    if (sim->nlistener > 0) ff_sim_lower(sim, FF_SIM_VELOCITY); // forces may depend on what they wrote
    return all;
}

// ------------------------------------------------------------------------------------------ events

bool ff_sim_add_world_events(ff_sim *sim)
{
    sim->nevent_user = sim->nevent;
    if (!sim->world || !ff_sim_locates_events(sim)) return true;
    const int count = ff_world_event_count(sim->world);
    for (int i = 0; i < count; i++) {
        if (!ff_array_grow(&sim->events, sim->nevent, &sim->event_capacity, sizeof *sim->events)) return false;
        sim->events[sim->nevent++] = (ff_event_slot){.event = {.name = "contact"}};
    }
    return true;
}

/// Poses and velocities of the state x into data.
static void look_at(ff_sim *sim, double t, const double *x)
{
    if (x == sim->x)
        ff_sim_reach(sim, FF_SIM_VELOCITY);
    else
        ff_sim_place_trial(sim, sim->base + t, x, x + sim->nq, false);
}

void ff_sim_event_values(ff_sim *sim, double t, const double *x, double *values)
{
    look_at(sim, t, x);
    for (int i = 0; i < sim->nevent_user; i++) {
        const ff_event *event = &sim->events[i].event;
        values[i] = event->value(event->context, sim->base + t, sim->model, sim->data, x);
    }
    if (sim->nevent == sim->nevent_user) return;
    ff_world_find(sim->world, sim->data);
    ff_world_event_values(sim->world, x + sim->nq + sim->nv + sim->parts[sim->world->part].offset,
                          values + sim->nevent_user);
}

double ff_sim_event_value(ff_sim *sim, int i, double t, const double *x)
{
    if (i >= sim->nevent_user) {
        ff_sim_event_values(sim, t, x, sim->event_values);
        return sim->event_values[i];
    }
    const ff_event *event = &sim->events[i].event;
    look_at(sim, t, x);
    return event->value(event->context, sim->base + t, sim->model, sim->data, x);
}

void ff_sim_prepare_events(ff_sim *sim)
{
    if (!(sim->due & FF_DUE_EVENTS)) return;
    if (sim->nevent > 0) ff_sim_event_values(sim, ff_sim_time(sim) - sim->base, sim->x, sim->event_values);
    for (int i = 0; i < sim->nevent; i++) {
        ff_event_slot *slot = &sim->events[i];
        slot->value = sim->event_values[i];
        slot->sign = fabs(slot->value) <= slot->slack ? 0 : (slot->value > 0.0) - (slot->value < 0.0);
        if (slot->sign != 0) slot->slack = 0.0; // otherwise it still says when the new side shows
    }
    if (sim->nevent > sim->nevent_user) { // contacts know their side from their mode
        ff_world_event_signs(sim->world, sim->roots);
        for (int i = sim->nevent_user; i < sim->nevent; i++) {
            sim->events[i].sign = sim->roots[i - sim->nevent_user];
            sim->events[i].slack = 0.0;
        }
    }
    sim->due &= ~FF_DUE_EVENTS;
    ff_sim_show(sim);
}

/// The contacts whose events crossed change their modes; afterwards the integrator starts afresh, its step kept.
static void serve_contacts(ff_sim *sim)
{
    bool changed = false;
    for (int i = sim->nevent_user; i < sim->nevent; i++) {
        const int crossing = sim->events[i].crossing;
        if (!crossing) continue;
        sim->events[i].crossing = 0;
        sim->counts.events++;
        ff_sim_reach(sim, FF_SIM_VELOCITY);
        changed = ff_world_event(sim->world, sim, i - sim->nevent_user, crossing) || changed;
    }
    if (!changed) return;
    ff_sim_forget(sim, false);
    sim->due |= FF_DUE_EVENTS;
}

int ff_sim_handle_events(ff_sim *sim, double crossing_time)
{
    int all = 0;
    serve_contacts(sim);
    for (int i = 0; i < sim->nevent_user; i++) {
        ff_event_slot *slot = &sim->events[i];
        if (!slot->crossing) continue;
        slot->crossing = 0;
        sim->counts.events++;
        int wishes = FF_SIM_GO;
        if (slot->event.handle) {
            ff_sim_reach(sim, FF_SIM_VELOCITY);
            wishes = (int)slot->event.handle(slot->event.context, sim, crossing_time);
        }
        ff_sim_lower(sim, FF_SIM_VELOCITY);
        if (!(sim->due & FF_DUE_TAKE_UP)) slot->slack = 0.0; // the state goes on across: the new side is known
        ff_sim_obey(sim, wishes);
        all |= wishes;
    }
    return all;
}

int ff_sim_serve_events(ff_sim *sim, const ff_step *step)
{
    int all = 0;
    for (int i = 0; i < sim->nevent_user; i++) {
        ff_event_slot *slot = &sim->events[i];
        const double before = slot->value;
        const double after = ff_sim_event_value(sim, i, ff_sim_time(sim) - sim->base, sim->x);
        const int sign = (after > 0.0) - (after < 0.0);
        const bool crossed = sign * slot->sign < 0 && slot->event.direction * sign >= 0;
        slot->value = after;
        if (sign != 0) slot->sign = sign;
        if (!crossed) continue;
        slot->crossing = sign;
        ff_sim_show(sim);
        all |= ff_sim_handle_events(sim, step->start + step->h * before / (before - after)); // a linear estimate
        if (sim->due & FF_DUE_EVENTS) break; // the handler changed the state: the other values are of the past
    }
    ff_sim_show(sim);
    return all;
}
