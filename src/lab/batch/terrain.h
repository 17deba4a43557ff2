// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A ball on a height field, by the equations of src/physics/geom (facet_point.c, facet_contact.c), which say why they
// are what they are. In front of the surface a ball touches at every place that is nearer than all places around it;
// behind it, at the nearest place. Places on gentle ground are one contact, whose depth and normal are those of the
// shortest way out of all of them. A simulation keeps several contacts of one ball where the ground is bent sharply;
// fields where that can happen are refused (compile_contacts.c).
//
// Robots stand at different cells and need different numbers of triangles, so that each lane is computed by itself.
#ifndef FOOTFALL_BATCH_TERRAIN_H
#define FOOTFALL_BATCH_TERRAIN_H

#include "batch/face.h"
#include "batch/lanes.h"
#include "batch/model.h"
#include "geom/field_core.h"
#include "geom/fillet.h"
#include "geom/nearest_core.h"

/// A place where a ball may touch.
typedef struct spot {
    double distance;     // below zero behind the surface  [m]
    double normal[3];    // the way out
    double face[3];      // normal of the triangle
    int feature, gentle; // 0: on a face; else a number of the edge or grid point; neither is at the border
} spot;

enum { MOST_SPOTS = 16 };
typedef struct spots {
    spot at[MOST_SPOTS];
    int count;
} spots;

// ------------------------------------------------------------------------------------------ places

/// Edge k of the triangle t, which the ball is nearest to.
FN int spot_on_edge(const ff_grid *g, int t, int k, const double *c, const double *n, const double *d, spot *out)
{
    const int other = ff_grid_beside(g, t, k);
    double up[3] = {n[0], n[1], n[2]};
    out->gentle = other >= 0;
    out->feature = 1 + 3 * (other > t ? other : t); // and which edge: the larger triangle has each of them once
    if (other < 0) {
        if (ff_core_dot(d, n) < 0.0) return 0; // beside and below a border there is nothing
        out->feature += k;
    } else {
        double theirs[9], m[3], e[3];
        int edge = k;
        ff_grid_triangle(g, other, theirs, m);
        for (int i = 0; i < 3; i++) e[i] = c[3 * ((k + 1) % 3) + i] - c[3 * k + i];
        if (ff_core_leads_over(theirs, c + 3 * k, e, d)) return 0;
        for (int i = 0; i < 3 && other > t; i++)
            if (ff_grid_beside(g, other, i) == t) edge = i;
        out->feature += edge;
        for (int i = 0; i < 3; i++) up[i] += m[i];
        const double length = sqrt(ff_core_dot(up, up));
        for (int i = 0; i < 3; i++) up[i] *= 1.0 / length;
    }
    out->distance = ff_core_signed_step(d, up, out->normal);
    return 1;
}

