// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact patches: how many points, where, how deep, and that their identities last; and invalid input.
#include "collide_random.h"
#include "geom/collide_private.h"

static int touch(const ff_collider *a, ff_pose pa, const ff_collider *b, ff_pose pb, ff_collide_point *p)
{
    int count;
    CHECK_INT(ff_collide(a, &pa, b, &pb, 0.0, p, 8, &count), FF_OK);
    return count;
}

static const ff_collider PLANE = {.type = FF_COLLIDER_PLANE}, BALL = {.type = FF_COLLIDER_SPHERE, .size = {0.1}},
                         CAPSULE = {.type = FF_COLLIDER_CAPSULE, .size = {0.1, 0.3}},
                         BOX = {.type = FF_COLLIDER_BOX, .size = {0.3, 0.2, 0.1}},
                         DRUM = {.type = FF_COLLIDER_CYLINDER, .size = {0.2, 0.1}};

TEST(a_box_rests_on_a_plane_and_on_a_box_with_four_corners)
{
    ff_collide_point p[8];
    const ff_collider table = {.type = FF_COLLIDER_BOX, .size = {1.0, 1.0, 0.5}};
    for (int kind = 0; kind < 2; kind++) {
        int count = kind ? touch(&table, at(0, 0, -0.5), &BOX, at(0.2, 0.1, 0.099), p)
                         : touch(&PLANE, HOME, &BOX, at(0.2, 0.1, 0.099), p);
        CHECK_INT(count, 4);
        double sum[3] = {0, 0, 0};
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(p[i].depth, 0.001, 1e-15);
            CHECK_NEAR(p[i].normal[2], 1.0, 1e-15);
            CHECK_NEAR(p[i].point[2], -0.0005, 1e-15); // midway between the surfaces
            CHECK_NEAR(fabs(p[i].point[0] - 0.2), 0.3, 1e-12);
            CHECK_NEAR(fabs(p[i].point[1] - 0.1), 0.2, 1e-12);
            ff_vec3_add(sum, sum, p[i].point);
        }
        CHECK_NEAR(sum[0] / 4, 0.2, 1e-12);
        CHECK_NEAR(sum[1] / 4, 0.1, 1e-12);
    }
}

// A convex hull with the corners of a box is that box: same depth, same number of points, against every partner.
TEST(the_hull_of_a_box_touches_as_the_box_does)
{
    ff_random r = ff_random_make(14, 1);
    double corner[24];
    for (int i = 0; i < 24; i++) corner[i] = (i / 3) >> (i % 3) & 1 ? -BOX.size[i % 3] : BOX.size[i % 3];
    ff_mesh *mesh = ff_mesh_create(corner, 8, NULL, 0, NULL);
    ff_convex *convex = ff_convex_create(mesh, NULL);
    const ff_collider hull = {.type = FF_COLLIDER_CONVEX, .convex = convex};
    const ff_collider partner[4] = {PLANE, BOX, CAPSULE, DRUM};
    for (int i = 0; i < 4000; i++) {
        ff_pose home = HOME, pose = random_pose(&r, 0.3);
        if (i % 2) pose = at(ff_random_range(&r, -0.2, 0.2), ff_random_range(&r, -0.2, 0.2), pose.p[2]);
        ff_collide_nearest one, two;
        ff_collide_point p[8], q[8];
        CHECK_INT(ff_collide_distance(&partner[i % 4], &home, &BOX, &pose, &one), FF_OK);
        CHECK_INT(ff_collide_distance(&partner[i % 4], &home, &hull, &pose, &two), FF_OK);
        CHECK_NEAR(one.distance, two.distance, 1e-8); // [m] EPA on the drum
        // Where two ways out are equally short, either may be taken.
        if (ff_vec3_dot(one.normal, two.normal) < 0.9999) continue;
        CHECK_INT(touch(&partner[i % 4], HOME, &BOX, pose, p), touch(&partner[i % 4], HOME, &hull, pose, q));
    }
    ff_convex_destroy(convex);
    ff_mesh_destroy(mesh);
}

