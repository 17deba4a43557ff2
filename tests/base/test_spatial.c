// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Spatial algebra: the identities that define it, power that does not depend on the frame of its vectors, and moved
// inertia by two routes and by a cloud of point masses.
#include <footfall/base.h>

#include "check.h"

enum { ROUNDS = 500 };
#define ROUNDING 1e-14 // numbers of order one, some thirty operations each

static void random_fill(ff_random *random, double *x, int n)
{
    for (int i = 0; i < n; i++) x[i] = ff_random_range(random, -1, 1);
}

static void random_rotation(ff_random *random, double R[9])
{
    double q[4];
    for (int i = 0; i < 4; i++) q[i] = ff_random_normal(random);
    ff_quat_normalise(q);
    ff_quat_to_mat3(R, q);
}

/// The same motion seen from the parent of the pose (R, p): w' = R w, v' = R v + p x R w.
static void move_motion(double out[6], const double V[6], const double R[9], const double p[3])
{
    ff_mat3_mulv(out, R, V);
    ff_mat3_mulv(out + 3, R, V + 3);
    ff_vec3_cross_add(out + 3, p, out);
}

/// The same wrench: f' = R f, n' = R n + p x R f.
static void move_wrench(double out[6], const double f[6], const double R[9], const double p[3])
{
    ff_mat3_mulv(out + 3, R, f + 3);
    ff_mat3_mulv(out, R, f);
    ff_vec3_cross_add(out, p, out + 3);
}

TEST(power_is_the_same_in_every_frame)
{
    ff_random random = ff_random_make(1, 0);
    for (int k = 0; k < ROUNDS; k++) {
        double V[6], f[6], R[9], p[3], V2[6], f2[6];
        random_fill(&random, V, 6);
        random_fill(&random, f, 6);
        random_fill(&random, p, 3);
        random_rotation(&random, R);
        move_motion(V2, V, R, p);
        move_wrench(f2, f, R, p);
        CHECK_NEAR(ff_dot6(V2, f2), ff_dot6(V, f), ROUNDING);
    }
}

TEST(cross_products_are_dual_antisymmetric_and_fulfil_jacobi)
{
    ff_random random = ff_random_make(2, 0);
    for (int k = 0; k < ROUNDS; k++) {
        double A[6], B[6], C[6], f[6], AB[6], BA[6], Af[6], x[6], y[6], z[6], inner[6];
        random_fill(&random, A, 6);
        random_fill(&random, B, 6);
        random_fill(&random, C, 6);
        random_fill(&random, f, 6);
        ff_motion_cross(AB, A, B);
        ff_motion_cross(BA, B, A);
        for (int i = 0; i < 6; i++) CHECK_NEAR(AB[i], -BA[i], ROUNDING);
        // (A x* f) . B = -f . (A x B): power does not change when both move with a frame
        ff_wrench_cross(Af, A, f);
        CHECK_NEAR(ff_dot6(Af, B), -ff_dot6(f, AB), ROUNDING);
        ff_motion_cross(inner, B, C);
        ff_motion_cross(x, A, inner);
        ff_motion_cross(inner, C, A);
        ff_motion_cross(y, B, inner);
        ff_motion_cross(inner, A, B);
        ff_motion_cross(z, C, inner);
        for (int i = 0; i < 6; i++) CHECK_NEAR(x[i] + y[i] + z[i], 0, 4 * ROUNDING);
    }
}

// V x A is the rate of A fixed to a frame that moves with V: by central differences of the moving frame.
TEST(cross_products_are_rates_of_vectors_fixed_to_moving_frames)
{
    ff_random random = ff_random_make(3, 0);
    const double h = 1e-5, identity[4] = {1, 0, 0, 0};
    for (int k = 0; k < 50; k++) {
        double V[6], A[6], f[6], moved[2][6], pushed[2][6], motion[6], wrench[6];
        random_fill(&random, V, 6);
        random_fill(&random, A, 6);
        random_fill(&random, f, 6);
        for (int side = 0; side < 2; side++) {
            double q[4], R[9], p[3], t = side ? h : -h;
            ff_quat_integrate(q, identity, V, t);
            ff_quat_to_mat3(R, q);
            ff_vec3_scale(p, V + 3, t);
            move_motion(moved[side], A, R, p);
            move_wrench(pushed[side], f, R, p);
        }
        ff_motion_cross(motion, V, A);
        ff_wrench_cross(wrench, V, f);
        for (int i = 0; i < 6; i++) { // h^2 times third derivatives, and rounding / h
            CHECK_NEAR((moved[1][i] - moved[0][i]) / (2 * h), motion[i], 1e-9);
            CHECK_NEAR((pushed[1][i] - pushed[0][i]) / (2 * h), wrench[i], 1e-9);
        }
    }
}

/// Inertia, momentum and energy of point masses moving rigidly, summed one by one.
typedef struct cloud {
    double mass[5], at[5][3];
} cloud;

static cloud random_cloud(ff_random *random)
{
    cloud points;
    for (int i = 0; i < 5; i++) {
        points.mass[i] = ff_random_range(random, 0.1, 1);
        random_fill(random, points.at[i], 3);
    }
    return points;
}

