// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Hands in a simulation that runs: pushes, pulls, moved robots, commands, scripts and their parameters, pictures, and
// runs that are kept.
#include "bench_client.h"
#include "studio/recording.h"

#include <footfall/studio.h>
#include <footfall/text.h>

#include <math.h>

#define BALL                                                                                                           \
    "footfall: 1\nobjects:\n  - {name: ball, sphere: 0.1, mass: 2, pos: [0, 0, 1]}\ngravity: [0, 0, 0]\n"              \
    "solver: {method: rk4, step: 1 ms}\ntime: 10\n"

/// Steps and waits for the frame that shows it.
static void step(bench_client *c, double seconds)
{
    bench_forget(c);
    bench_do(c, "\"do\": \"step\", \"seconds\": %g", seconds);
    const double t = bench_wait_until_paused(c);
    do bench_next_frame(c, 0);
    while (frame_time(c) < t);
}

// A force of 6 N for 0.5 s brings 2 kg to 1.5 m/s; the push ends with a step, 1 ms.
TEST(a_push_gives_its_impulse_and_is_shown_sent_and_recorded)
{
    bench_client c;
    int width, count;
    char *root = bench_folder();
    bench_file(root, "ball.yaml", BALL);
    bench_open(&c, root);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\"");
    bench_do(&c, "\"do\": \"watch\", \"channels\": [\"v\", \"push.force.x\"], \"rate\": 1000");
    bench_do(&c, "\"do\": \"push\", \"body\": 0, \"point\": [0, 0, 0], \"force\": [6, 0, 0], \"seconds\": 0.5");
    free(bench_wait_for(&c, -1, "\"event\": \"pushed\"", NULL));
    step(&c, 0.1);
    const float *row = frame_section(&c, 4, &width, &count);
    CHECK(row);
    CHECK_INT(count, 1);
    CHECK_NEAR(row[4], 6.0, 0.0);
    step(&c, 0.9);
    CHECK(!frame_section(&c, 4, &width, &count));
    const float *rows = frame_section(&c, 6, &width, &count);
    CHECK(rows && count > 0);
    CHECK_INT(width, 1 + 6 + 1);
    CHECK_NEAR(rows[(count - 1) * width + 1], 1.5,
               6.0 / 2.0 * 1e-3 + 1e-6); // [m/s] one step of 1 ms, and 32-bit floats
    CHECK_NEAR(rows[(count - 1) * width + 7], 0.0, 0.0);
    bench_close(&c);
}

TEST(a_pull_brings_the_body_to_the_pointer_and_ends_with_its_page)
{
    bench_client c;
    int width, count;
    char *root = bench_folder();
    bench_file(root, "ball.yaml", BALL);
    bench_open(&c, root);
    CHECK_INT(ff_workbench_joined(c.bench, 1, NULL), FF_OK);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\"");
    bench_do(&c, "\"do\": \"pull\", \"body\": 0, \"point\": [0, 0, 0], \"target\": [0.3, 0, 1.2]");
    step(&c, 2.0);
    const float *q = frame_section(&c, 1, &width, &count);
    CHECK(q);
    CHECK_NEAR(q[0], 0.3, 1e-3); // [m] 12 rad/s, damped: e^(-0.7 * 12 * 2)
    CHECK_NEAR(q[2], 1.2, 1e-3);
    bench_do(&c, "\"do\": \"pull\", \"body\": 0, \"point\": [0, 0, 0], \"target\": null");
    step(&c, 0.1);
    CHECK(!frame_section(&c, 4, &width, &count));
    static const char pull[] = "{\"do\": \"pull\", \"body\": 0, \"point\": [0, 0, 0], \"target\": [1, 0, 1]}";
    CHECK_INT(ff_workbench_request(c.bench, 1, pull, strlen(pull), NULL), FF_OK);
    free(bench_wait_for(&c, 1, "\"ok\": true", NULL));
    step(&c, 0.1);
    CHECK(frame_section(&c, 4, &width, &count));
    ff_workbench_left(c.bench, 1);
    step(&c, 0.1);
    CHECK(!frame_section(&c, 4, &width, &count));
    bench_close(&c);
}