// The gap below a body at rest on a table, and its tilt, are of the size of rounding. The normal is then that of one of
// the two faces: its tilt is no larger, however small the gap is against the rounding of the nearest points.
TEST(the_normal_of_faces_that_hardly_part_is_theirs)
{
    ff_random r = ff_random_make(16, 1);
    double corner[24];
    for (int i = 0; i < 24; i++) corner[i] = (i / 3) >> (i % 3) & 1 ? -BOX.size[i % 3] : BOX.size[i % 3];
    ff_mesh *mesh = ff_mesh_create(corner, 8, NULL, 0, NULL);
    ff_convex *convex = ff_convex_create(mesh, NULL);
    const ff_collider hull = {.type = FF_COLLIDER_CONVEX, .convex = convex};
    const ff_collider *const things[3] = {&BOX, &hull, &DRUM};
    const ff_collider table = {.type = FF_COLLIDER_BOX, .size = {1.0, 1.0, 0.5}};
    const double tilt = 1e-11;
    for (int i = 0; i < 3000; i++) {
        const double gap = pow(10.0, ff_random_range(&r, -11.0, -6.0)); // of the centre, whose corners are off by 4e-12
        const ff_pose pose = turned(at(ff_random_range(&r, -0.5, 0.5), ff_random_range(&r, -0.5, 0.5), 0.1 + gap),
                                    ff_random_normal(&r), ff_random_normal(&r), 0.0, tilt);
        const ff_pose home = at(0, 0, -0.5);
        ff_collide_nearest n;
        CHECK_INT(ff_collide_distance(&table, &home, things[i % 3], &pose, &n), FF_OK);
        CHECK_BELOW(hypot(n.normal[0], n.normal[1]), 1.01 * tilt);
        CHECK_NEAR(n.distance, gap, 4e-12);
    }
    ff_convex_destroy(convex);
    ff_mesh_destroy(mesh);
}

// Overlap of a square with one turned by 45 degrees is an octagon.
TEST(crossed_boxes_touch_in_an_octagon)
{
    const ff_collider cube = {.type = FF_COLLIDER_BOX, .size = {0.2, 0.2, 0.2}};
    ff_collide_point p[8];
    int count = touch(&cube, HOME, &cube, turned(at(0, 0, 0.39), 0, 0, 1, FF_PI / 4), p);
    CHECK_INT(count, 8);
    for (int i = 0; i < 8; i++) {
        double x = fabs(p[i].point[0]), y = fabs(p[i].point[1]);
        CHECK_NEAR(fmax(x, y), 0.2, 1e-12);
        CHECK_NEAR(fmin(x, y), 0.2 * (sqrt(2.0) - 1.0), 1e-12); // 0.2 tan(22.5 deg)
        CHECK_NEAR(p[i].depth, 0.01, 1e-12);
    }
}

TEST(parallel_capsules_touch_in_two_points_crossed_ones_in_one)
{
    ff_collide_point p[8];
    CHECK_INT(touch(&CAPSULE, HOME, &CAPSULE, at(0.19, 0, 0.1), p), 2);
    double low = fmin(p[0].point[2], p[1].point[2]), high = fmax(p[0].point[2], p[1].point[2]);
    CHECK_NEAR(low, -0.2, 1e-12); // lower end of the upper one
    CHECK_NEAR(high, 0.3, 1e-12); // upper end of the lower one
    CHECK_NEAR(p[0].depth, 0.01, 1e-12);
    CHECK_INT(touch(&CAPSULE, HOME, &CAPSULE, turned(at(0.19, 0, 0.1), 1, 0, 0, 0.5), p), 1);
    CHECK_INT(touch(&PLANE, at(0, 0, 0), &CAPSULE, turned(at(0, 0, 0.09), 0, 1, 0, FF_PI / 2), p), 2);
    CHECK_INT(touch(&BOX, at(0, 0, 0), &CAPSULE, turned(at(0, 0, 0.19), 0, 1, 0, FF_PI / 2), p), 2);
    CHECK_NEAR(p[0].depth, 0.01, 1e-12);
}

