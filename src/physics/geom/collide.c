// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact points of a pair of placed colliders: a table by the two types gives the function for the pair. The pairs
// that most steps of robots need, feet on the ground and balls with each other, have functions of their own; the others
// use convex cores (collide_private.h).
#include "facets.h"

typedef int contact_method(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                           double margin, ff_collide_point *points, int capacity);

static void shift(ff_collide_point *points, int count, const double origin[3])
{
    for (int i = 0; i < count; i++) ff_vec3_add(points[i].point, points[i].point, origin);
}

// Exchanges the roles of the two shapes.
static void flip_points(ff_collide_point *points, int count)
{
    for (int i = 0; i < count; i++) {
        ff_vec3_scale(points[i].normal, points[i].normal, -1.0);
        points[i].id = points[i].id << 32 | points[i].id >> 32;
    }
}

// ------------------------------------------------------------------------------------------ half-space

// A ball of radius r at x, relative to a point of the plane.
static inline int plane_ball(const double n[3], const double origin[3], const double x[3], double r, double margin,
                             uint32_t code, ff_collide_point *out)
{
    double height = ff_vec3_dot(n, x) - r;
    if (!(height < margin)) return 0;
    for (int k = 0; k < 3; k++) {
        out->point[k] = origin[k] + x[k] - (r + 0.5 * height) * n[k];
        out->normal[k] = n[k];
    }
    out->depth = -height;
    out->id = ff_contact_id(0, FF_FEATURE_CORNER | code);
    return 1;
}

static int plane_sphere(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                        double margin, ff_collide_point *points, int capacity)
{
    (void)c1;
    double n[3] = {pose1->R[2], pose1->R[5], pose1->R[8]}, x[3];
    if (capacity < 1) return 0;
    ff_vec3_sub(x, pose2->p, pose1->p);
    return plane_ball(n, pose1->p, x, c2->size[0], margin, 0, points);
}

static int plane_capsule(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                         double margin, ff_collide_point *points, int capacity)
{
    (void)c1;
    double n[3] = {pose1->R[2], pose1->R[5], pose1->R[8]}, x[3], h = c2->size[1];
    double half[3] = {h * pose2->R[2], h * pose2->R[5], h * pose2->R[8]};
    ff_collide_point both[2];
    ff_vec3_sub(x, pose2->p, pose1->p);
    ff_vec3_sub(x, x, half);
    int count = plane_ball(n, pose1->p, x, c2->size[0], margin, 0, both);
    ff_vec3_axpy(x, 2.0, half);
    count += plane_ball(n, pose1->p, x, c2->size[0], margin, 1, both + count);
    count = ff_patch_reduce(both, count, capacity);
    for (int i = 0; i < count; i++) points[i] = both[i];
    return count;
}

static int plane_points(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                        double margin, ff_collide_point *points, int capacity)
{
    (void)c1;
    double n[3] = {pose1->R[2], pose1->R[5], pose1->R[8]}, d[3];
    int count = 0;
    ff_vec3_sub(d, pose2->p, pose1->p);
    for (int i = 0; i < c2->npoint; i++) {
        double x[3];
        ff_collide_point p;
        ff_mat3_mulv(x, pose2->R, c2->points + 3 * (size_t)i);
        ff_vec3_add(x, x, d);
        if (plane_ball(n, pose1->p, x, c2->size[0], margin, (uint32_t)i, &p))
            count = ff_patch_push(points, count, capacity, &p);
    }
    return count;
}

static int plane_solid(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                       double margin, ff_collide_point *points, int capacity)
{
    (void)c1;
    static const double ZERO[3] = {0.0, 0.0, 0.0};
    double n[3] = {pose1->R[2], pose1->R[5], pose1->R[8]};
    ff_solid s;
    ff_solid_make(c2, pose2, pose1->p, &s);
    int count = ff_patch_plane(n, ZERO, &s, margin, points, capacity);
    shift(points, count, pose1->p);
    return count;
}

