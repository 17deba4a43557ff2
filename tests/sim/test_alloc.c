// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// No allocation in the step: the linker sends every malloc, calloc, realloc, aligned_alloc and free of the library through counters
// (support/allocations.h), and a run with tasks, parts, events, listeners and a recorder must leave them where they were.
#include "check.h"
#include "robots.h"
#include "support/allocations.h"

static ff_sim_action control(void *context, ff_sim *sim, double t)
{
    (void)context;
    ff_sim_held_torque(sim)[8] = 0.1 * t;
    return FF_SIM_GO;
}

static ff_sim_action listen(void *context, ff_sim *sim, double t)
{
    (void)sim, (void)t;
    ++*(long long *)context;
    return FF_SIM_GO;
}

static void drag(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)t, (void)m;
    for (int i = 0; i < 3; i++) {
        d->tau[i] -= 0.3 * d->v[i];
        zdot[i] = d->v[i] - z[i];
    }
}

static double height(void *context, double t, const ff_model *m, ff_data *d, const double *x)
{
    (void)context, (void)t, (void)m, (void)x;
    return d->q[2] - 0.9;
}

static ff_sim_action jump(void *context, ff_sim *sim, double crossing)
{
    (void)context, (void)crossing;
    ff_sim_data(sim)->v[2] = 1.0;
    return FF_SIM_CHANGED;
}

TEST(stepping_allocates_nothing)
{
    static const char *const channels[] = {"q",        "v",      "joints",       "base", "com",
                                           "momentum", "energy", "bodies.*.pos", "qacc"};
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_ADAPTIVE};
    ff_model *m = robot_walker(6, true);
    for (int k = 0; k < 4; k++) {
        ff_sim *sim = robot_sim(m, robot_options(methods[k], 1e-3, 1e-6));
        long long heard = 0;
        ff_record_options record = ff_record_options_default();
        record.channels = channels;
        record.nchannel = (int)(sizeof channels / sizeof *channels);
        record.duration = 3.0;
        ff_recorder *rec = ff_recorder_create(sim, &record, NULL);
        const ff_task task = {.name = "control", .period = ff_ticks_from_seconds(1.0 / 300), .run = control};
        const ff_part part = {.name = "drag", .nstate = 3, .derivative = drag};
        const ff_event event = {.name = "low", .direction = -1, .value = height, .handle = jump};
        const ff_listener listener = {.context = &heard, .step = listen};
        CHECK(rec && ff_sim_add_task(sim, &task, NULL) >= 0 && ff_sim_add_part(sim, &part, NULL) >= 0);
        CHECK(ff_sim_add_event(sim, &event, NULL) >= 0 && !ff_sim_add_listener(sim, &listener, NULL));
        robot_tumble(m, sim, 1.0);
        CHECK_INT(ff_sim_run(sim, 1e-3, NULL), FF_OK);
        if (allocation_calls == 0) SKIP("a shared library is out of the reach of --wrap");

        const long long before = allocation_calls;
        CHECK_INT(ff_sim_run(sim, 1.0, NULL), FF_OK);
        CHECK_INT(allocation_calls - before, 0);
        CHECK(ff_sim_get_counts(sim).events > 1);
        CHECK_INT(heard, ff_sim_get_counts(sim).steps);
        CHECK_INT(ff_recorder_rows(rec), 1001);
        printf("  %-9s %lld steps, %lld events, %lld task calls: no allocation\n", ff_method_name(methods[k]),
               ff_sim_get_counts(sim).steps, ff_sim_get_counts(sim).events, ff_sim_get_counts(sim).tasks);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}
