// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Mass properties of a mesh as MuJoCo 2 takes them. It makes the area-weighted mean of the triangle centres the apex of
// all tetrahedra and finds the centre of mass; then it takes volume and inertia anew with the centre of mass as apex.
// The vertices are single precision and so are sums and products of them; the rest is double. It keeps principal
// moments and axes, the axes up to 1.4e-6 rad off.
//
// Its default counts every tetrahedron as positive, and takes the volume of the box with equal inertia per mass for the
// volume of the mesh: an ellipsoid loses 11 % of its mass. With exactmeshinertia it counts them signed and keeps their
// volume.
//
// An MJCF file means the masses its author saw, so both are done here with the same roundings. In double throughout,
// masses would differ by about 1e-7; like this they differ by 1e-12.
#include <math.h>
#include <stdlib.h>

#include "geom_private.h"

// Twice-used numbers of one triangle: area [m^2], unit normal, centre.
static double legacy_triangle(const float *a, const float *b, const float *c, double normal[3], double centre[3])
{
    double ab[3], ac[3];
    for (int k = 0; k < 3; k++) {
        float sum = a[k] + b[k] + c[k];
        float third = sum / 3.0f, along_b = b[k] - a[k], along_c = c[k] - a[k];
        centre[k] = (double)third;
        ab[k] = (double)along_b;
        ac[k] = (double)along_c;
    }
    ff_vec3_cross(normal, ab, ac);
    double length = ff_vec3_norm(normal);
    if (length < 1e-15) return 0.0; // MuJoCo's smallest number
    ff_vec3_scale(normal, normal, 1.0 / length);
    return length / 2.0;
}

// Sum of products that the second moment of a tetrahedron needs, in single precision.
static float legacy_product(const float *a, const float *b, const float *c, int i, int j)
{
    float squares = a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
    return 2.0f * squares + a[i] * b[j] + a[j] * b[i] + a[i] * c[j] + a[j] * c[i] + b[i] * c[j] + b[j] * c[i];
}

typedef struct float_mesh {
    float *vertices;
    const int *triangles;
    int ntriangle;
    bool absolute; // every tetrahedron counts as positive
} float_mesh;

static double legacy_face(const float_mesh *m, int t, const float *v[3], double normal[3], double centre[3])
{
    for (int k = 0; k < 3; k++) v[k] = m->vertices + 3 * (size_t)m->triangles[3 * (size_t)t + (size_t)k];
    return legacy_triangle(v[0], v[1], v[2], normal, centre);
}

// Volume of the tetrahedron over a triangle whose centre lies at `arm` from the apex.
static double legacy_part(const float_mesh *m, const double arm[3], const double normal[3], double area)
{
    double part = ff_vec3_dot(arm, normal) * area / 3.0;
    return m->absolute ? fabs(part) : part;
}

static void legacy_apex(const float_mesh *m, double apex[3])
{
    double total = 0.0, normal[3], centre[3];
    const float *v[3];
    ff_vec3_set(apex, 0.0, 0.0, 0.0);
    for (int t = 0; t < m->ntriangle; t++) {
        double area = legacy_face(m, t, v, normal, centre);
        ff_vec3_axpy(apex, area, centre);
        total += area;
    }
    if (total > 0.0) ff_vec3_scale(apex, apex, 1.0 / total);
}

static double legacy_com(const float_mesh *m, const double apex[3], double com[3])
{
    double volume = 0.0, normal[3], centre[3], from_apex[3];
    const float *v[3];
    ff_vec3_set(com, 0.0, 0.0, 0.0);
    for (int t = 0; t < m->ntriangle; t++) {
        double area = legacy_face(m, t, v, normal, centre);
        ff_vec3_sub(from_apex, centre, apex);
        double part = legacy_part(m, from_apex, normal, area);
        volume += part;
        ff_vec3_axpy(com, 0.75 * part, centre);
        ff_vec3_axpy(com, 0.25 * part, apex);
    }
    if (volume > 0.0) ff_vec3_scale(com, com, 1.0 / volume);
    return volume;
}

static double legacy_moments(const float_mesh *m, double second[6])
{
    double volume = 0.0, normal[3], centre[3];
    const float *v[3];
    memset(second, 0, 6 * sizeof(double));
    for (int t = 0; t < m->ntriangle; t++) {
        double area = legacy_face(m, t, v, normal, centre);
        double part = legacy_part(m, centre, normal, area);
        volume += part;
        for (int p = 0; p < 6; p++)
            second[p] +=
                part / 20.0 * (double)legacy_product(v[0], v[1], v[2], FF_TENSOR_PAIR[p][0], FF_TENSOR_PAIR[p][1]);
    }
    return volume;
}

// The tensor put on MuJoCo's principal axes, which are coarse; it looks for them at the density of water.
static void legacy_axes(double I_com[6], double moment[3])
{
    const double water = 1000.0;
    double quat[4], R[9];
    for (int p = 0; p < 6; p++) I_com[p] *= water;
    ff_inertia_coarse_axes(I_com, moment, quat);
    ff_quat_to_mat3(R, quat);
    for (int k = 0; k < 3; k++) moment[k] /= water;
    for (int p = 0; p < 6; p++) {
        const double *row = R + 3 * FF_TENSOR_PAIR[p][0], *column = R + 3 * FF_TENSOR_PAIR[p][1];
        I_com[p] = row[0] * moment[0] * column[0] + row[1] * moment[1] * column[1] + row[2] * moment[2] * column[2];
    }
}

// Half lengths a, b, c of the box with principal moments A, B, C per mass m:  a^2 = 3/2 (B + C - A) / m
static double equal_box_volume(double volume, const double moment[3])
{
    double product = 8.0;
    for (int k = 0; k < 3; k++) {
        double rest = moment[(k + 1) % 3] + moment[(k + 2) % 3] - moment[k];
        product *= sqrt(ff_max(0.0, 1.5 * rest / volume));
    }
    return product;
}

bool ff_mesh_legacy_integrals(const ff_mesh *mesh, bool absolute, double *volume, double com[3], double I_com[6])
{
    double apex[3], second[6] = {0}, moment[3];
    size_t count = 3 * (size_t)mesh->nvertex;
    float_mesh m = {malloc((count + 1) * sizeof(float)), mesh->triangles, mesh->ntriangle, absolute};
    if (!m.vertices) return false;
    for (size_t i = 0; i < count; i++) m.vertices[i] = (float)mesh->vertices[i];
    legacy_apex(&m, apex);
    *volume = legacy_com(&m, apex, com);
    for (size_t i = 0; i < count; i++) m.vertices[i] = (float)((double)m.vertices[i] - com[i % 3]);
    if (*volume > 0.0) *volume = legacy_moments(&m, second);
    free(m.vertices);
    ff_tensor_from_moments(I_com, second);
    if (!(*volume > 0.0)) return true;
    legacy_axes(I_com, moment);
    if (absolute) {
        double box = equal_box_volume(*volume, moment);
        for (int p = 0; p < 6; p++) I_com[p] *= box / *volume;
        *volume = box;
    }
    return true;
}