static ff_inertia cloud_inertia(const cloud *points)
{
    ff_inertia sum = {0};
    for (int i = 0; i < 5; i++) {
        const double m = points->mass[i], x = points->at[i][0], y = points->at[i][1], z = points->at[i][2];
        sum.mass += m;
        ff_vec3_axpy(sum.h, m, points->at[i]);
        const double part[6] = {y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z};
        for (int k = 0; k < 6; k++) sum.I[k] += m * part[k];
    }
    return sum;
}

static void check_same(const ff_inertia *a, const ff_inertia *b, double tolerance)
{
    CHECK_NEAR(a->mass, b->mass, tolerance);
    for (int i = 0; i < 3; i++) CHECK_NEAR(a->h[i], b->h[i], tolerance);
    for (int i = 0; i < 6; i++) CHECK_NEAR(a->I[i], b->I[i], tolerance);
}

TEST(momentum_is_the_sum_over_point_masses)
{
    ff_random random = ff_random_make(4, 0);
    for (int k = 0; k < ROUNDS; k++) {
        cloud points = random_cloud(&random);
        ff_inertia in = cloud_inertia(&points);
        double V[6], f[6], sum[6] = {0}, energy = 0;
        random_fill(&random, V, 6);
        for (int i = 0; i < 5; i++) {
            double v[3];
            ff_vec3_cross(v, V, points.at[i]);
            ff_vec3_add(v, v, V + 3);
            energy += 0.5 * points.mass[i] * ff_vec3_dot(v, v);
            ff_vec3_scale(v, v, points.mass[i]);
            ff_vec3_cross_add(sum, points.at[i], v);
            ff_vec3_add(sum + 3, sum + 3, v);
        }
        ff_inertia_mul(f, &in, V);
        for (int i = 0; i < 6; i++) CHECK_NEAR(f[i], sum[i], 2 * ROUNDING);
        CHECK_NEAR(0.5 * ff_dot6(V, f), energy, 4 * ROUNDING);
    }
}

TEST(moved_inertia_is_the_same_by_place_by_transform_and_by_moved_points)
{
    ff_random random = ff_random_make(5, 0);
    for (int k = 0; k < ROUNDS; k++) {
        cloud points = random_cloud(&random), moved;
        ff_inertia in = cloud_inertia(&points), placed;
        double R[9], p[3];
        random_fill(&random, p, 3);
        random_rotation(&random, R);
        moved = points;
        for (int i = 0; i < 5; i++) {
            ff_mat3_mulv(moved.at[i], R, points.at[i]);
            ff_vec3_add(moved.at[i], moved.at[i], p);
        }
        ff_inertia expected = cloud_inertia(&moved), transformed = ff_inertia_transform(&in, p, R);
        ff_inertia_place(&placed, &in, R, p);
        check_same(&placed, &expected, 5 * ROUNDING); // sums up to 30
        check_same(&transformed, &expected, 5 * ROUNDING);
    }
}

TEST(kinetic_energy_is_the_same_in_every_frame)
{
    ff_random random = ff_random_make(6, 0);
    for (int k = 0; k < ROUNDS; k++) {
        cloud points = random_cloud(&random);
        ff_inertia in = cloud_inertia(&points), placed;
        double R[9], p[3], V[6], V2[6], f[6], f2[6];
        random_fill(&random, p, 3);
        random_fill(&random, V, 6);
        random_rotation(&random, R);
        ff_inertia_place(&placed, &in, R, p);
        move_motion(V2, V, R, p);
        ff_inertia_mul(f, &in, V);
        ff_inertia_mul(f2, &placed, V2);
        CHECK_NEAR(ff_dot6(V2, f2), ff_dot6(V, f), 10 * ROUNDING);
    }
}

TEST(inertia_splits_into_centre_of_mass_and_back)
{
    ff_random random = ff_random_make(7, 0);
    for (int k = 0; k < ROUNDS; k++) {
        cloud points = random_cloud(&random), centred;
        ff_inertia in = cloud_inertia(&points), about, again, double_mass;
        double com[3], I[6];
        ff_inertia_to_com(&in, com, I);
        for (int i = 0; i < 3; i++) CHECK_NEAR(com[i], in.h[i] / in.mass, ROUNDING);
        centred = points;
        for (int i = 0; i < 5; i++) ff_vec3_sub(centred.at[i], points.at[i], com);
        about = cloud_inertia(&centred);
        for (int i = 0; i < 6; i++) CHECK_NEAR(I[i], about.I[i], 2 * ROUNDING);
        again = ff_inertia_from_com(in.mass, com, I);
        check_same(&again, &in, 2 * ROUNDING);
        double_mass = ff_inertia_add(&in, &in);
        CHECK_NEAR(double_mass.mass, 2 * in.mass, 0);
        CHECK_NEAR(double_mass.I[4], 2 * in.I[4], 0);
    }
    const ff_inertia none = {0};
    double com[3] = {1, 1, 1}, I[6];
    ff_inertia_to_com(&none, com, I);
    CHECK(com[0] == 0 && com[1] == 0 && com[2] == 0 && I[0] == 0);
}
