// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// When tasks and listeners of callers are called (tasks.c).
#ifndef FOOTFALL_ENGINE_TASKS_H
#define FOOTFALL_ENGINE_TASKS_H

#include <footfall/sim.h>

typedef struct ff_task_slot {
    ff_task task;
    ff_ticks next; // next call; INT64_MAX: none
    int64_t calls;
} ff_task_slot;

/// @return the earliest tick at which a task is due
ff_ticks ff_sim_next_task(const ff_sim *sim);
/// Calls the tasks due at the current time, in order. @return the union of their actions
int ff_sim_run_tasks(ff_sim *sim);
/// Calls asynchronous tasks, for which no step ends, up to the next synchronous one or `until`.
void ff_sim_run_asynchronous(ff_sim *sim, ff_ticks until);
/// Calls the listeners. @return the union of their actions
int ff_sim_call_listeners(ff_sim *sim);
/// Carries out the actions that callbacks returned: commits a changed state, notes a stop.
void ff_sim_perform(ff_sim *sim, int actions);
/// Puts a task behind all others, where several are due at one instant.
void ff_sim_task_last(ff_sim *sim, int task);

#endif
