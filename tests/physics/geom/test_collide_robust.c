// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Invalid input, and input of unusual size: poses that are not finite, places a thousand kilometres away,
// shapes of a micrometre, meshes with fins, slivers and doubled triangles, thousands of objects in one place. The
// result is defined, and no query hangs.
#include "ground.h"

#define MOST 16

// One collider of every type.
typedef struct zoo {
    ff_collider c[FF_COLLIDER_COUNT];
    ff_convex *convex;
    ff_surface *surface;
    ff_field *field;
    double points[9];
} zoo;

static void zoo_make(zoo *z, double scale)
{
    const double corner[12] = {0.2, 0, 0, 0, 0.3, 0, -0.1, -0.1, 0, 0, 0, 0.4},
                 points[9] = {0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.1};
    double scaled[12], heights[9] = {0, 0.1, 0, 0.1, 0.2, 0, 0, 0.1, 0};
    memset(z, 0, sizeof *z);
    for (int i = 0; i < 12; i++) scaled[i] = scale * corner[i];
    for (int i = 0; i < 9; i++) heights[i] *= scale, z->points[i] = scale * points[i];
    ff_mesh *cloud = ff_mesh_create(scaled, 4, NULL, 0, NULL), *box = mesh_box(0.4 * scale, 0.3 * scale, 0.2 * scale);
    z->convex = ff_convex_create(cloud, NULL);
    z->surface = ff_surface_create(box, NULL);
    z->field = ff_field_create(heights, 3, 3, (double[2]){scale, scale}, NULL);
    for (int t = 0; t < FF_COLLIDER_COUNT; t++)
        z->c[t] = (ff_collider){.type = (ff_collider_type)t, .size = {0.2 * scale, 0.3 * scale, 0.25 * scale}};
    z->c[FF_COLLIDER_CONVEX].convex = z->convex;
    z->c[FF_COLLIDER_SURFACE].surface = z->surface;
    z->c[FF_COLLIDER_FIELD].field = z->field;
    z->c[FF_COLLIDER_POINTS].points = z->points;
    z->c[FF_COLLIDER_POINTS].npoint = 3;
    z->c[FF_COLLIDER_POINTS].size[0] = 0.02 * scale;
    CHECK(z->convex && z->surface && z->field);
    ff_mesh_destroy(cloud);
    ff_mesh_destroy(box);
}

static void zoo_clear(zoo *z)
{
    ff_convex_destroy(z->convex);
    ff_surface_destroy(z->surface);
    ff_field_destroy(z->field);
}

// The pairs of docs/collision.md, independent of the table of the library.
static bool has_contact(int t1, int t2)
{
    int low = t1 < t2 ? t1 : t2, high = t1 < t2 ? t2 : t1;
    if (low <= FF_COLLIDER_CONVEX) return true;
    if (low == FF_COLLIDER_PLANE) return high == FF_COLLIDER_POINTS || high == FF_COLLIDER_SURFACE;
    return low == FF_COLLIDER_POINTS;
}

TEST(every_pair_answers_or_refuses_and_poses_that_are_not_finite_are_reported)
{
    zoo z;
    zoo_make(&z, 1.0);
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < FF_COLLIDER_COUNT; i++)
        for (int j = 0; j < FF_COLLIDER_COUNT; j++) {
            ff_collide_point p[MOST];
            ff_collide_nearest near;
            int count = 7;
            ff_status expected = has_contact(i, j) ? FF_OK : FF_BAD_ARGUMENT;
            CHECK_INT(ff_collide(&z.c[i], &HOME, &z.c[j], &HOME, 0.0, p, MOST, &count), expected);
            CHECK_INT(ff_collide_distance(&z.c[i], &HOME, &z.c[j], &HOME, &near), expected);
            if (expected != FF_OK) CHECK(count == 0 && isnan(near.distance));
            for (int k = 0; k < count; k++)
                CHECK(isfinite(p[k].depth) && fabs(ff_vec3_norm(p[k].normal) - 1.0) < 1e-9 &&
                      isfinite(ff_vec3_norm(p[k].point)));
            for (int k = 0; k < 12 * 3 * 2 && expected == FF_OK; k++) {
                ff_pose pose[2] = {HOME, HOME};
                int entry = k / 6;
                *(entry < 9 ? &pose[k % 2].R[entry] : &pose[k % 2].p[entry - 9]) = bad[k / 2 % 3];
                CHECK_INT(ff_collide(&z.c[i], &pose[0], &z.c[j], &pose[1], 0.0, p, MOST, &count), FF_DIVERGED);
                CHECK_INT(count, 0);
                CHECK_INT(ff_collide_distance(&z.c[i], &pose[0], &z.c[j], &pose[1], &near), FF_DIVERGED);
                CHECK(isnan(near.distance) && isnan(near.normal[0]) && isnan(near.point1[2]));
            }
            CHECK_INT(ff_collide(&z.c[i], &HOME, &z.c[j], &HOME, NAN, p, MOST, &count), FF_BAD_ARGUMENT);
        }
    ff_collider strange = {.type = (ff_collider_type)77}, empty = {.type = FF_COLLIDER_POINTS},
                missing = {.type = FF_COLLIDER_SURFACE};
    ff_collide_nearest near;
    CHECK_INT(ff_collide_distance(&z.c[0], &HOME, &strange, &HOME, &near), FF_BAD_ARGUMENT);
    CHECK_INT(ff_collide_distance(&z.c[0], &HOME, &empty, &HOME, &near), FF_BAD_ARGUMENT);
    CHECK_INT(ff_collide_distance(&z.c[0], &HOME, &missing, &HOME, &near), FF_BAD_ARGUMENT);
    zoo_clear(&z);
}

