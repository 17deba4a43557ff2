// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The exact phase: takes a pair of placed colliders to the method made for it (the table is in docs/collision.md).
#include "facets.h"

// Points and small shapes are inside a surface down to this depth [m]; larger ones down to their size.
#define SHELL 0.01

static const char *const NAMES[FF_COLLIDER_COUNT] = {"sphere", "capsule", "box",    "cylinder", "ellipsoid",
                                                     "convex", "plane",   "points", "surface",  "field"};

const char *ff_collider_name(ff_collider_type type)
{
    return (unsigned)type < FF_COLLIDER_COUNT ? NAMES[type] : "unknown collider";
}

bool ff_collider_from_shape(ff_collider *out, const ff_shape *shape)
{
    static const ff_collider_type TYPES[FF_SHAPE_COUNT] = {[FF_SHAPE_SPHERE] = FF_COLLIDER_SPHERE,
                                                           [FF_SHAPE_CAPSULE] = FF_COLLIDER_CAPSULE,
                                                           [FF_SHAPE_BOX] = FF_COLLIDER_BOX,
                                                           [FF_SHAPE_CYLINDER] = FF_COLLIDER_CYLINDER,
                                                           [FF_SHAPE_ELLIPSOID] = FF_COLLIDER_ELLIPSOID,
                                                           [FF_SHAPE_PLANE] = FF_COLLIDER_PLANE};
    memset(out, 0, sizeof *out);
    if ((unsigned)shape->type >= FF_SHAPE_COUNT || shape->type == FF_SHAPE_MESH) return false;
    out->type = TYPES[shape->type];
    ff_vec3_copy(out->size, shape->size);
    return true;
}

// ------------------------------------------------------------------------------------------ solids

static bool is_convex(const ff_collider *c)
{
    return c->type <= FF_COLLIDER_CONVEX;
}

static void make_solid(const ff_collider *c, const ff_pose *pose, const double origin[3], ff_solid *out)
{
    static const solid_kind KINDS[] = {SOLID_POINT,    SOLID_LINE,      SOLID_BOX,
                                       SOLID_CYLINDER, SOLID_ELLIPSOID, SOLID_CONVEX};
    out->kind = KINDS[c->type];
    out->radius = c->type <= FF_COLLIDER_CAPSULE ? c->size[0] : 0.0;
    out->convex = c->convex;
    ff_vec3_copy(out->size, c->size);
    if (c->type == FF_COLLIDER_CAPSULE) out->size[0] = c->size[1];
    memcpy(out->R, pose->R, sizeof out->R);
    ff_vec3_sub(out->p, pose->p, origin);
}

static void flip(ff_collide_nearest *n)
{
    double keep[3];
    ff_vec3_copy(keep, n->point1);
    ff_vec3_copy(n->point1, n->point2);
    ff_vec3_copy(n->point2, keep);
    ff_vec3_scale(n->normal, n->normal, -1.0);
}

// Nearest points of the cores for a->kind <= b->kind; the closed forms take the rounder one second.
static void nearest_ordered(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out)
{
    bool round = a->kind == SOLID_POINT;
    if (b->kind == SOLID_POINT || b->kind == SOLID_LINE) {
        ff_nearest_lines(a, b, out);
    } else if (b->kind == SOLID_BOX && a->kind == SOLID_BOX) {
        if (!ff_nearest_boxes(a, b, true, out)) ff_nearest_gjk(a, b, out);
    } else if (b->kind == SOLID_BOX || (round && b->kind <= SOLID_ELLIPSOID)) {
        if (!round)
            ff_nearest_box_line(b, a, out);
        else if (b->kind == SOLID_BOX)
            ff_nearest_box_point(b, a, out);
        else if (b->kind == SOLID_CYLINDER)
            ff_nearest_cylinder_point(b, a, out);
        else
            ff_nearest_ellipsoid_point(b, a, out);
        flip(out);
    } else {
        ff_nearest_gjk(a, b, out);
    }
}

static void nearest_cores(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out)
{
    if (a->kind <= b->kind) {
        nearest_ordered(a, b, out);
        return;
    }
    nearest_ordered(b, a, out);
    flip(out);
}

// From the cores to the surfaces, and back to the world's origin.
static void finish(ff_collide_nearest *n, double radius1, double radius2, const double origin[3])
{
    n->distance -= radius1 + radius2;
    for (int k = 0; k < 3; k++) {
        n->point1[k] += radius1 * n->normal[k] + origin[k];
        n->point2[k] += -radius2 * n->normal[k] + origin[k];
    }
}

// ------------------------------------------------------------------------------------------ checks

