// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact of a surface or height field with a convex collider or a set of points. The corners of the collider (a ball
// has one, its middle, a capsule two) are probed one by one; a cylinder and an ellipsoid offer to each triangle the
// points they would touch its plane with; then come the edges and corners of the surface that stand out. On a floor of
// triangles all this gives what the half-space gives: the same points, depths and normals, wherever the edges of the
// triangles are.
#include "facets.h"

#define FF_CORE static inline
#include "nearest_core.h"

// Points and small shapes are inside a surface down to this depth [m]; larger ones down to their size.
#define SHELL 0.01

// ------------------------------------------------------------------------------------------ corners

// Places of one smooth piece that are touched by one corner, such as the sides of a gentle valley, are one contact, or
// else its stiffness would double there. Its force must have a potential: the gradient of its depth must be its normal.
// So the valley counts as one with a fillet, of FF_FILLET times the radius of the corner. With u the shortest motion
// that brings a ball of that radius out of all places (nearest_core.h), e_i = depth_i + (FF_FILLET - 1) radius, the
// depth is |u| - (FF_FILLET - 1) radius and the normal lies along u. A place ends where its foot reaches the edge to
// its neighbour; with a fillet of less than twice the radius its share is zero before.
static bool alike(const ff_touched *a, const ff_touched *b)
{
    return a->joins != 0 && a->joins == b->joins && ff_vec3_dot(a->point.normal, b->point.normal) > FF_ALIKE;
}

static ff_collide_point fillet_contact(const ff_touched *list, int count)
{
    double n[FF_TOUCHED_MAX][3], e[FF_TOUCHED_MAX], share[FF_TOUCHED_MAX], u[3], sum = 0.0, at[3] = {0.0, 0.0, 0.0};
    const double round = (FF_FILLET - 1.0) * list[0].radius;
    for (int i = 0; i < count; i++) {
        ff_vec3_copy(n[i], list[i].point.normal);
        e[i] = list[i].point.depth + round;
    }
    ff_collide_point p = list[0].point;
    if (!(e[0] > 0.0)) return p; // a ball smaller than the margin, which is far above
    ff_fillet_search search = {.n = (const double(*)[3])n, .e = e, .count = count, .u = u, .share = share};
    p.depth = ff_fillet_solve(&search) - round;
    ff_vec3_scale(p.normal, u, 1.0 / ff_vec3_norm(u));
    for (int i = 0; i < count; i++) sum += share[i];
    for (int i = 0; i < count; i++) { // mean place on the surface of the corner
        ff_vec3_axpy(at, share[i] / sum, list[i].point.point);
        ff_vec3_axpy(at, -0.5 * share[i] / sum * list[i].point.depth, n[i]);
    }
    for (int k = 0; k < 3; k++) p.point[k] = at[k] + 0.5 * p.depth * p.normal[k];
    return p;
}

// Gathers contacts, deepest first, those that are alike as one.
static void gather_contacts(ff_facet_query *q, ff_touched *list, int count)
{
    while (count > 0) {
        int best = 0, rest = 0, same = 1;
        ff_touched group[FF_TOUCHED_MAX];
        for (int i = 1; i < count; i++)
            if (list[i].point.depth > list[best].point.depth) best = i;
        group[0] = list[best];
        for (int i = 0; i < count; i++) {
            if (i == best) continue;
            if (q->whole && alike(&group[0], &list[i]))
                group[same++] = list[i];
            else
                list[rest++] = list[i];
        }
        const ff_collide_point p = same > 1 ? fillet_contact(group, same) : group[0].point;
        if (p.depth > -q->margin) ff_gather_add(&q->gather, &p);
        count = rest;
    }
}

static void sort_by_feature(ff_minimum *m, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && m[j].feature < m[j - 1].feature; j--) {
            ff_minimum keep = m[j];
            m[j] = m[j - 1];
            m[j - 1] = keep;
        }
}

