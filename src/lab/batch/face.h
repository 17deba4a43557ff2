// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The quick answer for a ball on a height field that is bent little: what it touches is a face, an edge or a grid
// point, or two faces of a valley.
//
// Let the middle x of the ball be at the height h over the plane of a triangle, let the foot of x on that plane lie in
// the triangle, and let the normals of all triangles around be within an angle phi of its normal n. A place p of the
// ground is nearer to x than all places around it only where x - p is a normal of the ground there, so within phi of n.
// At the distance r from the foot the ground is at most r tan(phi) off the plane, so that such a p has
//     r <= tan(phi) (|h| + r tan(phi)):   r <= |h| tan(phi) / (1 - tan(phi)^2)
// A foot that is farther than that from all edges is the only contact, in front of the ground and behind it. One that
// is near to a single edge leaves the two triangles there and the edge itself, one near to a grid point the six
// triangles and edges around it.
//
// The code takes (1 + 2 tan(phi)) tan(phi) |h| for that distance (`near`): as phi is below 14 degrees, it leaves room
// for a foot just outside the triangle. Distances from edges are those seen from above, which are no longer than those
// on the ground; triangles steeper than 60 degrees, where they are far shorter, and those near the border are left to
// the search (compile_fields.c).
#ifndef FOOTFALL_BATCH_FACE_H
#define FOOTFALL_BATCH_FACE_H

#include "batch/lanes.h"
#include "batch/model.h"
#include "geom/field_core.h"
#include "geom/fillet.h"
#include "geom/nearest_core.h"

/// What a ball touches.
typedef struct ground {
    double depth;     // zero or below: it touches nothing
    double normal[3]; // world axes
    double shift[3];  // from the middle of the ball to the contact point, world axes
} ground;

/// A height field, and a ball that asks it.
typedef struct asking {
    const ff_batch_field *field;
    ff_grid grid;
    const unsigned char *bends;
    double x[3];  // middle of the ball, in the frame of the field  [m]
    double at[2]; // the same in cells from the first grid point
    double r;     // its radius  [m]
    double reach; // how far from its middle the ground matters  [m]
} asking;

/// A triangle under the ball.
typedef struct face {
    int i, j, half; // of the cell i, j
    double n[3];
    double height;  // of the ball's middle over its plane  [m]
    double foot[2]; // of the middle on its plane, seen from above  [cells]
    double side[3]; // how far the foot is from the edges, seen from above; below zero outside  [m]
    double deepest; // heights below this are beyond what the search looks for  [m]
} face;

/// How far from its middle the ground matters to a ball.
FN double reach_of(double r, double margin)
{
    return r + margin > FF_FILLET * r ? r + margin : FF_FILLET * r;
}

/// A ball touches a place from which its middle is so far, along the normal.
FN void touch_at(double r, double distance, const double *normal, ground *out)
{
    out->depth = r - distance;
    for (int k = 0; k < 3; k++) {
        out->normal[k] = normal[k];
        out->shift[k] = -(r - 0.5 * out->depth) * normal[k];
    }
}

/// The triangle over or under a place; 0 where there is none.
FN int find_triangle(const ff_grid *g, const double *at, face *out)
{
    if (!(at[0] >= 0.0 && at[1] >= 0.0 && at[0] < g->nx - 1 && at[1] < g->ny - 1)) return 0;
    out->i = (int)at[0];
    out->j = (int)at[1];
    out->half = at[1] - out->j > at[0] - out->i;
    return 1;
}

/// Normal of a triangle, and the foot of the ball on its plane. @return height of the ball's middle over it
FN double find_foot(const asking *b, int i, int j, int half, double *n, double *foot)
{
    const ff_grid *g = &b->grid;
    const double *per = b->field->per_step, here = ff_grid_at(g, i, j), last = ff_grid_at(g, i + 1, j + 1);
    const double other = ff_grid_at(g, half ? i : i + 1, half ? j + 1 : j);
    const double rx = half ? last - other : other - here, ry = half ? other - here : last - other; // rise of a cell
    const double sx = rx * per[0], sy = ry * per[1], up = 1.0 / sqrt(1.0 + sx * sx + sy * sy);
    const double height = (b->x[2] - here - ((b->at[0] - i) * rx + (b->at[1] - j) * ry)) * up, away = height * up;
    n[0] = -sx * up, n[1] = -sy * up, n[2] = up;
    foot[0] = b->at[0] + away * sx * per[0];
    foot[1] = b->at[1] + away * sy * per[1];
    return height;
}

/// How far a foot is from the edges of a triangle.
FN void find_sides(const asking *b, const face *t, const double *foot, double *side)
{
    const double *step = b->grid.step, u = foot[0] - t->i, v = foot[1] - t->j, slant = b->field->slant;
    side[0] = t->half ? (v - u) * slant : v * step[1];
    side[1] = t->half ? (1.0 - v) * step[1] : (1.0 - u) * step[0];
    side[2] = t->half ? u * step[0] : (u - v) * slant;
}

