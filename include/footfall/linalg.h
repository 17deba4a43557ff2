// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Small dense linear algebra for the sizes of robots (n <= FF_LINALG_MAX): row-major, no allocation, fixed order
// of summation so that results do not depend on the compiler. Notation: G. H. Golub, C. F. Van Loan, Matrix
// Computations.
#ifndef FOOTFALL_LINALG_H
#define FOOTFALL_LINALG_H

#include <footfall/api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FF_LINALG_MAX 64

/// In-place Cholesky A = L L' of a symmetric positive definite n x n matrix; only the lower triangle is read and
/// written. @return false when a pivot is not positive (A is then partly overwritten).
FF_API bool ff_cholesky_factor(double *A, int n);
/// Solves L L' x = b in place of b.
FF_API void ff_cholesky_solve(const double *L, int n, double *x);

/// In-place A = L D L' without square roots, for symmetric matrices that may be indefinite but need no pivoting.
/// Unit L below the diagonal, D on it. @return false on a zero pivot.
FF_API bool ff_ldlt_factor(double *A, int n);
/// Solves L D L' x = b in place of b.
FF_API void ff_ldlt_solve(const double *LD, int n, double *x);

/// In-place P A = L U with partial pivoting. `pivot` receives n row numbers. @return false when singular.
FF_API bool ff_lu_factor(double *A, int *pivot, int n);
/// Solves A x = b in place of b.
FF_API void ff_lu_solve(const double *LU, const int *pivot, int n, double *x);

/// Least squares min |A x - b| by Householder QR with column pivoting; A is m x n (m >= n), both overwritten, x goes
/// to the first n numbers of b. Columns below `tolerance` times the largest are treated as dependent (x = 0 there).
/// @return the numerical rank
FF_API int ff_least_squares(double *A, int m, int n, double *b, double tolerance);

/// Eigenvalues (ascending) and eigenvectors (columns of V) of a symmetric 3 x 3 matrix by Jacobi rotations.
FF_API void ff_eigen_sym3(const double A[9], double eigenvalues[3], double V[9]);

#ifdef __cplusplus
}
#endif
#endif
