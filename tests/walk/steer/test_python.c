// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers in Python as far as the library goes, which knows none: a table of functions in C stands in for the
// module (python/tests/test_controller.py tries the module itself). Nothing runs unless a program opens the door and
// brings the table; what the controller asks for is checked as that of C and Lua is; one that fails leaves its robot
// held; its memory is saved.
#include "scene/scene_helpers.h"

#define ROD_BODY                                                                                                       \
    "footfall: 1\nname: rod\nbodies: {rod: {joint: {name: hinge, axis: z, range: [-1, 1], drive: {kind: ideal, loop: " \
    "{kind: pd,\n  kp: 100, kd: 20, rate: 1000}}}, inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n"        \
    "sensors: {pot: {type: potentiometer, joint: hinge, rate: 1000}}\n"
#define SCENE                                                                                                          \
    "robot: rod.yaml\ncontrol: {python: s.py, parameters: {size: 0.5 m}, commands: [{at: 0.01, go: 2}]}\n"             \
    "gravity: [0, 0, 0]\nsolver: {method: rk4, step: 1 ms}\ntime: 0.2\n"

// ------------------------------------------------------------------------------------------ the stand-in

static struct stand_in {
    bool refuse;                            // to begin
    double fail_at;                         // [s]
    double (*ask)(double t, double memory); // position of the hinge
    // what it saw
    int cycles, commands, restored, destroyed;
    double size, go;
    ff_python_numbers numbers;
} seen;

static const ff_io_name MEMORY[] = {{.name = "count", .unit = "1"}};

static void *create(const ff_python_source *source, ff_python_fault *fault)
{
    CHECK_TEXT(source->text, "pass\n");
    CHECK(strstr(source->path, "s.py") && source->commands);
    CHECK_INT(ff_io_find(source->references, "drives.hinge.position"), 0);
    CHECK_TEXT(source->robot->name, "rod");
    seen.size = source->parameters->child->number;
    *fault = (ff_python_fault){"ValueError: no", 7};
    return seen.refuse ? NULL : &seen;
}

static const ff_io_name *memory(const void *controller, int *count)
{
    (void)controller;
    *count = 1;
    return MEMORY;
}

static bool attach(void *controller, const ff_python_numbers *numbers, ff_python_fault *fault)
{
    (void)controller;
    (void)fault;
    seen.numbers = *numbers;
    return true;
}

static bool cycle(void *controller, double t, bool restored, ff_python_fault *fault)
{
    (void)controller;
    seen.cycles++;
    seen.restored += restored;
    *fault = (ff_python_fault){"KeyError: 'knee'", 3};
    if (t >= seen.fail_at) return false;
    CHECK(isfinite(seen.numbers.sensors[0]) && isnan(seen.numbers.references[0]));
    seen.numbers.memory[0] += 1.0;
    seen.numbers.references[0] = seen.ask(t, seen.numbers.memory[0]);
    return true;
}

static bool command(void *controller, double t, const ff_script_value *values, bool restored, ff_python_fault *fault)
{
    (void)controller;
    (void)t;
    (void)fault;
    seen.commands++;
    seen.restored += restored;
    for (const ff_script_value *v = values->child; v; v = v->next)
        if (strcmp(v->key, "go") == 0) seen.go = v->number;
    return true;
}

static void destroy(void *controller)
{
    (void)controller;
    seen.destroyed++;
}

static ff_python_host host = {FF_PYTHON_HOST, sizeof(ff_model), create, memory, attach, cycle, command, destroy};

static const ff_python_host *find(ff_error *err)
{
    (void)err;
    return &host;
}

static const ff_python_host *find_none(ff_error *err)
{
    ff_error_set(err, FF_NOT_BUILT, "there is no Python");
    return NULL;
}

// ------------------------------------------------------------------------------------------ tests

static double ask_half(double t, double count)
{
    (void)t;
    (void)count;
    return 0.5;
}

static double ask_by_count(double t, double count)
{
    (void)t;
    return 0.001 * count;
}

static double ask_too_much(double t, double count)
{
    (void)t;
    (void)count;
    return 3.0;
}

static double ask_infinite(double t, double count)
{
    (void)count;
    return t < 0.1 ? 0.5 : INFINITY;
}

