// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Strings around spheres and cylinders. Both are a problem of a circle in a plane: that of the two ends and the centre
// of a sphere; that across the axis of a cylinder, along which the string climbs in proportion to its length in
// the plane, since the surface unrolls. Around the circle the string runs along a tangent, an arc and a tangent. When
// it does so, and on which side, is as in MuJoCo (its documentation of spatial tendons, and its numbers:
// test_tendon_referee.c), so that the same files give the same path.
#include "geom/wrap.h"

static const double NOTHING = 1e-15; // a length or its square below this has no direction  [m]

static double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static double cross2(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

/// Point nearest to the origin on the segment from a to b.
static void nearest(const double a[2], const double b[2], double out[2])
{
    const double along[2] = {b[0] - a[0], b[1] - a[1]}, square = dot2(along, along);
    const double part = square > NOTHING ? ff_max(0.0, ff_min(1.0, -dot2(a, along) / square)) : 0.0;
    for (int k = 0; k < 2; k++) out[k] = a[k] + part * along[k];
}

/// Where the tangent from p touches the circle; `sense` 1: it goes on counter-clockwise from there.
static void tangent(const double p[2], double radius, double sense, double out[2])
{
    const double square = dot2(p, p), tangent = sense * radius * sqrt(square - radius * radius);
    out[0] = (radius * radius * p[0] - tangent * p[1]) / square;
    out[1] = (radius * radius * p[1] + tangent * p[0]) / square;
}

/// Do the segments from a to b and from c to d cross?
static bool cross_over(const double a[2], const double b[2], const double c[2], const double d[2])
{
    const double ab[2] = {b[0] - a[0], b[1] - a[1]}, cd[2] = {d[0] - c[0], d[1] - c[1]},
                 ac[2] = {c[0] - a[0], c[1] - a[1]};
    const double area = cross2(ab, cd);
    if (fabs(area) < NOTHING) return false;
    const double on_ab = cross2(ac, cd) / area, on_cd = cross2(ac, ab) / area;
    return on_ab >= 0.0 && on_ab <= 1.0 && on_cd >= 0.0 && on_cd <= 1.0;
}

/// Merit of two touching points, larger is better: near the given side, or near each other.
static double merit(double touch[2][2], const double *side)
{
    if (!side) {
        const double apart[2] = {touch[1][0] - touch[0][0], touch[1][1] - touch[0][1]};
        return -dot2(apart, apart);
    }
    const double middle[2] = {touch[0][0] + touch[1][0], touch[0][1] + touch[1][1]},
                 length = sqrt(dot2(middle, middle));
    return length > NOTHING ? dot2(middle, side) / length : 0.0;
}

/// Around the circle. @return length of the arc, below 0: the string runs straight
static double around(const double a[2], const double b[2], double radius, const double *side, double touch[2][2])
{
    static const double CROSSED = -1e4; // merit of a string that crosses itself: below all others
    double near[2], both[2][2][2], merits[2];
    if (dot2(a, a) < radius * radius || dot2(b, b) < radius * radius) return -1.0;
    nearest(a, b, near);
    if (dot2(near, near) > radius * radius && (!side || dot2(side, near) >= 0.0)) return -1.0;
    for (int k = 0; k < 2; k++) { // clockwise, counter-clockwise
        const double sense = k == 0 ? -1.0 : 1.0;
        tangent(a, radius, sense, both[k][0]);
        tangent(b, radius, -sense, both[k][1]);
        merits[k] = cross_over(a, both[k][0], b, both[k][1]) ? CROSSED : merit(both[k], side);
    }
    const int best = merits[0] > merits[1] ? 0 : 1;
    if (merits[best] == CROSSED) return -1.0;
    for (int k = 0; k < 4; k++) touch[k / 2][k % 2] = both[best][k / 2][k % 2];
    double angle = ff_atan2(cross2(touch[0], touch[1]), dot2(touch[0], touch[1])) * (best == 0 ? -1.0 : 1.0);
    if (angle < 0.0) angle += 2.0 * FF_PI;
    return radius * angle;
}

/// Slope, by the angle from a, of the path from a over the circle to b: zero where it is shortest.
static double slope_inside(const double length[2], double radius, double angle, double opening)
{
    double x[2] = {angle, opening - angle}, s[2], c[2], sum = 0.0;
    ff_sincos(x, s, c, 2);
    for (int k = 0; k < 2; k++) {
        const double square = length[k] * length[k] + radius * radius - 2.0 * radius * length[k] * c[k];
        sum += (k == 0 ? 1.0 : -1.0) * length[k] * radius * s[k] / sqrt(ff_max(square, NOTHING));
    }
    return sum;
}

/// The shortest path over a point of the circle, whose inner side holds the string. @return 0, the length of the arc;
/// below 0: the straight line crosses the circle anyway
static double inside(const double a[2], const double b[2], double radius, double touch[2][2])
{
    const double length[2] = {sqrt(dot2(a, a)), sqrt(dot2(b, b))};
    double near[2];
    if (length[0] <= radius || length[1] <= radius) return -1.0;
    nearest(a, b, near);
    if (dot2(near, near) <= radius * radius) return -1.0;
    const double turn = ff_atan2(cross2(a, b), dot2(a, b)), opening = fabs(turn);
    double low = 0.0, high = opening; // the slope rises from below zero to above it
    double at_low = slope_inside(length, radius, low, opening), at_high = slope_inside(length, radius, high, opening);
    for (int k = 0; k < 60 && high - low > 1e-15 * opening; k++) {
        double angle = low - at_low * (high - low) / (at_high - at_low);
        if (k % 3 == 2 || !(angle > low && angle < high)) angle = 0.5 * (low + high);
        const double slope = slope_inside(length, radius, angle, opening);
        if (slope == 0.0) {
            low = high = angle;
        } else if (slope < 0.0) {
            low = angle;
            at_low = slope;
        } else {
            high = angle;
            at_high = slope;
        }
    }
    double x = 0.5 * (low + high) * (turn < 0.0 ? -1.0 : 1.0), s, c;
    ff_sincos(&x, &s, &c, 1);
    for (int k = 0; k < 2; k++) {
        touch[k][0] = radius * (c * a[0] - s * a[1]) / length[0];
        touch[k][1] = radius * (s * a[0] + c * a[1]) / length[0];
    }
    return 0.0;
}

/// Axes of the plane in which the string runs past a sphere. Ends on a line with its centre leave it open.
static void plane_of(const double a[3], const double b[3], double x[3], double y[3])
{
    double normal[3];
    ff_vec3_scale(x, a, 1.0 / ff_vec3_norm(a));
    ff_vec3_cross(normal, a, b);
    if (!(ff_vec3_norm(normal) > NOTHING)) {
        const double off[3] = {fabs(x[0]) < 0.9, fabs(x[0]) >= 0.9, 0.0};
        ff_vec3_cross(normal, x, off);
    }
    ff_vec3_cross(y, normal, x);
    ff_vec3_scale(y, y, 1.0 / ff_vec3_norm(y));
}

static void to_local(double out[3], const ff_wrap_shape *shape, const double world[3])
{
    double apart[3];
    ff_vec3_sub(apart, world, shape->pos);
    ff_mat3_tmulv(out, shape->R, apart);
}

static double apart2(const double a[2], const double b[2])
{
    const double along[2] = {b[0] - a[0], b[1] - a[1]};
    return sqrt(dot2(along, along));
}

bool ff_wrap(const ff_wrap_shape *shape, const double from[3], const double to[3], const double *side,
             double touch[2][3], double *arc)
{
    double ends[2][3], x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, flat[2][2], flat_touch[2][2], side_flat[2] = {0, 0};
    to_local(ends[0], shape, from);
    to_local(ends[1], shape, to);
    if (!(shape->radius > 0.0) || !(ff_vec3_norm(ends[0]) > NOTHING) || !(ff_vec3_norm(ends[1]) > NOTHING))
        return false;
    if (!shape->cylinder) plane_of(ends[0], ends[1], x, y);
    for (int k = 0; k < 2; k++) {
        flat[k][0] = ff_vec3_dot(ends[k], x);
        flat[k][1] = ff_vec3_dot(ends[k], y);
    }
    bool through = false;
    if (side) {
        double at[3];
        to_local(at, shape, side);
        side_flat[0] = ff_vec3_dot(at, x);
        side_flat[1] = ff_vec3_dot(at, y);
        through =
            dot2(side_flat, side_flat) < shape->radius * shape->radius; // in the plane, not in space, as in MuJoCo
    }
    *arc = through ? inside(flat[0], flat[1], shape->radius, flat_touch)
                   : around(flat[0], flat[1], shape->radius, side ? side_flat : NULL, flat_touch);
    if (*arc < 0.0) return false;
    double climb[2] = {0.0, 0.0};
    if (shape->cylinder) {
        const double first = apart2(flat[0], flat_touch[0]), last = apart2(flat[1], flat_touch[1]);
        const double rise = (ends[1][2] - ends[0][2]) / (first + *arc + last);
        climb[0] = ends[0][2] + rise * first;
        climb[1] = climb[0] + rise * *arc;
        *arc *= sqrt(1.0 + rise * rise);
    }
    for (int k = 0; k < 2; k++) {
        double local[3] = {0.0, 0.0, climb[k]};
        ff_vec3_axpy(local, flat_touch[k][0], x);
        ff_vec3_axpy(local, flat_touch[k][1], y);
        ff_mat3_mulv(touch[k], shape->R, local);
        ff_vec3_add(touch[k], touch[k], shape->pos);
    }
    return true;
}
