// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rays against colliders, in the collider's frame: o + t d, |d| = 1. Spheres, ellipsoids, cylinders and capsules by
// quadratic equations, boxes, planes and convex hulls by clipping t against half-spaces, surfaces and fields by their
// own trees and cells.
#include "facets.h"

typedef struct hit {
    double t;
    double n[3];
} hit;

// Nearest root t in [0, range] of |a + t b|^2 = 1; a inside gives false.
static bool unit_sphere(const double a[3], const double b[3], double range, double *t)
{
    double bb = ff_vec3_dot(b, b), ab = ff_vec3_dot(a, b), x[3];
    if (!(bb > 0.0)) return false;
    // Discriminant from the foot of the centre on the ray: no cancellation for far origins.
    for (int k = 0; k < 3; k++) x[k] = a[k] - ab / bb * b[k];
    double rest = 1.0 - ff_vec3_dot(x, x);
    if (!(rest >= 0.0)) return false;
    *t = -ab / bb - sqrt(rest / bb);
    return *t >= 0.0 && *t <= range;
}

static bool ray_ellipsoid(const double size[3], const double o[3], const double d[3], double range, hit *h)
{
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        if (!(size[k] > 0.0)) return false;
        a[k] = o[k] / size[k];
        b[k] = d[k] / size[k];
    }
    if (!unit_sphere(a, b, range, &h->t)) return false;
    for (int k = 0; k < 3; k++) h->n[k] = (a[k] + h->t * b[k]) / size[k];
    ff_vec3_normalise(h->n);
    return true;
}

static bool ray_ball(const double centre[3], double radius, const double o[3], const double d[3], double range, hit *h)
{
    double from[3], size[3] = {radius, radius, radius};
    ff_vec3_sub(from, o, centre);
    return ray_ellipsoid(size, from, d, range, h);
}

// Mantle of a cylinder of radius r about z, |z| <= half.
static bool ray_mantle(double r, double half, const double o[3], const double d[3], double range, hit *h)
{
    double a[3] = {o[0] / r, o[1] / r, 0.0}, b[3] = {d[0] / r, d[1] / r, 0.0};
    if (!(r > 0.0) || !unit_sphere(a, b, range, &h->t) || fabs(o[2] + h->t * d[2]) > half) return false;
    ff_vec3_set(h->n, a[0] + h->t * b[0], a[1] + h->t * b[1], 0.0);
    return true;
}

static bool ray_cap(double r, double z, const double o[3], const double d[3], double range, hit *h)
{
    double side = z < 0.0 ? -1.0 : 1.0;
    if (!(d[2] * side < 0.0)) return false;
    h->t = (z - o[2]) / d[2];
    double x = o[0] + h->t * d[0], y = o[1] + h->t * d[1];
    ff_vec3_set(h->n, 0.0, 0.0, side);
    return h->t >= 0.0 && h->t <= range && x * x + y * y <= r * r;
}

static void nearer(hit *best, bool found, const hit *h)
{
    if (found && h->t < best->t) *best = *h;
}

static bool ray_round(const ff_collider *c, const double o[3], const double d[3], double range, hit *best)
{
    double r = c->size[0], half = c->size[1], end[3] = {0.0, 0.0, half};
    hit h = {0};
    best->t = INFINITY;
    nearer(best, ray_mantle(r, half, o, d, range, &h), &h);
    for (int k = 0; k < 2; k++, end[2] = -half)
        nearer(best,
               c->type == FF_COLLIDER_CAPSULE ? ray_ball(end, r, o, d, range, &h) : ray_cap(r, end[2], o, d, range, &h),
               &h);
    return !isinf(best->t);
}

// Clips [near, far] by the half-space n.x <= offset; remembers the normal of the last entry.
static bool clip(const double n[3], double offset, const double o[3], const double d[3], double *near, double *far,
                 hit *h)
{
    double height = ff_vec3_dot(n, o) - offset, speed = ff_vec3_dot(n, d);
    if (speed == 0.0) return height <= 0.0;
    double t = -height / speed;
    if (speed > 0.0) {
        *far = ff_min(*far, t);
    } else if (t > *near) {
        *near = t;
        ff_vec3_copy(h->n, n);
    }
    return *near <= *far;
}

static bool ray_box(const double size[3], const double o[3], const double d[3], double range, hit *h)
{
    double near = -1.0, far = range;
    for (int k = 0; k < 6; k++) {
        double n[3] = {0.0, 0.0, 0.0};
        n[k / 2] = k & 1 ? 1.0 : -1.0;
        if (!clip(n, size[k / 2], o, d, &near, &far, h)) return false;
    }
    h->t = near;
    return near >= 0.0;
}

