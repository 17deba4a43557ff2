// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversions between quaternions, matrices, angles and rotation vectors: round trips, independent products, the
// awkward half turns, and the coarse principal axes of MuJoCo.
#include <footfall/base.h>

#include "check.h"

enum { ROUNDS = 1000 };
#define ROUNDING 2e-15 // some ten operations on numbers up to one

static void random_quat(ff_random *random, double q[4])
{
    for (int i = 0; i < 4; i++) q[i] = ff_random_normal(random);
    ff_quat_normalise(q);
}

static void random_vector(ff_random *random, double x[3], double size)
{
    for (int i = 0; i < 3; i++) x[i] = ff_random_range(random, -size, size);
}

/// The same rotation: equal up to sign.
static double rotation_gap(const double a[4], const double b[4])
{
    double plus = 0, minus = 0;
    for (int i = 0; i < 4; i++) {
        plus = fmax(plus, fabs(a[i] - b[i]));
        minus = fmax(minus, fabs(a[i] + b[i]));
    }
    return fmin(plus, minus);
}

/// Rodrigues: R = 1 + sin a [k] + (1 - cos a) [k]^2.
static void rodrigues(double R[9], const double k[3], double angle)
{
    const double K[9] = {0, -k[2], k[1], k[2], 0, -k[0], -k[1], k[0], 0};
    double KK[9];
    ff_mat3_mul(KK, K, K);
    for (int i = 0; i < 9; i++) R[i] = (i % 4 == 0) + sin(angle) * K[i] + (1 - cos(angle)) * KK[i];
}

TEST(quaternions_turn_as_rodrigues_does)
{
    ff_random random = ff_random_make(1, 0);
    for (int n = 0; n < ROUNDS; n++) {
        double axis[3], angle = ff_random_range(&random, -7, 7), q[4], R[9], expected[9], x[3], turned[3], by_matrix[3];
        random_vector(&random, axis, 1);
        ff_vec3_normalise(axis);
        ff_quat_from_axis_angle(q, axis, angle);
        ff_quat_to_mat3(R, q);
        rodrigues(expected, axis, angle);
        for (int i = 0; i < 9; i++) CHECK_NEAR(R[i], expected[i], ROUNDING);
        random_vector(&random, x, 1);
        ff_quat_rotate(turned, q, x);
        ff_mat3_mulv(by_matrix, expected, x);
        for (int i = 0; i < 3; i++) CHECK_NEAR(turned[i], by_matrix[i], 2 * ROUNDING);
    }
}

TEST(products_of_quaternions_are_products_of_matrices)
{
    ff_random random = ff_random_make(2, 0);
    for (int n = 0; n < ROUNDS; n++) {
        double a[4], b[4], ab[4], back[4], one[4], A[9], B[9], AB[9], R[9];
        random_quat(&random, a);
        random_quat(&random, b);
        ff_quat_mul(ab, a, b);
        ff_quat_to_mat3(A, a);
        ff_quat_to_mat3(B, b);
        ff_quat_to_mat3(R, ab);
        ff_mat3_mul(AB, A, B);
        for (int i = 0; i < 9; i++) CHECK_NEAR(R[i], AB[i], 2 * ROUNDING);
        ff_quat_conjugate(back, a);
        ff_quat_mul(one, a, back);
        CHECK_BELOW(rotation_gap(one, (const double[4]){1, 0, 0, 0}), ROUNDING);
    }
}

TEST(matrices_give_their_quaternion_back)
{
    ff_random random = ff_random_make(3, 0);
    for (int n = 0; n < ROUNDS; n++) {
        double q[4], R[9], again[4];
        random_quat(&random, q);
        if (n % 4 == 1) q[0] = ff_random_range(&random, -1e-9, 1e-9); // next to half turns
        if (n % 8 == 3) q[0] = q[1 + n / 8 % 3] = 0;                  // half turns about axes in a plane
        ff_quat_normalise(q);
        ff_quat_to_mat3(R, q);
        ff_quat_from_mat3(again, R);
        CHECK(again[0] >= 0);
        CHECK_BELOW(rotation_gap(again, q), ROUNDING);
    }
    // the sixteen turns of the axes by quarter and half turns
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int axis = 0; axis < 3; axis++)
        for (int quarter = -2; quarter <= 2; quarter++) {
            double q[4], R[9], again[4];
            ff_quat_from_axis_angle(q, axes[axis], quarter * FF_PI / 2);
            ff_quat_to_mat3(R, q);
            ff_quat_from_mat3(again, R);
            CHECK_BELOW(rotation_gap(again, q), 1e-15);
        }
}

