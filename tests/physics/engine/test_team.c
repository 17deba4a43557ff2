// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches of simulations over threads: bit-identical to one by one, a status for each, the first error returned. The
// program is also run under ThreadSanitizer (scripts/test threads).
#include "check.h"
#include "support/robots.h"

#include <footfall/record.h>
#include <footfall/team.h>
#include <footfall/world.h>
#include <stdatomic.h>

enum { COUNT = CHECK_LASTS(24, 8) };

/// Each simulation with a method, a start and a length of step of its own.
static ff_sim *make(const ff_model *m, int index)
{
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_ADAPTIVE};
    ff_sim *sim = robot_sim(m, robot_options(methods[index % 4], 1e-3 / (1 + index % 3), 1e-6));
    robot_tumble(m, sim, 0.5 + 0.1 * index);
    return sim;
}

static void hashes_one_by_one(const ff_model *m, double until, uint64_t hashes[COUNT])
{
    for (int i = 0; i < COUNT; i++) {
        ff_sim *sim = make(m, i);
        CHECK_INT(ff_sim_run(sim, until, NULL), FF_OK);
        hashes[i] = ff_sim_hash(sim);
        ff_sim_destroy(sim);
    }
}

TEST(any_number_of_threads_gives_the_bits_of_one_by_one)
{
    ff_model *m = robot_walker(6, true);
    uint64_t expected[COUNT];
    const double until = CHECK_LASTS(0.1, 0.03);
    hashes_one_by_one(m, until, expected);
    const int threads[] = {1, 2, 4, 7, 0};
    for (int k = 0; k < 5; k++) {
        ff_sim *sims[COUNT];
        ff_status each[COUNT];
        for (int i = 0; i < COUNT; i++) sims[i] = make(m, i);
        CHECK_INT(ff_team_run(sims, COUNT, until, threads[k], each, NULL), FF_OK);
        for (int i = 0; i < COUNT; i++) {
            CHECK_INT(each[i], FF_OK);
            CHECK(ff_sim_hash(sims[i]) == expected[i]);
            ff_sim_destroy(sims[i]);
        }
    }
    ff_model_destroy(m);
}

TEST(a_batch_goes_on_where_it_was)
{
    ff_model *m = robot_walker(2, true);
    ff_sim *whole[COUNT], *pieces[COUNT];
    for (int i = 0; i < COUNT; i++) {
        whole[i] = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0));
        pieces[i] = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0));
        robot_tumble(m, whole[i], 1.0 + i);
        robot_tumble(m, pieces[i], 1.0 + i);
    }
    CHECK_INT(ff_team_run(whole, COUNT, 0.2, 2, NULL, NULL), FF_OK);
    for (int k = 1; k <= 4; k++) CHECK_INT(ff_team_run(pieces, COUNT, 0.05 * k, k, NULL, NULL), FF_OK);
    for (int i = 0; i < COUNT; i++) {
        CHECK(ff_sim_hash(whole[i]) == ff_sim_hash(pieces[i]));
        ff_sim_destroy(whole[i]);
        ff_sim_destroy(pieces[i]);
    }
    ff_model_destroy(m);
}

static bool is_over(void *context)
{
    return atomic_fetch_sub((atomic_int *)context, 1) <= 0;
}

