// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures of walking of whole scenes, against closed forms: bodies that glide, turn, swing and slide as their makers
// intend, a robot that stands and marches, drives whose work is known, falls whose time is known.
#include "scene/scene_helpers.h"

#include "support/allocations.h"

#define ANTON "robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\n"
#define FLOOR "terrain: [{plane: {}}]\n"

/// A trunk of 3 kg on `joints`, 1 m up, with one leg of 1 kg that turns about its own axis; the foot is half a metre
/// below.
static void write_trunk(const char *joints, const char *shapes)
{
    char text[1500];
    snprintf(text, sizeof text,
             "footfall: 1\nbodies:\n  trunk:\n    pos: [0, 0, 1]\n    joints: {%s}\n"
             "    inertial: {mass: 3, sphere: 0.1}\n    shapes: [%s]\n    bodies:\n      shin:\n"
             "        joint: {name: knee, axis: z}\n        inertial: {mass: 1, sphere: 0.05}\n"
             "        shapes: [{sphere: 0.03, pos: [0, 0, -0.5]}]\n        frames: {foot: {pos: [0, 0, -0.5]}}\n"
             "legs: {L: {joints: [knee], foot: foot}}\n",
             joints, shapes);
    write_file("trunk.yaml", text);
}

// ------------------------------------------------------------------------------------------ motion

// A body that glides straight and spins: v = (0.3, 0.4) m/s, w = 0.5 rad/s. Along its own turning heading the mean
// speed is (1/T) int v . (cos w t, sin w t) dt.
TEST(speeds_heading_and_course_of_a_gliding_body_that_spins)
{
    write_trunk("base: {type: planar, axis: z}", "");
    must_run("robot: trunk.yaml\nstart: {speeds: {base: [0.3, 0.4, 0.5]}}\n" FLOOR
             "solver: {method: rk4, step: 1 ms}\ntime: 3\nmetrics: {from: 1, windows: {early: {to: 0.5}}}\n");
    const double w = 0.5, a = 0.5, b = 1.5; // heading at 1 s and at 3 s
    CHECK_NEAR(metric("walk.time"), 2.0, 1e-9);
    CHECK_NEAR(metric("walk.distance"), 1.0, 1e-9);
    CHECK_NEAR(metric("walk.speed.mean"), 0.5, 1e-9);
    CHECK_NEAR(metric("walk.course"), atan2(0.4, 0.3) - a, 1e-9);
    CHECK_NEAR(metric("walk.turned"), b - a, 1e-9);
    CHECK_NEAR(metric("walk.heading.error"), b - a, 1e-9); // nothing was commanded
    CHECK_NEAR(metric("walk.heading.max"), b - a, 1e-9);
    const double forward = (0.3 * (sin(b) - sin(a)) - 0.4 * (cos(b) - cos(a))) / (w * 2.0);
    const double sideways = (0.4 * (sin(b) - sin(a)) + 0.3 * (cos(b) - cos(a))) / (w * 2.0);
    // 10 ms are taken with the heading of their middle: an error of (w 10 ms)^2 / 24 of the speed
    CHECK_NEAR(metric("walk.speed.forward"), forward, 1e-6);
    CHECK_NEAR(metric("walk.speed.sideways"), sideways, 1e-6);
    CHECK_NEAR(metric("early.time"), 0.5, 1e-9);
    CHECK_NEAR(metric("early.distance"), 0.25, 1e-9);
    CHECK_NEAR(metric("early.heading.error"), 0.25, 1e-9);
    CHECK(isnan(metric("walk.duty"))); // it never touches
    CHECK(isnan(metric("walk.energy")));
    CHECK(isnan(metric("walk.margin.min")));
    CHECK_NEAR(metric("walk.support.min"), 0, 0);
    CHECK_NEAR(metric("walk.falls"), 0, 0);
    finish();
}

