// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scene files: what they build, that runs follow the laws of mechanics, and that bad ones are refused with their place.
#include "scene_helpers.h"

/// A point mass of 2 kg that is free, a pendulum of length 1 m, and one that can only slide up and down.
static void write_robots(void)
{
    write_file("ball.yaml",
               "footfall: 1\nname: ball\nbodies: {ball: {joint: {name: root, type: free}, pos: [0, 0, 1],\n"
               "  inertial: {mass: 2, sphere: 0.1}}}\n"
               "poses: {high: {root: {pos: [0, 0, 10]}}}\n");
    write_file("pendulum.yaml", "footfall: 1\nname: pendulum\nbodies: {rod: {joint: {name: hinge, axis: y},\n"
                                "  inertial: {mass: 1, com: [0, 0, -1], inertia: [0.01, 0.01, 0.01]}}}\n");
    write_file("slider.yaml", "footfall: 1\nname: slider\nbodies: {block: {joint: {name: up, type: slide, axis: z},\n"
                              "  inertial: {mass: 2, sphere: 0.1}}}\n");
}

TEST(a_thrown_ball_flies_a_parabola)
{
    write_robots();
    must_run("robot: ball.yaml\nplace: {pos: [5, 0, 0]}\nstart: {pose: high, v: [3, 0, 4, 0, 0, 1]}\n"
             "solver: {method: rk4, step: 10 ms}\ntime: 2\n"
             "expect:\n"
             "  - {metric: com.x, is: 5 + 3 * 2, within: 1e-12, source: mechanics}\n"
             "  - {metric: com.z, is: 10 + 4 * 2 - 9.81 * 2^2 / 2, within: 1e-12}\n"
             "  - {metric: com.highest, at_least: 10.8, at_most: 10 + 4^2 / (2 * 9.81)}\n"
             "  - {metric: energy.drift, at_most: 1e-11}\n");
    for (int i = 0; i < scene->nexpectation; i++)
        if (!ff_run_result(run)->expectations[i].met)
            CHECK_FAIL("%s = %.17g", ff_run_result(run)->expectations[i].metric,
                       ff_run_result(run)->expectations[i].got);
    CHECK(ff_run_result(run)->passed);
    CHECK_NEAR(metric("time"), 2.0, 0.0);
    CHECK_NEAR(metric("momentum.linear.drift"), 0.0, 1e-12);
    CHECK_TEXT(ff_run_result(run)->expectations[0].source, "mechanics");
    finish();
}

TEST(a_missed_expectation_is_reported)
{
    write_robots();
    must_run("robot: ball.yaml\ntime: 1\nexpect: [{metric: com.z, is: 7, within: 0.1}]\n");
    CHECK(!ff_run_result(run)->passed);
    CHECK(!ff_run_result(run)->expectations[0].met);
    CHECK(isfinite(ff_run_result(run)->expectations[0].got));
    finish();
}

// Upwards 3 m g for 1 s, then free: z = a t^2/2 with a = 2 g, then v = 2 g.
TEST(a_force_acts_in_its_window_only)
{
    write_robots();
    must_run(
        "robot: slider.yaml\nforces: [{joint: up, value: 3 * 2 * 9.81, from: 0.5, to: 1.5}]\ngravity: [0, 0, -9.81]\n"
        "solver: {method: rk4, step: 7 ms}\ntime: 2\n");
    double g = 9.81, z1 = -g * 0.5 * 0.5 / 2, v1 = -g * 0.5; // after the fall of half a second
    double z2 = z1 + v1 + g, v2 = v1 + 2 * g;                // after one second with 2 g upwards
    double z3 = z2 + v2 * 0.5 - g * 0.125;
    CHECK_NEAR(metric("joints.up.final"), z3, 1e-12);
    CHECK_NEAR(metric("energy.drift"), 0.0, 1e-10); // counted from the end of the force
    finish();
}

