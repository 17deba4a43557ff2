// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Prepares a convex hull for collision: its corners with their neighbours, so that the farthest corner along a
// direction is found by climbing instead of testing all; and its flat faces, the coplanar triangles of the hull joined,
// for contact patches.
#include <stdlib.h>

#include "collide_private.h"

// Normals closer than this (about 1e-5 rad) belong to one flat face: far above rounding, far below a visible bend.
#define FLAT_COSINE (1.0 - 1e-10)

typedef struct edge {
    int from, to, triangle;
} edge;

static int compare_edges(const void *left, const void *right)
{
    const edge *a = left, *b = right;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

static const edge *find_edge(const edge *edges, int count, int from, int to)
{
    edge key = {from, to, 0};
    return bsearch(&key, edges, (size_t)count, sizeof *edges, compare_edges);
}

static void triangle_normal(const ff_mesh *hull, int t, double n[3])
{
    const int *v = hull->triangles + 3 * (size_t)t;
    double ab[3], ac[3];
    ff_vec3_sub(ab, hull->vertices + 3 * (size_t)v[1], hull->vertices + 3 * (size_t)v[0]);
    ff_vec3_sub(ac, hull->vertices + 3 * (size_t)v[2], hull->vertices + 3 * (size_t)v[0]);
    ff_vec3_normalise(ab);
    ff_vec3_normalise(ac);
    ff_vec3_cross(n, ab, ac);
    ff_vec3_normalise(n);
}

// Marks with `face` all triangles in the plane of `seed` that are connected with it.
static void flood(const ff_mesh *hull, const edge *edges, int nedge, int seed, int face, int *face_of, int *stack)
{
    double n[3], m[3];
    int top = 0;
    triangle_normal(hull, seed, n);
    face_of[seed] = face;
    stack[top++] = seed;
    while (top > 0) {
        const int *v = hull->triangles + 3 * (size_t)stack[--top];
        for (int k = 0; k < 3; k++) {
            const edge *twin = find_edge(edges, nedge, v[(k + 1) % 3], v[k]);
            if (!twin || face_of[twin->triangle] >= 0) continue;
            triangle_normal(hull, twin->triangle, m);
            if (ff_vec3_dot(n, m) < FLAT_COSINE) continue;
            face_of[twin->triangle] = face;
            stack[top++] = twin->triangle;
        }
    }
}

// Writes the loop around a face that starts with triangle `seed`: along edges whose other side is another face.
static int walk_loop(const ff_mesh *hull, const edge *edges, int nedge, const int *face_of, int seed, int *loop,
                     int most)
{
    int face = face_of[seed], count = 0, from = -1, to = -1;
    for (int t = seed; t < hull->ntriangle && from < 0; t++)
        for (int k = 0; k < 3 && face_of[t] == face && from < 0; k++) {
            const int *v = hull->triangles + 3 * (size_t)t;
            const edge *twin = find_edge(edges, nedge, v[(k + 1) % 3], v[k]);
            if (!twin || face_of[twin->triangle] != face) from = v[k], to = v[(k + 1) % 3];
        }
    int start = from;
    while (from >= 0 && count < most) {
        loop[count++] = from;
        if (to == start) break;
        // Turn about `to`, triangle by triangle inside the face, up to the next border.
        const edge *out = find_edge(edges, nedge, from, to);
        int next = -1;
        for (int guard = 0; out && guard < nedge; guard++) {
            const int *v = hull->triangles + 3 * (size_t)out->triangle;
            int k = v[0] == out->to ? 0 : v[1] == out->to ? 1 : 2;
            next = v[(k + 1) % 3];
            const edge *twin = find_edge(edges, nedge, next, out->to);
            if (!twin || face_of[twin->triangle] != face) break;
            out = twin;
        }
        from = to;
        to = next;
    }
    return count;
}

static void fill_neighbours(ff_convex *c, const edge *edges, int nedge)
{
    for (int i = 0; i < nedge; i++) {
        c->neighbour_at[edges[i].from + 1]++;
        c->neighbour[i] = edges[i].to;
    }
    for (int i = 0; i < c->nvertex; i++) c->neighbour_at[i + 1] += c->neighbour_at[i];
}

static bool fill_faces(ff_convex *c, const ff_mesh *hull, const edge *edges, int nedge)
{
    int nt = hull->ntriangle, used = 0;
    int *face_of = malloc((size_t)nt * 2 * sizeof(int));
    if (!face_of) return false;
    for (int t = 0; t < nt; t++) face_of[t] = -1;
    for (int t = 0; t < nt; t++)
        if (face_of[t] < 0) {
            triangle_normal(hull, t, c->face + 3 * (size_t)c->nface);
            flood(hull, edges, nedge, t, c->nface, face_of, face_of + nt);
            c->corner_at[c->nface++] = t; // the seed, until its loop is known
        }
    for (int f = 0; f < c->nface; f++) {
        int seed = c->corner_at[f];
        c->corner_at[f] = used;
        used += walk_loop(hull, edges, nedge, face_of, seed, c->corner + used, 3 * nt - used);
    }
    c->corner_at[c->nface] = used;
    free(face_of);
    return true;
}

static bool fill_topology(ff_convex *c, const ff_mesh *hull)
{
    int nt = hull->ntriangle, nedge = 3 * nt;
    c->neighbour_at = calloc((size_t)c->nvertex + 1, sizeof(int));
    c->neighbour = malloc((size_t)nedge * sizeof(int));
    c->face = malloc((size_t)nt * 3 * sizeof(double));
    c->corner_at = malloc(((size_t)nt + 1) * sizeof(int));
    c->corner = malloc((size_t)nedge * sizeof(int));
    edge *edges = malloc((size_t)nedge * sizeof(edge));
    bool ok = c->neighbour_at && c->neighbour && c->face && c->corner_at && c->corner && edges;
    if (ok) {
        for (int i = 0; i < nedge; i++) {
            const int *v = hull->triangles + 3 * (size_t)(i / 3);
            edges[i] = (edge){v[i % 3], v[(i + 1) % 3], i / 3};
        }
        qsort(edges, (size_t)nedge, sizeof *edges, compare_edges);
        fill_neighbours(c, edges, nedge);
        ok = fill_faces(c, hull, edges, nedge);
    }
    free(edges);
    return ok;
}

// The farthest vertex along each of the directions of a cube.
static void find_starts(ff_convex *c)
{
    for (int direction = 0; direction < 27; direction++) {
        const double d[3] = {direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
        for (int i = 1; i < c->nvertex; i++) {
            const double *best = c->vertex + 3 * (size_t)c->toward[direction], *x = c->vertex + 3 * (size_t)i;
            if (ff_vec3_dot(x, d) > ff_vec3_dot(best, d)) c->toward[direction] = i;
        }
    }
}

/// @return NULL when out of memory, or stopped by ff_stop
static ff_convex *make(const ff_mesh *mesh)
{
    ff_convex *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    ff_error why = {0};
    ff_mesh *hull = ff_mesh_convex_hull(mesh, &why);
    const ff_mesh *source = hull ? hull : mesh; // points in a plane have no hull: there are no faces, all are corners
    c->nvertex = source->nvertex;
    c->vertex = malloc((size_t)c->nvertex * 3 * sizeof(double));
    bool ok = c->vertex && why.status != FF_NO_MEMORY && why.status != FF_STOPPED;
    if (ok) {
        memcpy(c->vertex, source->vertices, (size_t)c->nvertex * 3 * sizeof(double));
        ff_mesh_bounds(source, c->low, c->high);
        for (int k = 0; k < 3; k++) c->centre[k] = 0.5 * c->low[k] + 0.5 * c->high[k];
        find_starts(c);
        if (hull) ok = fill_topology(c, hull);
    }
    ff_mesh_destroy(hull);
    if (ok) return c;
    ff_convex_destroy(c);
    return NULL;
}

ff_convex *ff_convex_create(const ff_mesh *mesh, ff_error *err)
{
    if (!mesh || mesh->nvertex < 1) {
        ff_error_set(err, FF_BAD_ARGUMENT, "a convex hull needs a mesh with a vertex at least: there is none");
        return NULL;
    }
    ff_convex *c = make(mesh);
    if (!c && ff_stop_asked())
        ff_error_set(err, FF_STOPPED, "%s", ff_status_text(FF_STOPPED));
    else if (!c)
        ff_error_set(err, FF_NO_MEMORY, "no memory for the convex hull of %d vertices", mesh->nvertex);
    return c;
}

void ff_convex_destroy(ff_convex *c)
{
    if (!c) return;
    free(c->vertex);
    free(c->neighbour_at);
    free(c->neighbour);
    free(c->face);
    free(c->corner_at);
    free(c->corner);
    free(c);
}
