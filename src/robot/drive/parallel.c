// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two drives on two joints: linear (a differential gear, or parallel spindles near the middle of their range) and
// exact, with rods on ball joints. Synchronous motion moves one axis, opposite motion the other, each with the torque
// of both.
#include "drive/private.h"

#include <footfall/drive_parts.h>

void ff_parallel_travel(const ff_parallel *pair, const double q[2], double x[2])
{
    const double a = pair->lever_a * q[0], b = pair->lever_b * q[1];
    x[0] = a + b;
    x[1] = a - b;
}

void ff_parallel_angles(const ff_parallel *pair, const double x[2], double q[2])
{
    const double sum = x[0] + x[1], difference = x[0] - x[1];
    q[0] = sum / (2.0 * pair->lever_a);
    q[1] = difference / (2.0 * pair->lever_b);
}

void ff_parallel_torque(const ff_parallel *pair, const double force[2], double torque[2])
{
    const double sum = force[0] + force[1], difference = force[0] - force[1];
    torque[0] = pair->lever_a * sum;
    torque[1] = pair->lever_b * difference;
}

// ------------------------------------------------------------------------------------------ rods

/// out = p turned about the unit axis by an angle of this sine and cosine.
static inline void turn(const double axis[3], double s, double c, const double p[3], double out[3])
{
    double cross[3];
    ff_vec3_cross(cross, axis, p);
    const double along = ff_vec3_dot(axis, p) * (1.0 - c);
    for (int k = 0; k < 3; k++) out[k] = p[k] * c + cross[k] * s + axis[k] * along;
}

double ff_rod_travel(const ff_rod *rod, const double q[2], double lever[2])
{
    // R = R1(alpha) R2(beta): the second axis turns with the first
    double s[2], c[2], inner[3], outer[3], spin[3], move[3], rod_vector[3];
    ff_sincos(q, s, c, 2);
    turn(rod->axis[1], s[1], c[1], rod->platform, inner);
    turn(rod->axis[0], s[0], c[0], inner, outer);
    ff_vec3_sub(rod_vector, outer, rod->base);
    const double length = ff_vec3_norm(rod_vector);
    if (lever) {
        const double scale = length > 0.0 ? 1.0 / length : 0.0;
        ff_vec3_cross(move, rod->axis[0], outer);
        lever[0] = scale * ff_vec3_dot(rod_vector, move);
        ff_vec3_cross(spin, rod->axis[1], inner);
        turn(rod->axis[0], s[0], c[0], spin, move);
        lever[1] = scale * ff_vec3_dot(rod_vector, move);
    }
    return length - rod->rest;
}

double ff_rod_drift(const ff_rod *rod, const double q[2], const double v[2])
{
    // p = R1 R2 b, p' = w1 x p + s with s = R1 (w2 x R2 b), p'' = w1 x p' + w1 x s + R1 (w2 x (w2 x R2 b))
    double sine[2], cosine[2];
    double w1[3], w2[3], inner[3], p[3], turned[3], s[3], again[3], spin[3], rate[3], bend[3], line[3];
    ff_sincos(q, sine, cosine, 2);
    ff_vec3_scale(w1, rod->axis[0], v[0]);
    ff_vec3_scale(w2, rod->axis[1], v[1]);
    turn(rod->axis[1], sine[1], cosine[1], rod->platform, inner);
    turn(rod->axis[0], sine[0], cosine[0], inner, p);
    ff_vec3_cross(turned, w2, inner);
    turn(rod->axis[0], sine[0], cosine[0], turned, s);
    ff_vec3_cross(again, w2, turned);
    turn(rod->axis[0], sine[0], cosine[0], again, bend);
    ff_vec3_cross(rate, w1, p);
    ff_vec3_add(rate, rate, s);
    ff_vec3_add(spin, rate, s);
    ff_vec3_cross_add(bend, w1, spin);
    ff_vec3_sub(line, p, rod->base);
    const double length = ff_vec3_norm(line);
    if (!(length > 0.0)) return 0.0;
    const double speed = ff_vec3_dot(line, rate) / length;
    return (ff_vec3_dot(line, bend) + ff_vec3_dot(rate, rate) - speed * speed) / length;
}

bool ff_rods_angles(const ff_rod rods[2], const double x[2], double q[2])
{
    for (int round = 0; round < 50; round++) {
        double lever[2][2], miss[2];
        for (int i = 0; i < 2; i++) miss[i] = x[i] - ff_rod_travel(&rods[i], q, lever[i]);
        const double det = lever[0][0] * lever[1][1] - lever[0][1] * lever[1][0];
        if (!(fabs(det) > 1e-14)) return false; // both rods push the same way: a singular pose
        double step[2] = {(miss[0] * lever[1][1] - lever[0][1] * miss[1]) / det,
                          (lever[0][0] * miss[1] - lever[1][0] * miss[0]) / det};
        const double size = ff_max(fabs(step[0]), fabs(step[1])), scale = size > 0.3 ? 0.3 / size : 1.0;
        q[0] += scale * step[0];
        q[1] += scale * step[1];
        if (size < 1e-13) return true;
        if (round > 40 && size < 1e-10) return true; // rounding keeps it from coming closer
    }
    return false;
}
