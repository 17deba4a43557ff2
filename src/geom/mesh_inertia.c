// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Mass properties of a triangle mesh of uniform density.
//
// A closed surface is cut into tetrahedra (o, a, b, c), one for each triangle, with a signed volume
//     V = a . (b x c) / 6                      (a, b, c seen from o; negative where the triangle faces o)
// and second moments
//     int x_i x_j dV = V/20 (s_i s_j + a_i a_j + b_i b_j + c_i c_j),     s = a + b + c
// What lies outside the solid cancels, so the sum is exact for any closed surface and any o.
// S. Lien, J. T. Kajiya, A symbolic method for calculating the integral properties of arbitrary nonconvex polyhedra,
// IEEE CG&A 4(10), 1984. For a shell the same holds with the area A of a triangle: int x_i x_j dA = A/12 (s_i s_j + a_i
// a_j + b_i b_j + c_i c_j).
#include <math.h>
#include <stdlib.h>

#include "geom_private.h"

static const int PAIR[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

// Corners of triangle t as seen from `origin`.
static void corners(const ff_mesh *mesh, int t, const double origin[3], double corner[3][3])
{
    for (int k = 0; k < 3; k++)
        ff_vec3_sub(corner[k], mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)t + (size_t)k], origin);
}

// Adds weight times the moments of a triangle fan: first += w s, second += w (s s' + a a' + b b' + c c').
static void add_moments(const double corner[3][3], double weight, double first[3], double second[6])
{
    double s[3];
    for (int k = 0; k < 3; k++) {
        s[k] = corner[0][k] + corner[1][k] + corner[2][k];
        first[k] += weight * s[k];
    }
    for (int p = 0; p < 6; p++) {
        int i = PAIR[p][0], j = PAIR[p][1];
        second[p] += weight * (s[i] * s[j] + corner[0][i] * corner[0][j] + corner[1][i] * corner[1][j] +
                               corner[2][i] * corner[2][j]);
    }
}

void ff_mesh_integrals(const ff_mesh *mesh, const double origin[3], double *volume, double first[3], double second[6])
{
    double sum = 0.0, corner[3][3], n[3];
    memset(first, 0, 3 * sizeof(double));
    memset(second, 0, 6 * sizeof(double));
    for (int t = 0; t < mesh->ntriangle; t++) {
        corners(mesh, t, origin, corner);
        ff_vec3_cross(n, corner[1], corner[2]);
        double six_volumes = ff_vec3_dot(corner[0], n);
        sum += six_volumes;
        add_moments((const double(*)[3])corner, six_volumes, first, second);
    }
    *volume = sum / 6.0;
    ff_vec3_scale(first, first, 1.0 / 24.0);
    for (int p = 0; p < 6; p++) second[p] /= 120.0;
}

static void surface_integrals(const ff_mesh *mesh, const double origin[3], double *area, double first[3],
                              double second[6])
{
    double sum = 0.0, corner[3][3], ab[3], ac[3], n[3];
    memset(first, 0, 3 * sizeof(double));
    memset(second, 0, 6 * sizeof(double));
    for (int t = 0; t < mesh->ntriangle; t++) {
        corners(mesh, t, origin, corner);
        ff_vec3_sub(ab, corner[1], corner[0]);
        ff_vec3_sub(ac, corner[2], corner[0]);
        ff_vec3_cross(n, ab, ac);
        double two_areas = ff_vec3_norm(n);
        sum += two_areas;
        add_moments((const double(*)[3])corner, two_areas, first, second);
    }
    *area = sum / 2.0;
    ff_vec3_scale(first, first, 1.0 / 6.0);
    for (int p = 0; p < 6; p++) second[p] /= 24.0;
}

// Second moments (int x_i x_j dm) to the tensor (trace on the diagonal).
static void tensor_of(double I[6], const double second[6])
{
    I[0] = second[1] + second[2];
    I[1] = second[0] + second[2];
    I[2] = second[0] + second[1];
    I[3] = -second[3];
    I[4] = -second[4];
    I[5] = -second[5];
}

