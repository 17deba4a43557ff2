// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Random colliders and poses, and a referee for signed distances that shares nothing with the library: for convex
// shapes
//     distance = max over unit n of  sep(n) = min over y in 2 of y.n - max over x in 1 of x.n,
// apart and overlapping alike. Any sampled sep(n) is a lower bound; refined by a shrinking search it is the distance.
#ifndef FOOTFALL_TESTS_COLLIDE_RANDOM_H
#define FOOTFALL_TESTS_COLLIDE_RANDOM_H

#include <limits.h>

#include <footfall/collide.h>

#include "check.h"

static const ff_collider_type CONVEX_TYPES[] = {FF_COLLIDER_SPHERE,   FF_COLLIDER_CAPSULE,   FF_COLLIDER_BOX,
                                                FF_COLLIDER_CYLINDER, FF_COLLIDER_ELLIPSOID, FF_COLLIDER_CONVEX};
#define NCONVEX 6

// With sanitizers these loops take thirty times as long: a tenth of the poses finds the same mistakes.
#define POSES(n) CHECK_LASTS(n, (n) / 10)

static inline void random_direction(ff_random *r, double d[3])
{
    do
        for (int k = 0; k < 3; k++) d[k] = ff_random_range(r, -1.0, 1.0);
    while (ff_vec3_norm(d) > 1.0 || ff_vec3_norm(d) < 0.1);
    ff_vec3_normalise(d);
}

static inline ff_pose random_pose(ff_random *r, double spread)
{
    ff_pose pose;
    double q[4];
    for (int k = 0; k < 4; k++) q[k] = ff_random_normal(r);
    ff_quat_normalise(q);
    ff_quat_to_mat3(pose.R, q);
    for (int k = 0; k < 3; k++) pose.p[k] = ff_random_range(r, -spread, spread);
    return pose;
}

/// Cloud of points whose hull has up to n corners; `ff_convex_destroy` it.
static inline ff_convex *random_convex(ff_random *r, int n, double *points)
{
    for (int i = 0; i < 3 * n; i++) points[i] = ff_random_range(r, -0.6, 0.6);
    ff_mesh *cloud = ff_mesh_create(points, n, NULL, 0, NULL);
    ff_convex *convex = ff_convex_create(cloud, NULL);
    ff_mesh_destroy(cloud);
    return convex;
}

typedef struct random_collider {
    ff_collider c;
    double cloud[3 * 40];
    int ncloud;
    ff_convex *owned;
} random_collider;

static inline void random_collider_make(random_collider *out, ff_collider_type type, ff_random *r)
{
    memset(out, 0, sizeof *out);
    out->c.type = type;
    for (int k = 0; k < 3; k++) out->c.size[k] = ff_random_range(r, 0.1, 0.7);
    if (type != FF_COLLIDER_CONVEX) return;
    out->ncloud = 4 + (int)ff_random_range(r, 0.0, 36.0);
    out->owned = random_convex(r, out->ncloud, out->cloud);
    CHECK(out->owned);
    out->c.convex = out->owned;
}

/// max over the shape of x.n, world.
static inline double reach(const random_collider *s, const ff_pose *pose, const double n[3])
{
    double d[3], most = 0.0;
    const double *z = s->c.size;
    ff_mat3_tmulv(d, pose->R, n);
    switch (s->c.type) {
    case FF_COLLIDER_SPHERE:
        most = z[0];
        break;
    case FF_COLLIDER_CAPSULE:
        most = z[0] + z[1] * fabs(d[2]);
        break;
    case FF_COLLIDER_BOX:
        most = z[0] * fabs(d[0]) + z[1] * fabs(d[1]) + z[2] * fabs(d[2]);
        break;
    case FF_COLLIDER_CYLINDER:
        most = z[0] * sqrt(d[0] * d[0] + d[1] * d[1]) + z[1] * fabs(d[2]);
        break;
    case FF_COLLIDER_ELLIPSOID:
        most = sqrt(z[0] * z[0] * d[0] * d[0] + z[1] * z[1] * d[1] * d[1] + z[2] * z[2] * d[2] * d[2]);
        break;
    default:
        most = -INFINITY;
        for (int i = 0; i < s->ncloud; i++) most = fmax(most, ff_vec3_dot(s->cloud + 3 * i, d));
    }
    return most + ff_vec3_dot(pose->p, n);
}

