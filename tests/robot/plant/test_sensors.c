// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors in a simulation against mechanics: forces through a cut and torques of joints by the change of momentum and
// by what acts at the joint, inertial sensors by closed forms, touch and plates by weight, encoders by counting; exact
// times, saving, no allocation, mistakes with their place.
#include "plant/sensors.h"
#include "support/allocations.h"
#include "support/sensor_lab.h"

#include <footfall/record.h>

/// A free double pendulum with damped joints; every joint and body has something to measure.
static const char ARM[] = "footfall: 1\n"
                          "name: arm\n"
                          "bodies:\n"
                          "  upper:\n"
                          "    joint: {name: shoulder, axis: y, damping: 0.02}\n"
                          "    inertial: {mass: 1.0, rod: {to: [0, 0, -0.3], radius: 0.02}}\n"
                          "    frames: {root: {}}\n"
                          "    bodies:\n"
                          "      lower:\n"
                          "        pos: [0, 0, -0.3]\n"
                          "        joint: {name: elbow, axis: y, damping: 0.01, armature: 0.003}\n"
                          "        inertial: {mass: 0.5, rod: {to: [0, 0, -0.3], radius: 0.02}}\n"
                          "        frames: {tip: {pos: [0, 0, -0.3]}}\n"
                          "sensors:\n"
                          "  base: {type: force6, frame: root, rate: 1000}\n"
                          "  knee: {type: torque, joint: elbow}\n"
                          "  hip: {type: torque, joint: shoulder}\n"
                          "  spin: {type: gyro, frame: tip}\n"
                          "  shake: {type: accelerometer, frame: tip}\n"
                          "  angle: {type: potentiometer, joint: elbow}\n"
                          "  speed: {type: tachometer, joint: elbow}\n";

static void set_pose(lab *l, double a, double b)
{
    ff_sim_set_q(l->sim, 0, a);
    ff_sim_set_q(l->sim, 1, b);
}

// The wrench through the root is what changes the momentum of all that hangs on it, less gravity: Newton's law, by
// differences of the momentum over +-10 us.
TEST(force_through_a_cut_is_the_change_of_momentum_below_it)
{
    lab l = start(ARM, FF_STAGES_NONE, 1e-5, false);
    set_pose(&l, 1.0, -0.6);
    double before[6], after[6], com[3], com_after[3];
    run(&l, 0.3 - 1e-5);
    ff_sim_evaluate(l.sim, FF_SIM_VELOCITY, NULL);
    ff_dyn_momentum(l.model, ff_sim_data(l.sim), before);
    ff_dyn_com(l.model, ff_sim_data(l.sim), com);
    run(&l, 0.3);
    const double fx = value(&l, "base", 0), fz = value(&l, "base", 2), my = value(&l, "base", 4);
    const double a = ff_sim_q(l.sim)[0];
    run(&l, 0.3 + 1e-5);
    ff_sim_evaluate(l.sim, FF_SIM_VELOCITY, NULL);
    ff_dyn_momentum(l.model, ff_sim_data(l.sim), after);
    ff_dyn_com(l.model, ff_sim_data(l.sim), com_after);
    double rate[6];
    for (int k = 0; k < 6; k++) rate[k] = (after[k] - before[k]) / 2e-5;
    // world axes of the reading: the root turns by a about y
    const double wx = cos(a) * fx + sin(a) * fz, wz = -sin(a) * fx + cos(a) * fz;
    CHECK_NEAR(wx, -rate[3], 1e-5);                // [N] differences of second order
    CHECK_NEAR(wz, -(rate[5] + 1.5 * 9.81), 1e-5); // [N]
    // moment about the root: angular momentum about the centre of mass plus that of the centre itself, less gravity
    double L0 = before[1] + com[2] * before[3] - com[0] * before[5];
    double L1 = after[1] + com_after[2] * after[3] - com_after[0] * after[5];
    const double gravity = 1.5 * 9.81 * 0.5 * (com[0] + com_after[0]);
    CHECK_NEAR(my, -((L1 - L0) / 2e-5 - gravity), 1e-5); // [N m]
}

