// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Nearest points of simple cores in closed form: lines and points among themselves, and a point or a line with a box, a
// cylinder, an ellipsoid. Where cores overlap, the answer is the shortest separation, min over n of h(n) with h the
// support function of the difference of the two; for a box and a line that minimum is at a face of the box or at an
// edge of it crossed with the line.
#include "base/clamp.h"
#include "collide_private.h"

// Cores nearer than this [m] count as touching: the direction between them is rounding.
#define TOUCHING 1e-13

// Result for the points p1, p2 and the normal n.
static void set_nearest(ff_collide_nearest *out, const double p1[3], const double p2[3], const double n[3])
{
    double d[3];
    ff_vec3_sub(d, p2, p1);
    ff_vec3_copy(out->point1, p1);
    ff_vec3_copy(out->point2, p2);
    ff_vec3_copy(out->normal, n);
    out->distance = ff_vec3_dot(d, n);
}

static void axis_of(const ff_solid *s, double out[3])
{
    ff_vec3_set(out, s->R[2], s->R[5], s->R[8]);
}

static double half_length(const ff_solid *s)
{
    return s->kind == SOLID_LINE ? s->size[0] : 0.0;
}

// Parameters s, t of the nearest points of p1 + s u1, |s| <= h1 and p2 + t u2, |t| <= h2, with r = p1 - p2 (unit u1,
// u2). Ericson, Real-time collision detection (2005), section 5.1.9, for lines given by their middle.
static void nearest_parameters(const double r[3], const double u1[3], double h1, const double u2[3], double h2,
                               double *s, double *t)
{
    double b = ff_vec3_dot(u1, u2), c = ff_vec3_dot(u1, r), f = ff_vec3_dot(u2, r), w[3];
    ff_vec3_cross(w, u1, u2);
    double sine2 = ff_vec3_dot(w, w); // 1 - b^2, without its cancellation
    *s = sine2 > 1e-24 ? ff_clamp((b * f - c) / sine2, -h1, h1) : 0.0;
    *t = ff_clamp(b * *s + f, -h2, h2);
    *s = ff_clamp(b * *t - c, -h1, h1);
    *t = ff_clamp(b * *s + f, -h2, h2);
}

// The common normal of two lines that touch: across both, else across the one there is, else up.
static void crossing_normal(const double u1[3], double h1, const double u2[3], double h2, double n[3])
{
    ff_vec3_cross(n, u1, u2);
    if (h1 > 0.0 && h2 > 0.0 && ff_vec3_norm(n) > 1e-9)
        ff_vec3_normalise(n);
    else if (h1 > 0.0)
        ff_perpendicular(n, u1);
    else if (h2 > 0.0)
        ff_perpendicular(n, u2);
    else
        ff_vec3_set(n, 0.0, 0.0, 1.0);
}

void ff_nearest_lines(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out)
{
    double u1[3], u2[3], r[3], n[3], p1[3], p2[3], s, t, h1 = half_length(a), h2 = half_length(b);
    axis_of(a, u1);
    axis_of(b, u2);
    ff_vec3_sub(r, a->p, b->p);
    nearest_parameters(r, u1, h1, u2, h2, &s, &t);
    ff_vec3_copy(p1, a->p);
    ff_vec3_axpy(p1, s, u1);
    ff_vec3_copy(p2, b->p);
    ff_vec3_axpy(p2, t, u2);
    ff_vec3_sub(n, p2, p1);
    if (ff_vec3_norm(n) > TOUCHING)
        ff_vec3_scale(n, n, 1.0 / ff_vec3_norm(n));
    else
        crossing_normal(u1, h1, u2, h2, n);
    set_nearest(out, p1, p2, n);
}

// Result for the surface point y of `s`, the point x and the outward normal n, all in the frame of `s`.
static void set_local(const ff_solid *s, const double y[3], const double x[3], const double n[3],
                      ff_collide_nearest *out)
{
    double p1[3], p2[3], normal[3];
    ff_mat3_mulv(p1, s->R, y);
    ff_vec3_add(p1, p1, s->p);
    ff_mat3_mulv(p2, s->R, x);
    ff_vec3_add(p2, p2, s->p);
    ff_mat3_mulv(normal, s->R, n);
    set_nearest(out, p1, p2, normal);
}

static void to_local(const ff_solid *s, const double p[3], double out[3])
{
    double d[3];
    ff_vec3_sub(d, p, s->p);
    ff_mat3_tmulv(out, s->R, d);
}

// The outward unit normal from y to x; false when they are too close for a direction.
static bool direction(const double y[3], const double x[3], double n[3])
{
    ff_vec3_sub(n, x, y);
    double length = ff_vec3_norm(n);
    if (length <= TOUCHING) return false;
    ff_vec3_scale(n, n, 1.0 / length);
    return true;
}

