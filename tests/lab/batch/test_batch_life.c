// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Lives of robots: how many at once begin, what is kept of lives that are over, what is observed of all robots; and
// results are bit-identical for any number of lanes and on a device.
#include "check.h"
#include "hopper.h"

#include <stdlib.h>

enum { ROBOTS = 70, MOST_LIFE = 50 }; // two rounds of the tests below
static const char *const OBSERVE[] = {"root.z",     "tilt", "shoulder.position", "shoulder.target", "exp(-speed) + age",
                                      "root.gyro.y"};
enum { OBSERVED = sizeof OBSERVE / sizeof *OBSERVE };

/// Every quantity, every distribution.
static const double GAINS[] = {0.7, 1.0, 1.4};
static const ff_batch_spread SPREADS[] = {
    {.quantity = FF_BATCH_FRICTION, .low = 0.4, .high = 1.2},
    {.quantity = FF_BATCH_CONTACT_STIFFNESS, .kind = FF_BATCH_LOG_UNIFORM, .low = 0.5, .high = 2.0},
    {.quantity = FF_BATCH_MASS, .kind = FF_BATCH_NORMAL, .mean = 1.0, .deviation = 0.1, .low = 0.9, .high = 1.1},
    {.quantity = FF_BATCH_GAIN, .kind = FF_BATCH_CHOICE, .values = GAINS, .nvalue = 3},
    {.quantity = FF_BATCH_START_HEIGHT, .low = 0.0, .high = 0.05},
    {.quantity = FF_BATCH_START_TILT, .kind = FF_BATCH_NORMAL, .deviation = 0.2},
    {.quantity = FF_BATCH_START_JOINTS, .low = -0.2, .high = 0.2},
    {.quantity = FF_BATCH_START_SPEEDS, .kind = FF_BATCH_NORMAL, .deviation = 0.3},
    {.quantity = FF_BATCH_START_X, .low = -3.0, .high = 3.0},
    {.quantity = FF_BATCH_START_Y, .low = -3.0, .high = 3.0},
    {.quantity = FF_BATCH_DELAY, .low = 0.0, .high = 3.0},
    {.quantity = FF_BATCH_INERTIA, .low = 0.8, .high = 1.2},
    {.quantity = FF_BATCH_COM_X, .low = -0.01, .high = 0.01},
    {.quantity = FF_BATCH_COM_Z, .low = -0.01, .high = 0.01, .which = "hand"},
    {.quantity = FF_BATCH_PAYLOAD, .low = 0.0, .high = 0.3, .which = "arm"},
    {.quantity = FF_BATCH_NOISE, .low = 0.5, .high = 2.0},
    {.quantity = FF_BATCH_PUSH_FORCE, .low = 0.0, .high = 30.0},
    {.quantity = FF_BATCH_PUSH_DIRECTION, .low = -3.0, .high = 3.0},
    {.quantity = FF_BATCH_PUSH_TIME, .low = 0.0, .high = 0.03},
    {.quantity = FF_BATCH_PUSH_DURATION, .low = 0.0, .high = 0.02},
    {.quantity = FF_BATCH_MASS, .low = 0.8, .high = 1.2, .which = "arm"},
    {.quantity = FF_BATCH_FRICTION, .low = 0.8, .high = 1.2, .which = "palm"},
    {.quantity = FF_BATCH_FRICTION, .low = 0.8, .high = 1.2, .which = "grip"},
    {.quantity = FF_BATCH_GAIN, .low = 0.8, .high = 1.2, .which = "shoulder"},
    {.quantity = FF_BATCH_START_SPEEDS, .low = 0.0, .high = 1.0, .which = "shoulder"},
};
enum { SPREAD_ROWS = sizeof SPREADS / sizeof *SPREADS };

/// Robots that end when they lean too far.
static ff_batch *make(const ff_batch_model *model, int lanes, int device)
{
    const ff_batch_options options = {.robots = ROBOTS,
                                      .threads = 1,
                                      .lanes = lanes,
                                      .device = device,
                                      .seed = 5,
                                      .spreads = SPREADS,
                                      .nspread = SPREAD_ROWS,
                                      .noise = {.gyro = 0.1},
                                      .end = "tilt > 0.35",
                                      .reward = "root.vx * step",
                                      .observe = OBSERVE,
                                      .nobserve = OBSERVED};
    ff_error err = {0};
    ff_batch *b = ff_batch_create(model, &options, &err);
    if (!b) CHECK_FAIL("%s", err.text);
    return b;
}

