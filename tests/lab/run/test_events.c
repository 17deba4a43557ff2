// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of a scene: each thing that happens is listed once, at its time, and what does not happen is not.
#include "scene/scene_helpers.h"

#define BALL                                                                                                           \
    "objects: [{name: ball, sphere: 0.1, mass: 2}]\ngravity: [0, 0, 0]\nsolver: {method: rk4, step: 1 ms}\n"           \
    "time: 10\nrecord: {rate: 100, channels: [q]}\n"
#define ANTON                                                                                                          \
    "robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\nstart: {pose: stand}\nplace: {settle: true}\n"                  \
    "terrain: [{plane: {material: lab-floor}}]\nsolver: {method: implicit, step: 1e-3}\n"

static char *events;

static void list(void)
{
    free(events);
    events = ff_run_list_events(run);
    CHECK(events != NULL);
}

/// Event number i of a kind: the text from its time on; NULL past the last.
static const char *event(const char *kind, int i)
{
    char key[60];
    snprintf(key, sizeof key, "\"kind\": \"%s\"", kind);
    for (const char *at = strstr(events, key); at; at = strstr(at + 1, key)) {
        if (i-- > 0) continue;
        while (strncmp(at, "\"t\":", 4) != 0) at--;
        return at;
    }
    return NULL;
}

static int count(const char *kind)
{
    int n = 0;
    while (event(kind, n)) n++;
    return n;
}

static double time_of(const char *kind, int i)
{
    const char *at = event(kind, i);
    if (!at) CHECK_FAIL("no '%s' number %d in %s", kind, i, events);
    return strtod(at + 4, NULL);
}

static bool says(const char *kind, int i, const char *text)
{
    const char *at = event(kind, i), *end = at ? strchr(at, '}') : NULL;
    const char *found = at ? strstr(at, text) : NULL;
    return found && found < end;
}

