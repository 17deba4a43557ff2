// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests and files of the workbench: JSON as browsers write it, bad requests, and a project folder that nothing leads
// out of.
#include "bench_client.h"

#include "studio/workbench_inner.h"

// ------------------------------------------------------------------------------------------ JSON

static const char *read_string(const char *json, ff_arena *arena)
{
    ff_report report = {0};
    const ff_yaml *root = ff_bench_read_json(arena, json, strlen(json), &report);
    if (!root || !root->child) CHECK_FAIL("%s: %s", json, report.count ? report.messages[0].text : "nothing");
    ff_report_clear(&report);
    return root->child->text;
}

// What JSON.stringify writes: RFC 8259, with unpaired surrogates as escapes.
TEST(everything_json_stringify_writes_is_read)
{
    static const struct {
        const char *json, *text;
    } cases[] = {
        {"{\"a\":\"\"}", ""},
        {"{\"a\":\"b: {c, [d # e\"}", "b: {c, [d # e"},
        {"{\"a\":\"\\b\\t\\n\\f\\r\\\"\\\\\\/\"}", "\b\t\n\f\r\"\\/"},
        {"{\"a\":\"\\u0001\\u001f\"}", "\x01\x1f"},
        {"{\"a\":\"line\\r\\n  two\\n\\n three \"}", "line\r\n  two\n\n three "},
        {"{\"a\":\"\\u00e4\\u20ac\"}", "\xc3\xa4\xe2\x82\xac"},
        {"{\"a\":\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"}", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"{\"a\":\"\\ud83d\\ude00!\"}", "\xf0\x9f\x98\x80!"},
        {"{\"a\":\"\\ud83d.\\ude00\\uDBFF\"}", "\xef\xbf\xbd.\xef\xbf\xbd\xef\xbf\xbd"},
        {"{\"a\":\"x\xe2\x80\xa8y\xe2\x80\xa9z\"}", "x\xe2\x80\xa8y\xe2\x80\xa9z"}, // U+2028, U+2029 stand as they are
        {"{\"a\":\"x\x7fy\xc2\x85z\xc2\x80\"}", "x\x7fy\xc2\x85z\xc2\x80"},
        {"{\"a\":\"\xef\xbb\xbf\xef\xbf\xbe\"}", "\xef\xbb\xbf\xef\xbf\xbe"}, // U+FEFF, U+FFFE
        {"{\"a\":\"\\\\u2028 \\\\\"}", "\\u2028 \\"},
        {"{\"a\":\"- not\\n- a list\"}", "- not\n- a list"},
        {"{\"a\":\"*no &alias !tag %d @ `\"}", "*no &alias !tag %d @ `"},
        {"{\"a\":-1.5e-7}", "-1.5e-7"},
        {"{\"a\":1e+21}", "1e+21"},
        {"{\"a\":true}", "true"},
        {"{\"a\":null}", "null"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ff_arena arena = {0};
        const char *text = read_string(cases[i].json, &arena);
        if (strcmp(text, cases[i].text) != 0) CHECK_FAIL("%s became '%s'", cases[i].json, text);
        ff_arena_clear(&arena);
    }
}

TEST(long_texts_and_long_lists_are_read)
{
    ff_arena arena = {0};
    enum { LENGTH = 1000000 };
    char *json = malloc(2 * LENGTH + 20), *p = json;
    p += sprintf(p, "{\"a\":\"");
    for (int i = 0; i < LENGTH / 2; i++) p += sprintf(p, i % 50 ? "x" : "\\n"); // lines
    sprintf(p, "\"}");
    CHECK_INT(strlen(read_string(json, &arena)), LENGTH / 2);
    ff_arena_clear(&arena);
    p = json + sprintf(json, "{\"a\":[");
    for (int i = 0; i < 50000; i++) p += sprintf(p, "%s%d", i ? "," : "", i);
    sprintf(p, "]}");
    ff_report report = {0};
    const ff_yaml *root = ff_bench_read_json(&arena, json, strlen(json), &report);
    CHECK(root);
    CHECK_INT(root->child->nchild, 50000);
    ff_arena_clear(&arena);
    free(json);
}

#define TEN  "[[[[[[[[[["
#define DEEP TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN // beyond what YAML may nest

TEST(bad_requests_are_answered)
{
    bench_client c;
    char *root = bench_folder();
    bench_open(&c, root);
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "7",
                                        "\"list\"",
                                        "{\"do\": {}}",
                                        "{\"do\": \"fly\"}",
                                        "{\"do\": null}",
                                        "{\"id\": [1], \"do\": 3}",
                                        "{\"a\": \"\\u0000\"}",
                                        "{\"do\": \"list\", \"do\": \"list\"}",
                                        "\xff\xfe",
                                        "{\"a\": \"\\x\"}",
                                        DEEP};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK_INT(ff_workbench_request(c.bench, 0, texts[i], strlen(texts[i]), NULL), FF_OK);
        free(bench_wait_for(&c, 0, "\"ok\": false", "\"error\": \""));
    }
    static const char zero[] = "{\"do\": \"list\"\0}";
    CHECK_INT(ff_workbench_request(c.bench, 0, zero, sizeof zero, NULL), FF_OK);
    free(bench_wait_for(&c, 0, "\"ok\": false", NULL));
    static const char escaped[] =
        "{\"id\": 4711, \"do\": \"load\", \"scene\": \"a\\u0000.yaml\"}"; // the page gets an answer
    CHECK_INT(ff_workbench_request(c.bench, 0, escaped, strlen(escaped), NULL), FF_OK);
    free(bench_wait_for(&c, 0, "\"id\": 4711", "the character U+0000"));
    bench_refused(&c, "did you mean 'load'?", "\"do\": \"laod\"");
    bench_refused(&c, "'scene' is missing", "\"do\": \"load\"");
    bench_refused(&c, "'scene' must be a text, got a list of 0", "\"do\": \"load\", \"scene\": []");
    bench_refused(&c, "'set' must be a list of texts, got an object",
                  "\"do\": \"load\", \"scene\": \"a.yaml\", \"set\": {}");
    bench_refused(&c, "no scene is loaded", "\"do\": \"run\"");
    bench_refused(&c, "no scene is loaded", "\"do\": \"pause\"");
    bench_refused(&c, "no scene is loaded", "\"do\": \"step\"");
    bench_refused(&c, "no scene is loaded", "\"do\": \"reset\"");
    bench_refused(&c, "no scene is loaded", "\"do\": \"watch\", \"channels\": [\"q\"]");
    bench_file(root, "ball.yaml", "footfall: 1\nobjects: [{name: ball, sphere: 0.1, mass: 1}]\n");
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\"");
    bench_refused(&c, "no channel 'qq'", "\"do\": \"watch\", \"channels\": [\"q\", \"qq\"]");
    bench_refused(&c, "'rate' is 1e+06", "\"do\": \"watch\", \"channels\": [\"q\"], \"rate\": 1e6");
    bench_refused(&c, "'rate' is 0", "\"do\": \"watch\", \"channels\": [\"q\"], \"rate\": 0");
    bench_refused(&c, "'channels' must be a list of texts, got a text", "\"do\": \"watch\", \"channels\": \"q\"");
    bench_refused(&c, "'pace' is 1e+06", "\"do\": \"run\", \"pace\": 1e6");
    bench_refused(&c, "'pace' must be a number, got a number beyond 1e12", "\"do\": \"run\", \"pace\": 1e300");
    bench_refused(&c, "'pace' must be a number, got a text", "\"do\": \"run\", \"pace\": \"fast\"");
    bench_refused(&c, "'seconds' is -1", "\"do\": \"step\", \"seconds\": -1");
    bench_refused(&c, "'seconds' is 1e+09", "\"do\": \"step\", \"seconds\": 1e9");
    char *answer = bench_ask(&c, "\"do\": \"pause\", \"paws\": 4"); // reported, and done
    CHECK(strstr(answer, "\"ok\": true") && strstr(answer, "unknown key 'paws'"));
    free(answer);
    bench_close(&c);
}

