// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Triangle surfaces: a tree of boxes, built once by halving the triangles at the median of the longest axis. Nodes lie
// in one array in the order of a walk through the tree; each knows where the walk goes on when its box is missed, so
// that a query needs no stack. Making a surface from a mesh (equal corners joined, neighbours found) is in
// surface_make.c.
#include <stdlib.h>

#include "surface.h"

#define LEAF 4 // most triangles of a leaf
// A query that goes to the nearer half first keeps one node a level; halving 5 million triangles takes 23 levels.
#define LEVELS 64

static double centre_of(const ff_surface *s, int t, int axis)
{
    const int *v = s->triangle + 3 * (size_t)t;
    return s->vertex[3 * (size_t)v[0] + (size_t)axis] + s->vertex[3 * (size_t)v[1] + (size_t)axis] +
           s->vertex[3 * (size_t)v[2] + (size_t)axis];
}

// Puts the element of rank `middle` in its place (quickselect). Equal ones are ordered by number, so that one surface
// gives one tree.
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

static void box_of(const ff_surface *s, int t, double low[3], double high[3])
{
    const int *v = s->triangle + 3 * (size_t)t;
    for (int k = 0; k < 3; k++) {
        double a = s->vertex[3 * (size_t)v[0] + (size_t)k], b = s->vertex[3 * (size_t)v[1] + (size_t)k],
               c = s->vertex[3 * (size_t)v[2] + (size_t)k];
        double least = a < b ? a : b, most = a < b ? b : a;
        low[k] = c < least ? c : least;
        high[k] = c > most ? c : most;
    }
}

static void fit(const ff_surface *s, surface_node *n)
{
    ff_vec3_set(n->low, INFINITY, INFINITY, INFINITY);
    ff_vec3_set(n->high, -INFINITY, -INFINITY, -INFINITY);
    for (int i = n->first; i < n->first + n->count; i++) {
        double low[3], high[3];
        box_of(s, s->order[i], low, high);
        for (int k = 0; k < 3; k++) {
            n->low[k] = ff_min(n->low[k], low[k]);
            n->high[k] = ff_max(n->high[k], high[k]);
        }
    }
}

void ff_surface_build(ff_surface *s, int first, int count)
{
    surface_node *n = &s->node[s->nnode++];
    n->first = first;
    n->count = count;
    fit(s, n);
    if (count > LEAF) {
        int axis = 0;
        for (int k = 1; k < 3; k++)
            if (n->high[k] - n->low[k] > n->high[axis] - n->low[axis]) axis = k;
        split(s, s->order + first, count, count / 2, axis);
        n->count = 0;
        ff_surface_build(s, first, count / 2);
        ff_surface_build(s, first + count / 2, count - count / 2);
    }
    n->skip = s->nnode;
}

const ff_facets *ff_surface_facets(const ff_surface *s)
{
    return &s->facets;
}

void ff_surface_bounds(const ff_surface *s, double low[3], double high[3])
{
    ff_vec3_copy(low, s->nnode > 0 ? s->node[0].low : s->vertex);
    ff_vec3_copy(high, s->nnode > 0 ? s->node[0].high : s->vertex);
}

// ------------------------------------------------------------------------------------------ queries

static bool overlap(const double low1[3], const double high1[3], const double low2[3], const double high2[3])
{
    for (int k = 0; k < 3; k++)
        if (low1[k] > high2[k] || low2[k] > high1[k]) return false;
    return true;
}

void ff_surface_visit(const void *self, const double low[3], const double high[3], ff_facet_visitor *visitor,
                      void *context)
{
    const ff_surface *s = self;
    for (int i = 0; i < s->nnode;) {
        const surface_node *n = &s->node[i];
        bool hit = overlap(n->low, n->high, low, high);
        for (int k = 0; hit && k < n->count; k++) {
            double l[3], h[3];
            box_of(s, s->order[n->first + k], l, h);
            if (overlap(l, h, low, high)) visitor(context, s->order[n->first + k]);
        }
        i = hit ? i + 1 : n->skip;
    }
}

static double box_distance2(const surface_node *n, const double x[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double below = n->low[k] - x[k], above = x[k] - n->high[k], out = below > above ? below : above;
        if (out > 0.0) sum += out * out;
    }
    return sum;
}

int ff_surface_nearest(const void *self, const double x[3], double bound)
{
    const ff_surface *s = self;
    struct {
        int node;
        double distance2;
    } stack[LEVELS];
    int top = 0, best = -1;
    double least = bound * bound;
    if (s->nnode == 0) return -1;
    stack[top].node = 0;
    stack[top++].distance2 = box_distance2(&s->node[0], x);
    while (top > 0) {
        top--;
        const surface_node *n = &s->node[stack[top].node];
        if (stack[top].distance2 > least) continue;
        for (int k = 0; k < n->count; k++) {
            double c[9], normal[3];
            int t = s->order[n->first + k];
            ff_surface_get(s, t, c, normal);
            double d2 = ff_facets_distance2(c, normal, x);
            if (d2 > least || (d2 == least && best >= 0 && best < t)) continue;
            least = d2;
            best = t;
        }
        if (n->count > 0 || top + 2 > LEVELS) continue;
        int left = (int)(n - s->node) + 1, right = s->node[left].skip;
        double to_left = box_distance2(&s->node[left], x), to_right = box_distance2(&s->node[right], x);
        bool left_first = to_left <= to_right; // the nearer one goes on top
        stack[top].node = left_first ? right : left;
        stack[top++].distance2 = left_first ? to_right : to_left;
        stack[top].node = left_first ? left : right;
        stack[top++].distance2 = left_first ? to_left : to_right;
    }
    return best;
}