// A push of 3 N s on a ball of 2 kg through its centre gives 1.5 m/s and no spin; at a point beside the centre the same
// speed of the centre of mass, and the moment r x p.
TEST(an_impulse_pushes_a_body)
{
    write_robots();
    static const char *const methods[] = {"{method: rk4, step: 7 ms}", "{method: implicit, step: 7 ms}",
                                          "{method: adaptive, accuracy: 1e-9}"};
    for (int i = 0; i < 3; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "gravity: [0, 0, 0]\nobjects: [{name: a, sphere: 0.1, mass: 2}, {name: b, sphere: 0.1, mass: 2, pos: "
                 "[9, 0, 0]}]\n"
                 "forces: [{body: a, impulse: [0, 3, 0], from: 0.5, to: 0.6}, {body: b, force: [0, 30, 0], at: [1 mm, "
                 "0, 0], from: 0.5, to: 0.6}]\n"
                 "solver: %s\ntime: 1\nexpect: [{metric: bodies.a.vy.final, at_least: 0}, {metric: "
                 "bodies.a.spin.final, at_most: 9}, {metric: "
                 "bodies.b.vy.final, at_least: 0}, {metric: bodies.b.spin.final, at_least: 0}]\n",
                 methods[i]);
        must_run(text);
        CHECK_NEAR(ff_run_result(run)->expectations[0].got, 1.5, 1e-9); // [m/s] p / m
        CHECK_NEAR(ff_run_result(run)->expectations[1].got, 0.0, 1e-12);
        CHECK_NEAR(ff_run_result(run)->expectations[2].got, 1.5, 1e-3);
        // r p / I with I = 2/5 m r^2; the lever shortens by cos of the angle turned meanwhile, 0.02 rad
        CHECK_NEAR(ff_run_result(run)->expectations[3].got, 0.003 / (0.4 * 2 * 0.01), 1e-3);
        CHECK_NEAR(metric("ledger.residual"), 0.0, 1e-2); // [J] of 4.5: first order where methods are
        finish();
    }
}

TEST(two_robots_share_one_model)
{
    write_robots();
    must_run("robots:\n"
             "  - {name: a, file: ball.yaml, place: {pos: [0, 1, 0]}}\n"
             "  - {name: b, file: pendulum.yaml, place: {pos: [0, 0, 3]}, start: {joints: {hinge: 90 deg}, speeds: "
             "{hinge: 2}}}\n"
             "  - {name: c, file: ball.yaml, prefix: other-, start: {q: [1, 2, 3, 1, 0, 0, 0]}}\n"
             "gravity: [0, 0, 0]\ntime: 1\nsolver: {method: rk4, step: 1 ms}\n");
    CHECK_INT(scene->nrobot, 3);
    CHECK_INT(scene->model->nv, 13);
    CHECK_INT(scene->model->ntree, 3);
    CHECK_TEXT(scene->robots[1].name, "b");
    CHECK_INT(scene->robots[2].qadr, 8);
    CHECK(ff_model_find_body(scene->model, "a_ball") >= 0);
    CHECK(ff_model_find_joint(scene->model, "other-root") >= 0);
    CHECK_NEAR(scene->q[1], 1.0, 0.0);
    CHECK_NEAR(scene->q[7], FF_PI / 2, 1e-15);
    CHECK_NEAR(scene->q[10], 3.0, 0.0);
    CHECK_NEAR(metric("joints.b_hinge.final"), FF_PI / 2 + 2.0, 1e-12); // weightless: it turns on
    finish();
}

// Placing a robot turns it as a whole: its rest pose, and the velocity of its free base.
TEST(place_turns_the_start_along)
{
    write_robots();
    must_load("robot: ball.yaml\nplace: {pos: [1, 2, 3], rpy: [0, 0, 90 deg]}\n"
              "start: {joints: {root: {pos: [1, 0, 0]}}, v: [1, 0, 0, 0, 0, 0]}\n");
    const double q[7] = {1, 3, 3, sqrt(0.5), 0, 0, sqrt(0.5)};
    for (int i = 0; i < 7; i++) CHECK_NEAR(scene->q[i], q[i], 1e-15);
    CHECK_NEAR(scene->v[1], 1.0, 1e-15);
    finish();
}