static bool pose_finite(const ff_pose *pose)
{
    double sum = 0.0;
    for (int i = 0; i < 9; i++) sum += pose->R[i] * 0.0;
    for (int i = 0; i < 3; i++) sum += pose->p[i] * 0.0;
    return sum == 0.0;
}

static bool is_faceted(const ff_collider *c)
{
    return c->type == FF_COLLIDER_SURFACE || c->type == FF_COLLIDER_FIELD;
}

static bool may_touch_facets(const ff_collider *c)
{
    return is_convex(c) || c->type == FF_COLLIDER_POINTS;
}

static bool is_complete(const ff_collider *c)
{
    if (c->type == FF_COLLIDER_CONVEX) return c->convex != NULL;
    if (c->type == FF_COLLIDER_SURFACE) return c->surface != NULL;
    if (c->type == FF_COLLIDER_FIELD) return c->field != NULL;
    return true;
}

static ff_status check(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2)
{
    if ((unsigned)c1->type >= FF_COLLIDER_COUNT || (unsigned)c2->type >= FF_COLLIDER_COUNT) return FF_BAD_ARGUMENT;
    if (!is_convex(c1) && c1->type == c2->type) return FF_BAD_ARGUMENT;
    if ((is_faceted(c1) && !may_touch_facets(c2)) || (is_faceted(c2) && !may_touch_facets(c1))) return FF_BAD_ARGUMENT;
    if (!is_complete(c1) || !is_complete(c2)) return FF_BAD_ARGUMENT;
    if (!pose_finite(pose1) || !pose_finite(pose2)) return FF_DIVERGED;
    return FF_OK;
}

static void spoil(ff_collide_nearest *out)
{
    out->distance = NAN;
    ff_vec3_set(out->normal, NAN, NAN, NAN);
    ff_vec3_set(out->point1, NAN, NAN, NAN);
    ff_vec3_set(out->point2, NAN, NAN, NAN);
}

// ------------------------------------------------------------------------------------------ distance

static void plane_normal(const ff_pose *pose, double n[3])
{
    ff_vec3_set(n, pose->R[2], pose->R[5], pose->R[8]);
}

static void plane_distance(const ff_pose *plane, const ff_collider *c, const ff_pose *pose, ff_collide_nearest *out)
{
    ff_solid s;
    double back[3], d[3];
    int vertex = 0;
    make_solid(c, pose, plane->p, &s);
    plane_normal(plane, out->normal);
    ff_vec3_scale(back, out->normal, -1.0);
    ff_solid_support(&s, back, d, &vertex);
    out->distance = ff_vec3_dot(d, out->normal);
    ff_vec3_copy(out->point2, d);
    ff_vec3_copy(out->point1, d);
    ff_vec3_axpy(out->point1, -out->distance, out->normal);
    finish(out, 0.0, s.radius, plane->p);
}

static void ball_at(const ff_collider *c, const ff_pose *pose, int i, ff_collider *ball, ff_pose *at)
{
    *ball = (ff_collider){.type = FF_COLLIDER_SPHERE, .size = {c->size[0], 0.0, 0.0}};
    *at = *pose;
    ff_mat3_mulv(at->p, pose->R, c->points + 3 * (size_t)i);
    ff_vec3_add(at->p, at->p, pose->p);
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
        ball_at(points, first ? pose1 : pose2, i, &ball, &at);
        ff_status status =
            first ? ff_collide_distance(&ball, &at, c2, pose2, &one) : ff_collide_distance(c1, pose1, &ball, &at, &one);
        if (status != FF_OK) return status;
        if (one.distance < out->distance) *out = one;
    }
    return points->npoint > 0 ? FF_OK : FF_BAD_ARGUMENT;
}

// The deepest or nearest contact point within the size of the convex collider.
static ff_status facet_distance(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2,
                                const ff_pose *pose2, ff_collide_nearest *out)
{
    ff_collide_point points[FF_GATHER_MAX];
    ff_solid s;
    int count, best = 0;
    const ff_collider *convex = is_faceted(c1) ? c2 : c1;
    make_solid(convex, pose1, pose1->p, &s);
    ff_status status =
        ff_collide(c1, pose1, c2, pose2, 2.0 * (ff_solid_extent(&s) + s.radius), points, FF_GATHER_MAX, &count);
    if (status != FF_OK) return status;
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
    ff_status status = check(c1, pose1, c2, pose2);
    spoil(out);
    if (status != FF_OK) return status;
    if (c1->type == FF_COLLIDER_POINTS || c2->type == FF_COLLIDER_POINTS)
        return points_distance(c1, pose1, c2, pose2, out);
    if (is_faceted(c1) || is_faceted(c2)) return facet_distance(c1, pose1, c2, pose2, out);
    if (c1->type == FF_COLLIDER_PLANE) {
        plane_distance(pose1, c2, pose2, out);
    } else if (c2->type == FF_COLLIDER_PLANE) {
        plane_distance(pose2, c1, pose1, out);
        flip(out);
    } else {
        ff_solid a, b;
        make_solid(c1, pose1, pose1->p, &a);
        make_solid(c2, pose2, pose1->p, &b);
        nearest_cores(&a, &b, out);
        finish(out, a.radius, b.radius, pose1->p);
    }
    return FF_OK;
}

