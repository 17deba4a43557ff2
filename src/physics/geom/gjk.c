// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distance of two convex cores by GJK: the point of the difference D = {y - x : x in a, y in b} that is nearest to the
// origin, approached by simplices whose corners are support points of D.
//     E. G. Gilbert, D. W. Johnson, S. S. Keerthi, IEEE J. Robotics and Automation 4(2), 1988.
// v is the point of the simplex nearest to the origin, w the support point of D against v. Each round either lowers
// |v|, or is the last: |v|^2 - v.w bounds the error of |v|^2. Where the origin is inside D, or so close to it that v is
// only rounding, EPA continues from the simplex.
#include "collide_private.h"

#define ROUNDS 200
// Ends when (|v|^2 - v.w) <= TOLERANCE |v|^2, that is, the distance is right to this share.
#define TOLERANCE 1e-13
// Nearer than this share of the sizes, the cores touch.
#define TOUCHING 1e-11
// Nearer than this share of the sizes, the normal of a face may be more exact than the direction of the nearest points.
#define CLOSE 1e-4

static void move_corner(ff_simplex *s, int from, int to, double weight)
{
    if (from != to) {
        ff_vec3_copy(s->w[to], s->w[from]);
        ff_vec3_copy(s->p1[to], s->p1[from]);
        ff_vec3_copy(s->p2[to], s->p2[from]);
    }
    s->weight[to] = weight;
}

// Weights of the point of segment i, j nearest to the origin; zero weight for a corner that does not take part.
static double segment_weights(const ff_simplex *s, const int c[2], double weight[2])
{
    double d[3], v[3];
    ff_vec3_sub(d, s->w[c[1]], s->w[c[0]]);
    double length2 = ff_vec3_dot(d, d), t = length2 > 0.0 ? -ff_vec3_dot(s->w[c[0]], d) / length2 : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    weight[0] = 1.0 - t;
    weight[1] = t;
    for (int k = 0; k < 3; k++) v[k] = s->w[c[0]][k] + t * d[k];
    return ff_vec3_dot(v, v);
}

// Weights of the point of the edges of triangle c nearest to the origin. @return its squared distance
static double edges_of_triangle(const ff_simplex *s, const int c[3], double weight[3])
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        int pair[2] = {c[i], c[(i + 1) % 3]};
        double two[2], d2 = segment_weights(s, pair, two);
        if (d2 >= least) continue;
        least = d2;
        weight[i] = two[0];
        weight[(i + 1) % 3] = two[1];
        weight[(i + 2) % 3] = 0.0;
    }
    return least;
}

static double triangle_weights(const ff_simplex *s, const int c[3], double weight[3])
{
    const double *a = s->w[c[0]], *b = s->w[c[1]], *d = s->w[c[2]];
    double ab[3], ad[3], n[3], part[3], area2, v[3];
    ff_vec3_sub(ab, b, a);
    ff_vec3_sub(ad, d, a);
    ff_vec3_cross(n, ab, ad);
    area2 = ff_vec3_dot(n, n);
    double scale = ff_vec3_dot(ab, ab) * ff_vec3_dot(ad, ad);
    if (!(area2 > 1e-28 * scale)) return edges_of_triangle(s, c, weight);
    for (int i = 0; i < 3; i++) {
        double m[3];
        ff_vec3_cross(m, s->w[c[(i + 1) % 3]], s->w[c[(i + 2) % 3]]);
        part[i] = ff_vec3_dot(m, n) / area2;
    }
    if (part[0] < 0.0 || part[1] < 0.0 || part[2] < 0.0) return edges_of_triangle(s, c, weight);
    double sum = part[0] + part[1] + part[2];
    for (int i = 0; i < 3; i++) weight[i] = part[i] / sum;
    for (int k = 0; k < 3; k++) v[k] = weight[0] * a[k] + weight[1] * b[k] + weight[2] * d[k];
    return ff_vec3_dot(v, v);
}

// On which side of the face c (outward means away from `inner`) the origin lies; a flat tetrahedron counts as outside.
static bool origin_outside(const ff_simplex *s, const int c[3], int inner)
{
    double ab[3], ac[3], n[3], to_inner[3];
    ff_vec3_sub(ab, s->w[c[1]], s->w[c[0]]);
    ff_vec3_sub(ac, s->w[c[2]], s->w[c[0]]);
    ff_vec3_cross(n, ab, ac);
    ff_vec3_sub(to_inner, s->w[inner], s->w[c[0]]);
    double in = ff_vec3_dot(n, to_inner), origin = -ff_vec3_dot(n, s->w[c[0]]);
    if (fabs(in) <= 1e-14 * ff_vec3_norm(n) * ff_vec3_norm(to_inner)) return true;
    return in * origin < 0.0;
}

static const int FACES[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};

static double tetrahedron_weights(const ff_simplex *s, double weight[4])
{
    double least = INFINITY;
    for (int f = 0; f < 4; f++) {
        double three[3];
        if (!origin_outside(s, FACES[f], FACES[f][3])) continue;
        double d2 = triangle_weights(s, FACES[f], three);
        if (d2 >= least) continue;
        least = d2;
        for (int i = 0; i < 3; i++) weight[FACES[f][i]] = three[i];
        weight[FACES[f][3]] = 0.0;
    }
    return isinf(least) ? 0.0 : least; // outside of no face: inside, all four corners stay
}

