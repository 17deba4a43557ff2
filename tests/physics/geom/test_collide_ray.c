// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rays against every collider: the hit lies on the surface, the way to it is free, a miss stays outside; the signed
// distance to a point, found by other code, is the referee. Trees against a test of every triangle.
#include <stdlib.h>

#include "collide_random.h"
#include "geom/surface.h"
#include "tessellate.h"

static double point_distance(const ff_collider *c, const ff_pose *pose, const double x[3], double normal[3])
{
    const ff_collider point = {.type = FF_COLLIDER_SPHERE};
    ff_pose at = *pose;
    ff_collide_nearest near;
    ff_vec3_copy(at.p, x);
    CHECK_INT(ff_collide_distance(c, pose, &point, &at, &near), FF_OK);
    ff_vec3_copy(normal, near.normal);
    return near.distance;
}

TEST(a_hit_is_on_the_surface_and_the_way_to_it_is_free)
{
    ff_random r = ff_random_make(31, 1);
    int hits = 0, misses = 0;
    for (int n = 0; n < POSES(21000); n++) {
        random_collider a;
        random_collider_make(&a, n % 7 == 6 ? FF_COLLIDER_PLANE : CONVEX_TYPES[n % 7], &r);
        ff_pose pose = random_pose(&r, 0.5), from = random_pose(&r, 1.5);
        double d[3], normal[3];
        for (int k = 0; k < 3; k++) d[k] = 0.5 * ff_random_normal(&r) - from.p[k];
        ff_vec3_normalise(d);
        ff_ray_hit hit;
        bool found = ff_collide_ray(&a.c, &pose, from.p, d, 4.0, &hit);
        hits += found;
        misses += !found;
        if (found && hit.distance > 0.0) {
            CHECK_NEAR(point_distance(&a.c, &pose, hit.point, normal), 0.0, 1e-9);
            CHECK(ff_vec3_dot(hit.normal, d) <= 1e-12);
            double before[3];
            for (int k = 0; k < 3; k++) before[k] = hit.point[k] + 1e-6 * hit.normal[k];
            CHECK_NEAR(point_distance(&a.c, &pose, before, normal), 1e-6,
                       2e-9); // [m] the normal is that of the surface
        }
        double end = found ? hit.distance : 4.0;
        for (int i = 0; i < 40; i++) {
            double x[3];
            for (int k = 0; k < 3; k++) x[k] = from.p[k] + d[k] * end * i / 40.0;
            CHECK_BELOW(-1e-9, point_distance(&a.c, &pose, x, normal) + (end == 0.0 ? 10.0 : 0.0));
        }
        ff_convex_destroy(a.owned);
    }
    printf("  %d hits, %d misses\n", hits, misses);
}

TEST(a_ray_from_inside_hits_at_once_and_nonsense_misses)
{
    const ff_collider box = {.type = FF_COLLIDER_BOX, .size = {1, 1, 1}};
    const ff_pose home = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const double zero[3] = {0, 0, 0}, x[3] = {1, 0, 0}, far[3] = {-3, 0, 0}, bad[3] = {NAN, 0, 0};
    ff_ray_hit hit;
    CHECK(ff_collide_ray(&box, &home, zero, x, 1.0, &hit));
    CHECK_NEAR(hit.distance, 0.0, 0.0);
    CHECK(ff_collide_ray(&box, &home, far, x, 2.0, &hit));
    CHECK_NEAR(hit.distance, 2.0, 1e-15);
    CHECK(!ff_collide_ray(&box, &home, far, x, 1.9, &hit)); // out of range
    CHECK(!ff_collide_ray(&box, &home, bad, x, 9.0, &hit));
    CHECK(!ff_collide_ray(&box, &home, far, x, NAN, &hit));
}

#define SOUP 400
static double soup_vertex[SOUP * 9];
static int soup_index[SOUP * 3];

static ff_mesh *make_soup(ff_random *r)
{
    for (int t = 0; t < SOUP; t++) {
        double centre[3];
        for (int k = 0; k < 3; k++) centre[k] = ff_random_range(r, -1, 1);
        for (int k = 0; k < 9; k++) {
            soup_vertex[9 * t + k] = centre[k % 3] + ff_random_range(r, -0.2, 0.2);
            if (k % 3 == 0) soup_index[3 * t + k / 3] = 3 * t + k / 3;
        }
        if (t % 50 == 0) memcpy(soup_vertex + 9 * t + 3, soup_vertex + 9 * t, 3 * sizeof(double)); // no area
    }
    return ff_mesh_create(soup_vertex, 3 * SOUP, soup_index, SOUP, NULL);
}

// Independent of the library's routine: plane first, then the three sides.
static double ray_one(const double *c, const double o[3], const double d[3])
{
    double ab[3], ac[3], n[3], x[3];
    ff_vec3_sub(ab, c + 3, c);
    ff_vec3_sub(ac, c + 6, c);
    ff_vec3_cross(n, ab, ac);
    double t = (ff_vec3_dot(n, c) - ff_vec3_dot(n, o)) / ff_vec3_dot(n, d);
    if (!(t >= 0.0)) return INFINITY;
    for (int k = 0; k < 3; k++) x[k] = o[k] + t * d[k];
    for (int k = 0; k < 3; k++) {
        double e[3], w[3], m[3];
        ff_vec3_sub(e, c + 3 * ((k + 1) % 3), c + 3 * k);
        ff_vec3_sub(w, x, c + 3 * k);
        ff_vec3_cross(m, e, w);
        if (ff_vec3_dot(m, n) < 0.0) return INFINITY;
    }
    return t;
}

