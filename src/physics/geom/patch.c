// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact patches: several points where two flat features meet. Along the contact normal n both features are seen as
// polygons in a plane; the corners of their intersection are the contact points, each with the depth between the two
// faces at that place:
//     depth(x, y) = z1(x, y) - z2(x, y),     z measured along n.
// The rule is the same for both shapes: swapping them gives the same points. A corner of one polygon inside the other
// is known by the number of that corner, a crossing of two edges by both edges: these identities stay while the same
// features meet.
#include "collide_private.h"

// A face whose normal is within 1e-3 rad of n takes part in a face contact.
#define ALIGNED (1.0 - 5e-7)
// A line within 0.1 rad of a face takes part in a face contact: both places where it leaves the face are contacts.
#define LINE_ALIGNED (1.0 - 5e-3)
// Lines cross visibly beyond this sine of their angle: then they meet in one point.
#define PARALLEL 0.01
// Corners count as inside when they are outside by less than this share of the size: boxes of equal size on top of each
// other keep their corners (and friction its anchors) although rounding shifts them.
#define SLACK 1e-4
// Ends belong to an edge in spite of rounding, so that a crossing at the joint of two edges is not lost between them.
#define CLOSED     1e-9
#define POINTS_MAX FF_REDUCE_MAX
// Two edges whose common normal leans more than this (cosine) against the contact normal do not push across both.
#define SLANT 0.9

#define CORNER FF_FEATURE_CORNER
#define EDGE   FF_FEATURE_EDGE

typedef struct flat {
    double x[FF_FEATURE_MAX][3]; // corners: two coordinates across n, one along it
    const uint32_t *code;        //
    int count;                   //
    double slope[2];             // dz/dx, dz/dy of a face
    double turn;                 // +1 counter-clockwise, -1 clockwise
} flat;

typedef struct patch {
    flat f[2];
    double u[3], v[3], n[3], origin[3];
    double slack;
    double radius[2];
    double margin;
    bool crossed; // crossings push across both edges
    ff_collide_point point[POINTS_MAX];
    int count;
} patch;

static bool project(patch *p, int which, const ff_feature *feature)
{
    flat *f = &p->f[which];
    f->count = feature->count;
    f->code = feature->code;
    for (int i = 0; i < f->count; i++) {
        double d[3];
        ff_vec3_sub(d, feature->corner[i], p->origin);
        ff_vec3_set(f->x[i], ff_vec3_dot(d, p->u), ff_vec3_dot(d, p->v), ff_vec3_dot(d, p->n));
    }
    if (f->count < 3) return true;
    double up = ff_vec3_dot(feature->normal, p->n);
    if (fabs(up) < 0.1) return false; // seen from its edge
    f->slope[0] = -ff_vec3_dot(feature->normal, p->u) / up;
    f->slope[1] = -ff_vec3_dot(feature->normal, p->v) / up;
    f->turn = up < 0.0 ? -1.0 : 1.0;
    return true;
}

static double face_height(const flat *f, const double x[2])
{
    return f->x[0][2] + f->slope[0] * (x[0] - f->x[0][0]) + f->slope[1] * (x[1] - f->x[0][1]);
}

static void add(patch *p, const double x[2], double z1, double z2, uint32_t feature1, uint32_t feature2)
{
    double top = z1 + p->radius[0], bottom = z2 - p->radius[1], middle = 0.5 * (top + bottom);
    if (!(top - bottom > -p->margin) || p->count == POINTS_MAX) return;
    ff_collide_point *c = &p->point[p->count];
    for (int k = 0; k < 3; k++) c->point[k] = p->origin[k] + x[0] * p->u[k] + x[1] * p->v[k] + middle * p->n[k];
    for (int i = 0; i < p->count; i++) { // of features that coincide the first is the contact
        double d[3];
        ff_vec3_sub(d, c->point, p->point[i].point);
        if (ff_vec3_norm(d) < 3.0 * p->slack) return;
    }
    ff_vec3_copy(c->normal, p->n);
    c->depth = top - bottom;
    c->id = ff_contact_id(feature1, feature2);
    p->count++;
}