void ff_nearest_box_point(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out)
{
    double x[3], y[3], n[3] = {0.0, 0.0, 0.0};
    to_local(a, b->p, x);
    for (int k = 0; k < 3; k++) y[k] = ff_clamp(x[k], -a->size[k], a->size[k]);
    if (!direction(y, x, n)) {
        int best = 0;
        for (int k = 1; k < 3; k++)
            if (a->size[k] - fabs(x[k]) < a->size[best] - fabs(x[best])) best = k;
        ff_vec3_set(n, 0.0, 0.0, 0.0);
        n[best] = x[best] < 0.0 ? -1.0 : 1.0;
        ff_vec3_copy(y, x);
        y[best] = n[best] * a->size[best];
    }
    set_local(a, y, x, n, out);
}

void ff_nearest_cylinder_point(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out)
{
    double x[3], y[3], n[3], r = a->size[0], h = a->size[1];
    to_local(a, b->p, x);
    double rho = sqrt(x[0] * x[0] + x[1] * x[1]), shrink = rho > r ? r / rho : 1.0;
    ff_vec3_set(y, x[0] * shrink, x[1] * shrink, ff_clamp(x[2], -h, h));
    if (!direction(y, x, n)) {
        if (h - fabs(x[2]) < r - rho) {
            ff_vec3_set(n, 0.0, 0.0, x[2] < 0.0 ? -1.0 : 1.0);
            ff_vec3_set(y, x[0], x[1], n[2] * h);
        } else {
            bool centred = rho <= TOUCHING;
            ff_vec3_set(n, centred ? 1.0 : x[0] / rho, centred ? 0.0 : x[1] / rho, 0.0);
            ff_vec3_set(y, r * n[0], r * n[1], x[2]);
        }
    }
    set_local(a, y, x, n, out);
}

// Nearest surface point of an ellipsoid with half axes e to x >= 0. It is y_k = e_k^2 x_k / (t + e_k^2) with t the
// largest root of
//     F(t) = sum (e_k x_k / (t + e_k^2))^2 - 1,
// which falls from t = -min e^2 on. D. Eberly, Distance from a point to an ellipse, an ellipse, or a hyperellipsoid
// (2013). Bisection with scaled numbers needs no starting value and ends at the last bit.
static void ellipsoid_point(const double e[3], const double x[3], double y[3])
{
    int least = e[0] <= e[1] && e[0] <= e[2] ? 0 : e[1] <= e[2] ? 1 : 2;
    double m2 = e[least] * e[least], ratio[3], z[3];
    for (int k = 0; k < 3; k++) {
        ratio[k] = e[k] * e[k] / m2;
        z[k] = x[k] / e[k];
    }
    // s = t / m2 + 1 > 0 where F = sum (ratio z / (s - 1 + ratio))^2 - 1
    double low = z[least], high = 0.0;
    for (int k = 0; k < 3; k++) high += ratio[k] * ratio[k] * z[k] * z[k];
    high = sqrt(high) + 1e-300;
    if (low > high) low = high;
    for (int i = 0; i < 1100; i++) {
        double middle = 0.5 * (low + high), sum = -1.0;
        if (middle <= low || middle >= high) break;
        for (int k = 0; k < 3; k++) {
            double q = ratio[k] * z[k] / (middle - 1.0 + ratio[k]);
            sum += q * q;
        }
        if (sum > 0.0)
            low = middle;
        else
            high = middle;
    }
    double rest = 1.0;
    for (int k = 0; k < 3; k++) {
        double grow = high - 1.0 + ratio[k];
        y[k] = grow > 0.0 ? ratio[k] * x[k] / grow : 0.0;
        if (k != least) rest -= y[k] * y[k] / (e[k] * e[k]);
    }
    // In the middle plane of the shortest axis, deep inside: the root is at the pole of F, and the surface gives y.
    if (high <= 1e-12) y[least] = e[least] * sqrt(rest > 0.0 ? rest : 0.0);
}

void ff_nearest_ellipsoid_point(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out)
{
    double x[3], y[3], n[3], absolute[3], sign[3];
    if (!(a->size[0] > 0.0 && a->size[1] > 0.0 && a->size[2] > 0.0)) {
        ff_nearest_gjk(a, b, out);
        return;
    }
    to_local(a, b->p, x);
    for (int k = 0; k < 3; k++) {
        sign[k] = x[k] < 0.0 ? -1.0 : 1.0;
        absolute[k] = fabs(x[k]);
    }
    ellipsoid_point(a->size, absolute, y);
    for (int k = 0; k < 3; k++) n[k] = y[k] / (a->size[k] * a->size[k]) * a->size[0];
    double length = ff_vec3_norm(n);
    for (int k = 0; k < 3; k++) {
        n[k] *= sign[k] / length;
        y[k] *= sign[k];
    }
    set_local(a, y, x, n, out);
}

// ------------------------------------------------------------------------------------------ box and line

// Half the slope of the squared distance between the box and the point x + t u of the line.
static double distance_slope(const double size[3], const double x[3], const double u[3], double t)
{
    double slope = 0.0;
    for (int k = 0; k < 3; k++) {
        double y = x[k] + t * u[k];
        slope += u[k] * (y - ff_clamp(y, -size[k], size[k]));
    }
    return slope;
}