TEST(bad_hands_are_refused_with_a_reason)
{
    bench_client c;
    char *root = bench_folder();
    bench_file(root, "ball.yaml", BALL);
    bench_open(&c, root);
    bench_refused(&c, "no scene is loaded", "\"do\": \"push\", \"body\": 0, \"point\": [0,0,0], \"force\": [1,0,0]");
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\"");
    const char *push = "\"do\": \"push\", \"body\": %s, \"point\": %s, \"force\": %s, \"seconds\": %s";
    bench_refused(&c, "no body 7", push, "7", "[0,0,0]", "[1,0,0]", "1");
    bench_refused(&c, "no body -1", push, "-1", "[0,0,0]", "[1,0,0]", "1");
    bench_refused(&c, "'point' must be a list of 3 numbers, got a list of 2", push, "0", "[0,0]", "[1,0,0]", "1");
    bench_refused(&c, "'force[0]' must be a number, got a number beyond 1e12", push, "0", "[0,0,0]", "[1e300,0,0]",
                  "1");
    bench_refused(&c, "1e6 N at most", push, "0", "[0,0,0]", "[1e7,0,0]", "1");
    bench_refused(&c, "'force[0]' must be a number, got a text", push, "0", "[0,0,0]", "[\"NaN\",0,0]", "1");
    bench_refused(&c, "a push of -1 s", push, "0", "[0,0,0]", "[1,0,0]", "-1");
    bench_refused(&c, "a push of 1000 s", push, "0", "[0,0,0]", "[1,0,0]", "1000");
    bench_refused(&c, "'body' is missing", "\"do\": \"push\", \"point\": [0,0,0], \"force\": [1,0,0]");
    bench_refused(&c, "'body' must be a whole number, got an object",
                  "\"do\": \"push\", \"body\": {}, \"point\": [0,0,0], \"force\": [1,0,0]");
    for (int i = 0; i < 8; i++) bench_do(&c, push, "0", "[0,0,0]", "[1,0,0]", "1");
    bench_refused(&c, "act already", push, "0", "[0,0,0]", "[1,0,0]", "1");
    bench_refused(&c, "has 0", "\"do\": \"place\", \"robot\": \"dog\", \"position\": [0,0,1]");
    bench_refused(&c, "has 0", "\"do\": \"command\", \"robot\": 0, \"command\": {\"speed\": 1}");
    bench_refused(&c, "has 0", "\"do\": \"script\", \"robot\": 0, \"text\": \"\"");
    bench_refused(&c, "has 0", "\"do\": \"parameter\", \"robot\": 0, \"name\": \"x\", \"value\": 1");
    bench_refused(&c, "no active camera 'eye'", "\"do\": \"camera\", \"sensor\": \"eye\"");
    bench_do(&c, "\"do\": \"camera\", \"sensor\": null");
    bench_close(&c);
}

TEST(a_robot_is_put_elsewhere_while_nothing_runs)
{
    bench_client c;
    int width, count;
    bench_open(&c, FF_SOURCE_DIR);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"experiments/anton-tripod.yaml\"");
    bench_next_frame(&c, 0);
    const float *q = frame_section(&c, 1, &width, &count);
    CHECK(q);
    const double height = q[2];
    bench_do(&c, "\"do\": \"place\", \"robot\": \"robot\", \"position\": [1, 2, %.9g], \"yaw\": 1", height);
    bench_do(&c, "\"do\": \"place\", \"robot\": 0, \"joint\": \"FL_femur\", \"value\": 0.25");
    do {
        bench_next_frame(&c, 0);
        q = frame_section(&c, 1, &width, &count);
    } while (q[0] != 1.0F || fabs(q[3] - cos(0.5)) > 1e-2);
    CHECK_NEAR(q[1], 2.0, 0.0);
    CHECK_NEAR(2.0 * atan2(q[6], q[3]), 1.0, 1e-5); // heading [rad]
    bench_refused(&c, "stops are at", "\"do\": \"place\", \"joint\": \"FL_femur\", \"value\": 9");
    bench_refused(&c, "no joint 'FL_knee'", "\"do\": \"place\", \"joint\": \"FL_knee\", \"value\": 0");
    bench_refused(&c, "expected 'position'", "\"do\": \"place\", \"robot\": 0");
    bench_refused(&c, "no place", "\"do\": \"place\", \"position\": [1e9, 0, 0]");
    bench_do(&c, "\"do\": \"step\", \"seconds\": 0.1");
    bench_do(&c, "\"do\": \"run\"");
    bench_refused(&c, "pause", "\"do\": \"place\", \"robot\": 0, \"yaw\": 0");
    bench_close(&c);
}

