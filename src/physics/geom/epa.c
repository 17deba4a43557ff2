// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Depth of two overlapping convex cores by the expanding polytope: from a tetrahedron inside the difference D = {y - x}
// on, the face nearest to the origin is pushed out to the support point of D along its normal, until that gains
// nothing.
//     G. van den Bergen, Proximity queries and penetration depth computation on 3D game objects, GDC 2001.
// Every support value h(m) bounds the depth from above and the distance of the nearest face from below. So the smallest
// h seen is kept, and the search may stop at any time (buffer full, flat face, rounding) with a direction that does
// separate the cores by that depth.
#include "collide_private.h"

#define VERTICES 200
#define FACES    (2 * VERTICES)
// Ends when the bounds differ by less than this share of the sizes.
#define TOLERANCE 1e-11
// Depths that differ by less than this share of the sizes are equal.
#define TIE 1e-10

typedef struct face {
    int v[3];    // counter-clockwise from outside
    int next[3]; // face across the edge v[i], v[i+1]
    int twin[3]; // number of that edge there
    bool alive;
    double m[3]; // outward unit normal
    double d;    // distance of its plane from the origin
} face;

typedef struct polytope {
    const ff_solid *a, *b;
    double w[VERTICES + 1][3], p1[VERTICES + 1][3], p2[VERTICES + 1][3]; // the last one for trials
    face face[FACES];
    int horizon[FACES][2]; // face beyond and its edge, in order around the hole
    int dead[FACES];       // places of removed faces, to be used again
    int nvertex, nface, nhorizon, ndead;
    int hint[2];
    double scale;
} polytope;

// Puts the support point along m behind the corners. @return the support value
static double support(polytope *p, const double m[3])
{
    double opposite[3];
    int i = p->nvertex;
    ff_vec3_scale(opposite, m, -1.0);
    ff_solid_support(p->a, opposite, p->p1[i], &p->hint[0]);
    ff_solid_support(p->b, m, p->p2[i], &p->hint[1]);
    ff_vec3_sub(p->w[i], p->p2[i], p->p1[i]);
    return ff_vec3_dot(p->w[i], m);
}

// @return the number of the new face, in the place of a dead one if there is one; -1 when the buffer is full
static int add_face(polytope *p, int i, int j, int k)
{
    if (p->ndead == 0 && p->nface == FACES) return -1;
    int slot = p->ndead > 0 ? p->dead[--p->ndead] : p->nface++;
    face *f = &p->face[slot];
    f->alive = true;
    double u[3], v[3];
    f->v[0] = i, f->v[1] = j, f->v[2] = k;
    ff_vec3_sub(u, p->w[j], p->w[i]);
    ff_vec3_sub(v, p->w[k], p->w[i]);
    ff_vec3_cross(f->m, u, v);
    double length = ff_vec3_norm(f->m);
    // The normal of a sliver is not known; the sliver stays in the surface but is never the nearest face.
    if (!(length > 1e-12 * ff_vec3_norm(u) * ff_vec3_norm(v)) || !(length > 0.0)) {
        ff_vec3_set(f->m, 0.0, 0.0, 0.0);
        f->d = INFINITY;
        return slot;
    }
    ff_vec3_scale(f->m, f->m, 1.0 / length);
    f->d = ff_vec3_dot(f->m, p->w[i]);
    return slot;
}

// Makes edge i of face f and edge j of face g neighbours.
static void join(polytope *p, int f, int i, int g, int j)
{
    p->face[f].next[i] = g;
    p->face[f].twin[i] = j;
    p->face[g].next[j] = f;
    p->face[g].twin[j] = i;
}

// ------------------------------------------------------------------------------------------ the first tetrahedron

// Takes the support point along m (or its opposite) as the next corner if it leaves the span of the corners so far.
static bool grow(polytope *p, const double m[3])
{
    double base = ff_vec3_dot(p->w[0], m), limit = 1e-10 * p->scale, opposite[3];
    if (support(p, m) - base > limit) {
        p->nvertex++;
        return true;
    }
    ff_vec3_scale(opposite, m, -1.0);
    if (support(p, opposite) + base > limit) {
        p->nvertex++;
        return true;
    }
    return false;
}

