// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Spatial algebra on (angular, linear) motions and (moment, force) wrenches; R. Featherstone, Rigid Body Dynamics
// Algorithms (2008), chapter 2. `out` is never an argument.
#ifndef FOOTFALL_SPATIAL_H
#define FOOTFALL_SPATIAL_H

#include <footfall/math.h>

static inline double ff_dot6(const double a[6], const double b[6])
{
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/// out = V x A: rate of the motion A when it is carried along by V.
static inline void ff_motion_cross(double out[6], const double V[6], const double A[6])
{
    ff_vec3_cross(out, V, A);
    ff_vec3_cross(out + 3, V, A + 3);
    ff_vec3_cross_add(out + 3, V + 3, A);
}

/// out = V x* f: rate of the wrench f when it is carried along by V.
static inline void ff_wrench_cross(double out[6], const double V[6], const double f[6])
{
    ff_vec3_cross(out, V, f);
    ff_vec3_cross_add(out, V + 3, f + 3);
    ff_vec3_cross(out + 3, V, f + 3);
}

/// out = A a for a symmetric matrix (xx, yy, zz, xy, xz, yz).
static inline void ff_sym3_mulv(double out[3], const double A[6], const double a[3])
{
    out[0] = A[0] * a[0] + A[3] * a[1] + A[4] * a[2];
    out[1] = A[3] * a[0] + A[1] * a[1] + A[5] * a[2];
    out[2] = A[4] * a[0] + A[5] * a[1] + A[2] * a[2];
}

/// f = I V: momentum of a rigid body, moment (I w + h x v) and force (m v - h x w).
static inline void ff_inertia_mul(double f[6], const ff_inertia *in, const double V[6])
{
    const double *h = in->h;
    ff_sym3_mulv(f, in->I, V);
    ff_vec3_cross_add(f, h, V + 3);
    ff_vec3_cross(f + 3, V, h);
    ff_vec3_axpy(f + 3, in->mass, V + 3);
}

/// Inertia about the point that lies at -r from the node's origin, in the axes that R turns node axes into:
///     h' = R h + m r      I' = R I R' + (2 r.(R h) + m r.r) 1 - (R h r' + r (R h)' + m r r')
static inline void ff_inertia_place(ff_inertia *out, const ff_inertia *in, const double R[9], const double r[3])
{
    const double *I = in->I;
    double T[9], h[3], s[3], m = in->mass;
    for (int i = 0; i < 9; i += 3) {
        T[i] = R[i] * I[0] + R[i + 1] * I[3] + R[i + 2] * I[4];
        T[i + 1] = R[i] * I[3] + R[i + 1] * I[1] + R[i + 2] * I[5];
        T[i + 2] = R[i] * I[4] + R[i + 1] * I[5] + R[i + 2] * I[2];
    }
    ff_mat3_mulv(h, R, in->h);
    // h r' + r h' + m r r' = s r' + r h' with s = h + m r, which is the new first moment
    for (int k = 0; k < 3; k++) s[k] = h[k] + m * r[k];
    double xx = s[0] * r[0] + r[0] * h[0], yy = s[1] * r[1] + r[1] * h[1], zz = s[2] * r[2] + r[2] * h[2];
    out->mass = m;
    ff_vec3_copy(out->h, s);
    out->I[0] = T[0] * R[0] + T[1] * R[1] + T[2] * R[2] + (yy + zz);
    out->I[1] = T[3] * R[3] + T[4] * R[4] + T[5] * R[5] + (xx + zz);
    out->I[2] = T[6] * R[6] + T[7] * R[7] + T[8] * R[8] + (xx + yy);
    out->I[3] = T[0] * R[3] + T[1] * R[4] + T[2] * R[5] - (s[0] * r[1] + r[0] * h[1]);
    out->I[4] = T[0] * R[6] + T[1] * R[7] + T[2] * R[8] - (s[0] * r[2] + r[0] * h[2]);
    out->I[5] = T[3] * R[6] + T[4] * R[7] + T[5] * R[8] - (s[1] * r[2] + r[1] * h[2]);
}

#endif
