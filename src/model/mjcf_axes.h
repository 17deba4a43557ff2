// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Principal axes of an inertia, as coarse as MuJoCo takes them.
#ifndef FOOTFALL_MODEL_MJCF_AXES_H
#define FOOTFALL_MODEL_MJCF_AXES_H

#include <footfall/base.h>

/// Moments and axes (as a unit quaternion) of the tensor I (xx, yy, zz, xy, xz, yz). R diag(moments) R' differs from I by up
/// to 1.4e-6 of the spread of its moments, and by the same as in MuJoCo.
void ff_mjcf_principal_axes(const double I[6], double moments[3], double quat[4]);

#endif