// Moments about `origin`, a point near the mesh, to inertia about the origin of the mesh's frame.
static ff_inertia from_moments(double density, double amount, const double first[3], const double second[6],
                               const double origin[3])
{
    ff_inertia local = {.mass = density * amount};
    double I[6], identity[9];
    ff_vec3_scale(local.h, first, density);
    tensor_of(I, second);
    for (int p = 0; p < 6; p++) local.I[p] = density * I[p];
    ff_mat3_identity(identity);
    return ff_inertia_transform(&local, origin, identity);
}

// ------------------------------------------------------------------------------------------ as MuJoCo 2 does it

// MuJoCo up to 3.x lets every tetrahedron count as positive. It takes the area-weighted mean of the triangle centres as
// apex, finds the centre of mass, and then takes volume and inertia anew with the centre of mass as apex. The vertices
// are single precision and so are sums and products of them; the rest is double. An MJCF file means the masses its
// author saw, so this does the same roundings: in double throughout, masses would differ by about 1e-7, so by 1e-12.

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
} float_mesh;

static double legacy_face(const float_mesh *m, int t, const float *v[3], double normal[3], double centre[3])
{
    for (int k = 0; k < 3; k++) v[k] = m->vertices + 3 * (size_t)m->triangles[3 * (size_t)t + (size_t)k];
    return legacy_triangle(v[0], v[1], v[2], normal, centre);
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
        double part = fabs(ff_vec3_dot(from_apex, normal) * area / 3.0);
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
        double part = fabs(ff_vec3_dot(centre, normal) * area / 3.0);
        volume += part;
        for (int p = 0; p < 6; p++)
            second[p] += part / 20.0 * (double)legacy_product(v[0], v[1], v[2], PAIR[p][0], PAIR[p][1]);
    }
    return volume;
}

// MuJoCo 2 keeps of a mesh its centre of mass and the box of equal inertia per mass, and takes the volume of that box for the
// volume of the mesh: an ellipsoid loses 11 % of its mass. Half lengths a, b, c of the box from principal moments A, B, C:
//     a^2 = 3/2 (B + C - A) / m
// The principal axes are MuJoCo's, which are coarse; it looks for them at the density of water.
static double equal_box_volume(double volume, double I_com[6])
{
    const double water = 1000.0;
    double moment[3], quat[4], R[9], product = 8.0;
    for (int p = 0; p < 6; p++) I_com[p] *= water;
    ff_inertia_coarse_axes(I_com, moment, quat);
    ff_quat_to_mat3(R, quat);
    for (int k = 0; k < 3; k++) moment[k] /= water;
    for (int p = 0; p < 6; p++) {
        const double *row = R + 3 * PAIR[p][0], *column = R + 3 * PAIR[p][1];
        I_com[p] = row[0] * moment[0] * column[0] + row[1] * moment[1] * column[1] + row[2] * moment[2] * column[2];
    }
    for (int k = 0; k < 3; k++) {
        double rest = moment[(k + 1) % 3] + moment[(k + 2) % 3] - moment[k];
        product *= sqrt(fmax(0.0, 1.5 * rest / volume));
    }
    return product;
}

// Volume, or a negative number when out of memory. `I_com` is per unit density.
static double legacy_integrals(const ff_mesh *mesh, double com[3], double I_com[6])
{
    double apex[3], second[6] = {0};
    size_t count = 3 * (size_t)mesh->nvertex;
    float_mesh m = {malloc((count + 1) * sizeof(float)), mesh->triangles, mesh->ntriangle};
    if (!m.vertices) return -1.0;
    for (size_t i = 0; i < count; i++) m.vertices[i] = (float)mesh->vertices[i];
    legacy_apex(&m, apex);
    double volume = legacy_com(&m, apex, com);
    for (size_t i = 0; i < count; i++) m.vertices[i] = (float)((double)m.vertices[i] - com[i % 3]);
    if (volume > 0.0) volume = legacy_moments(&m, second);
    tensor_of(I_com, second);
    free(m.vertices);
    return volume;
}

