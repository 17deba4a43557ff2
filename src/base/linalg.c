// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Small dense factorisations, row-major and in place. Plain loops in a fixed order: at n <= 64 everything sits in the
// first-level cache.
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

bool ff_ldlt_factor(double *A, int n)
{
    for (int i = 0; i < n; i++) {
        double *row = A + i * n;
        // row[j] first becomes L[i][j] D[j], then L[i][j]
        for (int j = 0; j < i; j++) {
            double sum = row[j];
            for (int k = 0; k < j; k++) sum -= row[k] * A[j * n + k];
            row[j] = sum;
        }
        for (int j = 0; j < i; j++) {
            double scaled = row[j] / A[j * n + j];
            row[i] -= scaled * row[j];
            row[j] = scaled;
        }
        if (row[i] == 0 || !isfinite(row[i])) return false;
    }
    return true;
}

void ff_ldlt_solve(const double *LD, int n, double *x)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) x[i] -= LD[i * n + k] * x[k];
    for (int i = 0; i < n; i++) x[i] /= LD[i * n + i];
    for (int i = n - 1; i >= 0; i--)
        for (int k = 0; k < i; k++) x[k] -= LD[i * n + k] * x[i];
}

static void swap_rows(double *a, double *b, int n)
{
    for (int i = 0; i < n; i++) {
        double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

bool ff_lu_factor(double *A, int *pivot, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        pivot[k] = best;
        if (best != k) swap_rows(A + k * n, A + best * n, n);
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
    for (int k = 0; k < n; k++) {
        double kept = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = kept;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) x[i] -= LU[i * n + k] * x[k];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= LU[i * n + k] * x[k];
        x[i] /= LU[i * n + i];
    }
}

/// Length of rows k..m-1 of column j.
static double column_norm(const double *A, int m, int n, int k, int j)
{
    double sum = 0;
    for (int i = k; i < m; i++) sum += A[i * n + j] * A[i * n + j];
    return sqrt(sum);
}

static void swap_columns(double *A, int m, int n, int a, int b)
{
    for (int i = 0; i < m; i++) {
        double kept = A[i * n + a];
        A[i * n + a] = A[i * n + b];
        A[i * n + b] = kept;
    }
}

/// Reflects columns k+1.. of A and b by the Householder vector that zeroes column k below the diagonal.
static void reflect(double *A, int m, int n, int k, double norm, double *b)
{
    double *pivot = &A[k * n + k];
    double alpha = *pivot > 0 ? -norm : norm;            // sign against cancellation
    double head = *pivot - alpha, scale = -alpha * head; // v'v / 2
    *pivot = head;
    for (int j = k + 1; j <= n; j++) {
        double dot = 0;
        for (int i = k; i < m; i++) dot += A[i * n + k] * (j < n ? A[i * n + j] : b[i]);
        double factor = dot / scale;
        for (int i = k; i < m; i++) {
            if (j < n)
                A[i * n + j] -= factor * A[i * n + k];
            else
                b[i] -= factor * A[i * n + k];
        }
    }
    *pivot = alpha;
}

int ff_least_squares(double *A, int m, int n, double *b, double tolerance)
{
    FF_ASSERT(m >= n && n <= FF_LINALG_MAX);
    int order[FF_LINALG_MAX], rank = 0;
    double largest = 0;
    for (int j = 0; j < n; j++) order[j] = j;
    for (int k = 0; k < n; k++, rank++) {
        int best = k;
        double norm = column_norm(A, m, n, k, k);
        for (int j = k + 1; j < n; j++) {
            double other = column_norm(A, m, n, k, j);
            if (other > norm) {
                norm = other;
                best = j;
            }
        }
        if (k == 0) largest = norm;
        if (!(norm > tolerance * largest) || norm == 0) break;
        swap_columns(A, m, n, k, best);
        int kept = order[k];
        order[k] = order[best];
        order[best] = kept;
        reflect(A, m, n, k, norm, b);
    }
    for (int i = rank - 1; i >= 0; i--) {
        for (int j = i + 1; j < rank; j++) b[i] -= A[i * n + j] * b[j];
        b[i] /= A[i * n + i];
    }
    double x[FF_LINALG_MAX] = {0};
    for (int i = 0; i < rank; i++) x[order[i]] = b[i];
    memcpy(b, x, (size_t)n * sizeof *b);
    return rank;
}

/// One Jacobi rotation in the plane (p, q) that makes A[p][q] zero.
static void jacobi_rotate(double A[9], double V[9], int p, int q)
{
    double off = A[3 * p + q];
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
        double kept = eigenvalues[a];
        eigenvalues[a] = eigenvalues[b];
        eigenvalues[b] = kept;
        swap_columns(V, 3, 3, a, b);
    }
}