TEST(a_robot_that_is_pushed_over_has_fallen)
{
    bench_client c;
    bench_open(&c, FF_SOURCE_DIR);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"experiments/anton-march.yaml\"");
    for (int i = 0; i < 5; i++) // half a second of five times its weight, sideways and up
        bench_do(&c, "\"do\": \"push\", \"body\": 0, \"point\": [0, 0, 0.2], \"force\": [0, 60, 20], \"seconds\": 0.5");
    bench_do(&c, "\"do\": \"step\", \"seconds\": 3");
    free(bench_wait_for(&c, -1, "\"event\": \"notice\"", "has fallen"));
    bench_close(&c);
}

TEST(commands_reach_the_controller_and_wrong_ones_do_not)
{
    bench_client c;
    bench_open(&c, FF_SOURCE_DIR);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"experiments/anton-tripod.yaml\"");
    char *event = bench_wait_for(&c, -1, "\"event\": \"scene\"", NULL);
    CHECK(strstr(event, "\"commands\": [{\"key\": \"gait\""));
    CHECK(strstr(event, "\"choices\": [\"wave\", \"gallop\", \"tripod\"]"));
    free(event);
    bench_do(&c,
             "\"do\": \"command\", \"robot\": 0, \"command\": {\"gait\": \"wave\", \"speed\": 0.03, \"roll\": 0.1}");
    bench_do(&c, "\"do\": \"command\", \"robot\": 0, \"command\": {\"walk\": \"false\"}");
    bench_refused(&c, "gait", "\"do\": \"command\", \"robot\": 0, \"command\": {\"gait\": \"moonwalk\"}");
    bench_refused(&c, "unknown key 'sped'", "\"do\": \"command\", \"robot\": 0, \"command\": {\"sped\": 1}");
    bench_refused(&c, "between", "\"do\": \"command\", \"robot\": 0, \"command\": {\"roll\": 99}");
    bench_refused(&c, "'command' must be an object of values, got a number",
                  "\"do\": \"command\", \"robot\": 0, \"command\": 7");
    bench_refused(&c, "'command' is missing", "\"do\": \"command\", \"robot\": 0");
    bench_refused(&c, "no 'at'", "\"do\": \"command\", \"robot\": 0, \"command\": {\"at\": 3, \"speed\": 0.1}");
    bench_close(&c);
}

/// Value of a member of one command in an event.
static double sent_value(const char *event, const char *key, const char *member)
{
    char word[60];
    snprintf(word, sizeof word, "\"key\": \"%s\"", key);
    const char *at = strstr(event, word);
    if (!at) CHECK_FAIL("no '%s' in %s", key, event);
    return bench_number(at, member);
}

