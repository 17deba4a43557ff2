// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Prepares the triangles of a surface or field for contact. An edge between two triangles in one plane must not make
// contact: a ball that rolls over a floor of triangles would bump at each of them. So each edge is classified once:
// flat, valley or standing out; each corner that stands out is known; triangles in one plane form a
// group, triangles that are bent gently a piece. The piece, not the triangle, is part of a contact's identity, so that
// a corner sliding over hilly ground keeps its friction anchor.
#include <stdlib.h>

#include "facets.h"

// Edges bent by less than this (sine) are flat.
#define FLAT 1e-6
// Edges bent by less than this (sine) belong to one smooth piece.
#define GENTLE 0.5
// Two borders in a row closer to a straight line than this (sine) have no corner between them.
#define STRAIGHT 1e-6

bool ff_triangle_normal(const double corner[9], double n[3])
{
    double ab[3], ac[3];
    ff_vec3_sub(ab, corner + 3, corner);
    ff_vec3_sub(ac, corner + 6, corner);
    ff_vec3_cross(n, ab, ac);
    double length = ff_vec3_norm(n);
    if (!(length > 1e-12 * (ff_vec3_dot(ab, ab) + ff_vec3_dot(ac, ac))) || !(length > 0.0)) return false;
    ff_vec3_scale(n, n, 1.0 / length);
    return true;
}

// ------------------------------------------------------------------------------------------ neighbours

// The edge of the neighbour across edge k of t that is the same; -1 for none.
static int twin(const ff_facets *f, int t, int k, int other)
{
    int a = f->vertex(f->self, t, k), b = f->vertex(f->self, t, (k + 1) % 3);
    for (int j = 0; j < 3; j++) {
        int c = f->vertex(f->self, other, j), d = f->vertex(f->self, other, (j + 1) % 3);
        if ((c == b && d == a) || (c == a && d == b)) return j;
    }
    return -1;
}

uint32_t ff_facets_edge(const ff_facets *f, int t, int k)
{
    int other = f->beside(f->self, t, k), j = other >= 0 ? twin(f, t, k, other) : -1;
    bool theirs = j >= 0 && other < t;
    return ((uint32_t)(theirs ? other : t) * 3u + (uint32_t)(theirs ? j : k)) & 0x3fffffffu;
}

// Walks around vertex v of triangle t, starting over edge `edge`, until it returns to t or ends at a border. @return
// true: it has returned
static bool walk_ring(const ff_facets *f, int t, int v, int edge, ff_ring *out)
{
    int at = t;
    while (out->count < FF_RING_MAX) {
        int other = f->beside(f->self, at, edge), j = 0;
        if (other < 0) return false;
        if (other == t) return true;
        while (j < 3 && f->vertex(f->self, other, j) != v) j++;
        if (j == 3) return false;
        out->triangle[out->count] = other;
        out->corner[out->count++] = j;
        edge = f->beside(f->self, other, j) == at ? (j + 2) % 3 : j;
        at = other;
    }
    return true;
}

void ff_facets_ring(const ff_facets *f, int t, int k, ff_ring *out)
{
    int v = f->vertex(f->self, t, k);
    out->triangle[0] = t;
    out->corner[0] = k;
    out->count = 1;
    if (!walk_ring(f, t, v, (k + 2) % 3, out)) walk_ring(f, t, v, k, out);
}

// Sine of the angle between triangle t and its neighbour across edge k: positive for a convex edge, negative for a
// valley; 2 for borders and folds.
static double bend(const ff_facets *f, int t, int k)
{
    double c[9], d[9], n[3], m[3], edge[3], w[3];
    int other = f->beside(f->self, t, k);
    if (other < 0 || !f->get(f->self, t, c, n) || !f->get(f->self, other, d, m)) return 2.0;
    if (ff_vec3_dot(n, m) < -0.999) return 2.0; // folded over
    ff_vec3_sub(edge, c + 3 * ((k + 1) % 3), c + 3 * k);
    ff_vec3_cross(w, n, m);
    double sine = ff_vec3_dot(w, edge) / ff_vec3_norm(edge);
    if (ff_vec3_dot(n, m) < 0.0) return sine < 0.0 ? -1.0 : 1.0; // the sine of angles beyond pi/2 decreases
    return sine;
}

// ------------------------------------------------------------------------------------------ borders within a plane

typedef struct cover {
    const ff_facets *f;
    int self;
    double x[3], n[3], slack;
    long long visited; // triangles
    bool found;
} cover;

/// Number of triangles that may be visited in the search for borders beyond which the surface goes on: some tenths of a
/// second at first, and more with each triangle. In damaged files a place may lie in the boxes of thousands of
/// triangles: after this number borders remain borders.
enum { VISITS_FIRST = 1000000, VISITS_MORE = 100 };

