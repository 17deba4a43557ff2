// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Small dense quadratic programs, strictly convex:
//     minimise  1/2 x' H x + g' x      such that   low <= A x <= high
// by the dual active-set method of D. Goldfarb and A. Idnani (Mathematical Programming 27, 1983): from the minimum
// without constraints it adds one violated constraint after the other, so that it needs no feasible start, costs little
// when few constraints act, and proves infeasibility when it meets it. Meant for up to some hundred variables and
// constraints.
//
// No function here allocates, locks or prints.
#ifndef FOOTFALL_QP_H
#define FOOTFALL_QP_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Matrices are row-major. low[i] = high[i] is an equation; -INFINITY and INFINITY leave a side open.
typedef struct ff_qp {
    int n;              // variables
    int m;              // constraints
    const double *H;    // symmetric positive definite, only the lower triangle is read  (n x n)
    const double *g;    // (n)
    const double *A;    // (m x n), NULL without constraints
    const double *low;  // (m)
    const double *high; // (m)
    int iterations;     // most that are made; 0: 20 (n + m) + 100
    bool warm;          // `active` holds a guess, such as the answer to a similar problem
} ff_qp;

typedef enum ff_qp_outcome {
    FF_QP_SOLVED,
    FF_QP_INFEASIBLE, // the constraints contradict each other
    FF_QP_NOT_CONVEX, // H is not positive definite, or so nearly singular that rounding decides
    FF_QP_ITERATIONS  // stopped on the way; x is the answer to the problem without the constraints it still violates
} ff_qp_outcome;

typedef struct ff_qp_result {
    ff_qp_outcome outcome;
    int iterations;   // constraints added or dropped
    int nactive;      // constraints that hold with equality and keep x where it is
    int constraint;   // infeasible: one that cannot hold together with those active; else -1
    double objective; // 1/2 x' H x + g' x
} ff_qp_result;

/// Numbers of workspace ff_qp_solve needs.
FF_API size_t ff_qp_work_size(int n, int m);

/// Solves the program. At the solution H x + g = A' multiplier with multiplier >= 0 at a lower limit, <= 0 at an upper
/// one, any sign for equations and 0 elsewhere. Constraints hold to 1e-11 of the size of their terms; those that depend
/// on active ones to 1e-9 (in the metric of H) hold with them, to 1e-7 of their terms.
/// @param x           result, finite whatever the outcome unless H is not convex  (n)
/// @param multiplier  result, may be NULL  (m)
/// @param active      result: -1 at the lower limit or equation, 1 at the upper limit, 0 not active; a guess on entry
/// where
///                    `warm` is set; may be NULL  (m)
/// @param work        ff_qp_work_size numbers
/// @return            FF_OK, solved or not; FF_BAD_ARGUMENT for sizes below zero and numbers that are NaN or infinite
/// where they
///                    must not be
FF_API ff_status ff_qp_solve(const ff_qp *problem, double *x, double *multiplier, int *active, double *work,
                             ff_qp_result *result);

#ifdef __cplusplus
}
#endif
#endif
