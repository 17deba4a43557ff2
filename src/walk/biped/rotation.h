// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotation vectors (axis times angle) and unit quaternions, in the words of the thesis: quat, rotVec, wrap (app. A.2).
#ifndef FOOTFALL_BIPED_ROTATION_H
#define FOOTFALL_BIPED_ROTATION_H

#include <footfall/math.h>

static inline void ff_rotvec_to_quat(double q[4], const double r[3])
{
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    ff_quat_integrate(q, none, r, 1.0);
}

/// Rotation vector of the smaller of the two angles.
static inline void ff_rotvec_from_quat(double r[3], const double q[4])
{
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    ff_quat_difference(r, none, q);
}

/// Rotation vector, in the axes both are given in, that turns b to a.
static inline void ff_rotvec_error(double out[3], const double a[3], const double b[3])
{
    double qa[4], qb[4], back[4], turn[4];
    ff_rotvec_to_quat(qa, a);
    ff_rotvec_to_quat(qb, b);
    ff_quat_conjugate(back, qb);
    ff_quat_mul(turn, qa, back);
    ff_rotvec_from_quat(out, turn);
}

#endif
