// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From task space to joints, at the level of velocities (sec. 3.9 of the thesis; A. Liegeois, 1977):
//     minimise 1/2 v'v + g'v   such that   J v = x' + G (x_d - x)         v = J# (..) - (I - J# J) g
// g is the gradient of a cost of the distances from the standing pose, joint limits and self-collision
// (self_collision.c). In the null space that is left, arms swing against the momentum of the legs about the vertical:
//     minimise 1/2 |u|^2 + 1/2 w (L_z + A_z u)^2   such that   J u = 0
//     u = -N A_z' w L_z / (1 + w n),   n = A_z N A_z',   N = I - J# J
#ifndef FOOTFALL_BIPED_IK_H
#define FOOTFALL_BIPED_IK_H

#include "biped/robot.h"

enum { FF_TASK_ROWS = 18 }; // centre of mass 3, torso 3, feet 6 each

typedef struct ff_biped_ik {
    const ff_biped *robot;
    ff_data *data; // at the last joint references; kinematics are up to date
    bool known;    // J was computed for that configuration
    double J[FF_TASK_ROWS * FF_BIPED_DOFS];
    double JJ[FF_TASK_ROWS * FF_TASK_ROWS];
    double momentum[6 * FF_BIPED_DOFS];
    double gradient[FF_BIPED_DOFS];
    bool usable; // J J' could be factored
} ff_biped_ik;

typedef struct ff_biped_ik_gains {
    double task;             // G  [1/s]
    double comfort;          // weight of the standing pose  [1/s]
    double limits;           // weight of the distance within the last tenth of a joint's range, either side  [1/s]
    double self_collision;   // weight of the missing distance of limbs  [1/(m^2 s)]
    double angular_momentum; // w of that about the vertical axis  [1/(kg m^2)^2]
} ff_biped_ik_gains;

// ------------------------------------------------------------------------------------------ self-collision

/// Finds hulls and pairs of a standing robot. @param d  its kinematics there
void ff_biped_find_hulls(const ff_data *d, ff_biped *robot);
/// Distance of two hulls, and the nearest points of their axes, world.  [m]
double ff_biped_hull_distance(const ff_biped *robot, const ff_data *d, const ff_biped_pair *pair, double a[3],
                              double b[3]);
/// @return the cost; its gradient is added to `gradient`  (nv)
double ff_biped_collision_cost(const ff_biped *robot, const ff_data *d, double weight, double *gradient);

// ------------------------------------------------------------------------------------------ inverse kinematics

/// Puts the robot into a configuration  (nq).
void ff_biped_ik_place(ff_biped_ik *ik, const double *q);
/// Poses and velocities of the task space at joint velocities v; v NULL: at rest.
void ff_biped_ik_read(ff_biped_ik *ik, const double *v, ff_biped_task *out);
// Parts of ff_biped_ik_velocity.
/// Computes J, J J' and the gradient. @return false where the legs are stretched and the solution is damped
bool ff_biped_ik_prepare(ff_biped_ik *ik, const ff_biped_ik_gains *gains);
/// Wanted rate of each row of J.
void ff_biped_ik_rates(const ff_biped_ik *ik, const ff_biped_task *task, double gain, double out[FF_TASK_ROWS]);
/// Joint velocities for these rates.
void ff_biped_ik_solve(const ff_biped_ik *ik, const double rates[FF_TASK_ROWS], double *v);
/// Adds the swing of free limbs against the momentum of v.
void ff_biped_ik_swing(const ff_biped_ik *ik, double weight, double *v);
/// Joint velocities that follow a task. @return as ff_biped_ik_prepare
bool ff_biped_ik_velocity(ff_biped_ik *ik, const ff_biped_task *task, const ff_biped_ik_gains *gains, double *v);
/// Moves the configuration by v for the time dt.
void ff_biped_ik_advance(ff_biped_ik *ik, const double *v, double dt);

#endif