// Does triangle t lie in the plane of the place and contain it?
static void test_cover(void *context, int t)
{
    cover *c = context;
    double corner[9], n[3], d[3];
    c->visited++;
    if (c->found || t == c->self || !c->f->get(c->f->self, t, corner, n) || ff_vec3_dot(n, c->n) < 1.0 - 1e-12) return;
    ff_vec3_sub(d, c->x, corner);
    if (fabs(ff_vec3_dot(d, n)) > c->slack) return;
    for (int k = 0; k < 3; k++) {
        double e[3], m[3];
        ff_vec3_sub(e, corner + 3 * ((k + 1) % 3), corner + 3 * k);
        ff_vec3_cross(m, e, n);
        ff_vec3_sub(d, c->x, corner + 3 * k);
        if (ff_vec3_dot(d, m) > 0.0) return;
    }
    c->found = true;
}

// Does the surface go on in the same plane beyond a border? It does where triangles share no corners, or a long edge
// meets two short ones. Three places just outside the edge are visited, as long as `visits` are left.
static bool goes_on(const ff_facets *f, int t, int k, long long *visits)
{
    double c[9], e[3], out[3];
    cover place = {.f = f, .self = t};
    if (*visits <= 0 || !f->get(f->self, t, c, place.n)) return false;
    const double *a = c + 3 * k;
    ff_vec3_sub(e, c + 3 * ((k + 1) % 3), a);
    ff_vec3_cross(out, e, place.n);
    place.slack = 1e-7 * ff_vec3_norm(e);
    place.found = true;
    for (int i = 1; i <= 3 && place.found; i++) {
        double low[3], high[3];
        for (int j = 0; j < 3; j++) {
            place.x[j] = a[j] + 0.2345 * i * e[j] + 1e-6 * out[j];
            low[j] = place.x[j] - place.slack;
            high[j] = place.x[j] + place.slack;
        }
        place.found = false;
        f->visit(f->self, low, high, test_cover, &place);
    }
    *visits -= place.visited;
    return place.found;
}

// ------------------------------------------------------------------------------------------ what stands out

static void mark_edges(ff_facets *f, int t, long long *visits)
{
    double c[9], n[3];
    f->bits[t] = 0;
    if (!f->get(f->self, t, c, n)) return;
    if (*visits > 0) *visits += VISITS_MORE;
    for (int k = 0; k < 3; k++) {
        double b = bend(f, t, k);
        bool flat = fabs(b) <= FLAT || (b == 2.0 && !f->above && goes_on(f, t, k, visits));
        int other = f->beside(f->self, t, k);
        if (flat) f->bits[t] |= (unsigned short)(FF_FACET_FLAT << k);
        if (flat || fabs(b) <= GENTLE) f->bits[t] |= (unsigned short)(FF_FACET_GENTLE << k);
        if (!flat && b > FLAT && (other < 0 || t < other || b == 2.0))
            f->bits[t] |= (unsigned short)(FF_FACET_RIDGE << k);
    }
}

// How edges that stand out meet at a corner.
typedef struct meeting {
    int owner;         // first triangle with this corner
    int edge;          // first edge that stands out: 3 t + k
    unsigned char end; // which end of it
    unsigned char count;
    bool straight; // the second goes on where the first ends
} meeting;

// Unit vector along an edge, away from its end `end` (0: corner k, 1: corner k+1).
static bool edge_from(const ff_facets *f, int edge, int end, double out[3])
{
    double c[9], n[3];
    int k = edge % 3, from = end ? (k + 1) % 3 : k, to = end ? k : (k + 1) % 3;
    if (!f->get(f->self, edge / 3, c, n)) return false;
    ff_vec3_sub(out, c + 3 * to, c + 3 * from);
    ff_vec3_scale(out, out, 1.0 / ff_vec3_norm(out));
    return true;
}

static void add_edge(const ff_facets *f, meeting *at, int edge, int end)
{
    double e[3], first[3];
    if (at->count == 0) {
        at->edge = edge;
        at->end = (unsigned char)end;
    } else if (at->count == 1 && edge_from(f, edge, end, e) && edge_from(f, at->edge, at->end, first)) {
        double w[3];
        ff_vec3_cross(w, e, first);
        at->straight = ff_vec3_dot(e, first) < 0.0 && ff_vec3_norm(w) < STRAIGHT;
    }
    if (at->count < 3) at->count++;
}

