// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch model inside: plain numbers and indices, nothing to follow but the arrays it owns, so that it can be copied
// to a device as it is. Nodes are in depth-first order: the step walks down and up the tree with a stack as deep as the
// tree, and what it works on stays in the nearest cache.
//
// The state of a robot is a column of rows, all doubles:
//     q (nq), v (nv), then FF_POINT_ROWS of each contact point, then FF_ROBOT_ROWS, then FF_BATCH_PARAMETERS
// and its inputs another: position, speed and torque of each servo, then the commands of the actuators.
#ifndef FOOTFALL_BATCH_MODEL_H
#define FOOTFALL_BATCH_MODEL_H

#if !defined(__CUDACC_RTC__)
#include <footfall/batch.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What a contact point keeps.
enum {
    FF_POINT_MODE,      // 0 open, 1 sliding, 2 sticking, as ff_contact_mode
    FF_POINT_IMPACT,    // speed at touch-down  [m/s]
    FF_POINT_SPRING,    // of the grip, world axes  (3)  [m]
    FF_POINT_FORCE = 5, // on the robot in the last step, world axes  (3)  [N]
    FF_POINT_ROWS = 8
};

/// What a robot keeps besides.
enum {
    FF_ROBOT_AGE,                        // steps since it began
    FF_ROBOT_END,                        // 0 while it lives, else why it stands still: ff_batch_end
    FF_ROBOT_PUSH,                       // force at the origin of the first root, world axes  (3)  [N]
    FF_ROBOT_PUSHED = FF_ROBOT_PUSH + 3, // age up to which it acts
    FF_ROBOT_ACCELERATION,               // of the first free root in its last sound step, world axes  (3)  [m/s^2]
    FF_ROBOT_LAST = FF_ROBOT_ACCELERATION + 2,
    FF_ROBOT_ROWS
};

/// Elementary joints, as ff_node_type.
enum { FF_LINK_HINGE, FF_LINK_SLIDE, FF_LINK_BALL, FF_LINK_FREE };

typedef struct ff_batch_node {
    int type;
    int depth;         // 0: on the world; its parent is the last node before it that is one less deep
    int q, v;          // first of its rows
    int tree;          // of the forest
    int leaf;          // nothing hangs on it
    int branches;      // several nodes hang on it
    int first, last;   // of those on its parent
    int massive;       // it has mass, or points that touch
    int turned;        // rest_R is not the identity
    int point, npoint; // its contact points
    double rest_R[9], rest_p[3], ref;
    double mass, h[3], I[6]; // about its origin, its axes; I: xx yy zz xy xz yz
} ff_batch_node;

/// Passive forces of a degree of freedom, and who drives it.
typedef struct ff_batch_dof {
    int q;       // row of its position
    int passive; // any of the numbers below but the armature is not zero
    int servo;   // -1: none
    int actuator, nactuator;
    double armature;
    double damping, dry, dry_speed;
    double stiffness, spring_ref;
    int limited;
    double low, high, stop_stiffness, stop_damping;
} ff_batch_dof;

/// tau = clamp(stiffness (position - q) + damping (speed - v) + torque)
typedef struct ff_batch_servo_law {
    double stiffness, damping, low, high;
} ff_batch_servo_law;

/// tau = gear clamp(gain clamp(u) + bias0 + bias1 gear q + bias2 gear v)
typedef struct ff_batch_actuator_law {
    int command; // row of its command among the inputs
    double gear, gain, bias[3], command_low, command_high, force_low, force_high;
} ff_batch_actuator_law;

/// A plane fixed to the world: n x = level.
typedef struct ff_batch_plane {
    double n[3], level;
} ff_batch_plane;

/// The powers of depth that laws may have: 0, 1 and 3/2, which need no function of the C library.
enum { FF_POWER_NONE, FF_POWER_ONE, FF_POWER_HERTZ };

/// A pair of materials with the share of a point (contact/private.h): the stiffness of a point.
typedef struct ff_batch_contact {
    int power, damping_power; // of the depth
    int by_impact;            // the damping is divided by the speed of touch-down ...
    int always_floor;         // ... or always by the floor: nothing bounces
    int pulls;
    int grips;       // friction has a spring
    int no_cone;     // which holds any load
    int dash_power;  // of the depth in the damping of the grip
    int slack_stick; // the spring is slack where sticking begins
    double stiffness, damping, floor;
    double mu_static, mu_kinetic, grip, dash, dash_least, stick_speed;
} ff_batch_contact;

typedef struct ff_batch_point {
    int row; // first of its rows
    int plane, contact;
    int foot;          // of the model (ff_model.limbs), -1: none
    int shape, number; // of the world, and the number of the point in it
    double at[3];      // in the frame of its node
    double radius;
} ff_batch_point;

/// When a robot has fallen.
typedef struct ff_batch_rules {
    int watched;          // either may be
    double least_height;  // of its root  [m]
    double least_upright; // cosine of the tilt of its root
} ff_batch_rules;

/// Targets that go from pose to pose with a smooth start and end (src/scene/control.c); those of a robot are added.
typedef struct ff_batch_cycle {
    int npose;           // 0: none
    double period;       // of all poses  [s]
    const double *poses; // positions of the servos  (npose*nservo)
} ff_batch_cycle;

struct ff_batch_model {
    int nq, nv, nnode, ndof, npoint, nplane, ncontact, nservo, nactuator, ntree, depth;
    int robot;  // first of FF_ROBOT_ROWS
    int root;   // row of the position of the first free root, -1: none
    int root_v; // first of its degrees of freedom
    int nfoot;  // feet and hands of the model
    ff_batch_cycle cycle;
    int parameter;      // first of FF_BATCH_PARAMETERS
    int nrow;           // of the state
    int ninput;         // rows of the inputs
    double step;        // [s]
    double limit_speed; // of a sound state  [m/s, rad/s]
    double gravity[3];
    ff_batch_node *nodes;
    ff_batch_dof *dofs;
    ff_batch_servo_law *servos;
    ff_batch_actuator_law *actuators;
    ff_batch_point *points;
    ff_batch_plane *planes;
    ff_batch_contact *contacts;
    double *start;       // rows of a robot that begins  (nrow)
    double *start_input; // (ninput)
    int *servo_joint;    // joints of the servos in the model they stem from  (nservo)
};

#if !defined(__CUDACC_RTC__)
/// Height of the ground that falls are measured from: that of the highest plane below the first free root at the start,
/// 0 without such a plane or root (compile.c).  [m]
double ff_batch_ground(const ff_batch_model *model);
#endif

#ifdef __cplusplus
}
#endif
#endif
