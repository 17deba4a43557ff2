// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Pages take turns: one that asks for much waits for itself, and what a page has asked for ends with it.
#include "bench_client.h"

#include <footfall/text.h>

#define BALL                                                                                                           \
    "footfall: 1\nobjects:\n  - {name: ball, sphere: 0.1, mass: 2, pos: [0, 0, 1]}\nsolver: {method: rk4}\ntime: 10\n"

/// The simulation thread waits in `send` while the test holds the door: what is asked meanwhile lies in the queues.
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

static void receive_behind_lock(void *context, int client, char *text, size_t length)
{
    pthread_mutex_lock(&door);
    pthread_mutex_unlock(&door);
    receive_text(context, client, text, length);
}

static void open_behind_door(bench_client *c, const char *root)
{
    bench_open(c, root);
    ff_workbench_destroy(c->bench);
    bench_forget(c);
    const ff_workbench_sink sink = {c, receive_behind_lock, receive_frame};
    ff_error err = {0};
    c->bench = ff_workbench_create(root, &sink, &err);
    if (!c->bench) CHECK_FAIL("%s", err.text);
    for (int i = 0; i < 2; i++) CHECK_INT(ff_workbench_joined(c->bench, i, &err), FF_OK);
}

static void ask(bench_client *c, int client, const char *request)
{
    ff_error err = {0};
    if (ff_workbench_request(c->bench, client, request, strlen(request), &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

/// Answers to client 1 that were received before the first one to client 0.
static int count_before_ours(bench_client *c)
{
    int count = 0;
    pthread_mutex_lock(&c->lock);
    for (const bench_text *h = c->first; h && !(h->client == 0 && strstr(h->text, "\"id\": ")); h = h->next)
        count += h->client == 1 && strstr(h->text, "\"id\": ");
    pthread_mutex_unlock(&c->lock);
    return count;
}

/// Waits until client 1 has that many answers.
static void wait_for_answers(bench_client *c, int count)
{
    for (int seen = 0, tries = 0; seen < count; tries++) {
        seen = 0;
        pthread_mutex_lock(&c->lock);
        for (const bench_text *h = c->first; h; h = h->next) seen += h->client == 1 && strstr(h->text, "\"id\": ");
        pthread_mutex_unlock(&c->lock);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        if (tries > 120000) CHECK_FAIL("%d answers of %d", seen, count);
    }
}

TEST(a_page_with_one_request_waits_for_one_of_a_page_with_ten)
{
    static const char *const requests[] = {"{\"id\": 1, \"do\": \"load\", \"scene\": \"ball.yaml\"}",
                                           "{\"id\": 1, \"do\": \"check\", \"path\": \"ball.yaml\"}"};
    for (int k = 0; k < 2; k++) {
        bench_client c;
        char *root = bench_folder();
        bench_file(root, "ball.yaml", BALL);
        open_behind_door(&c, root);
        pthread_mutex_lock(&door);
        for (int i = 0; i < 10; i++) ask(&c, 1, requests[k]);
        ask(&c, 0, "{\"id\": 77, \"do\": \"source\", \"path\": \"ball.yaml\"}");
        pthread_mutex_unlock(&door);
        wait_for_answers(&c, 10);
        // two: one that was being carried out when the door closed, one whose turn came before
        CHECK(count_before_ours(&c) <= 2);
        bench_close(&c);
    }
}

TEST(a_page_that_has_filled_its_queue_leaves_room_for_others)
{
    bench_client c;
    char *root = bench_folder();
    bench_file(root, "ball.yaml", BALL);
    open_behind_door(&c, root);
    pthread_mutex_lock(&door);
    static const char list[] = "{\"id\": 1, \"do\": \"list\"}";
    while (ff_workbench_request(c.bench, 1, list, strlen(list), NULL) == FF_OK) continue;
    ask(&c, 0, "{\"id\": 77, \"do\": \"source\", \"path\": \"ball.yaml\"}");
    pthread_mutex_unlock(&door);
    free(bench_wait(&c, 0, "\"id\": 77", NULL, "source"));
    bench_close(&c);
}

// What a page wanted to be written is written all the same: a page that is closed right after Save loses nothing.
TEST(requests_of_a_page_that_has_left_are_dropped_but_for_what_they_write)
{
    bench_client c;
    char *root = bench_folder(), path[600];
    bench_file(root, "ball.yaml", BALL);
    open_behind_door(&c, root);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\"");
    free(bench_wait_for(&c, -1, "\"event\": \"state\"", "\"clients\": 1")); // as the first came
    pthread_mutex_lock(&door);
    ask(&c, 0, "{\"id\": 2, \"do\": \"pause\"}"); // its answer waits at the door
    for (int i = 0; i < 10; i++) ask(&c, 1, "{\"id\": 1, \"do\": \"step\"}");
    ask(&c, 1, "{\"id\": 1, \"do\": \"save\", \"path\": \"new.yaml\", \"text\": \"footfall: 1\"}");
    ff_workbench_left(c.bench, 1);
    pthread_mutex_unlock(&door);
    char *state = bench_wait_for(&c, -1, "\"event\": \"state\"", "\"clients\": 1");
    CHECK_BELOW(bench_number(state, "t"), 1.5e-3); // [s] one step of 1 ms may have been made before the page left
    free(state);
    snprintf(path, sizeof path, "%s/new.yaml", root);
    char *text = NULL;
    size_t length = 0;
    CHECK_INT(ff_text_read(path, 100, &text, &length, NULL), FF_OK);
    CHECK_TEXT(text, "footfall: 1");
    free(text);
    bench_close(&c);
}

#define LOOP                                                                                                           \
    "footfall: 1\nrobot: arm.yaml\ncontrol: {lua: loop.lua, limits: {instructions: 1e12, memory: 4e9}}\ntime: 1\n"

// 1e12 instructions take hours. All the others would time out if the script had what the scene allows it.
TEST(a_script_without_end_is_refused_and_others_get_their_answers)
{
    bench_client c;
    char *root = bench_folder(), *answer;
    bench_file(root, "arm.yaml",
               "footfall: 1\nname: arm\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}},\n"
               "  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n");
    bench_file(root, "loop.yaml", LOOP);
    bench_file(root, "loop.lua", "while true do end\n");
    bench_open(&c, root);
    CHECK_INT(ff_workbench_joined(c.bench, 1, NULL), FF_OK);
    ask(&c, 1, "{\"id\": 5, \"do\": \"load\", \"scene\": \"loop.yaml\"}");
    free(bench_ask(&c, "\"do\": \"pause\""));
    answer = bench_wait(&c, 1, "\"id\": 5", NULL, "load");
    CHECK_SAYS(answer, "s of processor time in one call");
    free(answer);
    ask(&c, 1, "{\"id\": 6, \"do\": \"check\", \"path\": \"loop.yaml\"}");
    answer = bench_wait(&c, 1, "\"id\": 6", NULL, "check");
    CHECK_SAYS(answer, "s of processor time in one call");
    free(answer);
    ask(&c, 1, "{\"id\": 7, \"do\": \"check\", \"path\": \"loop.yaml\"}");
    ff_workbench_left(c.bench, 1);
    bench_close(&c); // waits for the thread that reads
}

/// A scene of many spheres and a thousand variants, to check which takes many minutes.
static void write_long_scene(const char *root)
{
    enum { SPHERES = 3000, VARIANTS = 1000 };
    const size_t size = (size_t)SPHERES * 80 + (size_t)VARIANTS * 60 + 200;
    char *text = malloc(size);
    size_t n = (size_t)snprintf(text, size, "footfall: 1\ntime: 1\nvariants:\n");
    for (int i = 0; i < VARIANTS; i++)
        n += (size_t)snprintf(text + n, size - n, "  - {name: v%d, time: %d}\n", i, i + 1);
    n += (size_t)snprintf(text + n, size - n, "objects:\n");
    for (int i = 0; i < SPHERES; i++)
        n += (size_t)snprintf(text + n, size - n, "  - {name: s%d, sphere: 0.1, mass: 1, pos: [%d, 0, 1]}\n", i, i);
    bench_file(root, "long.yaml", text);
    free(text);
}

// The one who comes next waits for the end of what the one before it asked for; and so does the end of the workbench.
// Both would time out if the check went on.
TEST(a_check_under_way_ends_with_its_page)
{
    static const char check[] = "{\"id\": 1, \"do\": \"check\", \"path\": \"long.yaml\"}";
    bench_client c;
    char *root = bench_folder();
    write_long_scene(root);
    bench_file(root, "ball.yaml", BALL);
    bench_open(&c, root);
    CHECK_INT(ff_workbench_joined(c.bench, 1, NULL), FF_OK);
    ask(&c, 1, check);
    bench_do(&c, "\"do\": \"source\", \"path\": \"ball.yaml\""); // others go on meanwhile
    ff_workbench_left(c.bench, 1);
    CHECK_INT(ff_workbench_joined(c.bench, 1, NULL), FF_OK);
    ask(&c, 1, "{\"id\": 5, \"do\": \"source\", \"path\": \"ball.yaml\"}");
    free(bench_wait(&c, 1, "\"id\": 5", NULL, "source"));
    ask(&c, 1, check);
    bench_close(&c);
}

// Each of these checks takes many minutes.
TEST(a_list_does_not_wait_for_the_checks_of_other_pages)
{
    bench_client c;
    char *root = bench_folder();
    write_long_scene(root);
    bench_open(&c, root);
    for (int i = 1; i <= 5; i++) {
        CHECK_INT(ff_workbench_joined(c.bench, i, NULL), FF_OK);
        ask(&c, i, "{\"id\": 1, \"do\": \"check\", \"path\": \"long.yaml\"}");
    }
    free(bench_ask(&c, "\"do\": \"list\""));
    bench_close(&c);
}
