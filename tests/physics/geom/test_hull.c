// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Convex hulls: closed, convex, around every point, for all kinds of points. The exact predicate gives the side of a
// plane, so no tolerance is needed where the coordinates are used unchanged.
#include <footfall/collide.h>
#include <footfall/geom.h>

#include "check.h"
#include "geom/geom_private.h"
#include "tessellate.h"

static int compare_edges(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : (x[1] > y[1]) - (x[1] < y[1]);
}

// Each directed edge occurs once and its reverse occurs too; V - E + F = 2.
static void check_closed(const ff_mesh *hull)
{
    int nedge = 3 * hull->ntriangle;
    int(*edges)[2] = malloc((size_t)nedge * sizeof *edges);
    for (int i = 0; i < nedge; i++) {
        edges[i][0] = hull->triangles[i];
        edges[i][1] = hull->triangles[i % 3 == 2 ? i - 2 : i + 1];
    }
    qsort(edges, (size_t)nedge, sizeof *edges, compare_edges);
    bool once = true, twins = true;
    for (int i = 0; i < nedge; i++) {
        int reverse[2] = {edges[i][1], edges[i][0]};
        if (i > 0) once = once && compare_edges(edges[i - 1], edges[i]) != 0;
        twins = twins && bsearch(reverse, edges, (size_t)nedge, sizeof *edges, compare_edges) != NULL;
    }
    free(edges);
    CHECK(once);
    CHECK(twins);
    CHECK_INT(hull->nvertex - nedge / 2 + hull->ntriangle, 2);
}

static void check_hull_of(const double *points, int npoint)
{
    ff_mesh *cloud = ff_mesh_create(points, npoint, NULL, 0, NULL);
    ff_mesh *hull = ff_mesh_convex_hull(cloud, NULL);
    CHECK(hull != NULL);
    check_closed(hull);
    int outside = 0;
    for (int t = 0; t < hull->ntriangle; t++) {
        const int *v = hull->triangles + 3 * t;
        for (int i = 0; i < npoint; i++)
            outside += ff_geom_side(hull->vertices + 3 * v[0], hull->vertices + 3 * v[1], hull->vertices + 3 * v[2],
                                    points + 3 * i) > 0;
    }
    CHECK_INT(outside, 0);
    ff_mesh_destroy(hull);
    ff_mesh_destroy(cloud);
}

TEST(hulls_of_random_clouds_are_closed_and_hold_every_point)
{
    ff_random random = ff_random_make(11, 0);
    double points[3 * 500];
    for (int round = 0; round < 40; round++) {
        int count = 4 + (int)ff_random_range(&random, 0.0, 496.0);
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++) points[3 * i + k] = ff_random_normal(&random);
            if (round % 2) ff_vec3_normalise(points + 3 * i); // on a sphere: every point is a corner
        }
        check_hull_of(points, count);
    }
}

// A lattice has as many coplanar, collinear and (with repeats) equal points as can be.
TEST(hulls_of_lattices_with_repeats_are_boxes)
{
    double points[3 * 2 * 125];
    for (int i = 0; i < 250; i++)
        for (int k = 0, n = i % 125; k < 3; k++, n /= 5) points[3 * i + k] = 0.1 * (n % 5);
    check_hull_of(points, 250);
    ff_mesh *cloud = ff_mesh_create(points, 250, NULL, 0, NULL), *hull = ff_mesh_convex_hull(cloud, NULL);
    ff_inertia out;
    CHECK_INT(ff_mesh_inertia(hull, FF_FILL_EXACT, 1.0, &out, NULL), FF_OK);
    CHECK_NEAR(out.mass, 0.064, 1e-16);
    ff_mesh_destroy(hull);
    ff_mesh_destroy(cloud);
}

// A turned lattice is coplanar but for rounding: the case that tears hulls decided by rounded arithmetic.
TEST(hulls_of_turned_lattices_stay_closed)
{
    ff_random random = ff_random_make(12, 0);
    for (int round = 0; round < 20; round++) {
        double points[3 * 216], R[9], q[4];
        for (int k = 0; k < 4; k++) q[k] = ff_random_normal(&random);
        ff_quat_normalise(q);
        ff_quat_to_mat3(R, q);
        for (int i = 0; i < 216; i++) {
            const double local[3] = {i % 6, i / 6 % 6, i / 36};
            ff_mat3_mulv(points + 3 * i, R, local);
            for (int k = 0; k < 3; k++) points[3 * i + k] += 7.0;
        }
        check_hull_of(points, 216);
    }
}

