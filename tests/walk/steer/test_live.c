// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes that are spoken with while they run: commands, parameters, another script, pushes, pulls and moved robots.
#include "scene/running.h"
#include "scene/scene_helpers.h"

/// A rod of inertia 1 kg m^2 about a vertical axis with a direct drive.
static void write_rod(const char *script)
{
    write_file("rod.yaml",
               "footfall: 1\nname: rod\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}},\n"
               "  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n"
               "sensors: {pot: {type: potentiometer, joint: hinge, rate: 1000}}\n");
    write_file("s.lua", script);
}

#define ROD                                                                                                            \
    "robot: rod.yaml\ncontrol: {lua: s.lua, period: 1 ms}\ngravity: [0, 0, 0]\n"                                       \
    "solver: {method: rk4, step: 0.5 ms}\ntime: 100\n"
#define BALL "objects: [{name: ball, sphere: 0.1, mass: 2}]\ngravity: [0, 0, 0]\nsolver: {method: rk4, step: 1 ms}\n"

static void run_to(double t)
{
    ff_error err = {0};
    if (ff_sim_run(ff_run_sim(run), t, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static double speed(void)
{
    return ff_sim_v(ff_run_sim(run))[0];
}

static void must_hear(const char *script)
{
    ff_report_clear(&report);
    if (ff_run_set_script(run, 0, script, strlen(script), &report) != FF_OK) CHECK_FAIL("%s", message(0));
}

// The torque a script gives is the change of the rod's speed, inertia 1: one second of each is one unit.
TEST(a_parameter_acts_from_the_next_cycle_on)
{
    ff_error err = {0};
    ff_script_parameter p[4];
    write_rod("parameters = {torque = {1, low = -2, high = 3, unit = 'N m'}, b = 5}\n"
              "function cycle(t, s, r) r['hinge.force'] = parameters.torque end\n");
    must_load(ROD);
    CHECK_INT(ff_run_parameters(run, 0, p, 4), 2);
    CHECK(strcmp(p[1].name, "torque") == 0 && strcmp(p[1].unit, "N m") == 0);
    CHECK_NEAR(p[1].low, -2.0, 0.0);
    CHECK_NEAR(p[1].value, 1.0, 0.0);
    CHECK(isinf(p[0].low) && isinf(p[0].high));
    run_to(1.0);
    CHECK_NEAR(speed(), 1.0, 1.1e-3); // the cycle that is due at the end has acted or not
    CHECK_INT(ff_run_set_parameter(run, 0, "torque", 3.0, &err), FF_OK);
    const double before = speed();
    run_to(2.0);
    CHECK_NEAR(speed() - before, 3.0, 3e-3); // one cycle of 1 ms
    CHECK_INT(ff_run_set_parameter(run, 0, "torque", 3.1, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_run_set_parameter(run, 0, "torque", NAN, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_run_set_parameter(run, 0, "torqe", 1.0, &err), FF_NOT_FOUND);
    CHECK_INT(ff_run_set_parameter(run, 3, "torque", 1.0, &err), FF_NOT_FOUND);
    finish();
}

TEST(the_scene_gives_parameters_their_start_within_the_range)
{
    ff_script_parameter p[1];
    write_rod("parameters = {torque = {1, low = 0, high = 3}}\nfunction start(robot) assert(robot.parameters == "
              "parameters and "
              "parameters.torque == 2 and robot.parameters.other == 'x') end\nfunction cycle() end\n");
    must_load("robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {torque: 2, other: x}}\n");
    CHECK_INT(ff_run_parameters(run, 0, p, 1), 1);
    CHECK_NEAR(p[0].value, 2.0, 0.0);
    const bad_scene bad[] = {
        {"robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {torque: 9}}\n", "3:16", "it must lie between"}};
    must_refuse(bad, 1);
    static const char *const wrong[] = {"parameters = 3",
                                        "parameters = {a = 'x'}",
                                        "parameters = {a = {low = 1}}",
                                        "parameters = {a = {1, low = 'x'}}",
                                        "parameters = {[1] = 2}",
                                        "parameters = {a = 0/0}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char script[200];
        snprintf(script, sizeof script, "%s\nfunction cycle() end\n", wrong[i]);
        write_rod(script);
        if (load("robot: rod.yaml\ncontrol: {lua: s.lua}\n")) CHECK_FAIL("'%s' was taken", wrong[i]);
        CHECK(strstr(message(0), "parameter"));
    }
    finish();
}

TEST(another_script_takes_over_with_the_memory_of_the_old)
{
    write_rod("memory = {n = 0, flag = true, gone = 1}\nfunction cycle(t, s, r) memory.n = memory.n + 1; "
              "r['hinge.force'] = 1 end\n");
    must_load(ROD);
    run_to(1.0);
    const double q = ff_sim_q(ff_run_sim(run))[0], v = speed();
    // what cannot start is told with its line and changes nothing
    ff_report_clear(&report);
    static const char broken[] = "x = 1\ny = nil .. 'a'\nfunction cycle() end\n";
    CHECK(ff_run_set_script(run, 0, broken, strlen(broken), &report) != FF_OK);
    CHECK_INT(report.messages[0].line, 2);
    CHECK(strstr(report.messages[0].file, "s.lua"));
    must_hear("memory = {n = -5, flag = 3, fresh = 2}\nfunction cycle(t, s, r) memory.n = memory.n + 1000; "
              "r['hinge.force'] = 0; "
              "assert(memory.flag == 3 and memory.fresh == 2) end\n");
    CHECK_NEAR(ff_sim_q(ff_run_sim(run))[0], q, 0.0); // the robot is where it was
    CHECK_NEAR(speed(), v, 0.0);
    run_to(2.0);
    ff_report_clear(&report);
    ff_run_report_news(run, &report);
    if (report.count > 0) CHECK_FAIL("%s", message(0));
    CHECK_NEAR(speed(), v, 1.1e-3); // no torque any more, but for a cycle
    // a third and a fourth, many times: memory does not grow
    const size_t held = run->arena.total;
    for (int i = 0; i < 100; i++)
        must_hear(i % 2 ? "memory = {n = 0}\nfunction cycle(t, s, r) end\n"
                        : "memory = {n = 0, m = 1}\nfunction cycle(t, s, r) end\n");
    run_to(2.1);
    CHECK_INT(run->arena.total, held);
    const ff_run_steering steering = ff_run_get_steering(run, 0);
    CHECK(strcmp(steering.kind, "lua") == 0 && strstr(steering.text, "function cycle"));
    finish();
}

TEST(joints_that_the_scene_holds_are_steered_by_the_joint_law)
{
    write_rod("function cycle() end\n");
    must_load("robot: rod.yaml\ncontrol: {hold: {stiffness: 1, damping: 1}}\n");
    CHECK(strcmp(ff_run_get_steering(run, 0).kind, "hold") == 0);
    finish();
    must_load("robot: rod.yaml\n");
    CHECK(ff_run_get_steering(run, 0).kind == NULL);
    finish();
}

TEST(signals_go_on_under_another_script)
{
    write_rod("memory = {n = 0, gone = 1}\nfunction cycle(t, s, r) memory.n = memory.n + 1 end\n");
    must_load(ROD "record: {rate: 100, channels: [control]}\n");
    run_to(1.0);
    must_hear("memory = {n = 0}\nfunction cycle(t, s, r) memory.n = memory.n + 1 end\n");
    run_to(2.0);
    const int n = ff_recorder_find(ff_run_recorder(run), "control.n", NULL),
              gone = ff_recorder_find(ff_run_recorder(run), "control.gone", NULL);
    CHECK(n > 0 && gone > 0);
    for (int i = 1; i <= 200; i++)
        CHECK_NEAR(ff_recorder_row(ff_run_recorder(run), i)[n], 10.0 * i, 1.0); // a cycle a millisecond
    CHECK_NEAR(ff_recorder_row(ff_run_recorder(run), 90)[gone], 1.0, 0.0);
    CHECK(isnan(ff_recorder_row(ff_run_recorder(run), 190)[gone])); // nobody has it any more
    finish();
}

TEST(a_script_that_failed_can_be_mended)
{
    write_rod("function cycle(t, s, r) if t > 0.1 then error('oh') end end\n");
    must_load(ROD);
    run_to(0.5);
    ff_report_clear(&report);
    ff_run_report_news(run, &report);
    CHECK_INT(report.errors, 1);
    CHECK_INT(report.messages[0].line, 1);
    ff_report_clear(&report);
    ff_run_report_news(run, &report);
    CHECK_INT(report.count, 0); // told once
    must_hear("print('well')\nfunction cycle(t, s, r) r['hinge.force'] = 2 end\n");
    const double before = speed();
    run_to(1.5);
    CHECK_NEAR(speed() - before, 2.0, 2.2e-3);
    ff_run_report_news(run, &report);
    CHECK(strstr(message(0), "well"));
    finish();
}

TEST(commands_cost_no_memory_and_wrong_ones_change_nothing)
{
    write_rod("memory = {torque = 0}\nfunction command(t, values) memory.torque = values.torque end\n"
              "function cycle(t, s, r) r['hinge.force'] = memory.torque end\n");
    must_load(ROD);
    run_to(0.1);
    const size_t held = run->arena.total;
    for (int i = 0; i < 1000; i++) CHECK_INT(ff_run_command(run, 0, "{torque: 4}", 11, &report), FF_OK);
    CHECK_INT(run->arena.total, held);
    const double before = speed();
    run_to(1.1);
    CHECK_NEAR(speed() - before, 4.0, 4.4e-3);
    static const char *const wrong[] = {"", "7", "[1]", "{at: 3, torque: 1}", "{torque: ", "{torque: 1, torque: 2}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ff_report_clear(&report);
        CHECK(ff_run_command(run, 0, wrong[i], strlen(wrong[i]), &report) != FF_OK);
        CHECK(report.errors > 0);
    }
    CHECK(ff_run_command(run, 1, "{}", 2, &report) != FF_OK);
    must_hear("function cycle() end\n");
    ff_report_clear(&report);
    CHECK(ff_run_command(run, 0, "{torque: 1}", 11, &report) != FF_OK);
    CHECK(strstr(message(0), "no function command"));
    finish();
}

static void must_begin_touchable(const char *text)
{
    must_load(text);
    ff_run_options options = ff_run_options_default(scene);
    options.touchable = true;
    if (!begin_with(&options)) CHECK_FAIL("%s", message(0));
}

// Momentum is force times time; at a lever of 0.1 m, 6 N turn the ball (I = 2/5 m r^2 = 8e-3 kg m^2) as well.
TEST(a_push_is_an_impulse)
{
    ff_error err = {0};
    const double at[3] = {0, 0.1, 0}, force[3] = {6, 0, 0};
    must_begin_touchable(BALL);
    CHECK_INT(ff_run_push(run, 0, at, force, 0.01, &err), FF_OK);
    double point[3], acts[3];
    ff_sim_evaluate(ff_run_sim(run), FF_SIM_VELOCITY, NULL);
    CHECK_INT(ff_run_outside(run, 0, point, acts), 0);
    CHECK_NEAR(point[1], 0.1, 1e-15);
    CHECK_INT(ff_run_outside(run, 1, point, acts), -1);
    run_to(1.0);
    const double *v = ff_sim_v(ff_run_sim(run));
    CHECK_NEAR(v[0], 0.03, 1e-12);                           // [m/s] 6 N * 10 ms / 2 kg: ten steps
    CHECK_NEAR(v[5], -0.1 * 6.0 * 0.01 / 8e-3, 1e-2 * 0.75); // [rad/s] the point turns with the ball, by 0.4 deg
    CHECK_INT(ff_run_outside(run, 0, point, acts), -1);
    finish();
    must_load(BALL);
    CHECK_INT(ff_run_push(run, 0, at, force, 0.01, &err), FF_BAD_ARGUMENT); // not touchable
    finish();
}

TEST(hands_that_do_nothing_change_no_bit)
{
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        must_load("objects: [{name: ball, sphere: 0.1, mass: 2, pos: [0, 0, 0.3], spin: [0, 9, 0]}]\nterrain: [{plane: "
                  "{}}]\ntime: 1\n");
        ff_run_options options = ff_run_options_default(scene);
        options.touchable = i == 1;
        CHECK(begin_with(&options));
        run_to(0.6);
        hash[i] = ff_sim_hash(ff_run_sim(run));
        finish();
    }
    CHECK(hash[0] == hash[1]);
}

TEST(a_pull_holds_a_ball_against_its_weight_and_lets_go)
{
    ff_error err = {0};
    const double at[3] = {0, 0, 0}, target[3] = {0.2, 0, 0.1};
    must_begin_touchable("objects: [{name: ball, sphere: 0.1, mass: 2}]\nsolver: {method: rk4, step: 1 ms}\n");
    CHECK_INT(ff_run_pull(run, 0, 0, at, target, &err), FF_OK);
    run_to(3.0);
    const double *q = ff_sim_q(ff_run_sim(run));
    CHECK_NEAR(q[0], 0.2, 1e-6);
    CHECK_NEAR(q[2], 0.1 - 9.81 / (12.0 * 12.0), 1e-6); // [m] it hangs on a spring of m omega^2
    const double z = q[2];
    CHECK_INT(ff_run_pull(run, 0, 0, at, NULL, &err), FF_OK);
    run_to(3.1);
    CHECK_NEAR(q[2], z - 0.5 * 9.81 * 0.01, 1e-6);
    CHECK_INT(ff_run_pull(run, 99, 0, at, target, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_run_pull(run, 0, 7, at, target, &err), FF_BAD_ARGUMENT);
    finish();
}

TEST(a_joint_moved_by_hand_leaves_loops_closed)
{
    ff_error err = {0};
    char path[300];
    snprintf(path, sizeof path, "%s/experiments/fourbar.yaml", FF_SOURCE_DIR);
    must_load_file(path, NULL, 0);
    const ff_joint *joint = &scene->model->joints[0];
    const double value = ff_sim_q(ff_run_sim(run))[joint->qadr] + 0.3;
    if (ff_run_put_joint(run, 0, joint->name, value, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    CHECK_NEAR(ff_sim_q(ff_run_sim(run))[joint->qadr], value, 1e-12);
    ff_loops *loops = ff_loops_create(scene->model, NULL);
    double gap = 1.0;
    ff_sim_evaluate(ff_run_sim(run), FF_SIM_VELOCITY, NULL);
    ff_loops_position(scene->model, ff_sim_data(ff_run_sim(run)), loops);
    ff_loops_widest(loops, &gap);
    CHECK_BELOW(gap, 1e-9); // [m]
    ff_loops_destroy(loops);
    run_to(0.01);
    finish();
}

/// Loads an experiment and sends all that its controller says it takes back to it. @return how many keys there are
static int send_all_back(const char *experiment, ff_command_key keys[32])
{
    char path[300];
    snprintf(path, sizeof path, "%s/experiments/%s.yaml", FF_SOURCE_DIR, experiment);
    must_load_file(path, NULL, 0);
    const int n = ff_run_command_keys(run, 0, keys, 32);
    for (int i = 0; i < n; i++) {
        char text[200];
        if (keys[i].choices)
            snprintf(text, sizeof text, "{%s: %s}", keys[i].key, keys[i].choices[(int)keys[i].value]);
        else
            snprintf(text, sizeof text, "{%s: %.17g}", keys[i].key, keys[i].low + 0.75 * (keys[i].high - keys[i].low));
        ff_report_clear(&report);
        if (ff_run_command(run, 0, text, strlen(text), &report) != FF_OK) CHECK_FAIL("%s: %s", text, message(0));
    }
    return n;
}

TEST(a_gait_tells_what_it_takes)
{
    ff_command_key keys[32];
    CHECK(send_all_back("anton-tripod", keys) >= 8);
    CHECK_INT(ff_run_command_keys(run, 0, keys, 2), 2);
    CHECK_INT(ff_run_command_keys(run, 5, keys, 2), 0);
    finish();
}

// Sliders of the studio are what a controller says: in the order given, `walk` beside what else there is.
TEST(controllers_of_all_kinds_can_be_steered)
{
    static const struct {
        const char *experiment, *keys;
    } all[] = {{"lola-walk", "walk speed side turn "},
               {"rotto-walk", "walk forward sideways turn height "},
               {"biobiped-keep", "speed "},
               {"anton-hill", "walk "},
               {"anton-ledge", "walk "},
               {"servo-hexapod-walk", "speed direction turn height gather "}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ff_command_key keys[32];
        char list[300] = "";
        const int n = send_all_back(all[i].experiment, keys);
        for (int k = 0; k < n; k++) snprintf(list + strlen(list), sizeof list - strlen(list), "%s ", keys[k].key);
        CHECK_TEXT(list, all[i].keys);
        finish();
    }
}

// What a biped is commanded shows in its sliders; a command walks, unless it says otherwise.
TEST(a_biped_is_told_to_stand_and_walks_again)
{
    ff_command_key keys[32];
    send_all_back("lola-walk", keys);
    CHECK_NEAR(keys[1].low, -0.5 * keys[1].high, 1e-12);
    CHECK(keys[1].high > 0.5); // [m/s] what the scene commands fits
    CHECK_INT(ff_run_command(run, 0, "{walk: false}", 13, &report), FF_OK);
    CHECK_INT(ff_run_command_keys(run, 0, keys, 4), 4);
    CHECK_NEAR(keys[0].value, 0.0, 0.0);
    CHECK_INT(ff_run_command(run, 0, "{side: 0.05}", 12, &report), FF_OK);
    CHECK_INT(ff_run_command_keys(run, 0, keys, 4), 4);
    CHECK_NEAR(keys[0].value, 1.0, 0.0);
    CHECK_NEAR(keys[2].value, 0.05, 0.0);
    finish();
}
