// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The workbench: loading, pace, frames and watched rows; and the promise that a scene without interactions is
// bit-identical to `footfall run`.
#include "bench_client.h"

#include "studio/workbench_inner.h"

#include <unistd.h>

#define TRIPOD "experiments/anton-tripod.yaml"

static void load(bench_client *c, const char *scene, const char *more)
{
    bench_do(c, "\"do\": \"load\", \"scene\": \"%s\"%s", scene, more);
}

static void run_to_the_end(bench_client *c)
{
    bench_do(c, "\"do\": \"run\", \"pace\": 0");
    free(bench_wait_for(c, -1, "\"ended\": \"finished\"", "\"running\": false"));
}

TEST(a_scene_is_loaded_described_stepped_and_run_to_its_end)
{
    bench_client c;
    int width, count;
    bench_open(&c, FF_SOURCE_DIR);
    load(&c, TRIPOD, ", \"set\": [\"time=0.2\", \"expect=[]\", \"solver={method: implicit, step: 5e-4}\"]");
    char *event = bench_wait_for(&c, -1, "\"event\": \"scene\"", NULL);
    CHECK(strstr(event, "\"method\": \"implicit\""));
    CHECK_NEAR(bench_number(event, "step"), 5e-4, 0.0);
    free(event);
    bench_next_frame(&c, 0);
    CHECK_NEAR(frame_time(&c), 0.0, 0.0);
    CHECK(frame_section(&c, 1, &width, &count));
    CHECK_INT(width, 7 + 24); // a free body, joints between its segments and six legs
    const float *contacts = frame_section(&c, 2, &width, &count);
    CHECK(contacts && count >= 6);
    CHECK(contacts[5] > 0.0F);          // the ground pushes up on what stands on it
    CHECK_NEAR(contacts[7], -1.0, 0.0); // the ground comes first
    CHECK(contacts[8] >= 0.0F);
    const float *limbs = frame_section(&c, 7, &width, &count);
    CHECK(limbs);
    CHECK_INT(count, 6);
    CHECK_INT(width, 15);
    double up = 0.0;
    for (int i = 0; i < 6; i++) up += (double)limbs[width * i + 3];
    CHECK_NEAR(up, 5.0 * 9.81, 1e-3); // [N] its weight, settled; 32-bit floats
    const float *centre = frame_section(&c, 3, &width, &count);
    CHECK(centre);
    CHECK_INT(width, 12);
    for (int k = 1; k <= 2; k++) {
        CHECK_NEAR(centre[3 + k], centre[k], 1e-4); // [m] at rest it presses below its centre of mass,
        CHECK_NEAR(centre[6 + k], centre[k], 1e-4); // and would come to rest there
    }
    CHECK(isnan(centre[10]) && isnan(centre[11])); // a gait plans no zero moment point
    bench_do(&c, "\"do\": \"step\"");
    do bench_next_frame(&c, 0);
    while (frame_time(&c) == 0.0);
    CHECK_NEAR(frame_time(&c), 5e-4, 1e-15);
    run_to_the_end(&c);
    bench_close(&c);
}

// Without a scene, the thread of the simulation sleeps.
TEST(a_workbench_without_a_scene_costs_nothing)
{
    bench_client c;
    bench_open(&c, FF_SOURCE_DIR);
    bench_do(&c, "\"do\": \"list\"");
    const clock_t before = clock(); // processor time of all threads
    usleep(300000);
    CHECK((double)(clock() - before) / CLOCKS_PER_SEC < 0.03); // [s] a tenth of the time; a loop takes all of it
    bench_close(&c);
}

