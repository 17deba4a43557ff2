// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots that start in static equilibrium, and the joint law that holds them: loads against statics, standing against
// stillness, and what cannot stand is reported with numbers.
#include "scene/scene_helpers.h"

/// A plate of 2 kg on three balls, its centre of mass off the middle; feet at (0.2, 0), (-0.1, 0.2), (-0.1, -0.2).
static void write_table(void)
{
    write_file("table.yaml", "footfall: 1\nname: table\nbodies:\n  plate:\n    joint: {name: root, type: free}\n"
                             "    inertial: {mass: 2, com: [0.03, 0.04, 0], inertia: [0.02, 0.02, 0.03]}\n    shapes:\n"
                             "      - {name: a, sphere: 0.01, pos: [0.2, 0, -0.1], material: rigid}\n"
                             "      - {name: b, sphere: 0.01, pos: [-0.1, 0.2, -0.1], material: rigid}\n"
                             "      - {name: c, sphere: 0.01, pos: [-0.1, -0.2, -0.1], material: rigid}\n");
    write_file("arm.yaml", "footfall: 1\nname: arm\nbodies: {rod: {joint: {name: hinge, axis: y},\n"
                           "  inertial: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.01, 0.01]}}}\n"
                           "poses: {low: {hinge: 0}, high: {hinge: -1}}\n");
}

#define FLOOR                                                                                                          \
    "materials: {felt: {normal: {law: hunt-crossley, stiffness: 1e4, damping: 1e4}, friction: {mu: 0.5, damping: "     \
    "50}}}\n"

static double normal_of(const char *shape)
{
    int count, shapes;
    const ff_world_contact *c = ff_world_contacts(ff_run_world(run), ff_run_sim(run), &count);
    const ff_world_shape *all = ff_world_shapes(ff_run_world(run), &shapes);
    for (int i = 0; i < count; i++)
        if (strcmp(all[c[i].shape2].name, shape) == 0) return c[i].force.normal;
    CHECK_FAIL("no contact of %s", shape);
}

// Three feet: the loads are the barycentric coordinates of the centre of mass. The plate tilts by 2 mrad, which moves
// its centre of mass, 0.1 m above the feet, by 0.2 mm of 300 mm.
TEST(loads_of_three_feet_follow_statics)
{
    write_table();
    must_load(FLOOR
              "robot: table.yaml\nplace: {pos: [1, 2, 0.3], settle: true}\nterrain: [{plane: {material: felt}}]\n");
    const double W = 2 * 9.81, a = (0.03 + 0.1) / 0.3, left = 1 - a, b = (left + 0.04 / 0.2) / 2, c = left - b;
    CHECK_NEAR(normal_of("a"), a * W, 1e-3 * W);
    CHECK_NEAR(normal_of("b"), b * W, 1e-3 * W);
    CHECK_NEAR(normal_of("c"), c * W, 1e-3 * W);
    CHECK_NEAR(normal_of("a") + normal_of("b") + normal_of("c"), W, 1e-9 * W);
    const double *q = ff_sim_q(ff_run_sim(run));
    CHECK_NEAR(q[0], 1, 1e-12); // it sinks and tilts, and stays where it was put
    CHECK_NEAR(q[1], 2, 1e-12);
    CHECK_NEAR(q[2], 0.11 - W / 3e4, 2e-4);
    finish();
}

/// The table with a load of 1 kg at (0.05, -0.1), of whose weight the share `gravcomp` is carried.
static void write_lifted_table(const char *gravcomp)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "<mujoco><worldbody><body name='plate' gravcomp='%s'><freejoint/><inertial pos='0.03 0.04 0' mass='2' "
        "diaginertia='0.02 0.02 0.03'/><geom name='a' size='0.01' pos='0.2 0 -0.1'/><geom name='b' size='0.01' "
        "pos='-0.1 0.2 -0.1'/><geom name='c' size='0.01' pos='-0.1 -0.2 -0.1'/><body name='load' pos='0.05 -0.1 0' "
        "gravcomp='0.6'><inertial pos='0 0 0' mass='1' diaginertia='0.01 0.01 0.01'/></body></body></worldbody>"
        "</mujoco>",
        gravcomp);
    write_file("lifted.xml", text);
}

