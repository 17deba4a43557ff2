// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Convex hull of points in space by quickhull: start from a tetrahedron; each face keeps the points outside it; take
// the farthest of them, remove the faces it sees, and close the hole with a fan of triangles around the new point.
//
//        seen faces            horizon             fan
//       .----.----.          .----.----.        .----.----.
//       | \  |  / |          |         |        | \ __p__/|
//       .---.p.---.    ->    .    p    .   ->   .--<  |  >-.     each horizon edge (start, end) becomes (start, end, p)
//       | /  |  \ |          |         |        | /   |  \|
//       '----'----'          '---------'        '-----'---'
//
// C. B. Barber, D. P. Dobkin, H. Huhdanpaa, The quickhull algorithm for convex hulls, ACM Trans. Math. Software 22(4),
// 1996. They merge facets to survive rounding. Here the question "is the point outside this face" is answered exactly
// (predicate.c) instead, and a point in the plane of a face does not see it. Then the seen faces always form one patch
// with one simple rim, no fan triangle has zero area, and duplicate, collinear and coplanar points need no special
// treatment.
#include <math.h>
#include <stdlib.h>

#include "geom_private.h"

typedef struct face {
    int v[3];        // counter-clockwise from outside
    int adj[3];      // face across the edge v[i] -> v[i+1]
    int outside;     // first of the points outside, linked by hull.next; -1 for none
    int farthest;    // the one to take next
    double distance; // how far out it is (rounded, only a heuristic)
    int round;       // last round whose point sees the face
    bool alive;
} face;

typedef struct rim_edge {
    int start, end; // vertices, counter-clockwise around the hole
    int outer;      // face that stays, and which of its edges this is
    int outer_edge;
    int fan; // the new face
} rim_edge;

typedef struct hull {
    const double *points; // scaled to about unit size (3*npoint)
    int npoint;
    int *next;      // links of the outside lists (npoint)
    int *rim_start; // rim edge that starts at a vertex, valid where rim_round is the present round (npoint)
    int *rim_round; // (npoint)
    face *faces;
    int nface, face_capacity;
    int *spare; // dead faces to reuse
    int nspare, spare_capacity;
    int *todo; // faces that may have points outside
    int ntodo, todo_capacity;
    int *seen; // faces the point of this round sees
    int nseen, seen_capacity;
    rim_edge *rim;
    int nrim, rim_capacity;
    int round;
    bool flat;    // the points have no volume, or coordinates outside the exact range
    bool stopped; // by ff_stop; another failure is lack of memory
} hull;

static const double *point_of(const hull *h, int i)
{
    return h->points + 3 * (size_t)i;
}

static bool sees(const hull *h, int point, const face *f)
{
    return ff_geom_side(point_of(h, f->v[0]), point_of(h, f->v[1]), point_of(h, f->v[2]), point_of(h, point)) > 0;
}

static double distance_above(const hull *h, int point, const face *f)
{
    double ab[3], ac[3], ad[3], n[3];
    const double *a = point_of(h, f->v[0]);
    ff_vec3_sub(ab, point_of(h, f->v[1]), a);
    ff_vec3_sub(ac, point_of(h, f->v[2]), a);
    ff_vec3_sub(ad, point_of(h, point), a);
    ff_vec3_cross(n, ab, ac);
    double length = ff_vec3_norm(n);
    return length > 0.0 ? ff_vec3_dot(n, ad) / length : 0.0;
}

static bool push(int **items, int *count, int *capacity, int item)
{
    if (!ff_array_grow(items, *count, capacity, sizeof(int))) return false;
    (*items)[(*count)++] = item;
    return true;
}

// Index of a new face, -1 when out of memory.
static int face_add(hull *h, int a, int b, int c)
{
    int index;
    if (h->nspare > 0) {
        index = h->spare[--h->nspare];
    } else {
        if (!ff_array_grow(&h->faces, h->nface, &h->face_capacity, sizeof(face))) return -1;
        index = h->nface++;
    }
    h->faces[index] = (face){{a, b, c}, {-1, -1, -1}, -1, -1, 0.0, 0, true};
    return index;
}