/// Distance of the ball from the edge e that begins where its middle is d away, and the normal; zero beyond its ends.
FN double find_edge(const double *d, const double *e, double *n)
{
    const double along = ff_core_dot(d, e), square = ff_core_dot(e, e), part = along / square;
    for (int k = 0; k < 3; k++) n[k] = d[k] - part * e[k];
    const double length = sqrt(ff_core_dot(n, n)), per = 1.0 / length;
    if (!(along > 0.0 && along < square && length > 1e-14)) return 0.0;
    for (int k = 0; k < 3; k++) n[k] *= per;
    return length;
}

/// Corner k of a triangle.
FN void find_corner(const ff_grid *g, const face *t, int k, double *out)
{
    const int x = t->half ? k == 1 : k != 0, y = t->half ? k != 0 : k == 2; // 00, 11, 01 and 00, 10, 11
    ff_grid_point(g, t->i + x, t->j + y, out);
}

/// Edge k stands out, and nothing is nearer.
FN int touch_edge(const asking *b, const face *t, int k, ground *out)
{
    double a[3], e[3], d[3], n[3];
    find_corner(&b->grid, t, k, a);
    find_corner(&b->grid, t, (k + 1) % 3, e);
    for (int i = 0; i < 3; i++) e[i] -= a[i], d[i] = b->x[i] - a[i];
    const double distance = find_edge(d, e, n);
    touch_at(b->r, distance, n, out);
    return distance > 0.0;
}

/// Two places at distances d and e, d the shorter: the shortest way out of both (join_spots). 0: not decided here.
FN int touch_both(const asking *b, const double *n, double d, const double *m, double e, ground *out)
{
    const double round = (FF_FILLET - 1.0) * b->r, deep = b->r - d + round, other = b->r - e + round;
    const double c = ff_core_dot(n, m);
    touch_at(b->r, d, n, out);
    if (!(e < b->reach && deep > 0.0) || c * deep >= other - 1e-12 * deep) return 1;
    const double per = 1.0 / ((1.0 - c) * (1.0 + c)), share = (deep - c * other) * per, rest = (other - c * deep) * per;
    double u[3];
    if (!(share >= 0.0 && rest >= 0.0)) return 0;
    for (int k = 0; k < 3; k++) u[k] = share * n[k] + rest * m[k];
    const double length = sqrt(ff_core_dot(u, u)), unit = 1.0 / length, surface = b->r / (share + rest);
    out->depth = length - round;
    for (int k = 0; k < 3; k++) {
        out->normal[k] = u[k] * unit;
        out->shift[k] = 0.5 * out->depth * out->normal[k] - surface * u[k];
    }
    return 1;
}

/// The foot is near to edge k alone, inside or outside. 0: not decided here.
FN int touch_pair(const asking *b, const face *t, int k, ground *out)
{
    double n[3], foot[2], side[3];
    const int i = t->i + (t->half ? -(k == 2) : k == 1), j = t->j + (t->half ? k == 1 : -(k == 0)); // the cell beyond
    const double height = find_foot(b, i, j, !t->half, n, foot);
    find_sides(b, t, foot, side);
    const int here = (k == 0 ? t->side[0] : k == 1 ? t->side[1] : t->side[2]) >= 0.0;
    const int there = (k == 0 ? side[0] : k == 1 ? side[1] : side[2]) <= 0.0;
    if (here != there) {
        const double distance = here ? t->height : height;
        touch_at(b->r, distance, here ? t->n : n, out);
        return distance >= t->deepest;
    }
    if (!(t->height > 0.0 && height > 0.0)) return 0;
    if (!here) return touch_edge(b, t, k, out);
    if (t->height <= height) return touch_both(b, t->n, t->height, n, height, out);
    return touch_both(b, n, height, t->n, t->height, out);
}

/// The nearest two of some places.
typedef struct places {
    double first, second; // distances  [m]
    double n[3], m[3];
    int count;
} places;

FN void add_place(places *all, double distance, const double *n)
{
    const int nearer = all->count == 0 || distance < all->first;
    for (int k = 0; k < 3; k++) {
        all->m[k] = nearer ? all->n[k] : n[k];
        all->n[k] = nearer ? n[k] : all->n[k];
    }
    all->second = nearer ? all->first : distance;
    all->first = nearer ? distance : all->first;
    all->count++;
}