TEST(a_batch_that_is_stopped_goes_on_with_the_same_bits)
{
    ff_model *m = robot_walker(6, true);
    uint64_t expected[COUNT];
    hashes_one_by_one(m, 0.1, expected);
    ff_sim *sims[COUNT];
    ff_status each[COUNT];
    atomic_int left = 50 * COUNT; // steps
    const ff_stop stop = {is_over, &left};
    for (int i = 0; i < COUNT; i++) sims[i] = make(m, i);
    ff_stop_set(&stop);
    CHECK_INT(ff_team_run(sims, COUNT, 0.1, 3, each, NULL), FF_OK); // who stops it knows
    CHECK(ff_stop_get() == &stop);
    ff_stop_set(NULL);
    int stopped = 0;
    for (int i = 0; i < COUNT; i++) stopped += each[i] == FF_STOPPED;
    CHECK(stopped >= COUNT / 2); // the others had come to their end
    CHECK_INT(ff_team_run(sims, COUNT, 0.1, 3, each, NULL), FF_OK);
    for (int i = 0; i < COUNT; i++) {
        CHECK_INT(each[i], FF_OK);
        CHECK(ff_sim_hash(sims[i]) == expected[i]);
        ff_sim_destroy(sims[i]);
    }
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ made on the way

typedef struct workshop {
    const ff_model *model;
    int bad;                       // this one cannot be made, -1: none
    atomic_int alive, most, begun; // simulations
    uint64_t hashes[COUNT];        // each written by the thread that ran it
    ff_status statuses[COUNT];
} workshop;

static ff_sim *begin(void *context, int index, ff_error *err)
{
    workshop *w = context;
    w->begun++;
    if (index == w->bad) return ff_error_set(err, FF_LIMIT, "no parts left"), NULL;
    const int alive = ++w->alive;
    for (int most = w->most; alive > most && !atomic_compare_exchange_weak(&w->most, &most, alive);) {
    }
    return make(w->model, index);
}

static void end(void *context, int index, ff_sim *sim, ff_status status, const ff_error *err)
{
    workshop *w = context;
    w->hashes[index] = ff_sim_hash(sim);
    w->statuses[index] = err->status == status ? status : FF_STATUS_COUNT;
    w->alive--;
    ff_sim_destroy(sim);
}

TEST(simulations_made_on_the_way_give_the_same_bits_and_few_live_at_a_time)
{
    ff_model *m = robot_walker(6, true);
    uint64_t expected[COUNT];
    hashes_one_by_one(m, 0.05, expected);
    for (int threads = 1; threads <= 4; threads++) {
        workshop w = {.model = m, .bad = -1};
        const ff_team_maker maker = {&w, begin, end};
        CHECK_INT(ff_team_make(&maker, COUNT, 0.05, threads, NULL, NULL), FF_OK);
        CHECK_INT(w.begun, COUNT);
        CHECK_INT(w.alive, 0);
        CHECK(w.most <= threads);
        for (int i = 0; i < COUNT; i++) CHECK(w.hashes[i] == expected[i] && w.statuses[i] == FF_OK);
    }
    ff_model_destroy(m);
}

TEST(a_simulation_that_cannot_be_made_is_reported_and_the_others_run)
{
    ff_model *m = robot_walker(1, true);
    workshop w = {.model = m, .bad = 5};
    const ff_team_maker maker = {&w, begin, end};
    ff_status each[COUNT];
    ff_error err = {0};
    CHECK_INT(ff_team_make(&maker, COUNT, 0.01, 2, each, &err), FF_LIMIT);
    CHECK(strcmp(err.text, "simulation 5: no parts left") == 0);
    for (int i = 0; i < COUNT; i++) CHECK_INT(each[i], i == 5 ? FF_LIMIT : FF_OK);
    CHECK_INT(w.alive, 0);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ with contacts

/// Balls of four sizes dropped onto a plane, each drop from another height; a world belongs to each simulation.
static ff_model *dropped_balls(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE);
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "ball%d", i);
        const int ball = robot_body(spec, name, -1, (double[]){0.11 * i, 0, 0.1}, 0.2, (double[]){0, 0, 0},
                                    (double[]){1e-4, 1e-4, 1e-4});
        robot_joint(spec, name, ball, FF_JOINT_FREE, 0, 0, 1);
        ff_spec_add_geom(spec, name, ball, FF_SHAPE_SPHERE)->size[0] = 0.05 + 0.005 * i;
    }
    return robot_finish(spec);
}

static ff_sim *drop(const ff_model *m, int index, ff_world **world)
{
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK4, FF_METHOD_ADAPTIVE, FF_METHOD_IMPLICIT};
    ff_report report = {0};
    ff_sim *sim = robot_sim(m, robot_options(methods[index % 4], 2e-4, 1e-6));
    *world = ff_world_create(m, NULL, &report);
    CHECK(*world && !ff_sim_add_world(sim, *world, NULL));
    for (int i = 0; i < 4; i++) {
        ff_sim_set_q(sim, 7 * i + 2, ff_sim_q(sim)[7 * i + 2] + 0.002 * index * i);
        ff_sim_set_v(sim, 6 * i, 0.1 * i); // they slide, stick and run into each other
    }
    ff_report_clear(&report);
    return sim;
}