// ------------------------------------------------------------------------------------------ public

static void middle_of(const ff_mesh *mesh, double middle[3])
{
    double low[3], high[3];
    ff_mesh_bounds(mesh, low, high);
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * low[k] + 0.5 * high[k];
}

static ff_status finish(ff_inertia *out, ff_inertia result, double amount, const char *what, const char *advice,
                        ff_error *err)
{
    bool finite = isfinite(result.mass);
    for (int k = 0; k < 3; k++) finite = finite && isfinite(result.h[k]);
    for (int p = 0; p < 6; p++) finite = finite && isfinite(result.I[p]);
    if (!finite)
        return ff_error_set(err, FF_BAD_MODEL,
                            "the mesh is too large: its mass or inertia is not finite; check its scale");
    if (!(amount > 0.0)) return ff_error_set(err, FF_BAD_MODEL, "the mesh has the %s %g: %s", what, amount, advice);
    *out = result;
    return FF_OK;
}

static ff_status exact_inertia(const ff_mesh *mesh, double density, ff_inertia *out, ff_error *err)
{
    double middle[3], volume, first[3], second[6];
    middle_of(mesh, middle);
    ff_mesh_integrals(mesh, middle, &volume, first, second);
    return finish(out, from_moments(density, volume, first, second, middle), volume, "volume [m^3]",
                  "its surface is open or its triangles face inwards; close it, or take its convex hull", err);
}

static ff_status hull_inertia(const ff_mesh *mesh, double density, ff_inertia *out, ff_error *err)
{
    ff_mesh *hull = ff_mesh_convex_hull(mesh);
    if (!hull)
        return ff_error_set(err, FF_BAD_MODEL, "the %d vertices of the mesh lie in a plane: no convex hull, so no mass",
                            mesh->nvertex);
    ff_status status = exact_inertia(hull, density, out, err);
    ff_mesh_destroy(hull);
    return status;
}

static ff_status shell_inertia(const ff_mesh *mesh, double density, ff_inertia *out, ff_error *err)
{
    double middle[3], area, first[3], second[6];
    middle_of(mesh, middle);
    surface_integrals(mesh, middle, &area, first, second);
    return finish(out, from_moments(density, area, first, second, middle), area, "area [m^2]",
                  "it has no triangle with an area", err);
}

static ff_status legacy_inertia(const ff_mesh *mesh, double density, ff_inertia *out, ff_error *err)
{
    double com[3], I_com[6];
    double volume = legacy_integrals(mesh, com, I_com);
    if (volume < 0.0) return ff_error_set(err, FF_NO_MEMORY, "no memory for a mesh of %d vertices", mesh->nvertex);
    double box = volume > 0.0 ? equal_box_volume(volume, I_com) : 0.0;
    for (int p = 0; p < 6; p++) I_com[p] = volume > 0.0 ? I_com[p] * density * (box / volume) : 0.0;
    return finish(out, ff_inertia_from_com(density * box, com, I_com), box, "volume [m^3]",
                  "its triangles lie in a plane", err);
}

ff_status ff_mesh_inertia(const ff_mesh *mesh, ff_mesh_filling filling, double density, ff_inertia *out, ff_error *err)
{
    memset(out, 0, sizeof *out);
    if (!(density >= 0.0) || !isfinite(density))
        return ff_error_set(err, FF_BAD_ARGUMENT, "density is %g: it must be zero or more", density);
    switch (filling) {
    case FF_FILL_EXACT:
        return exact_inertia(mesh, density, out, err);
    case FF_FILL_LEGACY:
        return legacy_inertia(mesh, density, out, err);
    case FF_FILL_CONVEX:
        return hull_inertia(mesh, density, out, err);
    case FF_FILL_SHELL:
        return shell_inertia(mesh, density, out, err);
    }
    return ff_error_set(err, FF_BAD_ARGUMENT, "no way %d to fill a mesh", (int)filling);
}