static ff_batch_model *compile(void)
{
    hopper h = PLAIN;
    h.delay = 3;
    return hopper_compile(&h);
}

// ------------------------------------------------------------------------------------------ arrays

/// Copies from where a view lies; NULL: from memory of the processor.
typedef int fetch_numbers(void *to, unsigned long long from, size_t size);
static fetch_numbers *fetch;

/// The numbers of an array, robot by robot, to be freed; those that ff_batch_read copies are the same.
static double *numbers_of(ff_batch *b, ff_batch_array array, int *count)
{
    ff_batch_view v;
    ff_error err = {0};
    if (ff_batch_view_of(b, array, &v, &err)) CHECK_FAIL("%s", err.text);
    double *out = malloc(sizeof *out * (size_t)(ROBOTS * v.count + 1));
    double *read = malloc(sizeof *read * (size_t)(ROBOTS * v.count + 1));
    CHECK(out && read && v.blocks * v.lanes >= ROBOTS);
    if (ff_batch_read(b, array, read, &err)) CHECK_FAIL("%s", err.text);
    for (int i = 0; i < ROBOTS; i++)
        for (int k = 0; k < v.count; k++) {
            const double *from = v.data + i / v.lanes * v.block_stride + i % v.lanes + k * v.row_stride;
            double *to = &out[i * v.count + k];
            if (v.device < 0)
                *to = *from;
            else
                CHECK_INT(fetch(to, (unsigned long long)(uintptr_t)from, sizeof *to), 0);
        }
    CHECK(memcmp(out, read, sizeof *out * (size_t)(ROBOTS * v.count)) == 0);
    free(read);
    *count = v.count;
    return out;
}

static void check_same_arrays(ff_batch *a, ff_batch *b)
{
    for (int array = 0; array < FF_BATCH_ARRAYS; array++) {
        int na = 0, nb = 0;
        double *x = numbers_of(a, (ff_batch_array)array, &na), *y = numbers_of(b, (ff_batch_array)array, &nb);
        CHECK_INT(na, nb);
        for (int i = 0; i < ROBOTS * na; i++)
            if (!(x[i] == y[i])) // a step that is written out may change the sign of a zero
                CHECK_FAIL("%s of robot %d: %.17g and %.17g", ff_batch_array_name((ff_batch_array)array), i / na, x[i],
                           y[i]);
        free(x);
        free(y);
    }
}

static void check_same_robots(ff_batch *a, ff_batch *b)
{
    CHECK(ff_batch_hash(a) == ff_batch_hash(b));
    for (int i = 0; i < ROBOTS; i++) {
        double x = 0.0, y = 1.0;
        ff_batch_get_targets(a, i, &x, NULL, NULL, NULL);
        ff_batch_get_targets(b, i, &y, NULL, NULL, NULL);
        CHECK_NEAR(x, y, 0.0);
        for (int k = 0; k < SPREAD_ROWS; k++) {
            CHECK(ff_batch_get_draw(a, i, k, &x, NULL) == FF_OK && ff_batch_get_draw(b, i, k, &y, NULL) == FF_OK);
            CHECK_NEAR(x, y, 0.0);
        }
    }
}

// ------------------------------------------------------------------------------------------ beginnings

TEST(several_robots_begin_as_one_after_the_other)
{
    ff_batch_model *model = compile();
    ff_batch *one = make(model, 0, 0), *all = make(model, 0, 0);
    static const int robots[] = {5, 69, 2, 5};
    static const uint64_t seeds[] = {11, 12, 13, 14};
    for (int round = 0; round < 2; round++) {
        CHECK(ff_batch_step(one, 20, NULL) == FF_OK && ff_batch_step(all, 20, NULL) == FF_OK);
        for (int i = 0; i < 4; i++)
            CHECK_INT(round ? ff_batch_reset_seeded(one, robots[i], seeds[i], NULL)
                            : ff_batch_reset(one, robots[i], NULL),
                      FF_OK);
        CHECK_INT(ff_batch_reset_some(all, robots, round ? seeds : NULL, 4, NULL), FF_OK);
        check_same_robots(one, all);
    }
    ff_batch_destroy(one);
    ff_batch_destroy(all);
    ff_batch_model_destroy(model);
}