/// A bar of 6 kg on a foot of 1 kg, 0.1 m behind it, with two patches abreast, and on a hand 0.5 m ahead; another hand
/// is in the air. As JSON holds it.
#define LEANING                                                                                                        \
    "footfall: 1\\nname: leaning\\nbodies:\\n  bar:\\n    joint: free\\n    inertial: {mass: 6, sphere: 0.1}\\n"       \
    "    bodies:\\n      sole:\\n        pos: [-0.1, 0, 0]\\n        joint: {name: ankle, axis: y}\\n"                 \
    "        inertial: {mass: 1, sphere: 0.05}\\n        frames: {foot: {}}\\n"                                        \
    "        shapes: [{sphere: 0.05, pos: [0, -0.1, 0]}, {sphere: 0.05, pos: [0, 0.1, 0]}]\\n"                         \
    "      palm: {pos: [0.5, 0, 0], shapes: [{sphere: 0.05}]}\\n"                                                      \
    "      other: {pos: [0, 0.5, 0.3], shapes: [{sphere: 0.05}]}\\n"                                                   \
    "legs: {L: {joints: [ankle], foot: {frame: foot, bodies: [sole]}}}\\n"                                             \
    "hands: {palm: {bodies: [palm]}, other: {bodies: [other]}}\\n"

TEST(feet_and_hands_are_sent_with_the_model_and_with_each_frame)
{
    static const char robot[] = "robots/tumbler/tumbler.yaml"; // its text is not read
    bench_client c;
    int width, count;
    bench_open(&c, FF_SOURCE_DIR);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"%s\", \"texts\": {\"%s\": \"" LEANING "\"}", robot, robot);
    char *event = bench_wait_for(&c, -1, "\"event\": \"scene\"", NULL);
    CHECK(strstr(event, "\"limbs\":[{\"name\":\"L\",\"kind\":\"foot\",\"body\":1,"));
    CHECK(strstr(event, "{\"name\":\"palm\",\"kind\":\"hand\",\"body\":2,"));
    CHECK(strstr(event, "\"bodies\":[3]}]")); // the last of them
    free(event);
    bench_next_frame(&c, 0);
    const float *limbs = frame_section(&c, 7, &width, &count);
    CHECK(limbs);
    CHECK_INT(width, 15);
    CHECK_INT(count, 3);
    CHECK_NEAR(limbs[0], 1.0, 0.0);
    CHECK_NEAR(limbs[3], 6.0 * 9.81, 1e-3); // [N] 32-bit floats, settled
    CHECK_NEAR(limbs[5], -0.1, 1e-4);       // [m] below the ankle, midway between the patches; it leans a little
    CHECK_NEAR(limbs[6], 0.0, 1e-6);
    const float *palm = limbs + width, *other = palm + width;
    CHECK_NEAR(palm[3], 9.81, 1e-3); // about the ankle: 0.6 m F = 0.1 m 6 kg g
    CHECK(isnan(palm[4]));           // no controller wants anything of a hand
    CHECK_NEAR(palm[5], 0.5, 1e-4);
    CHECK_NEAR(other[0], 0.0, 0.0); // in the air: no force, and no centre of pressure
    CHECK_NEAR(other[3], 0.0, 0.0);
    CHECK(isnan(other[5]) && isnan(other[7]) && isnan(other[10]));
    bench_close(&c);
}

// A biped that stands: what its controller wants of the feet, and where it thinks they and the zero moment point are.
TEST(frames_say_what_a_biped_plans)
{
    bench_client c;
    int width, count;
    bench_open(&c, FF_SOURCE_DIR);
    load(&c, "experiments/lola-walk.yaml", ", \"set\": [\"time=0.05\", \"metrics={}\", \"expect=[]\"]");
    bench_next_frame(&c, 0);
    bench_do(&c, "\"do\": \"run\", \"until\": 0.05");
    do bench_next_frame(&c, 0);
    while (frame_time(&c) < 0.05 - 1e-9);
    const float *limbs = frame_section(&c, 7, &width, &count);
    CHECK(limbs);
    CHECK_INT(count, 4); // two feet, two hands
    for (int i = 0; i < 2; i++) {
        const float *foot = limbs + width * i;
        CHECK_NEAR(foot[11], 0.5, 1e-6);                     // both carry half
        CHECK_NEAR(foot[4], 0.5 * 67.0 * 9.81, 40.0);        // [N] wanted, about half its weight
        CHECK_NEAR(foot[12], 0.0, 1e-6);                     // [m] side by side at the origin of its plan
        CHECK_NEAR(foot[13], i == 0 ? 0.125 : -0.125, 0.02); // [m] the left one on the left
        CHECK_NEAR(foot[14], 0.0, 1e-6);                     // [rad] ahead
    }
    const float *hand = limbs + 2 * (size_t)width;
    CHECK(isnan(hand[4]) && isnan(hand[11]) && isnan(hand[12]));
    const float *centre = frame_section(&c, 3, &width, &count);
    CHECK(centre);
    CHECK_INT(count, 1);
    CHECK(isfinite(centre[10]) && fabs((double)centre[11]) < 0.02); // [m] between the feet
    bench_close(&c);
}