// At a joint without a drive the torque through its axis is its damper's, less what turns its own rotor.
TEST(joint_torque_is_what_acts_at_the_joint)
{
    lab l = start(ARM, FF_STAGES_NONE, 1e-4, false);
    set_pose(&l, 1.0, -0.6);
    run(&l, 0.35);
    const ff_data *d = ff_sim_data(l.sim);
    ff_sim_evaluate(l.sim, FF_SIM_ACCELERATION, NULL);
    CHECK_NEAR(value(&l, "hip", 0), -0.02 * d->v[0], 1e-10); // [N m] round-off of Newton and Euler
    CHECK_NEAR(value(&l, "knee", 0), -0.01 * d->v[1] - 0.003 * d->qacc[1], 1e-10); // [N m]
    CHECK_NEAR(value(&l, "angle", 0), d->q[1], 0.0);
    CHECK_NEAR(value(&l, "speed", 0), d->v[1], 0.0);
    CHECK_NEAR(value(&l, "spin", 1), d->v[0] + d->v[1], 1e-14);
}

// Differences of the tip's position over +-1 ms would have errors of 1e-5: the second derivative of known angles is
// exact.
TEST(accelerometer_feels_acceleration_less_gravity)
{
    lab l = start(ARM, FF_STAGES_NONE, 1e-4, false);
    set_pose(&l, 0.7, 0.4);
    run(&l, 0.25);
    ff_sim_evaluate(l.sim, FF_SIM_ACCELERATION, NULL);
    const ff_data *d = ff_sim_data(l.sim);
    const double a = d->q[0], b = a + d->q[1], wa = d->v[0], wb = wa + d->v[1], aa = d->qacc[0], ab = aa + d->qacc[1];
    // x = -0.3 (sin a + sin b), z = -0.3 (cos a + cos b), turned about y
    const double ax = -0.3 * (cos(a) * aa - sin(a) * wa * wa + cos(b) * ab - sin(b) * wb * wb);
    const double az = -0.3 * (-sin(a) * aa - cos(a) * wa * wa - sin(b) * ab - cos(b) * wb * wb) + 9.81;
    CHECK_NEAR(value(&l, "shake", 0), cos(b) * ax - sin(b) * az, 1e-10);
    CHECK_NEAR(value(&l, "shake", 2), sin(b) * ax + cos(b) * az, 1e-10);
}

/// A block on the ground with a smaller one fixed on top of it, 2 kg and 0.5 kg.
static const char BLOCKS[] = "footfall: 1\n"
                             "name: blocks\n"
                             "bodies:\n"
                             "  floor: {shapes: [{name: ground, plane: [1, 1]}]}\n"
                             "  block:\n"
                             "    pos: [0, 0, 0.05]\n"
                             "    joint: {type: free}\n"
                             "    inertial: {mass: 2.0, box: [0.2, 0.2, 0.1]}\n"
                             "    shapes: [{name: block, box: [0.2, 0.2, 0.1]}]\n"
                             "    frames: {sole: {pos: [0, 0, -0.05]}}\n"
                             "    bodies:\n"
                             "      top:\n"
                             "        pos: [0, 0, 0.05]\n"
                             "        inertial: {mass: 0.5, com: [0.01, 0, 0.02], box: [0.05, 0.05, 0.05]}\n"
                             "        frames: {mount: {}, eye: {pos: [0, 0, 0.15], rpy: [0, 90 deg, 0]}}\n"
                             "sensors:\n"
                             "  cut: {type: force6, frame: mount}\n"
                             "  foot: {type: force, frame: sole, mass: 0.1, com: [0, 0, -0.01]}\n"
                             "  touch: {type: touch, body: block, threshold: 0.1}\n"
                             "  light: {type: switch, frame: sole, threshold: 20}\n"
                             "  heavy: {type: switch, frame: sole, threshold: 30}\n"
                             "  plate: {type: plate, shape: ground}\n"
                             "  imu: {type: imu, frame: mount}\n"
                             "  range: {type: distance, frame: eye, reach: [0.05, 2]}\n"
                             "  pads: {type: tactile, frame: sole, rows: 30, columns: 20, pitch: 0.012}\n"
                             "  film: {type: camera, frame: eye, width: 40, height: 30, rate: 100}\n";