TEST(contacts_give_the_same_bits_on_any_number_of_threads)
{
    const double time = CHECK_LASTS(0.3, 0.15); // they touch after 0.1 s
    ff_model *m = dropped_balls();
    uint64_t expected[COUNT];
    for (int threads = 0; threads <= 4; threads += CHECK_LASTS(1, 4)) { // 0: one by one, without a batch
        ff_sim *sims[COUNT];
        ff_world *worlds[COUNT];
        for (int i = 0; i < COUNT; i++) sims[i] = drop(m, i, &worlds[i]);
        for (int i = 0; threads == 0 && i < COUNT; i++) CHECK_INT(ff_sim_run(sims[i], time, NULL), FF_OK);
        if (threads > 0) CHECK_INT(ff_team_run(sims, COUNT, time, threads, NULL, NULL), FF_OK);
        for (int i = 0; i < COUNT; i++) {
            CHECK(ff_world_get_counts(worlds[i]).touches >= 4);
            if (threads == 0) expected[i] = ff_sim_hash(sims[i]);
            CHECK(ff_sim_hash(sims[i]) == expected[i]);
            ff_sim_destroy(sims[i]);
            ff_world_destroy(worlds[i]);
        }
    }
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ errors

static ff_sim_action stop_early(void *context, ff_sim *sim, double t)
{
    (void)context, (void)sim;
    return t > 0.005 ? FF_SIM_STOP : FF_SIM_GO;
}

// Numbers 7 and 3 get a torque that is not a number; 4 asks to stop. The error of the lowest number is returned, in
// whatever order they fail.
TEST(each_has_its_status_and_the_first_trouble_in_the_list_is_reported)
{
    ff_model *m = robot_walker(1, true);
    for (int threads = 1; threads <= 4; threads *= 2) {
        ff_sim *sims[COUNT];
        ff_status each[COUNT];
        ff_error err = {0};
        for (int i = 0; i < COUNT; i++) sims[i] = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0));
        ff_sim_set_torque(sims[3], 0, NAN);
        ff_sim_set_torque(sims[7], 0, NAN);
        const ff_listener listener = {.step = stop_early};
        CHECK_INT(ff_sim_add_listener(sims[4], &listener, NULL), FF_OK);
        CHECK_INT(ff_team_run(sims, COUNT, 0.02, threads, each, &err), FF_DIVERGED);
        CHECK(strncmp(err.text, "simulation 3: diverged at", 25) == 0);
        for (int i = 0; i < COUNT; i++)
            CHECK_INT(each[i], i == 3 || i == 7 ? FF_DIVERGED : i == 4 ? FF_STOPPED : FF_OK);
        for (int i = 0; i < COUNT; i++) ff_sim_destroy(sims[i]);
    }
    ff_model_destroy(m);
}

static void count_call(void *context, int index)
{
    ((int *)context)[index]++; // a place of its own
}

