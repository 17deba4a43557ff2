// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches of the scene that is loaded, as pages see them: frames are what a batch of the test's own computes, wrong
// requests change nothing, and a batch ends whenever somebody wants it to.
#include "bench_client.h"

#include <footfall/batch_outcome.h>
#include <footfall/run.h>
#include <footfall/studio.h>

#include <math.h>

/// A ball over a floor; the time is for batches that run until they are stopped.
#define SCENE                                                                                                          \
    "footfall: 1\nrobot: ball.yaml\nplace: {pos: [0, 0, 1]}\nterrain: [{plane: {material: lab-floor}}]\n"              \
    "solver: {method: euler, step: 1.0e-3}\ntime: 0.1\n"
#define ROBOT                                                                                                          \
    "footfall: 1\nname: ball\nbodies:\n  ball:\n    joint: {name: fall, type: free}\n"                                 \
    "    inertial: {mass: 1, sphere: 0.1}\n    shapes: [{sphere: 0.1}]\n"

enum { HEAD = 40 };

static char *open_scene(bench_client *c)
{
    char *root = bench_folder();
    bench_file(root, "ball.yaml", ROBOT);
    bench_file(root, "scene.yaml", SCENE);
    bench_open(c, root);
    bench_do(c, "\"do\": \"load\", \"scene\": \"scene.yaml\"");
    return root;
}

/// The event that says how a batch ended. Malloc'ed.
static char *wait_for_end(bench_client *c)
{
    return bench_wait_for(c, -1, "\"event\": \"batch\"", "\"running\": false");
}

