// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// No allocation in the step: the linker sends every malloc, calloc, realloc, aligned_alloc and free of the library
// through counters (support/allocations.h), and a run with tasks, parts, events, listeners and a recorder must leave
// them where they were.
#include "check.h"
#include "support/allocations.h"
#include "support/robots.h"

#include <footfall/record.h>
#include <footfall/world.h>

static ff_sim_action control(void *context, ff_sim *sim, double t)
{
    (void)context;
    ff_sim_set_torque(sim, 8, 0.1 * t);
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
    ff_sim_set_v(sim, 2, 1.0);
    return FF_SIM_GO;
}

TEST(stepping_allocates_nothing)
{
    static const char *const channels[] = {"q",        "v",      "joints",       "base", "com",
                                           "momentum", "energy", "bodies.*.pos", "qacc"};
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_ADAPTIVE, FF_METHOD_IMPLICIT};
    ff_model *m = robot_walker(6, true);
    for (int k = 0; k < 5; k++) {
        ff_sim *sim = robot_sim(m, robot_options(methods[k], 1e-3, 1e-6));
        long long calls = 0;
        ff_record_options record = ff_record_options_default();
        record.channels = channels;
        record.nchannel = (int)(sizeof channels / sizeof *channels);
        record.duration = 3.0;
        ff_recorder *rec = ff_recorder_create(sim, &record, NULL);
        const ff_task task = {.name = "control", .period = ff_ticks_from_seconds(1.0 / 300), .run = control};
        const ff_part part = {.name = "drag", .nstate = 3, .derivative = drag};
        const ff_event event = {.name = "low", .direction = -1, .value = height, .handle = jump};
        const ff_listener listener = {.context = &calls, .step = listen};
        CHECK(rec && ff_sim_add_task(sim, &task, NULL) >= 0 && ff_sim_add_part(sim, &part, NULL) >= 0);
        CHECK(ff_sim_add_event(sim, &event, NULL) >= 0 && !ff_sim_add_listener(sim, &listener, NULL));
        robot_tumble(m, sim, 1.0);
        CHECK_INT(ff_sim_run(sim, 1e-3, NULL), FF_OK);
        if (allocation_calls == 0) SKIP("a shared library is out of the reach of --wrap");

        const long long before = allocation_calls;
        CHECK_INT(ff_sim_run(sim, 1.0, NULL), FF_OK);
        CHECK_INT(allocation_calls - before, 0);
        CHECK(ff_sim_get_counts(sim).events > 1);
        CHECK_INT(calls, ff_sim_get_counts(sim).steps);
        CHECK_INT(ff_recorder_rows(rec), 1001);
        printf("  %-9s %lld steps, %lld events, %lld task calls: no allocation\n", ff_method_name(methods[k]),
               ff_sim_get_counts(sim).steps, ff_sim_get_counts(sim).events, ff_sim_get_counts(sim).tasks);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ with contacts

/// A robot with spheres at the ends of its legs, and loose things of several shapes, above a floor with a step.
static ff_model *robot_among_things(void)
{
    static const ff_shape_type shapes[] = {FF_SHAPE_BOX, FF_SHAPE_CAPSULE, FF_SHAPE_CYLINDER, FF_SHAPE_ELLIPSOID,
                                           FF_SHAPE_SPHERE};
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE);
    ff_spec_geom *step = ff_spec_add_geom(spec, "step", -1, FF_SHAPE_BOX);
    ff_vec3_set(step->size, 0.5, 0.5, 0.05);
    const double moments[3] = {0.01, 0.01, 0.01}, none[3] = {0};
    const int base = robot_body(spec, "base", -1, (double[]){0, 0, 0.45}, 5.0, none, moments);
    robot_joint(spec, "free", base, FF_JOINT_FREE, 0, 0, 1);
    for (int leg = 0; leg < 4; leg++) {
        char name[32];
        snprintf(name, sizeof name, "leg%d", leg);
        const double hip[3] = {leg < 2 ? 0.2 : -0.2, leg % 2 ? 0.2 : -0.2, 0};
        const int link = robot_body(spec, name, base, hip, 0.5, (double[]){0, 0, -0.1}, moments);
        robot_joint(spec, name, link, FF_JOINT_HINGE, 0, 1, 0)->damping = 1.0;
        ff_spec_geom *foot = ff_spec_add_geom(spec, name, link, FF_SHAPE_SPHERE);
        foot->size[0] = 0.03;
        ff_vec3_set(foot->pos, 0, 0, -0.2);
    }
    for (int i = 0; i < 10; i++) {
        char name[32];
        snprintf(name, sizeof name, "thing%d", i);
        const double place[3] = {0.15 * i - 0.7, 0.1 * (i % 3), 0.6 + 0.1 * (i % 2)};
        const int thing = robot_body(spec, name, -1, place, 0.2, none, (double[]){1e-3, 1e-3, 1e-3});
        robot_joint(spec, name, thing, FF_JOINT_FREE, 0, 0, 1);
        ff_vec3_set(ff_spec_add_geom(spec, name, thing, shapes[i % 5])->size, 0.05, 0.06, 0.04);
    }
    return robot_finish(spec);
}