// @return radius of a ball around x in which no other corner of the same radius touches; 0: not known
static double find_corner_contacts(ff_facet_query *q, const double x[3], double r, uint32_t code)
{
    ff_minimum m[FF_MINIMUM_MAX + 1];
    ff_touched list[FF_MINIMUM_MAX + 1];
    double clear;
    int found = ff_facets_probe(q->facets, x, r, q->margin, q->shell, m, &clear), count = 0;
    sort_by_feature(m, found); // the result must not depend on the order of the search
    for (int i = 0; i < found; i++) {
        ff_touched *t = &list[count];
        ff_collide_point *p = &t->point;
        p->depth = r - m[i].distance;
        ff_vec3_copy(p->normal, m[i].normal);
        for (int k = 0; k < 3; k++) p->point[k] = x[k] - (r - 0.5 * p->depth) * p->normal[k];
        p->id = m[i].gentle ? ff_facets_piece_id(q->facets, m[i].triangle, code)
                            : ff_contact_id(m[i].feature, FF_FEATURE_CORNER | code);
        t->radius = r;
        t->joins = m[i].gentle ? p->id : 0;
        count++;
    }
    gather_contacts(q, list, count);
    return clear;
}

// Balls in front of a surface inside which no corner can touch it, the one used last first. Of the 490 corners of a leg
// next to a base of 5472 triangles some 30 are then evaluated.
#define CLEAR_MAX 16
typedef struct clearing {
    double middle[3], radius;
} clearing;
typedef struct clearings {
    clearing ball[CLEAR_MAX];
    int count;
} clearings;

static void put_first(clearings *all, int i, const clearing *ball)
{
    const clearing first = *ball;
    memmove(all->ball + 1, all->ball, (size_t)i * sizeof *ball);
    all->ball[0] = first;
}

static bool is_clear(clearings *all, const double x[3])
{
    for (int i = 0; i < all->count; i++) {
        double d[3];
        ff_vec3_sub(d, x, all->ball[i].middle);
        if (!(ff_vec3_dot(d, d) < all->ball[i].radius * all->ball[i].radius)) continue;
        put_first(all, i, &all->ball[i]);
        return true;
    }
    return false;
}

static void add_clear(clearings *all, const double x[3], double radius)
{
    if (!(radius > 0.0)) return;
    if (all->count < CLEAR_MAX) all->count++;
    put_first(all, all->count - 1, &(clearing){.middle = {x[0], x[1], x[2]}, .radius = radius});
}

// Planes of the triangles around a solid: a corner in front of all of them need not be probed.
#define PLANES_MAX 64
typedef struct planes {
    const ff_facets *f;
    double n[PLANES_MAX][3], offset[PLANES_MAX];
    int count; // above PLANES_MAX: there are too many planes to test
} planes;

static void add_plane(void *context, int t)
{
    planes *p = context;
    double c[9];
    if (p->count > PLANES_MAX) return;
    if (p->count == PLANES_MAX) {
        p->count++;
        return;
    }
    if (!p->f->get(p->f->self, t, c, p->n[p->count])) return;
    p->offset[p->count] = ff_vec3_dot(c, p->n[p->count]);
    p->count++;
}

static bool in_front(const planes *p, const double x[3], double reach)
{
    if (p->count > PLANES_MAX) return false;
    for (int i = 0; i < p->count; i++)
        if (ff_vec3_dot(p->n[i], x) - p->offset[i] < reach) return false;
    return true;
}

static int corner_count(const ff_solid *s)
{
    switch (s->kind) {
    case SOLID_POINT:
        return 1;
    case SOLID_LINE:
        return 2;
    case SOLID_BOX:
        return 8;
    case SOLID_CONVEX:
        return s->convex->nvertex;
    default:
        return 0;
    }
}

static void corner_at(const ff_solid *s, int i, double out[3])
{
    double local[3] = {0.0, 0.0, 0.0};
    if (s->kind == SOLID_LINE) local[2] = i ? s->size[0] : -s->size[0];
    if (s->kind == SOLID_BOX)
        for (int k = 0; k < 3; k++) local[k] = i >> k & 1 ? -s->size[k] : s->size[k];
    if (s->kind == SOLID_CONVEX) ff_vec3_copy(local, s->convex->vertex + 3 * (size_t)i);
    ff_mat3_mulv(out, s->R, local);
    ff_vec3_add(out, out, s->p);
}

