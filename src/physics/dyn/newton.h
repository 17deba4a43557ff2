// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Newton's and Euler's laws for one rigid body in the form that needs the least arithmetic. With W = alpha x + w x w x
// a point x of the body accelerates by a + W x, where a is the acceleration of the origin, so
//     f = int (a + W x) dm = m a + W h        n = int x x (a + W x) dm = h x a + vee(W E - E W')
// where h = int x dm and E = int x x' dm.
#ifndef FOOTFALL_DYN_NEWTON_H
#define FOOTFALL_DYN_NEWTON_H

#include <footfall/base.h>

/// W = alpha x + w x w x.
static inline void ff_acceleration_matrix(double W[9], const double w[3], const double alpha[3])
{
    double xx = w[0] * w[0], yy = w[1] * w[1], zz = w[2] * w[2];
    double xy = w[0] * w[1], xz = w[0] * w[2], yz = w[1] * w[2];
    W[0] = -yy - zz;
    W[1] = xy - alpha[2];
    W[2] = xz + alpha[1];
    W[3] = xy + alpha[2];
    W[4] = -xx - zz;
    W[5] = yz - alpha[0];
    W[6] = xz - alpha[1];
    W[7] = yz + alpha[0];
    W[8] = -xx - yy;
}

static inline void ff_newton_force(double f[3], const double W[9], const double a[3], double mass, const double h[3])
{
    ff_mat3_mulv(f, W, h);
    ff_vec3_axpy(f, mass, a);
}

/// E as xx, yy, zz, xy, xz, yz.
static inline void ff_newton_moment(double n[3], const double W[9], const double a[3], const double h[3],
                                    const double E[6])
{
    // n_x = (W E)_zy - (W E)_yz and so on
    n[0] = (W[6] * E[3] + W[7] * E[1] + W[8] * E[5]) - (W[3] * E[4] + W[4] * E[5] + W[5] * E[2]);
    n[1] = (W[0] * E[4] + W[1] * E[5] + W[2] * E[2]) - (W[6] * E[0] + W[7] * E[3] + W[8] * E[4]);
    n[2] = (W[3] * E[0] + W[4] * E[3] + W[5] * E[4]) - (W[0] * E[3] + W[1] * E[1] + W[2] * E[5]);
    ff_vec3_cross_add(n, h, a);
}

#endif