// ------------------------------------------------------------------------------------------ files

TEST(nothing_outside_the_project_is_read_or_written)
{
    bench_client c;
    char *outer = bench_folder();
    char root[500], link[600], text[600];
    snprintf(root, sizeof root, "%s/project", outer);
    CHECK_INT(mkdir(root, 0755), 0);
    bench_file(outer, "secret.yaml",
               "footfall: 1\nname: secret\nbodies: {rod: {inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n");
    bench_file(outer, "secret.lua", "function cycle() end\n");
    bench_file(outer, "secret.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    snprintf(link, sizeof link, "%s/link.yaml", root);
    CHECK_INT(symlink("../secret.yaml", link), 0);
    snprintf(link, sizeof link, "%s/away", root);
    CHECK_INT(symlink("..", link), 0);
    bench_open(&c, root);
    static const char *const paths[] = {
        "../secret.yaml",      "/etc/passwd",     "link.yaml", "away/secret.yaml", "..", "",
        "a/../../secret.yaml", "./../secret.yaml"};
    static const char *const verbs[] = {"source", "check", "save", "outline"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        bench_refused(&c, "\"error\": \"", "\"do\": \"load\", \"scene\": \"%s\"", paths[i]);
        for (int k = 0; k < 4; k++)
            bench_refused(&c, "\"error\": \"", "\"do\": \"%s\", \"path\": \"%s\", \"text\": \"footfall: 1\"", verbs[k],
                          paths[i]);
    }
    snprintf(text, sizeof text, "%s/secret.yaml", outer);
    bench_refused(&c, "inside the project folder", "\"do\": \"source\", \"path\": \"%s\"", text);
    // what scenes and robots refer to
    static const char *const scenes[] = {"robot: ../secret.yaml",
                                         "robot: link.yaml",
                                         "robot: away/secret.yaml",
                                         "robot: /etc/passwd",
                                         "objects: [{name: a, mesh: ../secret.obj, mass: 1}]",
                                         "terrain: [{mesh: {file: ../secret.obj}}]"};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        bench_refused(&c, "outside the project folder",
                      "\"do\": \"load\", \"scene\": \"s.yaml\", \"text\": \"footfall: 1\\n%s\\n\"", scenes[i]);
    bench_file(root, "arm.yaml",
               "footfall: 1\nname: arm\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}}, inertial: "
               "{mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n");
    bench_refused(&c, "outside the project folder",
                  "\"do\": \"load\", \"scene\": \"s.yaml\", \"text\": \"footfall: 1\\nrobot: arm.yaml\\ncontrol: {lua: "
                  "../secret.lua}\\n\"");
    bench_file(root, "arm.lua", "function cycle() end\n");
    bench_refused(&c, "not in the studio",
                  "\"do\": \"load\", \"scene\": \"s.yaml\", \"text\": \"footfall: 1\\nrobot: arm.yaml\\ncontrol: {lua: "
                  "arm.lua, allow: [io]}\\n\"");
    bench_do(&c, "\"do\": \"load\", \"scene\": \"s.yaml\", \"text\": \"footfall: 1\\nrobot: arm.yaml\\ncontrol: {lua: "
                 "arm.lua}\\n\"");
    // a list follows no links
    char *answer = bench_ask(&c, "\"do\": \"list\"");
    CHECK(!strstr(answer, "secret") && !strstr(answer, "link.yaml") && !strstr(answer, "away"));
    free(answer);
    // nothing was written out there
    snprintf(link, sizeof link, "%s/secret.yaml", outer);
    FILE *file = fopen(link, "r");
    CHECK(file && fgets(text, sizeof text, file) && fgets(text, sizeof text, file));
    CHECK(strcmp(text, "name: secret\n") == 0);
    fclose(file);
    bench_close(&c);
}

TEST(files_are_saved_whole_listed_and_checked)
{
    bench_client c;
    char *root = bench_folder();
    bench_open(&c, root);
    const char *ball = "footfall: 1\\ntitle: A ball\\nobjects: [{name: ball, sphere: 0.1, mass: 1}]\\nvariants: "
                       "[{name: far, set: {time: 9}}]\\n";
    bench_do(&c, "\"do\": \"save\", \"path\": \"ball.yaml\", \"text\": \"%s\"", ball);
    char *answer = bench_ask(&c, "\"do\": \"source\", \"path\": \"ball.yaml\"");
    CHECK(strstr(answer, "title: A ball\\nobjects"));
    free(answer);
    answer = bench_ask(&c, "\"do\": \"list\"");
    CHECK(strstr(
        answer,
        "\"scenes\": [{\"path\": \"ball.yaml\", \"title\": \"A ball\", \"group\": \"\", \"variants\": [\"far\"]}]"));
    free(answer);
    answer = bench_ask(&c, "\"do\": \"check\", \"path\": \"ball.yaml\", \"text\": \"footfall: 1\\nobjects:\\n  - "
                           "{name: b, sphere: -1, mass: 1}\\n\"");
    CHECK(strstr(answer, "\"ok\": true") &&
          strstr(answer, "\"severity\": \"error\", \"file\": \"ball.yaml\", \"line\": 3"));
    free(answer);
    answer = bench_ask(&c, "\"do\": \"save\", \"path\": \"bad.yaml\", \"text\": \"footfall: 2\\n\"");
    CHECK(strstr(answer, "\"ok\": true") && strstr(answer, "\"severity\": \"error\"")); // saved as it is, and reported
    free(answer);
    answer = bench_ask(&c, "\"do\": \"save\", \"path\": \"a.lua\", \"text\": \"local x = 1\\nif x then\\n\"");
    CHECK(strstr(answer, "\"ok\": true") && strstr(answer, "\"file\": \"a.lua\", \"line\": 3"));
    free(answer);
    answer = bench_ask(&c, "\"do\": \"check\", \"path\": \"a.lua\", \"text\": \"function cycle() end\"");
    CHECK(strstr(answer, "\"messages\": []"));
    free(answer);
    bench_refused(&c, "only .yaml and .lua", "\"do\": \"save\", \"path\": \"run.sh\", \"text\": \"\"");
    bench_refused(&c, "only .yaml and .lua", "\"do\": \"save\", \"path\": \".yaml\", \"text\": \"\"");
    bench_refused(&c, "does not exist", "\"do\": \"save\", \"path\": \"no/folder.yaml\", \"text\": \"\"");
    bench_refused(&c, "'text' is missing", "\"do\": \"save\", \"path\": \"a.yaml\"");
    bench_refused(&c, "No such file", "\"do\": \"source\", \"path\": \"nothing.yaml\"");
    bench_refused(&c, "folder", "\"do\": \"source\", \"path\": \".\"");
    bench_refused(&c, "too many for a page",
                  "\"do\": \"load\", \"scene\": \"many.yaml\", \"text\": \"footfall: 1\\nobjects: "
                  "[{name: a%02000d, sphere: 0.1, mass: 1, count: [50, 30, 1], spacing: [1, 1, 1]}]\\n\"",
                  0); // long names, as many bodies take time
    // a scene that cannot be loaded leaves the one before
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\", \"variant\": \"far\"");
    char *event = bench_wait_for(&c, -1, "\"event\": \"scene\"", "\"variant\": \"far\"");
    CHECK_NEAR(bench_number(event, "time"), 9.0, 0.0);
    free(event);
    bench_refused(&c, "\"file\": \"bad.yaml\"", "\"do\": \"load\", \"scene\": \"bad.yaml\"");
    bench_refused(&c, "no variant 'near'", "\"do\": \"load\", \"scene\": \"ball.yaml\", \"variant\": \"near\"");
    bench_do(&c, "\"do\": \"step\"");
    // one that changes on disk is another after a reset
    bench_do(&c, "\"do\": \"reset\"");
    bench_do(&c, "\"do\": \"save\", \"path\": \"ball.yaml\", \"text\": \"footfall: 1\\nobjects: [{name: ball, box: [1, "
                 "1, 1], mass: 1}]\\nvariants: [{name: far, set: {time: 9}}]\\n\"");
    bench_do(&c, "\"do\": \"reset\"");
    event = bench_wait_for(&c, -1, "\"event\": \"scene\"", "\"shape\":\"box\"");
    free(event);
    bench_close(&c);
}

