// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Force and torque sensors of mechanisms with loops: the pins of a parallelogram against closed forms, pins of an
// irregular four-bar that carry no torque, and the momentum of all its bodies, whichever kind of loop closes it.
#include "support/sensor_lab.h"

#include <footfall/loop.h>

/// Two equal cranks and a coupler, thin rods of 1 m and 1 kg; upright at 0.
static const char PARALLEL[] = "footfall: 1\n"
                               "name: parallelogram\n"
                               "bodies:\n"
                               "  left:\n"
                               "    joint: {name: phi, axis: y}\n"
                               "    inertial: {mass: 1, rod: {to: [0, 0, 1]}}\n"
                               "    frames: {root: {}}\n"
                               "    bodies:\n"
                               "      coupler:\n"
                               "        pos: [0, 0, 1]\n"
                               "        joint: {name: psi, axis: y}\n"
                               "        inertial: {mass: 1, rod: {to: [1, 0, 0]}}\n"
                               "        frames: {pin: {}}\n"
                               "  right:\n"
                               "    pos: [1, 0, 0]\n"
                               "    joint: {name: chi, axis: y}\n"
                               "    inertial: {mass: 1, rod: {to: [0, 0, 1]}}\n"
                               "    frames: {base: {}}\n"
                               "loops: {window: {connect: [coupler, right], at: [[1, 0, 0], [0, 0, 1]]}}\n"
                               "sensors:\n"
                               "  pin: {type: force6, frame: pin}\n"
                               "  part: {type: force, frame: pin, mass: 0.2, com: [0.1, 0, 0]}\n"
                               "  root: {type: force6, frame: root}\n"
                               "  base: {type: force6, frame: base}\n"
                               "  free: {type: torque, joint: psi}\n";

// All cranks turn alike and the coupler does not turn at all. About its middle the two pins must balance, and each
// crank needs the same torque of its pin: both pins carry half of m (a - g). One equation of motion is left, (2/3 + 1)
// m l^2 phi'' = 2 m g l sin(phi), and energy gives (5/6) phi'^2 = 2 g (cos phi0 - cos phi).
TEST(pins_of_a_parallelogram_share_its_coupler)
{
    const double g = 9.81, phi0 = 0.3;
    lab l = start(PARALLEL, FF_STAGES_NONE, 1e-4, false);
    ff_sim_set_state(l.sim, (double[]){phi0, -phi0, phi0}, NULL);
    for (int k = 1; k <= 5; k++) {
        run(&l, 0.2 * k);
        const double phi = ff_sim_q(l.sim)[0], c = cos(phi), s = sin(phi);
        const double square = 2.4 * g * (cos(phi0) - c), turn = 1.2 * g * s;
        const double ax = c * turn - s * square, az = -s * turn - c * square;
        // on the crank, in the axes of the coupler, which stay those of the world
        CHECK_NEAR(value(&l, "pin", 0), -0.5 * ax, 1e-7); // [N] the error of rk4 in the speed
        CHECK_NEAR(value(&l, "pin", 2), -0.5 * (az + g), 1e-7);
        CHECK_NEAR(value(&l, "pin", 4), 0.0, 1e-9); // [N m] a pin
        CHECK_NEAR(value(&l, "free", 0), 0.0, 1e-9);
        // a sensor inside the coupler feels the 0.2 kg beyond it alone: the loop hangs on the other part
        CHECK_NEAR(value(&l, "part", 0), -0.2 * ax, 1e-7);
        CHECK_NEAR(value(&l, "part", 2), -0.2 * (az + g), 1e-7);
        // each crank stands on half of the coupler and on itself, whose middle moves half as fast; axes of the crank
        const double fx = -0.5 * ax - 0.5 * ax, fz = -0.5 * (az + g) - (0.5 * az + g);
        CHECK_NEAR(value(&l, "root", 0), c * fx - s * fz, 1e-7);
        CHECK_NEAR(value(&l, "root", 2), s * fx + c * fz, 1e-7);
        CHECK_NEAR(value(&l, "base", 0), value(&l, "root", 0), 1e-9);
        CHECK_NEAR(value(&l, "base", 2), value(&l, "root", 2), 1e-9);
    }
}