/// Grid point `vertex`, which the ball is nearest to: the step must lead away from all six edges that meet there, and
/// the triangle that faces the ball most says which side it is on.
FN int spot_on_corner(const ff_grid *g, int vertex, const double *d, spot *out)
{
    const int way[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
    const int cell[6][3] = {{0, 0, 0}, {0, 0, 1}, {-1, 0, 0}, {-1, -1, 0}, {-1, -1, 1}, {0, -1, 1}}; // and its half
    const int i = vertex % g->nx, j = vertex / g->nx, cells = g->nx - 1;
    const int border = i == 0 || j == 0 || i == g->nx - 1 || j == g->ny - 1;
    const double length = sqrt(ff_core_dot(d, d));
    double up[3] = {0.0, 0.0, 0.0}, most = -1.0, here[3];
    ff_grid_point(g, i, j, here);
    for (int k = 0; k < 6; k++) {
        const int ni = i + way[k][0], nj = j + way[k][1];
        double e[3];
        if (ni < 0 || nj < 0 || ni >= g->nx || nj >= g->ny) continue;
        ff_grid_point(g, ni, nj, e);
        for (int m = 0; m < 3; m++) e[m] -= here[m];
        if (ff_core_dot(d, e) > 1e-12 * length * sqrt(ff_core_dot(e, e))) return 0;
    }
    for (int k = 0; k < 6; k++) {
        const int ci = i + cell[k][0], cj = j + cell[k][1];
        double c[9], n[3];
        if (ci < 0 || cj < 0 || ci >= cells || cj >= g->ny - 1) continue;
        ff_grid_triangle(g, 2 * (cj * cells + ci) + cell[k][2], c, n);
        const double facing = fabs(ff_core_dot(d, n));
        if (facing <= most) continue;
        most = facing;
        for (int m = 0; m < 3; m++) up[m] = n[m];
    }
    if (border && ff_core_dot(d, up) < 0.0) return 0;
    out->distance = ff_core_signed_step(d, up, out->normal);
    out->gentle = !border;
    out->feature = -1 - vertex;
    return 1;
}

/// The place of triangle t nearest to x, where that is nearer than all places around it. 0: it is not, or not within
/// reach.  @param flat  edges that are none, by bits
FN int spot_on_triangle(const ff_grid *g, int t, int flat, const double *x, double reach, spot *out)
{
    double corner[9], c[9], n[3], q[3], d[3];
    int k = 0;
    ff_grid_triangle(g, t, corner, n);
    for (int i = 0; i < 9; i++) c[i] = corner[i] - x[i % 3];
    const double height = -ff_core_dot(c, n);
    if (fabs(height) > reach) return 0;
    int on = ff_core_triangle_nearest(c, n, q, &k);
    const int edges = on == FF_ON_CORNER ? 1 << k | 1 << (k + 2) % 3 : 1 << k; // at the nearest point
    if (on != FF_ON_FACE && flat & edges && ff_core_nearly_over(c, height, n, q)) on = FF_ON_FACE;
    for (int i = 0; i < 3; i++) {
        out->face[i] = out->normal[i] = n[i];
        d[i] = -q[i];
    }
    out->distance = height;
    out->feature = 0;
    out->gentle = 1;
    if (on == FF_ON_FACE) return 1;
    if (on == FF_ON_CORNER) return spot_on_corner(g, ff_grid_vertex(g, t, k), d, out);
    if (flat >> k & 1) return 0; // over the neighbour, which says so
    return spot_on_edge(g, t, k, corner, n, d, out);
}

/// Keeps a place once; where there is no room it replaces the farthest.
FN void keep_spot(spots *all, const spot *s)
{
    int farthest = 0;
    for (int i = 0; i < all->count; i++) {
        if (s->feature != 0 && all->at[i].feature == s->feature) return;
        if (fabs(all->at[i].distance) > fabs(all->at[farthest].distance)) farthest = i;
    }
    if (all->count < MOST_SPOTS)
        all->at[all->count++] = *s;
    else if (fabs(s->distance) < fabs(all->at[farthest].distance))
        all->at[farthest] = *s;
}

FN void look_around(const ff_grid *g, const unsigned char *flat, const double *x, double reach, spots *all)
{
    double low[3], high[3];
    int cells[4];
    for (int k = 0; k < 3; k++) low[k] = x[k] - reach, high[k] = x[k] + reach;
    if (!ff_grid_cells(g, low, high, cells)) return;
    for (int j = cells[2]; j <= cells[3]; j++)
        for (int i = cells[0]; i <= cells[1]; i++) {
            if (ff_grid_top(g, i, j) < low[2]) continue;
            for (int half = 0; half < 2; half++) {
                const int t = 2 * (j * (g->nx - 1) + i) + half;
                spot s;
                if (spot_on_triangle(g, t, flat[t], x, reach, &s) && fabs(s.distance) <= reach) keep_spot(all, &s);
            }
        }
}

/// An edge or grid point in the plane of a face that is touched belongs to the same floor.
FN int in_touched_face(const spots *all, const spot *own)
{
    for (int i = 0; i < all->count && own->feature != 0; i++) {
        const spot *s = &all->at[i];
        if (s->feature != 0 || fabs(s->distance) > fabs(own->distance)) continue;
        const double in_plane = own->distance * ff_core_dot(own->normal, s->normal) - s->distance;
        if (ff_core_dot(own->face, s->normal) > 1.0 - 1e-12 && fabs(in_plane) < 1e-7 * fabs(own->distance)) return 1;
    }
    return 0;
}

/// Places that a ball of radius r at x touches: all in front, and of those behind the nearest.
FN void find_spots(const ff_grid *g, const unsigned char *flat, const double *x, double r, double margin, spots *out)
{
    spots all;
    const double reach = reach_of(r, margin);
    const int t = ff_grid_triangle_at(g, x[0], x[1]);
    const int inside = t >= 0 && x[2] < ff_grid_plane(g, t, x[0], x[1]);
    int nearest = -1;
    all.count = out->count = 0;
    if (!inside) {
        if (r > 0.0) look_around(g, flat, x, reach, &all);
    } else { // the face above says how far to look, a few cells at most; it is the answer where nothing is found
        spot above;
        double c[9];
        int found = 0;
        ff_grid_triangle(g, t, c, above.normal);
        above.distance = 0.0;
        for (int k = 0; k < 3; k++) above.distance += (x[k] - c[k]) * above.normal[k];
        const double cell = g->step[0] > g->step[1] ? g->step[0] : g->step[1], far = -above.distance * (1.0 + 1e-9);
        const double bound = far < 4.0 * cell ? far : 4.0 * cell;
        look_around(g, flat, x, reach > bound ? reach : bound, &all);
        for (int i = 0; i < all.count; i++) found = found || all.at[i].distance < 0.0;
        for (int k = 0; k < 3; k++) above.face[k] = above.normal[k];
        above.feature = 0;
        above.gentle = 1;
        if (!found) keep_spot(&all, &above);
    }
    for (int i = 0; i < all.count && inside; i++)
        if (all.at[i].distance < 0.0 && (nearest < 0 || all.at[i].distance > all.at[nearest].distance)) nearest = i;
    for (int i = 0; i < all.count; i++) {
        const spot *s = &all.at[i];
        if (i == nearest || (s->distance >= 0.0 && s->distance < reach && !in_touched_face(&all, s)))
            out->at[out->count++] = *s;
    }
}

// ------------------------------------------------------------------------------------------ the contact

/// Several gentle places as one contact; n, e and shift of the first are those of the deepest.
FN void join_spots(const double (*n)[3], double *e, int count, double r, ground *out)
{
    double share[MOST_SPOTS], u[3], sum = 0.0, at[3] = {0.0, 0.0, 0.0};
    const double round = (FF_FILLET - 1.0) * r;
    ff_fillet_search search;
    for (int i = 0; i < count; i++) e[i] += round;
    if (!(e[0] > 0.0)) return;
    search.n = n;
    search.e = e;
    search.count = count;
    search.u = u;
    search.share = share;
    out->depth = ff_fillet_solve(&search) - round;
    const double length = sqrt(ff_core_dot(u, u));
    for (int i = 0; i < count; i++) sum += share[i];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) at[k] -= share[i] / sum * r * n[i][k]; // the surface of the ball
    for (int k = 0; k < 3; k++) {
        out->normal[k] = u[k] * (1.0 / length);
        out->shift[k] = at[k] + 0.5 * out->depth * out->normal[k];
    }
}

