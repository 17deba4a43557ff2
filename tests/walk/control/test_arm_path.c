// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Quintics, lines of the tip, and references for elastic joints, against closed forms and differences.
#include "check.h"
#include "control/arm_path.h"
#include "control/elastic_joint.h"
#include "support/folder.h"

#include <footfall/plant.h>
#include <math.h>
#include <string.h>

TEST(a_quintic_meets_its_ends_and_the_known_peaks)
{
    double out[3];
    const ff_quintic q = ff_quintic_make((const double[3]){1.0, 0.0, 0.0}, 3.0, 0.5);
    ff_quintic_at(&q, 0.25, out);
    CHECK_NEAR(out[0], 2.0, 1e-15);
    CHECK_NEAR(out[1], 15.0 / 8.0 * 2.0 / 0.5, 1e-14); // greatest rate
    CHECK_NEAR(out[2], 0.0, 1e-12);
    ff_quintic_at(&q, 0.5 * (0.5 - sqrt(3.0) / 6.0), out);
    CHECK_NEAR(out[2], 10.0 / sqrt(3.0) * 2.0 / 0.25, 1e-12); // greatest acceleration
    ff_quintic_at(&q, -1.0, out);
    CHECK(out[0] == 1.0 && out[1] == 0.0 && out[2] == 0.0);
    ff_quintic_at(&q, 0.5, out);
    CHECK_NEAR(out[0], 3.0, 1e-15);
    CHECK(out[1] == 0.0 && out[2] == 0.0);
    const ff_quintic on = ff_quintic_make((const double[3]){1.0, -2.0, 5.0}, 3.0, 0.5); // from a start on the move
    ff_quintic_at(&on, 0.0, out);
    CHECK(out[0] == 1.0 && out[1] == -2.0 && out[2] == 5.0);
    ff_quintic_at(&on, 0.5 - 1e-9, out);
    CHECK_NEAR(out[0], 3.0, 1e-14);
    CHECK_NEAR(out[1], 0.0, 1e-12);
    CHECK_NEAR(out[2], 0.0, 1e-5); // [1/s^2] jerk of 2000 times 1 ns
}

static ff_report report;
static ff_plant *plant;

