// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Support polygons against shapes whose distances are known and against brute force; shares of the weight against the
// conditions of Kuhn and Tucker, solved by elimination of the full system where no foot is at zero.
#include <footfall/balance.h>

#include "check.h"

static const double square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

static ff_support hull_of(const double (*points)[2], int n)
{
    ff_support s;
    if (!ff_support_make(&s, points, n)) CHECK_FAIL("a hull of %d points was refused", n);
    return s;
}

static void random_points(ff_random *random, double (*p)[2], int n)
{
    for (int i = 0; i < n; i++) {
        p[i][0] = ff_random_range(random, -0.3, 0.3);
        p[i][1] = ff_random_range(random, -0.2, 0.2);
    }
}

// A random mixture of the points, hence inside their hull; often near an edge.
static void random_mixture(ff_random *random, const double (*p)[2], int n, double out[2])
{
    double sum = 0.0, share[FF_SUPPORT_MAX];
    double power = ff_random_uniform(random) < 0.5 ? 1.0 : 6.0;
    for (int i = 0; i < n; i++) sum += share[i] = pow(ff_random_uniform(random) + 1e-9, power);
    out[0] = out[1] = 0.0;
    for (int i = 0; i < n; i++) {
        out[0] += share[i] / sum * p[i][0];
        out[1] += share[i] / sum * p[i][1];
    }
}

TEST(hull_keeps_corners_only_and_runs_counter_clockwise)
{
    const double points[8][2] = {{0.5, 0.5}, {1, 1}, {0, 0}, {0.5, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 0.25}};
    ff_support s = hull_of(points, 8);
    CHECK_INT(s.count, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(s.corner[i][0], square[i][0], 0.0);
        CHECK_NEAR(s.corner[i][1], square[i][1], 0.0);
    }
}

TEST(hull_of_few_or_aligned_points_is_a_point_or_a_line)
{
    const double same[3][2] = {{0.1, 0.2}, {0.1, 0.2}, {0.1, 0.2}};
    const double row[4][2] = {{0.5, 0.25}, {0, 0}, {1, 0.5}, {0.25, 0.125}};
    const double upright[3][2] = {{0, 2}, {0, -1}, {0, 1}};
    CHECK_INT(hull_of(same, 0).count, 0);
    CHECK_INT(hull_of(same, 3).count, 1);
    CHECK_INT(hull_of(row, 4).count, 2);
    CHECK_INT(hull_of(upright, 3).count, 2);
    ff_support s;
    double bad[2][2] = {{0, 0}, {NAN, 1}};
    CHECK(!ff_support_make(&s, bad, 2) && s.count == 0);
    CHECK(!ff_support_make(&s, bad, FF_SUPPORT_MAX + 1) && s.count == 0);
    CHECK(!ff_support_make(&s, bad, -1) && s.count == 0);
}

TEST(margin_is_the_signed_distance_to_known_shapes)
{
    ff_support s = hull_of(square, 4), none = hull_of(square, 0), point = hull_of(square, 1), line = hull_of(square, 2);
    CHECK_NEAR(ff_support_margin(&s, (double[2]){0.3, 0.6}), 0.3, 1e-15);
    CHECK_NEAR(ff_support_margin(&s, (double[2]){0.5, 0.0}), 0.0, 0.0);
    CHECK_NEAR(ff_support_margin(&s, (double[2]){1.25, 0.5}), -0.25, 1e-15);
    CHECK_NEAR(ff_support_margin(&s, (double[2]){4.0, 5.0}), -5.0, 1e-14); // 3-4-5 from the corner (1, 1)
    CHECK(ff_support_margin(&none, square[0]) == -INFINITY);
    CHECK_NEAR(ff_support_margin(&point, (double[2]){3, 4}), -5.0, 1e-15);
    CHECK_NEAR(ff_support_margin(&line, (double[2]){0.5, 0.1}), -0.1, 1e-15);
    CHECK_NEAR(ff_support_margin(&line, (double[2]){0.5, 0.0}), 0.0, 0.0);
    CHECK_NEAR(ff_support_margin(&line, (double[2]){4.0, 4.0}), -5.0, 1e-14);
}