/// The contact of a ball with a field, both in the frame of the field; depth 0 without one.
FN void any_contact(const ff_grid *g, const unsigned char *flat, const double *x, double r, double margin, ground *out)
{
    spots all;
    double n[MOST_SPOTS][3], e[MOST_SPOTS];
    int deepest = 0, count = 0;
    out->depth = 0.0;
    for (int k = 0; k < 3; k++) out->normal[k] = k == 2 ? 1.0 : 0.0, out->shift[k] = 0.0;
    if (!(x[2] - FF_FILLET * r <= g->high)) return; // far above, or no number
    find_spots(g, flat, x, r, margin, &all);
    if (all.count == 0) return;
    for (int i = 1; i < all.count; i++)
        if (all.at[i].distance < all.at[deepest].distance) deepest = i;
    const spot *first = &all.at[deepest];
    touch_at(r, first->distance, first->normal, out);
    if (!first->gentle) return;
    for (int i = 0; i < all.count; i++) {
        const spot *s = &all.at[i == 0 ? deepest : i == deepest ? 0 : i]; // the deepest comes first
        if (!s->gentle || !(ff_core_dot(s->normal, first->normal) > FF_ALIKE)) continue;
        for (int k = 0; k < 3; k++) n[count][k] = s->normal[k];
        e[count++] = r - s->distance;
    }
    if (count > 1) join_spots((const double(*)[3])n, e, count, r, out);
}