// Edge over edge, half a millimetre apart: the ends of the part where both are. The box's edge on a rod likewise, in
// touch.
TEST(parallel_edges_meet_in_two_points)
{
    const ff_collider cube = {.type = FF_COLLIDER_BOX, .size = {0.1, 0.1, 0.1}};
    const double half = 0.1 * sqrt(2.0);
    ff_pose lower = turned(HOME, 0, 1, 0, FF_PI / 4), upper = turned(at(0, 0.05, 2 * half + 5e-4), 0, 1, 0, FF_PI / 4);
    ff_collide_point p[8];
    int count;
    CHECK_INT(ff_collide(&cube, &lower, &cube, &upper, 1e-3, p, 8, &count), FF_OK);
    CHECK_INT(count, 2);
    CHECK_NEAR(fmin(p[0].point[1], p[1].point[1]), -0.05, 1e-9);
    CHECK_NEAR(fmax(p[0].point[1], p[1].point[1]), 0.1, 1e-9);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(p[i].depth, -5e-4, 1e-9);
        CHECK_NEAR(p[i].point[2], half + 2.5e-4, 1e-9);
    }
    CHECK(p[0].id != p[1].id);
    ff_pose rod = turned(at(0, 0, half + 0.1 - 1e-3), 1, 0, 0, FF_PI / 2);
    CHECK_INT(touch(&cube, lower, &CAPSULE, rod, p), 2);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(p[i].depth, 1e-3, 1e-9);
        CHECK_NEAR(fabs(p[i].point[1]), 0.1, 1e-9); // the edge is shorter than the rod
    }
}

TEST(a_drum_stands_on_four_points_and_rolls_on_two)
{
    ff_collide_point p[8];
    const ff_collider table = {.type = FF_COLLIDER_BOX, .size = {1.0, 1.0, 0.5}};
    CHECK_INT(touch(&PLANE, HOME, &DRUM, at(0, 0, 0.099), p), 4);
    for (int i = 0; i < 4; i++) CHECK_NEAR(p[i].depth, 0.001, 1e-12);
    CHECK_INT(touch(&PLANE, HOME, &DRUM, turned(at(0, 0, 0.199), 0, 1, 0, FF_PI / 2), p), 2);
    for (int i = 0; i < 2; i++) CHECK_NEAR(p[i].depth, 0.001, 1e-12);
    CHECK_INT(touch(&table, at(0, 0, -0.5), &DRUM, at(0, 0, 0.099), p), 8);
    for (int i = 0; i < 8; i++) CHECK_NEAR(p[i].depth, 0.001, 1e-9);
    CHECK_INT(touch(&table, at(0, 0, -0.5), &DRUM, turned(at(0, 0, 0.199), 0, 1, 0, FF_PI / 2), p), 2);
}

// Deepest point of the drum's rim against the fixed points it stands on: continuous through all tilts and azimuths.
TEST(depth_of_a_tilting_drum_is_continuous)
{
    double last = 0.0, worst = 0.0;
    for (int i = 0; i <= 20000; i++) {
        double tilt = 0.08 * i / 20000.0, azimuth = 40.0 * tilt, deepest = 0.0;
        ff_collide_point p[8];
        int count = touch(&PLANE, HOME, &DRUM, turned(at(0, 0, 0.09), cos(azimuth), sin(azimuth), 0, tilt), p);
        for (int k = 0; k < count; k++) deepest = fmax(deepest, p[k].depth);
        if (i > 0) worst = fmax(worst, fabs(deepest - last));
        last = deepest;
    }
    CHECK_BELOW(worst, 0.2 * 0.08 / 20000.0 * 3.0); // [m] radius times change of tilt, with room for the turning points
}

// Same identities, same features: sorted sets of two steps are compared.
static int common(const ff_collide_point *p, int np, const ff_collide_point *q, int nq)
{
    int same = 0;
    for (int i = 0; i < np; i++)
        for (int j = 0; j < nq; j++) same += p[i].id == q[j].id;
    return same;
}

TEST(identities_last_while_a_box_slides_and_rocks)
{
    const ff_collider table = {.type = FF_COLLIDER_BOX, .size = {1.0, 1.0, 0.5}};
    const ff_collider *ground[2] = {&PLANE, &table};
    for (int kind = 0; kind < 2; kind++) {
        ff_collide_point before[8], now[8];
        int n = 0;
        for (int i = 0; i < 2000; i++) {
            double t = i / 2000.0,
                   rock = 1e-4 * sin(40.0 * t); // lifts a corner by 30 um at most: all four stay in touch
            ff_pose pose = turned(at(0.5 * t, 0.1 * sin(9.0 * t), 0.099), cos(7 * t), sin(7 * t), 0, rock);
            int count = touch(ground[kind], kind ? at(0, 0, -0.5) : HOME, &BOX, pose, now);
            CHECK_INT(count, 4);
            if (i > 0) CHECK_INT(common(before, n, now, count), 4);
            for (int a = 0; a < count; a++) {
                for (int b = 0; b < n && i > 0; b++)
                    if (before[b].id == now[a].id) {
                        double d[3];
                        ff_vec3_sub(d, before[b].point, now[a].point);
                        CHECK_BELOW(ff_vec3_norm(d), 2e-3); // [m] a step of the motion
                    }
            }
            memcpy(before, now, sizeof before);
            n = count;
        }
    }
}

