// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Simple shapes: the closed forms against slices. A solid whose cut at height z is an ellipse with half axes a(z), b(z)
// has
//     dm = rho pi a b dz,   dIxx = dm (b^2/4 + z^2),   dIyy = dm (a^2/4 + z^2),   dIzz = dm (a^2 + b^2)/4
// (a rectangle: 4 a b for pi a b, 1/3 for 1/4). The integrands are polynomials of degree 4 at most on each side of z =
// +-h, so three Gauss points a piece are exact.
#include <footfall/geom.h>

#include "check.h"
#include "tessellate.h"

static void cut_at(const ff_shape *shape, double z, double *a, double *b)
{
    const double *s = shape->size;
    double cap = fmax(0.0, fabs(z) - s[1]);
    switch (shape->type) {
    case FF_SHAPE_SPHERE:
        *a = *b = sqrt(s[0] * s[0] - z * z);
        break;
    case FF_SHAPE_CAPSULE:
        *a = *b = sqrt(s[0] * s[0] - cap * cap);
        break;
    case FF_SHAPE_CYLINDER:
        *a = *b = s[0];
        break;
    case FF_SHAPE_ELLIPSOID:
        *a = s[0] * sqrt(1.0 - z * z / (s[2] * s[2]));
        *b = s[1] * sqrt(1.0 - z * z / (s[2] * s[2]));
        break;
    default:
        *a = s[0], *b = s[1];
        break;
    }
}

static ff_inertia by_slices(const ff_shape *shape, double density, const double *ends, int npiece)
{
    const double node[3] = {-sqrt(0.6), 0.0, sqrt(0.6)}, weight[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
    bool box = shape->type == FF_SHAPE_BOX;
    double area = box ? 4.0 : FF_PI, moment = box ? 1.0 / 3.0 : 0.25;
    ff_inertia sum = {0};
    for (int piece = 0; piece < npiece; piece++)
        for (int g = 0; g < 3; g++) {
            double half = 0.5 * (ends[piece + 1] - ends[piece]), a, b;
            double z = 0.5 * (ends[piece + 1] + ends[piece]) + half * node[g];
            cut_at(shape, z, &a, &b);
            double dm = density * area * a * b * half * weight[g];
            sum.mass += dm;
            sum.I[0] += dm * (moment * b * b + z * z);
            sum.I[1] += dm * (moment * a * a + z * z);
            sum.I[2] += dm * moment * (a * a + b * b);
        }
    return sum;
}

static void compare_with_slices(ff_shape shape, const double *ends, int npiece)
{
    ff_inertia got;
    ff_error err = {0};
    CHECK_INT(ff_shape_inertia(&shape, 1234.0, &got, &err), FF_OK);
    ff_inertia expected = by_slices(&shape, 1234.0, ends, npiece);
    CHECK_BELOW(inertia_difference(&got, &expected), 1e-14); // a few dozen roundings
    CHECK_NEAR(got.mass, 1234.0 * ff_shape_volume(&shape), 1e-14 * got.mass);
}

TEST(closed_forms_equal_the_sum_of_slices)
{
    compare_with_slices((ff_shape){FF_SHAPE_SPHERE, {0.3}, NULL}, (double[]){-0.3, 0.3}, 1);
    compare_with_slices((ff_shape){FF_SHAPE_CAPSULE, {0.3, 0.7}, NULL}, (double[]){-1.0, -0.7, 0.7, 1.0}, 3);
    compare_with_slices((ff_shape){FF_SHAPE_BOX, {0.1, 0.2, 0.5}, NULL}, (double[]){-0.5, 0.5}, 1);
    compare_with_slices((ff_shape){FF_SHAPE_CYLINDER, {0.2, 0.9}, NULL}, (double[]){-0.9, 0.9}, 1);
    compare_with_slices((ff_shape){FF_SHAPE_ELLIPSOID, {0.1, 0.2, 0.4}, NULL}, (double[]){-0.4, 0.4}, 1);
}

TEST(a_capsule_without_cylinder_is_a_ball)
{
    ff_shape capsule = {FF_SHAPE_CAPSULE, {0.3, 0.0}, NULL}, sphere = {FF_SHAPE_SPHERE, {0.3}, NULL};
    ff_inertia a, b;
    CHECK_INT(ff_shape_inertia(&capsule, 10.0, &a, NULL), FF_OK);
    CHECK_INT(ff_shape_inertia(&sphere, 10.0, &b, NULL), FF_OK);
    CHECK_BELOW(inertia_difference(&a, &b), 1e-15);
}

TEST(bad_sizes_and_densities_are_refused_with_their_numbers)
{
    ff_error err = {0};
    ff_inertia out;
    CHECK_INT(ff_shape_inertia(&(ff_shape){FF_SHAPE_BOX, {1, -2, 3}, NULL}, 1.0, &out, &err), FF_BAD_MODEL);
    CHECK_SAYS(err.text, "size 2 of the box is -2");
    CHECK_INT(ff_shape_inertia(&(ff_shape){FF_SHAPE_SPHERE, {NAN}, NULL}, 1.0, &out, &err), FF_BAD_MODEL);
    CHECK_INT(ff_shape_inertia(&(ff_shape){FF_SHAPE_CYLINDER, {1, 0}, NULL}, 1.0, &out, &err), FF_BAD_MODEL);
    CHECK_INT(ff_shape_inertia(&(ff_shape){FF_SHAPE_SPHERE, {1e120}, NULL}, 1.0, &out, &err), FF_BAD_MODEL);
    CHECK_SAYS(err.text, "not finite");
    CHECK_INT(ff_shape_inertia(&(ff_shape){FF_SHAPE_SPHERE, {1}, NULL}, -1.0, &out, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_shape_inertia(&(ff_shape){FF_SHAPE_MESH, {0}, NULL}, 1.0, &out, &err), FF_BAD_MODEL);
    CHECK_SAYS(err.text, "missing");
}

TEST(a_plane_has_no_mass_and_no_end)
{
    ff_shape plane = {FF_SHAPE_PLANE, {0}, NULL};
    ff_inertia out;
    double low[3], high[3];
    CHECK_INT(ff_shape_inertia(&plane, 1000.0, &out, NULL), FF_OK);
    CHECK(out.mass == 0.0 && ff_shape_volume(&plane) == 0.0);
    ff_shape_bounds(&plane, low, high);
    CHECK(isinf(low[0]) && isinf(high[1]) && isinf(low[2]) && high[2] == 0.0);
}

// The corners of a tessellation lie on the surface, so its box approaches the shape's from inside.
TEST(bounds_hold_the_shape_tightly)
{
    for (int i = 0; i < SOLIDS; i++) {
        ff_mesh *mesh = mesh_of_shape(&solids[i], 32);
        ff_shape tessellated = {FF_SHAPE_MESH, {0}, mesh};
        double low[3], high[3], mesh_low[3], mesh_high[3];
        ff_shape_bounds(&solids[i], low, high);
        ff_shape_bounds(&tessellated, mesh_low, mesh_high);
        ff_mesh_destroy(mesh);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(mesh_low[k], low[k], 1e-15); // extreme points are corners: 32 is a multiple of 4
            CHECK_NEAR(mesh_high[k], high[k], 1e-15);
        }
    }
}

TEST(every_shape_has_a_name)
{
    CHECK_TEXT(ff_shape_name(FF_SHAPE_CAPSULE), "capsule");
    CHECK_TEXT(ff_shape_name(FF_SHAPE_MESH), "mesh");
    CHECK_TEXT(ff_shape_name(FF_SHAPE_COUNT), "unknown shape");
}