TEST(weights_are_measured_by_everything_that_touches)
{
    lab l = start(BLOCKS, FF_STAGES_NONE, CHECK_LASTS(1e-4, 5e-4), false); // [s] sanitizers take fewer steps
    run(&l, 8.0);                                                          // the softly damped floor has come to rest
    const double g = 9.81;
    CHECK_NEAR(value(&l, "cut", 2), -0.5 * g, 1e-4);         // the top presses down; 1e-4: the block still trembles
    CHECK_NEAR(value(&l, "cut", 0), 0.0, 1e-3);              // the block leans a little to the heavier side
    CHECK_NEAR(value(&l, "cut", 4), 0.5 * g * 0.01, 1e-5);   // [N m] weight beside the middle: y = -x F_z
    CHECK_NEAR(value(&l, "foot", 2), (2.5 - 0.1) * g, 1e-3); // ground force less the weight below the cut
    CHECK(value(&l, "touch", 0) == 1.0);
    CHECK_NEAR(value(&l, "touch", 1), 2.5 * g, 1e-3);
    CHECK(value(&l, "light", 0) == 1.0 && value(&l, "heavy", 0) == 0.0); // 24.5 N
    CHECK_NEAR(value(&l, "plate", 2), -2.5 * g, 1e-3);
    CHECK_NEAR(value(&l, "plate", 4), 0.5 * g * 0.01, 1e-4); // centre of pressure under the centre of mass
    CHECK_NEAR(value(&l, "plate", 5), 0.0, 1e-4);            // nothing turns it about its normal
    CHECK_NEAR(value(&l, "imu", 5), g, 1e-3);
    CHECK_NEAR(value(&l, "imu", 6), 0.0, 1e-3);
    // the meter looks down past shapes of its own body, onto the block
    CHECK_NEAR(value(&l, "range", 0), 0.15, 1e-6);
    double sum = 0.0;
    for (int i = 0; i < 600; i++) sum += value(&l, "pads", i) * 1e3 * 0.012 * 0.012;
    CHECK_NEAR(sum, 2.5 * g, 1e-3); // pressures over cells give the weight back
    const ff_picture *picture = ff_sim_picture(l.sim, ff_sim_find_sensor(l.sim, "film"));
    CHECK(picture && picture->time > 7.98);
    CHECK_NEAR((double)picture->depth[15 * 40 + 20], 0.15, 1e-5); // the top of the block fills the view
}

TEST(free_fall_feels_nothing)
{
    lab l = start(BLOCKS, FF_STAGES_NONE, 1e-4, false);
    ff_sim_set_q(l.sim, 2, 5.0);
    ff_sim_set_v(l.sim, 3, 0.3); // turning about x
    run(&l, 0.1);
    CHECK(value(&l, "touch", 0) == 0.0 && value(&l, "touch", 1) == 0.0);
    // the centre of mass falls freely; the mount, 0.054 m from it, turns about it at 0.3 rad/s
    CHECK_BELOW(fabs(value(&l, "imu", 5)), 0.054 * 0.09 * 1.1);
}

static const char DRIVEN[] =
    "footfall: 1\n"
    "name: wheel\n"
    "bodies:\n"
    "  rotor:\n"
    "    joint: {name: axle, axis: z, drive: {kind: ideal, gear: 50, torque: 10, loop: {kp: 0, kd: 0}}}\n"
    "    inertial: {mass: 1.0, box: [0.2, 0.2, 0.1]}\n"
    "sensors:\n"
    "  counter: {type: encoder, joint: axle, counts: 2048}\n"
    "  turn: {type: absolute, joint: axle, bits: 12}\n"
    "  pot: {preset: anton-potentiometer, joint: axle, noise: 0, bias_walk: 0}\n"
    "  odd: {type: tachometer, joint: axle, rate: 333}\n"
    "  late: {type: potentiometer, joint: axle, delay: 5}\n";