// Up to eight corners: each appears and vanishes at depth zero, so that the force has no jumps.
static int plane_box(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                     double margin, ff_collide_point *points, int capacity)
{
    (void)c1;
    double n[3] = {pose1->R[2], pose1->R[5], pose1->R[8]}, d[3], local[3], reach[3];
    ff_collide_point all[8];
    int count = 0;
    ff_vec3_sub(d, pose2->p, pose1->p);
    ff_mat3_tmulv(local, pose2->R, n);
    for (int k = 0; k < 3; k++) reach[k] = c2->size[k] * local[k];
    double middle = ff_vec3_dot(n, d);
    if (!(middle - fabs(reach[0]) - fabs(reach[1]) - fabs(reach[2]) < margin)) return 0;
    for (uint32_t i = 0; i < 8; i++) {
        double sign[3] = {i & 1 ? -1.0 : 1.0, i & 2 ? -1.0 : 1.0, i & 4 ? -1.0 : 1.0}, x[3];
        double height = middle + sign[0] * reach[0] + sign[1] * reach[1] + sign[2] * reach[2];
        if (!(height < margin)) continue;
        for (int k = 0; k < 3; k++) local[k] = sign[k] * c2->size[k];
        ff_mat3_mulv(x, pose2->R, local);
        for (int k = 0; k < 3; k++) {
            all[count].point[k] = pose2->p[k] + x[k] - 0.5 * height * n[k];
            all[count].normal[k] = n[k];
        }
        all[count].depth = -height;
        all[count++].id = ff_contact_id(0, FF_FEATURE_CORNER | i);
    }
    count = ff_patch_reduce(all, count, capacity);
    for (int i = 0; i < count; i++) points[i] = all[i];
    return count;
}

// The corners of the triangles that stand out, against the half-space.
static int plane_surface(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                         double margin, ff_collide_point *points, int capacity)
{
    (void)c1;
    double up[3] = {pose1->R[2], pose1->R[5], pose1->R[8]}, n[3], d[3], origin[3];
    ff_mat3_tmulv(n, pose2->R, up);
    ff_vec3_sub(d, pose1->p, pose2->p);
    ff_mat3_tmulv(origin, pose2->R, d);
    int count = ff_surface_on_plane(c2->surface, n, origin, margin, points, capacity);
    ff_facets_place(points, count, pose2);
    for (int i = 0; i < count; i++) ff_vec3_copy(points[i].normal, up);
    return count;
}

// ------------------------------------------------------------------------------------------ solids

static int sphere_sphere(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                         double margin, ff_collide_point *points, int capacity)
{
    double d[3], r1 = c1->size[0], r2 = c2->size[0], reach = r1 + r2 + margin;
    ff_vec3_sub(d, pose2->p, pose1->p);
    double d2 = ff_vec3_dot(d, d);
    if (capacity < 1 || !(d2 < reach * reach)) return 0;
    double distance = sqrt(d2);
    if (distance > 0.0)
        ff_vec3_scale(points->normal, d, 1.0 / distance);
    else
        ff_vec3_set(points->normal, 0.0, 0.0, 1.0);
    points->depth = r1 + r2 - distance;
    points->id = 0;
    for (int k = 0; k < 3; k++) points->point[k] = pose1->p[k] + (r1 - 0.5 * points->depth) * points->normal[k];
    return 1;
}

static int convex_convex(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                         double margin, ff_collide_point *points, int capacity)
{
    ff_solid a, b;
    ff_collide_nearest nearest;
    ff_solid_make(c1, pose1, pose1->p, &a);
    ff_solid_make(c2, pose2, pose1->p, &b);
    // Boxes need no points here: the patch finds them.
    bool boxes = a.kind == SOLID_BOX && b.kind == SOLID_BOX && ff_nearest_boxes(&a, &b, false, &nearest);
    if (!boxes) ff_nearest_cores(&a, &b, &nearest);
    int count = ff_patch(&a, &b, &nearest, margin, points, capacity);
    shift(points, count, pose1->p);
    return count;
}

// ------------------------------------------------------------------------------------------ sets of points

void ff_collide_ball_of(const ff_collider *c, const ff_pose *pose, int i, ff_collider *ball, ff_pose *at)
{
    *ball = (ff_collider){.type = FF_COLLIDER_SPHERE, .size = {c->size[0], 0.0, 0.0}};
    *at = *pose;
    ff_mat3_mulv(at->p, pose->R, c->points + 3 * (size_t)i);
    ff_vec3_add(at->p, at->p, pose->p);
}

// One contact for each ball of set 2, identified by the number of the ball.
static int solid_points(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                        double margin, ff_collide_point *points, int capacity)
{
    int count = 0;
    for (int i = 0; i < c2->npoint; i++) {
        ff_collider ball;
        ff_pose at;
        ff_collide_point p;
        ff_collide_ball_of(c2, pose2, i, &ball, &at);
        if (!convex_convex(c1, pose1, &ball, &at, margin, &p, 1)) continue;
        p.id = ff_contact_id(0, FF_FEATURE_CORNER | (uint32_t)i);
        count = ff_patch_push(points, count, capacity, &p);
    }
    return count;
}

