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

/// In-place P A = L U of an n x n matrix with partial pivoting. `pivot` receives n row numbers. @return false when
/// singular.
FF_API bool ff_lu_factor(double *A, int *pivot, int n);
/// Solves A x = b in place of b, with the factors and row numbers of ff_lu_factor.
FF_API void ff_lu_solve(const double *LU, const int *pivot, int n, double *x);

/// Eigenvalues (ascending) and eigenvectors (columns of V) of a symmetric 3 x 3 matrix by Jacobi rotations.
FF_API void ff_eigen_sym3(const double A[9], double eigenvalues[3], double V[9]);

#ifdef __cplusplus
}
#endif
#endif
