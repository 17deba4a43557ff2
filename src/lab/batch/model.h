// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch model inside: plain numbers and indices, nothing to follow but the arrays it owns, so that it can be copied
// to a device as it is. Nodes are in depth-first order: the step walks down and up the tree with a stack as deep as the
// tree, and what it works on stays in the nearest cache.
//
// The state of a robot is a column of rows, all doubles:
//     q (nq), v (nv), then rows of each contact point, then FF_ROBOT_ROWS, then FF_KEPT_ROWS of each servo where some
//     loop is sampled, then FF_CUT_ROWS of each cut, then key and factor of its noise where there are sensors, then
//     FF_BATCH_PARAMETERS, then the delay of its servos and the targets under way, where there is one
// and its inputs another: position, speed and torque of each servo, then the commands of the actuators.
//
// Structs with numbers of type `num` have their integers first: specialise.c rounds what comes behind them.
#ifndef FOOTFALL_BATCH_MODEL_H
#define FOOTFALL_BATCH_MODEL_H

#include <footfall/batch.h>

#include "batch/channel.h"
#include "batch/formula.h"
#include "batch/number.h"
#include "geom/grid.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a contact point keeps.
enum {
    FF_POINT_MODE,      // 0 open, 1 sliding, 2 sticking, as ff_contact_mode
    FF_POINT_IMPACT,    // speed at touch-down  [m/s]
    FF_POINT_SPRING,    // of friction, world axes  (3)  [m]
    FF_POINT_FORCE = 5, // on the robot in the last step, world axes  (3)  [N]
    FF_POINT_ROWS = 8,
    FF_POINT_NORMAL = FF_POINT_ROWS, // of points on a height field: that the spring lies across, world axes  (3)
    FF_POINT_FIELD_ROWS = FF_POINT_NORMAL + 3,
    // behind them, of points that resist turning: springs of torsion and rolling, world axes  (3)  [rad]
    FF_TURN_MOMENT = 3, // on the robot in the last step, likewise  (3)  [N m]
    FF_TURN_ROWS = 6
};

/// What a robot keeps besides.
enum {
    FF_ROBOT_AGE,                        // steps since it began
    FF_ROBOT_END,                        // 0 while it lives, else why it stands still: ff_batch_end; FF_NOBODY
    FF_ROBOT_PUSH,                       // force at the origin of the first root, world axes  (3)  [N]
    FF_ROBOT_PUSHED = FF_ROBOT_PUSH + 3, // age up to which it acts ...
    FF_ROBOT_PUSH_FROM,                  // ... and from which on
    FF_ROBOT_ACCELERATION,               // of the first free root in its last sound step, world axes  (3)  [m/s^2]
    FF_ROBOT_TURNING =
        FF_ROBOT_ACCELERATION + 3,          // its angular acceleration, its own axes, where there are sensors  (3)
    FF_ROBOT_REWARD = FF_ROBOT_TURNING + 3, // sum over its steps
    FF_ROBOT_START,                         // place of the first free root when it began: x, y  (2)  [m]
    FF_ROBOT_ROWS = FF_ROBOT_START + 2
};

/// What a servo keeps whose loop is sampled (driven.h).
enum {
    FF_KEPT_TARGET,  // of position, held for a frame  [rad, m]
    FF_KEPT_COMMAND, // torque or voltage, held until the next sample  [N m, N, V]
    FF_KEPT_SEEN,    // position by the encoder at the last sample  [rad, m]
    FF_KEPT_TORQUE,  // of its joint in this step, behind a differential (pair.h)  [N m, N]
    FF_KEPT_ROWS
};

enum { FF_OWN_ROWS = 10 };   // of a node whose body differs from robot to robot: mass, h, I
enum { FF_FACTOR_ROWS = 2 }; // of a point of its own: factors of friction and stiffness

enum { FF_NOBODY = -1 }; // end of what fills up the last block

/// Which numbers of a node are not zero, by bits: rest_R column by column, rest_p, h, and I column by column. A step
/// that is written out for a model (specialise.c) leaves products by the others out.
enum { FF_HAS_TURN = 0, FF_HAS_SHIFT = 9, FF_HAS_MOMENT = 12, FF_HAS_INERTIA = 15, FF_HAS_BITS = 24 };

