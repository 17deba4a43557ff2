// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a surface from a mesh: corners at the same place become one, triangles without area and those that are
// repeated are left out, neighbours are found, the tree is built. Files such as STL repeat every corner in every
// triangle; without joining them each triangle would be an island with borders all around.
#include <stdlib.h>

#include "surface.h"

bool ff_surface_get(const void *self, int t, double corner[9], double normal[3])
{
    const ff_surface *s = self;
    const int *v = s->triangle + 3 * (size_t)t;
    const double *n = s->normal + 3 * (size_t)t;
    for (int k = 0; k < 3; k++) ff_vec3_copy(corner + 3 * k, s->vertex + 3 * (size_t)v[k]);
    ff_vec3_copy(normal, n);
    return n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0;
}

static int beside(const void *self, int t, int k)
{
    return ((const ff_surface *)self)->beside[3 * (size_t)t + (size_t)k];
}

static int vertex(const void *self, int t, int k)
{
    return ((const ff_surface *)self)->triangle[3 * (size_t)t + (size_t)k];
}

static bool is_live(const ff_surface *s, int t)
{
    const double *n = s->normal + 3 * (size_t)t;
    return n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0;
}

// ------------------------------------------------------------------------------------------ equal corners

typedef struct place {
    double x[3];
    int vertex;
} place;