ff_status ff_collide_distance_gjk(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2,
                                  const ff_pose *pose2, ff_collide_nearest *out)
{
    ff_status status = check(c1, pose1, c2, pose2);
    spoil(out);
    if (status != FF_OK) return status;
    if (!is_convex(c1) || !is_convex(c2)) return FF_BAD_ARGUMENT;
    ff_solid a, b;
    make_solid(c1, pose1, pose1->p, &a);
    make_solid(c2, pose2, pose1->p, &b);
    ff_nearest_gjk(&a, &b, out);
    finish(out, a.radius, b.radius, pose1->p);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ contact points

static void shift(ff_collide_point *points, int count, const double origin[3])
{
    for (int i = 0; i < count; i++) ff_vec3_add(points[i].point, points[i].point, origin);
}

static void flip_points(ff_collide_point *points, int count)
{
    for (int i = 0; i < count; i++) {
        ff_vec3_scale(points[i].normal, points[i].normal, -1.0);
        points[i].id = points[i].id << 32 | points[i].id >> 32;
    }
}

static int plane_contact(const ff_pose *plane, const ff_collider *c, const ff_pose *pose, double margin,
                         ff_collide_point *points, int capacity)
{
    static const double ZERO[3] = {0.0, 0.0, 0.0};
    ff_solid s;
    double n[3];
    make_solid(c, pose, plane->p, &s);
    plane_normal(plane, n);
    int count = ff_patch_plane(n, ZERO, &s, margin, points, capacity);
    shift(points, count, plane->p);
    return count;
}

static int convex_contact(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                          double margin, ff_collide_point *points, int capacity)
{
    ff_solid a, b;
    ff_collide_nearest nearest;
    make_solid(c1, pose1, pose1->p, &a);
    make_solid(c2, pose2, pose1->p, &b);
    // Boxes take the short way: the patch finds the points again.
    bool boxes = a.kind == SOLID_BOX && b.kind == SOLID_BOX && ff_nearest_boxes(&a, &b, false, &nearest);
    if (!boxes) nearest_cores(&a, &b, &nearest);
    int count = ff_patch(&a, &b, &nearest, margin, points, capacity);
    shift(points, count, pose1->p);
    return count;
}

// Each ball of the set by itself; the number of the ball joins the identity.
static ff_status points_contact(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2,
                                const ff_pose *pose2, double margin, ff_collide_point *points, int capacity, int *count)
{
    bool first = c1->type == FF_COLLIDER_POINTS;
    const ff_collider *set = first ? c1 : c2;
    for (int i = 0; i < set->npoint && *count < capacity; i++) {
        ff_collider ball;
        ff_pose at;
        int found = 0;
        ball_at(set, first ? pose1 : pose2, i, &ball, &at);
        ff_collide_point *out = points + *count;
        ff_status status = first ? ff_collide(&ball, &at, c2, pose2, margin, out, capacity - *count, &found)
                                 : ff_collide(c1, pose1, &ball, &at, margin, out, capacity - *count, &found);
        if (status != FF_OK) return status;
        for (int k = 0; k < found; k++) out[k].id ^= (uint64_t)(unsigned)(i + 1) << (first ? 32 : 0);
        *count += found;
    }
    return FF_OK;
}

// Surface or field `c1` against a convex collider.
static int facet_contact(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                         double margin, ff_collide_point *points, int capacity)
{
    bool field = c1->type == FF_COLLIDER_FIELD;
    ff_solid s;
    ff_gather gather = {.count = 0};
    ff_facet_query q = {.solid = &s, .margin = margin, .out = &gather};
    double low[3], high[3];
    make_solid(c2, pose2, pose2->p, &s);
    q.facets = field ? ff_field_facets(c1->field) : ff_surface_facets(c1->surface);
    q.pose = *pose1;
    ff_vec3_sub(q.pose.p, pose1->p, pose2->p);
    double reach = fmax(ff_solid_extent(&s), SHELL);
    q.shell = field ? INFINITY : reach;
    // The box of the solid in the frame of the triangles.
    ff_pose seen;
    double d[3];
    ff_mat3_tmul(seen.R, pose1->R, pose2->R);
    ff_vec3_sub(d, pose2->p, pose1->p);
    ff_mat3_tmulv(seen.p, pose1->R, d);
    ff_collider_bounds(c2, &seen, low, high);
    double grow = s.kind == SOLID_POINT ? fmax(margin, reach - s.radius) : margin;
    for (int k = 0; k < 3; k++) low[k] -= grow, high[k] += grow;
    if (field)
        ff_field_touch(c1->field, &q, low, high);
    else
        ff_surface_touch(c1->surface, &q, low, high);
    int count = ff_patch_reduce(gather.point, gather.count, capacity);
    memcpy(points, gather.point, (size_t)count * sizeof *points);
    shift(points, count, pose2->p);
    return count;
}

ff_status ff_collide(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                     double margin, ff_collide_point *points, int capacity, int *count)
{
    *count = 0;
    ff_status status = check(c1, pose1, c2, pose2);
    if (status != FF_OK) return status;
    if (!(margin >= 0.0)) return FF_BAD_ARGUMENT;
    if (c1->type == FF_COLLIDER_POINTS || c2->type == FF_COLLIDER_POINTS)
        return points_contact(c1, pose1, c2, pose2, margin, points, capacity, count);
    if (c1->type == FF_COLLIDER_PLANE) {
        *count = plane_contact(pose1, c2, pose2, margin, points, capacity);
    } else if (c2->type == FF_COLLIDER_PLANE) {
        *count = plane_contact(pose2, c1, pose1, margin, points, capacity);
        flip_points(points, *count);
    } else if (is_faceted(c1)) {
        *count = facet_contact(c1, pose1, c2, pose2, margin, points, capacity);
    } else if (is_faceted(c2)) {
        *count = facet_contact(c2, pose2, c1, pose1, margin, points, capacity);
        flip_points(points, *count);
    } else {
        *count = convex_contact(c1, pose1, c2, pose2, margin, points, capacity);
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ bounds

static void plane_bounds(const ff_pose *pose, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        double n = pose->R[3 * k + 2];
        low[k] = n < -(1.0 - 1e-15) ? pose->p[k] : -INFINITY;
        high[k] = n > 1.0 - 1e-15 ? pose->p[k] : INFINITY;
    }
}

static void points_bounds(const ff_collider *c, const ff_pose *pose, double low[3], double high[3])
{
    ff_vec3_set(low, INFINITY, INFINITY, INFINITY);
    ff_vec3_set(high, -INFINITY, -INFINITY, -INFINITY);
    for (int i = 0; i < c->npoint; i++) {
        double x[3];
        ff_mat3_mulv(x, pose->R, c->points + 3 * (size_t)i);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], x[k] + pose->p[k] - c->size[0]);
            high[k] = fmax(high[k], x[k] + pose->p[k] + c->size[0]);
        }
    }
}