TEST(rays_through_a_tree_hit_what_a_test_of_all_triangles_hits)
{
    ff_random r = ff_random_make(32, 1);
    ff_mesh *mesh = make_soup(&r);
    ff_surface *surface = ff_surface_create(mesh, NULL);
    const ff_collider c = {.type = FF_COLLIDER_SURFACE, .surface = surface};
    const ff_pose home = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    int hits = 0;
    for (int n = 0; n < 10000; n++) {
        double o[3], d[3], best = INFINITY;
        for (int k = 0; k < 3; k++) o[k] = ff_random_range(&r, -1.5, 1.5);
        random_direction(&r, d);
        if (n % 10 == 0) d[n / 10 % 3] = 0.0, ff_vec3_normalise(d); // along a plane of the grid
        for (int t = 0; t < SOUP; t++) best = fmin(best, ray_one(soup_vertex + 9 * t, o, d));
        ff_ray_hit hit;
        bool found = ff_collide_ray(&c, &home, o, d, 10.0, &hit);
        CHECK_INT(found, best <= 10.0);
        if (found) CHECK_NEAR(hit.distance, best, 1e-11);
        hits += found;
    }
    printf("  %d hits\n", hits);
    CHECK(hits > 1000);
    ff_surface_destroy(surface);
    ff_mesh_destroy(mesh);
}

// A sheet of so many triangles that Embree is asked, where it is built in: our own tree, called by name, must see the
// same.
TEST(rays_onto_a_large_mesh_hit_what_our_own_tree_hits)
{
    enum { SIDE = 80, RAYS = 10000 };
    static double v[(SIDE + 1) * (SIDE + 1) * 3];
    static int index[SIDE * SIDE * 6];
    ff_random r = ff_random_make(34, 1);
    int n = 0, hits = 0, others = 0;
    for (int j = 0; j <= SIDE; j++)
        for (int i = 0; i <= SIDE; i++)
            ff_vec3_set(v + 3 * (j * (SIDE + 1) + i), 0.1 * i - 4.0, 0.1 * j - 4.0, 0.4 * sin(0.3 * i) * cos(0.2 * j));
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            int a = j * (SIDE + 1) + i, b = a + 1, c = a + SIDE + 1, d = c + 1;
            index[n++] = a, index[n++] = b, index[n++] = d, index[n++] = a, index[n++] = d, index[n++] = c;
        }
    ff_mesh *mesh = ff_mesh_create(v, (SIDE + 1) * (SIDE + 1), index, n / 3, NULL);
    ff_surface *surface = ff_surface_create(mesh, NULL);
    const ff_collider c = {.type = FF_COLLIDER_SURFACE, .surface = surface};
    for (int i = 0; i < RAYS; i++) {
        double o[3], d[3], range = 20.0;
        int triangle = -1;
        for (int k = 0; k < 3; k++) o[k] = ff_random_range(&r, -5.0, 5.0);
        random_direction(&r, d);
        ff_ray_hit hit;
        bool own = ff_surface_ray_tree(surface, o, d, &range, &triangle);
        CHECK_INT(ff_collide_ray(&c, &(ff_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, o, d, 20.0, &hit), own);
        if (!own) continue;
        hits++;
        others += hit.part != triangle;
        if (hit.part == triangle)
            CHECK_NEAR(hit.distance, range, 0.0); // the same triangle, bit for bit
        else
            CHECK_NEAR(hit.distance, range, 1e-5); // [m] on an edge: a neighbour, within single precision at 10 m
    }
    printf("  %d hits, %d on another triangle\n", hits, others);
    CHECK(hits > RAYS / 10);
    CHECK_BELOW(others, 10);
    ff_surface_destroy(surface);
    ff_mesh_destroy(mesh);
}

static double hills(void *context, double x, double y)
{
    (void)context;
    return 0.1 * sin(7.0 * x) * cos(5.0 * y) + 0.05 * x;
}

TEST(rays_onto_a_field_end_at_its_height)
{
    ff_random r = ff_random_make(33, 1);
    ff_field *field = ff_field_create_from(hills, NULL, 41, 31, (double[2]){4.0, 3.0}, NULL);
    const ff_collider c = {.type = FF_COLLIDER_FIELD, .field = field};
    ff_pose pose = random_pose(&r, 0.3);
    int hits = 0;
    for (int n = 0; n < 10000; n++) {
        double o[3] = {ff_random_range(&r, -2.0, 2.0), ff_random_range(&r, -1.5, 1.5), 0.5}, d[3], wo[3], wd[3];
        random_direction(&r, d);
        d[2] = -fabs(d[2]);
        if (n % 20 == 0) ff_vec3_set(d, 0, 0, -1);
        ff_mat3_mulv(wo, pose.R, o);
        ff_vec3_add(wo, wo, pose.p);
        ff_mat3_mulv(wd, pose.R, d);
        ff_ray_hit hit;
        bool found = ff_collide_ray(&c, &pose, wo, wd, 8.0, &hit);
        double end = found ? hit.distance : 8.0;
        if (found) {
            double x = o[0] + end * d[0], y = o[1] + end * d[1];
            CHECK_NEAR(ff_field_height(field, x, y), o[2] + end * d[2], 1e-9);
        }
        for (int i = 0; i < 100; i++) { // above ground all the way
            double t = end * (i - 0.01) / 100.0, z = ff_field_height(field, o[0] + t * d[0], o[1] + t * d[1]);
            if (t > 0.0 && isfinite(z)) CHECK_BELOW(z, o[2] + t * d[2] + 1e-9);
        }
        hits += found;
    }
    printf("  %d hits\n", hits);
    CHECK(hits > 4000);
    ff_field_destroy(field);
}