static void find_contacts_of_corners(ff_facet_query *q, const double low[3], const double high[3])
{
    const ff_solid *s = &q->solid;
    planes near;
    clearings clear = {.count = 0};
    bool field = q->facets->above != NULL;
    near.f = q->facets;
    near.count = 0;
    if (!field && s->kind != SOLID_POINT) q->facets->visit(q->facets->self, low, high, add_plane, &near);
    for (int i = 0; i < corner_count(s); i++) {
        double x[3];
        corner_at(s, i, x);
        if (!field && s->kind != SOLID_POINT && in_front(&near, x, s->radius + q->margin)) continue;
        if (!is_clear(&clear, x)) add_clear(&clear, x, find_corner_contacts(q, x, s->radius, (uint32_t)i));
    }
}

// ------------------------------------------------------------------------------------------ round solids

// A point behind the plane of a triangle is inside the surface only if no other triangle is nearer.
static bool is_inside_surface(const ff_facet_query *q, const double x[3], double depth)
{
    const ff_facets *f = q->facets;
    if (f->above) return true;
    ff_minimum m;
    int t = f->nearest(f->self, x, q->shell);
    return t >= 0 && ff_facets_minimum(f, t, x, INFINITY, true, &m) && m.distance <= 0.0 && depth <= -2.0 * m.distance;
}

// Height of the lowest point of a cylinder or ellipsoid over a plane.
static double plane_height(const ff_solid *s, const double n[3], const double origin[3])
{
    double d[3], local[3], reach;
    const double *z = s->size;
    ff_vec3_sub(d, s->p, origin);
    ff_mat3_tmulv(local, s->R, n);
    if (s->kind == SOLID_CYLINDER)
        reach = z[0] * sqrt(local[0] * local[0] + local[1] * local[1]) + z[1] * fabs(local[2]);
    else
        reach = sqrt(z[0] * z[0] * local[0] * local[0] + z[1] * z[1] * local[1] * local[1] +
                     z[2] * z[2] * local[2] * local[2]);
    return ff_vec3_dot(d, n) - reach;
}

// Least radius of an ellipsoid, at the end of its longest axis; of a cylinder, that of its mantle.
static double least_radius(const ff_solid *s)
{
    const double *z = s->size;
    if (s->kind != SOLID_ELLIPSOID) return z[0];
    const double least = ff_min(z[0], ff_min(z[1], z[2])), most = ff_max(z[0], ff_max(z[1], z[2]));
    return most > 0.0 ? least * least / most : 0.0;
}

// Contacts of a round solid with triangle t.
static void touch_round(void *context, int t)
{
    ff_facet_query *q = context;
    const ff_facets *f = q->facets;
    double c[9], n[3];
    ff_collide_point p[FF_COLLIDE_PATCH_MAX];
    if (!f->get(f->self, t, c, n) || plane_height(&q->solid, n, c) > q->margin) return;
    int count = ff_patch_plane(n, c, &q->solid, q->margin, p, FF_COLLIDE_PATCH_MAX);
    for (int i = 0; i < count && q->nround < FF_TOUCHED_MAX; i++) {
        double x[3];
        ff_minimum m;
        for (int k = 0; k < 3; k++) x[k] = p[i].point[k] - 0.5 * p[i].depth * n[k];
        if (p[i].depth > q->shell || !ff_facets_minimum(f, t, x, INFINITY, false, &m)) continue;
        bool face = m.feature < FF_FEATURE_CORNER, valley = !face && m.distance < 0.0;
        if (!face && !valley) continue;
        if (p[i].depth > 0.0 && !is_inside_surface(q, x, p[i].depth)) continue;
        p[i].id = ff_facets_piece_id(f, t, (uint32_t)p[i].id);
        const bool ellipsoid = q->solid.kind == SOLID_ELLIPSOID; // has one contact with all pieces
        q->round[q->nround++] = (ff_touched){.point = p[i], .radius = q->curve, .joins = ellipsoid ? 1 : p[i].id};
    }
}

// A round solid may be so deep in a field that no face near it touches: then the face above its middle counts.
static void touch_from_below(ff_facet_query *q)
{
    const ff_facets *f = q->facets;
    double c[9], n[3];
    ff_collide_point p;
    int t = f->above ? f->above(f->self, q->centre) : -1;
    if (t < 0 || !f->get(f->self, t, c, n) || !ff_patch_plane(n, c, &q->solid, q->margin, &p, 1)) return;
    p.id = ff_facets_piece_id(f, t, (uint32_t)p.id);
    ff_gather_add(&q->gather, &p);
}

// ------------------------------------------------------------------------------------------ pairs