// Independent routes: all points lie in the hull; a mixture of them does; and along any direction the hull reaches
// exactly as far as the farthest point.
TEST(hull_of_random_points_supports_each_direction_like_the_points)
{
    ff_random random = ff_random_make(11, 0);
    for (int trial = 0; trial < 2000; trial++) {
        double p[FF_SUPPORT_MAX][2], inside[2];
        int n = 1 + (int)(ff_random_uniform(&random) * FF_SUPPORT_MAX);
        random_points(&random, p, n);
        ff_support s = hull_of(p, n);
        for (int i = 0; i < n; i++) CHECK(ff_support_margin(&s, p[i]) >= -1e-16); // rounding of 0.3 m
        random_mixture(&random, p, n, inside);
        CHECK(ff_support_margin(&s, inside) >= -1e-16);
        for (int k = 0; k < 12; k++) {
            double far = -INFINITY, reach = -INFINITY, c = cos(k * FF_PI / 6), e = sin(k * FF_PI / 6);
            for (int i = 0; i < n; i++) far = fmax(far, c * p[i][0] + e * p[i][1]);
            for (int i = 0; i < s.count; i++) reach = fmax(reach, c * s.corner[i][0] + e * s.corner[i][1]);
            CHECK_NEAR(reach, far, 1e-16);
        }
    }
}

TEST(nearest_point_is_nearer_than_any_mixture)
{
    ff_random random = ff_random_make(12, 0);
    for (int trial = 0; trial < 2000; trial++) {
        double p[8][2], at[2], nearest[2], other[2];
        int n = 1 + (int)(ff_random_uniform(&random) * 8);
        random_points(&random, p, n);
        random_points(&random, &at, 1);
        ff_support s = hull_of(p, n);
        CHECK(ff_support_nearest(&s, at, nearest));
        double far = hypot(nearest[0] - at[0], nearest[1] - at[1]);
        CHECK_NEAR(fmin(ff_support_margin(&s, at), 0.0), -far, 1e-15);
        for (int k = 0; k < 20; k++) {
            random_mixture(&random, p, n, other);
            CHECK(hypot(other[0] - at[0], other[1] - at[1]) >= far - 1e-15);
        }
    }
    ff_support none = {0};
    double nowhere[2];
    CHECK(!ff_support_nearest(&none, square[0], nowhere));
}

TEST(shrunk_rectangle_and_its_greatest_margin_are_known)
{
    const double rectangle[4][2] = {{0, 0}, {4, 0}, {4, 1}, {0, 1}};
    ff_support s = hull_of(rectangle, 4), in;
    CHECK_NEAR(ff_support_shrink(&s, 0.25, &in), 0.25, 0.0);
    CHECK_INT(in.count, 4);
    CHECK_NEAR(in.corner[0][0], 0.25, 1e-15);
    CHECK_NEAR(in.corner[2][1], 0.75, 1e-15);
    CHECK_NEAR(ff_support_shrink(&s, 2.0, &in), 0.5, 1e-9); // half the width: the tolerance of the search
    CHECK(in.count >= 1);
    for (int i = 0; i < in.count; i++) CHECK_NEAR(in.corner[i][1], 0.5, 2e-9);
    const double triangle[3][2] = {{0, 0}, {4, 0}, {0, 3}}; // its inscribed circle has radius 1 about (1, 1)
    s = hull_of(triangle, 3);
    CHECK_NEAR(ff_support_shrink(&s, 1e6, &s), 1.0, 1e-9);
    CHECK_NEAR(s.corner[0][0], 1.0, 1e-8);
    CHECK_NEAR(s.corner[0][1], 1.0, 1e-8);
    ff_support line = hull_of(rectangle, 2);
    CHECK_NEAR(ff_support_shrink(&line, 0.1, &in), 0.0, 0.0);
    CHECK_INT(in.count, 1);
    CHECK_NEAR(in.corner[0][0], 2.0, 1e-15);
}

