// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Nearest point of a triangle, whether it is the nearest of the surface around it, and the shortest motion out of
// several half-spaces, in plain arithmetic, for processors and devices. A source defines FF_CORE, the qualifiers of
// functions, before it includes this.
#ifndef FOOTFALL_NEAREST_CORE_H
#define FOOTFALL_NEAREST_CORE_H

#include <math.h>

FF_CORE double ff_core_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

FF_CORE void ff_core_cross(double *out, const double *a, const double *b)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

enum { FF_ON_FACE, FF_ON_EDGE, FF_ON_CORNER };

/// Nearest point q to the origin of a triangle of corners c and unit normal n.
/// @return what it lies on; the number of the edge or corner in *k
FF_CORE int ff_core_triangle_nearest(const double *c, const double *n, double *q, int *k)
{
    int outside = 0, on = FF_ON_CORNER;
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        double e[3], m[3];
        for (int j = 0; j < 3; j++) e[j] = c[3 * ((i + 1) % 3) + j] - c[3 * i + j];
        ff_core_cross(m, e, n);
        outside = outside || -ff_core_dot(c + 3 * i, m) > 0.0;
    }
    if (!outside) {
        const double height = ff_core_dot(c, n);
        for (int j = 0; j < 3; j++) q[j] = height * n[j];
        return FF_ON_FACE;
    }
    *k = 0;
    for (int j = 0; j < 3; j++) q[j] = c[j];
    for (int i = 0; i < 3; i++) {
        const double *a = c + 3 * i;
        double e[3], x[3];
        for (int j = 0; j < 3; j++) e[j] = c[3 * ((i + 1) % 3) + j] - a[j];
        double t = -ff_core_dot(a, e) / ff_core_dot(e, e);
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        for (int j = 0; j < 3; j++) x[j] = t < 1.0 ? a[j] + t * e[j] : c[3 * ((i + 1) % 3) + j];
        double d2 = ff_core_dot(x, x);
        if (d2 >= best) continue;
        best = d2;
        for (int j = 0; j < 3; j++) q[j] = x[j];
        on = t > 0.0 && t < 1.0 ? FF_ON_EDGE : FF_ON_CORNER;
        *k = t >= 1.0 ? (i + 1) % 3 : i;
    }
    return on;
}

/// Normal and signed distance of a point at the step d from its nearest point of a surface, whose normal there is `up`.
/// @return the distance, below zero behind the surface
FF_CORE double ff_core_signed_step(const double *d, const double *up, double *normal)
{
    const double length = sqrt(ff_core_dot(d, d)), sign = ff_core_dot(d, up) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) normal[k] = length > 1e-14 ? sign / length * d[k] : up[k];
    return sign * length;
}

/// Does the step d from an edge, which goes from the point a along e, lead over a triangle at this edge? Then the
/// triangle is nearer than the edge.
FF_CORE int ff_core_leads_over(const double *corner, const double *a, const double *e, const double *d)
{
    double into[3] = {0.0, 0.0, 0.0}, most = 0.0;
    for (int k = 0; k < 3; k++) { // the corner that is not on the edge gives the direction into the triangle
        double w[3];
        for (int i = 0; i < 3; i++) w[i] = corner[3 * k + i] - a[i];
        const double along = -ff_core_dot(w, e) / ff_core_dot(e, e);
        for (int i = 0; i < 3; i++) w[i] += along * e[i];
        if (ff_core_dot(w, w) <= most) continue;
        most = ff_core_dot(w, w);
        for (int i = 0; i < 3; i++) into[i] = w[i];
    }
    return ff_core_dot(d, into) > 1e-12 * sqrt(ff_core_dot(d, d) * most);
}

/// Is the origin over the triangle of corners c, but for rounding? Between two triangles of one plane rounding may put
/// it outside of both.  @param height, q  its height over the plane of normal n, and its nearest point of the triangle
FF_CORE int ff_core_nearly_over(const double *c, double height, const double *n, const double *q)
{
    double off[3], size = 0.0;
    for (int i = 0; i < 3; i++) {
        off[i] = q[i] + height * n[i];
        const double a = fabs(c[i] - c[3 + i]), b = fabs(c[i] - c[6 + i]), wide = a > b ? a : b;
        size = size > wide ? size : wide;
    }
    return sqrt(ff_core_dot(off, off)) <= 1e-6 * fabs(height) + 1e-10 * size;
}

