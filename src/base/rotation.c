// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversions between rotations, and rigid-body inertia in moved frames.
#include <footfall/base.h>

void ff_quat_from_mat3(double q[4], const double R[9])
{
    // Starts from the largest of the four squared components, so that no division is by a small number (Shepperd 1978).
    double trace = R[0] + R[4] + R[8];
    double square[4] = {1 + trace, 1 + 2 * R[0] - trace, 1 + 2 * R[4] - trace, 1 + 2 * R[8] - trace};
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[largest]) largest = i;
    double a[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]}; // 4 w (x, y, z)
    double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
    switch (largest) {
    case 0:
        memcpy(q, (double[4]){square[0], a[0], a[1], a[2]}, 4 * sizeof(double));
        break;
    case 1:
        memcpy(q, (double[4]){a[0], square[1], xy, xz}, 4 * sizeof(double));
        break;
    case 2:
        memcpy(q, (double[4]){a[1], xy, square[2], yz}, 4 * sizeof(double));
        break;
    default:
        memcpy(q, (double[4]){a[2], xz, yz, square[3]}, 4 * sizeof(double));
        break;
    }
    ff_quat_normalise(q);
    if (q[0] < 0)
        for (int i = 0; i < 4; i++) q[i] = -q[i];
}

void ff_quat_from_rpy(double q[4], const double rpy[3])
{
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    double roll[4], pitch[4], yaw[4], tilt[4];
    ff_quat_from_axis_angle(roll, x, rpy[0]);
    ff_quat_from_axis_angle(pitch, y, rpy[1]);
    ff_quat_from_axis_angle(yaw, z, rpy[2]);
    ff_quat_mul(tilt, pitch, roll);
    ff_quat_mul(q, yaw, tilt);
}

void ff_quat_from_z_to(double q[4], const double direction[3])
{
    // scaled by the largest entry first: squares of very long or short directions leave the range of numbers
    double size = ff_max(ff_max(fabs(direction[0]), fabs(direction[1])), fabs(direction[2]));
    double d[3] = {0, 0, 1};
    for (int i = 0; i < 3 && size > 0; i++) d[i] = direction[i] / size;
    ff_vec3_normalise(d);
    double axis[3] = {-d[1], d[0], 0.0}; // z x d
    double sine = sqrt(d[0] * d[0] + d[1] * d[1]);
    if (!(sine > 0)) {
        // Parallel: nothing to do; opposite: half a turn about any horizontal axis.
        ff_quat_identity(q);
        if (d[2] < 0) memcpy(q, (double[4]){0, 1, 0, 0}, 4 * sizeof(double));
        return;
    }
    ff_vec3_scale(axis, axis, 1.0 / sine);
    ff_quat_from_axis_angle(q, axis, ff_atan2(sine, d[2]));
}

void ff_quat_integrate(double out[4], const double q[4], const double w[3], double t)
{
    double angle = ff_vec3_norm(w) * t, half = 0.5 * angle, sine, cosine, turn[4];
    ff_sincos(&half, &sine, &cosine, 1);
    // sin(a/2)/|w| tends to t/2: below 1e-8 rad the next term of the series is lost in rounding
    double factor = fabs(angle) < 1e-8 ? 0.5 * t : sine * t / angle;
    turn[0] = cosine;
    for (int i = 0; i < 3; i++) turn[i + 1] = w[i] * factor;
    double result[4];
    ff_quat_mul(result, q, turn);
    ff_quat_normalise(result);
    ff_quat_copy(out, result);
}

void ff_quat_difference(double out[3], const double a[4], const double b[4])
{
    double back[4], turn[4];
    ff_quat_conjugate(back, a);
    ff_quat_mul(turn, back, b);
    if (turn[0] < 0)
        for (int i = 0; i < 4; i++) turn[i] = -turn[i];
    double sine = ff_vec3_norm(turn + 1);
    double factor = sine < 1e-8 ? 2.0 / turn[0] : 2.0 * ff_atan2(sine, turn[0]) / sine;
    ff_vec3_scale(out, turn + 1, factor);
}

double ff_quat_angle(double axis[3], const double q[4])
{
    static const double identity[4] = {1, 0, 0, 0};
    ff_quat_difference(axis, identity, q);
    const double angle = ff_vec3_norm(axis);
    ff_vec3_scale(axis, axis, angle > 0.0 ? 1.0 / angle : 0.0);
    return angle;
}

// ------------------------------------------------------------------------------------------ inertia

/// I += mass * (c'c 1 - c c'), the parallel-axis term (Steiner).
static void add_steiner(double I[6], double mass, const double c[3])
{
    I[0] += mass * (c[1] * c[1] + c[2] * c[2]);
    I[1] += mass * (c[0] * c[0] + c[2] * c[2]);
    I[2] += mass * (c[0] * c[0] + c[1] * c[1]);
    I[3] -= mass * c[0] * c[1];
    I[4] -= mass * c[0] * c[2];
    I[5] -= mass * c[1] * c[2];
}

ff_inertia ff_inertia_from_com(double mass, const double com[3], const double I_com[6])
{
    ff_inertia out = {.mass = mass};
    ff_vec3_scale(out.h, com, mass);
    memcpy(out.I, I_com, sizeof out.I);
    add_steiner(out.I, mass, com);
    return out;
}

void ff_inertia_to_com(const ff_inertia *in, double com[3], double I_com[6])
{
    ff_vec3_set(com, 0, 0, 0);
    if (in->mass > 0) ff_vec3_scale(com, in->h, 1.0 / in->mass);
    memcpy(I_com, in->I, sizeof in->I);
    add_steiner(I_com, -in->mass, com);
}

ff_inertia ff_inertia_transform(const ff_inertia *in, const double p[3], const double R[9])
{
    double com[3], I[6], rotated[9], turned[9], moved[3];
    ff_inertia_to_com(in, com, I);
    double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]}, back[9];
    ff_mat3_transpose(back, R);
    ff_mat3_mul(turned, R, full);
    ff_mat3_mul(rotated, turned, back);
    ff_mat3_mulv(moved, R, com);
    ff_vec3_add(moved, moved, p);
    return ff_inertia_from_com(in->mass, moved,
                               (double[6]){rotated[0], rotated[4], rotated[8], rotated[1], rotated[2], rotated[5]});
}

ff_inertia ff_inertia_add(const ff_inertia *a, const ff_inertia *b)
{
    ff_inertia out = {.mass = a->mass + b->mass};
    ff_vec3_add(out.h, a->h, b->h);
    for (int i = 0; i < 6; i++) out.I[i] = a->I[i] + b->I[i];
    return out;
}