/// A ball of radius r at x in the frame of the field.
FN asking ask_field(const struct ff_batch_model *m, int field, const double *x, double r)
{
    asking b;
    b.field = &m->fields[field];
    b.grid = b.field->grid;
    b.grid.height = m->heights + b.field->first_height;
    b.bends = m->bends + b.field->first_flat;
    for (int k = 0; k < 3; k++) b.x[k] = x[k];
    for (int k = 0; k < 2; k++) b.at[k] = (x[k] - b.grid.origin[k]) * b.field->per_step[k];
    b.r = r;
    b.reach = reach_of(r, b.field->margin);
    return b;
}

/// Where touch_quickly does not decide.
APART void touch_slowly(const struct ff_batch_model *m, int field, const int *point, const double *x, double r,
                        ground *out)
{
    const asking b = ask_field(m, field, x, r);
    if (point[0] >= 0 && touch_around(&b, point[0], point[1], out)) return;
    any_contact(&b.grid, m->flats + b.field->first_flat, x, r, b.field->margin, out);
}

/// What a ball at x in the frame of the field touches; above all ground, as a foot that swings, that is nothing.
FN void field_contact(const struct ff_batch_model *m, int field, const double *x, double r, ground *out)
{
    const double up[3] = {0.0, 0.0, 1.0}, over = x[2] - m->fields[field].top;
    int point[2];
    if (over >= r) {
        touch_at(r, over, up, out);
        return;
    }
    const asking b = ask_field(m, field, x, r);
    if (RARELY(!touch_quickly(&b, point, out))) {
        const double at[3] = {x[0], x[1], x[2]}; // of their own, so that the others stay in registers
        const int around[2] = {point[0], point[1]};
        ground found;
        touch_slowly(m, field, around, at, r, &found);
        *out = found;
    }
}

/// The contact of a ball of each robot with a field. @param x  middle of the ball, world axes
FN void terrain_contact(const struct ff_batch_model *m, int field, const real *x, double r, real *depth, real *normal,
                        real *shift)
{
    const double *R = m->fields[field].R, *p = m->fields[field].p;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        double d[3], own[3];
        ground here;
        for (int k = 0; k < 3; k++) d[k] = LANE(x[k], lane) - p[k];
        for (int k = 0; k < 3; k++) own[k] = R[k] * d[0] + R[3 + k] * d[1] + R[6 + k] * d[2];
        field_contact(m, field, own, r, &here);
        LANE(*depth, lane) = here.depth;
        for (int k = 0; k < 3; k++) {
            LANE(normal[k], lane) = ff_core_dot(R + 3 * k, here.normal);
            LANE(shift[k], lane) = ff_core_dot(R + 3 * k, here.shift);
        }
    }
}

/// Height of the ground below a place of each robot (ff_grid_height_near).
FN real terrain_height(const struct ff_batch_model *m, int field, real x, real y)
{
    const ff_batch_field *f = &m->fields[field];
    ff_grid grid = f->grid;
    real height = each(0.0);
    grid.height = m->heights + f->first_height;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        const double dx = LANE(x, lane) - f->p[0], dy = LANE(y, lane) - f->p[1];
        LANE(height, lane) =
            f->p[2] + ff_grid_height_near(&grid, f->R[0] * dx + f->R[3] * dy, f->R[1] * dx + f->R[4] * dy);
    }
    return height;
}

#endif
