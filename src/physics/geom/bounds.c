// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of colliders, the collider of a shape, and the axis-aligned box around a placed collider.
#include "facets.h"

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
            low[k] = ff_min(low[k], x[k] + pose->p[k] - c->size[0]);
            high[k] = ff_max(high[k], x[k] + pose->p[k] + c->size[0]);
        }
    }
}

// A field is solid down to any depth: its box is infinite, except where its z axis is that of the world.
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
            low[i] += ff_min(a, b);
            high[i] += ff_max(a, b);
        }
    }
}

/// Coordinate k of the farthest point of the core along that axis.
static double farthest(const ff_solid *s, int k, double sign)
{
    double d[3] = {0.0, 0.0, 0.0}, x[3];
    int vertex = 0;
    d[k] = sign;
    if (s->kind == SOLID_CONVEX) {
        ff_mat3_tmulv(x, s->R, d);
        vertex = ff_convex_toward(s->convex, x);
    }
    ff_solid_support(s, d, x, &vertex);
    return x[k];
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
    if (c->type == FF_COLLIDER_SURFACE || c->type == FF_COLLIDER_FIELD) {
        facet_bounds(c, pose, low, high);
        return;
    }
    ff_solid s;
    ff_solid_make(c, pose, ZERO, &s);
    for (int k = 0; k < 3; k++) {
        high[k] = farthest(&s, k, 1.0) + s.radius;
        low[k] = farthest(&s, k, -1.0) - s.radius;
    }
}