// Is x inside a polygon, or outside by less than the slack?
static bool inside(const flat *f, const double x[2], double slack)
{
    for (int i = 0; i < f->count; i++) {
        const double *a = f->x[i], *b = f->x[i + 1 < f->count ? i + 1 : 0];
        double ex = b[0] - a[0], ey = b[1] - a[1], in = f->turn * (ex * (x[1] - a[1]) - ey * (x[0] - a[0]));
        if (in < 0.0 && in * in > slack * slack * (ex * ex + ey * ey)) return false;
    }
    return true;
}

static uint32_t edge_code(const flat *f, int i)
{
    uint32_t a = f->code[i], b = f->code[(i + 1) % f->count];
    return EDGE | (((a < b ? a : b) * 32771u + (a < b ? b : a)) & 0x3fffffffu);
}

static double line_height(const flat *f, int i, double t)
{
    return f->x[i][2] + t * (f->x[(i + 1) % f->count][2] - f->x[i][2]);
}

// Two edges that cross slide along each other: their distance is measured, and pushes, across both. Where they are
// nearly parallel the common normal stays.
static void across_both(patch *p, const double *b, const double *a, const double *d, const double *c)
{
    double u[3], v[3], m[3];
    ff_collide_point *last = &p->point[p->count - 1];
    ff_vec3_sub(u, b, a);
    ff_vec3_sub(v, d, c);
    ff_vec3_cross(m, u, v);
    const double length = ff_vec3_norm(m), cosine = fabs(m[2]) / length;
    if (!(cosine > SLANT && last->depth > 0.0))
        return; // for shapes that do not overlap the nearest points give the distance
    ff_vec3_scale(m, m, (m[2] < 0.0 ? -1.0 : 1.0) / length);
    for (int k = 0; k < 3; k++) last->normal[k] = m[0] * p->u[k] + m[1] * p->v[k] + m[2] * p->n[k];
    last->depth *= cosine;
}

static void cross_edges(patch *p, int i, int j)
{
    const flat *f = &p->f[0], *g = &p->f[1];
    const double *a = f->x[i], *b = f->x[(i + 1) % f->count], *c = g->x[j], *d = g->x[(j + 1) % g->count];
    double ux = b[0] - a[0], uy = b[1] - a[1], vx = d[0] - c[0], vy = d[1] - c[1], wx = c[0] - a[0], wy = c[1] - a[1];
    double det = ux * vy - uy * vx, longer = sqrt(ff_max(ux * ux + uy * uy, vx * vx + vy * vy));
    if (fabs(det) <= 2.0 * p->slack * longer) return; // side by side within the slack: their ends count
    double s = (wx * vy - wy * vx) / det, t = (wx * uy - wy * ux) / det;
    if (s < -CLOSED || s > 1.0 + CLOSED || t < -CLOSED || t > 1.0 + CLOSED) return;
    double x[2] = {a[0] + s * ux, a[1] + s * uy};
    const int before = p->count;
    add(p, x, line_height(f, i, s), line_height(g, j, t), edge_code(f, i), edge_code(g, j));
    if (p->crossed && p->count > before) across_both(p, b, a, d, c);
}

// Corners of feature `which` over the face of the other.
static void corners_inside(patch *p, int which)
{
    const flat *f = &p->f[which], *g = &p->f[1 - which];
    if (g->count < 3) return;
    for (int i = 0; i < f->count; i++) {
        if (!inside(g, f->x[i], p->slack)) continue;
        double z = face_height(g, f->x[i]);
        if (which == 0)
            add(p, f->x[i], f->x[i][2], z, CORNER | f->code[i], 0);
        else
            add(p, f->x[i], z, f->x[i][2], 0, CORNER | f->code[i]);
    }
}

static void intersect(patch *p)
{
    corners_inside(p, 0);
    corners_inside(p, 1);
    int edges1 = p->f[0].count > 2 ? p->f[0].count : 1, edges2 = p->f[1].count > 2 ? p->f[1].count : 1;
    for (int i = 0; i < edges1; i++)
        for (int j = 0; j < edges2; j++) cross_edges(p, i, j);
}