TEST(encoders_count_wrap_and_find_their_mark)
{
    lab l = start(DRIVEN, FF_STAGES_ALL, 1e-3, false);
    ff_sim_set_q(l.sim, 0, 0.05); // 2.5 rad of the motor: 0.40 of a turn
    ff_sim_set_v(l.sim, 0, 1.0);
    run(&l, 0.07); // motor at 6 rad, short of the first mark
    CHECK(value(&l, "counter", 2) == 0.0);
    CHECK(value(&l, "counter", 0) == floor(50.0 * 0.07 * 2048.0 / (2.0 * FF_PI)));
    run(&l, 0.2); // 12.5 rad: past the mark at one turn only
    CHECK(value(&l, "counter", 2) == 1.0);
    CHECK(value(&l, "counter", 1) == floor((2.0 * FF_PI - 2.5) * 2048.0 / (2.0 * FF_PI) + 0.5));
    run(&l, 7.0); // joint at 7.05 rad, the absolute encoder has begun its second turn
    const double step = 2.0 * FF_PI / 4096.0;
    CHECK_NEAR(value(&l, "turn", 0), step * floor((7.05 - 2.0 * FF_PI) / step), 1e-9);
    // 10 bits over 180 degrees, and its end
    CHECK_NEAR(value(&l, "pot", 0), 0.5 * FF_PI, FF_PI / 1024.0);
    CHECK_NEAR(value(&l, "late", 0), 7.05 - 0.005, 1e-9);
}

// A weight of 2 kg hangs still: ROTTO's foot sensor reads codes of 12 bit over its ranges, and each channel a share of
// the force along z, within 1 % and of its own; the channel itself has none.
TEST(rotto_force_sensor_has_12_bit_and_crosstalk_within_its_bound)
{
    static const char HANGING[] =
        "footfall: 1\n"
        "bodies:\n"
        "  load: {joint: {name: swing, axis: y}, inertial: {mass: 2.0, rod: {to: [0, 0, -0.3], radius: 0.02}}, "
        "frames: {root: {}}}\n"
        "sensors:\n"
        "  alone: {preset: rotto-force, frame: root, noise: 0, crosstalk: 0}\n"
        "  left: {preset: rotto-force, frame: root, noise: 0}\n"
        "  right: {preset: rotto-force, frame: root, noise: 0}\n";
    static const double range[6] = {300, 400, 300, 10, 20, 10}; // table 4.1  [N, N m]
    lab l = start(HANGING, FF_STAGES_ALL, 1e-3, false);
    run(&l, 0.01);
    const double weight = value(&l, "alone", 2);
    CHECK_NEAR(fabs(weight), 2.0 * 9.81, 300.0 / 4096.0); // half a code
    int shared = 0, apart = 0;
    for (int i = 0; i < 6; i++) {
        const double code = 2.0 * range[i] / 4096.0, left = value(&l, "left", i), right = value(&l, "right", i);
        CHECK_NEAR(left / code, floor(left / code + 0.5), 1e-9);
        if (i == 2) {
            CHECK(left == weight);
            continue;
        }
        CHECK(value(&l, "alone", i) == 0.0);
        CHECK_BELOW(fabs(left), 0.01 * 2.0 * 9.81 + 0.5 * code);
        shared += left != 0.0;
        apart += left != right;
    }
    CHECK(shared >= 3); // moments have codes of 5 mN m, shares of up to 0.2 N m
    CHECK(apart >= 3);  // drawn for each sensor
}

// 333 Hz in steps of 1 ms: a sample every 3.003 steps, taken exactly then.
TEST(rate_that_is_no_multiple_of_the_step_is_exact_and_reported)
{
    ff_report report = {0};
    ff_sensor_options o = ff_sensor_options_default();
    o.step = 1e-3;
    CHECK(owned_plant(make_plant(DRIVEN, &o, false, &report)));
    int notes = 0;
    for (int i = 0; i < report.count; i++)
        if (report.messages[i].severity == FF_NOTE && strstr(report.messages[i].text, "'odd' at 333 Hz")) {
            CHECK(strstr(report.messages[i].text, "cut short") && report.messages[i].line == 11);
            notes++;
        }
    CHECK(notes == 1);
    ff_report_clear(&report);
    lab l = start(DRIVEN, FF_STAGES_ALL, 1e-3, false);
    run(&l, 1.0);
    double out[1];
    const double stamp = ff_sim_sensor(l.sim, ff_sim_find_sensor(l.sim, "odd"), out);
    CHECK_NEAR(stamp * 333.0, 333.0, 1e-9);
}