// Like ff_vec3_normalise, for vectors of any length; up for none.
static void to_unit(double m[3])
{
    double length = ff_vec3_norm(m);
    if (length > 0.0)
        ff_vec3_scale(m, m, 1.0 / length);
    else
        ff_vec3_set(m, 0.0, 0.0, 1.0);
}

static void spanned_normal(const polytope *p, double m[3])
{
    double u[3], v[3];
    ff_vec3_sub(u, p->w[1], p->w[0]);
    ff_vec3_sub(v, p->w[2], p->w[0]);
    ff_vec3_cross(m, u, v);
    to_unit(m);
}

// Completes the corners to a tetrahedron; false when D is flat, with a normal of it in m.
static bool complete(polytope *p, double m[3])
{
    static const double AXES[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (p->nvertex == 0) {
        support(p, AXES[0]);
        p->nvertex = 1;
    }
    for (int k = 0; k < 3 && p->nvertex == 1; k++) grow(p, AXES[k]);
    ff_vec3_set(m, 0.0, 0.0, 1.0);
    if (p->nvertex == 1) return false;
    double u[3], v[3];
    ff_vec3_sub(u, p->w[1], p->w[0]);
    to_unit(u);
    ff_perpendicular(v, u);
    ff_vec3_copy(m, v);
    if (p->nvertex == 2 && !grow(p, v)) {
        ff_vec3_cross(m, u, v);
        if (!grow(p, m)) return false;
    }
    spanned_normal(p, m);
    return p->nvertex == 4 || grow(p, m);
}

// Distance of corner 3 from the plane of the others, below zero behind it.
static double volume_sign(const polytope *p)
{
    double m[3], d[3];
    spanned_normal(p, m);
    ff_vec3_sub(d, p->w[3], p->w[0]);
    return ff_vec3_dot(m, d);
}

// A tetrahedron from GJK may be flat: then start again from fewer of its corners.
static bool first_tetrahedron(polytope *p, double m[3])
{
    if (p->nvertex == 4 && fabs(volume_sign(p)) < 1e-9 * p->scale) p->nvertex = 3;
    if (p->nvertex >= 3) {
        double u[3], v[3], n[3];
        ff_vec3_sub(u, p->w[1], p->w[0]);
        ff_vec3_sub(v, p->w[2], p->w[0]);
        ff_vec3_cross(n, u, v);
        if (!(ff_vec3_norm(n) > 1e-9 * p->scale * p->scale)) p->nvertex = 1;
    }
    if (p->nvertex == 2) {
        double u[3];
        ff_vec3_sub(u, p->w[1], p->w[0]);
        if (!(ff_vec3_norm(u) > 1e-9 * p->scale)) p->nvertex = 1;
    }
    if (!complete(p, m)) return false;
    bool right = volume_sign(p) < 0.0; // corner 3 behind the face 0 1 2
    int i = right ? 1 : 2, j = right ? 2 : 1;
    add_face(p, 0, i, j);
    add_face(p, i, 0, 3);
    add_face(p, j, i, 3);
    add_face(p, 0, j, 3);
    for (int k = 0; k < 3; k++) {
        join(p, 0, k, 1 + k, 0);
        join(p, 1 + k, 2, 1 + (k + 1) % 3, 1);
    }
    return true;
}

// ------------------------------------------------------------------------------------------ growth

// Removes face f, entered through its edge `from`, and on from there all faces that see the corner w; edges to faces
// that do not see it are the horizon. Faces in one plane with w are removed, too: they would become slivers with it.
static void find_horizon(polytope *p, int f, int from, const double w[3])
{
    face *g = &p->face[f];
    if (!g->alive) return;
    if (!isinf(g->d) && ff_vec3_dot(g->m, w) - g->d <= -1e-13 * p->scale) {
        if (p->nhorizon < FACES) {
            p->horizon[p->nhorizon][0] = f;
            p->horizon[p->nhorizon][1] = from;
        }
        p->nhorizon++;
        return;
    }
    g->alive = false;
    p->dead[p->ndead++] = f;
    find_horizon(p, g->next[(from + 1) % 3], g->twin[(from + 1) % 3], w);
    find_horizon(p, g->next[(from + 2) % 3], g->twin[(from + 2) % 3], w);
}

// Replaces the faces that see the new corner by a fan of faces from it. False when by rounding the horizon is not
// closed: the polytope is then unusable.
static bool expand(polytope *p, int seed)
{
    int corner = p->nvertex++, fan[FACES];
    face *g = &p->face[seed];
    p->nhorizon = 0;
    g->alive = false;
    p->dead[p->ndead++] = seed;
    for (int k = 0; k < 3; k++) find_horizon(p, g->next[k], g->twin[k], p->w[corner]);
    if (p->nhorizon < 3 || p->nhorizon > FACES) return false;
    for (int k = 0; k < p->nhorizon; k++) {
        const int *h = p->horizon[k], *after = p->horizon[(k + 1) % p->nhorizon];
        const face *outer = &p->face[h[0]], *other = &p->face[after[0]];
        if (!outer->alive || outer->v[h[1]] != other->v[(after[1] + 1) % 3]) return false;
        fan[k] = add_face(p, outer->v[(h[1] + 1) % 3], outer->v[h[1]], corner);
        if (fan[k] < 0) return false;
        join(p, fan[k], 0, h[0], h[1]);
    }
    for (int k = 0; k < p->nhorizon; k++) join(p, fan[k], 1, fan[(k + 1) % p->nhorizon], 2);
    return true;
}

// The face nearest to the origin. Round shapes that share a middle are equally deep in every direction: refined all
// around, the polytope would be full before it is fine anywhere. So the second half of its corners is used around the
// best direction `out` alone.
static const face *nearest_face(const polytope *p, const double out[3])
{
    const face *best = NULL;
    double least = p->nvertex < VERTICES / 2 ? -2.0 : p->nvertex < 3 * VERTICES / 4 ? 0.9 : 0.995;
    for (int f = 0; f < p->nface; f++) {
        const face *g = &p->face[f];
        if (!g->alive || (best && g->d >= best->d)) continue;
        if (least < -1.0 || -ff_vec3_dot(g->m, out) > least) best = g;
    }
    return best && !isinf(best->d) ? best : NULL;
}

typedef struct separation {
    double least; // smallest support value so far, a bound of the depth
    double depth; // the one that belongs to the direction
    double n[3];  // along which b separates: minus the direction
} separation;

// Takes the direction of a face, whose support value is h, unless the best is better by more than TIE. Of equal ones
// the later is taken, since its face is in the final polytope.
static void try_face(const polytope *p, const face *f, double h, separation *out)
{
    if (!(h < out->least + TIE * p->scale)) return;
    out->least = ff_min(h, out->least);
    out->depth = h;
    ff_vec3_scale(out->n, f->m, -1.0);
}

// Where the polytope is full or unusable, the direction m is moved by ever smaller steps as long as the depth h falls.
// @return the depth
static double refine_direction(polytope *p, double m[3], double h)
{
    double step = 0.02;
    for (int round = 0; round < 200 && step > 1e-10; round++) {
        double u[3], v[3], before = h;
        ff_perpendicular(u, m);
        ff_vec3_cross(v, m, u);
        for (int k = 0; k < 4; k++) {
            double trial[3];
            ff_vec3_copy(trial, m);
            ff_vec3_axpy(trial, k & 1 ? -step : step, k < 2 ? u : v);
            to_unit(trial);
            double depth = support(p, trial);
            if (depth >= h) continue;
            h = depth;
            ff_vec3_copy(m, trial);
        }
        if (h >= before) step *= 0.5;
    }
    return h;
}

// Shares of the corners of a face at the foot of the origin on it, summing to 1; the least one is negative when the
// foot is outside.
static double shares(const polytope *p, const face *f, double share[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        double m[3];
        ff_vec3_cross(m, p->w[f->v[(i + 1) % 3]], p->w[f->v[(i + 2) % 3]]);
        share[i] = ff_vec3_dot(m, f->m);
        sum += share[i];
    }
    if (!(sum > 0.0)) return -INFINITY;
    for (int i = 0; i < 3; i++) share[i] /= sum;
    return ff_min(share[0], ff_min(share[1], share[2]));
}

// The points of both cores, from the face that the foot of the origin is on. Flat parts of the surface consist of many
// faces at the same distance, of which only one has the foot.
static void witness(const polytope *p, ff_collide_nearest *out)
{
    const face *best = NULL;
    double most = -INFINITY, share[3];
    for (int i = 0; i < p->nface; i++) {
        const face *f = &p->face[i];
        if (!f->alive || f->d > 1e-7 * p->scale - out->distance || -ff_vec3_dot(f->m, out->normal) < 0.99) continue;
        double least = shares(p, f, share);
        if (least > most) most = least, best = f;
    }
    if (!best) return;
    shares(p, best, share);
    ff_vec3_set(out->point1, 0.0, 0.0, 0.0);
    ff_vec3_set(out->point2, 0.0, 0.0, 0.0);
    double sum = ff_max(share[0], 0.0) + ff_max(share[1], 0.0) + ff_max(share[2], 0.0);
    for (int i = 0; i < 3; i++) {
        ff_vec3_axpy(out->point1, ff_max(share[i], 0.0) / sum, p->p1[best->v[i]]);
        ff_vec3_axpy(out->point2, ff_max(share[i], 0.0) / sum, p->p2[best->v[i]]);
    }
}

// Cores that touch without a common volume: depth zero along the normal of the flat difference.
static void set_touching(const polytope *p, const double m[3], ff_collide_nearest *out)
{
    double c1[3], c2[3], d[3];
    ff_solid_centre(p->a, c1);
    ff_solid_centre(p->b, c2);
    ff_vec3_sub(d, c2, c1);
    ff_vec3_scale(out->normal, m, ff_vec3_dot(d, m) < 0.0 ? -1.0 : 1.0);
    out->distance = 0.0;
    ff_vec3_copy(out->point1, p->p1[0]);
    ff_vec3_copy(out->point2, p->p1[0]);
}

// Pushes faces out until the depth is known. @return false when the polytope became full or unusable before
static bool search(polytope *p, separation *out)
{
    for (bool all_tried = false;;) {
        if (p->nvertex == VERTICES / 2 && !all_tried) { // from here on the search is limited to the best direction
            all_tried = true;
            for (int i = 0; i < p->nface; i++)
                if (p->face[i].alive && !isinf(p->face[i].d)) try_face(p, &p->face[i], support(p, p->face[i].m), out);
        }
        const face *f = nearest_face(p, out->n);
        if (!f || p->nvertex == VERTICES) return false;
        try_face(p, f, support(p, f->m), out);
        if (out->least - f->d <= TOLERANCE * p->scale) return true;
        if (!expand(p, (int)(f - p->face))) return false;
    }
}

void ff_nearest_epa(const ff_solid *a, const ff_solid *b, ff_simplex *simplex, ff_collide_nearest *out)
{
    polytope p;
    separation found = {.least = INFINITY};
    double m[3];
    p.a = a, p.b = b;
    p.nface = p.nhorizon = p.ndead = p.hint[0] = p.hint[1] = 0;
    p.nvertex = simplex->count;
    p.scale = ff_solid_extent(a) + ff_solid_extent(b) + 1e-12;
    memcpy(p.w, simplex->w, sizeof simplex->w);
    memcpy(p.p1, simplex->p1, sizeof simplex->p1);
    memcpy(p.p2, simplex->p2, sizeof simplex->p2);
    if (!first_tetrahedron(&p, m)) {
        set_touching(&p, m, out);
        return;
    }
    bool converged = search(&p, &found);
    if (isinf(found.least)) {
        set_touching(&p, m, out);
        return;
    }
    ff_vec3_scale(m, found.n, -1.0);
    if (!converged) found.depth = refine_direction(&p, m, found.depth);
    ff_vec3_scale(out->normal, m, -1.0);
    out->distance = -found.depth;
    ff_vec3_copy(out->point1, p.p1[0]);
    ff_vec3_copy(out->point2, p.p2[0]);
    witness(&p, out);
    // Faces cut off parts of curved surfaces: the points are moved apart to the exact depth.
    double middle[3];
    ff_vec3_add(middle, out->point1, out->point2);
    for (int k = 0; k < 3; k++) {
        out->point1[k] = 0.5 * middle[k] - 0.5 * out->distance * out->normal[k];
        out->point2[k] = 0.5 * middle[k] + 0.5 * out->distance * out->normal[k];
    }
}