// 0.084 m/s at 178 degrees from the heading, by a robot whose heading does not turn.
TEST(a_body_that_goes_backwards_says_so)
{
    const double speed = 0.084, course = 178.0 * FF_PI / 180.0, heading = 0.3;
    char text[400];
    write_trunk("base: {type: planar, axis: z}", "");
    snprintf(text, sizeof text,
             "robot: trunk.yaml\nstart: {joints: {base: [0, 0, %.17g]}, speeds: {base: [%.17g, %.17g, 0]}}\n" FLOOR
             "solver: {method: rk4, step: 1 ms}\ntime: 1\n",
             heading, speed * cos(heading + course), speed * sin(heading + course));
    must_run(text);
    CHECK_NEAR(metric("walk.speed.mean"), speed, 1e-12);
    CHECK_NEAR(metric("walk.course"), course, 1e-12);
    CHECK_NEAR(metric("walk.speed.forward"), speed * cos(course), 1e-12);
    CHECK_NEAR(metric("walk.speed.sideways"), speed * sin(course), 1e-12);
    CHECK(isnan(metric("walk.command.forward"))); // nobody commands
    CHECK(isnan(metric("walk.command.reached")));
    finish();
}

/// What was reached of a command that did not change within the window.
static double reached(double ahead, double left, const char *window)
{
    char forward[60], sideways[60];
    snprintf(forward, sizeof forward, "%s.speed.forward", window);
    snprintf(sideways, sizeof sideways, "%s.speed.sideways", window);
    return (ahead * metric(forward) + left * metric(sideways)) / (ahead * ahead + left * left);
}

// 0.04 m/s for half a second, 0.06 m/s for another, 30 degrees to the left: the mean is 0.05 m/s in this direction. The
// command is read every 10 ms, so that the change may count for one of them more or less.
TEST(the_mean_command_and_what_of_it_was_reached)
{
    must_run(ANTON FLOOR
             "start: {pose: stand}\nplace: {settle: true}\ntime: 1\nmetrics: {windows: {early: {to: 0.4}}}\n"
             "control: {gait: tripod, speed: 0.04, direction: 30 deg, commands: [{at: 0.5, speed: 0.06}]}\n");
    const double ahead = metric("walk.command.forward"), left = metric("walk.command.sideways");
    CHECK_NEAR(ahead, 0.05 * cos(FF_PI / 6.0), 0.02 * 0.01);
    CHECK_NEAR(left, 0.05 * sin(FF_PI / 6.0), 0.02 * 0.01);
    CHECK_NEAR(metric("early.command.reached"), reached(0.04 * cos(FF_PI / 6.0), 0.04 * sin(FF_PI / 6.0), "early"),
               1e-9);
    finish();
}

// Ahead and back by the same speed and for the same time: the mean command is nothing, and what was reached is the mean
// of both halves, as the square of the command is the same in both.
TEST(a_command_to_and_fro_is_reached_as_its_halves_are)
{
    must_run(ANTON FLOOR "start: {pose: stand}\nplace: {settle: true}\ntime: 2\n"
                         "metrics: {windows: {first: {to: 1}, early: {to: 0.9}, second: {from: 1}}}\n"
                         "control: {gait: tripod, speed: 0.05, commands: [{at: 1, speed: -0.05}]}\n");
    CHECK_NEAR(metric("early.command.reached"), reached(0.05, 0.0, "early"), 1e-9);
    CHECK_NEAR(metric("walk.command.reached"),
               0.5 * (metric("first.command.reached") + metric("second.command.reached")), 1e-9);
    CHECK_BELOW(fabs(metric("walk.command.forward")), 0.05 * 0.01 + 1e-9); // one sample more of one of them
    finish();
}

// Oscillators without gravity: 4 kg on 400 N/m make z = 1 + 0.01 cos(10 t), and 0.013 kg m^2 on 0.832 N m/rad an angle
// of 0.1 cos(8 t).
TEST(bob_roll_and_pitch_of_a_body_on_springs)
{
    for (int axis = 0; axis < 2; axis++) {
        char joints[200];
        snprintf(
            joints, sizeof joints,
            "lift: {type: slide, axis: z, spring: {stiffness: 400}}, swing: {axis: %s, spring: {stiffness: 0.832}}",
            axis ? "y" : "x");
        write_trunk(joints, "");
        must_run("robot: trunk.yaml\ngravity: [0, 0, 0]\nstart: {joints: {lift: 0.01, swing: 0.1}}\n" FLOOR
                 "solver: {method: rk4, step: 1e-3}\ntime: 7\nmetrics: {to: 2 * pi}\n"); // 10 and 8 periods
        // a step ends within 0.5 ms of each turning point: (10 * 0.5 ms)^2 / 2 of the amplitude
        CHECK_NEAR(metric("walk.bob"), 0.02, 0.02 * 1.3e-5);
        CHECK_NEAR(metric("walk.bob.rms"), 0.01 / sqrt(2), 0.01 * 1e-3); // a sum over steps that are not equal
        CHECK_NEAR(metric("walk.height.mean"), 1.0, 0.01 * 2e-3);        // the same
        CHECK_NEAR(metric(axis ? "walk.pitch.range" : "walk.roll.range"), 0.2, 0.2 * 0.8e-5);
        CHECK_NEAR(metric(axis ? "walk.roll.range" : "walk.pitch.range"), 0.0, 1e-9);
        CHECK_NEAR(metric("walk.tilt.max"), 0.1, 1e-6);
    }
    finish();
}