TEST(roll_pitch_yaw_are_turns_about_fixed_axes)
{
    ff_random random = ff_random_make(4, 0);
    for (int n = 0; n < ROUNDS; n++) {
        double rpy[3], q[4], R[9], X[9], Y[9], Z[9], ZY[9], expected[9];
        random_vector(&random, rpy, FF_PI);
        if (n % 5 == 0) rpy[1] = FF_PI / 2; // gimbal lock is no problem in this direction
        ff_quat_from_rpy(q, rpy);
        ff_quat_to_mat3(R, q);
        rodrigues(X, (const double[3]){1, 0, 0}, rpy[0]);
        rodrigues(Y, (const double[3]){0, 1, 0}, rpy[1]);
        rodrigues(Z, (const double[3]){0, 0, 1}, rpy[2]);
        ff_mat3_mul(ZY, Z, Y);
        ff_mat3_mul(expected, ZY, X);
        for (int i = 0; i < 9; i++) CHECK_NEAR(R[i], expected[i], ROUNDING);
    }
}

static void check_z_to(const double direction[3], const double unit[3])
{
    static const double z[3] = {0, 0, 1};
    double q[4], turned[3];
    ff_quat_from_z_to(q, direction);
    CHECK_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, ROUNDING);
    ff_quat_rotate(turned, q, z);
    for (int i = 0; i < 3; i++) CHECK_NEAR(turned[i], unit[i], ROUNDING);
    CHECK(q[3] == 0);                                           // the shortest turn has a horizontal axis
    CHECK_NEAR(q[0], sqrt(fmax(0, 0.5 + 0.5 * unit[2])), 2e-8); // cos of half the angle; the root doubles lost digits
}

TEST(z_turns_to_any_direction_of_any_length)
{
    ff_random random = ff_random_make(5, 0);
    for (int n = 0; n < ROUNDS; n++) {
        double unit[3], direction[3];
        random_vector(&random, unit, 1);
        if (n % 4 == 0) { // nearly up or down
            unit[0] *= pow(10, ff_random_range(&random, -18, -1));
            unit[1] *= pow(10, ff_random_range(&random, -18, -1));
        }
        ff_vec3_normalise(unit);
        ff_vec3_scale(direction, unit, pow(10, n % 3 ? 0 : ff_random_range(&random, -200, 200)));
        check_z_to(direction, unit);
    }
    check_z_to((const double[3]){0, 0, 5}, (const double[3]){0, 0, 1});
    check_z_to((const double[3]){0, 0, -5}, (const double[3]){0, 0, -1});
    check_z_to((const double[3]){1e-15, 0, 0}, (const double[3]){1, 0, 0});
    check_z_to((const double[3]){0, 0, 0}, (const double[3]){0, 0, 1}); // no direction: no turn
}

TEST(integration_is_a_turn_by_rate_times_time)
{
    ff_random random = ff_random_make(6, 0);
    for (int n = 0; n < ROUNDS; n++) {
        double q[4], w[3], t = ff_random_range(&random, -2, 2), out[4], turn[4], expected[4], axis[3];
        random_quat(&random, q);
        random_vector(&random, w, 3);
        if (n % 3 == 0) ff_vec3_scale(w, w, pow(10, ff_random_range(&random, -30, 0)));
        ff_vec3_copy(axis, w);
        double rate = ff_vec3_norm(w);
        ff_vec3_scale(axis, axis, 1 / rate);
        ff_quat_from_axis_angle(turn, axis, rate * t);
        ff_quat_mul(expected, q, turn); // rates are in the child frame: applied on the right
        ff_quat_integrate(out, q, w, t);
        CHECK_BELOW(rotation_gap(out, expected), ROUNDING);
        ff_quat_integrate(q, q, w, t); // in place
        for (int i = 0; i < 4; i++) CHECK(q[i] == out[i]);
    }
    const double q[4] = {0.5, 0.5, 0.5, 0.5}, still[3] = {0, 0, 0};
    double out[4];
    ff_quat_integrate(out, q, still, 1);
    CHECK_BELOW(rotation_gap(out, q), 0);
}