// Two lines side by side: the ends of each that lie beside the other.
static void add_line_ends(patch *p)
{
    for (int which = 0; which < 2; which++) {
        const flat *f = &p->f[which], *g = &p->f[1 - which];
        double dx = g->x[1][0] - g->x[0][0], dy = g->x[1][1] - g->x[0][1], length2 = dx * dx + dy * dy;
        for (int i = 0; i < 2 && length2 > 0.0; i++) {
            double t = ((f->x[i][0] - g->x[0][0]) * dx + (f->x[i][1] - g->x[0][1]) * dy) / length2;
            if (t < -SLACK || t > 1.0 + SLACK) continue;
            double x[2] = {0.5 * (f->x[i][0] + g->x[0][0] + t * dx), 0.5 * (f->x[i][1] + g->x[0][1] + t * dy)};
            if (which == 0)
                add(p, x, f->x[i][2], line_height(g, 0, t), CORNER | f->code[i], 0);
            else
                add(p, x, line_height(g, 0, t), f->x[i][2], 0, CORNER | f->code[i]);
        }
    }
}

static bool parallel(const ff_feature *a, const ff_feature *b)
{
    double u[3], v[3], w[3];
    ff_vec3_sub(u, a->corner[1], a->corner[0]);
    ff_vec3_sub(v, b->corner[1], b->corner[0]);
    ff_vec3_cross(w, u, v);
    return ff_vec3_norm(w) <= PARALLEL * ff_vec3_norm(u) * ff_vec3_norm(v);
}

// The edge of a face that lies highest along n, where it lies across n; false where a corner stands out.
static bool highest_edge(const ff_feature *f, const double n[3], ff_feature *edge)
{
    int top = 0, other = 1;
    if (f->count > 2) {
        for (int i = 1; i < f->count; i++)
            if (ff_vec3_dot(f->corner[i], n) > ff_vec3_dot(f->corner[top], n)) top = i;
        int before = (top + f->count - 1) % f->count, after = (top + 1) % f->count;
        other = ff_vec3_dot(f->corner[before], n) > ff_vec3_dot(f->corner[after], n) ? before : after;
        double d[3];
        ff_vec3_sub(d, f->corner[top], f->corner[other]);
        if (ff_vec3_dot(d, n) > PARALLEL * ff_vec3_norm(d)) return false;
    }
    int ends[2] = {top < other ? top : other, top < other ? other : top};
    edge->count = 2;
    for (int k = 0; k < 2; k++) {
        ff_vec3_copy(edge->corner[k], f->corner[ends[k]]);
        edge->code[k] = f->code[ends[k]];
    }
    return true;
}

static int single_contact(const ff_solid *a, const ff_solid *b, const ff_collide_nearest *nearest, double margin,
                          ff_collide_point *out)
{
    double depth = a->radius + b->radius - nearest->distance;
    if (!(depth > -margin)) return 0;
    for (int k = 0; k < 3; k++)
        out->point[k] = 0.5 * (nearest->point1[k] + nearest->point2[k] + (a->radius - b->radius) * nearest->normal[k]);
    ff_vec3_copy(out->normal, nearest->normal);
    out->depth = depth;
    out->id = 0;
    return 1;
}

static bool flat_contact(patch *p, const ff_feature *f1, const ff_feature *f2)
{
    if (f1->count < 2 || f2->count < 2) return false;
    if (f1->count == 2 && f2->count == 2) return parallel(f1, f2) && project(p, 0, f1) && project(p, 1, f2);
    bool faces = (f1->count > 2 && ff_vec3_dot(f1->normal, p->n) > ALIGNED) ||
                 (f2->count > 2 && ff_vec3_dot(f2->normal, p->n) < -ALIGNED);
    return faces && project(p, 0, f1) && project(p, 1, f2);
}