// ------------------------------------------------------------------------------------------ contact

/// A sled of 4 kg on one round foot, at 1 m/s along x, on ground below it (axis z), or, all turned, beside it (axis y).
static void slide(char up)
{
    char text[1500];
    snprintf(text, sizeof text,
             "footfall: 1\nbodies:\n  sled:\n    joints: {ahead: {type: slide, axis: x}, up: {type: slide, axis: %c}}\n"
             "    inertial: {mass: 2, sphere: 0.1}\n    bodies:\n      runner:\n        joint: {name: knee, axis: %c}\n"
             "        inertial: {mass: 2, sphere: 0.1}\n        shapes: [{sphere: 0.03, material: ice}]\n"
             "        frames: {foot: {}}\nlegs: {L: {joints: [knee], foot: foot}}\n",
             up, up);
    write_file("sled.yaml", text);
    snprintf(
        text, sizeof text,
        "robot: sled.yaml\nstart: {joints: {up: 0.0296}, speeds: {ahead: 1}}\ngravity: [0, %s]\n"
        "terrain: [{plane: {normal: [0, %s], material: ice}}]\ntime: 1\nmetrics: {to: 0.75}\n"
        "solver: {method: adaptive, accuracy: 1e-9}\nmaterials: {ice: {normal: {law: hunt-crossley, stiffness: 1e5, "
        "damping: 1e5}, friction: {law: stick-slip, static: 0.2, kinetic: 0.2, stiffness: 1e5, damping: 100, "
        "stick_speed: 1e-3}}}\n",
        up == 'z' ? "0, -9.81" : "-9.81, 0", up == 'z' ? "0, 1" : "1, 0");
    must_run(text);
}

TEST(a_sled_slides_the_way_that_friction_lets_it)
{
    const double way = 1.0 / (2 * 0.2 * 9.81); // v^2 / (2 mu g)
    double slip[2], height[2];
    for (int i = 0; i < 2; i++) {
        slide("zy"[i]);
        slip[i] = metric("walk.L.slip");
        height[i] = metric("walk.height.mean");
        // a thousandth: it starts a little above the depth at which its weight is carried, and settles as it slides
        CHECK_NEAR(slip[i] / way, 1.0, 1e-3);
        CHECK_NEAR(metric("contacts.slip") / slip[i], 1.0, 1e-9);
        CHECK_NEAR(metric("walk.distance") / way, 1.0, 1e-3);
        CHECK_NEAR(metric("walk.speed.forward") / (way / 0.75), 1.0, 1e-3);
        CHECK_NEAR(metric("walk.force.sum"), 1.0, 1e-3);
        CHECK_NEAR(metric("walk.L.force.mean"), 4 * 9.81, 4 * 9.81e-3);
        CHECK_NEAR(metric("walk.L.contact"), 1.0, 1e-9);
        CHECK_NEAR(metric("walk.support.mean"), 1.0, 1e-9);
        CHECK(isnan(metric("walk.L.slip.step"))); // never a whole stance
    }
    CHECK_NEAR(slip[0], slip[1], 1e-7); // which way is up makes no difference, up to the accuracy of the method
    CHECK_NEAR(height[0], height[1], 1e-7);
    finish();
}

