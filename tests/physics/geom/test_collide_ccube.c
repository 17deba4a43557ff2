// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The cpoint/ctriangle detector against the closed form for the box it stands for; and that no query of the room
// allocates.
#include "collide_random.h"
#include "tessellate.h"

#include "support/allocations.h"

// Inside the box the depth is the distance to the nearest face, as long as that is within d_max.
TEST(points_in_cells_collide_as_points_in_the_box)
{
    ff_random r = ff_random_make(51, 1);
    ff_mesh *mesh = mesh_box(0.4, 0.3, 0.2);
    const ff_collider box = {.type = FF_COLLIDER_BOX, .size = {0.4, 0.3, 0.2}}, point = {.type = FF_COLLIDER_SPHERE};
    for (int cells = 1; cells <= 100; cells = cells * 10) {
        ff_ccube *cube = ff_ccube_create(mesh, cells, 0.05, NULL);
        CHECK(cube);
        int hits = 0;
        for (int n = 0; n < 5000; n++) {
            ff_pose pose = random_pose(&r, 0.2), at = random_pose(&r, 0.5);
            double zero[3] = {0, 0, 0};
            ff_collide_nearest expected;
            ff_collide_point p;
            int count = ff_ccube_collide(cube, &pose, zero, 1, &at, &p, 1);
            ff_collide_distance(&box, &pose, &point, &at, &expected);
            CHECK_INT(count, expected.distance < 0.0 && expected.distance >= -0.05);
            if (count == 0) continue;
            hits++;
            CHECK_NEAR(p.depth, -expected.distance, 1e-12);
            CHECK_NEAR(ff_vec3_dot(p.normal, expected.normal), 1.0, 1e-12);
        }
        CHECK(hits > 200);
        ff_ccube_destroy(cube);
    }
    CHECK(!ff_ccube_create(mesh, 0, 0.1, NULL));
    CHECK(!ff_ccube_create(mesh, 10, NAN, NULL));
    ff_mesh_destroy(mesh);
}

TEST(no_query_allocates)
{
    ff_random r = ff_random_make(52, 1);
    random_collider shape[NCONVEX];
    for (int i = 0; i < NCONVEX; i++) random_collider_make(&shape[i], CONVEX_TYPES[i], &r);
    ff_mesh *mesh = mesh_box(0.4, 0.3, 0.2);
    ff_surface *surface = ff_surface_create(mesh, NULL);
    ff_field *field = ff_field_create(NULL, 9, 9, (double[2]){2, 2}, NULL);
    ff_ccube *cube = ff_ccube_create(mesh, 20, 0.05, NULL);
    const ff_collider more[3] = {{.type = FF_COLLIDER_PLANE},
                                 {.type = FF_COLLIDER_SURFACE, .surface = surface},
                                 {.type = FF_COLLIDER_FIELD, .field = field}};
    ff_broad_object object[NCONVEX];
    for (int i = 0; i < NCONVEX; i++) object[i] = (ff_broad_object){1, 1, -1, false};
    ff_broad *broad = ff_broad_create(object, NCONVEX, NULL, 0, 0, 0.01, NULL);
    CHECK(surface && field && cube && broad);
    if (allocation_calls == 0) SKIP("a shared library is out of the reach of --wrap");
    long long before = allocation_calls;
    for (int n = 0; n < 500; n++) {
        ff_collide_point p[16];
        ff_collide_nearest near;
        ff_ray_hit hit;
        int count, npair;
        double low[3 * NCONVEX], high[3 * NCONVEX], d[3];
        const ff_broad_pair *pairs;
        ff_pose pose[NCONVEX], other = random_pose(&r, 0.3);
        for (int i = 0; i < NCONVEX; i++) {
            pose[i] = random_pose(&r, 0.5);
            ff_collider_bounds(&shape[i].c, &pose[i], low + 3 * i, high + 3 * i);
        }
        ff_broad_update(broad, low, high, &pairs, &npair);
        random_direction(&r, d);
        for (int i = 0; i < NCONVEX; i++) {
            for (int j = 0; j < NCONVEX; j++) {
                ff_collide(&shape[i].c, &pose[i], &shape[j].c, &pose[j], 0.01, p, 16, &count);
                ff_collide_distance(&shape[i].c, &pose[i], &shape[j].c, &pose[j], &near);
            }
            for (int j = 0; j < 3; j++) {
                ff_collide(&more[j], &other, &shape[i].c, &pose[i], 0.01, p, 16, &count);
                ff_collide_ray(&more[j], &other, pose[i].p, d, 3.0, &hit);
            }
            ff_collide_ray(&shape[i].c, &pose[i], other.p, d, 3.0, &hit);
        }
        ff_ccube_collide(cube, &other, shape[5].cloud, shape[5].ncloud, &pose[5], p, 16);
    }
    CHECK_INT(allocation_calls, before);
    ff_broad_destroy(broad);
    ff_ccube_destroy(cube);
    ff_field_destroy(field);
    ff_surface_destroy(surface);
    ff_mesh_destroy(mesh);
    ff_convex_destroy(shape[5].owned);
}
