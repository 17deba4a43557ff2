// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The detector of the servo hexapod's virtual twin (Footfall's contact reference, section 2.2): an object carries
// collision points and collision triangles; its local box is cut into cubic cells, each with the list of triangles that
// cross it, and a foreign point is tested only against the list of its cell. A point p collides with a triangle
// (vertex q, outward unit normal N) when
//     -d_max <= s < 0,   s = (p - q).N,
// and its foot on the plane falls inside the triangle; the depth is -s. There is no distance, no edge contact and no
// shape but points: parts of a surface between the points are not detected.
#include <stdlib.h>

#include "collide_private.h"

enum { LISTED_MOST = 1 << 27 }; // triangles in the lists of all cells: 512 MiB
enum { CELLS_MOST = 512 };      // along the longest side

struct ff_ccube {
    double *triangle; // corners  (9*ntriangle)
    double *normal;   // (3*ntriangle)
    int ntriangle;
    double low[3], cell; // of the grid  [m]
    int n[3];
    int *start; // list of each cell in `item`  (n[0]*n[1]*n[2]+1)
    int *item;
    double depth; // d_max  [m]
};

static bool normal_of(const double *c, double n[3])
{
    double ab[3], ac[3];
    ff_vec3_sub(ab, c + 3, c);
    ff_vec3_sub(ac, c + 6, c);
    ff_vec3_cross(n, ab, ac);
    double length = ff_vec3_norm(n);
    if (!(length > 0.0)) return false;
    ff_vec3_scale(n, n, 1.0 / length);
    return true;
}

// Cells that the box of the slab behind triangle t, d_max thick, overlaps.
static void cell_range(const ff_ccube *c, int t, int low[3], int high[3])
{
    const double *x = c->triangle + 9 * (size_t)t, *n = c->normal + 3 * (size_t)t;
    for (int k = 0; k < 3; k++) {
        double l = ff_min(x[k], ff_min(x[3 + k], x[6 + k])), h = ff_max(x[k], ff_max(x[3 + k], x[6 + k]));
        double back = -c->depth * n[k];
        l += ff_min(back, 0.0);
        h += ff_max(back, 0.0);
        int i = (int)floor((l - c->low[k]) / c->cell), j = (int)floor((h - c->low[k]) / c->cell);
        low[k] = i < 0 ? 0 : i;
        high[k] = j >= c->n[k] ? c->n[k] - 1 : j;
    }
}

static size_t cell_number(const ff_ccube *c, int i, int j, int k)
{
    return ((size_t)k * (size_t)c->n[1] + (size_t)j) * (size_t)c->n[0] + (size_t)i;
}

// Counts (item NULL) or lists the triangles of every cell; `count` of the cell is advanced by each.
static void visit_cells(ff_ccube *c, int *count, int *item)
{
    for (int t = 0; t < c->ntriangle; t++) {
        int low[3], high[3];
        cell_range(c, t, low, high);
        for (int k = low[2]; k <= high[2]; k++)
            for (int j = low[1]; j <= high[1]; j++)
                for (int i = low[0]; i <= high[0]; i++) {
                    int *at = &count[cell_number(c, i, j, k)];
                    if (item) item[*at] = t;
                    (*at)++;
                }
    }
}

static bool fill_cells(ff_ccube *c)
{
    size_t cells = (size_t)c->n[0] * (size_t)c->n[1] * (size_t)c->n[2];
    c->start = calloc(cells + 1, sizeof(int));
    int *at = calloc(cells + 1, sizeof(int));
    bool ok = c->start && at;
    if (ok) {
        visit_cells(c, at, NULL);
        for (size_t i = 0; ok && i < cells; i++) {
            ok = at[i] < LISTED_MOST - c->start[i];
            c->start[i + 1] = c->start[i] + (ok ? at[i] : 0);
            at[i] = c->start[i];
        }
        if (ok) c->item = malloc(((size_t)c->start[cells] + 1) * sizeof(int));
        ok = ok && c->item;
    }
    if (ok) visit_cells(c, at, c->item);
    free(at);
    return ok;
}

static void copy_triangles(ff_ccube *c, const ff_mesh *mesh)
{
    for (int t = 0; t < mesh->ntriangle; t++) {
        double *x = c->triangle + 9 * (size_t)c->ntriangle;
        for (int k = 0; k < 3; k++)
            ff_vec3_copy(x + 3 * k, mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)t + (size_t)k]);
        if (normal_of(x, c->normal + 3 * (size_t)c->ntriangle)) c->ntriangle++; // without area: left out
    }
}