static const char NOISY[] = "footfall: 1\n"
                            "name: arm\n"
                            "bodies:\n"
                            "  upper:\n"
                            "    joint: {name: shoulder, axis: y}\n"
                            "    inertial: {mass: 1.0, rod: {to: [0, 0, -0.3], radius: 0.02}}\n"
                            "    frames: {root: {}}\n"
                            "sensors:\n"
                            "  force: {preset: anton-force, frame: root}\n"
                            "  gyro: {preset: anton-gyro, frame: root, delay: 3}\n"
                            "  pads: {type: tactile, frame: root}\n"
                            "  counter: {preset: anton-encoder, joint: shoulder}\n";

TEST(saved_and_restored_sensors_go_on_with_the_same_bits)
{
    lab one = start(NOISY, FF_STAGES_ALL, 1e-3, false), two = start(NOISY, FF_STAGES_ALL, 1e-3, false);
    ff_sim_set_q(one.sim, 0, 1.0);
    run(&one, 0.1);
    must_copy_state(one.sim, two.sim);
    run(&one, 0.3);
    run(&two, 0.3);
    CHECK(memcmp(ff_sensors_find(one.sim)->memory, ff_sensors_find(two.sim)->memory, one.set->memory_size) == 0);
    CHECK(value(&one, "force", 0) != 0.0 && value(&one, "force", 0) == value(&two, "force", 0));
}

TEST(sensors_change_nothing_of_the_motion_and_allocate_nothing)
{
    lab l = start(ARM, FF_STAGES_ALL, 1e-3, false);
    set_pose(&l, 1.0, 0.5);
    run(&l, 0.01);
    const long long before = allocation_calls;
    run(&l, 0.5);
    CHECK(allocation_calls == before);
    ff_sim_options options = *ff_sim_get_options(l.sim);
    ff_error err = {0};
    ff_sim *alone = owned_sim(ff_sim_create(l.model, &options, &err));
    ff_sim_set_q(alone, 0, 1.0);
    ff_sim_set_q(alone, 1, 0.5);
    CHECK(ff_sim_run(alone, 0.5, &err) == FF_OK);
    CHECK(ff_sim_hash(alone) == ff_sim_hash(l.sim));
}

TEST(readings_are_recorded_by_name)
{
    lab l = start(ARM, FF_STAGES_NONE, 1e-3, false);
    const char *const channels[] = {"sensors.base", "sensors.spin", "joints.elbow.position", "sensors.angle"};
    ff_record_options o = ff_record_options_default();
    ff_error err = {0};
    o.channels = channels;
    o.nchannel = 4;
    o.duration = 0.1;
    ff_recorder *rec = ff_recorder_create(l.sim, &o, &err);
    if (!rec) CHECK_FAIL("%s", err.text);
    set_pose(&l, 0.5, 0.5);
    run(&l, 0.1);
    int width;
    CHECK(ff_recorder_find(rec, "sensors.base", &width) > 0 && width == 6);
    const double *row = ff_recorder_row(rec, 50);
    CHECK(row[ff_recorder_find(rec, "sensors.angle", &width)] ==
          row[ff_recorder_find(rec, "joints.elbow.position", &width)]);
}

/// A robot whose sensor stands in line 9.
static const char PROBE[] = "footfall: 1\nname: arm\nbodies:\n  upper:\n    joint: {name: shoulder, axis: y}\n"
                            "    inertial: {mass: 1.0, box: [1, 1, 1]}\n    frames: {root: {}}\nsensors:\n  x: %s\n";

