// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Factorisations: residuals on random matrices of every size up to FF_LINALG_MAX, closed forms, and matrices without a
// factor, which are refused. Backward stability bounds the residual: |A x - b| <= c n eps |A| |x| with c of order one.
// The tests bound the quotient of the two by a few eps.
#include <float.h>
#include <footfall/base.h>

#include "check.h"

enum { MOST = FF_LINALG_MAX };

static void random_fill(ff_random *random, double *x, int n)
{
    for (int i = 0; i < n; i++) x[i] = ff_random_range(random, -1, 1);
}

/// |A x - b| / (n |A| |x|), each norm the largest entry.
static double residual(const double *A, const double *x, const double *b, int n)
{
    double worst = 0, size = 0, length = 0;
    for (int i = 0; i < n; i++) {
        double sum = -b[i];
        for (int j = 0; j < n; j++) {
            sum += A[i * n + j] * x[j];
            size = fmax(size, fabs(A[i * n + j]));
        }
        length = fmax(length, fabs(x[i]));
        worst = fmax(worst, fabs(sum));
    }
    return worst / (n * size * length);
}

/// A = B B' + 1/2, positive definite.
static void make_definite(ff_random *random, double *A, int n)
{
    double B[MOST * MOST];
    random_fill(random, B, n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += B[i * n + k] * B[j * n + k];
            A[i * n + j] = sum;
        }
    for (int i = 0; i < n; i++) A[i * n + i] += 0.5;
}

TEST(cholesky_solves_positive_definite_systems_of_every_size)
{
    ff_random random = ff_random_make(1, 0);
    double A[MOST * MOST], L[MOST * MOST], b[MOST], x[MOST];
    for (int n = 1; n <= MOST; n++) {
        make_definite(&random, A, n);
        random_fill(&random, b, n);
        memcpy(L, A, sizeof L);
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) L[i * n + j] = NAN; // the upper triangle is never read
        memcpy(x, b, sizeof x);
        CHECK(ff_cholesky_factor(L, n));
        ff_cholesky_solve(L, n, x);
        CHECK_BELOW(residual(A, x, b, n), 1e-15);
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) CHECK(isnan(L[i * n + j]));
    }
}

TEST(lu_solves_random_systems_of_every_size)
{
    ff_random random = ff_random_make(3, 0);
    double A[MOST * MOST], LU[MOST * MOST], b[MOST], x[MOST];
    int pivot[MOST];
    for (int n = 1; n <= MOST; n++) {
        random_fill(&random, A, n * n);
        random_fill(&random, b, n);
        memcpy(LU, A, sizeof LU);
        memcpy(x, b, sizeof x);
        CHECK(ff_lu_factor(LU, pivot, n));
        ff_lu_solve(LU, pivot, n, x);
        CHECK_BELOW(residual(A, x, b, n), 1e-15);
    }
}

TEST(factors_of_small_matrices_are_the_closed_forms)
{
    double A[4] = {4, 0, 2, 5}; // L = (2 0; 1 2)
    CHECK(ff_cholesky_factor(A, 2));
    CHECK_NEAR(A[0], 2, 0);
    CHECK_NEAR(A[2], 1, 0);
    CHECK_NEAR(A[3], 2, 0);
    double C[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0},
           x[3] = {2, 3, 1}; // a permutation: without pivoting its first pivot is zero
    int pivot[3];
    CHECK(ff_lu_factor(C, pivot, 3));
    ff_lu_solve(C, pivot, 3, x);
    for (int i = 0; i < 3; i++) CHECK_NEAR(x[i], i + 1, 0);
}

// Row i of the Hilbert matrix is 1/(i + j + 1): its inverse has integer entries; for n = 4 the first is 16.
TEST(hilbert_matrix_is_inverted_to_its_integers)
{
    static const double inverse[16] = {16,  -120,  240,  -140,  -120, 1200, -2700, 1680,
                                       240, -2700, 6480, -4200, -140, 1680, -4200, 2800};
    double H[16], A[16], x[4];
    int pivot[4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) H[4 * i + j] = 1.0 / (i + j + 1);
    for (int lu = 0; lu < 2; lu++) {
        memcpy(A, H, sizeof A);
        CHECK(lu ? ff_lu_factor(A, pivot, 4) : ff_cholesky_factor(A, 4));
        for (int column = 0; column < 4; column++) {
            for (int i = 0; i < 4; i++) x[i] = i == column;
            if (lu)
                ff_lu_solve(A, pivot, 4, x);
            else
                ff_cholesky_solve(A, 4, x);
            // condition number 1.6e4: 6480 * 1.6e4 * eps = 2e-8
            for (int i = 0; i < 4; i++) CHECK_NEAR(x[i], inverse[4 * i + column], 2e-8);
        }
    }
}

