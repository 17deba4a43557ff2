// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A convex solid against single triangles of a surface. Triangles are one-sided: the solid they bound is behind them. An edge between two
// triangles that are flat or form a valley never makes contact by itself; if it did, a ball rolling over a floor of triangles would bump
// at every edge. Flat neighbours form one piece, and the piece, not the triangle, is part of a contact's identity, so that a
// corner sliding over a triangulated floor keeps its friction anchor.
#include <stdlib.h>

#include "facets.h"

// Edges bent by less than this (sine) are flat.
#define FLAT 1e-6

// Unit normal; false for a triangle without area.
static bool normal_of(const double *c, double n[3])
{
    double ab[3], ac[3];
    ff_vec3_sub(ab, c + 3, c);
    ff_vec3_sub(ac, c + 6, c);
    ff_vec3_cross(n, ab, ac);
    double length = ff_vec3_norm(n);
    if (!(length > 1e-12 * (ff_vec3_dot(ab, ab) + ff_vec3_dot(ac, ac)))) return false;
    ff_vec3_scale(n, n, 1.0 / length);
    return true;
}

// How the neighbour across edge k bends: above zero away (convex), below zero towards us (a valley).
static double bend(const ff_facets *f, int t, int k)
{
    double c[9], d[9], n[3], m[3], edge[3], w[3];
    int other = f->beside(f->self, t, k);
    if (other < 0) return 1.0;
    f->corners(f->self, t, c);
    f->corners(f->self, other, d);
    if (!normal_of(c, n) || !normal_of(d, m)) return 1.0;
    ff_vec3_sub(edge, c + 3 * ((k + 1) % 3), c + 3 * k);
    ff_vec3_cross(w, n, m);
    if (ff_vec3_dot(n, m) < -0.999) return 1.0; // folded over
    return ff_vec3_dot(w, edge) / ff_vec3_norm(edge);
}

static void fill_group(ff_facets *f, int seed, int *stack)
{
    int top = 0;
    f->group[seed] = seed;
    stack[top++] = seed;
    while (top > 0) {
        int t = stack[--top];
        for (int k = 0; k < 3; k++) {
            int other = f->beside(f->self, t, k);
            if (other < 0 || f->group[other] >= 0 || fabs(bend(f, t, k)) > FLAT) continue;
            f->group[other] = seed;
            stack[top++] = other;
        }
    }
}

bool ff_facets_prepare(ff_facets *f)
{
    f->active = calloc((size_t)f->count, 1);
    f->group = malloc((size_t)f->count * sizeof(int));
    int *stack = malloc((size_t)f->count * sizeof(int));
    bool ok = f->active && f->group && stack;
    for (int t = 0; ok && t < f->count; t++) {
        f->group[t] = -1;
        for (int k = 0; k < 3; k++)
            if (bend(f, t, k) > FLAT) f->active[t] |= (unsigned char)(1 << k);
    }
    for (int t = 0; ok && t < f->count; t++)
        if (f->group[t] < 0) fill_group(f, t, stack);
    free(stack);
    return ok;
}

void ff_facets_clear(ff_facets *f)
{
    free(f->active);
    free(f->group);
}

// ------------------------------------------------------------------------------------------ gathering

// One point a place: the same features on the same flat piece are the same point, of which the deeper one stays.
static void gather(ff_gather *g, const ff_collide_point *p)
{
    for (int i = 0; i < g->count; i++) {
        double d[3];
        ff_vec3_sub(d, g->point[i].point, p->point);
        bool same = g->point[i].id == p->id ||
                    (ff_vec3_dot(d, d) < 1e-12 && ff_vec3_dot(g->point[i].normal, p->normal) > 0.9999);
        if (!same) continue;
        if (p->depth > g->point[i].depth) g->point[i] = *p;
        return;
    }
    if (g->count == FF_GATHER_MAX) g->count = ff_patch_reduce(g->point, g->count, FF_GATHER_MAX / 2);
    g->point[g->count++] = *p;
}

static uint64_t with_group(uint64_t id, int group)
{
    return id ^ (uint64_t)((uint32_t)(group + 1) * 2654435761u) << 32;
}

// ------------------------------------------------------------------------------------------ balls

// Nearest point of the triangle to the origin, and on what it lies: 0 the face, else bits of the edges that meet there.
static unsigned nearest_on_triangle(const double *c, const double n[3], double q[3])
{
    unsigned outside = 0;
    double best = INFINITY;
    for (int k = 0; k < 3; k++) {
        double e[3], m[3];
        ff_vec3_sub(e, c + 3 * ((k + 1) % 3), c + 3 * k);
        ff_vec3_cross(m, e, n);
        if (-ff_vec3_dot(c + 3 * k, m) > 0.0) outside |= 1u << k;
    }
    if (!outside) {
        ff_vec3_scale(q, n, ff_vec3_dot(c, n));
        return 0;
    }
    unsigned on = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = c + 3 * k;
        double e[3], x[3];
        ff_vec3_sub(e, c + 3 * ((k + 1) % 3), a);
        double t = -ff_vec3_dot(a, e) / ff_vec3_dot(e, e);
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        for (int i = 0; i < 3; i++) x[i] = a[i] + t * e[i];
        double d2 = ff_vec3_dot(x, x);
        if (d2 >= best) continue;
        best = d2;
        ff_vec3_copy(q, x);
        on = 1u << k | (t <= 0.0 ? 1u << (k + 2) % 3 : 0u) | (t >= 1.0 ? 1u << (k + 1) % 3 : 0u);
    }
    return on;
}