TEST(difference_is_the_rotation_vector_between)
{
    ff_random random = ff_random_make(7, 0);
    for (int n = 0; n < ROUNDS; n++) {
        double a[4], b[4], w[3], back[3];
        random_quat(&random, a);
        random_vector(&random, w, 1);
        ff_vec3_normalise(w);
        double angle = n % 3 == 0 ? pow(10, ff_random_range(&random, -12, -6)) : ff_random_range(&random, 0, 3.14);
        ff_vec3_scale(w, w, angle);
        ff_quat_integrate(b, a, w, 1);
        if (n % 2)
            for (int i = 0; i < 4; i++) b[i] = -b[i]; // the other quaternion of the same rotation
        ff_quat_difference(back, a, b);
        for (int i = 0; i < 3; i++) CHECK_NEAR(back[i], w[i], 4 * ROUNDING);
    }
    // half a turn: length pi, either way round
    const double one[4] = {1, 0, 0, 0}, half[4] = {0, 0.6, 0, 0.8};
    double w[3];
    ff_quat_difference(w, one, half);
    CHECK_NEAR(ff_vec3_norm(w), FF_PI, ROUNDING);
    ff_quat_difference(w, half, half);
    CHECK_NEAR(ff_vec3_norm(w), 0, ROUNDING);
}

TEST(vectors_too_short_to_normalise_are_reported)
{
    double v[3] = {3, 0, 4}, none[3] = {0, 0, 0}, q[4] = {0, 0, 0, 0}, long_one[4] = {0, 0, 2, 0};
    CHECK_NEAR(ff_vec3_normalise(v), 5, 0);
    CHECK_NEAR(v[2], 0.8, 1e-16);
    CHECK_NEAR(ff_vec3_normalise(none), 0, 0);
    CHECK(none[0] == 0);
    CHECK_NEAR(ff_quat_normalise(q), 0, 0);
    CHECK(q[0] == 1 && q[1] == 0);
    CHECK_NEAR(ff_quat_normalise(long_one), 2, 0);
    CHECK(long_one[2] == 1);
}

// R diag(moments) R' is the tensor up to the last omitted turn: 1.4e-6 of the spread of moments.
TEST(coarse_axes_rebuild_the_tensor_up_to_their_tolerance)
{
    ff_random random = ff_random_make(8, 0);
    double worst = 0;
    for (int n = 0; n < ROUNDS; n++) {
        double q[4], R[9], back[9], half[9], full[9], moments[3], found[4];
        const double given[3] = {ff_random_range(&random, 0.1, 1), ff_random_range(&random, 0.1, 1),
                                 ff_random_range(&random, 0.1, 1)};
        random_quat(&random, q);
        if (n % 3 == 0) ff_quat_from_axis_angle(q, (const double[3]){0, 0, 1}, ff_random_range(&random, 0, 1e-5));
        ff_quat_to_mat3(R, q);
        for (int i = 0; i < 9; i++) half[i] = R[i] * given[i % 3];
        ff_mat3_transpose(back, R);
        ff_mat3_mul(full, half, back);
        const double I[6] = {full[0], full[4], full[8], full[1], full[2], full[5]};
        ff_inertia_coarse_axes(I, moments, found);
        ff_quat_to_mat3(R, found);
        for (int i = 0; i < 9; i++) half[i] = R[i] * moments[i % 3];
        ff_mat3_transpose(back, R);
        double rebuilt[9], spread = fmax(given[0], fmax(given[1], given[2])) - fmin(given[0], fmin(given[1], given[2]));
        ff_mat3_mul(rebuilt, half, back);
        for (int i = 0; i < 9; i++) worst = fmax(worst, fabs(rebuilt[i] - full[i]) / spread);
        // turns do not change the sum of moments
        CHECK_NEAR(moments[0] + moments[1] + moments[2], given[0] + given[1] + given[2], 4 * ROUNDING);
    }
    CHECK_BELOW(worst, 1.4e-6 * sqrt(3)); // up to three entries are left, each below the largest
    CHECK(worst > 1e-12);                 // it is coarse: an exact method would not agree with MuJoCo
    const double diagonal[6] = {3, 1, 2, 0, 0, 0};
    double moments[3], quat[4];
    ff_inertia_coarse_axes(diagonal, moments, quat);
    CHECK(moments[0] == 3 && moments[1] == 1 && moments[2] == 2 && quat[0] == 1);
}
