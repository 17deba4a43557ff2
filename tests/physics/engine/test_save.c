// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Save and restore: a resumed run gives the bits of the uninterrupted one, with every method, with tasks, events,
// random streams and memory of a controller in play; and a state that does not fit is refused by name, the simulation
// unchanged.
#include <math.h>
#include <unistd.h>

#include "check.h"
#include "support/must_run.h"
#include "support/robots.h"

typedef struct controller {
    double integral;
    int calls;
} controller;

typedef struct rig {
    ff_sim *sim;
    controller control;
    ff_random *noise;
    int part;
} rig;

/// A noisy PI controller with memory.
static ff_sim_action control(void *context, ff_sim *sim, double t)
{
    rig *r = context;
    const ff_data *d = ff_sim_data(sim);
    (void)t;
    r->control.integral += 1e-2 * d->q[8];
    r->control.calls++;
    ff_sim_set_torque(sim, 7, -2.0 * d->q[8] - r->control.integral + 0.1 * ff_random_normal(r->noise));
    return FF_SIM_GO;
}

static void filter(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)t, (void)m;
    zdot[0] = 20.0 * (d->v[0] - z[0]);
}

static double height(void *context, double t, const ff_model *m, ff_data *d, const double *x)
{
    (void)context, (void)t, (void)m, (void)x;
    return d->q[2] - 0.6;
}

static ff_sim_action kick(void *context, ff_sim *sim, double crossing)
{
    (void)context, (void)crossing;
    ff_sim_set_v(sim, 2, 2.0);
    return FF_SIM_GO;
}

static void set_up(rig *r, const ff_model *m, ff_method method)
{
    ff_sim_options o = robot_options(method, 1e-3, 1e-7);
    o.seed = 42;
    memset(r, 0, sizeof *r);
    r->sim = robot_sim(m, o);
    r->noise = ff_sim_add_random(r->sim);
    const ff_part part = {.name = "filter", .nstate = 1, .derivative = filter};
    const ff_task task = {.name = "control",
                          .period = ff_ticks_from_seconds(1.0 / 300.0),
                          .offset = ff_ticks_from_seconds(1e-3),
                          .context = r,
                          .run = control};
    const ff_event event = {.name = "floor", .direction = -1, .value = height, .handle = kick};
    r->part = ff_sim_add_part(r->sim, &part, NULL);
    CHECK(ff_sim_add_task(r->sim, &task, NULL) >= 0);
    CHECK(ff_sim_add_event(r->sim, &event, NULL) >= 0);
    CHECK_INT(ff_sim_add_memory(r->sim, "control", &r->control, sizeof r->control, NULL), FF_OK);
    robot_tumble(m, r->sim, 1.0);
}

/// Saves at 0.4567 s, goes on to 1 s; a second simulation resumes from the bytes.
static void check_resume(const ff_model *m, ff_method method)
{
    rig a, b;
    ff_error err = {0};
    set_up(&a, m, method);
    set_up(&b, m, method);
    must_run(a.sim, 0.4567);
    const size_t size = ff_sim_save_size(a.sim);
    void *bytes = malloc(size);
    CHECK(bytes != NULL);
    CHECK_INT(ff_sim_save(a.sim, bytes, size, &err), FF_OK);
    must_run(a.sim, 1.0);
    must_run(b.sim, 0.1234); // somewhere else before, so that nothing left over helps
    if (ff_sim_restore(b.sim, bytes, size, &err)) CHECK_FAIL("%s", err.text);
    CHECK_NEAR(ff_sim_time(b.sim), 0.4567, 1e-16);
    must_run(b.sim, 1.0);
    CHECK(ff_sim_hash(a.sim) == ff_sim_hash(b.sim));
    CHECK_INT(ff_sim_get_counts(a.sim).steps, ff_sim_get_counts(b.sim).steps);
    CHECK_INT(ff_sim_get_counts(a.sim).evaluations, ff_sim_get_counts(b.sim).evaluations);
    CHECK_INT(a.control.calls, b.control.calls);
    CHECK(ff_sim_get_counts(a.sim).events > 0);
    CHECK(memcmp(&a.control, &b.control, sizeof a.control) == 0);
    CHECK(a.noise->counter == b.noise->counter);
    free(bytes);
    ff_sim_destroy(a.sim);
    ff_sim_destroy(b.sim);
}

TEST(a_resumed_run_gives_the_same_bits)
{
    ff_model *m = robot_walker(3, true);
    for (int method = 0; method < FF_METHOD_COUNT; method++) {
        if (!ff_method_built((ff_method)method)) continue;
        printf("  %s\n", ff_method_name((ff_method)method));
        check_resume(m, (ff_method)method);
    }
    ff_model_destroy(m);
}