TEST(equal_boxes_on_top_of_each_other_keep_their_corners_in_spite_of_rounding)
{
    ff_random r = ff_random_make(11, 1);
    ff_collide_point first[8], now[8];
    int n = touch(&BOX, HOME, &BOX, at(0, 0, 0.199), first);
    CHECK_INT(n, 4);
    for (int i = 0; i < 1000; i++) {
        double shake = 1e-6; // [m] a tenth of the patch's slack
        ff_pose pose = turned(at(ff_random_range(&r, -shake, shake), ff_random_range(&r, -shake, shake), 0.199),
                              ff_random_normal(&r), ff_random_normal(&r), ff_random_normal(&r), shake);
        int count = touch(&BOX, HOME, &BOX, pose, now);
        CHECK_INT(count, 4);
        CHECK_INT(common(first, n, now, count), 4);
    }
}

TEST(depths_of_a_patch_never_exceed_the_depth_of_the_pair)
{
    ff_random r = ff_random_make(12, 1);
    for (int i = 0; i < 6000; i++) {
        random_collider a, b;
        random_collider_make(&a, CONVEX_TYPES[i % NCONVEX], &r);
        random_collider_make(&b, CONVEX_TYPES[i / NCONVEX % NCONVEX], &r);
        ff_pose pa = random_pose(&r, 0.5), pb = random_pose(&r, 0.5);
        if (i % 3 == 0) memcpy(pb.R, pa.R, sizeof pb.R); // flat on flat
        ff_collide_nearest near;
        ff_collide_point p[8];
        ff_collide_distance(&a.c, &pa, &b.c, &pb, &near);
        int count = touch(&a.c, pa, &b.c, pb, p);
        CHECK_INT(count > 0, near.distance < 0.0);
        double deepest = 0.0;
        for (int k = 0; k < count; k++) {
            CHECK_NEAR(ff_vec3_dot(p[k].normal, near.normal), 1.0, 1e-12);
            deepest = fmax(deepest, p[k].depth);
            for (int j = 0; j < k; j++) CHECK(p[k].id != p[j].id);
        }
        // [m] 1e-3 rad of a face that counts as parallel, over 1 m; corners on the rim of a cylinder
        if (count > 0) CHECK_BELOW(deepest, -near.distance + 1e-3);
        ff_convex_destroy(a.owned);
        ff_convex_destroy(b.owned);
    }
}

TEST(points_are_balls_and_keep_their_numbers)
{
    const double feet[9] = {0.1, 0, 0, -0.1, 0, 0, 0, 0.1, 0.5};
    const ff_collider set = {.type = FF_COLLIDER_POINTS, .npoint = 3, .points = feet, .size = {0.02}};
    ff_collide_point p[8];
    CHECK_INT(touch(&PLANE, HOME, &set, at(0, 0, 0.01), p), 2);
    CHECK_NEAR(p[0].depth, 0.01, 1e-15);
    CHECK(p[0].id != p[1].id);
    CHECK_INT(touch(&set, at(0, 0, 0.01), &PLANE, HOME, p), 2);
    CHECK_NEAR(p[0].normal[2], -1.0, 1e-15);
    CHECK_INT(touch(&BOX, at(0, 0, -0.1), &set, at(0, 0, 0.01), p), 2);
}

