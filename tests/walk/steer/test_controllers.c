// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers of scenes, brought by a program: what they imply, that they see frames of their own robot alone, when
// their references act, what is saved and recorded, and what is refused.
#include "scene/scene_helpers.h"

#include <footfall/math.h>

/// A rod of inertia 1 kg m^2 about a vertical axis with a direct drive and two sensors.
static void write_rod(void)
{
    write_file("rod.yaml",
               "footfall: 1\nname: rod\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}},\n"
               "  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n"
               "sensors: {pot: {type: potentiometer, joint: hinge, rate: 1000},\n"
               "  tacho: {type: tachometer, joint: hinge, rate: 1000}}\n");
}

/// A controller that closes a loop: F = -kp q - kd q' + push, and remembers what it saw.
typedef struct rod_memory {
    double force, seen, age;
    int64_t cycles;
} rod_memory;

typedef struct rod_controller {
    int pot, tacho, force; // items
    double kp, kd, push;
    bool silent;
    double spoil; // in place of the force from 0.5 s on, unless 0
    rod_memory memory;
    ff_io_name names[2];
} rod_controller;

static ff_status bind_rod(void *context, const ff_model *robot, const ff_io_layout *sensors,
                          const ff_io_layout *references, ff_error *err)
{
    rod_controller *p = context;
    CHECK(ff_model_find_joint(robot, "hinge") >= 0); // its own names, however many robots there are
    CHECK(sensors->count == 2 && references->count == 3);
    p->pot = ff_io_find(sensors, "sensors.pot.position");
    p->tacho = ff_io_find(sensors, "sensors.tacho.speed");
    p->force = ff_io_find(references, "drives.hinge.force");
    return p->pot >= 0 && p->tacho >= 0 && p->force >= 0
               ? FF_OK
               : ff_error_set(err, FF_NOT_FOUND, "no such item in the frames");
}

static void cycle_rod(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    rod_controller *p = context;
    const ff_io_item *in = ff_io_items_of(sensors);
    p->memory.cycles++;
    if (p->silent || !in[p->pot].valid) return;
    p->memory.seen = in[p->pot].value;
    p->memory.age = t - 1e-9 * (double)in[p->pot].time_ns;
    p->memory.force = p->push - p->kp * in[p->pot].value - p->kd * in[p->tacho].value;
    if (p->spoil != 0.0 && t > 0.4995) p->memory.force = p->spoil;
    ff_io_items(references)[p->force] = (ff_io_item){.value = p->memory.force, .valid = 1};
}

static ff_robot_controller controller_of(rod_controller *p)
{
    snprintf(p->names[0].name, sizeof p->names[0].name, "force");
    snprintf(p->names[0].unit, sizeof p->names[0].unit, "N m");
    snprintf(p->names[1].name, sizeof p->names[1].name, "seen");
    snprintf(p->names[1].unit, sizeof p->names[1].unit, "rad");
    return (ff_robot_controller){.context = p,
                                 .bind = bind_rod,
                                 .cycle = cycle_rod,
                                 .memory = &p->memory,
                                 .memory_size = sizeof p->memory,
                                 .signals = p->names,
                                 .values = &p->memory.force,
                                 .nsignal = 2};
}

/// Controllers that the run has got so far.
static ff_run_controller brought[4];
static int nbrought;

static bool takes(int robot, ff_robot_controller c)
{
    ff_run_options options = ff_run_options_default(scene);
    brought[nbrought++] = (ff_run_controller){.robot = robot, .controller = c};
    options.controllers = brought;
    options.ncontroller = nbrought;
    return begin_with(&options);
}

static void must_begin(const char *text)
{
    nbrought = 0;
    must_load(text);
}

static void must_take(int robot, rod_controller *p)
{
    if (!takes(robot, controller_of(p))) CHECK_FAIL("%s", message(0));
}

