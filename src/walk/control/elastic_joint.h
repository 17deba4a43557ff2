// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// References for the motor of an elastic joint, by the reduced model of M. W. Spong (J. Dyn. Sys. Meas. Control 109,
// 1987): the motor turns against its inertia and the spring, the links get what the spring transmits,
//     J theta'' + tau = tau_m,     M(q) q'' + c(q, q') + g(q) = tau = K e + D e',     e = theta - q,
// after the gear. A path q_d(t) of the joints needs the torque tau_d(t) of inverse dynamics. Two laws compute position,
// speed and torque for the PD loop of the motor:
//     gravity   theta_d = q_d + g(q_d) / K,  theta_d' = q_d',  torque g(q_d): right at rest (P. Tomei, IEEE Trans.
//               Autom. Control 36, 1991)
//     flatness  theta_d = q_d + e_d with D e_d' + K e_d = tau_d,  torque J theta_d'' + tau_d: q is a flat output of the
//               model (A. De Luca, W. Book, Springer Handbook of Robotics, ch. 11)
// With D = 0 the derivatives of e_d are differences of tau_d / K.
#ifndef FOOTFALL_CONTROL_ELASTIC_JOINT_H
#define FOOTFALL_CONTROL_ELASTIC_JOINT_H

typedef struct ff_elastic_joint {
    double compliance; // 1 / K, 0: rigid     [rad/(N m)]
    double time;       // D / K, 0: undamped  [s]
    double inertia;    // J, after the gear   [kg m^2]
} ff_elastic_joint;

/// References of the loop of the motor.
typedef struct ff_motor_reference {
    double position, speed, torque; // [rad, rad/s, N m]
} ff_motor_reference;

/// State of the flatness law.
typedef struct ff_elastic_state {
    double twist;  // e_d    [rad]
    double torque; // tau_d  [N m]
} ff_elastic_state;

/// Torques of the path at t - h, t and t + h.
typedef struct ff_path_torque {
    double before, now, after; // [N m]
    double h;                  // [s]
} ff_path_torque;

/// @param q        position and speed of the path
/// @param gravity  torque that holds the joint at q  [N m]
ff_motor_reference ff_elastic_gravity(const ff_elastic_joint *joint, const double q[2], double gravity);
/// State of a joint that carries a torque at rest.
ff_elastic_state ff_elastic_rest(const ff_elastic_joint *joint, double torque);
/// Advances the twist by dt, with a torque that changes linearly to that of the path now. @return the references
/// @param q  position, speed and acceleration of the path
ff_motor_reference ff_elastic_flatness(const ff_elastic_joint *joint, ff_elastic_state *state, const double q[3],
                                       const ff_path_torque *torque, double dt);

#endif