TEST(shift_of_the_centre_of_mass_reaches_the_margin_and_is_the_smallest)
{
    ff_random random = ff_random_make(13, 0);
    const double margin = 0.01;
    int shifted = 0;
    for (int trial = 0; trial < 3000; trial++) {
        double p[8][2], com[2], shift[2], other[2];
        int n = 3 + (int)(ff_random_uniform(&random) * 6);
        random_points(&random, p, n);
        random_points(&random, &com, 1);
        ff_support s = hull_of(p, n), in;
        double before = ff_support_margin(&s, com), reached = ff_support_shrink(&s, margin, &in);
        bool moved = ff_balance_correction(&s, com, margin, shift);
        CHECK(moved == (before < margin));
        double moved_to[2] = {com[0] + shift[0], com[1] + shift[1]}, length = hypot(shift[0], shift[1]);
        CHECK(ff_support_margin(&s, moved_to) >= fmin(reached, margin) - 1e-9);
        if (!moved) continue;
        shifted++;
        for (int k = 0; k < 10; k++) { // anything else with the margin is farther away
            random_mixture(&random, p, n, other);
            if (ff_support_margin(&s, other) < reached) continue;
            CHECK(hypot(other[0] - com[0], other[1] - com[1]) >= length - 1e-9);
        }
    }
    CHECK(shifted > 1000);
    // one violated edge, and a corner with a right angle: the sum of (margin - s_e) n_e over violated edges
    ff_support s = hull_of(square, 4);
    double shift[2];
    CHECK(ff_balance_correction(&s, (double[2]){0.5, -0.02}, margin, shift));
    CHECK_NEAR(shift[0], 0.0, 1e-15);
    CHECK_NEAR(shift[1], 0.03, 1e-15);
    CHECK(ff_balance_correction(&s, (double[2]){0.004, 1.05}, margin, shift));
    CHECK_NEAR(shift[0], 0.006, 1e-15);
    CHECK_NEAR(shift[1], -0.06, 1e-15);
    ff_support none = {0};
    CHECK(!ff_balance_correction(&none, square[0], margin, shift) && shift[0] == 0.0);
}

TEST(follower_keeps_its_speed_and_arrives)
{
    double at[2] = {0, 0}, target[2] = {0.03, 0.04};
    for (int k = 1; k <= 10; k++) {
        ff_balance_follow(at, target, 0.005);
        CHECK_NEAR(hypot(at[0], at[1]), 0.005 * k, 1e-15);
    }
    ff_balance_follow(at, target, 0.005);
    CHECK(at[0] == target[0] && at[1] == target[1]);
    ff_balance_follow(at, (double[2]){1, 1}, 0.0);
    ff_balance_follow(at, (double[2]){1, NAN}, 1.0);
    CHECK(at[0] == target[0] && at[1] == target[1]);
}

// A linear inverted pendulum x'' = (x - p) g / z that stands on the capture point comes to rest above it:
// x(t) = xi + (x0 - xi) exp(-t sqrt(g/z)), which here is integrated without that formula.
TEST(pendulum_on_its_capture_point_comes_to_rest)
{
    static const double place[3][2] = {
        {0.4, 9.81}, {0.4, 1.62}, {1.6, 9.81}}; // height [m], gravity of earth and moon [m/s^2]
    for (int i = 0; i < 3; i++) {
        double com[2] = {0.1, -0.2}, velocity[2] = {0.5, 0.25}, point[2];
        const double z = place[i][0], g = place[i][1], h = 5e-4 * sqrt(z / g);
        ff_balance_capture_point(com, velocity, z, g, point);
        for (int k = 0; k < 12000; k++) { // six time constants; semi-implicit midpoint
            for (int a = 0; a < 2; a++) {
                double half = com[a] + 0.5 * h * velocity[a];
                velocity[a] += h * g / z * (half - point[a]);
                com[a] = half + 0.5 * h * velocity[a];
            }
        }
        for (int a = 0; a < 2; a++) { // e^-6 of the start is left, and the method's h^2 error grows by e^6
            CHECK_NEAR(com[a], point[a], 0.0035 * 0.5 * sqrt(z / g));
            CHECK_NEAR(velocity[a], 0.0, 0.0035 * 0.5);
        }
        ff_balance_capture_point(com, velocity, -1.0, g, point);
        CHECK(point[0] == com[0]);
    }
}