// A corner stands out where edges that stand out meet and do not just pass straight on.
static bool mark_tips(ff_facets *f)
{
    meeting *meetings = calloc((size_t)f->nvertex, sizeof *meetings);
    if (!meetings) return false;
    for (int v = 0; v < f->nvertex; v++) meetings[v].owner = -1;
    for (int t = 0; t < f->count; t++)
        for (int k = 0; k < 3; k++) {
            int v = f->vertex(f->self, t, k), w = f->vertex(f->self, t, (k + 1) % 3);
            double c[9], n[3];
            if (meetings[v].owner < 0 && f->get(f->self, t, c, n)) meetings[v].owner = t;
            if (!ff_facets_has(f, t, k, FF_FACET_RIDGE)) continue;
            add_edge(f, &meetings[v], 3 * t + k, 0);
            add_edge(f, &meetings[w], 3 * t + k, 1);
        }
    for (int t = 0; t < f->count; t++)
        for (int k = 0; k < 3; k++) {
            const meeting *at = &meetings[f->vertex(f->self, t, k)];
            bool tip = at->count > 0 && !(at->count == 2 && at->straight);
            if (tip && at->owner == t) f->bits[t] |= (unsigned short)(FF_FACET_TIP << k);
        }
    free(meetings);
    return true;
}

// Marks with the number of `seed` all triangles that edges with the bit connect with it.
static void flood(ff_facets *f, int seed, int *mark, int bit, int *stack)
{
    int top = 0;
    mark[seed] = seed;
    stack[top++] = seed;
    while (top > 0) {
        int t = stack[--top];
        for (int k = 0; k < 3; k++) {
            int other = f->beside(f->self, t, k);
            if (other < 0 || mark[other] >= 0 || !ff_facets_has(f, t, k, bit)) continue;
            mark[other] = seed;
            stack[top++] = other;
        }
    }
}

// Is it one surface around a solid? Every edge then has a neighbour that runs along it in the opposite direction, all
// triangles are connected, and the volume inside is positive. (If one surface lies inside another, the
// nearest one decides on which side a point is, and that changes halfway between them.)
static bool is_closed(const ff_facets *f, int *mark, int *stack)
{
    double volume = 0.0;
    int top = 0, seen = 0, count = 0;
    for (int t = 0; t < f->count; t++) {
        double c[9], n[3], w[3];
        mark[t] = f->get(f->self, t, c, n) ? 0 : 1;
        if (mark[t]) continue;
        ff_vec3_cross(w, c + 3, c + 6);
        volume += ff_vec3_dot(c, w);
        if (count++ == 0) mark[stack[top++] = t] = 1;
    }
    while (top > 0) {
        const int t = stack[--top];
        seen++;
        for (int k = 0; k < 3; k++) {
            const int other = f->beside(f->self, t, k), j = other >= 0 ? twin(f, t, k, other) : -1;
            if (j < 0 || f->vertex(f->self, other, j) == f->vertex(f->self, t, k)) return false;
            if (!mark[other]) mark[stack[top++] = other] = 1;
        }
    }
    return seen == count && volume > 0.0;
}

bool ff_facets_prepare(ff_facets *f)
{
    size_t n = (size_t)f->count;
    f->bits = calloc(n, sizeof *f->bits);
    f->group = malloc(n * sizeof(int));
    f->piece = malloc(n * sizeof(int));
    int *stack = malloc(n * sizeof(int));
    long long visits = VISITS_FIRST;
    bool ok = f->bits && f->group && f->piece && stack;
    if (ok) f->closed = !f->above && is_closed(f, f->group, stack);
    for (int t = 0; ok && t < f->count; t++) {
        mark_edges(f, t, &visits);
        f->group[t] = f->piece[t] = -1;
    }
    ok = ok && mark_tips(f);
    for (int t = 0; ok && t < f->count; t++) {
        if (f->group[t] < 0) flood(f, t, f->group, FF_FACET_FLAT, stack);
        if (f->piece[t] < 0) flood(f, t, f->piece, FF_FACET_GENTLE, stack);
    }
    free(stack);
    return ok;
}

void ff_facets_clear(ff_facets *f)
{
    free(f->bits);
    free(f->group);
    free(f->piece);
}

// T. Moeller, B. Trumbore, Fast, minimum storage ray/triangle intersection, J. Graphics Tools 2(1), 1997.
bool ff_ray_triangle(const double *c, const double o[3], const double d[3], double *t)
{
    double e1[3], e2[3], p[3], q[3], s[3];
    ff_vec3_sub(e1, c + 3, c);
    ff_vec3_sub(e2, c + 6, c);
    ff_vec3_cross(p, d, e2);
    double det = ff_vec3_dot(e1, p);
    if (fabs(det) <= 1e-14 * ff_vec3_norm(e1) * ff_vec3_norm(e2) || det == 0.0) return false;
    ff_vec3_sub(s, o, c);
    double u = ff_vec3_dot(s, p) / det;
    if (!(u >= 0.0 && u <= 1.0)) return false;
    ff_vec3_cross(q, s, e1);
    double v = ff_vec3_dot(d, q) / det;
    if (!(v >= 0.0 && u + v <= 1.0)) return false;
    *t = ff_vec3_dot(e2, q) / det;
    return *t >= 0.0;
}