// A foot that is let go where it touches, on ground without damping, m z'' = m g - k d^n: at the lowest point k d^(n +
// 1) / (n + 1) = m g d, so the ground carries n + 1 times the weight, at each bounce again. Until it has gone down by
// the depth of rest it carries less than the weight.
TEST(the_peak_of_a_foot_let_go_on_the_ground_is_a_known_multiple_of_its_weight)
{
    const double weight = 4 * 9.81;
    write_file(
        "sled.yaml",
        "footfall: 1\nbodies:\n  sled:\n    joint: {name: up, type: slide, axis: z}\n"
        "    inertial: {mass: 2, sphere: 0.1}\n    bodies:\n      runner:\n        joint: {name: knee, axis: z}\n"
        "        inertial: {mass: 2, sphere: 0.1}\n        shapes: [{sphere: 0.03, material: ice}]\n"
        "        frames: {foot: {}}\nlegs: {L: {joints: [knee], foot: foot}}\n");
    for (double n = 1.0; n < 1.6; n += 0.5) {
        char text[700];
        const double stiffness = weight / pow(5e-3, n); // rests 5 mm deep
        snprintf(
            text, sizeof text,
            "robot: sled.yaml\nstart: {joints: {up: 0.03}}\nterrain: [{plane: {material: ice}}]\ntime: 1\n"
            "metrics: {windows: {first: {to: %.9f}, later: {from: 0.5}}}\nsolver: {method: rk4, step: 0.1 ms}\n"
            "materials: {ice: {normal: {law: hunt-crossley, stiffness: %.15g, exponent: %g, damping: 0}, friction: "
            "{law: none}}}\n",
            sqrt(2.0 * 5e-3 / 9.81), stiffness, n); // in free fall it would be 5 mm deep then
        must_run(text);
        // half a step h from the peak of about w = 50 rad/s, (w h)^2 / 8 of the force is missing at most
        CHECK_NEAR(metric("walk.L.force.max") / weight, n + 1.0, 1e-5);
        CHECK_NEAR(metric("walk.force.max") / weight, n + 1.0, 1e-5);
        CHECK_NEAR(metric("later.L.force.max") / weight, n + 1.0, 1e-5);
        CHECK_BELOW(metric("first.L.force.max") / weight, 1.0);
        CHECK(metric("first.L.force.max") > 0.0);
    }
    finish();
}

// In equilibrium the feet carry the weight, and the nearest edge of the polygon is the line between the front feet.
TEST(anton_stands_with_the_margin_of_its_feet)
{
    must_run(ANTON FLOOR "start: {pose: stand}\nplace: {settle: true}\ncontrol: {hold: {stiffness: 60, damping: 1}}\n"
                         "time: 0.5\nrecord: {rate: 100, channels: [feet.pos, walk]}\n");
    const double *row = ff_recorder_row(ff_run_recorder(run), 40);
    const double front = row[ff_recorder_find(ff_run_recorder(run), "feet.pos", NULL)];
    const double margin = row[ff_recorder_find(ff_run_recorder(run), "walk.margin", NULL)];
    CHECK_NEAR(metric("walk.margin.mean"), front - metric("com.x"), 1e-6);
    CHECK_NEAR(metric("walk.margin.min"), front - metric("com.x"), 1e-6);
    CHECK_NEAR(margin, front - metric("com.x"), 1e-6);
    CHECK_NEAR(metric("walk.force.sum"), 1.0, 1e-6);
    CHECK_NEAR(metric("walk.support.min"), 6, 0);
    CHECK_NEAR(metric("walk.steps"), 0, 0);
    CHECK_NEAR(metric("walk.distance"), 0.0, 1e-6);
    CHECK(isnan(metric("walk.slip.max")));
    CHECK_NEAR(row[ff_recorder_find(ff_run_recorder(run), "walk.support", NULL)], 6, 0);
    CHECK_NEAR(row[ff_recorder_find(ff_run_recorder(run), "walk.height", NULL)], metric("walk.height.mean"), 1e-6);
    finish();
}

static const char march[] = ANTON FLOOR "start: {pose: stand}\nplace: {settle: true}\n"
                                        "control: {hold: {stiffness: 60, damping: 1}, cycle: {poses: [stand, "
                                        "tripod_left, stand, tripod_right], period: 1}}\n"
                                        "time: 4\nmetrics: {from: 1}\n";