// sqrt(0.4 / 1.6) s and sqrt(0.9 / 10) s, with nothing left to rounding but the last digit
TEST(capture_point_is_half_a_second_ahead_where_gravity_is_weak)
{
    const double com[2] = {0.1, -0.2}, velocity[2] = {0.6, -0.4};
    double point[2];
    ff_balance_capture_point(com, velocity, 0.4, 1.6, point);
    CHECK_NEAR(point[0], 0.4, 1e-15);
    CHECK_NEAR(point[1], -0.4, 1e-15);
    ff_balance_capture_point(com, velocity, 0.9, 10.0, point);
    CHECK_NEAR(point[0], 0.28, 1e-15);
    CHECK_NEAR(point[1], -0.32, 1e-15);
}

// ------------------------------------------------------------------------------------------ weight

// The conditions for the least sum of squares: balance, no foot pulling, and multipliers l with F = l . (1, x, y) for
// loaded feet and l . (1, x, y) <= 0 for the others. The multipliers come from the three loaded feet of the largest
// triangle.
static void check_optimal(const double (*feet)[2], int n, double weight, const double com[2], const double *force)
{
    double sum = 0, mx = 0, my = 0, row[FF_SUPPORT_MAX][3], share[FF_SUPPORT_MAX], A[9], l[3];
    double largest =
        1e-7; // twice the area: below it the feet lie on a line, and the multiplier across it is free [m^2]
    int rows = 0, pivot[3];
    for (int i = 0; i < n; i++) {
        CHECK(force[i] >= 0.0);
        sum += force[i];
        mx += force[i] * (feet[i][0] - com[0]);
        my += force[i] * (feet[i][1] - com[1]);
        if (force[i] <= 1e-9 * weight) continue; // a foot near zero load says little about the multipliers
        ff_vec3_set(row[rows], 1.0, feet[i][0] - com[0], feet[i][1] - com[1]);
        share[rows++] = force[i] / weight;
    }
    CHECK_NEAR(sum, weight, 1e-12 * weight); // rounding
    CHECK_NEAR(mx, 0.0, 1e-12 * weight);
    CHECK_NEAR(my, 0.0, 1e-12 * weight);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++) {
                double normal[3];
                ff_vec3_cross(normal, row[i], row[j]);
                const double area = fabs(ff_vec3_dot(normal, row[k]));
                if (area <= largest) continue;
                largest = area;
                ff_vec3_copy(A, row[i]);
                ff_vec3_copy(A + 3, row[j]);
                ff_vec3_copy(A + 6, row[k]);
                ff_vec3_set(l, share[i], share[j], share[k]);
            }
    if (largest <= 1e-7 || !ff_lu_factor(A, pivot, 3)) return;
    ff_lu_solve(A, pivot, 3, l);
    for (int i = 0; i < n; i++) {
        double wanted = l[0] + l[1] * (feet[i][0] - com[0]) + l[2] * (feet[i][1] - com[1]);
        if (force[i] > 1e-9 * weight)
            CHECK_NEAR(force[i] / weight, wanted, 1e-8); // rounding, over the least area allowed above
        else
            CHECK(wanted < 2e-8);
    }
}

