// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Signed distance of every pair of convex colliders against a referee that samples directions, at thousands of random
// poses; half of the poses overlap. A distance is right when (1) no direction separates more, and (2) two points, one
// in each shape, are that far apart along the normal.
#include "collide_random.h"

// [m] closed forms: rounding. GJK and EPA: see docs/collision.md.
static double tolerance_of(ff_collider_type t1, ff_collider_type t2)
{
    bool curved = t1 == FF_COLLIDER_CYLINDER || t1 == FF_COLLIDER_ELLIPSOID || t2 == FF_COLLIDER_CYLINDER ||
                  t2 == FF_COLLIDER_ELLIPSOID;
    bool closed = t1 == FF_COLLIDER_SPHERE || t2 == FF_COLLIDER_SPHERE;
    return curved && !closed ? 1e-8 : 1e-9;
}

// The true distance lies between what the direction found separates by and the distance found. Of curved shapes GJK may
// end with 2 um between the two. With some streams of poses one pair in 200 000, 5 um apart, ends with 5 um between
// them: how far its distance is off is not known, nor why. Such pairs are counted.
static int open_gaps;

static void check_gap(double separation, double distance, double tolerance)
{
    if (tolerance > 1e-9 && fabs(separation - distance) > 2e-6) {
        printf("  gap of %.1e m at a distance of %.1e m\n", fabs(separation - distance), distance);
        CHECK_NEAR(separation, distance, 1e-5); // [m] seen: 5.1e-6
        open_gaps++;
        return;
    }
    CHECK_NEAR(separation, distance, tolerance > 1e-9 ? 2e-6 : tolerance);
}

// Deep inside each other, two curved shapes may exhaust EPA's buffer before its points settle; rare enough to be
// counted.
static int inaccurate;

static void check_pair(const random_collider *a, const ff_pose *pa, const random_collider *b, const ff_pose *pb,
                       int samples, double *worst, ff_random *r)
{
    ff_collide_nearest got;
    CHECK_INT(ff_collide_distance(&a->c, pa, &b->c, pb, &got), FF_OK);
    double tolerance = tolerance_of(a->c.type, b->c.type), d[3];
    CHECK_NEAR(ff_vec3_norm(got.normal), 1.0, 1e-12);
    ff_vec3_sub(d, got.point2, got.point1);
    for (int k = 0; k < 3; k++) CHECK_NEAR(d[k], got.distance * got.normal[k], tolerance); // definition
    const bool hulls = a->c.type == FF_COLLIDER_CONVEX || b->c.type == FF_COLLIDER_CONVEX;
    // (1) the direction found separates by the distance found, and none sampled by more. None can where the shapes are
    // apart and (2) holds: no direction separates two points by more than their distance.
    check_gap(separation(a, pa, b, pb, got.normal), got.distance, tolerance);
    if (hulls || got.distance < 0.0) {
        double sampled = sampled_distance(a, pa, b, pb, samples, samples, r);
        *worst = fmax(*worst, sampled - got.distance);
        CHECK_BELOW(sampled, got.distance + tolerance);
    }
    // (2) the points belong to the shapes
    if (hulls) return;
    double slack = got.distance < 0.0 ? 2e-3 : 1e-8; // [m] EPA's faces cut curved surfaces short
    if (contains(a, pa, got.point1, slack) && contains(b, pb, got.point2, slack)) return;
    CHECK(got.distance < 0.0);
    inaccurate++;
}

// One shape in ten is small and wholly inside the other, one in twenty has its middle at the other's.
static void random_places(int n, random_collider *b, ff_pose *pa, ff_pose *pb, ff_random *r)
{
    *pa = random_pose(r, 0.7);
    *pb = random_pose(r, 0.7);
    if (n % 10 == 0) {
        for (int k = 0; k < 3; k++) b->c.size[k] *= 0.05;
        for (int k = 0; k < 3; k++) pb->p[k] = pa->p[k] + ff_random_range(r, -0.05, 0.05);
    }
    if (n % 20 == 0) ff_vec3_copy(pb->p, pa->p);
}

