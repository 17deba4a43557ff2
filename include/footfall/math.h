// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Elementary functions; vectors, quaternions, rotation matrices and rigid-body inertia as inline functions on plain
// arrays. Matrices are row-major. Quaternions are (w, x, y, z), unit, and turn child vectors into parent ones. Results
// may overwrite arguments where a comment says so; otherwise `out` must be another array.
#ifndef FOOTFALL_MATH_H
#define FOOTFALL_MATH_H

#include <math.h>
#include <string.h>

#include <footfall/api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FF_PI 3.14159265358979323846

// ------------------------------------------------------------------------------------------ elementary functions
//
// Those of the C library that decide results, made of + - * / and sqrt: bit-identical with every compiler, processor
// and C library, where <math.h> leaves the last digits open. Errors are in units in the last place (ulp), the largest
// ones that tests found against 120 bits. Special values are those of C17, annex F, without errno, floating-point flags
// and payloads of NaN.

/// Sine and cosine of n angles  [rad]: polynomial after a reduction in three parts for |x| <= 1e5 rad, by the bits of
/// 2/pi beyond. Error below 1 ulp of 1. The arrays must not overlap.
FF_API void ff_sincos(const double *angle, double *sine, double *cosine, int n);
/// One of the two, bit-identical.
FF_API double ff_sin(double angle);
FF_API double ff_cos(double angle);
/// e^x. Error below 0.52 ulp; infinite above 709.78, zero below -745.13, gradual between -708.4 and there (below 0.76
/// ulp).
FF_API double ff_exp(double x);
/// e^x - 1, with all digits near x = 0. Error below 0.56 ulp.
FF_API double ff_expm1(double x);
/// Natural logarithm. Error below 0.51 ulp; -infinity of zero, NaN below zero.
FF_API double ff_log(double x);
/// log(1 + x), with all digits near x = 0. Error below 0.51 ulp; -infinity of -1, NaN below.
FF_API double ff_log1p(double x);
/// Logarithm to the base 10. Error below 0.51 ulp: exact for powers of ten; -infinity of zero, NaN below zero.
FF_API double ff_log10(double x);
/// x^y. Error below 0.52 ulp (below 0.76 ulp where the result is subnormal); NaN for x < 0 unless y is a whole number.
FF_API double ff_pow(double x, double y);
/// Length of the vector (x, y), without overflow or underflow on the way. Error below 0.51 ulp (below 0.76 ulp where
/// subnormal).
FF_API double ff_hypot(double x, double y);
/// Arc tangent in [-pi/2, pi/2]  [rad]. Error below 0.55 ulp.
FF_API double ff_atan(double x);
/// Angle of the point (x, y) in [-pi, pi], from the x axis towards the y axis  [rad]. Error below 0.55 ulp.
FF_API double ff_atan2(double y, double x);
/// Arc sine in [-pi/2, pi/2]  [rad]. Error below 0.55 ulp; NaN beyond [-1, 1].
FF_API double ff_asin(double x);
/// Arc cosine in [0, pi]  [rad]. Error below 0.55 ulp; NaN beyond [-1, 1].
FF_API double ff_acos(double x);
/// Tangent of any finite angle  [rad]. Error below 0.6 ulp; NaN of infinity.
FF_API double ff_tan(double angle);

/// ff_min and ff_max by comparisons, for processors that have no instruction for them.
FF_INLINE double ff_min_compared(double a, double b)
{
    if (a == b) return signbit(a) ? a : b;
    return a < b || isnan(b) ? a : b;
}
FF_INLINE double ff_max_compared(double a, double b)
{
    if (a == b) return signbit(a) ? b : a;
    return a > b || isnan(b) ? a : b;
}

/// The smaller of two numbers. -0 is smaller than +0, where C17 leaves fmin(0, -0) open and libraries differ. Of a
/// number and a NaN it is the number, so that a result stays within a bound; test for NaN where that matters.
FF_INLINE double ff_min(double a, double b)
{
#if defined(__aarch64__) && !defined(__CUDA_ARCH__)
    return __builtin_fmin(a, b); // fminnm
#else
    return ff_min_compared(a, b);
#endif
}
/// The larger of two numbers, in the same way: +0 of two zeros, the number beside a NaN.
FF_INLINE double ff_max(double a, double b)
{
#if defined(__aarch64__) && !defined(__CUDA_ARCH__)
    return __builtin_fmax(a, b); // fmaxnm
#else
    return ff_max_compared(a, b);
#endif
}

// ------------------------------------------------------------------------------------------ 3-vectors

FF_INLINE void ff_vec3_set(double out[3], double x, double y, double z)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/// out may be a.
FF_INLINE void ff_vec3_copy(double out[3], const double a[3])
{
    out[0] = a[0];
    out[1] = a[1];
    out[2] = a[2];
}