static uint32_t u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double number_at(const bench_client *c, size_t index)
{
    const uint32_t bits = u32(c->frame + HEAD + 4 * index);
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

/// Asks for frames until one of a batch comes that is not earlier than that.
static void batch_frame(bench_client *c, double t)
{
    double at = -1.0;
    for (int i = 0; i < 10000 && at < t - 1e-9; i++) {
        bench_do(c, "\"do\": \"batch_frame\"");
        bench_next_frame(c, 0);
        if (c->frame_size >= HEAD && memcmp(c->frame, "FFBT", 4) == 0) memcpy(&at, c->frame + 16, sizeof at);
    }
    CHECK(at >= t - 1e-9);
    CHECK_INT(c->frame_size, HEAD + 4 * (size_t)u32(c->frame + 32) * (c->frame[6] | (size_t)c->frame[7] << 8));
}

/// The same batch without a studio.
static ff_batch *make_batch(const char *root, const ff_batch_spread *spread, int steps, ff_batch_model **model)
{
    char path[600];
    snprintf(path, sizeof path, "%s/scene.yaml", root);
    const ff_scene_spec *scene = ff_scene_load(path, NULL, 0, NULL);
    CHECK(scene);
    const ff_run_options options = ff_run_options_default(scene);
    ff_run *run = ff_run_create(scene, &options, NULL);
    *model = ff_run_compile_batch(run, NULL);
    ff_batch_options o = {.robots = 20, .seed = 5, .spreads = spread, .nspread = 1};
    ff_batch_default_falls(*model, &o.least_height, &o.most_tilt);
    ff_batch *batch = ff_batch_create(*model, &o, NULL);
    CHECK(batch);
    ff_batch_step(batch, steps, NULL);
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    return batch;
}

TEST(the_last_frame_is_what_a_batch_computes)
{
    const ff_batch_spread spread = {.quantity = FF_BATCH_START_HEIGHT, .low = -0.5, .high = 0.5};
    bench_client c;
    char *root = open_scene(&c);
    bench_do(&c, "\"do\": \"batch\", \"robots\": 20, \"seed\": 5, \"spread\": {\"start_height\": [-0.5, 0.5]}");
    char *state = wait_for_end(&c);
    ff_batch_model *model;
    ff_batch *batch = make_batch(root, &spread, 100, &model);
    ff_batch_outcome o;
    ff_batch_get_outcome(batch, &o, NULL);
    CHECK(strstr(state, "\"ended\": \"finished\""));
    CHECK_NEAR(bench_number(state, "fell"), (double)o.ended[FF_BATCH_FELL], 0.0);
    CHECK_NEAR(bench_number(state, "lives"), (double)o.ended[FF_BATCH_LIVES], 0.0);
    CHECK_NEAR(bench_number(state, "t"), 0.1, 1e-12);
    CHECK(o.ended[FF_BATCH_FELL] > 0 && o.ended[FF_BATCH_LIVES] > 0);
    free(state);
    batch_frame(&c, 0.1);
    const size_t width = 1 + (size_t)o.ncolumn + 7;
    CHECK_INT(c.frame[6] | c.frame[7] << 8, width);
    CHECK_INT(u32(c.frame + 28), 1);  // stride
    CHECK_INT(u32(c.frame + 32), 20); // rows
    CHECK_INT(u32(c.frame + 36), 20); // robots
    for (int i = 0; i < 20; i++) {
        double values[FF_BATCH_COLUMNS_MOST], q[7];
        ff_batch_values(batch, i, values, NULL);
        ff_batch_get_state(batch, i, q, NULL, NULL);
        const size_t at = width * (size_t)i;
        CHECK_NEAR(number_at(&c, at), (double)ff_batch_end_of(batch, i), 0.0);
        for (int k = 0; k < o.ncolumn; k++)
            CHECK_NEAR(number_at(&c, at + 1 + (size_t)k), (double)(float)values[k], 0.0);
        for (int k = 0; k < 7; k++)
            CHECK_NEAR(number_at(&c, at + 1 + (size_t)o.ncolumn + (size_t)k), (double)(float)q[k], 0.0);
    }
    ff_batch_destroy(batch);
    ff_batch_model_destroy(model);
    bench_close(&c);
}

// A row of a ball has 16 numbers, so that 1 MiB holds 16 383 of them: of 40 000 robots every third is shown (of 17 000
// every second), the second row is the fourth (third) robot of any batch with that seed. A page that comes later gets
// the same.
TEST(of_many_robots_every_third_is_shown_and_all_are_counted)
{
    const ff_batch_spread spread = {.quantity = FF_BATCH_START_HEIGHT, .low = -0.1, .high = 0.1};
    const int robots = CHECK_LASTS(40000, 17000), stride = CHECK_LASTS(3, 2);
    bench_client c;
    char *root = open_scene(&c);
    bench_do(&c,
             "\"do\": \"batch\", \"robots\": %d, \"time\": 0.002, \"seed\": 5, \"spread\": "
             "{\"start_height\": [-0.1, 0.1]}",
             robots);
    char *state = wait_for_end(&c);
    CHECK_NEAR(bench_number(state, "stride"), stride, 0.0);
    CHECK_NEAR(bench_number(state, "lives"), robots, 0.0);
    free(state);
    batch_frame(&c, 0.002);
    CHECK_INT(u32(c.frame + 28), stride);
    CHECK_INT(u32(c.frame + 32), (robots + stride - 1) / stride);
    CHECK_INT(u32(c.frame + 36), robots);
    ff_batch_model *model;
    ff_batch *batch = make_batch(root, &spread, 2, &model);
    double q[7];
    ff_batch_get_state(batch, stride, q, NULL, NULL);
    CHECK_NEAR(number_at(&c, 16 + 1 + 8 + 2), (double)(float)q[2], 0.0);
    ff_batch_destroy(batch);
    ff_batch_model_destroy(model);
    CHECK_INT(ff_workbench_joined(c.bench, 1, NULL), FF_OK);
    state = bench_wait_for(&c, 1, "\"event\": \"batch\"", "finished");
    CHECK_NEAR(bench_number(state, "robots"), robots, 0.0);
    free(state);
    bench_close(&c);
}

TEST(a_batch_ends_when_no_robot_is_left)
{
    bench_client c;
    open_scene(&c);
    bench_do(&c, "\"do\": \"batch\", \"robots\": 1, \"time\": 1e6, \"fall_height\": 0.9");
    char *state = wait_for_end(&c);
    CHECK(strstr(state, "\"ended\": \"all robots have ended\""));
    CHECK_NEAR(bench_number(state, "fell"), 1.0, 0.0);
    free(state);
    bench_close(&c);
}

// The ball falls freely: after n steps it is at 1 - g h^2 n (n + 1) / 2, and the sum of its speeds times the step is
// how far it fell. It ends where it is below 0.97 m.
TEST(a_condition_ends_robots_and_their_reward_is_a_column)
{
    bench_client c;
    open_scene(&c);
    bench_do(&c, "\"do\": \"batch\", \"robots\": 3, \"end\": \"root.z < 0.97\", "
                 "\"reward\": \"-root.vz * step\"");
    char *state = wait_for_end(&c);
    CHECK(strstr(state, "\"end\": \"root.z < 0.97\""));
    CHECK(strstr(state, "\"reward\": \"-root.vz * step\"") && strstr(state, "{\"name\": \"reward\""));
    CHECK_NEAR(bench_number(state, "finished"), 3.0, 0.0);
    CHECK_NEAR(bench_number(state, "lives") + bench_number(state, "fell"), 0.0, 0.0);
    free(state);
    int n = 0;
    while (9.81e-6 * n * (n + 1) / 2 <= 0.03) n++;
    batch_frame(&c, n * 1e-3);
    const size_t width = (size_t)(c.frame[6] | c.frame[7] << 8);
    for (size_t i = 0; i < 3; i++) {
        CHECK_NEAR(number_at(&c, i * width), (double)FF_BATCH_FINISHED, 0.0);
        CHECK_NEAR(number_at(&c, (i + 1) * width - 8), 9.81e-6 * n * (n + 1) / 2, 1e-7); // [m] as float; before q
    }
    bench_close(&c);
}

// Columns have what the robots drew: a choice has its two values at its ends, a body has its own row, and the event
// says again what was asked for. Of 400 draws between 0.5 and 2 by their logarithm half lie below 1: the median of n
// has the deviation of the share, 1 / (2 sqrt(n)), times the slope of the quantile, ln 4; within five of these.
TEST(distributions_of_all_kinds_and_of_single_bodies_are_drawn)
{
    bench_client c;
    open_scene(&c);
    bench_do(&c,
             "\"do\": \"batch\", \"robots\": 400, \"time\": 0.002, \"spread\": {\"mass.ball\": {\"kind\": \"choice\", "
             "\"numbers\": [0.75, 1.5]}, \"friction\": {\"kind\": \"log_uniform\", \"numbers\": [0.5, 2]}, \"mass\": "
             "{\"kind\": \"normal\", \"numbers\": [1, 0.1, 0.5, 1.5]}, \"start_tilt\": {\"kind\": \"normal\", "
             "\"numbers\": [0, 0.1]}, \"payload\": [0.25, 0.25]}");
    char *state = bench_wait_for(&c, -1, "\"event\": \"batch\"", "\"running\": false");
    CHECK_SAYS(state,
               "\"spread\": {\"mass.ball\": {\"kind\": \"choice\", \"numbers\": [0.75, 1.5]}, \"friction\": {\"kind\": "
               "\"log_uniform\", \"numbers\": [0.5, 2]}, \"mass\": {\"kind\": \"normal\", \"numbers\": [1, 0.1, 0.5, "
               "1.5]}, \"start_tilt\": {\"kind\": \"normal\", \"numbers\": [0, 0.1]}, \"payload\": [0.25, 0.25]}");
    const char *const ball = strstr(state, "{\"name\": \"mass.ball\""), *const friction =
                                                                            strstr(state, "{\"name\": \"friction\"");
    CHECK(ball && friction && strstr(state, "{\"name\": \"payload\""));
    CHECK(bench_number(ball, "least") == 0.75 && bench_number(ball, "most") == 1.5);
    CHECK_NEAR(log(bench_number(friction, "median")), 0.0, 5.0 * log(4.0) / (2.0 * sqrt(400.0)));
    free(state);
    bench_close(&c);
}

TEST(wrong_requests_are_refused_with_a_reason)
{
    static const char *const wrong[][2] = {
        {"'robots' is 0", "\"robots\": 0"},
        {"'robots' is -1", "\"robots\": -1"},
        {"1 to 262144", "\"robots\": 1000000"},
        {"robots", "\"robots\": 1.5"},
        {"robots", "\"robots\": \"many\""},
        {"'time' is -1", "\"time\": -1"},
        {"less than one step", "\"time\": 1e-5"},
        {"'seed' is -1", "\"seed\": -1"},
        {"beyond 1e12", "\"seed\": 1000000000001"},
        {"'pace' is 1e+09", "\"pace\": 1e9"},
        {"there is no quantity 'colour': they are friction", "\"spread\": {\"colour\": [0, 1]}"},
        {"no body that moves has that name, there are ball", "\"spread\": {\"mass.cube\": [1, 2]}"},
        {"start_x is of the whole robot", "\"spread\": {\"start_x.ball\": [1, 2]}"},
        {"'mass': a distribution normal has mean and deviation",
         "\"spread\": {\"mass\": {\"kind\": \"normal\", \"numbers\": [1]}}"},
        {"a choice has one value or more", "\"spread\": {\"mass\": {\"kind\": \"choice\", \"numbers\": []}}"},
        {"spread", "\"spread\": {\"mass\": {\"kind\": \"cauchy\", \"numbers\": [1, 2]}}"},
        {"spread", "\"spread\": {\"mass\": {\"kind\": \"uniform\"}}"},
        {"the lower end comes first", "\"spread\": {\"mass\": [2, 1]}"},
        {"a factor cannot be negative", "\"spread\": {\"friction\": [-1, 1]}"},
        {"spread", "\"spread\": {\"mass\": [1, 2, 3]}"},
        {"spread", "\"spread\": {\"mass\": 1}"},
        {"spread", "\"spread\": [1, 2]"},
        {"'fall_height' is -1 m", "\"fall_height\": -1"},
        {"'fall_tilt' is 4 rad", "\"fall_tilt\": 4"},
        {"did you mean 'height'?", "\"end\": \"heigt < 1\""},
        {"reward", "\"reward\": \"1 +\""},
        {"end", "\"end\": 3"},
    };
    bench_client c;
    char *root = bench_folder();
    bench_file(root, "ball.yaml", ROBOT);
    bench_file(root, "scene.yaml", SCENE);
    bench_open(&c, root);
    bench_refused(&c, "no scene is loaded", "\"do\": \"batch\"");
    bench_do(&c, "\"do\": \"batch_frame\""); // of none: nothing comes
    bench_do(&c, "\"do\": \"load\", \"scene\": \"scene.yaml\"");
    bench_do(&c, "\"do\": \"batch\", \"stop\": true"); // none runs
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        bench_refused(&c, wrong[i][0], "\"do\": \"batch\", %s", wrong[i][1]);
    static const char twice[] = "{\"do\": \"batch\", \"spread\": {\"mass\": [1, 2], \"mass\": [1, 2]}}";
    CHECK_INT(ff_workbench_request(c.bench, 0, twice, strlen(twice), NULL), FF_OK);
    free(bench_wait_for(&c, 0, "\"ok\": false", "mass")); // so that the table of spreads has room for all there are
    bench_do(&c, "\"do\": \"load\", \"scene\": \"scene.yaml\", \"set\": [\"solver.method=rk4\"]");
    bench_refused(&c, "\"error\": \"a batch steps by the method euler, and", "\"do\": \"batch\"");
    bench_do(&c, "\"do\": \"pause\"");
    bench_close(&c);
}

/// A batch that would run for weeks, and leaves the processor to the test: as fast as a clock.
static void begin_long(bench_client *c)
{
    bench_do(c, "\"do\": \"batch\", \"robots\": 8, \"time\": 1e9, \"fall_height\": 0, \"fall_tilt\": 0, \"pace\": 1");
}

/// The time of that batch in an event that comes from now on.
static double time_of_batch(bench_client *c, int number)
{
    char part[32];
    snprintf(part, sizeof part, "\"number\": %d,", number);
    bench_forget(c);
    char *state = bench_wait_for(c, -1, part, "\"running\": true");
    const double t = bench_number(state, "t");
    free(state);
    return t;
}

// Some requests are refused as they are read, others by the thread that makes the robots.
TEST(a_refused_batch_leaves_the_one_that_runs)
{
    static const char *const wrong[][2] = {{"'robots' is 0", "\"robots\": 0"},
                                           {"less than one step", "\"time\": 1e-5"},
                                           {"the lower end comes first", "\"spread\": {\"mass\": [2, 1]}"}};
    bench_client c;
    open_scene(&c);
    begin_long(&c);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const double before = time_of_batch(&c, 1);
        bench_refused(&c, wrong[i][0], "\"do\": \"batch\", %s", wrong[i][1]);
        time_of_batch(&c, 1); // may have been under way
        CHECK(time_of_batch(&c, 1) > before);
    }
    bench_do(&c, "\"do\": \"batch\", \"robots\": 3, \"time\": 0.01");
    free(bench_wait_for(&c, -1, "\"number\": 1,", "\"ended\": \"stopped\"")); // whose place was taken
    char *state = bench_wait_for(&c, -1, "\"number\": 2,", "\"ended\": \"finished\"");
    CHECK_NEAR(bench_number(state, "robots"), 3.0, 0.0);
    free(state);
    bench_close(&c);
}