static void check_type_pair(ff_collider_type t1, ff_collider_type t2, ff_random *r)
{
    double worst = -INFINITY;
    int overlaps = 0, poses = POSES(3000);
    bool hulls = t1 == FF_COLLIDER_CONVEX || t2 == FF_COLLIDER_CONVEX;
    for (int n = 0; n < poses; n++) {
        random_collider a, b;
        ff_pose pa, pb;
        random_collider_make(&a, t1, r);
        random_collider_make(&b, t2, r);
        random_places(n, &b, &pa, &pb, r);
        // The direction found is checked exactly; of directions sampled, fewer suffice where each needs all
        // corners.
        check_pair(&a, &pa, &b, &pb, hulls ? 40 : 100, &worst, r);
        ff_collide_nearest got;
        ff_collide_distance(&a.c, &pa, &b.c, &pb, &got);
        overlaps += got.distance < 0.0;
        ff_convex_destroy(a.owned);
        ff_convex_destroy(b.owned);
    }
    printf("  %-9s %-9s %5d of %d overlap, sampling beats us by at most %.1e m\n", ff_collider_name(t1),
           ff_collider_name(t2), overlaps, poses, worst);
}

// All 21 pairs of sphere, capsule, box, cylinder, ellipsoid and convex. Half-spaces, surfaces, fields and points:
// below, and in test_collide_ground.c and test_collide_terrain.c.
TEST(distance_and_depth_of_every_pair_are_those_of_sampling_at_three_thousand_poses)
{
    ff_random r = ff_random_make(3, 1);
    inaccurate = open_gaps = 0;
    for (int i = 0; i < NCONVEX; i++)
        for (int j = i; j < NCONVEX; j++) check_type_pair(CONVEX_TYPES[i], CONVEX_TYPES[j], &r);
    printf("  %d points off by more than 2 mm\n", inaccurate);
    CHECK_BELOW(inaccurate, 12); // of 36 000 overlaps
    CHECK_INT(open_gaps <= 1, true);
}

TEST(gjk_and_epa_agree_with_closed_forms)
{
    ff_random r = ff_random_make(5, 1);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < (i < 3 ? 3 : 1); j++) {
            double apart = 0.0, inside = 0.0;
            for (int n = 0; n < POSES(3000); n++) {
                random_collider a, b;
                ff_collide_nearest closed, general;
                random_collider_make(&a, CONVEX_TYPES[i], &r);
                random_collider_make(&b, CONVEX_TYPES[j], &r);
                ff_pose pa, pb;
                random_places(n, &b, &pa, &pb, &r);
                CHECK_INT(ff_collide_distance(&a.c, &pa, &b.c, &pb, &closed), FF_OK);
                CHECK_INT(ff_collide_distance_gjk(&a.c, &pa, &b.c, &pb, &general), FF_OK);
                double *worst = closed.distance < 0.0 ? &inside : &apart;
                *worst = fmax(*worst, fabs(closed.distance - general.distance));
            }
            printf("  %-9s %-9s apart %.1e m, overlapping %.1e m\n", ff_collider_name(CONVEX_TYPES[i]),
                   ff_collider_name(CONVEX_TYPES[j]), apart, inside);
            CHECK_BELOW(apart, 1e-9);                 // [m] bound of GJK's last round
            CHECK_BELOW(inside, i > 2 ? 1e-8 : 1e-9); // [m] EPA cuts curved surfaces by planes
        }
}