TEST(any_work_is_done_once_for_each_number)
{
    for (int threads = 0; threads <= 4; threads++) {
        int calls[COUNT + 1] = {0};
        CHECK_INT(ff_team_each(COUNT, threads, count_call, calls, NULL), FF_OK);
        for (int i = 0; i <= COUNT; i++) CHECK_INT(calls[i], i < COUNT);
    }
    CHECK_INT(ff_team_each(1, 1, NULL, NULL, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_team_each(1, -1, count_call, NULL, NULL), FF_BAD_ARGUMENT);
    CHECK_INT(ff_team_each(0, 1, count_call, NULL, NULL), FF_OK);
}

TEST(wrong_arguments_are_refused_and_nothing_is_run)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.0);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0));
    ff_sim *with_gap[2] = {sim, NULL};
    ff_error err = {0};
    CHECK_INT(ff_team_run(with_gap, 2, 1.0, 2, NULL, &err), FF_BAD_ARGUMENT);
    CHECK(strcmp(err.text, "simulation 1 is missing") == 0);
    CHECK_INT(ff_team_run(NULL, 1, 1.0, 2, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_team_run(&sim, 1, 1.0, -1, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_team_run(&sim, -1, 1.0, 1, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_team_make(NULL, 1, 1.0, 1, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_team_make(&(ff_team_maker){.begin = begin}, 1, 1.0, 1, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_sim_get_counts(sim).steps, 0);
    CHECK_INT(ff_team_run(NULL, 0, 1.0, 0, NULL, &err), FF_OK); // nothing to do
    CHECK_INT(ff_team_run(&sim, 1, NAN, 1, NULL, &err), FF_BAD_ARGUMENT);
    CHECK(ff_team_processors() >= 1);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// Two threads that write neighbours in memory would slow each other down.
TEST(simulations_share_no_cache_line)
{
    ff_model *m = robot_walker(1, true);
    for (int i = 0; i < 20; i++) {
        ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0));
        CHECK_INT((long long)((uintptr_t)sim % 64), 0);
        CHECK_INT((long long)((uintptr_t)ff_sim_data(sim)->memory % 64), 0);
        int size;
        CHECK_INT((long long)((uintptr_t)ff_sim_state(sim, &size) % 64), 0);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ recordings

enum { FEW = 6 };

/// Runs some robots, each with a recording as HDF5 and CSV of its own. @return FF_NOT_BUILT without HDF5
static ff_status record_all(const ff_model *m, const char *label, int threads)
{
    static const char *const channels[] = {"q", "energy"};
    ff_sim *sims[FEW];
    ff_recorder *recorders[FEW];
    char path[64];
    ff_status built = FF_OK;
    for (int i = 0; i < FEW; i++) {
        sims[i] = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0));
        robot_tumble(m, sims[i], 1.0 + i);
        ff_record_options record = ff_record_options_default();
        record.channels = channels;
        record.nchannel = 2;
        record.block_bytes = 4096; // many small writes: threads meet in the library of the files
        recorders[i] = ff_recorder_create(sims[i], &record, NULL);
        CHECK(recorders[i]);
        snprintf(path, sizeof path, "batch-%s-%d.csv", label, i);
        CHECK_INT(ff_recorder_open_csv(recorders[i], path, NULL), FF_OK);
        snprintf(path, sizeof path, "batch-%s-%d.h5", label, i);
        built = ff_recorder_open_hdf5(recorders[i], path, &(ff_record_info){0}, NULL);
        CHECK(built == FF_OK || built == FF_NOT_BUILT);
    }
    const int rows = CHECK_LASTS(500, 200); // at 1 kHz, and the first
    CHECK_INT(ff_team_run(sims, FEW, 1e-3 * rows, threads, NULL, NULL), FF_OK);
    for (int i = 0; i < FEW; i++) {
        CHECK_INT(ff_recorder_close(recorders[i], NULL), FF_OK);
        CHECK_INT(ff_recorder_rows(recorders[i]), rows + 1);
        ff_sim_destroy(sims[i]);
    }
    return built;
}

static uint64_t hash_and_remove(const char *label, int i, const char *ending)
{
    char path[64], block[4096];
    snprintf(path, sizeof path, "batch-%s-%d.%s", label, i, ending);
    FILE *file = fopen(path, "rb");
    CHECK(file);
    uint64_t hash = FF_HASH_START;
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) hash = ff_hash(block, n, hash);
    fclose(file);
    remove(path);
    return hash;
}

TEST(recordings_of_a_batch_are_those_of_single_runs)
{
    ff_model *m = robot_walker(1, true);
    const ff_status built = record_all(m, "single", 1);
    record_all(m, "threads", 3);
    for (int i = 0; i < FEW; i++) {
        CHECK(hash_and_remove("single", i, "csv") == hash_and_remove("threads", i, "csv"));
        if (built == FF_OK)
            hash_and_remove("single", i, "h5"), hash_and_remove("threads", i, "h5"); // times differ inside
    }
    ff_model_destroy(m);
}
