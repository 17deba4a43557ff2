// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Signed distance of a pair of placed colliders (the table of methods is in docs/collision.md).
#include "facets.h"

// Adds the radii to the nearest points of two cores, and the origin that they are relative to.
static void finish(ff_collide_nearest *n, double radius1, double radius2, const double origin[3])
{
    n->distance -= radius1 + radius2;
    for (int k = 0; k < 3; k++) {
        n->point1[k] += radius1 * n->normal[k] + origin[k];
        n->point2[k] += -radius2 * n->normal[k] + origin[k];
    }
}

static void set_undefined(ff_collide_nearest *out)
{
    out->distance = NAN;
    ff_vec3_set(out->normal, NAN, NAN, NAN);
    ff_vec3_set(out->point1, NAN, NAN, NAN);
    ff_vec3_set(out->point2, NAN, NAN, NAN);
}

static void plane_distance(const ff_pose *plane, const ff_collider *c, const ff_pose *pose, ff_collide_nearest *out)
{
    ff_solid s;
    double opposite[3], d[3];
    int vertex = 0;
    ff_solid_make(c, pose, plane->p, &s);
    ff_vec3_set(out->normal, plane->R[2], plane->R[5], plane->R[8]);
    ff_vec3_scale(opposite, out->normal, -1.0);
    ff_solid_support(&s, opposite, d, &vertex);
    out->distance = ff_vec3_dot(d, out->normal);
    ff_vec3_copy(out->point2, d);
    ff_vec3_copy(out->point1, d);
    ff_vec3_axpy(out->point1, -out->distance, out->normal);
    finish(out, 0.0, s.radius, plane->p);
}

static ff_status points_distance(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2,
                                 const ff_pose *pose2, ff_collide_nearest *out)
{
    bool first = c1->type == FF_COLLIDER_POINTS;
    const ff_collider *points = first ? c1 : c2;
    out->distance = INFINITY;
    for (int i = 0; i < points->npoint; i++) {
        ff_collider ball;
        ff_pose at;
        ff_collide_nearest one;
        ff_collide_ball_of(points, first ? pose1 : pose2, i, &ball, &at);
        ff_status status =
            first ? ff_collide_distance(&ball, &at, c2, pose2, &one) : ff_collide_distance(c1, pose1, &ball, &at, &one);
        if (status != FF_OK) return status;
        if (one.distance < out->distance) *out = one;
    }
    return FF_OK;
}

static bool is_faceted(const ff_collider *c)
{
    return c->type == FF_COLLIDER_SURFACE || c->type == FF_COLLIDER_FIELD;
}

// The deepest or nearest place within the size of the convex collider; all of the surface where the other is a plane.
static ff_status facet_distance(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2,
                                const ff_pose *pose2, ff_collide_nearest *out)
{
    ff_collide_point points[FF_GATHER_MAX];
    int count, best = 0;
    const bool first = is_faceted(c1);
    const ff_collider *other = first ? c2 : c1;
    if (other->type == FF_COLLIDER_PLANE) {
        ff_status status = ff_collide(c1, pose1, c2, pose2, INFINITY, points, FF_GATHER_MAX, &count);
        if (status != FF_OK) return status;
    } else {
        ff_solid s;
        ff_solid_make(other, pose1, pose1->p, &s);
        const double margin = 2.0 * (ff_solid_extent(&s) + s.radius);
        count = ff_facets_places(first ? c1 : c2, first ? pose1 : pose2, other, first ? pose2 : pose1, margin, points,
                                 FF_GATHER_MAX);
        for (int i = 0; i < count && !first; i++) ff_vec3_scale(points[i].normal, points[i].normal, -1.0);
    }
    out->distance = INFINITY;
    if (count == 0) return FF_OK;
    for (int i = 1; i < count; i++)
        if (points[i].depth > points[best].depth) best = i;
    out->distance = -points[best].depth;
    ff_vec3_copy(out->normal, points[best].normal);
    for (int k = 0; k < 3; k++) {
        out->point1[k] = points[best].point[k] - 0.5 * out->distance * out->normal[k];
        out->point2[k] = points[best].point[k] + 0.5 * out->distance * out->normal[k];
    }
    return FF_OK;
}

ff_status ff_collide_distance(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                              ff_collide_nearest *out)
{
    ff_status status = ff_collide_check(c1, pose1, c2, pose2);
    set_undefined(out);
    if (status != FF_OK) return status;
    if (c1->type == FF_COLLIDER_POINTS || c2->type == FF_COLLIDER_POINTS)
        return points_distance(c1, pose1, c2, pose2, out);
    if (is_faceted(c1) || is_faceted(c2)) return facet_distance(c1, pose1, c2, pose2, out);
    if (c1->type == FF_COLLIDER_PLANE) {
        plane_distance(pose1, c2, pose2, out);
    } else if (c2->type == FF_COLLIDER_PLANE) {
        plane_distance(pose2, c1, pose1, out);
        ff_nearest_flip(out);
    } else {
        ff_solid a, b;
        ff_solid_make(c1, pose1, pose1->p, &a);
        ff_solid_make(c2, pose2, pose1->p, &b);
        ff_nearest_cores(&a, &b, out);
        finish(out, a.radius, b.radius, pose1->p);
    }
    return FF_OK;
}

ff_status ff_collide_distance_gjk(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2,
                                  const ff_pose *pose2, ff_collide_nearest *out)
{
    ff_status status = ff_collide_check(c1, pose1, c2, pose2);
    set_undefined(out);
    if (status != FF_OK) return status;
    if (c1->type > FF_COLLIDER_CONVEX || c2->type > FF_COLLIDER_CONVEX) return FF_BAD_ARGUMENT;
    ff_solid a, b;
    ff_solid_make(c1, pose1, pose1->p, &a);
    ff_solid_make(c2, pose2, pose1->p, &b);
    ff_nearest_gjk(&a, &b, out);
    finish(out, a.radius, b.radius, pose1->p);
    return FF_OK;
}