TEST(anton_marches_in_two_tripods)
{
    static const char *const names[] = {"FL", "FR", "ML", "MR", "RL", "RR"};
    static const double phases[] = {0, 0.5, 0.5, 0, 0, 0.5};
    char name[60];
    double sum = 0.0;
    must_run(march);
    CHECK_NEAR(metric("walk.period"), 1.0, 5e-3); // the cycle of the poses; a step of the method
    CHECK_NEAR(metric("walk.support.min"), 3, 0);
    CHECK(metric("walk.support.mean") > 3.0 && metric("walk.support.mean") < 6.0);
    CHECK_NEAR(metric("walk.falls"), 0, 0);
    CHECK_NEAR(metric("walk.neighbours"), 0.0, 0.0);
    // feet go up and down: hips lie 0.18 m apart, and the body gives by half a centimetre
    CHECK_NEAR(metric("walk.FL.x.min"), 0.18, 5e-3);
    CHECK_NEAR(metric("walk.RR.x.max"), -0.18, 5e-3);
    CHECK(metric("walk.MR.x.max") - metric("walk.MR.x.min") < 5e-3);
    CHECK_NEAR(metric("walk.force.sum"), 1.0, 5e-3); // three whole cycles; forces are taken at the ends of steps
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "walk.%s.phase", names[i]);
        CHECK_NEAR(metric(name), phases[i], 0.05); // the middle feet, which carry more, come down a little later
        snprintf(name, sizeof name, "walk.%s.steps", names[i]);
        CHECK_NEAR(metric(name), 3, 0);
        snprintf(name, sizeof name, "walk.%s.force.mean", names[i]);
        sum += metric(name);
    }
    CHECK_NEAR(sum / (5.0 * 9.81), metric("walk.force.sum"), 1e-12);
    // left and right are mirror images, half a cycle apart
    CHECK_NEAR(metric("walk.FL.duty"), metric("walk.FR.duty"), 0.01);
    CHECK_NEAR(metric("walk.RL.duty"), metric("walk.RR.duty"), 0.01);
    // over whole cycles the share of the time in touch is the duty factor
    CHECK_NEAR(metric("walk.FL.duty"), metric("walk.FL.contact"), 0.02);
    finish();
}

TEST(measuring_allocates_nothing)
{
    ff_error err = {0};
    must_load(march);
    CHECK_INT(ff_sim_run(ff_run_sim(run), 1.2, &err), FF_OK);
    const long long before = allocation_calls;
    CHECK_INT(ff_sim_run(ff_run_sim(run), 2.4, &err), FF_OK);
    CHECK_INT(allocation_calls - before, 0);
    finish();
}

// ------------------------------------------------------------------------------------------ drives

// 2 N on 4 kg for a second, then 2 N against it for another: 0.25 m each, and work of 2 N 0.25 m, of which an ideal
// drive gets nothing back.
TEST(cost_of_transport_is_positive_work_over_weight_and_way)
{
    write_trunk("rail: {type: slide, axis: x, drive: {gear: 1, rotor: 0, torque: 100, speed: 100}}", "");
    must_run("robot: trunk.yaml\neffects: {drives: ideal}\n" FLOOR
             "references: [{drive: rail, at: 0, force: 2}, {drive: rail, at: 1, force: -2}]\n"
             "solver: {method: rk4, step: 1 ms}\ntime: 2\nmetrics: {windows: {half: {from: 1}}}\n");
    CHECK_NEAR(metric("walk.distance"), 0.5, 1e-9);
    CHECK_NEAR(metric("walk.energy"), 0.5, 1e-9);
    CHECK_NEAR(metric("walk.power"), 0.25, 1e-9);
    CHECK_NEAR(metric("walk.cot"), 0.5 / (4 * 9.81 * 0.5), 1e-9);
    CHECK_NEAR(metric("half.energy"), 0.0, 1e-9);
    finish();
}