/// Hash of the state at the end of a scene that the library runs.
static uint64_t plain_hash(const char *path, const char *const *set, int nset)
{
    ff_report report = {0};
    ff_error err = {0};
    char whole[400];
    snprintf(whole, sizeof whole, "%s/%s", FF_SOURCE_DIR, path);
    const ff_scene_spec *scene = ff_scene_load(whole, set, nset, &report);
    ff_run *run = scene ? ff_run_create(scene, NULL, &report) : NULL;
    if (!run) CHECK_FAIL("%s", report.messages[0].text);
    if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    const uint64_t hash = ff_sim_hash(ff_run_sim(run));
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return hash;
}

static void check_bits(const char *path, const char *time)
{
    bench_client c;
    char set[40], more[100];
    snprintf(set, sizeof set, "time=%s", time);
    snprintf(more, sizeof more, ", \"set\": [\"%s\", \"expect=[]\"]", set);
    const uint64_t plain = plain_hash(path, (const char *const[]){set, "expect=[]"}, 2);
    bench_open(&c, FF_SOURCE_DIR);
    load(&c, path, more);
    run_to_the_end(&c);
    const uint64_t alone = ff_sim_hash(ff_run_sim(c.bench->scene.run));
    if (alone != plain)
        CHECK_FAIL("%s: %016llx, `footfall run` has %016llx", path, (unsigned long long)alone,
                   (unsigned long long)plain);
    // once more, after a reset, at a pace, watched in every way; so slowly that the end is 20 s of the clock away: a
    // pause that comes too late finds a scene that goes on beyond its end
    bench_do(&c, "\"do\": \"reset\"");
    bench_do(&c, "\"do\": \"watch\", \"channels\": [\"q\", \"qacc\", \"energy.total\"], \"rate\": 333");
    bench_forget(&c);
    double t = 0.0;
    for (int i = 0; i < 3; i++) {
        bench_do(&c, "\"do\": \"run\", \"pace\": 0.001");
        do bench_next_frame(&c, 0);
        while (frame_time(&c) <= t);
        bench_do(&c, "\"do\": \"pause\"");
        bench_do(&c, "\"do\": \"step\"");
        t = frame_time(&c);
    }
    bench_do(&c, "\"do\": \"run\", \"pace\": 0");
    free(bench_wait_for(&c, -1, "\"ended\": \"finished\"", "\"running\": false"));
    CHECK(ff_sim_hash(ff_run_sim(c.bench->scene.run)) == plain);
    bench_close(&c);
}

TEST(a_walk_has_the_bits_of_footfall_run)
{
    check_bits(TRIPOD, CHECK_LASTS("0.3", "0.05"));
}

TEST(a_script_has_the_bits_of_footfall_run)
{
    check_bits("experiments/anton-lua-tripod.yaml", CHECK_LASTS("0.2", "0.05"));
}

TEST(methods_that_choose_their_steps_have_the_bits_of_footfall_run)
{
    check_bits("experiments/tumble.yaml", CHECK_LASTS("0.5", "0.1"));
    check_bits("experiments/e10-rest.yaml", CHECK_LASTS("0.1", "0.02"));
    if (CHECK_LASTS(1, 0)) check_bits("experiments/anton-drop.yaml", "0.15"); // steps as those of tumble
}