// Keyframes of the robot move with it, and give their commands to actuators that are no drives.
TEST(place_and_start_use_keyframes_whole)
{
    write_file("valve.xml",
               "<mujoco><compiler angle='radian'/><worldbody><body name='b'><freejoint/><geom size='0.1'/>"
               "<body><joint name='j' axis='0 1 0'/><geom size='0.1' pos='0 0 0.3'/></body></body>"
               "</worldbody><actuator><motor joint='j' name='d'/><general name='v' joint='j' "
               "dyntype='filter' dynprm='0.5'/></actuator><keyframe><key name='k' qpos='1 0 0 1 0 0 0 0.2' "
               "ctrl='0 0.25' act='0.75'/></keyframe></mujoco>");
    must_load("robot: valve.xml\nplace: {pos: [1, 2, 3], rpy: [0, 0, 90 deg]}\nstart: {pose: k}\ntime: 0.1\n"
              "effects: {drives: ideal}\n");
    const double q[8] = {1, 3, 3, sqrt(0.5), 0, 0, sqrt(0.5), 0.2};
    for (int i = 0; i < 8; i++) CHECK_NEAR(scene->q[i], q[i], 1e-15);
    for (int i = 0; i < 8; i++) CHECK_NEAR(scene->model->keys[0].q[i], q[i], 1e-15);
    must_go();
    ff_sim *sim = ff_run_sim(run);
    CHECK_NEAR(ff_sim_activation(sim, ff_sim_find_actuator(sim, "v")), 0.25 + 0.5 * exp(-0.2), 1e-4);
    finish();
}

/// A slider of 2 kg without gravity.
#define SLIDER(name)                                                                                                   \
    "<body><joint name='" name "' type='slide'/><geom size='.1' mass='2' contype='0' conaffinity='0'/></body>"

// Drives get what the keyframe commands, too: a force of 3 x 0.5 N on 2 kg for a second; servos of the length 2 q and
// of its speed, which end where their command is; and mocap bodies stand where it puts them, moved with the robot.
TEST(keyframes_command_drives_and_place_mocap_bodies)
{
    write_file("sliders.xml",
               "<mujoco><option gravity='0 0 0'/><worldbody><body name='hand' mocap='true'/>" SLIDER("a") SLIDER("b")
                   SLIDER("c") "</worldbody><actuator><motor joint='a' name='a' gear='3'/>"
                               "<position joint='b' name='b' gear='2' kp='25' kv='5'/>"
                               "<velocity joint='c' name='c' gear='2' kv='20'/></actuator><keyframe>"
                               "<key name='k' ctrl='.5 .4 .6' mpos='1 0 0' mquat='1 0 0 0'/></keyframe></mujoco>");
    must_load("robot: sliders.xml\nplace: {pos: [1, 2, 3], rpy: [0, 0, 90 deg]}\nstart: {pose: k}\ntime: 1\n"
              "effects: {drives: ideal}\nsolver: {method: rk4, step: 0.5 ms}\n");
    must_go();
    ff_sim *sim = ff_run_sim(run);
    double pos[3], quat[4];
    CHECK_NEAR(ff_sim_joint_speed(sim, ff_sim_find_joint(sim, "a")), 0.75, 1e-9);
    CHECK_NEAR(ff_sim_joint_position(sim, ff_sim_find_joint(sim, "b")), 0.2,
               0.2 * 0.01); // 100 N/m and 20 N s/m: exp(-5) of the way are left
    CHECK_NEAR(ff_sim_joint_speed(sim, ff_sim_find_joint(sim, "c")), 0.3, 1e-6);
    ff_dyn_body_pose(scene->model, ff_sim_data(sim), ff_model_find_body(scene->model, "hand"), pos, quat);
    CHECK_NEAR(pos[0], 1.0, 1e-15);
    CHECK_NEAR(pos[1], 3.0, 1e-15);
    CHECK_NEAR(pos[2], 3.0, 1e-15);
    finish();
}