enum { FF_SUM_ROWS = 27, FF_FRAME_ROWS = 24, FF_LUMP_ROWS = 16 }; // numbers of an articulated body, a frame, a lump

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
    int push, npush;   // forces of the model on it
    unsigned has;      // which of its numbers are not zero, FF_HAS_TURN to FF_HAS_INERTIA
    int own_row;       // first of FF_OWN_ROWS of the robot's state, 0: none
    num rest_R[9], rest_p[3], ref;
    num mass, h[3], I[6]; // about its origin, its axes; I: xx yy zz xy xz yz
} ff_batch_node;

/// Passive forces of a degree of freedom, and who drives it.
typedef struct ff_batch_dof {
    int q;       // row of its position
    int passive; // any of the numbers below but the armature is not zero, or torques of the model act on it
    int servo;   // -1: none
    int actuator, nactuator;
    int push, npush; // torques of the model on it
    int limited;     // by stops
    num armature;
    num damping, dry, dry_speed;
    num stiffness, spring_ref;
    num low, high, stop_stiffness, stop_damping;
} ff_batch_dof;

/// What a drive gives of a torque (driven.h).
typedef struct ff_batch_drive_law {
    num stall, no_load;                                                           // no_load 0: no line
    num constant, resistance, voltage, gear, efficiency, viscous, dry, dry_speed; // constant 0: no motor
    num current;                                                                  // largest  [A]
} ff_batch_drive_law;

/// tau = clamp(stiffness (position - q) + damping (speed - v) + torque), then what its drive gives of it
typedef struct ff_batch_servo_law {
    int driven;        // by a drive that gives less, or with a sampled loop
    int paired;        // its motor is one of a differential
    int factor_row;    // row of the robot's state with the factor of its gains, 0: none
    int period, frame; // steps between samples of its loop, and for which a target of position is held; 0: none
    num stiffness, damping, low, high;
    ff_batch_drive_law drive;
    num low_target, high_target; // within which targets of position are taken
    num notch, encoder;          // steps in which those targets come, and in which the position is seen; 0: none
} ff_batch_servo_law;

/// Two servos whose motors move two joints through a differential (pair.h).
typedef struct ff_batch_pair_law {
    int servo[2];
    int q[2], v[2];                  // rows of the joints
    double lever[2][2], share[2][2]; // L, a row for each motor, and the inverse of its transpose
    double offset[2];
} ff_batch_pair_law;

/// tau = gear clamp(gain clamp(u) + bias0 + bias1 gear q + bias2 gear v)
typedef struct ff_batch_actuator_law {
    int command; // row of its command among the inputs
    num gear, gain, bias[3], command_low, command_high, force_low, force_high;
} ff_batch_actuator_law;

/// A force on a node, or a torque on a degree of freedom, from step `first` to before step `end` of a robot.
typedef struct ff_batch_force_law {
    num at[3];    // in the frame of the node  [m]
    num force[3]; // world axes; of a torque the first number alone  [N, N m]
    num first, end;
} ff_batch_force_law;

/// A plane fixed to the world: n x = level.
typedef struct ff_batch_plane {
    num n[3], level;
} ff_batch_plane;

/// A height field fixed to the world.
typedef struct ff_batch_field {
    ff_grid grid;        // but for its heights, which lie with those of all fields
    double R[9], p[3];   // its frame
    double margin;       // how far a simulation looks for contacts  [m]
    double top;          // its largest height  [m]
    int upright;         // its z axis is that of the world
    int shape;           // of the world
    size_t first_height; // in ff_batch_model.heights
    size_t first_flat;   // in ff_batch_model.flats and bends
    double per_step[2];  // one over the size of a cell  [1/m]
    double slant;        // how far a corner of a cell is from its diagonal  [m]
    double corner;       // a place near to one edge is near no grid point if it is so many times farther from others
    double around;       // bends are those of all triangles up to here  [m]
} ff_batch_field;

/// Tangent of the largest angle between the normal of a triangle and those around it: units of a byte, and the byte of
/// triangles that are bent more, steep, or near the border.
#define FF_BATCH_BEND_UNIT 1e-3
enum { FF_BATCH_BENT = 250 };

/// The powers of depth that laws have: 0, 1 and 3/2, and any other, which needs an exponential function.
enum { FF_POWER_NONE, FF_POWER_ONE, FF_POWER_HERTZ, FF_POWER_ANY };