// Motors with resistance: what walking costs is what all drives took from the supply, and more than the work of ideal
// ones.
TEST(energy_of_motors_is_what_they_take_from_the_supply)
{
    static const char common[] = ANTON FLOOR "start: {pose: stand}\nplace: {settle: true}\ntime: 1\nmetrics: {windows: "
                                             "{rest: {from: 0.3}, begin: {to: 0.3}}}\n"
                                             "control: {hold: {stiffness: 60, damping: 1}, cycle: {poses: [stand, "
                                             "tripod_left, stand, tripod_right], period: 1}}\n";
    char text[1000];
    double sum = 0.0;
    snprintf(text, sizeof text, "%seffects: {drives: full, transmission: rigid}\n", common);
    must_run(text);
    for (int i = 0; i < scene->plant->drives->n; i++)
        sum += ff_sim_drive_memory(ff_run_sim(run), (ff_drive_id){i})->electrical;
    CHECK_NEAR(metric("walk.energy") / sum, 1.0, 1e-12);
    CHECK_NEAR((metric("begin.energy") + metric("rest.energy")) / sum, 1.0, 1e-12);
    CHECK(metric("walk.tracking.rms") > 0.0 && metric("walk.tracking.max") < 0.1);
    snprintf(text, sizeof text, "%seffects: {drives: ideal, transmission: rigid}\n", common);
    must_run(text);
    CHECK(metric("walk.energy") > 0.0 && metric("walk.energy") < 0.5 * sum);
    finish();
}

// A leg of 1 kg hangs on a joint law of 1 kN/m: it stays m g / k short of its target.
TEST(tracking_error_is_what_the_joints_lack)
{
    write_file("hanging.yaml",
               "footfall: 1\nbodies:\n  trunk:\n    pos: [0, 0, 1]\n    joint: {name: rail, type: slide, axis: x}\n"
               "    inertial: {mass: 3, sphere: 0.1}\n    bodies:\n      shin:\n"
               "        joint: {name: knee, type: slide, axis: z}\n        inertial: {mass: 1, sphere: 0.05}\n"
               "        shapes: [{sphere: 0.03, pos: [0, 0, -0.5]}]\n        frames: {foot: {pos: [0, 0, -0.5]}}\n"
               "legs: {L: {joints: [knee], foot: foot}}\n");
    must_run("robot: hanging.yaml\n" FLOOR
             "control: {hold: {stiffness: 1e3, damping: 60}}\ntime: 3\nmetrics: {from: 2}\n");
    CHECK_NEAR(metric("walk.tracking.rms"), 9.81e-3, 1e-7);
    CHECK_NEAR(metric("walk.tracking.max"), 9.81e-3, 1e-7);
    finish();
}

// ------------------------------------------------------------------------------------------ falls

TEST(a_fall_begins_when_the_body_touches_the_ground)
{
    write_trunk("base: {type: free}", "{sphere: 0.6}"); // reaches 0.07 m below the foot, which is no foot any more
    must_run("robot: trunk.yaml\nplace: {pos: [0, 0, -0.2]}\n" FLOOR
             "solver: {method: implicit, step: 5e-4}\ntime: 0.6\n");
    CHECK_NEAR(metric("walk.fall.time"), sqrt(2 * 0.2 / 9.81), 2e-3); // [s] until a tenth of the weight rests on it
    CHECK(metric("walk.falls") >= 1);
    finish();
}

// At 1 rad/s the tilt passes 60 deg at pi/3 s, comes back below it at 5 pi/3 s, and passes it again at 7 pi/3 s.
TEST(a_fall_is_a_tilt_beyond_the_limit)
{
    write_trunk("turn: {axis: y}", "");
    must_run("robot: trunk.yaml\ngravity: [0, 0, 0]\nstart: {speeds: {turn: 1}}\nplace: {pos: [0, 0, 5]}\n" FLOOR
             "solver: {method: rk4, step: 1 ms}\ntime: 10\n");
    CHECK_NEAR(metric("walk.falls"), 2, 0);
    CHECK_NEAR(metric("walk.fall.time"), acos(-1.0) / 3, 10e-3); // [s] a sample
    must_run("robot: trunk.yaml\ngravity: [0, 0, 0]\nstart: {speeds: {turn: 1}}\nplace: {pos: [0, 0, 5]}\n" FLOOR
             "solver: {method: rk4, step: 1 ms}\ntime: 1\nmetrics: {tilt: 30 deg}\n");
    CHECK_NEAR(metric("walk.fall.time"), acos(-1.0) / 6, 10e-3);
    finish();
}

