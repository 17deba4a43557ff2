// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts, sampled tasks, listeners, events, random streams and memory that callers add to a simulation; calls of tasks
// and listeners. Task times are whole ticks: the k-th call comes at offset + k * period, without rounding.
#include "base/missing.h"
#include "engine/system.h"

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

// ------------------------------------------------------------------------------------------ parts

static bool grow_part_start(ff_sim *sim, int count)
{
    while (sim->nz + count > sim->capacity.part_start) {
        int capacity = sim->capacity.part_start;
        if (!ff_array_grow(&sim->part_start, capacity, &sim->capacity.part_start, sizeof(double))) return false;
    }
    if (count > 0) memset(sim->part_start + sim->nz, 0, (size_t)count * sizeof(double));
    return true;
}

static ff_status check_part(const ff_sim *sim, const ff_part *part, ff_error *err)
{
    if (!part) return ff_error_missing(err, "ff_sim_add_part", "part");
    const char *name = part->name ? part->name : "";
    if (sim->begun) return ff_error_set(err, FF_BAD_ARGUMENT, "a part must be added before the first run");
    if (part->nstate < 0 || part->nstate > 1000000 || (!part->derivative && part->nstate > 0))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "part \"%s\" needs a derivative and between 0 and 1000000 states, not %d", name,
                            part->nstate);
    if (part->nevent > 0 && (!part->event_values || !part->event))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "part \"%s\" has %d events and lacks their values or what happens at them", name,
                            part->nevent);
    for (int i = 0; i < sim->npart; i++)
        if (strcmp(sim->parts[i].part.name, name) == 0)
            return ff_error_set(err, FF_BAD_ARGUMENT, "two parts are called \"%s\"", name);
    return FF_OK;
}

int ff_sim_add_inner_part(ff_sim *sim, const ff_part *part, const ff_part_inner *inner, ff_error *err)
{
    if (check_part(sim, part, err)) return -1;
    const char *name = ff_arena_strdup(&sim->arena, part->name ? part->name : "");
    if (!name || !ff_array_grow(&sim->parts, sim->npart, &sim->capacity.parts, sizeof *sim->parts) ||
        !grow_part_start(sim, part->nstate)) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for one more part");
        return -1;
    }
    for (int i = 0; i < part->nmemory; i++)
        if (ff_sim_add_memory(sim, name, part->memory[i].address, part->memory[i].size, err)) return -1;
    sim->parts[sim->npart] =
        (ff_part_slot){.part = *part, .inner = *inner, .offset = sim->nz, .integral = sim->nintegral};
    sim->parts[sim->npart].part.name = name;
    sim->parts[sim->npart].part.memory = NULL; // registered above, and the caller's
    sim->nz += part->nstate;
    sim->nintegral += inner->nintegral;
    sim->nplace += inner->place != NULL;
    sim->nconstrain += inner->constrain != NULL;
    return sim->npart++;
}

int ff_sim_add_part(ff_sim *sim, const ff_part *part, ff_error *err)
{
    return ff_sim_add_inner_part(sim, part, &(ff_part_inner){0}, err);
}

void *ff_sim_find_inner(const ff_sim *sim, const void *kind)
{
    for (int i = 0; i < sim->npart; i++)
        if (sim->parts[i].inner.kind == kind) return sim->parts[i].part.context;
    return NULL;
}

double *ff_sim_part_integrals(ff_sim *sim, int part)
{
    return sim->x + sim->n - sim->nintegral + sim->parts[part].integral;
}

// ------------------------------------------------------------------------------------------ adding

int ff_sim_add_task(ff_sim *sim, const ff_task *task, ff_error *err)
{
    if (!task) return ff_error_missing(err, __func__, "task"), -1;
    if (refuse_late(sim, "task", err)) return -1;
    if (!task->run || task->period < 0 || task->offset < 0) {
        ff_error_set(err, FF_BAD_ARGUMENT,
                     "task \"%s\": period %g s and offset %g s must not be negative, and it must do something",
                     task->name ? task->name : "", ff_ticks_to_seconds(task->period),
                     ff_ticks_to_seconds(task->offset));
        return -1;
    }
    const char *name = keep_name(sim, task->name);
    if (!name || !ff_array_grow(&sim->tasks, sim->ntask, &sim->capacity.tasks, sizeof *sim->tasks) ||
        !ff_array_grow(&sim->task_order, sim->ntask, &sim->capacity.task_order, sizeof *sim->task_order)) {
        no_memory("task", err);
        return -1;
    }
    sim->tasks[sim->ntask] = (ff_task_slot){.task = *task, .next = task->offset};
    sim->tasks[sim->ntask].task.name = name;
    sim->task_order[sim->ntask] = sim->ntask;
    sim->nasynchronous += task->asynchronous;
    return sim->ntask++;
}

void ff_sim_task_last(ff_sim *sim, int task)
{
    int k = 0;
    while (sim->task_order[k] != task) k++;
    for (; k + 1 < sim->ntask; k++) sim->task_order[k] = sim->task_order[k + 1];
    sim->task_order[k] = task;
}