// ------------------------------------------------------------------------------------------ far away and very small

static int touch_of(const ff_collider *a, const ff_pose *pa, const ff_collider *b, const ff_pose *pb, double margin,
                    double *deepest)
{
    ff_collide_point p[MOST];
    int count;
    CHECK_INT(ff_collide(a, pa, b, pb, margin, p, MOST, &count), FF_OK);
    *deepest = -INFINITY;
    for (int i = 0; i < count; i++) *deepest = fmax(*deepest, p[i].depth);
    return count;
}

TEST(a_thousand_kilometres_away_nothing_changes_but_rounding)
{
    ff_random r = ff_random_make(81, 1);
    zoo z;
    zoo_make(&z, 1.0);
    for (int n = 0; n < POSES(10000); n++) {
        int i = n % FF_COLLIDER_COUNT, j = n / FF_COLLIDER_COUNT % FF_COLLIDER_COUNT;
        if (!has_contact(i, j)) continue;
        ff_pose pa = random_pose(&r, 0.4), pb = random_pose(&r, 0.4), qa = pa, qb = pb;
        // Multiples of 2^-10: exact at 1e6 m, so that both places hold the same problem.
        for (int k = 0; k < 3; k++) {
            pa.p[k] = floor(1024.0 * pa.p[k]) / 1024.0, pb.p[k] = floor(1024.0 * pb.p[k]) / 1024.0;
            qa.p[k] = pa.p[k] + 1e6, qb.p[k] = pb.p[k] + 1e6;
        }
        ff_collide_nearest here, there;
        CHECK_INT(ff_collide_distance(&z.c[i], &pa, &z.c[j], &pb, &here), FF_OK);
        CHECK_INT(ff_collide_distance(&z.c[i], &qa, &z.c[j], &qb, &there), FF_OK);
        if (isinf(here.distance))
            CHECK(isinf(there.distance));
        else // sets of points are placed in the world first, where one place in the last digit is 1.2e-10 m
            CHECK_NEAR(here.distance, there.distance,
                       i == FF_COLLIDER_POINTS || j == FF_COLLIDER_POINTS ? 1e-9 : 1e-14);
        double deep[2];
        CHECK_INT(touch_of(&z.c[i], &qa, &z.c[j], &qb, 0.0, &deep[0]) > 0,
                  touch_of(&z.c[i], &pa, &z.c[j], &pb, 0.0, &deep[1]) > 0);
    }
    zoo_clear(&z);
}