TEST(matrices_without_a_factor_are_refused)
{
    int pivot[3];
    double negative[4] = {1, 0, 2, 3}; // det = -1
    CHECK(!ff_cholesky_factor(negative, 2));
    double semidefinite[4] = {1, 0, 2, 4}; // det = 0
    CHECK(!ff_cholesky_factor(semidefinite, 2));
    double zero[1] = {0}, not_a_number[1] = {NAN}, infinite[1] = {INFINITY};
    CHECK(!ff_cholesky_factor(zero, 1));
    CHECK(!ff_cholesky_factor(not_a_number, 1));
    CHECK(!ff_lu_factor(zero, pivot, 1));
    CHECK(!ff_lu_factor(not_a_number, pivot, 1));
    CHECK(!ff_lu_factor(infinite, pivot, 1));
    double ranks[9] = {1, 2, 3, 2, 4, 6, 1, 0, 1}; // the second row is twice the first
    CHECK(!ff_lu_factor(ranks, pivot, 3));
}

// ------------------------------------------------------------------------------------------ eigenvalues

static void check_eigen(const double A[9], double values[3], double V[9], double size)
{
    double VV[9];
    ff_eigen_sym3(A, values, V);
    CHECK(values[0] <= values[1] && values[1] <= values[2]);
    ff_mat3_tmul(VV, V, V);
    for (int i = 0; i < 9; i++) CHECK_NEAR(VV[i], i % 4 == 0, 1e-14);
    for (int k = 0; k < 3; k++) {
        double v[3] = {V[k], V[3 + k], V[6 + k]}, Av[3];
        ff_mat3_mulv(Av, A, v);
        for (int i = 0; i < 3; i++) CHECK_NEAR(Av[i], values[k] * v[i], 4e-15 * size); // a few roundings of |A|
    }
}

TEST(eigenvectors_of_random_symmetric_matrices_are_an_orthonormal_frame)
{
    ff_random random = ff_random_make(6, 0);
    double values[3], V[9];
    for (int round = 0; round < 2000; round++) {
        double s[6], size = pow(10, ff_random_range(&random, -12, 12));
        random_fill(&random, s, 6);
        for (int i = 0; i < 6; i++) s[i] *= size * (i < 3 || round % 3 ? 1 : 1e-9); // and nearly diagonal ones
        const double A[9] = {s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]};
        check_eigen(A, values, V, size);
        CHECK_NEAR(values[0] + values[1] + values[2], s[0] + s[1] + s[2], 8e-15 * size);
    }
}

TEST(eigenvalues_of_known_matrices)
{
    double values[3], V[9];
    const double diagonal[9] = {3, 0, 0, 0, -1, 0, 0, 0, 2}, zero[9] = {0};
    check_eigen(diagonal, values, V, 3);
    CHECK(values[0] == -1 && values[1] == 2 && values[2] == 3);
    check_eigen(zero, values, V, 1);
    CHECK(values[0] == 0 && values[2] == 0);
    // all ones: one direction (1, 1, 1) with 3, a plane with 0
    const double ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    check_eigen(ones, values, V, 3);
    CHECK_NEAR(values[0], 0, 1e-15);
    CHECK_NEAR(values[1], 0, 1e-15);
    CHECK_NEAR(values[2], 3, 1e-14);
    // 2 - second differences: 2 - sqrt 2, 2, 2 + sqrt 2
    const double chain[9] = {2, -1, 0, -1, 2, -1, 0, -1, 2};
    check_eigen(chain, values, V, 3);
    CHECK_NEAR(values[0], 2 - sqrt(2), 1e-14);
    CHECK_NEAR(values[1], 2, 1e-14);
    CHECK_NEAR(values[2], 2 + sqrt(2), 1e-14);
}