static int points_points(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                         double margin, ff_collide_point *points, int capacity)
{
    int count = 0;
    for (int i = 0; i < c1->npoint; i++) {
        ff_collider ball1, ball2;
        ff_pose at1, at2;
        ff_collide_point p;
        ff_collide_ball_of(c1, pose1, i, &ball1, &at1);
        for (int j = 0; j < c2->npoint; j++) {
            ff_collide_ball_of(c2, pose2, j, &ball2, &at2);
            if (!sphere_sphere(&ball1, &at1, &ball2, &at2, margin, &p, 1)) continue;
            p.id = ff_contact_id(FF_FEATURE_CORNER | (uint32_t)i, FF_FEATURE_CORNER | (uint32_t)j);
            count = ff_patch_push(points, count, capacity, &p);
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------ the table

// Rows: type of shape 1. A pair that is missing here is looked up with the shapes exchanged; without a method in either
// order it has no contact.
static contact_method *const METHODS[FF_COLLIDER_COUNT][FF_COLLIDER_COUNT] = {
    [FF_COLLIDER_SPHERE] = {sphere_sphere, convex_convex, convex_convex, convex_convex, convex_convex, convex_convex,
                            NULL, solid_points},
    [FF_COLLIDER_CAPSULE] = {convex_convex, convex_convex, convex_convex, convex_convex, convex_convex, convex_convex,
                             NULL, solid_points},
    [FF_COLLIDER_BOX] = {convex_convex, convex_convex, convex_convex, convex_convex, convex_convex, convex_convex, NULL,
                         solid_points},
    [FF_COLLIDER_CYLINDER] = {convex_convex, convex_convex, convex_convex, convex_convex, convex_convex, convex_convex,
                              NULL, solid_points},
    [FF_COLLIDER_ELLIPSOID] = {convex_convex, convex_convex, convex_convex, convex_convex, convex_convex, convex_convex,
                               NULL, solid_points},
    [FF_COLLIDER_CONVEX] = {convex_convex, convex_convex, convex_convex, convex_convex, convex_convex, convex_convex,
                            NULL, solid_points},
    [FF_COLLIDER_PLANE] = {plane_sphere, plane_capsule, plane_box, plane_solid, plane_solid, plane_solid, NULL,
                           plane_points, plane_surface},
    [FF_COLLIDER_POINTS] = {[FF_COLLIDER_POINTS] = points_points},
    [FF_COLLIDER_SURFACE] = {ff_facets_contact, ff_facets_contact, ff_facets_contact, ff_facets_contact,
                             ff_facets_contact, ff_facets_contact, NULL, ff_facets_contact},
    [FF_COLLIDER_FIELD] = {ff_facets_contact, ff_facets_contact, ff_facets_contact, ff_facets_contact,
                           ff_facets_contact, ff_facets_contact, NULL, ff_facets_contact},
};

// A number times zero is zero unless it is infinite or NaN. The four sums run side by side; twelve additions in one
// chain would take as long as a contact.
static bool pose_finite(const ff_pose *pose)
{
    const double *R = pose->R, *p = pose->p;
    double a = R[0] * 0.0 + R[1] * 0.0 + R[2] * 0.0, b = R[3] * 0.0 + R[4] * 0.0 + R[5] * 0.0;
    double c = R[6] * 0.0 + R[7] * 0.0 + R[8] * 0.0, d = p[0] * 0.0 + p[1] * 0.0 + p[2] * 0.0;
    return (a + b) + (c + d) == 0.0;
}

static bool is_complete(const ff_collider *c)
{
    switch (c->type) {
    case FF_COLLIDER_CONVEX:
        return c->convex != NULL;
    case FF_COLLIDER_SURFACE:
        return c->surface != NULL;
    case FF_COLLIDER_FIELD:
        return c->field != NULL;
    case FF_COLLIDER_POINTS:
        return c->npoint > 0 && c->points;
    default:
        return true;
    }
}

ff_status ff_collide_check(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2)
{
    if ((unsigned)c1->type >= FF_COLLIDER_COUNT || (unsigned)c2->type >= FF_COLLIDER_COUNT) return FF_BAD_ARGUMENT;
    if (!METHODS[c1->type][c2->type] && !METHODS[c2->type][c1->type]) return FF_BAD_ARGUMENT;
    if (!is_complete(c1) || !is_complete(c2)) return FF_BAD_ARGUMENT;
    if (!pose_finite(pose1) || !pose_finite(pose2)) return FF_DIVERGED;
    return FF_OK;
}

ff_status ff_collide(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                     double margin, ff_collide_point *points, int capacity, int *count)
{
    *count = 0;
    ff_status status = ff_collide_check(c1, pose1, c2, pose2);
    if (status != FF_OK) return status;
    if (!(margin >= 0.0)) return FF_BAD_ARGUMENT;
    contact_method *method = METHODS[c1->type][c2->type];
    if (method) {
        *count = method(c1, pose1, c2, pose2, margin, points, capacity);
    } else {
        *count = METHODS[c2->type][c1->type](c2, pose2, c1, pose1, margin, points, capacity);
        flip_points(points, *count);
    }
    return FF_OK;
}
