// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Volume, mass properties and bounds of the simple shapes, in closed form about their centre of mass (the origin of the
// shape's frame), with half lengths a, b, c, radius r, half length h and mass m:
//     sphere     I = 2/5 m r^2
//     box        Ixx = m/3 (b^2 + c^2), ...
//     ellipsoid  Ixx = m/5 (b^2 + c^2), ...
//     cylinder   Ixx = m (r^2/4 + h^2/3),  Izz = m r^2/2
//     capsule    a cylinder and two half balls whose flat sides lie at z = -h and z = h. A half ball has its centre of
//                mass 3/8 r off its flat side, so both together (mass ms) have Ixx = ms (2/5 r^2 + h^2 + 3/4 r h),
//                Izz = 2/5 ms r^2.
#include <math.h>

#include "geom_private.h"

static const char *const NAMES[FF_SHAPE_COUNT] = {"sphere", "capsule", "box", "cylinder", "ellipsoid", "plane", "mesh"};
static const int SIZES[FF_SHAPE_COUNT] = {1, 2, 3, 2, 3, 0, 0};

const char *ff_shape_name(ff_shape_type type)
{
    return (unsigned)type < FF_SHAPE_COUNT ? NAMES[type] : "unknown shape";
}

static double mesh_volume(const ff_mesh *mesh)
{
    double low[3], high[3], middle[3], volume, first[3], second[6];
    ff_mesh_bounds(mesh, low, high);
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * low[k] + 0.5 * high[k];
    ff_mesh_integrals(mesh, middle, &volume, first, second);
    return volume;
}

double ff_shape_volume(const ff_shape *shape)
{
    const double *s = shape->size;
    switch (shape->type) {
    case FF_SHAPE_SPHERE:
        return 4.0 / 3.0 * FF_PI * s[0] * s[0] * s[0];
    case FF_SHAPE_CAPSULE:
        return FF_PI * s[0] * s[0] * (2.0 * s[1] + 4.0 / 3.0 * s[0]);
    case FF_SHAPE_BOX:
        return 8.0 * s[0] * s[1] * s[2];
    case FF_SHAPE_CYLINDER:
        return FF_PI * s[0] * s[0] * 2.0 * s[1];
    case FF_SHAPE_ELLIPSOID:
        return 4.0 / 3.0 * FF_PI * s[0] * s[1] * s[2];
    case FF_SHAPE_MESH:
        return shape->mesh ? mesh_volume(shape->mesh) : 0.0;
    case FF_SHAPE_PLANE:
    case FF_SHAPE_COUNT:
        break;
    }
    return 0.0;
}

static void capsule_tensor(double I[6], double density, double r, double h)
{
    double cylinder = density * FF_PI * r * r * 2.0 * h;
    double ball = density * 4.0 / 3.0 * FF_PI * r * r * r;
    I[0] = I[1] = cylinder * (r * r / 4.0 + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * r * h);
    I[2] = cylinder * r * r / 2.0 + ball * 0.4 * r * r;
}

static void ellipsoid_tensor(double I[6], double factor, double a, double b, double c)
{
    I[0] = factor * (b * b + c * c);
    I[1] = factor * (a * a + c * c);
    I[2] = factor * (a * a + b * b);
}

static ff_status check_sizes(const ff_shape *shape, ff_error *err)
{
    for (int k = 0; k < SIZES[shape->type]; k++) {
        double size = shape->size[k];
        // A capsule without a cylinder part is a ball.
        bool zero_allowed = shape->type == FF_SHAPE_CAPSULE && k == 1;
        if (!isfinite(size) || size < 0.0 || (size == 0.0 && !zero_allowed))
            return ff_error_set(err, FF_BAD_MODEL, "size %d of the %s is %g m: it must be positive", k + 1,
                                ff_shape_name(shape->type), size);
    }
    return FF_OK;
}