// Any number of points, on every kind of partner: a small buffer keeps the deepest.
TEST(of_many_points_a_small_buffer_gets_the_deepest)
{
    enum { N = 300 };
    static double x[3 * N], y[3 * N];
    ff_random r = ff_random_make(15, 1);
    const double v[9] = {-3, -3, 0, 3, -3, 0, 0, 5, 0}, one[3] = {0, 0, 0};
    const int t[3] = {0, 1, 2};
    ff_mesh *mesh = ff_mesh_create(v, 3, t, 1, NULL);
    ff_surface *surface = ff_surface_create(mesh, NULL);
    for (int i = 0; i < N; i++) {
        ff_vec3_set(x + 3 * i, ff_random_range(&r, -0.3, 0.3), ff_random_range(&r, -0.3, 0.3), -1e-5 * ((i * 37) % N));
        ff_vec3_set(y + 3 * i, 0.0, 0.0, -1e-5 * ((i * 37) % N));
    }
    const ff_collider set = {.type = FF_COLLIDER_POINTS, .npoint = N, .points = x, .size = {1e-3}},
                      pile = {.type = FF_COLLIDER_POINTS, .npoint = N, .points = y, .size = {1e-3}};
    const ff_collider ground[4] = {PLANE,
                                   {.type = FF_COLLIDER_BOX, .size = {1, 1, 1}},
                                   {.type = FF_COLLIDER_SURFACE, .surface = surface},
                                   {.type = FF_COLLIDER_POINTS, .npoint = 1, .points = one, .size = {0.01}}};
    for (int g = 0; g < 4; g++) {
        ff_pose home = g == 1 ? at(0, 0, -1) : HOME, pose = at(0, 0, g == 3 ? 0.01 : 0.0);
        ff_collide_point p[5];
        int count;
        CHECK_INT(ff_collide(&ground[g], &home, g == 3 ? &pile : &set, &pose, 0.0, p, 5, &count), FF_OK);
        CHECK_INT(count, 5);
        double depths = 0.0;
        for (int i = 0; i < 5; i++) depths += p[i].depth;
        CHECK_NEAR(depths, 5 * 1e-3 + 1e-5 * (299 + 298 + 297 + 296 + 295),
                   1e-12); // balls of 1 mm with middles on or below the ground
    }
    ff_surface_destroy(surface);
    ff_mesh_destroy(mesh);
}

TEST(a_small_buffer_gets_the_deepest_and_the_widest)
{
    ff_collide_point p[8];
    int count;
    ff_pose home = HOME, pose = turned(at(0, 0, 0.09), 1, 0.3, 0, 0.01);
    CHECK_INT(ff_collide(&PLANE, &home, &BOX, &pose, 0.0, p, 8, &count), FF_OK);
    double deepest = 0.0;
    for (int i = 0; i < count; i++) deepest = fmax(deepest, p[i].depth);
    CHECK_INT(ff_collide(&PLANE, &home, &BOX, &pose, 0.0, p, 2, &count), FF_OK);
    CHECK_INT(count, 2);
    CHECK_NEAR(p[0].depth, deepest, 0.0);
    double d[3];
    ff_vec3_sub(d, p[1].point, p[0].point);
    CHECK_BELOW(0.7, ff_vec3_norm(d)); // [m] the diagonal of the face is 0.72
    CHECK_INT(ff_collide(&PLANE, &home, &BOX, &pose, 0.0, p, 0, &count), FF_OK);
    CHECK_INT(count, 0);
}

TEST(poses_that_are_not_finite_are_refused)
{
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < FF_COLLIDER_COUNT; j++) {
            if (j == FF_COLLIDER_CONVEX || j >= FF_COLLIDER_POINTS) continue;
            const ff_collider c = {.type = (ff_collider_type)j, .size = {0.1, 0.1, 0.1}};
            ff_pose good = HOME, pose = HOME, spin = HOME;
            pose.p[1] = bad[i];
            spin.R[4] = bad[i];
            ff_collide_nearest near;
            ff_collide_point p[8];
            int count = 7;
            CHECK_INT(ff_collide_distance(&BALL, &good, &c, &pose, &near), FF_DIVERGED);
            CHECK(isnan(near.distance));
            CHECK_INT(ff_collide(&c, &spin, &BALL, &good, 0.0, p, 8, &count), FF_DIVERGED);
            CHECK_INT(count, 0);
        }
    ff_pose home = HOME;
    ff_collide_nearest near;
    CHECK_INT(ff_collide_distance(&PLANE, &home, &PLANE, &home, &near), FF_BAD_ARGUMENT);
}

