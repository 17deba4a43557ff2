// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From task space to joints, at the level of velocities (sec. 3.9 of the thesis; A. Liegeois, 1977):
//     minimise 1/2 v'v + g'v   such that   J v = x' + G (x_d - x)         v = J# (..) - (I - J# J) g
// where g is the gradient of a cost that draws to the standing pose and away from joint limits.
#ifndef FOOTFALL_BIPED_IK_H
#define FOOTFALL_BIPED_IK_H

#include <footfall/biped.h>

enum { FF_TASK_ROWS = 18 }; // centre of mass 3, torso 3, feet 6 each

typedef struct ff_biped_ik {
    const ff_biped *robot;
    ff_data *data; // at the joints it asked for last; kinematics are up to date
    bool known;    // J belongs to that configuration
    double J[FF_TASK_ROWS * FF_BIPED_DOFS];
    double JJ[FF_TASK_ROWS * FF_TASK_ROWS];
    double momentum[6 * FF_BIPED_DOFS];
    double gradient[FF_BIPED_DOFS];
} ff_biped_ik;

typedef struct ff_biped_ik_gains {
    double task;    // G  [1/s]
    double comfort; // weight of the standing pose  [1/s]
    double limits;  // weight of what lies in the last tenth of a joint's range on either side  [1/s]
} ff_biped_ik_gains;

/// Puts the robot into a configuration. (nq)
void ff_biped_ik_place(ff_biped_ik *ik, const double *q);
/// Where feet and centre of mass are, and how they move with the velocities v; v NULL: at rest.
void ff_biped_ik_read(ff_biped_ik *ik, const double *v, ff_biped_task *out);
/// Velocities that follow a task. @return false where the legs are stretched and damping had to help
bool ff_biped_ik_velocity(ff_biped_ik *ik, const ff_biped_task *task, const ff_biped_ik_gains *gains, double *v);
/// Moves on by v for dt.
void ff_biped_ik_advance(ff_biped_ik *ik, const double *v, double dt);

#endif