static void touch_ball(const ff_facet_query *q, int t, const double *corner, const double n[3])
{
    const ff_solid *s = q->solid;
    double c[9], x[3] = {0.0, 0.0, 0.0}, r = s->radius;
    for (int k = 0; k < 3; k++) ff_vec3_sub(c + 3 * k, corner + 3 * k, s->p);
    double height = -ff_vec3_dot(c, n);
    unsigned on = nearest_on_triangle(c, n, x);
    ff_collide_point p;
    if (on == 0) {
        if (-height > q->shell) return;
        ff_vec3_copy(p.normal, n);
        p.depth = r - height;
    } else {
        double length = ff_vec3_norm(x);
        if (height < 0.0 || !(on & q->facets->active[t]) || !(length > 1e-14)) return;
        ff_vec3_scale(p.normal, x, -1.0 / length);
        p.depth = r - length;
    }
    if (!(p.depth > -q->margin)) return;
    for (int k = 0; k < 3; k++) p.point[k] = s->p[k] - (r - 0.5 * p.depth) * p.normal[k];
    p.id = with_group(ff_contact_id(on, 0), q->facets->group[t]);
    gather(q->out, &p);
}

// ------------------------------------------------------------------------------------------ other solids

static bool over_triangle(const double *c, const double n[3], const double x[3], double slack)
{
    for (int k = 0; k < 3; k++) {
        double e[3], m[3], d[3];
        ff_vec3_sub(e, c + 3 * ((k + 1) % 3), c + 3 * k);
        ff_vec3_cross(m, e, n);
        ff_vec3_sub(d, x, c + 3 * k);
        if (ff_vec3_dot(d, m) > slack * ff_vec3_norm(e)) return false;
    }
    return true;
}

// Contact along the face normal: the solid's deepest point below the plane.
static void along_normal(const ff_solid *tri, const ff_solid *s, const double n[3], ff_collide_nearest *near)
{
    double back[3], d[3];
    int vertex = 0;
    ff_vec3_scale(back, n, -1.0);
    ff_solid_support(s, back, near->point2, &vertex);
    ff_vec3_sub(d, near->point2, tri->triangle);
    near->distance = ff_vec3_dot(d, n);
    ff_vec3_copy(near->normal, n);
    ff_vec3_copy(near->point1, near->point2);
    ff_vec3_axpy(near->point1, -near->distance, n);
}

// Does the corner or edge of the triangle that takes part in a contact stand out? The numbers are those ff_patch gives: bit 30 and
// a corner, or bit 31 and two corners.
static bool stands_out(unsigned active, uint32_t feature)
{
    if (feature >> 31) {
        uint32_t pair = feature & 0x3fffffffu;
        unsigned edge = pair % 32771u == 1 ? 0 : pair / 32771u == 1 ? 1 : 2;
        return active >> edge & 1u;
    }
    unsigned k = feature & 3u;
    return (active >> k & 1u) || (active >> (k + 2) % 3 & 1u);
}

static void touch_solid(const ff_facet_query *q, int t, const double *corner, const double n[3])
{
    const ff_solid *s = q->solid;
    ff_solid tri = {.kind = SOLID_TRIANGLE, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    ff_collide_nearest near;
    ff_collide_point p[FF_COLLIDE_PATCH_MAX];
    memcpy(tri.triangle, corner, sizeof tri.triangle);
    ff_nearest_gjk(&tri, s, &near);
    if (near.distance - s->radius > q->margin && q->shell < 1e9) return;
    double along = ff_vec3_dot(near.normal, n);
    bool by_face = along < 0.0 || (along < 0.999 && !q->facets->active[t]) || near.distance <= 0.0;
    if (by_face) along_normal(&tri, s, n, &near);
    if (s->radius - near.distance > q->shell + s->radius) return;
    int count = ff_patch(&tri, s, &near, q->margin, p, FF_COLLIDE_PATCH_MAX);
    for (int i = 0; i < count; i++) {
        if (by_face && p[i].id == 0 && !over_triangle(corner, n, p[i].point, 1e-9)) continue;
        uint32_t feature = (uint32_t)(p[i].id >> 32);
        if (feature && !stands_out(q->facets->active[t], feature)) continue;
        p[i].id = with_group(p[i].id, q->facets->group[t]);
        gather(q->out, &p[i]);
    }
}

void ff_facets_touch(const ff_facet_query *q, int t)
{
    double local[9], corner[9], n[3];
    q->facets->corners(q->facets->self, t, local);
    for (int k = 0; k < 3; k++) {
        ff_mat3_mulv(corner + 3 * k, q->pose.R, local + 3 * k);
        ff_vec3_add(corner + 3 * k, corner + 3 * k, q->pose.p);
    }
    if (!normal_of(corner, n)) return; // no area, no contact
    if (q->solid->kind == SOLID_POINT)
        touch_ball(q, t, corner, n);
    else
        touch_solid(q, t, corner, n);
}

// T. Moeller, B. Trumbore, Fast, minimum storage ray/triangle intersection, J. Graphics Tools 2(1), 1997.
bool ff_ray_triangle(const double *c, const double o[3], const double d[3], double *t)
{
    double e1[3], e2[3], p[3], q[3], s[3];
    ff_vec3_sub(e1, c + 3, c);
    ff_vec3_sub(e2, c + 6, c);
    ff_vec3_cross(p, d, e2);
    double det = ff_vec3_dot(e1, p);
    if (fabs(det) <= 1e-14 * ff_vec3_norm(e1) * ff_vec3_norm(e2) || det == 0.0) return false;
    ff_vec3_sub(s, o, c);
    double u = ff_vec3_dot(s, p) / det;
    if (!(u >= 0.0 && u <= 1.0)) return false;
    ff_vec3_cross(q, s, e1);
    double v = ff_vec3_dot(d, q) / det;
    if (!(v >= 0.0 && u + v <= 1.0)) return false;
    *t = ff_vec3_dot(e2, q) / det;
    return *t >= 0.0;
}