// Feet carry what gravcomp leaves, about the centre of what is left.
TEST(a_lifted_robot_stands_on_the_rest_of_its_weight)
{
    write_lifted_table("0");
    must_run(FLOOR "robot: lifted.xml\nplace: {pos: [0, 0, 0.3], settle: true}\nterrain: [{plane: {material: felt}}]\n"
                   "time: 0.5\nsolver: {method: rk4, step: 0.2 ms}\n");
    const double W = 2.4 * 9.81, x = (2 * 0.03 + 0.4 * 0.05) / 2.4, y = (2 * 0.04 - 0.4 * 0.1) / 2.4;
    const double a = (x + 0.1) / 0.3, left = 1 - a, b = (left + y / 0.2) / 2;
    CHECK_NEAR(normal_of("a"), a * W, 1e-3 * W);
    CHECK_NEAR(normal_of("b"), b * W, 1e-3 * W);
    CHECK_NEAR(normal_of("a") + normal_of("b") + normal_of("c"), W, 1e-9 * W);
    CHECK_BELOW(metric("bodies.plate.speed.final"), 1e-9);
    write_lifted_table("1.2"); // 2 x 0.2 up, 1 x 0.4 down
    static const bad_scene floats = {"robot: lifted.xml\nplace: {settle: true}\nterrain: [{plane: }]\n", "3:17",
                                     "of its weight of 29.43 N, gravcomp leaves"};
    must_refuse(&floats, 1);
}

TEST(a_settled_table_stands_still)
{
    static const char *const grounds[] = {
        "plane: {material: felt}", "plane: {material: felt, rpy: [10 deg, -20 deg, 0]}",
        "box: {size: [3, 3, 1], material: felt, rpy: [0, 10 deg, 0]}",
        "heightfield: {slope: , size: [4, 4], height: 0.7, cells: [8, 8], material: felt}"};
    write_table();
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            static const char *const solvers[] = {"{method: rk4, step: 0.2 ms}", "{method: adaptive, accuracy: 1e-8}",
                                                  "{method: implicit, step: 1 ms}"};
            char text[600];
            snprintf(text, sizeof text,
                     FLOOR "robot: table.yaml\nplace: {pos: [0.1, 0.1, 0.6], settle: true}\nterrain: [{%s}]\ntime: "
                           "0.5\nsolver: %s\n",
                     grounds[i], solvers[k]);
            must_run(text);
            // Rounding of forces of 20 N on 2 kg for 0.5 s, and the last of the residual.
            CHECK_BELOW(metric("bodies.plate.speed.final"), 1e-9);
            CHECK_BELOW(metric("contacts.slip"), 1e-9);
            CHECK_NEAR(metric("contacts.slips"), 0, 0);
            CHECK_NEAR(metric("contacts.lifts"), 0, 0);
        }
    finish();
}

TEST(a_robot_with_joints_stands_by_its_feedforward)
{
    char text[700];
    snprintf(text, sizeof text,
             "robot: %s/robots/anton/anton.yaml\nplace: {settle: true}\nstart: {pose: stand}\nterrain: [{plane: }]\n"
             "control: {hold: {stiffness: 40, damping: 1}}\nsolver: {method: implicit, step: 1 ms}\ntime: 1\n"
             "metrics: {report: [energy.kinetic.max]}\n",
             FF_SOURCE_DIR);
    must_run(text);
    CHECK_BELOW(metric("energy.kinetic.max"), 1e-18);
    CHECK_NEAR(metric("contacts.count"), 6, 0);
    CHECK_NEAR(metric("joints.FL_femur.final"), acos(0.9),
               1e-12); // stands as its file says: acos((0.22 - 0.08 - 0.05) / 0.1)
    CHECK_NEAR(metric("bodies.middle.contact.force.mean"), 0, 0);
    double up = 0;
    const char *const legs[] = {"FL", "FR", "ML", "MR", "RL", "RR"};
    for (int i = 0; i < 6; i++) {
        char name[60];
        snprintf(name, sizeof name, "bodies.%s_tibia.contact.force.mean", legs[i]);
        CHECK(metric(name) > 5.0);
        up += metric(name);
    }
    CHECK_NEAR(up, 5 * 9.81, 1e-9);
    // Without the law the torques of the start hold it for a while: constant torques do not stabilise.
    snprintf(text, sizeof text,
             "robot: %s/robots/anton/anton.yaml\nplace: {settle: true}\nstart: {pose: stand}\nterrain: [{plane: }]\n"
             "solver: {method: implicit, step: 1 ms}\ntime: 0.05\n"
             "metrics: {report: [energy.kinetic.max]}\n",
             FF_SOURCE_DIR);
    must_run(text);
    CHECK_BELOW(metric("energy.kinetic.max"), 1e-15);
    finish();
}