static void overlap_edges(patch *p, const ff_feature *f1, const ff_feature *f2)
{
    ff_feature e1, e2;
    double opposite[3];
    ff_vec3_scale(opposite, p->n, -1.0);
    if (f1->count < 2 || f2->count < 2) return;
    if (!highest_edge(f1, p->n, &e1) || !highest_edge(f2, opposite, &e2)) return;
    if (parallel(&e1, &e2) && project(p, 0, &e1) && project(p, 1, &e2)) add_line_ends(p);
}

static void begin_patch(patch *p, const ff_solid *a, const ff_solid *b, const ff_collide_nearest *nearest,
                        double margin, ff_feature *f1, ff_feature *f2)
{
    double opposite[3];
    p->margin = margin;
    p->crossed = false;
    p->radius[0] = a->radius;
    p->radius[1] = b->radius;
    p->count = 0;
    ff_vec3_copy(p->n, nearest->normal);
    ff_vec3_scale(opposite, p->n, -1.0);
    ff_solid_feature(a, p->n, f1);
    ff_solid_feature(b, opposite, f2);
    ff_perpendicular(p->u, p->n);
    ff_vec3_cross(p->v, p->n, p->u);
    ff_vec3_copy(p->origin, nearest->point1);
    p->slack = SLACK * ff_min(ff_solid_extent(a), ff_solid_extent(b));
}

int ff_patch(const ff_solid *a, const ff_solid *b, const ff_collide_nearest *nearest, double margin,
             ff_collide_point *points, int capacity)
{
    if (capacity < 1 || !(a->radius + b->radius - nearest->distance > -margin)) return 0;
    if (a->kind == SOLID_POINT || b->kind == SOLID_POINT) return single_contact(a, b, nearest, margin, points);
    ff_feature f1, f2;
    patch p; // not zeroed: it is large, and `count` says what is valid
    begin_patch(&p, a, b, nearest, margin, &f1, &f2);
    bool lines = f1.count == 2 && f2.count == 2;
    if (flat_contact(&p, &f1, &f2)) {
        if (lines)
            add_line_ends(&p);
        else
            intersect(&p);
    }
    if (p.count == 0 && !lines) overlap_edges(&p, &f1, &f2);
    if (p.count == 0) return single_contact(a, b, nearest, margin, points);
    return ff_patch_copy(p.point, p.count, points, capacity);
}

int ff_patch_line(const ff_solid *line, const ff_solid *b, const ff_collide_nearest *nearest, double margin,
                  ff_collide_point *points, int capacity)
{
    ff_feature f1, f2;
    patch p;
    if (capacity < 1 || !(b->radius - nearest->distance > -margin)) return 0;
    begin_patch(&p, line, b, nearest, margin, &f1, &f2);
    if (f1.count == 2 && f2.count > 2 && ff_vec3_dot(f2.normal, p.n) < -LINE_ALIGNED) {
        if (!project(&p, 0, &f1) || !project(&p, 1, &f2)) return 0;
        p.crossed = b->kind != SOLID_CYLINDER; // whose edges stand for its rim
        for (int j = 0; j < f2.count; j++) cross_edges(&p, 0, j);
        return ff_patch_copy(p.point, p.count, points, capacity);
    }
    if (f1.count == 2) overlap_edges(&p, &f1, &f2);
    if (p.count == 0) return single_contact(line, b, nearest, margin, points);
    return ff_patch_copy(p.point, p.count, points, capacity);
}

// ------------------------------------------------------------------------------------------ half-space

int ff_patch_plane_point(const double n[3], const double origin[3], const double x[3], double radius, double margin,
                         uint32_t code, ff_collide_point *out)
{
    double d[3];
    ff_vec3_sub(d, x, origin);
    double height = ff_vec3_dot(d, n) - radius;
    if (!(height < margin)) return 0;
    for (int k = 0; k < 3; k++) out->point[k] = x[k] - (radius + 0.5 * height) * n[k];
    ff_vec3_copy(out->normal, n);
    out->depth = -height;
    out->id = ff_contact_id(0, CORNER | code);
    return 1;
}