TEST(real_time_holds_and_a_pause_is_one)
{
    bench_client c;
    char *root = bench_folder();
    bench_file(root, "ball.yaml",
               "footfall: 1\nobjects: [{name: ball, sphere: 0.1, mass: 1}]\nsolver: {method: rk4}\ntime: 1000\n");
    bench_open(&c, root);
    load(&c, "ball.yaml", "");
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    bench_do(&c, "\"do\": \"run\"");
    do bench_next_frame(&c, 0);
    while (frame_time(&c) < 0.3);
    clock_gettime(CLOCK_MONOTONIC, &to);
    const double wall = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    CHECK(wall >
          frame_time(&c) - 0.002); // no faster than the clock, but for a step; how much slower depends on the machine
    bench_do(&c, "\"do\": \"pause\"");
    char *state = bench_ask(&c, "\"do\": \"run\", \"pace\": -1");
    CHECK(strstr(state, "'pace' is -1"));
    free(state);
    do bench_next_frame(&c, 0);
    while (c.frame[6] & 1);
    const double t = frame_time(&c);
    CHECK_INT(ff_workbench_frame(c.bench, 0, c.frame, FF_WORKBENCH_FRAME_MAX, NULL),
              0); // nothing changes: nothing comes
    CHECK_NEAR(ff_sim_time(ff_run_sim(c.bench->scene.run)), t, 0.0);
    const uint32_t starts = protocol_u32(c.frame + 36);
    bench_forget(&c);
    bench_do(&c, "\"do\": \"reset\"");
    state = bench_wait_for(&c, -1, "\"event\": \"state\"", "\"t\": 0");
    CHECK_NEAR(bench_number(state, "starts"), starts + 1.0, 0.0);
    free(state);
    do bench_next_frame(&c, 0);
    while (protocol_u32(c.frame + 36) == starts); // one from before it
    CHECK_INT(protocol_u32(c.frame + 36), starts + 1);
    CHECK_NEAR(frame_time(&c), 0.0, 0.0);
    bench_close(&c);
}

// A mass on a spring far too stiff for an explicit step.
TEST(what_diverges_is_paused_reported_and_can_be_reset)
{
    bench_client c;
    char *root = bench_folder();
    bench_file(
        root, "stiff.yaml",
        "footfall: 1\nobjects: [{name: ball, sphere: 0.1, mass: 1, velocity: [1, 0, 0], moves: x}]\n"
        "springs: [{between: [world, ball], stiffness: [1e12, 0, 0]}]\nsolver: {method: rk4, step: 10 ms}\ntime: 5\n");
    bench_open(&c, root);
    load(&c, "stiff.yaml", "");
    for (int i = 0; i < 2; i++) {
        bench_do(&c, "\"do\": \"run\", \"pace\": 0");
        char *state = bench_wait_for(&c, -1, "\"ended\": \"diverged: ", "\"running\": false");
        CHECK(bench_number(state, "t") < 5.0);
        free(state);
        free(bench_wait_for(&c, -1, "\"event\": \"notice\"", "diverged"));
        bench_refused(&c, "reset it", "\"do\": \"run\"");
        bench_refused(&c, "reset it", "\"do\": \"step\"");
        bench_do(&c, "\"do\": \"reset\"");
        state = bench_wait_for(&c, -1, "\"ended\": null", NULL);
        free(state);
        bench_forget(&c);
    }
    bench_close(&c);
}

TEST(a_scene_that_has_ended_goes_on_when_it_is_run_again)
{
    bench_client c;
    bench_open(&c, FF_SOURCE_DIR);
    load(&c, "experiments/tumble.yaml", ", \"set\": [\"time=0.1\"]");
    run_to_the_end(&c);
    free(bench_wait_for(&c, -1, "\"event\": \"notice\"", "expectations"));
    bench_forget(&c);
    bench_do(&c, "\"do\": \"step\", \"seconds\": 0.1");
    CHECK(bench_wait_until_paused(&c) >= 0.2);
    char *state = bench_ask(&c, "\"do\": \"pause\"");
    free(state);
    bench_close(&c);
}