/// Cranks of 0.4 and 0.7 m, a coupler of 0.9 m between them; how it is closed is left open.
static const char IRREGULAR[] = "footfall: 1\n"
                                "name: fourbar\n"
                                "bodies:\n"
                                "  left:\n"
                                "    joint: {name: phi, axis: y, damping: 0.05}\n"
                                "    inertial: {mass: 0.7, rod: {to: [0, 0, 0.4]}}\n"
                                "    frames: {root: {}}\n"
                                "    bodies:\n"
                                "      coupler:\n"
                                "        pos: [0, 0, 0.4]\n"
                                "        joint: {name: psi, axis: y, damping: 0.02}\n"
                                "        inertial: {mass: 1.3, com: [0.5, 0, 0.1], box: [0.9, 0.1, 0.2]}\n"
                                "  right:\n"
                                "    pos: [0.9, 0, -0.3]\n"
                                "    joint: {name: chi, axis: y}\n"
                                "    inertial: {mass: 0.9, rod: {to: [0, 0, 0.7]}}\n"
                                "    frames: {base: {}}\n"
                                "    bodies:\n"
                                "      tip: {pos: [0, 0, 0.7], joint: {name: omega, axis: y}, inertial: {mass: 0.1, "
                                "box: [0.1, 0.1, 0.1]}}\n"
                                "loops: {window: {%s}}\n"
                                "sensors:\n"
                                "  root: {type: force6, frame: root}\n"
                                "  base: {type: force6, frame: base}\n"
                                "  hip: {type: torque, joint: phi}\n"
                                "  knee: {type: torque, joint: psi}\n"
                                "  heel: {type: torque, joint: chi}\n"
                                "  toe: {type: torque, joint: omega}\n";

/// Force on the ground in world axes: the sensor turns with its crank.
static double upward(const lab *l, const char *name, double angle)
{
    return -sin(angle) * value(l, name, 0) + cos(angle) * value(l, name, 2);
}

static double along(const lab *l, const char *name, double angle)
{
    return cos(angle) * value(l, name, 0) + sin(angle) * value(l, name, 2);
}

static void check_irregular(const char *loop)
{
    char text[2000];
    snprintf(text, sizeof text, IRREGULAR, loop);
    lab l = start(text, FF_STAGES_NONE, 1e-4, false);
    const ff_data *d = ff_sim_data(l.sim);
    double total[3] = {0}, motion[6];
    run(&l, 0.3);
    // what passes through a pin about its axis is its damper's, however large the force of the loop
    CHECK_NEAR(value(&l, "hip", 0), -0.05 * d->v[0], 1e-9); // [N m] rounding of Newton and Euler with some 50 N
    CHECK_NEAR(value(&l, "knee", 0), -0.02 * d->v[1], 1e-9);
    CHECK_NEAR(value(&l, "heel", 0), 0.0, 1e-9);
    CHECK_NEAR(value(&l, "toe", 0), 0.0, 1e-9);
    // the two grounds together carry weight and inertia of all bodies: forces of the loop are not among them
    ff_sim_evaluate(l.sim, FF_SIM_ACCELERATION, NULL);
    for (int b = 0; b < l.model->nbody; b++) {
        ff_dyn_point_acceleration(l.model, d, b, l.model->bodies[b].com, d->qacc, motion);
        for (int k = 0; k < 3; k++) total[k] += l.model->bodies[b].mass * (l.model->gravity[k] - motion[3 + k]);
    }
    CHECK_NEAR(along(&l, "root", d->q[0]) + along(&l, "base", d->q[2]), total[0], 1e-9); // [N]
    CHECK_NEAR(upward(&l, "root", d->q[0]) + upward(&l, "base", d->q[2]), total[2], 1e-9);
    CHECK(fabs(upward(&l, "root", d->q[0])) > 1.0 && fabs(upward(&l, "base", d->q[2])) > 1.0);
}

TEST(pins_of_a_four_bar_carry_no_torque_whatever_closes_it)
{
    check_irregular("connect: [coupler, right], at: [[0.9, 0, 0], [0, 0, 0.7]]");
    check_irregular("connect: [right, coupler], at: [[0, 0, 0.7], [0.9, 0, 0]]");
    check_irregular("weld: [coupler, tip]");
    check_irregular("rod: [coupler, right], at: [[0.7, 0, 0.3], [0, 0, 0.6]]");
}