TEST(shapes_of_a_micrometre_touch_as_those_of_a_metre_do)
{
    ff_random r = ff_random_make(82, 1);
    const double small = 0x1p-20; // about 1e-6, exact
    zoo z, y;
    zoo_make(&z, 1.0);
    zoo_make(&y, small);
    int touching = 0, differ = 0;
    for (int n = 0; n < POSES(20000); n++) {
        int i = n % FF_COLLIDER_COUNT, j = n / FF_COLLIDER_COUNT % FF_COLLIDER_COUNT;
        // Surfaces are seen from behind down to 10 mm, which is more than all of a small one: not the same problem.
        bool facets = i >= FF_COLLIDER_SURFACE || j >= FF_COLLIDER_SURFACE;
        if (!has_contact(i, j) || facets) continue;
        ff_pose pa = random_pose(&r, 0.4), pb = random_pose(&r, 0.4), qa = pa, qb = pb;
        ff_vec3_scale(qa.p, pa.p, small);
        ff_vec3_scale(qb.p, pb.p, small);
        ff_collide_nearest large, tiny;
        CHECK_INT(ff_collide_distance(&z.c[i], &pa, &z.c[j], &pb, &large), FF_OK);
        CHECK_INT(ff_collide_distance(&y.c[i], &qa, &y.c[j], &qb, &tiny), FF_OK);
        CHECK_NEAR(tiny.distance / small, large.distance,
                   1e-6); // [1] of the size: tolerances that are lengths are 1e-13 m
        double deep[2];
        int a = touch_of(&z.c[i], &pa, &z.c[j], &pb, 0.0, &deep[0]),
            b = touch_of(&y.c[i], &qa, &y.c[j], &qb, 0.0, &deep[1]);
        touching += a > 0;
        differ += a != b;
        if (a > 0 && b > 0) CHECK_NEAR(deep[1] / small, deep[0], 1e-6);
    }
    printf("  %d touch, of which %d in another number of points\n", touching, differ);
    CHECK_BELOW(differ, 0.01 * touching); // faces that are just within 1e-3 rad of the contact plane
    zoo_clear(&z);
    zoo_clear(&y);
}

TEST(small_balls_and_boxes_lie_on_floors_of_triangles)
{
    ff_random r = ff_random_make(83, 1);
    for (int kind = 0; kind < FLOOR_COUNT; kind++) {
        test_floor g = make_floor(kind, &r);
        for (int n = 0; n < 300; n++) {
            const ff_collider body[2] = {{.type = FF_COLLIDER_SPHERE, .size = {1e-6}},
                                         {.type = FF_COLLIDER_BOX, .size = {1e-6, 1e-6, 1e-6}}};
            ff_pose pose = HOME;
            ff_vec3_set(pose.p, ff_random_range(&r, -0.9, 0.9), ff_random_range(&r, -0.9, 0.9), 0.9e-6);
            for (int k = 0; k < 2; k++) {
                double deep;
                CHECK_INT(touch_of(&g.c, &HOME, &body[k], &pose, 0.0, &deep), k ? 4 : 1);
                CHECK_NEAR(deep, 1e-7, 1e-15);
            }
        }
        clear_ground(&g);
    }
}

// ------------------------------------------------------------------------------------------ broken meshes