TEST(two_clients_share_one_simulation_and_watch_what_each_likes)
{
    bench_client c;
    int width, count;
    bench_open(&c, FF_SOURCE_DIR);
    CHECK_INT(ff_workbench_joined(c.bench, 5, NULL), FF_OK);
    load(&c, TRIPOD, "");
    free(bench_wait_for(&c, -1, "\"event\": \"scene\"", NULL));
    bench_do(&c, "\"do\": \"watch\", \"channels\": [\"com.pos\", \"feet.force\"], \"rate\": 1000");
    static const char other[] = "{\"id\": \"mine\", \"do\": \"watch\", \"channels\": [\"base.pos\"], \"rate\": 10}";
    CHECK_INT(ff_workbench_request(c.bench, 5, other, strlen(other), NULL), FF_OK);
    char *answer = bench_wait_for(&c, 5, "\"id\": \"mine\"", "base.pos.x");
    CHECK(strstr(answer, "\"units\": [\"m\", \"m\", \"m\"]"));
    free(answer);
    bench_forget(&c);
    bench_do(&c, "\"do\": \"step\", \"seconds\": %s", CHECK_LASTS("0.5", "0.1"));
    const double t = bench_wait_until_paused(&c);
    int rows[2] = {0, 0}, widths[2] = {0, 0};
    double last[2] = {-1.0, -1.0};
    for (int who = 0; who < 2; who++) {
        do {
            bench_next_frame(&c, who * 5);
            const float *r = frame_section(&c, 6, &width, &count);
            for (int i = 0; r && i < count; i++) {
                CHECK((double)r[i * width] > last[who]);
                last[who] = (double)r[i * width];
            }
            if (r) rows[who] += count;
            if (r) widths[who] = width;
            CHECK_INT(protocol_u32(c.frame + 28), 0); // nothing was dropped
        } while (frame_time(&c) < t);
    }
    CHECK_INT(widths[0], 1 + 3 + 18);
    CHECK_INT(widths[1], 1 + 3);
    CHECK_INT(rows[0], CHECK_LASTS(501, 101)); // steps of 0.5 ms: every millisecond has one
    CHECK_INT(rows[1], CHECK_LASTS(6, 2));     // 0, 0.1, .. 0.5 s
    // one that comes later gets everything
    bench_forget(&c);
    CHECK_INT(ff_workbench_joined(c.bench, 7, NULL), FF_OK);
    free(bench_wait_for(&c, 7, "\"event\": \"scene\"", NULL));
    bench_next_frame(&c, 7);
    bench_close(&c);
}

TEST(a_slow_client_loses_the_oldest_rows_and_is_informed)
{
    bench_client c;
    int width, count;
    char *root = bench_folder();
    bench_file(root, "ball.yaml",
               "footfall: 1\nobjects: [{name: ball, sphere: 0.1, mass: 1}]\nsolver: {method: euler, step: 1 ms}\ntime: "
               "1000\n");
    bench_open(&c, root);
    load(&c, "ball.yaml", "");
    bench_do(&c, "\"do\": \"watch\", \"channels\": [\"q\"], \"rate\": 1000");
    bench_forget(&c);
    bench_do(&c, "\"do\": \"step\", \"seconds\": 10");
    const double t = bench_wait_until_paused(&c);
    uint32_t seen = 0, dropped = 0;
    double last = 0.0;
    do {
        bench_next_frame(&c, 0);
        const float *rows = frame_section(&c, 6, &width, &count);
        if (rows) seen += (uint32_t)count;
        if (rows) last = (double)rows[(count - 1) * width];
        CHECK(!rows || count <= 4096);
        dropped += protocol_u32(c.frame + 28);
    } while (frame_time(&c) < t);
    CHECK(dropped > 0);
    CHECK_INT(seen + dropped, 10001); // one every millisecond
    CHECK_NEAR(last, t, 1e-5);        // the newest are there
    bench_close(&c);
}

TEST(a_workbench_is_destroyed_in_the_middle_of_a_run)
{
    bench_client c;
    bench_open(&c, FF_SOURCE_DIR);
    load(&c, TRIPOD, ", \"set\": [\"time=10000\"]");
    bench_do(&c, "\"do\": \"run\", \"pace\": 0");
    bench_next_frame(&c, 0);
    static const char more[] = "{\"do\": \"list\"}";
    for (int i = 0; i < 20; i++) ff_workbench_request(c.bench, 0, more, strlen(more), NULL);
    bench_close(&c);
}