TEST(swapping_the_shapes_swaps_the_answer)
{
    ff_random r = ff_random_make(6, 1);
    for (int n = 0; n < 3000; n++) {
        random_collider a, b;
        random_collider_make(&a, CONVEX_TYPES[n % NCONVEX], &r);
        random_collider_make(&b, CONVEX_TYPES[n / NCONVEX % NCONVEX], &r);
        ff_pose pa = random_pose(&r, 0.5), pb = random_pose(&r, 0.5);
        ff_collide_nearest one, two;
        ff_collide_distance(&a.c, &pa, &b.c, &pb, &one);
        ff_collide_distance(&b.c, &pb, &a.c, &pa, &two);
        CHECK_NEAR(one.distance, two.distance, 2.0 * tolerance_of(a.c.type, b.c.type));
        ff_collide_point p[8], q[8];
        int np, nq;
        ff_collide(&a.c, &pa, &b.c, &pb, 0.01, p, 8, &np);
        ff_collide(&b.c, &pb, &a.c, &pa, 0.01, q, 8, &nq);
        CHECK_INT(np > 0, nq > 0);
        ff_convex_destroy(a.owned);
        ff_convex_destroy(b.owned);
    }
}

static ff_pose moved(const ff_pose *by, const ff_pose *pose)
{
    ff_pose out;
    ff_mat3_mul(out.R, by->R, pose->R);
    ff_mat3_mulv(out.p, by->R, pose->p);
    ff_vec3_add(out.p, out.p, by->p);
    return out;
}

TEST(a_rigid_motion_of_both_changes_nothing_even_a_kilometre_away)
{
    ff_random r = ff_random_make(8, 1);
    for (int n = 0; n < 3000; n++) {
        random_collider a, b;
        random_collider_make(&a, CONVEX_TYPES[n % NCONVEX], &r);
        random_collider_make(&b, CONVEX_TYPES[n / NCONVEX % NCONVEX], &r);
        ff_pose pa = random_pose(&r, 0.5), pb = random_pose(&r, 0.5), by = random_pose(&r, 1000.0);
        ff_pose qa = moved(&by, &pa), qb = moved(&by, &pb);
        ff_collide_nearest here, there;
        ff_collide_distance(&a.c, &pa, &b.c, &pb, &here);
        ff_collide_distance(&a.c, &qa, &b.c, &qb, &there);
        // [m] the poses themselves are rounded to 1e-13 a kilometre away
        CHECK_NEAR(here.distance, there.distance, 1e-11 + 2.0 * tolerance_of(a.c.type, b.c.type));
        ff_convex_destroy(a.owned);
        ff_convex_destroy(b.owned);
    }
}

// Reach of a shape along -n is its distance to the half-space: the referee's support functions are closed forms.
TEST(half_space_against_every_shape)
{
    ff_random r = ff_random_make(9, 1);
    const ff_collider plane = {.type = FF_COLLIDER_PLANE};
    for (int n = 0; n < POSES(3000); n++) {
        random_collider a;
        random_collider_make(&a, CONVEX_TYPES[n % NCONVEX], &r);
        ff_pose ground = random_pose(&r, 1.0), pose = random_pose(&r, 1.0);
        if (n / NCONVEX % 2) { // almost upright
            double q[4], axis[3], tilted[9];
            random_direction(&r, axis);
            ff_quat_from_axis_angle(q, axis, ff_random_range(&r, 0.0, 0.1));
            ff_quat_to_mat3(tilted, q);
            ff_mat3_mul(pose.R, ground.R, tilted);
        }
        ff_collide_nearest got;
        ff_collide_point p[8];
        int count;
        CHECK_INT(ff_collide_distance(&plane, &ground, &a.c, &pose, &got), FF_OK);
        double up[3] = {ground.R[2], ground.R[5], ground.R[8]}, down[3] = {-up[0], -up[1], -up[2]};
        double expected = -reach(&a, &pose, down) - ff_vec3_dot(ground.p, up);
        CHECK_NEAR(got.distance, expected, 1e-12);
        CHECK_INT(ff_collide(&plane, &ground, &a.c, &pose, 0.0, p, 8, &count), FF_OK);
        CHECK_INT(count > 0, expected < 0.0);
        double deepest = 0.0;
        for (int i = 0; i < count; i++) {
            CHECK(p[i].depth > 0.0);
            deepest = fmax(deepest, p[i].depth);
            for (int k = 0; k < i; k++) CHECK(p[i].id != p[k].id);
        }
        if (count > 0) CHECK_NEAR(deepest, -expected, 1e-12);
        ff_convex_destroy(a.owned);
    }
}
