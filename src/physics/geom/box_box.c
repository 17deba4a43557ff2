// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Depth of two boxes by separating axes. The difference of two boxes is a polytope whose faces are perpendicular to one
// of 15 axes: the three face normals of each and the nine products of an edge of one with an edge of the other. So
//     depth = min over the 15 axes n of  sum_i a_i |n.x_i| + sum_j b_j |n.y_j| - |n.t|
// is exact (S. Gottschalk, M. C. Lin, D. Manocha, OBBTree, SIGGRAPH 1996), in a fixed number of operations and with no
// starting value. GJK and EPA give the same number in twice the time (docs/collision.md).
#include "collide_private.h"

typedef struct search {
    const ff_solid *a, *b;
    double t[3]; // centre of b from the centre of a
    double depth;
    double n[3];
    int edge1, edge2; // -1 for a face normal
} search;

static void column(const double R[9], int k, double out[3])
{
    ff_vec3_set(out, R[k], R[3 + k], R[6 + k]);
}

/// Half the width of a box along the unit vector n.
static double reach(const ff_solid *s, const double n[3])
{
    double local[3];
    ff_mat3_tmulv(local, s->R, n);
    return s->size[0] * fabs(local[0]) + s->size[1] * fabs(local[1]) + s->size[2] * fabs(local[2]);
}

// Tries the unit axis n; a new one must be better by `bias`. False when it separates the boxes.
static bool try_axis(search *s, const double n[3], double bias, int edge1, int edge2)
{
    double along = ff_vec3_dot(n, s->t), depth = reach(s->a, n) + reach(s->b, n) - fabs(along);
    if (depth < 0.0) return false;
    if (depth < s->depth * (1.0 - bias)) {
        s->depth = depth;
        ff_vec3_scale(s->n, n, along < 0.0 ? -1.0 : 1.0);
        s->edge1 = edge1;
        s->edge2 = edge2;
    }
    return true;
}

static bool try_all(search *s)
{
    double x[3], y[3], n[3];
    for (int k = 0; k < 3; k++) {
        column(s->a->R, k, x);
        if (!try_axis(s, x, 0.0, -1, -1)) return false;
    }
    // A face of a and an almost parallel one of b are equally deep but for rounding: that of a is taken. So are faces
    // before edges.
    for (int k = 0; k < 3; k++) {
        column(s->b->R, k, y);
        if (!try_axis(s, y, 1e-9, -1, -1)) return false;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            column(s->a->R, i, x);
            column(s->b->R, j, y);
            ff_vec3_cross(n, x, y);
            double length = ff_vec3_norm(n);
            if (length < 1e-7) continue; // parallel edges: a face normal differs by less than 1e-7
            ff_vec3_scale(n, n, 1.0 / length);
            if (!try_axis(s, n, 1e-9, i, j)) return false;
        }
    return true;
}

// The edge along axis k of the box that lies farthest along d.
static ff_solid edge_toward(const ff_solid *box, int k, const double d[3])
{
    ff_solid line = {.kind = SOLID_LINE, .size = {box->size[k], 0.0, 0.0}};
    double local[3], middle[3];
    ff_mat3_tmulv(local, box->R, d);
    for (int i = 0; i < 3; i++) middle[i] = i == k ? 0.0 : local[i] < 0.0 ? -box->size[i] : box->size[i];
    ff_mat3_mulv(line.p, box->R, middle);
    ff_vec3_add(line.p, line.p, box->p);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) line.R[3 * i + j] = box->R[3 * i + (j + k + 1) % 3];
    return line;
}

/// The points of both boxes between which the depth is measured.
static void witness(const search *s, ff_collide_nearest *out)
{
    double opposite[3];
    ff_vec3_scale(opposite, s->n, -1.0);
    if (s->edge1 >= 0) {
        ff_solid e1 = edge_toward(s->a, s->edge1, s->n), e2 = edge_toward(s->b, s->edge2, opposite);
        ff_nearest_lines(&e1, &e2, out);
        return;
    }
    ff_collide_point patch[FF_COLLIDE_PATCH_MAX];
    int count = ff_patch(s->a, s->b, out, INFINITY, patch, FF_COLLIDE_PATCH_MAX), best = 0;
    for (int i = 1; i < count; i++)
        if (patch[i].depth > patch[best].depth) best = i;
    for (int k = 0; k < 3; k++) {
        out->point1[k] = patch[best].point[k] + 0.5 * s->depth * s->n[k];
        out->point2[k] = patch[best].point[k] - 0.5 * s->depth * s->n[k];
    }
}

bool ff_nearest_boxes(const ff_solid *a, const ff_solid *b, bool points, ff_collide_nearest *out)
{
    search s = {.a = a, .b = b, .depth = INFINITY, .edge1 = -1, .edge2 = -1};
    int vertex = 0;
    ff_vec3_sub(s.t, b->p, a->p);
    if (!try_all(&s)) return false;
    ff_vec3_copy(out->normal, s.n);
    out->distance = -s.depth;
    double opposite[3];
    ff_vec3_scale(opposite, s.n, -1.0);
    ff_solid_support(b, opposite, out->point2, &vertex);
    ff_vec3_copy(out->point1, out->point2);
    ff_vec3_axpy(out->point1, s.depth, s.n);
    if (points || s.edge1 >= 0) witness(&s, out);
    ff_vec3_copy(out->normal, s.n);
    out->distance = -s.depth;
    return true;
}