// One page sends a command, the other gets the event; it has the values of the controller.
TEST(commands_of_one_page_reach_all)
{
    bench_client c;
    ff_error err = {0};
    bench_open(&c, FF_SOURCE_DIR);
    CHECK_INT(ff_workbench_joined(c.bench, 1, &err), FF_OK);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"experiments/anton-tripod.yaml\", \"set\": [\"control.commands=[{at: "
                 "0.2, direction: 0.3}]\"]");
    char *event = bench_wait_for(&c, -1, "\"event\": \"control\"", NULL);
    const double tripod = sent_value(event, "speed", "high"), height = sent_value(event, "height", "high");
    free(event);
    // V = V_tr tau / (2 - tau): 1/3 of the transfer in tripod, tau 1/2; 1/11 in wave, tau 1/6. The same legs swing
    // alike
    bench_do(&c, "\"do\": \"command\", \"command\": {\"gait\": \"wave\"}");
    event = bench_wait_for(&c, -1, "\"event\": \"control\"", "\"value\": \"wave\"");
    CHECK_NEAR(sent_value(event, "speed", "high"), tripod * 3.0 / 11.0, 0.01 * tripod); // three digits are sent
    free(event);
    bench_do(&c, "\"do\": \"command\", \"command\": {\"speed\": 0.04, \"height\": 0.1}");
    event = bench_wait_for(&c, -1, "\"event\": \"control\"", NULL);
    CHECK_NEAR(sent_value(event, "speed", "value"), 0.04, 0.0);
    CHECK_NEAR(sent_value(event, "height", "value"), 0.1, 0.0);
    CHECK_NEAR(sent_value(event, "height", "high"), height, 0.0); // does not run away
    free(event);
    bench_do(&c, "\"do\": \"step\", \"seconds\": 0.6"); // a command of the scene itself
    event = bench_wait_for(&c, -1, "\"event\": \"control\"", NULL);
    CHECK_NEAR(sent_value(event, "direction", "value"), 0.3, 0.0);
    free(event);
    bench_wait_until_paused(&c);
    bench_do(&c, "\"do\": \"reset\"");
    event = bench_wait_for(&c, -1, "\"event\": \"control\"", NULL);
    CHECK_NEAR(sent_value(event, "direction", "value"), 0.0, 0.0);
    CHECK_NEAR(sent_value(event, "speed", "value"), 0.1, 0.0);
    CHECK(strstr(event, "\"value\": \"tripod\""));
    free(event);
    bench_close(&c);
}

TEST(a_script_is_changed_while_it_runs_and_a_broken_one_leaves_the_old)
{
    bench_client c;
    char *root = bench_folder();
    bench_file(root, "arm.yaml",
               "footfall: 1\nname: arm\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal,\n"
               "  loop: {kind: pd, kp: 100, kd: 20, rate: 1000}}}, inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, "
               "1]}}}\n");
    bench_file(root, "arm.lua",
               "parameters = {goal = {0.5, low = 0, high = 1, unit = \"rad\"}}\nmemory = {n = 0}\n"
               "function cycle(t, s, r) memory.n = memory.n + 1; r[\"hinge.position\"] = parameters.goal end\n");
    bench_file(root, "scene.yaml",
               "footfall: 1\nrobot: arm.yaml\ngravity: [0, 0, 0]\ncontrol: {lua: arm.lua, period: 10 ms}\ntime: 10\n");
    bench_open(&c, root);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"scene.yaml\"");
    char *event = bench_wait_for(&c, -1, "\"event\": \"scene\"", NULL);
    CHECK(strstr(event, "{\"name\": \"goal\", \"unit\": \"rad\", \"low\": 0, \"high\": 1, \"value\": 0.5}"));
    free(event);
    bench_do(&c, "\"do\": \"watch\", \"channels\": [\"control.n\"], \"rate\": 100");
    step(&c, 0.5);
    bench_do(&c, "\"do\": \"parameter\", \"robot\": 0, \"name\": \"goal\", \"value\": 0.75");
    bench_refused(&c, "between 0 and 1", "\"do\": \"parameter\", \"robot\": 0, \"name\": \"goal\", \"value\": 2");
    bench_refused(&c, "no parameter 'gaol'", "\"do\": \"parameter\", \"robot\": 0, \"name\": \"gaol\", \"value\": 0");
    bench_refused(&c, "'value' must be a number, got null",
                  "\"do\": \"parameter\", \"robot\": 0, \"name\": \"goal\", \"value\": null");
    // broken: the line is reported, the old one goes on
    bench_refused(&c, "\"line\": 3",
                  "\"do\": \"script\", \"robot\": 0, \"text\": \"-- a\\n-- b\\nfunction cycle(+)\\n\"");
    bench_refused(&c, "\"line\": 1", "\"do\": \"script\", \"robot\": 0, \"text\": \"local x = nil + 1\"");
    bench_refused(&c, "no function cycle", "\"do\": \"script\", \"robot\": 0, \"text\": \"\"");
    char *answer =
        bench_ask(&c, "\"do\": \"script\", \"robot\": 0, \"text\": \"%s\"",
                  "parameters = {goal = {0.5, low = 0, high = 1}, more = 3}\\nmemory = {n = 0, m = 7}\\n"
                  "function cycle(t, s, r) memory.n = memory.n + 1000; r['hinge.position'] = parameters.goal end");
    CHECK(strstr(answer, "\"ok\": true"));
    CHECK(strstr(answer, "\"name\": \"goal\"") && strstr(answer, "\"value\": 0.75")); // it was moved by hand: it stays
    free(answer);
    int width, count;
    step(&c, 0.105);
    const float *rows = frame_section(&c, 6, &width, &count);
    CHECK(rows && count > 0);
    const double n = rows[(count - 1) * width + 1];
    CHECK(n > 10000.0 && fmod(n, 1000.0) >= 40.0); // fifty cycles of the old, then ten of the new, by thousands
    // a reset begins with the new text
    bench_forget(&c);
    bench_do(&c, "\"do\": \"reset\"");
    event = bench_wait_for(&c, -1, "\"event\": \"scene\"", "control.m");
    CHECK(strstr(event, "memory.n + 1000"));
    free(event);
    // at run time
    bench_do(&c, "\"do\": \"script\", \"robot\": 0, \"text\": \"%s\"",
             "print('hello')\\nfunction cycle(t, s, r)\\n if t > 0.05 then error('stop it') end\\nend");
    bench_do(&c, "\"do\": \"step\", \"seconds\": 0.2");
    char *notice = bench_wait_for(&c, -1, "\"event\": \"notice\"", "stop it");
    CHECK_NEAR(bench_number(notice, "line"), 3.0, 0.0);
    CHECK(strstr(notice, "\"file\": \"arm.lua\""));
    free(notice);
    free(bench_wait_for(&c, -1, "\"event\": \"notice\"", "hello"));
    bench_close(&c);
}

