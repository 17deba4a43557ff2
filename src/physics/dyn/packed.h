// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinematics in parts and the packed mass matrix, for engine and world.
#ifndef FOOTFALL_DYN_PACKED_H
#define FOOTFALL_DYN_PACKED_H

#include <footfall/dyn.h>

/// Time derivative of q as a plain vector: quaternion parts get q * (0, w) / 2.  (nq)
void ff_dyn_qdot(const ff_model *m, const double *q, const double *v, double *qdot);
/// ff_dyn_kinematics for the nodes up to `last` alone, among which are all above it (nodes are sorted by distance from
/// the root): where only bodies near the root are needed.
void ff_dyn_kinematics_until(const ff_model *m, ff_data *d, int last);
/// ff_dyn_body_pose with the attitude as a matrix, body to world.
void ff_dyn_body_axes(const ff_model *m, const ff_data *d, int body, double pos[3], double R[9]);
/// The attitude alone.
void ff_dyn_body_rotation(const ff_model *m, const ff_data *d, int body, double R[9]);
/// Subtracts the torques of lifts (ff_model.lifts) from torques that balance weight, such as those of ff_dyn_gravity.
/// Needs ff_dyn_kinematics.  (nv)
void ff_dyn_take_lifts(const ff_model *m, const ff_data *d, double *torque);
/// Mass whose weight lifts balance.  [kg]
double ff_dyn_lifted_mass(const ff_model *m);
/// ff_dyn_factor for any matrix packed as M, such as M + h D + h^2 K of an implicit step; `LD` is another array (nM).
bool ff_dyn_factor_packed(const ff_model *m, const double *A, double *LD);
/// y = A x for such a matrix.
void ff_dyn_multiply_packed(const ff_model *m, const double *A, const double *x, double *y);
/// x = A^-1 x, using LD of ff_dyn_factor_packed.
void ff_dyn_solve_packed(const ff_model *m, const double *LD, double *x);
/// The same for whole trees that follow each other: for the degrees of freedom from `first` on, which x contains
/// (count)
void ff_dyn_solve_stretch(const ff_model *m, const double *LD, int first, int count, double *x);
/// Place of M[i][j] in the packed mass matrix; -1 when neither joint carries the other.
int ff_dyn_mass_entry(const ff_model *m, int i, int j);

#endif