static inline double separation(const random_collider *a, const ff_pose *pa, const random_collider *b,
                                const ff_pose *pb, const double n[3])
{
    double back[3] = {-n[0], -n[1], -n[2]};
    return -reach(b, pb, back) - reach(a, pa, n);
}

/// The next of 65536 random directions: to make one takes longer than to use it.
static inline const double *next_direction(unsigned short *number)
{
    static double made[USHRT_MAX + 1][3];
    if (made[0][0] == 0.0) {
        ff_random r = ff_random_make(11, 1);
        for (int i = 0; i <= USHRT_MAX; i++) random_direction(&r, made[i]);
    }
    return made[(*number)++];
}

/// Best of `samples` random directions, refined by steps that shrink where they do not help.
static inline double sampled_distance(const random_collider *a, const ff_pose *pa, const random_collider *b,
                                      const ff_pose *pb, int samples, int refine, ff_random *r)
{
    unsigned short number = (unsigned short)ff_random_bits(r);
    double best = -INFINITY, n[3], at[3] = {0.0, 0.0, 1.0};
    for (int i = 0; i < samples; i++) {
        ff_vec3_copy(n, next_direction(&number));
        double s = separation(a, pa, b, pb, n);
        if (s > best) best = s, ff_vec3_copy(at, n);
    }
    double step = 0.2;
    for (int i = 0; i < refine; i++) {
        const double *d = next_direction(&number);
        for (int k = 0; k < 3; k++) n[k] = at[k] + step * d[k];
        ff_vec3_normalise(n);
        double s = separation(a, pa, b, pb, n);
        if (s > best)
            best = s, ff_vec3_copy(at, n);
        else
            step = fmax(0.96 * step, 1e-7);
    }
    return best;
}

/// Is x in the shape, up to `slack`?
static inline bool contains(const random_collider *s, const ff_pose *pose, const double x[3], double slack)
{
    double d[3], y[3];
    const double *z = s->c.size;
    ff_vec3_sub(d, x, pose->p);
    ff_mat3_tmulv(y, pose->R, d);
    switch (s->c.type) {
    case FF_COLLIDER_SPHERE:
        return ff_vec3_norm(y) <= z[0] + slack;
    case FF_COLLIDER_CAPSULE:
        y[2] -= fmax(-z[1], fmin(z[1], y[2]));
        return ff_vec3_norm(y) <= z[0] + slack;
    case FF_COLLIDER_BOX:
        return fabs(y[0]) <= z[0] + slack && fabs(y[1]) <= z[1] + slack && fabs(y[2]) <= z[2] + slack;
    case FF_COLLIDER_CYLINDER:
        return sqrt(y[0] * y[0] + y[1] * y[1]) <= z[0] + slack && fabs(y[2]) <= z[1] + slack;
    case FF_COLLIDER_ELLIPSOID: {
        double f = 0.0;
        for (int k = 0; k < 3; k++) f += y[k] * y[k] / (z[k] * z[k]);
        return sqrt(f) <= 1.0 + slack / fmin(z[0], fmin(z[1], z[2]));
    }
    default: { // no direction separates the point from the cloud
        ff_random r = ff_random_make(7, 7);
        random_collider point = {.c = {.type = FF_COLLIDER_SPHERE}};
        ff_pose at = *pose;
        ff_vec3_copy(at.p, x);
        return sampled_distance(s, pose, &point, &at, 200, 300, &r) <= slack;
    }
    }
}

/// The frame of the world.
static const ff_pose HOME __attribute__((unused)) = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static inline ff_pose at(double x, double y, double z)
{
    ff_pose pose = HOME;
    ff_vec3_set(pose.p, x, y, z);
    return pose;
}

static inline ff_pose turned(ff_pose pose, double ax, double ay, double az, double angle)
{
    double axis[3] = {ax, ay, az}, q[4];
    ff_vec3_normalise(axis);
    ff_quat_from_axis_angle(q, axis, angle);
    ff_quat_to_mat3(pose.R, q);
    return pose;
}

#endif