static void must_finish(void)
{
    ff_error err = {0};
    if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static const char *effect(const char *name)
{
    for (int i = 0; i < scene->neffect; i++)
        if (strcmp(scene->effects[i].name, name) == 0) return scene->effects[i].value;
    return "";
}

#define ROD "robot: rod.yaml\ncontrol: {callback: test}\ngravity: [0, 0, 0]\nsolver: {method: rk4, step: 0.5 ms}\n"

TEST(a_controller_implies_ideal_drives_and_perfect_sensors)
{
    write_rod();
    must_begin(ROD);
    CHECK(strcmp(effect("drives"), "ideal") == 0 && strcmp(effect("sensors"), "perfect") == 0);
    CHECK(strcmp(effect("bus"), "none") == 0);
    must_begin(ROD "effects: {drives: full, sensors: real, bus: modelled}\n");
    CHECK(strcmp(effect("drives"), "full") == 0 && strcmp(effect("sensors"), "real") == 0);
    CHECK(strcmp(effect("bus"), "modelled") == 0);
    finish();
}

// Without timing a torque acts from its instant on: the rod turns by M t^2 / 2 I, and what is seen at t is the position
// at t.
TEST(references_act_at_once_and_sensors_are_read_at_once)
{
    rod_controller p = {.push = 0.2};
    write_rod();
    must_begin(ROD "time: 0.4\n");
    must_take(0, &p);
    must_finish();
    CHECK_NEAR(metric("joints.hinge.final"), 0.5 * 0.2 * 0.16, 1e-13); // [rad] rounding of 800 steps
    CHECK_NEAR(p.memory.seen, 0.5 * 0.2 * 0.16, 1e-13);
    CHECK_NEAR(p.memory.age, 0.0, 0.6e-9); // [s] times are told in nanoseconds
    CHECK_INT((int)p.memory.cycles, 401);
    finish();
}

// A torque that changes with the samples, against the recursion of a sampled double integrator, which is exact.
TEST(the_loop_is_that_of_a_sampled_system)
{
    rod_controller p = {.kp = 40, .kd = 9};
    write_rod();
    must_begin("robot: rod.yaml\ncontrol: {callback: test, period: 5 ms}\ngravity: [0, 0, 0]\nsolver: {method: rk4, "
               "step: 0.5 ms}\ntime: 0.5\nstart: {joints: {hinge: 0.3}}\n");
    must_take(0, &p);
    must_finish();
    double q = 0.3, v = 0.0;
    const double T = 5e-3;
    for (int i = 0; i < 100; i++) {
        const double a = -40 * q - 9 * v;
        q += T * v + 0.5 * T * T * a;
        v += T * a;
    }
    CHECK_NEAR(metric("joints.hinge.final"), q, 1e-13);
    CHECK_INT((int)p.memory.cycles, 101);
    finish();
}

TEST(a_modelled_bus_makes_samples_old)
{
    rod_controller p = {.push = 0.2};
    write_rod();
    must_begin(ROD "time: 0.1\neffects: {bus: {jitter: 0}}\n");
    must_take(0, &p);
    must_finish();
    CHECK_NEAR(p.memory.age, 1.5e-3, 0.6e-9); // [s] see footfall/io_bus.h
    finish();
}

// The joint law over a modelled bus, for a drive without a loop: what is sampled in the middle of period n makes the
// torque of period n + 2.
TEST(hold_closes_loops_over_the_bus_from_sensors)
{
    static const double T = 1e-3, k = 40.0, d = 9.0;
    for (int tacho = 0; tacho < 2; tacho++) {
        write_rod();
        if (!tacho)
            write_file("rod.yaml",
                       "footfall: 1\nname: rod\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}},\n"
                       "  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n"
                       "sensors: {pot: {type: potentiometer, joint: hinge, rate: 1000}}\n");
        must_run("robot: rod.yaml\ncontrol: {hold: {stiffness: 40, damping: 9}}\ngravity: [0, 0, 0]\ntime: 0.3\n"
                 "start: {speeds: {hinge: 1}}\nsolver: {method: rk4, step: 0.5 ms}\n"
                 "effects: {drives: ideal, sensors: perfect, bus: {jitter: 0}}\n");
        double q = 0.0, v = 1.0, seen[302], speed[302];
        for (int n = 0; n < 300; n++) {
            const double a = n < 2 ? 0.0 : -k * seen[n - 2] - d * speed[n - 2];
            seen[n] = q + 0.5 * T * v + 0.125 * T * T * a;
            speed[n] = tacho ? v + 0.5 * T * a : n > 0 ? (seen[n] - seen[n - 1]) / T : 0.0;
            q += T * v + 0.5 * T * T * a;
            v += T * a;
        }
        CHECK_NEAR(metric("joints.hinge.final"), q, tacho ? 1e-13 : 1e-12); // [rad] rounding, of differences too
    }
    finish();
}

// Over a bus that loses half of its telegrams references arrive late, but they arrive.
TEST(references_travel_over_the_bus)
{
    write_rod();
    must_run("robot: rod.yaml\ngravity: [0, 0, 0]\ntime: 0.4\nsolver: {method: rk4, step: 0.5 ms}\n"
             "references: [{drive: hinge, at: 0.1, force: 0.2}]\n"
             "effects: {drives: ideal, sensors: perfect, bus: {jitter: 0}}\n");
    CHECK_NEAR(metric("joints.hinge.final"), 0.5 * 0.2 * 0.09, 1e-13);
    must_run("robot: rod.yaml\ngravity: [0, 0, 0]\ntime: 0.4\nsolver: {method: rk4, step: 0.5 ms}\n"
             "references: [{drive: hinge, at: 0.1, force: 0.2}]\n"
             "effects: {drives: ideal, sensors: perfect, bus: {jitter: 0, loss: 0.5}}\n");
    // 20 lost in a row have a chance of 1e-6
    CHECK_NEAR(metric("joints.hinge.final"), 0.5 * 0.2 * 0.09, 0.2 * 0.3 * 0.02);
    finish();
}

// A sensor with a fault is not valid while it lasts; a drive without references keeps its torque.
TEST(faults_act_on_frames_while_they_last)
{
    static const double T = 1e-3;
    rod_controller p = {.kp = 40, .kd = 9, .push = 1};
    write_rod();
    must_begin(ROD "time: 0.4\nfaults: [{sensor: p*t, from: 0.1, to: 0.15}, {drive: hinge, from: 0.2, to: 0.21}]\n");
    must_take(0, &p);
    must_finish();
    double q = 0.0, v = 0.0, torque = 0.0;
    for (int n = 0; n < 400;
         n++) { // the controller says nothing without the potentiometer, so that its torque stays as well
        if (!(n >= 100 && n < 150) && !(n >= 200 && n < 210)) torque = 1.0 - 40.0 * q - 9.0 * v;
        q += T * v + 0.5 * T * T * torque;
        v += T * torque;
    }
    CHECK_NEAR(metric("joints.hinge.final"), q, 1e-12); // [rad] rounding
    finish();
}

// A stuck sensor repeats its last value, and the controller uses it; a drive without power brings no torque.
TEST(stuck_sensors_and_drives_without_power)
{
    static const double T = 1e-3;
    rod_controller p = {.kp = 40, .kd = 9, .push = 1};
    write_rod();
    must_begin(ROD "time: 0.4\nfaults: [{sensor: pot, from: 0.1, to: 0.15, kind: stuck}, {drive: hinge, from: 0.2, to: "
                   "0.25, kind: off}]\n");
    must_take(0, &p);
    must_finish();
    double q = 0.0, v = 0.0, told = 0.0;
    for (int n = 0; n < 400; n++) {
        if (!(n >= 100 && n < 150)) told = q;
        const double torque = n >= 200 && n < 250 ? 0.0 : 1.0 - 40.0 * told - 9.0 * v;
        q += T * v + 0.5 * T * T * torque;
        v += T * torque;
    }
    CHECK_NEAR(metric("joints.hinge.final"), q, 1e-12); // [rad] rounding
    finish();
}

TEST(twins_have_a_controller_each_and_their_own_frames)
{
    rod_controller a = {.push = 0.2}, b = {.push = -0.1};
    int width;
    write_rod();
    must_begin("robots: [{file: rod.yaml, name: left, control: {callback: a}}, {file: rod.yaml, name: right, place: "
               "{pos: [0, 1, 0]}, control: {callback: b, period: 2 ms}}]\ngravity: [0, 0, 0]\ntime: 0.4\n"
               "solver: {method: rk4, step: 0.5 ms}\nrecord: {rate: 100, channels: [control.left_force, "
               "control.right_seen]}\n");
    must_take(0, &a);
    must_take(1, &b);
    must_finish();
    CHECK_NEAR(metric("joints.left_hinge.final"), 0.5 * 0.2 * 0.16, 1e-13);
    CHECK_NEAR(metric("joints.right_hinge.final"), -0.5 * 0.1 * 0.16, 1e-13);
    CHECK_INT((int)a.memory.cycles, 401);
    CHECK_INT((int)b.memory.cycles, 201);
    const int column = ff_recorder_find(ff_run_recorder(run), "control.right_seen", &width);
    CHECK(column > 0 && width == 1 && ff_recorder_find(ff_run_recorder(run), "control.left_force", &width) > 0);
    CHECK_NEAR(ff_recorder_row(ff_run_recorder(run), 20)[column], -0.5 * 0.1 * 0.04, 1e-13);
    finish();
}

TEST(memory_of_a_controller_is_saved_with_the_rest)
{
    rod_controller p = {.kp = 40, .kd = 9, .push = 1};
    ff_error err = {0};
    static char saved[200000];
    write_rod();
    must_begin(ROD "effects: {bus: {loss: 0.2}}\n");
    must_take(0, &p);
    CHECK(ff_sim_run(ff_run_sim(run), 0.2, &err) == FF_OK);
    const size_t size = ff_sim_save_size(ff_run_sim(run));
    CHECK(size < sizeof saved && ff_sim_save(ff_run_sim(run), saved, size, &err) == FF_OK);
    CHECK(ff_sim_run(ff_run_sim(run), 0.5, &err) == FF_OK);
    const uint64_t hash = ff_sim_hash(ff_run_sim(run));
    const rod_memory then = p.memory;
    CHECK(ff_sim_restore(ff_run_sim(run), saved, size, &err) == FF_OK);
    CHECK_INT((int)p.memory.cycles, 201);
    CHECK(ff_sim_run(ff_run_sim(run), 0.5, &err) == FF_OK);
    CHECK(ff_sim_hash(ff_run_sim(run)) == hash && memcmp(&then, &p.memory, sizeof then) == 0);
    finish();
}

// Saved in the middle of a push, with a sensor that is stuck and a drive without power; all three are over when it is
// restored.
TEST(faults_and_pushes_are_saved_with_the_rest)
{
    rod_controller p = {.kp = 40, .kd = 9, .push = 1};
    write_rod();
    must_begin(
        ROD
        "faults: [{sensor: pot, from: 0.1, to: 0.35, kind: stuck}, {drive: hinge, from: 0.15, to: 0.25, kind: off}]\n"
        "forces: [{body: rod, force: [0, 1, 0], at: [1, 0, 0], from: 0.15, to: 0.4}]\n");
    must_take(0, &p);
    must_resume(0.2, 0.5);
    finish();
}

// What is seen at cycle k is M (k h)^2 / 2 I, and is told until the next: sums of k^2 and k^4 are exact.
TEST(signals_of_controllers_can_be_expected)
{
    rod_controller p = {.push = 0.2};
    const double h = 1e-3, n = 400.0, a = 0.1 * h * h;
    write_rod();
    must_begin(
        ROD
        "time: 0.4\nexpect: [{metric: control.seen.mean, is: 0, within: 1}, {metric: control.seen.rms, is: 0, "
        "within: 1}, {metric: control.seen.max, is: 0, within: 1}, {metric: control.seen.min, is: 0, within: 1}]\n");
    must_take(0, &p);
    must_finish();
    CHECK_NEAR(metric("control.seen.mean"), a * (n - 1.0) * (2.0 * n - 1.0) / 6.0, 1e-13); // [rad] rounding
    CHECK_NEAR(metric("control.seen.rms"), a * sqrt((n - 1.0) * (2.0 * n - 1.0) * (3.0 * n * n - 3.0 * n - 1.0) / 30.0),
               1e-13);
    CHECK_NEAR(metric("control.seen.max"), a * (n - 1.0) * (n - 1.0), 1e-13);
    CHECK_NEAR(metric("control.seen.min"), 0.0, 0.0);
    static const bad_scene bad[] = {
        {"robot: rod.yaml\nexpect: [{metric: control.seen.mean, is: 0, within: 1}]\n", "3:19", "no metric"},
        {"robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\ncontrol: {gait: tripod}\n"
         "expect: [{metric: control.pase.mean, is: 0, within: 1}]\n",
         "4:10", "no controller has a signal 'pase'"},
    };
    must_refuse(bad, 2);
}

// A robot that settled stands until its controller says something: its drives carry what they carried.
TEST(a_silent_controller_leaves_a_robot_standing)
{
    static const char *const choices[] = {"", "effects: {drives: full}\n", "effects: {bus: modelled}\n"};
    for (int i = 0; i < 3; i++) {
        rod_controller p = {.silent = true};
        char text[800];
        snprintf(text, sizeof text,
                 "robot: %s/robots/anton/anton.yaml\nstart: {pose: stand}\nplace: {settle: true}\n"
                 "terrain: [{plane: {material: lab-floor}}]\ncontrol: {callback: none}\ntime: 0.3\n"
                 "solver: {method: implicit, step: 1 ms}\nrecord: {rate: 10, channels: [com.pos]}\n%s",
                 FF_SOURCE_DIR, choices[i]);
        must_begin(text);
        ff_robot_controller c = controller_of(&p);
        c.bind = NULL;
        CHECK(takes(0, c));
        must_finish();
        const double before = ff_recorder_row(ff_run_recorder(run), 0)[3],
                     after = ff_recorder_row(ff_run_recorder(run), 3)[3];
        CHECK_NEAR(after, before, 2e-5); // [m] as with the joint law, tests/lab/scene/test_effects.c
        CHECK(p.memory.cycles >= 300 && p.memory.cycles <= 301); // jitter may move the last beyond the end
    }
    finish();
}

// NaN and infinity of a program's own controller are left out, with and without a bus: the drive keeps its last torque,
// and the run ends.
TEST(references_of_a_callback_that_are_not_finite_are_left_out)
{
    static const char *const effects[] = {"", "effects: {bus: modelled}\n"};
    for (int i = 0; i < 4; i++) {
        rod_controller p = {.push = 1.0, .spoil = i % 2 ? NAN : -INFINITY};
        char text[400];
        snprintf(text, sizeof text, ROD "time: 1\n%s", effects[i / 2]);
        write_rod();
        must_begin(text);
        must_take(0, &p);
        must_finish();
        CHECK_NEAR(metric("joints.hinge.final"), 0.5, 5e-3); // [rad] 1 N m on 1 kg m^2, late by some periods of the bus
        ff_report_clear(&report);
        ff_run_report_limits(run, &report);
        CHECK_INT(report.count, 1);
        CHECK(strstr(message(0), "made 'drives.hinge.force' not a number or infinite, 5") != NULL); // from 0.5 s on
    }
    finish();
}

// The same among several robots, whose controllers have I/O frames of their own: the right one keeps its last torque,
// the left one gets its references.
TEST(what_is_not_finite_is_left_out_of_each_robots_own_frame)
{
    for (int i = 0; i < 2; i++) {
        rod_controller a = {.push = 1.0, .spoil = -1.0}, b = {.push = 1.0, .spoil = i ? NAN : -INFINITY};
        write_rod();
        must_begin(
            "robots: [{file: rod.yaml, name: left, control: {callback: a}}, {file: rod.yaml, name: right, place: "
            "{pos: [0, 1, 0]}, control: {callback: b}}]\ngravity: [0, 0, 0]\ntime: 1\n"
            "solver: {method: rk4, step: 0.5 ms}\n");
        must_take(0, &a);
        must_take(1, &b);
        must_finish();
        CHECK_NEAR(metric("joints.left_hinge.final"), 0.25, 1e-12); // it brakes from 0.5 s on
        CHECK_NEAR(metric("joints.right_hinge.final"), 0.5, 1e-12);
        ff_report_clear(&report);
        ff_run_report_limits(run, &report);
        CHECK_INT(report.count, 1);
        CHECK_SAYS(message(0), "made 'drives.hinge.force' not a number or infinite, 501 times"); // from 0.5 s on
    }
    finish();
}

static void ask_too_far(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    (void)context, (void)sensors;
    ff_io_items(references)[0] = (ff_io_item){.value = t > 0.4995 ? -7.0 : 0.5, .valid = 1};
}

// The loop is critically damped and never passes its reference: the joint stops at the limit, not in it.
TEST(positions_of_a_callback_stay_within_the_limits_of_its_joints)
{
    const ff_robot_controller c = {.cycle = ask_too_far};
    write_file("rod.yaml",
               "footfall: 1\nname: rod\nbodies: {rod: {joint: {name: hinge, axis: z, range: [-0.2, 0.5], drive: {kind: "
               "ideal,\n"
               "  loop: {kind: pd, kp: 100, kd: 20, rate: 1000}}}, inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, "
               "1]}}}\n");
    must_begin(ROD "time: 3\n");
    CHECK(takes(0, c));
    must_finish();
    CHECK_NEAR(metric("joints.hinge.final"), -0.2, 1e-6); // [rad] exp(-25) of the way is left
    ff_report_clear(&report);
    ff_run_report_limits(run, &report);
    CHECK_INT(report.count, 1);
    CHECK(strstr(message(0), "at 0.5 s the controller asked joint 'hinge' for -7 rad, and -0.2 is its limit: it gets "
                             "that; references beyond limits: 2501"));
    finish();
}

TEST(what_cannot_be_steered_is_reported)
{
    static const bad_scene bad[] = {
        {"robot: rod.yaml\ncontrol: {callbak: a}\n", "3:11", "unknown key 'callbak'; did you mean 'callback'?"},
        {"robot: rod.yaml\ncontrol: {callback: a, commands: [{at: 1}]}\n", "3:24",
         "unknown key 'commands'; known here: callback, period"},
        {"robot: rod.yaml\ncontrol: {callback: a, periods: 1}\n", "3:24", "unknown key 'periods'"},
        {"robot: rod.yaml\ncontrol: {callback: a, period: 0}\n", "3:32", "'period' is 0 s"},
        {"robot: rod.yaml\ncontrol: {callback: a, period: 1e-9}\n", "3:32", "must be between 1e-05 and 10 s"},
        {"robot: rod.yaml\ncontrol: {callback: a}\neffects: {drives: none}\n", "4:19", "steers drives alone"},
        {"robot: rod.yaml\ncontrol: {callback: a}\neffects: {sensors: none}\n", "4:20", "reads sensors alone"},
        {"robot: rod.yaml\ncontrol: {callback: a, period: 1.5 ms}\neffects: {bus: modelled}\n", "3:21",
         "no multiple of that of the bus"},
        {"robots: [{file: rod.yaml}, {file: rod.yaml}]\ncontrol: {callback: a}\n", "3:11", "several robots"},
        {"robots: [{file: rod.yaml, control: {hold: {stiffness: 1, damping: 1}}}]\n", "2:27", "for all robots"},
        {"robot: {file: rod.yaml, control: {callback: a}}\ncontrol: {callback: b}\n", "3:11", "has its own"},
        {"robot: rod.yaml\ncontrol: {callback: a, hold: {stiffness: 1, damping: 1}, cycle: {poses: [a, b], period: "
         "1}}\n",
         "3:58", "'cycle' does not go with a controller"},
        {"robot: rod.yaml\nfaults: [{sensor: pot}]\n", "3:1", "faults act on frames"},
        {"robot: rod.yaml\ncontrol: {callback: a}\nfaults: [{sensor: pots}]\n", "4:19",
         "no sensor 'pots' in this scene"},
        {"robot: rod.yaml\ncontrol: {callback: a}\nfaults: [{drive: hing}]\n", "4:18", "did you mean 'hinge'?"},
        {"robot: rod.yaml\ncontrol: {callback: a}\nfaults: [{drive: hinge, kind: stuck}]\n", "4:31", "frozen, off"},
        {"robot: rod.yaml\ncontrol: {callback: a}\nfaults: [{from: 2}]\n", "4:10", "one of a 'sensor' or of a 'drive'"},
        {"robot: rod.yaml\ncontrol: {callback: a}\nfaults: [{drive: hinge, from: 2, to: 1}]\n", "4:10", "no window"},
        {"robot: rod.yaml\ncontrol: {callback: a}\nreferences: [{drive: hinge, force: 1}]\n", "4:14",
         "gets its references from the controller"},
        {"robot: blind.yaml\ncontrol: {hold: {stiffness: 1, damping: 1}}\neffects: {drives: ideal, sensors: perfect, "
         "bus: modelled}\n",
         "4:49", "no sensor measures where joint 'hinge' is"},
    };
    write_rod();
    write_file("blind.yaml",
               "footfall: 1\nname: rod\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}},\n"
               "  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n"
               "sensors: {gyro: {type: gyro, body: rod}}\n");
    must_refuse(bad, sizeof bad / sizeof *bad);
}

static ff_status bind_nothing(void *context, const ff_model *robot, const ff_io_layout *sensors,
                              const ff_io_layout *references, ff_error *err)
{
    (void)context, (void)robot, (void)sensors, (void)references;
    return ff_error_set(err, FF_NOT_FOUND, "no sensor 'gyro' in the frames");
}

TEST(a_scene_without_its_controller_does_not_run)
{
    ff_error err = {0};
    rod_controller p = {0};
    write_rod();
    must_begin(ROD);
    CHECK(ff_run_go(run, &err) == FF_BAD_ARGUMENT && strstr(err.text, ":3:21: ") && strstr(err.text, "'test'"));
    ff_robot_controller c = controller_of(&p);
    CHECK(!takes(1, c));
    CHECK_SAYS(message(0), "no robot 1 in this scene");
    c.bind = bind_nothing;
    must_begin(ROD);
    CHECK(!takes(0, c));
    CHECK_SAYS(message(0), ":3:21: error: no sensor 'gyro' in the frames");
    must_begin("robot: rod.yaml\n");
    CHECK(!takes(0, c));
    CHECK_SAYS(message(0), "callback");
    finish();
}

// The scan of the head is over at 8.4 s; then ANTON stands while it plans, a slice a cycle of 1 ms, and a moment in the
// midst of it can be put back.
TEST(a_ledge_that_was_seen_is_planned_for_in_slices_while_the_robot_stands)
{
    must_load("robot: " FF_SOURCE_DIR "/robots/anton/anton-eyes.yaml\nstart: {pose: stand}\nplace: {settle: true}\n"
              "effects: {drives: ideal, sensors: real}\ncontrol: {climb: {look: true}}\ntime: 9.5\n"
              "terrain: [{plane: {material: lab-floor}}, {box: {size: [1.6, 1.2, 0.15], pos: [1.25, 0, 0.075],\n"
              "  material: lab-floor}}]\nmetrics: {report: [control.work.final, control.progress.final]}\n");
    must_resume(8.7, 9.4);
    must_go();
    CHECK(metric("control.work.final") > 500.0 && metric("control.work.final") < 1000.0 * (9.5 - 8.4));
    CHECK(metric("control.progress.final") > 0.0);
    finish();
}