static void run_to(double t)
{
    ff_error err = {0};
    if (ff_sim_run(ff_run_sim(run), t, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static void begin_by_hand(const char *text)
{
    must_load(text);
    ff_run_options options = ff_run_options_default(scene);
    options.touchable = true;
    if (!begin_with(&options)) CHECK_FAIL("%s", message(0));
}

TEST(pushes_and_pulls_are_listed_with_body_force_and_time)
{
    static const double at[3] = {0, 0.05, 0}, force[3] = {0, 3, 4}, target[3] = {1, 0, 0}, other[3] = {2, 0, 0};
    ff_error err = {0};
    begin_by_hand(BALL "forces: [{body: ball, force: [0, 0, 1], from: 0.1, to: 0.3}, {body: ball, force: [0, 0, 1], "
                       "from: 5, to: 6}]\n");
    run_to(0.5);
    CHECK_INT(ff_run_push(run, 0, at, force, 0.2, &err), FF_OK);
    run_to(1.0);
    CHECK_INT(ff_run_pull(run, 0, 0, at, target, &err), FF_OK);
    run_to(1.1);
    CHECK_INT(ff_run_pull(run, 0, 0, at, other, &err), FF_OK); // the same pull, drawn further
    run_to(1.5);
    list();
    CHECK(says("pull", 0, "\"seconds\": null")); // it still acts
    CHECK_INT(ff_run_pull(run, 0, 0, at, NULL, &err), FF_OK);
    list();
    CHECK_INT(count("push"), 1);
    CHECK_NEAR(time_of("push", 0), 0.5, 1e-12);
    CHECK(says("push", 0, "\"body\": 0") && says("push", 0, "[0, 0.05, 0]") && says("push", 0, "[0, 3, 4]"));
    CHECK(says("push", 0, "'ball' is pushed with 5 N for 0.2 s")); // |(0, 3, 4)|
    CHECK_INT(count("pull"), 1);
    CHECK_NEAR(time_of("pull", 0), 1.0, 1e-12);
    CHECK(says("pull", 0, "\"seconds\": 0.5"));
    CHECK_INT(count("force"), 1); // the other has not begun
    CHECK_NEAR(time_of("force", 0), 0.1, 1e-12);
    // one list by time
    CHECK(event("force", 0) < event("push", 0) && event("push", 0) < event("pull", 0));
    finish();
}

TEST(a_scene_that_records_nothing_lists_nothing_of_hands)
{
    static const double at[3] = {0, 0, 0}, force[3] = {1, 0, 0};
    ff_error err = {0};
    begin_by_hand("objects: [{name: ball, sphere: 0.1, mass: 2}]\ngravity: [0, 0, 0]\ntime: 1\n");
    CHECK_INT(ff_run_push(run, 0, at, force, 0.2, &err), FF_OK);
    list();
    CHECK_INT(count("push"), 0);
    finish();
}

/// Largest vertical force on a foot in some rows of the recording.
static double foot_force(int leg, long long from, long long to)
{
    const int column = ff_recorder_find(ff_run_recorder(run), "feet.force", NULL);
    double most = 0.0;
    for (long long row = from; row <= to; row++) {
        const double *numbers = ff_recorder_row(ff_run_recorder(run), row);
        if (numbers) most = fmax(most, numbers[column + 3 * leg + 2]);
    }
    return most;
}

// The recording is the other witness. A foot counts as down while it is dented: rubber takes 14 ms to recover after the
// force has ended, so that is looked for within 30 rows, at 1 kHz.
TEST(steps_are_listed_where_forces_begin_and_end)
{
    must_run(ANTON "control: {gait: tripod, speed: 0.1}\ntime: 2.5\nrecord: {rate: 1000, channels: [feet.force]}\n");
    list();
    double metrics = 0.0;
    for (int i = 0; i < scene->model->nleg; i++) {
        char name[60];
        snprintf(name, sizeof name, "walk.%s.steps", scene->model->legs[i].name);
        metrics += metric(name);
    }
    CHECK(count("touchdown") >= 6);
    CHECK_NEAR(count("touchdown"), metrics, 0.0); // metrics.from is 0 here
    CHECK(abs(count("touchdown") - count("liftoff")) <= 6);
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < count(kind ? "liftoff" : "touchdown"); i++) {
            const char *at = event(kind ? "liftoff" : "touchdown", i);
            const int leg = (int)strtol(strstr(at, "\"leg\": ") + 7, NULL, 10);
            const long long row = (long long)floor(1000.0 * strtod(at + 4, NULL) + 0.5);
            // two rows apart: a change is noted at the end of the step that meets it
            const double before = kind ? foot_force(leg, row - 30, row) : foot_force(leg, row - 2, row - 2);
            const double after = kind ? foot_force(leg, row + 2, row + 2) : foot_force(leg, row, row + 12);
            if (kind ? !(before > 0.0 && after == 0.0) : !(before == 0.0 && after > 0.0))
                CHECK_FAIL("%s of leg %d at %g s: %g N before, %g N after", kind ? "lift-off" : "touch-down", leg,
                           1e-3 * (double)row, before, after);
        }
    CHECK_INT(count("fall"), 0);
    finish();
}

TEST(commands_are_listed_as_they_are_given)
{
    static const char *const live[] = {"{speed: 0.05}", "{speed: 0.06}", "{speed: 0.07}", "{gait: wave}"};
    must_load(ANTON "control: {gait: tripod, speed: 0.1, commands: [{at: 0.2, speed: 0.08, direction: 0.5}]}\n"
                    "time: 9\nrecord: {rate: 100, channels: [q]}\n");
    run_to(0.5);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(ff_run_command(run, 0, live[i], strlen(live[i]), &report), FF_OK);
        run_to(0.5 + 0.1 * (i + 1));
    }
    CHECK(ff_run_command(run, 0, "{speed: fast}", 13, &report) != FF_OK); // refused: it did not happen
    list();
    CHECK_INT(count("command"), 3); // three of a slider within half a second are one
    CHECK_NEAR(time_of("command", 0), 0.2, 1e-9);
    CHECK(says("command", 0, "command: speed 0.08, direction 0.5\""));
    CHECK_NEAR(time_of("command", 1), 0.7, 1e-9); // the last of them
    CHECK(says("command", 1, "command: speed 0.07\""));
    CHECK(says("command", 2, "command: gait wave\""));
    finish();
}

TEST(what_a_controller_reports_begins_and_ends)
{
    // 5 m/s is beyond any limit of the transfer; from 0.6 s on nothing is asked for that cannot be had
    must_run(ANTON "control: {gait: tripod, speed: 5, commands: [{at: 0.6, speed: 0.05}]}\n"
                   "time: 1.2\nrecord: {rate: 100, channels: [q]}\n");
    list();
    bool clamped = false, calm = false;
    for (int i = 0; event("status", i); i++) clamped = clamped || says("status", i, "speed beyond the limit");
    for (int i = 0; event("calm", i); i++)
        if (says("calm", i, "no longer: speed beyond the limit")) {
            calm = true;
            CHECK_NEAR(time_of("calm", i), 0.6, 0.02); // [s] some cycles
        }
    CHECK(clamped && calm);
    finish();
}

// The end of the slider is where clamping begins, whatever the speed is now.
TEST(the_top_speed_of_a_gait_is_the_greatest_that_is_not_clamped)
{
    static const char *const gaits[] = {"wave", "gallop", "tripod"};
    for (int g = 0; g < 3; g++) {
        char text[600], command[60];
        ff_command_key w[3];
        double top[2];
        snprintf(text, sizeof text,
                 ANTON "control: {gait: %s, speed: 0}\ntime: 9\nrecord: {rate: 100, channels: [q]}\n", gaits[g]);
        must_load(text);
        CHECK_INT(ff_run_command_keys(run, 0, w, 3), 3);
        CHECK_TEXT(w[2].key, "speed");
        top[0] = w[2].high;
        for (int k = 0; k < 2; k++) {
            snprintf(command, sizeof command, "{speed: %.9g}", (k ? 1.001 : 0.999) * top[0]);
            CHECK_INT(ff_run_command(run, 0, command, strlen(command), &report), FF_OK);
            run_to(0.1 * (k + 1));
            list();
            bool clamped = false;
            for (int i = 0; event("status", i); i++) clamped = clamped || says("status", i, "speed beyond the limit");
            if (clamped != (k == 1)) CHECK_FAIL("%s: top speed %g m/s, %s, k = %d", gaits[g], top[0], events, k);
            ff_run_command_keys(run, 0, w, 3);
            top[1] = w[2].high;
            CHECK_NEAR(top[1], top[0], 1e-9); // [m/s] rounding
        }
        finish();
    }
}

// A trunk that turns at 1 rad/s lies beyond 60 deg from pi/3 s to 5 pi/3 s, and from 7 pi/3 s on.
TEST(falls_are_listed_with_their_times)
{
    const double third = acos(-1.0) / 3.0;
    write_file("trunk.yaml",
               "footfall: 1\nbodies:\n  trunk:\n    pos: [0, 0, 6]\n    joints: {turn: {axis: y}}\n"
               "    inertial: {mass: 3, sphere: 0.1}\n    bodies:\n      shin:\n"
               "        joint: {name: knee, axis: z}\n        inertial: {mass: 1, sphere: 0.05}\n"
               "        shapes: [{sphere: 0.03, pos: [0, 0, -0.5]}]\n        frames: {foot: {pos: [0, 0, -0.5]}}\n"
               "legs: {L: {joints: [knee], foot: foot}}\n");
    must_run("robot: trunk.yaml\ngravity: [0, 0, 0]\nstart: {speeds: {turn: 1}}\nterrain: [{plane: {}}]\n"
             "solver: {method: rk4, step: 1 ms}\ntime: 8\nrecord: {rate: 100, channels: [q]}\n");
    list();
    CHECK_INT(count("fall"), 2);
    CHECK_INT(count("rise"), 1);
    CHECK_NEAR(time_of("fall", 0), third, 10e-3); // [s] a sample
    CHECK_NEAR(time_of("rise", 0), 5 * third, 10e-3);
    CHECK_NEAR(time_of("fall", 1), 7 * third, 10e-3);
    CHECK(says("fall", 0, "the robot has fallen") && says("rise", 0, "is on its feet again"));
    free(events);
    events = NULL;
    finish();
}