// A field is solid without end below: its box is infinite, except where its z is up in the world too.
static void facet_bounds(const ff_collider *c, const ff_pose *pose, double low[3], double high[3])
{
    double l[3], h[3];
    bool field = c->type == FF_COLLIDER_FIELD;
    if (field)
        ff_field_bounds(c->field, l, h);
    else
        ff_surface_bounds(c->surface, l, h);
    for (int i = 0; i < 3; i++) {
        low[i] = high[i] = pose->p[i];
        for (int k = 0; k < 3; k++) {
            double R = pose->R[3 * i + k], a = R != 0.0 ? R * l[k] : 0.0, b = R != 0.0 ? R * h[k] : 0.0;
            low[i] += fmin(a, b);
            high[i] += fmax(a, b);
        }
    }
}

void ff_collider_bounds(const ff_collider *c, const ff_pose *pose, double low[3], double high[3])
{
    static const double ZERO[3] = {0.0, 0.0, 0.0};
    if (c->type == FF_COLLIDER_PLANE) {
        plane_bounds(pose, low, high);
        return;
    }
    if (c->type == FF_COLLIDER_POINTS) {
        points_bounds(c, pose, low, high);
        return;
    }
    if (is_faceted(c)) {
        facet_bounds(c, pose, low, high);
        return;
    }
    ff_solid s;
    int vertex = 0;
    make_solid(c, pose, ZERO, &s);
    for (int k = 0; k < 3; k++) {
        double d[3] = {0.0, 0.0, 0.0}, x[3];
        d[k] = 1.0;
        ff_solid_support(&s, d, x, &vertex);
        high[k] = x[k] + s.radius;
        d[k] = -1.0;
        ff_solid_support(&s, d, x, &vertex);
        low[k] = x[k] - s.radius;
    }
}