TEST(hulls_of_tiny_huge_and_far_clouds_are_found)
{
    ff_random random = ff_random_make(13, 0);
    const double sizes[] = {1e-12, 1e-3, 1e6, 1e100}, far[] = {0.0, 1e5};
    for (size_t s = 0; s < 4; s++)
        for (size_t f = 0; f < 2; f++) {
            double points[3 * 60];
            for (int i = 0; i < 180; i++) points[i] = sizes[s] * (far[f] + ff_random_range(&random, -1.0, 1.0));
            ff_mesh *cloud = ff_mesh_create(points, 60, NULL, 0, NULL), *hull = ff_mesh_convex_hull(cloud, NULL);
            CHECK(hull != NULL);
            check_closed(hull);
            ff_mesh_destroy(hull);
            ff_mesh_destroy(cloud);
        }
}

TEST(flat_clouds_have_no_hull)
{
    ff_random random = ff_random_make(14, 0);
    double points[3 * 50];
    for (int i = 0; i < 50; i++) {
        double a = ff_random_normal(&random), b = ff_random_normal(&random);
        ff_vec3_set(points + 3 * i, a, b, 0.3 * a - 0.7 * b + 0.1);
    }
    ff_mesh *plane = ff_mesh_create(points, 50, NULL, 0, NULL);
    CHECK(ff_mesh_convex_hull(plane, NULL) == NULL);
    for (int i = 0; i < 50; i++) ff_vec3_set(plane->vertices + 3 * i, 0.1 * i, 0.2 * i, 0.3 * i);
    CHECK(ff_mesh_convex_hull(plane, NULL) == NULL);
    for (int i = 0; i < 150; i++) plane->vertices[i] = 1.0;
    CHECK(ff_mesh_convex_hull(plane, NULL) == NULL);
    plane->nvertex = 3;
    CHECK(ff_mesh_convex_hull(plane, NULL) == NULL);
    CHECK(ff_mesh_convex_hull(NULL, NULL) == NULL);
    ff_mesh_destroy(plane);
}

TEST(the_hull_of_a_convex_mesh_has_its_volume)
{
    const ff_shape shapes[] = {{FF_SHAPE_CAPSULE, {0.3, 0.7}, NULL}, {FF_SHAPE_ELLIPSOID, {0.1, 0.2, 0.4}, NULL}};
    for (int i = 0; i < 2; i++) {
        ff_mesh *mesh = mesh_of_shape(&shapes[i], 16);
        ff_inertia whole, hull;
        CHECK_INT(ff_mesh_inertia(mesh, FF_FILL_EXACT, 1.0, &whole, NULL), FF_OK);
        CHECK_INT(ff_mesh_inertia(mesh, FF_FILL_CONVEX, 1.0, &hull, NULL), FF_OK);
        CHECK_BELOW(inertia_difference(&hull, &whole), 1e-14);
        ff_mesh_destroy(mesh);
    }
}

// Points one unit in the last place off a plane through large coordinates: rounded arithmetic cannot decide.
TEST(the_side_of_a_plane_is_exact)
{
    const double a[3] = {12.0, 12.0, 12.0}, b[3] = {24.0, 24.0, 24.5}, c[3] = {12.0, 13.0, 12.25};
    for (int i = 0; i < 50; i++) {
        // d = a + s (b - a) + t (c - a) with dyadic s, t lies in the plane exactly
        double s = i / 64.0, t = (50 - i) / 128.0, d[3];
        for (int k = 0; k < 3; k++) d[k] = a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]);
        CHECK_INT(ff_geom_side(a, b, c, d), 0);
        double above[3] = {d[0], d[1], nextafter(d[2], 100.0)}, below[3] = {d[0], d[1], nextafter(d[2], 0.0)};
        CHECK_INT(ff_geom_side(a, b, c, above), 1); // (b-a) x (c-a) has z = 12 * 1 - 12 * 0 > 0
        CHECK_INT(ff_geom_side(a, b, c, below), -1);
        CHECK_INT(ff_geom_side(a, c, b, above), -1);
    }
}

static bool tenth(void *context)
{
    return ++*(int *)context >= 10;
}

TEST(a_search_that_is_stopped_is_reported)
{
    double points[3 * 200];
    ff_random r = ff_random_make(3, 7);
    for (int i = 0; i < 600; i++) points[i] = ff_random_normal(&r);
    ff_mesh *cloud = ff_mesh_create(points, 200, NULL, 0, NULL);
    int asked = 0;
    const ff_stop stop = {tenth, &asked};
    ff_error err = {0};
    ff_stop_set(&stop);
    CHECK(!ff_mesh_convex_hull(cloud, &err));
    CHECK_INT(err.status, FF_STOPPED);
    CHECK_INT(asked, 10); // a question a corner
    CHECK(!ff_convex_create(cloud, &err));
    CHECK_INT(err.status, FF_STOPPED);
    ff_stop_set(NULL);
    ff_mesh *hull = ff_mesh_convex_hull(cloud, &err);
    CHECK(hull);
    ff_mesh_destroy(hull);
    ff_mesh_destroy(cloud);
}