TEST(shares_are_optimal_for_random_feet)
{
    ff_random random = ff_random_make(14, 0);
    int some_unloaded = 0;
    for (int trial = 0; trial < 20000; trial++) {
        double feet[10][2], com[2], force[10];
        int n = 3 + (int)(ff_random_uniform(&random) * 8);
        random_points(&random, feet, n);
        random_mixture(&random, feet, n, com);
        ff_balance_share share;
        CHECK_INT(ff_balance_distribute(feet, n, 49.05, com, force, &share), FF_OK);
        CHECK(share.margin > -1e-16); // a mixture lies inside, up to rounding
        check_optimal(feet, n, 49.05, com, force);
        if (share.loaded < n) some_unloaded++;
    }
    CHECK(some_unloaded > 5000); // else the feet that cannot pull were not tested
}

// Least sum of F^2 / s: F_i / s_i is affine in the place of a foot, and scaling all shares changes nothing.
TEST(shares_that_differ_spare_feet_steadily)
{
    static const double feet[6][2] = {{0.18, 0.22}, {0.18, -0.22}, {0.0, 0.22},
                                      {0.0, -0.22}, {-0.18, 0.22}, {-0.18, -0.22}};
    const double com[2] = {0.004, 0.003};
    double before = 8.2;
    for (double spared = 1.0; spared > 1e-3; spared *= 0.8) {
        const double shares[6] = {1.0, 1.0, 1.0, 1.0, spared, spared};
        double force[6], doubled[6], twice[6], sum = 0.0, mx = 0.0, my = 0.0;
        for (int i = 0; i < 6; i++) doubled[i] = 2.0 * shares[i];
        CHECK_INT(ff_balance_distribute_by(feet, shares, 6, 49.05, com, force, NULL), FF_OK);
        CHECK_INT(ff_balance_distribute_by(feet, doubled, 6, 49.05, com, twice, NULL), FF_OK);
        for (int i = 0; i < 6; i++) {
            CHECK_NEAR(twice[i], force[i], 1e-12); // rounding
            sum += force[i], mx += force[i] * (feet[i][0] - com[0]), my += force[i] * (feet[i][1] - com[1]);
        }
        CHECK_NEAR(sum, 49.05, 1e-11);
        CHECK_NEAR(mx, 0.0, 1e-11);
        CHECK_NEAR(my, 0.0, 1e-11);
        // three rows of two with even distances: the middle row is the mean of the others
        for (int side = 0; side < 2; side++)
            CHECK_NEAR(force[2 + side], 0.5 * (force[side] + force[4 + side] / spared), 1e-11);
        CHECK(force[5] < before && force[5] >= 0.0);
        before = force[5];
    }
    CHECK_BELOW(before, 0.1); // [N] of 49
    double equal[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, force[6], plain[6];
    CHECK_INT(ff_balance_distribute_by(feet, equal, 6, 49.05, com, force, NULL), FF_OK);
    CHECK_INT(ff_balance_distribute(feet, 6, 49.05, com, plain, NULL), FF_OK);
    for (int i = 0; i < 6; i++) CHECK_NEAR(force[i], plain[i], 0.0);
}

// Front and rear feet without a share: those of the middle carry all while the centre of mass is between them, and
// ahead of them the front feet what the balance needs, P X / 0.18 m, whatever their share.
TEST(feet_without_a_share_carry_only_what_the_others_cannot)
{
    static const double feet[6][2] = {{0.18, 0.22}, {0.18, -0.22}, {0.0, 0.22},
                                      {0.0, -0.22}, {-0.18, 0.22}, {-0.18, -0.22}};
    static const double scale[3] = {1.0, 1e-300, 1e300};
    for (int k = 0; k < 3; k++) {
        const double middle[6] = {0, 0, scale[k], scale[k], 0, 0}, rear[6] = {0, 0, scale[k], scale[k], scale[k], 0};
        double force[6];
        ff_balance_share share;
        CHECK_INT(ff_balance_distribute_by(feet, middle, 6, 49.05, (double[2]){0, 0}, force, &share), FF_OK);
        for (int i = 0; i < 6; i++)
            CHECK_NEAR(force[i], i == 2 || i == 3 ? 0.5 * 49.05 : 0.0, 2e-3 * 49.05); // a thousandth of a share
        CHECK(share.balanced);
        CHECK_INT(ff_balance_distribute_by(feet, rear, 6, 49.05, (double[2]){0.06, 0}, force, &share), FF_OK);
        CHECK(share.balanced);
        CHECK_NEAR(force[0] + force[1], 49.05 / 3.0, 1e-11 * 49.05); // rounding, over a thousandth
        CHECK_NEAR(force[0] - force[1] + force[2] - force[3], 0.0, 1e-11 * 49.05);
        CHECK_NEAR(force[4] + force[5], 0.0, 1e-11 * 49.05);
    }
}

// Whatever the shares, zeros among them, the forces are finite, push, and balance.
TEST(shares_of_any_size_balance)
{
    ff_random random = ff_random_make(19, 0);
    for (int trial = 0; trial < 20000; trial++) {
        double feet[8][2], com[2], force[8], shares[8], sum = 0.0, mx = 0.0, my = 0.0;
        const int n = 3 + (int)(ff_random_uniform(&random) * 6);
        random_points(&random, feet, n);
        random_mixture(&random, feet, n, com);
        for (int i = 0; i < n; i++) {
            const double kind = ff_random_uniform(&random);
            shares[i] = kind < 0.3 ? 0.0 : kind < 0.6 ? 1.0 : pow(10.0, -20.0 * ff_random_uniform(&random));
        }
        shares[trial % n] = 0.7;
        CHECK_INT(ff_balance_distribute_by(feet, shares, n, 1.0, com, force, NULL), FF_OK);
        for (int i = 0; i < n; i++) {
            CHECK(force[i] >= 0.0);
            sum += force[i], mx += force[i] * (feet[i][0] - com[0]), my += force[i] * (feet[i][1] - com[1]);
        }
        CHECK_NEAR(sum, 1.0, 1e-8); // rounding, over a thousandth, over D of thin polygons
        CHECK_NEAR(mx, 0.0, 1e-8);
        CHECK_NEAR(my, 0.0, 1e-8);
    }
}

TEST(shares_that_mean_nothing_are_refused)
{
    const double bad[4][4] = {{0, 0, 0, 0}, {1, 1, -0.1, 1}, {1, NAN, 1, 1}, {1, 1, 1, INFINITY}};
    for (int k = 0; k < 4; k++) {
        double force[4] = {1, 1, 1, 1};
        ff_balance_share share = {.loaded = 3};
        CHECK_INT(ff_balance_distribute_by(square, bad[k], 4, 10.0, (double[2]){0.5, 0.5}, force, &share),
                  FF_BAD_ARGUMENT);
        for (int i = 0; i < 4; i++) CHECK(force[i] == 0.0);
        CHECK(share.loaded == 0 && !share.balanced);
    }
    double none[1] = {0};
    CHECK_INT(ff_balance_distribute_by(square, none, 0, 10.0, (double[2]){0, 0}, none, NULL),
              FF_OK); // no feet, no forces
}

// The Lagrange system of all feet, (1 A'; A 0)(F; -l) = (0; b), solved by elimination, against the closed form.
TEST(closed_form_equals_the_full_linear_system)
{
    ff_random random = ff_random_make(15, 0);
    int pushing = 0;
    for (int trial = 0; trial < 2000; trial++) {
        double feet[6][2], com[2], force[6], A[9 * 9] = {0}, x[9] = {0};
        int n = 3 + (int)(ff_random_uniform(&random) * 4), size = n + 3, pivot[9];
        random_points(&random, feet, n);
        random_mixture(&random, feet, n, com);
        for (int i = 0; i < n; i++) {
            double row[3] = {1.0, feet[i][0], feet[i][1]};
            A[i * size + i] = 1.0;
            for (int k = 0; k < 3; k++) A[i * size + n + k] = A[(n + k) * size + i] = row[k];
        }
        x[n] = 10.0;
        x[n + 1] = 10.0 * com[0];
        x[n + 2] = 10.0 * com[1];
        ff_support s = hull_of(feet, n);
        double width = ff_support_shrink(&s, 1.0, &s);
        if (width < 0.01 || !ff_lu_factor(A, pivot, size)) continue; // thin polygons: the system is badly conditioned
        ff_lu_solve(A, pivot, size, x);
        bool all_push = true;
        for (int i = 0; i < n; i++) all_push = all_push && x[i] >= 0.0;
        if (!all_push) continue;
        pushing++;
        CHECK_INT(ff_balance_distribute(feet, n, 10.0, com, force, NULL), FF_OK);
        for (int i = 0; i < n; i++) CHECK_NEAR(force[i], x[i], 1e-11); // 10 N, condition up to 1e4
    }
    CHECK(pushing > 300);
}

TEST(tripod_and_symmetric_stands_are_known)
{
    const double hexapod[6][2] = {{0.18, 0.22}, {0.18, -0.22}, {0, 0.22}, {0, -0.22}, {-0.18, 0.22}, {-0.18, -0.22}};
    const double tripod[3][2] = {{0.18, 0.22}, {0, -0.22}, {-0.18, 0.22}};
    double force[6];
    ff_balance_share share;
    CHECK_INT(ff_balance_distribute(hexapod, 6, 60.0, (double[2]){0, 0}, force, &share), FF_OK);
    for (int i = 0; i < 6; i++) CHECK_NEAR(force[i], 10.0, 1e-13);
    CHECK_NEAR(share.margin, 0.18, 1e-15);
    // the middle foot of a tripod carries half, whatever the spread
    CHECK_INT(ff_balance_distribute(tripod, 3, 60.0, (double[2]){0, 0}, force, &share), FF_OK);
    CHECK_NEAR(force[0], 15.0, 1e-13);
    CHECK_NEAR(force[1], 30.0, 1e-13);
    CHECK_NEAR(force[2], 15.0, 1e-13);
    CHECK(share.balanced && share.loaded == 3);
    // gallop with the front pair up and the centre of mass on the edge: the rear pair is free
    CHECK_INT(ff_balance_distribute(hexapod + 2, 4, 60.0, (double[2]){0, 0}, force, &share), FF_OK);
    CHECK(!share.balanced);
    CHECK_NEAR(force[0] + force[1], 60.0, 1e-11);
    CHECK_NEAR(force[0], 30.0, 1e-11);
    CHECK_NEAR(force[2] + force[3], 0.0, 1e-11);
}

TEST(centre_of_mass_outside_is_said_and_the_nearest_edge_carries)
{
    const double line[3][2] = {{0, 0}, {1, 0}, {2, 0}};
    double force[4];
    ff_balance_share share;
    CHECK_INT(ff_balance_distribute(square, 4, 10.0, (double[2]){0.25, -0.5}, force, &share), FF_OK);
    CHECK(!share.balanced);
    CHECK_NEAR(share.margin, -0.5, 1e-15);
    CHECK_NEAR(share.shortfall[1], 0.5, 1e-15);
    CHECK_NEAR(force[0], 7.5, 1e-12);
    CHECK_NEAR(force[1], 2.5, 1e-12);
    CHECK_NEAR(force[2] + force[3], 0.0, 1e-12);
    // feet in a row carry what lies along it; least squares of forces 1/3 + (x - 1)/4
    CHECK_INT(ff_balance_distribute(line, 3, 12.0, (double[2]){1.5, 0.3}, force, &share), FF_OK);
    CHECK(!share.balanced);
    CHECK_NEAR(force[0], 1.0, 1e-13);
    CHECK_NEAR(force[1], 4.0, 1e-13);
    CHECK_NEAR(force[2], 7.0, 1e-13);
    CHECK_INT(ff_balance_distribute(line, 3, 12.0, (double[2]){9.0, 0.0}, force, &share), FF_OK);
    CHECK_NEAR(force[2], 12.0, 1e-12);
    CHECK_INT(ff_balance_distribute(line, 1, 12.0, (double[2]){9.0, 0.0}, force, &share), FF_OK);
    CHECK(force[0] == 12.0 && share.loaded == 1 && !share.balanced);
    CHECK_INT(ff_balance_distribute(line, 0, 12.0, (double[2]){9.0, 0.0}, force, &share), FF_OK);
    CHECK(share.loaded == 0 && !share.balanced && share.margin == -INFINITY);
    CHECK_INT(ff_balance_distribute(square, 4, NAN, (double[2]){0, 0}, force, &share), FF_BAD_ARGUMENT);
    CHECK_INT(ff_balance_distribute(square, 4, 1.0, (double[2]){INFINITY, 0}, force, &share), FF_BAD_ARGUMENT);
    CHECK(force[0] == 0.0 && force[3] == 0.0);
}

static void share_along(const double (*feet)[2], const double from[2], const double to[2], double t, double *force)
{
    double com[2] = {from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])};
    CHECK_INT(ff_balance_distribute(feet, 6, 1.0, com, force, NULL), FF_OK);
}

