// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A chain of six to eight hinges, and the angles that bring its end to a position and an attitude. Kinematics by the
// product of exponentials (R. W. Brockett, 1984): each hinge is a line in the reference pose, in the frame of the body
// that carries the chain. Angles by Newton's method from the last ones: a small motion takes one or two rounds of a
// microsecond each.
#ifndef FOOTFALL_CONTROL_LEG_CHAIN_H
#define FOOTFALL_CONTROL_LEG_CHAIN_H

#include <footfall/dyn.h>

enum { FF_CHAIN_JOINTS = FF_LEG_JOINTS };

typedef struct ff_leg_chain {
    int njoint;
    int joint[FF_CHAIN_JOINTS], qadr[FF_CHAIN_JOINTS], vadr[FF_CHAIN_JOINTS]; // from the carrier to the end
    int body;                                                                 // that carries it; poses are in its frame
    double axis[FF_CHAIN_JOINTS][3], point[FF_CHAIN_JOINTS][3];               // lines in the reference pose  [1], [m]
    double reference[FF_CHAIN_JOINTS];                                        // coordinates there  [rad]
    double low[FF_CHAIN_JOINTS], high[FF_CHAIN_JOINTS]; // limits, infinite where there are none  [rad]
    ff_pose end;                                        // in the reference pose
} ff_leg_chain;

/// The chain of a leg, at the poses in d (ff_dyn_kinematics), which become its reference pose.
/// @param body  that carries the chain
/// @return      FF_NOT_FOUND with the reason where it has other joints than hinges, or fewer than six
ff_status ff_leg_chain_make(const ff_model *m, ff_data *d, const ff_leg *leg, int body, ff_leg_chain *out,
                            ff_error *err);

/// Pose of the end in the frame of the carrier.
ff_pose ff_leg_chain_forward(const ff_leg_chain *chain, const double *q);

/// Angles within limits for a pose of the end, by a search from q.
/// @param q      start, and result  (njoint)
/// @param error  distance that is left, may be NULL  [m]
/// @return       whether the end is there, to 1e-6 m and 1e-6 rad
bool ff_leg_chain_solve(const ff_leg_chain *chain, const ff_pose *end, double *q, double *error);

#endif
