// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the model editor asks of the workbench: outlines, and scenes with a text of the robot that was not saved.
#include "bench_client.h"

#define SCENE "robots/tumbler/tumbler.yaml"
// A robot of one free ball of 7 kg, as JSON holds it.
#define BALL                                                                                                           \
    "footfall: 1\\nname: ball\\nbodies: {ball: {joint: free, inertial: {mass: 7, sphere: 0.1}, shapes: [{sphere: "     \
    "0.1}]}}\\n"

TEST(a_robot_that_was_not_saved_can_be_tried)
{
    bench_client c;
    bench_open(&c, FF_SOURCE_DIR);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"%s\"", SCENE);
    char *saved = bench_wait_for(&c, -1, "\"event\": \"scene\"", NULL);
    CHECK(strstr(saved, "\"name\":\"ball\"") == NULL && strstr(saved, "\"name\": \"ball\"") == NULL);
    free(saved);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"%s\", \"texts\": {\"%s\": \"" BALL "\"}", SCENE, SCENE);
    char *tried = bench_wait_for(&c, -1, "\"event\": \"scene\"", NULL);
    CHECK(strstr(tried, "\"name\":\"ball\"") || strstr(tried, "\"name\": \"ball\""));
    free(tried);
    char *source = bench_ask(&c, "\"do\": \"source\", \"path\": \"%s\"", SCENE); // what is on disk is what it was
    CHECK(strstr(source, "name: ball") == NULL && strstr(source, "\"ok\": true"));
    free(source);
    bench_refused(&c, "outside", "\"do\": \"load\", \"scene\": \"%s\", \"texts\": {\"../x.yaml\": \"a: 1\"}", SCENE);
    bench_close(&c);
}

TEST(an_outline_is_sent_and_a_text_without_one_refused_with_its_place)
{
    bench_client c;
    bench_open(&c, FF_SOURCE_DIR);
    char *answer = bench_ask(&c, "\"do\": \"outline\", \"path\": \"%s\", \"text\": \"" BALL "\"", SCENE);
    CHECK(strstr(answer, "\"unit\": \"kg\"") && strstr(answer, "\"makes\": [\"ball\"]"));
    free(answer);
    bench_refused(&c, "\"line\": 2", "\"do\": \"outline\", \"path\": \"%s\", \"text\": \"a: [1\\n\"", SCENE);
    bench_refused(&c, "not a path inside", "\"do\": \"outline\", \"path\": \"/etc/passwd\", \"text\": \"a: 1\\n\"");
    bench_close(&c);
}