static double largest_change(const double *a, const double *b)
{
    double change = 0.0;
    for (int i = 0; i < 6; i++) change = fmax(change, fabs(a[i] - b[i]));
    return change;
}

// Optimal forces depend continuously on the centre of mass: whatever changes on a path, also where feet lose and gain
// their load or the robot tips over an edge, fades away on ever smaller pieces of it.
TEST(shares_do_not_jump_while_the_centre_of_mass_moves)
{
    ff_random random = ff_random_make(16, 0);
    for (int trial = 0; trial < 500; trial++) {
        double feet[6][2], from[2], to[2], a = 0.0, b = 1.0, at_a[6], at_b[6], middle[6];
        random_points(&random, feet, 6);
        random_points(&random, &from, 1);
        random_points(&random, &to, 1);
        share_along(feet, from, to, a, at_a);
        share_along(feet, from, to, b, at_b);
        for (int k = 0; k < 40; k++) { // into the half with the greater change
            share_along(feet, from, to, 0.5 * (a + b), middle);
            if (largest_change(at_a, middle) > largest_change(middle, at_b)) {
                b = 0.5 * (a + b);
                memcpy(at_b, middle, sizeof middle);
            } else {
                a = 0.5 * (a + b);
                memcpy(at_a, middle, sizeof middle);
            }
        }
        CHECK_BELOW(largest_change(at_a, at_b), 1e-8); // pieces of 1e-12 m, slopes up to 1 / width
    }
}

TEST(pressure_point_inverts_the_shares)
{
    ff_random random = ff_random_make(17, 0);
    for (int trial = 0; trial < 1000; trial++) {
        double feet[6][2], com[2], force[6], back[2] = {7, 7};
        random_points(&random, feet, 6);
        random_mixture(&random, feet, 6, com);
        CHECK_INT(ff_balance_distribute(feet, 6, 50.0, com, force, NULL), FF_OK);
        CHECK(ff_balance_pressure_point(feet, force, 6, 1.0, back));
        CHECK_NEAR(back[0], com[0], 1e-12);
        CHECK_NEAR(back[1], com[1], 1e-12);
        CHECK(!ff_balance_pressure_point(feet, force, 6, 51.0, back));
    }
    double none[2] = {0, 0}, nonsense[2] = {1, NAN}, back[2] = {7, 7};
    CHECK(!ff_balance_pressure_point(square, nonsense, 2, 0.0, back) && back[0] == 7);
    CHECK(!ff_balance_pressure_point(square, none, 2, 0.0, back) && back[0] == 7);
}