static bool ray_convex(const ff_convex *c, const double o[3], const double d[3], double range, hit *h)
{
    double near = -1.0, far = range;
    if (c->nface == 0) return false;
    for (int f = 0; f < c->nface; f++) {
        const double *n = c->face + 3 * (size_t)f;
        double offset = ff_vec3_dot(n, c->vertex + 3 * (size_t)c->corner[c->corner_at[f]]);
        if (!clip(n, offset, o, d, &near, &far, h)) return false;
    }
    h->t = near;
    return near >= 0.0;
}

static bool ray_plane(const double o[3], const double d[3], double range, hit *h)
{
    static const double UP[3] = {0.0, 0.0, 1.0};
    double near = -1.0, far = range;
    if (!clip(UP, 0.0, o, d, &near, &far, h)) return false;
    h->t = near;
    return near >= 0.0;
}

static bool ray_facets(const ff_collider *c, const double o[3], const double d[3], double range, hit *h, int *part)
{
    const ff_facets *f = c->type == FF_COLLIDER_FIELD ? ff_field_facets(c->field) : ff_surface_facets(c->surface);
    double corner[9];
    h->t = range;
    bool found = c->type == FF_COLLIDER_FIELD ? ff_field_ray(c->field, o, d, &h->t, part)
                                              : ff_surface_ray(c->surface, o, d, &h->t, part);
    return found && f->get(f->self, *part, corner, h->n);
}

static bool ray_points(const ff_collider *c, const double o[3], const double d[3], double range, hit *best, int *part)
{
    hit h;
    best->t = INFINITY;
    for (int i = 0; i < c->npoint; i++)
        if (ray_ball(c->points + 3 * (size_t)i, c->size[0], o, d, range, &h) && h.t < best->t) {
            *best = h;
            *part = i;
        }
    return !isinf(best->t);
}

static bool ray_local(const ff_collider *c, const double o[3], const double d[3], double range, hit *h, int *part)
{
    static const double ZERO[3] = {0.0, 0.0, 0.0};
    switch (c->type) {
    case FF_COLLIDER_SPHERE:
        return ray_ball(ZERO, c->size[0], o, d, range, h);
    case FF_COLLIDER_CAPSULE:
    case FF_COLLIDER_CYLINDER:
        return ray_round(c, o, d, range, h);
    case FF_COLLIDER_BOX:
        return ray_box(c->size, o, d, range, h);
    case FF_COLLIDER_ELLIPSOID:
        return ray_ellipsoid(c->size, o, d, range, h);
    case FF_COLLIDER_CONVEX:
        return c->convex && ray_convex(c->convex, o, d, range, h);
    case FF_COLLIDER_PLANE:
        return ray_plane(o, d, range, h);
    case FF_COLLIDER_POINTS:
        return ray_points(c, o, d, range, h, part);
    case FF_COLLIDER_SURFACE:
        return c->surface && ray_facets(c, o, d, range, h, part);
    case FF_COLLIDER_FIELD:
        return c->field && ray_facets(c, o, d, range, h, part);
    case FF_COLLIDER_COUNT:
        break;
    }
    return false;
}

// Solids only: surfaces and fields are hit from either side.
static bool starts_inside(const ff_collider *c, const ff_pose *pose, const double origin[3])
{
    const ff_collider point = {.type = FF_COLLIDER_SPHERE};
    if (c->type >= FF_COLLIDER_POINTS) return false;
    ff_pose at = *pose;
    ff_collide_nearest near;
    ff_vec3_copy(at.p, origin);
    return ff_collide_distance(c, pose, &point, &at, &near) == FF_OK && near.distance < 0.0;
}

bool ff_collide_ray(const ff_collider *c, const ff_pose *pose, const double origin[3], const double direction[3],
                    double range, ff_ray_hit *out)
{
    double check = 0.0, shifted[3], o[3], d[3];
    for (int k = 0; k < 3; k++) check += (origin[k] + direction[k] + pose->p[k]) * 0.0;
    for (int k = 0; k < 9; k++) check += pose->R[k] * 0.0;
    if (!(check == 0.0) || !(range >= 0.0)) return false;
    hit h = {0};
    out->part = 0;
    ff_vec3_sub(shifted, origin, pose->p);
    ff_mat3_tmulv(o, pose->R, shifted);
    ff_mat3_tmulv(d, pose->R, direction);
    if (starts_inside(c, pose, origin)) {
        out->distance = 0.0;
        ff_vec3_copy(out->point, origin);
        ff_vec3_scale(out->normal, direction, -1.0);
        return true;
    }
    if (!ray_local(c, o, d, range, &h, &out->part)) return false;
    out->distance = h.t;
    ff_vec3_copy(out->point, origin);
    ff_vec3_axpy(out->point, h.t, direction);
    ff_mat3_mulv(out->normal, pose->R, h.n);
    return true;
}