// ------------------------------------------------------------------------------------------ fillets

// The shortest motion out of several half-spaces is the smallest u with
//     n_i . u >= e_i   for all i,     u = sum of s_i n_i,   s_i >= 0, zero where n_i . u > e_i.
// At most three of them decide in space. There are few, so that each alone, all pairs and all triples are tried in
// turn. The length |u| is the distance to the intersection of the half-spaces: its gradient by a common motion is the
// unit vector along u, so that a force along it that depends on |u| has a potential.

/// Half-spaces n_i . u >= e_i, of which one e_i at least is above zero, and the motion u that is tried.
typedef struct ff_fillet_search {
    const double (*n)[3];
    const double *e;
    int count;
    double most; // largest e
    double *u, *share;
} ff_fillet_search;

/// Are the other conditions fulfilled, too? Those with a share are, by the construction of u, but for rounding, which
/// is large where two normals are nearly equal.
FF_CORE int ff_fillet_fulfilled(const ff_fillet_search *s)
{
    for (int k = 0; k < s->count; k++)
        if (!(s->share[k] > 0.0) && ff_core_dot(s->n[k], s->u) < s->e[k] - 1e-12 * s->most) return 0;
    return 1;
}

FF_CORE void ff_fillet_clear(const ff_fillet_search *s)
{
    for (int k = 0; k < s->count; k++) s->share[k] = 0.0;
}

FF_CORE void ff_fillet_one(const ff_fillet_search *s, int i)
{
    ff_fillet_clear(s);
    for (int m = 0; m < 3; m++) s->u[m] = s->n[i][m] * s->most;
    s->share[i] = s->most;
}

FF_CORE int ff_fillet_two(const ff_fillet_search *s, int i, int j)
{
    const double c = ff_core_dot(s->n[i], s->n[j]), det = (1.0 - c) * (1.0 + c);
    const double a = (s->e[i] - c * s->e[j]) / det, b = (s->e[j] - c * s->e[i]) / det;
    ff_fillet_clear(s);
    if (!(a >= 0.0 && b >= 0.0)) return 0;
    for (int k = 0; k < 3; k++) s->u[k] = a * s->n[i][k] + b * s->n[j][k];
    s->share[i] = a;
    s->share[j] = b;
    return ff_fillet_fulfilled(s);
}

FF_CORE int ff_fillet_three(const ff_fillet_search *s, int i, int j, int k)
{
    double across[3][3];
    const int of[3] = {i, j, k};
    ff_core_cross(across[0], s->n[j], s->n[k]);
    ff_core_cross(across[1], s->n[k], s->n[i]);
    ff_core_cross(across[2], s->n[i], s->n[j]);
    const double det = ff_core_dot(s->n[i], across[0]);
    ff_fillet_clear(s);
    for (int c = 0; c < 3; c++) s->u[c] = 0.0;
    for (int m = 0; m < 3; m++) {
        const double part = s->e[of[m]] / det;
        for (int c = 0; c < 3; c++) s->u[c] += part * across[m][c];
    }
    for (int m = 0; m < 3; m++) s->share[of[m]] = ff_core_dot(s->u, across[m]) / det;
    return s->share[i] >= 0.0 && s->share[j] >= 0.0 && s->share[k] >= 0.0 && ff_fillet_fulfilled(s);
}

/// u and share of a search that has n, e and count. @return length of u
FF_CORE double ff_fillet_solve(ff_fillet_search *s)
{
    int first = 0;
    for (int i = 1; i < s->count; i++)
        if (s->e[i] > s->e[first]) first = i;
    s->most = s->e[first];
    ff_fillet_one(s, first);
    if (ff_fillet_fulfilled(s)) return s->most;
    for (int i = 0; i < s->count; i++)
        for (int j = i + 1; j < s->count; j++)
            if (ff_fillet_two(s, i, j)) return sqrt(ff_core_dot(s->u, s->u));
    for (int i = 0; i < s->count; i++)
        for (int j = i + 1; j < s->count; j++)
            for (int k = j + 1; k < s->count; k++)
                if (ff_fillet_three(s, i, j, k)) return sqrt(ff_core_dot(s->u, s->u));
    ff_fillet_one(s, first); // by rounding no combination fulfils all conditions: the deepest one is used
    return s->most;
}

#endif