static bool begin_python(ff_python_finder finder)
{
    write_file("rod.yaml", ROD_BODY);
    write_file("s.py", "pass\n");
    seen = (struct stand_in){.fail_at = INFINITY, .ask = seen.ask, .refuse = seen.refuse};
    must_load(SCENE);
    ff_run_options options = ff_run_options_default(scene);
    options.permissions = FF_PERMIT_PYTHON;
    options.python = finder;
    return begin_with(&options);
}

TEST(nothing_runs_unless_the_program_opens_the_door_and_brings_python)
{
    ff_error err = {0};
    seen.ask = ask_half;
    CHECK(begin_python(find));
    seen = (struct stand_in){0};
    CHECK(begin_with(NULL)); // can be looked at
    CHECK_INT(ff_run_go(run, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "s.yaml:3:19: the script ");
    CHECK_SAYS(err.text, "asks for python");
    CHECK_INT(seen.cycles, 0);
    CHECK(!begin_python(NULL));
    CHECK_SAYS(message(0), "s.yaml:3:19: error: this program cannot run controllers in Python");
    CHECK(!begin_python(find_none));
    CHECK_SAYS(message(0), "s.yaml:3:19: error: there is no Python");
    host.version++;
    CHECK(!begin_python(find));
    CHECK_SAYS(message(0), "another version");
    host.version--;
    finish();
}

TEST(frames_parameters_and_commands_reach_it)
{
    seen.ask = ask_half;
    CHECK(begin_python(find));
    must_go();
    CHECK_NEAR(seen.size, 0.5, 0);
    CHECK_NEAR(seen.go, 2, 0);
    CHECK_INT(seen.cycles, 201); // at 0, 1 ms, .. 0.2 s
    CHECK_INT(seen.commands, 1);
    CHECK_INT(seen.restored, 0);
    CHECK_NEAR(seen.numbers.given[0], 0.5, 0);
    // Critically damped: 1 - (1 + w t) exp(-w t) with w = 10/s, of the loop in continuous time; its 1 ms cost 1 %.
    CHECK_NEAR(metric("joints.hinge.final"), 0.5 * (1 - 3 * exp(-2.0)), 0.005);
    finish();
    CHECK_INT(seen.destroyed, 1);
}

TEST(one_that_cannot_start_is_refused_with_its_line)
{
    seen.ask = ask_half;
    seen.refuse = true;
    CHECK(!begin_python(find));
    CHECK_SAYS(message(0), "s.py:7: ValueError: no");
    seen.refuse = false;
    finish();
}

TEST(one_that_fails_holds_its_robot)
{
    ff_error err = {0};
    seen.ask = ask_half;
    CHECK(begin_python(find));
    seen.fail_at = 0.05;
    CHECK_INT(ff_run_go(run, &err), FF_CONTROL);
    CHECK_SAYS(err.text, "s.py:3: the controller failed at 0.05 s, and the robot is held since: KeyError: 'knee'");
    CHECK_INT(seen.cycles, 51);
    CHECK_NEAR(metric("joints.hinge.final"), 0.5 * (1 - 3 * exp(-2.0)), 0.005); // as if it had gone on to ask for 0.5
    ff_report_clear(&report);
    ff_run_report_limits(run, &report);
    CHECK_INT(report.errors, 1);
    finish();
}

TEST(references_without_sense_are_dropped_or_cut_and_reported)
{
    seen.ask = ask_too_much;
    CHECK(begin_python(find));
    must_go();
    CHECK_NEAR(seen.numbers.given[0], 1.0, 0);
    ff_report_clear(&report);
    ff_run_report_limits(run, &report);
    CHECK_SAYS(message(0), "asked joint 'hinge' for 3 rad, and 1 is its limit");
    seen.ask = ask_infinite;
    CHECK(begin_python(find));
    must_go();
    CHECK_NEAR(seen.numbers.given[0], 0.5, 0);
    CHECK_NEAR(metric("joints.hinge.final"), 0.5 * (1 - 3 * exp(-2.0)), 0.005);
    ff_report_clear(&report);
    ff_run_report_limits(run, &report);
    CHECK_SAYS(message(0), "at 0.1 s the controller made 'drives.hinge.position' not a number or infinite, 101 times");
    finish();
}

TEST(its_memory_is_saved_with_the_simulation)
{
    seen.ask = ask_by_count;
    CHECK(begin_python(find));
    must_resume(0.05, 0.1);
    CHECK(seen.restored > 0);
    CHECK_INT(seen.numbers.memory[0], 101);
    finish();
}