static int plane_corners(const double n[3], const double origin[3], const ff_solid *b, double margin,
                         ff_collide_point *points, int capacity)
{
    ff_collide_point buffer[4 * FF_COLLIDE_PATCH_MAX];
    int count = 0;
    double local[3], d[3], most = 0.0;
    ff_mat3_tmulv(local, b->R, n);
    ff_vec3_sub(d, b->p, origin);
    for (int k = 0; k < 3; k++)
        most = ff_max(most, ff_max(fabs(b->convex->low[k]), fabs(b->convex->high[k])) + fabs(d[k]));
    const double far = margin + b->radius + 1e-9 * most - ff_vec3_dot(d, n); // beyond rounding
    for (int i = 0; i < b->convex->nvertex; i++) {
        double x[3];
        if (ff_vec3_dot(b->convex->vertex + 3 * (size_t)i, local) > far) continue;
        ff_mat3_mulv(x, b->R, b->convex->vertex + 3 * (size_t)i);
        ff_vec3_add(x, x, b->p);
        count += ff_patch_plane_point(n, origin, x, b->radius, margin, (uint32_t)i, &buffer[count]);
        if (count == 4 * FF_COLLIDE_PATCH_MAX) count = ff_patch_reduce(buffer, count, 2 * FF_COLLIDE_PATCH_MAX);
    }
    return ff_patch_copy(buffer, count, points, capacity);
}

int ff_patch_plane(const double n[3], const double origin[3], const ff_solid *b, double margin,
                   ff_collide_point *points, int capacity)
{
    if (capacity < 1) return 0;
    if (b->kind == SOLID_CONVEX) return plane_corners(n, origin, b, margin, points, capacity);
    ff_feature feature;
    ff_collide_point buffer[FF_FEATURE_MAX];
    double opposite[3];
    ff_vec3_scale(opposite, n, -1.0);
    ff_solid_feature(b, opposite, &feature);
    int count = 0, step = feature.count == 8 ? 2 : 1; // four of a cylinder's eight
    for (int i = 0; i < feature.count; i += step)
        count += ff_patch_plane_point(n, origin, feature.corner[i], b->radius, margin, feature.code[i], &buffer[count]);
    return ff_patch_copy(buffer, count, points, capacity);
}

// ------------------------------------------------------------------------------------------ fewer points

static void swap(ff_collide_point *points, int i, int j)
{
    ff_collide_point keep = points[i];
    points[i] = points[j];
    points[j] = keep;
}

int ff_patch_push(ff_collide_point *points, int count, int capacity, const ff_collide_point *p)
{
    if (count < capacity) {
        points[count] = *p;
        return count + 1;
    }
    int least = 0;
    for (int i = 1; i < count; i++)
        if (points[i].depth < points[least].depth) least = i;
    if (count > 0 && p->depth > points[least].depth) points[least] = *p;
    return count;
}

int ff_patch_reduce(ff_collide_point *points, int count, int capacity)
{
    if (count <= capacity) return count;
    if (capacity < 1) return 0;
    FF_ASSERT(count <= FF_REDUCE_MAX);
    double least[FF_REDUCE_MAX]; // squared distance of each to the nearest one kept  [m^2]
    int best = 0;
    for (int i = 1; i < count; i++)
        if (points[i].depth > points[best].depth) best = i;
    swap(points, 0, best);
    for (int i = 1; i < count; i++) least[i] = INFINITY;
    for (int kept = 1; kept < capacity; kept++) {
        double most = -1.0;
        best = kept;
        for (int i = kept; i < count; i++) {
            double d[3];
            ff_vec3_sub(d, points[i].point, points[kept - 1].point);
            least[i] = ff_min(least[i], ff_vec3_dot(d, d));
            if (least[i] > most) most = least[i], best = i;
        }
        swap(points, kept, best);
        least[best] = least[kept];
    }
    return capacity;
}

int ff_patch_copy(ff_collide_point *from, int count, ff_collide_point *points, int capacity)
{
    count = ff_patch_reduce(from, count, capacity < FF_COLLIDE_PATCH_MAX ? capacity : FF_COLLIDE_PATCH_MAX);
    memcpy(points, from, (size_t)count * sizeof *points);
    return count;
}