static int compare_places(const void *left, const void *right)
{
    const place *a = left, *b = right;
    for (int k = 0; k < 3; k++)
        if (a->x[k] != b->x[k]) return a->x[k] < b->x[k] ? -1 : 1;
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

// Of vertices at the same place all triangles get the first.
static bool join_corners(ff_surface *s, const ff_mesh *mesh)
{
    size_t n = (size_t)mesh->nvertex;
    place *places = malloc(n * sizeof *places);
    int *first = malloc(n * sizeof(int));
    bool ok = places && first;
    for (size_t i = 0; ok && i < n; i++) {
        places[i].vertex = (int)i;
        for (size_t k = 0; k < 3; k++) places[i].x[k] = mesh->vertices[3 * i + k] + 0.0; // no minus zero
    }
    if (ok) {
        qsort(places, n, sizeof *places, compare_places);
        for (size_t i = 0; i < n; i++) {
            bool same = i > 0 && memcmp(places[i].x, places[i - 1].x, sizeof places[i].x) == 0;
            first[places[i].vertex] = same ? first[places[i - 1].vertex] : places[i].vertex;
        }
        for (size_t e = 0; e < 3 * (size_t)mesh->ntriangle; e++) s->triangle[e] = first[mesh->triangles[e]];
    }
    free(places);
    free(first);
    return ok;
}

// ------------------------------------------------------------------------------------------ neighbours

typedef struct side {
    int low, high; // vertices
    int edge;      // 3 triangle + k
} side;

static int compare_sides(const void *left, const void *right)
{
    const side *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->edge < b->edge ? -1 : a->edge > b->edge;
}

// The same three vertices in the same order, wherever they start.
static bool same_triangle(const int *a, const int *b)
{
    for (int k = 0; k < 3; k++)
        if (a[0] == b[k] && a[1] == b[(k + 1) % 3] && a[2] == b[(k + 2) % 3]) return true;
    return false;
}

// Of equal triangles, which share all their sides, the first stays.
static void drop_doubled(ff_surface *s, const side *sides, int from, int to)
{
    for (int i = from; i < to; i++)
        for (int j = from; j < i; j++) {
            int t = sides[i].edge / 3, u = sides[j].edge / 3;
            if (t == u || !is_live(s, t) || !is_live(s, u)) continue;
            if (same_triangle(s->triangle + 3 * (size_t)t, s->triangle + 3 * (size_t)u))
                ff_vec3_set(s->normal + 3 * (size_t)t, 0.0, 0.0, 0.0);
        }
}

// End of the sides that join the same two vertices as side `from`.
static int run_end(const side *sides, int n, int from)
{
    int end = from + 1;
    while (end < n && sides[end].low == sides[from].low && sides[end].high == sides[from].high) end++;
    return end;
}

// Edges with exactly two triangles join them; others are borders.
static void join_sides(ff_surface *s, const side *sides, int from, int to)
{
    int pair[2], count = 0;
    for (int i = from; i < to; i++) {
        if (!is_live(s, sides[i].edge / 3)) continue;
        if (count < 2) pair[count] = sides[i].edge;
        count++;
    }
    if (count != 2 || pair[0] / 3 == pair[1] / 3) return;
    s->beside[pair[0]] = pair[1] / 3;
    s->beside[pair[1]] = pair[0] / 3;
}

static bool find_neighbours(ff_surface *s)
{
    int n = 3 * s->facets.count;
    side *sides = malloc((size_t)n * sizeof *sides);
    if (!sides) return false;
    for (int e = 0; e < n; e++) {
        int a = s->triangle[e], b = s->triangle[e - e % 3 + (e + 1) % 3];
        sides[e] = (side){a < b ? a : b, a < b ? b : a, e};
        s->beside[e] = -1;
    }
    qsort(sides, (size_t)n, sizeof *sides, compare_sides);
    for (int i = 0, end; i < n; i = end) {
        end = run_end(sides, n, i);
        if (end - i < 1000) drop_doubled(s, sides, i, end); // more are a fan around one edge
    }
    for (int i = 0, end; i < n; i = end) {
        end = run_end(sides, n, i);
        join_sides(s, sides, i, end);
    }
    free(sides);
    return true;
}

// ------------------------------------------------------------------------------------------ creation

static void find_normals(ff_surface *s)
{
    for (int t = 0; t < s->facets.count; t++) {
        double c[9], n[3];
        const int *v = s->triangle + 3 * (size_t)t;
        for (int k = 0; k < 3; k++) ff_vec3_copy(c + 3 * k, s->vertex + 3 * (size_t)v[k]);
        if (!ff_triangle_normal(c, n)) ff_vec3_set(n, 0.0, 0.0, 0.0);
        ff_vec3_copy(s->normal + 3 * (size_t)t, n);
    }
}

static bool fill(ff_surface *s, const ff_mesh *mesh)
{
    memcpy(s->vertex, mesh->vertices, (size_t)mesh->nvertex * 3 * sizeof(double));
    if (!join_corners(s, mesh)) return false;
    find_normals(s);
    if (!find_neighbours(s)) return false;
    for (int t = 0; t < mesh->ntriangle; t++)
        if (is_live(s, t)) s->order[s->nlive++] = t;
    if (s->nlive > 0) ff_surface_build(s, 0, s->nlive);
#ifdef FF_WITH_EMBREE
    s->rays = ff_embree_create(s);
#endif
    return ff_facets_prepare(&s->facets);
}

/// @return NULL when out of memory
static ff_surface *make(const ff_mesh *mesh)
{
    ff_surface *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    size_t nt = (size_t)mesh->ntriangle, nv = (size_t)mesh->nvertex;
    s->facets = (ff_facets){.count = mesh->ntriangle,
                            .nvertex = mesh->nvertex,
                            .self = s,
                            .get = ff_surface_get,
                            .beside = beside,
                            .vertex = vertex,
                            .visit = ff_surface_visit,
                            .nearest = ff_surface_nearest};
    s->vertex = malloc(nv * 3 * sizeof(double));
    s->triangle = malloc(nt * 3 * sizeof(int));
    s->normal = malloc(nt * 3 * sizeof(double));
    s->beside = malloc(nt * 3 * sizeof(int));
    s->order = malloc(nt * sizeof(int));
    s->node = malloc(2 * nt * sizeof(surface_node));
    if (s->vertex && s->triangle && s->normal && s->beside && s->order && s->node && fill(s, mesh)) return s;
    ff_surface_destroy(s);
    return NULL;
}

ff_surface *ff_surface_create(const ff_mesh *mesh, ff_error *err)
{
    if (!mesh || mesh->ntriangle < 1 || mesh->nvertex < 1) {
        ff_error_set(err, FF_BAD_ARGUMENT, "a surface needs a mesh with a triangle at least: there is none");
        return NULL;
    }
    ff_surface *s = make(mesh);
    if (!s) ff_error_set(err, FF_NO_MEMORY, "no memory for a surface of %d triangles", mesh->ntriangle);
    return s;
}

void ff_surface_destroy(ff_surface *s)
{
    if (!s) return;
    ff_facets_clear(&s->facets);
#ifdef FF_WITH_EMBREE
    ff_embree_destroy(s->rays);
#endif
    free(s->vertex);
    free(s->triangle);
    free(s->normal);
    free(s->beside);
    free(s->order);
    free(s->node);
    free(s);
}