TEST(lists_leave_out_tests_and_warn_when_they_are_cut)
{
    bench_client c;
    char *root = bench_folder();
    char folder[600], name[40];
    static const char *const folders[] = {"a", "tests", "z"};
    for (int i = 0; i < 3; i++) {
        snprintf(folder, sizeof folder, "%s/%s", root, folders[i]);
        CHECK_INT(mkdir(folder, 0755), 0);
        bench_file(folder, "scene.yaml", "footfall: 1\nobjects: [{name: ball, sphere: 0.1, mass: 1}]\n");
    }
    snprintf(folder, sizeof folder, "%s/a", root);
    for (int i = 0; i < 2100; i++) { // what is none of ours takes no place from scenes behind it
        snprintf(name, sizeof name, "%04d.txt", i);
        bench_file(folder, name, "");
    }
    bench_open(&c, root);
    char *answer = bench_ask(&c, "\"do\": \"list\"");
    CHECK(strstr(answer, "a/scene.yaml") && strstr(answer, "z/scene.yaml") && !strstr(answer, "tests/lab/scene.yaml"));
    CHECK(strstr(answer, "\"messages\": []"));
    free(answer);
    for (int i = 0; i < 2100; i++) {
        snprintf(name, sizeof name, "%04d.lua", i);
        bench_file(folder, name, "");
    }
    answer = bench_ask(&c, "\"do\": \"list\"");
    CHECK(strstr(answer, "0000.lua") && !strstr(answer, "z/scene.yaml") && strstr(answer, "not all are listed"));
    free(answer);
    bench_close(&c);
}