// Saves between the steps of the adaptive method, without a new run before.
TEST(a_run_saved_between_steps_gives_the_same_bits)
{
    ff_model *m = robot_walker(2, true);
    rig a, b;
    set_up(&a, m, FF_METHOD_ADAPTIVE);
    set_up(&b, m, FF_METHOD_ADAPTIVE);
    for (int i = 0; i < 37; i++) CHECK_INT(ff_sim_step(a.sim, 1.0, NULL), FF_OK);
    const size_t size = ff_sim_save_size(a.sim);
    void *bytes = malloc(size);
    CHECK_INT(ff_sim_save(a.sim, bytes, size, NULL), FF_OK);
    CHECK_INT(ff_sim_restore(b.sim, bytes, size, NULL), FF_OK);
    must_run(a.sim, 1.0);
    must_run(b.sim, 1.0);
    CHECK(ff_sim_hash(a.sim) == ff_sim_hash(b.sim));
    free(bytes);
    ff_sim_destroy(a.sim);
    ff_sim_destroy(b.sim);
    ff_model_destroy(m);
}

enum { TIMES = 64 };
typedef struct clock {
    double times[TIMES];
    int count;
} clock;

/// An event that never crosses, and keeps the times at which it is evaluated.
static double note_time(void *context, double t, const ff_model *m, ff_data *d, const double *x)
{
    clock *c = context;
    (void)m, (void)d, (void)x;
    if (c->count < TIMES) c->times[c->count++] = t;
    return 1.0 + t;
}

static void write_and_run(ff_sim *sim, clock *c)
{
    c->count = 0;
    ff_sim_set_v(sim, 0, 0.5); // events find their signs again
    must_run(sim, 0.13);
}

// The restoring simulation may have been at any state.
TEST(events_are_asked_at_the_same_times_after_a_restore)
{
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK4, FF_METHOD_ADAPTIVE, FF_METHOD_IMPLICIT};
    ff_model *m = robot_pendulum(1.0, 0.5, 0.25);
    for (int k = 0; k < 4; k++) {
        clock on = {0}, back = {0};
        ff_sim *sims[2];
        for (int i = 0; i < 2; i++) {
            const ff_event event = {.name = "clock", .context = i ? &back : &on, .value = note_time};
            sims[i] = robot_sim(m, robot_options(methods[k], 1e-3, 1e-6));
            CHECK(ff_sim_add_event(sims[i], &event, NULL) == 0);
        }
        must_run(sims[0], 0.1234);
        must_run(sims[1], 5.4321); // 5.432 + (0.1234 - 5.432) is not 0.1234
        const size_t size = ff_sim_save_size(sims[0]);
        void *bytes = malloc(size);
        CHECK_INT(ff_sim_save(sims[0], bytes, size, NULL), FF_OK);
        CHECK_INT(ff_sim_restore(sims[1], bytes, size, NULL), FF_OK);
        write_and_run(sims[0], &on);
        write_and_run(sims[1], &back);
        CHECK(on.count > 1);
        CHECK_INT(back.count, on.count);
        for (int i = 0; i < on.count; i++) CHECK_NEAR(back.times[i], on.times[i], 0.0);
        CHECK_NEAR(on.times[0], 0.1234, 0.0);
        free(bytes);
        for (int i = 0; i < 2; i++) ff_sim_destroy(sims[i]);
    }
    ff_model_destroy(m);
}

typedef struct keeper {
    void *bytes;
    size_t size;
} keeper;

static ff_sim_action keep(void *context, ff_sim *sim, double t)
{
    keeper *k = context;
    (void)t;
    k->size = ff_sim_save_size(sim);
    k->bytes = malloc(k->size);
    if (k->bytes && ff_sim_save(sim, k->bytes, k->size, NULL) != FF_OK) ff_sim_stop(sim, "not saved");
    return FF_SIM_GO;
}

// A task saves at an instant at which other tasks are due before and after it; the run is not disturbed.
TEST(a_run_saved_by_one_of_its_tasks_gives_the_same_bits)
{
    ff_model *m = robot_walker(2, true);
    for (int method = 0; method < FF_METHOD_COUNT; method++) {
        if (!ff_method_built((ff_method)method)) continue;
        for (int reads_only = 0; reads_only < 2; reads_only++) {
            rig a, b;
            keeper kept[2] = {{0}};
            set_up(&a, m, (ff_method)method);
            set_up(&b, m, (ff_method)method);
            ff_sim *sims[2] = {a.sim, b.sim};
            for (int i = 0; i < 2; i++) {
                const ff_task saver = {.name = "keep",
                                       .offset = ff_ticks_from_seconds(0.1 + 1e-3), // a control instant
                                       .reads_only = reads_only,
                                       .context = &kept[i],
                                       .run = keep};
                const ff_task after = {.name = "control again",
                                       .period = ff_ticks_from_seconds(1.0 / 300.0),
                                       .offset = ff_ticks_from_seconds(1e-3),
                                       .context = i ? &b : &a,
                                       .run = control};
                CHECK(ff_sim_add_task(sims[i], &saver, NULL) >= 0 && ff_sim_add_task(sims[i], &after, NULL) >= 0);
            }
            must_run(a.sim, 0.4);
            CHECK(kept[0].bytes != NULL);
            CHECK_INT(ff_sim_restore(b.sim, kept[0].bytes, kept[0].size, NULL), FF_OK);
            must_run(b.sim, 0.4);
            CHECK(ff_sim_hash(a.sim) == ff_sim_hash(b.sim));
            CHECK_INT(a.control.calls, b.control.calls);
            CHECK(kept[1].bytes == NULL); // the saving task itself was over
            free(kept[0].bytes);
            ff_sim_destroy(a.sim);
            ff_sim_destroy(b.sim);
        }
    }
    ff_model_destroy(m);
}