ff_status ff_sim_add_listener(ff_sim *sim, const ff_listener *listener, ff_error *err)
{
    if (!listener) return ff_error_missing(err, __func__, "listener");
    if (!listener->step) return ff_error_set(err, FF_BAD_ARGUMENT, "a listener needs a function");
    if (!ff_array_grow(&sim->listeners, sim->nlistener, &sim->capacity.listeners, sizeof *sim->listeners))
        return no_memory("listener", err);
    sim->listeners[sim->nlistener++] = *listener;
    return FF_OK;
}

int ff_sim_add_event(ff_sim *sim, const ff_event *event, ff_error *err)
{
    if (!event) return ff_error_missing(err, __func__, "event"), -1;
    if (refuse_late(sim, "event", err)) return -1;
    if (!event->value || event->direction < -1 || event->direction > 1) {
        ff_error_set(err, FF_BAD_ARGUMENT, "event \"%s\" needs a function, and a direction of -1, 0 or +1, not %d",
                     event->name ? event->name : "", event->direction);
        return -1;
    }
    const char *name = keep_name(sim, event->name);
    if (!name ||
        !ff_array_grow(&sim->events.slots, sim->events.count, &sim->events.capacity, sizeof *sim->events.slots)) {
        no_memory("event", err);
        return -1;
    }
    sim->events.slots[sim->events.count] = (ff_event_slot){.event = *event};
    sim->events.slots[sim->events.count].event.name = name;
    return sim->events.count++;
}

ff_random *ff_sim_add_random(ff_sim *sim)
{
    if (sim->begun) return NULL;
    ff_random *stream = FF_ARENA_NEW(&sim->arena, ff_random, 1);
    if (!stream || !ff_array_grow(&sim->randoms, sim->nrandom, &sim->capacity.randoms, sizeof *sim->randoms))
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
    if (!kept || !ff_array_grow(&sim->memories, sim->nmemory, &sim->capacity.memories, sizeof *sim->memories))
        return no_memory("memory", err);
    sim->memories[sim->nmemory++] = (ff_memory_slot){.name = kept, .address = address, .size = size};
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ calling

void ff_sim_perform(ff_sim *sim, int actions)
{
    ff_sim_commit_writes(sim);
    if (actions & FF_SIM_STOP) sim->stop = true;
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
    // The call is counted before it is made, and the method drops its memory before: a state saved in the task then
    // does not repeat the call, and has no first stage that the running simulation lacks.
    const ff_ticks period = slot->task.period;
    sim->task_time = slot->next;
    slot->next = period > 0 && period < INT64_MAX - slot->next ? slot->next + period : INT64_MAX;
    slot->calls++;
    sim->counts.tasks++;
    const bool writes = !slot->task.reads_only, now = !slot->task.asynchronous; // an asynchronous task writes for later
    if (writes && sim->method->forget) sim->method->forget(sim, false);
    if (writes && now) ff_sim_invalidate(sim, FF_SIM_VELOCITY);
    if (now) ff_sim_reach(sim, FF_SIM_VELOCITY);
    const int row = ff_profile_enter(sim, FF_PROFILE_PARTS + sim->npart + (int)(slot - sim->tasks));
    const int actions = (int)slot->task.run(slot->task.context, sim, ff_ticks_to_seconds(sim->task_time));
    ff_profile_leave(sim, row);
    if (writes && now && !(actions & FF_SIM_UNCHANGED)) ff_sim_invalidate(sim, FF_SIM_VELOCITY);
    ff_sim_perform(sim, actions);
    return actions;
}

int ff_sim_run_tasks(ff_sim *sim)
{
    int all = 0;
    if (sim->offset != 0.0) return all; // tasks fall on whole ticks only
    for (int i = 0; i < sim->ntask; i++) {
        ff_task_slot *slot = &sim->tasks[sim->task_order[i]];
        if (slot->next <= sim->ticks) all |= call(sim, slot);
    }
    return all;
}

void ff_sim_run_asynchronous(ff_sim *sim, ff_ticks until)
{
    while (!sim->stop) { // a call may bring the next synchronous task forward
        ff_task_slot *first = NULL;
        ff_ticks bound = until;
        for (int i = 0; i < sim->ntask; i++) {
            ff_task_slot *slot = &sim->tasks[sim->task_order[i]];
            if (!slot->task.asynchronous)
                bound = slot->next < bound ? slot->next : bound;
            else if (!first || slot->next < first->next)
                first = slot;
        }
        if (!first || first->next >= bound) return;
        call(sim, first);
    }
}

int ff_sim_call_listeners(ff_sim *sim)
{
    if (sim->nlistener == 0) return 0;
    int all = 0;
    const double now = ff_sim_time(sim);
    const int row = ff_profile_enter(sim, FF_PROFILE_LISTENERS);
    for (int i = 0; i < sim->nlistener; i++) {
        const int actions = (int)sim->listeners[i].step(sim->listeners[i].context, sim, now);
        ff_sim_perform(sim, actions);
        all |= actions;
    }
    ff_sim_invalidate(sim, FF_SIM_VELOCITY); // forces may depend on what listeners wrote
    ff_profile_leave(sim, row);
    return all;
}