// Zero sizes, coincident centres, one inside the other, clouds without volume: an answer that is finite and separates.
TEST(degenerate_and_deep_pairs_get_a_finite_answer)
{
    const double clouds[4][12] = {{0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1, 0.2, 0.3},
                                  {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0},
                                  {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0},
                                  {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}};
    ff_collider all[32];
    ff_convex *convex[4];
    int n = 0;
    for (int t = 0; t <= FF_COLLIDER_ELLIPSOID; t++)
        for (int k = 0; k < 5; k++) {
            static const double SIZES[5][3] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {1e-9, 1e-9, 1e-9}, {0.2, 0.2, 0}};
            all[n] = (ff_collider){.type = (ff_collider_type)t};
            ff_vec3_copy(all[n++].size, SIZES[k]);
        }
    for (int i = 0; i < 4; i++) {
        ff_mesh *mesh = ff_mesh_create(clouds[i], 4, NULL, 0, NULL);
        convex[i] = ff_convex_create(mesh, NULL);
        ff_mesh_destroy(mesh);
        CHECK(convex[i]);
        all[n++] = (ff_collider){.type = FF_COLLIDER_CONVEX, .convex = convex[i]};
    }
    ff_random r = ff_random_make(13, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 6; k++) {
                ff_pose pa = k < 2 ? HOME : random_pose(&r, 0.1), pb = k < 1 ? HOME : random_pose(&r, 0.1);
                if (k == 4) memcpy(pb.R, pa.R, sizeof pb.R);
                if (k == 5) pb = pa;
                ff_collide_nearest near;
                ff_collide_point p[8];
                CHECK_INT(ff_collide_distance(&all[i], &pa, &all[j], &pb, &near), FF_OK);
                CHECK(isfinite(near.distance));
                CHECK_NEAR(ff_vec3_norm(near.normal), 1.0, 1e-9);
                for (int m = 0; m < 3; m++) CHECK(isfinite(near.point1[m]) && isfinite(near.point2[m]));
                int count = touch(&all[i], pa, &all[j], pb, p);
                for (int m = 0; m < count; m++) CHECK(isfinite(p[m].depth) && isfinite(p[m].point[0] + p[m].normal[0]));
            }
    for (int i = 0; i < 4; i++) ff_convex_destroy(convex[i]);
}

TEST(a_shape_and_its_collider_fill_the_same_box)
{
    const ff_pose here = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    for (int type = 0; type < FF_SHAPE_COUNT; type++) {
        const ff_shape shape = {.type = (ff_shape_type)type, .size = {0.3, 0.2, 0.1}};
        ff_collider collider;
        CHECK(ff_collider_from_shape(&collider, &shape) == (type != FF_SHAPE_MESH));
        if (type == FF_SHAPE_MESH || type == FF_SHAPE_PLANE) continue;
        CHECK_TEXT(ff_collider_name(collider.type), ff_shape_name(shape.type));
        double low[3], high[3], shape_low[3], shape_high[3];
        ff_collider_bounds(&collider, &here, low, high);
        ff_shape_bounds(&shape, shape_low, shape_high);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(low[k], shape_low[k], 1e-15);
            CHECK_NEAR(high[k], shape_high[k], 1e-15);
        }
    }
}

/// Squared distance of a point to the nearest of the first `kept`.
static double nearest_kept(const ff_collide_point *p, int kept, int i)
{
    double least = INFINITY;
    for (int j = 0; j < kept; j++) {
        double d[3];
        ff_vec3_sub(d, p[i].point, p[j].point);
        least = fmin(least, ff_vec3_dot(d, d));
    }
    return least;
}

TEST(of_many_points_the_deepest_is_kept_and_then_always_the_farthest_from_those_kept)
{
    ff_random r = ff_random_make(5, 1);
    for (int round = 0; round < 300; round++) {
        ff_collide_point p[FF_REDUCE_MAX];
        const int count = 2 + (int)ff_random_range(&r, 0.0, FF_REDUCE_MAX - 2), capacity = 1 + round % count;
        double depth = 0.0, sum = 0.0, after = 0.0;
        for (int i = 0; i < count; i++) { // on a grid, so that some are as far as others, or at one place
            p[i] = (ff_collide_point){.depth = ff_random_range(&r, 0.0, 1.0)};
            for (int k = 0; k < 3; k++) p[i].point[k] = floor(ff_random_range(&r, 0.0, 6.0));
            depth = fmax(depth, p[i].depth);
            sum += p[i].depth;
        }
        CHECK_INT(ff_patch_reduce(p, count, capacity), capacity);
        for (int i = 0; i < count; i++) after += p[i].depth;
        CHECK_NEAR(after, sum, 1e-12 * sum); // they only change places
        if (capacity == count) continue;
        CHECK(p[0].depth == depth);
        for (int kept = 1; kept < capacity; kept++)
            for (int i = kept; i < count; i++) CHECK(nearest_kept(p, kept, i) <= nearest_kept(p, kept, kept));
    }
}