TEST(a_file_resumes_and_misfits_are_named)
{
    char path[] = "/tmp/footfall-state-XXXXXX";
    const int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    ff_model *m = robot_walker(3, true), *other = robot_walker(3, false), *small = robot_walker(2, true);
    rig a, b, c, d, e;
    ff_error err = {0};
    set_up(&a, m, FF_METHOD_RK4);
    set_up(&b, m, FF_METHOD_RK4);
    set_up(&c, other, FF_METHOD_RK4);
    set_up(&d, small, FF_METHOD_RK4);
    set_up(&e, m, FF_METHOD_EULER);
    must_run(a.sim, 0.3);
    CHECK_INT(ff_sim_save_file(a.sim, path, &err), FF_OK);
    CHECK_INT(ff_sim_restore_file(b.sim, path, &err), FF_OK);
    CHECK(ff_sim_hash(a.sim) == ff_sim_hash(b.sim));

    const uint64_t before = ff_sim_hash(c.sim);
    CHECK_INT(ff_sim_restore_file(c.sim, path, &err), FF_BAD_FILE);
    CHECK_SAYS(err.text, "another model");
    CHECK(ff_sim_hash(c.sim) == before);
    CHECK_INT(ff_sim_restore_file(d.sim, path, &err), FF_BAD_FILE);
    CHECK_SAYS(err.text, "19 positions, this simulation 15");
    CHECK_INT(ff_sim_restore_file(e.sim, path, &err), FF_BAD_FILE);
    CHECK_SAYS(err.text, "method rk4, this simulation uses euler");
    CHECK_INT(ff_sim_restore_file(b.sim, "/nonexistent/state", &err), FF_NOT_FOUND);
    remove(path);
    rig *all[] = {&a, &b, &c, &d, &e};
    for (int i = 0; i < 5; i++) ff_sim_destroy(all[i]->sim);
    ff_model_destroy(m);
    ff_model_destroy(other);
    ff_model_destroy(small);
}

// Processors have different bits of NaN; runs that agree in all else must have the same hash.
TEST(hashes_take_any_nan_for_the_same)
{
    const uint64_t kinds[4] = {0x7ff8000000000000u, 0xfff8000000000000u, 0x7ff8000000000123u, 0xffffffffffffffffu};
    ff_model *m = robot_walker(1, true);
    rig a;
    set_up(&a, m, FF_METHOD_RK4);
    must_run(a.sim, 0.1);
    ff_sim_set_part_state(a.sim, a.part, 0, 0.0);
    const uint64_t of_zero = ff_sim_hash(a.sim);
    uint64_t of_nan = 0;
    for (int i = 0; i < 4; i++) {
        double z;
        memcpy(&z, &kinds[i], sizeof z);
        ff_sim_set_part_state(a.sim, a.part, 0, z);
        if (i == 0) of_nan = ff_sim_hash(a.sim);
        CHECK(ff_sim_hash(a.sim) == of_nan);
    }
    ff_sim_set_part_state(a.sim, a.part, 0, -0.0); // other numbers still count bit by bit
    CHECK(of_nan != of_zero && ff_sim_hash(a.sim) != of_zero && ff_sim_hash(a.sim) != of_nan);
    ff_sim_destroy(a.sim);
    ff_model_destroy(m);
}

TEST(damaged_states_are_refused_and_change_nothing)
{
    ff_model *m = robot_walker(1, true);
    rig a;
    ff_error err = {0};
    set_up(&a, m, FF_METHOD_ADAPTIVE);
    must_run(a.sim, 0.2);
    const size_t size = ff_sim_save_size(a.sim);
    unsigned char *bytes = malloc(size);
    CHECK_INT(ff_sim_save(a.sim, bytes, size, NULL), FF_OK);
    const uint64_t before = ff_sim_hash(a.sim);
    CHECK_INT(ff_sim_save(a.sim, bytes, size - 1, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_sim_restore(a.sim, bytes, size - 1, &err), FF_BAD_FILE);
    CHECK_SAYS(err.text, "cut off");
    CHECK_INT(ff_sim_restore(a.sim, bytes, 5, &err), FF_BAD_FILE);
    static const struct {
        size_t at;
        const char *words;
    } cases[] = {{0, "no saved state"}, {8, "version"}, {12, "byte order"},
                 {16, "precision"},     {20, "method"}, {400, "damaged"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes[cases[i].at] ^= 0x07;
        CHECK_INT(ff_sim_restore(a.sim, bytes, size, &err), FF_BAD_FILE);
        CHECK_SAYS(err.text, cases[i].words);
        bytes[cases[i].at] ^= 0x07;
    }
    CHECK(ff_sim_hash(a.sim) == before);
    CHECK_INT(ff_sim_restore(a.sim, bytes, size, &err), FF_OK);
    free(bytes);
    ff_sim_destroy(a.sim);
    ff_model_destroy(m);
}
