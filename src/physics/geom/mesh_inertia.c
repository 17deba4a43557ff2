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
//
// MuJoCo's default, `legacy`, counts every tetrahedron as positive. The sum then depends on o: it takes the
// centre of all triangles, finds the centre of mass from there, and takes volume and tensor again with the centre of
// mass for o (user_mesh.cc of MuJoCo 3). Where the solid is convex, or star-shaped about both points, this is exact.
#include <math.h>
#include <stdlib.h>

#include "geom_private.h"

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
        int i = FF_TENSOR_PAIR[p][0], j = FF_TENSOR_PAIR[p][1];
        second[p] += weight * (s[i] * s[j] + corner[0][i] * corner[0][j] + corner[1][i] * corner[1][j] +
                               corner[2][i] * corner[2][j]);
    }
}

static void solid_integrals(const ff_mesh *mesh, const double origin[3], bool absolute, double *volume, double first[3],
                            double second[6])
{
    double sum = 0.0, corner[3][3], n[3];
    memset(first, 0, 3 * sizeof(double));
    memset(second, 0, 6 * sizeof(double));
    for (int t = 0; t < mesh->ntriangle; t++) {
        corners(mesh, t, origin, corner);
        ff_vec3_cross(n, corner[1], corner[2]);
        double six_volumes = ff_vec3_dot(corner[0], n);
        if (absolute) six_volumes = fabs(six_volumes);
        sum += six_volumes;
        add_moments((const double(*)[3])corner, six_volumes, first, second);
    }
    *volume = sum / 6.0;
    ff_vec3_scale(first, first, 1.0 / 24.0);
    for (int p = 0; p < 6; p++) second[p] /= 120.0;
}

void ff_mesh_integrals(const ff_mesh *mesh, const double origin[3], double *volume, double first[3], double second[6])
{
    solid_integrals(mesh, origin, false, volume, first, second);
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
void ff_tensor_from_moments(double I[6], const double second[6])
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
    ff_tensor_from_moments(I, second);
    for (int p = 0; p < 6; p++) local.I[p] = density * I[p];
    ff_mat3_identity(identity);
    return ff_inertia_transform(&local, origin, identity);
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
    ff_error why = {0};
    ff_mesh *hull = ff_mesh_convex_hull(mesh, &why);
    if (!hull) return ff_error_set(err, why.status, "%s, so no mass", why.text);
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
    double middle[3], amount, first[3], second[6], centre[3], com[3], I_com[6];
    middle_of(mesh, middle);
    surface_integrals(mesh, middle, &amount, first, second);
    ff_vec3_copy(centre, middle);
    if (amount > 0.0) ff_vec3_axpy(centre, 1.0 / amount, first);
    solid_integrals(mesh, centre, true, &amount, first, second);
    ff_vec3_copy(com, centre);
    if (amount > 0.0) ff_vec3_axpy(com, 1.0 / amount, first);
    solid_integrals(mesh, com, true, &amount, first, second);
    ff_tensor_from_moments(I_com, second);
    for (int p = 0; p < 6; p++) I_com[p] *= density;
    return finish(out, ff_inertia_from_com(density * amount, com, I_com), amount, "volume [m^3]",
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
    return ff_error_set(err, FF_BAD_ARGUMENT, "no filling %d of a mesh", (int)filling);
}