/// What the Stribeck curve does in a friction law: nothing, all of it, or it is the damper beside the spring.
enum { FF_CURVE_NONE, FF_CURVE_ALONE, FF_CURVE_ANCHORED };

/// A pair of materials with the share of a point (contact/private.h): the stiffness of a point.
typedef struct ff_batch_contact {
    int power, damping_power; // of the depth
    int by_impact;            // the damping is divided by the speed of touch-down ...
    int always_floor;         // ... or always by the floor: nothing bounces
    int pulls;
    int has_friction;
    int rare;        // what follows, or FF_POWER_ANY: it has numbers in ff_batch_contact_more
    int curve;       // by a Stribeck curve: FF_CURVE_NONE, ...
    int turns;       // the point resists torsion or rolling
    int no_cone;     // which holds any load
    int dash_power;  // of the depth in the damping of friction
    int slack_stick; // the spring is slack where sticking begins
    num stiffness, damping, floor;
    num mu_static, mu_kinetic, friction_stiffness, dash, dash_least, stick_speed;
} ff_batch_contact;

/// Numbers of laws that few contacts have, with the share of a point; as many as there are contacts.
typedef struct ff_batch_contact_more {
    num damping_exponent, dash_exponent;                             // of FF_POWER_ANY
    num viscous, breakaway, threshold, decay, scale_speed, slowdown; // of the curve, as in ff_friction
    num torsion, rolling;                                            // arms of the limits  [m]
    num torsion_stiffness, rolling_stiffness, turn_lag, share;       // of the whole pair  [N m/rad], [s]
    num turning[9]; // of the body: angular velocity by moment, in the axes of its node  [1/(kg m^2)]
    num mass;       // of the body for a push, 0: it does not count  [kg]
    num centre[3];  // of the shape, in the frame of its node
} ff_batch_contact_more;

typedef struct ff_batch_point {
    int row;          // first of its rows
    int turn;         // first of FF_TURN_ROWS, 0: none
    int factor_row;   // first of FF_FACTOR_ROWS of the robot's state, 0: none
    int plane, field; // what it meets: one of them is -1
    int contact;
    int foot;          // of the model (ff_model.limbs), -1: none
    int shape, number; // of the world, and the number of the point in it
    num at[3];         // in the frame of its node
    num radius;
} ff_batch_point;

enum { FF_CUT_ROWS = 6 }; // of a cut: force [N], then moment [N m], in the axes of the sensor

/// A force sensor: a cut through a limb, which feels what is below (cut.h).
typedef struct ff_batch_cut {
    double R[9], at[3]; // axes and place of the sensor in the frame of its node
    int six;            // its moment is asked for, too
    int mass, nmass;    // below it; the first moves with the sensor
    int point, npoint;  // contact points below it, in ff_batch_model.cut_list
} ff_batch_cut;

/// What lies below a cut of one node.
typedef struct ff_batch_cut_mass {
    int node;
    int whole;       // all of the node: what robots draw of it counts, and pushes on it
    int path, depth; // nodes from the root to it, in ff_batch_model.cut_list
    double body[10]; // mass, first moment and inertia as of the node, FF_OWN_ROWS
} ff_batch_cut_mass;

/// When a robot has fallen or ends, and what it earns.
typedef struct ff_batch_rules {
    int watched;                 // it may fall
    double least_height;         // of its root  [m]
    double least_upright;        // cosine of the tilt of its root
    const ff_formula_step *code; // the condition of its end, then the reward of a step
    int nend, nreward;           // instructions of each, 0: none
    int feels;                   // force sensors are read
} ff_batch_rules;

/// Targets that go from pose to pose with a smooth start and end (src/lab/scene/control.c); those of a robot are added.
typedef struct ff_batch_cycle {
    int npose;        // 0: none
    double period;    // of all poses  [s]
    int every;        // steps between two targets that are sent, 1: they are there all the time
    const num *poses; // positions of the servos  (npose*nservo)
} ff_batch_cycle;

/// A number that decides whether the step does something at all. The text of one model says it before (specialise.c):
/// for all a compiler knows, a function that is called changes what it reaches, and branches that no robot of the model
/// takes would cost registers.
#ifndef KNOWN
#define KNOWN(m, name) ((m)->name)
#endif