static ff_status check(const ff_mesh *mesh, int cells, double depth, ff_error *err)
{
    if (!mesh || mesh->ntriangle < 1)
        return ff_error_set(err, FF_BAD_ARGUMENT, "cells need a mesh with a triangle at least: there is none");
    if (cells < 1 || cells > CELLS_MOST)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d cells along the longest side: 1 to %d are allowed", cells,
                            CELLS_MOST);
    if (!(depth > 0.0) || !isfinite(depth))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a depth of %g m: it must be positive and finite", depth);
    return FF_OK;
}

/// @return NULL when out of memory, or when the lists of all cells are too long
static ff_ccube *make(const ff_mesh *mesh, int cells, double depth)
{
    ff_ccube *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    double high[3], longest = 0.0;
    c->depth = depth;
    c->triangle = malloc((size_t)mesh->ntriangle * 9 * sizeof(double));
    c->normal = malloc((size_t)mesh->ntriangle * 3 * sizeof(double));
    ff_mesh_bounds(mesh, c->low, high);
    for (int k = 0; k < 3; k++) longest = ff_max(longest, high[k] - c->low[k]);
    c->cell = longest > 0.0 ? longest / cells : 1.0;
    for (int k = 0; k < 3; k++) c->n[k] = 1 + (int)ff_min((high[k] - c->low[k]) / c->cell, cells);
    bool ok = c->triangle && c->normal;
    if (ok) {
        copy_triangles(c, mesh);
        ok = fill_cells(c);
    }
    if (ok) return c;
    ff_ccube_destroy(c);
    return NULL;
}

ff_ccube *ff_ccube_create(const ff_mesh *mesh, int cells, double depth, ff_error *err)
{
    if (check(mesh, cells, depth, err) != FF_OK) return NULL;
    ff_ccube *c = make(mesh, cells, depth);
    if (!c)
        ff_error_set(err, FF_NO_MEMORY,
                     "no memory for %d triangles in cells, %d along the longest side; take fewer cells",
                     mesh->ntriangle, cells);
    return c;
}

void ff_ccube_destroy(ff_ccube *c)
{
    if (!c) return;
    free(c->triangle);
    free(c->normal);
    free(c->start);
    free(c->item);
    free(c);
}

// The nearest triangle in front of the point within d_max; -1 for none.
static int hit_triangle(const ff_ccube *c, const double p[3], double *depth)
{
    int cell[3], best = -1;
    for (int k = 0; k < 3; k++) {
        double at = floor((p[k] - c->low[k]) / c->cell);
        if (!(at >= 0.0 && at < c->n[k])) return -1;
        cell[k] = (int)at;
    }
    size_t number = cell_number(c, cell[0], cell[1], cell[2]);
    *depth = c->depth;
    for (int i = c->start[number]; i < c->start[number + 1]; i++) {
        int t = c->item[i];
        const double *x = c->triangle + 9 * (size_t)t, *n = c->normal + 3 * (size_t)t;
        double d[3];
        ff_vec3_sub(d, p, x);
        double s = ff_vec3_dot(d, n);
        if (!(s < 0.0 && -s <= *depth)) continue;
        bool inside = true;
        for (int k = 0; k < 3 && inside; k++) {
            double e[3], w[3], m[3];
            ff_vec3_sub(e, x + 3 * ((k + 1) % 3), x + 3 * k);
            ff_vec3_sub(w, p, x + 3 * k);
            ff_vec3_cross(m, e, w);
            inside = ff_vec3_dot(m, n) >= 0.0;
        }
        if (!inside) continue;
        *depth = -s;
        best = t;
    }
    return best;
}

int ff_ccube_collide(const ff_ccube *c, const ff_pose *pose, const double *points, int npoint, const ff_pose *at,
                     ff_collide_point *out, int capacity)
{
    int count = 0;
    ff_pose relative;
    double shift[3];
    ff_mat3_tmul(relative.R, pose->R, at->R);
    ff_vec3_sub(shift, at->p, pose->p);
    ff_mat3_tmulv(relative.p, pose->R, shift);
    for (int i = 0; i < npoint && count < capacity; i++) {
        double p[3], depth;
        ff_mat3_mulv(p, relative.R, points + 3 * (size_t)i);
        ff_vec3_add(p, p, relative.p);
        int t = hit_triangle(c, p, &depth);
        if (t < 0) continue;
        ff_collide_point *o = &out[count++];
        ff_mat3_mulv(o->normal, pose->R, c->normal + 3 * (size_t)t);
        ff_mat3_mulv(o->point, pose->R, p);
        ff_vec3_add(o->point, o->point, pose->p);
        ff_vec3_axpy(o->point, 0.5 * depth, o->normal);
        o->depth = depth;
        o->id = (uint64_t)(unsigned)i;
    }
    return count;
}