static void give_point(hull *h, int point, face *f)
{
    double distance = distance_above(h, point, f);
    h->next[point] = f->outside;
    f->outside = point;
    if (f->farthest < 0 || distance > f->distance) {
        f->farthest = point;
        f->distance = distance;
    }
}

// ------------------------------------------------------------------------------------------ the first tetrahedron

// The point farthest from the plane through three others, by the rounded determinant; then, because that may
// have any sign where all points are nearly in a plane, an exact test. -1 when the cloud is flat: thinner than 1e-10 of
// its size.
static int farthest_from_plane(const hull *h, const int v[3])
{
    face f = {{v[0], v[1], v[2]}, {-1, -1, -1}, -1, -1, 0.0, 0, true};
    int best = -1;
    double best_distance = 1e-10;
    for (int i = 0; i < h->npoint; i++) {
        double distance = fabs(distance_above(h, i, &f));
        if (distance > best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    if (best < 0) return -1;
    bool off_plane = ff_geom_side(point_of(h, v[0]), point_of(h, v[1]), point_of(h, v[2]), point_of(h, best)) != 0;
    return off_plane ? best : -1;
}

// Four corners that span a volume; false when all points lie in a plane.
static bool first_corners(const hull *h, int v[4])
{
    double best = 0.0, a[3], b[3], n[3];
    v[0] = 0;
    for (int i = 1; i < h->npoint; i++)
        if (point_of(h, i)[0] < point_of(h, v[0])[0]) v[0] = i;
    v[1] = v[2] = -1;
    for (int i = 0; i < h->npoint; i++) {
        ff_vec3_sub(a, point_of(h, i), point_of(h, v[0]));
        double distance = ff_vec3_norm(a);
        if (distance > best) {
            best = distance;
            v[1] = i;
        }
    }
    if (v[1] < 0) return false;
    ff_vec3_sub(a, point_of(h, v[1]), point_of(h, v[0]));
    best = 1e-10 * best;
    for (int i = 0; i < h->npoint; i++) {
        ff_vec3_sub(b, point_of(h, i), point_of(h, v[0]));
        ff_vec3_cross(n, a, b);
        double distance = ff_vec3_norm(n);
        if (distance > best) {
            best = distance;
            v[2] = i;
        }
    }
    if (v[2] < 0) return false;
    v[3] = farthest_from_plane(h, v);
    return v[3] >= 0;
}

// Faces of the tetrahedron, linked, with every other point in the list of one face it is outside of.
static bool start_tetrahedron(hull *h)
{
    int v[4];
    h->flat = !first_corners(h, v);
    if (h->flat) return false;
    if (ff_geom_side(point_of(h, v[0]), point_of(h, v[1]), point_of(h, v[2]), point_of(h, v[3])) > 0) {
        int swap = v[0];
        v[0] = v[1];
        v[1] = swap;
    }
    // Face 0 looks away from corner 3; face 1 + i joins edge i of face 0, reversed, with corner 3.
    if (face_add(h, v[0], v[1], v[2]) < 0) return false;
    for (int i = 0; i < 3; i++)
        if (face_add(h, v[(i + 1) % 3], v[i], v[3]) < 0) return false;
    for (int i = 0; i < 3; i++) {
        h->faces[0].adj[i] = 1 + i;
        h->faces[1 + i].adj[0] = 0;
        h->faces[1 + i].adj[1] = 1 + (i + 2) % 3;
        h->faces[1 + i].adj[2] = 1 + (i + 1) % 3;
    }
    for (int i = 0; i < h->npoint; i++)
        for (int f = 0; f < 4; f++)
            if (sees(h, i, &h->faces[f])) {
                give_point(h, i, &h->faces[f]);
                break;
            }
    for (int f = 0; f < 4; f++)
        if (!push(&h->todo, &h->ntodo, &h->todo_capacity, f)) return false;
    return true;
}

// ------------------------------------------------------------------------------------------ one round

// Edge of a face that starts at vertex `start` and borders on `neighbour`, -1: none.
static int edge_towards(const face *f, int neighbour, int start)
{
    for (int i = 0; i < 3; i++)
        if (f->adj[i] == neighbour && f->v[i] == start) return i;
    return -1;
}

// Flood from `first` over all faces the point sees; the edges to faces it does not see are the rim.
static bool find_rim(hull *h, int point, int first)
{
    h->nseen = h->nrim = 0;
    h->faces[first].round = h->round;
    if (!push(&h->seen, &h->nseen, &h->seen_capacity, first)) return false;
    for (int s = 0; s < h->nseen; s++) {
        const face f = h->faces[h->seen[s]];
        for (int i = 0; i < 3; i++) {
            face *other = &h->faces[f.adj[i]];
            if (other->round == h->round) continue;
            if (sees(h, point, other)) {
                other->round = h->round;
                if (!push(&h->seen, &h->nseen, &h->seen_capacity, f.adj[i])) return false;
                continue;
            }
            int start = f.v[i], end = f.v[(i + 1) % 3];
            if (!ff_array_grow(&h->rim, h->nrim, &h->rim_capacity, sizeof(rim_edge))) return false;
            h->rim[h->nrim] = (rim_edge){start, end, f.adj[i], edge_towards(other, h->seen[s], end), -1};
            // With exact signs the rim is one simple loop; a vertex met twice means coordinates outside the exact
            // range.
            h->flat = h->rim_round[start] == h->round || h->rim[h->nrim].outer_edge < 0;
            if (h->flat) return false;
            h->rim_round[start] = h->round;
            h->rim_start[start] = h->nrim++;
        }
    }
    h->flat = h->nrim < 3;
    return !h->flat;
}

static bool close_with_fan(hull *h, int point)
{
    for (int i = 0; i < h->nrim; i++) {
        rim_edge *e = &h->rim[i];
        h->flat = h->rim_round[e->end] != h->round;
        if (h->flat) return false;
        e->fan = face_add(h, e->start, e->end, point);
        if (e->fan < 0) return false;
        h->faces[e->fan].adj[0] = e->outer;
        h->faces[e->outer].adj[e->outer_edge] = e->fan;
        if (!push(&h->todo, &h->ntodo, &h->todo_capacity, e->fan)) return false;
    }
    for (int i = 0; i < h->nrim; i++) {
        int after = h->rim[h->rim_start[h->rim[i].end]].fan;
        h->faces[h->rim[i].fan].adj[1] = after;
        h->faces[after].adj[2] = h->rim[i].fan;
    }
    return true;
}

// Points of the removed faces go to the fan or, when they are inside by now, nowhere.
static bool retire_seen(hull *h, int point)
{
    for (int s = 0; s < h->nseen; s++) {
        face *old = &h->faces[h->seen[s]];
        for (int p = old->outside, after; p >= 0; p = after) {
            after = h->next[p];
            for (int i = 0; p != point && i < h->nrim; i++)
                if (sees(h, p, &h->faces[h->rim[i].fan])) {
                    give_point(h, p, &h->faces[h->rim[i].fan]);
                    break;
                }
        }
        old->alive = false;
        old->outside = -1;
        if (!push(&h->spare, &h->nspare, &h->spare_capacity, h->seen[s])) return false;
    }
    return true;
}

static bool grow(hull *h)
{
    while (h->ntodo > 0) {
        int index = h->todo[--h->ntodo];
        if (!h->faces[index].alive || h->faces[index].outside < 0) continue;
        h->stopped = ff_stop_asked();
        if (h->stopped) return false;
        int point = h->faces[index].farthest;
        h->round++;
        if (!find_rim(h, point, index) || !close_with_fan(h, point) || !retire_seen(h, point)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------ scaling, and the mesh

// Points moved to the origin and scaled by a power of two to about unit size: exact scaling, and no product can
// overflow. The shift rounds, so that only points far from the origin compared with their extent are
// shifted, whose coordinates are rounded anyway.
static double *unit_points(const ff_mesh *mesh, bool *flat)
{
    double low[3], high[3], size = 0.0;
    ff_mesh_bounds(mesh, low, high);
    for (int i = 0; i < 3; i++) size = ff_max(size, ff_max(fabs(low[i]), fabs(high[i])));
    double extent = ff_max(ff_max(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    *flat = !(extent > 0.0) || !isfinite(extent);
    if (*flat) return NULL;
    double *points = malloc((size_t)mesh->nvertex * 3 * sizeof(double));
    if (!points) return NULL;
    int exponent;
    (void)frexp(extent, &exponent);
    bool shift = size > 1e6 * extent;
    for (int i = 0; i < 3 * mesh->nvertex; i++)
        points[i] = ldexp(mesh->vertices[i] - (shift ? low[i % 3] : 0.0), -exponent);
    return points;
}

static ff_mesh *hull_mesh(hull *h, const ff_mesh *source)
{
    int nvertex = 0, ntriangle = 0;
    for (int i = 0; i < h->npoint; i++) h->next[i] = -1; // from here on: number of a point among the corners
    for (int f = 0; f < h->nface; f++) {
        if (!h->faces[f].alive) continue;
        ntriangle++;
        for (int k = 0; k < 3; k++)
            if (h->next[h->faces[f].v[k]] < 0) h->next[h->faces[f].v[k]] = nvertex++;
    }
    ff_mesh *mesh = ff_mesh_alloc(nvertex, ntriangle);
    if (!mesh) return NULL;
    for (int i = 0; i < h->npoint; i++)
        if (h->next[i] >= 0) ff_vec3_copy(mesh->vertices + 3 * h->next[i], source->vertices + 3 * i);
    int *triangle = mesh->triangles;
    for (int f = 0; f < h->nface; f++)
        for (int k = 0; h->faces[f].alive && k < 3; k++) *triangle++ = h->next[h->faces[f].v[k]];
    return mesh;
}

ff_mesh *ff_mesh_convex_hull(const ff_mesh *mesh, ff_error *err)
{
    if (!mesh || mesh->nvertex < 4) {
        ff_error_set(err, FF_BAD_MODEL, "a convex hull needs four vertices at least: there are %d",
                     mesh ? mesh->nvertex : 0);
        return NULL;
    }
    size_t count = (size_t)mesh->nvertex;
    hull h = {.npoint = mesh->nvertex};
    double *points = unit_points(mesh, &h.flat);
    h.points = points;
    h.next = malloc(count * sizeof(int));
    h.rim_start = malloc(count * sizeof(int));
    h.rim_round = calloc(count, sizeof(int));
    ff_mesh *out = NULL;
    if (points && h.next && h.rim_start && h.rim_round && start_tetrahedron(&h) && grow(&h)) out = hull_mesh(&h, mesh);
    if (h.flat)
        ff_error_set(err, FF_BAD_MODEL, "the %d vertices of the mesh lie in a plane: they have no convex hull",
                     mesh->nvertex);
    else if (h.stopped)
        ff_error_set(err, FF_STOPPED, "the search for a convex hull was stopped");
    else if (!out)
        ff_error_set(err, FF_NO_MEMORY, "no memory for the convex hull of %d vertices", mesh->nvertex);
    free(points);
    free(h.next);
    free(h.rim_start);
    free(h.rim_round);
    free(h.faces);
    free(h.spare);
    free(h.todo);
    free(h.seen);
    free(h.rim);
    return out;
}
