// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties of a robot for planner and stabiliser (robot.c).
#ifndef FOOTFALL_BIPED_ROBOT_H
#define FOOTFALL_BIPED_ROBOT_H

#include <footfall/biped.h>

enum {
    FF_BIPED_POINTS = 64, // contact points of a foot
    FF_BIPED_DOFS = 62,   // largest robot, with the six of its base
    FF_BIPED_HULLS = 48,
    FF_BIPED_PAIRS = 96
};

/// A point of the sole that carries load.
typedef struct ff_biped_point {
    double x, y;      // in the frame of the sole  [m]
    double stiffness; // [N/m]
} ff_biped_point;

/// A foot. Its frame lies on the sole: x ahead, z up; its origin is the point that is controlled.
typedef struct ff_biped_foot {
    const char *name;       // of the leg
    int body;               // that carries the frame
    double pos[3], quat[4]; // of the frame in the body
    ff_biped_point points[FF_BIPED_POINTS];
    int npoint;
    double edge[2][2];      // outline of the sole: back and front, right and left  [m]
    double low[2], high[2]; // bounds of the centre of pressure: outline of the sole, or bounds of the file  [m]
    double stiffness;       // of the sole under the whole load [N/m]
    /// Motion of the foot for a change of load: (roll, pitch, height) = U^-1 (Tx, Ty, Fz), about the frame's origin;
    /// sec. 5.2.1.  [rad/(N m), rad/N, m/N]
    double compliance[9];
    double mass;        // below the force sensor  [kg]
    double mass_pos[3]; // its centre in the frame, standing  [m]
    double lump[3];     // place of the planner's mass of the leg, standing; it moves with the foot  [m]
    double ankle[3];    // the last joint of the leg, standing  [m]
    double hip[3];      // the first one, from the planner's mass of the torso, standing  [m]
} ff_biped_foot;

/// A capsule around the shapes of a body, from axis end to axis end in its frame.
typedef struct ff_biped_hull {
    int body;
    double from[3], to[3], radius; // [m]
} ff_biped_hull;

/// Hulls that repel each other where they are nearer than `away`.  [m]
typedef struct ff_biped_pair {
    int hull[2];
    double away;
    double reach; // distance of their middles beyond which they cannot be
} ff_biped_pair;

struct ff_biped {
    const ff_model *model;
    int base;                   // its free joint
    int torso;                  // the body that is kept upright
    double torso_quat[4];       // from the torso upright to its body
    const ff_spec_biped *given; // `biped` of its file, NULL: there is none
    ff_biped_foot feet[FF_BIPED_FEET];
    double q[FF_BIPED_DOFS + 1]; // standing: soles level on z = 0, between them x = y = 0
    /// Degrees of freedom that move torso, left and right foot.
    struct {
        int count, dof[FF_BIPED_DOFS];
    } chain[1 + FF_BIPED_FEET];
    bool held[FF_BIPED_DOFS]; // joints without a drive, such as springs, which the controller assumes to be stiff
    ff_biped_hull hulls[FF_BIPED_HULLS];
    ff_biped_pair pairs[FF_BIPED_PAIRS];
    int nhull, npair;
    double mass, weight; // [kg, N]
    double leg_mass;     // planner: of each leg, the mean of both; the rest is the torso  [kg]
    double com[3];       // standing  [m]
    double width;        // between the feet, standing  [m]
    double leg;          // hip to knee to ankle, the shorter one  [m]
    double reach;        // farthest an ankle may be from its hip  [m]
};

#endif