// The first row of the table is the first number of the stream, which counts the lives of a seed.
TEST(each_life_has_the_next_stream_of_its_seed)
{
    ff_batch_model *model = compile();
    ff_batch *b = make(model, 0, 0);
    const uint64_t seed = 11;
    for (uint64_t life = 0; life < 3; life++) {
        double drawn = 0.0;
        ff_random random = ff_random_make(seed, life);
        CHECK_INT(ff_batch_reset_some(b, (const int[]){69}, life == 0 ? &seed : NULL, 1, NULL), FF_OK);
        CHECK_INT(ff_batch_get_draw(b, 69, 0, &drawn, NULL), FF_OK);
        CHECK_NEAR(drawn, ff_random_range(&random, SPREADS[0].low, SPREADS[0].high), 0.0);
    }
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

TEST(a_list_with_a_number_that_is_no_robot_changes_nothing)
{
    ff_batch_model *model = compile();
    ff_batch *b = make(model, 0, 0);
    const uint64_t before = ff_batch_hash(b);
    ff_error err = {0};
    CHECK_INT(ff_batch_reset_some(b, (const int[]){3, ROBOTS}, NULL, 2, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "robot 70 of a batch of 70");
    CHECK_INT(ff_batch_reset_some(b, NULL, NULL, 2, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_reset_some(NULL, NULL, NULL, 0, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_reset_some(b, NULL, NULL, -1, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_batch_reset_some(b, NULL, NULL, 0, NULL), FF_OK);
    CHECK_INT(ff_batch_renew(b, 0, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "a life of 0 steps");
    CHECK(ff_batch_renew(NULL, 1, NULL) && ff_batch_observe_all(NULL, NULL));
    CHECK(ff_batch_hash(b) == before);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ lives that are over

/// What is kept of each robot is what functions of single robots said before.
static void check_kept(ff_batch *b, const double *ended, const double *reward, const double *age, const double *seen)
{
    static const ff_batch_array arrays[] = {FF_BATCH_ARRAY_LAST_ENDED, FF_BATCH_ARRAY_LAST_REWARD,
                                            FF_BATCH_ARRAY_LAST_AGE, FF_BATCH_ARRAY_FINAL};
    const double *const expected[] = {ended, reward, age, seen};
    for (int k = 0; k < 4; k++) {
        int count = 0;
        double *kept = numbers_of(b, arrays[k], &count);
        for (int i = 0; i < ROBOTS * count; i++) CHECK_NEAR(kept[i], expected[k][i], 0.0);
        free(kept);
    }
}

/// What is observed of each robot now.
static void observe_each(ff_batch *b, double *out)
{
    for (int i = 0; i < ROBOTS; i++) CHECK_INT(ff_batch_observe(b, i, out + i * OBSERVED, NULL), FF_OK);
}

static void check_observed(ff_batch *b)
{
    static double each[ROBOTS * OBSERVED];
    int count = 0;
    double *all = numbers_of(b, FF_BATCH_ARRAY_OBSERVATION, &count);
    observe_each(b, each);
    CHECK_INT(count, OBSERVED);
    for (int i = 0; i < ROBOTS * OBSERVED; i++) CHECK_NEAR(all[i], each[i], 0.0);
    free(all);
}

// The other batch does the same by functions of single robots.
TEST(robots_whose_life_is_over_begin_again)
{
    ff_batch_model *model = compile();
    ff_batch *b = make(model, 0, 0), *other = make(model, 0, 0);
    static double ended[ROBOTS], reward[ROBOTS], age[ROBOTS], seen[ROBOTS * OBSERVED];
    const double first = 0.0, far = 0.5;
    int ends = 0, olds = 0;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < ROBOTS; i++) {
            ff_batch_set_targets(b, i, &far, NULL, NULL, NULL);
            ff_batch_set_targets(other, i, &far, NULL, NULL, NULL);
        }
        CHECK(ff_batch_step(b, 25, NULL) == FF_OK && ff_batch_step(other, 25, NULL) == FF_OK);
        observe_each(other, seen);
        for (int i = 0; i < ROBOTS; i++) {
            ended[i] = (double)ff_batch_end_of(other, i);
            reward[i] = ff_batch_reward(other, i);
            age[i] = (double)ff_batch_age(other, i);
            ends += ended[i] > 0.0;
            olds += ended[i] == 0.0 && age[i] >= MOST_LIFE;
            if (ended[i] == 0.0 && age[i] < MOST_LIFE) continue;
            ff_batch_reset(other, i, NULL);
            ff_batch_set_targets(other, i, &first, NULL, NULL, NULL);
        }
        CHECK_INT(ff_batch_renew(b, MOST_LIFE, NULL), FF_OK);
        check_same_robots(b, other);
        check_kept(b, ended, reward, age, seen);
        check_observed(b); // with targets of new lives
    }
    printf("  %d ended, %d were old\n", ends, olds);
    CHECK(ends > 10 && olds > 10); // both ways to the end were gone
    ff_batch_destroy(b);
    ff_batch_destroy(other);
    ff_batch_model_destroy(model);
}

TEST(all_robots_are_observed_as_each_of_them)
{
    ff_batch_model *model = compile();
    ff_batch *b = make(model, 0, 0);
    for (int round = 0; round < 2; round++) {
        CHECK_INT(ff_batch_observe_all(b, NULL), FF_OK);
        check_observed(b);
        CHECK_INT(ff_batch_step(b, 10, NULL), FF_OK);
    }
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ everywhere

/// All that robots can go through.
static void live(ff_batch *b)
{
    static const int some[] = {0, 41, 7, 41, 69};
    static const uint64_t seeds[] = {1, 2, 3, 4, 5};
    const double far = 0.4;
    CHECK_INT(ff_batch_observe_all(b, NULL), FF_OK);
    for (int round = 0; round < 4; round++) {
        ff_batch_clear_rewards(b);
        CHECK_INT(ff_batch_step(b, 25, NULL), FF_OK);
        CHECK_INT(ff_batch_renew(b, MOST_LIFE, NULL), FF_OK);
    }
    CHECK_INT(ff_batch_reset_some(b, some, seeds, 5, NULL), FF_OK);
    CHECK_INT(ff_batch_step(b, 5, NULL), FF_OK);
    CHECK_INT(ff_batch_reset_some(b, some, NULL, 5, NULL), FF_OK);
    CHECK_INT(ff_batch_set_targets(b, 3, &far, NULL, NULL, NULL), FF_OK); // the others keep what they have
    CHECK_INT(ff_batch_set_state(b, 9, NULL, (const double[]){0, 0, 0, 0, 0, 0, 0.5}, NULL), FF_OK);
    CHECK_INT(ff_batch_step(b, 60, NULL), FF_OK);
    CHECK_INT(ff_batch_renew(b, MOST_LIFE, NULL), FF_OK);
    CHECK_INT(ff_batch_step(b, 3, NULL), FF_OK);
}

static void compare_with_one_lane(int lanes, int device)
{
    ff_batch_model *model = compile();
    ff_batch *one = make(model, 1, 0), *other = make(model, lanes, device);
    live(one);
    live(other);
    check_same_arrays(one, other);
    check_same_robots(one, other);
    ff_batch_destroy(one);
    ff_batch_destroy(other);
    ff_batch_model_destroy(model);
}

TEST(lives_are_bit_identical_for_any_number_of_lanes)
{
    for (int i = 1; ff_batch_lanes_there(i) > 0; i++) compare_with_one_lane(ff_batch_lanes_there(i), 0);
}

#ifdef __linux__
#include <dlfcn.h>

// Arrays of the device are read by the driver of CUDA alone.
TEST(lives_are_bit_identical_on_a_device)
{
    if (ff_batch_device_missing()) SKIP("%s", ff_batch_device_missing());
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    CHECK(driver);
    *(void **)&fetch = dlsym(driver, "cuMemcpyDtoH_v2");
    CHECK(fetch);
    compare_with_one_lane(0, 1);
    dlclose(driver);
}
#endif
