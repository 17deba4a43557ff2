// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Small dense factorisations, row-major and in place. The loops are plain and in a fixed order, since matrices of
// n <= 64 lie in the first-level cache.
#include <footfall/base.h>

static inline bool cholesky_factor(double *A, int n)
{
    for (int i = 0; i < n; i++) {
        double *row = A + i * n;
        for (int j = 0; j <= i; j++) {
            const double *other = A + j * n;
            double sum = row[j];
            for (int k = 0; k < j; k++) sum -= row[k] * other[k];
            if (j < i) {
                row[j] = sum / other[j];
            } else {
                if (!(sum > 0)) return false;
                row[i] = sqrt(sum);
            }
        }
    }
    return true;
}

static inline void cholesky_solve(const double *restrict L, int n, double *restrict x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= L[i * n + i];
        for (int k = 0; k < i; k++) x[k] -= L[i * n + k] * x[i];
    }
}

// A free body has six degrees of freedom: with a constant size the compiler needs half the instructions, and results
// are bit-identical.

bool ff_cholesky_factor(double *A, int n)
{
    return n == 6 ? cholesky_factor(A, 6) : cholesky_factor(A, n);
}

void ff_cholesky_solve(const double *L, int n, double *x)
{
    if (n == 6)
        cholesky_solve(L, 6, x);
    else
        cholesky_solve(L, n, x);
}

static void swap(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

bool ff_lu_factor(double *A, int *pivot, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        pivot[k] = best;
        for (int j = 0; j < n && best != k; j++) swap(&A[k * n + j], &A[best * n + j]);
        double diagonal = A[k * n + k];
        if (diagonal == 0 || !isfinite(diagonal)) return false;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] /= diagonal;
            for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return true;
}

void ff_lu_solve(const double *LU, const int *pivot, int n, double *x)
{
    for (int k = 0; k < n; k++) swap(&x[k], &x[pivot[k]]);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) x[i] -= LU[i * n + k] * x[k];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= LU[i * n + k] * x[k];
        x[i] /= LU[i * n + i];
    }
}

/// One Jacobi rotation in the plane (p, q) that makes A[p][q] zero.
static void jacobi_rotate(double A[9], double V[9], int p, int q)
{
    const double off = A[3 * p + q];
    if (off == 0) return;
    double theta = (A[3 * q + q] - A[3 * p + p]) / (2 * off);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) { // columns of A and V
        double ap = A[3 * k + p], aq = A[3 * k + q], vp = V[3 * k + p], vq = V[3 * k + q];
        A[3 * k + p] = c * ap - s * aq;
        A[3 * k + q] = s * ap + c * aq;
        V[3 * k + p] = c * vp - s * vq;
        V[3 * k + q] = s * vp + c * vq;
    }
    for (int k = 0; k < 3; k++) { // rows of A
        double ap = A[3 * p + k], aq = A[3 * q + k];
        A[3 * p + k] = c * ap - s * aq;
        A[3 * q + k] = s * ap + c * aq;
    }
    A[3 * p + q] = A[3 * q + p] = 0;
}

void ff_eigen_sym3(const double A[9], double eigenvalues[3], double V[9])
{
    double D[9];
    memcpy(D, A, sizeof D);
    ff_mat3_identity(V);
    // Converges quadratically: six sweeps reach rounding from any start; twelve leave room.
    for (int sweep = 0; sweep < 12; sweep++) {
        jacobi_rotate(D, V, 0, 1);
        jacobi_rotate(D, V, 0, 2);
        jacobi_rotate(D, V, 1, 2);
    }
    for (int i = 0; i < 3; i++) eigenvalues[i] = D[4 * i];
    static const int pairs[3][2] = {{0, 1}, {1, 2}, {0, 1}};
    for (int k = 0; k < 3; k++) {
        int a = pairs[k][0], b = pairs[k][1];
        if (eigenvalues[a] <= eigenvalues[b]) continue;
        swap(&eigenvalues[a], &eigenvalues[b]);
        for (int i = 0; i < 3; i++) swap(&V[3 * i + a], &V[3 * i + b]);
    }
}