TEST(mistakes_are_reported_with_their_place)
{
    expect_error(PROBE, "{type: gyro, frame: nowhere}", "nowhere", 9);
    expect_error(PROBE, "{type: potentiometer, joint: wrist}", "wrist", 9);
    expect_error(PROBE, "{type: potentiometer, frame: root}", "sits on a joint", 9);
    expect_error(PROBE, "{type: gyro, joint: shoulder}", "sits on a frame or a body", 9);
    expect_error(PROBE, "{type: gyro, frame: root, rate: 0}",
                 "'rate' is 0 Hz: it must be above 0 and at most 1000000 Hz", 9);
    expect_error(PROBE, "{type: gyro, frame: root, noise: -1}", "'noise' is -1: it must be zero or more", 9);
    expect_error(PROBE, "{type: gyro, frame: root, noize: 1}", "did you mean 'noise'", 9);
    expect_error(PROBE, "{type: gyro, frame: root, noise: [1, 2]}", "one for each channel", 9);
    expect_error(PROBE, "{type: gyro, frame: root, axes: 4}", "'axes' is 4: it must be between 1 and 3", 9);
    expect_error(PROBE, "{type: force, frame: root, bits: 12}", "need a 'range'", 9);
    expect_error(PROBE, "{type: force, frame: root, range: 5, bits: 1e12}", "between 1 and 48", 9);
    expect_error(PROBE, "{type: force, frame: root, latency: 1e12}", "a delay of -1", 9);
    expect_error(PROBE, "{type: force, frame: root, fixed: [1e12, 2]}", "'fixed' is 1e+12: it must be between 0 and 52",
                 9);
    expect_error(PROBE, "{type: force, frame: root, range: [5, 1]}", "from 5 to 1", 9);
    expect_error(PROBE, "{type: gyro, frame: root, jitter: 0.9}", "jitter of 0.9", 9);
    expect_error(PROBE, "{preset: anton-gyros, frame: root}", "no preset 'anton-gyros'", 9);
    expect_error(PROBE, "{preset: anton-gyro, type: force, frame: root}", "its preset of type gyro", 9);
    expect_error(PROBE, "{type: distance, frame: root, reach: [2, 1]}", "reach [2, 1]", 9);
    expect_error(PROBE, "{type: tactile, frame: root, rows: 90, columns: 90}", "channels", 9);
    expect_error(PROBE, "{type: camera, frame: root, width: 0}", "'width' is 0 px: it must be between 1 and 4096 px",
                 9);
    expect_error(PROBE, "{type: gyro, frames: none_*}", "finds nothing", 9);
    expect_error(PROBE, "{type: gyro}", "exactly one of", 9);
}

TEST(unknown_types_and_shapes_are_named)
{
    ff_report report = {0};
    ff_error err = {0};
    const ff_sensor_options o = ff_sensor_options_default();
    ff_plant *plant = owned_plant(make_plant(
        "footfall: 1\nname: a\nbodies:\n  b:\n    joint: {name: j, axis: y}\n    inertial: {mass: 1, box: [1, 1, 1]}\n"
        "sensors:\n  n: {type: nose, body: b}\n  p: {type: touch, body: b, shape: sole}\n",
        &o, false, &report));
    CHECK(plant && plant->sensors->n == 1 && report.warnings == 1 &&
          strstr(report.messages[0].text, "'nose' is not modelled"));
    ff_sim_options options = ff_sim_options_default();
    ff_sim *sim = owned_sim(ff_sim_create(plant->model, &options, &err));
    CHECK(ff_sim_add_plant(sim, plant, &err) == FF_NOT_FOUND && strstr(err.text, "robot.yaml:9") &&
          strstr(err.text, "sole"));
    ff_report_clear(&report);
}

/// Robot and sensors of an XML text, in a simulation; skips the test where XML is not built.
static lab start_xml(const char *format, const char *text, ff_method method, double step)
{
    ff_report report = {0};
    ff_plant_options o = ff_plant_options_default();
    ff_sim_options options = ff_sim_options_default();
    o.driven = false;
    options.method = method;
    options.step = step;
    ff_spec *spec = ff_spec_create(NULL);
    const bool built = ff_spec_parse(spec, format, text, strlen(text), "robot.xml", &o.load, &report) != FF_NOT_BUILT;
    ff_plant *plant = built ? ff_plant_compile(spec, &o, &report) : NULL;
    ff_spec_destroy(spec);
    if (built && !plant) CHECK_FAIL("%s", report.messages[0].text);
    ff_report_clear(&report);
    if (!built) SKIP("no libxml2");
    return start_plant(plant, &options, strcmp(format, "urdf") == 0); // whose files have no floor
}