/// A hinge or slide by its name, for formulas.
typedef struct ff_batch_joint {
    const char *name;
    int q, v;  // rows
    int servo; // -1: none
} ff_batch_joint;

/// A body by its name, with its own share of what its node weighs, in the frame of the node.
typedef struct ff_batch_body {
    const char *name;
    int node;
    double R[9];               // its axes
    double mass, com[3], I[6]; // I about its centre of mass
} ff_batch_body;

struct ff_batch_model {
    int nq, nv, nnode, ndof, npoint, nplane, nfield, ncontact, nservo, nactuator, ntree, depth;
    int point_rows; // of all contact points
    int ground;     // field that falls are measured from, -1: level ground (ff_batch_ground)
    int robot;      // first of FF_ROBOT_ROWS
    int root;       // row of the position of the first free root, -1: none
    int root_v;     // first of its degrees of freedom
    int nfoot;      // feet and hands of the model
    ff_batch_cycle cycle;
    int parameter;      // first of FF_BATCH_PARAMETERS
    int delay;          // of the servos, 0: none  [steps]
    int driven;         // some servo is driven
    int sampled;        // the loop of some servo is sampled
    int kept;           // then: first of FF_KEPT_ROWS of all servos
    int cut;            // first of FF_CUT_ROWS of each cut
    int varied;         // some node, point or servo has numbers of each robot (draw.c)
    int delay_row;      // where there is one: that of the robot, then the sets its last steps had (place.h)
    int sets;           // there, too: first row of the sets of targets
    int nrow;           // of the state
    int ninput;         // rows of the inputs
    double step;        // [s]
    double limit_speed; // of a sound state  [m/s, rad/s]
    double gravity[3];
    ff_batch_node *nodes;
    ff_batch_dof *dofs;
    ff_batch_servo_law *servos;
    ff_batch_pair_law *pairs; // (npair)
    int npair;
    ff_batch_actuator_law *actuators;
    ff_batch_force_law *pushes; // on nodes, then on degrees of freedom  (npush)
    int npush;
    ff_batch_point *points;
    ff_batch_plane *planes;
    ff_batch_field *fields;
    size_t nheight, nflat;
    double *heights;      // of all fields  (nheight)  [m]
    unsigned char *flats; // edges of each triangle that are none, by bits  (nflat)
    unsigned char *bends; // of each triangle with those around it, in FF_BATCH_BEND_UNIT  (nflat)
    double *touching;     // where the points are at the start, world  (3*npoint)
    ff_batch_contact *contacts;
    ff_batch_contact_more *more; // of each contact  (ncontact)
    double *start;               // rows of a robot that begins  (nrow)
    double *start_input;         // (ninput)
    int *servo_joint;            // joints of the servos in the model they stem from  (nservo)
    ff_batch_joint *joints;
    int njoint;
    const char **feet;          // names  (nfoot)
    ff_batch_channel *channels; // of sensors  (nchannel)
    int nchannel;
    ff_batch_cut *cuts; // of force sensors  (ncut)
    ff_batch_cut_mass *cut_masses;
    int *cut_list; // their paths and points
    int ncut, ncut_mass, ncut_list;
    int key;  // row of what the noise of a robot follows from, where there are sensors: whole, below 2^53
    int loud; // there, too: row of the factor of its noise
    ff_batch_body *bodies;
    int nbody;
    const char **point_names; // of the shapes of the points  (npoint)
};

/// Gives targets under way their rows, behind all others (compile.c).
void ff_batch_place_delay(ff_batch_model *model);
/// Their numbers in a robot that begins: the targets of the start.
void ff_batch_start_delay(const ff_batch_model *model, double *start);

/// Height of the ground below the first free root at the start: that of a height field there, or of the highest plane
/// below it; 0 without such a plane or root (compile.c).  [m]
double ff_batch_ground(const ff_batch_model *model);
/// Is there ground under the first free root where it starts `away` from the start: a plane, or a field that begins
/// below it? True where there was none at the start either.
int ff_batch_is_over_ground(const ff_batch_model *model, const double away[2]);
/// Height of an upright field at a place of the world; beyond its border, that of the border.  [m]
double ff_batch_field_height(const ff_batch_model *model, int field, double x, double y);

#ifdef __cplusplus
}
#endif
#endif
