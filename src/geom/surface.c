// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Triangle surfaces: a tree of boxes, built once by halving the triangles at the median of the longest axis. Nodes lie in one array in the order of
// a walk through the tree; each knows where the walk goes on when its box is missed, so that a query needs no stack.
#include <stdlib.h>

#include "facets.h"

#define LEAF 4

typedef struct node {
    double low[3], high[3];
    int first, count; // triangles in `order`; count 0 for inner nodes
    int skip;         // next node when this one is missed
} node;

struct ff_surface {
    ff_facets facets;
    double *vertex;
    int *triangle; // (3*ntriangle)
    int *beside;   // (3*ntriangle)
    int *order;    // triangles as the leaves list them  (ntriangle)
    node *node;    // (nnode)
    int nnode;
};

static void corners(const void *self, int t, double out[9])
{
    const ff_surface *s = self;
    for (int k = 0; k < 3; k++)
        ff_vec3_copy(out + 3 * k, s->vertex + 3 * (size_t)s->triangle[3 * (size_t)t + (size_t)k]);
}

static int beside(const void *self, int t, int k)
{
    return ((const ff_surface *)self)->beside[3 * (size_t)t + (size_t)k];
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

// Edges with exactly two triangles join them; others are borders.
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
        for (end = i + 1; end < n && sides[end].low == sides[i].low && sides[end].high == sides[i].high;) end++;
        if (end - i != 2) continue;
        s->beside[sides[i].edge] = sides[i + 1].edge / 3;
        s->beside[sides[i + 1].edge] = sides[i].edge / 3;
    }
    free(sides);
    return true;
}

// ------------------------------------------------------------------------------------------ tree

static double centre_of(const ff_surface *s, int t, int axis)
{
    double c[9];
    corners(s, t, c);
    return c[axis] + c[3 + axis] + c[6 + axis];
}

// Puts the element of rank `middle` in its place (quickselect); ties by number, so that the tree is the same everywhere.
static void split(const ff_surface *s, int *order, int count, int middle, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        int pivot = order[low + (high - low) / 2], i = low, j = high;
        double at = centre_of(s, pivot, axis);
        while (i <= j) {
            for (double c; (c = centre_of(s, order[i], axis)) < at || (c == at && order[i] < pivot);) i++;
            for (double c; (c = centre_of(s, order[j], axis)) > at || (c == at && order[j] > pivot);) j--;
            if (i > j) break;
            int keep = order[i];
            order[i++] = order[j];
            order[j--] = keep;
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            break;
    }
}

static void fit(const ff_surface *s, node *n)
{
    ff_vec3_set(n->low, INFINITY, INFINITY, INFINITY);
    ff_vec3_set(n->high, -INFINITY, -INFINITY, -INFINITY);
    for (int i = n->first; i < n->first + n->count; i++) {
        double c[9];
        corners(s, s->order[i], c);
        for (int k = 0; k < 9; k++) {
            n->low[k % 3] = fmin(n->low[k % 3], c[k]);
            n->high[k % 3] = fmax(n->high[k % 3], c[k]);
        }
    }
}

static void build(ff_surface *s, int first, int count)
{
    node *n = &s->node[s->nnode++];
    n->first = first;
    n->count = count;
    fit(s, n);
    if (count > LEAF) {
        int axis = 0;
        for (int k = 1; k < 3; k++)
            if (n->high[k] - n->low[k] > n->high[axis] - n->low[axis]) axis = k;
        split(s, s->order + first, count, count / 2, axis);
        n->count = 0;
        build(s, first, count / 2);
        build(s, first + count / 2, count - count / 2);
    }
    n->skip = s->nnode;
}