// As `check` reports them: what keeps a scene from beginning at its place, and notes once.
TEST(scenes_that_need_a_program_are_listed_with_the_reason)
{
    bench_client c;
    bench_open(&c, FF_SOURCE_DIR);
    char *answer = bench_ask(&c, "\"do\": \"list\"");
    const char *steer = strstr(answer, "\"examples/steer.yaml\""), *end = steer ? strchr(steer, '}') : NULL;
    const char *needs = steer ? strstr(steer, "\"needs\": \"its controller 'computed torque' is provided by") : NULL;
    CHECK(needs && needs < end);
    const char *walk = strstr(answer, "\"experiments/anton-tripod.yaml\"");
    CHECK(walk && !(strstr(walk, "\"needs\"") && strstr(walk, "\"needs\"") < strchr(walk, '}')));
    free(answer);
    bench_refused(&c, "nobody did", "\"do\": \"load\", \"scene\": \"examples/steer.yaml\"");
    bench_close(&c);
}

TEST(messages_of_scenes_have_their_place_and_come_once)
{
    bench_client c;
    char *root = bench_folder();
    bench_open(&c, root);
    bench_file(root, "arm.yaml",
               "footfall: 1\nname: arm\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}}, inertial: "
               "{mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n");
    bench_refused(&c, "\"line\": 3, \"column\": 21, \"text\": \"a program that uses the library",
                  "\"do\": \"load\", \"scene\": \"s.yaml\", \"text\": \"footfall: 1\\nrobot: arm.yaml\\ncontrol: "
                  "{callback: steer}\\n\"");
    bench_close(&c);
}