TEST(impulses_and_complementarity_allocate_nothing)
{
    ff_model *m = robot_among_things();
    for (int k = 0; k < 4; k++) {
        ff_report report = {0};
        ff_world_options options = ff_world_options_default();
        options.response = k % 2 ? FF_RESPONSE_SIMULTANEOUS : FF_RESPONSE_PROPAGATION;
        ff_world *world = ff_world_create(m, &options, &report);
        ff_sim *sim = robot_sim(m, robot_options(k < 2 ? FF_METHOD_EULER : FF_METHOD_ADAPTIVE, 1e-3, 1e-4));
        CHECK(world && !ff_sim_add_world(sim, world, NULL));
        CHECK_INT(ff_sim_run(sim, 1e-3, NULL), FF_OK);
        if (allocation_calls == 0) SKIP("a shared library is out of the reach of --wrap");
        const long long before = allocation_calls;
        ff_error err = {0};
        if (ff_sim_run(sim, 0.5, &err) != FF_OK) CHECK_FAIL("%s", err.text);
        CHECK_INT(allocation_calls - before, 0);
        CHECK(ff_world_get_counts(world).impacts > 3);
        ff_sim_destroy(sim);
        ff_world_destroy(world);
        ff_report_clear(&report);
    }
    ff_model_destroy(m);
}

TEST(stepping_with_contacts_allocates_nothing)
{
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_ADAPTIVE, FF_METHOD_IMPLICIT};
    ff_model *m = robot_among_things();
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        ff_report report = {0};
        ff_world_options options = ff_world_options_default();
        options.self_collision = true;
        ff_world *world = ff_world_create(m, &options, &report);
        ff_sim *sim = robot_sim(m, robot_options(methods[k], 2e-4, 1e-4));
        CHECK(world && !ff_sim_add_world(sim, world, NULL));
        CHECK_INT(ff_sim_run(sim, 1e-3, NULL), FF_OK);
        if (allocation_calls == 0) SKIP("a shared library is out of the reach of --wrap");

        const long long before = allocation_calls;
        CHECK_INT(ff_sim_run(sim, 0.4, NULL), FF_OK);
        CHECK_INT(allocation_calls - before, 0);
        const ff_world_counts counts = ff_world_get_counts(world);
        CHECK(counts.touches > 10 && counts.lifts > 0 && counts.most > 6);
        printf("  %-9s %lld steps, %lld touch-downs, %lld lift-offs, %d points at a time: no allocation\n",
               ff_method_name(methods[k]), ff_sim_get_counts(sim).steps, counts.touches, counts.lifts, counts.most);
        ff_sim_destroy(sim);
        ff_world_destroy(world);
        ff_report_clear(&report);
    }
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ without memory

// The first run sizes everything. Where memory is short it says so, and once there is enough again the run is the one
// it would have been.
TEST(a_start_without_memory_can_be_made_again)
{
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_ADAPTIVE, FF_METHOD_IMPLICIT};
    ff_model *m = robot_among_things();
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        uint64_t expected = 0;
        int refused = 0;
        for (int at = -1; at < 100; at++) {
            ff_report report = {0};
            ff_error err = {0};
            ff_world *world = ff_world_create(m, NULL, &report);
            ff_sim *sim = robot_sim(m, robot_options(methods[k], 2e-4, 1e-4));
            CHECK(world && !ff_sim_add_world(sim, world, NULL));
            ff_sim_set_v(sim, 2, -1.0);
            allocations_left = at;
            const ff_status status = ff_sim_run(sim, 0.01, &err);
            const bool was_refused = at >= 0 && allocations_left < 0;
            allocations_left = -1;
            CHECK_INT(status, was_refused ? FF_NO_MEMORY : FF_OK);
            if (was_refused) CHECK_INT(ff_sim_run(sim, 0.01, &err), FF_OK);
            if (at < 0) expected = ff_sim_hash(sim);
            CHECK(ff_sim_hash(sim) == expected);
            refused += was_refused;
            ff_sim_destroy(sim);
            ff_world_destroy(world);
            ff_report_clear(&report);
            if (at >= 0 && !was_refused) break;
        }
        if (allocation_calls == 0) SKIP("a shared library is out of the reach of --wrap");
        printf("  %-9s %d allocations at the first run, each refused once\n", ff_method_name(methods[k]), refused);
        CHECK(refused > 0);
    }
    ff_model_destroy(m);
}