// A pendulum in MJCF with a meter that looks down along z of its site, 0.4 m above the floor.
TEST(sensors_of_mjcf_measure_too)
{
    static const char text[] =
        "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
        "<body pos='0 0 0.5'><joint name='hinge' type='hinge' axis='0 1 0'/><geom type='sphere' size='0.05' mass='1'/>"
        "<site name='eye' pos='0 0 -0.1' zaxis='0 0 -1'/></body></worldbody>"
        "<sensor><jointpos name='angle' joint='hinge'/><jointvel name='speed' joint='hinge' noise='0.1'/>"
        "<rangefinder name='range' site='eye'/><gyro name='spin' site='eye' cutoff='0.5'/><clock "
        "name='time'/></sensor></mujoco>";
    lab l = start_xml("mjcf", text, FF_METHOD_EULER, ff_sim_options_default().step);
    CHECK(l.set->n == 5);
    ff_sim_set_v(l.sim, 0, 3.0);
    run(&l, 0.01);
    CHECK_NEAR(value(&l, "angle", 0), ff_sim_q(l.sim)[0], 1e-12);
    CHECK(value(&l, "speed", 0) != 3.0 && fabs(value(&l, "speed", 0) - 3.0) < 0.5); // noise, 5 sigma
    const double q = ff_sim_q(l.sim)[0];
    CHECK_NEAR(value(&l, "range", 0), (0.5 - 0.1 * cos(q)) / cos(q), 1e-9);
    CHECK(fabs(value(&l, "spin", 1)) == 0.5); // cut off
    CHECK_NEAR(value(&l, "time", 0), 0.01, 1e-12);
}

// 2 kg whose centre is 0.3 m off a hinge with a vertical axis: the hinge carries m g upward and holds the moment
// c x m g. MuJoCo 2.2.2 gives (0, 0, 19.62), (0, -5.886, 0) and, on a post that is fixed to the world, (0, 0, 9.81).
TEST(forces_and_moments_at_sites_have_mujocos_sign_and_a_post_feels_gravity)
{
    static const char text[] =
        "<mujoco><worldbody><body name='stand'><geom size='0.1' contype='0' conaffinity='0'/><site name='post'/></body>"
        "<body pos='0 0 1'><joint name='j' axis='0 0 1'/><inertial pos='0.3 0 0' mass='2' diaginertia='1 1 1'/>"
        "<site name='s'/></body></worldbody><sensor><force name='f' site='s'/><torque name='t' site='s'/>"
        "<accelerometer name='a' site='post'/></sensor></mujoco>";
    const double expected[3][3] = {{0, 0, 19.62}, {0, -5.886, 0}, {0, 0, 9.81}};
    static const char *const names[3] = {"f", "t", "a"};
    lab l = start_xml("mjcf", text, FF_METHOD_EULER, ff_sim_options_default().step);
    run(&l, 0.01);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) CHECK_NEAR(value(&l, names[k], i), expected[k][i], 1e-12);
}

