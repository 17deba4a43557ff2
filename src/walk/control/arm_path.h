// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves of an arm from point to point: every joint, or the tip on a straight line, follows a quintic in time. On a line
// inverse kinematics of the first three joints places the tip, and the other joints follow quintics; speeds and
// accelerations are exact:
//     J1 q1' = p' - J2 q2',    J1 q1'' = p'' - J' q' - J2 q2''
// A move that begins while the arm moves starts with its position, speed and acceleration.
#ifndef FOOTFALL_CONTROL_ARM_PATH_H
#define FOOTFALL_CONTROL_ARM_PATH_H

#include "control/quintic.h"

#include <footfall/ik.h>

enum { FF_ARM_JOINTS = 12, FF_ARM_PLACING = 3 }; // most joints; joints that place the tip on a line

/// An arm with its scratch: one thread can use it at a time.
typedef struct ff_arm {
    const ff_model *model;
    int n; // joints
    ff_ik_target tip;
    double rotor[FF_ARM_JOINTS]; // part of the model's armature that turns behind the springs  [kg m^2]
    bool held[FF_ARM_JOINTS];    // joints that do not place the tip
    ff_data *data;
    double *work;
} ff_arm;

typedef struct ff_arm_point {
    double q[FF_ARM_JOINTS], v[FF_ARM_JOINTS], a[FF_ARM_JOINTS];
} ff_arm_point;

typedef struct ff_arm_move {
    bool line;
    double start, duration; // [s]
    ff_quintic joint[FF_ARM_JOINTS];
    ff_quintic tip[3];
} ff_arm_move;

/// Where a move ends.
typedef struct ff_arm_target {
    bool line;               // the tip goes straight
    bool at_tip;             // to `tip`; otherwise to where it is at `q`
    double tip[3];           // in the frame of the robot's file  [m]
    double q[FF_ARM_JOINTS]; // at the end; of joints that place the tip a first guess
} ff_arm_target;

typedef enum ff_arm_fault {
    FF_ARM_FINE,
    FF_ARM_FAR,     // the tip cannot be where it should: out of reach, or behind a limit of a joint
    FF_ARM_SINGULAR // the joints cannot give the tip its velocity
} ff_arm_fault;

/// A box that holds every place of the tip, in the frame of the robot's file [m]: the circle of the second joint about
/// the axis of the first, and the length of the arm from there on, stretched out. Slides count with their longest way;
/// without limits they have 1 m. Limits of hinges may leave less.
void ff_arm_box(const ff_arm *arm, double low[3], double high[3]);
/// @param frame  of the model: the tip
/// @return FF_BAD_MODEL or FF_NOT_FOUND, with the reason in `err`, where the robot is no such arm
ff_status ff_arm_init(ff_arm *arm, const ff_model *model, const char *frame, ff_error *err);
void ff_arm_clear(ff_arm *arm);

/// Where the tip is for joint positions q.
void ff_arm_tip(const ff_arm *arm, const double *q, double tip[3]);
/// A move that stands at q.
ff_arm_move ff_arm_stand(const ff_arm *arm, const double *q);
/// A move from a point to a target.
/// @return FF_BAD_ARGUMENT, with the reason in `err`, for a target that the tip cannot reach
ff_status ff_arm_plan(const ff_arm *arm, const ff_arm_point *from, const ff_arm_target *target, double start,
                      double duration, ff_arm_move *out, ff_error *err);
/// All joints at the time t.
/// @param point  its q are where inverse kinematics begins to look; with a fault, as near as the tip can be, at rest
ff_arm_fault ff_arm_locate(const ff_arm *arm, const ff_arm_move *move, double t, ff_arm_point *point);
/// Checks the whole move for reach, singular positions, limits of positions and speeds.
/// @param end  the point at its end
/// @return FF_BAD_ARGUMENT with place in time, joint and numbers in `err`
ff_status ff_arm_check(const ff_arm *arm, const ff_arm_move *move, const ff_arm_point *from, ff_arm_point *end,
                       ff_error *err);
/// Torques that the springs must transmit at a point: inverse dynamics without the rotors behind them.
void ff_arm_torque(const ff_arm *arm, const ff_arm_point *point, double *torque);
/// Torques that hold the arm at q.
void ff_arm_gravity(const ff_arm *arm, const double *q, double *torque);

#endif