TEST(a_run_is_kept_listed_and_has_a_report)
{
    bench_client c;
    ff_error err = {0};
    char path[600];
    char *root = bench_folder();
    bench_file(root, "ball.yaml", BALL);
    bench_open(&c, root);
    bench_refused(&c, "no scene is loaded", "\"do\": \"keep\", \"name\": \"x\"");
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\"");
    bench_refused(&c, "nothing has been simulated", "\"do\": \"keep\", \"name\": \"x\"");
    bench_do(&c, "\"do\": \"push\", \"body\": 0, \"point\": [0, 0, 0], \"force\": [6, 0, 0], \"seconds\": 0.5");
    step(&c, 1.0);
    bench_refused(&c, "is not a valid name of a run", "\"do\": \"keep\", \"name\": \"../x\"");
    bench_refused(&c, "is not a valid name of a run", "\"do\": \"keep\", \"name\": \".x\"");
    bench_refused(&c, "is not a valid name of a run", "\"do\": \"keep\", \"name\": \"a/b\"");
    bench_do(&c, "\"do\": \"keep\", \"name\": \"first try\"");
    bench_refused(&c, "exists already", "\"do\": \"keep\", \"name\": \"first try\"");
    char *answer = bench_ask(&c, "\"do\": \"list\"");
    CHECK(strstr(answer, "\"name\": \"first try\""));
    free(answer);
    snprintf(path, sizeof path, "%s/out/first try", root);
    ff_recording *run = ff_recording_open(path, &err);
    CHECK(run);
    const int channel = ff_recording_find(run, "push.force.x");
    double force = 0.0;
    CHECK(channel >= 0);
    CHECK_INT(ff_recording_read(run, channel, 10, 1, 1, &force, &err), FF_OK);
    CHECK_NEAR(force, 6.0, 0.0);
    CHECK_INT(ff_recording_rows(run), 101); // 100 a second
    CHECK_SAYS(ff_recording_events(run), "'ball' is pushed with 6 N for 0.5 s");
    CHECK_SAYS(ff_recording_events(run), "\"force\": [6, 0, 0]");
    ff_recording_close(run);
    const int page = ff_workbench_open_run(c.bench, "first try", "report.html");
    CHECK((page >= 0) == ff_studio_has_pages());
    if (page >= 0) close(page);
    CHECK_INT(ff_workbench_open_run(c.bench, "..", "ball.yaml"), -1);
    CHECK_INT(ff_workbench_open_run(c.bench, "first try", "../../ball.yaml"), -1);
    bench_close(&c);
}