// A foot of 2 kg on a slide, 0.3 m above the floor in URDF, with Gazebo's sensors: the force below its joint, its
// touch, the distance to the floor, and a camera with noise that looks down at it.
TEST(sensors_of_urdf_measure_too)
{
    static const char text[] =
        "<robot name='r'><link name='world'/><link name='foot'><inertial><mass value='2'/><inertia ixx='1' iyy='1' "
        "izz='1'/></inertial><collision name='sole'><geometry><sphere radius='0.1'/></geometry></collision></link>"
        "<joint name='lift' type='prismatic'><parent link='world'/><child link='foot'/><origin xyz='0 0 0.4'/>"
        "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='0' velocity='0'/></joint>"
        "<gazebo reference='lift'><sensor name='ft' type='force_torque'/></gazebo>"
        "<gazebo reference='foot'><sensor name='imu' type='imu'><imu><linear_acceleration><x><noise type='gaussian'>"
        "<bias_mean>0.25</bias_mean></noise></x></linear_acceleration></imu></sensor>"
        "<sensor name='bump' type='contact'/>"
        "<sensor name='laser' type='ray'><pose>0 0 0 0 1.5707963267948966 0</pose><ray><range><min>0.05</min>"
        "<max>5</max></range></ray></sensor><sensor name='eye' type='camera'><pose>0 0 0 0 1.5707963267948966 0</pose>"
        "<update_rate>100</update_rate><camera><horizontal_fov>1</horizontal_fov><image><width>20</width><height>20"
        "</height></image><noise><type>gaussian</type><stddev>0.1</stddev></noise></camera></sensor></gazebo></robot>";
    lab l = start_xml("urdf", text, FF_METHOD_RK4, 1e-4);
    CHECK_INT(l.set->n, 5);
    run(&l, 0.1); // it falls freely by g t^2 / 2
    CHECK_NEAR(value(&l, "laser", 0), 0.4 - 0.5 * 9.81 * 0.01, 1e-9);
    CHECK_NEAR(value(&l, "imu", 5), 0.0, 1e-9);
    CHECK_NEAR(value(&l, "imu", 3), 0.25, 1e-12); // its bias
    CHECK(value(&l, "bump", 0) == 0.0);
    const ff_picture *p = ff_sim_picture(l.sim, ff_sim_find_sensor(l.sim, "eye"));
    int different = 0;
    for (int i = 1; i < 400; i++) different += p->rgb[3 * i] != p->rgb[0];
    CHECK(isfinite(p->depth[210]) && different > 300); // one colour, but for the noise
    run(&l, 5.0);                                      // and trembles on the floor
    CHECK(value(&l, "bump", 0) == 1.0);
    CHECK_NEAR(value(&l, "bump", 1), 2.0 * 9.81, 0.2);
    CHECK_NEAR(value(&l, "imu", 5), 0.5 * value(&l, "bump", 1), 1e-9); // a + g = F / m
    CHECK_NEAR(value(&l, "ft", 2), 0.0, 1e-9);                         // the ground carries it, the slide nothing
}

TEST(settings_that_a_picture_does_not_have_are_refused)
{
    expect_error(PROBE, "{type: camera, frame: root, bias: 1}", "has no setting 'bias'", 9);
    expect_error(PROBE, "{type: camera, frame: root, delay: 1}", "has no setting 'delay'", 9);
    expect_error(PROBE, "{type: camera, frame: root, bits: 8}", "has no setting 'bits'", 9);
    expect_error(PROBE, "{type: camera, frame: root, reach: [0, 1]}", "has no setting 'reach'", 9);
    expect_error(PROBE, "{type: camera, frame: root, noise: -0.1}", "'noise' is -0.1: it must be zero or more", 9);
    expect_error(PROBE, "{type: camera, frame: root, far: 0}", "'far' is 0 m: it must be positive", 9);
}

TEST(a_sensor_that_is_no_device_of_its_own_has_no_station)
{
    expect_error(PROBE, "{type: potentiometer, joint: shoulder, station: [10]}",
                 "station: only force, force6 and inertial", 9);
    expect_error(PROBE, "{type: touch, frame: root, station: [10]}", "station: only force, force6 and inertial", 9);
}

TEST(sensors_that_would_fill_a_machine_are_refused)
{
    char text[6000];
    size_t at = 0;
    at += (size_t)snprintf(text, sizeof text, "{type: gyro, frame: root}\n");
    for (int i = 0; i < 30; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "  p%d: {type: tactile, frame: root, rows: 30, columns: 20, delay: 1000}\n", i);
    ff_report report = {0};
    const ff_sensor_options o = ff_sensor_options_default();
    char robot[6500];
    snprintf(robot, sizeof robot,
             "footfall: 1\nname: arm\nbodies:\n  upper:\n    joint: {name: shoulder, axis: y}\n"
             "    inertial: {mass: 1.0, box: [1, 1, 1]}\n    frames: {root: {}}\nsensors:\n  x: %s",
             text);
    CHECK(!make_plant(robot, &o, false, &report));
    CHECK(report.errors == 1 && strstr(report.messages[0].text, "MiB") && report.messages[0].line > 30);
    ff_report_clear(&report);
}
