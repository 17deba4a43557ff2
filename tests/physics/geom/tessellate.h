// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Meshes of known solids for tests.
#ifndef FOOTFALL_TESTS_TESSELLATE_H
#define FOOTFALL_TESTS_TESSELLATE_H

#include <math.h>
#include <stdlib.h>

#include <footfall/geom.h>

/// One of each kind that has an inside.
static const ff_shape solids[] = {{FF_SHAPE_SPHERE, {0.3}, NULL},
                                  {FF_SHAPE_CAPSULE, {0.3, 0.7}, NULL},
                                  {FF_SHAPE_BOX, {0.1, 0.2, 0.5}, NULL},
                                  {FF_SHAPE_CYLINDER, {0.2, 0.9}, NULL},
                                  {FF_SHAPE_ELLIPSOID, {0.1, 0.2, 0.4}, NULL}};
enum { SOLIDS = sizeof solids / sizeof *solids };

static const int BOX_TRIANGLES[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

/// Corner i of a box: bits 0, 1, 2 of i choose the sign of x, y, z.
static inline void box_corners(double corner[24], double a, double b, double c)
{
    for (int i = 0; i < 8; i++) ff_vec3_set(corner + 3 * i, i & 1 ? a : -a, i & 2 ? b : -b, i & 4 ? c : -c);
}

static inline ff_mesh *mesh_box(double a, double b, double c)
{
    double corner[24];
    box_corners(corner, a, b, c);
    return ff_mesh_create(corner, 8, BOX_TRIANGLES, 12, NULL);
}

/// Body of revolution stretched in y: rings of `around` points (r cos, r * flat * sin, z), the first and last ring are
/// single points.
static inline ff_mesh *mesh_rings(const double *r, const double *z, int nring, int around, double flat)
{
    int nvertex = (nring - 2) * around + 2, ntriangle = 2 * around * (nring - 2), t = 0;
    double *vertex = malloc((size_t)nvertex * 3 * sizeof(double));
    int *triangle = malloc((size_t)ntriangle * 3 * sizeof(int));
    ff_vec3_set(vertex, 0.0, 0.0, z[0]);
    ff_vec3_set(vertex + 3 * (nvertex - 1), 0.0, 0.0, z[nring - 1]);
    for (int i = 1; i < nring - 1; i++)
        for (int k = 0; k < around; k++) {
            double angle = 2.0 * FF_PI * k / around;
            ff_vec3_set(vertex + 3 * (1 + (i - 1) * around + k), r[i] * cos(angle), flat * r[i] * sin(angle), z[i]);
        }
    for (int i = 0; i < nring - 1; i++)
        for (int k = 0; k < around; k++) {
            int k1 = (k + 1) % around;
            int a = i == 0 ? 0 : 1 + (i - 1) * around + k, b = i == 0 ? 0 : 1 + (i - 1) * around + k1;
            int c = i == nring - 2 ? nvertex - 1 : 1 + i * around + k1,
                d = i == nring - 2 ? nvertex - 1 : 1 + i * around + k;
            if (i > 0) {
                triangle[t++] = a, triangle[t++] = b, triangle[t++] = c;
            }
            if (i < nring - 2) {
                triangle[t++] = a, triangle[t++] = c, triangle[t++] = d;
            }
        }
    ff_mesh *mesh = ff_mesh_create(vertex, nvertex, triangle, t / 3, NULL);
    free(vertex);
    free(triangle);
    return mesh;
}

/// Tessellated shape with about `n` rings; corners lie on the surface.
static inline ff_mesh *mesh_of_shape(const ff_shape *shape, int n)
{
    enum { MAX = 600 };
    double r[MAX], z[MAX], flat = 1.0;
    int count = 0;
    const double *s = shape->size;
    if (shape->type == FF_SHAPE_BOX) return mesh_box(s[0], s[1], s[2]);
    if (shape->type == FF_SHAPE_CYLINDER) {
        r[0] = r[3] = 0.0, r[1] = r[2] = s[0];
        z[0] = z[1] = -s[1], z[2] = z[3] = s[1];
        count = 4;
    } else {
        double half = shape->type == FF_SHAPE_CAPSULE ? s[1] : 0.0;
        double high = shape->type == FF_SHAPE_ELLIPSOID ? s[2] : s[0];
        flat = shape->type == FF_SHAPE_ELLIPSOID ? s[1] / s[0] : 1.0;
        for (int i = 0; i <= n; i++) { // n is even: the equator is a ring, doubled where there is a cylinder part
            double angle = FF_PI * i / n;
            r[count] = s[0] * sin(angle), z[count++] = -high * cos(angle) + (2 * i <= n ? -half : half);
            if (2 * i == n && half > 0.0) r[count] = s[0], z[count++] = half;
        }
    }
    return mesh_rings(r, z, count, 2 * n, flat);
}

/// The mesh moved by x' = R x + p.
static inline ff_mesh *mesh_moved(const ff_mesh *mesh, const double R[9], const double p[3])
{
    ff_mesh *out = ff_mesh_create(mesh->vertices, mesh->nvertex, mesh->triangles, mesh->ntriangle, NULL);
    for (int i = 0; out && i < mesh->nvertex; i++) {
        ff_mat3_mulv(out->vertices + 3 * i, R, mesh->vertices + 3 * i);
        ff_vec3_add(out->vertices + 3 * i, out->vertices + 3 * i, p);
    }
    return out;
}

/// Largest difference of two inertias, relative to the larger one's entries of the same kind.
static inline double inertia_difference(const ff_inertia *a, const ff_inertia *b)
{
    double worst = fabs(a->mass - b->mass) / fabs(b->mass), size = 0.0, most = 0.0;
    for (int k = 0; k < 6; k++) size = fmax(size, fabs(b->I[k]));
    for (int k = 0; k < 6; k++) most = fmax(most, fabs(a->I[k] - b->I[k]) / size);
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(a->h[k] - b->h[k]) / sqrt(size * fabs(b->mass)));
    return fmax(worst, most);
}

#endif