// The area vectors of a closed surface sum to zero, those of an open one to the area vector of what is missing. A
// hundredth of the area is more than the gaps of CAD exports and less than a missing wall.
static ff_status check_closed(const ff_mesh *mesh, ff_error *err)
{
    double total = 0.0, sum[3] = {0.0, 0.0, 0.0}, ab[3], ac[3], n[3];
    for (int t = 0; t < mesh->ntriangle; t++) {
        const int *v = mesh->triangles + 3 * (size_t)t;
        const double *a = mesh->vertices + 3 * (size_t)v[0];
        ff_vec3_sub(ab, mesh->vertices + 3 * (size_t)v[1], a);
        ff_vec3_sub(ac, mesh->vertices + 3 * (size_t)v[2], a);
        ff_vec3_cross(n, ab, ac);
        ff_vec3_add(sum, sum, n);
        total += ff_vec3_norm(n);
    }
    double share = total > 0.0 ? ff_vec3_norm(sum) / total : 1.0;
    if (share <= 0.01) return FF_OK;
    return ff_error_set(
        err, FF_BAD_MODEL,
        "the surface of the mesh is open: its area vectors sum to %.2g %% of its area instead of zero; close "
        "it, or take its convex hull",
        100.0 * share);
}

static ff_status mesh_inertia(const ff_mesh *mesh, double density, ff_inertia *out, ff_error *err)
{
    if (!mesh) return ff_error_set(err, FF_BAD_MODEL, "the mesh is missing, so its mass is unknown");
    ff_status status = check_closed(mesh, err);
    if (status != FF_OK) return status;
    return ff_mesh_inertia(mesh, FF_FILL_EXACT, density, out, err);
}

ff_status ff_shape_inertia(const ff_shape *shape, double density, ff_inertia *out, ff_error *err)
{
    memset(out, 0, sizeof *out);
    if ((unsigned)shape->type >= FF_SHAPE_COUNT)
        return ff_error_set(err, FF_BAD_ARGUMENT, "no shape %d", (int)shape->type);
    if (!(density >= 0.0) || !isfinite(density))
        return ff_error_set(err, FF_BAD_ARGUMENT, "density is %g: it must be zero or more", density);
    if (shape->type == FF_SHAPE_MESH) return mesh_inertia(shape->mesh, density, out, err);
    if (shape->type == FF_SHAPE_PLANE) return FF_OK;
    ff_status status = check_sizes(shape, err);
    if (status != FF_OK) return status;

    const double *s = shape->size;
    double m = density * ff_shape_volume(shape);
    out->mass = m;
    switch (shape->type) {
    case FF_SHAPE_SPHERE:
        ellipsoid_tensor(out->I, 0.2 * m, s[0], s[0], s[0]);
        break;
    case FF_SHAPE_ELLIPSOID:
        ellipsoid_tensor(out->I, 0.2 * m, s[0], s[1], s[2]);
        break;
    case FF_SHAPE_BOX:
        ellipsoid_tensor(out->I, m / 3.0, s[0], s[1], s[2]);
        break;
    case FF_SHAPE_CAPSULE:
        capsule_tensor(out->I, density, s[0], s[1]);
        break;
    case FF_SHAPE_CYLINDER:
        out->I[0] = out->I[1] = m * (s[0] * s[0] / 4.0 + s[1] * s[1] / 3.0);
        out->I[2] = m * s[0] * s[0] / 2.0;
        break;
    default:
        break;
    }
    if (!isfinite(m) || !isfinite(out->I[0]) || !isfinite(out->I[1]) || !isfinite(out->I[2])) {
        memset(out, 0, sizeof *out);
        return ff_error_set(err, FF_BAD_MODEL, "the %s is too large: its mass or inertia is not finite",
                            ff_shape_name(shape->type));
    }
    return FF_OK;
}

void ff_shape_bounds(const ff_shape *shape, double low[3], double high[3])
{
    const double *s = shape->size;
    ff_vec3_set(high, 0.0, 0.0, 0.0);
    switch (shape->type) {
    case FF_SHAPE_SPHERE:
        ff_vec3_set(high, s[0], s[0], s[0]);
        break;
    case FF_SHAPE_CAPSULE:
        ff_vec3_set(high, s[0], s[0], s[0] + s[1]);
        break;
    case FF_SHAPE_CYLINDER:
        ff_vec3_set(high, s[0], s[0], s[1]);
        break;
    case FF_SHAPE_BOX:
    case FF_SHAPE_ELLIPSOID:
        ff_vec3_copy(high, s);
        break;
    case FF_SHAPE_PLANE:
        ff_vec3_set(high, INFINITY, INFINITY, INFINITY);
        break;
    case FF_SHAPE_MESH:
        if (!shape->mesh) break;
        ff_mesh_bounds(shape->mesh, low, high);
        return;
    case FF_SHAPE_COUNT:
        break;
    }
    ff_vec3_scale(low, high, -1.0);
    if (shape->type == FF_SHAPE_PLANE) high[2] = 0.0;
}