ff_surface *ff_surface_create(const ff_mesh *mesh)
{
    if (!mesh || mesh->ntriangle < 1 || mesh->nvertex < 1) return NULL;
    ff_surface *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    size_t nt = (size_t)mesh->ntriangle, nv = (size_t)mesh->nvertex;
    s->facets = (ff_facets){.count = mesh->ntriangle, .self = s, .corners = corners, .beside = beside};
    s->vertex = malloc(nv * 3 * sizeof(double));
    s->triangle = malloc(nt * 3 * sizeof(int));
    s->beside = malloc(nt * 3 * sizeof(int));
    s->order = malloc(nt * sizeof(int));
    s->node = malloc(2 * nt * sizeof(node));
    bool ok = s->vertex && s->triangle && s->beside && s->order && s->node;
    if (ok) {
        memcpy(s->vertex, mesh->vertices, nv * 3 * sizeof(double));
        memcpy(s->triangle, mesh->triangles, nt * 3 * sizeof(int));
        for (int t = 0; t < mesh->ntriangle; t++) s->order[t] = t;
        build(s, 0, mesh->ntriangle);
        ok = find_neighbours(s) && ff_facets_prepare(&s->facets);
    }
    if (ok) return s;
    ff_surface_destroy(s);
    return NULL;
}

void ff_surface_destroy(ff_surface *s)
{
    if (!s) return;
    ff_facets_clear(&s->facets);
    free(s->vertex);
    free(s->triangle);
    free(s->beside);
    free(s->order);
    free(s->node);
    free(s);
}

const ff_facets *ff_surface_facets(const ff_surface *s)
{
    return &s->facets;
}

void ff_surface_bounds(const ff_surface *s, double low[3], double high[3])
{
    ff_vec3_copy(low, s->node[0].low);
    ff_vec3_copy(high, s->node[0].high);
}

// ------------------------------------------------------------------------------------------ queries

static bool overlap(const double low1[3], const double high1[3], const double low2[3], const double high2[3])
{
    for (int k = 0; k < 3; k++)
        if (low1[k] > high2[k] || low2[k] > high1[k]) return false;
    return true;
}

void ff_surface_touch(const ff_surface *s, ff_facet_query *q, const double low[3], const double high[3])
{
    for (int i = 0; i < s->nnode;) {
        const node *n = &s->node[i];
        bool hit = overlap(n->low, n->high, low, high);
        for (int k = 0; hit && k < n->count; k++) {
            int t = s->order[n->first + k];
            double c[9], l[3], h[3];
            corners(s, t, c);
            for (int j = 0; j < 3; j++) {
                l[j] = fmin(c[j], fmin(c[3 + j], c[6 + j]));
                h[j] = fmax(c[j], fmax(c[3 + j], c[6 + j]));
            }
            if (overlap(l, h, low, high)) ff_facets_touch(q, t);
        }
        i = hit ? i + 1 : n->skip;
    }
}

static bool ray_meets_box(const node *n, const double o[3], const double inverse[3], double range)
{
    double near = 0.0, far = range;
    for (int k = 0; k < 3; k++) {
        double a = (n->low[k] - o[k]) * inverse[k], b = (n->high[k] - o[k]) * inverse[k];
        double first = a < b ? a : b, last = a < b ? b : a; // NaN (in a face, parallel to it) leaves the bounds alone
        if (first > near) near = first;
        if (last < far) far = last;
    }
    return near <= far * (1.0 + 1e-12);
}

bool ff_surface_ray(const ff_surface *s, const double o[3], const double d[3], double *range, int *triangle)
{
    bool found = false;
    double inverse[3] = {1.0 / d[0], 1.0 / d[1], 1.0 / d[2]};
    for (int i = 0; i < s->nnode;) {
        const node *n = &s->node[i];
        bool hit = ray_meets_box(n, o, inverse, *range);
        for (int k = 0; hit && k < n->count; k++) {
            int t = s->order[n->first + k];
            double c[9], at;
            corners(s, t, c);
            if (!ff_ray_triangle(c, o, d, &at) || !(at < *range || (at == *range && !found))) continue;
            *range = at;
            *triangle = t;
            found = true;
        }
        i = hit ? i + 1 : n->skip;
    }
    return found;
}