TEST(what_cannot_stand_is_reported_with_numbers)
{
    write_table();
    static const bad_scene bad[] = {
        {FLOOR "robot: table.yaml\nplace: {settle: true}\nterrain: [{plane: {material: felt, pos: [0, 0, -5]}}]\n",
         "4:17", "no ground that carries its 19.62 N within 2 m"},
        {FLOOR "robot: table.yaml\nplace: {settle: true}\n", "4:17", "nothing in this scene can touch"},
        {FLOOR "robot: table.yaml\nplace: {settle: true}\ngravity: [0, 0, 0]\nterrain: [{plane: }]\n", "4:17",
         "no gravity"},
        {FLOOR "robot: table.yaml\nplace: {pos: [0.15, 0, 0.3], settle: true}\nterrain: [{box: {size: [0.3, 2, 0.1], "
               "material: felt}}]\n",
         "4:38", "falls over"},
        {FLOOR "robot: table.yaml\nplace: {settle: true}\nterrain: [{plane: {material: felt, rpy: [0, 30 deg, 0]}}]\n",
         "4:17", "(mu 0.5 under"},
        {FLOOR "robot: table.yaml\nplace: {settle: maybe}\n", "4:17",
         "expected true or false for 'settle', got 'maybe'"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}

/// A plate of 2 kg on two balls 0.3 m apart, its centre of mass 0.1 m behind the front one; rails along x and z, and a
/// hinge about -y between them and the plate.
static void write_sledge(const char *ahead)
{
    char text[900];
    snprintf(text, sizeof text,
             "footfall: 1\nname: sledge\nbodies:\n  plate:\n    joints:\n      ahead: {type: slide, axis: x%s}\n"
             "      down: {type: slide, axis: -z}\n      pitch: {axis: -y}\n"
             "    inertial: {mass: 2, com: [0.1, 0, 0], inertia: [0.02, 0.02, 0.03]}\n    shapes:\n"
             "      - {name: front, sphere: 0.01, pos: [0.2, 0, -0.1], material: rigid}\n"
             "      - {name: rear, sphere: 0.01, pos: [-0.1, 0, -0.1], material: rigid}\n",
             ahead);
    write_file("sledge.yaml", text);
}

#define SLEDGE FLOOR "robot: sledge.yaml\nplace: {settle: true}\n"

// Levers give the loads. The rail down, whose axis points down, takes the height; along the other one nothing pushes.
TEST(a_robot_on_rails_sinks_and_tilts_and_stays_where_nothing_pushes)
{
    write_sledge("");
    for (int k = 0; k < 3; k++) {
        static const char *const solvers[] = {"{method: rk4, step: 0.2 ms}", "{method: adaptive, accuracy: 1e-8}",
                                              "{method: implicit, step: 1 ms}"};
        char text[600];
        snprintf(text, sizeof text,
                 SLEDGE "start: {joints: {ahead: 0.7, down: 0.4}}\nterrain: [{plane: {material: felt}}]\ntime: 0.5\n"
                        "solver: %s\n",
                 solvers[k]);
        must_run(text);
        const double W = 2 * 9.81;
        CHECK_NEAR(normal_of("front"), 2 * W / 3, 1e-3 * W); // it tilts by 2 mrad, as the table above
        CHECK_NEAR(normal_of("front") + normal_of("rear"), W, 1e-9 * W);
        CHECK_NEAR(metric("joints.ahead.min"), 0.7, 1e-12);
        CHECK_NEAR(metric("joints.ahead.max"), 0.7, 1e-12);
        CHECK_NEAR(metric("joints.down.final"), W / 2e4 - 0.11, 2e-4); // axis -z
        CHECK_BELOW(metric("bodies.plate.speed.final"), 1e-9);
    }
    // a slope within the friction cone: forces of feet are vertical, and the rail is free of them
    must_run(SLEDGE "terrain: [{plane: {material: felt, rpy: [0, 10 deg, 0]}}]\ntime: 0.5\n"
                    "solver: {method: implicit, step: 1 ms}\n");
    CHECK_NEAR(metric("joints.ahead.final"), 0.0, 1e-12);
    CHECK_NEAR(metric("joints.pitch.final"), -10 * FF_PI / 180, 3e-3); // and 2 mrad, as above
    CHECK_BELOW(metric("bodies.plate.speed.final"), 1e-9);
    finish();
}

// Springs oppose: the rail along x goes to where its spring rests, that along z to m g / k.
TEST(a_robot_on_rails_with_springs_goes_to_where_they_balance)
{
    write_sledge(", spring: {stiffness: 50, rest: 0.3}");
    must_load(SLEDGE "terrain: [{plane: {material: felt}}]\n");
    CHECK_NEAR(ff_sim_q(ff_run_sim(run))[0], 0.3, 1e-9); // residual of 1e-11 of 20 N over 50 N/m
    write_file("scale.yaml",
               "footfall: 1\nname: scale\nbodies: {pan: {joint: {name: sag, type: slide, axis: -z, spring: "
               "{stiffness: 400}},\n  inertial: {mass: 1, inertia: [0.01, 0.01, 0.01]}}}\n");
    must_load("robot: scale.yaml\nplace: {settle: true}\n"); // nothing can touch, and nothing must
    CHECK_NEAR(ff_sim_q(ff_run_sim(run))[0], 9.81 / 400, 1e-12);
    must_load("robot: scale.yaml\nplace: {settle: true}\ngravity: [0, 0, 0]\nstart: {joints: {sag: 0.1}}\n");
    CHECK_NEAR(ff_sim_q(ff_run_sim(run))[0], 0.0, 1e-12);
    finish();
}

TEST(a_robot_that_cannot_stand_on_its_rails_is_reported)
{
    write_sledge("");
    static const bad_scene bad[] = {
        {SLEDGE, "4:17", "neither ground nor a spring at joint 'down' carries its 19.62 N within 2 m"},
        {SLEDGE "terrain: [{box: {size: [0.3, 1, 0.2], pos: [-0.15, 0, -0.3], material: felt}}]\n", "4:17",
         "joint 'pitch' has no motor that could hold it"}, // the front foot finds no ground
        {"materials: {glass: {normal: {law: hunt-crossley, stiffness: 1e4, damping: 1e4}, friction: {law: none}}}\n"
         "robot: sledge.yaml\nplace: {settle: true}\nterrain: [{plane: {material: glass, rpy: [0, 10 deg, 0]}}]\n",
         "4:17", "joint 'ahead' has no motor that could hold it; give its place by"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}

#define HANGING "robot: hanging.yaml\nplace: {settle: true}\n"

/// A robot of 1 kg on one joint.
static void write_hanging(const char *com, const char *joint)
{
    char text[400];
    snprintf(text, sizeof text,
             "footfall: 1\nname: hanging\nbodies: {bob: {joint: {name: j, %s}, shapes: [{sphere: 0.05}],\n"
             "  inertial: {mass: 1, com: %s, inertia: [0.01, 0.01, 0.01]}}}\n",
             joint, com);
    write_file("hanging.yaml", text);
}

static double settled_at(const char *start)
{
    char text[200];
    snprintf(text, sizeof text, HANGING "start: {joints: {j: %s}}\n", start);
    must_load(text);
    return ff_sim_q(ff_run_sim(run))[0];
}

// What hangs on a joint cannot fall over: it turns to where moments balance, however far that is. 4.905 N m is its
// weight times 0.5 m.
TEST(a_pendulum_turns_as_far_as_weight_spring_or_stop_take_it)
{
    write_hanging("[0, 0, -0.5]", "axis: y");
    CHECK_NEAR(settled_at("1"), 0.0, 1e-9);
    CHECK_NEAR(settled_at("-3"), 0.0, 1e-9);
    write_hanging("[0.5, 0, 0]", "axis: y, spring: {stiffness: 5}");
    double q = settled_at("0");
    CHECK(q > 0.6);
    CHECK_NEAR(5.0 * q, 4.905 * cos(q), 1e-9);
    write_hanging("[0, 0, -0.5]", "axis: y, range: [0.5, 3], stop: {stiffness: 1000}");
    q = settled_at("2");
    CHECK_NEAR(1000.0 * (0.5 - q), 4.905 * sin(q), 1e-6);
    finish();
}

TEST(a_joint_that_cannot_carry_its_robot_is_named)
{
    static const bad_scene inverted = {HANGING, "3:17", "its balance at joint 'j' is unstable"};
    static const bad_scene weak = {HANGING, "3:17", "neither ground nor a spring at joint 'j' carries its 9.81 N"};
    write_hanging("[0, 0, 0.5]", "axis: y, spring: {stiffness: 3}"); // less than the 4.905 N m/rad of its weight
    must_refuse(&inverted, 1);
    write_hanging("[0, 0, 0]", "type: slide, axis: z, spring: {stiffness: 1}"); // 9.81 m
    must_refuse(&weak, 1);
}

#define BIOROB                                                                                                         \
    "robot: " FF_SOURCE_DIR "/robots/biorob/biorob.yaml\neffects: {drives: ideal, transmission: flexible}\n"           \
    "solver: {method: rk4, step: 0.2 ms}\ntime: 0.5\n"

// An arm has no feet to settle on: its drives start with the gravity they carry, and nothing moves. Without it the
// springs start unwound and the arm sags, g / K first of all; with the loop of the motor, 150 N m/rad, it swings about
// g (1 / 120 + 1 / 150) and reaches twice that.
TEST(an_arm_settles_by_the_springs_of_its_drives)
{
    must_run(BIOROB "place: {settle: true}\n");
    CHECK_NEAR(metric("joints.shoulder.min"), 0.0, 1e-9); // [rad] the springs are wound to 1e-12 of their torque
    CHECK_NEAR(metric("joints.shoulder.max"), 0.0, 1e-9);
    CHECK_NEAR(metric("joints.wrist.final"), 0.0, 1e-9);
    must_run(BIOROB);
    const double gravity = 9.81 * (1.3 * 0.14 + 0.5 * 0.28 + 0.3 * 0.42 + 0.2 * 0.62);
    CHECK(metric("joints.shoulder.min") < -1.5 * gravity * (1.0 / 120.0 + 1.0 / 150.0));
    finish();
}

#define BIOBIPED_LAB                                                                                                   \
    "effects: {drives: ideal, transmission: flexible}\nplace: {settle: true}\n"                                        \
    "terrain: [{plane: {material: rigid}}]\nsolver: {method: rk4, step: 0.2 ms}\ntime: 0.5\n"
#define BIOBIPED "robot: " FF_SOURCE_DIR "/robots/biobiped/biobiped.yaml\n" BIOBIPED_LAB

// Cables that only pull, and springs without a motor that pull the other way: motors carry both, and nothing moves.
TEST(an_elastic_biped_settles_against_its_flexors)
{
    must_run(BIOBIPED "start: {pose: stand}\n");
    static const char *const names[] = {"hip", "knee", "ankle"};
    static const double stand[] = {30, -16, 8}; // [deg]
    for (int i = 0; i < 3; i++) {
        char name[40];
        snprintf(name, sizeof name, "joints.left_%s.max", names[i]);
        CHECK_NEAR(metric(name), stand[i] * FF_PI / 180, 1e-9); // [rad] wound to 1e-12 of their torque
        snprintf(name, sizeof name, "joints.left_%s.min", names[i]);
        CHECK_NEAR(metric(name), stand[i] * FF_PI / 180, 1e-9);
    }
    CHECK_INT(report.warnings, 0);
    // upright, the ankles would have to push: said, with its place
    must_run(BIOBIPED "start: {joints: {\"*_hip\": 3 deg, \"*_knee\": -3 deg, \"*_ankle\": 0}}\n");
    CHECK_SAYS(report.messages[0].text, "the single cable of drive 'left_ankle' is slack in equilibrium");
    finish();
}

// The same on rails, its pitch free: the height of the free one and the same torques, hence stillness.
TEST(a_guided_biped_settles_as_the_free_one_does)
{
    must_run(BIOBIPED "start: {pose: stand}\n");
    const double height = ff_sim_q(ff_run_sim(run))[2];
    must_run(
        "robot: " FF_SOURCE_DIR "/robots/biobiped/planar.yaml\n" BIOBIPED_LAB
        "start: {joints: {pitch: -14 deg, up: 0.1, \"*_hip\": 30 deg, \"*_knee\": -16 deg, \"*_ankle\": 8 deg}}\n");
    CHECK_NEAR(metric("joints.up.min"), height, 1e-9);
    CHECK_NEAR(metric("joints.up.max"), height, 1e-9);
    CHECK_BELOW(metric("bodies.torso.speed.final"), 1e-9);
    finish();
}

// Two cables of 96 kN/m, pretensioned by 2 mm, on a pulley of 25 mm: one hangs beyond 2 k x0 r = 9.6 N m. The other
// joint is given 6.
TEST(a_pair_of_cables_that_goes_slack_is_reported_with_drive_time_and_cause)
{
    must_run("robot: " FF_SOURCE_DIR "/robots/drives/cables.yaml\neffects: {drives: full, transmission: flexible}\n"
             "forces: [{joint: taut, value: -6, from: 0, to: 10}, {joint: slack, value: -15, from: 0, to: 10}]\n"
             "solver: {method: rk4, step: 1e-3}\ntime: 0.5\n");
    const int before = report.count;
    ff_run_report_limits(run, &report);
    CHECK_INT(report.count, before + 1);
    CHECK_SAYS(report.messages[before].text, "a cable of drive 'slack' goes slack at 0.0");
    CHECK_SAYS(report.messages[before].text, "a pretension of 2 mm keeps both taut up to 9.6");
    finish();
}

// kp (0 - q) = m g l cos q, q below zero being up (axis y): the arm sags until the spring carries it.
TEST(joints_are_held_by_the_law_that_is_written)
{
    write_table();
    must_run("robot: arm.yaml\ncontrol: {hold: {stiffness: 100, damping: 10}}\ntime: 5\nsolver: {method: rk4, step: 1 "
             "ms}\n");
    double q = metric("joints.hinge.final");
    CHECK_NEAR(100 * q, 9.81 * 0.5 * cos(q), 1e-9);
    must_run("robot: arm.yaml\ncontrol: {hold: {stiffness: 100, damping: 10}}\ntime: 5\nsolver: {method: implicit, "
             "step: 1 ms}\n");
    CHECK_NEAR(metric("joints.hinge.final"), q, 1e-9);
    finish();
}

// Without weight the law follows its target up to the lag of the acceleration, I q'' / kp = 0.26 * 6 * 2^2 / 1e5.
TEST(a_cycle_goes_through_its_poses)
{
    write_table();
    static const struct {
        double time, target;
    } marks[] = {{0.5, -1}, {1, 0}, {1.25, -0.5}, {2.5, -1}};
    for (int i = 0; i < 4; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "robot: arm.yaml\ngravity: [0, 0, 0]\ncontrol: {hold: {stiffness: 1e5, damping: 1e3}, cycle: {poses: "
                 "[low, high], period: 1}}\n"
                 "time: %g\nsolver: {method: implicit, step: 1 ms}\n",
                 marks[i].time);
        must_run(text);
        CHECK_NEAR(metric("joints.hinge.final"), marks[i].target, 1e-4);
    }
    finish();
}

TEST(poses_of_a_robot_are_there_beside_objects_too)
{
    write_table();
    must_run("robot: arm.yaml\ngravity: [0, 0, 0]\nobjects: [{name: ball, sphere: 0.1, mass: 1, pos: [5, 0, 0], "
             "velocity: [0, 1, 0]}]\n"
             "control: {hold: {stiffness: 1e5, damping: 1e3}, cycle: {poses: [low, high], period: 1}}\n"
             "time: 0.5\nsolver: {method: implicit, step: 1 ms}\n");
    CHECK_NEAR(metric("joints.hinge.final"), -1, 1e-4);
    CHECK_NEAR(metric("bodies.ball.y.final"), 0.5, 1e-9); // nobody holds it
    finish();
}

TEST(bad_control_is_reported)
{
    write_table();
    static const bad_scene bad[] = {
        {"robot: arm.yaml\ncontrol: {walk: tripod}\n", "3:11",
         "unknown key 'walk'; known here: arm, biped, callback, climb"},
        {"robot: arm.yaml\ncontrol: {}\n", "3:10", "the kinds are hold, arm"},
        {"robot: arm.yaml\ncontrol: {hold: {stiffness: 1}}\n", "3:17", "key 'damping' is missing"},
        {"robot: arm.yaml\ncontrol: {hold: {stiffness: -1, damping: 0}}\n", "3:29", "'stiffness' is -1"},
        {"robot: arm.yaml\ncontrol: {hold: {stiffness: 1, damping: 0, gain: 1}}\n", "3:44", "unknown key 'gain'"},
        {"robot: arm.yaml\ncontrol: {hold: {stiffness: 1, damping: 0}, cycle: {poses: [low], period: 1}}\n", "3:60",
         "expected 2 to 100 words for 'poses', got 1: keyframes"},
        {"robot: arm.yaml\ncontrol: {hold: {stiffness: 1, damping: 0}, cycle: {poses: [low, up], period: 1}}\n", "3:66",
         "no pose 'up'"},
        {"robot: arm.yaml\ncontrol: {hold: {stiffness: 1, damping: 0}, cycle: {poses: [low, high], period: 0}}\n",
         "3:81", "'period' is 0 s"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}