// The batch of the scene before ends soon after the load, and must not leave its last frame: asked for during a while.
TEST(no_frame_of_the_scene_before_comes)
{
    bench_client c;
    open_scene(&c);
    begin_long(&c);
    batch_frame(&c, 0.0);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"scene.yaml\"");
    bench_do(&c, "\"do\": \"batch_frame\"");
    for (int i = 0; i < 60; i++) {
        c.frame_size = ff_workbench_frame(c.bench, 0, c.frame, FF_WORKBENCH_FRAME_MAX, NULL);
        CHECK(c.frame_size < 4 || memcmp(c.frame, "FFBT", 4) != 0);
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    bench_close(&c);
}

TEST(a_batch_runs_beside_the_scene_and_ends_whenever_it_should)
{
    bench_client c;
    open_scene(&c);
    begin_long(&c);
    bench_do(&c, "\"do\": \"step\", \"seconds\": 0.01"); // the scene moves on its own
    bench_do(&c, "\"do\": \"reset\"");                   // which is no matter of the batch
    bench_do(&c, "\"do\": \"batch\", \"stop\": true");
    char *state = wait_for_end(&c);
    CHECK(strstr(state, "\"ended\": \"stopped\""));
    free(state);
    begin_long(&c); // another one takes its place
    bench_do(&c, "\"do\": \"batch\", \"robots\": 3, \"time\": 0.01");
    state = bench_wait_for(&c, -1, "\"robots\": 3,", "finished");
    CHECK_NEAR(bench_number(state, "number"), 3.0, 0.0);
    free(state);
    begin_long(&c); // another scene is loaded
    bench_do(&c, "\"do\": \"load\", \"scene\": \"scene.yaml\"");
    CHECK_INT(ff_workbench_joined(c.bench, 1, NULL), FF_OK);
    free(bench_wait_for(&c, 1, "\"event\": \"scene\"", NULL));
    begin_long(&c);
    ff_workbench_left(c.bench, 0); // the page with the request leaves, and another one watches; then the studio ends
    bench_close(&c);
}