// ------------------------------------------------------------------------------------------ scenes

TEST(robots_of_a_scene_are_measured_one_by_one)
{
    write_trunk("base: {type: planar, axis: z}", "");
    must_run("robots:\n  - {file: trunk.yaml, name: fast, start: {speeds: {base: [2, 0, 0]}}}\n"
             "  - {file: trunk.yaml, name: slow, place: {pos: [0, 3, 0]}, start: {speeds: {base: [0, 1, 0]}}}\n" FLOOR
             "time: 0.2\nrecord: {rate: 100, channels: [walk.slow.speed]}\n"
             "expect: [{metric: walk.slow.L.steps, is: 0, within: 0}, {metric: walk.fast.speed.mean, is: 2, within: "
             "1e-6}]\n");
    CHECK(ff_run_result(run)->passed);
    CHECK_NEAR(metric("walk.slow.speed.mean"), 1.0, 1e-6);
    CHECK_NEAR(metric("walk.slow.course"), acos(-1.0) / 2, 1e-6);
    const double *row = ff_recorder_row(ff_run_recorder(run), 15);
    CHECK_NEAR(row[ff_recorder_find(ff_run_recorder(run), "walk.slow.speed", NULL)], 1.0, 1e-6);
    finish();
}

TEST(a_window_after_the_end_is_null_and_warned_of)
{
    write_trunk("base: {type: planar, axis: z}", "");
    must_run("robot: trunk.yaml\n" FLOOR "time: 0.1\nmetrics: {from: 2}\n");
    CHECK_INT(report.warnings, 1);
    CHECK(strstr(message(0), "the window 'walk' begins at 2 s, but the run ends at 0.1 s"));
    CHECK(isnan(metric("walk.speed.mean")));
    CHECK(isnan(metric("walk.L.force.mean")));
    finish();
}

TEST(mistakes_are_reported_with_their_place)
{
    write_trunk("base: {type: planar, axis: z}", "");
    static const bad_scene bad[] = {
        {"robot: trunk.yaml\nmetrics: 3\n", "3:10", "expected {report: .., debounce: .., rebound: .., tilt: .., ..}"},
        {"robot: trunk.yaml\nmetrics: {from: -1}\n", "3:17", "'from' is -1 s: it must be zero or more"},
        {"robot: trunk.yaml\nmetrics: {from: 0.5, to: 0.2}\n", "3:26", "ends at 0.2 s, but begins at 0.5 s"},
        {"robot: trunk.yaml\nmetrics: {debounce: 2}\n", "3:21", "'debounce' is 2 s: it must be between 0 and 1 s"},
        {"robot: trunk.yaml\nmetrics: {tilt: 0}\n", "3:17", "'tilt' is 0 rad"},
        {"robot: trunk.yaml\nmetrics: {form: 1}\n", "3:11", "unknown key 'form'"},
        {"robot: trunk.yaml\nmetrics: {windows: [1]}\n", "3:20",
         "expected {NAME: {from: .., to: ..}, ..} for 'windows'"},
        {"robot: trunk.yaml\nmetrics: {windows: {energy: {from: 1}}}\n", "3:21", "begins the names of other metrics"},
        {"robot: trunk.yaml\nmetrics: {windows: {\"a b\": {from: 1}}}\n", "3:21", "letters, digits, _ and -"},
        {"robot: trunk.yaml\nmetrics: {windows: {a: {from: 0, until: 2}}}\n", "3:34", "unknown key 'until'"},
        {"robot: trunk.yaml\nexpect: [{metric: walk.sped.mean, at_least: 1}]\n", "3:19",
         "did you mean 'walk.speed.mean'?"},
        {"robot: trunk.yaml\nexpect: [{metric: fast.speed.mean, at_least: 1}]\n", "3:19",
         "no metric 'fast.speed.mean'"},
        {"robot: " FF_SOURCE_DIR "/robots/tumbler/tumbler.yaml\nmetrics: {from: 1}\n", "3:11",
         "no robot here has legs"},
        {"robot: " FF_SOURCE_DIR "/robots/tumbler/tumbler.yaml\nexpect: [{metric: walk.steps, at_least: 1}]\n", "3:19",
         "no metric 'walk.steps'"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}