static double kept_metric(const char *root, const char *name, const char *metric)
{
    static char text[65536];
    char path[600];
    snprintf(path, sizeof path, "%s/out/%s/summary.json", root, name);
    FILE *file = fopen(path, "r");
    CHECK(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return bench_number(text, metric);
}

// A run that is saved in its middle has the same numbers at its end as one that is not.
TEST(keeping_a_run_changes_nothing_in_it)
{
    bench_client c;
    char *root = bench_folder();
    bench_file(root, "ball.yaml", BALL);
    bench_open(&c, root);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\"");
    bench_do(&c, "\"do\": \"push\", \"body\": 0, \"point\": [0, 0, 0], \"force\": [6, 0, 0], \"seconds\": 0.5");
    step(&c, 0.3);
    bench_do(&c, "\"do\": \"keep\", \"name\": \"a\"");
    bench_do(&c, "\"do\": \"keep\", \"name\": \"b\"");
    CHECK(kept_metric(root, "a", "energy.mse") > 0.0);
    CHECK_NEAR(kept_metric(root, "b", "energy.mse"), kept_metric(root, "a", "energy.mse"), 0.0);
    bench_close(&c);
}

static void post(const bench_client *c, const char *text)
{
    ff_error err = {0};
    if (ff_workbench_request(c->bench, 0, text, strlen(text), &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

// A run is written while the simulation goes on, is reset and is replaced by another scene; it contains what there was
// at the request.
TEST(a_run_is_written_beside_the_simulation)
{
    bench_client c;
    ff_error err = {0};
    char path[600];
    char *root = bench_folder();
    bench_file(root, "ball.yaml", BALL);
    bench_file(root, "other.yaml", BALL);
    bench_open(&c, root);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\"");
    free(bench_wait_for(&c, -1, "\"event\": \"state\"",
                        "\"generation\": 1,")); // or it would be taken for that of the step
    step(&c, 5.0);
    post(&c, "{\"id\": 1000, \"do\": \"keep\", \"name\": \"a\"}");
    post(&c, "{\"id\": 1001, \"do\": \"keep\", \"name\": \"b\"}");
    post(&c, "{\"id\": 1002, \"do\": \"run\", \"pace\": 0}");
    post(&c, "{\"id\": 1003, \"do\": \"reset\"}");
    post(&c, "{\"id\": 1004, \"do\": \"load\", \"scene\": \"other.yaml\"}");
    char *second = bench_wait_for(&c, 0, "{\"id\": 1001,", NULL);
    if (!strstr(second, "\"ok\": true") && !strstr(second, "out/a is being written")) CHECK_FAIL("%s", second);
    free(second);
    char *first = bench_wait_for(&c, 0, "{\"id\": 1000,", NULL);
    CHECK(strstr(first, "\"ok\": true"));
    CHECK_NEAR(bench_number(first, "time"), 5.0, 1e-9);
    free(first);
    snprintf(path, sizeof path, "%s/out/a", root);
    ff_recording *run = ff_recording_open(path, &err);
    if (!run) CHECK_FAIL("%s", err.text);
    CHECK_INT(ff_recording_rows(run), 501);
    CHECK_TEXT(ff_recording_scene_path(run), "ball.yaml");
    ff_recording_close(run);
    free(bench_wait_for(&c, 0, "{\"id\": 1004,", NULL));
    free(bench_wait_for(&c, -1, "\"event\": \"state\"", "\"generation\": 2,"));
    // a studio that ends waits for the file to be whole
    step(&c, 1.0);
    post(&c, "{\"id\": 1005, \"do\": \"keep\", \"name\": \"last\"}");
    bench_close(&c);
    snprintf(path, sizeof path, "%s/out/last", root);
    run = ff_recording_open(path, &err);
    if (run) CHECK_INT(ff_recording_rows(run), 101); // else it was never begun
    struct stat info;
    CHECK(run != NULL || stat(path, &info) != 0);
    ff_recording_close(run);
}

// Ends of steps add up to other digits than the times that are asked for: 0.1 + 0.2 is not 0.3. None may be one step
// too long.
TEST(a_step_of_some_seconds_ends_at_its_time)
{
    bench_client c;
    char *root = bench_folder();
    bench_file(root, "ball.yaml", BALL);
    bench_file(root, "odd.yaml",
               "footfall: 1\nobjects:\n  - {name: ball, sphere: 0.1, mass: 2, pos: [0, 0, 1]}\ngravity: [0, 0, 0]\n"
               "solver: {method: rk4, step: 4 ms}\ntime: 10\n");
    bench_open(&c, root);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\"");
    free(bench_wait_for(&c, -1, "\"event\": \"state\"", "\"generation\": 1,"));
    static const double strides[] = {0.1, 0.2, 0.7, 0.03, 0.001, 0.019, 0.3};
    double sum = 0.0;
    for (int i = 0; i < 7; i++) {
        step(&c, strides[i]);
        CHECK_NEAR(frame_time(&c), sum += strides[i], 1e-9); // steps of 1 ms
    }
    // Steps of 4 ms, each cut at the samples of the recording, 10 ms: 4, 8, 10, 14, ..
    bench_do(&c, "\"do\": \"load\", \"scene\": \"odd.yaml\"");
    free(bench_wait_for(&c, -1, "\"event\": \"state\"", "\"generation\": 2,"));
    step(&c, 0.03);
    CHECK_NEAR(frame_time(&c), 0.03, 1e-9);
    bench_do(&c, "\"do\": \"step\", \"seconds\": 0.005");
    free(bench_wait_for(&c, -1, "\"event\": \"notice\"",
                        "Paused at 0.038 s, where the first step at or beyond 0.035 s ends"));
    bench_close(&c);
}

#define WALKER                                                                                                         \
    "footfall: 1\nrobot: anton.yaml\nstart: {pose: stand}\nplace: {settle: true}\n"                                    \
    "terrain: [{plane: {material: lab-floor}}]\nsolver: {method: euler, step: 1e-3}\n"                                 \
    "control: {gait: tripod, speed: 0.1}\ntime: 2\n"

static void copy_robot(const char *root)
{
    char *text = NULL;
    size_t length = 0;
    ff_error err = {0};
    if (ff_text_read(FF_SOURCE_DIR "/robots/anton/anton.yaml", (size_t)1 << 20, &text, &length, &err) != FF_OK)
        CHECK_FAIL("%s", err.text);
    bench_file(root, "anton.yaml", text);
    free(text);
}

// The same for a robot that walks, whose steps are certain only some time later: saved between two of them.
TEST(keeping_a_walk_changes_nothing_in_it)
{
    static const char *const metrics[] = {"walk.margin.min", "walk.margin.mean", "walk.support.mean", "walk.bob.rms",
                                          "walk.duty",       "walk.time",        "walk.speed.mean",   "walk.FL.steps"};
    double got[2][8];
    for (int saved = 0; saved < 2; saved++) {
        bench_client c;
        char *root = bench_folder();
        bench_file(root, "walk.yaml", WALKER);
        copy_robot(root);
        bench_open(&c, root);
        bench_do(&c, "\"do\": \"load\", \"scene\": \"walk.yaml\"");
        free(bench_wait_for(&c, -1, "\"event\": \"state\"", "\"generation\": 1,"));
        for (int i = 1; i <= CHECK_LASTS(40, 28); i++) {
            step(&c, 0.05);
            if (saved && i % 8 == 3) bench_do(&c, "\"do\": \"keep\", \"name\": \"part %d\"", i);
        }
        bench_do(&c, "\"do\": \"keep\", \"name\": \"whole\"");
        for (int k = 0; k < 8; k++) got[saved][k] = kept_metric(root, "whole", metrics[k]);
        bench_close(&c);
    }
    for (int k = 0; k < 8; k++)
        if (got[0][k] != got[1][k]) CHECK_FAIL("%s: %.17g, but %.17g after saves", metrics[k], got[0][k], got[1][k]);
}

TEST(pictures_of_a_camera_come_to_those_who_look)
{
    bench_client c;
    bench_open(&c, FF_SOURCE_DIR);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"experiments/sensor-camera.yaml\"");
    bench_do(&c, "\"do\": \"camera\", \"sensor\": \"film\"");
    bench_do(&c, "\"do\": \"step\", \"seconds\": 0.05");
    bool seen = false;
    for (int i = 0; i < 100 && !seen; i++) {
        bench_next_frame(&c, 0);
        seen = memcmp(c.frame, "FFIM", 4) == 0;
        if (!seen) bench_do(&c, "\"do\": \"step\"");
    }
    CHECK(seen);
    CHECK_INT(c.frame[12] | c.frame[13] << 8, 320);
    CHECK_INT(c.frame_size, 24 + 3 * 320 * 240);
    bench_refused(&c, "no active camera 'fim'", "\"do\": \"camera\", \"sensor\": \"fim\"");
    bench_close(&c);
}