static ff_arm open_arm(void)
{
    ff_error err = {0};
    ff_arm arm;
    plant = ff_plant_load(FF_SOURCE_DIR "/robots/biorob/biorob.yaml", NULL, &report);
    if (!plant) CHECK_FAIL("%s", report.messages[0].text);
    if (ff_arm_init(&arm, plant->model, "tip", &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return arm;
}

static void close_arm(ff_arm *arm)
{
    ff_arm_clear(arm);
    ff_plant_destroy(plant);
    ff_report_clear(&report);
}

// A gantry along x, 0.5 m to either side, with an oblique hinge 0.3 m above it and a link of 0.2 m, has room for rail
// and link to all sides. No position of the arm's joints leads out of its box, and each side of it is met by some.
TEST(the_box_of_an_arm_holds_every_place_of_its_tip)
{
    static const char gantry[] =
        "footfall: 1\nname: gantry\nbodies:\n  car: {joint: {name: rail, type: slide, axis: x, range: [-0.5, 0.5]},\n"
        "    inertial: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\n  link: {parent: car, pos: [0, 0, 0.3],\n    joint: "
        "{name: "
        "tilt, axis: [0.6, 0, 0.8]}, inertial: {mass: 1, inertia: [0.1, 0.1, 0.1]},\n    frames: {tip: {pos: [0, 0.2, "
        "0]}}}\n";
    ff_error err = {0};
    double low[3], high[3], tip[3];
    ff_plant *made = ff_plant_load(write_file("gantry.yaml", gantry), NULL, &report);
    if (!made) CHECK_FAIL("%s", report.messages[0].text);
    ff_arm arm;
    CHECK_INT(ff_arm_init(&arm, made->model, "tip", &err), FF_OK);
    ff_arm_box(&arm, low, high);
    for (int k = 0; k < 3; k++) CHECK_NEAR(0.5 * (high[k] - low[k]), 0.7, 1e-12); // the rail and the link, stretched
    CHECK_NEAR(0.5 * (high[2] + low[2]), 0.3, 1e-12);
    ff_arm_clear(&arm);
    ff_plant_destroy(made);
    arm = open_arm();
    ff_arm_box(&arm, low, high);
    double least[3] = {1, 1, 1}, most[3] = {-1, -1, -1};
    for (int i = 0; i < 20 * 20 * 20 * 3; i++) { // yaw, shoulder, elbow all around, wrist straight and bent
        const double turn = 2.0 * FF_PI / 20.0,
                     q[4] = {turn * (i % 20), turn * (i / 20 % 20), turn * (i / 400 % 20), 0.5 * (i / 8000)};
        ff_arm_tip(&arm, q, tip);
        for (int k = 0; k < 3; k++) {
            least[k] = fmin(least[k], tip[k]);
            most[k] = fmax(most[k], tip[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(least[k], low[k], 1e-12);
        CHECK_NEAR(most[k], high[k], 1e-12);
    }
    close_arm(&arm);
}

// The tip stays on the straight line and on its quintic; speeds and accelerations are those of the positions.
TEST(the_tip_goes_straight_and_joints_move_as_their_derivatives_say)
{
    ff_arm arm = open_arm();
    ff_error err = {0};
    ff_arm_move move;
    ff_arm_point from = {.q = {0.2, 1.0, -1.4, -0.7}}, end, p, before, after;
    ff_arm_target target = {.line = true, .at_tip = true, .tip = {0.35, 0.25, 0.1}};
    double start[3], tip[3];
    memcpy(target.q, from.q, sizeof target.q);
    target.q[3] = -0.2;
    ff_arm_tip(&arm, from.q, start);
    CHECK_INT(ff_arm_plan(&arm, &from, &target, 2.0, 0.8, &move, &err), FF_OK);
    CHECK_INT(ff_arm_check(&arm, &move, &from, &end, &err), FF_OK);
    ff_arm_tip(&arm, end.q, tip);
    for (int k = 0; k < 3; k++) CHECK_NEAR(tip[k], target.tip[k], 1e-9); // [m] inverse kinematics
    CHECK_NEAR(end.q[3], -0.2, 1e-15);
    p = from;
    for (int i = 1; i < 8; i++) {
        const double s = i / 8.0, share = s * s * s * (10 + s * (-15 + 6 * s)), h = 1e-4;
        CHECK_INT(ff_arm_locate(&arm, &move, 2.0 + 0.8 * s, &p), FF_ARM_FINE);
        ff_arm_tip(&arm, p.q, tip);
        for (int k = 0; k < 3; k++) CHECK_NEAR(tip[k], start[k] + share * (target.tip[k] - start[k]), 1e-9);
        before = after = p;
        ff_arm_locate(&arm, &move, 2.0 + 0.8 * s - h, &before);
        ff_arm_locate(&arm, &move, 2.0 + 0.8 * s + h, &after);
        for (int k = 0; k < 4; k++) {
            CHECK_NEAR((after.q[k] - before.q[k]) / (2 * h), p.v[k], 1e-5); // h^2 / 6 of jerks around 100
            CHECK_NEAR((after.v[k] - before.v[k]) / (2 * h), p.a[k], 1e-4);
        }
    }
    close_arm(&arm);
}

// What the flatness law gives lets the model follow: with theta = theta_d the spring transmits K e + D e' = tau, and
// the rotor needs J theta'' + tau. Checked on tau = A (1 - cos w t), for which e is known.
TEST(the_flatness_law_inverts_the_spring)
{
    const double K = 80, T = 0.005, J = 0.02, A = 3, w = 9, dt = 1e-3, h = 0.5e-3;
    const ff_elastic_joint joint = {1 / K, T, J};
    ff_elastic_state state = ff_elastic_rest(&joint, 0.0);
    double t = 0.0;
    ff_motor_reference r = {0};
    for (int k = 0; k <= 500; k++, t = k * dt) {
        const ff_path_torque torque = {A * (1 - cos(w * (t - h))), A * (1 - cos(w * t)), A * (1 - cos(w * (t + h))), h};
        r = ff_elastic_flatness(&joint, &state, (const double[3]){0.1, 0.2, 0.3}, &torque, k == 0 ? 0.0 : dt);
        if (k == 500) break;
    }
    // e = A / K (1 - (cos w t + w T sin w t) / (1 + w^2 T^2)), 500 ms or 100 T after the start
    const double part = A / K / (1 + w * w * T * T), c = cos(w * t), s = sin(w * t);
    const double e = A / K - part * (c + w * T * s), v = part * w * (s - w * T * c), a = part * w * w * (c + w * T * s);
    CHECK_NEAR(r.position, 0.1 + e, 7e-6 * A / K);           // straight between samples: (w dt)^2 / 12
    CHECK_NEAR(r.speed, 0.2 + v, 1e-5 * A / K / T);          // the same over T
    CHECK_NEAR(r.torque, J * (0.3 + a) + A * (1 - c), 1e-3); // and once more
    const ff_elastic_joint bare = {1 / K, 0.0, J};           // no damping: differences of the torque
    const ff_path_torque torque = {A * (1 - cos(w * (t - h))), A * (1 - c), A * (1 - cos(w * (t + h))), h};
    r = ff_elastic_flatness(&bare, &state, (const double[3]){0.1, 0.2, 0.3}, &torque, dt);
    CHECK_NEAR(r.position, 0.1 + A / K * (1 - c), 1e-15);
    CHECK_NEAR(r.speed, 0.2 + A / K * w * s, 1e-5 * A / K * w);
    CHECK_NEAR(r.torque, J * (0.3 + A / K * w * w * c) + A * (1 - c), 1e-5);
    const ff_elastic_joint rigid = {0.0, 0.0, J};
    r = ff_elastic_flatness(&rigid, &state, (const double[3]){0.1, 0.2, 0.3}, &torque, dt);
    CHECK(r.position == 0.1 && r.speed == 0.2);
    r = ff_elastic_gravity(&joint, (const double[2]){0.1, 0.2}, 4.0);
    CHECK_NEAR(r.position, 0.15, 1e-15);
    CHECK(r.speed == 0.2 && r.torque == 4.0);
}