// Where a ray enters a box; infinite when it misses it or enters beyond `range`.
static double ray_entry(const surface_node *n, const double o[3], const double inverse[3], double range)
{
    double near = 0.0, far = range;
    for (int k = 0; k < 3; k++) {
        double a = (n->low[k] - o[k]) * inverse[k], b = (n->high[k] - o[k]) * inverse[k];
        double first = a < b ? a : b, last = a < b ? b : a; // NaN, for a ray in a face, changes no bound
        near = first > near ? first : near;
        far = last < far ? last : far;
    }
    return near <= far * (1.0 + 1e-12) ? near : INFINITY;
}

static bool ray_leaf(const ff_surface *s, const surface_node *n, const double o[3], const double d[3], double *range,
                     int *triangle, bool found)
{
    for (int k = 0; k < n->count; k++) {
        int t = s->order[n->first + k];
        double c[9], normal[3], at;
        ff_surface_get(s, t, c, normal);
        if (!ff_ray_triangle(c, o, d, &at) || !(at < *range || (at == *range && (!found || t < *triangle)))) continue;
        *range = at;
        *triangle = t;
        found = true;
    }
    return found;
}

// The nearer half first: most of what lies behind the hit is then never visited, which makes rays three to five times
// as fast as a walk in the order of the nodes.
bool ff_surface_ray_tree(const ff_surface *s, const double o[3], const double d[3], double *range, int *triangle)
{
    double inverse[3] = {1.0 / d[0], 1.0 / d[1], 1.0 / d[2]}, entry[LEVELS];
    int stack[LEVELS], top = 0;
    bool found = false;
    if (s->nnode == 0) return false;
    stack[top] = 0;
    entry[top++] = ray_entry(&s->node[0], o, inverse, *range);
    while (top > 0) {
        top--;
        if (!(entry[top] <= *range)) continue;
        const surface_node *n = &s->node[stack[top]];
        if (n->count > 0) {
            found = ray_leaf(s, n, o, d, range, triangle, found);
            continue;
        }
        int left = stack[top] + 1, right = s->node[left].skip;
        double to_left = ray_entry(&s->node[left], o, inverse, *range),
               to_right = ray_entry(&s->node[right], o, inverse, *range);
        bool left_first = to_left <= to_right;
        stack[top] = left_first ? right : left;
        entry[top] = left_first ? to_right : to_left;
        top += !isinf(entry[top]) && top < LEVELS - 2;
        stack[top] = left_first ? left : right;
        entry[top] = left_first ? to_left : to_right;
        top += !isinf(entry[top]);
    }
    return found;
}

bool ff_surface_ray(const ff_surface *s, const double o[3], const double d[3], double *range, int *triangle)
{
#ifdef FF_WITH_EMBREE
    if (s->rays) return ff_embree_ray(s, o, d, range, triangle);
#endif
    return ff_surface_ray_tree(s, o, d, range, triangle);
}

// ------------------------------------------------------------------------------------------ on a half-space

// Lowest height of a node's box over the plane.
static double node_height(const surface_node *n, const double up[3], const double origin[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) sum += up[k] * ((up[k] < 0.0 ? n->high[k] : n->low[k]) - origin[k]);
    return sum;
}

int ff_surface_on_plane(const ff_surface *s, const double n[3], const double origin[3], double margin,
                        ff_collide_point *points, int capacity)
{
    ff_collide_point buffer[4 * FF_COLLIDE_PATCH_MAX];
    int count = 0;
    for (int i = 0; i < s->nnode;) {
        const surface_node *node = &s->node[i];
        bool hit = node_height(node, n, origin) < margin;
        for (int k = 0; hit && k < 3 * node->count; k++) {
            int t = s->order[node->first + k / 3], v = s->triangle[3 * (size_t)t + (size_t)(k % 3)];
            if (!ff_facets_has(&s->facets, t, k % 3, FF_FACET_TIP)) continue;
            count +=
                ff_patch_plane_point(n, origin, s->vertex + 3 * (size_t)v, 0.0, margin, (uint32_t)v, &buffer[count]);
            if (count == 4 * FF_COLLIDE_PATCH_MAX) count = ff_patch_reduce(buffer, count, 2 * FF_COLLIDE_PATCH_MAX);
        }
        i = hit ? i + 1 : node->skip;
    }
    return ff_patch_copy(buffer, count, points, capacity);
}