// The squared distance is convex in t, its slope piecewise linear with corners where a coordinate passes a face: the
// zero lies between two neighbouring corners and is found by one interpolation.
static double nearest_on_line(const double size[3], const double x[3], const double u[3], double h)
{
    double low = -h, high = h, at_low = distance_slope(size, x, u, low), at_high = distance_slope(size, x, u, high);
    if (at_low >= 0.0) return low;
    if (at_high <= 0.0) return high;
    for (int k = 0; k < 6; k++) {
        double face = k & 1 ? size[k / 2] : -size[k / 2], speed = u[k / 2];
        double t = speed != 0.0 ? (face - x[k / 2]) / speed : low;
        if (!(t > low && t < high)) continue;
        double slope = distance_slope(size, x, u, t);
        if (slope < 0.0)
            low = t, at_low = slope;
        else
            high = t, at_high = slope;
    }
    return low + (high - low) * (at_low / (at_low - at_high));
}

// Separation through face k: the deepest point of the part of the line that lies over that face.
static void out_by_face(const double size[3], const double x[3], const double u[3], double h, int k, double sign,
                        double y[3], double q[3])
{
    double low = -h, high = h;
    for (int i = 0; i < 3; i++) {
        if (i == k || u[i] == 0.0) continue;
        double t0 = (-size[i] - x[i]) / u[i], t1 = (size[i] - x[i]) / u[i];
        low = ff_max(low, ff_min(t0, t1));
        high = ff_min(high, ff_max(t0, t1));
    }
    double t = sign * u[k] < 0.0 ? high : sign * u[k] > 0.0 ? low : 0.5 * (low + high);
    t = ff_clamp(t, -h, h);
    for (int i = 0; i < 3; i++) q[i] = x[i] + t * u[i];
    for (int i = 0; i < 3; i++) y[i] = ff_clamp(q[i], -size[i], size[i]);
    y[k] = sign * size[k];
}

// Separation across edge direction k and the line: nearest points of the line and the edge on the side of n.
static void out_by_edge(const double size[3], const double x[3], const double u[3], double h, int k, const double n[3],
                        double y[3], double q[3])
{
    double middle[3], e[3] = {0.0, 0.0, 0.0}, r[3], s, t;
    for (int i = 0; i < 3; i++) middle[i] = i == k ? 0.0 : n[i] < 0.0 ? -size[i] : size[i];
    e[k] = 1.0;
    ff_vec3_sub(r, middle, x);
    nearest_parameters(r, e, size[k], u, h, &s, &t);
    ff_vec3_copy(y, middle);
    y[k] = s;
    for (int i = 0; i < 3; i++) q[i] = x[i] + t * u[i];
}

// Separation of a box and a line x + t u that crosses it, in the frame of the box.
static void line_inside(const ff_solid *a, const double x[3], const double u[3], double h, ff_collide_nearest *out)
{
    const double *size = a->size;
    double least = INFINITY, n[3] = {0.0, 0.0, 0.0}, y[3], q[3];
    int best = 0;
    for (int k = 0; k < 3; k++) {
        double sign = x[k] < 0.0 ? -1.0 : 1.0, depth = size[k] + h * fabs(u[k]) - fabs(x[k]);
        if (depth >= least) continue;
        least = depth, best = k;
        ff_vec3_set(n, 0.0, 0.0, 0.0);
        n[k] = sign;
    }
    for (int k = 0; k < 3; k++) {
        double e[3] = {0.0, 0.0, 0.0}, m[3];
        e[k] = 1.0;
        ff_vec3_cross(m, e, u);
        if (ff_vec3_norm(m) < 1e-7) continue;
        ff_vec3_normalise(m);
        if (ff_vec3_dot(m, x) < 0.0) ff_vec3_scale(m, m, -1.0);
        double depth = -ff_vec3_dot(m, x);
        for (int i = 0; i < 3; i++) depth += size[i] * fabs(m[i]);
        if (depth >= least * (1.0 - 1e-9)) continue; // faces first: their patch is larger
        least = depth, best = 3 + k;
        ff_vec3_copy(n, m);
    }
    if (best < 3)
        out_by_face(size, x, u, h, best, n[best], y, q);
    else
        out_by_edge(size, x, u, h, best - 3, n, y, q);
    set_local(a, y, q, n, out);
    out->distance = -least;
}

void ff_nearest_box_line(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out)
{
    double x[3], axis[3], u[3], y[3], q[3], n[3], h = b->size[0];
    to_local(a, b->p, x);
    axis_of(b, axis);
    ff_mat3_tmulv(u, a->R, axis);
    double t = nearest_on_line(a->size, x, u, h);
    for (int k = 0; k < 3; k++) {
        q[k] = x[k] + t * u[k];
        y[k] = ff_clamp(q[k], -a->size[k], a->size[k]);
    }
    if (direction(y, q, n))
        set_local(a, y, q, n, out);
    else
        line_inside(a, x, u, h, out);
}
