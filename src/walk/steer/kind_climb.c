// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {climb: {height: 0.15, distance: 0.4, ..}}`: climbs onto a ledge, see footfall/climb.h. Planning may take
// seconds, so all simulations of a scene use the plan of the first one.
#include "gait/climb_plan.h"
#include "steer/kind.h"

#include <stdatomic.h>
#include <string.h>

/// The plan of the first simulation. Threads share it as they share the scene.
typedef struct climb_plan {
    ff_arena *arena;                      // of the settings
    _Atomic(ff_climb_instant *) instants; // NULL: not made yet. Written once, after `count`
    int count;
} climb_plan;

typedef struct climb_settings {
    ff_climb_options options; // first: ff_climb_settings fills them
    climb_plan *plan;
} climb_settings;

static bool add_plan(const ff_steer_reader *r, ff_yaml *node, void *settings)
{
    climb_plan *plan = FF_ARENA_NEW(r->arena, climb_plan, 1);
    (void)node;
    if (plan) plan->arena = r->arena;
    ((climb_settings *)settings)->plan = plan;
    return plan != NULL;
}

/// Stores the plan of `climb` unless another thread was first.
static void store_plan(climb_plan *plan, const ff_climb *climb)
{
    static atomic_flag busy = ATOMIC_FLAG_INIT; // for all plans, as plans of one scene share its arena
    while (atomic_flag_test_and_set(&busy)) continue;
    if (!atomic_load(&plan->instants)) {
        const ff_climb_instant *instants = ff_climb_instants(climb, &plan->count);
        ff_climb_instant *copy = FF_ARENA_NEW(plan->arena, ff_climb_instant, plan->count);
        if (copy) memcpy(copy, instants, (size_t)plan->count * sizeof *instants);
        atomic_store(&plan->instants, copy);
    }
    atomic_flag_clear(&busy);
}

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    const climb_settings *s = settings;
    const ff_climb_options *o = &s->options;
    climb_plan *plan = s->plan;
    const ff_climb_instant *instants = atomic_load(&plan->instants);
    ff_climb *climb = instants ? ff_climb_create_planned(site->robot, o, instants, plan->count, err)
                               : ff_climb_create(site->robot, o, err);
    *out = climb;
    if (!climb) return err->status;
    if (!instants && !o->look) store_plan(plan, climb);
    return FF_OK;
}

FF_KIND_BIND(ff_climb)
FF_KIND_PLAN(ff_climb)

const ff_controller_kind ff_controller_climb = {.name = "climb",
                                                .help = "climbs onto a ledge, by a plan made before the first step",
                                                .positions = true,
                                                .parameters = ff_climb_settings,
                                                .settings_size = sizeof(climb_settings),
                                                .read = add_plan,
                                                .create = create,
                                                .bind = bind,
                                                .destroy = destroy,
                                                .commands = ff_plan_command,
                                                .command_size = sizeof(bool),
                                                .command = give_command,
                                                .command_keys = list_keys,
                                                .check = check};