// Reduces the simplex to the face nearest to the origin and returns the point v of it; false when the origin is inside.
static bool reduce(ff_simplex *s, double v[3])
{
    double weight[4] = {1.0, 1.0, 1.0, 1.0};
    static const int FIRST[3] = {0, 1, 2};
    if (s->count == 2) segment_weights(s, FIRST, weight);
    if (s->count == 3) triangle_weights(s, FIRST, weight);
    if (s->count == 4 && tetrahedron_weights(s, weight) == 0.0 && weight[0] * weight[1] * weight[2] * weight[3] > 0.0)
        return false;
    int count = 0;
    ff_vec3_set(v, 0.0, 0.0, 0.0);
    for (int i = 0; i < s->count; i++)
        if (weight[i] > 0.0) {
            move_corner(s, i, count, weight[i]);
            ff_vec3_axpy(v, weight[i], s->w[count++]);
        }
    s->count = count;
    return true;
}

static void add_support(const ff_solid *a, const ff_solid *b, const double v[3], ff_simplex *s, int hint[2])
{
    double opposite[3];
    int i = s->count++;
    ff_vec3_scale(opposite, v, -1.0);
    ff_solid_support(a, v, s->p1[i], &hint[0]);
    ff_solid_support(b, opposite, s->p2[i], &hint[1]);
    ff_vec3_sub(s->w[i], s->p2[i], s->p1[i]);
}

// Is the newest corner of the simplex one of the others?
static bool repeats_corner(const ff_simplex *s)
{
    const double *newest = s->w[s->count - 1];
    for (int i = 0; i < s->count - 1; i++)
        if (s->w[i][0] == newest[0] && s->w[i][1] == newest[1] && s->w[i][2] == newest[2]) return true;
    return false;
}

static void set_separation(const ff_simplex *s, const double v[3], ff_collide_nearest *out)
{
    double length = ff_vec3_norm(v);
    ff_vec3_set(out->point1, 0.0, 0.0, 0.0);
    ff_vec3_set(out->point2, 0.0, 0.0, 0.0);
    for (int i = 0; i < s->count; i++) {
        ff_vec3_axpy(out->point1, s->weight[i], s->p1[i]);
        ff_vec3_axpy(out->point2, s->weight[i], s->p2[i]);
    }
    ff_vec3_scale(out->normal, v, 1.0 / length);
    out->distance = length;
}

// How far the cores are apart along the unit vector n. This gap is largest along the line of the nearest points, where
// it is the distance.
static double gap_along(const ff_solid *a, const ff_solid *b, const double n[3])
{
    double opposite[3], top[3], bottom[3];
    int hint[2] = {0, 0};
    ff_vec3_scale(opposite, n, -1.0);
    ff_solid_support(a, n, top, &hint[0]);
    ff_solid_support(b, opposite, bottom, &hint[1]);
    return ff_vec3_dot(bottom, n) - ff_vec3_dot(top, n);
}

// A short v is the difference of long vectors, so that rounding turns it: by 1e-5 rad at a gap of 1e-12 m between boxes
// of 0.1 m that rest on each other. The normal of a face is exact at any gap. It is taken where it gives the larger
// gap.
static void try_faces(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out)
{
    ff_feature face;
    double most = gap_along(a, b, out->normal), v[3];
    ff_vec3_copy(v, out->normal);
    for (int k = 0; k < 2; k++) {
        const double side = k ? -1.0 : 1.0;
        double n[3];
        ff_vec3_scale(n, v, side);
        ff_solid_feature(k ? b : a, n, &face);
        if (face.count < 3) continue;
        ff_vec3_scale(n, face.normal, side);
        const double gap = gap_along(a, b, n);
        if (!(gap > most)) continue;
        most = out->distance = gap;
        ff_vec3_copy(out->normal, n);
    }
}

// GJK: reduces the simplex and adds support points until v is the distance.
static void approach(const ff_solid *a, const ff_solid *b, double size, ff_collide_nearest *out)
{
    ff_simplex s, last = {.count = 0};
    double c1[3], c2[3], v[3], best[3] = {0.0, 0.0, 0.0}, least = INFINITY;
    int hint[2] = {0, 0};
    ff_solid_centre(a, c1);
    ff_solid_centre(b, c2);
    ff_vec3_sub(v, c2, c1);
    if (ff_vec3_norm(v) == 0.0) v[2] = 1.0;
    const double touching = TOUCHING * (size + 1e-9);
    bool apart = false; // a direction that separates the cores has been found
    s.count = 0;
    add_support(a, b, v, &s, hint);
    for (int round = 0; round < ROUNDS; round++) {
        bool outside = reduce(&s, v);
        double d2 = outside ? ff_vec3_dot(v, v) : 0.0;
        if (d2 <= touching * touching && !apart) {
            ff_nearest_epa(a, b, &s, out);
            return;
        }
        if (d2 >= least ||
            !outside) { // no progress, as with flat simplices: the last one is as exact as rounding allows
            s = last;
            ff_vec3_copy(v, best);
            break;
        }
        least = d2;
        ff_vec3_copy(best, v);
        last = s;
        add_support(a, b, v, &s, hint);
        double bound = ff_vec3_dot(v, s.w[s.count - 1]);
        apart = apart || bound > touching * sqrt(d2);
        if (d2 - bound <= TOLERANCE * d2 || repeats_corner(&s)) {
            s = last;
            break;
        }
    }
    set_separation(&s, v, out);
}

void ff_nearest_gjk(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out)
{
    const double size = ff_solid_extent(a) + ff_solid_extent(b);
    approach(a, b, size, out);
    if (out->distance > 0.0 && out->distance < CLOSE * size) try_faces(a, b, out);
}