void ff_facets_place(ff_collide_point *points, int count, const ff_pose *pose)
{
    for (int i = 0; i < count; i++) {
        double x[3], n[3];
        ff_mat3_mulv(x, pose->R, points[i].point);
        ff_mat3_mulv(n, pose->R, points[i].normal);
        ff_vec3_add(points[i].point, x, pose->p);
        ff_vec3_copy(points[i].normal, n);
    }
}

static int finish(ff_facet_query *q, const ff_pose *pose, ff_collide_point *points, int capacity)
{
    int count = ff_patch_reduce(q->gather.point, q->gather.count, capacity);
    memcpy(points, q->gather.point, (size_t)count * sizeof *points);
    ff_facets_place(points, count, pose);
    return count;
}

static int points_contact(ff_facet_query *q, const ff_collider *set, const ff_pose *relative, const ff_pose *pose1,
                          ff_collide_point *points, int capacity)
{
    int count = 0;
    q->shell = ff_max(set->size[0], SHELL);
    q->gather.near = 1e-6 * q->shell;
    for (int i = 0; i < set->npoint; i++) {
        double x[3];
        ff_mat3_mulv(x, relative->R, set->points + 3 * (size_t)i);
        ff_vec3_add(x, x, relative->p);
        q->gather.count = 0;
        find_corner_contacts(q, x, set->size[0], (uint32_t)i);
        for (int k = 0; k < q->gather.count; k++) count = ff_patch_push(points, count, capacity, &q->gather.point[k]);
    }
    ff_facets_place(points, count, pose1);
    return count;
}

static int find_contacts(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                         double margin, bool whole, ff_collide_point *points, int capacity)
{
    static const double ZERO[3] = {0.0, 0.0, 0.0};
    bool field = c1->type == FF_COLLIDER_FIELD;
    ff_facet_query q; // not zeroed: it is large
    ff_pose relative;
    double d[3], low[3], high[3], wide_low[3], wide_high[3];
    ff_mat3_tmul(relative.R, pose1->R, pose2->R);
    ff_vec3_sub(d, pose2->p, pose1->p);
    ff_mat3_tmulv(relative.p, pose1->R, d);
    q.facets = field ? ff_field_facets(c1->field) : ff_surface_facets(c1->surface);
    q.margin = margin;
    q.whole = whole;
    q.gather.count = q.ridges.count = q.nround = 0;
    if (c2->type == FF_COLLIDER_POINTS) return points_contact(&q, c2, &relative, pose1, points, capacity);
    ff_solid_make(c2, &relative, ZERO, &q.solid);
    ff_solid_centre(&q.solid, q.centre);
    q.reach = ff_solid_extent(&q.solid);
    q.curve = least_radius(&q.solid);
    q.shell = field ? INFINITY : ff_max(q.reach, SHELL);
    q.gather.near = q.ridges.near = 1e-6 * q.reach;
    ff_collider_bounds(c2, &relative, low, high);
    double wide = ff_max(margin, ff_max(q.reach, SHELL));
    for (int k = 0; k < 3; k++) {
        wide_low[k] = low[k] - wide, wide_high[k] = high[k] + wide;
        low[k] -= margin, high[k] += margin;
    }
    bool round = q.solid.kind == SOLID_CYLINDER || q.solid.kind == SOLID_ELLIPSOID;
    if (round) {
        q.facets->visit(q.facets->self, low, high, touch_round, &q);
        if (q.nround == 0 && !field) q.facets->visit(q.facets->self, wide_low, wide_high, touch_round, &q);
    } else {
        find_contacts_of_corners(&q, wide_low, wide_high);
    }
    if (q.solid.kind != SOLID_POINT) ff_facets_ridges(&q, low, high);
    if (round) gather_contacts(&q, q.round, q.nround);
    ff_facets_merge(&q);
    if (q.solid.kind != SOLID_POINT) ff_facets_last_resort(&q);
    if (round && q.gather.count == 0) touch_from_below(&q);
    return finish(&q, pose1, points, capacity);
}

int ff_facets_contact(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                      double margin, ff_collide_point *points, int capacity)
{
    return find_contacts(c1, pose1, c2, pose2, margin, true, points, capacity);
}

int ff_facets_places(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                     double margin, ff_collide_point *points, int capacity)
{
    return find_contacts(c1, pose1, c2, pose2, margin, false, points, capacity);
}