// m z'' = -k (z - rest) - m g about the equilibrium rest - m g / k with sqrt(k / m) = 10 rad/s, over half a period.
TEST(a_line_spring_swings_at_its_frequency)
{
    write_robots();
    must_run(
        "robot: slider.yaml\ngravity: [0, 0, -1]\nsolver: {method: rk4, step: 1 ms}\n"
        "springs: [{between: [world, block], at: [[0, 0, 5], [0, 0, 0]], stiffness: 200, rest: 5}]\ntime: pi / 10\n"
        "record: {rate: 100, channels: [energy]}\n");
    CHECK_NEAR(metric("joints.up.final"), -0.02, 1e-9);
    CHECK_NEAR(metric("energy.drift"), 0.0, 1e-9); // the spring's energy is counted
    CHECK(ff_recorder_rows(ff_run_recorder(run)) >= 31);
    finish();
}

TEST(an_axis_spring_with_damping_settles_where_statics_says)
{
    write_robots();
    must_run("robot: ball.yaml\nsolver: {method: rk4, step: 1 ms}\n"
             "springs: [{between: [world, ball], stiffness: [100, 100, 1000], damping: [20, 20, 80], rest: [1, 2, "
             "3]}]\ntime: 10\n");
    CHECK_NEAR(metric("com.x"), 1.0, 1e-9);
    CHECK_NEAR(metric("com.y"), 2.0, 1e-9);
    CHECK_NEAR(metric("com.z"), 3.0 - 2 * 9.81 / 1000, 1e-9);
    finish();
}

TEST(overrides_change_the_scene_and_are_kept_in_its_text)
{
    write_robots();
    static const char *const sets[] = {"time=0.5", "solver.method=rk2", "start.joints.hinge=0.25"};
    CHECK(load_with("robot: pendulum.yaml\ntime: 9\n", sets, 3));
    CHECK_NEAR(scene->time, 0.5, 0.0);
    CHECK_INT(scene->options.method, FF_METHOD_RK2);
    CHECK_NEAR(scene->q[0], 0.25, 0.0);
    CHECK_SAYS(scene->text, "# --set solver.method=rk2\n");
    static const char *const bad[] = {"time", "time=abc", "nonsense.key=1"};
    static const char *const says[] = {"write path=value", "'abc' is not a number", "unknown key 'nonsense'"};
    for (int i = 0; i < 3; i++) {
        CHECK(!load_with("robot: pendulum.yaml\n", &bad[i], 1));
        CHECK_SAYS(message(0), says[i]);
    }
    finish();
}

TEST(a_method_that_set_chose_says_what_it_uses_and_what_to_write)
{
    static const struct {
        const char *solver, *set[2], *says; // NULL: nothing is to be said
    } cases[] = {
        {"{method: adaptive, accuracy: 1e-8}",
         {"solver.method=rk4", NULL},
         "s.yaml:3:28: warning: 'accuracy' is not used by 'rk4', which --set chose: its step is 0.001 s, the default; "
         "for "
         "another write --set solver.method=rk4 --set solver.step=1e-4"},
        {"{method: adaptive, max_step: 1 ms}",
         {"solver.method=euler", "solver.step=1e-4"},
         "s.yaml:3:28: warning: 'max_step' is not used by 'euler', which --set chose: its step is 0.0001 s"},
        {"{method: rk4, step: 1e-4}",
         {"solver.method=adaptive", NULL},
         "s.yaml:3:23: warning: 'step' is not used by 'adaptive', which --set chose: its accuracy is 1e-06, the "
         "default; "
         "for another write --set solver.method=adaptive --set solver.accuracy=1e-8"},
        {"{method: rk4, step: 1e-4}",
         {"solver.method=implicit", "solver.accuracy=1e-2"},
         "s.yaml:3:23: warning: 'step' is not used by 'implicit', which --set chose: its accuracy is 0.01"},
        {"{method: adaptive, max_step: 1 ms}", {"solver.method=implicit", NULL}, NULL},
        {"{method: adaptive, accuracy: 1e-4, absolute: 1e-7}",
         {"solver.method=implicit", NULL},
         "'absolute' is not used by 'implicit', which --set chose: its accuracy is 0.0001"},
        {"{method: rk4, step: 1e-4}", {"solver.method=implicit", NULL}, NULL},
    };
    write_robots();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "robot: pendulum.yaml\nsolver: %s\n", cases[i].solver);
        CHECK(load_with(text, cases[i].set, cases[i].set[1] ? 2 : 1));
        CHECK_INT(report.warnings, cases[i].says ? 1 : 0);
        if (!cases[i].says) continue;
        CHECK_SAYS(message(0), cases[i].says);
        CHECK(!strstr(message(0), "for another write") ==
              !strstr(cases[i].says, "--set solver.")); // where it was not given
    }
    static const char *const both[] = {"solver.method=rk4", "solver.accuracy=1e-3"}; // nobody but --set said so
    CHECK(!load_with("robot: pendulum.yaml\n", both, 2));
    CHECK_SAYS(message(0), "'accuracy' does not go with this method; it belongs to adaptive");
    finish();
}