/// The foot is near to the grid point i, j alone: triangle m is between the edges m and m + 1 around it. 0: not decided
/// here.
FN int touch_around(const asking *b, int i, int j, ground *out)
{
    const ff_grid *g = &b->grid;
    places all;
    double v[3], d[3], beyond = 0.0; // how far the foot on the triangle before is beyond the edge between
    int corner = 1;
    all.count = 0;
    all.first = all.second = 0.0;
    for (int k = 0; k < 3; k++) all.n[k] = all.m[k] = 0.0;
    ff_grid_point(g, i, j, v);
    for (int k = 0; k < 3; k++) d[k] = b->x[k] - v[k];
    LOOP for (int turn = -1; turn < 6; turn++)
    {
        const int m = turn < 0 ? 5 : turn, right = m == 0 || m == 1 || m == 5, up = m < 3; // the cell
        const int ex = m < 2 ? 1 : m == 3 || m == 4 ? -1 : 0, ey = m == 1 || m == 2 ? 1 : m > 3 ? -1 : 0;
        const int nx = m == 0 || m == 5 ? 1 : m == 2 || m == 3 ? -1 : 0, ny = m < 2 ? 1 : m == 3 || m == 4 ? -1 : 0;
        double n[3], foot[2], e[3], edge[3];
        const double height = find_foot(b, right ? i : i - 1, up ? j : j - 1, m & 1, n, foot);
        if (!(height > 0.0)) return 0;
        const double from = ex * (foot[1] - j) - ey * (foot[0] - i), to = nx * (foot[1] - j) - ny * (foot[0] - i);
        if (turn >= 0) {
            ff_grid_point(g, i + ex, j + ey, e);
            for (int k = 0; k < 3; k++) e[k] -= v[k];
            corner &= ff_core_dot(d, e) <= 0.0;
            if (from >= 0.0 && to <= 0.0) add_place(&all, height, n);
            const double distance = beyond > 0.0 && from < 0.0 ? find_edge(d, e, edge) : 0.0;
            if (distance > 0.0) add_place(&all, distance, edge);
        }
        beyond = to;
    }
    if (corner && all.count == 0) {
        const double length = sqrt(ff_core_dot(d, d)), per = 1.0 / length;
        for (int k = 0; k < 3; k++) d[k] *= per;
        add_place(&all, length, d);
    }
    if (all.count == 1) {
        touch_at(b->r, all.first, all.n, out);
        return 1;
    }
    return all.count == 2 && touch_both(b, all.n, all.first, all.m, all.second, out);
}

/// The least height of a middle over a face that the search finds, if it is at `height` over the triangle that it is
/// over or under: behind the ground it looks as far as that triangle's plane is (find_spots).
FN double find_deepest(const asking *b, double height)
{
    const double plane = height * (1.0 + 1e-9);
    return height > 0.0 ? 0.0 : plane < -b->reach ? plane : -b->reach;
}

/// Is all ground out of reach? The triangle has a place straight below the ball, at the distance height / n[2]. From
/// there on the ground may rise over the plane by the bend, so that below the foot it is higher by no more than
/// bend height / n[2]; the rest is for what rises beyond the foot.
FN int is_far_above(const asking *b, const face *t, double bend)
{
    return t->height * (t->n[2] - bend) > b->reach * (1.0 + bend) * t->n[2];
}

/// The contact of a ball. 0: not decided here; `point` is the grid point around which touch_around can, or nothing
/// (-1).
FN int touch_quickly(const asking *b, int *point, ground *out)
{
    const ff_batch_field *f = b->field;
    face t;
    t.foot[0] = b->at[0], t.foot[1] = b->at[1];
    t.deepest = 0.0;
    point[0] = point[1] = -1;
    LOOP for (int pass = 0; pass < 2; pass++) // the foot may be in the triangle beside that below
    {
        if (!find_triangle(&b->grid, t.foot, &t)) return 0;
        const int byte = b->bends[2 * (t.j * (b->grid.nx - 1) + t.i) + t.half];
        if (byte >= FF_BATCH_BENT) return 0;
        const double bend = FF_BATCH_BEND_UNIT * byte;
        t.height = find_foot(b, t.i, t.j, t.half, t.n, t.foot);
        if (pass == 0) t.deepest = find_deepest(b, t.height);
        const double near = (1.0 + 2.0 * bend) * bend * fabs(t.height) + 1e-9 * f->slant;
        find_sides(b, &t, t.foot, t.side);
        int beside = 0, edge = 0, far = 0, corners = 0;
        UNROLL for (int k = 0; k < 3; k++)
        {
            far |= t.side[k] <= -near;
            beside += t.side[k] < near;
            corners += t.side[k] < f->corner * near;
            edge = t.side[k] < near ? k : edge;
        }
        if (t.height <= -f->around || t.height < t.deepest) return 0;
        if (beside == 0 || is_far_above(b, &t, bend)) {
            touch_at(b->r, t.height, t.n, out);
            return 1;
        }
        if (far) continue;
        if (beside == 1 && corners == 1) return touch_pair(b, &t, edge, out);
        const int i = (int)(t.foot[0] + 0.5), j = (int)(t.foot[1] + 0.5);
        const double dx = (t.foot[0] - i) * b->grid.step[0], dy = (t.foot[1] - j) * b->grid.step[1];
        const double room = f->slant - near;
        if (room > 0.0 && dx * dx + dy * dy < room * room) point[0] = i, point[1] = j;
        return 0;
    }
    return 0;
}

#endif