TEST(a_robot_file_alone_stands_or_floats)
{
    bench_client c;
    bench_open(&c, FF_SOURCE_DIR);
    load(&c, "robots/anton/anton.yaml", "");
    char *event = bench_wait_for(&c, -1, "\"event\": \"scene\"", NULL);
    CHECK(strstr(event, "\"kind\": \"robot\""));
    CHECK(strstr(event, "\"shape\":\"plane\""));
    free(event);
    load(&c, "robots/tumbler/tumbler.yaml", "");
    event = bench_wait_for(&c, -1, "\"event\": \"scene\"", "without gravity");
    free(event);
    bench_do(&c, "\"do\": \"step\", \"seconds\": 0.1");
    bench_close(&c);
}

/// Lets the simulation thread wait inside of what it says.
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

static void receive_behind_lock(void *context, int client, char *text, size_t length)
{
    (void)context, (void)client, (void)length;
    pthread_mutex_lock(&door);
    pthread_mutex_unlock(&door);
    free(text);
}

static void receive_nothing(void *context)
{
    (void)context;
}

TEST(a_full_queue_refuses_and_goes_on_later)
{
    const ff_workbench_sink sink = {NULL, receive_behind_lock, receive_nothing};
    ff_error err = {0};
    static const char ask[] = "{\"id\": 1, \"do\": \"list\"}";
    pthread_mutex_lock(&door);
    char *root = bench_folder();
    ff_workbench *b = ff_workbench_create(root, &sink, &err);
    CHECK(b);
    int taken = 0;
    while (ff_workbench_request(b, 0, ask, strlen(ask), &err) == FF_OK) taken++;
    CHECK_INT(err.status, FF_LIMIT);
    CHECK(taken == FF_WORKBENCH_QUEUE || taken == FF_WORKBENCH_QUEUE + 1); // the one that is being answered
    CHECK_INT(ff_workbench_joined(b, 1, &err), FF_OK);
    ff_workbench_left(b, 1);
    CHECK_INT(ff_workbench_request(b, -1, ask, strlen(ask), &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_workbench_request(b, FF_WORKBENCH_CLIENTS, ask, strlen(ask), &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_workbench_request(b, 0, ask, FF_WORKBENCH_REQUEST + 1, &err), FF_LIMIT);
    CHECK_INT(ff_workbench_frame(b, -1, NULL, 0, NULL), 0);
    pthread_mutex_unlock(&door);
    while (ff_workbench_request(b, 0, ask, strlen(ask), &err) != FF_OK) nanosleep(&(struct timespec){0, 1000000}, NULL);
    ff_workbench_destroy(b);
}

TEST(a_flood_of_requests_does_not_stop_the_simulation)
{
    bench_client c;
    char *root = bench_folder();
    static const char ask[] = "{\"do\": \"list\"}";
    bench_file(root, "ball.yaml",
               "footfall: 1\nobjects: [{name: ball, sphere: 0.1, mass: 1}]\nsolver: {method: rk4}\ntime: 1000\n");
    bench_open(&c, root);
    load(&c, "ball.yaml", "");
    bench_do(&c, "\"do\": \"run\", \"pace\": 0");
    CHECK_INT(ff_workbench_joined(c.bench, 1, NULL), FF_OK);
    do { // the queue is kept full
        while (ff_workbench_request(c.bench, 1, ask, strlen(ask), NULL) == FF_OK) continue;
        c.frame_size = ff_workbench_frame(c.bench, 0, c.frame, FF_WORKBENCH_FRAME_MAX, NULL);
    } while (c.frame_size == 0 || frame_time(&c) < CHECK_LASTS(20.0, 5.0));
    bench_close(&c);
}

TEST(a_workbench_needs_a_folder)
{
    const ff_workbench_sink sink = {NULL, receive_behind_lock, receive_nothing};
    ff_error err = {0};
    CHECK(!ff_workbench_create("/nowhere/at/all", &sink, &err));
    CHECK_INT(err.status, FF_NOT_FOUND);
    CHECK(!ff_workbench_create(FF_SOURCE_DIR "/README.md", &sink, &err));
}