// A book: many pages on one edge, some twice, one without area, one with a corner at 1e-160. No page is lost, and
// nothing is infinite.
TEST(pages_on_one_edge_are_touched_each)
{
    enum { PAGES = 7 };
    double v[(PAGES + 3) * 3] = {0, -1, 0, 0, 1, 0};
    int t[3 * (2 * PAGES + 2)], nt = 0;
    for (int i = 0; i < PAGES; i++) {
        double angle = 0.4 * i;
        ff_vec3_set(v + 3 * (2 + i), cos(angle), 0.0, sin(angle));
        for (int k = 0; k < 1 + i % 2; k++) t[3 * nt] = 0, t[3 * nt + 1] = 1, t[3 * nt + 2] = 2 + i, nt++;
    }
    ff_vec3_set(v + 3 * (PAGES + 2), 0.0, 1e-160, 0.0);
    t[3 * nt] = 0, t[3 * nt + 1] = PAGES + 2, t[3 * nt + 2] = 1, nt++;
    t[3 * nt] = 0, t[3 * nt + 1] = 0, t[3 * nt + 2] = 1, nt++;
    ff_mesh *mesh = ff_mesh_create(v, PAGES + 3, t, nt, NULL);
    ff_surface *surface = ff_surface_create(mesh, NULL);
    CHECK(surface);
    const ff_collider book = {.type = FF_COLLIDER_SURFACE, .surface = surface};
    const ff_collider body[4] = {{.type = FF_COLLIDER_SPHERE, .size = {0.05}},
                                 {.type = FF_COLLIDER_BOX, .size = {0.05, 0.04, 0.03}},
                                 {.type = FF_COLLIDER_CYLINDER, .size = {0.05, 0.04}},
                                 {.type = FF_COLLIDER_CAPSULE, .size = {0.02, 0.04}}};
    for (int i = 0; i < PAGES; i++) {
        double c[9], n[3], ab[3], ac[3];
        const int page[3] = {0, 1, 2 + i};
        for (int k = 0; k < 3; k++) ff_vec3_copy(c + 3 * k, v + 3 * page[k]);
        ff_vec3_sub(ab, c + 3, c);
        ff_vec3_sub(ac, c + 6, c);
        ff_vec3_cross(n, ab, ac);
        ff_vec3_normalise(n);
        ff_pose pose = HOME;
        for (int k = 0; k < 3; k++)
            pose.p[k] = (c[k] + c[3 + k] + 4 * c[6 + k]) / 6.0 + 0.049 * n[k]; // over the outer part
        double deep;
        CHECK_INT(touch_of(&book, &HOME, &body[0], &pose, 0.0, &deep), 1);
        CHECK_NEAR(deep, 0.001, 1e-12);
    }
    ff_random r = ff_random_make(84, 1);
    for (int n = 0; n < POSES(4000); n++) {
        ff_pose pose = random_pose(&r, 0.4);
        ff_collide_point p[MOST];
        int count;
        CHECK_INT(ff_collide(&book, &HOME, &body[n % 4], &pose, 0.0, p, MOST, &count), FF_OK);
        for (int k = 0; k < count; k++) {
            CHECK(isfinite(p[k].depth) && isfinite(ff_vec3_norm(p[k].point)));
            CHECK_NEAR(ff_vec3_norm(p[k].normal), 1.0, 1e-9);
            for (int j = 0; j < k; j++) CHECK(p[k].id != p[j].id);
        }
    }
    ff_surface_destroy(surface);
    ff_mesh_destroy(mesh);
}

TEST(a_surface_of_nothing_but_slivers_is_touched_by_nothing)
{
    const double v[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    const int t[6] = {0, 1, 2, 2, 2, 1};
    ff_mesh *mesh = ff_mesh_create(v, 3, t, 2, NULL);
    ff_surface *surface = ff_surface_create(mesh, NULL);
    CHECK(surface);
    const ff_collider c = {.type = FF_COLLIDER_SURFACE, .surface = surface},
                      ball = {.type = FF_COLLIDER_SPHERE, .size = {1.0}};
    double deep, low[3], high[3];
    ff_ray_hit hit;
    CHECK_INT(touch_of(&c, &HOME, &ball, &HOME, 0.0, &deep), 0);
    CHECK(!ff_collide_ray(&c, &HOME, (double[3]){0.5, 0, 1}, (double[3]){0, 0, -1}, 9.0, &hit));
    ff_collider_bounds(&c, &HOME, low, high);
    CHECK(isfinite(low[0]) && isfinite(high[2]));
    ff_surface_destroy(surface);
    ff_mesh_destroy(mesh);
}

// ------------------------------------------------------------------------------------------ thousands in one place

TEST(ten_thousand_objects_in_one_place_are_too_many_pairs_and_no_hang)
{
    enum { N = 10000 };
    double *low = malloc(3 * N * sizeof(double)), *high = malloc(3 * N * sizeof(double));
    ff_broad_object *object = malloc(N * sizeof *object);
    CHECK(low && high && object);
    for (int i = 0; i < 3 * N; i++) low[i] = -1.0, high[i] = 1.0;
    for (int i = 0; i < N; i++) object[i] = (ff_broad_object){1, 1, -1, false};
    ff_broad *b = ff_broad_create(object, N, NULL, 0, 0, 0.01, NULL);
    const ff_broad_pair *pair;
    int npair;
    for (int step = 0; step < 3; step++)
        CHECK_INT(ff_broad_update(b, low, high, &pair, &npair), FF_LIMIT); // 50 million pairs
    CHECK_INT(npair, 16 * (N + 1));
    CHECK_BELOW((double)ff_broad_statistics(b).visits,
                3.0 * 4.0 * 16 * (N + 1)); // the search ends when the list is full
    for (int i = 0; i < N; i++) low[3 * i] = 3.0 * i, high[3 * i] = 3.0 * i + 1.0;
    CHECK_INT(ff_broad_update(b, low, high, &pair, &npair), FF_OK); // apart again
    CHECK_INT(npair, 0);
    ff_broad_destroy(b);
    free(low);
    free(high);
    free(object);
}