/// out = a + b; out may be a or b.
FF_INLINE void ff_vec3_add(double out[3], const double a[3], const double b[3])
{
    out[0] = a[0] + b[0];
    out[1] = a[1] + b[1];
    out[2] = a[2] + b[2];
}

/// out = a - b; out may be a or b.
FF_INLINE void ff_vec3_sub(double out[3], const double a[3], const double b[3])
{
    out[0] = a[0] - b[0];
    out[1] = a[1] - b[1];
    out[2] = a[2] - b[2];
}

/// out = s a; out may be a.
FF_INLINE void ff_vec3_scale(double out[3], const double a[3], double s)
{
    out[0] = a[0] * s;
    out[1] = a[1] * s;
    out[2] = a[2] * s;
}

/// out += s a.
FF_INLINE void ff_vec3_axpy(double out[3], double s, const double a[3])
{
    out[0] += s * a[0];
    out[1] += s * a[1];
    out[2] += s * a[2];
}

FF_INLINE double ff_vec3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// out = a x b.
FF_INLINE void ff_vec3_cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// out += a x b.
FF_INLINE void ff_vec3_cross_add(double out[3], const double a[3], const double b[3])
{
    out[0] += a[1] * b[2] - a[2] * b[1];
    out[1] += a[2] * b[0] - a[0] * b[2];
    out[2] += a[0] * b[1] - a[1] * b[0];
}

FF_INLINE double ff_vec3_norm(const double a[3])
{
    return sqrt(ff_vec3_dot(a, a));
}

/// Scales a to length 1 and returns its former length; a vector shorter than 1e-14 is left as it is.
FF_INLINE double ff_vec3_normalise(double a[3])
{
    double length = ff_vec3_norm(a);
    if (length > 1e-14) ff_vec3_scale(a, a, 1.0 / length);
    return length;
}

// ------------------------------------------------------------------------------------------ 3 x 3 matrices

FF_INLINE void ff_mat3_identity(double R[9])
{
    memset(R, 0, 9 * sizeof(double));
    R[0] = R[4] = R[8] = 1.0;
}

/// out = R a.
FF_INLINE void ff_mat3_mulv(double out[3], const double R[9], const double a[3])
{
    out[0] = R[0] * a[0] + R[1] * a[1] + R[2] * a[2];
    out[1] = R[3] * a[0] + R[4] * a[1] + R[5] * a[2];
    out[2] = R[6] * a[0] + R[7] * a[1] + R[8] * a[2];
}

/// out = R' a.
FF_INLINE void ff_mat3_tmulv(double out[3], const double R[9], const double a[3])
{
    out[0] = R[0] * a[0] + R[3] * a[1] + R[6] * a[2];
    out[1] = R[1] * a[0] + R[4] * a[1] + R[7] * a[2];
    out[2] = R[2] * a[0] + R[5] * a[1] + R[8] * a[2];
}