/// Asks for a certificate without waiting for it; the answer has the id 900.
static void ask_certificate(bench_client *c)
{
    static const char text[] = "{\"id\": 900, \"do\": \"certify\"}";
    ff_error err = {0};
    CHECK_INT(ff_workbench_request(c->bench, 0, text, strlen(text), &err), FF_OK);
}

/// Is there a text with these words among those that nobody has waited for?
static bool has_said(bench_client *c, const char *words)
{
    bool said = false;
    pthread_mutex_lock(&c->lock);
    for (const bench_text *h = c->first; h; h = h->next) said = said || strstr(h->text, words);
    pthread_mutex_unlock(&c->lock);
    return said;
}

// While a certificate is made of 3600 s, which take minutes, pages are served, scenes are reset and loaded; it ends
// when it is asked to, when its page leaves, and with the studio.
TEST(a_certificate_is_made_beside_the_simulation_and_can_be_cancelled)
{
    bench_client c;
    char *root = bench_folder();
    ff_error err = {0};
    bench_file(root, "ball.yaml", BALL);
    bench_open(&c, root);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\", \"set\": [\"time=3600\", \"solver.step=1e-4\"]");
    ask_certificate(&c);
    step(&c, 0.1);
    bench_refused(&c, "is being made", "\"do\": \"certify\"");
    bench_do(&c, "\"do\": \"reset\"");
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\"");
    bench_do(&c, "\"do\": \"certify\", \"stop\": true");
    char *answer = bench_wait_for(&c, 0, "{\"id\": 900,", "cancelled");
    CHECK(strstr(answer, "\"ok\": false"));
    free(answer);
    bench_do(&c, "\"do\": \"push\", \"body\": 0, \"point\": [0, 0, 0], \"force\": [6, 0, 0], \"seconds\": 0.5");
    bench_refused(&c, "interactions cannot be reproduced", "\"do\": \"certify\"");
    bench_do(&c, "\"do\": \"load\", \"scene\": \"ball.yaml\", \"set\": [\"time=3600\", \"solver.step=1e-4\"]");
    ask_certificate(&c);
    bench_do(&c, "\"do\": \"pause\"");
    ff_workbench_left(c.bench, 0);
    CHECK_INT(ff_workbench_joined(c.bench, 0, &err), FF_OK);
    bool over = false; // at its next step: then another one can be made
    for (int i = 0; i < 1000 && !over; i++) {
        nanosleep(&(struct timespec){0, 5000000}, NULL);
        bench_forget(&c);
        ask_certificate(&c);
        bench_do(&c, "\"do\": \"pause\""); // its answer comes after a refusal
        over = !has_said(&c, "is being made");
    }
    CHECK(over);
    bench_close(&c);
}