TEST(bad_scenes_are_refused_with_their_place)
{
    write_robots();
    static const char *const cases[][2] = {
        {"time: 1", "a scene needs a robot"},
        {"robot: nowhere.yaml", "nowhere.yaml: error: cannot read"},
        {"robot: ball.yaml\nrobots: [ball.yaml]", "either 'robot' or 'robots'"},
        {"robots: []", "expected 1 to 1000 items for 'robots', got 0"},
        {"robot: ball.yaml\ntime: -1", "'time' is -1 s: it must be above 0 and at most 255600 s"},
        {"robot: ball.yaml\ntimes: 1", "unknown key 'times'; did you mean 'time'?"},
        {"robot: ball.yaml\nsolver: {method: magic}", "magic"},
        {"robot: ball.yaml\nsolver: {method: rk4, accuracy: 1e-3}", "'accuracy' does not go with this method"},
        {"robot: ball.yaml\nsolver: {method: adaptive, step: 1e-3}", "'step' does not go with this method"},
        {"robot: ball.yaml\nsolver: {step: 0}", "'step' is 0"},
        {"robot: ball.yaml\nsolver: {method: adaptive, accuracy: 1e-13}", "it must be between 1e-12 and 0.1"},
        {"robot: ball.yaml\nsolver: {accuracy: 1e-10}", "an accuracy of 1e-10 is beyond 'implicit'"},
        {"robot: ball.yaml\nstart: {pose: hihg}", "no pose 'hihg'; it has 'high'"},
        {"robot: ball.yaml\nstart: {joints: {knee: 1}}", "no joint 'knee'"},
        {"robot: ball.yaml\nstart: {q: [1, 2]}", "expected 7 numbers, got 2"},
        {"robot: ball.yaml\nforces: [{joint: knee, value: 1}]", "no joint 'knee'"},
        {"robot: ball.yaml\nforces: [{joint: root, dof: 6, value: 1}]", "'dof' is 6: it must be between 0 and 5"},
        {"robot: ball.yaml\nforces: [{body: nobody, force: [1, 0, 0]}]", "no body 'nobody'"},
        {"robot: ball.yaml\nforces: [{value: 1}]", "one of a 'joint' and a 'body'"},
        {"robot: ball.yaml\nforces: [{body: ball, value: 1}]", "one of 'force: [x, y, z]' and 'impulse"},
        {"robot: ball.yaml\nforces: [{body: ball, impulse: [1, 0, 0]}]", "give 'to'"},
        {"robot: ball.yaml\nforces: [{joint: root, value: 1, from: 2, to: 1}]", "no window of time"},
        {"robot: ball.yaml\nsprings: [{between: [ball, moon], stiffness: 1}]", "no body 'moon'"},
        {"robot: ball.yaml\nsprings: [{between: [ball, world], stiffness: -1}]",
         "'stiffness' is -1 N/m: it must be zero or more"},
        {"robot: ball.yaml\nsprings: [{between: [ball, world], at: [[0, 0], [0, 0, 0]], stiffness: 1}]",
         "expected 3 numbers, got 2"},
        {"robots: [[ball.yaml]]", "expected a word or text or {file: .., "},
        {"robot: ball.yaml\nexpect: [{metric: energy.drif, at_most: 1}]", "did you mean 'energy.drift'?"},
        {"robot: ball.yaml\nexpect: [{metric: energy.drift, at_most: 1 N}]",
         "'1 N' has the wrong unit: 'at_most' is in J"},
        {"robot: ball.yaml\nexpect: [{metric: bodies.ball.z.final, is: 1 cm, within: 1 s}]", "'within' is in m"},
        {"robot: ball.yaml\nexpect: [{metric: contacts.count, at_least: 1 mm}]", "'at_least' is a number without one"},
        {"robot: ball.yaml\nexpect: [{metric: joints.knee.final, at_most: 1}]", "no metric"},
        {"robot: ball.yaml\nexpect: [{metric: time, is: 1}]", "'is' and 'within' go together"},
        {"robot: ball.yaml\nexpect: [{metric: time}]", "nothing is expected here"},
        {"robot: ball.yaml\nrecord: {rate: 0, channels: []}", "'rate' is 0"},
        {"robots: [{name: a, file: ball.yaml}, {name: a, file: ball.yaml}]", "two robots are called 'a'"},
        {"robot: {file: ball.yaml, place: {}}\nplace: {pos: [0, 0, 1]}", "'place' is given twice"},
        {"- 1", "YAML"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (load(cases[i][0])) CHECK_FAIL("case %zu accepted: %s", i, cases[i][0]);
        CHECK(report.errors >= 1);
        CHECK_SAYS(message(0), cases[i][1]);
    }
    finish();
}

TEST(an_unknown_channel_is_reported_with_its_place)
{
    write_robots();
    CHECK(!load("robot: ball.yaml\nrecord: {rate: 100, channels: [energy, feet.force]}\n"));
    CHECK_SAYS(message(0), "s.yaml:3:40: error:");
    CHECK_SAYS(message(0), "feet.force");
    must_load("robot: ball.yaml\nsprings: [{between: [ball, world], stiffness: 1}]\n"
              "record: {rate: 100, channels: [energy.parts, base, 'bodies.*.pos']}\n");
    finish();
}

TEST(scene_files_are_reported_from_robot_files)
{
    const char *a = "footfall: 1\nrobot: x.yaml\n", *b = "footfall: 1\nbodies: {}\n", *c = "<robot/>";
    CHECK(ff_scene_detect(a, strlen(a)));
    CHECK(!ff_scene_detect(b, strlen(b)));
    CHECK(!ff_scene_detect(c, strlen(c)));
    CHECK(!ff_scene_detect("", 0));
}

TEST(metrics_can_be_listed)
{
    const char *unit = NULL, *meaning = NULL;
    int n = 0;
    while (ff_scene_metric_help(n, &unit, &meaning)) {
        CHECK(unit && strlen(meaning) > 10);
        n++;
    }
    CHECK(n >= 15);
    CHECK(!ff_scene_metric_help(-1, &unit, &meaning));
}

/// Runs a file of experiments/; every expectation must be met.
static void run_experiment(const char *name)
{
    char path[400];
    snprintf(path, sizeof path, "%s/experiments/%s", FF_SOURCE_DIR, name);
    must_load_file(path, NULL, 0);
    CHECK_INT(report.count, 0);
    must_go();
    for (int i = 0; i < scene->nexpectation; i++) {
        const ff_expectation *e = &ff_run_result(run)->expectations[i];
        printf("  %s = %.6g\n", e->metric, e->got);
        if (!e->met) CHECK_FAIL("%s = %.17g, not as expected", e->metric, e->got);
    }
}

TEST(the_climber_keeps_its_energy)
{
    if (CHECK_LASTS(0, 1)) SKIP("seconds of tumbling, which the book begins where sanitizers watch");
    run_experiment("tumble.yaml");
    finish();
}

// Energy to 1e-9, momentum to 1e-10 over 10 s: the bounds stand in the file.
TEST(anton_adrift_keeps_energy_and_momentum)
{
    run_experiment("anton-float.yaml");
    CHECK(metric("energy.kinetic.final") > 0.1);
    finish();
}

TEST(silvas_body_settles_while_it_falls)
{
    if (CHECK_LASTS(0, 1)) SKIP("a second of falling, which the book begins where sanitizers watch");
    run_experiment("silva-drop.yaml");
    // Every segment ends where its neighbour wants it, the two ties of the scene included.
    static const char *const ties[] = {"FR_x", "ML_x", "MR_x", "RL_x", "RR_x"};
    for (int i = 0; i < 5; i++) {
        char name[40];
        snprintf(name, sizeof name, "joints.%s.final", ties[i]);
        CHECK_NEAR(metric(name), 0.0, 1e-4); // [m] of 0.05 at the start
    }
    finish();
}

// The body is a ladder of equal springs, three rungs and two rails. A pair of forces on the two ends of its last rung
// stretches it by F / K times the resistance of that rung in a ladder of unit resistors: 1 || (2 + 1 || (2 + 1)) =
// 11/15. Only with all seven ties: the five of the tree alone would give 1.
TEST(silvas_body_is_a_ladder_of_springs)
{
    if (CHECK_LASTS(0, 1)) SKIP("seconds of settling, whose numbers are checked without sanitizers");
    write_robots();
    static char text[2000];
    snprintf(text, sizeof text,
             "robot: %s/robots/silva/silva.yaml\ngravity: [0, 0, 0]\n"
             "define: {tie: &tie {stiffness: [1e5, 0, 1e4], damping: [1e3, 0, 1e2]}}\n"
             "springs: [{between: [FR, MR], <<: *tie}, {between: [MR, RR], <<: *tie}]\n"
             "forces: [{joint: RR_x, value: 100}]\n"
             "solver: {method: rk4, step: 0.1 ms}\ntime: 2\n",
             FF_SOURCE_DIR);
    must_run(text);
    CHECK_NEAR(metric("joints.RR_x.final"), 100 / 1e5 * 11 / 15, 1e-8); // [m] legs still sway a little
    finish();
}

TEST(a_scene_without_a_solver_runs_implicitly_by_error)
{
    write_robots();
    must_load("robot: ball.yaml\n");
    CHECK_INT(scene->options.method, FF_METHOD_IMPLICIT);
    CHECK_NEAR(scene->options.accuracy, 1e-3, 0);
    finish();
    must_load("robot: ball.yaml\nsolver: {step: 2 ms}\n");
    CHECK_INT(scene->options.method, FF_METHOD_IMPLICIT);
    CHECK_NEAR(scene->options.accuracy, 0, 0);
    CHECK_NEAR(scene->options.step, 2e-3, 0);
    finish();
    must_load("robot: ball.yaml\nsolver: {method: euler}\n");
    CHECK_NEAR(scene->options.accuracy, 0, 0);
    CHECK_NEAR(scene->options.step, 1e-3, 0);
    finish();
}

// More than 100 characters: two of them differ at the end alone.
#define LONG                                                                                                           \
    "a_name_that_is_longer_than_anybody_would_write_by_hand_but_a_program_that_makes_scenes_well_may_write_it_some_"   \
    "day"
TEST(names_of_objects_are_kept_whole)
{
    must_load("time: 0.01\nobjects: [{name: " LONG "_1, sphere: 0.1, mass: 1, count: [1, 1, 2], spacing: [1, 1, 1]}, "
              "{name: " LONG "_2, sphere: 0.1, mass: 1, moves: z}]\n");
    CHECK(ff_model_find_body(scene->model, LONG "_12") >= 0);
    CHECK(ff_model_find_joint(scene->model, LONG "_2_z") >= 0);
    finish();
}