/// out = A B.
FF_INLINE void ff_mat3_mul(double out[9], const double A[9], const double B[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/// out = A' B.
FF_INLINE void ff_mat3_tmul(double out[9], const double A[9], const double B[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}

FF_INLINE void ff_mat3_transpose(double out[9], const double A[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = A[3 * j + i];
}

// ------------------------------------------------------------------------------------------ quaternions

FF_INLINE void ff_quat_identity(double q[4])
{
    q[0] = 1.0;
    q[1] = q[2] = q[3] = 0.0;
}

FF_INLINE void ff_quat_copy(double out[4], const double q[4])
{
    memcpy(out, q, 4 * sizeof(double));
}

/// out = a * b (b is applied first).
FF_INLINE void ff_quat_mul(double out[4], const double a[4], const double b[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/// out = inverse of the unit quaternion q; out may be q.
FF_INLINE void ff_quat_conjugate(double out[4], const double q[4])
{
    out[0] = q[0];
    out[1] = -q[1];
    out[2] = -q[2];
    out[3] = -q[3];
}

FF_INLINE double ff_quat_norm(const double q[4])
{
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

/// Scales q to length 1 and returns its former length; below 1e-14 it becomes the identity.
FF_INLINE double ff_quat_normalise(double q[4])
{
    double length = ff_quat_norm(q);
    if (length < 1e-14) {
        ff_quat_identity(q);
        return length;
    }
    for (int i = 0; i < 4; i++) q[i] /= length;
    return length;
}

/// Rotation matrix of a unit quaternion.
FF_INLINE void ff_quat_to_mat3(double R[9], const double q[4])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    R[0] = w * w + x * x - y * y - z * z;
    R[1] = 2.0 * (x * y - w * z);
    R[2] = 2.0 * (x * z + w * y);
    R[3] = 2.0 * (x * y + w * z);
    R[4] = w * w - x * x + y * y - z * z;
    R[5] = 2.0 * (y * z - w * x);
    R[6] = 2.0 * (x * z - w * y);
    R[7] = 2.0 * (y * z + w * x);
    R[8] = w * w - x * x - y * y + z * z;
}

/// out = rotation of a by q.
FF_INLINE void ff_quat_rotate(double out[3], const double q[4], const double a[3])
{
    double R[9];
    ff_quat_to_mat3(R, q);
    ff_mat3_mulv(out, R, a);
}

/// Quaternion of a turn by `angle` [rad] about `axis` (unit length).
static inline void ff_quat_from_axis_angle(double q[4], const double axis[3], double angle)
{
    double half = 0.5 * angle, s;
    ff_sincos(&half, &s, &q[0], 1);
    q[1] = axis[0] * s;
    q[2] = axis[1] * s;
    q[3] = axis[2] * s;
}

/// Unit quaternion of a rotation matrix, w >= 0.
FF_API void ff_quat_from_mat3(double q[4], const double R[9]);
/// Fixed-axis roll, pitch, yaw (URDF): R = Rz(yaw) Ry(pitch) Rx(roll)  [rad].
FF_API void ff_quat_from_rpy(double q[4], const double rpy[3]);
/// Shortest turn that takes the z axis to `direction` (any length > 0).
FF_API void ff_quat_from_z_to(double q[4], const double direction[3]);
/// out = q turned by the rotation vector w*t given in the child frame: q * exp(w t / 2).
FF_API void ff_quat_integrate(double out[4], const double q[4], const double w[3], double t);
/// Rotation vector (child frame) that leads from a to b, length in [0, pi]  [rad].
FF_API void ff_quat_difference(double out[3], const double a[4], const double b[4]);
/// Angle of a rotation, in [0, pi], and its axis, zero where there is no angle  [rad].
FF_API double ff_quat_angle(double axis[3], const double q[4]);

// ------------------------------------------------------------------------------------------ poses and inertia

/// Are all n numbers finite?
FF_INLINE bool ff_all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/// Pose of a child frame in a parent frame: x_parent = R x_child + p.
typedef struct ff_pose {
    double R[9];
    double p[3]; // [m]
} ff_pose;

/// Pose of frame 2 in frame 0 from those of 1 in 0 and of 2 in 1.
FF_INLINE ff_pose ff_pose_mul(const ff_pose *pose_01, const ff_pose *pose_12)
{
    ff_pose out;
    ff_mat3_mul(out.R, pose_01->R, pose_12->R);
    ff_mat3_mulv(out.p, pose_01->R, pose_12->p);
    ff_vec3_add(out.p, out.p, pose_01->p);
    return out;
}

/// Displaces the pose (pos, quat) by (by_pos, by_quat): from a pose in a frame to the pose in the frame's parent, where
/// the frame has the pose (by_pos, by_quat).
FF_INLINE void ff_pose_displace(double pos[3], double quat[4], const double by_pos[3], const double by_quat[4])
{
    double moved[3], turned[4];
    ff_quat_rotate(moved, by_quat, pos);
    ff_vec3_add(pos, moved, by_pos);
    ff_quat_mul(turned, by_quat, quat);
    ff_quat_copy(quat, turned);
}

/// Inertia of a rigid body in some frame: mass, first moment h = m c, and second moment about the frame's ORIGIN.
typedef struct ff_inertia {
    double mass; // [kg]
    double h[3]; // mass times centre of mass  [kg m]
    double I[6]; // xx, yy, zz, xy, xz, yz about the origin; off-diagonals are tensor entries (-int x y dm)  [kg m^2]
} ff_inertia;

/// Inertia from mass, centre of mass, and the tensor about the centre of mass (xx, yy, zz, xy, xz, yz).
FF_API ff_inertia ff_inertia_from_com(double mass, const double com[3], const double I_com[6]);
/// The reverse: `com` is the origin when the mass is zero.
FF_API void ff_inertia_to_com(const ff_inertia *in, double com[3], double I_com[6]);
/// The same body seen from the parent of `pose`: `pose` places the frame of `in` in the parent.
FF_API ff_inertia ff_inertia_transform(const ff_inertia *in, const double p[3], const double R[9]);
/// Principal moments and axes (as a unit quaternion) of the tensor I (xx, yy, zz, xy, xz, yz), with the error that
/// MuJoCo makes: R diag(moments) R' differs from I by up to 1.4e-6 of the spread of its moments.
FF_API void ff_inertia_coarse_axes(const double I[6], double moments[3], double quat[4]);
/// Puts principal axes into MuJoCo's order, the largest moment first, by quarter turns.
FF_API void ff_inertia_sort_axes(double moments[3], double quat[4]);
/// Sum of two inertias in the same frame.
FF_API ff_inertia ff_inertia_add(const ff_inertia *a, const ff_inertia *b);

#ifdef __cplusplus
}
#endif
#endif
